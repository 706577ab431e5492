/* What engine/kernels/__init__.py calls. Who calls looks after sizes, types and lifetimes. */
#include <stdlib.h>

#include "pool.h"
#include "products.h"
#include "stack.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

static struct {
    const char *name;
    void (*outputs)(const product *, int64_t, int64_t);
    void (*quantize)(const product *);
    int (*layers)(const stack *);
} set = {"none", NULL, NULL, NULL};

#define CHOOSE(which) \
    set.name = #which, set.outputs = product_##which, set.quantize = quantize_##which, set.layers = stack_##which

/* "avx512", "avx2", "plain", or "none" where a fused multiply-add would be a function of the C library. `most` limits
 * the choice; NULL: the best there is. */
EXPORT const char *kernels_choose(int most) {
    set.name = "none";
#if defined(__x86_64__) || defined(_M_X64)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return set.name;
    CHOOSE(avx2);
    if (most > 1 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        CHOOSE(avx512);
    if (most < 1) CHOOSE(plain);
#else
    (void)most;
    CHOOSE(plain);
#endif
    return set.name;
}

/* What it was built from; see stamp.py. */
EXPORT const char *kernels_stamp(void) { return STAMP; }

EXPORT void kernels_set_threads(int count) { pool_set_threads(count); }

EXPORT int kernels_threads(void) { return pool_threads(); }

static void make_outputs(const void *what, int64_t first, int64_t last) { set.outputs(what, first, last); }

/* 0, or -1 where memory is short. */
EXPORT int kernels_product(int kind, const float *x, int64_t rows, int64_t inputs, float *y, int64_t stride,
                           const void *weights, const float *scales, int64_t outputs) {
    product p = {.kind = kind, .x = x, .rows = rows, .inputs = inputs, .y = y, .stride = stride,
                 .weights = weights, .scales = scales, .outputs = outputs};
    void *memory = NULL;
    if (kind == INT4) {
        const int64_t all = rows * inputs, groups = all / GROUP;
        memory = malloc((size_t)(all + groups * 8));
        if (memory == NULL) return -1;
        p.steps = memory, p.offsets = (int32_t *)(p.steps + groups), p.codes = (int8_t *)(p.offsets + groups);
        set.quantize(&p);
    }
    pool_run(make_outputs, &p, outputs, UNIT);
    free(memory);
    return 0;
}

/* 0, or -1 where memory is short. */
EXPORT int kernels_stack(const layer *layers, int64_t count, int64_t width, int64_t heads, int64_t key_heads,
                         int64_t head, int64_t inner, float epsilon, const float *norm, float *x, int64_t rows,
                         const place *places, const float *cos, const float *sin) {
    const stack s = {layers, count, width, heads, key_heads, head, inner, epsilon, norm, rows, x, places, cos, sin};
    return set.layers(&s);
}
