#ifndef CONTRAIL_COUNTERS_H
#define CONTRAIL_COUNTERS_H

#include <stdint.h>

/// Returns the number of instructions that this process has executed outside the kernel, in all threads started after the first
/// call; -1 if the system doesn't count them, as in most virtual machines.
int64_t contrail_instructions(void);

#endif
