/* What is built to stand lands and stands, however much of it there is: walls whose bricks touch, rows, pyramids and blocks. Every
 * step is exact, and once they rest nothing moves any more. Heaps come to rest, too. */
#include "experiment.h"

#define STEP 0.01
#define FRICTION 0.6
#define GAP 0.05 /* between the cubes of a pyramid */

static scene *site(int bodies, bool planar)
{
    scene *s = scene_make(bodies + 5, planar, 1);
    free(s->world.contacts);
    free(s->world.scratch);
    s->world.contact_capacity = bodies * (planar ? 12 : 60);
    s->world.contacts = (dvc_contact *)scene_memory((size_t)s->world.contact_capacity, sizeof(dvc_contact));
    s->world.scratch = NULL; /* once all stands there */
    scene_ground(s, FRICTION);
    return s;
}

static void put(scene *s, dvc_vec3 half, double along, double aside, double up)
{
    scene_box(s, DVC_DYNAMIC, half, s->world.planar ? v3(along, up, 0) : v3(along, aside, up), 1, FRICTION);
}

/* Bricks without a gap, each over a joint of those below. */
static scene *wall(int wide, int high, bool planar)
{
    scene *s = site(wide * high, planar);
    int row, i;
    for (row = 0; row < high; row++)
        for (i = 0; i < wide; i++) put(s, v3(0.5, 0.25, 0.25), i + 0.5 * (row % 2), 0, 0.25 + 0.5 * row);
    return s;
}

static scene *pyramid(int rows)
{
    scene *s = site(rows * (rows + 1) / 2, true);
    int row, i;
    for (row = 0; row < rows; row++)
        for (i = 0; i < rows - row; i++) put(s, v3(0.5, 0.5, 0.5), 1.1 * (i + 0.5 * row), 0, 0.5 + row + GAP * (row + 1));
    return s;
}

/* Cubes without a gap beside them, in layers, each shifted against the one below. They fall through what room there is below. */
static scene *layers(int wide, int deep, int high, double shift, double gap, double friction)
{
    scene *s = site(wide * deep * high, false);
    int i;
    for (i = 0; i < wide * deep * high; i++) {
        int layer = i / (wide * deep);
        double aside = shift * (layer % 2);
        put(s, v3(0.5, 0.5, 0.5), i % wide + aside, i / wide % deep + aside, 0.5 + layer + gap * (layer + 1));
    }
    for (i = 0; i < s->world.shape_count; i++) s->shapes[i].friction = (dvc_real)friction;
    return s;
}

/* Cubes without a gap, neither beside nor below. */
static scene *block(int wide, int deep, int high, int direct_bodies)
{
    scene *s = layers(wide, deep, high, 0, 0, FRICTION);
    s->world.direct_bodies = direct_bodies;
    return s;
}

static void give_scratch(scene *s)
{
    s->world.scratch_size = dvc_scratch_size(&s->world);
    s->world.scratch = scene_memory(1, s->world.scratch_size);
}

static double fastest(const dvc_world *world)
{
    double most = 0;
    int i;
    for (i = 0; i < world->body_count; i++)
        most = fmax(most, fmax(oracle_norm(world->bodies[i].velocity), oracle_norm(world->bodies[i].angular_velocity)));
    return most;
}

static void stand(scene *s, double seconds, const char *what)
{
    int k, steps = (int)(seconds / STEP + 0.5), exact = 0;
    double residual = 0, worst = 0, total = 0, took;
    give_scratch(s);
    for (k = 0; k < steps; k++, total += took, worst = fmax(worst, took)) {
        double start = experiment_seconds();
        if (!experiment_step(&s->world, STEP)) break;
        took = experiment_seconds() - start;
        exact += s->world.report.inexact == 0;
        residual = fmax(residual, (double)s->world.report.residual);
    }
    experiment_at_least(exact, steps, "%s: exact steps of %d", what, steps);
    experiment_at_most(residual, 1e-9, "%s: largest residual", what);
    experiment_at_most(fastest(&s->world), 0, "%s: largest speed at the end", what);
    experiment_note(total / steps * 1e3, "%s: ms a step", what);
    experiment_note(worst * 1e3, "%s: ms of the longest step", what);
    experiment_note((double)s->world.report.scratch_used * 1e-6, "%s: MB of scratch in the last step", what);
    scene_free(s);
}

/* Landing with many contacts at once is exact; what has landed rests. */
static void land(void)
{
    static const double shifts[] = { 0, 0.1, 0.3, 0.5 }, gaps[] = { 0.01, 0.1 }, frictions[] = { 0.3, 0.5, 0.8 };
    int i, most = 0, awake = 0, steps = 100;
    double residual = 0, gap = 0, total = 0;
    for (i = 0; i < 24; i++) {
        scene *s = layers(5, 5, 4, shifts[i / 6], gaps[i / 3 % 2], frictions[i % 3]);
        int k, inexact = 0;
        give_scratch(s);
        for (k = 0; k < steps; k++) {
            double start = experiment_seconds();
            if (!experiment_step(&s->world, STEP)) break;
            if (k >= steps / 2) total += experiment_seconds() - start;
            inexact += s->world.report.inexact != 0;
            residual = fmax(residual, (double)s->world.report.residual);
        }
        most = most > inexact ? most : inexact;
        gap = fmin(gap, (double)s->world.report.worst_gap);
        awake += k < steps || fastest(&s->world) != 0 || s->world.report.inexact != 0;
        scene_free(s);
    }
    experiment_at_most(awake, 0, "24 blocks of 100 whose layers fall on each other: not at rest after 1 s");
    experiment_at_most(-gap, 1e-9, "24 blocks: deepest overlap at rest, m");
    experiment_at_most(residual, 1e-9, "24 blocks: largest residual while landing");
    experiment_at_most(most, 0, "24 blocks: most inexact steps of one, landing");
    experiment_note(total / (24 * steps / 2) * 1e3, "24 blocks: ms a step at rest");
}

/* Tumbled cubes in a pit: not exact while they move, but then at rest to the bit, exactly. */
static void heap(int cubes, int seed)
{
    enum { STEPS = 800 };
    int i, step, rest = 0, wide = (int)(0.8 * cbrt((double)cubes) + 0.5);
    double total = 0, gap = 0, depth = 0;
    scene *s = site(cubes, false);
    test_seed((uint64_t)seed);
    for (i = 0; i < cubes; i++) {
        int x = i % wide, y = i / wide % wide, z = i / wide / wide;
        double a = test_random(-1, 1), b = test_random(-1, 1), c = test_random(-1, 1), angle = test_random(0, 3);
        put(s, v3(0.25, 0.25, 0.25), 0.9 * (x - 0.5 * (wide - 1)), 0.9 * (y - 0.5 * (wide - 1)), 0.5 + 0.9 * z);
        s->bodies[i + 1].orientation = dvc_quat_turn(v3(a, b, c), (dvc_real)angle);
    }
    for (i = 0; i < 4; i++) {
        int wall = scene_add(s, DVC_STATIC, DVC_PLANE, scene_zero, FRICTION);
        dvc_vec3 inward = v3(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, 0);
        s->shapes[wall].normal = inward;
        s->bodies[wall].position = oracle_scaled(inward, -0.45 * wide - 0.3);
    }
    give_scratch(s);
    for (step = 0; step < STEPS; step++) {
        double start = experiment_seconds();
        if (!experiment_step(&s->world, STEP)) break;
        total += experiment_seconds() - start;
        depth = fmin(depth, (double)s->world.report.worst_gap);
        rest = fastest(&s->world) == 0 ? rest + 1 : 0;
        if (rest == 20) break;
    }
    gap = (double)s->world.report.worst_gap;
    experiment_at_most(fastest(&s->world), 0, "heap of %d, seed %d: largest speed after 8 s at most", cubes, seed);
    experiment_at_most(s->world.report.inexact, 0, "heap of %d, seed %d: disjunctions and problems not exact at rest", cubes, seed);
    experiment_at_most((double)s->world.report.residual, 1e-9, "heap of %d, seed %d: residual at rest", cubes, seed);
    experiment_at_most(-gap, 1e-4 * 0.25 * sqrt(3), "heap of %d, seed %d: deepest overlap at rest, m", cubes, seed);
    experiment_note(-depth, "heap of %d, seed %d: deepest overlap in motion, m", cubes, seed);
    experiment_note(0.01 * (step - 19), "heap of %d, seed %d: at rest after s", cubes, seed);
    experiment_note(total / step * 1e3, "heap of %d, seed %d: ms a step until then", cubes, seed);
    scene_free(s);
}

/* Whether all steps are exact is a matter of luck if the solver is not sure: many falls. */
static void fall_again_and_again(void)
{
    static const int rows[] = { 40, 47, 50, 55, 60 };
    int i, k, steps = 150, exact = 0, all = 0;
    for (i = 0; i < 5; i++)
        for (k = 3; k <= 7; k++) {
            scene *s = pyramid(rows[i]);
            int j;
            for (j = 0; j < s->world.shape_count; j++) s->shapes[j].friction = (dvc_real)(k / 10.0);
            give_scratch(s);
            for (j = 0; j < steps && experiment_step(&s->world, STEP); j++) exact += s->world.report.inexact == 0;
            all += steps;
            scene_free(s);
        }
    experiment_at_least(exact, 0.999 * all, "25 pyramids of 820 to 1830, friction .3 to .7: exact steps of %d", all);
}

int main(int argc, char **argv)
{
    experiment_begin("stands", argc, argv);
    stand(wall(20, 10, true), 2, "planar wall of 20 x 10 bricks that touch");
    stand(wall(10, 10, false), 2, "wall of 10 x 10 bricks that touch");
    stand(wall(30, 5, false), 2, "wall of 30 x 5 bricks that touch");
    stand(wall(4000, 1, true), 0.3, "planar row of 4000 bricks that touch");
    stand(pyramid(30), 1.5, "pyramid of 465");
    stand(pyramid(44), 1.5, "pyramid of 990");
    stand(pyramid(60), 2, "pyramid of 1830");
    stand(block(5, 5, 4, 0), 1, "block of 100");
    stand(block(8, 8, 4, 0), 1, "block of 256");
    stand(block(8, 10, 5, 512), 0.3, "block of 400, direct_bodies 512");
    stand(block(10, 10, 10, 0), 0.3, "block of 1000");
    stand(layers(10, 10, 10, 0.1, 0.01, FRICTION), 0.6, "block of 1000 that falls in layers");
    land();
    heap(100, 11);
    heap(100, 12);
    if (experiment.is_long) fall_again_and_again();
    return experiment_end();
}
