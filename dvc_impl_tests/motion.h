/* Words shared by the suites about poses and motion: random vectors, turns, what a body's turning amounts to. Include after
 * oracle.h. */
#ifndef DVC_MOTION_H
#define DVC_MOTION_H

/* Uniform in a cube, or in a square. */
SCENE_WORD dvc_vec3 motion_vec(double size, bool planar)
{
    double x = test_random(-size, size), y = test_random(-size, size), z = test_random(-size, size);
    return v3(x, y, planar ? 0 : z);
}

SCENE_WORD double motion_apart(dvc_vec3 a, dvc_vec3 b) { return oracle_norm(oracle_minus(a, b)); }

SCENE_WORD dvc_vec3 motion_times(dvc_vec3 a, dvc_vec3 b)
{
    return v3((double)(a.x * b.x), (double)(a.y * b.y), (double)(a.z * b.z));
}

/* The i-th axis, as long as `length`. */
SCENE_WORD dvc_vec3 motion_axis(int i, double length) { return v3((i == 0) * length, (i == 1) * length, (i == 2) * length); }

/* Back again; all zero is the identity. */
SCENE_WORD dvc_quat motion_inverse(dvc_quat q)
{
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) q.w = 1;
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

/* The turn by |r| about r. */
SCENE_WORD dvc_quat motion_exp(dvc_vec3 r)
{
    double angle = oracle_norm(r), scale = angle > 0 ? sin(angle / 2) / angle : 0.5;
    dvc_quat q;
    q.w = (dvc_real)cos(angle / 2);
    q.x = (dvc_real)(scale * (double)r.x);
    q.y = (dvc_real)(scale * (double)r.y);
    q.z = (dvc_real)(scale * (double)r.z);
    return q;
}

/* The least turn from p to q, as its angle along its axis. */
SCENE_WORD dvc_vec3 motion_between(dvc_quat p, dvc_quat q)
{
    dvc_quat d = oracle_compose(q, motion_inverse(p));
    dvc_vec3 axis = v3((double)d.x, (double)d.y, (double)d.z);
    double sine = oracle_norm(axis), angle = 2 * atan2(sine, fabs((double)d.w));
    return sine > 0 ? oracle_scaled(axis, (d.w < 0 ? -1 : 1) * angle / sine) : scene_zero;
}

SCENE_WORD double motion_turned(dvc_quat p, dvc_quat q) { return oracle_norm(motion_between(p, q)); }

/* R diag(moments) R' w: a momentum from a velocity, or, with the inverse moments, the other way. */
SCENE_WORD dvc_vec3 motion_by_moments(dvc_quat q, dvc_vec3 moments, dvc_vec3 w)
{
    return oracle_turn(q, motion_times(moments, oracle_turn(motion_inverse(q), w)));
}

SCENE_WORD dvc_vec3 motion_inverse_moments(const dvc_body *body)
{
    return v3(1 / (double)body->inertia.x, 1 / (double)body->inertia.y, 1 / (double)body->inertia.z);
}

SCENE_WORD dvc_vec3 motion_spin_momentum(const dvc_body *body)
{
    return motion_by_moments(body->orientation, body->inertia, body->angular_velocity);
}

#endif
