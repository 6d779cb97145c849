#if Online
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension Serve {
    /// The keys in `CONTRAIL_KEYS`, separated by commas.
    static func keysOfEnvironment() -> [String] {
      guard let value = getenv("CONTRAIL_KEYS") else { return [] }
      return String(cString: value).split(separator: ",").map(String.init)
    }

    /// Sends what was printed on its way at once: who reads the address through a pipe waits for it.
    static func flushOutput() {
      _ = fflush(nil)
    }
  }
#endif
