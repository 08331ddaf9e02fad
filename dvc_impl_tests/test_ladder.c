/* The ladder: small scenes that need its rungs, each told in the report. Who takes a rung away takes its count, and here what it was
 * for, too: steps that are no longer exact, or overlap.
 *
 * Included by the main file of the tests after those whose scenes it borrows. */

#include "machine.h"

typedef struct ladder_run {
    int rungs[DVC_RUNG_COUNT];
    int problems, inexact, exact_steps, steps;
    double deepest, residual;
} ladder_run;

/* The rungs that solve come first; each problem has come from one of them. */
static void ladder_check_sum(const dvc_report *report)
{
    int i, solved = 0;
    for (i = 0; i <= DVC_RUNG_UNSOLVED; i++) solved += report->rungs[i];
    CHECK(solved == report->problems);
    CHECK(report->rungs[DVC_RUNG_HALVED] == report->halvings && report->rungs[DVC_RUNG_REPEATED] == report->repeats);
    CHECK(report->rungs[DVC_RUNG_STIFFENED] == report->stiffened);
    CHECK(report->rungs[DVC_RUNG_CORRECTED] + report->rungs[DVC_RUNG_CORRECTED_AT_START] + report->rungs[DVC_RUNG_CORRECTED_LESS]
              + report->rungs[DVC_RUNG_PUSHED_OUT]
          == report->corrections);
}

static void ladder_steps(scene *s, double h, int steps, ladder_run *run)
{
    int step, i;
    for (step = 0; step < steps; step++) {
        CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
        ladder_check_sum(&s->world.report);
        for (i = 0; i < DVC_RUNG_COUNT; i++) run->rungs[i] += s->world.report.rungs[i];
        run->problems += s->world.report.problems;
        run->inexact += s->world.report.inexact;
        run->exact_steps += s->world.report.inexact == 0;
        run->steps++;
        run->deepest = fmin(run->deepest, oracle_deepest(&s->world));
        run->residual = fmax(run->residual, (double)s->world.report.residual);
    }
}

static ladder_run ladder_none(void)
{
    ladder_run run;
    memset(&run, 0, sizeof run);
    return run;
}

static void every_rung_has_a_text_of_its_own(void)
{
    int i, k;
    for (i = 0; i < DVC_RUNG_COUNT; i++) {
        CHECK(strlen(dvc_rung_text((dvc_rung)i)) > 10);
        for (k = 0; k < i; k++) CHECK(strcmp(dvc_rung_text((dvc_rung)i), dvc_rung_text((dvc_rung)k)) != 0);
    }
    CHECK(strcmp(dvc_rung_text(DVC_RUNG_COUNT), "unknown rung") == 0);
}

static scene *ladder_stack(int count, double drop)
{
    scene *s = scene_make(count + 1, false, TRIAL_SCRATCH);
    int i;
    scene_ground(s, 0.5);
    for (i = 0; i < count; i++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5 + drop + i * (1 + drop)), 1, 0.5);
    return s;
}

/* Lands, and from then on goes on as it is; loads are handed down, and what still moves is solved from the modes of the last step. */
static void what_lands_takes_the_first_rungs(void)
{
    ladder_run run = ladder_none();
    scene *s = ladder_stack(3, 0.01);
    ladder_steps(s, 0.01, 60, &run);
    CHECK(run.rungs[DVC_RUNG_AS_BEFORE] > 0 && run.rungs[DVC_RUNG_HANDED_DOWN] > 0 && run.rungs[DVC_RUNG_ACTIVE_SET] > 0);
    CHECK(run.rungs[DVC_RUNG_AS_BEFORE] + run.rungs[DVC_RUNG_HANDED_DOWN] + run.rungs[DVC_RUNG_ACTIVE_SET] == run.problems);
    CHECK(run.inexact == 0 && run.deepest >= -1e-12);
    scene_free(s);
}

/* Hard hits at edges and corners: friction that sticks anew, pivoting from more than one covering vector, rows of the start where those
 * of the end pose contradict each other, half steps. All ends exactly. */
static void what_is_pulled_into_others_takes_rung_after_rung(void)
{
    static const int seeds[] = { 7, 9, 11, 19, 21, 33 };
    ladder_run run = ladder_none();
    int k;
    for (k = 0; k < 6; k++) {
        scene *s = end_pulled_box(seeds[k]);
        ladder_steps(s, 0.01, 4, &run);
        free(s->world.springs);
        scene_free(s);
    }
    CHECK(run.rungs[DVC_RUNG_STICKING] > 0 && run.rungs[DVC_RUNG_LEMKE] > 0 && run.rungs[DVC_RUNG_COVERS] > 0);
    CHECK(run.rungs[DVC_RUNG_UNSOLVED] > 0 && run.rungs[DVC_RUNG_CORRECTED_AT_START] > 0 && run.rungs[DVC_RUNG_HALVED] > 0);
    CHECK(run.inexact == 0);
}

/* Wedged by friction between walls that turn: no motion is a solution, and bodies are pushed apart without it. */
static void what_is_jammed_is_pushed_out(void)
{
    ladder_run run = ladder_none();
    scene *s = end_jam(2252);
    ladder_steps(s, 0.01, 60, &run);
    CHECK(run.rungs[DVC_RUNG_GUESS] > 0 && run.rungs[DVC_RUNG_FORGIVEN] > 0 && run.rungs[DVC_RUNG_CORRECTED_LESS] > 0);
    CHECK(run.rungs[DVC_RUNG_PUSHED_OUT] > 0 && run.rungs[DVC_RUNG_HALVED] > 0);
    CHECK(run.inexact == 0 && run.deepest >= -2e-7);
    scene_free(s);
}

/* Too many rows to pivot: near the last impulses, by sweeps, along the inner path; what none of them solves is told, and what hardly
 * moves is brought to rest. */
static void a_heap_takes_the_rungs_of_what_is_too_large_to_pivot(void)
{
    ladder_run run = ladder_none();
    scene *s = large_pit(3);
    ladder_steps(s, 0.01, 140, &run);
    CHECK(run.rungs[DVC_RUNG_SWEEPS] > 0 && run.rungs[DVC_RUNG_NEAR_START] > 0 && run.rungs[DVC_RUNG_INNER_PATH] > 0);
    CHECK(run.rungs[DVC_RUNG_INEXACT] > 0 && run.rungs[DVC_RUNG_STANDING] > 0);
    CHECK(large_fastest(s) == 0);
    scene_free(s);
}

/* A box between walls that close: nothing can be right, and the normals give way. */
static void what_is_crushed_gives_way(void)
{
    ladder_run run = ladder_none();
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    int k;
    for (k = 0; k < 2; k++) {
        scene_box(s, DVC_KINEMATIC, v3(0.5, 2, 2), v3(k ? 1 : -1, 0, 0), 0, 0.5);
        s->bodies[k].velocity = v3(k ? -1 : 1, 0, 0);
    }
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), scene_zero, 1, 0.5);
    ladder_steps(s, 0.01, 1, &run);
    CHECK(run.rungs[DVC_RUNG_COMPLIANT] > 0 && run.rungs[DVC_RUNG_UNSOLVED] > 0 && run.inexact > 0);
    CHECK_NEAR(s->bodies[2].position.x, 0, 1e-9);
    scene_free(s);
}

/* A solver that sweeps does not always end within the tolerance: then the step is solved all the same. */
static void a_solver_that_fails_is_replaced(void)
{
    ladder_run run = ladder_none();
    scene *s = ladder_stack(3, 0.01);
    s->world.solver = DVC_JACOBI;
    ladder_steps(s, 0.01, 30, &run);
    CHECK(run.rungs[DVC_RUNG_ASKED] > 0 && run.rungs[DVC_RUNG_OTHER_SOLVER] > 0);
    CHECK(run.inexact == 0 && run.residual <= 1e-9);
    scene_free(s);
}

static void a_door_on_two_hinges_leaves_spare_rows_out(void)
{
    ladder_run run = ladder_none();
    scene *s = joint_door(2);
    ladder_steps(s, 0.01, 50, &run);
    CHECK(run.rungs[DVC_RUNG_SPARE_ROWS] == 50 && run.inexact == 0);
    machine_free(s);
}

static void a_chain_that_is_pulled_hard_is_stiffened(void)
{
    ladder_run run = ladder_none();
    scene *s = joint_chain(5, 0.25, 1, 1000);
    ladder_steps(s, 0.01, 50, &run);
    CHECK(run.rungs[DVC_RUNG_STIFFENED] > 0 && run.inexact == 0);
    machine_free(s);
}

/* W's constraints as they stand need both of these to be worth anything: one pair pushes where it ends apart, and one could only be set
 * right by gaining energy. */
static void the_literal_model_releases_and_leaves_overlap(void)
{
    ladder_run run[2];
    int k;
    for (k = 0; k < 2; k++) {
        scene *s = models_pair(k ? 20 : 12, 1, 1, 1);
        run[k] = ladder_none();
        ladder_steps(s, 0.01, 60, &run[k]);
        CHECK(run[k].inexact == 0);
        scene_free(s);
    }
    CHECK(run[0].rungs[DVC_RUNG_RELEASED] > 0 && run[1].rungs[DVC_RUNG_LEFT_OVERLAP] > 0);
}

/* A tower of slabs, of which one bounces: Newton's law would give energy where it strikes some and others only press. */
static void impacts_that_would_gain_are_inelastic(void)
{
    ladder_run run = ladder_none();
    scene *s = scene_make(4, false, TRIAL_SCRATCH);
    int i, step;
    test_seed(2);
    scene_ground(s, 0.5);
    for (i = 0; i < 3; i++) {
        int slab = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.3, 0.2), v3(0.1 * i, 0, 0.5 + 0.8 * i), 1, 0.5);
        double x = test_random(-1, 1), y = test_random(-1, 1), z = test_random(-1, 1), angle = test_random(0, 3);
        s->bodies[slab].orientation = dvc_quat_turn(v3(x, y, z), (dvc_real)angle);
        s->shapes[slab].restitution = (dvc_real)(i % 2 ? 0.9 : 0);
    }
    for (step = 0; step < 60; step++) {
        ladder_steps(s, 0.01, 1, &run);
        CHECK((double)s->world.report.energy_excess <= 1e-9);
    }
    CHECK(run.rungs[DVC_RUNG_INELASTIC] > 0 && run.inexact == 0);
    scene_free(s);
}

/* A struck ball reaches a wall that it had not foreseen. */
static void what_was_not_foreseen_is_begun_again(void)
{
    ladder_run run = ladder_none();
    scene *s = foresight_row(false, TRIAL_BALL, 0.05, 0, 20, DVC_STATIC);
    ladder_steps(s, 0.01, 10, &run);
    CHECK(run.rungs[DVC_RUNG_REPEATED] > 0 && run.inexact == 0 && run.deepest >= -1e-12);
    scene_free(s);
}

static void suite_ladder(void)
{
    test_state.suite = "ladder";
    RUN(every_rung_has_a_text_of_its_own);
    RUN(what_lands_takes_the_first_rungs);
    RUN(what_is_pulled_into_others_takes_rung_after_rung);
    RUN(what_is_jammed_is_pushed_out);
    RUN(a_heap_takes_the_rungs_of_what_is_too_large_to_pivot);
    RUN(what_is_crushed_gives_way);
    RUN(a_solver_that_fails_is_replaced);
    RUN(a_door_on_two_hinges_leaves_spare_rows_out);
    RUN(a_chain_that_is_pulled_hard_is_stiffened);
    RUN(the_literal_model_releases_and_leaves_overlap);
    RUN(impacts_that_would_gain_are_inelastic);
    RUN(what_was_not_foreseen_is_begun_again);
}
