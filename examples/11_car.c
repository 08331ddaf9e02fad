/* A car drives over a bumpy road and stops. Each wheel hangs on a carrier that slides in the chassis, held by a spring with a
 * damper; the rear wheels have motors. At rest the springs must bear the chassis. Writes car.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

enum { BUMPS = 8, ROAD = 0, CHASSIS, CARRIER, WHEEL = CARRIER + 4, BODIES = WHEEL + 4 };

static const dvc_vec3 along_y = { 0, 1, 0 }, along_z = { 0, 0, 1 };

/* Carrier and wheel at a corner of the chassis: a slide with spring and damper, and a hinge. */
static void add_wheel(dvc_world *world, int i)
{
    dvc_vec3 at = { i % 2 ? 0.8 : -0.8, i / 2 ? 0.6 : -0.6, 0.3 };
    world->bodies[CARRIER + i] = (dvc_body){ .mass = 5, .inertia = { 0.1, 0.1, 0.1 }, .position = at };
    world->bodies[WHEEL + i] = (dvc_body){ .position = at };
    world->shapes[2 + i] = (dvc_shape){ .kind = DVC_SPHERE, .body = WHEEL + i, .friction = 0.9, .radius = 0.3 };
    dvc_body_mass_from_shapes(&world->bodies[WHEEL + i], &world->shapes[2 + i], 1, 90);
    dvc_joint_attach(world, DVC_PRISMATIC, CHASSIS, CARRIER + i, at, along_z, &world->joints[2 * i]);
    dvc_joint_attach(world, DVC_REVOLUTE, CARRIER + i, WHEEL + i, at, along_y, &world->joints[2 * i + 1]);
    world->springs[i] = (dvc_spring){ .body_a = CHASSIS, .body_b = CARRIER + i, .length = 0.5, .stiffness = 5000, .damping = 400,
                                      .anchor_a = { at.x, at.y, 0.25 } };
}

int main(void)
{
    static const dvc_vec3 wedge[6] = { { -0.4, -2, 0 }, { -0.4, 2, 0 }, { 0.4, -2, 0 },
                                       { 0.4, 2, 0 }, { 0, -2, 0.1 }, { 0, 2, 0.1 } };
    static unsigned char storage[1 << 14], scratch[1 << 22];
    static dvc_contact contacts[256];
    static record_run run = { .recorder = { .title = "A car on a bumpy road" }, .every = 2 };
    dvc_polytope bump;
    dvc_body bodies[BODIES] = { [ROAD] = { .kind = DVC_STATIC }, [CHASSIS] = { .position = { 0, 0, 0.5 } } };
    dvc_shape shapes[6 + BUMPS] = {
        { .kind = DVC_PLANE, .body = ROAD, .friction = 0.9, .normal = { 0, 0, 1 } },
        { .kind = DVC_BOX, .body = CHASSIS, .half = { 1, 0.25, 0.12 } },
    };
    dvc_joint joints[8];
    dvc_spring springs[4];
    dvc_world world = {
        .bodies = bodies, .body_count = BODIES, .shapes = shapes, .shape_count = 6 + BUMPS, .joints = joints, .joint_count = 8,
        .springs = springs, .spring_count = 4, .contacts = contacts, .contact_capacity = 256,
        .scratch = scratch, .scratch_size = sizeof scratch, .gravity = { 0, 0, -9.81 },
    };
    if (dvc_polytope_build(wedge, 6, storage, sizeof storage, &bump) != DVC_OK) return 1;
    for (int i = 0; i < BUMPS; i++)
        shapes[6 + i] = (dvc_shape){ .kind = DVC_POLYTOPE, .body = ROAD, .friction = 0.9, .polytope = &bump,
                                     .position = { 3 + 1.1 * i, i % 2 ? 2.3 : -1.7, 0 } };
    dvc_body_mass_from_shapes(&bodies[CHASSIS], &shapes[1], 1, 800);
    for (int i = 0; i < 4; i++) add_wheel(&world, i);
    for (int i = 0; i < 4; i += 2) joints[2 * i + 1].turn.effort = 150; /* the motors; at speed 0 they brake */

    double gap = 0, borne = 0;
    for (int i = 1; i <= 1600; i++) {
        for (int k = 0; k < 4; k += 2) joints[2 * k + 1].turn.speed = world.time < 5 ? fmin(4 * world.time, 10) : 0;
        dvc_status status = record_step(&run, &world, 0.005);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        for (int k = 0; k < 8; k++) gap = fmax(gap, dvc_joint_error(&world, k));
        borne = -springs[0].force - springs[1].force - springs[2].force - springs[3].force;
        if (i % 100 == 0) printf("t %.1f  at %6.3f m  speed %6.3f m/s  chassis at %.4f m  springs bear %8.2f N\n", world.time,
                                 bodies[CHASSIS].position.x, bodies[CHASSIS].velocity.x, bodies[CHASSIS].position.z, borne);
    }
    printf("the chassis weighs %.2f N; joints open by %.1e\n", bodies[CHASSIS].mass * 9.81, gap);
    return !record_page("car.html", &run, 1) || fabs(borne / (bodies[CHASSIS].mass * 9.81) - 1) > 1e-3 || gap > 1e-12;
}
