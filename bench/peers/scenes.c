/* The scenes of the comparison as plain data, each made by one function. Change a constant here for a variant. */
#define _XOPEN_SOURCE 600
#include "measure.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define PI 3.14159265358979323846

#define SEAM_START 0.5      /* m before the seam, at phase 0 */
#define SEAM_SHIFT 0.0007   /* m per phase */
#define TILE_COUNT 20       /* along x */
#define TILE_ROWS 6         /* along y, in space */
#define STACK_OFFSET 0.1    /* m to either side */
#define STACK_GAP 0.25
#define TRIANGLE_SIDE 2.45
#define TRIANGLE_INERTIA 0.6495
#define TRIANGLE_ASIDE 0.1225 /* m right of the lower triangle's corner */
#define TRIANGLE_FALL 3.2
#define POLYGONS 16
#define POLYGON_EVERY 0.25
#define POLYGON_BIN_HALF 1.0
#define POLYHEDRA 14
#define POLYHEDRON_EVERY 0.35
#define HULL_EXTENT 0.25
#define HULL_CORNERS_2D 8   /* Box2D takes no more */
#define RAMP_ANGLE (20 * PI / 180)
#define RAMP_FRICTION 0.5
#define COLUMN_GAP 0.05
#define FLOOR_CUBES 10
#define PILE_PITCH 0.9      /* m between cubes of half edge 0.25 */
#define WALL_JOINT 0.02     /* m between bricks of 1 m */
#define PYRAMID_GAP 0.05
#define SPEED_FRICTION 0.5

/* ---- small things ---- */

static uint64_t random_state;

/* Uniform in [-extent, extent), the same sequence everywhere. */
static double random_in(double extent)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return extent * (2 * ((double)(random_state >> 11) / 9007199254740992.0) - 1);
}

static void random_seed(int seed)
{
    int i;
    random_state = 88172645463325252u ^ ((uint64_t)(seed + 1) * 0x9E3779B97F4A7C15u);
    for (i = 0; i < 8; i++) random_in(1);
}

static void set3(double *v, double x, double y, double z)
{
    v[0] = x;
    v[1] = y;
    v[2] = z;
}

static peers_scene *new_scene(bool planar, int capacity, double h, double seconds)
{
    peers_scene *s = (peers_scene *)calloc(1, sizeof *s);
    if (s) s->bodies = (peers_body *)calloc((size_t)capacity, sizeof *s->bodies);
    if (!s || !s->bodies) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    s->planar = planar;
    s->gravity[planar ? 1 : 2] = -GRAVITY;
    s->h = h;
    s->seconds = seconds;
    return s;
}

void scene_free(peers_scene *scene)
{
    free(scene->bodies);
    free(scene);
}

static peers_body *add(peers_scene *s, peers_kind kind, double x, double y, double z, double friction)
{
    peers_body *b = &s->bodies[s->body_count++];
    b->kind = kind;
    b->friction = friction;
    set3(b->start.position, x, y, z);
    b->start.turn[0] = 1;
    return b;
}

/* Height is y in planar scenes and z in space: what is given as (along, side, up) goes to the right axes. */
static void set_up(const peers_scene *s, double *v, double along, double side, double up)
{
    set3(v, along, s->planar ? up : side, s->planar ? 0 : up);
}

/* Half edges likewise; the depth of a planar box is that of its prism. */
static void set_box(peers_scene *s, peers_body *b, double along, double side, double up, double mass)
{
    int k;
    set3(b->half, along, s->planar ? up : side, s->planar ? side : up);
    b->mass = mass;
    for (k = 0; k < 3; k++) {
        double p = b->half[(k + 1) % 3], q = b->half[(k + 2) % 3];
        b->inertia[k] = mass / 3 * (p * p + q * q);
    }
    b->fixed = mass == 0;
}

/* mass 0: a fixed one. */
static peers_body *add_box(peers_scene *s, double along, double side, double up, double half_along, double half_side,
                           double half_up, double mass, double friction)
{
    peers_body *b = add(s, PEERS_BOX, 0, 0, 0, friction);
    set_up(s, b->start.position, along, side, up);
    set_box(s, b, half_along, half_side, half_up, mass);
    return b;
}

static peers_body *add_cube(peers_scene *s, double along, double side, double up, double half, double mass, double friction)
{
    return add_box(s, along, side, up, half, half, half, mass, friction);
}

static void add_ground(peers_scene *s, double friction)
{
    peers_body *b = add(s, PEERS_PLANE, 0, 0, 0, friction);
    b->fixed = true;
    set_up(s, b->normal, 0, 0, 1);
}

/* ---- sliding ---- */

/* A frictionless box slides over two flush boxes. */
peers_scene *scene_seam(bool planar, int phase, double h)
{
    peers_scene *s = new_scene(planar, 3, h, 0.6);
    peers_body *b;
    add_box(s, -1, 0, -0.5, 1, 1, 0.5, 0, 0);
    add_box(s, 1, 0, -0.5, 1, 1, 0.5, 0, 0);
    b = add_cube(s, -SEAM_START - phase * SEAM_SHIFT, 0, SEAM_HALF, SEAM_HALF, 1, 0);
    b->start.velocity[0] = SEAM_SPEED;
    return s;
}

/* A box slides over many flush boxes; in space over a field of them, askew. */
peers_scene *scene_tiles(bool planar, double friction, double h)
{
    int rows = planar ? 1 : TILE_ROWS, i, j;
    peers_scene *s = new_scene(planar, TILE_COUNT * rows + 1, h, 4);
    peers_body *b;
    for (i = 0; i < TILE_COUNT; i++)
        for (j = 0; j < rows; j++) add_cube(s, i + 0.5, planar ? 0 : j + 0.5 - 0.5 * rows, -0.5, 0.5, 0, friction);
    b = add_cube(s, 1.03, planar ? 0 : -2.2, TILES_HALF, TILES_HALF, 1, friction);
    set_up(s, b->start.velocity, TILES_SPEED, planar ? 0 : TILES_SIDE_SPEED, 0);
    return s;
}

/* A cube sticks on a ramp that falls along x. */
peers_scene *scene_ramp(bool planar, double h)
{
    peers_scene *s = new_scene(planar, 2, h, 5);
    double c = cos(RAMP_ANGLE), n = sin(RAMP_ANGLE), half = RAMP_ANGLE / 2;
    peers_body *ramp = add_box(s, -0.5 * n, 0, -0.5 * c, 5, 2, 0.5, 0, RAMP_FRICTION);
    peers_body *cube = add_cube(s, 0.25 * n, 0, 0.25 * c, 0.25, 1, RAMP_FRICTION);
    ramp->start.turn[0] = cos(half);
    ramp->start.turn[planar ? 3 : 2] = planar ? -sin(half) : sin(half);
    memcpy(cube->start.turn, ramp->start.turn, sizeof cube->start.turn);
    return s;
}

peers_scene *scene_launched_cube(bool planar, double h)
{
    peers_scene *s = new_scene(planar, 2, h, 2);
    add_ground(s, CUBE_FRICTION);
    add_cube(s, 0, 0, CUBE_HALF, CUBE_HALF, 1, CUBE_FRICTION)->start.velocity[0] = CUBE_SPEED;
    return s;
}

/* Slides, then rolls. Discs get the sphere's moment of inertia. */
peers_scene *scene_sphere(bool planar, double h)
{
    peers_scene *s = new_scene(planar, 2, h, 0.6);
    peers_body *b;
    add_ground(s, 0.2);
    b = add(s, PEERS_SPHERE, 0, 0, 0, 0.2);
    set_up(s, b->start.position, 0, 0, 1);
    b->radius = b->mass = 1;
    set3(b->inertia, 0.4, 0.4, 0.4);
    b->start.velocity[0] = 2;
    return s;
}

/* ---- standing ---- */

/* Ten unit boxes over each other, with gaps and offsets; the lowest is fixed. */
peers_scene *scene_stack(bool planar, int set, double friction, double h, double seconds)
{
    peers_scene *s = new_scene(planar, STACK_BOXES, h, seconds);
    int i;
    random_seed(set);
    for (i = 0; i < STACK_BOXES; i++)
        add_cube(s, random_in(STACK_OFFSET), 0, 0.5 + i * (1 + STACK_GAP), 0.5, i > 0 ? 1 : 0, friction)->rest = 0.5 + i;
    s->landing[1] = 0.8;
    return s;
}

peers_scene *scene_heavy_on_light(bool planar, double ratio, double h)
{
    peers_scene *s = new_scene(planar, 3, h, 5);
    add_ground(s, 0.5);
    add_cube(s, 0, 0, 0.5, 0.5, 1, 0.5);
    add_cube(s, 0, 0, 1.5, 0.5, ratio, 0.5);
    return s;
}

/* ---- falling ---- */

static void set_triangle(peers_body *b, double side)
{
    double high = side / sqrt(3), low = high / 2;
    b->point_count = 3;
    set3(b->points[0], -side / 2, -low, 0);
    set3(b->points[1], side / 2, -low, 0);
    set3(b->points[2], 0, high, 0);
    b->half[2] = 0.5;
}

/* A triangle's left corner falls on the right side of one twice as large, close to its top. Upright, the contact's normal
 * passes through the centre: an exact path does not turn. Ends before the corner leaves the slope. */
peers_scene *scene_triangle(double turned, double h)
{
    peers_scene *s = new_scene(true, 2, h, 1.2);
    peers_body *b = add(s, PEERS_HULL, 0, 0, 0, 0);
    double top = 2 * TRIANGLE_SIDE / sqrt(3), corner[3], *x;
    b->fixed = true;
    set_triangle(b, 2 * TRIANGLE_SIDE);
    b = add(s, PEERS_HULL, 0, 0, 0, 0);
    set_triangle(b, TRIANGLE_SIDE);
    b->mass = 1;
    set3(b->inertia, TRIANGLE_INERTIA, TRIANGLE_INERTIA, TRIANGLE_INERTIA);
    b->start.turn[0] = cos(turned / 2);
    b->start.turn[3] = sin(turned / 2);
    vec_turn(b->start.turn, b->points[0], corner);
    x = b->start.position;
    x[0] = TRIANGLE_ASIDE - corner[0];
    x[1] = top - sqrt(3) * TRIANGLE_ASIDE + TRIANGLE_FALL - corner[1];
    return s;
}

/* Unit boxes in a row without gravity, unevenly spaced; the first one moves. */
peers_scene *scene_momentum_row(double h)
{
    static const double mass[5] = { 1.5, 1, 0.25, 0.12, 0.8 }, gap[5] = { 0, 0.13, 0.231, 0.047, 0.173 };
    peers_scene *s = new_scene(true, 5, h, 2);
    double x = 0;
    int i;
    s->gravity[1] = 0;
    for (i = 0; i < 5; i++) {
        x += gap[i] + (i > 0 ? 1 : 0);
        add_cube(s, x, 0, 0, 0.5, mass[i], 0);
    }
    s->bodies[0].start.velocity[0] = 2;
    return s;
}

/* ---- random polygons ---- */

static int compare_points(const void *a, const void *b)
{
    const double *p = (const double *)a, *q = (const double *)b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Corners of the convex hull of sorted points, counter-clockwise: lower chain, then upper. */
static int outline(double (*p)[3], int n, double (*out)[3])
{
    int count = 0, pass, i, start;
    for (pass = 0; pass < 2; pass++) {
        for (start = count, i = 0; i < n; i++) {
            const double *next = p[pass == 0 ? i : n - 1 - i];
            while (count - start >= 2 && polygon_side(out[count - 2], out[count - 1], next) <= 0) count--;
            memcpy(out[count++], next, sizeof out[0]);
        }
        count--;
    }
    return count;
}

/* Moves the corners to the centre of mass; unit density. */
static void weigh_polygon(peers_body *b)
{
    double area = 0, centre[2] = { 0, 0 }, moment = 0;
    int i, k, n = b->point_count;
    for (i = 0; i < n; i++) {
        const double *p = b->points[i], *q = b->points[(i + 1) % n];
        double cross = p[0] * q[1] - p[1] * q[0];
        area += cross / 2;
        for (k = 0; k < 2; k++) centre[k] += cross / 6 * (p[k] + q[k]);
        for (k = 0; k < 2; k++) moment += cross / 12 * (p[k] * p[k] + p[k] * q[k] + q[k] * q[k]);
    }
    for (k = 0; k < 2; k++) centre[k] /= area;
    for (i = 0; i < n; i++)
        for (k = 0; k < 2; k++) b->points[i][k] -= centre[k];
    b->mass = area;
    moment -= area * (centre[0] * centre[0] + centre[1] * centre[1]);
    set3(b->inertia, moment, moment, moment);
}

static void random_polygon(peers_body *b)
{
    double cloud[PEERS_POINTS][3] = { { 0 } }, corners[2 * PEERS_POINTS][3];
    int i, n;
    do {
        for (i = 0; i < PEERS_POINTS; i++) {
            cloud[i][0] = random_in(HULL_EXTENT);
            cloud[i][1] = random_in(HULL_EXTENT);
        }
        qsort(cloud, PEERS_POINTS, sizeof cloud[0], compare_points);
        n = outline(cloud, PEERS_POINTS, corners);
    } while (n > HULL_CORNERS_2D);
    b->point_count = n;
    memcpy(b->points, corners, (size_t)n * sizeof corners[0]);
    b->half[2] = 0.5;
    weigh_polygon(b);
}

peers_scene *scene_polygons(double friction, double h)
{
    peers_scene *s = new_scene(true, POLYGONS + 3, h, 5);
    int i;
    add_box(s, 0, 0, -0.25, POLYGON_BIN_HALF + 0.5, 1, 0.25, 0, friction);
    add_box(s, -POLYGON_BIN_HALF - 0.25, 0, 2, 0.25, 1, 2.5, 0, friction);
    add_box(s, POLYGON_BIN_HALF + 0.25, 0, 2, 0.25, 1, 2.5, 0, friction);
    random_seed(22);
    for (i = 0; i < POLYGONS; i++) {
        peers_body *b = add(s, PEERS_HULL, random_in(0.6), 2.8, 0, friction);
        random_polygon(b);
        set3(b->start.velocity, random_in(1), -2, 0);
        b->start.spin[2] = random_in(3);
        b->enters = i * POLYGON_EVERY;
    }
    return s;
}

/* ---- random polyhedra ---- */

/* Volume, centre and second moments (xx, yy, zz, xy, yz, zx) about the origin, by tetrahedra from the origin. */
static void integrate_hull(const hull *h, double *volume, double *centre, double *second)
{
    int f, i, k, m;
    *volume = 0;
    set3(centre, 0, 0, 0);
    for (k = 0; k < 6; k++) second[k] = 0;
    for (f = 0; f < h->face_count; f++)
        for (i = 1; i + 1 < h->count[f]; i++) {
            const int *loop = h->loop + h->first[f];
            const double *p[3] = { h->vertex[loop[0]], h->vertex[loop[i]], h->vertex[loop[i + 1]] };
            double cross[3], v;
            vec_cross(p[1], p[2], cross);
            v = vec_dot(p[0], cross) / 6;
            *volume += v;
            for (k = 0; k < 3; k++) centre[k] += v / 4 * (p[0][k] + p[1][k] + p[2][k]);
            for (k = 0; k < 6; k++) {
                int x = k % 3, y = k < 3 ? x : (x + 1) % 3;
                double sum_x = 0, sum_y = 0, products = 0;
                for (m = 0; m < 3; m++) sum_x += p[m][x], sum_y += p[m][y], products += p[m][x] * p[m][y];
                second[k] += v / 20 * (products + sum_x * sum_y);
            }
        }
    for (k = 0; k < 3; k++) centre[k] /= *volume;
}

/* Jacobi's method: on return a is diagonal and the columns of r are its axes. */
static void diagonalise(double a[3][3], double r[3][3])
{
    int sweep, p, q, k;
    for (p = 0; p < 3; p++)
        for (q = 0; q < 3; q++) r[p][q] = p == q;
    for (sweep = 0; sweep < 30; sweep++)
        for (p = 0; p < 2; p++)
            for (q = p + 1; q < 3; q++) {
                double angle = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
                for (k = 0; k < 3; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                    x = r[k][p];
                    y = r[k][q];
                    r[k][p] = c * x - s * y;
                    r[k][q] = s * x + c * y;
                }
                for (k = 0; k < 3; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
}

/* Moves and turns the corners to centre of mass and principal axes; unit density. */
static void weigh_hull(peers_body *b, const hull *h)
{
    double centre[3], second[6], tensor[3][3], axes[3][3], moved[3];
    int i, k;
    integrate_hull(h, &b->mass, centre, second);
    for (k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        tensor[k][k] = second[k] - b->mass * centre[k] * centre[k];
        tensor[k][next] = tensor[next][k] = second[3 + k] - b->mass * centre[k] * centre[next];
    }
    diagonalise(tensor, axes);
    for (k = 0; k < 3; k++) b->inertia[k] = tensor[(k + 1) % 3][(k + 1) % 3] + tensor[(k + 2) % 3][(k + 2) % 3];
    for (i = 0; i < b->point_count; i++) {
        vec_sub(b->points[i], centre, moved);
        for (k = 0; k < 3; k++) b->points[i][k] = axes[0][k] * moved[0] + axes[1][k] * moved[1] + axes[2][k] * moved[2];
    }
}

/* Corners of a hull without the points inside it. The principal axes become the body's without turning it back: what was
 * random stays random. */
static void random_polyhedron(peers_body *b)
{
    hull h;
    bool used[HULL_VERTICES] = { false };
    int i;
    h.vertex_count = PEERS_POINTS;
    for (i = 0; i < 3 * PEERS_POINTS; i++) h.vertex[i / 3][i % 3] = random_in(HULL_EXTENT);
    hull_build(&h);
    for (i = 0; i < h.edge_count; i++) used[h.edge[i][0]] = used[h.edge[i][1]] = true;
    for (i = 0; i < PEERS_POINTS; i++)
        if (used[i]) memcpy(b->points[b->point_count++], h.vertex[i], sizeof h.vertex[0]);
    weigh_hull(b, &h);
}

peers_scene *scene_polyhedra(double friction, double h)
{
    peers_scene *s = new_scene(false, POLYHEDRA + 5, h, 5);
    double w = HULL_BIN_HALF;
    int i;
    add_box(s, 0, 0, -0.25, w + 0.5, w + 0.5, 0.25, 0, friction);
    for (i = -1; i <= 1; i += 2) {
        add_box(s, i * (w + 0.25), 0, 2, 0.25, w + 0.5, 2.5, 0, friction);
        add_box(s, 0, i * (w + 0.25), 2, w + 0.5, 0.25, 2.5, 0, friction);
    }
    random_seed(23);
    for (i = 0; i < POLYHEDRA; i++) {
        peers_body *b = add(s, PEERS_HULL, 0.15 + random_in(0.05), random_in(0.15), 2.5, friction);
        random_polyhedron(b);
        set3(b->start.velocity, -1.5, 0, -2);
        set3(b->start.spin, random_in(3), random_in(3), random_in(3));
        b->enters = i * POLYHEDRON_EVERY;
    }
    return s;
}

/* ---- many cubes, for speed ---- */

/* Separate stacks of unit cubes on a plane. */
peers_scene *scene_columns(int cubes, int height, double h)
{
    peers_scene *s = new_scene(false, cubes + 1, h, 3);
    int i, wide = (int)ceil(sqrt((double)cubes / height));
    random_seed(7);
    add_ground(s, SPEED_FRICTION);
    for (i = 0; i < cubes; i++) {
        int column = i / height, level = i % height;
        double x = 2 * (column % wide) + random_in(0.05), y = 2 * (column / wide) + random_in(0.05);
        add_cube(s, x, y, 0.5 + level * (1 + COLUMN_GAP) + COLUMN_GAP, 0.5, 1, SPEED_FRICTION)->rest = 0.5 + level;
    }
    s->landing[1] = 0.5;
    return s;
}

/* A block of unit cubes that touch on all sides and stand on a plane: one island from the start. */
peers_scene *scene_block(int wide, int high, double h)
{
    peers_scene *s = new_scene(false, wide * wide * high + 1, h, 2);
    int i;
    add_ground(s, SPEED_FRICTION);
    for (i = 0; i < wide * wide * high; i++) {
        double up = 0.5 + i / (wide * wide);
        add_cube(s, i % wide, i / wide % wide, up, 0.5, 1, SPEED_FRICTION)->rest = up;
    }
    s->landing[1] = 0.5;
    return s;
}

/* Spinning cubes that never meet. */
peers_scene *scene_flight(int cubes, double h)
{
    peers_scene *s = new_scene(false, cubes, h, 1.5);
    int i, k, wide = (int)ceil(cbrt((double)cubes));
    random_seed(13);
    for (i = 0; i < cubes; i++) {
        peers_body *b = add_cube(s, 3 * (i % wide), 3 * (i / wide % wide), 3 * (i / wide / wide), 0.5, 1, SPEED_FRICTION);
        for (k = 0; k < 3; k++) b->start.spin[k] = random_in(3);
    }
    s->landing[1] = 0.5;
    return s;
}

/* Few cubes on a floor of many fixed tiles: some on one tile, some on seams, some on corners. */
peers_scene *scene_floor(int wide, double h)
{
    peers_scene *s = new_scene(false, wide * wide + FLOOR_CUBES, h, 2);
    int i;
    for (i = 0; i < wide * wide; i++) add_cube(s, i % wide, i / wide, -0.5, 0.5, 0, SPEED_FRICTION);
    for (i = 0; i < FLOOR_CUBES; i++)
        add_cube(s, i + 0.1 * (i % 6), i + 0.25 * (i % 3), 0.25 + COLUMN_GAP, 0.25, 1, SPEED_FRICTION)->rest = 0.25;
    s->landing[1] = 0.5;
    return s;
}

static void add_wall(peers_scene *s, double x, double y, double away)
{
    peers_body *b = add(s, PEERS_PLANE, x * away, y * away, 0, SPEED_FRICTION);
    b->fixed = true;
    set3(b->normal, -x, -y, 0);
}

/* Cubes fall from a lattice, turned at random, between four walls: one heap. */
peers_scene *scene_pile(int cubes, double h)
{
    peers_scene *s = new_scene(false, cubes + 5, h, cubes > 100 ? 5 : 8);
    int i, k, wide = (int)(0.8 * cbrt((double)cubes) + 0.5);
    double start = 0.5 * PILE_PITCH * (1 - wide), *q;
    random_seed(11);
    add_ground(s, SPEED_FRICTION);
    for (i = -1; i <= 1; i += 2) {
        add_wall(s, i, 0, 0.5 * PILE_PITCH * wide);
        add_wall(s, 0, i, 0.5 * PILE_PITCH * wide);
    }
    for (i = 0; i < cubes; i++) {
        int x = i % wide, y = i / wide % wide, z = i / wide / wide;
        double length = 0;
        double up = 0.5 + z * PILE_PITCH;
        q = add_cube(s, start + x * PILE_PITCH, start + y * PILE_PITCH, up, 0.25, 1, SPEED_FRICTION)->start.turn;
        for (k = 0; k < 4; k++) q[k] = random_in(1);
        for (k = 0; k < 4; k++) length += q[k] * q[k];
        for (k = 0; k < 4; k++) q[k] /= sqrt(length);
    }
    s->landing[0] = 0.3;
    s->landing[1] = 2;
    return s;
}

peers_scene *scene_pyramid(int rows, double h)
{
    peers_scene *s = new_scene(true, rows * (rows + 1) / 2 + 1, h, 3);
    int row, i;
    add_ground(s, SPEED_FRICTION);
    for (row = 0; row < rows; row++)
        for (i = 0; i < rows - row; i++)
            add_cube(s, 1.1 * (i + 0.5 * (row - rows)), 0, 0.5 + row * (1 + PYRAMID_GAP) + PYRAMID_GAP, 0.5, 1, SPEED_FRICTION)
                ->rest = 0.5 + row;
    s->landing[1] = 0.7;
    return s;
}

/* Rows of bricks, each over a joint of those below, with half bricks at the ends of every other row. */
peers_scene *scene_wall(bool planar, int wide, int high, double h)
{
    peers_scene *s = new_scene(planar, wide * high + high / 2 + 1, h, 3);
    int row, i;
    add_ground(s, SPEED_FRICTION);
    for (row = 0; row < high; row++)
        for (i = 0; i < wide + row % 2; i++) {
            bool half = row % 2 && (i == 0 || i == wide);
            double along = row % 2 ? i - (i == 0 ? 0.25 : i == wide ? 0.75 : 0.5) : i;
            double up = 0.25 + row * (0.5 + PYRAMID_GAP) + PYRAMID_GAP;
            add_box(s, along * (1 + WALL_JOINT), 0, up, half ? 0.25 : 0.5, 0.25, 0.25, half ? 0.5 : 1, SPEED_FRICTION)
                ->rest = 0.25 + 0.5 * row;
        }
    s->landing[1] = 0.5;
    return s;
}
