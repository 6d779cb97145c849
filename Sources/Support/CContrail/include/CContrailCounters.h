#ifndef CONTRAIL_COUNTERS_H
#define CONTRAIL_COUNTERS_H

#include <stdint.h>

/// How many instructions this process, its threads from the first call on among them, has executed outside the kernel; -1
/// where the system doesn't tell, as in most virtual machines.
int64_t contrail_instructions(void);

#endif
