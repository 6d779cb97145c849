// CRC-32C for WebAssembly, which has no instruction for it: sixteen bytes a step, with a table for each.
//
// Source: Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation",
// doi:10.1109/TC.2008.85. The same method is in CRC32C.swift; this one needs no check of an index.

#include "CContrailCRC.h"

enum { SLICES = 16 };

static uint32_t tables[SLICES][256];

bool contrail_crc32c_is_available(void) { return true; }

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t state = byte;
    for (int bit = 0; bit < 8; bit++) state = state & 1 ? state >> 1 ^ 0x82F63B78u : state >> 1;
    tables[0][byte] = state;
  }
  for (int slice = 1; slice < SLICES; slice++) {
    for (int byte = 0; byte < 256; byte++) {
      uint32_t before = tables[slice - 1][byte];
      tables[slice][byte] = before >> 8 ^ tables[0][before & 0xFF];
    }
  }
}

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  __builtin_memcpy(&word, bytes, sizeof word);
  return word;
}

// The register after four bytes that `zeros` more follow.
static uint32_t moved(uint32_t word, int zeros) {
  return tables[zeros + 3][word & 0xFF] ^ tables[zeros + 2][word >> 8 & 0xFF] ^ tables[zeros + 1][word >> 16 & 0xFF] ^
         tables[zeros][word >> 24];
}

uint32_t contrail_crc32c(uint32_t state, const void *bytes, size_t count) {
  if (tables[0][1] == 0) make_tables();
  const uint8_t *next = bytes;
  for (; count >= SLICES; count -= SLICES, next += SLICES) {
    state = moved(word_at(next) ^ state, 12) ^ moved(word_at(next + 4), 8) ^ moved(word_at(next + 8), 4) ^
            moved(word_at(next + 12), 0);
  }
  for (; count > 0; count--, next++) state = state >> 8 ^ tables[0][(state ^ *next) & 0xFF];
  return state;
}
