#if Online
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension Serve {
    /// Returns the keys in the environment variable `CONTRAIL_KEYS`, separated by commas.
    static func keysOfEnvironment() -> [String] {
      guard let value = getenv("CONTRAIL_KEYS") else { return [] }
      return String(cString: value).split(separator: ",").map(String.init)
    }

    /// Flushes the standard streams, so that a process reading a pipe sees the address at once.
    static func flushOutput() {
      _ = fflush(nil)
    }
  }
#endif
