// FNV-1a of several texts at once: each byte's step waits for the one before it, but not for those of other texts.

#include "CContrailVectors.h"

#define PRIME 0x100000001b3

// So many hashes fit into registers, and from so many lanes on, vectors are faster.
enum { FEW = 8, FEWEST_FOR_VECTORS = 6 };

// The texts that are hashed together, the longest first, so that those that still have bytes are the first ones.
struct lanes {
  uint64_t hashes[CONTRAIL_HASH_LANES];
  // Where the next byte of each is, from the first text's beginning.
  uint64_t places[CONTRAIL_HASH_LANES];
};

// The number of lanes is constant in each copy of this function, so that all hashes are in registers.
static inline __attribute__((always_inline)) void advance_few(
    uint64_t *hashes, uint64_t *places, const uint8_t *bytes, const size_t number, size_t count) {
  uint64_t hash[FEW];
  const uint8_t *text[FEW];
  for (size_t lane = 0; lane < number; lane++) hash[lane] = hashes[lane], text[lane] = bytes + places[lane];
  for (size_t i = 0; i < count; i++) {
    for (size_t lane = 0; lane < number; lane++) hash[lane] = (hash[lane] ^ text[lane][i]) * PRIME;
  }
  for (size_t lane = 0; lane < number; lane++) hashes[lane] = hash[lane], places[lane] += count;
}

static void advance(struct lanes *lanes, const uint8_t *bytes, size_t number, size_t count) {
  uint64_t *hashes = lanes->hashes, *places = lanes->places;
  for (; number >= FEW; number -= FEW, hashes += FEW, places += FEW) advance_few(hashes, places, bytes, FEW, count);
  switch (number) {
    case 1: return advance_few(hashes, places, bytes, 1, count);
    case 2: return advance_few(hashes, places, bytes, 2, count);
    case 3: return advance_few(hashes, places, bytes, 3, count);
    case 4: return advance_few(hashes, places, bytes, 4, count);
    case 5: return advance_few(hashes, places, bytes, 5, count);
    case 6: return advance_few(hashes, places, bytes, 6, count);
    case 7: return advance_few(hashes, places, bytes, 7, count);
    default: return;
  }
}

#if defined(__x86_64__)

#include <immintrin.h>

_Static_assert(CONTRAIL_HASH_LANES == 16, "two vectors of eight lanes");

bool contrail_hashes_by_vectors(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

// All lanes, eight bytes at a time. Returns the number of bytes.
__attribute__((target("avx512f,avx512dq"))) static size_t advance_by_vectors(
    struct lanes *lanes, const uint8_t *bytes, size_t count) {
  const __m512i prime = _mm512_set1_epi64(PRIME), low = _mm512_set1_epi64(0xFF);
  const __m512i places = _mm512_loadu_si512(lanes->places), more_places = _mm512_loadu_si512(lanes->places + 8);
  __m512i hashes = _mm512_loadu_si512(lanes->hashes), more_hashes = _mm512_loadu_si512(lanes->hashes + 8);
  size_t done = 0;
  for (; count - done >= 8; done += 8) {
    __m512i words = _mm512_i64gather_epi64(places, bytes + done, 1);
    __m512i more_words = _mm512_i64gather_epi64(more_places, bytes + done, 1);
    for (int byte = 0; byte < 8; byte++) {
      hashes = _mm512_mullo_epi64(_mm512_xor_si512(hashes, _mm512_and_si512(words, low)), prime);
      more_hashes = _mm512_mullo_epi64(_mm512_xor_si512(more_hashes, _mm512_and_si512(more_words, low)), prime);
      words = _mm512_srli_epi64(words, 8), more_words = _mm512_srli_epi64(more_words, 8);
    }
  }
  _mm512_storeu_si512(lanes->hashes, hashes), _mm512_storeu_si512(lanes->hashes + 8, more_hashes);
  for (size_t lane = 0; lane < CONTRAIL_HASH_LANES; lane++) lanes->places[lane] += done;
  return done;
}

#else

bool contrail_hashes_by_vectors(void) { return false; }

static size_t advance_by_vectors(struct lanes *lanes, const uint8_t *bytes, size_t count) {
  (void)lanes, (void)bytes, (void)count;
  return 0;
}

#endif

void contrail_hash_texts(
    const uint8_t *bytes, const size_t *ends, size_t count, bool uses_vectors, uint64_t *hashes) {
  if (count > CONTRAIL_HASH_LANES) return;
  struct lanes lanes = {{0}, {0}};
  size_t lengths[CONTRAIL_HASH_LANES], numbers[CONTRAIL_HASH_LANES];
  for (size_t i = 0; i < count; i++) {
    size_t start = i == 0 ? 0 : ends[i - 1], length = ends[i] - start, lane = i;
    for (; lane > 0 && lengths[lane - 1] < length; lane--) {
      lengths[lane] = lengths[lane - 1], numbers[lane] = numbers[lane - 1];
      lanes.places[lane] = lanes.places[lane - 1];
    }
    lengths[lane] = length, numbers[lane] = i, lanes.places[lane] = start;
  }
  for (size_t lane = 0; lane < count; lane++) lanes.hashes[lane] = hashes[numbers[lane]];
  size_t done = 0;
  for (size_t number = count; number > 0; number--) {
    size_t rest = lengths[number - 1] - done;
    // The lanes of ended texts go along with the first one.
    if (uses_vectors && number >= FEWEST_FOR_VECTORS) {
      for (size_t lane = number; lane < CONTRAIL_HASH_LANES; lane++) lanes.places[lane] = lanes.places[0];
      rest -= advance_by_vectors(&lanes, bytes, rest);
    }
    advance(&lanes, bytes, number, rest);
    done = lengths[number - 1];
    hashes[numbers[number - 1]] = lanes.hashes[number - 1];
  }
}
