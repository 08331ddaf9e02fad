/* Islands: bodies that touch are solved together, others as if they were alone in the world.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

enum { ISLANDS_PARTS = 4 };

/* One cluster of parts above its own static tray, `place` away from the origin. The trays stand still, the parts fall. */
static void islands_add_cluster(scene *s, int seed, double place, double friction)
{
    dvc_vec3 up = trial_up(s), at = v3(place, 0, 0);
    int k;
    test_seed((uint64_t)seed);
    scene_box(s, DVC_STATIC, s->world.planar ? v3(1, 0.2, 0) : v3(1, 1, 0.2), oracle_along(at, up, -0.2), 1, friction);
    for (k = 0; k < ISLANDS_PARTS; k++) {
        dvc_vec3 over = oracle_along(oracle_along(at, up, 0.5 + 0.6 * k), v3(1, 0, 0), test_random(-0.2, 0.2));
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(k % TRIAL_KINDS), 0.25, over, friction);
        s->bodies[body].angular_velocity.z = (dvc_real)test_random(-3, 3);
    }
}

static bool islands_same_bits(const dvc_body *a, const dvc_body *b)
{
    return memcmp(&a->position, &b->position, sizeof a->position) == 0
        && memcmp(&a->orientation, &b->orientation, sizeof a->orientation) == 0
        && memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0
            && memcmp(&a->angular_velocity, &b->angular_velocity, sizeof a->angular_velocity) == 0;
}

/* Bodies of a world of one cluster against the same ones in the world of all: the first body of each is given. */
static void islands_compare(const scene *all, int first, const scene *one, int from, int count)
{
    int k;
    for (k = 0; k < count; k++) CHECK(islands_same_bits(&all->bodies[first + k], &one->bodies[from + k]));
}

/* Three clusters in one world, and each in its own: the same bits, step by step. */
static void clusters_move_as_if_they_were_alone(void)
{
    int planar, rough, i, step, touched = 0;
    for (planar = 0; planar < 2; planar++)
        for (rough = 0; rough < 2; rough++) {
            scene *all = scene_make(3 * (ISLANDS_PARTS + 1), planar, TRIAL_SCRATCH), *one[3];
            for (i = 0; i < 3; i++) {
                one[i] = scene_make(ISLANDS_PARTS + 1, planar, TRIAL_SCRATCH);
                islands_add_cluster(all, i + 1, 20 * (i - 1), 0.4 * rough);
                islands_add_cluster(one[i], i + 1, 20 * (i - 1), 0.4 * rough);
            }
            for (step = 0; step < 120; step++) {
                int islands = 0, problems = 0;
                CHECK(dvc_step(&all->world, (dvc_real)0.01) == DVC_OK);
                for (i = 0; i < 3; i++) {
                    CHECK(dvc_step(&one[i]->world, (dvc_real)0.01) == DVC_OK);
                    islands_compare(all, i * (ISLANDS_PARTS + 1), one[i], 0, ISLANDS_PARTS + 1);
                    islands += one[i]->world.report.islands;
                    problems += one[i]->world.report.problems;
                }
                CHECK(all->world.report.islands == islands);
                CHECK(all->world.report.problems == problems);
                touched += all->world.report.enforced > 0;
            }
            for (i = 0; i < 3; i++) scene_free(one[i]);
            scene_free(all);
        }
    CHECK(touched > 200);
}

/* ---- what joins ---- */

/* Columns of two boxes on one ground, `apart` from each other. */
static scene *islands_columns(int count, double apart)
{
    scene *s = scene_make(2 * count + 4, false, TRIAL_SCRATCH);
    int k;
    scene_ground(s, 0.4);
    for (k = 0; k < 2 * count; k++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(apart * (k / 2), 0, 0.5 + k % 2), 1, 0.4);
    return s;
}

/* An island's step is two problems, one of positions and one of velocities; what rests to the bit, which takes a step, needs the
 * first one only, and so does the literature's step. */
static void islands_check_problems(scene *s, int islands, int *largest)
{
    int step;
    for (step = 0; step < 3; step++) {
        trial_step(s, 0.01);
        CHECK(s->world.report.islands == islands);
        CHECK(s->world.report.problems == (step == 0 && !s->world.semi_implicit ? 2 * islands : islands));
        if (*largest == 0) *largest = s->world.report.largest_problem;
        CHECK(s->world.report.largest_problem == *largest && *largest > 0);
    }
    scene_free(s);
}

static void ground_does_not_join_what_stands_on_it(void)
{
    int count, largest = 0;
    for (count = 1; count <= 6; count++) {
        scene *literature = islands_columns(count, 1.5);
        literature->world.semi_implicit = true;
        islands_check_problems(literature, count, &largest);
        islands_check_problems(islands_columns(count, 1.5), count, &largest);
    }
}

static void touching_columns_are_one_island(void)
{
    int largest = 0;
    islands_check_problems(islands_columns(3, 1), 1, &largest);
}

/* A plank over two of three columns joins these two. It may lie there, roll by, or be no more than a sensor. */
static void a_plank_joins_the_columns_it_lies_on(void)
{
    static const dvc_body_kind kinds[] = { DVC_DYNAMIC, DVC_STATIC, DVC_KINEMATIC, DVC_DYNAMIC, DVC_DYNAMIC };
    static const int islands[] = { 2, 3, 3, 4, 3 }; /* a sensor is an island of its own; a disabled body is none */
    int k;
    for (k = 0; k < 5; k++) {
        scene *s = islands_columns(3, 1.5);
        int plank = scene_box(s, kinds[k], v3(1.2, 0.4, 0.1), v3(0.75, 0, 2.1), 1, 0.4);
        if (kinds[k] == DVC_KINEMATIC) s->bodies[plank].velocity = v3(0.1, 0, 0);
        s->shapes[plank].sensor = k == 3;
        s->bodies[plank].disabled = k == 4;
        trial_step(s, 0.01);
        CHECK(s->world.report.islands == islands[k]);
        scene_free(s);
    }
}

/* A rule that lets two bodies pass through each other keeps them apart as islands, too. */
static void pairs_that_ignore_each_other_do_not_join(void)
{
    scene *s = islands_columns(2, 1);
    dvc_pair_rule rules[4];
    int k;
    memset(rules, 0, sizeof rules);
    for (k = 0; k < 4; k++) {
        rules[k].body_a = 1 + k % 2;
        rules[k].body_b = 3 + k / 2;
        rules[k].ignore = true;
    }
    s->world.pair_rules = rules;
    s->world.pair_rule_count = 4;
    trial_step(s, 0.01);
    CHECK(s->world.report.islands == 2);
    scene_free(s);
}

static void free_bodies_are_islands_without_problems(void)
{
    scene *s = scene_make(5, false, TRIAL_SCRATCH);
    int k;
    for (k = 0; k < 5; k++) scene_sphere(s, 0.2, v3(k, 0, 3), 1, 0);
    trial_step(s, 0.01);
    CHECK(s->world.report.islands == 5 && s->world.report.problems == 0 && s->world.report.contacts == 0);
    CHECK_NEAR(s->bodies[4].velocity.z, -0.0981, 1e-15);
    scene_free(s);
}

/* ---- trouble next door ---- */

/* A unit box that does not fit between its plates: no step can solve it. */
static int islands_add_sandwich(scene *s, double place)
{
    scene_box(s, DVC_STATIC, v3(2, 2, 0.5), v3(place, 0, -0.5), 1, 0.3);
    scene_box(s, DVC_STATIC, v3(2, 2, 0.5), v3(place, 0, 1.4), 1, 0.3);
    return scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(place, 0, 0.45), 1, 0.3);
}

/* The trouble begins when the others have landed. */
static void an_island_without_a_solution_does_not_disturb_others(void)
{
    int before, step, flawed = 0, touched = 0, squeezed = 0;
    for (before = 0; before < 2; before++) {
        scene *both = scene_make(ISLANDS_PARTS + 4, false, TRIAL_SCRATCH),
            *alone = scene_make(ISLANDS_PARTS + 1, false, TRIAL_SCRATCH);
        if (before) squeezed = islands_add_sandwich(both, 30);
        islands_add_cluster(both, 5, 0, 0.4);
        if (!before) squeezed = islands_add_sandwich(both, 30);
        islands_add_cluster(alone, 5, 0, 0.4);
        for (step = 0; step < 50; step++) {
            both->bodies[squeezed].disabled = step < 40;
            CHECK(dvc_step(&both->world, (dvc_real)0.01) == DVC_OK);
            trial_step(alone, 0.01);
            flawed += both->world.report.inexact > 0;
            touched += alone->world.report.enforced > 0;
            islands_compare(both, before ? 3 : 0, alone, 0, ISLANDS_PARTS + 1);
        }
        scene_free(both);
        scene_free(alone);
    }
    CHECK(flawed == 20 && touched > 40);
}

/* A body that is struck farther than foreseen makes the step begin again: the others get the same bits from that. */
static void a_step_that_is_begun_again_does_not_disturb_others(void)
{
    scene *both = scene_make(ISLANDS_PARTS + 4, false, TRIAL_SCRATCH),
        *alone = scene_make(ISLANDS_PARTS + 1, false, TRIAL_SCRATCH);
    int step, repeats = 0;
    islands_add_cluster(both, 6, 0, 0.4);
    islands_add_cluster(alone, 6, 0, 0.4);
    scene_sphere(both, 0.1, v3(0, 0, 40), 1, 0);
    scene_sphere(both, 0.1, v3(0.25, 0, 40), 0.1, 0);
    scene_sphere(both, 0.1, v3(0.55, 0, 40), 1, 0);
    both->bodies[ISLANDS_PARTS + 1].velocity = v3(60, 0, 0);
    for (step = 0; step < 30; step++) {
        trial_step(both, 0.01);
        trial_step(alone, 0.01);
        repeats += both->world.report.repeats;
        islands_compare(both, 0, alone, 0, ISLANDS_PARTS + 1);
    }
    CHECK(repeats > 0);
    scene_free(both);
    scene_free(alone);
}

/* A strict world has one answer for all: an island without a solution is an error, and nobody has moved. */
static void a_strict_world_moves_nobody_when_one_island_fails(void)
{
    scene *s = scene_make(ISLANDS_PARTS + 4, false, TRIAL_SCRATCH);
    dvc_body before[ISLANDS_PARTS + 4];
    islands_add_cluster(s, 5, 0, 0.4);
    islands_add_sandwich(s, 30);
    s->world.strict = true;
    memcpy(before, s->bodies, sizeof before);
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_ERROR_NOT_SOLVED);
    CHECK(memcmp(before, s->bodies, sizeof before) == 0 && s->world.time == 0 && s->world.contact_count == 0);
    scene_free(s);
}

static void suite_islands(void)
{
    test_state.suite = "islands";
    RUN(clusters_move_as_if_they_were_alone);
    RUN(ground_does_not_join_what_stands_on_it);
    RUN(touching_columns_are_one_island);
    RUN(a_plank_joins_the_columns_it_lies_on);
    RUN(pairs_that_ignore_each_other_do_not_join);
    RUN(free_bodies_are_islands_without_problems);
    RUN(an_island_without_a_solution_does_not_disturb_others);
    RUN(a_step_that_is_begun_again_does_not_disturb_others);
    RUN(a_strict_world_moves_nobody_when_one_island_fails);
}
