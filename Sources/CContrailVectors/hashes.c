#include "CContrailVectors.h"

// The number of lanes is constant in each copy of this function, so that all hashes are in registers.
static inline __attribute__((always_inline)) void hash_lanes(
    uint64_t *hashes, const uint8_t **texts, const size_t lanes, size_t count) {
  uint64_t hash[CONTRAIL_HASH_LANES];
  for (size_t lane = 0; lane < lanes; lane++) hash[lane] = hashes[lane];
  for (size_t i = 0; i < count; i++) {
    for (size_t lane = 0; lane < lanes; lane++) hash[lane] = (hash[lane] ^ texts[lane][i]) * 0x100000001b3;
  }
  for (size_t lane = 0; lane < lanes; lane++) hashes[lane] = hash[lane], texts[lane] += count;
}

static void hash(uint64_t *hashes, const uint8_t **texts, size_t lanes, size_t count) {
  switch (lanes) {
    case 1: return hash_lanes(hashes, texts, 1, count);
    case 2: return hash_lanes(hashes, texts, 2, count);
    case 3: return hash_lanes(hashes, texts, 3, count);
    case 4: return hash_lanes(hashes, texts, 4, count);
    case 5: return hash_lanes(hashes, texts, 5, count);
    case 6: return hash_lanes(hashes, texts, 6, count);
    case 7: return hash_lanes(hashes, texts, 7, count);
    default: return hash_lanes(hashes, texts, CONTRAIL_HASH_LANES, count);
  }
}

void contrail_hash_texts(const uint8_t *bytes, const size_t *ends, size_t count, uint64_t *hashes) {
  if (count > CONTRAIL_HASH_LANES) return;
  // The longest first, so that the texts that still have bytes are the first ones.
  const uint8_t *texts[CONTRAIL_HASH_LANES];
  size_t lengths[CONTRAIL_HASH_LANES], places[CONTRAIL_HASH_LANES];
  uint64_t sorted[CONTRAIL_HASH_LANES];
  for (size_t i = 0; i < count; i++) {
    size_t start = i == 0 ? 0 : ends[i - 1], length = ends[i] - start, place = i;
    for (; place > 0 && lengths[place - 1] < length; place--) {
      lengths[place] = lengths[place - 1], places[place] = places[place - 1], texts[place] = texts[place - 1];
    }
    lengths[place] = length, places[place] = i, texts[place] = bytes + start;
  }
  for (size_t i = 0; i < count; i++) sorted[i] = hashes[places[i]];
  size_t done = 0;
  for (size_t lanes = count; lanes > 0; lanes--) {
    hash(sorted, texts, lanes, lengths[lanes - 1] - done);
    done = lengths[lanes - 1];
  }
  for (size_t i = 0; i < count; i++) hashes[places[i]] = sorted[i];
}
