/* What the engine calls in the driver: a failed invariant, threads, and the stages of a step. See engine.c and main.c. */
#ifndef DVC_FUZZ_HOOKS_H
#define DVC_FUZZ_HOOKS_H

void fuzz_assert_failed(const char *text, const char *file, int line);
int fuzz_thread_count(void);
void fuzz_parallel(int count, void (*run)(void *data, int k), void *data);
void fuzz_stage(const char *name);

#endif
