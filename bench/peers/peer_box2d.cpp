/* Box2D 2.4 behind the interface of peers.h: planar scenes only. Defaults, sleeping off, 8 and 3 iterations as its manual
 * advises. A plane becomes a wide box. */
#include "measure.h"
#include <box2d/box2d.h>
#include <vector>

namespace {

struct World {
    const peers_scene *scene;
    b2World world;
    double time = 0;
    int entered = 0;
    std::vector<b2Body *> bodies;

    explicit World(const peers_scene *s) : scene(s), world(b2Vec2((float)s->gravity[0], (float)s->gravity[1])) {}
};

void set_shape(const peers_body &b, b2Body *body)
{
    b2PolygonShape polygon;
    b2CircleShape circle;
    b2FixtureDef fixture;
    fixture.shape = &polygon;
    fixture.friction = (float)b.friction;
    if (b.kind == PEERS_BOX) polygon.SetAsBox((float)b.half[0], (float)b.half[1]);
    if (b.kind == PEERS_PLANE) polygon.SetAsBox(100, 1, b2Vec2(0, -1), 0);
    if (b.kind == PEERS_HULL) {
        b2Vec2 points[PEERS_POINTS];
        for (int i = 0; i < b.point_count; i++) points[i].Set((float)b.points[i][0], (float)b.points[i][1]);
        polygon.Set(points, b.point_count);
    }
    if (b.kind == PEERS_SPHERE) {
        circle.m_radius = (float)b.radius;
        fixture.shape = &circle;
    }
    body->CreateFixture(&fixture);
}

b2Body *add_body(b2World &world, const peers_body &b)
{
    b2BodyDef def;
    def.type = b.fixed ? b2_staticBody : b2_dynamicBody;
    def.position.Set((float)b.start.position[0], (float)b.start.position[1]);
    def.angle = (float)state_angle(&b.start);
    if (b.kind == PEERS_PLANE) def.angle = (float)atan2(-b.normal[0], b.normal[1]);
    def.linearVelocity.Set((float)b.start.velocity[0], (float)b.start.velocity[1]);
    def.angularVelocity = (float)b.start.spin[2];
    b2Body *body = world.CreateBody(&def);
    set_shape(b, body);
    if (b.fixed) return body;
    b2MassData mass;
    mass.mass = (float)b.mass;
    mass.center.SetZero();
    mass.I = (float)b.inertia[2];
    body->SetMassData(&mass);
    return body;
}

void *open_world(const peers_scene *scene, int)
{
    if (!scene->planar) return nullptr;
    World *w = new World(scene);
    w->world.SetAllowSleeping(false);
    return w;
}

bool step_world(void *world)
{
    World *w = (World *)world;
    const peers_scene *s = w->scene;
    for (; w->entered < s->body_count && s->bodies[w->entered].enters <= w->time + 1e-9; w->entered++)
        w->bodies.push_back(add_body(w->world, s->bodies[w->entered]));
    w->world.Step((float)s->h, 8, 3);
    w->time += s->h;
    return true;
}

void read_world(void *world, peers_state *states)
{
    World *w = (World *)world;
    for (int i = 0; i < w->scene->body_count; i++) {
        peers_state &s = states[i];
        s = w->scene->bodies[i].start;
        if (i >= w->entered) continue;
        const b2Body *b = w->bodies[i];
        if (w->scene->bodies[i].fixed) continue;
        s.position[0] = b->GetPosition().x;
        s.position[1] = b->GetPosition().y;
        s.turn[0] = cos(0.5 * b->GetAngle());
        s.turn[3] = sin(0.5 * b->GetAngle());
        s.velocity[0] = b->GetLinearVelocity().x;
        s.velocity[1] = b->GetLinearVelocity().y;
        s.spin[2] = b->GetAngularVelocity();
    }
}

void close_world(void *world) { delete (World *)world; }

}

const peer peers_box2d[] = {
    { "Box2D 2.4", false, 0, open_world, step_world, read_world, close_world },
    { nullptr, false, 0, nullptr, nullptr, nullptr, nullptr },
};
