// Computes SHA-256 by the processor's instructions.
//
// An instruction does two rounds on the state in two registers, which hold the words ABEF and CDGH: Gulley et al., "Intel SHA
// Extensions", Intel, 2013. The schedule of 64 words is made four words at a time, sixteen words ahead.

#include "CContrailSHA.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define HARDWARE __attribute__((target("sha,sse4.1,ssse3")))

bool contrail_sha256_is_available(void) {
  unsigned int eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_SSE4_1) || !(ecx & bit_SSSE3)) return false;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
  return ebx & bit_SHA;
}

static const uint32_t constants[64] __attribute__((aligned(16))) = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

HARDWARE void contrail_sha256(uint32_t *state, const void *blocks, size_t count) {
  const __m128i bytes_swapped = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i *round_constants = (const __m128i *)constants;
  const uint8_t *next = blocks;

  // From ABCD and EFGH to ABEF and CDGH, the highest word first.
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);

  for (; count > 0; count--, next += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    // The last sixteen words of the schedule, four in each.
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      __m128i four;
      if (group < 4) {
        four = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(next + 16 * group)), bytes_swapped);
      } else {
        const __m128i before4 = words[(group + 1) & 3], before2 = words[(group + 2) & 3], before1 = words[(group + 3) & 3];
        four = _mm_sha256msg1_epu32(words[group & 3], before4);
        four = _mm_add_epi32(four, _mm_alignr_epi8(before1, before2, 4));
        four = _mm_sha256msg2_epu32(four, before1);
      }
      words[group & 3] = four;
      const __m128i sum = _mm_add_epi32(four, round_constants[group]);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

#else

bool contrail_sha256_is_available(void) { return false; }

void contrail_sha256(uint32_t *state, const void *blocks, size_t count) {
  (void)state;
  (void)blocks;
  (void)count;
}

#endif
