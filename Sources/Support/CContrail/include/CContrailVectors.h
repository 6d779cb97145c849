#ifndef CONTRAIL_VECTORS_H
#define CONTRAIL_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loops over texts that AVX-512 makes more than twice as fast. On other processors, callers take their own way to the same
// result.

/// The maximum number of texts that `contrail_hash_texts` takes.
enum { CONTRAIL_HASH_LANES = 16 };

/// Whether this processor has the instructions with which `contrail_hash_texts` is faster.
bool contrail_hashes_by_vectors(void);

/// Continues FNV-1a hashes, each with a text. The texts are stored one after the other; `ends` has the end of each.
/// `uses_vectors` requires `contrail_hashes_by_vectors`.
void contrail_hash_texts(
    const uint8_t *_Nonnull bytes, const size_t *_Nonnull ends, size_t count, bool uses_vectors,
    uint64_t *_Nonnull hashes);

/// Whether this processor has the instructions that `contrail_skip_points` needs.
bool contrail_skips_points(void);

/// Returns the number of bytes of a JSON array's elements that are whole points without whitespace: `[`, two numbers without
/// an exponent, and `],`. Stops where fewer than 64 bytes are left; the elements after that may be valid too. Requires
/// `contrail_skips_points`.
size_t contrail_skip_points(const uint8_t *_Nonnull bytes, size_t count);

/// Whether this processor has the instructions that `contrail_read_integers` needs.
bool contrail_reads_integers(void);

/// Reads integers of at most 16 digits in the canonical spelling, each with a comma behind it, and returns their number. Stops
/// before an integer in another form, which may be valid, and where fewer than 80 bytes or 32 places are left. Requires
/// `contrail_reads_integers`.
size_t contrail_read_integers(
    const uint8_t *_Nonnull bytes, size_t count, int64_t *_Nonnull integers, size_t capacity, size_t *_Nonnull bytes_read);

#endif
