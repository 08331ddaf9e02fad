/* The step in time: impacts at their instants, overlap that leaves no speed, velocities that hold where bodies end, energy of second
 * order. Against closed forms: parabolas, heights h e^(2 k), chains of binary impacts, Housner's block; against machines of joints,
 * whose anchors are compared here; and against rest to the bit.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "machine.h"
#include "trial.h"

#define TIME_G 9.81

/* ---- words ---- */

static scene *time_scene(int capacity, bool ground, double restitution, double friction)
{
    scene *s = scene_make(capacity, false, TRIAL_SCRATCH);
    if (!ground) s->world.gravity = scene_zero;
    else scene_ground(s, friction);
    if (ground) s->shapes[0].restitution = (dvc_real)restitution;
    return s;
}

static dvc_body *time_ball(scene *s, dvc_vec3 at, double mass, double restitution, double friction)
{
    int body = scene_sphere(s, 0.1, at, mass, friction);
    s->shapes[body].restitution = (dvc_real)restitution;
    return &s->bodies[body];
}

static dvc_body *time_box(scene *s, double half, dvc_vec3 at, double restitution, double friction)
{
    int body = scene_box(s, DVC_DYNAMIC, v3(half, half, half), at, 1, friction);
    s->shapes[body].restitution = (dvc_real)restitution;
    return &s->bodies[body];
}

/* How high the body will have risen when it has come to the top of its way. */
static double time_apex(const dvc_body *body)
{
    return (double)body->position.z + (double)body->velocity.z * (double)body->velocity.z / (2 * TIME_G);
}

static double time_fastest(const scene *s)
{
    double most = 0;
    int i;
    for (i = 0; i < s->world.body_count; i++)
        most = fmax(most, fmax(oracle_norm(s->bodies[i].velocity), oracle_norm(s->bodies[i].angular_velocity)));
    return most;
}

/* The next step moves no body by a bit. */
static void time_check_rest(scene *s, double h)
{
    static dvc_body before[32];
    int i;
    CHECK(time_fastest(s) == 0);
    memcpy(before, s->bodies, (size_t)s->world.body_count * sizeof *before);
    trial_step(s, h);
    for (i = 0; i < s->world.body_count; i++) {
        CHECK(memcmp(&before[i].position, &s->bodies[i].position, sizeof before[i].position) == 0);
        CHECK(memcmp(&before[i].orientation, &s->bodies[i].orientation, sizeof before[i].orientation) == 0);
    }
    CHECK(time_fastest(s) == 0);
}

/* ---- bounces ---- */

/* A ball that falls 1 m rises to e^(2 k) m after its k-th bounce, wherever in its step it strikes. */
static void bounces_reach_the_heights_of_their_law(void)
{
    int phase, k, step;
    for (phase = 0; phase < 7; phase++) {
        double drop = 1 + 0.0013 * phase, last = -1;
        scene *s = time_scene(2, true, 0.8, 0);
        dvc_body *ball = time_ball(s, v3(0, 0, 0.1 + drop), 1, 0.8, 0);
        for (k = 0, step = 0; step < 400 && k < 8; step++) {
            trial_step(s, 0.01);
            if (last < 0 && ball->velocity.z > 0) CHECK_NEAR((time_apex(ball) - 0.1) / (drop * pow(0.64, ++k)), 1, 1e-11);
            last = (double)ball->velocity.z;
        }
        CHECK(k == 8);
        scene_free(s);
    }
}

/* A box that falls flat, with friction, does so, too, and does not turn. */
static void a_flat_box_bounces_as_high_as_its_law_says_and_does_not_turn(void)
{
    int phase;
    for (phase = 0; phase < 9; phase++) {
        double drop = 0.3 + 0.0017 * phase;
        scene *s = time_scene(2, true, 0.5, 0.5);
        dvc_body *box = time_box(s, 0.1, v3(0, 0, 0.1 + drop), 0.5, 0.5);
        while (!(box->velocity.z > 0)) trial_step(s, 0.01);
        CHECK_NEAR((time_apex(box) - 0.1) / (0.25 * drop), 1, 1e-11);
        CHECK(oracle_norm(box->angular_velocity) <= 1e-11);
        scene_free(s);
    }
}

/* A ball that spins: friction is mu times the push, or what it takes to stop the slip, 2/7 of it. */
static void a_spinning_ball_leaves_as_impulse_and_friction_say(void)
{
    static const double speeds[] = { 1, 0, 1, 0.2 }, spins[] = { 0, 100, -5, 1 };
    int k;
    for (k = 0; k < 4; k++) {
        double hit = sqrt(2 * TIME_G * 0.3), push = 1.7 * hit, slip = speeds[k] - spins[k] * 0.1, rub, after;
        scene *s = time_scene(2, true, 0.7, 0.3);
        dvc_body *ball = time_ball(s, v3(0, 0, 0.4), 1, 0.7, 0.3);
        ball->velocity.x = (dvc_real)speeds[k];
        ball->angular_velocity.y = (dvc_real)spins[k];
        rub = (slip > 0 ? -1 : 1) * fmin(0.3 * push, fabs(slip) * 2 / 7);
        while (!(ball->velocity.z > 0)) trial_step(s, 0.01);
        after = 0.7 * hit - TIME_G * ((double)s->world.time - hit / TIME_G);
        CHECK_NEAR(ball->velocity.x, speeds[k] + rub, 1e-12);
        CHECK_NEAR(ball->velocity.z, after, 1e-12);
        CHECK_NEAR(ball->angular_velocity.y, spins[k] - rub * 0.1 / 0.004, 1e-11);
        scene_free(s);
    }
}

/* Elastic balls, one above the other, keep their energy, whatever strikes first. */
static void two_elastic_balls_that_fall_on_the_floor_keep_their_energy(void)
{
    int k, step;
    for (k = 0; k < 50; k++) {
        scene *s = time_scene(3, true, 1, 0);
        double start;
        time_ball(s, v3(0, 0, 0.3 + 0.001 * k), 10, 1, 0);
        time_ball(s, v3(0, 0, 0.52 + 0.001 * k), 10, 1, 0);
        start = (double)dvc_energy(&s->world);
        for (step = 0; step < 100; step++) {
            trial_step(s, 0.01);
            CHECK_NEAR(dvc_energy(&s->world) / start, 1, 1e-12);
        }
        scene_free(s);
    }
}

/* 1 kg on 10 kg, which touch as they fall by .2 m: the light ball leaves with 29 / 11 of the speed, as if hit one after the other. */
static void a_light_ball_is_thrown_up_by_the_heavy_one_below(void)
{
    scene *s = time_scene(3, true, 1, 0);
    dvc_body *light;
    time_ball(s, v3(0, 0, 0.3), 10, 1, 0);
    light = time_ball(s, v3(0, 0, 0.5), 1, 1, 0);
    while (!(light->velocity.z > 0)) trial_step(s, 0.01);
    CHECK_NEAR(time_apex(light), 0.3 + 0.2 * 29 * 29 / 121, 1e-11);
    scene_free(s);
}

/* Five balls in a row, `apart` from each other, of which the first ones come in at 1 m/s. */
static scene *time_cradle(int released, double apart, double restitution)
{
    scene *s = time_scene(5, false, 0, 0);
    int k;
    for (k = 0; k < 5; k++) {
        time_ball(s, v3((0.2 + apart) * k + (k >= released ? 0.05 : 0), 0, 0), 1, restitution, 0);
        s->bodies[k].velocity.x = k < released;
    }
    return s;
}

static void cradles_let_go_as_many_as_were_let_in(void)
{
    static const double apart[] = { 0, 1e-9, 1e-3 };
    int released, i, k;
    for (released = 1; released < 5; released++)
        for (i = 0; i < 3; i++) {
            scene *s = time_cradle(released, apart[i], 1);
            for (k = 0; k < 30; k++) trial_step(s, 0.01);
            for (k = 0; k < 5; k++) CHECK_NEAR(s->bodies[k].velocity.x, k >= 5 - released, 1e-12);
            scene_free(s);
        }
}

/* With e = .8 each hit hands on .9 of the speed, and keeps .1. */
static void a_cradle_that_loses_hands_on_what_its_law_says(void)
{
    scene *s = time_cradle(1, 0, 0.8);
    double sum = 0;
    int k;
    for (k = 0; k < 60; k++) trial_step(s, 0.01);
    for (k = 0; k < 5; k++) sum += (double)s->bodies[k].velocity.x;
    CHECK_NEAR(s->bodies[4].velocity.x, 0.6561, 1e-12);
    CHECK_NEAR(sum, 1, 1e-14);
    for (k = 0; k + 1 < 5; k++) CHECK(s->bodies[k].velocity.x <= s->bodies[k + 1].velocity.x + (dvc_real)1e-12);
    scene_free(s);
}

/* A block that rocks from edge to edge without restitution keeps 1 - 1.5 sin^2 of its spin at each change, the angle that of its
 * diagonal. Its energy, over that of standing, tells: looked at 20 ms after each change, where it swings freely. */
static void a_rocking_block_loses_what_housner_says(void)
{
    double wide = 0.1, tall = 0.4, angle = atan2(wide, tall), tilt = angle / 2, reach = hypot(wide, tall), since = 0;
    double keeps = 1 - 1.5 * sin(angle) * sin(angle), energy, h = 0.001;
    scene *s = time_scene(2, true, 0, 10);
    int body = scene_box(s, DVC_DYNAMIC, v3(wide, 0.1, tall), v3(wide - reach * sin(angle - tilt), 0, reach * cos(angle - tilt)), 1, 10);
    int changes = 0, looks = 0, step;
    dvc_body *block = &s->bodies[body];
    block->orientation = dvc_quat_turn(v3(0, 1, 0), (dvc_real)tilt);
    energy = (double)dvc_energy(&s->world) - TIME_G * tall;
    for (step = 0; step < 6000 && looks < 4; step++) {
        bool right = block->orientation.y > 0;
        trial_step(s, h);
        if ((block->orientation.y > 0) != right) {
            changes++;
            since = 0;
        }
        since += h;
        if (changes > looks && since > 0.02) {
            double left = (double)dvc_energy(&s->world) - TIME_G * tall;
            CHECK_NEAR(sqrt(left / energy) / keeps, 1, 0.01);
            energy = left;
            looks++;
        }
    }
    CHECK(looks == 4);
    scene_free(s);
}

/* ---- overlap ---- */

/* Two cubes 1 mm deep in each other, in free space, are apart after some steps, and stand still. */
static void overlap_from_the_start_leaves_no_speed(void)
{
    static const double steps[] = { 0.02, 0.01, 0.001, 0.0001 };
    int k, step;
    for (k = 0; k < 4; k++) {
        scene *s = time_scene(2, false, 0, 0);
        time_box(s, 0.5, v3(0, 0, 0), 0, 0.5);
        time_box(s, 0.5, v3(0, 0, 0.999), 0, 0.5);
        for (step = 0; step < 20; step++) {
            trial_step(s, steps[k]);
            CHECK(time_fastest(s) <= 1e-13);
        }
        CHECK_NEAR(s->bodies[1].position.z - s->bodies[0].position.z, 1, 1e-11);
        CHECK_NEAR(s->bodies[1].position.z + s->bodies[0].position.z, 0.999, 1e-11);
        scene_free(s);
    }
}

/* A ball that was put 40 um into the floor is lifted out of it, and does not hop, however short the step. */
static void a_ball_put_into_the_floor_does_not_hop(void)
{
    static const double steps[] = { 0.01, 0.001, 0.0001 };
    int k, step;
    for (k = 0; k < 3; k++) {
        scene *s = time_scene(2, true, 0, 0.5);
        dvc_body *ball = time_ball(s, v3(0, 0, 0.1 - 4e-5), 1, 0, 0.5);
        for (step = 0; step < 50; step++) {
            trial_step(s, steps[k]);
            CHECK((double)ball->position.z <= 0.1 + 1e-12 && oracle_norm(ball->velocity) <= 1e-12);
        }
        CHECK_NEAR(ball->position.z, 0.1, 1e-12);
        scene_free(s);
    }
}

/* Ten boxes, each 1 mm in the one below: what lifts them out is the work of lifting, no more, and they rest. */
static void ten_boxes_that_overlap_are_lifted_apart_and_rest(void)
{
    static const double steps[] = { 0.01, 0.001 };
    int k, i, step;
    for (k = 0; k < 2; k++) {
        scene *s = time_scene(11, true, 0, 0.5);
        double start, most = 0;
        for (i = 0; i < 10; i++) time_box(s, 0.1, v3(0, 0, 0.099 + 0.199 * i), 0, 0.5);
        start = (double)dvc_energy(&s->world);
        for (step = 0; step < 100; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)steps[k]) == DVC_OK);
            CHECK(time_fastest(s) <= 1e-11);
            most = fmax(most, (double)dvc_energy(&s->world) - start);
        }
        CHECK_NEAR(most, TIME_G * 0.001 * 55, TIME_G * 1e-8); /* ten heights of 1e-9 m */
        for (i = 0; i < 10; i++) CHECK_NEAR(s->bodies[1 + i].position.z, 0.1 + 0.2 * i, 1e-9);
        time_check_rest(s, steps[k]);
        scene_free(s);
    }
}

/* 8 cm in the floor, and 10 cm in that one. */
static void two_boxes_deep_in_each_other_come_out_without_speed(void)
{
    scene *s = time_scene(3, true, 0, 0.5);
    int step;
    time_box(s, 0.1, v3(0, 0, 0.02), 0, 0.5);
    time_box(s, 0.1, v3(0, 0, 0.12), 0, 0.5);
    for (step = 0; step < 100; step++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(time_fastest(s) <= 1e-12);
    }
    CHECK_NEAR(s->bodies[1].position.z, 0.1, 1e-9);
    CHECK_NEAR(s->bodies[2].position.z, 0.3, 1e-9);
    time_check_rest(s, 0.01);
    scene_free(s);
}

/* ---- what moves by itself ---- */

/* A ball that rolls, and spins about where it stands, goes on for ever. */
static void rolling_and_spinning_lose_nothing(void)
{
    scene *s = time_scene(2, true, 0, 0.5);
    dvc_body *ball = time_ball(s, v3(0, 0, 0.1), 1, 0, 0.5);
    double start;
    int step;
    ball->velocity = v3(1, 0, 0);
    ball->angular_velocity = v3(0, 10, 7);
    start = (double)dvc_energy(&s->world);
    for (step = 0; step < 10000; step++) trial_step(s, 0.01);
    CHECK_NEAR(dvc_energy(&s->world) / start, 1, 1e-11);
    CHECK_NEAR(ball->position.x, 100, 1e-8);
    CHECK_NEAR(ball->angular_velocity.z, 7, 1e-11);
    scene_free(s);
}

static void time_lift(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->z = (dvc_real)(-0.1 + 1 - cos(3 * (double)t));
}

/* A lift that goes up and down by 1 - cos 3 t, at up to 9 of 9.81 m/s^2, has what stands in it always on its floor, as fast as it. */
static void a_lift_never_leaves_what_stands_in_it(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    dvc_body *box;
    int step;
    scene_box(s, DVC_KINEMATIC, v3(1, 1, 0.1), v3(0, 0, -0.1), 0, 0.5);
    s->bodies[0].motion = time_lift;
    box = time_box(s, 0.25, v3(0, 0, 0.25), 0, 0.5);
    for (step = 0; step < 500; step++) {
        trial_step(s, 0.01);
        CHECK_NEAR(box->position.z - s->bodies[0].position.z, 0.35, 1e-11);
        CHECK_NEAR(box->velocity.z, s->bodies[0].velocity.z, 1e-10);
        CHECK_NEAR(box->velocity.z, 3 * sin(3 * (double)s->world.time), 1e-6);
        CHECK(oracle_norm(box->angular_velocity) <= 1e-10);
    }
    scene_free(s);
}

/* Any box that only flies is where the parabola is, after 10000 steps. */
static void free_flight_is_exact_for_ten_seconds(void)
{
    scene *s = scene_make(1, false, TRIAL_SCRATCH);
    dvc_body *box = &s->bodies[scene_box(s, DVC_DYNAMIC, v3(0.1, 0.4, 0.9), v3(0, 0, 0), 10, 0)];
    double start;
    int step;
    box->velocity = v3(-2, 2, 8);
    box->angular_velocity = v3(0.1, 0, 0);
    start = (double)dvc_energy(&s->world);
    for (step = 0; step < 10000; step++) trial_step(s, 0.001);
    CHECK(motion_apart(box->position, v3(-20, 20, 80 - TIME_G * 50)) <= 1e-9);
    CHECK_NEAR(dvc_energy(&s->world), start, 1e-7);
    scene_free(s);
}

/* ---- joints ---- */

/* How fast joint i comes apart at its anchors, and, if it is a hinge, how fast its axis leaves the other's. */
static double time_joint_speed(const scene *s, int i)
{
    const dvc_joint *j = &s->world.joints[i];
    const dvc_body *a = &s->bodies[j->body_a], *b = &s->bodies[j->body_b];
    dvc_vec3 va = oracle_along(a->velocity, oracle_cross(a->angular_velocity, oracle_turn(machine_given(a->orientation), j->anchor_a)), 1);
    dvc_vec3 vb = oracle_along(b->velocity, oracle_cross(b->angular_velocity, oracle_turn(machine_given(b->orientation), j->anchor_b)), 1);
    dvc_vec3 axis = oracle_turn(machine_frame(s, j->body_a, j->frame_a), v3(0, 0, 1)), spin = oracle_minus(b->angular_velocity, a->angular_velocity);
    double apart = oracle_norm(oracle_minus(vb, va));
    if (j->kind == DVC_REVOLUTE) apart = fmax(apart, oracle_norm(oracle_along(spin, axis, -oracle_dot(spin, axis))));
    return apart;
}

/* A chain of bars on ball joints and hinges that falls from level: at the end of every step its velocities are such as joints allow. */
static void velocities_at_joints_agree_after_every_step(void)
{
    static const double steps[] = { 0.01, 0.001 };
    int k, i, step, hinges;
    for (k = 0; k < 2; k++)
        for (hinges = 0; hinges < 2; hinges++) {
            scene *s = machine_make(6, 5, 0, false);
            for (i = 1; i <= 5; i++) {
                machine_bar(s, v3(i - 0.5, 0, 0), 1, 1, 0.1);
                machine_join(s, hinges ? DVC_REVOLUTE : DVC_SPHERICAL, i - 1, i, v3(i - 1, 0, 0), v3(0, 1, 0));
            }
            if (!hinges) s->bodies[5].velocity.y = 1;
            for (step = 0; step * steps[k] < 2; step++) {
                trial_step(s, steps[k]);
                for (i = 0; i < 5; i++) CHECK(time_joint_speed(s, i) <= 1e-12);
            }
            machine_free(s);
        }
}

/* A ball joint that starts 2 cm apart is closed, and nothing is thrown, whether it is at the body's centre or turns it. */
static void a_joint_that_starts_apart_closes_without_speed(void)
{
    static const double steps[] = { 0.01, 0.001, 0.0001 };
    int k, step;
    for (k = 0; k < 6; k++) {
        scene *s = machine_make(2, 1, 0, false);
        s->world.gravity = scene_zero;
        machine_body(s, v3(k < 3 ? 0 : 0.5, 0, 0), 1, v3(0.1, 0.1, 0.1));
        machine_join(s, DVC_SPHERICAL, 0, 1, v3(0, 0, 0), v3(0, 0, 1));
        s->bodies[1].position.z += (dvc_real)0.02;
        for (step = 0; step < 50; step++) {
            trial_step(s, steps[k % 3]);
            CHECK(time_fastest(s) <= 1e-11);
        }
        CHECK(machine_error(s, 1) <= 1e-11);
        machine_free(s);
    }
}

/* A pendulum from level: how far its energy is off at most, in all of a span of time. */
static double time_pendulum_error(scene *s, double h, double seconds, double start)
{
    double most = 0;
    int step;
    for (step = 0; step * h < seconds - h / 2; step++) {
        trial_step(s, h);
        most = fmax(most, fabs((double)dvc_energy(&s->world) - start));
        CHECK(machine_error(s, 1) <= 1e-12);
    }
    return most;
}

/* Its energy is off by a term of second order, which does not grow: in the last of 20 seconds it is what it was in the first ones. */
static void the_energy_of_a_pendulum_is_of_second_order_and_does_not_drift(void)
{
    double first[3], last[3];
    int k;
    for (k = 0; k < 3; k++) {
        double h = 0.01 / (1 << k), start;
        scene *s = machine_make(2, 1, 0, false);
        machine_body(s, v3(1, 0, 0), 1, v3(0.01, 0.01, 0.01));
        machine_join(s, DVC_SPHERICAL, 0, 1, v3(0, 0, 0), v3(0, 0, 1));
        start = (double)dvc_energy(&s->world);
        first[k] = time_pendulum_error(s, h, 3, start);
        time_pendulum_error(s, h, 14, start);
        last[k] = time_pendulum_error(s, h, 3, start);
        machine_free(s);
        CHECK_NEAR(last[k] / first[k], 1, 0.01);
    }
    CHECK(first[0] < 5e-3);
    CHECK_NEAR(first[0] / first[1], 4, 0.1);
    CHECK_NEAR(first[1] / first[2], 4, 0.1);
}

static void suite_time(void)
{
    test_state.suite = "time";
    RUN(bounces_reach_the_heights_of_their_law);
    RUN(a_flat_box_bounces_as_high_as_its_law_says_and_does_not_turn);
    RUN(a_spinning_ball_leaves_as_impulse_and_friction_say);
    RUN(two_elastic_balls_that_fall_on_the_floor_keep_their_energy);
    RUN(a_light_ball_is_thrown_up_by_the_heavy_one_below);
    RUN(cradles_let_go_as_many_as_were_let_in);
    RUN(a_cradle_that_loses_hands_on_what_its_law_says);
    RUN(a_rocking_block_loses_what_housner_says);
    RUN(overlap_from_the_start_leaves_no_speed);
    RUN(a_ball_put_into_the_floor_does_not_hop);
    RUN(ten_boxes_that_overlap_are_lifted_apart_and_rest);
    RUN(two_boxes_deep_in_each_other_come_out_without_speed);
    RUN(rolling_and_spinning_lose_nothing);
    RUN(a_lift_never_leaves_what_stands_in_it);
    RUN(free_flight_is_exact_for_ten_seconds);
    RUN(velocities_at_joints_agree_after_every_step);
    RUN(a_joint_that_starts_apart_closes_without_speed);
    RUN(the_energy_of_a_pendulum_is_of_second_order_and_does_not_drift);
}
