/* ODE behind the interface of peers.h: dWorldStep (Dantzig) and dWorldQuickStep. Defaults; sleeping is off by default.
 * Friction as a pyramid scaled by the normal force (dContactApprox1). Planar scenes: prisms held by plane joints. */
#include "measure.h"
#include <ode/ode.h>
#include <vector>

namespace {

enum { DANTZIG = 0, QUICK = 1 };
enum { MOST_CONTACTS = 16 }; /* per pair */

/* Of a hull as ODE wants it: it keeps the pointers. */
struct Faces {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

struct World {
    const peers_scene *scene;
    int variant;
    double time = 0;
    int entered = 0;
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0), locks = dJointGroupCreate(0);
    std::vector<dBodyID> bodies;
    std::vector<Faces *> faces;

    World(const peers_scene *s, int v) : scene(s), variant(v) {}

    ~World()
    {
        dJointGroupDestroy(contacts);
        dJointGroupDestroy(locks);
        dSpaceDestroy(space);
        dWorldDestroy(world);
        for (Faces *f : faces) delete f;
    }
};

dGeomID new_convex(World &w, const peers_body &b)
{
    hull h;
    Faces *f = new Faces;
    w.faces.push_back(f);
    hull_of_body(w.scene->planar, &b, &h);
    for (int i = 0; i < h.vertex_count; i++) f->points.insert(f->points.end(), h.vertex[i], h.vertex[i] + 3);
    for (int i = 0; i < h.face_count; i++) {
        f->planes.insert(f->planes.end(), h.normal[i], h.normal[i] + 3);
        f->planes.push_back(h.offset[i]);
        f->polygons.push_back((unsigned)h.count[i]);
        for (int k = 0; k < h.count[i]; k++) f->polygons.push_back((unsigned)h.loop[h.first[i] + k]);
    }
    return dCreateConvex(w.space, f->planes.data(), (unsigned)h.face_count, f->points.data(), (unsigned)h.vertex_count,
                         f->polygons.data());
}

dGeomID new_geom(World &w, const peers_body &b)
{
    const double *n = b.normal;
    if (b.kind == PEERS_BOX) return dCreateBox(w.space, 2 * b.half[0], 2 * b.half[1], 2 * b.half[2]);
    if (b.kind == PEERS_SPHERE) return dCreateSphere(w.space, b.radius);
    if (b.kind == PEERS_PLANE) return dCreatePlane(w.space, n[0], n[1], n[2], vec_dot(n, b.start.position));
    return new_convex(w, b);
}

dBodyID new_body(World &w, const peers_body &b)
{
    const double *v = b.start.velocity, *s = b.start.spin;
    dBodyID body = dBodyCreate(w.world);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, s[0], s[1], s[2]);
    return body;
}

void add_body(World &w, const peers_body &b)
{
    const double *x = b.start.position;
    dGeomID geom = new_geom(w, b);
    dBodyID body = nullptr;
    dGeomSetData(geom, const_cast<peers_body *>(&b));
    if (!b.fixed) {
        body = new_body(w, b);
        dGeomSetBody(geom, body);
    }
    if (b.kind != PEERS_PLANE) {
        dQuaternion q = { b.start.turn[0], b.start.turn[1], b.start.turn[2], b.start.turn[3] };
        dGeomSetPosition(geom, x[0], x[1], x[2]);
        dGeomSetQuaternion(geom, q);
    }
    if (body && w.scene->planar) dJointAttach(dJointCreatePlane2D(w.world, w.locks), body, nullptr);
    w.bodies.push_back(body);
}

void near_pair(void *data, dGeomID a, dGeomID b)
{
    World *w = (World *)data;
    dContact contacts[MOST_CONTACTS];
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    int n = dCollide(a, b, MOST_CONTACTS, &contacts[0].geom, sizeof contacts[0]);
    double friction = ((const peers_body *)dGeomGetData(a))->friction * ((const peers_body *)dGeomGetData(b))->friction;
    for (int i = 0; i < n; i++) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = sqrt(friction);
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contacts[i]), body_a, body_b);
    }
}

void *open_world(const peers_scene *scene, int variant)
{
    static bool ready = false;
    if (!ready) dInitODE2(0);
    ready = true;
    World *w = new World(scene, variant);
    dWorldSetGravity(w->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    return w;
}

bool step_world(void *world)
{
    World *w = (World *)world;
    const peers_scene *s = w->scene;
    for (; w->entered < s->body_count && s->bodies[w->entered].enters <= w->time + 1e-9; w->entered++)
        add_body(*w, s->bodies[w->entered]);
    dSpaceCollide(w->space, w, near_pair);
    if (w->variant == QUICK) dWorldQuickStep(w->world, s->h);
    else dWorldStep(w->world, s->h);
    dJointGroupEmpty(w->contacts);
    w->time += s->h;
    return true;
}

void read_world(void *world, peers_state *states)
{
    World *w = (World *)world;
    for (int i = 0; i < w->scene->body_count; i++) {
        states[i] = w->scene->bodies[i].start;
        if (i >= w->entered || !w->bodies[i]) continue;
        dBodyID b = w->bodies[i];
        memcpy(states[i].position, dBodyGetPosition(b), sizeof states[i].position);
        memcpy(states[i].turn, dBodyGetQuaternion(b), sizeof states[i].turn);
        memcpy(states[i].velocity, dBodyGetLinearVel(b), sizeof states[i].velocity);
        memcpy(states[i].spin, dBodyGetAngularVel(b), sizeof states[i].spin);
    }
}

void close_world(void *world) { delete (World *)world; }

}

const peer peers_ode[] = {
    { "ODE dWorldStep", true, DANTZIG, open_world, step_world, read_world, close_world },
    { "ODE QuickStep", true, QUICK, open_world, step_world, read_world, close_world },
    { nullptr, false, 0, nullptr, nullptr, nullptr, nullptr },
};
