/* Whole steps against closed forms: sliding, rolling, stacks, seams, rows, mass ratios, moving surroundings, scenes without a
 * solution, fast bodies, and the same scene in other units. Tolerances are the marks that the engine is to reach: rounding
 * where an exact first-order step has a closed form, and the step's own first-order term elsewhere.
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

/* Slides at 2 m/s toward `heading` and must be slowed as told, straight on. */
static void world_slide_sphere(scene *s, double h, double heading, double deceleration)
{
    dvc_body *ball = &s->bodies[scene_sphere(s, 1, v3(0, 0, 1), 1, 0.2)];
    double way = 0;
    int k;
    ball->velocity = world_polar(2, heading);
    for (k = 1; k <= (int)(0.6 / h + 1e-9); k++) {
        double speed = world_sphere_speed(deceleration, k * h), spin = 2.5 * (2 - speed);
        way += h * speed;
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
    for (k = 0; k < 4; k++) world_slide_sphere(world_make(2, false, 0.2), steps[k], 0, 0.2 * WORLD_G);
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

/* Where a block stops that starts at `speed`: the sum of h v over the steps while it moves. */
static double world_stopping_way(double speed, double friction, double h)
{
    double way = 0, v;
    for (v = speed - friction * WORLD_G * h; v > 0; v -= friction * WORLD_G * h) way += h * v;
    return way;
}

static void world_launch_block(double half, double speed, double heading, double h)
{
    scene *s = world_make(2, false, 0.5);
    dvc_body *block = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(half), v3(0, 0, half), 1, 0.5)];
    double way, lift = 0;
    int k, steps = (int)(speed / (0.5 * WORLD_G * h)) + 20;
    block->velocity = world_polar(speed, heading);
    for (k = 0; k < steps; k++) {
        world_step(s, h);
        lift = fmax(lift, fabs((double)block->position.z - half));
    }
    way = oracle_dot(block->position, world_polar(1, heading));
    CHECK_NEAR(way, world_stopping_way(speed, 0.5, h), 1e-11);
    CHECK_NEAR(way, speed * speed / WORLD_G - speed * h / 2, 0.5 * WORLD_G * h * h / 8 + 1e-12);
    CHECK_NEAR(oracle_dot(block->position, world_polar(1, heading + WORLD_PI / 2)), 0, 1e-12);
    CHECK(lift <= 1e-12 && world_speed(block) <= 1e-12);
    scene_free(s);
}

static void a_launched_cube_neither_lifts_nor_turns(void)
{
    world_launch_block(0.05, 6, 0, 0.01);
    world_launch_block(0.05, 6, 0, 0.002);
    world_launch_block(0.05, 6, 0.7, 1.0 / 60);
    world_launch_block(0.05, 6, 2.3, 1.0 / 30);
}

static void blocks_stop_straight_in_16_directions(void)
{
    int k;
    for (k = 0; k < 16; k++) world_launch_block(0.5, 3, k * WORLD_PI / 8, 0.01);
}

static void a_planar_block_stops_where_it_should(void)
{
    static const double steps[] = { 0.02, 0.01, 0.001 };
    int k;
    for (k = 0; k < 3; k++) {
        scene *s = world_make(2, true, 0.5);
        dvc_body *block = &s->bodies[scene_box(s, DVC_DYNAMIC, world_half(0.5), v3(0, 0.5, 0), 2, 0.5)];
        block->velocity = v3(3, 0, 0);
        CHECK(scene_run(s, steps[k], 1));
        CHECK_NEAR(block->position.x, world_stopping_way(3, 0.5, steps[k]), 1e-12);
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
}
