/* DART behind the interface of peers.h: its default collision detector (FCL, boxes as meshes) and its own, which knows boxes
 * and spheres only. Everything else at defaults; DART has no sleeping. Planes become wide boxes. Planar scenes: prisms on
 * planar joints. */
#include "measure.h"
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dart.hpp>
#include <string>

namespace {

enum { FCL = 0, NATIVE = 1 };

using namespace dart::dynamics;

struct World {
    const peers_scene *scene;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    int entered = 0;
    std::vector<SkeletonPtr> bodies;
};

Eigen::Vector3d vec(const double *v) { return Eigen::Vector3d(v[0], v[1], v[2]); }

/* A plane's box has its upper side in the plane z = 0, or y = 0, of its frame. */
Eigen::Isometry3d pose_of(const peers_scene *scene, const peers_body &b)
{
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    const double *q = b.start.turn;
    pose.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    pose.translation() = vec(b.start.position);
    if (b.kind == PEERS_PLANE) {
        Eigen::Vector3d up(0, scene->planar, !scene->planar);
        pose.linear() = Eigen::Quaterniond::FromTwoVectors(up, vec(b.normal)).toRotationMatrix();
        pose.translation() -= vec(b.normal);
    }
    return pose;
}

/* Through the importer's text format, the only way in. */
ShapePtr new_mesh(const peers_scene *scene, const peers_body &b)
{
    hull h;
    std::string text;
    char line[200];
    hull_of_body(scene->planar, &b, &h);
    for (int i = 0; i < h.vertex_count; i++) {
        snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", h.vertex[i][0], h.vertex[i][1], h.vertex[i][2]);
        text += line;
    }
    for (int f = 0; f < h.face_count; f++)
        for (int k = 1; k + 1 < h.count[f]; k++) {
            const int *loop = h.loop + h.first[f];
            snprintf(line, sizeof line, "f %d %d %d\n", loop[0] + 1, loop[k] + 1, loop[k + 1] + 1);
            text += line;
        }
    const aiScene *mesh = aiImportFileFromMemory(text.data(), (unsigned)text.size(), aiProcess_Triangulate, "obj");
    return std::make_shared<MeshShape>(Eigen::Vector3d(1, 1, 1), mesh);
}

ShapePtr new_shape(const peers_scene *scene, const peers_body &b)
{
    if (b.kind == PEERS_BOX) return std::make_shared<BoxShape>(2 * vec(b.half));
    if (b.kind == PEERS_SPHERE) return std::make_shared<SphereShape>(b.radius);
    if (b.kind == PEERS_HULL) return new_mesh(scene, b);
    return std::make_shared<BoxShape>(Eigen::Vector3d(200, scene->planar ? 2 : 200, scene->planar ? 200 : 2));
}

void add_fixed(const SkeletonPtr &skeleton, const Eigen::Isometry3d &pose)
{
    WeldJoint *joint = skeleton->createJointAndBodyNodePair<WeldJoint>().first;
    joint->setTransformFromParentBodyNode(pose);
}

void add_planar(const SkeletonPtr &skeleton, const peers_body &b)
{
    PlanarJoint *joint = skeleton->createJointAndBodyNodePair<PlanarJoint>().first;
    joint->setPositions(Eigen::Vector3d(b.start.position[0], b.start.position[1], state_angle(&b.start)));
    joint->setVelocities(Eigen::Vector3d(b.start.velocity[0], b.start.velocity[1], b.start.spin[2]));
}

void add_free(const SkeletonPtr &skeleton, const peers_body &b, const Eigen::Isometry3d &pose)
{
    FreeJoint *joint = skeleton->createJointAndBodyNodePair<FreeJoint>().first;
    joint->setTransform(pose);
    joint->setLinearVelocity(vec(b.start.velocity));
    joint->setAngularVelocity(vec(b.start.spin));
}

void add_body(World &w, const peers_body &b)
{
    SkeletonPtr skeleton = Skeleton::create("b" + std::to_string(w.entered));
    Eigen::Isometry3d pose = pose_of(w.scene, b);
    if (b.fixed) add_fixed(skeleton, pose);
    else if (w.scene->planar) add_planar(skeleton, b);
    else add_free(skeleton, b, pose);
    BodyNode *node = skeleton->getBodyNode(0);
    ShapeNode *shape = node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(new_shape(w.scene, b));
    shape->getDynamicsAspect()->setFrictionCoeff(b.friction);
    if (b.fixed) skeleton->setMobile(false);
    else node->setInertia(Inertia(b.mass, Eigen::Vector3d::Zero(), Eigen::Vector3d(vec(b.inertia)).asDiagonal()));
    w.bodies.push_back(skeleton);
    w.world->addSkeleton(skeleton);
}

void *open_world(const peers_scene *scene, int variant)
{
    for (int i = 0; i < scene->body_count; i++)
        if (variant == NATIVE && scene->bodies[i].kind == PEERS_HULL) return nullptr;
    World *w = new World;
    w->scene = scene;
    w->world->setGravity(vec(scene->gravity));
    w->world->setTimeStep(scene->h);
    dart::constraint::ConstraintSolver *solver = w->world->getConstraintSolver();
    if (variant == NATIVE) solver->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = 1000 + 16 * (std::size_t)scene->body_count;
    return w;
}

bool step_world(void *world)
{
    World *w = (World *)world;
    const peers_scene *s = w->scene;
    for (; w->entered < s->body_count && s->bodies[w->entered].enters <= w->world->getTime() + 1e-9; w->entered++)
        add_body(*w, s->bodies[w->entered]);
    w->world->step();
    return true;
}

void read_world(void *world, peers_state *states)
{
    World *w = (World *)world;
    for (int i = 0; i < w->scene->body_count; i++) {
        peers_state &s = states[i];
        s = w->scene->bodies[i].start;
        if (i >= w->entered || w->scene->bodies[i].fixed) continue;
        const BodyNode *b = w->bodies[i]->getBodyNode(0);
        Eigen::Quaterniond q(b->getTransform().linear());
        Eigen::Vector3d x = b->getTransform().translation(), v = b->getLinearVelocity(), spin = b->getAngularVelocity();
        s.turn[0] = q.w();
        s.turn[1] = q.x();
        s.turn[2] = q.y();
        s.turn[3] = q.z();
        for (int k = 0; k < 3; k++) {
            s.position[k] = x[k];
            s.velocity[k] = v[k];
            s.spin[k] = spin[k];
        }
    }
}

void close_world(void *world) { delete (World *)world; }

}

const peer peers_dart[] = {
    { "DART", true, FCL, open_world, step_world, read_world, close_world },
    { "DART own boxes", true, NATIVE, open_world, step_world, read_world, close_world },
    { nullptr, false, 0, nullptr, nullptr, nullptr, nullptr },
};
