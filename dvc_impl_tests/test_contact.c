/* The list of contacts as the caller sees it: what was pushed, where, and how hard, against what the bodies really received;
 * friction within its bounds; warm starts; sensors; belts.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

/* Rough parts of several kinds that fall into a room. */
static scene *contact_pour(bool planar, double friction, int count)
{
    scene *s = scene_make(count + 5, planar, TRIAL_SCRATCH);
    int k;
    trial_room(s, 0.8, friction);
    for (k = 0; k < count; k++) {
        dvc_vec3 at = planar ? v3(test_random(-0.4, 0.4), 0.4 + 0.55 * k, 0)
            : test_vec(test_random(-0.4, 0.4), test_random(-0.4, 0.4), 0.4 + 0.55 * k);
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(k % TRIAL_KINDS), 0.25, at, friction);
        s->bodies[body].velocity = oracle_scaled(trial_direction(planar), 2);
        s->bodies[body].angular_velocity = oracle_scaled(planar ? v3(0, 0, 1) : trial_direction(false), test_random(-4, 4));
        s->bodies[body].inertia = v3(0.02, 0.02, 0.02); /* no gyroscopic term */
    }
    return s;
}

/* ---- balances ---- */

/* Change of momentum and of angular momentum of every body: its weight, and what the list says. Angular momentum is about where the
 * body was: half of its weight acts there, half where it has come to. In the literature's step all acts at the start. */
static void contact_check_balance(scene *s, double h)
{
    bool literature = s->world.semi_implicit;
    dvc_body before[16];
    dvc_vec3 impulse, moment, way;
    int k;
    memcpy(before, s->bodies, (size_t)s->world.body_count * sizeof *before);
    CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
    for (k = 0; k < s->world.body_count; k++) {
        const dvc_body *b = &s->bodies[k];
        double mass = (double)b->mass;
        dvc_vec3 gained = oracle_scaled(oracle_along(oracle_minus(b->velocity, before[k].velocity), s->world.gravity, -h), mass);
        if (b->kind != DVC_DYNAMIC) continue;
        trial_received(&s->world, k, before[k].position, &impulse, &moment);
        CHECK(oracle_norm(oracle_minus(gained, impulse)) <= 1e-10 * mass);
        if (s->world.report.halvings > 0) continue; /* then weight acts on the way, too */
        way = literature ? scene_zero : oracle_minus(b->position, before[k].position);
        gained = oracle_scaled(oracle_minus(b->angular_velocity, before[k].angular_velocity), (double)b->inertia.z);
        gained = oracle_along(gained, oracle_cross(way, b->velocity), mass);
        gained = oracle_along(gained, oracle_cross(way, s->world.gravity), -mass * h / 2);
        CHECK(oracle_norm(oracle_minus(gained, moment)) <= 1e-10 * mass);
    }
}

static void what_is_listed_is_what_every_body_received(void)
{
    int seed, step;
    for (seed = 1; seed <= 32; seed++) {
        scene *s;
        test_seed((uint64_t)seed % 16);
        s = contact_pour(seed % 2, seed % 4 < 2 ? 0 : 0.4, 7);
        s->world.semi_implicit = seed > 16;
        for (step = 0; step < 120; step++) contact_check_balance(s, 0.01);
        scene_free(s);
    }
}

/* A resting hull of any mass is carried: the upward impulses are its weight, and have no moment about it. */
static void a_resting_body_of_any_mass_is_carried_without_moment(void)
{
    int power, planar, step;
    for (power = -9; power <= 6; power++)
        for (planar = 0; planar < 2; planar++) {
            scene *s = scene_make(2, planar, TRIAL_SCRATCH);
            double mass = 1.3 * pow(10, power), weight = mass * 9.81 * 0.01;
            dvc_vec3 impulse, moment;
            int body;
            test_seed((uint64_t)(power + 20));
            scene_ground(s, 0.5);
            body = trial_part(s, DVC_DYNAMIC, TRIAL_HULL, 0.3, oracle_scaled(trial_up(s), 0.5), 0.5);
            s->bodies[body].inertia = oracle_scaled(s->bodies[body].inertia, mass);
            s->bodies[body].mass = (dvc_real)mass;
            for (step = 0; step < 400; step++) trial_step(s, 0.01);
            trial_received(&s->world, body, s->bodies[body].position, &impulse, &moment);
            CHECK_NEAR(oracle_dot(impulse, trial_up(s)), weight, 1e-9 * weight);
            CHECK(oracle_norm(moment) <= 1e-8 * weight);
            CHECK(oracle_norm(s->bodies[body].velocity) <= 1e-8);
            scene_free(s);
        }
}

/* ---- fields ---- */

/* The same entry in the list of the step before; none: NULL. */
static const dvc_contact *contact_before(const dvc_contact *c, const dvc_contact *before, int count)
{
    int k;
    for (k = 0; k < count; k++)
        if (before[k].shape_a == c->shape_a && before[k].shape_b == c->shape_b && before[k].feature_a == c->feature_a
            && before[k].feature_b == c->feature_b)
            return &before[k];
    return NULL;
}

/* The most that entry i has pushed at the step's start and may have taken back at its end: what its group pushes, what weight does, and
 * what it takes to make overlap good. The masses are 1. */
static double contact_taken_back(const dvc_world *world, int i, double overlap)
{
    double sum = 9.81 * 0.01 + overlap / 0.01;
    int k;
    for (k = 0; k < world->contact_count; k++)
        if (world->contacts[k].group == world->contacts[i].group) sum += (double)world->contacts[k].normal_impulse;
    return sum;
}

/* The impulse of entry i is that of two instants, which have normals of their own unless a plane is one of the shapes: by how much may
 * it be off for the one that is listed? -1: nobody knows. */
static double contact_two_instants(const scene *s, int i, const dvc_contact *before, int count)
{
    const dvc_contact *c = &s->world.contacts[i], *last = contact_before(c, before, count);
    double turned = last ? oracle_norm(oracle_minus(c->normal, last->normal)) : 0;
    if (s->world.semi_implicit || s->shapes[c->shape_a].kind == DVC_PLANE || s->shapes[c->shape_b].kind == DVC_PLANE) return 0;
    return last ? turned * contact_taken_back(&s->world, i, fmax(0, -(double)last->gap)) : -1;
}

/* The rules that one entry of the list keeps by itself and with the one before it; `off` as above. */
static void contact_check_entry(const scene *s, int i, double off)
{
    const dvc_contact *c = &s->world.contacts[i], *last = i > 0 ? c - 1 : NULL;
    double along = oracle_dot(c->impulse, c->normal),
        mu = sqrt((double)s->shapes[c->shape_a].friction * (double)s->shapes[c->shape_b].friction);
    double loose = 1e-12 * (1 + along) + off * (1 + mu);
    dvc_vec3 friction = oracle_along(c->impulse, c->normal, -along);
    CHECK(c->shape_a < c->shape_b && s->shapes[c->shape_a].body == c->body_a && s->shapes[c->shape_b].body == c->body_b);
    CHECK_NEAR(oracle_norm(c->normal), 1, 1e-12);
    CHECK(c->normal_impulse >= 0);
    CHECK(c->chosen || oracle_norm(c->impulse) == 0);
    CHECK(last ? c->group == last->group || c->group == last->group + 1 : c->group == 0);
    if (last && c->group == last->group) CHECK(c->shape_a == last->shape_a && c->shape_b == last->shape_b);
    if (last && c->group != last->group)
        CHECK(c->shape_a > last->shape_a || (c->shape_a == last->shape_a && c->shape_b > last->shape_b));
    if (s->world.report.halvings > 0 || off < 0) return; /* impulses of the halves have normals of their own */
    CHECK_NEAR(c->normal_impulse, along, loose);
    CHECK(oracle_norm(friction) <= mu * (double)c->normal_impulse + loose);
}

/* Contacts of one group: only one facet is chosen, and all of its points are. */
static void contact_check_group(const dvc_world *world, int i)
{
    const dvc_contact *c = &world->contacts[i];
    int k;
    for (k = 0; k < world->contact_count; k++) {
        const dvc_contact *other = &world->contacts[k];
        if (world->report.halvings > 0 || other->group != c->group) continue;
        if (c->chosen && other->chosen) CHECK(c->facet == other->facet);
        if (c->chosen && !other->chosen) CHECK(c->facet != other->facet || c->normal_impulse == 0);
    }
}

static void entries_of_the_list_keep_their_rules(void)
{
    static dvc_contact before[SCENE_CONTACTS];
    int seed, step, i, alternatives = 0, friction = 0, straight = 0;
    for (seed = 1; seed <= 16; seed++) {
        scene *s;
        test_seed((uint64_t)(seed % 8) + 20);
        s = contact_pour(seed % 2, 0.4, 6);
        s->world.semi_implicit = seed > 8;
        for (step = 0; step < 100; step++) {
            int chosen = 0, count = s->world.contact_count;
            memcpy(before, s->world.contacts, (size_t)count * sizeof *before);
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            for (i = 0; i < s->world.contact_count; i++) {
                double off = contact_two_instants(s, i, before, count);
                contact_check_entry(s, i, off);
                straight += !s->world.semi_implicit && off == 0 && s->world.contacts[i].normal_impulse > 0;
                contact_check_group(&s->world, i);
                chosen += s->world.contacts[i].chosen;
                friction += oracle_norm(s->world.contacts[i].impulse) > (double)s->world.contacts[i].normal_impulse * (1 + 1e-9);
            }
            CHECK(s->world.report.contacts == s->world.contact_count && s->world.report.enforced == chosen);
            alternatives += s->world.report.disjunctions;
        }
        scene_free(s);
    }
    CHECK(alternatives > 1000 && friction > 1000 && straight > 500);
}

/* The gap of a group's best facet is the pair's true gap after the step, where planes are concerned. */
static void listed_gaps_are_those_at_the_end(void)
{
    int seed, step, i, compared = 0;
    for (seed = 1; seed <= 6; seed++) {
        scene *s;
        test_seed((uint64_t)seed + 40);
        s = contact_pour(true, 0.4, 5);
        for (step = 0; step < 100; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            for (i = 0; i < s->world.contact_count; i++) {
                const dvc_contact *c = &s->world.contacts[i];
                oracle_solid a, b;
                if (s->shapes[c->shape_a].kind != DVC_PLANE || s->shapes[c->shape_b].kind != DVC_SPHERE) continue;
                oracle_shape(&s->world, c->shape_a, &a);
                oracle_shape(&s->world, c->shape_b, &b);
                CHECK_NEAR(c->gap, oracle_gap(&a, &b), 1e-12);
                compared++;
            }
            CHECK(s->world.report.worst_gap <= 0);
            CHECK_NEAR(s->world.report.worst_gap, fmin(0, oracle_deepest(&s->world)), 1e-9);
        }
        scene_free(s);
    }
    CHECK(compared > 100);
}

/* ---- friction ---- */

/* A sliding ball's friction is all there is, straight against the slip, in 16 directions, however many sides the pyramid has. */
static void sliding_friction_opposes_the_slip_in_16_directions(void)
{
    int k, directions;
    for (k = 0; k < 16; k++)
        for (directions = 3; directions < 10; directions++) {
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            double heading = k * TRIAL_PI / 8 + 0.05, p = 9.81 * 0.01;
            const dvc_contact *c = s->world.contacts;
            s->world.friction_directions = directions;
            scene_ground(s, 0.25);
            scene_sphere(s, 0.5, v3(0, 0, 0.5), 1, 0.25);
            s->bodies[1].velocity = v3(3 * cos(heading), 3 * sin(heading), 0);
            trial_step(s, 0.01);
            CHECK(s->world.contact_count == 1);
            CHECK_NEAR(c->normal_impulse, p, 1e-13);
            CHECK_NEAR(c->impulse.x, -0.25 * p * cos(heading), 1e-13);
            CHECK_NEAR(c->impulse.y, -0.25 * p * sin(heading), 1e-13);
            scene_free(s);
        }
}

/* A fixed pyramid of n directions answers along the nearest of them: off by up to pi / n, 22.5 degrees for eight. */
static void a_fixed_pyramid_is_off_by_up_to_half_the_angle_between_its_directions(void)
{
    static const int directions[] = { 4, 8, 12 };
    int k, i;
    for (k = 0; k < 3; k++) {
        double between = 2 * TRIAL_PI / directions[k], worst = 0;
        for (i = 0; i < 90; i++) {
            double heading = 0.0123 + i * TRIAL_PI / 45, nearest = between * floor(heading / between + 0.5), angle, off;
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            scene_ground(s, 0.25);
            scene_sphere(s, 0.5, v3(0, 0, 0.5), 1, 0.25);
            s->world.fixed_tangents = true;
            s->world.friction_directions = directions[k];
            /* so fast that the step does not turn the slip */
            s->bodies[1].velocity = v3(300 * cos(heading), 300 * sin(heading), 0);
            trial_step(s, 0.01);
            angle = atan2(-(double)s->world.contacts[0].impulse.y, -(double)s->world.contacts[0].impulse.x);
            CHECK_NEAR(cos(angle - nearest), 1, 1e-12);
            off = fabs(heading - nearest);
            worst = fmax(worst, off);
            CHECK_NEAR(acos(fmin(1, cos(angle - heading))), off, 1e-6);
            scene_free(s);
        }
        CHECK(worst <= between / 2 && worst > 0.48 * between);
    }
}

/* A rule for the pair comes before the shapes' own friction and the world's directions. */
static void a_rule_sets_friction_and_directions_of_its_pair(void)
{
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    dvc_pair_rule rule;
    int k;
    memset(&rule, 0, sizeof rule);
    rule.body_a = 1;
    rule.set_friction = rule.fixed_tangents = true;
    rule.friction = (dvc_real)0.1;
    rule.friction_directions = 4;
    rule.tangent_angle = (dvc_real)0.4;
    s->world.pair_rules = &rule;
    s->world.pair_rule_count = 1;
    scene_ground(s, 0.25);
    for (k = 0; k < 2; k++) {
        scene_sphere(s, 0.5, v3(0, 4 * k, 0.5), 1, 0.25);
        s->bodies[k + 1].velocity = v3(3 * cos(0.6), 3 * sin(0.6), 0);
    }
    trial_step(s, 0.01);
    for (k = 0; k < 2; k++) {
        const dvc_contact *c = &s->world.contacts[k];
        double mu = k ? 0.25 : 0.1, heading = k ? 0.6 : 0.4, p = 9.81 * 0.01;
        CHECK(c->body_b == k + 1);
        CHECK_NEAR(c->impulse.x, -mu * p * cos(heading), 1e-13);
        CHECK_NEAR(c->impulse.y, -mu * p * sin(heading), 1e-13);
    }
    scene_free(s);
}

/* ---- warm starts ---- */

typedef enum contact_memory { CONTACT_KEPT, CONTACT_FORGOTTEN, CONTACT_STALE, CONTACT_SHUFFLED } contact_memory;

/* The list in any order, with entries of shapes that are not there. */
static void contact_shuffle(dvc_world *world)
{
    int i;
    for (i = world->contact_count - 1; i > 0; i--) {
        int k = (int)test_random(0, i);
        dvc_contact keep = world->contacts[i];
        world->contacts[i] = world->contacts[k];
        world->contacts[k] = keep;
    }
    if (world->contact_count > 2) {
        world->contacts[0].shape_a = 1 << 30;
        world->contacts[1].shape_a = -5;
        world->contacts[2].shape_b = -1;
    }
}

static scene *contact_run(int seed, contact_memory memory)
{
    static dvc_contact stale[256];
    static int stale_count;
    scene *s;
    int step;
    test_seed((uint64_t)seed);
    s = contact_pour(seed % 2, 0, 6);
    for (step = 0; step < 50; step++) {
        if (memory == CONTACT_FORGOTTEN) s->world.contact_count = 0;
        if (memory == CONTACT_SHUFFLED) contact_shuffle(&s->world);
        if (memory == CONTACT_STALE && step == 40) memcpy(s->world.contacts, stale, (size_t)stale_count * sizeof *stale);
        if (memory == CONTACT_STALE && step == 40) s->world.contact_count = stale_count;
        trial_step(s, 0.01);
        if (memory != CONTACT_STALE || step != 25) continue;
        stale_count = s->world.contact_count < 256 ? s->world.contact_count : 256;
        memcpy(stale, s->world.contacts, (size_t)stale_count * sizeof *stale);
    }
    return s;
}

/* Without friction velocities have one answer: what the list remembers must not change it, but for rounding. */
static void what_the_list_remembers_does_not_change_the_answer(void)
{
    int seed, touched = 0;
    for (seed = 61; seed <= 76; seed++) {
        scene *kept = contact_run(seed, CONTACT_KEPT), *forgotten = contact_run(seed, CONTACT_FORGOTTEN),
            *stale = contact_run(seed, CONTACT_STALE), *shuffled = contact_run(seed, CONTACT_SHUFFLED);
        CHECK(trial_difference(kept, forgotten, 1e-8) == -1);
        CHECK(trial_difference(kept, stale, 1e-8) == -1);
        CHECK(trial_difference(kept, shuffled, 1e-8) == -1);
        touched += kept->world.report.enforced;
        scene_free(kept);
        scene_free(forgotten);
        scene_free(stale);
        scene_free(shuffled);
    }
    CHECK(touched > 40);
}

/* ---- sensors ---- */

/* A sensor's overlap is listed with its depth, without choice or impulse. */
static void a_sensor_is_listed_with_its_depth_and_carries_nothing(void)
{
    double z;
    for (z = -0.4; z < 0.45; z += 0.05) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        dvc_vec3 v;
        int i;
        scene_box(s, DVC_STATIC, v3(1, 1, 0.2), scene_zero, 1, 0);
        s->shapes[0].sensor = true;
        scene_sphere(s, 0.3, v3(0.1, 0, 0.5 + z), 1, 0);
        s->world.gravity = scene_zero;
        s->bodies[1].velocity = v = v3(0.5, 0, -0.25);
        trial_step(s, 0.01);
        CHECK(oracle_norm(oracle_minus(s->bodies[1].velocity, v)) == 0);
        if (z - 0.0025 < 0) CHECK(s->world.contact_count > 0);
        for (i = 0; i < s->world.contact_count; i++) {
            const dvc_contact *c = &s->world.contacts[i];
            CHECK(c->sensor && !c->chosen && oracle_norm(c->impulse) == 0);
            if (c->feature_a == DVC_FEATURE(DVC_FACE, DVC_FEATURE_INDEX(c->feature_a)) && c->normal.z > 0.9)
                CHECK_NEAR(c->gap, z - 0.0025, 1e-12);
        }
        CHECK(s->world.report.worst_gap == 0);
        scene_free(s);
    }
}

/* ---- belts ---- */

/* A belt's velocity is given in its shape's axes; what of it leads out of the face does not count. */
static void a_belt_runs_in_the_axes_of_its_shape(void)
{
    int k;
    for (k = 0; k < 12; k++) {
        double yaw = 0.3 + k * TRIAL_PI / 6, h = 0.01;
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        int step;
        scene_box(s, DVC_STATIC, v3(5, 5, 0.5), v3(0, 0, -0.5), 1, 0.4);
        s->bodies[0].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(0.5 * yaw));
        s->shapes[0].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(0.5 * yaw));
        s->shapes[0].surface_velocity = v3(1, 0, k % 3 ? 5 : 0);
        scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0.3), v3(0, 0, 0.3), 2, 0.4);
        for (step = 1; step <= 40; step++) {
            double speed = fmin(1, 0.4 * 9.81 * h * step);
            trial_step(s, h);
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[1].velocity, v3(speed * cos(yaw), speed * sin(yaw), 0))), 0, 1e-11);
        }
        scene_free(s);
    }
}

/* A belt on a body that can move recoils; shapes of either side of the pair may be the belt. */
static void a_belt_on_a_free_body_recoils(void)
{
    int belt, step;
    for (belt = 0; belt < 2; belt++) {
        scene *s = scene_make(3, false, TRIAL_SCRATCH);
        dvc_vec3 p, l;
        double slip;
        scene_ground(s, 0);
        scene_box(s, DVC_DYNAMIC, v3(2, 0.5, 0.1), v3(0, 0, 0.1), 3, 0.4);
        scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), v3(0, 0, 0.4), 1, 0.4);
        s->shapes[1 + belt].surface_velocity = v3(belt ? -1 : 1, 0, 0);
        for (step = 0; step < 60; step++) {
            trial_step(s, 0.01);
            dvc_momentum(&s->world, &p, &l);
            CHECK_NEAR(p.x, 0, 1e-12);
        }
        slip = (double)(s->bodies[2].velocity.x - s->bodies[1].velocity.x);
        CHECK_NEAR(slip, 1, 1e-11);
        CHECK_NEAR(s->bodies[2].velocity.x, 0.75, 1e-11);
        scene_free(s);
    }
}

static void suite_contact(void)
{
    test_state.suite = "contact";
    RUN(what_is_listed_is_what_every_body_received);
    RUN(a_resting_body_of_any_mass_is_carried_without_moment);
    RUN(entries_of_the_list_keep_their_rules);
    RUN(listed_gaps_are_those_at_the_end);
    RUN(sliding_friction_opposes_the_slip_in_16_directions);
    RUN(a_fixed_pyramid_is_off_by_up_to_half_the_angle_between_its_directions);
    RUN(a_rule_sets_friction_and_directions_of_its_pair);
    RUN(what_the_list_remembers_does_not_change_the_answer);
    RUN(a_sensor_is_listed_with_its_depth_and_carries_nothing);
    RUN(a_belt_runs_in_the_axes_of_its_shape);
    RUN(a_belt_on_a_free_body_recoils);
}
