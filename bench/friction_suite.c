/* How fast, and how often, friction problems with round cones are solved: by dvc_friction_solve and, compiled with -DWITH_SICONOS, by
 * Siconos' Gauss-Seidel (NSGS) and its local semismooth Newton (NSN, Alart and Curnier) on the same problems, each asked for 1e-9.
 *
 *     stacks  1 to 20 boxes on each other, half of them of one mass, else to 1e4:1, 4 to 12 contacts each, at rest, shaken or tilted
 *     walls   bricks in up to 9 rows, each on two, tilted or struck, to 1e4:1
 *     random  bodies anywhere with up to 10 contacts each, at any angle: harder than anything that stands
 *     heaps   10 to 90 cubes that tumble in a pit, as the engine finds them every 6 steps, to 100:1
 *
 * mu is 0 in one problem of eight, 2 to 20 in another, .1 to 1.2 else. All have many more contacts than their bodies can move. Every
 * answer is judged by the natural map as it is written here; the engine's own claim is not asked.
 *
 * Build, from the folder above:  cc -std=c99 -O2 -I. -o friction_suite bench/friction_suite.c -lm
 * Run: friction_suite [problems, in thousands] [family] [number]  (the last: that one problem alone) */
#define _POSIX_C_SOURCE 200112L
#define DVC_IMPLEMENTATION
#include "dvc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- problems ---- */

enum { MOST_CONTACTS = 570, MOST_BODIES = 512 };

typedef struct sample {
    int contacts, entries;
    int *row_start, *column;
    double *blocks, *q, *mu;
} sample;

typedef struct matter { double inverse_mass, inverse_inertia[9], x[3], v[6]; } matter; /* v: without impulses */
typedef struct touch { int a, b; double point[3], normal[3], mu, gap; } touch;         /* the normal points from a to b; -1: the ground */

typedef struct setting {
    int bodies, touches;
    matter body[MOST_BODIES];
    touch touch[MOST_CONTACTS];
} setting;

static setting scene;

static uint64_t random_state;

static double random_between(double low, double high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * ((double)(random_state >> 11) / 9007199254740992.0);
}

static int random_below(int n) { return (int)random_between(0, n); }

static void cross(const double *a, const double *b, double *c)
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

/* Rows of a touch for one of its bodies: what a unit impulse along normal and tangents does to it. */
static void rows_of(const touch *t, int side, double rows[3][6])
{
    double frame[3][3], arm[3], length = 0, sign = side ? 1 : -1;
    const double *x;
    int i, k = 0;
    for (i = 0; i < 3; i++) frame[0][i] = t->normal[i];
    for (i = 1; i < 3; i++)
        if (fabs(t->normal[i]) < fabs(t->normal[k])) k = i;
    for (i = 0; i < 3; i++) arm[i] = i == k;
    cross(t->normal, arm, frame[1]);
    for (i = 0; i < 3; i++) length += frame[1][i] * frame[1][i];
    for (i = 0; i < 3; i++) frame[1][i] /= sqrt(length);
    cross(t->normal, frame[1], frame[2]);
    x = scene.body[side ? t->b : t->a].x;
    for (i = 0; i < 3; i++) arm[i] = t->point[i] - x[i];
    for (k = 0; k < 3; k++) {
        cross(arm, frame[k], rows[k] + 3);
        for (i = 0; i < 3; i++) {
            rows[k][i] = sign * frame[k][i];
            rows[k][3 + i] *= sign;
        }
    }
}

static void heavy(const matter *m, const double *row, double *out)
{
    int i;
    for (i = 0; i < 3; i++) {
        out[i] = m->inverse_mass * row[i];
        out[3 + i] = m->inverse_inertia[3 * i] * row[3] + m->inverse_inertia[3 * i + 1] * row[4] + m->inverse_inertia[3 * i + 2] * row[5];
    }
}

static double dot6(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]; }

/* The blocks of the scene's problem, where two touches have a body in common. */
static sample make_sample(void)
{
    static double rows[MOST_CONTACTS][2][3][6], columns[MOST_CONTACTS][2][3][6];
    int n = scene.touches, i, j, k, c, sa, sb;
    sample s;
    s.contacts = n;
    s.entries = 0;
    s.row_start = (int *)calloc((size_t)n + 1, sizeof(int));
    s.q = (double *)calloc((size_t)n * 3 + 1, sizeof(double));
    s.mu = (double *)calloc((size_t)n + 1, sizeof(double));
    for (i = 0; i < n; i++)
        for (sa = 0; sa < 2; sa++) {
            int body = sa ? scene.touch[i].b : scene.touch[i].a;
            if (body < 0) continue;
            rows_of(&scene.touch[i], sa, rows[i][sa]);
            for (k = 0; k < 3; k++) heavy(&scene.body[body], rows[i][sa][k], columns[i][sa][k]);
            for (k = 0; k < 3; k++) s.q[3 * i + k] += dot6(rows[i][sa][k], scene.body[body].v);
        }
    for (k = 0; k < 2; k++) {
        int at = 0;
        if (k) {
            s.column = (int *)calloc((size_t)s.entries + 1, sizeof(int));
            s.blocks = (double *)calloc((size_t)s.entries * 9 + 1, sizeof(double));
        }
        for (i = 0; i < n; s.row_start[++i] = at)
            for (j = 0; j < n; j++) {
                int met = i == j;
                for (sa = 0; sa < 2; sa++)
                    for (sb = 0; sb < 2; sb++) {
                        int a = sa ? scene.touch[i].b : scene.touch[i].a, b = sb ? scene.touch[j].b : scene.touch[j].a, r;
                        if (a < 0 || a != b) continue;
                        met = 1;
                        for (r = 0; k && r < 3; r++)
                            for (c = 0; c < 3; c++) s.blocks[9 * at + 3 * r + c] += dot6(rows[i][sa][r], columns[j][sb][c]);
                    }
                if (!met) continue;
                if (k) s.column[at] = j;
                at++;
            }
        s.entries = at;
    }
    for (i = 0; i < n; i++) {
        s.q[3 * i] += scene.touch[i].gap / .01;
        s.mu[i] = scene.touch[i].mu;
    }
    return s;
}

static void free_sample(sample *s)
{
    free(s->row_start);
    free(s->column);
    free(s->blocks);
    free(s->q);
    free(s->mu);
}

static int add_box(double x, double y, double z, const double *half, double density, double shake)
{
    matter *m = &scene.body[scene.bodies];
    double mass = 8 * density * half[0] * half[1] * half[2], square[3];
    int i;
    memset(m, 0, sizeof *m);
    m->inverse_mass = 1 / mass;
    m->x[0] = x;
    m->x[1] = y;
    m->x[2] = z;
    for (i = 0; i < 3; i++) square[i] = half[i] * half[i];
    for (i = 0; i < 3; i++) m->inverse_inertia[4 * i] = 3 / (mass * (square[(i + 1) % 3] + square[(i + 2) % 3]));
    for (i = 0; i < 6; i++) m->v[i] = random_between(-shake, shake);
    m->v[2] -= 9.81 * .01;
    return scene.bodies++;
}

/* Four corners, or more points, of a level patch between two bodies. */
static void add_patch(int a, int b, double x0, double x1, double y0, double y1, double z, double mu, int points)
{
    int i;
    for (i = 0; i < points && scene.touches < MOST_CONTACTS; i++) {
        touch *t = &scene.touch[scene.touches++];
        t->a = a;
        t->b = b;
        t->mu = mu;
        t->gap = 0;
        t->point[0] = points == 4 ? (i & 1 ? x1 : x0) : random_between(x0, x1);
        t->point[1] = points == 4 ? (i & 2 ? y1 : y0) : random_between(y0, y1);
        t->point[2] = z;
        t->normal[0] = t->normal[1] = 0;
        t->normal[2] = 1;
    }
}

static double random_mu(void)
{
    int kind = random_below(8);
    return kind == 0 ? 0 : kind == 1 ? random_between(2, 20) : random_between(.1, 1.2);
}

static void tilt(double most)
{
    double x = random_between(-most, most) * .0981, y = random_between(-most, most) * .0981;
    int i;
    for (i = 0; i < scene.bodies; i++) {
        scene.body[i].v[0] += x;
        scene.body[i].v[1] += y;
    }
}

static void make_stack(void)
{
    int n = 1 + random_below(20), i, below = -1, points = random_below(4) ? 4 : 4 + random_below(9);
    double ratio = random_below(3) ? 1 : pow(10, random_between(0, 4)), z = 0, mu = random_mu(), shake = random_below(2) ? 0 : random_between(0, .3);
    double half[3] = { .5, .5, .5 }, x = 0, y = 0, size = .5;
    for (i = 0; i < n; i++) {
        int body;
        double dx = random_between(-.1, .1), dy = random_between(-.1, .1), px = x, py = y, before = size;
        size = i ? random_between(.3, .5) : .5;
        half[0] = half[1] = size;
        half[2] = random_between(.2, .5);
        x += dx;
        y += dy;
        body = add_box(x, y, z + half[2], half, i % 2 ? ratio : 1, shake);
        add_patch(below, body, fmax(x - size, i ? px - before : -1e9), fmin(x + size, i ? px + before : 1e9), fmax(y - size, i ? py - before : -1e9),
                  fmin(y + size, i ? py + before : 1e9), z, mu, points);
        z += 2 * half[2];
        below = body;
    }
    tilt(random_below(2) ? 0 : .5);
}

/* Bricks in rows, each on two below it. */
static void make_wall(void)
{
    int rows = 2 + random_below(8), length = 2 + random_below(7), r, i;
    double half[3] = { .4, .2, .2 }, mu = random_mu(), ratio = random_below(3) ? 1 : pow(10, random_between(0, 4)), shake = random_below(2) ? 0 : .1;
    int before[16], now[16];
    for (r = 0; r < rows; r++) {
        for (i = 0; i < length; i++) {
            double x = .8 * i + .4 * (r % 2), z = .4 * r;
            int side;
            now[i] = add_box(x, 0, z + .2, half, random_below(2) ? ratio : 1, shake);
            if (r == 0) add_patch(-1, now[i], x - .4, x + .4, -.2, .2, 0, mu, 4);
            for (side = 0; r > 0 && side < 2; side++) {
                int under = i + side - (r % 2 ? 0 : 1);
                if (under < 0 || under >= length) continue;
                add_patch(before[under], now[i], side ? x : x - .4, side ? x + .4 : x, -.2, .2, z, mu, 4);
            }
        }
        memcpy(before, now, sizeof now);
    }
    tilt(random_between(0, 1));
    if (random_below(2)) scene.body[random_below(scene.bodies)].v[random_below(3)] += random_between(-2, 2);
}

/* Bodies anywhere, touching anyhow: many more contacts than they can move. */
static void make_random(void)
{
    int n = 1 + random_below(30), contacts = 1 + random_below(n * (2 + random_below(8))), i, k;
    double ratio = random_below(3) ? 1 : pow(10, random_between(0, 4)), mu = random_mu();
    for (i = 0; i < n; i++) {
        double half[3];
        for (k = 0; k < 3; k++) half[k] = random_between(.2, 1);
        add_box(random_between(-2, 2), random_between(-2, 2), random_between(-2, 2), half, random_below(2) ? ratio : 1, 1);
    }
    for (i = 0; i < contacts && scene.touches < MOST_CONTACTS; i++) {
        touch *t = &scene.touch[scene.touches];
        double length = 0;
        t->a = random_below(n + 1) - 1;
        t->b = random_below(n);
        if (t->a == t->b) continue;
        for (k = 0; k < 3; k++) {
            t->normal[k] = random_between(-1, 1);
            length += t->normal[k] * t->normal[k];
        }
        for (k = 0; k < 3; k++) t->normal[k] /= sqrt(length);
        for (k = 0; k < 3; k++) t->point[k] = scene.body[t->b].x[k] + random_between(-.6, .6);
        t->mu = mu;
        t->gap = random_below(3) ? 0 : random_between(0, .01);
        scene.touches++;
    }
    if (scene.touches == 0) add_patch(-1, 0, 0, 1, 0, 1, 0, mu, 4);
}

/* Cubes that tumble in a pit: stepped by the engine; its contacts are the problem's. */
enum { HEAP = 90 };
static struct { dvc_world world; dvc_body body[HEAP + 1]; dvc_shape shape[HEAP + 5]; dvc_contact contact[4096]; int count; } pit;
static unsigned char *pit_scratch;

static void start_heap(int count, double ratio, double mu)
{
    int i;
    const double slope[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
    memset(&pit, 0, sizeof pit);
    pit.count = count;
    if (!pit_scratch) pit_scratch = (unsigned char *)malloc((size_t)1 << 28);
    pit.body[0].kind = DVC_STATIC;
    for (i = 0; i < 5; i++) {
        pit.shape[i].kind = DVC_PLANE;
        pit.shape[i].friction = mu;
        if (i == 4) pit.shape[i].normal.z = 1;
        else {
            pit.shape[i].normal.x = slope[i][0];
            pit.shape[i].normal.y = slope[i][1];
            pit.shape[i].normal.z = .3;
            pit.shape[i].position.x = -1.6 * slope[i][0];
            pit.shape[i].position.y = -1.6 * slope[i][1];
        }
    }
    for (i = 1; i <= count; i++) {
        dvc_body *b = &pit.body[i];
        double half = random_between(.15, .25), mass = 8 * 500 * half * half * half * (i % 3 ? 1 : ratio);
        b->mass = mass;
        b->inertia.x = b->inertia.y = b->inertia.z = mass * 2 * half * half / 3;
        b->position.x = random_between(-.8, .8);
        b->position.y = random_between(-.8, .8);
        b->position.z = .5 + .2 * i;
        b->velocity.z = -2;
        b->angular_velocity.x = random_between(-3, 3);
        b->angular_velocity.y = random_between(-3, 3);
        pit.shape[4 + i].kind = DVC_BOX;
        pit.shape[4 + i].body = i;
        pit.shape[4 + i].friction = mu;
        pit.shape[4 + i].half.x = pit.shape[4 + i].half.y = pit.shape[4 + i].half.z = half;
    }
    pit.world.bodies = pit.body;
    pit.world.body_count = count + 1;
    pit.world.shapes = pit.shape;
    pit.world.shape_count = count + 5;
    pit.world.contacts = pit.contact;
    pit.world.contact_capacity = 4096;
    pit.world.scratch = pit_scratch;
    pit.world.scratch_size = (size_t)1 << 28;
    pit.world.gravity.z = -9.81;
    pit.world.direct_bodies = 1; /* swept: it only has to tumble */
}

static double *xyz(dvc_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    return out;
}

/* False: it is not a problem yet, or too large. */
static int take_heap(void)
{
    int i, k, c;
    for (i = 1; i <= pit.count; i++) {
        matter *m = &scene.body[i - 1];
        const dvc_body *b = &pit.body[i];
        memset(m, 0, sizeof *m);
        m->inverse_mass = 1 / b->mass;
        for (k = 0; k < 3; k++) m->inverse_inertia[4 * k] = 1 / b->inertia.x;
        xyz(b->position, m->x);
        xyz(b->velocity, m->v);
        xyz(b->angular_velocity, m->v + 3);
        m->v[2] -= .0981;
    }
    scene.bodies = pit.count;
    for (c = 0; c < pit.world.contact_count; c++) {
        const dvc_contact *from = &pit.contact[c];
        touch *t = &scene.touch[scene.touches];
        if (!from->chosen || from->gap > .005) continue;
        if (scene.touches == MOST_CONTACTS) return 0;
        t->a = from->body_a - 1;
        t->b = from->body_b - 1;
        t->gap = from->gap > 0 ? from->gap : 0;
        t->mu = .5;
        xyz(from->point, t->point);
        xyz(from->normal, t->normal);
        if (t->b < 0) {
            t->b = t->a;
            t->a = -1;
            for (k = 0; k < 3; k++) t->normal[k] = -t->normal[k];
        }
        scene.touches++;
    }
    return scene.touches > 0;
}
static void make_heap(void)
{
    static int steps = 1 << 30;
    int i;
    do {
        scene.touches = 0;
        if (steps > 240) {
            start_heap(10 + random_below(HEAP - 9), random_below(2) ? 1 : pow(10, random_between(0, 2)), random_between(.2, .9));
            steps = 0;
        }
        for (i = 0; i < 6; i++, steps++)
            if (dvc_step(&pit.world, .01) != DVC_OK) steps = 1 << 20;
    } while (!take_heap());
    for (i = 0; i < scene.touches; i++) scene.touch[i].mu = pit.shape[0].friction;
}

typedef struct family { const char *name; void (*make)(void); int share; } family;
static const family families[] = { { "stacks", make_stack, 4 }, { "walls", make_wall, 2 }, { "random", make_random, 4 }, { "heaps", make_heap, 2 } };

/* ---- the judge ---- */

static double judge(const sample *s, const double *r)
{
    double worst = 0, size = 0;
    int i, e, k, c;
    for (i = 0; i < 3 * s->contacts; i++) size = fmax(size, fabs(s->q[i]));
    for (i = 0; i < s->contacts; i++) {
        double u[3], d = 0, x[2], length, radius = s->mu[i] * fmax(r[3 * i], 0), off;
        for (k = 0; k < 3; k++) u[k] = s->q[3 * i + k];
        for (e = s->row_start[i]; e < s->row_start[i + 1]; e++)
            for (k = 0; k < 3; k++)
                for (c = 0; c < 3; c++) {
                    u[k] += s->blocks[9 * e + 3 * k + c] * r[3 * s->column[e] + c];
                    if (s->column[e] == i && k == c) d += s->blocks[9 * e + 4 * k] / 3;
                }
        off = fabs(r[3 * i] - fmax(0, r[3 * i] - u[0] / d)) * d;
        if (!(off <= worst)) worst = off;
        for (k = 0; k < 2; k++) x[k] = r[3 * i + 1 + k] - u[1 + k] / d;
        length = sqrt(x[0] * x[0] + x[1] * x[1]);
        for (k = 0; length > radius && k < 2; k++) x[k] *= radius / length;
        off = sqrt((r[3 * i + 1] - x[0]) * (r[3 * i + 1] - x[0]) + (r[3 * i + 2] - x[1]) * (r[3 * i + 2] - x[1])) * d;
        if (!(off <= worst)) worst = off;
    }
    return size > 0 ? worst / size : worst;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- who takes part ---- */

static int refused; /* by the engine, of all */

static void solve_dvc(const sample *s, double *r)
{
    dvc_friction p;
    size_t size;
    void *scratch;
    dvc_lcp_report report;
    p.contacts = s->contacts;
    p.row_start = s->row_start;
    p.column = s->column;
    p.blocks = s->blocks;
    p.q = s->q;
    p.mu = s->mu;
    size = dvc_friction_scratch_size(&p);
    scratch = malloc(size);
    report = dvc_friction_solve(&p, NULL, r, scratch, size);
    if (report.status != DVC_OK && report.status != DVC_ERROR_LCP_LIMIT) refused++;
    free(scratch);
}

#ifdef WITH_SICONOS
void siconos_solve(int method, int contacts, int entries, const int *row_start, const int *column, const double *blocks, const double *q,
                   const double *mu, double *r);
static void solve_nsgs(const sample *s, double *r)
{
    siconos_solve(0, s->contacts, s->entries, s->row_start, s->column, s->blocks, s->q, s->mu, r);
}
static void solve_nsn(const sample *s, double *r)
{
    siconos_solve(1, s->contacts, s->entries, s->row_start, s->column, s->blocks, s->q, s->mu, r);
}
#endif

typedef struct solver { const char *name; void (*solve)(const sample *s, double *r); } solver;
static const solver solvers[] = {
    { "dvc.h", solve_dvc },
#ifdef WITH_SICONOS
    { "NSGS", solve_nsgs },
    { "NSN", solve_nsn },
#endif
};
enum { SOLVERS = sizeof solvers / sizeof *solvers, MOST_PROBLEMS = 100000 };

static double *times[SOLVERS];

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_family(const family *f, int count, int only)
{
    int good[SOLVERS] = { 0 }, fair[SOLVERS] = { 0 }, problems = 0, largest = 0, i, k;
    double worst[SOLVERS] = { 0 };
    for (i = 0; i < count; i++) {
        sample s;
        random_state = 88172645463325252u ^ ((uint64_t)(i + 1) * 0x9E3779B97F4A7C15u);
        random_between(0, 1);
        scene.bodies = scene.touches = 0;
        if (only >= 0 && i != only && f->make != make_heap) continue;
        f->make();
        if (only >= 0 && i != only) continue;
        s = make_sample();
        if (s.contacts > largest) largest = s.contacts;
        for (k = 0; k < SOLVERS; k++) {
            double *r = (double *)calloc((size_t)s.contacts * 3 + 1, sizeof *r), start = now(), residual;
            solvers[k].solve(&s, r);
            times[k][problems] = now() - start;
            residual = judge(&s, r);
            if (!(residual <= 1e-9) && (k == 0 || only >= 0))
                printf("    %s %d: %d contacts, mu %.2f: %s leaves %.1e after %.0f ms\n", f->name, i, s.contacts, s.mu[0], solvers[k].name,
                       residual, 1e3 * times[k][problems]);
            good[k] += residual <= 1e-9;
            fair[k] += residual <= 1e-7;
            if (!(residual <= worst[k])) worst[k] = residual;
            free(r);
        }
        problems++;
        free_sample(&s);
    }
    for (k = 0; k < SOLVERS && problems > 0; k++) {
        qsort(times[k], (size_t)problems, sizeof(double), by_value);
        printf("%-7s %-6s %6d %5d %9.2f %9.2f %9.1e %10.3f %10.3f %10.1f\n", f->name, solvers[k].name, problems, largest,
               100. * good[k] / problems, 100. * fair[k] / problems, worst[k], 1e3 * times[k][problems / 2],
               1e3 * times[k][problems * 99 / 100], 1e3 * times[k][problems - 1]);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    double thousands = argc > 1 ? atof(argv[1]) : 2;
    int k;
    for (k = 0; k < SOLVERS; k++) times[k] = (double *)malloc(MOST_PROBLEMS * sizeof(double));
    printf("family  solver  count   to  <=1e-9 %%  <=1e-7 %%     worst  median ms     99 %%     slowest\n");
    for (k = 0; k < (int)(sizeof families / sizeof *families); k++) {
        int count = (int)(1000 * thousands * families[k].share / 12);
        if (argc > 2 && strcmp(argv[2], families[k].name) != 0) continue;
        run_family(&families[k], count < MOST_PROBLEMS ? count : MOST_PROBLEMS, argc > 3 ? atoi(argv[3]) : -1);
    }
    printf("refused by dvc.h: %d\n", refused);
    for (k = 0; k < SOLVERS; k++) free(times[k]);
    free(pit_scratch);
    return refused > 0;
}
