/* Polytope exact geometry, before any choice: the facets of a pair against brute force over all features, the corners that a
 * flush facet is enforced at, the tests of W 3 on its figures, and features that keep their numbers.
 *
 * Included by the main file of the tests after oracle.h. */

#include "trial.h"

/* Two random parts, the second one dynamic, with this room between them along the line of their centres. */
static scene *facets_pair(bool planar, trial_kind first, trial_kind second, double room)
{
    scene *s = scene_make(2, planar, TRIAL_SCRATCH);
    oracle_solid a, b;
    dvc_vec3 way = trial_direction(planar);
    int k;
    s->world.gravity = scene_zero;
    trial_part(s, DVC_STATIC, first, test_random(0.2, 0.5), scene_zero, 0);
    trial_part(s, DVC_DYNAMIC, second, test_random(0.2, 0.5), way, 0);
    oracle_shape(&s->world, 0, &a);
    oracle_shape(&s->world, 1, &b);
    for (k = 0; k < 30; k++) { /* the gap falls with the distance, by no more than that */
        double more = room - oracle_gap(&a, &b);
        dvc_quat still = { 1, 0, 0, 0 };
        oracle_place(&b, oracle_scaled(way, more), still);
        s->bodies[1].position = oracle_along(s->bodies[1].position, way, more);
    }
    return s;
}

/* In space, a pair of edges counts a little beyond its range, so that it may say up to a thousandth of the size too much. */
static double facets_excess(const dvci_step *step) { return step->world->planar ? 1e-12 : 1e-3 * (double)step->groups[0].size; }

static double facets_largest(const dvci_step *step)
{
    return step->group_count > 0 ? (double)step->groups[0].gap : ORACLE_FAR;
}

/* ---- the largest gap ---- */

/* Boxes and hulls among themselves: the gap of the best separating plane; none is listed beyond the reach. Edges within .005 of
 * parallel are no facets: where parts overlap, another plane a little deeper may stand for theirs. */
static void facets_compare_gap(bool planar, trial_kind first, trial_kind second, double room)
{
    scene *s = facets_pair(planar, first, second, room);
    dvci_step step;
    oracle_solid a, b;
    double gap;
    oracle_shape(&s->world, 0, &a);
    oracle_shape(&s->world, 1, &b);
    gap = oracle_gap(&a, &b);
    trial_find(s, 0.01, &step);
    CHECK(step.group_count <= 1);
    if (step.group_count == 1) CHECK(facets_largest(&step) >= gap - (gap < 0 ? 0.01 * (double)step.groups[0].size : 1e-12) && facets_largest(&step) <= gap + facets_excess(&step));
    else CHECK(gap > 0.004 * 0.1);
    if (gap < 0) CHECK(step.group_count == 1);
    scene_free(s);
}

static void the_largest_gap_is_that_of_the_best_separating_plane(void)
{
    int k, planar, kinds;
    test_seed(1);
    for (k = 0; k < 250; k++)
        for (planar = 0; planar < 2; planar++)
            for (kinds = 0; kinds < 4; kinds++) {
                trial_kind first = kinds & 1 ? TRIAL_HULL : TRIAL_BOX, second = kinds & 2 ? TRIAL_HULL : TRIAL_BOX;
                facets_compare_gap(planar, first, second, test_random(-0.05, 0.005));
            }
}

/* A ball next to a face, an edge or a corner: its gap is the distance. */
static void the_gap_of_a_ball_is_its_distance(void)
{
    int k, planar, kinds;
    test_seed(2);
    for (k = 0; k < 100; k++)
        for (planar = 0; planar < 2; planar++)
            for (kinds = 0; kinds < 3; kinds++)
                facets_compare_gap(planar, (trial_kind)kinds, TRIAL_BALL, test_random(-0.02, 0.002));
}

/* ---- what the facets say about a motion ---- */

/* The pair moved apart or together by a translation: the best value of the listed facets must tell what the oracle sees. */
static void facets_compare_motion(bool planar, trial_kind first, trial_kind second)
{
    scene *s = facets_pair(planar, first, second, test_random(-0.01, 0.02));
    dvci_step step;
    oracle_solid a, b;
    dvci_motion_pair motion;
    double h = 0.01, best = -ORACLE_FAR, gap;
    int f;
    s->bodies[1].velocity = oracle_scaled(trial_direction(planar), test_random(0, 6));
    trial_find(s, h, &step);
    s->bodies[1].position = oracle_along(s->bodies[1].position, s->bodies[1].velocity, h);
    oracle_shape(&s->world, 0, &a);
    oracle_shape(&s->world, 1, &b);
    gap = oracle_gap(&a, &b);
    if (step.group_count == 0) CHECK(gap > 0);
    if (step.group_count == 1) {
        motion = dvci_group_motion(&step, &step.groups[0], DVCI_FREE);
        for (f = 0; f < step.groups[0].count; f++)
            best = fmax(best, (double)dvci_facet_value(&step, &motion, &step.facets[step.groups[0].first + f], (dvc_real)h));
        CHECK(best <= gap + facets_excess(&step));
        CHECK(best >= fmin(gap, 0) - 1e-12);
    }
    scene_free(s);
}

static void the_facets_tell_exactly_when_a_translation_overlaps(void)
{
    int k, planar, kinds;
    test_seed(3);
    for (k = 0; k < 300; k++)
        for (planar = 0; planar < 2; planar++)
            for (kinds = 0; kinds < 4; kinds++)
                facets_compare_motion(planar, kinds & 1 ? TRIAL_HULL : TRIAL_BOX, kinds & 2 ? TRIAL_HULL : TRIAL_BOX);
}

/* Does a facet of the pair contain a face of this side with this normal? */
static bool facets_list_face(const dvci_step *step, int side, dvc_vec3 normal)
{
    const dvci_group *g = &step->groups[0];
    const dvci_part *part = &step->parts[side ? g->part_b : g->part_a];
    int f;
    for (f = g->first; f < g->first + g->count; f++) {
        int face = side ? step->facets[f].face_b : step->facets[f].face_a;
        if (face >= 0 && oracle_norm(oracle_minus(part->normals[face], normal)) < 1e-6) return true;
    }
    return false;
}

/* Every face whose plane can be the best one after the step: its gap is within twice the reach of the best. */
static void every_face_that_can_matter_is_listed(void)
{
    int k, side, f, listed = 0, left_out = 0;
    test_seed(4);
    for (k = 0; k < 400; k++) {
        scene *s = facets_pair(k & 1, k & 2 ? TRIAL_HULL : TRIAL_BOX, TRIAL_HULL, test_random(-0.01, 0.001));
        dvci_step step;
        oracle_solid solid[2];
        s->bodies[1].velocity = oracle_scaled(trial_direction(k & 1), 2);
        trial_find(s, 0.01, &step);
        for (side = 0; side < 2; side++) oracle_shape(&s->world, side, &solid[side]);
        for (side = 0; side < 2; side++)
            for (f = 0; f < solid[side].face_count; f++) {
                dvc_vec3 n = solid[side].normals[f], along = side ? oracle_scaled(n, -1) : n;
                double gap = oracle_axis_gap(&solid[0], &solid[1], along),
                    least = facets_largest(&step) - 2 * (double)step.groups[0].reach;
                if (gap > least + 1e-9) { listed++; CHECK(facets_list_face(&step, side, n)); }
                else left_out++;
            }
        scene_free(s);
    }
    CHECK(listed > 400 && left_out > 400);
}

/* Do the two edges pass each other, seen along their common normal? */
static bool facets_edges_cross(const dvci_couple *c, int edge_a, int edge_b)
{
    dvc_vec3 p, q, u = dvci_edge_vector(c->part[0], edge_a, &p), v = dvci_edge_vector(c->part[1], edge_b, &q);
    dvc_real s, t;
    return dvci_cross_lines(p, u, dvci_add(q, c->d), v, &s, &t) && s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/* Every pair of crossing edges that can be the best one is on the list, wherever the parts are: none is passed over unseen. */
static void every_pair_of_edges_that_can_matter_is_listed(void)
{
    int k, i, j, m, listed = 0;
    test_seed(14);
    for (k = 0; k < 1000; k++) {
        scene *s = facets_pair(false, k & 1 ? TRIAL_HULL : TRIAL_BOX, k & 2 ? TRIAL_HULL : TRIAL_BOX, test_random(-0.05, 0.001));
        dvci_step step;
        dvci_couple c;
        dvci_candidate *list;
        dvc_real best;
        int count;
        trial_find(s, 0.01, &step);
        if (step.group_count == 1) {
            dvci_set_couple(&c, &step, &step.groups[0], false);
            count = dvci_list_candidates(&c, &list, &best);
            for (i = 0; i < c.part[0]->edge_count; i++)
                for (j = 0; j < c.part[1]->edge_count; j++) {
                    dvc_vec3 normal;
                    dvc_real gap;
                    bool found = false;
                    if (!facets_edges_cross(&c, i, j) || !dvci_edge_pair(&c, i, j, &normal, &gap)) continue;
                    if (gap < best - 2 * c.reach + (dvc_real)1e-9) continue;
                    for (m = 0; m < count; m++) found = found || (list[m].side == 2 && list[m].a == i && list[m].b == j);
                    CHECK(found);
                    listed++;
                }
        }
        scene_free(s);
    }
    CHECK(listed > 400);
}

/* Which body comes first decides on signs only. */
static void the_order_of_a_pair_does_not_matter(void)
{
    int k, f;
    test_seed(5);
    for (k = 0; k < 200; k++) {
        scene *s = facets_pair(k & 1, TRIAL_HULL, k & 2 ? TRIAL_HULL : TRIAL_BOX, test_random(-0.01, 0.001)), *t;
        dvci_step step, swapped;
        t = scene_make(2, k & 1, TRIAL_SCRATCH);
        t->world.gravity = scene_zero;
        t->world.body_count = t->world.shape_count = 2;
        for (f = 0; f < 2; f++) {
            t->bodies[f] = s->bodies[1 - f];
            t->shapes[f] = s->shapes[1 - f];
            t->shapes[f].body = f;
        }
        trial_find(s, 0.01, &step);
        trial_find(t, 0.01, &swapped);
        CHECK(step.facet_count == swapped.facet_count && step.point_count == swapped.point_count);
        CHECK_NEAR(facets_largest(&swapped), facets_largest(&step), 1e-13);
        for (f = 0; f < step.groups[0].count; f++) CHECK_NEAR(swapped.facets[f].gap, step.facets[f].gap, 1e-13);
        scene_free(t);
        scene_free(s);
    }
}

/* ---- manifolds ---- */

static const dvci_facet *facets_flush(const dvci_step *step)
{
    int f;
    for (f = 0; f < step->facet_count; f++)
        if (step->facets[f].flush && step->facets[f].gap > -0.1) return &step->facets[f];
    return NULL;
}

/* Distance of a world point, seen from above, to the nearest of some corners. */
static double facets_to_corners(dvc_vec3 p, const dvc_vec2 *corners, int count)
{
    double least = ORACLE_FAR;
    int i;
    for (i = 0; i < count; i++)
        least = fmin(least, hypot((double)p.x - (double)corners[i].x, (double)p.y - (double)corners[i].y));
    return least;
}

/* A prism with a random outline, or a box; from below z = 0, or above it. */
static int facets_prism(scene *s, dvc_body_kind kind, bool box, bool above, oracle_solid *outline)
{
    dvc_vec3 at = test_vec(test_random(-0.4, 0.4), test_random(-0.4, 0.4), above ? 0.2 : -0.2), points[2 * TRIAL_CORNERS];
    int corners = box ? 4 : 3 + (int)test_random(0, 6), k, body;
    double yaw = test_random(0, 6), wide = test_random(0.4, 0.8), deep = test_random(0.4, 0.8);
    memset(outline, 0, sizeof *outline);
    outline->planar = true;
    for (k = 0; k < corners; k++) {
        double angle = box ? TRIAL_PI * (0.25 + 0.5 * k) : 2 * TRIAL_PI * (k + test_random(0, 0.5)) / corners;
        dvc_vec3 p = v3(wide * cos(angle), deep * sin(angle), 0);
        points[2 * k] = oracle_along(p, v3(0, 0, 1), 0.2);
        points[2 * k + 1] = oracle_along(p, v3(0, 0, 1), -0.2);
        p = oracle_along(oracle_turn(dvc_quat_turn(v3(0, 0, 1), (dvc_real)yaw), p), at, 1);
        oracle_vertex(outline, (double)p.x, (double)p.y, 0);
    }
    oracle_polygon_faces(outline);
    if (box) body = scene_box(s, kind, v3(wide * sqrt(0.5), deep * sqrt(0.5), 0.2), at, 1, 0);
    else body = scene_hull(s, DVC_STATIC, points, 2 * corners, at, 1, 0);
    if (!box && kind == DVC_DYNAMIC) s->bodies[body].mass = 1; /* the frame stays where it is */
    s->bodies[body].kind = kind;
    s->bodies[body].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)yaw);
    return body;
}

/* Two flat faces on each other are held at the corners of what they share, and nowhere else. */
static void a_flush_facet_holds_at_the_corners_of_the_common_polygon(void)
{
    int k, i, corners, found = 0;
    test_seed(6);
    for (k = 0; k < 400; k++) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        oracle_solid below, above;
        dvc_vec2 common[ORACLE_VERTICES], held[64];
        dvci_step step;
        const dvci_facet *facet;
        facets_prism(s, DVC_STATIC, k & 1, false, &below);
        facets_prism(s, DVC_DYNAMIC, k & 2, true, &above);
        corners = oracle_common(&below, &above, common);
        if (corners < 3) { scene_free(s); continue; }
        trial_find(s, 0.01, &step);
        facet = facets_flush(&step);
        CHECK(facet != NULL);
        for (i = 0; facet && i < facet->count; i++) {
            dvc_vec3 at = oracle_along(step.points[facet->first + i].arm_a, s->bodies[0].position, 1);
            CHECK(facets_to_corners(at, common, corners) <= 1e-9);
            CHECK_NEAR(at.z, 0, 1e-12);
            CHECK_NEAR(step.points[facet->first + i].gap, 0, 1e-12);
            CHECK_NEAR(step.points[facet->first + i].normal.z, 1, 1e-12);
            held[i].x = at.x;
            held[i].y = at.y;
        }
        for (i = 0; facet && i < corners; i++)
            CHECK(facets_to_corners(v3((double)common[i].x, (double)common[i].y, 0), held, facet->count) <= 2e-4);
        found++;
        scene_free(s);
    }
    CHECK(found > 350);
}

/* In the plane: the ends of the common interval. */
static void a_planar_flush_facet_holds_at_the_ends_of_the_common_interval(void)
{
    int k;
    test_seed(7);
    for (k = 0; k < 400; k++) {
        scene *s = scene_make(2, true, TRIAL_SCRATCH);
        double half_a = test_random(0.2, 1), half_b = test_random(0.2, 1), x = test_random(-0.9, 0.9) * (half_a + half_b);
        double low = fmax(-half_a, x - half_b), high = fmin(half_a, x + half_b);
        const dvci_facet *facet;
        dvci_step step;
        scene_box(s, DVC_STATIC, v3(half_a, 0.5, 0), v3(0, -0.5, 0), 1, 0);
        scene_box(s, DVC_DYNAMIC, v3(half_b, 0.5, 0), v3(x, 0.5, 0), 1, 0);
        trial_find(s, 0.01, &step);
        facet = facets_flush(&step);
        CHECK(facet && facet->count == 2);
        if (facet && facet->count == 2) {
            double p = (double)step.points[facet->first].arm_a.x, q = (double)step.points[facet->first + 1].arm_a.x;
            CHECK_NEAR(fmin(p, q), low, 1e-12);
            CHECK_NEAR(fmax(p, q), high, 1e-12);
        }
        scene_free(s);
    }
}

/* Bars across each other have no vertex over a face: four crossings of edges hold them. */
static void crossed_bars_are_held_at_four_crossings(void)
{
    scene *s = scene_make(2, false, TRIAL_SCRATCH);
    int i, chosen = 0;
    scene_box(s, DVC_STATIC, v3(1, 0.1, 0.1), scene_zero, 1, 0);
    scene_box(s, DVC_DYNAMIC, v3(0.1, 1, 0.1), v3(0, 0, 0.2), 1, 0);
    trial_step(s, 0.01);
    for (i = 0; i < s->world.contact_count; i++) {
        const dvc_contact *c = &s->world.contacts[i];
        if (!c->chosen) continue;
        chosen++;
        CHECK(DVC_FEATURE_KIND(c->feature_a) == DVC_EDGE && DVC_FEATURE_KIND(c->feature_b) == DVC_EDGE);
        CHECK_NEAR(fabs((double)c->point.x), 0.1, 1e-12);
        CHECK_NEAR(fabs((double)c->point.y), 0.1, 1e-12);
    }
    CHECK(chosen == 4);
    CHECK_NEAR(s->bodies[1].velocity.z, 0, 1e-12);
    scene_free(s);
}

/* ---- features ---- */

/* Where a feature is: on the vertex, on the line of the edge, on the plane of the face. */
static double facets_off_feature(const scene *s, int shape, dvc_feature feature, dvc_vec3 p)
{
    const dvc_polytope *hull = s->shapes[shape].polytope;
    const dvc_body *body = &s->bodies[shape];
    dvc_quat back = body->orientation;
    dvc_vec3 q;
    int i = DVC_FEATURE_INDEX(feature);
    back.w = -back.w;
    q = oracle_turn(back, oracle_minus(p, body->position));
    back = s->shapes[shape].orientation;
    back.w = -back.w;
    q = oracle_minus(q, s->shapes[shape].position);
    if (back.x != 0 || back.y != 0 || back.z != 0) q = oracle_turn(back, q);
    if (DVC_FEATURE_KIND(feature) == DVC_VERTEX) return oracle_norm(oracle_minus(q, hull->vertices[i]));
    if (DVC_FEATURE_KIND(feature) == DVC_EDGE)
        return oracle_point_segment(q, hull->vertices[hull->edges[i].tail], hull->vertices[hull->edges[i].head]);
    return fabs(oracle_dot(hull->faces[i].normal, q) - (double)hull->faces[i].offset);
}

/* A contact's features are the hull's own numbers, and the contact lies on them as far as the gap allows. */
static void contacts_lie_on_the_features_they_name(void)
{
    int k, i, side, kinds[4] = { 0, 0, 0, 0 };
    test_seed(8);
    for (k = 0; k < 300; k++) {
        scene *s = facets_pair(false, TRIAL_HULL, TRIAL_HULL, test_random(-1e-3, 1e-3));
        dvci_step step;
        trial_find(s, 0.01, &step);
        for (i = 0; i < step.facets[0].count; i++)
            for (side = 0; side < 2; side++) {
                const dvci_point *point = &step.points[step.facets[0].first + i];
                dvc_feature feature = side ? point->feature_b : point->feature_a;
                kinds[DVC_FEATURE_KIND(feature)]++;
                CHECK(facets_off_feature(s, side, feature, point->arm_a) <= fabs((double)point->gap) + 1e-9);
            }
        scene_free(s);
    }
    CHECK(kinds[DVC_VERTEX] > 50 && kinds[DVC_EDGE] > 50 && kinds[DVC_FACE] > 50 && kinds[3] == 0);
}

/* Is there a contact between the same shapes and features? */
static bool facets_among(const dvc_contact *c, const dvc_contact *list, int count)
{
    int i;
    for (i = 0; i < count; i++)
        if (list[i].shape_b == c->shape_b && list[i].feature_a == c->feature_a && list[i].feature_b == c->feature_b
            && list[i].chosen == c->chosen) return true;
    return false;
}

/* A box that creeps over another one keeps its contacts' names as long as no corner passes an edge. */
static void names_of_features_do_not_change_under_small_motion(void)
{
    int k, i, step;
    test_seed(9);
    for (k = 0; k < 20; k++) {
        scene *s = scene_make(3, false, TRIAL_SCRATCH);
        dvc_contact first[64];
        int count = 0;
        scene_box(s, DVC_STATIC, v3(1, 1, 0.5), v3(0, 0, -0.5), 1, 0);
        scene_box(s, DVC_DYNAMIC, v3(0.4, 0.3, 0.2), v3(0.85, 0.05 * k, 0.2), 1, 0);
        scene_sphere(s, 0.3, v3(-0.5, -0.5, 0.3), 1, 0);
        s->bodies[1].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)test_random(0.2, 1.3));
        s->bodies[1].velocity = oracle_scaled(trial_direction(true), 1e-6);
        s->bodies[2].velocity = oracle_scaled(trial_direction(true), 1e-3);
        for (step = 0; step < 50; step++) {
            trial_step(s, 0.01);
            if (step == 0)
                for (count = 0; count < s->world.contact_count && count < 64; count++) first[count] = s->world.contacts[count];
            CHECK(s->world.contact_count == count && count >= 4);
            for (i = 0; i < s->world.contact_count; i++) {
                const dvc_contact *c = &s->world.contacts[i];
                CHECK(facets_among(c, first, count));
                if (c->shape_b == 2) CHECK(c->feature_b == DVC_FEATURE(DVC_VERTEX, 0));
            }
        }
        scene_free(s);
    }
}

/* ---- W 3 on its figures ---- */

/* Figure 3.4: a rectangle leaning by an angle has one bottom vertex that applies and one that does not, by its sine. */
static void a_leaning_rectangle_applies_by_the_sine_of_its_angle(void)
{
    double lean;
    for (lean = -0.7; lean <= 0.7; lean += 0.1) {
        scene *s = scene_make(1, true, TRIAL_SCRATCH);
        dvci_step step;
        int v;
        scene_box(s, DVC_DYNAMIC, v3(0.5, 0.3, 0), v3(0, 1, 0), 1, 0);
        s->bodies[0].orientation = dvc_quat_turn(v3(0, 0, 1), (dvc_real)lean);
        trial_find(s, 0.01, &step);
        for (v = 0; v < 4; v++) {
            dvc_vec3 at = step.parts[0].vertices[v];
            dvc_vec3 along = oracle_turn(dvc_quat_turn(v3(0, 0, 1), (dvc_real)-lean), at); /* in the rectangle's own axes */
            double applicability = (double)dvci_vertex_applicability(&step.parts[0], v, v3(0, 1, 0));
            if (along.y < 0) CHECK_NEAR(applicability, (along.x < 0 ? 1 : -1) * sin(lean), 1e-12);
            else CHECK_NEAR(applicability, -cos(lean), 1e-12);
        }
        scene_free(s);
    }
}

/* Figure 3.5: the tip of a pyramid on its head applies by the cosine of its half angle, however many sides it has. */
static void the_tip_of_a_pyramid_applies_by_its_steepness(void)
{
    int sides, k, v;
    for (sides = 3; sides <= 8; sides++) {
        scene *s = scene_make(1, false, TRIAL_SCRATCH);
        dvc_vec3 points[9];
        dvci_step step;
        int tip = 0;
        for (k = 0; k < sides; k++) points[k] = v3(cos(2 * TRIAL_PI * k / sides), sin(2 * TRIAL_PI * k / sides), 1);
        points[sides] = scene_zero;
        scene_hull(s, DVC_DYNAMIC, points, sides + 1, scene_zero, 1, 0);
        trial_find(s, 0.01, &step);
        for (v = 1; v < step.parts[0].vertex_count; v++)
            if (step.parts[0].vertices[v].z < step.parts[0].vertices[tip].z) tip = v;
        CHECK_NEAR(dvci_vertex_applicability(&step.parts[0], tip, v3(0, 0, 1)), sqrt(0.5), 1e-12);
        CHECK_NEAR(dvci_vertex_applicability(&step.parts[0], tip, v3(0, 0, -1)), -sqrt(0.5), 1e-12);
        scene_free(s);
    }
}

/* A ridge along x (or y), with flanks that fall by `angle`: the edge that the figures show. */
static int facets_ridge(scene *s, dvc_body_kind kind, double angle, bool along_y, bool upward)
{
    dvc_vec3 points[6];
    int k;
    for (k = 0; k < 6; k++) {
        double length = k % 2 ? 1 : -1, wide = k / 2 == 0 ? 0 : k / 2 == 1 ? cos(angle) : -cos(angle), z = k / 2 ? sin(angle) : 0;
        points[k] = along_y ? v3(wide, length, z) : v3(length, wide, z);
        if (upward) points[k].z = -points[k].z;
    }
    return scene_hull(s, kind, points, 6, scene_zero, 1, 0);
}

/* Figure 3.6: two ridges that cross have their edges as a facet; once one leans past its own flank, a flank takes over. */
static void crossing_ridges_touch_until_a_flank_takes_over(void)
{
    double lean;
    for (lean = -0.6; lean <= 0.61; lean += 0.15) {
        scene *s = scene_make(2, false, TRIAL_SCRATCH);
        dvci_step step;
        oracle_solid a, b;
        int i, edges = 0;
        facets_ridge(s, DVC_STATIC, 0.4, false, true);
        facets_ridge(s, DVC_DYNAMIC, 0.4, true, false);
        s->world.gravity = scene_zero;
        s->bodies[0].orientation = dvc_quat_turn(v3(1, 0, 0), (dvc_real)lean);
        s->bodies[0].position = oracle_turn(s->bodies[0].orientation, s->bodies[0].position);
        oracle_shape(&s->world, 0, &a);
        oracle_shape(&s->world, 1, &b);
        trial_find(s, 0.01, &step);
        CHECK(step.group_count == 1);
        for (i = 0; i < step.point_count; i++)
            edges += DVC_FEATURE_KIND(step.points[i].feature_a) == DVC_EDGE && fabs((double)step.points[i].normal.z) > 0.999
                && fabs((double)step.points[i].gap) < 1e-9;
        CHECK(edges == (fabs(lean) < 0.4 ? 1 : 0));
        CHECK_NEAR(facets_largest(&step), oracle_gap(&a, &b), 1e-12);
        scene_free(s);
    }
}

/* A cube balances on one of its edges, along or across the top of a block, within it or beyond its rim. The edge and the rim's edges it
 * crosses would be facets with the same normal and gap as the face: all are one, whose points are where the edge begins, or leaves
 * the face. So the cube does not fall for a step because one of them was chosen. */
static void an_edge_on_a_face_is_one_facet(void)
{
    static const double shift[] = { 0, 0.3, 0.6 };
    int turn, k, i;
    for (turn = 0; turn < 4; turn++)
        for (k = 0; k < 3; k++) {
            scene *s = scene_make(2, false, TRIAL_SCRATCH);
            dvci_step step;
            double rise = sqrt(0.5) * 0.5, low = 1, high = -1;
            int points = 0;
            scene_box(s, DVC_STATIC, v3(0.5, 0.5, 0.5), scene_zero, 0, 0.5);
            scene_box(s, DVC_DYNAMIC, v3(0.25, 0.25, 0.25), v3(shift[k], 0, 0.5 + rise), 1, 0.5);
            s->bodies[1].orientation = dvc_quat_turn(v3(1, 0, 0), (dvc_real)(TRIAL_PI / 4)); /* the edge is along x */
            s->bodies[1].angular_velocity = v3(0, 0, 0.1 * turn);
            trial_find(s, 0.01, &step);
            CHECK(step.group_count == 1 && step.groups[0].count == 1);
            for (i = 0; i < step.point_count; i++) {
                double x = (double)step.points[i].arm_a.x;
                if (fabs((double)step.points[i].gap) > 1e-9) continue;
                CHECK_NEAR(step.points[i].normal.z, 1, 1e-12);
                low = fmin(low, x);
                high = fmax(high, x);
                points++;
            }
            CHECK(points == 2);
            CHECK_NEAR(low, shift[k] - 0.25, 1e-9);
            CHECK_NEAR(high, fmin(shift[k] + 0.25, 0.5), 1e-9);
            scene_free(s);
        }
}

/* Figures 3.9 and 3.10: the normal of a pair of edges leads from the first body to the second. */
static void normals_of_edges_lead_from_the_first_body_to_the_second(void)
{
    int k, i, seen = 0;
    test_seed(10);
    for (k = 0; k < 400; k++) {
        scene *s = facets_pair(false, k & 1 ? TRIAL_HULL : TRIAL_BOX, TRIAL_HULL, test_random(0, 1e-3));
        oracle_solid a, b;
        dvci_step step;
        oracle_shape(&s->world, 0, &a);
        oracle_shape(&s->world, 1, &b);
        trial_find(s, 0.01, &step);
        for (i = 0; i < step.point_count; i++) {
            const dvci_point *point = &step.points[i];
            if (DVC_FEATURE_KIND(point->feature_a) != DVC_EDGE || step.facets[step.groups[0].first + point->facet].flush)
                continue;
            CHECK(oracle_axis_gap(&a, &b, point->normal) > -0.1
                && oracle_axis_gap(&a, &b, oracle_scaled(point->normal, -1)) < -0.1);
            seen++;
        }
        scene_free(s);
    }
    CHECK(seen > 100);
}

/* Figure 3.7: a vertex over the face may be as deep as eps and still push; beside the face it must be within eps of it. */
static void a_vertex_is_feasible_down_to_eps_below_its_face(void)
{
    double x, y, eps = 0.05;
    for (x = 0; x < 1.2; x += 0.0203)
        for (y = -0.2; y < 0.2; y += 0.0201) {
            scene *s = scene_make(2, true, TRIAL_SCRATCH);
            dvci_step step;
            dvci_couple couple;
            dvci_elementary sub;
            bool near;
            s->world.contact_model = DVC_STANDARD;
            s->world.epsilon = (dvc_real)eps;
            s->world.gravity = scene_zero;
            scene_box(s, DVC_STATIC, v3(1, 1, 0), v3(0, -1, 0), 1, 0);
            scene_sphere(s, 0, v3(x, y, 0), 1, 0);
            trial_find(s, 0.01, &step);
            dvci_part_meet(&step, 0); /* the sphere may be far */
            dvci_open_group(&step, 0, 1);
            dvci_set_couple(&couple, &step, &step.groups[step.group_count], false);
            near = dvci_near_vertex(&couple, 0, 2, 0, &sub); /* the rectangle's upper side */
            CHECK_NEAR(sub.gap, y, 1e-12);
            CHECK(near == (x <= 1 ? fabs(y) <= eps : hypot(x - 1, y) <= eps));
            CHECK(sub.able == (y > -eps && x <= 1 + eps));
            scene_free(s);
        }
}

/* W Alg. 3 as the errata have it, against a fine search. */
static void the_closest_point_of_a_segment_is_the_closest_one(void)
{
    int k, i;
    test_seed(11);
    for (k = 0; k < 200; k++) {
        dvc_vec3 a = trial_direction(false), b = trial_direction(false), p = oracle_scaled(trial_direction(false), 2);
        double t = (double)dvci_closest_on_segment(a, b, p),
            here = oracle_norm(oracle_minus(p, oracle_along(a, oracle_minus(b, a), t)));
        CHECK(t >= 0 && t <= 1);
        for (i = 0; i <= 200; i++)
            CHECK(here <= oracle_norm(oracle_minus(p, oracle_along(a, oracle_minus(b, a), i / 200.0))) + 1e-12);
    }
}

static void suite_facets(void)
{
    test_state.suite = "facets";
    RUN(the_largest_gap_is_that_of_the_best_separating_plane);
    RUN(the_gap_of_a_ball_is_its_distance);
    RUN(the_facets_tell_exactly_when_a_translation_overlaps);
    RUN(every_face_that_can_matter_is_listed);
    RUN(every_pair_of_edges_that_can_matter_is_listed);
    RUN(the_order_of_a_pair_does_not_matter);
    RUN(a_flush_facet_holds_at_the_corners_of_the_common_polygon);
    RUN(a_planar_flush_facet_holds_at_the_ends_of_the_common_interval);
    RUN(crossed_bars_are_held_at_four_crossings);
    RUN(contacts_lie_on_the_features_they_name);
    RUN(names_of_features_do_not_change_under_small_motion);
    RUN(a_leaning_rectangle_applies_by_the_sine_of_its_angle);
    RUN(the_tip_of_a_pyramid_applies_by_its_steepness);
    RUN(crossing_ridges_touch_until_a_flank_takes_over);
    RUN(an_edge_on_a_face_is_one_facet);
    RUN(normals_of_edges_lead_from_the_first_body_to_the_second);
    RUN(a_vertex_is_feasible_down_to_eps_below_its_face);
    RUN(the_closest_point_of_a_segment_is_the_closest_one);
}
