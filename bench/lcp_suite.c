/* How fast, and how often, complementarity problems are solved: by the methods of dvc.h, by a plain tableau Lemke written
 * below as the baseline and, compiled with -DWITH_PEERS, by Siconos and ODE. All solvers take turns on the same problem, so
 * that ratios within one run mean something; each time is the minimum over these turns, for short solves right after an untimed
 * one of the same.
 *
 *     st    the Stewart-Trinkle problem of k boxes on each other, sliding: 4 contacts each, 4-sided pyramid, n = 24 k
 *     stk   the same without friction, n = 4 k: rank deficient
 *     pd    random symmetric positive definite matrices, dense
 *
 * The times of dvc.h contain its check of the input, its scaled copy and its own residual; ODE works in place, on a padded
 * copy that is not timed. Siconos is asked only for sizes at which it comes back soon.
 *
 * 20 random problems each. A problem counts as solved if max |min(z, w)| <= tolerance (1 + max |b|), computed here.
 * Entries read: solved to 1e-6 / solved to 1e-10, microseconds per solve (mean over the 20 problems).
 *
 * Build, from the folder above:
 *     cc -std=c99 -O2 -I. -o lcp_suite bench/lcp_suite.c -lm
 * with peers (Debian: libode-dev libsiconos-numerics-dev; SICONOS_INCLUDE is the folder that holds SiconosConfig.h):
 *     c++ -O2 -isystem $(SICONOS_INCLUDE) -c -o lcp_peers.o bench/lcp_peers.cpp
 *     cc -std=c99 -O2 -DWITH_PEERS -I. -c -o lcp_suite.o bench/lcp_suite.c
 *     c++ -o lcp_suite lcp_suite.o lcp_peers.o -lode -lsiconos_numerics -lm
 *
 * Run: lcp_suite [class or all] [milliseconds per solver and problem]
 * Numerical libraries that use threads are best told not to: OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1. */
#define _POSIX_C_SOURCE 200112L
#define DVC_IMPLEMENTATION
#include "dvc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef WITH_PEERS
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { PROBLEMS = 20, MOST_SIZES = 6, MOST_ROWS = 300 };

typedef struct problem {
    int n;
    double *A, *b; /* A by rows */
} problem;

/* ---- small things ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t random_state;

/* Uniform in [low, high), the same sequence everywhere. */
static double random_between(double low, double high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * ((double)(random_state >> 11) / 9007199254740992.0);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static problem new_problem(int n)
{
    problem p;
    p.n = n;
    p.A = (double *)allocate((size_t)n * (size_t)n, sizeof(double));
    p.b = (double *)allocate((size_t)n, sizeof(double));
    return p;
}

static void free_problem(problem *p)
{
    free(p->A);
    free(p->b);
}

/* max |min(z, w)| / (1 + max |b|) */
static double residual(const problem *p, const double *z)
{
    double worst = 0, size = 1;
    int i, j;
    for (i = 0; i < p->n; i++) {
        double w = p->b[i], gap;
        for (j = 0; j < p->n; j++) w += p->A[i * p->n + j] * z[j];
        gap = fabs(fmin(z[i], w));
        if (!(gap <= worst)) worst = gap;
        size = fmax(size, 1 + fabs(p->b[i]));
    }
    return worst / size;
}

/* ---- the problems ---- */

/* A direction at a contact of the stack: velocity of box `upper` minus that of the box below (-1: the ground). */
typedef struct row {
    int body[2];
    double jacobian[2][6];
} row;

typedef struct stack {
    int boxes;
    double mass[MOST_ROWS / 4], inertia[MOST_ROWS / 4], velocity[MOST_ROWS / 4][3];
    double corner[MOST_ROWS][2][3]; /* contact 4 k + q: arm on box k, arm on the one below */
    double friction;
} stack;

static void place_corners(stack *s, int k, const double *at, const double *half, const double *old_at, const double *old_half,
                          double down, double up)
{
    int q, a;
    for (q = 0; q < 4; q++)
        for (a = 0; a < 2; a++) {
            int far_side = a ? q / 2 : q % 2;
            double edge = far_side ? fmin(old_at[a] + old_half[a], at[a] + half[a]) : fmax(old_at[a] - old_half[a], at[a] - half[a]);
            s->corner[4 * k + q][0][a] = edge - at[a];
            s->corner[4 * k + q][1][a] = edge - old_at[a];
            s->corner[4 * k + q][0][2] = -down;
            s->corner[4 * k + q][1][2] = up;
        }
}

/* Boxes of random sizes and masses, a little off centre, each sliding its own way; one step of h = 0.01 of gravity. */
static void random_stack(stack *s, int boxes)
{
    double at[2] = { 0, 0 }, half[2] = { 5, 5 }, old_at[2], old_half[2], height = 0, old_height;
    int k, a;
    s->boxes = boxes;
    s->friction = random_between(0.1, 0.8);
    for (k = 0; k < boxes; k++) {
        old_height = height;
        height = random_between(0.3, 0.6);
        for (a = 0; a < 2; a++) {
            old_at[a] = at[a];
            old_half[a] = half[a];
            at[a] = random_between(-0.1, 0.1);
            half[a] = random_between(0.4, 0.6);
            s->velocity[k][a] = random_between(-2, 2);
        }
        s->velocity[k][2] = -0.0981;
        s->mass[k] = random_between(0.5, 2);
        s->inertia[k] = 0.15 * s->mass[k];
        place_corners(s, k, at, half, old_at, old_half, height, old_height);
    }
}

/* Contact i along d. */
static row direction(const stack *s, int i, const double *d)
{
    row r;
    int side, k;
    for (side = 0; side < 2; side++) {
        const double *arm = s->corner[i][side], sign = side ? -1 : 1;
        r.body[side] = i / 4 - side;
        for (k = 0; k < 3; k++) {
            r.jacobian[side][k] = sign * d[k];
            r.jacobian[side][3 + k] = sign * (arm[(k + 1) % 3] * d[(k + 2) % 3] - arm[(k + 2) % 3] * d[(k + 1) % 3]);
        }
    }
    return r;
}

static double coupling(const stack *s, const row *a, const row *b)
{
    double sum = 0;
    int i, j, d;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            for (d = 0; d < 6 && a->body[i] >= 0 && a->body[i] == b->body[j]; d++)
                sum += a->jacobian[i][d] * b->jacobian[j][d] / (d < 3 ? s->mass[a->body[i]] : s->inertia[a->body[i]]);
    return sum;
}

static double free_velocity(const stack *s, const row *a)
{
    double sum = 0;
    int i, d;
    for (i = 0; i < 2; i++)
        for (d = 0; d < 3 && a->body[i] >= 0; d++) sum += a->jacobian[i][d] * s->velocity[a->body[i]][d];
    return sum;
}

/* Order of unknowns: all normal impulses, all friction forces (`sides` per contact), all slips. */
static problem stack_problem(const stack *s, int sides)
{
    static row rows[MOST_ROWS * 5];
    static const double along[5][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
    int contacts = 4 * s->boxes, forces = contacts * (1 + sides), i, j;
    problem p = new_problem(sides ? forces + contacts : forces);
    for (i = 0; i < contacts; i++) rows[i] = direction(s, i, along[0]);
    for (i = 0; i < contacts * sides; i++) rows[contacts + i] = direction(s, i / sides, along[1 + i % sides]);
    for (i = 0; i < forces; i++) {
        p.b[i] = free_velocity(s, &rows[i]);
        for (j = 0; j < forces; j++) p.A[i * p.n + j] = coupling(s, &rows[i], &rows[j]);
    }
    for (i = 0; i < contacts && sides; i++) {
        p.A[(forces + i) * p.n + i] = s->friction;
        for (j = 0; j < sides; j++) {
            p.A[(forces + i) * p.n + contacts + i * sides + j] = -1;
            p.A[(contacts + i * sides + j) * p.n + forces + i] = 1;
        }
    }
    return p;
}

static problem st_problem(int n)
{
    static stack s;
    random_stack(&s, n / 24);
    return stack_problem(&s, 4);
}

static problem stk_problem(int n)
{
    static stack s;
    random_stack(&s, n / 4);
    return stack_problem(&s, 0);
}

/* G G' / n + 0.01, G uniform in (-1, 1). */
static problem pd_problem(int n)
{
    problem p = new_problem(n);
    double *G = (double *)allocate((size_t)n * (size_t)n, sizeof *G);
    int i, j, k;
    for (i = 0; i < n * n; i++) G[i] = random_between(-1, 1);
    for (i = 0; i < n; i++) {
        p.b[i] = random_between(-1, 1);
        for (j = 0; j <= i; j++) {
            double sum = i == j ? 0.01 * n : 0;
            for (k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k];
            p.A[i * n + j] = p.A[j * n + i] = sum / n;
        }
    }
    free(G);
    return p;
}

/* ---- the baseline: Lemke on a full tableau ----
 *
 * n rows by 2 n + 2 columns: w (whose columns hold the inverse of the basis), z, the artificial z0 with a column of ones,
 * and the right side. Ratios within 1e-9 of the smallest are tied; of those the lexicographically smallest row leaves. */
typedef struct tableau {
    int n, width;
    double *row; /* (n x width) */
    int *basis;  /* (n) w_i is i, z_i is n + i, z0 is 2 n */
} tableau;

static void tableau_start(tableau *t, const problem *p)
{
    int n = p->n, i, j;
    for (i = 0; i < n; i++) {
        double *r = t->row + i * t->width;
        for (j = 0; j < n; j++) {
            r[j] = i == j;
            r[n + j] = -p->A[i * n + j];
        }
        r[2 * n] = -1;
        r[2 * n + 1] = p->b[i];
        t->basis[i] = i;
    }
}

static void tableau_pivot(tableau *t, int leaving, int column)
{
    double *pivot = t->row + leaving * t->width, scale = 1 / pivot[column];
    int i, j;
    for (j = 0; j < t->width; j++) pivot[j] *= scale;
    for (i = 0; i < t->n; i++) {
        double *r = t->row + i * t->width, factor = r[column];
        if (i == leaving || factor == 0) continue;
        for (j = 0; j < t->width; j++) r[j] -= factor * pivot[j];
    }
    t->basis[leaving] = column;
}

static int tableau_row_before(const tableau *t, int a, int b, int column)
{
    const double *x = t->row + a * t->width, *y = t->row + b * t->width;
    int j;
    for (j = 0; j < t->n; j++) {
        double difference = x[j] / x[column] - y[j] / y[column];
        if (fabs(difference) > 1e-9) return difference < 0;
    }
    return 0;
}

/* The row that leaves when `column` enters; -1: none, a ray. */
static int tableau_ratio(const tableau *t, int column)
{
    double best = HUGE_VAL;
    int leaving = -1, i;
    for (i = 0; i < t->n; i++) {
        const double *r = t->row + i * t->width;
        if (r[column] > 1e-10) best = fmin(best, r[t->width - 1] / r[column]);
    }
    for (i = 0; i < t->n; i++) {
        const double *r = t->row + i * t->width;
        if (!(r[column] > 1e-10) || r[t->width - 1] / r[column] > best + 1e-9) continue;
        if (t->basis[i] == 2 * t->n) return i;
        if (leaving < 0 || tableau_row_before(t, i, leaving, column)) leaving = i;
    }
    return leaving;
}

static void tableau_follow(tableau *t)
{
    int n = t->n, leaving = 0, i, step, left, entering;
    for (i = 1; i < n; i++)
        if (t->row[i * t->width + 2 * n + 1] <= t->row[leaving * t->width + 2 * n + 1]) leaving = i;
    if (t->row[leaving * t->width + 2 * n + 1] >= 0) return;
    left = leaving;
    tableau_pivot(t, leaving, 2 * n);
    for (step = 0; step < 50 + 20 * n && left != 2 * n; step++) {
        entering = left < n ? left + n : left - n;
        leaving = tableau_ratio(t, entering);
        if (leaving < 0) return;
        left = t->basis[leaving];
        tableau_pivot(t, leaving, entering);
    }
}

static void plain_tableau(const problem *p, double *z)
{
    static double memory[MOST_ROWS * (2 * MOST_ROWS + 2)];
    static int basis[MOST_ROWS];
    tableau t;
    int i;
    t.n = p->n;
    t.width = 2 * p->n + 2;
    t.row = memory;
    t.basis = basis;
    tableau_start(&t, p);
    tableau_follow(&t);
    for (i = 0; i < p->n; i++) z[i] = 0;
    for (i = 0; i < p->n; i++)
        if (basis[i] >= p->n && basis[i] < 2 * p->n) z[basis[i] - p->n] = memory[i * t.width + t.width - 1];
}

/* ---- the solvers, each from z = 0 ---- */

static void run_dvc(dvc_solver method, const problem *p, double *z)
{
    static unsigned char scratch[(MOST_ROWS + 2) * (MOST_ROWS + 2) * 8 * 8];
    dvc_lcp lcp;
    dvc_lcp_options options;
    int i;
    memset(&options, 0, sizeof options);
    options.tolerance = 1e-11;
    lcp.n = p->n;
    lcp.A = p->A;
    lcp.b = p->b;
    lcp.lower = lcp.upper = NULL;
    for (i = 0; i < p->n; i++) z[i] = 0;
    dvc_lcp_solve(method, &lcp, &options, z, scratch, sizeof scratch);
}

static void dvc_auto(const problem *p, double *z) { run_dvc(DVC_AUTO, p, z); }
static void dvc_lemke(const problem *p, double *z) { run_dvc(DVC_LEMKE, p, z); }
static void dvc_pgs(const problem *p, double *z) { run_dvc(DVC_PGS, p, z); }
static void dvc_psor(const problem *p, double *z) { run_dvc(DVC_PSOR, p, z); }
static void dvc_jacobi(const problem *p, double *z) { run_dvc(DVC_JACOBI, p, z); }
static void dvc_prox(const problem *p, double *z) { run_dvc(DVC_PROX, p, z); }
static void dvc_interior(const problem *p, double *z) { run_dvc(DVC_INTERIOR_POINT, p, z); }
static void dvc_fischer(const problem *p, double *z) { run_dvc(DVC_FISCHER_NEWTON, p, z); }
static void dvc_minmap(const problem *p, double *z) { run_dvc(DVC_MINMAP_NEWTON, p, z); }

#ifdef WITH_PEERS
void lcp_ode_load(int n, const double *A, const double *b);
void lcp_ode_again(void);
void lcp_ode_solve(double *z);
void lcp_ode_unload(void);
void lcp_siconos_load(int n, const double *A, const double *b);
void lcp_siconos_lemke(double *z);
void lcp_siconos_newton(double *z);
void lcp_siconos_unload(void);

static void load_ode(const problem *p) { lcp_ode_load(p->n, p->A, p->b); }
static void solve_ode(const problem *p, double *z) { (void)p; lcp_ode_solve(z); }
static void load_siconos(const problem *p) { lcp_siconos_load(p->n, p->A, p->b); }
static void solve_siconos_lemke(const problem *p, double *z) { (void)p; lcp_siconos_lemke(z); }
static void solve_siconos_newton(const problem *p, double *z) { (void)p; lcp_siconos_newton(z); }
#endif

/* For which classes a solver is asked, as bits. */
enum { ST = 1, STK = 2, PD = 4 };
#define ALL_SIZES { MOST_ROWS, MOST_ROWS, MOST_ROWS }

typedef struct solver {
    const char *name;
    int classes;
    int largest[3];                 /* per class: what is larger takes it unreasonably long */
    void (*solve)(const problem *p, double *z);
    void (*load)(const problem *p); /* peers: before the first solve */
    void (*again)(void);            /* before each */
    void (*unload)(void);
    bool foreign;                   /* may crash or hang: tried in a child process first */
} solver;

static const solver solvers[] = {
    { "dvc auto", ST | STK | PD, ALL_SIZES, dvc_auto, NULL, NULL, NULL, false },
    { "dvc lemke", ST | STK | PD, ALL_SIZES, dvc_lemke, NULL, NULL, NULL, false },
    { "dvc minmap-newton", STK | PD, ALL_SIZES, dvc_minmap, NULL, NULL, NULL, false },
    { "dvc fischer-newton", ST | STK | PD, ALL_SIZES, dvc_fischer, NULL, NULL, NULL, false },
    { "dvc interior point", ST | STK | PD, ALL_SIZES, dvc_interior, NULL, NULL, NULL, false },
    { "dvc pgs", STK | PD, ALL_SIZES, dvc_pgs, NULL, NULL, NULL, false },
    { "dvc psor", STK | PD, ALL_SIZES, dvc_psor, NULL, NULL, NULL, false },
    { "dvc jacobi", STK | PD, ALL_SIZES, dvc_jacobi, NULL, NULL, NULL, false },
    { "dvc prox", STK | PD, ALL_SIZES, dvc_prox, NULL, NULL, NULL, false },
    { "plain tableau lemke", ST | STK | PD, ALL_SIZES, plain_tableau, NULL, NULL, NULL, false },
#ifdef WITH_PEERS
    { "ode dantzig", STK | PD, ALL_SIZES, solve_ode, load_ode, lcp_ode_again, lcp_ode_unload, true },
    { "siconos lemke", ST | STK | PD, { 96, 100, 300 }, solve_siconos_lemke, load_siconos, NULL, lcp_siconos_unload, true },
    { "siconos newton-fb", ST | STK | PD, { 48, 40, 300 }, solve_siconos_newton, load_siconos, NULL, lcp_siconos_unload, true },
#endif
};

enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

typedef struct problem_class {
    const char *name;
    int bit, sizes[MOST_SIZES], size_count;
    problem (*make)(int n);
} problem_class;

static const problem_class classes[] = {
    { "st", ST, { 24, 48, 96, 192, 288 }, 5, st_problem },
    { "stk", STK, { 8, 20, 40, 100, 200, 300 }, 6, stk_problem },
    { "pd", PD, { 10, 50, 100, 200, 300 }, 5, pd_problem },
};

/* What one solver did on the problems of one size. */
typedef struct result {
    int asked, solved_6, solved_10;
    double seconds[PROBLEMS]; /* minimum over the turns */
    bool solved[PROBLEMS];    /* to 1e-6 */
} result;

/* ---- measuring ---- */

static bool is_asked(const solver *s, const problem_class *c, int n)
{
    return (s->classes & c->bit) && n <= s->largest[c->bit == ST ? 0 : c->bit == STK ? 1 : 2];
}

#ifdef WITH_PEERS
/* One solve in a child process that is killed after some seconds: false if that or a crash happens. */
static bool survives(const solver *s, const problem *p)
{
    static double z[MOST_ROWS];
    int status = 1;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(3);
        s->load(p);
        s->solve(p, z);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
#else
static bool survives(const solver *s, const problem *p) { return s && p; }
#endif

static double one_turn(const solver *s, const problem *p, double *z)
{
    double start;
    if (s->again) s->again();
    start = now();
    s->solve(p, z);
    return now() - start;
}

#define SHORT_SOLVE 1e-4

/* All solvers in turn until each has had its share of time; the first turn warms up and is judged. */
static void measure(const problem_class *c, const problem *p, int which, double share, result *results)
{
    static double z[MOST_ROWS];
    double spent[SOLVERS] = { 0 };
    bool runs[SOLVERS];
    int s, turn, busy = 1;
    for (s = 0; s < SOLVERS; s++) {
        runs[s] = is_asked(&solvers[s], c, p->n) && (!solvers[s].foreign || survives(&solvers[s], p));
        results[s].asked += is_asked(&solvers[s], c, p->n);
        results[s].seconds[which] = HUGE_VAL;
        results[s].solved[which] = false;
    }
    for (turn = 0; busy && turn < 1000; turn++)
        for (busy = 0, s = 0; s < SOLVERS; s++) {
            double seconds, gap;
            if (!runs[s] || (turn > 0 && spent[s] > share)) continue;
            if (solvers[s].load) solvers[s].load(p);
            if (results[s].seconds[which] < SHORT_SOLVE) one_turn(&solvers[s], p, z); /* not after another's: caches, branches */
            seconds = one_turn(&solvers[s], p, z);
            spent[s] += seconds;
            busy = busy || spent[s] <= share;
            if (seconds < results[s].seconds[which]) results[s].seconds[which] = seconds;
            if (solvers[s].unload) solvers[s].unload();
            if (turn > 0) continue;
            gap = residual(p, z);
            results[s].solved[which] = gap <= 1e-6;
            results[s].solved_6 += gap <= 1e-6;
            results[s].solved_10 += gap <= 1e-10;
        }
}

static void measure_size(const problem_class *c, int n, double share, result *results)
{
    int which;
    memset(results, 0, SOLVERS * sizeof *results);
    for (which = 0; which < PROBLEMS; which++) {
        problem p;
        random_state = 88172645463325252u ^ ((uint64_t)(n * 100 + which + 1) * 0x9E3779B97F4A7C15u);
        p = c->make(n);
        measure(c, &p, which, share, results);
        free_problem(&p);
    }
}

/* ---- printing ---- */

static double mean_microseconds(const result *r)
{
    double sum = 0;
    int k, count = 0;
    for (k = 0; k < PROBLEMS; k++)
        if (r->seconds[k] < HUGE_VAL) { sum += r->seconds[k]; count++; }
    return count > 0 ? 1e6 * sum / count : 0;
}

static void print_entry(const result *r)
{
    char text[64];
    if (!r->asked) snprintf(text, sizeof text, "-");
    else snprintf(text, sizeof text, "%d/%d %.*f", r->solved_6, r->solved_10, mean_microseconds(r) < 100 ? 1 : 0, mean_microseconds(r));
    printf("%16s", text);
}

/* Time of the first solver over that of the other, on the problems that both solve. */
static void print_ratio(const result *ours, const result *other)
{
    double mine = 0, theirs = 0;
    char text[64];
    int k;
    for (k = 0; k < PROBLEMS; k++)
        if (ours->solved[k] && other->solved[k]) { mine += ours->seconds[k]; theirs += other->seconds[k]; }
    if (theirs > 0) snprintf(text, sizeof text, "%.2f", mine / theirs);
    else snprintf(text, sizeof text, "-");
    printf("%16s", text);
}

static void print_table(const problem_class *c, result results[][SOLVERS])
{
    int s, k;
    printf("%-24s", c->name);
    for (k = 0; k < c->size_count; k++) printf("%10s = %3d", "n", c->sizes[k]);
    printf("\n");
    for (s = 0; s < SOLVERS; s++) {
        if (!(solvers[s].classes & c->bit)) continue;
        printf("%-24s", solvers[s].name);
        for (k = 0; k < c->size_count; k++) print_entry(&results[k][s]);
        printf("\n");
    }
    for (s = 0; s < SOLVERS; s++) {
        if (!(solvers[s].classes & c->bit) || (!solvers[s].foreign && solvers[s].solve != plain_tableau)) continue;
        printf("auto/%-19s", solvers[s].name);
        for (k = 0; k < c->size_count; k++) print_ratio(&results[k][0], &results[k][s]);
        printf("\n");
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static result results[MOST_SIZES][SOLVERS];
    double share = argc > 2 ? atof(argv[2]) / 1000 : 0.01;
    size_t c;
    int k;
    printf("solved to 1e-6 / to 1e-10 of %d, microseconds per solve; auto/...: ratio of times where both solve\n\n", PROBLEMS);
    for (c = 0; c < sizeof classes / sizeof classes[0]; c++) {
        if (argc > 1 && strcmp(argv[1], "all") != 0 && strcmp(argv[1], classes[c].name) != 0) continue;
        for (k = 0; k < classes[c].size_count; k++) measure_size(&classes[c], classes[c].sizes[k], share, results[k]);
        print_table(&classes[c], results);
    }
    return 0;
}
