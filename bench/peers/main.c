/* dvc.h beside other engines on the same scenes: how exact. Prints a table in Markdown. (How fast: see bench/speed.)
 *
 * Every engine runs every scene in a child process of its own, which may crash ("crash"), exit ("gave up"), throw its bodies
 * about ("explodes") or take too long ("> 20 s"). "-": it cannot run this scene. Planar engines run the planar twin of a
 * scene in space where there is one.
 *
 * Engines at their defaults, sleeping off, restitution 0, one thread; see the peer_ files.
 *
 * Build and run: make, in this folder, builds with the engines that are installed.
 *
 * Run: peers [part of a row's name, or -] [part of an engine's name, or -] [seconds per cell] [processes at a time] */
#define _DEFAULT_SOURCE
#include "engines.h"
#include "measure.h"
#include "run.h"

enum { CELL = 120 };
enum { CELL_SECONDS = 20 }; /* unless told */

/* ---- running a scene ---- */

typedef enum outcome { RAN, CANNOT, GAVE_UP, EXPLODED } outcome;

typedef struct moment {
    const peers_scene *scene;
    const peers_state *states;
    int step;
    double time;
} moment;

/* Looks at the states after each step. */
typedef void (*watcher)(void *user, const moment *now);

/* Runs and frees the scene. */
static outcome run(const peer *p, peers_scene *scene, watcher watch, void *user)
{
    moment now;
    peers_state *states = (peers_state *)allocate((size_t)scene->body_count, sizeof *states);
    void *world = p->open(scene, p->variant);
    outcome result = world ? RAN : CANNOT;
    int steps = step_count(scene), i;
    now.scene = scene;
    now.states = states;
    for (i = 1; i <= steps && result == RAN; i++) {
        if (!p->step(world)) result = GAVE_UP;
        p->read(world, states);
        now.step = i;
        now.time = i * scene->h;
        if (result == RAN && !is_sane(scene, states)) result = EXPLODED;
        if (result == RAN) watch(user, &now);
    }
    if (world) p->close(world);
    free(states);
    scene_free(scene);
    return result;
}

static bool say_outcome(outcome result, char *cell)
{
    static const char *const texts[] = { "", "-", "gave up", "explodes" };
    if (result != RAN) snprintf(cell, CELL, "%s", texts[result]);
    return result == RAN;
}

/* Coordinate that counts height. */
static int up(const peers_scene *s) { return s->planar ? 1 : 2; }

/* ---- exactness: one function per kind of row ---- */

typedef struct row {
    const char *name, *mark;
    void (*measure)(const peer *p, const struct row *r, char *cell);
    bool planar;
    double h, a;
} row;

/* The one moving body of a sliding scene: the last. */
typedef struct slide {
    double speed[2], lift, rest_height; /* speed: wanted, along and aside */
    double worst_change, loss[2], x;
} slide;

static void watch_slide(void *user, const moment *now)
{
    slide *d = (slide *)user;
    const peers_state *s = &now->states[now->scene->body_count - 1];
    d->lift = fmax(d->lift, fabs(s->position[up(now->scene)] - d->rest_height));
    d->worst_change = fmax(d->worst_change, fabs(s->velocity[0] - d->speed[0]));
    d->loss[0] = d->speed[0] - s->velocity[0];
    d->loss[1] = now->scene->planar ? 0 : d->speed[1] - s->velocity[1];
    d->x = s->position[0];
}

static void measure_seam(const peer *p, const row *r, char *cell)
{
    int phase, failures = 0;
    double worst = 0, lift = 0;
    for (phase = 0; phase < SEAM_PHASES; phase++) {
        slide d = { { SEAM_SPEED, 0 }, 0, SEAM_HALF, 0, { 0, 0 }, 0 };
        if (!say_outcome(run(p, scene_seam(r->planar, phase, r->h), watch_slide, &d), cell)) return;
        failures += d.worst_change > 0.02;
        worst = fmax(worst, d.worst_change);
        lift = fmax(lift, d.lift);
    }
    snprintf(cell, CELL, "%d fail, dv %.1e, lift %.1e", failures, worst, lift);
}

static void measure_tiles(const peer *p, const row *r, char *cell)
{
    slide d = { { TILES_SPEED, TILES_SIDE_SPEED }, 0, TILES_HALF, 0, { 0, 0 }, 0 };
    peers_scene *s = scene_tiles(r->planar, r->a, r->h);
    double start = s->bodies[s->body_count - 1].start.position[0], t = s->seconds;
    double x = start + TILES_SPEED * t - 0.5 * r->a * 9.81 * t * t;
    if (!say_outcome(run(p, s, watch_slide, &d), cell)) return;
    if (r->a > 0) snprintf(cell, CELL, "bump %.1e, x error %.2e", d.lift, d.x - x);
    else if (r->planar) snprintf(cell, CELL, "bump %.1e, loss %.1e", d.lift, d.loss[0]);
    else snprintf(cell, CELL, "bump %.1e, loss %.1e, %.1e", d.lift, d.loss[0], d.loss[1]);
}

typedef struct standing {
    double drift, late_drift, gap, speed, landed[STACK_BOXES];
    bool stands;
} standing;

static void watch_stack(void *user, const moment *now)
{
    standing *d = (standing *)user;
    int i;
    d->drift = d->gap = d->speed = d->late_drift = 0;
    d->stands = true;
    for (i = 1; i < STACK_BOXES; i++) {
        const peers_state *s = &now->states[i];
        double moved = fabs(s->position[0] - now->scene->bodies[i].start.position[0]);
        if (now->time < now->scene->landing[1]) d->landed[i] = s->position[0];
        d->drift = fmax(d->drift, moved);
        d->late_drift = fmax(d->late_drift, fabs(s->position[0] - d->landed[i]));
        d->gap = fmax(d->gap, fabs(s->position[1] - now->states[i - 1].position[1] - 1));
        d->speed = fmax(d->speed, hypot(s->velocity[0], s->velocity[1]));
        d->stands = d->stands && moved < 0.5 && fabs(s->position[1] - 0.5 - i) < 0.5;
    }
}

static void measure_stack(const peer *p, const row *r, char *cell)
{
    int set, stand = 0;
    double drift = 0, late = 0, gap = 0, speed = 0;
    for (set = 0; set < STACK_SETS; set++) {
        standing d;
        outcome result;
        memset(&d, 0, sizeof d);
        result = run(p, scene_stack(true, set, r->a, r->h, 5000 * r->h), watch_stack, &d);
        if (result == EXPLODED) continue;
        if (!say_outcome(result, cell)) return;
        if (!d.stands) continue;
        stand++;
        drift = fmax(drift, d.drift);
        late = fmax(late, d.late_drift);
        gap = fmax(gap, d.gap);
        speed = fmax(speed, d.speed);
    }
    if (stand == 0) snprintf(cell, CELL, "0/%d", STACK_SETS);
    else if (r->a == 0) snprintf(cell, CELL, "%d/%d, drift %.1e, gap %.1e", stand, STACK_SETS, drift, gap);
    else snprintf(cell, CELL, "%d/%d, drift %.1e, after landing %.1e, end speed %.1e", stand, STACK_SETS, drift, late, speed);
}

/* The triangle's path: x, y, angle after each step. */
typedef struct path {
    int count;
    double (*point)[3];
} path;

static void watch_path(void *user, const moment *now)
{
    path *d = (path *)user;
    const peers_state *s = &now->states[1];
    d->point[d->count][0] = s->position[0];
    d->point[d->count][1] = s->position[1];
    d->point[d->count++][2] = state_angle(s);
}

static double distance_to_path(const path *d, const double *p)
{
    double best = HUGE_VAL;
    int i;
    for (i = 0; i + 1 < d->count; i++) best = fmin(best, polygon_point_distance(d->point[i], d->point[i + 1], p));
    return best;
}

enum { TRIANGLE_SIZES = 16, TRIANGLE_FINE = 10 }; /* h = 1 .. 16 ms against 0.1 ms */

static void compare_paths(const path *ours, const path *fine, int ratio, double h, double *lag, double *aside, double *turn)
{
    int i;
    for (i = 0; i < ours->count && (i + 1) * ratio <= fine->count; i++) {
        const double *p = ours->point[i], *q = fine->point[(i + 1) * ratio - 1];
        *lag = fmax(*lag, hypot(p[0] - q[0], p[1] - q[1]) / (9.81 * h * h * (i + 1) / 2));
        *aside = fmax(*aside, distance_to_path(fine, p));
        *turn = fmax(*turn, fabs(p[2] - q[2]));
    }
}

static void measure_triangle(const peer *p, const row *r, char *cell)
{
    const double h_fine = 0.001 / TRIANGLE_FINE;
    double lag = 0, aside = 0, turn = 0;
    path fine = { 0, NULL }, ours = { 0, NULL };
    int k;
    peers_scene *longer = scene_triangle(r->a, h_fine);
    longer->seconds *= 1.1; /* coarse paths are ahead of it */
    fine.point = (double(*)[3])allocate(20000, sizeof fine.point[0]);
    ours.point = (double(*)[3])allocate(2000, sizeof ours.point[0]);
    if (!say_outcome(run(p, longer, watch_path, &fine), cell)) return;
    for (k = 1; k <= TRIANGLE_SIZES; k++) {
        ours.count = 0;
        if (!say_outcome(run(p, scene_triangle(r->a, 0.001 * k), watch_path, &ours), cell)) return;
        compare_paths(&ours, &fine, TRIANGLE_FINE * k, 0.001 * k, &lag, &aside, &turn);
    }
    snprintf(cell, CELL, "%.2f g h t/2, off line %.1e, turn %.1e", lag, aside, turn);
    free(fine.point);
    free(ours.point);
}

/* Overlap over the whole run; over its last second the distances of the bodies to what is nearest to them, of which the
 * median counts: a few may still be in the air. */
typedef struct pour {
    double overlap, worst;
    int steps, lost;
    double *nearest;
    int nearest_count;
    hull *hulls;
} pour;

enum { POUR_BODIES = 64, POUR_STEPS = 1000 }; /* steps: of the last second */

static bool has_entered(const moment *now, int i) { return now->scene->bodies[i].enters < now->time - 1e-9; }

static bool is_late(const moment *now) { return now->time > now->scene->seconds - 1 + 1e-9; }

static void keep_nearest(pour *d, double nearest)
{
    if (!d->nearest) d->nearest = (double *)allocate((size_t)POUR_BODIES * POUR_STEPS, sizeof *d->nearest);
    if (d->nearest_count < POUR_BODIES * POUR_STEPS) d->nearest[d->nearest_count++] = nearest;
}

static void watch_polygons(void *user, const moment *now)
{
    pour *d = (pour *)user;
    polygon shape[POUR_BODIES];
    const peers_scene *s = now->scene;
    double overlap = 0;
    int i, j;
    for (i = 0; i < s->body_count; i++) polygon_of_body(&s->bodies[i], &now->states[i], &shape[i]);
    for (i = 0; i < s->body_count; i++) {
        double nearest = HUGE_VAL;
        if (s->bodies[i].fixed || !has_entered(now, i)) continue;
        for (j = 0; j < s->body_count; j++) {
            if (j == i || !has_entered(now, j)) continue;
            if (j < i) overlap += polygon_overlap(&shape[i], &shape[j]);
            if (is_late(now)) nearest = fmin(nearest, polygon_distance(&shape[i], &shape[j]));
        }
        if (is_late(now)) keep_nearest(d, nearest);
    }
    d->overlap += overlap;
    d->worst = fmax(d->worst, overlap);
    d->steps++;
}

static void measure_polygons(const peer *p, const row *r, char *cell)
{
    pour d;
    memset(&d, 0, sizeof d);
    if (!say_outcome(run(p, scene_polygons(r->a, r->h), watch_polygons, &d), cell)) return;
    snprintf(cell, CELL, "%.1e (max %.1e), gap %.1e", d.overlap / d.steps, d.worst, median(d.nearest, d.nearest_count));
    free(d.nearest);
}

static void watch_polyhedra(void *user, const moment *now)
{
    static hull world[POUR_BODIES];
    pour *d = (pour *)user;
    const peers_scene *s = now->scene;
    int i, j;
    if (!d->hulls) d->hulls = (hull *)allocate(POUR_BODIES, sizeof *d->hulls);
    d->lost = 0;
    for (i = 0; i < s->body_count; i++) {
        const double *x = now->states[i].position;
        if (now->step == 1) hull_of_body(false, &s->bodies[i], &d->hulls[i]);
        hull_place(&d->hulls[i], &now->states[i], &world[i]);
        if (!s->bodies[i].fixed) d->lost += fabs(x[0]) > HULL_BIN_HALF || fabs(x[1]) > HULL_BIN_HALF || x[2] < 0;
    }
    for (i = 0; i < s->body_count; i++) {
        double depth = -HUGE_VAL;
        if (s->bodies[i].fixed || !has_entered(now, i)) continue;
        for (j = 0; j < s->body_count; j++)
            if (j != i && has_entered(now, j)) depth = fmax(depth, hull_depth(&world[i], &world[j], is_late(now) ? depth : 0));
        if (is_late(now)) keep_nearest(d, fmax(0, -depth));
        d->worst = fmax(d->worst, depth);
    }
}

static void measure_polyhedra(const peer *p, const row *r, char *cell)
{
    pour d;
    memset(&d, 0, sizeof d);
    if (!say_outcome(run(p, scene_polyhedra(r->a, r->h), watch_polyhedra, &d), cell)) return;
    snprintf(cell, CELL, "%.1e, gap %.1e, lost %d", d.worst, median(d.nearest, d.nearest_count), d.lost);
    free(d.nearest);
    free(d.hulls);
}

typedef struct momentum {
    double worst, speed_error;
} momentum;

static void watch_momentum(void *user, const moment *now)
{
    momentum *d = (momentum *)user;
    double total = -3;
    int i;
    d->speed_error = 0;
    for (i = 0; i < now->scene->body_count; i++) {
        total += now->scene->bodies[i].mass * now->states[i].velocity[0];
        d->speed_error = fmax(d->speed_error, fabs(now->states[i].velocity[0] - ROW_END_SPEED));
    }
    d->worst = fmax(d->worst, fabs(total));
}

static void measure_momentum(const peer *p, const row *r, char *cell)
{
    momentum d = { 0, 0 };
    if (!say_outcome(run(p, scene_momentum_row(r->h), watch_momentum, &d), cell)) return;
    snprintf(cell, CELL, "end speed %.1e, momentum %.1e", d.speed_error, d.worst);
}

typedef struct creep {
    double from[3], distance;
} creep;

static void watch_creep(void *user, const moment *now)
{
    creep *d = (creep *)user;
    double moved[3];
    if (now->time < 1 + 1e-9) memcpy(d->from, now->states[1].position, sizeof d->from);
    vec_sub(now->states[1].position, d->from, moved);
    d->distance = vec_length(moved);
}

static void measure_creep(const peer *p, const row *r, char *cell)
{
    creep d;
    memset(&d, 0, sizeof d);
    if (!say_outcome(run(p, scene_ramp(!p->in_space, r->h), watch_creep, &d), cell)) return;
    snprintf(cell, CELL, "%.2g um/s", 1e6 * d.distance / 4);
}

static void watch_sinking(void *user, const moment *now)
{
    *(double *)user = 1.5 - now->states[2].position[up(now->scene)];
}

static void measure_heavy(const peer *p, const row *r, char *cell)
{
    double sunk = 0;
    if (!say_outcome(run(p, scene_heavy_on_light(!p->in_space, r->a, r->h), watch_sinking, &sunk), cell)) return;
    snprintf(cell, CELL, "%.1e", sunk);
}

static void measure_launch(const peer *p, const row *r, char *cell)
{
    slide d = { { CUBE_SPEED, 0 }, 0, CUBE_HALF, 0, { 0, 0 }, 0 };
    double stop = CUBE_SPEED * CUBE_SPEED / (2 * CUBE_FRICTION * 9.81) - CUBE_SPEED * r->h / 2;
    if (!say_outcome(run(p, scene_launched_cube(!p->in_space, r->h), watch_slide, &d), cell)) return;
    snprintf(cell, CELL, "lift %.1e, stop %+.1e", d.lift, d.x - stop);
}

static void watch_sphere(void *user, const moment *now)
{
    const peers_state *s = &now->states[1];
    double spin = now->scene->planar ? -s->spin[2] : s->spin[1];
    *(double *)user = fmax(fabs(s->velocity[0] - 10 / 7.), fabs(spin - 10 / 7.));
}

static void measure_sphere(const peer *p, const row *r, char *cell)
{
    double error = 0;
    if (!say_outcome(run(p, scene_sphere(!p->in_space, r->h), watch_sphere, &error), cell)) return;
    snprintf(cell, CELL, "%.1e", error);
}

#define SIXTIETH (1 / 60.)

static const row rows[] = {
    { "sphere, h = .12", "1e-12", measure_sphere, false, 0.12, 0 },
    { "sphere, h = .06", "1e-12", measure_sphere, false, 0.06, 0 },
    { "sphere, h = .02", "1e-12", measure_sphere, false, 0.02, 0 },
    { "sphere, h = .001", "1e-12", measure_sphere, false, 0.001, 0 },
    { "seam 2D, h = 1/60", "0 fail, no lift", measure_seam, true, SIXTIETH, 0 },
    { "seam 2D, h = .01", "0 fail, no lift", measure_seam, true, 0.01, 0 },
    { "seam 2D, h = .002", "0 fail, no lift", measure_seam, true, 0.002, 0 },
    { "seam 3D, h = 1/60", "0 fail, no lift", measure_seam, false, SIXTIETH, 0 },
    { "seam 3D, h = .01", "0 fail, no lift", measure_seam, false, 0.01, 0 },
    { "seam 3D, h = .002", "0 fail, no lift", measure_seam, false, 0.002, 0 },
    { "tiles 2D, mu 0, h = .01", "0, 0", measure_tiles, true, 0.01, 0 },
    { "tiles 2D, mu .1, h = .01", "0, -1.96e-2", measure_tiles, true, 0.01, 0.1 },
    { "tiles 3D, mu 0, h = .01", "0, 0, 0", measure_tiles, false, 0.01, 0 },
    { "stack, mu 0, h = .001", "10/10, 1e-9", measure_stack, true, 0.001, 0 },
    { "stack, mu 0, h = .005", "10/10, 1e-9", measure_stack, true, 0.005, 0 },
    { "stack, mu 0, h = .016", "10/10, 1e-9", measure_stack, true, 0.016, 0 },
    { "stack, mu .5, h = .005", "10/10, 1e-3 after landing, 1e-10", measure_stack, true, 0.005, 0.5 },
    { "triangle, h = .001 .. .016", "1.1, 1e-3, 0", measure_triangle, true, 0, 0 },
    { "triangle turned .15", "1.1, 1e-3", measure_triangle, true, 0, 0.15 },
    { "polygons, h = .001", "1e-9, 0", measure_polygons, true, 0.001, 0 },
    { "polygons, h = .002", "1e-9, 0", measure_polygons, true, 0.002, 0 },
    { "polygons, h = .005", "1e-9, 0", measure_polygons, true, 0.005, 0 },
    { "polygons, h = .01", "1e-9, 0", measure_polygons, true, 0.01, 0 },
    { "polygons, mu .3, h = .01", "1e-9, 0", measure_polygons, true, 0.01, 0.3 },
    { "polyhedra, h = .002", "1e-6, 0, 0", measure_polyhedra, false, 0.002, 0 },
    { "polyhedra, h = .005", "1e-6, 0, 0", measure_polyhedra, false, 0.005, 0 },
    { "polyhedra, h = .01", "1e-6, 0, 0", measure_polyhedra, false, 0.01, 0 },
    { "polyhedra, h = .02", "1e-6, 0, 0", measure_polyhedra, false, 0.02, 0 },
    { "polyhedra, mu .3, h = .01", "1e-6, 0, 0", measure_polyhedra, false, 0.01, 0.3 },
    { "momentum row, h = .01", "1e-12", measure_momentum, true, 0.01, 0 },
    { "creep on 20 degrees, h = .01", "0", measure_creep, false, 0.01, 0 },
    { "heavy on light 100:1, h = .01", "1e-9", measure_heavy, false, 0.01, 100 },
    { "heavy on light 1000:1, h = .01", "1e-9", measure_heavy, false, 0.01, 1000 },
    { "heavy on light 1e6:1, h = .01", "1e-9", measure_heavy, false, 0.01, 1e6 },
    { "launched cube, h = .002", "0, 2.5e-6", measure_launch, false, 0.002, 0 },
    { "launched cube, h = .01", "0, 6.1e-5", measure_launch, false, 0.01, 0 },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- one cell in a child process ---- */

typedef struct child {
    pid_t id;
    int output;
    char cell[CELL];
} child;

static void start_cell(child *c, const peer *p, const row *r, int limit)
{
    int ends[2];
    c->cell[0] = 0;
    if (pipe(ends) != 0) exit(1);
    fflush(stdout);
    c->id = fork();
    if (c->id == 0) {
        char cell[CELL] = "";
        close(ends[0]);
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        limit_time(limit);
        r->measure(p, r, cell);
        _exit(write(ends[1], cell, sizeof cell) != (ssize_t)sizeof cell);
    }
    close(ends[1]);
    c->output = ends[0];
}

static void end_cell(child *c, int status, int limit)
{
    if (read(c->output, c->cell, CELL) != CELL) {
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) snprintf(c->cell, CELL, "> %d s", limit);
        else snprintf(c->cell, CELL, WIFEXITED(status) ? "gave up" : "crash");
    }
    close(c->output);
    c->id = 0;
}

/* Waits for one of ours. */
static void wait_cell(child *children, int limit)
{
    int status, i;
    pid_t id = wait(&status);
    for (i = 0; i < peer_count; i++)
        if (children[i].id == id) end_cell(&children[i], status, limit);
}

static void measure_row(const row *r, int limit, int at_a_time)
{
    static child children[MOST_PEERS];
    int i, busy = 0;
    memset(children, 0, sizeof children);
    for (i = 0; i < peer_count; i++) {
        if (!peers[i]->in_space && !r->planar && r->measure != measure_creep && r->measure != measure_heavy
            && r->measure != measure_launch && r->measure != measure_sphere) {
            snprintf(children[i].cell, CELL, "-");
            continue;
        }
        if (busy == at_a_time) wait_cell(children, limit), busy--;
        start_cell(&children[i], peers[i], r, limit);
        busy++;
    }
    while (busy-- > 0) wait_cell(children, limit);
    printf("| %s | %s |", r->name, r->mark);
    for (i = 0; i < peer_count; i++) printf(" %s |", children[i].cell);
    printf("\n");
    fflush(stdout);
}

static void exactness(const char *filter, int limit, int at_a_time)
{
    int i;
    printf("## Exactness\n\n");
    engines_print_head("scene", "mark for dvc.h");
    for (i = 0; i < ROWS; i++)
        if (strstr(rows[i].name, filter)) measure_row(&rows[i], limit, at_a_time);
    printf("\n");
}

int main(int argc, char **argv)
{
    int seconds = argc > 3 ? atoi(argv[3]) : 0, count = argc > 4 ? atoi(argv[4]) : 0;
    engines_choose(argument(argc, argv, 2));
    exactness(argument(argc, argv, 1), seconds > 0 ? seconds : CELL_SECONDS, count > 0 ? count : 2);
    return 0;
}
