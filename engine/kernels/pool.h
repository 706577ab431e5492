/* Threads that share one piece of work at a time. */
#ifndef POOL_H
#define POOL_H

#include <stdint.h>

typedef void (*pool_work)(const void *what, int64_t first, int64_t last);

/* How many threads share work from now on, the caller among them. Threads that are no longer wanted sleep. */
void pool_set_threads(int count);
int pool_threads(void);

/* Do work(what, first, last) over 0 .. length - 1 in parts that are multiples of `unit`; returns when all is done.
 * Whoever is free takes the next part, so that a thread the system has put off holds up one part at most. Where the
 * threads are in use by another caller, the caller does all of it alone. */
void pool_run(pool_work work, const void *what, int64_t length, int64_t unit);

#endif
