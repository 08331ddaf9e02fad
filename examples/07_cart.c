/* A cart runs down a slope on four ball wheels with hinges. Rolling without slip it must gain speed at
 *     g sin(slope) M / (M + 4 J / r^2),     M the whole mass, J and r of a wheel,
 * and does, to rounding. Writes cart.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

int main(void)
{
    const double slope = 0.1, radius = 0.3, c = cos(slope), s = sin(slope);
    dvc_body bodies[6] = { { .kind = DVC_STATIC } }; /* ground, chassis, four wheels */
    dvc_shape shapes[6] = {
        { .kind = DVC_PLANE, .body = 0, .friction = 0.8, .normal = { s, 0, c } },
        { .kind = DVC_BOX, .body = 1, .half = { 1, 0.4, 0.1 } },
    };
    dvc_joint joints[4];
    static dvc_contact contacts[64];
    static unsigned char scratch[1 << 20];
    static record_run run = { .recorder = { .title = "A cart on a slope" } };
    dvc_world world = {
        .bodies = bodies, .body_count = 6, .shapes = shapes, .shape_count = 6, .joints = joints, .joint_count = 4,
        .contacts = contacts, .contact_capacity = 64, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };

    bodies[1].orientation = dvc_quat_turn((dvc_vec3){ 0, 1, 0 }, slope);
    bodies[1].position = (dvc_vec3){ s * 0.5, 0, c * 0.5 };
    dvc_body_mass_from_shapes(&bodies[1], &shapes[1], 1, 50);
    for (int i = 0; i < 4; i++) {
        dvc_vec3 at = dvc_body_point(&bodies[1], (dvc_vec3){ i % 2 ? 0.8 : -0.8, i / 2 ? 0.8 : -0.8, radius - 0.5 });
        bodies[i + 2] = (dvc_body){ .position = at };
        shapes[i + 2] = (dvc_shape){ .kind = DVC_SPHERE, .body = i + 2, .friction = 0.8, .radius = radius };
        dvc_body_mass_from_shapes(&bodies[i + 2], &shapes[i + 2], 1, 50);
        dvc_joint_attach(&world, DVC_REVOLUTE, 1, i + 2, at, (dvc_vec3){ 0, 1, 0 }, &joints[i]);
    }

    double mass = bodies[1].mass + 4 * bodies[2].mass, off = 0;
    double gain = 9.81 * s * mass / (mass + 4 * bodies[2].inertia.y / (radius * radius));
    for (int i = 1; i <= 400; i++) {
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        double speed = bodies[1].velocity.x * c - bodies[1].velocity.z * s;
        off = fmax(off, fabs(speed - gain * world.time));
        if (i % 50 == 0)
            printf("t %.1f  speed %.6f m/s  wheels turned %.3f rad  hinges open by %.1e m\n", world.time, speed,
                   joints[0].turn.position, dvc_joint_error(&world, 0));
    }
    printf("off the speed of rolling by %.1e m/s\n", off);
    return !record_page("cart.html", &run, 1) || off > 1e-9;
}
