/* MuJoCo behind the interface of peers.h, by a model written as text: defaults and, as "stiff", contacts with a time constant
 * of two steps (solref). Frictionless scenes have contacts without friction rows (condim 1). Planar scenes: prisms on two
 * slides and a hinge. MuJoCo cannot add bodies: those that enter later are held where they start, without contacts. Written
 * for version 2; scenes whose Jacobian, which that version stores densely, would take more than a gigabyte are refused. */
#include "measure.h"
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct mujoco_peer {
    const peers_scene *scene;
    mjModel *model;
    mjData *data;
    int *joint; /* (body_count) first joint, -1: fixed */
    int *geom;  /* (body_count) */
} mujoco_peer;

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

static void print(text *t, const char *format, ...)
{
    va_list list;
    if (t->capacity - t->length < 4096) {
        t->capacity = 2 * t->capacity + 8192;
        t->bytes = (char *)realloc(t->bytes, t->capacity);
        if (!t->bytes) abort();
    }
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length, 4096, format, list);
    va_end(list);
}

static void print_vector(text *t, const char *name, const double *v, int n)
{
    int k;
    print(t, " %s=\"", name);
    for (k = 0; k < n; k++) print(t, "%.17g ", v[k]);
    print(t, "\"");
}

static void print_mesh(text *t, const peers_scene *s, int i)
{
    double corners[HULL_VERTICES][3];
    int n = body_corners(s->planar, &s->bodies[i], corners);
    print(t, "<mesh name=\"m%d\"", i);
    print_vector(t, "vertex", corners[0], 3 * n);
    print(t, "/>\n");
}

static void print_geom(text *t, const peers_scene *s, int i, bool stiff)
{
    static const double plane[3] = { 0, 0, 1 };
    const peers_body *b = &s->bodies[i];
    print(t, "<geom name=\"g%d\" condim=\"%d\" friction=\"%.17g .005 .0001\"", i, b->friction > 0 ? 3 : 1, b->friction);
    if (stiff) print(t, " solref=\"%.17g 1\"", 2 * s->h);
    if (b->kind == PEERS_BOX) {
        print(t, " type=\"box\"");
        print_vector(t, "size", b->half, 3);
    } else if (b->kind == PEERS_SPHERE) {
        print(t, " type=\"sphere\"");
        print_vector(t, "size", &b->radius, 1);
    } else if (b->kind == PEERS_PLANE) {
        print(t, " type=\"plane\"");
        print_vector(t, "size", plane, 3);
        print_vector(t, "zaxis", b->normal, 3);
    } else print(t, " type=\"mesh\" mesh=\"m%d\"", i);
    if (b->fixed) print_vector(t, "pos", b->start.position, 3);
    if (b->fixed && b->kind == PEERS_BOX) print_vector(t, "quat", b->start.turn, 4);
    print(t, "/>");
}

/* Slides start at 0, so the body stands at the origin and its start goes to qpos. */
static void print_body(text *t, const peers_scene *s, int i, bool stiff)
{
    const peers_body *b = &s->bodies[i];
    print(t, "<body name=\"b%d\">", i);
    if (s->planar) print(t, "<joint name=\"j%d\" type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
                            "<joint type=\"hinge\" axis=\"0 0 1\"/>", i);
    else print(t, "<joint name=\"j%d\" type=\"free\"/>", i);
    print(t, "<inertial pos=\"0 0 0\" mass=\"%.17g\"", b->mass);
    print_vector(t, "diaginertia", b->inertia, 3);
    print(t, "/>");
    print_geom(t, s, i, stiff);
    print(t, "</body>\n");
}

static text scene_text(const peers_scene *s, int contacts, bool stiff)
{
    text t = { NULL, 0, 0 };
    int i, rows = 4 * contacts;
    print(&t, "<mujoco><compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\"/>");
    print(&t, "<size njmax=\"%d\" nconmax=\"%d\"/>", rows, contacts);
    print(&t, "<option timestep=\"%.17g\"", s->h);
    print_vector(&t, "gravity", s->gravity, 3);
    print(&t, "/><asset>\n");
    for (i = 0; i < s->body_count; i++)
        if (s->bodies[i].kind == PEERS_HULL) print_mesh(&t, s, i);
    print(&t, "</asset><worldbody>\n");
    for (i = 0; i < s->body_count; i++)
        if (s->bodies[i].fixed) print_geom(&t, s, i, stiff);
        else print_body(&t, s, i, stiff);
    print(&t, "</worldbody></mujoco>\n");
    return t;
}

static mjModel *compile(const text *t)
{
    static mjVFS files;
    char error[1000] = "";
    mjModel *model;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", (int)t->length);
    memcpy(files.filedata[0], t->bytes, t->length);
    model = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) fprintf(stderr, "MuJoCo: %s\n", error);
    return model;
}

static void put_state(mujoco_peer *p, int i)
{
    const peers_state *s = &p->scene->bodies[i].start;
    double *q = p->data->qpos + p->model->jnt_qposadr[p->joint[i]], *v = p->data->qvel + p->model->jnt_dofadr[p->joint[i]];
    double back[4] = { s->turn[0], -s->turn[1], -s->turn[2], -s->turn[3] };
    memcpy(q, s->position, 3 * sizeof *q);
    memcpy(v, s->velocity, 3 * sizeof *v);
    if (p->scene->planar) {
        q[2] = state_angle(s);
        v[2] = s->spin[2];
        return;
    }
    memcpy(q + 3, s->turn, 4 * sizeof *q);
    vec_turn(back, s->spin, v + 3);
}

static void silent(const char *message) { (void)message; }

static void give_up(const char *message)
{
    (void)message;
    exit(3);
}

static void *open_mujoco(const peers_scene *scene, int stiff)
{
    mujoco_peer *p;
    text t;
    int i, contacts = 12 * scene->body_count + 100;
    char name[32];
    mju_user_warning = silent;
    mju_user_error = give_up;
    if (4.0 * contacts * (6.0 * scene->body_count) * 8 > 1e9) return NULL;
    p = (mujoco_peer *)calloc(1, sizeof *p);
    p->scene = scene;
    p->joint = (int *)calloc((size_t)scene->body_count, sizeof *p->joint);
    p->geom = (int *)calloc((size_t)scene->body_count, sizeof *p->geom);
    t = scene_text(scene, contacts, stiff != 0);
    p->model = compile(&t);
    free(t.bytes);
    if (!p->model) return NULL;
    p->data = mj_makeData(p->model);
    for (i = 0; i < scene->body_count; i++) {
        snprintf(name, sizeof name, "j%d", i);
        p->joint[i] = mj_name2id(p->model, mjOBJ_JOINT, name);
        snprintf(name, sizeof name, "g%d", i);
        p->geom[i] = mj_name2id(p->model, mjOBJ_GEOM, name);
        if (!scene->bodies[i].fixed) put_state(p, i);
    }
    return p;
}

static bool step_mujoco(void *world)
{
    mujoco_peer *p = (mujoco_peer *)world;
    int i;
    for (i = p->scene->body_count - 1; i >= 0 && p->scene->bodies[i].enters > 0; i--) {
        bool waits = p->scene->bodies[i].enters > p->data->time + 1e-9;
        p->model->geom_contype[p->geom[i]] = p->model->geom_conaffinity[p->geom[i]] = !waits;
        if (waits) put_state(p, i);
    }
    mj_step(p->model, p->data);
    return p->data->warning[mjWARN_BADQPOS].number + p->data->warning[mjWARN_BADQACC].number == 0;
}

static void read_mujoco(void *world, peers_state *states)
{
    mujoco_peer *p = (mujoco_peer *)world;
    int i;
    for (i = 0; i < p->scene->body_count; i++) {
        const double *q, *v;
        states[i] = p->scene->bodies[i].start;
        if (p->scene->bodies[i].fixed || p->scene->bodies[i].enters > p->data->time + 1e-9) continue;
        q = p->data->qpos + p->model->jnt_qposadr[p->joint[i]];
        v = p->data->qvel + p->model->jnt_dofadr[p->joint[i]];
        memcpy(states[i].position, q, (p->scene->planar ? 2 : 3) * sizeof *q);
        memcpy(states[i].velocity, v, (p->scene->planar ? 2 : 3) * sizeof *v);
        if (p->scene->planar) {
            states[i].turn[0] = cos(0.5 * q[2]);
            states[i].turn[3] = sin(0.5 * q[2]);
            states[i].spin[2] = v[2];
        } else {
            memcpy(states[i].turn, q + 3, 4 * sizeof *q);
            vec_turn(q + 3, v + 3, states[i].spin);
        }
    }
}

static void close_mujoco(void *world)
{
    mujoco_peer *p = (mujoco_peer *)world;
    mj_deleteData(p->data);
    mj_deleteModel(p->model);
    free(p->joint);
    free(p->geom);
    free(p);
}

const peer peers_mujoco[] = {
    { "MuJoCo", true, 0, open_mujoco, step_mujoco, read_mujoco, close_mujoco },
    { "MuJoCo stiff", true, 1, open_mujoco, step_mujoco, read_mujoco, close_mujoco },
    { NULL, false, 0, NULL, NULL, NULL, NULL },
};
