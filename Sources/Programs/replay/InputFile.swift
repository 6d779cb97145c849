import ContrailLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file or standard input, read from its start to its end.
final class InputFile {
  private let descriptor: Int32
  /// The system's error of the first failed read, or nil.
  private(set) var fault: String?

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `Failure` if the file can't be opened, or is a pipe or a device. The pipe of a shell's `<(command)` is
  ///   allowed.
  init(_ path: String) throws {
    if path == "-" {
      descriptor = STDIN_FILENO
      return
    }
    // Opening another pipe would wait for a process that writes to it, and a device may be endless.
    if !path.hasPrefix("/dev/fd/"), (try? POSIXStorage().kind(of: path)) == .special {
      throw Failure(
        message: "\(path): it is a pipe, a socket or a device, not a file. Use '-' for standard input.", exitCode: 2)
    }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      throw Failure(message: "\(path): it can't be opened: \(String(cString: strerror(errno))).", exitCode: 2)
    }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// Reads bytes and returns their number: 0 at the end and after an error; see ``fault``.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno == EINTR { continue }
      fault = String(cString: strerror(errno))
      return 0
    }
  }
}
