/* Which facet holds: all branches enumerated by brute force on small scenes, the one-step cases of W 5.1, holes, non-convex
 * bodies, and what may not matter: the order of bodies, and left and right.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

/* ---- every branch of a small scene ---- */

enum { CHOOSE_POINTS = 6, CHOOSE_BODIES = 4, CHOOSE_ROWS = 2 * CHOOSE_POINTS, CHOOSE_FOUND = 64, CHOOSE_GROUPS = 4 };

typedef struct choose_state { dvc_vec3 v[CHOOSE_BODIES], w[CHOOSE_BODIES]; } choose_state;

typedef enum choose_mode { CHOOSE_OPEN, CHOOSE_SLIP, CHOOSE_BACK, CHOOSE_STICK } choose_mode;

typedef struct choose_force { int point; bool friction; dvc_vec3 along, push; } choose_force; /* what is to be 0, and what acts */

typedef struct choose_problem {
    const scene *s;
    const dvci_step *step;
    double h;
    int facet[CHOOSE_GROUPS];
    const dvci_point *points[CHOOSE_POINTS];
    choose_mode mode[CHOOSE_POINTS];
    int count;                         /* points of the branch */
    choose_force forces[CHOOSE_ROWS];  /* of the mode */
    int force_count;
    double impulse[CHOOSE_ROWS];
    choose_state found[CHOOSE_FOUND];  /* exact solutions */
    int found_count;
    bool too_big;
} choose_problem;

static int choose_body(const choose_problem *p, const dvci_point *point, int side)
{
    const dvci_group *g = &p->step->groups[point->group];
    return p->s->shapes[side ? g->part_b : g->part_a].body;
}

/* An impulse on the point's second body and its opposite on the first one; moments of inertia are equal, or planar. */
static void choose_push(const choose_problem *p, const dvci_point *point, dvc_vec3 impulse, choose_state *state)
{
    int side;
    for (side = 0; side < 2; side++) {
        int i = choose_body(p, point, side);
        const dvc_body *body = &p->s->bodies[i];
        double sign = side ? 1 : -1;
        if (body->kind != DVC_DYNAMIC) continue;
        state->v[i] = oracle_along(state->v[i], impulse, sign / (double)body->mass);
        state->w[i] = oracle_along(state->w[i], oracle_cross(side ? point->arm_b : point->arm_a, impulse),
            sign / (double)body->inertia.z);
    }
}

static double choose_speed(const choose_problem *p, const dvci_point *point, dvc_vec3 along, const choose_state *state)
{
    int a = choose_body(p, point, 0), b = choose_body(p, point, 1);
    dvc_vec3 v = oracle_minus(oracle_along(state->v[b], oracle_cross(state->w[b], point->arm_b), 1),
        oracle_along(state->v[a], oracle_cross(state->w[a], point->arm_a), 1));
    return oracle_dot(v, along);
}

/* Gauss with pivoting; false: singular, then a smaller mode says the same. */
static bool choose_gauss(int n, double a[CHOOSE_ROWS][CHOOSE_ROWS], double *x)
{
    int i, k, m;
    for (i = 0; i < n; i++) {
        int best = i;
        for (k = i + 1; k < n; k++) if (fabs(a[k][i]) > fabs(a[best][i])) best = k;
        if (fabs(a[best][i]) < 1e-9) return false;
        for (m = 0; m < n; m++) { double keep = a[i][m]; a[i][m] = a[best][m]; a[best][m] = keep; }
        { double keep = x[i]; x[i] = x[best]; x[best] = keep; }
        for (k = i + 1; k < n; k++) {
            double factor = a[k][i] / a[i][i];
            for (m = i; m < n; m++) a[k][m] -= factor * a[i][m];
            x[k] -= factor * x[i];
        }
    }
    for (i = n - 1; i >= 0; i--) {
        for (k = i + 1; k < n; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    return true;
}

static dvc_vec3 choose_tangent(const dvci_point *point) { return v3(-(double)point->normal.y, (double)point->normal.x, 0); }

static void choose_add_force(choose_problem *p, int point, bool friction, dvc_vec3 along, dvc_vec3 push)
{
    choose_force *f = &p->forces[p->force_count++];
    f->point = point;
    f->friction = friction;
    f->along = along;
    f->push = push;
}

/* The forces that act in a mode: sliding ones lean by the friction. */
static void choose_list_forces(choose_problem *p)
{
    int i;
    for (p->force_count = 0, i = 0; i < p->count; i++) {
        dvc_vec3 n = p->points[i]->normal, t = choose_tangent(p->points[i]);
        double mu = (double)p->step->groups[p->points[i]->group].friction;
        if (p->mode[i] == CHOOSE_OPEN) continue;
        if (p->mode[i] == CHOOSE_STICK) choose_add_force(p, i, true, t, t);
        choose_add_force(p, i, false, n, p->mode[i] == CHOOSE_STICK ? n
            : oracle_along(n, t, p->mode[i] == CHOOSE_SLIP ? mu : -mu));
    }
}

static choose_state choose_free(const choose_problem *p)
{
    choose_state state;
    int i;
    memset(&state, 0, sizeof state);
    for (i = 0; i < p->s->world.body_count; i++) {
        const dvc_body *body = &p->s->bodies[i];
        if (body->kind != DVC_DYNAMIC) continue;
        state.v[i] = oracle_along(body->velocity, p->s->world.gravity, p->h);
        state.w[i] = body->angular_velocity;
    }
    return state;
}

static bool choose_solve_mode(choose_problem *p, choose_state *state)
{
    double a[CHOOSE_ROWS][CHOOSE_ROWS];
    int i, k;
    choose_list_forces(p);
    *state = choose_free(p);
    for (i = 0; i < p->force_count; i++) {
        const choose_force *f = &p->forces[i];
        double gap = f->friction ? 0 : (double)p->points[f->point]->gap;
        for (k = 0; k < p->force_count; k++) {
            choose_state unit;
            memset(&unit, 0, sizeof unit);
            choose_push(p, p->points[p->forces[k].point], p->forces[k].push, &unit);
            a[i][k] = choose_speed(p, p->points[f->point], f->along, &unit);
        }
        p->impulse[i] = -gap / p->h - choose_speed(p, p->points[f->point], f->along, state);
    }
    if (!choose_gauss(p->force_count, a, p->impulse)) return false;
    for (i = 0; i < p->force_count; i++)
        choose_push(p, p->points[p->forces[i].point], oracle_scaled(p->forces[i].push, p->impulse[i]), state);
    return true;
}

/* Signs of the mode: pushes only, sticks inside the cone, slips against the force, overlaps nowhere. */
static bool choose_mode_holds(const choose_problem *p, const choose_state *state)
{
    int i;
    for (i = 0; i < p->count; i++) {
        const dvci_point *point = p->points[i];
        double slip = choose_speed(p, point, choose_tangent(point), state);
        if ((double)point->gap + p->h * choose_speed(p, point, point->normal, state) < -1e-10) return false;
        if (p->step->groups[point->group].friction > 0
            && ((p->mode[i] == CHOOSE_SLIP && slip > 1e-9) || (p->mode[i] == CHOOSE_BACK && slip < -1e-9))) return false;
    }
    for (i = 0; i < p->force_count; i++) {
        double mu = (double)p->step->groups[p->points[p->forces[i].point]->group].friction;
        if (!p->forces[i].friction && p->impulse[i] < -1e-10) return false;
        if (p->forces[i].friction && fabs(p->impulse[i]) > mu * p->impulse[i + 1] + 1e-10) return false; /* its normal follows */
    }
    return true;
}

static bool choose_pushes(const choose_problem *p, int group)
{
    int i;
    for (i = 0; i < p->force_count; i++)
        if (p->points[p->forces[i].point]->group == group && p->impulse[i] > 1e-9) return true;
    return false;
}

/* Every pair apart by some facet; a pair that pushes has no other facet open (W 4.11). */
static bool choose_is_exact(const choose_problem *p, const choose_state *state)
{
    int i, f, side;
    for (i = 0; i < p->step->group_count; i++) {
        const dvci_group *g = &p->step->groups[i];
        dvci_motion_pair motion = dvci_group_motion(p->step, g, DVCI_FREE);
        double best = -ORACLE_FAR, other = -ORACLE_FAR;
        for (side = 0; side < 2; side++) {
            int body = p->s->shapes[side ? g->part_b : g->part_a].body;
            motion.v[side] = state->v[body];
            motion.w[side] = state->w[body];
        }
        for (f = 0; f < g->count; f++) {
            const dvci_facet *facet = &p->step->facets[g->first + f];
            double value = (double)dvci_facet_value(p->step, &motion, facet, (dvc_real)p->h);
            best = fmax(best, value);
            if (f != p->facet[i]) other = fmax(other, fmin(value, (double)dvci_points_value(p->step, &motion, facet)));
        }
        if (best < -1e-8 || (choose_pushes(p, i) && other > 1e-6)) return false;
    }
    return true;
}

/* All modes of the points of a branch. */
static void choose_try_modes(choose_problem *p)
{
    int total = 1, i, k, rest;
    for (i = 0; i < p->count; i++) total *= 4;
    for (k = 0; k < total; k++) {
        choose_state state;
        bool doubled = false;
        for (rest = k, i = 0; i < p->count; i++, rest /= 4) {
            p->mode[i] = (choose_mode)(rest % 4);
            doubled = doubled || (p->mode[i] > CHOOSE_SLIP && !(p->step->groups[p->points[i]->group].friction > 0));
        }
        if (doubled || !choose_solve_mode(p, &state) || !choose_mode_holds(p, &state) || !choose_is_exact(p, &state)) continue;
        if (p->found_count < CHOOSE_FOUND) p->found[p->found_count++] = state;
    }
}

/* All choices of facets from this group on. */
static void choose_try_facets(choose_problem *p, int group)
{
    int f, k, before = p->count;
    const dvci_group *g = &p->step->groups[group];
    if (group == p->step->group_count) { choose_try_modes(p); return; }
    for (f = 0; f < g->count; f++) {
        const dvci_facet *facet = &p->step->facets[g->first + f];
        p->facet[group] = f;
        if (before + facet->count > CHOOSE_POINTS) p->too_big = true;
        for (k = 0; k < facet->count && p->count < CHOOSE_POINTS; k++) p->points[p->count++] = &p->step->points[facet->first + k];
        if (!p->too_big) choose_try_facets(p, group + 1);
        p->count = before;
    }
}

static double choose_distance(const scene *s, const choose_state *state)
{
    double worst = 0;
    int i;
    for (i = 0; i < s->world.body_count; i++) {
        if (s->bodies[i].kind != DVC_DYNAMIC) continue;
        worst = fmax(worst, oracle_norm(oracle_minus(s->bodies[i].velocity, state->v[i])));
        worst = fmax(worst, oracle_norm(oracle_minus(s->bodies[i].angular_velocity, state->w[i])));
    }
    return worst;
}

typedef struct choose_tally { int compared, several, hits, unsolved; } choose_tally;

/* Steps the scene with frozen geometry: its velocities must be those of an exact solution, of the only one if there is one. */
static void choose_compare(scene *s, double h, choose_tally *tally)
{
    dvci_step step;
    choose_problem p;
    double nearest = ORACLE_FAR;
    int i, apart = 0;
    memset(&p, 0, sizeof p);
    p.s = s;
    p.step = &step;
    p.h = h;
    s->world.semi_implicit = true;
    s->world.recovery_speed = 1000; /* no facet is too deep to be chosen */
    trial_find(s, h, &step);
    if (step.group_count <= CHOOSE_GROUPS) choose_try_facets(&p, 0);
    if (p.too_big || step.group_count > CHOOSE_GROUPS) { scene_free(s); return; }
    CHECK(dvc_step(&s->world, (dvc_real)h) == DVC_OK);
    for (i = 0; i < p.found_count; i++) {
        nearest = fmin(nearest, choose_distance(s, &p.found[i]));
        apart += oracle_norm(oracle_minus(p.found[i].v[s->world.body_count - 1], p.found[0].v[s->world.body_count - 1])) > 1e-6;
    }
    tally->unsolved += p.found_count == 0;
    if (p.found_count > 0 && s->world.report.cuts == 0) {
        tally->compared++;
        tally->several += apart > 0;
        for (i = 0; i < s->world.contact_count; i++) tally->hits += s->world.contacts[i].normal_impulse > 0;
        CHECK(nearest <= 1e-7);
        CHECK(s->world.report.inexact == 0);
    }
    scene_free(s);
}

/* The last body is set next to the first one's corner at (1, 1), just not touching anything, and thrown at it. */
static void choose_aim(scene *s, int body)
{
    double lean = test_random(-0.3, 1.3), room = test_random(0, 0.01);
    dvc_vec3 away = v3(lean, 1 - lean, s->world.planar ? 0 : test_random(-0.3, 1));
    int k;
    s->bodies[body].position = v3(1, 1, s->world.planar ? 0 : 1);
    for (k = 0; k < 400 && oracle_deepest(&s->world) < room; k++)
        s->bodies[body].position = oracle_along(s->bodies[body].position, away, 0.01);
    s->bodies[body].velocity = oracle_along(oracle_scaled(away, -4), trial_direction(s->world.planar), 2);
    s->bodies[body].angular_velocity = oracle_scaled(s->world.planar ? v3(0, 0, 1) : trial_direction(false), test_random(-5, 5));
    s->bodies[body].inertia = v3(0.05, 0.05, 0.05);
}

static scene *choose_corner(bool planar, double friction, trial_kind what, int statics)
{
    scene *s = scene_make(4, planar, TRIAL_SCRATCH);
    int k;
    for (k = 0; k < statics; k++) scene_box(s, DVC_STATIC, v3(1, 1, 1), v3(k == 1 ? -2 : 0, k == 2 ? -2 : 0, 0), 1, friction);
    choose_aim(s, trial_part(s, DVC_DYNAMIC, what, 0.3, scene_zero, friction));
    return s;
}

static void planar_corner_hits_have_the_velocity_of_an_exact_branch(void)
{
    choose_tally tally;
    int k;
    memset(&tally, 0, sizeof tally);
    test_seed(1);
    for (k = 0; k < 1200; k++)
        choose_compare(choose_corner(true, k % 2 ? 0 : 0.4, (trial_kind)(k / 2 % TRIAL_KINDS), 1), 0.01, &tally);
    CHECK(tally.compared > 1000 && tally.several > 50 && tally.hits > 500 && tally.unsolved <= 2);
}

static void corner_hits_in_space_have_the_velocity_of_an_exact_branch(void)
{
    choose_tally tally;
    int k;
    memset(&tally, 0, sizeof tally);
    test_seed(2);
    for (k = 0; k < 600; k++) choose_compare(choose_corner(false, 0, (trial_kind)(k % TRIAL_KINDS), 1), 0.01, &tally);
    CHECK(tally.compared > 300 && tally.several > 20 && tally.hits > 200 && tally.unsolved <= 2);
}

/* A corner made of three flush boxes: up to three disjunctions at once. */
static void hits_at_flush_boxes_have_the_velocity_of_an_exact_branch(void)
{
    choose_tally tally;
    int k;
    memset(&tally, 0, sizeof tally);
    test_seed(3);
    for (k = 0; k < 300; k++)
        choose_compare(choose_corner(true, k % 2 ? 0 : 0.4, k % 3 ? TRIAL_HULL : TRIAL_BOX, 3), 0.01, &tally);
    CHECK(tally.compared > 200 && tally.hits > 100 && tally.unsolved <= 2);
}

/* A free body next to the corner is hit by another one. */
static void hits_between_free_bodies_have_the_velocity_of_an_exact_branch(void)
{
    choose_tally tally;
    int k;
    memset(&tally, 0, sizeof tally);
    test_seed(4);
    for (k = 0; k < 400; k++) {
        scene *s = choose_corner(true, k % 2 ? 0 : 0.4, TRIAL_HULL, 1);
        s->bodies[0].kind = DVC_DYNAMIC;
        s->bodies[0].mass = (dvc_real)test_random(0.2, 5);
        s->bodies[0].inertia = v3(1, 1, 1);
        s->bodies[0].angular_velocity.z = (dvc_real)test_random(-1, 1);
        choose_compare(s, 0.01, &tally);
    }
    CHECK(tally.compared > 300 && tally.hits > 100 && tally.unsolved <= 2);
}

/* ---- one-step cases (W 5.1) ---- */

/* Figure 5.1: A slides over the top of B towards the right end, one corner deep behind B's right side: no force from there. */
static void no_force_comes_from_a_face_approached_from_behind(void)
{
    double x;
    for (x = 0.3; x < 1.5; x += 0.037) {
        scene *s = scene_make(2, true, TRIAL_SCRATCH);
        scene_box(s, DVC_STATIC, v3(1, 0.5, 0), v3(0, -0.5, 0), 1, 0);
        scene_box(s, DVC_DYNAMIC, v3(0.6, 0.3, 0), v3(x - 0.6, 0.3, 0), 1, 0);
        s->world.epsilon = (dvc_real)0.5;
        s->bodies[1].velocity = v3(3, 0, 0);
        trial_step(s, 0.01);
        CHECK_NEAR(s->bodies[1].velocity.x, 3, 1e-12);
        CHECK_NEAR(s->bodies[1].velocity.y, 0, 1e-12);
        CHECK_NEAR(s->bodies[1].angular_velocity.z, 0, 1e-11);
        scene_free(s);
    }
}

/* Figure 5.2: corner on corner, each exactly at both faces of the other: A may go on to the right, or up, but not down. */
static void corners_that_meet_do_not_trap_each_other(void)
{
    int k;
    for (k = 0; k < 64; k++) {
        double angle = k * TRIAL_PI / 32;
        scene *s = scene_make(2, true, TRIAL_SCRATCH);
        s->world.gravity = scene_zero;
        scene_box(s, DVC_STATIC, v3(1, 1, 0), v3(-1, -1, 0), 1, 0);
        scene_box(s, DVC_DYNAMIC, v3(1, 1, 0), v3(1, 1, 0), 1, 0);
        s->bodies[1].inertia = scene_zero;
        s->bodies[1].velocity = v3(cos(angle), sin(angle), 0);
        trial_step(s, 0.01);
        if (sin(angle) >= -1e-12 || cos(angle) >= -1e-12)
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[1].velocity, v3(cos(angle), sin(angle), 0))), 0, 1e-12);
        else CHECK_NEAR(fmin(fabs((double)s->bodies[1].velocity.x), fabs((double)s->bodies[1].velocity.y)), 0, 1e-12);
        CHECK(oracle_deepest(&s->world) >= -1e-12);
        scene_free(s);
    }
}

/* Figure 5.3: a cube on top near the side of a larger one slides over its edge, along it, or rests, as if nothing were there. */
static void a_cube_near_an_edge_is_free_along_the_face(void)
{
    double off, heading;
    for (off = -0.19; off < 0.2; off += 0.038)
        for (heading = 0; heading < 6; heading += 0.5) {
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(0, 0, -0.5), 1, 0);
            scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), v3(0.8 + off, 0, 0.2), 1, 0);
            s->bodies[1].velocity = v3(cos(heading), sin(heading), 0);
            trial_step(s, 0.01);
            CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[1].velocity, v3(cos(heading), sin(heading), 0))), 0, 1e-11);
            CHECK_NEAR(oracle_norm(s->bodies[1].angular_velocity), 0, 1e-10);
            scene_free(s);
        }
}

/* Figure 5.4: a tetrahedron on the flat top of an inverted one that has the same face: it rests, it may slide off sideways
 * and be lifted off: nothing is fused. */
static void a_tetrahedron_on_an_inverted_one_rests_and_is_free(void)
{
    int k, step;
    for (k = 0; k < 13; k++) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        dvc_vec3 corner[4], below[4], v = k == 12 ? v3(0, 0, 1) : k ? v3(cos(k), sin(k), 0) : scene_zero;
        int i;
        for (i = 0; i < 3; i++) corner[i] = below[i] = v3(cos(2 * TRIAL_PI * i / 3), sin(2 * TRIAL_PI * i / 3), 0);
        corner[3] = v3(0, 0, sqrt(2.0));
        below[3] = v3(0, 0, -sqrt(2.0));
        scene_hull(s, DVC_STATIC, below, 4, scene_zero, 1, 0);
        scene_hull(s, DVC_DYNAMIC, corner, 4, scene_zero, 1, 0);
        s->bodies[1].velocity = v;
        for (step = 0; step < (k ? 1 : 100); step++) trial_step(s, 0.01);
        if (k == 12) v.z = (dvc_real)(1 - 9.81 * 0.01);
        CHECK_NEAR(oracle_norm(oracle_minus(s->bodies[1].velocity, v)), 0, 1e-11);
        CHECK_NEAR(oracle_norm(s->bodies[1].angular_velocity), 0, 1e-11);
        CHECK(oracle_deepest(&s->world) >= -1e-12);
        scene_free(s);
    }
}

/* ---- a block slides over a hole (B 3.2) ---- */

/* A floor with a hole from x = 0 on; the block starts to its left, at 1 m/s. */
static scene *choose_hole(double width, double block, double phase, double friction)
{
    scene *s = scene_make(4, true, TRIAL_SCRATCH);
    scene_box(s, DVC_STATIC, v3(2, 0.5, 0), v3(-2, -0.5, 0), 1, friction);
    scene_box(s, DVC_STATIC, v3(2, 0.5, 0), v3(2 + width, -0.5, 0), 1, friction);
    scene_box(s, DVC_STATIC, v3(4, 0.1, 0), v3(0, -1.1, 0), 1, friction);
    scene_box(s, DVC_DYNAMIC, v3(block, 0.1, 0), v3(-block - 0.02 - phase, 0.1, 0), 1, friction);
    s->bodies[3].velocity = v3(1, 0, 0);
    return s;
}

static void a_block_slides_over_a_narrow_hole(void)
{
    static const double steps[] = { 0.002, 0.01, 0.02 };
    int k, n, rough;
    for (k = 0; k < 3; k++)
        for (n = 0; n < 20; n++)
            for (rough = 0; rough < 2; rough++) {
                double h = steps[k], t, friction = 0.03 * rough;
                scene *s = choose_hole(0.15, 0.25, 0.001 * n, friction);
                for (t = h; t < 0.9; t += h) {
                    trial_step(s, h);
                    CHECK_NEAR(s->bodies[3].velocity.x, 1 - friction * 9.81 * t, 1e-9);
                    CHECK_NEAR(s->bodies[3].position.y, 0.1, 1e-9);
                }
                scene_free(s);
            }
}

/* Slow enough, a block shorter than the hole falls in, and lies on the bottom between the walls. */
static void a_block_falls_into_a_wide_hole(void)
{
    int n;
    for (n = 0; n < 10; n++) {
        scene *s = choose_hole(0.6, 0.25, 0.001 * n, 0);
        s->bodies[3].velocity.x = (dvc_real)0.1;
        CHECK(scene_run(s, 0.01, 8));
        CHECK(s->bodies[3].position.y < -0.7 && s->bodies[3].position.x > 0 && s->bodies[3].position.x < 0.6);
        CHECK(oracle_deepest(&s->world) >= -1e-9 && oracle_norm(s->bodies[3].velocity) < 1e-6);
        scene_free(s);
    }
}

/* ---- non-convex bodies ---- */

/* A part of a compound: a rectangle or box on body `body`. */
static void choose_attach_box(scene *s, int body, dvc_vec3 half, dvc_vec3 at)
{
    trial_attach(s, scene_box(s, DVC_STATIC, half, scene_zero, 1, 0), body, at);
}

/* A U of three overlapping bars, open upward, 1 m wide inside; mass and moment as a user gives them. */
static int choose_u(scene *s, dvc_vec3 at)
{
    int u = scene_box(s, DVC_DYNAMIC, v3(0.6, 0.1, 0.3), at, 1, 0);
    s->bodies[u].inertia = v3(0.3, 0.3, 0.3);
    s->shapes[u].position = v3(0, -0.5, 0);
    choose_attach_box(s, u, v3(0.05, 0.6, 0.3), v3(-0.55, 0, 0));
    choose_attach_box(s, u, v3(0.05, 0.6, 0.3), v3(0.55, 0, 0));
    return u;
}

/* A block inside the U is as free as the room there is: it takes the U along from the moment it meets the wall. */
static void a_block_in_a_u_meets_its_walls_and_nothing_else(void)
{
    int planar, side, step;
    for (planar = 0; planar < 2; planar++)
        for (side = -1; side <= 1; side += 2) {
            scene *s = scene_make(4, planar, TRIAL_SCRATCH);
            int block = scene_box(s, DVC_DYNAMIC, v3(0.2, 0.2, 0.2), scene_zero, 1, 0), u = choose_u(s, scene_zero);
            double t = 0;
            s->world.gravity = scene_zero;
            s->bodies[block].velocity = v3(side, 0, 0);
            for (step = 0; step < 60; step++) {
                trial_step(s, 0.01);
                t += 0.01;
                if (t < 0.295) CHECK_NEAR(s->bodies[block].velocity.x, side, 1e-12);
                if (t < 0.295) CHECK_NEAR(oracle_norm(s->bodies[u].velocity), 0, 1e-12);
                CHECK_NEAR(s->bodies[block].velocity.x + s->bodies[u].velocity.x, side, 1e-12);
            }
            CHECK_NEAR(s->bodies[u].velocity.x, 0.5 * side, 1e-9);
            CHECK_NEAR((double)(s->bodies[block].position.x - s->bodies[u].position.x), 0.3 * side, 1e-9);
            CHECK_NEAR(s->bodies[u].angular_velocity.z, 0, 1e-9);
            scene_free(s);
        }
}

/* An L on the ground stands on its foot: it carries its weight on two parts, and does not creep. */
static void an_l_stands_on_its_foot(void)
{
    int planar, step;
    for (planar = 0; planar < 2; planar++) {
        scene *s = scene_make(3, planar, TRIAL_SCRATCH);
        int l, i;
        dvc_vec3 up = trial_up(s), impulse, moment;
        scene_ground(s, 0.4);
        l = scene_box(s, DVC_DYNAMIC, planar ? v3(0.1, 0.5, 0) : v3(0.1, 0.2, 0.5), oracle_along(v3(-0.1, 0, 0), up, 0.4), 2,
            0.4);
        s->shapes[l].position = oracle_along(v3(-0.1, 0, 0), up, 0.1);
        choose_attach_box(s, l, planar ? v3(0.4, 0.1, 0) : v3(0.4, 0.2, 0.1), oracle_along(v3(0.2, 0, 0), up, -0.3));
        for (step = 0; step < 200; step++) trial_step(s, 0.01);
        trial_received(&s->world, l, s->bodies[l].position, &impulse, &moment);
        CHECK_NEAR(oracle_dot(impulse, up), 2 * 9.81 * 0.01, 1e-12);
        CHECK(oracle_norm(moment) <= 1e-11);
        CHECK(oracle_norm(oracle_minus(s->bodies[l].position, oracle_along(v3(-0.1, 0, 0), up, 0.4))) <= 1e-9);
        for (i = 0; i < s->world.contact_count; i++) CHECK(s->world.contacts[i].body_a != s->world.contacts[i].body_b);
        scene_free(s);
    }
}

/* A gear of a hub and six teeth on a pin of its own plays freely against a fixed peg between two teeth, then stops at it. */
static void a_gear_turns_as_far_as_a_peg_between_its_teeth_lets_it(void)
{
    int side, k, step;
    for (side = -1; side <= 1; side += 2) {
        scene *s = scene_make(9, true, TRIAL_SCRATCH);
        int gear, peg;
        /* peg on the circle of .6, teeth .05 wide to each side */
        double room = TRIAL_PI / 6 - asin(0.05 / 0.6) - asin(0.1 / 0.6), turned = 0;
        s->world.gravity = scene_zero;
        peg = scene_add(s, DVC_STATIC, DVC_SPHERE, v3(0.6 * cos(TRIAL_PI / 6), 0.6 * sin(TRIAL_PI / 6), 0), 0);
        s->shapes[peg].radius = (dvc_real)0.1;
        gear = scene_sphere(s, 0.4, scene_zero, 1e6, 0); /* heavy: the peg does not move its centre */
        s->bodies[gear].inertia = v3(1, 1, 1);
        for (k = 0; k < 6; k++) {
            choose_attach_box(s, gear, v3(0.25, 0.05, 0), v3(0.55 * cos(TRIAL_PI * k / 3), 0.55 * sin(TRIAL_PI * k / 3), 0));
            s->shapes[s->world.body_count - 1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)(TRIAL_PI * k / 3));
        }
        s->bodies[gear].angular_velocity = v3(0, 0, side);
        for (step = 1; step <= 60; step++) {
            trial_step(s, 0.01);
            turned = 2 * atan2((double)s->bodies[gear].orientation.z, (double)s->bodies[gear].orientation.w) * side;
            if (step * 0.01 < room - 0.02) CHECK_NEAR(turned, step * 0.01, 1e-12);
        }
        CHECK_NEAR(turned, room, 2e-3); /* the tooth's flank is straight, the peg meets it at its side */
        CHECK_NEAR(s->bodies[gear].angular_velocity.z, 0, 1e-5); /* as fast as its centre gives way */
        CHECK(oracle_deepest(&s->world) >= -1e-9);
        scene_free(s);
    }
}

/* ---- what may not matter ---- */

/* Smooth parts that fall on each other: their velocities have one answer only. */
static scene *choose_pour(bool planar)
{
    scene *s = scene_make(12, planar, TRIAL_SCRATCH);
    int k;
    trial_room(s, 0.8, 0);
    for (k = 0; k < 6; k++) {
        dvc_vec3 at = planar ? v3(test_random(-0.4, 0.4), 0.4 + 0.55 * k, 0)
            : test_vec(test_random(-0.4, 0.4), test_random(-0.4, 0.4), 0.4 + 0.55 * k);
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(k % TRIAL_KINDS), 0.25, at, 0);
        s->bodies[body].angular_velocity.z = (dvc_real)test_random(-4, 4);
    }
    return s;
}

/* Reverses bodies and shapes of a copy. */
static scene *choose_reversed(const scene *s)
{
    scene *t = scene_make(s->capacity, s->world.planar, TRIAL_SCRATCH);
    int n = s->world.body_count, i;
    t->world.body_count = t->world.shape_count = n;
    t->world.gravity = s->world.gravity;
    for (i = 0; i < n; i++) {
        t->bodies[n - 1 - i] = s->bodies[i];
        t->shapes[n - 1 - i] = s->shapes[i];
        t->shapes[n - 1 - i].body = n - 1 - s->shapes[i].body;
    }
    return t;
}

static void the_order_of_bodies_does_not_matter(void)
{
    int seed, i, step, touched = 0;
    for (seed = 1; seed <= 12; seed++) {
        scene *s, *t;
        test_seed((uint64_t)seed + 200);
        s = choose_pour(seed % 2);
        t = choose_reversed(s);
        for (step = 0; step < 60; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK && dvc_step(&t->world, (dvc_real)0.01) == DVC_OK);
            CHECK(s->world.report.inexact == t->world.report.inexact);
            touched += s->world.report.enforced > 2;
        }
        for (i = 0; i < s->world.body_count; i++) {
            const dvc_body *p = &s->bodies[i], *q = &t->bodies[s->world.body_count - 1 - i];
            CHECK_NEAR(oracle_norm(oracle_minus(p->position, q->position)), 0, 1e-8);
            CHECK_NEAR(oracle_norm(oracle_minus(p->velocity, q->velocity)), 0, 1e-6);
        }
        scene_free(t);
        scene_free(s);
    }
    CHECK(touched > 100);
}

/* Left and right exchanged: x of every vector, and the turning sense. */
static scene *choose_mirrored(const scene *s)
{
    scene *t = scene_make(s->capacity, true, TRIAL_SCRATCH);
    int n = s->world.body_count, i, k;
    t->world.body_count = t->world.shape_count = n;
    t->world.gravity = s->world.gravity;
    for (i = 0; i < n; i++) {
        dvc_body *b = &t->bodies[i];
        dvc_shape *shape = &t->shapes[i];
        int corners = s->shapes[i].point_count;
        dvc_vec2 *points = (dvc_vec2 *)scene_memory((size_t)corners, sizeof *points);
        *b = s->bodies[i];
        *shape = s->shapes[i];
        b->position.x = -b->position.x;
        b->velocity.x = -b->velocity.x;
        b->angular_velocity.z = -b->angular_velocity.z;
        b->orientation.z = -b->orientation.z;
        shape->position.x = -shape->position.x;
        shape->orientation.z = -shape->orientation.z;
        shape->normal.x = -shape->normal.x;
        for (k = 0; k < corners; k++) {
            points[k] = s->shapes[i].points[corners - 1 - k];
            points[k].x = -points[k].x;
        }
        shape->points = points;
        t->hull_storage[i] = (unsigned char *)points;
    }
    return t;
}

static void left_and_right_do_not_matter(void)
{
    int seed, i, step;
    for (seed = 1; seed <= 12; seed++) {
        scene *s, *t;
        test_seed((uint64_t)seed + 300);
        s = choose_pour(true);
        t = choose_mirrored(s);
        for (step = 0; step < 60; step++) {
            CHECK(dvc_step(&s->world, (dvc_real)0.01) == DVC_OK && dvc_step(&t->world, (dvc_real)0.01) == DVC_OK);
            CHECK(s->world.report.inexact == t->world.report.inexact);
        }
        for (i = 0; i < s->world.body_count; i++) {
            CHECK_NEAR(s->bodies[i].position.x, -t->bodies[i].position.x, 1e-8);
            CHECK_NEAR(s->bodies[i].position.y, t->bodies[i].position.y, 1e-8);
            CHECK_NEAR(s->bodies[i].angular_velocity.z, -t->bodies[i].angular_velocity.z, 1e-5);
        }
        scene_free(t);
        scene_free(s);
    }
}

static void suite_choose(void)
{
    test_state.suite = "choose";
    RUN(planar_corner_hits_have_the_velocity_of_an_exact_branch);
    RUN(corner_hits_in_space_have_the_velocity_of_an_exact_branch);
    RUN(hits_at_flush_boxes_have_the_velocity_of_an_exact_branch);
    RUN(hits_between_free_bodies_have_the_velocity_of_an_exact_branch);
    RUN(no_force_comes_from_a_face_approached_from_behind);
    RUN(corners_that_meet_do_not_trap_each_other);
    RUN(a_cube_near_an_edge_is_free_along_the_face);
    RUN(a_tetrahedron_on_an_inverted_one_rests_and_is_free);
    RUN(a_block_slides_over_a_narrow_hole);
    RUN(a_block_falls_into_a_wide_hole);
    RUN(a_block_in_a_u_meets_its_walls_and_nothing_else);
    RUN(an_l_stands_on_its_foot);
    RUN(a_gear_turns_as_far_as_a_peg_between_its_teeth_lets_it);
    RUN(the_order_of_bodies_does_not_matter);
    RUN(left_and_right_do_not_matter);
}
