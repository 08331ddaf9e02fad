/* Words shared by tests and experiments about machines: bodies without shapes, joints between them, and how far a joint is from
 * holding, from the poses alone. Include after scene.h, oracle.h and motion.h. */
#ifndef DVC_MACHINE_H
#define DVC_MACHINE_H

enum { MACHINE_CONTACTS = 256 };

/* Room for joints, springs and a few contacts; body 0 is static, at the origin, without a shape. */
SCENE_WORD scene *machine_make(int bodies, int joints, int springs, bool planar)
{
    scene *s = scene_make(bodies, planar, (size_t)1 << 23);
    s->world.contact_capacity = MACHINE_CONTACTS;
    s->world.joints = (dvc_joint *)scene_memory((size_t)joints, sizeof *s->world.joints);
    s->world.springs = (dvc_spring *)scene_memory((size_t)springs, sizeof *s->world.springs);
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    return s;
}

SCENE_WORD void machine_free(scene *s)
{
    free(s->world.joints);
    free(s->world.springs);
    scene_free(s);
}

SCENE_WORD int machine_body(scene *s, dvc_vec3 at, double mass, dvc_vec3 inertia)
{
    int body = scene_add(s, DVC_DYNAMIC, DVC_NO_SHAPE, at, 0);
    s->bodies[body].mass = (dvc_real)mass;
    s->bodies[body].inertia = inertia;
    return body;
}

/* A uniform bar along x of this length and thickness. */
SCENE_WORD int machine_bar(scene *s, dvc_vec3 at, double mass, double length, double thickness)
{
    double across = mass / 12 * (length * length + thickness * thickness);
    return machine_body(s, at, mass, v3(mass / 6 * thickness * thickness, across, across));
}

/* Joins two bodies as they lie; returns the index of the joint. */
SCENE_WORD int machine_join(scene *s, dvc_joint_kind kind, int body_a, int body_b, dvc_vec3 anchor, dvc_vec3 axis)
{
    int i = s->world.joint_count++;
    if (dvc_joint_attach(&s->world, kind, body_a, body_b, anchor, axis, &s->world.joints[i]) != DVC_OK) abort();
    return i;
}

SCENE_WORD int machine_spring(scene *s, int body_a, int body_b, double length, double stiffness, double damping)
{
    int i = s->world.spring_count++;
    dvc_spring *spring = &s->world.springs[i];
    spring->body_a = body_a;
    spring->body_b = body_b;
    spring->length = (dvc_real)length;
    spring->stiffness = (dvc_real)stiffness;
    spring->damping = (dvc_real)damping;
    return i;
}

/* ---- how far joints are from holding ---- */

SCENE_WORD dvc_vec3 machine_anchor(const scene *s, int body, dvc_vec3 anchor)
{
    return oracle_along(s->bodies[body].position, oracle_turn(s->bodies[body].orientation, anchor), 1);
}

SCENE_WORD dvc_quat machine_given(dvc_quat q)
{
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) q.w = 1;
    return q;
}

/* A joint's frame as a turn into the world. */
SCENE_WORD dvc_quat machine_frame(const scene *s, int body, dvc_quat frame)
{
    return oracle_compose(machine_given(s->bodies[body].orientation), machine_given(frame));
}

/* From anchor a to anchor b. */
SCENE_WORD dvc_vec3 machine_gap(const scene *s, const dvc_joint *j)
{
    dvc_vec3 gap = oracle_minus(machine_anchor(s, j->body_b, j->anchor_b), machine_anchor(s, j->body_a, j->anchor_a));
    if (s->world.planar) gap.z = 0;
    return gap;
}

SCENE_WORD double machine_apart(const scene *s, int joint)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_vec3 gap = machine_gap(s, j), axis = oracle_turn(machine_frame(s, j->body_a, j->frame_a), v3(0, 0, 1));
    if (j->kind == DVC_PRISMATIC || j->kind == DVC_CYLINDRICAL) gap = oracle_along(gap, axis, -oracle_dot(gap, axis));
    return oracle_norm(gap);
}

/* The angle between the parts of the frames that are to agree. */
SCENE_WORD double machine_tilted(const scene *s, int joint)
{
    const dvc_joint *j = &s->world.joints[joint];
    dvc_quat a = machine_frame(s, j->body_a, j->frame_a), b = machine_frame(s, j->body_b, j->frame_b);
    dvc_vec3 za = oracle_turn(a, v3(0, 0, 1)), zb = oracle_turn(b, v3(0, 0, 1));
    if (j->kind == DVC_SPHERICAL) return 0;
    if (j->kind == DVC_FIXED || j->kind == DVC_PRISMATIC) return motion_turned(a, b);
    return atan2(oracle_norm(oracle_cross(za, zb)), oracle_dot(za, zb));
}

/* Worst of all joints that are there: lengths per size, angles in rad. */
SCENE_WORD double machine_error(const scene *s, double size)
{
    double worst = 0;
    int i;
    for (i = 0; i < s->world.joint_count; i++) {
        const dvc_joint *j = &s->world.joints[i];
        if (j->kind == DVC_NO_JOINT || j->disabled) continue;
        worst = fmax(worst, fmax(machine_apart(s, i) / size, machine_tilted(s, i)));
    }
    return worst;
}

/* ---- reference motion ---- */

enum { MACHINE_STATES = 8 };

/* Rates of a system in generalised coordinates. */
typedef void (*machine_rates)(const double *state, double *rate);

/* One classical Runge-Kutta step of order 4. */
SCENE_WORD void machine_advance(machine_rates rates, double *state, int count, double h)
{
    static const double place[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
    double from[MACHINE_STATES], rate[MACHINE_STATES] = { 0 }, at[MACHINE_STATES];
    int stage, i;
    memcpy(from, state, (size_t)count * sizeof *state);
    for (stage = 0; stage < 4; stage++) {
        for (i = 0; i < count; i++) at[i] = from[i] + place[stage] * h * rate[i];
        rates(at, rate);
        for (i = 0; i < count; i++) state[i] += weight[stage] * h * rate[i];
    }
}

SCENE_WORD void machine_follow(machine_rates rates, double *state, int count, double seconds)
{
    int i, steps = 20000;
    for (i = 0; i < steps; i++) machine_advance(rates, state, count, seconds / steps);
}

/* ---- pendulums with a reference ---- */

#define MACHINE_PI 3.14159265358979323846
#define MACHINE_G 9.81
#define MACHINE_ROD_START 0.62831853071795865 /* rad from hanging straight: pi / 5 */
#define MACHINE_ROD_MOMENT ((3 * 0.01 + 0.25) / 12)

/* The hanging rod of the literature: .25 m from its joint to its centre, radius .1, 1 kg. */
SCENE_WORD scene *machine_rod(void)
{
    scene *s = machine_make(2, 1, 0, false);
    double angle = MACHINE_ROD_START;
    machine_body(s, v3(-0.25 * sin(angle), 0, 0.25 - 0.25 * cos(angle)), 1, v3(MACHINE_ROD_MOMENT, MACHINE_ROD_MOMENT, 0.005));
    s->bodies[1].orientation = dvc_quat_turn(v3(0, 1, 0), (dvc_real)angle);
    machine_join(s, DVC_SPHERICAL, 0, 1, v3(0, 0, 0.25), v3(0, 1, 0));
    return s;
}

/* Its exact motion: angle and rate. */
SCENE_WORD void machine_rod_rates(const double *state, double *rate)
{
    rate[0] = state[1];
    rate[1] = -MACHINE_G * 0.25 * sin(state[0]) / (MACHINE_ROD_MOMENT + 0.0625);
}

/* Two uniform bars of length 1, masses 1 and 2; their exact motion: angles from hanging, and their rates. */
SCENE_WORD void machine_two_bars_rates(const double *state, double *rate)
{
    double m1 = 1, m2 = 2, d = state[0] - state[1], c = m2 / 2 * cos(d), s = m2 / 2 * sin(d);
    double a = m1 / 3 + m2, b = m2 / 3, det = a * b - c * c;
    double p = -s * state[3] * state[3] - (m1 / 2 + m2) * MACHINE_G * sin(state[0]);
    double q = s * state[2] * state[2] - m2 / 2 * MACHINE_G * sin(state[1]);
    rate[0] = state[2];
    rate[1] = state[3];
    rate[2] = (p * b - c * q) / det;
    rate[3] = (a * q - c * p) / det;
}

#endif
