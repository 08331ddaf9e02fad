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
    printf("  %s %d/%llu step %d: %s %s\n", fuzz_state.target, (int)fuzz_state.level, (unsigned long long)fuzz_state.seed,
           fuzz_state.step, fuzz_kind_texts[kind].text, where);
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

typedef struct fuzz_target {
    const char *name;
    void (*run)(fuzz_source *source, fuzz_source *checks, fuzz_level level);
} fuzz_target;

static const fuzz_target fuzz_targets[] = {
    { "step", fuzz_run_world }, { "lcp", fuzz_run_lcp }, { "hull", fuzz_run_hull },
    { "read", fuzz_run_read },  { "ask", fuzz_run_ask },
};
enum { FUZZ_TARGETS = sizeof fuzz_targets / sizeof *fuzz_targets };

static long fuzz_worlds[FUZZ_TARGETS][FUZZ_LEVELS];

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
    fuzz_worlds[target - fuzz_targets][level]++;
    fuzz_set_clock(FUZZ_ENDLESS_SECONDS);
    fuzz_guarded = 1;
    if (sigsetjmp(fuzz_way_out, 1) == 0) target->run(&source, &checks, level);
    else memset(&fuzz_now_world, 0, sizeof fuzz_now_world); /* what it held is lost: it may be damaged */
    fuzz_guarded = 0;
    fuzz_set_clock(0);
}

/* ---- the table ---- */

static int fuzz_target_index(const char *name)
{
    int i = 0;
    while (i < FUZZ_TARGETS - 1 && strcmp(fuzz_targets[i].name, name) != 0) i++;
    return i;
}

static int fuzz_tally_order(const void *a, const void *b)
{
    const fuzz_tally *x = (const fuzz_tally *)a, *y = (const fuzz_tally *)b;
    fuzz_class p = fuzz_kind_texts[x->kind].class_of, q = fuzz_kind_texts[y->kind].class_of;
    if (p != q) return p < q ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count;
}

/* Per million steps; of other targets, per million inputs. */
static double fuzz_per_million(const fuzz_tally *t)
{
    double of = (double)fuzz_worlds[fuzz_target_index(t->target)][t->level];
    if (strcmp(t->target, "step") == 0) of = (double)fuzz_sums[t->level].steps;
    return of > 0 ? (double)t->count * 1e6 / of : 0;
}

static void fuzz_print_tally(const fuzz_tally *t)
{
    static const char *const names[] = { "FAULT", "LIE", "LAW", "gap", "told" };
    int i;
    printf("%-5s %-46s %-4s %-28.40s %d %8ld %9.1f", names[fuzz_kind_texts[t->kind].class_of], fuzz_kind_texts[t->kind].text,
           t->target, t->family, (int)t->level, t->count, fuzz_per_million(t));
    printf("  %8.2g at %llu/%d;", t->worst, (unsigned long long)t->worst_seed, t->worst_step);
    for (i = 0; i < t->seed_count; i++) printf(" %llu/%d", (unsigned long long)t->seeds[i], t->steps[i]);
    printf("\n");
}

static void fuzz_print_sums(fuzz_level level)
{
    static const char *const bounds[] = { "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "more" };
    double ok = (double)(fuzz_sums[level].ok > 0 ? fuzz_sums[level].ok : 1), steps = (double)fuzz_sums[level].steps;
    int i;
    if (fuzz_sums[level].steps == 0) return;
    printf("level %d: %ld worlds, %ld steps, %ld ok, %ld inexact (%.4f %%), %ld done again; %.1f us a step, slowest %.3g s "
           "(%llu/%d)\n",
           (int)level, fuzz_sums[level].worlds, fuzz_sums[level].steps, fuzz_sums[level].ok, fuzz_sums[level].inexact,
           100 * (double)fuzz_sums[level].inexact / ok, fuzz_sums[level].repeated, 1e6 * fuzz_sums[level].seconds / steps,
           fuzz_sums[level].slowest, (unsigned long long)fuzz_sums[level].slowest_seed, fuzz_sums[level].slowest_step);
    printf("  steps that took less than:");
    for (i = 0; i < 8; i++) printf(" %s %ld%s", bounds[i], fuzz_sums[level].by_decade[i], i < 7 ? "," : "\n");
    printf("  steps in which a field is not 0:");
    for (i = 0; i < FUZZ_FIELDS; i++)
        printf(" %s %.3g %%%s", fuzz_field_names[i], 100 * (double)fuzz_sums[level].seen[i] / ok,
               i < FUZZ_FIELDS - 1 ? "," : "\n");
    for (i = 1; i < DVC_STATUS_COUNT; i++)
        if (fuzz_sums[level].refused[i]) printf("  %ld steps: %s\n", fuzz_sums[level].refused[i], dvc_status_text((dvc_status)i));
}

/* A field that so many steps have never set is not set at all. */
static void fuzz_judge_fields(void)
{
    int i;
    fuzz_state.level = FUZZ_SANE;
    fuzz_state.target = fuzz_targets[0].name;
    fuzz_state.seed = 0;
    fuzz_state.step = 0;
    if (fuzz_sums[FUZZ_SANE].ok < FUZZ_ENOUGH) return;
    for (i = 0; i < FUZZ_FIELDS; i++)
        if (fuzz_sums[FUZZ_SANE].seen[i] == 0) fuzz_found_in(FUZZ_NEVER, 0, fuzz_field_names[i]);
}

/* Faults that are to be cured with the solver, and counted until then: time without a bound, room that is asked for bit by bit. */
static bool fuzz_is_open(fuzz_kind kind)
{
    return kind == FUZZ_ENDLESS || kind == FUZZ_HANG || kind == FUZZ_REFUSED || kind == FUZZ_SCRATCH_SHORT;
}

/* Returns how many faults there are that must never be: crashes, numbers that are not finite, errors that change something, other
 * bits, wild writes. The other breaches are counted and told; README says which are open. */
static long fuzz_print_table(void)
{
    long bad = 0, never = 0;
    int i, k;
    fuzz_judge_fields();
    for (i = 0; i < FUZZ_LEVELS; i++) fuzz_print_sums((fuzz_level)i);
    for (k = 1; k < FUZZ_TARGETS; k++)
        for (i = 0; i < FUZZ_LEVELS; i++)
            if (fuzz_worlds[k][i] > 0) printf("%s, level %d: %ld inputs\n", fuzz_targets[k].name, i, fuzz_worlds[k][i]);
    qsort(fuzz_state.tallies, (size_t)fuzz_state.tally_count, sizeof *fuzz_state.tallies, fuzz_tally_order);
    if (fuzz_state.tally_count > 0)
        printf("%-5s %-46s %-4s %-28s %s %8s %9s  %s\n", "class", "breach", "", "worlds", "L", "count", "per 1e6",
               "worst at seed/step; first seeds");
    for (i = 0; i < fuzz_state.tally_count; i++) {
        fuzz_print_tally(&fuzz_state.tallies[i]);
        if (fuzz_kind_texts[fuzz_state.tallies[i].kind].class_of < FUZZ_GAP) bad += fuzz_state.tallies[i].count;
        if (fuzz_kind_texts[fuzz_state.tallies[i].kind].class_of == FUZZ_FAULT && !fuzz_is_open(fuzz_state.tallies[i].kind))
            never += fuzz_state.tallies[i].count;
    }
    printf("%ld breaches that are no known gaps, %ld of them such as must never be\n", bad, never);
    return never;
}

/* ---- the command line ---- */

static int fuzz_usage(void)
{
    puts(
        "fuzz TARGET LEVEL FROM COUNT         inputs of the seeds FROM .. FROM + COUNT - 1; LEVEL: 0 sane, 1 extreme, 2 hostile\n"
        "fuzz all SECONDS [FROM]              all targets and levels: seeds from 1 on, then from FROM on, or from a new one\n"
        "fuzz replay [TARGET] LEVEL SEED      one input, step by step\n"
        "fuzz shrink LEVEL SEED STEP KIND     the breach as a small C program; KIND: a part of its text\n"
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

static int fuzz_run_replay(int count, char **words)
{
    const fuzz_target *target = count > 4 ? fuzz_target_named(words[2]) : &fuzz_targets[0];
    if (!target) return fuzz_usage();
    fuzz_state.loud = true;
    fuzz_run_seed(target, (fuzz_level)atoi(words[count - 2]), strtoull(words[count - 1], NULL, 10));
    return 0;
}

/* Of a hundred inputs, roughly by what they cost: sane steps get most of the time. */
static void fuzz_run_hundred(uint64_t seed)
{
    static const int shares[FUZZ_TARGETS][FUZZ_LEVELS] = { { 40, 8, 8 }, { 6, 3, 3 }, { 6, 3, 3 }, { 4, 4, 4 }, { 4, 2, 2 } };
    int target, level, k;
    for (target = 0; target < FUZZ_TARGETS; target++)
        for (level = 0; level < FUZZ_LEVELS; level++)
            for (k = 0; k < shares[target][level]; k++)
                fuzz_run_seed(&fuzz_targets[target], (fuzz_level)level, seed + (uint64_t)k);
}

static void fuzz_run_for(double seconds, uint64_t from)
{
    double end = (double)clock() / CLOCKS_PER_SEC + seconds;
    uint64_t seed = from;
    do {
        fuzz_run_hundred(seed);
        seed += 40;
    } while ((double)clock() / CLOCKS_PER_SEC < end);
    printf("seeds %llu .. %llu\n", (unsigned long long)from, (unsigned long long)seed - 1);
}

/* Half of the time on the seeds that everybody has, half on new ones. */
static int fuzz_run_all(int count, char **words)
{
    double seconds = atof(words[2]);
    uint64_t from = count > 3 ? strtoull(words[3], NULL, 10) : (uint64_t)time(NULL) * 1000;
    printf("new seeds from %llu on\n", (unsigned long long)from);
    fuzz_run_for(seconds / 2, 1);
    fuzz_run_for(seconds / 2, from);
    return fuzz_print_table() > 0;
}

#ifdef FUZZ_LIBFUZZER
/* The target is FUZZ_TARGET of the environment, the level the first byte's. The run ends at the first fault, or, if FUZZ_STOP is
 * "none", at what the sanitizer finds. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const fuzz_target *target;
    fuzz_source source, checks = fuzz_from_seed(size, 1);
    fuzz_level level = (fuzz_level)(size > 0 ? bytes[0] % FUZZ_LEVELS : 0);
    if (!target && !(target = fuzz_target_named(getenv("FUZZ_TARGET") ? getenv("FUZZ_TARGET") : "step"))) abort();
    source = fuzz_from_bytes(bytes + (size > 0), size > 0 ? size - 1 : 0);
    fuzz_state.level = level;
    fuzz_state.target = target->name;
    fuzz_state.stop_at_breach = !getenv("FUZZ_STOP") || strcmp(getenv("FUZZ_STOP"), "none") != 0;
    target->run(&source, &checks, level);
    return 0;
}
#else
int main(int argc, char **argv)
{
    const fuzz_target *target;
    uint64_t seed, from, count;
    setvbuf(stdout, NULL, _IOLBF, 0);
    fuzz_catch_signals();
    if (argc > 3 && strcmp(argv[1], "replay") == 0) return fuzz_run_replay(argc, argv);
    if (argc > 5 && strcmp(argv[1], "shrink") == 0) return fuzz_run_shrinker(argv);
    if (argc > 2 && strcmp(argv[1], "all") == 0) return fuzz_run_all(argc, argv);
    if (argc < 5 || !(target = fuzz_target_named(argv[1]))) return fuzz_usage();
    from = strtoull(argv[3], NULL, 10);
    count = strtoull(argv[4], NULL, 10);
    for (seed = from; seed < from + count; seed++) fuzz_run_seed(target, (fuzz_level)atoi(argv[2]), seed);
    return fuzz_print_table() > 0;
}
#endif
