/* dvc.h behind the interface of peers.h, with exact end poses and in the seeds' semi-implicit form. Planar scenes run in a
 * planar world. Contacts and scratch grow when a step asks for more, up to a limit. Where a scene begins with many fixed bodies, a
 * terrain is built of them. */
#define DVC_STAGE(name) (dvc_peer_stage ? dvc_peer_stage(name) : (void)0)
extern void (*dvc_peer_stage)(const char *name);
#define DVC_IMPLEMENTATION
#include "peer_dvc.h"
#include "measure.h"
#include <stdlib.h>

#define DVC_SCRATCH_LIMIT ((size_t)6 << 30)
#define DVC_TERRAIN_FROM 64 /* fixed bodies */

typedef struct dvc_peer {
    const peers_scene *scene;
    dvc_world world;
    dvc_polytope *hulls;
    void **storage; /* (body_count) of hulls; polygons' points */
    dvc_terrain terrain;
    void *ground; /* its storage */
    bool enters;  /* some bodies come later */
} dvc_peer;

static dvc_vec3 to_vec(const double *v)
{
    dvc_vec3 out;
    out.x = (dvc_real)v[0];
    out.y = (dvc_real)v[1];
    out.z = (dvc_real)v[2];
    return out;
}

static void from_vec(dvc_vec3 v, double *out)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void set_polygon(dvc_peer *p, int i)
{
    const peers_body *b = &p->scene->bodies[i];
    dvc_vec2 *points = (dvc_vec2 *)malloc((size_t)b->point_count * sizeof *points);
    int k;
    for (k = 0; k < b->point_count; k++) {
        points[k].x = (dvc_real)b->points[k][0];
        points[k].y = (dvc_real)b->points[k][1];
    }
    p->storage[i] = points;
    p->world.shapes[i].kind = DVC_POLYGON;
    p->world.shapes[i].points = points;
    p->world.shapes[i].point_count = b->point_count;
}

static void set_polytope(dvc_peer *p, int i)
{
    const peers_body *b = &p->scene->bodies[i];
    dvc_vec3 points[PEERS_POINTS];
    size_t size = dvc_polytope_size(b->point_count);
    int k;
    for (k = 0; k < b->point_count; k++) points[k] = to_vec(b->points[k]);
    p->storage[i] = malloc(size);
    if (dvc_polytope_build(points, b->point_count, p->storage[i], size, &p->hulls[i]) != DVC_OK) abort();
    p->world.shapes[i].kind = DVC_POLYTOPE;
    p->world.shapes[i].polytope = &p->hulls[i];
}

static void set_body(dvc_peer *p, int i)
{
    static const dvc_shape_kind kinds[] = { DVC_BOX, DVC_SPHERE, DVC_NO_SHAPE, DVC_PLANE };
    const peers_body *b = &p->scene->bodies[i];
    dvc_body *body = &p->world.bodies[i];
    dvc_shape *shape = &p->world.shapes[i];
    body->kind = b->fixed ? DVC_STATIC : DVC_DYNAMIC;
    body->disabled = b->enters > 0;
    body->mass = (dvc_real)b->mass;
    body->inertia = to_vec(b->inertia);
    body->position = to_vec(b->start.position);
    body->orientation.w = (dvc_real)b->start.turn[0];
    body->orientation.x = (dvc_real)b->start.turn[1];
    body->orientation.y = (dvc_real)b->start.turn[2];
    body->orientation.z = (dvc_real)b->start.turn[3];
    body->velocity = to_vec(b->start.velocity);
    body->angular_velocity = to_vec(b->start.spin);
    shape->body = i;
    shape->kind = kinds[b->kind];
    shape->friction = (dvc_real)b->friction;
    shape->half = to_vec(b->half);
    shape->radius = (dvc_real)b->radius;
    shape->normal = to_vec(b->normal);
    if (b->kind == PEERS_HULL && p->scene->planar) set_polygon(p, i);
    else if (b->kind == PEERS_HULL) set_polytope(p, i);
}

static void set_terrain(dvc_peer *p)
{
    int count = 0;
    size_t size;
    while (count < p->scene->body_count && p->scene->bodies[count].fixed) count++;
    if (count < DVC_TERRAIN_FROM) return;
    size = dvc_terrain_size(&p->world, count, count);
    p->ground = malloc(size);
    if (dvc_terrain_build(&p->world, count, count, p->ground, size, &p->terrain) != DVC_OK) abort();
    p->world.terrain = &p->terrain;
}

static void *open_dvc(const peers_scene *scene, int semi_implicit)
{
    dvc_peer *p = (dvc_peer *)calloc(1, sizeof *p);
    size_t n = (size_t)scene->body_count;
    int i;
    p->scene = scene;
    p->hulls = (dvc_polytope *)calloc(n, sizeof *p->hulls);
    p->storage = (void **)calloc(n, sizeof *p->storage);
    p->world.bodies = (dvc_body *)calloc(n, sizeof *p->world.bodies);
    p->world.shapes = (dvc_shape *)calloc(n, sizeof *p->world.shapes);
    p->world.body_count = p->world.shape_count = scene->body_count;
    p->world.contact_capacity = 256 + 32 * scene->body_count;
    p->world.contacts = (dvc_contact *)calloc((size_t)p->world.contact_capacity, sizeof(dvc_contact));
    p->world.scratch_size = (size_t)4 << 20;
    p->world.scratch = malloc(p->world.scratch_size);
    p->world.gravity = to_vec(scene->gravity);
    p->world.planar = scene->planar;
    p->world.semi_implicit = semi_implicit != 0;
    for (i = 0; i < scene->body_count; i++) {
        set_body(p, i);
        p->enters = p->enters || scene->bodies[i].enters > 0;
    }
    set_terrain(p);
    return p;
}

static bool grow_scratch(dvc_world *w)
{
    size_t size = 2 * (w->report.scratch_needed > w->scratch_size ? w->report.scratch_needed : w->scratch_size);
    if (size > DVC_SCRATCH_LIMIT) return false;
    free(w->scratch);
    w->scratch = malloc(size);
    w->scratch_size = size;
    return w->scratch != NULL;
}

static bool grow_contacts(dvc_world *w)
{
    int more = 2 * (w->report.contacts_needed > w->contact_capacity ? w->report.contacts_needed : w->contact_capacity);
    dvc_contact *contacts = (dvc_contact *)realloc(w->contacts, (size_t)more * sizeof *contacts);
    if (!contacts) return false;
    memset(contacts + w->contact_capacity, 0, (size_t)(more - w->contact_capacity) * sizeof *contacts);
    w->contacts = contacts;
    w->contact_capacity = more;
    return true;
}

bool dvc_peer_advance(dvc_world *w, double h)
{
    for (;;) {
        dvc_status status = dvc_step(w, (dvc_real)h);
        if (status == DVC_ERROR_SCRATCH && grow_scratch(w)) continue;
        if (status == DVC_ERROR_CONTACTS && grow_contacts(w)) continue;
        return status == DVC_OK;
    }
}

void (*dvc_peer_stage)(const char *name);

dvc_world *dvc_peer_world(void *world) { return &((dvc_peer *)world)->world; }

static bool step_dvc(void *world)
{
    dvc_peer *p = (dvc_peer *)world;
    int i;
    for (i = 0; p->enters && i < p->scene->body_count; i++)
        p->world.bodies[i].disabled = p->scene->bodies[i].enters > p->world.time + 1e-9;
    return dvc_peer_advance(&p->world, p->scene->h);
}

static void read_dvc(void *world, peers_state *states)
{
    dvc_peer *p = (dvc_peer *)world;
    int i;
    for (i = 0; i < p->scene->body_count; i++) {
        const dvc_body *b = &p->world.bodies[i];
        from_vec(b->position, states[i].position);
        states[i].turn[0] = (double)b->orientation.w;
        states[i].turn[1] = (double)b->orientation.x;
        states[i].turn[2] = (double)b->orientation.y;
        states[i].turn[3] = (double)b->orientation.z;
        from_vec(b->velocity, states[i].velocity);
        from_vec(b->angular_velocity, states[i].spin);
    }
}

static void close_dvc(void *world)
{
    dvc_peer *p = (dvc_peer *)world;
    int i;
    for (i = 0; i < p->scene->body_count; i++) free(p->storage[i]);
    free(p->storage);
    free(p->hulls);
    free(p->ground);
    free(p->world.bodies);
    free(p->world.shapes);
    free(p->world.contacts);
    free(p->world.scratch);
    free(p);
}

const peer peers_dvc[] = {
    { "dvc", true, 0, open_dvc, step_dvc, read_dvc, close_dvc },
    { "dvc semi-implicit", true, 1, open_dvc, step_dvc, read_dvc, close_dvc },
    { NULL, false, 0, NULL, NULL, NULL, NULL },
};
