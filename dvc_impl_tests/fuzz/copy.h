/* A copy of all that a world is made of, to compare with and to go back to. */
#ifndef DVC_FUZZ_COPY_H
#define DVC_FUZZ_COPY_H

#include "solid.h"

typedef struct fuzz_part { unsigned char *bytes; size_t size, room; } fuzz_part;

typedef struct fuzz_copy {
    dvc_world w;
    fuzz_part bodies, shapes, joints, springs, rules, contacts;
    uint64_t stages; /* not the world's: how often a step was begun, see main.c */
} fuzz_copy;

static void fuzz_keep(fuzz_part *part, const void *from, int count, size_t size)
{
    part->size = count > 0 ? (size_t)count * size : 0;
    if (part->size > part->room) {
        free(part->bytes);
        part->bytes = (unsigned char *)fuzz_memory(part->size, 1);
        part->room = part->size;
    }
    if (part->size > 0) memcpy(part->bytes, from, part->size);
}

static void fuzz_take(fuzz_copy *c, const fuzz_world *f)
{
    c->w = f->w;
    fuzz_keep(&c->bodies, f->w.bodies, f->body_room, sizeof(dvc_body));
    fuzz_keep(&c->shapes, f->w.shapes, f->shape_room, sizeof(dvc_shape));
    fuzz_keep(&c->joints, f->w.joints, f->joint_room, sizeof(dvc_joint));
    fuzz_keep(&c->springs, f->w.springs, f->spring_room, sizeof(dvc_spring));
    fuzz_keep(&c->rules, f->rules, f->rule_room, sizeof(dvc_pair_rule));
    fuzz_keep(&c->contacts, f->w.contacts, f->w.contact_capacity, sizeof(dvc_contact));
}

static void fuzz_put(void *to, const fuzz_part *part)
{
    if (part->size > 0) memcpy(to, part->bytes, part->size);
}

/* The contacts' array may have grown since: it stays as large, and so does what the copy says of it. */
static void fuzz_give(fuzz_world *f, const fuzz_copy *c)
{
    dvc_contact *contacts = f->w.contacts;
    int capacity = f->w.contact_capacity;
    f->w = c->w;
    f->w.contacts = contacts;
    if (capacity > c->w.contact_capacity) f->w.contact_capacity = capacity;
    fuzz_put(f->w.bodies, &c->bodies);
    fuzz_put(f->w.shapes, &c->shapes);
    fuzz_put(f->w.joints, &c->joints);
    fuzz_put(f->w.springs, &c->springs);
    fuzz_put(f->rules, &c->rules);
    fuzz_put(f->w.contacts, &c->contacts);
}

/* Byte for byte: padding counts, whether anybody wrote it or not. */
static bool fuzz_bytes_same(const void *a, const void *b, size_t size)
{
    static unsigned char *x, *y;
    static size_t room;
    if (size > room) {
        free(x);
        free(y);
        x = (unsigned char *)fuzz_memory(size, 1);
        y = (unsigned char *)fuzz_memory(size, 1);
        room = size;
    }
    if (size == 0) return true;
    memcpy(x, a, size);
    memcpy(y, b, size);
    FUZZ_WRITTEN(x, size);
    FUZZ_WRITTEN(y, size);
    return memcmp(x, y, size) == 0;
}

static bool fuzz_part_same(const void *now, const fuzz_part *part) { return fuzz_bytes_same(now, part->bytes, part->size); }

/* All arrays, byte for byte. */
static bool fuzz_arrays_same(const fuzz_world *f, const fuzz_copy *c)
{
    return fuzz_part_same(f->w.bodies, &c->bodies) && fuzz_part_same(f->w.shapes, &c->shapes)
           && fuzz_part_same(f->w.joints, &c->joints) && fuzz_part_same(f->w.springs, &c->springs)
           && fuzz_part_same(f->rules, &c->rules) && fuzz_part_same(f->w.contacts, &c->contacts);
}

/* The world, but for report, culprit and scratch. */
static bool fuzz_world_same(const dvc_world *a, const dvc_world *b)
{
    dvc_world x = *a, y = *b;
    memset(&x.report, 0, sizeof x.report);
    memset(&y.report, 0, sizeof y.report);
    x.culprit = y.culprit = 0;
    x.scratch = y.scratch = NULL;
    x.scratch_size = y.scratch_size = 0;
    x.contact_capacity = y.contact_capacity = 0;
    x.contacts = y.contacts = NULL;
    return fuzz_bytes_same(&x, &y, sizeof x);
}

static bool fuzz_reals_same(const void *a, const void *b, size_t count) { return memcmp(a, b, count * sizeof(dvc_real)) == 0; }

/* By value: padding need not be copied. */
static bool fuzz_contact_same(const dvc_contact *a, const dvc_contact *b)
{
    return a->body_a == b->body_a && a->body_b == b->body_b && a->shape_a == b->shape_a && a->shape_b == b->shape_b
           && a->feature_a == b->feature_a && a->feature_b == b->feature_b && a->group == b->group && a->facet == b->facet
           && a->chosen == b->chosen && a->sensor == b->sensor && a->phase == b->phase && a->warm == b->warm
           && fuzz_reals_same(&a->point, &b->point, 3) && fuzz_reals_same(&a->normal, &b->normal, 3)
           && fuzz_reals_same(&a->gap, &b->gap, 1) && fuzz_reals_same(&a->impulse, &b->impulse, 3)
           && fuzz_reals_same(&a->normal_impulse, &b->normal_impulse, 1);
}

static bool fuzz_report_same(const dvc_report *a, const dvc_report *b) { return memcmp(a, b, sizeof *a) == 0; }

static const dvc_body *fuzz_body_before(const fuzz_copy *c, int i) { return (const dvc_body *)(const void *)c->bodies.bytes + i; }
static const dvc_joint *fuzz_joint_before(const fuzz_copy *c, int i)
{
    return (const dvc_joint *)(const void *)c->joints.bytes + i;
}
static const dvc_contact *fuzz_contacts_before(const fuzz_copy *c)
{
    return (const dvc_contact *)(const void *)c->contacts.bytes;
}

/* Contacts, joints, springs, time. */
static bool fuzz_ties_same(const fuzz_world *f, const fuzz_copy *c)
{
    int i;
    if (f->w.contact_count != c->w.contact_count || memcmp(&f->w.time, &c->w.time, sizeof f->w.time) != 0) return false;
    for (i = 0; i < f->w.contact_count; i++)
        if (!fuzz_contact_same(&f->w.contacts[i], &fuzz_contacts_before(c)[i])) return false;
    return fuzz_part_same(f->w.joints, &c->joints) && fuzz_part_same(f->w.springs, &c->springs);
}

/* What two steps have left. */
static bool fuzz_result_same(const fuzz_world *f, const fuzz_copy *c)
{
    return fuzz_ties_same(f, c) && fuzz_part_same(f->w.bodies, &c->bodies);
}

/* The same but for the marks of what is asleep, which are of the whole world (its terrain, too), and are not recorded. */
static bool fuzz_motion_same(const fuzz_world *f, const fuzz_copy *c)
{
    int i;
    for (i = 0; i < f->w.body_count; i++) {
        const dvc_body *a = &f->w.bodies[i], *b = fuzz_body_before(c, i);
        if (!fuzz_reals_same(&a->position, &b->position, 3) || !fuzz_reals_same(&a->orientation, &b->orientation, 4)
            || !fuzz_reals_same(&a->velocity, &b->velocity, 3) || !fuzz_reals_same(&a->angular_velocity, &b->angular_velocity, 3))
            return false;
    }
    return fuzz_ties_same(f, c);
}

#endif
