/* What the steps of the soak are judged by: separating axes, balances of momentum and energy, joints as the poses show them, the
 * same world without terrain or sleep. Nothing is taken from the engine but the numbers it puts out: the kinetic energy alone,
 * by which the bars of the pours are measured since the first soak, is dvc_energy's. Include after soak_trial.h. */
#ifndef SOAK_LOOK_H
#define SOAK_LOOK_H

/* ---- overlap ---- */

/* How deep two solids are in each other; 0 as soon as an axis keeps them apart. */
static double depth_of(const oracle_solid *a, const oracle_solid *b, double enough)
{
    double best = -ORACLE_FAR;
    dvc_vec3 n;
    int i, j;
    if (a->vertex_count < 2 || b->vertex_count < 2) return fmax(0, -oracle_gap(a, b));
    for (i = 0; i < a->face_count && best < -enough; i++) oracle_try_axis(a, b, a->normals[i], &best, &n);
    for (i = 0; i < b->face_count && best < -enough; i++) oracle_try_axis(a, b, oracle_scaled(b->normals[i], -1), &best, &n);
    for (i = 0; i < a->edge_count; i++)
        for (j = 0; j < b->edge_count && best < -enough; j++) {
            dvc_vec3 u = oracle_edge_vector(a, i), v = oracle_edge_vector(b, j), w = oracle_cross(u, v);
            if (oracle_norm(w) < 1e-7 * oracle_norm(u) * oracle_norm(v)) continue;
            oracle_try_axis(a, b, oracle_unit(w), &best, &n);
            oracle_try_axis(a, b, oracle_scaled(w, -1 / oracle_norm(w)), &best, &n);
        }
    return fmax(0, -best);
}

static void place_solid(trial *t, int shape)
{
    const dvc_shape *s = &t->s->shapes[shape];
    const dvc_body *b = &t->s->bodies[s->body];
    t->placed[shape] = t->local[shape];
    oracle_place(&t->placed[shape], b->position, b->orientation);
}

/* Each solid in its body's frame: faces and edges are found once. */
static void learn_solid(trial *t, int shape)
{
    const dvc_shape *s = &t->s->shapes[shape];
    oracle_local(s, t->s->world.planar, &t->local[shape]);
    oracle_place(&t->local[shape], s->position, s->orientation);
    t->size[shape] = t->local[shape].vertex_count ? oracle_extent(&t->local[shape]) + 2 * t->local[shape].radius : ORACLE_FAR;
    if (!(t->size[shape] > 0)) t->size[shape] = t->length / 10; /* a particle */
    if (t->s->bodies[s->body].kind == DVC_STATIC) place_solid(t, shape);
}

/* Bodies with a joint between them pass through each other. */
static bool are_joined(const dvc_world *w, int body_a, int body_b)
{
    int i;
    for (i = 0; i < w->joint_count; i++) {
        const dvc_joint *j = &w->joints[i];
        if ((j->body_a == body_a && j->body_b == body_b) || (j->body_a == body_b && j->body_b == body_a)) return true;
    }
    return false;
}

static bool may_touch(const trial *t, int i, int k)
{
    const dvc_world *w = &t->s->world;
    return oracle_allowed(w, i, k) && oracle_ball_gap(&t->placed[i], &t->placed[k]) < 0 &&
           !are_joined(w, w->shapes[i].body, w->shapes[k].body);
}

/* The worst new depth of a pair, in sizes of the smaller part; depths that only shrink are no news. */
static double look_at_pairs(trial *t)
{
    double worst = 0;
    int i, k, count = t->s->world.shape_count;
    for (i = 0; i < count; i++)
        if (t->s->bodies[t->s->shapes[i].body].kind != DVC_STATIC) place_solid(t, i);
    for (i = 0; i < count; i++)
        for (k = i + 1; k < count; k++) {
            double size = fmin(t->size[i], t->size[k]), before = t->depth[i][k], depth;
            depth = may_touch(t, i, k) ? depth_of(&t->placed[i], &t->placed[k], 1e-13 * size) : 0;
            t->depth[i][k] = depth;
            if (depth > before + 1e-9 * size || depth < BAR_OVERLAP * size) worst = fmax(worst, depth / size);
        }
    return worst;
}

static bool is_between(dvc_vec3 low, dvc_vec3 x, dvc_vec3 high)
{
    return x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z;
}

static bool is_there(const dvc_body *b) { return b->kind == DVC_DYNAMIC && !b->disabled; }

/* Index of a body that is not in its container, or -1. */
static int stray(const trial *t)
{
    int i;
    for (i = 0; i < t->s->world.body_count; i++)
        if (is_there(&t->s->bodies[i]) && !is_between(t->low, t->s->bodies[i].position, t->high)) return i;
    return -1;
}

static double kinetic_energy(const dvc_world *world)
{
    dvc_world weightless = *world;
    weightless.gravity = scene_zero;
    return (double)dvc_energy(&weightless);
}

/* What rounding in the energies of a step is measured by: kinetic energies, and the work of weights and impulses at the
 * step's fastest speed. Places are rounded, too: gaps and with them rates are known to 2^-53 of a place per h only, in units
 * of which the bar of 1e-12 is a rounding error of one. */
static double energies_at_work(const trial *t, double kinetic_before)
{
    const dvc_world *w = &t->s->world;
    double fastest = GRAVITY * t->h, pushes = 0, farthest = 0;
    int i;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i];
        fastest = fmax(fastest, GRAVITY * t->h + oracle_norm(b->velocity));
        farthest = fmax(farthest, oracle_norm(b->position));
        pushes += is_there(b) ? (double)b->mass * GRAVITY * t->h : 0;
    }
    for (i = 0; i < w->contact_count; i++) pushes += (double)w->contacts[i].normal_impulse;
    return kinetic_before + kinetic_energy(w) + pushes * (fastest + farthest / t->h * (1.1e-16 / BAR_EXCESS));
}

/* ---- energy ---- */

static double energy_of_spring(const dvc_world *w, const dvc_spring *s)
{
    const dvc_body *a = &w->bodies[s->body_a], *b = &w->bodies[s->body_b];
    dvc_vec3 from = oracle_along(a->position, oracle_turn(a->orientation, s->anchor_a), 1);
    dvc_vec3 to = oracle_along(b->position, oracle_turn(b->orientation, s->anchor_b), 1);
    double longer = oracle_norm(oracle_minus(to, from)) - (double)s->length;
    return (double)s->stiffness * longer * longer / 2;
}

/* Of motion, height and springs, from the definitions. */
static double energy_of(const dvc_world *w)
{
    double sum = 0;
    int i;
    for (i = 0; i < w->spring_count; i++) sum += energy_of_spring(w, &w->springs[i]);
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i];
        if (!is_there(b)) continue;
        sum += (double)b->mass * (oracle_dot(b->velocity, b->velocity) / 2 - oracle_dot(w->gravity, b->position));
        if (w->planar) sum += (double)b->inertia.z * (double)b->angular_velocity.z * (double)b->angular_velocity.z / 2;
        else sum += oracle_dot(motion_spin_momentum(b), b->angular_velocity) / 2;
    }
    return sum;
}

/* ---- momentum ---- */

typedef struct balance { dvc_vec3 left; double scale; } balance;

static void put(balance *b, dvc_vec3 what, double times)
{
    b->left = oracle_along(b->left, what, times);
    b->scale += fabs(times) * oracle_norm(what);
}

static bool is_sprung(const dvc_world *w, int body)
{
    int i;
    for (i = 0; i < w->spring_count; i++)
        if (w->springs[i].body_a == body || w->springs[i].body_b == body) return true;
    return false;
}

/* What of a body's change of momentum neither weight nor impulses explain, per sum of all. */
static double unexplained(const dvc_world *w, int i, dvc_vec3 velocity_before, double h)
{
    const dvc_body *body = &w->bodies[i];
    balance b = { { 0, 0, 0 }, 0 };
    int k;
    put(&b, body->velocity, (double)body->mass);
    put(&b, velocity_before, -(double)body->mass);
    put(&b, w->gravity, -(double)body->mass * h);
    for (k = 0; k < w->contact_count; k++)
        put(&b, w->contacts[k].impulse, (w->contacts[k].body_a == i) - (w->contacts[k].body_b == i));
    for (k = 0; k < w->joint_count; k++) put(&b, w->joints[k].impulse, (w->joints[k].body_a == i) - (w->joints[k].body_b == i));
    if (w->planar) b.left.z = 0;
    return b.scale > 0 ? oracle_norm(b.left) / b.scale : 0;
}

static double worst_unexplained(const dvc_world *w, const dvc_body *before, double h)
{
    double worst = 0;
    int i;
    for (i = 0; i < w->body_count; i++)
        if (is_there(&w->bodies[i]) && !is_sprung(w, i)) worst = fmax(worst, unexplained(w, i, before[i].velocity, h));
    return worst;
}

/* About the origin, of all bodies together. */
static void put_spins(balance *sum, const dvc_world *w, const dvc_body *bodies, double times)
{
    int i;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &bodies[i];
        if (!is_there(b)) continue;
        put(sum, oracle_cross(b->position, b->velocity), times * (double)b->mass);
        put(sum, w->planar ? v3(0, 0, (double)(b->inertia.z * b->angular_velocity.z)) : motion_spin_momentum(b), times);
    }
}

/* Angular momentum that a world on which nothing acts has gained or lost in a step, per sum of its bodies'. */
static double spin_lost(const dvc_world *w, const dvc_body *before)
{
    balance b = { { 0, 0, 0 }, 0 };
    put_spins(&b, w, w->bodies, 1);
    put_spins(&b, w, before, -1);
    return b.scale > 0 ? oracle_norm(b.left) / b.scale : 0;
}

/* ---- joints ---- */

/* The turn about a joint's axis, from the poses, between -pi and pi. */
static double turned_by(const scene *s, const dvc_joint *j)
{
    dvc_quat a = machine_frame(s, j->body_a, j->frame_a), b = machine_frame(s, j->body_b, j->frame_b);
    dvc_vec3 x = oracle_turn(b, v3(1, 0, 0));
    return atan2(oracle_dot(x, oracle_turn(a, v3(0, 1, 0))), oracle_dot(x, oracle_turn(a, v3(1, 0, 0))));
}

/* How far beyond its limits a joint is, in rad or in sizes. */
static double beyond_limits(const scene *s, const dvc_joint *j, double size)
{
    const dvc_axis *axis = j->kind == DVC_PRISMATIC ? &j->slide : &j->turn;
    dvc_vec3 along = oracle_turn(machine_frame(s, j->body_a, j->frame_a), v3(0, 0, 1));
    double place = j->kind == DVC_PRISMATIC ? oracle_dot(machine_gap(s, j), along) : turned_by(s, j);
    if (!axis->limited || (j->kind != DVC_PRISMATIC && j->kind != DVC_REVOLUTE)) return 0;
    place = fmax((double)axis->lower - place, place - (double)axis->upper);
    return fmax(0, j->kind == DVC_PRISMATIC ? place / size : place);
}

/* New or grown errors of joints: apart, tilted, beyond a limit. What shrinks is no news. */
static double look_at_joints(trial *t)
{
    double worst = 0;
    int i;
    for (i = 0; i < t->s->world.joint_count; i++) {
        const dvc_joint *j = &t->joints[i];
        double off = fmax(machine_apart(t->s, i) / t->length, machine_tilted(t->s, i)), before = t->joint_error[i];
        off = fmax(off, beyond_limits(t->s, j, t->length));
        t->joint_error[i] = off;
        if (off > before * (1 + 1e-6) + 1e-9 || off < 1e-6) worst = fmax(worst, off);
    }
    return worst;
}

/* How much more than they can motors have given, per what they can. */
static double beyond_effort(const trial *t)
{
    double worst = 0;
    int i;
    for (i = 0; i < t->s->world.joint_count; i++) {
        const dvc_axis *axis = t->joints[i].kind == DVC_PRISMATIC ? &t->joints[i].slide : &t->joints[i].turn;
        double most = ((double)axis->effort + (double)axis->friction) * t->h;
        if (most > 0 && !axis->limited) worst = fmax(worst, fabs((double)axis->impulse) / most - 1);
    }
    return worst;
}

/* ---- the same world once more ---- */

static bool is_same(const dvc_body *a, const dvc_body *b)
{
    return memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->orientation, &b->orientation, sizeof a->orientation) == 0 &&
           memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0 &&
           memcmp(&a->angular_velocity, &b->angular_velocity, sizeof a->angular_velocity) == 0;
}

/* Takes the twin to where the scene is: before a step. */
static void copy_to_twin(trial *t)
{
    twin *o = t->twin;
    const dvc_world *w = &t->s->world;
    int i;
    memcpy(o->contacts, w->contacts, (size_t)w->contact_count * sizeof *o->contacts);
    memcpy(o->bodies, w->bodies, (size_t)w->body_count * sizeof *o->bodies);
    for (i = 0; i < w->body_count; i++) o->bodies[i].asleep = 0;
    o->world = *w;
    o->world.contacts = o->contacts;
    o->world.bodies = o->bodies;
    o->world.terrain = NULL;
    o->world.sleep = false;
}

/* Bodies that the twin has elsewhere after the same step. */
static double unlike_twin(trial *t)
{
    twin *o = t->twin;
    int i, unlike = 0;
    if (dvc_step(&o->world, (dvc_real)t->h) != DVC_OK) return 1;
    for (i = 0; i < o->world.body_count; i++) unlike += !is_same(&o->bodies[i], &t->s->bodies[i]);
    return unlike;
}

/* ---- all at the start ---- */

static void look(trial *t)
{
    int i;
    for (i = 0; i < t->s->world.shape_count; i++) learn_solid(t, i);
    look_at_pairs(t);
    look_at_joints(t);
}

#endif
