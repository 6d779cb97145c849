import ArgumentParser
import ContrailLog

/// Paths of files that a command reads.
enum InputPath {
  /// Checks that reading a path doesn't wait for another process and comes to an end.
  ///
  /// - Parameters:
  ///   - path: The path. It needn't exist.
  ///   - name: The option or argument, for the error message.
  /// - Throws: `ValidationError` if it is a pipe, a socket or a device. The pipe of a shell's `<(command)` is allowed.
  static func check(_ path: String, _ name: String) throws {
    guard !path.hasPrefix("/dev/fd/"), (try? POSIXStorage().kind(of: path)) == .special else { return }
    throw ValidationError("\(name): '\(path)' is a pipe, a socket or a device. Give a file.")
  }
}
