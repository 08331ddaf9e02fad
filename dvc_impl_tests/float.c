/* The engine in single precision: the same programs, looser numbers. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "test.h"
#include "scene.h"

static void a_box_comes_to_rest(void)
{
    scene *s = scene_make(2, false, 8u << 20);
    int b;
    scene_ground(s, 0.5);
    b = scene_box(s, DVC_DYNAMIC, v3(0.5, 0.5, 0.5), v3(0, 0, 2), 1, 0.5);
    CHECK(scene_run(s, 0.01, 3));
    CHECK_NEAR(s->bodies[b].position.z, 0.5, 1e-4);
    CHECK(s->world.report.inexact == 0);
    scene_free(s);
}

static void ten_boxes_stand(void)
{
    scene *s = scene_make(10, true, 8u << 20);
    int i;
    test_seed(3);
    for (i = 0; i < 10; i++) scene_box(s, i ? DVC_DYNAMIC : DVC_STATIC, v3(0.5, 0.5, 0), v3(test_random(-0.1, 0.1), 0.5 + 1.25 * i, 0), 1, 0.4);
    CHECK(scene_run(s, 0.005, 5));
    CHECK_NEAR(s->bodies[9].position.y, 9.5, 1e-2);
    scene_free(s);
}

static void a_sliding_sphere_ends_rolling(void)
{
    scene *s = scene_make(2, false, 8u << 20);
    int b;
    scene_ground(s, 0.2);
    b = scene_sphere(s, 1, v3(0, 0, 1), 1, 0.2);
    s->bodies[b].velocity.x = 2;
    CHECK(scene_run(s, 0.01, 0.6));
    CHECK_NEAR(s->bodies[b].velocity.x, 10 / 7., 1e-3);
    CHECK_NEAR(s->bodies[b].angular_velocity.y, 10 / 7., 1e-3);
    scene_free(s);
}

static void hulls_stay_in_their_box(void)
{
    scene *s = scene_make(12, false, 64u << 20);
    dvc_vec3 cloud[10];
    int i, k;
    test_seed(5);
    scene_ground(s, 0.3);
    scene_box(s, DVC_STATIC, v3(0.5, 2, 2), v3(-1.2, 0, 2), 0, 0.3);
    scene_box(s, DVC_STATIC, v3(0.5, 2, 2), v3(1.2, 0, 2), 0, 0.3);
    scene_box(s, DVC_STATIC, v3(2, 0.5, 2), v3(0, -1.2, 2), 0, 0.3);
    scene_box(s, DVC_STATIC, v3(2, 0.5, 2), v3(0, 1.2, 2), 0, 0.3);
    for (i = 0; i < 5; i++) {
        for (k = 0; k < 10; k++) cloud[k] = test_vec(test_random(-0.25, 0.25), test_random(-0.25, 0.25), test_random(-0.25, 0.25));
        scene_hull(s, DVC_DYNAMIC, cloud, 10, test_vec(test_random(-0.2, 0.2), test_random(-0.2, 0.2), 0.6 + 0.7 * i), 500, 0.3);
    }
    CHECK(scene_run(s, 0.01, 4));
    for (i = 5; i < 10; i++) {
        CHECK(fabs((double)s->bodies[i].position.x) < 0.7 && fabs((double)s->bodies[i].position.y) < 0.7);
        CHECK(s->bodies[i].position.z > 0 && s->bodies[i].position.z < 4);
    }
    scene_free(s);
}

int main(void)
{
    test_state.suite = "float";
    RUN(a_box_comes_to_rest);
    RUN(ten_boxes_stand);
    RUN(a_sliding_sphere_ends_rolling);
    RUN(hulls_stay_in_their_box);
    printf("float: %d passed, %d failed\n", test_state.passed, test_state.failed);
    return test_state.failed > 0;
}
