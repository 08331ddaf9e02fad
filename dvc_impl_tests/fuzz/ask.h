/* Questions to random worlds, against answers of the driver's own. A distance needs no search to be judged: if the two points
 * lie on the shapes and are so far apart, it is not more; if the normal parts the shapes by as much, it is not less. */
#ifndef DVC_FUZZ_ASK_H
#define DVC_FUZZ_ASK_H

#include "step.h"

static double fuzz_slack(const fuzz_world *f, const fuzz_solid *a, const fuzz_solid *b)
{
    double far = fuzz_norm(a->middle) + fuzz_norm(b->middle) + fuzz_solid_size(a) + fuzz_solid_size(b);
    return 1e-9 * far + 1e-9 * f->unit;
}

/* How far the point is outside of the solid; < 0 inside. */
static double fuzz_outside(const fuzz_solid *s, const double *p)
{
    double most = -FUZZ_FAR, d[3], top;
    int i, k;
    if (s->half_space) return fuzz_dot(s->n[0], p) - s->offset;
    if (s->vertex_count == 1) { fuzz_minus(p, s->v[0], d); return fuzz_norm(d) - s->radius; }
    for (i = 0; i < s->normal_count; i++) {
        for (top = -FUZZ_FAR, k = 0; k < s->vertex_count; k++) top = fmax(top, fuzz_dot(s->n[i], s->v[k]));
        most = fmax(most, fuzz_dot(s->n[i], p) - top);
    }
    return most;
}

/* Room along a normal, half-spaces included: they part along their own only. */
static double fuzz_room_by(const fuzz_solid *a, const fuzz_solid *b, const double *n)
{
    if (a->half_space) return fuzz_dot(a->n[0], n) > 1 - 1e-9 ? fuzz_half_space_room(a, b) : -FUZZ_FAR;
    if (b->half_space) return fuzz_dot(b->n[0], n) < -1 + 1e-9 ? fuzz_half_space_room(b, a) : -FUZZ_FAR;
    return fuzz_room_along(a, b, n);
}

static void fuzz_ask_distance(fuzz_world *f, fuzz_source *s)
{
    int i = fuzz_below(s, f->w.shape_count), k = fuzz_below(s, f->w.shape_count), j;
    static fuzz_solid a, b;
    dvc_gap g;
    dvc_status status;
    double n[3], x[3], y[3], slack, d, off = 0;
    status = dvc_distance(&f->w, i, k, &g);
    if (!fuzz_shape_there(&f->w, i) || !fuzz_shape_there(&f->w, k)) {
        if (status == DVC_OK) fuzz_found_in(FUZZ_ASK_GAP, i, "a shape that is not there");
        return;
    }
    if (status != DVC_OK) { if (i != k && f->level == FUZZ_SANE) fuzz_found_in(FUZZ_ASK_GAP, status, "refused"); return; }
    if (i == k) return;
    fuzz_solid_at(f, i, &a);
    fuzz_solid_at(f, k, &b);
    if (a.half_space && b.half_space) return;
    slack = fuzz_slack(f, &a, &b);
    fuzz_get(g.normal, n);
    fuzz_get(g.point_a, x);
    fuzz_get(g.point_b, y);
    d = (double)g.distance;
    if (!(fabs(fuzz_norm(n) - 1) <= 1e-9)) fuzz_found_in(FUZZ_ASK_GAP, fuzz_norm(n), "normal");
    for (j = 0; j < 3; j++) off = fmax(off, fabs(y[j] - x[j] - d * n[j]));
    if (!(off <= slack)) fuzz_found_in(FUZZ_ASK_GAP, off / f->unit, "points");
    if (!(fuzz_outside(&a, x) <= slack) || !(fuzz_outside(&b, y) <= slack))
        fuzz_found_in(FUZZ_ASK_GAP, fmax(fuzz_outside(&a, x), fuzz_outside(&b, y)) / f->unit, "a point is outside");
    if (d > 0 && !(fuzz_room_by(&a, &b, n) >= d - slack))
        fuzz_found_in(FUZZ_ASK_GAP, (d - fuzz_room_by(&a, &b, n)) / f->unit, "too far");
    if (d <= 0 && !(fabs(fuzz_room(&a, &b, FUZZ_FAR) - d) <= slack))
        fuzz_found_in(FUZZ_ASK_GAP, (fuzz_room(&a, &b, FUZZ_FAR) - d) / f->unit, "depth");
}

/* Where a probe is put. */
typedef struct fuzz_probe { dvc_shape shape; dvc_vec3 at; dvc_quat turn; fuzz_solid solid; } fuzz_probe;

static bool fuzz_probe_make(fuzz_world *f, fuzz_source *s, fuzz_probe *p)
{
    int i = fuzz_below(s, f->w.shape_count);
    if (!fuzz_shape_there(&f->w, i) || f->w.shapes[i].kind == DVC_PLANE) return false;
    p->shape = f->w.shapes[i];
    p->shape.category = p->shape.ignore = 0;
    p->at = fuzz_any_vec(s, f->w.planar, 2 * f->unit);
    p->at = f->w.planar ? fuzz_vec((double)p->at.x, (double)p->at.y + f->unit, 0)
                        : fuzz_vec((double)p->at.x, (double)p->at.y, (double)p->at.z + f->unit);
    p->turn = fuzz_any_turn(s, f->w.planar);
    fuzz_solid_in(f, &p->shape, p->at, p->turn, &p->solid);
    return true;
}

static bool fuzz_asked(const fuzz_world *f, int i) { return fuzz_shape_there(&f->w, i) && !(f->w.shapes[i].ignore & 1u); }

static void fuzz_ask_overlap(fuzz_world *f, fuzz_source *s)
{
    static fuzz_probe p;
    static fuzz_solid o;
    int list[FUZZ_SHAPES], count = 0, i, k, at = 0;
    double margin = fuzz_chance(s, 500) ? 0 : fuzz_range(s, -0.1, 0.3) * f->unit;
    if (!fuzz_probe_make(f, s, &p)) return;
    if (dvc_overlap(&f->w, &p.shape, p.at, p.turn, (dvc_real)margin, list, FUZZ_SHAPES, &count) != DVC_OK) {
        if (f->level == FUZZ_SANE) fuzz_found_in(FUZZ_ASK_LIST, 1, "refused");
        return;
    }
    for (i = 0; i < f->w.shape_count; i++) {
        bool listed = false;
        double room, slack;
        for (k = 0; k < count && k < FUZZ_SHAPES; k++) listed = listed || list[k] == i;
        if (!fuzz_asked(f, i)) { if (listed) fuzz_found_in(FUZZ_ASK_LIST, i, "not to be asked"); continue; }
        fuzz_solid_at(f, i, &o);
        room = fuzz_room(&p.solid, &o, FUZZ_FAR);
        slack = fuzz_slack(f, &p.solid, &o);
        if (listed && room > margin + slack) fuzz_found_in(FUZZ_ASK_LIST, (room - margin) / f->unit, "too much");
        if (!listed && room < fmin(margin, 0) - slack) fuzz_found_in(FUZZ_ASK_LIST, (margin - room) / f->unit, "missing");
    }
    for (k = 1; k < count && k < FUZZ_SHAPES; k++) at += list[k] <= list[k - 1];
    if (at > 0 || count < 0 || count > f->w.shape_count) fuzz_found_in(FUZZ_ASK_LIST, count, "order");
}

/* Where the ray enters a solid: t, or FUZZ_FAR; by its planes, or by a square root. */
static double fuzz_ray_enters(const fuzz_solid *s, const double *from, const double *way)
{
    double low = -FUZZ_FAR, high = FUZZ_FAR, d[3], b, c, square, top;
    int i, k;
    if (!s->half_space && s->vertex_count == 1) {
        fuzz_minus(from, s->v[0], d);
        square = fuzz_dot(way, way);
        b = fuzz_dot(d, way);
        c = fuzz_dot(d, d) - s->radius * s->radius;
        if (c <= 0) return 0;
        return b < 0 && b * b >= square * c ? (-b - sqrt(b * b - square * c)) / square : FUZZ_FAR;
    }
    for (i = 0; i < s->normal_count; i++) {
        double rate = fuzz_dot(s->n[i], way), room;
        top = s->half_space ? s->offset : -FUZZ_FAR;
        for (k = 0; k < s->vertex_count; k++) top = fmax(top, fuzz_dot(s->n[i], s->v[k]));
        room = fuzz_dot(s->n[i], from) - top;
        if (rate == 0) { if (room > 0) return FUZZ_FAR; continue; }
        if (rate < 0) low = fmax(low, -room / rate);
        else high = fmin(high, -room / rate);
    }
    return low <= high && high >= 0 ? fmax(low, 0) : FUZZ_FAR;
}

static void fuzz_ask_ray(fuzz_world *f, fuzz_source *s)
{
    static fuzz_solid o;
    dvc_vec3 from = fuzz_any_vec(s, f->w.planar, 3 * f->unit), way = fuzz_any_vec(s, f->w.planar, 5 * f->unit);
    double x[3], y[3], first = FUZZ_FAR, p[3], length, t;
    dvc_hit hit;
    int i, k;
    if (dvc_raycast(&f->w, from, way, 0, &hit) != DVC_OK) {
        if (f->level == FUZZ_SANE) fuzz_found_in(FUZZ_ASK_RAY, 1, "refused");
        return;
    }
    fuzz_get(from, x);
    fuzz_get(way, y);
    length = fuzz_norm(y) / f->unit;
    for (i = 0; i < f->w.shape_count; i++) {
        if (!fuzz_shape_there(&f->w, i) || f->w.shapes[i].sensor) continue;
        fuzz_solid_at(f, i, &o);
        t = fuzz_ray_enters(&o, x, y);
        if (t <= 1) first = fmin(first, t);
    }
    if (hit.shape < 0) { if (first <= 1 - 1e-9 && first > 1e-9) fuzz_found_in(FUZZ_ASK_RAY, first, "misses"); return; }
    if (!(fabs((double)hit.t - first) * length <= 1e-8 * (1 + length))) {
        /* what is only grazed may be hit or not */
        fuzz_solid_at(f, hit.shape, &o);
        for (k = 0; k < 3; k++) p[k] = x[k] + (double)hit.t * y[k];
        if (!(fuzz_outside(&o, p) <= 1e-8 * f->unit) || (double)hit.t > first)
            fuzz_found_in(FUZZ_ASK_RAY, (double)hit.t - first, "another t");
    }
    if (hit.body != f->w.shapes[hit.shape].body) fuzz_found_in(FUZZ_ASK_RAY, hit.body, "body");
}

/* A probe moves: before it hits, it overlaps nothing by more than rounding; where it hits, it touches. */
static void fuzz_ask_cast(fuzz_world *f, fuzz_source *s)
{
    static fuzz_probe p;
    static fuzz_solid moved, o;
    dvc_vec3 way;
    dvc_hit hit;
    double y[3], t, room;
    int i, k, j;
    if (!fuzz_probe_make(f, s, &p)) return;
    way = fuzz_any_vec(s, f->w.planar, 4 * f->unit);
    fuzz_get(way, y);
    if (dvc_shapecast(&f->w, &p.shape, p.at, p.turn, way, &hit) != DVC_OK) {
        if (f->level == FUZZ_SANE) fuzz_found_in(FUZZ_ASK_CAST, 1, "refused");
        return;
    }
    for (k = 0; k <= 8; k++) {
        t = (hit.shape >= 0 ? (double)hit.t : 1) * k / 8;
        moved = p.solid;
        for (i = 0; i < moved.vertex_count; i++) for (j = 0; j < 3; j++) moved.v[i][j] += t * y[j];
        fuzz_enclose(&moved);
        for (i = 0; i < f->w.shape_count; i++) {
            if (!fuzz_asked(f, i) || f->w.shapes[i].sensor) continue;
            fuzz_solid_at(f, i, &o);
            room = fuzz_room(&moved, &o, FUZZ_FAR);
            if (!hit.inside && room < -1e-7 * f->unit - fuzz_slack(f, &moved, &o))
                fuzz_found_in(FUZZ_ASK_CAST, -room / f->unit, "goes through");
            if (k == 8 && i == hit.shape && !hit.inside && room > 1e-7 * f->unit + fuzz_slack(f, &moved, &o))
                fuzz_found_in(FUZZ_ASK_CAST, room / f->unit, "does not touch");
        }
    }
}

static void fuzz_run_ask(fuzz_source *source, fuzz_source *checks, fuzz_level level)
{
    fuzz_world *f = &fuzz_now_world;
    int k;
    if (!fuzz_scratch) fuzz_grow_scratch(FUZZ_SCRATCH);
    memset(&fuzz_cache, 0, sizeof fuzz_cache.known);
    fuzz_state.step = -1;
    fuzz_state.family = "";
    fuzz_world_make(f, source, level);
    fuzz_sums[level].worlds++;
    f->w.scratch = fuzz_scratch;
    f->w.scratch_size = fuzz_scratch_size;
    for (k = 0; k < 24 && f->w.shape_count > 0; k++) {
        fuzz_state.step = k;
        if (level == FUZZ_HOSTILE) { /* only: no harm */
            dvc_gap g;
            dvc_hit hit;
            int list[4], count;
            (void)dvc_distance(&f->w, fuzz_below(checks, 60) - 4, fuzz_below(checks, f->w.shape_count), &g);
            (void)dvc_raycast(&f->w, fuzz_any_vec(checks, false, 3), fuzz_vec(fuzz_number(checks, level, 1), 0, -3),
                              fuzz_bits(checks), &hit);
            (void)dvc_overlap(&f->w, &f->w.shapes[fuzz_below(checks, f->w.shape_count)], fuzz_any_vec(checks, false, 2),
                              fuzz_any_turn(checks, f->w.planar), (dvc_real)fuzz_number(checks, level, 0.1), list, 4, &count);
            (void)dvc_shapecast(&f->w, &f->w.shapes[fuzz_below(checks, f->w.shape_count)], fuzz_any_vec(checks, false, 2),
                                fuzz_any_turn(checks, f->w.planar), fuzz_vec(1, fuzz_number(checks, level, 1), 0), &hit);
            continue;
        }
        fuzz_ask_distance(f, checks);
        if (k % 3 == 0) fuzz_ask_overlap(f, checks);
        if (k % 3 == 1) fuzz_ask_ray(f, checks);
        if (k % 3 == 2) fuzz_ask_cast(f, checks);
    }
    fuzz_world_free(f);
}

#endif
