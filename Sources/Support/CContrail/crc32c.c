// Computes CRC-32C by the processor's instruction.
//
// The instruction takes eight bytes a cycle and has a latency of three cycles, so three neighbouring lanes of equal length
// run at the same time. Their registers are joined by carry-less multiplication with a power of x, as described by Gopal et al.,
// "Fast CRC Computation for iSCSI Polynomial Using CRC32 Instruction", Intel, 2011. If the processor multiplies eight
// words at a time, most of a long input is folded by that first.

#include "CContrailCRC.h"

#include <string.h>

enum { LANE_WORDS = 128, SHORTEST_LANE_WORDS = 4 };

#include "shifts.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <nmmintrin.h>
#include <wmmintrin.h>

#include "folding.h"

#define HARDWARE __attribute__((target("sse4.2,pclmul")))

bool contrail_crc32c_is_available(void) {
  unsigned int eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return false;
  return (ecx & bit_SSE4_2) && (ecx & bit_PCLMUL);
}

HARDWARE static inline uint64_t add_word(uint64_t state, uint64_t word) { return _mm_crc32_u64(state, word); }

HARDWARE static inline uint32_t add_byte(uint32_t state, uint8_t byte) { return _mm_crc32_u8(state, byte); }

HARDWARE static inline uint64_t product(uint32_t left, uint32_t right) {
  __m128i wide = _mm_clmulepi64_si128(_mm_cvtsi32_si128((int)left), _mm_cvtsi32_si128((int)right), 0);
  return (uint64_t)_mm_cvtsi128_si64(wide);
}

#elif defined(__aarch64__) && !defined(__AARCH64EB__) && (defined(__APPLE__) || defined(__linux__))

#include <arm_acle.h>
#include <arm_neon.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

#define HARDWARE __attribute__((target("crc,aes")))

bool contrail_crc32c_is_available(void) {
#if defined(__APPLE__)
  return true;  // Every processor that runs iOS 17 or macOS 14 on ARM has both.
#else
  const unsigned long polynomial_multiply = 1UL << 4;  // HWCAP_PMULL
  const unsigned long crc32 = 1UL << 7;                // HWCAP_CRC32
  unsigned long has = getauxval(AT_HWCAP);
  return (has & polynomial_multiply) && (has & crc32);
#endif
}

HARDWARE static inline uint64_t add_word(uint64_t state, uint64_t word) { return __crc32cd((uint32_t)state, word); }

HARDWARE static inline uint32_t add_byte(uint32_t state, uint8_t byte) { return __crc32cb(state, byte); }

HARDWARE static inline uint64_t product(uint32_t left, uint32_t right) {
  return (uint64_t)vmull_p64((poly64_t)left, (poly64_t)right);
}

#else

bool contrail_crc32c_is_available(void) { return false; }

uint32_t contrail_crc32c(uint32_t state, const void *bytes, size_t count) {
  (void)shift;
  (void)bytes;
  (void)count;
  return state;
}

#define NO_HARDWARE 1

#endif

#ifndef NO_HARDWARE

static inline uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/// Returns the state after `words` more words of zeroes.
HARDWARE static inline uint64_t moved(uint64_t state, size_t words) {
  return add_word(0, product((uint32_t)state, shift[words]));
}

HARDWARE uint32_t contrail_crc32c(uint32_t state, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
#if defined(__x86_64__)
  if (count >= SHORTEST_FOLDED && can_fold()) {
    const size_t whole = count - count % FOLDED;
    state = folded(state, next, whole);
    next += whole;
    count -= whole;
  }
#endif
  uint64_t first = state;

  while (count >= 3 * 8 * SHORTEST_LANE_WORDS) {
    size_t words = count / (3 * 8);
    if (words > LANE_WORDS) words = LANE_WORDS;
    size_t lane = words * 8;
    uint64_t second = 0, third = 0;
    for (size_t at = 0; at < lane; at += 8) {
      first = add_word(first, word_at(next + at));
      second = add_word(second, word_at(next + lane + at));
      third = add_word(third, word_at(next + 2 * lane + at));
    }
    first = moved(first, 2 * words) ^ moved(second, words) ^ third;
    next += 3 * lane;
    count -= 3 * lane;
  }
  for (; count >= 8; count -= 8, next += 8) first = add_word(first, word_at(next));
  for (; count > 0; count--, next++) first = add_byte((uint32_t)first, *next);
  return (uint32_t)first;
}

#endif
