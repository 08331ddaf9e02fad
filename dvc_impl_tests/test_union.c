/* Parts that lie against each other have one surface: what rolls and slides over flush tiles of any kind does what it does on a plane,
 * and where an edge is real it is what it was. >>union
 *
 * The oracle is the same body on a half-space, or a closed form. */

enum { UNION_SIDES = 32, UNION_WIDE = 12, UNION_DEEP = 4, UNION_CAPACITY = 2 * UNION_WIDE * UNION_DEEP + 16 };
#define UNION_TILE 0.25
#define UNION_SCRATCH ((size_t)1 << 26)

typedef enum union_floor_kind { UNION_PLANE, UNION_BOXES, UNION_BODIES, UNION_HULLS, UNION_TRIANGLES, UNION_JUNCTIONS, UNION_MOVED } union_floor_kind;
typedef enum union_body_kind { UNION_WHEEL, UNION_CUBE, UNION_BALL, UNION_QUARTERS, UNION_EIGHTS } union_body_kind;

/* A wheel has many alternatives on each tile. */
static scene *union_scene(int capacity, bool planar)
{
    scene *s = scene_make(capacity, planar, UNION_SCRATCH);
    free(s->world.contacts);
    s->world.contact_capacity = 8192;
    s->world.contacts = (dvc_contact *)scene_memory(8192, sizeof(dvc_contact));
    return s;
}

/* Tops at z = 0, but for a misfit; the floor begins at x = -1. */
static void union_tile(scene *s, union_floor_kind kind, int i, int k, double misfit, double mu)
{
    double x = UNION_TILE * i - 1, y = UNION_TILE * (k - UNION_DEEP / 2), shift = kind == UNION_JUNCTIONS && k % 2 ? UNION_TILE / 2 : 0;
    double z = misfit > 0 ? test_random(-misfit, misfit) : 0, off = misfit > 0 ? test_random(-misfit, misfit) : 0;
    int corner[3][2], half, v, body;
    dvc_vec3 p[8];
    if (kind == UNION_HULLS || kind == UNION_TRIANGLES) {
        for (half = 0; half < (kind == UNION_HULLS ? 1 : 2); half++) {
            int count = kind == UNION_HULLS ? 4 : 3;
            corner[0][0] = 0, corner[0][1] = 0, corner[1][0] = 1, corner[1][1] = half, corner[2][0] = 1 - half, corner[2][1] = 1;
            for (v = 0; v < count; v++) {
                int a = kind == UNION_HULLS ? (v == 1 || v == 2) : corner[v][0], b = kind == UNION_HULLS ? v / 2 : corner[v][1];
                p[v] = v3(x + UNION_TILE * a + off, y + UNION_TILE * b, z);
                p[v + count] = v3(x + UNION_TILE * a + off, y + UNION_TILE * b, -1);
            }
            scene_hull(s, DVC_STATIC, p, 2 * count, scene_zero, 1, mu);
        }
        return;
    }
    body = scene_box(s, kind == UNION_MOVED ? DVC_KINEMATIC : DVC_STATIC, v3(UNION_TILE / 2, UNION_TILE / 2, 0.5),
                     v3(x + UNION_TILE / 2 + shift + off, y + UNION_TILE / 2, z - 0.5), 1, mu);
    if (kind == UNION_MOVED) s->bodies[body].velocity = v3(0.5, 0.25, 0);
    if (kind == UNION_BOXES && body > 0) { /* all on the first tile's body */
        s->shapes[body].position = v3((double)(s->bodies[body].position.x - s->bodies[0].position.x),
                                      (double)(s->bodies[body].position.y - s->bodies[0].position.y),
                                      (double)(s->bodies[body].position.z - s->bodies[0].position.z));
        s->shapes[body].body = 0;
    }
}

static void union_floor(scene *s, union_floor_kind kind, double misfit, double mu)
{
    int i, k;
    if (kind == UNION_PLANE) scene_ground(s, mu);
    for (i = 0; i < UNION_WIDE && kind != UNION_PLANE; i++)
        for (k = 0; k < UNION_DEEP; k++) union_tile(s, kind, i, k, misfit, mu);
}

/* Parts of one dynamic body, from the scene's shape `first` on. */
static int union_compound(scene *s, int first, double mu)
{
    int k, count = s->world.shape_count - first;
    for (k = first; k < first + count; k++) {
        s->shapes[k].body = first;
        s->shapes[k].friction = (dvc_real)mu;
    }
    s->world.body_count = s->world.shape_count;
    for (k = first + 1; k < first + count; k++) s->bodies[k].disabled = true, s->bodies[k].kind = DVC_STATIC;
    if (dvc_body_mass_from_shapes(&s->bodies[first], &s->shapes[first], count, 300) != DVC_OK) abort();
    return first;
}

/* Sectors of a wheel around y, radius .2. */
static int union_sectors(scene *s, int count, double mu)
{
    int first = s->world.body_count, i, v, n;
    dvc_vec3 p[2 * UNION_SIDES + 2];
    for (i = 0; i < count; i++) {
        for (n = v = 0; v <= UNION_SIDES / count; v++) {
            double angle = 2 * TRIAL_PI * (v + i * (UNION_SIDES / count) + 0.5) / UNION_SIDES;
            if (count == 1 && v == UNION_SIDES) break;
            p[n++] = v3(0.2 * cos(angle), -0.06, 0.2 * sin(angle));
            p[n++] = v3(0.2 * cos(angle), 0.06, 0.2 * sin(angle));
        }
        if (count > 1) { p[n++] = v3(0, -0.06, 0); p[n++] = v3(0, 0.06, 0); }
        v = scene_add(s, i == 0 ? DVC_DYNAMIC : DVC_STATIC, DVC_POLYTOPE, scene_zero, mu);
        s->hull_storage[v] = (unsigned char *)scene_memory(1, dvc_polytope_size(n));
        if (dvc_polytope_build(p, n, s->hull_storage[v], dvc_polytope_size(n), &s->hulls[v]) != DVC_OK) abort();
        s->shapes[v].polytope = &s->hulls[v];
    }
    return union_compound(s, first, mu);
}

static int union_body(scene *s, union_body_kind kind, double mu)
{
    int first = s->world.body_count, k;
    if (kind == UNION_WHEEL) return union_sectors(s, 1, mu);
    if (kind == UNION_QUARTERS) return union_sectors(s, 4, mu);
    if (kind == UNION_BALL) {
        first = scene_sphere(s, 0.1, scene_zero, 1, mu);
        return first;
    }
    if (kind == UNION_CUBE) return scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), scene_zero, 2, mu);
    for (k = 0; k < 8; k++) {
        int i = scene_add(s, k == 0 ? DVC_DYNAMIC : DVC_STATIC, DVC_BOX, scene_zero, mu);
        s->shapes[i].half = v3(0.05, 0.05, 0.05);
        s->shapes[i].position = v3(k & 1 ? 0.05 : -0.05, k & 2 ? 0.05 : -0.05, k & 4 ? 0.05 : -0.05);
    }
    return union_compound(s, first, mu);
}

typedef struct union_run {
    int tilted;                 /* pushing contacts that lean */
    double lift, aside, far;    /* highest, farthest from its way, and how far it came */
    bool done;
} union_run;

/* The body goes over the floor from a place that depends on `phase`, for a second and a half. */
static union_run union_cross(union_floor_kind floor, union_body_kind kind, double mu, double v, double h, double misfit, int phase)
{
    scene *s = union_scene(UNION_CAPACITY, false);
    union_run run = { 0, 0, 0, 0, true };
    dvc_vec3 start, drift = scene_zero;
    double height = 0.1;
    int body, step, i;
    union_floor(s, floor, misfit, mu);
    if (floor == UNION_MOVED) drift = s->bodies[0].velocity;
    body = union_body(s, kind, mu);
    if (kind == UNION_WHEEL || kind == UNION_QUARTERS) {
        height = 0.2 * cos(TRIAL_PI / UNION_SIDES);
        s->bodies[body].angular_velocity.y = (dvc_real)(v / 0.2);
    }
    start = s->bodies[body].position = v3(-0.5 + 0.0171 * phase, 0.2 * ((phase * 7 % 40) / 40.0 - 0.5), height + misfit);
    s->bodies[body].velocity = v3(v + (double)drift.x, (double)drift.y, 0);
    for (step = 0; step < (int)(1.5 / h) && run.done; step++) {
        const dvc_body *b = &s->bodies[body];
        run.done = dvc_step(&s->world, (dvc_real)h) == DVC_OK;
        if ((double)b->position.x - (double)drift.x * h * (step + 1) > 1.6) break;
        for (i = 0; i < s->world.contact_count; i++)
            run.tilted += s->world.contacts[i].normal_impulse > (dvc_real)1e-9 && s->world.contacts[i].normal.z < (dvc_real)0.999;
        run.lift = fmax(run.lift, (double)(b->position.z - start.z));
        run.aside = fmax(run.aside, fabs((double)(b->position.y - start.y) - (double)drift.y * h * (step + 1)));
        run.far = (double)(b->position.x - start.x);
    }
    scene_free(s);
    return run;
}

/* No worse than on a plane. */
static void union_compare(union_floor_kind floor, union_body_kind kind, double mu, double v, double h, double misfit, int phases)
{
    int phase;
    for (phase = 0; phase < phases; phase++) {
        union_run flat = union_cross(UNION_PLANE, kind, mu, v, h, 0, 3 * phase), run = union_cross(floor, kind, mu, v, h, misfit, 3 * phase);
        CHECK(flat.done && run.done);
        CHECK(run.tilted == 0);
        CHECK(run.lift <= flat.lift + 1e-6 + 4 * misfit);
        CHECK(run.aside <= flat.aside + 1e-3);
        CHECK(run.far > 0.3);
    }
}

static void a_wheel_rolls_over_flush_tiles_as_on_a_plane(void)
{
    int k;
    for (k = 0; k < 3; k++) {
        double mu = k == 0 ? 0 : k == 1 ? 0.3 : 0.9;
        union_compare(UNION_BOXES, UNION_WHEEL, mu, 3, 0.01, 0, 3);
        union_compare(UNION_TRIANGLES, UNION_WHEEL, mu, k == 2 ? 6 : 3, k == 1 ? 0.01 : 1.0 / 60, 0, 3);
        union_compare(UNION_HULLS, UNION_WHEEL, mu, 3, 0.01, 0, 2);
    }
}

static void a_cube_slides_over_flush_tiles_as_on_a_plane(void)
{
    union_compare(UNION_TRIANGLES, UNION_CUBE, 0.3, 3, 0.01, 0, 3);
    union_compare(UNION_TRIANGLES, UNION_CUBE, 0, 3, 1.0 / 60, 0, 2);
    union_compare(UNION_BOXES, UNION_CUBE, 0.9, 3, 0.01, 0, 2);
    union_compare(UNION_JUNCTIONS, UNION_CUBE, 0.3, 3, 0.01, 0, 3);
}

static void tiles_of_several_bodies_and_in_bond_are_one_floor(void)
{
    union_compare(UNION_BODIES, UNION_WHEEL, 0.3, 3, 0.01, 0, 3);
    union_compare(UNION_JUNCTIONS, UNION_WHEEL, 0.3, 3, 0.01, 0, 4);
    union_compare(UNION_JUNCTIONS, UNION_WHEEL, 0, 3, 1.0 / 60, 0, 3);
}

/* Bodies that are moved as given, all in one way. */
static void tiles_that_move_together_are_one_floor(void)
{
    union_compare(UNION_MOVED, UNION_WHEEL, 0.3, 3, 0.01, 0, 3);
    union_compare(UNION_MOVED, UNION_CUBE, 0.3, 3, 0.01, 0, 2);
}

static void misfits_up_to_a_millionth_are_none(void)
{
    const double misfit[4] = { 1e-15, 1e-12, 1e-9, 1e-6 };
    int k;
    test_seed(5);
    for (k = 0; k < 4; k++) {
        union_compare(UNION_BOXES, UNION_WHEEL, 0.3, 3, 0.01, 0.17 * misfit[k] / 2, 2);
        union_compare(UNION_BODIES, UNION_CUBE, 0.3, 3, 0.01, 0.17 * misfit[k] / 2, 2);
        union_compare(UNION_BODIES, UNION_BALL, 0, 3, 0.01, 0.1 * misfit[k] / 2, 2);
    }
}

static void a_ball_goes_over_flush_tiles_as_on_a_plane(void)
{
    union_compare(UNION_BOXES, UNION_BALL, 0, 3, 0.01, 0, 4);
    union_compare(UNION_TRIANGLES, UNION_BALL, 0.3, 3, 1.0 / 60, 0, 4);
}

static void what_is_made_of_flush_parts_moves_as_if_of_one(void)
{
    union_compare(UNION_PLANE, UNION_QUARTERS, 0.3, 3, 0.01, 0, 3);
    union_compare(UNION_BOXES, UNION_QUARTERS, 0.3, 3, 0.01, 0, 3);
    union_compare(UNION_TRIANGLES, UNION_EIGHTS, 0.3, 3, 0.01, 0, 2);
    union_compare(UNION_BODIES, UNION_EIGHTS, 0, 3, 0.01, 0, 2);
}

/* ---- edges that are real ---- */

/* A cube without friction, from the left at speed v, and a floor whose right half is so much higher. Returns how far its front came
 * beyond the step. */
static double union_ledge(double high, double v)
{
    scene *s = union_scene(3, false);
    double far = -1;
    int i;
    scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(-1, 0, -0.5), 1, 0);
    scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(1, 0, high - 0.5), 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), v3(-0.1 - 0.2 * v, 0, 0.1), 2, 0);
    s->bodies[2].velocity.x = (dvc_real)v;
    for (i = 0; i < 60; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        if (fabs((double)s->bodies[2].orientation.y) < 1e-3) far = fmax(far, (double)s->bodies[2].position.x + 0.1);
    }
    scene_free(s);
    return far;
}

static void a_ledge_stops_a_box(void)
{
    CHECK_NEAR(union_ledge(1e-3, 1), 0, 1e-3);
    CHECK_NEAR(union_ledge(2e-4 * 0.2, 1), 0, 1e-3);
    CHECK_NEAR(union_ledge(2e-4 * 0.2, 0.3), 0, 1e-3);
    CHECK(union_ledge(0, 1) > 0.2);
    CHECK(union_ledge(-1e-3, 1) > 0.2);
    CHECK(union_ledge(0.17e-6, 1) > 0.2);
}

/* A ball against a kerb: the normal leads from the kerb's edge to its middle. */
static void a_kerb_tilts(void)
{
    scene *s = union_scene(3, false);
    double least = 1;
    int i, k;
    scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(-1, 0, -0.5), 1, 0);
    scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(1, 0, 0.02 - 0.5), 1, 0);
    scene_sphere(s, 0.1, v3(-0.3, 0, 0.1), 1, 0);
    s->bodies[2].velocity.x = 1;
    for (i = 0; i < 40; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        for (k = 0; k < s->world.contact_count; k++)
            if (s->world.contacts[k].normal_impulse > 0) least = fmin(least, (double)s->world.contacts[k].normal.z);
    }
    CHECK_NEAR(least, 0.8, 0.05);
    CHECK(s->bodies[2].velocity.x < (dvc_real)0.8);
    scene_free(s);
}

/* A roof of two wedges, flush at the ridge; a ball without friction goes over it. What it has at the ridge follows from its height. */
static void a_ridge_takes_nothing(void)
{
    scene *s = union_scene(3, false);
    dvc_vec3 p[6];
    double slope = 0.2, v = 2.5, c = cos(atan(slope)), n = sin(atan(slope)), speed = 0, height = 0;
    int side, i;
    for (side = -1; side <= 1; side += 2) {
        for (i = 0; i < 2; i++) {
            p[3 * i] = v3(0, i ? 1 : -1, 0);
            p[3 * i + 1] = v3(0, i ? 1 : -1, -0.4);
            p[3 * i + 2] = v3(2.0 * side, i ? 1 : -1, -0.4);
        }
        scene_hull(s, DVC_STATIC, p, 6, scene_zero, 1, 0);
    }
    scene_sphere(s, 0.1, v3(-1 - 0.1 * n, 0, -slope + 0.1 * c), 1, 0);
    s->bodies[2].velocity = v3(v * c, 0, v * n);
    for (i = 0; i < 200 && s->bodies[2].position.x < 0; i++) {
        speed = (double)dvci_norm(s->bodies[2].velocity);
        height = (double)s->bodies[2].position.z - (-slope + 0.1 * c);
        CHECK(dvc_step(&s->world, (dvc_real)0.005) == DVC_OK);
    }
    CHECK_NEAR(speed, sqrt(v * v - 2 * 9.81 * height), 0.02);
    CHECK(s->bodies[2].position.x >= 0);
    for (i = 0; i < 100; i++) CHECK(dvc_step(&s->world, (dvc_real)0.005) == DVC_OK);
    CHECK(s->bodies[2].velocity.x > (dvc_real)1.2 && s->bodies[2].position.x > (dvc_real)0.5);
    scene_free(s);
}

/* A wall beside the floor, on it, and through it holds a cube that is pushed against it, and the floor bears it there. */
static void walls_beside_on_and_in_a_floor_hold(void)
{
    const double wall[3][4] = { { 0.1, 1, 0, 0.5 }, { 0.1, 0.5, 0, 0.1 }, { 0.1, 1, -0.2, 0 } }; /* half, half height, foot, reach of the floor */
    int k, i;
    for (k = 0; k < 3; k++) {
        scene *s = union_scene(4, false);
        double edge = k == 0 ? 0 : 1;
        scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(edge - 1, 0, -0.5), 1, 0.3);
        scene_box(s, DVC_STATIC, v3(wall[k][0], 1, wall[k][1]), v3(0.1, 0, k == 0 ? 0 : wall[k][2] + wall[k][1]), 1, 0.3);
        scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), v3(-0.5, 0.1 * k, 0.1), 2, 0.3);
        for (i = 0; i < 100; i++) {
            s->bodies[2].force = v3(10, 0, 0);
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        }
        CHECK_NEAR(s->bodies[2].position.x, -0.1, 1e-6);
        CHECK_NEAR(s->bodies[2].position.z, 0.1, 1e-6);
        CHECK_NEAR(dvci_norm(s->bodies[2].velocity), 0, 1e-6);
        scene_free(s);
    }
}

/* ---- what is told ---- */

/* Under a plate on small tiles the inner ones bear nothing, for its corners do: they are touched all the same. */
static void tiles_under_the_middle_of_a_plate_are_touched(void)
{
    scene *s = union_scene(26, false);
    int i, k, touched = 0;
    bool seen[25] = { false };
    for (i = 0; i < 25; i++) scene_box(s, DVC_STATIC, v3(0.1, 0.1, 0.1), v3(0.2 * (i % 5), 0.2 * (i / 5), -0.1), 1, 0.3);
    scene_box(s, DVC_DYNAMIC, v3(0.35, 0.35, 0.02), v3(0.4, 0.4, 0.02), 2, 0.3);
    for (i = 0; i < 10; i++) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    for (k = 0; k < s->world.contact_count; k++) {
        const dvc_contact *c = &s->world.contacts[k];
        if (c->phase == DVC_STAYS) seen[c->shape_a] = true;
        CHECK(c->chosen || c->normal_impulse == 0);
    }
    for (i = 0; i < 25; i++) touched += seen[i];
    CHECK(touched == 25);
    CHECK(s->world.report.enforced == 4);
    scene_free(s);
}

/* Slabs that lie on the ground in a row, joined for good: a wheel rolls over them. */
static void bodies_joined_for_good_are_one_surface(void)
{
    int phase, i, k;
    for (phase = 0; phase < 4; phase++) {
        scene *s = union_scene(16, false);
        dvc_joint joints[9];
        int wheel;
        double lift = 0, top = 0.2 + 0.2 * cos(TRIAL_PI / UNION_SIDES);
        for (i = 0; i < 10; i++) scene_box(s, DVC_DYNAMIC, v3(0.125, 0.5, 0.1), v3(0.25 * i - 1, 0, 0.1), 300, 0.3);
        scene_ground(s, 0.3);
        wheel = union_body(s, UNION_WHEEL, 0.3);
        memset(joints, 0, sizeof joints);
        for (i = 0; i < 9; i++)
            CHECK(dvc_joint_attach(&s->world, DVC_FIXED, i, i + 1, v3(0.25 * i - 0.875, 0, 0.1), v3(0, 0, 1), &joints[i]) == DVC_OK);
        s->world.joints = joints;
        s->world.joint_count = 9;
        s->bodies[wheel].position = v3(-0.8 + 0.037 * phase, 0.01 * phase, top);
        s->bodies[wheel].velocity.x = 3;
        s->bodies[wheel].angular_velocity.y = 15;
        for (i = 0; i < 50; i++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            lift = fmax(lift, (double)s->bodies[wheel].position.z - top);
            for (k = 0; k < s->world.contact_count; k++)
                if (s->world.contacts[k].body_b == wheel && s->world.contacts[k].normal_impulse > (dvc_real)1e-9)
                    CHECK(s->world.contacts[k].normal.z > (dvc_real)0.999);
        }
        CHECK(lift < 2e-3);
        scene_free(s);
    }
}

/* ---- in the plane, by threads ---- */

static void a_polygon_rolls_over_flush_tiles_as_on_a_line(void)
{
    int phase, floor, i;
    static dvc_vec2 wheel[16], tile[4];
    for (i = 0; i < 16; i++) {
        wheel[i].x = (dvc_real)(0.2 * cos(2 * TRIAL_PI * (i + 0.5) / 16));
        wheel[i].y = (dvc_real)(0.2 * sin(2 * TRIAL_PI * (i + 0.5) / 16));
    }
    for (i = 0; i < 4; i++) {
        tile[i].x = (dvc_real)(i == 1 || i == 2 ? 0.125 : -0.125);
        tile[i].y = (dvc_real)(i > 1 ? 0 : -0.5);
    }
    for (phase = 0; phase < 6; phase++) {
        double lift[3] = { 0, 0, 0 };
        for (floor = 0; floor < 3; floor++) {
            scene *s = union_scene(20, true);
            int body, step, k;
            if (floor == 0) scene_ground(s, 0.5);
            for (k = 0; floor == 1 && k < 12; k++) scene_box(s, DVC_STATIC, v3(0.125, 0.25, 0), v3(0.25 * k - 0.5, -0.25, 0), 1, 0.5);
            for (k = 0; floor == 2 && k < 12; k++) scene_polygon(s, DVC_STATIC, tile, 4, v3(0.25 * k - 0.5, 0, 0), 1, 0.5);
            body = scene_polygon(s, DVC_DYNAMIC, wheel, 16, v3(-0.3 + 0.037 * phase, 0.2 * cos(TRIAL_PI / 16), 0), 100, 0.5);
            s->bodies[body].velocity.x = 3;
            s->bodies[body].angular_velocity.z = -15;
            for (step = 0; step < 60; step++) {
                CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
                lift[floor] = fmax(lift[floor], (double)s->bodies[body].position.y);
                for (k = 0; k < s->world.contact_count; k++)
                    CHECK(!(s->world.contacts[k].normal_impulse > (dvc_real)1e-9) || s->world.contacts[k].normal.y > (dvc_real)0.999);
            }
            CHECK(lift[floor] <= lift[0] + 1e-6);
            scene_free(s);
        }
    }
}

/* Several bodies at once, some of them of parts, on tiles. */
static uint64_t union_crowd(int threads)
{
    scene *s = union_scene(UNION_CAPACITY, false);
    uint64_t hash = 1469598103934665603u;
    int i, k, body[4];
    const unsigned char *bytes;
    union_floor(s, UNION_TRIANGLES, 0, 0.3);
    for (i = 0; i < 3; i++) {
        body[i] = union_body(s, i == 0 ? UNION_EIGHTS : UNION_CUBE, 0.3);
        s->bodies[body[i]].position = v3(-0.6 + 0.7 * i, 0.02 * i, 0.1);
        s->bodies[body[i]].velocity = v3(1 + i, 0.3, 0);
    }
    s->world.threads = threads;
    for (i = 0; i < 40; i++) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    for (i = 0; i < 3; i++)
        for (bytes = (const unsigned char *)&s->bodies[body[i]].position, k = 0; k < (int)sizeof(dvc_vec3); k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    scene_free(s);
    return hash;
}

static void threads_change_no_bit_of_unions(void)
{
    uint64_t one = union_crowd(1);
    int threads;
    for (threads = 2; threads <= 4; threads++) CHECK(union_crowd(threads) == one);
}

/* What the report says of memory is exact: so much does for the same step, to the bit, and less is told. */
static void the_scratch_of_a_union_is_known(void)
{
    scene *s = union_scene(UNION_CAPACITY, false);
    int body, i;
    union_floor(s, UNION_TRIANGLES, 0, 0.3);
    body = union_body(s, UNION_EIGHTS, 0.3);
    s->bodies[body].position = v3(-0.3, 0, 0.1);
    s->bodies[body].velocity = v3(3, 0.3, 0);
    for (i = 0; i < 20; i++) {
        size_t all = s->world.scratch_size;
        dvc_body before = s->bodies[body], after;
        dvc_contact *kept = (dvc_contact *)scene_memory(8192, sizeof *kept);
        int count = s->world.contact_count;
        double time = s->world.time;
        memcpy(kept, s->world.contacts, 8192 * sizeof *kept);
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(dvc_scratch_size(&s->world) >= s->world.report.scratch_used);
        after = s->bodies[body];
        s->world.scratch_size = s->world.report.scratch_used;
        memcpy(s->world.contacts, kept, 8192 * sizeof *kept);
        s->bodies[body] = before;
        s->world.contact_count = count;
        s->world.time = time;
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(memcmp(&after.position, &s->bodies[body].position, sizeof after.position) == 0);
        s->world.scratch_size = all;
        free(kept);
    }
    scene_free(s);
}

static void suite_union(void)
{
    test_state.suite = "union";
    RUN(a_wheel_rolls_over_flush_tiles_as_on_a_plane);
    RUN(a_cube_slides_over_flush_tiles_as_on_a_plane);
    RUN(tiles_of_several_bodies_and_in_bond_are_one_floor);
    RUN(tiles_that_move_together_are_one_floor);
    RUN(misfits_up_to_a_millionth_are_none);
    RUN(a_ball_goes_over_flush_tiles_as_on_a_plane);
    RUN(what_is_made_of_flush_parts_moves_as_if_of_one);
    RUN(a_ledge_stops_a_box);
    RUN(a_kerb_tilts);
    RUN(a_ridge_takes_nothing);
    RUN(walls_beside_on_and_in_a_floor_hold);
    RUN(tiles_under_the_middle_of_a_plate_are_touched);
    RUN(bodies_joined_for_good_are_one_surface);
    RUN(a_polygon_rolls_over_flush_tiles_as_on_a_line);
    RUN(threads_change_no_bit_of_unions);
    RUN(the_scratch_of_a_union_is_known);
}
