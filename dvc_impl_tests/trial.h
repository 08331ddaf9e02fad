/* Words shared by the suites about single steps: random parts, steps that must be exact, balances taken from the contacts.
 * Include after oracle.h. */
#ifndef DVC_TRIAL_H
#define DVC_TRIAL_H

#define TRIAL_PI 3.14159265358979323846
#define TRIAL_SCRATCH ((size_t)1 << 25)

enum { TRIAL_CORNERS = 16 };

typedef enum trial_kind { TRIAL_BOX, TRIAL_BALL, TRIAL_HULL, TRIAL_KINDS } trial_kind; /* a hull is a polygon in the plane */

/* One step that must be solved by the regular way. */
SCENE_WORD void trial_step(scene *s, double h)
{
    CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
    CHECK(s->world.report.inexact == 0);
}

/* What the step finds before it chooses. Its memory is the scene's, until that steps. */
SCENE_WORD void trial_find(scene *s, double h, dvci_step *step)
{
    dvci_begin(step, &s->world, (dvc_real)h);
    if (step->status == DVC_OK) dvci_lay_out_all(step);
    CHECK(step->status == DVC_OK);
}

SCENE_WORD dvc_vec3 trial_up(const scene *s) { return s->world.planar ? v3(0, 1, 0) : v3(0, 0, 1); }

SCENE_WORD dvc_vec3 trial_direction(bool planar)
{
    dvc_vec3 v;
    do v = test_vec(test_random(-1, 1), test_random(-1, 1), planar ? 0 : test_random(-1, 1));
    while (oracle_norm(v) > 1 || oracle_norm(v) < 0.1);
    return oracle_unit(v);
}

SCENE_WORD dvc_quat trial_turn(bool planar, double angle)
{
    return dvc_quat_turn(planar ? v3(0, 0, 1) : trial_direction(false), (dvc_real)angle);
}

/* Corners on an ellipse, counter-clockwise; they live as long as the scene. */
SCENE_WORD int trial_polygon(scene *s, dvc_body_kind kind, int corners, double size, dvc_vec3 at, double friction)
{
    dvc_vec2 *points = (dvc_vec2 *)scene_memory((size_t)corners, sizeof *points);
    double flat = test_random(0.5, 1);
    int k;
    for (k = 0; k < corners; k++) {
        double angle = 2 * TRIAL_PI * (k + test_random(0, 0.7)) / corners;
        points[k].x = (dvc_real)(size * cos(angle));
        points[k].y = (dvc_real)(size * flat * sin(angle));
    }
    s->hull_storage[s->world.body_count] = (unsigned char *)points;
    return scene_polygon(s, kind, points, corners, at, 1, friction);
}

/* A random part of about `size` (half its width) and mass 1, turned at random. */
SCENE_WORD int trial_part(scene *s, dvc_body_kind kind, trial_kind what, double size, dvc_vec3 at, double friction)
{
    dvc_vec3 half = test_vec(size * test_random(0.5, 1), size * test_random(0.5, 1), size * test_random(0.5, 1)), cloud[10];
    bool planar = s->world.planar;
    int k, body;
    for (k = 0; k < 10; k++) cloud[k] = test_vec(test_random(-size, size), test_random(-size, size), test_random(-size, size));
    if (what == TRIAL_BOX) body = scene_box(s, kind, half, at, 1, friction);
    else if (what == TRIAL_BALL) body = scene_sphere(s, (double)half.x, at, 1, friction);
    else if (planar) body = trial_polygon(s, kind, 3 + (int)test_random(0, 5), size, at, friction);
    else body = scene_hull(s, kind, cloud, 10, at, 1, friction);
    if (kind == DVC_DYNAMIC) scene_mass(s, body, 1);
    else s->bodies[body].kind = kind;
    s->bodies[body].orientation = oracle_compose(trial_turn(planar, test_random(0, 3)), dvc_quat_turn(v3(0, 0, 1), 0));
    return body;
}

/* Gives `body` one more shape, the one at index `shape`; the body that came with it becomes an empty slot. Compounds take
 * their mass as they are told: no frame moves. */
SCENE_WORD void trial_attach(scene *s, int shape, int body, dvc_vec3 at)
{
    s->shapes[shape].body = body;
    s->shapes[shape].position = at;
    s->bodies[shape].disabled = true;
}

/* A floor and walls around the origin; the room inside is 2 `half` wide. */
SCENE_WORD void trial_room(scene *s, double half, double friction)
{
    dvc_vec3 normal[4];
    int k, walls = s->world.planar ? 2 : 4;
    normal[0] = v3(1, 0, 0);
    normal[1] = v3(-1, 0, 0);
    normal[2] = v3(0, 1, 0);
    normal[3] = v3(0, -1, 0);
    scene_ground(s, friction);
    for (k = 0; k < walls; k++) {
        int wall = scene_add(s, DVC_STATIC, DVC_PLANE, oracle_scaled(normal[k], -half), friction);
        s->shapes[wall].normal = normal[k];
    }
}

/* Sums of what the contacts did to a body in the last step: impulse, and moment about a fixed place, such as where its
 * centre was. */
SCENE_WORD void trial_received(const dvc_world *world, int body, dvc_vec3 centre, dvc_vec3 *impulse, dvc_vec3 *moment)
{
    int i;
    *impulse = *moment = scene_zero;
    for (i = 0; i < world->contact_count; i++) {
        const dvc_contact *c = &world->contacts[i];
        double sign = c->body_b == body ? 1 : c->body_a == body ? -1 : 0;
        *impulse = oracle_along(*impulse, c->impulse, sign);
        *moment = oracle_along(*moment, oracle_cross(oracle_minus(c->point, centre), c->impulse), sign);
        *moment = oracle_along(*moment, c->moment, sign);
    }
}

/* The first body of either world that differs from its fellow by more than `tolerance` in place, turn or velocity; -1: none. */
SCENE_WORD int trial_difference(const scene *a, const scene *b, double tolerance)
{
    int i;
    for (i = 0; i < a->world.body_count; i++) {
        const dvc_body *p = &a->bodies[i], *q = &b->bodies[i];
        double turned = fabs((double)(p->orientation.w - q->orientation.w)) + fabs((double)(p->orientation.z - q->orientation.z));
        if (!(oracle_norm(oracle_minus(p->position, q->position)) <= tolerance) || !(turned <= tolerance)) return i;
        if (!(oracle_norm(oracle_minus(p->velocity, q->velocity)) <= 100 * tolerance)) return i;
        if (!(oracle_norm(oracle_minus(p->angular_velocity, q->angular_velocity)) <= 1000 * tolerance)) return i;
    }
    return -1;
}

#endif
