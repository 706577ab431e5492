/* Names of functions that are compiled once for each instruction set: SET is _avx512, _avx2 or _plain. */
#ifndef NAMES_H
#define NAMES_H

#define JOIN(a, b) a##b
#define NAME_OF(name, set) JOIN(name, set)
#define NAMED(name) NAME_OF(name, SET)

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

#endif
