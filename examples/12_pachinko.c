/* Balls rain through fifteen pegs with eleven sides. None may sink into a peg, and none may gain energy that it was not given.
 * Writes pachinko.html. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

enum { SIDES = 11, ROWS = 5, PEGS = ROWS * (ROWS + 1) / 2, BALLS = 20, BODIES = 1 + BALLS, SHAPES = 1 + PEGS + BALLS };

/* A peg along x, standing on none of its corners. */
static bool make_peg(dvc_polytope *peg)
{
    static unsigned char storage[1 << 15];
    dvc_vec3 points[2 * SIDES];
    for (int i = 0; i < 2 * SIDES; i++) {
        double angle = 2 * 3.14159265358979 * (i / 2 + 0.5) / SIDES;
        points[i] = (dvc_vec3){ i % 2 ? 1.5 : -1.5, 0.1 * sin(angle), 0.1 * cos(angle) };
    }
    return dvc_polytope_build(points, 2 * SIDES, storage, sizeof storage, peg) == DVC_OK;
}

/* Numbers that fill [-1, 1) evenly. */
static double spread(int i, double step) { return 2 * fmod(i * step, 1) - 1; }

int main(void)
{
    dvc_polytope peg;
    dvc_body bodies[BODIES] = { { .kind = DVC_STATIC } };
    dvc_shape shapes[SHAPES] = { { .kind = DVC_PLANE, .friction = 0.5, .position = { 0, 0, -3 }, .normal = { 0, 0, 1 } } };
    static dvc_contact contacts[1024];
    static unsigned char scratch[1 << 24];
    static record_run run = { .recorder = { .title = "Pachinko" } };
    dvc_world world = {
        .bodies = bodies, .body_count = BODIES, .shapes = shapes, .shape_count = SHAPES,
        .contacts = contacts, .contact_capacity = 1024, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };
    if (!make_peg(&peg)) return 1;
    for (int row = 0, i = 1; row < ROWS; row++)
        for (int k = 0; k <= row; k++, i++)
            shapes[i] = (dvc_shape){ .kind = DVC_POLYTOPE, .polytope = &peg, .friction = 0.3,
                                     .position = { 0, 0.8 * (k - 0.5 * row), -0.5 * row } };
    for (int i = 1; i < BODIES; i++) {
        bodies[i].position = (dvc_vec3){ 1.2 * spread(i, 0.618034), 0.9 * spread(i, 0.414214), 0.5 + 0.25 * i };
        shapes[PEGS + i] = (dvc_shape){ .kind = DVC_SPHERE, .body = i, .friction = 0.3, .radius = 0.1 };
        dvc_body_mass_from_shapes(&bodies[i], &shapes[PEGS + i], 1, 50);
    }

    double deepest = 0, gained = 0;
    int inexact = 0;
    for (int i = 1; i <= 500; i++) {
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "%s\n", dvc_status_text(status)), 1;
        deepest = fmin(deepest, world.report.worst_gap);
        gained = fmax(gained, world.report.energy_excess);
        inexact += world.report.inexact;
        if (i % 50 == 0) printf("t %.1f  energy %8.3f J  contacts %3d\n", world.time, dvc_energy(&world), world.contact_count);
    }
    printf("deepest overlap %.1e m, energy gained beyond the bound %.1e J, inexact steps %d\n", -deepest, gained, inexact);
    return !record_page("pachinko.html", &run, 1) || deepest < -1e-9 || gained > 1e-9 || inexact > 0;
}
