/* Blocks on ramps of several angles, friction 0.5: below 26.565 degrees they stick, above they slide with
 * a = g (sin - mu cos). Prints what they do beside what they should. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include <math.h>
#include <stdio.h>

/* Distance slid after a second, down a ramp of this angle: the ramp stays level, gravity leans. */
static double slide(double angle, double mu)
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
        if (dvc_step(&world, 0.001) != DVC_OK) return -1;
    return bodies[1].position.x;
}

int main(void)
{
    const double mu = 0.5;
    printf("angle   slid m        closed form\n");
    for (int degrees = 10; degrees <= 45; degrees += 5) {
        double angle = degrees * 3.14159265358979323846 / 180, a = fmax(0, 9.81 * (sin(angle) - mu * cos(angle)));
        printf("%5d   %.9f   %.9f\n", degrees, slide(angle, mu), a / 2 * (1 + 0.001)); /* + a h t / 2: one step of lag */
    }
    return 0;
}
