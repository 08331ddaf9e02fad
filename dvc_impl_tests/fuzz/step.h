/* A random world through some steps: each is judged, and some are done again: with scratch of just the right size, a byte less, with
 * fewer contacts, strictly, with threads, without the terrain, from a recording, with the solution put in. What is done again must
 * come to the same bits. */
#ifndef DVC_FUZZ_STEP_H
#define DVC_FUZZ_STEP_H

#include "edit.h"
#include "judge.h"

enum { FUZZ_SCRATCH = 1 << 25, FUZZ_SCRATCH_MOST = 1 << 29, FUZZ_GUARD = 64, FUZZ_WAYS = 10 };

#define FUZZ_SLOW 1.0 /* s: as good as hanging */

/* Of all steps: for the table. */
static struct {
    long worlds, steps, ok, inexact, by_decade[8], repeated;
    double slowest, seconds;
    uint64_t slowest_seed;
    int slowest_step;
    long refused[DVC_STATUS_COUNT + 1];
    long seen[24]; /* steps in which a field of the report was not 0 */
} fuzz_sums[FUZZ_LEVELS];

static unsigned char *fuzz_scratch;
static size_t fuzz_scratch_size;
static int fuzz_threads = 1;
static bool fuzz_backwards;
static long fuzz_loads; /* how often a step was begun */

/* ---- one step ---- */

static void fuzz_grow_scratch(size_t size)
{
    free(fuzz_scratch);
    fuzz_scratch = (unsigned char *)fuzz_memory(size, 1);
    fuzz_scratch_size = size;
}

/* A step in a given block. */
static dvc_status fuzz_step_in(fuzz_world *f, double h, void *scratch, size_t size)
{
    f->w.scratch = scratch;
    f->w.scratch_size = size;
    FUZZ_UNWRITTEN(scratch, size);
    return dvc_step(&f->w, (dvc_real)h);
}

/* A block of its own with a guard behind it, filled with bytes that are no numbers of use. */
typedef struct fuzz_block { unsigned char *whole, *bytes; size_t size; unsigned char fill; } fuzz_block;

static fuzz_block fuzz_block_of(size_t size, int shift, unsigned char fill)
{
    fuzz_block b;
    b.size = size;
    b.fill = fill;
    b.whole = (unsigned char *)fuzz_memory(size + (size_t)shift + FUZZ_GUARD, 1);
    memset(b.whole, fill, size + (size_t)shift + FUZZ_GUARD);
    b.bytes = b.whole + shift;
    FUZZ_UNWRITTEN(b.bytes, size);
    return b;
}

static void fuzz_block_close(fuzz_block *b)
{
    int i, bad = 0;
    for (i = 0; i < FUZZ_GUARD; i++) bad += b->bytes[b->size + (size_t)i] != b->fill;
    if (bad > 0) fuzz_found(FUZZ_SCRATCH_WILD, bad);
    free(b->whole);
}

/* ---- the same step again ---- */

/* Both states of a step: before it and after it. */
typedef struct fuzz_twice { const fuzz_copy *before, *after; double h; dvc_status status; } fuzz_twice;

static void fuzz_judge_error(const fuzz_world *f, const fuzz_copy *before, const char *where)
{
    if (!fuzz_arrays_same(f, before) || !fuzz_world_same(&f->w, &before->w)) fuzz_found_in(FUZZ_ERROR_CHANGED, 1, where);
}

static void fuzz_again_tight(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    static const unsigned char fills[] = { 0x5A, 0xFF, 0x00, 0x01 };
    size_t used = t->after->w.report.scratch_used, bound;
    fuzz_block b = fuzz_block_of(used, fuzz_below(s, 16), fills[fuzz_below(s, 4)]);
    dvc_status status;
    fuzz_give(f, t->before);
    bound = dvc_scratch_size(&f->w);
    if (bound < used) fuzz_found(FUZZ_SCRATCH_SIZE, (double)used - (double)bound);
    status = fuzz_step_in(f, t->h, b.bytes, used);
    if (status != DVC_OK) fuzz_found(FUZZ_SCRATCH_SHORT, (double)f->w.report.scratch_needed - (double)used);
    else if (!fuzz_result_same(f, t->after)) fuzz_found(FUZZ_BITS, 1);
    else if (!fuzz_report_same(&f->w.report, &t->after->w.report)) fuzz_found_in(FUZZ_BITS, 2, "report");
    fuzz_block_close(&b);
}

/* A byte less, or much less, fails cleanly; what it asks for leads to success in the end. */
static void fuzz_again_short(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    size_t used = t->after->w.report.scratch_used, size = used - 1;
    int tries = 0;
    dvc_status status = DVC_ERROR_SCRATCH;
    if (used == 0) return;
    if (fuzz_chance(s, 500)) size = (size_t)((double)used * fuzz_unit(s));
    while (status == DVC_ERROR_SCRATCH && ++tries < 200) {
        fuzz_block b = fuzz_block_of(size, fuzz_below(s, 16), 0xC3);
        fuzz_give(f, t->before);
        status = fuzz_step_in(f, t->h, b.bytes, size);
        fuzz_block_close(&b);
        if (status == DVC_OK && size < used) fuzz_found(FUZZ_SCRATCH_LONG, (double)(used - size));
        if (status != DVC_ERROR_SCRATCH) break;
        fuzz_judge_error(f, t->before, "scratch");
        if (f->w.report.scratch_needed <= size || f->w.report.scratch_needed > used) {
            fuzz_found(FUZZ_SCRATCH_NEEDED, (double)f->w.report.scratch_needed - (double)used);
            break;
        }
        size = f->w.report.scratch_needed;
    }
    if (status != DVC_OK && status != DVC_ERROR_SCRATCH) fuzz_found(FUZZ_SCRATCH_SHORT, status);
}

/* Just as many contacts as it says, and one less. */
static void fuzz_again_crowded(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    int capacity = f->w.contact_capacity, need = t->after->w.report.contacts_needed;
    dvc_status status;
    (void)s;
    if (need >= capacity || need < t->before->w.contact_count || need == 0) return;
    fuzz_give(f, t->before);
    f->w.contact_capacity = need;
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    if (status != DVC_OK) fuzz_found(FUZZ_CONTACTS_NEEDED, f->w.report.contacts_needed - need);
    else if (!fuzz_result_same(f, t->after)) fuzz_found_in(FUZZ_BITS, 1, "contact_capacity");
    if (status == DVC_OK && need - 1 >= t->before->w.contact_count) {
        f->w.contact_capacity = capacity;
        fuzz_give(f, t->before);
        f->w.contact_capacity = need - 1;
        status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
        if (status == DVC_OK || f->w.report.contacts_needed < need)
            fuzz_found(FUZZ_CONTACTS_NEEDED, f->w.report.contacts_needed - need);
    }
    f->w.contact_capacity = capacity;
}

static void fuzz_again_strict(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    bool inexact = t->after->w.report.inexact > 0;
    dvc_status status;
    (void)s;
    fuzz_give(f, t->before);
    f->w.strict = true;
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    f->w.strict = t->before->w.strict;
    if (status != (inexact ? DVC_ERROR_NOT_SOLVED : DVC_OK)) fuzz_found(FUZZ_STRICT, status);
    else if (status == DVC_OK && !fuzz_result_same(f, t->after)) fuzz_found_in(FUZZ_BITS, 1, "strict");
    else if (status != DVC_OK) fuzz_judge_error(f, t->before, "strict");
    if (status != DVC_OK && memcmp(&f->w.report.residual, &t->after->w.report.residual, sizeof(dvc_real)) != 0)
        fuzz_found_in(FUZZ_STRICT, 1, "residual");
}

static void fuzz_again_threads(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    dvc_report report = t->after->w.report;
    int capacity = f->w.contact_capacity;
    dvc_status status;
    fuzz_give(f, t->before);
    fuzz_threads = 2 + fuzz_below(s, 3);
    fuzz_backwards = fuzz_chance(s, 500);
    f->w.threads = 0;
    if (fuzz_chance(s, 300) && report.contacts_needed >= t->before->w.contact_count)
        f->w.contact_capacity = report.contacts_needed; /* too few to share */
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    fuzz_threads = 1;
    f->w.threads = t->before->w.threads;
    f->w.contact_capacity = capacity;
    report.scratch_used = f->w.report.scratch_used; /* of these threads take more */
    report.scratch_needed = f->w.report.scratch_needed;
    report.contacts_needed = f->w.report.contacts_needed;
    if (status != t->status || !fuzz_result_same(f, t->after)) fuzz_found(FUZZ_BITS_THREADS, status);
    else if (!fuzz_report_same(&f->w.report, &report)) fuzz_found_in(FUZZ_BITS_THREADS, 1, "report");
}

/* A solver of the user's that is none: what it returns is checked, the chain does the work, and the report says so. */
static int fuzz_solves;

static dvc_status fuzz_solve_nothing(void *user, const dvc_lcp *lcp, dvc_real *z)
{
    int i;
    (void)user;
    for (i = 0; i < lcp->n; i++) z[i] = (dvc_real)(1 + i % 3);
    fuzz_solves += lcp->n > 0;
    return DVC_OK;
}

static void fuzz_again_misled(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    dvc_status status;
    (void)s;
    if (t->before->w.solver != DVC_AUTO || t->before->w.solve) return;
    fuzz_give(f, t->before);
    fuzz_solves = 0;
    f->w.solve = fuzz_solve_nothing;
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    f->w.solve = NULL;
    if (status == DVC_ERROR_SCRATCH || status == DVC_ERROR_CONTACTS) return;
    if (status != DVC_OK) { fuzz_found_in(FUZZ_REFUSED, status, "a solver that solves nothing"); return; }
    if (fuzz_solves > 0 && f->w.report.fallbacks == 0) fuzz_found_in(FUZZ_COUNTS, 0, "fallbacks");
    if (t->after->w.report.inexact == 0 && (double)f->w.report.residual > fuzz_tolerance(&f->w) * (1 + 1e-9)
        && f->w.report.inexact == 0)
        fuzz_found_in(FUZZ_RESIDUAL, (double)f->w.report.residual, "a solver that solves nothing");
}

static void fuzz_again_bare(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    dvc_status status;
    (void)s;
    if (!t->before->w.terrain) return;
    fuzz_give(f, t->before);
    f->w.terrain = NULL;
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    if (status != DVC_OK || !fuzz_motion_same(f, t->after)) fuzz_found(FUZZ_BITS_TERRAIN, status);
}

/* ---- island by island ---- */

/* Who is tied to whom in this step; roots by body. */
static void fuzz_find_islands(const dvc_world *w, int *of)
{
    int i;
    for (i = 0; i < w->body_count; i++) of[i] = i;
    for (i = 0; i < w->contact_count; i++)
        if (!w->contacts[i].sensor) fuzz_unite(w, of, w->contacts[i].body_a, w->contacts[i].body_b);
    for (i = 0; i < w->joint_count; i++) {
        int a, b;
        if (fuzz_joint_there(w, &w->joints[i])) fuzz_unite(w, of, w->joints[i].body_a, w->joints[i].body_b);
        if (fuzz_gear_there(w, &w->joints[i], &a, &b)) fuzz_unite(w, of, a, b);
    }
    for (i = 0; i < w->spring_count; i++)
        if (fuzz_spring_there(w, &w->springs[i])) fuzz_unite(w, of, w->springs[i].body_a, w->springs[i].body_b);
}

/* The step of the bodies of one island alone, or of all others. */
static bool fuzz_step_some(fuzz_world *f, const fuzz_twice *t, const int *of, int root, bool others)
{
    int i;
    fuzz_give(f, t->before);
    for (i = 0; i < f->w.body_count; i++)
        if (f->w.bodies[i].kind == DVC_DYNAMIC && (of[i] == root) == others) f->w.bodies[i].disabled = true;
    return fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size) == DVC_OK && f->w.report.repeats == 0;
}

/* Islands know nothing of each other: an island alone moves as it does among others, and what the report sums up is the sum. */
static void fuzz_again_apart(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    const dvc_report *all = &t->after->w.report;
    dvc_report one;
    int of[FUZZ_BODIES], i, root = fuzz_below(s, f->w.body_count), off = 0, k;
    fuzz_find_islands(&f->w, of);
    for (i = 0; i < f->w.body_count; i++) of[i] = fuzz_root(of, i);
    root = of[root];
    for (i = 0; i < f->w.body_count; i++) if (f->w.bodies[i].asleep & 1u) return; /* what sleeps wakes */
    if (all->repeats > 0 || f->w.bodies[root].kind != DVC_DYNAMIC || f->w.bodies[root].disabled || f->w.direct_bodies > 0) return;
    for (k = 0; k < 2; k++) {
        one = f->w.report;
        if (!fuzz_step_some(f, t, of, root, k > 0)) return;
        for (i = 0; i < f->w.body_count; i++) {
            const dvc_body *a = &f->w.bodies[i], *b = fuzz_body_before(t->after, i);
            if (a->disabled || a->kind != DVC_DYNAMIC) continue;
            off += !fuzz_reals_same(&a->position, &b->position, 3) || !fuzz_reals_same(&a->velocity, &b->velocity, 3)
                   || !fuzz_reals_same(&a->angular_velocity, &b->angular_velocity, 3);
        }
    }
    if (off > 0) fuzz_found(FUZZ_BITS_APART, off);
    if (one.islands + f->w.report.islands != all->islands) return; /* something between them was near */
    off = one.iterations + f->w.report.iterations - all->iterations;
    off = off ? off : one.inexact + f->w.report.inexact - all->inexact;
    off = off ? off : one.fallbacks + f->w.report.fallbacks - all->fallbacks;
    off = off ? off : one.problems + f->w.report.problems - all->problems;
    off = off ? off : one.flips + f->w.report.flips - all->flips;
    off = off ? off : one.cuts + f->w.report.cuts - all->cuts;
    off = off ? off : one.corrections + f->w.report.corrections - all->corrections;
    off = off ? off : one.halvings + f->w.report.halvings - all->halvings;
    off = off ? off
              : (one.largest_problem > f->w.report.largest_problem ? one.largest_problem : f->w.report.largest_problem)
                    - all->largest_problem;
    if (off != 0) fuzz_found_in(FUZZ_BITS_APART, off, "report");
    if (fmax((double)one.residual, (double)f->w.report.residual) != (double)all->residual)
        fuzz_found_in(FUZZ_BITS_APART, (double)all->residual, "residual");
    if (fmin((double)one.worst_gap, (double)f->w.report.worst_gap) != (double)all->worst_gap)
        fuzz_found_in(FUZZ_BITS_APART, (double)all->worst_gap, "worst_gap");
}

/* What a recording does not hold: the caller's functions and pointers. */
static void fuzz_give_pointers(fuzz_world *f, const fuzz_copy *before)
{
    int i;
    for (i = 0; i < f->w.body_count; i++) {
        const dvc_body *b = fuzz_body_before(before, i);
        f->w.bodies[i].motion = b->motion;
        f->w.bodies[i].user = b->user;
        f->w.bodies[i].support = b->support;
    }
}

/* Out of a recording of the moment before. */
static void fuzz_again_recorded(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    dvc_recorder recorder;
    dvc_recording recording;
    dvc_status status;
    (void)s;
    if (f->w.collide) return;
    fuzz_give(f, t->before);
    memset(&recorder, 0, sizeof recorder);
    recorder.size = dvc_record_room(&recorder, &f->w) * 3;
    recorder.buffer = (unsigned char *)fuzz_memory(recorder.size, 1);
    dvc_record_begin(&recorder, &f->w, (dvc_real)t->h);
    status = dvc_record_end(&recorder);
    if (status == DVC_OK) status = dvc_recording_open(recorder.buffer, recorder.used, &recording);
    if (status == DVC_OK) {
        memset(&f->w.report, 0xEE, sizeof f->w.report);
        memset(f->w.bodies, 0, t->before->bodies.size); /* all comes back but what is the caller's: pointers */
        status = dvc_recording_frame(&recording, 0, &f->w);
    }
    free(recorder.buffer);
    if (status != DVC_OK) { fuzz_found(FUZZ_RECORD, status); return; }
    fuzz_give_pointers(f, t->before);
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    if (status != t->status || !fuzz_motion_same(f, t->after)) fuzz_found(FUZZ_BITS_RECORD, status);
}

/* ---- the problem out, the solution in ---- */

/* Row i of the exported Jacobian times M^-1 times row j: what A must hold where both are plain rows. */
static double fuzz_coupling(const fuzz_world *f, const dvc_problem *p, double h, int i, int j)
{
    double sum = 0;
    int a, b, k, half = p->width;
    for (a = 0; a < 2; a++) for (b = 0; b < 2; b++) {
        int body = p->row_body[2 * i + a], at = 0;
        const dvc_real *x = p->rows + (size_t)i * 2 * (size_t)half + (size_t)(a * half),
                       *y = p->rows + (size_t)j * 2 * (size_t)half + (size_t)(b * half);
        double u[3], w[3];
        const dvc_body *o;
        if (body < 0 || body != p->row_body[2 * j + b]) continue;
        while (at < p->body_count && p->bodies[at] != body) at++;
        o = &f->w.bodies[body];
        for (k = 0; k < (half == 6 ? 3 : 2); k++)
            sum += (double)x[k] * (double)y[k] / ((double)o->mass * (1 + h * (double)o->linear_damping));
        if (half == 3) {
            if (o->inertia.z > 0)
                sum += (double)x[2] * (double)y[2] / ((double)o->inertia.z * (1 + h * (double)o->angular_damping));
            continue;
        }
        if (!(o->inertia.x > 0)) continue;
        u[0] = (double)x[3]; u[1] = (double)x[4]; u[2] = (double)x[5];
        w[0] = (double)y[3]; w[1] = (double)y[4]; w[2] = (double)y[5];
        fuzz_rotate(fuzz_conj(o->orientation), u, u);
        fuzz_rotate(fuzz_conj(o->orientation), w, w);
        sum += (u[0] * w[0] / (double)o->inertia.x + u[1] * w[1] / (double)o->inertia.y + u[2] * w[2] / (double)o->inertia.z)
               / (1 + h * (double)o->angular_damping);
    }
    return sum;
}

static void fuzz_judge_problem(const fuzz_world *f, const dvc_problem *p, double h)
{
    int i, j, last = -1;
    double worst = 0;
    for (i = 0; i < p->n; i++) {
        if (!isfinite((double)p->b[i])) { fuzz_found_in(FUZZ_NOT_FINITE, 1, "dvc_problem"); return; }
        if (!(p->lower[i] <= p->upper[i])) fuzz_found_in(FUZZ_PROBLEM, i, "bounds");
        if (p->row_contact[i] < 0 || p->row_contact[i] == last) continue;
        last = p->row_contact[i]; /* the first row of a contact is its normal's */
        for (j = 0; j < i; j++) if (p->row_contact[j] >= 0 && (j == 0 || p->row_contact[j] != p->row_contact[j - 1])) {
            double c = fuzz_coupling(f, p, h, i, j);
            worst = fmax(worst, fabs(c - (double)p->A[(size_t)i * (size_t)p->n + (size_t)j])
                                    / (fabs((double)p->A[(size_t)i * (size_t)p->n + (size_t)i])
                                       + fabs((double)p->A[(size_t)j * (size_t)p->n + (size_t)j]) + 1e-300));
        }
        worst = fmax(worst, fabs(fuzz_coupling(f, p, h, i, i) / (double)p->A[(size_t)i * (size_t)p->n + (size_t)i] - 1));
    }
    if (!(worst <= 1e-6) && f->w.joint_count == 0 && f->w.contact_model != DVC_PEG_LITERAL)
        fuzz_found_in(FUZZ_PROBLEM, worst, "A is not J M^-1 J'");
}

/* The solution of the exported problem, put back. */
static void fuzz_judge_apply(fuzz_world *f, const fuzz_twice *t, const dvc_real *z, int n, bool solved)
{
    static fuzz_view view;
    dvc_status status = dvc_problem_apply(&f->w, (dvc_real)t->h, z, n);
    int i;
    if (status != DVC_OK) {
        if (status != DVC_ERROR_SCRATCH) fuzz_found_in(FUZZ_APPLY, status, "refused");
        fuzz_judge_error(f, t->before, "apply");
        return;
    }
    if (f->w.report.problems != 1 || f->w.report.largest_problem != n)
        fuzz_found_in(FUZZ_COUNTS, f->w.report.problems, "problems of apply");
    fuzz_judge_finite(&f->w);
    if (solved && (f->w.report.inexact > 0) != ((double)f->w.report.residual > fuzz_tolerance(&f->w)))
        fuzz_found_in(FUZZ_APPLY, (double)f->w.report.residual, n == 0 ? "empty problem" : "inexact");
    if (!solved && n > 0 && f->w.report.inexact == 0)
        fuzz_found_in(FUZZ_APPLY, (double)f->w.report.residual, "nonsense is exact");
    if (!fuzz_bodies_finite(&f->w)) return;
    fuzz_look(&view, f, t->before, t->h);
    for (i = 0; solved && i < f->w.body_count; i++)
        if (!f->w.bodies[i].disabled && f->w.bodies[i].kind == DVC_DYNAMIC) fuzz_judge_momentum(&view, i);
}

static void fuzz_again_solved(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    static dvc_real z[400];
    dvc_problem p;
    dvc_lcp lcp;
    dvc_lcp_report r;
    dvc_status status;
    fuzz_block b;
    int n;
    fuzz_give(f, t->before);
    f->w.scratch = fuzz_scratch;
    f->w.scratch_size = fuzz_scratch_size;
    status = dvc_problem_build(&f->w, (dvc_real)t->h, &p);
    if (!fuzz_arrays_same(f, t->before)) fuzz_found_in(FUZZ_ERROR_CHANGED, status, "dvc_problem_build");
    if (status != DVC_OK || p.n > 400) {
        if (status != DVC_OK && status != DVC_ERROR_SCRATCH) fuzz_found_in(FUZZ_PROBLEM, status, "refused");
        return;
    }
    fuzz_judge_problem(f, &p, t->h);
    n = p.n;
    lcp.n = n; lcp.A = p.A; lcp.b = p.b; lcp.lower = p.lower; lcp.upper = p.upper;
    memset(z, 0, sizeof z);
    b = fuzz_block_of(2 * dvc_lcp_scratch_size(DVC_AUTO, n), 0, 0x11);
    r = dvc_lcp_solve(DVC_AUTO, &lcp, NULL, z, b.bytes, b.size);
    if (r.status != DVC_OK && r.status != DVC_ERROR_LCP_NOT_SOLVED && r.status != DVC_ERROR_LCP_LIMIT
        && r.status != DVC_ERROR_LCP_INFEASIBLE)
        fuzz_found_in(FUZZ_PROBLEM, r.status, dvc_status_text(r.status));
    fuzz_block_close(&b);
    if (r.status == DVC_OK) fuzz_judge_apply(f, t, z, n, true);
    fuzz_give(f, t->before);
    if (n == 0 || !fuzz_chance(s, 500)) return;
    z[fuzz_below(s, n)] -= (dvc_real)(1e3 * f->unit); /* no solution now */
    fuzz_judge_apply(f, t, z, n, false);
    fuzz_give(f, t->before);
    status = dvc_problem_apply(&f->w, (dvc_real)t->h, z, n + 1);
    if (status != DVC_ERROR_PROBLEM && status != DVC_ERROR_SCRATCH)
        fuzz_found_in(FUZZ_APPLY, status, "a solution of another problem");
    fuzz_judge_error(f, t->before, "apply");
}

static void fuzz_again(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    static void (*const ways[])(fuzz_world * f, fuzz_source * s, const fuzz_twice *t) = {
        fuzz_again_tight, fuzz_again_short,    fuzz_again_crowded, fuzz_again_strict, fuzz_again_threads,
        fuzz_again_bare,  fuzz_again_recorded, fuzz_again_misled,  fuzz_again_solved, fuzz_again_apart
    };
    int way = fuzz_below(s, FUZZ_WAYS), k;
    fuzz_sums[fuzz_state.level].repeated++;
    for (k = 0; k < (fuzz_state.hunting ? 4 * FUZZ_WAYS : FUZZ_WAYS); k++) {
        if (k != way && !fuzz_state.hunting) continue; /* who hunts tries all of them, several times */
        ways[k % FUZZ_WAYS](f, s, t);
        fuzz_give(f, t->after);
    }
}

/* ---- counting ---- */

enum { FUZZ_FIELDS = 23 };
static const char *const fuzz_field_names[FUZZ_FIELDS] = { "residual",
                                                           "iterations",
                                                           "worst_gap",
                                                           "energy_excess",
                                                           "inexact",
                                                           "fallbacks",
                                                           "islands",
                                                           "contacts",
                                                           "enforced",
                                                           "disjunctions",
                                                           "problems",
                                                           "largest_problem",
                                                           "flips",
                                                           "cuts",
                                                           "corrections",
                                                           "halvings",
                                                           "repeats",
                                                           "contacts_needed",
                                                           "residual while nothing sleeps",
                                                           "problems while nothing sleeps",
                                                           "flips of frozen geometry",
                                                           "fallbacks of inexact steps", "residual of what rests" };

static void fuzz_count_fields(const dvc_world *w)
{
    const dvc_report *r = &w->report;
    bool awake = true, rests = !w->sleep;
    int i;
    long *seen = fuzz_sums[fuzz_state.level].seen;
    seen[0] += r->residual != 0; seen[1] += r->iterations != 0; seen[2] += r->worst_gap != 0; seen[3] += r->energy_excess != 0;
    seen[4] += r->inexact != 0; seen[5] += r->fallbacks != 0; seen[6] += r->islands != 0; seen[7] += r->contacts != 0;
    seen[8] += r->enforced != 0;
    seen[9] += r->disjunctions != 0;
    seen[10] += r->problems != 0;
    seen[11] += r->largest_problem != 0;
    seen[12] += r->flips != 0; seen[13] += r->cuts != 0; seen[14] += r->corrections != 0; seen[15] += r->halvings != 0;
    seen[16] += r->repeats != 0; seen[17] += r->contacts_needed != 0;
    for (i = 0; i < w->body_count; i++) awake = awake && !(w->bodies[i].asleep & 1u);
    for (i = 0; i < w->body_count; i++)
        rests = rests && (w->bodies[i].disabled || w->bodies[i].kind != DVC_DYNAMIC || (w->bodies[i].asleep & 1u));
    seen[22] += rests && r->residual != 0;
    seen[20] += w->semi_implicit && w->contact_model == DVC_PEG && r->flips != 0;
    seen[21] += r->inexact != 0 && r->fallbacks != 0;
    seen[18] += awake && r->residual != 0; seen[19] += awake && r->problems != 0;
}

static void fuzz_count_time(double seconds, int bodies)
{
    double bound = 1e-5;
    int decade = 0;
    while (decade < 7 && seconds >= bound) { decade++; bound *= 10; }
    fuzz_sums[fuzz_state.level].by_decade[decade]++;
    fuzz_sums[fuzz_state.level].seconds += seconds;
    if (seconds > fuzz_sums[fuzz_state.level].slowest) {
        fuzz_sums[fuzz_state.level].slowest = seconds;
        fuzz_sums[fuzz_state.level].slowest_seed = fuzz_state.seed;
        fuzz_sums[fuzz_state.level].slowest_step = fuzz_state.step;
    }
    if (seconds > FUZZ_SLOW && bodies <= 20) fuzz_found(FUZZ_HANG, seconds);
}

/* What a world is made of, as far as its promises go. */
static void fuzz_name_family(const fuzz_world *f)
{
    const dvc_world *w = &f->w;
    const char *made = w->contact_model != DVC_PEG               ? "other model"
                       : w->time_stepping != DVC_STEWART_TRINKLE ? "Anitescu-Potra"
                       : w->epsilon > 0                          ? "epsilon"
                       : w->semi_implicit                        ? "semi_implicit"
                       : w->solver != DVC_AUTO                   ? "other solver"
                       : w->direct_bodies > 0                    ? "swept"
                                                                 : "plain";
    const char *tied = w->joint_count > 0    ? (w->spring_count > 0 ? ", joints, springs" : ", joints")
                       : w->spring_count > 0 ? ", springs"
                                             : "";
    snprintf(fuzz_state.family_room, sizeof fuzz_state.family_room, "%s%s", made, tied);
    fuzz_state.family = fuzz_state.family_room;
}

/* ---- a world through its steps ---- */

/* More room for contacts where a step asks for it. */
static dvc_status fuzz_step_with_room(fuzz_world *f, double h, const fuzz_copy *before)
{
    dvc_status status = fuzz_step_in(f, h, fuzz_scratch, fuzz_scratch_size);
    int tries = 0;
    while (status == DVC_ERROR_SCRATCH && f->level != FUZZ_HOSTILE && tries++ < 50
           && f->w.report.scratch_needed < FUZZ_SCRATCH_MOST) {
        fuzz_judge_error(f, before, "scratch");
        if (f->w.report.scratch_needed <= fuzz_scratch_size) {
            fuzz_found(FUZZ_SCRATCH_NEEDED, (double)f->w.report.scratch_needed);
            break;
        }
        fuzz_grow_scratch(2 * fuzz_scratch_size > f->w.report.scratch_needed ? 2 * fuzz_scratch_size
                                                                             : f->w.report.scratch_needed);
        fuzz_loads = 0;
        status = fuzz_step_in(f, h, fuzz_scratch, fuzz_scratch_size);
    }
    while (status == DVC_ERROR_CONTACTS && f->level != FUZZ_HOSTILE && tries++ < 50) {
        int need = f->w.report.contacts_needed;
        if (need > 2500) break; /* too many to be worth it */
        if (need <= f->w.contact_capacity) { fuzz_found(FUZZ_CONTACTS_NEEDED, need); break; }
        fuzz_judge_error(f, before, "contacts");
        f->w.contacts = (dvc_contact *)realloc(f->w.contacts, (size_t)need * sizeof *f->w.contacts);
        if (!f->w.contacts) abort();
        f->w.contact_capacity = need;
        fuzz_loads = 0;
        status = fuzz_step_in(f, h, fuzz_scratch, fuzz_scratch_size);
    }
    return status;
}

static void fuzz_judge_status(const fuzz_world *f, const fuzz_copy *before, dvc_status status)
{
    if ((int)status < 0 || status >= DVC_STATUS_COUNT) { fuzz_found(FUZZ_STATUS, status); return; }
    if (status != DVC_OK) {
        fuzz_judge_error(f, before, dvc_status_text(status));
        fuzz_sums[f->level].refused[status]++;
        if (f->level == FUZZ_SANE) fuzz_found_in(FUZZ_REFUSED, status, dvc_status_text(status));
        return;
    }
    if (f->w.culprit != -1) fuzz_found(FUZZ_STATUS, f->w.culprit);
    if (f->w.contact_count < 0 || f->w.contact_count > f->w.contact_capacity) fuzz_found(FUZZ_CONTACT_NAMES, f->w.contact_count);
    if (f->w.report.scratch_used > f->w.scratch_size) fuzz_found(FUZZ_SCRATCH_WILD, 1);
    fuzz_judge_finite(&f->w);
}

/* Something was done that seldom is: worth a look whether it is summed up right. */
static bool fuzz_is_rare(const dvc_report *r)
{
    return r->islands > 1 && r->flips + r->cuts + r->halvings + r->fallbacks + r->inexact > 0;
}

static fuzz_copy fuzz_before, fuzz_after;

/* One step, judged. False: the world goes no further. */
static bool fuzz_one_step(fuzz_world *f, fuzz_source *checks, double h)
{
    double start;
    dvc_status status;
    bool judged = f->level != FUZZ_HOSTILE;
    fuzz_name_family(f);
    fuzz_take(&fuzz_before, f);
    if (judged) fuzz_measure(f, fuzz_depths);
    fuzz_loads = 0;
    start = fuzz_now();
    status = fuzz_step_with_room(f, h, &fuzz_before);
    fuzz_count_time(fuzz_now() - start, f->w.body_count);
    fuzz_sums[f->level].steps++;
    fuzz_judge_status(f, &fuzz_before, status);
    if (fuzz_state.loud)
        printf(
            "step %d h %.4g: %s; residual %.2g inexact %d fallbacks %d halvings %d repeats %d contacts %d gap %.2g excess %.2g\n",
            fuzz_state.step, h, status == DVC_OK ? "ok" : dvc_status_text(status), (double)f->w.report.residual,
            f->w.report.inexact, f->w.report.fallbacks, f->w.report.halvings, f->w.report.repeats, f->w.report.contacts,
            (double)f->w.report.worst_gap, (double)f->w.report.energy_excess);
    if (status == DVC_OK) {
        fuzz_sums[f->level].ok++;
        fuzz_sums[f->level].inexact += f->w.report.inexact > 0;
        if (f->w.report.inexact > 0) fuzz_found(FUZZ_INEXACT, f->w.report.inexact);
        fuzz_count_fields(&f->w);
        if (judged && fuzz_bodies_finite(&f->w)) {
            if (f->w.report.repeats != fuzz_loads - 1 && fuzz_loads > 0)
                fuzz_found_in(FUZZ_COUNTS, f->w.report.repeats, "repeats");
            fuzz_judge(f, &fuzz_before, h);
        }
        if (fuzz_is_rare(&f->w.report) && fuzz_chance(checks, 500)) {
            fuzz_twice twice = { &fuzz_before, &fuzz_after, h, DVC_OK };
            fuzz_take(&fuzz_after, f);
            fuzz_again_apart(f, checks, &twice);
            fuzz_give(f, &fuzz_after);
        }
        if (fuzz_state.hunting || (fuzz_chance(checks, 120) && fuzz_now() - start < 0.2)) {
            fuzz_twice twice = { &fuzz_before, &fuzz_after, h, DVC_OK };
            fuzz_take(&fuzz_after, f);
            fuzz_again(f, checks, &twice);
        }
    }
    return status == DVC_OK || f->level == FUZZ_HOSTILE;
}

static fuzz_world fuzz_now_world;
static void (*fuzz_before_step)(fuzz_world *f, double h); /* the shrinker's: called before each step */

/* A world of the source, through as many steps as that says. */
static void fuzz_run_world(fuzz_source *source, fuzz_source *checks, fuzz_level level)
{
    fuzz_world *f = &fuzz_now_world;
    int steps, k, edits;
    if (!fuzz_scratch) fuzz_grow_scratch(FUZZ_SCRATCH);
    memset(&fuzz_cache, 0, sizeof fuzz_cache.known);
    fuzz_state.step = -1;
    fuzz_state.family = "";
    fuzz_world_make(f, source, level);
    steps = 10 + fuzz_below(source, 50);
    edits = fuzz_chance(source, 500) ? 0 : 20 + fuzz_below(source, level == FUZZ_SANE ? 100 : 300);
    fuzz_sums[level].worlds++;
    for (k = 0; k < steps; k++) {
        double h = fuzz_chance(source, 20) ? fuzz_step_size(source, level) : f->h;
        fuzz_state.step = k;
        if (k > 0 && fuzz_chance(source, edits)) fuzz_edit(f, source);
        if (fuzz_before_step) fuzz_before_step(f, h);
        if (!fuzz_one_step(f, checks, h)) break;
    }
    fuzz_world_free(f);
}

#endif
