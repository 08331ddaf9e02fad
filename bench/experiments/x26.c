/* X26, the scripts of W 6: hello world (a cube falls), the rolling cart, the hanging rod with plots of position, velocity,
 * acceleration and joint error, and an arm of seven joints that follows a trajectory of joint angles under
 * proportional-derivative control. The cart also runs on balls, which roll with a known acceleration. */
#include "experiment.h"
#include "dvc_impl_tests/motion.h"
#include "dvc_impl_tests/machine.h"
#include "plot.h"
#include "history.h"

/* ---- hello world ---- */

static void check_hello(void)
{
    scene *s = machine_make(2, 0, 0, false);
    int i;
    machine_body(s, scene_zero, 1, v3(1 / 6.0, 1 / 6.0, 1 / 6.0));
    for (i = 0; i < 100 && experiment_step(&s->world, 0.01); i++) {}
    experiment_near(s->bodies[1].position.z, -MACHINE_G * 1e-4 * 100 * 101 / 2, 1e-11, "hello world: height after 1 s, m");
    machine_free(s);
}

/* ---- the cart ---- */

enum { SIDES = 20, CART_STEPS = 300 };

#define WHEEL_RADIUS 0.4
#define SLOPE 0.17

/* A cylinder about x with 20 sides, as the literature has it. */
static int add_cylinder(scene *s, dvc_vec3 at)
{
    dvc_vec3 points[2 * SIDES];
    int i, wheel;
    for (i = 0; i < 2 * SIDES; i++) {
        double angle = 2 * MACHINE_PI * (i / 2) / SIDES;
        points[i] = v3(i % 2 ? 0.1 : -0.1, WHEEL_RADIUS * cos(angle), WHEEL_RADIUS * sin(angle));
    }
    wheel = scene_hull(s, DVC_DYNAMIC, points, 2 * SIDES, scene_zero, 1, 0.0625); /* sqrt(.0625 1) = .25, as in the script */
    s->bodies[wheel].position = at;
    scene_mass(s, wheel, 1);
    return wheel;
}

/* The chassis has no shape: wheels stand beside it. Balls get a level plane and tilted gravity. */
static scene *cart(bool balls)
{
    scene *s = machine_make(7, 4, 0, false);
    double up = balls ? WHEEL_RADIUS : 0.75, tilt = hypot(1, SLOPE);
    int ground = scene_ground(s, 1), chassis, i;
    if (balls) s->world.gravity = v3(0, MACHINE_G * SLOPE / tilt, -MACHINE_G / tilt);
    else s->shapes[ground].normal = v3(0, SLOPE, 1);
    chassis = machine_body(s, v3(0, 0, up + 0.25), 1, v3((9 + 0.0625) / 12, (1 + 0.0625) / 12, 10 / 12.0));
    for (i = 0; i < 4; i++) {
        dvc_vec3 at = v3(i % 2 ? 0.65 : -0.65, i / 2 ? 1.3 : -1.3, up);
        int wheel = balls ? scene_sphere(s, WHEEL_RADIUS, at, 1, 1) : add_cylinder(s, at);
        machine_join(s, DVC_REVOLUTE, chassis, wheel, at, v3(1, 0, 0));
    }
    return s;
}

/* Of rolling down without slip: mass 5, four wheels of this moment. */
static double rolling(double moment)
{
    return MACHINE_G * SLOPE / hypot(1, SLOPE) * 5 / (5 + 4 * moment / (WHEEL_RADIUS * WHEEL_RADIUS));
}

static void check_cart(history *past)
{
    scene *s = cart(false);
    const dvc_body *chassis = &s->bodies[2];
    double worst = 0, deepest = 0;
    int i, inexact = 0;
    for (i = 0; i < CART_STEPS && experiment_step(&s->world, 0.01); i++) {
        worst = fmax(worst, machine_error(s, 1));
        deepest = fmin(deepest, oracle_deepest(&s->world));
        inexact += s->world.report.inexact;
        history_note(past, s->world.time, chassis->velocity.y, chassis->position.y, chassis->position.z);
    }
    experiment_at_most(worst, 1e-6, "cart: joint gap or tilt, m or rad");
    experiment_at_most(-deepest, 1e-9, "cart: overlap, m");
    experiment_at_most(inexact, 0, "cart: inexact steps");
    experiment_at_least(chassis->velocity.y, rolling(0.08) * 1.5, "cart: speed after 3 s, over half that of round wheels, m/s");
    experiment_at_most(chassis->velocity.y, rolling(0.08) * 3, "cart: the same, against that of round wheels, m/s");
    machine_free(s);
}

static void check_cart_on_balls(void)
{
    scene *s = cart(true);
    const dvc_body *chassis = &s->bodies[2];
    double worst = 0, off = 0;
    int i;
    for (i = 1; i <= CART_STEPS && experiment_step(&s->world, 0.01); i++) {
        worst = fmax(worst, machine_error(s, 1));
        off = fmax(off, fabs((double)chassis->velocity.y - rolling(0.064) * 0.01 * i));
    }
    experiment_at_most(worst, 1e-12, "cart on balls: joint gap or tilt, m or rad");
    experiment_at_most(off, 1e-9, "cart on balls: from the speed of rolling, m/s");
    machine_free(s);
}

/* ---- the hanging rod ---- */

#define ROD_ENERGY 0.46839 /* J, over its lowest place */

/* Height, and from it the vertical speed and acceleration; or the joint's error. */
static void run_rod(double h, double seconds, bool semi_implicit, history *motion, history *error, double *end)
{
    scene *s = machine_rod();
    const dvc_body *rod = &s->bodies[1];
    double before = 0;
    int i, steps = (int)(seconds / h + 0.5);
    s->world.semi_implicit = semi_implicit;
    for (i = 0; i < steps && experiment_step(&s->world, h); i++) {
        history_note(motion, s->world.time, rod->position.z, rod->velocity.z, ((double)rod->velocity.z - before) / h / 10);
        history_note(error, s->world.time, machine_error(s, 1), 0, 0);
        before = (double)rod->velocity.z;
    }
    end[0] = (double)rod->position.x;
    end[1] = (double)dvc_energy(&s->world);
    machine_free(s);
}

static double worst_of(const history *past)
{
    double worst = 0;
    int i;
    for (i = 0; i < past->count; i++) worst = fmax(worst, past->value[0][i]);
    return worst;
}

static void check_rod(double h, history *motion, history *error)
{
    static history semi_implicit;
    double state[2] = { MACHINE_ROD_START, 0 }, end[2];
    semi_implicit.count = 0;
    machine_follow(machine_rod_rates, state, 2, 5);
    run_rod(h, 5, false, motion, error, end);
    experiment_at_most(worst_of(error), 1e-9, "rod, h = %g, 5 s: joint gap, m", h);
    experiment_at_most(1 - end[1] / ROD_ENERGY, 2.5 * h, "rod, h = %g: energy lost, of what it had", h);
    experiment_at_most(fabs(end[0] + 0.25 * sin(state[0])), 0.4 * h, "rod, h = %g: x(5 s) from the exact motion, m", h);
    run_rod(h, 5, true, NULL, &semi_implicit, end);
    experiment_note(worst_of(&semi_implicit), "rod, h = %g, semi-implicit step as in the literature: joint gap, m", h);
}

/* As long as the literature's test of its joint correction, which kept 1e-5. */
static void check_long_rod(void)
{
    static history error;
    double end[2];
    run_rod(0.01, 40, false, NULL, &error, end);
    experiment_at_most(worst_of(&error), 1e-9, "rod, h = 0.01, 4000 steps: joint gap, m");
}

/* ---- the arm ---- */

enum { JOINTS = 7 };

#define LINK 0.2
#define MOVE 2.0 /* s, of the trajectory */

static const double goal[JOINTS] = { 1, 0.8, -0.7, 1.2, 0.5, -0.9, 0.4 }; /* rad */
static const double stiffness[JOINTS] = { 400, 400, 200, 200, 100, 100, 50 };
static const double damping[JOINTS] = { 8, 8, 5, 5, 3, 3, 2 };

/* A smooth move from 0 to the goal, before every step. */
static void control(void *user, dvc_world *world, dvc_real h)
{
    double share = fmin((world->time + (double)h) / MOVE, 1), place = share * share * (3 - 2 * share);
    double rate = share < 1 ? 6 * share * (1 - share) / MOVE : 0;
    int i;
    (void)user;
    for (i = 0; i < JOINTS; i++) {
        dvc_axis *turn = &world->joints[i].turn;
        turn->force = (dvc_real)(stiffness[i] * (goal[i] * place - (double)turn->position)
                                 + damping[i] * (goal[i] * rate - (double)turn->velocity));
    }
}

/* Links straight up, joints in turn about the arm and across it. */
static scene *arm(void)
{
    scene *s = machine_make(JOINTS + 1, JOINTS, 0, false);
    int i;
    s->world.before_step = control;
    for (i = 0; i < JOINTS; i++) {
        int link = machine_body(s, v3(0, 0, LINK * (i + 0.5)), 1, v3(0.05, 0.05, 0.05)); /* motors included */
        machine_join(s, DVC_REVOLUTE, i, link, v3(0, 0, LINK * i), i % 2 ? v3(0, 1, 0) : v3(0, 0, 1));
    }
    return s;
}

static dvc_vec3 hand_of(const scene *s) { return machine_anchor(s, JOINTS, v3(0, 0, LINK / 2)); }

/* Moment of the weight of all links beyond a joint about its axis. */
static double weight_about(const scene *s, int joint)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_vec3 anchor = machine_anchor(s, j->body_a, j->anchor_a), moment = scene_zero;
    int i;
    for (i = joint + 1; i <= JOINTS; i++)
        moment = oracle_along(moment, oracle_cross(oracle_minus(s->bodies[i].position, anchor), v3(0, 0, -MACHINE_G)), 1);
    return oracle_dot(moment, oracle_turn(machine_frame(s, j->body_a, j->frame_a), v3(0, 0, 1)));
}

static dvc_vec3 hand_after(double h, double seconds)
{
    scene *s = arm();
    dvc_vec3 hand;
    int i, steps = (int)(seconds / h + 0.5);
    for (i = 0; i < steps && experiment_step(&s->world, h); i++) {}
    hand = hand_of(s);
    machine_free(s);
    return hand;
}

static void check_arm(history *past)
{
    scene *s = arm();
    double worst = 0, unbalanced = 0, speed = 0;
    int i;
    for (i = 0; i < 5000 && experiment_step(&s->world, 0.004); i++) {
        dvc_vec3 hand = hand_of(s);
        worst = fmax(worst, machine_error(s, 1));
        if (i < 750) history_note(past, s->world.time, hand.x, hand.y, hand.z);
    }
    for (i = 0; i < JOINTS; i++) {
        unbalanced = fmax(unbalanced, fabs((double)s->world.joints[i].turn.force + weight_about(s, i)));
        speed = fmax(speed, oracle_norm(s->bodies[i + 1].angular_velocity));
    }
    experiment_at_most(worst, 1e-12, "arm: joint gap or tilt, m or rad");
    experiment_at_most(speed, 1e-6, "arm: turning after 20 s, rad/s");
    experiment_at_most(unbalanced, 1e-6, "arm: its torques then, less the moments of the weight, N m");
    machine_free(s);
}

static void check_arm_order(void)
{
    dvc_vec3 fine = hand_after(1e-4, 1);
    double coarse = motion_apart(hand_after(0.004, 1), fine), half = motion_apart(hand_after(0.002, 1), fine);
    experiment_at_most(coarse, 0.01, "arm in motion: hand from the path at h = 1e-4, at 1 s, h = .004, m");
    experiment_near(coarse / half, 2.05, 0.3, "arm in motion: the same at h = .004 over that at h = .002");
}

/* ---- the picture ---- */

static void draw_all(const history *wheels, const history *motion, const history *error, const history *hand)
{
    static const char *const cart_names[3] = { "vy, m/s", "y, m", "z, m" };
    static const char *const rod_names[3] = { "z, m", "vz, m/s", "az, 10 m/s2" };
    static const char *const error_names[3] = { "joint gap", NULL, NULL }, *const hand_names[3] = { "x", "y", "z" };
    FILE *file = experiment_open("x26.svg");
    plot drawing;
    if (!file) return;
    drawing = plot_open(file, 4);
    history_draw(&drawing, "rolling cart", 3, (plot_axis){ "", -1, 5, false }, cart_names, wheels);
    history_draw(&drawing, "hanging rod", 5, (plot_axis){ "", -1, 1, false }, rod_names, motion);
    history_draw(&drawing, "its joint error", 5, (plot_axis){ "m", 1e-17, 1e-3, true }, error_names, error);
    history_draw(&drawing, "hand of the arm", 3, (plot_axis){ "m", -1, 2, false }, hand_names, hand);
    plot_close(&drawing);
}

int main(int argc, char **argv)
{
    static history wheels, motion, error, fine_motion, fine_error, hand;
    experiment_begin("x26", argc, argv);
    check_hello();
    check_cart(&wheels);
    check_cart_on_balls();
    check_rod(0.01, &motion, &error);
    check_rod(0.005, &fine_motion, &fine_error);
    check_long_rod();
    check_arm(&hand);
    check_arm_order();
    draw_all(&wheels, &motion, &error, &hand);
    return experiment_end();
}
