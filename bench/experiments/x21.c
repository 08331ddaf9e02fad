/* X21, ten staggered boxes (W 5.2.2): unit squares fall into a stack on a fixed one. Nothing pushes them aside, so nothing
 * may move, turn or hover, with friction or without, whatever the step size; in the standard model corners trap each other
 * and in the corrective one the stack falls apart. */
#include "experiment.h"
#include "plot.h"

#define SECONDS 1.5 /* all have landed after .7 */
#define FRICTION 0.5

enum { BOXES = 10, SIZES = 16 };

/* ---- the scene ---- */

/* Boxes one over the other, .25 m apart, up to .1 m aside, the same way for the same set; the lowest is fixed. */
static scene *stack(int set, double friction)
{
    scene *s = scene_make(BOXES, true, (size_t)1 << 24);
    int k;
    test_seed((uint64_t)set + 1);
    for (k = 0; k < 20; k++) test_random_bits();
    for (k = 0; k < BOXES; k++)
        scene_box(s, k ? DVC_DYNAMIC : DVC_STATIC, v3(0.5, 0.5, 0), v3(test_random(-0.1, 0.1), 0.5 + 1.25 * k, 0), 1, friction);
    return s;
}

/* ---- what is measured ---- */

typedef struct outcome {
    double drift;    /* farthest that a box went aside, m */
    double gap;      /* farthest from 0 of neighbours' gaps at the end, m */
    double turn;     /* rad */
    double speed;    /* at the end, m/s or rad/s */
    double residual;
    int inexact, runs;
} outcome;

static double neighbour_gap(const dvc_world *world, int upper)
{
    oracle_solid a, b;
    oracle_shape(world, upper - 1, &a);
    oracle_shape(world, upper, &b);
    return oracle_gap(&a, &b);
}

static double drift_of(const scene *s, const dvc_vec3 *start)
{
    double drift = 0;
    int k;
    for (k = 1; k < BOXES; k++) drift = fmax(drift, fabs(s->bodies[k].position.x - start[k].x));
    return drift;
}

static void measure_end(const scene *s, outcome *worst)
{
    int k;
    for (k = 1; k < BOXES; k++) {
        const dvc_body *b = &s->bodies[k];
        worst->gap = fmax(worst->gap, fabs(neighbour_gap(&s->world, k)));
        worst->turn = fmax(worst->turn, 2 * fabs(asin(b->orientation.z)));
        worst->speed = fmax(worst->speed, fmax(oracle_norm(b->velocity), fabs(b->angular_velocity.z)));
    }
}

static void run(int set, double friction, double h, double seconds, outcome *worst)
{
    scene *s = stack(set, friction);
    dvc_vec3 start[BOXES];
    int i, k, steps = (int)(seconds / h + 0.5);
    for (k = 0; k < BOXES; k++) start[k] = s->bodies[k].position;
    for (i = 0; i < steps && experiment_step(&s->world, h); i++) {
        worst->drift = fmax(worst->drift, drift_of(s, start));
        worst->residual = fmax(worst->residual, s->world.report.residual);
        worst->inexact += s->world.report.inexact;
    }
    measure_end(s, worst);
    worst->runs++;
    scene_free(s);
}

/* ---- rows ---- */

static void report(const char *what, double drift_bar, const outcome *worst)
{
    experiment_at_most(worst->drift, drift_bar, "%s (%d runs): drift, m", what, worst->runs);
    experiment_at_most(worst->gap, 1e-9, "%s: resting gap or overlap, m", what);
    experiment_at_most(worst->turn, 1e-9, "%s: turned, rad", what);
    experiment_at_most(worst->speed, 1e-10, "%s: speed at the end, m/s", what);
    experiment_at_most(worst->residual, 1e-9, "%s: residual", what);
    experiment_at_most(worst->inexact, 0, "%s: inexact steps", what);
}

static void check_step_sizes(double friction, int sets)
{
    outcome worst = { 0, 0, 0, 0, 0, 0, 0 };
    char what[64];
    int set, k;
    for (k = 1; k <= SIZES; k++)
        for (set = 0; set < sets; set++) run(set, friction, 0.001 * k, SECONDS, &worst);
    snprintf(what, sizeof what, "mu %g, h = .001 .. .016, %d sets", friction, sets);
    report(what, friction > 0 ? 1e-3 : 1e-9, &worst);
}

static void check_long_rest(double friction, int sets)
{
    outcome worst = { 0, 0, 0, 0, 0, 0, 0 };
    char what[64];
    int set;
    for (set = 0; set < sets; set++) run(set, friction, 0.005, 25, &worst);
    snprintf(what, sizeof what, "mu %g, h = .005, 5000 steps", friction);
    report(what, friction > 0 ? 1e-3 : 1e-9, &worst);
}

/* ---- the other models, and the picture ---- */

enum { PICTURE_STEPS = 400, MODELS = 3 };

typedef struct history { double t[PICTURE_STEPS], drift[PICTURE_STEPS], overlap[PICTURE_STEPS]; } history;

/* The literature's run: h = .005, epsilon = .07. */
static void record(dvc_contact_model model, history *past)
{
    scene *s = stack(0, 0);
    dvc_vec3 start[BOXES];
    int i, k;
    s->world.contact_model = model;
    s->world.epsilon = 0.07;
    for (k = 0; k < BOXES; k++) start[k] = s->bodies[k].position;
    for (i = 0; i < PICTURE_STEPS; i++) {
        experiment_step(&s->world, 0.005);
        past->t[i] = s->world.time;
        past->drift[i] = drift_of(s, start);
        past->overlap[i] = fmax(0, -oracle_deepest(&s->world));
    }
    scene_free(s);
}

static void draw(history past[MODELS])
{
    static const char *const names[MODELS] = { "PEG", "standard", "corrective" };
    static const char *const colours[MODELS] = { PLOT_BLUE, PLOT_RED, PLOT_ORANGE };
    plot_axis time = { "t, s", 0, 2, false }, metres = { "m", 1e-17, 10, true };
    FILE *file = experiment_open("x21.svg");
    plot drawing;
    int m, panel;
    if (!file) return;
    drawing = plot_open(file, 2);
    for (panel = 0; panel < 2; panel++) {
        plot_panel(&drawing, panel ? "deepest overlap" : "drift", time, metres);
        for (m = 0; m < MODELS; m++) {
            plot_line(&drawing, colours[m], past[m].t, panel ? past[m].overlap : past[m].drift, PICTURE_STEPS);
            plot_legend(&drawing, colours[m], names[m]);
        }
    }
    plot_close(&drawing);
}

static void compare_models(void)
{
    static history past[MODELS];
    record(DVC_PEG, &past[0]);
    record(DVC_STANDARD, &past[1]);
    record(DVC_CORRECTIVE, &past[2]);
    experiment_at_most(past[0].drift[PICTURE_STEPS - 1], 1e-9, "mu 0, h = .005, epsilon .07, PEG: drift after 2 s, m");
    experiment_at_least(past[1].drift[PICTURE_STEPS - 1], 1e-3, "the same, standard model is pushed aside: drift, m");
    experiment_at_least(past[2].drift[PICTURE_STEPS - 1], 1e-3, "the same, corrective model falls apart: drift, m");
    draw(past);
}

int main(int argc, char **argv)
{
    int sets;
    experiment_begin("x21", argc, argv);
    sets = experiment.is_long ? 100 : 20;
    check_step_sizes(0, sets);
    check_step_sizes(FRICTION, sets);
    check_long_rest(0, experiment.is_long ? 20 : 2);
    check_long_rest(FRICTION, experiment.is_long ? 20 : 2);
    compare_models();
    return experiment_end();
}
