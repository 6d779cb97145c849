import ContrailReplay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What goes to the terminal and never into a file: progress and timing, on standard error where that is a terminal.
enum Terminal {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Shows what is being done, in place of what was shown before.
  static func progress(_ text: String) {
    if isTerminal { write("\r\u{1B}[K\(text.prefix(100))") }
  }

  static func clearProgress() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  /// Shows how long it took.
  static func timing(byteCount: Int64, took duration: Duration) {
    guard isTerminal else { return }
    let (seconds, attoseconds) = duration.components
    let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    write("\(milliseconds) ms, \(byteCount / 1000 / milliseconds) MB/s\n")
  }

  /// Says on standard error what was left out of a recording.
  static func note(_ setAside: SetAside) {
    guard !setAside.isEmpty else { return }
    clearProgress()
    write(setAside.text)
  }

  /// Writes to standard error.
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #endif
  }
}

/// Where the program was started.
enum WorkingDirectory {
  /// The absolute path, or nil where the system doesn't tell.
  static var path: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

}
