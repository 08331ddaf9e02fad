/* X2, the six planar systems of B 2.7: two bars that hang from a point; from a block on smooth floor; on rough floor; pushed by a
 * body with a given path; on a running belt; and, with the lower bar exchanged for a spring and a particle, all of it. Their
 * mixed complementarity problems are as large as B counts them; joints hold to rounding; momentum balances with what the
 * contacts say; two bars follow their exact motion to the order of the step. B gives no numbers: bars of 1 m, 1 and 2 kg,
 * released level; a block of 2 x 1 m and 20 kg. */
#include "experiment.h"
#include "dvc_impl_tests/motion.h"
#include "dvc_impl_tests/machine.h"
#include "plot.h"

#define STEP 0.005
#define SECONDS 3.0
#define PUSH 0.2 /* m/s */
#define BELT 0.5 /* m/s */
#define SPRING 80.0

enum { SYSTEMS = 6, STEPS = 600, FLOOR = 1, BLOCK = 2, PUSHER = 3 };

static const char *const names[SYSTEMS] = { "two bars", "on a block", "with friction", "with pusher", "on a belt",
                                            "spring and particle" };
static const char *const colours[SYSTEMS] = { PLOT_BLUE, PLOT_RED, PLOT_GREEN, PLOT_ORANGE, PLOT_GREY, PLOT_BLACK };

/* ---- the systems ---- */

static void push(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = (dvc_real)(-1 + PUSH * (double)t);
}

/* Floor, block, and a pusher that touches its left side; the pusher is told to pass where there is none. */
static void add_block(scene *s, int system)
{
    double friction = system >= 2 ? 0.3 : 0;
    scene_ground(s, friction);
    if (system >= 4) s->shapes[FLOOR].surface_velocity = v3(BELT, 0, 0);
    scene_box(s, DVC_DYNAMIC, v3(1, 0.5, 0), v3(0, 0.5, 0), 20, friction);
    scene_add(s, DVC_KINEMATIC, DVC_SPHERE, v3(-1, 0.5, 0), friction);
    s->bodies[PUSHER].motion = push;
    s->bodies[PUSHER].disabled = system < 3;
}

static scene *build(int system)
{
    scene *s = machine_make(6, 2, 1, true);
    int first, last, base = system ? BLOCK : 0;
    double y = system ? 0.5 : 0;
    if (system) add_block(s, system);
    first = machine_bar(s, v3(0.5, y, 0), 1, 1, 0);
    machine_join(s, DVC_REVOLUTE, base, first, v3(0, y, 0), v3(0, 0, 1));
    if (system < 5) {
        last = machine_bar(s, v3(1.5, y, 0), 2, 1, 0);
        machine_join(s, DVC_REVOLUTE, first, last, v3(1, y, 0), v3(0, 0, 1));
        return s;
    }
    last = machine_body(s, v3(1.5, y, 0), 2, scene_zero);
    machine_spring(s, first, last, 0.5, SPRING, 0);
    s->world.springs[0].anchor_a = v3(0.5, 0, 0);
    return s;
}

/* ---- B's count ---- */

/* Velocities of the bodies, of which a particle has no turn; and the rows: two for each joint, and for each contact its normal
 * and, where there is friction, two directions and the cone. */
static int count_unknowns(scene *s)
{
    dvc_problem problem;
    int i, count = 0;
    if (dvc_problem_build(&s->world, (dvc_real)STEP, &problem) != DVC_OK) return -1;
    for (i = 0; i < problem.body_count * problem.width; i++) count += problem.mass[i] > 0;
    return count + problem.n;
}

/* ---- what is measured ---- */

typedef struct history {
    double t[STEPS], energy[STEPS], error[STEPS]; /* energy against the start's */
    double start; /* J */
    double balance, gap, aside, cone; /* worst: momentum, N s; overlap, m; pusher in the block, m; friction over its bound, N s */
    int inexact;
} history;

static double spring_energy(const scene *s)
{
    const dvc_spring *p = &s->world.springs[0];
    double stretch;
    if (s->world.spring_count == 0) return 0;
    stretch = motion_apart(machine_anchor(s, p->body_a, p->anchor_a), machine_anchor(s, p->body_b, p->anchor_b));
    stretch -= (double)p->length;
    return (double)p->stiffness * stretch * stretch / 2;
}

/* Change of momentum of all, less weight and what contacts with the floor and the pusher gave. */
static double unbalanced(const scene *s, dvc_vec3 before)
{
    dvc_vec3 sum;
    int i;
    dvc_momentum(&s->world, &sum, NULL);
    sum = oracle_minus(sum, before);
    for (i = 0; i < s->world.body_count; i++)
        if (s->bodies[i].kind == DVC_DYNAMIC) sum = oracle_along(sum, s->world.gravity, -STEP * (double)s->bodies[i].mass);
    for (i = 0; i < s->world.contact_count; i++)
        sum = oracle_along(sum, s->world.contacts[i].impulse, s->world.contacts[i].body_b == BLOCK ? -1 : 1);
    return oracle_norm(sum);
}

static double over_cone(const scene *s)
{
    double worst = 0;
    int i;
    for (i = 0; i < s->world.contact_count; i++) {
        const dvc_contact *c = &s->world.contacts[i];
        dvc_vec3 friction = oracle_along(c->impulse, c->normal, -(double)c->normal_impulse);
        worst = fmax(worst, oracle_norm(friction) - (double)s->shapes[FLOOR].friction * (double)c->normal_impulse);
    }
    return worst;
}

static double energy_of(const scene *s) { return (double)dvc_energy(&s->world) + spring_energy(s); }

static void observe(const scene *s, dvc_vec3 before, int system, int i, history *past)
{
    past->t[i] = s->world.time;
    past->energy[i] = energy_of(s) - past->start;
    past->error[i] = machine_error(s, 1);
    past->inexact += s->world.report.inexact;
    if (system == 0) return;
    past->balance = fmax(past->balance, unbalanced(s, before));
    past->gap = fmax(past->gap, -oracle_deepest(&s->world));
    past->cone = fmax(past->cone, over_cone(s));
    if (system < 3) return;
    past->aside = fmax(past->aside, (double)s->bodies[PUSHER].position.x - (double)s->bodies[BLOCK].position.x + 1);
}

static void run(int system, bool semi_implicit, history *past)
{
    scene *s = build(system);
    dvc_vec3 before;
    int i;
    memset(past, 0, sizeof *past);
    s->world.semi_implicit = semi_implicit;
    past->start = energy_of(s);
    for (i = 0; i < STEPS; i++) {
        dvc_momentum(&s->world, &before, NULL);
        if (!experiment_step(&s->world, STEP)) break;
        observe(s, before, system, i, past);
    }
    machine_free(s);
}

static double worst_of(const double *values)
{
    double worst = 0;
    int i;
    for (i = 0; i < STEPS; i++) worst = fmax(worst, values[i]);
    return worst;
}

/* ---- rows ---- */

static void check_size(int system)
{
    static const int sizes[SYSTEMS] = { 10, 15, 21, 25, 25, 22 };
    scene *s = build(system);
    experiment_near(count_unknowns(s), sizes[system], 0, "%s: unknowns of the mixed problem", names[system]);
    machine_free(s);
}

static void check_run(int system, const history *past)
{
    const char *name = names[system];
    experiment_at_most(worst_of(past->error), 1e-12, "%s: joint error, m", name);
    experiment_at_most(past->inexact, 0, "%s: inexact steps", name);
    if (system == 0) return;
    experiment_at_most(past->balance, 1e-11, "%s: momentum that no contact explains, N s", name);
    experiment_at_most(past->gap, 1e-9, "%s: overlap, m", name);
    experiment_at_most(past->cone, 1e-12, "%s: friction beyond its bound, N s", name);
    if (system >= 3) experiment_at_most(past->aside, 1e-9, "%s: pusher ahead of the block's side, m", name);
}

/* What is free of friction and motion from outside loses energy to the order of the step. */
static void check_energy(int system, const history *past)
{
    double drop = (0.5 + 3) * MACHINE_G; /* J, if both bars hung straight */
    experiment_at_most(fabs(past->energy[STEPS - 1]) / drop, 0.05, "%s: energy lost or won, of the bars' drop", names[system]);
}

static double distance_from_exact(double h)
{
    double state[4] = { MACHINE_PI / 2, MACHINE_PI / 2, 0, 0 };
    scene *s = build(0);
    dvc_vec3 end;
    int i, steps = (int)(1 / h + 0.5);
    machine_follow(machine_two_bars_rates, state, 4, 1);
    for (i = 0; i < steps; i++)
        if (!experiment_step(&s->world, h)) break;
    end = v3(sin(state[0]) + sin(state[1]) / 2, -cos(state[0]) - cos(state[1]) / 2, 0);
    end = oracle_minus(s->bodies[2].position, end);
    machine_free(s);
    return oracle_norm(end);
}

static void check_exact(void)
{
    double coarse = distance_from_exact(0.002), fine = distance_from_exact(0.001);
    experiment_at_most(coarse, 0.02, "two bars: from their exact motion after 1 s, h = .002, m");
    experiment_near(coarse / fine, 2, 0.2, "two bars: the same at h = .002 over that at h = .001");
}

/* ---- the picture ---- */

static void draw(history past[SYSTEMS], history *semi_implicit)
{
    FILE *file = experiment_open("x02.svg");
    plot drawing;
    plot_axis time = { "t, s", 0, SECONDS, false }, energy = { "J", -4, 16, false }, error = { "m", 1e-17, 1e-2, true };
    int k;
    if (!file) return;
    drawing = plot_open(file, 2);
    plot_panel(&drawing, "energy against the start's", time, energy);
    for (k = 0; k < SYSTEMS; k++) plot_line(&drawing, colours[k], past[k].t, past[k].energy, STEPS);
    for (k = 0; k < SYSTEMS; k++) plot_legend(&drawing, colours[k], names[k]);
    plot_panel(&drawing, "joint error", time, error);
    for (k = 0; k < SYSTEMS; k++) plot_line(&drawing, colours[k], past[k].t, past[k].error, STEPS);
    plot_line(&drawing, PLOT_RED, semi_implicit->t, semi_implicit->error, STEPS);
    plot_legend(&drawing, PLOT_RED, "on a block, semi-implicit");
    plot_close(&drawing);
}

int main(int argc, char **argv)
{
    static history past[SYSTEMS], semi_implicit;
    int system;
    experiment_begin("x02", argc, argv);
    for (system = 0; system < SYSTEMS; system++) {
        check_size(system);
        run(system, false, &past[system]);
        check_run(system, &past[system]);
        if (system < 2) check_energy(system, &past[system]);
    }
    check_exact();
    run(1, true, &semi_implicit);
    experiment_note(worst_of(semi_implicit.error), "on a block, semi-implicit step as B has it: joint error, m");
    draw(past, &semi_implicit);
    return experiment_end();
}
