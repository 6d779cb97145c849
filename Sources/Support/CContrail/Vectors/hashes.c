// Computes FNV-1a hashes of texts. Each step depends on the step before it, but not on other texts, so several texts are hashed at
// the same time. With vectors, a single text takes a sixth of the time.

#include "CContrailVectors.h"

#define PRIME 0x100000001b3

// The number of hashes that fit into registers.
enum { FEW = 8 };

// The texts that are hashed together, the longest first. The texts with bytes left are always the first ones.
struct lanes {
  uint64_t hashes[CONTRAIL_HASH_LANES];
  // The offset of the next byte of each text, from the beginning of the first text.
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

// One text with vectors, 512 bytes of ASCII at a time.
//
// Before each byte, let `low` be the hash's low byte and x = low ^ byte. The step (hash ^ byte) * PRIME adds x - low to the hash
// and multiplies, so a block of n bytes gives hash * PRIME^n + sum of (x - low) * PRIME^(n - i), once all x are known. They depend
// only on low bytes: the next one is x * 0xB3 mod 256, and bit k of that is bit k of x, exclusive-or something of the bits of x
// below k. So with the bits below known for all bytes of a block, bit k is a running exclusive-or along the block, which a product
// without carries gives for 64 bytes at once. Six or seven of those, one after the other, replace 512 steps that wait for one
// another: a bit of x that no byte of the block has set cancels out in x - low, as bit 7 in ASCII and bit 6 in numbers. Two blocks
// are done together, because most of the time would be waiting for those six.

enum { BLOCK = 512, FEWEST_BYTES = 128 };

// The eight bytes of PRIME^(BLOCK - i), the lowest first. A block of n bytes begins at BLOCK - n; bytes after the end are
// multiplied by 0.
static uint8_t factors[8][2 * BLOCK];
// PRIME^n
static uint64_t powers[BLOCK + 1];

bool contrail_hashes_by_vectors(void) {
  __builtin_cpu_init();
  bool has_all = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni") &&
                 __builtin_cpu_supports("gfni") && __builtin_cpu_supports("vpclmulqdq");
  if (!has_all) return false;
  uint64_t power = 1;
  for (size_t n = 0; n <= BLOCK; n++, power *= PRIME) {
    powers[n] = power;
    for (size_t byte = 0; n > 0 && byte < 8; byte++) factors[byte][BLOCK - n] = (uint8_t)(power >> 8 * byte);
  }
  return true;
}

#define VECTORS __attribute__((target("avx512bw,avx512dq,avx512vbmi,avx512vnni,gfni,vpclmulqdq")))
#define INLINE_VECTORS VECTORS static inline __attribute__((always_inline))

static const uint8_t reversed[64] = {
  7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,  23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24,
  39, 38, 37, 36, 35, 34, 33, 32, 47, 46, 45, 44, 43, 42, 41, 40, 55, 54, 53, 52, 51, 50, 49, 48, 63, 62, 61, 60, 59, 58, 57, 56};
static const uint8_t turned[64] = {
  0, 8,  16, 24, 32, 40, 48, 56, 1, 9,  17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59,
  4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37, 45, 53, 61, 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63};
static const uint8_t turned_reversed[64] = {
  56, 48, 40, 32, 24, 16, 8,  0, 57, 49, 41, 33, 25, 17, 9,  1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3,
  60, 52, 44, 36, 28, 20, 12, 4, 61, 53, 45, 37, 29, 21, 13, 5, 62, 54, 46, 38, 30, 22, 14, 6, 63, 55, 47, 39, 31, 23, 15, 7};

// Transposes the bits of each word's eight bytes: bit j of byte i becomes bit 7 - i of byte j.
INLINE_VECTORS __m512i turn_bits(__m512i bytes) {
  return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(0x8040201008040201), bytes, 0);
}

// Word j of vector i becomes word i of vector j.
INLINE_VECTORS void turn_words(__m512i vectors[8]) {
  __m512i pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi64(vectors[i], vectors[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi64(vectors[i], vectors[i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    __m512i a = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0x44), b = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0xEE);
    __m512i c = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0x44);
    __m512i d = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0xEE);
    vectors[i] = _mm512_shuffle_i64x2(a, c, 0x88), vectors[i + 2] = _mm512_shuffle_i64x2(a, c, 0xDD);
    vectors[i + 4] = _mm512_shuffle_i64x2(b, d, 0x88), vectors[i + 6] = _mm512_shuffle_i64x2(b, d, 0xDD);
  }
}

// The same bit of the bytes of two blocks.
struct bits {
  __m512i blocks[2];
};

INLINE_VECTORS struct bits xor2(struct bits a, struct bits b) {
  return (struct bits){{_mm512_xor_si512(a.blocks[0], b.blocks[0]), _mm512_xor_si512(a.blocks[1], b.blocks[1])}};
}

INLINE_VECTORS struct bits both(struct bits a, struct bits b) {
  return (struct bits){{_mm512_and_si512(a.blocks[0], b.blocks[0]), _mm512_and_si512(a.blocks[1], b.blocks[1])}};
}

#define OF_THREE(a, b, c, table) \
  ((struct bits){{_mm512_ternarylogic_epi64(a.blocks[0], b.blocks[0], c.blocks[0], table), \
                  _mm512_ternarylogic_epi64(a.blocks[1], b.blocks[1], c.blocks[1], table)}})

INLINE_VECTORS struct bits xor3(struct bits a, struct bits b, struct bits c) { return OF_THREE(a, b, c, 0x96); }
INLINE_VECTORS struct bits most(struct bits a, struct bits b, struct bits c) { return OF_THREE(a, b, c, 0xE8); }

// Each bit of a word becomes the exclusive-or of itself and all before it.
INLINE_VECTORS __m512i run_in_words(__m512i bits) {
  const __m512i ones = _mm512_set1_epi64(-1);
  return _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(bits, ones, 0x00), _mm512_clmulepi64_epi128(bits, ones, 0x01));
}

// Each bit becomes the exclusive-or of itself, all before it, and `*before`, which is 0 or -1 and becomes the last one.
INLINE_VECTORS struct bits run(struct bits bits, int *before) {
  __m512i first = run_in_words(bits.blocks[0]), second = run_in_words(bits.blocks[1]);
  unsigned ends = _cvtmask8_u32(_mm512_movepi64_mask(first)) | _cvtmask8_u32(_mm512_movepi64_mask(second)) << 8;
  ends ^= ends << 1, ends ^= ends << 2, ends ^= ends << 4, ends ^= ends << 8, ends ^= (unsigned)*before;
  unsigned starts = ends << 1 | ((unsigned)*before & 1);
  *before = -(int)(ends >> 15 & 1);
  return (struct bits){{_mm512_xor_si512(first, _mm512_movm_epi64((__mmask8)starts)),
                        _mm512_xor_si512(second, _mm512_movm_epi64((__mmask8)(starts >> 8)))}};
}

// A bit of x for all bytes: `of_lower` is what the lower bits of x contribute to the same bit of the next low byte.
INLINE_VECTORS struct bits next_bit(struct bits bits, struct bits of_lower, int *before) {
  return xor2(run(xor2(bits, of_lower), before), of_lower);
}

// Replaces the lower bits of all bytes by those of x: bit 6 only if `has_bit_6`, and bit 7 not at all. `before` has those of the low
// byte, as 0 or -1, and becomes those after both blocks, without bit 6.
//
// 0xB3 is 3 * 17 + 128, so the product is 3x (t), 16 times that, and 128x.
INLINE_VECTORS void chain(struct bits b[8], int before[6], int before_6, bool has_bit_6) {
  struct bits x0 = run(b[0], &before[0]);
  struct bits x1 = next_bit(b[1], x0, &before[1]);
  struct bits c1 = both(x1, x0);
  struct bits x2 = next_bit(b[2], xor2(x1, c1), &before[2]);
  struct bits c2 = most(x2, x1, c1);
  struct bits x3 = next_bit(b[3], xor2(x2, c2), &before[3]);
  struct bits c3 = most(x3, x2, c2);
  struct bits x4 = next_bit(b[4], xor3(x3, c3, x0), &before[4]);
  struct bits t4 = xor3(x4, x3, c3), c4 = most(x4, x3, c3), d4 = both(t4, x0), t1 = xor2(x1, x0);
  struct bits x5 = next_bit(b[5], xor2(xor3(x4, c4, t1), d4), &before[5]);
  b[0] = x0, b[1] = x1, b[2] = x2, b[3] = x3, b[4] = x4, b[5] = x5;
  if (!has_bit_6) return;
  struct bits t5 = xor3(x5, x4, c4), c5 = most(x5, x4, c4), d5 = most(t5, t1, d4), t2 = xor3(x2, x1, c1);
  b[6] = next_bit(b[6], xor2(xor3(x5, c5, t2), d5), &before_6);
}

// The sum of eight sums of products, each with another byte of the factors.
INLINE_VECTORS uint64_t total(const __m512i sums[8]) {
  __m512i all = _mm512_setzero_si512();
  for (int byte = 7; byte >= 0; byte--) {
    __m256i halves = _mm256_add_epi32(_mm512_castsi512_si256(sums[byte]), _mm512_extracti64x4_epi64(sums[byte], 1));
    all = _mm512_add_epi64(_mm512_slli_epi64(all, 8), _mm512_cvtepi32_epi64(halves));
  }
  return (uint64_t)_mm512_reduce_add_epi64(all);
}

// A block of at most 512 bytes: the given ones, and where they are.
struct block {
  size_t length;
  __m512i bytes[8];
  __mmask64 filled[8];
};

// Reads the next block. Returns the bits that are set in any of its bytes.
INLINE_VECTORS __m512i read_block(struct block *block, const uint8_t *bytes, size_t count) {
  __m512i any = _mm512_setzero_si512();
  block->length = count < BLOCK ? count : BLOCK;
  for (size_t i = 0; i < 8; i++) {
    size_t rest = block->length > 64 * i ? block->length - 64 * i : 0;
    block->filled[i] = rest >= 64 ? ~0ULL : (1ULL << rest) - 1;
    block->bytes[i] = _mm512_maskz_loadu_epi8(block->filled[i], bytes + 64 * i);
    any = _mm512_or_si512(any, block->bytes[i]);
  }
  return any;
}

INLINE_VECTORS void take_bits(struct bits bits[8], const struct block *block, int number) {
  __m512i vectors[8];
  for (int i = 0; i < 8; i++) {
    __m512i turned_bits = turn_bits(_mm512_permutexvar_epi8(_mm512_loadu_si512(reversed), block->bytes[i]));
    vectors[i] = _mm512_permutexvar_epi8(_mm512_loadu_si512(turned), turned_bits);
  }
  turn_words(vectors);
  for (int i = 0; i < 8; i++) bits[i].blocks[number] = vectors[i];
}

// Returns the hash after a block, from the bits of its x.
INLINE_VECTORS uint64_t step(uint64_t hash, const struct block *block, const struct bits bits[8], int number) {
  __m512i vectors[8], sums[8] = {0};
  for (int i = 0; i < 8; i++) vectors[i] = bits[i].blocks[number];
  turn_words(vectors);
  for (size_t i = 0; i < 8; i++) {
    __m512i x = turn_bits(_mm512_permutexvar_epi8(_mm512_loadu_si512(turned_reversed), vectors[i]));
    // At most 127 either way, as neither has bit 7 without the other.
    __m512i differences = _mm512_maskz_sub_epi8(block->filled[i], x, _mm512_xor_si512(x, block->bytes[i]));
    const uint8_t *factor = &factors[0][BLOCK - block->length + 64 * i];
    for (int byte = 0; byte < 8; byte++) {
      sums[byte] = _mm512_dpbusd_epi32(sums[byte], _mm512_loadu_si512(factor + byte * 2 * BLOCK), differences);
    }
  }
  return hash * powers[block->length] + total(sums);
}

static uint64_t hash_by_bytes(uint64_t hash, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * PRIME;
  return hash;
}

INLINE_VECTORS void take_low_bits(int before[6], uint64_t hash) {
  for (int bit = 0; bit < 6; bit++) before[bit] = -(int)(hash >> bit & 1);
}

VECTORS static uint64_t hash_by_vectors(uint64_t hash, const uint8_t *bytes, size_t count) {
  int before[6];
  take_low_bits(before, hash);
  while (count >= FEWEST_BYTES) {
    struct block first, second;
    struct bits bits[8];
    __m512i any = read_block(&first, bytes, count);
    any = _mm512_or_si512(any, read_block(&second, bytes + first.length, count - first.length));
    size_t length = first.length + second.length;
    if (_mm512_movepi8_mask(any)) {
      // Text that isn't ASCII, which is rare.
      hash = hash_by_bytes(hash, bytes, length);
      take_low_bits(before, hash);
    } else {
      take_bits(bits, &first, 0), take_bits(bits, &second, 1);
      chain(bits, before, -(int)(hash >> 6 & 1), _mm512_test_epi8_mask(any, _mm512_set1_epi8(0x40)));
      hash = step(step(hash, &first, bits, 0), &second, bits, 1);
    }
    bytes += length, count -= length;
  }
  return hash_by_bytes(hash, bytes, count);
}

#else

bool contrail_hashes_by_vectors(void) { return false; }

static uint64_t hash_by_vectors(uint64_t hash, const uint8_t *bytes, size_t count) {
  (void)bytes, (void)count;
  return hash;
}

#endif

void contrail_hash_texts(
    const uint8_t *bytes, const size_t *ends, size_t count, bool uses_vectors, uint64_t *hashes) {
  if (count > CONTRAIL_HASH_LANES) return;
  if (uses_vectors) {
    for (size_t i = 0, start = 0; i < count; start = ends[i++]) {
      hashes[i] = hash_by_vectors(hashes[i], bytes + start, ends[i] - start);
    }
    return;
  }
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
    advance(&lanes, bytes, number, rest);
    done = lengths[number - 1];
    hashes[numbers[number - 1]] = lanes.hashes[number - 1];
  }
}
