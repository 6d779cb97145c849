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
    if isTerminal {
      ProgramOutput.writeError(
        "\r\u{1B}[K\(text.prefix(100).description.escapingControls(keepsLines: false))", escaped: false)
    }
  }

  static func clearProgress() {
    if isTerminal { ProgramOutput.writeError("\r\u{1B}[K", escaped: false) }
  }

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
  static func write(_ text: String) { ProgramOutput.writeError(text) }
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
