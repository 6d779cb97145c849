import ContrailLog
import ContrailReplay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Progress, timing and notes on standard error. Progress and timing are printed only if standard error is a terminal.
enum Terminal {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Shows the current activity and replaces the previous one.
  static func progress(_ text: String) {
    if isTerminal { send("\r\u{1B}[K\(text.prefix(100).description.escapingControls(keepsLines: false))") }
  }

  static func clearProgress() {
    if isTerminal { send("\r\u{1B}[K") }
  }

  /// Lets a write beyond the limit of file sizes fail with an error, which names the file, instead of ending the process.
  static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// Prints the elapsed time and the throughput.
  static func timing(byteCount: Int64, took duration: Duration) {
    guard isTerminal else { return }
    let (seconds, attoseconds) = duration.components
    let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    write("\(milliseconds) ms, \(byteCount / 1000 / milliseconds) MB/s\n")
  }

  /// Prints the parts of a recording that were skipped.
  static func note(_ setAside: SetAside) {
    guard !setAside.isEmpty else { return }
    clearProgress()
    write(setAside.text)
  }

  /// Writes to standard error, with control characters escaped.
  static func write(_ text: String) { send(text.escapingControls()) }

  private static func send(_ text: String) {
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

/// The directory in which the program was started.
enum WorkingDirectory {
  /// The absolute path, or `nil` if the system can't determine it.
  static var path: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

}
