/* The referees: convex bodies as hulls, how deep two of them are in each other, how much two polygons overlap and how far
 * apart they are. By brute force, from the poses alone: nothing here knows any engine. The engines' adapters use the hulls
 * too, where an engine wants faces. */
#ifndef PEERS_MEASURE_H
#define PEERS_MEASURE_H

#include "peers.h"
#include <math.h>
#include <string.h>

/* ---- vectors ---- */

static inline double vec_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void vec_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void vec_sub(const double *a, const double *b, double *c)
{
    int k;
    for (k = 0; k < 3; k++) c[k] = a[k] - b[k];
}

static inline double vec_length(const double *a) { return sqrt(vec_dot(a, a)); }

/* v turned by the unit quaternion q. */
static inline void vec_turn(const double *q, const double *v, double *out)
{
    double t[3], u[3];
    int k;
    vec_cross(q + 1, v, t);
    for (k = 0; k < 3; k++) t[k] *= 2;
    vec_cross(q + 1, t, u);
    for (k = 0; k < 3; k++) out[k] = v[k] + q[0] * t[k] + u[k];
}

static inline void vec_place(const peers_state *s, const double *local, double *out)
{
    int k;
    vec_turn(s->turn, local, out);
    for (k = 0; k < 3; k++) out[k] += s->position[k];
}

/* Angle of a planar body. */
static inline double state_angle(const peers_state *s) { return 2 * atan2(s->turn[3], s->turn[0]); }

/* ---- hulls ---- */

enum { HULL_VERTICES = 2 * PEERS_POINTS, HULL_FACES = 2 * HULL_VERTICES, HULL_EDGES = 3 * HULL_VERTICES };

/* Faces counter-clockwise seen from outside; coplanar triangles are one face. */
typedef struct hull {
    int vertex_count, face_count, edge_count;
    double vertex[HULL_VERTICES][3];
    double normal[HULL_FACES][3], offset[HULL_FACES];
    int first[HULL_FACES], count[HULL_FACES], loop[2 * HULL_EDGES];
    int edge[HULL_EDGES][2];
} hull;

/* The plane through three vertices, outward; false if it is none or has vertices on both sides. */
static inline bool hull_plane(const hull *h, int i, int j, int k, double *normal, double *offset)
{
    double a[3], b[3], low = 0, high = 0, length;
    int v, c;
    vec_sub(h->vertex[j], h->vertex[i], a);
    vec_sub(h->vertex[k], h->vertex[i], b);
    vec_cross(a, b, normal);
    length = vec_length(normal);
    if (length < 1e-9) return false;
    for (c = 0; c < 3; c++) normal[c] /= length;
    *offset = vec_dot(normal, h->vertex[i]);
    for (v = 0; v < h->vertex_count; v++) {
        double d = vec_dot(normal, h->vertex[v]) - *offset;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    if (high > 1e-9 && low < -1e-9) return false;
    if (high > 1e-9) {
        for (c = 0; c < 3; c++) normal[c] = -normal[c];
        *offset = -*offset;
    }
    return true;
}

/* Collects the vertices of face f and sorts them by their angle around the first edge's direction. */
static inline void hull_loop(hull *h, int f)
{
    double angle[HULL_VERTICES], middle[3] = { 0, 0, 0 }, x[3], y[3], d[3];
    int *loop, v, i, c, n = 0;
    h->first[f] = f > 0 ? h->first[f - 1] + h->count[f - 1] : 0;
    loop = h->loop + h->first[f];
    for (v = 0; v < h->vertex_count; v++) {
        if (fabs(vec_dot(h->normal[f], h->vertex[v]) - h->offset[f]) > 1e-9) continue;
        loop[n++] = v;
        for (c = 0; c < 3; c++) middle[c] += h->vertex[v][c];
    }
    for (c = 0; c < 3; c++) middle[c] /= n;
    vec_sub(h->vertex[loop[0]], middle, x);
    vec_cross(h->normal[f], x, y);
    for (i = 0; i < n; i++) {
        int at = loop[i];
        double turn;
        vec_sub(h->vertex[at], middle, d);
        turn = atan2(vec_dot(d, y), vec_dot(d, x));
        for (v = i; v > 0 && angle[v - 1] > turn; v--) {
            angle[v] = angle[v - 1];
            loop[v] = loop[v - 1];
        }
        angle[v] = turn;
        loop[v] = at;
    }
    h->count[f] = n;
}

static inline void hull_edges(hull *h)
{
    int f, i;
    h->edge_count = 0;
    for (f = 0; f < h->face_count; f++)
        for (i = 0; i < h->count[f]; i++) {
            int tail = h->loop[h->first[f] + i], head = h->loop[h->first[f] + (i + 1) % h->count[f]];
            if (tail > head) continue;
            h->edge[h->edge_count][0] = tail;
            h->edge[h->edge_count++][1] = head;
        }
}

/* Fills in faces and edges from h->vertex; vertices inside stay in the list but on no face. */
static inline void hull_build(hull *h)
{
    double normal[3], offset;
    int i, j, k, f;
    h->face_count = 0;
    for (i = 0; i < h->vertex_count; i++)
        for (j = i + 1; j < h->vertex_count; j++)
            for (k = j + 1; k < h->vertex_count; k++) {
                if (!hull_plane(h, i, j, k, normal, &offset)) continue;
                for (f = 0; f < h->face_count; f++)
                    if (vec_dot(normal, h->normal[f]) > 1 - 1e-12 && fabs(offset - h->offset[f]) < 1e-9) break;
                if (f < h->face_count) continue;
                memcpy(h->normal[f], normal, sizeof normal);
                h->offset[f] = offset;
                h->face_count++;
                hull_loop(h, f);
            }
    hull_edges(h);
}

/* Corners of a box or hull in its own frame, planar ones as prisms; how many. */
static inline int body_corners(bool planar, const peers_body *b, double (*out)[3])
{
    int i, k, n = 0;
    if (b->kind == PEERS_BOX)
        for (i = 0; i < 8; i++, n++)
            for (k = 0; k < 3; k++) out[n][k] = (i >> k & 1 ? 1 : -1) * b->half[k];
    if (b->kind == PEERS_HULL)
        for (i = 0; i < (planar ? 2 : 1) * b->point_count; i++, n++) {
            memcpy(out[n], b->points[i % b->point_count], sizeof out[n]);
            if (planar) out[n][2] = (i < b->point_count ? -1 : 1) * b->half[2];
        }
    return n;
}

static inline void hull_of_body(bool planar, const peers_body *b, hull *h)
{
    h->vertex_count = body_corners(planar, b, h->vertex);
    hull_build(h);
}

/* The hull in the world. */
static inline void hull_place(const hull *h, const peers_state *s, hull *out)
{
    int i;
    *out = *h;
    for (i = 0; i < h->vertex_count; i++) vec_place(s, h->vertex[i], out->vertex[i]);
    for (i = 0; i < h->face_count; i++) {
        vec_turn(s->turn, h->normal[i], out->normal[i]);
        out->offset[i] = h->offset[i] + vec_dot(out->normal[i], s->position);
    }
}

/* ---- depth in space, by separating axes ---- */

static inline void hull_extent(const hull *h, const double *axis, double *low, double *high)
{
    int i;
    *low = *high = vec_dot(axis, h->vertex[0]);
    for (i = 1; i < h->vertex_count; i++) {
        double d = vec_dot(axis, h->vertex[i]);
        *low = fmin(*low, d);
        *high = fmax(*high, d);
    }
}

static inline double hull_axis_depth(const hull *a, const hull *b, const double *axis)
{
    double a_low, a_high, b_low, b_high;
    hull_extent(a, axis, &a_low, &a_high);
    hull_extent(b, axis, &b_low, &b_high);
    return fmin(a_high - b_low, b_high - a_low);
}

/* How far one must be moved to be free of the other; negative: by how much axes tell them apart, which is their distance
 * unless two corners, or a corner and an edge, are nearest. Stops early when the depth is at most `enough`. */
static inline double hull_depth(const hull *a, const hull *b, double enough)
{
    double depth = HUGE_VAL, u[3], v[3], axis[3];
    int i, j, k;
    for (i = 0; i < a->face_count && depth > enough; i++) depth = fmin(depth, hull_axis_depth(a, b, a->normal[i]));
    for (i = 0; i < b->face_count && depth > enough; i++) depth = fmin(depth, hull_axis_depth(a, b, b->normal[i]));
    for (i = 0; i < a->edge_count && depth > enough; i++)
        for (j = 0; j < b->edge_count && depth > enough; j++) {
            double length;
            vec_sub(a->vertex[a->edge[i][1]], a->vertex[a->edge[i][0]], u);
            vec_sub(b->vertex[b->edge[j][1]], b->vertex[b->edge[j][0]], v);
            vec_cross(u, v, axis);
            length = vec_length(axis);
            if (length < 1e-6 * vec_length(u) * vec_length(v)) continue;
            for (k = 0; k < 3; k++) axis[k] /= length;
            depth = fmin(depth, hull_axis_depth(a, b, axis));
        }
    return depth;
}

/* ---- polygons ---- */

typedef struct polygon {
    int count;
    double p[2 * PEERS_POINTS][2]; /* counter-clockwise; room for an intersection */
} polygon;

/* A box or hull of a planar scene in the world. */
static inline void polygon_of_body(const peers_body *b, const peers_state *s, polygon *out)
{
    static const double corner[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    double local[3] = { 0, 0, 0 }, world[3];
    int i, k;
    out->count = b->kind == PEERS_BOX ? 4 : b->point_count;
    for (i = 0; i < out->count; i++) {
        for (k = 0; k < 2; k++) local[k] = b->kind == PEERS_BOX ? corner[i][k] * b->half[k] : b->points[i][k];
        vec_place(s, local, world);
        for (k = 0; k < 2; k++) out->p[i][k] = world[k];
    }
}

static inline double polygon_side(const double *a, const double *b, const double *p)
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Keeps what is to the left of the line from a to b. */
static inline void polygon_cut(polygon *g, const double *a, const double *b)
{
    polygon old = *g;
    int i, k;
    g->count = 0;
    for (i = 0; i < old.count; i++) {
        const double *p = old.p[i], *q = old.p[(i + 1) % old.count];
        double at_p = polygon_side(a, b, p), at_q = polygon_side(a, b, q);
        if (at_p >= 0) memcpy(g->p[g->count++], p, sizeof old.p[0]);
        if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
            for (k = 0; k < 2; k++) g->p[g->count][k] = p[k] + (q[k] - p[k]) * (at_p / (at_p - at_q));
            g->count++;
        }
    }
}

static inline double polygon_area(const polygon *g)
{
    double sum = 0;
    int i;
    for (i = 1; i + 1 < g->count; i++) sum += polygon_side(g->p[0], g->p[i], g->p[i + 1]) / 2;
    return sum;
}

static inline double polygon_overlap(const polygon *a, const polygon *b)
{
    polygon common = *a;
    int i;
    for (i = 0; i < b->count && common.count > 0; i++) polygon_cut(&common, b->p[i], b->p[(i + 1) % b->count]);
    return fmax(0, polygon_area(&common));
}

static inline double polygon_point_distance(const double *a, const double *b, const double *p)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], t;
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
    t = fmin(1, fmax(0, t));
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

/* Distance of two polygons, 0 if they overlap. */
static inline double polygon_distance(const polygon *a, const polygon *b)
{
    double best = HUGE_VAL;
    int i, j;
    if (polygon_overlap(a, b) > 0) return 0;
    for (i = 0; i < a->count; i++)
        for (j = 0; j < b->count; j++) {
            best = fmin(best, polygon_point_distance(a->p[i], a->p[(i + 1) % a->count], b->p[j]));
            best = fmin(best, polygon_point_distance(b->p[j], b->p[(j + 1) % b->count], a->p[i]));
        }
    return best;
}

#endif
