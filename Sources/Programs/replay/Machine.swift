import CContrail
import ContrailReplay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Measurements of this process.
enum Machine {
  static var instruments: ReplayBench.Instruments {
    let clock = ContinuousClock()
    let start = clock.now
    return ReplayBench.Instruments(
      clock: {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      },
      peakMemory: { peakMemory }, resetPeakMemory: resetPeakMemory,
      instructions: {
        let count = contrail_instructions()
        return count < 0 ? nil : count
      })
  }

  /// The number of cores that are in use by the system, at least 1.
  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Resets the peak memory. On Linux, writing 5 to this file does so (proc(5)); other systems can't.
  private static func resetPeakMemory() {
    #if os(Linux)
      let file = open("/proc/self/clear_refs", O_WRONLY)
      guard file >= 0 else { return }
      _ = write(file, "5", 1)
      close(file)
    #endif
  }

  /// The peak resident memory in bytes, or `nil` if it is unknown.
  private static var peakMemory: Int64? {
    var usage = rusage()
    // `RUSAGE_SELF` is 0 on every platform, but its type differs.
    guard getrusage(0, &usage) == 0 else { return nil }
    #if canImport(Darwin)
      return Int64(usage.ru_maxrss)
    #else
      // Linux reports units of 1,024 bytes.
      return Int64(usage.ru_maxrss) * 1024
    #endif
  }
}
