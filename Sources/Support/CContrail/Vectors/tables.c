// Hash tables of reports, which compare several places at a time.
//
// The home of a report is four places that begin at a multiple of four. The report is in the first of them that was free, or in
// the first free place after them. One comparison finds the report, or the place for it. Four places are faster than eight, because
// a load waits for a pending store to one of its places.

#include "CContrailVectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTORS __attribute__((target("avx512f,avx512vl,bmi,popcnt")))
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#define VECTORS
#endif

#if defined(VECTORS)

#define UNLIKELY(condition) __builtin_expect((condition), 0)

enum { HOME = 4, BATCH = 64, CHUNK = 256 };

#define USED (UINT64_C(1) << 63)

/// The places of a home that have a slot, and those that have it or are free: `PLACE_BITS` bits for each place.
struct match {
  uint64_t same, places;
};

#if defined(__x86_64__)

enum { VECTOR = 8, PLACE_BITS = 1 };

bool contrail_keeps_tables(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("popcnt") && contrail_sums_digests();
}

VECTORS static inline struct match match(const uint64_t *home, uint64_t slot) {
  const __m256i held = _mm256_loadu_si256((const void *)home);
  const uint32_t same = _mm256_cmpeq_epi64_mask(held, _mm256_set1_epi64x((long long)slot));
  return (struct match){same, same | _mm256_testn_epi64_mask(held, held)};
}

/// Replaces each report of a vector whose second is at most `limit` by `gone`, and stores those reports. Returns their number.
VECTORS static inline size_t cut(uint64_t *slots, uint64_t limit, uint64_t gone, uint64_t *gathered) {
  const __m512i held = _mm512_loadu_si512(slots), seconds = _mm512_set1_epi64(63);
  const __mmask8 goes = _mm512_mask_cmple_epu64_mask(
      _mm512_test_epi64_mask(held, _mm512_set1_epi64((long long)USED)), _mm512_and_si512(held, seconds),
      _mm512_set1_epi64((long long)limit));
  _mm512_storeu_si512(gathered, _mm512_maskz_compress_epi64(goes, held));
  _mm512_storeu_si512(slots, _mm512_mask_mov_epi64(held, goes, _mm512_set1_epi64((long long)gone)));
  return (size_t)__builtin_popcount(goes);
}

#else

enum { VECTOR = 2, PLACE_BITS = 16 };

bool contrail_keeps_tables(void) { return true; }

static inline uint64_t narrow(uint64x2_t low, uint64x2_t high) {
  const uint32x4_t halves = vuzp1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high));
  return vget_lane_u64(vreinterpret_u64_u16(vmovn_u32(halves)), 0);
}

static inline struct match match(const uint64_t *home, uint64_t slot) {
  const uint64x2_t low = vld1q_u64(home), high = vld1q_u64(home + 2), wanted = vdupq_n_u64(slot);
  const uint64_t same = narrow(vceqq_u64(low, wanted), vceqq_u64(high, wanted));
  return (struct match){same, same | narrow(vceqzq_u64(low), vceqzq_u64(high))};
}

/// Replaces each report of a vector whose second is at most `limit` by `gone`, and stores those reports. Returns their number.
static inline size_t cut(uint64_t *slots, uint64_t limit, uint64_t gone, uint64_t *gathered) {
  const uint64x2_t held = vld1q_u64(slots);
  const uint64x2_t is_early = vcleq_u64(vandq_u64(held, vdupq_n_u64(63)), vdupq_n_u64(limit));
  const uint64x2_t goes = vandq_u64(vcltzq_s64(vreinterpretq_s64_u64(held)), is_early);
  vst1q_u64(slots, vbslq_u64(goes, vdupq_n_u64(gone), held));
  const size_t first = vgetq_lane_u64(goes, 0) & 1, second = vgetq_lane_u64(goes, 1) & 1;
  gathered[0] = vgetq_lane_u64(held, 0);
  gathered[first] = vgetq_lane_u64(held, 1);
  return first + second;
}

#endif

VECTORS static inline bool admits(const struct contrail_filter *filter, const struct contrail_report *report) {
  const uint32_t altitude = (uint32_t)(report->packed >> 19) & 63;
  const uint32_t severity = (uint32_t)(report->packed >> 16) & 7;
  return report->observed_at >= filter->oldest && altitude >= filter->lowest && altitude <= filter->highest &&
         (filter->severities >> severity & 1) != 0;
}

VECTORS struct contrail_insertion contrail_insert_reports(
    uint64_t *slots, size_t slot_count, const struct contrail_report *reports, size_t count, size_t room,
    const struct contrail_filter *filter) {
  struct contrail_insertion result = {0, 0, 0};
  if (count == 0) return result;
  const uint32_t bucket = reports[0].observed_at >> 6;
  const size_t homes = slot_count - HOME;
  uint64_t fresh[BATCH];
  size_t next = 0, added = 0, pending = 0;

  while (next < count && added < room) {
    const struct contrail_report report = reports[next];
    if (report.observed_at >> 6 != bucket) break;
    next++;
    if (UNLIKELY(!admits(filter, &report))) continue;
    const uint64_t slot = USED | report.packed << 6 | (report.observed_at & 63);
    size_t home = (size_t)(slot * CONTRAIL_TABLE_FACTOR >> 32) & homes;
    struct match found = match(slots + home, slot);
    while (UNLIKELY(found.places == 0)) {
      home = (home + HOME) & homes;
      found = match(slots + home, slot);
    }
    // No place before the found one is free. A report that is held already is written again and not counted.
    slots[home + (size_t)__builtin_ctzll(found.places) / PLACE_BITS] = slot;
    fresh[pending] = slot;
    pending += found.same == 0;
    added += found.same == 0;
    if (UNLIKELY(pending == BATCH)) {
      result.sum += contrail_sum_digests(fresh, BATCH, bucket << 6);
      pending = 0;
    }
  }
  result.sum += contrail_sum_digests(fresh, pending, bucket << 6);
  result.taken = next;
  result.count = added;
  return result;
}

VECTORS struct contrail_removal contrail_cut_reports(
    uint64_t *slots, size_t slot_count, uint32_t second, uint64_t gone, uint32_t first_second) {
  // More than are gathered: whole vectors are stored.
  uint64_t gathered[CHUNK + VECTOR];
  struct contrail_removal result = {0, 0};
  for (size_t start = 0; start < slot_count; start += CHUNK) {
    const size_t end = slot_count - start < CHUNK ? slot_count : start + CHUNK;
    size_t count = 0;
    for (size_t place = start; place < end; place += VECTOR) count += cut(slots + place, second, gone, gathered + count);
    result.count += count;
    result.sum += contrail_sum_digests(gathered, count, first_second);
  }
  return result;
}

#else

bool contrail_keeps_tables(void) { return false; }

struct contrail_insertion contrail_insert_reports(
    uint64_t *slots, size_t slot_count, const struct contrail_report *reports, size_t count, size_t room,
    const struct contrail_filter *filter) {
  (void)slots;
  (void)slot_count;
  (void)reports;
  (void)count;
  (void)room;
  (void)filter;
  return (struct contrail_insertion){0, 0, 0};
}

struct contrail_removal contrail_cut_reports(
    uint64_t *slots, size_t slot_count, uint32_t second, uint64_t gone, uint32_t first_second) {
  (void)slots;
  (void)slot_count;
  (void)second;
  (void)gone;
  (void)first_second;
  return (struct contrail_removal){0, 0};
}

#endif
