#include "own_scenes.h"
#include "dvc_impl_tests/scene.h"
#include <math.h>

enum { ARM_LINKS = 10, PLATE_FEET = 3, PLATE_STEPS = 50000 };

#define PI 3.14159265358979323846
#define PLATE_H 1e-4

/* Scratch grows when a step asks for more. It is the caller's, from malloc, as it is in the shared scenes. */
static scene *new_scene(int bodies) { return scene_make(bodies, false, (size_t)1 << 20); }

static void give_joints(scene *s, int count)
{
    s->world.joints = (dvc_joint *)scene_memory((size_t)count, sizeof *s->world.joints);
    s->world.joint_count = count;
}

static void attach(scene *s, dvc_joint_kind kind, int a, int b, dvc_vec3 at, dvc_vec3 axis, int joint)
{
    if (dvc_joint_attach(&s->world, kind, a, b, at, axis, &s->world.joints[joint]) != DVC_OK) abort();
}

/* Links of 1 m and 1 kg along x, which do not collide, hang from the origin by ball joints and are let go. */
static dvc_world *make_chain(int links)
{
    scene *s = new_scene(links + 1);
    int i;
    give_joints(s, links);
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    for (i = 0; i < links; i++) {
        int link = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.05, 0.05), v3(i + 0.5, 0, 0), 1, 0);
        s->shapes[link].kind = DVC_NO_SHAPE;
        attach(s, DVC_SPHERICAL, link - 1, link, v3(i, 0, 0), scene_zero, i);
    }
    return &s->world;
}

/* Motors of limited torque follow slow waves; those of the fingers press all the time. */
static void control_arm(void *user, dvc_world *world, dvc_real h)
{
    int i;
    (void)user;
    for (i = 0; i < ARM_LINKS; i++) {
        dvc_axis *turn = &world->joints[i].turn;
        double goal = 0.1 * sin(2 * (world->time + (double)h) + i);
        turn->speed = (dvc_real)(10 * (goal - (double)turn->position));
        turn->effort = 100;
    }
}

/* Ten links hang down and sway; two round fingers at the last one hold a box by friction. */
static dvc_world *make_arm(int links)
{
    scene *s = new_scene(links + 4);
    int i;
    give_joints(s, links + 2);
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    for (i = 0; i < links; i++) {
        scene_box(s, DVC_DYNAMIC, v3(0.04, 0.04, 0.09), v3(0, 0, -0.2 * i - 0.1), 1, 0.6);
        attach(s, DVC_REVOLUTE, i, i + 1, v3(0, 0, -0.2 * i), i % 2 ? v3(0, 1, 0) : v3(1, 0, 0), i);
    }
    scene_box(s, DVC_DYNAMIC, v3(0.05, 0.05, 0.05), v3(0, 0, -0.2 * links - 0.1), 0.2, 0.6);
    for (i = 0; i < 2; i++) {
        double side = i ? 1 : -1;
        int finger = scene_sphere(s, 0.03, v3(0.0801 * side, 0, -0.2 * links - 0.1), 0.1, 0.6);
        attach(s, DVC_PRISMATIC, links, finger, s->bodies[finger].position, v3(1, 0, 0), links + i);
        s->world.joints[links + i].slide.speed = (dvc_real)(-0.2 * side);
        s->world.joints[links + i].slide.effort = 12;
    }
    s->world.before_step = control_arm;
    return &s->world;
}

/* Up and down and to and fro with 30 ms, the ups at .6 g: nothing leaves the plate. */
static void move_plate(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    double rate = 2 * PI / 0.03;
    (void)user;
    (void)orientation;
    position->x = (dvc_real)(15 / (rate * rate) * sin(rate * (double)t));
    position->z = (dvc_real)(6 / (rate * rate) * cos(rate * (double)t));
}

/* A block with three round feet on a plate: three contacts with 32 friction directions each. */
static dvc_world *make_plate(int directions)
{
    static const double foot[PLATE_FEET][2] = { { 0.02, 0 }, { -0.01, 0.0175 }, { -0.01, -0.0175 } };
    scene *s = new_scene(2 + PLATE_FEET);
    int plate, block, i;
    plate = scene_box(s, DVC_KINEMATIC, v3(1, 1, 0.05), scene_zero, 0, 0.3);
    move_plate(NULL, 0, &s->bodies[plate].position, &s->bodies[plate].orientation);
    s->bodies[plate].motion = move_plate;
    block = scene_box(s, DVC_DYNAMIC, v3(0.02, 0.02, 0.01), v3(0, 0, 0.0701 + (double)s->bodies[plate].position.z), 0.1, 0.3);
    for (i = 0; i < PLATE_FEET; i++) {
        dvc_shape *shape = &s->shapes[block + 1 + i];
        shape->kind = DVC_SPHERE;
        shape->body = block;
        shape->friction = (dvc_real)0.3;
        shape->radius = (dvc_real)0.005;
        shape->position = v3(foot[i][0], foot[i][1], -0.015);
    }
    s->world.shape_count += PLATE_FEET;
    s->world.friction_directions = directions;
    return &s->world;
}

const own_speed_scene own_scenes[OWN_SCENES] = {
    { "chain of 10", make_chain, 10, 0.01, 3 },
    { "chain of 100", make_chain, 100, 0.01, 3 },
    { "arm of 10 with gripper", make_arm, ARM_LINKS, 0.01, 3 },
    { "plate, 32 directions", make_plate, 32, PLATE_H, PLATE_STEPS * PLATE_H },
    { "plate, 8 directions", make_plate, 8, PLATE_H, PLATE_STEPS * PLATE_H },
};
