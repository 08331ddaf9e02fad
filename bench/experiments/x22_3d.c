/* X22 in space (W 5.2.4): every .5 s a random polyhedron flies into a box, toward -x. See pour.h. */
#include "experiment.h"
#include "plot.h"
#include "pour.h"

#define HALF 0.6 /* of the box's width */

static void add_walls(scene *s, double x)
{
    int side;
    scene_box(s, DVC_STATIC, v3(HALF + 0.5, HALF + 0.5, 0.25), v3(x, 0, -0.25), 0, 0);
    for (side = -1; side <= 1; side += 2) {
        scene_box(s, DVC_STATIC, v3(0.25, HALF + 0.5, 2.5), v3(x + side * (HALF + 0.25), 0, 2), 0, 0);
        scene_box(s, DVC_STATIC, v3(HALF + 0.5, 0.25, 2.5), v3(x, side * (HALF + 0.25), 2), 0, 0);
    }
}

static void add_stone(scene *s, double x)
{
    dvc_vec3 cloud[POUR_POINTS];
    int i, body = s->world.body_count;
    double aside = test_random(-0.05, 0.05), along = test_random(-0.15, 0.15);
    for (i = 0; i < POUR_POINTS; i++) cloud[i] = pour_point(false, POUR_EXTENT);
    scene_hull(s, DVC_DYNAMIC, cloud, POUR_POINTS, v3(x + 0.15 + aside, along, 2.5), 1, 0);
    s->bodies[body].velocity = v3(-1.5, 0, -2);
    s->bodies[body].angular_velocity = pour_point(false, 3);
}

static double depth(const oracle_solid *a, const oracle_solid *b) { return -oracle_gap(a, b); }

static const pour_kind polyhedra = {
    .overlap_name = "deepest overlap, m", .planar = false, .walls = 5, .stones = 10,
    .every = 0.5, .half = HALF,
    .mean_bar = 1e-8, .most_bar = 1e-6, .cost_bar = { 200, 100 },
    .add_walls = add_walls, .add_stone = add_stone, .total = false, .overlap = depth,
};

int main(int argc, char **argv)
{
    experiment_begin("x22_3d", argc, argv);
    pour_experiment(&polyhedra);
    return experiment_end();
}
