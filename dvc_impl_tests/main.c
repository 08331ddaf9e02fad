/* Runs all suites, or those tests whose suite or name contains the argument. Includes the implementation, so that private
 * functions can be tested, too. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "test.h"
#include "scene.h"

#include "test_lcp.c"

int main(int argc, char **argv)
{
    test_state.filter = argc > 1 ? argv[1] : NULL;
    suite_lcp();
    printf("%d passed, %d failed (%d checks)\n", test_state.passed, test_state.failed, test_state.checks);
    return test_state.failed > 0;
}
