/* What engine/kernels/__init__.py calls. Who calls looks after sizes, types and lifetimes. */
#include <stdlib.h>

#include "convolve.h"
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
    void (*convolve)(const convolution *, int64_t, int64_t, int64_t, int64_t);
    void (*snake)(const activation *, int64_t, int64_t);
    void (*elu)(const activation *, int64_t, int64_t);
} set = {.name = "none"};

#define CHOOSE(which) \
    set.name = #which, set.outputs = product_##which, set.quantize = quantize_##which, set.layers = stack_##which, \
    set.convolve = convolve_##which, set.snake = snake_##which, set.elu = elu_##which

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

static void convolve_part(const void *what, int64_t first, int64_t last) {
    const convolution *c = what;
    if (c->rows >= ROWS_SHARED) set.convolve(c, first, last, 0, c->outputs);
    else set.convolve(c, 0, c->rows, first, last);
}

/* Many rows are shared among threads, else the outputs are: then the weights are what has to be read. */
EXPORT void kernels_convolve(const float *x, int64_t rows, int64_t channels, int64_t taps, int64_t dilation,
                             const float *weights, const float *bias, float *y, int64_t outputs, int add) {
    const convolution c = {rows, channels, taps, dilation, outputs, x, weights, bias, y, add != 0};
    if (rows >= ROWS_SHARED) pool_run(convolve_part, &c, rows, ROWS_UNIT);
    else pool_run(convolve_part, &c, outputs, OUTPUTS_UNIT);
}

typedef struct {
    int64_t outputs, inputs, taps, input_step, tap_step;
    const int64_t *starts;
    const float *from;
    float *to;
} layout;

/* Sixteen outputs by sixteen inputs at a time, so that what a cache takes in is used before it goes. */
static void lay_out_part(const void *what, int64_t first, int64_t last) {
    const layout *l = what;
    for (int64_t begin = first, end; begin < last; begin = end) {
        end = begin + UNIT < last ? begin + UNIT : last;
        for (int64_t panel = 0; panel < l->outputs; panel += UNIT)
            for (int64_t tap = 0; tap < l->taps; tap++) {
                float *to = l->to + (panel * l->taps + tap * UNIT) * l->inputs;
                for (int lane = 0; lane < UNIT; lane++) {
                    const int64_t start = l->starts[panel + lane];
                    const float *from = l->from + start + tap * l->tap_step;
                    for (int64_t i = begin; i < end; i++)
                        to[i * UNIT + lane] = start < 0 ? 0.0f : from[i * l->input_step];
                }
            }
    }
}

/* Weights as a convolution has them. Where those of an output start, -1 for none, and how far it is from input to
 * input and from tap to tap, in floats. */
EXPORT void kernels_lay_out(const float *from, const int64_t *starts, int64_t input_step, int64_t tap_step,
                            int64_t outputs, int64_t inputs, int64_t taps, float *to) {
    const layout l = {outputs, inputs, taps, input_step, tap_step, starts, from, to};
    pool_run(lay_out_part, &l, inputs, 16);
}

static void snake_part(const void *what, int64_t first, int64_t last) { set.snake(what, first, last); }

EXPORT void kernels_snake(const float *x, int64_t rows, int64_t channels, const float *alpha, const float *gain,
                          float *y) {
    const activation a = {channels, x, alpha, gain, y};
    pool_run(snake_part, &a, rows, ROWS_UNIT);
}

static void elu_part(const void *what, int64_t first, int64_t last) { set.elu(what, first, last); }

EXPORT void kernels_elu(const float *x, int64_t rows, int64_t channels, float *y) {
    const activation a = {.channels = channels, .x = x, .y = y};
    pool_run(elu_part, &a, rows, ROWS_UNIT);
}
