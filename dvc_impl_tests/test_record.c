/* Recordings: what is read back is what was written, and goes on with the same bits; bytes are laid out as documented; a
 * recording that was cut, damaged or made up is refused, or read as far as it is whole; errors of the writing side are told;
 * recording changes nothing.
 *
 * Included by the main file of the tests after oracle.h. */
#include "motion.h"
#include "trial.h"

enum { RECORD_KINDS = 6, RECORD_SMOOTH = 4, RECORD_JOINED = 5, RECORD_STEPS = 40, RECORD_FRAMES = RECORD_STEPS + 1 };

#define RECORD_H 0.01

/* ---- scenes: the same program gives the same world ---- */

static void record_push(void *user, dvc_world *world, dvc_real h)
{
    (void)user;
    (void)h;
    world->bodies[world->body_count - 1].force.x = -20 * world->bodies[world->body_count - 1].position.x;
    world->bodies[world->body_count - 1].torque.z = (dvc_real)0.1;
}

static void record_sway(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    (void)orientation;
    position->x = (dvc_real)(0.3 * t);
}

/* Joins the last parts one to the next, with a motor, a limit and friction, and adds a spring to the ground. */
static void record_join(scene *s)
{
    static const dvc_joint_kind kinds[] = { DVC_REVOLUTE, DVC_PRISMATIC, DVC_FIXED };
    int i, last = s->world.body_count - 1;
    s->world.joints = (dvc_joint *)scene_memory(3, sizeof(dvc_joint));
    s->world.springs = (dvc_spring *)scene_memory(1, sizeof(dvc_spring));
    for (i = 0; i < 3; i++) {
        dvc_vec3 anchor = s->bodies[last - i].position;
        CHECK(dvc_joint_attach(&s->world, kinds[i], last - i, last - i - 1, anchor, v3(0, 0, 1), &s->world.joints[i]) == DVC_OK);
    }
    s->world.joints[0].turn.speed = 3;
    s->world.joints[0].turn.effort = 2;
    s->world.joints[0].turn.friction = (dvc_real)0.1;
    s->world.joints[1].slide.limited = true;
    s->world.joints[1].slide.upper = (dvc_real)0.1;
    s->world.springs[0].body_b = last;
    s->world.springs[0].length = 1;
    s->world.springs[0].stiffness = 50;
    s->world.springs[0].damping = 1;
    s->world.joint_count = 3;
    s->world.spring_count = 1;
}

/* A room with parts of all kinds that fall on each other, turning; a controller pushes the last one, and in some a sensor
 * looks on, or a table moves. Odd kinds are planar. */
static scene *record_scene(int kind)
{
    scene *s = scene_make(16, kind % 2 == 1, TRIAL_SCRATCH);
    double friction = kind == RECORD_SMOOTH ? 0 : 0.4;
    int i;
    test_seed((uint64_t)kind + 77);
    trial_room(s, 2, friction);
    if (kind == 2) {
        int table = scene_box(s, DVC_KINEMATIC, v3(0.5, 1, 0.2), v3(0, 0, 0.2), 0, friction);
        s->bodies[table].motion = record_sway;
    }
    if (kind == 3) s->shapes[trial_part(s, DVC_STATIC, TRIAL_BOX, 0.4, v3(0, 0.5, 0), friction)].sensor = true;
    for (i = 0; i < 6; i++) {
        dvc_vec3 at = s->world.planar ? v3(0.2 * i - 0.5, 0.7 + 0.7 * i, 0) : v3(0.2 * i - 0.5, 0.3 - 0.2 * i, 0.9 + 0.7 * i);
        int body = trial_part(s, DVC_DYNAMIC, (trial_kind)(i % 3), 0.4, at, friction);
        s->bodies[body].velocity = oracle_scaled(trial_up(s), -4);
        s->bodies[body].angular_velocity = s->world.planar ? v3(0, 0, 2) : motion_vec(2, false);
    }
    s->world.before_step = record_push;
    if (kind == RECORD_JOINED) record_join(s);
    return s;
}

/* Its joints and springs, too. */
static void record_scene_free(scene *s)
{
    free(s->world.joints);
    free(s->world.springs);
    scene_free(s);
}

/* ---- recording into memory ---- */

typedef struct record_tape {
    unsigned char *bytes; /* room for all */
    dvc_recorder recorder;
    uint64_t hash[RECORD_FRAMES];
    scene *scene;
} record_tape;

static const char *const record_bodies[] = { "ground", NULL, "third" };
static const char *const record_scalars[] = { "twice the step", "a constant" };

enum { RECORD_ROOM = 1 << 22 };

static record_tape *record_begin(scene *s)
{
    static double scalars[2];
    record_tape *tape = (record_tape *)scene_memory(1, sizeof *tape);
    tape->bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
    tape->scene = s;
    tape->recorder.buffer = tape->bytes;
    tape->recorder.size = RECORD_ROOM;
    tape->recorder.title = "a \"test\" </script>";
    tape->recorder.body_names = record_bodies;
    tape->recorder.body_name_count = 3;
    tape->recorder.scalar_names = record_scalars;
    tape->recorder.scalars = scalars;
    tape->recorder.scalar_count = 2;
    scalars[0] = 0;
    scalars[1] = 0.25;
    CHECK(dvc_record_begin(&tape->recorder, &s->world, (dvc_real)RECORD_H) == DVC_OK);
    tape->hash[0] = dvc_world_hash(&s->world);
    return tape;
}

static void record_step(record_tape *tape, int step)
{
    dvc_status status = dvc_step(&tape->scene->world, (dvc_real)RECORD_H);
    double *scalars = (double *)tape->recorder.scalars;
    scalars[0] = 2 * step;
    CHECK(status == DVC_OK);
    CHECK(dvc_record_step(&tape->recorder, &tape->scene->world, (dvc_real)RECORD_H, status) == DVC_OK);
    tape->hash[step] = dvc_world_hash(&tape->scene->world);
}

static record_tape *record_run(int kind)
{
    record_tape *tape = record_begin(record_scene(kind));
    int i;
    for (i = 1; i <= RECORD_STEPS; i++) record_step(tape, i);
    CHECK(dvc_record_end(&tape->recorder) == DVC_OK);
    return tape;
}

static void record_free(record_tape *tape)
{
    record_scene_free(tape->scene);
    free(tape->bytes);
    free(tape);
}

static dvc_recording record_open(const record_tape *tape)
{
    dvc_recording r;
    CHECK(dvc_recording_open(tape->bytes, tape->recorder.used, &r) == DVC_OK);
    return r;
}

/* A world with memory of its own for contacts and scratch, and as much storage as the recording asks for. */
typedef struct record_stage {
    dvc_world world;
    void *storage;
} record_stage;

static record_stage record_stage_make(size_t storage)
{
    record_stage stage;
    memset(&stage, 0, sizeof stage);
    stage.storage = scene_memory(1, storage);
    stage.world.contact_capacity = SCENE_CONTACTS;
    stage.world.contacts = (dvc_contact *)scene_memory((size_t)SCENE_CONTACTS, sizeof(dvc_contact));
    stage.world.scratch_size = TRIAL_SCRATCH;
    stage.world.scratch = scene_memory(1, TRIAL_SCRATCH);
    return stage;
}

static void record_stage_free(record_stage *stage)
{
    free(stage->storage);
    free(stage->world.contacts);
    free(stage->world.scratch);
}

/* ---- what is read back goes on with the same bits ---- */

static void record_check_rest(dvc_world *world, const record_tape *tape, int frame)
{
    int i;
    CHECK(dvc_world_hash(world) == tape->hash[frame]);
    for (i = frame + 1; i < RECORD_FRAMES; i++) {
        CHECK(dvc_step(world, (dvc_real)RECORD_H) == DVC_OK);
        CHECK(dvc_world_hash(world) == tape->hash[i]);
    }
}

static void any_frame_in_the_same_program_goes_on_with_the_same_bits(void)
{
    int kind, frame;
    for (kind = 0; kind < RECORD_KINDS; kind++) {
        record_tape *tape = record_run(kind);
        dvc_recording r = record_open(tape);
        CHECK(r.frames == RECORD_FRAMES && r.complete && r.planar == (kind % 2 == 1) && !r.thin);
        for (frame = RECORD_STEPS; frame >= 0; frame -= 8) {
            scene *again = record_scene(kind);
            CHECK(dvc_recording_frame(&r, frame, &again->world) == DVC_OK && r.frame == frame);
            record_check_rest(&again->world, tape, frame);
            record_scene_free(again);
        }
        record_free(tape);
    }
}

/* Functions do not come back: the ones of the program are set again. */
static void record_check_laid_out(const record_tape *tape, dvc_recording *r, int kind, int frame)
{
    record_stage stage = record_stage_make(r->storage_needed);
    int i;
    stage.world.before_step = record_push;
    CHECK(dvc_recording_world(r, frame, stage.storage, r->storage_needed, &stage.world) == DVC_OK);
    for (i = 0; kind == 2 && i < stage.world.body_count; i++)
        if (stage.world.bodies[i].kind == DVC_KINEMATIC) stage.world.bodies[i].motion = record_sway;
    record_check_rest(&stage.world, tape, frame);
    record_stage_free(&stage);
}

static void a_world_laid_out_from_nothing_goes_on_with_the_same_bits(void)
{
    int kind, frame;
    for (kind = 0; kind < RECORD_KINDS; kind++) {
        record_tape *tape = record_run(kind);
        dvc_recording r = record_open(tape);
        for (frame = 0; frame < RECORD_FRAMES; frame += 13) record_check_laid_out(tape, &r, kind, frame);
        record_free(tape);
    }
}

/* Everything that a world tells, read back beside the run itself, in an order that jumps. */
static void a_frame_tells_what_the_world_told(void)
{
    record_tape *tape = record_run(2);
    dvc_recording r = record_open(tape);
    int frame, at;
    for (at = 0; at < 2 * RECORD_FRAMES; at++) {
        scene *again = record_scene(2), *run = record_scene(2);
        dvc_vec3 linear, angular;
        frame = at * 17 % RECORD_FRAMES;
        CHECK(scene_run(run, RECORD_H, frame * RECORD_H));
        CHECK(dvc_recording_frame(&r, frame, &again->world) == DVC_OK);
        dvc_momentum(&run->world, &linear, &angular);
        CHECK(r.time == run->world.time && again->world.time == r.time && r.hash == dvc_world_hash(&run->world));
        CHECK((double)r.frame_h == (frame ? (double)(dvc_real)RECORD_H : 0) && r.result == DVC_OK);
        CHECK(r.energy == dvc_energy(&run->world));
        CHECK(motion_apart(linear, r.momentum) == 0 && motion_apart(angular, r.angular_momentum) == 0);
        CHECK(memcmp(&again->world.report, &run->world.report, sizeof(dvc_report)) == 0);
        CHECK(dvc_recording_scalar(&r, 0) == 2 * frame && dvc_recording_scalar(&r, 1) == 0.25);
        CHECK(dvc_recording_scalar(&r, 2) == 0 && dvc_recording_scalar(&r, -1) == 0);
        scene_free(again);
        scene_free(run);
    }
    record_free(tape);
}

static bool record_name_is(const dvc_recording *r, dvc_name kind, int index, const char *expected)
{
    const char *text;
    size_t length = dvc_recording_name(r, kind, index, &text);
    return length == strlen(expected) && (length == 0 || memcmp(text, expected, length) == 0);
}

static void names_come_back(void)
{
    record_tape *tape = record_run(0);
    dvc_recording r = record_open(tape);
    CHECK(record_name_is(&r, DVC_NAME_TITLE, 0, "a \"test\" </script>") && record_name_is(&r, DVC_NAME_TITLE, 1, ""));
    CHECK(record_name_is(&r, DVC_NAME_BODY, 0, "ground") && record_name_is(&r, DVC_NAME_BODY, 1, ""));
    CHECK(record_name_is(&r, DVC_NAME_BODY, 2, "third") && record_name_is(&r, DVC_NAME_BODY, 3, ""));
    CHECK(record_name_is(&r, DVC_NAME_SCALAR, 0, "twice the step") && record_name_is(&r, DVC_NAME_SCALAR, 1, "a constant"));
    CHECK(record_name_is(&r, DVC_NAME_SCALAR, 2, "") && record_name_is(&r, DVC_NAME_BODY, -1, ""));
    record_free(tape);
}

/* ---- every field ---- */

static dvc_real record_real(void)
{
    static const double odd[4] = { 0, -0.0, 1e-310, -1e30 };
    double x = test_random(-10, 10);
    return (dvc_real)(test_random(0, 1) < 0.3 ? odd[test_random_bits() % 4] : x);
}

static void record_fill(dvc_real *const *fields, int count)
{
    int i;
    for (i = 0; i < count; i++) *fields[i] = record_real();
}

static bool record_coin(void) { return test_random(0, 1) < 0.5; }

static void record_odd_body(dvc_body *b, dvc_support *support)
{
    dvc_real *const fields[] = { &b->mass, DVCI_XYZ(b->inertia), DVCI_XYZ(b->position), DVCI_WXYZ(b->orientation),
                                 DVCI_XYZ(b->velocity), DVCI_XYZ(b->angular_velocity), DVCI_XYZ(b->force), DVCI_XYZ(b->torque),
                                 &b->linear_damping, &b->angular_damping, &support->friction, &support->points[0].x,
                                 &support->points[0].y, &support->points[1].x, &support->points[1].y, &support->points[2].x,
                                 &support->points[2].y };
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    b->kind = (dvc_body_kind)(test_random_bits() % 3);
    b->disabled = record_coin();
    if (record_coin()) b->support = support;
}

static void record_odd_shape(dvc_shape *s, int kind)
{
    dvc_real *const fields[] = { &s->friction, &s->restitution, DVCI_XYZ(s->position), DVCI_WXYZ(s->orientation),
                                 DVCI_XYZ(s->normal), DVCI_XYZ(s->half), &s->radius, DVCI_XYZ(s->surface_velocity) };
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    s->kind = (dvc_shape_kind)kind;
    s->body = (int)(test_random_bits() % 7);
    s->disabled = record_coin();
    s->sensor = record_coin();
    s->category = (uint32_t)test_random_bits();
    s->ignore = (uint32_t)test_random_bits();
}

static void record_odd_axis(dvc_axis *a)
{
    dvc_real *const fields[] = { &a->lower, &a->upper, &a->speed, &a->effort, &a->friction,
                                 &a->force, &a->position, &a->velocity, &a->impulse };
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    a->limited = record_coin();
}

static void record_odd_joint(dvc_joint *j, int bodies)
{
    dvc_real *const fields[] = { DVCI_XYZ(j->anchor_a), DVCI_XYZ(j->anchor_b), DVCI_WXYZ(j->frame_a), DVCI_WXYZ(j->frame_b),
                                 DVCI_XYZ(j->impulse), DVCI_XYZ(j->angular_impulse) };
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    j->kind = (dvc_joint_kind)(test_random_bits() % (DVC_JOINT_KIND_COUNT + 3)); /* what is not one is recorded, too */
    j->body_a = (int)(test_random_bits() % 3) - 1;
    j->body_b = bodies - (int)(test_random_bits() % 2);
    j->disabled = record_coin();
    j->collide = record_coin();
    j->warm = (uint32_t)test_random_bits();
    record_odd_axis(&j->turn);
    record_odd_axis(&j->slide);
}

static void record_odd_spring(dvc_spring *s)
{
    dvc_real *const fields[] = { DVCI_XYZ(s->anchor_a), DVCI_XYZ(s->anchor_b), &s->length, &s->stiffness, &s->damping,
                                 &s->force };
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    s->body_a = (int)(test_random_bits() % 3) - 1;
    s->body_b = (int)(test_random_bits() % 3);
    s->disabled = record_coin();
}

static void record_odd_rule(dvc_pair_rule *r)
{
    r->friction = record_real();
    r->restitution = record_real();
    r->tangent_angle = record_real();
    r->body_a = -(int)(test_random_bits() % 3);
    r->body_b = (int)(test_random_bits() % 3);
    r->friction_directions = (int)(test_random_bits() % 9) - 4;
    r->ignore = record_coin();
    r->set_friction = record_coin();
    r->set_restitution = record_coin();
    r->fixed_tangents = record_coin();
}

static void record_odd_contact(dvc_contact *c)
{
    dvc_real *const fields[] = { DVCI_XYZ(c->point), DVCI_XYZ(c->normal), &c->gap, DVCI_XYZ(c->impulse), &c->normal_impulse };
    int *const ints[] = { &c->body_a, &c->body_b, &c->shape_a, &c->shape_b, &c->group, &c->facet };
    int i;
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    for (i = 0; i < 6; i++) *ints[i] = (int)(test_random_bits() % 1000) - 1;
    c->feature_a = (uint32_t)test_random_bits();
    c->feature_b = (uint32_t)test_random_bits();
    c->warm = (uint32_t)test_random_bits();
    c->chosen = record_coin();
    c->sensor = record_coin();
    c->phase = (dvc_phase)(test_random_bits() % 4);
}

enum { ODD = 24 };

/* A world in which every field has a value of its own, whether that makes sense or not; made of zeroed memory. */
typedef struct record_odd {
    dvc_world world;
    dvc_body bodies[ODD];
    dvc_support supports[ODD];
    dvc_shape shapes[ODD];
    dvc_joint joints[ODD];
    dvc_spring springs[ODD];
    dvc_pair_rule rules[ODD];
    dvc_contact contacts[ODD];
    dvc_polytope hull;
    unsigned char hull_storage[16384];
    dvc_vec2 polygon[5];
} record_odd;

static void record_odd_options(dvc_world *w)
{
    dvc_report *r = &w->report;
    dvc_real *const fields[] = { DVCI_XYZ(w->gravity), &w->tangent_angle, &w->epsilon, &w->recovery_speed, &w->tolerance,
                                 &r->residual, &r->worst_gap, &r->energy_excess };
    int *const ints[] = { &r->iterations, &r->inexact, &r->fallbacks, &r->islands, &r->contacts, &r->enforced, &r->disjunctions,
                          &r->problems, &r->largest_problem, &r->flips, &r->cuts, &r->corrections, &r->halvings, &r->repeats,
                          &r->contacts_needed, &w->culprit, &w->friction_directions, &w->direct_bodies, &w->iterations };
    int i;
    record_fill(fields, (int)(sizeof fields / sizeof *fields));
    for (i = 0; i < (int)(sizeof ints / sizeof *ints); i++) *ints[i] = (int)(test_random_bits() % 100) - 50;
    r->scratch_used = (size_t)(test_random_bits() >> 33);
    r->scratch_needed = (size_t)(test_random_bits() >> 33);
    w->contact_model = (dvc_contact_model)(test_random_bits() % 5);
    w->solver = (dvc_solver)(test_random_bits() % 9);
    w->time_stepping = (dvc_time_stepping)(test_random_bits() % 2);
    w->semi_implicit = record_coin();
    w->strict = record_coin();
    w->fixed_tangents = record_coin();
    w->planar = record_coin();
    w->time = test_random(-1, 1);
}

static void record_odd_points(record_odd *o)
{
    dvc_vec3 cloud[20];
    int i;
    for (i = 0; i < 20; i++) cloud[i] = motion_vec(1, false);
    for (i = 0; i < 5; i++) o->polygon[i].x = record_real();
    if (dvc_polytope_build(cloud, 20, o->hull_storage, sizeof o->hull_storage, &o->hull) != DVC_OK) abort();
    for (i = 0; i < ODD; i++) {
        if (o->shapes[i].kind == DVC_POLYTOPE) o->shapes[i].polytope = &o->hull;
        if (o->shapes[i].kind == DVC_POLYGON) o->shapes[i].points = o->polygon;
        if (o->shapes[i].kind == DVC_POLYGON) o->shapes[i].point_count = 5;
    }
}

static record_odd *record_odd_make(int seed)
{
    record_odd *o = (record_odd *)scene_memory(1, sizeof *o);
    int i;
    test_seed((uint64_t)seed);
    for (i = 0; i < ODD; i++) {
        record_odd_body(&o->bodies[i], &o->supports[i]);
        record_odd_shape(&o->shapes[i], i % DVC_SHAPE_KIND_COUNT);
        record_odd_joint(&o->joints[i], ODD);
        record_odd_spring(&o->springs[i]);
        record_odd_rule(&o->rules[i]);
        record_odd_contact(&o->contacts[i]);
    }
    record_odd_points(o);
    record_odd_options(&o->world);
    o->world.bodies = o->bodies;
    o->world.shapes = o->shapes;
    o->world.joints = o->joints;
    o->world.springs = o->springs;
    o->world.pair_rules = o->rules;
    o->world.contacts = o->contacts;
    o->world.body_count = o->world.shape_count = o->world.joint_count = o->world.spring_count = ODD;
    o->world.pair_rule_count = o->world.contact_count = o->world.contact_capacity = ODD;
    return o;
}

static bool record_same_polytope(const dvc_polytope *a, const dvc_polytope *b)
{
    size_t v = (size_t)a->vertex_count, e = (size_t)a->edge_count, f = (size_t)a->face_count;
    return a->vertex_count == b->vertex_count && a->edge_count == b->edge_count && a->face_count == b->face_count
           && memcmp(a->vertices, b->vertices, v * sizeof(dvc_vec3)) == 0 && memcmp(a->edges, b->edges, e * sizeof(dvc_edge)) == 0
           && memcmp(a->faces, b->faces, f * sizeof(dvc_face)) == 0 && memcmp(a->loops, b->loops, 2 * e * sizeof(int)) == 0
           && memcmp(a->around, b->around, 2 * e * sizeof(int)) == 0
           && memcmp(a->around_first, b->around_first, (v + 1) * sizeof(int)) == 0
           && memcmp(&a->low, &b->low, sizeof a->low) == 0 && memcmp(&a->high, &b->high, sizeof a->high) == 0
           && a->inner == b->inner;
}

/* Makes pointers that mean the same the same, so that bytes may be compared. */
static void record_equate(const record_odd *o, dvc_world *w)
{
    int i;
    for (i = 0; i < ODD; i++) {
        dvc_shape *s = &w->shapes[i];
        const dvc_support *a = o->bodies[i].support, *b = w->bodies[i].support;
        CHECK(!a == !b && (!a || memcmp(a, b, sizeof *a) == 0));
        w->bodies[i].support = a;
        CHECK(!o->shapes[i].polytope == !s->polytope && (!s->polytope || record_same_polytope(s->polytope, &o->hull)));
        CHECK(!o->shapes[i].points == !s->points && (!s->points || memcmp(s->points, o->polygon, sizeof o->polygon) == 0));
        s->polytope = o->shapes[i].polytope;
        s->points = o->shapes[i].points;
    }
}

static void record_check_options(const dvc_world *a, const dvc_world *b)
{
    dvc_world copy = *b;
    copy.bodies = a->bodies;
    copy.shapes = a->shapes;
    copy.joints = a->joints;
    copy.springs = a->springs;
    copy.pair_rules = a->pair_rules;
    copy.contacts = a->contacts;
    copy.contact_capacity = a->contact_capacity;
    copy.scratch = a->scratch;
    copy.scratch_size = a->scratch_size;
    CHECK(memcmp(a, &copy, sizeof copy) == 0);
}

/* All memory is zeroed before it is filled, so that no padding differs. */
static void every_field_comes_back(void)
{
    int seed;
    for (seed = 0; seed < 40; seed++) {
        record_odd *o = record_odd_make(seed);
        unsigned char *bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
        dvc_recorder recorder;
        dvc_recording r;
        record_stage stage;
        memset(&recorder, 0, sizeof recorder);
        recorder.buffer = bytes;
        recorder.size = RECORD_ROOM;
        CHECK(dvc_record_begin(&recorder, &o->world, 1) == DVC_OK);
        CHECK(dvc_recording_open(bytes, recorder.used, &r) == DVC_OK && r.frames == 1 && !r.complete);
        CHECK(r.bodies == ODD && r.shapes == ODD && r.joints == ODD && r.springs == ODD && r.pair_rules == ODD);
        CHECK(r.contacts == ODD);
        stage = record_stage_make(r.storage_needed);
        CHECK(dvc_recording_world(&r, 0, stage.storage, r.storage_needed, &stage.world) == DVC_OK);
        record_equate(o, &stage.world);
        CHECK(memcmp(o->bodies, stage.world.bodies, sizeof o->bodies) == 0);
        CHECK(memcmp(o->shapes, stage.world.shapes, sizeof o->shapes) == 0);
        CHECK(memcmp(o->joints, stage.world.joints, sizeof o->joints) == 0);
        CHECK(memcmp(o->springs, stage.world.springs, sizeof o->springs) == 0);
        CHECK(memcmp(o->rules, stage.world.pair_rules, sizeof o->rules) == 0);
        CHECK(memcmp(o->contacts, stage.world.contacts, sizeof o->contacts) == 0);
        record_check_options(&o->world, &stage.world);
        record_stage_free(&stage);
        free(bytes);
        free(o);
    }
}

/* A point of a grid; -1: anywhere on that axis. */
static dvc_vec3 record_cell(int x, int y, int z)
{
    if (x < 0) x = (int)test_random(0, 4);
    if (y < 0) y = (int)test_random(0, 4);
    if (z < 0) z = (int)test_random(0, 4);
    return v3(0.1 * x, 0.1 * y, 0.1 * z);
}

/* Clouds with many coplanar points give faces with many corners: all that dvc_polytope_build makes must be accepted. */
static void every_hull_is_accepted_and_keeps_its_bits(void)
{
    int seed, i;
    for (seed = 0; seed < 200; seed++) {
        scene *s = scene_make(1, false, 16);
        dvc_vec3 cloud[60];
        int count = 8 + seed % 50;
        unsigned char *bytes = (unsigned char *)scene_memory(1, 1 << 17), *storage;
        dvc_recorder recorder;
        dvc_recording r;
        dvc_world world;
        test_seed((uint64_t)seed);
        for (i = 0; i < count; i++) {
            double angle = 2 * TRIAL_PI * (i / 2) / (count / 2);
            if (seed % 3 == 0) cloud[i] = motion_vec(1, false);
            if (seed % 3 == 1) cloud[i] = v3(cos(angle) + 5, sin(angle), i % 2);
            if (seed % 3 == 2) cloud[i] = record_cell(-1, -1, -1);
            if (seed % 3 == 2 && i < 8) cloud[i] = record_cell(3 * (i & 1), 3 * (i >> 1 & 1), 3 * (i >> 2));
        }
        scene_hull(s, DVC_STATIC, cloud, count, scene_zero, 1, 0);
        memset(&recorder, 0, sizeof recorder);
        recorder.buffer = bytes;
        recorder.size = 1 << 17;
        CHECK(dvc_record_begin(&recorder, &s->world, 1) == DVC_OK);
        CHECK(dvc_recording_open(bytes, recorder.used, &r) == DVC_OK);
        memset(&world, 0, sizeof world);
        storage = (unsigned char *)scene_memory(1, r.storage_needed);
        CHECK(dvc_recording_world(&r, 0, storage, r.storage_needed - 1, &world) == DVC_ERROR_STORAGE && world.bodies == NULL);
        CHECK(dvc_recording_world(&r, 0, storage, r.storage_needed, &world) == DVC_OK);
        if (world.shapes) CHECK(record_same_polytope(&s->hulls[0], world.shapes[0].polytope));
        free(storage);
        free(bytes);
        scene_free(s);
    }
}

/* ---- the bytes ---- */

/* Reads little-endian numbers as the documentation of the format has them, with code of its own. */
static uint64_t record_number(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    while (bytes-- > 0) x = x << 8 | at[bytes];
    return x;
}

static double record_double(const unsigned char *at)
{
    uint64_t bits = record_number(at, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The n-th chunk with this tag, or none; its payload's size. */
static const unsigned char *record_chunk(const record_tape *tape, const char *tag, int n, size_t *size)
{
    size_t at = 64;
    while (at + 12 <= tape->recorder.used) {
        *size = (size_t)record_number(tape->bytes + at + 4, 4);
        if (memcmp(tape->bytes + at, tag, 4) == 0 && n-- == 0) return tape->bytes + at + 12;
        at += 12 + *size;
    }
    return NULL;
}

static void sums_are_those_of_zlib(void)
{
    static unsigned char many[100000];
    memset(many, 0xff, sizeof many);
    CHECK(dvci_adler32((const unsigned char *)"Wikipedia", 9) == 0x11E60398u);
    CHECK(dvci_adler32(many, 0) == 1);
    CHECK(dvci_adler32(many, sizeof many) == 0x149A302Cu);
}

/* A planar body at (3, -0.5) that turns at 2 rad/s, byte by byte. */
static void bytes_are_where_the_documentation_says(void)
{
    static const unsigned char body[] = { 0, 0x0b, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0x40, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf,
                                          0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40 };
    scene *s = scene_make(1, true, 1 << 16);
    record_tape *tape;
    const unsigned char *at, *status;
    size_t size;
    int i = scene_add(s, DVC_DYNAMIC, DVC_NO_SHAPE, v3(3, -0.5, 0), 0);
    s->bodies[i].mass = 1;
    s->bodies[i].orientation.w = 1;
    s->bodies[i].angular_velocity.z = 2;
    s->world.gravity = v3(0, -10, 0);
    tape = record_begin(s);
    CHECK(memcmp(tape->bytes, "dvc.rec\n\2\0\0\0\100\0\0\0\10\0\0\0\1\0\0\0", 24) == 0);
    CHECK((double)(dvc_real)record_double(tape->bytes + 24) == (double)(dvc_real)RECORD_H);
    CHECK(record_double(tape->bytes + 40) == -10);
    CHECK(record_number(tape->bytes + 56, 4) == DVC_VERSION);
    CHECK(record_number(tape->bytes + 60, 4) == dvci_adler32(tape->bytes, 60));
    at = record_chunk(tape, "FRAM", 0, &size);
    CHECK(at != NULL && record_number(at, 8) == 0 && record_number(at + 8, 4) == 0); /* number, status, no text */
    status = at + 16 + 16 + 8 + 24;
    CHECK(record_number(status, 4) == 18 && record_number(status + 4 + 72 + 16 + 56, 4) == 2); /* report, scalars */
    at = status + 4 + 72 + 16 + 56 + 4 + 16;
    CHECK(record_number(at, 4) == 1 && memcmp(at + 4, body, sizeof body) == 0);
    CHECK(record_number(at + 4 + sizeof body, 8) == 0 && record_number(at + 12 + sizeof body, 4) == 0); /* nothing else */
    record_free(tape);
}

/* What is said once is said again when it changes, and each frame gets what was so at its time. */
static void what_the_user_changes_is_told_again(void)
{
    record_tape *tape = record_begin(record_scene(1));
    scene *s = tape->scene;
    dvc_recording r;
    size_t size;
    int i;
    for (i = 1; i <= 20; i++) {
        if (i == 5) s->shapes[0].surface_velocity.x = 1;
        if (i == 10) s->world.gravity.y = -5;
        if (i == 15) s->shapes[s->world.shape_count - 1].kind = DVC_NO_SHAPE; /* a polygon no more */
        record_step(tape, i);
    }
    CHECK(record_chunk(tape, "SCNE", 3, &size) && !record_chunk(tape, "SCNE", 4, &size));
    CHECK(record_chunk(tape, "GEOM", 1, &size) && !record_chunk(tape, "GEOM", 2, &size));
    r = record_open(tape);
    for (i = 20; i >= 0; i--) {
        record_stage stage = record_stage_make(r.storage_needed);
        CHECK(dvc_recording_world(&r, i, stage.storage, r.storage_needed, &stage.world) == DVC_OK);
        CHECK(stage.world.shapes[0].surface_velocity.x == (i >= 5) && (stage.world.gravity.y == -5) == (i >= 10));
        CHECK((stage.world.shapes[s->world.shape_count - 1].points == NULL) == (i >= 15));
        record_stage_free(&stage);
    }
    record_free(tape);
}

static void thin_recordings_hold_poses_and_pushing_contacts(void)
{
    record_tape *tape = record_begin(record_scene(0));
    unsigned char *bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
    dvc_recorder thin = tape->recorder;
    dvc_recording r;
    int i, k;
    thin.buffer = bytes;
    thin.thin = true;
    CHECK(dvc_record_begin(&thin, &tape->scene->world, (dvc_real)RECORD_H) == DVC_OK);
    for (i = 1; i <= RECORD_STEPS; i++) {
        record_step(tape, i);
        CHECK(dvc_record_step(&thin, &tape->scene->world, (dvc_real)RECORD_H, DVC_OK) == DVC_OK);
    }
    CHECK(thin.used < tape->recorder.used * 3 / 4);
    CHECK(dvc_recording_open(bytes, thin.used, &r) == DVC_OK && r.thin && r.frames == RECORD_FRAMES);
    {
        scene *again = record_scene(0);
        int pushing = 0;
        CHECK(dvc_recording_frame(&r, RECORD_STEPS, &again->world) == DVC_OK);
        for (k = 0; k < tape->scene->world.contact_count; k++) pushing += tape->scene->world.contacts[k].normal_impulse > 0;
        CHECK(pushing > 0 && again->world.contact_count == pushing);
        for (k = 0; k < again->world.body_count; k++) {
            CHECK(motion_apart(again->bodies[k].position, tape->scene->bodies[k].position) == 0);
            CHECK(oracle_norm(again->bodies[k].velocity) == 0);
        }
        scene_free(again);
    }
    free(bytes);
    record_free(tape);
}

static void failed_steps_are_told(void)
{
    record_tape *tape = record_begin(record_scene(0));
    dvc_world *world = &tape->scene->world;
    size_t scratch = world->scratch_size;
    dvc_recording r;
    dvc_status status;
    record_step(tape, 1);
    world->scratch_size = 100;
    status = dvc_step(world, (dvc_real)RECORD_H);
    CHECK(status == DVC_ERROR_SCRATCH && dvc_record_step(&tape->recorder, world, (dvc_real)RECORD_H, status) == DVC_OK);
    world->scratch_size = scratch;
    record_step(tape, 2);
    CHECK(dvc_record_end(&tape->recorder) == DVC_OK && tape->recorder.failed == 1 && tape->recorder.frames == 4);
    r = record_open(tape);
    CHECK(dvc_recording_frame(&r, 2, NULL) == DVC_OK && r.result == DVC_ERROR_SCRATCH && r.hash == tape->hash[1]);
    CHECK(dvc_recording_frame(&r, 3, NULL) == DVC_OK && r.result == DVC_OK && r.hash == tape->hash[2]);
    record_free(tape);
}

/* ---- recording does nothing to the world, and says when it could not ---- */

static void recording_does_not_change_the_world(void)
{
    record_odd *o = record_odd_make(1), *before = (record_odd *)scene_memory(1, sizeof *before);
    unsigned char *bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
    dvc_recorder recorder;
    memset(&recorder, 0, sizeof recorder);
    recorder.buffer = bytes;
    recorder.size = RECORD_ROOM;
    memcpy(before, o, sizeof *o);
    CHECK(dvc_record_begin(&recorder, &o->world, 1) == DVC_OK);
    CHECK(dvc_record_step(&recorder, &o->world, 1, DVC_OK) == DVC_OK);
    CHECK(dvc_record_end(&recorder) == DVC_OK);
    CHECK(memcmp(before, o, sizeof *o) == 0);
    free(bytes);
    free(before);
    free(o);
}

typedef struct record_sink {
    unsigned char *bytes;
    size_t used, largest;
    int calls, fail_at;
} record_sink;

static bool record_write(void *user, const void *bytes, size_t size)
{
    record_sink *sink = (record_sink *)user;
    if (sink->calls++ == sink->fail_at) return false;
    if (sink->used + size <= RECORD_ROOM) memcpy(sink->bytes + sink->used, bytes, size);
    sink->used += size;
    if (size > sink->largest) sink->largest = size;
    return true;
}

/* Records three frames through a write function that fails at one call. */
static dvc_status record_through(record_sink *sink, size_t room, int *frames)
{
    scene *s = record_scene(0);
    dvc_recorder recorder;
    dvc_status status;
    int i;
    memset(&recorder, 0, sizeof recorder);
    recorder.write = record_write;
    recorder.user = sink;
    recorder.buffer = (unsigned char *)scene_memory(1, room);
    recorder.size = room;
    dvc_record_begin(&recorder, &s->world, (dvc_real)RECORD_H);
    for (i = 0; i < 2; i++) dvc_record_step(&recorder, &s->world, (dvc_real)RECORD_H, dvc_step(&s->world, (dvc_real)RECORD_H));
    status = dvc_record_end(&recorder);
    *frames = recorder.frames;
    CHECK(status == recorder.status);
    free(recorder.buffer);
    scene_free(s);
    return status;
}

static void errors_of_the_write_function_are_told_and_end_the_recording(void)
{
    record_sink sink;
    dvc_recording r;
    int calls, frames;
    memset(&sink, 0, sizeof sink);
    sink.bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
    sink.fail_at = -1;
    CHECK(record_through(&sink, 1 << 17, &frames) == DVC_OK && frames == 3);
    CHECK(dvc_recording_open(sink.bytes, sink.used, &r) == DVC_OK && r.frames == 3 && r.complete);
    calls = sink.calls; /* header, NAME, GEOM, SCNE, 3 FRAM, DONE */
    CHECK(calls == 8);
    for (sink.fail_at = 0; sink.fail_at < calls; sink.fail_at++) {
        sink.calls = 0;
        sink.used = 0;
        CHECK(record_through(&sink, 1 << 17, &frames) == DVC_ERROR_RECORD_WRITE);
        CHECK(sink.calls == sink.fail_at + 1);
        if (sink.fail_at > 0) CHECK(dvc_recording_open(sink.bytes, sink.used, &r) == DVC_OK && r.frames == frames && !r.complete);
    }
    free(sink.bytes);
}

static void a_buffer_for_the_largest_chunk_is_enough_and_one_byte_less_is_not(void)
{
    record_sink sink;
    scene *s = record_scene(0);
    dvc_recorder recorder;
    int frames;
    memset(&sink, 0, sizeof sink);
    memset(&recorder, 0, sizeof recorder);
    sink.bytes = (unsigned char *)scene_memory(1, RECORD_ROOM);
    sink.fail_at = -1;
    CHECK(record_through(&sink, 1 << 17, &frames) == DVC_OK);
    CHECK(sink.largest <= dvc_record_room(&recorder, &s->world));
    CHECK(record_through(&sink, sink.largest, &frames) == DVC_OK);
    CHECK(record_through(&sink, sink.largest - 1, &frames) == DVC_ERROR_RECORD_ROOM && frames < 3);
    CHECK(record_through(&sink, 10, &frames) == DVC_ERROR_RECORD_ROOM && frames == 0);
    scene_free(s);
    free(sink.bytes);
}

/* `needed` is exact, and a recording goes on where it stopped when it gets more room. */
static void a_full_buffer_tells_what_it_needs_and_the_recording_goes_on(void)
{
    scene *s = record_scene(1);
    dvc_recorder recorder;
    dvc_recording r;
    int tries = 0;
    memset(&recorder, 0, sizeof recorder);
    recorder.buffer = (unsigned char *)scene_memory(1, RECORD_ROOM);
    recorder.size = 64;
    while (dvc_record_begin(&recorder, &s->world, (dvc_real)RECORD_H) == DVC_ERROR_RECORD_ROOM && tries++ < 9) {
        CHECK(recorder.needed > recorder.size);
        recorder.size = recorder.needed;
    }
    CHECK(tries == 4 && recorder.status == DVC_OK && recorder.used == recorder.size && recorder.frames == 1);
    CHECK(dvc_step(&s->world, (dvc_real)RECORD_H) == DVC_OK);
    CHECK(dvc_record_step(&recorder, &s->world, (dvc_real)RECORD_H, DVC_OK) == DVC_ERROR_RECORD_ROOM);
    recorder.size = RECORD_ROOM;
    CHECK(dvc_record_step(&recorder, &s->world, (dvc_real)RECORD_H, DVC_OK) == DVC_ERROR_RECORD_ROOM);
    recorder.status = DVC_OK;
    CHECK(dvc_record_step(&recorder, &s->world, (dvc_real)RECORD_H, DVC_OK) == DVC_OK);
    CHECK(dvc_recording_open(recorder.buffer, recorder.used, &r) == DVC_OK && r.frames == 2);
    free(recorder.buffer);
    scene_free(s);
}

static void worlds_and_pointers_that_cannot_be_walked_are_refused(void)
{
    scene *s = record_scene(0);
    unsigned char bytes[64];
    dvc_recorder recorder;
    dvc_recording r;
    memset(&recorder, 0, sizeof recorder);
    CHECK(dvc_record_begin(NULL, &s->world, 1) == DVC_ERROR_NULL && dvc_record_begin(&recorder, NULL, 1) == DVC_ERROR_NULL);
    CHECK(dvc_record_begin(&recorder, &s->world, 1) == DVC_ERROR_NULL && dvc_record_end(&recorder) == DVC_ERROR_NULL);
    recorder.buffer = bytes;
    recorder.size = sizeof bytes;
    s->world.shape_count = -1;
    CHECK(dvc_record_begin(&recorder, &s->world, 1) == DVC_ERROR_COUNT);
    s->world.shape_count = 1;
    s->world.bodies = NULL;
    CHECK(dvc_record_step(&recorder, &s->world, 1, DVC_OK) == DVC_ERROR_NULL);
    CHECK(dvc_record_end(NULL) == DVC_ERROR_NULL && dvc_record_room(NULL, &s->world) == 0);
    CHECK(dvc_recording_open(NULL, 5, &r) == DVC_ERROR_NULL && dvc_recording_open(bytes, 5, NULL) == DVC_ERROR_NULL);
    CHECK(dvc_recording_frame(NULL, 0, NULL) == DVC_ERROR_NULL && dvc_recording_scalar(NULL, 0) == 0);
    scene_free(s);
}

static void rooms_of_what_cannot_be_walked_are_none(void)
{
    scene *s = record_scene(0);
    dvc_recorder recorder;
    memset(&recorder, 0, sizeof recorder);
    CHECK(dvc_record_room(&recorder, &s->world) > 0 && dvc_record_room(&recorder, NULL) == 0);
    recorder.scalar_count = -1;
    CHECK(dvc_record_room(&recorder, &s->world) == 0);
    recorder.scalar_count = 0;
    s->world.contact_count = s->world.contact_capacity + 1;
    CHECK(dvc_record_room(&recorder, &s->world) == 0);
    s->world.contact_count = 0;
    s->world.joint_count = 1;
    CHECK(dvc_record_room(&recorder, &s->world) == 0);
    s->world.joint_count = 0;
    s->world.shapes = NULL;
    CHECK(dvc_record_room(&recorder, &s->world) == 0);
    s->world.bodies = NULL;
    CHECK(dvc_record_room(&recorder, &s->world) == 0);
    scene_free(s);
}

/* ---- bytes that are not what they should be ---- */

/* A recording of a world that no step would take; it is read as it is, and its step says why. */
static void record_directions(int of_world, int of_rule)
{
    static unsigned char storage[1 << 16];
    static dvc_contact contacts[64];
    scene *s = scene_make(2, false, 1 << 16);
    unsigned char *scratch = (unsigned char *)scene_memory(1, 1 << 18);
    dvc_pair_rule rule;
    dvc_recorder recorder;
    dvc_recording r;
    dvc_world w;
    memset(&rule, 0, sizeof rule);
    memset(&recorder, 0, sizeof recorder);
    memset(&w, 0, sizeof w);
    scene_ground(s, 0.5);
    scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5), 1, 0.5);
    s->bodies[1].velocity.x = 1;
    rule.body_b = 1;
    rule.friction_directions = of_rule;
    s->world.pair_rules = &rule;
    s->world.pair_rule_count = of_rule != 0;
    s->world.friction_directions = of_world;
    recorder.buffer = (unsigned char *)scene_memory(1, RECORD_ROOM);
    recorder.size = RECORD_ROOM;
    CHECK(dvc_record_begin(&recorder, &s->world, (dvc_real)RECORD_H) == DVC_OK && dvc_record_end(&recorder) == DVC_OK);
    CHECK(dvc_recording_open(recorder.buffer, recorder.used, &r) == DVC_OK && r.storage_needed <= sizeof storage);
    w.contacts = contacts;
    w.contact_capacity = 64;
    CHECK(dvc_recording_world(&r, 0, storage, sizeof storage, &w) == DVC_OK);
    w.scratch = scratch;
    w.scratch_size = 1 << 18;
    CHECK(dvc_step(&w, (dvc_real)RECORD_H) == (of_rule ? DVC_ERROR_PAIR_RULE : DVC_ERROR_OPTION));
    free(recorder.buffer);
    free(scratch);
    scene_free(s);
}

static void a_recording_cannot_ask_for_rows_without_a_bound(void)
{
    record_directions(INT_MAX - 1, 0);
    record_directions(1 << 30, 0);
    record_directions(0, INT_MAX - 1);
}

static void a_world_that_is_another_is_refused_and_left_alone(void)
{
    record_tape *tape = record_run(0);
    dvc_recording r = record_open(tape);
    scene *other = record_scene(2), *same = record_scene(0);
    uint64_t hash = dvc_world_hash(&other->world);
    CHECK(dvc_recording_frame(&r, 5, &other->world) == DVC_ERROR_RECORDING_WORLD && dvc_world_hash(&other->world) == hash);
    CHECK(dvc_recording_frame(&r, -1, &same->world) == DVC_ERROR_RECORDING_FRAME);
    CHECK(dvc_recording_frame(&r, RECORD_FRAMES, &same->world) == DVC_ERROR_RECORDING_FRAME);
    same->world.contact_capacity = 1;
    CHECK(dvc_recording_frame(&r, RECORD_STEPS, &same->world) == DVC_ERROR_CONTACTS);
    CHECK(same->world.report.contacts_needed == tape->scene->world.contact_count);
    same->world.contact_capacity = SCENE_CONTACTS;
    same->shapes[same->world.shape_count - 1].polytope = NULL;
    CHECK(dvc_recording_frame(&r, 5, &same->world) == DVC_ERROR_RECORDING_WORLD);
    scene_free(other);
    scene_free(same);
    record_free(tape);
}

/* The header's sum, made right again after `byte` became `value`. */
static dvc_status record_open_with(const record_tape *tape, size_t byte, unsigned char value)
{
    dvc_recording r;
    uint32_t sum;
    int k;
    tape->bytes[byte] = value;
    sum = dvci_adler32(tape->bytes, 60);
    for (k = 0; k < 4; k++) tape->bytes[60 + k] = (unsigned char)(sum >> (8 * k));
    return dvc_recording_open(tape->bytes, tape->recorder.used, &r);
}

static void headers_of_others_are_told_apart(void)
{
    record_tape *tape = record_begin(record_scene(1));
    CHECK(record_open_with(tape, 0, 'D') == DVC_ERROR_RECORDING_MAGIC && record_open_with(tape, 0, 'd') == DVC_OK);
    CHECK(record_open_with(tape, 8, 3) == DVC_ERROR_RECORDING_VERSION && record_open_with(tape, 8, 2) == DVC_OK);
    CHECK(record_open_with(tape, 12, 63) == DVC_ERROR_RECORDING_DAMAGED && record_open_with(tape, 12, 64) == DVC_OK);
    CHECK(record_open_with(tape, 15, 99) == DVC_ERROR_RECORDING_CUT && record_open_with(tape, 15, 0) == DVC_OK);
    CHECK(record_open_with(tape, 16, 4) == DVC_ERROR_RECORDING_REAL && record_open_with(tape, 16, 8) == DVC_OK);
    record_free(tape);
}

static void a_recording_cut_anywhere_is_good_to_its_last_whole_chunk(void)
{
    record_tape *tape = record_begin(record_scene(1));
    unsigned char *copy;
    size_t size, at = 64;
    int i, frames = 0;
    for (i = 1; i <= 6; i++) record_step(tape, i);
    dvc_record_end(&tape->recorder);
    for (size = 0; size < tape->recorder.used; size++) {
        dvc_recording r;
        dvc_status status;
        copy = (unsigned char *)scene_memory(1, size); /* of exactly this size: a sanitizer sees reads beyond */
        memcpy(copy, tape->bytes, size);
        while (at + 12 <= size && at + 12 + record_number(copy + at + 4, 4) <= size) {
            frames += memcmp(copy + at, "FRAM", 4) == 0;
            at += (size_t)(12 + record_number(copy + at + 4, 4));
        }
        status = dvc_recording_open(copy, size, &r);
        CHECK(status == (size == at ? DVC_OK : DVC_ERROR_RECORDING_CUT));
        CHECK(r.frames == frames && !r.complete && r.good == (size < 64 ? 0 : at));
        if (frames > 0) CHECK(dvc_recording_frame(&r, frames - 1, NULL) == DVC_OK && r.hash == tape->hash[frames - 1]);
        CHECK(dvc_recording_frame(&r, frames, NULL) == DVC_ERROR_RECORDING_FRAME);
        free(copy);
    }
    CHECK(frames == 7);
    record_free(tape);
}

/* A changed bit is found wherever it is, but for tags: a chunk whose tag is unknown is skipped. */
static void a_changed_byte_is_found(void)
{
    record_tape *tape = record_begin(record_scene(1));
    size_t at, chunk = 64;
    int i;
    for (i = 1; i <= 4; i++) record_step(tape, i);
    dvc_record_end(&tape->recorder);
    for (at = 0; at < tape->recorder.used; at++) {
        dvc_recording r;
        dvc_status status;
        while (at >= chunk + 12 + record_number(tape->bytes + chunk + 4, 4))
            chunk += (size_t)(12 + record_number(tape->bytes + chunk + 4, 4));
        tape->bytes[at] ^= (unsigned char)(1 << (at % 8));
        status = dvc_recording_open(tape->bytes, tape->recorder.used, &r);
        if (at >= 64 && at - chunk < 4) CHECK(status == DVC_ERROR_RECORDING_DAMAGED || !r.complete || r.names_at == 0);
        else CHECK(status != DVC_OK && r.good <= at);
        if (at < 8) CHECK(status == DVC_ERROR_RECORDING_MAGIC);
        if (at >= 8 && at < 12) CHECK(status == DVC_ERROR_RECORDING_VERSION);
        tape->bytes[at] ^= (unsigned char)(1 << (at % 8));
    }
    record_free(tape);
}

/* Puts the right sum on a chunk that was tampered with. */
static void record_forge(unsigned char *bytes, size_t chunk)
{
    uint32_t sum = dvci_adler32(bytes + chunk + 12, (size_t)record_number(bytes + chunk + 4, 4));
    int k;
    for (k = 0; k < 4; k++) bytes[chunk + 8 + (size_t)k] = (unsigned char)(sum >> (8 * k));
}

/* Where a chunk begins, any but one without payload. */
static size_t record_some_chunk(const record_tape *tape)
{
    size_t at = 64, next;
    while (test_random(0, 1) < 0.7) {
        next = at + 12 + (size_t)record_number(tape->bytes + at + 4, 4);
        if (next >= tape->recorder.used) break;
        at = next;
    }
    return at;
}

/* Uses what can be opened of hostile bytes in every way; a step may fail, but no sanitizer may have to complain. */
static bool record_use(const unsigned char *bytes, size_t size)
{
    dvc_recording r;
    record_stage stage;
    bool stepped = false;
    int i;
    dvc_recording_open(bytes, size, &r);
    if (r.frames == 0 || r.storage_needed > (size_t)1 << 26) return false;
    stage = record_stage_make(r.storage_needed);
    for (i = 0; i < r.frames; i++) {
        const char *text;
        dvc_recording_name(&r, DVC_NAME_BODY, i, &text);
        dvc_recording_scalar(&r, 1);
        if (dvc_recording_world(&r, i, stage.storage, r.storage_needed, &stage.world) != DVC_OK) continue;
        CHECK(dvc_recording_frame(&r, i, &stage.world) == DVC_OK);
        stepped |= dvc_step(&stage.world, (dvc_real)RECORD_H) == DVC_OK;
    }
    record_stage_free(&stage);
    return stepped;
}

/* Bytes of payloads are changed, mostly few, mostly a little, and the sums made right again. */
static void forged_recordings_do_no_harm(void)
{
    int seed, kind, used = 0, refused = 0;
    for (kind = 0; kind < 2; kind++) {
        record_tape *tape = record_begin(record_scene(kind));
        size_t size, chunk;
        unsigned char *copy;
        record_step(tape, 1);
        copy = (unsigned char *)scene_memory(1, tape->recorder.used);
        for (seed = 0; seed < 1500; seed++) {
            int changes = seed % 3 + 1, k;
            test_seed((uint64_t)seed);
            memcpy(copy, tape->bytes, tape->recorder.used);
            chunk = record_some_chunk(tape);
            size = (size_t)record_number(copy + chunk + 4, 4);
            for (k = 0; k < changes; k++) {
                size_t at = (size_t)test_random(0, test_random(0, 1) < 0.5 ? (double)size : fmin((double)size, 200));
                copy[chunk + 12 + at] ^= (unsigned char)(1u << (test_random_bits() % 8));
            }
            record_forge(copy, chunk);
            if (record_use(copy, tape->recorder.used)) used++;
            else refused++;
        }
        free(copy);
        record_free(tape);
    }
    CHECK(used > 100 && refused > 100);
}

static void random_bytes_do_no_harm(void)
{
    unsigned char *bytes = (unsigned char *)scene_memory(1, 4096);
    record_tape *tape = record_begin(record_scene(1));
    int seed;
    size_t k, from, size;
    for (seed = 0; seed < 2000; seed++) {
        dvc_recording r;
        test_seed((uint64_t)seed);
        size = 76 + (size_t)test_random(0, 4000);
        from = seed % 2 ? 76 : 0;
        for (k = from; k < size; k++) bytes[k] = (unsigned char)(test_random(0, 1) < 0.5 ? 0 : test_random_bits());
        memcpy(bytes, tape->bytes, from); /* odd ones: a good header, a chunk that is known, and noise in it */
        if (from) memcpy(bytes + 64, dvci_tags[seed / 2 % DVCI_CHUNK_KINDS], 4);
        for (k = 0; from && k < 4; k++) bytes[68 + k] = (unsigned char)((size - 76) >> (8 * k));
        if (from) record_forge(bytes, 64);
        CHECK(dvc_recording_open(bytes, size, &r) != DVC_OK || from);
        CHECK(r.frames == 0);
    }
    free(bytes);
    record_free(tape);
}

/* A polytope whose numbers are in range but do not make a convex solid is refused when it is to be laid out. */
static void polytopes_that_are_none_are_refused(void)
{
    record_odd *o = record_odd_make(3);
    const dvc_polytope good = o->hull;
    dvc_polytope *p = &o->hull;
    int trial;
    CHECK(dvci_polytope_is_sound(p));
    for (trial = 0; trial < 8; trial++) {
        dvc_vec3 vertex = p->vertices[0];
        dvc_face face = p->faces[1];
        dvc_edge edge = p->edges[2];
        int loop = p->loops[0], around = p->around[1];
        if (trial == 0) ((dvc_vec3 *)p->vertices)[0] = oracle_scaled(vertex, 0.5);
        if (trial == 1) ((dvc_face *)p->faces)[1].normal = oracle_scaled(face.normal, -1);
        if (trial == 2) ((dvc_edge *)p->edges)[2].face_2 = edge.face_1;
        if (trial == 3) ((int *)p->loops)[0] = p->vertex_count;
        if (trial == 4) ((int *)p->around)[1] = -1;
        if (trial == 5) ((dvc_face *)p->faces)[1].count = face.count + 1;
        if (trial == 6) p->inner = p->inner * 2;
        if (trial == 7) ((dvc_face *)p->faces)[1].offset += (dvc_real)0.01;
        CHECK(!dvci_polytope_is_sound(p));
        ((dvc_vec3 *)p->vertices)[0] = vertex;
        memcpy((void *)&p->faces[1], &face, sizeof face);
        memcpy((void *)&p->edges[2], &edge, sizeof edge);
        ((int *)p->loops)[0] = loop;
        ((int *)p->around)[1] = around;
        *p = good;
        CHECK(dvci_polytope_is_sound(p));
    }
    free(o);
}

static void suite_record(void)
{
    test_state.suite = "record";
    RUN(any_frame_in_the_same_program_goes_on_with_the_same_bits);
    RUN(a_world_laid_out_from_nothing_goes_on_with_the_same_bits);
    RUN(a_frame_tells_what_the_world_told);
    RUN(names_come_back);
    RUN(every_field_comes_back);
    RUN(every_hull_is_accepted_and_keeps_its_bits);
    RUN(sums_are_those_of_zlib);
    RUN(bytes_are_where_the_documentation_says);
    RUN(what_the_user_changes_is_told_again);
    RUN(thin_recordings_hold_poses_and_pushing_contacts);
    RUN(failed_steps_are_told);
    RUN(recording_does_not_change_the_world);
    RUN(errors_of_the_write_function_are_told_and_end_the_recording);
    RUN(a_buffer_for_the_largest_chunk_is_enough_and_one_byte_less_is_not);
    RUN(a_full_buffer_tells_what_it_needs_and_the_recording_goes_on);
    RUN(worlds_and_pointers_that_cannot_be_walked_are_refused);
    RUN(rooms_of_what_cannot_be_walked_are_none);
    RUN(a_recording_cannot_ask_for_rows_without_a_bound);
    RUN(a_world_that_is_another_is_refused_and_left_alone);
    RUN(headers_of_others_are_told_apart);
    RUN(a_recording_cut_anywhere_is_good_to_its_last_whole_chunk);
    RUN(a_changed_byte_is_found);
    RUN(forged_recordings_do_no_harm);
    RUN(random_bytes_do_no_harm);
    RUN(polytopes_that_are_none_are_refused);
}
