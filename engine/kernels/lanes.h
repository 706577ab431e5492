/* Sixteen float lanes on whatever the compiler is told this file is for: AVX-512, AVX2 or plain C.
 *
 * Whatever the instruction set, a product is summed in the same order: sixteen partial sums, lane by lane, each with
 * fused multiply-adds, then halves onto halves. So a model gives the same bits on all of them.
 */
#ifndef LANES_H
#define LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 16

static inline float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float float_of_bf16(uint16_t bits) { return float_of_bits((uint32_t)bits << 16); }

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>

typedef __m512 lanes;

static inline lanes zero(void) { return _mm512_setzero_ps(); }
static inline lanes spread(float x) { return _mm512_set1_ps(x); }
static inline lanes load_f32(const float *p) { return _mm512_loadu_ps(p); }
static inline void store_f32(float *p, lanes x) { _mm512_storeu_ps(p, x); }
static inline lanes load_bf16(const uint16_t *p) {
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}
static inline lanes load_i8(const int8_t *p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
static inline lanes fma_lanes(lanes a, lanes b, lanes c) { return _mm512_fmadd_ps(a, b, c); }
static inline lanes plus(lanes a, lanes b) { return _mm512_add_ps(a, b); }
static inline lanes multiply(lanes a, lanes b) { return _mm512_mul_ps(a, b); }
static inline float sum(lanes x) {
    __m256 low = _mm512_castps512_ps256(x);
    __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1));
    __m256 eight = _mm256_add_ps(low, high);
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/* Four bits times eight: 16 rows by four inputs are 64 nibbles; products are added up in 16 bits, exactly, as long as
 * no more than eight are added (8 * 2 * 15 * 127 < 2^15). */
typedef __m512i nibbles;
typedef __m512i sums;

static inline sums no_sums(void) { return _mm512_setzero_si512(); }
static inline nibbles low_nibbles(const uint8_t *p) {
    return _mm512_and_si512(_mm512_loadu_si512(p), _mm512_set1_epi8(15));
}
static inline nibbles high_nibbles(const uint8_t *p) {
    return _mm512_and_si512(_mm512_srli_epi16(_mm512_loadu_si512(p), 4), _mm512_set1_epi8(15));
}
static inline sums add_products(sums so_far, nibbles weights, int32_t four_inputs) {
    return _mm512_add_epi16(so_far, _mm512_maddubs_epi16(weights, _mm512_set1_epi32(four_inputs)));
}
static inline lanes lanes_of(sums x, int32_t minus) {
    __m512i whole = _mm512_madd_epi16(x, _mm512_set1_epi16(1));
    return _mm512_cvtepi32_ps(_mm512_sub_epi32(whole, _mm512_set1_epi32(minus)));
}

#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

typedef struct {
    __m256 low, high;
} lanes;

static inline lanes both(__m256 low, __m256 high) { return (lanes){low, high}; }
static inline lanes zero(void) { return both(_mm256_setzero_ps(), _mm256_setzero_ps()); }
static inline lanes spread(float x) { return both(_mm256_set1_ps(x), _mm256_set1_ps(x)); }
static inline lanes load_f32(const float *p) { return both(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)); }
static inline void store_f32(float *p, lanes x) {
    _mm256_storeu_ps(p, x.low);
    _mm256_storeu_ps(p + 8, x.high);
}
static inline __m256 eight_bf16(const uint16_t *p) {
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}
static inline lanes load_bf16(const uint16_t *p) { return both(eight_bf16(p), eight_bf16(p + 8)); }
static inline __m256 eight_i8(const int8_t *p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline lanes load_i8(const int8_t *p) { return both(eight_i8(p), eight_i8(p + 8)); }
static inline lanes fma_lanes(lanes a, lanes b, lanes c) {
    return both(_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high));
}
static inline lanes plus(lanes a, lanes b) { return both(_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)); }
static inline lanes multiply(lanes a, lanes b) {
    return both(_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high));
}
static inline float sum(lanes x) {
    __m256 eight = _mm256_add_ps(x.low, x.high);
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

typedef struct {
    __m256i low, high;
} sums;
typedef sums nibbles;

static inline sums no_sums(void) { return (sums){_mm256_setzero_si256(), _mm256_setzero_si256()}; }
static inline __m256i low_32(const uint8_t *p) {
    return _mm256_and_si256(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi8(15));
}
static inline __m256i high_32(const uint8_t *p) {
    __m256i shifted = _mm256_srli_epi16(_mm256_loadu_si256((const __m256i *)p), 4);
    return _mm256_and_si256(shifted, _mm256_set1_epi8(15));
}
static inline nibbles low_nibbles(const uint8_t *p) { return (nibbles){low_32(p), low_32(p + 32)}; }
static inline nibbles high_nibbles(const uint8_t *p) { return (nibbles){high_32(p), high_32(p + 32)}; }
static inline sums add_products(sums so_far, nibbles weights, int32_t four_inputs) {
    __m256i inputs = _mm256_set1_epi32(four_inputs);
    so_far.low = _mm256_add_epi16(so_far.low, _mm256_maddubs_epi16(weights.low, inputs));
    so_far.high = _mm256_add_epi16(so_far.high, _mm256_maddubs_epi16(weights.high, inputs));
    return so_far;
}
static inline __m256 eight_of(__m256i x, int32_t minus) {
    __m256i whole = _mm256_madd_epi16(x, _mm256_set1_epi16(1));
    return _mm256_cvtepi32_ps(_mm256_sub_epi32(whole, _mm256_set1_epi32(minus)));
}
static inline lanes lanes_of(sums x, int32_t minus) { return both(eight_of(x.low, minus), eight_of(x.high, minus)); }

#else

typedef struct {
    float of[LANES];
} lanes;

#define EACH(l) for (int l = 0; l < LANES; l++)
static inline lanes zero(void) { return (lanes){{0}}; }
static inline lanes spread(float x) {
    lanes out;
    EACH(l) out.of[l] = x;
    return out;
}
static inline lanes load_f32(const float *p) {
    lanes out;
    EACH(l) out.of[l] = p[l];
    return out;
}
static inline void store_f32(float *p, lanes x) { EACH(l) p[l] = x.of[l]; }
static inline lanes load_bf16(const uint16_t *p) {
    lanes out;
    EACH(l) out.of[l] = float_of_bf16(p[l]);
    return out;
}
static inline lanes load_i8(const int8_t *p) {
    lanes out;
    EACH(l) out.of[l] = (float)p[l];
    return out;
}
static inline lanes fma_lanes(lanes a, lanes b, lanes c) {
    EACH(l) c.of[l] = fmaf(a.of[l], b.of[l], c.of[l]);
    return c;
}
static inline lanes plus(lanes a, lanes b) {
    EACH(l) a.of[l] += b.of[l];
    return a;
}
static inline lanes multiply(lanes a, lanes b) {
    EACH(l) a.of[l] *= b.of[l];
    return a;
}
static inline float sum(lanes x) {
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) x.of[l] += x.of[l + half];
    return x.of[0];
}

typedef struct {
    int32_t of[LANES];
} sums;
typedef struct {
    uint8_t of[4 * LANES];
} nibbles;

static inline sums no_sums(void) { return (sums){{0}}; }
static inline nibbles low_nibbles(const uint8_t *p) {
    nibbles out;
    for (int i = 0; i < 4 * LANES; i++) out.of[i] = p[i] & 15;
    return out;
}
static inline nibbles high_nibbles(const uint8_t *p) {
    nibbles out;
    for (int i = 0; i < 4 * LANES; i++) out.of[i] = p[i] >> 4;
    return out;
}
static inline sums add_products(sums so_far, nibbles weights, int32_t four_inputs) {
    int8_t inputs[4];
    memcpy(inputs, &four_inputs, sizeof inputs);
    EACH(l) for (int i = 0; i < 4; i++) so_far.of[l] += weights.of[4 * l + i] * inputs[i];
    return so_far;
}
static inline lanes lanes_of(sums x, int32_t minus) {
    lanes out;
    EACH(l) out.of[l] = (float)(x.of[l] - minus);
    return out;
}

#endif
#endif
