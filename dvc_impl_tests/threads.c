/* Worlds stepped by four threads of POSIX and by one: the same bits, and nothing for ThreadSanitizer to say. A program for the
 * hook that dvc.h has (DVC_PARALLEL), since sanitizers do not know what OpenMP's runtime does.
 *
 *     threads [STEPS]
 */
#include <pthread.h>
enum { THREADS = 4 };
static long threads_sections;
static int threads_count = THREADS;

typedef struct threads_job {
    void (*run)(void *data, int k);
    void *data;
    int k;
} threads_job;

static void *threads_start(void *p)
{
    threads_job *job = (threads_job *)p;
    job->run(job->data, job->k);
    return 0;
}

static void threads_share(int count, void (*run)(void *data, int k), void *data)
{
    pthread_t thread[THREADS];
    threads_job job[THREADS];
    int k;
    threads_sections += count > 1;
    for (k = 1; k < count; k++) {
        job[k].run = run;
        job[k].data = data;
        job[k].k = k;
        pthread_create(&thread[k], 0, threads_start, &job[k]);
    }
    run(data, 0);
    for (k = 1; k < count; k++) pthread_join(thread[k], 0);
}

#define DVC_THREADS threads_count
#define DVC_PARALLEL(count, run, data) threads_share(count, run, data)
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "scene.h"
#include <stdio.h>

static uint32_t threads_random;
static double draw(void)
{
    threads_random = threads_random * 1664525u + 1013904223u;
    return (double)(threads_random >> 16) / 65536;
}

static void threads_wave(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation)
{
    (void)user;
    position->x = t / 4;
    *orientation = dvc_quat_turn(v3(0, 0, 1), t / 2);
}

/* Piles of tumbled parts side by side, each with a pusher, pairs of them joined; a box between plates (half steps). */
static scene *threads_scene(bool planar)
{
    scene *s = scene_make(80, planar, (size_t)64 << 20);
    int pile, i, k, last;
    threads_random = 9;
    scene_ground(s, 0.5);
    s->world.joints = (dvc_joint *)scene_memory(8, sizeof *s->world.joints);
    for (pile = 0; pile < 8; pile++) {
        k = scene_box(s, DVC_KINEMATIC, v3(0.2, 0.5, 0.5), v3(4 * pile - 1.5, 0, planar ? 0 : 0.5), 0, 0.4);
        if (!planar) s->bodies[k].motion = threads_wave;
        s->bodies[k].position.y = planar ? (dvc_real)0.5 : 0;
        for (i = 0, last = k; i < 6; i++, last = k) {
            double x = 4 * pile + draw() - 0.5, y = draw() - 0.5, up = 0.5 + 0.8 * i, half = 0.2 + 0.1 * draw();
            k = i % 3 == 2 ? scene_sphere(s, half, planar ? v3(x, up, 0) : v3(x, y, up), 1, 0.4)
                           : scene_box(s, DVC_DYNAMIC, v3(half, 0.25, 0.3), planar ? v3(x, up, 0) : v3(x, y, up), 1, 0.4);
            s->bodies[k].angular_velocity = v3(0, 0, 4 * y);
            if (i == 4) dvc_joint_attach(&s->world, DVC_REVOLUTE, last, k, s->bodies[k].position, v3(0, 0, 1), &s->world.joints[s->world.joint_count++]);
        }
    }
    scene_box(s, DVC_STATIC, planar ? v3(1, 0.5, 0) : v3(1, 1, 0.5), planar ? v3(60, -0.5, 0) : v3(60, 0, -0.5), 1, 0.3);
    scene_box(s, DVC_STATIC, planar ? v3(1, 0.5, 0) : v3(1, 1, 0.5), planar ? v3(60, 1.3, 0) : v3(60, 0, 1.3), 1, 0.3);
    scene_box(s, DVC_DYNAMIC, planar ? v3(0.5, 0.5, 0) : v3(0.5, 0.5, 0.5), planar ? v3(60, 0.45, 0) : v3(60, 0, 0.45), 1, 0.3);
    return s;
}

static uint64_t threads_run(bool planar, int steps, int count)
{
    scene *s = threads_scene(planar);
    uint64_t hash = 0;
    int i;
    threads_count = count;
    for (i = 0; i < steps; i++) {
        dvc_status status = dvc_step(&s->world, (dvc_real)0.01);
        if (status != DVC_OK) printf("step %d: %s\n", i, dvc_status_text(status));
        hash = hash * 31 + dvc_world_hash(&s->world);
    }
    free(s->world.joints);
    scene_free(s);
    return hash;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 100, planar, wrong = 0;
    for (planar = 0; planar < 2; planar++) wrong += threads_run(planar != 0, steps, THREADS) != threads_run(planar != 0, steps, 1);
    printf("threads: %ld parallel sections, %d of 2 worlds differ\n", threads_sections, wrong);
    return wrong > 0 || threads_sections < steps;
}
