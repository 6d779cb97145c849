#ifndef CONTRAIL_CRC_H
#define CONTRAIL_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Checksums that detect damage. CContrailSHA.h has the hash that proves more.

/// Whether this processor has the CRC-32C and carry-less multiply instructions that `contrail_crc32c` needs.
bool contrail_crc32c_is_available(void);

/// Returns the CRC-32C register `state` after `count` more bytes, by the processor's instructions. The register isn't inverted, before
/// or after. Call it only if `contrail_crc32c_is_available` returns true.
uint32_t contrail_crc32c(uint32_t state, const void *_Nullable bytes, size_t count);

#endif
