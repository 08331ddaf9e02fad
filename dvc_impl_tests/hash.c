/* One hash for each of a dozen scenes of all kinds, and one of all: the same numbers from every machine, compiler, optimisation
 * level and language is what check_machines.sh looks for. Into a hash goes the state after each step, to the bit, and what the
 * report says of it. Numbers given are integers over powers of two, so that nothing depends on arithmetic of this file's own.
 *
 *     hash [PERCENT]     of the steps (100), for slow emulators
 */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "scene.h"
#include <stdio.h>

static int hash_percent = 100;
static uint64_t hash_now, hash_all = 1469598103u;
static int hash_steps, hash_failed, hash_inexact;

static void hash_word(uint64_t word)
{
    hash_now = (hash_now ^ word) * (uint64_t)1099511628211u;
    hash_now ^= hash_now >> 31;
}

static void hash_real(dvc_real x)
{
#if DVCI_DOUBLE
    uint64_t bits;
#else
    uint32_t bits;
#endif
    memcpy(&bits, &x, sizeof bits);
    hash_word(bits);
}

static void hash_vec(dvc_vec3 v)
{
    hash_real(v.x);
    hash_real(v.y);
    hash_real(v.z);
}

static void hash_bytes(const unsigned char *bytes, size_t size)
{
    size_t i;
    for (i = 0; i < size; i++) hash_word(bytes[i]);
}

/* n / d for a power of two d. */
static double part(int n, int d) { return (double)n / d; }
static dvc_vec3 parts(int x, int y, int z, int d) { return v3(part(x, d), part(y, d), part(z, d)); }

static uint32_t hash_random;
static int draw(int low, int high)
{
    hash_random = hash_random * 1664525u + 1013904223u;
    return low + (int)((hash_random >> 9) % (uint32_t)(high - low + 1));
}

static dvc_vec3 draw_vec(int low, int high, int d)
{
    int x = draw(low, high), y = draw(low, high), z = draw(low, high);
    return parts(x, y, z, d);
}

static dvc_quat draw_turn(bool planar)
{
    dvc_quat q = { 0, 0, 0, 0 };
    q.w = (dvc_real)part(draw(1, 64), 64); /* one after the other: the order within a list is the compiler's */
    q.z = (dvc_real)part(draw(-64, 64), 64);
    if (planar) return q;
    q.x = (dvc_real)part(draw(-64, 64), 64);
    q.y = (dvc_real)part(draw(-64, 64), 64);
    return q;
}

static scene *begin(int capacity, bool planar)
{
    scene *s = scene_make(capacity, planar, (size_t)48 << 20);
    hash_random = 12345;
    hash_now = 88172645463325252u;
    hash_steps = hash_failed = hash_inexact = 0;
    return s;
}

static void step(scene *s, int per_second)
{
    const dvc_report *r = &s->world.report;
    dvc_status status = dvc_step(&s->world, (dvc_real)part(1, per_second));
    if (status != DVC_OK && hash_failed++ == 0) printf("    step %d: %s\n", hash_steps, dvc_status_text(status));
    hash_steps++;
    hash_inexact += r->inexact;
    hash_word((uint64_t)status);
    hash_word(dvc_world_hash(&s->world));
    hash_word((uint64_t)r->iterations);
    hash_word((uint64_t)r->inexact);
    hash_real(r->residual);
    hash_real(r->worst_gap);
    hash_real(r->energy_excess);
    hash_real(dvc_energy(&s->world));
}

static void run(scene *s, int steps, int per_second)
{
    int i;
    for (i = 0; i < (steps * hash_percent + 99) / 100; i++) step(s, per_second);
}

static void told(const char *name) /* in halves: not every printf has one word for 64 bits */
{
    printf("%-10s %08lx%08lx  %d steps, %d failed, %d inexact\n", name, (unsigned long)(hash_now >> 32),
           (unsigned long)(hash_now & 0xffffffffu), hash_steps, hash_failed, hash_inexact);
    fflush(stdout);
    hash_all = (hash_all ^ hash_now) * (uint64_t)1099511628211u;
}

static void end(scene *s, const char *name)
{
    told(name);
    free(s->world.joints);
    free(s->world.springs);
    scene_free(s);
}

static dvc_joint *room_for_joints(scene *s, int count)
{
    s->world.joints = (dvc_joint *)scene_memory((size_t)count, sizeof *s->world.joints);
    return s->world.joints;
}

static dvc_joint *join(scene *s, dvc_joint_kind kind, int a, int b, dvc_vec3 at, dvc_vec3 axis)
{
    dvc_joint *joint = &s->world.joints[s->world.joint_count++];
    if (dvc_joint_attach(&s->world, kind, a, b, at, axis, joint) != DVC_OK) abort();
    return joint;
}

static void tie(scene *s, int a, int b, dvc_vec3 at_a, int length, int stiffness)
{
    if (!s->world.springs) s->world.springs = (dvc_spring *)scene_memory(4, sizeof *s->world.springs);
    s->world.springs[s->world.spring_count].body_a = a;
    s->world.springs[s->world.spring_count].body_b = b;
    s->world.springs[s->world.spring_count].anchor_a = at_a;
    s->world.springs[s->world.spring_count].length = (dvc_real)part(length, 16);
    s->world.springs[s->world.spring_count].stiffness = (dvc_real)stiffness;
    s->world.springs[s->world.spring_count++].damping = 2;
}

/* ---- the scenes ---- */

static void walls(scene *s, int at)
{
    int i;
    for (i = 0; i < 4; i++) {
        int plane = scene_ground(s, 0.25), sign = i % 2 ? 1 : -1;
        s->shapes[plane].position = i < 2 ? parts(sign * at, 0, 0, 16) : parts(0, sign * at, 0, 16);
        s->shapes[plane].normal = i < 2 ? v3(-sign, 0, 0) : v3(0, -sign, 0);
    }
}

static void pour(void) /* hulls from clouds of points, boxes and balls between walls */
{
    scene *s = begin(30, false);
    int i, k;
    scene_ground(s, 0.5);
    walls(s, 20);
    for (i = 0; i < 15; i++) {
        dvc_vec3 cloud[12], at = draw_vec(-12, 12, 16);
        at.z = (dvc_real)part(12 + 12 * i, 16);
        for (k = 0; k < 12; k++) cloud[k] = draw_vec(-96, 96, 256);
        k = i % 3 == 0 ? scene_hull(s, DVC_DYNAMIC, cloud, 6 + i % 7, at, 512, 0.375)
          : i % 3 == 1 ? scene_box(s, DVC_DYNAMIC, parts(5, 4 + i % 3, 3, 16), at, 2, 0.5) : scene_sphere(s, 0.25, at, 1, 0.5);
        s->bodies[k].orientation = draw_turn(false);
        s->bodies[k].angular_velocity = draw_vec(-8, 8, 4);
    }
    run(s, 120, 64);
    end(s, "pour");
}

static void heap(void) /* cubes that tumble onto each other: factored over the bodies, then swept */
{
    scene *s = begin(24, false);
    int i, cube;
    scene_ground(s, 0.5);
    walls(s, 24);
    for (i = 0; i < 18; i++) {
        cube = scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), parts(18 * (i % 3) - 17, 18 * (i / 3 % 2) - 9, 6 + 12 * (i / 6), 16), 1, 0.5);
        if (i > 5) s->bodies[cube].orientation = draw_turn(false);
    }
    run(s, 50, 64);
    s->world.direct_bodies = 1;
    run(s, 20, 64);
    end(s, "heap");
}

static void machine(void) /* motors, limits, friction, efforts and bounces: an arm of all joints swings over things and hits them */
{
    static const dvc_joint_kind kinds[6] = { DVC_REVOLUTE, DVC_SPHERICAL, DVC_PRISMATIC, DVC_REVOLUTE, DVC_CYLINDRICAL, DVC_FIXED };
    scene *s = begin(16, false);
    int i, last = 0;
    scene_ground(s, 0.5);
    s->shapes[0].restitution = (dvc_real)0.25;
    room_for_joints(s, 6);
    for (i = 0; i < 6; i++) {
        int link = scene_box(s, DVC_DYNAMIC, parts(6, 2, 1, 32), parts(8 + 16 * i, 0, 36, 32), part(4 + i, 4), 0.5);
        dvc_joint *joint = join(s, kinds[i], last, link, parts(16 * i, 0, 36, 32), parts(i % 2, 4, 1, 4));
        joint->turn.limited = joint->slide.limited = i % 2 == 0;
        joint->turn.lower = joint->slide.lower = (dvc_real)-0.5;
        joint->turn.upper = joint->slide.upper = (dvc_real)0.25;
        joint->turn.friction = (dvc_real)0.125;
        joint->turn.speed = i == 0 ? (dvc_real)0.5 : 0;
        joint->turn.effort = i == 0 ? 64 : i == 3 ? DVC_INFINITY : 0;
        joint->slide.speed = (dvc_real)0.25;
        joint->slide.effort = 16;
        s->bodies[link].angular_damping = (dvc_real)0.125;
        last = link;
    }
    for (i = 0; i < 3; i++) scene_box(s, DVC_DYNAMIC, parts(2, 2, 2, 16), parts(12 + 20 * i, 2 * i, 2, 16), 2, 0.5);
    tie(s, 0, last, parts(1, 1, 2, 1), 16, 64);
    run(s, 120, 64);
    end(s, "machine");
}

static void loops(void) /* closed loops in space: a four-bar linkage with a motor, and a ring of links on springs */
{
    scene *s = begin(16, false);
    int i, first;
    scene_add(s, DVC_STATIC, DVC_NO_SHAPE, scene_zero, 0);
    room_for_joints(s, 10);
    scene_box(s, DVC_DYNAMIC, parts(1, 1, 4, 16), parts(0, 0, 4, 16), 1, 0);
    scene_box(s, DVC_DYNAMIC, parts(16, 1, 1, 16), parts(16, 0, 8, 16), 2, 0);
    scene_box(s, DVC_DYNAMIC, parts(1, 1, 4, 16), parts(32, 0, 4, 16), 1, 0);
    join(s, DVC_REVOLUTE, 0, 1, scene_zero, v3(0, 1, 0))->turn.speed = 4;
    s->world.joints[0].turn.effort = 256;
    join(s, DVC_REVOLUTE, 1, 2, parts(0, 0, 8, 16), v3(0, 1, 0));
    join(s, DVC_REVOLUTE, 2, 3, parts(32, 0, 8, 16), v3(0, 1, 0));
    join(s, DVC_REVOLUTE, 3, 0, parts(32, 0, 0, 16), v3(0, 1, 0));
    first = s->world.body_count;
    for (i = 0; i < 4; i++) scene_box(s, DVC_DYNAMIC, parts(i % 2 ? 1 : 4, i % 2 ? 4 : 1, 1, 16), parts(i == 0 ? 64 : i == 2 ? 72 : i == 1 ? 72 : 64, i == 0 ? 0 : i == 2 ? 8 : i == 1 ? 0 : 8, 0, 16), 1, 0);
    for (i = 0; i < 4; i++)
        join(s, i % 2 ? DVC_SPHERICAL : DVC_REVOLUTE, first + i, first + (i + 1) % 4, parts(i == 0 || i == 3 ? 68 : 70, 4 * i, 0, 16), v3(0, 0, 1));
    tie(s, 0, first, parts(64, 0, 16, 16), 12, 128);
    tie(s, first, first + 2, parts(1, 0, 1, 16), 8, 32);
    run(s, 120, 128);
    end(s, "loops");
}

static void hash_wave(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    position->x = t / 4 - 1;
    *orientation = dvc_quat_turn(v3(0, 0, 1), t / 2);
}

static void rotors(void) /* kinematic bodies, by a function and by their speed, a conveyor, a sensor */
{
    scene *s = begin(16, false);
    int i, k;
    scene_ground(s, 0.5);
    s->shapes[0].surface_velocity = v3(0.25, 0, 0);
    k = scene_box(s, DVC_KINEMATIC, parts(4, 20, 4, 16), v3(-1, 0, 0.25), 0, 0.25);
    s->bodies[k].motion = hash_wave;
    k = scene_box(s, DVC_KINEMATIC, parts(24, 2, 2, 16), parts(32, 0, 3, 16), 0, 0.25);
    s->bodies[k].angular_velocity = v3(0, 0, 1.5);
    s->shapes[scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), v3(0.5, 0.5, 0.5), 0, 0)].sensor = true;
    for (i = 0; i < 8; i++)
        if (i % 2) scene_sphere(s, 0.25, parts(4 + 8 * (i % 4), 10 * (i / 4) - 5, 6 + i, 16), 1, 0.5);
        else scene_box(s, DVC_DYNAMIC, parts(3, 3, 3, 16), parts(4 + 8 * (i % 4), 10 * (i / 4) - 5, 3, 16), 1, 0.5);
    run(s, 100, 64);
    end(s, "rotors");
}

static void planar(void) /* discs, rectangles, polygons, pair rules, a motor */
{
    static const dvc_vec2 kite[4] = { { (dvc_real)-0.25, 0 }, { 0, (dvc_real)-0.25 }, { (dvc_real)0.5, 0 }, { 0, (dvc_real)0.25 } };
    static const dvc_pair_rule rules[2] = { { 0, 3, false, true, 1, 0, false, 0, true, (dvc_real)0.5 }, { 1, 2, true, false, 0, 0, false, 0, false, 0 } };
    scene *s = begin(20, true);
    dvc_joint *joint;
    int i, k;
    scene_ground(s, 0.25);
    for (i = 0; i < 14; i++) {
        dvc_vec3 at = parts(draw(-12, 12), 8 + 9 * i, 0, 16);
        k = i % 3 == 0 ? scene_box(s, DVC_DYNAMIC, v3(0.25, 0.125, 0), at, 1, 0.25)
          : i % 3 == 1 ? scene_sphere(s, 0.25, at, 1, 0.25) : scene_polygon(s, DVC_DYNAMIC, kite, 4, at, 4, 0.25);
        s->bodies[k].orientation = draw_turn(true);
    }
    room_for_joints(s, 1);
    joint = join(s, DVC_REVOLUTE, 4, 5, s->bodies[4].position, v3(0, 0, 1));
    joint->turn.speed = 2;
    joint->turn.effort = 1;
    s->world.pair_rules = rules;
    s->world.pair_rule_count = 2;
    run(s, 200, 64);
    end(s, "planar");
}

static void table(void) /* 2.5D: bodies with supports slide and are pushed */
{
    static const dvc_support feet = { { { (dvc_real)0.25, 0 }, { (dvc_real)-0.25, (dvc_real)0.25 }, { (dvc_real)-0.25, (dvc_real)-0.25 } }, (dvc_real)0.25 };
    scene *s = begin(10, true);
    int i, k;
    s->world.gravity = v3(0, 0, -10);
    for (i = 0; i < 6; i++) {
        k = scene_box(s, DVC_DYNAMIC, parts(8, 6, 0, 16), parts(draw(-8, 8), 20 * i, 0, 16), 1, 0.25);
        s->bodies[k].support = &feet;
        s->bodies[k].velocity = draw_vec(-16, 16, 8);
        s->bodies[k].velocity.z = 0;
    }
    k = scene_box(s, DVC_KINEMATIC, parts(8, 40, 0, 16), parts(-40, 32, 0, 16), 0, 0.25);
    s->bodies[k].velocity = v3(0.5, 0, 0);
    run(s, 120, 64);
    end(s, "table");
}

static void terrain(void) /* a floor of tiles laid out once, things thrown onto it */
{
    scene *s = begin(90, false);
    static dvc_terrain ground;
    size_t size;
    void *storage;
    int i, k;
    for (i = 0; i < 64; i++) scene_box(s, DVC_STATIC, parts(4, 4, 2 + i % 3 / 2, 16), parts(8 * (i % 8), 8 * (i / 8), -2, 16), 0, 0.5);
    size = dvc_terrain_size(&s->world, 64, 64);
    storage = scene_memory(1, size);
    if (dvc_terrain_build(&s->world, 64, 64, storage, size, &ground) != DVC_OK) printf("    no terrain\n");
    s->world.terrain = &ground;
    for (i = 0; i < 9; i++) {
        k = i % 3 ? scene_box(s, DVC_DYNAMIC, parts(3, 2, 2, 16), parts(12 + 9 * (i % 3), 12 + 9 * (i / 3), 8, 16), 1, 0.25)
                  : scene_sphere(s, 0.125, parts(12 + 9 * (i % 3), 12 + 9 * (i / 3), 8, 16), 1, 0.25);
        s->bodies[k].velocity = v3(1, 0.5, 0);
    }
    run(s, 80, 64);
    end(s, "terrain");
    free(storage);
}

static void sleeping(void) /* towers that fall asleep one by one, a ball that wakes them, a body moved by hand */
{
    scene *s = begin(20, false);
    int i, ball;
    scene_ground(s, 0.5);
    s->world.sleep = true;
    for (i = 0; i < 12; i++) scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), parts(24 * (i / 3), 0, 5 + 9 * (i % 3), 16), 1, 0.5);
    ball = scene_sphere(s, 0.25, parts(-80, 0, 6, 16), 2, 0.5);
    s->bodies[ball].velocity = v3(4, 0, 0);
    run(s, 120, 64);
    s->bodies[12].position = parts(72, 3, 64, 16);
    run(s, 60, 64);
    end(s, "sleeping");
}

static const char *const hash_obj = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nv 0 0 2.125\n"
                                    "f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n";
static const char *const hash_poly = "4 vertices\n0 0 sqrt(2/3)*1.1e-0\n(1/3)^0.5 0 -1/(2*sqrt(6))\n-1/(2*sqrt(3)) 1/2 -1/(2*sqrt(6))\n"
                                     "-1/(2*sqrt(3)), -0.5, -2.04124145231931508e-1\n4\n1 2 3\n1 3 4\n1 4 2\n2 4 3\n";

static void hash_mesh(scene *s, const char *text, bool poly, dvc_vec3 at)
{
    static dvc_vec3 vertices[16];
    static int triangles[32][3];
    static unsigned char scratch[8192];
    dvc_mesh mesh = { vertices, 16, 0, triangles, 32, 0, 0 };
    dvc_mesh_report report;
    dvc_mass mass;
    int i;
    hash_word((uint64_t)(poly ? dvc_mesh_read_poly(text, strlen(text), &mesh) : dvc_mesh_read_obj(text, strlen(text), &mesh)));
    hash_word((uint64_t)dvc_mesh_check(&mesh, scratch, sizeof scratch, &report));
    hash_real(report.volume);
    hash_word((uint64_t)dvc_mesh_mass(&mesh, &mass));
    hash_real(mass.volume);
    hash_vec(mass.centre);
    hash_vec(mass.moments);
    for (i = 0; i < mesh.vertex_count; i++) hash_vec(vertices[i]);
    for (i = 0; i < mesh.triangle_count; i++) hash_word((uint64_t)triangles[i][0] << 8 | (uint64_t)triangles[i][1]);
    i = scene_hull(s, DVC_DYNAMIC, vertices, mesh.vertex_count, at, 1, 0.5);
    s->bodies[i].angular_velocity = draw_vec(-8, 8, 4);
}

static void meshes(void) /* read from text, checked, weighed; they and the usual solids fall */
{
    scene *s = begin(10, false);
    dvc_vec3 points[DVC_SOLID_MAX_POINTS > 40 ? DVC_SOLID_MAX_POINTS : 40];
    int i, count;
    scene_ground(s, 0.5);
    hash_mesh(s, hash_obj, false, v3(0, 0, 3));
    hash_mesh(s, hash_poly, true, v3(0.5, 4, 2));
    for (i = 0; i < 4; i++) {
        count = i == 3 ? dvc_cylinder_points(12, (dvc_real)0.5, 1, points) : dvc_solid_points((dvc_solid)(i == 0 ? 2 : i + 2), (dvc_real)0.75, points);
        hash_vec(i == 3 ? dvc_cylinder_moments(12, (dvc_real)0.5, 1) : v3((double)dvc_solid_moment((dvc_solid)i, 1), 0, 0));
        scene_hull(s, DVC_DYNAMIC, points, count, parts(3 * i, i % 2, 6 + 3 * i, 4), 1, 0.5);
    }
    run(s, 60, 64);
    end(s, "meshes");
}

static bool hash_written(void *user, const void *bytes, size_t size)
{
    (void)user;
    hash_bytes((const unsigned char *)bytes, size);
    return true;
}

/* The bytes of a recording are the same, too; scratch is not: pointers have other sizes. */
static void hash_record(dvc_recorder *recorder, scene *s, int steps)
{
    int i;
    if (dvc_record_begin(recorder, &s->world, (dvc_real)part(1, 64)) != DVC_OK) printf("    no recording\n");
    for (i = 0; i < steps; i++) {
        step(s, 64);
        s->world.report.scratch_used = 0;
        hash_word((uint64_t)dvc_record_step(recorder, &s->world, (dvc_real)part(1, 64), DVC_OK));
    }
    hash_word((uint64_t)dvc_record_end(recorder));
}

static void recording(void) /* written twice: in chunks that are hashed, and to memory, read back there and gone on from */
{
    static unsigned char bytes[1 << 18];
    dvc_recorder recorder = { 0 }, chunks = { 0 };
    dvc_recording tape;
    scene *s = begin(6, false);
    dvc_vec3 cloud[6];
    dvc_world again = { 0 };
    void *storage;
    int i;
    scene_ground(s, 0.5);
    for (i = 0; i < 6; i++) cloud[i] = draw_vec(-96, 96, 256);
    scene_hull(s, DVC_DYNAMIC, cloud, 6, v3(0, 0, 1), 256, 0.5);
    for (i = 0; i < 3; i++) scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), parts(8 + i, 0, 8 + 9 * i, 16), 1, 0.5);
    chunks.buffer = recorder.buffer = bytes;
    chunks.size = recorder.size = sizeof bytes;
    chunks.write = hash_written;
    hash_record(&chunks, s, 12);
    hash_record(&recorder, s, 12);
    hash_bytes(bytes, recorder.used);
    if (dvc_recording_open(bytes, recorder.used, &tape) != DVC_OK) printf("    cannot be read\n");
    storage = scene_memory(1, tape.storage_needed);
    again.scratch = s->world.scratch;
    again.scratch_size = s->world.scratch_size;
    again.contacts = s->world.contacts;
    again.contact_capacity = s->world.contact_capacity;
    hash_word((uint64_t)dvc_recording_world(&tape, 6, storage, tape.storage_needed, &again));
    for (i = 0; i < 10; i++) hash_word((uint64_t)dvc_step(&again, (dvc_real)part(1, 64)));
    hash_word(dvc_world_hash(&again));
    free(storage);
    end(s, "recording");
}

static void lcp(void) /* every method on problems with bounds: A = B B' + a diagonal, of small integers over 16 */
{
    enum { N = 12 };
    static dvc_real a[N * N], b[N], z[N], lower[N], upper[N];
    static unsigned char scratch[1 << 17];
    scene *s = begin(1, false);
    int problem, i, j, k, method, cell[N][N];
    for (problem = 0; problem < 6; problem++) {
        dvc_lcp q = { N, a, b, NULL, NULL };
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++) cell[i][j] = draw(-8, 8);
        for (i = 0; i < N; i++) {
            for (j = 0; j < N; j++) {
                int sum = i == j ? 256 : 0;
                for (k = 0; k < N; k++) sum += cell[i][k] * cell[j][k];
                a[i * N + j] = (dvc_real)part(sum, 256);
            }
            b[i] = (dvc_real)part(draw(-64, 64), 16);
            lower[i] = i % 3 ? (dvc_real)-0.125 : 0;
            upper[i] = i % 4 ? DVC_INFINITY : (dvc_real)0.5;
        }
        if (problem % 2) {
            q.lower = lower;
            q.upper = upper;
        }
        for (method = 0; method < DVC_SOLVER_COUNT; method++) {
            dvc_lcp_report report;
            memset(z, 0, sizeof z);
            report = dvc_lcp_solve((dvc_solver)method, &q, NULL, z, scratch, sizeof scratch);
            hash_word((uint64_t)report.status);
            hash_word((uint64_t)report.iterations);
            hash_real(report.residual);
            for (i = 0; i < N; i++) hash_real(z[i]);
        }
    }
    end(s, "lcp");
}

static void models(void) /* the contact models and solvers of the literature, on steps of a small stack */
{
    scene *s = begin(8, false);
    int i, k;
    scene_ground(s, 0.5);
    for (i = 0; i < 3; i++) scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), parts(2 * i, i, 8 + 17 * i, 16), 1, 0.5);
    for (i = 0; i < DVC_CONTACT_MODEL_COUNT; i++) {
        s->world.contact_model = (dvc_contact_model)i;
        run(s, 10, 64);
    }
    s->world.contact_model = DVC_PEG;
    for (i = 0; i < DVC_SOLVER_COUNT; i++) {
        s->world.solver = (dvc_solver)i;
        s->world.semi_implicit = i % 2 == 0;
        s->bodies[3].velocity = v3(0.25, 0.125, 1);
        for (k = 0; k < 4; k++) step(s, 64);
    }
    end(s, "models");
}

static void questions(void) /* distances, overlaps, rays, casts; the problem of a step, built and solved outside it */
{
    scene *s = begin(8, false);
    dvc_shape probe = s->shapes[0];
    dvc_quat none = { 1, 0, 0, 0 };
    dvc_problem problem;
    dvc_gap gap;
    dvc_hit hit;
    dvc_real z[256] = { 0 };
    int i, count, found[8];
    scene_ground(s, 0.5);
    for (i = 0; i < 3; i++) s->bodies[scene_box(s, DVC_DYNAMIC, parts(8, 6, 8, 16), parts(2 * i, i, 8 + 16 * i, 16), 1, 0.5)].orientation = draw_turn(false);
    probe.kind = DVC_BOX;
    probe.half = parts(3, 4, 5, 16);
    for (i = 0; i < 16; i++) {
        dvc_vec3 from = draw_vec(-64, 64, 16), way = draw_vec(-64, 64, 8);
        hash_word((uint64_t)dvc_raycast(&s->world, from, way, 0, &hit));
        hash_real(hit.t);
        hash_word((uint64_t)(hit.shape + 1));
        hash_word((uint64_t)dvc_shapecast(&s->world, &probe, from, none, way, &hit));
        hash_real(hit.t);
        hash_vec(hit.normal);
        hash_word((uint64_t)dvc_overlap(&s->world, &probe, from, none, 1, found, 8, &count));
        hash_word((uint64_t)count);
        if (dvc_distance(&s->world, i % 3, 3, &gap) == DVC_OK) hash_real(gap.distance);
        step(s, 64);
    }
    if (dvc_problem_build(&s->world, (dvc_real)part(1, 64), &problem) != DVC_OK || problem.n > 256) printf("    no problem\n");
    else {
        dvc_lcp q = { problem.n, problem.A, problem.b, problem.lower, problem.upper };
        size_t size = dvc_lcp_scratch_size(DVC_LEMKE, problem.n);
        void *scratch = scene_memory(1, size);
        hash_word((uint64_t)problem.n);
        hash_word((uint64_t)dvc_lcp_solve(DVC_LEMKE, &q, NULL, z, scratch, size).status);
        for (i = 0; i < problem.n; i++) hash_real(z[i]);
        hash_word((uint64_t)dvc_problem_apply(&s->world, (dvc_real)part(1, 64), z, problem.n));
        hash_word(dvc_world_hash(&s->world));
        free(scratch);
    }
    end(s, "questions");
}

int main(int argc, char **argv)
{
    if (argc > 1) hash_percent = atoi(argv[1]);
    pour();
    heap();
    machine();
    loops();
    rotors();
    planar();
    table();
    terrain();
    sleeping();
    meshes();
    recording();
    lcp();
    models();
    questions();
    printf("all        %08lx%08lx\n", (unsigned long)(hash_all >> 32), (unsigned long)(hash_all & 0xffffffffu));
    return 0;
}
