/* Mass from shapes, and shapes as contacts see them. Masses are judged by closed forms, and by systems of point masses that have
 * the same moments as the solids (a box is six points on the middles of its faces, a tetrahedron four corners and its
 * centre): those add up exactly for any mix, any pose. Gaps are judged by oracle.h.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "trial.h"

enum { SHAPE_MIX = 6, SHAPE_POINTS = 20 };

/* ---- point masses ---- */

/* Volume, first and second moments about the origin of the world. */
typedef struct shape_sum {
    double volume, first[3], second[3][3];
} shape_sum;

/* A shape on a body, both read-only: what turns its points into points of the world. */
typedef struct shape_place {
    const dvc_body *body;
    const dvc_shape *shape;
} shape_place;

static dvc_vec3 shape_to_world(shape_place at, dvc_vec3 p)
{
    p = oracle_along(at.shape->position, oracle_turn(at.shape->orientation, p), 1);
    return oracle_along(at.body->position, oracle_turn(at.body->orientation, p), 1);
}

static void shape_add(shape_sum *sum, shape_place at, double volume, dvc_vec3 local)
{
    dvc_vec3 p = shape_to_world(at, local);
    const double c[3] = { (double)p.x, (double)p.y, (double)p.z };
    int i, k;
    sum->volume += volume;
    for (i = 0; i < 3; i++) {
        sum->first[i] += volume * c[i];
        for (k = 0; k < 3; k++) sum->second[i][k] += volume * c[i] * c[k];
    }
}

/* Two points on each axis. */
static void shape_add_axes(shape_sum *sum, shape_place at, int axes, double volume, dvc_vec3 reach)
{
    int i;
    for (i = 0; i < 2 * axes; i++) {
        double sign = i % 2 ? 1 : -1;
        shape_add(sum, at, volume / (2 * axes), motion_times(motion_axis(i / 2, sign), reach));
    }
}

/* The middles of its sides. */
static void shape_add_triangle(shape_sum *sum, shape_place at, dvc_vec3 a, dvc_vec3 b, dvc_vec3 c)
{
    double area = (double)oracle_cross(oracle_minus(b, a), oracle_minus(c, a)).z / 2;
    shape_add(sum, at, area / 3, oracle_scaled(oracle_along(a, b, 1), 0.5));
    shape_add(sum, at, area / 3, oracle_scaled(oracle_along(b, c, 1), 0.5));
    shape_add(sum, at, area / 3, oracle_scaled(oracle_along(c, a, 1), 0.5));
}

static void shape_add_tetrahedron(shape_sum *sum, shape_place at, const dvc_vec3 p[4])
{
    dvc_vec3 u = oracle_minus(p[1], p[0]), v = oracle_minus(p[2], p[0]), w = oracle_minus(p[3], p[0]), middle = scene_zero;
    double volume = fabs(oracle_dot(u, oracle_cross(v, w))) / 6;
    int i;
    for (i = 0; i < 4; i++) {
        shape_add(sum, at, volume / 20, p[i]);
        middle = oracle_along(middle, p[i], 0.25);
    }
    shape_add(sum, at, volume * 0.8, middle);
}

/* Corners of a face in their order around its middle; returns their number. */
static int shape_face_corners(const oracle_solid *solid, int face, dvc_vec3 *corners)
{
    double angle[ORACLE_VERTICES];
    dvc_vec3 n = solid->normals[face], x = scene_zero, middle = scene_zero;
    int count = 0, i, k;
    for (i = 0; i < solid->vertex_count; i++)
        if (oracle_on_face(solid, face, i)) corners[count++] = solid->vertices[i];
    for (i = 0; i < count; i++) middle = oracle_along(middle, corners[i], 1. / count);
    x = oracle_unit(oracle_minus(corners[0], middle));
    for (i = 0; i < count; i++) {
        dvc_vec3 keep = corners[i], d = oracle_minus(keep, middle);
        double turn = atan2(oracle_dot(oracle_cross(n, x), d), oracle_dot(x, d));
        for (k = i; k > 0 && angle[k - 1] > turn; k--) {
            angle[k] = angle[k - 1];
            corners[k] = corners[k - 1];
        }
        angle[k] = turn;
        corners[k] = keep;
    }
    return count;
}

/* Tetrahedra from the mean of the corners to the triangles of all faces. */
static void shape_add_polytope(shape_sum *sum, shape_place at)
{
    static oracle_solid solid;
    dvc_vec3 p[4], corners[ORACLE_VERTICES];
    int f, k, count;
    oracle_local(at.shape, false, &solid);
    p[0] = scene_zero;
    for (k = 0; k < solid.vertex_count; k++) p[0] = oracle_along(p[0], solid.vertices[k], 1. / solid.vertex_count);
    for (f = 0; f < solid.face_count; f++) {
        count = shape_face_corners(&solid, f, corners);
        for (k = 1; k + 1 < count; k++) {
            p[1] = corners[0];
            p[2] = corners[k];
            p[3] = corners[k + 1];
            shape_add_tetrahedron(sum, at, p);
        }
    }
}

/* Second moment of a ball along an axis: r^2 / 5 of its volume; of a disc, r^2 / 4; of a box, h^2 / 3. */
static void shape_add_solid(shape_sum *sum, shape_place at, bool planar)
{
    const dvc_shape *shape = at.shape;
    double r = (double)shape->radius, reach = r * sqrt(planar ? 0.5 : 0.6);
    double volume = planar ? TRIAL_PI * r * r : 4 * TRIAL_PI / 3 * r * r * r;
    dvc_vec3 h = shape->half, p[3];
    int i, k;
    if (shape->kind == DVC_SPHERE) shape_add_axes(sum, at, planar ? 2 : 3, volume, v3(reach, reach, reach));
    if (shape->kind == DVC_BOX && planar) shape_add_axes(sum, at, 2, 4 * (double)(h.x * h.y), oracle_scaled(h, sqrt(2 / 3.)));
    if (shape->kind == DVC_BOX && !planar) shape_add_axes(sum, at, 3, 8 * (double)(h.x * h.y * h.z), h);
    if (shape->kind == DVC_POLYTOPE) shape_add_polytope(sum, at);
    for (i = 2; shape->kind == DVC_POLYGON && i < shape->point_count; i++) {
        for (k = 0; k < 3; k++) {
            dvc_vec2 corner = shape->points[k == 0 ? 0 : i - 2 + k];
            p[k] = v3((double)corner.x, (double)corner.y, 0);
        }
        shape_add_triangle(sum, at, p[0], p[1], p[2]);
    }
}

static shape_sum shape_sum_of(const dvc_body *body, const dvc_shape *shapes, int count, bool planar)
{
    shape_sum sum;
    int i;
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < count; i++) {
        shape_place at;
        at.body = body;
        at.shape = &shapes[i];
        if (!shapes[i].disabled && !shapes[i].sensor) shape_add_solid(&sum, at, planar);
    }
    return sum;
}

/* Entry (i, k) of the inertia about the centre of mass, per density. */
static double shape_inertia(const shape_sum *sum, int i, int k)
{
    double spread = 0;
    int m;
    for (m = 0; m < 3; m++) spread += sum->second[m][m] - sum->first[m] * sum->first[m] / sum->volume;
    return (i == k ? spread : 0) - (sum->second[i][k] - sum->first[i] * sum->first[k] / sum->volume);
}

/* The same of a body: R diag R'. */
static double shape_body_inertia(const dvc_body *body, int i, int k)
{
    const double moments[3] = { (double)body->inertia.x, (double)body->inertia.y, (double)body->inertia.z };
    double sum = 0;
    int m;
    for (m = 0; m < 3; m++) {
        dvc_vec3 axis = oracle_turn(body->orientation, motion_axis(m, 1));
        const double c[3] = { (double)axis.x, (double)axis.y, (double)axis.z };
        sum += moments[m] * c[i] * c[k];
    }
    return sum;
}

static void shape_check_body(const dvc_body *body, const shape_sum *sum, double density, bool planar)
{
    double size = shape_inertia(sum, 0, 0) + shape_inertia(sum, 1, 1) + shape_inertia(sum, 2, 2);
    int i, k;
    CHECK_NEAR((double)body->mass / density, sum->volume, 1e-13 * sum->volume);
    CHECK_NEAR(body->position.x, sum->first[0] / sum->volume, 1e-13);
    CHECK_NEAR(body->position.y, sum->first[1] / sum->volume, 1e-13);
    if (planar) {
        CHECK_NEAR((double)body->inertia.z / density, shape_inertia(sum, 2, 2), 1e-13 * size);
        return;
    }
    CHECK_NEAR(body->position.z, sum->first[2] / sum->volume, 1e-13);
    for (i = 0; i < 3; i++)
        for (k = i; k < 3; k++) CHECK_NEAR(shape_body_inertia(body, i, k) / density, shape_inertia(sum, i, k), 1e-12 * size);
}

static dvc_status shape_weigh(dvc_body *body, dvc_shape *shapes, int count, double density, bool planar)
{
    if (planar) return dvc_body_mass_from_shapes_planar(body, shapes, count, (dvc_real)density);
    return dvc_body_mass_from_shapes(body, shapes, count, (dvc_real)density);
}

/* ---- closed forms ---- */

static void shape_check_moments(const dvc_shape *shape, bool planar, double mass, double x, double y, double z)
{
    dvc_body body;
    dvc_shape copy = *shape;
    memset(&body, 0, sizeof body);
    CHECK(shape_weigh(&body, &copy, 1, 1, planar) == DVC_OK);
    CHECK_NEAR(body.mass, mass, 1e-14 * mass);
    CHECK_NEAR(body.inertia.z, z, 1e-13 * z);
    CHECK_NEAR(body.inertia.x, x, 1e-13 * z);
    CHECK_NEAR(body.inertia.y, y, 1e-13 * z);
    CHECK(oracle_norm(body.position) <= 1e-14 && copy.position.x == -body.position.x);
}

static void boxes_and_balls_have_their_moments(void)
{
    dvc_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = DVC_BOX;
    shape.half = v3(0.5, 1, 3);
    shape_check_moments(&shape, false, 12, 12 * (1 + 9) / 3., 12 * (0.25 + 9) / 3, 12 * 1.25 / 3);
    shape_check_moments(&shape, true, 2, 0, 0, 2 * 1.25 / 3);
    shape.kind = DVC_SPHERE;
    shape.radius = (dvc_real)1.5;
    shape_check_moments(&shape, false, 4.5 * TRIAL_PI, 4.05 * TRIAL_PI, 4.05 * TRIAL_PI, 4.05 * TRIAL_PI);
    shape_check_moments(&shape, true, 2.25 * TRIAL_PI, 0, 0, 2.25 * 2.25 * TRIAL_PI / 2);
}

/* Corners on a circle of radius 2. */
static void regular_polygons_have_their_moments(void)
{
    dvc_vec2 points[64];
    dvc_shape shape;
    int n, i;
    memset(&shape, 0, sizeof shape);
    shape.kind = DVC_POLYGON;
    shape.points = points;
    for (n = 3; n <= 64; n++) {
        double step = 2 * TRIAL_PI / n, area = 2 * n * sin(step);
        for (i = 0; i < n; i++) {
            points[i].x = (dvc_real)(2 * cos(i * step + 0.1));
            points[i].y = (dvc_real)(2 * sin(i * step + 0.1));
        }
        shape.point_count = n;
        shape_check_moments(&shape, true, area, 0, 0, area * 4 / 6 * (2 + cos(step)));
    }
}

/* Corners of the five regular solids about the origin; volume; moment of inertia per mass. */
static int shape_regular(int kind, dvc_vec3 *points, double *volume, double *moment)
{
    double golden = (1 + sqrt(5)) / 2, edge = 2 / golden;
    const double known[5][2] = { { 8 / 3., 0.4 }, { 8, 2 / 3. }, { 4 / 3., 0.2 },
                                 { 10 / 3. * (3 + sqrt(5)), 0.4 * golden * golden },
                                 { (15 + 7 * sqrt(5)) / 4 * edge * edge * edge, (39 * golden + 28) / 150 * edge * edge } };
    int count = 0, i, k;
    *volume = known[kind][0];
    *moment = known[kind][1];
    for (i = 0; i < 8; i++) {
        bool even = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
        if (kind == 1 || kind == 4 || (kind == 0 && even)) points[count++] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    }
    for (i = 0; i < 12; i++) { /* a pair of coordinates, and 0, in all three places */
        double c[3], u = i & 1 ? 1 : -1, v = i & 2 ? golden : -golden;
        k = i / 4;
        c[k] = 0;
        c[(k + 1) % 3] = kind == 4 ? u / golden : u;
        c[(k + 2) % 3] = v;
        if (kind == 2 && i % 4 < 2) { c[k] = u; c[(k + 1) % 3] = c[(k + 2) % 3] = 0; }
        if (kind > 2 || (kind == 2 && i % 4 < 2)) points[count++] = v3(c[0], c[1], c[2]);
    }
    return count;
}

static void regular_solids_have_their_moments(void)
{
    static unsigned char storage[1 << 15];
    dvc_vec3 points[SHAPE_POINTS];
    int kind;
    for (kind = 0; kind < 5; kind++) {
        double volume, moment;
        int count = shape_regular(kind, points, &volume, &moment);
        dvc_polytope hull;
        dvc_shape shape;
        CHECK(dvc_polytope_build(points, count, storage, sizeof storage, &hull) == DVC_OK);
        memset(&shape, 0, sizeof shape);
        shape.kind = DVC_POLYTOPE;
        shape.polytope = &hull;
        shape_check_moments(&shape, false, volume, volume * moment, volume * moment, volume * moment);
    }
}

/* ---- mixes ---- */

/* Random shapes at random places on one body; some slots are empty. */
typedef struct shape_mix {
    dvc_body body;
    dvc_shape shapes[SHAPE_MIX];
    dvc_vec2 corners[SHAPE_MIX][3];
    dvc_polytope hulls[SHAPE_MIX];
    unsigned char storage[SHAPE_MIX][1 << 14];
} shape_mix;

static shape_mix shape_mix_now;

/* Polygons in planar mixes, polytopes in others: a triangle about the origin, the hull of a cloud. */
static void shape_random_corners(shape_mix *mix, int i, bool planar)
{
    dvc_shape *shape = &mix->shapes[i];
    dvc_vec3 cloud[8];
    int k;
    for (k = 0; k < 8; k++) cloud[k] = motion_vec(0.6, false);
    for (k = 0; k < 3; k++) {
        mix->corners[i][k].x = (dvc_real)(0.5 * cos(2.1 * k) + (double)cloud[k].x / 5);
        mix->corners[i][k].y = (dvc_real)(0.5 * sin(2.1 * k) + (double)cloud[k].y / 5);
    }
    shape->kind = planar ? DVC_POLYGON : DVC_POLYTOPE;
    shape->points = mix->corners[i];
    shape->point_count = 3;
    if (!planar) CHECK(dvc_polytope_build(cloud, 8, mix->storage[i], sizeof mix->storage[i], &mix->hulls[i]) == DVC_OK);
    shape->polytope = &mix->hulls[i];
}

static shape_mix *shape_random_mix(int seed, bool planar)
{
    shape_mix *mix = &shape_mix_now;
    int i;
    test_seed((uint64_t)seed);
    memset(mix, 0, sizeof *mix);
    mix->body.position = motion_vec(1, planar);
    mix->body.orientation = trial_turn(planar, test_random(-3, 3));
    for (i = 0; i < SHAPE_MIX; i++) {
        dvc_shape *shape = &mix->shapes[i];
        int kind = (seed + i) % 4;
        shape->half = test_vec(test_random(0.1, 0.7), test_random(0.1, 0.7), test_random(0.1, 0.7));
        shape->radius = (dvc_real)test_random(0.1, 0.7);
        shape->position = motion_vec(1, planar);
        shape->orientation = trial_turn(planar, test_random(-3, 3));
        shape->disabled = kind == 3 && i > 2;
        if (kind == 0 || shape->disabled) shape_random_corners(mix, i, planar);
        else if (kind < 3) shape->kind = kind == 1 ? DVC_SPHERE : DVC_BOX;
    }
    return mix;
}

static void any_mix_has_the_moments_of_its_point_masses(void)
{
    int seed;
    for (seed = 0; seed < 400; seed++) {
        bool planar = seed % 2;
        shape_mix *mix = shape_random_mix(seed / 2, planar);
        shape_sum sum = shape_sum_of(&mix->body, mix->shapes, SHAPE_MIX, planar);
        double density = test_random(0.1, 10);
        dvc_vec3 place = mix->body.position;
        CHECK(shape_weigh(&mix->body, mix->shapes, SHAPE_MIX, density, planar) == DVC_OK);
        shape_check_body(&mix->body, &sum, density, planar);
        if (planar) CHECK(mix->body.position.z == place.z && mix->body.inertia.x == 0 && mix->body.inertia.y == 0);
    }
}

/* Empty slots, too: they may be filled later. */
static void shapes_stay_where_they_are_in_the_world(void)
{
    int seed, i, k;
    for (seed = 0; seed < 200; seed++) {
        shape_mix *mix = shape_random_mix(1000 + seed, false);
        dvc_body body = mix->body;
        dvc_shape shapes[SHAPE_MIX];
        memcpy(shapes, mix->shapes, sizeof shapes);
        CHECK(dvc_body_mass_from_shapes(&mix->body, mix->shapes, SHAPE_MIX, 1) == DVC_OK);
        for (i = 0; i < SHAPE_MIX; i++)
            for (k = 0; k < 4; k++) {
                dvc_vec3 p = motion_axis(k - 1, 1);
                shape_place before, after;
                before.body = &body;
                before.shape = &shapes[i];
                after.body = &mix->body;
                after.shape = &mix->shapes[i];
                CHECK(motion_apart(shape_to_world(before, p), shape_to_world(after, p)) <= 1e-13);
            }
    }
}

/* What the body's pose does to mass and moments: nothing, to the bit; a second call finds nothing left to do. */
static void mass_does_not_depend_on_the_pose_and_settles_at_once(void)
{
    int seed;
    for (seed = 0; seed < 100; seed++) {
        shape_mix *mix = shape_random_mix(seed, false);
        dvc_body here = mix->body, there = here;
        dvc_shape shapes[SHAPE_MIX], copy[SHAPE_MIX];
        memcpy(shapes, mix->shapes, sizeof shapes);
        memcpy(copy, mix->shapes, sizeof copy);
        there.position = motion_vec(5, false);
        there.orientation = trial_turn(false, 1);
        CHECK(dvc_body_mass_from_shapes(&here, shapes, SHAPE_MIX, 2) == DVC_OK);
        CHECK(dvc_body_mass_from_shapes(&there, copy, SHAPE_MIX, 2) == DVC_OK);
        CHECK(here.mass == there.mass && memcmp(&here.inertia, &there.inertia, sizeof here.inertia) == 0);
        CHECK(memcmp(shapes, copy, sizeof shapes) == 0);
        there = here;
        CHECK(dvc_body_mass_from_shapes(&there, shapes, SHAPE_MIX, 2) == DVC_OK);
        CHECK(memcmp(&here.orientation, &there.orientation, sizeof here.orientation) == 0);
        CHECK(motion_apart(here.position, there.position) <= 1e-14);
        CHECK(motion_apart(here.inertia, there.inertia) <= 1e-13 * oracle_norm(here.inertia));
    }
}

/* ---- the contract's rules ---- */

static dvc_shape shape_box_at(dvc_vec3 half, dvc_vec3 at)
{
    dvc_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = DVC_BOX;
    shape.half = half;
    shape.position = at;
    return shape;
}

/* Is the frame where it was, to the bit? */
static bool shape_frame_stays(const dvc_shape *given, int count)
{
    dvc_shape shapes[2];
    dvc_body body, before;
    memcpy(shapes, given, (size_t)count * sizeof *shapes);
    memset(&body, 0, sizeof body);
    body.position = v3(1, 2, 3);
    before = body;
    CHECK(dvc_body_mass_from_shapes(&body, shapes, count, 1) == DVC_OK);
    return memcmp(&body.position, &before.position, sizeof body.position) == 0
        && memcmp(&body.orientation, &before.orientation, sizeof body.orientation) == 0
        && memcmp(shapes, given, (size_t)count * sizeof *shapes) == 0;
}

static void frames_that_are_principal_already_are_left_as_they_are(void)
{
    dvc_shape shapes[2];
    shapes[0] = shape_box_at(v3(1, 2, 3), scene_zero);
    CHECK(shape_frame_stays(shapes, 1));
    shapes[0].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)1e-12); /* product 1e-13 of the trace */
    CHECK(shape_frame_stays(shapes, 1));
    shapes[0].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)1e-10);
    CHECK(!shape_frame_stays(shapes, 1));
    shapes[0] = shape_box_at(v3(1, 2, 3), v3(1e-16, 0, 0)); /* rounding */
    CHECK(shape_frame_stays(shapes, 1));
    shapes[0] = shape_box_at(v3(1, 2, 3), v3(1e-13, 0, 0));
    CHECK(!shape_frame_stays(shapes, 1));
    shapes[0] = shape_box_at(v3(1, 1, 1), scene_zero);
    shapes[0].orientation = dvc_quat_turn(v3(1, 2, 3), 1); /* a cube's moments are equal however it lies */
    CHECK(shape_frame_stays(shapes, 1));
    shapes[0] = shape_box_at(v3(1, 1, 2), v3(0, 0, 1));
    shapes[1] = shape_box_at(v3(1, 1, 2), v3(0, 0, -1));
    shapes[0].orientation = shapes[1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)0.3); /* two equal moments */
    CHECK(shape_frame_stays(shapes, 2));
    shapes[1].position.x = (dvc_real)0.1;
    CHECK(!shape_frame_stays(shapes, 2));
}

/* The moments keep their axes' names: the least moment of a long box along x stays x however little it is turned. */
static void axes_turn_no_farther_than_they_must(void)
{
    double angle;
    for (angle = 0.01; angle < 0.78; angle += 0.05) {
        dvc_shape shape = shape_box_at(v3(3, 2, 1), scene_zero);
        dvc_body body;
        memset(&body, 0, sizeof body);
        shape.orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)angle);
        CHECK(dvc_body_mass_from_shapes(&body, &shape, 1, 1) == DVC_OK);
        CHECK_NEAR(body.orientation.w, cos(angle / 2), 1e-14);
        CHECK_NEAR(body.orientation.z, sin(angle / 2), 1e-14);
        CHECK_NEAR(shape.orientation.w, 1, 1e-14);
        CHECK(body.inertia.x < body.inertia.y && body.inertia.y < body.inertia.z);
    }
}

/* A polygon, or a box without depth, makes a planar body without being told so. */
static void flat_shapes_make_planar_bodies(void)
{
    dvc_vec2 points[3] = { { 0, 0 }, { 3, 0 }, { 0, 3 } };
    dvc_shape shapes[2];
    dvc_body body;
    memset(&body, 0, sizeof body);
    shapes[0] = shape_box_at(v3(1, 2, 0), scene_zero);
    CHECK(dvc_body_mass_from_shapes(&body, shapes, 1, 3) == DVC_OK);
    CHECK_NEAR(body.mass, 24, 1e-13);
    CHECK_NEAR(body.inertia.z, 40, 1e-13);
    CHECK(body.inertia.x == 0 && body.inertia.y == 0);
    memset(shapes, 0, sizeof shapes);
    shapes[0].kind = DVC_POLYGON;
    shapes[0].points = points;
    shapes[0].point_count = 3;
    shapes[1].kind = DVC_SPHERE; /* a disc beside a polygon */
    shapes[1].radius = 1;
    shapes[1].position = v3(1, 1, 0);
    CHECK(dvc_body_mass_from_shapes(&body, shapes, 2, 1) == DVC_OK);
    CHECK_NEAR(body.mass, 4.5 + TRIAL_PI, 1e-14);
    CHECK_NEAR(body.inertia.z, 4.5 + 0.5 * TRIAL_PI, 1e-14); /* area (a^2 + b^2) / 18, and r^2 / 2; one centre */
    CHECK_NEAR(body.position.x, 1, 1e-15);
}

static void overlaps_count_twice_and_what_cannot_push_weighs_nothing(void)
{
    dvc_shape shapes[3];
    dvc_body body;
    memset(&body, 0, sizeof body);
    shapes[0] = shapes[1] = shapes[2] = shape_box_at(v3(0.5, 0.5, 0.5), scene_zero);
    CHECK(dvc_body_mass_from_shapes(&body, shapes, 3, 1) == DVC_OK);
    CHECK_NEAR(body.mass, 3, 1e-15);
    shapes[1].sensor = true;
    shapes[1].position = v3(1, 0, 0);
    shapes[2].disabled = true;
    CHECK(dvc_body_mass_from_shapes(&body, shapes, 3, 1) == DVC_OK);
    CHECK_NEAR(body.mass, 1, 1e-15);
    CHECK(oracle_norm(body.position) == 0);
}

static dvc_vec2 shape_corner(double x, double y)
{
    dvc_vec2 p;
    p.x = (dvc_real)x;
    p.y = (dvc_real)y;
    return p;
}

/* Whatever is wrong, nothing has changed. */
static void refused_shapes_leave_everything_as_it_was(void)
{
    int kind;
    for (kind = 0; kind < 4; kind++) {
        dvc_shape shapes[2], before[2];
        dvc_body body, old;
        dvc_status expected;
        memset(&body, 0, sizeof body);
        body.position = v3(1, 2, 3);
        body.mass = 7;
        shapes[0] = shape_box_at(v3(1, 2, 3), v3(1, 0, 0));
        shapes[1] = shape_box_at(v3(1, 1, 1), v3(2, 0, 0));
        if (kind == 1) shapes[1].kind = DVC_PLANE;
        if (kind == 2) shapes[1].kind = DVC_SPHERE; /* a particle: no volume */
        if (kind == 3) shapes[1].kind = DVC_POLYTOPE;
        memcpy(before, shapes, sizeof before);
        old = body;
        expected = kind == 3 ? DVC_ERROR_SHAPE_POLYTOPE : DVC_ERROR_DENSITY;
        CHECK(shape_weigh(&body, shapes, 2, kind == 0 ? -1 : 1, false) == expected);
        CHECK(memcmp(&body, &old, sizeof body) == 0 && memcmp(shapes, before, sizeof before) == 0);
    }
}

/* ---- far away, thin, without sense ---- */

/* A wedge whose corners are multiples of 1/8: exact at all distances. */
static int shape_wedge(dvc_vec3 *p, double far)
{
    static const double corners[6][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 0.5, 0 }, { 0, 0.5, 0 }, { 0, 0, 2.25 }, { 0, 0.5, 2.25 } };
    int i;
    for (i = 0; i < 6; i++) p[i] = v3(far + corners[i][0], corners[i][1] - far, corners[i][2] + far / 2);
    return 6;
}

/* Moments of the wedge where it is, of a polygon, and of a box that is put there: they are those at the origin. */
static void moments_do_not_depend_on_where_the_shape_lies(void)
{
    static unsigned char storage[1 << 14];
    dvc_vec3 near_by[3], p[6];
    double far;
    int what;
    for (far = 0; far <= 3e7; far = far == 0 ? 1 : 4 * far)
        for (what = 0; what < 3; what++) {
            dvc_vec2 corners[4];
            dvc_polytope hull;
            dvc_shape shapes[2];
            dvc_body body;
            memset(&body, 0, sizeof body);
            memset(shapes, 0, sizeof shapes);
            CHECK(dvc_polytope_build(p, shape_wedge(p, far), storage, sizeof storage, &hull) == DVC_OK || far > 1e6);
            if (!hull.vertices) continue;
            corners[0] = shape_corner(far, -far);
            corners[1] = shape_corner(far + 1, -far);
            corners[2] = shape_corner(far + 0.5, 1 - far);
            shapes[0].kind = what == 1 ? DVC_POLYGON : DVC_POLYTOPE;
            shapes[0].polytope = &hull;
            shapes[0].points = corners;
            shapes[0].point_count = 3;
            shapes[1] = shape_box_at(v3(0.5, 0.25, 0.125), v3(far + 2, -far, far / 2));
            CHECK(dvc_body_mass_from_shapes(&body, shapes, what == 2 ? 2 : 1, 3) == DVC_OK);
            if (far == 0) near_by[what] = body.inertia;
            CHECK_NEAR(body.inertia.x, near_by[what].x, 1e-7 * oracle_norm(near_by[what]));
            CHECK_NEAR(body.inertia.y, near_by[what].y, 1e-7 * oracle_norm(near_by[what]));
            CHECK_NEAR(body.inertia.z, near_by[what].z, 1e-7 * oracle_norm(near_by[what]));
        }
}

/* A needle's least moment is not what is left of the others. */
static void thin_shapes_have_their_moments(void)
{
    double thin;
    for (thin = 1; thin > 1e-12; thin /= 10) {
        dvc_shape shape = shape_box_at(v3(1, thin, 2 * thin), v3(0, 0, 0));
        dvc_body body;
        memset(&body, 0, sizeof body);
        CHECK(dvc_body_mass_from_shapes(&body, &shape, 1, 1) == DVC_OK);
        CHECK_NEAR(body.inertia.x / (body.mass * 5 * thin * thin / 3), 1, 1e-12);
        CHECK_NEAR(body.inertia.y / (body.mass * (1 + 4 * thin * thin) / 3), 1, 1e-12);
        CHECK_NEAR(body.inertia.z / (body.mass * (1 + thin * thin) / 3), 1, 1e-12);
    }
}

/* A number in a pose or a size that is none, or beyond measure; masses and moments that no body may have. */
static void numbers_without_sense_are_refused(void)
{
    static const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 1e155, -1e300, 2e15 };
    int what, i;
    for (i = 0; i < 6; i++)
        for (what = 0; what < 16; what++) {
            static const dvc_status expected[] = { DVC_ERROR_SHAPE_POSE, DVC_ERROR_BODY_STATE, DVC_ERROR_SHAPE_SIZE };
            dvc_shape shapes[2], before[2];
            dvc_body body, old;
            dvc_real *fields[16];
            memset(&body, 0, sizeof body);
            shapes[0] = shape_box_at(v3(1, 2, 3), v3(1, 0, 0));
            shapes[1] = shapes[0];
            shapes[1].kind = DVC_SPHERE;
            shapes[1].radius = 1;
            fields[0] = &shapes[0].position.x; fields[1] = &shapes[0].position.y; fields[2] = &shapes[1].position.z;
            fields[3] = &shapes[0].orientation.w; fields[4] = &shapes[0].orientation.x; fields[5] = &shapes[1].orientation.z;
            fields[6] = &body.position.x; fields[7] = &body.position.y; fields[8] = &body.position.z;
            fields[9] = &body.orientation.w; fields[10] = &body.orientation.y; fields[11] = &body.orientation.z;
            fields[12] = &shapes[0].half.x; fields[13] = &shapes[0].half.y; fields[14] = &shapes[0].half.z; fields[15] = &shapes[1].radius;
            *fields[what] = (dvc_real)bad[i];
            memcpy(before, shapes, sizeof before);
            old = body;
            if (what == 15 && bad[i] < 0) continue; /* a volume below 0 */
            CHECK(dvc_body_mass_from_shapes(&body, shapes, 2, 1) == expected[what < 6 ? 0 : what < 12 ? 1 : 2]);
            CHECK(memcmp(&body, &old, sizeof body) == 0 && memcmp(shapes, before, sizeof before) == 0);
        }
}

static void masses_that_no_body_may_have_are_refused(void)
{
    static const double halves[] = { 1, 1, 1e14, 1e-14, 1e-14 }, densities[] = { 1e61, 1e-61, 1e40, 1e-30, 1 };
    int i;
    for (i = 0; i < 5; i++) {
        dvc_shape shape = shape_box_at(v3(halves[i], halves[i], halves[i]), v3(0, 0, 0));
        dvc_body body;
        memset(&body, 0, sizeof body);
        CHECK(dvc_body_mass_from_shapes(&body, &shape, 1, densities[i]) == DVC_ERROR_DENSITY && body.mass == 0);
    }
}

/* ---- shapes as contacts see them ---- */

/* What a contact may see: the random parts of trial.h, and two more. */
typedef enum shape_seen {
    SHAPE_SEEN_BOX = TRIAL_BOX, SHAPE_SEEN_BALL = TRIAL_BALL, SHAPE_SEEN_HULL = TRIAL_HULL,
    SHAPE_SEEN_PARTICLE = TRIAL_KINDS, SHAPE_SEEN_PLANE, SHAPE_SEEN_COUNT
} shape_seen;

/* A sensor that stays where it is: off the centre of its body, turned, both at random. */
static void shape_put(scene *s, dvc_body_kind kind, shape_seen what)
{
    bool planar = s->world.planar;
    int i = s->world.body_count;
    if (what == SHAPE_SEEN_PLANE) scene_add(s, kind, DVC_PLANE, scene_zero, 0);
    else if (what == SHAPE_SEEN_PARTICLE) scene_add(s, kind, DVC_SPHERE, scene_zero, 0);
    else trial_part(s, kind, (trial_kind)what, 0.4, scene_zero, 0);
    s->bodies[i].position = motion_vec(0.4, planar);
    s->bodies[i].mass = 1;
    s->bodies[i].inertia = v3(1, 1, 1);
    s->shapes[i].position = motion_vec(0.3, planar);
    s->shapes[i].orientation = trial_turn(planar, test_random(-3, 3));
    s->shapes[i].normal = oracle_scaled(trial_direction(planar), 3);
    s->shapes[i].sensor = true;
}

/* The best facet's worst point: what separates the two shapes. */
static const dvc_contact *shape_separation(const dvc_world *world)
{
    const dvc_contact *best = NULL;
    int i, k;
    for (i = 0; i < world->contact_count; i = k) {
        const dvc_contact *least = &world->contacts[i];
        for (k = i; k < world->contact_count && world->contacts[k].facet == world->contacts[i].facet; k++)
            if (world->contacts[k].gap < least->gap) least = &world->contacts[k];
        if (!best || least->gap > best->gap) best = least;
    }
    return best;
}

/* The second solid, moved by the gap against the normal, touches the first one; the point lies between them. */
static void shape_check_contact(const dvc_contact *contact, const oracle_solid *a, oracle_solid *b)
{
    dvc_quat still = { 1, 0, 0, 0 };
    double gap = (double)contact->gap;
    CHECK_NEAR(oracle_norm(contact->normal), 1, 1e-14);
    CHECK(fabs(oracle_point_gap(a, contact->point) - a->radius) <= fabs(gap) + 1e-12);
    CHECK(fabs(oracle_point_gap(b, contact->point) - b->radius) <= fabs(gap) + 1e-12);
    oracle_place(b, oracle_scaled(contact->normal, -gap), still);
    CHECK_NEAR(oracle_gap(a, b), 0, 1e-12);
}

static bool shape_has_corners(shape_seen what) { return what == SHAPE_SEEN_BOX || what == SHAPE_SEEN_HULL; }

/* Do faces decide alone? A particle is in a polytope, or two polytopes overlap, if no face (or pair of edges) parts them: apart,
 * their gap is the room along the best axis. Other pairs know their distance. */
static bool shape_judged_by_faces(shape_seen first, shape_seen second)
{
    if (first == SHAPE_SEEN_PARTICLE) return shape_has_corners(second);
    return shape_has_corners(first) && (shape_has_corners(second) || second == SHAPE_SEEN_PARTICLE);
}

/* Is there a contact with this gap? */
static bool shape_lists_gap(const dvc_world *world, double gap, double tolerance)
{
    int i;
    for (i = 0; i < world->contact_count; i++)
        if (fabs((double)world->contacts[i].gap - gap) <= tolerance) return true;
    return false;
}

/* Polytopes that overlap a little list their depth; in space, a pair of edges counts a thousandth of the size beyond its
 * range. Facets that are not the best one list only what lies over them. */
static void shape_check_seen(bool planar, shape_seen first, shape_seen second)
{
    scene *s = scene_make(2, planar, TRIAL_SCRATCH);
    static oracle_solid a, b;
    const dvc_contact *contact;
    double gap;
    s->world.gravity = scene_zero;
    s->world.epsilon = 2;
    shape_put(s, DVC_DYNAMIC, first);
    shape_put(s, DVC_DYNAMIC, second);
    oracle_shape(&s->world, 0, &a);
    oracle_shape(&s->world, 1, &b);
    gap = oracle_gap(&a, &b);
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    contact = shape_separation(&s->world);
    CHECK(contact != NULL || gap > 1);
    if (contact && !shape_judged_by_faces(first, second)) {
        CHECK_NEAR(contact->gap, gap, 1e-13);
        shape_check_contact(contact, &a, &b);
    } else if (contact && gap < 0 && gap > -0.1) {
        CHECK(shape_lists_gap(&s->world, gap, planar ? 1e-12 : 1e-3));
    }
    scene_free(s);
}

static void contacts_see_the_gaps_of_all_kinds_of_shapes(void)
{
    int first, second, trial;
    for (first = 0; first < SHAPE_SEEN_COUNT; first++)
        for (second = 0; second < SHAPE_SEEN_COUNT; second++)
            for (trial = 0; trial < 100; trial++) {
                test_seed((uint64_t)(10000 * first + 1000 * second + trial));
                if (first == SHAPE_SEEN_PLANE && second == SHAPE_SEEN_PLANE) continue;
                shape_check_seen(trial % 2, (shape_seen)first, (shape_seen)second);
            }
}

static void suite_shape(void)
{
    test_state.suite = "shape";
    RUN(boxes_and_balls_have_their_moments);
    RUN(regular_polygons_have_their_moments);
    RUN(regular_solids_have_their_moments);
    RUN(any_mix_has_the_moments_of_its_point_masses);
    RUN(shapes_stay_where_they_are_in_the_world);
    RUN(mass_does_not_depend_on_the_pose_and_settles_at_once);
    RUN(frames_that_are_principal_already_are_left_as_they_are);
    RUN(axes_turn_no_farther_than_they_must);
    RUN(flat_shapes_make_planar_bodies);
    RUN(overlaps_count_twice_and_what_cannot_push_weighs_nothing);
    RUN(refused_shapes_leave_everything_as_it_was);
    RUN(moments_do_not_depend_on_where_the_shape_lies);
    RUN(thin_shapes_have_their_moments);
    RUN(numbers_without_sense_are_refused);
    RUN(masses_that_no_body_may_have_are_refused);
    RUN(contacts_see_the_gaps_of_all_kinds_of_shapes);
}
