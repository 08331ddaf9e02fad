/* A four-bar: a motor turns the crank, a coupler rocks the rocker. In space, with four parallel hinges, it has three constraints
 * more than it needs; it moves all the same, and the rocker stands where two circles meet. Writes four_bar.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

/* The pin of the rocker: at 3 m from (4, 0) and 3.5 m from the crank's pin, the upper one of the two such places. */
static dvc_vec3 rocker_pin(double x, double z)
{
    double dx = 4 - x, dz = -z, apart = hypot(dx, dz), along = (3.5 * 3.5 - 3 * 3 + apart * apart) / (2 * apart);
    double aside = sqrt(3.5 * 3.5 - along * along);
    return (dvc_vec3){ x + (along * dx - aside * dz) / apart, 0, z + (along * dz + aside * dx) / apart };
}

/* A bar from p to q, seen from the side. */
static void put_bar(dvc_world *world, int body, dvc_vec3 p, dvc_vec3 q)
{
    double length = hypot(q.x - p.x, q.z - p.z);
    world->shapes[body - 1] = (dvc_shape){ .kind = DVC_BOX, .body = body, .half = { length / 2, 0.05, 0.05 } };
    world->bodies[body] = (dvc_body){ .position = { (p.x + q.x) / 2, 0, (p.z + q.z) / 2 },
                                      .orientation = dvc_quat_turn((dvc_vec3){ 0, 1, 0 }, -atan2(q.z - p.z, q.x - p.x)) };
    dvc_body_mass_from_shapes(&world->bodies[body], &world->shapes[body - 1], 1, 100);
}

int main(void)
{
    dvc_body bodies[4] = { { .kind = DVC_STATIC } };
    dvc_shape shapes[3];
    dvc_joint joints[4];
    static dvc_contact contacts[256];
    static unsigned char scratch[1 << 21];
    static record_run run = { .recorder = { .title = "A four-bar" } };
    dvc_world world = {
        .bodies = bodies, .body_count = 4, .shapes = shapes, .shape_count = 3, .joints = joints, .joint_count = 4,
        .contacts = contacts, .contact_capacity = 256, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };
    dvc_pair_rule apart = { .body_a = 1, .body_b = 3, .ignore = true }; /* crank and rocker lie in different planes */
    world.pair_rules = &apart;
    world.pair_rule_count = 1;

    dvc_vec3 pins[4] = { { 0, 0, 0 }, { 0, 0, 1 }, rocker_pin(0, 1), { 4, 0, 0 } };
    for (int i = 1; i < 4; i++) put_bar(&world, i, pins[i - 1], pins[i]);
    for (int i = 0; i < 4; i++)
        dvc_joint_attach(&world, DVC_REVOLUTE, i, (i + 1) % 4, pins[i], (dvc_vec3){ 0, 1, 0 }, &joints[i]);
    joints[0].turn.speed = 3;
    joints[0].turn.effort = DVC_INFINITY;

    double off = 0;
    for (int i = 1; i <= 600; i++) {
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        dvc_vec3 pin = dvc_body_point(&bodies[3], joints[2].anchor_b);
        dvc_vec3 expected = rocker_pin(sin(joints[0].turn.position), cos(joints[0].turn.position));
        off = fmax(off, hypot(pin.x - expected.x, pin.z - expected.z));
        if (i % 50 == 0) printf("t %.1f  crank %6.3f rad  pin of the rocker (%.4f, %.4f) m  motor %8.3f N m\n", world.time,
                                joints[0].turn.position, pin.x, pin.z, joints[0].turn.impulse / 0.01);
    }
    printf("off the meeting of the circles by %.1e m\n", off);
    return !record_page("four_bar.html", &run, 1) || off > 1e-10 || fabs(joints[0].turn.position - 18) > 1e-9;
}
