/* Memory: the arena (alignment, failing, measuring) and the contract of a step about its scratch. For worlds of several
 * kinds - planar and spatial, free fall, stacks, heaps of hulls, impacts that need half steps or a new beginning, every
 * solver - a step is taken again from the same state with exactly report.scratch_used bytes, with one byte less, with
 * more, with garbage in it: it gives the same bits, or a clean error that changes nothing. */
#include <stdlib.h>

enum { MEMORY_BIG = 192 << 20, MEMORY_BODIES = 16 };

/* ---- the arena ---- */

static void requests_are_aligned_and_do_not_overlap(void)
{
    static unsigned char block[4096];
    int offset, i;
    for (offset = 0; offset < 32; offset++) {
        dvci_arena arena = dvci_arena_over(block + offset, sizeof block - 32);
        unsigned char *last = block + offset;
        for (i = 0; i < 20; i++) {
            unsigned char *p = (unsigned char *)dvci_alloc(&arena, (size_t)i, 3);
            CHECK(p && (uintptr_t)p % DVCI_ALIGN == 0);
            CHECK(p >= last && p + 3 * i <= block + offset + sizeof block - 32);
            last = p + 3 * i;
        }
    }
}

static void measuring_takes_what_carving_takes(void)
{
    static unsigned char block[4096];
    dvci_arena measure = dvci_arena_measure(), real = dvci_arena_over(block, sizeof block);
    size_t i;
    for (i = 0; i < 20; i++) {
        CHECK(dvci_alloc(&measure, i, 7) == NULL && !measure.failed);
        CHECK(dvci_alloc(&real, i, 7) != NULL && !real.failed);
        CHECK(measure.used == real.used && measure.peak == real.peak);
    }
}

static void the_bytes_measured_suffice_at_every_alignment_and_one_less_does_not(void)
{
    static unsigned char block[256];
    dvci_arena measure = dvci_arena_measure();
    size_t bytes, offset;
    dvci_alloc(&measure, 5, 9);
    bytes = dvci_arena_bytes(measure.peak);
    for (offset = 0; offset < 16; offset++) {
        dvci_arena enough = dvci_arena_over(block + offset, bytes), less = dvci_arena_over(block + offset, bytes - 1);
        CHECK(dvci_alloc(&enough, 5, 9) != NULL && !enough.failed);
        CHECK(dvci_alloc(&less, 5, 9) == NULL && less.failed);
        CHECK(dvci_arena_bytes(less.wanted) == bytes);
    }
}

static void an_arena_that_failed_fails_for_good(void)
{
    static unsigned char block[256];
    dvci_arena arena = dvci_arena_over(block, sizeof block);
    CHECK(dvci_alloc(&arena, 100, 1) != NULL);
    CHECK(dvci_alloc(&arena, 1000, 1) == NULL && arena.failed);
    CHECK(arena.wanted == 112 + 1008);
    CHECK(dvci_alloc(&arena, 1, 1) == NULL && arena.wanted == 112 + 1008); /* of the first failure */
    CHECK(arena.used == 112 && arena.peak == 112);
}

static void memory_given_back_is_given_out_again(void)
{
    static unsigned char block[256];
    dvci_arena arena = dvci_arena_over(block, sizeof block);
    size_t mark;
    void *first, *second;
    dvci_alloc(&arena, 1, 16);
    mark = arena.used;
    first = dvci_alloc(&arena, 10, 16);
    arena.used = mark;
    second = dvci_alloc(&arena, 2, 16);
    CHECK(first == second && arena.used == 48 && arena.peak == 176);
}

static void no_block_or_a_tiny_one_holds_nothing(void)
{
    static unsigned char block[64];
    size_t size;
    dvci_arena none = dvci_arena_over(NULL, 1000);
    CHECK(dvci_alloc(&none, 1, 1) == NULL && none.failed);
    for (size = 0; size < 31; size++) {
        dvci_arena arena = dvci_arena_over(block + 1, size);
        CHECK(dvci_alloc(&arena, 1, 1) == NULL && arena.failed);
    }
}

/* On small machines the product of count and size may not fit: then there is no such memory. */
static void a_request_too_large_to_count_fails(void)
{
    static unsigned char block[256];
    size_t half = (size_t)-1 / 16 + 2;
    dvci_arena arena = dvci_arena_over(block, sizeof block), measure = dvci_arena_measure();
    CHECK(dvci_alloc(&arena, half, 16) == NULL && arena.failed);
    dvci_alloc(&measure, half, 16);
    CHECK(measure.failed || measure.peak >= half);
}

/* ---- worlds ---- */

typedef struct memory_state {
    dvc_world world;
    dvc_body bodies[MEMORY_BODIES];
    dvc_contact *contacts;
} memory_state;

static void memory_save(memory_state *state, const scene *s)
{
    state->world = s->world;
    state->contacts = (dvc_contact *)scene_memory((size_t)s->world.contact_capacity, sizeof(dvc_contact));
    memcpy(state->bodies, s->bodies, (size_t)s->world.body_count * sizeof(dvc_body));
    memcpy(state->contacts, s->world.contacts, (size_t)s->world.contact_capacity * sizeof(dvc_contact));
}

/* Back to the state; the scratch stays the caller's choice. */
static void memory_restore(const memory_state *state, scene *s)
{
    void *scratch = s->world.scratch;
    size_t size = s->world.scratch_size;
    s->world = state->world;
    s->world.scratch = scratch;
    s->world.scratch_size = size;
    memcpy(s->bodies, state->bodies, (size_t)s->world.body_count * sizeof(dvc_body));
    memcpy(s->world.contacts, state->contacts, (size_t)s->world.contact_capacity * sizeof(dvc_contact));
}

/* Every array, the time and the count of contacts, bit for bit; the contacts behind the count, too. */
static bool memory_same(const memory_state *state, const scene *s)
{
    return memcmp(s->bodies, state->bodies, (size_t)s->world.body_count * sizeof(dvc_body)) == 0
        && s->world.contact_count == state->world.contact_count && s->world.time == state->world.time
        && memcmp(s->world.contacts, state->contacts, (size_t)s->world.contact_capacity * sizeof(dvc_contact)) == 0;
}

static bool memory_same_report(const dvc_report *a, const dvc_report *b)
{
    return a->residual == b->residual && a->iterations == b->iterations && a->worst_gap == b->worst_gap
        && a->energy_excess == b->energy_excess && a->inexact == b->inexact && a->fallbacks == b->fallbacks
        && a->contacts == b->contacts && a->enforced == b->enforced && a->problems == b->problems && a->flips == b->flips
        && a->cuts == b->cuts && a->halvings == b->halvings && a->repeats == b->repeats && a->scratch_used == b->scratch_used;
}

/* What shows through in a number that was not written: nothing, everyday sizes, and no number at all. */
static void memory_dirty(unsigned char *block, size_t size, int how)
{
    static const unsigned char patterns[] = { 0xa5, 0xff, 0x00, 0x3f, 0x7f, 0x01 };
    const double nan_value = (double)NAN;
    size_t i;
    memset(block, patterns[how % 6], size);
    if (how % 7 == 6)
        for (i = 0; i + sizeof nan_value <= size; i += sizeof nan_value) memcpy(block + i, &nan_value, sizeof nan_value);
}

static dvc_status memory_step(scene *s, const memory_state *before, double h, unsigned char *scratch, size_t size)
{
    memory_restore(before, s);
    s->world.scratch = scratch;
    s->world.scratch_size = size;
    return dvc_step(&s->world, h);
}

/* Exactly what the step took is enough, wherever the block begins and whatever it holds. */
static void memory_exact(scene *s, const memory_state *before, const memory_state *after, double h, unsigned char *block)
{
    size_t used = after->world.report.scratch_used;
    int offset;
    for (offset = 0; offset < 16; offset++) {
        unsigned char *start = block + (16 - (uintptr_t)block % 16) % 16 + (size_t)offset;
        memory_dirty(start, used, offset);
        memset(start + used, 0x5a, 16);
        CHECK(memory_step(s, before, h, start, used) == DVC_OK);
        CHECK(memory_same(after, s) && memory_same_report(&s->world.report, &after->world.report));
        CHECK(start[used] == 0x5a && start[used + 15] == 0x5a);
    }
}

/* One byte less is an error that changes nothing, tells the need, and is cured by giving it. */
static void memory_short(scene *s, const memory_state *before, const memory_state *after, double h, unsigned char *block)
{
    size_t used = after->world.report.scratch_used, needed;
    int round;
    dvc_status status = memory_step(s, before, h, block + 3, used - 1);
    CHECK(status == DVC_ERROR_SCRATCH && memory_same(before, s) && s->world.culprit == -1);
    CHECK(s->world.report.scratch_needed >= used - 15);
    for (round = 0; status == DVC_ERROR_SCRATCH && round < 6; round++) {
        needed = s->world.report.scratch_needed;
        CHECK(needed <= used + 16);
        status = memory_step(s, before, h, block + 3, needed);
    }
    CHECK(status == DVC_OK && memory_same(after, s) && s->world.report.scratch_needed == 0);
}

/* Any less fails as cleanly, wherever the memory ends. */
static void memory_far_too_short(scene *s, const memory_state *before, const memory_state *after, double h, unsigned char *block)
{
    size_t used = after->world.report.scratch_used, part;
    for (part = 0; part < 40; part++) {
        CHECK(memory_step(s, before, h, block, used * part / 40) == DVC_ERROR_SCRATCH);
        CHECK(memory_same(before, s));
        CHECK(s->world.report.scratch_needed > s->world.scratch_size && s->world.report.scratch_needed <= used);
    }
}

/* The bound holds, and neither it nor any other size makes a difference. */
static void memory_ample(scene *s, const memory_state *before, const memory_state *after, double h, unsigned char *block)
{
    size_t used = after->world.report.scratch_used, bound, sizes[4];
    int i;
    memory_restore(before, s);
    bound = dvc_scratch_size(&s->world);
    CHECK(bound >= used && bound <= MEMORY_BIG);
    sizes[0] = used + 1;
    sizes[1] = used + 17;
    sizes[2] = bound;
    sizes[3] = 2 * used < MEMORY_BIG ? 2 * used : MEMORY_BIG;
    for (i = 0; i < 4; i++) {
        if (sizes[i] > MEMORY_BIG) continue;
        memory_dirty(block, sizes[i] < 4 * used ? sizes[i] : 4 * used, i);
        CHECK(memory_step(s, before, h, block + i, sizes[i]) == DVC_OK);
        CHECK(memory_same(after, s) && memory_same_report(&s->world.report, &after->world.report));
    }
}

/* One step of the scene, taken in all these ways; the scene goes on from its end. */
static void memory_try_step(scene *s, double h, unsigned char *block)
{
    memory_state before, after;
    void *scratch = s->world.scratch;
    size_t size = s->world.scratch_size;
    memory_save(&before, s);
    CHECK(dvc_step(&s->world, h) == DVC_OK);
    memory_save(&after, s);
    memory_exact(s, &before, &after, h, block);
    memory_short(s, &before, &after, h, block);
    memory_far_too_short(s, &before, &after, h, block);
    memory_ample(s, &before, &after, h, block);
    memory_restore(&after, s);
    s->world.scratch = scratch;
    s->world.scratch_size = size;
    free(before.contacts);
    free(after.contacts);
}

typedef struct memory_seen { int halvings, repeats, contacts, largest; } memory_seen;

/* Runs the scene and tries every `every`th step; reports what kinds of step it has met. */
static memory_seen memory_run(scene *s, double h, int steps, int every)
{
    unsigned char *block = (unsigned char *)scene_memory(1, MEMORY_BIG + 64);
    memory_seen seen = { 0, 0, 0, 0 };
    int i;
    for (i = 0; i < steps; i++) {
        if (i % every == 0) memory_try_step(s, h, block);
        else CHECK(dvc_step(&s->world, h) == DVC_OK);
        seen.halvings += s->world.report.halvings;
        seen.repeats += s->world.report.repeats;
        seen.contacts += s->world.contact_count;
        if (s->world.report.largest_problem > seen.largest) seen.largest = s->world.report.largest_problem;
    }
    free(block);
    return seen;
}

/* A scene whose bound is small: room for `contacts` only. */
static scene *memory_scene(bool planar, int contacts)
{
    scene *s = scene_make(MEMORY_BODIES, planar, 32 << 20);
    s->world.contact_capacity = contacts;
    return s;
}

static void memory_box(scene *s, double x, double y, double z)
{
    int i = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.4, 0.3), v3(x, y, z), 2, 0.5);
    s->bodies[i].angular_velocity = v3(0.3, -0.2, 0.1);
}

static void falling_boxes_need_what_they_say(void)
{
    scene *s = memory_scene(false, 32);
    memory_seen seen;
    memory_box(s, 0, 0, 9);
    memory_box(s, 5, 0, 9);
    seen = memory_run(s, 0.01, 4, 2);
    CHECK(seen.contacts == 0);
    scene_free(s);
}

static void falling_squares_need_what_they_say(void)
{
    static const dvc_vec2 triangle[] = { { -1, -1 }, { 1, -1 }, { 0, 1 } };
    scene *s = memory_scene(true, 16);
    memory_seen seen;
    memory_box(s, 0, 9, 0);
    scene_polygon(s, DVC_DYNAMIC, triangle, 3, v3(5, 5, 0), 1, 0.3);
    seen = memory_run(s, 0.01, 4, 2);
    CHECK(seen.contacts == 0);
    scene_free(s);
}

static scene *memory_stack(int boxes, double friction)
{
    scene *s = memory_scene(false, 4 * boxes);
    int i;
    scene_ground(s, friction);
    for (i = 0; i < boxes; i++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0.05 * i, 0.03 * i, 0.5 + i), 1, friction);
    return s;
}

static void stacks_need_what_they_say(void)
{
    scene *s = memory_stack(5, 0.5);
    memory_seen seen = memory_run(s, 0.01, 40, 13);
    CHECK(seen.contacts > 20 && seen.largest > 40);
    scene_free(s);
}

static void stacks_without_friction_need_what_they_say(void)
{
    scene *s = memory_stack(6, 0);
    CHECK(memory_run(s, 0.01, 30, 13).contacts > 20);
    scene_free(s);
}

static void planar_stacks_need_what_they_say(void)
{
    static const dvc_vec2 hexagon[] = { { 1, 0 }, { 0.5, 0.9 }, { -0.5, 0.9 }, { -1, 0 }, { -0.5, -0.9 }, { 0.5, -0.9 } };
    scene *s = memory_scene(true, 64);
    int i;
    scene_ground(s, 0.4);
    for (i = 0; i < 6; i++) scene_polygon(s, DVC_DYNAMIC, hexagon, 6, v3(0.1 * i, 0.95 + 1.85 * i, 0), 1, 0.4);
    CHECK(memory_run(s, 0.01, 80, 13).contacts > 20);
    scene_free(s);
}

static void heaps_of_hulls_need_what_they_say(void)
{
    scene *s = memory_scene(false, 128);
    dvc_vec3 points[12];
    int i, k;
    test_seed(40);
    scene_ground(s, 0.4);
    for (i = 0; i < 5; i++) {
        for (k = 0; k < 12; k++) points[k] = test_vec(test_random(-0.5, 0.5), test_random(-0.5, 0.5), test_random(-0.5, 0.5));
        scene_hull(s, DVC_DYNAMIC, points, 12, v3(0.2 * i, 0.1 * (i % 2), 0.6 + 0.7 * i), 100, 0.4);
    }
    CHECK(memory_run(s, 0.01, 120, 17).contacts > 100);
    scene_free(s);
}

/* Fast spinning plates against the ground: some need half steps. */
static void impacts_in_half_steps_need_what_they_say(void)
{
    int halvings = 0, seed;
    for (seed = 0; seed < 24; seed++) {
        scene *s = memory_scene(false, 96);
        test_seed((uint64_t)seed + 60);
        scene_ground(s, 0.6);
        scene_box(s, DVC_DYNAMIC, v3(0.5, 0.4, 0.05), v3(0, 0, 0.7), 2, 0.5);
        s->bodies[1].velocity = test_vec(test_random(-20, 20), test_random(-20, 20), -test_random(20, 60));
        s->bodies[1].angular_velocity = test_vec(test_random(-60, 60), test_random(-60, 60), test_random(-60, 60));
        halvings += memory_run(s, 0.02, 4, 1).halvings;
        scene_free(s);
    }
    CHECK(halvings > 0);
}

/* A row of balls, too far apart to be near: the struck one strikes the next in the same step. */
static void impacts_that_begin_again_need_what_they_say(void)
{
    scene *s = memory_scene(false, 48);
    memory_seen seen;
    int i;
    s->world.gravity = scene_zero;
    for (i = 0; i < 6; i++) scene_sphere(s, 0.1, v3(0.25 * i, 0.01 * i, 0), 1, 0.2);
    s->bodies[0].velocity = v3(60, 0, 0);
    seen = memory_run(s, 0.02, 4, 1);
    CHECK(seen.repeats > 0);
    scene_free(s);
}

static void every_solver_needs_what_it_says(void)
{
    int solver;
    for (solver = 0; solver < DVC_SOLVER_COUNT; solver++) {
        scene *s = memory_stack(3, 0.5);
        s->world.solver = (dvc_solver)solver;
        CHECK(memory_run(s, 0.01, 6, 3).largest > 0);
        scene_free(s);
    }
}

/* A box crushed between walls has no solution: the compliant problem is solved, too. */
static void fallbacks_need_what_they_say(void)
{
    scene *s = memory_scene(false, 96);
    unsigned char *block = (unsigned char *)scene_memory(1, MEMORY_BIG + 64);
    scene_box(s, DVC_KINEMATIC, v3(0.5, 2, 2), v3(-1, 0, 0), 0, 0.5);
    scene_box(s, DVC_KINEMATIC, v3(0.5, 2, 2), v3(1, 0, 0), 0, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), scene_zero, 1, 0.5);
    s->bodies[0].velocity = v3(1, 0, 0);
    s->bodies[1].velocity = v3(-1, 0, 0);
    memory_try_step(s, 0.01, block);
    CHECK(s->world.report.inexact > 0);
    free(block);
    scene_free(s);
}

static void other_models_need_what_they_say(void)
{
    int model;
    for (model = 0; model < DVC_CONTACT_MODEL_COUNT; model++) {
        scene *s = memory_stack(3, 0.3);
        s->world.contact_capacity = 64;
        s->world.contact_model = (dvc_contact_model)model;
        s->world.semi_implicit = model % 2 == 0;
        s->world.friction_directions = 5;
        CHECK(memory_run(s, 0.01, 5, 2).contacts > 0);
        scene_free(s);
    }
}

/* The bound counts every contact the array has room for: here all of them are in one problem. */
static void the_bound_holds_when_the_contact_array_is_full(void)
{
    int solver, step;
    for (solver = 0; solver < DVC_SOLVER_COUNT; solver++) {
        scene *s = memory_stack(4, 0.5);
        s->world.solver = (dvc_solver)solver;
        for (step = 0; step < 10; step++) {
            CHECK(dvc_step(&s->world, 0.01) == DVC_OK);
            CHECK(s->world.report.enforced == s->world.contact_capacity && s->world.report.islands == 1);
            CHECK(dvc_scratch_size(&s->world) >= s->world.report.scratch_used);
            s->world.scratch_size = dvc_scratch_size(&s->world);
        }
        scene_free(s);
    }
}

/* ---- longer runs ---- */

/* Hash after a run in which the scratch is dirtied, moved and resized before every step. */
static uint64_t memory_dirty_run(int how, size_t size)
{
    scene *s = memory_stack(5, 0.5);
    unsigned char *block = (unsigned char *)scene_memory(1, size + 16), *own = (unsigned char *)s->world.scratch;
    uint64_t hash = 0;
    int i;
    s->bodies[5].velocity = v3(1, 0.5, 0);
    for (i = 0; i < 60; i++) {
        memory_dirty(block, size + 16, how < 7 ? how : i);
        s->world.scratch = block + (how * i) % 16;
        s->world.scratch_size = size;
        CHECK(dvc_step(&s->world, 0.01) == DVC_OK);
        hash = hash * 31 + dvc_world_hash(&s->world);
    }
    s->world.scratch = own;
    free(block);
    scene_free(s);
    return hash;
}

static void garbage_in_the_scratch_never_changes_a_bit(void)
{
    uint64_t first = memory_dirty_run(0, 1 << 20);
    int how;
    for (how = 1; how <= 8; how++) CHECK(memory_dirty_run(how, 1 << 20) == first);
}

static void more_scratch_never_changes_a_bit(void)
{
    uint64_t first = memory_dirty_run(2, 1 << 20);
    CHECK(memory_dirty_run(2, (1 << 20) + 1) == first);
    CHECK(memory_dirty_run(2, 3 << 20) == first);
    CHECK(memory_dirty_run(1, 5 << 20) == first);
}

/* A stranger to the scratch gives what it is told to, again and again: that grows and ends. */
static void giving_what_is_needed_ends_in_success_from_nothing(void)
{
    scene *s = memory_stack(4, 0.5);
    dvc_status status = DVC_ERROR_SCRATCH;
    size_t last = 0;
    int round;
    s->world.scratch_size = 0;
    for (round = 0; round < 1000 && status == DVC_ERROR_SCRATCH; round++) {
        status = dvc_step(&s->world, 0.01);
        CHECK(status == DVC_OK || s->world.report.scratch_needed > last);
        if (status != DVC_OK) s->world.scratch_size = last = s->world.report.scratch_needed;
    }
    CHECK(status == DVC_OK && s->world.report.scratch_used == last);
    scene_free(s);
}

/* The user's own look at the problem keeps the contract, too. */
static void the_problem_for_the_caller_needs_what_it_says(void)
{
    scene *s = memory_stack(3, 0.5);
    dvc_problem problem;
    size_t used;
    uint64_t hash = dvc_world_hash(&s->world);
    CHECK(dvc_problem_build(&s->world, 0.01, &problem) == DVC_OK && problem.n > 0);
    used = s->world.report.scratch_used;
    CHECK(dvc_scratch_size(&s->world) >= used);
    s->world.scratch_size = used;
    CHECK(dvc_problem_build(&s->world, 0.01, &problem) == DVC_OK);
    s->world.scratch_size = used - 1;
    CHECK(dvc_problem_build(&s->world, 0.01, &problem) == DVC_ERROR_SCRATCH && s->world.report.scratch_needed >= used - 15);
    CHECK(dvc_world_hash(&s->world) == hash);
    scene_free(s);
}

static void the_bound_grows_with_what_it_is_given(void)
{
    scene *s = memory_stack(2, 0.5);
    size_t bound = dvc_scratch_size(&s->world), smaller;
    s->world.contact_capacity = 4;
    smaller = dvc_scratch_size(&s->world);
    CHECK(smaller < bound);
    s->world.friction_directions = 4;
    CHECK(dvc_scratch_size(&s->world) < smaller);
    s->world.friction_directions = 20;
    CHECK(dvc_scratch_size(&s->world) > smaller);
    scene_free(s);
}

/* Room for thousands of contacts, and for islands of hundreds of bodies, does not take gigabytes. */
static void the_bound_is_in_proportion(void)
{
    scene *s = memory_stack(6, 0.5);
    size_t bound[2];
    int k;
    for (k = 0; k < 2; k++) {
        s->world.contact_capacity = k ? 40000 : 20000;
        bound[k] = dvc_scratch_size(&s->world);
    }
    CHECK((double)bound[1] < 2.1 * (double)bound[0] && bound[1] < (size_t)40000 * 20000);
    s->world.solver = DVC_LEMKE;
    CHECK(dvc_scratch_size(&s->world) > 100 * bound[1]); /* a matrix of all rows */
    scene_free(s);
}

/* What is asked for first, to allocate: the size of what the step would refuse is 0, whatever the numbers are like. */
static void worlds_that_cannot_be_walked_have_no_size(void)
{
    static const dvc_vec2 corners[] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
    int what;
    for (what = 0; what < 12; what++) {
        scene *s = memory_stack(2, 0.5);
        dvc_world *w = &s->world;
        CHECK(dvc_scratch_size(w) > 0);
        if (what == 0) s->shapes[1].body = 100000000;
        if (what == 1) s->shapes[1].body = -1;
        if (what == 2) s->shapes[1].kind = DVC_POLYTOPE;
        if (what == 3) w->planar = true, s->shapes[1].kind = DVC_POLYGON, s->shapes[1].point_count = 3;
        if (what == 4) w->planar = true, s->shapes[1].kind = DVC_POLYGON, s->shapes[1].points = corners, s->shapes[1].point_count = -3;
        if (what == 5) w->pair_rule_count = 1;
        if (what == 6) w->bodies = NULL;
        if (what == 7) w->shapes = NULL;
        if (what == 8) w->joint_count = 1;
        if (what == 9) w->spring_count = -1;
        if (what == 10) s->shapes[1].kind = (dvc_shape_kind)99;
        if (what == 11) w->contact_capacity = -1;
        CHECK(dvc_scratch_size(w) == 0 && dvc_world_check(w) != DVC_OK);
        w->bodies = s->bodies;
        scene_free(s);
    }
    CHECK(dvc_scratch_size(NULL) == 0);
}

/* Masses, sizes and the rest may be set later. */
static void numbers_that_are_not_set_yet_do_not_change_the_size(void)
{
    scene *s = memory_stack(2, 0.5);
    size_t size = dvc_scratch_size(&s->world);
    s->bodies[1].mass = s->bodies[2].inertia.x = s->shapes[1].half.x = 0;
    CHECK(dvc_world_check(&s->world) != DVC_OK && dvc_scratch_size(&s->world) == size);
    scene_free(s);
}

/* Whatever fits into int: more than there can be is told as such, and does not wrap to something small. */
static void sizes_do_not_wrap(void)
{
    scene *s = memory_stack(2, 0.5);
    int capacity, last = 0;
    size_t before = 0;
    s->world.friction_directions = DVC_MAX_FRICTION_DIRECTIONS;
    for (capacity = 16; capacity <= DVC_WORLD_MAX_COUNT; capacity *= 2, last++) {
        size_t size;
        s->world.contact_capacity = capacity;
        size = dvc_scratch_size(&s->world);
        CHECK(size > before || (last > 0 && size == (size_t)-1));
        before = size;
    }
    s->world.solver = DVC_LEMKE;
    CHECK(dvc_scratch_size(&s->world) > before / 2);
    CHECK(dvci_times(0, (size_t)-1) == 0 && dvci_times((size_t)-1, 0) == 0 && dvci_times(3, 5) == 15);
    CHECK(dvci_times((size_t)-1, 2) == (size_t)-1 && dvci_times((size_t)-1 / 2 + 1, 2) == (size_t)-1);
    CHECK(dvci_times((size_t)-1, 1) == (size_t)-1 && dvci_times((size_t)-1 / 2, 2) == (size_t)-1 - 1);
    scene_free(s);
}

static void suite_memory(void)
{
    test_state.suite = "memory";
    RUN(requests_are_aligned_and_do_not_overlap);
    RUN(measuring_takes_what_carving_takes);
    RUN(the_bytes_measured_suffice_at_every_alignment_and_one_less_does_not);
    RUN(an_arena_that_failed_fails_for_good);
    RUN(memory_given_back_is_given_out_again);
    RUN(no_block_or_a_tiny_one_holds_nothing);
    RUN(a_request_too_large_to_count_fails);
    RUN(falling_boxes_need_what_they_say);
    RUN(falling_squares_need_what_they_say);
    RUN(stacks_need_what_they_say);
    RUN(stacks_without_friction_need_what_they_say);
    RUN(planar_stacks_need_what_they_say);
    RUN(heaps_of_hulls_need_what_they_say);
    RUN(impacts_in_half_steps_need_what_they_say);
    RUN(impacts_that_begin_again_need_what_they_say);
    RUN(every_solver_needs_what_it_says);
    RUN(fallbacks_need_what_they_say);
    RUN(other_models_need_what_they_say);
    RUN(the_bound_holds_when_the_contact_array_is_full);
    RUN(garbage_in_the_scratch_never_changes_a_bit);
    RUN(more_scratch_never_changes_a_bit);
    RUN(giving_what_is_needed_ends_in_success_from_nothing);
    RUN(the_problem_for_the_caller_needs_what_it_says);
    RUN(the_bound_grows_with_what_it_is_given);
    RUN(the_bound_is_in_proportion);
    RUN(worlds_that_cannot_be_walked_have_no_size);
    RUN(numbers_that_are_not_set_yet_do_not_change_the_size);
    RUN(sizes_do_not_wrap);
}
