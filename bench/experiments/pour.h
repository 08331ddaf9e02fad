/* X22 (W 5.2.3, 5.2.4): hulls of ten random points are poured into a box, in the plane and in space. What both share: the
 * runs, what is measured in them by brute force, the rows and the pictures. Include after experiment.h and plot.h. */
#ifndef POUR_H
#define POUR_H

enum { POUR_POINTS = 10, POUR_SIZES = 5, POUR_TYPICAL = 3, POUR_MOST_SETS = 40, POUR_MOST_STEPS = 5000, POUR_MOST_GAPS = 20000 };

#define POUR_SECONDS 5.0
#define POUR_EXTENT 0.25
#define POUR_APART 10.0    /* of the boxes of a scene with several, m */
#define POUR_SAMPLE 0.005  /* overlap is measured no more often than this, s */
#define POUR_SETTLED 1.0   /* a stone that entered so long ago, s, does not fly any more */
#define POUR_EXPLODED 15   /* contacts that act at once, per body: no heap has as many */

/* pour_sizes[POUR_TYPICAL] is the literature's. */
static const double pour_sizes[POUR_SIZES] = { 0.001, 0.002, 0.005, 0.01, 0.02 };

typedef struct pour_model {
    const char *name, *colour;
    dvc_contact_model model;
    bool semi_implicit;
    int sets; /* of random stones; four times as many in long runs */
} pour_model;

typedef enum pour_which { POUR_PEG, POUR_SEMI, POUR_STANDARD, POUR_CORRECTIVE, POUR_MODELS } pour_which;

static const pour_model pour_models[POUR_MODELS] = {
    { "PEG", PLOT_BLUE, DVC_PEG, false, 10 },
    { "PEG, semi-implicit", PLOT_GREEN, DVC_PEG, true, 10 },
    { "standard", PLOT_RED, DVC_STANDARD, true, 3 },
    { "corrective", PLOT_ORANGE, DVC_CORRECTIVE, true, 3 },
};

/* What differs between plane and space. */
typedef struct pour_kind {
    const char *overlap_name;
    bool planar;
    int walls, stones;
    double every, half;          /* s between stones; half the box's width, m */
    double mean_bar, most_bar;   /* on PEG's overlap */
    double cost_bar[2];          /* us per step of PEG at the typical step size: true end pose, semi-implicit */
    void (*add_walls)(scene *s, double x);
    void (*add_stone)(scene *s, double x);
    bool total;                  /* overlap of the pairs is added up, not the worst of them */
    double (*overlap)(const oracle_solid *a, const oracle_solid *b);
} pour_kind;

/* ---- scenes ---- */

static dvc_vec3 pour_point(bool planar, double extent)
{
    double x = test_random(-extent, extent), y = test_random(-extent, extent);
    return v3(x, y, planar ? 0 : test_random(-extent, extent));
}

/* Boxes beside each other, with the sets `set`, `set` + 1 and so on: in each first the walls, then the stones. */
static scene *pour_make(const pour_kind *kind, int set, int boxes, const pour_model *model)
{
    scene *s = scene_make(boxes * (kind->walls + kind->stones), kind->planar, (size_t)1 << 26);
    int box, k;
    free(s->world.contacts);
    s->world.contact_capacity = boxes * SCENE_CONTACTS;
    s->world.contacts = (dvc_contact *)scene_memory((size_t)s->world.contact_capacity, sizeof(dvc_contact));
    for (box = 0; box < boxes; box++) {
        test_seed((uint64_t)(set + box) + 1);
        for (k = 0; k < 20; k++) test_random_bits();
        kind->add_walls(s, POUR_APART * box);
        for (k = 0; k < kind->stones; k++) kind->add_stone(s, POUR_APART * box);
    }
    s->world.contact_model = model->model;
    s->world.semi_implicit = model->semi_implicit;
    return s;
}

/* Number of a stone in its box, in the order in which they enter; negative: a wall. */
static int pour_order(const pour_kind *kind, int body) { return body % (kind->walls + kind->stones) - kind->walls; }

static void pour_let_in(const pour_kind *kind, scene *s)
{
    int i;
    for (i = 0; i < s->world.body_count; i++) s->bodies[i].disabled = pour_order(kind, i) * kind->every > s->world.time + 1e-9;
}

/* ---- what is measured ---- */

typedef struct pour_result {
    double overlap, most;        /* mean and largest over the run */
    double push_gap;             /* median of |gap| of pairs that push, last second, m */
    double push_share;           /* of them, those that are not at 1e-9 */
    double rest_gap;             /* mean distance of settled stones from their nearest neighbour, last second, m */
    double excess, residual;     /* worst */
    double gain;                 /* largest energy gained in the steps of a run, by its energy at the top: see pour_energy */
    double us, size, contacts, traps; /* means per step */
    int steps, inexact, disjunctive, lost, stopped;
} pour_result;

/* Per step, for the pictures. */
typedef struct pour_history {
    int count;
    double t[POUR_MOST_STEPS], contacts[POUR_MOST_STEPS], traps[POUR_MOST_STEPS], size[POUR_MOST_STEPS], us[POUR_MOST_STEPS];
} pour_history;

/* The solids of a scene, in their bodies' frames and in the world. */
typedef struct pour_solids { oracle_solid *local, *placed; } pour_solids;

static pour_solids pour_solids_of(const scene *s)
{
    pour_solids solids;
    int i;
    solids.local = (oracle_solid *)scene_memory((size_t)s->world.shape_count, sizeof *solids.local);
    solids.placed = (oracle_solid *)scene_memory((size_t)s->world.shape_count, sizeof *solids.placed);
    for (i = 0; i < s->world.shape_count; i++) {
        oracle_local(&s->shapes[i], s->world.planar, &solids.local[i]);
        oracle_place(&solids.local[i], s->shapes[i].position, s->shapes[i].orientation);
    }
    return solids;
}

static void pour_place_solids(const scene *s, pour_solids *solids)
{
    int i;
    for (i = 0; i < s->world.shape_count; i++) {
        solids->placed[i] = solids->local[i];
        oracle_place(&solids->placed[i], s->bodies[i].position, s->bodies[i].orientation);
    }
}

/* A face shows that they are apart, or touch: most pairs need no more. */
static bool pour_clear(const oracle_solid *a, const oracle_solid *b)
{
    int i;
    for (i = 0; i < a->face_count; i++)
        if (oracle_axis_gap(a, b, a->normals[i]) >= 0) return true;
    for (i = 0; i < b->face_count; i++)
        if (oracle_axis_gap(b, a, b->normals[i]) >= 0) return true;
    return false;
}

static double pour_overlap(const pour_kind *kind, const scene *s, const pour_solids *solids)
{
    double sum = 0, most = 0;
    int i, k;
    for (i = 0; i < s->world.shape_count; i++)
        for (k = i + 1; k < s->world.shape_count; k++) {
            const oracle_solid *a = &solids->placed[i], *b = &solids->placed[k];
            double overlap;
            if (!oracle_allowed(&s->world, i, k) || oracle_ball_gap(a, b) > 0 || pour_clear(a, b)) continue;
            overlap = fmax(0, kind->overlap(a, b));
            sum += overlap;
            most = fmax(most, overlap);
        }
    return kind->total ? sum : most;
}

typedef struct pour_gaps { int count; double size[POUR_MOST_GAPS]; } pour_gaps;

/* Adds the gaps of pairs between which a force acts. */
static void pour_push_gaps(const scene *s, const pour_solids *solids, pour_gaps *gaps)
{
    int i, group = -1;
    for (i = 0; i < s->world.contact_count; i++) {
        const dvc_contact *c = &s->world.contacts[i];
        if (c->group == group || !(c->normal_impulse > 0) || gaps->count >= POUR_MOST_GAPS) continue;
        group = c->group;
        gaps->size[gaps->count++] = fabs(oracle_gap(&solids->placed[c->shape_a], &solids->placed[c->shape_b]));
    }
}

/* From its nearest neighbour; of stones that overlap, 0. */
static double pour_distance(const scene *s, const pour_solids *solids, int stone)
{
    double nearest = ORACLE_FAR;
    int k;
    for (k = 0; k < s->world.shape_count; k++) {
        const oracle_solid *a = &solids->placed[stone], *b = &solids->placed[k];
        if (!oracle_allowed(&s->world, stone, k) || oracle_ball_gap(a, b) > nearest) continue;
        nearest = fmin(nearest, oracle_gap(a, b) <= 0 ? 0 : oracle_distance(a, b));
    }
    return nearest;
}

static double pour_rest_gap(const pour_kind *kind, const scene *s, const pour_solids *solids)
{
    double sum = 0;
    int i, count = 0;
    for (i = 0; i < s->world.shape_count; i++) {
        if (pour_order(kind, i) < 0 || pour_order(kind, i) * kind->every > s->world.time - POUR_SETTLED) continue;
        sum += pour_distance(s, solids, i);
        count++;
    }
    return sum / count;
}

/* Contacts that are apart on another facet, with a gap below 0: the standard model would have forced each of them open. */
static int pour_traps(const dvc_world *world)
{
    int i, traps = 0;
    for (i = 0; i < world->contact_count; i++) traps += !world->contacts[i].chosen && world->contacts[i].gap < -1e-9;
    return traps;
}

static int pour_lost(const pour_kind *kind, const scene *s)
{
    int i, lost = 0;
    for (i = 0; i < s->world.body_count; i++) {
        dvc_vec3 p = s->bodies[i].position;
        double x = p.x - POUR_APART * (i / (kind->walls + kind->stones));
        bool aside = fabs(x) > kind->half || (!kind->planar && fabs(p.y) > kind->half);
        lost += pour_order(kind, i) >= 0 && (aside || (kind->planar ? p.y : p.z) < 0);
    }
    return lost;
}

/* Kinetic and potential energy of the stones that have entered, from their definitions. */
static double pour_energy(const scene *s)
{
    double sum = 0;
    int i;
    for (i = 0; i < s->world.body_count; i++) {
        const dvc_body *b = &s->bodies[i];
        dvc_quat back = { b->orientation.w, -b->orientation.x, -b->orientation.y, -b->orientation.z };
        dvc_vec3 w = oracle_turn(back, b->angular_velocity), v = b->velocity;
        if (b->kind != DVC_DYNAMIC || b->disabled) continue;
        sum += b->mass * (oracle_dot(v, v) / 2 - oracle_dot(s->world.gravity, b->position));
        sum += (b->inertia.x * w.x * w.x + b->inertia.y * w.y * w.y + b->inertia.z * w.z * w.z) / 2;
    }
    return sum;
}

/* ---- runs ---- */

/* One step with its cost in microseconds and the energy gained; false if it could not be made or the scene has exploded. */
static bool pour_step(const pour_kind *kind, scene *s, double h, double *us, double *gain)
{
    double before, energy;
    bool ok;
    pour_let_in(kind, s);
    energy = pour_energy(s);
    before = experiment_seconds();
    ok = dvc_step(&s->world, h) == DVC_OK && s->world.report.enforced <= POUR_EXPLODED * s->world.body_count;
    *us = 1e6 * (experiment_seconds() - before);
    *gain = fmax(0, pour_energy(s) - energy);
    return ok;
}

static void pour_count(const dvc_world *world, double us, pour_result *r, pour_history *past)
{
    const dvc_report *report = &world->report;
    int traps = pour_traps(world);
    r->excess = fmax(r->excess, report->energy_excess);
    r->residual = fmax(r->residual, report->residual);
    r->inexact += report->inexact > 0;
    r->disjunctive += report->disjunctions > 0;
    r->us += us;
    r->size += report->largest_problem;
    r->contacts += report->enforced;
    r->traps += traps;
    r->steps++;
    if (!past || past->count >= POUR_MOST_STEPS) return;
    past->t[past->count] = world->time;
    past->contacts[past->count] = report->enforced;
    past->traps[past->count] = traps;
    past->size[past->count] = report->largest_problem;
    past->us[past->count++] = us;
}

/* The overlap of a sample; `late` ones add gaps. */
static void pour_look(const pour_kind *kind, const scene *s, pour_solids *solids, pour_gaps *late, pour_result *r)
{
    double overlap;
    pour_place_solids(s, solids);
    overlap = pour_overlap(kind, s, solids);
    r->overlap += overlap;
    r->most = fmax(r->most, overlap);
    if (!late) return;
    pour_push_gaps(s, solids, late);
    r->rest_gap += pour_rest_gap(kind, s, solids);
}

/* Sums become means, gaps become their median. */
static void pour_average(int samples, int late_samples, pour_gaps *gaps, pour_result *r)
{
    double quartiles[5], steps = r->steps > 0 ? r->steps : 1;
    int i;
    r->overlap /= samples > 0 ? samples : 1;
    r->rest_gap /= late_samples > 0 ? late_samples : 1;
    r->us /= steps;
    r->size /= steps;
    r->contacts /= steps;
    r->traps /= steps;
    if (gaps->count == 0) return;
    for (i = 0; i < gaps->count; i++) r->push_share += (gaps->size[i] > 1e-9) / (double)gaps->count;
    experiment_quartiles(gaps->size, gaps->count, quartiles);
    r->push_gap = quartiles[2];
}

/* Steps through all; overlap is sampled, in the last fifth also gaps, there ten times in all. */
static void pour_follow(const pour_kind *kind, scene *s, double h, pour_history *past, pour_result *r)
{
    static pour_gaps gaps;
    pour_solids solids = pour_solids_of(s);
    int i, steps = (int)(POUR_SECONDS / h + 0.5), every = (int)fmax(1, POUR_SAMPLE / h + 0.5);
    int samples = 0, late_samples = 0;
    double us, gain, energy = pour_energy(s);
    gaps.count = 0;
    for (i = 1; i <= steps; i++) {
        bool late = i > steps * 4 / 5 && i % (steps / 50) == 0;
        if (!pour_step(kind, s, h, &us, &gain)) { r->stopped = 1; break; }
        r->gain += gain / energy;
        pour_count(&s->world, us, r, past);
        if (i % every != 0) continue;
        pour_look(kind, s, &solids, late ? &gaps : NULL, r);
        samples++;
        late_samples += late;
    }
    pour_average(samples, late_samples, &gaps, r);
    free(solids.local);
    free(solids.placed);
}

static pour_result pour_run(const pour_kind *kind, int set, const pour_model *model, double h, pour_history *past)
{
    pour_result r;
    scene *s = pour_make(kind, set, 1, model);
    memset(&r, 0, sizeof r);
    pour_follow(kind, s, h, past, &r);
    r.lost = pour_lost(kind, s);
    scene_free(s);
    return r;
}

/* ---- all runs of a model, and their rows ---- */

/* Of all sets of one step size: quartiles of the mean overlap; worst and sums of the rest. */
typedef struct pour_summary {
    double quartiles[5], mean, most;
    pour_result all; /* push_gap and rest_gap: worst; per step: means; counts: sums */
} pour_summary;

static void pour_add(pour_result *all, const pour_result *r, int sets)
{
    all->push_gap = fmax(all->push_gap, r->push_gap);
    all->rest_gap = fmax(all->rest_gap, r->rest_gap);
    all->push_share += r->push_share / sets;
    all->excess = fmax(all->excess, r->excess);
    all->gain = fmax(all->gain, r->gain);
    all->residual = fmax(all->residual, r->residual);
    all->us += r->us / sets;
    all->size += r->size / sets;
    all->contacts += r->contacts / sets;
    all->traps += r->traps / sets;
    all->steps += r->steps;
    all->inexact += r->inexact;
    all->disjunctive += r->disjunctive;
    all->lost += r->lost;
    all->stopped += r->stopped;
}

static pour_summary pour_summarise(const pour_kind *kind, const pour_model *model, double h)
{
    double means[POUR_MOST_SETS];
    pour_summary sum;
    int set, sets = model->sets * (experiment.is_long ? 4 : 1);
    memset(&sum, 0, sizeof sum);
    for (set = 0; set < sets; set++) {
        pour_result r = pour_run(kind, set, model, h, NULL);
        pour_add(&sum.all, &r, sets);
        means[set] = r.overlap;
        sum.mean += r.overlap / sets;
        sum.most = fmax(sum.most, r.most);
    }
    experiment_quartiles(means, sets, sum.quartiles);
    return sum;
}

static void pour_row_sizes(const pour_kind *kind, double h, const pour_summary *peg)
{
    experiment_at_most(peg->mean, kind->mean_bar, "PEG, h = %g: %s, mean", h, kind->overlap_name);
    experiment_at_most(peg->most, kind->most_bar, "PEG, h = %g: %s, largest", h, kind->overlap_name);
    experiment_at_most(peg->all.push_gap, 1e-9, "PEG, h = %g: |gap| of pairs that push, median, m", h);
    experiment_note(100 * peg->all.push_share, "PEG, h = %g: of them apart by more than 1 nm all the same, %%", h);
    experiment_note(peg->all.rest_gap, "PEG, h = %g: distance of settled stones from the nearest, m", h);
}

static void pour_row_others(const pour_kind *kind, double h, pour_summary sums[POUR_MODELS])
{
    int m;
    for (m = POUR_SEMI; m < POUR_MODELS; m++) {
        const char *name = pour_models[m].name;
        if (sums[m].all.stopped) continue;
        experiment_note(sums[m].mean, "%s, h = %g: %s, mean", name, h, kind->overlap_name);
        experiment_note(sums[m].all.rest_gap, "%s, h = %g: distance of settled stones from the nearest, m", name, h);
    }
    experiment_at_least(sums[POUR_CORRECTIVE].quartiles[2] / fmax(sums[POUR_PEG].quartiles[2], 1e-16), 1e3,
                        "corrective over PEG, h = %g: median of %s", h, kind->overlap_name);
}

/* What holds at all step sizes for PEG, and what the seeds say of the others. */
static void pour_row_certificate(const pour_model *model, const pour_summary *sums)
{
    const char *name = model->name;
    pour_result all;
    double unsolved;
    int k;
    memset(&all, 0, sizeof all);
    for (k = 0; k < POUR_SIZES; k++) pour_add(&all, &sums[k].all, 1);
    unsolved = 100.0 * all.inexact / all.steps;
    if (model->model == DVC_STANDARD) experiment_at_least(unsolved, 1, "%s traps stones: steps without a solution, %%", name);
    if (model->model == DVC_CORRECTIVE) experiment_note(unsolved, "%s: inexact steps, %%", name);
    if (model->model != DVC_PEG) {
        experiment_note(100 * all.gain, "%s: energy gained in all steps of the worst run, %%", name);
        experiment_note(all.lost, "%s: stones out of the box", name);
        experiment_note(all.stopped, "%s: runs that exploded", name);
        return;
    }
    experiment_at_most(all.lost + all.stopped, 0, "%s: stones out of the box, runs that stopped", name);
    experiment_at_most(100 * all.gain, 2, "%s: energy gained in all steps of the worst run, %%", name);
    experiment_at_most(all.excess, 1e-12, "%s: energy beyond the bound, J", name);
    experiment_at_most(all.residual, 1e-8, "%s: residual", name);
    experiment_at_most(100.0 * all.inexact / all.disjunctive, 0.2, "%s: inexact, %% of the steps that have a choice", name);
}

/* ---- cost ---- */

/* Microseconds per step without anything else, the best of three runs; none if it stops. */
static double pour_cost(const pour_kind *kind, int set, int boxes, const pour_model *model)
{
    double h = pour_sizes[POUR_TYPICAL], best = ORACLE_FAR;
    int i, try, steps = (int)(POUR_SECONDS / h + 0.5);
    for (try = 0; try < 3; try++) {
        scene *s = pour_make(kind, set, boxes, model);
        double sum = 0, us, gain;
        for (i = 0; i < steps && pour_step(kind, s, h, &us, &gain); i++) sum += us;
        if (i == steps) best = fmin(best, sum / steps);
        scene_free(s);
    }
    return best;
}

/* Ten boxes in one scene against the same ten alone. */
static void pour_row_cost(const pour_kind *kind)
{
    int which, set;
    for (which = POUR_PEG; which <= POUR_SEMI; which++) {
        const pour_model *model = &pour_models[which];
        double alone = 0, together;
        for (set = 0; set < 10; set++) alone += pour_cost(kind, set, 1, model) / 10;
        together = pour_cost(kind, 0, 10, model) / 10;
        experiment_at_most(alone, kind->cost_bar[which], "%s, h = .01: us per step", model->name);
        experiment_at_most(together / alone, 1.3, "%s, h = .01: cost per box of ten in one scene, over alone", model->name);
    }
}

/* ---- pictures ---- */

static void pour_draw_overlap(const pour_kind *kind, plot *drawing, pour_summary sums[POUR_MODELS][POUR_SIZES])
{
    int m, k;
    plot_axis size = { "h, s", 0.0008, 0.025, true }, overlap = { kind->overlap_name, 1e-16, 1e4, true };
    plot_panel(drawing, "overlap: quartiles, least and largest of the sets", size, overlap);
    for (m = 0; m < POUR_MODELS; m++) {
        for (k = 0; k < POUR_SIZES; k++) plot_quartiles(drawing, pour_models[m].colour, pour_sizes[k], sums[m][k].quartiles);
        plot_legend(drawing, pour_models[m].colour, pour_models[m].name);
    }
}

/* One set at h = .01: contacts and traps of PEG; sizes and costs of PEG and the corrective model. */
static void pour_draw_histories(const pour_kind *kind, plot *drawing)
{
    static pour_history peg, corrective;
    plot_axis time = { "t, s", 0, POUR_SECONDS, false }, count = { "per step", 0, 120, false };
    plot_axis unknowns = { "unknowns", 0, 120, false }, cost = { "us", 1, 1e5, true };
    pour_run(kind, 0, &pour_models[POUR_PEG], pour_sizes[POUR_TYPICAL], &peg);
    pour_run(kind, 0, &pour_models[POUR_CORRECTIVE], pour_sizes[POUR_TYPICAL], &corrective);
    plot_panel(drawing, "contacts and traps, h = .01", time, count);
    plot_line(drawing, PLOT_BLUE, peg.t, peg.contacts, peg.count);
    plot_line(drawing, PLOT_RED, peg.t, peg.traps, peg.count);
    plot_legend(drawing, PLOT_BLUE, "contacts that act");
    plot_legend(drawing, PLOT_RED, "traps of the standard model");
    plot_panel(drawing, "largest problem, h = .01", time, unknowns);
    plot_line(drawing, PLOT_BLUE, peg.t, peg.size, peg.count);
    plot_line(drawing, PLOT_ORANGE, corrective.t, corrective.size, corrective.count);
    plot_panel(drawing, "cost of a step, h = .01", time, cost);
    plot_line(drawing, PLOT_ORANGE, corrective.t, corrective.us, corrective.count);
    plot_line(drawing, PLOT_BLUE, peg.t, peg.us, peg.count);
    plot_legend(drawing, PLOT_BLUE, "PEG");
    plot_legend(drawing, PLOT_ORANGE, "corrective");
}

static void pour_draw(const pour_kind *kind, pour_summary sums[POUR_MODELS][POUR_SIZES])
{
    char file_name[32];
    FILE *file;
    plot drawing;
    snprintf(file_name, sizeof file_name, "%s.svg", experiment.name);
    file = experiment_open(file_name);
    if (!file) return;
    drawing = plot_open(file, 4);
    pour_draw_overlap(kind, &drawing, sums);
    pour_draw_histories(kind, &drawing);
    plot_close(&drawing);
}

/* ---- everything ---- */

static void pour_experiment(const pour_kind *kind)
{
    static pour_summary sums[POUR_MODELS][POUR_SIZES];
    int m, k;
    for (m = 0; m < POUR_MODELS; m++)
        for (k = 0; k < POUR_SIZES; k++) sums[m][k] = pour_summarise(kind, &pour_models[m], pour_sizes[k]);
    for (k = 0; k < POUR_SIZES; k++) {
        pour_summary here[POUR_MODELS];
        for (m = 0; m < POUR_MODELS; m++) here[m] = sums[m][k];
        pour_row_sizes(kind, pour_sizes[k], &sums[POUR_PEG][k]);
        pour_row_others(kind, pour_sizes[k], here);
    }
    for (m = 0; m < POUR_MODELS; m++) pour_row_certificate(&pour_models[m], sums[m]);
    for (m = 0; m < POUR_MODELS; m++) {
        const pour_result *r = &sums[m][POUR_TYPICAL].all;
        experiment_note(r->contacts, "%s, h = .01: contacts that act, per step", pour_models[m].name);
        experiment_note(r->size, "%s, h = .01: unknowns of the largest problem, per step", pour_models[m].name);
    }
    experiment_note(sums[POUR_PEG][POUR_TYPICAL].all.traps, "PEG, h = .01: traps of the standard model that it avoids, per step");
    pour_row_cost(kind);
    pour_draw(kind, sums);
}

#endif
