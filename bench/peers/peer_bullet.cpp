/* Bullet behind the interface of peers.h: sequential impulses and, as "Dantzig", its MLCP solver; "1 mm" has a thin margin
 * around hulls in place of the default 4 cm. Defaults, sleeping off. Single precision unless built against the package
 * bullet-float64. Planar scenes: prisms, locked to the plane by linear and angular factors. */
#include "measure.h"
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {

enum { SEQUENTIAL = 0, THIN = 1, DANTZIG = 2 };

struct World {
    const peers_scene *scene;
    int variant;
    double time = 0;
    int entered = 0;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    World(const peers_scene *s, int v) : scene(s), variant(v), dispatcher(&configuration)
    {
        if (v == DANTZIG) solver.reset(new btMLCPSolver(&dantzig));
        else solver.reset(new btSequentialImpulseConstraintSolver);
        world.reset(new btDiscreteDynamicsWorld(&dispatcher, &broadphase, solver.get(), &configuration));
        if (v == DANTZIG) world->getSolverInfo().m_minimumSolverBatchSize = 1; /* island by island */
    }

    ~World()
    {
        for (auto &b : bodies) world->removeRigidBody(b.get());
    }
};

btVector3 vec(const double *v) { return btVector3((btScalar)v[0], (btScalar)v[1], (btScalar)v[2]); }

btCollisionShape *new_shape(const peers_scene *scene, const peers_body &b, int variant)
{
    if (b.kind == PEERS_BOX) return new btBoxShape(vec(b.half));
    if (b.kind == PEERS_SPHERE) return new btSphereShape((btScalar)b.radius);
    if (b.kind == PEERS_PLANE) return new btStaticPlaneShape(vec(b.normal), 0);
    double corners[HULL_VERTICES][3];
    int n = body_corners(scene->planar, &b, corners);
    btConvexHullShape *hull = new btConvexHullShape;
    for (int i = 0; i < n; i++) hull->addPoint(vec(corners[i]), false);
    hull->recalcLocalAabb();
    if (variant == THIN) hull->setMargin((btScalar)0.001);
    return hull;
}

/* Bullet multiplies the frictions of a pair. */
void add_body(World &w, const peers_body &b)
{
    const double *q = b.start.turn;
    btTransform pose(btQuaternion((btScalar)q[1], (btScalar)q[2], (btScalar)q[3], (btScalar)q[0]), vec(b.start.position));
    btCollisionShape *shape = new_shape(w.scene, b, w.variant);
    w.shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info((btScalar)(b.fixed ? 0 : b.mass), nullptr, shape,
                                                  b.fixed ? btVector3(0, 0, 0) : vec(b.inertia));
    info.m_startWorldTransform = pose;
    info.m_friction = (btScalar)sqrt(b.friction);
    btRigidBody *body = new btRigidBody(info);
    w.bodies.emplace_back(body);
    if (!b.fixed) {
        body->setActivationState(DISABLE_DEACTIVATION);
        body->setLinearVelocity(vec(b.start.velocity));
        body->setAngularVelocity(vec(b.start.spin));
        if (w.scene->planar) {
            body->setLinearFactor(btVector3(1, 1, 0));
            body->setAngularFactor(btVector3(0, 0, 1));
        }
    }
    w.world->addRigidBody(body);
}

void *open_world(const peers_scene *scene, int variant)
{
    World *w = new World(scene, variant);
    w->world->setGravity(vec(scene->gravity));
    return w;
}

bool step_world(void *world)
{
    World *w = (World *)world;
    const peers_scene *s = w->scene;
    for (; w->entered < s->body_count && s->bodies[w->entered].enters <= w->time + 1e-9; w->entered++)
        add_body(*w, s->bodies[w->entered]);
    w->world->stepSimulation((btScalar)s->h, 0);
    w->time += s->h;
    return true;
}

void read_world(void *world, peers_state *states)
{
    World *w = (World *)world;
    for (int i = 0; i < w->scene->body_count; i++) {
        peers_state &s = states[i];
        s = w->scene->bodies[i].start;
        if (i >= w->entered || w->scene->bodies[i].fixed) continue;
        const btRigidBody *b = w->bodies[i].get();
        btQuaternion q = b->getCenterOfMassTransform().getRotation();
        s.turn[0] = q.w();
        for (int k = 0; k < 3; k++) {
            s.position[k] = b->getCenterOfMassPosition()[k];
            s.turn[1 + k] = q[k];
            s.velocity[k] = b->getLinearVelocity()[k];
            s.spin[k] = b->getAngularVelocity()[k];
        }
    }
}

void close_world(void *world) { delete (World *)world; }

}

const peer peers_bullet[] = {
    { "Bullet SI", true, SEQUENTIAL, open_world, step_world, read_world, close_world },
    { "Bullet SI 1 mm", true, THIN, open_world, step_world, read_world, close_world },
    { "Bullet Dantzig", true, DANTZIG, open_world, step_world, read_world, close_world },
    { nullptr, false, 0, nullptr, nullptr, nullptr, nullptr },
};
