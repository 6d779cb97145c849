// Computes digests of reports, with AVX-512 eight at a time. A digest is two rounds of SplitMix64's finaliser, with four 64-bit products.

#include "CContrailVectors.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define VECTORS __attribute__((target("avx512f,avx512dq")))

bool contrail_sums_digests(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

VECTORS static inline __m512i mix(__m512i z) {
  z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)), _mm512_set1_epi64(0xbf58476d1ce4e5b9));
  z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)), _mm512_set1_epi64(0x94d049bb133111eb));
  return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

VECTORS static inline __m512i digests(__m512i reports, __m512i first_second) {
  // From the top: the used bit, ten unused, 22 bits of cell, 6 of altitude, 3 of severity, 16 of EDR, 6 of second.
  const __m512i cell = _mm512_and_si512(_mm512_srli_epi64(reports, 31), _mm512_set1_epi64(0x3FFFFF));
  const __m512i index = _mm512_or_si512(_mm512_slli_epi64(cell, 30), _mm512_set1_epi64(0x085000003fffffff));
  const __m512i second = _mm512_or_si512(_mm512_and_si512(reports, _mm512_set1_epi64(63)), first_second);
  const __m512i edr = _mm512_and_si512(_mm512_slli_epi64(reports, 10), _mm512_set1_epi64(0xFFFF0000));
  const __m512i altitude = _mm512_and_si512(_mm512_srli_epi64(reports, 17), _mm512_set1_epi64(0x3F00));
  const __m512i severity = _mm512_and_si512(_mm512_srli_epi64(reports, 22), _mm512_set1_epi64(7));
  const __m512i word = _mm512_or_si512(
      _mm512_or_si512(_mm512_slli_epi64(second, 32), edr), _mm512_or_si512(altitude, severity));
  return mix(_mm512_add_epi64(mix(index), word));
}

VECTORS uint64_t contrail_sum_digests(const uint64_t *reports, size_t count, uint32_t first_second) {
  const __m512i first = _mm512_set1_epi64(first_second);
  __m512i sums = _mm512_setzero_si512();
  for (; count >= 8; count -= 8, reports += 8) {
    sums = _mm512_add_epi64(sums, digests(_mm512_loadu_si512(reports), first));
  }
  if (count > 0) {
    const __mmask8 left = (__mmask8)((1u << count) - 1);
    sums = _mm512_mask_add_epi64(sums, left, sums, digests(_mm512_maskz_loadu_epi64(left, reports), first));
  }
  return (uint64_t)_mm512_reduce_add_epi64(sums);
}

#else

// NEON has no 64-bit product. Three 32-bit products with shifts and sums are slower than one scalar product.
bool contrail_sums_digests(void) { return false; }

#if defined(__aarch64__)

static inline uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// For the tables that are kept with NEON.
uint64_t contrail_sum_digests(const uint64_t *reports, size_t count, uint32_t first_second) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t report = reports[i];
    const uint64_t index = (report >> 31 & 0x3FFFFF) << 30 | 0x085000003fffffff;
    const uint64_t second = (report & 63) | first_second;
    sum += mix(mix(index) + (second << 32 | (report << 10 & 0xFFFF0000) | (report >> 17 & 0x3F00) | (report >> 22 & 7)));
  }
  return sum;
}

#else

uint64_t contrail_sum_digests(const uint64_t *reports, size_t count, uint32_t first_second) {
  (void)reports;
  (void)count;
  (void)first_second;
  return 0;
}

#endif

#endif
