/* Families of the soak whose exact motion Runge and Kutta find: chains of links under weight, and bodies that tumble. Each step
 * of the engine is compared with the exact way from where it began. Include after soak_machines.h. */
#ifndef SOAK_EXACT_H
#define SOAK_EXACT_H

enum { EXACT_STEPS = 16 }; /* of order 4, for one of the engine */

/* ---- chains ---- */

static const chain *followed; /* machine_rates take no more than the state */

static double weight_beyond(const chain *c, int link)
{
    double sum = 0;
    for (link++; link < c->count; link++) sum += c->mass[link];
    return sum;
}

/* In place, by elimination with pivots from the diagonal: the matrix is positive. */
static void solve_for(double a[LINKS][LINKS], double *b, int n)
{
    int i, j, k;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) {
            double by = a[i][k] / a[k][k];
            for (j = k; j < n; j++) a[i][j] -= by * a[k][j];
            b[i] -= by * b[k];
        }
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* Lagrange's equations of n bars that hang from each other; angles from hanging, then their rates. */
static void chain_rates(const double *state, double *rate)
{
    const chain *c = followed;
    double matrix[LINKS][LINKS], right[LINKS];
    int n = c->count, i, j;
    for (i = 0; i < n; i++) {
        right[i] = -GRAVITY * c->length[i] * (c->mass[i] / 2 + weight_beyond(c, i)) * sin(state[i]);
        for (j = 0; j < n; j++) {
            int far = i > j ? i : j;
            double a = c->length[i] * c->length[j] * ((i == j ? c->mass[i] / 4 : c->mass[far] / 2) + weight_beyond(c, far));
            matrix[i][j] = (i == j ? c->moment[i] : 0) + a * cos(state[i] - state[j]);
            right[i] -= a * sin(state[i] - state[j]) * state[n + j] * state[n + j];
        }
        rate[i] = state[n + i];
    }
    solve_for(matrix, right, n);
    for (i = 0; i < n; i++) rate[n + i] = right[i];
}

static void read_chain(const trial *t, double *state)
{
    const chain *c = &t->chain;
    dvc_vec3 down = oracle_unit(t->s->world.gravity), aside = oracle_cross(c->axis, down);
    int i;
    for (i = 0; i < c->count; i++) {
        const dvc_body *b = &t->s->bodies[c->first + i];
        dvc_vec3 way = oracle_turn(b->orientation, c->down);
        state[i] = atan2(oracle_dot(way, aside), oracle_dot(way, down));
        state[c->count + i] = oracle_dot(b->angular_velocity, c->axis);
    }
}

/* How far from the exact angles the engine's step ends, in units of what a method of first order is off by. */
static double follow_chain(trial *t, bool after)
{
    double state[2 * LINKS], rate[2 * LINKS], worst = 0;
    int n = t->chain.count, i;
    followed = &t->chain;
    read_chain(t, state);
    if (after) {
        for (i = 0; i < n; i++) worst = fmax(worst, fabs(remainder(state[i] - t->exact[i], 2 * PI)));
        for (i = n; i < 2 * n; i++) worst = fmax(worst, t->h * fabs(state[i] - t->exact[i]));
        return worst / t->scale;
    }
    chain_rates(state, rate);
    for (t->scale = GRAVITY / t->length, i = n; i < 2 * n; i++) t->scale = fmax(t->scale, fmax(fabs(rate[i]), state[i] * state[i]));
    t->scale = t->scale * t->h * t->h + 1e-12;
    memcpy(t->exact, state, sizeof state);
    for (i = 0; i < EXACT_STEPS; i++) machine_advance(chain_rates, t->exact, 2 * n, t->h / EXACT_STEPS);
    return 0;
}

/* Bars that hang in one plane, that may be any upright one in space, from a point that stands still. */
static void make_chain(trial *t, int count)
{
    bool planar = t->s->world.planar;
    double heading = test_random(-PI, PI);
    chain *c = &t->chain;
    dvc_vec3 axis = planar ? v3(0, 0, 1) : v3(cos(heading), sin(heading), 0), pivot = at(t, 0, 0, 2), speed = scene_zero;
    int base = scene_add(t->s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0), i, body;
    c->count = count < LINKS ? count : LINKS;
    c->first = base + 1;
    c->axis = axis;
    c->down = v3(1, 0, 0);
    t->follow = follow_chain;
    for (i = 0; i < c->count; i++) {
        double angle = test_random(-2.5, 2.5), rate = test_random(-3, 3) / sqrt(t->length);
        dvc_vec3 way = oracle_turn(dvc_quat_turn(axis, (dvc_real)angle), planar ? v3(0, -1, 0) : v3(0, 0, -1)), swept;
        c->length[i] = test_random(0.3, 0.6) * t->length;
        way = oracle_scaled(way, c->length[i]);
        swept = oracle_cross(oracle_scaled(axis, rate), way);
        body = add_link(t, pivot, oracle_along(pivot, way, 1));
        t->s->shapes[body].kind = DVC_NO_SHAPE;
        c->mass[i] = (double)t->s->bodies[body].mass;
        c->moment[i] = (double)t->s->bodies[body].inertia.z; /* about all axes across a bar of square section */
        t->s->bodies[body].angular_velocity = oracle_scaled(axis, rate);
        t->s->bodies[body].velocity = oracle_along(speed, swept, 0.5);
        join(t, DVC_REVOLUTE, body - 1, body, pivot, axis);
        pivot = oracle_along(pivot, way, 1);
        speed = oracle_along(speed, swept, 1);
    }
}

/* ---- what tumbles ---- */

/* The rate of an orientation whose body has this momentum. */
static dvc_quat tumble_rate(dvc_quat q, dvc_vec3 inverse_moments, dvc_vec3 momentum)
{
    dvc_vec3 w = motion_by_moments(q, inverse_moments, momentum);
    dvc_quat spin;
    spin.w = 0;
    spin.x = w.x / 2;
    spin.y = w.y / 2;
    spin.z = w.z / 2;
    return oracle_compose(spin, q);
}

static dvc_quat quat_along(dvc_quat q, dvc_quat way, double times)
{
    q.w += (dvc_real)times * way.w;
    q.x += (dvc_real)times * way.x;
    q.y += (dvc_real)times * way.y;
    q.z += (dvc_real)times * way.z;
    return q;
}

static dvc_quat tumbled(const dvc_body *body, double h)
{
    static const double place[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
    dvc_vec3 momentum = motion_spin_momentum(body), inverse = motion_inverse_moments(body);
    dvc_quat q = machine_given(body->orientation), from, rate = { 0, 0, 0, 0 };
    int i, k;
    for (i = 0; i < EXACT_STEPS; i++)
        for (from = q, k = 0; k < 4; k++) {
            rate = tumble_rate(quat_along(from, rate, place[k] * h / EXACT_STEPS), inverse, momentum);
            q = quat_along(q, rate, weight[k] * h / EXACT_STEPS);
        }
    return q;
}

/* In units of what a method of second order is off by: a tenth of the turn's third power. */
static double follow_tumble(trial *t, bool after)
{
    const dvc_body *b = &t->s->bodies[t->spawned];
    double turn = oracle_norm(b->angular_velocity) * t->h;
    dvc_quat q;
    if (!after) {
        q = tumbled(b, t->h);
        t->exact[0] = (double)q.w;
        t->exact[1] = (double)q.x;
        t->exact[2] = (double)q.y;
        t->exact[3] = (double)q.z;
        t->scale = turn * turn * turn / 10 + 1e-12;
        return 0;
    }
    q.w = (dvc_real)t->exact[0];
    q.x = (dvc_real)t->exact[1];
    q.y = (dvc_real)t->exact[2];
    q.z = (dvc_real)t->exact[3];
    return motion_turned(q, b->orientation) / t->scale;
}

/* One body in free fall that turns by up to a third in a step. */
static void make_tumble(trial *t, int count)
{
    int body = add_hull(t, DVC_DYNAMIC, at(t, 0, 0, 40), count < 4 ? 4 : count, 0.25);
    t->spawned = body;
    t->follow = follow_tumble;
    throw_body(t, body, 1, 0);
    t->s->bodies[body].angular_velocity = oracle_scaled(any_direction(false), test_random(0, fmin(0.3 / t->h, 20 / sqrt(t->length))));
}

#endif
