/* Questions to shapes and worlds. Distances are judged by all pairs of features, depths by all separating axes, rays and casts by
 * bisection on the brute-force gap along the way, lists of shapes by asking the oracle about each; and by closed forms.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "trial.h"

enum { ASK_KINDS = 4, ASK_PLANE = 3 }; /* trial kinds and half-spaces */

/* Brute force takes ten times as long under sanitizers: a tenth of the draws is looked at there. */
#if defined(__SANITIZE_ADDRESS__)
enum { ASK_SHARE = 10 };
#else
enum { ASK_SHARE = 1 };
#endif

/* ---- random pairs ---- */

/* What the gap of two solids is, by brute force. */
static double ask_oracle(const oracle_solid *a, const oracle_solid *b)
{
    double gap = oracle_gap(a, b);
    return gap > 0 && a->vertex_count > 0 && b->vertex_count > 0 ? oracle_distance(a, b) : gap;
}

static double ask_oracle_of(const dvc_world *world, int i, int k)
{
    static oracle_solid a, b;
    oracle_shape(world, i, &a);
    oracle_shape(world, k, &b);
    return ask_oracle(&a, &b);
}

static int ask_add(scene *s, int kind, double size, dvc_vec3 at)
{
    int i;
    if (kind != ASK_PLANE) return trial_part(s, DVC_STATIC, (trial_kind)kind, size, at, 0);
    i = scene_add(s, DVC_STATIC, DVC_PLANE, at, 0);
    s->shapes[i].normal = oracle_scaled(trial_direction(s->world.planar), 3);
    s->bodies[i].orientation.w = 1;
    return i;
}

/* Two random shapes off their bodies' centres, the second one within `reach` of the first. */
static scene *ask_pair(bool planar, int first, int second, double reach)
{
    scene *s = scene_make(3, planar, TRIAL_SCRATCH);
    int i;
    ask_add(s, first, test_random(0.1, 0.5), motion_vec(1, planar));
    ask_add(s, second, test_random(0.1, 0.5), scene_zero);
    s->bodies[1].position = oracle_along(s->bodies[0].position, trial_direction(planar), test_random(0, reach));
    for (i = 0; i < 2; i++) {
        s->shapes[i].position = motion_vec(0.1, planar);
        s->shapes[i].orientation = trial_turn(planar, test_random(0, 3));
    }
    return s;
}

static dvc_vec3 ask_middle(const dvc_world *world, int shape)
{
    static oracle_solid solid;
    dvc_vec3 middle = scene_zero;
    int i;
    oracle_shape(world, shape, &solid);
    for (i = 0; i < solid.vertex_count; i++) middle = oracle_along(middle, solid.vertices[i], 1. / solid.vertex_count);
    return middle;
}

/* Moves the second body until the gap is `room`: from outside, toward the first one's middle. */
static void ask_set_room(scene *s, double room)
{
    dvc_vec3 way = trial_direction(s->world.planar), off = oracle_minus(ask_middle(&s->world, 0), ask_middle(&s->world, 1));
    int k;
    s->bodies[1].position = oracle_along(oracle_along(s->bodies[1].position, off, 1), way, 2);
    for (k = 0; k < 40; k++)
        s->bodies[1].position = oracle_along(s->bodies[1].position, way, room - ask_oracle_of(&s->world, 0, 1));
}

/* Every fifth pair lies much closer to touching than to its size. */
static scene *ask_pair_number(int k)
{
    bool planar = k & 1;
    int first = k / 2 % ASK_KINDS, second = k / 8 % (ASK_KINDS - 1);
    scene *s = ask_pair(planar, first, second, 1.4);
    if (k % 5 == 4 && first != ASK_PLANE) ask_set_room(s, test_random(-1, 1) * pow(10, test_random(-15, -3)));
    return s;
}

static dvc_gap ask_gap(dvc_world *world, int a, int b)
{
    dvc_gap gap;
    CHECK(dvc_distance(world, a, b, &gap) == DVC_OK);
    return gap;
}

/* How far the point is from the surface of a solid. */
static double ask_off_surface(const oracle_solid *solid, dvc_vec3 p)
{
    return fabs(oracle_point_gap(solid, p) - solid->radius);
}

/* How far the point is from the feature's line, plane or place. */
static double ask_off_feature(const scene *s, int shape, dvc_feature feature, dvc_vec3 p)
{
    const dvc_body *body = &s->bodies[s->shapes[shape].body];
    const dvc_shape *at = &s->shapes[shape];
    int i = DVC_FEATURE_INDEX(feature);
    dvc_vec3 a, b;
    p = oracle_turn(motion_inverse(body->orientation), oracle_minus(p, body->position));
    p = oracle_turn(motion_inverse(at->orientation), oracle_minus(p, at->position));
    if (at->kind == DVC_PLANE || DVC_FEATURE_KIND(feature) == DVC_FACE) {
        a = dvci_shape_normal(at, s->world.planar, i);
        if (at->kind == DVC_POLYTOPE) return fabs(oracle_dot(a, p) - (double)at->polytope->faces[i].offset);
        if (at->kind == DVC_POLYGON) return fabs(oracle_dot(a, oracle_minus(p, dvci_shape_vertex(at, true, i))));
        if (at->kind == DVC_BOX) return fabs(oracle_dot(a, p) - fabs(oracle_dot(a, at->half)));
        return fabs(oracle_dot(a, p));
    }
    if (DVC_FEATURE_KIND(feature) == DVC_VERTEX)
        return fabs(oracle_norm(oracle_minus(p, dvci_shape_vertex(at, s->world.planar, i))) - (double)at->radius);
    a = dvci_shape_vertex(at, false, at->kind == DVC_BOX ? dvci_box_edges[i].tail : at->polytope->edges[i].tail);
    b = dvci_shape_vertex(at, false, at->kind == DVC_BOX ? dvci_box_edges[i].head : at->polytope->edges[i].head);
    return oracle_point_segment(p, a, b);
}

/* All that a gap promises about its points. */
static void ask_check_points(const scene *s, const dvc_gap *gap, double size)
{
    static oracle_solid a, b;
    oracle_shape(&s->world, 0, &a);
    oracle_shape(&s->world, 1, &b);
    CHECK_NEAR(oracle_norm(gap->normal), 1, 1e-14);
    CHECK(motion_apart(oracle_along(gap->point_a, gap->normal, (double)gap->distance), gap->point_b) <= 1e-10 * size);
    CHECK(ask_off_surface(&a, gap->point_a) <= 1e-12 * size);
    CHECK(ask_off_surface(&b, gap->point_b) <= 1e-12 * size);
    CHECK(ask_off_feature(s, 0, gap->feature_a, gap->point_a) <= 1e-12 * size);
    CHECK(ask_off_feature(s, 1, gap->feature_b, gap->point_b) <= 1e-12 * size);
}

/* ---- distances ---- */

static void the_gap_is_that_of_brute_force(void)
{
    int k, apart = 0, deep = 0, close = 0;
    test_seed(1);
    for (k = 0; k < 9600 / ASK_SHARE; k++) {
        scene *s = ask_pair_number(k);
        double expected = ask_oracle_of(&s->world, 0, 1);
        dvc_gap gap = ask_gap(&s->world, 0, 1);
        CHECK_NEAR(gap.distance, expected, 1e-12);
        ask_check_points(s, &gap, 1);
        if (expected > 1e-3) apart++;
        else if (expected < -1e-3) deep++;
        else close++;
        scene_free(s);
    }
    CHECK(apart > 2000 / ASK_SHARE && deep > 2000 / ASK_SHARE && close > 500 / ASK_SHARE);
}

/* Moved back by its depth along the normal, a pair just touches: there is such a way out, and by the oracle none is shorter. */
static void the_depth_is_a_way_out(void)
{
    int k, deep = 0;
    test_seed(2);
    for (k = 0; k < 2400 / ASK_SHARE; k++) {
        scene *s = ask_pair_number(k);
        dvc_gap gap = ask_gap(&s->world, 0, 1);
        if (gap.distance < 0) {
            deep++;
            s->bodies[1].position = oracle_along(s->bodies[1].position, gap.normal, -(double)gap.distance);
            CHECK_NEAR(ask_oracle_of(&s->world, 0, 1), 0, 1e-12);
        }
        scene_free(s);
    }
    CHECK(deep > 500 / ASK_SHARE);
}

static void the_order_of_the_shapes_decides_on_signs_only(void)
{
    int k;
    test_seed(3);
    for (k = 0; k < 2400 / ASK_SHARE; k++) {
        scene *s = ask_pair_number(k);
        dvc_gap gap = ask_gap(&s->world, 0, 1), back = ask_gap(&s->world, 1, 0);
        CHECK_NEAR(back.distance, gap.distance, 1e-13);
        if (gap.distance > 1e-3) { /* the closest points of solids that are apart may slide on each other only if flush */
            CHECK(oracle_norm(oracle_along(gap.normal, back.normal, 1)) <= 1e-9);
            CHECK(motion_apart(gap.point_a, back.point_b) <= 1e-9 && motion_apart(gap.point_b, back.point_a) <= 1e-9);
        }
        scene_free(s);
    }
}

/* A rigid motion of all bodies moves points and normals with it; `tolerance` knows how far away that is. */
static void ask_compare_moved(int k, dvc_vec3 by, double tolerance)
{
    scene *s = ask_pair_number(k);
    dvc_quat turn = trial_turn(s->world.planar, test_random(0, 3));
    dvc_gap gap = ask_gap(&s->world, 0, 1), moved;
    int i;
    if (s->world.planar) by.z = 0;
    for (i = 0; i < 2; i++) {
        s->bodies[i].position = oracle_along(by, oracle_turn(turn, s->bodies[i].position), 1);
        s->bodies[i].orientation = oracle_compose(turn, s->bodies[i].orientation);
    }
    moved = ask_gap(&s->world, 0, 1);
    CHECK_NEAR(moved.distance, gap.distance, tolerance);
    if (gap.distance > 1e-2) {
        CHECK(motion_apart(moved.normal, oracle_turn(turn, gap.normal)) <= 1e3 * tolerance);
        CHECK(motion_apart(moved.point_a, oracle_along(by, oracle_turn(turn, gap.point_a), 1)) <= 1e3 * tolerance);
    }
    scene_free(s);
}

static void a_rigid_motion_changes_no_distance(void)
{
    int k;
    test_seed(4);
    for (k = 0; k < 1200; k++) ask_compare_moved(k, motion_vec(3, false), 1e-13);
    for (k = 0; k < 1200; k++) ask_compare_moved(k, v3(1e4, -3e4, 2e4), 1e-10);
}

/* Everything smaller or larger by the same factor. */
static void ask_scale(scene *s, double factor, dvc_vec2 *points, unsigned char *storage)
{
    static dvc_polytope hull[2];
    dvc_vec3 cloud[TRIAL_CORNERS];
    int i, k;
    for (i = 0; i < 2; i++) {
        dvc_shape *shape = &s->shapes[i];
        s->bodies[i].position = oracle_scaled(s->bodies[i].position, factor);
        shape->position = oracle_scaled(shape->position, factor);
        shape->half = oracle_scaled(shape->half, factor);
        shape->radius *= (dvc_real)factor;
        for (k = 0; k < shape->point_count; k++) {
            points[16 * i + k].x = (dvc_real)factor * shape->points[k].x;
            points[16 * i + k].y = (dvc_real)factor * shape->points[k].y;
        }
        shape->points = points + 16 * i;
        if (!shape->polytope) continue;
        for (k = 0; k < shape->polytope->vertex_count; k++) cloud[k] = oracle_scaled(shape->polytope->vertices[k], factor);
        if (dvc_polytope_build(cloud, k, storage + i * SCENE_HULL_BYTES, SCENE_HULL_BYTES, &hull[i]) != DVC_OK) abort();
        shape->polytope = &hull[i];
    }
}

static void a_millimetre_is_like_a_kilometre(void)
{
    static unsigned char storage[2 * SCENE_HULL_BYTES];
    static const double factor[3] = { 1e-3, 100, 1e3 };
    dvc_vec2 points[32];
    int k;
    test_seed(5);
    for (k = 0; k < 1200; k++) {
        scene *s = ask_pair_number(k);
        dvc_gap gap = ask_gap(&s->world, 0, 1), scaled;
        ask_scale(s, factor[k % 3], points, storage);
        scaled = ask_gap(&s->world, 0, 1);
        CHECK_NEAR(scaled.distance, factor[k % 3] * (double)gap.distance, 1e-12 * factor[k % 3]);
        ask_check_points(s, &scaled, factor[k % 3]);
        scene_free(s);
    }
}

/* A small part over, beside and in a large box. */
static void a_small_part_by_a_large_one_keeps_its_accuracy(void)
{
    int k, kind;
    test_seed(6);
    for (k = 0; k < 600; k++)
        for (kind = 0; kind < TRIAL_KINDS; kind++) {
            scene *s = scene_make(2, k & 1, TRIAL_SCRATCH);
            dvc_vec3 at = motion_vec(50.002, k & 1);
            dvc_gap gap;
            scene_box(s, DVC_STATIC, v3(50, 50, 50), scene_zero, 0, 0);
            *(k & 2 ? &at.x : &at.y) = (dvc_real)(50 + test_random(-0.002, 0.002));
            trial_part(s, DVC_STATIC, (trial_kind)kind, 0.001, at, 0);
            gap = ask_gap(&s->world, 0, 1);
            CHECK_NEAR(gap.distance, ask_oracle_of(&s->world, 0, 1), 1e-12);
            ask_check_points(s, &gap, 50);
            scene_free(s);
        }
}

/* Points on a ball: many small faces. */
static int ask_round_hull(scene *s, int corners, dvc_vec3 at)
{
    dvc_vec3 cloud[ORACLE_VERTICES];
    int k;
    for (k = 0; k < corners; k++) cloud[k] = trial_direction(false);
    return scene_hull(s, DVC_STATIC, cloud, corners, at, 1, 0);
}

static void hulls_of_many_faces_are_like_any_other(void)
{
    int k;
    test_seed(7);
    for (k = 0; k < 12; k++) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        dvc_gap gap;
        ask_round_hull(s, 60, scene_zero);
        ask_round_hull(s, 40, oracle_scaled(trial_direction(false), test_random(0.5, 2.5)));
        gap = ask_gap(&s->world, 0, 1);
        CHECK_NEAR(gap.distance, ask_oracle_of(&s->world, 0, 1), 1e-12);
        ask_check_points(s, &gap, 1);
        scene_free(s);
    }
}

/* ---- parts on a lattice ---- */

static double ask_step(int most) { return floor(test_random(-most, most + 1)); }

static int ask_lattice_hull(scene *s)
{
    unsigned char storage[SCENE_HULL_BYTES];
    dvc_vec3 cloud[TRIAL_CORNERS];
    dvc_polytope hull;
    int k, count;
    do { /* until the cloud is not flat */
        count = 5 + (int)test_random(0, 9);
        for (k = 0; k < count; k++) cloud[k] = v3(ask_step(2), ask_step(2), ask_step(2));
    } while (dvc_polytope_build(cloud, count, storage, sizeof storage, &hull) != DVC_OK);
    return scene_hull(s, DVC_STATIC, cloud, count, scene_zero, 1, 0);
}

/* Corners on whole numbers, turned by multiples of an eighth: faces, edges and corners in line, flush and touching everywhere. */
static scene *ask_lattice_pair(bool planar)
{
    scene *s = scene_make(2, planar, (size_t)1 << 16);
    int i, k;
    for (i = 0; i < 2; i++) {
        dvc_vec3 half = v3(1.5 + ask_step(1) / 2, 1.5 + ask_step(1) / 2, 1.5 + ask_step(1) / 2), axis = v3(0, 0, 1);
        k = planar || test_random(0, 1) < 0.5 ? scene_box(s, DVC_STATIC, half, scene_zero, 0, 0) : ask_lattice_hull(s);
        if (!planar) axis = v3(fabs(ask_step(1)), fabs(ask_step(1)), 1);
        s->bodies[k].orientation = dvc_quat_turn(axis, (dvc_real)(TRIAL_PI / 4 * ask_step(4)));
    }
    s->bodies[1].position = oracle_scaled(v3(ask_step(8), ask_step(8), planar ? 0 : ask_step(8)), 0.5);
    return s;
}

static void the_gap_of_parts_in_line_is_that_of_brute_force(void)
{
    int k, touching = 0;
    test_seed(8);
    for (k = 0; k < 2000; k++) {
        scene *s = ask_lattice_pair(k % 4 == 3);
        double expected = ask_oracle_of(&s->world, 0, 1);
        dvc_gap gap = ask_gap(&s->world, 0, 1);
        CHECK_NEAR(gap.distance, expected, 1e-13);
        CHECK_NEAR(ask_gap(&s->world, 1, 0).distance, expected, 1e-13);
        ask_check_points(s, &gap, 1);
        touching += fabs(expected) < 1e-12;
        scene_free(s);
    }
    CHECK(touching > 50);
}

/* ---- closed forms ---- */

static scene *ask_boxes(bool planar, dvc_vec3 half_a, dvc_vec3 half_b, dvc_vec3 at)
{
    scene *s = scene_make(3, planar, TRIAL_SCRATCH);
    scene_box(s, DVC_STATIC, half_a, scene_zero, 0, 0);
    scene_box(s, DVC_STATIC, half_b, at, 0, 0);
    return s;
}

static void ask_expect(scene *s, double distance, dvc_vec3 normal)
{
    dvc_gap gap = ask_gap(&s->world, 0, 1);
    CHECK_NEAR(gap.distance, distance, 1e-14);
    if (oracle_norm(normal) > 0) CHECK(motion_apart(gap.normal, normal) <= 1e-10);
    ask_check_points(s, &gap, 1);
    scene_free(s);
}

/* Unit cubes along the axes: faces, edges and corners that face each other; all are parallel. */
static void aligned_boxes_lie_as_their_corners_say(void)
{
    dvc_vec3 half = v3(0.5, 0.5, 0.5);
    ask_expect(ask_boxes(false, half, half, v3(3, 0.2, 0)), 2, v3(1, 0, 0));
    ask_expect(ask_boxes(false, half, half, v3(1, 0, 0)), 0, v3(1, 0, 0));
    ask_expect(ask_boxes(false, half, half, v3(0.9, 0.3, 0)), -0.1, v3(1, 0, 0));
    ask_expect(ask_boxes(false, half, half, v3(0, -0.75, 0.5)), -0.25, v3(0, -1, 0));
    ask_expect(ask_boxes(false, half, half, v3(4, 5, 0.2)), 5, v3(0.6, 0.8, 0));
    ask_expect(ask_boxes(false, half, half, v3(3, 4, -7)), 7, v3(2 / 7., 3 / 7., -6 / 7.));
    ask_expect(ask_boxes(false, half, half, v3(1, 1, 0.3)), 0, scene_zero);
    ask_expect(ask_boxes(false, half, half, v3(1, 1, 1)), 0, scene_zero);
    ask_expect(ask_boxes(false, half, half, v3(1 + 2e-9, 1 + 3e-9, 1 + 6e-9)), 7e-9, scene_zero); /* no plane says as much */
    ask_expect(ask_boxes(false, half, half, v3(1 + 3e-9, 1 + 4e-9, 0.3)), 5e-9, scene_zero);
    ask_expect(ask_boxes(false, half, half, scene_zero), -1, scene_zero);
    ask_expect(ask_boxes(true, half, half, v3(4, 5, 0)), 5, v3(0.6, 0.8, 0));
    ask_expect(ask_boxes(true, half, half, v3(0.2, 0.95, 0)), -0.05, v3(0, 1, 0));
    ask_expect(ask_boxes(true, half, half, v3(1 + 3e-9, 1 + 4e-9, 0)), 5e-9, scene_zero);
    ask_expect(ask_boxes(true, half, half, scene_zero), -1, scene_zero);
}

/* Two rods on edge, one over the other at an angle; their ridges cross over the middle. */
static scene *ask_ridges(double angle, double room)
{
    scene *s = ask_boxes(false, v3(2, 0.1, 0.1), v3(2, 0.1, 0.1), v3(0, 0, 0.2 * sqrt(2.) + room));
    dvc_quat on_edge = dvc_quat_turn(v3(1, 0, 0), (dvc_real)(TRIAL_PI / 4));
    s->bodies[0].orientation = on_edge;
    s->bodies[1].orientation = oracle_compose(dvc_quat_turn(v3(0, 0, 1), (dvc_real)angle), on_edge);
    return s;
}

/* However small the angle, the ridges hold each other up; only when parallel do the flanks give way first. */
static void ridges_that_are_nearly_parallel_still_cross(void)
{
    static const double angle[6] = { 1, 0.1, 0.004, 1e-3, 1e-4, 1e-5 };
    int i;
    for (i = 0; i < 6; i++) {
        ask_expect(ask_ridges(angle[i], 0.25), 0.25, v3(0, 0, 1));
        ask_expect(ask_ridges(angle[i], 0.1 * angle[i]), 0.1 * angle[i], v3(0, 0, 1));
        ask_expect(ask_ridges(angle[i], -0.1 * angle[i]), -0.1 * angle[i], v3(0, 0, 1));
    }
    ask_expect(ask_ridges(0, 0.25), 0.25, v3(0, 0, 1));
    ask_expect(ask_ridges(0, -0.05), -0.05 * sqrt(0.5), scene_zero);
}

static void balls_and_particles_lie_as_their_centres_say(void)
{
    static const double radius[3] = { 0, 0.5, 2 };
    int i, k, m;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            for (m = 0; m < 4; m++) {
                scene *s = scene_make(2, m & 1, TRIAL_SCRATCH);
                double sum = radius[i] + radius[k];
                scene_sphere(s, radius[i], v3(1, 2, 0), 1, 0);
                scene_sphere(s, radius[k], m < 2 ? v3(4, -2, 0) : v3(1, 2, 0), 1, 0);
                ask_expect(s, (m < 2 ? 5 : 0) - sum, m < 2 ? v3(0.6, -0.8, 0) : v3(0, 1, 0));
            }
}

/* A ball with its centre over an edge, a corner, a face, on a face, and inside a box. */
static void a_ball_at_a_box_is_as_far_as_its_centre(void)
{
    static const double at[6][4] = { { 3, 4, 0.2, 2.8284271247461903 }, { 2, 3, 3, 3 }, { 0.3, 0.1, -4, 3 },
                                     { 0.2, 1, 0.4, 0 }, { 0.5, 0.1, 0.2, -0.5 }, { 0, 0, 0, -1 } };
    dvc_vec3 half = v3(1, 1, 1);
    int i;
    for (i = 0; i < 6; i++) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        double expected = i == 0 ? sqrt(13.) : at[i][3];
        scene_box(s, DVC_STATIC, half, scene_zero, 0, 0);
        scene_sphere(s, 0.25, v3(at[i][0], at[i][1], at[i][2]), 1, 0);
        ask_expect(s, expected - 0.25, scene_zero);
    }
}

static scene *ask_half_spaces(bool planar, dvc_vec3 normal_a, dvc_vec3 normal_b, dvc_vec3 at)
{
    scene *s = scene_make(2, planar, TRIAL_SCRATCH);
    scene_add(s, DVC_STATIC, DVC_PLANE, scene_zero, 0);
    scene_add(s, DVC_STATIC, DVC_PLANE, at, 0);
    s->shapes[0].normal = normal_a;
    s->shapes[1].normal = normal_b;
    return s;
}

static void half_spaces_are_apart_only_if_they_face_each_other(void)
{
    scene *s;
    ask_expect(ask_half_spaces(false, v3(0, 0, 2), v3(0, 0, -3), v3(5, 1, 0.5)), 0.5, v3(0, 0, 1));
    ask_expect(ask_half_spaces(true, v3(0.6, 0.8, 0), v3(-3, -4, 0), v3(-3, -4, 0)), -5, v3(0.6, 0.8, 0));
    s = ask_half_spaces(false, v3(0, 0, 1), v3(0, 0, 1), v3(5, 1, 0.5));
    CHECK(ask_gap(&s->world, 0, 1).distance == -DVC_INFINITY);
    s->shapes[1].normal = v3(0, 1e-3, -1);
    CHECK(ask_gap(&s->world, 0, 1).distance == -DVC_INFINITY);
    scene_free(s);
}

/* Each kind of pair of features is what it is called. */
static void features_are_named(void)
{
    dvc_vec3 half = v3(0.5, 0.5, 0.5);
    scene *s = ask_boxes(false, half, half, v3(3, 3, 3));
    dvc_gap gap = ask_gap(&s->world, 0, 1);
    CHECK(gap.feature_a == DVC_FEATURE(DVC_VERTEX, 7) && gap.feature_b == DVC_FEATURE(DVC_VERTEX, 0));
    s->bodies[1].orientation = dvc_quat_turn(v3(1, 1, 0.3), (dvc_real)1);
    s->bodies[1].position = v3(0.1, 0, 3);
    gap = ask_gap(&s->world, 0, 1);
    CHECK(gap.feature_a == DVC_FEATURE(DVC_FACE, 5) && DVC_FEATURE_KIND(gap.feature_b) == DVC_VERTEX);
    gap = ask_gap(&s->world, 1, 0);
    CHECK(gap.feature_b == DVC_FEATURE(DVC_FACE, 5) && DVC_FEATURE_KIND(gap.feature_a) == DVC_VERTEX);
    scene_free(s);
    s = ask_ridges(0.5, 0.1);
    gap = ask_gap(&s->world, 0, 1);
    CHECK(DVC_FEATURE_KIND(gap.feature_a) == DVC_EDGE && DVC_FEATURE_KIND(gap.feature_b) == DVC_EDGE);
    scene_free(s);
    s = ask_ridges(0, 0.1); /* parallel: closest all along, told by a corner and the ridge it is over */
    gap = ask_gap(&s->world, 0, 1);
    CHECK(DVC_FEATURE_KIND(gap.feature_a) != DVC_FACE && DVC_FEATURE_KIND(gap.feature_b) != DVC_FACE);
    scene_free(s);
}

/* ---- overlaps ---- */

/* A world of random parts around the origin; some slots are empty, some bodies disabled. */
static scene *ask_crowd(bool planar, int count)
{
    scene *s = scene_make(count, planar, TRIAL_SCRATCH);
    int i;
    for (i = 0; i < count; i++) {
        ask_add(s, (int)test_random(0, 3.15), test_random(0.1, 0.5), motion_vec(1.5, planar));
        s->shapes[i].position = motion_vec(0.1, planar);
        s->shapes[i].category = 1u << (i % 3);
        s->shapes[i].disabled = i % 11 == 3;
        s->bodies[i].disabled = i % 13 == 5;
        if (i % 12 == 2) s->shapes[i].kind = DVC_NO_SHAPE;
    }
    return s;
}

/* The last body and shape of the crowd leave it and become a probe. */
static dvc_shape ask_take_probe(scene *s, dvc_vec3 *position, dvc_quat *orientation)
{
    dvc_shape probe;
    do {
        int last = --s->world.body_count;
        s->world.shape_count = last;
        probe = s->shapes[last];
        *position = s->bodies[last].position;
        *orientation = s->bodies[last].orientation;
    } while (probe.kind == DVC_NO_SHAPE);
    probe.body = -7; /* not read */
    return probe;
}

static void ask_probe_solid(const dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation,
                            oracle_solid *out)
{
    oracle_local(probe, world->planar, out);
    oracle_place(out, probe->position, probe->orientation);
    oracle_place(out, position, orientation);
}

static void ask_compare_overlap(int k, double margin)
{
    static oracle_solid solid, other;
    scene *s = ask_crowd(k & 1, 24);
    int found[24], count, i, expected = 0;
    dvc_vec3 at;
    dvc_quat turn;
    dvc_shape probe = ask_take_probe(s, &at, &turn);
    probe.ignore = k % 5 == 0 ? 2u : 0;
    ask_probe_solid(&s->world, &probe, at, turn, &solid);
    CHECK(dvc_overlap(&s->world, &probe, at, turn, (dvc_real)margin, found, 24, &count) == DVC_OK);
    for (i = 0; i < s->world.shape_count; i++) {
        if (!oracle_present(&s->world, i) || (probe.ignore & s->shapes[i].category)) continue;
        oracle_shape(&s->world, i, &other);
        if (probe.kind == DVC_PLANE && other.vertex_count == 0) expected++;
        else if (ask_oracle(&other, &solid) <= margin) expected++;
        else continue;
        CHECK(expected <= count && found[expected - 1] == i);
    }
    CHECK(count == expected);
    scene_free(s);
}

static void a_probe_finds_what_it_touches_and_nothing_else(void)
{
    int k;
    test_seed(10);
    for (k = 0; k < 300; k++) ask_compare_overlap(k, k % 3 == 0 ? 0 : test_random(-0.1, 0.5));
}

static void masks_work_both_ways_and_sensors_are_listed(void)
{
    scene *s = ask_boxes(false, v3(1, 1, 1), v3(1, 1, 1), v3(0.5, 0, 0));
    dvc_shape probe = s->shapes[0];
    dvc_quat still = { 0, 0, 0, 0 };
    int found[2], count;
    s->shapes[0].sensor = true;
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, found, 2, &count) == DVC_OK && count == 2);
    s->shapes[0].ignore = 4;
    probe.category = 4;
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, found, 2, &count) == DVC_OK && count == 1 && found[0] == 1);
    s->shapes[1].category = 8;
    probe.ignore = 8;
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, found, 2, &count) == DVC_OK && count == 0);
    probe.category = probe.ignore = 0;
    s->shapes[0].ignore = 1; /* 0 counts as 1 */
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, found, 2, &count) == DVC_OK && count == 1);
    scene_free(s);
}

/* What does not fit is counted; and it may be asked how many there are. */
static void a_short_list_is_filled_and_the_rest_counted(void)
{
    scene *s = scene_make(5, false, TRIAL_SCRATCH);
    dvc_shape probe;
    dvc_quat still = { 0, 0, 0, 0 };
    int i, found[3] = { -5, -5, -5 }, count;
    for (i = 0; i < 5; i++) scene_box(s, DVC_STATIC, v3(1, 1, 1), v3(0.1 * i, 0, 0), 0, 0);
    probe = s->shapes[0];
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, found, 2, &count) == DVC_OK);
    CHECK(count == 5 && found[0] == 0 && found[1] == 1 && found[2] == -5);
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, NULL, 0, &count) == DVC_OK && count == 5);
    scene_free(s);
}

/* ---- rays ---- */

/* A solid seen from a solid that moves: its gap at t of the way. A ray is the way of a particle. */
static double ask_gap_at(const oracle_solid *fixed, const oracle_solid *moving, dvc_vec3 way, double t)
{
    static oracle_solid moved;
    dvc_quat still = { 1, 0, 0, 0 };
    moved = *moving;
    oracle_place(&moved, oracle_scaled(way, t), still);
    return oracle_gap(fixed, &moved);
}

/* The first t at which they touch; 2: they do not. The gap is convex along the way: golden section for its minimum until some t
 * overlaps, then bisection. `least` is the least gap seen. */
static double ask_first_touch(const oracle_solid *fixed, const oracle_solid *moving, dvc_vec3 way, double *least)
{
    double low = 0, high = 1, part = (sqrt(5.) - 1) / 2, inside = -1, free = 0, t[2], gap[2];
    int k, i;
    *least = fmin(ask_gap_at(fixed, moving, way, 0), ask_gap_at(fixed, moving, way, 1));
    if (ask_gap_at(fixed, moving, way, 0) <= 0) return 0;
    if (ask_gap_at(fixed, moving, way, 1) <= 0) inside = 1;
    for (k = 0; k < 80 && inside < 0; k++) {
        for (i = 0; i < 2; i++) {
            t[i] = i ? low + part * (high - low) : high - part * (high - low);
            gap[i] = ask_gap_at(fixed, moving, way, t[i]);
            if (gap[i] <= 0) inside = t[i];
            *least = fmin(*least, gap[i]);
        }
        if (gap[0] < gap[1]) high = t[1];
        else low = t[0];
    }
    if (inside < 0) return 2;
    for (k = 0; k < 60; k++) {
        double middle = (free + inside) / 2;
        if (ask_gap_at(fixed, moving, way, middle) > 0) free = middle;
        else inside = middle;
    }
    return inside;
}

static oracle_solid ask_particle(bool planar, dvc_vec3 at)
{
    oracle_solid solid;
    memset(&solid, 0, sizeof solid);
    solid.planar = planar;
    oracle_vertex(&solid, (double)at.x, (double)at.y, (double)at.z);
    return solid;
}

/* How steeply the ray meets the surface: an error of the place is divided by it. */
static double ask_steepness(const dvc_hit *hit, dvc_vec3 way) { return fmax(-oracle_dot(hit->normal, way), 1e-6); }

static void ask_compare_ray(int k)
{
    static oracle_solid solid, particle;
    bool planar = k & 1;
    scene *s = ask_pair(planar, k / 2 % ASK_KINDS, 0, 1);
    dvc_vec3 from = oracle_along(s->bodies[0].position, trial_direction(planar), test_random(0, 1.5));
    dvc_vec3 way = motion_vec(3, planar);
    double expected, least;
    dvc_hit hit;
    oracle_shape(&s->world, 0, &solid);
    particle = ask_particle(planar, from);
    expected = ask_first_touch(&solid, &particle, way, &least);
    CHECK(dvc_raycast_shape(&s->world, 0, from, way, &hit) == DVC_OK);
    CHECK((hit.shape == 0) == (expected <= 1) || fabs(least) < 1e-9);
    if (hit.shape == 0 && expected <= 1) {
        CHECK_NEAR(hit.t, expected, 1e-12 / ask_steepness(&hit, way));
        CHECK(motion_apart(hit.point, oracle_along(from, way, (double)hit.t)) <= 1e-14);
        CHECK_NEAR(oracle_norm(hit.normal), 1, 1e-14);
        CHECK(hit.inside == (oracle_gap(&solid, &particle) < 0) && hit.body == 0);
        if (!hit.inside) CHECK(ask_off_feature(s, 0, hit.feature, hit.point) <= 1e-12);
        if (!hit.inside) CHECK(oracle_dot(hit.normal, way) < 0);
        else CHECK_NEAR(ask_gap_at(&solid, &particle, hit.normal, -oracle_gap(&solid, &particle)), 0, 1e-12);
    }
    scene_free(s);
}

static void a_ray_hits_where_bisection_finds_the_surface(void)
{
    int k;
    test_seed(20);
    for (k = 0; k < 8000 / ASK_SHARE; k++) ask_compare_ray(k);
}

/* The first hit in a crowd is the least of the hits of its shapes, without those that are to be ignored. */
static void the_first_hit_is_the_least_of_all(void)
{
    int k, i, best, hits = 0;
    test_seed(21);
    for (k = 0; k < 400; k++) {
        scene *s = ask_crowd(k & 1, 20);
        dvc_vec3 from = motion_vec(4, k & 1), way = motion_vec(6, k & 1);
        dvc_hit hit, one;
        double least = 2;
        s->shapes[k % 20].sensor = true;
        for (best = -1, i = 0; i < 20; i++) {
            if (!oracle_present(&s->world, i) || s->shapes[i].sensor || (s->shapes[i].category & 2u)) continue;
            CHECK(dvc_raycast_shape(&s->world, i, from, way, &one) == DVC_OK);
            if (one.shape < 0 || !((double)one.t < least)) continue;
            least = (double)one.t;
            best = i;
        }
        CHECK(dvc_raycast(&s->world, from, way, 2u, &hit) == DVC_OK);
        CHECK(hit.shape == best && hit.body == best);
        if (best >= 0) CHECK((double)hit.t == least);
        else CHECK(hit.t == 1);
        hits += best >= 0;
        scene_free(s);
    }
    CHECK(hits > 50 && hits < 350);
}

static dvc_hit ask_ray(scene *s, dvc_vec3 from, dvc_vec3 way)
{
    dvc_hit hit;
    CHECK(dvc_raycast(&s->world, from, way, 0, &hit) == DVC_OK);
    return hit;
}

/* Straight at faces, through corners, along faces, from the surface in and out, from inside, and without any way. */
static void rays_at_a_cube_do_as_the_manual_says(void)
{
    scene *s = ask_boxes(false, v3(1, 1, 1), v3(0.1, 0.1, 0.1), v3(50, 0, 0));
    dvc_hit hit = ask_ray(s, v3(-3, 0.25, 0.5), v3(4, 0, 0));
    CHECK(hit.shape == 0 && hit.t == 0.5 && hit.normal.x == -1 && hit.feature == DVC_FEATURE(DVC_FACE, 0) && !hit.inside);
    CHECK(hit.point.x == -1 && hit.point.y == 0.25 && hit.point.z == 0.5);
    CHECK(ask_ray(s, v3(-3, 0, 0), v3(1.9375, 0, 0)).shape == -1);
    CHECK(ask_ray(s, v3(-3, 0, 0), v3(2, 0, 0)).t == 1);
    hit = ask_ray(s, v3(-3, -3, -3), v3(4, 4, 4));
    CHECK(hit.shape == 0 && hit.t == 0.5);
    hit = ask_ray(s, v3(-3, 1, 0), v3(4, 0, 0));
    CHECK(hit.shape == 0 && hit.t == 0.5);
    CHECK(ask_ray(s, v3(-3, 1 + 1e-12, 0), v3(4, 0, 0)).shape == -1);
    hit = ask_ray(s, v3(0, 0, 1), v3(1, 0, -1));
    CHECK(hit.shape == 0 && hit.t == 0 && !hit.inside && hit.normal.z == 1);
    CHECK(ask_ray(s, v3(0, 0, 1), v3(1, 0, 1)).shape == -1);
    hit = ask_ray(s, v3(0, 0.5, 0), v3(1, 0, 0));
    CHECK(hit.shape == 0 && hit.t == 0 && hit.inside && hit.normal.y == 1 && hit.point.y == 0.5);
    CHECK(ask_ray(s, v3(0, 0.5, 0), scene_zero).inside);
    CHECK(ask_ray(s, v3(0, 1.5, 0), scene_zero).shape == -1);
    scene_free(s);
}

/* Two tiles flush in one plane, turned and far away: no ray falls through the seam. */
static void no_ray_falls_through_a_seam(void)
{
    int k;
    test_seed(22);
    for (k = 0; k < 1000; k++) {
        bool planar = k & 1;
        scene *s = ask_boxes(planar, v3(0.5, 0.5, 0.5), v3(0.5, 0.5, 0.5), v3(1, 0, 0));
        dvc_quat turn = trial_turn(planar, test_random(0, 3));
        dvc_vec3 by = motion_vec(k & 2 ? 1000 : 1, planar), on = v3(0.5, 0.5, planar ? 0 : test_random(-0.4, 0.4)), from, way;
        double over = test_random(0.1, 5);
        int i;
        for (i = 0; i < 2; i++) {
            s->bodies[i].position = oracle_along(by, oracle_turn(turn, s->bodies[i].position), 1);
            s->bodies[i].orientation = turn;
        }
        from = oracle_along(by, oracle_turn(turn, v3((double)on.x, 0.5 + over, (double)on.z)), 1);
        way = oracle_turn(turn, v3(0, -2 * over, 0));
        CHECK_NEAR(ask_ray(s, from, way).t, 0.5, 1e-10);
        scene_free(s);
    }
}

/* A ray that goes on from where it has hit, mirrored, does not hit the same place again. */
static void a_mirrored_ray_leaves_the_surface(void)
{
    int k, hits = 0;
    test_seed(23);
    for (k = 0; k < 2000; k++) {
        bool planar = k & 1;
        scene *s = ask_pair(planar, k / 2 % ASK_KINDS, 0, 1);
        dvc_vec3 from = oracle_along(s->bodies[0].position, trial_direction(planar), 2);
        dvc_vec3 way = oracle_minus(s->bodies[0].position, from);
        dvc_hit hit, next;
        CHECK(dvc_raycast_shape(&s->world, 0, from, way, &hit) == DVC_OK);
        if (hit.shape == 0 && !hit.inside && oracle_dot(hit.normal, way) < -0.1) {
            hits++;
            way = oracle_along(way, hit.normal, -2 * oracle_dot(way, hit.normal));
            CHECK(dvc_raycast_shape(&s->world, 0, hit.point, way, &next) == DVC_OK && next.shape == -1);
        }
        scene_free(s);
    }
    CHECK(hits > 500);
}

/* ---- casts ---- */

static void ask_compare_cast(int k)
{
    static oracle_solid fixed, moving;
    bool planar = k & 1;
    scene *s = ask_pair(planar, k / 2 % ASK_KINDS, k / 8 % TRIAL_KINDS, 2);
    dvc_vec3 at = s->bodies[1].position, way = motion_vec(3, planar);
    dvc_quat turn = s->bodies[1].orientation;
    dvc_shape probe = s->shapes[1];
    double expected, least;
    dvc_hit hit;
    oracle_shape(&s->world, 0, &fixed);
    oracle_shape(&s->world, 1, &moving);
    s->world.shape_count = s->world.body_count = 1;
    expected = ask_first_touch(&fixed, &moving, way, &least);
    CHECK(dvc_shapecast(&s->world, &probe, at, turn, way, &hit) == DVC_OK);
    CHECK((hit.shape == 0) == (expected <= 1) || fabs(least) < 1e-9);
    if (hit.shape == 0 && expected <= 1) {
        CHECK_NEAR(hit.t, expected, 1e-11 / ask_steepness(&hit, way));
        CHECK(hit.inside == (oracle_gap(&fixed, &moving) < 0) && hit.body == 0);
        CHECK(ask_off_surface(&fixed, hit.point) <= 1e-12);
        CHECK(ask_off_feature(s, 0, hit.feature, hit.point) <= 1e-12);
        if (!hit.inside) CHECK_NEAR(ask_gap_at(&fixed, &moving, way, (double)hit.t), 0, 1e-11);
        if (!hit.inside) CHECK(oracle_dot(hit.normal, way) < 0);
    }
    scene_free(s);
}

static void a_cast_stops_where_bisection_finds_touch(void)
{
    int k;
    test_seed(30);
    for (k = 0; k < 2400 / ASK_SHARE; k++) ask_compare_cast(k);
}

/* The least gap along the way, and where it is. */
static double ask_least_gap(const oracle_solid *fixed, const oracle_solid *moving, dvc_vec3 way, double *where)
{
    double low = 0, high = 1, part = (sqrt(5.) - 1) / 2;
    int k;
    for (k = 0; k < 80; k++) {
        double left = high - part * (high - low), right = low + part * (high - low);
        if (ask_gap_at(fixed, moving, way, left) < ask_gap_at(fixed, moving, way, right)) high = right;
        else low = left;
    }
    *where = ask_gap_at(fixed, moving, way, 1) < ask_gap_at(fixed, moving, way, low) ? 1 : low;
    return ask_gap_at(fixed, moving, way, *where);
}

/* On the lattice, ways lead along faces and through corners: what is only touched is not hit, what is entered is. */
static void ask_compare_lattice_cast(int k, int *touched, int *entered)
{
    static oracle_solid fixed, moving;
    bool planar = k % 4 == 3;
    scene *s = ask_lattice_pair(planar);
    dvc_vec3 way = v3(ask_step(8), ask_step(8), planar ? 0 : ask_step(8));
    dvc_shape probe = s->shapes[1];
    double low = 0, high, least;
    dvc_hit hit;
    int i;
    oracle_shape(&s->world, 0, &fixed);
    oracle_shape(&s->world, 1, &moving);
    s->world.shape_count = s->world.body_count = 1;
    least = ask_least_gap(&fixed, &moving, way, &high);
    for (i = 0; i < 60; i++) {
        if (ask_gap_at(&fixed, &moving, way, (low + high) / 2) > -1e-11) low = (low + high) / 2;
        else high = (low + high) / 2;
    }
    CHECK(dvc_shapecast(&s->world, &probe, s->bodies[1].position, s->bodies[1].orientation, way, &hit) == DVC_OK);
    CHECK(hit.inside == (oracle_gap(&fixed, &moving) < -1e-9));
    CHECK((hit.shape == 0) == (least < -1e-9) || fabs(ask_gap_at(&fixed, &moving, way, 1)) < 1e-9);
    if (hit.shape == 0 && least < -1e-9) CHECK_NEAR(hit.t * oracle_norm(way), low * oracle_norm(way), 1e-9);
    *touched += fabs(least) < 1e-9;
    *entered += hit.shape == 0 && !hit.inside;
    scene_free(s);
}

static void a_cast_on_the_lattice_enters_or_passes(void)
{
    int k, touched = 0, entered = 0;
    test_seed(36);
    for (k = 0; k < 500; k++) ask_compare_lattice_cast(k, &touched, &entered);
    CHECK(touched > 4 && entered > 40);
}

/* The way of a particle is a ray. */
static void a_particle_is_cast_as_a_ray(void)
{
    int k, hits = 0;
    test_seed(31);
    for (k = 0; k < 600; k++) {
        scene *s = ask_crowd(k & 1, 12);
        dvc_vec3 from = motion_vec(4, k & 1), way = motion_vec(8, k & 1);
        dvc_shape probe;
        dvc_quat still = { 0, 0, 0, 0 };
        dvc_hit ray = ask_ray(s, from, way), cast;
        memset(&probe, 0, sizeof probe);
        probe.kind = DVC_SPHERE;
        CHECK(dvc_shapecast(&s->world, &probe, from, still, way, &cast) == DVC_OK);
        CHECK(cast.shape == ray.shape && cast.inside == ray.inside);
        if (ray.shape >= 0 && !ray.inside) {
            hits++;
            CHECK_NEAR(cast.t, ray.t, 1e-11 / ask_steepness(&ray, way));
            CHECK(motion_apart(cast.point, ray.point) <= 1e-10 / ask_steepness(&ray, oracle_unit(way)));
        }
        scene_free(s);
    }
    CHECK(hits > 50);
}

static dvc_hit ask_cast(scene *s, int probe, dvc_vec3 way)
{
    dvc_shape shape = s->shapes[probe];
    dvc_hit hit;
    shape.disabled = false;
    s->shapes[probe].disabled = true;
    CHECK(dvc_shapecast(&s->world, &shape, s->bodies[probe].position, s->bodies[probe].orientation, way, &hit) == DVC_OK);
    return hit;
}

/* A ball at a ball: the quadratic equation, down to grazing ways. */
static void a_ball_meets_a_ball_where_the_quadratic_says(void)
{
    int k;
    test_seed(32);
    for (k = 0; k < 400; k++) {
        scene *s = scene_make(2, k & 1, TRIAL_SCRATCH);
        double aside = k % 4 == 0 ? 1.5 * (1 + (k & 16 ? 1 : -1) * pow(10, test_random(-9, -3))) : test_random(0, 2), root;
        dvc_hit hit;
        scene_sphere(s, 1, scene_zero, 1, 0);
        scene_sphere(s, 0.5, v3(-10, aside, 0), 1, 0);
        hit = ask_cast(s, 1, v3(20, 0, 0));
        CHECK((hit.shape == 0) == (aside < 1.5));
        root = sqrt(fmax(1.5 * 1.5 - aside * aside, 0));
        if (hit.shape == 0) CHECK_NEAR(20 * (double)hit.t, 10 - root, 1e-11 / fmax(root, 1e-6));
        scene_free(s);
    }
}

/* What touches at the start does not stop a part that slides along it or leaves; the step at the end of the floor does. */
static void a_part_slides_on_a_floor_of_tiles(void)
{
    int k;
    test_seed(33);
    for (k = 0; k < 200; k++) {
        bool planar = k & 1;
        scene *s = scene_make(6, planar, TRIAL_SCRATCH);
        dvc_quat turn = trial_turn(planar, k % 4 < 2 ? 0 : test_random(0, 3));
        double over = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-9 : -1e-13;
        dvc_hit hit;
        int i;
        for (i = 0; i < 4; i++) scene_box(s, DVC_STATIC, v3(1, 0.5, 1), v3(2 * i, -0.5, 0), 0, 0);
        scene_box(s, DVC_STATIC, v3(0.5, 1, 1), v3(7, 1, 0), 0, 0);
        scene_box(s, DVC_STATIC, v3(0.25, 0.25, 0.25), v3(0, 0.25 + over, 0), 0, 0);
        for (i = 0; i < 6; i++) {
            s->bodies[i].position = oracle_turn(turn, s->bodies[i].position);
            s->bodies[i].orientation = turn;
        }
        hit = ask_cast(s, 5, oracle_turn(turn, v3(10, 0, 0)));
        CHECK(hit.shape == 4);
        CHECK_NEAR(hit.t, 0.625, 1e-11);
        CHECK(motion_apart(hit.normal, oracle_turn(turn, v3(-1, 0, 0))) <= 1e-9);
        CHECK(ask_cast(s, 5, oracle_turn(turn, v3(0, 3, 0))).shape == -1);
        CHECK(ask_cast(s, 5, oracle_turn(turn, v3(-10, 1, 0))).shape == -1);
        CHECK(ask_cast(s, 5, scene_zero).shape == -1);
        hit = ask_cast(s, 5, oracle_turn(turn, v3(0.1, -1, 0)));
        CHECK(hit.shape == 0 && !hit.inside);
        CHECK_NEAR(hit.t, fmax(over, 0), 1e-11);
        scene_free(s);
    }
}

/* Two boxes corner to corner: straight on, past each other along their faces, and from touch into the other. */
static void corners_meet_and_pass(void)
{
    scene *s = ask_boxes(false, v3(1, 1, 1), v3(1, 1, 1), v3(4, 4, 4));
    dvc_hit hit = ask_cast(s, 1, v3(-4, -4, -4));
    CHECK(hit.shape == 0);
    CHECK_NEAR(hit.t, 0.5, 1e-12);
    CHECK(motion_apart(hit.point, v3(1, 1, 1)) <= 1e-11);
    s->bodies[1].position = v3(2, 2, 2);
    CHECK(ask_cast(s, 1, v3(0, -4, 0)).shape == -1); /* it slides by, face to face */
    CHECK(ask_cast(s, 1, v3(1, -4, 0)).shape == -1);
    hit = ask_cast(s, 1, v3(-1, -1.5, -2));
    CHECK(hit.shape == 0 && hit.t == 0 && !hit.inside);
    s->bodies[1].position = v3(1.5, 0, 0);
    hit = ask_cast(s, 1, v3(4, 0, 0));
    CHECK(hit.shape == 0 && hit.t == 0 && hit.inside && hit.normal.x == 1);
    s->bodies[1].position = v3(3, 0, 0);
    CHECK_NEAR(ask_cast(s, 1, v3(-1, 0, 0)).t, 1, 1e-12); /* just there */
    CHECK(ask_cast(s, 1, v3(-0.999, 0, 0)).shape == -1);
    scene_free(s);
}

/* A millimetre cube across a kilometre. */
static void a_small_probe_goes_a_long_way(void)
{
    int k;
    test_seed(34);
    for (k = 0; k < 200; k++) {
        scene *s = ask_boxes(k & 1, v3(0.001, 0.001, 0.001), v3(0.001, 0.001, 0.001), v3(1000, test_random(-0.0035, 0.0035), 0));
        double aside = fabs((double)s->bodies[1].position.y);
        dvc_hit hit = ask_cast(s, 1, v3(-2000, 0, 0));
        CHECK((hit.shape == 0) == (aside < 0.002));
        if (hit.shape == 0) CHECK_NEAR(2000 * (double)hit.t, 999.998, 1e-9);
        scene_free(s);
    }
}

static void a_half_space_is_met_by_the_lowest_corner(void)
{
    int k;
    test_seed(35);
    for (k = 0; k < 300; k++) {
        static oracle_solid solid, ground; /* a point of the ground will do */
        scene *s = scene_make(2, k & 1, TRIAL_SCRATCH);
        double low;
        dvc_hit hit;
        scene_ground(s, 0);
        trial_part(s, DVC_STATIC, (trial_kind)(k / 2 % 3), 0.5, v3(0, k & 1 ? 3 : 0, k & 1 ? 0 : 3), 0);
        oracle_shape(&s->world, 1, &solid);
        ground = ask_particle(k & 1, scene_zero);
        low = oracle_axis_gap(&ground, &solid, trial_up(s));
        hit = ask_cast(s, 1, oracle_along(v3(1, 0, 0), trial_up(s), -5));
        CHECK(hit.shape == 0 && hit.feature == DVC_FEATURE(DVC_FACE, 0));
        CHECK_NEAR(hit.t, low / 5, 1e-13);
        scene_free(s);
    }
}

static void sensors_and_masks_let_a_cast_pass(void)
{
    scene *s = ask_boxes(false, v3(1, 1, 1), v3(1, 1, 1), v3(5, 0, 0));
    dvc_vec3 way = v3(-10, 0, 0);
    s->shapes[0].sensor = true;
    CHECK(ask_cast(s, 1, way).shape == -1);
    CHECK(ask_ray(s, v3(5, 0, 0), way).shape == -1);
    s->shapes[0].sensor = false;
    CHECK(ask_cast(s, 1, way).shape == 0);
    s->shapes[0].ignore = 1;
    CHECK(ask_cast(s, 1, way).shape == -1);
    s->shapes[0].ignore = 0;
    s->shapes[1].ignore = 1;
    CHECK(ask_cast(s, 1, way).shape == -1);
    scene_free(s);
}

/* ---- input, memory, bits ---- */

static void questions_about_shapes_that_are_not_there_are_refused(void)
{
    scene *s = ask_boxes(false, v3(1, 1, 1), v3(1, 1, 1), v3(5, 0, 0));
    dvc_gap gap;
    dvc_hit hit;
    CHECK(dvc_distance(&s->world, 0, 2, &gap) == DVC_ERROR_ASK_SHAPE && s->world.culprit == 2);
    CHECK(dvc_distance(&s->world, -1, 0, &gap) == DVC_ERROR_ASK_SHAPE && s->world.culprit == -1);
    s->shapes[1].disabled = true;
    CHECK(dvc_distance(&s->world, 0, 1, &gap) == DVC_ERROR_ASK_SHAPE && s->world.culprit == 1);
    s->shapes[1].disabled = false;
    s->bodies[1].disabled = true;
    CHECK(dvc_raycast_shape(&s->world, 1, scene_zero, scene_zero, &hit) == DVC_ERROR_ASK_SHAPE && s->world.culprit == 1);
    s->bodies[1].disabled = false;
    s->shapes[1].kind = DVC_NO_SHAPE;
    CHECK(dvc_distance(&s->world, 1, 0, &gap) == DVC_ERROR_ASK_SHAPE);
    s->shapes[1].kind = DVC_POLYGON;
    CHECK(dvc_distance(&s->world, 1, 0, &gap) == DVC_ERROR_SHAPE_KIND && s->world.culprit == 1);
    CHECK(dvc_raycast(&s->world, scene_zero, v3(1, 0, 0), 0, &hit) == DVC_ERROR_SHAPE_KIND && hit.shape == -1);
    CHECK(dvc_distance(NULL, 0, 1, &gap) == DVC_ERROR_NULL && dvc_distance(&s->world, 0, 1, NULL) == DVC_ERROR_NULL);
    CHECK(dvc_raycast(NULL, scene_zero, scene_zero, 0, &hit) == DVC_ERROR_NULL);
    CHECK(dvc_raycast(&s->world, scene_zero, scene_zero, 0, NULL) == DVC_ERROR_NULL);
    s->shapes[1].kind = DVC_BOX;
    s->bodies[1].position.x = (dvc_real)NAN;
    CHECK(dvc_distance(&s->world, 0, 1, &gap) == DVC_ERROR_BODY_STATE && s->world.culprit == 1);
    scene_free(s);
}

static void probes_and_ways_must_be_sound(void)
{
    scene *s = ask_boxes(true, v3(1, 1, 1), v3(1, 1, 1), v3(5, 0, 0));
    dvc_shape probe = s->shapes[1];
    dvc_quat still = { 0, 0, 0, 0 }, tilted = { 1, 1, 0, 0 };
    dvc_vec3 bad = v3(0, (double)NAN, 0);
    dvc_hit hit;
    int count;
    CHECK(dvc_raycast(&s->world, bad, scene_zero, 0, &hit) == DVC_ERROR_ASK_NUMBER);
    CHECK(dvc_raycast(&s->world, scene_zero, bad, 0, &hit) == DVC_ERROR_ASK_NUMBER && hit.shape == -1);
    CHECK(dvc_shapecast(&s->world, &probe, bad, still, scene_zero, &hit) == DVC_ERROR_ASK_NUMBER);
    CHECK(dvc_shapecast(&s->world, &probe, scene_zero, tilted, scene_zero, &hit) == DVC_ERROR_ASK_NUMBER);
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, (dvc_real)INFINITY, NULL, 0, &count) == DVC_ERROR_ASK_NUMBER);
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, NULL, -1, &count) == DVC_ERROR_COUNT);
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, NULL, 1, &count) == DVC_ERROR_NULL);
    CHECK(dvc_overlap(&s->world, NULL, scene_zero, still, 0, NULL, 0, &count) == DVC_ERROR_NULL);
    CHECK(dvc_shapecast(&s->world, NULL, scene_zero, still, scene_zero, &hit) == DVC_ERROR_NULL);
    probe.half.x = 0;
    CHECK(dvc_overlap(&s->world, &probe, scene_zero, still, 0, NULL, 0, &count) == DVC_ERROR_SHAPE_SIZE);
    probe.kind = DVC_NO_SHAPE;
    CHECK(dvc_shapecast(&s->world, &probe, scene_zero, still, scene_zero, &hit) == DVC_ERROR_ASK_SHAPE);
    s->world.body_count = -1;
    CHECK(dvc_raycast(&s->world, scene_zero, scene_zero, 0, &hit) == DVC_ERROR_COUNT);
    scene_free(s);
}

/* With the bytes it says it needs a question is answered, with one less it is not; dvc_scratch_size suffices. */
static void scratch_is_asked_for_exactly(void)
{
    scene *s = ask_pair(false, TRIAL_HULL, TRIAL_HULL, 0.1);
    dvc_gap gap, full = ask_gap(&s->world, 0, 1);
    dvc_hit hit;
    void *block = s->world.scratch;
    size_t size = 0, bound = dvc_scratch_size(&s->world);
    dvc_status status = DVC_ERROR_SCRATCH;
    int k;
    for (k = 0; k < 50 && status == DVC_ERROR_SCRATCH; k++) {
        s->world.scratch_size = size;
        status = dvc_distance(&s->world, 0, 1, &gap);
        if (status != DVC_ERROR_SCRATCH) break;
        CHECK(gap.distance == 0);
        CHECK(s->world.report.scratch_needed > size);
        size = s->world.report.scratch_needed;
    }
    CHECK(status == DVC_OK && size > 0 && size <= bound && size < 8192);
    CHECK(memcmp(&gap, &full, sizeof gap) == 0);
    s->world.scratch_size = size - 1;
    CHECK(dvc_distance(&s->world, 0, 1, &gap) == DVC_ERROR_SCRATCH && s->world.report.scratch_needed == size);
    s->world.scratch = NULL;
    CHECK(dvc_raycast(&s->world, v3(5, 0, 0), v3(-10, 0, 0), 0, &hit) == DVC_OK); /* rays need none */
    s->world.scratch = block;
    scene_free(s);
}

/* No question changes the state, whatever lies in the scratch; the next one has the same answer. */
static void questions_change_nothing(void)
{
    int k;
    test_seed(40);
    for (k = 0; k < 50; k++) {
        scene *s = ask_crowd(k & 1, 12);
        uint64_t before = dvc_world_hash(&s->world);
        dvc_vec3 at, way = motion_vec(4, k & 1);
        dvc_quat turn;
        dvc_shape probe = ask_take_probe(s, &at, &turn);
        dvc_hit hit[2];
        int count[2], i;
        before = dvc_world_hash(&s->world);
        for (i = 0; i < 2; i++) {
            memset(s->world.scratch, i ? 0xff : 0, 1 << 16);
            CHECK(dvc_shapecast(&s->world, &probe, at, turn, way, &hit[i]) == DVC_OK);
            CHECK(dvc_overlap(&s->world, &probe, at, turn, 0.1f, NULL, 0, &count[i]) == DVC_OK);
        }
        CHECK(memcmp(&hit[0], &hit[1], sizeof hit[0]) == 0 && count[0] == count[1]);
        CHECK(dvc_world_hash(&s->world) == before);
        scene_free(s);
    }
}

static void suite_ask(void)
{
    test_state.suite = "ask";
    RUN(the_gap_is_that_of_brute_force);
    RUN(the_depth_is_a_way_out);
    RUN(the_order_of_the_shapes_decides_on_signs_only);
    RUN(a_rigid_motion_changes_no_distance);
    RUN(a_millimetre_is_like_a_kilometre);
    RUN(a_small_part_by_a_large_one_keeps_its_accuracy);
    RUN(hulls_of_many_faces_are_like_any_other);
    RUN(the_gap_of_parts_in_line_is_that_of_brute_force);
    RUN(aligned_boxes_lie_as_their_corners_say);
    RUN(ridges_that_are_nearly_parallel_still_cross);
    RUN(balls_and_particles_lie_as_their_centres_say);
    RUN(a_ball_at_a_box_is_as_far_as_its_centre);
    RUN(half_spaces_are_apart_only_if_they_face_each_other);
    RUN(features_are_named);
    RUN(a_probe_finds_what_it_touches_and_nothing_else);
    RUN(masks_work_both_ways_and_sensors_are_listed);
    RUN(a_short_list_is_filled_and_the_rest_counted);
    RUN(a_ray_hits_where_bisection_finds_the_surface);
    RUN(the_first_hit_is_the_least_of_all);
    RUN(rays_at_a_cube_do_as_the_manual_says);
    RUN(no_ray_falls_through_a_seam);
    RUN(a_mirrored_ray_leaves_the_surface);
    RUN(a_cast_stops_where_bisection_finds_touch);
    RUN(a_cast_on_the_lattice_enters_or_passes);
    RUN(a_particle_is_cast_as_a_ray);
    RUN(a_ball_meets_a_ball_where_the_quadratic_says);
    RUN(a_part_slides_on_a_floor_of_tiles);
    RUN(corners_meet_and_pass);
    RUN(a_small_probe_goes_a_long_way);
    RUN(a_half_space_is_met_by_the_lowest_corner);
    RUN(sensors_and_masks_let_a_cast_pass);
    RUN(questions_about_shapes_that_are_not_there_are_refused);
    RUN(probes_and_ways_must_be_sound);
    RUN(scratch_is_asked_for_exactly);
    RUN(questions_change_nothing);
}
