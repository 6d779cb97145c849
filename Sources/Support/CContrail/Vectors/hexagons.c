// Reads hexagons in the canonical form, about thirty bytes at a time.
//
//     {"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":1659530580},
//     0         10        20        30        40        50        60        70
//
// Three vectors (of 16 bytes each: five) contain the relevant bytes: `head` ends before the altitude, `middle` begins with the
// altitude, and `tail` ends with the time. Each is combined with a template by exclusive-or: digits become numbers, and other bytes
// of the template become 0. Each byte has a limit, 9 for a digit and 0 otherwise. Faults are accumulated and tested once.
//
// Only the altitude and the EDR vary in length. The most frequent form, two digits and four decimals, is tried first.

#include "CContrailVectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTORS __attribute__((target("avx2")))
#elif defined(__aarch64__) && defined(__ARM_NEON) && defined(__LITTLE_ENDIAN__)
#include <arm_neon.h>
// Each processor of this architecture has these instructions.
#define VECTORS
#endif

#if defined(VECTORS)

#define UNLIKELY(condition) __builtin_expect((condition), 0)

bool contrail_reads_hexagons(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}

enum { ANY = 0xFF, MIDDLE_OFFSET = 30 };

// A string literal ends with a zero byte, which doesn't fit into the vector.
static const uint8_t head_template[33] = "{\"id\":\"85\0\0\0\0\0\0fffffff\",\"alt\":\0\0";
static const uint8_t head_limit[32] = {[9 ... 14] = ANY, [30 ... 31] = ANY};

/// The form of a hexagon: the number of digits of the altitude, and of decimals of the EDR.
struct form {
  uint8_t middle_template[17], middle_limit[16];
  /// The places of altitude and severity among the numbers; -1 gives a zero.
  int8_t middle_places[16];
  uint8_t tail_template[33], tail_limit[32];
  int8_t tail_places[32];
  uint32_t tail_offset;
  /// The minimum of the altitude, which has no leading zero.
  uint32_t altitude_min;
};

#define TWO_DIGITS                                                                               \
  .middle_template = "00,\"sev\":0,\"edr\"", .middle_limit = {9, 9, [9] = 4},                    \
  .middle_places = {[0 ... 9] = -1, 0, 1, -1, -1, -1, 9}, .altitude_min = 10
#define ONE_DIGIT                                                                                \
  .middle_template = "0,\"sev\":0,\"edr\":", .middle_limit = {9, [8] = 4},                       \
  .middle_places = {[0 ... 9] = -1, -1, 0, -1, -1, -1, 8}, .altitude_min = 0

#define TIME_LIMIT [22 ... 31] = 9
#define TIME_PLACES [8 ... 17] = -1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, [28 ... 31] = -1
#define FOUR_DECIMALS                                                                            \
  .tail_template = "\":0.0000,\"observedAt\":0000000000", .tail_limit = {[2] = 5, [4 ... 7] = 9, TIME_LIMIT}, \
  .tail_places = {-1, -1, -1, 2, 4, 5, 6, 7, TIME_PLACES}
#define THREE_DECIMALS                                                                           \
  .tail_template = "r\":0.000,\"observedAt\":0000000000", .tail_limit = {[3] = 5, [5 ... 7] = 9, TIME_LIMIT}, \
  .tail_places = {-1, -1, -1, 3, 5, 6, 7, -1, TIME_PLACES}
#define TWO_DECIMALS                                                                             \
  .tail_template = "dr\":0.00,\"observedAt\":0000000000", .tail_limit = {[4] = 5, [6 ... 7] = 9, TIME_LIMIT}, \
  .tail_places = {-1, -1, -1, 4, 6, 7, -1, -1, TIME_PLACES}
#define ONE_DECIMAL                                                                              \
  .tail_template = "edr\":0.0,\"observedAt\":0000000000", .tail_limit = {[5] = 5, [7] = 9, TIME_LIMIT}, \
  .tail_places = {-1, -1, -1, 5, 7, -1, -1, -1, TIME_PLACES}

static const struct form usual = {TWO_DIGITS, FOUR_DECIMALS, .tail_offset = 45};

/// The forms, by the number of digits of the altitude and of decimals of the EDR, each minus one.
static const struct form forms[2][4] = {
    {
        {ONE_DIGIT, ONE_DECIMAL, .tail_offset = 41},
        {ONE_DIGIT, TWO_DECIMALS, .tail_offset = 42},
        {ONE_DIGIT, THREE_DECIMALS, .tail_offset = 43},
        {ONE_DIGIT, FOUR_DECIMALS, .tail_offset = 44},
    },
    {
        {TWO_DIGITS, ONE_DECIMAL, .tail_offset = 42},
        {TWO_DIGITS, TWO_DECIMALS, .tail_offset = 43},
        {TWO_DIGITS, THREE_DECIMALS, .tail_offset = 44},
        {TWO_DIGITS, FOUR_DECIMALS, .tail_offset = 45},
    },
};

/// Returns the form of a hexagon, or null.
static inline const struct form *form_of(const uint8_t *hexagon) {
  const bool has_two = hexagon[31] != ',';
  const uint8_t *decimals = hexagon + (has_two ? 49 : 48);
  for (size_t count = 1; count <= 4; count++) {
    if (decimals[count] == ',') return &forms[has_two][count - 1];
  }
  return NULL;
}

/// For each base cell: 1 for a pentagon, whose first nonzero digit is never 1, and 2 for an invalid base cell.
static const uint8_t base_cells[128] = {
    [4] = 1, [14] = 1, [24] = 1, [38] = 1, [49] = 1, [58] = 1, [63] = 1, [72] = 1, [83] = 1, [97] = 1, [107] = 1,
    [117] = 1, [122 ... 127] = 2,
};

/// Returns whether 22 bits are a valid cell of resolution 5.
static inline bool is_cell(uint32_t cell) {
  const uint32_t digits = cell & 077777;
  // A digit of 7 is invalid. Adding one to it carries into the next digit.
  if (UNLIKELY(((digits & 033333) + 011111) & digits & 044444)) return false;
  if (__builtin_expect(base_cells[cell >> 15], 0) == 0) return true;
  return base_cells[cell >> 15] == 1 && (digits == 0 || (31 - __builtin_clz(digits)) % 3 != 0);
}

#if defined(__x86_64__)

VECTORS static inline __m256i load32(const void *bytes) { return _mm256_loadu_si256(bytes); }

VECTORS static inline __m128i load16(const void *bytes) { return _mm_loadu_si128(bytes); }

/// Reads a hexagon of one form; returns false if it has another form or isn't valid.
VECTORS static inline __attribute__((always_inline)) bool read_hexagon(
    const uint8_t *hexagon, const struct form *form, struct contrail_report *report) {
  const uint8_t *const tail_start = hexagon + form->tail_offset;
  const __m256i head = load32(hexagon);
  const __m128i middle = _mm_xor_si128(load16(hexagon + MIDDLE_OFFSET), load16(form->middle_template));
  const __m256i tail = _mm256_xor_si256(load32(tail_start), load32(form->tail_template));

  // The digits of the cell in pairs, the last pair first, so that the three bytes are in the machine's order. The lower half of a
  // letter is nine less than its value. Each digit is written again and compared.
  const __m128i id = _mm_shuffle_epi8(
      _mm256_castsi256_si128(head), _mm_setr_epi8(13, 14, 11, 12, 9, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9));
  const __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(id, _mm_set1_epi8('9')), _mm_set1_epi8(9));
  const __m128i nibbles = _mm_add_epi8(_mm_and_si128(id, _mm_set1_epi8(15)), letters);
  const __m128i written = _mm_shuffle_epi8(
      _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'), nibbles);

  // The EDR's whole, its decimals, altitude, severity; the time's first two digits, the next four, the last four, nothing.
  const __m256i digits = _mm256_or_si256(
      _mm256_shuffle_epi8(tail, load32(form->tail_places)),
      _mm256_zextsi128_si256(_mm_shuffle_epi8(middle, load16(form->middle_places))));
  const __m256i numbers =
      _mm256_madd_epi16(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010A)), _mm256_set1_epi32(0x00010064));
  // Times near or above the limit of 32 bits are read by the scalar code.
  const __m256i most = _mm256_setr_epi32(9, 9999, 52, 9, 41, 9999, 9999, 0);
  const __m256i least = _mm256_setr_epi32(0, 0, (int)form->altitude_min, 0, 10, 0, 0, 0);

  const __m128i short_faults =
      _mm_or_si128(_mm_subs_epu8(middle, load16(form->middle_limit)), _mm_xor_si128(written, id));
  const __m256i faults = _mm256_or_si256(
      _mm256_or_si256(
          _mm256_subs_epu8(_mm256_xor_si256(head, load32(head_template)), load32(head_limit)),
          _mm256_subs_epu8(tail, load32(form->tail_limit))),
      _mm256_or_si256(
          _mm256_or_si256(_mm256_cmpgt_epi32(numbers, most), _mm256_cmpgt_epi32(least, numbers)),
          _mm256_zextsi128_si256(short_faults)));
  if (UNLIKELY(!_mm256_testz_si256(faults, faults))) return false;
  // The last decimal isn't zero.
  if (UNLIKELY(tail_start[7] == '0' || tail_start[32] != '}')) return false;

  const __m128i pairs = _mm_maddubs_epi16(nibbles, _mm_setr_epi8(16, 1, 16, 1, 16, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const uint32_t id_bits = (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(pairs, pairs));
  // The bits above the cell's 22 bits are clear, and the two below are set.
  if (UNLIKELY((id_bits & 3) != 3 || !is_cell(id_bits >> 2))) return false;

  __m256i sums = _mm256_mullo_epi32(numbers, _mm256_setr_epi32(10000, 1, 1 << 19, 1 << 16, 100000000, 10000, 1, 0));
  sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
  sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
  report->packed = (uint64_t)(id_bits >> 2) << 25 | (uint32_t)_mm256_cvtsi256_si32(sums);
  report->observed_at = (uint32_t)_mm_cvtsi128_si32(_mm256_extracti128_si256(sums, 1));
  return true;
}

#else

/// Returns for each pair of bytes the first times `factor` plus the second.
static inline uint16x8_t pair_sums(uint8x16_t bytes, uint16_t factor) {
  const uint16x8_t pairs = vreinterpretq_u16_u8(bytes);
  return vmlaq_n_u16(vshrq_n_u16(pairs, 8), vandq_u16(pairs, vdupq_n_u16(0xFF)), factor);
}

static inline uint8x16_t load_places(const int8_t *places) { return vld1q_u8((const uint8_t *)places); }

/// Reads a hexagon of one form; returns false if it has another form or isn't valid.
static inline __attribute__((always_inline)) bool read_hexagon(
    const uint8_t *hexagon, const struct form *form, struct contrail_report *report) {
  const uint8_t *const tail_start = hexagon + form->tail_offset;
  const uint8x16_t head = vld1q_u8(hexagon), head_end = vld1q_u8(hexagon + 16);
  const uint8x16_t middle = veorq_u8(vld1q_u8(hexagon + MIDDLE_OFFSET), vld1q_u8(form->middle_template));
  const uint8x16_t tail = veorq_u8(vld1q_u8(tail_start), vld1q_u8(form->tail_template));
  const uint8x16_t tail_end = veorq_u8(vld1q_u8(tail_start + 16), vld1q_u8(form->tail_template + 16));

  // The digits of the cell in pairs, the last pair first. The lower half of a letter is nine less than its value. Each
  // digit is written again and compared.
  const uint8x16_t id = vqtbl1q_u8(head, (uint8x16_t){13, 14, 11, 12, 9, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
  const uint8x16_t letters = vandq_u8(vcgtq_u8(id, vdupq_n_u8('9')), vdupq_n_u8(9));
  const uint8x16_t nibbles = vaddq_u8(vandq_u8(id, vdupq_n_u8(15)), letters);
  const uint8x16_t written = vqtbl1q_u8(
      (uint8x16_t){'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'}, nibbles);

  // The EDR's whole, its decimals, altitude, severity; the time's first two digits, the next four, the last four, nothing.
  // Bytes that aren't digits give wrong numbers, but they also give a fault.
  const uint8x16_t digits = vorrq_u8(
      vqtbl1q_u8(tail, load_places(form->tail_places)), vqtbl1q_u8(middle, load_places(form->middle_places)));
  const uint8x16_t more_digits = vqtbl1q_u8(tail_end, load_places(form->tail_places + 16));
  const uint16x8_t numbers = pair_sums(
      vuzp1q_u8(vreinterpretq_u8_u16(pair_sums(digits, 10)), vreinterpretq_u8_u16(pair_sums(more_digits, 10))), 100);
  // Times near or above the limit of 32 bits are read by the scalar code.
  const uint16x8_t most = {9, 9999, 52, 9, 41, 9999, 9999, 0};
  const uint16x8_t least = {0, 0, (uint16_t)form->altitude_min, 0, 10, 0, 0, 0};

  uint8x16_t faults = vqsubq_u8(veorq_u8(head, vld1q_u8(head_template)), vld1q_u8(head_limit));
  faults = vorrq_u8(faults, vqsubq_u8(veorq_u8(head_end, vld1q_u8(head_template + 16)), vld1q_u8(head_limit + 16)));
  faults = vorrq_u8(faults, vqsubq_u8(middle, vld1q_u8(form->middle_limit)));
  faults = vorrq_u8(faults, vqsubq_u8(tail, vld1q_u8(form->tail_limit)));
  faults = vorrq_u8(faults, vqsubq_u8(tail_end, vld1q_u8(form->tail_limit + 16)));
  faults = vorrq_u8(faults, veorq_u8(written, id));
  faults = vorrq_u8(faults, vreinterpretq_u8_u16(vcgtq_u16(numbers, most)));
  faults = vorrq_u8(faults, vreinterpretq_u8_u16(vcgtq_u16(least, numbers)));
  if (UNLIKELY(vmaxvq_u32(vreinterpretq_u32_u8(faults)) != 0)) return false;
  // The last decimal isn't zero.
  if (UNLIKELY(tail_start[7] == '0' || tail_start[32] != '}')) return false;

  const uint16x8_t pairs = vreinterpretq_u16_u8(nibbles);
  const uint8x8_t id_bytes = vmovn_u16(vsraq_n_u16(vshlq_n_u16(pairs, 4), pairs, 8));
  const uint32_t id_bits = vget_lane_u32(vreinterpret_u32_u8(id_bytes), 0) & 0xFFFFFF;
  // The bits above the cell's 22 bits are clear, and the two below are set.
  if (UNLIKELY((id_bits & 3) != 3 || !is_cell(id_bits >> 2))) return false;

  const uint32x4_t values = vmulq_u32(vmovl_u16(vget_low_u16(numbers)), (uint32x4_t){10000, 1, 1 << 19, 1 << 16});
  const uint32x4_t times = vmulq_u32(vmovl_high_u16(numbers), (uint32x4_t){100000000, 10000, 1, 0});
  report->packed = (uint64_t)(id_bits >> 2) << 25 | vaddvq_u32(values);
  report->observed_at = vaddvq_u32(times);
  return true;
}

#endif

VECTORS struct contrail_hexagon_run contrail_read_hexagons(
    const void *bytes, size_t count, struct contrail_report *reports, size_t capacity) {
  struct contrail_hexagon_run run = {0, 0, 0, false};
  if (count < CONTRAIL_HEXAGON_REACH) return run;
  const uint8_t *next = bytes;
  const uint8_t *const last = next + (count - CONTRAIL_HEXAGON_REACH);
  // Local copies, which no store can change.
  size_t stored = 0;
  uint32_t newest = 0;

  while (next <= last && stored < capacity) {
    struct contrail_report report;
    size_t follower_offset = 45 + 33;
    if (UNLIKELY(!read_hexagon(next, &usual, &report))) {
      const struct form *form = form_of(next);
      if (form == NULL || !read_hexagon(next, form, &report)) break;
      follower_offset = form->tail_offset + 33;
    }
    const uint8_t follower = next[follower_offset];
    if (UNLIKELY(follower != ',' && follower != ']')) break;
    reports[stored] = report;
    stored++;
    if (report.observed_at > newest) newest = report.observed_at;
    next += follower_offset + 1;
    if (UNLIKELY(follower == ']')) {
      run.is_ended = true;
      break;
    }
  }
  run.count = stored;
  run.newest = newest;
  run.bytes = (size_t)(next - (const uint8_t *)bytes);
  return run;
}

#else

bool contrail_reads_hexagons(void) { return false; }

struct contrail_hexagon_run contrail_read_hexagons(
    const void *bytes, size_t count, struct contrail_report *reports, size_t capacity) {
  (void)bytes;
  (void)count;
  (void)reports;
  (void)capacity;
  return (struct contrail_hexagon_run){0, 0, 0, false};
}

#endif
