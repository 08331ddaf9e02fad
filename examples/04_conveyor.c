/* A pusher with a given path shoves a box along a conveyor belt: a kinematic body and a moving surface. Writes
 * conveyor.html, which plays it with the force of the pusher as a plot, and conveyor.svg, some frames of it. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include "stills.h"

/* The pusher's pose is a function of time; its velocity follows from it. */
static void pusher(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = -2 + 0.5 * t;
}

int main(void)
{
    dvc_body bodies[] = {
        { .kind = DVC_STATIC },
        { .kind = DVC_KINEMATIC, .motion = pusher, .position = { -2, 0, 0.5 } },
        { .position = { 0, 0, 0.5 } },
    };
    dvc_shape shapes[] = {
        { .kind = DVC_PLANE, .body = 0, .friction = 0.3, .normal = { 0, 0, 1 }, .surface_velocity = { 0, 1, 0 } },
        { .kind = DVC_BOX, .body = 1, .half = { 0.5, 50, 0.4 } },
        { .kind = DVC_BOX, .body = 2, .friction = 0.3, .half = { 0.5, 0.5, 0.5 } },
    };
    static dvc_contact contacts[64];
    static unsigned char scratch[1 << 20];
    dvc_world world = {
        .bodies = bodies, .body_count = 3, .shapes = shapes, .shape_count = 3,
        .contacts = contacts, .contact_capacity = 64, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };
    dvc_body_mass_from_shapes(&bodies[2], &shapes[2], 1, 500);

    double push = 0; /* force of the pusher on the box in the last step, from the contacts between them */
    static const char *const body_names[] = { "belt", "pusher", "box" }, *const push_name[] = { "push (N)" };
    static record_run run = { .recorder = { .title = "Pushed along a belt", .body_names = body_names, .body_name_count = 3,
                                            .scalar_names = push_name, .scalar_count = 1 } };
    run.recorder.scalars = &push;
    record_start(&run, &world, 0.01);

    for (int i = 1; i <= 500; i++) {
        dvc_status status = dvc_step(&world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        push = 0;
        for (int k = 0; k < world.contact_count; k++)
            if (contacts[k].body_a == 1 && contacts[k].body_b == 2) push += contacts[k].impulse.x / 0.01;
        record_frame(&run, &world, 0.01, status);
        if (i % 50) continue;
        printf("t %.1f  box (%.4f, %.4f) m  velocity (%.4f, %.4f) m/s  pushed with %.2f N\n", world.time, bodies[2].position.x,
               bodies[2].position.y, bodies[2].velocity.x, bodies[2].velocity.y, push);
    }
    const double times[] = { 0, 2.5, 5 };
    return !record_page("conveyor.html", &run, 1) || !record_stills("conveyor.svg", &run, 1, times, 3, NULL);
}
