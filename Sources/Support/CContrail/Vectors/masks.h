// Bit masks of 64 characters, for the loops that need AVX-512.

#ifndef CONTRAIL_MASKS_H
#define CONTRAIL_MASKS_H

#include <immintrin.h>
#include <stdint.h>

#define MASKS __attribute__((target("avx512bw,bmi2,popcnt")))

// Whether the processor has the instructions.
static inline bool has_masks(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

// The places of a character.
MASKS static inline uint64_t equal(__m512i text, char character) {
  return _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(character));
}

// The places of decimal digits.
MASKS static inline uint64_t digits_in(__m512i text) {
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
}

#endif
