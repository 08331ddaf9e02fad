/* The field walk: every field of every public struct of small worlds in turn is set to what it should not be, or to the ends of
 * what it may be, and then all that can be asked of such a world is asked: the check, steps, the problem and its solution, questions,
 * a recording and its reading, a terrain, masses, joints, sizes. Needs POSIX: a child does the work and is replaced where it
 * crashes or does not come back.
 *
 *     walk          prints a line for each slip, and their number; fails if there are any
 *     walk SEED     the same with values in between, drawn at random
 *
 * Slips are: a crash, a case of more than WALK_SECONDS of work, an error that changed something, numbers that are not finite with
 * DVC_OK, a step that does not take what the step before put out, a check and a step that do not agree, a value without sense that
 * is taken and makes a difference, and an error for such a value that speaks of something else. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif
#define DVC_IMPLEMENTATION
#include "../dvc.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef WALK_SECONDS
#define WALK_SECONDS 30
#endif

enum { WALK_BODIES = 12, WALK_SHAPES = 12, WALK_CHAIN = 5, WALK_JOINTS = 8, WALK_SPRINGS = 2, WALK_RULES = 2, WALK_CONTACTS = 256, WALK_WORLDS = 4 };

static const double walk_h = 1.0 / 60;

/* ---- worlds ---- */

/* A world and all that it is made of; its pointers lead into `now`, so that a copy of the whole is a snapshot. */
typedef struct walk_scene {
    dvc_world world;
    dvc_body bodies[WALK_BODIES];
    dvc_shape shapes[WALK_SHAPES];
    dvc_joint joints[WALK_JOINTS];
    dvc_spring springs[WALK_SPRINGS];
    dvc_pair_rule rules[WALK_RULES];
    dvc_contact contacts[WALK_CONTACTS];
    dvc_support support;
    dvc_vec2 corners[4];
} walk_scene;

static walk_scene now, starts[WALK_WORLDS], after[WALK_WORLDS]; /* before a step, and after it */
static const char *const walk_names[WALK_WORLDS + 1] = { "space", "plane", "space, asleep", "space, semi-implicit", "no world" };
static unsigned char walk_scratch[16 << 20], walk_hull[1 << 13], walk_tape[1 << 18], walk_storage[1 << 18];
static dvc_polytope walk_polytope;

static dvc_vec3 walk_vec(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

static void walk_sway(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = (dvc_real)(5 + 0.1 * sin((double)t));
}

/* A body with one shape, at a place along the ground and a height. */
static void walk_put(int i, dvc_body_kind kind, dvc_shape_kind shape, double along, double high, double half)
{
    dvc_body *b = &now.bodies[i];
    dvc_shape *s = &now.shapes[i];
    bool planar = now.world.planar;
    b->kind = kind;
    b->position = planar ? walk_vec(along, high, 0) : walk_vec(along, 0, high);
    b->mass = kind == DVC_DYNAMIC ? 1 : 0;
    if (kind == DVC_DYNAMIC) b->inertia = walk_vec(0.1, 0.11, 0.12);
    s->kind = shape;
    s->body = i;
    s->friction = (dvc_real)0.4;
    s->half = walk_vec(half, half, half);
    s->radius = (dvc_real)half;
    s->normal = planar ? walk_vec(0, 1, 0) : walk_vec(0, 0, 1);
    s->polytope = shape == DVC_POLYTOPE ? &walk_polytope : NULL;
    s->points = shape == DVC_POLYGON ? now.corners : NULL;
    s->point_count = shape == DVC_POLYGON ? 4 : 0;
}

/* A rope from the ground, six freedoms, and a gear between the first two joints. */
static void walk_couple(void)
{
    dvc_joint *j = &now.joints[WALK_CHAIN];
    if (dvc_joint_attach(&now.world, DVC_DISTANCE, 0, 11, now.bodies[11].position, walk_vec(1, 0, 0), j) != DVC_OK) abort();
    j->slide.lower = 0;
    j->slide.upper = 2;
    j->slide.damping = (dvc_real)0.5;
    if (dvc_joint_attach(&now.world, DVC_GENERIC, 0, 9, now.bodies[9].position, walk_vec(0, 0, 1), ++j) != DVC_OK) abort();
    j->slide_lower = walk_vec(-2, -2, -2);
    j->slide_upper = walk_vec(2, 2, 2);
    j->turn_lower = walk_vec(-1, -1, -3);
    j->turn_upper = walk_vec(1, 1, 3);
    j++;
    j->kind = DVC_GEAR;
    j->joint_b = 1;
    j->ratio = (dvc_real)0.5;
}

/* A chain of all kinds of joints that hangs from the ground, with drives and limits. */
static void walk_join(void)
{
    static const dvc_joint_kind space[] = { DVC_REVOLUTE, DVC_PRISMATIC, DVC_CYLINDRICAL, DVC_SPHERICAL, DVC_FIXED };
    static const dvc_joint_kind plane[] = { DVC_REVOLUTE, DVC_PRISMATIC, DVC_REVOLUTE, DVC_PRISMATIC, DVC_FIXED };
    int i;
    for (i = 0; i < WALK_CHAIN; i++) {
        int a = i == 0 ? 0 : 6 + i, b = 7 + i;
        dvc_vec3 at = now.bodies[b].position, axis = i % 2 ? walk_vec(1, 0, 0) : walk_vec(0, 1, 0);
        dvc_joint *j = &now.joints[i];
        dvc_axis *x;
        at.x += (dvc_real)0.5;
        if (dvc_joint_attach(&now.world, now.world.planar ? plane[i] : space[i], a, b, at, axis, j) != DVC_OK) abort();
        x = j->kind == DVC_PRISMATIC ? &j->slide : &j->turn;
        x->limited = i < 2;
        x->lower = -(dvc_real)0.4;
        x->upper = (dvc_real)0.3;
        x->friction = i == 0 ? (dvc_real)0.1 : 0;
        x->speed = i == 1 ? (dvc_real)0.2 : 0;
        x->effort = i == 1 ? 5 : i == 2 ? DVC_INFINITY : 0;
        x->force = i == 3 ? (dvc_real)0.1 : 0;
        x->stiffness = i == 3 ? 2 : 0;
        x->damping = i == 3 ? 1 : 0;
        x->target = i == 3 ? (dvc_real)0.1 : 0;
        x->armature = i == 0 ? (dvc_real)0.2 : 0;
        j->swing = i == 3 ? 1 : 0;
    }
    walk_couple();
    now.springs[0].body_a = 6;
    now.springs[0].body_b = 8;
    now.springs[0].length = 4;
    now.springs[0].stiffness = 10;
    now.springs[0].damping = (dvc_real)0.5;
    now.springs[1].body_b = 4;
    now.springs[1].anchor_a = walk_vec(1, 1, 1);
    now.springs[1].stiffness = 2;
}

static void walk_point_at_arrays(void)
{
    dvc_world *w = &now.world;
    w->bodies = now.bodies;
    w->body_count = WALK_BODIES;
    w->shapes = now.shapes;
    w->shape_count = WALK_SHAPES;
    w->joints = now.joints;
    w->joint_count = WALK_JOINTS;
    w->springs = now.springs;
    w->spring_count = WALK_SPRINGS;
    w->pair_rules = now.rules;
    w->pair_rule_count = WALK_RULES;
    w->contacts = now.contacts;
    w->contact_capacity = WALK_CONTACTS;
    w->scratch = walk_scratch;
    w->scratch_size = sizeof walk_scratch;
}

static void walk_make(int kind)
{
    static const dvc_vec3 hull[5] = { { (dvc_real)0.5, 0, 0 }, { (dvc_real)-0.5, (dvc_real)0.3, 0 }, { (dvc_real)-0.5, (dvc_real)-0.3, 0 }, { 0, 0, (dvc_real)0.5 }, { 0, 0, (dvc_real)-0.4 } };
    static const double square[4][2] = { { -0.5, -0.4 }, { 0.5, -0.4 }, { 0.4, 0.4 }, { -0.5, 0.3 } };
    bool planar = kind == 1;
    int i;
    memset(&now, 0, sizeof now);
    if (dvc_polytope_build(hull, 5, walk_hull, sizeof walk_hull, &walk_polytope) != DVC_OK) abort();
    walk_point_at_arrays();
    now.world.planar = planar;
    now.world.gravity = planar ? walk_vec(0, -9.81, -1) : walk_vec(0, 0, -9.81);
    for (i = 0; i < 4; i++) {
        now.corners[i].x = (dvc_real)square[i][0];
        now.corners[i].y = (dvc_real)square[i][1];
    }
    walk_put(0, DVC_STATIC, DVC_PLANE, 0, 0, 1);
    walk_put(1, DVC_STATIC, DVC_BOX, 2, -0.4, 0.5);
    walk_put(2, DVC_KINEMATIC, DVC_BOX, 5, 0.5, 0.5);
    walk_put(3, DVC_KINEMATIC, DVC_SPHERE, 7, 0.5, 0.4);
    walk_put(4, DVC_DYNAMIC, DVC_BOX, 0, 0.5, 0.5);
    walk_put(5, DVC_DYNAMIC, DVC_SPHERE, 0, 1.49, 0.5);
    walk_put(6, DVC_DYNAMIC, planar ? DVC_POLYGON : DVC_POLYTOPE, 2, 0.6, 0);
    for (i = 7; i < 12; i++) walk_put(i, DVC_DYNAMIC, i == 11 ? DVC_SPHERE : DVC_BOX, -1.5 - 1.1 * (i - 7), 3, 0.3);
    now.bodies[2].motion = kind == 2 ? NULL : walk_sway;
    now.bodies[3].velocity.x = kind == 2 ? 0 : (dvc_real)0.2;
    now.bodies[5].linear_damping = now.bodies[5].angular_damping = (dvc_real)0.2;
    now.bodies[6].force.x = kind == 2 ? 0 : (dvc_real)0.1;
    now.bodies[6].torque.z = kind == 2 ? 0 : (dvc_real)0.01;
    now.shapes[1].restitution = (dvc_real)0.2;
    now.shapes[2].surface_velocity.x = kind == 2 ? 0 : (dvc_real)0.1;
    now.shapes[11].sensor = true;
    now.shapes[10].category = 2;
    now.rules[0].body_b = 4;
    now.rules[0].set_friction = now.rules[0].fixed_tangents = true;
    now.rules[0].friction = (dvc_real)0.6;
    now.rules[0].tangent_angle = (dvc_real)0.3;
    now.rules[1].body_a = 4;
    now.rules[1].body_b = 5;
    now.rules[1].set_restitution = true;
    now.rules[1].restitution = (dvc_real)0.1;
    now.support.points[0].x = now.support.points[1].y = (dvc_real)0.3;
    now.support.points[2].x = now.support.points[2].y = -(dvc_real)0.2;
    now.support.friction = (dvc_real)0.3;
    if (planar) now.bodies[5].support = &now.support;
    if (kind == 2) { /* what hangs lies, and nothing pulls */
        for (i = 7; i < 12; i++) now.bodies[i].position.z = (dvc_real)0.3;
        now.world.joint_count = now.world.spring_count = 0;
        now.world.sleep = true;
        now.bodies[6].position.x = 10;
    } else {
        walk_join();
    }
    if (kind == 3) {
        now.world.semi_implicit = now.world.correct_joints = now.world.fixed_tangents = true;
        now.world.tangent_angle = (dvc_real)0.2;
        now.world.direct_bodies = 2;
        now.world.iterations = 5;
        now.world.recovery_speed = 1;
        now.world.epsilon = (dvc_real)0.05;
        now.world.tolerance = (dvc_real)1e-8;
    }
}

static void walk_prepare(void)
{
    int k, i;
    for (k = 0; k < WALK_WORLDS; k++) {
        walk_make(k);
        for (i = 0; i < (k == 2 ? 400 : 3); i++)
            if (dvc_step(&now.world, (dvc_real)walk_h) != DVC_OK) abort();
        if (k == 2 && !(now.bodies[4].asleep & 1u)) printf("nothing sleeps in world %d\n", k);
        starts[k] = now;
        if (dvc_step(&now.world, (dvc_real)walk_h) != DVC_OK) abort();
        after[k] = now;
    }
}

/* ---- fields ---- */

typedef enum walk_type {
    WALK_REAL, WALK_DOUBLE, WALK_INDEX, WALK_COUNT, WALK_ENUM, WALK_BOOL, WALK_WORD, WALK_LONG, WALK_POINTER, WALK_SIZE,
    WALK_LEFT_OUT /* functions, and what is another struct */
} walk_type;

typedef struct walk_field {
    const char *name;
    size_t at, size;
    walk_type type;
} walk_field;

#define WALK_AT(s, f, type) { #f, offsetof(s, f), sizeof(((s *)0)->f), type }
#define WALK_R(s, f) WALK_AT(s, f, WALK_REAL)
#define WALK_V2(s, f) WALK_R(s, f.x), WALK_R(s, f.y)
#define WALK_V3(s, f) WALK_V2(s, f), WALK_R(s, f.z)
#define WALK_Q(s, f) WALK_R(s, f.w), WALK_V3(s, f)
#define WALK_AXIS(s, f)                                                                                                           \
    WALK_AT(s, f.limited, WALK_BOOL), WALK_R(s, f.lower), WALK_R(s, f.upper), WALK_R(s, f.speed), WALK_R(s, f.effort),            \
        WALK_R(s, f.stiffness), WALK_R(s, f.damping), WALK_R(s, f.target), WALK_R(s, f.armature), WALK_R(s, f.friction),           \
        WALK_R(s, f.force), WALK_R(s, f.position), WALK_R(s, f.velocity), WALK_R(s, f.impulse)
#define WALK_END { NULL, 0, 0, WALK_LEFT_OUT }

static const walk_field of_body[] = {
    WALK_AT(dvc_body, kind, WALK_ENUM), WALK_AT(dvc_body, disabled, WALK_BOOL), WALK_AT(dvc_body, motion, WALK_LEFT_OUT),
    WALK_AT(dvc_body, user, WALK_POINTER), WALK_R(dvc_body, mass), WALK_V3(dvc_body, inertia), WALK_V3(dvc_body, position),
    WALK_Q(dvc_body, orientation), WALK_V3(dvc_body, velocity), WALK_V3(dvc_body, angular_velocity), WALK_V3(dvc_body, force),
    WALK_V3(dvc_body, torque), WALK_R(dvc_body, linear_damping), WALK_R(dvc_body, angular_damping),
    WALK_AT(dvc_body, support, WALK_POINTER), WALK_AT(dvc_body, asleep, WALK_LONG), WALK_END
};
static const walk_field of_shape[] = {
    WALK_AT(dvc_shape, kind, WALK_ENUM), WALK_AT(dvc_shape, body, WALK_INDEX), WALK_AT(dvc_shape, disabled, WALK_BOOL),
    WALK_AT(dvc_shape, sensor, WALK_BOOL), WALK_R(dvc_shape, friction), WALK_R(dvc_shape, restitution), WALK_V3(dvc_shape, position),
    WALK_Q(dvc_shape, orientation), WALK_V3(dvc_shape, normal), WALK_V3(dvc_shape, half), WALK_R(dvc_shape, radius),
    WALK_AT(dvc_shape, polytope, WALK_POINTER), WALK_AT(dvc_shape, points, WALK_POINTER), WALK_AT(dvc_shape, point_count, WALK_COUNT),
    WALK_V3(dvc_shape, surface_velocity), WALK_AT(dvc_shape, category, WALK_WORD), WALK_AT(dvc_shape, ignore, WALK_WORD), WALK_END
};
static const walk_field of_joint[] = {
    WALK_AT(dvc_joint, kind, WALK_ENUM), WALK_AT(dvc_joint, body_a, WALK_INDEX), WALK_AT(dvc_joint, body_b, WALK_INDEX),
    WALK_AT(dvc_joint, disabled, WALK_BOOL), WALK_AT(dvc_joint, collide, WALK_BOOL), WALK_V3(dvc_joint, anchor_a),
    WALK_V3(dvc_joint, anchor_b), WALK_Q(dvc_joint, frame_a), WALK_Q(dvc_joint, frame_b), WALK_AXIS(dvc_joint, turn),
    WALK_AXIS(dvc_joint, slide), WALK_R(dvc_joint, swing), WALK_V3(dvc_joint, slide_lower), WALK_V3(dvc_joint, slide_upper),
    WALK_V3(dvc_joint, turn_lower), WALK_V3(dvc_joint, turn_upper), WALK_AT(dvc_joint, joint_a, WALK_INDEX),
    WALK_AT(dvc_joint, joint_b, WALK_INDEX), WALK_R(dvc_joint, ratio), WALK_V3(dvc_joint, impulse), WALK_V3(dvc_joint, angular_impulse), WALK_AT(dvc_joint, warm, WALK_WORD),
    WALK_END
};
static const walk_field of_spring[] = {
    WALK_AT(dvc_spring, body_a, WALK_INDEX), WALK_AT(dvc_spring, body_b, WALK_INDEX), WALK_AT(dvc_spring, disabled, WALK_BOOL),
    WALK_V3(dvc_spring, anchor_a), WALK_V3(dvc_spring, anchor_b), WALK_R(dvc_spring, length), WALK_R(dvc_spring, stiffness),
    WALK_R(dvc_spring, damping), WALK_R(dvc_spring, force), WALK_END
};
static const walk_field of_rule[] = {
    WALK_AT(dvc_pair_rule, body_a, WALK_INDEX), WALK_AT(dvc_pair_rule, body_b, WALK_INDEX), WALK_AT(dvc_pair_rule, ignore, WALK_BOOL),
    WALK_AT(dvc_pair_rule, set_friction, WALK_BOOL), WALK_R(dvc_pair_rule, friction),
    WALK_AT(dvc_pair_rule, friction_directions, WALK_INDEX), WALK_AT(dvc_pair_rule, fixed_tangents, WALK_BOOL),
    WALK_R(dvc_pair_rule, tangent_angle), WALK_AT(dvc_pair_rule, set_restitution, WALK_BOOL), WALK_R(dvc_pair_rule, restitution), WALK_END
};
static const walk_field of_contact[] = {
    WALK_AT(dvc_contact, body_a, WALK_INDEX), WALK_AT(dvc_contact, body_b, WALK_INDEX), WALK_AT(dvc_contact, shape_a, WALK_INDEX),
    WALK_AT(dvc_contact, shape_b, WALK_INDEX), WALK_AT(dvc_contact, feature_a, WALK_WORD), WALK_AT(dvc_contact, feature_b, WALK_WORD),
    WALK_AT(dvc_contact, group, WALK_INDEX), WALK_AT(dvc_contact, facet, WALK_INDEX), WALK_AT(dvc_contact, chosen, WALK_BOOL),
    WALK_AT(dvc_contact, sensor, WALK_BOOL), WALK_AT(dvc_contact, phase, WALK_ENUM), WALK_AT(dvc_contact, warm, WALK_WORD),
    WALK_V3(dvc_contact, point), WALK_V3(dvc_contact, normal), WALK_R(dvc_contact, gap), WALK_V3(dvc_contact, impulse),
    WALK_R(dvc_contact, normal_impulse), WALK_END
};
static const walk_field of_support[] = {
    WALK_V2(dvc_support, points[0]), WALK_V2(dvc_support, points[1]), WALK_V2(dvc_support, points[2]), WALK_R(dvc_support, friction), WALK_END
};
static const walk_field of_corner[] = { WALK_AT(dvc_vec2, x, WALK_REAL), WALK_AT(dvc_vec2, y, WALK_REAL), WALK_END };
static const walk_field of_world[] = {
    WALK_AT(dvc_world, bodies, WALK_POINTER), WALK_AT(dvc_world, body_count, WALK_COUNT), WALK_AT(dvc_world, shapes, WALK_POINTER),
    WALK_AT(dvc_world, shape_count, WALK_COUNT), WALK_AT(dvc_world, terrain, WALK_POINTER), WALK_AT(dvc_world, joints, WALK_POINTER),
    WALK_AT(dvc_world, joint_count, WALK_COUNT), WALK_AT(dvc_world, springs, WALK_POINTER), WALK_AT(dvc_world, spring_count, WALK_COUNT),
    WALK_AT(dvc_world, contacts, WALK_POINTER), WALK_AT(dvc_world, contact_capacity, WALK_COUNT),
    WALK_AT(dvc_world, contact_count, WALK_COUNT), WALK_AT(dvc_world, pair_rules, WALK_POINTER),
    WALK_AT(dvc_world, pair_rule_count, WALK_COUNT), WALK_AT(dvc_world, scratch, WALK_POINTER), WALK_AT(dvc_world, scratch_size, WALK_SIZE),
    WALK_V3(dvc_world, gravity), WALK_AT(dvc_world, planar, WALK_BOOL), WALK_AT(dvc_world, contact_model, WALK_ENUM),
    WALK_AT(dvc_world, solver, WALK_ENUM), WALK_AT(dvc_world, time_stepping, WALK_ENUM), WALK_AT(dvc_world, semi_implicit, WALK_BOOL),
    WALK_AT(dvc_world, correct_joints, WALK_BOOL), WALK_AT(dvc_world, strict, WALK_BOOL), WALK_AT(dvc_world, sleep, WALK_BOOL),
    WALK_AT(dvc_world, friction_directions, WALK_INDEX), WALK_AT(dvc_world, fixed_tangents, WALK_BOOL), WALK_R(dvc_world, tangent_angle),
    WALK_R(dvc_world, epsilon), WALK_R(dvc_world, recovery_speed), WALK_R(dvc_world, tolerance), WALK_AT(dvc_world, direct_bodies, WALK_INDEX),
    WALK_AT(dvc_world, iterations, WALK_INDEX), WALK_AT(dvc_world, time_budget, WALK_DOUBLE), WALK_AT(dvc_world, clock, WALK_LEFT_OUT),
    WALK_AT(dvc_world, threads, WALK_INDEX), WALK_AT(dvc_world, before_step, WALK_LEFT_OUT), WALK_AT(dvc_world, collide, WALK_LEFT_OUT),
    WALK_AT(dvc_world, solve, WALK_LEFT_OUT), WALK_AT(dvc_world, user, WALK_POINTER), WALK_AT(dvc_world, time, WALK_DOUBLE),
    WALK_AT(dvc_world, culprit, WALK_INDEX), WALK_AT(dvc_world, report, WALK_LEFT_OUT), WALK_END
};

/* A field that is missing above shows as a gap longer than padding before the next one can be. */
static int walk_uncovered(const char *name, const walk_field *fields, size_t size)
{
    size_t end = 0;
    const walk_field *f;
    int missing = 0;
    for (f = fields; f->name; f++) { /* in the order of the struct */
        size_t align = f->size < 8 ? f->size : 8;
        if (f->at < end || f->at - end >= align) missing++;
        end = f->at + f->size;
    }
    missing += size - end >= 8;
    if (missing > 0) printf("slip: %s has a field that the walk does not know\n", name);
    return missing;
}

/* ---- what is asked of a world ---- */

typedef struct walk_shared {
    long at;            /* the case that is being looked at */
    long cases, slips, slow, left;
    char name[200];     /* of the case */
    char stage[40];
} walk_shared;

static walk_shared *shared;
/* Of the value: nobody can mean it; or it is only larger than anything. */
static struct { int world; const walk_field *field; const char *of; int index; bool senseless, edge, finite; } current;

static void walk_slip(const char *what)
{
    shared->slips++;
    printf("slip: %s: %s (in %s)\n", shared->name, what, shared->stage);
    fflush(stdout);
}

static void walk_stage(const char *name) { snprintf(shared->stage, sizeof shared->stage, "%s", name); }

static bool walk_finite(dvc_real x) { return isfinite((double)x) != 0; }
static bool walk_finite_vec(dvc_vec3 v) { return walk_finite(v.x) && walk_finite(v.y) && walk_finite(v.z); }
static bool walk_finite_quat(dvc_quat q) { return walk_finite(q.w) && walk_finite(q.x) && walk_finite(q.y) && walk_finite(q.z); }

static bool walk_finite_axis(const dvc_axis *a) { return walk_finite(a->position) && walk_finite(a->velocity) && walk_finite(a->impulse); }

/* What is not finite after a step; NULL: nothing. */
static const char *walk_not_finite(void)
{
    const dvc_world *w = &now.world;
    int i;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &now.bodies[i];
        if (b->disabled) continue;
        if (!walk_finite_vec(b->position) || !walk_finite_quat(b->orientation)) return "a pose is not finite";
        if (!walk_finite_vec(b->velocity) || !walk_finite_vec(b->angular_velocity)) return "a velocity is not finite";
    }
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &now.contacts[i];
        if (!walk_finite_vec(c->point) || !walk_finite_vec(c->normal) || !walk_finite_vec(c->impulse)
            || !walk_finite(c->gap) || !walk_finite(c->normal_impulse))
            return "a contact is not finite";
    }
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &now.joints[i];
        if (j->kind == DVC_NO_JOINT || j->disabled || now.bodies[j->body_a].disabled || now.bodies[j->body_b].disabled) continue;
        if (now.bodies[j->body_a].kind != DVC_DYNAMIC && now.bodies[j->body_b].kind != DVC_DYNAMIC) continue; /* it does nothing */
        if (!walk_finite_axis(&j->turn) || !walk_finite_axis(&j->slide) || !walk_finite_vec(j->impulse) || !walk_finite_vec(j->angular_impulse))
            return "a joint is not finite";
    }
    for (i = 0; i < w->spring_count; i++) {
        const dvc_spring *s = &now.springs[i];
        bool acts = !s->disabled && (s->stiffness > 0 || s->damping > 0);
        if (acts && (now.bodies[s->body_a].kind == DVC_DYNAMIC || now.bodies[s->body_b].kind == DVC_DYNAMIC) && !now.bodies[s->body_a].disabled
            && !now.bodies[s->body_b].disabled && !walk_finite(s->force))
            return "a spring's force is not finite";
    }
    if (!walk_finite(w->report.residual) || !walk_finite(w->report.worst_gap) || !walk_finite(w->report.energy_excess)) return "the report is not finite";
    return isfinite(w->time) ? NULL : "the time is not finite";
}

/* Has anything changed but report and culprit? */
static bool walk_changed(const walk_scene *before)
{
    static walk_scene a, b;
    memcpy(&a, &now, sizeof a);
    memcpy(&b, before, sizeof b);
    memset(&a.world.report, 0, sizeof a.world.report);
    memset(&b.world.report, 0, sizeof b.world.report);
    a.world.culprit = b.world.culprit = 0;
    return memcmp(&a, &b, sizeof a) != 0;
}

/* Do bodies go on as they would have without the value? */
static bool walk_same_bits(void)
{
    const walk_scene *expected = &after[current.world];
    int i;
    for (i = 0; i < WALK_BODIES; i++) {
        const dvc_body *a = &now.bodies[i], *b = &expected->bodies[i];
        if (memcmp(&a->position, &b->position, sizeof a->position) != 0 || memcmp(&a->orientation, &b->orientation, sizeof a->orientation) != 0
            || memcmp(&a->velocity, &b->velocity, sizeof a->velocity) != 0
            || memcmp(&a->angular_velocity, &b->angular_velocity, sizeof a->angular_velocity) != 0)
            return false;
    }
    return true;
}

static bool walk_field_is(const char *of, const char *name)
{
    return strcmp(current.of, of) == 0 && strncmp(current.field->name, name, strlen(name)) == 0;
}

/* Errors that tell of the step's end, or of what it lacks. They are right where it lacks that, or where the value could be meant. */
static bool walk_misleads(dvc_status status)
{
    if (walk_field_is("world", "scratch") || walk_field_is("world", "strict") || walk_field_is("world", "contact_capacity")) return false;
    if (!current.senseless && !current.edge) return false;
    return status == DVC_ERROR_SCRATCH || status == DVC_ERROR_CONTACTS || status == DVC_ERROR_NOT_FINITE || status == DVC_ERROR_MOTION
        || (status == DVC_ERROR_TOO_FAST && current.senseless);
}

/* Either side of a range may be none; only gears read which joints they couple. */
static bool walk_is_range(void)
{
    return walk_field_is("joint", "slide_") || walk_field_is("joint", "turn_") || walk_field_is("joint", "joint_");
}

/* What is no input, or means "none" where it is infinite, or only a guess where to begin. */
static bool walk_may_hold_anything(void)
{
    return strcmp(current.of, "contact") == 0 || walk_field_is("world", "culprit") || walk_field_is("joint", "turn.effort")
        || walk_field_is("joint", "slide.effort") || walk_field_is("joint", "turn.lower") || walk_field_is("joint", "turn.upper")
        || walk_field_is("joint", "slide.lower") || walk_field_is("joint", "slide.upper") || walk_is_range();
}

static dvc_status walk_check_and_step(const walk_scene *before)
{
    dvc_status check, status;
    const char *wrong;
    int i;
    walk_stage("dvc_world_check");
    check = dvc_world_check(&now.world);
    if (walk_changed(before)) walk_slip("the check changes something");
    walk_stage("dvc_step");
    memcpy(&now, before, sizeof now);
    status = dvc_step(&now.world, (dvc_real)walk_h);
    if (check != DVC_OK && status != check) walk_slip("check and step do not agree");
    if (status != DVC_OK && walk_changed(before)) walk_slip("an error changed something");
    if (status != DVC_OK && walk_misleads(status)) walk_slip(dvc_status_text(status));
    if (status == DVC_OK && current.senseless && !walk_may_hold_anything() && !walk_same_bits()) walk_slip("taken, and it makes a difference");
    for (i = 0; i < 2 && status == DVC_OK; i++) {
        static walk_scene last;
        if ((wrong = walk_not_finite()) != NULL) walk_slip(wrong);
        if (dvc_world_check(&now.world) != DVC_OK) walk_slip("the next step does not take what this one put out");
        walk_stage("dvc_step, once more");
        memcpy(&last, &now, sizeof last);
        status = dvc_step(&now.world, (dvc_real)walk_h);
        if (status != DVC_OK && walk_changed(&last)) walk_slip("an error changed something");
    }
    memcpy(&now, before, sizeof now);
    return check;
}

static void walk_problem(const walk_scene *before, dvc_status check)
{
    dvc_problem p;
    dvc_status status;
    size_t i, n;
    walk_stage("dvc_problem_build");
    status = dvc_problem_build(&now.world, (dvc_real)walk_h, &p);
    if (check != DVC_OK && status != check) walk_slip("check and problem do not agree");
    if (walk_changed(before)) walk_slip("building the problem changes something");
    n = (size_t)p.n;
    for (i = 0; status == DVC_OK && i < n * n; i++)
        if (!walk_finite(p.A[i])) { walk_slip("A is not finite"); break; }
    for (i = 0; status == DVC_OK && i < n; i++)
        if (!walk_finite(p.b[i])) { walk_slip("b is not finite"); break; }
    if (status == DVC_OK && n <= 300) {
        dvc_real *z = (dvc_real *)calloc(n + 1, sizeof *z);
        size_t size = dvc_lcp_scratch_size(DVC_PROX, p.n);
        void *scratch = malloc(size);
        dvc_lcp_options options;
        dvc_lcp lcp;
        const char *wrong;
        if (!z || !scratch) abort();
        lcp.n = p.n; lcp.A = p.A; lcp.b = p.b; lcp.lower = p.lower; lcp.upper = p.upper;
        memset(&options, 0, sizeof options);
        options.max_iterations = 20;
        dvc_lcp_solve(DVC_PROX, &lcp, &options, z, scratch, size);
        walk_stage("dvc_problem_apply");
        status = dvc_problem_apply(&now.world, (dvc_real)walk_h, z, p.n);
        if (status == DVC_OK && (wrong = walk_not_finite()) != NULL) walk_slip(wrong);
        free(z);
        free(scratch);
    }
    memcpy(&now, before, sizeof now);
}

static void walk_questions(const walk_scene *before)
{
    static const int pairs[][2] = { { 0, 4 }, { 4, 5 }, { 1, 6 }, { 7, 2 }, { 6, 11 } };
    dvc_vec3 from = walk_vec(-8, 0.02, 0.5), way = walk_vec(16, 0, 0), at = walk_vec(0, 0, 0.6);
    dvc_quat turn = { 1, 0, 0, 0 };
    dvc_gap gap;
    dvc_hit hit;
    int i, list[WALK_SHAPES], count;
    if (now.world.planar) from = walk_vec(-8, 0.5, 0), at = walk_vec(0, 0.6, 0);
    if (now.world.shape_count != WALK_SHAPES || now.world.body_count != WALK_BODIES) return;
    for (i = 0; i < 5; i++) {
        walk_stage("dvc_distance");
        if (dvc_distance(&now.world, pairs[i][0], pairs[i][1], &gap) != DVC_OK) continue;
        if (!walk_finite(gap.distance) || !walk_finite_vec(gap.point_a) || !walk_finite_vec(gap.point_b) || !walk_finite_vec(gap.normal)) walk_slip("a gap is not finite");
    }
    walk_stage("dvc_raycast");
    if (dvc_raycast(&now.world, from, way, 0, &hit) == DVC_OK && hit.shape >= 0 && (!walk_finite(hit.t) || !walk_finite_vec(hit.point) || !walk_finite_vec(hit.normal))) walk_slip("a hit is not finite");
    for (i = 4; i < 7; i++) {
        dvc_shape probe = now.shapes[i];
        walk_stage("dvc_overlap");
        dvc_overlap(&now.world, &probe, at, turn, (dvc_real)0.1, list, WALK_SHAPES, &count);
        walk_stage("dvc_shapecast");
        if (dvc_shapecast(&now.world, &probe, from, turn, way, &hit) == DVC_OK && hit.shape >= 0 && (!walk_finite(hit.t) || !walk_finite_vec(hit.point) || !walk_finite_vec(hit.normal))) walk_slip("a hit is not finite");
    }
    memcpy(&now, before, sizeof now);
}

/* What controllers ask; it writes to the world, which gets back what it had. */
static void walk_trees(dvc_status check)
{
    static walk_scene kept;
    dvc_real mass[64], bias[8];
    dvc_vec3 linear[8], angular[8];
    dvc_status status;
    int i, n = 0;
    memcpy(&kept, &now, sizeof now);
    walk_stage("dvc_joints_dynamics, dvc_joints_jacobian");
    status = dvc_joints_dynamics(&now.world, 8, mass, bias, &n);
    for (i = 0; status == DVC_OK && i < n * n; i++)
        if (!walk_finite(mass[i]) || !walk_finite(bias[i % n])) walk_slip("inertia is not finite");
    (void)dvc_joints_jacobian(&now.world, 7, walk_vec(1, 2, 0), 8, linear, angular, &n);
    walk_stage("dvc_joints_pose");
    status = dvc_joints_pose(&now.world);
    if (status == DVC_OK && check != DVC_OK) walk_slip("posed, though the check refuses");
    for (i = 0; status == DVC_OK && i < now.world.body_count; i++)
        if (!walk_finite_vec(now.bodies[i].position) || !walk_finite_quat(now.bodies[i].orientation)) walk_slip("a posed body is nowhere");
    walk_stage("dvc_pair_impulse");
    (void)dvc_pair_impulse(&now.world, 0, 1);
    memcpy(&now, &kept, sizeof now);
}

static void walk_sums(dvc_status check)
{
    dvc_vec3 p, l;
    dvc_real energy, error = 0;
    int i;
    walk_stage("dvc_energy, dvc_momentum");
    energy = dvc_energy(&now.world);
    dvc_momentum(&now.world, &p, &l);
    walk_stage("dvc_joint_error");
    for (i = -1; i <= WALK_JOINTS; i++) error += dvc_joint_error(&now.world, i);
    walk_trees(check);
    walk_stage("dvc_world_hash");
    (void)dvc_world_hash(&now.world);
    walk_stage("dvc_scratch_size");
    (void)dvc_scratch_size(&now.world);
    if (check == DVC_OK && !(walk_finite(energy) && walk_finite_vec(p) && walk_finite_vec(l) && walk_finite(error))) walk_slip("a sum is not finite");
}

static void walk_record(const walk_scene *before, dvc_status check)
{
    dvc_recorder recorder;
    dvc_recording r;
    dvc_status status;
    memset(&recorder, 0, sizeof recorder);
    walk_stage("dvc_record_room");
    recorder.buffer = walk_tape;
    recorder.size = sizeof walk_tape;
    if (dvc_record_room(&recorder, &now.world) == 0 && check == DVC_OK) walk_slip("no room for a sound world");
    walk_stage("dvc_record_begin");
    status = dvc_record_begin(&recorder, &now.world, (dvc_real)walk_h);
    if (status == DVC_OK) status = dvc_record_end(&recorder);
    if (status != DVC_OK) return;
    walk_stage("dvc_recording_open");
    status = dvc_recording_open(walk_tape, recorder.used, &r);
    if (status == DVC_OK && r.storage_needed <= sizeof walk_storage) {
        dvc_world w = now.world;
        walk_stage("dvc_recording_world");
        if (w.contact_capacity > 0) status = dvc_recording_world(&r, 0, walk_storage, sizeof walk_storage, &w);
    }
    if (status != DVC_OK && check == DVC_OK) walk_slip("what was recorded is not read");
    memcpy(&now, before, sizeof now);
}

static void walk_lay_out(const walk_scene *before, dvc_status check)
{
    dvc_terrain terrain;
    size_t size;
    const char *wrong;
    if (current.index > 1) return; /* not of the terrain */
    walk_stage("dvc_terrain_build");
    size = dvc_terrain_size(&now.world, 2, 2);
    if (size == 0 || size > sizeof walk_storage || dvc_terrain_build(&now.world, 2, 2, walk_storage, size, &terrain) != DVC_OK) {
        memcpy(&now, before, sizeof now);
        return;
    }
    now.world.terrain = &terrain;
    walk_stage("dvc_step on a terrain");
    if (dvc_step(&now.world, (dvc_real)walk_h) == DVC_OK) {
        if (check != DVC_OK) walk_slip("a terrain takes what the check refuses");
        if ((wrong = walk_not_finite()) != NULL) walk_slip(wrong);
    }
    memcpy(&now, before, sizeof now);
}

static void walk_weigh(const walk_scene *before)
{
    dvc_joint joint;
    int i;
    if (now.world.bodies != now.bodies || now.world.shapes != now.shapes) return;
    for (i = 1; i < 8; i++) {
        dvc_body *b = &now.bodies[i];
        dvc_status status;
        walk_stage("dvc_body_mass_from_shapes");
        status = now.world.planar ? dvc_body_mass_from_shapes_planar(b, &now.shapes[i], 1, 2) : dvc_body_mass_from_shapes(b, &now.shapes[i], 1, 2);
        if (status != DVC_OK && walk_changed(before)) walk_slip("an error changed something");
        if (status == DVC_OK && (!walk_finite(b->mass) || !walk_finite_vec(b->inertia) || !walk_finite_vec(b->position) || !walk_finite_quat(b->orientation) || !(b->inertia.z > 0)))
            walk_slip("a mass is not such as a body may have");
        memcpy(&now, before, sizeof now);
    }
    walk_stage("dvc_joint_attach");
    for (i = 0; i + 1 < now.world.body_count && i < 7; i++)
        if (dvc_joint_attach(&now.world, DVC_REVOLUTE, i, i + 1, walk_vec(1, 0, 0), walk_vec(0, 0, 1), &joint) == DVC_OK
            && (!walk_finite_vec(joint.anchor_a) || !walk_finite_vec(joint.anchor_b) || !walk_finite_quat(joint.frame_a) || !walk_finite_quat(joint.frame_b)))
            walk_slip("a joint is laid nowhere");
}

static double walk_clock(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
}

static void walk_look(void)
{
    static walk_scene before;
    dvc_status check;
    memcpy(&before, &now, sizeof now);
    check = walk_check_and_step(&before);
    walk_problem(&before, check);
    walk_questions(&before);
    walk_sums(check);
    walk_record(&before, check);
    walk_lay_out(&before, check);
    walk_weigh(&before);
}

/* ---- what is no world: problems, meshes, recorders, the size of a step ---- */

typedef struct walk_things {
    dvc_lcp lcp;
    dvc_lcp_options options;
    dvc_real A[9], b[3], lower[3], upper[3];
    dvc_mesh mesh;
    dvc_vec3 vertices[4];
    int triangles[4][3];
    dvc_recorder recorder;
    double scalars[2];
    dvc_vec3 cloud[6];
    dvc_real h, density;
} walk_things;

static walk_things things, things_start;

static const walk_field of_lcp[] = {
    WALK_AT(dvc_lcp, n, WALK_COUNT), WALK_AT(dvc_lcp, A, WALK_POINTER), WALK_AT(dvc_lcp, b, WALK_POINTER),
    WALK_AT(dvc_lcp, lower, WALK_POINTER), WALK_AT(dvc_lcp, upper, WALK_POINTER), WALK_END
};
static const walk_field of_options[] = {
    WALK_R(dvc_lcp_options, tolerance), WALK_AT(dvc_lcp_options, max_iterations, WALK_COUNT), WALK_R(dvc_lcp_options, relaxation),
    WALK_R(dvc_lcp_options, scale), WALK_END
};
static const walk_field of_numbers[] = {
    WALK_R(walk_things, A[0]), WALK_R(walk_things, A[5]), WALK_R(walk_things, b[1]), WALK_R(walk_things, lower[0]),
    WALK_R(walk_things, upper[2]), WALK_END
};
static const walk_field of_mesh[] = {
    WALK_AT(dvc_mesh, vertices, WALK_POINTER), WALK_AT(dvc_mesh, vertex_capacity, WALK_COUNT), WALK_AT(dvc_mesh, vertex_count, WALK_COUNT),
    WALK_AT(dvc_mesh, triangles, WALK_POINTER), WALK_AT(dvc_mesh, triangle_capacity, WALK_COUNT),
    WALK_AT(dvc_mesh, triangle_count, WALK_COUNT), WALK_AT(dvc_mesh, line, WALK_INDEX), WALK_END
};
static const walk_field of_vertex[] = { WALK_V3(walk_things, vertices[1]), WALK_AT(walk_things, triangles[2][1], WALK_INDEX), WALK_END };
static const walk_field of_cloud[] = { WALK_V3(walk_things, cloud[2]), WALK_R(walk_things, density), WALK_END };
static const walk_field of_recorder[] = {
    WALK_AT(dvc_recorder, buffer, WALK_POINTER), WALK_AT(dvc_recorder, size, WALK_SIZE), WALK_AT(dvc_recorder, write, WALK_LEFT_OUT),
    WALK_AT(dvc_recorder, user, WALK_POINTER), WALK_AT(dvc_recorder, thin, WALK_BOOL), WALK_AT(dvc_recorder, title, WALK_POINTER),
    WALK_AT(dvc_recorder, body_names, WALK_POINTER), WALK_AT(dvc_recorder, body_name_count, WALK_COUNT),
    WALK_AT(dvc_recorder, scalar_names, WALK_POINTER), WALK_AT(dvc_recorder, scalars, WALK_POINTER),
    WALK_AT(dvc_recorder, scalar_count, WALK_COUNT), WALK_AT(dvc_recorder, used, WALK_SIZE), WALK_AT(dvc_recorder, needed, WALK_SIZE),
    WALK_AT(dvc_recorder, status, WALK_ENUM), WALK_AT(dvc_recorder, frames, WALK_INDEX), WALK_AT(dvc_recorder, failed, WALK_INDEX),
    WALK_AT(dvc_recorder, inexact, WALK_INDEX), WALK_AT(dvc_recorder, geometry_key, WALK_LONG), WALK_AT(dvc_recorder, scene_key, WALK_LONG),
    WALK_END
};
static const walk_field of_step[] = { WALK_R(walk_things, h), WALK_END };

static void walk_make_things(void)
{
    static const double A[9] = { 2, 1, 0, 1, 3, 1, 0, 1, 2 }, b[3] = { -1, 1, -2 };
    static const int triangles[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };
    static const char *const names[2] = { "one", "two" };
    walk_things *t = &things_start;
    int i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < 9; i++) t->A[i] = (dvc_real)A[i];
    for (i = 0; i < 3; i++) t->b[i] = (dvc_real)b[i];
    for (i = 0; i < 3; i++) t->upper[i] = DVC_INFINITY;
    t->lcp.n = 3;
    t->lcp.A = things.A;
    t->lcp.b = things.b;
    t->lcp.lower = things.lower;
    t->lcp.upper = things.upper;
    t->vertices[1].x = t->vertices[2].y = t->vertices[3].z = 1;
    memcpy(t->triangles, triangles, sizeof triangles);
    t->mesh.vertices = things.vertices;
    t->mesh.triangles = things.triangles;
    t->mesh.vertex_count = t->mesh.vertex_capacity = t->mesh.triangle_count = t->mesh.triangle_capacity = 4;
    t->recorder.buffer = walk_tape;
    t->recorder.size = sizeof walk_tape;
    t->recorder.title = "walk";
    t->recorder.body_names = t->recorder.scalar_names = names;
    t->recorder.body_name_count = t->recorder.scalar_count = 2;
    t->recorder.scalars = things.scalars;
    for (i = 0; i < 6; i++) t->cloud[i] = walk_vec(i == 0 ? -1 : i == 1, i == 2 ? -1 : i == 3, i == 4 ? -1 : i == 5);
    t->h = (dvc_real)walk_h;
    t->density = 1;
}

/* What all methods make of the problem. The residual told is that of the z given back. */
static void walk_look_at_problem(void)
{
    static unsigned char scratch[1 << 16];
    int m, i;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        dvc_real z[3] = { 0, 0, 0 };
        dvc_lcp_report report;
        walk_stage(dvc_solver_name((dvc_solver)m));
        if (things.options.max_iterations > 100000) things.options.max_iterations = 100000; /* it would do them */
        report = dvc_lcp_solve((dvc_solver)m, &things.lcp, &things.options, z, scratch, sizeof scratch);
        if (dvc_lcp_scratch_size((dvc_solver)m, things.lcp.n) > sizeof scratch && report.status == DVC_OK) walk_slip("solved in too little scratch");
        if (report.status != DVC_OK) continue;
        for (i = 0; i < 3; i++)
            if (!walk_finite(z[i])) walk_slip("a solution is not finite");
        if (report.residual != dvc_lcp_residual(&things.lcp, &things.options, z, scratch, sizeof scratch)) walk_slip("the residual told is another");
        if (!current.finite && strncmp(current.field->name, "lower", 5) != 0 && strncmp(current.field->name, "upper", 5) != 0) walk_slip("solved, though the value makes no sense");
    }
}

static void walk_look_at_mesh(void)
{
    static unsigned char scratch[1 << 16];
    dvc_mesh_report report;
    dvc_mass mass;
    walk_stage("dvc_mesh_check");
    (void)dvc_mesh_scratch_size(&things.mesh);
    (void)dvc_mesh_check(&things.mesh, scratch, sizeof scratch, &report);
    walk_stage("dvc_mesh_is_convex");
    (void)dvc_mesh_is_convex(&things.mesh);
    walk_stage("dvc_mesh_mass");
    if (dvc_mesh_mass(&things.mesh, &mass) == DVC_OK && (!walk_finite(mass.volume) || !walk_finite_vec(mass.centre) || !walk_finite_vec(mass.moments) || !walk_finite_quat(mass.axes)))
        walk_slip("a mass is not finite");
    walk_stage("dvc_mesh_read_obj");
    (void)dvc_mesh_read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 32, &things.mesh);
}

static void walk_look_at_cloud(void)
{
    static unsigned char storage[1 << 14];
    dvc_polytope h;
    dvc_shape shape;
    dvc_body body;
    int i, k;
    memset(&shape, 0, sizeof shape);
    memset(&body, 0, sizeof body);
    walk_stage("dvc_polytope_build");
    if (dvc_polytope_build(things.cloud, 6, storage, sizeof storage, &h) != DVC_OK) return;
    for (i = 0; i < h.face_count; i++)
        for (k = 0; k < 6; k++) {
            dvc_vec3 n = h.faces[i].normal, p = things.cloud[k], size = walk_vec((double)(h.high.x - h.low.x), (double)(h.high.y - h.low.y), (double)(h.high.z - h.low.z));
            if (!(n.x * p.x + n.y * p.y + n.z * p.z - h.faces[i].offset <= (sizeof(dvc_real) == 8 ? 1e-8 : 1e-4) * (size.x + size.y + size.z))) walk_slip("a point is outside of its hull");
        }
    shape.kind = DVC_POLYTOPE;
    shape.polytope = &h;
    walk_stage("dvc_body_mass_from_shapes");
    if (dvc_body_mass_from_shapes(&body, &shape, 1, things.density) == DVC_OK && (!walk_finite(body.mass) || !(body.inertia.x > 0) || !(body.inertia.y > 0) || !walk_finite(body.inertia.z)))
        walk_slip("a mass is not such as a body may have");
}

static void walk_look_at_recorder(void)
{
    dvc_recording r;
    memcpy(&now, &starts[0], sizeof now);
    walk_stage("dvc_record_room");
    (void)dvc_record_room(&things.recorder, &now.world);
    walk_stage("dvc_record_begin");
    if (dvc_record_begin(&things.recorder, &now.world, (dvc_real)walk_h) != DVC_OK || dvc_record_end(&things.recorder) != DVC_OK) return;
    walk_stage("dvc_recording_open");
    if (dvc_recording_open(walk_tape, things.recorder.used, &r) != DVC_OK) walk_slip("what was recorded is not read");
}

static void walk_look_at_step(void)
{
    static walk_scene before;
    const char *wrong;
    dvc_status status;
    int k;
    for (k = 0; k < WALK_WORLDS; k++) {
        memcpy(&now, &starts[k], sizeof now);
        memcpy(&before, &now, sizeof now);
        walk_stage("dvc_step");
        status = dvc_step(&now.world, things.h);
        if (status != DVC_OK && walk_changed(&before)) walk_slip("an error changed something");
        if (status == DVC_OK && (wrong = walk_not_finite()) != NULL) walk_slip(wrong);
        if (status == DVC_OK && dvc_world_check(&now.world) != DVC_OK) walk_slip("the next step does not take what this one put out");
        if ((current.senseless || current.edge) && status != DVC_ERROR_STEP_SIZE) walk_slip(dvc_status_text(status));
    }
}

/* ---- the walk ---- */

/* What is walked over: a snapshot, where it is put, and who looks at it. */
static struct { unsigned char *now; const unsigned char *start; size_t size; void (*look)(void); } ground;

static long walk_next, walk_from;
static uint64_t walk_seed;

static double walk_random(void)
{
    walk_seed = walk_seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(walk_seed >> 11) / 9007199254740992.0;
}

/* One case: the value is in `now` already. */
static void walk_case(const char *of, int index, const walk_field *f, const char *value)
{
    struct itimerval limit;
    double start = walk_clock();
    shared->at = walk_next - 1;
    snprintf(shared->name, sizeof shared->name, "%s: %s[%d].%s = %s", walk_names[current.world], of, index, f->name, value);
    memset(&limit, 0, sizeof limit);
    limit.it_value.tv_sec = WALK_SECONDS;
    setitimer(ITIMER_PROF, &limit, NULL);
    ground.look();
    shared->cases++;
    if (walk_clock() - start <= 2) return;
    shared->slow++;
    printf("slow: %s: %.1f s\n", shared->name, walk_clock() - start);
    fflush(stdout);
}

/* Puts a value of the field's kind in; the text says which. False: there are no more. */
static bool walk_put_value(unsigned char *at, const walk_field *f, int k, char text[40])
{
    static const double reals[] = { NAN, INFINITY, -INFINITY, DBL_MAX, 1e300, -1e300, 1e155, 1e20, -1e20, 1e-20, 1e-300, 4.9e-324,
                                    -1, 0, 1e15, -1e15, 1e-15, 1e60, 1e-60 };
    static const int indices[] = { -1, INT_MIN, INT_MAX, 1 << 20, 100000, 0, 1, 2, 3 };
    static const int counts[] = { -1, INT_MIN, INT_MAX, DVC_WORLD_MAX_COUNT + 1, 0, 1 };
    static const int enums[] = { -1, INT_MIN, INT_MAX, 99, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const uint32_t words[] = { 0, 1, 0xffffffffu, 0x80000000u, 0xC0000000u, 0x3fffffffu };
    static const size_t sizes[] = { 0, 1, 15, 16, 4096, 100000 };
    int most = 2;
    current.senseless = current.edge = false;
    current.finite = true;
    switch (f->type) {
    case WALK_REAL:
    case WALK_DOUBLE: {
        double x;
        most = (int)(sizeof reals / sizeof *reals) + (walk_seed ? 4 : 0);
        if (k >= most) return false;
        x = k < (int)(sizeof reals / sizeof *reals) ? reals[k] : (walk_random() < 0.5 ? -1 : 1) * pow(10, 40 * walk_random() - 20);
        if (f->type == WALK_REAL) { dvc_real y = (dvc_real)x; memcpy(at, &y, sizeof y); }
        else memcpy(at, &x, sizeof x);
        current.senseless = k < 7;
        current.edge = k >= 7 && k < 9;
        current.finite = k >= 3;
        snprintf(text, 40, "%g", x);
        return true;
    }
    case WALK_INDEX:
        if (k >= 9) return false;
        memcpy(at, &indices[k], sizeof(int));
        current.senseless = k < 3 && strcmp(f->name, "direct_bodies") != 0 && strcmp(f->name, "iterations") != 0 && strcmp(f->name, "threads") != 0;
        snprintf(text, 40, "%d", indices[k]);
        return true;
    case WALK_COUNT:
        if (k >= 6) return false;
        memcpy(at, &counts[k], sizeof(int));
        current.senseless = k < 4;
        snprintf(text, 40, "%d", counts[k]);
        return true;
    case WALK_ENUM:
        if (k >= 14) return false;
        memcpy(at, &enums[k], sizeof(int));
        current.senseless = k < 4;
        snprintf(text, 40, "%d", enums[k]);
        return true;
    case WALK_BOOL: {
        bool b = k != 0;
        memcpy(at, &b, sizeof b);
        snprintf(text, 40, "%d", k);
        return k < 2;
    }
    case WALK_WORD:
        if (k >= 6) return false;
        memcpy(at, &words[k], sizeof words[k]);
        snprintf(text, 40, "%lx", (unsigned long)words[k]);
        return true;
    case WALK_LONG: {
        uint64_t x = k == 0 ? 0 : k == 1 ? 1 : ~(uint64_t)0;
        memcpy(at, &x, sizeof x);
        snprintf(text, 40, "long %d", k);
        return k < 3;
    }
    case WALK_POINTER:
        memset(at, 0, f->size);
        snprintf(text, 40, "NULL");
        return k < 1;
    case WALK_SIZE:
        if (k >= 6) return false;
        memcpy(at, &sizes[k], sizeof sizes[k]);
        snprintf(text, 40, "%lu", (unsigned long)sizes[k]);
        return true;
    default: return false;
    }
}

static void walk_fields(const char *of, int index, const walk_field *fields, size_t at)
{
    const walk_field *f;
    char text[40];
    int k;
    for (f = fields; f->name; f++)
        for (k = 0;; k++) {
            current.field = f;
            current.of = of;
            current.index = index;
            if (walk_next++ < walk_from) { /* a child before has been there: count on, drawing the same numbers */
                unsigned char nowhere[64];
                if (!walk_put_value(nowhere, f, k, text)) { walk_next--; break; }
                continue;
            }
            memcpy(ground.now, ground.start, ground.size);
            if (!walk_put_value(ground.now + at + f->at, f, k, text)) { walk_next--; break; }
            walk_case(of, index, f, text);
        }
}

/* Which of the bodies and so on, as bits, in each world. In space all kinds; elsewhere what is different there. */
static const struct { unsigned bodies, shapes, joints, springs, rules; int contacts; } walk_chosen[WALK_WORLDS] = {
    { 0x2f7, 0x873, 0xff, 3, 3, 5 }, { 0x0f9, 0x071, 0x93, 3, 1, 3 }, { 0x030, 0, 0, 0, 0, 9 }, { 0x090, 0x010, 0x03, 1, 0, 99 }
};

static void walk_array(const char *of, unsigned chosen, const walk_field *fields, size_t at, size_t size)
{
    int i;
    for (i = 0; chosen >> i; i++)
        if (chosen >> i & 1u) walk_fields(of, i, fields, at + (size_t)i * size);
}

static void walk_world(int world)
{
    int i;
    current.world = world;
    ground.now = (unsigned char *)&now;
    ground.start = (const unsigned char *)&starts[world];
    ground.size = sizeof now;
    ground.look = walk_look;
    walk_array("body", walk_chosen[world].bodies, of_body, offsetof(walk_scene, bodies), sizeof(dvc_body));
    walk_array("shape", walk_chosen[world].shapes, of_shape, offsetof(walk_scene, shapes), sizeof(dvc_shape));
    walk_array("joint", walk_chosen[world].joints, of_joint, offsetof(walk_scene, joints), sizeof(dvc_joint));
    walk_array("spring", walk_chosen[world].springs, of_spring, offsetof(walk_scene, springs), sizeof(dvc_spring));
    walk_array("rule", walk_chosen[world].rules, of_rule, offsetof(walk_scene, rules), sizeof(dvc_pair_rule));
    for (i = 0; i < starts[world].world.contact_count; i += walk_chosen[world].contacts)
        walk_fields("contact", i, of_contact, offsetof(walk_scene, contacts) + (size_t)i * sizeof(dvc_contact));
    walk_array("support", world == 1, of_support, offsetof(walk_scene, support), sizeof(dvc_support));
    walk_array("corner", world == 1 ? 3 : 0, of_corner, offsetof(walk_scene, corners), sizeof(dvc_vec2));
    walk_fields("world", 0, of_world, offsetof(walk_scene, world));
}

static void walk_over_things(void)
{
    current.world = WALK_WORLDS;
    ground.now = (unsigned char *)&things;
    ground.start = (const unsigned char *)&things_start;
    ground.size = sizeof things;
    ground.look = walk_look_at_problem;
    walk_fields("lcp", 0, of_lcp, offsetof(walk_things, lcp));
    walk_fields("options", 0, of_options, offsetof(walk_things, options));
    walk_fields("numbers", 0, of_numbers, 0);
    ground.look = walk_look_at_mesh;
    walk_fields("mesh", 0, of_mesh, offsetof(walk_things, mesh));
    walk_fields("vertex", 0, of_vertex, 0);
    ground.look = walk_look_at_cloud;
    walk_fields("cloud", 0, of_cloud, 0);
    ground.look = walk_look_at_recorder;
    walk_fields("recorder", 0, of_recorder, offsetof(walk_things, recorder));
    ground.look = walk_look_at_step;
    walk_fields("step", 0, of_step, 0);
}

static void walk_all(long from, uint64_t seed)
{
    int world;
    walk_next = 0;
    walk_from = from;
    walk_seed = seed;
    for (world = 0; world < WALK_WORLDS; world++) walk_world(world);
    walk_over_things();
    shared->at = -1;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    long from = 0;
    int missing = 0;
    shared = (walk_shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    missing += walk_uncovered("dvc_body", of_body, sizeof(dvc_body)) + walk_uncovered("dvc_shape", of_shape, sizeof(dvc_shape));
    missing += walk_uncovered("dvc_joint", of_joint, sizeof(dvc_joint)) + walk_uncovered("dvc_spring", of_spring, sizeof(dvc_spring));
    missing += walk_uncovered("dvc_pair_rule", of_rule, sizeof(dvc_pair_rule)) + walk_uncovered("dvc_contact", of_contact, sizeof(dvc_contact));
    missing += walk_uncovered("dvc_support", of_support, sizeof(dvc_support)) + walk_uncovered("dvc_world", of_world, sizeof(dvc_world));
    missing += walk_uncovered("dvc_lcp", of_lcp, sizeof(dvc_lcp)) + walk_uncovered("dvc_lcp_options", of_options, sizeof(dvc_lcp_options));
    missing += walk_uncovered("dvc_mesh", of_mesh, sizeof(dvc_mesh)) + walk_uncovered("dvc_recorder", of_recorder, sizeof(dvc_recorder));
    walk_prepare();
    walk_make_things();
    do {
        int state = 0;
        pid_t child;
        fflush(stdout);
        shared->at = from;
        child = fork();
        if (child < 0) return 2;
        if (child == 0) {
            walk_all(from, seed);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &state, 0);
        if (shared->at >= 0) { /* it did not come to the end */
            bool late = WIFSIGNALED(state) && WTERMSIG(state) == SIGPROF;
            printf("slip: %s: %s in %s\n", shared->name, late ? "does not come back" : "a crash", shared->stage);
            shared->slips++;
            shared->cases++;
            from = shared->at + 1;
        }
    } while (shared->at >= 0);
    printf("walk: %ld cases, %ld slips, %ld slow\n", shared->cases, shared->slips + missing, shared->slow);
    return shared->slips + missing > 0;
}
