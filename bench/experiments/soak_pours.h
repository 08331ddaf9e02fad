/* Families of the soak in which things fall: on floors, into wedges, on corners, inside each other, in drums. Include after
 * soak_trial.h. */
#ifndef SOAK_POURS_H
#define SOAK_POURS_H

static void pour_hulls(trial *t, int count)
{
    int i;
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, 0.9), POINTS, 0.25), 2, 3);
}

static void make_pour(trial *t, int count)
{
    add_tray(t, 1.4);
    pour_hulls(t, count);
}

static void make_boxes(trial *t, int count)
{
    int i;
    add_room(t, 1.4);
    for (i = 0; i < count; i++) {
        dvc_vec3 half = any_vector(false, 0.05, 0.25);
        throw_body(t, add_block(t, berth(t, i, 0.9), (double)half.x, (double)half.y, (double)half.z), 2, 3);
    }
}

/* Bodies with few, sharp corners fall on corners. */
static void make_corners(trial *t, int count)
{
    int i, corners = t->s->world.planar ? 3 : 4;
    add_room(t, 1.6);
    for (i = 0; i < 3; i++) {
        int body = add_hull(t, DVC_STATIC, at(t, 0.9 * i - 0.9, 0, 0.3), corners, 0.5);
        t->s->bodies[body].orientation = any_turn(t->s->world.planar);
    }
    for (i = 0; i < count; i++) {
        dvc_vec3 where = oracle_along(berth(t, i, 0.9), at(t, 0, 0, 0.8), 1);
        throw_body(t, add_hull(t, DVC_DYNAMIC, where, corners, 0.25), 2, 3);
    }
}

/* A valley between two slopes, from narrow to wide. */
static void make_wedge(trial *t, int count)
{
    double left = test_random(0.1, 1.4), right = test_random(0.1, 1.4), lowest = 0.6 / sin(0.5 * (PI - left - right));
    int i;
    add_plane(t, scene_zero, sin(left), 0, cos(left));
    add_plane(t, scene_zero, -sin(right), 0, cos(right));
    if (!t->s->world.planar) {
        add_plane(t, at(t, 0, -1.5, 0), 0, 1, 0);
        add_plane(t, at(t, 0, 1.5, 0), 0, -1, 0);
    }
    for (i = 0; i < count; i++)
        throw_body(t, add_hull(t, DVC_DYNAMIC, at(t, 0, test_random(-0.8, 0.8), 0.9 * i + lowest), 5, 0.25), 2, 3);
}

/* Slender parts that spin by up to half a radian in a step of .02. */
static void make_needles(trial *t, int count)
{
    int i;
    add_room(t, 1.6);
    for (i = 0; i < count; i++) {
        double thick = test_random(0.005, 0.03);
        throw_body(t, add_block(t, berth(t, i, 1.05), test_random(0.2, 0.48), thick, thick), 3, 25);
    }
}

static void make_mixed(trial *t, int count)
{
    int i, body;
    add_tray(t, 1.4);
    for (i = 0; i < count; i++) {
        dvc_vec3 where = berth(t, i, 0.9);
        if (i % 4 == 0) body = add_block(t, where, 0.3, 0.07, 0.07);
        else if (i % 4 == 1) body = scene_sphere(t->s, t->length * fmax(0, test_random(-0.05, 0.3)), where, 1, t->friction);
        else body = i % 4 == 2 ? add_hull(t, DVC_DYNAMIC, where, 6, 0.25) : add_block(t, where, 0.2, 0.1, 0.2);
        throw_body(t, body, 2, 3);
    }
    for (i = t->s->world.body_count - count; i < t->s->world.body_count; i += 4) add_arms(t, i);
}

/* All bodies start inside each other, a little or by much. */
static void make_deep(trial *t, int count)
{
    int i;
    add_room(t, 2);
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, test_random(0.3, 0.5)), 7, 0.25), 0, 0);
}

/* The motion of a drum. */
static void swing_to(void *user, dvc_real time, dvc_vec3 *position, dvc_quat *orientation)
{
    const swing *w = (const swing *)user;
    double shift = w->reach * sin(2 * w->rate * (double)time);
    *position = oracle_along(w->middle, v3(shift, w->planar ? shift : 0, w->planar ? 0 : shift), 1);
    *orientation = dvc_quat_turn(w->planar ? v3(0, 0, 1) : v3(0, 1, 0), (dvc_real)sin(w->rate * (double)time));
}

/* Six half-spaces, or four, that look inward, on one moving body. */
static void add_drum_walls(trial *t, int drum, double half)
{
    static const double inward[6][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
    int i;
    for (i = 0; i < (t->s->world.planar ? 4 : 6); i++) {
        dvc_shape *wall = i ? &t->s->shapes[t->s->world.shape_count++] : &t->s->shapes[drum];
        *wall = t->s->shapes[drum];
        wall->normal = oracle_scaled(at(t, inward[i][0], inward[i][1], inward[i][2]), 1 / t->length);
        wall->position = oracle_scaled(wall->normal, -half * t->length);
    }
}

/* A box that turns at a steady rate, or swings and shakes. */
static void make_drum(trial *t, int count)
{
    double half = 1.5;
    int i, drum = scene_add(t->s, DVC_KINEMATIC, DVC_PLANE, at(t, 0, 0, half), t->friction);
    dvc_body *b = &t->s->bodies[drum];
    t->moving = true;
    t->way.rate = test_random(-1.5, 1.5) / sqrt(t->length);
    t->way.reach = test_random(0, 0.3) * t->length;
    t->way.middle = b->position;
    t->way.planar = t->s->world.planar;
    b->angular_velocity = t->way.planar ? v3(0, 0, t->way.rate) : v3(0, t->way.rate, 0);
    if (test_random(0, 1) < 0.5) {
        b->motion = swing_to;
        b->user = &t->way;
    }
    for (i = 0; i < count; i++) throw_body(t, add_hull(t, DVC_DYNAMIC, berth(t, i, 0.8), 8, 0.25), 1, 3);
    add_drum_walls(t, drum, half);
}

/* Towers of boxes, some exactly over each other, some not, that land and stand or fall. */
static void make_towers(trial *t, int count)
{
    double offset = test_random(0, 1) < 0.3 ? 0 : 0.12;
    int i;
    add_room(t, 2);
    for (i = 0; i < count; i++) {
        double along = i % 2 - 0.5 + test_random(-offset, offset), aside = test_random(-offset, offset);
        give_mass(t, add_block(t, at(t, along, aside, 0.2 + 0.45 * (i / 2)), 0.25, 0.2, 0.2));
    }
}

/* Nothing but boxes on two flat tiles and a step, thrown almost flat: flush faces, edges that lie in each other's line. */
static void make_tiles(trial *t, int count)
{
    int i;
    add_room(t, 2.1);
    for (i = -2; i <= 2; i++) add_slab(t, DVC_STATIC, at(t, i, 0, i < 2 ? 0.05 : 0.1), at(t, 0.5, 2.2, i < 2 ? 0.1 : 0.15));
    for (i = 0; i < count; i++) {
        int body = add_block(t, oracle_along(berth(t, i, 0.8), at(t, -0.5, 0, -0.2), 1), 0.2, 0.2, 0.2);
        t->s->bodies[body].velocity = at(t, test_random(0, 3) / sqrt(t->length), 0, 0);
    }
}

#endif
