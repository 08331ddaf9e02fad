/* Blocks on ramps of several angles, friction 0.5: below 26.565 degrees they stick, above they slide with
 * a = g (sin - mu cos). Prints what they do beside what they should, and writes ramp.html, which plays
 * them one beside the other. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "record.h"
#include <math.h>

/* Distance slid after a second, down a ramp of this angle: the ramp stays level, gravity leans. */
static double slide(double angle, double mu, record_run *run)
{
    dvc_body bodies[2] = { { .kind = DVC_STATIC }, { .position = { 0, 0, 0.25 } } };
    dvc_shape shapes[2] = {
        { .kind = DVC_PLANE, .friction = mu, .normal = { 0, 0, 1 } },
        { .kind = DVC_BOX, .body = 1, .friction = mu, .half = { 0.5, 0.5, 0.25 } },
    };
    static dvc_contact contacts[32];
    static unsigned char scratch[1 << 18];
    dvc_world world = {
        .bodies = bodies, .body_count = 2, .shapes = shapes, .shape_count = 2,
        .contacts = contacts, .contact_capacity = 32, .scratch = scratch, .scratch_size = sizeof scratch,
        .gravity = { 9.81 * sin(angle), 0, -9.81 * cos(angle) },
    };
    dvc_body_mass_from_shapes(&bodies[1], &shapes[1], 1, 1000);
    for (int i = 0; i < 1000; i++)
        if (record_step(run, &world, 0.001) != DVC_OK) return -1;
    return bodies[1].position.x;
}

int main(void)
{
    const double mu = 0.5;
    static const char *const names[] = { "10 degrees", "15 degrees", "20 degrees", "25 degrees",
                                         "30 degrees", "35 degrees", "40 degrees", "45 degrees" };
    static record_run runs[8];
    printf("angle   slid m        closed form\n");
    for (int i = 0; i < 8; i++) {
        int degrees = 10 + 5 * i;
        double angle = degrees * 3.14159265358979323846 / 180, a = fmax(0, 9.81 * (sin(angle) - mu * cos(angle)));
        runs[i] = (record_run){ .name = names[i], .every = 20, .recorder = { .title = "Blocks on ramps, friction 0.5" } };
        printf("%5d   %.9f   %.9f\n", degrees, slide(angle, mu, &runs[i]), a / 2 * (1 + 0.001)); /* + a h t / 2: one step of lag */
    }
    return !record_page("ramp.html", runs, 8);
}
