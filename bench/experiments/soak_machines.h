/* Families of the soak with joints, motors, springs and given motions, and those whose bodies come, go or sleep. Include after
 * soak_look.h. */
#ifndef SOAK_MACHINES_H
#define SOAK_MACHINES_H

static bool by_chance(double share) { return test_random(0, 1) < share; }

/* ---- links and drives ---- */

static dvc_quat turn_to(bool planar, dvc_vec3 way)
{
    dvc_vec3 axis = oracle_cross(v3(1, 0, 0), way);
    double angle = atan2(oracle_norm(axis), (double)way.x);
    if (planar) return dvc_quat_turn(v3(0, 0, 1), (dvc_real)atan2((double)way.y, (double)way.x));
    return dvc_quat_turn(oracle_norm(axis) > 1e-9 * oracle_norm(way) ? axis : v3(0, 0, 1), (dvc_real)angle);
}

/* A bar between two points of the world, a tenth short of them, along its own x. */
static int add_link(trial *t, dvc_vec3 from, dvc_vec3 to)
{
    dvc_vec3 way = oracle_minus(to, from), middle = oracle_along(from, way, 0.5);
    double thick = 0.04 * t->length;
    int body = scene_box(t->s, DVC_DYNAMIC, v3(0.45 * oracle_norm(way), thick, thick), middle, 1, t->friction);
    scene_mass(t->s, body, pow(10, test_random(-0.5, 0.5)) * pow(t->length, 3));
    t->s->bodies[body].orientation = turn_to(t->s->world.planar, way);
    return body;
}

static dvc_joint *join(trial *t, dvc_joint_kind kind, int a, int b, dvc_vec3 anchor, dvc_vec3 axis)
{
    return &t->joints[machine_join(t->s, kind, a, b, anchor, axis)];
}

static dvc_vec3 across(const trial *t) { return t->s->world.planar ? v3(0, 0, 1) : v3(0, 1, 0); }

/* Limits, motor and dry friction, each by chance; motors give from a tenth to twenty times what lifts a link. */
static void drive(trial *t, dvc_joint *j, bool limited)
{
    bool slides = j->kind == DVC_PRISMATIC;
    dvc_axis *axis = slides ? &j->slide : &j->turn;
    double length = slides ? 0.1 * t->length : 1, weight = GRAVITY * pow(t->length, slides ? 3 : 4);
    axis->limited = limited;
    axis->lower = (dvc_real)(-length * test_random(0.1, 1));
    axis->upper = (dvc_real)(length * test_random(0.1, 1));
    if (by_chance(0.3)) axis->friction = (dvc_real)(weight * test_random(0, 0.2));
    if (by_chance(0.4)) return;
    axis->effort = (dvc_real)(weight * pow(10, test_random(-1, 1.3)));
    axis->speed = (dvc_real)(test_random(-3, 3) * length / sqrt(t->length));
    t->driven = true;
}

static dvc_joint_kind any_kind(bool planar)
{
    double chance = test_random(0, 1);
    if (chance < 0.15) return DVC_PRISMATIC;
    return chance < 0.35 && !planar ? DVC_SPHERICAL : DVC_REVOLUTE;
}

/* Links in a row from a point of body `base`, each with a drive at its start; returns the last. */
static int add_row(trial *t, int base, dvc_vec3 from, dvc_vec3 way, int links)
{
    bool planar = t->s->world.planar;
    int i;
    for (i = 0; i < links; i++) {
        dvc_vec3 to = oracle_along(from, way, 1);
        dvc_joint_kind kind = any_kind(planar);
        int body = add_link(t, from, to);
        dvc_vec3 axis = kind == DVC_PRISMATIC ? way : planar || by_chance(0.5) ? across(t) : v3(1, 0, 0);
        dvc_joint *j = join(t, kind, base, body, from, axis);
        if (kind != DVC_SPHERICAL) drive(t, j, kind == DVC_PRISMATIC || by_chance(0.5));
        base = body;
        from = to;
    }
    return base;
}

/* Parts that lie or fall beside a machine, on both of its sides. */
static void add_parts(trial *t, int count, double aside, double up)
{
    int i;
    for (i = 0; i < count; i++) {
        dvc_vec3 where = at(t, i % 2 ? aside : -aside, i % 4 / 2 - 0.5, up + 0.75 * (i / (t->s->world.planar ? 2 : 4)));
        throw_body(t, i % 3 ? add_hull(t, DVC_DYNAMIC, where, 7, 0.2) : add_block(t, where, 0.15, 0.1, 0.2), 1, 3);
    }
}

/* ---- machines ---- */

/* An arm on a pedestal that swings among loose parts, against its limits, the floor and itself. */
static void make_arm(trial *t, int count)
{
    double lean = test_random(-0.3, 0.3);
    int pedestal;
    add_room(t, 2.2);
    pedestal = add_slab(t, DVC_STATIC, at(t, 0, 0, 0.3), at(t, 0.12, 0.12, 0.3));
    add_row(t, pedestal, at(t, 0, 0, 0.7), at(t, 0.35 * sin(lean), 0, 0.35 * cos(lean)), 2 + (int)test_random(0, 3));
    add_parts(t, count, 1.2, 0.4);
}

/* Four bars, one of them the frame, two of them perhaps driven; in space with all axes alike, as they are built: five equations
 * more than freedoms. Parts fall on it. */
static void make_loop(trial *t, int count)
{
    dvc_vec3 corner[4];
    int body[3], i;
    add_room(t, 2.2);
    corner[0] = at(t, -0.5, 0, 0.9);
    corner[1] = at(t, -0.5 + test_random(-0.2, 0.2), 0, 0.9 + test_random(0.25, 0.5));
    corner[2] = at(t, 0.5 + test_random(-0.2, 0.2), 0, 0.9 + test_random(0.25, 0.6));
    corner[3] = at(t, 0.5, 0, 0.9);
    for (i = 0; i < 3; i++) body[i] = add_link(t, corner[i], corner[i + 1]);
    for (i = 0; i < 4; i++) {
        dvc_joint *j = join(t, DVC_REVOLUTE, i ? body[i - 1] : 0, i < 3 ? body[i] : 0, corner[i], across(t));
        if (i % 3 == 0 && by_chance(0.5)) drive(t, j, false);
    }
    add_parts(t, count, 0.6, 1.9);
}

/* A closed ring of links that falls on parts and floor. */
static void make_ring(trial *t, int count)
{
    int links = 4 + (int)test_random(0, 4), first = 0, i;
    dvc_joint_kind kind = t->s->world.planar || by_chance(0.3) ? DVC_REVOLUTE : DVC_SPHERICAL;
    dvc_vec3 corner[8];
    add_room(t, 2.2);
    for (i = 0; i < links; i++) corner[i] = at(t, 0.5 * cos(2 * PI * i / links), 0, 1.6 + 0.5 * sin(2 * PI * i / links));
    for (i = 0; i < links; i++) {
        int body = add_link(t, corner[i], corner[(i + 1) % links]);
        if (i == 0) first = body;
        else join(t, kind, body - 1, body, corner[i], across(t));
    }
    join(t, kind, first + links - 1, first, corner[0], across(t));
    t->s->bodies[first].velocity = oracle_scaled(any_direction(t->s->world.planar), sqrt(t->length));
    add_parts(t, count, 0.3, 0.35);
}

/* Links that drift: nothing but their own joints, motors and contacts. */
static void make_drift(trial *t, int count)
{
    int last;
    t->afloat = true;
    t->s->world.gravity = scene_zero;
    last = add_link(t, scene_zero, at(t, 0.35, 0, 0));
    add_row(t, last, at(t, 0.35, 0, 0), at(t, 0.35, 0, 0), count < 2 ? 2 : count);
    t->s->bodies[last].velocity = oracle_scaled(any_direction(t->s->world.planar), test_random(0, 2) * sqrt(t->length));
    t->s->bodies[last].angular_velocity = oracle_scaled(across(t), test_random(-4, 4) / sqrt(t->length));
}

/* ---- springs ---- */

#define SPRING_TURN 1.0 /* rad of a swing in a step: at three, linear steps gain energy without end in some of these scenes */

static dvc_vec3 any_corner(const trial *t, int body)
{
    dvc_vec3 half = t->s->shapes[body].half;
    double sign = by_chance(0.5) ? 1 : -1;
    return v3(sign * (double)half.x, (double)half.y, t->s->world.planar ? 0 : (double)half.z);
}

/* Soft ones, that turn the lighter body's swing by up to SPRING_TURN in a step, with little or much damping; taut or slack by up
 * to a tenth. */
static void add_spring(trial *t, int a, int b, dvc_vec3 anchor_a, dvc_vec3 anchor_b)
{
    dvc_vec3 from = machine_anchor(t->s, a, anchor_a), to = machine_anchor(t->s, b, anchor_b);
    double mass = fmin(is_there(&t->s->bodies[a]) ? (double)t->s->bodies[a].mass : ORACLE_FAR, (double)t->s->bodies[b].mass);
    double rate = pow(10, test_random(-1.5, 0)) * SPRING_TURN / t->h, stiffness = rate * rate * mass;
    double damping = test_random(0, 0.6) * rate * mass;
    int i = machine_spring(t->s, a, b, oracle_norm(oracle_minus(to, from)) * test_random(0.9, 1.1), stiffness, damping);
    t->springs[i].anchor_a = anchor_a;
    t->springs[i].anchor_b = anchor_b;
}

/* Boxes on springs from above and from each other, that swing into each other and the floor. */
static void make_springs(trial *t, int count)
{
    int i, body = 0;
    add_room(t, 1.6);
    for (i = 0; i < count; i++) {
        int last = body;
        dvc_vec3 half = any_vector(false, 0.08, 0.25);
        body = add_block(t, berth(t, i, 0.9), (double)half.x, (double)half.y, (double)half.z);
        throw_body(t, body, 1, 2);
        if (i % 3 == 0) add_spring(t, 0, body, oracle_along(t->s->bodies[body].position, at(t, 0.2, 0, 1), 1), scene_zero);
        else add_spring(t, last, body, any_corner(t, last), any_corner(t, body));
    }
}

/* ---- what is moved ---- */

/* Paddles on one hub that turn evenly, by no more than .3 rad in a step: about the vertical, their lower edges in the floor, or,
 * in the plane, as a wheel over it. */
static void make_rotor(trial *t, int count)
{
    bool planar = t->s->world.planar;
    double rate = fmin(0.3 / t->h, 6 / sqrt(t->length)) * test_random(0.1, 1) * (by_chance(0.5) ? 1 : -1);
    int hub, i;
    t->moving = true;
    add_room(t, 2.2);
    hub = add_slab(t, DVC_KINEMATIC, at(t, 0, 0, planar ? 1.4 : 0.2), at(t, 0.7, 0.06, planar ? 0.06 : 0.25));
    t->s->bodies[hub].angular_velocity = v3(0, 0, rate);
    for (i = 0; i < count; i++) {
        double angle = 2 * PI * i / count + 0.4, up = planar ? 2.6 + 0.6 * (i / 4) : 0.4 + 0.5 * (i % 2);
        dvc_vec3 where = planar ? at(t, 0.9 * (i % 4) - 1.35, 0, up) : at(t, 1.4 * cos(angle), 1.4 * sin(angle), up);
        throw_body(t, add_hull(t, DVC_DYNAMIC, where, 7, 0.22), 1, 3);
    }
    i = t->s->world.shape_count++; /* last: until here, bodies and shapes have the same indices */
    t->s->shapes[i] = t->s->shapes[hub];
    t->s->shapes[i].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(PI / 2));
}

static void push_to(void *user, dvc_real time, dvc_vec3 *position, dvc_quat *orientation)
{
    const swing *w = (const swing *)user;
    *position = oracle_along(w->middle, v3(1, 0, 0), w->reach * (1 - cos(w->rate * (double)time)));
    *orientation = dvc_quat_turn(v3(0, 0, 1), 0);
}

/* A block that comes and goes along the floor, and leaves everything room. */
static void make_pusher(trial *t, int count)
{
    int pusher, i;
    t->moving = true;
    add_tray(t, 2.2);
    pusher = add_slab(t, DVC_KINEMATIC, at(t, -1.9, 0, 0.2), at(t, 0.2, 1.2, 0.3));
    t->way.middle = t->s->bodies[pusher].position;
    t->way.rate = test_random(0.3, 2.5) / sqrt(t->length);
    t->way.reach = test_random(0.2, 0.8) * t->length;
    t->s->bodies[pusher].motion = push_to;
    t->s->bodies[pusher].user = &t->way;
    for (i = 0; i < count; i++)
        throw_body(t, add_hull(t, DVC_DYNAMIC, oracle_along(berth(t, i, 0.8), at(t, 0.6, 0, 0), 1), 8, 0.25), 1, 3);
}

/* ---- terrain ---- */

static void add_twin(trial *t)
{
    t->twin = (twin *)scene_memory(1, sizeof *t->twin);
    t->twin->contacts = (dvc_contact *)scene_memory(CONTACTS, sizeof(dvc_contact));
}

/* Columns of many heights, and walls. */
static void add_columns(trial *t, int across_count, double pitch)
{
    int rows = t->s->world.planar ? 1 : across_count, i;
    double half = pitch * across_count / 2;
    for (i = 0; i < across_count * rows; i++) {
        double along = pitch * (i % across_count + 0.5) - half, aside = pitch * (i / across_count + 0.5) - half;
        double top = by_chance(0.4) ? 0 : by_chance(0.5) ? 0.1 : test_random(0, 0.3);
        add_slab(t, DVC_STATIC, at(t, along, aside, top - 1), at(t, pitch / 2, pitch / 2, 1));
    }
    half -= 0.1;
    add_plane(t, at(t, -half, 0, 0), 1, 0, 0);
    add_plane(t, at(t, half, 0, 0), -1, 0, 0);
    if (t->s->world.planar) return;
    add_plane(t, at(t, 0, -half, 0), 0, 1, 0);
    add_plane(t, at(t, 0, half, 0), 0, -1, 0);
}

/* What stands there so far becomes a terrain. */
static void lay_out(trial *t)
{
    dvc_world *w = &t->s->world;
    size_t size = dvc_terrain_size(w, w->body_count, w->shape_count);
    t->terrain_storage = scene_memory(1, size);
    if (dvc_terrain_build(w, w->body_count, w->shape_count, t->terrain_storage, size, &t->terrain) != DVC_OK) abort();
    w->terrain = &t->terrain;
    add_twin(t);
}

static void make_terrain(trial *t, int count)
{
    int i;
    if (t->s->world.planar) add_columns(t, 10, 0.4);
    else add_columns(t, 6, 0.6);
    lay_out(t);
    for (i = 0; i < count; i++) {
        dvc_vec3 where = oracle_along(berth(t, i, 0.8), at(t, 0, 0, 0.5), 1);
        int body = i % 3 ? add_hull(t, DVC_DYNAMIC, where, 8, 0.25) : add_block(t, where, 0.2, 0.1, 0.2);
        throw_body(t, body, 2, 3);
    }
}

/* ---- what sleeps, comes and goes ---- */

/* Now and then one is struck. */
static void strike(trial *t, int step)
{
    const dvc_world *w = &t->s->world;
    int body = (int)test_random(0, w->body_count);
    if (step % 150 != 149 || !is_there(&w->bodies[body])) return;
    w->bodies[body].velocity = oracle_scaled(any_direction(w->planar), test_random(0, 2) * sqrt(t->length));
}

/* Boxes and hulls that come to rest, and sleep until something strikes. */
static void make_sleep(trial *t, int count)
{
    int i;
    t->s->world.sleep = true;
    t->act = strike;
    add_room(t, 1.6);
    for (i = 0; i < count; i++) {
        int body = i % 4 ? add_block(t, berth(t, i, 0.6), 0.25, 0.15, 0.2) : add_hull(t, DVC_DYNAMIC, berth(t, i, 0.6), 7, 0.25);
        give_mass(t, body);
    }
    add_twin(t);
}

/* Does the body reach into any other, where it now is? */
static bool is_free(trial *t, int body)
{
    int i;
    place_solid(t, body);
    for (i = 0; i < t->s->world.shape_count; i++)
        if (may_touch(t, i, body) && depth_of(&t->placed[i], &t->placed[body], 0) > 0) return false;
    return true;
}

/* Every eight steps the next body goes, if it was there, and comes again where there is room, while others fall or sleep. */
static void come_and_go(trial *t, int step)
{
    int first = t->spawned, count = t->s->world.body_count - first, body = first + step / 8 % count, tries;
    dvc_body *b = &t->s->bodies[body];
    if (step % 8) return;
    b->disabled = false;
    b->velocity = oracle_scaled(any_direction(t->s->world.planar), test_random(0, 2) * sqrt(t->length));
    b->angular_velocity = oracle_scaled(across(t), test_random(-3, 3) / sqrt(t->length));
    for (tries = 0; tries < 20; tries++) {
        double along = test_random(-1, 1), aside = test_random(-1, 1);
        b->position = at(t, along, aside, test_random(0.5, 2.5));
        if (is_free(t, body)) return;
    }
    b->disabled = true;
}

static void make_spawn(trial *t, int count)
{
    int i;
    t->s->world.sleep = by_chance(0.5);
    t->act = come_and_go;
    add_tray(t, 1.4);
    t->spawned = t->s->world.body_count;
    for (i = 0; i <= count; i++) {
        int body = i % 3 ? add_hull(t, DVC_DYNAMIC, berth(t, i, 0.9), 8, 0.25) : add_block(t, berth(t, i, 0.9), 0.2, 0.1, 0.15);
        throw_body(t, body, 0, 0);
        t->s->bodies[body].disabled = i > 1;
    }
    add_twin(t);
}

#endif
