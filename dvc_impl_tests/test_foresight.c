/* Bodies that go farther than their speed at the step's start foretells: struck bodies in front of walls and of other bodies,
 * bullets and plates of every size, spinning rods in corners.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

/* ---- a struck body in front of something ---- */

/* A striker of mass 1 flies at a resting target; behind the target, `room` away, stands a third body. */
static scene *foresight_row(bool planar, trial_kind kind, double room, double phase, double speed, dvc_body_kind third)
{
    scene *s = scene_make(3, planar, TRIAL_SCRATCH);
    int k;
    s->world.gravity = scene_zero;
    for (k = 0; k < 3; k++) {
        dvc_vec3 at = v3(k == 0 ? -0.2 - phase : k == 2 ? 0.2 + room : 0, 0, 0);
        int body = kind == TRIAL_BALL ? scene_sphere(s, 0.1, at, k == 1 ? 0.05 : 1, 0)
            : scene_box(s, k == 2 ? third : DVC_DYNAMIC, v3(0.1, 0.1, 0.1), at, k == 1 ? 0.05 : 1, 0);
        if (k == 2) s->bodies[body].kind = third;
    }
    s->bodies[0].velocity = v3(speed, 0, 0);
    return s;
}

/* What the three of them have after a step: no overlap, and all momentum unless a wall took it. */
static void foresight_check_row(const scene *s, double speed)
{
    double p = 0;
    int k;
    for (k = 0; k < 3; k++)
        if (s->bodies[k].kind == DVC_DYNAMIC) p += (double)s->bodies[k].mass * (double)s->bodies[k].velocity.x;
    CHECK(oracle_deepest(&s->world) >= -1e-9);
    if (s->bodies[2].kind == DVC_DYNAMIC) CHECK_NEAR(p, speed, 1e-12 * speed);
    CHECK(s->bodies[0].position.x < s->bodies[1].position.x && s->bodies[1].position.x < s->bodies[2].position.x);
    CHECK(fabs((double)s->bodies[1].velocity.y) <= 1e-11 * speed && oracle_norm(s->bodies[1].angular_velocity) <= 1e-10 * speed);
}

/* 100 phases of the hit within the step, with more and less room behind the target. */
static int foresight_strike(bool planar, trial_kind kind, double speed, dvc_body_kind third)
{
    int phase, step, repeats = 0;
    for (phase = 0; phase < 100; phase++) {
        double room = 0.02 + 0.002 * phase;
        scene *s = foresight_row(planar, kind, room, 0.01 * speed * phase / 100, speed, third);
        for (step = 0; step < 30 && step * 0.01 * speed < 1.5; step++) {
            trial_step(s, 0.01);
            repeats += s->world.report.repeats;
            foresight_check_row(s, speed);
        }
        if (third == DVC_STATIC) CHECK_NEAR(s->bodies[0].velocity.x, 0, 1e-9 * speed);
        else CHECK_NEAR(s->bodies[2].velocity.x, speed / 2.05, 1e-9 * speed);
        scene_free(s);
    }
    return repeats;
}

static void a_struck_body_stops_at_the_wall_behind_it(void)
{
    int repeats = 0, k;
    for (k = 0; k < 4; k++) repeats += foresight_strike(k & 1, k & 2 ? TRIAL_BALL : TRIAL_BOX, 10, DVC_STATIC);
    repeats += foresight_strike(false, TRIAL_BOX, 50, DVC_STATIC);
    CHECK(repeats > 50);
}

static void a_struck_body_takes_the_one_behind_it_along(void)
{
    int repeats = 0, k;
    for (k = 0; k < 4; k++) repeats += foresight_strike(k & 1, k & 2 ? TRIAL_BALL : TRIAL_BOX, 10, DVC_DYNAMIC);
    repeats += foresight_strike(false, TRIAL_BALL, 50, DVC_DYNAMIC);
    CHECK(repeats > 50);
}

/* A whole chain within one step: each body learns of the hit from the one before it. All gaps are closed at its end, and one
 * step later all have the same speed. */
static void a_hit_runs_through_a_chain_in_one_step(void)
{
    int seed, k;
    for (seed = 1; seed <= 20; seed++) {
        scene *s = scene_make(9, seed % 2, TRIAL_SCRATCH);
        double x = 0;
        test_seed((uint64_t)seed);
        s->world.gravity = scene_zero;
        for (k = 0; k < 9; k++) {
            scene_sphere(s, 0.1, v3(x, 0, 0), 1, 0);
            x += 0.2 + test_random(0, 0.02);
        }
        s->bodies[0].velocity = v3(900, 0, 0);
        trial_step(s, 0.01);
        CHECK(s->world.report.repeats > 0);
        for (k = 1; k < 9; k++) CHECK_NEAR((double)(s->bodies[k].position.x - s->bodies[k - 1].position.x), 0.2, 1e-9);
        trial_step(s, 0.01);
        for (k = 0; k < 9; k++) CHECK_NEAR(s->bodies[k].velocity.x, 100, 1e-9);
        scene_free(s);
    }
}

/* Struck at its end, a rod turns into the wall next to it. */
static void a_rod_struck_at_its_end_does_not_turn_into_the_wall(void)
{
    int phase, planar, step, repeats = 0;
    for (phase = 0; phase < 100; phase++)
        for (planar = 0; planar < 2; planar++) {
            scene *s = scene_make(3, planar, TRIAL_SCRATCH);
            s->world.gravity = scene_zero;
            scene_box(s, DVC_STATIC, v3(1, 2, 2), v3(1.05 + 0.001 * phase, 0, 0), 1, 0);
            scene_box(s, DVC_DYNAMIC, v3(0.02, 0.5, 0.02), scene_zero, 1, 0);
            scene_sphere(s, 0.05, v3(-0.08 - 0.002 * phase, 0.45, 0), 2, 0);
            s->bodies[2].velocity = v3(20, 0, 0);
            for (step = 0; step < 10; step++) {
                trial_step(s, 0.01);
                CHECK(oracle_deepest(&s->world) >= -1e-8);
                repeats += s->world.report.repeats;
            }
            scene_free(s);
        }
    CHECK(repeats > 20);
}

/* ---- bullets ---- */

/* A bullet flies at the middle of a plate, thinner or thicker, narrower or wider than itself: it must stay on its side. */
static void foresight_shoot(bool planar, trial_kind kind, double size, double thickness, double width, double speed)
{
    scene *s = scene_make(2, planar, TRIAL_SCRATCH);
    dvc_vec3 up = trial_up(s), half = planar ? v3(width, thickness, 0) : v3(width, width, thickness);
    int bullet, step;
    double start = thickness + 2 * size + test_random(0, 0.012 * speed);
    s->world.gravity = scene_zero;
    scene_box(s, DVC_STATIC, half, scene_zero, 1, 0);
    bullet = trial_part(s, DVC_DYNAMIC, kind, size, oracle_scaled(up, start), 0);
    s->bodies[bullet].velocity = oracle_scaled(up, -speed);
    for (step = 0; step < 3; step++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(oracle_deepest(&s->world) >= -1e-6 * size);
        CHECK(oracle_dot(up, s->bodies[bullet].velocity) >= -speed * (1 + 1e-9));
    }
    CHECK(oracle_dot(up, s->bodies[bullet].position) > -thickness
        || oracle_norm(oracle_along(s->bodies[bullet].position, up, -oracle_dot(up, s->bodies[bullet].position))) > 0.5 * width);
    scene_free(s);
}

static void bullets_of_every_size_do_not_pass_plates_of_every_size(void)
{
    int k;
    test_seed(31);
    for (k = 0; k < 1500; k++) {
        double size = pow(10, test_random(-2.5, 0)), thickness = size * pow(10, test_random(-2, 0.5)),
            width = size * pow(10, test_random(0.3, 1.5));
        foresight_shoot(k & 1, (trial_kind)(k % TRIAL_KINDS), size, thickness, width, size * pow(10, test_random(1, 3.5)));
    }
}

/* Plates that can move, of the bullet's own size: they are taken along with all momentum, or missed. */
static void bullets_take_small_plates_along(void)
{
    int k, step, hits = 0;
    test_seed(32);
    for (k = 0; k < 400; k++) {
        scene *s = scene_make(2, k & 1, TRIAL_SCRATCH);
        dvc_vec3 up = trial_up(s), p, p0, l0, l;
        double thickness = pow(10, test_random(-3, -1)), speed = test_random(5, 150);
        s->world.gravity = scene_zero;
        scene_box(s, DVC_DYNAMIC, k & 1 ? v3(0.15, thickness, 0) : v3(0.15, 0.15, thickness), scene_zero, 1, 0);
        scene_sphere(s, 0.1, oracle_along(v3(test_random(-0.2, 0.2), 0, 0), up,
            thickness + 0.1 + test_random(0, 0.012 * speed)), 1, 0);
        if (!(k & 1)) s->bodies[0].inertia = v3(0.01, 0.01, 0.01);
        s->bodies[1].velocity = oracle_scaled(up, -speed);
        dvc_momentum(&s->world, &p0, &l0);
        for (step = 0; step < 3; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK(oracle_deepest(&s->world) >= -1e-7);
            dvc_momentum(&s->world, &p, &l);
            CHECK(oracle_norm(oracle_minus(p, p0)) <= 1e-12 * speed && oracle_norm(oracle_minus(l, l0)) <= 1e-12 * speed);
        }
        hits += oracle_norm(s->bodies[0].velocity) > 0.1;
        if (fabs((double)s->bodies[1].position.x) < 1e-3)
            CHECK(oracle_dot(up, oracle_minus(s->bodies[1].position, s->bodies[0].position)) > 0);
        scene_free(s);
    }
    CHECK(hits > 200);
}

/* ---- rods ---- */

/* A slender rod, fast and spinning, in the corner of a room: no overlap after any step, and it stays in. */
static void foresight_spin_rod(bool planar, double h, int seed)
{
    scene *s = scene_make(6, planar, TRIAL_SCRATCH);
    int rod, step;
    test_seed((uint64_t)seed);
    trial_room(s, 0.9, seed % 2 ? 0 : 0.3);
    rod = scene_box(s, DVC_DYNAMIC, v3(0.35, 0.02, 0.02), planar ? v3(0, 0.8, 0) : v3(0, 0, 0.8), 1, seed % 2 ? 0 : 0.3);
    s->bodies[rod].orientation = trial_turn(planar, test_random(0, 3));
    s->bodies[rod].velocity = oracle_scaled(v3(1, planar ? -0.7 : 0.8, -0.7), 10);
    s->bodies[rod].angular_velocity = oracle_scaled(planar ? v3(0, 0, 1) : trial_direction(false), test_random(-30, 30));
    for (step = 0; step * h < 0.6; step++) {
        CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
        CHECK(oracle_deepest(&s->world) >= -1e-6 * 0.35);
        CHECK(fabs((double)s->bodies[rod].position.x) < 0.9 && (planar || fabs((double)s->bodies[rod].position.y) < 0.9));
    }
    scene_free(s);
}

static void spinning_rods_stay_in_corners(void)
{
    static const double steps[] = { 0.002, 0.01, 0.02 };
    int k, seed;
    for (k = 0; k < 3; k++)
        for (seed = 1; seed <= 40; seed++) {
            foresight_spin_rod(true, steps[k], seed);
            foresight_spin_rod(false, steps[k], seed + 100);
        }
}

/* The same against posts and a step, where corners meet corners. */
static void spinning_rods_do_not_pass_posts(void)
{
    int seed, step, k;
    for (seed = 1; seed <= 120; seed++) {
        bool planar = seed % 2;
        scene *s = scene_make(5, planar, TRIAL_SCRATCH);
        int rod;
        test_seed((uint64_t)seed + 300);
        for (k = 0; k < 4; k++) scene_box(s, DVC_STATIC, v3(0.05, 0.05, 2), v3(k & 1 ? 0.4 : -0.4, k & 2 ? 0.4 : -0.4, 0), 1, 0);
        s->world.gravity = scene_zero;
        rod = scene_box(s, DVC_DYNAMIC, v3(0.25, 0.02, 0.02), scene_zero, 1, 0);
        s->bodies[rod].velocity = oracle_scaled(trial_direction(true), 8);
        s->bodies[rod].angular_velocity = v3(planar ? 0 : 5, 0, test_random(-30, 30));
        for (step = 0; step < 30; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK(oracle_deepest(&s->world) >= -1e-6 * 0.25);
        }
        scene_free(s);
    }
}

/* Two jointed limbs that fall on the edge of a stair and whip round: the pair that is missed in one attempt is met in the next few,
 * by reaching twice as far with each. */
static void what_is_missed_twice_is_reached_for_more(void)
{
    int seed, i, k, most = 0;
    for (seed = 1; seed <= 40; seed++) {
        scene *s = scene_make(12, false, TRIAL_SCRATCH);
        dvc_joint joints[4];
        memset(joints, 0, sizeof joints);
        test_seed((uint64_t)seed);
        for (k = 0; k < 5; k++) scene_box(s, DVC_STATIC, v3(0.2, 1, 0.1), v3(0.4 * k, 0, -0.2 * k), 1, 0.5);
        for (k = 0; k < 5; k++) {
            int body = scene_box(s, DVC_DYNAMIC, v3(0.15, 0.04, 0.04), v3(0.3 * k - 0.5, 0, 0.4), k % 2 ? 0.1 : 10, 0.5);
            s->bodies[body].velocity = test_vec(test_random(1, 3), 0, test_random(-3, 0));
            s->bodies[body].angular_velocity = test_vec(0, test_random(-5, 5), test_random(-5, 5));
        }
        s->world.joints = joints;
        for (k = 0; k < 4; k++, s->world.joint_count++)
            CHECK(dvc_joint_attach(&s->world, DVC_SPHERICAL, 5 + k, 6 + k, v3(0.3 * k - 0.35, 0, 0.4), v3(0, 1, 0), &joints[k]) == DVC_OK);
        for (i = 0; i < 60; i++) {
            CHECK(dvc_step(&s->world, (dvc_real)(1 / 60.)) == DVC_OK);
            if (s->world.report.repeats > most) most = s->world.report.repeats;
        }
        scene_free(s);
    }
    CHECK(most <= 10);
}

/* Whatever `epsilon` says, what moves is foreseen as far as it moves. */
static void a_small_epsilon_hides_nothing(void)
{
    int seed, i, hits = 0;
    for (seed = 1; seed <= 60; seed++) {
        bool planar = seed % 2;
        scene *s = scene_make(3, planar, TRIAL_SCRATCH);
        test_seed((uint64_t)seed + 70);
        s->world.epsilon = (dvc_real)(seed % 3 ? 1e-4 : 1e-9);
        scene_box(s, DVC_STATIC, v3(2, planar ? 0.5 : 2, 0.5), v3(0, planar ? -0.5 : 0, planar ? 0 : -0.5), 1, 0.5);
        for (i = 1; i < 3; i++) {
            int part = trial_part(s, DVC_DYNAMIC, (trial_kind)(seed % TRIAL_KINDS), 0.3, planar ? v3(i - 1.5, 1.2, 0) : v3(i - 1.5, 0, 1.2), 0.5);
            s->bodies[part].velocity = planar ? v3(test_random(-2, 2), -5, 0) : v3(test_random(-2, 2), 0, -5);
            s->bodies[part].angular_velocity = test_vec(planar ? 0 : test_random(-3, 3), 0, test_random(-3, 3));
        }
        for (i = 0; i < 40; i++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK(oracle_deepest(&s->world) >= -1e-6 || s->world.report.inexact > 0);
            hits += s->world.report.enforced > 0;
        }
        scene_free(s);
    }
    CHECK(hits > 500);
}

static void suite_foresight(void)
{
    test_state.suite = "foresight";
    RUN(a_struck_body_stops_at_the_wall_behind_it);
    RUN(a_struck_body_takes_the_one_behind_it_along);
    RUN(a_hit_runs_through_a_chain_in_one_step);
    RUN(a_rod_struck_at_its_end_does_not_turn_into_the_wall);
    RUN(bullets_of_every_size_do_not_pass_plates_of_every_size);
    RUN(bullets_take_small_plates_along);
    RUN(spinning_rods_stay_in_corners);
    RUN(spinning_rods_do_not_pass_posts);
    RUN(what_is_missed_twice_is_reached_for_more);
    RUN(a_small_epsilon_hides_nothing);
}
