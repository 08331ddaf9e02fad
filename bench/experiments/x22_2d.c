/* X22 in the plane (W 5.2.3): every .25 s a random polygon falls into a box. See pour.h. */
#include "experiment.h"
#include "plot.h"
#include "pour.h"

/* ---- convex hulls of clouds, by the monotone chain ---- */

static int compare_points(const void *a, const void *b)
{
    const dvc_vec3 *p = (const dvc_vec3 *)a, *q = (const dvc_vec3 *)b;
    if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static bool turns_left(dvc_vec2 a, dvc_vec2 b, dvc_vec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0; }

/* Corners counter-clockwise: the lower chain, then the upper one. */
static int outline(dvc_vec3 *cloud, dvc_vec2 *out)
{
    int count = 0, upper, i, start;
    qsort(cloud, POUR_POINTS, sizeof *cloud, compare_points);
    for (upper = 0; upper < 2; upper++) {
        for (start = count, i = 0; i < POUR_POINTS; i++) {
            dvc_vec3 next = cloud[upper ? POUR_POINTS - 1 - i : i];
            while (count - start >= 2 && !turns_left(out[count - 2], out[count - 1], next)) count--;
            out[count].x = next.x;
            out[count++].y = next.y;
        }
        count--;
    }
    return count;
}

/* ---- the scene ---- */

static void add_walls(scene *s, double x)
{
    scene_box(s, DVC_STATIC, v3(1.5, 0.25, 0), v3(x, -0.25, 0), 0, 0);
    scene_box(s, DVC_STATIC, v3(0.25, 2.5, 0), v3(x - 1.25, 2, 0), 0, 0);
    scene_box(s, DVC_STATIC, v3(0.25, 2.5, 0), v3(x + 1.25, 2, 0), 0, 0);
}

static void add_stone(scene *s, double x)
{
    dvc_vec3 cloud[POUR_POINTS];
    int i, body = s->world.body_count;
    dvc_vec2 *corners = (dvc_vec2 *)scene_memory(2 * POUR_POINTS, sizeof *corners);
    for (i = 0; i < POUR_POINTS; i++) cloud[i] = pour_point(true, POUR_EXTENT);
    s->hull_storage[body] = (unsigned char *)corners;
    scene_polygon(s, DVC_DYNAMIC, corners, outline(cloud, corners), v3(x + test_random(-0.6, 0.6), 2.8, 0), 1, 0);
    s->bodies[body].velocity = v3(test_random(-1, 1), -2, 0);
    s->bodies[body].angular_velocity = v3(0, 0, test_random(-3, 3));
}

static const pour_kind polygons = {
    .overlap_name = "total overlap, m^2", .planar = true, .walls = 3, .stones = 20,
    .every = 0.25, .half = 1,
    .mean_bar = 1e-9, .most_bar = 1e-8, .cost_bar = { 150, 100 },
    .add_walls = add_walls, .add_stone = add_stone, .total = true, .overlap = oracle_area,
};

int main(int argc, char **argv)
{
    experiment_begin("x22_2d", argc, argv);
    pour_experiment(&polygons);
    return experiment_end();
}
