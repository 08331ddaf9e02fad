/* Where choices come from, and what is found.
 *
 * A world is drawn from a seed, or from the bytes of a fuzzer: both are a `fuzz_source`. What a check needs beside the world (which
 * steps to repeat, and how) is drawn from a source of its own, so that a new check leaves the worlds of all seeds as they are.
 *
 * A breach has a kind; it is counted by kind, by family of worlds (what they are made of) and by level, with the seeds that showed
 * it first. Judges know nothing of seeds: they call fuzz_found. */
#ifndef DVC_FUZZ_H
#define DVC_FUZZ_H

#include "../../dvc.h"
#include "hooks.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__)
#define FUZZ_WORD __attribute__((unused)) static
#else
#define FUZZ_WORD static
#endif

typedef enum fuzz_level { FUZZ_SANE = 0, FUZZ_EXTREME, FUZZ_HOSTILE, FUZZ_LEVELS } fuzz_level;

/* ---- choices ---- */

typedef struct fuzz_source {
    const uint8_t *bytes; /* of a fuzzer; NULL: from the state */
    size_t left;
    uint64_t state;
} fuzz_source;

static uint64_t fuzz_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static fuzz_source fuzz_from_seed(uint64_t seed, uint64_t stream)
{
    fuzz_source s = { NULL, 0, 0 };
    s.state = fuzz_mix(seed * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u * (stream + 1));
    return s;
}

FUZZ_WORD fuzz_source fuzz_from_bytes(const uint8_t *bytes, size_t size)
{
    fuzz_source s;
    s.bytes = bytes;
    s.left = size;
    s.state = 0;
    return s;
}

/* 16 random bits; a fuzzer's bytes end in zeros. */
static unsigned fuzz_bits(fuzz_source *s)
{
    unsigned a, b;
    if (!s->bytes) {
        s->state += 0x9E3779B97F4A7C15u;
        return (unsigned)(fuzz_mix(s->state) >> 48);
    }
    a = s->left > 0 ? s->bytes[0] : 0u;
    b = s->left > 1 ? s->bytes[1] : 0u;
    s->bytes += s->left > 1 ? 2 : s->left;
    s->left -= s->left > 1 ? 2 : s->left;
    return a | b << 8;
}

static int fuzz_below(fuzz_source *s, int n) { return n > 1 ? (int)(fuzz_bits(s) % (unsigned)n) : 0; }

/* True so many times of a thousand. */
static bool fuzz_chance(fuzz_source *s, int thousandth) { return fuzz_below(s, 1000) < thousandth; }

static double fuzz_unit(fuzz_source *s)
{
    double high = fuzz_bits(s);
    return (high + fuzz_bits(s) / 65536.0) / 65536.0;
}

static double fuzz_range(fuzz_source *s, double low, double high) { return low + (high - low) * fuzz_unit(s); }
static double fuzz_log_range(fuzz_source *s, double low, double high) { return low * exp(log(high / low) * fuzz_unit(s)); }

static dvc_vec3 fuzz_vec(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

/* In a cube, or a square; numbers are drawn one after the other. */
static dvc_vec3 fuzz_any_vec(fuzz_source *s, bool planar, double size)
{
    double x = fuzz_range(s, -size, size), y = fuzz_range(s, -size, size);
    return fuzz_vec(x, y, planar ? 0 : fuzz_range(s, -size, size));
}

static dvc_quat fuzz_turn(dvc_vec3 axis, double angle)
{
    double length = sqrt((double)(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z)),
           s = length > 0 ? sin(angle / 2) / length : 0;
    dvc_quat q;
    q.w = (dvc_real)(length > 0 ? cos(angle / 2) : 1);
    q.x = (dvc_real)(s * (double)axis.x);
    q.y = (dvc_real)(s * (double)axis.y);
    q.z = (dvc_real)(s * (double)axis.z);
    return q;
}

static dvc_quat fuzz_any_turn(fuzz_source *s, bool planar)
{
    dvc_vec3 axis = planar ? fuzz_vec(0, 0, 1) : fuzz_any_vec(s, false, 1);
    return fuzz_turn(axis, fuzz_range(s, -3.14159, 3.14159));
}

/* Finite, but nothing that anyone means. */
static double fuzz_extreme(fuzz_source *s)
{
    static const double list[] = { 0,    -0.0,  1,    -1,    1e-3, 1e3,    -1e3, 1e-6,   1e6,
                                   -1e6, 1e-12, 1e12, 1e-20, 1e20, 1e-100, 1e50, 1e-300, 5e-324 };
    int k = fuzz_below(s, 22);
    return k < 18 ? list[k] : fuzz_range(s, -3, 3);
}

static double fuzz_hostile(fuzz_source *s)
{
    static const double list[] = { 1e155, -1e155, 1e300, 1.7e308, -1.7e308 };
    int k = fuzz_below(s, 16);
    if (k == 0) return (double)NAN;
    if (k < 3) return k == 1 ? (double)INFINITY : -(double)INFINITY;
    return k < 8 ? list[k - 3] : fuzz_extreme(s);
}

/* A usual number, or now and then, at the other levels, none. */
static double fuzz_number(fuzz_source *s, fuzz_level level, double usual)
{
    if (level == FUZZ_EXTREME && fuzz_chance(s, 12)) return fuzz_extreme(s);
    if (level == FUZZ_HOSTILE && fuzz_chance(s, 20)) return fuzz_hostile(s);
    return usual;
}

/* ---- breaches ---- */

/* FAULT: never. LIE: the certificate is wrong. LAW: numbers that do not fit each other. GAP: a gap of the engine that is known and
 * counted until it is closed. TOLD: no breach, but rare. */
typedef enum fuzz_class { FUZZ_FAULT, FUZZ_LIE, FUZZ_LAW, FUZZ_GAP, FUZZ_TOLD } fuzz_class;

#define FUZZ_KINDS(X)                                                                                   \
    X(FUZZ_CRASH, FUZZ_FAULT, "crash")                                                                  \
    X(FUZZ_ASSERT, FUZZ_FAULT, "assert")                                                                \
    X(FUZZ_ENDLESS, FUZZ_FAULT, "endless (over 20 s)")                                                  \
    X(FUZZ_HANG, FUZZ_FAULT, "over 1 s for at most 20 bodies")                                          \
    X(FUZZ_NOT_FINITE, FUZZ_FAULT, "DVC_OK and a number is not finite")                                 \
    X(FUZZ_STATUS, FUZZ_FAULT, "unknown status")                                                        \
    X(FUZZ_ERROR_CHANGED, FUZZ_FAULT, "an error changed something")                                     \
    X(FUZZ_READ_ONLY, FUZZ_FAULT, "a step changed what is the caller's")                                \
    X(FUZZ_REFUSED, FUZZ_FAULT, "a sane world is refused")                                              \
    X(FUZZ_BITS, FUZZ_FAULT, "same input, other bits")                                                  \
    X(FUZZ_BITS_THREADS, FUZZ_FAULT, "other bits with threads")                                         \
    X(FUZZ_BITS_TERRAIN, FUZZ_FAULT, "other bits without the terrain")                                  \
    X(FUZZ_BITS_APART, FUZZ_FAULT, "other bits, or another sum, island by island")                      \
    X(FUZZ_BITS_RECORD, FUZZ_FAULT, "other bits from the recording")                                    \
    X(FUZZ_SCRATCH_SHORT, FUZZ_FAULT, "scratch_used bytes do not suffice")                              \
    X(FUZZ_SCRATCH_LONG, FUZZ_LIE, "a byte less than scratch_used suffices")                            \
    X(FUZZ_SCRATCH_WILD, FUZZ_FAULT, "wrote beyond its scratch")                                        \
    X(FUZZ_SCRATCH_NEEDED, FUZZ_LIE, "scratch_needed is not what is needed")                            \
    X(FUZZ_SCRATCH_SIZE, FUZZ_LIE, "dvc_scratch_size is no bound")                                      \
    X(FUZZ_CONTACTS_NEEDED, FUZZ_LIE, "contacts_needed is not what is needed")                          \
    X(FUZZ_STRICT, FUZZ_LIE, "strict and inexact disagree")                                             \
    X(FUZZ_RESIDUAL, FUZZ_LIE, "residual above tolerance, inexact 0")                                   \
    X(FUZZ_RESIDUAL_FALSE, FUZZ_LIE, "residual is not what is left of the problem")                     \
    X(FUZZ_OVERLAP, FUZZ_LIE, "overlap appeared, nothing tells")                                        \
    X(FUZZ_OVERLAP_EXACT, FUZZ_LIE, "overlap appeared, only worst_gap tells")                           \
    X(FUZZ_GAP_HIDES, FUZZ_LIE, "worst_gap hides overlap")                                              \
    X(FUZZ_GAP_FALSE, FUZZ_LIE, "worst_gap without overlap")                                            \
    X(FUZZ_GHOST, FUZZ_GAP, "ghost: pushes and is open at the end, inexact 0")                          \
    X(FUZZ_JOINT_LEFT, FUZZ_LIE, "joint error left, inexact 0")                                         \
    X(FUZZ_GAIN, FUZZ_GAP, "energy gained in a step, nothing tells")                                    \
    X(FUZZ_GAIN_RECOVERS, FUZZ_GAP, "energy gained as overlap is undone, not told")                     \
    X(FUZZ_GAIN_FALSE, FUZZ_LIE, "energy_gain is not the gain")                                         \
    X(FUZZ_EXCESS_FALSE, FUZZ_LIE, "energy_excess beyond the gain")                                     \
    X(FUZZ_COUNTS, FUZZ_LIE, "a count in the report is wrong")                                          \
    X(FUZZ_NEVER, FUZZ_LIE, "a field of the report was never set")                                      \
    X(FUZZ_CONTACT_NAMES, FUZZ_LAW, "a contact names what it is not")                                   \
    X(FUZZ_CONTACT_GAP, FUZZ_LAW, "a contact's gap is beyond the distance")                             \
    X(FUZZ_NORMAL, FUZZ_LAW, "a contact's normal is not of length 1")                                   \
    X(FUZZ_PULLS, FUZZ_LAW, "normal impulse < 0")                                                       \
    X(FUZZ_NORMAL_PART, FUZZ_LAW, "normal_impulse is not the normal part")                              \
    X(FUZZ_CONE, FUZZ_LAW, "friction beyond the cone")                                                  \
    X(FUZZ_IDLE_PUSHES, FUZZ_LAW, "impulse of a contact that does not act")                             \
    X(FUZZ_IDLE_JOINT, FUZZ_LAW, "impulse of a joint that does not act")                                \
    X(FUZZ_IDLE_SPRING, FUZZ_LAW, "force of a spring that does not act")                                \
    X(FUZZ_EFFORT, FUZZ_LAW, "a motor gives more than its effort")                                      \
    X(FUZZ_MOMENTUM, FUZZ_LAW, "impulses do not explain the velocity")                                  \
    X(FUZZ_SPIN, FUZZ_LAW, "impulses do not explain the spin")                                          \
    X(FUZZ_STIFF, FUZZ_GAP, "spin of a jointed body not explained (stiffened)")                         \
    X(FUZZ_WAY, FUZZ_LAW, "the way is not h times the velocity")                                        \
    X(FUZZ_TURN, FUZZ_LAW, "the turn is not h times the spin")                                          \
    X(FUZZ_ISOLATED, FUZZ_LAW, "momentum of an isolated world changes")                                 \
    X(FUZZ_ISOLATED_SPIN, FUZZ_LAW, "angular momentum of an isolated world changes")                    \
    X(FUZZ_QUAT, FUZZ_LAW, "an orientation is not of length 1")                                         \
    X(FUZZ_POSITION, FUZZ_LAW, "a joint's position is not where its bodies are")                        \
    X(FUZZ_TIME, FUZZ_LAW, "time does not go by h")                                                     \
    X(FUZZ_PHASE, FUZZ_LAW, "a contact's phase is wrong")                                               \
    X(FUZZ_APPLY, FUZZ_LIE, "a solution put in is not taken for one")                                   \
    X(FUZZ_PROBLEM, FUZZ_LAW, "dvc_problem_build contradicts itself")                                   \
    X(FUZZ_RECORD, FUZZ_LAW, "a recording does not give back what was recorded")                        \
    X(FUZZ_LCP_OK, FUZZ_LIE, "lcp: DVC_OK and no solution")                                             \
    X(FUZZ_LCP_FAILS, FUZZ_LAW, "lcp: an easy problem is not solved")                                   \
    X(FUZZ_LCP_REPORT, FUZZ_LIE, "lcp: the report is wrong")                                            \
    X(FUZZ_HULL_OUTSIDE, FUZZ_LIE, "hull: a point lies outside")                                        \
    X(FUZZ_HULL_FORM, FUZZ_LAW, "hull: faces, edges and loops do not fit")                              \
    X(FUZZ_HULL_FAILS, FUZZ_LAW, "hull: a plain cloud is refused")                                      \
    X(FUZZ_MASS, FUZZ_LAW, "mass: moments that no body has, or not the solid's")                        \
    X(FUZZ_MESH, FUZZ_LAW, "mesh: the reader or its report is wrong")                                   \
    X(FUZZ_READER, FUZZ_LAW, "recording: a reader is wrong")                                            \
    X(FUZZ_ASK_GAP, FUZZ_LAW, "ask: a distance is wrong")                                               \
    X(FUZZ_ASK_LIST, FUZZ_LAW, "ask: a shape is missing, or listed too much")                           \
    X(FUZZ_ASK_RAY, FUZZ_LAW, "ask: a ray is wrong")                                                    \
    X(FUZZ_ASK_CAST, FUZZ_LAW, "ask: a cast is wrong")                                                  \
    X(FUZZ_INEXACT, FUZZ_TOLD, "(no breach) inexact steps")                                             \
    X(FUZZ_CAUTION, FUZZ_TOLD, "(no breach) inexact though all holds")

typedef enum fuzz_kind {
#define FUZZ_KIND_NAME(name, class, text) name,
    FUZZ_KINDS(FUZZ_KIND_NAME)
#undef FUZZ_KIND_NAME
    FUZZ_KIND_COUNT
} fuzz_kind;

typedef struct fuzz_kind_text { fuzz_class class_of; const char *text; } fuzz_kind_text;

static const fuzz_kind_text fuzz_kind_texts[] = {
#define FUZZ_KIND_TEXT(name, class, text) { class, text },
    FUZZ_KINDS(FUZZ_KIND_TEXT)
#undef FUZZ_KIND_TEXT
};

enum { FUZZ_TALLIES = 512, FUZZ_SEEDS = 4, FUZZ_TEXT = 80 };

typedef struct fuzz_tally {
    fuzz_kind kind;
    fuzz_level level;
    const char *target;
    char family[FUZZ_TEXT]; /* what the world is made of; of an assert where it is */
    long count;
    double worst;
    uint64_t worst_seed;
    int worst_step;
    uint64_t seeds[FUZZ_SEEDS];
    int steps[FUZZ_SEEDS];
    int seed_count;
} fuzz_tally;

/* Where the driver is, and what it has found. */
static struct {
    fuzz_level level;
    uint64_t seed;
    int step;
    const char *target;
    bool loud;            /* tell each breach as it is found */
    const char *family;
    char family_room[FUZZ_TEXT];
    bool hunting;         /* the shrinker looks for one kind, */
    fuzz_kind hunted;
    bool caught;          /* and has it */
    double caught_size;
    bool stop_at_breach;  /* a fuzzer's run ends at the first fault */
    fuzz_tally tallies[FUZZ_TALLIES];
    int tally_count;
} fuzz_state;

static fuzz_tally *fuzz_tally_of(fuzz_kind kind, const char *family)
{
    fuzz_tally *t;
    int i;
    for (i = 0; i < fuzz_state.tally_count; i++) {
        t = &fuzz_state.tallies[i];
        if (t->kind == kind && t->level == fuzz_state.level && t->target == fuzz_state.target && strcmp(t->family, family) == 0)
            return t;
    }
    if (fuzz_state.tally_count == FUZZ_TALLIES) return NULL;
    t = &fuzz_state.tallies[fuzz_state.tally_count++];
    t->kind = kind;
    t->level = fuzz_state.level;
    t->target = fuzz_state.target;
    snprintf(t->family, sizeof t->family, "%s", family);
    t->worst = -1;
    return t;
}

static void fuzz_tell(fuzz_kind kind, double size, const char *family)
{
    printf("  %s %d/%llu step %d: %s [%s] %.3g\n", fuzz_state.target, (int)fuzz_state.level, (unsigned long long)fuzz_state.seed,
           fuzz_state.step, fuzz_kind_texts[kind].text, family, size);
}

/* A breach in a family of its own. */
static void fuzz_found_in(fuzz_kind kind, double size, const char *family)
{
    fuzz_tally *t;
    size = fabs(size);
    if (fuzz_state.hunting) {
        bool more = kind == fuzz_state.hunted && !(size <= fuzz_state.caught_size);
        fuzz_state.caught = fuzz_state.caught || kind == fuzz_state.hunted;
        if (more) fuzz_state.caught_size = size;
        return;
    }
    t = fuzz_tally_of(kind, family);
    if (fuzz_state.loud) fuzz_tell(kind, size, family);
    if (!t) return;
    t->count++;
    if (!(size <= t->worst)) { t->worst = size; t->worst_seed = fuzz_state.seed; t->worst_step = fuzz_state.step; }
    if (t->seed_count < FUZZ_SEEDS && (t->seed_count == 0 || t->seeds[t->seed_count - 1] != fuzz_state.seed)) {
        t->seeds[t->seed_count] = fuzz_state.seed;
        t->steps[t->seed_count++] = fuzz_state.step;
    }
    if (fuzz_state.stop_at_breach && fuzz_kind_texts[kind].class_of == FUZZ_FAULT) {
        fuzz_tell(kind, size, family);
        fflush(stdout);
        abort();
    }
}

static void fuzz_found(fuzz_kind kind, double size) { fuzz_found_in(kind, size, fuzz_state.family); }

/* ---- small things ---- */

/* Bytes that nobody has written yet, where a sanitizer knows such. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define FUZZ_UNWRITTEN(block, size) __msan_poison(block, size)
#define FUZZ_WRITTEN(block, size) __msan_unpoison(block, size)
#endif
#endif
#ifndef FUZZ_UNWRITTEN
#define FUZZ_UNWRITTEN(block, size) ((void)(block), (void)(size))
#endif
#ifndef FUZZ_WRITTEN
#define FUZZ_WRITTEN(block, size) ((void)(block), (void)(size))
#endif

static void *fuzz_memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) abort();
    return block;
}

/* CPU time, so that a busy machine makes no hangs. */
static double fuzz_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
