/* Steps a scene that uses everything for 300 steps and prints the hash of its state: the same number from every compiler,
 * optimisation level and language is what check_bits.sh looks for. With BITS_STAGES stages are told meanwhile. */
#ifdef BITS_STAGES
static long stages_told;
#define DVC_STAGE(name) (stages_told += (name)[0] != 0)
#endif
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "scene.h"
#include <stdio.h>

/* Products of this file's own may be fused with sums by the compiler; what the header does may not. */
static double times(double a, double b)
{
    volatile double product = a * b;
    return product;
}

static void wave(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    dvc_vec3 axis = { 0, 0, 1 };
    (void)user;
    position->x = (dvc_real)(times((double)t, 0.25) - 1.5);
    *orientation = dvc_quat_turn(axis, t / 3);
}

static uint64_t run_space(dvc_solver solver, int steps)
{
    static const dvc_vec3 corner[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { (dvc_real)0.7, (dvc_real)0.6, (dvc_real)0.5 } };
    scene *s = scene_make(24, false, 64u << 20);
    dvc_vec3 cloud[5];
    uint64_t hash;
    int i, k;
    s->world.solver = solver;
    scene_ground(s, 0.4);
    s->shapes[0].surface_velocity = v3(0.2, 0.1, 0);
    k = scene_box(s, DVC_KINEMATIC, v3(0.2, 1, 0.5), v3(-1.5, 0, 0.5), 0, 0.3);
    s->bodies[k].motion = wave;
    for (i = 0; i < 3; i++) {
        for (k = 0; k < 5; k++) cloud[k] = v3(times(corner[k].x, 0.5) + times(0.03, i), times(corner[k].y, 0.4), times(corner[k].z, 0.6));
        k = scene_hull(s, DVC_DYNAMIC, cloud, 5, v3(times(0.3, i) - 0.8, times(0.21, i % 3), 0.6 + times(0.5, i)), 700, 0.5);
        s->bodies[k].angular_velocity = v3(3, -2 * i, 5);
        k = scene_box(s, DVC_DYNAMIC, v3(0.2, 0.15, 0.1 + times(0.02, i)), v3(times(0.25, i) - 0.7, -0.4, 0.4 + times(0.4, i)), 2, 0.4);
        s->bodies[k].angular_velocity = v3(i, 1, -4);
        scene_sphere(s, 0.12 + times(0.01, i), v3(times(0.2, i) - 0.4, 0.5, 0.5 + times(0.3, i)), 1, 0.6);
    }
    for (i = 0; i < steps; i++)
        if (dvc_step(&s->world, (dvc_real)0.01) != DVC_OK) printf("step %d failed\n", i);
    hash = dvc_world_hash(&s->world);
    scene_free(s);
    return hash;
}

static uint64_t run_plane(void)
{
    static const dvc_vec2 kite[] = { { (dvc_real)-0.3, 0 }, { 0, (dvc_real)-0.2 }, { (dvc_real)0.5, 0 }, { 0, (dvc_real)0.25 } };
    scene *s = scene_make(24, true, 64u << 20);
    uint64_t hash;
    int i;
    scene_ground(s, 0.3);
    for (i = 0; i < 12; i++) {
        int k = i % 3 == 0 ? scene_polygon(s, DVC_DYNAMIC, kite, 4, v3(times(0.1, i), 0.5 + times(0.6, i), 0), 3, 0.3)
              : i % 3 == 1 ? scene_box(s, DVC_DYNAMIC, v3(0.3, 0.2, 0), v3(times(0.07, i), 0.5 + times(0.6, i), 0), 1, 0.3)
                           : scene_sphere(s, 0.25, v3(times(0.05, i), 0.5 + times(0.6, i), 0), 1, 0.3);
        s->bodies[k].angular_velocity = v3(0, 0, i - 6);
    }
    for (i = 0; i < 300; i++)
        if (dvc_step(&s->world, (dvc_real)0.01) != DVC_OK) printf("step %d failed\n", i);
    hash = dvc_world_hash(&s->world);
    scene_free(s);
    return hash;
}

/* Joints of all kinds with drives, springs, damping, bounces: an arm that swings over the ground and what it hits. */
static uint64_t run_machine(void)
{
    static const dvc_joint_kind kinds[6] = { DVC_REVOLUTE, DVC_SPHERICAL, DVC_PRISMATIC, DVC_FIXED, DVC_CYLINDRICAL, DVC_REVOLUTE };
    static dvc_joint joints[6];
    static dvc_spring springs[1];
    scene *s = scene_make(16, false, 64u << 20);
    uint64_t hash;
    int i, k, last = 0;
    scene_ground(s, 0.4);
    s->shapes[0].restitution = (dvc_real)0.3;
    s->world.joints = joints;
    s->world.springs = springs;
    s->world.joint_count = 6;
    s->world.spring_count = 1;
    for (i = 0; i < 6; i++) {
        dvc_vec3 axis = v3(times(0.3, i), 1, 0.2);
        k = scene_box(s, DVC_DYNAMIC, v3(0.2, 0.06, 0.05), v3(0.25 + times(0.5, i), 0, 1.2), 1 + times(0.3, i), 0.4);
        s->bodies[k].angular_damping = (dvc_real)0.1;
        dvc_joint_attach(&s->world, kinds[i], last, k, v3(times(0.5, i), 0, 1.2), axis, &joints[i]);
        joints[i].turn.limited = joints[i].slide.limited = true;
        joints[i].turn.lower = joints[i].slide.lower = (dvc_real)-0.4;
        joints[i].turn.upper = joints[i].slide.upper = (dvc_real)0.3;
        joints[i].turn.friction = (dvc_real)0.2;
        joints[i].slide.speed = (dvc_real)0.5;
        joints[i].slide.effort = 20;
        last = k;
    }
    for (i = 0; i < 4; i++) scene_box(s, DVC_DYNAMIC, v3(0.15, 0.15, 0.15), v3(times(0.6, i) + 0.3, 0.05, 0.15), 2, 0.4);
    springs[0].body_a = 0;
    springs[0].body_b = last;
    springs[0].anchor_a = v3(1, 1, 2);
    springs[0].length = 1;
    springs[0].stiffness = 60;
    springs[0].damping = 2;
    for (i = 0; i < 300; i++)
        if (dvc_step(&s->world, (dvc_real)0.01) != DVC_OK) printf("step %d failed\n", i);
    hash = dvc_world_hash(&s->world);
    scene_free(s);
    return hash;
}

/* Layers of cubes in one island, solved over the bodies: to the end, or swept. */
static uint64_t run_heap(int direct_bodies, int steps)
{
    scene *s = scene_make(37, false, 64u << 20);
    uint64_t hash;
    int i;
    scene_ground(s, 0.5);
    for (i = 0; i < 36; i++) {
        int k = i % 9, layer = i / 9;
        scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5),
                  v3(times(1.05, k % 3) + times(0.3, layer), times(1.1, k / 3) + times(0.2, layer % 2), times(1.02, layer) + 0.5), 1, 0.5);
    }
    s->world.direct_bodies = direct_bodies;
    for (i = 0; i < steps; i++)
        if (dvc_step(&s->world, (dvc_real)0.01) != DVC_OK) printf("step %d failed\n", i);
    hash = dvc_world_hash(&s->world);
    scene_free(s);
    return hash;
}

/* Cubes tumble into a pit: more rows than are pivoted, that end on the inner path. */
static uint64_t run_pit(int steps)
{
    scene *s = scene_make(64, false, 64u << 20);
    uint64_t hash;
    int i, largest = 0;
    scene_ground(s, 0.5);
    scene_pit(s, 0.5);
    for (i = 0; i < 40; i++) {
        int cube = scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25),
                             v3(times(0.5, i % 3), times(0.5, i / 3 % 3), 0.5 + times(0.7, i / 9)), 1, 0.5);
        s->bodies[cube].orientation = dvc_quat_turn(v3(times(0.3, i % 5) - 0.6, times(0.4, i % 7) - 1, 1), (dvc_real)times(0.37, i));
    }
    for (i = 0; i < steps; i++) {
        if (dvc_step(&s->world, (dvc_real)0.01) != DVC_OK) printf("step %d failed\n", i);
        if (s->world.report.inexact > 0) largest = dvci_imax(largest, s->world.report.largest_problem);
    }
    if (largest <= DVCI_PIVOT_ROWS) printf("the inner path was not needed\n");
    hash = dvc_world_hash(&s->world);
    scene_free(s);
    return hash;
}

int main(void)
{
    printf("%016llx %016llx %016llx %016llx %016llx %016llx %016llx\n", (unsigned long long)run_space(DVC_AUTO, 300),
           (unsigned long long)run_space(DVC_PSOR, 40), (unsigned long long)run_plane(), (unsigned long long)run_machine(),
           (unsigned long long)run_heap(0, 30), (unsigned long long)run_heap(1, 60), (unsigned long long)run_pit(70));
#ifdef BITS_STAGES
    if (stages_told == 0) printf("no stage was told\n");
#endif
    return 0;
}
