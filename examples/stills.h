/* stills.h - pictures of recorded runs as small SVG files: frames side by side, and numbers over time. Include after record.h.

       record_stills("drop.svg", &run, 1, times, count, NULL);               frames at these times
       record_plot("energy.svg", "energy (J)", record_energy, 0, &run, 1);   a number over time

   Both take several runs, to be compared, and return false, after a line on stderr, if something could not be done. Planar worlds
   are shown flat; others from the right and somewhat above, without perspective. */
#ifndef DVC_STILLS_H
#define DVC_STILLS_H

#include <math.h>

enum { STILLS_WIDTH = 720, STILLS_GAP = 6, STILLS_CAPTION = 26 };

/* ---- reading back ---- */

typedef struct stills_reader {
    dvc_recording recording;
    dvc_world world; /* as in the frame read last */
    void *storage;
    bool ok;
} stills_reader;

static stills_reader stills_open(const record_run *run)
{
    stills_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.ok = dvc_recording_open(run->recorder.buffer, run->recorder.used, &reader.recording) == DVC_OK;
    reader.storage = malloc(reader.recording.storage_needed);
    reader.world.contact_capacity = reader.recording.contacts;
    reader.world.contacts = (dvc_contact *)calloc((size_t)reader.recording.contacts + 1, sizeof(dvc_contact));
    reader.ok = reader.ok && reader.storage && reader.world.contacts;
    return reader;
}

static bool stills_go(stills_reader *reader, int frame)
{
    dvc_recording *r = &reader->recording;
    return reader->ok && dvc_recording_world(r, frame, reader->storage, r->storage_needed, &reader->world) == DVC_OK;
}

static void stills_close(stills_reader *reader)
{
    free(reader->storage);
    free(reader->world.contacts);
}

/* The last frame that is not later than this, but for rounding. */
static int stills_frame_at(stills_reader *reader, double time)
{
    int frame = 0, i;
    for (i = 0; i < reader->recording.frames; i++)
        if (dvc_recording_frame(&reader->recording, i, NULL) == DVC_OK && reader->recording.time <= time + 1e-9) frame = i;
    return frame;
}

/* ---- stills ---- */

/* Directions of the picture in the world: to the right, up, and toward the eye. Nothing is smaller for being far. */
typedef struct stills_camera {
    dvc_vec3 right, up, toward;
    dvc_vec3 sky; /* against gravity */
    bool planar;
} stills_camera;

typedef enum stills_paint { STILLS_FLAT, STILLS_BALL, STILLS_LINE, STILLS_GLASS } stills_paint;

/* A polygon of the picture, or a disc around its only point. Points are in the camera's axes: right, up, toward. */
typedef struct stills_face {
    int first, count; /* its points */
    double radius;    /* of a disc */
    dvc_vec3 normal;  /* outward, in the camera's axes; 0 0 1 for all that is flat */
    double light;     /* 0 .. 1 */
    int colour;
    stills_paint paint;
} stills_face;

/* Faces of one shape, convex. */
typedef struct stills_solid {
    int first, count;
    dvc_vec3 low, high; /* around it, in the camera's axes */
    double rank;        /* lower ones are drawn first, if nothing else is known */
} stills_solid;

typedef struct stills_picture {
    stills_camera camera;
    stills_solid *solids;
    stills_face *faces;
    dvc_vec3 *points;
    int solid_count, solid_room, face_count, face_room, point_count, point_room;
    dvc_vec2 low, high; /* what is shown */
    dvc_vec3 middle;    /* of what moves, in the world */
    bool failed;        /* no memory */
} stills_picture;

enum { STILLS_GROUND = 0, STILLS_FIXED, STILLS_DRIVEN, STILLS_FIRST_BODY, STILLS_COLOURS = STILLS_FIRST_BODY + 5 };

/* Red, green, blue in full light: legible on white and on black. */
static const unsigned char stills_palette[STILLS_COLOURS][3] = {
    { 176, 176, 172 }, { 168, 170, 174 }, { 226, 160, 70 },
    { 96, 156, 218 }, { 122, 176, 146 }, { 214, 136, 120 }, { 158, 142, 202 }, { 196, 176, 104 }
};

static dvc_vec3 stills_vec(double x, double y, double z)
{
    dvc_vec3 v;
    v.x = (dvc_real)x;
    v.y = (dvc_real)y;
    v.z = (dvc_real)z;
    return v;
}

static double stills_dot(dvc_vec3 a, dvc_vec3 b) { return (double)(a.x * b.x + a.y * b.y + a.z * b.z); }

static dvc_vec3 stills_along(dvc_vec3 a, dvc_vec3 b, double s)
{
    return stills_vec((double)a.x + s * (double)b.x, (double)a.y + s * (double)b.y, (double)a.z + s * (double)b.z);
}

static dvc_vec3 stills_cross(dvc_vec3 a, dvc_vec3 b)
{
    return stills_vec((double)(a.y * b.z - a.z * b.y), (double)(a.z * b.x - a.x * b.z), (double)(a.x * b.y - a.y * b.x));
}

static dvc_vec3 stills_unit(dvc_vec3 a)
{
    double length = sqrt(stills_dot(a, a));
    return length > 0 ? stills_along(stills_vec(0, 0, 0), a, 1 / length) : a;
}

/* A point of a shape, in the world. */
static dvc_vec3 stills_place(const dvc_body *body, const dvc_shape *shape, dvc_vec3 point)
{
    dvc_body frame;
    memset(&frame, 0, sizeof frame);
    frame.position = shape->position;
    frame.orientation = shape->orientation;
    return dvc_body_point(body, dvc_body_point(&frame, point));
}

static dvc_vec3 stills_turn(const dvc_body *body, const dvc_shape *shape, dvc_vec3 direction)
{
    return stills_along(stills_place(body, shape, direction), stills_place(body, shape, stills_vec(0, 0, 0)), -1);
}

static dvc_vec3 stills_seen(const stills_camera *c, dvc_vec3 v)
{
    return stills_vec(stills_dot(c->right, v), stills_dot(c->up, v), stills_dot(c->toward, v));
}

/* From the right, somewhat above: x goes to the right where z is up. */
static stills_camera stills_look(const dvc_world *world)
{
    stills_camera c;
    dvc_vec3 side, front;
    c.planar = world->planar;
    c.right = stills_vec(1, 0, 0);
    c.up = stills_vec(0, 1, 0);
    c.toward = stills_vec(0, 0, 1);
    c.sky = c.planar ? c.up : c.toward;
    if (c.planar) return c;
    if (stills_dot(world->gravity, world->gravity) > 0)
        c.sky = stills_unit(stills_along(stills_vec(0, 0, 0), world->gravity, -1));
    side = stills_vec(1, 0, 0);
    if (fabs(stills_dot(c.sky, side)) > 0.9) side = stills_vec(0, 0, 1);
    front = stills_unit(stills_cross(side, c.sky));
    side = stills_cross(c.sky, front);
    c.toward = stills_unit(stills_along(stills_along(stills_along(c.sky, c.sky, -0.58), side, 0.45), front, 0.8));
    c.right = stills_unit(stills_cross(c.sky, c.toward));
    c.up = stills_cross(c.toward, c.right);
    return c;
}

/* ---- what is in a picture ---- */

/* Room for one more item of this size. */
static void *stills_grow(stills_picture *p, void *items, int count, int *room, size_t bytes)
{
    void *more = items;
    if (count < *room) return items;
    more = realloc(items, (size_t)(2 * *room + 256) * bytes);
    if (more) *room = 2 * *room + 256;
    else p->failed = true;
    return more ? more : items;
}

static void stills_add_solid(stills_picture *p)
{
    stills_solid *solid;
    p->solids = (stills_solid *)stills_grow(p, p->solids, p->solid_count, &p->solid_room, sizeof *p->solids);
    if (p->failed) return;
    solid = &p->solids[p->solid_count++];
    memset(solid, 0, sizeof *solid);
    solid->first = p->face_count;
    solid->low = stills_vec(1e30, 1e30, 1e30);
    solid->high = stills_vec(-1e30, -1e30, -1e30);
}

/* A face of the solid added last; none if there is no memory. */
static stills_face *stills_add_face(stills_picture *p, int colour, stills_paint paint)
{
    stills_face *face;
    p->faces = (stills_face *)stills_grow(p, p->faces, p->face_count, &p->face_room, sizeof *p->faces);
    if (p->failed) return NULL;
    face = &p->faces[p->face_count++];
    memset(face, 0, sizeof *face);
    face->first = p->point_count;
    face->normal.z = 1;
    face->light = 1;
    face->colour = colour;
    face->paint = paint;
    p->solids[p->solid_count - 1].count++;
    return face;
}

/* A point of the face added last. */
static void stills_add_point(stills_picture *p, dvc_vec3 at, double radius)
{
    stills_solid *s;
    dvc_vec3 seen = stills_seen(&p->camera, at);
    p->points = (dvc_vec3 *)stills_grow(p, p->points, p->point_count, &p->point_room, sizeof *p->points);
    if (p->failed) return;
    s = &p->solids[p->solid_count - 1];
    p->points[p->point_count++] = seen;
    p->faces[p->face_count - 1].count++;
    p->faces[p->face_count - 1].radius = radius;
    s->low = stills_vec(fmin((double)s->low.x, (double)seen.x - radius), fmin((double)s->low.y, (double)seen.y - radius),
                        fmin((double)s->low.z, (double)seen.z - radius));
    s->high = stills_vec(fmax((double)s->high.x, (double)seen.x + radius), fmax((double)s->high.y, (double)seen.y + radius),
                         fmax((double)s->high.z, (double)seen.z + radius));
}

/* A convex outline. Of what does not move, a face between the eye and the middle is glass. */
static void stills_add_outline(stills_picture *p, const dvc_body *body, const dvc_shape *shape, const dvc_vec3 *corners,
                               int count, dvc_vec3 normal, int colour)
{
    const stills_camera *c = &p->camera;
    dvc_vec3 sun = stills_unit(stills_along(stills_along(c->sky, c->right, -0.35), c->toward, 0.3));
    dvc_vec3 n = stills_turn(body, shape, normal), in = stills_along(p->middle, stills_place(body, shape, corners[0]), -1);
    bool glass = !c->planar && body->kind == DVC_STATIC && stills_dot(n, in) < 0;
    stills_face *face = stills_add_face(p, colour, glass ? STILLS_GLASS : STILLS_FLAT);
    int k;
    if (!face) return;
    if (!c->planar) face->light = 0.76 + 0.24 * stills_dot(n, sun);
    if (!c->planar) face->normal = stills_seen(c, n);
    for (k = 0; k < count; k++) stills_add_point(p, stills_place(body, shape, corners[k]), 0);
}

/* The face across `axis`, on one side. */
static void stills_add_box_face(stills_picture *p, const dvc_body *body, const dvc_shape *s, int axis, int side, int colour)
{
    static const int around[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    dvc_vec3 corners[4];
    double half[3], c[3], n[3] = { 0, 0, 0 };
    int k;
    half[0] = (double)s->half.x;
    half[1] = (double)s->half.y;
    half[2] = p->camera.planar ? 0 : (double)s->half.z;
    n[axis] = side;
    c[axis] = side * half[axis];
    for (k = 0; k < 4; k++) {
        c[next] = side * around[k][0] * half[next];
        c[last] = around[k][1] * half[last];
        corners[k] = stills_vec(c[0], c[1], c[2]);
    }
    stills_add_outline(p, body, s, corners, 4, stills_vec(n[0], n[1], n[2]), colour);
}

static void stills_add_box(stills_picture *p, const dvc_body *body, const dvc_shape *s, int colour)
{
    int axis;
    stills_add_box_face(p, body, s, 2, 1, colour);
    if (p->camera.planar) return;
    stills_add_box_face(p, body, s, 2, -1, colour);
    for (axis = 0; axis < 2; axis++) {
        stills_add_box_face(p, body, s, axis, 1, colour);
        stills_add_box_face(p, body, s, axis, -1, colour);
    }
}

static void stills_add_polytope(stills_picture *p, const dvc_body *body, const dvc_shape *s, int colour)
{
    const dvc_polytope *hull = s->polytope;
    dvc_vec3 *corners = (dvc_vec3 *)malloc((size_t)hull->vertex_count * sizeof *corners);
    int f, k;
    for (f = 0; corners && f < hull->face_count; f++) {
        const dvc_face *face = &hull->faces[f];
        for (k = 0; k < face->count; k++) corners[k] = hull->vertices[hull->loops[face->first + k]];
        stills_add_outline(p, body, s, corners, face->count, face->normal, colour);
    }
    if (!corners) p->failed = true;
    free(corners);
}

static void stills_add_polygon(stills_picture *p, const dvc_body *body, const dvc_shape *s, int colour)
{
    int k;
    if (!stills_add_face(p, colour, STILLS_FLAT)) return;
    for (k = 0; k < s->point_count; k++)
        stills_add_point(p, stills_place(body, s, stills_vec((double)s->points[k].x, (double)s->points[k].y, 0)), 0);
}

static void stills_add_line(stills_picture *p, dvc_vec3 from, dvc_vec3 to)
{
    if (!stills_add_face(p, STILLS_GROUND, STILLS_LINE)) return;
    stills_add_point(p, from, 0);
    stills_add_point(p, to, 0);
}

/* A ball, and in the plane a line on it that shows how it turns. */
static void stills_add_ball(stills_picture *p, const dvc_body *body, const dvc_shape *s, int colour)
{
    dvc_vec3 centre = stills_place(body, s, stills_vec(0, 0, 0));
    if (!stills_add_face(p, colour, p->camera.planar ? STILLS_FLAT : STILLS_BALL)) return;
    stills_add_point(p, centre, fmax((double)s->radius, 0));
    if (p->camera.planar) stills_add_line(p, centre, stills_place(body, s, stills_vec((double)s->radius, 0, 0)));
}

/* A round number near this length: 1, 2 or 5 times a power of ten. */
static double stills_round(double length)
{
    double power = pow(10, floor(log10(length))), of = length / power;
    return power * (of < 1.5 ? 1 : of < 3.5 ? 2 : of < 7.5 ? 5 : 10);
}

/* Lines on the ground a round number apart, through the world's origin: along `along`, which they cover `wide` either way. */
static void stills_add_grid(stills_picture *p, dvc_vec3 at, dvc_vec3 along, dvc_vec3 across, double wide)
{
    double step = stills_round(wide / 12), start = stills_dot(at, across), k;
    for (k = ceil((start - wide) / step); k * step <= start + wide; k++) {
        dvc_vec3 on = stills_along(at, across, k * step - start);
        stills_add_line(p, stills_along(on, along, -wide), stills_along(on, along, wide));
    }
}

/* As much of a half-space as the picture shows: in the plane a strip below its line, else a square around the middle with a grid,
 * if one can stand on it. */
static void stills_add_plane(stills_picture *p, const dvc_body *body, const dvc_shape *s)
{
    bool planar = p->camera.planar;
    dvc_vec3 n = stills_unit(stills_turn(body, s, s->normal)), origin = stills_place(body, s, stills_vec(0, 0, 0)), along, across;
    dvc_vec3 at = stills_along(p->middle, n, -stills_dot(n, stills_along(p->middle, origin, -1)));
    double wide = 1.5 * (double)(p->high.x - p->low.x + p->high.y - p->low.y), deep = planar ? 0.02 * wide : wide;
    int k;
    if (!planar && (stills_dot(n, p->camera.sky) < 0.5 || stills_dot(n, p->camera.toward) <= 0)) return;
    along = fabs((double)n.x) < 0.9 ? stills_vec(1, 0, 0) : stills_vec(0, 1, 0);
    along = stills_unit(stills_along(along, n, -stills_dot(along, n)));
    across = planar ? n : stills_cross(n, along);
    if (!stills_add_face(p, STILLS_GROUND, STILLS_FLAT)) return;
    for (k = 0; k < 4; k++) {
        dvc_vec3 corner = stills_along(at, along, k == 0 || k == 3 ? -wide : wide);
        stills_add_point(p, stills_along(corner, across, k < 2 ? -deep : planar ? 0 : deep), 0);
    }
    if (planar) return;
    stills_add_grid(p, at, along, across, wide);
    stills_add_grid(p, at, across, along, wide);
}

static bool stills_is_drawn(const dvc_world *world, const dvc_shape *s)
{
    return !s->disabled && s->body >= 0 && s->body < world->body_count && !world->bodies[s->body].disabled;
}

static int stills_colour(const dvc_body *body, int index)
{
    if (body->kind == DVC_DYNAMIC) return STILLS_FIRST_BODY + index % (STILLS_COLOURS - STILLS_FIRST_BODY);
    return body->kind == DVC_STATIC ? STILLS_FIXED : STILLS_DRIVEN;
}

static void stills_add_shape(stills_picture *p, const dvc_world *world, const dvc_shape *s)
{
    const dvc_body *body = &world->bodies[s->body];
    int colour = stills_colour(body, s->body);
    stills_add_solid(p);
    if (p->failed) return;
    if (s->kind == DVC_BOX) stills_add_box(p, body, s, colour);
    if (s->kind == DVC_SPHERE) stills_add_ball(p, body, s, colour);
    if (s->kind == DVC_POLYTOPE && s->polytope) stills_add_polytope(p, body, s, colour);
    if (s->kind == DVC_POLYGON) stills_add_polygon(p, body, s, colour);
    if (s->kind == DVC_PLANE) stills_add_plane(p, body, s);
    if (!p->failed) {
        stills_solid *solid = &p->solids[p->solid_count - 1];
        solid->rank = p->camera.planar ? (body->kind == DVC_STATIC ? -1 : 0) : (double)(solid->low.z + solid->high.z);
        if (s->kind == DVC_PLANE) solid->rank = -1e30;
    }
}

/* ---- what hides what ---- */

static int stills_by_rank(const void *a, const void *b)
{
    const stills_solid *s = (const stills_solid *)a, *t = (const stills_solid *)b;
    if (s->rank != t->rank) return s->rank < t->rank ? -1 : 1;
    return s->first < t->first ? -1 : s->first > t->first;
}

/* Does all of `solid` lie in front of the plane of the face? Touching is in front. */
static bool stills_is_before(const stills_picture *p, const stills_solid *solid, const stills_face *face)
{
    dvc_vec3 on = p->points[face->first];
    int f, k;
    for (f = solid->first; f < solid->first + solid->count; f++)
        for (k = p->faces[f].first; k < p->faces[f].first + p->faces[f].count; k++)
            if (stills_dot(face->normal, stills_along(p->points[k], on, -1)) < p->faces[f].radius - 1e-5) return false;
    return true;
}

/* A plane of a face of `a` that has `b` in front tells which is nearer to the eye: 1 if b, -1 if a, 0 if no face tells. */
static int stills_parted_by(const stills_picture *p, const stills_solid *a, const stills_solid *b)
{
    int f;
    for (f = a->first; f < a->first + a->count; f++) {
        const stills_face *face = &p->faces[f];
        if (face->count >= 3 && stills_is_before(p, b, face)) return face->normal.z > 0 ? 1 : -1;
    }
    return 0;
}

/* Does `b` lie before some of `a`, as the eye sees it? */
static bool stills_hides(const stills_picture *p, const stills_solid *b, const stills_solid *a)
{
    int side;
    if (a->rank <= -1e30 || b->rank <= -1e30) return a->rank < b->rank;
    if (a->low.x >= b->high.x || b->low.x >= a->high.x || a->low.y >= b->high.y || b->low.y >= a->high.y) return false;
    side = stills_parted_by(p, a, b);
    return side ? side > 0 : stills_parted_by(p, b, a) < 0;
}

/* The first of those from `from` on that hides none of them; in a ring, where there is no right order, simply the first. */
static int stills_next(const stills_picture *p, int from)
{
    int i, k;
    for (i = from; i < p->solid_count; i++) {
        for (k = from; k < p->solid_count && (k == i || !stills_hides(p, &p->solids[i], &p->solids[k])); k++) {}
        if (k == p->solid_count) return i;
    }
    return from;
}

/* The far before the near: by rank, but none before what it hides. */
static void stills_sort(stills_picture *p)
{
    int i, k;
    if (p->solid_count > 0) qsort(p->solids, (size_t)p->solid_count, sizeof *p->solids, stills_by_rank);
    for (i = 0; i < p->solid_count && !p->camera.planar; i++) {
        int next = stills_next(p, i);
        stills_solid solid = p->solids[next];
        for (k = next; k > i; k--) p->solids[k] = p->solids[k - 1];
        p->solids[i] = solid;
    }
}

/* ---- SVG ---- */

static void stills_put_paint(FILE *file, const stills_face *face)
{
    const unsigned char *c = stills_palette[face->colour];
    double light = fmin(fmax(face->light, 0.3), 1);
    if (face->paint == STILLS_GLASS) fprintf(file, " fill='none' stroke='#888' stroke-opacity='.3'");
    else if (face->paint == STILLS_BALL) fprintf(file, " fill='url(#ball%d)'", face->colour);
    else if (face->paint == STILLS_FLAT && face->colour == STILLS_GROUND) fprintf(file, " fill='#888' fill-opacity='.22'");
    else if (face->paint == STILLS_FLAT)
        fprintf(file, " fill='#%02x%02x%02x'", (unsigned)(light * c[0]), (unsigned)(light * c[1]), (unsigned)(light * c[2]));
}

static void stills_put_face(FILE *file, const stills_picture *p, const stills_face *face, double scale)
{
    int k;
    if (face->normal.z <= 1e-9) return; /* looks away */
    for (k = 0; k < face->count; k++) {
        double x = scale * (double)(p->points[face->first + k].x - p->low.x);
        double y = scale * (double)(p->high.y - p->points[face->first + k].y);
        if (face->count == 1) fprintf(file, "<circle cx='%.1f' cy='%.1f' r='%.1f'", x, y, fmax(scale * face->radius, 1.5));
        else fprintf(file, "%s%.1f %.1f", k ? "L" : "<path d='M", x, y);
    }
    if (face->count > 1) fprintf(file, face->paint == STILLS_LINE ? "'" : "Z'");
    stills_put_paint(file, face);
    fprintf(file, "/>\n");
}

/* Draws the world at (x, y) of the file, `width` wide. */
static void stills_put_frame(FILE *file, stills_picture *p, const dvc_world *world, double x, double y, double width)
{
    double scale = width / (double)(p->high.x - p->low.x);
    int i, f;
    p->solid_count = p->face_count = p->point_count = 0;
    for (i = 0; i < world->shape_count; i++)
        if (stills_is_drawn(world, &world->shapes[i])) stills_add_shape(p, world, &world->shapes[i]);
    if (p->failed) return;
    stills_sort(p);
    fprintf(file, "<svg x='%.0f' y='%.0f' width='%.0f' height='%.0f' stroke='#fff' stroke-opacity='.55' stroke-width='.8' "
                  "stroke-linejoin='round'>\n", x, y, width, scale * (double)(p->high.y - p->low.y));
    for (i = 0; i < p->solid_count; i++)
        for (f = p->solids[i].first; f < p->solids[i].first + p->solids[i].count; f++)
            stills_put_face(file, p, &p->faces[f], scale);
    fprintf(file, "</svg>\n");
}

static void stills_put_text(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&' || *text == '>') fprintf(file, "&#%d;", *text);
        else fputc(*text, file);
}

/* Begins a file of this height; all are equally wide. */
static FILE *stills_create(const char *path, double height)
{
    FILE *file = record_create(path);
    if (file)
        fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %.0f' font-family='system-ui,sans-serif' "
                      "font-size='13'>\n", STILLS_WIDTH, height);
    return file;
}

/* A lit ball of each colour. */
static void stills_put_balls(FILE *file)
{
    int i;
    fprintf(file, "<defs>\n");
    for (i = 0; i < STILLS_COLOURS; i++) {
        const unsigned char *c = stills_palette[i];
        fprintf(file, "<radialGradient id='ball%d' cx='.36' cy='.3' r='.8'><stop offset='0' stop-color='#%02x%02x%02x'/>"
                      "<stop offset='1' stop-color='#%02x%02x%02x'/></radialGradient>\n",
                i, c[0] / 2u + 127u, c[1] / 2u + 127u, c[2] / 2u + 127u, c[0] * 5u / 8u, c[1] * 5u / 8u, c[2] * 5u / 8u);
    }
    fprintf(file, "</defs>\n");
}

/* ---- the view ---- */

/* How far a shape reaches from its body's centre, about. */
static double stills_reach(const dvc_shape *s)
{
    double reach = s->kind == DVC_SPHERE ? (double)s->radius : 0;
    int k;
    if (s->kind == DVC_BOX) reach = sqrt(stills_dot(s->half, s->half));
    for (k = 0; s->kind == DVC_POLYGON && k < s->point_count; k++)
        reach = fmax(reach, hypot((double)s->points[k].x, (double)s->points[k].y));
    for (k = 0; s->kind == DVC_POLYTOPE && s->polytope && k < s->polytope->vertex_count; k++)
        reach = fmax(reach, sqrt(stills_dot(s->polytope->vertices[k], s->polytope->vertices[k])));
    return reach + sqrt(stills_dot(s->position, s->position));
}

static void stills_extend(stills_picture *p, dvc_vec3 at, double radius)
{
    dvc_vec3 seen = stills_seen(&p->camera, at);
    p->low.x = (dvc_real)fmin((double)p->low.x, (double)seen.x - radius);
    p->low.y = (dvc_real)fmin((double)p->low.y, (double)seen.y - radius);
    p->high.x = (dvc_real)fmax((double)p->high.x, (double)seen.x + radius);
    p->high.y = (dvc_real)fmax((double)p->high.y, (double)seen.y + radius);
}

/* Makes the view hold all that moves in this world, and the middle the mean of it. */
static void stills_hold(stills_picture *p, const dvc_world *world, int *bodies)
{
    int i;
    for (i = 0; i < world->shape_count; i++) {
        const dvc_shape *s = &world->shapes[i];
        const dvc_body *body = &world->bodies[s->body >= 0 && s->body < world->body_count ? s->body : 0];
        if (!stills_is_drawn(world, s) || body->kind != DVC_DYNAMIC) continue;
        stills_extend(p, body->position, 0.8 * stills_reach(s));
        p->middle = stills_along(p->middle, stills_along(body->position, p->middle, -1), 1.0 / ++*bodies);
    }
}

/* What is shown, if the caller does not say, with a margin. */
static void stills_frame(stills_picture *p, const double *view)
{
    double margin = 0.06 * (double)(p->high.x - p->low.x + p->high.y - p->low.y);
    p->low.x = (dvc_real)(view ? view[0] : (double)p->low.x - margin);
    p->low.y = (dvc_real)(view ? view[1] : (double)p->low.y - margin);
    p->high.x = (dvc_real)(view ? view[2] : (double)p->high.x + margin);
    p->high.y = (dvc_real)(view ? view[3] : (double)p->high.y + margin);
}

/* A picture that is to show all these frames. False: a recording cannot be read. */
static bool stills_begin(stills_picture *p, const record_run *runs, int count, const double *times, int time_count,
                         const double *view)
{
    int i, k, bodies = 0;
    memset(p, 0, sizeof *p);
    p->low.x = p->low.y = (dvc_real)1e30;
    p->high.x = p->high.y = (dvc_real)-1e30;
    for (i = 0; i < count; i++) {
        stills_reader reader = stills_open(&runs[i]);
        bool ok = true;
        for (k = 0; k < time_count && ok; k++) {
            ok = stills_go(&reader, stills_frame_at(&reader, times[k]));
            if (ok && i + k == 0) p->camera = stills_look(&reader.world);
            if (ok) stills_hold(p, &reader.world, &bodies);
        }
        stills_close(&reader);
        if (!ok) return record_complain("its recording cannot be read", record_name(&runs[i]));
    }
    if (bodies == 0) stills_extend(p, p->middle, 1);
    stills_frame(p, view);
    return true;
}

/* The frames of one run from (x, y) on, each with its caption below. */
static bool stills_put_row(FILE *file, stills_picture *p, const record_run *run, const double *times, int count, double x,
                           double y, double width, double height)
{
    stills_reader reader = stills_open(run);
    bool ok = true;
    int k;
    for (k = 0; k < count && ok; k++, x += width) {
        ok = stills_go(&reader, stills_frame_at(&reader, times[k]));
        if (!ok) break;
        stills_put_frame(file, p, &reader.world, x, y, width - STILLS_GAP);
        fprintf(file, "<text x='%.0f' y='%.0f' text-anchor='middle' fill='#888'>", x + (width - STILLS_GAP) / 2, y + height + 17);
        if (run->name) stills_put_text(file, run->name);
        fprintf(file, "%s%.4g s</text>\n", run->name ? ", " : "", reader.recording.time);
    }
    stills_close(&reader);
    return ok && !p->failed;
}

/* Frames at these times. One run gives a row; several give a row each, or, at a single time, one row of all. `view` is what is
 * shown of a planar world: left, bottom, right, top; none: all that moves. */
RECORD_WORD bool record_stills(const char *path, record_run *runs, int count, const double *times, int time_count,
                               const double *view)
{
    int columns = time_count > 1 ? time_count : count, rows = time_count > 1 ? count : 1, i;
    double width = (double)(STILLS_WIDTH + STILLS_GAP) / columns, height;
    stills_picture p;
    FILE *file;
    bool ok = true;
    for (i = 0; i < count; i++)
        if (!record_end(&runs[i])) return false;
    if (!stills_begin(&p, runs, count, times, time_count, view)) return false;
    height = (width - STILLS_GAP) * (double)(p.high.y - p.low.y) / (double)(p.high.x - p.low.x);
    file = stills_create(path, rows * (height + STILLS_CAPTION));
    if (!file) return false;
    stills_put_balls(file);
    for (i = 0; i < count && ok; i++)
        ok = stills_put_row(file, &p, &runs[i], times, time_count, rows > 1 ? 0 : i * width,
                            rows > 1 ? i * (height + STILLS_CAPTION) : 0, width, height);
    fprintf(file, "</svg>\n");
    free(p.solids);
    free(p.faces);
    free(p.points);
    return record_close(file, path) && (ok || record_complain("could not be drawn", path));
}

/* ---- plots ---- */

/* A number of a frame; `index` is the caller's. */
typedef double (*record_value)(const dvc_recording *recording, const dvc_world *world, int index);

RECORD_WORD double record_energy(const dvc_recording *recording, const dvc_world *world, int index)
{
    (void)world;
    (void)index;
    return (double)recording->energy;
}

/* One of your own numbers. */
RECORD_WORD double record_scalar(const dvc_recording *recording, const dvc_world *world, int index)
{
    (void)world;
    return dvc_recording_scalar(recording, index);
}

/* How high a body is: y in planar worlds, else z. */
RECORD_WORD double record_height(const dvc_recording *recording, const dvc_world *world, int index)
{
    (void)recording;
    if (index < 0 || index >= world->body_count) return 0;
    return (double)(world->planar ? world->bodies[index].position.y : world->bodies[index].position.z);
}

/* The deepest overlap, as a negative number of metres. */
RECORD_WORD double record_worst_gap(const dvc_recording *recording, const dvc_world *world, int index)
{
    (void)recording;
    (void)index;
    return (double)world->report.worst_gap;
}

enum { PLOT_HEIGHT = 260, PLOT_LEFT = 64, PLOT_RIGHT = STILLS_WIDTH - 20, PLOT_TOP = 34, PLOT_BOTTOM = 222, PLOT_POINTS = 500 };

typedef struct plot_curve {
    double x[PLOT_POINTS], y[PLOT_POINTS];
    int count;
} plot_curve;

/* At most so many frames, evenly. */
static bool plot_read(const record_run *run, record_value value, int index, plot_curve *curve)
{
    stills_reader reader = stills_open(run);
    int frames = reader.recording.frames, k;
    bool ok = true;
    curve->count = frames < PLOT_POINTS ? frames : PLOT_POINTS;
    for (k = 0; k < curve->count && ok; k++) {
        ok = stills_go(&reader, curve->count > 1 ? (int)((double)k * (frames - 1) / (curve->count - 1) + 0.5) : 0);
        curve->x[k] = reader.recording.time;
        curve->y[k] = ok ? value(&reader.recording, &reader.world, index) : 0;
    }
    stills_close(&reader);
    return ok || record_complain("its recording cannot be read", record_name(run));
}

typedef struct plot_axis { double low, high, step; } plot_axis;

/* Ticks at round numbers, about a quarter of the range apart. */
static plot_axis plot_make_axis(double low, double high)
{
    plot_axis axis;
    axis.step = stills_round((high > low ? high - low : fmax(fabs(high), 1) * 1e-3) / 4);
    axis.low = floor(low / axis.step + 1e-9) * axis.step;
    axis.high = ceil(high / axis.step - 1e-9) * axis.step;
    if (axis.high <= axis.low) axis.high = axis.low + axis.step;
    return axis;
}

static double plot_x(const plot_axis *axis, double x)
{
    return PLOT_LEFT + (x - axis->low) / (axis->high - axis->low) * (PLOT_RIGHT - PLOT_LEFT);
}

static double plot_y(const plot_axis *axis, double y)
{
    return PLOT_BOTTOM - (y - axis->low) / (axis->high - axis->low) * (PLOT_BOTTOM - PLOT_TOP);
}

static bool plot_tick(const plot_axis *axis, int k, double *tick)
{
    *tick = axis->low + k * axis->step;
    if (fabs(*tick) < axis->step * 1e-6) *tick = 0;
    return *tick <= axis->high + axis->step * 1e-6;
}

static void plot_put_axes(FILE *file, const plot_axis *time, const plot_axis *axis, const char *label)
{
    double tick;
    int k;
    fprintf(file, "<g fill='#888' stroke-opacity='.3'>\n<text x='8' y='18'>");
    stills_put_text(file, label);
    fprintf(file, "</text>\n");
    for (k = 0; plot_tick(axis, k, &tick); k++) {
        double y = plot_y(axis, tick);
        fprintf(file, "<path stroke='#888' d='M%d %.1fH%d'/>", PLOT_LEFT, y, PLOT_RIGHT);
        fprintf(file, "<text x='%d' y='%.1f' text-anchor='end'>%.4g</text>\n", PLOT_LEFT - 8, y + 4, tick);
    }
    for (k = 0; plot_tick(time, k, &tick); k++)
        fprintf(file, "<text x='%.1f' y='%d' text-anchor='middle'>%.4g%s</text>\n", plot_x(time, tick), PLOT_BOTTOM + 20, tick,
                k == 0 ? " s" : "");
    fprintf(file, "</g>\n");
}

static void plot_put_curve(FILE *file, const plot_curve *curve, const plot_axis *time, const plot_axis *axis, int colour)
{
    const unsigned char *c = stills_palette[STILLS_FIRST_BODY + colour % (STILLS_COLOURS - STILLS_FIRST_BODY)];
    int k;
    fprintf(file, "<path fill='none' stroke='#%02x%02x%02x' stroke-width='1.8' stroke-linejoin='round' d='", c[0], c[1], c[2]);
    for (k = 0; k < curve->count; k++)
        fprintf(file, "%c%.1f %.1f", k ? 'L' : 'M', plot_x(time, curve->x[k]), plot_y(axis, curve->y[k]));
    fprintf(file, "'/>\n");
}

/* Names of the runs in their colours, in a row that ends at the right. */
static void plot_put_legend(FILE *file, const record_run *runs, int count)
{
    int i;
    fprintf(file, "<text x='%d' y='18' text-anchor='end'>", PLOT_RIGHT);
    for (i = 0; i < count; i++) {
        const unsigned char *c = stills_palette[STILLS_FIRST_BODY + i % (STILLS_COLOURS - STILLS_FIRST_BODY)];
        fprintf(file, "<tspan dx='18' fill='#%02x%02x%02x'>", c[0], c[1], c[2]);
        stills_put_text(file, runs[i].name ? runs[i].name : "");
        fprintf(file, "</tspan>");
    }
    fprintf(file, "</text>\n");
}

static bool plot_put(const char *path, const char *label, const record_run *runs, const plot_curve *curves, int count)
{
    double low = 1e300, high = -1e300, end = 0;
    plot_axis time, axis;
    FILE *file = stills_create(path, PLOT_HEIGHT);
    int i, k;
    if (!file) return false;
    for (i = 0; i < count; i++)
        for (k = 0; k < curves[i].count; k++) {
            low = fmin(low, curves[i].y[k]);
            high = fmax(high, curves[i].y[k]);
            end = fmax(end, curves[i].x[k]);
        }
    time = plot_make_axis(0, end);
    if (end > 0) time.high = end;
    axis = plot_make_axis(low, high);
    plot_put_axes(file, &time, &axis, label);
    for (i = 0; i < count; i++) plot_put_curve(file, &curves[i], &time, &axis, i);
    plot_put_legend(file, runs, count);
    fprintf(file, "</svg>\n");
    return record_close(file, path);
}

/* A number over time, a curve for each run. */
RECORD_WORD bool record_plot(const char *path, const char *label, record_value value, int index, record_run *runs, int count)
{
    plot_curve *curves = (plot_curve *)calloc((size_t)count, sizeof *curves);
    bool ok = curves != NULL;
    int i;
    for (i = 0; i < count && ok; i++) ok = record_end(&runs[i]) && plot_read(&runs[i], value, index, &curves[i]);
    ok = ok && plot_put(path, label, runs, curves, count);
    free(curves);
    return ok;
}

#endif
