/* What the geometry of dvc.h is judged by: gaps, distances and overlaps by brute force, from the definitions of the shapes
 * and the poses of the bodies alone. It takes types from dvc.h, and no function.
 *
 *     oracle_shape     a shape of a world as a solid in the world; faces and edges of a cloud are found by trying all triples
 *     oracle_gap       > 0: apart along some axis by that much; < 0: the least way out. Exact for polytopes in its sign and
 *                      its depth, and exactly the distance where spheres and half-spaces are concerned
 *     oracle_distance  the distance of two solids that are apart
 *     oracle_area      common area of two polygons
 *     oracle_deepest   the worst oracle_gap of all pairs of a world that may touch
 *
 * Include after dvc.h and test.h. */
#ifndef DVC_ORACLE_H
#define DVC_ORACLE_H

#include <math.h>
#include <stdlib.h>

enum { ORACLE_VERTICES = 128, ORACLE_FACES = 256, ORACLE_EDGES = 384 };

#define ORACLE_FAR 1e300

typedef struct oracle_edge { int tail, head, face_1, face_2; } oracle_edge;

/* A convex solid: vertices grown by a radius, or, without vertices, a half-space. In the plane, face i runs from vertex i
 * to the next one and there are no edges. */
typedef struct oracle_solid {
    bool planar;
    int vertex_count, face_count, edge_count;
    double radius;
    dvc_vec3 vertices[ORACLE_VERTICES];
    dvc_vec3 normals[ORACLE_FACES];
    double offsets[ORACLE_FACES]; /* dot(normal, p) of a face's points */
    oracle_edge edges[ORACLE_EDGES];
} oracle_solid;

/* ---- vectors ---- */

static dvc_vec3 oracle_vec(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

static dvc_vec3 oracle_along(dvc_vec3 a, dvc_vec3 b, double s)
{
    return oracle_vec((double)a.x + s * (double)b.x, (double)a.y + s * (double)b.y, (double)a.z + s * (double)b.z);
}

static dvc_vec3 oracle_minus(dvc_vec3 a, dvc_vec3 b) { return oracle_along(a, b, -1); }

static double oracle_dot(dvc_vec3 a, dvc_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static dvc_vec3 oracle_cross(dvc_vec3 a, dvc_vec3 b)
{
    return oracle_vec((double)a.y * (double)b.z - (double)a.z * (double)b.y, (double)a.z * (double)b.x - (double)a.x * (double)b.z,
                      (double)a.x * (double)b.y - (double)a.y * (double)b.x);
}

static double oracle_norm(dvc_vec3 a) { return sqrt(oracle_dot(a, a)); }
static dvc_vec3 oracle_scaled(dvc_vec3 a, double s) { return oracle_along(oracle_vec(0, 0, 0), a, s); }
static dvc_vec3 oracle_unit(dvc_vec3 a) { return oracle_scaled(a, 1 / oracle_norm(a)); }

/* Turns v by q, by the formula with the scalar part; all zero is the identity. */
static dvc_vec3 oracle_turn(dvc_quat q, dvc_vec3 v)
{
    dvc_vec3 u = oracle_vec((double)q.x, (double)q.y, (double)q.z), r;
    double square = (double)q.w * (double)q.w, length = square + oracle_dot(u, u);
    if (!(length > 0)) return v;
    r = oracle_scaled(v, square - oracle_dot(u, u));
    r = oracle_along(r, u, 2 * oracle_dot(u, v));
    r = oracle_along(r, oracle_cross(u, v), 2 * (double)q.w);
    return oracle_scaled(r, 1 / length);
}

/* First p, then q. */
static dvc_quat oracle_compose(dvc_quat q, dvc_quat p)
{
    dvc_vec3 u = oracle_vec((double)q.x, (double)q.y, (double)q.z), v = oracle_vec((double)p.x, (double)p.y, (double)p.z), w = oracle_cross(u, v);
    dvc_quat r;
    w = oracle_along(oracle_along(w, v, (double)q.w), u, (double)p.w);
    r.w = (dvc_real)((double)q.w * (double)p.w - oracle_dot(u, v));
    r.x = w.x;
    r.y = w.y;
    r.z = w.z;
    return r;
}

/* ---- solids ---- */

static int oracle_vertex(oracle_solid *s, double x, double y, double z)
{
    if (s->vertex_count >= ORACLE_VERTICES) abort();
    s->vertices[s->vertex_count] = oracle_vec(x, y, z);
    return s->vertex_count++;
}

static int oracle_face(oracle_solid *s, dvc_vec3 normal, double offset)
{
    if (s->face_count >= ORACLE_FACES) abort();
    s->normals[s->face_count] = normal;
    s->offsets[s->face_count] = offset;
    return s->face_count++;
}

static double oracle_extent(const oracle_solid *s)
{
    double size = 0;
    int i;
    for (i = 1; i < s->vertex_count; i++) size = fmax(size, oracle_norm(oracle_minus(s->vertices[i], s->vertices[0])));
    return size;
}

static int oracle_on_face(const oracle_solid *s, int face, int vertex)
{
    return fabs(oracle_dot(s->normals[face], s->vertices[vertex]) - s->offsets[face]) <= 1e-8 * oracle_extent(s);
}

/* The plane through three vertices with all others behind it; false if there is none, or it is known already. */
static int oracle_supports(const oracle_solid *s, int i, int j, int k, dvc_vec3 *n)
{
    dvc_vec3 u = oracle_minus(s->vertices[j], s->vertices[i]), v = oracle_minus(s->vertices[k], s->vertices[i]);
    double size = oracle_extent(s);
    int m;
    *n = oracle_cross(u, v);
    if (oracle_norm(*n) < 1e-4 * oracle_norm(u) * oracle_norm(v)) return 0;
    *n = oracle_unit(*n);
    for (m = 0; m < s->vertex_count; m++)
        if (oracle_dot(*n, oracle_minus(s->vertices[m], s->vertices[i])) > 1e-9 * size) return 0;
    for (m = 0; m < s->face_count; m++)
        if (oracle_norm(oracle_minus(s->normals[m], *n)) < 1e-6) return 0;
    return 1;
}

static void oracle_find_faces(oracle_solid *s)
{
    int i, j, k;
    dvc_vec3 n;
    for (i = 0; i < s->vertex_count; i++)
        for (j = 0; j < s->vertex_count; j++)
            for (k = j + 1; k < s->vertex_count; k++)
                if (i != j && i != k && oracle_supports(s, i, j, k, &n)) oracle_face(s, n, oracle_dot(n, s->vertices[i]));
}

/* Two vertices that share two faces. */
static void oracle_find_edges(oracle_solid *s)
{
    int i, j, f, shared[2], count;
    for (i = 0; i < s->vertex_count; i++)
        for (j = i + 1; j < s->vertex_count; j++) {
            for (count = 0, f = 0; f < s->face_count && count < 2; f++)
                if (oracle_on_face(s, f, i) && oracle_on_face(s, f, j)) shared[count++] = f;
            if (count < 2 || s->edge_count >= ORACLE_EDGES) continue;
            s->edges[s->edge_count].tail = i;
            s->edges[s->edge_count].head = j;
            s->edges[s->edge_count].face_1 = shared[0];
            s->edges[s->edge_count++].face_2 = shared[1];
        }
}

static void oracle_polygon_faces(oracle_solid *s)
{
    int i;
    for (i = 0; i < s->vertex_count; i++) {
        dvc_vec3 a = s->vertices[i], e = oracle_minus(s->vertices[(i + 1) % s->vertex_count], a);
        dvc_vec3 n = oracle_unit(oracle_vec((double)e.y, -(double)e.x, 0));
        oracle_face(s, n, oracle_dot(n, a));
    }
}

static void oracle_box(oracle_solid *s, dvc_vec3 h)
{
    static const int order[4] = { 0, 1, 3, 2 };
    int i, count = s->planar ? 4 : 8;
    for (i = 0; i < count; i++) {
        int k = s->planar ? order[i] : i;
        oracle_vertex(s, k & 1 ? (double)h.x : -(double)h.x, k & 2 ? (double)h.y : -(double)h.y, s->planar ? 0 : k & 4 ? (double)h.z : -(double)h.z);
    }
}

/* A shape in its own frame. */
static void oracle_local(const dvc_shape *shape, bool planar, oracle_solid *s)
{
    int i;
    s->planar = planar;
    s->vertex_count = s->face_count = s->edge_count = 0;
    s->radius = 0;
    if (shape->kind == DVC_SPHERE) {
        oracle_vertex(s, 0, 0, 0);
        s->radius = (double)shape->radius;
    }
    if (shape->kind == DVC_PLANE) oracle_face(s, oracle_unit(shape->normal), 0);
    if (shape->kind == DVC_BOX) oracle_box(s, shape->half);
    for (i = 0; shape->kind == DVC_POLYGON && i < shape->point_count; i++) oracle_vertex(s, (double)shape->points[i].x, (double)shape->points[i].y, 0);
    for (i = 0; shape->kind == DVC_POLYTOPE && i < shape->polytope->vertex_count; i++) {
        dvc_vec3 p = shape->polytope->vertices[i];
        oracle_vertex(s, (double)p.x, (double)p.y, (double)p.z);
    }
    if (s->vertex_count < 2) return;
    if (planar) { oracle_polygon_faces(s); return; }
    oracle_find_faces(s);
    oracle_find_edges(s);
}

static void oracle_place(oracle_solid *s, dvc_vec3 position, dvc_quat orientation)
{
    int i;
    for (i = 0; i < s->vertex_count; i++) s->vertices[i] = oracle_along(position, oracle_turn(orientation, s->vertices[i]), 1);
    for (i = 0; i < s->face_count; i++) {
        s->normals[i] = oracle_turn(orientation, s->normals[i]);
        s->offsets[i] += oracle_dot(s->normals[i], position);
    }
}

static dvc_vec3 oracle_flat(dvc_vec3 v, bool planar) { return planar ? oracle_vec((double)v.x, (double)v.y, 0) : v; }

/* Shape i of a world where its body is now. */
static void oracle_shape(const dvc_world *world, int i, oracle_solid *s)
{
    const dvc_shape *shape = &world->shapes[i];
    const dvc_body *body = &world->bodies[shape->body];
    oracle_local(shape, world->planar, s);
    oracle_place(s, oracle_flat(shape->position, world->planar), shape->orientation);
    oracle_place(s, oracle_flat(body->position, world->planar), body->orientation);
}

/* ---- gaps ---- */

/* Room between the solids along the unit vector n, b before a. */
static double oracle_axis_gap(const oracle_solid *a, const oracle_solid *b, dvc_vec3 n)
{
    double low = ORACLE_FAR, high = -ORACLE_FAR;
    int i;
    for (i = 0; i < b->vertex_count; i++) low = fmin(low, oracle_dot(n, b->vertices[i]));
    for (i = 0; i < a->vertex_count; i++) high = fmax(high, oracle_dot(n, a->vertices[i]));
    return low - high - a->radius - b->radius;
}

static dvc_vec3 oracle_edge_vector(const oracle_solid *s, int edge)
{
    return oracle_minus(s->vertices[s->edges[edge].head], s->vertices[s->edges[edge].tail]);
}

static void oracle_try_axis(const oracle_solid *a, const oracle_solid *b, dvc_vec3 n, double *best, dvc_vec3 *normal)
{
    double gap = oracle_axis_gap(a, b, n);
    if (!(gap > *best)) return;
    *best = gap;
    *normal = n;
}

/* The best separating axis of two polytopes, from a to b: all faces, all pairs of edges. */
static double oracle_sat(const oracle_solid *a, const oracle_solid *b, dvc_vec3 *normal)
{
    double best = -ORACLE_FAR;
    int i, j;
    for (i = 0; i < a->face_count; i++) oracle_try_axis(a, b, a->normals[i], &best, normal);
    for (i = 0; i < b->face_count; i++) oracle_try_axis(a, b, oracle_scaled(b->normals[i], -1), &best, normal);
    for (i = 0; i < a->edge_count; i++)
        for (j = 0; j < b->edge_count; j++) {
            dvc_vec3 u = oracle_edge_vector(a, i), v = oracle_edge_vector(b, j), n = oracle_cross(u, v);
            if (oracle_norm(n) < 1e-7 * oracle_norm(u) * oracle_norm(v)) continue;
            n = oracle_unit(n);
            oracle_try_axis(a, b, n, &best, normal);
            oracle_try_axis(a, b, oracle_scaled(n, -1), &best, normal);
        }
    return best;
}

static double oracle_point_segment(dvc_vec3 p, dvc_vec3 a, dvc_vec3 b)
{
    dvc_vec3 e = oracle_minus(b, a);
    double t = fmin(fmax(oracle_dot(oracle_minus(p, a), e) / oracle_dot(e, e), 0), 1);
    return oracle_norm(oracle_minus(p, oracle_along(a, e, t)));
}

/* Is the point over the face, within the sides that its edges make? (In space.) */
static int oracle_over_face(const oracle_solid *s, int face, dvc_vec3 p)
{
    int e;
    for (e = 0; e < s->edge_count; e++) {
        const oracle_edge *edge = &s->edges[e];
        int other = edge->face_1 == face ? edge->face_2 : edge->face_1;
        dvc_vec3 out;
        if (edge->face_1 != face && edge->face_2 != face) continue;
        out = oracle_along(s->normals[other], s->normals[face], -oracle_dot(s->normals[other], s->normals[face]));
        if (oracle_dot(out, oracle_minus(p, s->vertices[edge->tail])) > 0) return 0;
    }
    return 1;
}

/* Signed distance of a point to a solid without its radius: outside by its closest feature, inside by its closest face. */
static double oracle_point_gap(const oracle_solid *s, dvc_vec3 p)
{
    double deepest = -ORACLE_FAR, least = ORACLE_FAR;
    int i;
    for (i = 0; i < s->face_count; i++) deepest = fmax(deepest, oracle_dot(s->normals[i], p) - s->offsets[i]);
    if (s->face_count > 0 && (deepest <= 0 || s->vertex_count == 0)) return deepest;
    for (i = 0; i < s->vertex_count; i++) least = fmin(least, oracle_norm(oracle_minus(p, s->vertices[i])));
    for (i = 0; i < s->edge_count; i++) least = fmin(least, oracle_point_segment(p, s->vertices[s->edges[i].tail], s->vertices[s->edges[i].head]));
    for (i = 0; s->planar && i < s->face_count; i++) least = fmin(least, oracle_point_segment(p, s->vertices[i], s->vertices[(i + 1) % s->vertex_count]));
    for (i = 0; !s->planar && i < s->face_count; i++) {
        double height = oracle_dot(s->normals[i], p) - s->offsets[i];
        if (height > 0 && oracle_over_face(s, i, p)) least = fmin(least, height);
    }
    return least;
}

static double oracle_gap(const oracle_solid *a, const oracle_solid *b)
{
    dvc_vec3 n;
    double least = ORACLE_FAR;
    int i;
    if (a->vertex_count == 0) { const oracle_solid *keep = a; a = b; b = keep; }
    for (i = 0; b->vertex_count == 0 && i < a->vertex_count; i++) least = fmin(least, oracle_point_gap(b, a->vertices[i]) - a->radius);
    if (b->vertex_count == 0) return least;
    if (a->vertex_count == 1) return oracle_point_gap(b, a->vertices[0]) - a->radius - b->radius;
    if (b->vertex_count == 1) return oracle_point_gap(a, b->vertices[0]) - a->radius - b->radius;
    return oracle_sat(a, b, &n);
}

/* ---- distances ---- */

/* Distance of two segments: inside both, or at an end of one. */
static double oracle_segments(dvc_vec3 a, dvc_vec3 b, dvc_vec3 c, dvc_vec3 d)
{
    dvc_vec3 u = oracle_minus(b, a), v = oracle_minus(d, c), r = oracle_minus(c, a);
    double uu = oracle_dot(u, u), uv = oracle_dot(u, v), vv = oracle_dot(v, v), det = uu * vv - uv * uv, s, t, least;
    least = fmin(fmin(oracle_point_segment(a, c, d), oracle_point_segment(b, c, d)), fmin(oracle_point_segment(c, a, b), oracle_point_segment(d, a, b)));
    if (!(det > 1e-12 * uu * vv)) return least;
    s = (oracle_dot(r, u) * vv - oracle_dot(r, v) * uv) / det;
    t = (oracle_dot(r, u) * uv - oracle_dot(r, v) * uu) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return least;
    return fmin(least, oracle_norm(oracle_minus(oracle_along(a, u, s), oracle_along(c, v, t))));
}

/* Of solids that are apart. */
SCENE_WORD double oracle_distance(const oracle_solid *a, const oracle_solid *b)
{
    double least = ORACLE_FAR;
    int i, j;
    for (i = 0; i < a->vertex_count; i++) least = fmin(least, oracle_point_gap(b, a->vertices[i]));
    for (i = 0; i < b->vertex_count; i++) least = fmin(least, oracle_point_gap(a, b->vertices[i]));
    for (i = 0; i < a->edge_count; i++)
        for (j = 0; j < b->edge_count; j++)
            least = fmin(least, oracle_segments(a->vertices[a->edges[i].tail], a->vertices[a->edges[i].head], b->vertices[b->edges[j].tail], b->vertices[b->edges[j].head]));
    return least - a->radius - b->radius;
}

/* ---- areas ---- */

/* What of the polygon lies behind the line dot(n, p) = offset; in place, returns the new count. */
static int oracle_clip(dvc_vec2 *points, int count, dvc_vec3 n, double offset)
{
    dvc_vec2 kept[ORACLE_VERTICES];
    int i, m = 0;
    for (i = 0; i < count && m + 2 <= ORACLE_VERTICES; i++) {
        dvc_vec2 p = points[i], q = points[(i + 1) % count];
        double a = (double)n.x * (double)p.x + (double)n.y * (double)p.y - offset, b = (double)n.x * (double)q.x + (double)n.y * (double)q.y - offset;
        if (a <= 0) kept[m++] = p;
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
            kept[m].x = (dvc_real)((double)p.x + a / (a - b) * ((double)q.x - (double)p.x));
            kept[m++].y = (dvc_real)((double)p.y + a / (a - b) * ((double)q.y - (double)p.y));
        }
    }
    for (i = 0; i < m; i++) points[i] = kept[i];
    return m;
}

/* Corners of what two planar polygons have in common; returns their number. `points` has room for ORACLE_VERTICES. */
static int oracle_common(const oracle_solid *a, const oracle_solid *b, dvc_vec2 *points)
{
    int i, count = a->vertex_count;
    for (i = 0; i < count; i++) {
        points[i].x = a->vertices[i].x;
        points[i].y = a->vertices[i].y;
    }
    for (i = 0; i < b->face_count; i++) count = oracle_clip(points, count, b->normals[i], b->offsets[i]);
    return count;
}

static double oracle_area(const oracle_solid *a, const oracle_solid *b)
{
    dvc_vec2 p[ORACLE_VERTICES];
    int i, count = oracle_common(a, b, p);
    double sum = 0;
    for (i = 2; i < count; i++) {
        double ux = (double)p[i - 1].x - (double)p[0].x, uy = (double)p[i - 1].y - (double)p[0].y;
        double wx = (double)p[i].x - (double)p[0].x, wy = (double)p[i].y - (double)p[0].y;
        sum += (ux * wy - uy * wx) / 2;
    }
    return sum;
}

/* ---- worlds ---- */

static int oracle_present(const dvc_world *world, int i)
{
    return world->shapes[i].kind != DVC_NO_SHAPE && !world->shapes[i].disabled && !world->bodies[world->shapes[i].body].disabled;
}

static int oracle_rule_forbids(const dvc_world *world, int body_a, int body_b)
{
    int i;
    for (i = 0; i < world->pair_rule_count; i++) {
        const dvc_pair_rule *r = &world->pair_rules[i];
        if ((r->body_a == body_a && r->body_b == body_b) || (r->body_a == body_b && r->body_b == body_a)) return r->ignore;
    }
    return 0;
}

/* May the two shapes touch, by what the contract says? */
static int oracle_allowed(const dvc_world *world, int i, int k)
{
    const dvc_shape *a = &world->shapes[i], *b = &world->shapes[k];
    uint32_t category_a = a->category ? a->category : 1u, category_b = b->category ? b->category : 1u;
    if (!oracle_present(world, i) || !oracle_present(world, k) || a->body == b->body) return 0;
    if (world->bodies[a->body].kind != DVC_DYNAMIC && world->bodies[b->body].kind != DVC_DYNAMIC) return 0;
    if ((a->ignore & category_b) || (b->ignore & category_a)) return 0;
    return !oracle_rule_forbids(world, a->body, b->body);
}

/* Room between the balls around two solids; none around a half-space. */
static double oracle_ball_gap(const oracle_solid *a, const oracle_solid *b)
{
    if (a->vertex_count == 0 || b->vertex_count == 0) return -ORACLE_FAR;
    return oracle_norm(oracle_minus(a->vertices[0], b->vertices[0])) - oracle_extent(a) - oracle_extent(b) - a->radius - b->radius;
}

/* The worst gap of all pairs that may touch, with force; pairs that are clearly apart are passed over. */
static double oracle_deepest(const dvc_world *world)
{
    oracle_solid *solids = (oracle_solid *)calloc((size_t)world->shape_count + 1, sizeof *solids);
    double worst = ORACLE_FAR;
    int i, k;
    if (!solids) abort();
    for (i = 0; i < world->shape_count; i++)
        if (oracle_present(world, i)) oracle_shape(world, i, &solids[i]);
    for (i = 0; i < world->shape_count; i++)
        for (k = i + 1; k < world->shape_count; k++)
            if (oracle_allowed(world, i, k) && !world->shapes[i].sensor && !world->shapes[k].sensor && oracle_ball_gap(&solids[i], &solids[k]) < 0)
                worst = fmin(worst, oracle_gap(&solids[i], &solids[k]));
    free(solids);
    return worst;
}

#endif
