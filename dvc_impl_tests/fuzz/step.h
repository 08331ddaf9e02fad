/* A random world through some steps: each is judged, and some are done again: with scratch of just the right size, a byte less, with
 * fewer contacts, strictly, with threads, without the terrain, from a recording, with the solution put in. What is done again must
 * come to the same bits. */
#ifndef DVC_FUZZ_STEP_H
#define DVC_FUZZ_STEP_H

#include "edit.h"
#include "judge.h"

enum { FUZZ_SCRATCH = 1 << 25, FUZZ_SCRATCH_MOST = 1 << 29, FUZZ_GUARD = 64 };

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
        if (f->w.report.scratch_needed <= size || f->w.report.scratch_needed > used) { fuzz_found(FUZZ_SCRATCH_NEEDED, (double)f->w.report.scratch_needed - (double)used); break; }
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
        if (status == DVC_OK || f->w.report.contacts_needed < need) fuzz_found(FUZZ_CONTACTS_NEEDED, f->w.report.contacts_needed - need);
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
    if (status != DVC_OK && memcmp(&f->w.report.residual, &t->after->w.report.residual, sizeof(dvc_real)) != 0) fuzz_found_in(FUZZ_STRICT, 1, "residual");
}

static void fuzz_again_threads(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    dvc_status status;
    fuzz_give(f, t->before);
    fuzz_threads = 2 + fuzz_below(s, 3);
    fuzz_backwards = fuzz_chance(s, 500);
    f->w.threads = 0;
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    fuzz_threads = 1;
    f->w.threads = t->before->w.threads;
    if (status != t->status || !fuzz_result_same(f, t->after)) fuzz_found(FUZZ_BITS_THREADS, status);
    else if (memcmp(&f->w.report.residual, &t->after->w.report.residual, sizeof(dvc_real)) != 0 || f->w.report.iterations != t->after->w.report.iterations
             || f->w.report.inexact != t->after->w.report.inexact)
        fuzz_found_in(FUZZ_BITS_THREADS, 1, "report");
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
    { int i; for (i = 0; i < f->w.body_count; i++) {
        const dvc_body *b = fuzz_body_before(t->before, i);
        f->w.bodies[i].motion = b->motion;
        f->w.bodies[i].user = b->user;
        f->w.bodies[i].support = b->support;
    } }
    status = fuzz_step_in(f, t->h, fuzz_scratch, fuzz_scratch_size);
    if (status != t->status || !fuzz_motion_same(f, t->after)) fuzz_found(FUZZ_BITS_RECORD, status);
}

static void fuzz_again(fuzz_world *f, fuzz_source *s, const fuzz_twice *t)
{
    static void (*const ways[])(fuzz_world *f, fuzz_source *s, const fuzz_twice *t) = {
        fuzz_again_tight, fuzz_again_short, fuzz_again_crowded, fuzz_again_strict, fuzz_again_threads, fuzz_again_bare, fuzz_again_recorded
    };
    int way = fuzz_below(s, 7), k;
    fuzz_sums[fuzz_state.level].repeated++;
    for (k = 0; k < (fuzz_state.hunting ? 28 : 7); k++) {
        if (k != way && !fuzz_state.hunting) continue; /* who hunts tries all of them, several times */
        ways[k % 7](f, s, t);
        fuzz_give(f, t->after);
    }
}

/* ---- counting ---- */

enum { FUZZ_FIELDS = 18 };
static const char *const fuzz_field_names[FUZZ_FIELDS] = {
    "residual", "iterations", "worst_gap", "energy_excess", "inexact", "fallbacks", "islands", "contacts", "enforced", "disjunctions", "problems",
    "largest_problem", "flips", "cuts", "corrections", "halvings", "repeats", "contacts_needed"
};

static void fuzz_count_fields(const dvc_report *r)
{
    long *seen = fuzz_sums[fuzz_state.level].seen;
    seen[0] += r->residual != 0; seen[1] += r->iterations != 0; seen[2] += r->worst_gap != 0; seen[3] += r->energy_excess != 0;
    seen[4] += r->inexact != 0; seen[5] += r->fallbacks != 0; seen[6] += r->islands != 0; seen[7] += r->contacts != 0;
    seen[8] += r->enforced != 0; seen[9] += r->disjunctions != 0; seen[10] += r->problems != 0; seen[11] += r->largest_problem != 0;
    seen[12] += r->flips != 0; seen[13] += r->cuts != 0; seen[14] += r->corrections != 0; seen[15] += r->halvings != 0;
    seen[16] += r->repeats != 0; seen[17] += r->contacts_needed != 0;
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
    const char *made = w->contact_model != DVC_PEG ? "other model" : w->time_stepping != DVC_STEWART_TRINKLE ? "Anitescu-Potra"
        : w->semi_implicit ? "semi_implicit" : w->solver != DVC_AUTO ? "other solver" : w->direct_bodies > 0 ? "swept" : w->epsilon > 0 ? "epsilon" : "plain";
    const char *tied = w->joint_count > 0 ? (w->spring_count > 0 ? ", joints, springs" : ", joints") : w->spring_count > 0 ? ", springs" : "";
    snprintf(fuzz_state.family_room, sizeof fuzz_state.family_room, "%s%s", made, tied);
    fuzz_state.family = fuzz_state.family_room;
}

/* ---- a world through its steps ---- */

/* More room for contacts where a step asks for it. */
static dvc_status fuzz_step_with_room(fuzz_world *f, double h, const fuzz_copy *before)
{
    dvc_status status = fuzz_step_in(f, h, fuzz_scratch, fuzz_scratch_size);
    int tries = 0;
    while (status == DVC_ERROR_SCRATCH && f->level != FUZZ_HOSTILE && tries++ < 50 && f->w.report.scratch_needed < FUZZ_SCRATCH_MOST) {
        fuzz_judge_error(f, before, "scratch");
        if (f->w.report.scratch_needed <= fuzz_scratch_size) { fuzz_found(FUZZ_SCRATCH_NEEDED, (double)f->w.report.scratch_needed); break; }
        fuzz_grow_scratch(2 * fuzz_scratch_size > f->w.report.scratch_needed ? 2 * fuzz_scratch_size : f->w.report.scratch_needed);
        fuzz_loads = 0;
        status = fuzz_step_in(f, h, fuzz_scratch, fuzz_scratch_size);
    }
    while (status == DVC_ERROR_CONTACTS && f->level == FUZZ_SANE && tries++ < 50) {
        int need = f->w.report.contacts_needed;
        if (need <= f->w.contact_capacity || need > 100000) { fuzz_found(FUZZ_CONTACTS_NEEDED, need); break; }
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
        printf("step %d h %.4g: %s; residual %.2g inexact %d fallbacks %d halvings %d repeats %d contacts %d gap %.2g excess %.2g\n", fuzz_state.step, h, status == DVC_OK ? "ok" : dvc_status_text(status),
               (double)f->w.report.residual, f->w.report.inexact, f->w.report.fallbacks, f->w.report.halvings, f->w.report.repeats, f->w.report.contacts, (double)f->w.report.worst_gap, (double)f->w.report.energy_excess);
    if (status == DVC_OK) {
        fuzz_sums[f->level].ok++;
        fuzz_sums[f->level].inexact += f->w.report.inexact > 0;
        if (f->w.report.inexact > 0) fuzz_found(FUZZ_INEXACT, f->w.report.inexact);
        fuzz_count_fields(&f->w.report);
        if (judged && fuzz_bodies_finite(&f->w)) {
            if (f->w.report.repeats != fuzz_loads - 1 && fuzz_loads > 0) fuzz_found_in(FUZZ_COUNTS, f->w.report.repeats, "repeats");
            fuzz_judge(f, &fuzz_before, h);
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
