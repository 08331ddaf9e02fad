/* Makes the world of a breach small, and prints it as a C program that needs dvc.h alone.
 *
 * The world is taken as it is before the step that shows the breach. Then things are taken out of it, or set to plain values, one
 * after the other, as long as the step still shows a breach of that kind, and not less than a fifth of its size. */
#ifndef DVC_FUZZ_SHRINK_H
#define DVC_FUZZ_SHRINK_H

#include "step.h"

static struct {
    bool on;
    int step;
    double h, size;  /* of the step, of the breach as it was found */
    bool clean;      /* there was nothing to be made good: that is to stay so */
    bool done;
    long tries;
} fuzz_shrink;

static bool fuzz_guarded_step(fuzz_world *f, double h); /* see main.c: what crashes is caught */

/* Does the step still show it? The world stays as it is. */
static bool fuzz_shows(fuzz_world *f)
{
    static fuzz_copy kept;
    bool shown;
    fuzz_take(&kept, f);
    fuzz_state.caught = false;
    fuzz_state.caught_size = -1;
    fuzz_shrink.tries++;
    memset(&fuzz_cache, 0, sizeof fuzz_cache.known);
    if (f->w.terrain) { /* it may be of other bodies now */
        free(f->terrain_storage);
        f->terrain_storage = NULL;
        f->w.terrain = NULL;
        fuzz_make_terrain(f);
    }
    fuzz_guarded_step(f, fuzz_shrink.h);
    shown = fuzz_state.caught && !(fuzz_state.caught_size < 0.2 * fuzz_shrink.size) && !(fuzz_shrink.clean && fuzz_last_recovers);
    fuzz_give(f, &kept);
    return shown;
}

/* Undoes what a trial did if the breach is gone. */
static bool fuzz_try_it(fuzz_world *f, const fuzz_copy *before)
{
    if (fuzz_shows(f)) return true;
    fuzz_give(f, before);
    return false;
}

#define FUZZ_TRY(what)                                  \
    do {                                                \
        static fuzz_copy before_;                       \
        fuzz_take(&before_, f);                         \
        what;                                           \
        if (!fuzz_arrays_same(f, &before_) || !fuzz_world_same(&f->w, &before_.w)) changed |= fuzz_try_it(f, &before_); \
    } while (0)

/* ---- taking out ---- */

static void fuzz_drop_joint(fuzz_world *f, int i)
{
    int k;
    for (k = 0; k < f->w.joint_count; k++) {
        dvc_joint *j = &f->w.joints[k];
        if (j->kind != DVC_GEAR) continue;
        if (j->joint_a == i || j->joint_b == i) j->kind = DVC_NO_JOINT;
        j->joint_a -= j->joint_a > i;
        j->joint_b -= j->joint_b > i;
    }
    memmove(&f->w.joints[i], &f->w.joints[i + 1], (size_t)(f->w.joint_count - i - 1) * sizeof *f->w.joints);
    f->w.joint_count--;
}

static void fuzz_drop_spring(fuzz_world *f, int i)
{
    memmove(&f->w.springs[i], &f->w.springs[i + 1], (size_t)(f->w.spring_count - i - 1) * sizeof *f->w.springs);
    f->w.spring_count--;
}

static void fuzz_drop_rule(fuzz_world *f, int i)
{
    memmove(&f->rules[i], &f->rules[i + 1], (size_t)(f->w.pair_rule_count - i - 1) * sizeof *f->rules);
    f->w.pair_rule_count--;
}

static void fuzz_drop_contact(fuzz_world *f, int i)
{
    memmove(&f->w.contacts[i], &f->w.contacts[i + 1], (size_t)(f->w.contact_count - i - 1) * sizeof *f->w.contacts);
    f->w.contact_count--;
}

static void fuzz_drop_shape(fuzz_world *f, int i)
{
    int k;
    for (k = f->w.contact_count - 1; k >= 0; k--) {
        dvc_contact *c = &f->w.contacts[k];
        if (c->shape_a == i || c->shape_b == i) { fuzz_drop_contact(f, k); continue; }
        c->shape_a -= c->shape_a > i;
        c->shape_b -= c->shape_b > i;
    }
    memmove(&f->w.shapes[i], &f->w.shapes[i + 1], (size_t)(f->w.shape_count - i - 1) * sizeof *f->w.shapes);
    f->w.shape_count--;
}

static void fuzz_drop_body(fuzz_world *f, int i)
{
    dvc_world *w = &f->w;
    int k;
    for (k = w->shape_count - 1; k >= 0; k--) if (w->shapes[k].body == i) fuzz_drop_shape(f, k);
    for (k = w->joint_count - 1; k >= 0; k--) if (w->joints[k].body_a == i || w->joints[k].body_b == i) fuzz_drop_joint(f, k);
    for (k = w->spring_count - 1; k >= 0; k--) if (w->springs[k].body_a == i || w->springs[k].body_b == i) fuzz_drop_spring(f, k);
    for (k = w->pair_rule_count - 1; k >= 0; k--) if (f->rules[k].body_a == i || f->rules[k].body_b == i) fuzz_drop_rule(f, k);
#define FUZZ_DOWN(x) ((x) -= (x) > i)
    for (k = 0; k < w->shape_count; k++) FUZZ_DOWN(w->shapes[k].body);
    for (k = 0; k < w->joint_count; k++) { FUZZ_DOWN(w->joints[k].body_a); FUZZ_DOWN(w->joints[k].body_b); }
    for (k = 0; k < w->spring_count; k++) { FUZZ_DOWN(w->springs[k].body_a); FUZZ_DOWN(w->springs[k].body_b); }
    for (k = 0; k < w->pair_rule_count; k++) { FUZZ_DOWN(f->rules[k].body_a); FUZZ_DOWN(f->rules[k].body_b); }
    for (k = 0; k < w->contact_count; k++) { FUZZ_DOWN(w->contacts[k].body_a); FUZZ_DOWN(w->contacts[k].body_b); }
#undef FUZZ_DOWN
    memmove(&w->bodies[i], &w->bodies[i + 1], (size_t)(w->body_count - i - 1) * sizeof *w->bodies);
    w->body_count--;
}

static bool fuzz_take_out(fuzz_world *f)
{
    bool changed = false;
    int i;
    FUZZ_TRY(f->w.terrain = NULL);
    FUZZ_TRY(f->w.contact_count = 0);
    for (i = f->w.body_count - 1; i >= 0; i--) if (i < f->w.body_count && f->w.body_count > 1) FUZZ_TRY(fuzz_drop_body(f, i));
    for (i = f->w.shape_count - 1; i >= 0; i--) if (i < f->w.shape_count) FUZZ_TRY(fuzz_drop_shape(f, i));
    for (i = f->w.joint_count - 1; i >= 0; i--) if (i < f->w.joint_count) FUZZ_TRY(fuzz_drop_joint(f, i));
    for (i = f->w.spring_count - 1; i >= 0; i--) if (i < f->w.spring_count) FUZZ_TRY(fuzz_drop_spring(f, i));
    for (i = f->w.pair_rule_count - 1; i >= 0; i--) if (i < f->w.pair_rule_count) FUZZ_TRY(fuzz_drop_rule(f, i));
    for (i = f->w.contact_count - 1; i >= 0; i--) if (i < f->w.contact_count) FUZZ_TRY(fuzz_drop_contact(f, i));
    return changed;
}

/* ---- plain values ---- */

static bool fuzz_plain_options(fuzz_world *f)
{
    dvc_world *w = &f->w;
    bool changed = false;
    FUZZ_TRY(w->contact_model = DVC_PEG);
    FUZZ_TRY(w->solver = DVC_AUTO);
    FUZZ_TRY(w->time_stepping = DVC_STEWART_TRINKLE);
    FUZZ_TRY(w->semi_implicit = false);
    FUZZ_TRY(w->correct_joints = false);
    FUZZ_TRY(w->strict = false);
    FUZZ_TRY(w->sleep = false);
    FUZZ_TRY(w->friction_directions = 0);
    FUZZ_TRY(w->fixed_tangents = false; w->tangent_angle = 0);
    FUZZ_TRY(w->epsilon = 0);
    FUZZ_TRY(w->recovery_speed = 0);
    FUZZ_TRY(w->tolerance = 0);
    FUZZ_TRY(w->direct_bodies = 0);
    FUZZ_TRY(w->iterations = 0);
    FUZZ_TRY(w->threads = 0);
    FUZZ_TRY(w->gravity = fuzz_vec(0, 0, 0));
    FUZZ_TRY(w->time = 0);
    return changed;
}

static bool fuzz_plain_bodies(fuzz_world *f)
{
    bool changed = false;
    int i;
    for (i = 0; i < f->w.body_count; i++) {
        dvc_body *b = &f->w.bodies[i];
        FUZZ_TRY(b->velocity = fuzz_vec(0, 0, 0));
        FUZZ_TRY(b->angular_velocity = fuzz_vec(0, 0, 0));
        FUZZ_TRY(b->force = fuzz_vec(0, 0, 0));
        FUZZ_TRY(b->torque = fuzz_vec(0, 0, 0));
        FUZZ_TRY(b->linear_damping = b->angular_damping = 0);
        FUZZ_TRY(b->motion = NULL; b->user = NULL);
        FUZZ_TRY(b->support = NULL);
        FUZZ_TRY(b->asleep = 0);
        if (!f->isolated) FUZZ_TRY(b->kind = DVC_STATIC);
        FUZZ_TRY(b->orientation = fuzz_turn(fuzz_vec(0, 0, 0), 0));
        FUZZ_TRY(b->position = fuzz_vec(0, 0, 0));
        FUZZ_TRY(b->mass = 1);
        FUZZ_TRY(b->inertia = fuzz_vec((double)b->mass / 10, (double)b->mass / 10, (double)b->mass / 10));
    }
    return changed;
}

static bool fuzz_plain_shapes(fuzz_world *f)
{
    bool changed = false;
    int i;
    for (i = 0; i < f->w.shape_count; i++) {
        dvc_shape *s = &f->w.shapes[i];
        FUZZ_TRY(s->friction = 0);
        FUZZ_TRY(s->friction = (dvc_real)0.5);
        FUZZ_TRY(s->restitution = 0);
        FUZZ_TRY(s->surface_velocity = fuzz_vec(0, 0, 0));
        FUZZ_TRY(s->category = s->ignore = 0);
        FUZZ_TRY(s->sensor = false);
        FUZZ_TRY(s->position = fuzz_vec(0, 0, 0));
        FUZZ_TRY(s->orientation = fuzz_turn(fuzz_vec(0, 0, 0), 0));
        if (s->kind == DVC_POLYTOPE || s->kind == DVC_POLYGON)
            FUZZ_TRY(s->kind = DVC_BOX; s->half = fuzz_vec(0.3 * f->unit, 0.3 * f->unit, 0.3 * f->unit));
        if (s->kind == DVC_BOX) FUZZ_TRY(s->half = fuzz_vec(0.3 * f->unit, 0.3 * f->unit, 0.3 * f->unit));
        if (s->kind == DVC_SPHERE) FUZZ_TRY(s->radius = (dvc_real)(0.3 * f->unit));
    }
    return changed;
}

static bool fuzz_plain_joints(fuzz_world *f)
{
    bool changed = false;
    dvc_axis none;
    int i;
    memset(&none, 0, sizeof none);
    for (i = 0; i < f->w.joint_count; i++) {
        dvc_joint *j = &f->w.joints[i];
        FUZZ_TRY(j->turn = none);
        FUZZ_TRY(j->slide = none);
        FUZZ_TRY(j->turn.limited = false);
        FUZZ_TRY(j->turn.effort = j->turn.speed = 0);
        FUZZ_TRY(j->turn.stiffness = j->turn.damping = j->turn.target = 0);
        FUZZ_TRY(j->turn.armature = 0);
        FUZZ_TRY(j->slide.stiffness = j->slide.damping = j->slide.target = 0);
        FUZZ_TRY(j->slide.armature = 0);
        FUZZ_TRY(j->turn.friction = 0);
        FUZZ_TRY(j->turn.force = 0);
        FUZZ_TRY(j->slide.limited = false);
        FUZZ_TRY(j->slide.effort = j->slide.speed = 0);
        FUZZ_TRY(j->slide.friction = 0);
        FUZZ_TRY(j->slide.force = 0);
        FUZZ_TRY(j->impulse = j->angular_impulse = fuzz_vec(0, 0, 0));
        FUZZ_TRY(j->warm = 0);
        FUZZ_TRY(j->collide = true);
        FUZZ_TRY(j->kind = DVC_SPHERICAL);
        FUZZ_TRY(j->frame_a = j->frame_b = fuzz_turn(fuzz_vec(0, 0, 0), 0));
    }
    for (i = 0; i < f->w.spring_count; i++) {
        FUZZ_TRY(f->w.springs[i].damping = 0);
        FUZZ_TRY(f->w.springs[i].length = 0);
        FUZZ_TRY(f->w.springs[i].force = 0);
    }
    return changed;
}

/* The number with so many digits. */
static dvc_real fuzz_digits(dvc_real x, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, (double)x);
    return (dvc_real)strtod(text, NULL);
}

static bool fuzz_short_vec(fuzz_world *f, dvc_vec3 *v, int digits)
{
    bool changed = false;
    FUZZ_TRY(v->x = fuzz_digits(v->x, digits));
    FUZZ_TRY(v->y = fuzz_digits(v->y, digits));
    FUZZ_TRY(v->z = fuzz_digits(v->z, digits));
    return changed;
}

static bool fuzz_short_quat(fuzz_world *f, dvc_quat *q, int digits)
{
    bool changed = false;
    FUZZ_TRY(q->w = fuzz_digits(q->w, digits); q->x = fuzz_digits(q->x, digits); q->y = fuzz_digits(q->y, digits);
             q->z = fuzz_digits(q->z, digits));
    return changed;
}

static bool fuzz_shorten(fuzz_world *f, int digits)
{
    bool changed = false;
    int i;
    for (i = 0; i < f->w.body_count; i++) {
        dvc_body *b = &f->w.bodies[i];
        changed |= fuzz_short_vec(f, &b->position, digits);
        changed |= fuzz_short_vec(f, &b->velocity, digits);
        changed |= fuzz_short_vec(f, &b->angular_velocity, digits);
        changed |= fuzz_short_vec(f, &b->inertia, digits);
        changed |= fuzz_short_quat(f, &b->orientation, digits);
        changed |= fuzz_short_vec(f, &b->force, digits);
        changed |= fuzz_short_vec(f, &b->torque, digits);
        FUZZ_TRY(b->mass = fuzz_digits(b->mass, digits));
    }
    for (i = 0; i < f->w.shape_count; i++) {
        dvc_shape *s = &f->w.shapes[i];
        changed |= fuzz_short_vec(f, &s->half, digits);
        changed |= fuzz_short_vec(f, &s->position, digits);
        changed |= fuzz_short_quat(f, &s->orientation, digits);
        FUZZ_TRY(s->radius = fuzz_digits(s->radius, digits));
        FUZZ_TRY(s->friction = fuzz_digits(s->friction, digits));
    }
    for (i = 0; i < f->w.joint_count; i++) {
        dvc_joint *j = &f->w.joints[i];
        changed |= fuzz_short_vec(f, &j->anchor_a, digits);
        changed |= fuzz_short_vec(f, &j->anchor_b, digits);
        changed |= fuzz_short_quat(f, &j->frame_a, digits);
        changed |= fuzz_short_quat(f, &j->frame_b, digits);
    }
    return changed;
}

/* A hull with fewer corners. */
static bool fuzz_fewer_points(fuzz_world *f)
{
    bool changed = false;
    int k, i;
    for (k = 0; k < f->hull_count; k++)
        for (i = f->hulls[k].count - 1; i >= 0 && f->hulls[k].count > 4; i--) {
            fuzz_hull *hull = &f->hulls[k], kept = *hull;
            size_t size = dvc_polytope_size(hull->count - 1);
            memmove(&hull->points[i], &hull->points[i + 1], (size_t)(hull->count - i - 1) * sizeof *hull->points);
            hull->count--;
            hull->storage = fuzz_memory(size, 1);
            if (dvc_polytope_build(hull->points, hull->count, hull->storage, size, &hull->polytope) == DVC_OK && fuzz_shows(f)) {
                free(kept.storage);
                changed = true;
                continue;
            }
            free(hull->storage);
            *hull = kept;
        }
    return changed;
}

/* ---- the program ---- */

static void fuzz_print_vec(const char *name, dvc_vec3 v)
{
    if (v.x != 0 || v.y != 0 || v.z != 0) printf(" .%s = { %.17g, %.17g, %.17g },", name, (double)v.x, (double)v.y, (double)v.z);
}

static void fuzz_print_quat(const char *name, dvc_quat q)
{
    if (q.x != 0 || q.y != 0 || q.z != 0 || (q.w != 1 && q.w != 0))
        printf(" .%s = { %.17g, %.17g, %.17g, %.17g },", name, (double)q.w, (double)q.x, (double)q.y, (double)q.z);
}

static void fuzz_print_real(const char *name, double x) { if (x != 0) printf(" .%s = %.17g,", name, x); }
static void fuzz_print_int(const char *name, long x) { if (x != 0) printf(" .%s = %ld,", name, x); }
static void fuzz_print_true(const char *name, bool x) { if (x) printf(" .%s = true,", name); }

static void fuzz_print_axis(const char *name, const dvc_axis *a)
{
    if (!a->limited && a->effort == 0 && a->friction == 0 && a->force == 0 && a->position == 0 && a->impulse == 0
        && a->stiffness == 0 && a->damping == 0 && a->armature == 0)
        return;
    printf(" .%s = {", name);
    fuzz_print_true("limited", a->limited);
    fuzz_print_real("lower", (double)a->lower);
    fuzz_print_real("upper", (double)a->upper);
    fuzz_print_real("speed", (double)a->speed);
    fuzz_print_real("effort", (double)a->effort);
    fuzz_print_real("stiffness", (double)a->stiffness);
    fuzz_print_real("damping", (double)a->damping);
    fuzz_print_real("target", (double)a->target);
    fuzz_print_real("armature", (double)a->armature);
    fuzz_print_real("friction", (double)a->friction);
    fuzz_print_real("force", (double)a->force);
    fuzz_print_real("position", (double)a->position);
    fuzz_print_real("velocity", (double)a->velocity);
    fuzz_print_real("impulse", (double)a->impulse);
    printf(" },");
}

static int fuzz_hull_of(const fuzz_world *f, const dvc_polytope *p)
{
    int k = 0;
    while (k < f->hull_count && &f->hulls[k].polytope != p) k++;
    return k;
}

static int fuzz_polygon_of(const fuzz_world *f, const dvc_vec2 *p)
{
    int k = 0;
    while (k < f->polygon_count && f->polygons[k].points != p) k++;
    return k;
}

static bool fuzz_pool_used(const fuzz_world *f, int hull, int polygon)
{
    int i;
    for (i = 0; i < f->w.shape_count; i++) {
        const dvc_shape *s = &f->w.shapes[i];
        if (s->kind == DVC_POLYTOPE && fuzz_hull_of(f, s->polytope) == hull) return true;
        if (s->kind == DVC_POLYGON && fuzz_polygon_of(f, s->points) == polygon) return true;
    }
    return false;
}

static void fuzz_print_pools(const fuzz_world *f)
{
    int k, i;
    for (k = 0; k < f->hull_count; k++) {
        if (!fuzz_pool_used(f, k, -1)) continue;
        printf("static dvc_polytope hull%d;\nstatic const dvc_vec3 points%d[] = {\n", k, k);
        for (i = 0; i < f->hulls[k].count; i++)
            printf("    { %.17g, %.17g, %.17g },\n", (double)f->hulls[k].points[i].x, (double)f->hulls[k].points[i].y,
                   (double)f->hulls[k].points[i].z);
        printf("};\n");
    }
    for (k = 0; k < f->polygon_count; k++) {
        if (!fuzz_pool_used(f, -1, k)) continue;
        printf("static const dvc_vec2 polygon%d[] = {\n", k);
        for (i = 0; i < f->polygons[k].count; i++)
            printf("    { %.17g, %.17g },\n", (double)f->polygons[k].points[i].x, (double)f->polygons[k].points[i].y);
        printf("};\n");
    }
    for (k = 0; k < FUZZ_SUPPORTS; k++) {
        const dvc_support *p = &f->supports[k];
        bool used = false;
        for (i = 0; i < f->w.body_count; i++) used = used || f->w.bodies[i].support == p;
        if (used)
            printf("static const dvc_support support%d = { { { %.17g, %.17g }, { %.17g, %.17g }, { %.17g, %.17g } }, %.17g };\n",
                   k, (double)p->points[0].x, (double)p->points[0].y, (double)p->points[1].x, (double)p->points[1].y,
                   (double)p->points[2].x, (double)p->points[2].y, (double)p->friction);
    }
}

static void fuzz_print_motion(int i, const fuzz_way *way)
{
    printf("static void move%d(void *user, dvc_real t, dvc_vec3 *x, dvc_quat *q)\n{\n", i);
    printf(
        "    const dvc_vec3 from = { %.17g, %.17g, %.17g }, reach = { %.17g, %.17g, %.17g }, axis = { %.17g, %.17g, %.17g };\n",
        (double)way->from.x, (double)way->from.y, (double)way->from.z, (double)way->reach.x, (double)way->reach.y,
        (double)way->reach.z, (double)way->axis.x, (double)way->axis.y, (double)way->axis.z);
    printf(
        "    double s = sin(%.17g * t);\n    (void)user;\n    x->x = from.x + s * reach.x;\n    x->y = from.y + s * reach.y;\n   "
        " x->z = from.z + s * reach.z;\n    *q = dvc_quat_turn(axis, %.17g * t); /* after { %.17g, %.17g, %.17g, %.17g } */\n}\n",
        way->rate, way->spin, (double)way->turned.w, (double)way->turned.x, (double)way->turned.y, (double)way->turned.z);
}

static void fuzz_print_bodies(const fuzz_world *f)
{
    static const char *const kinds[] = { "DVC_DYNAMIC", "DVC_STATIC", "DVC_KINEMATIC" };
    int i;
    for (i = 0; i < f->w.body_count; i++) if (f->w.bodies[i].motion) fuzz_print_motion(i, (const fuzz_way *)f->w.bodies[i].user);
    printf("static dvc_body bodies[] = {\n");
    for (i = 0; i < f->w.body_count; i++) {
        const dvc_body *b = &f->w.bodies[i];
        printf("    { .kind = %s,", (unsigned)b->kind < 3 ? kinds[b->kind] : "(dvc_body_kind)9");
        fuzz_print_true("disabled", b->disabled);
        if (b->kind == DVC_DYNAMIC) { fuzz_print_real("mass", (double)b->mass); fuzz_print_vec("inertia", b->inertia); }
        fuzz_print_vec("position", b->position);
        fuzz_print_quat("orientation", b->orientation);
        fuzz_print_vec("velocity", b->velocity);
        fuzz_print_vec("angular_velocity", b->angular_velocity);
        fuzz_print_vec("force", b->force);
        fuzz_print_vec("torque", b->torque);
        fuzz_print_real("linear_damping", (double)b->linear_damping);
        fuzz_print_real("angular_damping", (double)b->angular_damping);
        if (b->motion) printf(" .motion = move%d,", i);
        if (b->support) printf(" .support = &support%d,", (int)(b->support - f->supports));
        if (b->asleep) printf(" .asleep = %lluu,", (unsigned long long)b->asleep);
        printf(" },\n");
    }
    printf("};\n");
}

static void fuzz_print_shapes(const fuzz_world *f)
{
    static const char *const kinds[] = { "DVC_NO_SHAPE", "DVC_SPHERE", "DVC_PLANE", "DVC_BOX", "DVC_POLYTOPE", "DVC_POLYGON" };
    int i;
    printf("static dvc_shape shapes[] = {\n");
    for (i = 0; i < f->w.shape_count; i++) {
        const dvc_shape *s = &f->w.shapes[i];
        printf("    { .kind = %s, .body = %d,", (unsigned)s->kind < 6 ? kinds[s->kind] : "(dvc_shape_kind)9", s->body);
        fuzz_print_true("disabled", s->disabled);
        fuzz_print_true("sensor", s->sensor);
        fuzz_print_real("friction", (double)s->friction);
        fuzz_print_real("restitution", (double)s->restitution);
        fuzz_print_vec("position", s->position);
        fuzz_print_quat("orientation", s->orientation);
        if (s->kind == DVC_PLANE) fuzz_print_vec("normal", s->normal);
        if (s->kind == DVC_BOX) fuzz_print_vec("half", s->half);
        if (s->kind == DVC_SPHERE) fuzz_print_real("radius", (double)s->radius);
        if (s->kind == DVC_POLYTOPE) printf(" .polytope = &hull%d,", fuzz_hull_of(f, s->polytope));
        if (s->kind == DVC_POLYGON)
            printf(" .points = polygon%d, .point_count = %d,", fuzz_polygon_of(f, s->points), s->point_count);
        fuzz_print_vec("surface_velocity", s->surface_velocity);
        fuzz_print_int("category", (long)s->category);
        fuzz_print_int("ignore", (long)s->ignore);
        printf(" },\n");
    }
    printf("    { .kind = DVC_NO_SHAPE },\n};\n");
}

static void fuzz_print_ties(const fuzz_world *f)
{
    static const char *const kinds[] = { "DVC_NO_JOINT",  "DVC_FIXED",       "DVC_REVOLUTE",
                                         "DVC_PRISMATIC", "DVC_CYLINDRICAL", "DVC_SPHERICAL",
                                         "DVC_UNIVERSAL", "DVC_DISTANCE",    "DVC_GENERIC",
                                         "DVC_GEAR" };
    int i;
    printf("static dvc_joint joints[] = {\n");
    for (i = 0; i < f->w.joint_count; i++) {
        const dvc_joint *j = &f->w.joints[i];
        printf("    { .kind = %s, .body_a = %d, .body_b = %d,", (unsigned)j->kind < DVC_JOINT_KIND_COUNT ? kinds[j->kind] : "(dvc_joint_kind)99",
               j->body_a, j->body_b);
        fuzz_print_true("disabled", j->disabled);
        fuzz_print_true("collide", j->collide);
        fuzz_print_vec("anchor_a", j->anchor_a);
        fuzz_print_vec("anchor_b", j->anchor_b);
        fuzz_print_quat("frame_a", j->frame_a);
        fuzz_print_quat("frame_b", j->frame_b);
        fuzz_print_axis("turn", &j->turn);
        fuzz_print_axis("slide", &j->slide);
        fuzz_print_real("swing", (double)j->swing);
        fuzz_print_vec("slide_lower", j->slide_lower);
        fuzz_print_vec("slide_upper", j->slide_upper);
        fuzz_print_vec("turn_lower", j->turn_lower);
        fuzz_print_vec("turn_upper", j->turn_upper);
        fuzz_print_int("joint_a", j->joint_a);
        fuzz_print_int("joint_b", j->joint_b);
        fuzz_print_real("ratio", (double)j->ratio);
        fuzz_print_vec("impulse", j->impulse);
        fuzz_print_vec("angular_impulse", j->angular_impulse);
        if (j->warm) printf(" .warm = %uu,", (unsigned)j->warm);
        printf(" },\n");
    }
    printf("    { .kind = DVC_NO_JOINT },\n};\nstatic dvc_spring springs[] = {\n");
    for (i = 0; i < f->w.spring_count; i++) {
        const dvc_spring *s = &f->w.springs[i];
        printf("    { .body_a = %d, .body_b = %d,", s->body_a, s->body_b);
        fuzz_print_true("disabled", s->disabled);
        fuzz_print_vec("anchor_a", s->anchor_a);
        fuzz_print_vec("anchor_b", s->anchor_b);
        fuzz_print_real("length", (double)s->length);
        fuzz_print_real("stiffness", (double)s->stiffness);
        fuzz_print_real("damping", (double)s->damping);
        fuzz_print_real("force", (double)s->force);
        printf(" },\n");
    }
    printf("    { .disabled = true },\n};\nstatic const dvc_pair_rule rules[] = {\n");
    for (i = 0; i < f->w.pair_rule_count; i++) {
        const dvc_pair_rule *r = &f->rules[i];
        printf("    { .body_a = %d, .body_b = %d,", r->body_a, r->body_b);
        fuzz_print_true("ignore", r->ignore);
        fuzz_print_true("set_friction", r->set_friction);
        fuzz_print_real("friction", (double)r->friction);
        fuzz_print_int("friction_directions", r->friction_directions);
        fuzz_print_true("fixed_tangents", r->fixed_tangents);
        fuzz_print_real("tangent_angle", (double)r->tangent_angle);
        fuzz_print_true("set_restitution", r->set_restitution);
        fuzz_print_real("restitution", (double)r->restitution);
        printf(" },\n");
    }
    printf("    { 0 },\n};\n");
}

static void fuzz_print_contacts(const fuzz_world *f)
{
    int i;
    printf("static dvc_contact contacts[4096] = {\n");
    for (i = 0; i < f->w.contact_count; i++) {
        const dvc_contact *c = &f->w.contacts[i];
        printf("    { .body_a = %d, .body_b = %d, .shape_a = %d, .shape_b = %d, .feature_a = %uu, .feature_b = %uu,", c->body_a,
               c->body_b, c->shape_a, c->shape_b, (unsigned)c->feature_a, (unsigned)c->feature_b);
        fuzz_print_int("group", c->group);
        fuzz_print_int("facet", c->facet);
        fuzz_print_true("chosen", c->chosen);
        fuzz_print_true("sensor", c->sensor);
        printf(" .phase = (dvc_phase)%d, .warm = %uu,", (int)c->phase, (unsigned)c->warm);
        fuzz_print_vec("point", c->point);
        fuzz_print_vec("normal", c->normal);
        fuzz_print_real("gap", (double)c->gap);
        fuzz_print_vec("impulse", c->impulse);
        fuzz_print_real("normal_impulse", (double)c->normal_impulse);
        printf(" },\n");
    }
    printf("    { 0 },\n};\n");
}

static void fuzz_print_world(const fuzz_world *f)
{
    const dvc_world *w = &f->w;
    printf("    dvc_world w = { .bodies = bodies, .body_count = %d, .shapes = shapes, .shape_count = %d, .joints = joints, "
           ".joint_count = %d,\n",
           w->body_count, w->shape_count, w->joint_count);
    printf("        .springs = springs, .spring_count = %d, .pair_rules = rules, .pair_rule_count = %d, .contacts = contacts, "
           ".contact_capacity = 4096,\n",
           w->spring_count, w->pair_rule_count);
    printf("        .contact_count = %d, .scratch_size = 1 << 26,", w->contact_count);
    fuzz_print_vec("gravity", w->gravity);
    fuzz_print_true("planar", w->planar);
    fuzz_print_int("contact_model", w->contact_model);
    fuzz_print_int("solver", w->solver);
    fuzz_print_int("time_stepping", w->time_stepping);
    fuzz_print_true("semi_implicit", w->semi_implicit);
    fuzz_print_true("correct_joints", w->correct_joints);
    fuzz_print_true("strict", w->strict);
    fuzz_print_true("sleep", w->sleep);
    fuzz_print_int("friction_directions", w->friction_directions);
    fuzz_print_true("fixed_tangents", w->fixed_tangents);
    fuzz_print_real("tangent_angle", (double)w->tangent_angle);
    fuzz_print_real("epsilon", (double)w->epsilon);
    fuzz_print_real("recovery_speed", (double)w->recovery_speed);
    fuzz_print_real("tolerance", (double)w->tolerance);
    fuzz_print_int("direct_bodies", w->direct_bodies);
    fuzz_print_int("iterations", w->iterations);
    fuzz_print_real("time", w->time);
    printf(" };\n");
}

static void fuzz_print_program(const fuzz_world *f)
{
    int k;
    printf("/* %s: %.3g. Seed %llu of level %d, step %d; a build without DVC_ASSERT may show it otherwise. */\n",
           fuzz_kind_texts[fuzz_state.hunted].text, fuzz_shrink.size, (unsigned long long)fuzz_state.seed, (int)fuzz_state.level,
           fuzz_shrink.step);
    puts("#define DVC_IMPLEMENTATION\n#include \"dvc.h\"\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n");
    fuzz_print_pools(f);
    fuzz_print_bodies(f);
    fuzz_print_shapes(f);
    fuzz_print_ties(f);
    fuzz_print_contacts(f);
    puts("\nint main(void)\n{\n    int i;\n    dvc_status status;\n    dvc_gap gap;\n    double energy;");
    fuzz_print_world(f);
    if (f->w.terrain)
        printf("    dvc_terrain terrain;\n    size_t size = dvc_terrain_size(&w, %d, %d);\n    dvc_terrain_build(&w, %d, %d, "
               "malloc(size), size, &terrain);\n    w.terrain = &terrain;\n",
               f->terrain.body_count, f->terrain.shape_count, f->terrain.body_count, f->terrain.shape_count);
    puts("    w.scratch = malloc(w.scratch_size);");
    for (k = 0; k < f->hull_count; k++)
        if (fuzz_pool_used(f, k, -1))
            printf("    dvc_polytope_build(points%d, %d, malloc(dvc_polytope_size(%d)), dvc_polytope_size(%d), &hull%d);\n", k,
                   f->hulls[k].count, f->hulls[k].count, f->hulls[k].count, k);
    printf("    energy = (double)dvc_energy(&w);\n    status = dvc_step(&w, %.17g);\n", fuzz_shrink.h);
    puts("    printf(\"%s\\nresidual %g inexact %d fallbacks %d halvings %d repeats %d worst_gap %g energy_excess %g; energy "
         "%.17g -> %.17g\\n\", dvc_status_text(status), (double)w.report.residual,\n"
         "           w.report.inexact, w.report.fallbacks, w.report.halvings, w.report.repeats, (double)w.report.worst_gap, "
         "(double)w.report.energy_excess, energy, (double)dvc_energy(&w));\n"
         "    for (i = 0; i < w.contact_count; i++) {\n"
         "        const dvc_contact *c = &contacts[i];\n"
         "        printf(\"contact %d of shapes %d %d, phase %d%s: gap %.3g, impulse %.3g %.3g %.3g, normal %.3g %.3g %.3g, push "
         "%.3g\", i, c->shape_a, c->shape_b, (int)c->phase, c->chosen ? \", chosen\" : \"\", (double)c->gap,\n"
         "               (double)c->impulse.x, (double)c->impulse.y, (double)c->impulse.z, (double)c->normal.x, "
         "(double)c->normal.y, (double)c->normal.z, (double)c->normal_impulse);\n"
         "        if (dvc_distance(&w, c->shape_a, c->shape_b, &gap) == DVC_OK) printf(\"; distance %.3g\", "
         "(double)gap.distance);\n"
         "        printf(\"\\n\");\n    }\n"
         "    for (i = 0; i < w.joint_count; i++)\n"
         "        printf(\"joint %d: error %.3g, turn %.6g, slide %.6g, impulse %.3g %.3g %.3g\\n\", i, "
         "(double)dvc_joint_error(&w, i), (double)joints[i].turn.position, (double)joints[i].slide.position,\n"
         "               (double)joints[i].impulse.x, (double)joints[i].impulse.y, (double)joints[i].impulse.z);\n"
         "    for (i = 0; i < w.body_count; i++)\n"
         "        printf(\"body %d: at %.6g %.6g %.6g, v %.6g %.6g %.6g, w %.6g %.6g %.6g\\n\", i, (double)bodies[i].position.x, "
         "(double)bodies[i].position.y, (double)bodies[i].position.z, (double)bodies[i].velocity.x,\n"
         "               (double)bodies[i].velocity.y, (double)bodies[i].velocity.z, (double)bodies[i].angular_velocity.x, "
         "(double)bodies[i].angular_velocity.y, (double)bodies[i].angular_velocity.z);\n"
         "    return 0;\n}");
}

/* Called before each step; at the one that is wanted the world is made small, printed, and the run is over. */
static void fuzz_shrink_here(fuzz_world *f, double h)
{
    int round = 0;
    bool changed = true;
    if (!fuzz_shrink.on || fuzz_state.step != fuzz_shrink.step) return;
    fuzz_state.hunting = true;
    fuzz_shrink.h = h;
    fuzz_shrink.size = 0;
    if (!fuzz_shows(f)) {
        fprintf(stderr, "step %d of seed %llu does not show it\n", fuzz_shrink.step, (unsigned long long)fuzz_state.seed);
        exit(1);
    }
    fuzz_shrink.size = fuzz_state.caught_size;
    fuzz_shrink.clean = !fuzz_last_recovers;
    while (changed && round++ < 8) {
        changed = fuzz_take_out(f);
        changed |= fuzz_plain_options(f);
        changed |= fuzz_fewer_points(f);
        changed |= fuzz_plain_bodies(f);
        changed |= fuzz_plain_shapes(f);
        changed |= fuzz_plain_joints(f);
        if (round > 1) changed |= fuzz_shorten(f, 2);
        if (round > 1) changed |= fuzz_shorten(f, 4);
    }
    fuzz_shows(f);
    fuzz_shrink.size = fuzz_state.caught_size;
    fuzz_print_program(f);
    fprintf(stderr, "%ld tries\n", fuzz_shrink.tries);
    exit(0);
}

#endif
