/* What seams do to what goes over them: a wheel of 32 sides and a cube on flat floors of flush boxes and of flush triangles, for three
 * frictions, speeds and step sizes each: 108 rows. In each run the same body goes over a half-space from the same place; a row says
 * how many contacts pushed that lean although the floor does not, how much higher than over the half-space the body came at most, and
 * how much farther from its way. Not a single contact may lean. A wheel that is fast for its sides hops, on the half-space, too, and
 * rounding grows from hop to hop: such rows are told, and their heights are not judged.
 *
 *     seams [RUNS [ROWS]]     runs in each row (4), the first rows only
 */
#define DVC_IMPLEMENTATION
#include "dvc.h"
#include "dvc_impl_tests/scene.h"
#include <math.h>
#include <stdio.h>

#define SEAMS_PI 3.14159265358979323846
enum { SEAMS_WIDE = 40, SEAMS_DEEP = 6, SEAMS_SIDES = 32, SEAMS_CONTACTS = 1 << 16 };

typedef struct seams_run { double lift, aside; int tilted, inexact; bool done, hops; } seams_run;

static void seams_tile(scene *s, char floor, int i, int k, double mu)
{
    double x = 0.25 * i - 1, y = 0.25 * (k - SEAMS_DEEP / 2);
    int half, v;
    if (floor == 'b') scene_box(s, DVC_STATIC, v3(0.125, 0.125, 0.5), v3(x + 0.125, y + 0.125, -0.5), 1, mu);
    for (half = 0; half < 2 && floor == 't'; half++) {
        dvc_vec3 p[6];
        for (v = 0; v < 3; v++) {
            double a = v == 1 ? 1 : v == 2 ? 1 - half : 0, b = v == 1 ? half : v == 2 ? 1 : 0;
            p[v] = v3(x + 0.25 * a, y + 0.25 * b, 0);
            p[v + 3] = v3(x + 0.25 * a, y + 0.25 * b, -1);
        }
        scene_hull(s, DVC_STATIC, p, 6, scene_zero, 1, mu);
    }
}

static scene *seams_scene(char floor, char kind, double mu)
{
    scene *s = scene_make(2 * SEAMS_WIDE * SEAMS_DEEP + 1, false, (size_t)1 << 28);
    dvc_vec3 rim[2 * SEAMS_SIDES];
    int i, k, body;
    free(s->world.contacts);
    s->world.contact_capacity = SEAMS_CONTACTS;
    s->world.contacts = (dvc_contact *)scene_memory(SEAMS_CONTACTS, sizeof(dvc_contact));
    if (floor == 'p') scene_ground(s, mu);
    for (i = 0; i < SEAMS_WIDE && floor != 'p'; i++)
        for (k = 0; k < SEAMS_DEEP; k++) seams_tile(s, floor, i, k, mu);
    if (kind == 'c') {
        scene_box(s, DVC_DYNAMIC, v3(0.1, 0.1, 0.1), scene_zero, 2.4, mu);
        return s;
    }
    body = scene_hull(s, DVC_DYNAMIC, rim, dvc_cylinder_points(SEAMS_SIDES, (dvc_real)0.2, (dvc_real)0.12, rim), scene_zero, 300, mu);
    s->shapes[body].orientation = dvc_quat_turn(v3(1, 0, 0), (dvc_real)(SEAMS_PI / 2));
    scene_density(s, body, 300);
    return s;
}

/* The same scene again, with the body at its start. */
static seams_run seams_cross(scene *s, char kind, double v, double h, int r)
{
    seams_run run = { 0, 0, 0, 0, true, false };
    dvc_body *b = &s->bodies[s->world.body_count - 1];
    double height = kind == 'w' ? 0.2 : 0.1, y = 0.2 * ((r * 7 % 40) / 40.0 - 0.5);
    int step, i;
    b->position = v3(-0.5 + 0.003 * r, y, height);
    b->orientation = dvc_quat_turn(v3(1, 0, 0), 0);
    b->velocity = v3(v, 0, 0);
    b->angular_velocity = v3(0, kind == 'w' ? v / 0.2 : 0, 0);
    s->world.contact_count = 0;
    s->world.time = 0;
    for (step = 0; step < (int)(3 / h) && run.done && b->position.x <= 8; step++) {
        run.done = dvc_step(&s->world, (dvc_real)h) == DVC_OK;
        run.inexact += s->world.report.inexact > 0;
        for (i = 0; i < s->world.contact_count; i++)
            run.tilted += s->world.contacts[i].normal_impulse > (dvc_real)1e-9 && s->world.contacts[i].normal.z < (dvc_real)0.999;
        run.lift = fmax(run.lift, (double)b->position.z - height);
        run.aside = fmax(run.aside, fabs((double)b->position.y - y));
    }
    return run;
}

static seams_run seams_row(char floor, char kind, double mu, double v, double h, int runs)
{
    seams_run sum = { 0, 0, 0, 0, true, false }, most = sum;
    scene *tiles = seams_scene(floor, kind, mu), *plane = seams_scene('p', kind, mu);
    int r;
    for (r = 0; r < runs; r++) {
        seams_run flat = seams_cross(plane, kind, v, h, r), run = seams_cross(tiles, kind, v, h, r);
        sum.tilted += run.tilted;
        sum.inexact += run.inexact;
        sum.lift = fmax(sum.lift, run.lift);
        sum.aside = fmax(sum.aside, run.aside);
        most.lift = fmax(most.lift, flat.lift);
        most.aside = fmax(most.aside, flat.aside);
        sum.done = sum.done && run.done && flat.done;
    }
    sum.hops = most.lift > 1e-3;
    sum.lift -= most.lift;
    sum.aside -= most.aside;
    scene_free(tiles);
    scene_free(plane);
    return sum;
}

int main(int argc, char **argv)
{
    const double mu[3] = { 0, 0.3, 0.9 }, v[3] = { 1, 3, 6 }, h[3] = { 0.002, 0.01, 1.0 / 60 };
    int runs = argc > 1 ? atoi(argv[1]) : 4, rows = argc > 2 ? atoi(argv[2]) : 108, row, bad = 0, tilted = 0;
    printf("floor body friction speed step | leaning pushes | lift, aside beyond a plane's [m] | inexact steps\n");
    for (row = 0; row < rows && row < 108; row++) {
        char floor = row / 54 ? 't' : 'b', kind = row / 27 % 2 ? 'c' : 'w';
        seams_run run = seams_row(floor, kind, mu[row / 9 % 3], v[row / 3 % 3], h[row % 3], runs);
        bool well = run.done && run.tilted == 0 && (run.hops || (run.lift <= 1e-6 && run.aside <= 1e-3));
        tilted += run.tilted;
        bad += !well;
        printf("%-9s %-5s %.1f %g %.4f | %d | %9.2e %9.2e | %d%s\n", floor == 't' ? "triangles" : "boxes", kind == 'w' ? "wheel" : "cube",
               mu[row / 9 % 3], v[row / 3 % 3], h[row % 3], run.tilted, run.lift, run.aside, run.inexact, !well ? "   <- !" : run.hops ? "   hops" : "");
        fflush(stdout);
    }
    printf("%d leaning pushes, %d of %d rows not as on a plane\n", tilted, bad, row);
    return bad > 0;
}
