/* Many small random scenes, looked at after every step by the brute force of oracle.h.
 *
 *     soak [STEPS [SEED]]              families in turn until STEPS (a million by default) are done, seeds from SEED (1) on
 *     soak replay FAMILY SEED [STEP]   one scene again, step by step (up to STEP), with its bodies where they are at the end
 *
 * Bars, after each step: status ok; bodies inside their container; no pair deeper in each other than 1e-6 of the smaller
 * part's size, or not deeper than a step before; energy excess and residual as small as rounding makes them. At the end:
 * the share of steps with a disjunction that were exact. The exit status tells if any bar was missed. */
#include "experiment.h"

enum { SHAPES = 40, POINTS = 10, SCRATCH = 1 << 28, CONTACTS = 1 << 14, MOST_STEPS = 1200, COMPLAINTS = 40 };

#define BAR_OVERLAP 1e-6  /* of the smaller part's size */
#define BAR_EXCESS 1e-12  /* of the energies at work in the step */
#define BAR_RESIDUAL 1e-8
#define SCENE_SECONDS 10.0 /* a scene that takes longer is left, and told of */
#define BAR_EXACT 0.998   /* of the steps that have a disjunction */
#define GRAVITY 9.81
#define PI 3.14159265358979323846

/* ---- scenes ---- */

/* Turns and shakes, by a function of time. */
typedef struct swing { double rate, reach; dvc_vec3 middle; bool planar; } swing;

/* A scene under observation. Lengths in the makers below are in units of `length`, times in those of its free fall. */
typedef struct trial {
    scene *s;
    double length, h, friction;
    int steps;
    bool moving; /* its surroundings move: they may give energy */
    swing way;          /* of its surroundings */
    dvc_vec3 low, high; /* where centres may be */
    dvc_vec2 outline[SHAPES][POINTS];
    oracle_solid local[SHAPES], placed[SHAPES];
    double size[SHAPES], depth[SHAPES][SHAPES];
} trial;

typedef struct family {
    const char *name;
    bool planar;
    void (*make)(trial *t, int count);
    int most; /* moving bodies */
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

static void pour_hulls(trial *t, int count)
{
    int i;
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, 0.9), POINTS, 0.25), 2, 3);
}

static void make_pour(trial *t, int count)
{
    add_tray(t, 1.4);
    pour_hulls(t, count);
}

static void make_boxes(trial *t, int count)
{
    int i;
    add_room(t, 1.4);
    for (i = 0; i < count; i++) {
        dvc_vec3 half = any_vector(false, 0.05, 0.25);
        throw_body(t, add_block(t, berth(t, i, 0.9), (double)half.x, (double)half.y, (double)half.z), 2, 3);
    }
}

/* Bodies with few, sharp corners fall on corners. */
static void make_corners(trial *t, int count)
{
    int i, corners = t->s->world.planar ? 3 : 4;
    add_room(t, 1.6);
    for (i = 0; i < 3; i++) {
        int body = add_hull(t, DVC_STATIC, at(t, 0.9 * i - 0.9, 0, 0.3), corners, 0.5);
        t->s->bodies[body].orientation = any_turn(t->s->world.planar);
    }
    for (i = 0; i < count; i++) {
        dvc_vec3 where = oracle_along(berth(t, i, 0.9), at(t, 0, 0, 0.8), 1);
        throw_body(t, add_hull(t, DVC_DYNAMIC, where, corners, 0.25), 2, 3);
    }
}

/* A valley between two slopes, from narrow to wide. */
static void make_wedge(trial *t, int count)
{
    double left = test_random(0.1, 1.4), right = test_random(0.1, 1.4), lowest = 0.6 / sin(0.5 * (PI - left - right));
    int i;
    add_plane(t, scene_zero, sin(left), 0, cos(left));
    add_plane(t, scene_zero, -sin(right), 0, cos(right));
    if (!t->s->world.planar) {
        add_plane(t, at(t, 0, -1.5, 0), 0, 1, 0);
        add_plane(t, at(t, 0, 1.5, 0), 0, -1, 0);
    }
    for (i = 0; i < count; i++)
        throw_body(t, add_hull(t, DVC_DYNAMIC, at(t, 0, test_random(-0.8, 0.8), 0.9 * i + lowest), 5, 0.25), 2, 3);
}

/* Slender parts that spin by up to half a radian in a step of .02. */
static void make_needles(trial *t, int count)
{
    int i;
    add_room(t, 1.6);
    for (i = 0; i < count; i++) {
        double thick = test_random(0.005, 0.03);
        throw_body(t, add_block(t, berth(t, i, 1.05), test_random(0.2, 0.48), thick, thick), 3, 25);
    }
}

static void make_mixed(trial *t, int count)
{
    int i, body;
    add_tray(t, 1.4);
    for (i = 0; i < count; i++) {
        dvc_vec3 where = berth(t, i, 0.9);
        if (i % 4 == 0) body = add_block(t, where, 0.3, 0.07, 0.07);
        else if (i % 4 == 1) body = scene_sphere(t->s, t->length * fmax(0, test_random(-0.05, 0.3)), where, 1, t->friction);
        else body = i % 4 == 2 ? add_hull(t, DVC_DYNAMIC, where, 6, 0.25) : add_block(t, where, 0.2, 0.1, 0.2);
        throw_body(t, body, 2, 3);
    }
    for (i = t->s->world.body_count - count; i < t->s->world.body_count; i += 4) add_arms(t, i);
}

/* All bodies start inside each other, a little or by much. */
static void make_deep(trial *t, int count)
{
    int i;
    add_room(t, 2);
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, test_random(0.3, 0.5)), 7, 0.25), 0, 0);
}

/* The motion of a drum. */
static void swing_to(void *user, dvc_real time, dvc_vec3 *position, dvc_quat *orientation)
{
    const swing *w = (const swing *)user;
    double shift = w->reach * sin(2 * w->rate * (double)time);
    *position = oracle_along(w->middle, v3(shift, w->planar ? shift : 0, w->planar ? 0 : shift), 1);
    *orientation = dvc_quat_turn(w->planar ? v3(0, 0, 1) : v3(0, 1, 0), (dvc_real)sin(w->rate * (double)time));
}

/* Six half-spaces, or four, that look inward, on one moving body. */
static void add_drum_walls(trial *t, int drum, double half)
{
    static const double inward[6][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
    int i;
    for (i = 0; i < (t->s->world.planar ? 4 : 6); i++) {
        dvc_shape *wall = i ? &t->s->shapes[t->s->world.shape_count++] : &t->s->shapes[drum];
        *wall = t->s->shapes[drum];
        wall->normal = oracle_scaled(at(t, inward[i][0], inward[i][1], inward[i][2]), 1 / t->length);
        wall->position = oracle_scaled(wall->normal, -half * t->length);
    }
}

/* A box that turns at a steady rate, or swings and shakes. */
static void make_drum(trial *t, int count)
{
    double half = 1.5;
    int i, drum = scene_add(t->s, DVC_KINEMATIC, DVC_PLANE, at(t, 0, 0, half), t->friction);
    dvc_body *b = &t->s->bodies[drum];
    t->moving = true;
    t->way.rate = test_random(-1.5, 1.5) / sqrt(t->length);
    t->way.reach = test_random(0, 0.3) * t->length;
    t->way.middle = b->position;
    t->way.planar = t->s->world.planar;
    b->angular_velocity = t->way.planar ? v3(0, 0, t->way.rate) : v3(0, t->way.rate, 0);
    if (test_random(0, 1) < 0.5) {
        b->motion = swing_to;
        b->user = &t->way;
    }
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, 0.8), 8, 0.25), 1, 3);
    add_drum_walls(t, drum, half);
}

/* Towers of boxes, some exactly over each other, some not, that land and stand or fall. */
static void make_towers(trial *t, int count)
{
    double offset = test_random(0, 1) < 0.3 ? 0 : 0.12;
    int i;
    add_room(t, 2);
    for (i = 0; i < count; i++) {
        double along = i % 2 - 0.5 + test_random(-offset, offset), aside = test_random(-offset, offset);
        give_mass(t, add_block(t, at(t, along, aside, 0.2 + 0.45 * (i / 2)), 0.25, 0.2, 0.2));
    }
}

/* Nothing but boxes on two flat tiles and a step, thrown almost flat: flush faces, edges that lie in each other's line. */
static void make_tiles(trial *t, int count)
{
    int i;
    add_room(t, 2.1);
    for (i = -2; i <= 2; i++) add_slab(t, DVC_STATIC, at(t, i, 0, i < 2 ? 0.05 : 0.1), at(t, 0.5, 2.2, i < 2 ? 0.1 : 0.15));
    for (i = 0; i < count; i++) {
        int body = add_block(t, oracle_along(berth(t, i, 0.8), at(t, -0.5, 0, -0.2), 1), 0.2, 0.2, 0.2);
        t->s->bodies[body].velocity = at(t, test_random(0, 3) / sqrt(t->length), 0, 0);
    }
}

static const family families[] = {
    { "2D pour", true, make_pour, 12 },      { "3D pour", false, make_pour, 12 },
    { "2D boxes", true, make_boxes, 12 },    { "3D boxes", false, make_boxes, 12 },
    { "2D corners", true, make_corners, 9 }, { "3D corners", false, make_corners, 12 },
    { "2D wedge", true, make_wedge, 9 },     { "3D wedge", false, make_wedge, 8 },
    { "2D needles", true, make_needles, 9 }, { "3D needles", false, make_needles, 12 },
    { "2D mixed", true, make_mixed, 12 },    { "3D mixed", false, make_mixed, 12 },
    { "2D deep", true, make_deep, 9 },       { "3D deep", false, make_deep, 8 },
    { "2D drum", true, make_drum, 9 },       { "3D drum", false, make_drum, 8 },
    { "2D tiles", true, make_tiles, 12 },    { "3D tiles", false, make_tiles, 12 },
    { "2D towers", true, make_towers, 12 },  { "3D towers", false, make_towers, 12 },
};

enum { FAMILIES = sizeof families / sizeof families[0] };

static void look(trial *t);

/* Scale, step size and friction are drawn before the bodies. One scene in eight keeps the step size of metres, so that
 * small things move by their own size in a step. */
static trial *trial_make(int which, unsigned seed)
{
    static const double lengths[] = { 0.001, 0.01, 0.1, 1, 1, 10, 100 };
    static const double steps[] = { 0.001, 0.002, 0.005, 0.01, 0.01, 1. / 60, 0.02, 1. / 30 };
    static const double frictions[] = { 0, 0, 0, 0.1, 0.3, 0.5, 1, 2 };
    const family *f = &families[which];
    trial *t = (trial *)scene_memory(1, sizeof *t);
    int count, i;
    test_seed(seed * 64u + (unsigned)which + 1);
    for (i = 0; i < 20; i++) test_random_bits();
    t->length = pick(lengths, 7);
    t->h = pick(steps, 8);
    t->friction = pick(frictions, 8);
    t->steps = (int)fmin(MOST_STEPS, 4 / t->h);
    t->h *= test_random(0, 1) < 0.125 && t->length >= 0.1 ? fmin(1, sqrt(t->length)) : sqrt(t->length);
    count = 1 + (int)test_random(0, f->most);
    t->s = scene_make(SHAPES, f->planar, SCRATCH);
    free(t->s->world.contacts); /* where everything moves by its own size in a step, everything is near */
    t->s->world.contact_capacity = CONTACTS;
    t->s->world.contacts = (dvc_contact *)scene_memory(CONTACTS, sizeof(dvc_contact));
    f->make(t, count);
    t->low = at(t, -60, -60, -60);
    t->high = at(t, 60, 60, 60);
    look(t);
    return t;
}

static void trial_free(trial *t)
{
    scene_free(t->s);
    free(t);
}

/* ---- looking ---- */

/* How deep two solids are in each other; 0 as soon as an axis keeps them apart. */
static double depth_of(const oracle_solid *a, const oracle_solid *b, double enough)
{
    double best = -ORACLE_FAR;
    dvc_vec3 n;
    int i, j;
    if (a->vertex_count < 2 || b->vertex_count < 2) return fmax(0, -oracle_gap(a, b));
    for (i = 0; i < a->face_count && best < -enough; i++) oracle_try_axis(a, b, a->normals[i], &best, &n);
    for (i = 0; i < b->face_count && best < -enough; i++) oracle_try_axis(a, b, oracle_scaled(b->normals[i], -1), &best, &n);
    for (i = 0; i < a->edge_count; i++)
        for (j = 0; j < b->edge_count && best < -enough; j++) {
            dvc_vec3 u = oracle_edge_vector(a, i), v = oracle_edge_vector(b, j), w = oracle_cross(u, v);
            if (oracle_norm(w) < 1e-7 * oracle_norm(u) * oracle_norm(v)) continue;
            oracle_try_axis(a, b, oracle_unit(w), &best, &n);
            oracle_try_axis(a, b, oracle_scaled(w, -1 / oracle_norm(w)), &best, &n);
        }
    return fmax(0, -best);
}

static void place_solid(trial *t, int shape)
{
    const dvc_shape *s = &t->s->shapes[shape];
    const dvc_body *b = &t->s->bodies[s->body];
    t->placed[shape] = t->local[shape];
    oracle_place(&t->placed[shape], b->position, b->orientation);
}

/* Each solid in its body's frame: faces and edges are found once. */
static void learn_solid(trial *t, int shape)
{
    const dvc_shape *s = &t->s->shapes[shape];
    oracle_local(s, t->s->world.planar, &t->local[shape]);
    oracle_place(&t->local[shape], s->position, s->orientation);
    t->size[shape] = t->local[shape].vertex_count ? oracle_extent(&t->local[shape]) + 2 * t->local[shape].radius : ORACLE_FAR;
    if (!(t->size[shape] > 0)) t->size[shape] = t->length / 10; /* a particle */
    if (t->s->bodies[s->body].kind == DVC_STATIC) place_solid(t, shape);
}

static bool may_touch(const trial *t, int i, int k)
{
    return oracle_allowed(&t->s->world, i, k) && oracle_ball_gap(&t->placed[i], &t->placed[k]) < 0;
}

/* The worst new depth of a pair, in sizes of the smaller part; depths that only shrink are no news. */
static double look_at_pairs(trial *t)
{
    double worst = 0;
    int i, k, count = t->s->world.shape_count;
    for (i = 0; i < count; i++)
        if (t->s->bodies[t->s->shapes[i].body].kind != DVC_STATIC) place_solid(t, i);
    for (i = 0; i < count; i++)
        for (k = i + 1; k < count; k++) {
            double size = fmin(t->size[i], t->size[k]), before = t->depth[i][k], depth;
            depth = may_touch(t, i, k) ? depth_of(&t->placed[i], &t->placed[k], 1e-13 * size) : 0;
            t->depth[i][k] = depth;
            if (depth > before + 1e-9 * size || depth < BAR_OVERLAP * size) worst = fmax(worst, depth / size);
        }
    return worst;
}

static void look(trial *t)
{
    int i;
    for (i = 0; i < t->s->world.shape_count; i++) learn_solid(t, i);
    look_at_pairs(t);
}

static bool is_between(dvc_vec3 low, dvc_vec3 x, dvc_vec3 high)
{
    return x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z;
}

/* Index of a body that is not in its container, or -1. */
static int stray(const trial *t)
{
    int i;
    for (i = 0; i < t->s->world.body_count; i++)
        if (t->s->bodies[i].kind == DVC_DYNAMIC && !is_between(t->low, t->s->bodies[i].position, t->high)) return i;
    return -1;
}

static double kinetic_energy(const dvc_world *world)
{
    dvc_world weightless = *world;
    weightless.gravity = scene_zero;
    return (double)dvc_energy(&weightless);
}

/* What rounding in the energies of a step is measured by: kinetic energies, and the work of weights and impulses at the
 * step's fastest speed. Places are rounded, too: gaps and with them rates are known to 2^-53 of a place per h only, in units
 * of which the bar of 1e-12 is a rounding error of one. */
static double energies_at_work(const trial *t, double kinetic_before)
{
    const dvc_world *w = &t->s->world;
    double fastest = GRAVITY * t->h, pushes = 0, farthest = 0;
    int i;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i];
        fastest = fmax(fastest, GRAVITY * t->h + oracle_norm(b->velocity));
        farthest = fmax(farthest, oracle_norm(b->position));
        pushes += b->kind == DVC_DYNAMIC ? (double)b->mass * GRAVITY * t->h : 0;
    }
    for (i = 0; i < w->contact_count; i++) pushes += (double)w->contacts[i].normal_impulse;
    return kinetic_before + kinetic_energy(w) + pushes * (fastest + farthest / t->h * (1.1e-16 / BAR_EXCESS));
}

/* ---- counting ---- */

typedef struct worst { double value; unsigned seed; int step; } worst;

typedef struct tally {
    long scenes, steps, disjunct, inexact, halvings, errors, strays;
    double seconds;
    worst overlap, excess, residual, open; /* open: inexact steps of a scene */
} tally;

static int complaints;

/* Says how to see it again, a limited number of times. */
static void complain(const family *f, unsigned seed, int step, const char *what, double value)
{
    if (complaints++ < COMPLAINTS) printf("  missed: %s %.3g: soak replay '%s' %u %d\n", what, value, f->name, seed, step);
    fflush(stdout);
}

static bool is_worse(worst *w, double value, unsigned seed, int step)
{
    if (!(value > w->value)) return false;
    w->value = value;
    w->seed = seed;
    w->step = step;
    return true;
}

/* What one step showed. */
typedef struct sight { dvc_status status; double overlap, excess, residual, seconds; int stray; } sight;

static sight trial_step(trial *t)
{
    sight seen;
    double before = kinetic_energy(&t->s->world), start = experiment_seconds();
    seen.status = dvc_step(&t->s->world, (dvc_real)t->h);
    seen.seconds = experiment_seconds() - start;
    seen.overlap = look_at_pairs(t);
    seen.excess = t->moving ? 0 : (double)t->s->world.report.energy_excess / energies_at_work(t, before);
    seen.residual = (double)t->s->world.report.residual;
    seen.stray = stray(t);
    return seen;
}

/* Keeps the worst; complains of it if it misses its bar by far more than all before. */
static void weigh(worst *w, double value, double bar, const char *what, const family *f, unsigned seed, int step)
{
    if (value > bar && value > 2 * w->value) complain(f, seed, step, what, value);
    is_worse(w, value, seed, step);
}

static void judge(tally *all, const family *f, unsigned seed, int step, const sight *seen)
{
    if (seen->status != DVC_OK) complain(f, seed, step, dvc_status_text(seen->status), 0);
    if (seen->stray >= 0) complain(f, seed, step, "out of its container: body", seen->stray);
    weigh(&all->overlap, seen->overlap, BAR_OVERLAP, "overlap", f, seed, step);
    weigh(&all->excess, seen->excess, BAR_EXCESS, "energy excess", f, seed, step);
    weigh(&all->residual, seen->residual, BAR_RESIDUAL, "residual", f, seed, step);
}

static long soak_scene(int which, unsigned seed, tally *all)
{
    trial *t = trial_make(which, seed);
    long inexact = all->inexact;
    double start = all->seconds;
    bool going = true;
    int i;
    all->scenes++;
    for (i = 0; i < t->steps && going; i++) {
        sight seen = trial_step(t);
        const dvc_report *r = &t->s->world.report;
        judge(all, &families[which], seed, i, &seen);
        all->steps++;
        all->seconds += seen.seconds;
        all->halvings += r->halvings;
        all->disjunct += r->disjunctions > 0;
        all->inexact += r->disjunctions > 0 && r->inexact > 0;
        all->errors += seen.status != DVC_OK;
        all->strays += seen.stray >= 0;
        going = seen.status == DVC_OK && seen.stray < 0 && all->seconds - start <= SCENE_SECONDS;
    }
    if (all->seconds - start > SCENE_SECONDS) complain(&families[which], seed, i - 1, "slow: seconds", all->seconds - start);
    is_worse(&all->open, (double)(all->inexact - inexact), seed, i - 1);
    trial_free(t);
    return i;
}

static void print_head(void)
{
    printf("family       scenes    steps   overlap    excess  residual disjunct  inexact halvings  us/step\n");
}

static void print_tally(const char *name, const tally *a)
{
    double microseconds = 1e6 * a->seconds / fmax(1, (double)a->steps);
    printf("%-12s %6ld %8ld %9.1e %9.1e %9.1e %8ld %8ld %8ld %8.1f\n", name, a->scenes, a->steps, a->overlap.value,
           a->excess.value, a->residual.value, a->disjunct, a->inexact, a->halvings, microseconds);
}

/* Where to look: the worst step of each bar that a family missed. */
static void print_worst(const family *f, const tally *a)
{
    const struct { const char *what; worst at; double bar; } bars[] = {
        { "overlap", a->overlap, BAR_OVERLAP },
        { "energy excess", a->excess, BAR_EXCESS },
        { "residual", a->residual, BAR_RESIDUAL },
        { "inexact steps", a->open, (1 - BAR_EXACT) * (double)a->disjunct },
    };
    int i;
    for (i = 0; i < 4; i++)
        if (bars[i].at.value > bars[i].bar)
            printf("worst %s %.3g: soak replay '%s' %u %d\n", bars[i].what, bars[i].at.value, f->name, bars[i].at.seed,
                   bars[i].at.step);
}

static void add_tally(tally *sum, const tally *a)
{
    sum->scenes += a->scenes;
    sum->steps += a->steps;
    sum->disjunct += a->disjunct;
    sum->inexact += a->inexact;
    sum->halvings += a->halvings;
    sum->errors += a->errors;
    sum->strays += a->strays;
    sum->seconds += a->seconds;
    is_worse(&sum->overlap, a->overlap.value, a->overlap.seed, a->overlap.step);
    is_worse(&sum->excess, a->excess.value, a->excess.seed, a->excess.step);
    is_worse(&sum->residual, a->residual.value, a->residual.seed, a->residual.step);
}

static int verdict(const tally *sum)
{
    double exact = sum->disjunct ? 1 - (double)sum->inexact / (double)sum->disjunct : 1;
    bool holds = sum->errors == 0 && sum->strays == 0 && sum->overlap.value <= BAR_OVERLAP && sum->excess.value <= BAR_EXCESS &&
                 sum->residual.value <= BAR_RESIDUAL && exact >= BAR_EXACT;
    printf("%ld errors, %ld strays, %.3f %% of the steps with a disjunction exact: %s\n", sum->errors, sum->strays, 100 * exact,
           holds ? "pass" : "FAIL");
    return !holds;
}

static int soak(long steps, unsigned seed)
{
    static tally tallies[FAMILIES], sum;
    long done = 0;
    int i;
    for (; done < steps; seed++)
        for (i = 0; i < FAMILIES && done < steps; i++) done += soak_scene(i, seed, &tallies[i]);
    print_head();
    for (i = 0; i < FAMILIES; i++) {
        print_tally(families[i].name, &tallies[i]);
        add_tally(&sum, &tallies[i]);
    }
    print_tally("all", &sum);
    for (i = 0; i < FAMILIES; i++) print_worst(&families[i], &tallies[i]);
    return verdict(&sum);
}

/* ---- replay ---- */

static void print_bodies(const trial *t)
{
    int i;
    for (i = 0; i < t->s->world.body_count; i++) {
        const dvc_body *b = &t->s->bodies[i];
        if (b->kind == DVC_STATIC) continue;
        printf("body %d: x %.17g %.17g %.17g", i, (double)b->position.x, (double)b->position.y, (double)b->position.z);
        printf(" q %.17g %.17g %.17g %.17g", (double)b->orientation.w, (double)b->orientation.x, (double)b->orientation.y,
               (double)b->orientation.z);
        printf(" v %.6g %.6g %.6g", (double)b->velocity.x, (double)b->velocity.y, (double)b->velocity.z);
        printf(" w %.6g %.6g %.6g\n", (double)b->angular_velocity.x, (double)b->angular_velocity.y,
               (double)b->angular_velocity.z);
    }
}

static int replay(const char *name, unsigned seed, int last)
{
    trial *t;
    int which = 0, i;
    while (which < FAMILIES && strcmp(families[which].name, name)) which++;
    if (which == FAMILIES) return printf("no family of that name\n"), 2;
    t = trial_make(which, seed);
    printf("length %g, h %g, friction %g, %d bodies, %d steps\n", t->length, t->h, t->friction, t->s->world.body_count, t->steps);
    for (i = 0; i < t->steps && i <= last; i++) {
        sight seen = trial_step(t);
        const dvc_report *r = &t->s->world.report;
        if (seen.status != DVC_OK) printf("%s\n", dvc_status_text(seen.status));
        printf("%5d overlap %8.1e gap %8.1e excess %8.1e residual %8.1e energy %.6g | ", i, seen.overlap, (double)r->worst_gap,
               seen.excess, seen.residual, (double)dvc_energy(&t->s->world));
        printf("inexact %d fallbacks %d halvings %d repeats %d ", r->inexact, r->fallbacks, r->halvings, r->repeats);
        printf("corrections %d problems %d largest %d ", r->corrections, r->problems, r->largest_problem);
        printf("iterations %d contacts %d of %d\n", r->iterations, r->contacts, r->contacts_needed);
    }
    print_bodies(t);
    trial_free(t);
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    experiment_begin("soak", 1, argv);
    if (argc > 3 && strcmp(argv[1], "replay") == 0)
        return replay(argv[2], (unsigned)atol(argv[3]), argc > 4 ? atoi(argv[4]) : MOST_STEPS);
    return soak(argc > 1 ? atol(argv[1]) : 1000000, argc > 2 ? (unsigned)atol(argv[2]) : 1);
}
