/* The private mathematics: sine, cosine and angle against the long double functions of libm, in units of the last place;
 * vectors, matrices and quaternions against their definitions written out in loops; the exponential of rotations and its
 * Jacobian against closed forms and finite differences. */
#include <float.h>
#include <stdlib.h>

#define MATH_PI 3.14159265358979323846
#define MATH_SAMPLES 20000

/* ---- helpers ---- */

/* The spacing of doubles at x. */
static double math_ulp(double x)
{
    int exponent;
    frexp(x, &exponent);
    return fmax(ldexp(1, exponent - 53), 4.9406564584124654e-324);
}

/* How many units in the last place of the truth. */
static double math_off(double got, long double truth) { return fabs((double)((got - truth) / math_ulp((double)truth))); }

/* A number of either sign whose logarithm is uniform between those of low and high. */
static double math_spread(double low, double high)
{
    double x = exp(test_random(log(low), log(high)));
    return test_random_bits() & 1 ? x : -x;
}

static dvc_vec3 math_vec(double size)
{
    dvc_vec3 v;
    v.x = test_random(-size, size);
    v.y = test_random(-size, size);
    v.z = test_random(-size, size);
    return v;
}

static double math_dot(dvc_vec3 a, dvc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double math_length(dvc_vec3 a) { return sqrt(math_dot(a, a)); }

static double math_apart(dvc_vec3 a, dvc_vec3 b)
{
    return fmax(fabs(a.x - b.x), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

/* A direction that is uniform on the sphere. */
static dvc_vec3 math_direction(void)
{
    dvc_vec3 v;
    double length;
    do {
        v = math_vec(1);
        length = math_length(v);
    } while (length > 1 || length < 0.1);
    v.x /= length;
    v.y /= length;
    v.z /= length;
    return v;
}

static dvc_vec3 math_times(dvc_vec3 a, double s)
{
    a.x *= s;
    a.y *= s;
    a.z *= s;
    return a;
}

static double math_quat_apart(dvc_quat a, dvc_quat b)
{
    return fmax(fmax(fabs(a.w - b.w), fabs(a.x - b.x)), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

static double math_quat_norm(dvc_quat q) { return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

static dvc_quat math_quat(void)
{
    dvc_quat q;
    double norm;
    do {
        q.w = test_random(-1, 1);
        q.x = test_random(-1, 1);
        q.y = test_random(-1, 1);
        q.z = test_random(-1, 1);
        norm = math_quat_norm(q);
    } while (norm > 1 || norm < 0.1);
    q.w /= norm;
    q.x /= norm;
    q.y /= norm;
    q.z /= norm;
    return q;
}

/* The turn by |r| about r, by libm. */
static dvc_quat math_exp(dvc_vec3 r)
{
    double angle = math_length(r), scale = angle > 0 ? sin(angle / 2) / angle : 0.5;
    dvc_quat q;
    q.w = cos(angle / 2);
    q.x = r.x * scale;
    q.y = r.y * scale;
    q.z = r.z * scale;
    return q;
}

typedef struct math_table { double a[3][3]; } math_table;

static math_table math_from(dvci_mat3 m)
{
    math_table t;
    const dvc_vec3 row[3] = { m.x, m.y, m.z };
    int i;
    for (i = 0; i < 3; i++) {
        t.a[i][0] = row[i].x;
        t.a[i][1] = row[i].y;
        t.a[i][2] = row[i].z;
    }
    return t;
}

static dvci_mat3 math_mat(double size)
{
    dvci_mat3 m;
    m.x = math_vec(size);
    m.y = math_vec(size);
    m.z = math_vec(size);
    return m;
}

static double math_table_apart(math_table s, math_table t)
{
    double worst = 0;
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++) worst = fmax(worst, fabs(s.a[i][k] - t.a[i][k]));
    return worst;
}

static math_table math_product(math_table s, math_table t)
{
    math_table p;
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (p.a[i][j] = 0, k = 0; k < 3; k++) p.a[i][j] += s.a[i][k] * t.a[k][j];
    return p;
}

static dvc_vec3 math_apply(math_table t, dvc_vec3 v)
{
    dvc_vec3 p;
    p.x = t.a[0][0] * v.x + t.a[0][1] * v.y + t.a[0][2] * v.z;
    p.y = t.a[1][0] * v.x + t.a[1][1] * v.y + t.a[1][2] * v.z;
    p.z = t.a[2][0] * v.x + t.a[2][1] * v.y + t.a[2][2] * v.z;
    return p;
}

/* Rodrigues: cos a + (1 - cos a) n n' + sin a [n]x */
static math_table math_rodrigues(dvc_vec3 n, double angle)
{
    math_table t;
    double c = cos(angle), s = sin(angle), v[3];
    int i, k;
    v[0] = n.x;
    v[1] = n.y;
    v[2] = n.z;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++) t.a[i][k] = (1 - c) * v[i] * v[k] + (i == k ? c : 0);
    for (i = 0; i < 3; i++) {
        t.a[(i + 1) % 3][i] += s * v[(i + 2) % 3];
        t.a[i][(i + 1) % 3] -= s * v[(i + 2) % 3];
    }
    return t;
}

/* ---- sine, cosine, angle ---- */

static void math_sine_case(double x, double ulps)
{
    double s, c;
    dvci_sin_cos(x, &s, &c);
    CHECK(math_off(s, sinl((long double)x)) <= ulps);
    CHECK(math_off(c, cosl((long double)x)) <= ulps);
}

static void sine_and_cosine_are_good_to_two_units_over_a_turn(void)
{
    int i;
    test_seed(1);
    for (i = 0; i < MATH_SAMPLES; i++) math_sine_case(test_random(-7, 7), 2);
}

static void sine_and_cosine_are_good_to_two_units_for_all_angles_of_a_step(void)
{
    int i;
    test_seed(2);
    for (i = 0; i < MATH_SAMPLES; i++) math_sine_case(math_spread(1e-3, 1e5), 2);
}

/* There one of the two is tiny: the reduction must be right to many more digits than the angle has. */
static void sine_and_cosine_are_good_next_to_multiples_of_a_right_angle(void)
{
    int i;
    test_seed(3);
    for (i = 0; i < 60000; i += 1 + i / 50) {
        double x = i * (MATH_PI / 2);
        math_sine_case(x, 2);
        math_sine_case(nextafter(x, 1e9), 2);
        math_sine_case(-nextafter(x, -1e9), 2);
        math_sine_case(x + math_spread(1e-12, 1e-3), 2);
    }
}

static void sine_and_cosine_of_tiny_angles_keep_all_digits(void)
{
    double x, s, c;
    for (x = 1e-8; x > 0; x /= 7) {
        dvci_sin_cos(x, &s, &c);
        CHECK(fabs(s - x) <= x * x * x && c == 1 - x * x / 2);
        dvci_sin_cos(-x, &s, &c);
        CHECK(fabs(s + x) <= x * x * x);
    }
    dvci_sin_cos(0, &s, &c);
    CHECK(s == 0 && c == 1);
}

static void sine_is_odd_and_cosine_even_to_the_bit(void)
{
    int i;
    test_seed(4);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double x = math_spread(1e-6, 1e5), s, c, s_back, c_back;
        dvci_sin_cos(x, &s, &c);
        dvci_sin_cos(-x, &s_back, &c_back);
        CHECK(s == -s_back && c == c_back);
    }
}

/* Beyond the promised range the phase is lost slowly, but never the circle. */
static void sine_and_cosine_of_large_angles_stay_on_the_circle(void)
{
    int i;
    test_seed(5);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double x = math_spread(1e5, 1e15), s, c;
        dvci_sin_cos(x, &s, &c);
        CHECK_NEAR(s * s + c * c, 1, 1e-15);
        CHECK_NEAR(s, sinl((long double)x), 1e-15 + 2e-16 * fabs(x));
    }
}

static void the_angle_of_a_vector_is_good_to_six_units_in_all_quadrants(void)
{
    int i;
    test_seed(6);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double x = test_random(-1, 1), y = test_random(-1, 1);
        CHECK(math_off(dvci_atan2(y, x), atan2l((long double)y, (long double)x)) <= 6);
        x = math_spread(1e-150, 1e150);
        y = x * math_spread(1e-9, 1e9);
        CHECK(math_off(dvci_atan2(y, x), atan2l((long double)y, (long double)x)) <= 6);
        y = math_spread(1e-290, 1e290);
        CHECK(math_off(dvci_atan2(y, x), atan2l((long double)y, (long double)x)) <= 6);
    }
}

static void the_angle_of_a_vector_on_an_axis_is_exact(void)
{
    double size;
    for (size = 1e-300; size < 1e300; size *= 1e50) {
        CHECK(dvci_atan2(0, size) == 0);
        CHECK(dvci_atan2(size, 0) == MATH_PI / 2);
        CHECK(dvci_atan2(0, -size) == MATH_PI);
        CHECK(dvci_atan2(-size, 0) == -MATH_PI / 2);
        CHECK_NEAR(dvci_atan2(size, size), MATH_PI / 4, 4e-16);
        CHECK_NEAR(dvci_atan2(-size, -size), -3 * MATH_PI / 4, 9e-16);
    }
    CHECK(dvci_atan2(0, 0) == 0);
}

/* ---- numbers ---- */

static void the_power_of_two_is_at_or_below_and_scales_exactly(void)
{
    int i;
    test_seed(7);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double x = fabs(math_spread(1e-300, 1e300)), power = dvci_power_of_two(x);
        int exponent;
        CHECK(power <= x && x < 2 * power);
        CHECK(frexp(power, &exponent) == 0.5);
        CHECK(x / power * power == x);
    }
    for (i = -1022; i < 1024; i++) CHECK(dvci_power_of_two(ldexp(1, i)) == ldexp(1, i));
}

static void the_power_of_two_of_nothing_is_one(void)
{
    CHECK(dvci_power_of_two(0) == 1);
    CHECK(dvci_power_of_two((double)NAN) == 1);
    CHECK(dvci_power_of_two((double)INFINITY) == 1);
}

static void finite_numbers_are_told_from_others(void)
{
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    int i;
    CHECK(dvci_finite(0) && dvci_finite(DBL_MAX) && dvci_finite(-DBL_MAX) && dvci_finite(DBL_MIN / 4));
    for (i = 0; i < 3; i++) {
        CHECK(!dvci_finite(bad[i]));
        CHECK(!dvci_finite_vec(dvci_vec(bad[i], 0, 1)));
        CHECK(!dvci_finite_vec(dvci_vec(0, bad[i], 1)));
        CHECK(!dvci_finite_vec(dvci_vec(0, 1, bad[i])));
        CHECK(!dvci_finite_quat(dvci_quat(bad[i], dvci_vec(0, 0, 1))));
        CHECK(!dvci_finite_quat(dvci_quat(1, dvci_vec(0, 0, bad[i]))));
    }
    CHECK(!dvci_finite_vec(dvci_vec(bad[1], bad[2], 0))); /* opposite infinities */
    CHECK(dvci_finite_vec(dvci_vec(-1e300, 0, 1)));
}

static void square_roots_are_correctly_rounded(void)
{
    int i;
    test_seed(8);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double x = fabs(math_spread(1e-300, 1e300));
        CHECK(dvci_sqrt(x) == sqrt(x));
    }
    CHECK(dvci_sqrt(0) == 0 && dvci_sqrt(4) == 2);
}

static void clamping_and_comparing_are_what_they_say(void)
{
    CHECK(dvci_clamp(-1, 0, 2) == 0 && dvci_clamp(1, 0, 2) == 1 && dvci_clamp(3, 0, 2) == 2);
    CHECK(dvci_abs(-3) == 3 && dvci_abs(3) == 3 && dvci_min(1, 2) == 1 && dvci_max(1, 2) == 2);
    CHECK(dvci_imin(-1, 4) == -1 && dvci_imax(-1, 4) == 4);
}

/* Two numbers that must not be touched stand behind each array. */
static void long_sums_and_products_agree_with_loops_at_every_length(void)
{
    double x[23], y[25], z[25], sum;
    int n, i;
    test_seed(9);
    for (n = 0; n <= 23; n++) {
        for (sum = 0, i = 0; i < n; i++) x[i] = test_random(-1, 1);
        for (i = 0; i < n + 2; i++) y[i] = z[i] = i < n ? test_random(-1, 1) : 42;
        for (i = 0; i < n; i++) sum += x[i] * y[i];
        CHECK_NEAR(dvci_dot_n(n, x, y), sum, 1e-14);
        dvci_axpy(n, 0.3, x, y);
        for (i = 0; i < n; i++) CHECK(y[i] == z[i] + 0.3 * x[i]);
        dvci_fill(n, 7, y);
        for (i = 0; i < n; i++) CHECK(y[i] == 7);
        CHECK(y[n] == 42 && y[n + 1] == 42);
    }
}

/* ---- vectors ---- */

static void vectors_add_scale_and_multiply_as_defined(void)
{
    int i;
    test_seed(10);
    for (i = 0; i < 1000; i++) {
        dvc_vec3 a = math_vec(9), b = math_vec(9), c = dvci_cross(a, b), m = dvci_madd(a, b, 3);
        CHECK(math_apart(m, dvci_add(a, dvci_scale(b, 3))) <= 1e-14);
        CHECK(math_apart(dvci_sub(a, b), dvci_add(a, dvci_neg(b))) == 0);
        CHECK_NEAR(dvci_dot(a, b), math_dot(a, b), 1e-14);
        CHECK_NEAR(math_dot(c, c), math_dot(a, a) * math_dot(b, b) - math_dot(a, b) * math_dot(a, b), 1e-9);
        CHECK(fabs(math_dot(c, a)) <= 1e-12 && fabs(math_dot(c, b)) <= 1e-12);
        CHECK_NEAR(dvci_norm(a), math_length(a), 1e-14);
    }
    CHECK(math_apart(dvci_cross(v3(1, 0, 0), v3(0, 1, 0)), v3(0, 0, 1)) == 0);
}

static void unit_vectors_have_length_one_at_every_size(void)
{
    int i;
    test_seed(11);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double size = fabs(math_spread(1e-307, 1e307));
        dvc_vec3 n = math_direction(), u = dvci_unit(math_times(n, size));
        CHECK_NEAR(math_length(u), 1, 5e-16);
        CHECK(math_apart(u, n) <= 5e-16);
    }
}

static void unit_vectors_of_lopsided_ones_have_length_one(void)
{
    double small;
    for (small = 1; small > 1e-300; small /= 1e20) {
        dvc_vec3 u = dvci_unit(v3(1e300, small, -small));
        CHECK(u.x == 1 || small == 1);
        CHECK_NEAR(math_length(u), 1, 4e-16);
        u = dvci_unit(v3(0, -small, 0));
        CHECK(u.x == 0 && fabs(u.y + 1) <= 2e-16 && u.z == 0);
    }
}

/* Denormal numbers: too short to have a direction, or not, but never something that is not a number. */
static void unit_vectors_of_the_tiniest_are_unit_or_zero(void)
{
    double size;
    for (size = 1e-306; size > 0; size /= 3) {
        dvc_vec3 u = dvci_unit(v3(size, -size, 0));
        double length = math_length(u);
        CHECK(length == 0 || fabs(length - 1) <= 1e-15);
    }
}

static void what_has_no_direction_has_no_unit_vector(void)
{
    const double bad[] = { 0, (double)INFINITY, -(double)INFINITY };
    int i;
    for (i = 0; i < 3; i++) {
        dvc_vec3 u = dvci_unit(v3(bad[i], bad[i], bad[i]));
        CHECK(u.x == 0 && u.y == 0 && u.z == 0);
    }
}

static void tangents_complete_a_normal_to_a_right_handed_frame(void)
{
    int i;
    test_seed(12);
    for (i = 0; i < MATH_SAMPLES; i++) {
        dvc_vec3 n = math_direction(), t1, t2;
        if (i < 6) n = v3(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, i == 4 ? 1 : i == 5 ? -1 : 0);
        dvci_tangents(n, &t1, &t2);
        CHECK(fabs(math_dot(t1, n)) <= 1e-15 && fabs(math_dot(t2, n)) <= 1e-15 && fabs(math_dot(t1, t2)) <= 1e-15);
        CHECK_NEAR(math_length(t1), 1, 5e-16);
        CHECK_NEAR(math_length(t2), 1, 5e-16);
        CHECK(math_apart(dvci_cross(t1, t2), n) <= 1e-15);
    }
}

static void the_first_tangent_is_the_x_axis_laid_into_the_plane(void)
{
    int i;
    test_seed(13);
    for (i = 0; i < 1000; i++) {
        dvc_vec3 n = math_direction(), t1, t2, axis = fabs(n.x) > 0.9 ? v3(0, 1, 0) : v3(1, 0, 0), laid;
        laid = math_times(n, -math_dot(axis, n));
        laid = v3(axis.x + laid.x, axis.y + laid.y, axis.z + laid.z);
        dvci_tangents(n, &t1, &t2);
        CHECK(math_apart(t1, math_times(laid, 1 / math_length(laid))) <= 1e-15);
    }
}

static void planar_worlds_lose_their_z(void)
{
    dvc_vec3 v = v3(1, 2, 3);
    CHECK(dvci_flat(v, true).z == 0 && dvci_flat(v, true).x == 1 && dvci_flat(v, true).y == 2);
    CHECK(dvci_flat(v, false).z == 3);
}

/* ---- matrices ---- */

static void matrix_products_agree_with_loops(void)
{
    int i;
    test_seed(14);
    for (i = 0; i < 1000; i++) {
        dvci_mat3 a = math_mat(3), b = math_mat(3);
        dvc_vec3 v = math_vec(3);
        CHECK(math_table_apart(math_from(dvci_matmul(a, b)), math_product(math_from(a), math_from(b))) <= 1e-14);
        CHECK(math_apart(dvci_mul(a, v), math_apply(math_from(a), v)) <= 1e-14);
        CHECK(math_apart(dvci_tmul(a, v), math_apply(math_from(dvci_transpose(a)), v)) <= 1e-14);
        CHECK(math_from(dvci_transpose(a)).a[0][2] == math_from(a).a[2][0]);
        CHECK(math_from(dvci_transpose(a)).a[1][2] == math_from(a).a[2][1]);
        CHECK(math_from(dvci_transpose(a)).a[1][0] == math_from(a).a[0][1]);
        CHECK_NEAR(math_from(dvci_matmadd(a, b, 2)).a[1][2], math_from(a).a[1][2] + 2 * math_from(b).a[1][2], 1e-14);
    }
}

static void the_skew_matrix_is_the_cross_product(void)
{
    int i;
    test_seed(15);
    for (i = 0; i < 1000; i++) {
        dvc_vec3 a = math_vec(3), v = math_vec(3);
        CHECK(math_apart(math_apply(math_from(dvci_skew(a)), v), dvci_cross(a, v)) <= 1e-14);
    }
}

static void three_equations_are_solved(void)
{
    int i;
    test_seed(16);
    for (i = 0; i < 5000; i++) {
        double size = fabs(math_spread(1e-30, 1e30));
        dvci_mat3 m = math_mat(1);
        dvc_vec3 x = math_vec(1), found;
        m.x.x += 3; /* well conditioned */
        m.y.y -= 3;
        m.z.z += 3;
        m.x = math_times(m.x, size);
        m.y = math_times(m.y, size);
        m.z = math_times(m.z, size);
        found = dvci_solve3(m, math_apply(math_from(m), x));
        CHECK(math_apart(found, x) <= 1e-14);
    }
}

static void three_equations_in_another_order_are_solved(void)
{
    dvci_mat3 m;
    dvc_vec3 x;
    m.x = v3(0, 2, 0); /* no diagonal at all */
    m.y = v3(0, 0, 4);
    m.z = v3(8, 0, 0);
    x = dvci_solve3(m, v3(2, 8, 24));
    CHECK(x.x == 3 && x.y == 1 && x.z == 2);
}

/* ---- quaternions ---- */

static void quaternion_products_chain_turns(void)
{
    int i;
    test_seed(17);
    for (i = 0; i < 2000; i++) {
        dvc_quat a = math_quat(), b = math_quat(), c = math_quat();
        dvc_vec3 v = math_vec(1);
        CHECK(math_quat_apart(dvci_quat_mul(dvci_quat_mul(a, b), c), dvci_quat_mul(a, dvci_quat_mul(b, c))) <= 1e-15);
        CHECK(math_apart(dvci_rotate(dvci_quat_mul(a, b), v), dvci_rotate(a, dvci_rotate(b, v))) <= 2e-15);
        CHECK(math_apart(dvci_rotate(dvci_quat_conj(a), dvci_rotate(a, v)), v) <= 2e-15);
        CHECK(math_quat_apart(dvci_quat_mul(a, dvci_quat_conj(a)), dvci_quat(1, v3(0, 0, 0))) <= 5e-16);
    }
}

static void quaternions_turn_like_rodrigues_matrices(void)
{
    int i;
    test_seed(18);
    for (i = 0; i < 2000; i++) {
        dvc_vec3 n = math_direction(), v = math_vec(1);
        double angle = test_random(-7, 7);
        dvc_quat q = math_exp(math_times(n, angle));
        math_table truth = math_rodrigues(n, angle);
        CHECK(math_apart(dvci_rotate(q, v), math_apply(truth, v)) <= 4e-15);
        CHECK(math_table_apart(math_from(dvci_quat_matrix(q)), truth) <= 4e-15);
    }
}

static void hamiltons_rules_hold(void)
{
    dvc_quat i = dvci_quat(0, v3(1, 0, 0)), j = dvci_quat(0, v3(0, 1, 0)), k = dvci_quat(0, v3(0, 0, 1));
    CHECK(math_quat_apart(dvci_quat_mul(i, j), k) == 0);
    CHECK(math_quat_apart(dvci_quat_mul(j, k), i) == 0);
    CHECK(math_quat_apart(dvci_quat_mul(k, i), j) == 0);
    CHECK(math_quat_apart(dvci_quat_mul(i, i), dvci_quat(-1, v3(0, 0, 0))) == 0);
}

static void quaternions_are_brought_to_unit_length(void)
{
    int i;
    test_seed(19);
    for (i = 0; i < 5000; i++) {
        double size = fabs(math_spread(1e-140, 1e140));
        dvc_quat q = math_quat(), u = dvci_quat_unit(dvci_quat(q.w * size, math_times(dvci_quat_vec(q), size)));
        CHECK_NEAR(math_quat_norm(u), 1, 4e-16);
        CHECK(math_quat_apart(u, q) <= 5e-16);
    }
    CHECK(math_quat_apart(dvci_quat_unit(dvci_quat(0, v3(0, 0, 0))), dvci_quat(1, v3(0, 0, 0))) == 0);
}

/* Whatever is not all zero is a direction in four dimensions. */
static void quaternions_of_any_size_keep_their_turn(void)
{
    double size;
    for (size = 1e-300; size < 1e301; size *= 1e20) {
        dvc_quat u = dvci_quat_unit(dvci_quat(size, v3(0, 0, size)));
        CHECK_NEAR(u.w, sqrt(0.5), 4e-16);
        CHECK_NEAR(u.z, sqrt(0.5), 4e-16);
    }
}

static void quaternions_of_unit_length_are_left_as_they_are(void)
{
    int i, kept = 0;
    test_seed(20);
    for (i = 0; i < 2000; i++) {
        dvc_quat q = math_quat(), u = dvci_quat_unit(q);
        if (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z != 1) continue;
        CHECK(memcmp(&q, &u, sizeof q) == 0);
        kept++;
    }
    CHECK(kept > 100);
}

static void the_exponential_agrees_with_libm(void)
{
    int i;
    test_seed(21);
    for (i = 0; i < MATH_SAMPLES; i++) {
        dvc_vec3 r = math_times(math_direction(), math_spread(1e-12, 1e4));
        dvc_quat q = dvci_quat_exp(r);
        CHECK(math_quat_apart(q, math_exp(r)) <= 5e-16 + 3e-16 * math_length(r));
        CHECK_NEAR(math_quat_norm(q), 1, 1e-15);
    }
}

static void the_exponential_of_tiny_vectors_is_half_of_them(void)
{
    double size;
    for (size = 1e-9; size > 1e-140; size /= 1e3) {
        dvc_quat q = dvci_quat_exp(v3(size, -2 * size, 3 * size));
        CHECK(q.w == 1);
        CHECK_NEAR(q.x / size, 0.5, 1e-15);
        CHECK_NEAR(q.y / size, -1, 2e-15);
        CHECK_NEAR(q.z / size, 1.5, 2e-15);
    }
    CHECK(math_quat_apart(dvci_quat_exp(v3(0, 0, 0)), dvci_quat(1, v3(0, 0, 0))) == 0);
}

static void the_logarithm_undoes_the_exponential(void)
{
    int i;
    test_seed(22);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double angle = i % 2 ? test_random(0, MATH_PI - 1e-9) : fabs(math_spread(1e-15, 3));
        dvc_vec3 r = math_times(math_direction(), angle);
        CHECK(math_apart(dvci_quat_log(dvci_quat_exp(r)), r) <= 2e-15 * angle);
    }
}

/* q and -q are the same turn. */
static void the_logarithm_takes_the_shorter_way(void)
{
    int i;
    test_seed(23);
    for (i = 0; i < MATH_SAMPLES; i++) {
        dvc_quat q = math_quat();
        dvc_vec3 r = dvci_quat_log(q), back = dvci_quat_log(dvci_quat(-q.w, dvci_neg(dvci_quat_vec(q))));
        CHECK(math_length(r) <= MATH_PI + 1e-15);
        CHECK(math_apart(r, back) <= 2e-15);
        CHECK(math_apart(math_apply(math_from(dvci_quat_matrix(math_exp(r))), v3(1, 2, 3)), dvci_rotate(q, v3(1, 2, 3))) <= 2e-14);
    }
    CHECK_NEAR(math_length(dvci_quat_log(dvci_quat(0, v3(0.6, 0, 0.8)))), MATH_PI, 1e-15);
    CHECK(math_length(dvci_quat_log(dvci_quat(1, v3(0, 0, 0)))) == 0);
    CHECK(math_length(dvci_quat_log(dvci_quat(-1, v3(0, 0, 0)))) == 0);
}

/* exp(r + d) exp(r - d)^-1 = exp(2 J d), to third order in d. */
static void the_jacobian_agrees_with_finite_differences(void)
{
    const double d = 1e-5;
    int i;
    test_seed(24);
    for (i = 0; i < 2000; i++) {
        dvc_vec3 r = math_times(math_direction(), math_spread(1e-6, 6)), way = math_direction(), step = math_times(way, d), moved;
        dvc_quat ahead = math_exp(dvci_add(r, step)), behind = math_exp(dvci_sub(r, step));
        dvc_quat turn = dvci_quat_mul(ahead, dvci_quat_conj(behind));
        double sign = turn.w < 0 ? -1 : 1;
        moved = math_times(v3(turn.x, turn.y, turn.z), sign * 2 / (2 * d)); /* for so small a turn r = 2 (x, y, z) */
        CHECK(math_apart(math_apply(math_from(dvci_exp_jacobian(r)), way), moved) <= 1e-9);
    }
}

/* About the axis itself the Jacobian is 1; across it is a turn by half of the angle, shortened to sinc of the half. */
static void the_jacobian_agrees_with_its_closed_form(void)
{
    int i;
    test_seed(25);
    for (i = 0; i < MATH_SAMPLES; i++) {
        double angle = fabs(math_spread(1e-8, 6)), half = angle / 2;
        dvc_vec3 n = math_direction(), t1, t2, got, truth;
        dvci_mat3 j = dvci_exp_jacobian(math_times(n, angle));
        dvci_tangents(n, &t1, &t2);
        CHECK(math_apart(dvci_mul(j, n), n) <= 2e-15);
        got = dvci_mul(j, t1);
        truth = math_times(dvci_madd(math_times(t1, cos(half)), t2, sin(half)), sin(half) / half);
        CHECK(math_apart(got, truth) <= 1e-12);
    }
}

static void the_jacobian_does_not_jump_where_its_series_ends(void)
{
    dvci_mat3 below = dvci_exp_jacobian(v3(0, 0, 0.00099999999)), above = dvci_exp_jacobian(v3(0, 0, 0.00100000001));
    CHECK(math_table_apart(math_from(below), math_from(above)) <= 2.1e-11);
    CHECK(math_table_apart(math_from(dvci_exp_jacobian(v3(0, 0, 0))), math_from(dvci_diagonal(1, 1, 1))) == 0);
}

static void suite_math(void)
{
    test_state.suite = "math";
    RUN(sine_and_cosine_are_good_to_two_units_over_a_turn);
    RUN(sine_and_cosine_are_good_to_two_units_for_all_angles_of_a_step);
    RUN(sine_and_cosine_are_good_next_to_multiples_of_a_right_angle);
    RUN(sine_and_cosine_of_tiny_angles_keep_all_digits);
    RUN(sine_is_odd_and_cosine_even_to_the_bit);
    RUN(sine_and_cosine_of_large_angles_stay_on_the_circle);
    RUN(the_angle_of_a_vector_is_good_to_six_units_in_all_quadrants);
    RUN(the_angle_of_a_vector_on_an_axis_is_exact);
    RUN(the_power_of_two_is_at_or_below_and_scales_exactly);
    RUN(the_power_of_two_of_nothing_is_one);
    RUN(finite_numbers_are_told_from_others);
    RUN(square_roots_are_correctly_rounded);
    RUN(clamping_and_comparing_are_what_they_say);
    RUN(long_sums_and_products_agree_with_loops_at_every_length);
    RUN(vectors_add_scale_and_multiply_as_defined);
    RUN(unit_vectors_have_length_one_at_every_size);
    RUN(unit_vectors_of_lopsided_ones_have_length_one);
    RUN(unit_vectors_of_the_tiniest_are_unit_or_zero);
    RUN(what_has_no_direction_has_no_unit_vector);
    RUN(tangents_complete_a_normal_to_a_right_handed_frame);
    RUN(the_first_tangent_is_the_x_axis_laid_into_the_plane);
    RUN(planar_worlds_lose_their_z);
    RUN(matrix_products_agree_with_loops);
    RUN(the_skew_matrix_is_the_cross_product);
    RUN(three_equations_are_solved);
    RUN(three_equations_in_another_order_are_solved);
    RUN(quaternion_products_chain_turns);
    RUN(quaternions_turn_like_rodrigues_matrices);
    RUN(hamiltons_rules_hold);
    RUN(quaternions_are_brought_to_unit_length);
    RUN(quaternions_of_any_size_keep_their_turn);
    RUN(quaternions_of_unit_length_are_left_as_they_are);
    RUN(the_exponential_agrees_with_libm);
    RUN(the_exponential_of_tiny_vectors_is_half_of_them);
    RUN(the_logarithm_undoes_the_exponential);
    RUN(the_logarithm_takes_the_shorter_way);
    RUN(the_jacobian_agrees_with_finite_differences);
    RUN(the_jacobian_agrees_with_its_closed_form);
    RUN(the_jacobian_does_not_jump_where_its_series_ends);
}
