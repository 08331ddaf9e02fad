/* The kernel for round cones, by its public face in blocks and over bodies, against oracles that share no code with it: closed forms of
 * single contacts, enumeration of who parts, sticks and slips, and the natural map written once more here. Problems are made from
 * bodies in random places with many more contacts than they can move. */

enum { KERNEL_MOST = 120, KERNEL_BODIES = 24 };

typedef struct kernel_case {
    int contacts, entries;
    int row_start[KERNEL_MOST + 1], column[KERNEL_MOST * KERNEL_MOST];
    double blocks[9 * KERNEL_MOST * KERNEL_MOST], q[3 * KERNEL_MOST], mu[KERNEL_MOST];
} kernel_case;

static kernel_case kernel_it;
static unsigned char kernel_scratch[1 << 23];

static dvc_friction kernel_view(const kernel_case *c)
{
    dvc_friction p;
    p.contacts = c->contacts;
    p.row_start = c->row_start;
    p.column = c->column;
    p.blocks = c->blocks;
    p.q = c->q;
    p.mu = c->mu;
    return p;
}

/* u = W r + q of contact i. */
static void kernel_velocity(const kernel_case *c, const double *r, int i, double *u)
{
    int e, k, j;
    for (k = 0; k < 3; k++) u[k] = c->q[3 * i + k];
    for (e = c->row_start[i]; e < c->row_start[i + 1]; e++)
        for (k = 0; k < 3; k++)
            for (j = 0; j < 3; j++) u[k] += c->blocks[9 * e + 3 * k + j] * r[3 * c->column[e] + j];
}

static double kernel_diagonal(const kernel_case *c, int i)
{
    int e;
    for (e = c->row_start[i]; e < c->row_start[i + 1]; e++)
        if (c->column[e] == i) return (c->blocks[9 * e] + c->blocks[9 * e + 4] + c->blocks[9 * e + 8]) / 3;
    return 0;
}

/* The natural map, by the largest |q|. */
static double kernel_judge(const kernel_case *c, const double *r)
{
    double worst = 0, size = 0;
    int i, k;
    for (i = 0; i < 3 * c->contacts; i++) size = fmax(size, fabs(c->q[i]));
    for (i = 0; i < c->contacts; i++) {
        double u[3], d = kernel_diagonal(c, i), a, b, length, radius = c->mu[i] * fmax(r[3 * i], 0), off;
        kernel_velocity(c, r, i, u);
        off = fabs(r[3 * i] - fmax(0, r[3 * i] - u[0] / d)) * d;
        a = r[3 * i + 1] - u[1] / d;
        b = r[3 * i + 2] - u[2] / d;
        length = sqrt(a * a + b * b);
        k = length > radius;
        off = fmax(off, d * sqrt(pow(r[3 * i + 1] - (k ? a * radius / length : a), 2) + pow(r[3 * i + 2] - (k ? b * radius / length : b), 2)));
        if (!(off <= worst)) worst = off;
    }
    return size > 0 ? worst / size : worst;
}

static dvc_lcp_report kernel_solve(const kernel_case *c, double *r)
{
    dvc_friction p = kernel_view(c);
    memset(r, 0, sizeof(double) * 3 * (size_t)c->contacts);
    return dvc_friction_solve(&p, NULL, r, kernel_scratch, sizeof kernel_scratch);
}

/* ---- single contacts ---- */

static void kernel_single(kernel_case *c, double mu, double n, double x, double y)
{
    int k;
    memset(c, 0, sizeof *c);
    c->contacts = c->entries = 1;
    c->row_start[1] = 1;
    for (k = 0; k < 9; k += 4) c->blocks[k] = 1;
    c->blocks[0] = 2;
    c->q[0] = n;
    c->q[1] = x;
    c->q[2] = y;
    c->mu[0] = mu;
}

static void one_contact_parts_sticks_or_slips_as_the_closed_form_says(void)
{
    int i;
    test_seed(31);
    for (i = 0; i < 2000; i++) {
        double mu = i % 5 ? test_random(0, 2) : 0, n = test_random(-2, 1), x = test_random(-3, 3), y = test_random(-3, 3), r[3];
        double push = n < 0 ? -n / 2 : 0, length = sqrt(x * x + y * y), share = length > mu * push ? mu * push / length : 1;
        kernel_single(&kernel_it, mu, n, x, y);
        CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
        CHECK_NEAR(r[0], push, 1e-9);
        CHECK_NEAR(r[1], -share * x, 1e-8);
        CHECK_NEAR(r[2], -share * y, 1e-8);
    }
}

/* A slip pushes the contact open or shut where W couples normal and tangent: then r_n solves a linear equation along the slip. */
static void a_contact_whose_slip_lifts_it_is_solved(void)
{
    int i;
    test_seed(32);
    for (i = 0; i < 500; i++) {
        double mu = test_random(0, 1), couple = test_random(-.6, .6), r[3], push, slip;
        kernel_single(&kernel_it, mu, -1, 5, 0);
        kernel_it.blocks[1] = kernel_it.blocks[3] = couple;
        push = 1 / (2 - couple * mu); /* r_t = -mu r_n: u_n = 2 r_n - couple mu r_n - 1 */
        slip = 5 + couple * push - mu * push;
        CHECK(slip > 0);
        CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
        CHECK_NEAR(r[0], push, 1e-8);
        CHECK_NEAR(r[1], -mu * push, 1e-8);
        CHECK_NEAR(r[2], 0, 1e-8);
    }
}

/* ---- problems from bodies ---- */

static double kernel_body[KERNEL_BODIES][7]; /* inverse mass, inverse inertia (3), free velocity (3) */

static double kernel_rows[KERNEL_MOST][3][2][6];
static int kernel_pair[KERNEL_MOST][2];

static void kernel_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* `n` contacts between `bodies` bodies and the ground, each pair met about `repeat` times at places that differ. */
static void kernel_random(kernel_case *c, int bodies, int n, int repeat, double ratio, double mu)
{
    double frame[3][3], arm[3];
    int (*body)[2] = kernel_pair;
    double (*rows)[3][2][6] = kernel_rows;
    int i, j, k, s, t, l, m;
    memset(c, 0, sizeof *c);
    c->contacts = n;
    for (i = 0; i < bodies; i++) {
        double mass = test_random(.5, 2) * (i % 2 ? ratio : 1);
        for (k = 0; k < 4; k++) kernel_body[i][k] = k == 0 ? 1 / mass : 6 / mass * test_random(.5, 2);
        for (k = 4; k < 7; k++) kernel_body[i][k] = test_random(-.2, .2) - (k == 6);
    }
    for (i = 0; i < n; i++) {
        double length = 0, tilt[3];
        c->mu[i] = mu;
        for (k = 0; k < 3; k++) tilt[k] = test_random(-.4, .4) + (k == 2);
        if (i % repeat == 0) {
            body[i][1] = (int)test_random(0, bodies);
            body[i][0] = (int)test_random(0, bodies + 1) - 1;
            if (body[i][0] >= body[i][1]) body[i][0] = -1;
            for (k = 0; k < 3; k++) length += tilt[k] * tilt[k];
            for (k = 0; k < 3; k++) frame[0][k] = tilt[k] / sqrt(length);
            frame[1][0] = frame[0][2];
            frame[1][1] = 0;
            frame[1][2] = -frame[0][0];
            length = sqrt(frame[1][0] * frame[1][0] + frame[1][2] * frame[1][2]);
            for (k = 0; k < 3; k++) frame[1][k] /= length;
            kernel_cross(frame[0], frame[1], frame[2]);
        } else {
            body[i][0] = body[i - 1][0];
            body[i][1] = body[i - 1][1];
        }
        for (s = 0; s < 2; s++)
            for (k = 0; k < 3; k++) arm[k] = test_random(-.5, .5);
        for (s = 0; s < 2; s++)
            for (k = 0; k < 3; k++) {
                double turn[3], sign = s ? 1 : -1, there[3];
                for (l = 0; l < 3; l++) there[l] = arm[l] + (l == 2 ? (s ? -.5 : .5) : 0);
                kernel_cross(there, frame[k], turn);
                for (l = 0; l < 3; l++) {
                    rows[i][k][s][l] = sign * frame[k][l];
                    rows[i][k][s][3 + l] = sign * turn[l];
                }
                for (l = 0; body[i][s] >= 0 && l < 3; l++) c->q[3 * i + k] += rows[i][k][s][l] * kernel_body[body[i][s]][4 + l];
            }
    }
    for (i = 0; i < n; c->row_start[++i] = c->entries)
        for (j = 0; j < n; j++) {
            int met = 0;
            for (s = 0; s < 2; s++)
                for (t = 0; t < 2; t++) {
                    const double *b;
                    if (body[i][s] < 0 || body[i][s] != body[j][t]) continue;
                    b = kernel_body[body[i][s]];
                    met = 1;
                    for (k = 0; k < 3; k++)
                        for (m = 0; m < 3; m++)
                            for (l = 0; l < 6; l++)
                                c->blocks[9 * c->entries + 3 * k + m] += rows[i][k][s][l] * rows[j][m][t][l] * b[l < 3 ? 0 : l - 2];
                }
            if (met) c->column[c->entries++] = j;
        }
}

/* ---- enumeration ---- */

static int kernel_gauss(int n, double *a, double *x)
{
    int i, j, k, best;
    for (k = 0; k < n; k++) {
        for (best = k, i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        if (fabs(a[best * n + k]) < 1e-12) return 0;
        for (j = 0; j < n; j++) {
            double keep = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = keep;
        }
        { double keep = x[k]; x[k] = x[best]; x[best] = keep; }
        for (i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (j = k; j < n; j++) a[i * n + j] -= f * a[k * n + j];
            x[i] -= f * x[k];
        }
    }
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) x[k] -= a[k * n + j] * x[j];
        x[k] /= a[k * n + k];
    }
    return 1;
}

/* Solutions by trying all modes: 0 parts, 1 sticks, 2 slips, with the slips' directions iterated until they agree. Returns how many
 * were found, and how near to `r` the nearest is. */
static int kernel_enumerate(const kernel_case *c, const double *r, double *nearest)
{
    int n = c->contacts, all = 1, code, i, k, l, found = 0;
    *nearest = HUGE_VAL;
    for (i = 0; i < n; i++) all *= 3;
    for (code = 0; code < all; code++) {
        double angle[3][2], z[9], off = HUGE_VAL;
        int mode[3], round, rest = code;
        for (i = 0; i < n; i++, rest /= 3) {
            double length = sqrt(c->q[3 * i + 1] * c->q[3 * i + 1] + c->q[3 * i + 2] * c->q[3 * i + 2]);
            mode[i] = rest % 3;
            for (k = 0; k < 2; k++) angle[i][k] = length > 0 ? c->q[3 * i + 1 + k] / length : k;
        }
        for (round = 0; round < 300 && off > 1e-12; round++) {
            double a[81], x[9], u[3];
            memset(a, 0, sizeof a);
            for (i = 0; i < n; i++)
                for (k = 0; k < 3; k++) {
                    int row = 3 * i + k, e;
                    x[row] = 0;
                    if (mode[i] == 0 || (mode[i] == 2 && k > 0)) {
                        a[row * 3 * n + row] = 1;
                        if (mode[i] == 2) a[row * 3 * n + 3 * i] = c->mu[i] * angle[i][k - 1];
                        continue;
                    }
                    x[row] = -c->q[row];
                    for (e = c->row_start[i]; e < c->row_start[i + 1]; e++)
                        for (l = 0; l < 3; l++) a[row * 3 * n + 3 * c->column[e] + l] = c->blocks[9 * e + 3 * k + l];
                }
            if (!kernel_gauss(3 * n, a, x)) break;
            memcpy(z, x, sizeof(double) * 3 * (size_t)n);
            for (off = 0, i = 0; i < n; i++) {
                double length;
                if (mode[i] != 2) continue;
                kernel_velocity(c, z, i, u);
                length = sqrt(u[1] * u[1] + u[2] * u[2]);
                for (k = 0; k < 2; k++) {
                    off = fmax(off, fabs(angle[i][k] - u[1 + k] / length));
                    angle[i][k] += u[1 + k] / length;
                }
                length = sqrt(angle[i][0] * angle[i][0] + angle[i][1] * angle[i][1]);
                for (k = 0; k < 2; k++) angle[i][k] /= length;
            }
        }
        if (off > 1e-11 || !(kernel_judge(c, z) < 1e-9)) continue;
        found++;
        for (off = 0, i = 0; i < 3 * n; i++) off = fmax(off, fabs(z[i] - r[i]));
        *nearest = fmin(*nearest, off);
    }
    return found;
}

static void few_contacts_are_solved_as_enumeration_solves_them(void)
{
    int i, found = 0;
    test_seed(33);
    for (i = 0; i < 300; i++) {
        double r[9], nearest;
        kernel_random(&kernel_it, 3, 1 + i % 3, 1, 1, test_random(.05, .8));
        CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
        if (kernel_enumerate(&kernel_it, r, &nearest) == 0) continue;
        found++;
        CHECK(nearest < 1e-6);
    }
    CHECK(found > 200);
}

/* ---- larger ones ---- */

static void contacts_that_depend_on_each_other_are_solved(void)
{
    static double r[3 * KERNEL_MOST];
    int i;
    test_seed(34);
    for (i = 0; i < 150; i++) {
        int bodies = 1 + i % 8;
        dvc_lcp_report report;
        kernel_random(&kernel_it, bodies, 4 * bodies + i % 20, 4 + i % 5, 1, test_random(0, .8));
        report = kernel_solve(&kernel_it, r);
        CHECK(report.status == DVC_OK);
        CHECK(kernel_judge(&kernel_it, r) <= 1.001e-9);
        CHECK_NEAR(report.residual, kernel_judge(&kernel_it, r), 1e-12);
    }
}

static void heavy_bodies_and_light_ones_are_solved(void)
{
    static double r[3 * KERNEL_MOST];
    const double ratios[] = { 1e-4, 1e-2, 1e2, 1e4 };
    int i;
    test_seed(35);
    for (i = 0; i < 80; i++) {
        kernel_random(&kernel_it, 2 + i % 5, 12 + i % 12, 4, ratios[i % 4], test_random(.1, .7));
        CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
        CHECK(kernel_judge(&kernel_it, r) <= 1.001e-9);
    }
}

static void friction_from_none_to_large_is_solved(void)
{
    static double r[3 * KERNEL_MOST];
    const double mu[] = { 0, 1e-6, 1.5, 10, 1e3, 1e9 };
    int i;
    test_seed(36);
    for (i = 0; i < 60; i++) {
        kernel_random(&kernel_it, 1 + i % 2, 4, 4, 1, mu[i % 6]);
        CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
        CHECK(kernel_judge(&kernel_it, r) <= 1.001e-9);
    }
}

static void what_nothing_moves_and_no_contacts_are_solved(void)
{
    double r[3] = { 1, 2, 3 };
    dvc_friction p;
    memset(&kernel_it, 0, sizeof kernel_it);
    p = kernel_view(&kernel_it);
    CHECK(dvc_friction_solve(&p, NULL, r, NULL, 0).status == DVC_OK);
    CHECK(dvc_friction_residual(&p, NULL, r) == 0);
    kernel_it.contacts = 1; /* no blocks at all */
    kernel_it.q[0] = 1;
    CHECK(kernel_solve(&kernel_it, r).status == DVC_OK);
    CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
}

static void the_residual_is_the_natural_map(void)
{
    static double r[3 * KERNEL_MOST];
    int i, k;
    test_seed(37);
    for (i = 0; i < 100; i++) {
        dvc_friction p;
        double expected;
        kernel_random(&kernel_it, 3, 9, 3, 1, test_random(0, 1));
        for (k = 0; k < 27; k++) r[k] = test_random(-1, 1);
        p = kernel_view(&kernel_it);
        expected = kernel_judge(&kernel_it, r);
        CHECK_NEAR(dvc_friction_residual(&p, NULL, r), expected, 1e-12 * expected);
    }
}

/* ---- over bodies: the private form that an island has ---- */

static unsigned char kernel_room[1 << 23];

/* Room for so many laws of up to so many lanes between bodies of diagonal inertia; no law is set. */
static dvci_arena kernel_over_bodies(dvci_kernel *k, int laws, int lanes, int bodies)
{
    dvci_arena arena = dvci_arena_over(kernel_room, sizeof kernel_room);
    int i, c;
    memset(k, 0, sizeof *k);
    k->laws = laws;
    k->lanes = laws * lanes;
    k->nodes = bodies;
    k->width = 6;
    dvci_kernel_carve(k, &arena);
    k->slope = dvci_alloc_reals(&arena, (size_t)(laws * lanes * lanes));
    k->mass = dvci_alloc_reals(&arena, (size_t)(36 * bodies));
    k->inverse = dvci_alloc_reals(&arena, (size_t)(36 * bodies));
    k->row = dvci_alloc_reals(&arena, (size_t)(12 * k->lanes));
    memset(k->mass, 0, sizeof(double) * (size_t)(36 * bodies));
    memset(k->inverse, 0, sizeof(double) * (size_t)(36 * bodies));
    memset(k->row, 0, sizeof(double) * (size_t)(12 * k->lanes));
    memset(k->best, 0, sizeof(double) * (size_t)k->lanes);
    memset(k->law, 0, sizeof(dvci_law) * (size_t)laws);
    k->force = k->row;
    for (i = 0; i < bodies; i++)
        for (c = 0; c < 6; c++) {
            k->inverse[36 * i + 7 * c] = kernel_body[i][c < 3 ? 0 : c - 2];
            k->mass[36 * i + 7 * c] = 1 / k->inverse[36 * i + 7 * c];
        }
    k->size = k->weight = 1;
    k->residual = DVC_INFINITY;
    k->most_factors = 1000;
    for (i = 0; i < laws; i++) {
        dvci_law *law = &k->law[i];
        law->lane = lanes * i;
        law->lanes = lanes;
        law->slope = lanes * lanes * i;
        law->disc[0] = 1;
        law->disc[1] = law->disc[2] = lanes;
        law->upper = DVC_INFINITY;
        law->unit = 1;
        for (c = 0; c < 3; c++) law->response[c] = 1;
    }
    return arena;
}

static int kernel_plan(dvci_kernel *k, dvci_arena *arena)
{
    static int pairs[2 * KERNEL_MOST];
    int i, ties = 0;
    for (i = 0; i < k->laws; i++)
        if (k->law[i].node[0] >= 0 && k->law[i].node[1] >= 0) {
            pairs[2 * ties] = k->law[i].node[0];
            pairs[2 * ties++ + 1] = k->law[i].node[1];
        }
    return dvci_kernel_plan(k, ties, pairs, arena);
}

static void over_bodies_the_kernel_solves_what_blocks_pose(void)
{
    int i, c, l, s, x;
    test_seed(43);
    for (i = 0; i < 60; i++) {
        dvci_kernel k;
        dvci_arena arena;
        int n = 6 + i % 30, bodies = 1 + i % 6;
        kernel_random(&kernel_it, bodies, n, 4, 1, test_random(0, .8));
        arena = kernel_over_bodies(&k, n, 3, bodies);
        for (c = 0; c < n; c++) {
            dvci_law *law = &k.law[c];
            law->radius[0] = kernel_it.mu[c];
            for (s = 0; s < 2; s++) law->node[s] = kernel_pair[c][s];
            for (l = 0; l < 3; l++) {
                k.bias[3 * c + l] = kernel_it.q[3 * c + l];
                for (s = 0; s < 2; s++)
                    for (x = 0; x < 6; x++) k.row[(2 * (3 * c + l) + s) * 6 + x] = kernel_rows[c][l][s][x];
            }
            for (l = 0; l < 3; l++) law->response[l] = law->unit = kernel_diagonal(&kernel_it, c);
        }
        CHECK(kernel_plan(&k, &arena));
        dvci_kernel_solve(&k, 1e-10);
        CHECK(k.residual <= 1e-10);
        CHECK(kernel_judge(&kernel_it, k.best) <= 1e-9);
    }
}

/* One body on the ground, pressed with N: friction at once slides, spins and rolls it against. */
static void torsion_and_rolling_are_lanes_of_their_own(void)
{
    int i, c;
    test_seed(44);
    for (i = 0; i < 100; i++) {
        dvci_kernel k;
        dvci_arena arena;
        double press = test_random(.1, 2), mu = test_random(.1, 1), rolling = test_random(.01, .2), arm = test_random(.05, .5);
        double spin = test_random(-5, 5), roll = test_random(-1, 1), torque, most;
        for (c = 0; c < 4; c++) kernel_body[0][c] = c == 0 ? 1 : 2;
        arena = kernel_over_bodies(&k, 1, 6, 1);
        k.law[0].node[0] = -1;
        k.law[0].disc[1] = 4; /* slip, slip, torsion times arm; roll, roll */
        k.law[0].disc[2] = 6;
        k.law[0].radius[0] = mu;
        k.law[0].radius[1] = rolling;
        k.row[6 + 2] = k.row[12 + 6 + 0] = k.row[24 + 6 + 1] = 1;
        k.row[36 + 6 + 5] = arm;
        k.row[48 + 6 + 3] = k.row[60 + 6 + 4] = 1;
        for (c = 0; c < 6; c++) k.bias[c] = c == 0 ? -press : c == 3 ? arm * spin : c == 4 ? roll : 0;
        CHECK(kernel_plan(&k, &arena));
        dvci_kernel_solve(&k, 1e-11);
        CHECK(k.residual <= 1e-11);
        CHECK_NEAR(k.best[0], press, 1e-9);
        torque = fabs(spin) / 2 / arm; /* that stops the spin */
        most = mu * press;
        CHECK_NEAR(fabs(k.best[3]), torque < most ? torque : most, 1e-8);
        CHECK_NEAR(fabs(k.best[4]), fmin(fabs(roll) / 2, rolling * press), 1e-8);
        CHECK_NEAR(k.best[1], 0, 1e-9);
    }
}

/* A row of a link holds; one with a bound gives in there; one with compliance gives way by it. */
static void rows_of_links_hold_within_bounds_and_by_compliance(void)
{
    int i, c;
    test_seed(45);
    for (i = 0; i < 100; i++) {
        dvci_kernel k;
        dvci_arena arena;
        double speed = test_random(-3, 3), bound = test_random(.1, 1), give = test_random(.1, 2);
        for (c = 0; c < 4; c++) kernel_body[0][c] = kernel_body[1][c] = 1;
        arena = kernel_over_bodies(&k, 3, 1, 2);
        for (c = 0; c < 3; c++) {
            k.law[c].node[0] = c == 0 ? 0 : -1;
            k.law[c].node[1] = 1;
            k.law[c].lower = -DVC_INFINITY;
            k.row[12 * c + 6 + c] = 1;
            k.bias[c] = speed;
        }
        k.row[0] = -1;
        k.law[1].lower = -bound;
        k.law[1].upper = bound;
        k.law[2].give = give;
        CHECK(kernel_plan(&k, &arena));
        dvci_kernel_solve(&k, 1e-11);
        CHECK(k.residual <= 1e-11);
        CHECK_NEAR(k.best[0], -speed / 2, 1e-9);
        CHECK_NEAR(k.best[1], fmax(-bound, fmin(bound, -speed)), 1e-9);
        CHECK_NEAR(k.best[2], -speed / (1 + give), 1e-9);
    }
}

/* ---- form ---- */

static void powers_of_two_change_no_bit_of_impulses(void)
{
    static double r[3 * KERNEL_MOST], other[3 * KERNEL_MOST];
    static kernel_case scaled;
    const double mass[] = { 1024, 1. / 65536, 2, 8 }, speed[] = { 1, 4, 1. / 32, 512 };
    int i, k;
    test_seed(38);
    for (i = 0; i < 40; i++) {
        kernel_random(&kernel_it, 4, 24, 4, i % 2 ? 1 : 1e3, .4);
        scaled = kernel_it;
        for (k = 0; k < 9 * scaled.entries; k++) scaled.blocks[k] /= mass[i % 4];
        for (k = 0; k < 72; k++) scaled.q[k] *= speed[i % 4];
        kernel_solve(&kernel_it, r);
        kernel_solve(&scaled, other);
        for (k = 0; k < 72; k++) CHECK(other[k] == r[k] * mass[i % 4] * speed[i % 4]);
    }
}

static void what_is_solved_is_left_as_it_is(void)
{
    static double r[3 * KERNEL_MOST], again[3 * KERNEL_MOST];
    dvc_friction p;
    dvc_lcp_report report;
    int i;
    test_seed(39);
    for (i = 0; i < 20; i++) {
        kernel_random(&kernel_it, 4, 16, 4, 1, .4);
        kernel_solve(&kernel_it, r);
        if (kernel_judge(&kernel_it, r) > 5e-13) continue; /* told to go on if it can */
        memcpy(again, r, sizeof r);
        p = kernel_view(&kernel_it);
        report = dvc_friction_solve(&p, NULL, again, kernel_scratch, sizeof kernel_scratch);
        CHECK(report.status == DVC_OK && report.iterations == 0);
        CHECK(memcmp(r, again, sizeof r) == 0);
    }
}

static dvc_status kernel_status(void)
{
    double r[3 * 4] = { 0 };
    dvc_friction p = kernel_view(&kernel_it);
    dvc_status status = dvc_friction_solve(&p, NULL, r, kernel_scratch, sizeof kernel_scratch).status;
    CHECK((dvc_friction_scratch_size(&p) == 0) == (status == DVC_ERROR_FRICTION_INPUT));
    CHECK((dvc_friction_residual(&p, NULL, r) >= DVC_INFINITY) == (status == DVC_ERROR_FRICTION_INPUT));
    kernel_random(&kernel_it, 3, 4, 2, 1, .5);
    return status;
}

static void problems_that_are_not_sound_are_refused(void)
{
    double r[12] = { 0 };
    dvc_friction p;
    dvc_lcp_options options = { 0 };
    test_seed(40);
    kernel_random(&kernel_it, 3, 4, 2, 1, .5);
    CHECK(kernel_status() == DVC_OK);
    kernel_it.mu[2] = -1;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.mu[2] = NAN;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.q[5] = HUGE_VAL;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.blocks[7] = NAN;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.column[0] = 4;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.column[0] = -1;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.column[1] = kernel_it.column[0];
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.row_start[0] = 1;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.row_start[1] = kernel_it.row_start[2] + 1;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    kernel_it.contacts = -1;
    CHECK(kernel_status() == DVC_ERROR_FRICTION_INPUT);
    p = kernel_view(&kernel_it);
    CHECK(dvc_friction_solve(NULL, NULL, r, kernel_scratch, sizeof kernel_scratch).status == DVC_ERROR_FRICTION_INPUT);
    CHECK(dvc_friction_solve(&p, NULL, NULL, kernel_scratch, sizeof kernel_scratch).status == DVC_ERROR_FRICTION_INPUT);
    options.tolerance = -1;
    CHECK(dvc_friction_solve(&p, &options, r, kernel_scratch, sizeof kernel_scratch).status == DVC_ERROR_FRICTION_INPUT);
    p.column = NULL;
    CHECK(dvc_friction_solve(&p, NULL, r, kernel_scratch, sizeof kernel_scratch).status == DVC_ERROR_FRICTION_INPUT);
}

/* The size asked for is enough, wherever the block begins; too little is told, and nothing beyond is touched. */
static void scratch_is_kept_to(void)
{
    static double r[3 * KERNEL_MOST];
    size_t size, k;
    int i;
    test_seed(41);
    for (i = 0; i < 20; i++) {
        dvc_friction p;
        dvc_lcp_report report;
        kernel_random(&kernel_it, 1 + i % 6, 1 + 2 * i, 1 + i % 5, 1, .5);
        p = kernel_view(&kernel_it);
        size = dvc_friction_scratch_size(&p);
        memset(kernel_scratch, 77, sizeof kernel_scratch);
        memset(r, 0, sizeof r);
        report = dvc_friction_solve(&p, NULL, r, kernel_scratch + i % 16, size);
        CHECK(report.status == DVC_OK);
        for (k = size + (size_t)(i % 16); k < size + 4096; k++) CHECK(kernel_scratch[k] == 77);
        CHECK(dvc_friction_solve(&p, NULL, r, kernel_scratch, 64).status == DVC_ERROR_SCRATCH);
        CHECK(dvc_friction_solve(&p, NULL, r, NULL, 0).status == DVC_ERROR_SCRATCH);
    }
}

/* A budget in factors is kept, and what is found within it is told. */
static void a_budget_of_factors_is_kept(void)
{
    static double r[3 * KERNEL_MOST];
    dvc_lcp_options options = { 0 };
    int i;
    test_seed(42);
    for (i = 0; i < 20; i++) {
        dvc_friction p;
        dvc_lcp_report report;
        kernel_random(&kernel_it, 6, 30, 5, 1e3, .5);
        p = kernel_view(&kernel_it);
        options.max_iterations = 1 + i % 4;
        memset(r, 0, sizeof r);
        report = dvc_friction_solve(&p, &options, r, kernel_scratch, sizeof kernel_scratch);
        CHECK(report.iterations <= options.max_iterations);
        CHECK(report.status == DVC_OK || report.status == DVC_ERROR_LCP_LIMIT);
        CHECK_NEAR(report.residual, kernel_judge(&kernel_it, r), 1e-12);
        CHECK((report.status == DVC_OK) == (report.residual <= 1e-9));
    }
}

static void suite_kernel(void)
{
    test_state.suite = "kernel";
    RUN(one_contact_parts_sticks_or_slips_as_the_closed_form_says);
    RUN(a_contact_whose_slip_lifts_it_is_solved);
    RUN(few_contacts_are_solved_as_enumeration_solves_them);
    RUN(contacts_that_depend_on_each_other_are_solved);
    RUN(heavy_bodies_and_light_ones_are_solved);
    RUN(friction_from_none_to_large_is_solved);
    RUN(what_nothing_moves_and_no_contacts_are_solved);
    RUN(the_residual_is_the_natural_map);
    RUN(over_bodies_the_kernel_solves_what_blocks_pose);
    RUN(torsion_and_rolling_are_lanes_of_their_own);
    RUN(rows_of_links_hold_within_bounds_and_by_compliance);
    RUN(powers_of_two_change_no_bit_of_impulses);
    RUN(what_is_solved_is_left_as_it_is);
    RUN(problems_that_are_not_sound_are_refused);
    RUN(scratch_is_kept_to);
    RUN(a_budget_of_factors_is_kept);
}
