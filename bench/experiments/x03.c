/* X3, the four exercises of N: a blimp parked against ceiling, front and left wall; a disc that spins and slides; a box pushed
 * by a pusher with a given path; a robot on two driven wheels and a caster (mu .1) that pushes a ball. With different numbers
 * of friction directions. N gives words only; what is expected follows from statics, rolling without slip, and a reference
 * integrated here. */
#include "experiment.h"
#include "dvc_impl_tests/motion.h"
#include "dvc_impl_tests/machine.h"
#include "plot.h"
#include "history.h"

enum { COUNTS = 4 };

static const int directions[COUNTS] = { 4, 7, 8, 16 };

/* Sum of what the contacts between two bodies did to the second. */
static dvc_vec3 impulse_between(const scene *s, int a, int b)
{
    dvc_vec3 sum = scene_zero;
    int i;
    for (i = 0; i < s->world.contact_count; i++) {
        const dvc_contact *c = &s->world.contacts[i];
        if (c->body_a == a && c->body_b == b) sum = oracle_along(sum, c->impulse, 1);
        if (c->body_a == b && c->body_b == a) sum = oracle_along(sum, c->impulse, -1);
    }
    return sum;
}

/* ---- 1: the blimp ---- */

#define BLIMP_STEP 0.01

static int add_wall(scene *s, dvc_vec3 at, dvc_vec3 normal)
{
    int wall = scene_add(s, DVC_STATIC, DVC_PLANE, at, 0.3);
    s->shapes[wall].normal = normal;
    return wall;
}

/* Lighter than air by 2 N; thrust of 3 N forward and 1.5 N to the left (y); air resists. */
static scene *blimp(int count)
{
    scene *s = scene_make(4, false, (size_t)1 << 22);
    int hull;
    s->world.gravity = scene_zero;
    s->world.friction_directions = count;
    add_wall(s, v3(0, 0, 4), v3(0, 0, -1));
    add_wall(s, v3(6, 0, 0), v3(-1, 0, 0));
    add_wall(s, v3(0, 3, 0), v3(0, -1, 0));
    hull = scene_box(s, DVC_DYNAMIC, v3(1, 0.4, 0.4), v3(0, 0, 1), 2, 0.3);
    s->bodies[hull].orientation = dvc_quat_turn(v3(1, 2, 3), (dvc_real)0.3);
    s->bodies[hull].force = v3(3, 1.5, 2);
    s->bodies[hull].linear_damping = s->bodies[hull].angular_damping = (dvc_real)0.2;
    return s;
}

static void check_blimp(int count, history *past)
{
    scene *s = blimp(count);
    const dvc_body *hull = &s->bodies[3];
    dvc_vec3 pushed = scene_zero;
    double deepest = 0;
    int i;
    for (i = 0; i < 4000 && experiment_step(&s->world, BLIMP_STEP); i++) {
        deepest = fmin(deepest, oracle_deepest(&s->world));
        if (i % 4 == 0 && i < 1600) history_note(past, s->world.time, hull->position.x, hull->position.y, hull->position.z);
    }
    for (i = 0; i < 3; i++) pushed = oracle_along(pushed, impulse_between(s, i, 3), -1 / BLIMP_STEP);
    experiment_at_most(-deepest, 1e-9, "blimp, %d directions: overlap, m", count);
    experiment_at_most(oracle_norm(hull->velocity) + oracle_norm(hull->angular_velocity), 1e-9,
                       "blimp, %d directions: speed when parked, m/s", count);
    experiment_at_most(motion_apart(pushed, hull->force), 1e-8, "blimp, %d directions: push on the walls less thrust, N", count);
    scene_free(s);
}

/* ---- 2: the disc ---- */

#define DISC_RADIUS 0.2
#define DISC_FRICTION 0.3
#define DISC_MOMENT (DISC_RADIUS * DISC_RADIUS / 2)
#define DISC_SECONDS 0.3

/* A disc of 1 kg on three feet at its rim, each of which carries a third of it: x, y, angle and their rates. */
static void disc_rates(const double *state, double *rate)
{
    double third = DISC_FRICTION * MACHINE_G / 3;
    int i;
    for (i = 0; i < 3; i++) rate[i] = state[i + 3];
    for (i = 3; i < 6; i++) rate[i] = 0;
    for (i = 0; i < 3; i++) {
        double angle = state[2] + 2 * MACHINE_PI * i / 3, x = DISC_RADIUS * cos(angle), y = DISC_RADIUS * sin(angle);
        double u = state[3] - state[5] * y, v = state[4] + state[5] * x, speed = hypot(u, v);
        rate[3] -= third * u / speed;
        rate[4] -= third * v / speed;
        rate[5] -= third * (x * v - y * u) / speed / DISC_MOMENT;
    }
}

/* The feet are points of a flat disc in space, or a support of a part in the plane. */
static scene *disc(bool planar, int count, dvc_support *support)
{
    scene *s = machine_make(5, 1, 1, planar);
    int body, i;
    s->world.friction_directions = count;
    s->world.gravity = v3(0, 0, -MACHINE_G);
    body = machine_body(s, scene_zero, 1, v3(DISC_MOMENT / 2, DISC_MOMENT / 2, DISC_MOMENT));
    for (i = 0; i < 3; i++) {
        dvc_vec3 foot = v3(DISC_RADIUS * cos(2 * MACHINE_PI * i / 3), DISC_RADIUS * sin(2 * MACHINE_PI * i / 3), 0);
        support->points[i].x = foot.x;
        support->points[i].y = foot.y;
        if (planar) continue;
        s->world.shape_count = i + 3;
        s->shapes[i + 1].kind = DVC_SPHERE;
        s->shapes[i + 1].body = body;
        s->shapes[i + 1].position = foot;
        s->shapes[i + 1].friction = (dvc_real)DISC_FRICTION;
    }
    support->friction = (dvc_real)DISC_FRICTION;
    if (planar) s->bodies[body].support = support;
    s->shapes[0].kind = planar ? DVC_NO_SHAPE : DVC_PLANE;
    s->shapes[0].normal = v3(0, 0, 1);
    s->shapes[0].friction = (dvc_real)DISC_FRICTION;
    s->bodies[body].velocity = v3(1.5, 0, 0);
    s->bodies[body].angular_velocity = v3(0, 0, 8);
    return s;
}

/* From the reference's place and angle after DISC_SECONDS, m and rad. */
static double disc_error(bool planar, int count, double h)
{
    double state[6] = { 0, 0, 0, 1.5, 0, 8 };
    dvc_support support;
    scene *s = disc(planar, count, &support);
    const dvc_body *b = &s->bodies[1];
    int i, steps = (int)(DISC_SECONDS / h + 0.5);
    machine_follow(disc_rates, state, 6, DISC_SECONDS);
    for (i = 0; i < steps && experiment_step(&s->world, h); i++) {}
    state[0] = motion_apart(b->position, v3(state[0], state[1], 0));
    state[1] = motion_turned(b->orientation, dvc_quat_turn(v3(0, 0, 1), (dvc_real)state[2]));
    machine_free(s);
    return fmax(state[0], state[1]);
}

static void check_disc(bool planar)
{
    const char *what = planar ? "disc in the plane" : "disc in space";
    double coarse = disc_error(planar, 16, 0.002), fine = disc_error(planar, 16, 0.001);
    int k;
    experiment_at_most(fine, 0.01, "%s, 16 directions: from the reference, h = .001, m or rad", what);
    experiment_at_most(fine, 0.7 * coarse, "%s: the same, against .7 times that at h = .002", what);
    for (k = 0; k < COUNTS; k++)
        experiment_note(disc_error(planar, directions[k], 0.001), "%s, %d directions: from the reference, m or rad", what,
                        directions[k]);
}

/* Spin and slide end together, whatever they were. */
static void check_disc_stop(history *past)
{
    dvc_support support;
    scene *s = disc(true, 16, &support);
    const dvc_body *b = &s->bodies[1];
    double slide_end = 0, spin_end = 0;
    while (s->world.time < 2 && experiment_step(&s->world, 0.001)) {
        if (oracle_norm(b->velocity) > 1e-9) slide_end = s->world.time;
        if (fabs((double)b->angular_velocity.z) > 1e-9) spin_end = s->world.time;
        if ((int)(s->world.time * 1000 + 0.5) % 4 == 0)
            history_note(past, s->world.time, b->velocity.x, b->velocity.y, b->angular_velocity.z / 5);
    }
    experiment_near(slide_end, spin_end, 0.002, "disc in the plane: end of its slide, s, against that of its spin");
    machine_free(s);
}

/* ---- 3: the box and its pusher ---- */

#define PUSH_SPEED 0.3

static void push(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = (dvc_real)(-0.7 + PUSH_SPEED * (double)t);
}

/* A smooth ball or face pushes a box from `aside` of its middle. */
static scene *pushed_box(int count, bool ball, double aside)
{
    scene *s = scene_make(3, false, (size_t)1 << 23);
    int pusher;
    s->world.friction_directions = count;
    scene_ground(s, 0.4);
    pusher = ball ? scene_sphere(s, 0.1, v3(-0.7, aside, 0.25), 1, 0)
                  : scene_box(s, DVC_KINEMATIC, v3(0.1, 0.3, 0.2), v3(-0.7, aside, 0.25), 0, 0);
    s->bodies[pusher].kind = DVC_KINEMATIC;
    s->bodies[pusher].motion = push;
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.25), v3(0, 0, 0.25), 3, 0.4);
    return s;
}

static void check_pushed_box(int count, history *past)
{
    scene *s = pushed_box(count, false, 0);
    const dvc_body *box = &s->bodies[2];
    double off = 0, force = 0, turned = 0;
    int i;
    for (i = 1; i <= 300 && experiment_step(&s->world, 0.01); i++) {
        double push_force = (double)impulse_between(s, 1, 2).x / 0.01;
        history_note(past, s->world.time, push_force, 10 * (double)box->position.x, 0);
        if (i < 60) continue; /* touches at a third of a second */
        off = fmax(off, fabs((double)box->position.x - (double)s->bodies[1].position.x - 0.6));
        force = fmax(force, fabs(push_force - 0.4 * 3 * MACHINE_G));
        turned = fmax(turned, motion_turned(box->orientation, dvc_quat_turn(v3(0, 0, 1), 0)));
    }
    experiment_at_most(off, 1e-9, "box, %d directions: off the pusher's face, m", count);
    experiment_at_most(force, 1e-6, "box, %d directions: push less mu m g, N", count);
    experiment_at_most(turned, 1e-8, "box, %d directions: turned, rad", count);
    scene_free(s);
}

/* Pushed beside its middle, a box turns its near side away from the pusher, to either side alike; not quite, for its weight may
 * be shared among its four corners in more than one way. */
static void check_aside(int count)
{
    double angle[2];
    int k, i;
    for (k = 0; k < 2; k++) {
        scene *s = pushed_box(count, true, k ? -0.2 : 0.2);
        for (i = 0; i < 200 && experiment_step(&s->world, 0.01); i++) {}
        angle[k] = 2 * atan2((double)s->bodies[2].orientation.z, (double)s->bodies[2].orientation.w);
        scene_free(s);
    }
    experiment_at_most(angle[0], -0.02, "box, %d directions: turned when pushed at its left, rad", count);
    experiment_near(angle[0] + angle[1], 0, 0.01, "box, %d directions: against its mirror image, rad", count);
}

/* ---- 4: the robot ---- */

#define TRACK 0.4

enum { CHASSIS = 1, WHEELS = 2, CASTER = 4 };

/* A point of the chassis that touches the ground and runs over it with this speed. */
static void add_foot(scene *s, dvc_vec3 at, double friction, double speed)
{
    int foot = scene_add(s, DVC_STATIC, DVC_SPHERE, scene_zero, friction);
    s->bodies[foot].disabled = true; /* only its shape is used */
    s->shapes[foot].body = CHASSIS;
    s->shapes[foot].position = at;
    s->shapes[foot].surface_velocity = v3(-speed, 0, 0);
}

static scene *robot(int count, double left, double right)
{
    scene *s = scene_make(6, false, (size_t)1 << 23);
    int ball;
    s->world.friction_directions = count;
    scene_ground(s, 1);
    scene_box(s, DVC_DYNAMIC, v3(0.25, 0.2, 0.06), v3(0, 0, 0.12), 5, 0);
    add_foot(s, v3(0.1, TRACK / 2, -0.12), 1, left);
    add_foot(s, v3(0.1, -TRACK / 2, -0.12), 1, right);
    add_foot(s, v3(-0.2, 0, -0.12), 0.01, 0); /* sqrt(.01 1) = .1 */
    ball = scene_sphere(s, 0.1, v3(0.45, 0, 0.1), 0.3, 1);
    s->bodies[ball].disabled = left != right;
    return s;
}

static void check_straight(int count, history *past)
{
    scene *s = robot(count, 0.5, 0.5);
    const dvc_body *ball = &s->bodies[5], *chassis = &s->bodies[CHASSIS];
    int i;
    for (i = 0; i < 400 && experiment_step(&s->world, 0.01); i++)
        history_note(past, s->world.time, chassis->velocity.x, ball->velocity.x, 0.1 * (double)ball->angular_velocity.y);
    experiment_near(chassis->velocity.x, 0.5, 1e-9, "robot, %d directions: speed, m/s", count);
    experiment_near(ball->velocity.x, 0.5, 1e-6, "robot, %d directions: speed of the ball before it, m/s", count);
    experiment_near(0.1 * (double)ball->angular_velocity.y, 0.5, 1e-6, "robot, %d directions: the ball rolls, m/s", count);
    experiment_at_most(fabs((double)chassis->position.y), 1e-9, "robot, %d directions: off its line, m", count);
    scene_free(s);
}

/* Wheels that grip, .4 and .6 m/s: it turns at the difference over the track, and its middle between them runs the mean, but for
 * the turn within one step. */
static void check_turn(int count)
{
    scene *s = robot(count, 0.4, 0.6);
    const dvc_body *chassis = &s->bodies[CHASSIS];
    dvc_vec3 axle;
    int i;
    for (i = 0; i < 300 && experiment_step(&s->world, 0.01); i++) {}
    axle = dvc_point_velocity(chassis, dvc_body_point(chassis, v3(0.1, 0, -0.12)));
    experiment_near(chassis->angular_velocity.z, 0.2 / TRACK, 1e-4, "robot, %d directions: turning, rad/s", count);
    experiment_near(oracle_norm(axle), 0.5, 1e-3, "robot, %d directions: speed of its axle's middle, m/s", count);
    scene_free(s);
}

/* ---- the pictures ---- */

static void draw_all(const history past[4])
{
    static const char *const names[4][3] = { { "x, m", "y, m", "z, m" }, { "vx, m/s", "vy, m/s", "spin, 5 rad/s" },
        { "push, N", "place, .1 m", NULL }, { "robot, m/s", "ball, m/s", "ball's roll, m/s" } };
    FILE *file = experiment_open("x03.svg");
    plot drawing;
    if (!file) return;
    drawing = plot_open(file, 4);
    history_draw(&drawing, "blimp", 16, (plot_axis){ "m", 0, 6, false }, names[0], &past[0]);
    history_draw(&drawing, "disc", 1, (plot_axis){ "", -0.2, 1.8, false }, names[1], &past[1]);
    history_draw(&drawing, "pushed box", 3, (plot_axis){ "", 0, 20, false }, names[2], &past[2]);
    history_draw(&drawing, "robot", 4, (plot_axis){ "m/s", 0, 1, false }, names[3], &past[3]);
    plot_close(&drawing);
}

int main(int argc, char **argv)
{
    static history past[4];
    int k;
    experiment_begin("x03", argc, argv);
    for (k = 0; k < COUNTS; k++) {
        check_blimp(directions[k], k ? NULL : &past[0]);
        check_pushed_box(directions[k], k ? NULL : &past[2]);
        check_aside(directions[k]);
        check_straight(directions[k], k ? NULL : &past[3]);
        check_turn(directions[k]);
    }
    for (k = 0; k < 2; k++) check_disc(k);
    check_disc_stop(&past[1]);
    draw_all(past);
    return experiment_end();
}
