// Reads lists of integers in JSON, such as the longitudes and latitudes of a corridor. The beginnings of the numbers are found by the
// commas among 64 characters, so no number waits for the end of the one before.

#include "CContrailVectors.h"

#if defined(__x86_64__)

#include "masks.h"

enum { MOST_DIGITS = 16, REACH = 64 + MOST_DIGITS };

bool contrail_reads_integers(void) { return has_masks(); }

// Returns the value of 1 to 16 digits. 16 bytes must be readable.
MASKS static inline int64_t value_of(const uint8_t *digits, size_t count) {
  // Beginning at `count`, the shuffle moves the digits to the end, with zeros before them.
  static const uint8_t moves[32] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15};
  __m128i text = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)digits), _mm_set1_epi8('0'));
  __m128i ones = _mm_shuffle_epi8(text, _mm_loadu_si128((const __m128i *)(moves + count)));
  __m128i twos = _mm_maddubs_epi16(ones, _mm_set1_epi16(10 | 1 << 8));
  __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(100 | 1 << 16));
  __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(10000 | 1 << 16));
  uint64_t halves = (uint64_t)_mm_cvtsi128_si64(eights);
  return (int64_t)((halves & UINT32_MAX) * 100000000 + (halves >> 32));
}

MASKS size_t contrail_read_integers(const uint8_t *bytes, size_t count, int64_t *integers, size_t capacity, size_t *bytes_read) {
  size_t done = 0, number = 0;
  while (count - done >= REACH && capacity - number >= 32) {
    const uint8_t *start = bytes + done;
    __m512i text = _mm512_loadu_si512(start);
    uint64_t commas = equal(text, ',');
    if (commas == 0) break;
    uint64_t whole = _bzhi_u64(~0ULL, 64 - (unsigned)__builtin_clzll(commas));
    uint64_t digits = digits_in(text) & whole;
    uint64_t minuses = equal(text, '-') & whole, zeros = equal(text, '0');
    uint64_t numbers = (commas << 1 | 1) & whole, firsts = (numbers & ~minuses) | minuses << 1;
    uint64_t fault = (digits | minuses | commas) ^ whole;
    // A minus only at the front, followed by a digit; no leading zero, and no minus zero.
    fault |= (minuses & ~numbers) | (firsts & ~digits) | (minuses << 1 & zeros) | ((firsts & zeros) << 1 & digits);
    if (fault) break;
    size_t place = 0;
    while (commas) {
      size_t end = (size_t)__builtin_ctzll(commas), first = place + (start[place] == '-');
      if (end - first > MOST_DIGITS) break;
      int64_t value = value_of(start + first, end - first);
      integers[number++] = first == place ? value : -value;
      place = end + 1;
      commas &= commas - 1;
    }
    done += place;
    if (commas) break;
  }
  *bytes_read = done;
  return number;
}

#else

bool contrail_reads_integers(void) { return false; }

size_t contrail_read_integers(const uint8_t *bytes, size_t count, int64_t *integers, size_t capacity, size_t *bytes_read) {
  (void)bytes, (void)count, (void)integers, (void)capacity;
  *bytes_read = 0;
  return 0;
}

#endif
