/* The whole test harness. A test is a function; its name says what it shows. A failed check prints where and goes on. */
#ifndef DVC_TEST_H
#define DVC_TEST_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *filter;      /* run only tests whose suite or name contains this */
    const char *suite, *test;
    int passed, failed, checks, failures_here;
} test_state;

static int test_check(int ok, const char *file, int line, const char *text)
{
    test_state.checks++;
    if (!ok && test_state.failures_here++ < 5) printf("%s:%d: %s / %s: %s\n", file, line, test_state.suite, test_state.test, text);
    return ok;
}

static int test_near(double got, double expected, double tolerance, const char *file, int line, const char *text)
{
    int ok = fabs(got - expected) <= tolerance;
    test_check(ok, file, line, text);
    if (!ok && test_state.failures_here <= 5) printf("    got %.17g, expected %.17g +- %.3g\n", got, expected, tolerance);
    return ok;
}

#define CHECK(condition) test_check((condition) ? 1 : 0, __FILE__, __LINE__, #condition)
#define CHECK_NEAR(got, expected, tolerance) test_near((double)(got), (double)(expected), (double)(tolerance), __FILE__, __LINE__, #got " == " #expected)

static void test_run(const char *name, void (*test)(void))
{
    if (test_state.filter && !strstr(name, test_state.filter) && !strstr(test_state.suite, test_state.filter)) return;
    test_state.test = name;
    test_state.failures_here = 0;
    test();
    if (test_state.failures_here) { test_state.failed++; printf("FAIL %s / %s (%d checks)\n", test_state.suite, name, test_state.failures_here); }
    else test_state.passed++;
}

#define RUN(test) test_run(#test, test)

/* Reproducible random numbers: the same sequence on every machine. */
static uint64_t test_random_state = 88172645463325252u;

static void test_seed(uint64_t seed) { test_random_state = 88172645463325252u ^ (seed * 0x9E3779B97F4A7C15u); }

static uint64_t test_random_bits(void)
{
    test_random_state ^= test_random_state << 13;
    test_random_state ^= test_random_state >> 7;
    test_random_state ^= test_random_state << 17;
    return test_random_state;
}

/* Uniform in [low, high). */
static double test_random(double low, double high)
{
    return low + (high - low) * ((double)(test_random_bits() >> 11) / 9007199254740992.0);
}

#endif
