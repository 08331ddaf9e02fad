/* The engine as the random driver links it: invariants are checked, threads come one after the other in an order that the driver
 * sets, and stages are counted. It is a file of its own, so that the driver sees only what any program sees. */
#include "hooks.h"

#define DVC_ASSERT(condition) ((condition) ? (void)0 : fuzz_assert_failed(#condition, __FILE__, __LINE__))
#define DVC_THREADS fuzz_thread_count()
#define DVC_PARALLEL(count, run, data) fuzz_parallel(count, run, data)
#define DVC_STAGE(name) fuzz_stage(name)
#define DVC_IMPLEMENTATION
#include "../../dvc.h"
