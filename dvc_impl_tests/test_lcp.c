/* The solver family for complementarity problems (dvc_lcp_solve and the private linked form that the step uses), against
 * oracles that share no code with it: enumeration of all complementary bases, problems built around a known solution,
 * and the Stewart-Trinkle problem written out in full. Every z is judged by lcp_judge, a second implementation of what
 * dvc.h documents at dvc_lcp_residual; what a report claims is only compared with it.
 *
 * Included by the main file of the tests after the implementation, for the sake of the private functions. */
#include <stdlib.h>

enum {
    LCP_SMALL = 12,     /* largest problem that is enumerated */
    LCP_LARGE = 512,    /* largest of all */
    LCP_BODIES = 80,
    LCP_CONTACTS = 320,
    LCP_SWEEPS = 100000 /* enough for the iterative methods where theory promises that they converge */
};

#define LCP_ACCEPT 1e-9 /* the default tolerance */
#define LCP_BIT(method) (1u << (unsigned)(method))
#define LCP_DIRECT (LCP_BIT(DVC_AUTO) | LCP_BIT(DVC_LEMKE))
#define LCP_PI 3.14159265358979323846

/* ---- problems ---- */

typedef struct lcp_case {
    int n;
    double *A, *b;         /* A by rows */
    double *lower, *upper; /* both NULL: a plain complementarity problem */
    int seed;              /* printed when a check fails */
} lcp_case;

static double *lcp_reals(int count)
{
    double *reals = (double *)calloc((size_t)count + 1, sizeof *reals);
    if (!reals) exit(2);
    return reals;
}

static lcp_case lcp_make(int n, int boxed, int seed)
{
    lcp_case c;
    c.n = n;
    c.A = lcp_reals(n * n);
    c.b = lcp_reals(n);
    c.lower = boxed ? lcp_reals(n) : NULL;
    c.upper = boxed ? lcp_reals(n) : NULL;
    c.seed = seed;
    return c;
}

static void lcp_free(lcp_case *c)
{
    free(c->A);
    free(c->b);
    free(c->lower);
    free(c->upper);
}

static dvc_lcp lcp_view(const lcp_case *c)
{
    dvc_lcp lcp;
    lcp.n = c->n;
    lcp.A = c->A;
    lcp.b = c->b;
    lcp.lower = c->lower;
    lcp.upper = c->upper;
    return lcp;
}

static int lcp_choice(int count) { return (int)(test_random_bits() % (uint64_t)count); }

static double lcp_low(const lcp_case *c, int i) { return c->lower ? c->lower[i] : 0; }
static double lcp_high(const lcp_case *c, int i) { return c->upper ? c->upper[i] : DVC_INFINITY; }

/* Row i of A z + b, summed with extra digits. */
static double lcp_w(const lcp_case *c, const double *z, int i)
{
    long double sum = c->b[i];
    int j;
    for (j = 0; j < c->n; j++) sum += (long double)c->A[i * c->n + j] * z[j];
    return (double)sum;
}

static double lcp_distance(int n, const double *x, const double *y)
{
    double worst = 0;
    int i;
    for (i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

/* ---- the judge ---- */

/* The power of two at or below x; 1 for x = 0. */
static double lcp_power(double x)
{
    int exponent;
    if (!(x > 0)) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

/* In whose units z_j is measured: the diagonal, or, where there is none, the largest entry of its column. */
static double lcp_column_unit(const lcp_case *c, int j)
{
    double largest = 0;
    int i;
    if (c->A[j * c->n + j] > 0) return lcp_power(c->A[j * c->n + j]);
    for (i = 0; i < c->n; i++) largest = fmax(largest, fabs(c->A[i * c->n + j]));
    return lcp_power(largest);
}

/* Rows with a diagonal are taken as they are, others are divided by the largest entry that scaled columns leave. */
static double lcp_row_unit(const lcp_case *c, int i, const double *column)
{
    double largest = 0;
    int j;
    if (c->A[i * c->n + i] > 0) return 1;
    for (j = 0; j < c->n; j++) largest = fmax(largest, fabs(c->A[i * c->n + j]) / column[j]);
    return lcp_power(largest);
}

/* max |z - clamp(z - w)| in scaled variables; scale 0: the largest |b|, rounded down to a power of two. */
static double lcp_judge(const lcp_case *c, const double *z, double scale)
{
    static double column[LCP_LARGE], row[LCP_LARGE];
    double worst = 0, size = scale;
    int i, j;
    for (j = 0; j < c->n; j++) column[j] = lcp_column_unit(c, j);
    for (i = 0; i < c->n; i++) row[i] = lcp_row_unit(c, i, column);
    for (i = 0; i < c->n && scale == 0; i++) size = fmax(size, fabs(c->b[i]) / row[i]);
    size = lcp_power(size);
    for (i = 0; i < c->n; i++) {
        double unit = column[i] / size, x = z[i] * unit, w = lcp_w(c, z, i) / (row[i] * size);
        double low = lcp_low(c, i) <= -DVC_INFINITY ? -INFINITY : lcp_low(c, i) * unit;
        double high = lcp_high(c, i) >= DVC_INFINITY ? INFINITY : lcp_high(c, i) * unit;
        double gap = fabs(x - fmin(fmax(x - w, low), high));
        if (!(gap <= worst)) worst = gap;
    }
    return worst;
}

/* How far the best double arithmetic may be off in lcp_judge(c, z, scale): the terms of a row may cancel. Never more than
 * the tolerance, whatever z is: a z so large that nothing can be said about it is not a solution. */
static double lcp_rounding(const lcp_case *c, const double *z, double scale)
{
    static double column[LCP_LARGE];
    double worst = 0, size = scale;
    int i, j;
    for (j = 0; j < c->n; j++) column[j] = lcp_column_unit(c, j);
    for (i = 0; i < c->n && scale == 0; i++) size = fmax(size, fabs(c->b[i]) / lcp_row_unit(c, i, column));
    size = lcp_power(size);
    for (i = 0; i < c->n; i++) {
        double terms = fabs(c->b[i]);
        for (j = 0; j < c->n; j++) terms += fabs(c->A[i * c->n + j] * z[j]);
        worst = fmax(worst, terms / (lcp_row_unit(c, i, column) * size));
    }
    return fmin(1e-13 + 4e-16 * worst, LCP_ACCEPT);
}

/* Whether the judge accepts z as a solution. */
static int lcp_accepts(const lcp_case *c, const double *z)
{
    return lcp_judge(c, z, 0) <= LCP_ACCEPT + lcp_rounding(c, z, 0);
}

/* ---- running a method ---- */

/* A block of exactly the documented size, so that memory checkers see every byte beyond. */
static dvc_lcp_report lcp_run(dvc_solver method, const lcp_case *c, const dvc_lcp_options *options, double *z)
{
    dvc_lcp lcp = lcp_view(c);
    size_t size = dvc_lcp_scratch_size(method, c->n);
    void *scratch = malloc(size);
    dvc_lcp_report report;
    if (!scratch) exit(2);
    memset(scratch, 0xa5, size);
    report = dvc_lcp_solve(method, &lcp, options, z, scratch, size);
    free(scratch);
    return report;
}

static double lcp_library_residual(const lcp_case *c, const dvc_lcp_options *options, const double *z)
{
    dvc_lcp lcp = lcp_view(c);
    size_t size = dvc_lcp_scratch_size(DVC_AUTO, c->n);
    void *scratch = malloc(size);
    double residual;
    if (!scratch) exit(2);
    residual = dvc_lcp_residual(&lcp, options, z, scratch, size);
    free(scratch);
    return residual;
}

/* A check that says for which problem and method it failed. */
static void lcp_expect(int ok, const char *what, dvc_solver method, const lcp_case *c)
{
    if (CHECK(ok) || test_state.failures_here > 5) return;
    printf("    %s: %s, n = %d, seed %d\n", what, dvc_solver_name(method), c->n, c->seed);
}

/* Runs a method from z = 0. Whatever it says must be true: its residual is the judge's, a solution is one. */
static int lcp_solves(dvc_solver method, const lcp_case *c, double *z)
{
    dvc_lcp_options options;
    dvc_lcp_report report;
    double judged;
    memset(&options, 0, sizeof options);
    if (method >= DVC_PGS && method <= DVC_PROX) options.max_iterations = LCP_SWEEPS;
    if (method == DVC_FISCHER_NEWTON) options.max_iterations = 1000;
    memset(z, 0, (size_t)c->n * sizeof *z);
    report = lcp_run(method, c, &options, z);
    if (report.status != DVC_OK) return 0;
    judged = lcp_judge(c, z, 0);
    lcp_expect(lcp_accepts(c, z), "claims a solution that is none", method, c);
    lcp_expect(fabs(report.residual - judged) <= 2 * lcp_rounding(c, z, 0), "reports a wrong residual", method, c);
    lcp_expect(report.iterations >= 0 && report.attempts >= 1, "counts wrong", method, c);
    return 1;
}

static void lcp_must_solve(dvc_solver method, const lcp_case *c)
{
    static double z[LCP_LARGE];
    lcp_expect(lcp_solves(method, c, z), "does not solve", method, c);
}

/* For problems with one solution. */
static void lcp_must_find(dvc_solver method, const lcp_case *c, const double *solution, double tolerance)
{
    static double z[LCP_LARGE];
    int ok = lcp_solves(method, c, z);
    lcp_expect(ok, "does not solve", method, c);
    if (ok) lcp_expect(lcp_distance(c->n, z, solution) <= tolerance, "finds something else", method, c);
}

/* ---- the oracle: all complementary bases ---- */

/* Solves the n x n system a x = x in place by elimination; false if it is singular. */
static int lcp_gauss(int n, double a[][LCP_SMALL + 1])
{
    int i, j, k, best;
    for (k = 0; k < n; k++) {
        for (best = k, i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (fabs(a[best][k]) < 1e-11) return 0;
        for (j = k; j <= n; j++) { double keep = a[k][j]; a[k][j] = a[best][j]; a[best][j] = keep; }
        for (i = 0; i < n; i++) {
            double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (j = k; factor != 0 && j <= n; j++) a[i][j] -= factor * a[k][j];
        }
    }
    for (k = 0; k < n; k++) a[k][n] /= a[k][k];
    return 1;
}

/* z of one choice: place -1 is the lower bound, 0 between (w = 0), 1 the upper bound. */
static int lcp_basis(const lcp_case *c, const int *place, double *z)
{
    double a[LCP_SMALL][LCP_SMALL + 1];
    int between[LCP_SMALL], m = 0, i, j;
    for (i = 0; i < c->n; i++) {
        z[i] = place[i] < 0 ? lcp_low(c, i) : place[i] > 0 ? lcp_high(c, i) : 0;
        if (place[i] == 0) between[m++] = i;
    }
    for (i = 0; i < m; i++) {
        for (j = 0; j < m; j++) a[i][j] = c->A[between[i] * c->n + between[j]];
        a[i][m] = -lcp_w(c, z, between[i]);
    }
    if (!lcp_gauss(m, a)) return 0;
    for (i = 0; i < m; i++) z[between[i]] = a[i][m];
    return 1;
}

static int lcp_is_solution(const lcp_case *c, const double *z)
{
    int i;
    for (i = 0; i < c->n; i++) {
        double gap = z[i] - fmin(fmax(z[i] - lcp_w(c, z, i), lcp_low(c, i)), lcp_high(c, i));
        if (!(fabs(gap) <= 1e-9 * (1 + fabs(z[i])))) return 0;
    }
    return 1;
}

/* The next choice that the bounds allow; false after the last. */
static int lcp_next_places(const lcp_case *c, int *place)
{
    int i;
    for (i = 0; i < c->n; i++) {
        if (++place[i] > 1 || (place[i] == 1 && lcp_high(c, i) >= DVC_INFINITY)) {
            place[i] = lcp_low(c, i) <= -DVC_INFINITY ? 0 : -1;
            continue;
        }
        return 1;
    }
    return 0;
}

/* Whether there is a solution; `solution` receives the first, `several` says whether another one differs. */
static int lcp_enumerate(const lcp_case *c, double *solution, int *several)
{
    double z[LCP_SMALL];
    int place[LCP_SMALL], found = 0, i;
    *several = 0;
    for (i = 0; i < c->n; i++) place[i] = lcp_low(c, i) <= -DVC_INFINITY ? 0 : -1;
    do {
        if (!lcp_basis(c, place, z) || !lcp_is_solution(c, z)) continue;
        if (found && lcp_distance(c->n, z, solution) > 1e-6) *several = 1;
        if (!found) memcpy(solution, z, (size_t)c->n * sizeof *z);
        found = 1;
    } while (lcp_next_places(c, place));
    return found;
}

/* All methods against the enumeration; those in `must` have to solve what can be solved. Returns whether it can. */
static int lcp_against_enumeration(const lcp_case *c, unsigned must, int unique)
{
    double solution[LCP_SMALL], z[LCP_SMALL];
    int several, solvable = lcp_enumerate(c, solution, &several), m;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        dvc_solver method = (dvc_solver)m;
        int ok = lcp_solves(method, c, z);
        if (!solvable) lcp_expect(!ok, "solves what has no solution", method, c);
        else if (must & LCP_BIT(m)) lcp_expect(ok, "does not solve", method, c);
        if (ok && solvable && unique) lcp_expect(lcp_distance(c->n, z, solution) <= 1e-6, "finds something else", method, c);
    }
    if (solvable && unique) lcp_expect(!several, "oracle: more than one solution", DVC_AUTO, c);
    return solvable;
}

/* ---- random matrices ---- */

/* A = G G' + shift, G with n x rank entries in (-1, 1). */
static void lcp_gram(lcp_case *c, int rank, double shift)
{
    double *G = lcp_reals(c->n * rank);
    int i, j, k;
    for (i = 0; i < c->n * rank; i++) G[i] = test_random(-1, 1);
    for (i = 0; i < c->n; i++)
        for (j = 0; j < c->n; j++) {
            double sum = i == j ? shift : 0;
            for (k = 0; k < rank; k++) sum += G[i * rank + k] * G[j * rank + k];
            c->A[i * c->n + j] = sum;
        }
    free(G);
}

/* The same of whole numbers: where the rank is low, the matrix is singular exactly. */
static void lcp_whole_gram(lcp_case *c, int rank)
{
    double *G = lcp_reals(c->n * rank);
    int i, j, k;
    for (i = 0; i < c->n * rank; i++) G[i] = lcp_choice(5) - 2;
    for (i = 0; i < c->n; i++)
        for (j = 0; j < c->n; j++)
            for (k = 0; k < rank; k++) c->A[i * c->n + j] += G[i * rank + k] * G[j * rank + k];
    free(G);
}

static void lcp_whole_b(lcp_case *c)
{
    int i;
    for (i = 0; i < c->n; i++) c->b[i] = lcp_choice(9) - 4;
}

static void lcp_random_b(lcp_case *c)
{
    int i;
    for (i = 0; i < c->n; i++) c->b[i] = test_random(-1, 1);
}

/* b such that a random z is a solution; in a few rows z and w are both 0. Whole numbers if asked for: full of ties. */
static void lcp_plant(lcp_case *c, int whole)
{
    static double z[LCP_LARGE];
    int i, j;
    for (i = 0; i < c->n; i++) {
        int kind = lcp_choice(5);
        double size = whole ? 1 + lcp_choice(3) : test_random(0, 1);
        z[i] = kind < 2 ? size : 0;
        c->b[i] = kind > 2 ? size : 0;
    }
    for (i = 0; i < c->n; i++)
        for (j = 0; j < c->n; j++) c->b[i] -= c->A[i * c->n + j] * z[j];
}

/* Off-diagonals <= 0, rows and columns diagonally dominant. */
static void lcp_m_matrix(lcp_case *c)
{
    int n = c->n, i, j;
    for (i = 0; i < n * n; i++) c->A[i] = lcp_choice(3) ? test_random(-1, 0) : 0;
    for (i = 0; i < n; i++) {
        double row = 0, column = 0;
        c->A[i * n + i] = 0;
        for (j = 0; j < n; j++) { row -= c->A[i * n + j]; column -= c->A[j * n + i]; }
        c->A[i * n + i] = fmax(row, column) * 1.05 + 0.1;
    }
}

/* Mostly lower triangular with large entries: not definite. */
static void lcp_lopsided_matrix(lcp_case *c)
{
    int n = c->n, i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            c->A[i * n + j] = i == j ? test_random(0.5, 1.5) : j < i ? test_random(-3, 3) : test_random(-0.05, 0.05);
}

static double lcp_minor(const lcp_case *c, unsigned subset)
{
    double a[LCP_SMALL][LCP_SMALL], minor = 1;
    int in[LCP_SMALL], m = 0, i, j, k;
    for (i = 0; i < c->n; i++)
        if (subset >> i & 1) in[m++] = i;
    for (i = 0; i < m; i++)
        for (j = 0; j < m; j++) a[i][j] = c->A[in[i] * c->n + in[j]];
    for (k = 0; k < m; k++) { /* no exchanges: the leading minors of a P-matrix are positive */
        if (!(a[k][k] > 1e-3)) return 0;
        minor *= a[k][k];
        for (i = k + 1; i < m; i++)
            for (j = m - 1; j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    return minor;
}

static int lcp_is_p_matrix(const lcp_case *c)
{
    unsigned subset;
    for (subset = 1; subset < 1u << c->n; subset++)
        if (!(lcp_minor(c, subset) > 0)) return 0;
    return 1;
}

/* ---- all methods against enumeration ---- */

static int lcp_size(int seed) { return seed % 40 == 0 ? 11 + seed / 40 % 2 : 1 + seed % 8; }

static void positive_definite_problems_have_one_solution_and_all_methods_find_it(void)
{
    const unsigned must = LCP_DIRECT | LCP_BIT(DVC_PGS) | LCP_BIT(DVC_PSOR) | LCP_BIT(DVC_PROX) | LCP_BIT(DVC_INTERIOR_POINT)
                          | LCP_BIT(DVC_FISCHER_NEWTON);
    int seed;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(lcp_size(seed), 0, seed);
        test_seed((uint64_t)seed);
        lcp_gram(&c, c.n, 0.3);
        lcp_random_b(&c);
        if (seed % 3 == 0) lcp_plant(&c, 0); /* degenerate ones */
        CHECK(lcp_against_enumeration(&c, must, 1));
        lcp_free(&c);
    }
}

/* The sweeps converge here too, but as slowly as they like. */
static void semidefinite_problems_with_a_solution_are_solved(void)
{
    int seed;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(1 + lcp_size(seed) % LCP_SMALL, 0, seed);
        test_seed((uint64_t)seed + 1000);
        lcp_gram(&c, (c.n + 1) / 2, 0);
        lcp_plant(&c, 0);
        CHECK(lcp_against_enumeration(&c, LCP_DIRECT, 0));
        lcp_free(&c);
    }
}

static void whole_number_problems_full_of_ties_are_solved(void)
{
    int seed, unsolvable = 0;
    for (seed = 0; seed < 400; seed++) {
        lcp_case c = lcp_make(1 + seed % 7, 0, seed);
        test_seed((uint64_t)seed + 1500);
        lcp_whole_gram(&c, 1 + lcp_choice(c.n));
        if (seed % 4) lcp_plant(&c, 1);
        else lcp_whole_b(&c);
        unsolvable += !lcp_against_enumeration(&c, LCP_DIRECT, 0);
        lcp_free(&c);
    }
    CHECK(unsolvable >= 10 && unsolvable <= 100);
}

/* Singular exactly, so that no z, however large, comes near a solution. */
static void nobody_solves_what_has_no_solution(void)
{
    int seed, unsolvable = 0;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(1 + seed % 7, 0, seed);
        test_seed((uint64_t)seed + 2000);
        lcp_whole_gram(&c, c.n > 3 ? c.n / 3 : 1);
        lcp_random_b(&c);
        unsolvable += !lcp_against_enumeration(&c, LCP_DIRECT, 0);
        lcp_free(&c);
    }
    CHECK(unsolvable >= 40);
}

static void matrices_without_structure_never_make_a_method_lie(void)
{
    int seed, unsolvable = 0;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(1 + seed % 6, 0, seed);
        int i;
        test_seed((uint64_t)seed + 3000);
        for (i = 0; i < c.n * c.n; i++) c.A[i] = test_random(-1, 1);
        lcp_random_b(&c);
        unsolvable += !lcp_against_enumeration(&c, 0, 0);
        lcp_free(&c);
    }
    CHECK(unsolvable >= 20);
}

static void m_matrices_are_solved_by_all_methods(void)
{
    const unsigned all_but_psor = (LCP_BIT(DVC_SOLVER_COUNT) - 1) & ~LCP_BIT(DVC_PSOR);
    int seed;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(lcp_size(seed), 0, seed);
        test_seed((uint64_t)seed + 4000);
        lcp_m_matrix(&c);
        lcp_random_b(&c);
        if (seed % 3 == 0) lcp_plant(&c, 0);
        CHECK(lcp_against_enumeration(&c, all_but_psor, 1));
        lcp_free(&c);
    }
}

static void p_matrices_are_solved_by_pivoting_and_by_fischer_newton(void)
{
    int seed, tried = 0;
    for (seed = 0; seed < 1000 && tried < 150; seed++) {
        lcp_case c = lcp_make(1 + seed % 8, 0, seed);
        test_seed((uint64_t)seed + 5000);
        lcp_lopsided_matrix(&c);
        lcp_random_b(&c);
        if (lcp_is_p_matrix(&c)) {
            tried++;
            CHECK(lcp_against_enumeration(&c, LCP_DIRECT | LCP_BIT(DVC_FISCHER_NEWTON), 1));
        }
        lcp_free(&c);
    }
    CHECK(tried == 150);
}

/* Free, boxed, above only, below only (not 0), fixed, and plain rows. */
static void lcp_random_bounds(lcp_case *c)
{
    int i;
    for (i = 0; i < c->n; i++) {
        int kind = lcp_choice(8);
        double at = test_random(-1, 1);
        c->lower[i] = kind == 0 || kind == 1 ? -DVC_INFINITY : kind < 6 ? at : 0;
        c->upper[i] = kind == 0 ? DVC_INFINITY : kind == 1 || kind == 2 ? at : kind < 5 ? at + test_random(0.01, 1) : DVC_INFINITY;
    }
}

static void boxed_and_free_rows_agree_with_enumeration(void)
{
    const unsigned must = LCP_DIRECT | LCP_BIT(DVC_PGS) | LCP_BIT(DVC_PSOR) | LCP_BIT(DVC_PROX);
    int seed;
    for (seed = 0; seed < 400; seed++) {
        lcp_case c = lcp_make(1 + seed % 7, 1, seed);
        test_seed((uint64_t)seed + 6000);
        lcp_gram(&c, c.n, 0.3);
        lcp_random_b(&c);
        lcp_random_bounds(&c);
        CHECK(lcp_against_enumeration(&c, must, 1));
        lcp_free(&c);
    }
}

/* Strongly coupled, the first half free: whatever a path does, it must count what the free rows do in answer. */
static void free_rows_do_not_mislead_the_path(void)
{
    int seed, i;
    for (seed = 0; seed < 1000; seed++) {
        lcp_case c = lcp_make(2 + seed % 10, 1, seed);
        test_seed((uint64_t)seed + 6500);
        lcp_gram(&c, c.n, 0.02);
        lcp_random_b(&c);
        for (i = 0; i < c.n; i++) {
            c.lower[i] = i < c.n / 2 ? -DVC_INFINITY : 0;
            c.upper[i] = i < c.n / 2 || lcp_choice(2) ? DVC_INFINITY : test_random(0, 1);
        }
        lcp_must_solve(DVC_AUTO, &c);
        lcp_must_solve(DVC_LEMKE, &c);
        lcp_free(&c);
    }
}

/* Every box is finite, so that there is a solution whatever the rank. */
static void rank_deficient_problems_in_a_box_are_solved(void)
{
    int seed, i;
    for (seed = 0; seed < 200; seed++) {
        lcp_case c = lcp_make(1 + seed % 7, 1, seed);
        test_seed((uint64_t)seed + 7000);
        lcp_gram(&c, (c.n + 1) / 2, 0);
        lcp_random_b(&c);
        for (i = 0; i < c.n; i++) {
            c.lower[i] = test_random(-1, 0);
            c.upper[i] = test_random(0, 1);
        }
        CHECK(lcp_against_enumeration(&c, LCP_DIRECT, 0));
        lcp_free(&c);
    }
}

/* ---- contact problems ---- */

/* The velocity that a contact sees in one direction: a row of the Jacobian on two bodies; body -1 is the ground. */
typedef struct lcp_row {
    int body[2];
    double jacobian[2][6];
    double gap; /* distance / step size, for normals */
} lcp_row;

typedef struct lcp_contact {
    lcp_row normal, tangent[2];
    double friction;
} lcp_contact;

typedef struct lcp_scene {
    int bodies, contacts, seed;
    double inverse[LCP_BODIES][6]; /* of mass and moments; 0: does not move that way */
    double velocity[LCP_BODIES][6];
    lcp_contact contact[LCP_CONTACTS];
} lcp_scene;

static lcp_scene lcp_world; /* too large for the stack */

static void lcp_set_body(lcp_scene *s, int k, double mass, double inertia)
{
    int d;
    for (d = 0; d < 6; d++) {
        s->inverse[k][d] = 1 / (d < 3 ? mass : inertia);
        s->velocity[k][d] = 0;
    }
}

/* A random velocity, drawn one number after the other: compilers differ in the order of arguments. */
static void lcp_set_velocity(lcp_scene *s, int k, int first, int last, double largest)
{
    int d;
    for (d = first; d <= last; d++) s->velocity[k][d] = test_random(-largest, largest);
}

static void lcp_fill_side(double *jacobian, double sign, const double *arm, const double *d)
{
    int k;
    for (k = 0; k < 3; k++) {
        jacobian[k] = sign * d[k];
        jacobian[3 + k] = sign * (arm[(k + 1) % 3] * d[(k + 2) % 3] - arm[(k + 2) % 3] * d[(k + 1) % 3]);
    }
}

/* Velocity of body 0's point minus that of body 1's along d. */
static lcp_row lcp_direction(int body_0, const double *arm_0, int body_1, const double *arm_1, const double *d)
{
    lcp_row row;
    row.body[0] = body_0;
    row.body[1] = body_1;
    row.gap = 0;
    lcp_fill_side(row.jacobian[0], 1, arm_0, d);
    lcp_fill_side(row.jacobian[1], -1, arm_1, d);
    return row;
}

/* x a + y b of two rows on the same bodies. */
static lcp_row lcp_mix(double x, const lcp_row *a, double y, const lcp_row *b)
{
    lcp_row row = *a;
    int side, d;
    for (side = 0; side < 2; side++)
        for (d = 0; d < 6; d++) row.jacobian[side][d] = x * a->jacobian[side][d] + y * b->jacobian[side][d];
    return row;
}

/* What a unit impulse along row b changes in the velocity along row a. */
static double lcp_coupling(const lcp_scene *s, const lcp_row *a, const lcp_row *b)
{
    double sum = 0;
    int i, j, d;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            for (d = 0; d < 6 && a->body[i] >= 0 && a->body[i] == b->body[j]; d++)
                sum += a->jacobian[i][d] * s->inverse[a->body[i]][d] * b->jacobian[j][d];
    return sum;
}

static double lcp_free_velocity(const lcp_scene *s, const lcp_row *a)
{
    double sum = a->gap;
    int i, d;
    for (i = 0; i < 2; i++)
        for (d = 0; d < 6 && a->body[i] >= 0; d++) sum += a->jacobian[i][d] * s->velocity[a->body[i]][d];
    return sum;
}

/* Enters the given rows into A and b, row i at the place at[i]. */
static void lcp_assemble(const lcp_scene *s, int count, const lcp_row *rows, const int *at, lcp_case *c)
{
    int i, j;
    for (i = 0; i < count; i++) {
        c->b[at[i]] = lcp_free_velocity(s, &rows[i]);
        for (j = 0; j < count; j++) c->A[at[i] * c->n + at[j]] = lcp_coupling(s, &rows[i], &rows[j]);
    }
}

/* A corner of the polygon of `sides` friction directions, and its j-th segment (see >>lcp in dvc.h). */
static lcp_row lcp_vertex(const lcp_contact *c, int j, int sides)
{
    return lcp_mix(cos(2 * LCP_PI * j / sides), &c->tangent[0], sin(2 * LCP_PI * j / sides), &c->tangent[1]);
}

static lcp_row lcp_segment(const lcp_contact *c, int j, int sides)
{
    double angle = (2 * j + 1) * LCP_PI / sides + LCP_PI / 2;
    return lcp_mix(cos(angle), &c->tangent[0], sin(angle), &c->tangent[1]);
}

/* Where the literal problem keeps member j of contact i: 0 lambda, 1 .. sides beta, sides + 1 sigma. Either contact by
 * contact, or all lambda first, then all beta, then all sigma. */
static int lcp_place(const lcp_scene *s, int i, int j, int sides, int blocks)
{
    if (sides == 0) return i;
    if (!blocks) return i * (sides + 2) + j;
    return j == 0 ? i : j <= sides ? s->contacts + i * sides + j - 1 : s->contacts * (sides + 1) + i;
}

/* The Stewart-Trinkle problem as printed, with `sides` directions per contact; 0: no friction, normals only. */
static lcp_case lcp_literal(const lcp_scene *s, int sides, int blocks)
{
    int members = sides + (sides > 0 ? 2 : 1), used = 0, i, j;
    lcp_case c = lcp_make(s->contacts * members, 0, s->seed);
    lcp_row *rows = (lcp_row *)calloc((size_t)c.n, sizeof *rows);
    int *at = (int *)calloc((size_t)c.n, sizeof *at);
    if (!rows || !at) exit(2);
    for (i = 0; i < s->contacts; i++)
        for (j = 0; j <= sides; j++) {
            rows[used] = j == 0 ? s->contact[i].normal : lcp_vertex(&s->contact[i], j - 1, sides);
            at[used++] = lcp_place(s, i, j, sides, blocks);
        }
    lcp_assemble(s, used, rows, at, &c);
    for (i = 0; i < s->contacts && sides > 0; i++) {
        int sigma = lcp_place(s, i, sides + 1, sides, blocks);
        c.A[sigma * c.n + lcp_place(s, i, 0, sides, blocks)] = s->contact[i].friction;
        for (j = 1; j <= sides; j++) {
            c.A[lcp_place(s, i, j, sides, blocks) * c.n + sigma] = 1;
            c.A[sigma * c.n + lcp_place(s, i, j, sides, blocks)] = -1;
        }
    }
    free(rows);
    free(at);
    return c;
}

/* ---- linked friction rows against the literal problem ---- */

/* The same scene as normals with half as many linked segments each, by columns as the private form wants it. */
typedef struct lcp_linked {
    lcp_case c; /* A and b; the matrix is symmetric, so rows are columns */
    dvci_mcp mcp;
    dvci_task task;
    dvci_arena arena;
    void *block;
} lcp_linked;

static lcp_case lcp_linked_rows(const lcp_scene *s, int sides)
{
    int members = 1 + sides / 2, i, j;
    lcp_case c = lcp_make(s->contacts * members, 0, s->seed);
    static lcp_row rows[LCP_CONTACTS];
    static int at[LCP_CONTACTS];
    for (i = 0; i < s->contacts; i++)
        for (j = 0; j < members; j++) {
            rows[i * members + j] = j == 0 ? s->contact[i].normal : lcp_segment(&s->contact[i], j - 1, sides);
            at[i * members + j] = i * members + j;
        }
    lcp_assemble(s, c.n, rows, at, &c);
    return c;
}

static void lcp_linked_make(lcp_linked *l, const lcp_scene *s, int sides)
{
    int members = 1 + sides / 2, n, i;
    size_t size = (size_t)1 << 21;
    memset(l, 0, sizeof *l);
    l->c = lcp_linked_rows(s, sides);
    l->block = malloc(size);
    if (!l->block) exit(2);
    memset(l->block, 0xa5, size);
    l->arena = dvci_arena_over(l->block, size);
    n = l->c.n;
    dvci_mcp_carve(&l->mcp, n, &l->arena);
    memcpy(l->mcp.A, l->c.A, (size_t)(n * n) * sizeof(double));
    for (i = 0; i < n; i++) {
        int normal = i % members == 0;
        l->mcp.b[i] = l->c.b[i];
        l->mcp.unit[i] = 1;
        l->mcp.lower[i] = 0;
        l->mcp.owner[i] = normal ? -1 : i - i % members;
        l->mcp.upper[i] = normal ? DVC_INFINITY : s->contact[i / members].friction * sin(LCP_PI / sides);
    }
    l->task.p = &l->mcp;
    l->task.z = dvci_alloc_reals(&l->arena, (size_t)n);
    l->task.w = dvci_alloc_reals(&l->arena, (size_t)n);
    l->task.mode = dvci_alloc_modes(&l->arena, (size_t)n);
    l->task.tolerance = LCP_ACCEPT;
    l->task.arena = &l->arena;
    memset(l->task.z, 0, (size_t)n * sizeof(double));
    memset(l->task.mode, 0, (size_t)n);
}

static void lcp_linked_free(lcp_linked *l)
{
    free(l->block);
    lcp_free(&l->c);
}

/* Writes the friction force (x, y) as beta >= 0 on the two corners beside it. */
static void lcp_to_corners(double x, double y, int sides, double *beta)
{
    double step = 2 * LCP_PI / sides, angle = atan2(y, x), length = sqrt(x * x + y * y);
    int j, k;
    for (j = 0; j < sides; j++) beta[j] = 0;
    if (length == 0) return;
    j = (int)floor((angle < 0 ? angle + 2 * LCP_PI : angle) / step);
    k = (j + 1) % sides;
    angle -= j * step;
    if (sides == 2) { beta[0] = fmax(x, 0); beta[1] = fmax(-x, 0); return; }
    beta[j % sides] = length * sin(step - angle) / sin(step);
    beta[k] = length * sin(angle) / sin(step);
}

/* The literal problem's unknowns for a solution of the linked form; sigma is the slip along the worst corner. */
static void lcp_translate(const lcp_linked *l, int sides, const lcp_case *literal, double *z)
{
    int members = 1 + sides / 2, n = literal->n, i, j;
    for (i = 0; i < n / (sides + 2); i++) {
        const double *from = l->task.z + i * members;
        double *to = z + i * (sides + 2), x = 0, y = 0;
        for (j = 1; j < members; j++) {
            double angle = (2 * j - 1) * LCP_PI / sides + LCP_PI / 2;
            x += from[j] * cos(angle);
            y += from[j] * sin(angle);
        }
        to[0] = from[0];
        lcp_to_corners(x, y, sides, to + 1);
        to[sides + 1] = 0;
    }
    for (i = 0; i < n / (sides + 2); i++) { /* slips need all impulses, and every sigma still 0 */
        double *sigma = z + i * (sides + 2) + sides + 1, worst = 0;
        for (j = 1; j <= sides; j++) worst = fmax(worst, -(lcp_w(literal, z, i * (sides + 2) + j)));
        *sigma = worst;
    }
}

/* Largest |min(z, w)| of the literal problem, unscaled. */
static double lcp_plain_gap(const lcp_case *c, const double *z)
{
    double worst = 0;
    int i;
    for (i = 0; i < c->n; i++) {
        double gap = fabs(fmin(z[i], lcp_w(c, z, i)));
        if (!(gap <= worst)) worst = gap;
    }
    return worst;
}

/* The linked form of the scene in lcp_world by pivoting, with one covering vector after another, or by the whole chain. */
static int lcp_linked_solves(int sides, int by_chain, int covers)
{
    static double z[LCP_LARGE];
    lcp_case literal = lcp_literal(&lcp_world, sides, 0);
    lcp_linked l;
    int cover, ok = 0;
    for (cover = 0; cover < covers && !ok; cover++) {
        lcp_linked_make(&l, &lcp_world, sides);
        ok = (by_chain ? dvci_solve_auto(&l.task) : dvci_solve_pivoting(&l.task, cover)) == DVC_OK;
        if (ok) {
            lcp_translate(&l, sides, &literal, z);
            lcp_expect(lcp_plain_gap(&literal, z) <= 1e-7, "linked rows solve another problem", by_chain ? DVC_AUTO : DVC_LEMKE, &literal);
        }
        CHECK(!l.arena.failed);
        lcp_linked_free(&l);
    }
    lcp_free(&literal);
    return ok;
}

static void lcp_both_linked(int sides, int *pivoting)
{
    lcp_case name = lcp_make(lcp_world.contacts, 0, lcp_world.seed);
    *pivoting += lcp_linked_solves(sides, 0, 1);
    lcp_expect(lcp_linked_solves(sides, 0, 10), "linked rows, ten covering vectors", DVC_LEMKE, &name);
    lcp_expect(lcp_linked_solves(sides, 1, 1), "linked rows", DVC_AUTO, &name);
    lcp_free(&name);
}

static void lcp_unit_vector(double *x, int planar)
{
    double length;
    do {
        x[0] = test_random(-1, 1);
        x[1] = test_random(-1, 1);
        x[2] = planar ? 0 : test_random(-1, 1);
        length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    } while (length < 0.1 || length > 1);
    x[0] /= length;
    x[1] /= length;
    x[2] /= length;
}

static void lcp_cross(const double *a, const double *b, double *out)
{
    int k;
    for (k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Contact i with normal n; planar: the first tangent lies in the plane. */
static void lcp_set_contact(lcp_scene *s, int i, int body_0, const double *arm_0, int body_1, const double *arm_1, const double *n,
                            double gap, double friction)
{
    const double z_axis[3] = { 0, 0, 1 }, x_axis[3] = { 1, 0, 0 };
    double t[3], u[3], length;
    int k;
    lcp_cross(fabs(n[2]) < 0.9 ? z_axis : x_axis, n, t);
    length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (k = 0; k < 3; k++) t[k] /= length;
    lcp_cross(n, t, u);
    s->contact[i].normal = lcp_direction(body_0, arm_0, body_1, arm_1, n);
    s->contact[i].normal.gap = gap;
    s->contact[i].tangent[0] = lcp_direction(body_0, arm_0, body_1, arm_1, t);
    s->contact[i].tangent[1] = lcp_direction(body_0, arm_0, body_1, arm_1, u);
    s->contact[i].friction = friction;
}

/* Up to three bodies in random contact with each other and the ground. */
static void lcp_random_scene(lcp_scene *s, int seed, int planar)
{
    int i, d;
    test_seed((uint64_t)seed + (planar ? 20000 : 30000));
    s->seed = seed;
    s->bodies = 1 + lcp_choice(3);
    s->contacts = 1 + lcp_choice(5);
    for (i = 0; i < s->bodies; i++) {
        double mass = test_random(0.5, 2), inertia = test_random(0.1, 1);
        lcp_set_body(s, i, mass, inertia);
        lcp_set_velocity(s, i, 0, 5, 1);
        for (d = 2; planar && d < 5; d++) s->inverse[i][d] = s->velocity[i][d] = 0;
    }
    for (i = 0; i < s->contacts; i++) {
        double arm_0[3], arm_1[3], n[3], gap = lcp_choice(3) ? 0 : test_random(0, 0.3);
        double friction = lcp_choice(5) ? test_random(0.05, 1.2) : 0;
        int a = lcp_choice(s->bodies), b = lcp_choice(s->bodies + 1) - 1;
        lcp_unit_vector(arm_0, planar);
        lcp_unit_vector(arm_1, planar);
        lcp_unit_vector(n, planar);
        lcp_set_contact(s, i, a, arm_0, a == b ? -1 : b, arm_1, n, gap, friction);
    }
}

/* Boxes of edge 1 on each other, each on the corners of the one below; seen from the side, two contacts each. */
static void lcp_boxes(lcp_scene *s, int seed, int count, int planar)
{
    int k, q, corners = planar ? 2 : 4;
    test_seed((uint64_t)seed + 40000);
    s->seed = seed;
    s->bodies = count;
    s->contacts = count * corners;
    for (k = 0; k < count; k++) {
        double mass = lcp_choice(2) ? 1 : test_random(0.5, 5);
        lcp_set_body(s, k, mass, mass / 6);
        if (lcp_choice(2)) lcp_set_velocity(s, k, 0, lcp_choice(2), 2);
        s->velocity[k][planar ? 1 : 2] = -0.1;
        if (planar) s->inverse[k][2] = s->inverse[k][3] = s->inverse[k][4] = 0;
        for (q = 0; q < corners; q++) {
            double x = q % 2 ? 0.5 : -0.5, y = q / 2 ? 0.5 : -0.5, n[3] = { 0, 0, 0 }, low[3], high[3];
            int d;
            n[planar ? 1 : 2] = 1;
            low[0] = x;
            low[1] = planar ? -0.5 : y;
            low[2] = planar ? 0 : -0.5;
            for (d = 0; d < 3; d++) high[d] = low[d] + n[d];
            lcp_set_contact(s, k * corners + q, k, low, k - 1, high, n, 0, 0.5);
        }
    }
}

static void linked_friction_in_the_plane_solves_the_literal_problem(void)
{
    int seed, pivoting = 0;
    for (seed = 0; seed < 300; seed++) {
        lcp_random_scene(&lcp_world, seed, 1);
        lcp_both_linked(2, &pivoting);
    }
    CHECK(pivoting == 300);
}

static void linked_friction_in_space_solves_the_literal_problem(void)
{
    int seed, pivoting = 0;
    for (seed = 0; seed < 300; seed++) {
        lcp_random_scene(&lcp_world, seed, 0);
        lcp_both_linked(4, &pivoting);
        lcp_both_linked(8, &pivoting);
    }
    CHECK(pivoting == 600);
}

static void small_literal_friction_problems_are_solved(void)
{
    int seed, sides;
    for (seed = 0; seed < 320; seed++)
        for (sides = 2; sides <= 8; sides *= 2) {
            lcp_case c;
            lcp_random_scene(&lcp_world, seed, sides == 2);
            c = lcp_literal(&lcp_world, sides, seed % 2);
            lcp_must_solve(DVC_AUTO, &c);
            lcp_must_solve(DVC_LEMKE, &c);
            lcp_free(&c);
        }
}

/* Aligned boxes: redundant contacts, and exact ties of slips that are 0. */
static void linked_friction_of_stacked_boxes_solves_the_literal_problem(void)
{
    int seed, pivoting = 0;
    for (seed = 0; seed < 60; seed++) {
        lcp_boxes(&lcp_world, seed, 1 + seed % 3, 1);
        lcp_both_linked(2, &pivoting);
        lcp_boxes(&lcp_world, seed, 1 + seed % 3, 0);
        lcp_both_linked(4, &pivoting);
        lcp_both_linked(8, &pivoting);
    }
    CHECK(pivoting == 180);
}


/* ---- famous hard cases ---- */

/* Lower triangular, 1 on the diagonal and 2 below: exponentially many principal pivots in a fixed order. */
static void lcp_murty_matrix(lcp_case *c)
{
    int i, j;
    for (i = 0; i < c->n; i++)
        for (j = 0; j <= i; j++) c->A[i * c->n + j] = i == j ? 1 : 2;
}

static void murtys_example_is_solved(void)
{
    static double z[LCP_LARGE];
    int n, graded, i;
    for (n = 1; n <= 50; n++)
        for (graded = 0; graded < 2; graded++) {
            lcp_case c = lcp_make(n, 0, graded);
            lcp_murty_matrix(&c);
            for (i = 0; i < n; i++) c.b[i] = graded ? -ldexp(2, n) + ldexp(1, n - i) : -1;
            memset(z, 0, sizeof z);
            for (i = 0; i < n; i++) z[i] = fmax(0, -lcp_w(&c, z, i)); /* the rows in turn */
            lcp_must_find(DVC_AUTO, &c, z, 1e-7 * fabs(c.b[0]));
            lcp_must_find(DVC_LEMKE, &c, z, 1e-7 * fabs(c.b[0]));
            lcp_free(&c);
        }
}

/* Its symmetric product with its transpose, b = -1 (the first unknown is 1, the others 0) and -2^(n - i). */
static void fathis_example_is_solved(void)
{
    int n, graded, i, j, k;
    for (n = 1; n <= 50; n++)
        for (graded = 0; graded < 2; graded++) {
            lcp_case c = lcp_make(n, 0, graded), l = lcp_make(n, 0, 0);
            lcp_murty_matrix(&l);
            for (i = 0; i < n; i++) {
                c.b[i] = graded ? -ldexp(1, n - i) : -1;
                for (j = 0; j < n; j++)
                    for (k = 0; k < n; k++) c.A[i * n + j] += l.A[i * n + k] * l.A[j * n + k];
            }
            lcp_must_solve(DVC_AUTO, &c);
            lcp_must_solve(DVC_LEMKE, &c);
            lcp_free(&l);
            lcp_free(&c);
        }
}

/* The discrete Laplacian on a line, or on a square of `side` points. */
static void lcp_laplacian(lcp_case *c, int side)
{
    int n = c->n, i;
    for (i = 0; i < n; i++) {
        c->A[i * n + i] = side ? 4 : 2;
        if (side ? i % side : i) c->A[i * n + i - 1] = c->A[(i - 1) * n + i] = -1;
        if (side && i >= side) c->A[i * n + i - side] = c->A[(i - side) * n + i] = -1;
    }
}

/* Whole numbers, all ties exact: a membrane that bulges in places, is pressed down in others, and just touches between. */
static void lcp_obstacle(lcp_case *c, int period, double *z)
{
    int n = c->n, i, j;
    for (i = 0; i < n; i++) {
        int phase = i / period % 3;
        z[i] = phase == 0 ? 1 + i % period % 4 : 0;
        c->b[i] = phase == 1 ? 1 + i % 3 : 0;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) c->b[i] -= c->A[i * n + j] * z[j];
}

static void degenerate_obstacle_problems_are_solved(void)
{
    static const int sizes[] = { 5, 17, 50, 120, 200 }, sides[] = { 3, 6, 10, 14 };
    static double z[LCP_LARGE];
    int k, period;
    for (k = 0; k < 9; k++)
        for (period = 2; period < 30; period += 5) {
            int side = k < 5 ? 0 : sides[k - 5];
            lcp_case c = lcp_make(side ? side * side : sizes[k], 0, period);
            lcp_laplacian(&c, side);
            lcp_obstacle(&c, period, z);
            lcp_must_find(DVC_AUTO, &c, z, 1e-6);
            lcp_must_find(DVC_LEMKE, &c, z, 1e-6);
            if (c.n <= 50) lcp_must_find(DVC_PSOR, &c, z, 1e-5);
            lcp_free(&c);
        }
}

/* A flat membrane under an even load: nothing but ties. */
static void evenly_loaded_membranes_are_solved(void)
{
    int side, i, load;
    for (side = 2; side <= 12; side += 2)
        for (load = -1; load <= 1; load++) {
            lcp_case c = lcp_make(side * side, 0, load);
            lcp_laplacian(&c, side);
            for (i = 0; i < c.n; i++) c.b[i] = load;
            lcp_must_solve(DVC_AUTO, &c);
            lcp_must_solve(DVC_LEMKE, &c);
            lcp_free(&c);
        }
}

/* ---- stacks ---- */

/* Random boxes on each other, somewhat off centre, each sliding its own way; four contacts each, at the corners of the
 * area in common. One step of h = 0.01 under gravity. The topmost is `ratio` times as heavy as the others. */
static void lcp_stack(lcp_scene *s, int count, int seed, double ratio)
{
    double half[2] = { 5, 5 }, at[2] = { 0, 0 }, thickness = 0;
    int k, q, a;
    test_seed((uint64_t)seed + 50000);
    s->seed = seed;
    s->bodies = count;
    s->contacts = 4 * count;
    for (k = 0; k < count; k++) {
        double new_half[2], new_at[2], height = test_random(0.3, 0.6), mass = test_random(0.5, 2) * (k == count - 1 ? ratio : 1);
        for (a = 0; a < 2; a++) {
            new_half[a] = test_random(0.4, 0.6);
            new_at[a] = test_random(-0.1, 0.1);
        }
        lcp_set_body(s, k, mass, mass * 0.15);
        lcp_set_velocity(s, k, 0, 1, 2);
        s->velocity[k][2] = -0.0981;
        for (q = 0; q < 4; q++) {
            double low[3], high[3];
            const double n[3] = { 0, 0, 1 };
            for (a = 0; a < 2; a++) {
                int right = a ? q / 2 : q % 2;
                double edge = right ? fmin(at[a] + half[a], new_at[a] + new_half[a]) : fmax(at[a] - half[a], new_at[a] - new_half[a]);
                low[a] = edge - new_at[a];
                high[a] = edge - at[a];
            }
            low[2] = -height;
            high[2] = thickness;
            lcp_set_contact(s, 4 * k + q, k, low, k - 1, high, n, 0, 0.1 + 0.05 * (seed % 15));
        }
        memcpy(half, new_half, sizeof half);
        memcpy(at, new_at, sizeof at);
        thickness = height;
    }
}

/* 20 variants of a stack by DVC_AUTO. */
static void lcp_stacks(int count, int sides, double ratio)
{
    int seed;
    for (seed = 0; seed < 20; seed++) {
        lcp_case c;
        lcp_stack(&lcp_world, count, seed, ratio);
        c = lcp_literal(&lcp_world, sides, seed % 2);
        lcp_must_solve(DVC_AUTO, &c);
        lcp_free(&c);
    }
}

static void stacks_with_friction_are_solved_20_of_20(void)
{
    static const int counts[] = { 1, 2, 4, 8, 12 };
    int k;
    for (k = 0; k < 5; k++) lcp_stacks(counts[k], 4, 1);
}

static void stacks_without_friction_are_solved_20_of_20(void)
{
    static const int counts[] = { 1, 2, 5, 10, 25, 50, 75 };
    int k;
    for (k = 0; k < 7; k++) lcp_stacks(counts[k], 0, 1);
}

static void stacks_under_a_box_10000_times_as_heavy_are_solved(void)
{
    int count;
    for (count = 1; count <= 6; count++) {
        lcp_stacks(count, 4, 1e4);
        lcp_stacks(count, 0, 1e4);
    }
}

static void stacks_under_a_box_10000_times_as_light_are_solved(void)
{
    int count;
    for (count = 1; count <= 6; count++) {
        lcp_stacks(count, 4, 1e-4);
        lcp_stacks(count, 0, 1e-4);
    }
}

/* How many of 20 are solved under a box a million times as heavy. The scale is the speed 1: in units of the largest |b|,
 * which may be that of one step's fall, rounding alone exceeds the tolerance, since velocities of 1e5 cancel. */
static int lcp_heavy_stacks(int count, int sides)
{
    static double z[LCP_LARGE];
    int seed, solved = 0;
    for (seed = 0; seed < 20; seed++) {
        lcp_case c;
        dvc_lcp_options options;
        memset(&options, 0, sizeof options);
        options.scale = 1;
        lcp_stack(&lcp_world, count, seed, 1e6);
        c = lcp_literal(&lcp_world, sides, seed % 2);
        memset(z, 0, sizeof z);
        if (lcp_run(DVC_AUTO, &c, &options, z).status == DVC_OK) {
            solved++;
            lcp_expect(lcp_judge(&c, z, 1) <= LCP_ACCEPT + lcp_rounding(&c, z, 1), "claims a solution that is none", DVC_AUTO, &c);
        }
        lcp_free(&c);
    }
    return solved;
}

/* With friction, three and four boxes are at the end of what double arithmetic allows: a plain Lemke solves none. */
static void stacks_under_a_box_a_million_times_as_heavy_are_solved(void)
{
    int count;
    for (count = 1; count <= 6; count++) CHECK(lcp_heavy_stacks(count, 0) == 20);
    CHECK(lcp_heavy_stacks(1, 4) == 20);
    CHECK(lcp_heavy_stacks(2, 4) == 20);
    CHECK(lcp_heavy_stacks(3, 4) >= 15);
    CHECK(lcp_heavy_stacks(4, 4) >= 15);
}

/* The linked form of the same stacks, as the step solves them. */
static void stacks_with_linked_friction_are_solved(void)
{
    static const double ratios[] = { 1, 1e-4, 1e4 };
    int count, seed, r;
    for (count = 1; count <= 8; count++)
        for (seed = 0; seed < 20; seed++)
            for (r = 0; r < 3; r++) {
                lcp_case name = lcp_make(count, 0, seed);
                lcp_stack(&lcp_world, count, seed, ratios[r]);
                lcp_expect(lcp_linked_solves(seed % 2 ? 4 : 8, 1, 1), "linked rows of a stack", DVC_AUTO, &name);
                lcp_free(&name);
            }
}

/* Pivoting would do as well, at several times the cost. */
static void most_stacks_are_solved_at_the_first_attempt(void)
{
    static double z[LCP_LARGE];
    int count, seed;
    for (count = 1; count <= 10; count++) {
        int plain = 0, linked = 0;
        for (seed = 0; seed < 20; seed++) {
            lcp_linked l;
            lcp_case c;
            dvc_lcp_report report;
            lcp_stack(&lcp_world, count, seed, 1);
            c = lcp_literal(&lcp_world, 0, 0);
            memset(z, 0, sizeof z);
            report = lcp_run(DVC_AUTO, &c, NULL, z);
            plain += report.status == DVC_OK && report.attempts == 1 && report.solved_by == DVC_MINMAP_NEWTON;
            lcp_linked_make(&l, &lcp_world, 4);
            linked += count <= 3 && dvci_solve_auto(&l.task) == DVC_OK && l.task.attempts == 1;
            lcp_linked_free(&l);
            lcp_free(&c);
        }
        CHECK(plain >= 18);
        CHECK(linked >= 17 || count > 3);
    }
}

/* ---- size and scale ---- */

static void random_problems_up_to_300_rows_are_solved(void)
{
    static const int sizes[] = { 20, 60, 120, 200, 300 };
    int k, rank_of, seed;
    for (k = 0; k < 5; k++)
        for (rank_of = 1; rank_of <= 3; rank_of++)
            for (seed = 0; seed < (sizes[k] > 150 ? 2 : 6); seed++) {
                lcp_case c = lcp_make(sizes[k], 0, 100 * rank_of + seed);
                test_seed((uint64_t)(60000 + sizes[k] + 1000 * rank_of + 100 * seed));
                lcp_gram(&c, (c.n + rank_of - 1) / rank_of, rank_of == 1 ? 0.01 : 0);
                if (rank_of == 1) lcp_random_b(&c);
                else lcp_plant(&c, 0);
                lcp_must_solve(DVC_AUTO, &c);
                lcp_free(&c);
            }
}

/* As if all masses were 1 / unit: matrix times unit, impulses divided by it, velocities as they were. */
static void masses_may_have_any_unit(void)
{
    static const double units[] = { 1e9, 1e-6 };
    static double z[LCP_LARGE], scaled_z[LCP_LARGE];
    int seed, u, m, i;
    for (seed = 0; seed < 30; seed++)
        for (u = 0; u < 2; u++) {
            lcp_case c = lcp_make(2 + seed % 20, 0, seed), scaled = lcp_make(c.n, 0, seed);
            test_seed((uint64_t)seed + 70000);
            lcp_gram(&c, c.n, 0.3);
            lcp_random_b(&c);
            for (i = 0; i < c.n * c.n; i++) scaled.A[i] = c.A[i] * units[u];
            for (i = 0; i < c.n; i++) scaled.b[i] = c.b[i];
            for (m = 0; m < DVC_SOLVER_COUNT; m++) {
                int ok = lcp_solves((dvc_solver)m, &c, z), scaled_ok = lcp_solves((dvc_solver)m, &scaled, scaled_z);
                if (m != DVC_JACOBI && m != DVC_MINMAP_NEWTON) lcp_expect(ok, "does not solve", (dvc_solver)m, &c);
                lcp_expect(ok == scaled_ok, "status depends on the unit", (dvc_solver)m, &c);
                for (i = 0; i < c.n; i++) scaled_z[i] *= units[u];
                if (ok && scaled_ok) lcp_expect(lcp_distance(c.n, z, scaled_z) <= 1e-6, "z depends on the unit", (dvc_solver)m, &c);
            }
            lcp_free(&scaled);
            lcp_free(&c);
        }
}

/* The same for the literal friction problem, whose zero diagonals have units of their own. */
static void friction_problems_may_have_any_unit(void)
{
    static const double units[] = { 1, 1e9, 1e-6 };
    static double z[LCP_LARGE];
    int seed, u, k, d;
    for (seed = 0; seed < 20; seed++)
        for (u = 0; u < 3; u++) {
            lcp_case c;
            dvc_lcp_options options;
            double wrong;
            memset(&options, 0, sizeof options);
            options.scale = 1;
            lcp_stack(&lcp_world, 1 + seed % 4, seed, 1);
            for (k = 0; k < lcp_world.bodies; k++)
                for (d = 0; d < 6; d++) lcp_world.inverse[k][d] *= units[u];
            c = lcp_literal(&lcp_world, 4, 0);
            lcp_expect(lcp_solves(DVC_AUTO, &c, z), "does not solve", DVC_AUTO, &c);
            z[0] += 1e-3 / c.A[0]; /* an impulse too much, by 1 mm/s */
            wrong = lcp_library_residual(&c, &options, z);
            CHECK(wrong >= 2e-4 && wrong <= 5e-3);
            CHECK_NEAR(wrong, lcp_judge(&c, z, 1), 1e-9);
            lcp_free(&c);
        }
}

/* Columns by powers of ten: an unknown's own unit must not matter. */
static void each_unknown_may_have_its_own_unit(void)
{
    static double z[LCP_LARGE], mixed_z[LCP_LARGE], unit[LCP_LARGE];
    int seed, i, j;
    for (seed = 0; seed < 60; seed++) {
        lcp_case c = lcp_make(2 + seed % 20, 0, seed), mixed = lcp_make(c.n, 0, seed);
        test_seed((uint64_t)seed + 80000);
        lcp_m_matrix(&c);
        lcp_random_b(&c);
        for (i = 0; i < c.n; i++) unit[i] = pow(10, lcp_choice(13) - 6);
        for (i = 0; i < c.n; i++) {
            mixed.b[i] = c.b[i];
            for (j = 0; j < c.n; j++) mixed.A[i * c.n + j] = c.A[i * c.n + j] * unit[j];
        }
        lcp_expect(lcp_solves(DVC_AUTO, &c, z), "does not solve", DVC_AUTO, &c);
        lcp_expect(lcp_solves(DVC_AUTO, &mixed, mixed_z), "does not solve", DVC_AUTO, &mixed);
        lcp_must_solve(DVC_LEMKE, &mixed);
        for (i = 0; i < c.n; i++) mixed_z[i] *= unit[i];
        CHECK_NEAR(lcp_distance(c.n, z, mixed_z), 0, 1e-6);
        lcp_free(&mixed);
        lcp_free(&c);
    }
}

/* Rows and columns by the same powers of ten, as if each velocity and its impulse had a unit of its own. */
static void rows_and_columns_may_have_units_of_their_own(void)
{
    static double unit[LCP_LARGE];
    int seed, i, j;
    for (seed = 0; seed < 60; seed++) {
        lcp_case c = lcp_make(2 + seed % 20, 0, seed);
        test_seed((uint64_t)seed + 85000);
        lcp_gram(&c, c.n, 0.3);
        lcp_random_b(&c);
        for (i = 0; i < c.n; i++) unit[i] = pow(10, lcp_choice(7) - 3);
        for (i = 0; i < c.n; i++) {
            c.b[i] *= unit[i];
            for (j = 0; j < c.n; j++) c.A[i * c.n + j] *= unit[i] * unit[j];
        }
        lcp_must_solve(DVC_AUTO, &c);
        lcp_must_solve(DVC_LEMKE, &c);
        lcp_free(&c);
    }
}

static void b_may_have_any_unit(void)
{
    static const double units[] = { 1e-12, 1e-6, 1e6, 1e12 };
    static double z[LCP_LARGE], scaled_z[LCP_LARGE];
    int seed, u, i;
    for (seed = 0; seed < 40; seed++) {
        lcp_case c = lcp_make(2 + seed % 20, 0, seed);
        test_seed((uint64_t)seed + 90000);
        lcp_gram(&c, c.n, 0.3);
        lcp_random_b(&c);
        CHECK(lcp_solves(DVC_AUTO, &c, z));
        for (u = 0; u < 4; u++) {
            for (i = 0; i < c.n; i++) c.b[i] *= units[u];
            CHECK(lcp_solves(DVC_AUTO, &c, scaled_z));
            for (i = 0; i < c.n; i++) { c.b[i] /= units[u]; scaled_z[i] /= units[u]; }
            CHECK_NEAR(lcp_distance(c.n, z, scaled_z), 0, 1e-6);
        }
        lcp_free(&c);
    }
}

/* ---- what a method says when it cannot ---- */

/* A small problem that all methods solve, to be spoilt. */
static lcp_case lcp_tame(int n)
{
    lcp_case c = lcp_make(n, 0, n);
    test_seed((uint64_t)n + 100000);
    lcp_m_matrix(&c);
    lcp_random_b(&c);
    c.b[0] = -1;
    return c;
}

static dvc_status lcp_status(dvc_solver method, const lcp_case *c, int max_iterations)
{
    double z[LCP_SMALL] = { 0 };
    dvc_lcp_options options;
    dvc_lcp_report report;
    memset(&options, 0, sizeof options);
    options.max_iterations = max_iterations;
    report = lcp_run(method, c, &options, z);
    if (report.status == DVC_OK) lcp_expect(lcp_accepts(c, z), "claims a solution", method, c);
    return report.status;
}

/* Every pointer that is needed, one at a time. */
static void missing_pointers_are_an_input_error(void)
{
    static unsigned char scratch[1 << 16];
    lcp_case c = lcp_tame(3);
    double z[3] = { 7, 8, 9 };
    int m, spoilt;
    for (m = 0; m < DVC_SOLVER_COUNT; m++)
        for (spoilt = 0; spoilt < 5; spoilt++) {
            dvc_lcp lcp = lcp_view(&c);
            dvc_lcp_report report;
            if (spoilt == 1) lcp.A = NULL;
            if (spoilt == 2) lcp.b = NULL;
            if (spoilt == 4) lcp.n = -1;
            report = dvc_lcp_solve((dvc_solver)m, spoilt == 0 ? NULL : &lcp, NULL, spoilt == 3 ? NULL : z, scratch, sizeof scratch);
            CHECK(report.status == DVC_ERROR_LCP_INPUT);
            CHECK(report.residual >= DVC_INFINITY);
            CHECK(z[0] == 7 && z[1] == 8 && z[2] == 9);
        }
    lcp_free(&c);
}

static void numbers_that_are_not_finite_are_an_input_error(void)
{
    const double bad[] = { NAN, INFINITY, -INFINITY };
    lcp_case c = lcp_tame(4);
    int m, k;
    for (m = 0; m < DVC_SOLVER_COUNT; m++)
        for (k = 0; k < 3; k++) {
            double keep = c.A[7];
            c.A[7] = bad[k];
            CHECK(lcp_status((dvc_solver)m, &c, 0) == DVC_ERROR_LCP_INPUT);
            c.A[7] = keep;
            keep = c.b[3];
            c.b[3] = bad[k];
            CHECK(lcp_status((dvc_solver)m, &c, 0) == DVC_ERROR_LCP_INPUT);
            c.b[3] = keep;
        }
    lcp_free(&c);
}

static void crossed_bounds_are_an_input_error(void)
{
    const double low[] = { 1, NAN, 0, DVC_INFINITY, -DVC_INFINITY, INFINITY };
    const double high[] = { 0.5, 1, NAN, DVC_INFINITY, -DVC_INFINITY, INFINITY };
    lcp_case c = lcp_tame(4);
    int m, k;
    c.lower = lcp_reals(4);
    c.upper = lcp_reals(4);
    for (k = 0; k < 4; k++) c.upper[k] = DVC_INFINITY;
    for (m = 0; m < DVC_SOLVER_COUNT; m++)
        for (k = 0; k < 6; k++) {
            c.lower[2] = low[k];
            c.upper[2] = high[k];
            CHECK(lcp_status((dvc_solver)m, &c, 0) == DVC_ERROR_LCP_INPUT);
        }
    lcp_free(&c);
}

/* Options and the method's number are looked at; so is the size, before anything is laid out for it. */
static void options_and_methods_that_are_none_are_an_input_error(void)
{
    static unsigned char scratch[1 << 16];
    const double bad[] = { NAN, INFINITY, -INFINITY, -1 };
    const int methods[] = { -1, DVC_SOLVER_COUNT, 99, 1 << 30 };
    lcp_case c = lcp_tame(4);
    dvc_lcp lcp;
    double z[4] = { 5, 6, 7, 8 };
    int m, k, what;
    memset(&lcp, 0, sizeof lcp);
    lcp.n = 4;
    lcp.A = c.A;
    lcp.b = c.b;
    for (m = 0; m < DVC_SOLVER_COUNT; m++)
        for (k = 0; k < 4; k++)
            for (what = 0; what < 4; what++) {
                dvc_lcp_options options;
                dvc_lcp_report report;
                memset(&options, 0, sizeof options);
                if (what == 0) options.tolerance = bad[k];
                if (what == 1) options.scale = bad[k];
                if (what == 2) options.relaxation = k == 3 ? 2 : bad[k];
                if (what == 3) options.max_iterations = k % 2 ? -1 : -2147483647 - 1;
                report = dvc_lcp_solve((dvc_solver)m, &lcp, &options, z, scratch, sizeof scratch);
                CHECK(report.status == DVC_ERROR_LCP_INPUT && report.residual >= DVC_INFINITY && z[0] == 5);
                CHECK(dvc_lcp_residual(&lcp, &options, z, scratch, sizeof scratch) >= DVC_INFINITY);
            }
    for (k = 0; k < 4; k++) {
        CHECK(dvc_lcp_solve((dvc_solver)methods[k], &lcp, NULL, z, scratch, sizeof scratch).status == DVC_ERROR_LCP_INPUT);
        CHECK(dvc_lcp_scratch_size((dvc_solver)methods[k], 4) == 0);
    }
    for (k = 0; k < 3; k++) {
        lcp.n = k == 0 ? 2147483647 : k == 1 ? 1 << 30 : (1 << 26) + 1;
        CHECK(dvc_lcp_solve(DVC_AUTO, &lcp, NULL, z, scratch, sizeof scratch).status == DVC_ERROR_LCP_INPUT);
        CHECK(dvc_lcp_scratch_size(DVC_AUTO, lcp.n) == 0 && dvc_lcp_scratch_size(DVC_LEMKE, -lcp.n) == 0);
    }
    lcp_free(&c);
}

/* Whatever scaling does to numbers at the ends of the range: what is told is the residual of what is given back. */
static void the_residual_told_is_that_of_the_solution_given(void)
{
    static unsigned char scratch[1 << 16];
    static const double ends[] = { 4.9e-324, 1e-308, 1e-200, 1, 1e200, 1e308 };
    int seed, m;
    for (seed = 0; seed < 400; seed++) {
        double A[9], b[3], z[3];
        dvc_lcp_options options;
        dvc_lcp lcp;
        int i;
        test_seed((uint64_t)seed + 4100);
        memset(&options, 0, sizeof options);
        memset(&lcp, 0, sizeof lcp);
        for (i = 0; i < 9; i++) A[i] = test_random(-1, 1) * (seed % 3 ? 1 : ends[test_random_bits() % 6]);
        for (i = 0; i < 3; i++) b[i] = test_random(-1, 1) * ends[test_random_bits() % 6];
        for (i = 0; i < 3; i++) A[4 * i] = fabs(A[4 * i]) + 1e-3;
        if (seed % 2) options.scale = ends[test_random_bits() % 6];
        lcp.n = 3;
        lcp.A = A;
        lcp.b = b;
        for (m = 0; m < DVC_SOLVER_COUNT; m++) {
            dvc_lcp_report report;
            double again;
            z[0] = z[1] = z[2] = 0;
            report = dvc_lcp_solve((dvc_solver)m, &lcp, &options, z, scratch, sizeof scratch);
            again = dvc_lcp_residual(&lcp, &options, z, scratch, sizeof scratch);
            CHECK(report.residual == again || report.status == DVC_ERROR_LCP_DIAGONAL);
            CHECK(report.status != DVC_OK || report.residual <= 1e-9);
        }
    }
}

static void a_solution_that_is_no_number_has_no_residual(void)
{
    static unsigned char scratch[1 << 16];
    lcp_case c = lcp_tame(4);
    const double bad[] = { NAN, INFINITY, -INFINITY };
    double z[4] = { 0, 0, 0, 0 };
    dvc_lcp lcp;
    int k;
    memset(&lcp, 0, sizeof lcp);
    lcp.n = 4;
    lcp.A = c.A;
    lcp.b = c.b;
    for (k = 0; k < 3; k++) {
        z[k] = bad[k];
        CHECK(dvc_lcp_residual(&lcp, NULL, z, scratch, sizeof scratch) >= DVC_INFINITY);
        z[k] = 0;
    }
    lcp_free(&c);
}

static void infinite_bounds_count_as_none(void)
{
    lcp_case c = lcp_tame(4), d = lcp_tame(4);
    double z[4], expected[4];
    int m, k;
    c.lower = lcp_reals(4);
    c.upper = lcp_reals(4);
    for (k = 0; k < 4; k++) c.upper[k] = INFINITY;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        CHECK(lcp_solves((dvc_solver)m, &d, expected));
        CHECK(lcp_solves((dvc_solver)m, &c, z));
        CHECK(lcp_distance(4, z, expected) == 0);
    }
    lcp_free(&c);
    lcp_free(&d);
}

static void a_diagonal_of_zero_stops_the_methods_that_divide_by_it(void)
{
    const unsigned dividing = LCP_BIT(DVC_PGS) | LCP_BIT(DVC_PSOR) | LCP_BIT(DVC_JACOBI) | LCP_BIT(DVC_MINMAP_NEWTON);
    lcp_case c = lcp_make(2, 0, 0);
    int m, negative;
    for (negative = 0; negative < 2; negative++)
        for (m = 0; m < DVC_SOLVER_COUNT; m++) {
            dvc_status status;
            c.A[0] = 1;
            c.A[1] = 2;
            c.A[2] = -2;
            c.A[3] = negative ? -1e-3 : 0;
            c.b[0] = -1;
            c.b[1] = 1;
            status = lcp_status((dvc_solver)m, &c, 0);
            if (dividing & LCP_BIT(m)) CHECK(status == DVC_ERROR_LCP_DIAGONAL);
            else CHECK(status != DVC_ERROR_LCP_DIAGONAL);
            if (m == DVC_AUTO || m == DVC_LEMKE) CHECK(status == DVC_OK);
        }
    lcp_free(&c);
}

static void the_iteration_limit_is_kept_and_named(void)
{
    lcp_case c = lcp_tame(8);
    int m;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        static double z[8];
        dvc_lcp_options options;
        dvc_lcp_report report;
        if (m == DVC_AUTO || m == DVC_MINMAP_NEWTON) continue; /* may well be done in one */
        memset(z, 0, sizeof z);
        memset(&options, 0, sizeof options);
        options.max_iterations = 1;
        report = lcp_run((dvc_solver)m, &c, &options, z);
        lcp_expect(report.status == DVC_ERROR_LCP_LIMIT, "is not at its limit", (dvc_solver)m, &c);
        lcp_expect(report.iterations == 1, "goes past its limit", (dvc_solver)m, &c);
        lcp_expect(fabs(report.residual - lcp_judge(&c, z, 0)) <= 1e-12, "reports a wrong residual", (dvc_solver)m, &c);
        lcp_expect(lcp_judge(&c, z, 0) > LCP_ACCEPT, "has solved it", (dvc_solver)m, &c);
    }
    lcp_free(&c);
}

static void the_smallest_infeasible_problems_are_called_so(void)
{
    const double A[] = { -1, 0 };
    lcp_case c = lcp_make(1, 0, 0);
    int m, k;
    c.b[0] = -1;
    for (k = 0; k < 2; k++)
        for (m = 0; m < DVC_SOLVER_COUNT; m++) {
            dvc_status status;
            c.A[0] = A[k];
            status = lcp_status((dvc_solver)m, &c, 0);
            lcp_expect(status != DVC_OK, "solves the impossible", (dvc_solver)m, &c);
            if (m == DVC_AUTO || m == DVC_LEMKE) lcp_expect(status == DVC_ERROR_LCP_INFEASIBLE, "does not say so", (dvc_solver)m, &c);
        }
    lcp_free(&c);
}

/* Two rows that pull against each other, by a matrix that is not semidefinite: no row alone proves it. */
static void what_is_called_infeasible_has_no_solution(void)
{
    int seed;
    for (seed = 0; seed < 300; seed++) {
        lcp_case c = lcp_make(1 + seed % 4, 0, seed);
        double z[LCP_SMALL];
        int i, m, several;
        test_seed((uint64_t)seed + 110000);
        for (i = 0; i < c.n * c.n; i++) c.A[i] = lcp_choice(5) - 2;
        for (i = 0; i < c.n; i++) c.b[i] = lcp_choice(5) - 2;
        for (m = 0; m < DVC_SOLVER_COUNT; m++)
            if (lcp_status((dvc_solver)m, &c, 0) == DVC_ERROR_LCP_INFEASIBLE)
                lcp_expect(!lcp_enumerate(&c, z, &several), "calls infeasible what has a solution", (dvc_solver)m, &c);
        lcp_free(&c);
    }
}

static void nothing_to_solve_is_solved(void)
{
    dvc_lcp lcp;
    int m;
    memset(&lcp, 0, sizeof lcp);
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        static unsigned char scratch[4096];
        size_t size = dvc_lcp_scratch_size((dvc_solver)m, 0);
        dvc_lcp_report report;
        CHECK(size <= sizeof scratch);
        report = dvc_lcp_solve((dvc_solver)m, &lcp, NULL, NULL, scratch, size);
        CHECK(report.status == DVC_OK);
        CHECK(report.residual == 0);
    }
}

static void already_solved_problems_stay_solved(void)
{
    lcp_case c = lcp_make(5, 0, 0);
    double z[5];
    int m, i;
    for (i = 0; i < 5; i++) c.A[6 * i] = 1;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) /* b = 0: z = 0 */
        CHECK(lcp_solves((dvc_solver)m, &c, z) && fabs(z[0]) + fabs(z[4]) <= 1e-8);
    for (i = 0; i < 5; i++) c.b[i] = i + 1;
    for (m = 0; m < DVC_SOLVER_COUNT; m++)
        CHECK(lcp_solves((dvc_solver)m, &c, z) && fabs(z[0]) + fabs(z[4]) <= 1e-7);
    lcp_free(&c);
}

static dvc_lcp_report lcp_from(dvc_solver method, const lcp_case *c, double tolerance, double *z)
{
    dvc_lcp_options options;
    memset(&options, 0, sizeof options);
    options.tolerance = tolerance;
    options.max_iterations = 100000;
    return lcp_run(method, c, &options, z);
}

static void iterative_methods_start_from_z_and_stop_at_the_tolerance(void)
{
    static const dvc_solver methods[] = { DVC_PGS, DVC_PSOR, DVC_JACOBI, DVC_PROX, DVC_FISCHER_NEWTON };
    lcp_case c = lcp_tame(10);
    int k;
    for (k = 0; k < 5; k++) {
        double z[10] = { 0 }, rough[10] = { 0 };
        int cold = lcp_from(methods[k], &c, 1e-12, z).iterations, warm, early;
        warm = lcp_from(methods[k], &c, 1e-10, z).iterations;
        early = lcp_from(methods[k], &c, 1e-2, rough).iterations;
        lcp_expect(warm <= 3 && cold > 4, "does not use its start", methods[k], &c);
        lcp_expect(early < cold, "does not stop", methods[k], &c);
        lcp_expect(lcp_judge(&c, rough, 0) <= 1e-2 && lcp_judge(&c, z, 0) <= 1e-10, "is not there yet", methods[k], &c);
    }
    lcp_free(&c);
}

static void tight_tolerances_are_reached(void)
{
    int seed;
    for (seed = 0; seed < 40; seed++) {
        lcp_case c = lcp_make(2 + seed, 0, seed);
        static double z[LCP_LARGE];
        test_seed((uint64_t)seed + 115000);
        lcp_gram(&c, c.n, 0.3);
        lcp_random_b(&c);
        memset(z, 0, sizeof z);
        lcp_expect(lcp_from(DVC_AUTO, &c, 1e-12, z).status == DVC_OK, "does not solve", DVC_AUTO, &c);
        CHECK(lcp_judge(&c, z, 0) <= 1.1e-12);
        lcp_free(&c);
    }
}

/* ---- memory ---- */

static void the_documented_scratch_suffices_at_every_alignment_and_one_byte_less_does_not(void)
{
    static const int sizes[] = { 1, 2, 5, 12 };
    int k, m, offset, i;
    for (k = 0; k < 4; k++)
        for (m = 0; m < DVC_SOLVER_COUNT; m++) {
            lcp_case c = lcp_tame(sizes[k]);
            dvc_lcp lcp = lcp_view(&c);
            size_t size = dvc_lcp_scratch_size((dvc_solver)m, c.n);
            unsigned char *block = (unsigned char *)malloc(size + 32);
            if (!block) exit(2);
            for (offset = 0; offset < 16; offset++) {
                double z[LCP_SMALL] = { 0 };
                size_t start = (size_t)offset + (16 - (uintptr_t)block % 16) % 16;
                memset(block, 0xff - offset, size + 32);
                lcp_expect(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, block + start, size).status == DVC_OK, "needs more scratch", (dvc_solver)m, &c);
                lcp_expect(lcp_accepts(&c, z), "is wrong there", (dvc_solver)m, &c);
                for (i = 0; i < c.n; i++) z[i] = 3 + i;
                lcp_expect(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, block + start, size - 1).status == DVC_ERROR_SCRATCH, "does with less", (dvc_solver)m, &c);
                for (i = 0; i < c.n; i++) CHECK(z[i] == 3 + i);
            }
            free(block);
            lcp_free(&c);
        }
}

static void no_byte_outside_the_scratch_is_written(void)
{
    int m, i;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        lcp_case c = lcp_tame(9);
        dvc_lcp lcp = lcp_view(&c);
        size_t size = dvc_lcp_scratch_size((dvc_solver)m, c.n), k;
        unsigned char *block = (unsigned char *)malloc(size + 128);
        double z[10] = { 0 };
        if (!block) exit(2);
        memset(block, 0x5a, size + 128);
        z[9] = 42;
        CHECK(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, block + 64, size).status == DVC_OK);
        for (k = 0; k < 64; k++) CHECK(block[k] == 0x5a && block[size + 127 - k] == 0x5a);
        CHECK(z[9] == 42);
        for (i = 0; i < 9; i++) CHECK(fabs(z[i]) < 1e3);
        free(block);
        lcp_free(&c);
    }
}

static void no_scratch_at_all_is_an_error(void)
{
    unsigned char few[8];
    lcp_case c = lcp_tame(2);
    dvc_lcp lcp = lcp_view(&c);
    double z[2] = { 1, 2 };
    int m;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        CHECK(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, NULL, 0).status == DVC_ERROR_SCRATCH);
        CHECK(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, NULL, 1 << 20).status == DVC_ERROR_SCRATCH);
        CHECK(dvc_lcp_solve((dvc_solver)m, &lcp, NULL, z, few, sizeof few).status == DVC_ERROR_SCRATCH);
        CHECK(z[0] == 1 && z[1] == 2);
    }
    CHECK(dvc_lcp_residual(&lcp, NULL, z, few, sizeof few) >= DVC_INFINITY);
    lcp_free(&c);
}

/* Same input, other garbage in the scratch, another alignment: the same bits. */
static void lcp_same_bits(dvc_solver method, const lcp_case *c)
{
    static double z[2][LCP_LARGE];
    dvc_lcp lcp = lcp_view(c);
    dvc_lcp_report report[2];
    size_t size = dvc_lcp_scratch_size(method, c->n);
    unsigned char *block = (unsigned char *)malloc(size + 16);
    int run;
    if (!block) exit(2);
    for (run = 0; run < 2; run++) {
        memset(z[run], 0, (size_t)c->n * sizeof(double));
        memset(block, run ? 0xff : 0x3f, size + 16); /* not a number, and numbers of everyday size */
        report[run] = dvc_lcp_solve(method, &lcp, NULL, z[run], block + 5 * run, size);
    }
    lcp_expect(memcmp(z[0], z[1], (size_t)c->n * sizeof(double)) == 0, "depends on the scratch", method, c);
    lcp_expect(report[0].status == report[1].status && report[0].iterations == report[1].iterations, "depends on the scratch", method, c);
    lcp_expect(memcmp(&report[0].residual, &report[1].residual, sizeof(double)) == 0, "depends on the scratch", method, c);
    free(block);
}

static void the_same_input_gives_the_same_bits(void)
{
    int seed, m;
    for (seed = 0; seed < 8; seed++)
        for (m = 0; m < DVC_SOLVER_COUNT; m++) {
            lcp_case c;
            lcp_stack(&lcp_world, 1 + seed % 4, seed, 1);
            c = lcp_literal(&lcp_world, seed % 2 ? 4 : 0, 0);
            lcp_same_bits((dvc_solver)m, &c);
            lcp_free(&c);
            c = lcp_tame(4 + seed);
            lcp_same_bits((dvc_solver)m, &c);
            lcp_free(&c);
        }
}

/* ---- the judge of the library ---- */

static void the_residual_is_what_the_comment_says(void)
{
    double z[LCP_SMALL];
    int seed, i;
    for (seed = 0; seed < 300; seed++) {
        lcp_case c = lcp_make(1 + seed % LCP_SMALL, seed % 2, seed);
        dvc_lcp_options options;
        double scale = seed % 3 == 0 ? 4 : 0;
        memset(&options, 0, sizeof options);
        options.scale = scale;
        test_seed((uint64_t)seed + 120000);
        for (i = 0; i < c.n * c.n; i++) c.A[i] = lcp_choice(4) ? test_random(-100, 100) : 0;
        if (seed % 2) lcp_random_bounds(&c);
        lcp_random_b(&c);
        for (i = 0; i < c.n; i++) z[i] = test_random(-1, 1);
        CHECK_NEAR(lcp_library_residual(&c, &options, z), lcp_judge(&c, z, scale), 1e-12 * lcp_judge(&c, z, scale));
        lcp_free(&c);
    }
}

static void a_wrong_z_gets_a_large_residual(void)
{
    static double z[LCP_LARGE];
    int seed, i;
    for (seed = 0; seed < 10; seed++) {
        lcp_case c;
        lcp_stack(&lcp_world, 2, seed, 1);
        c = lcp_literal(&lcp_world, 4, 0);
        CHECK(lcp_solves(DVC_AUTO, &c, z));
        CHECK(lcp_library_residual(&c, NULL, z) <= LCP_ACCEPT);
        for (i = 0; i < c.n; i++) {
            double keep = z[i];
            z[i] = keep + 1; /* any sigma will do where there is no friction force */
            if (i % 6 != 5) CHECK(lcp_library_residual(&c, NULL, z) >= 1e-3);
            z[i] = -1;
            CHECK(lcp_library_residual(&c, NULL, z) >= 1e-3);
            z[i] = keep;
        }
        z[0] = DVC_INFINITY;
        CHECK(lcp_library_residual(&c, NULL, z) >= DVC_INFINITY);
        lcp_free(&c);
    }
}

/* A z that is not a number is not a solution, and no method may start from it. */
static void a_z_that_is_not_a_number_is_judged_as_unsolved(void)
{
    lcp_case c = lcp_tame(3);
    double z[3] = { NAN, NAN, NAN };
    int m;
    CHECK(lcp_library_residual(&c, NULL, z) > 1e-3);
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        z[0] = z[1] = z[2] = NAN;
        CHECK(lcp_run((dvc_solver)m, &c, NULL, z).status == DVC_OK);
        CHECK(lcp_accepts(&c, z));
    }
    lcp_free(&c);
}

static void every_method_has_its_own_name(void)
{
    int m, k;
    for (m = 0; m < DVC_SOLVER_COUNT; m++) {
        CHECK(strcmp(dvc_solver_name((dvc_solver)m), "unknown") != 0);
        for (k = 0; k < m; k++) CHECK(strcmp(dvc_solver_name((dvc_solver)m), dvc_solver_name((dvc_solver)k)) != 0);
    }
    CHECK(strcmp(dvc_solver_name(DVC_SOLVER_COUNT), "unknown") == 0);
}

/* ---- where the active set begins ---- */

/* The modes of a point's rows survive a step, each row's its own. Of a point that is new the normal row holds if it touches, or closes;
 * friction sticks where the free slip is no more than weight makes of it in a step, and slips against it where it is more. */
static void modes_are_recalled_or_guessed_row_by_row(void)
{
    enum { ROWS = 4 };
    static const double b[7] = { -1, -3e-2, -1e-12, 0, 1e-12, 3e-2, 1 };
    static dvci_step s;
    dvc_world world;
    dvci_point point;
    dvci_rows r;
    dvci_mcp p;
    dvci_task task;
    signed char mode[ROWS];
    int owner[ROWS] = { -1, 0, 0, 0 }, of[ROWS] = { 0, 0, 0, 0 }, i, k, code;
    unsigned char kind[ROWS] = { DVCI_ROW_NORMAL, DVCI_ROW_SEGMENT, DVCI_ROW_SEGMENT, DVCI_ROW_SEGMENT };
    dvc_real lower[ROWS] = { 0, 0, 0, 0 }, rate[ROWS];
    memset(&s, 0, sizeof s);
    memset(&world, 0, sizeof world);
    memset(&point, 0, sizeof point);
    memset(&r, 0, sizeof r);
    memset(&p, 0, sizeof p);
    memset(&task, 0, sizeof task);
    s.world = &world;
    s.points = &point;
    s.gravity = 10;
    s.h = (dvc_real)0.01;
    r.count = ROWS;
    r.point = of;
    r.kind = kind;
    r.owner = owner;
    p.lower = lower;
    p.b = rate;
    task.p = &p;
    task.mode = mode;
    for (code = 0; code < 81; code++) {
        int left = code;
        for (i = 0; i < ROWS; i++, left /= 3) mode[i] = (signed char)(left % 3 - 1);
        for (i = 0; i < ROWS; i++) rate[i] = 0;
        dvci_remember_modes(&s, &r, &task);
        memset(mode, 5, sizeof mode);
        dvci_recall_modes(&s, &r, 16, &task);
        for (i = 0, left = code; i < ROWS; i++, left /= 3) CHECK(mode[i] == left % 3 - 1);
    }
    point.warm = 0;
    for (k = 0; k < 7; k++) {
        for (i = 0; i < ROWS; i++) rate[i] = (dvc_real)b[k];
        dvci_recall_modes(&s, &r, 16, &task); /* a step of weight is 10 * .01 / 16 of the unit, twice that 1.25e-2 */
        CHECK(mode[0] == (b[k] <= 1e-9 ? 0 : -1));
        for (i = 1; i < ROWS; i++) CHECK(mode[i] == (b[k] > 1.25e-2 ? -1 : b[k] < -1.25e-2 ? 1 : 0));
    }
}

static void suite_lcp(void)
{
    test_state.suite = "lcp";
    RUN(modes_are_recalled_or_guessed_row_by_row);
    RUN(positive_definite_problems_have_one_solution_and_all_methods_find_it);
    RUN(semidefinite_problems_with_a_solution_are_solved);
    RUN(whole_number_problems_full_of_ties_are_solved);
    RUN(nobody_solves_what_has_no_solution);
    RUN(matrices_without_structure_never_make_a_method_lie);
    RUN(m_matrices_are_solved_by_all_methods);
    RUN(p_matrices_are_solved_by_pivoting_and_by_fischer_newton);
    RUN(boxed_and_free_rows_agree_with_enumeration);
    RUN(free_rows_do_not_mislead_the_path);
    RUN(rank_deficient_problems_in_a_box_are_solved);
    RUN(linked_friction_in_the_plane_solves_the_literal_problem);
    RUN(linked_friction_in_space_solves_the_literal_problem);
    RUN(small_literal_friction_problems_are_solved);
    RUN(linked_friction_of_stacked_boxes_solves_the_literal_problem);
    RUN(murtys_example_is_solved);
    RUN(fathis_example_is_solved);
    RUN(degenerate_obstacle_problems_are_solved);
    RUN(evenly_loaded_membranes_are_solved);
    RUN(stacks_with_friction_are_solved_20_of_20);
    RUN(stacks_without_friction_are_solved_20_of_20);
    RUN(stacks_under_a_box_10000_times_as_heavy_are_solved);
    RUN(stacks_under_a_box_10000_times_as_light_are_solved);
    RUN(stacks_under_a_box_a_million_times_as_heavy_are_solved);
    RUN(stacks_with_linked_friction_are_solved);
    RUN(most_stacks_are_solved_at_the_first_attempt);
    RUN(random_problems_up_to_300_rows_are_solved);
    RUN(masses_may_have_any_unit);
    RUN(friction_problems_may_have_any_unit);
    RUN(each_unknown_may_have_its_own_unit);
    RUN(rows_and_columns_may_have_units_of_their_own);
    RUN(b_may_have_any_unit);
    RUN(missing_pointers_are_an_input_error);
    RUN(numbers_that_are_not_finite_are_an_input_error);
    RUN(crossed_bounds_are_an_input_error);
    RUN(options_and_methods_that_are_none_are_an_input_error);
    RUN(the_residual_told_is_that_of_the_solution_given);
    RUN(a_solution_that_is_no_number_has_no_residual);
    RUN(infinite_bounds_count_as_none);
    RUN(a_diagonal_of_zero_stops_the_methods_that_divide_by_it);
    RUN(the_iteration_limit_is_kept_and_named);
    RUN(the_smallest_infeasible_problems_are_called_so);
    RUN(what_is_called_infeasible_has_no_solution);
    RUN(nothing_to_solve_is_solved);
    RUN(already_solved_problems_stay_solved);
    RUN(iterative_methods_start_from_z_and_stop_at_the_tolerance);
    RUN(tight_tolerances_are_reached);
    RUN(the_documented_scratch_suffices_at_every_alignment_and_one_byte_less_does_not);
    RUN(no_byte_outside_the_scratch_is_written);
    RUN(no_scratch_at_all_is_an_error);
    RUN(the_same_input_gives_the_same_bits);
    RUN(the_residual_is_what_the_comment_says);
    RUN(a_wrong_z_gets_a_large_residual);
    RUN(a_z_that_is_not_a_number_is_judged_as_unsolved);
    RUN(every_method_has_its_own_name);
}
