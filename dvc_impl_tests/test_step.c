/* The stages of a step are told in their order. >>step */

static const char *step_stages(scene *s, double h, dvc_status expected)
{
    test_stages.count = 0;
    test_stages.told[0] = 0;
    CHECK(dvc_step(&s->world, (dvc_real)h) == expected);
    return test_stages.told;
}

/* The tree yields one pair; half-spaces come after it. */
static void stages_are_told_in_their_order(void)
{
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    scene_ground(s, 0.5);
    CHECK(strcmp(step_stages(s, 0.01, DVC_OK), "ch lo pa is so ce st ") == 0);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 1.5), 1, 0.5);
    CHECK(strcmp(step_stages(s, 0.01, DVC_OK), "ch lo pa co pa co co is so so en ce st ") == 0);
    s->bodies[1].disabled = true;
    s->bodies[2].position.z = 9;
    CHECK(strcmp(step_stages(s, 0.01, DVC_OK), "ch lo pa co is so ce st ") == 0);
    scene_free(s);
}

static void each_island_is_solved_and_then_corrected(void)
{
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(9, 0, 0.5), 1, 0.5);
    CHECK(strcmp(step_stages(s, 0.01, DVC_OK), "ch lo pa co co is so so en so en ce st ") == 0);
    scene_free(s);
}

static void half_steps_look_for_contacts_again(void)
{
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    islands_add_sandwich(s, 0);
    CHECK(strstr(step_stages(s, 0.01, DVC_OK), "en co so en") != NULL);
    CHECK(s->world.report.halvings > 0);
    scene_free(s);
}

/* A fast ball strikes a row of others that foresee nothing of it. */
static void a_step_that_was_missed_is_loaded_again(void)
{
    scene *s = scene_make(4, false, TRIAL_SCRATCH);
    const char *at;
    int i, loads = 0;
    s->world.gravity = scene_zero;
    for (i = 0; i < 4; i++) scene_sphere(s, 0.5, v3(1.02 * i, 0, 0), 1, 0);
    s->bodies[0].velocity = v3(20, 0, 0);
    for (at = step_stages(s, 0.01, DVC_OK); (at = strstr(at, "lo")) != NULL; at++) loads++;
    CHECK(s->world.report.repeats > 0 && loads == 1 + s->world.report.repeats);
    scene_free(s);
}

/* Whatever happens, a step begins with its check and ends where it is stored. */
static void errors_are_told_of_from_check_to_store(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    CHECK(strcmp(step_stages(s, -1, DVC_ERROR_STEP_SIZE), "ch st ") == 0);
    s->world.contact_capacity = 1;
    CHECK(strcmp(step_stages(s, 0.01, DVC_ERROR_CONTACTS), "ch lo pa co ce st ") == 0);
    s->world.contact_capacity = SCENE_CONTACTS;
    scene_free(s);
}

/* What threads do is one stage. */
static void stages_are_not_told_by_threads(void)
{
    scene *s = threads_mix(false, 3);
    long before = test_threads.calls;
    int step;
    test_stages.inside = 0;
    for (step = 0; step < 20; step++) {
        test_stages.count = 0;
        CHECK(threads_step(s, 4, 0) == DVC_OK);
        CHECK(strstr(test_stages.told, "is so ce ") && !strstr(test_stages.told, "en"));
    }
    CHECK(test_threads.calls > before && test_stages.inside == 0);
    scene_free(s);
}

static void suite_step(void)
{
    test_state.suite = "step";
    RUN(stages_are_told_in_their_order);
    RUN(each_island_is_solved_and_then_corrected);
    RUN(half_steps_look_for_contacts_again);
    RUN(a_step_that_was_missed_is_loaded_again);
    RUN(errors_are_told_of_from_check_to_store);
    RUN(stages_are_not_told_by_threads);
}
