/* A transformer's layers over a few rows, in one call: what `engine/model/layers.py` says, without a step of an
 * interpreter between products. Sixty-four bits a field, so that a table of whole numbers can be handed over. */
#ifndef STACK_H
#define STACK_H

#include <stdint.h>

#include "products.h"

typedef struct {
    int64_t kind, outputs; /* no outputs: not used */
    const void *weights;
    const float *scales;
} piece;

enum { MOST_PIECES = 3 };

typedef struct {
    const float *input_norm, *attention_norm, *query_norm, *key_norm; /* attention_norm: before the MLP */
    piece query_key_value[MOST_PIECES], output[MOST_PIECES], gate_up[MOST_PIECES], down[MOST_PIECES];
} layer;

/* Where a row's keys and values are kept: [layer, 2, ..., key heads, capacity, head] floats, and its position. */
typedef struct {
    float *keys;
    int64_t layer_step, value_step, capacity, position;
} place;

typedef struct {
    const layer *layers;
    int64_t count, width, heads, key_heads, head, inner;
    float epsilon;
    const float *norm; /* the final one */
    int64_t rows;
    float *x;               /* [rows, width]: in and, after the final norm, out */
    const place *places;    /* of each row */
    const float *cos, *sin; /* [rows, head]; the first half of the sines with their sign turned */
} stack;

/* 0, or -1 where memory is short. */
int stack_avx512(const stack *s);
int stack_avx2(const stack *s);
int stack_plain(const stack *s);

#endif
