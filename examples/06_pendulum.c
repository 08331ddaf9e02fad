/* A double pendulum: two bars of a metre on hinges, released level. No friction, so energy should stay, and does to the order of
 * the step; the hinges hold to rounding. Writes pendulum.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

int main(void)
{
    dvc_body bodies[] = {
        { .kind = DVC_STATIC },
        { .mass = 1, .inertia = { .z = 1 / 12. }, .position = { 0.5, 0, 0 } },
        { .mass = 2, .inertia = { .z = 2 / 12. }, .position = { 1.5, 0, 0 } },
    };
    dvc_shape shapes[] = {
        { .kind = DVC_BOX, .body = 1, .half = { 0.5, 0.03, 0.03 } },
        { .kind = DVC_BOX, .body = 2, .half = { 0.5, 0.03, 0.03 } },
    };
    dvc_joint joints[2];
    static dvc_contact contacts[16];
    static unsigned char scratch[1 << 18];
    static record_run run = { .recorder = { .title = "A double pendulum" } };
    dvc_world world = {
        .bodies = bodies, .body_count = 3, .shapes = shapes, .shape_count = 2, .joints = joints, .joint_count = 2,
        .contacts = contacts, .contact_capacity = 16, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, -9.81, 0 }, .planar = true,
    };
    dvc_joint_attach(&world, DVC_REVOLUTE, 0, 1, (dvc_vec3){ 0, 0, 0 }, (dvc_vec3){ 0, 0, 1 }, &joints[0]);
    dvc_joint_attach(&world, DVC_REVOLUTE, 1, 2, (dvc_vec3){ 1, 0, 0 }, (dvc_vec3){ 0, 0, 1 }, &joints[1]);

    double start = dvc_energy(&world), worst = 0, gap = 0;
    for (int i = 1; i <= 1000; i++) {
        dvc_status status = record_step(&run, &world, 0.005);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        worst = fmax(worst, fabs(dvc_energy(&world) - start));
        for (int k = 0; k < 2; k++) gap = fmax(gap, dvc_joint_error(&world, k));
        if (i % 100) continue;
        printf("t %.1f  angles %7.3f %7.3f rad  energy %8.4f J  pull of the upper hinge %6.1f N\n", world.time,
               joints[0].turn.position, joints[0].turn.position + joints[1].turn.position, dvc_energy(&world),
               hypot(joints[0].impulse.x, joints[0].impulse.y) / 0.005);
    }
    double drop = 9.81 * (1 * 0.5 + 2 * 1.5); /* energy between level and hanging straight */
    printf("energy off by %.4f of the drop, hinges open by %.1e m\n", worst / drop, gap);
    return !record_page("pendulum.html", &run, 1) || worst > 0.05 * drop || gap > 1e-12;
}
