/* The random driver: see README's section on tests, and `fuzz help`.
 *
 *     fuzz.h    choices, breaches          solid.h   geometry of its own      lcp.h, hull.h, read.h, ask.h
 *     world.h   random worlds              judge.h   laws of a step                     the other targets
 *     edit.h    edits between steps        step.h    worlds through steps     shrink.h  a breach as a small C program
 *     copy.h    a world kept
 */
#define _XOPEN_SOURCE 700
#include "ask.h"
#include "hull.h"
#include "lcp.h"
#include "read.h"
#include "shrink.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define FUZZ_ENDLESS_SECONDS 20
#define FUZZ_ENOUGH 30000 /* sane steps after which each field of the report should have been set */

/* ---- hooks of the engine ---- */

static sigjmp_buf fuzz_way_out;
static volatile sig_atomic_t fuzz_guarded;

static void fuzz_leave(fuzz_kind kind, const char *where)
{
    fuzz_found_in(kind, 1, where);
    if (fuzz_guarded) siglongjmp(fuzz_way_out, 1);
    printf("  %s %d/%llu step %d: %s %s\n", fuzz_state.target, (int)fuzz_state.level, (unsigned long long)fuzz_state.seed, fuzz_state.step, fuzz_kind_texts[kind].text, where);
    fflush(stdout);
    abort();
}

void fuzz_assert_failed(const char *text, const char *file, int line)
{
    char where[FUZZ_TEXT];
    const char *name = strrchr(file, '/');
    snprintf(where, sizeof where, "%s:%d %s", name ? name + 1 : file, line, text);
    fuzz_leave(FUZZ_ASSERT, where);
}

int fuzz_thread_count(void) { return fuzz_threads; }

void fuzz_parallel(int count, void (*run)(void *data, int k), void *data)
{
    int k;
    for (k = 0; k < count; k++) run(data, fuzz_backwards ? count - 1 - k : k);
}

void fuzz_stage(const char *name) { fuzz_loads += strcmp(name, "load") == 0; }

/* ---- what ends a world early ---- */

static void fuzz_set_clock(int seconds)
{
    struct itimerval t;
    memset(&t, 0, sizeof t);
    t.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &t, NULL);
}

/* For the shrinker: a step, whatever happens in it. */
static bool fuzz_guarded_step(fuzz_world *f, double h)
{
    fuzz_source checks = fuzz_from_seed(fuzz_state.seed, 2);
    volatile bool done = false;
    fuzz_set_clock(FUZZ_ENDLESS_SECONDS);
    if (sigsetjmp(fuzz_way_out, 1) == 0) done = fuzz_one_step(f, &checks, h);
    fuzz_set_clock(0);
    return done;
}

static void fuzz_on_signal(int number)
{
    if (number == SIGPROF) fuzz_leave(FUZZ_ENDLESS, fuzz_state.family ? fuzz_state.family : "");
    fuzz_leave(FUZZ_CRASH, number == SIGFPE ? "SIGFPE" : number == SIGABRT ? "SIGABRT" : "SIGSEGV");
}

static void fuzz_catch_signals(void)
{
    static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF };
    struct sigaction action;
    size_t i;
    memset(&action, 0, sizeof action);
    action.sa_handler = fuzz_on_signal;
    action.sa_flags = SA_NODEFER;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}

/* ---- targets ---- */

typedef struct fuzz_target { const char *name; void (*run)(fuzz_source *source, fuzz_source *checks, fuzz_level level); } fuzz_target;

static const fuzz_target fuzz_targets[] = {
    { "step", fuzz_run_world }, { "lcp", fuzz_run_lcp }, { "hull", fuzz_run_hull }, { "read", fuzz_run_read }, { "ask", fuzz_run_ask },
};
enum { FUZZ_TARGETS = sizeof fuzz_targets / sizeof *fuzz_targets };

static const fuzz_target *fuzz_target_named(const char *name)
{
    int i;
    for (i = 0; i < FUZZ_TARGETS; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0) return &fuzz_targets[i];
    return NULL;
}

/* One seed. What it does wrong ends it, and nothing else. */
static void fuzz_run_seed(const fuzz_target *target, fuzz_level level, uint64_t seed)
{
    fuzz_source source = fuzz_from_seed(seed, 0), checks = fuzz_from_seed(seed, 1);
    fuzz_state.level = level;
    fuzz_state.seed = seed;
    fuzz_state.target = target->name;
    fuzz_threads = 1;
    fuzz_set_clock(FUZZ_ENDLESS_SECONDS);
    fuzz_guarded = 1;
    if (sigsetjmp(fuzz_way_out, 1) == 0) target->run(&source, &checks, level);
    else memset(&fuzz_now_world, 0, sizeof fuzz_now_world); /* what it held is lost: it may be damaged */
    fuzz_guarded = 0;
    fuzz_set_clock(0);
}

/* ---- the table ---- */

static int fuzz_tally_order(const void *a, const void *b)
{
    const fuzz_tally *x = (const fuzz_tally *)a, *y = (const fuzz_tally *)b;
    if (fuzz_kind_texts[x->kind].class_of != fuzz_kind_texts[y->kind].class_of) return fuzz_kind_texts[x->kind].class_of < fuzz_kind_texts[y->kind].class_of ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count;
}

static void fuzz_print_tally(const fuzz_tally *t)
{
    static const char *const names[] = { "FAULT", "LIE", "LAW", "gap", "told" };
    double steps = (double)(fuzz_sums[t->level].steps > 0 ? fuzz_sums[t->level].steps : fuzz_sums[t->level].worlds);
    int i;
    printf("%-5s %-46s %-28s %d %8ld", names[fuzz_kind_texts[t->kind].class_of], fuzz_kind_texts[t->kind].text, t->family, (int)t->level, t->count);
    if (steps > 0) printf(" %9.1f", (double)t->count * 1e6 / steps);
    else printf(" %9s", "");
    printf("  %8.2g at %llu/%d;", t->worst, (unsigned long long)t->worst_seed, t->worst_step);
    for (i = 0; i < t->seed_count; i++) printf(" %llu/%d", (unsigned long long)t->seeds[i], t->steps[i]);
    printf("\n");
}

static void fuzz_print_sums(fuzz_level level)
{
    int i;
    if (fuzz_sums[level].worlds == 0) return;
    printf("level %d: %ld worlds, %ld steps, %ld ok, %ld inexact (%.4f %%), %ld done again; slowest %.3g s (%llu/%d); us a step: %.1f\n", (int)level, fuzz_sums[level].worlds, fuzz_sums[level].steps, fuzz_sums[level].ok,
           fuzz_sums[level].inexact, 100.0 * (double)fuzz_sums[level].inexact / (double)(fuzz_sums[level].ok > 0 ? fuzz_sums[level].ok : 1), fuzz_sums[level].repeated,
           fuzz_sums[level].slowest, (unsigned long long)fuzz_sums[level].slowest_seed, fuzz_sums[level].slowest_step, 1e6 * fuzz_sums[level].seconds / (double)(fuzz_sums[level].steps > 0 ? fuzz_sums[level].steps : 1));
    printf("  steps by time: <10us %ld, <100us %ld, <1ms %ld, <10ms %ld, <100ms %ld, <1s %ld, <10s %ld, more %ld\n", fuzz_sums[level].by_decade[0], fuzz_sums[level].by_decade[1], fuzz_sums[level].by_decade[2], fuzz_sums[level].by_decade[3],
           fuzz_sums[level].by_decade[4], fuzz_sums[level].by_decade[5], fuzz_sums[level].by_decade[6], fuzz_sums[level].by_decade[7]);
    printf("  share of steps in which a field is not 0:");
    for (i = 0; i < FUZZ_FIELDS; i++) printf(" %s %.2g%%", fuzz_field_names[i], 100.0 * (double)fuzz_sums[level].seen[i] / (double)(fuzz_sums[level].ok > 0 ? fuzz_sums[level].ok : 1));
    printf("\n");
    for (i = 1; i < DVC_STATUS_COUNT; i++)
        if (fuzz_sums[level].refused[i]) printf("  %ld steps: %s\n", fuzz_sums[level].refused[i], dvc_status_text((dvc_status)i));
}

/* A field that so many steps have never set is not set at all. */
static void fuzz_judge_fields(void)
{
    int i;
    fuzz_state.level = FUZZ_SANE;
    if (fuzz_sums[FUZZ_SANE].ok < FUZZ_ENOUGH) return;
    for (i = 0; i < FUZZ_FIELDS; i++)
        if (fuzz_sums[FUZZ_SANE].seen[i] == 0) fuzz_found_in(FUZZ_NEVER, 0, fuzz_field_names[i]);
}

/* Returns how many breaches there are that are no known gaps. */
static long fuzz_print_table(void)
{
    long bad = 0;
    int i;
    fuzz_judge_fields();
    for (i = 0; i < FUZZ_LEVELS; i++) fuzz_print_sums((fuzz_level)i);
    qsort(fuzz_state.tallies, (size_t)fuzz_state.tally_count, sizeof *fuzz_state.tallies, fuzz_tally_order);
    if (fuzz_state.tally_count > 0) printf("%-5s %-46s %-28s %s %8s %9s  %s\n", "class", "breach", "worlds", "L", "count", "per 1e6", "worst at seed/step; first seeds");
    for (i = 0; i < fuzz_state.tally_count; i++) {
        fuzz_print_tally(&fuzz_state.tallies[i]);
        if (fuzz_kind_texts[fuzz_state.tallies[i].kind].class_of < FUZZ_GAP) bad += fuzz_state.tallies[i].count;
    }
    printf("%ld breaches that are no known gaps\n", bad);
    return bad;
}

/* ---- the command line ---- */

static int fuzz_usage(void)
{
    puts("fuzz TARGET LEVEL FROM COUNT    worlds of the seeds FROM .. FROM + COUNT - 1; LEVEL 0 sane, 1 extreme, 2 hostile\n"
         "fuzz replay LEVEL SEED          one world, step by step\n"
         "fuzz shrink LEVEL SEED STEP KIND   the breach as a small C program; KIND: a part of its text\n"
         "TARGET: step lcp hull read ask");
    return 2;
}

static int fuzz_run_shrinker(char **words)
{
    int k = 0;
    while (k < FUZZ_KIND_COUNT && !strstr(fuzz_kind_texts[k].text, words[5])) k++;
    if (k == FUZZ_KIND_COUNT) return fuzz_usage();
    fuzz_state.hunted = (fuzz_kind)k;
    fuzz_shrink.on = true;
    fuzz_shrink.step = atoi(words[4]);
    fuzz_before_step = fuzz_shrink_here;
    fuzz_run_seed(&fuzz_targets[0], (fuzz_level)atoi(words[2]), strtoull(words[3], NULL, 10));
    fprintf(stderr, "the step was not reached\n");
    return 1;
}

int main(int argc, char **argv)
{
    const fuzz_target *target;
    uint64_t seed, from, count;
    setvbuf(stdout, NULL, _IOLBF, 0);
    fuzz_catch_signals();
    if (argc > 3 && strcmp(argv[1], "replay") == 0) {
        fuzz_state.loud = true;
        fuzz_run_seed(&fuzz_targets[0], (fuzz_level)atoi(argv[2]), strtoull(argv[3], NULL, 10));
        return 0;
    }
    if (argc > 5 && strcmp(argv[1], "shrink") == 0) return fuzz_run_shrinker(argv);
    if (argc < 5 || !(target = fuzz_target_named(argv[1]))) return fuzz_usage();
    from = strtoull(argv[3], NULL, 10);
    count = strtoull(argv[4], NULL, 10);
    for (seed = from; seed < from + count; seed++) fuzz_run_seed(target, (fuzz_level)atoi(argv[2]), seed);
    return fuzz_print_table() > 0;
}
