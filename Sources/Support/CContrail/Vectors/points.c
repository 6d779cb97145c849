// Lists of points in JSON, `[175.1334,-37.4266],[…],`, most of what a document of areas consists of. They are checked by the masks
// of 64 characters, a bit for each that is of a kind: one number after the other would wait for the end of the one before.

#include "CContrailVectors.h"

#if defined(__x86_64__)

#include "masks.h"

bool contrail_skips_points(void) { return has_masks(); }

// The number of bytes of the whole points that 64 characters begin with, each with the comma behind it; 0 if there is another form.
MASKS static inline size_t points_in(const uint8_t *bytes) {
  __m512i text = _mm512_loadu_si512(bytes);
  uint64_t commas = equal(text, ','), ends = equal(text, ']');
  // The last bracket with a comma behind it ends the last point that is whole.
  uint64_t last = ends & commas >> 1;
  if (last == 0) return 0;
  unsigned length = 65 - (unsigned)__builtin_clzll(last);
  uint64_t whole = _bzhi_u64(~0ULL, length);
  uint64_t digits = digits_in(text) & whole;
  uint64_t starts = equal(text, '[') & whole, points = equal(text, '.') & whole, minuses = equal(text, '-') & whole;
  commas &= whole, ends &= whole;

  // Each character is one of these, a point begins at the front and behind each comma that follows a bracket, and nowhere else.
  uint64_t between = ends << 1, inner = commas & ~between;
  uint64_t fault = (digits | starts | points | minuses | commas | ends) ^ whole;
  fault |= (ends ^ last) | (starts ^ ((between << 1 | 1) & whole));
  // Beginnings of points and commas inside take turns.
  unsigned both = (unsigned)_mm_popcnt_u64(starts | inner);
  fault |= (_pext_u64(inner, starts | inner) ^ (_bzhi_u64(~0ULL, both) & 0xAAAAAAAAAAAAAAAA)) | (both & 1);

  // A minus may stand only in front of a number, whose first digit is a zero only before a point or alone.
  uint64_t numbers = starts << 1 | inner << 1;
  uint64_t firsts = (numbers & ~minuses) | minuses << 1;
  fault |= (minuses & ~numbers) | (firsts & ~digits) | ((equal(text, '0') & firsts) << 1 & digits);
  // What ends the first digits of a number is a point, with other digits behind it, or the number's end. Adding their first to a run
  // of digits carries to the place behind the run.
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
