/* Convex hulls of clouds of points, judged by a checker that shares no code with the builder: every point of the cloud is
 * behind every face, every vertex is a point of the cloud, faces are planar, strictly convex and counter-clockwise, each
 * directed edge has its reverse, Euler's formula holds. Together that proves the hull. Then the shapes that are known, the
 * clouds that are hard (grids, coplanar and nearly coplanar points, sizes and places far from one), and the errors. */
#include "clouds.h"
#include <stdlib.h>

enum { POLYTOPE_MOST = 4096 };

#define POLYTOPE_PI 3.14159265358979323846

typedef struct polytope_cloud {
    int count;
    dvc_vec3 *points;
    unsigned char *storage;
    dvc_polytope hull;
    dvc_status status;
} polytope_cloud;

/* ---- clouds ---- */

static polytope_cloud polytope_make(int count)
{
    polytope_cloud c;
    memset(&c, 0, sizeof c);
    c.count = count;
    c.points = (dvc_vec3 *)scene_memory((size_t)count, sizeof(dvc_vec3));
    return c;
}

static void polytope_free(polytope_cloud *c)
{
    free(c->points);
    free(c->storage);
}

static void polytope_build(polytope_cloud *c)
{
    size_t size = dvc_polytope_size(c->count);
    free(c->storage);
    c->storage = (unsigned char *)scene_memory(1, size);
    memset(c->storage, 0xa5, size);
    c->status = dvc_polytope_build(c->points, c->count, c->storage, size, &c->hull);
}

static double polytope_dot(dvc_vec3 a, dvc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static dvc_vec3 polytope_minus(dvc_vec3 a, dvc_vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static double polytope_length(dvc_vec3 a) { return sqrt(polytope_dot(a, a)); }

static dvc_vec3 polytope_cross(dvc_vec3 a, dvc_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static dvc_vec3 polytope_on_sphere(void)
{
    double z = test_random(-1, 1), a = test_random(0, 2 * POLYTOPE_PI), r = sqrt(1 - z * z);
    return v3(r * cos(a), r * sin(a), z);
}

static dvc_vec3 polytope_in_ball(void)
{
    dvc_vec3 p;
    do p = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 1));
    while (polytope_length(p) > 1);
    return p;
}

/* Turned by an odd angle about an odd axis, scaled, and moved. */
static void polytope_place(polytope_cloud *c, double angle, double scale, dvc_vec3 offset)
{
    const dvc_vec3 n = v3(2 / 7.0, 3 / 7.0, 6 / 7.0);
    int i;
    for (i = 0; i < c->count; i++) {
        dvc_vec3 p = c->points[i], cross = polytope_cross(n, p);
        double along = polytope_dot(n, p) * (1 - cos(angle));
        c->points[i] = v3(offset.x + scale * (p.x * cos(angle) + cross.x * sin(angle) + n.x * along),
                          offset.y + scale * (p.y * cos(angle) + cross.y * sin(angle) + n.y * along),
                          offset.z + scale * (p.z * cos(angle) + cross.z * sin(angle) + n.z * along));
    }
}

static void polytope_shuffle(polytope_cloud *c)
{
    int i;
    for (i = c->count - 1; i > 0; i--) {
        int k = (int)(test_random_bits() % (uint64_t)(i + 1));
        dvc_vec3 keep = c->points[i];
        c->points[i] = c->points[k];
        c->points[k] = keep;
    }
}

/* ---- the judge ---- */

static double polytope_size(const polytope_cloud *c)
{
    dvc_vec3 low = c->points[0], high = low;
    int i;
    for (i = 0; i < c->count; i++) {
        low = v3(fmin(low.x, c->points[i].x), fmin(low.y, c->points[i].y), fmin(low.z, c->points[i].z));
        high = v3(fmax(high.x, c->points[i].x), fmax(high.y, c->points[i].y), fmax(high.z, c->points[i].z));
    }
    return polytope_length(polytope_minus(high, low));
}

/* How far the cloud reaches out of the hull, at most. */
static double polytope_outside(const polytope_cloud *c)
{
    double worst = -1e300;
    int i, f;
    for (f = 0; f < c->hull.face_count; f++)
        for (i = 0; i < c->count; i++)
            worst = fmax(worst, polytope_dot(c->hull.faces[f].normal, c->points[i]) - c->hull.faces[f].offset);
    return worst;
}

static bool polytope_is_point(const polytope_cloud *c, dvc_vec3 v)
{
    int i;
    for (i = 0; i < c->count; i++)
        if (memcmp(&v, &c->points[i], sizeof v) == 0) return true;
    return false;
}

static void polytope_check_vertices(const polytope_cloud *c)
{
    const dvc_polytope *h = &c->hull;
    int i, k, twice = 0;
    for (i = 0; i < h->vertex_count; i++) {
        CHECK(polytope_is_point(c, h->vertices[i]));
        for (k = 0; k < i; k++) twice += memcmp(&h->vertices[i], &h->vertices[k], sizeof h->vertices[0]) == 0;
    }
    CHECK(twice == 0);
}

/* One face: a unit normal, points in the plane, no corner dented by more than `tolerance`, a length. */
static void polytope_check_face(const dvc_polytope *h, const dvc_face *face, double tolerance)
{
    int k;
    CHECK(face->count >= 3 && face->first >= 0 && face->first + face->count <= 2 * h->edge_count);
    CHECK_NEAR(polytope_length(face->normal), 1, 1e-14);
    for (k = 0; k < face->count; k++) {
        dvc_vec3 a = h->vertices[h->loops[face->first + k]], b = h->vertices[h->loops[face->first + (k + 1) % face->count]];
        dvc_vec3 d = h->vertices[h->loops[face->first + (k + 2) % face->count]], turn;
        CHECK(fabs(polytope_dot(face->normal, a) - face->offset) <= tolerance);
        turn = polytope_cross(polytope_minus(b, a), polytope_minus(d, b));
        CHECK(polytope_dot(turn, face->normal) > -tolerance * polytope_length(polytope_minus(d, a)));
    }
}

static void polytope_check_faces(const dvc_polytope *h, double tolerance)
{
    int f, next = 0;
    for (f = 0; f < h->face_count; f++) {
        CHECK(h->faces[f].first == next); /* face after face */
        next += h->faces[f].count;
        polytope_check_face(h, &h->faces[f], tolerance);
    }
    CHECK(next == 2 * h->edge_count);
}

/* How often the face's loop runs from tail to head. */
static int polytope_runs(const dvc_polytope *h, int face, int tail, int head)
{
    const dvc_face *f = &h->faces[face];
    int k, runs = 0;
    for (k = 0; k < f->count; k++)
        runs += h->loops[f->first + k] == tail && h->loops[f->first + (k + 1) % f->count] == head;
    return runs;
}

/* t lies in the face, stands on the edge, has length 1 and points into the face. */
static void polytope_check_inward(const dvc_polytope *h, const dvc_edge *edge, int face, dvc_vec3 t)
{
    const dvc_face *f = &h->faces[face];
    dvc_vec3 e = polytope_minus(h->vertices[edge->head], h->vertices[edge->tail]);
    double length = polytope_length(e), least = 1e300, most = -1e300, x;
    int k;
    CHECK_NEAR(polytope_length(t), 1, 1e-3); /* the edge of a rough face is not quite in its plane */
    CHECK(fabs(polytope_dot(t, e)) <= 1e-14 * length + 1e-15 * polytope_length(polytope_minus(h->high, h->low)));
    CHECK(fabs(polytope_dot(t, f->normal)) <= 1e-14);
    for (k = 0; k < f->count; k++) {
        x = polytope_dot(t, polytope_minus(h->vertices[h->loops[f->first + k]], h->vertices[edge->tail]));
        least = fmin(least, x);
        most = fmax(most, x);
    }
    CHECK(most > 0 && least >= -1e-5 * most - 3e-9 * polytope_length(polytope_minus(h->high, h->low)));
}

static void polytope_check_edges(const dvc_polytope *h)
{
    int e;
    for (e = 0; e < h->edge_count; e++) {
        const dvc_edge *edge = &h->edges[e];
        CHECK(edge->face_1 != edge->face_2 && edge->tail != edge->head);
        CHECK(polytope_runs(h, edge->face_1, edge->tail, edge->head) == 1);
        CHECK(polytope_runs(h, edge->face_2, edge->head, edge->tail) == 1);
        CHECK(polytope_runs(h, edge->face_1, edge->head, edge->tail) == 0);
        polytope_check_inward(h, edge, edge->face_1, edge->t1);
        polytope_check_inward(h, edge, edge->face_2, edge->t2);
    }
    CHECK(h->vertex_count - h->edge_count + h->face_count == 2);
}

/* Every edge is among the neighbours of both its ends, once; and nothing else is. */
static void polytope_check_around(const dvc_polytope *h)
{
    int e, i, k;
    CHECK(h->around_first[0] == 0 && h->around_first[h->vertex_count] == 2 * h->edge_count);
    for (e = 0; e < h->edge_count; e++) {
        int at_tail = 0, at_head = 0;
        for (k = h->around_first[h->edges[e].tail]; k < h->around_first[h->edges[e].tail + 1]; k++) at_tail += h->around[k] == h->edges[e].head;
        for (k = h->around_first[h->edges[e].head]; k < h->around_first[h->edges[e].head + 1]; k++) at_head += h->around[k] == h->edges[e].tail;
        CHECK(at_tail == 1 && at_head == 1);
    }
    for (i = 0; i < h->vertex_count; i++) CHECK(h->around_first[i + 1] - h->around_first[i] >= 3);
}

static void polytope_check_measures(const polytope_cloud *c, double tolerance)
{
    const dvc_polytope *h = &c->hull;
    dvc_vec3 low = h->vertices[0], high = low, mean = v3(0, 0, 0);
    double inner = 1e300;
    int i;
    for (i = 0; i < h->vertex_count; i++) {
        dvc_vec3 v = h->vertices[i];
        low = v3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = v3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
        mean = v3(mean.x + v.x / h->vertex_count, mean.y + v.y / h->vertex_count, mean.z + v.z / h->vertex_count);
    }
    for (i = 0; i < h->face_count; i++) inner = fmin(inner, h->faces[i].offset - polytope_dot(h->faces[i].normal, mean));
    CHECK(memcmp(&low, &h->low, sizeof low) == 0 && memcmp(&high, &h->high, sizeof high) == 0);
    CHECK_NEAR(h->inner, inner, tolerance);
    CHECK(h->inner > 0);
}

/* Everything, to a tolerance in units of the cloud's size. */
static void polytope_judge(const polytope_cloud *c, double tolerance)
{
    double size = polytope_size(c);
    if (!CHECK(c->status == DVC_OK)) {
        printf("    %s\n", dvc_status_text(c->status));
        return;
    }
    CHECK(polytope_outside(c) <= tolerance * size);
    polytope_check_vertices(c);
    polytope_check_faces(&c->hull, tolerance * size);
    polytope_check_edges(&c->hull);
    polytope_check_around(&c->hull);
    polytope_check_measures(c, tolerance * size);
}

static void polytope_expect(const polytope_cloud *c, int vertices, int edges, int faces)
{
    polytope_judge(c, 3e-9);
    if (!CHECK(c->hull.vertex_count == vertices && c->hull.edge_count == edges && c->hull.face_count == faces))
        printf("    %d vertices, %d edges, %d faces instead of %d, %d, %d\n", c->hull.vertex_count, c->hull.edge_count, c->hull.face_count, vertices, edges, faces);
}

static void polytope_refused(polytope_cloud *c, dvc_status status)
{
    polytope_build(c);
    if (!CHECK(c->status == status)) printf("    %s\n", dvc_status_text(c->status));
}

/* ---- known shapes ---- */

/* All sign changes of (x, y, z) and its cyclic exchanges; points that coincide are left to the builder. */
static void polytope_orbit(polytope_cloud *c, double x, double y, double z)
{
    int i;
    for (i = 0; i < 24; i++) {
        double sx = i & 1 ? x : -x, sy = i & 2 ? y : -y, sz = i & 4 ? z : -z;
        c->points[c->count++] = i < 8 ? v3(sx, sy, sz) : i < 16 ? v3(sy, sz, sx) : v3(sz, sx, sy);
    }
}

static const double polytope_golden = 1.6180339887498949;

static polytope_cloud polytope_solid(int faces)
{
    polytope_cloud c = polytope_make(48);
    int i;
    c.count = 0;
    if (faces == 4) {
        for (i = 0; i < 4; i++) c.points[c.count++] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i == 0 || i == 3 ? 1 : -1);
    } else if (faces == 6) {
        polytope_orbit(&c, 1, 1, 1);
    } else if (faces == 8) {
        polytope_orbit(&c, 1, 0, 0);
    } else if (faces == 12) {
        polytope_orbit(&c, 1, 1, 1);
        polytope_orbit(&c, 0, 1 / polytope_golden, polytope_golden);
    } else {
        polytope_orbit(&c, 0, 1, polytope_golden);
    }
    return c;
}

static void polytope_try_solid(int faces, double angle, double scale, dvc_vec3 offset)
{
    static const int vertices[] = { 4, 8, 6, 20, 12 }, edges[] = { 6, 12, 12, 30, 30 }, sides[] = { 3, 4, 3, 5, 3 };
    int which = faces == 4 ? 0 : faces == 6 ? 1 : faces == 8 ? 2 : faces == 12 ? 3 : 4, f;
    polytope_cloud c = polytope_solid(faces);
    polytope_place(&c, angle, scale, offset);
    polytope_build(&c);
    polytope_expect(&c, vertices[which], edges[which], faces);
    for (f = 0; f < c.hull.face_count; f++) CHECK(c.hull.faces[f].count == sides[which]);
    polytope_free(&c);
}

static const int polytope_solids[] = { 4, 6, 8, 12, 20 };

static void platonic_solids_have_their_faces(void)
{
    int i;
    for (i = 0; i < 5; i++) polytope_try_solid(polytope_solids[i], 0, 1, v3(0, 0, 0));
}

static void platonic_solids_have_their_faces_in_every_orientation(void)
{
    int i, k;
    test_seed(200);
    for (k = 0; k < 50; k++)
        for (i = 0; i < 5; i++) polytope_try_solid(polytope_solids[i], test_random(-3, 3), 1, v3(0.3, -0.2, 0.1));
}

static void platonic_solids_have_their_faces_at_every_size(void)
{
    double scale;
    int i;
    for (scale = 1e-6; scale < 2e6; scale *= 10)
        for (i = 0; i < 5; i++) {
            polytope_try_solid(polytope_solids[i], 0.7, scale, v3(0, 0, 0));
            polytope_try_solid(polytope_solids[i], 0, scale, v3(3 * scale, -scale, 2 * scale));
        }
}

static void platonic_solids_have_their_faces_far_from_the_origin(void)
{
    double far;
    int i;
    for (far = 10; far < 2e5; far *= 10)
        for (i = 0; i < 5; i++) {
            polytope_try_solid(polytope_solids[i], 0.7, 1, v3(far, -far, 0.5 * far));
            polytope_try_solid(polytope_solids[i], 0, 1, v3(0, 0, far));
        }
}

static void the_box_of_the_comment_is_a_box(void)
{
    polytope_cloud c = polytope_make(8);
    int i;
    for (i = 0; i < 8; i++) c.points[i] = v3(i & 1 ? 3 : -3, i & 2 ? 2 : -2, i & 4 ? 1 : -1);
    polytope_build(&c);
    polytope_expect(&c, 8, 12, 6);
    CHECK(c.hull.inner == 1 && c.hull.low.x == -3 && c.hull.high.y == 2);
    for (i = 0; i < 6; i++) { /* axes exactly */
        dvc_vec3 n = c.hull.faces[i].normal;
        CHECK(fabs(n.x) + fabs(n.y) + fabs(n.z) == 1 && c.hull.faces[i].offset == fabs(3 * n.x + 2 * n.y + n.z));
    }
    polytope_free(&c);
}

static void prisms_have_two_bases_and_their_sides(void)
{
    int n, k;
    for (n = 3; n <= 300; n += n < 20 ? 1 : 70) {
        polytope_cloud c = polytope_make(2 * n);
        for (k = 0; k < 2 * n; k++) c.points[k] = v3(cos(POLYTOPE_PI * (k / 2) * 2 / n), sin(POLYTOPE_PI * (k / 2) * 2 / n), k % 2);
        polytope_place(&c, n, 1, v3(0, 0, 0));
        polytope_build(&c);
        polytope_expect(&c, 2 * n, 3 * n, n + 2);
        polytope_free(&c);
    }
}

/* ---- random clouds ---- */

static void points_on_a_sphere_are_all_vertices(void)
{
    int seed, i;
    for (seed = 0; seed < 60; seed++) {
        polytope_cloud c = polytope_make(4 + seed * 3);
        test_seed((uint64_t)seed + 210);
        for (i = 0; i < c.count; i++) c.points[i] = polytope_on_sphere();
        polytope_build(&c);
        polytope_expect(&c, c.count, 3 * c.count - 6, 2 * c.count - 4);
        polytope_free(&c);
    }
}

static void points_in_a_ball_have_a_hull(void)
{
    int seed, i;
    for (seed = 0; seed < 200; seed++) {
        polytope_cloud c = polytope_make(5 + seed);
        test_seed((uint64_t)seed + 300);
        for (i = 0; i < c.count; i++) c.points[i] = polytope_in_ball();
        polytope_build(&c);
        polytope_judge(&c, 3e-9);
        CHECK(c.hull.face_count == 2 * c.hull.vertex_count - 4); /* in general position all are triangles */
        polytope_free(&c);
    }
}

/* Whole numbers from a small range: many points in each plane and on each line. */
static void points_on_a_coarse_grid_have_a_hull(void)
{
    int seed, i;
    for (seed = 0; seed < 400; seed++) {
        int range = 2 + seed % 4;
        polytope_cloud c = polytope_make(8 + seed % 50);
        test_seed((uint64_t)seed + 600);
        for (i = 0; i < c.count; i++)
            c.points[i] = test_vec((double)(test_random_bits() % (uint64_t)range), (double)(test_random_bits() % (uint64_t)range), (double)(test_random_bits() % (uint64_t)range));
        if (seed % 2) polytope_place(&c, 0.1 * seed, 0.37, v3(1, 2, 3));
        polytope_build(&c);
        if (c.status == DVC_OK) polytope_judge(&c, 3e-9);
        else CHECK(c.status == DVC_ERROR_HULL_FLAT && c.count < 20);
        polytope_free(&c);
    }
}

static void flat_and_thin_clouds_have_a_hull(void)
{
    double thin;
    int i;
    for (thin = 1; thin > 2e-8; thin /= 10) {
        polytope_cloud c = polytope_make(40);
        test_seed(700);
        for (i = 0; i < c.count; i++) c.points[i] = test_vec(test_random(-1, 1), test_random(-1, 1), thin * test_random(-1, 1));
        polytope_build(&c);
        polytope_judge(&c, 3e-9);
        for (i = 0; i < c.count; i++) c.points[i] = test_vec(test_random(-1, 1), thin * test_random(-1, 1), thin * test_random(-1, 1));
        polytope_build(&c);
        polytope_judge(&c, 3e-9);
        polytope_free(&c);
    }
}

/* ---- coplanar and nearly coplanar points ---- */

static polytope_cloud polytope_grid(int n)
{
    polytope_cloud c = polytope_make(n * n * n);
    int i;
    for (i = 0; i < c.count; i++) c.points[i] = v3(i % n, i / n % n, i / n / n);
    return c;
}

static void a_cube_of_points_has_eight_vertices(void)
{
    int n;
    for (n = 2; n <= 6; n++) {
        polytope_cloud c = polytope_grid(n);
        polytope_build(&c);
        polytope_expect(&c, 8, 12, 6);
        polytope_place(&c, 0.3, 0.25, v3(1, 1, 1));
        polytope_shuffle(&c);
        polytope_build(&c);
        polytope_expect(&c, 8, 12, 6);
        polytope_free(&c);
    }
}

static void four_thousand_points_of_a_cube_have_eight_vertices(void)
{
    polytope_cloud c = polytope_grid(16);
    polytope_place(&c, 1.1, 0.1, v3(0, 0, 0));
    polytope_build(&c);
    polytope_expect(&c, 8, 12, 6);
    polytope_free(&c);
}

/* Thousands of points in the six faces, and the corners. */
static void faces_full_of_points_are_one_face_each(void)
{
    polytope_cloud c = polytope_make(POLYTOPE_MOST);
    int i;
    test_seed(720);
    for (i = 0; i < c.count; i++) {
        double a = test_random(-1, 1), b = test_random(-1, 1), side = i & 1 ? 1 : -1;
        c.points[i] = i < 8 ? v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1) : i % 3 == 0 ? v3(a, b, side) : i % 3 == 1 ? v3(a, side, b) : v3(side, a, b);
    }
    polytope_place(&c, 0.9, 1, v3(0, 0, 0));
    polytope_shuffle(&c);
    polytope_build(&c);
    polytope_expect(&c, 8, 12, 6);
    polytope_free(&c);
}

/* Noise below the tolerance is flattened, noise above it makes a hull of its own. */
static void polytope_try_noise(double noise, int seed, bool flat)
{
    polytope_cloud c = polytope_grid(5);
    int i;
    test_seed((uint64_t)seed + 730);
    for (i = 0; i < c.count; i++)
        c.points[i] = test_vec(c.points[i].x + test_random(-noise, noise), c.points[i].y + test_random(-noise, noise), c.points[i].z + test_random(-noise, noise));
    polytope_place(&c, 0.1 * seed, 1, v3(0, 0, 0));
    polytope_build(&c);
    if (flat) polytope_expect(&c, 8, 12, 6);
    else polytope_judge(&c, 3e-9);
    polytope_free(&c);
}

static void noise_of_rounding_is_flattened(void)
{
    int seed;
    for (seed = 0; seed < 40; seed++) {
        polytope_try_noise(1e-15, seed, true);
        polytope_try_noise(1e-12, seed, true);
        polytope_try_noise(1e-10, seed, true);
    }
}

static void noise_above_the_tolerance_is_kept(void)
{
    int seed;
    for (seed = 0; seed < 40; seed++) {
        polytope_try_noise(1e-7, seed, false);
        polytope_try_noise(1e-5, seed, false);
        polytope_try_noise(1e-3, seed, false);
    }
}

/* Noise as large as the tolerance is the worst. */
static void noise_of_the_size_of_the_tolerance_ends_in_a_hull(void)
{
    double noise;
    int seed, i;
    for (noise = 2e-10; noise < 4e-8; noise *= 2)
        for (seed = 0; seed < 30; seed++) {
            polytope_cloud c = polytope_grid(4);
            test_seed((uint64_t)seed + 780);
            for (i = 0; i < c.count; i++) c.points[i].z += test_random(-noise, noise);
            polytope_place(&c, 0.1 * seed, 1, v3(0, 0, 0));
            polytope_build(&c);
            polytope_judge(&c, 3e-9);
            polytope_free(&c);
        }
}

/* A hull in storage full of one byte: nothing of it shows. Flat ones are told so. */
static void polytope_in_poison(const dvc_vec3 *points, int count, int poison)
{
    static unsigned char storage[1 << 14];
    dvc_polytope h;
    dvc_status status;
    hard_cloud c;
    cloud_faults f;
    memcpy(c.points, points, (size_t)count * sizeof *points);
    c.count = count;
    memset(storage, poison, sizeof storage);
    status = dvc_polytope_build(points, count, storage, sizeof storage, &h);
    CHECK(status == DVC_OK || status == DVC_ERROR_HULL_FLAT || status == DVC_ERROR_HULL_LINE);
    if (status != DVC_OK) return;
    f = cloud_judge(&c, &h);
    CHECK(f.loose == 0 && f.outside <= 1e-8 && f.off <= 1e-8 && f.inner <= 1e-8);
}

/* All triangles lie within the tolerance of the plane of one: a face without a border. */
static void nearly_flat_clouds_do_not_read_what_was_never_written(void)
{
    static const int poison[] = { 0, 0x3b, 0x7f, 0xa5, 0xff };
    dvc_vec3 p[8];
    int seed, i, k;
    for (seed = 0; seed < 2000; seed++) {
        double thick = pow(10, -8.2 - 0.1 * (seed % 12));
        int count = 4 + seed % 5;
        test_seed((uint64_t)seed + 7300);
        for (i = 0; i < count; i++) p[i] = test_vec(test_random(-1, 1), test_random(-1, 1), thick * test_random(-1, 1));
        if (seed % 3 == 0)
            for (i = 0; i < count; i++) p[i] = v3(p[i].z, p[i].x, p[i].y);
        for (k = 0; k < 5; k++) polytope_in_poison(p, count, poison[k]);
    }
}

/* Points doubled a little apart, and thin plates: triangles whose height is near the tolerance may have any normal. */
static void slivers_do_not_turn_their_faces(void)
{
    int seed, i;
    for (seed = 0; seed < 600; seed++) {
        polytope_cloud c = polytope_make(8 + seed % 9);
        double apart = pow(10, -8.5 + 0.1 * (seed % 20));
        test_seed((uint64_t)seed + 7700);
        for (i = 0; i < c.count; i++) {
            dvc_vec3 p = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 1));
            if (seed % 3 == 0) p.z *= apart;
            else if (i >= 6) p = c.points[i - 5 - i % 2];
            c.points[i] = test_vec(p.x + test_random(-apart, apart), p.y + test_random(-apart, apart), p.z + (seed % 3 ? test_random(-apart, apart) : 0));
        }
        polytope_build(&c);
        if (c.status != DVC_ERROR_HULL_FLAT) polytope_judge(&c, 3e-9);
        polytope_free(&c);
    }
}

/* Some ten thousand of all kinds; `make clouds` looks at as many as there is time for. */
static void hard_clouds_have_hulls_that_hold_them(void)
{
    static unsigned char storage[1 << 16];
    int number, hulls = 0, wrong = 0;
    for (number = 0; number < 40000; number++) {
        hard_cloud c;
        dvc_polytope h;
        cloud_faults f;
        dvc_status status;
        cloud_make(&c, (uint64_t)number);
        if (dvc_polytope_size(c.count) > sizeof storage) exit(2);
        memset(storage, number & 0xff, dvc_polytope_size(c.count));
        status = dvc_polytope_build(c.points, c.count, storage, sizeof storage, &h);
        if (status != DVC_OK) {
            wrong += status != DVC_ERROR_HULL_FLAT && status != DVC_ERROR_HULL_LINE && status != DVC_ERROR_HULL_POINT && !(status == DVC_ERROR_HULL_OPEN && cloud_distance(&c) > 1e6);
            continue;
        }
        hulls++;
        f = cloud_judge(&c, &h);
        wrong += f.loose > 0 || !(f.outside <= 1e-8) || !(f.off <= 1e-8) || !(f.inner <= 1e-8) || !(f.crooked <= 2e-3);
    }
    CHECK(wrong == 0 && hulls > 25000);
}

/* A hull that would not hold its points is none; moved to the origin, it is one. */
static void clouds_too_far_from_the_origin_are_refused(void)
{
    double far;
    for (far = 1e4; far < 1e13; far *= 10) {
        polytope_cloud c = polytope_solid(20);
        polytope_place(&c, 0.7, 1, v3(far, -far, 0.5 * far));
        polytope_build(&c);
        if (far < 1e6) CHECK(c.status == DVC_OK);
        if (far > 1e9) CHECK(c.status != DVC_OK);
        if (c.status == DVC_OK) CHECK(polytope_outside(&c) <= 1e-8 * polytope_size(&c));
        else CHECK(c.status == DVC_ERROR_HULL_OPEN && !c.hull.vertices);
        polytope_free(&c);
    }
}

static void points_beyond_all_measure_are_refused(void)
{
    static const double far[] = { 2e15, 1e100, 1e155, 1e300, 1.7976931348623157e308 };
    polytope_cloud c = polytope_solid(6);
    int i;
    for (i = 0; i < 15; i++) {
        dvc_vec3 *p = &c.points[i], keep = *p;
        *(i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z) = i % 2 ? far[i / 3] : -far[i / 3];
        polytope_refused(&c, DVC_ERROR_HULL_NOT_FINITE);
        *p = keep;
    }
    polytope_place(&c, 0, 9e14, v3(0, 0, 0));
    polytope_refused(&c, DVC_OK);
    polytope_place(&c, 0, 1e-29, v3(0, 0, 0));
    polytope_refused(&c, DVC_OK);
    polytope_place(&c, 0, 1e-2, v3(0, 0, 0));
    polytope_refused(&c, DVC_ERROR_HULL_POINT);
    polytope_place(&c, 0, 1e-290, v3(0, 0, 0));
    polytope_refused(&c, DVC_ERROR_HULL_POINT);
    polytope_free(&c);
}

/* Points in the plane of three others, to the last of 2^53 cells, and one cell beside it. */
static void sides_are_exact(void)
{
    int seed, k;
    for (seed = 0; seed < 20000; seed++) {
        double a[3], b[3], c[3], p[3], u[3], v[3], normal, most = ldexp(1, seed % 51);
        int i = 1 + (int)(test_random_bits() % 3), j = (int)(test_random_bits() % 3) - 1;
        for (k = 0; k < 3; k++) {
            a[k] = floor(test_random(-most, most) / 2);
            u[k] = floor(test_random(-most, most) / 2);
            v[k] = floor(test_random(-most, most) / 2);
            b[k] = a[k] + u[k];
            c[k] = a[k] + v[k];
            p[k] = a[k] + i * u[k] + j * v[k];
        }
        CHECK(dvci_grid_side(a, b, c, p) == 0 && dvci_grid_side(b, c, a, p) == 0);
        for (k = 0; k < 3; k++) {
            normal = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            if (!(fabs(normal) > 1e-12 * most * most)) continue; /* rounding */
            p[k] += 1;
            CHECK(dvci_grid_side(a, b, c, p) == (normal > 0 ? 1 : -1) && dvci_grid_side(a, c, b, p) == (normal > 0 ? -1 : 1));
            p[k] -= 1;
        }
    }
}

/* ---- order, doubles, inner points ---- */

static bool polytope_same_vertices(const dvc_polytope *a, const dvc_polytope *b)
{
    int i, k;
    if (a->vertex_count != b->vertex_count || a->edge_count != b->edge_count || a->face_count != b->face_count) return false;
    for (i = 0; i < a->vertex_count; i++) {
        for (k = 0; k < b->vertex_count && memcmp(&a->vertices[i], &b->vertices[k], sizeof *a->vertices) != 0; k++) {}
        if (k == b->vertex_count) return false;
    }
    return true;
}

static void the_order_of_the_points_does_not_matter(void)
{
    int seed, i;
    for (seed = 0; seed < 60; seed++) {
        polytope_cloud c = polytope_make(40), d;
        test_seed((uint64_t)seed + 800);
        for (i = 0; i < c.count; i++) c.points[i] = seed % 2 ? polytope_in_ball() : test_vec((double)(test_random_bits() % 4), (double)(test_random_bits() % 4), (double)(test_random_bits() % 4));
        polytope_build(&c);
        d = polytope_make(40);
        memcpy(d.points, c.points, (size_t)c.count * sizeof *c.points);
        polytope_shuffle(&d);
        polytope_build(&d);
        CHECK(c.status == DVC_OK && d.status == DVC_OK && polytope_same_vertices(&c.hull, &d.hull));
        polytope_free(&c);
        polytope_free(&d);
    }
}

static void vertices_keep_the_order_of_the_cloud(void)
{
    polytope_cloud c = polytope_make(50);
    int i, k = 0;
    test_seed(860);
    for (i = 0; i < c.count; i++) c.points[i] = polytope_in_ball();
    polytope_build(&c);
    for (i = 0; i < c.count && k < c.hull.vertex_count; i++) k += memcmp(&c.points[i], &c.hull.vertices[k], sizeof c.points[i]) == 0;
    CHECK(k == c.hull.vertex_count);
    polytope_free(&c);
}

/* Each point three times, once exactly and once nearly, and as many inside. */
static void doubled_and_inner_points_are_dropped(void)
{
    int seed, i;
    for (seed = 0; seed < 30; seed++) {
        polytope_cloud c = polytope_make(4 * 20);
        test_seed((uint64_t)seed + 870);
        for (i = 0; i < 20; i++) {
            dvc_vec3 p = polytope_on_sphere();
            c.points[i] = c.points[i + 20] = p;
            c.points[i + 40] = v3(p.x + 1e-10, p.y - 1e-10, p.z);
            p = polytope_in_ball();
            c.points[i + 60] = v3(0.1 * p.x, 0.1 * p.y, 0.1 * p.z);
        }
        polytope_build(&c);
        if (polytope_outside(&c) > 3e-9 * 4 || c.hull.vertex_count != 20) { /* a small cloud may leave its centre out */
            polytope_judge(&c, 3e-9);
            CHECK(c.hull.vertex_count >= 20 && c.hull.vertex_count <= 25);
        } else {
            polytope_expect(&c, 20, 54, 36);
        }
        polytope_free(&c);
    }
}

/* Points on edges and in faces of a tetrahedron. */
static void points_on_edges_and_faces_are_dropped(void)
{
    int seed, i;
    for (seed = 0; seed < 50; seed++) {
        polytope_cloud c = polytope_make(64);
        test_seed((uint64_t)seed + 900);
        for (i = 0; i < 4; i++) c.points[i] = v3(i == 1, i == 2, i == 3);
        for (; i < c.count; i++) {
            double a = test_random(0, 1), b = i % 2 ? 0 : test_random(0, 1 - a);
            c.points[i] = i % 4 < 2 ? v3(a, b, 0) : v3(a, b, 1 - a - b);
        }
        polytope_place(&c, 0.2 * seed, 1, v3(0, 0, 0));
        polytope_shuffle(&c);
        polytope_build(&c);
        polytope_expect(&c, 4, 6, 4);
        polytope_free(&c);
    }
}

/* ---- errors and memory ---- */

static void flat_clouds_are_told_from_lines_and_points(void)
{
    int seed, i;
    for (seed = 0; seed < 40; seed++) {
        polytope_cloud c = polytope_make(30);
        double scale = pow(10, seed % 13 - 6);
        test_seed((uint64_t)seed + 960);
        for (i = 0; i < c.count; i++) c.points[i] = test_vec(test_random(-1, 1), test_random(-1, 1), 0);
        polytope_place(&c, 0.3 * seed, scale, v3(scale, 0, 0));
        polytope_refused(&c, DVC_ERROR_HULL_FLAT);
        for (i = 0; i < c.count; i++) c.points[i] = v3(0, test_random(-1, 1), 0);
        polytope_place(&c, 0.3 * seed, scale, v3(0, scale, 0));
        polytope_refused(&c, DVC_ERROR_HULL_LINE);
        for (i = 0; i < c.count; i++) c.points[i] = v3(scale, 2 * scale, 3 * scale);
        polytope_refused(&c, DVC_ERROR_HULL_POINT);
        polytope_free(&c);
    }
}

/* What is flat to the tolerance is flat. */
static void clouds_as_flat_as_rounding_are_flat(void)
{
    polytope_cloud c = polytope_make(30);
    int i;
    test_seed(1000);
    for (i = 0; i < c.count; i++) c.points[i] = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1e-11, 1e-11));
    polytope_place(&c, 0.7, 1, v3(0, 0, 0));
    polytope_refused(&c, DVC_ERROR_HULL_FLAT);
    for (i = 0; i < c.count; i++) c.points[i] = test_vec(test_random(-1, 1), test_random(-1e-11, 1e-11), test_random(-1e-11, 1e-11));
    polytope_refused(&c, DVC_ERROR_HULL_LINE);
    for (i = 0; i < c.count; i++) c.points[i] = v3(0, 0, 0);
    polytope_refused(&c, DVC_ERROR_HULL_POINT);
    polytope_free(&c);
}

static void points_that_are_not_finite_are_refused(void)
{
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    polytope_cloud c = polytope_solid(6);
    int i;
    for (i = 0; i < 9; i++) {
        dvc_vec3 *p = &c.points[7 + i], keep = *p;
        *(i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z) = bad[i / 3];
        polytope_refused(&c, DVC_ERROR_HULL_NOT_FINITE);
        *p = keep;
    }
    polytope_refused(&c, DVC_OK);
    polytope_free(&c);
}

static void counts_out_of_range_are_refused(void)
{
    static const int bad[] = { -1, 0, 1, 2, 3, DVC_POLYTOPE_MAX_POINTS + 1, 1 << 30, -(1 << 30) };
    polytope_cloud c = polytope_solid(6);
    static unsigned char storage[1024];
    int i;
    for (i = 0; i < 8; i++) {
        CHECK(dvc_polytope_size(bad[i]) == 0);
        CHECK(dvc_polytope_build(c.points, bad[i], storage, sizeof storage, &c.hull) == DVC_ERROR_HULL_COUNT);
        CHECK(c.hull.vertex_count == 0 && !c.hull.vertices);
    }
    CHECK(dvc_polytope_size(4) > 0 && dvc_polytope_size(DVC_POLYTOPE_MAX_POINTS) > dvc_polytope_size(4));
    polytope_free(&c);
}

static void missing_pointers_are_refused(void)
{
    polytope_cloud c = polytope_solid(6);
    static unsigned char storage[1 << 16];
    CHECK(dvc_polytope_build(NULL, c.count, storage, sizeof storage, &c.hull) == DVC_ERROR_NULL);
    CHECK(dvc_polytope_build(c.points, c.count, NULL, sizeof storage, &c.hull) == DVC_ERROR_NULL);
    CHECK(dvc_polytope_build(c.points, c.count, storage, sizeof storage, NULL) == DVC_ERROR_NULL);
    polytope_free(&c);
}

/* Enough at every alignment, whatever is in it; one byte less is an error; nothing outside is touched. */
static void the_size_told_suffices_at_every_alignment(void)
{
    polytope_cloud c = polytope_solid(12), d;
    size_t size = dvc_polytope_size(c.count), offset, i;
    unsigned char *block = (unsigned char *)scene_memory(1, size + 64);
    polytope_build(&c);
    for (offset = 0; offset < 16; offset++) {
        size_t start = offset + 16 + (16 - (uintptr_t)block % 16) % 16;
        memset(block, (int)(0xff - offset), size + 64);
        d = c;
        CHECK(dvc_polytope_build(c.points, c.count, block + start, size, &d.hull) == DVC_OK);
        CHECK(polytope_same_vertices(&c.hull, &d.hull));
        polytope_expect(&d, 20, 30, 12);
        for (i = 0; i < 16; i++) CHECK(block[i] == 0xff - offset && block[start + size + i] == 0xff - offset);
        CHECK(dvc_polytope_build(c.points, c.count, block + start, size - 1, &d.hull) == DVC_ERROR_STORAGE);
    }
    free(block);
    polytope_free(&c);
}

static void the_same_cloud_gives_the_same_bits(void)
{
    polytope_cloud c = polytope_make(100), d = polytope_make(100);
    int i;
    test_seed(1100);
    for (i = 0; i < 100; i++) c.points[i] = d.points[i] = polytope_on_sphere();
    polytope_build(&c);
    polytope_build(&d);
    CHECK(memcmp(c.hull.vertices, d.hull.vertices, (size_t)c.hull.vertex_count * sizeof *c.hull.vertices) == 0);
    CHECK(memcmp(c.hull.faces, d.hull.faces, (size_t)c.hull.face_count * sizeof *c.hull.faces) == 0);
    CHECK(memcmp(c.hull.edges, d.hull.edges, (size_t)c.hull.edge_count * sizeof *c.hull.edges) == 0);
    polytope_free(&c);
    polytope_free(&d);
}

static void the_largest_cloud_has_a_hull(void)
{
    polytope_cloud c = polytope_make(POLYTOPE_MOST);
    int i;
    test_seed(1200);
    for (i = 0; i < c.count; i++) c.points[i] = polytope_on_sphere();
    polytope_build(&c);
    CHECK(c.status == DVC_OK && c.hull.vertex_count == c.count && c.hull.face_count == 2 * c.count - 4);
    CHECK(polytope_outside(&c) <= 3e-9 * 3.5);
    polytope_check_faces(&c.hull, 3e-9 * 3.5);
    polytope_check_edges(&c.hull);
    polytope_free(&c);
}

static void suite_polytope(void)
{
    test_state.suite = "polytope";
    RUN(platonic_solids_have_their_faces);
    RUN(platonic_solids_have_their_faces_in_every_orientation);
    RUN(platonic_solids_have_their_faces_at_every_size);
    RUN(platonic_solids_have_their_faces_far_from_the_origin);
    RUN(the_box_of_the_comment_is_a_box);
    RUN(prisms_have_two_bases_and_their_sides);
    RUN(points_on_a_sphere_are_all_vertices);
    RUN(points_in_a_ball_have_a_hull);
    RUN(points_on_a_coarse_grid_have_a_hull);
    RUN(flat_and_thin_clouds_have_a_hull);
    RUN(a_cube_of_points_has_eight_vertices);
    RUN(four_thousand_points_of_a_cube_have_eight_vertices);
    RUN(faces_full_of_points_are_one_face_each);
    RUN(noise_of_rounding_is_flattened);
    RUN(noise_above_the_tolerance_is_kept);
    RUN(noise_of_the_size_of_the_tolerance_ends_in_a_hull);
    RUN(nearly_flat_clouds_do_not_read_what_was_never_written);
    RUN(slivers_do_not_turn_their_faces);
    RUN(hard_clouds_have_hulls_that_hold_them);
    RUN(clouds_too_far_from_the_origin_are_refused);
    RUN(points_beyond_all_measure_are_refused);
    RUN(sides_are_exact);
    RUN(the_order_of_the_points_does_not_matter);
    RUN(vertices_keep_the_order_of_the_cloud);
    RUN(doubled_and_inner_points_are_dropped);
    RUN(points_on_edges_and_faces_are_dropped);
    RUN(flat_clouds_are_told_from_lines_and_points);
    RUN(clouds_as_flat_as_rounding_are_flat);
    RUN(points_that_are_not_finite_are_refused);
    RUN(counts_out_of_range_are_refused);
    RUN(missing_pointers_are_refused);
    RUN(the_size_told_suffices_at_every_alignment);
    RUN(the_same_cloud_gives_the_same_bits);
    RUN(the_largest_cloud_has_a_hull);
}
