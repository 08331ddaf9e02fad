/* Random worlds. A world is made of a theme (what it is about), and of spice (what any world may have): see fuzz_world_make. Sane worlds
 * are such as people build, in any unit of length; extreme ones are legal, but of sizes, masses and speeds that nobody means well;
 * hostile ones hold any number anywhere.
 *
 * All arrays are of exactly their capacity, so that a sanitizer sees who goes beyond. */
#ifndef DVC_FUZZ_WORLD_H
#define DVC_FUZZ_WORLD_H

#include "fuzz.h"

enum {
    FUZZ_BODIES = 24, FUZZ_SHAPES = 56, FUZZ_JOINTS = 20, FUZZ_SPRINGS = 6, FUZZ_RULES = 6, FUZZ_HULLS = 5, FUZZ_POLYGONS = 5,
    FUZZ_POINTS = 14, FUZZ_CONTACTS = 400, FUZZ_SUPPORTS = 3
};

/* How a body with a motion moves: to and fro, and round. */
typedef struct fuzz_way {
    dvc_vec3 from, reach, axis;
    dvc_quat turned;
    double rate, spin;
    double wrong_from; /* the time from which the pose is not a number; 0: never */
} fuzz_way;

typedef struct fuzz_hull {
    dvc_vec3 points[FUZZ_POINTS];
    int count;
    dvc_polytope polytope;
    void *storage;
} fuzz_hull;

typedef struct fuzz_polygon { dvc_vec2 points[FUZZ_POINTS]; int count; } fuzz_polygon;

typedef struct fuzz_world {
    dvc_world w;
    fuzz_level level;
    bool isolated;  /* nothing acts from outside: momentum is kept */
    double unit;    /* of length: gravity and speeds go with it */
    double h;
    int body_room, shape_room, joint_room, spring_room, rule_room; /* what the arrays hold */
    dvc_pair_rule *rules;
    fuzz_way *ways; /* (body_room) */
    fuzz_hull hulls[FUZZ_HULLS];
    int hull_count;
    fuzz_polygon polygons[FUZZ_POLYGONS];
    int polygon_count;
    dvc_support supports[FUZZ_SUPPORTS];
    dvc_terrain terrain;
    void *terrain_storage;
} fuzz_world;

/* ---- motions ---- */

static dvc_quat fuzz_compose(dvc_quat a, dvc_quat b)
{
    dvc_quat q;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return q;
}

static void fuzz_move(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    const fuzz_way *way = (const fuzz_way *)user;
    double s = sin(way->rate * (double)t);
    *position = fuzz_vec((double)way->from.x + s * (double)way->reach.x, (double)way->from.y + s * (double)way->reach.y,
                         (double)way->from.z + s * (double)way->reach.z);
    *orientation = fuzz_compose(fuzz_turn(way->axis, way->spin * (double)t), way->turned);
    if (way->wrong_from > 0 && (double)t > way->wrong_from) position->y = (dvc_real)NAN;
}

/* ---- shapes ---- */

static void fuzz_cloud(fuzz_world *f, fuzz_source *s, fuzz_hull *hull)
{
    int kind = fuzz_below(s, 6), k, sides = 3 + fuzz_below(s, 4);
    double high = fuzz_range(s, 0.1, 0.4), thin = 1;
    hull->count = kind == 0 ? 4 : kind == 1 ? 2 * sides : 5 + fuzz_below(s, 8);
    if (kind == 2) thin = f->level == FUZZ_SANE ? fuzz_range(s, 0.1, 0.4) : fuzz_log_range(s, 1e-6, 0.1);
    for (k = 0; k < hull->count; k++) {
        double a = 6.283185307179586 * (k / 2) / sides;
        dvc_vec3 p = fuzz_any_vec(s, false, 0.35);
        if (kind == 1) p = fuzz_vec(0.35 * cos(a), 0.35 * sin(a), k & 1 ? high : -high);
        if (kind == 3) p = fuzz_vec(k & 1 ? 0.3 : -0.3, k & 2 ? 0.3 : -0.3, k & 4 ? 0.3 : -(double)p.z);
        hull->points[k] = fuzz_vec(f->unit * (double)p.x, f->unit * (double)p.y, f->unit * thin * (double)p.z);
    }
}

/* One of the world's hulls, made when it is first asked for; NULL: a cloud that makes none. */
static const dvc_polytope *fuzz_some_hull(fuzz_world *f, fuzz_source *s)
{
    int k = fuzz_below(s, FUZZ_HULLS);
    fuzz_hull *hull = &f->hulls[k < f->hull_count ? k : f->hull_count];
    size_t size;
    if (k < f->hull_count) return &hull->polytope;
    fuzz_cloud(f, s, hull);
    size = dvc_polytope_size(hull->count);
    hull->storage = fuzz_memory(size, 1);
    memset(hull->storage, 0xA5, size);
    FUZZ_UNWRITTEN(hull->storage, size);
    if (dvc_polytope_build(hull->points, hull->count, hull->storage, size, &hull->polytope) == DVC_OK) f->hull_count++;
    else { free(hull->storage); hull->storage = NULL; return NULL; }
    return &hull->polytope;
}

static fuzz_polygon *fuzz_some_polygon(fuzz_world *f, fuzz_source *s)
{
    int k = fuzz_below(s, FUZZ_POLYGONS), i;
    fuzz_polygon *p = &f->polygons[k < f->polygon_count ? k : f->polygon_count];
    double flat = fuzz_range(s, 0.3, 1);
    if (k < f->polygon_count) return p;
    if (f->level != FUZZ_SANE && fuzz_chance(s, 200)) flat = fuzz_log_range(s, 1e-6, 1);
    p->count = 3 + fuzz_below(s, 6);
    for (i = 0; i < p->count; i++) {
        double a = 6.283185307179586 * (i + fuzz_range(s, 0, 0.6)) / p->count;
        p->points[i].x = (dvc_real)(f->unit * 0.35 * cos(a));
        p->points[i].y = (dvc_real)(f->unit * 0.35 * flat * sin(a));
    }
    f->polygon_count++;
    return p;
}

static dvc_shape *fuzz_add_shape(fuzz_world *f, int body, dvc_shape_kind kind)
{
    dvc_shape *shape;
    if (f->w.shape_count >= FUZZ_SHAPES) return NULL;
    shape = &f->w.shapes[f->w.shape_count++];
    memset(shape, 0, sizeof *shape);
    shape->kind = kind;
    shape->body = body;
    return shape;
}

/* Friction and the like. */
static void fuzz_spice_shape(fuzz_world *f, fuzz_source *s, dvc_shape *shape)
{
    int way = fuzz_below(s, 4);
    double friction = way == 0 ? 0 : way == 1 ? 0.5 : fuzz_range(s, 0, 1);
    shape->friction = (dvc_real)fuzz_number(s, f->level, friction);
    if (fuzz_chance(s, 60)) shape->restitution = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 1));
    if (fuzz_chance(s, 20)) shape->sensor = true;
    if (!f->isolated && fuzz_chance(s, 20)) {
        shape->surface_velocity = fuzz_any_vec(s, f->w.planar, 2 * f->unit);
        shape->surface_velocity.x = (dvc_real)fuzz_number(s, f->level, (double)shape->surface_velocity.x);
    }
    if (fuzz_chance(s, 30)) { shape->category = (uint32_t)fuzz_below(s, 16); shape->ignore = (uint32_t)fuzz_below(s, 16); }
    if (fuzz_chance(s, 10)) shape->disabled = true;
}

/* What a body that moves may be made of. */
static dvc_shape *fuzz_any_shape(fuzz_world *f, fuzz_source *s, int body)
{
    int way = fuzz_below(s, 10);
    dvc_shape *shape = fuzz_add_shape(f, body, DVC_BOX);
    if (!shape) return NULL;
    shape->half = fuzz_any_vec(s, false, f->unit * 0.12);
    shape->half = fuzz_vec((double)shape->half.x + 0.23 * f->unit, (double)shape->half.y + 0.23 * f->unit,
                           (double)shape->half.z + 0.23 * f->unit);
    if (way < 3) { shape->kind = DVC_SPHERE; shape->radius = (dvc_real)(f->unit * fuzz_range(s, 0.1, 0.4)); }
    if (way == 0 && fuzz_chance(s, 100)) shape->radius = 0;
    if (way >= 6) {
        const dvc_polytope *hull = f->w.planar ? NULL : fuzz_some_hull(f, s);
        fuzz_polygon *polygon = f->w.planar ? fuzz_some_polygon(f, s) : NULL;
        if (hull) { shape->kind = DVC_POLYTOPE; shape->polytope = hull; }
        if (polygon) { shape->kind = DVC_POLYGON; shape->points = polygon->points; shape->point_count = polygon->count; }
    }
    if (f->level != FUZZ_SANE) {
        shape->half.x = (dvc_real)fuzz_number(s, f->level, (double)shape->half.x);
        shape->half.y = (dvc_real)fuzz_number(s, f->level, (double)shape->half.y);
        shape->radius = (dvc_real)fuzz_number(s, f->level, (double)shape->radius);
        if (fuzz_chance(s, 20)) shape->half.z = (dvc_real)(f->unit * fuzz_log_range(s, 1e-6, 1e3));
    }
    fuzz_spice_shape(f, s, shape);
    return shape;
}

/* ---- bodies ---- */

static int fuzz_add_body(fuzz_world *f, dvc_body_kind kind, dvc_vec3 at)
{
    dvc_body *body;
    if (f->w.body_count >= FUZZ_BODIES) return f->w.body_count - 1;
    body = &f->w.bodies[f->w.body_count];
    memset(body, 0, sizeof *body);
    body->kind = kind;
    body->orientation.w = 1;
    body->position = fuzz_vec(f->unit * (double)at.x, f->unit * (double)at.y, f->unit * (double)at.z);
    return f->w.body_count++;
}

/* Moments as a block has them, so that there could be such a body. */
static void fuzz_give_mass(fuzz_world *f, fuzz_source *s, dvc_body *body)
{
    double m = fuzz_log_range(s, 0.2, 5), r = 0.3 * f->unit, x = r * fuzz_range(s, 0.5, 1), y = r * fuzz_range(s, 0.5, 1),
           z = r * fuzz_range(s, 0.5, 1);
    int way = fuzz_below(s, 10);
    if (f->level != FUZZ_SANE && fuzz_chance(s, 150)) m = fuzz_log_range(s, 1e-8, 1e8);
    if (way < 4) x = y = z;
    body->mass = (dvc_real)fuzz_number(s, f->level, m);
    body->inertia = fuzz_vec(m * (y * y + z * z) / 3, m * (x * x + z * z) / 3, m * (x * x + y * y) / 3);
    if (f->level == FUZZ_SANE) return;
    body->inertia.x = (dvc_real)fuzz_number(s, f->level, (double)body->inertia.x);
    body->inertia.z = (dvc_real)fuzz_number(s, f->level, (double)body->inertia.z);
    if (fuzz_chance(s, 30)) body->inertia = fuzz_vec(m * 1e-9 * r * r, m * r * r, m * r * r);
}

static void fuzz_throw(fuzz_world *f, fuzz_source *s, dvc_body *body)
{
    double u = f->unit, fast = f->level != FUZZ_SANE && fuzz_chance(s, 150) ? fuzz_log_range(s, 1, 1e4) : 1;
    if (fuzz_chance(s, 600)) body->orientation = fuzz_any_turn(s, f->w.planar);
    if (fuzz_chance(s, 500)) body->velocity = fuzz_any_vec(s, f->w.planar, 3 * u * fast);
    if (fuzz_chance(s, 400)) {
        body->angular_velocity = fuzz_any_vec(s, false, 6 * fast);
        if (f->w.planar) body->angular_velocity.x = body->angular_velocity.y = 0;
    }
}

/* What may act on any body. */
static void fuzz_spice_body(fuzz_world *f, fuzz_source *s, dvc_body *body)
{
    double u = f->unit, m = (double)body->mass < 1e3 ? (double)body->mass : 1;
    if (!f->isolated && fuzz_chance(s, 60)) body->force = fuzz_any_vec(s, f->w.planar, 15 * m * u);
    if (!f->isolated && fuzz_chance(s, 60))
        body->torque = f->w.planar ? fuzz_vec(0, 0, fuzz_range(s, -m, m) * u * u) : fuzz_any_vec(s, false, m * u * u);
    if (!f->isolated && fuzz_chance(s, 50)) {
        body->linear_damping = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 3));
        body->angular_damping = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 3));
    }
    if (f->level == FUZZ_SANE) return;
    body->position.x = (dvc_real)fuzz_number(s, f->level, (double)body->position.x);
    body->velocity.y = (dvc_real)fuzz_number(s, f->level, (double)body->velocity.y);
    body->angular_velocity.z = (dvc_real)fuzz_number(s, f->level, (double)body->angular_velocity.z);
    body->orientation.w = (dvc_real)fuzz_number(s, f->level, (double)body->orientation.w);
    body->force.x = (dvc_real)fuzz_number(s, f->level, (double)body->force.x);
    if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 4)) body->kind = (dvc_body_kind)(fuzz_below(s, 6) - 1);
}

/* A thing that moves: one part or several. */
static int fuzz_add_thing(fuzz_world *f, fuzz_source *s, dvc_vec3 at)
{
    int i = fuzz_add_body(f, DVC_DYNAMIC, at), parts = fuzz_chance(s, 120) ? 2 + fuzz_below(s, 2) : 1, k;
    dvc_body *body = &f->w.bodies[i];
    for (k = 0; k < parts; k++) {
        dvc_shape *shape = fuzz_any_shape(f, s, i);
        if (!shape || parts == 1) continue;
        shape->position = fuzz_any_vec(s, f->w.planar, 0.25 * f->unit);
        if (fuzz_chance(s, 500)) shape->orientation = fuzz_any_turn(s, f->w.planar);
    }
    fuzz_give_mass(f, s, body);
    fuzz_throw(f, s, body);
    fuzz_spice_body(f, s, body);
    return i;
}

/* The next free place of a pour: two or three abreast. */
static dvc_vec3 fuzz_berth(const fuzz_world *f, fuzz_source *s, int i, double from)
{
    dvc_vec3 shift = fuzz_any_vec(s, f->w.planar, 0.15);
    double row = f->w.planar ? i / 3 : i / 4, x = f->w.planar ? i % 3 - 1 : i % 2 - 0.5, z = i / 2 % 2 - 0.5;
    if (f->w.planar) return fuzz_vec(1.25 * x + (double)shift.x, from + 1.25 * row + (double)shift.y, 0);
    return fuzz_vec(1.25 * x + (double)shift.x, 1.25 * z + (double)shift.y, from + 1.25 * row + (double)shift.z);
}

static void fuzz_pour(fuzz_world *f, fuzz_source *s, int count, double from)
{
    int i;
    for (i = 0; i < count; i++) {
        dvc_vec3 at = fuzz_berth(f, s, i, from);
        if (f->level != FUZZ_SANE && fuzz_chance(s, 80)) at = fuzz_berth(f, s, 0, from); /* on top of another */
        fuzz_add_thing(f, s, at);
    }
}

/* ---- what does not move, or as told ---- */

static dvc_vec3 fuzz_up(const fuzz_world *f, double along, double up)
{
    return f->w.planar ? fuzz_vec(along, up, 0) : fuzz_vec(along, 0, up);
}

static dvc_shape *fuzz_fixed_box(fuzz_world *f, fuzz_source *s, dvc_body_kind kind, dvc_vec3 at, dvc_vec3 half)
{
    dvc_shape *shape = fuzz_add_shape(f, fuzz_add_body(f, kind, at), DVC_BOX);
    if (!shape) return NULL;
    shape->half = fuzz_vec(f->unit * (double)half.x, f->unit * (double)half.y, f->unit * (double)half.z);
    shape->friction = (dvc_real)(fuzz_chance(s, 300) ? 0 : fuzz_range(s, 0, 1));
    return shape;
}

/* A floor: a half-space, a block, or tiles that lie flush. */
static void fuzz_floor(fuzz_world *f, fuzz_source *s)
{
    int way = fuzz_below(s, 3), k, tiles = 3 + fuzz_below(s, 3);
    dvc_shape *shape;
    if (way == 0) {
        shape = fuzz_add_shape(f, fuzz_add_body(f, DVC_STATIC, fuzz_vec(0, 0, 0)), DVC_PLANE);
        shape->normal = fuzz_up(f, fuzz_chance(s, 200) ? fuzz_range(s, -0.5, 0.5) : 0, 1);
        shape->friction = (dvc_real)(fuzz_chance(s, 300) ? 0 : fuzz_range(s, 0, 1));
    } else if (way == 1) {
        shape = fuzz_fixed_box(f, s, DVC_STATIC, fuzz_up(f, 0, -1), f->w.planar ? fuzz_vec(8, 1, 1) : fuzz_vec(8, 8, 1));
        if (shape && fuzz_chance(s, 200))
            f->w.bodies[shape->body].orientation =
                fuzz_turn(f->w.planar ? fuzz_vec(0, 0, 1) : fuzz_vec(0, 1, 0), fuzz_range(s, -0.4, 0.4));
    } else for (k = 0; k < tiles; k++) {
        double along = 1.2 * (k - (tiles - 1) / 2.0);
        shape = fuzz_fixed_box(f, s, DVC_STATIC, fuzz_up(f, along, -0.5),
                               f->w.planar ? fuzz_vec(0.6, 0.5, 1) : fuzz_vec(0.6, 3, 0.5));
        if (shape && k > 0) shape->friction = f->w.shapes[f->w.shape_count - 2].friction;
    }
}

/* Walls, pegs, ramps. */
static void fuzz_obstacles(fuzz_world *f, fuzz_source *s)
{
    int count = fuzz_below(s, 4), k;
    for (k = 0; k < count; k++) {
        int i = fuzz_add_body(f, DVC_STATIC, fuzz_up(f, fuzz_range(s, -1.5, 1.5), fuzz_range(s, 0, 0.5)));
        fuzz_any_shape(f, s, i);
        f->w.bodies[i].orientation = fuzz_any_turn(s, f->w.planar);
    }
}

/* Kinematic bodies: by a motion, or by their velocity. */
static void fuzz_movers(fuzz_world *f, fuzz_source *s)
{
    int count = 1 + fuzz_below(s, 2), k;
    double fast = f->level != FUZZ_SANE && fuzz_chance(s, 200) ? fuzz_log_range(s, 1, 1e3) : 1;
    for (k = 0; k < count; k++) {
        dvc_vec3 at = fuzz_up(f, fuzz_range(s, -2, 2), fuzz_range(s, 0.2, 0.8)),
                 half = fuzz_chance(s, 500) ? fuzz_vec(0.8, 0.1, 0.3) : fuzz_vec(0.2, 0.5, 0.5);
        dvc_shape *shape = fuzz_fixed_box(f, s, DVC_KINEMATIC, at, half);
        dvc_body *body;
        fuzz_way *way;
        if (!shape) return;
        body = &f->w.bodies[shape->body];
        way = &f->ways[shape->body];
        way->from = body->position;
        way->turned = body->orientation;
        way->reach = fuzz_any_vec(s, f->w.planar, 0.6 * f->unit * fast);
        way->axis = f->w.planar ? fuzz_vec(0, 0, 1) : fuzz_any_vec(s, false, 1);
        way->rate = fuzz_range(s, 0, 4);
        way->spin = fuzz_chance(s, 500) ? 0 : fuzz_range(s, -4, 4) * fast;
        if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 150)) way->wrong_from = 0.05;
        body->velocity = fuzz_any_vec(s, f->w.planar, 0.8 * f->unit * fast);
        if (way->spin != 0) body->angular_velocity = fuzz_vec(0, 0, way->spin);
        if (fuzz_chance(s, 600)) { body->motion = fuzz_move; body->user = way; }
    }
}

/* ---- ties ---- */

static dvc_joint *fuzz_join(fuzz_world *f, dvc_joint_kind kind, int a, int b, dvc_vec3 anchor, dvc_vec3 axis)
{
    dvc_joint *joint;
    if (f->w.joint_count >= f->joint_room || a == b) return NULL;
    joint = &f->w.joints[f->w.joint_count];
    if (dvc_joint_attach(&f->w, kind, a, b, anchor, axis, joint) != DVC_OK) return NULL;
    f->w.joint_count++;
    return joint;
}

/* `free`: it may turn whatever the others do, so that a motor may have any effort. */
static void fuzz_drive(fuzz_world *f, fuzz_source *s, dvc_axis *axis, double size, bool free)
{
    int way = fuzz_below(s, 5);
    if (way == 0) return;
    if (way != 2) {
        axis->limited = true;
        axis->lower = (dvc_real)fuzz_number(s, f->level, -size * fuzz_range(s, 0, 1));
        axis->upper = (dvc_real)fuzz_number(s, f->level, size * fuzz_range(s, 0, 1));
    }
    if (way >= 2) {
        axis->speed = (dvc_real)fuzz_number(s, f->level, fuzz_chance(s, 250) ? 0 : size * fuzz_range(s, -4, 4));
        axis->effort = (dvc_real)fuzz_number(s, f->level,
                                             free && !f->isolated && fuzz_chance(s, 150) ? (double)DVC_INFINITY
                                                                                         : size * f->unit * fuzz_range(s, 0, 20));
    }
    if (fuzz_chance(s, 250)) axis->friction = (dvc_real)fuzz_number(s, f->level, size * f->unit * fuzz_range(s, 0, 3));
    if (fuzz_chance(s, 100)) axis->force = (dvc_real)fuzz_number(s, f->level, size * f->unit * fuzz_range(s, -3, 3));
}

/* `free`: no other joint holds its bodies in the same place. */
static void fuzz_spice_joint(fuzz_world *f, fuzz_source *s, dvc_joint *joint, bool free)
{
    if (!joint) return;
    if (fuzz_chance(s, 400)) fuzz_drive(f, s, &joint->turn, 1, free);
    if (fuzz_chance(s, 400)) fuzz_drive(f, s, &joint->slide, f->unit, free);
    joint->collide = f->level != FUZZ_SANE && fuzz_chance(s, 200);
    if (fuzz_chance(s, 20)) joint->disabled = true;
    if (free && fuzz_chance(s, 40))
        joint->anchor_b.x += (dvc_real)(f->unit * fuzz_range(s, -0.02, 0.02)); /* does not hold at first */
    if (f->level == FUZZ_SANE) return;
    joint->anchor_a.x = (dvc_real)fuzz_number(s, f->level, (double)joint->anchor_a.x);
    joint->anchor_b.y = (dvc_real)fuzz_number(s, f->level, (double)joint->anchor_b.y);
    joint->frame_a.w = (dvc_real)fuzz_number(s, f->level, (double)joint->frame_a.w);
    if (f->level != FUZZ_HOSTILE) return;
    if (fuzz_chance(s, 10)) joint->body_a = fuzz_below(s, 40) - 4;
    if (fuzz_chance(s, 10)) joint->kind = (dvc_joint_kind)(fuzz_below(s, 9) - 1);
}

/* A drive: gains such as its bodies can feel, from soft to hard, now and then beyond. */
static void fuzz_spice_axis(fuzz_world *f, fuzz_source *s, dvc_axis *axis, double size)
{
    double weight = size * size * fuzz_log_range(s, 1e-2, 1e2);
    if (fuzz_chance(s, 500)) axis->stiffness = (dvc_real)fuzz_number(s, f->level, weight * fuzz_log_range(s, 1, 1e9));
    if (fuzz_chance(s, 500)) axis->damping = (dvc_real)fuzz_number(s, f->level, weight * fuzz_log_range(s, 1e-1, 1e7));
    if (fuzz_chance(s, 300)) axis->armature = (dvc_real)fuzz_number(s, f->level, weight * fuzz_log_range(s, 1e-3, 1e1));
    if (fuzz_chance(s, 700)) axis->target = (dvc_real)fuzz_number(s, f->level, size * fuzz_range(s, -2, 2));
    if (fuzz_chance(s, 300)) axis->speed = (dvc_real)fuzz_number(s, f->level, size * fuzz_range(s, -4, 4));
    if (fuzz_chance(s, 400)) axis->effort = (dvc_real)fuzz_number(s, f->level, weight * fuzz_log_range(s, 1, 1e4));
}

/* One of a generic joint's freedoms: locked, limited, free. */
static void fuzz_spice_range(fuzz_world *f, fuzz_source *s, double size, dvc_real *lower, dvc_real *upper)
{
    int way = fuzz_below(s, 3);
    if (way == 0) return;
    *lower = way == 1 ? (dvc_real)fuzz_number(s, f->level, -size * fuzz_range(s, 0, 1)) : -DVC_INFINITY;
    *upper = way == 1 ? (dvc_real)fuzz_number(s, f->level, size * fuzz_range(s, 0, 1)) : DVC_INFINITY;
}

/* Some joints become ropes, shoulders, or whatever six freedoms allow; what was hinged becomes universal. */
static void fuzz_spice_kind(fuzz_world *f, fuzz_source *s, dvc_joint *j)
{
    switch (fuzz_below(s, 6)) {
    case 0:
        j->kind = DVC_DISTANCE;
        j->slide.limited = true;
        j->slide.lower = 0;
        j->slide.upper = (dvc_real)fuzz_number(s, f->level, f->unit * fuzz_range(s, 0.2, 2));
        break;
    case 1:
        j->kind = DVC_SPHERICAL;
        j->swing = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0.1, 3.5));
        break;
    case 2: j->kind = DVC_UNIVERSAL; break;
    case 3:
        j->kind = DVC_GENERIC;
        fuzz_spice_range(f, s, f->unit, &j->slide_lower.x, &j->slide_upper.x);
        fuzz_spice_range(f, s, f->unit, &j->slide_lower.y, &j->slide_upper.y);
        fuzz_spice_range(f, s, f->unit, &j->slide_lower.z, &j->slide_upper.z);
        fuzz_spice_range(f, s, 1.5, &j->turn_lower.x, &j->turn_upper.x);
        fuzz_spice_range(f, s, 1, &j->turn_lower.y, &j->turn_upper.y);
        fuzz_spice_range(f, s, 3, &j->turn_lower.z, &j->turn_upper.z);
        break;
    default: break;
    }
}

/* A joint with an axis, or -1. */
static int fuzz_geared(fuzz_world *f, fuzz_source *s, int count)
{
    int i = fuzz_below(s, count);
    dvc_joint_kind kind = f->w.joints[i].kind;
    return kind == DVC_NO_JOINT || kind == DVC_FIXED || kind == DVC_UNIVERSAL || kind == DVC_GEAR ? -1 : i;
}

static void fuzz_spice_kinds(fuzz_world *f, fuzz_source *s)
{
    int i, last = f->w.joint_count - 1, a, b;
    dvc_joint *gear = &f->w.joints[last];
    for (i = 0; i <= last; i++) fuzz_spice_kind(f, s, &f->w.joints[i]);
    if (last < 2 || !fuzz_chance(s, 400)) return;
    a = fuzz_geared(f, s, last);
    b = fuzz_geared(f, s, last);
    if (a < 0 || b < 0 || (a == b && f->w.joints[a].kind != DVC_CYLINDRICAL)) return;
    gear->kind = DVC_GEAR; /* in place of the last joint: the arrays are cut to size */
    gear->joint_a = a;
    gear->joint_b = b;
    gear->ratio = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, -3, 3));
    gear->turn.target = 0;
    if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 100)) gear->joint_a = fuzz_below(s, 40) - 4;
}

/* Drives are drawn last: without them the worlds of all seeds are what they were. */
static void fuzz_spice_drives(fuzz_world *f, fuzz_source *s)
{
    int i;
    if (f->isolated || f->w.joint_count == 0 || !fuzz_chance(s, 500)) return;
    for (i = 0; i < f->w.joint_count; i++) {
        if (fuzz_chance(s, 500)) fuzz_spice_axis(f, s, &f->w.joints[i].turn, 1);
        if (fuzz_chance(s, 500)) fuzz_spice_axis(f, s, &f->w.joints[i].slide, f->unit);
    }
    if (fuzz_chance(s, 500)) fuzz_spice_kinds(f, s);
}

static dvc_joint_kind fuzz_joint_kind(fuzz_source *s)
{
    static const dvc_joint_kind kinds[] = { DVC_REVOLUTE,  DVC_REVOLUTE,  DVC_REVOLUTE,    DVC_SPHERICAL,
                                            DVC_SPHERICAL, DVC_PRISMATIC, DVC_CYLINDRICAL, DVC_FIXED };
    return kinds[fuzz_below(s, 8)];
}

static dvc_vec3 fuzz_middle(dvc_vec3 a, dvc_vec3 b)
{
    return fuzz_vec(((double)a.x + (double)b.x) / 2, ((double)a.y + (double)b.y) / 2, ((double)a.z + (double)b.z) / 2);
}

/* Balls and boxes of a body become smaller, others become boxes. */
static void fuzz_shrink_parts(fuzz_world *f, int body, double by)
{
    int i;
    for (i = 0; i < f->w.shape_count; i++) {
        dvc_shape *s = &f->w.shapes[i];
        if (s->body != body) continue;
        if (s->kind == DVC_POLYTOPE || s->kind == DVC_POLYGON) s->kind = DVC_BOX;
        s->radius = (dvc_real)(by * (double)s->radius);
        s->half = fuzz_vec(by * (double)s->half.x, by * (double)s->half.y, by * (double)s->half.z);
        s->position = fuzz_vec(by * (double)s->position.x, by * (double)s->position.y, by * (double)s->position.z);
    }
}

/* Links in a row from body `from` (-1: free), each hinged to the one before; `closed`: the last to the first, or to something else. */
static void fuzz_chain(fuzz_world *f, fuzz_source *s, int from, int count, bool closed)
{
    bool ring = closed && from < 0;
    dvc_vec3 axis = f->w.planar || closed || fuzz_chance(s, 500) ? fuzz_vec(0, 0, 1) : fuzz_any_vec(s, false, 1);
    int first = f->w.body_count, k, last = from;
    bool one_kind = closed || fuzz_chance(s, 600);
    dvc_joint_kind kind = ring && !f->w.planar && fuzz_chance(s, 300) ? DVC_SPHERICAL : DVC_REVOLUTE;
    double turn = fuzz_range(s, -0.3, 0.3), a = 0;
    dvc_vec3 at = fuzz_up(f, 0, 2.2);
    for (k = 0; k < count && f->w.body_count < FUZZ_BODIES; k++) {
        int i;
        if (ring) a = 6.283185307179586 * k / count;
        at = ring ? fuzz_vec(0.9 * cos(a), 2.2 + 0.9 * sin(a), f->w.planar ? 0 : 2.2)
                  : fuzz_vec((double)at.x + 0.6 * cos(a), (double)at.y + 0.6 * sin(a), (double)at.z);
        if (!ring) a += turn;
        i = fuzz_add_thing(f, s, at);
        if (f->level == FUZZ_SANE && !ring) fuzz_shrink_parts(f, i, 0.6); /* links but for neighbours do not reach each other */
        if (f->level == FUZZ_SANE && fuzz_chance(s, 700))
            f->w.bodies[i].velocity = f->w.bodies[i].angular_velocity = fuzz_vec(0, 0, 0);
        if (last >= 0)
            fuzz_spice_joint(f, s,
                             fuzz_join(f, one_kind ? kind : fuzz_joint_kind(s), last, i,
                                       fuzz_middle(f->w.bodies[last].position, f->w.bodies[i].position), axis),
                             !closed);
        last = i;
    }
    if (ring && f->w.body_count - first > 2)
        fuzz_spice_joint(
            f, s, fuzz_join(f, kind, last, first, fuzz_middle(f->w.bodies[last].position, f->w.bodies[first].position), axis),
            false);
}

/* A slider on the ground with an arm on it, driven. */
static void fuzz_slider(fuzz_world *f, fuzz_source *s, int ground)
{
    dvc_vec3 at = fuzz_up(f, -1.5, 1.5);
    int cart = fuzz_add_thing(f, s, at), arm = fuzz_add_thing(f, s, fuzz_up(f, -1.5, 2.2));
    dvc_joint *slide = fuzz_join(f, fuzz_chance(s, 500) ? DVC_PRISMATIC : DVC_CYLINDRICAL, ground, cart,
                                 f->w.bodies[cart].position, fuzz_vec(1, 0, 0));
    if (slide) fuzz_drive(f, s, &slide->slide, f->unit, true);
    fuzz_spice_joint(
        f, s,
        fuzz_join(f, DVC_REVOLUTE, cart, arm, f->w.bodies[cart].position, f->w.planar ? fuzz_vec(0, 0, 1) : fuzz_vec(0, 1, 0)),
        true);
}

static double fuzz_apart(const dvc_body *a, const dvc_body *b)
{
    double x = (double)(a->position.x - b->position.x), y = (double)(a->position.y - b->position.y),
           z = (double)(a->position.z - b->position.z);
    return sqrt(x * x + y * y + z * z);
}

static void fuzz_springs(fuzz_world *f, fuzz_source *s)
{
    int count = 1 + fuzz_below(s, 3), k;
    for (k = 0; k < count && f->w.spring_count < f->spring_room && f->w.body_count > 1; k++) {
        dvc_spring *spring = &f->w.springs[f->w.spring_count++];
        double m = 1 + fuzz_range(s, 0, 3), stiffness = fuzz_log_range(s, 1, f->level == FUZZ_SANE ? 1e3 : 1e10), now;
        memset(spring, 0, sizeof *spring);
        spring->body_a = fuzz_below(s, f->w.body_count);
        spring->body_b = (spring->body_a + 1 + fuzz_below(s, f->w.body_count - 1)) % f->w.body_count;
        spring->anchor_a = fuzz_any_vec(s, f->w.planar, 0.3 * f->unit);
        spring->anchor_b = fuzz_any_vec(s, f->w.planar, 0.3 * f->unit);
        now = fuzz_apart(&f->w.bodies[spring->body_a], &f->w.bodies[spring->body_b]);
        spring->length = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0.7, 1.3) * now);
        spring->stiffness = (dvc_real)fuzz_number(s, f->level, stiffness);
        spring->damping = (dvc_real)fuzz_number(s, f->level, fuzz_chance(s, 500) ? 0 : m);
        if (fuzz_chance(s, 30)) spring->disabled = true;
        if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 20)) spring->body_b = fuzz_below(s, 40) - 4;
    }
}

static void fuzz_pair_rules(fuzz_world *f, fuzz_source *s)
{
    int count = 1 + fuzz_below(s, 4), k;
    for (k = 0; k < count && f->w.pair_rule_count < f->rule_room && f->w.body_count > 1; k++) {
        dvc_pair_rule *rule = &f->rules[f->w.pair_rule_count++];
        memset(rule, 0, sizeof *rule);
        rule->body_a = fuzz_below(s, f->w.body_count);
        rule->body_b = (rule->body_a + 1 + fuzz_below(s, f->w.body_count - 1)) % f->w.body_count;
        rule->ignore = fuzz_chance(s, 250);
        rule->set_friction = fuzz_chance(s, 500);
        rule->friction = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 1.5));
        if (!f->w.planar && fuzz_chance(s, 400)) rule->friction_directions = 3 + fuzz_below(s, 10);
        rule->fixed_tangents = fuzz_chance(s, 300);
        rule->tangent_angle = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, -3, 3));
        rule->set_restitution = fuzz_chance(s, 200);
        rule->restitution = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 1));
        if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 30)) rule->body_a = fuzz_below(s, 50) - 5;
        if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 30))
            rule->friction_directions = (fuzz_below(s, 5) - 2) * 0x3fffffff + fuzz_below(s, 9);
    }
}

/* ---- themes ---- */

static void fuzz_theme_isolated(fuzz_world *f, fuzz_source *s, int count)
{
    int i;
    f->isolated = f->level == FUZZ_SANE;
    f->w.gravity = fuzz_vec(0, 0, 0);
    if (fuzz_chance(s, 400)) fuzz_chain(f, s, -1, count, fuzz_chance(s, 300));
    else fuzz_pour(f, s, count, 0.5);
    for (i = 0; i < f->w.body_count; i++) { /* towards each other */
        dvc_body *b = &f->w.bodies[i];
        if (fuzz_chance(s, 500))
            b->velocity = fuzz_vec(-(double)b->position.x, -(double)b->position.y + f->unit,
                                   f->w.planar ? 0 : -(double)b->position.z + f->unit);
    }
}

static void fuzz_theme_pour(fuzz_world *f, fuzz_source *s, int count)
{
    fuzz_floor(f, s);
    if (fuzz_chance(s, 500)) fuzz_obstacles(f, s);
    fuzz_pour(f, s, count, 0.6);
}

/* Boxes on each other: exactly, or a bit aside. */
static void fuzz_theme_stack(fuzz_world *f, fuzz_source *s, int count)
{
    double aside = fuzz_chance(s, 500) ? 0 : 0.05, top = 0;
    int i;
    fuzz_floor(f, s);
    for (i = 0; i < count && i < 8; i++) {
        double high = fuzz_range(s, 0.1, 0.25);
        int body = fuzz_add_body(f, DVC_DYNAMIC, fuzz_up(f, fuzz_range(s, -aside, aside), top + high));
        dvc_shape *shape = fuzz_add_shape(f, body, DVC_BOX);
        if (!shape) return;
        shape->half = f->w.planar ? fuzz_vec(0.25 * f->unit, high * f->unit, f->unit)
                                  : fuzz_vec(0.25 * f->unit, 0.25 * f->unit, high * f->unit);
        shape->friction = (dvc_real)0.5;
        fuzz_give_mass(f, s, &f->w.bodies[body]);
        top += 2 * high + (fuzz_chance(s, 100) ? 0.01 : 0);
    }
    if (fuzz_chance(s, 500)) fuzz_pour(f, s, 2, top + 0.7);
}

static void fuzz_theme_machine(fuzz_world *f, fuzz_source *s, int count)
{
    int way = fuzz_below(s, 5), ground;
    fuzz_floor(f, s);
    ground = fuzz_add_body(f, DVC_STATIC, fuzz_up(f, -0.6, 2.2));
    if (way == 0) fuzz_chain(f, s, ground, count, false);
    else if (way == 1) fuzz_chain(f, s, -1, 3 + fuzz_below(s, 4), true);
    else if (way == 2) fuzz_slider(f, s, ground);
    else if (way == 3) { /* fixed at both ends */
        int last;
        fuzz_chain(f, s, ground, 2 + fuzz_below(s, 4), true);
        last = f->w.body_count - 1;
        fuzz_spice_joint(f, s, fuzz_join(f, DVC_REVOLUTE, last, ground, f->w.bodies[last].position, fuzz_vec(0, 0, 1)), false);
    } else fuzz_chain(f, s, -1, count, false);
    fuzz_pour(f, s, fuzz_below(s, 4), 3.2);
}

static void fuzz_theme_movers(fuzz_world *f, fuzz_source *s, int count)
{
    int i;
    fuzz_floor(f, s);
    fuzz_movers(f, s);
    for (i = 0; i < f->w.shape_count; i++)
        if (fuzz_chance(s, 150)) f->w.shapes[i].surface_velocity = fuzz_vec(f->unit * fuzz_range(s, -2, 2), 0, 0);
    fuzz_pour(f, s, count, 1.4);
    if (fuzz_chance(s, 300)) { /* something hangs on a mover */
        int a = 0;
        while (a < f->w.body_count && f->w.bodies[a].kind != DVC_KINEMATIC) a++;
        if (a < f->w.body_count)
            fuzz_spice_joint(f, s,
                             fuzz_join(f, fuzz_joint_kind(s), a, f->w.body_count - 1, f->w.bodies[f->w.body_count - 1].position,
                                       fuzz_vec(0, 0, 1)),
                             true);
    }
}

/* Things that slide on a table (2.5D). */
static void fuzz_theme_table(fuzz_world *f, fuzz_source *s, int count)
{
    int i;
    f->w.gravity = fuzz_vec(0, 0, -9.81 * f->unit);
    if (fuzz_chance(s, 500)) fuzz_obstacles(f, s);
    if (fuzz_chance(s, 500)) fuzz_movers(f, s);
    fuzz_pour(f, s, count, 0);
    for (i = 0; i < f->w.body_count; i++)
        if (f->w.bodies[i].kind == DVC_DYNAMIC && fuzz_chance(s, 800))
            f->w.bodies[i].support = &f->supports[fuzz_below(s, FUZZ_SUPPORTS)];
}

/* Between walls that leave little room. */
static void fuzz_theme_pit(fuzz_world *f, fuzz_source *s, int count)
{
    double half = fuzz_range(s, f->w.planar ? 1.9 : 1.3, 2.2);
    int side;
    fuzz_floor(f, s);
    for (side = -1; side <= 1; side += 2) {
        fuzz_fixed_box(f, s, DVC_STATIC, fuzz_up(f, side * (half + 0.5), 2),
                       f->w.planar ? fuzz_vec(0.5, 3, 1) : fuzz_vec(0.5, 2, 3));
        if (!f->w.planar) fuzz_fixed_box(f, s, DVC_STATIC, fuzz_vec(0, side * (half + 0.5), 2), fuzz_vec(2, 0.5, 3));
    }
    fuzz_pour(f, s, count, 0.6);
}

/* ---- the world ---- */

static void fuzz_options(fuzz_world *f, fuzz_source *s)
{
    dvc_world *w = &f->w;
    bool hostile = f->level == FUZZ_HOSTILE;
    if (fuzz_chance(s, 100)) w->contact_model = (dvc_contact_model)fuzz_below(s, DVC_CONTACT_MODEL_COUNT);
    if (fuzz_chance(s, 60)) w->solver = (dvc_solver)fuzz_below(s, DVC_SOLVER_COUNT);
    if (fuzz_chance(s, 40)) w->time_stepping = DVC_ANITESCU_POTRA;
    w->semi_implicit = fuzz_chance(s, 100);
    w->correct_joints = fuzz_chance(s, 60);
    w->sleep = fuzz_chance(s, 150);
    if (!w->planar && fuzz_chance(s, 150)) w->friction_directions = 3 + fuzz_below(s, 12);
    w->fixed_tangents = fuzz_chance(s, 80);
    if (w->fixed_tangents) w->tangent_angle = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, -3, 3));
    if (fuzz_chance(s, 40)) w->epsilon = (dvc_real)fuzz_number(s, f->level, f->unit * fuzz_log_range(s, 1e-4, 0.2));
    if (fuzz_chance(s, 40)) w->recovery_speed = (dvc_real)fuzz_number(s, f->level, f->unit * fuzz_range(s, 0, 5));
    if (fuzz_chance(s, 40)) w->direct_bodies = 1 + fuzz_below(s, 8);
    if (fuzz_chance(s, 40)) w->iterations = fuzz_below(s, 60);
    if (fuzz_chance(s, 20)) w->tolerance = (dvc_real)fuzz_number(s, f->level, 1e-8);
    if (!hostile) return;
    if (fuzz_chance(s, 20)) w->contact_model = (dvc_contact_model)(fuzz_below(s, 9) - 2);
    if (fuzz_chance(s, 20)) w->solver = (dvc_solver)(fuzz_below(s, 14) - 2);
    if (fuzz_chance(s, 20)) w->friction_directions = (fuzz_below(s, 5) - 2) * 0x3fffffff + fuzz_below(s, 9);
    if (fuzz_chance(s, 20)) w->iterations = fuzz_below(s, 20) - 5;
    if (fuzz_chance(s, 20)) w->time = fuzz_hostile(s);
    if (fuzz_chance(s, 20)) w->threads = fuzz_below(s, 9) - 2;
    if (fuzz_chance(s, 20)) w->gravity.y = (dvc_real)fuzz_hostile(s);
}

static void fuzz_make_arrays(fuzz_world *f)
{
    dvc_world *w = &f->w;
    f->body_room = FUZZ_BODIES;
    f->shape_room = FUZZ_SHAPES;
    f->joint_room = FUZZ_JOINTS;
    f->spring_room = FUZZ_SPRINGS;
    f->rule_room = FUZZ_RULES;
    w->bodies = (dvc_body *)fuzz_memory((size_t)f->body_room, sizeof *w->bodies);
    w->shapes = (dvc_shape *)fuzz_memory((size_t)f->shape_room, sizeof *w->shapes);
    w->joints = (dvc_joint *)fuzz_memory((size_t)f->joint_room, sizeof *w->joints);
    w->springs = (dvc_spring *)fuzz_memory((size_t)f->spring_room, sizeof *w->springs);
    f->rules = (dvc_pair_rule *)fuzz_memory((size_t)f->rule_room, sizeof *f->rules);
    f->ways = (fuzz_way *)fuzz_memory((size_t)f->body_room, sizeof *f->ways);
    w->pair_rules = f->rules;
    w->contact_capacity = FUZZ_CONTACTS;
    w->contacts = (dvc_contact *)fuzz_memory((size_t)w->contact_capacity, sizeof *w->contacts);
}

/* An array cut to what is in it. */
static void *fuzz_cut(void *array, int count, size_t size)
{
    void *exact = fuzz_memory((size_t)count, size);
    if (count > 0) memcpy(exact, array, (size_t)count * size);
    free(array);
    return exact;
}

static void fuzz_cut_arrays(fuzz_world *f)
{
    dvc_world *w = &f->w;
    f->body_room = w->body_count;
    f->shape_room = w->shape_count;
    f->joint_room = w->joint_count;
    f->spring_room = w->spring_count;
    f->rule_room = w->pair_rule_count;
    w->bodies = (dvc_body *)fuzz_cut(w->bodies, w->body_count, sizeof *w->bodies);
    w->shapes = (dvc_shape *)fuzz_cut(w->shapes, w->shape_count, sizeof *w->shapes);
    w->joints = (dvc_joint *)fuzz_cut(w->joints, w->joint_count, sizeof *w->joints);
    w->springs = (dvc_spring *)fuzz_cut(w->springs, w->spring_count, sizeof *w->springs);
    f->rules = (dvc_pair_rule *)fuzz_cut(f->rules, w->pair_rule_count, sizeof *f->rules);
    w->pair_rules = f->rules;
}

static void fuzz_make_supports(fuzz_world *f, fuzz_source *s)
{
    int i;
    for (i = 0; i < FUZZ_SUPPORTS; i++) {
        dvc_support *p = &f->supports[i];
        double r = 0.2 * f->unit;
        p->points[0].x = (dvc_real)(r * fuzz_range(s, 0.8, 1.2));
        p->points[1].x = (dvc_real)(-0.5 * r);
        p->points[1].y = (dvc_real)(r * fuzz_range(s, 0.6, 1));
        p->points[2].x = (dvc_real)(-0.5 * r);
        p->points[2].y = (dvc_real)(fuzz_number(s, f->level, -r * fuzz_range(s, 0.6, 1)));
        p->friction = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 0.8));
    }
}

/* A terrain of the bodies before the first that moves. */
static void fuzz_make_terrain(fuzz_world *f)
{
    int bodies = 0, shapes = 0;
    size_t size;
    while (bodies < f->w.body_count && f->w.bodies[bodies].kind == DVC_STATIC) bodies++;
    while (shapes < f->w.shape_count && f->w.shapes[shapes].body < bodies) shapes++;
    size = dvc_terrain_size(&f->w, bodies, shapes);
    if (size == 0) return;
    f->terrain_storage = fuzz_memory(size, 1);
    memset(f->terrain_storage, 0xA5, size);
    FUZZ_UNWRITTEN(f->terrain_storage, size);
    if (dvc_terrain_build(&f->w, bodies, shapes, f->terrain_storage, size, &f->terrain) == DVC_OK) f->w.terrain = &f->terrain;
}

static void fuzz_world_free(fuzz_world *f)
{
    int i;
    for (i = 0; i < FUZZ_HULLS; i++) free(f->hulls[i].storage);
    free(f->w.bodies);
    free(f->w.shapes);
    free(f->w.joints);
    free(f->w.springs);
    free(f->w.contacts);
    free(f->rules);
    free(f->ways);
    free(f->terrain_storage);
    memset(f, 0, sizeof *f);
}

static double fuzz_step_size(fuzz_source *s, fuzz_level level)
{
    static const double usual[] = { 0.01, 0.01, 1 / 60.0, 1 / 60.0, 0.005, 0.002, 0.02, 1 / 240.0 };
    if (level == FUZZ_HOSTILE && fuzz_chance(s, 60)) return fuzz_hostile(s);
    if (level != FUZZ_SANE && fuzz_chance(s, 150)) return fuzz_log_range(s, 1e-7, 0.2);
    return usual[fuzz_below(s, 8)];
}

static void fuzz_world_make(fuzz_world *f, fuzz_source *s, fuzz_level level)
{
    static void (*const themes[])(fuzz_world * f, fuzz_source * s,
                                  int count) = { fuzz_theme_pour,   fuzz_theme_pour,    fuzz_theme_isolated,
                                                 fuzz_theme_stack,  fuzz_theme_machine, fuzz_theme_machine,
                                                 fuzz_theme_movers, fuzz_theme_pit,     fuzz_theme_table };
    int count = 1 + fuzz_below(s, fuzz_chance(s, 200) ? 13 : 5), theme;
    memset(f, 0, sizeof *f);
    f->level = level;
    f->unit = fuzz_chance(s, 150) ? fuzz_log_range(s, 1e-3, 1e3) : 1;
    f->w.planar = fuzz_chance(s, 400);
    f->h = fuzz_step_size(s, level);
    f->w.gravity = fuzz_vec(0, f->w.planar ? -9.81 * f->unit : 0, f->w.planar ? 0 : -9.81 * f->unit);
    if (level != FUZZ_SANE && fuzz_chance(s, 60)) f->w.gravity = fuzz_any_vec(s, false, 1000 * f->unit);
    fuzz_make_arrays(f);
    fuzz_make_supports(f, s);
    theme = fuzz_below(s, f->w.planar ? 9 : 8);
    themes[theme](f, s, count);
    if (fuzz_chance(s, 150)) fuzz_springs(f, s);
    if (fuzz_chance(s, 150)) fuzz_pair_rules(f, s);
    fuzz_cut_arrays(f);
    fuzz_options(f, s);
    if (!f->isolated && fuzz_chance(s, 150)) fuzz_make_terrain(f);
    fuzz_spice_drives(f, s);
}

#endif
