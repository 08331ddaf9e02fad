/* Chipmunk 7 behind the interface of peers.h: planar scenes only. Defaults (10 iterations, slop 0.1, a bias that keeps 0.1 %
 * of overlap per second), sleeping is off by default. A plane becomes a wide box. */
#include "measure.h"
#include <chipmunk/chipmunk.h>
#include <stdlib.h>

typedef struct chipmunk_peer {
    const peers_scene *scene;
    cpSpace *space;
    double time;
    int entered;
    cpBody **bodies;
    cpShape **shapes;
} chipmunk_peer;

static cpShape *new_shape(const peers_body *b, cpBody *body)
{
    cpVect points[PEERS_POINTS];
    int i;
    if (b->kind == PEERS_BOX) return cpBoxShapeNew(body, 2 * b->half[0], 2 * b->half[1], 0);
    if (b->kind == PEERS_PLANE) return cpBoxShapeNew2(body, cpBBNew(-100, -2, 100, 0), 0);
    if (b->kind == PEERS_SPHERE) return cpCircleShapeNew(body, b->radius, cpvzero);
    for (i = 0; i < b->point_count; i++) points[i] = cpv(b->points[i][0], b->points[i][1]);
    return cpPolyShapeNewRaw(body, b->point_count, points, 0);
}

/* Chipmunk multiplies the frictions of a pair. */
static void add_body(chipmunk_peer *p, int i)
{
    const peers_body *b = &p->scene->bodies[i];
    cpBody *body = b->fixed ? cpBodyNewStatic() : cpBodyNew(b->mass, b->inertia[2]);
    cpBodySetPosition(body, cpv(b->start.position[0], b->start.position[1]));
    cpBodySetAngle(body, b->kind == PEERS_PLANE ? atan2(-b->normal[0], b->normal[1]) : state_angle(&b->start));
    if (!b->fixed) {
        cpBodySetVelocity(body, cpv(b->start.velocity[0], b->start.velocity[1]));
        cpBodySetAngularVelocity(body, b->start.spin[2]);
    }
    cpSpaceAddBody(p->space, body);
    p->bodies[i] = body;
    p->shapes[i] = new_shape(b, body);
    cpShapeSetFriction(p->shapes[i], sqrt(b->friction));
    cpSpaceAddShape(p->space, p->shapes[i]);
}

static void *open_chipmunk(const peers_scene *scene, int variant)
{
    chipmunk_peer *p;
    (void)variant;
    if (!scene->planar) return NULL;
    p = (chipmunk_peer *)calloc(1, sizeof *p);
    p->scene = scene;
    p->bodies = (cpBody **)calloc((size_t)scene->body_count, sizeof *p->bodies);
    p->shapes = (cpShape **)calloc((size_t)scene->body_count, sizeof *p->shapes);
    p->space = cpSpaceNew();
    cpSpaceSetGravity(p->space, cpv(scene->gravity[0], scene->gravity[1]));
    return p;
}

static bool step_chipmunk(void *world)
{
    chipmunk_peer *p = (chipmunk_peer *)world;
    while (p->entered < p->scene->body_count && p->scene->bodies[p->entered].enters <= p->time + 1e-9) add_body(p, p->entered++);
    cpSpaceStep(p->space, p->scene->h);
    p->time += p->scene->h;
    return true;
}

static void read_chipmunk(void *world, peers_state *states)
{
    chipmunk_peer *p = (chipmunk_peer *)world;
    int i;
    for (i = 0; i < p->scene->body_count; i++) {
        cpBody *b = p->bodies[i];
        states[i] = p->scene->bodies[i].start;
        if (i >= p->entered || p->scene->bodies[i].fixed) continue;
        states[i].position[0] = cpBodyGetPosition(b).x;
        states[i].position[1] = cpBodyGetPosition(b).y;
        states[i].turn[0] = cos(0.5 * cpBodyGetAngle(b));
        states[i].turn[3] = sin(0.5 * cpBodyGetAngle(b));
        states[i].velocity[0] = cpBodyGetVelocity(b).x;
        states[i].velocity[1] = cpBodyGetVelocity(b).y;
        states[i].spin[2] = cpBodyGetAngularVelocity(b);
    }
}

static void close_chipmunk(void *world)
{
    chipmunk_peer *p = (chipmunk_peer *)world;
    int i;
    for (i = 0; i < p->entered; i++) {
        cpSpaceRemoveShape(p->space, p->shapes[i]);
        cpSpaceRemoveBody(p->space, p->bodies[i]);
        cpShapeFree(p->shapes[i]);
        cpBodyFree(p->bodies[i]);
    }
    cpSpaceFree(p->space);
    free(p->bodies);
    free(p->shapes);
    free(p);
}

const peer peers_chipmunk[] = {
    { "Chipmunk 7", false, 0, open_chipmunk, step_chipmunk, read_chipmunk, close_chipmunk },
    { NULL, false, 0, NULL, NULL, NULL, NULL },
};
