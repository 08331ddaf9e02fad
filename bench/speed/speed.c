/* dvc.h alone: what a step costs, in which scene, and what it does for that. Writes a table to the terminal and all numbers to
 * a CSV file.
 *
 * The scenes: those that other engines run as well (scenes_speed.h), and chains, an arm with a gripper, a vibrating plate
 * (own_scenes.c). Each runs at the end pose and semi-implicitly, each run in a process of its own with a limit on its
 * processor time ("cut at step 30") and on its memory ("gave up"); of each step the shortest time of all repeats counts, of
 * the steps of a window (landing; settled: the last second) the median. Scratch has from the second repeat on the size that
 * the largest step needs, and is touched before. Two more runs, apart from those, time the stages of the steps in the same way:
 * in the CSV file the median of a window, in the table the share of a window's whole time, in percent ("so far": the run was
 * cut before things had landed). With a run's time of 2 s all scenes together take about ten minutes.
 *
 * Run: speed table CSV [part of a scene's name, or -] [seconds per run of a small scene] [repeats]
 *      speed steps SCENE end|semi STEPS: runs so many steps of one scene, for a profiler */
#define _DEFAULT_SOURCE
#include "own_scenes.h"
#include "peer_dvc.h"
#include "run.h"
#include "scenes_speed.h"
#include "stages.h"

enum { MOST_STEPS = 50000, RUN_SECONDS = 2, REPEATS = 3, STAGE_REPEATS = 2 };

/* ---- any scene ---- */

/* A scene that is ready to be stepped: a shared one or one of ours. */
typedef struct subject {
    dvc_world *world;
    double h, seconds, landing[2], settled;
    void *peer; /* shared scenes: what peers_dvc opened; NULL: one of ours */
} subject;

enum { ALL_SCENES = SPEED_SCENES + OWN_SCENES };

static const char *scene_name(int which)
{
    return which < SPEED_SCENES ? speed_scenes[which].name : own_scenes[which - SPEED_SCENES].name;
}

/* Of the shared ones; ours are small. */
static int scene_bodies(int which)
{
    return which < SPEED_SCENES ? speed_scenes[which].make(speed_scenes[which].size)->body_count : 0;
}

static void open_shared(subject *s, const speed_scene *which, bool semi_implicit)
{
    peers_scene *scene = which->make(which->size);
    s->peer = peers_dvc[semi_implicit].open(scene, semi_implicit);
    s->world = dvc_peer_world(s->peer);
    s->h = scene->h;
    s->seconds = scene->seconds;
    s->landing[0] = scene->landing[0];
    s->landing[1] = landing_end(scene);
    s->settled = settled_start(scene);
}

static void open_own(subject *s, const own_speed_scene *which)
{
    s->world = which->make(which->size);
    s->h = which->h;
    s->seconds = which->seconds;
    s->landing[1] = s->settled = which->seconds / 2;
}

static subject open_subject(int which, bool semi_implicit)
{
    subject s;
    memset(&s, 0, sizeof s);
    if (which < SPEED_SCENES) open_shared(&s, &speed_scenes[which], semi_implicit);
    else open_own(&s, &own_scenes[which - SPEED_SCENES]);
    s.world->semi_implicit = semi_implicit;
    return s;
}

static int subject_steps(const subject *s) { return (int)(s->seconds / s->h + 0.5); }

static bool step_subject(const subject *s)
{
    return s->peer ? peers_dvc[0].step(s->peer) : dvc_peer_advance(s->world, s->h);
}

/* Touched memory, so that no timed step waits for the system. */
static void reserve(dvc_world *w, size_t scratch)
{
    if (scratch <= w->scratch_size) return;
    free(w->scratch);
    w->scratch = malloc(scratch);
    if (!w->scratch) exit(1);
    memset(w->scratch, 0, scratch);
    w->scratch_size = scratch;
}

/* ---- runs ---- */

/* Of one scene at one kind of step; shared with the processes of its repeats. Counts are sums over the steps of the longest
 * run. */
typedef struct result {
    int which, bodies;
    bool semi_implicit;
    ending end; /* of the last repeat */
    int steps;
    int first_landing, last_landing, first_settled, all; /* steps */
    double pairs, contacts, enforced, disjunctions, iterations, problems, corrections, halvings, inexact, fallbacks;
    double islands, flips, cuts, repeats;
    int largest;
    double residual, worst_gap, excess;
    size_t scratch, contact_bytes;
    double shortest[MOST_STEPS];
    int staged; /* steps whose stages were timed */
    double stages[STAGES][MOST_STEPS];
} result;

/* Pairs of shapes that have contacts; those of a pair stand together. */
static int count_pairs(const dvc_world *w)
{
    int i, pairs = 0;
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &w->contacts[i];
        pairs += i == 0 || c->shape_a != c[-1].shape_a || c->shape_b != c[-1].shape_b;
    }
    return pairs;
}

static void count(const dvc_world *w, result *r)
{
    const dvc_report *report = &w->report;
    r->pairs += count_pairs(w);
    r->contacts += report->contacts;
    r->enforced += report->enforced;
    r->disjunctions += report->disjunctions;
    r->iterations += report->iterations;
    r->problems += report->problems;
    r->corrections += report->corrections;
    r->halvings += report->halvings;
    r->inexact += report->inexact;
    r->fallbacks += report->fallbacks;
    r->islands += report->islands;
    r->flips += report->flips;
    r->cuts += report->cuts;
    r->repeats += report->repeats;
    r->largest = report->largest_problem > r->largest ? report->largest_problem : r->largest;
    r->residual = fmax(r->residual, (double)report->residual);
    r->worst_gap = fmin(r->worst_gap, (double)report->worst_gap);
    r->excess = fmax(r->excess, (double)report->energy_excess);
    r->scratch = report->scratch_used > r->scratch ? report->scratch_used : r->scratch;
    r->contact_bytes = (size_t)w->contact_capacity * sizeof(dvc_contact);
}

/* The first run counts; later ones know how much scratch it took. */
static bool time_steps(void *user)
{
    result *r = (result *)user;
    subject s = open_subject(r->which, r->semi_implicit);
    int i, steps = subject_steps(&s);
    r->bodies = s.world->body_count;
    r->all = steps;
    r->first_landing = (int)(s.landing[0] / s.h + 0.5);
    r->last_landing = (int)(s.landing[1] / s.h + 0.5);
    r->first_settled = (int)(s.settled / s.h + 0.5);
    reserve(s.world, r->scratch);
    for (i = 0; i < steps; i++) {
        double start = now_seconds(), time;
        if (!step_subject(&s)) return false;
        time = now_seconds() - start;
        if (i < r->steps) {
            r->shortest[i] = fmin(r->shortest[i], time);
            continue;
        }
        r->shortest[i] = time;
        count(s.world, r);
        r->steps = i + 1;
    }
    return true;
}

static bool time_stages(void *user)
{
    result *r = (result *)user;
    subject s = open_subject(r->which, r->semi_implicit);
    double look = stage_look_time();
    int i, k;
    reserve(s.world, r->scratch);
    dvc_peer_stage = stage_begins;
    for (i = 0; i < r->all; i++) {
        stages_reset();
        if (!step_subject(&s)) return false;
        stage_begins(NULL);
        for (k = 0; k < STAGES; k++) {
            double time = stage_time(k, look);
            r->stages[k][i] = i < r->staged ? fmin(r->stages[k][i], time) : time;
        }
        if (i >= r->staged) r->staged = i + 1;
    }
    return true;
}

static void measure(result *r, int seconds, int repeats)
{
    int k, limit = limit_of(seconds, scene_bodies(r->which));
    ending staged = DONE;
    for (k = 0; k < repeats && r->end == DONE; k++) r->end = run_apart(time_steps, r, limit);
    for (k = 0; k < STAGE_REPEATS && r->end != REFUSED && staged == DONE; k++) staged = run_apart(time_stages, r, limit);
}

/* ---- output ---- */

/* Median of some steps' times, in microseconds; 0 if the runs did not get there. */
static double typical_of(const double *times, int steps, int first, int last)
{
    static double some[MOST_STEPS];
    if (last > steps || last <= first) return 0;
    memcpy(some, times + first, (size_t)(last - first) * sizeof *some);
    return 1e6 * median(some, last - first);
}

static double typical(const result *r, int first, int last) { return typical_of(r->shortest, r->steps, first, last); }

static double typical_stage(const result *r, int stage, int first, int last)
{
    return typical_of(r->stages[stage], r->staged, first, last);
}

static double least_time(const result *r)
{
    double least = r->steps > 0 ? r->shortest[0] : 0;
    int i;
    for (i = 0; i < r->steps; i++) least = fmin(least, r->shortest[i]);
    return 1e6 * least;
}

static double worst_time(const result *r)
{
    double worst = 0;
    int i;
    for (i = 0; i < r->steps; i++) worst = fmax(worst, r->shortest[i]);
    return 1e6 * worst;
}

static double memory_per_body(const result *r)
{
    size_t arrays = sizeof(dvc_body) + sizeof(dvc_shape);
    return r->bodies > 0 ? (double)arrays + (double)(r->scratch + r->contact_bytes) / r->bodies : 0;
}

static void write_csv(FILE *csv, const result *r)
{
    static const char *const ends[] = { "done", "gave up", "cut" }; /* by `ending` */
    double n = r->steps > 0 ? r->steps : 1;
    int k;
    fprintf(csv, "\"%s\",%s,%d,%d", scene_name(r->which), r->semi_implicit ? "semi" : "end", r->bodies, r->steps);
    fprintf(csv, ",%s", ends[r->end]);
    fprintf(csv, ",%.2f,%.2f", least_time(r), typical(r, r->first_landing, r->last_landing));
    fprintf(csv, ",%.2f,%.2f", typical(r, r->first_settled, r->all), worst_time(r));
    fprintf(csv, ",%.2f,%.2f,%.2f,%.3f,%d", r->pairs / n, r->contacts / n, r->enforced / n, r->disjunctions / n, r->largest);
    fprintf(csv, ",%.3f,%.3f,%.3f,%.4f", r->iterations / n, r->problems / n, r->corrections / n, r->halvings / n);
    fprintf(csv, ",%.0f,%.0f,%.3g,%.3g,%.3g", r->inexact, r->fallbacks, r->residual, r->worst_gap, r->excess);
    fprintf(csv, ",%lu,%.0f", (unsigned long)r->scratch, memory_per_body(r));
    fprintf(csv, ",%.2f,%.3f,%.3f,%.4f", r->islands / n, r->flips / n, r->cuts / n, r->repeats / n);
    for (k = 0; k < STAGES; k++) fprintf(csv, ",%.3f", typical_stage(r, k, r->first_landing, r->last_landing));
    for (k = 0; k < STAGES; k++) fprintf(csv, ",%.3f", typical_stage(r, k, r->first_settled, r->all));
    fprintf(csv, "\n");
    fflush(csv);
}

static void write_csv_head(FILE *csv)
{
    int k;
    fprintf(csv, "scene,step,bodies,steps,ended,us_least,us_landing,us_settled,us_worst,pairs,contacts,enforced,disjunctions,"
                 "largest_problem,iterations,problems,corrections,halvings,inexact,fallbacks,residual,worst_gap,energy_excess,"
                 "scratch_used,bytes_per_body,islands,flips,cuts,repeats");
    for (k = 0; k < STAGES; k++) fprintf(csv, ",us_landing_%s", stage_names[k]);
    for (k = 0; k < STAGES; k++) fprintf(csv, ",us_settled_%s", stage_names[k]);
    fprintf(csv, "\n");
}

static void print_time(double us)
{
    if (us > 0) printf(" %9.*f", us < 100 ? 1 : 0, us);
    else printf("         -");
}

static double stage_sum(const result *r, int stage, int first, int last)
{
    double sum = 0;
    int i;
    for (i = first; i < last && last <= r->staged; i++) sum += r->stages[stage][i];
    return sum;
}

/* Each stage's share of a window, in percent. */
static void print_shares(const result *r, const char *window, int first, int last)
{
    double all = 0;
    int k;
    for (k = 0; k < STAGES; k++) all += stage_sum(r, k, first, last);
    printf(" %s", window);
    for (k = 0; k < STAGES; k++) {
        int width = (int)strlen(stage_names[k]);
        if (all > 0) printf(" %*.0f", width, 100 * stage_sum(r, k, first, last) / all);
        else printf(" %*s", width, "-");
    }
}

static void print_result(const result *r)
{
    double n = r->steps > 0 ? r->steps : 1;
    printf("%-24s %-4s", scene_name(r->which), r->semi_implicit ? "semi" : "end");
    print_time(least_time(r));
    print_time(typical(r, r->first_landing, r->last_landing));
    print_time(typical(r, r->first_settled, r->all));
    print_time(worst_time(r));
    printf(" %7.1f %7.1f %7.1f %5d %8.1f %7.1f %7.1f", r->pairs / n, r->contacts / n, r->disjunctions / n, r->largest,
           r->iterations / n, r->problems / n, r->corrections / n);
    printf(" %8.1e %4.0f %8.1e %8.2f", r->residual, r->inexact, r->worst_gap, (double)r->scratch / 1048576);
    if (r->end != DONE) printf(" %s at step %d", r->end == CUT ? "cut" : "gave up", r->steps);
    printf("\n%29s", "");
    if (r->last_landing > r->staged) print_shares(r, "so far ", 0, r->staged);
    else print_shares(r, "landing", r->first_landing, r->last_landing);
    print_shares(r, "settled", r->first_settled, r->all);
    printf("\n");
    fflush(stdout);
}

static void print_stage_names(const char *window)
{
    int k;
    printf(" %s", window);
    for (k = 0; k < STAGES; k++) printf(" %s", stage_names[k]);
}

static void print_head(void)
{
    printf("%-24s %-4s %9s %9s %9s %9s", "microseconds per step", "", "least", "landing", "settled", "worst");
    printf(" %7s %7s %7s %5s %8s %7s %7s", "pairs", "contact", "disjunc", "n", "iterate", "problem", "correct");
    printf(" %8s %4s %8s %8s\n", "residual", "inex", "gap", "MB");
    printf("%-29s", "percent of it");
    print_stage_names("landing");
    print_stage_names("settled");
    printf("\n");
}

static int make_table(const char *csv_name, const char *filter, int seconds, int repeats)
{
    FILE *csv = fopen(csv_name, "w");
    result *r = (result *)allocate_shared(1, sizeof *r);
    int which, semi;
    if (!csv) return 1;
    write_csv_head(csv);
    print_head();
    for (which = 0; which < ALL_SCENES; which++)
        for (semi = 0; semi < 2 && strstr(scene_name(which), filter); semi++) {
            memset(r, 0, sizeof *r);
            r->which = which;
            r->semi_implicit = semi;
            measure(r, seconds, repeats);
            write_csv(csv, r);
            print_result(r);
        }
    return fclose(csv);
}

static int run_steps(const char *name, const char *kind, int steps)
{
    int which, i;
    for (which = 0; which < ALL_SCENES && strcmp(scene_name(which), name) != 0; which++) continue;
    if (which < ALL_SCENES) {
        subject s = open_subject(which, strcmp(kind, "semi") == 0);
        for (i = 0; i < steps; i++)
            if (!step_subject(&s)) return 1;
    }
    return which == ALL_SCENES;
}

int main(int argc, char **argv)
{
    const char *what = argument(argc, argv, 1);
    int seconds = argc > 4 ? atoi(argv[4]) : RUN_SECONDS, repeats = argc > 5 ? atoi(argv[5]) : REPEATS;
    if (strcmp(what, "steps") == 0 && argc > 4) return run_steps(argv[2], argv[3], atoi(argv[4]));
    if (strcmp(what, "table") == 0 && argc > 2) return make_table(argv[2], argument(argc, argv, 3), seconds, repeats);
    fprintf(stderr, "speed table CSV [part of a scene's name, or -] [seconds per run] [repeats]\n"
                    "speed steps SCENE end|semi STEPS\n");
    return 2;
}
