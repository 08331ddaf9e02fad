/* What a world tells about itself: velocities of points, energy, momentum and hash; the complementarity problem of a step,
 * rebuilt entry by entry from the bodies and contacts and solved by trying all sets of active rows; the fields of the report.
 *
 * Included by the main file of the tests after oracle.h. */

#include "motion.h"
#include "trial.h"

enum { INSPECT_ROWS = 12, INSPECT_KINDS = 4 };

#define INSPECT_H 0.01

/* Bodies with random motion and no shapes. */
static scene *inspect_random(int count, bool planar)
{
    scene *s = scene_make(count, planar, TRIAL_SCRATCH);
    int i;
    for (i = 0; i < count; i++) {
        dvc_body *body = &s->bodies[scene_add(s, DVC_DYNAMIC, DVC_NO_SHAPE, motion_vec(3, false), 0)];
        body->mass = (dvc_real)test_random(1, 2);
        body->inertia = test_vec(test_random(1, 2), test_random(1, 2), test_random(1, 2));
        body->orientation = trial_turn(planar, 2);
        body->velocity = motion_vec(2, false);
        body->angular_velocity = motion_vec(2, false);
    }
    return s;
}

/* ---- velocity, energy, momentum ---- */

/* How its material point moves in a short time, without forces. */
static void the_velocity_of_a_point_is_how_it_moves(void)
{
    double h = 1e-6;
    int seed;
    for (seed = 0; seed < 50; seed++) {
        scene *s;
        dvc_body *body;
        dvc_vec3 local, before, after, velocity;
        test_seed((uint64_t)seed);
        local = motion_vec(2, false);
        s = inspect_random(1, false);
        body = &s->bodies[0];
        s->world.gravity = scene_zero;
        before = dvc_body_point(body, local);
        velocity = dvc_point_velocity(body, before);
        CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
        after = dvc_body_point(body, local);
        CHECK(motion_apart(oracle_scaled(oracle_minus(after, before), 1 / h), velocity) <= 1e-4);
        CHECK(motion_apart(dvc_point_velocity(body, body->position), body->velocity) == 0);
        scene_free(s);
    }
}

/* A body is the same as six points of a sixth of its mass on its axes, if they are where its moments say: place and velocity
 * of the i-th one. */
static void inspect_point_mass(const dvc_body *body, int i, dvc_vec3 *place, dvc_vec3 *velocity)
{
    const double j[3] = { (double)body->inertia.x, (double)body->inertia.y, (double)body->inertia.z };
    double spread = (j[0] + j[1] + j[2]) / 2 - j[i / 2], reach = sqrt(3 * spread / (double)body->mass);
    dvc_vec3 arm = oracle_turn(body->orientation, motion_axis(i / 2, i % 2 ? reach : -reach));
    *place = oracle_along(body->position, arm, 1);
    *velocity = oracle_along(body->velocity, oracle_cross(body->angular_velocity, arm), 1);
}

/* Adds what the six points have. */
static void inspect_add_points(const dvc_body *body, dvc_vec3 gravity, double *energy, dvc_vec3 *linear, dvc_vec3 *angular)
{
    double mass = (double)body->mass / 6;
    int i;
    for (i = 0; i < 6; i++) {
        dvc_vec3 p, v;
        inspect_point_mass(body, i, &p, &v);
        *energy += mass * (oracle_dot(v, v) / 2 - oracle_dot(gravity, p));
        *linear = oracle_along(*linear, v, mass);
        *angular = oracle_along(*angular, oracle_cross(p, v), mass);
    }
}

static void energy_and_momentum_are_those_of_point_masses(void)
{
    int seed, i;
    for (seed = 0; seed < 50; seed++) {
        scene *s;
        dvc_vec3 linear = scene_zero, angular = scene_zero, p, l;
        double energy = 0;
        test_seed((uint64_t)seed);
        s = inspect_random(5, false);
        s->world.gravity = motion_vec(10, false);
        s->bodies[3].kind = seed % 2 ? DVC_STATIC : DVC_KINEMATIC;
        s->bodies[4].disabled = true;
        for (i = 0; i < 3; i++) inspect_add_points(&s->bodies[i], s->world.gravity, &energy, &linear, &angular);
        CHECK_NEAR(dvc_energy(&s->world), energy, 1e-12 * (1 + fabs(energy)));
        dvc_momentum(&s->world, &p, &l);
        CHECK(motion_apart(p, linear) <= 1e-13 && motion_apart(l, angular) <= 1e-12);
        dvc_momentum(&s->world, NULL, NULL);
        dvc_momentum(&s->world, &linear, NULL);
        dvc_momentum(&s->world, NULL, &angular);
        CHECK(motion_apart(p, linear) == 0 && motion_apart(l, angular) == 0);
        scene_free(s);
    }
}

/* Nothing out of the plane counts. */
static void planar_worlds_count_their_plane_only(void)
{
    scene *s = scene_make(1, true, TRIAL_SCRATCH);
    dvc_body *body = &s->bodies[scene_add(s, DVC_DYNAMIC, DVC_NO_SHAPE, v3(3, 4, 7), 0)];
    dvc_vec3 p, l;
    body->mass = 2;
    body->inertia = v3(0, 0, 5);
    body->velocity = v3(1, -2, 9);
    body->angular_velocity = v3(9, 9, 2);
    s->world.gravity = v3(1, -10, -9);
    CHECK_NEAR(dvc_energy(&s->world), 5 + 10 + 2 * (10 * 4 - 3), 1e-12);
    dvc_momentum(&s->world, &p, &l);
    CHECK(motion_apart(p, v3(2, -4, 0)) <= 1e-14 && motion_apart(l, v3(0, 0, 2 * (-6 - 4) + 10)) <= 1e-13);
    scene_free(s);
}

/* In free fall energy stays. In the literature's step it loses m g^2 h^2 / 2, exactly: the position follows the new velocity. */
static void inspect_check_fall(bool literature)
{
    scene *s;
    double energy, loss = 0;
    int i;
    test_seed(1);
    s = inspect_random(3, false);
    s->world.semi_implicit = literature;
    energy = (double)dvc_energy(&s->world);
    for (i = 0; literature && i < 3; i++) loss += (double)s->bodies[i].mass * 9.81 * 9.81 * INSPECT_H * INSPECT_H / 2;
    for (i = 1; i <= 100; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
        CHECK_NEAR(dvc_energy(&s->world), energy - i * loss, (literature ? 1e-11 : 1e-13) * energy);
        CHECK((double)s->world.report.energy_excess <= 1e-12 * energy);
    }
    scene_free(s);
}

static void free_fall_keeps_its_energy(void) { inspect_check_fall(false); }

static void free_fall_loses_the_energy_that_the_literature_s_method_says(void) { inspect_check_fall(true); }

/* A cloud of balls and boxes that fall together, with friction; the world has no wall. */
static void impacts_keep_momentum_and_angular_momentum(void)
{
    scene *s = scene_make(12, false, TRIAL_SCRATCH);
    dvc_vec3 p, l, p_now, l_now;
    double energy;
    int i, hits = 0;
    test_seed(3);
    s->world.gravity = scene_zero;
    for (i = 0; i < 12; i++) {
        dvc_vec3 at = v3(i % 3 * 1.2, i / 3 % 2 * 1.2, i / 6 * 1.2);
        trial_part(s, DVC_DYNAMIC, i % 2 ? TRIAL_BALL : TRIAL_BOX, 0.5, at, 0.5);
        s->bodies[i].velocity = oracle_along(motion_vec(0.5, false), oracle_minus(at, v3(1.2, 0.6, 0.6)), -1);
        s->bodies[i].angular_velocity = motion_vec(1, false);
    }
    dvc_momentum(&s->world, &p, &l);
    energy = (double)dvc_energy(&s->world);
    for (i = 0; i < 100; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
        hits += s->world.report.enforced;
    }
    dvc_momentum(&s->world, &p_now, &l_now);
    CHECK(hits > 20 && (double)dvc_energy(&s->world) < 0.9 * energy);
    CHECK(motion_apart(p, p_now) <= 1e-12 && motion_apart(l, l_now) <= 1e-11);
    scene_free(s);
}

/* ---- hash ---- */

/* Ten steps of a ball and a box on the ground: contacts with impulses. */
static scene *inspect_resting(void)
{
    scene *s = scene_make(4, false, TRIAL_SCRATCH);
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    scene_sphere(s, 0.5, v3(3, 0, 0.5), 1, 0.5);
    CHECK(scene_run(s, INSPECT_H, 0.1));
    CHECK(s->world.contact_count == 5);
    return s;
}

static void inspect_flip_byte(const dvc_world *world, void *byte, bool counts)
{
    uint64_t before = dvc_world_hash(world);
    *(unsigned char *)byte ^= 1;
    CHECK((dvc_world_hash(world) != before) == counts);
    *(unsigned char *)byte ^= 1;
    CHECK(dvc_world_hash(world) == before);
}

/* Each bit of a field of reals counts; tried on the last bit of each number. */
static void inspect_flip_reals(const dvc_world *world, dvc_real *numbers, int count)
{
    uint64_t before = dvc_world_hash(world);
    int i;
    for (i = 0; i < count; i++) {
        dvc_real keep = numbers[i];
        numbers[i] = keep + (dvc_real)1e-12;
        CHECK(dvc_world_hash(world) != before);
        numbers[i] = keep;
    }
    CHECK(dvc_world_hash(world) == before);
}

/* All that the next step reads and the step writes: motion, time, contacts. */
static void a_hash_changes_with_all_that_a_step_leaves_behind(void)
{
    scene *s = inspect_resting();
    int i;
    for (i = 0; i < s->world.body_count; i++) {
        inspect_flip_reals(&s->world, &s->bodies[i].position.x, 3);
        inspect_flip_reals(&s->world, &s->bodies[i].orientation.w, 4);
        inspect_flip_reals(&s->world, &s->bodies[i].velocity.x, 3);
        inspect_flip_reals(&s->world, &s->bodies[i].angular_velocity.x, 3);
    }
    inspect_flip_byte(&s->world, &s->world.time, true);
    inspect_flip_byte(&s->world, &s->world.contact_count, true);
    for (i = 0; i < s->world.contact_count; i++) {
        dvc_contact *c = &s->world.contacts[i];
        inspect_flip_reals(&s->world, &c->gap, 1);
        inspect_flip_reals(&s->world, &c->impulse.x, 3);
        inspect_flip_byte(&s->world, &c->shape_a, true);
        inspect_flip_byte(&s->world, &c->shape_b, true);
        inspect_flip_byte(&s->world, &c->feature_a, true);
        inspect_flip_byte(&s->world, &c->feature_b, true);
    }
    scene_free(s);
}

/* The next step starts from these, too: see the warm start. */
static void a_hash_changes_with_what_the_next_step_starts_from(void)
{
    scene *s = inspect_resting();
    int i;
    for (i = 0; i < s->world.contact_count; i++) {
        dvc_contact *c = &s->world.contacts[i];
        inspect_flip_reals(&s->world, &c->normal_impulse, 1);
        inspect_flip_byte(&s->world, &c->warm, true);
        inspect_flip_byte(&s->world, &c->chosen, true);
    }
    scene_free(s);
}

/* Scratch, report, spare slots, padding, places of arrays. */
static void a_hash_does_not_change_with_what_carries_nothing_over(void)
{
    scene *s = inspect_resting();
    uint64_t before = dvc_world_hash(&s->world);
    dvc_world copy = s->world;
    dvc_body bodies[4];
    inspect_flip_byte(&s->world, s->world.scratch, false);
    inspect_flip_byte(&s->world, &s->world.scratch_size, false);
    inspect_flip_byte(&s->world, &s->world.contact_capacity, false);
    inspect_flip_byte(&s->world, &s->world.culprit, false);
    inspect_flip_byte(&s->world, &s->world.report, false);
    inspect_flip_byte(&s->world, &s->world.report.iterations, false);
    inspect_flip_byte(&s->world, &s->world.contacts[s->world.contact_count], false);
    inspect_flip_byte(&s->world, &s->bodies[s->world.body_count].position, false);
    inspect_flip_byte(&s->world, (unsigned char *)&s->bodies[1].disabled + 1, false); /* padding of the machines we know */
    memcpy(bodies, s->bodies, sizeof bodies);
    copy.bodies = bodies;
    CHECK(dvc_world_hash(&copy) == before);
    CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK && dvc_world_hash(&s->world) != before);
    scene_free(s);
}

/* ---- the problem of a step ---- */

/* Two balls on top of each other, a tilted box near the ground, a rectangle and a disc in the plane, a ball on ground that
 * moves. */
static void inspect_fill_case(scene *s, int kind, double friction)
{
    int ground = scene_ground(s, friction);
    s->bodies[ground].kind = kind == 3 ? DVC_KINEMATIC : DVC_STATIC;
    if (kind == 3) s->bodies[ground].velocity = v3(0.7, -0.3, 0.1);
    if (kind == 0 || kind == 3) scene_sphere(s, 0.5, v3(0, 0, 0.501), 2, friction);
    if (kind == 0) scene_sphere(s, 0.4, v3(0.1, 0, 1.398), 1, friction);
    if (kind == 1) scene_box(s, DVC_DYNAMIC, v3(0.3, 0.2, 0.1), v3(0, 0, 0.101), 1, friction);
    if (kind == 1) s->bodies[1].orientation = dvc_quat_turn(v3(1, 2, 0), (dvc_real)0.002);
    if (kind == 2) scene_box(s, DVC_DYNAMIC, v3(0.3, 0.2, 1), v3(0, 0.2005, 0), 1, friction);
    if (kind == 2) scene_sphere(s, 0.1, v3(1, 0.099, 0), 1, friction);
}

/* A small world whose next step has contacts; its geometry stays that of the start. */
static scene *inspect_case(int kind, int seed, double friction, int directions)
{
    scene *s = scene_make(3, kind == 2, TRIAL_SCRATCH);
    int i;
    test_seed((uint64_t)seed);
    s->world.semi_implicit = true;
    s->world.friction_directions = kind == 2 ? 0 : directions;
    inspect_fill_case(s, kind, friction);
    for (i = 1; i < s->world.body_count; i++) {
        s->bodies[i].velocity = kind == 2 ? v3(test_random(-1, 1), -0.5, 0) : oracle_along(motion_vec(1, false), v3(0, 0, 1), -1);
        s->bodies[i].angular_velocity = motion_vec(1, false);
        s->bodies[i].force = motion_vec(3, false);
        s->bodies[i].torque = motion_vec(0.1, false);
    }
    return s;
}

/* M^-1 of a body at its pose, applied to its part of a row. */
static void inspect_moved(const dvc_body *body, int width, const dvc_real *force, double *moved)
{
    dvc_vec3 turn;
    int i;
    for (i = 0; i < width; i++) moved[i] = (double)force[i] / (double)body->mass;
    if (width == 3) {
        moved[2] = (double)force[2] / (double)body->inertia.z;
        return;
    }
    turn = v3((double)force[3], (double)force[4], (double)force[5]);
    turn = motion_by_moments(body->orientation, motion_inverse_moments(body), turn);
    moved[3] = (double)turn.x;
    moved[4] = (double)turn.y;
    moved[5] = (double)turn.z;
}

static const dvc_real *inspect_row(const dvc_problem *p, int row, int side)
{
    return p->rows + (size_t)(2 * row + side) * (size_t)p->width;
}

/* J_i M^-1 J_j' */
static double inspect_product(const dvc_world *world, const dvc_problem *p, int i, int j)
{
    double sum = 0, moved[6];
    int a, b, k;
    for (a = 0; a < 2; a++)
        for (b = 0; b < 2; b++) {
            int body = p->row_body[2 * j + b];
            if (body < 0 || p->row_body[2 * i + a] != body) continue;
            inspect_moved(&world->bodies[body], p->width, inspect_row(p, j, b), moved);
            for (k = 0; k < p->width; k++) sum += (double)inspect_row(p, i, a)[k] * moved[k];
        }
    return sum;
}

/* A is J M^-1 J', bordered by the cone rows: mu p_n - sum beta, and 1 from each cone to its directions. `block` is the number of
 * rows of a contact. */
static void inspect_check_matrix(const dvc_world *world, const dvc_problem *p, int block, double friction)
{
    int i, j;
    for (i = 0; i < p->n; i++)
        for (j = 0; j < p->n; j++) {
            bool same = i / block == j / block, cones = block > 1;
            bool cone_i = cones && i % block == block - 1, cone_j = cones && j % block == block - 1;
            double expected = inspect_product(world, p, i, j);
            if (cone_i || cone_j) expected = 0;
            if (same && cone_i && !cone_j) expected = j % block == 0 ? friction : -1;
            if (same && cone_j && !cone_i) expected = i % block == 0 ? 0 : 1;
            CHECK_NEAR(p->A[(size_t)i * (size_t)p->n + (size_t)j], expected, 1e-10);
        }
}

/* A force along `d` at the contact's point, on the body of one side, as a row should have it. */
static void inspect_check_row(const dvc_world *start, const dvc_contact *contact, const dvc_problem *p, int row, dvc_vec3 d)
{
    int side;
    for (side = 0; side < 2; side++) {
        int body = side ? contact->body_b : contact->body_a;
        bool moves = start->bodies[body].kind == DVC_DYNAMIC;
        dvc_vec3 force = oracle_scaled(d, moves ? (side ? 1 : -1) : 0);
        dvc_vec3 moment = oracle_cross(oracle_minus(contact->point, start->bodies[body].position), force);
        const dvc_real *x = inspect_row(p, row, side);
        CHECK(p->row_body[2 * row + side] == (moves ? body : -1));
        CHECK(hypot((double)(x[0] - force.x), (double)(x[1] - force.y)) <= 1e-14);
        CHECK_NEAR(x[p->width - 1], moment.z, 1e-14);
        if (p->width == 3) continue;
        CHECK_NEAR(x[2], force.z, 1e-14);
        CHECK(hypot((double)(x[3] - moment.x), (double)(x[4] - moment.y)) <= 1e-14);
    }
}

/* The direction of a friction row, from the side that moves. */
static dvc_vec3 inspect_direction(const dvc_problem *p, int row)
{
    int side = p->row_body[2 * row + 1] >= 0;
    const dvc_real *x = inspect_row(p, row, side);
    return oracle_scaled(v3((double)x[0], (double)x[1], p->width == 6 ? (double)x[2] : 0), side ? 1 : -1);
}

/* Normal, directions that are spread evenly in the plane of the contact, cone. */
static void inspect_check_contact(const dvc_world *start, const dvc_contact *contact, const dvc_problem *p, int row, int block)
{
    int nd = block - 2, k;
    double step = nd > 0 ? 2 * TRIAL_PI / nd : 0;
    CHECK(contact->chosen);
    inspect_check_row(start, contact, p, row, contact->normal);
    for (k = 0; k < nd; k++) {
        dvc_vec3 d = inspect_direction(p, row + 1 + k), next = inspect_direction(p, row + 1 + (k + 1) % nd);
        CHECK_NEAR(oracle_norm(d), 1, 1e-14);
        CHECK_NEAR(oracle_dot(d, contact->normal), 0, 1e-14);
        CHECK_NEAR(oracle_dot(d, next), cos(step), 1e-14);
        if (nd > 2) CHECK_NEAR(oracle_dot(oracle_cross(d, next), contact->normal), sin(step), 1e-14);
        inspect_check_row(start, contact, p, row + 1 + k, d);
    }
    for (k = 0; nd > 0 && k < 2 * p->width; k++) CHECK(inspect_row(p, row + block - 1, 0)[k] == 0);
}

/* What a body would do without contacts: its velocities after the forces, and its mean angular velocity on the way. */
static void inspect_free_motion(const scene *s, int index, dvc_vec3 *v, dvc_vec3 *w, dvc_vec3 *mean)
{
    static unsigned char scratch[1 << 16];
    dvc_world world = s->world;
    const dvc_body *body = &s->bodies[index];
    dvc_body bodies[3];
    memcpy(bodies, s->bodies, sizeof bodies);
    world.bodies = bodies;
    world.shape_count = world.contact_capacity = 0;
    world.scratch = scratch;
    world.scratch_size = sizeof scratch;
    CHECK(dvc_step(&world, (dvc_real)INSPECT_H) == DVC_OK);
    *v = bodies[index].velocity;
    *w = motion_by_moments(body->orientation, motion_inverse_moments(body), body->torque);
    if (s->world.planar) *w = v3(0, 0, (double)(body->torque.z / body->inertia.z));
    *w = oracle_along(body->angular_velocity, *w, INSPECT_H);
    *mean = oracle_scaled(motion_between(body->orientation, bodies[index].orientation), 1 / INSPECT_H);
}

/* Row times the velocities that move the bodies: v, and the mean turn. */
static double inspect_rate(const scene *s, const dvc_problem *p, int row)
{
    double sum = 0;
    int side, k;
    for (side = 0; side < 2; side++) {
        const dvc_real *x = inspect_row(p, row, side);
        dvc_vec3 v, w, mean;
        double u[6] = { 0 };
        if (p->row_body[2 * row + side] < 0) continue;
        inspect_free_motion(s, p->row_body[2 * row + side], &v, &w, &mean);
        u[0] = (double)v.x;
        u[1] = (double)v.y;
        u[2] = p->width == 3 ? (double)mean.z : (double)v.z;
        u[3] = (double)mean.x;
        u[4] = (double)mean.y;
        u[5] = (double)mean.z;
        for (k = 0; k < p->width; k++) sum += (double)x[k] * u[k];
    }
    return sum;
}

/* b: gap / h + G v for normals, G v for directions, with what the ground does; 0 for cones. Gaps by the oracle: of a ball, or
 * of the corner at the contact's point. */
static void inspect_check_vector(const scene *s, const dvc_contact *contact, const dvc_problem *p, int row, int block)
{
    static oracle_solid a, b;
    double gap;
    int k;
    oracle_shape(&s->world, contact->shape_a, &a);
    oracle_shape(&s->world, contact->shape_b, &b);
    gap = a.vertex_count == 0 ? oracle_point_gap(&a, contact->point) : oracle_gap(&a, &b);
    for (k = 0; k < (block > 1 ? block - 1 : 1); k++) {
        dvc_vec3 d = k ? inspect_direction(p, row + k) : contact->normal;
        double rate = inspect_rate(s, p, row + k) - oracle_dot(d, s->bodies[0].velocity) * (contact->body_a == 0);
        CHECK_NEAR(p->b[row + k], rate + (k ? 0 : gap / INSPECT_H), 1e-11);
    }
    if (block > 1) CHECK(p->b[row + block - 1] == 0);
}

/* Bodies of the problem: which, their masses, their free velocities. */
static void inspect_check_bodies(const scene *s, const dvc_problem *p)
{
    int i, k, count = 0;
    for (i = 0; i < s->world.body_count; i++) count += s->bodies[i].kind == DVC_DYNAMIC;
    CHECK(p->body_count == count && p->width == (s->world.planar ? 3 : 6));
    for (i = 0; i < p->body_count; i++) {
        const dvc_body *body = &s->bodies[p->bodies[i]];
        const dvc_real *mass = p->mass + i * p->width, *u = p->free_velocity + i * p->width;
        dvc_vec3 v, w, mean;
        inspect_free_motion(s, p->bodies[i], &v, &w, &mean);
        CHECK(body->kind == DVC_DYNAMIC && mass[p->width - 1] == body->inertia.z);
        CHECK(p->width == 3 || (mass[3] == body->inertia.x && mass[4] == body->inertia.y));
        for (k = 0; k < (p->width == 3 ? 2 : 3); k++) CHECK_NEAR(mass[k], body->mass, 1e-15 * (double)body->mass);
        CHECK_NEAR(u[0], v.x, 1e-15);
        CHECK_NEAR(u[1], v.y, 1e-15);
        CHECK_NEAR(u[p->width - 1], mean.z, 1e-13);
    }
}

static void inspect_check_case(int kind, int seed, double friction, int directions)
{
    scene *s = inspect_case(kind, seed, friction, directions), *after = inspect_case(kind, seed, friction, directions);
    int nd = kind == 2 ? 2 : directions, block = friction > 0 ? 2 + nd : 1, row;
    uint64_t hash = dvc_world_hash(&s->world);
    dvc_problem p;
    CHECK(dvc_step(&after->world, (dvc_real)INSPECT_H) == DVC_OK);
    CHECK(dvc_problem_build(&s->world, (dvc_real)INSPECT_H, &p) == DVC_OK);
    CHECK(p.n > 0 && p.n == block * after->world.report.enforced);
    inspect_check_bodies(s, &p);
    inspect_check_matrix(&s->world, &p, block, friction);
    for (row = 0; row < p.n; row += block) {
        const dvc_contact *contact = &after->world.contacts[p.row_contact[row]];
        CHECK(p.row_contact[row + block - 1] == p.row_contact[row] && (row == 0 || p.row_contact[row] > p.row_contact[row - 1]));
        inspect_check_contact(&s->world, contact, &p, row, block);
        inspect_check_vector(s, contact, &p, row, block);
    }
    CHECK(dvc_world_hash(&s->world) == hash);
    scene_free(s);
    scene_free(after);
}

static void the_problem_of_a_step_is_made_of_its_bodies_and_contacts(void)
{
    static const int directions[] = { 3, 4, 5, 8 };
    int kind, seed;
    for (kind = 0; kind < INSPECT_KINDS; kind++)
        for (seed = 0; seed < 20; seed++) {
            inspect_check_case(kind, seed, 0, 8);
            inspect_check_case(kind, seed, 0.4, directions[seed % 4]);
        }
}

/* A x = b by elimination with pivoting; false if singular. */
static bool inspect_solve(int n, double a[INSPECT_ROWS][INSPECT_ROWS + 1])
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        int best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (fabs(a[best][k]) < 1e-9) return false;
        for (j = k; j <= n; j++) {
            double keep = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = keep;
        }
        for (i = 0; i < n; i++)
            for (j = n; i != k && j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    for (k = 0; k < n; k++) a[k][n] /= a[k][k];
    return true;
}

/* Solves with the rows in `active` as equations; is it a solution of all? */
static bool inspect_try_active(const dvc_problem *p, unsigned active, double *z)
{
    double a[INSPECT_ROWS][INSPECT_ROWS + 1];
    int list[INSPECT_ROWS], n = 0, i, j;
    for (i = 0; i < p->n; i++)
        if (active >> i & 1u) list[n++] = i;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) a[i][j] = (double)p->A[list[i] * p->n + list[j]];
        a[i][n] = -(double)p->b[list[i]];
    }
    if (!inspect_solve(n, a)) return false;
    for (i = 0; i < p->n; i++) z[i] = 0;
    for (i = 0; i < n; i++) {
        z[list[i]] = a[i][n];
        if (a[i][n] < -1e-12) return false;
    }
    for (i = 0; i < p->n; i++) {
        double w = (double)p->b[i];
        for (j = 0; j < p->n; j++) w += (double)p->A[i * p->n + j] * z[j];
        if (w < -1e-9) return false;
    }
    return true;
}

/* Velocities with the impulses z against those that the step left, linear ones and, where a body is round, angular ones. */
static void inspect_check_velocities(const scene *s, const scene *after, const dvc_problem *p, const double *z)
{
    double moved[6];
    int i, row, side, k;
    for (i = 0; i < p->body_count; i++) {
        const dvc_body *end = &after->bodies[p->bodies[i]];
        double u[6];
        for (k = 0; k < p->width; k++) u[k] = (double)p->free_velocity[i * p->width + k];
        for (row = 0; row < p->n; row++)
            for (side = 0; side < 2; side++) {
                if (p->row_body[2 * row + side] != p->bodies[i]) continue;
                inspect_moved(&s->bodies[p->bodies[i]], p->width, inspect_row(p, row, side), moved);
                for (k = 0; k < p->width; k++) u[k] += moved[k] * z[row];
            }
        CHECK_NEAR(end->velocity.x, u[0], 1e-9);
        CHECK_NEAR(end->velocity.y, u[1], 1e-9);
        if (p->width == 6) CHECK_NEAR(end->velocity.z, u[2], 1e-9);
        if (p->width == 3 || end->inertia.x == end->inertia.z) CHECK_NEAR(end->angular_velocity.z, u[p->width - 1], 1e-9);
    }
}

static void inspect_check_solution(int kind, int seed, double friction, int directions)
{
    scene *s = inspect_case(kind, seed, friction, directions), *after = inspect_case(kind, seed, friction, directions);
    double z[INSPECT_ROWS];
    dvc_problem p;
    unsigned active = 0;
    CHECK(dvc_step(&after->world, (dvc_real)INSPECT_H) == DVC_OK);
    CHECK(dvc_problem_build(&s->world, (dvc_real)INSPECT_H, &p) == DVC_OK);
    CHECK(p.n <= INSPECT_ROWS);
    while (active < 1u << p.n && !inspect_try_active(&p, active, z)) active++;
    CHECK(active < 1u << p.n);
    if (active < 1u << p.n) inspect_check_velocities(s, after, &p, z);
    scene_free(s);
    scene_free(after);
}

static void brute_force_on_the_problem_gives_the_step(void)
{
    int kind, seed;
    for (seed = 0; seed < 20; seed++) {
        for (kind = 0; kind < INSPECT_KINDS; kind++) inspect_check_solution(kind, seed, 0, 8);
        inspect_check_solution(0, seed, 0.4, 4);
        inspect_check_solution(2, seed, 0.4, 2);
        inspect_check_solution(3, seed, 0.4, seed % 2 ? 8 : 5);
    }
}

static void a_world_without_contacts_has_an_empty_problem(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    dvc_problem p;
    scene_ground(s, 0);
    scene_sphere(s, 0.5, v3(0, 0, 10), 1, 0);
    CHECK(dvc_problem_build(&s->world, (dvc_real)INSPECT_H, &p) == DVC_OK);
    CHECK(p.n == 0 && p.body_count == 1 && p.bodies[0] == 1 && p.mass[0] == 1);
    CHECK_NEAR(p.free_velocity[2], -9.81 * INSPECT_H, 1e-15);
    scene_free(s);
}

/* ---- the report ---- */

/* A room in which a few parts tumble about. */
static scene *inspect_room(int seed, bool planar)
{
    scene *s = scene_make(16, planar, TRIAL_SCRATCH);
    int i;
    test_seed((uint64_t)seed);
    trial_room(s, 2, 0.4);
    for (i = 0; i < 5; i++) {
        dvc_vec3 at = planar ? v3(0.2 * i - 0.5, 0.7 + 0.9 * i, 0) : v3(0.2 * i - 0.5, 0.3 - 0.2 * i, 0.7 + 0.9 * i);
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(i % 3), 0.4, at, 0.4);
        s->bodies[body].velocity = test_vec(test_random(-2, 2), test_random(-2, 2), planar ? 0 : test_random(-2, 2));
    }
    return s;
}

/* Work of contacts that open while they push; in the velocities of the step's end, which only bodies that are round or
 * planar keep on the way. */
static double inspect_opening_work(const scene *before, const scene *now)
{
    double sum = 0;
    int i;
    for (i = 0; i < now->world.contact_count; i++) {
        const dvc_contact *c = &now->world.contacts[i];
        const dvc_body *a = &now->bodies[c->body_a], *b = &now->bodies[c->body_b];
        dvc_vec3 va = oracle_cross(a->angular_velocity, oracle_minus(c->point, before->bodies[c->body_a].position));
        dvc_vec3 vb = oracle_cross(b->angular_velocity, oracle_minus(c->point, before->bodies[c->body_b].position));
        va = oracle_along(va, a->velocity, 1);
        vb = oracle_along(vb, b->velocity, 1);
        sum += (double)c->normal_impulse * fmax(0, oracle_dot(c->normal, oracle_minus(vb, va)));
    }
    return sum;
}

/* In a planar room without drives, each step's gain is what the report tells, to the last digit, and its bound explains it. In the
 * literature's step that is the work of opening contacts, as the list shows it. */
static void energy_grows_by_what_opening_contacts_give_at_most(void)
{
    int seed, step;
    for (seed = 0; seed < 12; seed++) {
        scene *before = inspect_room(seed % 6, true), *now = inspect_room(seed % 6, true);
        bool literature = seed < 6;
        before->world.semi_implicit = now->world.semi_implicit = literature;
        for (step = 0; step < 150; step++) {
            double energy = (double)dvc_energy(&now->world), gain, excess;
            CHECK(dvc_step(&now->world, (dvc_real)INSPECT_H) == DVC_OK);
            gain = (double)dvc_energy(&now->world) - energy;
            excess = (double)now->world.report.energy_excess;
            CHECK(excess >= 0 && excess <= 1e-12);
            if (literature) CHECK(gain <= inspect_opening_work(before, now) + excess + 1e-9);
            CHECK_NEAR(now->world.report.energy_gain, fmax(0, gain), 1e-14 * (10 + energy));
            CHECK(scene_run(before, INSPECT_H, INSPECT_H));
        }
        scene_free(before);
        scene_free(now);
    }
}

/* A user's force and torque may give what they like: work that is accounted for is no excess. */
static void work_of_the_user_is_no_excess(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    int i;
    scene_ground(s, 0.5);
    scene_sphere(s, 0.5, v3(0, 0, 0.5), 1, 0.5);
    s->bodies[1].force = v3(3, 0, 0);
    s->bodies[1].torque = v3(0, 0.5, 0.2);
    for (i = 0; i < 100; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
        CHECK((double)s->world.report.energy_excess <= 1e-12);
    }
    CHECK(s->bodies[1].velocity.x > 1);
    scene_free(s);
}

/* Nor is what a table gives that turns, lifts, runs as a belt, or tilts. */
static void work_of_moving_surroundings_is_no_excess(void)
{
    int drive, i;
    for (drive = 0; drive < 4; drive++) {
        scene *s = scene_make(3, false, TRIAL_SCRATCH);
        int table = scene_box(s, DVC_KINEMATIC, v3(5, 5, 0.5), v3(0, 0, -0.5), 0, 0.5);
        scene_box(s, DVC_DYNAMIC, v3(0.1, 0.2, 0.15), v3(1.5, 0, 0.15), 1, 0.5);
        scene_sphere(s, 0.2, v3(0, 1, 0.2), 1, 0.5);
        if (drive == 0) s->bodies[table].angular_velocity = v3(0, 0, 1);
        if (drive == 1) s->bodies[table].velocity = v3(0.5, 0.2, 1);
        if (drive == 2) s->shapes[table].surface_velocity = v3(1, 0, 0);
        if (drive == 3) s->bodies[table].angular_velocity = v3(0.1, -0.3, 0.5);
        for (i = 0; i < 150; i++) {
            CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
            CHECK((double)s->world.report.energy_excess <= 1e-12);
        }
        CHECK(oracle_norm(s->bodies[1].velocity) > 0.5);
        scene_free(s);
    }
}

static int inspect_chosen(const dvc_world *world)
{
    int i, count = 0;
    for (i = 0; i < world->contact_count; i++) count += world->contacts[i].chosen;
    return count;
}

/* Groups that have more than one facet. */
static int inspect_disjunctions(const dvc_world *world)
{
    int i, count = 0, last = -1;
    for (i = 0; i < world->contact_count; i++) {
        const dvc_contact *c = &world->contacts[i];
        if (c->facet == 0 || c->group == last) continue;
        last = c->group;
        count++;
    }
    return count;
}

/* Counts, gaps and residuals, step for step, in rooms full of impacts. */
static void a_report_says_what_the_contacts_show(void)
{
    int seed, step;
    for (seed = 0; seed < 6; seed++) {
        scene *s = inspect_room(seed, seed % 2);
        int problems = 0, most = 0;
        for (step = 0; step < 150; step++) {
            const dvc_report *r = &s->world.report;
            CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
            CHECK(r->contacts == s->world.contact_count && r->contacts <= r->contacts_needed);
            CHECK(r->disjunctions == inspect_disjunctions(&s->world));
            if (r->halvings == 0) CHECK(r->enforced == inspect_chosen(&s->world));
            CHECK(r->islands >= 1 && r->islands <= s->world.body_count);
            CHECK((double)r->energy_excess <= 1e-12);
            CHECK(r->residual >= 0 && (double)r->residual <= 1e-9 && r->inexact == 0);
            CHECK(r->worst_gap <= 0 && fabs(fmin(oracle_deepest(&s->world), 0) - (double)r->worst_gap) <= 1e-7);
            CHECK((r->problems > 0) == (r->enforced > 0) && (r->largest_problem > 0) == (r->enforced > 0));
            CHECK(r->scratch_used > 0 && r->scratch_used <= s->world.scratch_size && r->scratch_needed == 0);
            problems += r->problems;
            most = r->largest_problem > most ? r->largest_problem : most;
        }
        CHECK(problems > 50 && most >= 4);
        scene_free(s);
    }
}

/* Overlap from the start is undone at recovery_speed, and told while it lasts, whatever others do; the energy that this takes is
 * no excess. */
static void the_worst_gap_is_the_overlap_that_is_left(void)
{
    scene *s = scene_make(3, false, TRIAL_SCRATCH);
    int i;
    scene_ground(s, 0);
    scene_sphere(s, 0.5, v3(0, 0, 0.4), 1, 0);
    scene_sphere(s, 0.5, v3(3, 0, 0.5), 1, 0);
    s->world.recovery_speed = (dvc_real)0.5;
    for (i = 1; i <= 19; i++) {
        CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
        CHECK_NEAR(s->world.report.worst_gap, -0.1 + i * 0.5 * INSPECT_H, 1e-12);
        CHECK_NEAR(s->world.contacts[0].gap, s->world.report.worst_gap, 1e-15);
        CHECK((double)s->world.report.energy_excess <= 1e-12);
    }
    CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
    CHECK_NEAR(s->world.report.worst_gap, 0, 1e-12);
    scene_free(s);
}

/* A fast body that strikes a row of others, 2 cm apart, which foresee nothing: the step is begun again for those. At its end all
 * touch, so that they have come there at 8, 6, 4 and 2 m/s, and go on together. (In the literature's step, as they came.) */
static void inspect_check_repeats(bool literature)
{
    scene *s = scene_make(4, false, TRIAL_SCRATCH);
    int i;
    s->world.gravity = scene_zero;
    s->world.semi_implicit = literature;
    for (i = 0; i < 4; i++) scene_sphere(s, 0.5, v3(1.02 * i, 0, 0), 1, 0);
    s->bodies[0].velocity = v3(20, 0, 0);
    CHECK(dvc_step(&s->world, (dvc_real)INSPECT_H) == DVC_OK);
    CHECK(s->world.report.repeats > 0 && s->world.report.inexact == 0 && s->world.report.islands <= 2);
    for (i = 0; i < 4; i++) {
        CHECK_NEAR(s->bodies[i].position.x, 1.02 * i + (8 - 2 * i) * INSPECT_H, 1e-11);
        CHECK_NEAR(s->bodies[i].velocity.x, literature ? 8 - 2 * i : 5, 1e-9);
    }
    scene_free(s);
}

static void repeats_tell_of_contacts_that_were_not_foreseen(void)
{
    inspect_check_repeats(false);
    inspect_check_repeats(true);
}

/* Questions have no way to say that there is nothing to be asked: the answer is 0. */
static void worlds_that_cannot_be_walked_have_nothing_to_tell(void)
{
    scene *s = scene_make(2, false, 1 << 16);
    dvc_vec3 p = v3(1, 2, 3), linear = p, angular = p;
    int what;
    scene_sphere(s, 0.5, v3(0, 0, 1), 1, 0.5);
    s->bodies[0].velocity = v3(1, 2, 3);
    CHECK(dvc_energy(&s->world) > 0 && dvc_world_hash(&s->world) != 0);
    for (what = 0; what < 6; what++) {
        dvc_world w = s->world;
        if (what == 0) w.bodies = NULL;
        if (what == 1) w.body_count = -5;
        if (what == 2) w.body_count = DVC_WORLD_MAX_COUNT + 1;
        if (what == 3) w.contact_count = w.contact_capacity + 1;
        if (what == 4) w.joint_count = 1;
        if (what == 5) w.contacts = NULL;
        CHECK(dvc_world_hash(&w) == 0 && dvc_joint_error(&w, 0) == 0 && dvc_joint_error(&w, -1) == 0);
        if (what > 2) continue;
        CHECK(dvc_energy(&w) == 0);
        dvc_momentum(&w, &linear, &angular);
        CHECK(linear.x == 0 && linear.y == 0 && angular.z == 0);
    }
    CHECK(dvc_energy(NULL) == 0 && dvc_world_hash(NULL) == 0 && dvc_joint_error(NULL, 0) == 0);
    dvc_momentum(NULL, &linear, &angular);
    CHECK(linear.x == 0 && angular.x == 0);
    dvc_body_apply(NULL, p, p);
    CHECK(dvc_point_velocity(NULL, p).x == 0 && dvc_body_point(NULL, p).z == 3);
    scene_free(s);
}

/* Beyond what can be reduced: still a turn, or none; the same on every machine. */
static void turns_by_any_angle_are_unit(void)
{
    static const double angles[] = { 1e5, -1e9, 1e12, 1e15, 2e15, 1e16, 1e18, 1.5e19, -1e22, 1e155, 1e300, 1.7976931348623157e308 };
    int i;
    for (i = 0; i < 12; i++) {
        dvc_quat q = dvc_quat_turn(v3(1, 2, 2), angles[i]);
        dvc_real sine, cosine;
        CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
        if (fabs(angles[i]) > 1e15) CHECK(q.w == 1 && q.x == 0);
        dvci_sin_cos(angles[i], &sine, &cosine);
        CHECK_NEAR(sine * sine + cosine * cosine, 1, 1e-13);
    }
    CHECK(dvc_quat_turn(v3(1, 0, 0), (double)NAN).w == 1 && dvc_quat_turn(v3(1, 0, 0), (double)INFINITY).w == 1);
}

static void suite_inspect(void)
{
    test_state.suite = "inspect";
    RUN(worlds_that_cannot_be_walked_have_nothing_to_tell);
    RUN(turns_by_any_angle_are_unit);
    RUN(the_velocity_of_a_point_is_how_it_moves);
    RUN(energy_and_momentum_are_those_of_point_masses);
    RUN(planar_worlds_count_their_plane_only);
    RUN(free_fall_keeps_its_energy);
    RUN(free_fall_loses_the_energy_that_the_literature_s_method_says);
    RUN(impacts_keep_momentum_and_angular_momentum);
    RUN(a_hash_changes_with_all_that_a_step_leaves_behind);
    RUN(a_hash_changes_with_what_the_next_step_starts_from);
    RUN(a_hash_does_not_change_with_what_carries_nothing_over);
    RUN(the_problem_of_a_step_is_made_of_its_bodies_and_contacts);
    RUN(brute_force_on_the_problem_gives_the_step);
    RUN(a_world_without_contacts_has_an_empty_problem);
    RUN(energy_grows_by_what_opening_contacts_give_at_most);
    RUN(work_of_the_user_is_no_excess);
    RUN(work_of_moving_surroundings_is_no_excess);
    RUN(a_report_says_what_the_contacts_show);
    RUN(the_worst_gap_is_the_overlap_that_is_left);
    RUN(repeats_tell_of_contacts_that_were_not_foreseen);
}
