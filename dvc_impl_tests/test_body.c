/* Bodies without contacts, and bodies that are moved as told: forces and torques against sums of impulses, gravity against
 * parabolas, kinematic bodies against their motion, free rotation against closed forms and against a fine
 * Runge-Kutta run of Euler's equations; then what a moving table does to what lies on it.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "trial.h"

#define BODY_G 9.81

/* ---- worlds of bodies without shapes ---- */

static scene *body_scene(int count, bool planar)
{
    scene *s = scene_make(count, planar, TRIAL_SCRATCH);
    int i;
    s->world.gravity = scene_zero;
    for (i = 0; i < count; i++) {
        scene_add(s, DVC_DYNAMIC, DVC_NO_SHAPE, scene_zero, 0);
        s->bodies[i].mass = 2;
        s->bodies[i].inertia = v3(1, 2, 3);
    }
    return s;
}

static double body_norm_error(dvc_quat q)
{
    dvc_vec3 v = v3((double)q.x, (double)q.y, (double)q.z);
    return fabs(sqrt((double)q.w * (double)q.w + oracle_dot(v, v)) - 1);
}

static double body_spin_energy(const dvc_body *body)
{
    return oracle_dot(body->angular_velocity, motion_spin_momentum(body)) / 2;
}

static void body_steps(scene *s, double h, int count)
{
    while (count-- > 0) CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
}

/* ---- forces ---- */

/* What a constant acceleration of 1 makes of n steps: h^2 n^2 / 2. The literature's step is ahead of that by h v / 2. */
static double body_way_of(double h, int n, bool literature)
{
    return h * h * n * (n + literature) / 2;
}

/* After n steps v = n h a and x = a t^2 / 2, exactly. */
static void body_check_parabola(bool literature)
{
    scene *s = body_scene(3, false);
    dvc_body before[3];
    int i, n = 500;
    double h = 0.01;
    s->world.semi_implicit = literature;
    s->world.gravity = v3(1, -2, -BODY_G);
    s->bodies[1].force = v3(3, 4, 5);
    s->bodies[2].inertia = scene_zero; /* a particle */
    s->bodies[2].velocity = v3(-1, 5, 20);
    memcpy(before, s->bodies, sizeof before);
    body_steps(s, h, n);
    for (i = 0; i < 3; i++) {
        dvc_vec3 a = oracle_along(s->world.gravity, before[i].force, 0.5), v = oracle_along(before[i].velocity, a, n * h);
        dvc_vec3 x = oracle_along(oracle_scaled(before[i].velocity, n * h), a, body_way_of(h, n, literature));
        CHECK(motion_apart(s->bodies[i].velocity, v) <= 1e-11);
        CHECK(motion_apart(s->bodies[i].position, x) <= 1e-11);
        CHECK(memcmp(&s->bodies[i].force, &before[i].force, sizeof before[i].force) == 0);
        CHECK(s->bodies[i].angular_velocity.x == 0 && s->bodies[i].orientation.x == 0);
    }
    CHECK_NEAR(s->world.time, n * h, 1e-12);
    scene_free(s);
}

static void a_constant_force_makes_the_parabola(void) { body_check_parabola(false); }

static void the_literature_s_step_leads_the_parabola_by_half_a_step(void) { body_check_parabola(true); }

/* Momentum and angular momentum are the sums of what was given, however the body turns meanwhile. */
static void impulses_of_forces_and_torques_add_up(void)
{
    int seed, step;
    for (seed = 0; seed < 20; seed++) {
        scene *s = body_scene(1, false);
        dvc_body *body = &s->bodies[0];
        dvc_vec3 momentum, spin;
        test_seed((uint64_t)seed);
        body->orientation = trial_turn(false, 2);
        body->velocity = motion_vec(1, false);
        body->angular_velocity = motion_vec(3, false);
        momentum = oracle_scaled(body->velocity, 2);
        spin = motion_spin_momentum(body);
        for (step = 0; step < 200; step++) {
            dvc_vec3 force = motion_vec(10, false), torque = motion_vec(10, false);
            body->force = force;
            body->torque = torque;
            momentum = oracle_along(momentum, force, 0.01);
            spin = oracle_along(spin, torque, 0.01);
            body_steps(s, 0.01, 1);
            CHECK(memcmp(&body->force, &force, sizeof force) == 0 && memcmp(&body->torque, &torque, sizeof torque) == 0);
        }
        CHECK(motion_apart(oracle_scaled(body->velocity, 2), momentum) <= 1e-12);
        CHECK(motion_apart(motion_spin_momentum(body), spin) <= 1e-11);
        scene_free(s);
    }
}

static void body_check_torque(bool literature)
{
    scene *s = body_scene(2, false);
    double h = 0.01;
    int n = 100;
    s->world.semi_implicit = literature;
    s->bodies[0].torque = v3(0, 4, 0);
    s->bodies[1].orientation = dvc_quat_turn(v3(1, 0, 0), (dvc_real)(TRIAL_PI / 2)); /* its z axis is the world's -y */
    s->bodies[1].torque = v3(0, 4, 0);
    body_steps(s, h, n);
    CHECK_NEAR(s->bodies[0].angular_velocity.y, n * h * 4 / 2, 1e-13);
    CHECK_NEAR(s->bodies[1].angular_velocity.y, n * h * 4 / 3, 1e-13);
    CHECK_NEAR(motion_turned(s->bodies[0].orientation, motion_exp(v3(0, 2 * body_way_of(h, n, literature), 0))), 0, 1e-13);
    scene_free(s);
}

static void a_torque_about_a_principal_axis_speeds_up_the_turn(void)
{
    body_check_torque(false);
    body_check_torque(true);
}

static void a_force_at_a_point_is_the_force_and_its_moment(void)
{
    int trial;
    for (trial = 0; trial < 100; trial++) {
        dvc_body body;
        dvc_vec3 f, p, torque, at;
        test_seed((uint64_t)trial);
        memset(&body, 0, sizeof body);
        f = motion_vec(5, false);
        p = motion_vec(5, false);
        body.position = motion_vec(5, false);
        body.force = motion_vec(1, false);
        body.torque = motion_vec(1, false);
        at = body.force;
        torque = oracle_along(body.torque, oracle_cross(oracle_minus(p, body.position), f), 1);
        dvc_body_apply(&body, f, p);
        CHECK(motion_apart(body.force, oracle_along(at, f, 1)) <= 1e-14);
        CHECK(motion_apart(body.torque, torque) <= 1e-13);
        at = body.torque;
        dvc_body_apply(&body, f, body.position); /* at the centre: no moment */
        CHECK(memcmp(&body.torque, &at, sizeof at) == 0);
    }
}

/* In a planar world x, y and the turn about z is all there is. The mean velocity is that of the middle, or, in the literature's
 * step, of the end. */
static void body_check_plane(bool literature)
{
    scene *s = body_scene(1, true);
    dvc_body *body = &s->bodies[0];
    double lead = literature ? 0.125 : 0; /* h^2 a / 2 of accelerations of 1 */
    s->world.semi_implicit = literature;
    body->position = v3(1, 2, 7);
    body->velocity = v3(1, 0, 5);
    body->angular_velocity = v3(2, 3, 1);
    body->inertia = v3(0, 0, 4);
    body->force = v3(2, 4, 6);
    body->torque = v3(9, 9, 8);
    s->world.gravity = v3(0, -1, -5);
    body_steps(s, 0.5, 1);
    CHECK_NEAR(body->velocity.x, 1.5, 1e-15);
    CHECK_NEAR(body->velocity.y, 0.5, 1e-15);
    CHECK_NEAR(body->position.x, 1.625 + lead, 1e-15);
    CHECK_NEAR(body->position.y, 2.125 + lead, 1e-15);
    CHECK_NEAR(body->angular_velocity.z, 2, 1e-15);
    CHECK_NEAR(body->orientation.z, sin((0.75 + 2 * lead) / 2), 1e-15);
    CHECK(body->position.z == 7 && body->velocity.z == 5 && body->angular_velocity.x == 2 && body->angular_velocity.y == 3);
    scene_free(s);
}

static void planar_bodies_stay_in_their_plane(void)
{
    body_check_plane(false);
    body_check_plane(true);
}

/* ---- free rotation ---- */

/* About a principal axis, or of a ball, or in the plane: by w h in every step, whatever w h is. */
static void turns_about_principal_axes_are_exact(void)
{
    static const double speeds[] = { 1e-6, 0.1, 3, 100, 300, 1000 };
    int k, axis, n = 1000;
    for (k = 0; k < 6; k++)
        for (axis = 0; axis < 5; axis++) {
            scene *s = body_scene(1, axis == 4);
            dvc_body *body = &s->bodies[0];
            dvc_vec3 w = axis < 3 ? v3(axis == 0, axis == 1, axis == 2) : axis == 3 ? oracle_unit(v3(1, 2, 3)) : v3(0, 0, 1);
            if (axis == 3) body->inertia = v3(2, 2, 2);
            w = oracle_scaled(w, speeds[k]);
            body->angular_velocity = w;
            body_steps(s, 0.01, n);
            CHECK(motion_turned(body->orientation, motion_exp(oracle_scaled(w, 0.01 * n))) <= 1e-15 * (100 + speeds[k] * 100));
            CHECK(motion_apart(body->angular_velocity, w) <= 1e-14 * speeds[k] * n);
            scene_free(s);
        }
}

/* Moments 1, 2, 3, spinning about the middle one: it tumbles. */
static scene *body_tumbler(void)
{
    scene *s = body_scene(1, false);
    s->bodies[0].orientation = dvc_quat_turn(v3(1, 2, 3), 1);
    s->bodies[0].angular_velocity = oracle_turn(s->bodies[0].orientation, v3(0.01, 2, 0.02));
    return s;
}

/* For 20 s, and for 1000 s; through tumbles, not around them. */
static void a_tumbling_body_keeps_energy_and_momentum(void)
{
    scene *s = body_tumbler();
    dvc_body *body = &s->bodies[0];
    double energy = body_spin_energy(body), least = 1;
    dvc_vec3 momentum = motion_spin_momentum(body);
    int i;
    for (i = 0; i < 2000; i++) {
        body_steps(s, 0.01, 1);
        least = fmin(least, (double)oracle_turn(motion_inverse(body->orientation), body->angular_velocity).y / 2);
        CHECK_NEAR(body_spin_energy(body), energy, 1e-10 * energy);
        CHECK(motion_apart(motion_spin_momentum(body), momentum) <= 1e-11 * oracle_norm(momentum));
    }
    CHECK(least < -0.9);
    body_steps(s, 0.01, 98000);
    CHECK_NEAR(body_spin_energy(body), energy, 1e-10 * energy);
    CHECK(motion_apart(motion_spin_momentum(body), momentum) <= 1e-10 * oracle_norm(momentum));
    CHECK(body_norm_error(body->orientation) <= 1e-15);
    scene_free(s);
}

/* dq/dt = w q / 2 where w is what the body, turned by q, must have for its momentum. */
static dvc_quat body_rate(dvc_quat q, dvc_vec3 inverse_moments, dvc_vec3 momentum)
{
    dvc_vec3 w = motion_by_moments(q, inverse_moments, momentum);
    dvc_quat rate;
    rate.w = 0;
    rate.x = w.x / 2;
    rate.y = w.y / 2;
    rate.z = w.z / 2;
    return oracle_compose(rate, q);
}

static dvc_quat body_quat_along(dvc_quat q, dvc_quat d, double s)
{
    q.w += (dvc_real)s * d.w;
    q.x += (dvc_real)s * d.x;
    q.y += (dvc_real)s * d.y;
    q.z += (dvc_real)s * d.z;
    return q;
}

/* Where a body that nothing acts on is after n steps of Runge and Kutta. */
static dvc_quat body_reference(const dvc_body *body, double h, int n)
{
    dvc_vec3 momentum = motion_spin_momentum(body), j = motion_inverse_moments(body);
    dvc_quat q = body->orientation;
    while (n-- > 0) {
        dvc_quat a = body_rate(q, j, momentum), b = body_rate(body_quat_along(q, a, h / 2), j, momentum);
        dvc_quat c = body_rate(body_quat_along(q, b, h / 2), j, momentum), d = body_rate(body_quat_along(q, c, h), j, momentum);
        q = body_quat_along(body_quat_along(body_quat_along(body_quat_along(q, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    return q;
}

/* How far a copy of the scene's body is from `truth` after `seconds`. */
static double body_error_after(scene *s, dvc_quat truth, double h, double seconds)
{
    dvc_body start = s->bodies[0];
    double error;
    body_steps(s, h, (int)(seconds / h + 0.5));
    error = motion_turned(s->bodies[0].orientation, truth);
    s->bodies[0] = start;
    return error;
}

/* The error of its orientation falls with the square of h: after 20 s and some tumbles, it is small and quarters. */
static void the_way_of_a_tumbling_body_is_of_second_order(void)
{
    scene *s = body_tumbler();
    dvc_quat truth = body_reference(&s->bodies[0], 1e-3, 20000);
    double coarse = body_error_after(s, truth, 0.02, 20), middle = body_error_after(s, truth, 0.01, 20);
    double fine = body_error_after(s, truth, 0.005, 20);
    CHECK(middle <= 1e-3 && middle > 1e-8);
    CHECK_NEAR(coarse / middle, 4, 0.2);
    CHECK_NEAR(middle / fine, 4, 0.1);
    scene_free(s);
}

/* Moments a, a, c: the body turns about its momentum L by |L| t / a, and before that about its own axis by (a - c) / a w_3 t. */
static void a_symmetric_top_precesses_as_it_should(void)
{
    double a = 2, c = 0.5, seconds = 3, error[2];
    scene *s = body_scene(1, false);
    dvc_body *body = &s->bodies[0];
    dvc_vec3 own = v3(0.7, 0, 5), momentum;
    dvc_quat truth;
    int k;
    body->inertia = v3(a, a, c);
    body->orientation = dvc_quat_turn(v3(3, -1, 2), 2);
    body->angular_velocity = oracle_turn(body->orientation, own);
    momentum = motion_spin_momentum(body);
    truth = oracle_compose(body->orientation, motion_exp(v3(0, 0, (a - c) / a * (double)own.z * seconds)));
    truth = oracle_compose(motion_exp(oracle_scaled(momentum, seconds / a)), truth);
    for (k = 0; k < 2; k++) error[k] = body_error_after(s, truth, k ? 0.005 : 0.01, seconds);
    CHECK(error[0] <= 2e-3);
    CHECK_NEAR(error[0] / error[1], 4, 0.05);
    for (k = 0; k < 1000; k++) { /* the axis keeps its angle to L, the spin about it its speed */
        dvc_vec3 axis;
        body_steps(s, 0.01, 1);
        axis = oracle_turn(body->orientation, v3(0, 0, 1));
        CHECK_NEAR(oracle_dot(axis, momentum), c * (double)own.z, 1e-11);
        CHECK_NEAR(oracle_dot(axis, body->angular_velocity), own.z, 1e-11);
    }
    scene_free(s);
}

/* Any spin, however fast. */
static void orientations_stay_unit_quaternions(void)
{
    int seed, i;
    for (seed = 0; seed < 50; seed++) {
        scene *s = body_scene(1, false);
        test_seed((uint64_t)seed);
        s->bodies[0].inertia = test_vec(test_random(1, 2), test_random(1, 2), test_random(1, 2));
        s->bodies[0].angular_velocity = motion_vec(pow(10, test_random(-3, 3)), false);
        s->bodies[0].orientation = seed % 2 ? trial_turn(false, 3) : s->bodies[0].orientation; /* all zero: the identity */
        if (seed % 4 == 1) s->bodies[0].orientation.w *= 5;
        for (i = 0; i < 200; i++) {
            body_steps(s, 0.01, 1);
            CHECK(body_norm_error(s->bodies[0].orientation) <= 5e-16);
        }
        scene_free(s);
    }
}

static void a_particle_never_turns(void)
{
    scene *s = body_scene(1, false);
    s->bodies[0].inertia = scene_zero;
    s->bodies[0].torque = v3(1, 2, 3);
    s->bodies[0].angular_velocity = v3(1, 2, 3);
    s->bodies[0].orientation = dvc_quat_turn(v3(1, 1, 0), 1);
    body_steps(s, 0.1, 10);
    CHECK(motion_turned(s->bodies[0].orientation, dvc_quat_turn(v3(1, 1, 0), 1)) <= 1e-15);
    scene_free(s);
}

/* ---- bodies that are moved as told ---- */

/* A screw along a circle; `user` holds its speed. */
static void body_circling(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    double angle = *(const double *)user * (double)t;
    *position = v3(3 * cos(angle), 3 * sin(angle), (double)t);
    *orientation = dvc_quat_turn(v3(1, 2, 2), (dvc_real)(2 * angle));
}

static double body_circling_speed = 0.7;

static dvc_quat body_circling_turn(double t)
{
    return dvc_quat_turn(v3(1, 2, 2), (dvc_real)(2 * body_circling_speed * t));
}

/* The pose is the motion's at the step's end. Velocities are those there, by differences over h / 32: in the direction of the circle's
 * tangent, as fast as its chord. The literature's step has those of the whole step instead. Times and places
 * of up to 8 are rounded to 4.4e-16, and so are the two that a difference is of. */
static void body_check_motion(bool literature)
{
    scene *s = body_scene(1, false);
    dvc_body *body = &s->bodies[0];
    double h = 0.02, over = literature ? h : h / 32, middle = literature ? h / 2 : 0, rounding = literature ? 1e-12 : 4 * 8.9e-16 / over;
    double chord = 2 * 3 * sin(body_circling_speed * over / 2) / over;
    int i;
    s->world.semi_implicit = literature;
    body->kind = DVC_KINEMATIC;
    body->motion = body_circling;
    body->user = &body_circling_speed;
    body->force = body->torque = v3(100, 100, 100);
    body->mass = 0;
    s->world.gravity = v3(0, 0, -BODY_G);
    s->world.time = 5;
    for (i = 0; i < 100; i++) {
        dvc_vec3 x;
        dvc_quat q;
        double angle;
        body_steps(s, h, 1);
        body_circling(&body_circling_speed, (dvc_real)s->world.time, &x, &q);
        CHECK(memcmp(&body->position, &x, sizeof x) == 0);
        q = dvci_quat_unit(q);
        CHECK(memcmp(&body->orientation, &q, sizeof q) == 0);
        angle = body_circling_speed * (s->world.time - middle);
        CHECK(motion_apart(body->velocity, v3(-chord * sin(angle), chord * cos(angle), 1)) <= rounding);
        CHECK(motion_apart(body->angular_velocity, oracle_scaled(v3(1, 2, 2), 2 * body_circling_speed / 3)) <= rounding);
    }
    CHECK_NEAR(motion_turned(body->orientation, body_circling_turn(7)), 0, 1e-13);
    scene_free(s);
}

static void a_motion_is_followed_to_the_bit(void)
{
    body_check_motion(false);
    body_check_motion(true);
}

/* It finds the pose that its body has, and may leave parts of it alone. */
static void body_only_turning(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)position;
    *orientation = dvc_quat_turn(v3(0, 0, 1), t);
}

static void body_check_partial_motion(bool literature)
{
    scene *s = body_scene(1, true);
    dvc_body *body = &s->bodies[0];
    s->world.semi_implicit = literature;
    body->kind = DVC_KINEMATIC;
    body->motion = body_only_turning;
    body->position = v3(4, 5, 0);
    body_steps(s, 0.25, 4);
    CHECK(body->position.x == 4 && body->position.y == 5 && body->velocity.x == 0);
    CHECK_NEAR(body->angular_velocity.z, 1, literature ? 1e-14 : 1e-14 * 32); /* differences over h / 32 */
    CHECK_NEAR(body->orientation.z, sin(0.5), 1e-15);
    scene_free(s);
}

static void a_motion_may_leave_the_pose_as_it_finds_it(void)
{
    body_check_partial_motion(false);
    body_check_partial_motion(true);
}

/* Its velocities stay, to the bit, and carry it, though it is heavy with force and hit by a ball. */
static void a_kinematic_body_without_motion_goes_by_its_velocity(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    dvc_body *body = &s->bodies[0];
    dvc_vec3 v = v3(1, 2, -0.5), w = v3(0.3, -0.2, 2), x = v3(0, 0, 0);
    dvc_quat q = dvc_quat_turn(v3(1, 0, 1), 1);
    scene_box(s, DVC_KINEMATIC, v3(1, 1, 1), x, 0, 0.5);
    scene_sphere(s, 0.5, v3(0, 0, 1.6), 1, 0.5);
    body->velocity = v;
    body->angular_velocity = w;
    body->orientation = q;
    body->force = body->torque = v3(7, 8, 9);
    body_steps(s, 0.01, 50);
    CHECK(memcmp(&body->velocity, &v, sizeof v) == 0 && memcmp(&body->angular_velocity, &w, sizeof w) == 0);
    CHECK(motion_apart(body->position, oracle_scaled(v, 0.5)) <= 1e-14);
    CHECK(motion_turned(body->orientation, oracle_compose(motion_exp(oracle_scaled(w, 0.5)), q)) <= 1e-14);
    CHECK(oracle_norm(s->bodies[1].velocity) > 0.1);
    scene_free(s);
}

/* Not one bit of it, though it is given velocity and force, and is hit. */
static void a_static_body_never_moves(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    dvc_body before;
    scene_box(s, DVC_STATIC, v3(1, 1, 1), scene_zero, 0, 0.5);
    scene_sphere(s, 0.5, v3(0.2, 0.1, 1.6), 1, 0.5);
    s->bodies[0].velocity = s->bodies[0].angular_velocity = s->bodies[0].force = v3(1, 2, 3);
    before = s->bodies[0];
    body_steps(s, 0.01, 50);
    CHECK(memcmp(&s->bodies[0], &before, sizeof before) == 0);
    CHECK(s->world.contact_count == 1);
    CHECK_NEAR(s->world.contacts[0].gap, 0, 1e-12);
    CHECK(oracle_norm(s->bodies[1].velocity) <= 1e-9); /* what lies on it is not carried, either */
    scene_free(s);
}

static void empty_slots_of_bodies_are_left_alone(void)
{
    int kind;
    for (kind = DVC_DYNAMIC; kind <= DVC_KINEMATIC; kind++) {
        scene *s = body_scene(1, false);
        dvc_body before;
        s->bodies[0].kind = (dvc_body_kind)kind;
        s->bodies[0].disabled = true;
        s->bodies[0].mass = -1;
        s->bodies[0].velocity = s->bodies[0].force = v3(1, 2, 3);
        before = s->bodies[0];
        body_steps(s, 0.01, 3);
        CHECK(memcmp(&s->bodies[0], &before, sizeof before) == 0);
        scene_free(s);
    }
}

/* ---- moving tables ---- */

/* A turning table about the origin, by velocity or by motion, and a box on it. */
static void body_table_turning(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)position;
    *orientation = dvc_quat_turn(v3(0, 0, 1), *(const dvc_real *)user * t);
}

static dvc_real body_table_speed = 1;

static scene *body_on_table(double radius, double friction, bool by_motion)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    scene_box(s, DVC_KINEMATIC, v3(5, 5, 0.5), v3(0, 0, -0.5), 0, friction);
    s->bodies[0].angular_velocity = v3(0, 0, (double)body_table_speed);
    s->bodies[0].motion = by_motion ? body_table_turning : NULL;
    s->bodies[0].user = &body_table_speed;
    scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), v3(radius, 0, 0.1), 1, friction);
    s->bodies[1].velocity = v3(0, radius * (double)body_table_speed, 0);
    s->bodies[1].angular_velocity = v3(0, 0, (double)body_table_speed);
    return s;
}

/* Below mu g = w^2 r it goes round with the table and stays at its radius, but for the step along the tangent: w^2 h t / 2 of
 * it. That falls with h. */
static void a_body_on_a_turning_table_goes_round_with_it(void)
{
    int by_motion, k;
    for (by_motion = 0; by_motion < 2; by_motion++)
        for (k = 0; k < 2; k++) {
            double h = k ? 0.005 : 0.01, radius;
            scene *s = body_on_table(1.5, 0.5, by_motion);
            const dvc_body *body = &s->bodies[1];
            body_steps(s, h, (int)(2 / h + 0.5));
            radius = oracle_norm(v3((double)body->position.x, (double)body->position.y, 0));
            CHECK(radius >= 1.5 - 1e-9 && radius <= 1.5 * (1 + 1.1 * h * 2 / 2));
            CHECK_NEAR(atan2((double)body->position.y, (double)body->position.x), 2, 2 * h);
            CHECK_NEAR(body->angular_velocity.z, 1, 1e-6);
            CHECK_NEAR(body->position.z, 0.1, 1e-9);
            scene_free(s);
        }
}

/* Above it, it slips outward. */
static void a_body_on_a_table_that_turns_too_fast_slips_off(void)
{
    scene *s = body_on_table(3, 0.2, false); /* mu g = 1.96, w^2 r = 3 */
    body_steps(s, 0.01, 200);
    CHECK(oracle_norm(v3((double)s->bodies[1].position.x, (double)s->bodies[1].position.y, 0)) > 3.5);
    CHECK_NEAR(s->bodies[1].position.z, 0.1, 1e-9);
    scene_free(s);
}

/* A door about y sweeps up a ball that floats over its far end: at the end of each step it touches, and it goes no faster than
 * the door, plus what the first touch within a step may add. `flip`: the door is the second body. */
static void body_check_door(dvc_shape_kind kind, bool flip, bool by_epsilon)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    int i, door = flip, ball = !flip;
    oracle_solid a, b;
    s->world.gravity = scene_zero;
    s->world.epsilon = (dvc_real)(by_epsilon ? 1 : 0);
    if (flip) scene_sphere(s, 0.1, v3(10, 0, 0.15), 1, 0);
    scene_add(s, DVC_KINEMATIC, kind, scene_zero, 0);
    s->shapes[door].half = v3(20, 20, 1);
    s->shapes[door].normal = v3(0, 0, 1);
    if (kind == DVC_BOX) s->shapes[door].position = v3(0, 0, -1);
    if (!flip) scene_sphere(s, 0.1, v3(10, 0, 0.15), 1, 0);
    s->bodies[door].angular_velocity = v3(0, -1, 0);
    for (i = 0; i < 5; i++) {
        body_steps(s, 0.01, 1);
        oracle_shape(&s->world, 0, &a);
        oracle_shape(&s->world, 1, &b);
        CHECK(oracle_gap(&a, &b) >= -1e-9 && s->world.report.halvings == 0); /* what drives may push as it likes */
        CHECK(oracle_norm(s->bodies[ball].velocity) <= 10.1);
    }
    CHECK(s->bodies[ball].velocity.z > 9.9);
    scene_free(s);
}

static void a_turning_body_pushes_as_fast_as_it_turns(void)
{
    int flip;
    for (flip = 0; flip < 2; flip++) {
        body_check_door(DVC_BOX, flip, true);
        body_check_door(DVC_BOX, flip, false);
        body_check_door(DVC_PLANE, flip, true);
    }
}

/* What a half-space reaches by turning depends on how far away the others are. */
static void a_turning_half_space_is_foreseen_everywhere(void)
{
    body_check_door(DVC_PLANE, false, false);
    body_check_door(DVC_PLANE, true, false);
}

/* ---- words for poses ---- */

static void turns_and_points_are_what_they_say(void)
{
    dvc_body body;
    dvc_quat q = dvc_quat_turn(v3(0, 0, 7), (dvc_real)(TRIAL_PI / 2));
    int trial;
    test_seed(1);
    CHECK(motion_apart(oracle_turn(q, v3(1, 2, 3)), v3(-2, 1, 3)) <= 1e-15);
    q = dvc_quat_turn(scene_zero, 1);
    CHECK(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
    memset(&body, 0, sizeof body);
    body.position = v3(1, 2, 3);
    CHECK(motion_apart(dvc_body_point(&body, v3(4, 5, 6)), v3(5, 7, 9)) == 0); /* all zero: the identity */
    for (trial = 0; trial < 100; trial++) {
        dvc_vec3 axis = motion_vec(10, false), p = motion_vec(3, false);
        double angle = test_random(-7, 7);
        body.orientation = dvc_quat_turn(axis, (dvc_real)angle);
        CHECK(body_norm_error(body.orientation) <= 5e-16);
        CHECK(motion_turned(body.orientation, motion_exp(oracle_scaled(oracle_unit(axis), angle))) <= 2e-15);
        CHECK(motion_apart(dvc_body_point(&body, p), oracle_along(body.position, oracle_turn(body.orientation, p), 1)) <= 4e-15);
    }
}

static void suite_body(void)
{
    test_state.suite = "body";
    RUN(a_constant_force_makes_the_parabola);
    RUN(the_literature_s_step_leads_the_parabola_by_half_a_step);
    RUN(impulses_of_forces_and_torques_add_up);
    RUN(a_torque_about_a_principal_axis_speeds_up_the_turn);
    RUN(a_force_at_a_point_is_the_force_and_its_moment);
    RUN(planar_bodies_stay_in_their_plane);
    RUN(turns_about_principal_axes_are_exact);
    RUN(a_tumbling_body_keeps_energy_and_momentum);
    RUN(the_way_of_a_tumbling_body_is_of_second_order);
    RUN(a_symmetric_top_precesses_as_it_should);
    RUN(orientations_stay_unit_quaternions);
    RUN(a_particle_never_turns);
    RUN(a_motion_is_followed_to_the_bit);
    RUN(a_motion_may_leave_the_pose_as_it_finds_it);
    RUN(a_kinematic_body_without_motion_goes_by_its_velocity);
    RUN(a_static_body_never_moves);
    RUN(empty_slots_of_bodies_are_left_alone);
    RUN(a_body_on_a_turning_table_goes_round_with_it);
    RUN(a_body_on_a_table_that_turns_too_fast_slips_off);
    RUN(a_turning_body_pushes_as_fast_as_it_turns);
    RUN(a_turning_half_space_is_foreseen_everywhere);
    RUN(turns_and_points_are_what_they_say);
}
