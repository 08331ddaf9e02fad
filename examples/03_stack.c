/* Why exact geometry matters. Ten boxes without friction, dropped with random offsets, under three contact models; and a
 * box that slides over flush tiles. Writes stack.html, which plays both, and stack.svg, a picture.
 *
 *     exact (PEG)   one disjunction per pair: the stack stands, the box does not notice the seams
 *     standard      all near contacts at once: corners trap each other
 *     corrective    only what overlaps is pushed apart: the stack shakes itself to pieces */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "show.h"
#include <stdint.h>
#include <string.h>

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

/* Steps and shows; draws the world at 2.5 s, and prints how it ends. */
static void play(show_page *page, dvc_world *world, int steps, const char *name, FILE *svg, double svg_x)
{
    int inexact = 0, failed = 0;
    for (int i = 0; i <= steps; i++) {
        if (i % 6 == 0) show_frame(page, world);
        if (svg && i == 500) {
            fprintf(svg, "<svg x='%g' width='196' height='300'>\n", svg_x);
            show_svg(svg, world, 26, 98, 295);
            fprintf(svg, "</svg><text x='%g' y='320' fill='#888'>%s</text>\n", svg_x + 98, name);
        }
        if (dvc_step(world, 0.005) != DVC_OK) failed++;
        inexact += world->report.inexact;
    }
    int last = world->body_count - 1;
    printf("%-16s last box at (%.6f, %.6f), speed %.3g; inexact %d, failed %d\n", name, bodies[last].position.x, bodies[last].position.y,
           sqrt(bodies[last].velocity.x * bodies[last].velocity.x + bodies[last].velocity.y * bodies[last].velocity.y), inexact, failed);
}

int main(void)
{
    show_page *page = show_open("stack.html", "Ten boxes without friction, and a box on tiles");
    FILE *svg = fopen("stack.svg", "w");
    if (!page || !svg) return fprintf(stderr, "cannot write stack.html and stack.svg here\n"), 1;

    fprintf(svg, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 600 330' font-family='sans-serif' font-size='15' text-anchor='middle'>\n");
    printf("ten boxes, no friction, h = 0.005, 8 s:\n");
    for (int m = 0; m < 3; m++) {
        dvc_world world = make_stack(models[m]);
        show_panel(page, names[m], &world, -4, -0.5, 4, 12);
        play(page, &world, 1600, names[m], svg, 200 * m);
    }
    fprintf(svg, "</svg>\n");
    fclose(svg);

    printf("a box at 4 m/s over flush tiles, no friction:\n");
    for (int m = 0; m < 3; m++) {
        dvc_world world = make_tiles(models[m]);
        show_panel(page, names[m], &world, -1, -1.5, 12, 2);
        play(page, &world, 500, names[m], NULL, 0);
    }
    show_close(page);
    printf("now open stack.html in a browser; stack.svg shows the first three after 2.5 s\n");
    return 0;
}
