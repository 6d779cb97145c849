// Checks lists of points in JSON, `[175.1334,-37.4266],[…],`, which are most of a document of areas. A mask for each kind of character has a
// bit for each of 64 characters. Checking one number after the other would wait for the end of the one before.

#include "CContrailVectors.h"

#if defined(__x86_64__)

#include "masks.h"

bool contrail_skips_points(void) { return has_masks(); }

// Returns the number of bytes of the whole points at the beginning of 64 characters, each with its comma; 0 for another form.
MASKS static inline size_t points_in(const uint8_t *bytes) {
  __m512i text = _mm512_loadu_si512(bytes);
  uint64_t commas = equal(text, ','), ends = equal(text, ']');
  // The last bracket that is followed by a comma ends the last whole point.
  uint64_t last = ends & commas >> 1;
  if (last == 0) return 0;
  unsigned length = 65 - (unsigned)__builtin_clzll(last);
  uint64_t whole = _bzhi_u64(~0ULL, length);
  uint64_t digits = digits_in(text) & whole;
  uint64_t starts = equal(text, '[') & whole, points = equal(text, '.') & whole, minuses = equal(text, '-') & whole;
  commas &= whole, ends &= whole;

  // Each character is of one of these kinds. A point begins at the front and after each comma that follows a bracket, and nowhere else.
  uint64_t between = ends << 1, inner = commas & ~between;
  uint64_t fault = (digits | starts | points | minuses | commas | ends) ^ whole;
  fault |= (ends ^ last) | (starts ^ ((between << 1 | 1) & whole));
  // Beginnings of points and commas inside points alternate.
  unsigned both = (unsigned)_mm_popcnt_u64(starts | inner);
  fault |= (_pext_u64(inner, starts | inner) ^ (_bzhi_u64(~0ULL, both) & 0xAAAAAAAAAAAAAAAA)) | (both & 1);

  // A minus is only valid before a number. A first digit of zero is only valid alone or before a decimal point.
  uint64_t numbers = starts << 1 | inner << 1;
  uint64_t firsts = (numbers & ~minuses) | minuses << 1;
  fault |= (minuses & ~numbers) | (firsts & ~digits) | ((equal(text, '0') & firsts) << 1 & digits);
  // The first digits of a number end at a decimal point that is followed by digits, or at the end of the number. Adding the first bit
  // of a run of digits to the run carries to the place after it.
  uint64_t wholes_end = (digits + firsts) & ~digits, fractions = points << 1, fractions_end = (digits + fractions) & ~digits;
  fault |= (points & ~wholes_end) | (fractions & ~digits) | (((wholes_end & ~points) | fractions_end) & ~(inner | ends));
  return fault == 0 ? length : 0;
}

MASKS size_t contrail_skip_points(const uint8_t *bytes, size_t count) {
  size_t done = 0;
  while (count - done >= 64) {
    size_t length = points_in(bytes + done);
    if (length == 0) break;
    done += length;
  }
  return done;
}

#else

bool contrail_skips_points(void) { return false; }

size_t contrail_skip_points(const uint8_t *bytes, size_t count) {
  (void)bytes, (void)count;
  return 0;
}

#endif
