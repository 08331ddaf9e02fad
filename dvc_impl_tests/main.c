/* Runs all suites, or those tests whose suite or name contains the argument. Includes the implementation, so that private
 * functions can be tested, too. */

/* Threads for the engine: as many as a test says, one after the other in an order that it says. */
static struct { int count; int backwards; long calls; int inside; } test_threads = { 1, 0, 0, 0 };
static void test_parallel(int count, void (*run)(void *data, int k), void *data)
{
    int k;
    test_threads.inside = 1;
    for (k = 0; k < count; k++) run(data, test_threads.backwards ? count - 1 - k : k);
    test_threads.inside = 0;
    test_threads.calls++;
}

/* The stages that have begun, by their first two letters, the newest last; and whether ever within a thread. */
static struct { char told[4096]; int count; int inside; } test_stages;
static void test_stage(const char *name)
{
    char *told = test_stages.told + test_stages.count;
    if (test_stages.count + 4 > (int)sizeof test_stages.told) return;
    told[0] = name[0];
    told[1] = name[1];
    told[2] = ' ';
    told[3] = 0;
    test_stages.count += 3;
    test_stages.inside = test_stages.inside || test_threads.inside;
}

/* What the engine takes for granted is asked in all tests. */
static void test_assert(int ok, const char *text, int line);

#define DVC_ASSERT(condition) test_assert((condition) ? 1 : 0, #condition, __LINE__)
#define DVC_STAGE(name) test_stage(name)
#define DVC_THREADS test_threads.count
#define DVC_PARALLEL(count, run, data) test_parallel(count, run, data)

#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "test.h"
#include "scene.h"
#include "oracle.h"

static void test_assert(int ok, const char *text, int line)
{
    if (ok) return;
    printf("dvc.h:%d: %s / %s: not so: %s\n", line, test_state.suite, test_state.test, text);
    abort();
}

#include "test_math.c"
#include "test_memory.c"
#include "test_check.c"
#include "test_polytope.c"
#include "test_shape.c"
#include "test_body.c"
#include "test_mesh.c"
#include "test_pairs.c"
#include "test_facets.c"
#include "test_models.c"
#include "test_choose.c"
#include "test_islands.c"
#include "test_sleep.c"
#include "test_terrain.c"
#include "test_threads.c"
#include "test_step.c"
#include "test_large.c"
#include "test_lcp.c"
#include "test_contact.c"
#include "test_end.c"
#include "test_foresight.c"
#include "test_ask.c"
#include "test_joint.c"
#include "test_inspect.c"
#include "test_record.c"
#include "test_stages.c"
#include "test_time.c"
#include "test_world.c"

int main(int argc, char **argv)
{
    test_state.filter = argc > 1 ? argv[1] : NULL;
    suite_math();
    suite_memory();
    suite_check();
    suite_polytope();
    suite_shape();
    suite_body();
    suite_mesh();
    suite_pairs();
    suite_facets();
    suite_models();
    suite_choose();
    suite_islands();
    suite_sleep();
    suite_terrain();
    suite_threads();
    suite_step();
    suite_large();
    suite_lcp();
    suite_contact();
    suite_end();
    suite_foresight();
    suite_ask();
    suite_joint();
    suite_inspect();
    suite_record();
    suite_stages();
    suite_time();
    suite_world();
    printf("%d passed, %d failed (%d checks)\n", test_state.passed, test_state.failed, test_state.checks);
    return test_state.failed > 0;
}
