/* Pairs and islands shared among threads: the bits of one thread, whatever their number and order. >>threads */

enum { THREADS_BODIES = 64, THREADS_CLUSTERS = 5 };

static void threads_wave(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    position->x = (dvc_real)(0.3 * sin(9 * (double)t));
    *orientation = dvc_quat_turn(v3(0, 0, 1), t / 3);
}

/* Clusters of falling parts in trays of their own; a box squeezed between plates (half steps); a plank that only looks across
 * two clusters; a plate that moves as told under two more. */
static scene *threads_mix(bool planar, int seed)
{
    scene *s = scene_make(THREADS_BODIES, planar, TRIAL_SCRATCH);
    int k, plate;
    for (k = 0; k < THREADS_CLUSTERS; k++) islands_add_cluster(s, seed + k, 8 * k, 0.4);
    s->bodies[0].kind = s->bodies[ISLANDS_PARTS + 1].kind = DVC_KINEMATIC;
    s->bodies[0].motion = threads_wave;
    for (k = 2 * ISLANDS_PARTS; k < s->world.body_count; k += 3) s->bodies[k].velocity = v3(0, 0, planar ? 0 : -9);
    plate = scene_box(s, DVC_STATIC, planar ? v3(8, 0.1, 0) : v3(8, 0.5, 0.1), planar ? v3(16, 0.6, 0) : v3(16, 0, 0.6), 1, 0);
    s->shapes[plate].sensor = true;
    if (!planar) islands_add_sandwich(s, 60);
    else {
        scene_box(s, DVC_STATIC, v3(1, 0.5, 0), v3(60, -0.5, 0), 1, 0.3);
        scene_box(s, DVC_STATIC, v3(1, 0.5, 0), v3(60, 1.3, 0), 1, 0.3);
        scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0), v3(60, 0.45, 0), 1, 0.3);
    }
    return s;
}

static dvc_status threads_step(scene *s, int count, int backwards)
{
    dvc_status status;
    test_threads.count = count;
    test_threads.backwards = backwards;
    status = dvc_step(&s->world, (dvc_real)0.01);
    test_threads.count = 1;
    return status;
}

/* All that a step leaves behind, the report included. */
static bool threads_same(const scene *a, const scene *b)
{
    size_t contacts = (size_t)a->world.contact_count * sizeof *a->world.contacts;
    return a->world.contact_count == b->world.contact_count && dvc_world_hash(&a->world) == dvc_world_hash(&b->world)
        && memcmp(a->world.contacts, b->world.contacts, contacts) == 0
        && memcmp(&a->world.report, &b->world.report, sizeof a->world.report) == 0;
}

static void any_number_of_threads_leaves_the_same_bits(void)
{
    static const int counts[] = { 2, 3, 4, 7 };
    int planar, i, step, halvings = 0, cuts = 0;
    for (planar = 0; planar < 2; planar++)
        for (i = 0; i < 4; i++) {
            scene *one = threads_mix(planar, 10 * i + 1), *many = threads_mix(planar, 10 * i + 1);
            long before = test_threads.calls;
            for (step = 0; step < 40; step++) {
                CHECK(threads_step(one, 1, 0) == DVC_OK);
                CHECK(threads_step(many, counts[i], step % 2) == DVC_OK);
                CHECK(threads_same(one, many));
                halvings += many->world.report.halvings;
                cuts += many->world.report.cuts;
            }
            CHECK(test_threads.calls > before + 30);
            scene_free(one);
            scene_free(many);
        }
    CHECK(halvings > 50 && cuts > 0);
}

/* Threads share the scratch. Where that is too little for them, it is still enough for one. */
static void scratch_for_one_thread_is_enough(void)
{
    scene *one = threads_mix(false, 3), *many = threads_mix(false, 3);
    size_t ample = many->world.scratch_size;
    int step;
    for (step = 0; step < 40; step++) {
        dvc_report report;
        CHECK(threads_step(one, 1, 0) == DVC_OK);
        report = one->world.report;
        many->world.scratch_size = report.scratch_used - 1;
        CHECK(threads_step(many, 4, 0) == DVC_ERROR_SCRATCH);
        many->world.scratch_size = report.scratch_used + (step % 3 == 0 ? 0u : step % 3 == 1 ? 40000u : ample);
        if (many->world.scratch_size > ample) many->world.scratch_size = ample;
        CHECK(threads_step(many, 4, 0) == DVC_OK);
        CHECK(threads_same(one, many));
    }
    many->world.scratch_size = ample;
    scene_free(one);
    scene_free(many);
}

static void contacts_for_one_thread_are_enough(void)
{
    scene *one = threads_mix(false, 5), *many = threads_mix(false, 5);
    int step;
    for (step = 0; step < 30; step++) {
        CHECK(threads_step(one, 1, 0) == DVC_OK);
        if (one->world.report.contacts_needed > many->world.contact_count + 1) {
            many->world.contact_capacity = one->world.report.contacts_needed - 1;
            CHECK(threads_step(many, 3, 0) == DVC_ERROR_CONTACTS);
        }
        many->world.contact_capacity = one->world.report.contacts_needed;
        if (many->world.contact_capacity < many->world.contact_count) many->world.contact_capacity = many->world.contact_count;
        CHECK(threads_step(many, 3, 0) == DVC_OK);
        CHECK(one->world.contact_count == many->world.contact_count);
        CHECK(dvc_world_hash(&one->world) == dvc_world_hash(&many->world));
    }
    scene_free(one);
    scene_free(many);
}

/* A step that fails does so in the same way. */
static void errors_are_those_of_one_thread(void)
{
    int threads, step;
    for (threads = 1; threads < 5; threads++) {
        scene *s = threads_mix(false, 7);
        uint64_t hash;
        dvc_status status = DVC_OK;
        s->world.strict = true;
        for (step = 0; step < 5 && status == DVC_OK; step++) {
            hash = dvc_world_hash(&s->world);
            status = threads_step(s, threads, 1);
        }
        CHECK(status == DVC_ERROR_NOT_SOLVED);
        CHECK(hash == dvc_world_hash(&s->world));
        scene_free(s);
    }
}

static void a_world_may_ask_for_fewer_threads(void)
{
    scene *s = threads_mix(false, 9);
    long before = test_threads.calls;
    int step;
    s->world.threads = 1;
    for (step = 0; step < 5; step++) CHECK(threads_step(s, 8, 0) == DVC_OK);
    CHECK(test_threads.calls == before);
    s->world.threads = 0;
    for (step = 0; step < 5; step++) CHECK(threads_step(s, 8, 0) == DVC_OK);
    CHECK(test_threads.calls > before);
    scene_free(s);
}

static void suite_threads(void)
{
    test_state.suite = "threads";
    RUN(any_number_of_threads_leaves_the_same_bits);
    RUN(scratch_for_one_thread_is_enough);
    RUN(contacts_for_one_thread_are_enough);
    RUN(errors_are_those_of_one_thread);
    RUN(a_world_may_ask_for_fewer_threads);
}
