/* A world with room, and short words to fill it: for tests, benches and experiments. Include after dvc.h. */
#ifndef DVC_SCENE_H
#define DVC_SCENE_H

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define SCENE_WORD __attribute__((unused)) static /* no program uses all of these */
#else
#define SCENE_WORD static
#endif

enum { SCENE_CONTACTS = 2048, SCENE_HULL_BYTES = 1 << 15 };

typedef struct scene {
    dvc_world world;
    dvc_body *bodies;
    dvc_shape *shapes;
    int capacity;
    dvc_polytope *hulls; /* one per body that has one */
    unsigned char **hull_storage;
} scene;

SCENE_WORD const dvc_vec3 scene_zero = { 0, 0, 0 };

SCENE_WORD dvc_vec3 v3(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

/* The same of what is drawn at random, which any compiler does in this order: z first. One in an expression. */
SCENE_WORD double test_drawn[3];
#define test_vec(x, y, z) \
    (test_drawn[2] = (z), test_drawn[1] = (y), test_drawn[0] = (x), v3(test_drawn[0], test_drawn[1], test_drawn[2]))

SCENE_WORD void *scene_memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) abort();
    return block;
}

/* Room for `capacity` bodies with one shape each; gravity 9.81 downward: y in planar worlds, z in space. */
SCENE_WORD scene *scene_make(int capacity, bool planar, size_t scratch_bytes)
{
    scene *s = (scene *)scene_memory(1, sizeof *s);
    s->capacity = capacity;
    s->bodies = (dvc_body *)scene_memory((size_t)capacity, sizeof *s->bodies);
    s->shapes = (dvc_shape *)scene_memory((size_t)capacity, sizeof *s->shapes);
    s->hulls = (dvc_polytope *)scene_memory((size_t)capacity, sizeof *s->hulls);
    s->hull_storage = (unsigned char **)scene_memory((size_t)capacity, sizeof *s->hull_storage);
    s->world.bodies = s->bodies;
    s->world.shapes = s->shapes;
    s->world.contact_capacity = SCENE_CONTACTS;
    s->world.contacts = (dvc_contact *)scene_memory((size_t)SCENE_CONTACTS, sizeof(dvc_contact));
    s->world.scratch_size = scratch_bytes;
    s->world.scratch = scene_memory(1, scratch_bytes);
    s->world.planar = planar;
    s->world.gravity = planar ? v3(0, -9.81, 0) : v3(0, 0, -9.81);
    return s;
}

SCENE_WORD void scene_free(scene *s)
{
    int i;
    for (i = 0; i < s->capacity; i++) free(s->hull_storage[i]);
    free(s->bodies);
    free(s->shapes);
    free(s->hulls);
    free(s->hull_storage);
    free(s->world.contacts);
    free(s->world.scratch);
    free(s);
}

/* A body with one shape at the same index. Mass and inertia of dynamic ones are the caller's, or scene_density's. */
SCENE_WORD int scene_add(scene *s, dvc_body_kind kind, dvc_shape_kind shape, dvc_vec3 position, double friction)
{
    int i = s->world.body_count++;
    if (i >= s->capacity) abort();
    s->world.shape_count = s->world.body_count;
    s->bodies[i].kind = kind;
    s->bodies[i].position = position;
    s->shapes[i].kind = shape;
    s->shapes[i].body = i;
    s->shapes[i].friction = (dvc_real)friction;
    return i;
}

SCENE_WORD void scene_density(scene *s, int body, double density)
{
    dvc_status status = s->world.planar ? dvc_body_mass_from_shapes_planar(&s->bodies[body], &s->shapes[body], 1, (dvc_real)density)
                                        : dvc_body_mass_from_shapes(&s->bodies[body], &s->shapes[body], 1, (dvc_real)density);
    if (status != DVC_OK) abort();
}

/* A body of this mass instead of this density. */
SCENE_WORD void scene_mass(scene *s, int body, double mass)
{
    double scale;
    scene_density(s, body, 1);
    scale = mass / (double)s->bodies[body].mass;
    s->bodies[body].mass = (dvc_real)mass;
    s->bodies[body].inertia.x *= (dvc_real)scale;
    s->bodies[body].inertia.y *= (dvc_real)scale;
    s->bodies[body].inertia.z *= (dvc_real)scale;
}

SCENE_WORD int scene_ground(scene *s, double friction)
{
    int i = scene_add(s, DVC_STATIC, DVC_PLANE, scene_zero, friction);
    s->shapes[i].normal = s->world.planar ? v3(0, 1, 0) : v3(0, 0, 1);
    return i;
}

SCENE_WORD int scene_box(scene *s, dvc_body_kind kind, dvc_vec3 half, dvc_vec3 position, double mass, double friction)
{
    int i = scene_add(s, kind, DVC_BOX, position, friction);
    s->shapes[i].half = half;
    if (kind == DVC_DYNAMIC) scene_mass(s, i, mass);
    return i;
}

/* Walls around the square from -.5 to 1.5, 10 m high. */
SCENE_WORD void scene_pit(scene *s, double friction)
{
    int i;
    for (i = -1; i <= 1; i += 2) {
        scene_box(s, DVC_STATIC, v3(0.5, 5, 5), v3(0.5 + 1.5 * i, 0.5, 5), 1, friction);
        scene_box(s, DVC_STATIC, v3(5, 0.5, 5), v3(0.5, 0.5 + 1.5 * i, 5), 1, friction);
    }
}

SCENE_WORD int scene_sphere(scene *s, double radius, dvc_vec3 position, double mass, double friction)
{
    int i = scene_add(s, DVC_DYNAMIC, DVC_SPHERE, position, friction);
    s->shapes[i].radius = (dvc_real)radius;
    if (radius > 0) scene_mass(s, i, mass);
    else s->bodies[i].mass = (dvc_real)mass;
    return i;
}

/* The hull of a cloud around `position`; the body's frame goes to its centre of mass. */
SCENE_WORD int scene_hull(scene *s, dvc_body_kind kind, const dvc_vec3 *points, int count, dvc_vec3 position, double density, double friction)
{
    int i = scene_add(s, kind, DVC_POLYTOPE, position, friction);
    s->hull_storage[i] = (unsigned char *)scene_memory(1, dvc_polytope_size(count));
    if (dvc_polytope_build(points, count, s->hull_storage[i], dvc_polytope_size(count), &s->hulls[i]) != DVC_OK) abort();
    s->shapes[i].polytope = &s->hulls[i];
    if (kind == DVC_DYNAMIC) scene_density(s, i, density);
    return i;
}

/* A polygon from points that must outlive the scene. */
SCENE_WORD int scene_polygon(scene *s, dvc_body_kind kind, const dvc_vec2 *points, int count, dvc_vec3 position, double density, double friction)
{
    int i = scene_add(s, kind, DVC_POLYGON, position, friction);
    s->shapes[i].points = points;
    s->shapes[i].point_count = count;
    if (kind == DVC_DYNAMIC) scene_density(s, i, density);
    return i;
}

/* Steps until `seconds` have passed; false at the first error. */
SCENE_WORD bool scene_run(scene *s, double h, double seconds)
{
    int steps = (int)(seconds / h + 0.5), i;
    for (i = 0; i < steps; i++)
        if (dvc_step(&s->world, (dvc_real)h) != DVC_OK) return false;
    return true;
}

#endif
