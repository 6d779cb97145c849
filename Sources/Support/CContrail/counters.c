// Counts instructions by the operating system. Swift can make neither call.

#include "CContrailCounters.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_counter(void) {
  struct perf_event_attr event;
  memset(&event, 0, sizeof event);
  event.type = PERF_TYPE_HARDWARE;
  event.size = sizeof event;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  event.inherit = 1;
  return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

int64_t contrail_instructions(void) {
  static int counter = -2;
  if (counter == -2) counter = open_counter();
  uint64_t count = 0;
  if (counter < 0 || read(counter, &count, sizeof count) != sizeof count) return -1;
  return (int64_t)count;
}

#elif defined(__APPLE__)

#include <TargetConditionals.h>

#if TARGET_OS_OSX

#include <libproc.h>
#include <sys/resource.h>
#include <unistd.h>

int64_t contrail_instructions(void) {
  struct rusage_info_v4 usage;
  if (proc_pid_rusage(getpid(), RUSAGE_INFO_V4, (rusage_info_t *)&usage) != 0) return -1;
  return usage.ri_instructions == 0 ? -1 : (int64_t)usage.ri_instructions;
}

#else

int64_t contrail_instructions(void) { return -1; }

#endif

#else

int64_t contrail_instructions(void) { return -1; }

#endif
