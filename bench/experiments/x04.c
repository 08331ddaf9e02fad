/* X4 (B 3.2): a block slides over a hole that is shorter than itself. The far side of the hole is a plumb wall, overhangs, or
 * rises as a slope; extended beyond its end, each of these is a wall in the block's way. Standard contacts stop at it,
 * whenever a step ends near; Polytope Exact Geometry passes at every phase. */
#include "experiment.h"

enum { PHASES = 100, SCRATCH = 1 << 24 };

#define GRAVITY 9.81
#define SPEED 2.0
#define HOLE 0.3
#define HALF_LENGTH 0.5
#define HALF_HEIGHT 0.2

typedef struct pit { const char *name; dvc_vec2 far[4]; } pit;

static const dvc_vec2 near_side[4] = { { -3, -1 }, { 0, -1 }, { 0, 0 }, { -3, 0 } };
static const pit holes[] = {
    { "plumb", { { HOLE, -1 }, { 4, -1 }, { 4, 0 }, { HOLE, 0 } } },
    { "overhanging", { { HOLE + 0.25, -0.5 }, { 4, -0.5 }, { 4, 0 }, { HOLE, 0 } } },
    { "sloping", { { HOLE - 0.2, -0.5 }, { 4, -0.5 }, { 4, 0 }, { HOLE, 0 } } },
};

/* What a passage shows at worst: its departure from v = SPEED - mu g t, from its height and from being level. */
static double pass(const pit *hole, dvc_contact_model model, double friction, double h, double phase)
{
    scene *s = scene_make(3, true, SCRATCH);
    double worst = 0, t = 0;
    dvc_body *block;
    scene_polygon(s, DVC_STATIC, near_side, 4, scene_zero, 1, friction);
    scene_polygon(s, DVC_STATIC, hole->far, 4, scene_zero, 1, friction);
    block = &s->bodies[scene_box(s, DVC_DYNAMIC, v3(HALF_LENGTH, HALF_HEIGHT, 0), v3(-0.7 - phase, HALF_HEIGHT, 0), 1, friction)];
    block->velocity = v3(SPEED, 0, 0);
    s->world.contact_model = model;
    while (block->position.x < HOLE + HALF_LENGTH && t < 1.5) {
        if (!experiment_step(&s->world, h)) break;
        t += h;
        worst = fmax(worst, fabs((double)block->velocity.x - SPEED + friction * GRAVITY * t));
        worst = fmax(worst, fmax(fabs((double)block->position.y - HALF_HEIGHT), fabs((double)block->angular_velocity.z)));
    }
    scene_free(s);
    return worst;
}

int main(int argc, char **argv)
{
    static const double steps[] = { 0.002, 0.01, 1.0 / 60, 1.0 / 30 };
    int which, k, phase, friction;
    experiment_begin("x04", argc, argv);
    for (which = 0; which < 3; which++)
        for (friction = 0; friction < 2; friction++)
            for (k = 0; k < 4; k++) {
                double worst = 0, mu = 0.1 * friction;
                int stuck = 0;
                for (phase = 0; phase < PHASES; phase++) {
                    double shift = SPEED * steps[k] * phase / PHASES;
                    worst = fmax(worst, pass(&holes[which], DVC_PEG, mu, steps[k], shift));
                    stuck += pass(&holes[which], DVC_STANDARD, mu, steps[k], shift) > 0.02;
                }
                experiment_at_most(worst, 1e-9, "hole %s, mu %.1f, h %.4f: worst departure in %d phases", holes[which].name, mu,
                                   steps[k], PHASES);
                experiment_at_least(stuck, 1, "    standard contacts: disturbed in phases");
            }
    return experiment_end();
}
