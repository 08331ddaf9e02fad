/* What the programs of the comparison share: memory, clocks, limits, runs that may not come back. Define _DEFAULT_SOURCE
 * before the first include. */
#ifndef RUN_H
#define RUN_H

#include "peers.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* Memory that child processes write and their parent reads: a run that is cut off has told something. */
static inline void *allocate_shared(size_t count, size_t size)
{
    void *memory = mmap(NULL, (count + 1) * size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static inline bool is_sane(const peers_scene *s, const peers_state *states)
{
    int i, k;
    for (i = 0; i < s->body_count; i++)
        for (k = 0; k < 3; k++)
            if (!(fabs(states[i].position[k]) < 1e4) || !(fabs(states[i].velocity[k]) < 1e4)) return false;
    return true;
}

static inline int step_count(const peers_scene *s) { return (int)(s->seconds / s->h + 0.5); }

static inline int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts them. */
static inline double median(double *numbers, int count)
{
    if (count == 0) return 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return numbers[count / 2];
}

/* Wall clock: that of the processor is too coarse for single steps on some systems. */
static inline double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This process ends by SIGPROF after so much processor time. */
static inline void limit_time(int seconds)
{
    struct itimerval limit = { { 0, 0 }, { 0, 0 } };
    limit.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* "-" and what is not there are "". */
static inline const char *argument(int argc, char **argv, int i)
{
    return argc > i && strcmp(argv[i], "-") != 0 ? argv[i] : "";
}

typedef enum ending { DONE, REFUSED, CUT } ending;

/* Works in a process of its own, which says nothing and may crash; CUT: it was out of processor time. */
static inline ending run_apart(bool (*work)(void *user), void *user, int seconds)
{
    int status = 1;
    pid_t id;
    fflush(stdout);
    id = fork();
    if (id == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        limit_time(seconds);
        _exit(!work(user));
    }
    if (id < 0 || waitpid(id, &status, 0) != id) exit(1);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return CUT;
    return status == 0 ? DONE : REFUSED;
}

#endif
