import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Serve {
  /// Returns the keys in the environment variable `CONTRAIL_KEYS`, separated by commas.
  ///
  /// - Throws: `ValidationError` if the variable is set but contains no key. Otherwise a mistake would open the server to
  ///   everyone.
  static func keysOfEnvironment() throws -> [String] {
    guard let value = getenv("CONTRAIL_KEYS") else { return [] }
    let keys = String(cString: value).split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter {
      !$0.isEmpty
    }
    guard !keys.isEmpty else {
      throw ValidationError(
        "CONTRAIL_KEYS is set but contains no key. Set it to keys separated by commas, or unset it to require none.")
    }
    return keys
  }
}
