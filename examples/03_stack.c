/* Why exact geometry matters. Ten boxes without friction, dropped with random offsets, under three contact models; and a
 * box that slides over flush tiles. Writes stack.html and tiles.html, which play them, and pictures: stack.svg, tiles.svg, and
 * energy.svg, the energy of the stacks.
 *
 *     exact (PEG)   one disjunction per pair: the stack stands, the box does not notice the seams
 *     standard      all near contacts at once: corners trap each other
 *     corrective    only what overlaps is pushed apart: the stack shakes itself to pieces */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include "stills.h"
#include <stdint.h>

enum { BOXES = 10, TILES = 12 };

static const char *const names[3] = { "exact (PEG)", "standard model", "corrective" };
static const dvc_contact_model models[3] = { DVC_PEG, DVC_STANDARD, DVC_CORRECTIVE };

static dvc_body bodies[TILES + 1];
static dvc_shape shapes[TILES + 1];
static dvc_contact contacts[512];
static unsigned char scratch[4 << 20];

/* Pseudo-random in -1 .. 1. */
static double offset(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static void box(int i, dvc_body_kind kind, double x, double y, double half)
{
    memset(&bodies[i], 0, sizeof bodies[i]);
    memset(&shapes[i], 0, sizeof shapes[i]);
    bodies[i].kind = kind;
    bodies[i].position.x = x;
    bodies[i].position.y = y;
    shapes[i].kind = DVC_BOX;
    shapes[i].body = i;
    shapes[i].half.x = shapes[i].half.y = half;
    if (kind == DVC_DYNAMIC) dvc_body_mass_from_shapes_planar(&bodies[i], &shapes[i], 1, 1);
}

static dvc_world make_world(dvc_contact_model model, int count)
{
    dvc_world world = {
        .bodies = bodies, .body_count = count, .shapes = shapes, .shape_count = count,
        .contacts = contacts, .contact_capacity = 512, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 0, -9.81 }, .planar = true, .contact_model = model,
        .semi_implicit = model != DVC_PEG, .epsilon = model == DVC_PEG ? 0 : 0.07,
    };
    return world;
}

static dvc_world make_stack(dvc_contact_model model)
{
    uint32_t state = 3;
    for (int i = 0; i < BOXES; i++) box(i, i ? DVC_DYNAMIC : DVC_STATIC, 0.1 * offset(&state), 0.5 + 1.25 * i, 0.5);
    return make_world(model, BOXES);
}

static dvc_world make_tiles(dvc_contact_model model)
{
    for (int i = 0; i < TILES; i++) box(i, DVC_STATIC, i, -0.5, 0.5);
    box(TILES, DVC_DYNAMIC, 0.1, 0.25, 0.25);
    bodies[TILES].velocity.x = 4;
    return make_world(model, TILES + 1);
}

/* Steps and records; prints how it ends. */
static void play(record_run *run, dvc_world *world, int steps)
{
    int inexact = 0, failed = 0;
    for (int i = 0; i < steps; i++) {
        if (record_step(run, world, 0.005) != DVC_OK) failed++;
        inexact += world->report.inexact;
    }
    const dvc_body *last = &world->bodies[world->body_count - 1];
    printf("%-16s last box at (%.6f, %.6f), speed %.3g; inexact %d, failed %d\n", run->name, last->position.x, last->position.y,
           hypot(last->velocity.x, last->velocity.y), inexact, failed);
}

int main(void)
{
    static record_run stacks[3], tiles[3];
    printf("ten boxes, no friction, h = 0.005, 8 s:\n");
    for (int m = 0; m < 3; m++) {
        dvc_world world = make_stack(models[m]);
        stacks[m] = (record_run){ .name = names[m], .every = 4, .recorder = { .title = "Ten boxes without friction" } };
        play(&stacks[m], &world, 1600);
    }
    printf("a box at 4 m/s over flush tiles, no friction:\n");
    for (int m = 0; m < 3; m++) {
        dvc_world world = make_tiles(models[m]);
        tiles[m] = (record_run){ .name = names[m], .every = 4, .recorder = { .title = "A box on tiles" } };
        play(&tiles[m], &world, 500);
    }
    const double stack_time[] = { 2.5 }, stack_view[] = { -4, -0.5, 4, 11 }, tile_times[] = { 0.2, 1, 2 };
    bool ok = record_page("stack.html", stacks, 3) && record_page("tiles.html", tiles, 3)
              && record_stills("stack.svg", stacks, 3, stack_time, 1, stack_view)
              && record_stills("tiles.svg", tiles, 3, tile_times, 3, NULL)
              && record_plot("energy.svg", "energy (J)", record_energy, 0, stacks, 3);
    printf("now open stack.html and tiles.html in a browser; stack.svg shows the stacks after 2.5 s\n");
    return !ok;
}
