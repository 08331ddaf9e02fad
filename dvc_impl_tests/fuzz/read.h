/* Texts and bytes from anywhere: the mesh readers and what looks at a mesh, and recordings. What is whole must come back as it was
 * written; what is changed may be refused, but must not do harm. */
#ifndef DVC_FUZZ_READ_H
#define DVC_FUZZ_READ_H

#include "step.h"

enum { FUZZ_TEXT_ROOM = 1 << 14, FUZZ_MESH_POINTS = 24, FUZZ_MESH_FACES = 48 };

/* ---- meshes ---- */

typedef struct fuzz_mesh {
    dvc_vec3 points[FUZZ_MESH_POINTS];
    int faces[FUZZ_MESH_FACES][3];
    int point_count, face_count;
    bool sound; /* closed, and its faces look outward */
} fuzz_mesh;

/* A ring of points between two poles: closed and convex. Now and then with a face turned, missing, or twice. */
static void fuzz_mesh_make(fuzz_mesh *m, fuzz_source *s)
{
    int n = 3 + fuzz_below(s, 8), k, way = fuzz_below(s, 6);
    double high = fuzz_range(s, 0.1, 2), scale = fuzz_log_range(s, 1e-3, 1e3);
    dvc_vec3 by = fuzz_any_vec(s, false, 10);
    m->point_count = n + 2;
    m->face_count = 2 * n;
    for (k = 0; k < n; k++)
        m->points[k] = fuzz_vec(scale * cos(6.283185307179586 * k / n), scale * sin(6.283185307179586 * k / n), 0);
    m->points[n] = fuzz_vec(0, 0, scale * high);
    m->points[n + 1] = fuzz_vec(0, 0, -scale * high);
    for (k = 0; k < m->point_count; k++)
        m->points[k] = fuzz_vec((double)m->points[k].x + (double)by.x, (double)m->points[k].y + (double)by.y,
                                (double)m->points[k].z + (double)by.z);
    for (k = 0; k < n; k++) {
        int *up = m->faces[2 * k], *down = m->faces[2 * k + 1];
        up[0] = k; up[1] = (k + 1) % n; up[2] = n;
        down[0] = (k + 1) % n; down[1] = k; down[2] = n + 1;
    }
    m->sound = way > 2;
    k = fuzz_below(s, m->face_count);
    if (way == 0) { int keep = m->faces[k][0]; m->faces[k][0] = m->faces[k][1]; m->faces[k][1] = keep; }
    if (way == 1) memmove(m->faces[k], m->faces[k + 1], (size_t)(--m->face_count - k) * sizeof *m->faces);
    if (way == 2) { memcpy(m->faces[m->face_count], m->faces[k], sizeof *m->faces); m->face_count++; }
}

static size_t fuzz_mesh_write(const fuzz_mesh *m, bool obj, char *text)
{
    size_t at = 0;
    int k;
    if (!obj) at += (size_t)sprintf(text + at, "%d\n", m->point_count);
    for (k = 0; k < m->point_count; k++)
        at += (size_t)sprintf(text + at, obj ? "v %.17g %.17g %.17g\n" : "%.17g %.17g %.17g\n", (double)m->points[k].x,
                              (double)m->points[k].y, (double)m->points[k].z);
    if (!obj) at += (size_t)sprintf(text + at, "%d\n", m->face_count);
    for (k = 0; k < m->face_count; k++)
        at += (size_t)sprintf(text + at, obj ? "f %d %d %d\n" : "%d %d %d\n", m->faces[k][0] + 1, m->faces[k][1] + 1,
                              m->faces[k][2] + 1);
    return at;
}

/* Words that readers look for, and such as they do not. */
static const char *const fuzz_mesh_words[] = { "sqrt(",
                                               "^0.5",
                                               "1e308",
                                               "1e-320",
                                               "99999999999999999999",
                                               "2147483648",
                                               "-1",
                                               "0",
                                               "nan",
                                               "inf",
                                               "/",
                                               "//",
                                               "1/2/3",
                                               "#",
                                               "%",
                                               "[",
                                               "]",
                                               ";",
                                               "=",
                                               ":",
                                               ",",
                                               "(",
                                               ")",
                                               "((((((((((((((((((((((((",
                                               "1-2",
                                               "1 - 2",
                                               "\n",
                                               "\r\n",
                                               "\t",
                                               "\\\n",
                                               "v ",
                                               "f ",
                                               "vn 0 0 1\n",
                                               "f -1 -2 -3\n",
                                               "e",
                                               ".",
                                               "+",
                                               "vertices",
                                               "*",
                                               "1.5e+",
                                               "0x10",
                                               "\xff\xfe" };

/* Some of them are put over the text or into it. */
static size_t fuzz_spoil_text(fuzz_source *s, char *text, size_t size, int most)
{
    int count = 1 + fuzz_below(s, most), k;
    for (k = 0; k < count && size + 64 < FUZZ_TEXT_ROOM; k++) {
        const char *word = fuzz_mesh_words[fuzz_below(s, (int)(sizeof fuzz_mesh_words / sizeof *fuzz_mesh_words))];
        size_t length = strlen(word), at = size > 0 ? (size_t)fuzz_bits(s) * 7 % size : 0;
        switch (fuzz_below(s, 4)) {
        case 0: if (size > 0) text[at] = (char)fuzz_bits(s); break;
        case 1: size = at; break;
        case 2: memmove(text + at + length, text + at, size - at); memcpy(text + at, word, length); size += length; break;
        default: if (at + length <= size) memcpy(text + at, word, length); break;
        }
    }
    return size;
}

static dvc_status fuzz_mesh_parse(const char *text, size_t size, bool obj, dvc_mesh *mesh)
{
    return obj ? dvc_mesh_read_obj(text, size, mesh) : dvc_mesh_read_poly(text, size, mesh);
}

/* Edges that two triangles do not share as they should, counted by looking at all of them. */
static void fuzz_count_edges(const dvc_mesh *m, int *open, int *turned, int *crowded)
{
    int i, j, a, b;
    *open = *turned = *crowded = 0;
    for (i = 0; i < m->triangle_count; i++) for (a = 0; a < 3; a++) {
        int tail = m->triangles[i][a], head = m->triangles[i][(a + 1) % 3], forth = 0, back = 0;
        bool first = true;
        for (j = 0; j < m->triangle_count; j++) for (b = 0; b < 3; b++) {
            int t = m->triangles[j][b], h = m->triangles[j][(b + 1) % 3];
            bool same = (t == tail && h == head) || (t == head && h == tail);
            if (same && (j < i || (j == i && b < a))) first = false;
            forth += t == tail && h == head;
            back += t == head && h == tail;
        }
        if (!first) continue;
        *open += forth + back == 1;
        *turned += forth + back == 2 && back != 1;
        *crowded += forth + back > 2;
    }
}

static void fuzz_judge_mesh(const dvc_mesh *m, bool sound)
{
    size_t need = dvc_mesh_scratch_size(m);
    fuzz_block b = fuzz_block_of(need, 0, 0xA5);
    dvc_mesh_report r;
    dvc_mass mass;
    dvc_status status;
    int open, turned, crowded, i, k;
    memset(&r, 0x55, sizeof r);
    for (i = 0; i < m->triangle_count; i++)
        for (k = 0; k < 3; k++)
            if (m->triangles[i][k] < 0 || m->triangles[i][k] >= m->vertex_count) {
                fuzz_found_in(FUZZ_MESH, i, "index");
                fuzz_block_close(&b);
                return;
            }
    status = dvc_mesh_check(m, b.bytes, need, &r);
    if (sound && status != DVC_OK) fuzz_found_in(FUZZ_MESH, status, "a sound mesh is refused");
    if (m->triangle_count <= 200 && (status == DVC_OK || status == DVC_ERROR_MESH_OPEN || status == DVC_ERROR_MESH_TURNED)) {
        fuzz_count_edges(m, &open, &turned, &crowded);
        if (r.flat_triangles == 0 && (r.open_edges != open || r.turned_edges != turned || r.crowded_edges != crowded))
            fuzz_found_in(FUZZ_MESH, open - r.open_edges, "edges");
    }
    (void)dvc_mesh_is_convex(m);
    if (sound && !dvc_mesh_is_convex(m)) fuzz_found_in(FUZZ_MESH, 1, "convex");
    if (status != DVC_OK) { fuzz_block_close(&b); return; }
    status = dvc_mesh_mass(m, &mass);
    if (status == DVC_OK && !(isfinite((double)mass.volume) && fuzz_finite_vec(mass.centre) && fuzz_finite_vec(mass.moments)))
        fuzz_found_in(FUZZ_NOT_FINITE, 1, "dvc_mesh_mass");
    if (status == DVC_OK && !(mass.moments.x > 0 && mass.moments.y > 0 && mass.moments.z > 0))
        fuzz_found_in(FUZZ_MASS, 1, "dvc_mesh_mass");
    fuzz_block_close(&b);
}

/* Counts first, then arrays of just that size; the text is in a block of its own, without a zero behind it. */
static void fuzz_read_mesh(const char *text, size_t size, bool obj, const fuzz_mesh *made)
{
    char *exact = (char *)fuzz_memory(size, 1);
    dvc_mesh m;
    dvc_status status, again;
    if (size > 0) memcpy(exact, text, size);
    memset(&m, 0, sizeof m);
    status = fuzz_mesh_parse(exact, size, obj, &m);
    if (made && status != DVC_OK && status != DVC_ERROR_MESH_ROOM) fuzz_found_in(FUZZ_MESH, status, "a good text is refused");
    if ((status == DVC_OK || status == DVC_ERROR_MESH_ROOM)
        && (m.vertex_count < 0 || m.triangle_count < 0 || (size_t)m.vertex_count > size || (size_t)m.triangle_count > size))
        fuzz_found_in(FUZZ_MESH, m.vertex_count, "counts");
    else if (status == DVC_OK || status == DVC_ERROR_MESH_ROOM) {
        int vertices = m.vertex_count, triangles = m.triangle_count;
        m.vertices = (dvc_vec3 *)fuzz_memory((size_t)vertices, sizeof *m.vertices);
        m.triangles = (int (*)[3])fuzz_memory((size_t)triangles, sizeof *m.triangles);
        m.vertex_capacity = vertices;
        m.triangle_capacity = triangles;
        again = fuzz_mesh_parse(exact, size, obj, &m);
        if (again != DVC_OK || m.vertex_count != vertices || m.triangle_count != triangles)
            fuzz_found_in(FUZZ_MESH, again, "second reading");
        else {
            if (made
                && (vertices != made->point_count || triangles != made->face_count
                    || memcmp(m.vertices, made->points, (size_t)vertices * sizeof *m.vertices) != 0
                    || memcmp(m.triangles, made->faces, (size_t)triangles * sizeof *m.triangles) != 0))
                fuzz_found_in(FUZZ_MESH, vertices, "other numbers than were written");
            fuzz_judge_mesh(&m, made && made->sound);
        }
        free(m.vertices);
        free(m.triangles);
    }
    free(exact);
}

static void fuzz_read_meshes(fuzz_source *s, fuzz_level level)
{
    static char text[FUZZ_TEXT_ROOM];
    static fuzz_mesh m;
    bool obj = fuzz_chance(s, 500);
    size_t size;
    fuzz_mesh_make(&m, s);
    size = fuzz_mesh_write(&m, obj, text);
    if (level == FUZZ_SANE) { fuzz_read_mesh(text, size, obj, &m); return; }
    size = fuzz_spoil_text(s, text, size, level == FUZZ_EXTREME ? 3 : 40);
    fuzz_read_mesh(text, size, obj, NULL);
}

/* ---- recordings ---- */

static uint32_t fuzz_get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void fuzz_put32(unsigned char *p, uint32_t x)
{
    int k;
    for (k = 0; k < 4; k++) p[k] = (unsigned char)(x >> 8 * k);
}

static uint32_t fuzz_adler(const unsigned char *p, size_t size)
{
    uint32_t a = 1, b = 0;
    size_t i;
    for (i = 0; i < size; i++) { a = (a + p[i]) % 65521; b = (b + a) % 65521; }
    return b << 16 | a;
}

/* One number of a payload becomes another. */
static void fuzz_spoil_bytes(fuzz_source *s, unsigned char *p, size_t size)
{
    static const uint32_t odd[] = { 0, 1, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x10000000u, 4097, 255, 16, 3 };
    size_t at = ((size_t)fuzz_bits(s) << 4 ^ fuzz_bits(s)) % size;
    double x = fuzz_hostile(s);
    switch (fuzz_below(s, 6)) {
    case 0: p[at] = (unsigned char)fuzz_bits(s); break;
    case 1: p[at] ^= (unsigned char)(1u << fuzz_below(s, 8)); break;
    case 2: p[at]++; break;
    case 3: if ((at & ~(size_t)3) + 4 <= size) fuzz_put32(p + (at & ~(size_t)3), odd[fuzz_below(s, 10)]); break;
    case 4: if ((at & ~(size_t)3) + 4 <= size) fuzz_put32(p + (at & ~(size_t)3), (uint32_t)fuzz_below(s, 64)); break;
    default: if (at + 8 <= size) memcpy(p + at, &x, 8); break;
    }
}

/* Changes some payloads, and sets their sums right, so that the reader looks at them. */
static size_t fuzz_spoil_recording(fuzz_source *s, unsigned char *p, size_t size, int most)
{
    size_t header = size > 16 ? fuzz_get32(p + 12) : 0, chunks[64], at;
    int count = 0, k, times = 1 + fuzz_below(s, most), m;
    for (at = header; header > 16 && at + 12 <= size && count < 64; at += 12 + fuzz_get32(p + at + 4)) chunks[count++] = at;
    for (k = 0; k < times && count > 0; k++) {
        size_t length;
        at = chunks[fuzz_below(s, count)];
        length = fuzz_get32(p + at + 4);
        if (length == 0 || at + 12 + length > size) continue;
        for (m = 1 + fuzz_below(s, 3); m > 0; m--) fuzz_spoil_bytes(s, p + at + 12, length);
        fuzz_put32(p + at + 8, fuzz_adler(p + at + 12, length));
    }
    if (fuzz_chance(s, 100) && size > 0) p[(size_t)fuzz_bits(s) % size] = (unsigned char)fuzz_bits(s);
    return fuzz_chance(s, 100) && size > 0 ? (size_t)fuzz_bits(s) * 5 % size : size;
}

/* A world and three steps of it. */
static size_t fuzz_record_some(fuzz_world *f, fuzz_source *s, dvc_recorder *r)
{
    int k;
    static const char *const names[] = { "a", "b" };
    static const double numbers[] = { 1, 2 };
    memset(r, 0, sizeof *r);
    r->size = 4 * dvc_record_room(r, &f->w) + 4096;
    r->buffer = (unsigned char *)fuzz_memory(r->size, 1);
    r->title = "a title";
    r->scalar_names = names;
    r->scalars = numbers;
    r->scalar_count = 2;
    r->thin = fuzz_chance(s, 150);
    dvc_record_begin(r, &f->w, (dvc_real)f->h);
    for (k = 0; k < 3; k++) {
        dvc_status status = fuzz_step_in(f, f->h, fuzz_scratch, fuzz_scratch_size);
        dvc_record_step(r, &f->w, (dvc_real)f->h, status);
    }
    dvc_record_end(r);
    return r->status == DVC_OK ? r->used : 0;
}

/* Every frame becomes a world, which is asked and stepped. */
static void fuzz_read_frames(dvc_recording *r, bool whole, const dvc_world *last)
{
    dvc_world w;
    dvc_status status = DVC_OK;
    dvc_hit hit;
    const char *name;
    void *store;
    int i;
    if (r->frames <= 0) return;
    if (r->frames > 1000 || r->storage_needed > (size_t)1 << 26 || r->contacts > 100000 || r->contacts < 0) {
        fuzz_found_in(FUZZ_READER, (double)r->storage_needed, "a small recording asks for much");
        return;
    }
    store = fuzz_memory(r->storage_needed, 1);
    memset(&w, 0, sizeof w);
    w.contact_capacity = r->contacts + 300;
    w.contacts = (dvc_contact *)fuzz_memory((size_t)w.contact_capacity, sizeof *w.contacts);
    w.scratch = fuzz_scratch;
    w.scratch_size = fuzz_scratch_size;
    for (i = 0; i < r->frames; i++) {
        status = dvc_recording_world(r, i, store, r->storage_needed, &w);
        if (status == DVC_ERROR_STORAGE) fuzz_found_in(FUZZ_READER, (double)r->storage_needed, "storage_needed does not suffice");
        if (whole && status != DVC_OK) fuzz_found_in(FUZZ_READER, status, "a frame cannot be read");
        (void)dvc_recording_scalar(r, i);
        (void)dvc_recording_name(r, DVC_NAME_BODY, i, &name);
        if (status != DVC_OK) continue;
        if (whole && !r->thin && i == r->frames - 1 && dvc_world_hash(&w) != dvc_world_hash(last))
            fuzz_found_in(FUZZ_READER, i, "the last frame is another");
        (void)dvc_energy(&w);
        (void)dvc_raycast(&w, fuzz_vec(0, 0, 5), fuzz_vec(0, 0.1, -9), 0, &hit);
        status = dvc_step(&w, (dvc_real)0.01);
        if (status == DVC_OK) fuzz_judge_finite(&w);
    }
    free(w.contacts);
    free(store);
}

static void fuzz_read_recording(fuzz_source *s, fuzz_level level)
{
    static dvc_recorder recorder;
    fuzz_world *f = &fuzz_now_world;
    dvc_recording r;
    dvc_status status;
    unsigned char *exact;
    size_t size;
    if (!fuzz_scratch) fuzz_grow_scratch(FUZZ_SCRATCH);
    fuzz_world_make(f, s, FUZZ_SANE);
    size = fuzz_record_some(f, s, &recorder);
    if (level != FUZZ_SANE) size = fuzz_spoil_recording(s, recorder.buffer, size, level == FUZZ_EXTREME ? 1 : 12);
    exact = (unsigned char *)fuzz_memory(size, 1);
    if (size > 0) memcpy(exact, recorder.buffer, size);
    free(recorder.buffer);
    status = dvc_recording_open(exact, size, &r);
    if (level == FUZZ_SANE && (status != DVC_OK || r.frames != 4 || !r.complete))
        fuzz_found_in(FUZZ_READER, status, "a good recording is refused");
    if (r.good > size) fuzz_found_in(FUZZ_READER, (double)r.good, "good beyond the end");
    fuzz_read_frames(&r, level == FUZZ_SANE, &f->w);
    if (dvc_recording_frame(&r, 0, &f->w) == DVC_OK) {
        f->w.pair_rules = f->rules;
        status = fuzz_step_in(f, f->h, fuzz_scratch, fuzz_scratch_size);
        if (status == DVC_OK) fuzz_judge_finite(&f->w);
    }
    free(exact);
    fuzz_world_free(f);
}

static void fuzz_run_read(fuzz_source *source, fuzz_source *checks, fuzz_level level)
{
    (void)checks;
    fuzz_state.step = 0;
    fuzz_state.family = "";
    fuzz_sums[level].worlds++;
    if (fuzz_chance(source, 700)) fuzz_read_meshes(source, level);
    else fuzz_read_recording(source, level);
}

#endif
