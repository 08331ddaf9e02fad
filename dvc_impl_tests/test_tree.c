/* Trees of joints: poses from positions, mass matrix, bias and Jacobian, judged by the bodies' own poses, energies and motion; and
 * the vectors and turns that users get.
 *
 * Included by the main file of the tests after test_kinds.c, whose words it uses. */

enum { TREE_MOST = 16 };

static const dvc_joint_kind tree_kinds[4] = { DVC_REVOLUTE, DVC_PRISMATIC, DVC_CYLINDRICAL, DVC_FIXED };

/* Bodies on joints to ones before them, or to the ground, laid at random; either end of a joint may be the ground's. */
static scene *tree_make(int seed, int bodies, bool planar)
{
    scene *s;
    int i;
    test_seed((uint64_t)seed);
    s = machine_make(bodies + 1, bodies, 0, planar);
    if (planar) s->world.gravity = v3(1, -9.81, 0);
    for (i = 1; i <= bodies; i++) {
        int body = joint_random_body(s, motion_vec(1, planar), 1), parent = (int)test_random(0, i - 0.001);
        dvc_joint_kind kind = tree_kinds[(seed + i) % 4];
        bool turned = i % 2;
        dvc_vec3 axis = joint_random_axis(s, kind); /* before the place, with any compiler */
        machine_join(s, kind, turned ? body : parent, turned ? parent : body, motion_vec(1, planar), axis);
    }
    return s;
}

static void tree_bend(scene *s)
{
    int i;
    for (i = 0; i < s->world.joint_count; i++) {
        s->world.joints[i].turn.position = (dvc_real)test_random(-4, 4);
        s->world.joints[i].slide.position = (dvc_real)test_random(-1, 1);
    }
}

/* An axis' position where the bodies are. */
static double tree_position(const scene *s, int joint, bool slide)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_quat a = machine_frame(s, j->body_a, j->frame_a), b = machine_frame(s, j->body_b, j->frame_b);
    if (slide) return oracle_dot(machine_gap(s, j), oracle_turn(a, joint_z));
    return atan2(oracle_dot(oracle_turn(b, joint_x), oracle_turn(a, joint_y)), oracle_dot(oracle_turn(b, joint_x), oracle_turn(a, joint_x)));
}

static bool tree_turns(const scene *s, const dvc_joint *j)
{
    return j->kind == DVC_REVOLUTE || (j->kind == DVC_CYLINDRICAL && !s->world.planar);
}

static bool tree_slides(const dvc_joint *j) { return j->kind == DVC_PRISMATIC || j->kind == DVC_CYLINDRICAL; }

static void bodies_are_posed_by_their_joints(void)
{
    int seed, i;
    for (seed = 1; seed <= 60; seed++) {
        scene *s = tree_make(seed, 1 + seed % 8, seed % 3 == 0);
        tree_bend(s);
        CHECK(dvc_joints_pose(&s->world) == DVC_OK);
        CHECK(machine_error(s, 1) <= 1e-13);
        for (i = 0; i < s->world.joint_count; i++) {
            const dvc_joint *j = &s->world.joints[i];
            if (tree_turns(s, j)) CHECK_NEAR(remainder(tree_position(s, i, false) - (double)j->turn.position, 2 * TRIAL_PI), 0, 1e-12);
            if (tree_slides(j)) CHECK_NEAR(tree_position(s, i, true), j->slide.position, 1e-12);
        }
        machine_free(s);
    }
}

/* A machine that has moved, its bodies scattered: the joints' positions bring them back. */
static void positions_tell_where_a_machine_is(void)
{
    int seed, i;
    for (seed = 1; seed <= 30; seed++) {
        scene *s = tree_make(seed, 5, seed % 3 == 0);
        dvc_vec3 x[8];
        dvc_quat q[8];
        joint_run(s, 0.005, 60);
        for (i = 1; i <= 5; i++) {
            x[i] = s->bodies[i].position;
            q[i] = s->bodies[i].orientation;
            s->bodies[i].position = motion_vec(5, s->world.planar);
            s->bodies[i].orientation = trial_turn(s->world.planar, test_random(0, 3));
        }
        CHECK(dvc_joints_pose(&s->world) == DVC_OK);
        for (i = 1; i <= 5; i++) {
            CHECK(motion_apart(s->bodies[i].position, x[i]) <= 1e-9);
            CHECK(motion_turned(s->bodies[i].orientation, q[i]) <= 1e-9);
        }
        machine_free(s);
    }
}

/* Shoulders keep how they swing, gears lead their second axis, a tree that floats hangs on its first body, rings stay open. */
static void poses_of_what_positions_do_not_tell(void)
{
    scene *s = machine_make(5, 5, 0, false);
    dvc_quat bent;
    machine_body(s, v3(1, 0, 0), 1, v3(1, 1, 1));
    machine_body(s, v3(2, 0, 0), 1, v3(1, 1, 1));
    machine_body(s, v3(3, 0, 0), 1, v3(1, 1, 1));
    machine_join(s, DVC_REVOLUTE, 2, 1, v3(1.5, 0, 0), joint_z); /* the floating one: 1 stays, 2 follows, from b to a */
    machine_join(s, DVC_SPHERICAL, 2, 3, v3(2.5, 0, 0), joint_z);
    kinds_gear(s, 0, 0, 1);
    s->world.joint_count = 2;
    s->bodies[3].orientation = bent = dvc_quat_turn(joint_x, (dvc_real)0.5);
    s->world.joints[0].turn.position = (dvc_real)(-TRIAL_PI / 2); /* 1 against 2 by -90 degrees: 2 against 1 by 90 */
    CHECK(dvc_joints_pose(&s->world) == DVC_OK);
    CHECK(motion_apart(s->bodies[1].position, v3(1, 0, 0)) == 0);
    CHECK(motion_apart(s->bodies[2].position, v3(1.5, 0.5, 0)) <= 1e-14);
    CHECK(motion_apart(s->bodies[3].position, oracle_along(v3(1.5, 1, 0), oracle_turn(oracle_compose(dvc_quat_turn(joint_z, (dvc_real)(TRIAL_PI / 2)), bent), joint_x), 0.5)) <= 1e-12);
    machine_free(s);
    s = machine_make(3, 4, 0, false);
    machine_body(s, v3(0, 0, 1), 1, v3(1, 1, 1));
    machine_body(s, v3(1, 0, 1), 1, v3(1, 1, 1));
    machine_join(s, DVC_REVOLUTE, 0, 1, v3(0, 0, 1), joint_z);
    machine_join(s, DVC_PRISMATIC, 0, 2, v3(1, 0, 1), joint_x);
    kinds_gear(s, 0, 1, 0.5);
    s->world.joints[0].turn.position = 1;
    CHECK(dvc_joints_pose(&s->world) == DVC_OK);
    CHECK_NEAR(s->world.joints[1].slide.position, 0.5, 0);
    CHECK_NEAR(s->bodies[2].position.x, 1.5, 1e-15);
    CHECK_NEAR(dvc_joint_error(&s->world, 2), 0, 1e-15);
    machine_free(s);
}

/* ---- inertia ---- */

/* Axes in order: rates from what the step wrote, forces of the axes. */
static int tree_rates(const scene *s, double *rate, double *force)
{
    int n = 0, i;
    for (i = 0; i < s->world.joint_count; i++) {
        const dvc_joint *j = &s->world.joints[i];
        if (tree_turns(s, j)) { rate[n] = (double)j->turn.velocity; force[n++] = (double)j->turn.force; }
        if (tree_slides(j)) { rate[n] = (double)j->slide.velocity; force[n++] = (double)j->slide.force; }
    }
    return n;
}

/* x = A^-1 b by elimination, n x n. */
static void tree_solve(double *a, double *b, int n)
{
    int i, k, m;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) {
            double by = a[i * n + k] / a[k * n + k];
            for (m = k; m < n; m++) a[i * n + m] -= by * a[k * n + m];
            b[i] -= by * b[k];
        }
    for (k = n - 1; k >= 0; k--) {
        for (m = k + 1; m < n; m++) b[k] -= a[k * n + m] * b[m];
        b[k] /= a[k * n + k];
    }
}

/* q' M q' / 2 is the kinetic energy; J q' the velocity of any point. */
static void mass_matrix_and_jacobian_agree_with_the_bodies(void)
{
    int seed, i, k;
    for (seed = 1; seed <= 60; seed++) {
        scene *s = tree_make(seed, 1 + seed % 7, seed % 3 == 0);
        dvc_real mass[TREE_MOST * TREE_MOST];
        dvc_vec3 linear[TREE_MOST], angular[TREE_MOST], at, v, w;
        double rate[TREE_MOST], force[TREE_MOST], energy = 0;
        int n = -1, m, body = s->world.body_count - 1;
        s->world.gravity = scene_zero;
        joint_set_in_motion(s, 1);
        joint_run(s, 1e-6, 1);
        m = tree_rates(s, rate, force);
        CHECK(dvc_joints_dynamics(&s->world, TREE_MOST, mass, NULL, &n) == DVC_OK);
        CHECK(n == m && n <= TREE_MOST);
        for (i = 0; i < n; i++)
            for (k = 0; k < n; k++) {
                energy += 0.5 * rate[i] * (double)mass[i * n + k] * rate[k];
                CHECK_NEAR(mass[i * n + k], mass[k * n + i], 1e-12);
            }
        CHECK_NEAR(energy, dvc_energy(&s->world), 1e-6 * (1 + energy)); /* joints hold velocities to first order in h */
        at = oracle_along(s->bodies[body].position, motion_vec(1, s->world.planar), 1);
        CHECK(dvc_joints_jacobian(&s->world, body, at, TREE_MOST, linear, angular, &n) == DVC_OK);
        for (v = w = scene_zero, i = 0; i < n; i++) {
            v = oracle_along(v, linear[i], rate[i]);
            w = oracle_along(w, angular[i], rate[i]);
        }
        CHECK(motion_apart(v, dvc_point_velocity(&s->bodies[body], at)) <= 1e-5);
        CHECK(motion_apart(w, s->bodies[body].angular_velocity) <= 1e-5);
        machine_free(s);
    }
}

/* What the engine does in a tiny step is what mass matrix and bias say. */
static void mass_matrix_and_bias_tell_what_a_step_does(void)
{
    int seed, i;
    for (seed = 1; seed <= 40; seed++) {
        scene *s = tree_make(seed, 1 + seed % 6, seed % 3 == 0);
        const double h = 1e-6;
        double a[TREE_MOST * TREE_MOST], b[TREE_MOST], before[TREE_MOST], after[TREE_MOST], force[TREE_MOST];
        dvc_real mass[TREE_MOST * TREE_MOST], bias[TREE_MOST];
        int n = 0;
        joint_set_in_motion(s, 1);
        for (i = 0; i < s->world.joint_count; i++) {
            s->world.joints[i].turn.force = (dvc_real)test_random(-2, 2);
            s->world.joints[i].slide.force = (dvc_real)test_random(-2, 2);
            if (i == 1) s->world.joints[i].turn.armature = s->world.joints[i].slide.armature = (dvc_real)0.3;
        }
        s->bodies[1].force = motion_vec(1, s->world.planar);
        s->bodies[1].torque = s->world.planar ? v3(0, 0, 0.4) : motion_vec(1, false);
        joint_run(s, h, 2);
        tree_rates(s, before, force);
        CHECK(dvc_joints_dynamics(&s->world, TREE_MOST, mass, bias, &n) == DVC_OK);
        joint_run(s, h, 1);
        tree_rates(s, after, force);
        for (i = 0; i < n * n; i++) a[i] = (double)mass[i];
        for (i = 0; i < n; i++) b[i] = force[i] - (double)bias[i];
        tree_solve(a, b, n);
        for (i = 0; i < n; i++) CHECK_NEAR((after[i] - before[i]) / h, b[i], 1e-3 * (1 + fabs(b[i])));
        machine_free(s);
    }
}

static void what_is_no_tree_is_refused(void)
{
    scene *s = machine_make(4, 4, 0, false);
    dvc_real mass[16], bias[4];
    dvc_vec3 column[4];
    void *scratch = s->world.scratch;
    int n;
    machine_body(s, v3(1, 0, 0), 1, v3(1, 1, 1));
    machine_body(s, v3(2, 0, 0), 1, v3(1, 1, 1));
    machine_join(s, DVC_REVOLUTE, 0, 1, scene_zero, joint_z);
    machine_join(s, DVC_REVOLUTE, 1, 2, v3(1.5, 0, 0), joint_z);
    CHECK(dvc_joints_dynamics(&s->world, 1, mass, bias, &n) == DVC_ERROR_ROOM);
    CHECK(n == 2);
    CHECK(dvc_joints_jacobian(&s->world, 3, scene_zero, 4, column, NULL, &n) == DVC_ERROR_TREE);
    CHECK(dvc_joints_dynamics(NULL, 1, mass, bias, &n) == DVC_ERROR_NULL);
    s->world.scratch = NULL;
    CHECK(dvc_joints_dynamics(&s->world, 4, mass, bias, &n) == DVC_ERROR_SCRATCH);
    CHECK(dvc_joints_pose(&s->world) == DVC_ERROR_SCRATCH);
    CHECK(s->world.report.scratch_needed > 0);
    s->world.scratch = scratch;
    machine_join(s, DVC_REVOLUTE, 0, 2, v3(2, 0, 0), joint_z);
    CHECK(dvc_joints_dynamics(&s->world, 4, mass, bias, &n) == DVC_ERROR_TREE);
    CHECK(s->world.culprit == 2);
    s->world.joints[2].disabled = true;
    s->world.joints[1].kind = DVC_SPHERICAL;
    CHECK(dvc_joints_dynamics(&s->world, 4, mass, bias, &n) == DVC_ERROR_TREE);
    CHECK(s->world.culprit == 1);
    s->world.joints[1].kind = DVC_REVOLUTE;
    s->world.joints[0].disabled = true;
    CHECK(dvc_joints_dynamics(&s->world, 4, mass, bias, &n) == DVC_ERROR_TREE);
    CHECK(s->world.culprit == 1);
    machine_free(s);
}

/* ---- vectors ---- */

static void vectors_and_turns_are_as_in_books(void)
{
    int seed;
    for (seed = 1; seed <= 50; seed++) {
        dvc_vec3 a, b, c, x;
        dvc_quat p, q, half;
        dvc_body before, now;
        double part;
        test_seed((uint64_t)seed);
        a = motion_vec(2, false);
        b = motion_vec(2, false);
        c = motion_vec(2, false);
        p = trial_turn(false, test_random(0.1, 3));
        q = trial_turn(false, test_random(0.1, 3));
        CHECK(motion_apart(dvc_rotate(dvc_quat_product(p, q), a), oracle_turn(p, oracle_turn(q, a))) <= 1e-14);
        CHECK(motion_apart(dvc_unrotate(p, dvc_rotate(p, a)), a) <= 1e-14);
        CHECK(motion_apart(dvc_rotate(dvc_quat_inverse(p), a), dvc_unrotate(p, a)) <= 1e-15);
        x = dvc_quat_vector(p);
        CHECK(motion_turned(dvc_quat_turn(x, dvc_length(x)), p) <= 1e-14);
        CHECK_NEAR(dvc_dot(dvc_cross(a, b), c), dvc_dot(a, dvc_cross(b, c)), 1e-13);
        CHECK(motion_apart(dvc_add(dvc_scale(a, 2), dvc_sub(b, a)), oracle_along(a, b, 1)) <= 1e-15);
        CHECK_NEAR(dvc_length(a) * dvc_length(a), dvc_dot(a, a), 1e-14);
        CHECK(dvc_vec(1, 2, 3).y == 2);
        memset(&before, 0, sizeof before);
        before.position = a;
        before.orientation = p;
        before.velocity = b;
        before.angular_velocity = c;
        CHECK(motion_apart(dvc_body_point(&before, dvc_body_local_point(&before, b)), b) <= 1e-14);
        CHECK(motion_apart(dvc_body_direction(&before, dvc_body_local_direction(&before, b)), b) <= 1e-14);
        CHECK(motion_apart(dvc_body_local_direction(&before, b), dvc_sub(dvc_body_local_point(&before, b), dvc_body_local_point(&before, scene_zero))) <= 1e-14);
        CHECK(motion_apart(dvc_twist_at(b, c, a, x), dvc_point_velocity(&before, x)) <= 1e-13);
        /* a force at a point does the same work wherever twist and wrench are taken */
        CHECK_NEAR(dvc_dot(b, a) + dvc_dot(c, x), dvc_dot(dvc_twist_at(b, c, a, b), a) + dvc_dot(c, dvc_wrench_at(a, x, a, b)), 1e-12);
        part = test_random(0, 1);
        now = before;
        now.position = b;
        now.orientation = q;
        dvc_pose_between(&before, &now, (dvc_real)part, &x, &half);
        CHECK(motion_apart(x, oracle_along(a, oracle_minus(b, a), part)) <= 1e-14);
        CHECK_NEAR(motion_turned(p, half), part * motion_turned(p, q), 1e-13);
        CHECK_NEAR(motion_turned(half, q), (1 - part) * motion_turned(p, q), 1e-13);
    }
}

static void suite_tree(void)
{
    test_state.suite = "tree";
    RUN(bodies_are_posed_by_their_joints);
    RUN(positions_tell_where_a_machine_is);
    RUN(poses_of_what_positions_do_not_tell);
    RUN(mass_matrix_and_jacobian_agree_with_the_bodies);
    RUN(mass_matrix_and_bias_tell_what_a_step_does);
    RUN(what_is_no_tree_is_refused);
    RUN(vectors_and_turns_are_as_in_books);
}
