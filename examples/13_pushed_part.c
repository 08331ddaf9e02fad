/* A part on a table, seen from above, is pushed by a round finger. It stands on three points that share its weight, and friction
 * at each of them makes it turn as a real part does: pushed through its middle it only slides, against mu m g; pushed beside it,
 * it turns. Writes pushed_part.html with all three runs. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

#define MU 0.4

/* The finger comes along x at a tenth of a metre per second. */
static void finger(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = -0.12 + 0.1 * t;
}

/* Returns the push (N) and the angle of the part (rad) at the end; false if a step failed. */
static bool push(double aside, record_run *run, double *force, double *angle)
{
    static const dvc_support feet = { .points = { { 0.06, 0 }, { -0.03, 0.05 }, { -0.03, -0.05 } }, .friction = MU };
    dvc_body bodies[] = {
        { .kind = DVC_KINEMATIC, .motion = finger, .position = { -0.12, aside, 0 } },
        { .mass = 0.5, .inertia = { .z = 0.5 * (0.16 * 0.16 + 0.12 * 0.12) / 12 }, .support = &feet },
    };
    dvc_shape shapes[] = {
        { .kind = DVC_SPHERE, .body = 0, .radius = 0.02 },
        { .kind = DVC_BOX, .body = 1, .half = { 0.08, 0.06, 0 } },
    };
    static dvc_contact contacts[64];
    static unsigned char scratch[1 << 20];
    dvc_world world = {
        .bodies = bodies, .body_count = 2, .shapes = shapes, .shape_count = 2, .contacts = contacts, .contact_capacity = 64,
        .scratch = scratch, .scratch_size = sizeof scratch, .gravity = { 0, 0, -9.81 }, .planar = true,
    };
    for (int i = 0; i < 300; i++) {
        dvc_status status = record_step(run, &world, 0.005);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)) < 0;
    }
    *force = *angle = 0;
    for (int i = 0; i < world.contact_count; i++) *force += contacts[i].normal_impulse / 0.005;
    *angle = 2 * atan2(bodies[1].orientation.z, bodies[1].orientation.w);
    printf("pushed %6.3f m beside its middle: turned by %9.6f rad, moved by %.4f m, pushed with %.6f N\n", aside, *angle,
           bodies[1].position.x, *force);
    return true;
}

int main(void)
{
    static record_run runs[3] = { { .name = "through the middle", .recorder = { .title = "A pushed part" } },
                                  { .name = "beside it", .recorder = { .title = "A pushed part" } },
                                  { .name = "on the other side", .recorder = { .title = "A pushed part" } } };
    const double aside[3] = { 0, 0.02, -0.02 };
    double force[3], angle[3];
    for (int i = 0; i < 3; i++)
        if (!push(aside[i], &runs[i], &force[i], &angle[i])) return 1;
    printf("mu m g is %.6f N\n", MU * 0.5 * 9.81);
    return !record_page("pushed_part.html", runs, 3) || fabs(force[0] - MU * 0.5 * 9.81) > 1e-9 || fabs(angle[0]) > 1e-9
        || angle[1] > -0.1 || fabs(angle[1] + angle[2]) > 1e-6;
}
