/* Geometry that judges the engine's: separating axes, by trying them all, from the definitions of the shapes alone. It calls nothing
 * of dvc.h. An axis too many does no harm (the room along any axis is a true bound), so faces and edges are taken generously.
 *
 *     fuzz_solid_at    a shape where its body is
 *     fuzz_room        > 0: apart along some axis by so much; < 0: the shortest way out of each other */
#ifndef DVC_FUZZ_SOLID_H
#define DVC_FUZZ_SOLID_H

#include "world.h"

enum { FUZZ_AXES = 96, FUZZ_EDGES = 96 };

#define FUZZ_FAR 1e300

typedef struct fuzz_solid {
    bool planar, half_space;
    int vertex_count, normal_count, edge_count, way_count;
    double radius;
    double v[FUZZ_POINTS][3];
    double n[FUZZ_AXES][3];    /* of faces, outward; of a half-space the first */
    int edge[FUZZ_EDGES][2];
    double way[FUZZ_AXES][3];  /* of edges, each direction once; in space only */
    double offset;             /* of a half-space */
    double middle[3], ball;    /* all of it is in here */
} fuzz_solid;

/* ---- vectors ---- */

static double fuzz_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double fuzz_norm(const double *a) { return sqrt(fuzz_dot(a, a)); }

static void fuzz_cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void fuzz_minus(const double *a, const double *b, double *out)
{
    int k;
    for (k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static bool fuzz_normalize(double *a)
{
    double length = fuzz_norm(a);
    int k;
    if (!(length > 0)) return false;
    for (k = 0; k < 3; k++) a[k] /= length;
    return true;
}

static void fuzz_get(dvc_vec3 v, double *out)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void fuzz_rotate(dvc_quat q, const double *v, double *out)
{
    double u[3] = { (double)q.x, (double)q.y, (double)q.z }, w = (double)q.w, square = w * w + fuzz_dot(u, u), c[3], s;
    int k;
    if (!(square > 0)) { memmove(out, v, 3 * sizeof *out); return; }
    fuzz_cross(u, v, c);
    s = 2 * fuzz_dot(u, v);
    for (k = 0; k < 3; k++) c[k] = ((w * w - fuzz_dot(u, u)) * v[k] + s * u[k] + 2 * w * c[k]) / square;
    memcpy(out, c, sizeof c);
}

static dvc_quat fuzz_conj(dvc_quat q)
{
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

/* ---- a shape in its own frame ---- */

static void fuzz_add_axis(double axes[][3], int *count, const double *a, bool both_ways)
{
    int i;
    for (i = 0; i < *count; i++) {
        double c = fuzz_dot(axes[i], a);
        if ((both_ways ? fabs(c) : c) > 1 - 1e-15) return;
    }
    if (*count < FUZZ_AXES) memcpy(axes[(*count)++], a, 3 * sizeof *a);
}

static double fuzz_extent(const fuzz_solid *s)
{
    double most = 0, d[3];
    int i;
    for (i = 1; i < s->vertex_count; i++) {
        fuzz_minus(s->v[i], s->v[0], d);
        most = fmax(most, fuzz_norm(d));
    }
    return most;
}

/* All planes through three points that have all others on one side. */
static void fuzz_find_normals(fuzz_solid *s)
{
    double size = fuzz_extent(s), a[3], b[3], n[3], d[3];
    int i, j, k, m;
    for (i = 0; i < s->vertex_count; i++) for (j = 0; j < s->vertex_count; j++) for (k = j + 1; k < s->vertex_count; k++) {
        double most = -FUZZ_FAR;
        fuzz_minus(s->v[j], s->v[i], a);
        fuzz_minus(s->v[k], s->v[i], b);
        fuzz_cross(a, b, n);
        if (i == j || i == k || fuzz_norm(n) < 1e-9 * fuzz_norm(a) * fuzz_norm(b) || !fuzz_normalize(n)) continue;
        for (m = 0; m < s->vertex_count; m++) {
            fuzz_minus(s->v[m], s->v[i], d);
            most = fmax(most, fuzz_dot(n, d));
        }
        if (most <= 2e-9 * size) fuzz_add_axis(s->n, &s->normal_count, n, false);
    }
}

/* Two points that lie on two of the planes. */
static void fuzz_find_edges(fuzz_solid *s)
{
    double size = fuzz_extent(s), top[FUZZ_AXES], d[3];
    int i, j, k;
    for (k = 0; k < s->normal_count; k++)
        for (top[k] = -FUZZ_FAR, i = 0; i < s->vertex_count; i++) top[k] = fmax(top[k], fuzz_dot(s->n[k], s->v[i]));
    for (i = 0; i < s->vertex_count; i++) for (j = i + 1; j < s->vertex_count; j++) {
        int shared = 0;
        for (k = 0; k < s->normal_count; k++)
            shared += fuzz_dot(s->n[k], s->v[i]) > top[k] - 1e-6 * size && fuzz_dot(s->n[k], s->v[j]) > top[k] - 1e-6 * size;
        fuzz_minus(s->v[j], s->v[i], d);
        if (shared < 2 || s->edge_count >= FUZZ_EDGES || !fuzz_normalize(d)) continue;
        s->edge[s->edge_count][0] = i;
        s->edge[s->edge_count++][1] = j;
        fuzz_add_axis(s->way, &s->way_count, d, true);
    }
}

static void fuzz_find_sides(fuzz_solid *s)
{
    int i;
    for (i = 0; i < s->vertex_count; i++) {
        int next = (i + 1) % s->vertex_count;
        double n[3] = { 0, 0, 0 };
        n[0] = s->v[next][1] - s->v[i][1];
        n[1] = s->v[i][0] - s->v[next][0];
        s->edge[s->edge_count][0] = i;
        s->edge[s->edge_count++][1] = next;
        if (fuzz_normalize(n)) fuzz_add_axis(s->n, &s->normal_count, n, false);
    }
}

static void fuzz_box_solid(fuzz_solid *s, dvc_vec3 half)
{
    static const int round[4] = { 0, 1, 3, 2 };
    double h[3];
    int i, k;
    fuzz_get(half, h);
    s->vertex_count = s->planar ? 4 : 8;
    for (i = 0; i < s->vertex_count; i++)
        for (k = 0; k < 3; k++) s->v[i][k] = s->planar && k == 2 ? 0 : (s->planar ? round[i] : i) >> k & 1 ? h[k] : -h[k];
    if (s->planar) { fuzz_find_sides(s); return; }
    for (k = 0; k < 3; k++) {
        double a[3] = { 0, 0, 0 };
        a[k] = 1;
        fuzz_add_axis(s->way, &s->way_count, a, true);
        fuzz_add_axis(s->n, &s->normal_count, a, false);
        a[k] = -1;
        fuzz_add_axis(s->n, &s->normal_count, a, false);
    }
    for (i = 0; i < 8; i++) for (k = 0; k < 3; k++) {
        if (i >> k & 1) continue;
        s->edge[s->edge_count][0] = i;
        s->edge[s->edge_count++][1] = i | 1 << k;
    }
}

/* Hulls of clouds are found once and kept, as long as the world is the same. */
typedef struct fuzz_solid_cache { bool known[FUZZ_HULLS]; fuzz_solid hulls[FUZZ_HULLS]; } fuzz_solid_cache;

static fuzz_solid_cache fuzz_cache;

static void fuzz_hull_solid(const fuzz_world *f, const dvc_polytope *polytope, fuzz_solid *s)
{
    int k = 0, i;
    while (k < f->hull_count && &f->hulls[k].polytope != polytope) k++;
    if (k == f->hull_count) return;
    if (!fuzz_cache.known[k]) {
        for (i = 0; i < f->hulls[k].count; i++) fuzz_get(f->hulls[k].points[i], s->v[i]);
        s->vertex_count = f->hulls[k].count;
        fuzz_find_normals(s);
        fuzz_find_edges(s);
        fuzz_cache.known[k] = true;
        fuzz_cache.hulls[k] = *s;
    }
    *s = fuzz_cache.hulls[k];
}

static void fuzz_local_solid(const fuzz_world *f, const dvc_shape *shape, fuzz_solid *s)
{
    int i;
    s->planar = f->w.planar;
    s->half_space = shape->kind == DVC_PLANE;
    s->vertex_count = s->normal_count = s->edge_count = s->way_count = 0;
    s->radius = s->offset = 0;
    if (shape->kind == DVC_SPHERE) {
        s->vertex_count = 1;
        s->v[0][0] = s->v[0][1] = s->v[0][2] = 0;
        s->radius = (double)shape->radius;
    }
    if (shape->kind == DVC_PLANE) {
        fuzz_get(shape->normal, s->n[0]);
        s->normal_count = fuzz_normalize(s->n[0]);
    }
    if (shape->kind == DVC_BOX) fuzz_box_solid(s, shape->half);
    if (shape->kind == DVC_POLYTOPE) fuzz_hull_solid(f, shape->polytope, s);
    if (shape->kind != DVC_POLYGON) return;
    for (i = 0; i < shape->point_count && i < FUZZ_POINTS; i++) {
        s->v[i][0] = (double)shape->points[i].x;
        s->v[i][1] = (double)shape->points[i].y;
        s->v[i][2] = 0;
    }
    s->vertex_count = i;
    fuzz_find_sides(s);
}

static void fuzz_place(fuzz_solid *s, dvc_vec3 position, dvc_quat turn)
{
    double at[3];
    int i, k;
    fuzz_get(position, at);
    if (s->planar) at[2] = 0;
    for (i = 0; i < s->vertex_count; i++) {
        fuzz_rotate(turn, s->v[i], s->v[i]);
        for (k = 0; k < 3; k++) s->v[i][k] += at[k];
    }
    for (i = 0; i < s->normal_count; i++) fuzz_rotate(turn, s->n[i], s->n[i]);
    for (i = 0; i < s->way_count; i++) fuzz_rotate(turn, s->way[i], s->way[i]);
    if (s->half_space) s->offset += fuzz_dot(s->n[0], at);
}

static void fuzz_enclose(fuzz_solid *s)
{
    double d[3];
    int i, k;
    for (k = 0; k < 3; k++)
        for (s->middle[k] = 0, i = 0; i < s->vertex_count; i++) s->middle[k] += s->v[i][k] / s->vertex_count;
    for (s->ball = 0, i = 0; i < s->vertex_count; i++) {
        fuzz_minus(s->v[i], s->middle, d);
        s->ball = fmax(s->ball, fuzz_norm(d));
    }
    s->ball += s->radius;
}

/* A shape in a given pose of its body. */
static void fuzz_solid_in(const fuzz_world *f, const dvc_shape *shape, dvc_vec3 position, dvc_quat turn, fuzz_solid *s)
{
    fuzz_local_solid(f, shape, s);
    fuzz_place(s, shape->position, shape->orientation);
    fuzz_place(s, position, turn);
    fuzz_enclose(s);
}

static void fuzz_solid_at(const fuzz_world *f, int shape, fuzz_solid *s)
{
    const dvc_body *body = &f->w.bodies[f->w.shapes[shape].body];
    fuzz_solid_in(f, &f->w.shapes[shape], body->position, body->orientation, s);
}

/* Of the world: coordinates are rounded to so much. */
static double fuzz_solid_size(const fuzz_solid *s) { return s->half_space ? 0 : s->ball; }

/* ---- room between two ---- */

static double fuzz_room_along(const fuzz_solid *a, const fuzz_solid *b, const double *n)
{
    double low = FUZZ_FAR, high = -FUZZ_FAR;
    int i;
    for (i = 0; i < b->vertex_count; i++) low = fmin(low, fuzz_dot(n, b->v[i]));
    for (i = 0; i < a->vertex_count; i++) high = fmax(high, fuzz_dot(n, a->v[i]));
    return low - high - a->radius - b->radius;
}

/* The best axis so far. */
typedef struct fuzz_axis { double room, n[3]; } fuzz_axis;

static void fuzz_try(const fuzz_solid *a, const fuzz_solid *b, const double *n, double sign, fuzz_axis *best)
{
    double m[3] = { sign * n[0], sign * n[1], sign * n[2] }, room = fuzz_room_along(a, b, m);
    if (!(room > best->room)) return;
    best->room = room;
    memcpy(best->n, m, sizeof m);
}

static void fuzz_try_between(const fuzz_solid *a, const fuzz_solid *b, const double *p, const double *q, fuzz_axis *best)
{
    double n[3];
    fuzz_minus(q, p, n);
    if (fuzz_normalize(n)) fuzz_try(a, b, n, 1, best);
}

/* From the corners and edges of one to the middle of a ball. */
static void fuzz_try_ball(const fuzz_solid *a, const fuzz_solid *b, fuzz_axis *best)
{
    bool turned = a->vertex_count == 1;
    const fuzz_solid *ball = turned ? a : b, *other = turned ? b : a;
    const double *middle = ball->v[0];
    double at[3], d[3], r[3], t;
    int i, k;
    for (i = 0; i < other->vertex_count; i++)
        fuzz_try_between(a, b, turned ? middle : other->v[i], turned ? other->v[i] : middle, best);
    for (i = 0; i < other->edge_count; i++) {
        fuzz_minus(other->v[other->edge[i][1]], other->v[other->edge[i][0]], d);
        fuzz_minus(middle, other->v[other->edge[i][0]], r);
        t = fmin(fmax(fuzz_dot(d, r) / fuzz_dot(d, d), 0), 1);
        for (k = 0; k < 3; k++) at[k] = other->v[other->edge[i][0]][k] + t * d[k];
        fuzz_try_between(a, b, turned ? middle : at, turned ? at : middle, best);
    }
}

static double fuzz_half_space_room(const fuzz_solid *space, const fuzz_solid *other)
{
    double low = FUZZ_FAR;
    int i;
    for (i = 0; i < other->vertex_count; i++) low = fmin(low, fuzz_dot(space->n[0], other->v[i]) - space->offset - other->radius);
    return low;
}

/* `enough`: room at which the search may end. */
static double fuzz_room(const fuzz_solid *a, const fuzz_solid *b, double enough)
{
    fuzz_axis best = { -FUZZ_FAR, { 0, 0, 0 } };
    double n[3];
    int i, j;
    if (a->half_space && b->half_space) return FUZZ_FAR;
    if (a->half_space || b->half_space) return fuzz_half_space_room(a->half_space ? a : b, a->half_space ? b : a);
    fuzz_minus(b->middle, a->middle, n);
    if (fuzz_norm(n) > a->ball + b->ball + enough) return fuzz_norm(n) - a->ball - b->ball;
    for (i = 0; i < a->normal_count; i++) fuzz_try(a, b, a->n[i], 1, &best);
    for (i = 0; i < b->normal_count; i++) fuzz_try(a, b, b->n[i], -1, &best);
    if (best.room > enough) return best.room;
    if (a->vertex_count == 1 || b->vertex_count == 1) fuzz_try_ball(a, b, &best);
    else for (i = 0; i < a->way_count; i++) for (j = 0; j < b->way_count; j++) {
        fuzz_cross(a->way[i], b->way[j], n);
        if (fuzz_norm(n) < 1e-9 || !fuzz_normalize(n)) continue;
        fuzz_try(a, b, n, 1, &best);
        fuzz_try(a, b, n, -1, &best);
        if (best.room > enough) return best.room;
    }
    return best.room > -FUZZ_FAR ? best.room : -a->radius - b->radius; /* two balls in one place */
}

/* ---- pairs of a world ---- */

static bool fuzz_shape_there(const dvc_world *w, int i)
{
    const dvc_shape *s = &w->shapes[i];
    return s->kind != DVC_NO_SHAPE && !s->disabled && !w->bodies[s->body].disabled;
}

static bool fuzz_joint_there(const dvc_world *w, const dvc_joint *j)
{
    return j->kind != DVC_NO_JOINT && j->kind != DVC_GEAR && !j->disabled && !w->bodies[j->body_a].disabled
           && !w->bodies[j->body_b].disabled;
}

/* Of a gear that acts, a body of each of its joints. */
static bool fuzz_gear_there(const dvc_world *w, const dvc_joint *gear, int *a, int *b)
{
    const dvc_joint *p, *q;
    if (gear->kind != DVC_GEAR || gear->disabled) return false;
    p = &w->joints[gear->joint_a];
    q = &w->joints[gear->joint_b];
    if (!fuzz_joint_there(w, p) || !fuzz_joint_there(w, q)) return false;
    *a = w->bodies[p->body_b].kind == DVC_DYNAMIC ? p->body_b : p->body_a;
    *b = w->bodies[q->body_b].kind == DVC_DYNAMIC ? q->body_b : q->body_a;
    return w->bodies[*a].kind == DVC_DYNAMIC && w->bodies[*b].kind == DVC_DYNAMIC;
}

static bool fuzz_spring_there(const dvc_world *w, const dvc_spring *s)
{
    return !s->disabled && (s->stiffness > 0 || s->damping > 0) && !w->bodies[s->body_a].disabled
           && !w->bodies[s->body_b].disabled;
}

static const dvc_pair_rule *fuzz_rule_of(const dvc_world *w, int a, int b)
{
    int i;
    for (i = 0; i < w->pair_rule_count; i++) {
        const dvc_pair_rule *r = &w->pair_rules[i];
        if ((r->body_a == a && r->body_b == b) || (r->body_a == b && r->body_b == a)) return r;
    }
    return NULL;
}

/* May they touch, sensors aside? */
static bool fuzz_may_touch(const dvc_world *w, int i, int k)
{
    const dvc_shape *a = &w->shapes[i], *b = &w->shapes[k];
    uint32_t ca = a->category ? a->category : 1u, cb = b->category ? b->category : 1u;
    const dvc_pair_rule *rule;
    int j;
    if (!fuzz_shape_there(w, i) || !fuzz_shape_there(w, k) || a->body == b->body) return false;
    if (w->bodies[a->body].kind != DVC_DYNAMIC && w->bodies[b->body].kind != DVC_DYNAMIC) return false;
    if ((a->ignore & cb) || (b->ignore & ca)) return false;
    for (j = 0; j < w->joint_count; j++) {
        const dvc_joint *t = &w->joints[j];
        bool both = (t->body_a == a->body && t->body_b == b->body) || (t->body_a == b->body && t->body_b == a->body);
        if (both && !t->collide && fuzz_joint_there(w, t)) return false;
    }
    rule = fuzz_rule_of(w, a->body, b->body);
    return !rule || !rule->ignore;
}

/* What contacts are to keep apart. */
static bool fuzz_must_part(const dvc_world *w, int i, int k)
{
    return !w->shapes[i].sensor && !w->shapes[k].sensor && fuzz_may_touch(w, i, k);
}

#endif
