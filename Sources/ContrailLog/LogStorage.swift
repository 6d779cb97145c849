/// What the log needs of a file system: the one place where it touches the world.
///
/// ``POSIXStorage`` is the real one. Tests put their own behind it to make writes, syncs and renames fail, or to lose
/// what was never synced.
public protocol LogStorage: Sendable {
  /// Opens a regular file; refuses anything else.
  func open(_ path: String, _ mode: LogFileMode) throws(StorageFault) -> any LogFile
  /// Makes a directory and those above it, unless they are there; syncs the one that each was made in.
  func makeDirectory(_ path: String) throws(StorageFault)
  /// The names in a directory, in no order, without `.` and `..`.
  func names(in directory: String) throws(StorageFault) -> [String]
  /// What stands under a path.
  func kind(of path: String) throws(StorageFault) -> LogStorageKind
  /// Gives a file another name in the same file system; what had that name is gone.
  func rename(_ path: String, to newPath: String) throws(StorageFault)
  /// Removes a file.
  func remove(_ path: String) throws(StorageFault)
  /// Returns once creates, renames and removals in a directory are on stable storage.
  func synchronize(directory: String) throws(StorageFault)
  /// Takes the lock that `path` stands for; it is held until the object is released or the process ends, however it
  /// ends.
  ///
  /// - Throws: ``StorageFault`` with ``StorageFault/isHeldElsewhere`` if somebody has it.
  func lock(_ path: String) throws(StorageFault) -> any LogLock
}

/// What stands under a path.
public enum LogStorageKind: Hashable, Sendable {
  /// Nothing.
  case nothing
  /// A directory.
  case directory
  /// A regular file.
  case file
  /// A pipe, a socket or a device. Reading one may never end.
  case special
}

/// How a file is opened.
public enum LogFileMode: Hashable, Sendable {
  /// For reading; it must be there.
  case read
  /// For reading and writing; it must be there.
  case update
  /// For writing; it is made, and must not be there.
  case create
}

/// An open file. It belongs to one owner; it is closed when it is released.
public protocol LogFile: AnyObject {
  /// How many bytes the file has.
  func size() throws(StorageFault) -> Int64
  /// Reads from `offset` on, and answers how many bytes; 0 only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageFault) -> Int
  /// Writes at `offset`, and answers how many bytes it took: at least one.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageFault) -> Int
  /// Cuts the file to `size` bytes.
  func truncate(to size: Int64) throws(StorageFault)
  /// Returns once the file's bytes and its size are on stable storage.
  func synchronize() throws(StorageFault)
}

/// A lock that is held for as long as the object lives.
public protocol LogLock: AnyObject, Sendable {}

/// What the system said when it refused.
public struct StorageFault: Error, Hashable, Sendable {
  /// What was asked, for example `write`.
  public let operation: String
  /// The system's error number.
  public let errorNumber: Int32
  /// What the number means, in words.
  public let message: String
  /// Whether it was a lock that somebody else holds.
  public let isHeldElsewhere: Bool

  /// Makes a fault.
  public init(_ operation: String, errorNumber: Int32, message: String, isHeldElsewhere: Bool = false) {
    self.operation = operation
    self.errorNumber = errorNumber
    self.message = message
    self.isHeldElsewhere = isHeldElsewhere
  }
}

extension LogError {
  /// The error of a log whose storage refused something.
  init(_ code: Code, file: String, _ fault: StorageFault, seq: Int64? = nil) {
    self.init(
      code, file: file, seq: seq, reason: "\(fault.operation) failed: \(fault.message) (errno \(fault.errorNumber))",
      errorNumber: fault.errorNumber)
  }
}

// MARK: - Paths and whole files

/// Paths as text, with `/` between their parts.
enum Path {
  static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// The directory that `path` stands in.
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}

extension LogFile {
  /// Writes all of `bytes` from `offset` on, in as few calls as the system allows.
  func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageFault) {
    var written = 0
    while written < bytes.count {
      written += try write(UnsafeRawBufferPointer(rebasing: bytes[written...]), at: offset + Int64(written))
    }
  }
}

extension LogStorage {
  /// Makes a file that is whole under its name or not there at all: written under another name, synced, renamed, and
  /// the directory synced.
  func publish(
    _ path: String, write: (any LogFile) throws(StorageFault) -> Void
  ) throws(StorageFault) {
    try prepare(path, write: write)
    try commit(path)
  }

  /// Writes and syncs a file under a temporary name. One that stands there already is what a crash left, and is
  /// replaced.
  func prepare(
    _ path: String, write: (any LogFile) throws(StorageFault) -> Void
  ) throws(StorageFault) {
    let temporary = path + LogFileName.temporarySuffix
    if try kind(of: temporary) == .file { try remove(temporary) }
    do throws(StorageFault) {
      let file = try open(temporary, .create)
      try write(file)
      try file.synchronize()
    } catch {
      try? remove(temporary)
      throw error
    }
  }

  /// Gives a file that was prepared its name.
  func commit(_ path: String) throws(StorageFault) {
    try rename(path + LogFileName.temporarySuffix, to: path)
    try synchronize(directory: Path.directory(of: path))
  }

  /// Removes what interrupted writes left in a directory, and answers the paths.
  func removeTemporaryFiles(in directory: String) throws(StorageFault) -> [String] {
    var removed: [String] = []
    for name in try names(in: directory) where name.hasSuffix(LogFileName.temporarySuffix) {
      let path = Path.join(directory, name)
      try remove(path)
      removed.append(path)
    }
    return removed
  }
}
