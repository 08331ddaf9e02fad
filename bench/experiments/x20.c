/* X20, the triangle drop (W 5.2.1): a triangle falls on the right flank of one twice as large, close to its apex, corner
 * first as in the literature or face first. Not turned, the exact path is a fall and a slide that never turns. 16 step
 * sizes against our own path at h = 1e-4; the standard model sticks at the apex, the corrective one scatters. */
#include "experiment.h"
#include "plot.h"

#define SIDE 2.45
#define INERTIA 0.6495
#define PI 3.14159265358979323846
#define SECONDS 1.5
#define FINE 1e-4
#define FLANK_END (2 * SIDE - 0.2) /* the last place where a step of 16 ms begins and ends on the flank */
#define FINE_SECONDS 1.65 /* so that a path ahead of the fine one has a line to be compared with */

enum { SIZES = 16, MODELS = 3, LONGEST = 16500, WINDOW = 500 };

static const dvc_contact_model models[MODELS] = { DVC_PEG, DVC_STANDARD, DVC_CORRECTIVE };
static const char *const model_names[MODELS] = { "PEG", "standard", "corrective" };
static const char *const model_colours[MODELS] = { PLOT_BLUE, PLOT_RED, PLOT_ORANGE };

/* ---- the scene ---- */

typedef struct landing {
    const char *name;
    double upright; /* angle at which a corner, or a face, points straight into the flank */
    double reach;   /* from the centre to that corner or face */
    double foot;    /* where the centre stands over the flank then, from the apex, m */
    double fall;
    double turned;  /* from the upright angle */
} landing;

static const landing corner_drop = { "corner", 0, SIDE * 0.57735026918962576, 0.005, 3.2, 0 };
static const landing face_drop = { "face", PI, SIDE * 0.28867513459481288, 0.9, 1, 0 };

/* Corners around the centre, a face below. */
static void corners_of(double side, dvc_vec2 corners[3])
{
    int k;
    for (k = 0; k < 3; k++) {
        double angle = PI * (-1.0 / 6 + 2.0 * k / 3);
        corners[k].x = side / sqrt(3.0) * cos(angle);
        corners[k].y = side / sqrt(3.0) * sin(angle);
    }
}

static scene *drop(dvc_contact_model model, double epsilon, const landing *where)
{
    static dvc_vec2 large[3], small[3];
    scene *s = scene_make(2, true, (size_t)1 << 22);
    double down = sqrt(3.0) / 2;
    corners_of(2 * SIDE, large);
    corners_of(SIDE, small);
    s->world.contact_model = model;
    s->world.epsilon = epsilon;
    scene_polygon(s, DVC_STATIC, large, 3, scene_zero, 1, 0);
    scene_polygon(s, DVC_DYNAMIC, small, 3, scene_zero, 1, 0);
    s->bodies[1].mass = 1;
    s->bodies[1].inertia.z = INERTIA;
    s->bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), where->upright + where->turned);
    s->bodies[1].position = v3(0.5 * where->foot + down * where->reach,
                               large[1].y - down * where->foot + 0.5 * where->reach + where->fall, 0);
    return s;
}

/* How far down the flank the point is, from the apex. */
static double foot_of(double x, double y) { return 0.5 * x - sqrt(3.0) / 2 * (y - 2 * SIDE / sqrt(3.0)); }

/* ---- paths ---- */

typedef struct path {
    int count;
    double h, t[LONGEST], x[LONGEST], y[LONGEST], angle[LONGEST];
    int inexact;
} path;

static void follow(dvc_contact_model model, double epsilon, const landing *where, double h, double seconds, path *p)
{
    scene *s = drop(model, epsilon, where);
    const dvc_body *b = &s->bodies[1];
    int steps = (int)(seconds / h + 1e-9);
    p->h = h;
    p->inexact = 0;
    for (p->count = 0; p->count < steps && experiment_step(&s->world, h); p->count++) {
        p->t[p->count] = h * (p->count + 1);
        p->x[p->count] = b->position.x;
        p->y[p->count] = b->position.y;
        p->angle[p->count] = 2 * atan2(b->orientation.z, b->orientation.w);
        p->inexact += s->world.report.inexact;
    }
    scene_free(s);
}

static dvc_vec3 place(const path *p, int i) { return v3(p->x[i], p->y[i], 0); }

/* Distance of a point from the fine path, near index `at`: the true distance or more. */
static double off_line(const path *fine, int at, double x, double y)
{
    double least = ORACLE_FAR;
    int i, from = at < WINDOW ? 0 : at - WINDOW, to = at + WINDOW < fine->count - 1 ? at + WINDOW : fine->count - 1;
    for (i = from; i < to; i++)
        least = fmin(least, oracle_point_segment(v3(x, y, 0), place(fine, i), place(fine, i + 1)));
    return least;
}

typedef struct error { double lag, off, turn, end; } error;

/* Worst over the path: distance at the same time, in lags of an exact first-order step; and off the line and turned while
 * the centre is over the flank. What comes after depends on the step in which the flank is left: to first order only. */
static void compare(const path *p, const path *fine, error *worst)
{
    int i, ratio = (int)(p->h / FINE + 0.5);
    for (i = 0; i < p->count; i++) {
        int at = (i + 1) * ratio - 1;
        worst->end = hypot(p->x[i] - fine->x[at], p->y[i] - fine->y[at]);
        worst->lag = fmax(worst->lag, worst->end / (9.81 * p->h * p->t[i] / 2));
        if (foot_of(p->x[i], p->y[i]) > FLANK_END) continue;
        worst->off = fmax(worst->off, off_line(fine, at, p->x[i], p->y[i]));
        worst->turn = fmax(worst->turn, fabs(p->angle[i] - fine->angle[at]));
    }
}

/* ---- rows ---- */

/* All step sizes of one foresight: by itself, or ten steps' worth as in the literature. A corner that hits aside of the
 * centre turns the body at the rate of the hit's speed, which a step knows to g h: its line is right to first order. */
static void check_peg(const landing *where, bool literature, const path *fine)
{
    static path p;
    error worst = { 0, 0, 0, 0 };
    double first_order = 0;
    char name[64];
    int k, inexact = 0;
    snprintf(name, sizeof name, "%s %+.2f rad, epsilon %s", where->name, where->turned, literature ? "10 h" : "0");
    for (k = 1; k <= SIZES; k++) {
        error e = worst;
        e.off = 0;
        follow(DVC_PEG, literature ? 0.01 * k : 0, where, 0.001 * k, SECONDS, &p);
        compare(&p, fine, &e);
        first_order = fmax(first_order, e.off / p.h);
        e.off = fmax(e.off, worst.off);
        worst = e;
        inexact += p.inexact;
    }
    experiment_at_most(worst.lag, 1.1, "%s: from the path at h = 1e-4, in g h t / 2", name);
    if (where->turned != 0)
        experiment_at_most(first_order, 1, "%s: off its line on the flank, m per s of h", name);
    else
        experiment_at_most(worst.off, 1e-3, "%s: off its line on the flank, m", name);
    if (where->turned == 0) experiment_at_most(worst.turn, 1e-9, "%s: turned, rad", name);
    experiment_at_most(inexact, 0, "%s: inexact steps", name);
}

/* The seeds' other models, which must show what the seeds say of them. */
static void check_others(const path *fine)
{
    static path p;
    double least_stuck = ORACLE_FAR, least = ORACLE_FAR, most = 0;
    int k;
    for (k = 1; k <= SIZES; k++) {
        error e = { 0, 0, 0, 0 };
        follow(DVC_STANDARD, 0.01 * k, &corner_drop, 0.001 * k, SECONDS, &p);
        compare(&p, fine, &e);
        least_stuck = fmin(least_stuck, e.end);
        follow(DVC_CORRECTIVE, 0.01 * k, &corner_drop, 0.001 * k, SECONDS, &p);
        compare(&p, fine, &e);
        least = fmin(least, e.end);
        most = fmax(most, e.end);
    }
    experiment_at_least(least_stuck, 0.5, "corner, standard model sticks: nearest of its ends to the path's end, m");
    experiment_at_least(most - least, 0.5, "corner, corrective model scatters: range of its ends, m");
}

/* ---- the pictures ---- */

static const double *component_of(const path *p, int component)
{
    return component == 0 ? p->x : component == 1 ? p->y : p->angle;
}

static void draw_component(plot *drawing, int component, const path *fine, const landing *where)
{
    static const char *const titles[3] = { "x, m", "y, m", "rotation, rad" };
    static const double low[3] = { 1, -4, -1 }, high[3] = { 7, 6, 1.5 };
    static path p;
    int m, k;
    plot_axis time = { "t, s", 0.7, SECONDS, false }, value = { "", low[component], high[component], false };
    plot_panel(drawing, titles[component], time, value);
    for (m = MODELS - 1; m >= 0; m--)
        for (k = 1; k <= SIZES; k++) {
            follow(models[m], 0.01 * k, where, 0.001 * k, SECONDS, &p);
            plot_line(drawing, model_colours[m], p.t, component_of(&p, component), p.count);
        }
    plot_line(drawing, PLOT_BLACK, fine->t, component_of(fine, component), fine->count);
    if (component > 0) return;
    for (m = 0; m < MODELS; m++) plot_legend(drawing, model_colours[m], model_names[m]);
    plot_legend(drawing, PLOT_BLACK, "PEG, h = 1e-4");
}

static void draw(const char *file_name, const path *fine, const landing *where)
{
    FILE *file = experiment_open(file_name);
    plot drawing;
    int component;
    if (!file) return;
    drawing = plot_open(file, 3);
    for (component = 0; component < 3; component++) draw_component(&drawing, component, fine, where);
    plot_close(&drawing);
}

/* ---- all ---- */

int main(int argc, char **argv)
{
    static const double turns[3] = { 0, 0.15, -0.15 };
    static path fine;
    int k, literature;
    experiment_begin("x20", argc, argv);
    for (k = 0; k < 6; k++) {
        landing where = k % 2 ? face_drop : corner_drop;
        where.turned = turns[k / 2];
        follow(DVC_PEG, 0, &where, FINE, FINE_SECONDS, &fine);
        for (literature = 0; literature < 2; literature++) check_peg(&where, literature, &fine);
        if (k == 0) check_others(&fine);
        if (k == 0) draw("x20.svg", &fine, &where);
        if (k == 2) draw("x20_turned.svg", &fine, &where);
    }
    return experiment_end();
}
