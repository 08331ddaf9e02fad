/* A mobile robot pushes a ball. Its two driven wheels are points of the chassis whose surfaces run like belts; a third point, of
 * little friction, is its caster. Where the wheels grip, speed and turning are those of the wheels. Writes robot.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

enum { GROUND, ROBOT, BALL };

#define TRACK 0.4 /* m, between the wheels */

int main(void)
{
    dvc_body bodies[] = {
        [GROUND] = { .kind = DVC_STATIC },
        [ROBOT] = { .mass = 5, .inertia = { 0.08, 0.12, 0.18 }, .position = { 0, 0, 0.12 } },
        [BALL] = { .position = { 0.5, 0, 0.1 } },
    };
    dvc_shape shapes[] = { /* friction of a pair is the root of the product: wheels 1, caster .1 */
        { .kind = DVC_PLANE, .body = GROUND, .friction = 1, .normal = { 0, 0, 1 } },
        { .kind = DVC_SPHERE, .body = BALL, .friction = 1, .radius = 0.1 },
        { .kind = DVC_BOX, .body = ROBOT, .half = { 0.25, 0.19, 0.06 } },
        { .kind = DVC_SPHERE, .body = ROBOT, .friction = 1, .position = { 0.1, TRACK / 2, -0.12 } },
        { .kind = DVC_SPHERE, .body = ROBOT, .friction = 1, .position = { 0.1, -TRACK / 2, -0.12 } },
        { .kind = DVC_SPHERE, .body = ROBOT, .friction = 0.01, .position = { -0.2, 0, -0.12 } },
    };
    dvc_shape *left = &shapes[3], *right = &shapes[4];
    static dvc_contact contacts[64];
    static unsigned char scratch[1 << 20];
    static record_run run = { .recorder = { .title = "A robot pushes a ball" } };
    dvc_world world = {
        .bodies = bodies, .body_count = 3, .shapes = shapes, .shape_count = 6, .contacts = contacts, .contact_capacity = 64,
        .scratch = scratch, .scratch_size = sizeof scratch, .gravity = { 0, 0, -9.81 },
    };
    dvc_body_mass_from_shapes(&bodies[BALL], &shapes[1], 1, 70);

    double straight = 0, rolling = 0;
    for (int i = 1; i <= 600; i++) {
        bool turns = i > 300; /* straight on for three seconds, then to the left */
        left->surface_velocity.x = turns ? -0.3 : -0.5;
        right->surface_velocity.x = -0.5;
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        if (i == 300) straight = bodies[ROBOT].velocity.x;
        if (i == 300) rolling = bodies[BALL].angular_velocity.y * 0.1;
        if (i % 50 == 0)
            printf("t %.1f  robot (%.4f, %.4f) m  turning %.5f rad/s  ball (%.4f, %.4f) m  %.5f m/s\n", world.time,
                   bodies[ROBOT].position.x, bodies[ROBOT].position.y, bodies[ROBOT].angular_velocity.z, bodies[BALL].position.x,
                   bodies[BALL].position.y, bodies[BALL].velocity.x);
    }
    double turning = (0.5 - 0.3) / TRACK;
    return !record_page("robot.html", &run, 1) || fabs(straight - 0.5) > 1e-9 || fabs(rolling - 0.5) > 1e-6
        || fabs(bodies[ROBOT].angular_velocity.z - turning) > 1e-3;
}
