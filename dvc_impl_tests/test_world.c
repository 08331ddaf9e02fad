/* Whole steps against closed forms: sliding, rolling, stacks, seams, rows, mass ratios, moving surroundings, scenes without a
 * solution, fast bodies, and the same scene in other units. Tolerances are the marks that the engine is to reach: rounding
 * where the step has a closed form, and its own error terms elsewhere. The literature's step has closed forms of its own.
 *
 * Included by the main file of the tests after oracle.h. */

#define WORLD_G 9.81
#define WORLD_PI 3.14159265358979323846
#define WORLD_SCRATCH ((size_t)1 << 26)

/* Half the height of a box that lies on the ground, and the like: heights at which nothing overlaps. */
static dvc_vec3 world_half(double half) { return v3(half, half, half); }

static double world_speed(const dvc_body *body) { return oracle_norm(body->velocity); }

static dvc_vec3 world_polar(double length, double angle) { return v3(length * cos(angle), length * sin(angle), 0); }

static scene *world_make(int capacity, bool planar, double friction)
{
    scene *s = scene_make(capacity, planar, WORLD_SCRATCH);
    scene_ground(s, friction);
    return s;
}

/* One step that must be solved by the regular way. */
static void world_step(scene *s, double h)
{
    CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
    CHECK(s->world.report.inexact == 0 && s->world.report.fallbacks == 0);
}

/* ---- a sphere slides, then rolls (T 4) ---- */

/* The speed of a unit sphere that started at 2 m/s and is slowed by `deceleration` until it rolls. */
static double world_sphere_speed(double deceleration, double t) { return fmax(2 - deceleration * t, 10.0 / 7); }

/* Slides at 2 m/s toward `heading` and must be slowed as told, straight on. A step goes by the speed of its middle, the literature's by
 * that of its end. */
static void world_slide_sphere(scene *s, double h, double heading, double deceleration)
{
    dvc_body *ball = &s->bodies[scene_sphere(s, 1, v3(0, 0, 1), 1, 0.2)];
    double way = 0;
    int k;
    ball->velocity = world_polar(2, heading);
    for (k = 1; k <= (int)(0.6 / h + 1e-9); k++) {
        double speed = world_sphere_speed(deceleration, k * h), spin = 2.5 * (2 - speed);
        way += h * world_sphere_speed(deceleration, s->world.semi_implicit ? k * h : (k - 0.5) * h);
        world_step(s, h);
        CHECK_NEAR(ball->velocity.x, speed * cos(heading), 1e-12);
        CHECK_NEAR(ball->velocity.y, speed * sin(heading), 1e-12);
        CHECK_NEAR(ball->angular_velocity.x, -spin * sin(heading), 1e-12);
        CHECK_NEAR(ball->angular_velocity.y, spin * cos(heading), 1e-12);
        CHECK_NEAR(ball->angular_velocity.z, 0, 1e-12);
        CHECK_NEAR(ball->position.x, way * cos(heading), 1e-12);
        CHECK_NEAR(ball->position.z, 1, 1e-12);
    }
    CHECK_NEAR(world_speed(ball), 10.0 / 7, 1e-12);
    scene_free(s);
}

static void a_sphere_slides_then_rolls_at_every_step_size(void)
{
    static const double steps[] = { 0.12, 0.05, 0.01, 0.001 };
    int k;
    for (k = 0; k < 8; k++) {
        scene *s = world_make(2, false, 0.2);
        s->world.semi_implicit = k >= 4;
        world_slide_sphere(s, steps[k % 4], 0, 0.2 * WORLD_G);
    }
}

static void a_sphere_slides_then_rolls_in_every_direction(void)
{
    int k;
    for (k = 0; k < 16; k++) world_slide_sphere(world_make(2, false, 0.2), 0.01, 0.1 + k * WORLD_PI / 8, 0.2 * WORLD_G);
}

/* A pyramid of n directions turned half way between two of them holds cos(pi / n) of the cone, straight on. */
static void a_turned_pyramid_slows_by_its_own_width(void)
{
    static const int directions[] = { 4, 6, 8, 12, 16 };
    int k;
    for (k = 0; k < 5; k++) {
        scene *s = world_make(2, false, 0.2);
        s->world.fixed_tangents = true;
        s->world.friction_directions = directions[k];
        s->world.tangent_angle = (dvc_real)(WORLD_PI / directions[k]);
        world_slide_sphere(s, 0.01, 0, 0.2 * WORLD_G * cos(WORLD_PI / directions[k]));
    }
}

static void a_pyramid_with_a_direction_along_the_slip_is_exact(void)
{
    int n;
    for (n = 3; n <= 9; n++) {
        scene *s = world_make(2, false, 0.2);
        s->world.fixed_tangents = true;
        s->world.friction_directions = n;
        s->world.tangent_angle = (dvc_real)(0.3 + WORLD_PI); /* against the slip: odd pyramids are not symmetric */
        world_slide_sphere(s, 0.01, 0.3, 0.2 * WORLD_G);
    }
}

/* Between directions, all friction goes along the nearest one until the slip has turned half way to the next: the error in
 * direction that a pyramid makes. */
static void a_fixed_pyramid_pulls_along_its_nearest_direction(void)
{
    static const int directions[] = { 4, 8 };
    int k, i;
    for (k = 0; k < 2; k++) {
        double heading = 0.5 * WORLD_PI / directions[k], h = 0.002;
        scene *s = world_make(2, false, 0.2);
        dvc_body *ball = &s->bodies[scene_sphere(s, 1, v3(0, 0, 1), 1, 0.2)];
        s->world.fixed_tangents = true;
        s->world.friction_directions = directions[k];
        ball->velocity = world_polar(2, heading);
        for (i = 1; i <= 50; i++) {
            double slowed = 0.2 * WORLD_G * h * i;
            world_step(s, h);
            if (atan2(2 * sin(heading), 2 * cos(heading) - 3.5 * slowed) > WORLD_PI / directions[k]) break;
            CHECK_NEAR(ball->velocity.x, 2 * cos(heading) - slowed, 1e-12);
            CHECK_NEAR(ball->velocity.y, 2 * sin(heading), 1e-12);
        }
        CHECK(i > 20);
        scene_free(s);
    }
}

/* ---- blocks ---- */

/* Where a block stops that starts at `speed`: the sum over the steps while it moves of h v, v that of the middle, or, in the
 * literature's step, of the end. */
static double world_stopping_way(double speed, double friction, double h, bool literature)
{
    double way = 0, v = speed, slowed = friction * WORLD_G * h;
    for (; v > 0; v -= slowed) way += h * fmax(0, v - (literature ? 1 : 0.5) * slowed);
    return way;
}

/* Way and exact way differ in the step in which the block stops: by the eighth part at most of what friction does in a step. The
 * literature's step is behind by half a step, too. */
static void world_launch_block(double half, double speed, double heading, double h, bool literature)
{
    scene *s = world_make(2, false, 0.5);
    dvc_body *block = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(half), v3(0, 0, half), 1, 0.5)];
    double way, lift = 0;
    int k, steps = (int)(speed / (0.5 * WORLD_G * h)) + 20;
    s->world.semi_implicit = literature;
    block->velocity = world_polar(speed, heading);
    for (k = 0; k < steps; k++) {
        world_step(s, h);
        lift = fmax(lift, fabs((double)block->position.z - half));
    }
    way = oracle_dot(block->position, world_polar(1, heading));
    CHECK_NEAR(way, world_stopping_way(speed, 0.5, h, literature), 1e-11);
    if (literature) CHECK_NEAR(way, speed * speed / WORLD_G - speed * h / 2, 0.5 * WORLD_G * h * h / 8 + 1e-12);
    else CHECK_NEAR(way, speed * speed / WORLD_G - 0.5 * WORLD_G * h * h / 16, 0.5 * WORLD_G * h * h / 16 + 1e-12);
    CHECK_NEAR(oracle_dot(block->position, world_polar(1, heading + WORLD_PI / 2)), 0, 1e-12);
    CHECK(lift <= 1e-12 && world_speed(block) <= 1e-12);
    scene_free(s);
}

static void a_launched_cube_neither_lifts_nor_turns(void)
{
    int literature;
    for (literature = 0; literature < 2; literature++) {
        world_launch_block(0.05, 6, 0, 0.01, literature);
        world_launch_block(0.05, 6, 0, 0.002, literature);
        world_launch_block(0.05, 6, 0.7, 1.0 / 60, literature);
        world_launch_block(0.05, 6, 2.3, 1.0 / 30, literature);
    }
}

static void blocks_stop_straight_in_16_directions(void)
{
    int k;
    for (k = 0; k < 32; k++) world_launch_block(0.5, 3, k * WORLD_PI / 8, 0.01, k >= 16);
}

static void a_planar_block_stops_where_it_should(void)
{
    static const double steps[] = { 0.02, 0.01, 0.001 };
    int k;
    for (k = 0; k < 6; k++) {
        scene *s = world_make(2, true, 0.5);
        dvc_body *block = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0.5, 0), 2, 0.5)];
        s->world.semi_implicit = k >= 3;
        block->velocity = v3(3, 0, 0);
        CHECK(scene_run(s, steps[k % 3], 1));
        CHECK_NEAR(block->position.x, world_stopping_way(3, 0.5, steps[k % 3], k >= 3), 1e-12);
        CHECK_NEAR(block->position.y, 0.5, 1e-12);
        CHECK_NEAR(block->velocity.x, 0, 1e-12);
        scene_free(s);
    }
}

/* ---- ramps ---- */

/* A block on a ramp through the origin, uphill along x: the ramp's plane, or a long box turned by the slope. */
static scene *world_ramp(bool planar, bool of_a_box, double slope, double friction)
{
    scene *s = scene_make(2, planar, WORLD_SCRATCH);
    dvc_vec3 up = planar ? v3(-sin(slope), cos(slope), 0) : v3(-sin(slope), 0, cos(slope));
    dvc_quat turn = dvc_quat_turn(planar ? v3(0, 0, 1) : v3(0, -1, 0), (dvc_real)slope);
    int ramp;
    if (of_a_box) ramp = scene_box(s, DVC_STATIC, v3(50, planar ? 1 : 50, 1), oracle_scaled(up, -1), 0, friction);
    else ramp = scene_ground(s, friction);
    if (of_a_box) s->bodies[ramp].orientation = turn;
    else s->shapes[ramp].normal = up;
    scene_box(s, DVC_DYNAMIC, world_half(0.3), oracle_scaled(up, 0.3), 2, friction);
    s->bodies[1].orientation = turn;
    return s;
}

static void blocks_stick_below_the_angle_of_friction_and_do_not_creep(void)
{
    static const double slopes[] = { 20, 26.5, 5 };
    int k, kind;
    for (k = 0; k < 3; k++)
        for (kind = 0; kind < 4; kind++) {
            scene *s = world_ramp(kind & 1, kind & 2, slopes[k] * WORLD_PI / 180, 0.5);
            dvc_vec3 start = s->bodies[1].position;
            int i;
            for (i = 0; i < 500; i++) world_step(s, 0.01);
            CHECK(oracle_norm(oracle_minus(s->bodies[1].position, start)) <= 1e-12);
            CHECK(world_speed(&s->bodies[1]) <= 1e-12);
            scene_free(s);
        }
}

static void blocks_slide_above_the_angle_of_friction_as_they_should(void)
{
    static const double slopes[] = { 26.6, 30, 40 };
    int k, kind, i;
    for (k = 0; k < 3; k++)
        for (kind = 0; kind < 4; kind++) {
            double slope = slopes[k] * WORLD_PI / 180, h = 0.01, a = WORLD_G * (sin(slope) - 0.5 * cos(slope));
            scene *s = world_ramp(kind & 1, kind & 2, slope, 0.5);
            for (i = 1; i <= 100; i++) world_step(s, h);
            CHECK_NEAR(world_speed(&s->bodies[1]), a * 100 * h, 1e-11);
            CHECK_NEAR(s->bodies[1].velocity.x, -a * 100 * h * cos(slope), 1e-11);
            CHECK(oracle_norm(s->bodies[1].angular_velocity) <= 1e-12);
            scene_free(s);
        }
}

/* Rolling takes tan(slope) <= friction (1 + m r^2 / J); beyond, the ball slips and spins up under friction alone. */
static void balls_roll_on_ramps_until_friction_gives_in(void)
{
    static const double slopes[] = { 10, 30, 59, 61, 70 };
    int k, planar, i;
    for (k = 0; k < 5; k++)
        for (planar = 0; planar < 2; planar++) {
            double slope = slopes[k] * WORLD_PI / 180, share = planar ? 0.5 : 0.4, h = 0.01, a, spin;
            scene *s = world_ramp(planar, false, slope, 0.5);
            dvc_body *ball = &s->bodies[1];
            s->shapes[1].kind = DVC_SPHERE;
            s->shapes[1].radius = (dvc_real)0.3;
            scene_mass(s, 1, 3);
            for (i = 0; i < 50; i++) world_step(s, h);
            a = WORLD_G * fmax(sin(slope) / (1 + share), sin(slope) - 0.5 * cos(slope));
            spin = fmin(WORLD_G * sin(slope) / (1 + share), 0.5 * WORLD_G * cos(slope) / share) / 0.3;
            CHECK_NEAR(world_speed(ball), a * 50 * h, 1e-11);
            CHECK_NEAR(oracle_norm(ball->angular_velocity), spin * 50 * h, 1e-10);
            scene_free(s);
        }
}

/* ---- a triangle drops on a larger one (W 5.2.1) ---- */

static const double world_steps[16] = { 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.010, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016 };

#define WORLD_DROP_TIME 1.5
#define WORLD_DROP_FOOT 0.9   /* along the flank, from the apex to below the centre: the apex stays under the face for a while */
#define WORLD_DROP_HEIGHT 1.0 /* of the fall */

/* Where the centre is when the small triangle lies on the right flank, `way` farther down. */
static dvc_vec3 world_drop_place(double way)
{
    double apex = 4.9 * sqrt(3.0) / 2, foot = WORLD_DROP_FOOT + way, inner = 2.45 / sqrt(12.0);
    return v3(foot * 0.5 + inner * cos(WORLD_PI / 6), apex - foot * sqrt(3.0) / 2 + inner * 0.5, 0);
}

static scene *world_drop(double turned)
{
    static dvc_vec2 large[3], small[3];
    scene *s = scene_make(2, true, WORLD_SCRATCH);
    dvc_vec3 start = world_drop_place(0);
    int k;
    for (k = 0; k < 3; k++) {
        double large_angle = WORLD_PI * (0.5 + 2.0 * k / 3), small_angle = WORLD_PI * (1.0 / 6 + 2.0 * k / 3);
        large[k].x = (dvc_real)(4.9 / sqrt(3.0) * cos(large_angle));
        large[k].y = (dvc_real)(4.9 / sqrt(3.0) * sin(large_angle));
        small[k].x = (dvc_real)(2.45 / sqrt(3.0) * cos(small_angle));
        small[k].y = (dvc_real)(2.45 / sqrt(3.0) * sin(small_angle));
    }
    scene_polygon(s, DVC_STATIC, large, 3, v3(0, 4.9 / sqrt(12.0), 0), 1, 0);
    scene_polygon(s, DVC_DYNAMIC, small, 3, v3((double)start.x, (double)start.y + WORLD_DROP_HEIGHT, 0), 1, 0);
    s->bodies[1].mass = 1;
    s->bodies[1].inertia.z = (dvc_real)0.6495;
    s->bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)turned);
    return s;
}

static double world_angle(const dvc_body *body) { return 2 * atan2((double)body->orientation.z, (double)body->orientation.w); }

/* Falls, stops along the flank's normal, slides: the way down the flank since the hit. */
static double world_drop_way(double t)
{
    double hit = sqrt(2 * WORLD_DROP_HEIGHT / WORLD_G), since = fmax(0, t - hit), down = sqrt(3.0) / 2;
    return down * (WORLD_G * hit * since + WORLD_G * since * since / 2);
}

/* One run: it must be where the exact slide is. The hit takes what is along the flank's normal whenever in the step it is, and leaves
 * what is along the flank. */
static void world_check_drop(double h, double epsilon)
{
    scene *s = world_drop(0);
    dvc_body *small = &s->bodies[1];
    double line = oracle_dot(world_drop_place(0), v3(cos(WORLD_PI / 6), 0.5, 0)), t;
    s->world.epsilon = (dvc_real)epsilon;
    for (t = h; t < WORLD_DROP_TIME; t += h) {
        world_step(s, h);
        if (t < sqrt(2 * WORLD_DROP_HEIGHT / WORLD_G) + h || world_drop_way(t) + WORLD_DROP_FOOT > 4.9) continue; /* falls; is past the flank's end */
        CHECK_NEAR(oracle_dot(small->position, v3(cos(WORLD_PI / 6), 0.5, 0)), line, 1e-9);
        CHECK(oracle_norm(oracle_minus(small->position, world_drop_place(world_drop_way(t)))) <= 1e-11);
        CHECK_NEAR(world_angle(small), 0, 1e-9);
    }
    scene_free(s);
}

static void a_triangle_slides_down_a_triangle_at_16_step_sizes(void)
{
    int k;
    for (k = 0; k < 16; k++) {
        world_check_drop(world_steps[k], 0);
        world_check_drop(world_steps[k], 10 * world_steps[k]);
    }
}

enum { WORLD_PATH = 16501 };
typedef struct world_path { int count; double x[WORLD_PATH], y[WORLD_PATH], angle[WORLD_PATH]; } world_path;

static void world_follow_drop(double turned, double h, double time, world_path *path)
{
    scene *s = world_drop(turned);
    int k, steps = (int)(time / h + 1e-9);
    path->count = 0;
    for (k = 0; k < steps; k++) {
        world_step(s, h);
        path->x[path->count] = (double)s->bodies[1].position.x;
        path->y[path->count] = (double)s->bodies[1].position.y;
        path->angle[path->count++] = world_angle(&s->bodies[1]);
    }
    scene_free(s);
}

static double world_off_path(const world_path *path, double x, double y)
{
    double least = ORACLE_FAR;
    int i;
    for (i = 0; i + 1 < path->count; i++) least = fmin(least, oracle_point_segment(v3(x, y, 0), v3(path->x[i], path->y[i], 0), v3(path->x[i + 1], path->y[i + 1], 0)));
    return least;
}

typedef struct world_error { double lag, off, turned; } world_error;

/* The end of a coarse path against the fine one: the distance, in lags of a first-order step, and off its line. */
static world_error world_compare_paths(const world_path *path, double h, const world_path *fine)
{
    int last = path->count - 1, at;
    double t = (last + 1) * h;
    world_error e;
    at = (int)(t / 1e-4 + 0.5) - 1;
    e.lag = hypot(path->x[last] - fine->x[at], path->y[last] - fine->y[at]) / (WORLD_G * h * t / 2);
    e.off = world_off_path(fine, path->x[last], path->y[last]);
    e.turned = fabs(path->angle[last] - fine->angle[at]);
    return e;
}

/* Turned by .15 rad: there is no closed form, so the run with h = 1e-4 is the measure. The corner strikes within a step, and the hit
 * turns the triangle: a part of a step's lag. While it lies on the flank nothing else is left; past the flank's end it turns over the
 * corner, and all errors are of first order. */
static void a_turned_triangle_follows_its_own_fine_path(void)
{
    static world_path fine, path;
    int k, side;
    for (side = -1; side <= 1; side += 2)
        for (world_follow_drop(0.15 * side, 1e-4, 1.1 * WORLD_DROP_TIME, &fine), k = 0; k < 16; k++) {
            double h = world_steps[k];
            world_error e;
            world_follow_drop(0.15 * side, h, 1.05, &path);
            e = world_compare_paths(&path, h, &fine);
            CHECK(e.lag <= 0.06 && e.off <= 1e-9 && e.turned <= 1e-9);
            world_follow_drop(0.15 * side, h, WORLD_DROP_TIME, &path);
            e = world_compare_paths(&path, h, &fine);
            CHECK(e.lag <= 0.08 && e.off <= 0.1 * h && e.turned <= 0.25 * h);
        }
}

/* ---- ten boxes (W 5.2.2) ---- */

static scene *world_stack(bool planar, int count, double friction)
{
    scene *s = scene_make(count, planar, WORLD_SCRATCH);
    int k;
    for (k = 0; k < count; k++) {
        double x = test_random(-0.1, 0.1), y = planar ? 0 : test_random(-0.1, 0.1), height = 0.5 + 1.25 * k;
        scene_box(s, k ? DVC_DYNAMIC : DVC_STATIC, world_half(0.5), planar ? v3(x, height, 0) : v3(x, y, height), 1, friction);
    }
    return s;
}

static double world_height(const scene *s, int body) { return (double)(s->world.planar ? s->bodies[body].position.y : s->bodies[body].position.z); }

/* Falls and comes to rest: nobody moves sideways by more than `drift`, turns, or ends above or below its place. */
static void world_check_stack(scene *s, double h, double drift)
{
    dvc_vec3 start[16];
    int k, i, steps = (int)(1.2 / h);
    for (k = 0; k < s->world.body_count; k++) start[k] = s->bodies[k].position;
    for (i = 0; i < steps; i++) world_step(s, h);
    for (k = 1; k < s->world.body_count; k++) {
        const dvc_body *body = &s->bodies[k];
        dvc_vec3 moved = oracle_minus(body->position, start[k]);
        CHECK_NEAR(world_height(s, k), 0.5 + k, 1e-9);
        CHECK(fabs((double)moved.x) <= drift && (s->world.planar || fabs((double)moved.y) <= drift));
        CHECK(fabs((double)body->orientation.w) >= 1 - 1e-12);
        CHECK(world_speed(body) <= 1e-10 && oracle_norm(body->angular_velocity) <= 1e-10);
    }
    scene_free(s);
}

static void ten_boxes_stand_at_16_step_sizes_without_friction(void)
{
    int k;
    for (k = 0; k < 16; k++) {
        test_seed((uint64_t)k + 100);
        world_check_stack(world_stack(true, 10, 0), world_steps[k], 1e-9);
        if (k % 3 == 0) world_check_stack(world_stack(false, 10, 0), world_steps[k], 1e-9);
    }
}

static void ten_boxes_stand_with_20_sets_of_offsets(void)
{
    int k;
    for (k = 0; k < 20; k++) {
        test_seed((uint64_t)k + 200);
        world_check_stack(world_stack(true, 10, 0), 0.005, 1e-9);
        world_check_stack(world_stack(true, 10, 0), 0.012, 1e-9);
        if (k % 4 == 0) world_check_stack(world_stack(false, 10, 0), 0.016, 1e-9);
    }
}

static void ten_boxes_stand_with_friction(void)
{
    int k;
    for (k = 0; k < 6; k++) {
        test_seed((uint64_t)k + 300);
        world_check_stack(world_stack(true, 10, 0.5), k % 2 ? 0.005 : 0.013, 1e-9);
    }
    world_check_stack(world_stack(false, 6, 0.5), 0.01, 1e-9);
}

/* 5000 steps of the thesis, once. */
static void ten_boxes_do_not_drift_in_5000_steps(void)
{
    scene *s;
    double x[10];
    int k;
    test_seed(400);
    s = world_stack(true, 10, 0);
    for (k = 0; k < 10; k++) x[k] = (double)s->bodies[k].position.x;
    CHECK(scene_run(s, 0.005, 25));
    for (k = 1; k < 10; k++) {
        CHECK_NEAR(s->bodies[k].position.x, x[k], 1e-9);
        CHECK_NEAR(s->bodies[k].position.y, 0.5 + k, 1e-9);
    }
    scene_free(s);
}

/* ---- seams ---- */

/* A floor made of tiles whose tops are at height 0, and how the box crosses it. */
typedef struct world_seam {
    const double (*tiles)[4];  /* x and y of the centre, half widths */
    int tile_count;
    bool planar, hulls;        /* hulls: tiles are polytopes */
    double floor_yaw, box_yaw; /* turns about the vertical */
    double heading;            /* of the box's way over the floor, seen from the floor */
    double thickness;          /* how much thicker each tile is than the one before */
    bool tilted;               /* everything, gravity too, is turned out of the axes */
} world_seam;

static const double world_two_tiles[2][4] = { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } };
static const double world_t_junction[3][4] = { { -1, 0, 1, 1 }, { 1, 1.02, 1, 1 }, { 1, -0.98, 1, 1 } };
static const double world_four_tiles[4][4] = { { -1, -1, 1, 1 }, { 1, -1, 1, 1 }, { -1, 1, 1, 1 }, { 1, 1, 1, 1 } };
static const double world_overlapping[3][4] = { { -1, 0, 1, 1 }, { 0.9, 0, 1, 1 }, { 2, 0, 1.5, 1 } };

static dvc_quat world_tilt(bool tilted) { return dvc_quat_turn(v3(0.3, 0.5, -0.7), tilted ? (dvc_real)1.1 : 0); }

/* A tile, turned about the vertical. */
static void world_add_tile(scene *s, const world_seam *seam, int k)
{
    double depth = 0.5 + seam->thickness * k;
    const double *t = seam->tiles[k];
    dvc_vec3 half = seam->planar ? v3(t[2], depth, 0) : v3(t[2], t[3], depth), at = seam->planar ? v3(t[0], -depth, 0) : v3(t[0], t[1], -depth);
    dvc_vec3 corner[8];
    int i, tile;
    for (i = 0; i < 8; i++) corner[i] = v3(i & 1 ? t[2] : -t[2], i & 2 ? t[3] : -t[3], i & 4 ? depth : -depth);
    if (seam->hulls) tile = scene_hull(s, DVC_STATIC, corner, 8, at, 1, 0);
    else tile = scene_box(s, DVC_STATIC, half, at, 0, 0);
    if (seam->planar) return;
    s->bodies[tile].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)seam->floor_yaw);
    s->bodies[tile].position = oracle_turn(s->bodies[tile].orientation, at);
}

/* Turns a whole scene about the origin. */
static void world_turn_scene(scene *s, dvc_quat by)
{
    int i;
    for (i = 0; i < s->world.body_count; i++) {
        dvc_body *b = &s->bodies[i];
        dvc_quat q = b->orientation;
        if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) q.w = 1;
        b->position = oracle_turn(by, b->position);
        b->velocity = oracle_turn(by, b->velocity);
        b->angular_velocity = oracle_turn(by, b->angular_velocity);
        b->orientation = oracle_compose(by, q);
    }
    s->world.gravity = oracle_turn(by, s->world.gravity);
}

/* A box of .2 m crosses the origin at 2 m/s: its velocity, its height and its pose may not change. */
static void world_cross_seam(const world_seam *seam, double h, double phase)
{
    scene *s = scene_make(seam->tile_count + 1, seam->planar, WORLD_SCRATCH);
    double heading = seam->heading + seam->floor_yaw, start = 0.25 + phase, t = 0;
    dvc_vec3 way = seam->planar ? v3(1, 0, 0) : world_polar(1, heading), up = seam->planar ? v3(0, 1, 0) : v3(0, 0, 1);
    dvc_quat tilt = world_tilt(seam->tilted), facing = dvc_quat_turn(v3(0, 0, 1), seam->planar ? 0 : (dvc_real)(heading + seam->box_yaw));
    dvc_body *box;
    int k;
    for (k = 0; k < seam->tile_count; k++) world_add_tile(s, seam, k);
    box = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.1), oracle_along(oracle_scaled(way, -start), up, 0.1), 1, 0)];
    box->velocity = oracle_scaled(way, 2);
    box->orientation = facing;
    world_turn_scene(s, tilt);
    way = oracle_turn(tilt, way);
    up = oracle_turn(tilt, up);
    while (2 * t < start + 0.25) {
        world_step(s, h);
        t += h;
    }
    CHECK(oracle_norm(oracle_along(box->velocity, way, -2)) <= 1e-9);
    CHECK(oracle_norm(oracle_along(oracle_along(box->position, up, -0.1), way, start - 2 * t)) <= 1e-9);
    CHECK(oracle_norm(box->angular_velocity) <= 1e-9);
    scene_free(s);
}

static void world_cross_in_phases(const world_seam *seam, double h, int phases)
{
    int k;
    for (k = 0; k < phases; k++) world_cross_seam(seam, h, k * 0.0007 * 100 / phases);
}

static void world_cross_at_all_steps(const world_seam *seam, int phases)
{
    world_cross_in_phases(seam, 1.0 / 30, phases);
    world_cross_in_phases(seam, 1.0 / 60, phases);
    world_cross_in_phases(seam, 0.01, phases);
    world_cross_in_phases(seam, 0.002, phases / 5);
}

static world_seam world_seam_of(const double (*tiles)[4], int count)
{
    world_seam seam;
    memset(&seam, 0, sizeof seam);
    seam.tiles = tiles;
    seam.tile_count = count;
    return seam;
}

static void flush_seams_are_not_felt(void)
{
    world_seam seam = world_seam_of(world_two_tiles, 2);
    world_cross_at_all_steps(&seam, 100);
    seam.planar = true;
    world_cross_at_all_steps(&seam, 100);
    seam.thickness = 0.3; /* a different bottom */
    world_cross_at_all_steps(&seam, 50);
    seam.planar = false;
    world_cross_at_all_steps(&seam, 25);
}

static void t_junctions_and_overlapping_tiles_are_not_felt(void)
{
    world_seam seam = world_seam_of(world_t_junction, 3);
    world_cross_at_all_steps(&seam, 25);
    seam.box_yaw = 0.3;
    world_cross_at_all_steps(&seam, 25);
    seam = world_seam_of(world_overlapping, 3);
    world_cross_at_all_steps(&seam, 25);
    seam.planar = true;
    seam.thickness = 0.2;
    world_cross_at_all_steps(&seam, 50);
}

static void corners_of_four_tiles_are_not_felt(void)
{
    world_seam seam = world_seam_of(world_four_tiles, 4);
    seam.heading = WORLD_PI / 4; /* straight over the corner */
    world_cross_at_all_steps(&seam, 25);
    seam.heading = 0.3;
    seam.box_yaw = 0.4;
    world_cross_at_all_steps(&seam, 25);
    seam.box_yaw = -0.3; /* its edges are the tiles' edges */
    world_cross_at_all_steps(&seam, 25);
}

static void turned_tiles_and_hulls_are_not_felt(void)
{
    world_seam seam = world_seam_of(world_t_junction, 3);
    seam.floor_yaw = 0.37;
    seam.heading = -0.2;
    world_cross_at_all_steps(&seam, 25);
    seam.hulls = true;
    world_cross_at_all_steps(&seam, 25);
    seam.floor_yaw = 0;
    seam.heading = 0;
    world_cross_at_all_steps(&seam, 25);
}

static void seams_are_not_felt_when_everything_is_tilted(void)
{
    world_seam seam = world_seam_of(world_two_tiles, 2);
    seam.tilted = true;
    world_cross_at_all_steps(&seam, 25);
    seam = world_seam_of(world_four_tiles, 4);
    seam.tilted = seam.hulls = true;
    seam.heading = WORLD_PI / 4;
    seam.box_yaw = 0.2;
    world_cross_at_all_steps(&seam, 25);
}

/* ---- a floor of tiles ---- */

static void world_cross_tiles(bool planar, double friction, double h)
{
    int columns = 20, rows = planar ? 1 : 6, i, k, steps = (int)(1.5 / h);
    scene *s = scene_make(columns * rows + 1, planar, WORLD_SCRATCH);
    double lift = 0, t = 0, way = 0, slowed, before;
    dvc_body *box;
    for (i = 0; i < columns; i++)
        for (k = 0; k < rows; k++) scene_box(s, DVC_STATIC, world_half(0.5), planar ? v3(i, -0.5, 0) : v3(i, k, -0.5), 0, friction);
    box = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.25), planar ? v3(0.1, 0.25, 0) : v3(0.1, 2.1, 0.25), 1, friction)];
    box->velocity = planar ? v3(4, 0, 0) : v3(4, 1, 0);
    for (k = 0; k < steps; k++) {
        before = world_speed(box);
        world_step(s, h);
        t += h;
        slowed = friction * WORLD_G * t;
        way += h * (before + world_speed(box)) / 2;
        lift = fmax(lift, fabs(world_height(s, columns * rows) - 0.25));
        CHECK_NEAR(world_speed(box), (planar ? 4 : sqrt(17.0)) - slowed, 1e-9);
    }
    CHECK(lift <= 1e-9);
    CHECK_NEAR(box->position.x, 0.1 + way * (planar ? 1 : 4 / sqrt(17.0)), 1e-9);
    CHECK_NEAR(way, (planar ? 4 : sqrt(17.0)) * t - friction * WORLD_G * t * t / 2, 1e-9);
    CHECK(oracle_norm(box->angular_velocity) <= 1e-9);
    scene_free(s);
}

static void boxes_cross_tiles_without_bump_or_loss(void)
{
    int friction;
    for (friction = 0; friction < 2; friction++) {
        world_cross_tiles(true, 0.1 * friction, 0.01);
        world_cross_tiles(true, 0.1 * friction, 1.0 / 60);
        world_cross_tiles(true, 0.1 * friction, 0.002);
        world_cross_tiles(false, 0.1 * friction, 0.01);
        world_cross_tiles(false, 0.1 * friction, 1.0 / 60);
    }
}

/* ---- a row of inelastic hits (W 5.4) ---- */

static const double world_row_mass[5] = { 1.5, 1, 0.25, 0.12, 0.8 };

static void world_hit_row(bool planar, dvc_shape_kind kind, double gap, double h)
{
    scene *s = scene_make(5, planar, WORLD_SCRATCH);
    double total;
    int k, i, steps = (int)(14 * gap / 0.8 / h) + 5;
    s->world.gravity = scene_zero;
    for (k = 0; k < 5; k++) {
        if (kind == DVC_SPHERE) scene_sphere(s, 0.5, v3((1 + gap) * k, 0, 0), world_row_mass[k], 0);
        else scene_box(s, DVC_DYNAMIC, world_half(0.5), v3((1 + gap) * k, 0, 0), world_row_mass[k], 0);
    }
    s->bodies[0].velocity = v3(2, 0, 0);
    for (i = 0; i < steps; i++) {
        world_step(s, h);
        for (total = 0, k = 0; k < 5; k++) total += world_row_mass[k] * (double)s->bodies[k].velocity.x;
        CHECK_NEAR(total, 3, 1e-12);
    }
    for (k = 0; k < 5; k++) {
        CHECK_NEAR(s->bodies[k].velocity.x, 3 / 3.67, 1e-12);
        CHECK_NEAR(s->bodies[k].position.y, 0, 1e-12);
        if (k) CHECK_NEAR(s->bodies[k].position.x - s->bodies[k - 1].position.x, 1, 1e-9);
    }
    scene_free(s);
}

static void a_row_of_hits_keeps_momentum_and_ends_together(void)
{
    static const double steps[] = { 0.1, 0.01, 0.001 };
    int k;
    for (k = 0; k < 3; k++) {
        world_hit_row(false, DVC_BOX, 0.3, steps[k]);
        world_hit_row(false, DVC_SPHERE, 0.3, steps[k]);
        world_hit_row(true, DVC_BOX, 0.137, steps[k]);
        world_hit_row(true, DVC_SPHERE, 0.3, steps[k]);
        world_hit_row(true, DVC_SPHERE, 0.017, steps[k]);
    }
}

/* ---- masses ---- */

static double world_impulse_up(const scene *s, const dvc_contact *c) { return (double)(s->world.planar ? c->impulse.y : c->impulse.z); }

/* What the ground carries: shape 0, in every scene of this file. */
static double world_carried(const scene *s)
{
    double sum = 0;
    int i;
    for (i = 0; i < s->world.contact_count; i++)
        if (s->world.contacts[i].body_a == 0) sum += world_impulse_up(s, &s->world.contacts[i]);
    return sum;
}

/* A pile of unit boxes, a little to the side of each other, on the ground. */
static scene *world_pile(bool planar, const double *mass, int count, double friction)
{
    scene *s = world_make(count + 1, planar, friction);
    int k;
    for (k = 0; k < count; k++) {
        double side = k % 2 ? 0.05 : 0, height = 0.5 + k;
        scene_box(s, DVC_DYNAMIC, world_half(0.5), planar ? v3(side, height, 0) : v3(side, -side, height), mass[k], friction);
    }
    return s;
}

static void world_check_pile(bool planar, const double *mass, int count, double friction)
{
    scene *s = world_pile(planar, mass, count, friction);
    double total = 0;
    int i, k;
    for (k = 0; k < count; k++) total += mass[k];
    for (i = 0; i < 500; i++) world_step(s, 0.01);
    for (k = 0; k < count; k++) {
        const dvc_vec3 v = s->bodies[k + 1].velocity;
        CHECK_NEAR(world_height(s, k + 1), 0.5 + k, 1e-9);
        CHECK(fabs((double)(planar ? v.y : v.z)) <= 1e-9);
        if (friction > 0) CHECK(world_speed(&s->bodies[k + 1]) <= 1e-9); /* a smooth light box under a load creeps by rounding */
    }
    CHECK_NEAR(world_carried(s), total * WORLD_G * 0.01, 1e-9 * total);
    scene_free(s);
}

static void boxes_carry_up_to_a_million_times_their_mass(void)
{
    double mass[3];
    int k, kind;
    for (k = 1; k <= 6; k++)
        for (kind = 0; kind < 4; kind++) {
            mass[0] = 1;
            mass[1] = pow(10, k);
            world_check_pile(kind & 1, mass, 2, kind & 2 ? 0.5 : 0);
            mass[0] = mass[1];
            mass[1] = 1;
            mass[2] = mass[0];
            world_check_pile(kind & 1, mass, 3, kind & 2 ? 0.5 : 0);
        }
}

static void the_ground_carries_the_weight_of_any_mass(void)
{
    int k, kind;
    for (k = -9; k <= 6; k++)
        for (kind = 0; kind < 2; kind++) {
            double mass[2], weight;
            scene *s;
            mass[0] = pow(10, k);
            mass[1] = 1.7 * mass[0];
            weight = (mass[0] + mass[1]) * WORLD_G * 0.01;
            s = world_pile(kind, mass, 2, 0.3);
            world_step(s, 0.01);
            CHECK_NEAR(world_carried(s), weight, 1e-12 * weight);
            CHECK_NEAR(world_height(s, 1), 0.5, 1e-12);
            scene_free(s);
        }
}

/* ---- units ---- */

enum { WORLD_POUR = 10 };

/* What is poured. Where flat faces slide with friction in space, four contacts share the load in more than one way, and
 * rounding decides which: such a pour is compared only where there is no rounding to differ. */
typedef enum world_pour_kind { WORLD_PLANAR, WORLD_SMOOTH, WORLD_BALLS, WORLD_ROUGH, WORLD_POUR_KINDS } world_pour_kind;

/* A bowl of walls on the ground; all lengths in units of u. */
static void world_add_bowl(scene *s, double u, double friction)
{
    int k, planar = s->world.planar;
    scene_ground(s, friction);
    for (k = 0; k < (planar ? 2 : 4); k++) {
        double at = (k % 2 ? 1.6 : -1.6) * u;
        if (planar) scene_box(s, DVC_STATIC, v3(0.5 * u, 3 * u, 0), v3(at, 0, 0), 0, friction);
        else if (k < 2) scene_box(s, DVC_STATIC, v3(0.5 * u, 2 * u, 3 * u), v3(at, 0, 0), 0, friction);
        else scene_box(s, DVC_STATIC, v3(2 * u, 0.5 * u, 3 * u), v3(0, at, 0), 0, friction);
    }
}

/* Boxes and balls above a bowl, all lengths times `length`, in time units that keep g. */
static scene *world_pour(world_pour_kind kind, double length, double mass)
{
    bool planar = kind == WORLD_PLANAR;
    scene *s = scene_make(WORLD_POUR + 5, planar, WORLD_SCRATCH);
    double u = length, speed = sqrt(length), friction = kind == WORLD_SMOOTH ? 0 : 0.3;
    int k;
    world_add_bowl(s, u, friction);
    for (k = 0; k < WORLD_POUR; k++) {
        double x = test_random(-0.6, 0.6) * u, y = test_random(-0.6, 0.6) * u, z = (0.4 + 0.6 * k) * u, size = test_random(0.1, 0.17) * u;
        dvc_vec3 at = planar ? v3(x, z, 0) : v3(x, y, z), half = test_vec(size, test_random(0.1, 0.17) * u, test_random(0.1, 0.17) * u);
        bool ball = kind == WORLD_BALLS || k % 3 == 2;
        int body = ball ? scene_sphere(s, size, at, mass, friction) : scene_box(s, DVC_DYNAMIC, half, at, mass, friction);
        s->bodies[body].angular_velocity = test_vec(planar ? 0 : test_random(-3, 3) / speed, planar ? 0 : test_random(-3, 3) / speed, test_random(-3, 3) / speed);
        s->bodies[body].velocity = v3(test_random(-1, 1) * speed, 0, 0);
    }
    return s;
}

/* A scene of another size, mass and duration, against the one of size 1. */
static void world_compare_units(int seed, world_pour_kind kind, double length, double mass, double tolerance)
{
    scene *s[2];
    int k, i, step;
    for (k = 0; k < 2; k++) {
        test_seed((uint64_t)seed);
        s[k] = world_pour(kind, k ? length : 1, k ? mass : 1);
    }
    for (step = 0; step < 100; step++)
        for (k = 0; k < 2; k++) CHECK(dvc_step(&s[k]->world, (dvc_real)(0.01 * (k ? sqrt(length) : 1))) == DVC_OK);
    for (i = 0; i < s[0]->world.body_count; i++) {
        dvc_vec3 d = oracle_along(oracle_scaled(s[1]->bodies[i].position, 1 / length), s[0]->bodies[i].position, -1);
        CHECK_NEAR(oracle_norm(d), 0, tolerance);
        CHECK_NEAR(s[1]->bodies[i].orientation.w, s[0]->bodies[i].orientation.w, tolerance);
    }
    CHECK_NEAR(s[1]->world.report.contacts, s[0]->world.report.contacts, 4); /* those at the edge of reach come and go with rounding */
    CHECK(s[0]->world.report.contacts > 5);
    for (k = 0; k < 2; k++) scene_free(s[k]);
}

/* Units that are powers of two change no rounding: any difference is a tolerance that has a unit. */
static void units_that_are_powers_of_two_change_no_bit(void)
{
    int seed;
    for (seed = 1; seed <= 4; seed++) {
        world_pour_kind kind = (world_pour_kind)(seed % WORLD_POUR_KINDS);
        world_compare_units(seed, kind, 1.0 / 1024, 1, 0);
        world_compare_units(seed, kind, 64, 1, 0);
        world_compare_units(seed, kind, 1, ldexp(1, 20), 0);
        world_compare_units(seed, kind, 1.0 / 1024, ldexp(1, -30), 0);
    }
}

/* The corners of two nearly flush faces share a load in more than one way, too, but there hardly anything depends on it. */
static void scenes_of_a_millimetre_and_of_100_metres_move_alike(void)
{
    int seed, kind;
    for (seed = 1; seed <= 4; seed++)
        for (kind = 0; kind < WORLD_ROUGH; kind++) {
            double tolerance = kind == WORLD_SMOOTH ? 1e-6 : 1e-9;
            world_compare_units(seed, (world_pour_kind)kind, 1e-3, 1e-9, tolerance);
            world_compare_units(seed, (world_pour_kind)kind, 100, 1e6, tolerance);
        }
}

/* ---- moving surroundings ---- */

static void world_push(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)orientation;
    *position = v3(-2 + *(const double *)user * (double)t, 0, 0.5);
}

/* The pusher reaches the box, takes it along, and stays flush. */
static void a_pusher_takes_a_box_along(void)
{
    double speed, h;
    for (speed = 0.25; speed < 5; speed *= 2)
        for (h = 0.002; h < 0.02; h *= 2) {
            scene *s = world_make(3, false, 0.3);
            int pusher = scene_box(s, DVC_KINEMATIC, v3(0.5, 3, 0.4), v3(-2, 0, 0.5), 0, 0), k;
            const dvc_body *box = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0, 0.5), 2, 0.3)];
            double force = 0;
            s->bodies[pusher].motion = world_push;
            s->bodies[pusher].user = &speed;
            for (k = 0; k < (int)(1.5 / (speed * h)); k++) world_step(s, h);
            CHECK_NEAR(box->position.x - s->bodies[pusher].position.x, 1, 1e-9);
            CHECK_NEAR(box->velocity.x, speed, 1e-9);
            CHECK_NEAR(box->position.z, 0.5, 1e-9);
            for (k = 0; k < s->world.contact_count; k++)
                if (s->world.contacts[k].shape_a == pusher) force += (double)s->world.contacts[k].impulse.x / h;
            CHECK_NEAR(force, 0.3 * 2 * WORLD_G, 1e-7);
            scene_free(s);
        }
}

/* A belt that runs in any direction brings a box to its speed at the rate of friction, and then carries it. */
static void a_conveyor_brings_a_box_to_its_speed(void)
{
    int k, i;
    for (k = 0; k < 8; k++) {
        double heading = 0.2 + k * WORLD_PI / 4, h = 0.01;
        scene *s = world_make(2, false, 0.3);
        const dvc_body *box = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0, 0.5), 2, 0.3)];
        s->shapes[0].surface_velocity = world_polar(1, heading);
        for (i = 1; i <= 60; i++) {
            world_step(s, h);
            CHECK_NEAR(world_speed(box), fmin(1, 0.3 * WORLD_G * i * h), 1e-11);
            CHECK_NEAR(oracle_dot(box->velocity, world_polar(1, heading)), world_speed(box), 1e-11);
        }
        scene_free(s);
    }
}

typedef struct world_lift { double depth, rate; } world_lift;

static void world_ride(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    const world_lift *lift = (const world_lift *)user;
    (void)orientation;
    *position = v3(0, 0, -lift->depth * (1 - cos(lift->rate * (double)t)));
}

static scene *world_lift_scene(world_lift *lift)
{
    scene *s = scene_make(2, false, WORLD_SCRATCH);
    scene_box(s, DVC_KINEMATIC, v3(2, 2, 0.5), scene_zero, 0, 0.3);
    s->bodies[0].motion = world_ride;
    s->bodies[0].user = lift;
    scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0, 1), 2, 0.3);
    return s;
}

static void a_slow_lift_keeps_its_passenger(void)
{
    world_lift lift;
    scene *s;
    int k;
    lift.depth = 1;
    lift.rate = 3; /* 9 m/s^2: less than g */
    s = world_lift_scene(&lift);
    for (k = 0; k < 400; k++) {
        world_step(s, 0.01);
        CHECK_NEAR(s->bodies[1].position.z - s->bodies[0].position.z, 1, 1e-9);
        CHECK_NEAR(s->bodies[1].velocity.z, s->bodies[0].velocity.z, 1e-7);
    }
    scene_free(s);
}

/* Faster than g downward: the passenger falls freely, and the lift meets it again without overlap. */
static void a_fast_lift_leaves_its_passenger_behind(void)
{
    world_lift lift;
    scene *s;
    double worst = 0, highest = 0;
    int k;
    lift.depth = 1;
    lift.rate = 6;
    s = world_lift_scene(&lift);
    for (k = 1; k <= 300; k++) {
        double over;
        world_step(s, 0.01);
        if (k == 10) CHECK_NEAR(s->bodies[1].velocity.z, -WORLD_G * 0.1, 1e-9);
        over = (double)(s->bodies[1].position.z - s->bodies[0].position.z) - 1;
        worst = fmin(worst, over);
        highest = fmax(highest, over);
    }
    CHECK(worst >= -1e-9 && highest > 0.1);
    scene_free(s);
}

/* A kinematic body without motion moves by its velocity, and turns. */
static void a_turning_platform_carries_a_box_round(void)
{
    scene *s = scene_make(2, false, WORLD_SCRATCH);
    double rate = 0.7, h = 0.002;
    int k;
    scene_box(s, DVC_KINEMATIC, v3(3, 3, 0.5), v3(0, 0, -0.5), 0, 1);
    scene_box(s, DVC_DYNAMIC, world_half(0.2), v3(1.5, 0, 0.2), 1, 1);
    s->bodies[0].angular_velocity = v3(0, 0, rate);
    s->bodies[1].angular_velocity = v3(0, 0, rate);
    s->bodies[1].velocity = v3(0, 1.5 * rate, 0);
    for (k = 0; k < 500; k++) world_step(s, h);
    CHECK_NEAR(atan2((double)s->bodies[1].position.y, (double)s->bodies[1].position.x), rate, 1e-3);
    CHECK_NEAR(hypot((double)s->bodies[1].position.y, (double)s->bodies[1].position.x), 1.5, 2e-3);
    CHECK_NEAR(world_angle(&s->bodies[1]), rate, 1e-3);
    CHECK_NEAR(world_angle(&s->bodies[0]), rate, 1e-9);
    scene_free(s);
}

/* ---- scenes without a solution, and deep starts ---- */

typedef struct world_trouble { double fastest, spin; int inexact, fallbacks; } world_trouble;

/* Steps without an error, whatever the world is like; the largest speed seen, and what was counted. */
static world_trouble world_watch(scene *s, double h, int steps)
{
    world_trouble t;
    int i, k;
    memset(&t, 0, sizeof t);
    for (i = 0; i < steps; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
        t.inexact += s->world.report.inexact > 0;
        t.fallbacks += s->world.report.fallbacks > 0;
        for (k = 0; k < s->world.body_count; k++) {
            if (s->bodies[k].kind != DVC_DYNAMIC) continue;
            t.fastest = fmax(t.fastest, world_speed(&s->bodies[k]));
            t.spin = fmax(t.spin, oracle_norm(s->bodies[k].angular_velocity));
        }
    }
    return t;
}

/* A floor, a ceiling, and a unit box that does not fit between them. */
static scene *world_sandwich(bool planar, double gap)
{
    scene *s = scene_make(3, planar, WORLD_SCRATCH);
    dvc_vec3 half = planar ? v3(5, 0.5, 0) : v3(5, 5, 0.5);
    scene_box(s, DVC_STATIC, half, planar ? v3(0, -0.5, 0) : v3(0, 0, -0.5), 0, 0.3);
    scene_box(s, DVC_STATIC, half, planar ? v3(0, gap + 0.5, 0) : v3(0, 0, gap + 0.5), 0, 0.3);
    scene_box(s, DVC_DYNAMIC, world_half(0.5), planar ? v3(0, gap / 2, 0) : v3(0, 0, gap / 2), 1, 0.3);
    return s;
}

static void a_box_between_plates_too_close_for_it_stays_and_is_counted(void)
{
    int planar;
    for (planar = 0; planar < 2; planar++) {
        scene *s = world_sandwich(planar, 0.9);
        int steps = planar ? 100 : 10;
        world_trouble t = world_watch(s, 0.01, steps);
        CHECK(t.inexact == steps && t.fallbacks > 0);
        CHECK(t.fastest <= 3.2 && t.spin <= 1);
        CHECK_NEAR(world_height(s, 2), 0.45, 0.1);
        CHECK(world_speed(&s->bodies[2]) <= 0.1);
        CHECK(s->world.report.worst_gap <= -0.04);
        scene_free(s);
    }
}

static void a_strict_world_refuses_what_has_no_solution(void)
{
    scene *s = world_sandwich(false, 0.9);
    dvc_body before = s->bodies[2];
    s->world.strict = true;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_ERROR_NOT_SOLVED);
    CHECK(memcmp(&before, &s->bodies[2], sizeof before) == 0 && s->world.time == 0);
    scene_free(s);
}

/* A jaw closes on a box to half its height and opens again. */
static void world_jaw(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)orientation;
    (void)user;
    *position = v3(0, 0, 0.5 + 1.6 - 0.3 * fmin((double)t, fmax(7 - (double)t, 0)));
}

static void a_squeezed_box_does_not_explode(void)
{
    scene *s = world_sandwich(false, 1.6);
    world_trouble t;
    s->bodies[1].kind = DVC_KINEMATIC;
    s->bodies[1].motion = world_jaw;
    s->bodies[2].position.z = (dvc_real)0.5;
    t = world_watch(s, 0.01, 199); /* touches at t = 2 */
    CHECK(t.inexact == 0 && t.fastest <= 1e-9);
    t = world_watch(s, 0.01, 8); /* 2 cm deep */
    CHECK(t.inexact >= 6);
    CHECK(t.fastest <= 4 && t.spin <= 4);
    t = world_watch(s, 0.2, 30); /* half the height is left, then it opens again */
    CHECK(t.fastest <= 4 && t.spin <= 4);
    CHECK(world_speed(&s->bodies[2]) <= 1e-9 && fabs(world_height(s, 2) - 0.5) <= 1e-9);
    scene_free(s);
}

/* A box that starts half inside the ground: is moved out at the speed of recovery, without any speed of its own, and rests. In the
 * literature's step it has that speed. */
static void world_spawn_deep(bool planar, bool on_plane, double depth, double recovery, bool literature)
{
    scene *s = scene_make(2, planar, WORLD_SCRATCH);
    double h = 0.01, limit = recovery > 0 ? recovery : sqrt(WORLD_G * (planar ? sqrt(0.5) : sqrt(0.75)));
    world_trouble t;
    if (on_plane) scene_ground(s, 0.3);
    else scene_box(s, DVC_STATIC, planar ? v3(4, 2, 0) : v3(4, 4, 2), planar ? v3(0, -2, 0) : v3(0, 0, -2), 0, 0.3);
    scene_box(s, DVC_DYNAMIC, world_half(0.5), planar ? v3(0.1, 0.5 - depth, 0) : v3(0.1, 0.2, 0.5 - depth), 1, 0.3);
    s->world.recovery_speed = (dvc_real)recovery;
    s->world.semi_implicit = literature;
    CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
    CHECK_NEAR(world_speed(&s->bodies[1]), literature ? fmin(limit, depth / h) : 0, literature ? 1e-9 : 1e-13);
    CHECK_NEAR(world_height(s, 1), 0.5 - depth + fmin(limit * h, depth), 1e-11);
    t = world_watch(s, h, 199);
    CHECK(t.fastest <= (literature ? limit + 1e-9 : 1e-13));
    CHECK_NEAR(world_height(s, 1), 0.5, 1e-9);
    CHECK(world_speed(&s->bodies[1]) <= 1e-9);
    scene_free(s);
}

static void bodies_that_start_deep_come_out_at_the_speed_of_recovery(void)
{
    int kind;
    for (kind = 0; kind < 8; kind++) {
        world_spawn_deep(kind & 1, kind & 2, 0.45, 0, kind & 4);
        world_spawn_deep(kind & 1, kind & 2, 0.45, 1, kind & 4);
        world_spawn_deep(kind & 1, kind & 2, 0.3, 0.5, kind & 4);
        world_spawn_deep(kind & 1, kind & 2, 0.001, 0, kind & 4);
    }
}

static void a_corner_that_starts_deep_comes_out_gently(void)
{
    int seed;
    for (seed = 1; seed <= 10; seed++) {
        scene *s = scene_make(2, false, WORLD_SCRATCH);
        world_trouble t;
        test_seed((uint64_t)seed);
        scene_box(s, DVC_STATIC, v3(4, 4, 2), v3(0, 0, -2), 0, 0.3);
        scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0, 0.866 - 0.3), 1, 0.3);
        s->bodies[1].orientation = dvc_quat_turn(v3(1, -1, 0), (dvc_real)0.9553);
        s->bodies[1].orientation = oracle_compose(dvc_quat_turn(test_vec(test_random(-1, 1), test_random(-1, 1), 1), (dvc_real)0.1), s->bodies[1].orientation);
        t = world_watch(s, 0.01, 400);
        CHECK(t.fastest <= 4 && t.spin <= 12); /* a speed of recovery of 2.9 m/s, and the fall from it */
        CHECK(oracle_deepest(&s->world) >= -1e-9 && world_height(s, 1) <= 0.5 + 1e-9);
        scene_free(s);
    }
}

/* ---- fast bodies ---- */

typedef enum world_bullet { WORLD_PARTICLE, WORLD_BALL, WORLD_CUBE } world_bullet;

static int world_add_bullet(scene *s, world_bullet kind, dvc_vec3 at)
{
    int body = kind == WORLD_CUBE ? scene_box(s, DVC_DYNAMIC, world_half(0.05), at, 1, 0) : scene_sphere(s, kind == WORLD_BALL ? 0.05 : 0, at, 1, 0);
    if (kind == WORLD_CUBE && !s->world.planar)
        s->bodies[body].orientation = dvc_quat_turn(test_vec(test_random(-1, 1), test_random(-1, 1), 1), (dvc_real)test_random(0, 3));
    return body;
}

/* Flies at a plate, 10 m wide and 1 cm thick, which lies in the plane of the first two axes, and must stay on its side. */
static void world_shoot(bool planar, world_bullet kind, double speed, double slant)
{
    scene *s = scene_make(2, planar, WORLD_SCRATCH);
    dvc_vec3 up = planar ? v3(0, 1, 0) : v3(0, 0, 1), aside = planar ? v3(1, 0, 0) : world_polar(1, test_random(0, 6));
    double phase = test_random(0.1, 0.1 + 0.012 * speed);
    int bullet, i;
    s->world.gravity = scene_zero;
    scene_box(s, DVC_STATIC, planar ? v3(5, 0.005, 0) : v3(5, 5, 0.005), scene_zero, 0, 0);
    bullet = world_add_bullet(s, kind, oracle_scaled(up, 0.005 + phase));
    s->bodies[bullet].velocity = oracle_along(oracle_scaled(up, -speed * cos(slant)), aside, speed * sin(slant));
    for (i = 0; i < 4; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        CHECK(oracle_deepest(&s->world) >= -1e-6);
        CHECK(oracle_dot(up, s->bodies[bullet].position) > 0);
    }
    CHECK_NEAR(oracle_dot(aside, s->bodies[bullet].velocity), speed * sin(slant), kind == WORLD_CUBE ? speed : 1e-9 * speed);
    scene_free(s);
}

static void fast_bodies_do_not_pass_thin_plates(void)
{
    int seed, kind, planar;
    for (seed = 0; seed < 100; seed++)
        for (kind = WORLD_PARTICLE; kind <= WORLD_CUBE; kind++)
            for (planar = 0; planar < 2; planar++) {
                test_seed((uint64_t)(seed * 6 + kind * 2 + planar));
                world_shoot(planar, (world_bullet)kind, seed % 4 ? test_random(5, 100) : 100, test_random(0, 0.6));
            }
}

/* A plate that can move is taken along, momentum and all. */
static void fast_bodies_take_thin_plates_along(void)
{
    int seed, kind;
    for (seed = 0; seed < 40; seed++)
        for (kind = WORLD_PARTICLE; kind <= WORLD_CUBE; kind++) {
            scene *s = scene_make(2, false, WORLD_SCRATCH);
            double speed, phase;
            int bullet, i;
            test_seed((uint64_t)(seed * 3 + kind));
            speed = test_random(5, 100);
            phase = test_random(0.1, 0.1 + 0.012 * speed);
            s->world.gravity = scene_zero;
            scene_box(s, DVC_DYNAMIC, v3(5, 5, 0.005), scene_zero, 3, 0);
            bullet = world_add_bullet(s, (world_bullet)kind, v3(0, 0, 0.005 + phase));
            s->bodies[bullet].velocity = v3(0, 0, -speed);
            for (i = 0; i < 4; i++) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK(s->bodies[bullet].position.z > s->bodies[0].position.z);
            CHECK_NEAR(s->bodies[bullet].velocity.z + 3 * s->bodies[0].velocity.z, -speed, 1e-12 * speed);
            if (kind != WORLD_CUBE) CHECK_NEAR(s->bodies[0].velocity.z, -speed / 4, 1e-9 * speed);
            scene_free(s);
        }
}

/* ---- rolling polygons (B 3.5) ---- */

/* A polygon of radius 1 that rolls over its corners: angle of the line from the pivot to the centre, from the vertical. */
typedef struct world_roller { int n; double inertia, angle, rate; } world_roller;

static double world_roller_energy(const world_roller *r)
{
    return 0.5 * (1 + r->inertia) * r->rate * r->rate + WORLD_G * (cos(r->angle) - cos(WORLD_PI / r->n));
}

/* Takes the rate from the energy. */
static void world_roller_at(world_roller *r, double angle, double energy)
{
    double sign = r->rate < 0 ? -1 : 1;
    r->angle = angle;
    r->rate = sign * sqrt(fmax(0, 2 * (energy - WORLD_G * (cos(angle) - cos(WORLD_PI / r->n))) / (1 + r->inertia)));
}

/* The pendulum over the pivot for a short time: velocity Verlet. */
static void world_roll_free(world_roller *r, double dt)
{
    double turn = WORLD_G / (1 + r->inertia);
    r->rate += dt / 2 * turn * sin(r->angle);
    r->angle += dt * r->rate;
    r->rate += dt / 2 * turn * sin(r->angle);
}

/* The next corner has hit, at an angle a little smaller than now: angular momentum about it is kept, and the centre stands as
 * far behind it as it was ahead. */
static void world_roll_hit(world_roller *r)
{
    double half = WORLD_PI / r->n, side = r->angle > 0 ? 1 : -1, late = (fabs(r->angle) - half) / fabs(r->rate);
    world_roller_at(r, side * half, world_roller_energy(r));
    r->rate *= (r->inertia + cos(2 * half)) / (1 + r->inertia);
    r->angle = -side * half;
    world_roller_at(r, r->angle + late * r->rate, world_roller_energy(r));
}

/* Energy above lying flat, after rolling from a corner at 3 rad/s, by events. */
static double world_rolled_energy(int n, double inertia, double seconds)
{
    world_roller r;
    double dt = 1e-3, t;
    r.n = n;
    r.inertia = inertia;
    r.angle = 0;
    r.rate = 3;
    for (t = 0; t < seconds; t += dt) {
        world_roll_free(&r, dt);
        if (fabs(r.angle) > WORLD_PI / n && r.angle * r.rate > 0) world_roll_hit(&r);
    }
    return world_roller_energy(&r);
}

static scene *world_roller_scene(int n, dvc_vec2 *points)
{
    scene *s = world_make(2, true, 0.4);
    int k, body;
    for (k = 0; k < n; k++) {
        points[k].x = (dvc_real)cos(2 * WORLD_PI * k / n - WORLD_PI / 2);
        points[k].y = (dvc_real)sin(2 * WORLD_PI * k / n - WORLD_PI / 2);
    }
    body = n > 2 ? scene_polygon(s, DVC_DYNAMIC, points, n, v3(0, 1, 0), 1, 0.4) : scene_sphere(s, 1, v3(0, 1, 0), 1, 0.4);
    s->bodies[body].mass = 1;
    s->bodies[body].inertia.z = (dvc_real)0.5;
    s->bodies[body].velocity = v3(-3, 0, 0);
    s->bodies[body].angular_velocity = v3(0, 0, 3);
    return s;
}

static void a_disc_rolls_for_ever(void)
{
    static const double steps[] = { 0.1, 0.01, 0.001 };
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = world_roller_scene(0, NULL);
        CHECK(scene_run(s, steps[k], 10));
        CHECK_NEAR(dvc_energy(&s->world) - WORLD_G, 6.75, 1e-12 * 6.75);
        CHECK_NEAR(s->bodies[1].position.x, -30, 1e-10);
        scene_free(s);
    }
}

/* Within 2 % of the initial energy of the exact motion, as an exact step of first order with h = .001 has it. */
static void rolling_polygons_lose_what_their_corners_cost(void)
{
    static const int corners[] = { 20, 50, 100 };
    dvc_vec2 points[100];
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = world_roller_scene(corners[k], points);
        CHECK(scene_run(s, 0.001, 10));
        CHECK_NEAR(dvc_energy(&s->world) - WORLD_G * cos(WORLD_PI / corners[k]), world_rolled_energy(corners[k], 0.5, 10), 0.02 * 6.75);
        scene_free(s);
    }
}

static void suite_world(void)
{
    test_state.suite = "world";
    RUN(a_sphere_slides_then_rolls_at_every_step_size);
    RUN(a_sphere_slides_then_rolls_in_every_direction);
    RUN(a_turned_pyramid_slows_by_its_own_width);
    RUN(a_pyramid_with_a_direction_along_the_slip_is_exact);
    RUN(a_fixed_pyramid_pulls_along_its_nearest_direction);
    RUN(a_launched_cube_neither_lifts_nor_turns);
    RUN(blocks_stop_straight_in_16_directions);
    RUN(a_planar_block_stops_where_it_should);
    RUN(blocks_stick_below_the_angle_of_friction_and_do_not_creep);
    RUN(blocks_slide_above_the_angle_of_friction_as_they_should);
    RUN(balls_roll_on_ramps_until_friction_gives_in);
    RUN(a_triangle_slides_down_a_triangle_at_16_step_sizes);
    RUN(a_turned_triangle_follows_its_own_fine_path);
    RUN(ten_boxes_stand_at_16_step_sizes_without_friction);
    RUN(ten_boxes_stand_with_20_sets_of_offsets);
    RUN(ten_boxes_stand_with_friction);
    RUN(ten_boxes_do_not_drift_in_5000_steps);
    RUN(flush_seams_are_not_felt);
    RUN(t_junctions_and_overlapping_tiles_are_not_felt);
    RUN(corners_of_four_tiles_are_not_felt);
    RUN(turned_tiles_and_hulls_are_not_felt);
    RUN(seams_are_not_felt_when_everything_is_tilted);
    RUN(boxes_cross_tiles_without_bump_or_loss);
    RUN(a_row_of_hits_keeps_momentum_and_ends_together);
    RUN(boxes_carry_up_to_a_million_times_their_mass);
    RUN(the_ground_carries_the_weight_of_any_mass);
    RUN(units_that_are_powers_of_two_change_no_bit);
    RUN(scenes_of_a_millimetre_and_of_100_metres_move_alike);
    RUN(a_pusher_takes_a_box_along);
    RUN(a_conveyor_brings_a_box_to_its_speed);
    RUN(a_slow_lift_keeps_its_passenger);
    RUN(a_fast_lift_leaves_its_passenger_behind);
    RUN(a_turning_platform_carries_a_box_round);
    RUN(a_box_between_plates_too_close_for_it_stays_and_is_counted);
    RUN(a_strict_world_refuses_what_has_no_solution);
    RUN(a_squeezed_box_does_not_explode);
    RUN(bodies_that_start_deep_come_out_at_the_speed_of_recovery);
    RUN(a_corner_that_starts_deep_comes_out_gently);
    RUN(fast_bodies_do_not_pass_thin_plates);
    RUN(fast_bodies_take_thin_plates_along);
    RUN(a_disc_rolls_for_ever);
    RUN(rolling_polygons_lose_what_their_corners_cost);
}
