/* Rows times weights, for three ways of keeping weights; compiled once for each instruction set. */
#ifndef PRODUCTS_H
#define PRODUCTS_H

#include <stdint.h>

enum { BF16, INT8, INT4 };
enum { UNIT = 16, GROUP = 32 };
enum { GROUP_BYTES = UNIT * GROUP / 2 + UNIT * 2 }; /* of INT4: nibbles, then scales as bf16 */

typedef struct {
    int kind;
    int64_t rows, inputs, outputs; /* x [rows, inputs] -> y [rows, outputs]; inputs in whole lanes (INT4: groups) */
    const float *x;
    float *y; /* rows of y follow each other at `stride` */
    int64_t stride;
    const void *weights; /* BF16, INT8: [outputs, inputs]; INT4: [outputs / 16, inputs / 32] groups */
    const float *scales; /* INT8: one an output */
    /* INT4: the rows in eight bits, made once by `quantize` for all outputs: */
    int8_t *codes;    /* [rows, inputs] */
    float *steps;     /* [rows, inputs / 32] */
    int32_t *offsets; /* [rows, inputs / 32]: eight times the sum of a group's codes */
} product;

/* Outputs first .. last - 1 of a product; `first` a multiple of UNIT. */
void product_avx512(const product *p, int64_t first, int64_t last);
void product_avx2(const product *p, int64_t first, int64_t last);
void product_plain(const product *p, int64_t first, int64_t last);

void quantize_avx512(const product *p);
void quantize_avx2(const product *p);
void quantize_plain(const product *p);

#endif
