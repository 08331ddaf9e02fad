/* Random complementarity problems with bounds, through all solvers. Many are made around a solution that is known, so that who says
 * there is none is wrong. */
#ifndef DVC_FUZZ_LCP_H
#define DVC_FUZZ_LCP_H

#include "step.h"

enum { FUZZ_ROWS = 32 };

typedef struct fuzz_problem {
    int n;
    bool bounded_below, bounded_above, known, definite, plain; /* plain: numbers and options are usual ones */
    dvc_real A[FUZZ_ROWS * FUZZ_ROWS], b[FUZZ_ROWS], lower[FUZZ_ROWS], upper[FUZZ_ROWS], start[FUZZ_ROWS], solution[FUZZ_ROWS];
    dvc_lcp lcp;
    dvc_lcp_options options;
} fuzz_problem;

/* J J', of full rank or not; by chance with a part that is not symmetric, as friction has, or anything at all. */
static void fuzz_lcp_matrix(fuzz_problem *p, fuzz_source *s, fuzz_level level)
{
    double J[FUZZ_ROWS][FUZZ_ROWS], row[FUZZ_ROWS];
    int kind = fuzz_below(s, 5), rank = kind == 1 ? 1 + fuzz_below(s, p->n ? p->n : 1) : p->n, i, j, k;
    for (i = 0; i < p->n; i++)
        for (row[i] = !fuzz_chance(s, 200) ? 1
                      : level == FUZZ_SANE ? fuzz_log_range(s, 0.03, 30)
                                           : fuzz_log_range(s, 1e-6, 1e6),
            j = 0;
             j < rank; j++)
            J[i][j] = fuzz_range(s, -1, 1);
    for (i = 0; i < p->n; i++) for (j = 0; j < p->n; j++) {
        double a = 0;
        for (k = 0; k < rank && kind != 3; k++) a += J[i][k] * J[j][k];
        if (kind == 3) a = fuzz_range(s, -1, 1);
        if (i == j && kind != 1 && kind != 3) a += 0.1;
        if (kind == 2 && i % 3 == 2) a = j == i ? 0 : j == i - 2 ? 0.5 : j == i - 1 ? -1 : 0; /* a cone: mu p_n - beta */
        if (kind == 2 && j % 3 == 2 && i % 3 != 2) a = i == j - 1 ? 1 : 0;
        p->A[i * p->n + j] = (dvc_real)fuzz_number(s, level, a * row[i] * row[j]);
    }
    p->definite = kind == 0 || kind == 4;
}

/* Bounds, and b so that `solution` solves it; or any b. */
static void fuzz_lcp_vectors(fuzz_problem *p, fuzz_source *s, fuzz_level level)
{
    int i, j;
    p->known = fuzz_chance(s, 600);
    p->bounded_below = fuzz_chance(s, 500);
    p->bounded_above = fuzz_chance(s, 500);
    for (i = 0; i < p->n; i++) {
        double low = !p->bounded_below ? 0 : fuzz_chance(s, 300) ? -(double)DVC_INFINITY : -fuzz_range(s, 0, 1);
        double high = !p->bounded_above || fuzz_chance(s, 300) ? (double)DVC_INFINITY : fuzz_range(s, 0, 1);
        p->lower[i] = (dvc_real)fuzz_number(s, level, low);
        p->upper[i] = (dvc_real)fuzz_number(s, level, high);
        if (p->bounded_below && p->bounded_above && fuzz_chance(s, 50)) p->upper[i] = p->lower[i] = 0;
        p->start[i] = (dvc_real)(fuzz_chance(s, 300) ? fuzz_range(s, -1, 2) : 0);
    }
    for (i = 0; i < p->n; i++) {
        double low = fmax((double)p->lower[i], -3), high = fmin((double)p->upper[i], 3);
        int way = fuzz_below(s, 3);
        p->solution[i] = (dvc_real)(way == 0 && p->lower[i] > -DVC_INFINITY  ? low
                                    : way == 1 && p->upper[i] < DVC_INFINITY ? high
                                                                             : fuzz_range(s, low, high));
    }
    for (i = 0; i < p->n; i++) {
        double sum = 0, w = fuzz_range(s, 0, 1);
        for (j = 0; j < p->n; j++) sum += (double)p->A[i * p->n + j] * (double)p->solution[j];
        if (!(p->solution[i] <= p->lower[i])) w = p->solution[i] >= p->upper[i] ? -w : 0;
        p->b[i] = (dvc_real)fuzz_number(s, level, p->known ? w - sum : fuzz_range(s, -1, 1));
    }
}

static void fuzz_lcp_make(fuzz_problem *p, fuzz_source *s, fuzz_level level)
{
    memset(p, 0, sizeof *p);
    p->n = fuzz_below(s, fuzz_chance(s, 200) ? FUZZ_ROWS + 1 : 9);
    fuzz_lcp_matrix(p, s, level);
    fuzz_lcp_vectors(p, s, level);
    p->lcp.n = level == FUZZ_HOSTILE && fuzz_chance(s, 20) ? -fuzz_below(s, 5) : p->n;
    p->lcp.A = p->A;
    p->lcp.b = p->b;
    p->lcp.lower = p->bounded_below ? p->lower : NULL;
    p->lcp.upper = p->bounded_above ? p->upper : NULL;
    p->plain = level == FUZZ_SANE;
    p->known = p->known && p->plain;
    if (level == FUZZ_SANE || !fuzz_chance(s, 200)) return;
    p->options.tolerance = (dvc_real)fuzz_number(s, level, 1e-9);
    p->options.max_iterations = fuzz_below(s, 200) - (level == FUZZ_HOSTILE ? 10 : 0);
    p->options.relaxation = (dvc_real)fuzz_number(s, level, 1);
    p->options.scale = (dvc_real)fuzz_number(s, level, 1);
}

/* How far z is from solving row i, in parts of what the row sums up; `largest` is that of b. */
static double fuzz_lcp_miss(const fuzz_problem *p, const dvc_real *z, int i, double largest)
{
    double w = (double)p->b[i], size = fabs(w) + largest, low = p->bounded_below ? (double)p->lower[i] : 0,
           high = p->bounded_above ? (double)p->upper[i] : FUZZ_FAR, x = (double)z[i], scale = 1e-300;
    int j;
    for (j = 0; j < p->n; j++) {
        w += (double)p->A[i * p->n + j] * (double)z[j];
        size += fabs((double)p->A[i * p->n + j] * (double)z[j]);
        scale = fmax(scale, fabs((double)p->A[i * p->n + j]));
    }
    if (x < low) return scale * (low - x) / size;
    if (x > high) return scale * (x - high) / size;
    if (w > 0) return fmin(w, scale * (x - low)) / size;
    return fmin(-w, high >= (double)DVC_INFINITY ? FUZZ_FAR : scale * (high - x)) / size;
}

static void fuzz_lcp_judge(const fuzz_problem *p, dvc_solver method, const dvc_lcp_report *r, const dvc_real *z)
{
    const char *name = dvc_solver_name(method);
    double worst = 0, largest = 0;
    int i;
    if ((int)r->status < 0 || r->status >= DVC_STATUS_COUNT) { fuzz_found_in(FUZZ_STATUS, r->status, name); return; }
    if (r->status == DVC_ERROR_LCP_INFEASIBLE && p->known) fuzz_found_in(FUZZ_LCP_REPORT, 1, "infeasible, with a solution");
    if (r->status != DVC_OK && r->status != DVC_ERROR_LCP_INPUT && p->plain && p->definite && p->n > 0
        && (method == DVC_AUTO || method == DVC_LEMKE))
        fuzz_found_in(FUZZ_LCP_FAILS, (double)r->residual, name);
    if (r->iterations < 0 || r->attempts < 0 || (int)r->solved_by < 0 || r->solved_by >= DVC_SOLVER_COUNT)
        fuzz_found_in(FUZZ_LCP_REPORT, r->iterations, "counts");
    if (r->status != DVC_OK || p->n <= 0) return;
    if (method != DVC_AUTO && r->solved_by != method) fuzz_found_in(FUZZ_LCP_REPORT, r->solved_by, "solved_by");
    if (!isfinite((double)r->residual) || r->residual < 0) fuzz_found_in(FUZZ_LCP_REPORT, (double)r->residual, "residual");
    for (i = 0; i < p->n; i++) largest = fmax(largest, fabs((double)p->b[i]));
    for (i = 0; i < p->n; i++) {
        if (!isfinite((double)z[i])) { fuzz_found_in(FUZZ_NOT_FINITE, 1, name); return; }
        worst = fmax(worst, fuzz_lcp_miss(p, z, i, largest));
    }
    if (!(worst <= 1e-6) && p->plain) fuzz_found_in(FUZZ_LCP_OK, worst, name);
}

/* One solver: right scratch, a byte less, twice the same. */
static void fuzz_lcp_solve(const fuzz_problem *p, fuzz_source *checks, dvc_solver method)
{
    int n = p->lcp.n > 0 ? p->lcp.n : 0;
    size_t need = dvc_lcp_scratch_size(method, n);
    fuzz_block b = fuzz_block_of(need, fuzz_below(checks, 16), 0xA5);
    dvc_real z[FUZZ_ROWS + 1], again[FUZZ_ROWS + 1], residual;
    dvc_lcp_report r, r2;
    double start = fuzz_now();
    memcpy(z, p->start, sizeof p->start);
    memcpy(again, p->start, sizeof p->start);
    r = dvc_lcp_solve(method, &p->lcp, &p->options, z, b.bytes, need);
    if (fuzz_now() - start > FUZZ_SLOW) fuzz_found_in(FUZZ_HANG, fuzz_now() - start, dvc_solver_name(method));
    if (r.status == DVC_ERROR_SCRATCH) fuzz_found_in(FUZZ_SCRATCH_SHORT, (double)need, dvc_solver_name(method));
    fuzz_lcp_judge(p, method, &r, z);
    memset(b.bytes, 0x3C, need);
    r2 = dvc_lcp_solve(method, &p->lcp, &p->options, again, b.bytes, need);
    if (r2.status != r.status || r2.iterations != r.iterations || memcmp(z, again, (size_t)n * sizeof *z) != 0)
        fuzz_found_in(FUZZ_BITS, 1, dvc_solver_name(method));
    if (r.status == DVC_OK && n > 0) {
        size_t all = dvc_lcp_scratch_size(DVC_AUTO, n);
        fuzz_block c = fuzz_block_of(all, 0, 0x99);
        residual = dvc_lcp_residual(&p->lcp, &p->options, z, c.bytes, all);
        if (fabs((double)residual - (double)r.residual) > 1e-12 + 1e-6 * (double)r.residual && p->plain)
            fuzz_found_in(FUZZ_LCP_REPORT, fabs((double)residual - (double)r.residual), "residual is another");
        fuzz_block_close(&c);
    }
    fuzz_block_close(&b);
    if (need == 0 || r.status == DVC_ERROR_LCP_INPUT || n == 0) return;
    b = fuzz_block_of(need - 1, fuzz_below(checks, 16), 0x77);
    memcpy(again, p->start, sizeof p->start);
    r2 = dvc_lcp_solve(method, &p->lcp, &p->options, again, b.bytes, need - 1);
    if (r2.status == DVC_OK && method != DVC_AUTO) fuzz_found_in(FUZZ_SCRATCH_LONG, 1, dvc_solver_name(method));
    fuzz_block_close(&b);
}

static void fuzz_run_lcp(fuzz_source *source, fuzz_source *checks, fuzz_level level)
{
    static fuzz_problem p, kept;
    int method;
    fuzz_state.step = 0;
    fuzz_state.family = "";
    fuzz_lcp_make(&p, source, level);
    kept = p;
    for (method = 0; method < DVC_SOLVER_COUNT; method++) {
        fuzz_state.step = method;
        fuzz_lcp_solve(&p, checks, (dvc_solver)method);
    }
    if (memcmp(&kept, &p, sizeof p) != 0) fuzz_found(FUZZ_READ_ONLY, 1);
    fuzz_sums[level].worlds++;
}

#endif
