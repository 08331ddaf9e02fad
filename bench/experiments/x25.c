/* X25 (W 5.4): five bodies in a row, the first at 2 m/s; each hit takes another body along. Momentum stays, and all end at the
 * speed that it gives to their masses together. */
#include "experiment.h"

enum { BODIES = 5, SETS = 5, SCRATCH = 1 << 24 };

static const double masses[BODIES] = { 1.5, 1, 0.25, 0.12, 0.8 };

#define MOMENTUM 3.0
#define END_SPEED (3 / 3.67)

typedef struct row { double momentum, speed, aside, gap; } row; /* worst departures */

static void observe(const scene *s, row *worst)
{
    dvc_vec3 linear;
    dvc_momentum(&s->world, &linear, NULL);
    worst->momentum = fmax(worst->momentum, oracle_norm(oracle_minus(linear, v3(MOMENTUM, 0, 0))));
    worst->gap = fmax(worst->gap, -oracle_deepest(&s->world));
}

/* Bodies of size 1, apart by what `gaps` says. */
static void hit(bool planar, dvc_shape_kind kind, const double *gaps, double h, row *worst)
{
    scene *s = scene_make(BODIES, planar, SCRATCH);
    double x = 0;
    int i, steps = (int)(8 / h);
    s->world.gravity = scene_zero;
    for (i = 0; i < BODIES; x += 1 + gaps[i], i++) {
        if (kind == DVC_SPHERE) scene_sphere(s, 0.5, v3(x, 0, 0), masses[i], 0);
        else scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(x, 0, 0), masses[i], 0);
    }
    s->bodies[0].velocity = v3(2, 0, 0);
    for (i = 0; i < steps && experiment_step(&s->world, h); i++) observe(s, worst);
    for (i = 0; i < BODIES; i++) {
        dvc_body *b = &s->bodies[i];
        worst->speed = fmax(worst->speed, fabs((double)b->velocity.x - END_SPEED));
        worst->aside = fmax(worst->aside, fmax(fabs((double)b->position.y), oracle_norm(b->angular_velocity)));
    }
    scene_free(s);
}

static void report(bool planar, dvc_shape_kind kind, double h)
{
    row worst = { 0, 0, 0, 0 };
    const char *what = kind == DVC_SPHERE ? planar ? "discs" : "spheres" : planar ? "squares" : "cubes";
    int set, k;
    test_seed(25);
    for (set = 0; set < SETS; set++) {
        double gaps[BODIES];
        for (k = 0; k < BODIES; k++) gaps[k] = set ? test_random(0.001, 0.4) : 0.3;
        hit(planar, kind, gaps, h, &worst);
    }
    experiment_at_most(worst.momentum, 1e-12, "%s, h %.4f: momentum, worst of %d rows", what, h, SETS);
    experiment_at_most(worst.speed, 1e-12, "%s, h %.4f: end speeds against 3/3.67", what, h);
    experiment_at_most(worst.aside, 1e-12, "%s, h %.4f: motion aside and turning", what, h);
    experiment_at_most(worst.gap, 1e-9, "%s, h %.4f: overlap", what, h);
}

int main(int argc, char **argv)
{
    static const double steps[] = { 0.1, 1.0 / 30, 0.01, 0.005 };
    int k, kind;
    experiment_begin("x25", argc, argv);
    for (kind = 0; kind < 4; kind++)
        for (k = 0; k < 4; k++) report(kind & 1, kind & 2 ? DVC_SPHERE : DVC_BOX, steps[k]);
    return experiment_end();
}
