/* Hulls of clouds that are thin, doubled, coplanar, small, large, far away, in storage that holds nonsense; and masses of what comes
 * out. Judged by the points alone. */
#ifndef DVC_FUZZ_HULL_H
#define DVC_FUZZ_HULL_H

#include "step.h"

enum { FUZZ_CLOUD = 40 };

typedef struct fuzz_heap { dvc_vec3 points[FUZZ_CLOUD]; int count; bool plain; double size, far; } fuzz_heap;

static dvc_vec3 fuzz_cloud_point(fuzz_source *s, int kind, int k, double thin)
{
    dvc_vec3 p = fuzz_any_vec(s, false, 1);
    double length, a;
    switch (kind) {
    case 1: return fuzz_vec(fuzz_below(s, 3) - 1, fuzz_below(s, 3) - 1, fuzz_below(s, 3) - 1);             /* on a grid */
    case 2:
        length = sqrt((double)(p.x * p.x + p.y * p.y + p.z * p.z)) + 1e-9;
        return fuzz_vec((double)p.x / length, (double)p.y / length, (double)p.z / length);
    case 3: return fuzz_vec((double)p.x, (double)p.y, thin * (double)p.z);                                /* a plate */
    case 4: return fuzz_vec(thin * (double)p.x, thin * (double)p.y, (double)p.z);                         /* a needle */
    case 5: a = 6.283185307179586 * (k / 2) / 7; return fuzz_vec(cos(a), sin(a), k & 1 ? thin : -thin);   /* a prism */
    case 6: return fuzz_vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? thin : -thin); /* a block, again and again */
    case 7:
        return fuzz_vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1,
                        0.3 * (double)p.x * thin + 0.5 * ((k & 1) - 0.5)); /* four points nearly in a plane */
    default: return p;
    }
}

/* Half of the points again, a hair aside; points between others. */
static void fuzz_cloud_double(fuzz_heap *c, fuzz_source *s, double thin)
{
    int k;
    for (k = c->count / 2; k < c->count; k++) {
        dvc_vec3 p = c->points[fuzz_below(s, c->count / 2)], q = c->points[fuzz_below(s, c->count / 2)],
                 r = fuzz_any_vec(s, false, thin);
        double t = fuzz_chance(s, 500) ? 0 : fuzz_range(s, 0, 1);
        c->points[k] =
            fuzz_vec((double)p.x + t * (double)(q.x - p.x) + (double)r.x, (double)p.y + t * (double)(q.y - p.y) + (double)r.y,
                     (double)p.z + t * (double)(q.z - p.z) + (double)r.z);
    }
}

static void fuzz_cloud_make(fuzz_heap *c, fuzz_source *s, fuzz_level level)
{
    int kind = fuzz_below(s, 8), k;
    double thin = fuzz_chance(s, 300) ? 1 : fuzz_log_range(s, 1e-17, 1),
           size = level == FUZZ_SANE ? fuzz_log_range(s, 1e-3, 1e3) : fuzz_log_range(s, 1e-120, 1e120),
           far = fuzz_chance(s, 700) ? 0 : fuzz_log_range(s, 1e-3, 1e9);
    dvc_quat turn = fuzz_chance(s, 500) ? fuzz_turn(fuzz_vec(0, 0, 1), 0) : fuzz_any_turn(s, false);
    bool rounded = fuzz_chance(s, 200), doubled = fuzz_chance(s, 300);
    double x[3];
    c->count = 4 + fuzz_below(s, fuzz_chance(s, 300) ? FUZZ_CLOUD - 3 : 9);
    for (k = 0; k < c->count; k++) c->points[k] = fuzz_cloud_point(s, kind, k, thin);
    if (doubled) fuzz_cloud_double(c, s, thin);
    for (k = 0; k < c->count; k++) {
        fuzz_get(c->points[k], x);
        fuzz_rotate(turn, x, x);
        c->points[k] = fuzz_vec(size * (x[0] + far), size * x[1], size * x[2]);
        if (rounded)
            c->points[k] = fuzz_vec((double)(float)(double)c->points[k].x, (double)(float)(double)c->points[k].y,
                                    (double)(float)(double)c->points[k].z);
        if (level == FUZZ_HOSTILE) c->points[k].x = (dvc_real)fuzz_number(s, level, (double)c->points[k].x);
    }
    c->plain = kind == 0 && !doubled && far == 0 && c->count <= 20 && level == FUZZ_SANE;
    c->far = far;
    for (c->size = 0, k = 1; k < c->count; k++) {
        double y[3];
        fuzz_get(c->points[k], x);
        fuzz_get(c->points[0], y);
        fuzz_minus(x, y, x);
        c->size = fmax(c->size, fuzz_norm(x));
    }
}

/* No point outside, no face askew. */
static void fuzz_hull_judge_faces(const fuzz_heap *c, const dvc_polytope *p)
{
    double worst = 0, n[3], x[3];
    int i, k;
    for (i = 0; i < p->face_count; i++) {
        fuzz_get(p->faces[i].normal, n);
        if (!(fabs(fuzz_norm(n) - 1) <= 1e-9)) fuzz_found_in(FUZZ_HULL_FORM, fuzz_norm(n), "normal");
        for (k = 0; k < c->count; k++) {
            fuzz_get(c->points[k], x);
            worst = fmax(worst, fuzz_dot(n, x) - (double)p->faces[i].offset);
        }
        for (k = 0; k < p->faces[i].count; k++) {
            fuzz_get(p->vertices[p->loops[p->faces[i].first + k]], x);
            if (!(fabs(fuzz_dot(n, x) - (double)p->faces[i].offset) <= 1e-8 * c->size * (1 + c->far))) {
                fuzz_found_in(FUZZ_HULL_FORM, fabs(fuzz_dot(n, x) - (double)p->faces[i].offset) / c->size, "face is not flat");
                break;
            }
        }
    }
    if (!(worst <= 1e-8 * c->size * (1 + c->far))) fuzz_found(FUZZ_HULL_OUTSIDE, worst / c->size);
}

static bool fuzz_hull_has_edge(const dvc_polytope *p, int face, int tail, int head)
{
    const dvc_face *f = &p->faces[face];
    int k;
    for (k = 0; k < f->count; k++)
        if (p->loops[f->first + k] == tail && p->loops[f->first + (k + 1) % f->count] == head) return true;
    return false;
}

/* Everything that names something names what is there, and all fits. */
static void fuzz_hull_judge_form(const fuzz_heap *c, const dvc_polytope *p)
{
    int i, k, loops = 0;
    bool wild = p->vertex_count < 4 || p->face_count < 4 || p->edge_count < 6 || p->vertex_count > c->count
                || p->face_count > 2 * c->count || p->edge_count > 3 * c->count;
    if (wild || p->vertex_count - p->edge_count + p->face_count != 2) {
        fuzz_found_in(FUZZ_HULL_FORM, p->vertex_count - p->edge_count + p->face_count, "Euler");
        return;
    }
    for (i = 0; i < p->face_count; i++) {
        loops += p->faces[i].count;
        wild =
            wild || p->faces[i].count < 3 || p->faces[i].first < 0 || p->faces[i].first + p->faces[i].count > 2 * p->edge_count;
        for (k = 0; !wild && k < p->faces[i].count; k++)
            wild = p->loops[p->faces[i].first + k] < 0 || p->loops[p->faces[i].first + k] >= p->vertex_count;
    }
    if (wild || loops != 2 * p->edge_count) { fuzz_found_in(FUZZ_HULL_FORM, loops, "loops"); return; }
    for (i = 0; i < p->edge_count; i++) {
        const dvc_edge *e = &p->edges[i];
        wild = wild || e->tail < 0 || e->head < 0 || e->tail >= p->vertex_count || e->head >= p->vertex_count || e->face_1 < 0
               || e->face_2 < 0 || e->face_1 >= p->face_count || e->face_2 >= p->face_count;
        if (wild || !fuzz_hull_has_edge(p, e->face_1, e->tail, e->head) || !fuzz_hull_has_edge(p, e->face_2, e->head, e->tail)) {
            fuzz_found_in(FUZZ_HULL_FORM, i, "edges");
            return;
        }
    }
    for (i = 0; i < p->vertex_count; i++) {
        wild = wild || p->around_first[i] < 0 || p->around_first[i + 1] - p->around_first[i] < 3
               || p->around_first[i + 1] > 2 * p->edge_count;
        for (k = wild ? 0 : p->around_first[i]; !wild && k < p->around_first[i + 1]; k++)
            wild = p->around[k] < 0 || p->around[k] >= p->vertex_count || p->around[k] == i;
    }
    if (wild) fuzz_found_in(FUZZ_HULL_FORM, 1, "around");
    if (!(p->inner > 0)) fuzz_found_in(FUZZ_HULL_FORM, (double)p->inner, "inner");
}

/* Its volume and the trace of its inertia about its centroid, by tetrahedra around the mean of the vertices. */
static void fuzz_hull_moments(const dvc_polytope *p, double *volume, double *trace, double *centre)
{
    double o[3] = { 0, 0, 0 }, a[3], b[3], c[3], m[3], first[3] = { 0, 0, 0 }, square = 0, x[3];
    int i, k, j;
    *volume = 0;
    for (i = 0; i < p->vertex_count; i++) for (fuzz_get(p->vertices[i], x), k = 0; k < 3; k++) o[k] += x[k] / p->vertex_count;
    for (i = 0; i < p->face_count; i++) for (k = 1; k + 1 < p->faces[i].count; k++) {
        const int *loop = p->loops + p->faces[i].first;
        double v, sum[3];
        fuzz_get(p->vertices[loop[0]], a); fuzz_minus(a, o, a);
        fuzz_get(p->vertices[loop[k]], b); fuzz_minus(b, o, b);
        fuzz_get(p->vertices[loop[k + 1]], c); fuzz_minus(c, o, c);
        fuzz_cross(b, c, m);
        v = fuzz_dot(a, m) / 6;
        *volume += v;
        for (j = 0; j < 3; j++) { sum[j] = a[j] + b[j] + c[j]; first[j] += v * sum[j] / 4; }
        square += v * (fuzz_dot(sum, sum) + fuzz_dot(a, a) + fuzz_dot(b, b) + fuzz_dot(c, c)) / 20; /* integral of |x|^2 */
    }
    for (j = 0; j < 3; j++) { first[j] /= *volume; centre[j] = o[j] + first[j]; }
    *trace = 2 * (square - *volume * fuzz_dot(first, first));
}

/* The mass of a body made of it: wherever its mesh lies, its moments are such as a body can have, and the solid's. */
static void fuzz_hull_judge_mass(const fuzz_heap *c, const dvc_polytope *p)
{
    dvc_body body;
    dvc_shape shape;
    double volume, trace, centre[3], j[3];
    dvc_status status;
    memset(&body, 0, sizeof body);
    memset(&shape, 0, sizeof shape);
    shape.kind = DVC_POLYTOPE;
    shape.polytope = p;
    status = dvc_body_mass_from_shapes(&body, &shape, 1, 1);
    if (status != DVC_OK) return;
    fuzz_get(body.inertia, j);
    if (!isfinite((double)body.mass) || !isfinite(j[0] + j[1] + j[2]) || !(body.mass > 0)) {
        fuzz_found_in(FUZZ_NOT_FINITE, 1, "mass");
        return;
    }
    if (!(j[0] > 0 && j[1] > 0 && j[2] > 0) || fmax(fmax(j[0], j[1]), j[2]) * 2 > (j[0] + j[1] + j[2]) * (1 + 1e-6)) {
        fuzz_found_in(FUZZ_MASS, fmin(fmin(j[0], j[1]), j[2]), "no such body");
        return;
    }
    fuzz_hull_moments(p, &volume, &trace, centre);
    if (!(volume > 1e-9 * c->size * c->size * c->size) || c->far > 1e6) return; /* too thin for this oracle */
    if (!(fabs((double)body.mass / volume - 1) <= 1e-6)) fuzz_found_in(FUZZ_MASS, (double)body.mass / volume - 1, "volume");
    if (!(fabs((j[0] + j[1] + j[2]) / trace - 1) <= 1e-6)) fuzz_found_in(FUZZ_MASS, (j[0] + j[1] + j[2]) / trace - 1, "moments");
}

static void fuzz_run_hull(fuzz_source *source, fuzz_source *checks, fuzz_level level)
{
    static fuzz_heap c;
    dvc_polytope p;
    fuzz_block b;
    size_t need;
    dvc_status status;
    double start = fuzz_now();
    fuzz_state.step = 0;
    fuzz_state.family = "";
    fuzz_cloud_make(&c, source, level);
    if (level == FUZZ_HOSTILE && fuzz_chance(source, 50)) c.count = fuzz_below(source, 6);
    need = dvc_polytope_size(c.count);
    b = fuzz_block_of(need, fuzz_below(checks, 16), fuzz_chance(checks, 500) ? 0xA5 : 0xFF);
    memset(&p, 0x77, sizeof p);
    status = dvc_polytope_build(c.points, c.count, b.bytes, need, &p);
    fuzz_sums[level].worlds++;
    if (fuzz_now() - start > FUZZ_SLOW) fuzz_found(FUZZ_HANG, fuzz_now() - start);
    if ((int)status < 0 || status >= DVC_STATUS_COUNT) fuzz_found(FUZZ_STATUS, status);
    if (status == DVC_OK) {
        fuzz_sums[level].ok++;
        fuzz_hull_judge_form(&c, &p);
        fuzz_hull_judge_faces(&c, &p);
        fuzz_hull_judge_mass(&c, &p);
    } else if (c.plain) fuzz_found_in(FUZZ_HULL_FAILS, status, dvc_status_text(status));
    if (status == DVC_ERROR_STORAGE && c.count >= 4) fuzz_found(FUZZ_SCRATCH_SHORT, (double)need);
    if (status == DVC_OK && need > 0) {
        fuzz_block less = fuzz_block_of(need - 1, 0, 0x55);
        dvc_polytope q;
        if (dvc_polytope_build(c.points, c.count, less.bytes, need - 1, &q) != DVC_ERROR_STORAGE)
            fuzz_found(FUZZ_SCRATCH_LONG, 1);
        fuzz_block_close(&less);
    }
    fuzz_block_close(&b);
}

#endif
