#ifndef CONTRAIL_VECTORS_H
#define CONTRAIL_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The loops over reports and texts that gain much from instructions which Swift has no portable spelling for: bytes shuffled by a
// table, 64-bit products and comparisons of several numbers at once; AVX2 and AVX-512 on x86-64, NEON on ARM64. Whoever
// calls has another way to the same result, and asks first whether this one is there.

/// A turbulence report: 22 bits of cell, 6 of altitude, 3 of severity and 16 of EDR, and its second since 1970.
struct contrail_report {
  uint64_t packed;
  uint32_t observed_at;
};

/// What was read of an array of hexagons.
struct contrail_hexagon_run {
  /// How many reports were stored.
  size_t count;
  /// How many bytes they stood in, with the comma or bracket behind each.
  size_t bytes;
  /// The time of the newest, or 0.
  uint32_t newest;
  /// Whether the last one's follower was the bracket that ends the array.
  bool is_ended;
};

/// How far from its beginning the bytes of a hexagon are loaded, whatever stands there.
enum { CONTRAIL_HEXAGON_REACH = 96 };

/// Whether this processor has the instructions that `contrail_read_hexagons` needs.
bool contrail_reads_hexagons(void);

/// Reads hexagons in the canonical spelling from the first on, and stops at the array's end, before one that it doesn't
/// know how to read (which may yet be valid), where fewer than `CONTRAIL_HEXAGON_REACH` bytes are left, or when `capacity`
/// reports are stored. Call it only where `contrail_reads_hexagons` answers true.
struct contrail_hexagon_run contrail_read_hexagons(
    const void *_Nonnull bytes, size_t count, struct contrail_report *_Nonnull reports, size_t capacity);

/// Whether this processor has the instructions with which `contrail_sum_digests` is faster.
bool contrail_sums_digests(void);

/// The sum mod 2^64 of the digests of reports, each packed and shifted left by 6 over the lower six bits of its second,
/// of which `first_second` has the others; the top bit is left out of account. Call it only where `contrail_sums_digests`
/// answers true.
uint64_t contrail_sum_digests(const uint64_t *_Nullable reports, size_t count, uint32_t first_second);

/// How many texts `contrail_hash_texts` takes at most.
enum { CONTRAIL_HASH_LANES = 16 };

/// Whether this processor has the instructions with which `contrail_hash_texts` is faster.
bool contrail_hashes_by_vectors(void);

/// Continues FNV-1a hashes, each with a text. The texts stand one after the other; `ends` says where each ends. Call it
/// with `uses_vectors` only where `contrail_hashes_by_vectors` answers true.
void contrail_hash_texts(
    const uint8_t *_Nonnull bytes, const size_t *_Nonnull ends, size_t count, bool uses_vectors,
    uint64_t *_Nonnull hashes);

/// Whether this processor has the instructions that `contrail_skip_points` needs.
bool contrail_skips_points(void);

/// How many of the bytes of a JSON array's elements are whole points without whitespace, `[`, two numbers without an exponent
/// and `],`, as far as 64 bytes are readable at each. Those after them may be valid too. Call it only where
/// `contrail_skips_points` answers true.
size_t contrail_skip_points(const uint8_t *_Nonnull bytes, size_t count);

/// Whether this processor has the instructions that `contrail_read_integers` needs.
bool contrail_reads_integers(void);

/// Reads integers of at most 16 digits in the canonical spelling, each with a comma behind it, and returns their number. It stops
/// before one that it doesn't know how to read (which may yet be valid), and where fewer than 80 bytes or 32 places are left. Call
/// it only where `contrail_reads_integers` answers true.
size_t contrail_read_integers(
    const uint8_t *_Nonnull bytes, size_t count, int64_t *_Nonnull integers, size_t capacity, size_t *_Nonnull bytes_read);

/// Which reports are wanted: from a second on, between two altitudes in thousands of feet, of severities as bits.
struct contrail_filter {
  uint32_t oldest;
  uint8_t lowest, highest, severities;
};

/// What came of inserting reports.
struct contrail_insertion {
  /// How many reports were looked at.
  size_t taken;
  /// How many of them weren't held yet, and the sum of their digests.
  size_t count;
  uint64_t sum;
};

/// What came of removing reports: how many, and the sum of their digests.
struct contrail_removal {
  size_t count;
  uint64_t sum;
};

/// A slot times this, its upper half: where its home is.
#define CONTRAIL_TABLE_FACTOR 0x9E3779B97F4A7C15ull

/// Whether this processor has the instructions that `contrail_insert_reports` and `contrail_cut_reports` need.
bool contrail_keeps_tables(void);

/// Adds to a table those reports that the filter admits, as long as they are of the same 64 seconds as the first, until
/// `room` were added.
///
/// A slot is 0 where it is free, else has the top bit, a report's 47 bits and the lower six of its second; or it is
/// anything else that no report is. There are a power of two, eight at least, and more than `room` must be free.
/// Call it only where `contrail_keeps_tables` answers true.
struct contrail_insertion contrail_insert_reports(
    uint64_t *_Nonnull slots, size_t slot_count, const struct contrail_report *_Nonnull reports, size_t count, size_t room,
    const struct contrail_filter *_Nonnull filter);

/// Puts `gone` in the place of each report whose second, of which `first_second` has the upper bits, is one of the first up
/// to and with `second`. Call it only where `contrail_keeps_tables` answers true.
struct contrail_removal contrail_cut_reports(
    uint64_t *_Nonnull slots, size_t slot_count, uint32_t second, uint64_t gone, uint32_t first_second);

#endif
