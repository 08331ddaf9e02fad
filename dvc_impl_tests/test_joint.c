/* Joints of every kind, their limits, motors and friction; springs, damping and supports. Judged by the poses of the bodies,
 * closed forms, conservation laws, and reference motions integrated here.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "machine.h"
#include "trial.h"

#define JOINT_G MACHINE_G

static const dvc_vec3 joint_x = { 1, 0, 0 }, joint_y = { 0, 1, 0 }, joint_z = { 0, 0, 1 };

/* ---- words ---- */

/* Steps that must be solved by the regular way; stops at the first error. */
static void joint_run(scene *s, double h, int steps)
{
    int i, errors = 0, inexact = 0;
    for (i = 0; i < steps && !errors; i++) {
        errors += dvc_step(&s->world, (dvc_real)h) != DVC_OK;
        inexact += s->world.report.inexact;
    }
    CHECK(errors == 0);
    CHECK(inexact == 0);
}

/* The same, watching how far the joints are from holding and how energy goes. */
typedef struct joint_watch { double error, rise, loss; } joint_watch; /* worst error per size; J against the start */

static joint_watch joint_run_watched(scene *s, double h, int steps, double size)
{
    joint_watch worst = { 0, 0, 0 };
    double start = (double)dvc_energy(&s->world);
    int i;
    for (i = 0; i < steps; i++) {
        double energy;
        joint_run(s, h, 1);
        energy = (double)dvc_energy(&s->world);
        worst.error = fmax(worst.error, machine_error(s, size));
        worst.rise = fmax(worst.rise, energy - start);
        worst.loss = start - energy;
    }
    return worst;
}

/* Odd, but possible: each moment is less than the sum of the others. */
static dvc_vec3 joint_random_inertia(double mass, double size)
{
    double a = test_random(0.1, 1), b = test_random(0.1, 1), c = test_random(0.1, 1), scale = mass * size * size / 5;
    return v3(scale * (b + c), scale * (a + c), scale * (a + b));
}

static int joint_random_body(scene *s, dvc_vec3 at, double size)
{
    double mass = test_random(0.2, 3);
    int body = machine_body(s, at, mass, joint_random_inertia(mass, size));
    s->bodies[body].orientation = trial_turn(s->world.planar, test_random(0, 3));
    return body;
}

static dvc_vec3 joint_random_axis(const scene *s, dvc_joint_kind kind)
{
    bool slides = kind == DVC_PRISMATIC || kind == DVC_CYLINDRICAL;
    return s->world.planar && !slides ? joint_z : trial_direction(s->world.planar);
}

/* A tree of bodies with joints of these kinds, each to one before it; nothing holds it to the world. */
static scene *joint_random_tree(int bodies, double size, bool planar, const dvc_joint_kind *kinds)
{
    scene *s = machine_make(bodies + 1, bodies, 0, planar);
    int i;
    s->world.gravity = scene_zero;
    for (i = 1; i <= bodies; i++) {
        int body = joint_random_body(s, motion_vec(size, planar), size), parent = 1 + (int)test_random(0, i - 1.001);
        if (i == 1) continue;
        machine_join(s, kinds[i], parent, body, motion_vec(size, planar), joint_random_axis(s, kinds[i]));
    }
    return s;
}

/* Velocities that the joints allow: those after one step, in which the joints take away what they must. */
static void joint_set_in_motion(scene *s, double size)
{
    int i;
    for (i = 1; i < s->world.body_count; i++) {
        s->bodies[i].velocity = motion_vec(size, s->world.planar);
        s->bodies[i].angular_velocity = s->world.planar ? v3(0, 0, test_random(-1, 1)) : motion_vec(1, false);
    }
    joint_run(s, 0.01, 1);
}

/* A body's motion, as six numbers. */
static double joint_rate(const dvc_body *b, int k)
{
    double rates[6];
    rates[0] = (double)b->velocity.x;
    rates[1] = (double)b->velocity.y;
    rates[2] = (double)b->velocity.z;
    rates[3] = (double)b->angular_velocity.x;
    rates[4] = (double)b->angular_velocity.y;
    rates[5] = (double)b->angular_velocity.z;
    return rates[k];
}

/* ---- what holds ---- */

static void every_kind_holds_in_free_machines_of_any_size(void)
{
    int seed, k;
    for (seed = 1; seed <= 60; seed++) {
        dvc_joint_kind kinds[6];
        double size = pow(10, seed % 6 - 3);
        scene *s;
        test_seed((uint64_t)seed);
        for (k = 0; k < 6; k++) kinds[k] = (dvc_joint_kind)(1 + (seed + k) % 5);
        s = joint_random_tree(5, size, seed % 4 == 0, kinds);
        joint_set_in_motion(s, size);
        CHECK(joint_run_watched(s, 0.01, 100, size).error <= 1e-12);
        machine_free(s);
    }
}

/* In a joint that passes through the centre of a round body, each of six motions along the joint's axes is either free for
 * ever, and takes no impulse, or ends at once. */
static void what_is_free_stays_free_and_what_is_held_stops(void)
{
    static const int is_free[DVC_JOINT_KIND_COUNT][6] = { { 1, 1, 1, 1, 1, 1 }, { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 1 },
        { 0, 0, 1, 0, 0, 0 }, { 0, 0, 1, 0, 0, 1 }, { 0, 0, 0, 1, 1, 1 } };
    int kind, way, k;
    for (kind = 1; kind < DVC_JOINT_KIND_COUNT; kind++)
        for (way = 0; way < 6; way++) {
            scene *s = machine_make(2, 1, 0, false);
            int body = machine_body(s, v3(0.3, -0.2, 0.5), 2, v3(0.1, 0.1, 0.1));
            machine_join(s, (dvc_joint_kind)kind, 0, body, s->bodies[body].position, joint_z);
            s->world.gravity = scene_zero;
            *(way < 3 ? &s->bodies[body].velocity : &s->bodies[body].angular_velocity) = motion_axis(way % 3, 0.7);
            joint_run(s, 0.01, 50);
            for (k = 0; k < 6; k++) CHECK_NEAR(joint_rate(&s->bodies[body], k), k == way && is_free[kind][way] ? 0.7 : 0, 1e-12);
            CHECK(is_free[kind][way] == 0 || oracle_norm(s->world.joints[0].impulse) <= 1e-12);
            machine_free(s);
        }
}

/* The same in the plane; a turn about an axis in the plane would lead out of it. */
static void planar_joints_hold_and_leave_free_what_they_should(void)
{
    static const int is_free[DVC_JOINT_KIND_COUNT][3] = { { 1, 1, 1 }, { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 1, 0, 0 },
        { 0, 0, 1 } };
    int kind, way;
    for (kind = 1; kind < DVC_JOINT_KIND_COUNT; kind++)
        for (way = 0; way < 3; way++) {
            scene *s = machine_make(2, 1, 0, true);
            int body = machine_body(s, v3(0.3, -0.2, 0), 2, v3(0, 0, 0.1));
            bool slides = kind == DVC_PRISMATIC || kind == DVC_CYLINDRICAL;
            machine_join(s, (dvc_joint_kind)kind, 0, body, s->bodies[body].position, slides ? joint_x : joint_z);
            s->world.gravity = scene_zero;
            if (way < 2) s->bodies[body].velocity = motion_axis(way, 0.7);
            else s->bodies[body].angular_velocity.z = (dvc_real)0.7;
            joint_run(s, 0.01, 50);
            CHECK_NEAR(joint_rate(&s->bodies[body], way < 2 ? way : 5), is_free[kind][way] ? 0.7 : 0, 1e-12);
            machine_free(s);
        }
}

/* In the plane a cylindrical joint cannot turn; limits, motors and friction of its turn count for nothing. */
static void a_drive_out_of_the_plane_does_nothing(void)
{
    int drive;
    for (drive = 0; drive < 3; drive++) {
        scene *s = machine_make(2, 1, 0, true);
        dvc_axis *turn = &s->world.joints[0].turn;
        machine_body(s, v3(0.5, 0, 0), 2, v3(0, 0, 0.1));
        machine_join(s, DVC_CYLINDRICAL, 0, 1, scene_zero, joint_x);
        turn->limited = drive == 0;
        turn->effort = turn->speed = drive == 1;
        turn->friction = drive == 2;
        s->bodies[1].velocity.x = (dvc_real)0.3;
        joint_run(s, 0.01, 100);
        CHECK(machine_error(s, 1) <= 1e-12);
        CHECK_NEAR(s->bodies[1].position.x, 0.8, 1e-12);
        machine_free(s);
    }
}

/* ---- pendulums against exact motion ---- */

static double joint_rod_end(void)
{
    double state[2];
    state[0] = MACHINE_ROD_START;
    state[1] = 0;
    machine_follow(machine_rod_rates, state, 2, 5);
    return -0.25 * sin(state[0]);
}

/* Where it ends against the exact motion, and energy in parts of what a swing turns over: of second order, and never more than there
 * was. In the literature's step of first order: a swing's potential and kinetic energy are half a step apart, h omega / 2, and the
 * joint gives way. */
static void joint_check_rod(bool literature)
{
    double off[2], loss[2], rise[2], end = joint_rod_end(), ratio = literature ? 2 : 4;
    int k;
    CHECK_NEAR(end, -0.091498, 1e-6);
    for (k = 0; k < 2; k++) {
        double h = k ? 0.005 : 0.01;
        scene *s = machine_rod();
        joint_watch watch;
        s->world.semi_implicit = literature;
        watch = joint_run_watched(s, h, (int)(5 / h + 0.5), 1);
        CHECK(watch.error <= (literature ? 2e-4 : 1e-12));
        rise[k] = watch.rise / 0.46839;
        off[k] = fabs((double)s->bodies[1].position.x - end);
        loss[k] = watch.loss / 0.46839;
        CHECK_NEAR(s->bodies[1].position.y, 0, 1e-12);
        machine_free(s);
    }
    CHECK(off[0] <= (literature ? 4e-3 : 6e-4));
    CHECK(loss[0] < (literature ? 0.03 : 5e-4));
    CHECK_NEAR(off[0] / off[1], ratio, literature ? 0.3 : 0.1);
    CHECK_NEAR(loss[0] / loss[1], ratio, literature ? 0.2 : 0.1);
    CHECK(rise[0] <= (literature ? 0.03 : 1e-13));
    if (literature) CHECK_NEAR(rise[0] / rise[1], 2, 0.2);
}

static void a_hanging_rod_keeps_its_joint_and_nearly_its_energy(void)
{
    joint_check_rod(false);
    joint_check_rod(true);
}

/* The bars hang in the plane of x and y, or in that of x and z. */
static scene *joint_two_bars(bool planar)
{
    scene *s = machine_make(3, 2, 0, planar);
    dvc_vec3 up = trial_up(s), axis = planar ? joint_z : joint_y;
    int first = machine_bar(s, v3(0.5, 0, 0), 1, 1, 0);
    int second = machine_bar(s, oracle_along(joint_x, up, -0.5), 2, 1, 0);
    s->bodies[first].inertia.x = s->bodies[second].inertia.x = (dvc_real)1e-3;
    s->bodies[second].orientation = dvc_quat_turn(axis, (dvc_real)(planar ? -TRIAL_PI / 2 : TRIAL_PI / 2));
    machine_join(s, DVC_REVOLUTE, 0, first, scene_zero, axis);
    machine_join(s, planar ? DVC_REVOLUTE : DVC_SPHERICAL, first, second, joint_x, axis);
    return s;
}

static void a_double_pendulum_tends_to_its_exact_motion_with_the_step(void)
{
    double state[4], off[2];
    dvc_vec3 end;
    int planar, k;
    state[0] = TRIAL_PI / 2;
    state[1] = state[2] = state[3] = 0;
    machine_follow(machine_two_bars_rates, state, 4, 1);
    for (planar = 0; planar < 2; planar++) {
        for (k = 0; k < 2; k++) {
            double h = k ? 0.001 : 0.002;
            scene *s = joint_two_bars(planar);
            end = oracle_along(v3(sin(state[0]) + sin(state[1]) / 2, 0, 0), trial_up(s), -cos(state[0]) - cos(state[1]) / 2);
            joint_run(s, h, (int)(1 / h + 0.5));
            off[k] = oracle_norm(oracle_minus(s->bodies[2].position, end));
            machine_free(s);
        }
        CHECK(off[0] <= 1e-4);
        CHECK_NEAR(off[0] / off[1], 4, 0.01);
    }
}

/* ---- chains ---- */

/* Links of 1 kg along x from the origin, and perhaps something heavy at the end. */
static scene *joint_chain(int links, double half, double last_mass, double box_mass)
{
    scene *s = machine_make(links + 2, links + 1, 0, false);
    int i;
    for (i = 1; i <= links; i++) {
        machine_bar(s, v3(half * (2 * i - 1), 0, 0), i == links ? last_mass : 1, 2 * half, 0.1);
        machine_join(s, DVC_SPHERICAL, i - 1, i, v3(2 * half * (i - 1), 0, 0), joint_y);
    }
    if (box_mass == 0) return s;
    i = machine_body(s, v3(2 * half * links + 0.25, 0, 0), box_mass, v3(box_mass / 24, box_mass / 24, box_mass / 24));
    machine_join(s, DVC_SPHERICAL, links, i, v3(2 * half * links, 0, 0), joint_y);
    return s;
}

/* Energy is measured in what the chain would lose if it hung straight down. None is ever gained. */
static double joint_check_chain(double half, double last_mass, double box_mass, double h, double seconds)
{
    scene *s = joint_chain(10, half, last_mass, box_mass);
    double scale = 0;
    joint_watch watch;
    int i;
    for (i = 1; i < s->world.body_count; i++) scale += (double)(s->bodies[i].mass * s->bodies[i].position.x) * JOINT_G;
    watch = joint_run_watched(s, h, (int)(seconds / h + 0.5), 1);
    CHECK(watch.error <= 1e-12);
    CHECK(watch.rise <= 1e-12 * scale);
    CHECK(watch.loss >= -1e-12 * scale);
    machine_free(s);
    return watch.loss / scale;
}

static void chains_hold_whatever_hangs_at_their_end(void)
{
    double loss[3];
    int k;
    for (k = 0; k < 3; k++) {
        double h = k == 0 ? 0.01 : k == 1 ? 0.005 : 0.0025;
        loss[k] = joint_check_chain(0.5, 1, 0, h, 3);
        CHECK(joint_check_chain(0.5, 100, 0, h, 3) < 5e-4);
        CHECK(joint_check_chain(0.25, 1, 1000, h, 5) < 5e-4);
    }
    CHECK_NEAR(loss[1] / loss[2], 4, 0.2);
    CHECK(loss[0] > loss[1] && loss[0] < 1e-5);
}

static void a_heavy_chain_at_rest_stays_at_rest(void)
{
    static const double steps[2] = { 0.01, 0.002 };
    int k, i;
    for (k = 0; k < 2; k++) {
        scene *s = joint_chain(10, 0.25, 1, 1000);
        for (i = 1; i < s->world.body_count; i++) {
            s->bodies[i].position = v3(0, 0, -(double)s->bodies[i].position.x);
            s->bodies[i].orientation = dvc_quat_turn(joint_y, (dvc_real)(TRIAL_PI / 2));
        }
        joint_run(s, steps[k], 500);
        for (i = 1; i < s->world.body_count; i++) {
            double depth = i == 11 ? 5.25 : 0.5 * i - 0.25;
            CHECK(oracle_norm(oracle_minus(s->bodies[i].position, v3(0, 0, -depth))) <= 1e-9);
        }
        machine_free(s);
    }
}

/* ---- momentum ---- */

/* How far momentum and angular momentum have gone after a second. */
static void joint_momentum_drift(int seed, double h, double *linear_drift, double *angular_drift)
{
    dvc_joint_kind kinds[6];
    dvc_vec3 linear, angular, linear_start, angular_start;
    scene *s;
    int k;
    test_seed((uint64_t)seed);
    for (k = 0; k < 6; k++) kinds[k] = (dvc_joint_kind)(1 + (seed + k) % 5);
    s = joint_random_tree(5, 1, false, kinds);
    joint_set_in_motion(s, 1);
    dvc_momentum(&s->world, &linear_start, &angular_start);
    joint_run(s, h, (int)(1 / h + 0.5));
    dvc_momentum(&s->world, &linear, &angular);
    *linear_drift = oracle_norm(oracle_minus(linear, linear_start));
    *angular_drift = oracle_norm(oracle_minus(angular, angular_start));
    machine_free(s);
}

/* Forces of a joint act on both bodies at one point: what one gains, the other loses. */
static void free_machines_keep_momentum_and_angular_momentum(void)
{
    static const double steps[3] = { 0.01, 0.004, 0.002 };
    double linear, angular;
    int seed;
    for (seed = 1; seed <= 15; seed++) {
        joint_momentum_drift(seed, steps[seed % 3], &linear, &angular);
        CHECK(linear <= 1e-12);
        CHECK(angular <= 1e-11);
    }
}

/* ---- machines with more joints than freedoms ---- */

/* A parallelogram of a crank, a coupler and a rocker, all joints parallel: three more constraints than the plane has. */
static scene *joint_four_bar(void)
{
    scene *s = machine_make(4, 4, 0, false);
    machine_bar(s, v3(0, 0, 0.5), 1, 1, 0.1);
    machine_bar(s, v3(1, 0, 1), 2, 2, 0.1);
    machine_bar(s, v3(2, 0, 0.5), 1, 1, 0.1);
    s->bodies[1].orientation = s->bodies[3].orientation = dvc_quat_turn(joint_y, (dvc_real)(TRIAL_PI / 2));
    machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_y);
    machine_join(s, DVC_REVOLUTE, 1, 2, joint_z, joint_y);
    machine_join(s, DVC_REVOLUTE, 2, 3, v3(2, 0, 1), joint_y);
    machine_join(s, DVC_REVOLUTE, 0, 3, v3(2, 0, 0), joint_y);
    s->bodies[1].angular_velocity = s->bodies[3].angular_velocity = v3(0, 2, 0);
    s->bodies[1].velocity = s->bodies[3].velocity = joint_x;
    s->bodies[2].velocity = v3(2, 0, 0);
    return s;
}

/* The parallelogram's angle from upright: coupler and bars carry moment, the coupler never turns. */
static void joint_four_bar_rates(const double *state, double *rate)
{
    double moment = 2 * (1.0 / 3 + 0.01 / 12) + 2;
    rate[0] = state[1];
    rate[1] = JOINT_G * (0.5 + 0.5 + 2) * sin(state[0]) / moment;
}

static void a_four_bar_of_revolute_joints_moves_as_it_should(void)
{
    double state[2], off[2];
    int k;
    state[0] = 0;
    state[1] = 2;
    machine_follow(joint_four_bar_rates, state, 2, 0.6);
    for (k = 0; k < 2; k++) {
        double h = k ? 0.001 : 0.002;
        scene *s = joint_four_bar();
        joint_watch watch = joint_run_watched(s, h, (int)(0.6 / h + 0.5), 1);
        CHECK(watch.error <= 1e-11);
        CHECK(motion_turned(s->bodies[2].orientation, dvc_quat_turn(joint_y, 0)) <= 1e-11);
        off[k] = oracle_norm(oracle_minus(s->bodies[2].position, v3(1 + sin(state[0]), 0, cos(state[0]))));
        CHECK(oracle_norm(s->world.joints[0].impulse) <= 200 * h);
        machine_free(s);
    }
    CHECK(off[0] <= 0.001);
    CHECK(off[0] / off[1] >= 1.8);
}

/* A four-bar that is swung by its motor through the place where all bars lie on a line. */
static void a_four_bar_passes_through_its_dead_point(void)
{
    scene *s = joint_four_bar();
    int i;
    s->world.joints[0].turn.speed = 2;
    s->world.joints[0].turn.effort = DVC_INFINITY;
    for (i = 0; i < 400; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(machine_error(s, 1) <= 1e-7);
        CHECK_NEAR(s->world.joints[0].turn.position, 0.02 * (i + 1), 1e-10);
    }
    machine_free(s);
}

/* A door on a number of hinges, one above the other, turning about them. */
static scene *joint_door(int hinges)
{
    scene *s = machine_make(2, 3, 0, false);
    int i;
    machine_body(s, v3(0.5, 0, 1), 12, v3(12 * (4 + 0.0025) / 12, 12 * (4 + 1) / 12.0, 12 * (1 + 0.0025) / 12));
    for (i = 0; i < hinges; i++) machine_join(s, DVC_REVOLUTE, 0, 1, v3(0, 0, 0.4 + 0.6 * i), joint_z);
    s->bodies[1].angular_velocity.z = (dvc_real)1.5;
    s->bodies[1].velocity.y = (dvc_real)0.75;
    return s;
}

static void a_door_on_two_or_three_hinges_turns_and_is_carried(void)
{
    int hinges, i;
    for (hinges = 2; hinges <= 3; hinges++) {
        scene *s = joint_door(hinges);
        double up = 0;
        CHECK(joint_run_watched(s, 0.01, 500, 1).error <= 1e-12);
        for (i = 0; i < hinges; i++) {
            up += (double)s->world.joints[i].impulse.z;
            CHECK(oracle_norm(s->world.joints[i].impulse) <= 3 * 12 * JOINT_G * 0.01);
        }
        CHECK_NEAR(up, 12 * JOINT_G * 0.01, 1e-10);
        CHECK_NEAR(s->world.joints[0].turn.position, s->world.joints[hinges - 1].turn.position, 1e-10);
        CHECK_NEAR(s->bodies[1].angular_velocity.z, 1.5, 0.2);
        machine_free(s);
    }
}

static void two_fixed_joints_between_the_same_bodies_share_the_load(void)
{
    scene *s = machine_make(2, 2, 0, false);
    dvc_vec3 impulse, moment;
    int i;
    machine_bar(s, v3(1, 0, 0), 3, 2, 0.1);
    for (i = 0; i < 2; i++) machine_join(s, DVC_FIXED, 0, 1, v3(0, 0.2 * i, 0), joint_z);
    CHECK(joint_run_watched(s, 0.01, 200, 1).error <= 1e-12);
    impulse = oracle_along(s->world.joints[0].impulse, s->world.joints[1].impulse, 1);
    moment = oracle_along(s->world.joints[0].angular_impulse, s->world.joints[1].angular_impulse, 1);
    moment = oracle_along(moment, oracle_cross(v3(-1, 0, 0), s->world.joints[0].impulse), 1);
    moment = oracle_along(moment, oracle_cross(v3(-1, 0.2, 0), s->world.joints[1].impulse), 1);
    CHECK(oracle_norm(oracle_minus(impulse, v3(0, 0, 3 * JOINT_G * 0.01))) <= 1e-11);
    CHECK(oracle_norm(moment) <= 1e-11);
    for (i = 0; i < 2; i++) CHECK(oracle_norm(s->world.joints[i].impulse) <= 3 * 3 * JOINT_G * 0.01);
    machine_free(s);
}

/* A bar on a heavy body, both free and turning: one hinge, two hinges on one line, or two ball joints on it. */
static scene *joint_free_pair(int hinge)
{
    scene *s = machine_make(3, 2, 0, false);
    dvc_joint_kind kind = hinge == 2 ? DVC_SPHERICAL : DVC_REVOLUTE;
    int k;
    s->world.gravity = scene_zero;
    machine_body(s, joint_z, 5, v3(1, 1.2, 1.1));
    machine_bar(s, v3(0.5, 0, 0), 1, 1, 0.1);
    s->bodies[1].angular_velocity = v3(1, 0.5, 0.3);
    s->bodies[2].velocity.z = (dvc_real)0.5;
    for (k = 0; k < (hinge ? 2 : 1); k++) machine_join(s, kind, 1, 2, v3(0, hinge ? 0.4 * k - 0.2 : 0, 0), joint_y);
    return s;
}

static void a_hinge_may_be_made_of_two_joints_between_moving_bodies(void)
{
    scene *one = joint_free_pair(0);
    int hinge, i, halvings = 0;
    joint_run(one, 0.01, 200);
    for (hinge = 1; hinge < 3; hinge++) {
        scene *two = joint_free_pair(hinge);
        for (i = 0; i < 200; i++) {
            joint_run(two, 0.01, 1);
            halvings += two->world.report.halvings;
        }
        CHECK(machine_error(two, 1) <= 1e-12);
        CHECK(motion_apart(two->bodies[2].position, one->bodies[2].position) <= 1e-9);
        machine_free(two);
    }
    CHECK(halvings == 0);
    machine_free(one);
}

static void redundant_machines_do_the_same_in_every_run(void)
{
    uint64_t hash[2];
    int k;
    for (k = 0; k < 2; k++) {
        scene *four_bar = joint_four_bar(), *door = joint_door(3);
        joint_run(four_bar, 0.01, 50);
        joint_run(door, 0.01, 50);
        hash[k] = dvc_world_hash(&four_bar->world) ^ 3 * dvc_world_hash(&door->world);
        machine_free(four_bar);
        machine_free(door);
    }
    CHECK(hash[0] == hash[1]);
}

/* ---- limits ---- */

/* A bar of 1 m and 2 kg, hinged at the origin to swing about y, lying along x: z is up, it falls. */
static scene *joint_beam(dvc_joint_kind kind)
{
    scene *s = machine_make(8, 4, 0, false);
    machine_bar(s, v3(0.5, 0, 0), 2, 1, 0.1);
    machine_join(s, kind, 0, 1, scene_zero, joint_y);
    return s;
}

static void a_beam_falls_on_its_limit_and_rests_there(void)
{
    scene *s = joint_beam(DVC_REVOLUTE);
    dvc_axis *turn = &s->world.joints[0].turn;
    int i;
    turn->limited = true;
    turn->lower = -1;
    turn->upper = (dvc_real)0.7;
    for (i = 0; i < 200; i++) {
        joint_run(s, 0.01, 1);
        CHECK(turn->position <= turn->upper + 1e-12);
    }
    CHECK_NEAR(turn->position, 0.7, 1e-12);
    CHECK_NEAR(turn->velocity, 0, 1e-10);
    CHECK_NEAR(turn->impulse, -2 * JOINT_G * 0.5 * cos(0.7) * 0.01, 1e-10);
    CHECK_NEAR(motion_turned(dvc_quat_turn(joint_y, (dvc_real)0.7), s->bodies[1].orientation), 0, 1e-12);
    machine_free(s);
}

/* A lift in its shaft rests on its lower limit, with a crate on it; the limit carries both. */
static void a_lift_rests_on_its_limit_with_a_crate_on_it(void)
{
    scene *s = machine_make(3, 1, 0, false);
    dvc_axis *slide = &s->world.joints[0].slide;
    int lift = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.1), v3(0, 0, 2), 4, 0.5);
    int crate = scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), v3(0.1, 0, 2.5), 3, 0.5);
    machine_join(s, DVC_PRISMATIC, 0, lift, v3(0, 0, 2), joint_z);
    slide->limited = true;
    slide->lower = -1;
    joint_run(s, 0.01, 300);
    CHECK_NEAR(slide->position, -1, 1e-12);
    CHECK_NEAR(s->bodies[lift].position.z, 1, 1e-12);
    CHECK_NEAR(s->bodies[crate].position.z, 1.3, 1e-9);
    CHECK_NEAR(slide->impulse, 7 * JOINT_G * 0.01, 1e-9);
    slide->limited = false;
    joint_run(s, 0.01, 10);
    CHECK_NEAR(slide->velocity, -JOINT_G * 0.1, 1e-9);
    machine_free(s);
}

/* Both limits at one place: the freedom is closed. */
static void equal_limits_close_a_freedom(void)
{
    scene *s = joint_beam(DVC_REVOLUTE);
    s->world.joints[0].turn.limited = true;
    joint_run(s, 0.01, 100);
    CHECK_NEAR(s->bodies[1].position.z, 0, 1e-12);
    CHECK_NEAR(s->world.joints[0].turn.impulse, -JOINT_G * 0.01, 1e-11);
    machine_free(s);
}

/* ---- motors ---- */

static void a_motor_reaches_its_speed_with_its_effort_and_keeps_it(void)
{
    scene *s = machine_make(2, 1, 0, false);
    dvc_axis *turn = &s->world.joints[0].turn;
    int i;
    machine_body(s, v3(0.2, 0.3, 0.4), 2, v3(0.3, 0.4, 0.5));
    machine_join(s, DVC_REVOLUTE, 0, 1, s->bodies[1].position, joint_z);
    turn->speed = 3;
    turn->effort = (dvc_real)0.5;
    for (i = 1; i <= 400; i++) {
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[1].angular_velocity.z, fmin(0.01 * i, 3), 1e-11);
        CHECK_NEAR(turn->velocity, s->bodies[1].angular_velocity.z, 1e-12);
        CHECK_NEAR(turn->impulse, i <= 300 ? 0.005 : 0, 1e-11);
    }
    machine_free(s);
}

/* A lift whose motor pulls with `effort` at most. */
static scene *joint_lift(double speed, double effort)
{
    scene *s = machine_make(2, 1, 0, false);
    machine_body(s, scene_zero, 2, v3(0.1, 0.2, 0.25));
    machine_join(s, DVC_PRISMATIC, 0, 1, scene_zero, joint_z);
    s->world.joints[0].slide.speed = (dvc_real)speed;
    s->world.joints[0].slide.effort = (dvc_real)effort;
    return s;
}

static void a_motor_that_is_too_weak_gives_all_it_has(void)
{
    scene *s = joint_lift(1, 15);
    int i;
    for (i = 1; i <= 100; i++) {
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[1].velocity.z, (15.0 / 2 - JOINT_G) * 0.01 * i, 1e-11);
        CHECK_NEAR(s->world.joints[0].slide.impulse, 0.15, 1e-12);
    }
    machine_free(s);
}

/* At 30 degrees above the horizontal a beam needs m g l / 2 cos(30) to be held: less, and it falls; more, and it stays. */
static void a_brake_holds_up_to_its_effort(void)
{
    static const double share[2] = { 0.999, 1.001 };
    int k;
    for (k = 0; k < 2; k++) {
        scene *s = joint_beam(DVC_REVOLUTE);
        double angle = -TRIAL_PI / 6, torque = 2 * JOINT_G * 0.5 * cos(angle);
        s->bodies[1].position = v3(0.5 * cos(angle), 0, -0.5 * sin(angle));
        s->bodies[1].orientation = dvc_quat_turn(joint_y, (dvc_real)angle);
        s->world.joints[0].turn.effort = (dvc_real)(share[k] * torque);
        joint_run(s, 0.01, 100);
        if (k) CHECK(motion_turned(s->bodies[1].orientation, dvc_quat_turn(joint_y, (dvc_real)angle)) <= 1e-12);
        else CHECK((double)s->world.joints[0].turn.position >= angle + 0.005);
        if (k) CHECK_NEAR(s->world.joints[0].turn.impulse, -torque * 0.01, 1e-11);
        machine_free(s);
    }
}

static void a_motor_without_bound_moves_its_body_as_told(void)
{
    scene *s = joint_lift(0.3, (double)DVC_INFINITY);
    int i;
    for (i = 1; i <= 500; i++) {
        s->bodies[1].force.z = (dvc_real)(100 * sin(i));
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[1].position.z, 0.003 * i, 1e-12 * i);
        CHECK_NEAR(s->world.joints[0].slide.position, 0.003 * i, 1e-12 * i);
        CHECK_NEAR(s->world.joints[0].slide.impulse, (2 * JOINT_G - 100 * sin(i)) * 0.01 + (i == 1) * 2 * 0.3, 1e-9);
    }
    machine_free(s);
}

/* A block is pushed along the floor against a wall by a motor: the wall feels the effort less friction. */
static void a_motor_stalls_against_a_wall_with_its_effort(void)
{
    scene *s = machine_make(5, 1, 0, false);
    int wall, block, i;
    double push = 0;
    scene_ground(s, 0);
    wall = scene_box(s, DVC_STATIC, v3(0.1, 1, 1), v3(1, 0, 1), 0, 0.5);
    block = scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), v3(0, 0, 0.4), 1, 0);
    machine_join(s, DVC_PRISMATIC, 0, block, v3(0, 0, 0.4), joint_x);
    s->world.joints[0].slide.speed = 1;
    s->world.joints[0].slide.effort = 7;
    joint_run(s, 0.01, 150);
    for (i = 0; i < s->world.contact_count; i++)
        if (s->world.contacts[i].body_b == block && s->world.contacts[i].body_a == wall)
            push -= (double)s->world.contacts[i].impulse.x;
    CHECK_NEAR(s->bodies[block].position.x, 0.7, 1e-9);
    CHECK_NEAR(push, 0.07, 1e-10);
    CHECK_NEAR(s->world.joints[0].slide.impulse, 0.07, 1e-10);
    machine_free(s);
}

/* ---- dry friction ---- */

/* A slide tilted by 30 degrees: the weight pulls with m g / 2. Its way is a parabola, of which the literature's step is ahead. */
static void a_slide_sticks_below_its_friction_and_slips_at_the_exact_rate(void)
{
    static const double bound[3] = { 0, 7, 9.82 };
    int k, i;
    for (k = 0; k < 6; k++) {
        scene *s = machine_make(2, 1, 0, false);
        double friction = bound[k % 3], rate = fmax(JOINT_G / 2 - friction / 2, 0);
        bool literature = k >= 3;
        s->world.semi_implicit = literature;
        machine_body(s, scene_zero, 2, v3(0.1, 0.2, 0.25));
        machine_join(s, DVC_PRISMATIC, 0, 1, scene_zero, v3(cos(TRIAL_PI / 6), 0, -0.5));
        s->world.joints[0].slide.friction = (dvc_real)friction;
        for (i = 1; i <= 200; i++) {
            joint_run(s, 0.01, 1);
            CHECK_NEAR(s->world.joints[0].slide.velocity, rate * 0.01 * i, 1e-11);
            CHECK_NEAR(s->world.joints[0].slide.position, rate * 1e-4 * i * (i + literature) / 2, 1e-10);
            CHECK_NEAR(s->world.joints[0].slide.impulse, -fmin(friction, JOINT_G) * 0.01, 1e-11);
        }
        machine_free(s);
    }
}

static void a_hinge_sticks_below_its_friction_and_slips_above(void)
{
    static const double torque[3] = { 0.29, -0.29, 0.5 };
    int k, i;
    for (k = 0; k < 3; k++) {
        scene *s = machine_make(2, 1, 0, false);
        double rate = k == 2 ? (0.5 - 0.3) / 0.5 : 0;
        machine_body(s, scene_zero, 2, v3(0.3, 0.4, 0.5));
        machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_z);
        s->world.joints[0].turn.friction = (dvc_real)0.3;
        s->bodies[1].torque.z = (dvc_real)torque[k];
        for (i = 1; i <= 100; i++) {
            joint_run(s, 0.01, 1);
            CHECK_NEAR(s->bodies[1].angular_velocity.z, rate * 0.01 * i, 1e-12);
        }
        machine_free(s);
    }
}

/* A wheel that runs out: it slows by friction / moment, stops, and stays. Two bodies: both slow, their momentum is kept. */
static void friction_stops_a_wheel_and_nothing_more(void)
{
    scene *s = machine_make(3, 1, 0, false);
    int i;
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 2, v3(0.3, 0.4, 0.5));
    machine_body(s, v3(0, 0, 0.1), 1, v3(0.2, 0.2, 0.25));
    machine_join(s, DVC_REVOLUTE, 1, 2, scene_zero, joint_z);
    s->world.joints[0].turn.friction = (dvc_real)0.1;
    s->bodies[2].angular_velocity.z = 3;
    for (i = 1; i <= 1000; i++) {
        double relative = fmax(3 - 0.1 * (1 / 0.5 + 1 / 0.25) * 0.01 * i, 0);
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[2].angular_velocity.z - s->bodies[1].angular_velocity.z, relative, 1e-11);
        CHECK_NEAR(0.5 * s->bodies[1].angular_velocity.z + 0.25 * s->bodies[2].angular_velocity.z, 0.75, 1e-11);
    }
    machine_free(s);
}

/* ---- what is told to the user ---- */

static void the_turn_counts_on_past_full_turns(void)
{
    static const double speeds[2] = { 11, -80 };
    int k, planar, i;
    for (k = 0; k < 2; k++)
        for (planar = 0; planar < 2; planar++) {
            scene *s = machine_make(2, 1, 0, planar);
            machine_body(s, v3(0.1, 0.2, 0), 1, v3(0.3, 0.4, 0.5));
            machine_join(s, DVC_REVOLUTE, 0, 1, s->bodies[1].position, joint_z);
            s->bodies[1].angular_velocity.z = (dvc_real)speeds[k];
            for (i = 1; i <= 1000; i++) {
                joint_run(s, 0.01, 1);
                CHECK_NEAR(s->world.joints[0].turn.position, speeds[k] * 0.01 * i, 1e-8);
            }
            machine_free(s);
        }
}

/* A limit beyond full turns stops the wheel there and not before. */
/* Hinges about two axes in turn, light links, a heavy end: steps that are redone in halves, whose turns are each counted once. */
static void turns_are_counted_as_they_are_made(void)
{
    static const double h[3] = { 0.01, 1 / 60., 1 / 30. };
    int links, k, j, step, halvings = 0;
    for (links = 2; links <= 5; links++)
        for (k = 0; k < 3; k++) {
            scene *s = machine_make(links + 1, links, 0, false);
            for (j = 0; j < links; j++) {
                double mass = j == links - 1 ? 50 : 0.5;
                machine_body(s, v3(0, 0, 0.15 + 0.3 * j), mass, v3(mass * 0.004, mass * 0.004, mass * 0.001));
                machine_join(s, DVC_REVOLUTE, j, j + 1, v3(0, 0, 0.3 * j), j % 2 ? v3(0, 1, 0) : v3(0, 0, 1));
                s->world.joints[j].turn.force = (dvc_real)(j % 2 ? 1 : 0.3);
            }
            for (step = 0; step < 300; step++) {
                double before[5];
                for (j = 0; j < links; j++) before[j] = (double)s->world.joints[j].turn.position;
                CHECK(dvc_step(&s->world, (dvc_real)h[k]) == DVC_OK);
                halvings += s->world.report.halvings;
                for (j = 0; j < links; j++) /* a link that whirls may make some turns in a step, not hundreds */
                    CHECK(fabs((double)s->world.joints[j].turn.position - before[j])
                          <= (fabs((double)s->world.joints[j].turn.velocity) + 600) * h[k] + TRIAL_PI);
            }
            machine_free(s);
        }
    CHECK(halvings > 100);
}

static void a_limit_may_lie_full_turns_away(void)
{
    scene *s = machine_make(2, 1, 0, false);
    machine_body(s, scene_zero, 1, v3(0.3, 0.4, 0.5));
    machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_z);
    s->world.joints[0].turn.limited = true;
    s->world.joints[0].turn.lower = -1;
    s->world.joints[0].turn.upper = 20;
    s->bodies[1].angular_velocity.z = 7;
    joint_run(s, 0.01, 250);
    CHECK_NEAR(s->world.joints[0].turn.position, 17.5, 1e-9);
    joint_run(s, 0.01, 250);
    CHECK_NEAR(s->world.joints[0].turn.position, 20, 1e-12);
    CHECK_NEAR(s->bodies[1].angular_velocity.z, 0, 1e-11);
    machine_free(s);
}

static void impulses_are_the_weight_of_what_hangs_and_the_moment_of_what_is_held(void)
{
    scene *s = joint_beam(DVC_FIXED);
    int below = machine_body(s, v3(1, 0, -0.5), 5, v3(0.1, 0.1, 0.1));
    int hung = machine_join(s, DVC_SPHERICAL, below, 1, joint_x, joint_z);
    joint_run(s, 0.01, 100);
    CHECK(oracle_norm(oracle_minus(s->world.joints[0].impulse, v3(0, 0, 7 * JOINT_G * 0.01))) <= 1e-11);
    CHECK(oracle_norm(oracle_minus(s->world.joints[0].angular_impulse, v3(0, -(1 + 5) * JOINT_G * 0.01, 0))) <= 1e-11);
    CHECK(oracle_norm(oracle_minus(s->world.joints[hung].impulse, v3(0, 0, -5 * JOINT_G * 0.01))) <= 1e-11);
    CHECK(oracle_norm(s->world.joints[hung].angular_impulse) <= 1e-12);
    CHECK(machine_error(s, 1) <= 1e-12);
    machine_free(s);
}

static void the_error_told_is_the_error_there_is(void)
{
    int seed, k;
    for (seed = 1; seed <= 20; seed++) {
        dvc_joint_kind kinds[3];
        scene *s;
        test_seed((uint64_t)seed);
        for (k = 0; k < 3; k++) kinds[k] = (dvc_joint_kind)(1 + seed % 5);
        s = joint_random_tree(2, 1, false, kinds);
        CHECK_NEAR(dvc_joint_error(&s->world, 0), 0, 1e-14);
        s->bodies[2].position = oracle_along(s->bodies[2].position, motion_vec(1, false), 1e-3);
        s->bodies[2].orientation = oracle_compose(motion_exp(motion_vec(1e-3, false)), s->bodies[2].orientation);
        CHECK_NEAR(dvc_joint_error(&s->world, 0), fmax(machine_apart(s, 0), machine_tilted(s, 0)), 1e-6);
        machine_free(s);
    }
}

/* ---- joints and contacts ---- */

static double joint_pushed_up(const scene *s, int body)
{
    dvc_vec3 impulse, moment;
    trial_received(&s->world, body, s->bodies[body].position, &impulse, &moment);
    return (double)impulse.z;
}

/* Whatever its slant, a rod that leans from a hinge on smooth floor rests half its weight on it. */
static void a_hinged_rod_leans_on_the_floor_with_half_its_weight(void)
{
    static const double angles[3] = { 0.1, 0.6, 1.2 };
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = machine_make(3, 1, 0, false);
        double c = cos(angles[k]), n = sin(angles[k]);
        int rod;
        scene_ground(s, 0);
        rod = scene_add(s, DVC_DYNAMIC, DVC_SPHERE, v3(0.5 * c, 0, 0.1 + 0.5 * n), 0);
        s->shapes[rod].radius = (dvc_real)0.1;
        s->shapes[rod].position = v3(0.5, 0, 0);
        s->bodies[rod].mass = 3;
        s->bodies[rod].inertia = v3(0.01, 0.25, 0.25);
        s->bodies[rod].orientation = dvc_quat_turn(joint_y, (dvc_real)angles[k]);
        machine_join(s, DVC_REVOLUTE, 0, rod, v3(0, 0, 0.1 + n), joint_y);
        joint_run(s, 0.01, 200);
        CHECK_NEAR(joint_pushed_up(s, rod), 1.5 * JOINT_G * 0.01, 1e-10);
        CHECK_NEAR(s->world.joints[0].impulse.z, 1.5 * JOINT_G * 0.01, 1e-10);
        CHECK(oracle_norm(s->bodies[rod].angular_velocity) <= 1e-10);
        machine_free(s);
    }
}

/* A beam from a hinge lies with its free end on the topmost of three boxes. */
static void a_hinged_beam_rests_on_a_stack(void)
{
    scene *s = machine_make(6, 1, 0, false);
    int i, beam = 0;
    scene_ground(s, 0.5);
    for (i = 0; i < 3; i++) scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), v3(2, 0, 0.25 + 0.5 * i), 2, 0.5);
    beam = scene_box(s, DVC_DYNAMIC, v3(1, 0.1, 0.1), v3(1, 0, 1.6), 6, 0.5);
    machine_join(s, DVC_REVOLUTE, 0, beam, v3(0, 0, 1.6), joint_y);
    joint_run(s, 0.01, 300);
    CHECK(machine_error(s, 1) <= 1e-12);
    CHECK(oracle_norm(s->bodies[4].velocity) <= 1e-9 && oracle_norm(s->bodies[beam].angular_velocity) <= 1e-9);
    CHECK(-oracle_deepest(&s->world) <= 1e-9);
    CHECK_NEAR(joint_pushed_up(s, beam) + (double)s->world.joints[0].impulse.z, 6 * JOINT_G * 0.01, 1e-9);
    CHECK_NEAR(joint_pushed_up(s, 2), 2 * JOINT_G * 0.01, 1e-9);
    machine_free(s);
}

/* A hand of two fingers that slide along x and are pressed against a box or a ball by motors; 2 mu effort > m g holds it. */
static scene *joint_gripper(bool ball, double effort)
{
    scene *s = machine_make(5, 2, 0, false);
    int k;
    for (k = 0; k < 2; k++) {
        int finger = scene_box(s, DVC_DYNAMIC, v3(0.02, 0.05, 0.1), v3(k ? 0.12 : -0.12, 0, 1), 0.2, 0.8);
        int joint = machine_join(s, DVC_PRISMATIC, 0, finger, s->bodies[finger].position, joint_x);
        s->world.joints[joint].slide.speed = k ? (dvc_real)-0.5 : (dvc_real)0.5;
        s->world.joints[joint].slide.effort = (dvc_real)effort;
    }
    if (ball) scene_sphere(s, 0.1, joint_z, 1, 0.8);
    else scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), joint_z, 1, 0.8);
    return s;
}

static void a_gripper_holds_for_a_minute_without_creep(void)
{
    int ball;
    for (ball = 0; ball < 2; ball++) {
        scene *s = joint_gripper(ball, 8);
        joint_run(s, 0.01, 6000);
        CHECK(oracle_norm(oracle_minus(s->bodies[3].position, joint_z)) <= 1e-9);
        CHECK(oracle_norm(s->bodies[3].velocity) <= 1e-11);
        CHECK_NEAR(joint_pushed_up(s, 3), JOINT_G * 0.01, 1e-10);
        CHECK(machine_error(s, 1) <= 1e-12);
        machine_free(s);
    }
}

/* Pressed less than its weight needs, a ball slips down with g - 2 mu effort / m. */
/* Two pads on slides close on a plate that is a hundred times as light as their motors are strong, and off their middle: what they
 * press with is far more than anything moves, and it is solved, at once, with the load spread over each pad. */
static void a_pinched_plate_neither_turns_nor_sinks(void)
{
    static const double effort[3] = { 10, 100, 1000 }, h[3] = { 0.001, 0.005, 1 / 60. };
    int f, k, i, side;
    for (f = 0; f < 3; f++)
        for (k = 0; k < 3; k++) {
            scene *s = machine_make(4, 2, 0, false);
            dvc_vec3 start;
            for (side = -1; side <= 1; side += 2) {
                int pad = scene_box(s, DVC_DYNAMIC, v3(0.01, 0.03, 0.03), v3(0.0601 * side, 0, 1), 0.2, 0.6), joint;
                joint = machine_join(s, DVC_PRISMATIC, 0, pad, v3(0.06 * side, 0, 1), v3(-side, 0, 0));
                s->world.joints[joint].slide.speed = (dvc_real)0.5;
                s->world.joints[joint].slide.effort = (dvc_real)effort[f];
            }
            scene_box(s, DVC_DYNAMIC, v3(0.05, 0.02, 0.05), v3(0, 0.004, 1.003), 0.1, 0.6);
            s->world.gravity = scene_zero;
            for (i = 0; i < 20; i++) trial_step(s, h[k]);
            s->world.gravity = v3(0, 0, -9.81);
            start = s->bodies[3].position;
            for (i = 0; i < 200; i++) {
                trial_step(s, h[k]);
                CHECK(s->world.report.halvings == 0 && s->world.report.iterations <= 100);
            }
            CHECK_NEAR(s->bodies[3].position.z, start.z, 1e-9);
            CHECK_NEAR(fabs((double)s->bodies[3].orientation.w), 1, 1e-12);
            machine_free(s);
        }
}

static void a_gripper_that_is_too_weak_lets_slip(void)
{
    scene *s = joint_gripper(true, 5);
    int i;
    for (i = 1; i <= 10; i++) {
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[3].velocity.z, (2 * 0.8 * 5 - JOINT_G) * 0.01 * i, 1e-10);
    }
    machine_free(s);
}

/* A box hinged to a wall that it overlaps swings through it; told to collide, it does not. */
static void jointed_bodies_collide_only_if_told(void)
{
    int told;
    for (told = 0; told < 2; told++) {
        scene *s = machine_make(3, 1, 0, false);
        int wall = scene_box(s, DVC_STATIC, v3(0.1, 1, 1), v3(0, 0, -1.2), 0, 0);
        int door = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.1, 0.1), v3(0.6, 0, 0), 1, 0), step;
        double deepest = 0;
        machine_join(s, DVC_REVOLUTE, wall, door, scene_zero, joint_y);
        s->world.joints[0].collide = told;
        for (step = 0; step < 200; step++) {
            joint_run(s, 0.005, 1);
            deepest = fmin(deepest, oracle_deepest(&s->world));
        }
        CHECK((deepest >= -1e-9) == (told == 1));
        CHECK(((double)s->world.joints[0].turn.position > 1.5) == (told == 0));
        machine_free(s);
    }
}

/* Limits, motors and friction at random, in units of a body of this size and 1 kg. */
static void joint_random_drive(dvc_axis *axis, double length, double size)
{
    double what = test_random(0, 1), weight = JOINT_G * size;
    axis->limited = test_random(0, 1) < 0.2;
    axis->lower = (dvc_real)(-test_random(0, 1) * length);
    axis->upper = (dvc_real)(test_random(0, 1) * length);
    if (what < 0.2) axis->speed = (dvc_real)(test_random(-3, 3) * length);
    if (what < 0.2) axis->effort = (dvc_real)(test_random(0, 10) * weight * length);
    if (what > 0.8) axis->friction = (dvc_real)(test_random(0, 1) * weight * length);
}

/* Parts in a row above the ground, each joined to one before it or to the world. */
static scene *joint_random_machine(int parts, double size, bool planar)
{
    scene *s = machine_make(parts + 2, parts, 0, planar);
    dvc_vec3 up = trial_up(s);
    int i;
    s->world.gravity = oracle_scaled(up, -JOINT_G * size);
    scene_ground(s, 0.5);
    for (i = 0; i < parts; i++) {
        dvc_joint_kind kind = (dvc_joint_kind)(1 + (int)test_random(0, 4.999));
        dvc_vec3 at = oracle_along(oracle_scaled(up, 3 * size), joint_x, 1.4 * size * i);
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(int)test_random(0, 2.999), 0.4 * size, at, 0.5), joint;
        scene_mass(s, body, pow(10, test_random(-1, 1)));
        if (i == 0) continue;
        at = oracle_along(oracle_along(at, joint_x, -0.7 * size), motion_vec(0.3, planar), size);
        joint = machine_join(s, kind, test_random(0, 1) < 0.2 ? 0 : body - 1, body, at, joint_random_axis(s, kind));
        joint_random_drive(&s->world.joints[joint].turn, 1, size * size);
        joint_random_drive(&s->world.joints[joint].slide, size, size);
    }
    return s;
}

static void machines_that_fall_on_the_ground_are_solved_exactly(void)
{
    int seed, step;
    for (seed = 1; seed <= 24; seed++) {
        double size = pow(10, seed % 4 - 2);
        scene *s;
        test_seed((uint64_t)seed);
        s = joint_random_machine(2 + seed % 5, size, seed % 3 == 0);
        for (step = 0; step < 15; step++) {
            CHECK(joint_run_watched(s, 0.01, 10, size).error <= 1e-12);
            CHECK((double)s->world.report.worst_gap >= -1e-9 * size);
        }
        machine_free(s);
    }
}

static void disabled_joints_and_joints_of_disabled_bodies_do_nothing(void)
{
    scene *s = machine_make(3, 3, 0, false);
    int far;
    machine_body(s, scene_zero, 1, v3(1, 1, 1));
    far = machine_body(s, joint_x, 1, v3(1, 1, 1));
    machine_join(s, DVC_FIXED, 0, 1, scene_zero, joint_z);
    machine_join(s, DVC_FIXED, far, 1, scene_zero, joint_z);
    s->world.joint_count = 3; /* the last slot is empty */
    s->world.joints[0].disabled = true;
    s->bodies[far].disabled = true;
    joint_run(s, 0.01, 100);
    CHECK_NEAR(s->bodies[1].velocity.z, -JOINT_G, 1e-11);
    CHECK(oracle_norm(s->bodies[far].position) == 1 && oracle_norm(s->bodies[far].velocity) == 0);
    CHECK(dvc_joint_error(&s->world, 0) == 0 && dvc_joint_error(&s->world, 1) == 0 && dvc_joint_error(&s->world, 2) == 0);
    machine_free(s);
}

/* Joints and springs that are disabled, or whose bodies are, or that tie nothing that moves, tell of no impulse. */
static void what_does_not_act_carries_nothing(void)
{
    int how;
    for (how = 0; how < 4; how++) {
        scene *s = machine_make(2, 1, 1, false);
        int bar = machine_bar(s, v3(1, 0, 0), 1, 2, 0.1), joint = machine_join(s, DVC_REVOLUTE, 0, bar, scene_zero, v3(0, 1, 0));
        dvc_joint *j = &s->world.joints[joint];
        dvc_spring *spring = &s->world.springs[machine_spring(s, 0, bar, 0.5, 10, 0)];
        j->turn.speed = 1;
        j->turn.effort = 1;
        joint_run(s, 0.01, 3);
        CHECK(oracle_norm(j->impulse) > 0.01 && j->turn.impulse != 0 && spring->force != 0 && oracle_norm(j->angular_impulse) > 0);
        if (how == 0) j->disabled = spring->disabled = true;
        if (how == 1) s->bodies[bar].disabled = true;
        if (how == 2) s->bodies[bar].kind = DVC_STATIC;
        if (how == 3) { j->kind = DVC_NO_JOINT; spring->stiffness = 0; }
        joint_run(s, 0.01, 1);
        CHECK(oracle_norm(j->impulse) == 0 && oracle_norm(j->angular_impulse) == 0 && j->turn.impulse == 0 && j->slide.impulse == 0);
        CHECK(spring->force == 0);
        machine_free(s);
    }
}

static void a_kinematic_body_carries_what_is_joined_to_it(void)
{
    scene *s = machine_make(2, 1, 0, false);
    s->bodies[0].kind = DVC_KINEMATIC;
    s->bodies[0].velocity = v3(0.3, 0, 0.1);
    s->bodies[0].angular_velocity = v3(0, 0, 2);
    machine_bar(s, v3(1, 0, 0), 3, 2, 0.1);
    machine_join(s, DVC_FIXED, 0, 1, scene_zero, joint_z);
    CHECK(joint_run_watched(s, 0.01, 200, 1).error <= 1e-12);
    CHECK_NEAR(s->bodies[1].position.x, 0.6 + cos(4.0), 1e-10);
    CHECK_NEAR(s->bodies[1].position.y, sin(4.0), 1e-10);
    CHECK_NEAR(s->bodies[1].position.z, 0.2, 1e-10);
    machine_free(s);
}

/* ---- states ---- */

/* Something of everything, in which much happens. */
static scene *joint_busy_machine(void)
{
    scene *s = machine_make(6, 4, 1, false);
    int i;
    scene_ground(s, 0.5);
    for (i = 0; i < 4; i++) scene_box(s, DVC_DYNAMIC, v3(0.2, 0.1, 0.1), v3(0.4 * i, 0, 0.6), 1, 0.5);
    for (i = 2; i < 5; i++) machine_join(s, (dvc_joint_kind)i, i, i + 1, v3(0.4 * i - 0.6, 0, 0.6), joint_y);
    s->world.joints[0].turn.speed = 2;
    s->world.joints[0].turn.effort = 3;
    s->world.joints[1].slide.limited = true;
    s->world.joints[1].slide.upper = (dvc_real)0.05;
    s->world.joints[2].turn.friction = (dvc_real)0.2;
    machine_spring(s, 0, 5, 1, 40, 1);
    return s;
}

static void copied_arrays_are_a_snapshot_of_a_machine(void)
{
    scene *s = joint_busy_machine();
    dvc_body bodies[6];
    dvc_joint joints[4];
    dvc_contact contacts[MACHINE_CONTACTS];
    dvc_world world;
    uint64_t hash;
    joint_run(s, 0.01, 60);
    memcpy(bodies, s->bodies, sizeof bodies);
    memcpy(joints, s->world.joints, sizeof joints);
    memcpy(contacts, s->world.contacts, sizeof contacts);
    world = s->world;
    joint_run(s, 0.01, 60);
    hash = dvc_world_hash(&s->world);
    memcpy(s->bodies, bodies, sizeof bodies);
    memcpy(s->world.joints, joints, sizeof joints);
    memcpy(s->world.contacts, contacts, sizeof contacts);
    s->world = world;
    joint_run(s, 0.01, 60);
    CHECK(dvc_world_hash(&s->world) == hash);
    machine_free(s);
}

static void a_step_that_fails_leaves_joints_and_springs_as_they_were(void)
{
    scene *s = joint_busy_machine();
    dvc_joint joints[4];
    dvc_spring spring;
    joint_run(s, 0.01, 30);
    memcpy(joints, s->world.joints, sizeof joints);
    spring = s->world.springs[0];
    s->world.scratch_size = s->world.report.scratch_used / 2;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_ERROR_SCRATCH);
    CHECK(memcmp(joints, s->world.joints, sizeof joints) == 0);
    CHECK(memcmp(&spring, s->world.springs, sizeof spring) == 0);
    machine_free(s);
}

/* The literature's step keeps the joint by gap / h alone: its figures, 1.4e-4 and 3.4e-5 m, energy .45579 and .46232 J. */
static void the_semi_implicit_step_errs_as_the_literature_says(void)
{
    static const double gap[2] = { 1.4e-4, 3.4e-5 }, energy[2] = { 0.45579, 0.46232 };
    int k;
    for (k = 0; k < 2; k++) {
        double h = k ? 0.005 : 0.01;
        scene *s = machine_rod();
        joint_watch watch;
        s->world.semi_implicit = true;
        watch = joint_run_watched(s, h, (int)(5 / h + 0.5), 1);
        CHECK_NEAR(watch.error, gap[k], 0.1 * gap[k]);
        CHECK_NEAR(dvc_energy(&s->world), energy[k], 0.01 * energy[k]);
        machine_free(s);
    }
}

/* ---- springs ---- */

/* A particle on a spring from the origin along x, rest length 1, stretched by `stretch`. */
static scene *joint_oscillator(double stiffness, double damping, double stretch)
{
    scene *s = machine_make(2, 0, 1, false);
    s->world.gravity = scene_zero;
    machine_body(s, v3(1 + stretch, 0, 0), 2, scene_zero);
    machine_spring(s, 0, 1, 1, stiffness, damping);
    return s;
}

/* k h^2 / m = .01: a hundred periods against the exact frequency and amplitude. */
static void a_soft_spring_keeps_its_frequency_and_its_energy(void)
{
    scene *s = joint_oscillator(200, 0, 0.1);
    double omega = 10, h = 0.01, last = 0.1, crossings = 0, first = 0, latest = 0, most = 0;
    int i, steps = (int)(100 * 2 * TRIAL_PI / omega / h);
    for (i = 1; i <= steps; i++) {
        double x;
        joint_run(s, h, 1);
        x = (double)s->bodies[1].position.x - 1;
        if (last < 0 && x >= 0) {
            latest = (i - x / (x - last)) * h;
            if (crossings++ == 0) first = latest;
        }
        if (i > steps - 70) most = fmax(most, fabs(x));
        last = x;
    }
    CHECK_NEAR((latest - first) / (crossings - 1), 2 * TRIAL_PI / omega, 1e-3 * 2 * TRIAL_PI / omega);
    CHECK_NEAR(most, 0.1, 1e-3);
    machine_free(s);
}

/* However stiff, a spring never grows what it was given: energy of motion and spring stays below the start's, to the order of
 * the step where the step resolves the motion. */
static void stiff_springs_are_stable(void)
{
    static const double kappa[4] = { 1, 10, 1000, 1e8 };
    int k, i;
    for (k = 0; k < 4; k++) {
        double stiffness = kappa[k] * 2 / 1e-4, most = 0, late = 0;
        scene *s = joint_oscillator(stiffness, 0, 0.1);
        for (i = 0; i < 5000; i++) {
            double x;
            joint_run(s, 0.01, 1);
            x = fabs((double)s->bodies[1].position.x - 1);
            most = fmax(most, x);
            if (i >= 4000) late = fmax(late, x);
        }
        CHECK(most <= 0.12);
        CHECK(late <= 0.12);
        CHECK_NEAR(s->bodies[1].position.y, 0, 1e-12);
        machine_free(s);
    }
}

/* A weight on a critically damped spring comes to rest where k x = m g, and the spring tells that force. */
static void a_weight_rests_on_its_spring_at_the_exact_place(void)
{
    static const double stiffness[3] = { 100, 1e5, 1e9 };
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = machine_make(2, 0, 1, false);
        machine_body(s, v3(0, 0, -1), 2, scene_zero);
        machine_spring(s, 0, 1, 1, stiffness[k], 2 * sqrt(2 * stiffness[k]));
        joint_run(s, 0.01, 2000);
        CHECK_NEAR(s->bodies[1].position.z, -1 - 2 * JOINT_G / stiffness[k], 1e-9);
        CHECK_NEAR(s->world.springs[0].force, 2 * JOINT_G, 1e-6);
        machine_free(s);
    }
}

/* A damper alone slows by 1 / (1 + c h / 2 m) in each half of a step, and pulls with the mean of both; in the literature's step by
 * 1 / (1 + c h / m). */
static void a_damper_slows_by_its_closed_form(void)
{
    static const double damping[3] = { 0.5, 50, 1e6 };
    int k, i;
    for (k = 0; k < 6; k++) {
        scene *s = joint_oscillator(0, damping[k % 3], 0);
        double v = 3, x = 1;
        bool literature = k >= 3;
        s->world.semi_implicit = literature;
        s->bodies[1].velocity.x = (dvc_real)v;
        for (i = 0; i < 200; i++) {
            double share = damping[k % 3] * (literature ? 0.01 : 0.005) / 2, middle = v / (1 + share);
            joint_run(s, 0.01, 1);
            v = literature ? middle : middle / (1 + share);
            x += 0.01 * middle;
            CHECK_NEAR(s->bodies[1].position.x, x, 1e-11);
            CHECK_NEAR(s->bodies[1].velocity.x, v, 1e-11);
            CHECK_NEAR(s->world.springs[0].force, damping[k % 3] * (middle + v) / 2, 1e-11 * damping[k % 3]);
        }
        machine_free(s);
    }
}

static void bodies_on_a_spring_keep_their_momentum(void)
{
    static const double stiffness[3] = { 50, 1e4, 1e7 };
    int k, i;
    for (k = 0; k < 3; k++) {
        scene *s = machine_make(3, 0, 1, false);
        dvc_vec3 linear, angular, linear_start, angular_start, ends[2];
        int spring;
        test_seed((uint64_t)k);
        s->world.gravity = scene_zero;
        for (i = 0; i < 2; i++) joint_random_body(s, v3(1.5 * i, 0.2 * i, 0), 0.5);
        spring = machine_spring(s, 1, 2, 1.5, stiffness[k], 0.1);
        s->world.springs[spring].anchor_a = v3(0.1, 0.2, 0);
        s->world.springs[spring].anchor_b = v3(0, 0.2, -0.1);
        ends[0] = machine_anchor(s, 1, s->world.springs[spring].anchor_a);
        ends[1] = machine_anchor(s, 2, s->world.springs[spring].anchor_b);
        s->world.springs[spring].length = (dvc_real)motion_apart(ends[0], ends[1]);
        s->bodies[1].velocity = v3(0.3, 0.2, 0.1);
        dvc_momentum(&s->world, &linear_start, &angular_start);
        joint_run(s, 0.002, 500);
        dvc_momentum(&s->world, &linear, &angular);
        CHECK(oracle_norm(oracle_minus(linear, linear_start)) <= 1e-12);
        CHECK(oracle_norm(oracle_minus(angular, angular_start)) <= 0.02);
        machine_free(s);
    }
}

/* ---- damping and forces ---- */

/* A light body on two taut springs between heavy ones is stiff across their lines, too: what holds it there is no couple. */
static void taut_springs_turn_nothing_by_themselves(void)
{
    int seed, step, k;
    for (seed = 1; seed <= 20; seed++) {
        scene *s = machine_make(4, 0, 2, false);
        dvc_vec3 linear, angular, linear_start, angular_start;
        test_seed((uint64_t)seed + 40);
        s->world.gravity = scene_zero;
        machine_body(s, v3(-1, 0, 0), 1e3, v3(100, 200, 150));
        machine_body(s, motion_vec(0.1, false), 1e-3, scene_zero);
        machine_body(s, v3(1, 0, 0), 1e3, v3(100, 200, 150));
        for (k = 0; k < 2; k++) {
            dvc_spring *spring = &s->world.springs[machine_spring(s, 1 + k, 2 + k, 0.5, 200, 1)];
            *(k ? &spring->anchor_b : &spring->anchor_a) = motion_vec(0.2, false);
        }
        for (step = 0; step < 20; step++) {
            dvc_momentum(&s->world, &linear_start, &angular_start);
            joint_run(s, 0.01, 1);
            dvc_momentum(&s->world, &linear, &angular);
            CHECK(motion_apart(linear, linear_start) <= 1e-10 && motion_apart(angular, angular_start) <= 1e-10);
            CHECK(oracle_norm(s->bodies[2].velocity) < 100);
        }
        machine_free(s);
    }
}

/* By 1 / (1 + c h / 2) in each half of a step, after forces of that half have acted; in the literature's step by 1 / (1 + c h). */
static void joint_check_damping(bool literature)
{
    scene *s = machine_make(2, 0, 0, false);
    double v = 2, w = 3, fall = 0, x = 0, z = 0, kick = literature ? 0.01 : 0.005;
    int i, part, parts = literature ? 1 : 2;
    s->world.semi_implicit = literature;
    machine_body(s, scene_zero, 2, v3(0.3, 0.4, 0.5));
    s->bodies[1].linear_damping = (dvc_real)0.8;
    s->bodies[1].angular_damping = 5;
    s->bodies[1].velocity.x = 2;
    s->bodies[1].angular_velocity.z = 3;
    for (i = 0; i < 3000; i++) {
        joint_run(s, 0.01, 1);
        for (part = 0; part < parts; part++) {
            v /= 1 + 0.8 * kick;
            w /= 1 + 5 * kick;
            fall = (fall + JOINT_G * kick) / (1 + 0.8 * kick);
            if (part == 0) x += 0.01 * v;
            if (part == 0) z -= 0.01 * fall;
        }
        CHECK_NEAR(s->bodies[1].position.x, x, 1e-11);
        CHECK_NEAR(s->bodies[1].position.z, z, 1e-9);
        CHECK_NEAR(s->bodies[1].velocity.x, v, 1e-11);
        CHECK_NEAR(s->bodies[1].velocity.z, -fall, 1e-10);
        CHECK_NEAR(s->bodies[1].angular_velocity.z, w, 1e-11);
    }
    CHECK_NEAR(s->bodies[1].velocity.z, -JOINT_G / 0.8, 1e-9);
    machine_free(s);
}

static void damped_bodies_slow_by_the_closed_form(void)
{
    joint_check_damping(false);
    joint_check_damping(true);
}

static void a_damped_body_at_rest_presses_with_its_weight(void)
{
    scene *s = machine_make(3, 0, 0, false);
    int ball;
    scene_ground(s, 0.5);
    ball = scene_sphere(s, 0.2, v3(0, 0, 0.2), 3, 0.5);
    s->bodies[ball].linear_damping = s->bodies[ball].angular_damping = (dvc_real)0.7;
    joint_run(s, 0.01, 20);
    CHECK_NEAR(joint_pushed_up(s, ball), 3 * JOINT_G * 0.01, 1e-11);
    machine_free(s);
}

/* Forces along a joint's freedoms act on both bodies, and leave both momenta as they were. */
static void forces_of_a_joint_act_as_pairs(void)
{
    scene *s = machine_make(3, 1, 0, false);
    dvc_vec3 linear, angular;
    int i;
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 2, v3(0.3, 0.4, 0.5));
    machine_body(s, v3(0, 0, 0.4), 1, v3(0.2, 0.2, 0.25));
    machine_join(s, DVC_CYLINDRICAL, 1, 2, v3(0, 0, 0.3), joint_z);
    s->world.joints[0].turn.force = (dvc_real)0.6;
    s->world.joints[0].slide.force = (dvc_real)0.3;
    for (i = 1; i <= 100; i++) {
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->world.joints[0].turn.velocity, 0.6 * (1 / 0.5 + 1 / 0.25) * 0.01 * i, 1e-11);
        CHECK_NEAR(s->world.joints[0].slide.velocity, 0.3 * (1 / 2.0 + 1) * 0.01 * i, 1e-11);
        CHECK_NEAR(s->bodies[2].angular_velocity.z, 0.6 / 0.25 * 0.01 * i, 1e-11);
    }
    dvc_momentum(&s->world, &linear, &angular);
    CHECK(oracle_norm(linear) <= 1e-12 && oracle_norm(angular) <= 1e-12);
    machine_free(s);
}

/* What it is told, and what it does: a force that grows with every step. */
typedef struct joint_called { int times; double time, h; } joint_called;

static void joint_controller(void *user, dvc_world *world, dvc_real h)
{
    joint_called *called = (joint_called *)user;
    called->times++;
    called->time = world->time;
    called->h = (double)h;
    world->bodies[1].force.x = (dvc_real)called->times;
}

static void before_step_is_called_first_in_every_step(void)
{
    scene *s = machine_make(2, 0, 0, false);
    joint_called called = { 0, -1, 0 };
    int i;
    machine_body(s, scene_zero, 2, v3(1, 1, 1));
    s->world.before_step = joint_controller;
    s->world.user = &called;
    for (i = 1; i <= 10; i++) {
        joint_run(s, 0.01, 1);
        CHECK(called.times == i);
        CHECK_NEAR(called.h, 0.01, 1e-15);
        CHECK_NEAR(called.time, 0.01 * (i - 1), 1e-12);
        CHECK_NEAR(s->bodies[1].velocity.x, 0.01 * i * (i + 1) / 2 / 2, 1e-12);
    }
    machine_free(s);
}

/* ---- supports ---- */

/* Three points at this radius, one of them on the x axis. */
static dvc_support joint_tripod(double radius, double friction)
{
    dvc_support support;
    int i;
    for (i = 0; i < 3; i++) {
        support.points[i].x = (dvc_real)(radius * cos(2 * TRIAL_PI * i / 3));
        support.points[i].y = (dvc_real)(radius * sin(2 * TRIAL_PI * i / 3));
    }
    support.friction = (dvc_real)friction;
    return support;
}

/* A part on a table, seen from above. */
static scene *joint_part(const dvc_support *support)
{
    scene *s = machine_make(3, 0, 0, true);
    s->world.gravity = v3(0, 0, -JOINT_G);
    machine_body(s, scene_zero, 2, v3(0, 0, 0.05));
    s->bodies[1].support = support;
    return s;
}

/* Slides straight on with mu g when its three shares sum to m g. */
static void a_sliding_part_slows_by_mu_g(void)
{
    int k, i;
    for (k = 0; k < 2; k++) {
        dvc_support support = joint_tripod(0.2, 0.3);
        double angle = 0.7 * k;
        scene *s;
        if (k) support.points[1].x = (dvc_real)0.05; /* shares that differ: the moments still balance */
        s = joint_part(&support);
        s->bodies[1].velocity = v3(2 * cos(angle), 2 * sin(angle), 0);
        for (i = 1; i <= 60; i++) {
            joint_run(s, 0.01, 1);
            CHECK_NEAR(oracle_norm(s->bodies[1].velocity), 2 - 0.3 * JOINT_G * 0.01 * i, 1e-10);
            CHECK_NEAR(s->bodies[1].angular_velocity.z, 0, 1e-10);
        }
        joint_run(s, 0.01, 40);
        CHECK(oracle_norm(s->bodies[1].velocity) <= 1e-12);
        machine_free(s);
    }
}

/* All three points at radius r slide along their circle: the moment is mu m g r. */
static void a_spinning_part_slows_by_the_moment_of_its_tripod(void)
{
    dvc_support support = joint_tripod(0.2, 0.3);
    scene *s = joint_part(&support);
    int i;
    s->bodies[1].angular_velocity.z = 20;
    for (i = 1; i <= 80; i++) {
        joint_run(s, 0.01, 1);
        CHECK_NEAR(s->bodies[1].angular_velocity.z, 20 - 0.3 * 2 * JOINT_G * 0.2 / 0.05 * 0.01 * i, 0.02);
        CHECK(oracle_norm(s->bodies[1].velocity) <= 1e-9);
    }
    joint_run(s, 0.01, 40);
    CHECK_NEAR(s->bodies[1].angular_velocity.z, 0, 1e-12);
    machine_free(s);
}

/* A force of f < mu m g does not move it, and one through the centre only translates; beside the centre it turns towards it. */
static void a_pushed_part_turns_the_right_way(void)
{
    static const double aside[3] = { 0, 0.05, -0.05 };
    int k;
    for (k = 0; k < 3; k++) {
        dvc_support support = joint_tripod(0.2, 0.3);
        scene *s = joint_part(&support);
        s->bodies[1].force.x = (dvc_real)(0.99 * 0.3 * 2 * JOINT_G);
        s->bodies[1].torque.z = (dvc_real)(-aside[k] * (double)s->bodies[1].force.x);
        joint_run(s, 0.01, 50);
        if (k == 0) CHECK_NEAR(s->bodies[1].velocity.x, 0, 1e-11);
        s->bodies[1].force.x = 10;
        s->bodies[1].torque.z = (dvc_real)(-aside[k] * 10);
        joint_run(s, 0.01, 50);
        if (k == 0) CHECK_NEAR(s->bodies[1].velocity.x, (10 / 2.0 - 0.3 * JOINT_G) * 0.5, 1e-10);
        CHECK(aside[k] == 0 ? fabs((double)s->bodies[1].angular_velocity.z) <= 1e-10
                            : -(double)s->bodies[1].angular_velocity.z * aside[k] > 1e-3);
        machine_free(s);
    }
}

/* The same weight is felt wherever the centre is within the points; outside of them is refused. */
static void a_centre_outside_its_support_is_refused(void)
{
    dvc_support support = joint_tripod(0.2, 0.3);
    scene *s = joint_part(&support);
    int i;
    CHECK(dvc_world_check(&s->world) == DVC_OK);
    for (i = 0; i < 3; i++) support.points[i].x -= (dvc_real)0.21;
    CHECK(dvc_world_check(&s->world) == DVC_ERROR_SUPPORT && s->world.culprit == 1);
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_ERROR_SUPPORT);
    support = joint_tripod(0, 0.3);
    CHECK(dvc_world_check(&s->world) == DVC_ERROR_SUPPORT);
    machine_free(s);
}

/* A spring's force is the mean over both halves of a halved step: times h it is the momentum it gave. */
static void a_springs_force_is_the_mean_over_half_steps(void)
{
    static const double stiffness[3] = { 10, 3000, 3e6 };
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = machine_make(2, 0, 1, false);
        dvci_step step;
        int body = machine_body(s, v3(0, 0, 1.3), 2, v3(1, 1, 1));
        machine_spring(s, 0, body, 1, stiffness[k], 0.5);
        s->bodies[body].velocity = v3(0, 0, 0.7);
        dvci_begin(&step, &s->world, (dvc_real)0.02);
        dvci_lay_out_all(&step);
        dvci_halve_island(&step, &step.islands[0], step.point_count, 0);
        CHECK(dvci_finish(&step) == DVC_OK);
        CHECK_NEAR(-(double)s->world.springs[0].force * 0.02, 2 * ((double)s->bodies[body].velocity.z - 0.7 + JOINT_G * 0.02), 1e-11 * stiffness[k]);
        machine_free(s);
    }
}

/* A world with exactly the scratch that dvc_scratch_size asks for; with a tenth of the contacts it could have, and with none. */
static void the_scratch_asked_for_suffices_for_machines(void)
{
    int links, shapes, i;
    for (links = 1; links <= 32; links *= 2)
        for (shapes = 0; shapes < 3; shapes++) {
            scene *s = machine_make(links + 2, links + 1, 1, false);
            void *whole = s->world.scratch;
            if (shapes) scene_ground(s, 0.4);
            for (i = 1; i <= links; i++) {
                int bar = shapes == 2 ? scene_box(s, DVC_DYNAMIC, v3(0.4, 0.1, 0.1), v3(i - 0.5, 0, 0.6), 1, 0.4)
                                      : machine_bar(s, v3(i - 0.5, 0, 0.6), 1, 0.8, 0.2);
                int joint = machine_join(s, i % 2 ? DVC_CYLINDRICAL : DVC_FIXED, i > 1 ? bar - 1 : 0, bar, v3(i - 1, 0, 0.6), joint_y);
                s->world.joints[joint].turn.limited = s->world.joints[joint].slide.limited = true;
                s->world.joints[joint].turn.upper = s->world.joints[joint].slide.upper = (dvc_real)0.2;
                s->world.joints[joint].turn.friction = (dvc_real)0.1;
            }
            s->world.contact_capacity = shapes == 2 ? 24 * links : 0;
            s->world.scratch_size = dvc_scratch_size(&s->world);
            s->world.scratch = malloc(s->world.scratch_size);
            for (i = 0; i < 40; i++) CHECK(dvc_step(&s->world, (dvc_real)0.02) == DVC_OK);
            free(s->world.scratch);
            s->world.scratch = whole;
            machine_free(s);
        }
}

/* What the step tells of a joint is the step's: nothing of what stood there shows, not of freedoms that it has not either. */
static void nonsense_in_what_the_step_writes_does_not_stay(void)
{
    static const dvc_joint_kind kinds[] = { DVC_FIXED, DVC_REVOLUTE, DVC_PRISMATIC, DVC_CYLINDRICAL, DVC_SPHERICAL };
    int i;
    for (i = 0; i < 5; i++) {
        scene *s = scene_make(3, false, 4 << 20);
        dvc_joint joint;
        scene_sphere(s, 0.5, v3(0, 0, 0), 1, 0.5);
        scene_sphere(s, 0.5, v3(2, 0, 0), 1, 0.5);
        CHECK(dvc_joint_attach(&s->world, kinds[i], 0, 1, v3(1, 0, 0), joint_z, &joint) == DVC_OK);
        joint.turn.velocity = joint.turn.impulse = joint.slide.velocity = joint.slide.impulse = (dvc_real)NAN;
        joint.impulse = joint.angular_impulse = v3((double)NAN, 0, (double)INFINITY);
        s->world.joints = &joint;
        s->world.joint_count = 1;
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(dvci_finite(joint.turn.velocity + joint.turn.impulse + joint.slide.velocity + joint.slide.impulse));
        CHECK(dvci_finite_vec(joint.impulse) && dvci_finite_vec(joint.angular_impulse));
        s->world.joints = NULL;
        scene_free(s);
    }
}

/* A limit on one side only. */
static void a_side_without_a_limit_does_not_act(void)
{
    double angle[2];
    int i;
    for (i = 0; i < 2; i++) {
        scene *s = scene_make(3, false, 4 << 20);
        dvc_joint joint;
        s->world.gravity = v3(0, 0, 0);
        scene_sphere(s, 0.1, v3(0, 0, 0), 1, 0.5);
        s->bodies[0].kind = DVC_STATIC;
        scene_sphere(s, 0.1, v3(2, 0, 0), 1, 0.5);
        CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(0, 0, 0), joint_z, &joint) == DVC_OK);
        joint.turn.limited = true;
        joint.turn.lower = i ? -(dvc_real)10 : -DVC_INFINITY;
        joint.turn.upper = (dvc_real)0.1;
        s->bodies[1].velocity = v3(0, 2, 0);
        s->bodies[1].angular_velocity = v3(0, 0, 1);
        s->world.joints = &joint;
        s->world.joint_count = 1;
        joint_run(s, 0.01, 50);
        angle[i] = (double)joint.turn.position;
        s->world.joints = NULL;
        scene_free(s);
    }
    CHECK_NEAR(angle[0], 0.1, 1e-12);
    CHECK_NEAR(angle[1], 0.1, 1e-12);
}

/* A joint is laid where its bodies are: these must be somewhere. */
static void joints_of_bodies_that_are_nowhere_are_refused(void)
{
    static const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 1e155, -1e300, 2e15 };
    scene *s = scene_make(3, false, 1 << 20);
    dvc_joint joint;
    int i;
    scene_sphere(s, 0.5, v3(0, 0, 0), 1, 0.5);
    scene_sphere(s, 0.5, v3(2, 0, 0), 1, 0.5);
    for (i = 0; i < 6; i++) {
        dvc_body *body = &s->bodies[i % 2], keep = *body;
        body->position.y = (dvc_real)bad[i];
        CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(1, 0, 0), joint_z, &joint) == DVC_ERROR_BODY_STATE);
        *body = keep;
        body->orientation.w = (dvc_real)bad[i];
        CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(1, 0, 0), joint_z, &joint) == DVC_ERROR_BODY_STATE);
        *body = keep;
        CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(1, bad[i], 0), joint_z, &joint) == DVC_ERROR_JOINT_FRAME);
        CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(1, 0, 0), v3(0, 0, bad[i]), &joint) == DVC_ERROR_JOINT_FRAME);
        CHECK(joint.kind == DVC_NO_JOINT);
    }
    CHECK(dvc_joint_attach(&s->world, DVC_REVOLUTE, 0, 1, v3(1, 0, 0), joint_z, &joint) == DVC_OK);
    scene_free(s);
}

static void suite_joint(void)
{
    test_state.suite = "joint";
    RUN(joints_of_bodies_that_are_nowhere_are_refused);
    RUN(nonsense_in_what_the_step_writes_does_not_stay);
    RUN(a_side_without_a_limit_does_not_act);
    RUN(every_kind_holds_in_free_machines_of_any_size);
    RUN(what_is_free_stays_free_and_what_is_held_stops);
    RUN(planar_joints_hold_and_leave_free_what_they_should);
    RUN(a_drive_out_of_the_plane_does_nothing);
    RUN(a_hanging_rod_keeps_its_joint_and_nearly_its_energy);
    RUN(a_double_pendulum_tends_to_its_exact_motion_with_the_step);
    RUN(chains_hold_whatever_hangs_at_their_end);
    RUN(a_heavy_chain_at_rest_stays_at_rest);
    RUN(free_machines_keep_momentum_and_angular_momentum);
    RUN(a_four_bar_of_revolute_joints_moves_as_it_should);
    RUN(a_four_bar_passes_through_its_dead_point);
    RUN(a_door_on_two_or_three_hinges_turns_and_is_carried);
    RUN(two_fixed_joints_between_the_same_bodies_share_the_load);
    RUN(a_hinge_may_be_made_of_two_joints_between_moving_bodies);
    RUN(redundant_machines_do_the_same_in_every_run);
    RUN(a_beam_falls_on_its_limit_and_rests_there);
    RUN(a_lift_rests_on_its_limit_with_a_crate_on_it);
    RUN(equal_limits_close_a_freedom);
    RUN(a_motor_reaches_its_speed_with_its_effort_and_keeps_it);
    RUN(a_motor_that_is_too_weak_gives_all_it_has);
    RUN(a_brake_holds_up_to_its_effort);
    RUN(a_motor_without_bound_moves_its_body_as_told);
    RUN(a_motor_stalls_against_a_wall_with_its_effort);
    RUN(a_slide_sticks_below_its_friction_and_slips_at_the_exact_rate);
    RUN(a_hinge_sticks_below_its_friction_and_slips_above);
    RUN(friction_stops_a_wheel_and_nothing_more);
    RUN(the_turn_counts_on_past_full_turns);
    RUN(turns_are_counted_as_they_are_made);
    RUN(a_limit_may_lie_full_turns_away);
    RUN(impulses_are_the_weight_of_what_hangs_and_the_moment_of_what_is_held);
    RUN(the_error_told_is_the_error_there_is);
    RUN(a_hinged_rod_leans_on_the_floor_with_half_its_weight);
    RUN(a_hinged_beam_rests_on_a_stack);
    RUN(a_gripper_holds_for_a_minute_without_creep);
    RUN(a_pinched_plate_neither_turns_nor_sinks);
    RUN(a_gripper_that_is_too_weak_lets_slip);
    RUN(jointed_bodies_collide_only_if_told);
    RUN(machines_that_fall_on_the_ground_are_solved_exactly);
    RUN(disabled_joints_and_joints_of_disabled_bodies_do_nothing);
    RUN(what_does_not_act_carries_nothing);
    RUN(a_kinematic_body_carries_what_is_joined_to_it);
    RUN(copied_arrays_are_a_snapshot_of_a_machine);
    RUN(a_step_that_fails_leaves_joints_and_springs_as_they_were);
    RUN(the_semi_implicit_step_errs_as_the_literature_says);
    RUN(a_soft_spring_keeps_its_frequency_and_its_energy);
    RUN(stiff_springs_are_stable);
    RUN(a_weight_rests_on_its_spring_at_the_exact_place);
    RUN(a_damper_slows_by_its_closed_form);
    RUN(bodies_on_a_spring_keep_their_momentum);
    RUN(a_springs_force_is_the_mean_over_half_steps);
    RUN(the_scratch_asked_for_suffices_for_machines);
    RUN(taut_springs_turn_nothing_by_themselves);
    RUN(damped_bodies_slow_by_the_closed_form);
    RUN(a_damped_body_at_rest_presses_with_its_weight);
    RUN(forces_of_a_joint_act_as_pairs);
    RUN(before_step_is_called_first_in_every_step);
    RUN(a_sliding_part_slows_by_mu_g);
    RUN(a_spinning_part_slows_by_the_moment_of_its_tripod);
    RUN(a_pushed_part_turns_the_right_way);
    RUN(a_centre_outside_its_support_is_refused);
}
