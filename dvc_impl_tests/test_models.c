/* The contact models of the literature beside Polytope Exact Geometry: where they agree with it, and how each of them fails.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

static const dvc_contact_model models_all[] = { DVC_PEG, DVC_STANDARD, DVC_LNC, DVC_CORRECTIVE, DVC_PEG_LITERAL };

/* ---- where all agree ---- */

/* A box on the middle of a wide table: no corner is near, so that every model has the same rest. */
static void models_rest(dvc_contact_model model, bool planar, double friction)
{
    scene *s = scene_make(2, planar, TRIAL_SCRATCH);
    dvc_vec3 up = trial_up(s), impulse, moment;
    int step;
    scene_box(s, DVC_STATIC, planar ? v3(5, 0.5, 0) : v3(5, 5, 0.5), oracle_scaled(up, -0.5), 1, friction);
    scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0.3), oracle_scaled(up, 0.3), 2, friction);
    s->world.contact_model = model;
    if (model == DVC_CORRECTIVE) s->bodies[1].inertia = scene_zero;
    for (step = 0; step < 100; step++) trial_step(s, 0.01);
    if (model == DVC_CORRECTIVE) { /* it pushes what has sunk already: falls g h^2, is thrown back, and so on */
        CHECK(oracle_norm(oracle_minus(s->bodies[1].position, oracle_scaled(up, 0.3))) <= 9.81 * 1e-4 * 1.001);
    } else {
        trial_received(&s->world, 1, s->bodies[1].position, &impulse, &moment);
        CHECK_NEAR(oracle_dot(impulse, up), 2 * 9.81 * 0.01, 1e-12);
        CHECK(oracle_norm(oracle_minus(s->bodies[1].position, oracle_scaled(up, 0.3))) <= 1e-11);
    }
    scene_free(s);
}

static void a_box_rests_on_a_table_in_every_model(void)
{
    int k, kind;
    for (k = 0; k < 5; k++)
        for (kind = 0; kind < 4; kind++) models_rest(models_all[k], kind & 1, kind & 2 ? 0.4 : 0);
}

/* Balls and half-spaces have one contact per pair in any model. */
static void balls_move_alike_in_every_model(void)
{
    int k, step, i;
    for (k = 1; k < 5; k++) {
        scene *s[2];
        for (i = 0; i < 2; i++) {
            int body;
            test_seed(5);
            s[i] = scene_make(9, false, TRIAL_SCRATCH);
            trial_room(s[i], 0.6, 0.3);
            for (body = 0; body < 4; body++)
                trial_part(s[i], DVC_DYNAMIC, TRIAL_BALL, 0.25,
                    test_vec(test_random(-0.2, 0.2), test_random(-0.2, 0.2), 0.4 + 0.6 * body), 0.3);
            s[i]->world.semi_implicit = true;
            s[i]->world.recovery_speed = 100;
            s[i]->world.contact_model = i ? models_all[k] : DVC_PEG;
        }
        for (step = 0; step < 100; step++)
            for (i = 0; i < 2; i++) CHECK(dvc_step(&s[i]->world, (dvc_real)0.01) == DVC_OK);
        CHECK(trial_difference(s[0], s[1], 1e-9) == -1);
        for (i = 0; i < 2; i++) scene_free(s[i]);
    }
}

/* ---- corners: the standard model sticks, the others pass ---- */

/* A box of .2 m slides at 2 m/s over a seam (`hole` 0) or over a hole; returns its speed at the end. */
static double models_slide(dvc_contact_model model, bool planar, double hole, double phase, double epsilon)
{
    scene *s = scene_make(3, planar, TRIAL_SCRATCH);
    double speed;
    int k;
    for (k = 0; k < 2; k++)
        scene_box(s, DVC_STATIC, planar ? v3(1, 0.5, 0) : v3(1, 1, 0.5),
            oracle_along(v3(k ? 1 + hole / 2 : -1 - hole / 2, 0, 0), trial_up(s), -0.5), 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), oracle_along(v3(-0.3 - phase, 0, 0), trial_up(s), 0.1), 1, 0);
    s->bodies[2].velocity = v3(2, 0, 0);
    s->world.contact_model = model;
    s->world.epsilon = (dvc_real)epsilon;
    for (k = 0; k < 30; k++) CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    speed = (double)s->bodies[2].velocity.x;
    scene_free(s);
    return speed;
}

/* How many of 20 phases end with a speed that has changed. */
static int models_stuck(dvc_contact_model model, bool planar, double hole)
{
    int k, stuck = 0;
    for (k = 0; k < 20; k++) stuck += fabs(models_slide(model, planar, hole, 0.001 * k, 0.04) - 2) > 1e-6;
    return stuck;
}

static void the_standard_model_sticks_at_seams_and_holes_and_peg_does_not(void)
{
    int planar;
    for (planar = 0; planar < 2; planar++) {
        CHECK(models_stuck(DVC_PEG, planar, 0) == 0);
        CHECK(models_stuck(DVC_PEG, planar, 0.05) == 0);
        CHECK(models_stuck(DVC_STANDARD, planar, 0) >= 10);
        CHECK(models_stuck(DVC_STANDARD, planar, 0.05) >= 10);
    }
}

/* LNC looks at one vertex at a time: that is enough at a seam in the plane; in space its edges hold on their own, and stick. */
static void lnc_passes_seams_in_the_plane_only(void)
{
    CHECK(models_stuck(DVC_LNC, true, 0) == 0);
    CHECK(models_stuck(DVC_LNC, false, 0) >= 10);
}

/* Mean overlap of polygons poured between walls, geometry frozen in all models. */
static double models_pour(dvc_contact_model model)
{
    double sum = 0;
    int seed, step, k, steps = 0;
    for (seed = 1; seed <= 6; seed++) {
        scene *s = scene_make(9, true, TRIAL_SCRATCH);
        test_seed((uint64_t)seed);
        for (k = 0; k < 3; k++)
            scene_box(s, DVC_STATIC, k ? v3(0.5, 3, 0) : v3(2, 0.5, 0), k ? v3(k == 1 ? -1.2 : 1.2, 2, 0) : v3(0, -0.5, 0), 1, 0);
        for (k = 0; k < 5; k++) trial_part(s, DVC_DYNAMIC, TRIAL_HULL, 0.25, v3(test_random(-0.3, 0.3), 0.5 + 0.6 * k, 0), 0);
        s->world.contact_model = model;
        s->world.semi_implicit = true;
        for (step = 0; step < 150; step++, steps++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            sum += fmax(0, -oracle_deepest(&s->world));
        }
        scene_free(s);
    }
    return sum / steps;
}

/* W 5.2.3: the other models overlap by orders of magnitude more. */
static void poured_polygons_overlap_least_in_peg(void)
{
    double peg = models_pour(DVC_PEG);
    CHECK(peg > 0 && peg <= 1e-3);
    CHECK(models_pour(DVC_STANDARD) > 10 * peg);
    CHECK(models_pour(DVC_LNC) > 10 * peg);
    CHECK(models_pour(DVC_CORRECTIVE) > 10 * peg);
    CHECK(models_pour(DVC_PEG_LITERAL) < 5 * peg);
}

/* Figure 5.1 of W: a corner that comes from deep behind a face. The standard model holds it to that face from both sides. */
static double models_from_behind(dvc_contact_model model, double x)
{
    scene *s = scene_make(2, true, TRIAL_SCRATCH);
    double speed;
    scene_box(s, DVC_STATIC, v3(1, 0.5, 0), v3(0, -0.5, 0), 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.6, 0.3, 0), v3(x - 0.6, 0.3, 0), 1, 0);
    s->world.contact_model = model;
    s->world.epsilon = (dvc_real)0.05;
    s->bodies[1].inertia = scene_zero;
    s->bodies[1].velocity = v3(3, 0, 0);
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    speed = (double)s->bodies[1].velocity.x;
    scene_free(s);
    return speed;
}

static void only_the_standard_model_has_force_from_behind(void)
{
    double x;
    for (x = 0.955; x < 0.999; x += 0.01) {
        CHECK_NEAR(models_from_behind(DVC_STANDARD, x), (1 - x) / 0.01, 1e-9); /* set flush with the side in one step */
        CHECK_NEAR(models_from_behind(DVC_PEG, x), 3, 1e-12);
        CHECK_NEAR(models_from_behind(DVC_LNC, x), 3, 1e-12);
        CHECK_NEAR(models_from_behind(DVC_CORRECTIVE, x), 3, 1e-12);
        CHECK_NEAR(models_from_behind(DVC_PEG_LITERAL, x), 3, 1e-12);
    }
}

/* Figure 5.2: corner on corner. In the standard model the upper block can leave upward only. */
static double models_dual_trap(dvc_contact_model model, int *unknowns)
{
    scene *s = scene_make(2, true, TRIAL_SCRATCH);
    double speed;
    s->world.gravity = scene_zero;
    s->world.contact_model = model;
    s->world.epsilon = (dvc_real)0.05;
    scene_box(s, DVC_STATIC, v3(1, 1, 0), v3(-1, -1, 0), 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(1, 1, 0), v3(0.99, 1, 0), 1, 0);
    s->bodies[1].inertia = scene_zero;
    s->bodies[1].velocity = v3(2, -0.5, 0); /* clear of the corner after half a step: it may then go down */
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    speed = oracle_norm(oracle_minus(s->bodies[1].velocity, v3(2, -0.5, 0)));
    *unknowns = s->world.report.largest_problem;
    scene_free(s);
    return speed;
}

/* The literal problem has two I- and two X-constraints for the pair of vertices, each with a push and a slack (W 4.20). */
static void a_corner_that_passes_a_corner_is_free_in_peg_only(void)
{
    int unknowns;
    CHECK(models_dual_trap(DVC_PEG, &unknowns) <= 1e-12);
    CHECK(models_dual_trap(DVC_CORRECTIVE, &unknowns) <= 1e-12);
    CHECK(models_dual_trap(DVC_STANDARD, &unknowns) >= 0.4);
    CHECK(models_dual_trap(DVC_PEG_LITERAL, &unknowns) <= 1e-12);
    CHECK(unknowns == 8);
}

/* ---- the literal formulation ---- */

/* One step of a polygon thrown at a corner; frozen geometry in both. */
static dvc_vec3 models_throw(dvc_contact_model model, int seed, double friction, double *spin)
{
    scene *s = scene_make(2, true, TRIAL_SCRATCH);
    dvc_vec3 v;
    int k;
    test_seed((uint64_t)seed);
    scene_box(s, DVC_STATIC, v3(1, 1, 0), scene_zero, 1, friction);
    trial_part(s, DVC_DYNAMIC, seed % 2 ? TRIAL_BOX : TRIAL_HULL, 0.3, v3(test_random(-0.6, 0.6), 1, 0), friction);
    for (k = 0; k < 400 && oracle_deepest(&s->world) < 0.001; k++) s->bodies[1].position.y += (dvc_real)0.002;
    s->bodies[1].velocity = test_vec(test_random(-1, 1), test_random(-3, 0), 0);
    s->bodies[1].angular_velocity.z = (dvc_real)test_random(-2, 2);
    s->world.semi_implicit = true;
    s->world.recovery_speed = 100;
    s->world.contact_model = model;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    v = s->bodies[1].velocity;
    *spin = (double)s->bodies[1].angular_velocity.z;
    scene_free(s);
    return v;
}

/* Where only one face is near, W's constraints and one disjunction per pair say the same. */
static void the_literal_formulation_agrees_on_faces(void)
{
    int seed;
    for (seed = 1; seed <= 200; seed++) {
        double spin, literal_spin, friction = seed % 4 < 2 ? 0 : 0.4;
        dvc_vec3 v = models_throw(DVC_PEG, seed, friction, &spin),
            literal = models_throw(DVC_PEG_LITERAL, seed, friction, &literal_spin);
        CHECK(oracle_norm(oracle_minus(v, literal)) <= 1e-9);
        CHECK_NEAR(literal_spin, spin, 1e-9);
    }
}

/* The triangle drop of W 5.2.1: literal and pair-wise geometry give one path; the standard model another one. */
static scene *models_drop(dvc_contact_model model, double h)
{
    static dvc_vec2 corner[2][3];
    scene *s = scene_make(2, true, TRIAL_SCRATCH);
    int k, i;
    for (k = 0; k < 3; k++)
        for (i = 0; i < 2; i++) {
            double angle = TRIAL_PI * (0.5 + 2.0 * k / 3), r = (i ? 2.45 : 4.9) / sqrt(3.0);
            corner[i][k].x = (dvc_real)(r * cos(angle));
            corner[i][k].y = (dvc_real)(r * sin(angle));
        }
    scene_polygon(s, DVC_STATIC, corner[0], 3, scene_zero, 1, 0);
    scene_polygon(s, DVC_DYNAMIC, corner[1], 3, v3(1.7, 4.5, 0), 1, 0);
    s->bodies[1].mass = 1;
    s->bodies[1].inertia.z = (dvc_real)0.6495;
    s->bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)0.15);
    s->world.contact_model = model;
    s->world.semi_implicit = true;
    s->world.epsilon = (dvc_real)(10 * h);
    CHECK(scene_run(s, h, 1.0)); /* later, corner meets corner, where the literal problem may trap (errata, 4.14) */
    return s;
}

static void the_literal_formulation_takes_the_same_path(void)
{
    double h;
    for (h = 0.002; h < 0.011; h += 0.002) {
        scene *peg = models_drop(DVC_PEG, h), *literal = models_drop(DVC_PEG_LITERAL, h);
        CHECK(oracle_norm(oracle_minus(peg->bodies[1].position, literal->bodies[1].position)) <= 1e-6);
        CHECK_NEAR(literal->bodies[1].orientation.z, peg->bodies[1].orientation.z, 1e-6);
        scene_free(peg);
        scene_free(literal);
    }
}

/* Two boxes one on the other, set off: the literal problem is larger, and has the same rest. */
static void the_literal_formulation_is_larger_and_rests_alike(void)
{
    int k, size[2];
    for (k = 0; k < 2; k++) {
        scene *s = scene_make(3, true, TRIAL_SCRATCH);
        int i, step;
        for (i = 0; i < 3; i++) scene_box(s, i ? DVC_DYNAMIC : DVC_STATIC, v3(0.5, 0.5, 0), v3(0.05 * (i % 2), 0.5 + i, 0), 1, 0);
        s->world.contact_model = k ? DVC_PEG_LITERAL : DVC_PEG;
        s->world.epsilon = (dvc_real)0.07;
        for (step = 0; step < 100; step++) trial_step(s, 0.005);
        for (i = 1; i < 3; i++)
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[i].position, v3(0.05 * (i % 2), 0.5 + i, 0))), 0, 1e-9);
        size[k] = s->world.report.largest_problem;
        scene_free(s);
    }
    CHECK(size[1] > size[0]);
}

/* ---- does the literal model keep its word? ----
 * A step of it that is not told inexact gains no energy, and ends with no more overlap than turning explains. Energy is summed over
 * the bodies, overlap measured by separating axes. */

/* Kinetic energy, and all of it. */
static double models_energy(const dvc_world *w, double *kinetic)
{
    double potential = 0;
    int i;
    *kinetic = 0;
    for (i = 0; i < w->body_count; i++) {
        const dvc_body *b = &w->bodies[i];
        dvc_quat back = b->orientation;
        dvc_vec3 own;
        if (b->kind != DVC_DYNAMIC || b->disabled) continue;
        back.x = -back.x;
        back.y = -back.y;
        back.z = -back.z;
        own = oracle_turn(back, b->angular_velocity);
        *kinetic += (double)b->mass * oracle_dot(b->velocity, b->velocity) / 2;
        *kinetic += ((double)b->inertia.x * (double)own.x * (double)own.x + (double)b->inertia.y * (double)own.y * (double)own.y
                     + (double)b->inertia.z * (double)own.z * (double)own.z) / 2;
        potential -= (double)b->mass * oracle_dot(w->gravity, b->position);
    }
    return *kinetic + potential;
}

/* What turning in the step explains of overlap: gaps are right to first order. */
static double models_explained(const dvc_world *w, const dvc_body *before, int i, int k, double h)
{
    double turn = 0, reach = 0, way = oracle_norm(oracle_minus(w->bodies[i].velocity, w->bodies[k].velocity));
    int side;
    for (side = 0; side < 2; side++) {
        oracle_solid solid;
        int body = side ? k : i, v;
        double far = 0;
        turn += h * fmax(oracle_norm(w->bodies[body].angular_velocity), oracle_norm(before[body].angular_velocity));
        oracle_shape(w, body, &solid);
        for (v = 0; v < solid.vertex_count; v++)
            far = fmax(far, oracle_norm(oracle_minus(solid.vertices[v], w->bodies[body].position)) + solid.radius);
        reach += far;
    }
    return turn * (turn * reach + h * way);
}

/* Does every contact that pushes end closed, but for what turning explains (W 4.9)? Rounded ones open as they slide, and the common
 * normal of two edges turns by more than they do. */
static bool models_pushes_closed(const dvc_world *w, const dvc_body *before, double h, double size)
{
    int i;
    for (i = 0; i < w->contact_count; i++) {
        const dvc_contact *c = &w->contacts[i];
        double off = fabs((double)c->gap) - 1e-6 * size;
        if (DVC_FEATURE_KIND(c->feature_a) == DVC_VERTEX && DVC_FEATURE_KIND(c->feature_b) == DVC_VERTEX) continue;
        if (c->normal_impulse > 0 && off > 0 && off > 4 * models_explained(w, before, c->body_a, c->body_b, h)) return false;
    }
    return true;
}

/* A step that must be as it says. Scenes have one shape per body. Returns whether it is told inexact. */
static bool models_honest_step(scene *s, double h, double size)
{
    dvc_world *w = &s->world;
    dvc_body *before = (dvc_body *)scene_memory((size_t)w->body_count, sizeof *before);
    double kinetic, ends, energy = models_energy(w, &kinetic), mass = 0;
    bool told, honest = true;
    int i, k;
    memcpy(before, s->bodies, (size_t)w->body_count * sizeof *before);
    CHECK(dvc_step(w, (dvc_real)h) == DVC_OK);
    told = w->report.inexact > 0;
    for (i = 0; i < w->body_count; i++) mass += s->bodies[i].kind == DVC_DYNAMIC ? (double)s->bodies[i].mass : 0;
    energy = models_energy(w, &ends) - energy;
    if (!told) CHECK(energy <= 2e-6 * (kinetic + mass * 9.81 * h * 9.81 * h / 2));
    for (i = 0; i < w->body_count && !told; i++)
        for (k = i + 1; k < w->body_count; k++) {
            oracle_solid a, b;
            if (!oracle_allowed(w, i, k)) continue;
            oracle_shape(w, i, &a);
            oracle_shape(w, k, &b);
            if (oracle_ball_gap(&a, &b) > 0) continue;
            honest = honest && -oracle_gap(&a, &b) <= models_explained(w, before, i, k, h) + 1e-6 * size;
        }
    CHECK(honest);
    if (!told) CHECK(models_pushes_closed(w, before, h, size));
    free(before);
    return told;
}

static bool models_pushes(const dvc_world *w)
{
    int i;
    for (i = 0; i < w->contact_count; i++)
        if (w->contacts[i].normal_impulse > 0) return true;
    return false;
}

/* In this order with any compiler. */
static dvc_vec3 models_random(double size)
{
    double x = test_random(-size, size), y = test_random(-size, size), z = test_random(-size, size);
    return v3(x, y, z);
}

/* A cloud for a hull: at random, a box, a tetrahedron, or a prism. Returns its number of points. */
static int models_cloud(int kind, double size, dvc_vec3 *cloud)
{
    double x = size * test_random(0.4, 1), y = size * test_random(0.4, 1), z = size * test_random(0.4, 1);
    int i, corners = 3 + (int)test_random(0, 4), count = kind == 0 ? 10 : kind == 1 ? 8 : kind == 2 ? 4 : 2 * corners;
    for (i = 0; i < count; i++) {
        double angle = 2 * TRIAL_PI * (i / 2) / corners;
        if (kind == 1) cloud[i] = v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
        else if (kind == 3) cloud[i] = v3(size * cos(angle), size * sin(angle), i & 1 ? z : -z);
        else cloud[i] = models_random(size);
    }
    return count;
}

/* Two random hulls of these kinds, the second thrown at the first, which is fixed; all that has a length in units of `size`. */
static scene *models_pair(int seed, int kind_a, int kind_b, double size)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    double slow = sqrt(size), friction = seed % 2 ? 0.3 : 0;
    dvc_vec3 cloud[16], at, axis;
    int count, k;
    test_seed((uint64_t)seed);
    count = models_cloud(kind_a, size, cloud);
    scene_hull(s, DVC_STATIC, cloud, count, scene_zero, 1, friction);
    count = models_cloud(kind_b, size / 2, cloud);
    at = models_random(0.6 * size);
    at.z = (dvc_real)(1.2 * size);
    scene_hull(s, DVC_DYNAMIC, cloud, count, at, 1, friction);
    scene_mass(s, 1, 1);
    axis = oracle_unit(models_random(1));
    s->bodies[1].orientation = dvc_quat_turn(axis, (dvc_real)test_random(0, 3));
    for (k = 0; k < 100 && oracle_deepest(&s->world) <= 0; k++) s->bodies[1].position.z += (dvc_real)(0.05 * size);
    s->bodies[1].velocity = models_random(slow);
    s->bodies[1].velocity.z = (dvc_real)(-2 * slow);
    s->bodies[1].angular_velocity = models_random(3 / slow);
    s->world.contact_model = DVC_PEG_LITERAL;
    s->world.semi_implicit = seed % 3 != 0;
    return s;
}

static void the_literal_model_keeps_its_word_in_space(void)
{
    static const double steps[] = { 0.01, 0.02, 0.004 }, sizes[] = { 1, 1000, 0.001 };
    int seed, step, pushed = 0, told = 0;
    for (seed = 1; seed <= 108; seed++) {
        double size = sizes[seed / 3 % 3], h = steps[seed % 3];
        scene *s = models_pair(seed, seed % 4, seed / 4 % 4, size);
        for (step = 0; step < (int)(0.6 / h); step++) {
            told += models_honest_step(s, h * sqrt(size), size);
            pushed += models_pushes(&s->world);
        }
        scene_free(s);
    }
    CHECK(pushed > 2000);
    CHECK(told < pushed / 120); /* four times as many if each primary were elected once */
}

/* What is told is not deep, either: a pair of edges that is violated at the start may be needed at the end. */
static void boxes_stay_out_of_each_other_in_the_literal_model(void)
{
    double deepest = 0;
    int seed, step;
    for (seed = 1; seed <= 100; seed++) {
        scene *s = models_pair(seed, 1, 1, 1);
        for (step = 0; step < 60; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            deepest = fmin(deepest, oracle_deepest(&s->world));
        }
        scene_free(s);
    }
    CHECK(deepest > -0.006);
}

/* Parts that are apart violate no constraint, wherever they are, and none is deeper than the pair. */
static void the_literal_constraints_allow_what_is_apart(void)
{
    int seed, step, groups = 0, i;
    for (seed = 1; seed <= 60; seed++) {
        scene *s = models_pair(seed, seed % 4, seed / 4 % 4, 1);
        for (step = 0; step < 40; step++) {
            double deep = fmax(0, -oracle_deepest(&s->world));
            bool allowed = true;
            dvci_step found;
            trial_find(s, 0.02, &found);
            for (i = 0; i < found.group_count; i++)
                allowed = allowed && (double)found.groups[i].gap >= -deep - 1e-6 && found.groups[i].literal;
            CHECK(allowed);
            groups += found.group_count;
            CHECK(dvc_step(&s->world, (dvc_real)0.02) == DVC_OK);
        }
        scene_free(s);
    }
    CHECK(groups > 1000);
}

/* W Alg. 7 against the closest of all pairs of points on a grid, and of the ends. */
static void segments_are_closest_where_they_say(void)
{
    int seed, i, k;
    for (seed = 1; seed <= 2000; seed++) {
        dvc_vec3 p, u, q, v;
        dvc_real s, t;
        double least = 1e9, found;
        test_seed((uint64_t)seed);
        p = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 1));
        q = test_vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 1));
        u = trial_direction(false);
        v = seed % 3 ? trial_direction(false) : oracle_along(oracle_scaled(u, seed % 2 ? 1 : -0.7), trial_direction(false), 1e-3);
        for (i = 0; i <= 20; i++)
            for (k = 0; k <= 20; k++)
                least = fmin(least, oracle_norm(oracle_minus(oracle_along(p, u, i / 20.0), oracle_along(q, v, k / 20.0))));
        dvci_closest_on_segments(p, u, q, v, &s, &t);
        found = oracle_norm(oracle_minus(oracle_along(p, u, (double)s), oracle_along(q, v, (double)t)));
        CHECK(s >= 0 && s <= 1 && t >= 0 && t <= 1);
        CHECK(found <= least + 1e-9);
    }
}

/* Polygons, boxes and discs on a floor, on fixed discs and polygons. */
static scene *models_discs(int seed)
{
    scene *s = scene_make(8, true, TRIAL_SCRATCH);
    double friction;
    int k, tries;
    test_seed((uint64_t)seed);
    friction = seed % 3 ? test_random(0, 1) : 0;
    if (seed % 2) scene_ground(s, friction);
    else scene_box(s, DVC_STATIC, v3(2, 0.5, 0), v3(0, -0.5, 0), 1, friction);
    trial_part(s, DVC_STATIC, TRIAL_BALL, 0.4, v3(0.8, 0.1, 0), friction);
    trial_part(s, DVC_STATIC, TRIAL_HULL, 0.4, v3(-0.8, 0.1, 0), friction);
    for (k = 0; k < 5; k++) {
        trial_kind kind = (trial_kind)(int)test_random(0, 3);
        int body = trial_part(s, DVC_DYNAMIC, kind, 0.35, v3(test_random(-0.5, 0.5), 1 + 0.8 * k, 0), friction);
        for (tries = 0; tries < 60 && oracle_deepest(&s->world) <= 0; tries++) s->bodies[body].position.y += (dvc_real)0.05;
        s->bodies[body].velocity = test_vec(test_random(-1, 1), test_random(-3, 0), 0);
        s->bodies[body].angular_velocity.z = (dvc_real)test_random(-4, 4);
    }
    s->world.contact_model = DVC_PEG_LITERAL;
    s->world.epsilon = (dvc_real)(seed % 5 ? 0 : 0.3);
    return s;
}

static void the_literal_model_keeps_its_word_in_the_plane_with_discs(void)
{
    int seed, step, pushed = 0, told = 0;
    for (seed = 1; seed <= 40; seed++) {
        scene *s = models_discs(seed);
        for (step = 0; step < 100; step++) {
            told += models_honest_step(s, seed % 2 ? 0.01 : 0.02, 1);
            pushed += models_pushes(&s->world);
        }
        scene_free(s);
    }
    CHECK(pushed > 1000);
    CHECK(told < pushed / 40);
}

/* A box spawned deep in a fixed disc and in a fixed box: any step that leaves overlap, or gains energy, says so; in the end they
 * are apart. */
static void the_literal_model_parts_what_is_spawned_in_discs(void)
{
    int turn, step;
    for (turn = 0; turn < 12; turn++) {
        scene *s = scene_make(3, true, TRIAL_SCRATCH);
        scene_box(s, DVC_STATIC, v3(0.2, 0.2, 0), v3(1.4, 3, 0), 1, 0.5);
        s->bodies[scene_sphere(s, 0.5, v3(0.9, 3, 0), 1, 0.5)].kind = DVC_STATIC;
        scene_box(s, DVC_DYNAMIC, v3(0.35, 0.2, 0), v3(1, 2.6, 0), 1, 0.5);
        s->bodies[2].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(0.13 * turn));
        s->bodies[2].velocity = v3(2, 1, 0);
        s->world.contact_model = DVC_PEG_LITERAL;
        for (step = 0; step < 50; step++) models_honest_step(s, 0.02, 1);
        CHECK(oracle_deepest(&s->world) >= -1e-3);
        scene_free(s);
    }
}

/* Deeper than eps in each other, and no corner inside: W's constraints see nothing of two crossed bars. */
static void the_literal_model_parts_crossed_bars(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    int step;
    scene_box(s, DVC_STATIC, v3(1, 0.1, 0.1), scene_zero, 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.1, 1, 0.1), v3(0.02, 0.03, 0.12), 1, 0);
    s->world.contact_model = DVC_PEG_LITERAL;
    for (step = 0; step < 10; step++) models_honest_step(s, 0.01, 1);
    CHECK(oracle_deepest(&s->world) > 0.05);
    CHECK(oracle_norm(s->bodies[1].velocity) <= sqrt(9.81 * 1.02)); /* no faster than from the pair's size */
    scene_free(s);
}

/* One step of a motion that is free, with geometry right at the contacts that make traps: W 5.1, in space. The velocity stays. */
static void models_stays_free(scene *s, dvc_vec3 velocity, dvc_vec3 expected)
{
    s->world.contact_model = DVC_PEG_LITERAL;
    s->bodies[1].velocity = velocity;
    CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
    CHECK(s->world.report.inexact == 0);
    CHECK(oracle_norm(oracle_minus(s->bodies[1].velocity, expected)) <= 1e-9);
    CHECK(oracle_norm(s->bodies[1].angular_velocity) <= 1e-9);
    CHECK(oracle_deepest(&s->world) >= -1e-9);
    scene_free(s);
}

/* Figures 5.3 and 5.4: a cube near the edge and near the corner of a larger one, a tetrahedron on its mirror image. */
static void the_literal_model_passes_edges_and_corners_in_space(void)
{
    static const double reach[] = { 0, 0.05, 0.15 };
    int way, eps, k;
    for (way = 0; way < 16; way++)
        for (eps = 0; eps < 3; eps++) {
            dvc_vec3 velocity = v3(cos(0.3 + TRIAL_PI * way / 8), sin(0.3 + TRIAL_PI * way / 8), 0), low[4], high[4];
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            scene_box(s, DVC_STATIC, v3(2, 1, 0.5), v3(-2, 0, -0.5), 1, 0);
            scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), v3(0.004 * (way % 3 - 1) - 0.25, way % 2 ? 0.1 : 0.752, 0.25), 1, 0);
            s->world.epsilon = (dvc_real)reach[eps];
            models_stays_free(s, velocity, velocity);
            s = scene_make(2, false, TRIAL_SCRATCH);
            for (k = 0; k < 3; k++) low[k] = high[k] = v3(cos(2 * TRIAL_PI * k / 3), sin(2 * TRIAL_PI * k / 3), 0);
            low[3] = v3(0, 0, -1.4);
            high[3] = v3(0, 0, 1.4);
            scene_hull(s, DVC_STATIC, low, 4, scene_zero, 1, 0);
            scene_hull(s, DVC_DYNAMIC, high, 4, scene_zero, 1, 0);
            s->world.epsilon = (dvc_real)reach[eps];
            models_stays_free(s, velocity, velocity);
            s = scene_make(2, false, TRIAL_SCRATCH); /* beside it, past the side */
            scene_box(s, DVC_STATIC, v3(2, 1, 0.5), v3(-2, 0, -0.5), 1, 0);
            scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), v3(0.25, 0.1 * (way - 8), 0.25), 1, 0);
            s->world.epsilon = (dvc_real)reach[eps];
            models_stays_free(s, v3(0, 0, -1), v3(0, 0, -1 - 0.0981));
        }
}

/* Anitescu and Potra's velocities: a vertex on a corner is held by neither face if it may leave along one of them. */
static void the_literal_model_runs_with_anitescu_and_potra(void)
{
    int seed, step;
    for (seed = 1; seed <= 40; seed++) {
        scene *s = seed % 2 ? models_pair(seed, seed % 4, seed / 4 % 4, 1) : models_discs(seed);
        s->world.time_stepping = DVC_ANITESCU_POTRA;
        for (step = 0; step < 80; step++) {
            double kinetic, energy = models_energy(&s->world, &kinetic), ends;
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            if (!s->world.report.inexact) CHECK(models_energy(&s->world, &ends) - energy <= 2e-6 * (kinetic + 1));
        }
        scene_free(s);
    }
}

/* Overlap that may stay does not turn what is behind a face into room: the corner of figure 5.1 with a speed of recovery, half way out
 * along the top in a step. */
static void the_literal_model_recovers_as_slowly_as_asked(void)
{
    double speed, x;
    for (speed = 0.1; speed < 200; speed *= 7)
        for (x = 0.955; x < 0.999; x += 0.01) {
            scene *s = scene_make(2, true, TRIAL_SCRATCH);
            scene_box(s, DVC_STATIC, v3(1, 0.5, 0), v3(0, -0.5, 0), 1, 0);
            scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0), v3(x, 0.3 * sqrt(2) - 0.004, 0), 1, 0); /* stands on a corner */
            s->bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(TRIAL_PI / 4));
            s->world.contact_model = DVC_PEG_LITERAL;
            s->world.recovery_speed = (dvc_real)speed;
            s->world.epsilon = (dvc_real)0.05;
            s->world.gravity = scene_zero;
            s->bodies[1].inertia = scene_zero;
            s->bodies[1].velocity = v3((1 - x) / 0.02, 0, 0);
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK_NEAR(s->bodies[1].velocity.x, (1 - x) / 0.02, 1e-9);
            CHECK_NEAR(s->bodies[1].velocity.y, fmin(speed, 0.4), 1e-9);
            CHECK(s->world.report.inexact > 0); /* it overlaps still, or has gained energy */
            scene_free(s);
        }
}

/* ---- corrective ---- */

/* Nothing pushes before something overlaps; then, in one step, the overlap is made good to rounding. */
static void the_corrective_model_pushes_only_what_overlaps(void)
{
    scene *s = scene_make(2, true, TRIAL_SCRATCH);
    int step, pushed = 0;
    scene_box(s, DVC_STATIC, v3(2, 0.5, 0), v3(0, -0.5, 0), 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0), v3(0.2, 0.4, 0), 1, 0);
    s->world.contact_model = DVC_CORRECTIVE;
    s->bodies[1].inertia = scene_zero;
    for (step = 0; step < 100; step++) {
        double before = oracle_deepest(&s->world), after;
        CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
        after = oracle_deepest(&s->world);
        if (before >= 0) CHECK(s->world.report.enforced == 0);
        else CHECK(s->world.report.enforced == 1 && after >= -1e-12);
        if (before >= -1e-9) continue;
        CHECK_NEAR(after, 0, 1e-12);
        pushed++;
    }
    CHECK(pushed > 10);
    scene_free(s);
}

/* A ball that overlaps a corner or an edge of a box is pushed away along the line to its centre. */
static void the_corrective_model_pushes_balls_off_corners(void)
{
    int order, corner;
    for (order = 0; order < 2; order++)
        for (corner = 0; corner < 2; corner++) {
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            dvc_vec3 way = oracle_unit(v3(1, corner ? 1 : 0, 2)), at = oracle_along(v3(0.5, corner ? 0.5 : 0, 0.5), way, 0.29);
            if (order) scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0), 1, 0);
            scene_sphere(s, 0.3, at, 1, 0);
            if (!order) scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0), 1, 0);
            s->world.contact_model = DVC_CORRECTIVE;
            s->world.gravity = scene_zero;
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK);
            CHECK(s->world.contact_count == 1);
            CHECK_NEAR(oracle_norm(oracle_along(s->world.contacts[0].normal, way, order ? -1 : 1)), 0, 1e-9);
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[order].position, oracle_along(at, way, 0.01))), 0, 1e-6);
            scene_free(s);
        }
}

/* ---- Anitescu and Potra ---- */

/* Overlap that is there stays as it is; a fall ends wherever the step finds the contact. */
static void anitescu_potra_keeps_the_overlap_it_finds(void)
{
    double depth;
    for (depth = 0; depth < 0.1; depth += 0.0133) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        int step;
        s->world.time_stepping = DVC_ANITESCU_POTRA;
        scene_ground(s, 0.3);
        scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0.3), v3(0, 0, 0.3 - depth), 1, 0.3);
        for (step = 0; step < 100; step++) trial_step(s, 0.01);
        CHECK_NEAR(s->bodies[1].position.z, 0.3 - depth, 1e-12);
        CHECK_NEAR(s->world.report.worst_gap, -depth, 1e-9);
        scene_free(s);
    }
}

static void anitescu_potra_stops_a_fall_within_one_step_of_the_ground(void)
{
    double h = 0.01, speed, gap;
    for (speed = 0.5; speed < 5; speed += 0.37)
        for (gap = 0.001; gap < 0.1; gap *= 1.9) {
            scene *s = scene_make(2, true, TRIAL_SCRATCH);
            double y = gap, v = speed;
            int step;
            s->world.time_stepping = DVC_ANITESCU_POTRA;
            scene_ground(s, 0);
            scene_sphere(s, 0.2, v3(0, 0.2 + gap, 0), 1, 0);
            s->bodies[1].velocity = v3(0, -speed, 0);
            for (step = 0; step < 40; step++) {
                trial_step(s, h);
                v = y > 0 ? v + 9.81 * h : 0; /* touching contacts hold velocities, others nothing */
                y -= h * v;
            }
            CHECK_NEAR(s->bodies[1].position.y, 0.2 + y, 1e-7);
            CHECK(y <= 1e-9 && y > -h * (speed + 2));
            CHECK_NEAR(oracle_norm(s->bodies[1].velocity), 0, 1e-12);
            scene_free(s);
        }
}

/* Sliding friction needs no gap: both steps agree on a box that lies flush. */
static void anitescu_potra_agrees_on_what_touches(void)
{
    int k, step;
    for (k = 0; k < 8; k++) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        double heading = 0.3 + k;
        s->world.time_stepping = DVC_ANITESCU_POTRA;
        scene_ground(s, 0.3);
        scene_box(s, DVC_DYNAMIC, v3(0.3, 0.3, 0.1), v3(0, 0, 0.1), 1, 0.3);
        s->bodies[1].velocity = v3(cos(heading), sin(heading), 0);
        for (step = 1; step <= 50; step++) {
            double speed = fmax(0, 1 - 0.3 * 9.81 * 0.01 * step);
            trial_step(s, 0.01);
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[1].velocity, v3(speed * cos(heading), speed * sin(heading), 0))), 0,
                1e-11);
        }
        scene_free(s);
    }
}

static void suite_models(void)
{
    test_state.suite = "models";
    RUN(a_box_rests_on_a_table_in_every_model);
    RUN(balls_move_alike_in_every_model);
    RUN(the_standard_model_sticks_at_seams_and_holes_and_peg_does_not);
    RUN(lnc_passes_seams_in_the_plane_only);
    RUN(poured_polygons_overlap_least_in_peg);
    RUN(only_the_standard_model_has_force_from_behind);
    RUN(a_corner_that_passes_a_corner_is_free_in_peg_only);
    RUN(the_literal_formulation_agrees_on_faces);
    RUN(the_literal_formulation_takes_the_same_path);
    RUN(the_literal_formulation_is_larger_and_rests_alike);
    RUN(segments_are_closest_where_they_say);
    RUN(the_literal_constraints_allow_what_is_apart);
    RUN(the_literal_model_keeps_its_word_in_space);
    RUN(boxes_stay_out_of_each_other_in_the_literal_model);
    RUN(the_literal_model_keeps_its_word_in_the_plane_with_discs);
    RUN(the_literal_model_parts_what_is_spawned_in_discs);
    RUN(the_literal_model_parts_crossed_bars);
    RUN(the_literal_model_passes_edges_and_corners_in_space);
    RUN(the_literal_model_runs_with_anitescu_and_potra);
    RUN(the_literal_model_recovers_as_slowly_as_asked);
    RUN(the_corrective_model_pushes_only_what_overlaps);
    RUN(the_corrective_model_pushes_balls_off_corners);
    RUN(anitescu_potra_keeps_the_overlap_it_finds);
    RUN(anitescu_potra_stops_a_fall_within_one_step_of_the_ground);
    RUN(anitescu_potra_agrees_on_what_touches);
}
