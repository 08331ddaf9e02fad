/* dvc.h beside other engines: how fast, and how exact meanwhile. Prints tables in Markdown.
 *
 * The engines take turns scene by scene, several times, each turn a process; of each step the shortest time counts, of the
 * steps of a window (landing; settled: the last second) the median: on a busy machine, ask for several turns. "cut at step
 * 30": the run was out of processor time before the window's end; "-": the engine cannot, gave up or exploded. A star:
 * something still moves at more than 5 cm/s at the end.
 *
 * Accuracy, measured from the poses alone by the referees of measure.h, between the timed steps:
 *     depth   the deepest overlap of two bodies that was seen, m; sampled
 *     height  of scenes that come to rest in order: how far a body is from the height it should have at the end, m. This
 *             counts gaps, too: who keeps bodies apart has no depth, but the wrong height
 *     drift   of such scenes: how far a body went aside from where it started, m; nothing pushes aside, so 0 is right
 *
 * Engines at their defaults, sleeping off, one thread; see bench/peers.
 *
 * Build and run: make speed, in bench/peers, builds with the engines that are installed. All scenes
 * together take about half an hour.
 *
 * Run: peers_speed [part of a scene's name, or -] [part of an engine's name, or -] [seconds per run of a
 *                  small scene] [turns] */
#define _DEFAULT_SOURCE
#include "engines.h"
#include "measure.h"
#include "run.h"
#include "scenes_speed.h"

enum { MOST_STEPS = 1000, SAMPLES = 8, RUN_SECONDS = 2, TURNS = 2 };

/* Of one engine on one scene; shared with the processes of its turns. */
typedef struct timing {
    bool cut, moves, ends; /* ends: some run got to the end, where height and drift are measured */
    int steps;                   /* how far the longest run got */
    double depth, height, drift;
    double shortest[MOST_STEPS]; /* s */
} timing;

/* ---- accuracy ---- */

typedef struct referee {
    const peers_scene *scene;
    hull *local, *placed;
    double *reach; /* of the corners from the centre; planes: 0 */
} referee;

static referee referee_make(const peers_scene *s)
{
    referee r;
    int i, k;
    r.scene = s;
    r.local = (hull *)allocate((size_t)s->body_count, sizeof *r.local);
    r.placed = (hull *)allocate((size_t)s->body_count, sizeof *r.placed);
    r.reach = (double *)allocate((size_t)s->body_count, sizeof *r.reach);
    for (i = 0; i < s->body_count; i++) {
        if (s->bodies[i].kind == PEERS_PLANE) continue;
        hull_of_body(s->planar, &s->bodies[i], &r.local[i]);
        for (k = 0; k < r.local[i].vertex_count; k++) r.reach[i] = fmax(r.reach[i], vec_length(r.local[i].vertex[k]));
    }
    return r;
}

static void referee_free(referee *r)
{
    free(r->local);
    free(r->placed);
    free(r->reach);
}

static double depth_behind_plane(const peers_body *plane, const hull *h)
{
    double deepest = 0, offset = vec_dot(plane->normal, plane->start.position);
    int i;
    for (i = 0; i < h->vertex_count; i++) deepest = fmax(deepest, offset - vec_dot(plane->normal, h->vertex[i]));
    return deepest;
}

static double pair_depth(const referee *r, const peers_state *states, int i, int j)
{
    const peers_body *a = &r->scene->bodies[i], *b = &r->scene->bodies[j];
    double apart[3];
    if (a->fixed && b->fixed) return 0;
    if (a->kind == PEERS_PLANE) return depth_behind_plane(a, &r->placed[j]);
    if (b->kind == PEERS_PLANE) return depth_behind_plane(b, &r->placed[i]);
    vec_sub(states[i].position, states[j].position, apart);
    return vec_length(apart) < r->reach[i] + r->reach[j] ? hull_depth(&r->placed[i], &r->placed[j], 0) : 0;
}

static double deepest(const referee *r, const peers_state *states, double time)
{
    const peers_scene *s = r->scene;
    double worst = 0;
    int i, j;
    for (i = 0; i < s->body_count; i++)
        if (s->bodies[i].kind != PEERS_PLANE) hull_place(&r->local[i], &states[i], &r->placed[i]);
    for (i = 0; i < s->body_count; i++)
        for (j = 0; j < i && s->bodies[i].enters < time; j++)
            if (s->bodies[j].enters < time) worst = fmax(worst, pair_depth(r, states, i, j));
    return worst;
}

static void measure_rest(const peers_scene *s, const peers_state *states, timing *t)
{
    int i, up = s->planar ? 1 : 2;
    t->moves = false;
    t->ends = true;
    t->height = t->drift = 0;
    for (i = 0; i < s->body_count; i++) {
        const double *from = s->bodies[i].start.position, *to = states[i].position;
        t->moves = t->moves || vec_length(states[i].velocity) > 0.05;
        if (!(s->bodies[i].rest > 0)) continue;
        t->height = fmax(t->height, fabs(to[up] - s->bodies[i].rest));
        t->drift = fmax(t->drift, hypot(to[0] - from[0], s->planar ? 0 : to[1] - from[1]));
    }
}

/* ---- turns ---- */

typedef struct turn {
    const peer *engine;
    const speed_scene *which;
    timing *result;
} turn;

/* Small scenes are looked at more often than large ones, whose pairs take the referee long. */
static int sample_every(const peers_scene *s)
{
    int samples = s->body_count > 2000 ? 1 : s->body_count > 500 ? SAMPLES / 2 : 4 * SAMPLES;
    return step_count(s) / samples;
}

/* False: the engine cannot, gave up or threw its bodies about. */
static bool take_steps(const turn *now, const peers_scene *s, void *world, peers_state *states)
{
    timing *t = now->result;
    referee r = referee_make(s);
    int steps = step_count(s), every = sample_every(s), i;
    for (i = 0; i < steps; i++) {
        double start = now_seconds();
        bool going = now->engine->step(world);
        double time = now_seconds() - start;
        now->engine->read(world, states);
        if (!going || !is_sane(s, states)) return false;
        if (i >= t->steps || time < t->shortest[i]) t->shortest[i] = time;
        if (i >= t->steps) t->steps = i + 1;
        if (i % every == every - 1) t->depth = fmax(t->depth, deepest(&r, states, (i + 1) * s->h - 1e-9));
    }
    measure_rest(s, states, t);
    referee_free(&r);
    return true;
}

static bool time_steps(void *user)
{
    const turn *now = (const turn *)user;
    peers_scene *s = now->which->make(now->which->size);
    peers_state *states = (peers_state *)allocate((size_t)s->body_count, sizeof *states);
    void *world = now->engine->open(s, now->engine->variant);
    return world && take_steps(now, s, world, states);
}

/* False: not again. */
static bool take_turn(const peer *p, const speed_scene *which, int seconds, timing *t)
{
    turn now;
    ending end;
    now.engine = p;
    now.which = which;
    now.result = t;
    end = run_apart(time_steps, &now, seconds);
    t->cut = end == CUT;
    if (end == REFUSED) t->steps = 0;
    return end == DONE;
}

/* ---- tables ---- */

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

static void print_accuracy(const peers_scene *s, const timing *times)
{
    bool in_order = s->bodies[s->body_count - 1].rest > 0;
    int i;
    printf("| | %s |", in_order ? "depth, height, drift" : "depth");
    for (i = 0; i < peer_count; i++) {
        const timing *t = &times[i];
        if (t->steps == 0) printf(" - |");
        else if (in_order && t->ends) printf(" %.1e, %.1e, %.1e |", t->depth, t->height, t->drift);
        else printf(" %.1e |", t->depth);
    }
    printf("\n");
}

static void measure_speed(const speed_scene *which, int seconds, int turns, timing *times)
{
    peers_scene *s = which->make(which->size);
    bool out[MOST_PEERS] = { false };
    int i, k, limit = limit_of(seconds, s->body_count);
    memset(times, 0, MOST_PEERS * sizeof *times);
    for (k = 0; k < turns; k++)
        for (i = 0; i < peer_count; i++)
            if (!out[i] && (peers[i]->in_space || s->planar)) out[i] = !take_turn(peers[i], which, limit, &times[i]);
    print_times(which->name, "landing", times, s->landing[0], landing_end(s));
    print_times("", "settled", times, settled_start(s), s->seconds);
    print_accuracy(s, times);
    fflush(stdout);
    scene_free(s);
}

int main(int argc, char **argv)
{
    timing *times = (timing *)allocate_shared(MOST_PEERS, sizeof *times);
    int seconds = argc > 3 ? atoi(argv[3]) : RUN_SECONDS, turns = argc > 4 ? atoi(argv[4]) : TURNS, i;
    engines_choose(argument(argc, argv, 2));
    printf("Microseconds per step (ratio to Bullet SI), h = %g s, median of the window; accuracy in m.\n\n", SPEED_H);
    engines_print_head("scene", "window");
    for (i = 0; i < SPEED_SCENES; i++)
        if (strstr(speed_scenes[i].name, argument(argc, argv, 1))) measure_speed(&speed_scenes[i], seconds, turns, times);
    return 0;
}
