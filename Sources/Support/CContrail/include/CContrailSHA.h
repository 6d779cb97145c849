#ifndef CONTRAIL_SHA_H
#define CONTRAIL_SHA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has the SHA-256 instructions that `contrail_sha256` needs.
bool contrail_sha256_is_available(void);

/// Adds blocks of 64 bytes to the eight words of a SHA-256 state, by the processor's instructions. Call it only if
/// `contrail_sha256_is_available` returns true.
void contrail_sha256(uint32_t *_Nonnull state, const void *_Nonnull blocks, size_t count);

#endif
