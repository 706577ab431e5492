#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { MOST_THREADS = 64, MOST_PARTS = 1024, PARTS_A_THREAD = 4 };
enum { SPINS = 4000 }; /* looks for work before going to sleep: about 0.1 ms, longer than a model's steps are apart */

#if defined(__x86_64__) || defined(__i386__)
#define PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define PAUSE() __asm__ volatile("yield")
#else
#define PAUSE() ((void)0)
#endif

/* What there is to do: a number that changes with each job, and how many of its parts are taken. One word, so that a
 * part is taken only while the job it belongs to is the one in work; its fields may be read from then on, since the
 * job is not over before that part is. */
typedef uint64_t ticket;
#define TAKEN(t) ((uint32_t)((t)&0xffff))
#define PARTS(t) ((uint32_t)((t) >> 16 & 0xffff))

static struct {
    pool_work work;
    const void *what;
    int64_t length, step;
} job;

static _Atomic ticket current;
static atomic_uint finished;
static atomic_int wanted = 1, started = 1, asleep;
static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t beds = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t alarm_clock = PTHREAD_COND_INITIALIZER;

static bool take_part(void) {
    ticket t = atomic_load(&current);
    do {
        if (TAKEN(t) >= PARTS(t)) return false;
    } while (!atomic_compare_exchange_weak(&current, &t, t + 1));
    const int64_t first = TAKEN(t) * job.step, end = first + job.step;
    job.work(job.what, first, end < job.length ? end : job.length);
    atomic_fetch_add(&finished, 1);
    return true;
}

static bool idle(int number) {
    const ticket t = atomic_load(&current);
    return TAKEN(t) >= PARTS(t) || number >= atomic_load(&wanted);
}

static void sleep_until_needed(int number) {
    pthread_mutex_lock(&beds);
    atomic_fetch_add(&asleep, 1);
    while (idle(number)) pthread_cond_wait(&alarm_clock, &beds);
    atomic_fetch_sub(&asleep, 1);
    pthread_mutex_unlock(&beds);
}

static void *helper(void *given) {
    const int number = (int)(intptr_t)given;
    for (int looks = 0;; looks++) {
        if (number < atomic_load(&wanted) && take_part()) looks = 0;
        if (looks > SPINS) {
            sleep_until_needed(number);
            looks = 0;
        }
        PAUSE();
    }
    return NULL;
}

void pool_set_threads(int count) {
    pthread_mutex_lock(&in_use);
    count = count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count;
    for (int number = atomic_load(&started); number < count; number++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, helper, (void *)(intptr_t)number) != 0) {
            count = number;
            break;
        }
        pthread_detach(thread);
        atomic_store(&started, number + 1);
    }
    atomic_store(&wanted, count);
    pthread_mutex_unlock(&in_use);
}

int pool_threads(void) { return atomic_load(&wanted); }

static void share(pool_work work, const void *what, int64_t length, int64_t unit, int threads) {
    int64_t units = (length + unit - 1) / unit, parts = (int64_t)threads * PARTS_A_THREAD;
    parts = parts < units ? parts : units;
    const int64_t step = (units + parts - 1) / parts * unit;
    parts = (length + step - 1) / step;
    job.work = work, job.what = what, job.length = length, job.step = step;
    atomic_store(&finished, 0);
    const ticket last = atomic_load(&current);
    atomic_store(&current, ((last >> 32) + 1) << 32 | (ticket)parts << 16);
    if (atomic_load(&asleep) > 0) {
        pthread_mutex_lock(&beds);
        pthread_cond_broadcast(&alarm_clock);
        pthread_mutex_unlock(&beds);
    }
    while (take_part()) continue;
    for (int looks = 0; atomic_load(&finished) < (unsigned)parts; looks++) {
        if (looks > SPINS) sched_yield();
        PAUSE();
    }
}

void pool_run(pool_work work, const void *what, int64_t length, int64_t unit) {
    const int threads = atomic_load(&wanted);
    if (threads == 1 || length <= unit || pthread_mutex_trylock(&in_use) != 0) {
        work(what, 0, length);
        return;
    }
    share(work, what, length, unit, threads);
    pthread_mutex_unlock(&in_use);
}
