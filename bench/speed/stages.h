/* How long the stages of a step take (DVC_STAGE in dvc.h). To look at the clock where a stage begins takes time itself, so this
 * is for runs of its own; what the looks take is measured, too, and left out. */
#ifndef STAGES_H
#define STAGES_H

#include "peer_dvc.h"
#include "run.h"

enum { STAGES = 9, STAGE_NONE = STAGES };

static const char *const stage_names[STAGES] = { "check", "load", "pairs", "contacts", "islands", "solve", "end", "certify", "store" };

/* Since the last reset, in s; the last place is for what is between steps. */
static struct {
    double seconds[STAGES + 1];
    int looks[STAGES + 1];
    int stage;
    double since;
} stage_clock;

/* A name comes as a literal: next time its address will do. */
static int stage_index(const char *name)
{
    static const char *seen[STAGES];
    int i;
    if (!name) return STAGE_NONE;
    for (i = 0; i < STAGES; i++)
        if (seen[i] == name) return i;
    for (i = 0; i < STAGES; i++)
        if (strcmp(stage_names[i], name) == 0) {
            seen[i] = name;
            return i;
        }
    fprintf(stderr, "dvc.h has a stage that the table lacks: %s\n", name);
    exit(1);
}

/* NULL: the step is over. */
static void stage_begins(const char *name)
{
    int next = stage_index(name);
    double now;
    if (next == stage_clock.stage) return;
    now = now_seconds();
    stage_clock.seconds[stage_clock.stage] += now - stage_clock.since;
    stage_clock.looks[stage_clock.stage]++;
    stage_clock.stage = next;
    stage_clock.since = now;
}

static void stages_reset(void)
{
    memset(&stage_clock, 0, sizeof stage_clock);
    stage_clock.stage = STAGE_NONE;
}

/* What one look takes, in s. */
static double stage_look_time(void)
{
    enum { TRIES = 20, LOOKS = 1000 };
    double least = 1;
    int try, i;
    stages_reset();
    for (try = 0; try < TRIES; try++) {
        double start = now_seconds();
        for (i = 0; i < LOOKS; i++) stage_begins(stage_names[i % 2]);
        least = fmin(least, (now_seconds() - start) / LOOKS);
    }
    return least;
}

/* Of the stage since the last reset, in s. */
static double stage_time(int stage, double look)
{
    return fmax(0, stage_clock.seconds[stage] - look * stage_clock.looks[stage]);
}

#endif
