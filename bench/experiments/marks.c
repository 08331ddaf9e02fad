/* The marks for exactness that need no joint and have no program of their own: seams in all variants, floors of tiles,
 * creep, heavy on light, the launched cube, and the sphere that slides and then rolls (X1). */
#include "experiment.h"

enum { PHASES = 100, SCRATCH = 1 << 25, TILES = 20, ROWS = 6 };

#define GRAVITY 9.81
#define PI 3.14159265358979323846

static double worse(double worst, double value) { return fmax(worst, fabs(value)); }
static dvc_vec3 up_of(const scene *s) { return s->world.planar ? v3(0, 1, 0) : v3(0, 0, 1); }
static dvc_vec3 cube(double half) { return v3(half, half, half); }

static dvc_vec3 place(const scene *s, double along, double aside, double up)
{
    return s->world.planar ? v3(along, up, 0) : v3(along, aside, up);
}

static dvc_quat about_up(double angle) { return dvc_quat_turn(v3(0, 0, 1), (dvc_real)angle); }

/* ---- seams ---- */

typedef struct tile { double x, y, half_x, half_y; } tile;

/* A floor, and how a box crosses the origin on it. Angles are about the vertical; the way is seen from the floor. */
typedef struct seam {
    const char *name;
    int count;
    tile tiles[4];
    double floor_angle, box_angle, way;
    bool planar, hulls, tilted, uneven; /* uneven: tiles of different thickness */
} seam;

#define FOUR_TILES { { -1, -1, 1, 1 }, { 1, -1, 1, 1 }, { -1, 1, 1, 1 }, { 1, 1, 1, 1 } }

static const seam seams[] = {
    { "two tiles, 2D", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, 0, 0, true, false, false, false },
    { "two tiles, 2D, of different thickness", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, 0, 0, true, false, false, true },
    { "two tiles that overlap, 2D", 2, { { -1, 0, 1.2, 1 }, { 1, 0, 1, 1 } }, 0, 0, 0, true, false, false, true },
    { "two tiles", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, 0, 0, false, false, false, false },
    { "two tiles, box turned", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, 0.4, 0, false, false, false, false },
    { "two tiles, box on its diagonal", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, PI / 4, 0, false, false, false, false },
    { "two tiles, along the seam", 2, { { 0, -1, 2, 1 }, { 0, 1, 2, 1 } }, 0, 0, 0, false, false, false, false },
    { "two tiles, aslant", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, -0.2, 0.5, false, false, false, false },
    { "T-junction", 3, { { -1, 0, 1, 1 }, { 1, 1, 1, 1 }, { 1, -1, 1, 1 } }, 0, 0, 0, false, false, false, false },
    { "T-junction aside, box turned", 3, { { -1, 0, 1, 1 }, { 1, 1.03, 1, 1 }, { 1, -0.97, 1, 1 } },
      0, 0.3, 0.1, false, false, false, false },
    { "four corners, diagonal", 4, FOUR_TILES, 0, 0, PI / 4, false, false, false, false },
    { "four corners, diagonal, box square to tiles", 4, FOUR_TILES, 0, -PI / 4, PI / 4, false, false, false, false },
    { "turned tiles", 3, { { -1, 0, 1, 1 }, { 1, 1, 1, 1 }, { 1, -1, 1, 1 } }, 0.37, 0, -0.2, false, false, false, false },
    { "hull tiles", 3, { { -1, 0, 1, 1 }, { 1, 1, 1, 1 }, { 1, -1, 1, 1 } }, 0, 0, 0, false, true, false, false },
    { "hull tiles, turned", 4, FOUR_TILES, 0.9, 0.2, 0.6, false, true, false, true },
    { "everything tilted", 4, FOUR_TILES, 0.2, 0.3, 0.7, false, false, true, false },
    { "everything tilted, hulls", 2, { { -1, 0, 1, 1 }, { 1, 0, 1, 1 } }, 0, 0, 0, false, true, true, false },
};

static void add_tile(scene *s, const seam *floor_plan, int k)
{
    const tile *t = &floor_plan->tiles[k];
    double half_z = 0.5 + (floor_plan->uneven ? 0.3 * k : 0);
    dvc_vec3 half = v3(t->half_x, floor_plan->planar ? half_z : t->half_y, half_z), corners[8];
    dvc_vec3 middle = floor_plan->planar ? v3(t->x, -half_z, 0) : v3(t->x, t->y, -half_z);
    int i, body;
    for (i = 0; i < 8; i++)
        corners[i] = v3((i & 1 ? 1 : -1) * (double)half.x, (i & 2 ? 1 : -1) * (double)half.y, (i & 4 ? 1 : -1) * (double)half.z);
    body = floor_plan->hulls ? scene_hull(s, DVC_STATIC, corners, 8, middle, 1, 0) : scene_box(s, DVC_STATIC, half, middle, 1, 0);
    if (floor_plan->planar) return;
    s->bodies[body].orientation = about_up(floor_plan->floor_angle);
    s->bodies[body].position = oracle_turn(about_up(floor_plan->floor_angle), middle);
}

/* Turns a whole scene about the origin. */
static void tilt_scene(scene *s, dvc_quat by)
{
    int i;
    for (i = 0; i < s->world.body_count; i++) {
        dvc_body *b = &s->bodies[i];
        dvc_quat q = b->orientation;
        if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) q.w = 1;
        b->position = oracle_turn(by, b->position);
        b->velocity = oracle_turn(by, b->velocity);
        b->orientation = oracle_compose(by, q);
    }
    s->world.gravity = oracle_turn(by, s->world.gravity);
}

/* How much a box of .2 m at 2 m/s feels of the seam: change of velocity, way, height and spin. */
static double cross(const seam *floor_plan, double h, int phase)
{
    scene *s = scene_make(floor_plan->count + 1, floor_plan->planar, SCRATCH);
    double way = floor_plan->way + floor_plan->floor_angle, start = 0.5 + 0.0007 * phase, t = 0, felt = 0;
    dvc_quat tilt = dvc_quat_turn(v3(0.3, 0.5, -0.7), floor_plan->tilted ? (dvc_real)1.1 : 0);
    dvc_vec3 along = floor_plan->planar ? v3(1, 0, 0) : v3(cos(way), sin(way), 0), from = oracle_scaled(along, -start);
    dvc_body *box;
    int k;
    for (k = 0; k < floor_plan->count; k++) add_tile(s, floor_plan, k);
    box = &s->bodies[scene_box(s, DVC_DYNAMIC, cube(0.1), oracle_along(from, up_of(s), 0.1), 1, 0)];
    box->velocity = oracle_scaled(along, 2);
    if (!floor_plan->planar) box->orientation = about_up(way + floor_plan->box_angle);
    tilt_scene(s, tilt);
    along = oracle_turn(tilt, along);
    from = box->position;
    while (t < 0.5 + 0.1 && experiment_step(&s->world, h)) {
        t += h;
        felt = worse(felt, oracle_norm(oracle_along(box->velocity, along, -2)));
        felt = worse(felt, oracle_norm(oracle_along(oracle_minus(box->position, from), along, -2 * t)));
        felt = worse(felt, oracle_norm(box->angular_velocity));
    }
    scene_free(s);
    return felt;
}

static void cross_seams(void)
{
    static const double steps[] = { 1.0 / 30, 1.0 / 60, 0.01, 0.002 };
    int i, k, phase;
    for (i = 0; i < (int)(sizeof seams / sizeof seams[0]); i++)
        for (k = 0; k < 4; k++) {
            double felt = 0;
            int apart = k == 3 && !experiment.is_long ? 5 : 1; /* small steps take their time */
            for (phase = 0; phase < PHASES; phase += apart) felt = worse(felt, cross(&seams[i], steps[k], phase));
            experiment_at_most(felt, 1e-9, "seam felt, %s, h %.4f, %d phases", seams[i].name, steps[k], PHASES / apart);
        }
}

/* ---- a floor of tiles ---- */

/* 4 s over unit tiles; the exact first-order path is known to rounding. */
static void cross_tiles(bool planar, double friction, double h)
{
    scene *s = scene_make(TILES * ROWS + 1, planar, SCRATCH);
    int rows = planar ? 1 : ROWS, i, k, steps = (int)(4 / h + 0.5);
    double speed = planar ? 4 : sqrt(17.0), way = 0, bump = 0, loss = 0, off;
    dvc_vec3 along = planar ? v3(1, 0, 0) : v3(4 / speed, 1 / speed, 0), from;
    dvc_body *box;
    for (i = 0; i < TILES; i++)
        for (k = 0; k < rows; k++)
            scene_box(s, DVC_STATIC, cube(0.5), place(s, i + 0.5, k + 0.5 - 0.5 * rows, -0.5), 1, friction);
    box = &s->bodies[scene_box(s, DVC_DYNAMIC, cube(0.25), place(s, 1.03, -2.2, 0.25), 1, friction)];
    box->velocity = oracle_scaled(along, speed);
    from = box->position;
    for (i = 1; i <= steps && experiment_step(&s->world, h); i++) {
        double expected = speed - friction * GRAVITY * h * i;
        way += h * expected;
        bump = worse(bump, oracle_dot(oracle_minus(box->position, from), up_of(s)));
        loss = worse(loss, oracle_norm(oracle_along(box->velocity, along, -expected)));
    }
    off = oracle_norm(oracle_along(oracle_minus(box->position, from), along, -way));
    scene_free(s);
    experiment_at_most(bump, 1e-9, "tiles %dD, mu %.1f, h %.4f: bump", planar ? 2 : 3, friction, h);
    experiment_at_most(loss, 1e-9, "tiles %dD, mu %.1f, h %.4f: velocity off v - mu g t", planar ? 2 : 3, friction, h);
    experiment_at_most(off, 1e-9, "tiles %dD, mu %.1f, h %.4f: place off the sum of its steps", planar ? 2 : 3, friction, h);
}

/* ---- creep ---- */

static void creep(bool planar, bool of_box, double h)
{
    scene *s = scene_make(2, planar, SCRATCH);
    double slope = 20 * PI / 180;
    dvc_vec3 up = planar ? v3(-sin(slope), cos(slope), 0) : v3(-sin(slope), 0, cos(slope)), from;
    dvc_quat turn = dvc_quat_turn(planar ? v3(0, 0, 1) : v3(0, -1, 0), (dvc_real)slope);
    dvc_vec3 half = v3(5, planar ? 0.5 : 2, 0.5);
    int i, ramp = of_box ? scene_box(s, DVC_STATIC, half, oracle_scaled(up, -0.5), 1, 0.5) : scene_ground(s, 0.5);
    dvc_body *box = &s->bodies[scene_box(s, DVC_DYNAMIC, cube(0.25), oracle_scaled(up, 0.25), 1, 0.5)];
    if (of_box) s->bodies[ramp].orientation = turn;
    else s->shapes[ramp].normal = up;
    box->orientation = turn;
    from = box->position;
    for (i = 0; i < (int)(10 / h + 0.5) && experiment_step(&s->world, h); i++) { }
    experiment_at_most(oracle_norm(oracle_minus(box->position, from)), 1e-12, "creep in 10 s on a %s, %dD, h %.4f",
                       of_box ? "box" : "plane", planar ? 2 : 3, h);
    scene_free(s);
}

/* ---- heavy on light ---- */

static void load(bool planar, double ratio, double friction, double h)
{
    scene *s = scene_make(3, planar, SCRATCH);
    double worst = 0;
    int i, k;
    scene_ground(s, friction);
    for (k = 0; k < 2; k++)
        scene_box(s, DVC_DYNAMIC, cube(0.5), oracle_scaled(up_of(s), 0.5 + k), k ? ratio : 1, friction);
    for (i = 0; i < (int)(5 / h + 0.5) && experiment_step(&s->world, h); i++)
        for (k = 0; k < 2; k++) worst = worse(worst, oracle_dot(s->bodies[k + 1].position, up_of(s)) - 0.5 - k);
    experiment_at_most(worst, 1e-9, "%.0e kg on 1 kg, %dD, mu %.1f, h %.4f: sinking", ratio, planar ? 2 : 3, friction, h);
    scene_free(s);
}

/* ---- launched cube ---- */

static void launch(bool planar, double h)
{
    scene *s = scene_make(2, planar, SCRATCH);
    double speed = 6, mu = 0.5, lift = 0, end = speed * speed / (2 * mu * GRAVITY) - speed * h / 2;
    dvc_body *body;
    int i;
    scene_ground(s, mu);
    body = &s->bodies[scene_box(s, DVC_DYNAMIC, cube(0.05), oracle_scaled(up_of(s), 0.05), 1, mu)];
    body->velocity = v3(speed, 0, 0);
    for (i = 0; i < (int)(2 / h + 0.5) && experiment_step(&s->world, h); i++)
        lift = worse(lift, oracle_dot(body->position, up_of(s)) - 0.05);
    experiment_at_most(lift, 1e-12, "launched cube, %dD, h %.4f: lift", planar ? 2 : 3, h);
    experiment_near((double)body->position.x, end, mu * GRAVITY * h * h / 8 + 1e-12, "launched cube, %dD, h %.4f: stops at",
                    planar ? 2 : 3, h);
    scene_free(s);
}

/* ---- X1 ---- */

static void slide_and_roll(double h, int directions)
{
    scene *s = scene_make(2, false, SCRATCH);
    dvc_body *ball;
    double worst = 0, way = 0;
    int i;
    scene_ground(s, 0.2);
    ball = &s->bodies[scene_sphere(s, 1, v3(0, 0, 1), 1, 0.2)];
    ball->velocity = v3(2, 0, 0);
    s->world.fixed_tangents = directions > 0;
    s->world.friction_directions = directions;
    for (i = 1; i <= (int)(0.6 / h + 1e-9) && experiment_step(&s->world, h); i++) {
        double speed = fmax(2 - 0.2 * GRAVITY * h * i, 10.0 / 7);
        way += h * speed;
        worst = worse(worst, oracle_norm(oracle_minus(ball->velocity, v3(speed, 0, 0))));
        worst = worse(worst, oracle_norm(oracle_minus(ball->angular_velocity, v3(0, 2.5 * (2 - speed), 0))));
        worst = worse(worst, oracle_norm(oracle_minus(ball->position, v3(way, 0, 1))));
    }
    experiment_at_most(worst, 1e-12, "sphere slides then rolls, h %.3f, %s: off the closed form", h,
                       directions ? "4 fixed directions" : "aligned directions");
    scene_free(s);
}

int main(int argc, char **argv)
{
    static const double rolling[] = { 0.12, 0.05, 0.01, 0.001 }, steps[] = { 1.0 / 30, 1.0 / 60, 0.01, 0.002 };
    int i, k, kind;
    experiment_begin("marks", argc, argv);
    for (k = 0; k < 4; k++)
        for (kind = 0; kind < 2; kind++) slide_and_roll(rolling[k], 4 * kind);
    cross_seams();
    for (kind = 0; kind < 4; kind++)
        for (k = 0; k < 4; k++) cross_tiles(kind & 1, kind & 2 ? 0.1 : 0, steps[k]);
    for (kind = 0; kind < 4; kind++)
        for (k = 0; k < 4; k++) creep(kind & 1, kind & 2, steps[k]);
    for (i = 2; i <= 6; i++)
        for (kind = 0; kind < 4; kind++) load(kind & 1, pow(10, i), kind & 2 ? 0.5 : 0, 0.01);
    for (k = 0; k < 4; k++)
        for (kind = 0; kind < 4; kind++) load(kind & 1, 1e6, kind & 2 ? 0.5 : 0, steps[k]);
    for (kind = 0; kind < 2; kind++)
        for (k = 0; k < 4; k++) launch(kind, steps[k]);
    return experiment_end();
}
