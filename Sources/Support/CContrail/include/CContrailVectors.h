#ifndef CONTRAIL_VECTORS_H
#define CONTRAIL_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loops over reports and texts with vector instructions that have no portable form in Swift: byte shuffles by a table, 64-bit
// products, and comparisons of several numbers at once. They use AVX2 and AVX-512 on x86-64, and NEON on ARM64. Callers check
// support first, and have scalar code with the same result.

/// A turbulence report: 22 bits of cell, 6 of altitude, 3 of severity and 16 of EDR, and its second since 1970.
struct contrail_report {
  uint64_t packed;
  uint32_t observed_at;
};

/// Result of reading an array of hexagons.
struct contrail_hexagon_run {
  /// The number of stored reports.
  size_t count;
  /// The number of bytes that were read, with the comma or bracket after each hexagon.
  size_t bytes;
  /// The time of the newest report; 0 if there is none.
  uint32_t newest;
  /// Whether the end of the array was reached.
  bool is_ended;
};

/// The number of bytes that are loaded from the beginning of a hexagon, whatever its length.
enum { CONTRAIL_HEXAGON_REACH = 96 };

/// Whether this processor has the instructions that `contrail_read_hexagons` needs.
bool contrail_reads_hexagons(void);

/// Reads hexagons in the canonical form. Stops at the end of the array, before a hexagon in another form (which may be valid), if
/// fewer than `CONTRAIL_HEXAGON_REACH` bytes are left, or after `capacity` reports. Call it only if `contrail_reads_hexagons`
/// returns true.
struct contrail_hexagon_run contrail_read_hexagons(
    const void *_Nonnull bytes, size_t count, struct contrail_report *_Nonnull reports, size_t capacity);

/// Whether this processor has the instructions with which `contrail_sum_digests` is faster.
bool contrail_sums_digests(void);

/// Returns the sum mod 2^64 of the digests of reports. Each report is packed and shifted left by 6, with the lower six bits of its
/// second below; `first_second` has the other bits of the seconds. The top bit is ignored. Call it only if `contrail_sums_digests`
/// returns true.
uint64_t contrail_sum_digests(const uint64_t *_Nullable reports, size_t count, uint32_t first_second);

/// The maximum number of texts for `contrail_hash_texts`.
enum { CONTRAIL_HASH_LANES = 16 };

/// Whether this processor has the instructions with which `contrail_hash_texts` is faster.
bool contrail_hashes_by_vectors(void);

/// Continues FNV-1a hashes, each with a text. The texts are consecutive, and `ends` has the end of each. Pass `uses_vectors` only
/// if `contrail_hashes_by_vectors` returns true.
void contrail_hash_texts(
    const uint8_t *_Nonnull bytes, const size_t *_Nonnull ends, size_t count, bool uses_vectors,
    uint64_t *_Nonnull hashes);

/// Whether this processor has the instructions that `contrail_skip_points` needs.
bool contrail_skips_points(void);

/// Returns the number of bytes of the whole points at the beginning of a JSON array's elements. A point is `[`, two numbers without
/// an exponent, and `],`, without whitespace, and 64 bytes must be readable from its beginning. The points after them may also be
/// valid. Call it only if `contrail_skips_points` returns true.
size_t contrail_skip_points(const uint8_t *_Nonnull bytes, size_t count);

/// Whether this processor has the instructions that `contrail_read_integers` needs.
bool contrail_reads_integers(void);

/// Reads integers of at most 16 digits in the canonical form, each followed by a comma, and returns their number. Stops before an
/// integer in another form (which may be valid), and if fewer than 80 bytes or 32 places are left. Call it only if
/// `contrail_reads_integers` returns true.
size_t contrail_read_integers(
    const uint8_t *_Nonnull bytes, size_t count, int64_t *_Nonnull integers, size_t capacity, size_t *_Nonnull bytes_read);

/// The wanted reports: the oldest second, the range of altitudes in thousands of feet, and the severities as bits.
struct contrail_filter {
  uint32_t oldest;
  uint8_t lowest, highest, severities;
};

/// Result of an insertion.
struct contrail_insertion {
  /// The number of examined reports.
  size_t taken;
  /// The number of new reports, and the sum of their digests.
  size_t count;
  uint64_t sum;
};

/// Result of a removal: the number of removed reports, and the sum of their digests.
struct contrail_removal {
  size_t count;
  uint64_t sum;
};

/// The upper half of the product of a slot and this factor is the slot's home.
#define CONTRAIL_TABLE_FACTOR 0x9E3779B97F4A7C15ull

/// Whether this processor has the instructions that `contrail_insert_reports` and `contrail_cut_reports` need.
bool contrail_keeps_tables(void);

/// Adds the reports that the filter admits to a table. Stops after `room` new reports, or at a report of another 64 seconds than
/// the first.
///
/// A free slot is 0. A used slot has the top bit, the 47 bits of a report and the lower six bits of its second, or a value that no
/// report has. The number of slots is a power of two, at least eight, and more than `room` slots must be free. Call it only if
/// `contrail_keeps_tables` returns true.
struct contrail_insertion contrail_insert_reports(
    uint64_t *_Nonnull slots, size_t slot_count, const struct contrail_report *_Nonnull reports, size_t count, size_t room,
    const struct contrail_filter *_Nonnull filter);

/// Replaces each report whose second is at most `second` by `gone`; `first_second` has the upper bits of the seconds. Call it only
/// if `contrail_keeps_tables` returns true.
struct contrail_removal contrail_cut_reports(
    uint64_t *_Nonnull slots, size_t slot_count, uint32_t second, uint64_t gone, uint32_t first_second);

#endif
