// CRC-32C by folding, 256 bytes at a time: sixteen remainders of 128 bits are carried forward by carry-less multiplication
// until one is left, which has the same CRC as all the bytes. Described by Gopal et al., "Fast CRC Computation for Generic
// Polynomials Using PCLMULQDQ Instruction", Intel, 2009.

#include <immintrin.h>

#define FOLDING __attribute__((target("avx512f,avx512vl,avx512dq,pclmul,vpclmulqdq,sse4.2")))

enum { FOLDED = 256, SHORTEST_FOLDED = 2 * FOLDED };

/// x^(d + 32) and x^(d - 32) mod P, the Castagnoli polynomial, in reflected order and shifted by one, by which a remainder
/// moves d bits forward.
struct step {
  long long near_half, far_half;
};

static const struct step by_2048 = {0x0dcb17aa4, 0x0b9e02b86};
static const struct step by_1536 = {0x0a87ab8a8, 0x0ab7aff2a};
static const struct step by_1024 = {0x06992cea2, 0x00d3b6092};
static const struct step by_512 = {0x0740eef02, 0x09e4addf8};
static const struct step by_384 = {0x1c291d04, 0x1d82c63da};
static const struct step by_256 = {0x1384aa63a, 0x0ba4fc28e};
static const struct step by_128 = {0x0f20c0dfe, 0x14cd00bd6};

static inline bool can_fold(void) {
  return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
}

/// `remainders` moved forward by a step and added to `bytes`.
FOLDING static inline __m512i fold(__m512i remainders, struct step step, __m512i bytes) {
  const __m512i factors = _mm512_broadcast_i64x2(_mm_set_epi64x(step.far_half, step.near_half));
  return _mm512_ternarylogic_epi64(
      _mm512_clmulepi64_epi128(remainders, factors, 0x00), _mm512_clmulepi64_epi128(remainders, factors, 0x11), bytes,
      0x96);
}

FOLDING static inline __m128i fold_one(__m128i remainder, struct step step, __m128i bytes) {
  const __m128i factors = _mm_set_epi64x(step.far_half, step.near_half);
  return _mm_ternarylogic_epi64(
      _mm_clmulepi64_si128(remainder, factors, 0x00), _mm_clmulepi64_si128(remainder, factors, 0x11), bytes, 0x96);
}

/// Feeds `count` bytes, a multiple of 256 and not none, into the register.
FOLDING static inline uint32_t folded(uint32_t state, const uint8_t *bytes, size_t count) {
  __m512i a = _mm512_xor_si512(_mm512_loadu_si512(bytes), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)state)));
  __m512i b = _mm512_loadu_si512(bytes + 64);
  __m512i c = _mm512_loadu_si512(bytes + 128);
  __m512i d = _mm512_loadu_si512(bytes + 192);
  for (size_t at = FOLDED; at < count; at += FOLDED) {
    a = fold(a, by_2048, _mm512_loadu_si512(bytes + at));
    b = fold(b, by_2048, _mm512_loadu_si512(bytes + at + 64));
    c = fold(c, by_2048, _mm512_loadu_si512(bytes + at + 128));
    d = fold(d, by_2048, _mm512_loadu_si512(bytes + at + 192));
  }
  d = fold(a, by_1536, fold(b, by_1024, fold(c, by_512, d)));
  __m128i last = _mm512_extracti64x2_epi64(d, 3);
  last = fold_one(_mm512_extracti64x2_epi64(d, 2), by_128, last);
  last = fold_one(_mm512_extracti64x2_epi64(d, 1), by_256, last);
  last = fold_one(_mm512_castsi512_si128(d), by_384, last);
  const uint64_t low = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(last));
  return (uint32_t)_mm_crc32_u64(low, (uint64_t)_mm_extract_epi64(last, 1));
}
