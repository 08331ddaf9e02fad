/* Many small random scenes, looked at after every step by oracles of the soak's own (soak_look.h).
 *
 *     soak [STEPS [SEED]]              families in turn until STEPS (a million by default) are done, seeds from SEED (1) on
 *     soak replay FAMILY SEED [STEP]   one scene again, step by step (up to STEP), with its bodies where they are at the end
 *
 * After each step: status ok; bodies inside their container; nothing deeper in each other than before, but for rounding; energy,
 * momentum, joints, motors, the exact motion where it is known. `bars` tells how much of each is allowed. At the end: the share
 * of steps that were exact. The exit status tells if any bar was missed. */
#include "experiment.h"
#include "soak_trial.h"

enum { COMPLAINTS = 40 };

#define BAR_OVERLAP 1e-6   /* of the smaller part's size: what is deeper, and was before, is no news */
#define BAR_EXCESS 1e-12   /* of the energies at work in the step */
#define SCENE_SECONDS 10.0 /* a scene that takes longer is left, and told of */

#include "soak_look.h"
#include "soak_pours.h"
#include "soak_machines.h"
#include "soak_exact.h"

/* ---- families ---- */

static const family families[] = {
    { "2D pour", true, make_pour, 12, POURS },      { "3D pour", false, make_pour, 12, POURS },
    { "2D boxes", true, make_boxes, 12, POURS },    { "3D boxes", false, make_boxes, 12, POURS },
    { "2D corners", true, make_corners, 9, POURS }, { "3D corners", false, make_corners, 12, POURS },
    { "2D wedge", true, make_wedge, 9, POURS },     { "3D wedge", false, make_wedge, 8, POURS },
    { "2D needles", true, make_needles, 9, POURS }, { "3D needles", false, make_needles, 12, POURS },
    { "2D mixed", true, make_mixed, 12, POURS },    { "3D mixed", false, make_mixed, 12, POURS },
    { "2D deep", true, make_deep, 9, POURS },       { "3D deep", false, make_deep, 8, POURS },
    { "2D drum", true, make_drum, 9, POURS },       { "3D drum", false, make_drum, 8, POURS },
    { "2D tiles", true, make_tiles, 12, POURS },    { "3D tiles", false, make_tiles, 12, POURS },
    { "2D towers", true, make_towers, 12, POURS },  { "3D towers", false, make_towers, 12, POURS },
    /* what has come since: in this order, for the order gives the seeds */
    { "2D terrain", true, make_terrain, 9, ROUGH },    { "3D terrain", false, make_terrain, 8, ROUGH },
    { "2D sleep", true, make_sleep, 12, ROUGH },       { "3D sleep", false, make_sleep, 12, ROUGH },
    { "2D spawn", true, make_spawn, 12, ROUGH },       { "3D spawn", false, make_spawn, 12, ROUGH },
    { "2D rotor", true, make_rotor, 8, ROUGH },        { "3D rotor", false, make_rotor, 8, ROUGH },
    { "2D pusher", true, make_pusher, 8, ROUGH },      { "3D pusher", false, make_pusher, 8, ROUGH },
    { "2D arm", true, make_arm, 6, MACHINES },         { "3D arm", false, make_arm, 8, MACHINES },
    { "2D loop", true, make_loop, 6, MACHINES },       { "3D loop", false, make_loop, 8, MACHINES },
    { "2D ring", true, make_ring, 6, MACHINES },       { "3D ring", false, make_ring, 8, MACHINES },
    { "2D drift", true, make_drift, 6, MACHINES },     { "3D drift", false, make_drift, 6, MACHINES },
    { "2D springs", true, make_springs, 8, MACHINES }, { "3D springs", false, make_springs, 8, MACHINES },
    { "2D chain", true, make_chain, LINKS, EXACT },    { "3D chain", false, make_chain, LINKS, EXACT },
    { "3D tumble", false, make_tumble, POINTS, EXACT },
};

enum { FAMILIES = sizeof families / sizeof families[0] };

/* Scale, step size and friction are drawn before the bodies. One scene in eight keeps the step size of metres, so that
 * small things move by their own size in a step. */
static trial *trial_make(int which, unsigned seed)
{
    static const double lengths[] = { 0.001, 0.01, 0.1, 1, 1, 10, 100 };
    static const double steps[] = { 0.001, 0.002, 0.005, 0.01, 0.01, 1. / 60, 0.02, 1. / 30 };
    static const double frictions[] = { 0, 0, 0, 0.1, 0.3, 0.5, 1, 2 };
    const family *f = &families[which];
    trial *t = (trial *)scene_memory(1, sizeof *t);
    int count, i;
    test_seed(seed * 64u + (unsigned)which + 1);
    for (i = 0; i < 20; i++) test_random_bits();
    t->length = pick(lengths, 7);
    t->h = pick(steps, 8);
    t->friction = pick(frictions, 8);
    t->steps = (int)fmin(MOST_STEPS, 4 / t->h);
    t->h *= test_random(0, 1) < 0.125 && t->length >= 0.1 ? fmin(1, sqrt(t->length)) : sqrt(t->length);
    count = 1 + (int)test_random(0, f->most);
    t->s = scene_make(SHAPES, f->planar, SCRATCH);
    free(t->s->world.contacts); /* where everything moves by its own size in a step, everything is near */
    t->s->world.contact_capacity = CONTACTS;
    t->s->world.contacts = (dvc_contact *)scene_memory(CONTACTS, sizeof(dvc_contact));
    t->s->world.joints = t->joints;
    t->s->world.springs = t->springs;
    f->make(t, count);
    t->low = at(t, -60, -60, -60);
    t->high = at(t, 60, 60, 60);
    look(t);
    return t;
}

static void trial_free(trial *t)
{
    scene_free(t->s);
    if (t->twin) free(t->twin->contacts);
    free(t->twin);
    free(t->terrain_storage);
    free(t);
}

/* ---- what is measured, and how much of it is allowed ---- */

typedef enum measure { OVERLAP, EXCESS, GAIN, UNTOLD, HALF, RESIDUAL, HIDDEN, MOMENTUM, LOOSE, JOINT, EFFORT, MOTION, TWIN, SLOW, MEASURES } measure;

static const struct { const char *name, *what; } measures[MEASURES] = {
    { "overlap", "new overlap, of the smaller part's size" },
    { "excess", "report.energy_excess, of the energies at work" },
    { "gain", "energy gained where weight alone acts, of the energies at work" },
    { "untold", "what of that report.energy_gain does not tell" },
    { "half", "the same, in steps that were halved while masses were stiffened" },
    { "residual", "report.residual" },
    { "hidden", "worst of overlap, residual and joint in steps that say they are exact, per what such may leave" },
    { "momentum", "momentum, and of drifting machines that are not stiffened spin, that nothing explains" },
    { "loose", "the same in steps that say that they are inexact" },
    { "joint", "new error of a joint, or beyond its limits, in lengths of the scene or rad" },
    { "effort", "more than a motor can, of what it can" },
    { "motion", "off the exact motion, in units of a step's order" },
    { "twin", "bodies that are elsewhere without terrain and sleep" },
    { "ms", "time of a step, ms" },
};

#define ANY 1e300 /* told, not judged */

/* Those of the pours are what the README says of them. The others held over some 1e5 steps a group, with room for seeds to come:
 * - what rounding explains (untold, momentum, effort) is at most 1e-10 today, but for the momentum of rings: 1e-8, where joints
 *   that say the same carry each other;
 * - impulses of inexact steps should explain velocities to 1e-6. In jams with much friction, once in some 1e5 steps, they do not,
 *   by up to a half: until then that is told alone;
 * - machines that fold up into each other are not always solved: such steps say so, leave 4e-7 and 1e-7 of joints, and may be
 *   one in a thousand of all;
 * - a step that was halved while masses were stiffened tells less than it gains, up to 2e-3 of the energies at work;
 * - a step of first order is off by half its unit, the first one by a whole one. */
static const double bars[GROUPS][MEASURES] = {
    /* overlap excess gain untold half residual hidden momentum loose joint effort motion twin slow */
    { 5e-7, BAR_EXCESS, ANY, 1e-12, 1e-12, 1e-9, 1, 1e-9, ANY, 0, 0, 0, 0, ANY },           /* POURS */
    { 5e-7, BAR_EXCESS, ANY, 1e-12, 1e-12, 1e-9, 1, 1e-9, ANY, 0, 0, 0, 0, ANY },           /* ROUGH */
    { 5e-7, 1e-9 /* what is left of problems does work; 4e-12 seen */, ANY, 1e-12, 1e-2, 1e-5, 1, 1e-7, ANY, 2e-6, 1e-9, 0, 0, ANY },      /* MACHINES */
    { 0, BAR_EXCESS, ANY, 1e-12, 1e-2, 1e-9, 1, 1e-9, ANY, 1e-9, 0, 1.5, 0, ANY },          /* EXACT */
};

/* Inexact steps: of those that had to choose, if there are 100 000 of them, or of fewer; and of all. */
static const struct { const char *name; double of_chosen, of_few, of_all; } inexact_bars[GROUPS] = {
    { "pours", 0.0002, 0.002, 0.0002 },
    { "rough", 0.0002, 0.002, 0.0002 },
    { "machines", 0.005, 0.005, 0.001 },
    { "exact", 0, 0, 0 },
};

/* ---- counting ---- */

typedef struct worst { double value; unsigned seed; int step; } worst;

typedef struct tally {
    long scenes, steps, chosen, inexact, inexact_chosen, errors, strays;
    double seconds;
    worst at[MEASURES], open; /* open: inexact steps of a scene */
} tally;

static int complaints;

/* Says how to see it again, a limited number of times. */
static void complain(const family *f, unsigned seed, int step, const char *what, double value)
{
    if (complaints++ < COMPLAINTS) printf("  missed: %s %.3g: soak replay '%s' %u %d\n", what, value, f->name, seed, step);
    fflush(stdout);
}

static bool is_worse(worst *w, double value, unsigned seed, int step)
{
    if (!(value > w->value)) return false;
    w->value = value;
    w->seed = seed;
    w->step = step;
    return true;
}

/* What one step showed. */
typedef struct sight { dvc_status status; double value[MEASURES]; int stray; } sight;

/* Where nothing but weight and springs act, the energy from the definitions tells what was gained, and where springs do not, what
 * of that the report hides. */
static void look_at_energy(const trial *t, double energy_before, double kinetic_before, sight *seen)
{
    const dvc_report *r = &t->s->world.report;
    double work = energies_at_work(t, kinetic_before), gain = energy_of(&t->s->world) - energy_before;
    if (t->moving || t->driven || !(work > 0)) return;
    seen->value[GAIN] = fmax(0, gain) / work;
    if (t->s->world.spring_count > 0) return; /* which give and take by forces of their own: no number tells of those */
    seen->value[EXCESS] = (double)r->energy_excess / work;
    seen->value[r->halvings > 0 && r->stiffened > 0 ? HALF : UNTOLD] = fmax(0, gain - (double)r->energy_gain) / work;
}

/* What a step that calls itself exact leaves, per what it may. */
static double hidden_by(const sight *seen)
{
    const double *v = seen->value;
    return fmax(v[OVERLAP] / bars[POURS][OVERLAP], fmax(v[RESIDUAL] / bars[POURS][RESIDUAL], v[JOINT] / bars[EXACT][JOINT]));
}

static sight trial_step(trial *t, int step)
{
    static dvc_body before[SHAPES];
    dvc_world *w = &t->s->world;
    sight seen = { DVC_OK, { 0 }, -1 };
    double kinetic, energy, start;
    if (t->act) t->act(t, step);
    if (t->follow) t->follow(t, false);
    if (t->twin) copy_to_twin(t);
    memcpy(before, w->bodies, (size_t)w->body_count * sizeof *before);
    kinetic = kinetic_energy(w);
    energy = energy_of(w);
    start = experiment_seconds();
    seen.status = dvc_step(w, (dvc_real)t->h);
    seen.value[SLOW] = 1000 * (experiment_seconds() - start);
    seen.stray = stray(t);
    if (seen.status != DVC_OK) return seen;
    look_at_energy(t, energy, kinetic, &seen);
    seen.value[OVERLAP] = look_at_pairs(t);
    seen.value[RESIDUAL] = (double)w->report.residual;
    seen.value[w->report.inexact ? LOOSE : MOMENTUM] =
        fmax(worst_unexplained(w, before, t->h), t->afloat && w->report.stiffened == 0 ? spin_lost(w, before) : 0);
    seen.value[JOINT] = look_at_joints(t);
    if (w->report.inexact == 0) seen.value[HIDDEN] = hidden_by(&seen);
    seen.value[EFFORT] = beyond_effort(t);
    if (t->follow) seen.value[MOTION] = t->follow(t, true);
    if (t->twin) seen.value[TWIN] = unlike_twin(t);
    return seen;
}

/* Keeps the worst; complains of what misses its bar by far more than all before. */
static void judge(tally *all, const family *f, unsigned seed, int step, const sight *seen)
{
    int k;
    if (seen->status != DVC_OK) complain(f, seed, step, dvc_status_text(seen->status), 0);
    if (seen->stray >= 0) complain(f, seed, step, "out of its container: body", seen->stray);
    for (k = 0; k < MEASURES; k++) {
        if (seen->value[k] > bars[f->group][k] && seen->value[k] > 2 * all->at[k].value)
            complain(f, seed, step, measures[k].name, seen->value[k]);
        is_worse(&all->at[k], seen->value[k], seed, step);
    }
}

static void count_step(tally *all, const dvc_report *r, const sight *seen)
{
    bool chose = r->disjunctions > 0, inexact = r->inexact > 0;
    all->steps++;
    all->seconds += seen->value[SLOW] / 1000;
    all->chosen += chose;
    all->inexact += inexact;
    all->inexact_chosen += chose && inexact;
    all->errors += seen->status != DVC_OK;
    all->strays += seen->stray >= 0;
}

static long soak_scene(int which, unsigned seed, tally *all)
{
    trial *t = trial_make(which, seed);
    long inexact = all->inexact;
    double start = all->seconds;
    bool going = true;
    int i;
    all->scenes++;
    for (i = 0; i < t->steps && going; i++) {
        sight seen = trial_step(t, i);
        judge(all, &families[which], seed, i, &seen);
        count_step(all, &t->s->world.report, &seen);
        going = seen.status == DVC_OK && seen.stray < 0 && all->seconds - start <= SCENE_SECONDS;
    }
    if (all->seconds - start > SCENE_SECONDS) complain(&families[which], seed, i - 1, "slow: seconds", all->seconds - start);
    is_worse(&all->open, (double)(all->inexact - inexact), seed, i - 1);
    trial_free(t);
    return i;
}

/* ---- the table ---- */

static double per_million(long count, long of) { return of ? 1e6 * (double)count / (double)of : 0; }

static void print_head(void)
{
    int k;
    printf("The worst of each step:\n");
    for (k = 0; k < MEASURES; k++) printf("    %-9s %s\n", measures[k].name, measures[k].what);
    printf("inexact steps per million: of all, and of those that had to choose\n\n%-10s %8s %7s %7s", "family", "steps", "inexact", "choosing");
    for (k = 0; k < MEASURES; k++) printf(" %8s", measures[k].name);
    printf(" %8s\n", "us/step");
}

static void print_tally(const char *name, const tally *a)
{
    int k;
    printf("%-10s %8ld %7.0f %8.0f", name, a->steps, per_million(a->inexact, a->steps), per_million(a->inexact_chosen, a->chosen));
    for (k = 0; k < MEASURES; k++) {
        if (a->at[k].value == 0) printf(" %8s", "0");
        else if (k == SLOW) printf(" %8.2f", a->at[k].value);
        else printf(" %8.1e", a->at[k].value);
    }
    printf(" %8.1f\n", 1e6 * a->seconds / fmax(1, (double)a->steps));
}

/* Where to look: the worst step of each bar that a family missed. */
static void print_worst(const family *f, const tally *a)
{
    int k;
    for (k = 0; k < MEASURES; k++)
        if (a->at[k].value > bars[f->group][k])
            printf("worst %s %.3g: soak replay '%s' %u %d\n", measures[k].name, a->at[k].value, f->name, a->at[k].seed, a->at[k].step);
    if (a->open.value > 2) printf("most inexact steps %.0f: soak replay '%s' %u\n", a->open.value, f->name, a->open.seed);
}

static void add_tally(tally *sum, const tally *a)
{
    int k;
    sum->scenes += a->scenes;
    sum->steps += a->steps;
    sum->chosen += a->chosen;
    sum->inexact += a->inexact;
    sum->inexact_chosen += a->inexact_chosen;
    sum->errors += a->errors;
    sum->strays += a->strays;
    sum->seconds += a->seconds;
    for (k = 0; k < MEASURES; k++) is_worse(&sum->at[k], a->at[k].value, a->at[k].seed, a->at[k].step);
}

/* Of a group: all its bars. */
static bool holds(group g, const tally *sum)
{
    double share = sum->chosen ? (double)sum->inexact_chosen / (double)sum->chosen : 0, of_all = per_million(sum->inexact, sum->steps) / 1e6;
    bool many = sum->chosen >= 100000, good = sum->errors == 0 && sum->strays == 0;
    int k;
    for (k = 0; k < MEASURES; k++) good = good && sum->at[k].value <= bars[g][k];
    good = good && share <= (many ? inexact_bars[g].of_chosen : inexact_bars[g].of_few) && of_all <= inexact_bars[g].of_all;
    printf("%-9s %ld errors, %ld strays, %.3f %% of all steps exact, %.3f %% of those that had to choose: %s\n", inexact_bars[g].name,
           sum->errors, sum->strays, 100 * (1 - of_all), 100 * (1 - share), good ? "pass" : "FAIL");
    return good;
}

static int soak(long steps, unsigned seed)
{
    static tally tallies[FAMILIES], sums[GROUPS], sum;
    long done = 0;
    bool good = true;
    int i;
    for (; done < steps; seed++)
        for (i = 0; i < FAMILIES && done < steps; i++) done += soak_scene(i, seed, &tallies[i]);
    print_head();
    for (i = 0; i < FAMILIES; i++) {
        print_tally(families[i].name, &tallies[i]);
        add_tally(&sums[families[i].group], &tallies[i]);
        add_tally(&sum, &tallies[i]);
    }
    print_tally("all", &sum);
    for (i = 0; i < FAMILIES; i++) print_worst(&families[i], &tallies[i]);
    for (i = 0; i < GROUPS; i++) good = holds((group)i, &sums[i]) && good;
    printf("%ld steps: %s\n", sum.steps, good ? "pass" : "FAIL");
    return !good;
}

/* ---- replay ---- */

static void print_bodies(const trial *t)
{
    int i;
    for (i = 0; i < t->s->world.body_count; i++) {
        const dvc_body *b = &t->s->bodies[i];
        if (b->kind == DVC_STATIC) continue;
        printf("body %d: x %.17g %.17g %.17g", i, (double)b->position.x, (double)b->position.y, (double)b->position.z);
        printf(" q %.17g %.17g %.17g %.17g", (double)b->orientation.w, (double)b->orientation.x, (double)b->orientation.y,
               (double)b->orientation.z);
        printf(" v %.6g %.6g %.6g", (double)b->velocity.x, (double)b->velocity.y, (double)b->velocity.z);
        printf(" w %.6g %.6g %.6g\n", (double)b->angular_velocity.x, (double)b->angular_velocity.y,
               (double)b->angular_velocity.z);
    }
}

static int replay(const char *name, unsigned seed, int last)
{
    trial *t;
    int which = 0, i, k;
    while (which < FAMILIES && strcmp(families[which].name, name)) which++;
    if (which == FAMILIES) return printf("no family of that name\n"), 2;
    t = trial_make(which, seed);
    printf("length %g, h %g, friction %g, %d bodies, %d steps\n", t->length, t->h, t->friction, t->s->world.body_count, t->steps);
    for (i = 0; i < t->steps && i <= last; i++) {
        sight seen = trial_step(t, i);
        const dvc_report *r = &t->s->world.report;
        if (seen.status != DVC_OK) printf("%s\n", dvc_status_text(seen.status));
        printf("%5d", i);
        for (k = 0; k < MEASURES; k++) printf(" %s %8.1e", measures[k].name, seen.value[k]);
        printf(" gap %8.1e energy %.6g told %.3g | ", (double)r->worst_gap, energy_of(&t->s->world), (double)r->energy_gain);
        printf("stiffened %d inexact %d fallbacks %d halvings %d repeats %d ", r->stiffened, r->inexact, r->fallbacks, r->halvings, r->repeats);
        printf("corrections %d problems %d largest %d ", r->corrections, r->problems, r->largest_problem);
        printf("iterations %d contacts %d of %d\n", r->iterations, r->contacts, r->contacts_needed);
    }
    print_bodies(t);
    trial_free(t);
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    experiment_begin("soak", 1, argv);
    if (argc > 3 && strcmp(argv[1], "replay") == 0)
        return replay(argv[2], (unsigned)atol(argv[3]), argc > 4 ? atoi(argv[4]) : MOST_STEPS);
    return soak(argc > 1 ? atol(argv[1]) : 1000000, argc > 2 ? (unsigned)atol(argv[2]) : 1);
}
