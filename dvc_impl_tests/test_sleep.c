/* What rests is only looked at, or, in worlds that sleep, not even that: with the bits of worlds that forget their marks before each
 * step, and find and solve all anew. >>sleep */

/* Stacks beside each other, on a plane or on a static box. */
static scene *sleep_stacks(bool planar, int stacks, int high, bool sleeps)
{
    scene *s = scene_make(stacks * high + 4, planar, (size_t)1 << 22);
    int i, k;
    scene_ground(s, 0.5);
    for (i = 0; i < stacks; i++)
        for (k = 0; k < high; k++) {
            double x = 2.5 * i + 0.1 * (k % 2), z = 0.5 + 1.02 * k;
            scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, planar ? 0 : 0.5), planar ? v3(x, z, 0) : v3(x, 0.05 * k, z), 1, 0.5);
        }
    s->world.sleep = sleeps;
    return s;
}

/* Bodies whose marks are confirmed. */
static int sleep_count(const scene *s)
{
    int i, count = 0;
    for (i = 0; i < s->world.body_count; i++) count += (int)(s->bodies[i].asleep & 1);
    return count;
}

/* Bodies and contacts, to the bit; the numbers of contacts, too. */
static void sleep_check_same(const scene *a, const scene *b)
{
    int i;
    CHECK(dvc_world_hash(&a->world) == dvc_world_hash(&b->world));
    CHECK(a->world.contact_count == b->world.contact_count);
    for (i = 0; i < a->world.contact_count && i < b->world.contact_count; i++) {
        const dvc_contact *x = &a->world.contacts[i], *y = &b->world.contacts[i];
        CHECK(x->group == y->group && x->facet == y->facet && x->phase == y->phase && x->chosen == y->chosen);
        CHECK(memcmp(&x->point, &y->point, sizeof x->point) == 0 && memcmp(&x->normal, &y->normal, sizeof x->normal) == 0);
    }
}

/* What happens to both worlds, alike. */
typedef void (*sleep_event)(scene *s, int step);

/* The first world forgets its marks, the second one is as it is, the third sleeps. Returns in how many steps somebody slept. */
static int sleep_compare(bool planar, int stacks, int high, int steps, sleep_event event)
{
    scene *s[3];
    int i, k, step, slept = 0;
    for (k = 0; k < 3; k++) s[k] = sleep_stacks(planar, stacks, high, k == 2);
    for (step = 0; step < steps; step++) {
        const dvc_report *awake = &s[0]->world.report, *rests = &s[1]->world.report, *sleeps = &s[2]->world.report;
        for (i = 0; i < s[0]->world.body_count; i++) s[0]->bodies[i].asleep = 0;
        for (k = 0; k < 3; k++) {
            if (event) event(s[k], step);
            CHECK(dvc_step(&s[k]->world, (dvc_real)0.01) == DVC_OK);
        }
        for (k = 1; k < 3; k++) {
            const dvc_report *own = &s[k]->world.report;
            sleep_check_same(s[0], s[k]);
            CHECK(awake->contacts == own->contacts && awake->enforced == own->enforced);
            CHECK(awake->disjunctions == own->disjunctions && awake->inexact == own->inexact);
        }
        CHECK(rests->islands == awake->islands && rests->problems == awake->problems);
        CHECK(rests->largest_problem == awake->largest_problem && (double)rests->residual <= 1e-9);
        CHECK(sleeps->problems <= awake->problems);
        slept += sleeps->problems < awake->problems;
    }
    for (k = 0; k < 3; k++) scene_free(s[k]);
    return slept;
}

/* What the bodies feel of their contacts and forces is measured: impulses that bear them no more are told, if something overwrote
 * contacts and marks alike. */
static void what_rests_is_looked_at(void)
{
    scene *s = sleep_stacks(false, 1, 3, false);
    dvci_step step;
    int i;
    CHECK(scene_run(s, 0.01, 2));
    CHECK(sleep_count(s) == 3 && s->world.report.problems == 1 && s->world.report.islands == 1);
    CHECK((double)s->world.report.residual > 0 && (double)s->world.report.residual <= 1e-12);
    for (i = 0; i < s->world.contact_count; i++) s->world.contacts[i].impulse.z *= (dvc_real)1.5;
    dvci_begin(&step, &s->world, (dvc_real)0.01);
    dvci_mark_start(&step);
    for (i = 1; i < 4; i++) s->bodies[i].asleep = step.marks[i] | 1;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK_NEAR(s->world.report.residual, 0.5, 1e-3); /* half of g h: each is pushed half as much more than it weighs */
    CHECK(s->world.report.inexact == 1);
    scene_free(s);
}

static void stacks_fall_asleep_and_cost_nothing(void)
{
    int planar;
    for (planar = 0; planar < 2; planar++) {
        scene *s = sleep_stacks(planar, 3, 4, true);
        CHECK(scene_run(s, 0.01, 2));
        CHECK(sleep_count(s) == 12);
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(s->world.report.problems == 0 && s->world.report.islands == 0);
        CHECK(s->world.report.contacts > 0 && s->world.report.enforced > 0 && s->world.report.energy_excess == 0);
        scene_free(s);
    }
}

static void who_sleeps_has_the_bits_of_who_does_not(void)
{
    CHECK(sleep_compare(false, 3, 4, 250, NULL) > 100);
    CHECK(sleep_compare(true, 3, 4, 250, NULL) > 100);
}

static void sleep_push(scene *s, int step) { s->bodies[2].force.x = (dvc_real)(step == 180 ? 30 : 0); }

static void sleep_shove_neighbour(scene *s, int step)
{
    if (step == 180) s->bodies[4].velocity.x = 3; /* the upper box of the first stack flies at the second */
}

static void sleep_take_ground(scene *s, int step)
{
    if (step == 180) s->shapes[0].friction = 0;
    if (step == 190) s->shapes[0].disabled = true;
}

static void sleep_take_box(scene *s, int step)
{
    if (step == 180) s->bodies[1].disabled = true;
    if (step == 220) s->bodies[1].disabled = false;
}

static void sleep_tilt_gravity(scene *s, int step) { s->world.gravity.x = (dvc_real)(step >= 180 && step < 200 ? 6 : 0); }

static void sleep_touch_contacts(scene *s, int step)
{
    if (step == 180 && s->world.contact_count > 0) s->world.contacts[0].normal_impulse *= 2;
    if (step == 185) s->world.contact_count = 0;
}

static void sleep_change_mass(scene *s, int step)
{
    if (step == 180) s->bodies[3].mass = 2;
    if (step == 181) s->shapes[2].half.x = (dvc_real)0.45;
}

/* A kinematic plate comes up and goes by the stacks. */
static void sleep_move_plate(scene *s, int step)
{
    int plate = s->world.body_count;
    if (step == 160) scene_box(s, DVC_KINEMATIC, v3(0.3, 0.3, s->world.planar ? 0 : 0.3), v3(-2, s->world.planar ? 0.5 : 0, 0.5), 0, 0.5);
    if (step == 180) s->bodies[plate - 1].velocity.x = 2;
    if (step == 240) s->bodies[plate - 1].velocity.x = 0;
}

static void anything_that_changes_wakes(void)
{
    static const sleep_event events[] = { sleep_push, sleep_shove_neighbour, sleep_take_ground, sleep_take_box, sleep_tilt_gravity,
                                          sleep_touch_contacts, sleep_change_mass, sleep_move_plate };
    int k;
    for (k = 0; k < (int)(sizeof events / sizeof events[0]); k++) {
        CHECK(sleep_compare(k % 2 == 0, 2, 4, 330, events[k]) > 20);
        CHECK(sleep_compare(k % 2 == 1, 2, 4, 330, events[k]) > 20);
    }
}

/* Only the stack that is hit wakes. */
static void others_sleep_on(void)
{
    scene *s = sleep_stacks(false, 3, 4, true);
    CHECK(scene_run(s, 0.01, 2));
    s->bodies[1].force.x = 1;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK(s->world.report.islands == 1 && sleep_count(s) == 8);
    scene_free(s);
}

/* A kinematic body that moves wakes the stack that it passes, and no other. */
static void what_moves_as_told_wakes_whom_it_comes_near(void)
{
    scene *s = sleep_stacks(false, 3, 2, true);
    int plate = scene_box(s, DVC_KINEMATIC, v3(0.3, 0.3, 0.3), v3(-4, 0, 0.5), 0, 0.5), step, most = 0;
    CHECK(scene_run(s, 0.01, 2));
    CHECK(sleep_count(s) == 7); /* the plate keeps still, too */
    s->bodies[plate].velocity.y = 1;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK(s->bodies[plate].asleep == 0 && sleep_count(s) == 6);
    s->bodies[plate].position = v3(-0.802, -3, 0.5); /* it goes close by the first stack */
    for (step = 0; step < 500; step++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        most = dvci_imax(most, s->world.report.islands);
    }
    CHECK(most == 1 && s->world.report.islands == 0);
    scene_free(s);
}

/* Without gravity one body comes to where another was before that was taken away, and returns as it was. */
static void who_returns_is_met(void)
{
    scene *s[2];
    int i, k, step;
    for (k = 0; k < 2; k++) {
        s[k] = scene_make(3, false, (size_t)1 << 22);
        s[k]->world.gravity = scene_zero;
        for (i = 0; i < 2; i++) scene_box(s[k], DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(3 * i, 0, 0), 1, 0.5);
    }
    for (step = 0; step < 40; step++)
        for (k = 0; k < 2; k++) {
            if (step == 10) s[k]->bodies[0].disabled = true;
            if (step == 12) s[k]->bodies[1].position = v3(0.1, 0, 0);
            if (step == 20) s[k]->bodies[0].disabled = false;
            for (i = 0; i < 2 && k == 0; i++) s[k]->bodies[i].asleep = 0;
            CHECK(dvc_step(&s[k]->world, (dvc_real)0.01) == DVC_OK);
            if (k == 1) sleep_check_same(s[0], s[1]);
        }
    CHECK(oracle_norm(s[1]->bodies[0].velocity) > 0 || (double)s[1]->bodies[0].position.x < -0.1);
    for (k = 0; k < 2; k++) scene_free(s[k]);
}

/* A snapshot taken while they sleep goes on alike; one whose marks were lost is awake, with the same bits. */
static void marks_are_not_part_of_the_motion(void)
{
    scene *s[2];
    int k, i;
    for (k = 0; k < 2; k++) {
        s[k] = sleep_stacks(false, 2, 3, true);
        CHECK(scene_run(s[k], 0.01, 2));
    }
    for (i = 1; i < s[1]->world.body_count; i++) s[1]->bodies[i].asleep = i % 2 ? 0 : 12345;
    for (i = 0; i < 20; i++) {
        for (k = 0; k < 2; k++) CHECK(dvc_step(&s[k]->world, (dvc_real)0.01) == DVC_OK);
        sleep_check_same(s[0], s[1]);
    }
    CHECK(sleep_count(s[1]) == 6);
    for (k = 0; k < 2; k++) scene_free(s[k]);
}

/* Hanging bodies do not sleep: joints carry what contacts do not show. */
static void joints_keep_awake(void)
{
    scene *s = scene_make(3, false, (size_t)1 << 22);
    dvc_joint joint;
    memset(&joint, 0, sizeof joint);
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(3, 0, 0.5), 1, 0.5);
    CHECK(dvc_joint_attach(&s->world, DVC_FIXED, 0, 1, v3(0, 0, 0), v3(0, 0, 1), &joint) == DVC_OK);
    s->world.joints = &joint;
    s->world.joint_count = 1;
    s->world.sleep = true;
    CHECK(scene_run(s, 0.01, 1));
    CHECK(s->world.report.islands == 1 && s->bodies[2].asleep != 0);
    scene_free(s);
}

/* What stands in an empty slot is nobody's business, not even its body. Who lies on a shape that is taken away wakes. */
static void empty_slots_keep_nobody_awake(void)
{
    int steps;
    scene *s = scene_make(5, false, (size_t)1 << 22);
    scene_ground(s, 0.5);
    scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 1.5), 1, 0.5);
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    s->shapes[3].body = -1;
    s->shapes[4].body = 1 << 20;
    s->world.sleep = true;
    for (steps = 0; steps < 50 && sleep_count(s) == 0; steps++) trial_step(s, 0.01);
    CHECK(sleep_count(s) == 1);
    s->shapes[1].kind = DVC_NO_SHAPE;
    s->shapes[1].body = -1;
    trial_step(s, 0.01);
    CHECK_NEAR(s->bodies[2].velocity.z, -0.0981, 1e-12);
    scene_free(s);
}

static void sleep_lift(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->z = (dvc_real)0.1 + t;
}

/* A platform at rest that gets a motion, and a part at rest that is set on the table: both are seen in the same step. */
static void what_begins_to_act_is_seen_at_once(void)
{
    scene *s = scene_make(3, false, (size_t)1 << 22);
    int platform = scene_box(s, DVC_KINEMATIC, v3(1, 1, 0.1), v3(0, 0, 0.1), 1, 0.5), i;
    int box = scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), v3(0, 0, 0.3), 1, 0.5);
    for (i = 0; i < 30; i++) trial_step(s, 0.01);
    CHECK(s->bodies[box].asleep & 1);
    s->bodies[platform].motion = sleep_lift;
    s->world.time = 0;
    trial_step(s, 0.01);
    CHECK_NEAR(s->bodies[platform].position.z, 0.11, 1e-15);
    CHECK(s->bodies[box].position.z >= s->bodies[platform].position.z + (dvc_real)0.2 - (dvc_real)1e-9);
    scene_free(s);
}

/* Damping is no load: a damped body that rests, beside something that moves, is borne by its contacts. */
static void a_damped_body_that_rests_is_borne(void)
{
    scene *s = scene_make(3, false, (size_t)1 << 22);
    int i, rested = 0;
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_sphere(s, 0.1, v3(50, 0, 90), 1, 0.5);
    s->bodies[1].linear_damping = 20;
    s->bodies[1].angular_damping = 3;
    for (i = 0; i < 60; i++) {
        trial_step(s, 0.01);
        CHECK(s->world.report.residual <= (dvc_real)1e-12);
        rested += s->bodies[1].asleep % 2 == 1;
    }
    CHECK(rested > 40);
    scene_free(s);
}

static void suite_sleep(void)
{
    test_state.suite = "sleep";
    RUN(what_rests_is_looked_at);
    RUN(stacks_fall_asleep_and_cost_nothing);
    RUN(who_sleeps_has_the_bits_of_who_does_not);
    RUN(anything_that_changes_wakes);
    RUN(others_sleep_on);
    RUN(what_moves_as_told_wakes_whom_it_comes_near);
    RUN(who_returns_is_met);
    RUN(marks_are_not_part_of_the_motion);
    RUN(joints_keep_awake);
    RUN(empty_slots_keep_nobody_awake);
    RUN(what_begins_to_act_is_seen_at_once);
    RUN(a_damped_body_that_rests_is_borne);
}
