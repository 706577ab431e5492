#include "stack.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lanes.h"
#include "names.h"
#include "pool.h"

/* What the rows pass through: all [rows, ...]. */
typedef struct {
    float *normed, *projected, *attended, *gated;
    float *scores; /* of attention: [rows, heads, most keys] */
    int64_t most_keys;
    int8_t *codes; /* for INT4: the rows of a product in eight bits */
    float *steps;
    int32_t *offsets;
} room;

typedef struct {
    const piece *pieces;
    product shared;
} pieces_work;

/* e^x to about two units in the last place, in steps a compiler can do for many lanes at once. */
INLINE float exponential(float x) {
    x = x > 88.0f ? 88.0f : x < -87.0f ? -87.0f : x;
    const float n = rintf(x * 1.44269504f);
    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float y = 1.9875691500e-4f;
    y = y * r + 1.3981999507e-3f;
    y = y * r + 8.3334519073e-3f;
    y = y * r + 4.1665795894e-2f;
    y = y * r + 1.6666665459e-1f;
    y = y * r + 5.0000001201e-1f;
    y = (y * r) * r + r + 1.0f;
    return y * float_of_bits((uint32_t)((int32_t)n + 127) << 23);
}

static void norm(const float *x, const float *weight, float epsilon, int64_t width, float *out) {
    lanes squares = zero();
    for (int64_t i = 0; i < width; i += LANES) {
        const lanes part = load_f32(x + i);
        squares = fma_lanes(part, part, squares);
    }
    const lanes scale = spread(1.0f / sqrtf(sum(squares) / (float)width + epsilon));
    for (int64_t i = 0; i < width; i += LANES)
        store_f32(out + i, multiply(multiply(load_f32(x + i), scale), load_f32(weight + i)));
}

/* Outputs first .. last - 1 of all pieces, one after the other. */
static void make_outputs(const void *what, int64_t first, int64_t last) {
    const pieces_work *work = what;
    int64_t begin = 0;
    for (int i = 0; i < MOST_PIECES && work->pieces[i].outputs > 0; begin += work->pieces[i++].outputs) {
        const piece *one = work->pieces + i;
        const int64_t from = first > begin ? first - begin : 0;
        const int64_t to = last - begin < one->outputs ? last - begin : one->outputs;
        if (from >= to) continue;
        product p = work->shared;
        p.kind = (int)one->kind, p.weights = one->weights, p.scales = one->scales, p.outputs = one->outputs;
        p.y += begin;
        NAMED(product)(&p, from, to);
    }
}

static void multiply_rows(const piece *pieces, const stack *s, const room *r, const float *x, int64_t inputs, float *y) {
    int64_t outputs = 0;
    bool four_bits = false;
    for (int i = 0; i < MOST_PIECES; i++) {
        outputs += pieces[i].outputs;
        four_bits |= pieces[i].outputs > 0 && pieces[i].kind == INT4;
    }
    const pieces_work work = {pieces, {.rows = s->rows, .inputs = inputs, .x = x, .y = y, .stride = outputs,
                                       .codes = r->codes, .steps = r->steps, .offsets = r->offsets}};
    if (four_bits) NAMED(quantize)(&work.shared);
    pool_run(make_outputs, &work, outputs, UNIT);
}

/* A head normed, then its channels c and c + head / 2 rotated together. */
static void turn(float *head, const float *weight, const stack *s, int64_t row) {
    const int64_t half = s->head / 2;
    const float *cos = s->cos + row * s->head, *sin = s->sin + row * s->head;
    norm(head, weight, s->epsilon, s->head, head);
    for (int64_t c = 0; c < half; c++) {
        const float a = head[c], b = head[c + half];
        head[c] = a * cos[c] + b * sin[c];
        head[c + half] = b * cos[c + half] + a * sin[c + half];
    }
}

static float *kept(const stack *s, int64_t row, int64_t layer_number, int64_t key_head, int64_t value) {
    const place *p = s->places + row;
    return p->keys + layer_number * p->layer_step + value * p->value_step + key_head * p->capacity * s->head;
}

/* Norm and rotate queries and keys; keep keys and values at each row's position. */
static void place_row(const stack *s, int64_t number, float *projected, int64_t row) {
    const layer *l = s->layers + number;
    const size_t bytes = (size_t)s->head * sizeof(float);
    float *keys = projected + s->heads * s->head, *values = keys + s->key_heads * s->head;
    for (int64_t h = 0; h < s->heads; h++) turn(projected + h * s->head, l->query_norm, s, row);
    for (int64_t h = 0; h < s->key_heads; h++) {
        const int64_t at = s->places[row].position * s->head;
        turn(keys + h * s->head, l->key_norm, s, row);
        memcpy(kept(s, row, number, h, 0) + at, keys + h * s->head, bytes);
        memcpy(kept(s, row, number, h, 1) + at, values + h * s->head, bytes);
    }
}

INLINE float dot(const float *a, const float *b, int64_t width) {
    lanes total = zero();
    for (int64_t i = 0; i < width; i += LANES) total = fma_lanes(load_f32(a + i), load_f32(b + i), total);
    return sum(total);
}

/* Scores of `count` keys for one query, as they lie one after the other. */
static void score(const stack *s, const float *query, const float *keys, int64_t count, float *scores) {
    const float scale = 1.0f / sqrtf((float)s->head);
    for (int64_t k = 0; k < count; k++) scores[k] = dot(query, keys + k * s->head, s->head) * scale;
}

/* Scores to shares of one. */
static void softmax(float *scores, int64_t count) {
    float most = -INFINITY, total = 0.0f;
    for (int64_t k = 0; k < count; k++) most = scores[k] > most ? scores[k] : most;
    for (int64_t k = 0; k < count; k++) scores[k] = exponential(scores[k] - most);
    for (int64_t k = 0; k < count; k++) total += scores[k];
    const float share = 1.0f / total;
    for (int64_t k = 0; k < count; k++) scores[k] *= share;
}

/* out += the sum of `count` values, each times its share. */
static void mix(const stack *s, const float *shares, const float *values, int64_t count, float *out) {
    for (int64_t c = 0; c < s->head; c += 4 * LANES) {
        const int64_t parts = (s->head - c) / LANES < 4 ? (s->head - c) / LANES : 4;
        lanes sums[4] = {zero(), zero(), zero(), zero()};
        for (int64_t i = 0; i < parts; i++) sums[i] = load_f32(out + c + i * LANES);
        for (int64_t k = 0; k < count; k++) {
            const lanes share = spread(shares[k]);
            const float *value = values + k * s->head + c;
            UNROLL for (int i = 0; i < 4; i++)
                if (i < parts) sums[i] = fma_lanes(share, load_f32(value + i * LANES), sums[i]);
        }
        for (int64_t i = 0; i < parts; i++) store_f32(out + c + i * LANES, sums[i]);
    }
}

typedef struct {
    const stack *s;
    const room *r;
    int64_t number;
} attention_work;

enum { NEAR_KEYS = 256 }; /* that stay in a core's cache while all query heads look at them */

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* A unit of work is a row's key head with all its query heads. */
static void attend_heads(const void *what, int64_t first, int64_t last) {
    const attention_work *work = what;
    const stack *s = work->s;
    const int64_t group = s->heads / s->key_heads, wide = (s->heads + 2 * s->key_heads) * s->head;
    for (int64_t unit = first; unit < last; unit++) {
        const int64_t row = unit / s->key_heads, key_head = unit % s->key_heads;
        const int64_t count = s->places[row].position + 1;
        float *scores = work->r->scores + unit * group * work->r->most_keys;
        const float *keys = kept(s, row, work->number, key_head, 0), *values = kept(s, row, work->number, key_head, 1);
        const float *queries = work->r->projected + row * wide + key_head * group * s->head;
        float *out = work->r->attended + (row * s->heads + key_head * group) * s->head;
        for (int64_t k = 0; k < count; k += NEAR_KEYS)
            for (int64_t h = 0; h < group; h++)
                score(s, queries + h * s->head, keys + k * s->head, smaller(NEAR_KEYS, count - k), scores + h * count + k);
        for (int64_t h = 0; h < group; h++) softmax(scores + h * count, count);
        memset(out, 0, (size_t)(group * s->head) * sizeof *out);
        for (int64_t k = 0; k < count; k += NEAR_KEYS)
            for (int64_t h = 0; h < group; h++)
                mix(s, scores + h * count + k, values + k * s->head, smaller(NEAR_KEYS, count - k), out + h * s->head);
    }
}

static void gate(const float *gate_up, int64_t inner, float *out) {
    for (int64_t i = 0; i < inner; i++) out[i] = gate_up[i] / (1.0f + exponential(-gate_up[i])) * gate_up[inner + i];
}

static void add(float *x, const float *branch, int64_t count) {
    for (int64_t i = 0; i < count; i++) x[i] += branch[i];
}

static void run_layer(const stack *s, const room *r, int64_t number) {
    const layer *l = s->layers + number;
    const int64_t wide = (s->heads + 2 * s->key_heads) * s->head, all = s->rows * s->width;
    for (int64_t row = 0; row < s->rows; row++)
        norm(s->x + row * s->width, l->input_norm, s->epsilon, s->width, r->normed + row * s->width);
    multiply_rows(l->query_key_value, s, r, r->normed, s->width, r->projected);
    for (int64_t row = 0; row < s->rows; row++) place_row(s, number, r->projected + row * wide, row);
    const attention_work work = {s, r, number};
    pool_run(attend_heads, &work, s->rows * s->key_heads, 1);
    multiply_rows(l->output, s, r, r->attended, s->heads * s->head, r->normed);
    add(s->x, r->normed, all);
    for (int64_t row = 0; row < s->rows; row++)
        norm(s->x + row * s->width, l->attention_norm, s->epsilon, s->width, r->normed + row * s->width);
    multiply_rows(l->gate_up, s, r, r->normed, s->width, r->projected);
    for (int64_t row = 0; row < s->rows; row++)
        gate(r->projected + row * 2 * s->inner, s->inner, r->gated + row * s->inner);
    multiply_rows(l->down, s, r, r->gated, s->inner, r->normed);
    add(s->x, r->normed, all);
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t most_keys(const stack *s) {
    int64_t most = 0;
    for (int64_t row = 0; row < s->rows; row++) most = larger(most, s->places[row].position + 1);
    return most;
}

int NAMED(stack)(const stack *s) {
    const int64_t across = s->heads * s->head;
    const int64_t wide = larger(across + 2 * s->key_heads * s->head, 2 * s->inner);
    const int64_t inputs = larger(larger(s->width, across), s->inner);
    const int64_t keys = most_keys(s);
    const int64_t floats = s->width + wide + across + s->inner + s->heads * keys + 2 * (inputs / GROUP);
    char *memory = malloc((size_t)(s->rows * (floats * (int64_t)sizeof(float) + inputs)));
    if (memory == NULL) return -1;
    room r = {.normed = (float *)memory, .most_keys = keys};
    r.projected = r.normed + s->rows * s->width;
    r.attended = r.projected + s->rows * wide;
    r.gated = r.attended + s->rows * across;
    r.scores = r.gated + s->rows * s->inner;
    r.steps = r.scores + s->rows * s->heads * keys;
    r.offsets = (int32_t *)(r.steps + s->rows * (inputs / GROUP));
    r.codes = (int8_t *)(r.offsets + s->rows * (inputs / GROUP));
    for (int64_t number = 0; number < s->count; number++) run_layer(s, &r, number);
    for (int64_t row = 0; row < s->rows; row++)
        norm(s->x + row * s->width, s->norm, s->epsilon, s->width, s->x + row * s->width);
    free(memory);
    return 0;
}
