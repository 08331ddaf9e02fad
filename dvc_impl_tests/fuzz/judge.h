/* The laws that a step must keep, judged from the world before and after it. Nothing of dvc.h is called.
 *
 * What each world promises differs: `fuzz_view` says what may be asked of this one. Tolerances are those of the manual, or of rounding;
 * none is there to let something pass. */
#ifndef DVC_FUZZ_JUDGE_H
#define DVC_FUZZ_JUDGE_H

#include "copy.h"

enum { FUZZ_PAIRS = FUZZ_SHAPES * (FUZZ_SHAPES - 1) / 2 };

typedef struct fuzz_view {
    const fuzz_world *f;
    const fuzz_copy *before;
    double h, speed;   /* V = g h + fastest speed */
    double impulse;    /* what stops the heaviest body at that speed */
    bool exact;        /* inexact == 0 */
    bool whole;        /* no half steps: impulses act at the start, velocities are those of the whole step */
    bool end_pose;     /* gaps and joints hold at the end */
    bool recovers;     /* there was overlap, or a joint that did not hold: what makes it good may become speed */
    bool set_after;    /* joints are set right after the step: velocities are not the step's */
    double size[FUZZ_SHAPES], depth[FUZZ_PAIRS];
} fuzz_view;

static double fuzz_length(dvc_vec3 a)
{
    double x[3];
    fuzz_get(a, x);
    return fuzz_norm(x);
}

/* ---- rooms before and after ---- */

static bool fuzz_last_recovers; /* for the shrinker: as fuzz_view's */
static double fuzz_depths[FUZZ_PAIRS]; /* of all pairs before the step, > 0: overlap */
static fuzz_solid fuzz_solids[FUZZ_SHAPES];
static int fuzz_pair_of[FUZZ_SHAPES][FUZZ_SHAPES];

/* Overlap of each pair that is to be kept apart; -room where they are apart. */
static void fuzz_measure(const fuzz_world *f, double *depth)
{
    int i, k, pair = 0;
    for (i = 0; i < f->w.shape_count; i++)
        if (fuzz_shape_there(&f->w, i)) fuzz_solid_at(f, i, &fuzz_solids[i]);
    for (i = 0; i < f->w.shape_count; i++) for (k = i + 1; k < f->w.shape_count; k++, pair++) {
        fuzz_pair_of[i][k] = pair;
        depth[pair] = fuzz_must_part(&f->w, i, k) ? -fuzz_room(&fuzz_solids[i], &fuzz_solids[k], 0) : -FUZZ_FAR;
    }
}

/* The smaller of two parts, that is not a point or a half-space. */
static double fuzz_pair_size(const fuzz_view *v, int i, int k)
{
    double a = v->size[i], b = v->size[k];
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b) > 0 ? fmax(a, b) : 0.1 * v->f->unit;
}

/* Rounding of places: those of the two bodies; and of directions, out to the ends of their parts. */
static double fuzz_pair_round(const fuzz_view *v, int i, int k)
{
    const dvc_body *a = &v->f->w.bodies[v->f->w.shapes[i].body], *b = &v->f->w.bodies[v->f->w.shapes[k].body];
    double x[3], y[3];
    fuzz_get(a->position, x);
    fuzz_get(b->position, y);
    return 1e-13 * (fuzz_norm(x) + fuzz_norm(y)) + 1e-9 * (v->size[i] + v->size[k]);
}

/* What is closed, and what does not overlap. */
static double fuzz_closed(const fuzz_view *v, int i, int k) { return 1e-6 * fuzz_pair_size(v, i, k) + fuzz_pair_round(v, i, k); }

/* ---- what is finite ---- */

static bool fuzz_finite_vec(dvc_vec3 v) { return isfinite((double)v.x) && isfinite((double)v.y) && isfinite((double)v.z); }
static bool fuzz_finite_axis(const dvc_axis *a)
{
    return isfinite((double)a->position) && isfinite((double)a->velocity) && isfinite((double)a->impulse);
}
static bool fuzz_turns(dvc_joint_kind kind)
{
    return kind == DVC_REVOLUTE || kind == DVC_CYLINDRICAL || kind == DVC_SPHERICAL || kind == DVC_GENERIC || kind == DVC_GEAR;
}

static bool fuzz_slides(dvc_joint_kind kind)
{
    return kind == DVC_PRISMATIC || kind == DVC_CYLINDRICAL || kind == DVC_GENERIC || kind == DVC_DISTANCE;
}

static bool fuzz_bodies_finite(const dvc_world *w)
{
    int i;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i];
        if (b->disabled || b->kind == DVC_STATIC) continue;
        if (!fuzz_finite_vec(b->position) || !fuzz_finite_vec(b->velocity) || !fuzz_finite_vec(b->angular_velocity)) return false;
        if (!isfinite((double)(b->orientation.w + b->orientation.x + b->orientation.y + b->orientation.z))) return false;
    }
    return true;
}

static bool fuzz_ties_finite(const dvc_world *w)
{
    int i;
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i];
        if (!fuzz_joint_there(w, j)) continue;
        if (!fuzz_finite_vec(j->impulse) || !fuzz_finite_vec(j->angular_impulse)) return false;
        if (fuzz_turns(j->kind) && !fuzz_finite_axis(&j->turn)) return false;
        if (fuzz_slides(j->kind) && !fuzz_finite_axis(&j->slide)) return false;
    }
    for (i = 0; i < w->spring_count; i++)
        if (fuzz_spring_there(w, &w->springs[i]) && !isfinite((double)w->springs[i].force)) return false;
    return true;
}

static bool fuzz_contacts_finite(const dvc_world *w)
{
    int i;
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &w->contacts[i];
        if (!fuzz_finite_vec(c->point) || !fuzz_finite_vec(c->normal) || !fuzz_finite_vec(c->impulse)) return false;
        if (!isfinite((double)c->gap) || !isfinite((double)c->normal_impulse)) return false;
    }
    return true;
}

static double fuzz_told_gain(const dvc_report *r)
{
#ifdef FUZZ_ENERGY_GAIN
    return fmax((double)r->energy_gain, (double)r->energy_excess);
#else
    return (double)r->energy_excess;
#endif
}

/* Of any step, at any level, that returned DVC_OK. */
static void fuzz_judge_finite(const dvc_world *w)
{
    const dvc_report *r = &w->report;
    if (!fuzz_bodies_finite(w)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "bodies");
    if (!fuzz_ties_finite(w)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "joints, springs");
    if (!fuzz_contacts_finite(w)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "contacts");
    if (!isfinite((double)r->residual)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "residual");
    if (!isfinite((double)r->worst_gap)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "worst_gap");
    if (!isfinite(fuzz_told_gain(r)) || !isfinite((double)r->energy_excess)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "energy");
    if (!isfinite(w->time)) fuzz_found_in(FUZZ_NOT_FINITE, 1, "time");
}

/* ---- contacts ---- */

static double fuzz_friction_of(const dvc_world *w, const dvc_contact *c)
{
    const dvc_pair_rule *rule = fuzz_rule_of(w, c->body_a, c->body_b);
    if (rule && rule->set_friction) return (double)rule->friction;
    return sqrt((double)w->shapes[c->shape_a].friction * (double)w->shapes[c->shape_b].friction);
}

static double fuzz_restitution_of(const dvc_world *w, const dvc_contact *c)
{
    const dvc_pair_rule *rule = fuzz_rule_of(w, c->body_a, c->body_b);
    if (rule && rule->set_restitution) return (double)rule->restitution;
    return fmax((double)w->shapes[c->shape_a].restitution, (double)w->shapes[c->shape_b].restitution);
}

static bool fuzz_contact_named(const dvc_world *w, const dvc_contact *c)
{
    return c->shape_a >= 0 && c->shape_a < c->shape_b && c->shape_b < w->shape_count && c->body_a == w->shapes[c->shape_a].body
        && c->body_b == w->shapes[c->shape_b].body;
}

/* Cone and signs. Impulses of half steps are sums over two cones, of which only the length can be asked. */
static void fuzz_judge_push(const fuzz_view *v, const dvc_contact *c)
{
    const dvc_world *w = &v->f->w;
    double p[3], n[3], pn, mu = fuzz_friction_of(w, c), push = (double)c->normal_impulse, t[3], slack;
    int k;
    fuzz_get(c->impulse, p);
    fuzz_get(c->normal, n);
    pn = fuzz_dot(p, n);
    slack = 1e-9 * fuzz_norm(p) + 1e-12 * v->impulse;
    if (!(push >= 0)) fuzz_found(FUZZ_PULLS, -push);
    if ((c->sensor || !c->chosen || c->phase == DVC_ENDED) && fuzz_norm(p) > slack) fuzz_found(FUZZ_IDLE_PUSHES, fuzz_norm(p));
    if (!v->whole) {
        if (fuzz_norm(p) > sqrt(1 + mu * mu) * push + slack) fuzz_found(FUZZ_CONE, fuzz_norm(p) - sqrt(1 + mu * mu) * push);
        return;
    }
    if (fabs(pn - push) > slack) fuzz_found(FUZZ_NORMAL_PART, fabs(pn - push));
    for (k = 0; k < 3; k++) t[k] = p[k] - pn * n[k];
    if (fuzz_norm(t) > mu * push + slack) fuzz_found(FUZZ_CONE, fuzz_norm(t) - mu * push);
}

/* A contact that pushes is closed at the end. */
static void fuzz_judge_closed(const fuzz_view *v, const dvc_contact *c)
{
    const dvc_world *w = &v->f->w;
    double room, mass;
    if (!v->end_pose || !v->exact || !v->whole || w->contact_model != DVC_PEG || fuzz_restitution_of(w, c) > 0) return;
    if (!c->chosen || c->sensor || !(c->normal_impulse > 0)) return;
    mass = fmin(w->bodies[c->body_a].kind == DVC_DYNAMIC ? (double)w->bodies[c->body_a].mass : FUZZ_FAR,
                w->bodies[c->body_b].kind == DVC_DYNAMIC ? (double)w->bodies[c->body_b].mass : FUZZ_FAR);
    if ((double)c->normal_impulse < 1e-9 * mass * v->speed) return;
    room = fmax(-v->depth[fuzz_pair_of[c->shape_a][c->shape_b]], (double)c->gap);
    if (room > fuzz_closed(v, c->shape_a, c->shape_b)) fuzz_found(FUZZ_GHOST, room / fuzz_pair_size(v, c->shape_a, c->shape_b));
}

static bool fuzz_touched(const dvc_contact *contacts, int count, int a, int b)
{
    int i;
    for (i = 0; i < count; i++)
        if (contacts[i].shape_a == a && contacts[i].shape_b == b
            && (contacts[i].phase == DVC_BEGAN || contacts[i].phase == DVC_STAYS))
            return true;
    return false;
}

static void fuzz_judge_phase(const fuzz_view *v, const dvc_contact *c)
{
    const dvc_world *w = &v->f->w;
    bool before, touches = false;
    dvc_phase phase;
    int i;
    if (c->sensor) return;
    before = fuzz_touched(fuzz_contacts_before(v->before), v->before->w.contact_count, c->shape_a, c->shape_b);
    for (i = 0; i < w->contact_count; i++)
        touches = touches
                  || (w->contacts[i].shape_a == c->shape_a && w->contacts[i].shape_b == c->shape_b
                      && w->contacts[i].normal_impulse > 0);
    phase = touches ? (before ? DVC_STAYS : DVC_BEGAN) : before ? DVC_ENDED : DVC_NEAR;
    if (c->phase != phase) fuzz_found(FUZZ_PHASE, 10 * (int)phase + (int)c->phase);
}

static void fuzz_judge_contacts(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    double n[3];
    int i;
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &w->contacts[i];
        if (!fuzz_contact_named(w, c) || (c->phase != DVC_ENDED && !fuzz_may_touch(w, c->shape_a, c->shape_b))) {
            fuzz_found(FUZZ_CONTACT_NAMES, i);
            continue;
        }
        fuzz_get(c->normal, n);
        if (fabs(fuzz_norm(n) - 1) > 1e-9) fuzz_found(FUZZ_NORMAL, fabs(fuzz_norm(n) - 1));
        fuzz_judge_push(v, c);
        fuzz_judge_closed(v, c);
        fuzz_judge_phase(v, c);
    }
}

/* ---- overlap ---- */

static void fuzz_judge_overlap(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    double deepest = 0, at = 0, told = -(double)w->report.worst_gap;
    int i, k, pair = 0;
    if (!(told >= 0)) fuzz_found(FUZZ_GAP_FALSE, told);
    if (w->contact_model != DVC_PEG) return;
    for (i = 0; i < w->shape_count; i++) for (k = i + 1; k < w->shape_count; k++, pair++) {
        double depth = v->depth[pair], closed;
        if (depth <= 0) continue;
        closed = fuzz_closed(v, i, k);
        if (depth > deepest) { deepest = depth; at = closed; }
        if (!v->end_pose || depth <= closed || depth <= fuzz_depths[pair] + closed) continue;
        if (w->report.inexact == 0)
            fuzz_found(told < depth / 2 ? FUZZ_OVERLAP : FUZZ_OVERLAP_EXACT, depth / fuzz_pair_size(v, i, k));
    }
    if (deepest > told * (1 + 1e-6) + at) fuzz_found(FUZZ_GAP_HIDES, deepest - told);
    if (told > deepest * (1 + 1e-6) + 1e-6 * v->size[0] + at + 1e-9 * v->f->unit) fuzz_found(FUZZ_GAP_FALSE, told - deepest);
}

/* ---- momentum ---- */

typedef struct fuzz_sum { double p[3], scale; } fuzz_sum;

static void fuzz_add(fuzz_sum *sum, dvc_vec3 v, double by)
{
    double a[3];
    int k;
    fuzz_get(v, a);
    for (k = 0; k < 3; k++) sum->p[k] += by * a[k];
    sum->scale += fabs(by) * fuzz_norm(a);
}

static void fuzz_add_moment(fuzz_sum *sum, dvc_vec3 impulse, dvc_vec3 at, dvc_vec3 from, double by)
{
    double p[3], x[3], y[3], r[3], m[3];
    int k;
    fuzz_get(impulse, p);
    fuzz_get(at, x);
    fuzz_get(from, y);
    fuzz_minus(x, y, r);
    fuzz_cross(r, p, m);
    for (k = 0; k < 3; k++) sum->p[k] += by * m[k];
    sum->scale += (fuzz_norm(r) + 1e-6 * (fuzz_norm(x) + fuzz_norm(y))) * fuzz_norm(p); /* places are rounded */
}

static double fuzz_left(const fuzz_sum *sum, bool planar)
{
    return planar ? sqrt(sum->p[0] * sum->p[0] + sum->p[1] * sum->p[1]) : fuzz_norm(sum->p);
}

static dvc_vec3 fuzz_point_of(const dvc_body *body, dvc_vec3 local)
{
    double a[3], x[3];
    fuzz_get(local, a);
    fuzz_get(body->position, x);
    fuzz_rotate(body->orientation, a, a);
    return fuzz_vec(x[0] + a[0], x[1] + a[1], x[2] + a[2]);
}

/* The direction of a joint's axis: z of its frame on body a. */
static dvc_vec3 fuzz_axis_of(const dvc_joint *j, const dvc_body *a)
{
    double z[3] = { 0, 0, 1 };
    fuzz_rotate(j->frame_a, z, z);
    fuzz_rotate(a->orientation, z, z);
    return fuzz_vec(z[0], z[1], z[2]);
}

/* A gear does not tell what it gives to which body. */
static bool fuzz_is_geared(const dvc_world *w, const dvc_joint *gear, int body)
{
    int k;
    for (k = 0; k < 2; k++) {
        int i = k ? gear->joint_b : gear->joint_a;
        if (i < 0 || i >= w->joint_count) return true;
        if (w->joints[i].body_a == body || w->joints[i].body_b == body) return true;
    }
    return false;
}

/* Does something act on the body whose share nobody tells (a stiff spring across its line), or not in this form (in half steps)? */
static bool fuzz_has_secret(const fuzz_view *v, int body)
{
    const dvc_world *w = &v->f->w;
    const dvc_body *b = &w->bodies[body];
    bool secret = v->set_after || (!v->whole && (b->linear_damping > 0 || b->angular_damping > 0));
    int i;
    for (i = 0; i < w->spring_count; i++)
        secret =
            secret || (fuzz_spring_there(w, &w->springs[i]) && (w->springs[i].body_a == body || w->springs[i].body_b == body));
    for (i = 0; i < w->joint_count && !v->whole; i++) {
        const dvc_joint *j = &w->joints[i];
        secret = secret
                 || (fuzz_joint_there(w, j) && (j->body_a == body || j->body_b == body)
                     && (j->slide.force != 0 || j->turn.force != 0));
    }
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i];
        secret = secret || (j->kind == DVC_GEAR && !j->disabled && fuzz_is_geared(w, j, body));
        secret = secret || (j->kind == DVC_DISTANCE && j->slide.force != 0 && (j->body_a == body || j->body_b == body));
    }
    return secret;
}

/* Linear: m (1 + h c) v1 = m v0 + h F + m h g + impulses, whatever happened within the step. */
static void fuzz_judge_momentum(const fuzz_view *v, int i)
{
    const dvc_world *w = &v->f->w;
    const dvc_body *b = &w->bodies[i], *o = fuzz_body_before(v->before, i);
    double m = (double)b->mass, left, rub = 0;
    fuzz_sum sum = { { 0, 0, 0 }, 0 };
    int k;
    if (fuzz_has_secret(v, i)) return;
    fuzz_add(&sum, b->velocity, m * (1 + v->h * (double)b->linear_damping));
    fuzz_add(&sum, o->velocity, -m);
    fuzz_add(&sum, b->force, -v->h);
    fuzz_add(&sum, w->gravity, -m * v->h);
    for (k = 0; k < w->contact_count; k++) {
        if (w->contacts[k].body_b == i) fuzz_add(&sum, w->contacts[k].impulse, -1);
        if (w->contacts[k].body_a == i) fuzz_add(&sum, w->contacts[k].impulse, 1);
    }
    for (k = 0; k < w->joint_count; k++) {
        const dvc_joint *j = &w->joints[k];
        double sign = (j->body_b == i) - (j->body_a == i);
        if (sign == 0 || !fuzz_joint_there(w, j)) continue;
        fuzz_add(&sum, j->impulse, -sign);
        if (fuzz_slides(j->kind))
            fuzz_add(&sum, fuzz_axis_of(j, fuzz_body_before(v->before, j->body_a)), -sign * v->h * (double)j->slide.force);
    }
    if (b->support) rub = (double)b->support->friction * m * fabs((double)w->gravity.z) * v->h;
    left = fuzz_left(&sum, w->planar) - rub;
    if (left > (v->exact ? 1e-9 : 1e-6) * sum.scale) fuzz_found(FUZZ_MOMENTUM, left / sum.scale);
}

/* A body on a joint may have been made heavier for the step (see >>joint, J_eff): from outside nobody can tell how much. */
static bool fuzz_may_be_stiff(const fuzz_view *v, int body)
{
    const dvc_world *w = &v->f->w;
    int i;
    for (i = 0; i < w->joint_count; i++)
        if (fuzz_joint_there(w, &w->joints[i]) && (w->joints[i].body_a == body || w->joints[i].body_b == body)) return true;
    return false;
}

/* J w in world axes. */
static dvc_vec3 fuzz_spin_of(const dvc_body *b, bool planar)
{
    double w[3], j[3];
    int k;
    fuzz_get(b->angular_velocity, w);
    fuzz_get(b->inertia, j);
    if (planar) return fuzz_vec(0, 0, j[2] * w[2]);
    fuzz_rotate(fuzz_conj(b->orientation), w, w);
    for (k = 0; k < 3; k++) w[k] *= j[k];
    fuzz_rotate(b->orientation, w, w);
    return fuzz_vec(w[0], w[1], w[2]);
}

/* Angular, about the start's centre: (1 + h c) L1 = L0 + h T + moments of impulses. */
static void fuzz_judge_spin(const fuzz_view *v, int i)
{
    const dvc_world *w = &v->f->w;
    const dvc_body *b = &w->bodies[i], *o = fuzz_body_before(v->before, i);
    fuzz_sum sum = { { 0, 0, 0 }, 0 };
    double left;
    int k;
    if (fuzz_has_secret(v, i) || !v->whole || b->support || !(b->inertia.z > 0)) return;
    fuzz_add(&sum, fuzz_spin_of(b, w->planar), 1 + v->h * (double)b->angular_damping);
    fuzz_add(&sum, fuzz_spin_of(o, w->planar), -1);
    fuzz_add(&sum, b->torque, -v->h);
    for (k = 0; k < w->contact_count; k++) {
        const dvc_contact *c = &w->contacts[k];
        if (c->body_b == i) fuzz_add_moment(&sum, c->impulse, c->point, o->position, -1);
        if (c->body_a == i) fuzz_add_moment(&sum, c->impulse, c->point, o->position, 1);
    }
    for (k = 0; k < w->joint_count; k++) {
        const dvc_joint *j = &w->joints[k];
        double sign = (j->body_b == i) - (j->body_a == i);
        if (sign == 0 || !fuzz_joint_there(w, j)) continue;
        if (j->slide.force != 0 || j->turn.force != 0) return;
        fuzz_add_moment(&sum, j->impulse, fuzz_point_of(fuzz_body_before(v->before, j->body_b), j->anchor_b), o->position, -sign);
        fuzz_add(&sum, j->angular_impulse, -sign);
    }
    left = w->planar ? fabs(sum.p[2]) : fuzz_norm(sum.p);
    if (left > (v->exact ? 1e-8 : 1e-6) * sum.scale)
        fuzz_found(fuzz_may_be_stiff(v, i) ? FUZZ_STIFF : FUZZ_SPIN, left / sum.scale);
}

/* Of a world that nothing acts on from outside. */
static void fuzz_judge_isolated(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    fuzz_sum linear = { { 0, 0, 0 }, 0 }, angular = linear;
    double left;
    int i, k;
    bool stiff = false;
    for (i = 0; i < w->body_count; i++) for (k = 0; k < 2; k++) {
        const dvc_body *b = k ? &w->bodies[i] : fuzz_body_before(v->before, i);
        double by = k ? 1 : -1;
        stiff = stiff || fuzz_may_be_stiff(v, i);
        if (w->bodies[i].disabled || b->kind != DVC_DYNAMIC) continue;
        if (b->linear_damping > 0 || b->angular_damping > 0 || b->support) return;
        fuzz_add(&linear, b->velocity, by * (double)b->mass);
        fuzz_add_moment(&angular, b->velocity, b->position, fuzz_vec(0, 0, 0), by * (double)b->mass);
        fuzz_add(&angular, fuzz_spin_of(b, w->planar), by);
    }
    left = fuzz_left(&linear, w->planar);
    if (left > 1e-9 * linear.scale + 1e-12 * v->f->unit) fuzz_found(FUZZ_ISOLATED, left / linear.scale);
    left = w->planar ? fabs(angular.p[2]) : fuzz_norm(angular.p);
    if (left > 1e-8 * angular.scale + 1e-12 * v->f->unit * v->f->unit && !v->set_after)
        fuzz_found(stiff ? FUZZ_STIFF : FUZZ_ISOLATED_SPIN, left / angular.scale);
}

/* ---- motion ---- */

static dvc_quat fuzz_turned(const dvc_body *o, dvc_vec3 w, double h)
{
    double rate[3];
    fuzz_get(w, rate);
    return fuzz_compose(fuzz_turn(w, fuzz_norm(rate) * h), o->orientation);
}

/* The angle between two orientations, the signs of quaternions aside. */
static double fuzz_angle_between(dvc_quat a, dvc_quat b)
{
    dvc_quat d = fuzz_compose(a, fuzz_conj(b));
    double u[3] = { (double)d.x, (double)d.y, (double)d.z };
    return 2 * atan2(fuzz_norm(u), fabs((double)d.w));
}

static bool fuzz_is_round(const dvc_body *b, bool planar)
{
    return planar || b->kind != DVC_DYNAMIC || (b->inertia.x == b->inertia.y && b->inertia.y == b->inertia.z && b->inertia.x > 0);
}

static void fuzz_judge_motion(const fuzz_view *v, int i)
{
    const dvc_world *w = &v->f->w;
    const dvc_body *b = &w->bodies[i], *o = fuzz_body_before(v->before, i);
    double x[3], y[3], u[3], off,
        length = sqrt((double)(b->orientation.w * b->orientation.w + b->orientation.x * b->orientation.x
                               + b->orientation.y * b->orientation.y + b->orientation.z * b->orientation.z));
    int k;
    if (fabs(length - 1) > 1e-9 && !(b->asleep & 1u)) fuzz_found(FUZZ_QUAT, fabs(length - 1));
    if (!v->whole || v->set_after || (b->kind == DVC_KINEMATIC && b->motion)) return;
    fuzz_get(b->position, x);
    fuzz_get(o->position, y);
    fuzz_get(b->velocity, u);
    for (k = 0; k < 3; k++) u[k] = x[k] - y[k] - v->h * u[k];
    off = w->planar ? sqrt(u[0] * u[0] + u[1] * u[1]) : fuzz_norm(u);
    fuzz_get(b->velocity, u);
    if (off > 1e-9 * v->h * fuzz_norm(u) + 1e-14 * (fuzz_norm(x) + fuzz_norm(y))) fuzz_found(FUZZ_WAY, off);
    fuzz_get(b->angular_velocity, u);
    if (!fuzz_is_round(b, w->planar) || fuzz_norm(u) * v->h > 3
        || (o->orientation.w == 0 && o->orientation.x == 0 && o->orientation.y == 0 && o->orientation.z == 0))
        return;
    off = fuzz_angle_between(fuzz_turned(o, w->planar ? fuzz_vec(0, 0, u[2]) : b->angular_velocity, v->h), b->orientation);
    if (off > 1e-7 * v->h * fuzz_norm(u) + 1e-12) fuzz_found(FUZZ_TURN, off);
}

/* ---- joints ---- */

/* How far a joint is from holding: lengths, and angles times its size. */
static double fuzz_joint_off(const dvc_world *w, const dvc_body *bodies, const dvc_joint *j, double size);

/* What the newer kinds hold, from the poses. */
static double fuzz_rod_off(const dvc_world *w, const dvc_body *bodies, const dvc_joint *j)
{
    double x[3], y[3], length;
    fuzz_get(fuzz_point_of(&bodies[j->body_a], j->anchor_a), x);
    fuzz_get(fuzz_point_of(&bodies[j->body_b], j->anchor_b), y);
    fuzz_minus(y, x, x);
    if (w->planar) x[2] = 0;
    length = fuzz_norm(x);
    return j->slide.limited ? fmax(0, fmax(length - (double)j->slide.upper, (double)j->slide.lower - length)) : 0;
}

/* Of a generic joint the slides alone: beyond their range. */
static double fuzz_slides_off(const dvc_world *w, const dvc_body *bodies, const dvc_joint *j)
{
    const double low[3] = { (double)j->slide_lower.x, (double)j->slide_lower.y, (double)j->slide_lower.z };
    const double high[3] = { (double)j->slide_upper.x, (double)j->slide_upper.y, (double)j->slide_upper.z };
    double x[3], y[3], worst = 0;
    int k;
    fuzz_get(fuzz_point_of(&bodies[j->body_a], j->anchor_a), x);
    fuzz_get(fuzz_point_of(&bodies[j->body_b], j->anchor_b), y);
    fuzz_minus(y, x, y);
    if (w->planar) y[2] = 0;
    for (k = 0; k < 3; k++) {
        double e[3] = { k == 0, k == 1, k == 2 }, at;
        fuzz_rotate(j->frame_a, e, e);
        fuzz_rotate(bodies[j->body_a].orientation, e, e);
        if (w->planar && fabs(e[2]) > 0.5) continue;
        at = fuzz_dot(e, y);
        worst = fmax(worst, fmax(low[k] - at, at - high[k]));
    }
    return worst;
}

static double fuzz_joint_off(const dvc_world *w, const dvc_body *bodies, const dvc_joint *j, double size)
{
    const dvc_body *a = &bodies[j->body_a], *b = &bodies[j->body_b];
    dvc_vec3 pa = fuzz_point_of(a, j->anchor_a), pb = fuzz_point_of(b, j->anchor_b), axis = fuzz_axis_of(j, a);
    double x[3], y[3], gap[3], z[3], zb[3] = { 0, 0, 1 }, c[3], off, tilt;
    int k;
    if (j->kind == DVC_GENERIC) return fuzz_slides_off(w, bodies, j);
    if (j->kind == DVC_DISTANCE) return fuzz_rod_off(w, bodies, j);
    fuzz_get(pa, x);
    fuzz_get(pb, y);
    fuzz_get(axis, z);
    fuzz_minus(y, x, gap);
    if (w->planar) gap[2] = 0;
    if (j->kind == DVC_PRISMATIC || j->kind == DVC_CYLINDRICAL) for (off = fuzz_dot(gap, z), k = 0; k < 3; k++) gap[k] -= off * z[k];
    off = fuzz_norm(gap);
    fuzz_rotate(j->frame_b, zb, zb);
    fuzz_rotate(b->orientation, zb, zb);
    fuzz_cross(z, zb, c);
    tilt = j->kind == DVC_SPHERICAL || j->kind == DVC_UNIVERSAL || w->planar ? 0 : atan2(fuzz_norm(c), fuzz_dot(z, zb));
    if (j->kind == DVC_FIXED || j->kind == DVC_PRISMATIC)
        tilt = fuzz_angle_between(fuzz_compose(a->orientation, j->frame_a), fuzz_compose(b->orientation, j->frame_b));
    return fmax(off, tilt * size);
}

static bool fuzz_quat_is_unit(dvc_quat q) { return fabs((double)(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) - 1) < 1e-9; }

/* How far the bodies of a joint reach: the unit of its errors. */
static double fuzz_joint_size(const fuzz_view *v, const dvc_joint *j)
{
    double a[3], b[3], size;
    int i;
    fuzz_get(j->anchor_a, a);
    fuzz_get(j->anchor_b, b);
    size = fmax(fuzz_norm(a), fuzz_norm(b));
    for (i = 0; i < v->f->w.shape_count; i++)
        if (v->f->w.shapes[i].body == j->body_a || v->f->w.shapes[i].body == j->body_b) size = fmax(size, v->size[i]);
    return size;
}

/* Error that appeared, or grew. */
static void fuzz_judge_joint_left(const fuzz_view *v, const dvc_joint *j)
{
    const dvc_world *w = &v->f->w;
    double size = fuzz_joint_size(v, j), before, after, x[3];
    if (!v->end_pose || !v->exact || !fuzz_quat_is_unit(j->frame_a) || !fuzz_quat_is_unit(j->frame_b)) return;
    if (w->bodies[j->body_a].kind != DVC_DYNAMIC && w->bodies[j->body_b].kind != DVC_DYNAMIC) return;
    before = fuzz_joint_off(w, fuzz_body_before(v->before, 0), j, size);
    after = fuzz_joint_off(w, w->bodies, j, size);
    fuzz_get(w->bodies[j->body_b].position, x);
    if (after > before * (1 + 1e-6) + 1e-7 * size + 1e-12 * fuzz_norm(x)) fuzz_found(FUZZ_JOINT_LEFT, after / size);
}

/* The angle about the axis of a joint where its bodies are, and the slide. */
static double fuzz_joint_turn(const dvc_world *w, const dvc_joint *j)
{
    double xb[3] = { 1, 0, 0 }, xa[3] = { 1, 0, 0 }, ya[3] = { 0, 1, 0 };
    const dvc_body *a = &w->bodies[j->body_a], *b = &w->bodies[j->body_b];
    fuzz_rotate(j->frame_b, xb, xb);
    fuzz_rotate(b->orientation, xb, xb);
    fuzz_rotate(j->frame_a, xa, xa);
    fuzz_rotate(a->orientation, xa, xa);
    fuzz_rotate(j->frame_a, ya, ya);
    fuzz_rotate(a->orientation, ya, ya);
    return atan2(fuzz_dot(xb, ya), fuzz_dot(xb, xa));
}

static double fuzz_joint_slide(const dvc_world *w, const dvc_joint *j)
{
    double x[3], y[3], z[3], gap[3];
    fuzz_get(fuzz_point_of(&w->bodies[j->body_a], j->anchor_a), x);
    fuzz_get(fuzz_point_of(&w->bodies[j->body_b], j->anchor_b), y);
    fuzz_get(fuzz_axis_of(j, &w->bodies[j->body_a]), z);
    fuzz_minus(y, x, gap);
    if (w->planar) gap[2] = z[2] = 0;
    return fuzz_dot(gap, z);
}

static void fuzz_judge_position(const fuzz_view *v, int i)
{
    const dvc_world *w = &v->f->w;
    const dvc_joint *j = &w->joints[i], *o = fuzz_joint_before(v->before, i);
    double x[3], turn, rate = 0, b[3];
    int k;
    if (j->kind == DVC_DISTANCE || j->kind == DVC_GENERIC) return;
    if (fuzz_turns(j->kind) && j->kind != DVC_SPHERICAL) {
        turn = remainder((double)j->turn.position - fuzz_joint_turn(w, j), 6.283185307179586);
        if (fabs(turn) > 1e-8 * (1 + fabs((double)j->turn.position))) fuzz_found(FUZZ_POSITION, fabs(turn));
        for (k = 0; k < 4; k++) {
            int body = k & 1 ? j->body_a : j->body_b;
            fuzz_get(k & 2 ? w->bodies[body].angular_velocity : fuzz_body_before(v->before, body)->angular_velocity, b);
            rate += fuzz_norm(b);
        }
        if (fabs((double)j->turn.position - (double)o->turn.position) > 3.3 + 2 * v->h * rate && o->warm != 0)
            fuzz_found(FUZZ_POSITION, fabs((double)j->turn.position - (double)o->turn.position));
    }
    if (!fuzz_slides(j->kind)) return;
    fuzz_get(w->bodies[j->body_b].position, x);
    if (fabs((double)j->slide.position - fuzz_joint_slide(w, j)) > 1e-8 * v->f->unit + 1e-12 * fuzz_norm(x))
        fuzz_found(FUZZ_POSITION, fabs((double)j->slide.position - fuzz_joint_slide(w, j)));
}

static void fuzz_judge_effort(const fuzz_view *v, const dvc_axis *a)
{
    double most = ((double)a->effort + (double)a->friction) * v->h;
    if (a->limited || a->effort >= DVC_INFINITY || a->armature > 0) return;
    if (a->effort == 0 && (a->stiffness > 0 || a->damping > 0)) return;
    if (fabs((double)a->impulse) > most * (1 + 1e-9) + 1e-300) fuzz_found(FUZZ_EFFORT, fabs((double)a->impulse) - most);
}

static void fuzz_judge_joints(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    int i;
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i];
        bool acts =
            j->kind != DVC_GEAR && fuzz_joint_there(w, j) && (w->bodies[j->body_a].kind == DVC_DYNAMIC || w->bodies[j->body_b].kind == DVC_DYNAMIC);
        double idle = fuzz_length(j->impulse) + fuzz_length(j->angular_impulse);
        if (j->kind == DVC_GEAR) continue;
        if (!acts) {
            idle += fuzz_turns(j->kind) ? fabs((double)j->turn.impulse) : 0;
            idle += fuzz_slides(j->kind) ? fabs((double)j->slide.impulse) : 0;
            if (j->kind != DVC_NO_JOINT && idle > 0) fuzz_found(FUZZ_IDLE_JOINT, idle);
            continue;
        }
        if (fuzz_turns(j->kind) && j->kind != DVC_GENERIC) fuzz_judge_effort(v, &j->turn); /* whose ranges are limits, too */
        if (fuzz_slides(j->kind) && j->kind != DVC_GENERIC) fuzz_judge_effort(v, &j->slide);
        if (fuzz_quat_is_unit(j->frame_a) && fuzz_quat_is_unit(j->frame_b)) fuzz_judge_position(v, i);
        fuzz_judge_joint_left(v, j);
    }
    for (i = 0; i < w->spring_count; i++) {
        const dvc_spring *s = &w->springs[i];
        if (!fuzz_spring_there(w, s) && s->force != 0) fuzz_found(FUZZ_IDLE_SPRING, fabs((double)s->force));
    }
}

/* ---- energy ---- */

static double fuzz_kinetic(const dvc_body *b, bool planar)
{
    double v[3], w[3], l[3];
    fuzz_get(b->velocity, v);
    fuzz_get(b->angular_velocity, w);
    if (planar) { v[2] = 0; w[0] = w[1] = 0; }
    fuzz_get(fuzz_spin_of(b, planar), l);
    if (!(b->inertia.z > 0)) return (double)b->mass * fuzz_dot(v, v) / 2;
    return ((double)b->mass * fuzz_dot(v, v) + fuzz_dot(w, l)) / 2;
}

/* Energy put into a step: never less than was. `size` sums what rounding is of. */
typedef struct fuzz_given { double work, size; bool pure; } fuzz_given;

static void fuzz_add_work(fuzz_given *g, double work)
{
    g->work += fmax(work, 0);
    g->size += fabs(work);
    g->pure = g->pure && work == 0;
}

/* Of forces on a body. A torque's work lies between those of the turn and of the spin. */
static void fuzz_forces_work(const fuzz_view *v, int i, fuzz_given *g)
{
    const dvc_body *b = &v->f->w.bodies[i], *o = fuzz_body_before(v->before, i);
    double f[3], x[3], y[3], w[3], t[3];
    fuzz_get(b->force, f);
    fuzz_get(b->position, x);
    fuzz_get(o->position, y);
    fuzz_minus(x, y, x);
    fuzz_get(b->torque, t);
    fuzz_get(b->angular_velocity, w);
    if (v->f->w.planar) { f[2] = 0; t[0] = t[1] = 0; }
    fuzz_add_work(g, fuzz_dot(f, x));
    if (fuzz_norm(t) == 0) return;
    g->pure = false;
    fuzz_add_work(g, v->h * fuzz_norm(t) * fuzz_norm(w));
    fuzz_get(o->angular_velocity, w);
    fuzz_add_work(g, v->h * fuzz_norm(t) * fuzz_norm(w));
}

/* The velocity of the material point of a body that is given its motion, over the step; and what it can be off by. */
static void fuzz_given_velocity(const fuzz_view *v, int i, dvc_vec3 at, double *u, double *off)
{
    const dvc_body *b = &v->f->w.bodies[i], *o = fuzz_body_before(v->before, i);
    double x[3], y[3], w[3], r[3], c[3], sine;
    dvc_quat d = fuzz_compose(b->orientation, fuzz_conj(o->orientation));
    int k;
    fuzz_get(b->position, x);
    fuzz_get(o->position, y);
    for (k = 0; k < 3; k++) u[k] = (x[k] - y[k]) / v->h;
    w[0] = (double)d.x; w[1] = (double)d.y; w[2] = (double)d.z;
    sine = fuzz_norm(w);
    for (k = 0; k < 3; k++) w[k] *= sine > 0 ? remainder(2 * atan2(sine, (double)d.w), 6.283185307179586) / (sine * v->h) : 0;
    fuzz_get(at, r);
    fuzz_minus(r, y, r);
    fuzz_cross(w, r, c);
    for (k = 0; k < 3; k++) u[k] += c[k];
    *off = fuzz_norm(w) * (fuzz_norm(w) * v->h * fuzz_norm(r) + 0.02 * fuzz_norm(r)) + (v->whole ? 0 : fuzz_norm(u));
}

static void fuzz_contact_work(const fuzz_view *v, const dvc_contact *c, fuzz_given *g)
{
    const dvc_world *w = &v->f->w;
    double p[3], u[3], off,
        belt = fuzz_length(w->shapes[c->shape_a].surface_velocity) + fuzz_length(w->shapes[c->shape_b].surface_velocity);
    int k;
    fuzz_get(c->impulse, p);
    if (fuzz_norm(p) == 0) return;
    if (belt > 0) { g->pure = false; fuzz_add_work(g, fuzz_norm(p) * belt); }
    for (k = 0; k < 2; k++) {
        int body = k ? c->body_b : c->body_a;
        if (w->bodies[body].kind != DVC_KINEMATIC) continue;
        fuzz_given_velocity(v, body, c->point, u, &off);
        if (fuzz_norm(u) == 0 && off == 0) continue;
        g->pure = false;
        fuzz_add_work(g, (k ? -1 : 1) * fuzz_dot(p, u) + fuzz_norm(p) * off);
    }
}

static bool fuzz_driven(const dvc_axis *a) { return a->stiffness > 0 || a->damping > 0 || a->armature > 0; }

static void fuzz_axis_work(const fuzz_view *v, const dvc_axis *now, const dvc_axis *before, fuzz_given *g)
{
    double way = fmax(fabs((double)now->position - (double)before->position),
                      v->h * fmax(fabs((double)now->velocity), fabs((double)before->velocity)));
    if (now->force != 0) { g->pure = false; fuzz_add_work(g, 2 * fabs((double)now->force) * way); }
    if ((now->effort == 0 && !fuzz_driven(now)) || now->impulse == 0) return;
    g->pure = false;
    fuzz_add_work(g, 2 * fabs((double)now->impulse) * (way / v->h + fabs((double)now->speed)));
}

static void fuzz_joint_work(const fuzz_view *v, int i, fuzz_given *g)
{
    const dvc_world *w = &v->f->w;
    const dvc_joint *j = &w->joints[i], *o = fuzz_joint_before(v->before, i);
    int k;
    if (!fuzz_joint_there(w, j)) return;
    if (fuzz_turns(j->kind)) fuzz_axis_work(v, &j->turn, &o->turn, g);
    if (fuzz_slides(j->kind)) fuzz_axis_work(v, &j->slide, &o->slide, g);
    for (k = 0; k < 2; k++) {
        int body = k ? j->body_b : j->body_a;
        double u[3], off, p[3];
        if (w->bodies[body].kind != DVC_KINEMATIC) continue;
        fuzz_get(j->impulse, p);
        fuzz_given_velocity(v, body, fuzz_point_of(fuzz_body_before(v->before, j->body_b), j->anchor_b), u, &off);
        g->pure = false;
        fuzz_add_work(g, (k ? -1 : 1) * fuzz_dot(p, u) + fuzz_norm(p) * (off + fuzz_norm(u)));
        fuzz_add_work(g, fuzz_length(j->angular_impulse)
                             * (fuzz_length(w->bodies[body].angular_velocity) + fuzz_norm(u) / v->f->unit));
    }
}

/* A spring gives what it loses, or what its mean force does. */
static double fuzz_spring_length(const dvc_world *w, const dvc_body *bodies, const dvc_spring *s)
{
    double a[3], b[3];
    fuzz_get(fuzz_point_of(&bodies[s->body_a], s->anchor_a), a);
    fuzz_get(fuzz_point_of(&bodies[s->body_b], s->anchor_b), b);
    fuzz_minus(b, a, b);
    if (w->planar) b[2] = 0;
    return fuzz_norm(b);
}

static void fuzz_spring_work(const fuzz_view *v, const dvc_spring *s, fuzz_given *g)
{
    const dvc_world *w = &v->f->w;
    double before, after, k = (double)s->stiffness, rest = (double)s->length, lost;
    if (!fuzz_spring_there(w, s)) return;
    before = fuzz_spring_length(w, fuzz_body_before(v->before, 0), s);
    after = fuzz_spring_length(w, w->bodies, s);
    lost = k * ((before - rest) * (before - rest) - (after - rest) * (after - rest)) / 2;
    g->pure = false;
    g->size += k * (before - rest) * (before - rest) + k * (after - rest) * (after - rest);
    fuzz_add_work(g, fmax(lost, fabs((double)s->force * (after - before))) + 0.5 * k * (after - before) * (after - before));
}

/* The plain gain of the step against what the report tells of it. */
static void fuzz_judge_energy(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    fuzz_given g = { 0, 0, true };
    double gained = 0, kinetic = 0, told = fuzz_told_gain(&w->report), rounding;
    int i;
    if (!(w->report.energy_excess >= 0) || !(told >= 0)) fuzz_found(FUZZ_GAIN_FALSE, told);
    if (v->set_after) return;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i], *o = fuzz_body_before(v->before, i);
        double x[3], y[3], gravity[3], now, then;
        if (b->disabled || b->kind != DVC_DYNAMIC) continue;
        fuzz_get(b->position, x);
        fuzz_get(o->position, y);
        fuzz_get(w->gravity, gravity);
        fuzz_minus(x, y, x);
        if (w->planar) gravity[2] = 0;
        now = fuzz_kinetic(b, w->planar);
        then = fuzz_kinetic(o, w->planar);
        gained += now - then - (double)b->mass * fuzz_dot(gravity, x);
        kinetic += fmax(now, then);
        g.size += now + then + (double)b->mass * (fuzz_norm(gravity) * (fuzz_norm(x) + 0.1 * fuzz_norm(y)));
        g.pure = g.pure && b->linear_damping == 0 && b->angular_damping == 0 && !b->support;
        fuzz_forces_work(v, i, &g);
    }
    for (i = 0; i < w->contact_count; i++) fuzz_contact_work(v, &w->contacts[i], &g);
    for (i = 0; i < w->joint_count; i++) fuzz_joint_work(v, i, &g);
    for (i = 0; i < w->spring_count; i++) fuzz_spring_work(v, &w->springs[i], &g);
    rounding = 1e-12 * g.size + 1e-8 * v->impulse * v->speed; /* of the numbers, and of the solution: its tolerance is one of V */
    gained -= g.work;
    if (gained > 1e-6 * kinetic + rounding && v->exact && told < gained / 2)
        fuzz_found(v->recovers ? FUZZ_GAIN_RECOVERS : FUZZ_GAIN, gained / kinetic);
    if (!g.pure) return;
    if ((double)w->report.energy_excess > fmax(gained, 0) + 1e-6 * kinetic + rounding && v->whole)
        fuzz_found(FUZZ_EXCESS_FALSE, ((double)w->report.energy_excess - gained) / kinetic);
#ifdef FUZZ_ENERGY_GAIN
    if (fabs((double)w->report.energy_gain - fmax(gained, 0)) > 1e-9 * kinetic + rounding)
        fuzz_found(FUZZ_GAIN_FALSE, fabs((double)w->report.energy_gain - fmax(gained, 0)) / kinetic);
#endif
}

/* ---- the report's counts ---- */

static int fuzz_root(int *of, int i)
{
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
}

static void fuzz_unite(const dvc_world *w, int *of, int a, int b)
{
    if (w->bodies[a].disabled || w->bodies[b].disabled || w->bodies[a].kind != DVC_DYNAMIC || w->bodies[b].kind != DVC_DYNAMIC)
        return;
    a = fuzz_root(of, a);
    of[a] = fuzz_root(of, b);
}

/* Bodies that contacts, joints or springs tie. */
static int fuzz_count_islands(const dvc_world *w)
{
    int of[FUZZ_BODIES], i, count = 0;
    for (i = 0; i < w->body_count; i++) of[i] = i;
    for (i = 0; i < w->contact_count; i++)
        if (!w->contacts[i].sensor && w->contacts[i].phase != DVC_ENDED)
            fuzz_unite(w, of, w->contacts[i].body_a, w->contacts[i].body_b);
    for (i = 0; i < w->joint_count; i++) {
        int a, b;
        if (fuzz_joint_there(w, &w->joints[i])) fuzz_unite(w, of, w->joints[i].body_a, w->joints[i].body_b);
        if (fuzz_gear_there(w, &w->joints[i], &a, &b)) fuzz_unite(w, of, a, b);
    }
    for (i = 0; i < w->spring_count; i++)
        if (fuzz_spring_there(w, &w->springs[i])) fuzz_unite(w, of, w->springs[i].body_a, w->springs[i].body_b);
    for (i = 0; i < w->body_count; i++) count += of[i] == i && !w->bodies[i].disabled && w->bodies[i].kind == DVC_DYNAMIC;
    return count;
}

static void fuzz_judge_counts(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    const dvc_report *r = &w->report;
    int i, chosen = 0, several = 0, group = -1, ended = 0;
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &w->contacts[i];
        bool last = i + 1 == w->contact_count || c[1].group != c->group;
        chosen += c->chosen;
        ended += c->phase == DVC_ENDED;
        group = c->facet > group ? c->facet : group;
        if (!last) continue;
        several += group > 0;
        group = -1;
    }
    if (r->contacts != w->contact_count) fuzz_found_in(FUZZ_COUNTS, r->contacts - w->contact_count, "contacts");
    if (r->enforced != chosen) fuzz_found_in(FUZZ_COUNTS, r->enforced - chosen, "enforced");
    if (r->disjunctions != several) fuzz_found_in(FUZZ_COUNTS, r->disjunctions - several, "disjunctions");
    if (ended == 0
        && (w->sleep ? r->islands > fuzz_count_islands(w) : r->islands != fuzz_count_islands(w))) /* what sleeps is not counted */
        fuzz_found_in(FUZZ_COUNTS, r->islands - fuzz_count_islands(w), "islands");
    if (r->contacts_needed < r->contacts) fuzz_found_in(FUZZ_COUNTS, r->contacts_needed, "contacts_needed");
    if (!w->sleep && chosen > 0 && (r->problems <= 0 || r->largest_problem <= 0))
        fuzz_found_in(FUZZ_COUNTS, r->problems, "no problem for what is enforced");
    if (r->largest_problem > 0 && r->problems <= 0) fuzz_found_in(FUZZ_COUNTS, r->problems, "problems");
    if (r->iterations < 0 || r->inexact < 0 || r->fallbacks < 0 || r->islands < 0 || r->problems < 0 || r->largest_problem < 0
        || r->flips < 0 || r->cuts < 0 || r->corrections < 0 || r->halvings < 0 || r->repeats < 0)
        fuzz_found_in(FUZZ_COUNTS, -1, "below 0");
}

/* ---- all of it ---- */

static double fuzz_tolerance(const dvc_world *w) { return w->tolerance > 0 ? (double)w->tolerance : 1e-9; }

static bool fuzz_passed(const dvc_axis *a, double position, double slack)
{
    return a->limited && (position < (double)a->lower - slack || position > (double)a->upper + slack);
}

/* Was there anything to be made good before the step: overlap, a joint that does not hold, a limit that is passed? */
static bool fuzz_recovers(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    int i, k, pair = 0;
    for (i = 0; i < w->shape_count; i++) for (k = i + 1; k < w->shape_count; k++, pair++)
        if (fuzz_depths[pair] > 1e-7 * fuzz_pair_size(v, i, k)) return true;
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i], *o = fuzz_joint_before(v->before, i);
        double size = fuzz_joint_there(w, j) ? fuzz_joint_size(v, j) : 1;
        if (!fuzz_joint_there(w, j)) continue;
        if (fuzz_joint_off(w, fuzz_body_before(v->before, 0), j, size) > 1e-7 * size) return true;
        if (fuzz_turns(j->kind) && fuzz_passed(&j->turn, (double)o->turn.position, 1e-7)) return true;
        if (fuzz_slides(j->kind) && fuzz_passed(&j->slide, (double)o->slide.position, 1e-7 * size)) return true;
    }
    return false;
}

static void fuzz_look(fuzz_view *v, const fuzz_world *f, const fuzz_copy *before, double h)
{
    const dvc_world *w = &f->w;
    double g[3];
    int i;
    v->f = f;
    v->before = before;
    v->h = h;
    v->exact = w->report.inexact == 0;
    v->whole = w->report.halvings == 0;
    v->end_pose = w->contact_model == DVC_PEG && !w->semi_implicit && w->time_stepping == DVC_STEWART_TRINKLE;
    v->set_after = w->semi_implicit && w->correct_joints && w->joint_count + w->spring_count > 0;
    fuzz_get(w->gravity, g);
    v->speed = fuzz_norm(g) * h;
    fuzz_measure(f, v->depth);
    for (i = 0; i < w->shape_count; i++) v->size[i] = fuzz_shape_there(w, i) ? fuzz_solid_size(&fuzz_solids[i]) : 0;
    for (i = 0; i < w->body_count; i++) v->speed = fmax(v->speed, fuzz_length(fuzz_body_before(before, i)->velocity));
    v->recovers = fuzz_last_recovers = fuzz_recovers(v);
    for (v->impulse = 0, i = 0; i < w->body_count; i++)
        if (w->bodies[i].kind == DVC_DYNAMIC && !w->bodies[i].disabled)
            v->impulse = fmax(v->impulse, (double)w->bodies[i].mass * v->speed);
}

/* Does a step that is told to be inexact keep everything that an exact one keeps? */
static bool fuzz_all_holds(const fuzz_view *v)
{
    const dvc_world *w = &v->f->w;
    int i, k, pair = 0;
    if (w->report.residual > fuzz_tolerance(w) || !v->whole || v->recovers) return false;
    for (i = 0; i < w->shape_count; i++) for (k = i + 1; k < w->shape_count; k++, pair++)
        if (v->depth[pair] > fuzz_closed(v, i, k)) return false;
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i];
        double size = fuzz_joint_there(w, j) ? fuzz_joint_size(v, j) : 1;
        if (fuzz_joint_there(w, j) && fuzz_joint_off(w, w->bodies, j, size) > 1e-7 * size) return false;
    }
    return true;
}

/* Of a step that returned DVC_OK, in a world whose numbers mean something. */
static void fuzz_judge(const fuzz_world *f, const fuzz_copy *before, double h)
{
    static fuzz_view view;
    const dvc_world *w = &f->w;
    int i;
    fuzz_look(&view, f, before, h);
    if ((double)w->report.residual > fuzz_tolerance(w) * (1 + 1e-9) && view.exact)
        fuzz_found(FUZZ_RESIDUAL, (double)w->report.residual);
    if (!(w->report.residual >= 0)) fuzz_found(FUZZ_RESIDUAL_FALSE, (double)w->report.residual);
    if (fabs(w->time - before->w.time - h) > 1e-12 * (1 + fabs(w->time))) fuzz_found(FUZZ_TIME, w->time - before->w.time - h);
    if (!view.exact && fuzz_all_holds(&view)) fuzz_found(FUZZ_CAUTION, w->report.inexact);
    fuzz_judge_counts(&view);
    fuzz_judge_contacts(&view);
    fuzz_judge_overlap(&view);
    fuzz_judge_joints(&view);
    fuzz_judge_energy(&view);
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i], *o = fuzz_body_before(before, i);
        bool still = b->disabled || b->kind == DVC_STATIC;
        if (still && !fuzz_bytes_same(b, o, sizeof *b)) fuzz_found(FUZZ_READ_ONLY, i);
        if (!still) fuzz_judge_motion(&view, i);
        if (still || b->kind != DVC_DYNAMIC) continue;
        fuzz_judge_momentum(&view, i);
        fuzz_judge_spin(&view, i);
    }
    if (f->isolated) fuzz_judge_isolated(&view);
}

#endif
