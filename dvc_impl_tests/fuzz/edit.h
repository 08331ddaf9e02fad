/* What people do to a world between two steps. */
#ifndef DVC_FUZZ_EDIT_H
#define DVC_FUZZ_EDIT_H

#include "copy.h"

/* A body that is not of the terrain; -1: none. */
static int fuzz_pick_body(const fuzz_world *f, fuzz_source *s)
{
    int first = f->w.terrain ? f->terrain.body_count : 0;
    return f->w.body_count > first ? first + fuzz_below(s, f->w.body_count - first) : -1;
}

static int fuzz_pick_shape(const fuzz_world *f, fuzz_source *s)
{
    int first = f->w.terrain ? f->terrain.shape_count : 0;
    return f->w.shape_count > first ? first + fuzz_below(s, f->w.shape_count - first) : -1;
}

/* Body `i` takes the place of body `k` and the other way round, with all that names them. */
static void fuzz_swap_bodies(fuzz_world *f, int i, int k)
{
    dvc_world *w = &f->w;
    dvc_body body = w->bodies[i];
    int n;
    w->bodies[i] = w->bodies[k];
    w->bodies[k] = body;
#define FUZZ_SWAP(x) ((x) = (x) == i ? k : (x) == k ? i : (x))
    for (n = 0; n < w->shape_count; n++) FUZZ_SWAP(w->shapes[n].body);
    for (n = 0; n < w->joint_count; n++) { FUZZ_SWAP(w->joints[n].body_a); FUZZ_SWAP(w->joints[n].body_b); }
    for (n = 0; n < w->spring_count; n++) { FUZZ_SWAP(w->springs[n].body_a); FUZZ_SWAP(w->springs[n].body_b); }
    for (n = 0; n < w->pair_rule_count; n++) { FUZZ_SWAP(f->rules[n].body_a); FUZZ_SWAP(f->rules[n].body_b); }
#undef FUZZ_SWAP
}

static void fuzz_edit_place(fuzz_world *f, fuzz_source *s, dvc_body *b)
{
    dvc_vec3 by = fuzz_any_vec(s, f->w.planar, f->unit * (f->level == FUZZ_SANE || fuzz_chance(s, 500) ? 0.01 : 1));
    if (f->level == FUZZ_SANE && fuzz_chance(s, 300))
        by = fuzz_up(f, fuzz_range(s, -1, 1) * f->unit, fuzz_range(s, 2, 4) * f->unit); /* dropped again */
    b->position = fuzz_vec((double)b->position.x + (double)by.x, (double)b->position.y + (double)by.y,
                           (double)b->position.z + (double)by.z);
    if (f->level != FUZZ_SANE && fuzz_chance(s, 300)) b->orientation = fuzz_any_turn(s, f->w.planar);
    b->position.x = (dvc_real)fuzz_number(s, f->level, (double)b->position.x);
}

static void fuzz_edit_body(fuzz_world *f, fuzz_source *s)
{
    int i = fuzz_pick_body(f, s), k = fuzz_pick_body(f, s);
    dvc_body *b;
    if (i < 0) return;
    b = &f->w.bodies[i];
    switch (fuzz_below(s, 10)) {
    case 0: b->velocity = fuzz_any_vec(s, f->w.planar, 3 * f->unit); break;
    case 1: b->velocity = b->angular_velocity = fuzz_vec(0, 0, 0); break;
    case 2: fuzz_edit_place(f, s, b); break;
    case 3: b->force = fuzz_chance(s, 500) ? fuzz_vec(0, 0, 0) : fuzz_any_vec(s, f->w.planar, 20 * f->unit); break;
    case 4: b->disabled = !b->disabled; break;
    case 5: if (b->kind == DVC_DYNAMIC) fuzz_give_mass(f, s, b); break;
    case 6: fuzz_swap_bodies(f, i, k); break;
    case 7: b->asleep = f->level == FUZZ_HOSTILE ? fuzz_bits(s) : 0; break;
    case 8: /* a copy comes in where a slot is free */
        if (!f->w.bodies[k].disabled) break;
        f->w.bodies[k].disabled = false;
        fuzz_edit_place(f, s, &f->w.bodies[k]);
        break;
    default: b->angular_velocity = f->w.planar ? fuzz_vec(0, 0, fuzz_range(s, -4, 4)) : fuzz_any_vec(s, false, 4); break;
    }
    if (f->isolated) b->force = fuzz_vec(0, 0, 0);
}

static void fuzz_edit_shape(fuzz_world *f, fuzz_source *s)
{
    int i = fuzz_pick_shape(f, s), k = fuzz_pick_shape(f, s);
    dvc_shape *shape, other;
    if (i < 0) return;
    shape = &f->w.shapes[i];
    switch (fuzz_below(s, 7)) {
    case 0: shape->disabled = !shape->disabled; break;
    case 1: shape->friction = (dvc_real)fuzz_number(s, f->level, fuzz_range(s, 0, 1)); break;
    case 2: shape->restitution = (dvc_real)(fuzz_chance(s, 700) ? 0 : fuzz_range(s, 0, 1)); break;
    case 3: shape->half = fuzz_vec(1.02 * (double)shape->half.x, 0.98 * (double)shape->half.y, (double)shape->half.z); break;
    case 4:
        if (shape->kind == DVC_SPHERE) {
            shape->kind = DVC_BOX;
        } else if (shape->kind == DVC_BOX) shape->kind = DVC_SPHERE;
        break;
    case 5: shape->ignore = (uint32_t)fuzz_below(s, 4); break;
    default:
        other = *shape;
        *shape = f->w.shapes[k];
        f->w.shapes[k] = other;
        break;
    }
    if (shape->kind == DVC_SPHERE && shape->radius <= 0 && fuzz_chance(s, 900)) shape->radius = (dvc_real)(0.2 * f->unit);
    if (shape->kind == DVC_BOX && !(shape->half.x > 0 && shape->half.y > 0 && shape->half.z > 0) && f->level != FUZZ_HOSTILE)
        shape->half = fuzz_vec(0.2 * f->unit, 0.2 * f->unit, 0.2 * f->unit);
}

static void fuzz_edit_joint(fuzz_world *f, fuzz_source *s)
{
    dvc_joint *j, fresh;
    int a = fuzz_pick_body(f, s), b = fuzz_pick_body(f, s);
    if (f->w.joint_count == 0) return;
    j = &f->w.joints[fuzz_below(s, f->w.joint_count)];
    switch (fuzz_below(s, 6)) {
    case 0: j->disabled = !j->disabled; break;
    case 1: j->turn.speed = (dvc_real)fuzz_range(s, -4, 4); j->slide.speed = (dvc_real)(f->unit * fuzz_range(s, -2, 2)); break;
    case 2: j->turn.limited = !j->turn.limited; j->turn.lower = (dvc_real)-0.5; j->turn.upper = (dvc_real)0.5; break;
    case 3: j->turn.effort = (dvc_real)fuzz_range(s, 0, 20); j->turn.friction = (dvc_real)fuzz_range(s, 0, 2); break;
    case 4: j->warm = 0; break;
    default: /* joined anew, to whatever is there */
        if (a < 0 || a == b
            || dvc_joint_attach(&f->w, fuzz_joint_kind(s), a, b, f->w.bodies[b].position, fuzz_any_vec(s, f->w.planar, 1), &fresh)
                   != DVC_OK)
            break;
        *j = fresh;
        fuzz_spice_joint(f, s, j, false);
        break;
    }
}

static void fuzz_edit_world(fuzz_world *f, fuzz_source *s)
{
    dvc_world *w = &f->w;
    switch (fuzz_below(s, 6)) {
    case 0: w->contact_count = 0; break;
    case 1: if (!f->isolated && fuzz_chance(s, 300)) w->gravity = fuzz_any_vec(s, w->planar, 9.81 * f->unit); break;
    case 2: w->sleep = !w->sleep; break;
    case 3:
        if (w->pair_rule_count > 0) {
            dvc_pair_rule *r = &f->rules[fuzz_below(s, w->pair_rule_count)];
            r->ignore = !r->ignore;
        }
        break;
    case 4:
        if (w->spring_count > 0) {
            dvc_spring *p = &w->springs[fuzz_below(s, w->spring_count)];
            p->disabled = !p->disabled;
        }
        break;
    default:
        if (w->spring_count > 0) {
            dvc_spring *p = &w->springs[fuzz_below(s, w->spring_count)];
            p->length = (dvc_real)((double)p->length * fuzz_range(s, 0.7, 1.4));
        }
        break;
    }
}

/* What the last step left in the contacts: anything may stand there now. */
static void fuzz_spoil_contact(fuzz_world *f, fuzz_source *s)
{
    dvc_contact *c;
    if (f->w.contact_count <= 0 || f->w.contact_count > f->w.contact_capacity) return;
    c = &f->w.contacts[fuzz_below(s, f->w.contact_count)];
    switch (fuzz_below(s, 6)) {
    case 0: c->shape_a = fuzz_below(s, 60) - 4; break;
    case 1: c->shape_b = fuzz_below(s, 60) - 4; break;
    case 2: c->warm = fuzz_bits(s) << 16 | fuzz_bits(s); break;
    case 3: c->impulse.x = (dvc_real)fuzz_hostile(s); c->normal_impulse = (dvc_real)fuzz_hostile(s); break;
    case 4: c->feature_a = fuzz_bits(s) << 16 | (unsigned)fuzz_below(s, 20); break;
    default:
        c->phase = (dvc_phase)(fuzz_below(s, 8) - 2);
        c->group = fuzz_below(s, 20) - 4;
        c->normal.x = (dvc_real)fuzz_hostile(s);
        break;
    }
}

static void fuzz_edit(fuzz_world *f, fuzz_source *s)
{
    int way = fuzz_below(s, 10);
    if (way < 5) fuzz_edit_body(f, s);
    else if (way < 7) fuzz_edit_shape(f, s);
    else if (way < 9) fuzz_edit_joint(f, s);
    else fuzz_edit_world(f, s);
    if (f->level == FUZZ_HOSTILE && fuzz_chance(s, 200)) fuzz_spoil_contact(f, s);
}

#endif
