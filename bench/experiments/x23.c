/* X23, the grasp (W 5.2.5-6): a hand of five links, its palm fixed, closes two fingers of two links each on a random polygon that
 * lies on the ground. Four joint torques by proportional-derivative control, the same at every step size. Ten polygons, ten
 * step sizes, without friction and with .25, against our own path at h = 1e-4: Polytope Exact Geometry errs least. Without
 * friction its error passes; with friction the polygon sticks where it was gripped, which depends on the step to first order.
 * The standard model traps fingertips at corners, the corrective one throws the polygon about. */
#include "experiment.h"
#include "dvc_impl_tests/motion.h"
#include "dvc_impl_tests/machine.h"
#include "dvc_impl_tests/trial.h"
#include "plot.h"

#define FINE 1e-4
#define SECONDS 1.5
#define CLOSING 0.6 /* s, in which the targets go from open to closed */
#define LENGTH 0.45 /* m, of a link */
#define STIFFNESS 30.0
#define DAMPING 1.5

enum { POLYGONS = 10, SIZES = 10, MODELS = 3, STEPS = 15000, PART = 6, JOINTS = 4 };

static const dvc_contact_model models[MODELS] = { DVC_PEG, DVC_STANDARD, DVC_CORRECTIVE };
static const char *const model_names[MODELS] = { "PEG", "standard", "corrective" };
static const char *const model_colours[MODELS] = { PLOT_BLUE, PLOT_RED, PLOT_ORANGE };

/* ---- the hand ---- */

/* Angles from hanging straight down, outward for the left finger: of its upper link, and of the lower against the upper. */
static const double open_angle[2] = { 0.75, -0.75 }, closed_angle[2] = { -0.05, -0.45 };

/* Torques from the joints' angles, before every step. */
static void control(void *user, dvc_world *world, dvc_real h)
{
    double share = fmin(world->time / CLOSING, 1);
    int i;
    (void)user;
    (void)h;
    for (i = 0; i < JOINTS; i++) {
        dvc_axis *turn = &world->joints[i].turn;
        double left = i < 2 ? -1 : 1, target = left * share * (closed_angle[i % 2] - open_angle[i % 2]);
        turn->force = (dvc_real)(STIFFNESS * (target - (double)turn->position) - DAMPING * (double)turn->velocity);
    }
}

/* Positions count from the open hand. */
static void add_finger(scene *s, int left)
{
    double side = left ? -1 : 1, angle = side * open_angle[0], x = 0.3 * side, y = 1;
    int link, last = 0;
    for (link = 0; link < 2; link++) {
        double dx = LENGTH * sin(angle), dy = -LENGTH * cos(angle);
        dvc_vec3 half = v3(0.03, LENGTH / 2, 0), middle = v3(x + dx / 2, y + dy / 2, 0);
        int body = scene_box(s, DVC_DYNAMIC, half, middle, 0.5, (double)s->shapes[1].friction);
        s->bodies[body].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)angle);
        machine_join(s, DVC_REVOLUTE, last, body, v3(x, y, 0), v3(0, 0, 1));
        x += dx;
        y += dy;
        angle += side * open_angle[1];
        last = body;
    }
}

/* Lays the polygon on the face nearest to its centre of mass. */
static void lay_down(scene *s, int body)
{
    dvc_body *b = &s->bodies[body];
    oracle_solid solid;
    int i, best = 0;
    double turn;
    oracle_shape(&s->world, body, &solid);
    for (i = 0; i < solid.face_count; i++) {
        solid.offsets[i] -= oracle_dot(solid.normals[i], b->position);
        if (solid.offsets[i] < solid.offsets[best]) best = i;
    }
    turn = -MACHINE_PI / 2 - atan2((double)solid.normals[best].y, (double)solid.normals[best].x);
    b->orientation = oracle_compose(dvc_quat_turn(v3(0, 0, 1), (dvc_real)turn), machine_given(b->orientation));
    b->position.y = (dvc_real)solid.offsets[best];
}

static scene *grasp(int polygon, double friction, dvc_contact_model model)
{
    scene *s = machine_make(PART + 1, JOINTS, 0, true);
    int part;
    test_seed((uint64_t)polygon + 100);
    s->world.contact_model = model;
    s->world.before_step = control;
    scene_ground(s, friction);
    add_finger(s, true);
    add_finger(s, false);
    part = trial_polygon(s, DVC_DYNAMIC, 4 + (int)test_random(0, 5), 0.22, v3(test_random(-0.05, 0.05), 1, 0), friction);
    scene_mass(s, part, 0.5);
    lay_down(s, part);
    return s;
}

/* ---- paths ---- */

typedef struct path { int count; double x[STEPS], y[STEPS]; } path;

/* Ends early where a model cannot go on. */
static void follow(int polygon, double friction, dvc_contact_model model, double h, path *p, int *inexact)
{
    scene *s = grasp(polygon, friction, model);
    int steps = (int)(SECONDS / h + 1e-9);
    for (p->count = 0; p->count < steps && dvc_step(&s->world, (dvc_real)h) == DVC_OK; p->count++) {
        p->x[p->count] = (double)s->bodies[PART].position.x;
        p->y[p->count] = (double)s->bodies[PART].position.y;
        *inexact += s->world.report.inexact;
    }
    machine_free(s);
}

/* Mean over the path, and at its end, m; a path that ended early has no end. */
typedef struct error { double mean, end; } error;

static error compare(const path *p, const path *fine, double h)
{
    error e = { 0, 0 };
    int i, ratio = (int)(h / FINE + 0.5), steps = (int)(SECONDS / h + 1e-9);
    for (i = 0; i < p->count; i++) {
        e.end = hypot(p->x[i] - fine->x[(i + 1) * ratio - 1], p->y[i] - fine->y[(i + 1) * ratio - 1]);
        e.mean += e.end / p->count;
    }
    if (p->count < steps) e.mean = e.end = 10;
    return e;
}

/* ---- all trials ---- */

typedef struct trials { double mean[MODELS][SIZES][POLYGONS], end[MODELS][SIZES][POLYGONS]; int inexact[MODELS]; } trials;

static void run_all(double friction, trials *all)
{
    static path fine, p;
    int polygon, model, k, ignored = 0;
    memset(all, 0, sizeof *all);
    for (polygon = 0; polygon < POLYGONS; polygon++) {
        follow(polygon, friction, DVC_PEG, FINE, &fine, &ignored);
        for (model = 0; model < MODELS; model++)
            for (k = 0; k < SIZES; k++) {
                double h = 0.001 * (k + 1);
                error e;
                follow(polygon, friction, models[model], h, &p, &all->inexact[model]);
                e = compare(&p, &fine, h);
                all->mean[model][k][polygon] = e.mean;
                all->end[model][k][polygon] = e.end;
            }
    }
}

static double median(const double values[POLYGONS])
{
    double sorted[POLYGONS], quartiles[5];
    memcpy(sorted, values, sizeof sorted);
    experiment_quartiles(sorted, POLYGONS, quartiles);
    return quartiles[2];
}

/* ---- rows and the picture ---- */

static void report(double friction, const trials *all)
{
    static const int sizes[4] = { 0, 1, 4, 9 };
    int i, model;
    for (i = 0; i < 4; i++) {
        int k = sizes[i];
        double h = 0.001 * (k + 1), peg = median(all->mean[0][k]);
        experiment_at_most(peg, 0.2 * h, "mu %.2f, h %.3f: PEG's mean error, median of ten, m", friction, h);
        experiment_at_most(median(all->end[0][k]), friction > 0 ? 0.2 * h : peg, "mu %.2f, h %.3f: the same at the end, m",
                           friction, h);
        for (model = 1; model < MODELS; model++)
            experiment_at_least(median(all->mean[model][k]), peg, "mu %.2f, h %.3f: that of the %s model, against PEG's, m",
                                friction, h, model_names[model]);
    }
    experiment_at_most(all->inexact[0], 0, "mu %.2f: PEG's inexact steps", friction);
}

static void draw(double friction, const trials *all, plot *drawing)
{
    static const double aside[MODELS] = { 0, -2.5e-4, 2.5e-4 };
    double sorted[POLYGONS], quartiles[5];
    char title[64];
    int model, k;
    snprintf(title, sizeof title, "mean error of place, friction %.2f", friction);
    plot_panel(drawing, title, (plot_axis){ "h, s", 0, 0.011, false }, (plot_axis){ "m", 1e-5, 10, true });
    for (model = 0; model < MODELS; model++)
        for (k = 0; k < SIZES; k++) {
            memcpy(sorted, all->mean[model][k], sizeof sorted);
            experiment_quartiles(sorted, POLYGONS, quartiles);
            plot_quartiles(drawing, model_colours[model], 0.001 * (k + 1) + aside[model], quartiles);
        }
    for (model = 0; model < MODELS; model++) plot_legend(drawing, model_colours[model], model_names[model]);
}

int main(int argc, char **argv)
{
    static const double frictions[2] = { 0, 0.25 };
    static trials all;
    FILE *file;
    plot drawing;
    int k;
    experiment_begin("x23", argc, argv);
    file = experiment_open("x23.svg");
    if (!file) return 1;
    drawing = plot_open(file, 2);
    for (k = 0; k < 2; k++) {
        run_all(frictions[k], &all);
        report(frictions[k], &all);
        draw(frictions[k], &all, &drawing);
    }
    plot_close(&drawing);
    return experiment_end();
}
