/* Joints beyond hinges and slides: rods and ropes, shoulders, universal joints, six freedoms one by one, gears. Judged by closed
 * forms, by other joints that hold the same, by conservation laws and by reference motions.
 *
 * Included by the main file of the tests after test_joint.c, whose words it uses. */

/* ---- rods and ropes ---- */

static double kinds_length(const scene *s, int joint) { return oracle_norm(machine_gap(s, &s->world.joints[joint])); }

/* A ball of mass 1 on a rod or rope of length 1 that leads to the origin. */
static scene *kinds_ball(bool rope, dvc_vec3 at, dvc_vec3 velocity, bool planar)
{
    scene *s = machine_make(2, 1, 0, planar);
    dvc_joint *j = &s->world.joints[0];
    machine_body(s, at, 1, v3(0.1, 0.1, 0.1));
    s->bodies[1].velocity = velocity;
    j->kind = DVC_DISTANCE;
    j->body_b = 1;
    j->slide.limited = true;
    j->slide.lower = rope ? 0 : 1;
    j->slide.upper = 1;
    s->world.joint_count = 1;
    return s;
}

static void kinds_pendulum(const double *x, double *rate)
{
    rate[0] = x[1];
    rate[1] = -9.81 * sin(x[0]);
}

static void a_ball_on_a_rod_is_a_pendulum(void)
{
    int k, planar;
    for (planar = 0; planar < 2; planar++) {
        double state[2], off[2];
        state[0] = 1;
        state[1] = 0;
        machine_follow(kinds_pendulum, state, 2, 1);
        for (k = 0; k < 2; k++) {
            double h = k ? 0.001 : 0.002, energy;
            dvc_vec3 down = planar ? v3(0, -1, 0) : v3(0, 0, -1);
            scene *s = kinds_ball(false, oracle_along(oracle_scaled(joint_x, sin(1)), down, cos(1)), scene_zero, planar);
            if (planar) s->world.gravity = v3(0, -9.81, 0);
            energy = (double)dvc_energy(&s->world);
            joint_run(s, h, (int)(1 / h + 0.5));
            CHECK_NEAR(kinds_length(s, 0), 1, 1e-12);
            CHECK_NEAR(s->world.joints[0].slide.position, 1, 1e-12);
            CHECK(dvc_joint_error(&s->world, 0) <= 1e-12);
            CHECK(fabs((double)dvc_energy(&s->world) - energy) <= 10 * h);
            off[k] = motion_apart(s->bodies[1].position, oracle_along(oracle_scaled(joint_x, sin(state[0])), down, cos(state[0])));
            machine_free(s);
        }
        CHECK(off[0] <= 0.02);
        CHECK(off[0] / off[1] >= 1.8);
    }
}

/* Slack, a ball flies as if there were no rope; taut, it is held. */
static void a_rope_is_slack_or_taut(void)
{
    int seed, i;
    for (seed = 1; seed <= 40; seed++) {
        scene *s, *alone = machine_make(2, 1, 0, seed % 2);
        dvc_vec3 velocity;
        bool was_taut = false;
        int taut = 0;
        test_seed((uint64_t)seed);
        velocity = motion_vec(3, seed % 2); /* before the place, with any compiler */
        s = kinds_ball(true, motion_vec(0.5, seed % 2), velocity, seed % 2);
        machine_body(alone, s->bodies[1].position, 1, v3(0.1, 0.1, 0.1));
        alone->bodies[1].velocity = s->bodies[1].velocity;
        alone->world.gravity = s->world.gravity = seed % 2 ? v3(0, -9.81, 0) : v3(0, 0, -9.81);
        for (i = 0; i < 300; i++) {
            joint_run(s, 0.005, 1);
            joint_run(alone, 0.005, 1);
            CHECK(kinds_length(s, 0) <= 1 + 1e-10);
            was_taut = was_taut || oracle_norm(s->world.joints[0].impulse) > 0;
            taut += kinds_length(s, 0) > 1 - 1e-9;
            CHECK((double)s->world.joints[0].slide.impulse <= 0);
            if (!was_taut) CHECK(motion_apart(s->bodies[1].position, alone->bodies[1].position) <= 1e-12);
        }
        CHECK(was_taut && taut > 10);
        machine_free(s);
        machine_free(alone);
    }
}

/* A rope between two bodies that fly apart: momentum stays, and they go on together. */
static void a_rope_between_two_bodies_keeps_momentum(void)
{
    scene *s = machine_make(3, 1, 0, false);
    dvc_vec3 p, l, p_end, l_end;
    dvc_joint *j = &s->world.joints[0];
    s->world.gravity = scene_zero;
    machine_body(s, v3(0, 0, 0), 1, v3(0.1, 0.2, 0.25));
    machine_body(s, v3(1, 0, 0), 3, v3(0.2, 0.1, 0.25));
    s->bodies[2].velocity = v3(2, 1, -1);
    s->bodies[1].angular_velocity = v3(1, 2, 3);
    j->kind = DVC_DISTANCE;
    j->body_a = 1;
    j->body_b = 2;
    j->anchor_a = v3(0.1, 0.1, 0);
    j->anchor_b = v3(0, -0.1, 0.2);
    j->slide.limited = true;
    j->slide.upper = (dvc_real)1.5;
    s->world.joint_count = 1;
    dvc_momentum(&s->world, &p, &l);
    joint_run(s, 0.005, 400);
    dvc_momentum(&s->world, &p_end, &l_end);
    CHECK(motion_apart(p, p_end) <= 1e-11);
    CHECK(motion_apart(l, l_end) <= 1e-10);
    CHECK(kinds_length(s, 0) <= 1.5 + 1e-10);
    machine_free(s);
}

/* A winch: a distance that a drive shortens. */
static void a_winch_hoists_a_load(void)
{
    scene *s = kinds_ball(true, v3(0, 0, -1), scene_zero, false);
    dvc_axis *slide = &s->world.joints[0].slide;
    slide->damping = 1e6;
    slide->speed = (dvc_real)-0.25;
    joint_run(s, 0.01, 200);
    CHECK_NEAR(s->bodies[1].position.z, -0.5, 1e-4);
    CHECK_NEAR(slide->impulse, -9.81 * 0.01, 1e-6);
    machine_free(s);
}

/* ---- shoulders ---- */

static double kinds_swing(const scene *s, int joint)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_vec3 a = oracle_turn(machine_frame(s, j->body_a, j->frame_a), joint_z), b = oracle_turn(machine_frame(s, j->body_b, j->frame_b), joint_z);
    return atan2(oracle_norm(oracle_cross(a, b)), oracle_dot(a, b));
}

/* The twist that is left once b's z is swung back to a's the shortest way. */
static double kinds_twist(const scene *s, int joint)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_quat q = oracle_compose(motion_inverse(machine_frame(s, j->body_a, j->frame_a)), machine_frame(s, j->body_b, j->frame_b));
    return remainder(2 * atan2((double)q.z, (double)q.w), 2 * TRIAL_PI);
}

static void a_shoulder_keeps_within_its_cone_and_its_twist(void)
{
    int seed, i;
    for (seed = 1; seed <= 40; seed++) {
        scene *s = machine_make(2, 1, 0, false);
        dvc_joint *j = &s->world.joints[0];
        double cone, twist, most = 0, twisted = 0;
        test_seed((uint64_t)seed);
        cone = test_random(0.2, 2.5);
        twist = test_random(0.2, 2);
        s->world.gravity = motion_vec(20, false);
        machine_body(s, v3(0, 0, -0.5), 1, v3(0.1, 0.12, 0.02));
        machine_join(s, DVC_SPHERICAL, 0, 1, scene_zero, joint_z);
        s->bodies[1].angular_velocity = motion_vec(4, false);
        s->bodies[1].velocity = oracle_cross(s->bodies[1].angular_velocity, s->bodies[1].position);
        s->bodies[1].angular_damping = 1;
        j->swing = (dvc_real)cone;
        j->turn.limited = true;
        j->turn.lower = (dvc_real)-twist;
        j->turn.upper = (dvc_real)twist;
        for (i = 0; i < 300; i++) {
            joint_run(s, 0.005, 1);
            most = fmax(most, kinds_swing(s, 0));
            twisted = fmax(twisted, fabs(kinds_twist(s, 0)));
            CHECK_NEAR(remainder((double)j->turn.position - kinds_twist(s, 0), 2 * TRIAL_PI), 0, 1e-9);
            CHECK(machine_apart(s, 0) <= 1e-11);
        }
        CHECK(most <= cone + 1e-9);
        CHECK(twisted <= twist + 1e-9);
        machine_free(s);
    }
}

/* A body that spins about its own axis in a shoulder turns as in a hinge: the twist counts on. */
static void a_twist_counts_on_past_full_turns(void)
{
    scene *s = machine_make(2, 1, 0, false);
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 1, v3(0.1, 0.1, 0.1));
    machine_join(s, DVC_SPHERICAL, 0, 1, scene_zero, joint_z);
    s->bodies[1].angular_velocity.z = 7;
    joint_run(s, 0.01, 300);
    CHECK_NEAR(s->world.joints[0].turn.position, 21, 1e-9);
    CHECK_NEAR(s->world.joints[0].turn.velocity, 7, 1e-11);
    machine_free(s);
}

/* ---- universal joints ---- */

/* Two shafts at an angle `bend`: turned by x, the other one has turned by atan2(sin x, cos bend cos x), or the other way round,
 * depending on how the cross lies at the start. */
static void a_universal_joint_turns_its_shafts_as_hooke_found(void)
{
    double bend;
    for (bend = 0.1; bend < 1.2; bend += 0.25) {
        scene *s = machine_make(3, 3, 0, false);
        dvc_vec3 other = v3(cos(bend), 0, sin(bend));
        dvc_joint *j = s->world.joints;
        double x, y, worst[2] = { 0, 0 };
        int i, k;
        s->world.gravity = scene_zero;
        machine_body(s, v3(-0.5, 0, 0), 1, v3(0.02, 0.1, 0.1));
        machine_body(s, oracle_scaled(other, 0.5), 1, v3(0.05, 0.05, 0.05));
        machine_join(s, DVC_REVOLUTE, 0, 1, v3(-1, 0, 0), joint_x);
        machine_join(s, DVC_REVOLUTE, 0, 2, other, other);
        machine_join(s, DVC_UNIVERSAL, 1, 2, scene_zero, joint_x);
        { /* z of its frame on body 2 is that shaft: x and y of the cross stay where they are */
            dvc_quat turn = dvc_quat_turn(joint_y, (dvc_real)-bend);
            j[2].frame_b = oracle_compose(turn, machine_frame(s, 2, j[2].frame_b));
        }
        j[0].turn.speed = 3;
        j[0].turn.effort = DVC_INFINITY;
        for (i = 0; i < 300; i++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            x = (double)j[0].turn.position;
            y = (double)j[1].turn.position;
            for (k = 0; k < 4; k++) {
                double from = x + k / 2 * TRIAL_PI / 2, to = y + k / 2 * TRIAL_PI / 2;
                double hooke = k % 2 ? atan2(sin(from), cos(bend) * cos(from)) : atan2(sin(from) * cos(bend), cos(from));
                if (k < 2) worst[k] = fmax(worst[k], fabs(remainder(to - hooke, 2 * TRIAL_PI)));
            }
        }
        CHECK_NEAR(x, 9, 1e-9);
        CHECK(fmin(worst[0], worst[1]) <= 1e-8);
        CHECK(fabs(y - x) <= 1);
        machine_free(s);
    }
}

/* ---- six freedoms ---- */

static void kinds_free(dvc_vec3 *lower, dvc_vec3 *upper, int k)
{
    *(k == 0 ? &lower->x : k == 1 ? &lower->y : &lower->z) = -DVC_INFINITY;
    *(k == 0 ? &upper->x : k == 1 ? &upper->y : &upper->z) = DVC_INFINITY;
}

/* A generic joint that leaves free what another kind does moves as that one. */
static void a_generic_joint_is_any_other(void)
{
    static const dvc_joint_kind kinds[6] = { DVC_FIXED, DVC_REVOLUTE, DVC_PRISMATIC, DVC_CYLINDRICAL, DVC_SPHERICAL, DVC_UNIVERSAL };
    static const char *const leaves[6] = { "------", "-----z", "--z---", "--z--z", "---xyz", "---xy-" };
    int kind, k, seed;
    for (seed = 1; seed <= 4; seed++)
        for (kind = 0; kind < 6; kind++) {
            scene *s[2];
            for (k = 0; k < 2; k++) {
                dvc_joint *j;
                int i;
                test_seed((uint64_t)(seed * 10 + kind));
                s[k] = machine_make(3, 2, 0, false);
                joint_random_body(s[k], v3(0.2, 0.1, -0.3), 0.5);
                joint_random_body(s[k], v3(0.5, 0.2, -0.9), 0.5);
                machine_join(s[k], DVC_SPHERICAL, 0, 1, scene_zero, joint_z);
                machine_join(s[k], k ? DVC_GENERIC : kinds[kind], 1, 2, v3(0.4, 0.1, -0.6), trial_direction(false));
                s[k]->bodies[2].angular_velocity = motion_vec(1, false);
                j = &s[k]->world.joints[1];
                for (i = 0; i < 6 && k == 1; i++)
                    if (leaves[kind][i] != '-')
                        kinds_free(i < 3 ? &j->slide_lower : &j->turn_lower, i < 3 ? &j->slide_upper : &j->turn_upper, i % 3);
                joint_run(s[k], 0.002, 150);
                CHECK(dvc_joint_error(&s[k]->world, 1) <= 1e-11);
            }
            CHECK(motion_apart(s[0]->bodies[2].position, s[1]->bodies[2].position) <= 1e-6);
            CHECK(motion_turned(s[0]->bodies[2].orientation, s[1]->bodies[2].orientation) <= 1e-6);
            CHECK_NEAR(s[0]->world.joints[1].slide.position, s[1]->world.joints[1].slide.position, 1e-6);
            machine_free(s[0]);
            machine_free(s[1]);
        }
}

/* Each freedom by itself, pushed: free it moves as a free body, limited it stops where it should, locked it stays where it is put. */
static void each_freedom_of_a_generic_joint_is_free_limited_or_locked(void)
{
    int way, state;
    for (way = 0; way < 6; way++)
        for (state = 0; state < 3; state++) {
            scene *s = machine_make(2, 1, 0, false);
            dvc_joint *j = &s->world.joints[0];
            dvc_vec3 *low = way < 3 ? &j->slide_lower : &j->turn_lower, *high = way < 3 ? &j->slide_upper : &j->turn_upper;
            dvc_real *lower = way % 3 == 0 ? &low->x : way % 3 == 1 ? &low->y : &low->z;
            dvc_real *upper = way % 3 == 0 ? &high->x : way % 3 == 1 ? &high->y : &high->z;
            double moved;
            s->world.gravity = scene_zero;
            machine_body(s, scene_zero, 2, v3(2, 2, 2));
            machine_join(s, DVC_GENERIC, 0, 1, scene_zero, joint_z);
            j->frame_a = j->frame_b; /* both the world's */
            j->frame_a.w = j->frame_b.w = 1;
            j->frame_a.x = j->frame_a.y = j->frame_a.z = j->frame_b.x = j->frame_b.y = j->frame_b.z = 0;
            *lower = state == 0 ? -DVC_INFINITY : state == 1 ? (dvc_real)-0.1 : (dvc_real)0.2;
            *upper = state == 0 ? DVC_INFINITY : state == 1 ? (dvc_real)0.3 : (dvc_real)0.2;
            *(way < 3 ? &s->bodies[1].force : &s->bodies[1].torque) = motion_axis(way % 3, 2);
            joint_run(s, 0.01, 100);
            moved = way < 3 ? oracle_norm(s->bodies[1].position) : motion_turned(dvc_quat_turn(joint_x, 0), s->bodies[1].orientation);
            CHECK_NEAR(moved, state == 0 ? 0.505 : state == 1 ? 0.3 : 0.2, 1e-9);
            CHECK(dvc_joint_error(&s->world, 0) <= 1e-11);
            machine_free(s);
        }
}

/* ---- gears ---- */

static int kinds_gear(scene *s, int a, int b, double ratio)
{
    int i = s->world.joint_count++;
    dvc_joint *j = &s->world.joints[i];
    j->kind = DVC_GEAR;
    j->joint_a = a;
    j->joint_b = b;
    j->ratio = (dvc_real)ratio;
    return i;
}

/* Fingers that mirror each other on a hand that floats: T = (M + 2 m) V^2 / 2 + m q'^2. */
static void fingers_mirror_each_other_on_a_hand_that_floats(void)
{
    scene *s = machine_make(4, 3, 0, false);
    dvc_joint *j = s->world.joints;
    dvc_vec3 p, l;
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 0.5, v3(0.1, 0.1, 0.1)); /* lighter than its fingers */
    machine_body(s, v3(0.1, 0, 0), 2, v3(0.1, 0.1, 0.1));
    machine_body(s, v3(-0.1, 0, 0), 2, v3(0.1, 0.1, 0.1));
    machine_join(s, DVC_PRISMATIC, 1, 2, s->bodies[2].position, joint_x);
    machine_join(s, DVC_PRISMATIC, 1, 3, s->bodies[3].position, joint_x);
    kinds_gear(s, 0, 1, -1);
    j[0].slide.force = (dvc_real)0.5; /* on finger and hand */
    joint_run(s, 0.01, 100);
    dvc_momentum(&s->world, &p, &l);
    CHECK(oracle_norm(p) <= 1e-12 && oracle_norm(l) <= 1e-12);
    CHECK_NEAR(j[0].slide.position + j[1].slide.position, 0, 1e-12);
    CHECK_NEAR(j[0].slide.velocity, 0.5 / (2 * 2), 1e-9);
    CHECK_NEAR(s->bodies[1].velocity.x, 0, 1e-9);
    CHECK_NEAR(j[2].turn.impulse, -0.01 * 0.25, 1e-9); /* half of the force goes on to the other finger */
    j[0].slide.force = 0;
    s->bodies[2].force.x = 1; /* from outside, on one finger */
    for (j[0].slide.velocity = 0; s->world.time < 1.995;) joint_run(s, 0.01, 1);
    CHECK_NEAR(s->bodies[1].velocity.x, 1 / 4.5, 1e-6);
    CHECK_NEAR(j[0].slide.velocity, 0.125 + 1.0 / 4, 1e-6);
    CHECK_NEAR(j[0].slide.position + j[1].slide.position, 0, 1e-12);
    machine_free(s);
}

/* A pinion on a rack: I a = t - r F, m r a = F; and a screw, whose turn and slide are one. */
static void a_rack_and_a_screw_move_as_their_inertias_say(void)
{
    scene *s = machine_make(3, 3, 0, false);
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 1, v3(0.2, 0.2, 0.3));
    machine_body(s, v3(0, 0.1, 0), 2, v3(0.2, 0.2, 0.3));
    machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_z);
    machine_join(s, DVC_PRISMATIC, 0, 2, s->bodies[2].position, joint_x);
    kinds_gear(s, 0, 1, -0.25);
    s->bodies[1].torque.z = 1;
    joint_run(s, 0.01, 100);
    CHECK_NEAR(s->world.joints[0].turn.velocity, 1 / (0.3 + 2 * 0.25 * 0.25), 1e-10);
    CHECK_NEAR(s->world.joints[1].slide.position, -0.25 * (double)s->world.joints[0].turn.position, 1e-12);
    machine_free(s);
    s = machine_make(2, 2, 0, false);
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 2, v3(0.2, 0.2, 0.3));
    machine_join(s, DVC_CYLINDRICAL, 0, 1, scene_zero, joint_z);
    kinds_gear(s, 0, 0, 0.1);
    s->bodies[1].force.z = 3;
    joint_run(s, 0.01, 100);
    CHECK_NEAR(s->world.joints[0].slide.velocity, 3 / (2 + 0.3 / 0.01), 1e-10);
    CHECK_NEAR(s->world.joints[0].slide.position, 0.1 * (double)s->world.joints[0].turn.position, 1e-12);
    machine_free(s);
}

/* Machines that float: two joints anywhere in a tree, coupled. Momentum stays, and so does the ratio. */
static void gears_in_free_machines_hold_and_keep_momentum(void)
{
    int seed, i, k;
    for (seed = 1; seed <= 60; seed++) {
        dvc_joint_kind kinds[7];
        scene *s;
        dvc_vec3 p, l, p_end, l_end;
        int joints, pair[2] = { 0, 1 };
        double ratio, start;
        test_seed((uint64_t)seed);
        for (k = 0; k < 7; k++) kinds[k] = (dvc_joint_kind)(DVC_REVOLUTE + (seed + k) % 3);
        s = joint_random_tree(6, 1, seed % 3 == 0, kinds);
        joints = s->world.joint_count;
        pair[0] = (int)test_random(0, joints - 0.01);
        do pair[1] = (int)test_random(0, joints - 0.01); while (pair[1] == pair[0]);
        s->world.joints = (dvc_joint *)realloc(s->world.joints, (size_t)(joints + 1) * sizeof *s->world.joints);
        memset(&s->world.joints[joints], 0, sizeof *s->world.joints);
        ratio = test_random(-3, 3);
        kinds_gear(s, pair[0], pair[1], ratio);
        joint_set_in_motion(s, 1);
        dvc_momentum(&s->world, &p, &l);
        start = (double)dvc_energy(&s->world);
        for (i = 0; i < 200; i++) {
            double at[2];
            joint_run(s, 0.005, 1);
            for (k = 0; k < 2; k++) {
                const dvc_joint *j = &s->world.joints[pair[k]];
                at[k] = (double)(j->kind == DVC_PRISMATIC ? j->slide.position : j->turn.position);
            }
            CHECK_NEAR(at[1], ratio * at[0], 1e-11 * (1 + fabs(at[1])));
        }
        dvc_momentum(&s->world, &p_end, &l_end);
        CHECK(motion_apart(p, p_end) <= 1e-10 * (1 + oracle_norm(p)));
        CHECK(motion_apart(l, l_end) <= 1e-8 * (1 + oracle_norm(l)));
        CHECK((double)dvc_energy(&s->world) <= start * 1.01);
        machine_free(s);
    }
}

/* A train of wheels, more than are solved in one piece by default. */
static void a_train_of_gears_turns_as_one(void)
{
    enum { WHEELS = 300 };
    scene *s = machine_make(WHEELS + 1, 2 * WHEELS, 0, false);
    int i;
    s->world.gravity = scene_zero;
    s->world.scratch_size = dvc_scratch_size(&s->world);
    for (i = 1; i <= WHEELS; i++) {
        machine_body(s, v3(i, 0, 0), 1, v3(0.2, 0.2, 0.3));
        machine_join(s, DVC_REVOLUTE, 0, i, v3(i, 0, 0), joint_z);
    }
    for (i = 1; i < WHEELS; i++) kinds_gear(s, i - 1, i, -1);
    free(s->world.scratch);
    s->world.scratch_size = dvc_scratch_size(&s->world);
    s->world.scratch = scene_memory(s->world.scratch_size, 1);
    s->bodies[1].torque.z = 90;
    joint_run(s, 0.01, 20);
    for (i = 1; i <= WHEELS; i++) CHECK_NEAR(s->bodies[i].angular_velocity.z, i % 2 ? 0.2 : -0.2, 1e-9);
    machine_free(s);
}

/* A gear whose wheel is brought back by hand is off; the error is made good no faster than overlap is. */
static void a_gear_has_an_offset_and_makes_errors_good(void)
{
    scene *s = machine_make(3, 3, 0, false);
    s->world.gravity = scene_zero;
    machine_body(s, scene_zero, 1, v3(0.2, 0.2, 0.3));
    machine_body(s, joint_x, 1, v3(0.2, 0.2, 0.3));
    machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_z);
    machine_join(s, DVC_REVOLUTE, 0, 2, joint_x, joint_z);
    kinds_gear(s, 0, 1, 2);
    s->world.joints[2].turn.target = (dvc_real)0.5;
    s->bodies[1].angular_damping = s->bodies[2].angular_damping = 20;
    CHECK_NEAR(dvc_joint_error(&s->world, 2), 0.5, 1e-15);
    for (; s->world.time < 5;) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK_NEAR(s->world.joints[1].turn.position, 2 * (double)s->world.joints[0].turn.position + 0.5, 1e-9);
    CHECK_NEAR(dvc_joint_error(&s->world, 2), 0, 1e-9);
    machine_free(s);
}

/* The caller's problem has the gear, too. */
static void the_problem_of_a_gear_is_for_the_caller_too(void)
{
    scene *s[2];
    int k, i;
    for (k = 0; k < 2; k++) {
        s[k] = machine_make(4, 3, 0, false);
        machine_body(s[k], scene_zero, 1, v3(0.2, 0.2, 0.3));
        machine_body(s[k], v3(0.1, 0, -0.2), 2, v3(0.1, 0.2, 0.1));
        machine_body(s[k], v3(-0.1, 0, -0.3), 1, v3(0.1, 0.1, 0.1));
        machine_join(s[k], DVC_REVOLUTE, 1, 2, s[k]->bodies[2].position, joint_x);
        machine_join(s[k], DVC_PRISMATIC, 1, 3, s[k]->bodies[3].position, joint_y);
        kinds_gear(s[k], 0, 1, 0.7);
        s[k]->bodies[2].angular_velocity = v3(1, 2, 3);
        s[k]->bodies[3].torque = v3(1, -1, 2);
        s[k]->world.semi_implicit = true;
        for (i = 0; i < 20; i++) {
            dvc_problem problem;
            dvc_lcp lcp;
            dvc_real z[64];
            static unsigned char block[1 << 18];
            if (k) { joint_run(s[k], 0.01, 1); continue; }
            CHECK(dvc_problem_build(&s[k]->world, (dvc_real)0.01, &problem) == DVC_OK);
            memset(z, 0, sizeof z);
            memset(&lcp, 0, sizeof lcp);
            lcp.n = problem.n;
            lcp.A = problem.A;
            lcp.b = problem.b;
            lcp.lower = problem.lower;
            lcp.upper = problem.upper;
            CHECK(lcp.n <= 64 && dvc_lcp_solve(DVC_AUTO, &lcp, NULL, z, block, sizeof block).status == DVC_OK);
            CHECK(dvc_problem_apply(&s[k]->world, (dvc_real)0.01, z, lcp.n) == DVC_OK);
            CHECK(s[k]->world.report.inexact == 0);
        }
    }
    for (k = 1; k < 4; k++) CHECK(motion_apart(s[0]->bodies[k].velocity, s[1]->bodies[k].velocity) <= 1e-8);
    machine_free(s[0]);
    machine_free(s[1]);
}

/* ---- all of them ---- */

static void new_kinds_hold_in_free_machines_of_any_size(void)
{
    static const dvc_joint_kind kinds[3] = { DVC_UNIVERSAL, DVC_DISTANCE, DVC_GENERIC };
    int seed, i;
    for (seed = 1; seed <= 60; seed++) {
        double size = pow(10, seed % 6 - 3), error = 0;
        scene *s = machine_make(6, 5, 0, seed % 4 == 0);
        dvc_vec3 p, l, p_end, l_end;
        test_seed((uint64_t)seed);
        s->world.gravity = scene_zero;
        for (i = 1; i <= 5; i++) {
            int body = joint_random_body(s, motion_vec(size, s->world.planar), size);
            dvc_joint *j = &s->world.joints[i > 1 ? i - 2 : 0];
            dvc_vec3 axis, at;
            if (i == 1) continue;
            axis = oracle_scaled(trial_direction(s->world.planar), size); /* in this order with any compiler */
            at = motion_vec(size, s->world.planar);
            machine_join(s, kinds[(seed + i) % 3], 1 + (int)test_random(0, i - 1.001), body, at, axis);
            if (i % 2) kinds_free(&j->turn_lower, &j->turn_upper, 2);
            if (i % 3) kinds_free(&j->slide_lower, &j->slide_upper, 0);
        }
        joint_set_in_motion(s, size);
        dvc_momentum(&s->world, &p, &l);
        for (i = 0; i < 100; i++) {
            int k;
            joint_run(s, 0.01, 1);
            for (k = 0; k < s->world.joint_count; k++) error = fmax(error, (double)dvc_joint_error(&s->world, k) / fmax(size, 1));
        }
        CHECK(error <= 1e-11);
        dvc_momentum(&s->world, &p_end, &l_end);
        CHECK(motion_apart(p, p_end) <= 1e-9 * (oracle_norm(p) + size));
        CHECK(motion_apart(l, l_end) <= 1e-7 * (oracle_norm(l) + size * size));
        machine_free(s);
    }
}

static void wrong_gears_and_ranges_are_refused(void)
{
    scene *s = machine_make(3, 4, 0, false);
    dvc_joint *j = s->world.joints, gear;
    machine_body(s, joint_x, 1, v3(1, 1, 1));
    machine_body(s, joint_y, 1, v3(1, 1, 1));
    machine_join(s, DVC_REVOLUTE, 0, 1, joint_x, joint_z);
    machine_join(s, DVC_CYLINDRICAL, 0, 2, joint_y, joint_z);
    machine_join(s, DVC_FIXED, 1, 2, joint_y, joint_z);
    kinds_gear(s, 0, 1, 2);
    gear = j[3];
    CHECK(dvc_world_check(&s->world) == DVC_OK);
#define KINDS_REFUSED(change, status) \
    do { change; CHECK(dvc_world_check(&s->world) == status); CHECK(s->world.culprit == 3); CHECK(dvc_step(&s->world, (dvc_real)0.01) == status); j[3] = gear; } while (0)
    KINDS_REFUSED(j[3].ratio = 0, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].ratio = (dvc_real)NAN, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].joint_a = 4, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].joint_a = -1, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].joint_b = 3, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].joint_b = 2, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].joint_b = 0, DVC_ERROR_JOINT_GEAR);
    KINDS_REFUSED(j[3].turn.target = (dvc_real)INFINITY, DVC_ERROR_JOINT_GEAR);
    gear = j[2];
    gear.kind = DVC_SPHERICAL;
    j[3] = gear;
    KINDS_REFUSED(j[3].swing = -1, DVC_ERROR_JOINT_RANGE);
    KINDS_REFUSED(j[3].swing = (dvc_real)NAN, DVC_ERROR_JOINT_RANGE);
    gear.kind = DVC_GENERIC;
    j[3] = gear;
    KINDS_REFUSED(j[3].slide_lower.y = 1, DVC_ERROR_JOINT_RANGE);
    KINDS_REFUSED(j[3].turn_upper.z = (dvc_real)NAN, DVC_ERROR_JOINT_RANGE);
    KINDS_REFUSED(j[3].turn_upper.x = -1, DVC_ERROR_JOINT_RANGE);
    gear.kind = DVC_DISTANCE;
    j[3] = gear;
    KINDS_REFUSED(j[3].slide.limited = true, DVC_ERROR_JOINT_RANGE);
#undef KINDS_REFUSED
    CHECK(dvc_joint_attach(&s->world, DVC_GEAR, 0, 1, joint_x, joint_z, &j[3]) == DVC_ERROR_JOINT_GEAR);
    machine_free(s);
}

static void suite_kinds(void)
{
    test_state.suite = "kinds";
    RUN(a_ball_on_a_rod_is_a_pendulum);
    RUN(a_rope_is_slack_or_taut);
    RUN(a_rope_between_two_bodies_keeps_momentum);
    RUN(a_winch_hoists_a_load);
    RUN(a_shoulder_keeps_within_its_cone_and_its_twist);
    RUN(a_twist_counts_on_past_full_turns);
    RUN(a_universal_joint_turns_its_shafts_as_hooke_found);
    RUN(a_generic_joint_is_any_other);
    RUN(each_freedom_of_a_generic_joint_is_free_limited_or_locked);
    RUN(fingers_mirror_each_other_on_a_hand_that_floats);
    RUN(a_rack_and_a_screw_move_as_their_inertias_say);
    RUN(gears_in_free_machines_hold_and_keep_momentum);
    RUN(a_train_of_gears_turns_as_one);
    RUN(a_gear_has_an_offset_and_makes_errors_good);
    RUN(the_problem_of_a_gear_is_for_the_caller_too);
    RUN(new_kinds_hold_in_free_machines_of_any_size);
    RUN(wrong_gears_and_ranges_are_refused);
}
