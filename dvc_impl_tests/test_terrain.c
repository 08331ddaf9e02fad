/* A terrain changes no bit of what happens, is not looked at where nothing is near, and is refused where it does not fit. >>terrain
 *
 * Included by the main file of the tests after test_pairs.c, whose random worlds it uses. */

enum { TERRAIN_BODIES = 10, TERRAIN_SHAPES = 18, TERRAIN_BYTES = 1 << 18 };

static unsigned char terrain_storage[TERRAIN_BYTES];

/* A random world whose first bodies are fixed, with the first shapes on them. Half-spaces are among these. */
static pairs_world *terrain_random(int seed, bool planar, dvc_joint *joints)
{
    pairs_world *p = pairs_random(seed, planar, 3);
    int i;
    for (i = 0; i < TERRAIN_BODIES; i++) p->s->bodies[i].kind = DVC_STATIC;
    for (i = TERRAIN_BODIES; i < PAIRS_BODIES; i++)
        if (seed % 3 == 0) p->s->bodies[i].velocity = oracle_scaled(p->s->bodies[i].velocity, 20);
    if (seed % 4 == 1) p->shapes[TERRAIN_SHAPES].kind = DVC_PLANE; /* one that moves */
    for (i = 0; i < PAIRS_SHAPES; i++) {
        dvc_shape *shape = &p->shapes[i];
        shape->body = i < TERRAIN_SHAPES ? i % TERRAIN_BODIES : TERRAIN_BODIES + i % (PAIRS_BODIES - TERRAIN_BODIES);
        if (shape->kind == DVC_NO_SHAPE) shape->body = i % 2 ? -1 : 1 << 20; /* an empty slot may say anything */
        shape->friction = (dvc_real)0.4;
        shape->restitution = (dvc_real)(seed % 5 == 0 ? 0.5 : 0);
    }
    memset(joints, 0, 2 * sizeof *joints);
    for (i = 0; i < 2; i++) {
        joints[i].kind = DVC_SPHERICAL;
        joints[i].body_a = i;
        joints[i].body_b = TERRAIN_BODIES + i;
        joints[i].anchor_a = motion_vec(1, planar);
    }
    p->s->world.joints = joints;
    p->s->world.joint_count = planar ? 0 : seed % 3;
    p->s->world.gravity = planar ? v3(0, -9.81, 0) : v3(0, 0, -9.81);
    p->s->world.epsilon = (dvc_real)(seed % 7 == 0 ? 0.05 : 0);
    p->s->world.contact_model = seed % 11 == 3 ? DVC_LNC : seed % 11 == 5 ? DVC_CORRECTIVE : DVC_PEG;
    p->s->world.sleep = seed % 2 == 0;
    return p;
}

/* Steps, and all that they leave; with a terrain by several threads, too. */
static void terrain_run(int seed, bool planar, bool laid_out, int steps, uint64_t *hash, int *contacts)
{
    dvc_joint joints[2];
    pairs_world *p = terrain_random(seed, planar, joints);
    dvc_world *world = &p->s->world;
    dvc_terrain terrain;
    int k;
    if (laid_out) {
        size_t size = dvc_terrain_size(world, TERRAIN_BODIES, TERRAIN_SHAPES);
        CHECK(size > 0 && size <= TERRAIN_BYTES);
        CHECK(dvc_terrain_build(world, TERRAIN_BODIES, TERRAIN_SHAPES, terrain_storage, size, &terrain) == DVC_OK);
        world->terrain = &terrain;
        test_threads.count = seed % 4 == 3 ? 3 : 1;
    }
    for (k = 0; k < steps; k++) {
        dvc_status status;
        memset(world->scratch, laid_out ? 0xee : 0, (size_t)1 << 19); /* what is not met is not there */
        status = dvc_step(world, (dvc_real)PAIRS_H);
        CHECK(status == DVC_OK || status == DVC_ERROR_CONTACTS); /* some are crowded */
        hash[k] = dvc_world_hash(world) + (uint64_t)status;
        contacts[k] = world->contact_count;
    }
    test_threads.count = 1;
    scene_free(p->s);
}

static void a_terrain_changes_no_bit(void)
{
    enum { STEPS = 12 };
    uint64_t with[STEPS], without[STEPS];
    int with_contacts[STEPS], without_contacts[STEPS], seed, touched = 0;
    for (seed = 0; seed < 160; seed++) {
        terrain_run(5000 + seed, seed % 2, true, STEPS, with, with_contacts);
        terrain_run(5000 + seed, seed % 2, false, STEPS, without, without_contacts);
        CHECK(memcmp(with, without, sizeof with) == 0);
        CHECK(memcmp(with_contacts, without_contacts, sizeof with_contacts) == 0);
        touched += with_contacts[STEPS - 1] > 0;
    }
    CHECK(touched > 100);
}

/* A row of tiles with a cube on the third. */
static scene *terrain_row(int tiles)
{
    scene *s = scene_make(tiles + 1, false, (size_t)1 << 22);
    int i;
    for (i = 0; i < tiles; i++) scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), v3(i, 0, -0.5), 1, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), v3(2, 0, 0.2), 1, 0.5);
    return s;
}

static void terrain_that_nothing_is_near_is_not_looked_at(void)
{
    scene *s = terrain_row(40);
    dvc_terrain terrain;
    int i;
    CHECK(dvc_terrain_build(&s->world, 40, 40, terrain_storage, sizeof terrain_storage, &terrain) == DVC_OK);
    s->world.terrain = &terrain;
    for (i = 5; i < 40; i++) { /* a promise broken, for once */
        s->bodies[i].position.x = (dvc_real)NAN;
        s->shapes[i].half.y = (dvc_real)-1;
    }
    for (i = 0; i < 20; i++) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK(s->world.contact_count >= 4);
    CHECK_NEAR(s->bodies[40].position.z, 0.2, 1e-12);
    s->world.terrain = NULL;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_ERROR_BODY_STATE);
    scene_free(s);
}

/* An empty terrain, one of all there is, and one that a body comes to and leaves again. */
static void small_and_large_terrains_are_right(void)
{
    int count, i;
    for (count = 0; count <= 3; count++) {
        scene *s = terrain_row(3);
        dvc_terrain terrain;
        int ended = 0;
        CHECK(dvc_terrain_build(&s->world, count, count, terrain_storage, sizeof terrain_storage, &terrain) == DVC_OK);
        CHECK(terrain.body_count == count && terrain.shape_count == count);
        s->world.terrain = &terrain;
        for (i = 0; i < 40; i++) {
            if (i == 10) s->bodies[3].velocity = v3(0, 0, 3);
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            ended += s->world.contact_count > 0 && s->world.contacts[0].phase == DVC_ENDED;
        }
        CHECK(ended == 1);
        CHECK(s->bodies[3].position.z > 0.5);
        scene_free(s);
    }
}

/* Its errors, and where they are; the world is left without a terrain. */
static void terrains_that_do_not_fit_are_refused(void)
{
    scene *s = terrain_row(4);
    dvc_world *world = &s->world;
    dvc_terrain terrain;
    size_t size = dvc_terrain_size(world, 4, 4);
    CHECK(dvc_terrain_size(world, 4, 6) == 0 && dvc_terrain_size(world, -1, 0) == 0 && dvc_terrain_size(NULL, 0, 0) == 0);
    CHECK(dvc_terrain_build(NULL, 0, 0, terrain_storage, 1, &terrain) == DVC_ERROR_NULL);
    CHECK(dvc_terrain_build(world, 4, 4, NULL, size, &terrain) == DVC_ERROR_NULL);
    CHECK(dvc_terrain_build(world, 4, 4, terrain_storage, size, NULL) == DVC_ERROR_NULL);
    CHECK(dvc_terrain_build(world, 4, 6, terrain_storage, size, &terrain) == DVC_ERROR_TERRAIN && world->culprit == -1);
    CHECK(dvc_terrain_build(world, 4, 4, terrain_storage, size - 1, &terrain) == DVC_ERROR_STORAGE && !terrain.layout);
    CHECK(dvc_terrain_build(world, 5, 4, terrain_storage, sizeof terrain_storage, &terrain) == DVC_ERROR_TERRAIN);
    CHECK(world->culprit == 4); /* it can move */
    CHECK(dvc_terrain_build(world, 4, 5, terrain_storage, sizeof terrain_storage, &terrain) == DVC_ERROR_TERRAIN);
    CHECK(world->culprit == 4); /* it is on a body that can */
    CHECK(dvc_terrain_build(world, 4, 3, terrain_storage, size, &terrain) == DVC_ERROR_TERRAIN && world->culprit == 3);
    s->shapes[2].half.x = 0;
    CHECK(dvc_terrain_build(world, 4, 4, terrain_storage, size, &terrain) == DVC_ERROR_SHAPE_SIZE && world->culprit == 2);
    s->shapes[2].half.x = (dvc_real)0.5;
    s->shapes[2].kind = DVC_POLYTOPE; /* there is none */
    CHECK(dvc_terrain_size(world, 4, 4) == 0);
    CHECK(dvc_terrain_build(world, 4, 4, terrain_storage, size, &terrain) == DVC_ERROR_SHAPE_POLYTOPE && world->culprit == 2);
    s->shapes[2].kind = DVC_BOX;
    CHECK(dvc_terrain_build(world, 4, 4, terrain_storage, size, &terrain) == DVC_OK && world->culprit == -1);
    world->terrain = &terrain;
    CHECK(dvc_step(world, (dvc_real)0.01) == DVC_OK);
    world->planar = true;
    CHECK(dvc_step(world, (dvc_real)0.01) == DVC_ERROR_TERRAIN);
    world->planar = false;
    s->shapes[4].body = 3;
    CHECK(dvc_world_check(world) == DVC_ERROR_TERRAIN && world->culprit == 4);
    s->shapes[4].body = 4;
    world->shape_count = 3;
    CHECK(dvc_step(world, (dvc_real)0.01) == DVC_ERROR_TERRAIN);
    world->shape_count = 5;
    terrain.layout = NULL;
    CHECK(dvc_step(world, (dvc_real)0.01) == DVC_ERROR_TERRAIN);
    scene_free(s);
}

static void suite_terrain(void)
{
    test_state.suite = "terrain";
    RUN(a_terrain_changes_no_bit);
    RUN(terrain_that_nothing_is_near_is_not_looked_at);
    RUN(small_and_large_terrains_are_right);
    RUN(terrains_that_do_not_fit_are_refused);
}
