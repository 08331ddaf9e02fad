/* Which pairs of shapes become contacts: against the loop over all pairs with the gaps of oracle.h, on random worlds that mix
 * all kinds of shapes, bodies, filters, rules, sensors and empty slots; what filters, rules, sensors and empty slots mean;
 * and that bodies that are far apart do not meet in the search.
 *
 * Included by the main file of the tests after oracle.h, for the sake of the search itself, which is private. */

#include "motion.h"

enum { PAIRS_BODIES = 28, PAIRS_SHAPES = 40, PAIRS_RULES = 12, PAIRS_CORNERS = 9 };

#define PAIRS_SCRATCH ((size_t)1 << 26)
#define PAIRS_H 0.01
#define PAIRS_SIZE 1.2  /* no shape is larger, nor farther from its body */
#define PAIRS_WORLD 14. /* no two bodies are farther apart, shapes included */

/* ---- random worlds ---- */

/* A world with more shapes than bodies; shapes with corners get their hull or polygon from here. */
typedef struct pairs_world {
    scene *s;
    dvc_shape shapes[PAIRS_SHAPES];
    dvc_pair_rule rules[PAIRS_RULES];
    dvc_vec2 corners[PAIRS_SHAPES][PAIRS_CORNERS];
    dvc_polytope hulls[PAIRS_SHAPES];
    unsigned char storage[PAIRS_SHAPES][1 << 14];
} pairs_world;

static pairs_world pairs_of;

static int pairs_choice(int count) { return (int)(test_random_bits() % (uint64_t)count); }

static dvc_quat pairs_turn(bool planar)
{
    dvc_vec3 axis = planar ? v3(0, 0, 1) : motion_vec(1, false);
    return dvc_quat_turn(axis, (dvc_real)test_random(-3, 3));
}

/* Corners on an ellipse, counter-clockwise. */
static void pairs_polygon(pairs_world *p, dvc_shape *shape, int slot)
{
    int n = 3 + pairs_choice(PAIRS_CORNERS - 2), k;
    double a = test_random(0.1, 0.5), b = test_random(0.1, 0.5);
    for (k = 0; k < n; k++) {
        double angle = (k + test_random(0, 0.8)) * 6.28318530717958648 / n;
        p->corners[slot][k].x = (dvc_real)(a * cos(angle));
        p->corners[slot][k].y = (dvc_real)(b * sin(angle));
    }
    shape->kind = DVC_POLYGON;
    shape->points = p->corners[slot];
    shape->point_count = n;
}

static void pairs_hull(pairs_world *p, dvc_shape *shape, int slot)
{
    dvc_vec3 cloud[PAIRS_CORNERS];
    int k;
    for (k = 0; k < PAIRS_CORNERS; k++) cloud[k] = motion_vec(0.4, false);
    if (dvc_polytope_build(cloud, PAIRS_CORNERS, p->storage[slot], sizeof p->storage[slot], &p->hulls[slot]) != DVC_OK) abort();
    shape->kind = DVC_POLYTOPE;
    shape->polytope = &p->hulls[slot];
}

static void pairs_shape(pairs_world *p, int slot, bool planar)
{
    dvc_shape *shape = &p->shapes[slot];
    int kind = pairs_choice(9);
    memset(shape, 0, sizeof *shape);
    shape->body = pairs_choice(PAIRS_BODIES);
    shape->position = motion_vec(0.3, planar);
    shape->orientation = pairs_turn(planar);
    shape->half = test_vec(test_random(0.02, 0.4), test_random(0.02, 0.4), test_random(0.02, 0.4));
    shape->radius = (dvc_real)(kind == 1 ? 0 : test_random(0.05, 0.4));
    shape->normal = motion_vec(1, planar);
    if (kind == 8) shape->kind = DVC_NO_SHAPE;
    else if (kind == 7 && slot < 3) shape->kind = DVC_PLANE;
    else if (kind <= 2) shape->kind = DVC_SPHERE;
    else if (kind <= 4) shape->kind = DVC_BOX;
    else if (planar) pairs_polygon(p, shape, slot);
    else pairs_hull(p, shape, slot);
    shape->disabled = pairs_choice(12) == 0;
    shape->sensor = pairs_choice(5) == 0;
    shape->category = pairs_choice(3) ? 0 : 1u << pairs_choice(3);
    shape->ignore = pairs_choice(4) ? 0 : 1u << pairs_choice(3);
}

static void pairs_body(dvc_body *body, bool planar, double spread)
{
    int kind = pairs_choice(8);
    body->kind = kind == 0 ? DVC_STATIC : kind == 1 ? DVC_KINEMATIC : DVC_DYNAMIC;
    body->disabled = pairs_choice(12) == 0;
    body->mass = 1;
    body->inertia = v3(0.1, 0.1, 0.1);
    body->position = motion_vec(spread, planar);
    body->orientation = pairs_turn(planar);
    body->velocity = motion_vec(3, planar);
    body->angular_velocity = planar ? v3(0, 0, test_random(-5, 5)) : motion_vec(5, false);
}

static pairs_world *pairs_random(int seed, bool planar, double spread)
{
    pairs_world *p = &pairs_of;
    int i;
    test_seed((uint64_t)seed);
    p->s = scene_make(PAIRS_BODIES, planar, PAIRS_SCRATCH);
    p->s->world.body_count = PAIRS_BODIES;
    p->s->world.shapes = p->shapes;
    p->s->world.shape_count = PAIRS_SHAPES;
    p->s->world.pair_rules = p->rules;
    p->s->world.pair_rule_count = PAIRS_RULES;
    p->s->world.gravity = scene_zero;
    for (i = 0; i < PAIRS_BODIES; i++) pairs_body(&p->s->bodies[i], planar, spread);
    for (i = 0; i < PAIRS_SHAPES; i++) pairs_shape(p, i, planar);
    for (i = 0; i < PAIRS_RULES; i++) {
        memset(&p->rules[i], 0, sizeof p->rules[i]);
        p->rules[i].body_a = pairs_choice(PAIRS_BODIES);
        p->rules[i].body_b = pairs_choice(PAIRS_BODIES);
        p->rules[i].ignore = pairs_choice(2);
    }
    return p;
}

/* ---- what is listed ---- */

static int pairs_listed(const dvc_world *world, int i, int k)
{
    int c, count = 0;
    for (c = 0; c < world->contact_count; c++) count += world->contacts[c].shape_a == i && world->contacts[c].shape_b == k;
    return count;
}

/* Gaps of all pairs at the bodies' poses now; those that may not touch are far. */
static void pairs_gaps(const dvc_world *world, double gaps[PAIRS_SHAPES][PAIRS_SHAPES])
{
    static oracle_solid solids[PAIRS_SHAPES];
    int i, k;
    for (i = 0; i < world->shape_count; i++)
        if (oracle_present(world, i)) oracle_shape(world, i, &solids[i]);
    for (i = 0; i < world->shape_count; i++)
        for (k = i + 1; k < world->shape_count; k++)
            gaps[i][k] = oracle_allowed(world, i, k) ? oracle_gap(&solids[i], &solids[k]) : ORACLE_FAR;
}

/* The velocity a body really has: static ones are given one, too, and must not care. */
static dvc_vec3 pairs_velocity(const dvc_body *body) { return body->kind == DVC_STATIC ? scene_zero : body->velocity; }

static dvc_vec3 pairs_spin(const dvc_body *body) { return body->kind == DVC_STATIC ? scene_zero : body->angular_velocity; }

/* The most that a shape's points go in a step; those of a half-space, seen by anything in the world. */
static double pairs_way(const dvc_world *world, int i)
{
    const dvc_body *body = &world->bodies[world->shapes[i].body];
    double lever = world->shapes[i].kind == DVC_PLANE ? PAIRS_WORLD : PAIRS_SIZE;
    return PAIRS_H * (oracle_norm(pairs_velocity(body)) + lever * oracle_norm(pairs_spin(body)));
}

/* How near two shapes count as near, at most: slop, and the way of all their points in a step. */
static double pairs_reach(const dvc_world *world, int i, int k)
{
    return 0.005 * PAIRS_SIZE + pairs_way(world, i) + pairs_way(world, k);
}

/* Every pair that overlaps before or after the step is listed, and only pairs that are near and may touch. (Near are pairs whose
 * faces are: where a pair of edges parts them, that is a little farther.) */
static void pairs_check_world(int seed, bool planar, double spread, bool all_sensors)
{
    static double before[PAIRS_SHAPES][PAIRS_SHAPES], after[PAIRS_SHAPES][PAIRS_SHAPES];
    pairs_world *p = pairs_random(seed, planar, spread);
    dvc_world *world = &p->s->world;
    int i, k;
    for (i = 0; all_sensors && i < PAIRS_SHAPES; i++) p->shapes[i].sensor = true;
    pairs_gaps(world, before);
    CHECK(dvc_step(world, (dvc_real)PAIRS_H) == DVC_OK);
    pairs_gaps(world, after);
    for (i = 0; i < PAIRS_SHAPES; i++)
        for (k = 0; k < PAIRS_SHAPES; k++) {
            int listed = pairs_listed(world, i, k);
            if (k <= i) { CHECK(listed == 0); continue; }
            if (before[i][k] <= 0 || after[i][k] <= 0) CHECK(listed > 0);
            if (before[i][k] > 1.5 * pairs_reach(world, i, k) && all_sensors) CHECK(listed == 0);
            if (before[i][k] >= ORACLE_FAR) CHECK(listed == 0);
        }
    scene_free(p->s);
}

static void all_overlaps_between_sensors_are_listed(void)
{
    int seed;
    for (seed = 0; seed < 150; seed++) pairs_check_world(seed, seed % 2, 1.5 + 0.2 * (seed % 10), true);
}

static void all_overlaps_in_crowded_worlds_are_listed(void)
{
    int seed;
    for (seed = 0; seed < 300; seed++) pairs_check_world(1000 + seed, seed % 2, seed % 2 ? 4 : 2.5, false);
}

/* Same positions, a line of bodies, coordinates far out: nothing that a search may trip over. */
static void awkward_arrangements_are_searched_as_well(void)
{
    int kind, i, k;
    for (kind = 0; kind < 4; kind++) {
        scene *s = scene_make(12, kind % 2, PAIRS_SCRATCH);
        s->world.gravity = scene_zero;
        for (i = 0; i < 12; i++) {
            double far = kind < 2 ? 0 : 1e6;
            scene_sphere(s, 0.5, v3(far + (kind < 2 ? 0 : 0.9 * i), -far, 0), 1, 0);
            s->shapes[i].sensor = true;
        }
        CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
        for (i = 0; i < 12; i++)
            for (k = i + 1; k < 12; k++) CHECK(pairs_listed(&s->world, i, k) == (kind < 2 || k == i + 1 ? 1 : 0));
        scene_free(s);
    }
}

/* ---- the search itself ---- */

static int pairs_visited[PAIRS_SHAPES][PAIRS_SHAPES];
static long pairs_visits;

static void pairs_note_visit(dvci_step *s, int a, int b)
{
    (void)s;
    pairs_visits++;
    if (a < PAIRS_SHAPES && b < PAIRS_SHAPES) pairs_visited[a][b]++;
}

/* What the step's search calls its visitor with. */
static void pairs_search(dvc_world *world)
{
    dvci_step s;
    memset(pairs_visited, 0, sizeof pairs_visited);
    pairs_visits = 0;
    dvci_begin(&s, world, (dvc_real)PAIRS_H);
    CHECK(s.status == DVC_OK);
    dvci_load_bodies(&s);
    dvci_load(&s);
    dvci_sweep_pairs(&s, pairs_note_visit);
}

/* Box around all of a shape at both ends of its free motion. */
static void pairs_box(const dvc_world *world, int i, dvc_vec3 *low, dvc_vec3 *high)
{
    oracle_solid solid;
    dvc_vec3 way = oracle_scaled(pairs_velocity(&world->bodies[world->shapes[i].body]), PAIRS_H), r;
    int k;
    oracle_shape(world, i, &solid);
    *low = v3(ORACLE_FAR, ORACLE_FAR, ORACLE_FAR);
    *high = v3(-ORACLE_FAR, -ORACLE_FAR, -ORACLE_FAR);
    r = v3(solid.radius, solid.radius, solid.radius);
    for (k = 0; k < 2 * solid.vertex_count; k++) {
        dvc_vec3 p = oracle_along(solid.vertices[k / 2], way, k % 2), a = oracle_minus(p, r), b = oracle_along(p, r, 1);
        *low = v3(fmin((double)low->x, (double)a.x), fmin((double)low->y, (double)a.y), fmin((double)low->z, (double)a.z));
        *high = v3(fmax((double)high->x, (double)b.x), fmax((double)high->y, (double)b.y), fmax((double)high->z, (double)b.z));
    }
}

/* Is `low` nowhere above `high`? */
static int pairs_below(dvc_vec3 low, dvc_vec3 high) { return low.x <= high.x && low.y <= high.y && low.z <= high.z; }

static int pairs_boxes_meet(dvc_vec3 low_a, dvc_vec3 high_a, dvc_vec3 low_b, dvc_vec3 high_b, double margin)
{
    dvc_vec3 more = v3(margin, margin, margin);
    return pairs_below(low_a, oracle_along(high_b, more, 1)) && pairs_below(low_b, oracle_along(high_a, more, 1));
}

/* How much wider the box around a fixed hull may be: it is that of its own box, turned. */
static double pairs_loose(const dvc_world *world, int i)
{
    const dvc_shape *shape = &world->shapes[i];
    if (shape->kind != DVC_POLYTOPE || world->bodies[shape->body].kind != DVC_STATIC) return 0;
    return oracle_norm(oracle_minus(shape->polytope->high, shape->polytope->low)) / 2;
}

/* Each allowed pair whose boxes meet is visited once; nobody is visited whose boxes, grown by the reach, do not meet. */
static void pairs_check_search(int seed, bool planar)
{
    pairs_world *p = pairs_random(seed, planar, 3);
    const dvc_world *world = &p->s->world;
    dvc_vec3 low[PAIRS_SHAPES], high[PAIRS_SHAPES];
    double reach;
    int i, k;
    pairs_search(&p->s->world);
    for (i = 0; i < PAIRS_SHAPES; i++)
        if (oracle_present(world, i)) pairs_box(world, i, &low[i], &high[i]);
    for (i = 0; i < PAIRS_SHAPES; i++)
        for (k = 0; k < PAIRS_SHAPES; k++) {
            int planes = (world->shapes[i].kind == DVC_PLANE) + (world->shapes[k].kind == DVC_PLANE);
            if (k <= i || !oracle_allowed(world, i, k)) { CHECK(pairs_visited[i][k] == 0); continue; }
            if (planes > 0) { CHECK(pairs_visited[i][k] == (planes == 1)); continue; }
            reach = 2 * pairs_reach(world, i, k) + pairs_loose(world, i) + pairs_loose(world, k);
            if (pairs_boxes_meet(low[i], high[i], low[k], high[k], 0)) CHECK(pairs_visited[i][k] == 1);
            if (!pairs_boxes_meet(low[i], high[i], low[k], high[k], reach)) CHECK(pairs_visited[i][k] == 0);
        }
    scene_free(p->s);
}

static void the_search_visits_each_pair_that_meets_once(void)
{
    int seed;
    for (seed = 0; seed < 200; seed++) pairs_check_search(2000 + seed, seed % 2);
}

/* One ball goes by 60 m/s, or is pushed so hard that it comes as far in this step, the other one lies 0.5 m ahead of it, or behind.
 * From rest to 60 m/s it goes half that way, but in the literature's step all of it. */
static void a_fast_body_is_looked_for_on_its_way(void)
{
    int kind;
    for (kind = 0; kind < 36; kind++) {
        scene *s = scene_make(2, false, PAIRS_SCRATCH);
        dvc_vec3 axis = motion_axis(kind / 4 % 3, 1);
        bool ahead = kind % 2, pushed = kind & 2, literature = kind < 12, gently = kind >= 24;
        s->world.gravity = scene_zero;
        s->world.semi_implicit = literature;
        scene_sphere(s, 0.1, scene_zero, 1, 0);
        scene_sphere(s, 0.1, oracle_scaled(axis, ahead ? 0.7 : -0.7), 1, 0);
        if (pushed) s->bodies[0].force = oracle_scaled(axis, (literature || gently ? 60 : 120) / PAIRS_H);
        else s->bodies[0].velocity = oracle_scaled(axis, gently ? 30 : 60);
        pairs_search(&s->world);
        CHECK(pairs_visits == (ahead && !gently) && pairs_visited[0][1] == (ahead && !gently));
        scene_free(s);
    }
}

/* Cubes on a grid, each near its neighbours only. */
static long pairs_visits_of_grid(int side, bool planar)
{
    int count = planar ? side * side : side * side * side, i;
    scene *s = scene_make(count + 1, planar, PAIRS_SCRATCH);
    scene_ground(s, 0);
    for (i = 0; i < count; i++) {
        double x = i % side, y = i / side % side, z = i / (side * side);
        scene_box(s, DVC_DYNAMIC, v3(0.49, 0.49, 0.49), planar ? v3(x, y + 0.5, 0) : v3(x, y, z + 0.5), 1, 0);
    }
    pairs_search(&s->world);
    scene_free(s);
    return pairs_visits;
}

/* In a grid of n cubes, neighbours grow as n. (Slop reaches over the gaps of 2 cm only if it is absurd.) */
static void visits_grow_with_the_number_of_bodies(void)
{
    int side;
    for (side = 4; side <= 64; side *= 2) CHECK(pairs_visits_of_grid(side, true) <= 2L * side * side);
    for (side = 4; side <= 16; side *= 2) CHECK(pairs_visits_of_grid(side, false) <= 2L * side * side * side);
}

/* ---- filters, rules, sensors, empty slots ---- */

/* Two overlapping balls. */
static scene *pairs_two_balls(void)
{
    scene *s = scene_make(3, false, PAIRS_SCRATCH);
    s->world.gravity = scene_zero;
    scene_sphere(s, 0.5, v3(0, 0, 0), 1, 0);
    scene_sphere(s, 0.5, v3(0.9, 0, 0), 1, 0);
    return s;
}

static void a_category_that_is_ignored_by_either_side_does_not_touch(void)
{
    uint32_t bits;
    for (bits = 0; bits < 256; bits++) {
        scene *s = pairs_two_balls();
        uint32_t category[2], ignore[2], k;
        for (k = 0; k < 2; k++) {
            category[k] = s->shapes[k].category = bits >> (4 * k) & 3u;
            ignore[k] = s->shapes[k].ignore = bits >> (4 * k + 2) & 3u;
            if (category[k] == 0) category[k] = 1;
        }
        CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
        CHECK((s->world.contact_count > 0) == (!(category[0] & ignore[1]) && !(category[1] & ignore[0])));
        scene_free(s);
    }
}

/* Rules for bodies 0 and 1 in either order, and one for others; tried as all runs of neighbours in this list. */
static void a_rule_holds_for_its_pair_in_any_order_and_the_first_one_counts(void)
{
    static const dvc_pair_rule rules[4] = {
        { 1, 0, true, false, 0, 0, false, 0, false, 0 }, { 0, 1, false, false, 0, 0, false, 0, false, 0 },
        { 0, 2, true, false, 0, 0, false, 0, false, 0 }, { 0, 1, true, false, 0, 0, false, 0, false, 0 }
    };
    static const char touches[4][5] = { "0000", " 111", "  10", "   0" }; /* [from][to] */
    int from, to;
    for (from = 0; from < 4; from++)
        for (to = from; to < 4; to++) {
            scene *s = pairs_two_balls();
            scene_sphere(s, 0.5, v3(10, 0, 0), 1, 0);
            s->world.pair_rules = rules + from;
            s->world.pair_rule_count = to - from + 1;
            CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
            CHECK((s->world.contact_count > 0) == (touches[from][to] == '1'));
            scene_free(s);
        }
}

/* Falls on a sensor and through it, bit for bit as if it were not there, while the overlap is told. */
static void a_sensor_sees_and_is_not_felt(void)
{
    scene *s[2];
    int k, step, seen = 0;
    for (k = 0; k < 2; k++) {
        s[k] = scene_make(3, false, PAIRS_SCRATCH);
        scene_ground(s[k], 0.5);
        scene_box(s[k], DVC_DYNAMIC, v3(0.5, 0.4, 0.3), v3(0, 0, 2), 1, 0.5);
        s[k]->bodies[1].angular_velocity = v3(1, 2, 3);
        if (k) s[k]->shapes[scene_box(s[k], DVC_STATIC, v3(1, 1, 0.5), v3(0.3, 0, 1), 0, 0.5)].sensor = true;
    }
    for (step = 0; step < 100; step++) {
        oracle_solid box, zone;
        int overlaps, listed, c;
        for (k = 0; k < 2; k++) CHECK(dvc_step(&s[k]->world, (dvc_real)PAIRS_H) == DVC_OK);
        CHECK(memcmp(&s[0]->bodies[1], &s[1]->bodies[1], sizeof(dvc_body)) == 0);
        oracle_shape(&s[1]->world, 1, &box);
        oracle_shape(&s[1]->world, 2, &zone);
        overlaps = oracle_gap(&box, &zone) < 0;
        listed = pairs_listed(&s[1]->world, 1, 2);
        if (overlaps) CHECK(listed > 0);
        seen += overlaps;
        for (c = 0; c < s[1]->world.contact_count; c++) {
            const dvc_contact *contact = &s[1]->world.contacts[c];
            CHECK(contact->sensor == (contact->shape_b == 2));
            if (contact->sensor) CHECK(!contact->chosen && contact->normal_impulse == 0 && oracle_norm(contact->impulse) == 0);
        }
    }
    CHECK(seen > 20);
    for (k = 0; k < 2; k++) scene_free(s[k]);
}

static void sensors_of_two_moving_bodies_do_not_tie_them_together(void)
{
    scene *s = pairs_two_balls();
    s->shapes[0].sensor = true;
    s->bodies[0].velocity = v3(1, 0, 0);
    CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
    CHECK(s->world.contact_count == 1 && s->world.contacts[0].sensor);
    CHECK_NEAR(s->world.contacts[0].gap, -0.1 - 0.01, 1e-12);
    CHECK(s->world.report.islands == 2 && s->world.report.enforced == 0);
    CHECK(s->bodies[0].velocity.x == 1 && s->bodies[1].velocity.x == 0);
    scene_free(s);
}

static void shapes_of_one_body_do_not_touch_each_other(void)
{
    scene *s = scene_make(2, false, PAIRS_SCRATCH);
    s->world.gravity = scene_zero;
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0), 1, 0);
    scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), v3(0.2, 0, 0), 1, 0);
    s->shapes[1].body = 0;
    s->shapes[1].position = v3(0.2, 0, 0);
    s->bodies[1].disabled = true;
    s->bodies[0].velocity = v3(1, 0, 0);
    CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
    CHECK(s->world.contact_count == 0 && s->bodies[0].velocity.x == 1);
    scene_free(s);
}

/* Static and kinematic bodies in any combination: nobody there can be pushed. */
static void bodies_that_cannot_be_pushed_do_not_touch_each_other(void)
{
    int kind;
    for (kind = 0; kind < 4; kind++) {
        scene *s = scene_make(3, false, PAIRS_SCRATCH);
        scene_ground(s, 0);
        scene_box(s, kind & 1 ? DVC_STATIC : DVC_KINEMATIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.4), 0, 0);
        scene_box(s, kind & 2 ? DVC_STATIC : DVC_KINEMATIC, v3(0.5, 0.5, 0.5), v3(0.2, 0, 0.4), 0, 0);
        CHECK(dvc_step(&s->world, (dvc_real)PAIRS_H) == DVC_OK);
        CHECK(s->world.contact_count == 0);
        scene_free(s);
    }
}

/* A pile, with an empty slot of some kind among its boxes. */
static scene *pairs_pile(int empty)
{
    scene *s = scene_make(6, false, PAIRS_SCRATCH);
    int k;
    scene_ground(s, 0.5);
    for (k = 0; k < 3; k++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0.1 * k, 0.05 * k, 0.6 + 1.1 * k), 1, 0.5);
    if (empty == 0) return s;
    k = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0.3, 0, 0.5), 1, 0.5);
    if (empty == 1) s->bodies[k].disabled = true;
    else s->bodies[k].position.x = 50; /* only its shape is in the way */
    if (empty == 2) s->shapes[k].disabled = true;
    if (empty == 3) s->shapes[k].kind = DVC_NO_SHAPE;
    s->shapes[k].position = empty == 1 ? scene_zero : v3(-50, 0, 0);
    s->bodies[k].velocity = v3(1, 2, 3);
    return s;
}

static void empty_slots_are_not_there(void)
{
    int empty, step;
    for (empty = 1; empty < 4; empty++) {
        scene *with = pairs_pile(empty), *without = pairs_pile(0);
        for (step = 0; step < 60; step++) {
            CHECK(dvc_step(&with->world, (dvc_real)PAIRS_H) == DVC_OK);
            CHECK(dvc_step(&without->world, (dvc_real)PAIRS_H) == DVC_OK);
        }
        CHECK(memcmp(with->bodies, without->bodies, 4 * sizeof(dvc_body)) == 0);
        CHECK(with->world.contact_count == without->world.contact_count);
        if (empty == 1) CHECK(with->bodies[4].velocity.z == 3 && with->bodies[4].position.z == (dvc_real)0.5);
        scene_free(with);
        scene_free(without);
    }
}

/* Steps of a random world where `given` is the kind of all bodies that stand still; where the others are then. */
static void pairs_run_still(int seed, bool planar, dvc_body_kind given, dvc_vec3 *at, int steps)
{
    pairs_world *p = pairs_random(seed, planar, 6);
    int i;
    for (i = 0; i < PAIRS_BODIES; i++) {
        dvc_body *body = &p->s->bodies[i];
        if (i % 2 == 0) body->kind = given;
        if (i % 2 == 0) body->velocity = body->angular_velocity = scene_zero;
        else body->velocity = oracle_scaled(body->velocity, seed % 3 == 0 ? 20 : 1);
    }
    for (i = 0; i < PAIRS_SHAPES; i++) p->shapes[i].restitution = (dvc_real)(seed % 5 == 0 ? 0.5 : 0);
    for (i = 0; i < steps; i++) CHECK(dvc_step(&p->s->world, (dvc_real)PAIRS_H) == DVC_OK);
    for (i = 0; i < PAIRS_BODIES; i++) at[i] = p->s->bodies[i].position;
    scene_free(p->s);
}

/* Of what is fixed only a box is made before something comes near it: nobody feels the difference to what could move, but does not. */
static void what_is_fixed_is_hit_like_what_stands_still(void)
{
    dvc_vec3 fixed[PAIRS_BODIES], still[PAIRS_BODIES];
    int seed, i;
    for (seed = 0; seed < 120; seed++) {
        pairs_run_still(3000 + seed, seed % 2, DVC_STATIC, fixed, 6);
        pairs_run_still(3000 + seed, seed % 2, DVC_KINEMATIC, still, 6);
        for (i = 0; i < PAIRS_BODIES; i++) CHECK_NEAR(oracle_norm(oracle_minus(fixed[i], still[i])), 0, 1e-9);
    }
}

static void suite_pairs(void)
{
    test_state.suite = "pairs";
    RUN(all_overlaps_between_sensors_are_listed);
    RUN(all_overlaps_in_crowded_worlds_are_listed);
    RUN(awkward_arrangements_are_searched_as_well);
    RUN(the_search_visits_each_pair_that_meets_once);
    RUN(a_fast_body_is_looked_for_on_its_way);
    RUN(what_is_fixed_is_hit_like_what_stands_still);
    RUN(visits_grow_with_the_number_of_bodies);
    RUN(a_category_that_is_ignored_by_either_side_does_not_touch);
    RUN(a_rule_holds_for_its_pair_in_any_order_and_the_first_one_counts);
    RUN(a_sensor_sees_and_is_not_felt);
    RUN(sensors_of_two_moving_bodies_do_not_tie_them_together);
    RUN(shapes_of_one_body_do_not_touch_each_other);
    RUN(bodies_that_cannot_be_pushed_do_not_touch_each_other);
    RUN(empty_slots_are_not_there);
}
