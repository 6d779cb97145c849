#if Online
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// The system clock.
  enum WallClock {
    /// The time in milliseconds since 1970.
    static func milliseconds() -> Int64 {
      var time = timespec()
      guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
      return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
  }
#endif
