/* Irregular polyhedra are poured into a box. Prints, as the heap grows, the deepest overlap, the residual and the energy
 * excess that the step certifies: nothing here is tuned. Writes pour.html, which plays it, and pour.svg, some frames of it. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include "stills.h"
#include <stdint.h>

enum { WALLS = 5, STONES = 10, POINTS = 10 };

static dvc_body bodies[WALLS + STONES];
static dvc_shape shapes[WALLS + STONES];
static dvc_polytope hulls[STONES];
static unsigned char storage[STONES][8192];
static dvc_contact contacts[1024];
static unsigned char scratch[32 << 20];

static double random_around(double half)
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return half * ((double)(state >> 8) / (1 << 23) - 1);
}

static void wall(int i, double x, double y, double z, double half_x, double half_y, double half_z)
{
    bodies[i] = (dvc_body){ .kind = DVC_STATIC, .position = { x, y, z } };
    shapes[i] = (dvc_shape){ .kind = DVC_BOX, .body = i, .friction = 0.3, .half = { half_x, half_y, half_z } };
}

static dvc_status stone(int i, int k)
{
    dvc_vec3 cloud[POINTS];
    for (int p = 0; p < POINTS; p++) cloud[p] = (dvc_vec3){ random_around(0.25), random_around(0.25), random_around(0.25) };
    dvc_status status = dvc_polytope_build(cloud, POINTS, storage[k], sizeof storage[k], &hulls[k]);
    if (status != DVC_OK) return status;
    bodies[i] = (dvc_body){ .position = { random_around(0.2), random_around(0.2), 3 }, .velocity = { 0, 0, -2 }, .disabled = true };
    shapes[i] = (dvc_shape){ .kind = DVC_POLYTOPE, .body = i, .friction = 0.3, .polytope = &hulls[k] };
    return dvc_body_mass_from_shapes(&bodies[i], &shapes[i], 1, 2000);
}

int main(void)
{
    wall(0, 0, 0, -0.5, 2, 2, 0.5);
    wall(1, -1.1, 0, 2.9, 0.5, 2, 3);
    wall(2, 1.1, 0, 2.9, 0.5, 2, 3);
    wall(3, 0, -1.1, 2.9, 2, 0.5, 3);
    wall(4, 0, 1.1, 2.9, 2, 0.5, 3);
    for (int k = 0; k < STONES; k++)
        if (stone(WALLS + k, k) != DVC_OK) return 1;
    dvc_world world = {
        .bodies = bodies, .body_count = WALLS + STONES, .shapes = shapes, .shape_count = WALLS + STONES,
        .contacts = contacts, .contact_capacity = 1024, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, 0, -9.81 },
    };
    static record_run run = { .every = 2, .recorder = { .title = "Stones are poured into a box" } };
    double deepest = 0, residual = 0, excess = 0;
    for (int i = 0; i < 600; i++) {
        if (i % 50 == 0 && i / 50 < STONES) bodies[WALLS + i / 50].disabled = false;
        dvc_status status = record_step(&run, &world, 0.01);
        if (status != DVC_OK) return fprintf(stderr, "step %d: %s\n", i, dvc_status_text(status)), 1;
        if (world.report.worst_gap < deepest) deepest = world.report.worst_gap;
        if (world.report.residual > residual) residual = world.report.residual;
        if (world.report.energy_excess > excess) excess = world.report.energy_excess;
        if (i % 100 == 99)
            printf("t %.0f  %3d contacts, %2d disjunctions; so far: deepest %.1e m, residual %.1e, energy excess %.1e J\n",
                   world.time, world.report.contacts, world.report.disjunctions, deepest, residual, excess);
    }
    const double times[] = { 1, 2.5, 6 };
    return deepest < -1e-6 || !record_page("pour.html", &run, 1) || !record_stills("pour.svg", &run, 1, times, 3, NULL);
}
