/* A gripper closes its two fingers on a box and lifts it by friction alone. Fingers slide on the palm, pressed by motors of limited
 * effort; the palm slides upward, moved by a motor that gives whatever it takes. Writes gripper.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

enum { GROUND, PALM, LEFT, RIGHT, BOX, BODIES };

int main(void)
{
    dvc_body bodies[BODIES] = {
        [GROUND] = { .kind = DVC_STATIC },
        [PALM] = { .position = { 0, 0, 0.4 } },
        [LEFT] = { .position = { -0.2, 0, 0.2 } },
        [RIGHT] = { .position = { 0.2, 0, 0.2 } },
        [BOX] = { .position = { 0.02, 0, 0.1 } },
    };
    dvc_shape shapes[BODIES] = {
        { .kind = DVC_PLANE, .body = GROUND, .friction = 0.6, .normal = { 0, 0, 1 } },
        { .kind = DVC_BOX, .body = PALM, .half = { 0.3, 0.06, 0.04 } },
        { .kind = DVC_BOX, .body = LEFT, .friction = 0.6, .half = { 0.02, 0.05, 0.15 } },
        { .kind = DVC_BOX, .body = RIGHT, .friction = 0.6, .half = { 0.02, 0.05, 0.15 } },
        { .kind = DVC_BOX, .body = BOX, .friction = 0.6, .half = { 0.1, 0.1, 0.1 } },
    };
    dvc_joint joints[3];
    static dvc_contact contacts[256];
    static unsigned char scratch[1 << 22];
    static record_run run = { .recorder = { .title = "A gripper" } };
    dvc_world world = {
        .bodies = bodies, .body_count = BODIES, .shapes = shapes, .shape_count = BODIES, .joints = joints, .joint_count = 3,
        .contacts = contacts, .contact_capacity = 256, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };
    for (int i = PALM; i < BODIES; i++) dvc_body_mass_from_shapes(&bodies[i], &shapes[i], 1, 125); /* the box: 1 kg */
    dvc_joint_attach(&world, DVC_PRISMATIC, GROUND, PALM, bodies[PALM].position, (dvc_vec3){ 0, 0, 1 }, &joints[0]);
    joints[0].slide.effort = DVC_INFINITY;
    for (int k = 0; k < 2; k++) {
        dvc_joint_attach(&world, DVC_PRISMATIC, PALM, LEFT + k, bodies[LEFT + k].position, (dvc_vec3){ 1, 0, 0 }, &joints[k + 1]);
        joints[k + 1].slide.speed = k ? -0.2 : 0.2;
        joints[k + 1].slide.effort = 12; /* 2 mu 12 N = 14.4 N of friction for 9.81 N of weight */
    }

    double slip = 0, held = 0;
    for (int i = 1; i <= 600; i++) {
        double t = world.time - 1; /* closes for a second, lifts for three with at most .4 m/s^2, holds */
        joints[0].slide.speed = t > 0 ? fmax(0, fmin(fmin(0.4 * t, 0.1), 0.4 * (3 - t))) : 0;
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        if (i == 101) held = bodies[PALM].position.z - bodies[BOX].position.z;
        if (i > 101) slip = fmax(slip, fabs(bodies[PALM].position.z - bodies[BOX].position.z - held));
        if (i % 100 == 0) printf("t %.0f  palm %.4f m  box %.4f m  pressed with %.3f N\n", world.time, bodies[PALM].position.z,
                                 bodies[BOX].position.z, joints[1].slide.impulse / 0.01);
    }
    printf("slipped by %.1e m while it was carried\n", slip);
    return !record_page("gripper.html", &run, 1) || slip > 1e-9 || bodies[BOX].position.z < 0.37;
}
