#include "products.h"

#include "lanes.h"
#include "names.h"

#ifdef __AVX512F__ /* 32 registers */
enum { TALL = 4, WIDE = 8, BROAD = 2 }; /* one row with so many outputs; so many rows with BROAD outputs */
#else
enum { TALL = 2, WIDE = 2, BROAD = 2 };
#endif

INLINE lanes load_weights(int kind, const void *weights, int64_t at) {
    return kind == BF16 ? load_bf16((const uint16_t *)weights + at) : load_i8((const int8_t *)weights + at);
}

INLINE void fetch(int kind, const void *weights, int64_t at) {
    __builtin_prefetch((const char *)weights + (kind == BF16 ? 2 * at : at));
}

/* `tall` outputs of `wide` rows, both known when compiling. The next outputs are fetched meanwhile: left to itself the
 * processor fetches too late to keep its memory busy. */
INLINE void tile(const product *p, int kind, int64_t output, int tall, int64_t row, int wide) {
    lanes total[TALL][WIDE];
    const int64_t inputs = p->inputs, begin = output * inputs;
    UNROLL for (int t = 0; t < tall; t++) UNROLL for (int w = 0; w < wide; w++) total[t][w] = zero();
    for (int64_t i = 0; i < inputs; i += LANES) {
        lanes x[WIDE];
        UNROLL for (int w = 0; w < wide; w++) x[w] = load_f32(p->x + (row + w) * inputs + i);
        UNROLL for (int t = 0; t < tall; t++) {
            const int64_t at = begin + t * inputs + i;
            const lanes weights = load_weights(kind, p->weights, at);
            if (row == 0) fetch(kind, p->weights, at + tall * inputs);
            UNROLL for (int w = 0; w < wide; w++) total[t][w] = fma_lanes(weights, x[w], total[t][w]);
        }
    }
    UNROLL for (int t = 0; t < tall; t++) UNROLL for (int w = 0; w < wide; w++) {
        const float scale = kind == INT8 ? p->scales[output + t] : 1.0f;
        p->y[(row + w) * p->stride + output + t] = sum(total[t][w]) * scale;
    }
}

/* As many rows as there are at once, so that weights are unpacked once for all of them. */
INLINE int64_t broad_tiles(const product *p, int kind, int64_t output, int tall, int64_t row, int wide) {
    for (; row + wide <= p->rows; row += wide) {
        int64_t t = 0;
        for (; t + BROAD <= tall; t += BROAD) tile(p, kind, output + t, BROAD, row, wide);
        for (; t < tall; t++) tile(p, kind, output + t, 1, row, wide);
    }
    return row;
}

INLINE void outputs_of(const product *p, int kind, int64_t output, int tall) {
    int64_t row = broad_tiles(p, kind, output, tall, 0, WIDE);
    if (WIDE > 4) row = broad_tiles(p, kind, output, tall, row, 4);
    if (WIDE > 2) row = broad_tiles(p, kind, output, tall, row, 2);
    for (; row < p->rows; row++) tile(p, kind, output, tall, row, 1);
}

INLINE void plain_rows(const product *p, int kind, int64_t first, int64_t last) {
    for (; first + TALL <= last; first += TALL) outputs_of(p, kind, first, TALL);
    for (; first < last; first++) outputs_of(p, kind, first, 1);
}

INLINE int32_t four_codes(const int8_t *p) {
    int32_t four;
    memcpy(&four, p, sizeof four);
    return four;
}

/* 16 outputs of `wide` rows: nibbles are 0 .. 15 and mean -8 .. 7. */
INLINE void unit(const product *p, int64_t output, int64_t row, int wide) {
    const int64_t groups = p->inputs / GROUP;
    const uint8_t *at = (const uint8_t *)p->weights + output / UNIT * groups * GROUP_BYTES;
    lanes total[WIDE];
    UNROLL for (int w = 0; w < wide; w++) total[w] = zero();
    for (int64_t g = 0; g < groups; g++, at += GROUP_BYTES) {
        sums group[WIDE];
        UNROLL for (int w = 0; w < wide; w++) group[w] = no_sums();
        UNROLL for (int q = 0; q < 4; q++) {
            const nibbles low = low_nibbles(at + 64 * q), high = high_nibbles(at + 64 * q);
            __builtin_prefetch(at + 64 * q + 4096);
            UNROLL for (int w = 0; w < wide; w++) {
                const int8_t *codes = p->codes + (row + w) * p->inputs + GROUP * g + 8 * q;
                group[w] = add_products(add_products(group[w], low, four_codes(codes)), high, four_codes(codes + 4));
            }
        }
        const lanes scales = load_bf16((const uint16_t *)(at + UNIT * GROUP / 2));
        UNROLL for (int w = 0; w < wide; w++) {
            const int64_t place = (row + w) * groups + g;
            const lanes step = multiply(scales, spread(p->steps[place]));
            total[w] = fma_lanes(lanes_of(group[w], p->offsets[place]), step, total[w]);
        }
    }
    UNROLL for (int w = 0; w < wide; w++) store_f32(p->y + (row + w) * p->stride + output, total[w]);
}

static void units(const product *p, int64_t first, int64_t last) {
    for (; first < last; first += UNIT) {
        int64_t row = 0;
        for (; row + WIDE <= p->rows; row += WIDE) unit(p, first, row, WIDE);
        for (; row + 2 <= p->rows; row += 2) unit(p, first, row, 2);
        for (; row < p->rows; row++) unit(p, first, row, 1);
    }
}

void NAMED(product)(const product *p, int64_t first, int64_t last) {
    switch (p->kind) {
    case BF16: plain_rows(p, BF16, first, last); break;
    case INT8: plain_rows(p, INT8, first, last); break;
    default: units(p, first, last);
    }
}

/* Each group of a row in -127 .. 127 steps of its own. */
void NAMED(quantize)(const product *p) {
    for (int64_t g = 0; g < p->rows * p->inputs / GROUP; g++) {
        const float *x = p->x + g * GROUP;
        float most = 1e-30f;
        for (int i = 0; i < GROUP; i++) most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
        const float fine = 127.0f / most;
        int32_t total = 0;
        for (int i = 0; i < GROUP; i++) {
            const int32_t code = (int32_t)rintf(x[i] * fine);
            p->codes[g * GROUP + i] = (int8_t)code;
            total += code;
        }
        p->steps[g] = most / 127.0f;
        p->offsets[g] = 8 * total;
    }
}
