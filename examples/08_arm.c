/* An arm of seven joints moves to a pose and holds it. A controller is a function that is called before every step: it reads the
 * joints' angles and sets their torques. When the arm is at rest its base must bear its weight. Writes arm.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

enum { LINKS = 7 };

/* Proportional-derivative control along a smooth move of two seconds. */
static void control(void *user, dvc_world *world, dvc_real h)
{
    static const double goal[LINKS] = { 1, 0.8, -0.7, 1.2, 0.5, -0.9, 0.4 };
    static const double stiffness[LINKS] = { 400, 400, 200, 200, 100, 100, 50 }, damping[LINKS] = { 20, 20, 8, 8, 4, 4, 2 };
    double s = fmin((world->time + h) / 2, 1), place = s * s * (3 - 2 * s), rate = s < 1 ? 3 * s * (1 - s) : 0;
    (void)user;
    for (int i = 0; i < LINKS; i++) {
        dvc_axis *turn = &world->joints[i].turn;
        turn->force = stiffness[i] * (goal[i] * place - turn->position) + damping[i] * (goal[i] * rate - turn->velocity);
    }
}

int main(void)
{
    dvc_body bodies[LINKS + 1] = { { .kind = DVC_STATIC } };
    dvc_shape shapes[LINKS];
    dvc_joint joints[LINKS];
    static dvc_contact contacts[256];
    static unsigned char scratch[1 << 21];
    static record_run run = { .recorder = { .title = "An arm under control" }, .every = 5 };
    dvc_world world = {
        .bodies = bodies, .body_count = LINKS + 1, .shapes = shapes, .shape_count = LINKS,
        .joints = joints, .joint_count = LINKS, .contacts = contacts, .contact_capacity = 256,
        .scratch = scratch, .scratch_size = sizeof scratch, .gravity = { 0, 0, -9.81 }, .before_step = control,
    };
    for (int i = 0; i < LINKS; i++) { /* links straight up; joints in turn about the arm and across it */
        bodies[i + 1] = (dvc_body){ .mass = 1, .inertia = { 0.05, 0.05, 0.05 }, .position = { 0, 0, 0.2 * i + 0.1 } };
        shapes[i] = (dvc_shape){ .kind = DVC_BOX, .body = i + 1, .half = { 0.04, 0.04, 0.09 } };
        dvc_joint_attach(&world, DVC_REVOLUTE, i, i + 1, (dvc_vec3){ 0, 0, 0.2 * i },
                         i % 2 ? (dvc_vec3){ 0, 1, 0 } : (dvc_vec3){ 0, 0, 1 }, &joints[i]);
    }

    double gap = 0;
    for (int i = 1; i <= 3000; i++) {
        dvc_status status = record_step(&run, &world, 0.002);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        for (int k = 0; k < LINKS; k++) gap = fmax(gap, dvc_joint_error(&world, k));
        if (i % 250) continue;
        dvc_vec3 hand = dvc_body_point(&bodies[LINKS], (dvc_vec3){ 0, 0, 0.1 });
        printf("t %.1f  hand (%.4f, %.4f, %.4f) m  torque of the shoulder %7.3f N m\n", world.time, hand.x, hand.y, hand.z,
               joints[1].turn.force);
    }
    double borne = joints[0].impulse.z / 0.002;
    printf("the base bears %.6f N, the arm weighs %.6f N; joints open by %.1e\n", borne, LINKS * 9.81, gap);
    return !record_page("arm.html", &run, 1) || fabs(borne - LINKS * 9.81) > 1e-2 || gap > 1e-12;
}
