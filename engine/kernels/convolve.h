/* Causal convolutions over rows of channels, and the activations between them, in float32; compiled once for each
 * instruction set. A row comes out the same, bit for bit, whatever rows are computed beside it. */
#ifndef CONVOLVE_H
#define CONVOLVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t rows, channels, taps, dilation, outputs; /* outputs in whole lanes */
    const float *x;       /* [rows + (taps - 1) * dilation, channels]: row r is made of rows r, r + dilation, ... */
    const float *weights; /* [outputs / LANES, taps, channels, LANES] */
    const float *bias;    /* [outputs] */
    float *y;             /* [rows, outputs] */
    bool add;             /* to what is in y */
} convolution;

enum { ROWS_SHARED = 512, ROWS_UNIT = 64, OUTPUTS_UNIT = 48 };

/* Rows first .. last - 1 of outputs from .. to - 1, `from` in whole lanes. */
void convolve_avx512(const convolution *c, int64_t first, int64_t last, int64_t from, int64_t to);
void convolve_avx2(const convolution *c, int64_t first, int64_t last, int64_t from, int64_t to);
void convolve_plain(const convolution *c, int64_t first, int64_t last, int64_t from, int64_t to);

typedef struct {
    int64_t channels;
    const float *x;            /* [rows, channels] */
    const float *alpha, *gain; /* [channels] */
    float *y;                  /* [rows, channels]; may be x */
} activation;

/* x + gain sin^2(alpha x) */
void snake_avx512(const activation *a, int64_t first, int64_t last);
void snake_avx2(const activation *a, int64_t first, int64_t last);
void snake_plain(const activation *a, int64_t first, int64_t last);

/* x, or e^x - 1 where that is negative */
void elu_avx512(const activation *a, int64_t first, int64_t last);
void elu_avx2(const activation *a, int64_t first, int64_t last);
void elu_plain(const activation *a, int64_t first, int64_t last);

#endif
