/* Clouds of points that are hard to wrap: needles, plates, points doubled a little apart, on lines, in planes, on grids, prisms
 * whose corners were rounded; each from a number, so that it can be had again. And a judge that looks at every point and face. */
#ifndef DVC_CLOUDS_H
#define DVC_CLOUDS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CLOUDS_MOST = 40, CLOUDS_KINDS = 11 };

typedef struct hard_cloud {
    dvc_vec3 points[CLOUDS_MOST];
    int count, kind;
    uint64_t state;
} hard_cloud;

/* What the judge found, as parts of the cloud's size where it is a length. */
typedef struct cloud_faults {
    double outside;   /* a point is in front of a face by so much */
    double off;       /* a corner of a face is so far from its plane */
    double inner;     /* `inner` differs from what it should be by so much */
    double crooked;   /* an edge's t1 or t2 is no unit vector */
    int loose;        /* edges without their reverse, loops of fewer than three, and whatever else is no closed surface */
} cloud_faults;

static uint64_t cloud_bits(hard_cloud *c)
{
    uint64_t x = c->state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static double cloud_random(hard_cloud *c, double low, double high)
{
    return low + (high - low) * ((double)(cloud_bits(c) >> 11) / 9007199254740992.0);
}

static int cloud_below(hard_cloud *c, int most) { return (int)(cloud_bits(c) % (uint64_t)most); }

/* A power of ten, mostly where tolerances are. */
static double cloud_tiny(hard_cloud *c)
{
    double x = pow(10, cloud_random(c, -11, -5.5));
    int k = cloud_below(c, 8);
    return k == 0 ? 0 : k == 1 ? 1e-16 : k == 2 ? 1e-3 : x;
}

static dvc_vec3 cloud_vec(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

static dvc_vec3 cloud_near(hard_cloud *c, dvc_vec3 p, double by)
{
    return cloud_vec((double)p.x + by * cloud_random(c, -1, 1), (double)p.y + by * cloud_random(c, -1, 1), (double)p.z + by * cloud_random(c, -1, 1));
}

static dvc_vec3 cloud_any(hard_cloud *c) { return cloud_near(c, cloud_vec(0, 0, 0), 1); }

static dvc_vec3 cloud_between(dvc_vec3 a, dvc_vec3 b, double t)
{
    return cloud_vec((double)a.x + t * (double)(b.x - a.x), (double)a.y + t * (double)(b.y - a.y), (double)a.z + t * (double)(b.z - a.z));
}

/* A corner of a prism, a tapered one where `taper` is not 1. */
static dvc_vec3 cloud_prism(int k, int sides, double taper, double height)
{
    double a = 6.283185307179586 * (k / 2) / sides, r = k % 2 ? taper : 1;
    return cloud_vec(r * cos(a), r * sin(a), k % 2 ? height : 0);
}

/* One of a few numbers, which differ by little or by much. */
static double cloud_few(hard_cloud *c, double tiny)
{
    static const double values[] = { 0, 1, -1, 0.5, 0.25 };
    return values[cloud_below(c, 5)] + (cloud_below(c, 3) - 1) * tiny;
}

static dvc_vec3 cloud_point(hard_cloud *c, int i, double tiny, double other, int range)
{
    dvc_vec3 *p = c->points, v = cloud_any(c);
    int a = i > 0 ? cloud_below(c, i) : 0, b = i > 0 ? cloud_below(c, i) : 0, d = i > 0 ? cloud_below(c, i) : 0;
    double t = cloud_random(c, 0, 1);
    switch (c->kind) {
    case 0: return cloud_vec(v.x, tiny * (double)v.y, other * (double)v.z);  /* needles */
    case 1: return cloud_vec(v.x, v.y, tiny * (double)v.z);                  /* plates */
    case 2: return i < 4 ? v : cloud_near(c, p[a], tiny);                    /* doubled */
    case 3: return i < 3 ? v : cloud_near(c, cloud_between(p[a], p[b], cloud_random(c, -1, 2)), tiny); /* on lines */
    case 4: return i < 4 ? v : cloud_near(c, cloud_between(cloud_between(p[a], p[b], t), p[d], cloud_random(c, -0.5, 1.5)), tiny); /* in planes */
    case 5: return cloud_near(c, cloud_vec(cloud_below(c, range), cloud_below(c, range), cloud_below(c, range)), tiny);
    case 6: return cloud_near(c, cloud_prism(i, (c->count + 1) / 2, 1, 0.5 * range), tiny);
    case 7: return cloud_near(c, cloud_prism(i, (c->count + 1) / 2, other, tiny + 0.2), 0); /* to a point, or nearly */
    case 8: return cloud_vec(cloud_few(c, tiny), cloud_few(c, tiny), cloud_few(c, other));
    case 9: { double r = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)) + 1e-3; return cloud_near(c, cloud_vec(v.x / r, v.y / r, v.z / r), tiny); }
    default: return cloud_below(c, 2) ? cloud_vec(v.x, tiny * (double)v.y, 1e-9 * range) : cloud_vec(tiny * (double)v.x, v.y, other);
    }
}

/* Turned, so that nothing lies along an axis any more. */
static void cloud_turn(hard_cloud *c)
{
    double a = cloud_random(c, 0, 6.3), b = cloud_random(c, 0, 6.3), s = sin(a), k = cos(a), u = sin(b), w = cos(b);
    int i;
    for (i = 0; i < c->count; i++) {
        double x = (double)c->points[i].x, y = (double)c->points[i].y, z = (double)c->points[i].z, q = s * x + k * y;
        c->points[i] = cloud_vec(k * x - s * y, w * q - u * z, u * q + w * z);
    }
}

/* As in a file: to so many digits, or to float. */
static void cloud_round(hard_cloud *c, int digits)
{
    double unit = pow(10, digits);
    int i, k;
    for (i = 0; i < c->count; i++) {
        dvc_real *x[3];
        x[0] = &c->points[i].x; x[1] = &c->points[i].y; x[2] = &c->points[i].z;
        for (k = 0; k < 3; k++) *x[k] = (dvc_real)(digits == 0 ? (double)(float)*x[k] : floor((double)*x[k] * unit + 0.5) / unit);
    }
}

static void cloud_make(hard_cloud *c, uint64_t number)
{
    double tiny, other, scale;
    dvc_vec3 place;
    int i, range, how;
    c->state = number * 0xD1B54A32D192ED03u;
    c->kind = cloud_below(c, CLOUDS_KINDS);
    c->count = cloud_below(c, 3) ? 4 + cloud_below(c, 9) : 4 + cloud_below(c, CLOUDS_MOST - 3);
    tiny = cloud_tiny(c);
    other = cloud_below(c, 2) ? tiny : cloud_tiny(c);
    range = 2 + cloud_below(c, 3);
    for (i = 0; i < c->count; i++) c->points[i] = cloud_point(c, i, tiny, other, range);
    how = cloud_below(c, 8);
    if (how & 1) cloud_turn(c);
    if (how >= 6) cloud_round(c, cloud_below(c, 7) ? 5 + cloud_below(c, 8) : 0);
    if (how == 2) for (i = 0; i < c->count; i++) c->points[i] = cloud_near(c, c->points[i], 1e-16);
    if (how != 5) return;
    scale = pow(10, cloud_below(c, 13) - 6);
    place = cloud_near(c, cloud_vec(0, 0, 0), scale * pow(10, cloud_below(c, 6)));
    for (i = 0; i < c->count; i++)
        c->points[i] = cloud_vec((double)place.x + scale * (double)c->points[i].x, (double)place.y + scale * (double)c->points[i].y,
                                 (double)place.z + scale * (double)c->points[i].z);
}

static double cloud_dot(dvc_vec3 a, dvc_vec3 b) { return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z; }

static double cloud_size(const hard_cloud *c)
{
    dvc_vec3 low = c->points[0], high = low, d;
    int i;
    for (i = 1; i < c->count; i++) {
        dvc_vec3 p = c->points[i];
        if (p.x < low.x) low.x = p.x;
        if (p.y < low.y) low.y = p.y;
        if (p.z < low.z) low.z = p.z;
        if (p.x > high.x) high.x = p.x;
        if (p.y > high.y) high.y = p.y;
        if (p.z > high.z) high.z = p.z;
    }
    d = cloud_vec((double)(high.x - low.x), (double)(high.y - low.y), (double)(high.z - low.z));
    return sqrt(cloud_dot(d, d));
}

/* How many of its sizes it is away from the origin. */
static double cloud_distance(const hard_cloud *c)
{
    dvc_vec3 p = c->points[0];
    return sqrt(cloud_dot(p, p)) / cloud_size(c);
}

static double cloud_larger(double a, double b) { return a >= b ? a : b; } /* b, if that is no number */

static int cloud_runs(const dvc_polytope *h, int face, int tail, int head)
{
    const int *loop = h->loops + h->faces[face].first;
    int k, n = h->faces[face].count, runs = 0;
    for (k = 0; k < n; k++) runs += loop[k] == tail && loop[k + 1 < n ? k + 1 : 0] == head;
    return runs;
}

static void cloud_judge_edges(const dvc_polytope *h, cloud_faults *f)
{
    int e;
    for (e = 0; e < h->edge_count; e++) {
        const dvc_edge *edge = &h->edges[e];
        f->loose += edge->face_1 == edge->face_2 || cloud_runs(h, edge->face_1, edge->tail, edge->head) != 1;
        f->loose += cloud_runs(h, edge->face_2, edge->head, edge->tail) != 1;
        f->crooked = cloud_larger(f->crooked, fabs(cloud_dot(edge->t1, edge->t1) - 1));
        f->crooked = cloud_larger(f->crooked, fabs(cloud_dot(edge->t2, edge->t2) - 1));
    }
    f->loose += h->vertex_count - h->edge_count + h->face_count != 2;
    for (e = 0; e < h->vertex_count; e++) f->loose += h->around_first[e + 1] - h->around_first[e] < 3;
}

static cloud_faults cloud_judge(const hard_cloud *c, const dvc_polytope *h)
{
    cloud_faults f;
    dvc_vec3 mean = cloud_vec(0, 0, 0);
    double inner = 1e300, size = cloud_size(c);
    int i, k;
    memset(&f, 0, sizeof f);
    for (i = 0; i < h->vertex_count; i++) {
        dvc_vec3 v = h->vertices[i];
        mean = cloud_vec((double)mean.x + (double)v.x / h->vertex_count, (double)mean.y + (double)v.y / h->vertex_count, (double)mean.z + (double)v.z / h->vertex_count);
    }
    for (i = 0; i < h->face_count; i++) {
        const dvc_face *face = &h->faces[i];
        double room = (double)face->offset - cloud_dot(face->normal, mean);
        f.loose += face->count < 3 || !(fabs(cloud_dot(face->normal, face->normal) - 1) < (sizeof(dvc_real) == 8 ? 1e-14 : 1e-6));
        for (k = 0; k < c->count; k++)
            f.outside = cloud_larger(f.outside, (cloud_dot(face->normal, c->points[k]) - (double)face->offset) / size);
        for (k = 0; k < face->count; k++)
            f.off = cloud_larger(f.off, fabs(cloud_dot(face->normal, h->vertices[h->loops[face->first + k]]) - (double)face->offset) / size);
        if (room < inner) inner = room;
    }
    f.inner = fabs(inner - (double)h->inner) / size;
    f.loose += !(h->inner > 0);
    cloud_judge_edges(h, &f);
    return f;
}

#endif
