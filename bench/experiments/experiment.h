/* What the experiments share: the engine, the tests' scenes and oracles, and one way to report. Compile with the project's
 * root on the include path. A program takes a folder for its pictures and perhaps the word "long":
 *
 *     int main(int argc, char **argv)
 *     {
 *         experiment_begin("x06", argc, argv);
 *         experiment_at_most(loss, 0.02, "energy lost by %d corners, h = %g", corners, h);
 *         return experiment_end();
 *     }
 *
 * Each call prints one row of the table: name, what, measured, bar, verdict. The exit status is 1 if a row failed. */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#define DVC_IMPLEMENTATION
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "dvc.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__) /* the shared headers offer more words than one program uses */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include "dvc_impl_tests/test.h"
#include "dvc_impl_tests/scene.h"
#include "dvc_impl_tests/oracle.h"

static struct {
    const char *name, *folder;
    bool is_long; /* asked to take more time than a default run has */
    int failures;
} experiment;

static void experiment_begin(const char *name, int argc, char **argv)
{
    experiment.name = name;
    experiment.folder = argc > 1 ? argv[1] : ".";
    experiment.is_long = argc > 2 && strcmp(argv[2], "long") == 0;
}

static int experiment_end(void) { return experiment.failures > 0; }

/* ---- rows ---- */

static void experiment_row(double measured, const char *bar, const char *verdict, const char *format, va_list arguments)
{
    char what[128];
    vsnprintf(what, sizeof what, format, arguments);
    printf("%-6s %-72s %12.4g  %-18s %s\n", experiment.name, what, measured, bar, verdict);
    fflush(stdout);
}

static const char *experiment_verdict(bool holds)
{
    experiment.failures += !holds;
    return holds ? "pass" : "FAIL";
}

static void experiment_at_most(double measured, double bar, const char *format, ...)
{
    char text[32];
    va_list arguments;
    va_start(arguments, format);
    snprintf(text, sizeof text, "<= %.4g", bar);
    experiment_row(measured, text, experiment_verdict(measured <= bar), format, arguments);
    va_end(arguments);
}

static void experiment_at_least(double measured, double bar, const char *format, ...)
{
    char text[32];
    va_list arguments;
    va_start(arguments, format);
    snprintf(text, sizeof text, ">= %.4g", bar);
    experiment_row(measured, text, experiment_verdict(measured >= bar), format, arguments);
    va_end(arguments);
}

static void experiment_near(double measured, double expected, double tolerance, const char *format, ...)
{
    char text[48];
    va_list arguments;
    va_start(arguments, format);
    snprintf(text, sizeof text, "%.4g +- %.2g", expected, tolerance);
    experiment_row(measured, text, experiment_verdict(fabs(measured - expected) <= tolerance), format, arguments);
    va_end(arguments);
}

/* For the table only: what other models do, what a run cost. */
static void experiment_note(double measured, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    experiment_row(measured, "", "-", format, arguments);
    va_end(arguments);
}

/* ---- measuring ---- */

/* Seconds of this process, whatever else the machine does. */
static double experiment_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int experiment_compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Least, first quartile, median, third quartile and largest; sorts the values. */
static void experiment_quartiles(double *values, int count, double quartiles[5])
{
    int i;
    qsort(values, (size_t)count, sizeof *values, experiment_compare);
    for (i = 0; i < 5; i++) quartiles[i] = values[(count - 1) * i / 4];
}

/* One step; what goes wrong becomes a failed row. */
static bool experiment_step(dvc_world *world, double h)
{
    dvc_status status = dvc_step(world, (dvc_real)h);
    if (status == DVC_OK) return true;
    experiment_at_most((double)status, (double)DVC_OK, "t = %.4f: %.90s", world->time, dvc_status_text(status));
    return false;
}

/* A file in the folder for pictures. */
static FILE *experiment_open(const char *file)
{
    char path[1024];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", experiment.folder, file);
    f = fopen(path, "w");
    if (!f) fprintf(stderr, "cannot write %s\n", path);
    return f;
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
