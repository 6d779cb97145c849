import CContrailCounters
import ContrailReplay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the machine tells of itself.
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

  /// Linux forgets the largest memory so far when 5 is written there (proc(5)); elsewhere it stays.
  private static func resetPeakMemory() {
    #if os(Linux)
      let file = open("/proc/self/clear_refs", O_WRONLY)
      guard file >= 0 else { return }
      _ = write(file, "5", 1)
      close(file)
    #endif
  }

  /// The largest memory that was resident so far, in bytes.
  private static var peakMemory: Int64? {
    var usage = rusage()
    // RUSAGE_SELF is 0 everywhere, and a constant of another type on each system.
    guard getrusage(0, &usage) == 0 else { return nil }
    #if canImport(Darwin)
      return Int64(usage.ru_maxrss)
    #else
      // In units of 1,024 bytes there.
      return Int64(usage.ru_maxrss) * 1024
    #endif
  }
}
