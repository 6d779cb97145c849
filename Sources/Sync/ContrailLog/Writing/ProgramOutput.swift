#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The standard output and standard error of a program.
///
/// Text is written at once. After a failed write to standard output, nothing more is written there, and ``finish()``
/// throws the failure. A program that finishes without an error has therefore written everything.
package enum ProgramOutput {
  /// A failed write to standard output.
  package struct Failure: Error, CustomStringConvertible {
    fileprivate let errorNumber: Int32

    /// Whether the reader of the output has ended, as `head` does.
    package var isBrokenPipe: Bool { errorNumber == EPIPE }

    package var description: String {
      "Standard output can't be written: \(String(cString: strerror(errorNumber))). "
        + "The output is incomplete. Free disk space, or write to another place."
    }
  }

  /// Prepares the process: opens closed standard streams, and lets writes beyond the limit of file sizes fail.
  ///
  /// Otherwise a file that is opened later could become the standard output, and a signal would end the process.
  package static func prepare() {
    signal(SIGXFSZ, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // Writing fails: the device is opened for reading.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Writes text to standard output.
  ///
  /// - Parameter escaped: Whether control characters are escaped; see `String.escapingControls(keepsLines:)`.
  package static func write(_ text: String, escaped: Bool = true) {
    failure.setIfUnset { send(escaped ? text.escapingControls() : text, to: STDOUT_FILENO) }
  }

  /// Writes text to standard error, and ignores failures.
  package static func writeError(_ text: String, escaped: Bool = true) {
    _ = send(escaped ? text.escapingControls() : text, to: STDERR_FILENO)
  }

  /// Whether a write to standard output has failed, so that further work is useless.
  package static var hasFailed: Bool { failure.value != 0 }

  /// Ends the output. Call it last.
  ///
  /// - Throws: ``Failure`` if a write to standard output failed.
  package static func finish() throws(Failure) {
    let number = failure.value
    if number != 0 { throw Failure(errorNumber: number) }
  }

  /// Ends the process by the signal SIGPIPE, without a message, because the reader of its output has ended.
  package static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }

  private static let failure = FirstFailure()

  /// Writes all of a text, and returns the system's error number; 0 for none.
  private static func send(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = systemWrite(descriptor, rest)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          continue
        }
        let number = count == 0 ? ENOSPC : errno
        switch number {
        case EINTR: continue
        case EAGAIN:
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wait, 1, -1)
        default: return number
        }
      }
      return 0
    }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Android)
      Android.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}

/// The first error number of several threads that write.
private final class FirstFailure: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var number: Int32 = 0

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  var value: Int32 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return number
  }

  /// Calls a function that returns an error number, one call at a time, until the first failure.
  func setIfUnset(_ body: () -> Int32) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if number == 0 { number = body() }
  }
}
