#ifndef CONTRAIL_CRC_H
#define CONTRAIL_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has the CRC-32C and carry-less multiply instructions that `contrail_crc32c` needs.
bool contrail_crc32c_is_available(void);

/// Feeds `count` bytes into the CRC-32C register `state` (neither inverted before nor after) by the processor's
/// instructions. Call it only where `contrail_crc32c_is_available` answers true.
uint32_t contrail_crc32c(uint32_t state, const void *_Nullable bytes, size_t count);

#endif
