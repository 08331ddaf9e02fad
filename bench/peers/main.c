/* dvc.h beside other engines on the same scenes: how exact, how fast. Prints two tables in Markdown.
 *
 * Exactness: every engine on every scene in a child process of its own, which may crash ("crash"), exit ("gave up"), throw
 * its bodies about ("explodes") or take too long ("> 20 s"). "-": it cannot run this scene. Planar engines run the planar
 * twin of a scene in space where there is one.
 *
 * Speed: the engines take turns scene by scene, several times, each turn a process; of each step the shortest time counts,
 * of the steps of a window (landing, settled) the median: on a busy machine, ask for several turns. "cut at step 30": the run
 * was out of processor time before the window's end; "-": the engine cannot, gave up or exploded. A star: something still
 * moves at more than 5 cm/s at the end.
 *
 * Engines at their defaults, sleeping off, restitution 0, one thread; see the peer_ files.
 *
 * Build and run: make, in this folder, builds with the engines that are installed.
 *
 * Run: peers [exact | speed | all] [part of a row's name, or -] [part of an engine's name, or -] [seconds per cell or run]
 *            [turns or, for exact, processes at a time] */
#define _DEFAULT_SOURCE
#include "measure.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PEERS = 24, CELL = 120 };
enum { CELL_SECONDS = 20, RUN_SECONDS = 3 }; /* unless told; both tables together take some minutes */

static const peer *peers[MOST_PEERS];
static int peer_count;

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

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static bool is_sane(const peers_scene *s, const peers_state *states)
{
    int i, k;
    for (i = 0; i < s->body_count; i++)
        for (k = 0; k < 3; k++)
            if (!(fabs(states[i].position[k]) < 1e4) || !(fabs(states[i].velocity[k]) < 1e4)) return false;
    return true;
}

static int step_count(const peers_scene *s) { return (int)(s->seconds / s->h + 0.5); }

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

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *numbers, int count)
{
    if (count == 0) return 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return numbers[count / 2];
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

/* This process ends by SIGPROF after so much processor time. */
static void limit_time(int seconds)
{
    struct itimerval limit = { { 0, 0 }, { 0, 0 } };
    limit.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &limit, NULL);
}

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

static void print_head(const char *first, const char *second)
{
    int i;
    printf("| %s | %s |", first, second);
    for (i = 0; i < peer_count; i++) printf(" %s |", peers[i]->name);
    printf("\n|");
    for (i = 0; i < peer_count + 2; i++) printf("---|");
    printf("\n");
}

static void exactness(const char *filter, int limit, int at_a_time)
{
    int i;
    printf("## Exactness\n\n");
    print_head("scene", "mark for dvc.h");
    for (i = 0; i < ROWS; i++)
        if (strstr(rows[i].name, filter)) measure_row(&rows[i], limit, at_a_time);
    printf("\n");
}

/* ---- speed ---- */

typedef struct speed_scene {
    const char *name;
    peers_scene *(*make)(int size);
    int size;
} speed_scene;

#define SPEED_H 0.01
enum { MOST_STEPS = 1000 };

static peers_scene *make_flat_stack(int size) { (void)size; return scene_stack(true, 0, 0.5, SPEED_H, 4); }
static peers_scene *make_stack(int size) { (void)size; return scene_stack(false, 0, 0.5, SPEED_H, 4); }
static peers_scene *make_columns(int size) { return scene_columns(size, SPEED_H); }
static peers_scene *make_pile(int size) { return scene_pile(size, SPEED_H); }
static peers_scene *make_pyramid(int size) { return scene_pyramid(size, SPEED_H); }

static const speed_scene speed_scenes[] = {
    { "9-box stack 2D", make_flat_stack, 9 },
    { "9-box stack 3D", make_stack, 9 },
    { "columns 100", make_columns, 100 },
    { "columns 400", make_columns, 400 },
    { "columns 1000", make_columns, 1000 },
    { "pile 100", make_pile, 100 },
    { "pile 400", make_pile, 400 },
    { "pile 1000", make_pile, 1000 },
    { "pyramid 210 2D", make_pyramid, 20 },
};

enum { SPEED_SCENES = sizeof speed_scenes / sizeof speed_scenes[0] };

/* Wall clock: that of the processor is too coarse for single steps on some systems. */
static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of one engine on one scene; in memory shared with the child processes, so that a run that is cut off has told something. */
typedef struct timing {
    bool cut, moves;
    int steps;                   /* how far the longest run got */
    double shortest[MOST_STEPS]; /* s */
} timing;

/* False: the engine cannot, gave up or threw its bodies about. */
static bool time_steps(const peer *p, peers_scene *s, timing *t)
{
    peers_state *states = (peers_state *)allocate((size_t)s->body_count, sizeof *states);
    void *world = p->open(s, p->variant);
    int steps = step_count(s), i;
    for (i = 0; i < steps && world; i++) {
        double start = now_seconds();
        bool going = p->step(world);
        double time = now_seconds() - start;
        p->read(world, states);
        if (!going || !is_sane(s, states)) return false;
        if (i >= t->steps || time < t->shortest[i]) t->shortest[i] = time;
        if (i >= t->steps) t->steps = i + 1;
    }
    t->moves = false;
    for (i = 0; i < s->body_count; i++) t->moves = t->moves || vec_length(states[i].velocity) > 0.05;
    return world != NULL;
}

/* One turn in a process of its own; false: not again. */
static bool take_turn(const peer *p, const speed_scene *which, int budget, timing *t)
{
    int status = 1;
    pid_t id;
    fflush(stdout);
    id = fork();
    if (id == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        limit_time(budget);
        _exit(!time_steps(p, which->make(which->size), t));
    }
    if (id < 0 || waitpid(id, &status, 0) != id) exit(1);
    t->cut = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    if (status != 0 && !t->cut) t->steps = 0;
    return status == 0;
}

/* Median over the steps that end between two times; 0 if the runs did not get to the end: steps before the hard ones would
 * flatter who is slow. */
static double typical(const timing *t, double from, double until)
{
    static double some[MOST_STEPS];
    int first = (int)(from / SPEED_H + 0.5), last = (int)(until / SPEED_H + 0.5);
    if (last > t->steps) return 0;
    memcpy(some, t->shortest + first, (size_t)(last - first) * sizeof *some);
    return median(some, last - first);
}

static void print_times(const char *scene, const char *window, const timing *times, double from, double until)
{
    double base = 0;
    int i;
    for (i = 0; i < peer_count; i++)
        if (strcmp(peers[i]->name, "Bullet SI") == 0) base = typical(&times[i], from, until);
    printf("| %s | %s |", scene, window);
    for (i = 0; i < peer_count; i++) {
        double seconds = typical(&times[i], from, until);
        const char *mark = times[i].moves ? "*" : "";
        if (!(seconds > 0) && times[i].cut) printf(" cut at step %d |", times[i].steps);
        else if (!(seconds > 0)) printf(" - |");
        else if (base > 0) printf(" %.*f (%.2f)%s |", seconds < 1e-4 ? 1 : 0, 1e6 * seconds, seconds / base, mark);
        else printf(" %.*f%s |", seconds < 1e-4 ? 1 : 0, 1e6 * seconds, mark);
    }
    printf("\n");
}

static void measure_speed(const speed_scene *which, int budget, int repeats, timing *times)
{
    peers_scene *s = which->make(which->size);
    bool out[MOST_PEERS] = { false };
    int i, turn;
    memset(times, 0, MOST_PEERS * sizeof *times);
    for (turn = 0; turn < repeats; turn++)
        for (i = 0; i < peer_count; i++)
            if (!out[i] && (peers[i]->in_space || s->planar)) out[i] = !take_turn(peers[i], which, budget, &times[i]);
    print_times(which->name, "landing", times, s->landing[0], s->landing[1]);
    print_times("", "settled", times, s->seconds - 1, s->seconds);
    scene_free(s);
}

static void speeds(const char *filter, int budget, int repeats)
{
    timing *times = (timing *)mmap(NULL, MOST_PEERS * sizeof *times, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int k;
    if (times == MAP_FAILED) exit(1);
    printf("## Speed\n\nMicroseconds per step (ratio to Bullet SI), h = %g s, median of the window.\n\n", SPEED_H);
    print_head("scene", "window");
    for (k = 0; k < SPEED_SCENES; k++)
        if (strstr(speed_scenes[k].name, filter)) measure_speed(&speed_scenes[k], budget, repeats, times);
    printf("\n");
}

/* ---- */

static void add_peers(const peer *list, const char *filter)
{
    for (; list->name; list++)
        if (strstr(list->name, filter) || (filter[0] && strcmp(list->name, "Bullet SI") == 0)) peers[peer_count++] = list;
}

static void add_all_peers(const char *filter)
{
    add_peers(peers_dvc, filter);
#ifdef WITH_ODE
    add_peers(peers_ode, filter);
#endif
#ifdef WITH_BULLET
    add_peers(peers_bullet, filter);
#endif
#ifdef WITH_MUJOCO
    add_peers(peers_mujoco, filter);
#endif
#ifdef WITH_DART
    add_peers(peers_dart, filter);
#endif
#ifdef WITH_BOX2D
    add_peers(peers_box2d, filter);
#endif
#ifdef WITH_CHIPMUNK
    add_peers(peers_chipmunk, filter);
#endif
}

static const char *argument(int argc, char **argv, int i)
{
    return argc > i && strcmp(argv[i], "-") != 0 ? argv[i] : "";
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all", *filter = argument(argc, argv, 2);
    int seconds = argc > 4 ? atoi(argv[4]) : 0, count = argc > 5 ? atoi(argv[5]) : 0;
    add_all_peers(argument(argc, argv, 3));
    if (strcmp(what, "speed") != 0) exactness(filter, seconds > 0 ? seconds : CELL_SECONDS, count > 0 ? count : 2);
    if (strcmp(what, "exact") != 0) speeds(filter, seconds > 0 ? seconds : RUN_SECONDS, count > 0 ? count : 1);
    return 0;
}
