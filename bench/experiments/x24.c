/* X24 (W 5.3): two blocks lie flush and turn about their own centres by omega h. Frozen over the step, their geometry lets
 * them overlap by L H (1 - cos(omega h)), L the width of the shared side and H the distance of the centres; gaps that hold
 * at the end pose leave nothing, and push the blocks apart without changing any momentum. */
#include "experiment.h"

enum { SCRATCH = 1 << 24 };

#define WIDTH 1.0
#define DISTANCE 0.5

typedef struct turned { double area, momentum, angular; } turned;

static turned turn(double h, bool semi_implicit)
{
    scene *s = scene_make(2, true, SCRATCH);
    oracle_solid low, high;
    dvc_vec3 linear, angular_before, angular;
    turned result = { 0, 0, 0 };
    s->world.gravity = scene_zero;
    s->world.semi_implicit = semi_implicit;
    scene_box(s, DVC_DYNAMIC, v3(WIDTH, DISTANCE / 2, 0), scene_zero, 1, 0); /* wider: no end slips off */
    scene_box(s, DVC_DYNAMIC, v3(WIDTH / 2, DISTANCE / 2, 0), v3(0, DISTANCE, 0), 1, 0);
    s->bodies[0].angular_velocity = s->bodies[1].angular_velocity = v3(0, 0, 1);
    dvc_momentum(&s->world, NULL, &angular_before);
    experiment_step(&s->world, h);
    dvc_momentum(&s->world, &linear, &angular);
    oracle_shape(&s->world, 0, &low);
    oracle_shape(&s->world, 1, &high);
    result.area = oracle_area(&low, &high);
    result.momentum = oracle_norm(linear);
    result.angular = oracle_norm(oracle_minus(angular, angular_before));
    scene_free(s);
    return result;
}

int main(int argc, char **argv)
{
    static const double steps[] = { 0.01, 0.1, 0.2, 0.3, 0.4, 0.5 }, areas[] = { 0.000025, 0.0025, 0.01, 0.0223, 0.0395, 0.0612 };
    int k;
    experiment_begin("x24", argc, argv);
    for (k = 0; k < 6; k++) {
        double h = steps[k], area = WIDTH * DISTANCE * (1 - cos(h));
        turned frozen = turn(h, true), end = turn(h, false);
        experiment_near(frozen.area, areas[k], k < 2 ? 0.01 * areas[k] : 1e-4, "h %.2f, frozen: area (W's digits)", h);
        experiment_near(frozen.area, area, 1e-4 * area, "h %.2f, frozen: area (closed form)", h);
        experiment_at_most(fabs(end.area), 1e-12, "h %.2f, end pose: area", h);
        experiment_at_most(end.momentum, 1e-12, "h %.2f, end pose: change of momentum", h);
        experiment_note(end.angular, "h %.2f, end pose: change of angular momentum", h);
    }
    return experiment_end();
}
