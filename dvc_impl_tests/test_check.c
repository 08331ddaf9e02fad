/* Bad input: every status of the list can be provoked, is given by dvc_world_check and dvc_step alike, names the culprit and
 * changes nothing. Slots that are disabled may hold any garbage. Strict worlds, contact arrays that are too small, numbers
 * that are not finite in every field. */
#include <fenv.h>
#include <limits.h>
#include <stdlib.h>

enum { CHECK_BODIES = 4, CHECK_SHAPES = 5, CHECK_JOINTS = 2, CHECK_RULES = 2, CHECK_CONTACTS = 1024 };

/* A world with one of everything: a plane and a polytope on a static body, a box and a sphere on dynamic bodies, a
 * kinematic box; two empty joints, two rules. */
typedef struct check_world {
    dvc_world world;
    dvc_body bodies[CHECK_BODIES];
    dvc_shape shapes[CHECK_SHAPES];
    dvc_joint joints[CHECK_JOINTS];
    dvc_pair_rule rules[CHECK_RULES];
    dvc_contact contacts[CHECK_CONTACTS];
} check_world;

static check_world check_now, check_saved;
static unsigned char check_scratch[16 << 20], check_storage[1 << 13];
static dvc_polytope check_hull;
static const dvc_vec2 check_square[] = { { -0.5, -0.5 }, { 0.5, -0.5 }, { 0.5, 0.5 }, { -0.5, 0.5 } };

static void check_bad_motion(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)t;
    (void)orientation;
    position->x = (dvc_real)NAN;
}

static void check_build_hull(void)
{
    static const dvc_vec3 corners[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    if (dvc_polytope_size(4) > sizeof check_storage) exit(2);
    if (dvc_polytope_build(corners, 4, check_storage, sizeof check_storage, &check_hull) != DVC_OK) exit(2);
}

static void check_reset_shapes(dvc_shape *shapes)
{
    shapes[0].kind = DVC_PLANE;
    shapes[0].normal = v3(0, 0, 1);
    shapes[1].kind = DVC_POLYTOPE;
    shapes[1].polytope = &check_hull;
    shapes[1].position = v3(5, 5, 0);
    shapes[2].kind = DVC_BOX;
    shapes[2].body = 1;
    shapes[2].half = v3(0.5, 0.5, 0.5);
    shapes[3].kind = DVC_SPHERE;
    shapes[3].body = 2;
    shapes[3].radius = 0.25;
    shapes[4].kind = DVC_BOX;
    shapes[4].body = 3;
    shapes[4].half = v3(0.1, 0.1, 0.1);
}

static void check_reset_bodies(dvc_body *bodies)
{
    int i;
    bodies[0].kind = DVC_STATIC;
    for (i = 1; i < 3; i++) {
        bodies[i].mass = 1;
        bodies[i].inertia = v3(1, 2, 2.5);
        bodies[i].position = v3(2 * i, 0, i == 1 ? 0.4999 : 0.2499);
        bodies[i].velocity = v3(0.1, 0, -1);
    }
    bodies[3].kind = DVC_KINEMATIC;
    bodies[3].position = v3(-5, 0, 3);
    bodies[3].velocity = v3(1, 0, 0);
}

static dvc_world *check_reset(void)
{
    check_world *w = &check_now;
    memset(w, 0, sizeof *w);
    check_build_hull();
    check_reset_bodies(w->bodies);
    check_reset_shapes(w->shapes);
    w->rules[0].body_b = 2;
    w->rules[1].body_a = 1;
    w->world.bodies = w->bodies;
    w->world.body_count = CHECK_BODIES;
    w->world.shapes = w->shapes;
    w->world.shape_count = CHECK_SHAPES;
    w->world.joints = w->joints;
    w->world.joint_count = CHECK_JOINTS;
    w->world.pair_rules = w->rules;
    w->world.pair_rule_count = CHECK_RULES;
    w->world.contacts = w->contacts;
    w->world.contact_capacity = CHECK_CONTACTS;
    w->world.scratch = check_scratch;
    w->world.scratch_size = sizeof check_scratch;
    w->world.gravity = v3(0, 0, -9.81);
    return &w->world;
}

/* The same without depth: the plane is a half-plane, the tetrahedron a square. */
static dvc_world *check_reset_planar(void)
{
    check_world *w = &check_now;
    check_reset();
    w->world.planar = true;
    w->world.gravity = v3(0, -9.81, 0);
    w->shapes[0].normal = v3(0, 1, 0);
    w->shapes[1].kind = DVC_POLYGON;
    w->shapes[1].points = check_square;
    w->shapes[1].point_count = 4;
    w->bodies[1].position = v3(2, 0.4999, 0);
    w->bodies[2].position = v3(4, 0.2499, 0);
    return &w->world;
}

static void check_save(void) { memcpy(&check_saved, &check_now, sizeof check_now); }

/* Every array, bit for bit, and the time and number of contacts. */
static bool check_unchanged(void)
{
    return memcmp(check_now.bodies, check_saved.bodies, sizeof check_now.bodies) == 0
        && memcmp(check_now.shapes, check_saved.shapes, sizeof check_now.shapes) == 0
        && memcmp(check_now.joints, check_saved.joints, sizeof check_now.joints) == 0
        && memcmp(check_now.rules, check_saved.rules, sizeof check_now.rules) == 0
        && memcmp(check_now.contacts, check_saved.contacts, sizeof check_now.contacts) == 0
        && memcmp(&check_now.world.time, &check_saved.world.time, sizeof(double)) == 0
        && check_now.world.contact_count == check_saved.world.contact_count;
}

/* ---- the list ---- */

static bool check_covered[DVC_STATUS_COUNT];

/* A step with this input fails with `status` and `culprit` and changes nothing; so does the check before it. */
static void check_refused(dvc_status status, int culprit, dvc_real h)
{
    dvc_world *w = &check_now.world;
    check_save();
    CHECK(dvc_world_check(w) == status);
    CHECK(w->culprit == culprit);
    w->culprit = 99;
    CHECK(dvc_step(w, h) == status);
    CHECK(w->culprit == culprit);
    CHECK(check_unchanged());
    check_covered[status] = true;
}

/* What only the step can see. */
static void check_step_fails(dvc_status status, int culprit, dvc_real h)
{
    dvc_world *w = &check_now.world;
    check_save();
    CHECK(dvc_world_check(w) == DVC_OK);
    CHECK(w->culprit == -1);
    CHECK(dvc_step(w, h) == status);
    CHECK(w->culprit == culprit);
    CHECK(check_unchanged());
    check_covered[status] = true;
}

static void the_good_world_is_good(void)
{
    CHECK(dvc_world_check(check_reset()) == DVC_OK);
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK && check_now.world.culprit == -1);
    CHECK(check_now.world.contact_count > 0);
    CHECK(dvc_world_check(check_reset_planar()) == DVC_OK);
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK && check_now.world.culprit == -1);
    CHECK(check_now.world.contact_count > 0);
}

static void missing_arrays_are_refused(void)
{
    dvc_problem problem;
    CHECK(dvc_step(NULL, 0.01) == DVC_ERROR_NULL && dvc_world_check(NULL) == DVC_ERROR_NULL);
    check_reset()->bodies = NULL;
    check_refused(DVC_ERROR_NULL, -1, 0.01);
    check_reset()->shapes = NULL;
    check_refused(DVC_ERROR_NULL, -1, 0.01);
    check_reset()->joints = NULL;
    check_refused(DVC_ERROR_NULL, -1, 0.01);
    check_reset()->pair_rules = NULL;
    check_refused(DVC_ERROR_NULL, -1, 0.01);
    check_reset()->contacts = NULL;
    check_refused(DVC_ERROR_NULL, -1, 0.01);
    CHECK(dvc_problem_build(&check_now.world, 0.01, &problem) == DVC_ERROR_NULL);
}

static void terrains_that_were_not_built_are_refused(void)
{
    static const dvc_terrain none = { 1, 1, NULL };
    check_reset()->terrain = &none;
    check_refused(DVC_ERROR_TERRAIN, -1, 0.01);
}

static void arrays_without_a_count_may_be_missing(void)
{
    dvc_world *w = check_reset();
    w->joints = NULL;
    w->pair_rules = NULL;
    w->shapes = NULL;
    w->contacts = NULL;
    w->joint_count = w->pair_rule_count = w->shape_count = w->contact_capacity = 0;
    CHECK(dvc_world_check(w) == DVC_OK);
    CHECK(dvc_step(w, 0.01) == DVC_OK);
}

static void negative_counts_are_refused(void)
{
    check_reset()->body_count = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->shape_count = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->joint_count = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->pair_rule_count = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->contact_capacity = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->contact_count = -1;
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
    check_reset()->contact_count = CHECK_CONTACTS + 1; /* more than there is room for */
    check_refused(DVC_ERROR_COUNT, -1, 0.01);
}

/* Products of counts are sizes: beyond all memory they overflow. */
static void counts_beyond_all_memory_are_refused(void)
{
    const int bad[] = { DVC_WORLD_MAX_COUNT + 1, 300000000, INT_MAX };
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 6; k++) {
            static dvc_spring spring;
            dvc_world *w = check_reset();
            int *const counts[] = { &w->body_count, &w->shape_count, &w->joint_count, &w->spring_count, &w->pair_rule_count,
                                    &w->contact_capacity };
            w->springs = &spring;
            *counts[k] = bad[i];
            check_refused(DVC_ERROR_COUNT, -1, 0.01);
            CHECK(dvc_scratch_size(w) == 0);
        }
}

/* Rows are contacts times directions. */
static void directions_without_a_bound_are_refused(void)
{
    const int bad[] = { DVC_MAX_FRICTION_DIRECTIONS + 1, 100000, 1 << 29, 1 << 30, INT_MAX - 7, INT_MAX - 1, INT_MAX };
    dvc_problem problem;
    int i, planar;
    for (i = 0; i < 14; i++) {
        dvc_world *w;
        planar = i % 2;
        w = planar ? check_reset_planar() : check_reset();
        w->friction_directions = bad[i / 2];
        check_refused(DVC_ERROR_OPTION, -1, 0.01);
        CHECK(dvc_problem_build(w, 0.01, &problem) == DVC_ERROR_OPTION && dvc_scratch_size(w) == 0);
        w->friction_directions = 0;
        check_now.rules[1].friction_directions = bad[i / 2];
        check_refused(DVC_ERROR_PAIR_RULE, 1, 0.01);
        CHECK(dvc_problem_build(w, 0.01, &problem) == DVC_ERROR_PAIR_RULE && dvc_scratch_size(w) == 0);
        check_now.rules[1].friction_directions = DVC_MAX_FRICTION_DIRECTIONS;
        w->friction_directions = DVC_MAX_FRICTION_DIRECTIONS;
        CHECK(dvc_world_check(w) == DVC_OK && dvc_scratch_size(w) > 0);
    }
}

static void step_sizes_that_are_not_positive_numbers_are_refused(void)
{
    const double bad[] = { 0, -0.01, (double)NAN, (double)INFINITY, -(double)INFINITY, 1e-320 };
    int i;
    for (i = 0; i < 6; i++) {
        check_reset();
        check_step_fails(DVC_ERROR_STEP_SIZE, -1, bad[i]);
    }
}

static void enumerations_out_of_range_are_refused(void)
{
    check_reset()->contact_model = DVC_CONTACT_MODEL_COUNT;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->solver = DVC_SOLVER_COUNT;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->time_stepping = DVC_TIME_STEPPING_COUNT;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->friction_directions = -1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->friction_directions = 1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->friction_directions = 2; /* they do not span a plane */
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
}

static void options_that_are_not_numbers_or_negative_are_refused(void)
{
    const double bad[] = { (double)NAN, -1, -(double)INFINITY };
    int i;
    for (i = 0; i < 3; i++) {
        check_reset()->epsilon = bad[i];
        check_refused(DVC_ERROR_OPTION, -1, 0.01);
        check_reset()->recovery_speed = bad[i];
        check_refused(DVC_ERROR_OPTION, -1, 0.01);
        check_reset()->tolerance = bad[i];
        check_refused(DVC_ERROR_OPTION, -1, 0.01);
    }
    check_reset()->epsilon = (double)INFINITY;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->direct_bodies = -1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->iterations = -1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->time_budget = -1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    check_reset()->tangent_angle = (double)NAN;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
}

static void gravity_that_is_not_finite_is_refused(void)
{
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    int i;
    for (i = 0; i < 9; i++) {
        dvc_vec3 *g = &check_reset()->gravity;
        *(i / 3 == 0 ? &g->x : i / 3 == 1 ? &g->y : &g->z) = bad[i % 3];
        check_refused(DVC_ERROR_GRAVITY, -1, 0.01);
    }
}

static void unknown_kinds_are_refused(void)
{
    check_reset();
    check_now.bodies[2].kind = (dvc_body_kind)77;
    check_refused(DVC_ERROR_BODY_KIND, 2, 0.01);
    check_reset();
    check_now.bodies[1].kind = (dvc_body_kind)(DVC_KINEMATIC + 1);
    check_refused(DVC_ERROR_BODY_KIND, 1, 0.01);
    check_reset();
    check_now.shapes[3].kind = DVC_SHAPE_KIND_COUNT;
    check_refused(DVC_ERROR_SHAPE_KIND, 3, 0.01);
    check_reset();
    check_now.joints[1].kind = DVC_JOINT_KIND_COUNT;
    check_refused(DVC_ERROR_JOINT_KIND, 1, 0.01);
}

static void shapes_of_the_other_dimension_are_refused(void)
{
    check_reset();
    check_now.shapes[1].kind = DVC_POLYGON;
    check_now.shapes[1].points = check_square;
    check_now.shapes[1].point_count = 4;
    check_refused(DVC_ERROR_SHAPE_KIND, 1, 0.01);
    check_reset_planar();
    check_now.shapes[1].kind = DVC_POLYTOPE;
    check_refused(DVC_ERROR_SHAPE_KIND, 1, 0.01);
}

static void masses_that_are_not_positive_are_refused(void)
{
    const double bad[] = { 0, -1, (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 4; i++) {
        check_reset();
        check_now.bodies[2].mass = bad[i];
        check_refused(DVC_ERROR_BODY_MASS, 2, 0.01);
    }
}

static void moments_that_are_not_all_positive_are_refused(void)
{
    const double bad[] = { 0, -1, (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 12; i++) {
        dvc_vec3 *m = &check_now.bodies[1].inertia;
        check_reset();
        *(i / 4 == 0 ? &m->x : i / 4 == 1 ? &m->y : &m->z) = bad[i % 4];
        check_refused(DVC_ERROR_BODY_INERTIA, 1, 0.01);
    }
    check_reset_planar();
    check_now.bodies[1].inertia.z = -1;
    check_refused(DVC_ERROR_BODY_INERTIA, 1, 0.01);
}

static void bodies_turned_out_of_the_plane_are_refused(void)
{
    check_reset_planar();
    check_now.bodies[2].orientation = dvc_quat_turn(v3(1, 0, 0), 0.1);
    check_refused(DVC_ERROR_BODY_TILTED, 2, 0.01);
    check_reset_planar();
    check_now.bodies[0].orientation = dvc_quat_turn(v3(0, 1, 0), 0.1);
    check_refused(DVC_ERROR_BODY_TILTED, 0, 0.01);
    check_reset_planar();
    check_now.bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), 0.1);
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
}

/* Tilted about x, at the start or at the end of the step. */
static void check_tilting_motion(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    double when = *(const double *)user;
    (void)position;
    if ((double)t == when) *orientation = dvc_quat_turn(v3(1, 0, 0), 0.5);
}

static void motions_that_are_no_poses_are_refused(void)
{
    static double when;
    int i;
    check_reset();
    check_now.bodies[3].motion = check_bad_motion;
    check_step_fails(DVC_ERROR_MOTION, 3, 0.01);
    for (i = 0; i < 2; i++) {
        when = 0.25 * i;
        check_reset_planar();
        check_now.bodies[3].motion = check_tilting_motion;
        check_now.bodies[3].user = &when;
        check_step_fails(DVC_ERROR_MOTION, 3, 0.25);
    }
}

static void shapes_of_no_body_are_refused(void)
{
    const int bad[] = { -1, CHECK_BODIES, 1 << 30, -(1 << 30) };
    int i;
    for (i = 0; i < 4; i++) {
        check_reset();
        check_now.shapes[3].body = bad[i];
        check_refused(DVC_ERROR_SHAPE_BODY, 3, 0.01);
    }
}

static void sizes_that_are_none_are_refused(void)
{
    const double bad[] = { -1, (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 3; i++) {
        check_reset();
        check_now.shapes[3].radius = bad[i];
        check_refused(DVC_ERROR_SHAPE_SIZE, 3, 0.01);
    }
    for (i = 0; i < 12; i++) {
        dvc_vec3 *half = &check_now.shapes[4].half;
        check_reset();
        *(i / 4 == 0 ? &half->x : i / 4 == 1 ? &half->y : &half->z) = i % 4 == 3 ? 0 : bad[i % 4];
        check_refused(DVC_ERROR_SHAPE_SIZE, 4, 0.01);
    }
}

static void friction_that_is_none_is_refused(void)
{
    const double bad[] = { -0.5, (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 3 * CHECK_SHAPES; i++) {
        check_reset();
        check_now.shapes[i / 3].friction = bad[i % 3];
        check_refused(DVC_ERROR_SHAPE_FRICTION, i / 3, 0.01);
    }
}

static void planes_without_a_direction_are_refused(void)
{
    check_reset();
    check_now.shapes[0].normal = v3(0, 0, 0);
    check_refused(DVC_ERROR_SHAPE_NORMAL, 0, 0.01);
    check_reset();
    check_now.shapes[0].normal = v3(0, (double)NAN, 1);
    check_refused(DVC_ERROR_SHAPE_NORMAL, 0, 0.01);
    check_reset_planar();
    check_now.shapes[0].normal = v3(0, 1, 0.5); /* out of the plane */
    check_refused(DVC_ERROR_SHAPE_NORMAL, 0, 0.01);
}

static void polytopes_that_were_not_built_are_refused(void)
{
    static dvc_polytope empty;
    int i;
    check_reset();
    check_now.shapes[1].polytope = NULL;
    check_refused(DVC_ERROR_SHAPE_POLYTOPE, 1, 0.01);
    check_reset();
    check_now.shapes[1].polytope = &empty;
    check_refused(DVC_ERROR_SHAPE_POLYTOPE, 1, 0.01);
    for (i = 0; i < 10; i++) { /* parts of one that was */
        dvc_polytope part;
        check_reset();
        part = check_hull;
        if (i == 0) part.vertices = NULL;
        if (i == 1) part.edges = NULL;
        if (i == 2) part.faces = NULL;
        if (i == 3) part.loops = NULL;
        if (i == 4) part.around = NULL;
        if (i == 5) part.around_first = NULL;
        if (i == 6) part.vertex_count = 1 << 30;
        if (i == 7) part.edge_count = -6;
        if (i == 8) part.face_count = 5;
        if (i == 9) part.vertex_count = DVC_POLYTOPE_MAX_POINTS + 1, part.face_count = part.edge_count + 2 - part.vertex_count;
        check_now.shapes[1].polytope = &part;
        check_refused(DVC_ERROR_SHAPE_POLYTOPE, 1, 0.01);
        CHECK(dvc_scratch_size(&check_now.world) == 0);
    }
}

static void check_polygon(const dvc_vec2 *points, int count)
{
    check_reset_planar();
    check_now.shapes[1].points = points;
    check_now.shapes[1].point_count = count;
    check_refused(DVC_ERROR_SHAPE_POLYGON, 1, 0.01);
}

static void polygons_that_are_not_convex_are_refused(void)
{
    static const dvc_vec2 clockwise[] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
    static const dvc_vec2 dented[] = { { 0, 0 }, { 2, 0 }, { 2, 2 }, { 1, 0.5 }, { 0, 2 } };
    static const dvc_vec2 straight[] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 1, 2 } };
    static const dvc_vec2 doubled[] = { { 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 } };
    check_polygon(NULL, 4);
    check_polygon(check_square, 2);
    check_polygon(check_square, 0);
    check_polygon(check_square, -4);
    check_polygon(clockwise, 4);
    check_polygon(dented, 5);
    check_polygon(straight, 4);
    check_polygon(doubled, 4);
}

static void polygons_with_points_that_are_not_finite_are_refused(void)
{
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    dvc_vec2 points[4];
    int i;
    for (i = 0; i < 24; i++) {
        memcpy(points, check_square, sizeof points);
        *(i & 1 ? &points[i / 6].x : &points[i / 6].y) = bad[i / 2 % 3];
        check_polygon(points, 4);
    }
}

/* Turns left at every point, and goes round twice. */
static void polygons_that_go_round_twice_are_refused(void)
{
    dvc_vec2 star[5];
    int i;
    for (i = 0; i < 5; i++) {
        star[i].x = cos(i * 4 * 3.14159265358979323846 / 5);
        star[i].y = sin(i * 4 * 3.14159265358979323846 / 5);
    }
    check_polygon(star, 5);
}

static void rules_for_nobody_or_nothing_are_refused(void)
{
    const double bad[] = { -1, (double)NAN, (double)INFINITY };
    int i;
    check_reset();
    check_now.rules[1].body_a = CHECK_BODIES;
    check_refused(DVC_ERROR_PAIR_RULE, 1, 0.01);
    check_reset();
    check_now.rules[0].body_b = -1;
    check_refused(DVC_ERROR_PAIR_RULE, 0, 0.01);
    for (i = 0; i < 3; i++) {
        check_reset();
        check_now.rules[1].set_friction = true;
        check_now.rules[1].friction = bad[i];
        check_refused(DVC_ERROR_PAIR_RULE, 1, 0.01);
    }
    check_reset();
    check_now.rules[1].friction_directions = -8;
    check_refused(DVC_ERROR_PAIR_RULE, 1, 0.01);
    check_reset();
    check_now.rules[1].tangent_angle = (double)NAN;
    check_refused(DVC_ERROR_PAIR_RULE, 1, 0.01);
}

static void friction_that_a_rule_does_not_set_is_not_looked_at(void)
{
    check_reset();
    check_now.rules[1].friction = (double)NAN;
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
}

static void joints_are_refused_with_the_right_reason(void)
{
    check_reset();
    check_now.joints[1].kind = DVC_SPHERICAL;
    check_now.joints[1].body_b = 1;
    check_now.joints[1].anchor_a.x = (double)NAN;
    check_refused(DVC_ERROR_JOINT_FRAME, 1, 0.01);
    check_now.joints[1].anchor_a.x = 0;
    check_now.joints[1].turn.friction = -1;
    check_refused(DVC_ERROR_JOINT_AXIS, 1, 0.01);
    check_now.joints[1].body_b = 9;
    check_refused(DVC_ERROR_JOINT_BODY, 1, 0.01);
    check_now.joints[1].body_a = -1;
    check_now.joints[1].body_b = 1;
    check_refused(DVC_ERROR_JOINT_BODY, 1, 0.01);
    check_now.joints[1].body_a = 1; /* to itself */
    check_refused(DVC_ERROR_JOINT_BODY, 1, 0.01);
}

/* ---- numbers that are not finite, field by field ---- */

static void check_real(dvc_real *field, dvc_status status, int culprit)
{
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    dvc_real keep = *field;
    int i;
    for (i = 0; i < 3; i++) {
        *field = bad[i];
        check_refused(status, culprit, 0.01);
    }
    *field = keep;
}

static void check_vec(dvc_vec3 *field, dvc_status status, int culprit)
{
    check_real(&field->x, status, culprit);
    check_real(&field->y, status, culprit);
    check_real(&field->z, status, culprit);
}

static void check_quat(dvc_quat *field, dvc_status status, int culprit)
{
    check_real(&field->w, status, culprit);
    check_real(&field->x, status, culprit);
    check_real(&field->y, status, culprit);
    check_real(&field->z, status, culprit);
}

static void states_that_are_not_finite_are_refused(void)
{
    int i;
    check_reset();
    for (i = 0; i < CHECK_BODIES; i++) { /* static, dynamic, kinematic */
        dvc_body *b = &check_now.bodies[i];
        check_vec(&b->position, DVC_ERROR_BODY_STATE, i);
        check_quat(&b->orientation, DVC_ERROR_BODY_STATE, i);
        check_vec(&b->velocity, DVC_ERROR_BODY_STATE, i);
        check_vec(&b->angular_velocity, DVC_ERROR_BODY_STATE, i);
    }
}

static void forces_that_are_not_finite_are_refused(void)
{
    check_reset();
    check_vec(&check_now.bodies[1].force, DVC_ERROR_BODY_FORCE, 1);
    check_vec(&check_now.bodies[2].torque, DVC_ERROR_BODY_FORCE, 2);
}

static void poses_of_shapes_that_are_not_finite_are_refused(void)
{
    int i;
    check_reset();
    for (i = 0; i < CHECK_SHAPES; i++) {
        dvc_shape *shape = &check_now.shapes[i];
        check_vec(&shape->position, DVC_ERROR_SHAPE_POSE, i);
        check_quat(&shape->orientation, DVC_ERROR_SHAPE_POSE, i);
        check_vec(&shape->surface_velocity, DVC_ERROR_SHAPE_POSE, i);
    }
}

static void the_same_is_refused_in_planar_worlds(void)
{
    int i;
    check_reset_planar();
    for (i = 0; i < CHECK_BODIES; i++) check_real(&check_now.bodies[i].position.x, DVC_ERROR_BODY_STATE, i);
    for (i = 0; i < CHECK_SHAPES; i++) check_real(&check_now.shapes[i].orientation.w, DVC_ERROR_SHAPE_POSE, i);
    check_real(&check_now.bodies[1].torque.z, DVC_ERROR_BODY_FORCE, 1);
    check_real(&check_now.bodies[1].inertia.z, DVC_ERROR_BODY_INERTIA, 1);
    check_now.shapes[2].orientation = dvc_quat_turn(v3(1, 0, 0), 0.1); /* out of the plane */
    check_refused(DVC_ERROR_SHAPE_POSE, 2, 0.01);
}

/* Fields that the manual says are not read. */
static void fields_that_do_not_count_may_hold_anything(void)
{
    const dvc_vec3 junk = v3((double)NAN, -(double)INFINITY, -1);
    check_reset();
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
    check_save();
    check_reset();
    check_now.bodies[0].mass = check_now.bodies[3].mass = (double)NAN;
    check_now.bodies[0].inertia = check_now.bodies[3].inertia = junk;
    check_now.bodies[0].force = check_now.bodies[3].torque = junk;
    check_now.shapes[2].radius = check_now.shapes[0].radius = (double)NAN; /* box, plane */
    check_now.shapes[2].normal = check_now.shapes[3].normal = junk;
    check_now.shapes[0].half = check_now.shapes[3].half = junk;
    check_now.shapes[2].point_count = -7;
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
    CHECK(memcmp(check_now.contacts, check_saved.contacts, sizeof check_now.contacts) == 0);
    CHECK(dvc_world_hash(&check_now.world) == dvc_world_hash(&check_saved.world));
}

/* ---- errors of the step itself ---- */

static void too_little_scratch_is_an_error(void)
{
    check_reset()->scratch_size = 64;
    check_step_fails(DVC_ERROR_SCRATCH, -1, 0.01);
    CHECK(check_now.world.report.scratch_needed > 64);
    check_reset()->scratch = NULL;
    check_step_fails(DVC_ERROR_SCRATCH, -1, 0.01);
}

static void too_few_contacts_are_an_error(void)
{
    check_reset()->contact_capacity = 2;
    check_step_fails(DVC_ERROR_CONTACTS, -1, 0.01);
    CHECK(check_now.world.report.contacts_needed > 2);
}

static void absurd_forces_are_an_error(void)
{
    int i;
    for (i = 0; i < 6; i++) { /* the speed overflows: up, down and along the ground */
        dvc_vec3 *force = &check_now.bodies[1].force;
        check_reset();
        *(i / 2 == 0 ? &force->z : i / 2 == 1 ? &force->x : &force->y) = i % 2 ? -1e59 : 1e59;
        check_now.bodies[1].mass = 1e-8;
        check_step_fails(DVC_ERROR_TOO_FAST, 1, 0.01);
    }
}

/* Whatever makes a body too fast: the error says so, and which body it is; none speaks of contacts. */
static void what_makes_a_body_too_fast_is_an_error(void)
{
    static dvc_spring spring;
    int i;
    for (i = 0; i < 9; i++) {
        dvc_world *w = check_reset();
        dvc_body *b = &check_now.bodies[1];
        memset(&spring, 0, sizeof spring);
        spring.body_a = 2;
        spring.body_b = 1;
        if (i >= 5) CHECK(dvc_joint_attach(w, i < 7 ? DVC_REVOLUTE : DVC_PRISMATIC, 0, 1, v3(0, 0, 0), v3(0, 0, 1), &check_now.joints[0]) == DVC_OK);
        if (i == 0) b->torque.y = 1e40;
        if (i == 1) b->force.x = 1e30, b->mass = 1e-9;
        if (i == 2) b->inertia = v3(1e-50, 1e-50, 1e-50), b->torque = v3(0.1, 0.2, 0.3);
        if (i == 3) spring.length = 1e14, spring.stiffness = 1e10;
        if (i == 4) spring.length = -1, spring.stiffness = 1e40;
        if (i == 5) check_now.joints[0].turn.force = 1e30;
        if (i == 6) check_now.joints[0].turn.force = -1e59;
        if (i == 7) check_now.joints[0].slide.force = 1e30;
        if (i == 8) w->gravity = v3(0, 0, 0), b->velocity.x = 9.9e14, b->force.x = 1e17;
        if (i == 3 || i == 4) w->springs = &spring, w->spring_count = 1;
        check_step_fails(DVC_ERROR_TOO_FAST, 1, 0.01);
    }
    check_reset()->gravity.z = -9e14; /* of all bodies the first */
    check_step_fails(DVC_ERROR_TOO_FAST, 1, 2);
}

/* Struck by what comes at all the speed there is, it would have three times as much. */
static void what_is_struck_too_fast_is_an_error(void)
{
    check_reset();
    check_now.shapes[1].kind = DVC_NO_SHAPE;
    check_now.shapes[0].kind = DVC_NO_SHAPE;
    check_now.bodies[3].position = v3(0, 0, 0);
    check_now.bodies[3].velocity = v3(9.5e14, 0, 0);
    check_now.shapes[4].half = v3(0.5, 10, 10);
    check_now.shapes[4].restitution = 1;
    check_now.bodies[2].position = v3(0.76, 0, 0);
    check_now.bodies[2].velocity = v3(-9.5e14, 0, 0);
    check_now.bodies[2].inertia = v3(0, 0, 0);
    check_now.bodies[1].position = v3(0, 0, 1e14);
    check_step_fails(DVC_ERROR_NOT_FINITE, 2, 1e-14);
}

/* ---- numbers beyond all measure, field by field ---- */

/* Up to `most` it is accepted; beyond, it is refused for what it is. From `least` on, if that is more than 0. */
static void check_bound(dvc_real *field, double most, double least, dvc_status status, int culprit)
{
    const double beyond[] = { 1.0000001, 1e5, 1e80, 1e155, 1e300, 1.7976931348623157e308 };
    dvc_real keep = *field;
    int i;
    for (i = 0; i < 6; i++) {
        *field = i < 3 ? most * beyond[i] : beyond[i];
        check_refused(status, culprit, 0.01);
        *field = -*field;
        check_refused(status, culprit, 0.01);
    }
    for (i = 0; i < 6 && least > 0; i++) {
        *field = i < 3 ? least / beyond[i] : 1 / beyond[i]; /* to a denormal */
        check_refused(status, culprit, 0.01);
    }
    *field = (dvc_real)most;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    *field = (dvc_real)least;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    *field = keep;
}

static void check_bound_vec(dvc_vec3 *field, double most, dvc_status status, int culprit)
{
    check_bound(&field->x, most, 0, status, culprit);
    check_bound(&field->y, most, 0, status, culprit);
    check_bound(&field->z, most, 0, status, culprit);
}

static const double check_largest = 1e15, check_heaviest = 1e60;

static void bodies_beyond_all_measure_are_refused(void)
{
    int i;
    check_reset();
    for (i = 0; i < CHECK_BODIES; i++) {
        dvc_body *b = &check_now.bodies[i];
        check_bound_vec(&b->position, check_largest, DVC_ERROR_BODY_STATE, i);
        check_bound_vec(&b->velocity, check_largest, DVC_ERROR_BODY_STATE, i);
        check_bound_vec(&b->angular_velocity, check_largest, DVC_ERROR_BODY_STATE, i);
        check_bound(&b->orientation.w, check_largest, 0, DVC_ERROR_BODY_STATE, i);
        check_bound(&b->orientation.y, check_largest, 0, DVC_ERROR_BODY_STATE, i);
        if (b->kind != DVC_DYNAMIC) continue;
        check_bound_vec(&b->force, check_heaviest, DVC_ERROR_BODY_FORCE, i);
        check_bound_vec(&b->torque, check_heaviest, DVC_ERROR_BODY_FORCE, i);
        check_bound(&b->mass, check_heaviest, 1 / check_heaviest, DVC_ERROR_BODY_MASS, i);
        check_bound(&b->inertia.x, check_heaviest, 1 / check_heaviest, DVC_ERROR_BODY_INERTIA, i);
        check_bound(&b->inertia.z, check_heaviest, 1 / check_heaviest, DVC_ERROR_BODY_INERTIA, i);
        check_bound(&b->linear_damping, check_largest, 0, DVC_ERROR_DAMPING, i);
        check_bound(&b->angular_damping, check_largest, 0, DVC_ERROR_DAMPING, i);
    }
}

static void shapes_beyond_all_measure_are_refused(void)
{
    int i;
    check_reset();
    for (i = 0; i < CHECK_SHAPES; i++) {
        dvc_shape *shape = &check_now.shapes[i];
        check_bound_vec(&shape->position, check_largest, DVC_ERROR_SHAPE_POSE, i);
        check_bound_vec(&shape->surface_velocity, check_largest, DVC_ERROR_SHAPE_POSE, i);
        check_bound(&shape->orientation.w, check_largest, 0, DVC_ERROR_SHAPE_POSE, i);
        check_bound(&shape->friction, check_largest, 0, DVC_ERROR_SHAPE_FRICTION, i);
        if (shape->kind == DVC_BOX) check_bound(&shape->half.x, check_largest, 1 / check_largest, DVC_ERROR_SHAPE_SIZE, i);
        if (shape->kind == DVC_BOX) check_bound(&shape->half.z, check_largest, 1 / check_largest, DVC_ERROR_SHAPE_SIZE, i);
        if (shape->kind == DVC_SPHERE) check_bound(&shape->radius, check_largest, 1 / check_largest, DVC_ERROR_SHAPE_SIZE, i);
        if (shape->kind == DVC_PLANE) check_bound(&shape->normal.x, check_largest, 0, DVC_ERROR_SHAPE_NORMAL, i);
    }
}

/* So short that it is rounding which way they point. All 0 is the identity, but for normals. */
static void turns_and_normals_of_no_length_are_refused(void)
{
    const double small[] = { 1e-16, 1e-155, 1e-300, 4.9e-324 };
    int i, k;
    for (i = 0; i < 4; i++)
        for (k = 0; k < 4; k++) {
            dvc_world *w = check_reset();
            dvc_quat short_turn = { 0, 0, 0, 0 };
            *(k == 0 ? &short_turn.w : k == 1 ? &short_turn.x : k == 2 ? &short_turn.y : &short_turn.z) = small[i];
            check_now.bodies[2].orientation = short_turn;
            check_refused(DVC_ERROR_BODY_STATE, 2, 0.01);
            memset(&check_now.bodies[2].orientation, 0, sizeof short_turn);
            check_now.shapes[1].orientation = short_turn;
            check_refused(DVC_ERROR_SHAPE_POSE, 1, 0.01);
            check_now.shapes[1].orientation.w = 1;
            CHECK(dvc_world_check(w) == DVC_OK);
            check_now.shapes[0].normal = v3(0, k & 1 ? small[i] : 0, small[i]);
            check_refused(DVC_ERROR_SHAPE_NORMAL, 0, 0.01);
        }
}

static void links_beyond_all_measure_are_refused(void)
{
    static dvc_spring spring;
    dvc_world *w = check_reset();
    dvc_joint *j = &check_now.joints[1];
    int i;
    memset(&spring, 0, sizeof spring);
    w->springs = &spring;
    w->spring_count = 1;
    spring.body_b = 1;
    spring.stiffness = spring.damping = 1;
    CHECK(dvc_joint_attach(w, DVC_CYLINDRICAL, 0, 1, v3(0, 0, 0), v3(0, 0, 1), j) == DVC_OK);
    check_bound_vec(&j->anchor_a, check_largest, DVC_ERROR_JOINT_FRAME, 1);
    check_bound_vec(&j->anchor_b, check_largest, DVC_ERROR_JOINT_FRAME, 1);
    check_bound(&j->frame_a.x, check_largest, 0, DVC_ERROR_JOINT_FRAME, 1);
    check_bound(&j->frame_b.z, check_largest, 0, DVC_ERROR_JOINT_FRAME, 1);
    for (i = 0; i < 2; i++) {
        dvc_axis *axis = i ? &j->slide : &j->turn;
        check_bound(&axis->speed, check_largest, 0, DVC_ERROR_JOINT_AXIS, 1);
        check_bound(&axis->position, check_largest, 0, DVC_ERROR_JOINT_AXIS, 1);
        check_bound(&axis->friction, check_heaviest, 0, DVC_ERROR_JOINT_AXIS, 1);
        check_bound(&axis->force, check_heaviest, 0, DVC_ERROR_JOINT_AXIS, 1);
        axis->effort = 1e61;
        check_refused(DVC_ERROR_JOINT_AXIS, 1, 0.01);
        axis->effort = DVC_INFINITY;
        CHECK(dvc_world_check(w) == DVC_OK);
        axis->limited = true;
        axis->upper = 1e16;
        check_refused(DVC_ERROR_JOINT_AXIS, 1, 0.01);
        axis->upper = 1;
        axis->lower = -1e155;
        check_refused(DVC_ERROR_JOINT_AXIS, 1, 0.01);
        axis->lower = -DVC_INFINITY;
        CHECK(dvc_world_check(w) == DVC_OK);
        axis->upper = 1.7976931348623157e308; /* none on this side, too */
        CHECK(dvc_world_check(w) == DVC_OK);
        axis->lower = 1e300;
        check_refused(DVC_ERROR_JOINT_AXIS, 1, 0.01);
        axis->lower = -1;
    }
    check_bound_vec(&spring.anchor_a, check_largest, DVC_ERROR_SPRING, 0);
    check_bound_vec(&spring.anchor_b, check_largest, DVC_ERROR_SPRING, 0);
    check_bound(&spring.length, check_largest, 0, DVC_ERROR_SPRING, 0);
    check_bound(&spring.stiffness, check_heaviest, 1 / check_heaviest, DVC_ERROR_SPRING, 0);
    check_bound(&spring.damping, check_heaviest, 1 / check_heaviest, DVC_ERROR_SPRING, 0);
}

static void options_beyond_all_measure_are_refused(void)
{
    const double times[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 2e15, -1e300 };
    dvc_world *w = check_reset();
    int i;
    check_bound_vec(&w->gravity, check_largest, DVC_ERROR_GRAVITY, -1);
    check_bound(&w->tangent_angle, check_largest, 0, DVC_ERROR_OPTION, -1);
    check_bound(&w->epsilon, check_largest, 0, DVC_ERROR_OPTION, -1);
    check_bound(&w->recovery_speed, check_largest, 0, DVC_ERROR_OPTION, -1);
    check_bound(&w->tolerance, check_largest, 1 / check_largest, DVC_ERROR_OPTION, -1);
    w->tolerance = 0;
    check_now.rules[1].set_friction = true;
    check_bound(&check_now.rules[1].friction, check_largest, 0, DVC_ERROR_PAIR_RULE, 1);
    check_bound(&check_now.rules[1].tangent_angle, check_largest, 0, DVC_ERROR_PAIR_RULE, 1);
    for (i = 0; i < 5; i++) {
        w->time = times[i];
        check_refused(DVC_ERROR_TIME, -1, 0.01);
        w->time = 0;
        if (times[i] != -1e300) w->time_budget = times[i];
        if (times[i] != -1e300) check_refused(DVC_ERROR_OPTION, -1, 0.01);
        w->time_budget = 0;
    }
    w->threads = -1;
    check_refused(DVC_ERROR_OPTION, -1, 0.01);
    w->threads = 0;
    w->recovery_speed = w->epsilon = 0;
    check_step_fails(DVC_ERROR_STEP_SIZE, -1, 1e100);
    check_step_fails(DVC_ERROR_STEP_SIZE, -1, 1e-16);
    w->time = 9e14;
    check_step_fails(DVC_ERROR_STEP_SIZE, -1, 5e14); /* it would not take its own time */
}

static void planar_worlds_refuse_the_same(void)
{
    static dvc_support support;
    dvc_vec2 corners[4];
    int i;
    check_reset_planar();
    memset(&support, 0, sizeof support);
    support.points[0].x = support.points[1].y = 1;
    support.points[2].x = support.points[2].y = -1;
    check_now.bodies[1].support = &support;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    support.points[1].y = 1e155;
    check_refused(DVC_ERROR_SUPPORT, 1, 0.01);
    support.points[1].y = 1;
    check_bound(&support.friction, check_largest, 0, DVC_ERROR_SUPPORT, 1);
    check_bound(&check_now.bodies[1].inertia.z, check_heaviest, 1 / check_heaviest, DVC_ERROR_BODY_INERTIA, 1);
    for (i = 0; i < 4; i++) {
        memcpy(corners, check_square, sizeof corners);
        *(i & 1 ? &corners[2].x : &corners[2].y) = i & 2 ? 2e15 : 1e155;
        check_polygon(corners, 4);
    }
    for (i = 0; i < 4; i++) corners[i].x = check_square[i].x * 1e-30, corners[i].y = check_square[i].y * 1e-30;
    check_polygon(corners, 4); /* smaller than all measure */
}

/* Where a motion function puts a body, and how fast it would have to be. */
static void check_far_motion(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)orientation;
    position->x = (dvc_real)(*(const double *)user * (double)t);
}

static void motions_beyond_all_measure_are_refused(void)
{
    static double speeds[] = { 1e17, -1e100, 1e155, 1e300, 2e15 };
    int i;
    for (i = 0; i < 5; i++) {
        check_reset();
        check_now.bodies[3].motion = check_far_motion;
        check_now.bodies[3].user = &speeds[i];
        check_step_fails(DVC_ERROR_MOTION, 3, i == 4 ? 0.1 : 0.01);
    }
}

/* Finite, but beyond all sense: an error, or a state that is still one. */
static void absurd_numbers_end_in_an_error_or_in_numbers(void)
{
    const double sizes[] = { 1e10, 1e19, 1e50, 1e160, 1e300 };
    int i;
    for (i = 0; i < 30; i++) {
        double x = sizes[i % 5];
        dvc_body *b = &check_now.bodies[1];
        dvc_status status;
        check_reset();
        *(i / 5 == 0 ? &b->velocity.x : i / 5 == 1 ? &b->angular_velocity.y : i / 5 == 2 ? &b->torque.z : i / 5 == 3 ? &b->position.x : i / 5 == 4 ? &b->force.z : &b->mass) = x;
        check_save();
        status = dvc_step(&check_now.world, 0.01);
        CHECK(status == DVC_OK || check_unchanged());
        CHECK(dvci_finite_vec(b->position) && dvci_finite_vec(b->velocity) && dvci_finite_vec(b->angular_velocity));
        CHECK(status != DVC_OK || fabs(sqrt(b->orientation.w * b->orientation.w + b->orientation.x * b->orientation.x
            + b->orientation.y * b->orientation.y + b->orientation.z * b->orientation.z) - 1) < 1e-12);
    }
}

/* A box between two walls that close in: nothing can keep them apart. */
static void check_crush(void)
{
    check_world *w = &check_now;
    check_reset();
    w->bodies[0].kind = DVC_STATIC;
    w->bodies[2].disabled = true;
    w->shapes[0].normal = v3(0, 0, 1);
    w->bodies[1].position = v3(0, 0, 0.5);
    w->bodies[1].velocity = v3(0, 0, 0);
    w->shapes[1].kind = DVC_BOX;
    w->shapes[1].half = v3(1, 5, 5);
    w->shapes[1].position = v3(-1.5, 0, 0);
    w->bodies[3].position = v3(1.5, 0, 0);
    w->bodies[3].velocity = v3(-1, 0, 0);
    w->shapes[4].half = v3(1, 5, 5);
}

static void strict_worlds_refuse_what_is_not_exact(void)
{
    check_crush();
    CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
    CHECK(check_now.world.report.inexact > 0);
    check_crush();
    check_now.world.strict = true;
    check_step_fails(DVC_ERROR_NOT_SOLVED, -1, 0.01);
    CHECK(check_now.world.report.inexact > 0);
}

static void strict_worlds_do_what_is_exact_as_others_do(void)
{
    dvc_world *w = check_reset();
    uint64_t hash;
    CHECK(dvc_step(w, 0.01) == DVC_OK && w->report.inexact == 0);
    hash = dvc_world_hash(w);
    w = check_reset();
    w->strict = true;
    CHECK(dvc_step(w, 0.01) == DVC_OK && dvc_world_hash(w) == hash);
}

/* After an error the same world, mended, steps as if nothing had been. */
static void an_error_leaves_no_trace(void)
{
    dvc_world *w = check_reset();
    uint64_t hash;
    CHECK(dvc_step(w, 0.01) == DVC_OK && dvc_step(w, 0.01) == DVC_OK);
    hash = dvc_world_hash(w);
    w = check_reset();
    CHECK(dvc_step(w, 0.01) == DVC_OK);
    CHECK(dvc_step(w, -1) == DVC_ERROR_STEP_SIZE);
    check_now.bodies[1].mass = -1;
    CHECK(dvc_step(w, 0.01) == DVC_ERROR_BODY_MASS && w->culprit == 1);
    check_now.bodies[1].mass = 1;
    w->scratch_size = 100;
    CHECK(dvc_step(w, 0.01) == DVC_ERROR_SCRATCH && w->culprit == -1);
    w->scratch_size = sizeof check_scratch;
    CHECK(dvc_step(w, 0.01) == DVC_OK && dvc_world_hash(w) == hash && w->culprit == -1);
}

/* ---- contact arrays ---- */

/* The step with ever fewer contacts: below what it says it needs it fails, with that it gives the same bits. */
static void check_contacts_needed(scene *s, double h)
{
    dvc_world before = s->world, after;
    dvc_body *bodies = (dvc_body *)scene_memory(2 * (size_t)s->capacity, sizeof *bodies), *moved = bodies + s->capacity;
    size_t size = (size_t)s->capacity * sizeof *bodies;
    int needed;
    memcpy(bodies, s->bodies, size);
    CHECK(dvc_step(&s->world, h) == DVC_OK);
    memcpy(moved, s->bodies, size);
    after = s->world;
    needed = after.report.contacts_needed;
    CHECK(needed >= s->world.contact_count && needed <= before.contact_capacity);
    memcpy(s->bodies, bodies, size);
    s->world = before;
    s->world.contact_capacity = needed;
    CHECK(dvc_step(&s->world, h) == DVC_OK);
    CHECK(memcmp(s->bodies, moved, size) == 0 && s->world.contact_count == after.contact_count);
    memcpy(s->bodies, bodies, size);
    s->world = before;
    s->world.contact_capacity = needed > 0 ? needed - 1 : 0;
    if (needed > 0) CHECK(dvc_step(&s->world, h) == DVC_ERROR_CONTACTS && memcmp(s->bodies, bodies, size) == 0);
    memcpy(s->bodies, moved, size);
    s->world = after;
    free(bodies);
}

static void a_stack_steps_with_the_contacts_it_needs(void)
{
    scene *s = scene_make(6, false, 8 << 20);
    int i;
    scene_ground(s, 0.5);
    for (i = 0; i < 4; i++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0.1 * i, 0.05 * i, 0.5 + i), 1, 0.5);
    for (i = 0; i < 20; i++) {
        s->world.contact_count = 0; /* no warm start */
        check_contacts_needed(s, 0.01);
    }
    scene_free(s);
}

/* Corners on corners give each contact twice; the doubles are dropped, and need no room. */
static void an_aligned_stack_steps_with_the_contacts_it_needs(void)
{
    scene *s = scene_make(6, false, 8 << 20);
    int i;
    for (i = 0; i < 3; i++) scene_box(s, i == 0 ? DVC_STATIC : DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, i), 1, 0.5);
    for (i = 0; i < 5; i++) {
        s->world.contact_count = 0; /* no warm start */
        check_contacts_needed(s, 0.01);
    }
    CHECK(s->world.contact_count == 8);
    scene_free(s);
}

/* Far things have no contacts, and need no room for any. */
static void what_is_far_needs_no_contacts(void)
{
    scene *s = scene_make(6, false, 8 << 20);
    scene_ground(s, 0.5);
    scene_sphere(s, 0.5, v3(0, 0, 100), 1, 0.5);
    scene_sphere(s, 0.5, v3(5, 0, 50), 1, 0.5);
    check_contacts_needed(s, 0.01);
    scene_free(s);
}

static void one_contact_is_enough_for_one_contact(void)
{
    scene *s = scene_make(6, false, 8 << 20);
    scene_ground(s, 0.5);
    scene_sphere(s, 0.5, v3(0, 0, 0.5), 1, 0.5);
    scene_sphere(s, 0.5, v3(5, 0, 50), 1, 0.5);
    check_contacts_needed(s, 0.01);
    CHECK(s->world.contact_count == 1);
    scene_free(s);
}

/* Steps in parts count their contacts part by part; steps that begin again count those of the last attempt. */
static void hard_steps_step_with_the_contacts_they_need(void)
{
    int halvings = 0, seed;
    for (seed = 0; seed < 24; seed++) {
        scene *s = scene_make(4, false, 16 << 20);
        int i;
        test_seed((uint64_t)seed + 60);
        scene_ground(s, 0.6);
        scene_box(s, DVC_DYNAMIC, v3(0.5, 0.4, 0.05), v3(0, 0, 0.7), 2, 0.5);
        s->bodies[1].velocity = test_vec(test_random(-20, 20), test_random(-20, 20), -test_random(20, 60));
        s->bodies[1].angular_velocity = test_vec(test_random(-60, 60), test_random(-60, 60), test_random(-60, 60));
        for (i = 0; i < 4; i++) {
            s->world.contact_count = 0;
            check_contacts_needed(s, 0.02);
            halvings += s->world.report.halvings;
        }
        scene_free(s);
    }
    CHECK(halvings > 0);
}

/* Told by the error how many are needed, a user gives as many, until it works. */
static void a_crushed_box_is_told_how_many_contacts_it_needs(void)
{
    dvc_status status = DVC_ERROR_CONTACTS;
    int rounds, needed = 1;
    for (rounds = 0; status == DVC_ERROR_CONTACTS && rounds < 50; rounds++) {
        check_crush();
        check_now.world.contact_capacity = needed;
        status = dvc_step(&check_now.world, 0.01);
        CHECK(status == DVC_OK || check_now.world.report.contacts_needed > needed);
        needed = status == DVC_OK ? needed : check_now.world.report.contacts_needed;
    }
    CHECK(status == DVC_OK && needed <= CHECK_CONTACTS);
}

static void giving_what_is_needed_ends_in_success(void)
{
    scene *s = scene_make(6, false, 8 << 20);
    dvc_status status = DVC_ERROR_CONTACTS;
    int i, rounds;
    scene_ground(s, 0.5);
    for (i = 0; i < 4; i++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0.1 * i, 0.05 * i, 0.5 + i), 1, 0.5);
    s->world.contact_capacity = 1;
    for (rounds = 0; status == DVC_ERROR_CONTACTS && rounds < 50; rounds++) {
        status = dvc_step(&s->world, 0.01);
        CHECK(status == DVC_OK || s->world.report.contacts_needed > s->world.contact_capacity);
        if (status != DVC_OK) s->world.contact_capacity = s->world.report.contacts_needed;
    }
    CHECK(status == DVC_OK && s->world.contact_count <= s->world.contact_capacity && rounds <= 20);
    scene_free(s);
}

/* ---- empty slots ---- */

/* Garbage in every byte but those that say that the slot is empty. */
static void check_spoil_slots(int pattern)
{
    check_world *w = &check_now;
    memset(&w->bodies[2], pattern, sizeof w->bodies[2]);
    w->bodies[2].disabled = true;
    memset(&w->shapes[3], pattern, sizeof w->shapes[3]);
    w->shapes[3].kind = DVC_SPHERE;
    w->shapes[3].disabled = true;
    memset(&w->shapes[4], pattern, sizeof w->shapes[4]);
    w->shapes[4].kind = DVC_NO_SHAPE;
    w->shapes[4].disabled = false;
    memset(&w->joints[0], pattern, sizeof w->joints[0]);
    w->joints[0].kind = DVC_NO_JOINT;
    w->joints[0].disabled = false;
    memset(&w->joints[1], pattern, sizeof w->joints[1]);
    w->joints[1].disabled = true;
}

static void garbage_in_empty_slots_is_ignored(void)
{
    const int patterns[] = { 0xff, 0xa5, 0x7f, 0x01 };
    dvc_body clean, spoilt;
    int i, k;
    for (i = 0; i < 5; i++) {
        check_reset();
        check_now.bodies[2].disabled = true;
        check_now.shapes[3].disabled = true;
        check_now.shapes[4].kind = DVC_NO_SHAPE;
        if (i > 0) check_spoil_slots(patterns[i - 1]);
        spoilt = check_now.bodies[2];
        CHECK(dvc_world_check(&check_now.world) == DVC_OK);
        for (k = 0; k < 5; k++) CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
        CHECK(dvc_scratch_size(&check_now.world) >= check_now.world.report.scratch_used);
        CHECK(memcmp(&spoilt, &check_now.bodies[2], sizeof spoilt) == 0); /* and left as it is */
        if (i == 0) clean = check_now.bodies[1];
        CHECK(memcmp(&clean, &check_now.bodies[1], sizeof clean) == 0);
    }
}

/* "true: this slot is empty; its shapes are ignored". */
static void garbage_in_the_shapes_of_an_empty_body_is_ignored(void)
{
    dvc_body clean;
    int i;
    for (i = 0; i < 2; i++) {
        check_reset();
        check_now.bodies[2].disabled = true;
        if (i > 0) {
            check_now.shapes[3].position.x = (double)NAN;
            check_now.shapes[3].radius = -1;
        }
        CHECK(dvc_world_check(&check_now.world) == DVC_OK);
        CHECK(dvc_step(&check_now.world, 0.01) == DVC_OK);
        if (i == 0) clean = check_now.bodies[1];
        CHECK(memcmp(&clean, &check_now.bodies[1], sizeof clean) == 0);
    }
}

static void empty_slots_do_not_show_in_energy_and_momentum(void)
{
    dvc_vec3 p, l;
    check_reset();
    check_spoil_slots(0xff);
    CHECK(dvci_finite(dvc_energy(&check_now.world)));
    dvc_momentum(&check_now.world, &p, &l);
    CHECK_NEAR(p.z, -1, 0); /* of the one that is left */
    CHECK(dvci_finite_vec(l));
}

/* The shapes of disabled slots do not add to the mass either. */
static void empty_slots_have_no_mass(void)
{
    dvc_shape shapes[3];
    dvc_body body;
    memset(shapes, 0, sizeof shapes);
    memset(&body, 0, sizeof body);
    shapes[0].kind = DVC_SPHERE;
    shapes[0].radius = 1;
    memset(&shapes[1], 0xff, sizeof shapes[1]);
    shapes[1].kind = DVC_POLYTOPE;
    shapes[1].disabled = true;
    shapes[1].polytope = NULL;
    memset(&shapes[2], 0xa5, sizeof shapes[2]);
    shapes[2].kind = DVC_NO_SHAPE;
    shapes[2].disabled = false;
    CHECK(dvc_body_mass_from_shapes(&body, shapes, 3, 1) == DVC_OK);
    CHECK_NEAR(body.mass, 4.0 / 3 * 3.14159265358979323846, 1e-14);
}

/* ---- hulls, densities, problems: the rest of the list ---- */

static dvc_status check_hull_of(const dvc_vec3 *points, int count, size_t less)
{
    static unsigned char storage[1 << 16];
    dvc_polytope hull;
    size_t size = dvc_polytope_size(count);
    dvc_status status;
    if (size > sizeof storage) exit(2);
    status = dvc_polytope_build(points, count, storage, size - less, &hull);
    check_covered[status] = true;
    return status;
}

static void clouds_without_a_hull_are_refused(void)
{
    dvc_vec3 p[8];
    int i;
    for (i = 0; i < 8; i++) p[i] = v3(i & 1, i >> 1 & 1, i >> 2);
    CHECK(check_hull_of(p, 8, 0) == DVC_OK);
    CHECK(check_hull_of(p, 3, 0) == DVC_ERROR_HULL_COUNT);
    CHECK(check_hull_of(p, 8, 1) == DVC_ERROR_STORAGE);
    CHECK(check_hull_of(p, 4, 0) == DVC_ERROR_HULL_FLAT);
    p[5].y = (double)NAN;
    CHECK(check_hull_of(p, 8, 0) == DVC_ERROR_HULL_NOT_FINITE);
    for (i = 0; i < 8; i++) p[i] = v3(i, 2 * i, 3 * i);
    CHECK(check_hull_of(p, 8, 0) == DVC_ERROR_HULL_LINE);
    for (i = 0; i < 8; i++) p[i] = v3(1, 2, 3);
    CHECK(check_hull_of(p, 8, 0) == DVC_ERROR_HULL_POINT);
    for (i = 0; i < 8; i++) p[i] = v3(1e9 + i % 3, 2e9 + i % 5, 3e9 + i / 3); /* turned faces, a billion sizes away */
    CHECK(check_hull_of(p, 8, 0) == DVC_ERROR_HULL_OPEN);
}

static void densities_without_sense_are_refused(void)
{
    const double bad[] = { 0, -1, (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 4; i++) {
        dvc_body *b = &check_now.bodies[1];
        check_reset();
        check_save();
        CHECK(dvc_body_mass_from_shapes(b, &check_now.shapes[2], 1, bad[i]) == DVC_ERROR_DENSITY);
        CHECK(dvc_body_mass_from_shapes_planar(b, &check_now.shapes[2], 1, bad[i]) == DVC_ERROR_DENSITY);
        CHECK(dvc_body_mass_from_shapes(b, &check_now.shapes[0], 1, 1) == DVC_ERROR_DENSITY); /* a plane */
        CHECK(check_unchanged());
    }
    check_covered[DVC_ERROR_DENSITY] = true;
}

static dvc_status check_lcp(dvc_solver method, const double *A, const double *b, int n, int limit)
{
    static unsigned char scratch[1 << 16];
    dvc_lcp lcp;
    dvc_lcp_options options;
    double z[4] = { 0, 0, 0, 0 };
    dvc_status status;
    memset(&lcp, 0, sizeof lcp);
    memset(&options, 0, sizeof options);
    options.max_iterations = limit;
    lcp.n = n;
    lcp.A = A;
    lcp.b = b;
    status = dvc_lcp_solve(method, &lcp, &options, z, scratch, sizeof scratch).status;
    check_covered[status] = true;
    return status;
}

static void problems_without_a_solution_are_told_apart(void)
{
    static const double swap[] = { 0, 1, 1, 0 }, negative[] = { -1, -1 }, minus[] = { -1 }, coupled[] = { 2, 1, 1, 2 };
    double bad[] = { 1, 0, 0, 1 };
    CHECK(check_lcp(DVC_PGS, swap, negative, 2, 0) == DVC_ERROR_LCP_DIAGONAL);
    CHECK(check_lcp(DVC_AUTO, minus, negative, 1, 0) == DVC_ERROR_LCP_INFEASIBLE);
    CHECK(check_lcp(DVC_PGS, coupled, negative, 2, 1) == DVC_ERROR_LCP_LIMIT);
    CHECK(check_lcp(DVC_PGS, coupled, negative, 2, 0) == DVC_OK);
    CHECK(check_lcp(DVC_AUTO, NULL, negative, 2, 0) == DVC_ERROR_LCP_INPUT);
    bad[3] = (double)NAN;
    CHECK(check_lcp(DVC_AUTO, bad, negative, 2, 0) == DVC_ERROR_LCP_INPUT);
}

/* Newton's method stops where its function has no slope; there is none at all to go on along. */
static void some_method_somewhere_gives_up(void)
{
    int seed, method, i, found = 0;
    for (seed = 0; seed < 200 && !found; seed++)
        for (method = 0; method < DVC_SOLVER_COUNT && !found; method++) {
            double A[9], b[3];
            test_seed((uint64_t)seed + 500);
            for (i = 0; i < 9; i++) A[i] = test_random(-1, 1);
            for (i = 0; i < 3; i++) b[i] = test_random(-1, 1);
            found = check_lcp((dvc_solver)method, A, b, 3, 0) == DVC_ERROR_LCP_NOT_SOLVED;
        }
    CHECK(found);
}

/* Sheets as rough as the tolerance of hulls is wide. */
static void rough_sheets_have_a_hull(void)
{
    dvc_vec3 p[80];
    int seed, i;
    for (seed = 0; seed < 300; seed++) {
        dvc_status status;
        test_seed((uint64_t)seed + 900);
        for (i = 0; i < 80; i++) p[i] = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 1) * (i < 79 ? 3e-7 : 1e-2));
        status = check_hull_of(p, 80, 0);
        CHECK(status == DVC_OK);
    }
}

/* ---- springs, supports, damping, restitution, stages ---- */

static void springs_are_refused_with_the_right_reason(void)
{
    static dvc_spring springs[2];
    check_reset();
    memset(springs, 0, sizeof springs);
    check_now.world.springs = springs;
    check_now.world.spring_count = 2;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK); /* empty slots */
    springs[1].stiffness = 1;
    check_refused(DVC_ERROR_SPRING, 1, 0.01); /* body 0 to itself */
    springs[1].body_b = 1;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    springs[1].damping = -1;
    check_refused(DVC_ERROR_SPRING, 1, 0.01);
    springs[1].disabled = true;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    check_now.world.springs = NULL;
    CHECK(dvc_world_check(&check_now.world) == DVC_ERROR_NULL);
}

static void supports_damping_and_restitution_are_checked(void)
{
    static dvc_support support;
    check_reset();
    check_now.bodies[1].support = &support; /* in space */
    check_refused(DVC_ERROR_SUPPORT, 1, 0.01);
    check_now.bodies[1].support = NULL;
    check_now.bodies[1].linear_damping = -1;
    check_refused(DVC_ERROR_DAMPING, 1, 0.01);
    check_now.bodies[1].linear_damping = 0;
    check_now.bodies[1].angular_damping = (dvc_real)NAN;
    check_refused(DVC_ERROR_DAMPING, 1, 0.01);
    check_now.bodies[1].angular_damping = 0;
    check_now.shapes[1].restitution = (dvc_real)1.01;
    check_refused(DVC_ERROR_RESTITUTION, 1, 0.01);
}

static void check_collide_nothing(void *user, const dvc_world *world, dvc_real h, dvc_collector *out)
{
    (void)user; (void)world; (void)h; (void)out;
}

static void check_collide_badly(void *user, const dvc_world *world, dvc_real h, dvc_collector *out)
{
    (void)user; (void)world; (void)h;
    dvc_contact_add(out, 0, 1, 0, v3(0, 0, 0), v3(0, 0, 2), 0);
}

static void check_collide_with_a_negative_id(void *user, const dvc_world *world, dvc_real h, dvc_collector *out)
{
    (void)user; (void)world; (void)h;
    dvc_contact_add(out, 0, 1, -1, v3(0, 0, 0), v3(0, 0, 1), 0);
}

static void stages_that_do_not_fit_are_refused(void)
{
    check_reset();
    check_now.world.collide = check_collide_nothing;
    CHECK(dvc_world_check(&check_now.world) == DVC_OK);
    check_now.world.contact_model = DVC_LNC;
    check_refused(DVC_ERROR_STAGE, -1, 0.01);
    check_now.world.contact_model = DVC_PEG;
    check_now.world.collide = check_collide_badly;
    CHECK(dvc_step(&check_now.world, (dvc_real)0.01) == DVC_ERROR_STAGE);
    check_now.world.collide = check_collide_with_a_negative_id;
    CHECK(dvc_step(&check_now.world, (dvc_real)0.01) == DVC_ERROR_STAGE);
    CHECK(dvc_contact_add(NULL, 0, 1, 0, v3(0, 0, 0), v3(0, 0, 1), 0) == DVC_ERROR_NULL);
}

/* The contacts of the last step may name bodies that are not there any more: only shapes are looked up. */
static void contacts_of_bodies_that_are_gone_are_not_followed(void)
{
    check_reset();
    check_now.world.contact_count = 1;
    memset(check_now.world.contacts, 0, sizeof *check_now.world.contacts);
    check_now.world.contacts[0].shape_b = 1;
    check_now.world.contacts[0].body_b = 1 << 28;
    check_now.world.contacts[0].phase = DVC_STAYS;
    CHECK(dvc_step(&check_now.world, (dvc_real)0.01) == DVC_OK);
    CHECK(check_now.world.contact_count == 0 || check_now.world.contacts[0].body_b < check_now.world.body_count);
}

static void a_solution_of_another_problem_is_refused(void)
{
    static const dvc_real z[1] = { 0 };
    check_reset();
    CHECK(dvc_problem_apply(&check_now.world, (dvc_real)0.01, z, -1) == DVC_ERROR_PROBLEM);
    check_covered[DVC_ERROR_PROBLEM] = true;
}

/* Questions have two statuses of their own; test_ask.c has the details. */
static void questions_about_nothing_are_refused(void)
{
    dvc_gap gap;
    dvc_hit hit;
    check_reset();
    CHECK(dvc_distance(&check_now.world, 0, check_now.world.shape_count, &gap) == DVC_ERROR_ASK_SHAPE);
    CHECK(dvc_raycast(&check_now.world, v3((double)NAN, 0, 0), v3(1, 0, 0), 0, &hit) == DVC_ERROR_ASK_NUMBER);
    check_covered[DVC_ERROR_ASK_SHAPE] = check_covered[DVC_ERROR_ASK_NUMBER] = true;
}

/* A mesh from a text, checked and weighed: gives the first error of all that. */
static void check_mesh(const char *text, int room, size_t scratch_size, dvc_status expected)
{
    dvc_vec3 vertices[8];
    int triangles[8][3];
    dvc_mesh mesh;
    dvc_status status;
    memset(&mesh, 0, sizeof mesh);
    mesh.vertices = vertices;
    mesh.triangles = triangles;
    mesh.vertex_capacity = mesh.triangle_capacity = room;
    status = dvc_mesh_read_poly(text, strlen(text), &mesh);
    if (status == DVC_OK && expected == DVC_ERROR_MESH_VERTEX) vertices[0].x = (dvc_real)NAN;
    if (status == DVC_OK) status = dvc_mesh_check(&mesh, check_scratch, scratch_size, NULL);
    CHECK(status == expected);
    check_covered[status] = true;
}

static void meshes_are_refused_for_every_reason(void)
{
    const char *good = "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n";
    const size_t size = sizeof check_scratch;
    check_mesh(good, 8, size, DVC_OK);
    check_mesh(good, 3, size, DVC_ERROR_MESH_ROOM);
    check_mesh(good, 8, 8, DVC_ERROR_MESH_SCRATCH);
    check_mesh(good, 8, size, DVC_ERROR_MESH_VERTEX);
    check_mesh("1\n0 0 !\n0\n", 8, size, DVC_ERROR_MESH_NUMBER);
    check_mesh("1\n0 0\n0\n", 8, size, DVC_ERROR_MESH_COUNT);
    check_mesh("1\n0 0 0\n1\n1 1 2\n", 8, size, DVC_ERROR_MESH_INDEX);
    check_mesh("3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2 3\n", 8, size, DVC_ERROR_MESH_OPEN);
    check_mesh("4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n1 2 3\n1 2 4\n1 4 3\n2 3 4\n", 8, size, DVC_ERROR_MESH_TURNED);
    check_mesh("4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n1 2 3\n1 4 2\n1 3 4\n2 4 3\n", 8, size, DVC_ERROR_MESH_INWARD);
    check_mesh("4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n5\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n1 1 2\n", 8, size, DVC_ERROR_MESH_FLAT);
}

/* ---- recordings (test_record.c has the details) ---- */

static unsigned char check_tape[1 << 16];

/* Opens the tape with one byte of its header exchanged and the header's checksum made right again. */
static dvc_status check_tape_with(size_t size, int at, unsigned char byte, dvc_recording *out)
{
    unsigned char keep[64];
    uint32_t sum;
    dvc_status status;
    int k;
    memcpy(keep, check_tape, sizeof keep);
    check_tape[at] = byte;
    sum = dvci_adler32(check_tape, 60);
    for (k = 0; k < 4; k++) check_tape[60 + k] = (unsigned char)(sum >> (8 * k));
    status = dvc_recording_open(check_tape, size, out);
    memcpy(check_tape, keep, sizeof keep);
    check_covered[status] = true;
    return status;
}

static bool check_write_nothing(void *user, const void *bytes, size_t size)
{
    (void)user; (void)bytes; (void)size;
    return false;
}

static void recordings_are_refused_for_every_reason(void)
{
    dvc_recorder recorder;
    dvc_recording r;
    check_reset();
    memset(&recorder, 0, sizeof recorder);
    recorder.buffer = check_tape;
    recorder.size = 10;
    CHECK(dvc_record_begin(&recorder, &check_now.world, (dvc_real)0.01) == DVC_ERROR_RECORD_ROOM);
    memset(&recorder, 0, sizeof recorder);
    recorder.buffer = check_tape;
    recorder.size = sizeof check_tape;
    recorder.write = check_write_nothing;
    CHECK(dvc_record_begin(&recorder, &check_now.world, (dvc_real)0.01) == DVC_ERROR_RECORD_WRITE);
    memset(&recorder, 0, sizeof recorder);
    recorder.buffer = check_tape;
    recorder.size = sizeof check_tape;
    CHECK(dvc_record_begin(&recorder, &check_now.world, (dvc_real)0.01) == DVC_OK && dvc_record_end(&recorder) == DVC_OK);
    CHECK(check_tape_with(recorder.used, 0, 'd', &r) == DVC_OK);
    CHECK(check_tape_with(recorder.used, 0, 'D', &r) == DVC_ERROR_RECORDING_MAGIC);
    CHECK(check_tape_with(recorder.used, 8, 99, &r) == DVC_ERROR_RECORDING_VERSION);
    CHECK(check_tape_with(recorder.used, 12, 63, &r) == DVC_ERROR_RECORDING_DAMAGED);
    CHECK(check_tape_with(recorder.used, 16, 4, &r) == DVC_ERROR_RECORDING_REAL);
    CHECK(check_tape_with(recorder.used - 1, 0, 'd', &r) == DVC_ERROR_RECORDING_CUT);
    CHECK(check_tape_with(recorder.used, 0, 'd', &r) == DVC_OK);
    CHECK(dvc_recording_frame(&r, 99, &check_now.world) == DVC_ERROR_RECORDING_FRAME);
    check_now.world.body_count--;
    CHECK(dvc_recording_frame(&r, 0, &check_now.world) == DVC_ERROR_RECORDING_WORLD);
    check_covered[DVC_ERROR_RECORD_ROOM] = check_covered[DVC_ERROR_RECORD_WRITE] = true;
    check_covered[DVC_ERROR_RECORDING_FRAME] = check_covered[DVC_ERROR_RECORDING_WORLD] = true;
}

/* ---- what the compiler or the processor does to numbers ---- */

/* Flags that the compiler does not tell of are tried by check_bits.sh. */
static void arithmetic_that_rounds_otherwise_is_refused(void)
{
    static const int ways[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    int i;
    for (i = 0; i < 3; i++) {
        check_reset();
        CHECK(fesetround(ways[i]) == 0);
        check_refused(DVC_ERROR_ARITHMETIC, -1, (dvc_real)0.01);
        CHECK(fesetround(FE_TONEAREST) == 0);
        CHECK(dvc_step(&check_now.world, (dvc_real)0.01) == DVC_OK);
    }
}

static void arithmetic_that_loses_small_numbers_is_refused(void)
{
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    check_reset();
    _mm_setcsr(before | 0x8000u); /* flush to zero */
    check_refused(DVC_ERROR_ARITHMETIC, -1, (dvc_real)0.01);
    _mm_setcsr(before);
    CHECK(dvc_step(&check_now.world, (dvc_real)0.01) == DVC_OK);
#endif
}

/* ---- the list as a whole ---- */

static const char *const check_names[] = {
#define CHECK_NAME(name, text) #name,
    DVC_STATUS_LIST(CHECK_NAME)
#undef CHECK_NAME
};

static void every_status_has_a_text_of_its_own(void)
{
    int i, k;
    for (i = 0; i < DVC_STATUS_COUNT; i++) {
        const char *text = dvc_status_text((dvc_status)i);
        CHECK(strlen(text) >= 8 && strcmp(text, dvc_status_text(DVC_STATUS_COUNT)) != 0);
        for (k = 0; k < i; k++) CHECK(strcmp(text, dvc_status_text((dvc_status)k)) != 0);
    }
    CHECK(strlen(dvc_status_text(DVC_STATUS_COUNT)) >= 8 && strlen(dvc_status_text((dvc_status)-1)) >= 8);
    CHECK(DVC_OK == 0);
}

/* Runs last: the tests above have noted what they provoked. */
static void every_status_was_provoked(void)
{
    int i;
    if (test_state.filter && !strstr("check", test_state.filter)) return; /* not all have run */
    for (i = DVC_OK + 1; i < DVC_STATUS_COUNT; i++)
        if (!CHECK(check_covered[i])) printf("    %s\n", check_names[i]);
}

static void suite_check(void)
{
    test_state.suite = "check";
    RUN(the_good_world_is_good);
    RUN(missing_arrays_are_refused);
    RUN(terrains_that_were_not_built_are_refused);
    RUN(arrays_without_a_count_may_be_missing);
    RUN(negative_counts_are_refused);
    RUN(counts_beyond_all_memory_are_refused);
    RUN(directions_without_a_bound_are_refused);
    RUN(step_sizes_that_are_not_positive_numbers_are_refused);
    RUN(enumerations_out_of_range_are_refused);
    RUN(options_that_are_not_numbers_or_negative_are_refused);
    RUN(gravity_that_is_not_finite_is_refused);
    RUN(unknown_kinds_are_refused);
    RUN(shapes_of_the_other_dimension_are_refused);
    RUN(masses_that_are_not_positive_are_refused);
    RUN(moments_that_are_not_all_positive_are_refused);
    RUN(bodies_turned_out_of_the_plane_are_refused);
    RUN(motions_that_are_no_poses_are_refused);
    RUN(shapes_of_no_body_are_refused);
    RUN(sizes_that_are_none_are_refused);
    RUN(friction_that_is_none_is_refused);
    RUN(planes_without_a_direction_are_refused);
    RUN(polytopes_that_were_not_built_are_refused);
    RUN(polygons_that_are_not_convex_are_refused);
    RUN(polygons_with_points_that_are_not_finite_are_refused);
    RUN(polygons_that_go_round_twice_are_refused);
    RUN(rules_for_nobody_or_nothing_are_refused);
    RUN(friction_that_a_rule_does_not_set_is_not_looked_at);
    RUN(joints_are_refused_with_the_right_reason);
    RUN(states_that_are_not_finite_are_refused);
    RUN(forces_that_are_not_finite_are_refused);
    RUN(poses_of_shapes_that_are_not_finite_are_refused);
    RUN(the_same_is_refused_in_planar_worlds);
    RUN(fields_that_do_not_count_may_hold_anything);
    RUN(too_little_scratch_is_an_error);
    RUN(too_few_contacts_are_an_error);
    RUN(absurd_forces_are_an_error);
    RUN(what_makes_a_body_too_fast_is_an_error);
    RUN(what_is_struck_too_fast_is_an_error);
    RUN(bodies_beyond_all_measure_are_refused);
    RUN(shapes_beyond_all_measure_are_refused);
    RUN(turns_and_normals_of_no_length_are_refused);
    RUN(links_beyond_all_measure_are_refused);
    RUN(options_beyond_all_measure_are_refused);
    RUN(planar_worlds_refuse_the_same);
    RUN(motions_beyond_all_measure_are_refused);
    RUN(absurd_numbers_end_in_an_error_or_in_numbers);
    RUN(strict_worlds_refuse_what_is_not_exact);
    RUN(strict_worlds_do_what_is_exact_as_others_do);
    RUN(an_error_leaves_no_trace);
    RUN(a_stack_steps_with_the_contacts_it_needs);
    RUN(an_aligned_stack_steps_with_the_contacts_it_needs);
    RUN(what_is_far_needs_no_contacts);
    RUN(one_contact_is_enough_for_one_contact);
    RUN(hard_steps_step_with_the_contacts_they_need);
    RUN(a_crushed_box_is_told_how_many_contacts_it_needs);
    RUN(giving_what_is_needed_ends_in_success);
    RUN(garbage_in_empty_slots_is_ignored);
    RUN(garbage_in_the_shapes_of_an_empty_body_is_ignored);
    RUN(empty_slots_do_not_show_in_energy_and_momentum);
    RUN(empty_slots_have_no_mass);
    RUN(clouds_without_a_hull_are_refused);
    RUN(densities_without_sense_are_refused);
    RUN(problems_without_a_solution_are_told_apart);
    RUN(some_method_somewhere_gives_up);
    RUN(rough_sheets_have_a_hull);
    RUN(springs_are_refused_with_the_right_reason);
    RUN(supports_damping_and_restitution_are_checked);
    RUN(stages_that_do_not_fit_are_refused);
    RUN(contacts_of_bodies_that_are_gone_are_not_followed);
    RUN(a_solution_of_another_problem_is_refused);
    RUN(questions_about_nothing_are_refused);
    RUN(meshes_are_refused_for_every_reason);
    RUN(recordings_are_refused_for_every_reason);
    RUN(arithmetic_that_rounds_otherwise_is_refused);
    RUN(arithmetic_that_loses_small_numbers_is_refused);
    RUN(every_status_has_a_text_of_its_own);
    RUN(every_status_was_provoked);
}
