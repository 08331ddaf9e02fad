/* A box falls on the ground and comes to rest: the smallest program. Prints its height ten times a second, and writes drop.html,
 * which plays it. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"

int main(void)
{
    dvc_body bodies[] = {
        { .kind = DVC_STATIC },
        { .mass = 1, .inertia = { 1 / 6., 1 / 6., 1 / 6. }, .position = { 0, 0, 2 } },
    };
    dvc_shape shapes[] = {
        { .kind = DVC_PLANE, .body = 0, .friction = 0.5, .normal = { 0, 0, 1 } },
        { .kind = DVC_BOX, .body = 1, .friction = 0.5, .half = { 0.5, 0.5, 0.5 } },
    };
    static dvc_contact contacts[64];
    static unsigned char scratch[1 << 18];
    static record_run run = { .recorder = { .title = "A box falls" } };

    dvc_world world = {
        .bodies = bodies, .body_count = 2, .shapes = shapes, .shape_count = 2,
        .contacts = contacts, .contact_capacity = 64,
        .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };

    for (int i = 0; i < 60; i++) {
        dvc_status status = record_step(&run, &world, 1.0 / 60); /* dvc_step, and a frame of the recording */
        if (status != DVC_OK) {
            fprintf(stderr, "step %d: %s (item %d)\n", i, dvc_status_text(status), world.culprit);
            return 1;
        }
        if (i % 6 == 5) printf("t %.1f  height %.9f  contacts %d\n", world.time, bodies[1].position.z, world.contact_count);
    }
    return !record_page("drop.html", &run, 1);
}
