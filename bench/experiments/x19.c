/* X19 (W 5.1): one step in places where extended edges and faces make traps. Each case is a pair of bodies, one fixed, that
 * touch or nearly so, and a motion that is free: Polytope Exact Geometry must leave velocities as they are, to rounding,
 * but for what gravity does. What the other models make of the same step is listed beside. */
#include "experiment.h"

enum { SCRATCH = 1 << 24, DIRECTIONS = 24 };

#define STEP 0.01
#define PI 3.14159265358979323846

static const dvc_contact_model others[] = { DVC_STANDARD, DVC_LNC, DVC_CORRECTIVE };
static const char *const other_names[] = { "standard", "locally non-convex", "corrective" };

/* A case: bodies 0 (fixed) and 1; `expected` is the velocity after the step. */
typedef struct situation {
    scene *s;
    dvc_vec3 expected;
} situation;

typedef situation (*situation_maker)(int variant);

static situation begin(bool planar)
{
    situation c;
    c.s = scene_make(2, planar, SCRATCH);
    c.expected = scene_zero;
    return c;
}

static situation moving(situation c, dvc_vec3 velocity)
{
    c.s->bodies[1].velocity = c.expected = velocity;
    return c;
}

/* Fig. 5.1: a block lies on the fixed one and slides toward its end; its foremost corner is deep behind the end's edge. */
static situation from_behind(int variant)
{
    situation c = begin(true);
    scene_box(c.s, DVC_STATIC, v3(1, 0.5, 0), v3(0, -0.5, 0), 1, 0);
    scene_box(c.s, DVC_DYNAMIC, v3(0.5, 0.25, 0), v3(0.5 - 0.0005 * (variant + 1), 0.25, 0), 1, 0);
    return moving(c, v3(variant % 2 ? 2 : -2, 0, 0));
}

/* Without support it falls as well. */
static situation falling(situation c, dvc_vec3 velocity)
{
    c = moving(c, velocity);
    c.expected = oracle_along(c.expected, c.s->world.gravity, STEP);
    return c;
}

/* Fig. 5.2: two corners meet, each in the trap that the other body's extended edges make; the ways along both are free. */
static situation dual_trap(int variant)
{
    double angle = PI / 2 * variant / (DIRECTIONS - 1); /* from along the top to up along the side */
    situation c = begin(true);
    c.s->world.gravity = scene_zero;
    scene_box(c.s, DVC_STATIC, v3(0.5, 0.5, 0), v3(0.5, -0.5, 0), 1, 0);
    scene_box(c.s, DVC_DYNAMIC, v3(0.5, 0.5, 0), v3(-0.5, 0.5, 0), 1, 0);
    if (variant == DIRECTIONS - 1) return moving(c, v3(0, -1, 0)); /* down along the side */
    return moving(c, v3(cos(angle), sin(angle), 0));
}

/* Fig. 5.3: a cube on a larger body, its edge near that one's edge: it slides along, off and back, or falls past the side. */
static situation near_edge(int variant)
{
    situation c = begin(false);
    double angle = 2 * PI * (variant / 3) / (DIRECTIONS / 3), overhang = (variant % 3 - 1) * 0.004;
    scene_box(c.s, DVC_STATIC, v3(2, 1, 0.5), v3(-2, 0, -0.5), 1, 0);
    scene_box(c.s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), v3(overhang - 0.25, 0.1, 0.25), 1, 0);
    if (variant % 3 == 2 && variant / 3 == 0) { /* beside it, not over it */
        c.s->bodies[1].position = v3(0.25, 0.1, 0.25);
        return falling(c, v3(0, 0, -1));
    }
    return moving(c, v3(cos(angle), sin(angle), 0));
}

/* Fig. 5.4: a tetrahedron stands on an inverted one, face on equal face, corner on corner: free to slide every way, to rise,
 * and to turn about the vertical. */
static situation tetrahedra(int variant)
{
    double angle = 2 * PI * variant / (DIRECTIONS - 2) + 0.1;
    situation c = begin(false);
    dvc_vec3 low[4], high[4];
    int i;
    for (i = 0; i < 3; i++) low[i] = high[i] = v3(cos(2 * PI * i / 3), sin(2 * PI * i / 3), 0);
    low[3] = v3(0, 0, -1.4);
    high[3] = v3(0, 0, 1.4);
    scene_hull(c.s, DVC_STATIC, low, 4, scene_zero, 1, 0);
    scene_hull(c.s, DVC_DYNAMIC, high, 4, scene_zero, 1, 0);
    if (variant == DIRECTIONS - 2) c.s->bodies[1].angular_velocity = v3(0, 0, 0.5);
    else if (variant == DIRECTIONS - 1) c = falling(c, v3(0, 0, 1));
    else c = moving(c, v3(0.5 * cos(angle), 0.5 * sin(angle), 0));
    return c;
}

/* How much one step of a case differs from what it should be; overlap counts as well. */
static double error_of(situation_maker make, int variant, dvc_contact_model model)
{
    situation c = make(variant);
    const dvc_body *b = &c.s->bodies[1];
    dvc_vec3 spin = b->angular_velocity;
    double error;
    c.s->world.contact_model = model;
    experiment_step(&c.s->world, STEP);
    error = fmax(oracle_norm(oracle_minus(b->velocity, c.expected)), oracle_norm(oracle_minus(b->angular_velocity, spin)));
    error = fmax(error, -oracle_deepest(&c.s->world));
    scene_free(c.s);
    return error;
}

static void compare(const char *what, situation_maker make, int variants)
{
    double worst = 0;
    int i, k, disturbed, standard = 0;
    for (i = 0; i < variants; i++) worst = fmax(worst, error_of(make, i, DVC_PEG));
    experiment_at_most(worst, 1e-12, "%s: worst departure of %d steps", what, variants);
    for (worst = 0, i = 0; i < variants; i++) worst = fmax(worst, error_of(make, i, DVC_PEG_LITERAL));
    experiment_at_most(worst, 1e-12, "    the same by W's constraints, literally");
    for (k = 0; k < 3; k++) {
        for (disturbed = i = 0; i < variants; i++) disturbed += error_of(make, i, others[k]) > 1e-6;
        if (k == 0) standard = disturbed;
        else experiment_note(disturbed, "    disturbed, %s", other_names[k]);
    }
    experiment_at_least(standard, 1, "    disturbed, standard (a trap, to compare with)");
}

/* Straight into the trap of Fig. 5.2: it must close, without overlap and without giving energy. */
static void press(void)
{
    double overlap = 0, gain = 0;
    int i;
    for (i = 1; i < DIRECTIONS; i++) {
        situation c = dual_trap(0);
        double angle = PI / 2 * i / DIRECTIONS, before;
        c.s->bodies[1].velocity = v3(cos(angle), -sin(angle), 0);
        before = (double)dvc_energy(&c.s->world);
        experiment_step(&c.s->world, STEP);
        overlap = fmax(overlap, -oracle_deepest(&c.s->world));
        gain = fmax(gain, (double)dvc_energy(&c.s->world) - before);
        scene_free(c.s);
    }
    experiment_at_most(overlap, 1e-9, "corner pressed into the dual trap: overlap");
    experiment_at_most(gain, 1e-12, "corner pressed into the dual trap: energy gained");
}

int main(int argc, char **argv)
{
    experiment_begin("x19", argc, argv);
    compare("approach from behind", from_behind, DIRECTIONS);
    compare("dual trap", dual_trap, DIRECTIONS);
    press();
    compare("cube near an edge", near_edge, DIRECTIONS);
    compare("tetrahedron on tetrahedron", tetrahedra, DIRECTIONS);
    return experiment_end();
}
