#include "convolve.h"

#include "lanes.h"
#include "names.h"

#ifdef __AVX512F__ /* 32 registers */
enum { TALL = 8, WIDE = 3 };
#else
enum { TALL = 6, WIDE = 1 };
#endif
#define UNROLL_TILE _Pragma("GCC unroll 8")

enum { DEPTH = 128 };  /* channels at a time: their weights for WIDE outputs stay in the nearest cache */
enum { AHEAD = 256 };  /* floats: how far ahead weights are fetched */
enum { BAND = 512 };   /* rows at a time: their results stay in the second cache */

/* Which part of a sum: channels from .. to - 1 of a tap. */
typedef struct {
    int64_t tap, from, to;
} part;

/* `tall` rows by `wide` times LANES outputs, both known when compiling. The first tile of a band reads weights that
 * no cache has yet. */
INLINE void tile(const convolution *c, part p, int64_t row, int tall, int64_t output, int wide, bool cold) {
    lanes total[TALL][WIDE];
    const int64_t panel = c->taps * c->channels * LANES;
    const float *x = c->x + (row + p.tap * c->dilation) * c->channels;
    const float *weights = c->weights + output / LANES * panel + p.tap * c->channels * LANES;
    float *y = c->y + row * c->outputs + output;
    const bool begins = p.tap == 0 && p.from == 0;
    UNROLL_TILE for (int t = 0; t < tall; t++) UNROLL_TILE for (int w = 0; w < wide; w++) total[t][w] = zero();
    for (int64_t i = p.from; i < p.to; i++) {
        lanes of[WIDE];
        UNROLL_TILE for (int w = 0; w < wide; w++) {
            of[w] = load_f32(weights + w * panel + i * LANES);
            if (cold) __builtin_prefetch(weights + w * panel + i * LANES + AHEAD);
        }
        UNROLL_TILE for (int t = 0; t < tall; t++) {
            const lanes one = spread(x[t * c->channels + i]);
            UNROLL_TILE for (int w = 0; w < wide; w++) total[t][w] = fma_lanes(one, of[w], total[t][w]);
        }
    }
    UNROLL_TILE for (int t = 0; t < tall; t++) UNROLL_TILE for (int w = 0; w < wide; w++) {
        float *made = y + t * c->outputs + w * LANES;
        lanes sum = total[t][w];
        if (begins) sum = plus(sum, load_f32(c->bias + output + w * LANES));
        if (!begins || c->add) sum = plus(sum, load_f32(made));
        store_f32(made, sum);
    }
}

INLINE void band(const convolution *c, part p, int64_t row, int64_t last, int64_t output, int wide) {
    bool cold = true;
    for (; row + TALL <= last; row += TALL, cold = false)
        if (cold) tile(c, p, row, TALL, output, wide, true);
        else tile(c, p, row, TALL, output, wide, false);
    for (; row + 4 <= last; row += 4) tile(c, p, row, 4, output, wide, true);
    for (; row + 2 <= last; row += 2) tile(c, p, row, 2, output, wide, true);
    for (; row < last; row++) tile(c, p, row, 1, output, wide, true);
}

INLINE void outputs_of(const convolution *c, int64_t row, int64_t last, int64_t output, int wide) {
    for (part p = {0}; p.tap < c->taps; p.tap++)
        for (p.from = 0; p.from < c->channels; p.from = p.to) {
            p.to = p.from + DEPTH < c->channels ? p.from + DEPTH : c->channels;
            band(c, p, row, last, output, wide);
        }
}

/* How many panels of LANES outputs to take of those left: one alone would leave half of the processor idle. */
INLINE int64_t width_of(int64_t panels) {
    if (WIDE == 3 && panels == 4) return 2;
    return panels < WIDE ? panels : WIDE;
}

void NAMED(convolve)(const convolution *c, int64_t first, int64_t last, int64_t from, int64_t to) {
    for (; first < last; first += BAND) {
        const int64_t end = first + BAND < last ? first + BAND : last;
        for (int64_t output = from, wide; output < to; output += wide * LANES) {
            wide = width_of((to - output) / LANES);
            if (wide == WIDE) outputs_of(c, first, end, output, WIDE);
            else if (wide == 2) outputs_of(c, first, end, output, WIDE > 2 ? 2 : 1);
            else outputs_of(c, first, end, output, 1);
        }
    }
}

/* Its square, to about one unit in the last place of 1; half turns do not matter to it. Beyond four million half turns
 * a float32 no longer says where in one it is. */
INLINE float sine_squared(float angle) {
    const float half_turns = rintf(angle * 0.318309886f);
    const float rest = fmaf(half_turns, -9.67653590e-4f, fmaf(half_turns, -3.140625f, angle));
    const float square = rest * rest;
    float y = 2.600054422e-6f; /* of sin(rest) / rest, equal errors up to a quarter turn */
    y = fmaf(y, square, -1.980661504e-4f);
    y = fmaf(y, square, 8.333017289e-3f);
    y = fmaf(y, square, -1.666665710e-1f);
    const float sine = fmaf(y * square, rest, rest);
    return sine * sine;
}

void NAMED(snake)(const activation *a, int64_t first, int64_t last) {
    const float *alpha = a->alpha, *gain = a->gain;
    for (int64_t row = first; row < last; row++) {
        const float *x = a->x + row * a->channels;
        float *y = a->y + row * a->channels;
        for (int64_t i = 0; i < a->channels; i++) y[i] = fmaf(gain[i], sine_squared(alpha[i] * x[i]), x[i]);
    }
}

/* e^x - 1 to about one unit in the last place of 1, of x not above 0. */
INLINE float less_one(float x) {
    x = x < -87.0f ? -87.0f : x;
    const float n = rintf(x * 1.44269504f);
    const float r = fmaf(n, 2.12194440e-4f, fmaf(n, -0.693359375f, x));
    float y = 1.9875691500e-4f; /* of (e^r - 1 - r) / r^2 (Cephes) */
    y = fmaf(y, r, 1.3981999507e-3f);
    y = fmaf(y, r, 8.3334519073e-3f);
    y = fmaf(y, r, 4.1665795894e-2f);
    y = fmaf(y, r, 1.6666665459e-1f);
    y = fmaf(y, r, 5.0000001201e-1f);
    const float power = float_of_bits((uint32_t)((int32_t)n + 127) << 23);
    return fmaf(fmaf(y * r, r, r), power, power - 1.0f);
}

void NAMED(elu)(const activation *a, int64_t first, int64_t last) {
    const float *x = a->x + first * a->channels;
    float *y = a->y + first * a->channels;
    for (int64_t i = 0; i < (last - first) * a->channels; i++) {
        const float below = less_one(x[i] < 0.0f ? x[i] : 0.0f);
        y[i] = x[i] > 0.0f ? x[i] : below;
    }
}
