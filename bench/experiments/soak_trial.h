/* What the families of the soak are made of: a scene under observation, random numbers, floors, parts, links of machines.
 * Lengths in the makers are in units of `length`, times in those of its free fall. Include after experiment.h. */
#ifndef SOAK_TRIAL_H
#define SOAK_TRIAL_H

#include "dvc_impl_tests/motion.h"
#include "dvc_impl_tests/machine.h"

enum {
    SHAPES = 72, POINTS = 10, SCRATCH = 1 << 28, CONTACTS = 1 << 14, MOST_STEPS = 1200,
    JOINTS = 16, SPRINGS = 16, LINKS = 4
};

#define GRAVITY 9.81
#define PI 3.14159265358979323846

/* Turns and shakes, by a function of time. */
typedef struct swing { double rate, reach; dvc_vec3 middle; bool planar; } swing;

/* The same world once more, that does without what makes no difference: a terrain, a look at what sleeps. */
typedef struct twin { dvc_world world; dvc_body bodies[SHAPES]; dvc_contact *contacts; } twin;

/* Links that hang from each other in one plane: what their exact motion depends on. Angles are about `axis`, from gravity. */
typedef struct chain {
    int count, first;          /* body of the first link */
    dvc_vec3 axis, down;       /* `down`: from one joint to the next, in a link's frame */
    double length[LINKS], moment[LINKS], mass[LINKS];
} chain;

typedef struct trial trial;

/* A scene under observation. */
struct trial {
    scene *s;
    double length, h, friction;
    int steps;
    bool moving;                      /* its surroundings move: they may give energy */
    bool driven;                      /* so may motors and springs */
    bool afloat;                      /* nothing outside acts on it, not even weight */
    void (*act)(trial *t, int step);  /* what is done to it between steps */
    double (*follow)(trial *t, bool after); /* how far from its exact motion a step ends: asked before and after it */
    swing way;                        /* of its surroundings */
    dvc_vec3 low, high;               /* where centres may be */
    dvc_vec2 outline[SHAPES][POINTS];
    oracle_solid local[SHAPES], placed[SHAPES];
    double size[SHAPES], depth[SHAPES][SHAPES];
    dvc_joint joints[JOINTS];
    dvc_spring springs[SPRINGS];
    dvc_terrain terrain;
    void *terrain_storage;
    twin *twin;
    chain chain;
    double exact[2 * LINKS];          /* where the exact motion ends */
    double scale;                     /* of the error of a step of first or second order */
    int spawned;                      /* next body to appear */
    double joint_error[JOINTS];
};

typedef enum group { POURS, ROUGH, MACHINES, EXACT, GROUPS } group; /* families that have their bars in common */

typedef struct family {
    const char *name;
    bool planar;
    void (*make)(trial *t, int count);
    int most; /* moving bodies */
    group group;
} family;

static double pick(const double *values, int count) { return values[(int)test_random(0, count)]; }

/* A position, along and up (and aside, in space). */
static dvc_vec3 at(const trial *t, double along, double aside, double up)
{
    double u = t->length;
    return t->s->world.planar ? v3(u * along, u * up, 0) : v3(u * along, u * aside, u * up);
}

/* Draws its numbers one after the other: the order of evaluation of arguments is the compiler's. */
static dvc_vec3 any_vector(bool planar, double low, double high)
{
    double x = test_random(low, high), y = test_random(low, high), z = planar ? 0 : test_random(low, high);
    return v3(x, y, z);
}

static dvc_vec3 any_direction(bool planar)
{
    dvc_vec3 v;
    do v = any_vector(planar, -1, 1);
    while (oracle_dot(v, v) > 1 || oracle_dot(v, v) < 0.01);
    return oracle_unit(v);
}

static dvc_quat any_turn(bool planar)
{
    double angle = test_random(-PI, PI);
    return dvc_quat_turn(planar ? v3(0, 0, 1) : any_direction(false), (dvc_real)angle);
}

static void add_plane(trial *t, dvc_vec3 point, double along, double aside, double up)
{
    int i = scene_add(t->s, DVC_STATIC, DVC_PLANE, point, t->friction);
    t->s->shapes[i].normal = oracle_scaled(at(t, along, aside, up), 1 / t->length);
}

/* Floor and walls as half-spaces. */
static void add_room(trial *t, double half)
{
    add_plane(t, scene_zero, 0, 0, 1);
    add_plane(t, at(t, -half, 0, 0), 1, 0, 0);
    add_plane(t, at(t, half, 0, 0), -1, 0, 0);
    if (t->s->world.planar) return;
    add_plane(t, at(t, 0, -half, 0), 0, 1, 0);
    add_plane(t, at(t, 0, half, 0), 0, -1, 0);
}

static int add_slab(trial *t, dvc_body_kind kind, dvc_vec3 middle, dvc_vec3 half)
{
    return scene_box(t->s, kind, half, middle, 1, t->friction);
}

/* Floor and walls as thick boxes that reach into each other. */
static void add_tray(trial *t, double half)
{
    int side;
    add_slab(t, DVC_STATIC, at(t, 0, 0, -0.5), at(t, half + 1, half + 1, 0.5));
    for (side = -1; side <= 1; side += 2) {
        add_slab(t, DVC_STATIC, at(t, side * (half + 0.5), 0, 4), at(t, 0.5, half + 1, 5));
        if (!t->s->world.planar) add_slab(t, DVC_STATIC, at(t, 0, side * (half + 0.5), 4), at(t, half + 1, 0.5, 5));
    }
}

static double cross_of(dvc_vec2 a, dvc_vec2 b, dvc_vec2 c)
{
    return (double)((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/* The hull of a few points by walking round it (Jarvis); returns the number of its corners. */
static int outline_of(const dvc_vec2 *points, int count, dvc_vec2 *out)
{
    int first = 0, i, here, next, corners = 0;
    for (i = 1; i < count; i++)
        if (points[i].x < points[first].x) first = i;
    here = first;
    do {
        out[corners++] = points[here];
        for (next = here ? 0 : 1, i = 0; i < count; i++)
            if (i != here && cross_of(points[here], points[next], points[i]) < 0) next = i;
        here = next;
    } while (here != first && corners < count);
    return corners;
}

/* Of any mass between a tenth and ten times a unit's; particles keep theirs. */
static void give_mass(trial *t, int body)
{
    double mass = pow(10, test_random(-1, 1)) * pow(t->length, 3);
    if (t->s->shapes[body].kind == DVC_SPHERE && !(t->s->shapes[body].radius > 0)) t->s->bodies[body].mass = (dvc_real)mass;
    else scene_mass(t->s, body, mass);
}

static int add_polygon(trial *t, dvc_body_kind kind, dvc_vec3 position, int count, double extent)
{
    dvc_vec2 points[POINTS], *out = t->outline[t->s->world.body_count];
    int i, corners;
    for (i = 0; i < count; i++) {
        dvc_vec3 p = oracle_scaled(any_vector(true, -extent, extent), t->length);
        points[i].x = p.x;
        points[i].y = p.y;
    }
    corners = outline_of(points, count, out);
    return scene_polygon(t->s, kind, out, corners, position, 1, t->friction);
}

/* The hull of random points, in the plane or in space. */
static int add_hull(trial *t, dvc_body_kind kind, dvc_vec3 position, int count, double extent)
{
    dvc_vec3 points[POINTS];
    int i;
    if (t->s->world.planar) return add_polygon(t, kind, position, count, extent);
    for (i = 0; i < count; i++) points[i] = oracle_scaled(any_vector(false, -extent, extent), t->length);
    return scene_hull(t->s, kind, points, count, position, 1, t->friction);
}

static int add_block(trial *t, dvc_vec3 position, double along, double aside, double up)
{
    return scene_box(t->s, DVC_DYNAMIC, at(t, along, aside, up), position, 1, t->friction);
}

/* Two or three boxes through each other, each long in its own direction: a body with notches. */
static void add_arms(trial *t, int body)
{
    dvc_world *w = &t->s->world;
    dvc_shape arm = t->s->shapes[body];
    double moment = ((double)t->s->bodies[body].inertia.y + (double)t->s->bodies[body].inertia.z) / 2;
    int k;
    for (k = 1; k < (w->planar ? 2 : 3); k++) {
        dvc_vec3 half = arm.half;
        arm.half = v3((double)half.y, k == 1 ? (double)half.x : (double)half.z, k == 1 ? (double)half.z : (double)half.x);
        if (k == 2) arm.half = v3((double)half.x, (double)half.z, (double)half.y);
        t->s->shapes[w->shape_count++] = arm;
    }
    if (!w->planar) t->s->bodies[body].inertia = v3(moment, moment, moment);
}

/* Where body `i` of a pour begins: far enough from the others for parts of half a unit. */
static dvc_vec3 berth(const trial *t, int i, double pitch)
{
    int across = t->s->world.planar ? 3 : 2, row = t->s->world.planar ? i / 3 : i / 4;
    double shift = pitch * (across - 1) / 2, aside = pitch * (i / across % across) - shift; /* not used in the plane */
    return at(t, pitch * (i % across) - shift, aside, 0.55 + pitch * row);
}

static void throw_body(trial *t, int body, double speed, double spin)
{
    dvc_body *b = &t->s->bodies[body];
    bool planar = t->s->world.planar;
    speed *= sqrt(t->length) * test_random(0, 1);
    spin *= test_random(-1, 1) / sqrt(t->length);
    b->velocity = oracle_scaled(any_direction(planar), speed);
    b->angular_velocity = oracle_scaled(planar ? v3(0, 0, 1) : any_direction(false), spin);
    b->orientation = oracle_compose(any_turn(planar), b->orientation);
    give_mass(t, body);
}

#endif
