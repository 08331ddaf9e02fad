/* Solids and mesh files. The solids are judged by what defines them (equal edges, Euler's formula, corners on one sphere) and
 * by point masses that integrate exactly: a tetrahedron is four twentieths at its corners and four fifths at its centre. The
 * readers are judged by texts whose mesh is known, by round trips, by texts that are wrong in a known line, and by fuzz on
 * blocks of exactly the text's size; the numbers by strtod.
 *
 * Included by the main file of the tests after scene.h. */
#include <stdlib.h>

enum { MESH_VERTICES = 512, MESH_TRIANGLES = 1024, MESH_TEXT = 1 << 15 };

typedef dvc_status (*mesh_reader)(const char *text, size_t size, dvc_mesh *mesh);

/* The mesh of the moment, with its arrays. */
static dvc_vec3 mesh_vertices[MESH_VERTICES];
static int mesh_triangles[MESH_TRIANGLES][3];
static dvc_mesh mesh_now;
static dvc_mesh_report mesh_found;

static void mesh_clear(void)
{
    memset(&mesh_now, 0, sizeof mesh_now);
    mesh_now.vertices = mesh_vertices;
    mesh_now.vertex_capacity = MESH_VERTICES;
    mesh_now.triangles = mesh_triangles;
    mesh_now.triangle_capacity = MESH_TRIANGLES;
}

/* From a block of exactly this size, so that a sanitizer sees a byte read too far. */
static dvc_status mesh_read_bytes(mesh_reader reader, const char *text, size_t size)
{
    char *block = (char *)scene_memory(1, size);
    dvc_status status;
    memcpy(block, text, size);
    mesh_clear();
    status = reader(block, size, &mesh_now);
    free(block);
    return status;
}

static dvc_status mesh_poly(const char *text) { return mesh_read_bytes(dvc_mesh_read_poly, text, strlen(text)); }
static dvc_status mesh_obj(const char *text) { return mesh_read_bytes(dvc_mesh_read_obj, text, strlen(text)); }

static dvc_status mesh_check_now(void)
{
    size_t size = dvc_mesh_scratch_size(&mesh_now);
    void *scratch = scene_memory(1, size);
    dvc_status status = dvc_mesh_check(&mesh_now, scratch, size, &mesh_found);
    free(scratch);
    return status;
}

static int mesh_has_triangle(int triangle, int a, int b, int c)
{
    const int *t = mesh_triangles[triangle];
    return triangle < mesh_now.triangle_count && t[0] == a && t[1] == b && t[2] == c;
}

static void mesh_vertex(double x, double y, double z) { mesh_vertices[mesh_now.vertex_count++] = v3(x, y, z); }

static void mesh_triangle(int a, int b, int c)
{
    int *t = mesh_triangles[mesh_now.triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* ---- hulls ---- */

static unsigned char *mesh_storage;
static dvc_polytope mesh_hull;

static dvc_status mesh_build(const dvc_vec3 *points, int count)
{
    free(mesh_storage);
    mesh_storage = (unsigned char *)scene_memory(1, dvc_polytope_size(count));
    return dvc_polytope_build(points, count, mesh_storage, dvc_polytope_size(count), &mesh_hull);
}

/* The hull's surface as the mesh of the moment. */
static void mesh_from_hull(void)
{
    int f, k;
    mesh_clear();
    for (k = 0; k < mesh_hull.vertex_count; k++) mesh_vertices[mesh_now.vertex_count++] = mesh_hull.vertices[k];
    for (f = 0; f < mesh_hull.face_count; f++) {
        const int *loop = mesh_hull.loops + mesh_hull.faces[f].first;
        for (k = 1; k + 1 < mesh_hull.faces[f].count; k++) mesh_triangle(loop[0], loop[k], loop[k + 1]);
    }
}

static void mesh_random_hull(int count)
{
    dvc_vec3 points[64];
    int i;
    for (i = 0; i < count; i++) points[i] = test_vec(test_random(-1, 1), test_random(-2, 2), test_random(-1, 3));
    CHECK(mesh_build(points, count) == DVC_OK);
    mesh_from_hull();
}

/* ---- point masses ---- */

typedef struct mesh_sum {
    long double volume, first[3], second[3][3];
} mesh_sum;

static void mesh_add_point(mesh_sum *sum, long double share, const long double *p)
{
    int i, k;
    for (i = 0; i < 3; i++) {
        sum->first[i] += share * p[i];
        for (k = 0; k < 3; k++) sum->second[i][k] += share * p[i] * p[k];
    }
}

static long double mesh_determinant(long double c[5][3])
{
    long double d[3][3];
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++) d[i][k] = c[i + 1][k] - c[0][k];
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0])
           + d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

/* Tetrahedra from any apex to all triangles. */
static mesh_sum mesh_sum_from(dvc_vec3 apex)
{
    mesh_sum sum;
    long double c[5][3], volume;
    int t, i, k;
    memset(&sum, 0, sizeof sum);
    for (t = 0; t < mesh_now.triangle_count; t++) {
        for (i = 0; i < 4; i++) {
            dvc_vec3 p = i == 0 ? apex : mesh_vertices[mesh_triangles[t][i - 1]];
            c[i][0] = p.x;
            c[i][1] = p.y;
            c[i][2] = p.z;
        }
        for (k = 0; k < 3; k++) c[4][k] = (c[0][k] + c[1][k] + c[2][k] + c[3][k]) / 4;
        volume = mesh_determinant(c) / 6;
        sum.volume += volume;
        for (i = 0; i < 5; i++) mesh_add_point(&sum, i < 4 ? volume / 20 : volume * 4 / 5, c[i]);
    }
    return sum;
}

/* The entry of the inertia about the centre of mass. */
static double mesh_sum_inertia(const mesh_sum *sum, int i, int k)
{
    long double trace = 0, part = sum->second[i][k] - sum->first[i] * sum->first[k] / sum->volume;
    int j;
    for (j = 0; j < 3; j++) trace += sum->second[j][j] - sum->first[j] * sum->first[j] / sum->volume;
    return (double)((i == k ? trace : 0) - part);
}

static double mesh_part(dvc_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* dvc_mesh_mass of the mesh of the moment against point masses; `scale` is the mesh's size. */
static void mesh_check_mass(double scale, double tolerance)
{
    dvc_vec3 near = mesh_vertices[0];
    mesh_sum sum = mesh_sum_from(test_vec(near.x + test_random(-1, 1), near.y + test_random(-1, 1), near.z + test_random(-1, 1)));
    dvc_mass mass;
    int i, k;
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_OK);
    CHECK_NEAR(mass.volume, sum.volume, tolerance * pow(scale, 3));
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(mesh_part(mass.centre, i), sum.first[i] / sum.volume, tolerance * scale);
        for (k = 0; k < 3; k++)
            CHECK_NEAR(mesh_part(mass.inertia[i], k), mesh_sum_inertia(&sum, i, k), tolerance * pow(scale, 5));
    }
}

/* ---- solids ---- */

/* The body that the hull makes, against volume and moments for mass 1. */
static void mesh_check_body(double volume, dvc_vec3 moments, double tolerance)
{
    dvc_body body;
    dvc_shape shape;
    memset(&body, 0, sizeof body);
    memset(&shape, 0, sizeof shape);
    shape.kind = DVC_POLYTOPE;
    shape.polytope = &mesh_hull;
    CHECK(dvc_body_mass_from_shapes(&body, &shape, 1, 3) == DVC_OK);
    CHECK_NEAR(body.mass, 3 * volume, 3 * tolerance * volume);
    CHECK_NEAR(body.inertia.x, body.mass * moments.x, 2 * tolerance * body.inertia.x);
    CHECK_NEAR(body.inertia.y, body.mass * moments.y, 2 * tolerance * body.inertia.y);
    CHECK_NEAR(body.inertia.z, body.mass * moments.z, 2 * tolerance * body.inertia.z);
    CHECK(body.position.x == 0 && body.position.y == 0 && body.position.z == 0);
}

/* The mesh of the hull, against the same; sums may lose a rounding per triangle. */
static void mesh_check_solid(double volume, dvc_vec3 moments)
{
    dvc_mass mass;
    double tolerance;
    mesh_from_hull();
    tolerance = (30 + mesh_now.triangle_count) * 2.2e-16;
    CHECK(mesh_hull.vertex_count - mesh_hull.edge_count + mesh_hull.face_count == 2);
    CHECK(mesh_now.triangle_count == 2 * mesh_now.vertex_count - 4);
    CHECK(mesh_check_now() == DVC_OK);
    CHECK(dvc_mesh_is_convex(&mesh_now));
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_OK);
    CHECK_NEAR(mass.volume, volume, tolerance * volume);
    CHECK_NEAR(mesh_found.volume, volume, tolerance * volume);
    CHECK_NEAR(mass.moments.x, volume * moments.x, 2 * tolerance * mass.moments.x);
    CHECK_NEAR(mass.moments.y, volume * moments.y, 2 * tolerance * mass.moments.y);
    CHECK_NEAR(mass.moments.z, volume * moments.z, 2 * tolerance * mass.moments.z);
    mesh_check_body(volume, moments, tolerance);
}

static double mesh_distance(dvc_vec3 a, dvc_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void the_platonic_solids_are_what_they_are(void)
{
    static const struct { dvc_solid solid; int vertices, edges, faces; } known[] = {
        { DVC_TETRAHEDRON, 4, 6, 4 }, { DVC_CUBE, 8, 12, 6 }, { DVC_OCTAHEDRON, 6, 12, 8 },
        { DVC_DODECAHEDRON, 20, 30, 12 }, { DVC_ICOSAHEDRON, 12, 30, 20 }
    };
    dvc_vec3 points[DVC_SOLID_MAX_POINTS];
    int i, k;
    for (i = 0; i < (int)DVC_SOLID_COUNT; i++) {
        double edge = i == 0 ? 1 : test_random(0.1, 9), moment = dvc_solid_moment(known[i].solid, edge);
        CHECK(dvc_solid_points(known[i].solid, edge, NULL) == known[i].vertices);
        CHECK(dvc_solid_points(known[i].solid, edge, points) == known[i].vertices);
        CHECK(mesh_build(points, known[i].vertices) == DVC_OK);
        CHECK(mesh_hull.vertex_count == known[i].vertices);
        CHECK(mesh_hull.edge_count == known[i].edges);
        CHECK(mesh_hull.face_count == known[i].faces);
        for (k = 0; k < mesh_hull.edge_count; k++)
            CHECK_NEAR(mesh_distance(points[mesh_hull.edges[k].tail], points[mesh_hull.edges[k].head]), edge, 1e-15 * edge);
        for (k = 0; k < mesh_hull.vertex_count; k++)
            CHECK_NEAR(mesh_distance(points[k], scene_zero), mesh_distance(points[0], scene_zero), 1e-15 * edge);
        mesh_check_solid(dvc_solid_volume(known[i].solid, edge), v3(moment, moment, moment));
    }
    CHECK(dvc_solid_points(DVC_SOLID_COUNT, 1, points) == 0);
    CHECK(dvc_solid_volume(DVC_SOLID_COUNT, 1) == 0 && dvc_solid_moment(DVC_SOLID_COUNT, 1) == 0);
}

/* Textbook forms, with the roots of the library. */
static void the_platonic_solids_have_the_moments_of_the_books(void)
{
    const double r2 = sqrt(2.), r5 = sqrt(5.);
    CHECK_NEAR(dvc_solid_volume(DVC_TETRAHEDRON, 2), 8 / (6 * r2), 2e-15);
    CHECK_NEAR(dvc_solid_volume(DVC_CUBE, 2), 8, 0);
    CHECK_NEAR(dvc_solid_volume(DVC_OCTAHEDRON, 2), 8 * r2 / 3, 2e-15);
    CHECK_NEAR(dvc_solid_volume(DVC_DODECAHEDRON, 2), 2 * (15 + 7 * r5), 2e-14);
    CHECK_NEAR(dvc_solid_volume(DVC_ICOSAHEDRON, 2), 10 * (3 + r5) / 3, 1e-14);
    CHECK_NEAR(dvc_solid_moment(DVC_TETRAHEDRON, 2), 4 / 20., 1e-16);
    CHECK_NEAR(dvc_solid_moment(DVC_CUBE, 2), 4 / 6., 2e-16);
    CHECK_NEAR(dvc_solid_moment(DVC_OCTAHEDRON, 2), 4 / 10., 1e-16);
    CHECK_NEAR(dvc_solid_moment(DVC_DODECAHEDRON, 2), (95 + 39 * r5) / 75, 2e-15);
    CHECK_NEAR(dvc_solid_moment(DVC_ICOSAHEDRON, 2), (3 + r5) / 5, 1e-15);
}

static void blocks_have_their_moments(void)
{
    dvc_vec3 points[8], half = v3(0.5, 1, 2);
    CHECK(dvc_block_points(half, NULL) == 8);
    CHECK(dvc_block_points(half, points) == 8);
    CHECK(mesh_build(points, 8) == DVC_OK);
    CHECK(mesh_hull.face_count == 6 && mesh_hull.edge_count == 12);
    CHECK_NEAR(dvc_block_moments(half).x, (4 + 16) / 12., 1e-15); /* (y^2 + z^2) / 12 of the whole edges 1, 2, 4 */
    CHECK_NEAR(dvc_block_moments(half).y, (1 + 16) / 12., 1e-15);
    CHECK_NEAR(dvc_block_moments(half).z, (1 + 4) / 12., 1e-15);
    mesh_check_solid(8, dvc_block_moments(half));
}

static void prisms_have_their_moments(void)
{
    static dvc_vec3 points[400];
    static const int all_sides[] = { 3, 4, 5, 7, 12, 90, 200 };
    int i, k;
    for (i = 0; i < (int)(sizeof all_sides / sizeof *all_sides); i++) {
        int sides = all_sides[i];
        double radius = 1.5, height = 0.7, turn = 2 * acos(-1.) / sides;
        CHECK(dvc_cylinder_points(sides, radius, height, NULL) == 2 * sides);
        CHECK(dvc_cylinder_points(sides, radius, height, points) == 2 * sides);
        for (k = 0; k < sides; k++) {
            CHECK_NEAR(points[k].x, radius * cos(turn * k), 2e-15);
            CHECK_NEAR(points[k].y, radius * sin(turn * k), 2e-15);
            CHECK(points[k].z == -0.35 && points[sides + k].z == 0.35);
            CHECK(points[sides + k].x == points[k].x && points[sides + k].y == points[k].y);
            CHECK(points[k].x == points[(sides - k) % sides].x && points[k].y == -points[(sides - k) % sides].y);
        }
        CHECK(mesh_build(points, 2 * sides) == DVC_OK);
        CHECK(mesh_hull.face_count == sides + 2 && mesh_hull.edge_count == 3 * sides);
        mesh_check_solid(dvc_cylinder_volume(sides, radius, height), dvc_cylinder_moments(sides, radius, height));
    }
    CHECK(dvc_cylinder_points(2, 1, 1, points) == 0);
    CHECK(dvc_cylinder_points(DVC_POLYTOPE_MAX_POINTS / 2 + 1, 1, 1, points) == 0);
    CHECK(dvc_cylinder_volume(1, 1, 1) == 0 && dvc_cylinder_moments(-1, 1, 1).z == 0);
}

static void round_cylinders_have_theirs(void)
{
    const double pi = acos(-1.);
    double volume = dvc_cylinder_volume(0, 2, 3), gap, near, far;
    dvc_vec3 moments = dvc_cylinder_moments(0, 2, 3);
    CHECK_NEAR(volume, pi * 4 * 3, 1e-14);
    CHECK_NEAR(moments.x, (3 * 4 + 9) / 12., 1e-15);
    CHECK_NEAR(moments.y, (3 * 4 + 9) / 12., 1e-15);
    CHECK_NEAR(moments.z, 4 / 2., 1e-15);
    near = volume - dvc_cylinder_volume(1000, 2, 3);
    far = volume - dvc_cylinder_volume(500, 2, 3);
    gap = 2 * pi * pi / 3 / 1000 / 1000 * volume; /* sin x = x - x^3 / 6 */
    CHECK_NEAR(near, gap, 1e-5 * gap + 1e-13);
    CHECK_NEAR(far / near, 4, 1e-4);
    CHECK_NEAR(dvc_cylinder_moments(1000, 2, 3).z, 2 - 4 * pi * pi / 3 / 1000 / 1000, 1e-9);
}

/* ---- numbers ---- */

/* What the header reads from a text that is one number. */
static double mesh_decimal(const char *text)
{
    const char *at = text, *stop = text + strlen(text);
    double x = -1;
    CHECK(dvci_read_decimal(&at, stop, &x) && at == stop);
    return x;
}

static void mesh_random_decimal(char *text, size_t size)
{
    union { uint64_t bits; double value; } x;
    int digits = (int)test_random(1, 20), point, power = (int)test_random(-345, 325), i, n = 0;
    switch (test_random_bits() % 4) {
    case 0: /* any digits, a point somewhere, an exponent */
        point = (int)test_random(0, digits + 1);
        for (i = 0; i <= digits; i++) text[n++] = (char)(i == point ? '.' : '0' + (int)(test_random_bits() % 10));
        snprintf(text + n, size - (size_t)n, "e%d", power);
        break;
    case 1: /* any double */
        x.bits = test_random_bits() & ~((uint64_t)1 << 63);
        if (x.bits >> 52 == 0x7ff) x.bits >>= 1;
        snprintf(text, size, "%.*e", (int)(test_random_bits() % 19), x.value);
        break;
    case 2: /* the middle of two whole doubles, and its neighbours */
        x.bits = (((test_random_bits() & 0xffffffffu) << 22 | (uint64_t)1 << 54) | 1) << (test_random_bits() % 9);
        snprintf(text, size, "%llu", (unsigned long long)(x.bits + test_random_bits() % 3 - 1));
        break;
    default: /* what files have, and numbers near the least ones */
        if (test_random_bits() % 2) snprintf(text, size, "%.6f", test_random(0, 100));
        else snprintf(text, size, "%.17ge-%d", test_random(1, 10), 300 + (int)(test_random_bits() % 26));
    }
}

static void numbers_are_rounded_as_the_library_rounds_them(void)
{
    char text[64];
    double got, expected;
    int i;
    test_seed(11);
    for (i = 0; i < 1000000; i++) {
        mesh_random_decimal(text, sizeof text);
        got = mesh_decimal(text);
        expected = strtod(text, NULL);
        if (!CHECK(memcmp(&got, &expected, sizeof got) == 0)) printf("    %s: %.17g, not %.17g\n", text, got, expected);
    }
}

static void hard_numbers_are_rounded_right(void)
{
    static const char *const known[] = {
        "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.7976931348623159e308", "9007199254740993", "9007199254740993.0000000000000", "9007199254740993.00000000000001",
        "0.000000000000000000000000000000000000000000000000000001", "100000000000000000000000000000000000000000", "1e23",
        "8.5e22", "6.9294956446009195e15", "0e999999999", "0.0e-99999999999999999999", "1e-99999999999999999999", "1e400",
        "00000123",
        "123456789012345678901234567890", "1.00000000000000011102230246251565", "1.000000000000000112"
    };
    char text[2048];
    double got, expected;
    int i;
    for (i = 0; i < (int)(sizeof known / sizeof *known); i++) {
        got = mesh_decimal(known[i]);
        expected = strtod(known[i], NULL);
        if (!CHECK(got == expected)) printf("    %s: %.17g, not %.17g\n", known[i], got, expected);
    }
    memset(text, '0', sizeof text); /* zeros that an exponent makes up for */
    text[1] = '.';
    strcpy(text + 1500, "5e1499");
    CHECK_NEAR(mesh_decimal(text), 5, 0);
}

/* Long ones are cut, which costs a hundredth of the last place. The library's long double is the judge. */
static void long_numbers_are_nearly_right(void)
{
    char text[64];
    int i, k;
    test_seed(12);
    for (i = 0; i < 20000; i++) {
        long double exact;
        double got;
        for (k = 0; k < 40; k++) text[k] = (char)('0' + (int)(test_random_bits() % 10));
        strcpy(text + 40, "e-30");
        got = mesh_decimal(text);
        exact = strtold(text, NULL);
        CHECK(fabsl((long double)got - exact) <= 0.51L * (long double)(nextafter(got, 1e30) - got));
    }
}

/* ---- .poly ---- */

static const char mesh_tetrahedron[] = "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n";

/* The mesh of the moment is the tetrahedron with corners at the origin and on the axes. */
static void mesh_check_tetrahedron(void)
{
    CHECK(mesh_now.vertex_count == 4 && mesh_now.triangle_count == 4 && mesh_now.line == 0);
    CHECK(mesh_vertices[1].x == 1 && mesh_vertices[2].y == 1 && mesh_vertices[3].z == 1 && mesh_vertices[3].x == 0);
    CHECK(mesh_has_triangle(0, 0, 2, 1) && mesh_has_triangle(1, 0, 1, 3));
    CHECK(mesh_has_triangle(2, 0, 3, 2) && mesh_has_triangle(3, 1, 2, 3));
    CHECK(mesh_check_now() == DVC_OK);
    CHECK_NEAR(mesh_found.volume, 1 / 6., 1e-16);
}

static void all_dialects_read_the_same(void)
{
    static const char *const texts[] = {
        mesh_tetrahedron,
        "4\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n0 0 1\r\n4\r\n1 3 2\r\n1 2 4\r\n1 4 3\r\n2 3 4\r\n",
        "4\r0 0 0\r1 0 0\r0 1 0\r0 0 1\r4\r1 3 2\r1 2 4\r1 4 3\r2 3 4",
        "\xEF\xBB\xBF" "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n1 3 2\n1 2 4\n1 4 3\n2 3 4",
        "# 7 of what? [1 2 3\n\n \t \n4 # vertices\n% a line\n1 0 0 0 // the origin\n2\t1\t0\t0\n3 0 1 0%y\n4 0 0 1#z\n\n4\n"
        "1 3 2\n// 8 8 8\n1 2 4\n1 4 3\n2 3 4\n\n  \n",
        "4,\n0, 0, 0,\n1,0,0\n0 ,1 , 0\n0,0,1,\n4\n1,3,2\n1, 2, 4,\n1 4 3\n2,3,4\n",
        "n = 4;\n1 [0; 0; 0];\n2 [1; 0; 0];\n3 [0; 1; 0];  # third\n4 [0; 0; 1];\n];\nfaces = [\n4\n"
        "[1 3 2;\n1 2 4;\n1 4 3;\n2 3 4];\n",
        "4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4\n0 2 1\n0 1 3\n0 3 2\n1 2 3\n",
        "4\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4\n0 2 1\n0 1 3\n0 3 2\n1 2 3\n",
        "vertices: 4\nv1 = [0 0 0]\nv2 = [1e0 0E5 -0.]\nv3 = [.0 +1 0]\nv4 = [0 0 10e-1]\nfaces: 4\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n",
        "2^2\n1-1 0 0\nsqrt(1) 0 0\n0 (1/2)*2 0\n0 0 2 - 1\n8/2\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n"
    };
    int i;
    for (i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        if (!CHECK(mesh_poly(texts[i]) == DVC_OK)) printf("    text %d, line %d\n", i, mesh_now.line);
        mesh_check_tetrahedron();
    }
}

/* Reads one line as a vertex. */
static dvc_status mesh_expression(const char *line)
{
    char text[1024];
    snprintf(text, sizeof text, "1\n%s\n0\n", line);
    return mesh_poly(text);
}

static void expressions_have_their_values(void)
{
    static const struct { const char *line; double x, y, z; } known[] = {
        { "5e-1 5E+1 .5e1", 0.5, 50, 5 },
        { "(2/3)^0.5 sqrt(2) -1/(2*(6^0.5))", 0.81649658092772603, 1.4142135623730951, -0.20412414523193151 },
        { "1 -2 3", 1, -2, 3 },
        { "1 - 2 3 4", -1, 3, 4 },
        { "1-2 +3 4-5", -1, 3, -1 },
        { "( 1 -2 ) 2 * 3 8 / 4 ^ 2", -1, 6, 0.5 },
        { "-2^2 2^-2 2^3^2", -4, 0.25, 64 },
        { "1+2*3-4/2 --1 2*-3", 5, 1, -6 },
        { "sqrt( sqrt (16) ) 16^(1/2) (((((1)))))", 2, 4, 1 },
        { "4^1.5 4^-0.5 2^64", 8, 0.5, 18446744073709551616. },
        { "[sqrt(4);-sqrt(9);2*sqrt(16)]", 2, -3, 8 },
        { "x = 1, y = -2, z = 3", 1, -2, 3 }
    };
    int i;
    for (i = 0; i < (int)(sizeof known / sizeof *known); i++) {
        if (!CHECK(mesh_expression(known[i].line) == DVC_OK)) printf("    %s\n", known[i].line);
        CHECK(mesh_now.vertex_count == 1 && mesh_now.triangle_count == 0);
        CHECK_NEAR(mesh_vertices[0].x, known[i].x, 2e-16 * fabs(known[i].x));
        CHECK_NEAR(mesh_vertices[0].y, known[i].y, 2e-16 * fabs(known[i].y));
        CHECK_NEAR(mesh_vertices[0].z, known[i].z, 2e-16 * fabs(known[i].z));
    }
}

/* Nothing is read as something else than it says. */
static void what_is_no_number_is_refused(void)
{
    static const char *const lines[] = {
        "5d-1 0 0", "0x10 0 0", "1.5f 0 0", "1e 0 0", "1.2.3 0 0", "2*pi 0 0", "pi/2 0 0", "cos(0) 0 0", "sin (0) 0 0",
        "sqrt 2 0 0", "sqrt(2 0 0", "1) 0 0", "(1 0 0", "2(3) 0 0", "1/0 0 0", "0/0 0 0", "sqrt(-1) 0 0", "(-8)^0.5 0 0",
        "8^(1/3) 0 0", "2^99 0 0", "1e999 0 0", "- 0 0 -", "* 1 2 3", "1 + 0 0", "1 | 0 0", "\"1\" 0 0", "1,5.. 0 0",
        ". 0 0", "() 0 0", "10^40^9 0 0", "{1 0 0}",
        "((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))) 0 0"
    };
    int i;
    for (i = 0; i < (int)(sizeof lines / sizeof *lines); i++) {
        dvc_status status = mesh_expression(lines[i]);
        if (!CHECK(status == DVC_ERROR_MESH_NUMBER || (status == DVC_ERROR_MESH_COUNT && strstr(lines[i], "1 + 0 0"))))
            printf("    %s: %s\n", lines[i], dvc_status_text(status));
        CHECK(mesh_now.line == 2);
    }
    CHECK(mesh_expression("1 nan 0") == DVC_ERROR_MESH_COUNT);
    CHECK(mesh_read_bytes(dvc_mesh_read_poly, "1\n0 0 \0 0\n0\n", 12) == DVC_ERROR_MESH_NUMBER);
}

static void faces_of_many_corners_become_fans(void)
{
    static const char cube[] =
        "8\n1 -.5 -.5 -.5\n2 -.5 -.5 .5\n3 -.5 .5 -.5\n4 -.5 .5 .5\n5 .5 -.5 -.5\n6 .5 -.5 .5\n7 .5 .5 -.5\n8 .5 .5 .5\n"
        "6\n1 2 4 3\n3 4 8 7\n7 8 6 5\n5 6 2 1\n6 8 4 2\n7 5 1 3\n";
    dvc_mass mass;
    CHECK(mesh_poly(cube) == DVC_OK);
    CHECK(mesh_now.vertex_count == 8 && mesh_now.triangle_count == 12);
    CHECK(mesh_has_triangle(0, 0, 1, 3) && mesh_has_triangle(1, 0, 3, 2));
    CHECK(mesh_check_now() == DVC_OK && mesh_found.volume == 1 && dvc_mesh_is_convex(&mesh_now));
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_OK);
    CHECK_NEAR(mass.moments.x, 1 / 6., 1e-15);
    CHECK(mesh_poly("5\n0 0 0\n1 0 0\n1 1 0\n0.5 1.5 0\n0 1 0\n1\n1 2 3 4 5\n") == DVC_OK);
    CHECK(mesh_now.triangle_count == 3 && mesh_has_triangle(2, 0, 3, 4));
}

/* ---- errors ---- */

typedef struct mesh_bad { const char *text; dvc_status status; int line; } mesh_bad;

static void mesh_check_bad(mesh_reader reader, const mesh_bad *bad, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        dvc_status status = mesh_read_bytes(reader, bad[i].text, strlen(bad[i].text));
        if (!CHECK(status == bad[i].status && mesh_now.line == bad[i].line))
            printf("    text %d: line %d, %s\n", i, mesh_now.line, dvc_status_text(status));
    }
}

static void bad_poly_files_name_the_line(void)
{
    static const mesh_bad bad[] = {
        { "", DVC_ERROR_MESH_COUNT, 0 },
        { "# nothing\n\n", DVC_ERROR_MESH_COUNT, 2 },
        { "# none\n0\n0\n", DVC_ERROR_MESH_COUNT, 2 },
        { "-1\n0\n", DVC_ERROR_MESH_COUNT, 1 },
        { "1.5\n", DVC_ERROR_MESH_COUNT, 1 },
        { "1e200\n0 0 0\n", DVC_ERROR_MESH_COUNT, 1 },
        { "1 2\n0 0 0\n0\n", DVC_ERROR_MESH_COUNT, 1 },
        { "2\n0 0 0\n", DVC_ERROR_MESH_COUNT, 2 },
        { "1\n0 0\n0\n", DVC_ERROR_MESH_COUNT, 2 },
        { "1\n0 0 0 0 0\n0\n", DVC_ERROR_MESH_COUNT, 2 },
        { "2\n0 0 0\n1 0 0 0\n0\n", DVC_ERROR_MESH_COUNT, 3 },
        { "2\n1 0 0 0\n0 0 0\n0\n", DVC_ERROR_MESH_COUNT, 3 },
        { "2\n1 0 0 0\n3 0 0 0\n0\n", DVC_ERROR_MESH_INDEX, 3 },
        { "1\n2 0 0 0\n0\n", DVC_ERROR_MESH_INDEX, 2 },
        { "1\n0.5 0 0 0\n0\n", DVC_ERROR_MESH_INDEX, 2 },
        { "1\r\n# the first\r\n0 0 x\r\n0\r\n", DVC_ERROR_MESH_COUNT, 3 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n1 2 3\n", DVC_ERROR_MESH_COUNT, 5 },           /* more vertices than said */
        { "4\n0 0 0\n1 0 0\n0 1 0\n2\n1 2 3\n1 2 3\n", DVC_ERROR_MESH_COUNT, 5 },           /* fewer */
        { "3\n0 0 0\n1 0 0\n0 1 0\n", DVC_ERROR_MESH_COUNT, 4 },                            /* no faces */
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2 3\n1 2 3\n", DVC_ERROR_MESH_COUNT, 7 },           /* more faces than said */
        { "3\n0 0 0\n1 0 0\n0 1 0\n3\n1 2 3\n1 2 3\n\n", DVC_ERROR_MESH_COUNT, 8 },         /* fewer */
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2\n", DVC_ERROR_MESH_COUNT, 6 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n2\n1 2 3\n1 2 4\n", DVC_ERROR_MESH_INDEX, 7 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n2\n1 2 3\n0 1 2\n", DVC_ERROR_MESH_INDEX, 6 },           /* from 0: 3 is too large */
        { "3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n2\n1 2 3\n0 1 2\n", DVC_ERROR_MESH_INDEX, 7 },     /* from 1: 0 is too small */
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 -2 3\n", DVC_ERROR_MESH_INDEX, 6 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2.5 3\n", DVC_ERROR_MESH_INDEX, 6 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2 9e99\n", DVC_ERROR_MESH_INDEX, 6 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2 3)\n", DVC_ERROR_MESH_NUMBER, 6 },
        { "3\n0 0 0\n1 0 0\n0 1 0\n1\n1 2 3\n\n!\n", DVC_ERROR_MESH_COUNT, 8 }
    };
    mesh_check_bad(dvc_mesh_read_poly, bad, (int)(sizeof bad / sizeof *bad));
}

static void obj_files_are_read(void)
{
    static const char *const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        ("\xEF\xBB\xBFv 0 0 0\r\nv 1 0 0 1.0\r\nv 0 1 0 .5 .5 .5\r\nv 0 0 1 # z\r\nvn 0 0 1\r\nvt 0 0\r\no x\r\ng y 1\r\n"
        "s off\r\nusemtl z\r\nf 1/1/1 3/1/1 2/1/1\r\nf 1//1 2//1 4//1\r\nf 1/1 4/1 3/1\r\n\tf  2/ 3 4"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -1 -2\nv 0 0 1\nf -4//-1 -3//-1 -1//-1\nf -4 4 -2\nf 2 3 -1\n",
        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n# faces first\nv 0 0 0\nv 1e0 0 0\nv -0 +1 0\nv 0 0 1\n",
        "# OBJ\n4\nv  0 0 0\nv  1 0 0\nv  0 1 0\nv  0 0 1\n4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    };
    int i;
    for (i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        if (!CHECK(mesh_obj(texts[i]) == DVC_OK)) printf("    text %d, line %d\n", i, mesh_now.line);
        mesh_check_tetrahedron();
    }
    CHECK(mesh_poly(texts[4]) == DVC_OK); /* counts and all: a .poly, too */
    mesh_check_tetrahedron();
    CHECK(mesh_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n") == DVC_OK);
    CHECK(mesh_now.triangle_count == 2 && mesh_has_triangle(0, 0, 1, 2) && mesh_has_triangle(1, 0, 2, 3));
    CHECK(mesh_obj("v 1 2 3\n") == DVC_OK && mesh_now.triangle_count == 0);
}

static void bad_obj_files_name_the_line(void)
{
    static const mesh_bad bad[] = {
        { "", DVC_ERROR_MESH_COUNT, 0 },
        { "hello\n", DVC_ERROR_MESH_COUNT, 1 },
        { "v 0 0 0\nv 1 0\n", DVC_ERROR_MESH_NUMBER, 2 },
        { "v\n", DVC_ERROR_MESH_NUMBER, 1 },
        { "v 1,5 0 0\n", DVC_ERROR_MESH_NUMBER, 1 },
        { "v 1 2 nan\n", DVC_ERROR_MESH_NUMBER, 1 },
        { "v 1/2 0 0\n", DVC_ERROR_MESH_NUMBER, 1 },
        { "v 1 --2 0\n", DVC_ERROR_MESH_NUMBER, 1 },
        { "v 0 0 0\n\n\nf 1 1\n", DVC_ERROR_MESH_COUNT, 4 },
        { "v 0 0 0\nf 1 1 0\n", DVC_ERROR_MESH_INDEX, 2 },
        { "v 0 0 0\nf 1 1 2\n", DVC_ERROR_MESH_INDEX, 2 },
        { "v 0 0 0\nf 1 1 -2\nv 0 0 0\n", DVC_ERROR_MESH_INDEX, 2 },
        { "v 0 0 0\nf 1 1 1.5\n", DVC_ERROR_MESH_INDEX, 2 },
        { "v 0 0 0\nf 1 1 1e99\n", DVC_ERROR_MESH_INDEX, 2 },
        { "v 0 0 0\nf 1 1 /1\n", DVC_ERROR_MESH_NUMBER, 2 },
        { "v 0 0 0\nf 1 1 1x\n", DVC_ERROR_MESH_NUMBER, 2 },
        { "v 0 0 0\nf 1 1 1/x\n", DVC_ERROR_MESH_NUMBER, 2 },
        { "v 0 0 0\nf 1 1 \\\n1\n", DVC_ERROR_MESH_NUMBER, 2 }
    };
    mesh_check_bad(dvc_mesh_read_obj, bad, (int)(sizeof bad / sizeof *bad));
}

static void readers_can_be_asked_for_the_room_they_need(void)
{
    dvc_vec3 vertices[4];
    int triangles[5][3] = { { 0 } };
    const size_t size = sizeof mesh_tetrahedron - 1;
    dvc_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, &mesh) == DVC_OK);
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 4);
    mesh.vertices = vertices;
    mesh.triangles = triangles;
    mesh.vertex_capacity = 4;
    mesh.triangle_capacity = 3;
    triangles[3][0] = 77;
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, &mesh) == DVC_ERROR_MESH_ROOM);
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 4 && mesh.line == 0 && triangles[3][0] == 77);
    mesh.vertex_capacity = 3;
    mesh.triangle_capacity = 4;
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, &mesh) == DVC_ERROR_MESH_ROOM);
    mesh.vertex_capacity = 0;
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, &mesh) == DVC_OK && triangles[3][2] == 3);
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, NULL) == DVC_ERROR_NULL);
    CHECK(dvc_mesh_read_poly(NULL, 3, &mesh) == DVC_ERROR_NULL);
    mesh.triangle_capacity = -1;
    CHECK(dvc_mesh_read_poly(mesh_tetrahedron, size, &mesh) == DVC_ERROR_COUNT);
    mesh.triangle_capacity = 1;
    mesh.triangles = NULL;
    CHECK(dvc_mesh_read_obj(mesh_tetrahedron, size, &mesh) == DVC_ERROR_NULL);
}

/* ---- round trips ---- */

static char mesh_text[MESH_TEXT];
static size_t mesh_length;

static void mesh_print(const char *format, double x)
{
    int n = snprintf(mesh_text + mesh_length, sizeof mesh_text - mesh_length, format, x);
    if (n < 0 || mesh_length + (size_t)n >= sizeof mesh_text) abort();
    mesh_length += (size_t)n;
}

static void mesh_print_count(bool obj, int count)
{
    if (!obj) mesh_print("%.0f\n", count);
}

/* The hull in the dialect that the bits of `dialect` choose; faces keep all their corners. */
static void mesh_write_hull(int dialect)
{
    bool obj = dialect & 1, numbered = !obj && (dialect & 2), from_zero = !obj && (dialect & 4);
    const char *number = dialect & 8 && !obj ? "%.17g, " : "%.17g ";
    const char *line = dialect & 16 ? "# a line\r\n" : "\n";
    int i, k;
    mesh_length = 0;
    mesh_print_count(obj, mesh_hull.vertex_count);
    for (i = 0; i < mesh_hull.vertex_count; i++) {
        if (obj) mesh_print("v ", 0);
        if (numbered) mesh_print("%.0f ", i + !from_zero);
        for (k = 0; k < 3; k++) mesh_print(number, mesh_part(mesh_hull.vertices[i], k));
        mesh_print(line, 0);
    }
    mesh_print_count(obj, mesh_hull.face_count);
    for (i = 0; i < mesh_hull.face_count; i++) {
        if (obj) mesh_print("f ", 0);
        for (k = 0; k < mesh_hull.faces[i].count; k++)
            mesh_print(obj && dialect & 8 ? "%.0f//1 " : "%.0f ", mesh_hull.loops[mesh_hull.faces[i].first + k] + !from_zero);
        mesh_print(line, 0);
    }
}

static void what_is_written_is_read(void)
{
    dvc_vec3 vertices[64];
    int triangles[128][3], trial;
    test_seed(13);
    for (trial = 0; trial < 320; trial++) {
        int vertex_count, triangle_count;
        mesh_random_hull(4 + trial % 40);
        vertex_count = mesh_now.vertex_count;
        triangle_count = mesh_now.triangle_count;
        memcpy(vertices, mesh_vertices, sizeof vertices);
        memcpy(triangles, mesh_triangles, sizeof triangles);
        mesh_write_hull(trial % 32);
        CHECK(mesh_read_bytes(trial % 2 ? dvc_mesh_read_obj : dvc_mesh_read_poly, mesh_text, mesh_length) == DVC_OK);
        CHECK(mesh_now.vertex_count == vertex_count && mesh_now.triangle_count == triangle_count);
        CHECK(memcmp(vertices, mesh_vertices, (size_t)vertex_count * sizeof *vertices) == 0);
        CHECK(memcmp(triangles, mesh_triangles, (size_t)triangle_count * sizeof *triangles) == 0);
    }
}

/* ---- fuzz ---- */

/* Whatever the text: an error names a line that exists, and a mesh has no index out of range. */
static void mesh_check_any(mesh_reader reader, const char *text, size_t size)
{
    dvc_status status = mesh_read_bytes(reader, text, size);
    int lines = 1, i, k;
    size_t at;
    for (at = 0; at < size; at++) lines += text[at] == '\n' || text[at] == '\r';
    CHECK(mesh_now.line >= 0 && mesh_now.line <= lines);
    CHECK(status == DVC_OK || status == DVC_ERROR_MESH_ROOM || status == DVC_ERROR_MESH_NUMBER || status == DVC_ERROR_MESH_COUNT
          || status == DVC_ERROR_MESH_INDEX);
    if (status != DVC_OK) return;
    for (i = 0; i < mesh_now.triangle_count; i++)
        for (k = 0; k < 3; k++) CHECK(mesh_triangles[i][k] >= 0 && mesh_triangles[i][k] < mesh_now.vertex_count);
    mesh_check_now();
}

static void any_text_is_read_or_refused(void)
{
    static const char seeds[] = "0123456789.-+e()^*/ \n\r\tvf#%[];=,:sqrt\\\x80\xff";
    static char text[MESH_TEXT];
    int trial, change;
    test_seed(14);
    for (trial = 0; trial < 20000; trial++) {
        mesh_reader reader = trial % 2 ? dvc_mesh_read_obj : dvc_mesh_read_poly;
        size_t size;
        if (trial % 50 == 0) mesh_random_hull(4 + trial % 13);
        if (trial % 50 == 0 || trial % 50 == 1) mesh_write_hull((int)(test_random_bits() % 16) * 2 + trial % 2);
        memcpy(text, mesh_text, mesh_length);
        size = trial % 3 ? mesh_length : (size_t)(test_random_bits() % (mesh_length + 1));
        for (change = trial % 7; change > 0 && size > 0; change--)
            text[test_random_bits() % size] = seeds[test_random_bits() % (sizeof seeds - 1)];
        mesh_check_any(reader, text, size);
        mesh_check_any(trial % 2 ? dvc_mesh_read_poly : dvc_mesh_read_obj, text, size);
    }
    for (trial = 0; trial < 20000; trial++) {
        size_t size = (size_t)(test_random_bits() % 60), i;
        for (i = 0; i < size; i++) text[i] = seeds[test_random_bits() % (sizeof seeds - 1)];
        mesh_check_any(trial % 2 ? dvc_mesh_read_obj : dvc_mesh_read_poly, text, size);
    }
}

/* ---- checks ---- */

static void mesh_remove_triangle(int triangle)
{
    memcpy(mesh_triangles[triangle], mesh_triangles[--mesh_now.triangle_count], sizeof *mesh_triangles);
}

static void mesh_turn_triangle(int triangle)
{
    int keep = mesh_triangles[triangle][0];
    mesh_triangles[triangle][0] = mesh_triangles[triangle][1];
    mesh_triangles[triangle][1] = keep;
}

static int mesh_found_are(int open_edges, int turned, int crowded, int flat)
{
    return mesh_found.open_edges == open_edges && mesh_found.turned_edges == turned && mesh_found.crowded_edges == crowded
           && mesh_found.flat_triangles == flat;
}

static void broken_surfaces_are_seen(void)
{
    int trial, i;
    test_seed(15);
    for (trial = 0; trial < 100; trial++) {
        mesh_random_hull(10 + trial % 20);
        CHECK(mesh_check_now() == DVC_OK && mesh_found_are(0, 0, 0, 0));
        mesh_turn_triangle(trial % mesh_now.triangle_count);
        CHECK(mesh_check_now() == DVC_ERROR_MESH_TURNED && mesh_found_are(0, 3, 0, 0));
        mesh_from_hull();
        mesh_remove_triangle(trial % mesh_now.triangle_count);
        CHECK(mesh_check_now() == DVC_ERROR_MESH_OPEN && mesh_found_are(3, 0, 0, 0));
        mesh_from_hull();
        mesh_triangle(mesh_triangles[0][0], mesh_triangles[0][1], mesh_triangles[0][2]);
        CHECK(mesh_check_now() == DVC_ERROR_MESH_OPEN && mesh_found_are(0, 0, 3, 0));
        mesh_from_hull();
        for (i = 0; i < mesh_now.triangle_count; i++) mesh_turn_triangle(i);
        CHECK(mesh_check_now() == DVC_ERROR_MESH_INWARD && mesh_found_are(0, 0, 0, 0) && mesh_found.volume < 0);
        mesh_from_hull();
        mesh_triangle(0, 0, 1); /* nothing: its neighbours close without it */
        CHECK(mesh_check_now() == DVC_ERROR_MESH_FLAT && mesh_found_are(0, 0, 0, 1));
    }
}

/* One edge has a point on it for one of its two triangles only; a flat triangle fills the slit. */
static void flat_triangles_are_seen(void)
{
    int trial, i;
    test_seed(18);
    for (trial = 0; trial < 50; trial++) {
        dvc_vec3 a, b;
        mesh_random_hull(4);
        a = mesh_vertices[0];
        b = mesh_vertices[1];
        mesh_clear();
        mesh_now.vertex_count = 4;
        mesh_vertex(a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3, a.z + (b.z - a.z) / 3);
        mesh_triangle(0, 4, 2);
        mesh_triangle(4, 1, 2);
        mesh_triangle(0, 1, 4);
        mesh_triangle(1, 0, 3);
        mesh_triangle(1, 3, 2);
        mesh_triangle(0, 2, 3);
        mesh_check_now();
        for (i = 0; i < 6 && mesh_found.volume < 0; i++) mesh_turn_triangle(i);
        CHECK(mesh_check_now() == DVC_ERROR_MESH_FLAT && mesh_found_are(0, 0, 0, 1));
        CHECK(dvc_mesh_is_convex(&mesh_now));
    }
}

static void an_open_square_is_open(void)
{
    CHECK(mesh_poly("4\n1 -.5 -.5 0\n2 .5 -.5 0\n3 .5 .5 0\n4 -.5 .5 0\n2\n1 2 3\n1 3 4\n") == DVC_OK);
    CHECK(mesh_check_now() == DVC_ERROR_MESH_OPEN && mesh_found_are(4, 0, 0, 0));
}

static void bad_meshes_are_refused(void)
{
    dvc_mass mass;
    size_t size;
    void *scratch;
    int i;
    mesh_random_hull(12);
    size = dvc_mesh_scratch_size(&mesh_now);
    scratch = scene_memory(1, size);
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_OK);
    CHECK(dvc_mesh_check(&mesh_now, scratch, size - 1, NULL) == DVC_ERROR_MESH_SCRATCH);
    CHECK(dvc_mesh_check(&mesh_now, NULL, 0, NULL) == DVC_ERROR_MESH_SCRATCH);
    CHECK(dvc_mesh_check(NULL, scratch, size, NULL) == DVC_ERROR_NULL);
    CHECK(dvc_mesh_mass(&mesh_now, NULL) == DVC_ERROR_NULL && dvc_mesh_mass(NULL, &mass) == DVC_ERROR_NULL);
    CHECK(!dvc_mesh_is_convex(NULL) && dvc_mesh_scratch_size(NULL) == 0);
    mesh_turn_triangle(0);
    mesh_triangles[0][0] = mesh_now.vertex_count;
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_MESH_INDEX);
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_ERROR_MESH_INDEX && !dvc_mesh_is_convex(&mesh_now));
    mesh_triangles[0][0] = -1;
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_MESH_INDEX);
    mesh_vertices[1].y = (dvc_real)NAN;
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_MESH_VERTEX);
    for (i = 0; i < 4; i++) { /* what would overflow in volume or moments */
        static const double far[] = { 2e15, -1e80, 1e155, 1e308 };
        mesh_vertices[1].y = (dvc_real)far[i];
        CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_MESH_VERTEX);
        mesh_triangles[0][0] = 0;
        CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_ERROR_MESH_VERTEX && mass.volume == 0 && mass.moments.x == 0);
    }
    mesh_now.triangle_count = -1;
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_COUNT);
    mesh_clear();
    CHECK(dvc_mesh_check(&mesh_now, scratch, size, NULL) == DVC_ERROR_MESH_INWARD); /* empty */
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_ERROR_MESH_INWARD && !dvc_mesh_is_convex(&mesh_now));
    free(scratch);
}

/* ---- mass ---- */

/* An L of depth 1: the square 2 x 2 without the quarter x > 1, y > 1. */
static void mesh_make_angle(void)
{
    static const double outline[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } };
    int i, z;
    mesh_clear();
    for (z = 0; z < 2; z++)
        for (i = 0; i < 6; i++) mesh_vertex(outline[i][0], outline[i][1], z);
    for (i = 0; i < 6; i++) {
        int next = (i + 1) % 6;
        mesh_triangle(i, next, next + 6);
        mesh_triangle(i, next + 6, i + 6);
    }
    for (i = 1; i < 5; i++) { /* fans from corner 3, which sees all others */
        int corner = (3 + i) % 6, next = (4 + i) % 6;
        mesh_triangle(3, next, corner);
        mesh_triangle(9, corner + 6, next + 6);
    }
}

/* Three unit cubes at (.5, .5), (1.5, .5), (.5, 1.5): closed forms by the parallel axis theorem. */
static void a_body_that_is_not_convex_has_its_mass(void)
{
    const double sixth = 1 / 6., c = 5 / 6.;
    dvc_mass mass;
    mesh_make_angle();
    CHECK(mesh_check_now() == DVC_OK && mesh_found_are(0, 0, 0, 0));
    CHECK(!dvc_mesh_is_convex(&mesh_now));
    CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_OK);
    CHECK_NEAR(mass.volume, 3, 1e-15);
    CHECK_NEAR(mass.centre.x, c, 1e-15);
    CHECK_NEAR(mass.centre.y, c, 1e-15);
    CHECK_NEAR(mass.centre.z, 0.5, 1e-15);
    CHECK_NEAR(mass.inertia[0].x, 3 * sixth + 2 / 3., 4e-15); /* sum of (y - c)^2: 1/9 + 1/9 + 4/9 */
    CHECK_NEAR(mass.inertia[1].y, 3 * sixth + 2 / 3., 4e-15);
    CHECK_NEAR(mass.inertia[2].z, 3 * sixth + 4 / 3., 4e-15);
    CHECK_NEAR(mass.inertia[0].y, 1 / 3., 2e-15); /* -sum of (x - c)(y - c): 1/9 - 2/9 - 2/9 */
    CHECK_NEAR(mass.inertia[1].x, 1 / 3., 2e-15);
    CHECK_NEAR(mass.inertia[0].z, 0, 1e-15);
    CHECK_NEAR(mass.moments.x + mass.moments.y, 2 * (3 * sixth + 2 / 3.), 4e-15);
    CHECK_NEAR(fabs(mass.moments.x - mass.moments.y), 2 / 3., 4e-15);
    CHECK_NEAR(fabs(mass.axes.z), sin(acos(-1.) / 8), 1e-15); /* the principal axes are the diagonals */
    mesh_check_mass(2, 1e-14);
}

static void masses_are_those_of_point_masses(void)
{
    int trial, i;
    test_seed(16);
    for (trial = 0; trial < 200; trial++) {
        double far = trial % 2 ? 1000 : 0;
        mesh_random_hull(4 + trial % 50);
        for (i = 0; i < mesh_now.vertex_count; i++) mesh_vertices[i].x += (dvc_real)far;
        mesh_check_mass(3, far > 0 ? 1e-12 : 1e-14); /* coordinates that far away are rounded, volumes are not */
    }
}

/* Turning the mesh by its principal axes makes its tensor diagonal, with the moments on it. */
static void principal_axes_are_principal(void)
{
    int trial, i, k;
    test_seed(17);
    for (trial = 0; trial < 100; trial++) {
        dvc_mass mass, turned;
        dvc_quat back;
        mesh_random_hull(4 + trial % 20);
        CHECK(dvc_mesh_mass(&mesh_now, &mass) == DVC_OK);
        back = mass.axes;
        back.w = -back.w;
        for (i = 0; i < mesh_now.vertex_count; i++) mesh_vertices[i] = oracle_turn(back, mesh_vertices[i]);
        CHECK(dvc_mesh_mass(&mesh_now, &turned) == DVC_OK);
        for (i = 0; i < 3; i++)
            for (k = 0; k < 3; k++)
                CHECK_NEAR(mesh_part(turned.inertia[i], k), i == k ? mesh_part(mass.moments, i) : 0, 1e-11 * mass.moments.x);
    }
}

static void suite_mesh(void)
{
    test_state.suite = "mesh";
    RUN(the_platonic_solids_are_what_they_are);
    RUN(the_platonic_solids_have_the_moments_of_the_books);
    RUN(blocks_have_their_moments);
    RUN(prisms_have_their_moments);
    RUN(round_cylinders_have_theirs);
    RUN(numbers_are_rounded_as_the_library_rounds_them);
    RUN(hard_numbers_are_rounded_right);
    RUN(long_numbers_are_nearly_right);
    RUN(all_dialects_read_the_same);
    RUN(expressions_have_their_values);
    RUN(what_is_no_number_is_refused);
    RUN(faces_of_many_corners_become_fans);
    RUN(bad_poly_files_name_the_line);
    RUN(obj_files_are_read);
    RUN(bad_obj_files_name_the_line);
    RUN(readers_can_be_asked_for_the_room_they_need);
    RUN(what_is_written_is_read);
    RUN(any_text_is_read_or_refused);
    RUN(broken_surfaces_are_seen);
    RUN(flat_triangles_are_seen);
    RUN(an_open_square_is_open);
    RUN(bad_meshes_are_refused);
    RUN(a_body_that_is_not_convex_has_its_mass);
    RUN(masses_are_those_of_point_masses);
    RUN(principal_axes_are_principal);
    free(mesh_storage);
    mesh_storage = NULL;
}
