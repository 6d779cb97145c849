/// The file system operations that the log requires. All access to files goes through this protocol.
///
/// ``POSIXStorage`` is the implementation. Tests provide others that fail writes, syncs and renames, or lose unsynced
/// data.
package protocol LogStorage: AnyObject, Sendable {
  /// Opens a regular file; throws for any other type of file.
  func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile
  /// Creates a directory and its missing parents, and syncs the parent of each created directory.
  func makeDirectory(_ path: String) throws(StorageError)
  /// Returns the names in a directory, in unspecified order, without `.` and `..`.
  func names(in directory: String) throws(StorageError) -> [String]
  /// Returns the type of the file at a path.
  func kind(of path: String) throws(StorageError) -> LogStorageKind
  /// Renames a file within the file system, replacing an existing file with the new name.
  func rename(_ path: String, to newPath: String) throws(StorageError)
  /// Removes a file.
  func remove(_ path: String) throws(StorageError)
  /// Syncs the creations, renames and removals in a directory to stable storage.
  func synchronize(directory: String) throws(StorageError)
  /// Acquires the lock at `path`, which is held until the object is released or the process ends.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/isHeldElsewhere`` if the lock is already held.
  func lock(_ path: String) throws(StorageError) -> any LogLock
}

#if hasFeature(Embedded)
  // There is no system below.
  package typealias SystemStorage = MemoryStorage
#else
  /// The storage that is used unless another is given.
  package typealias SystemStorage = POSIXStorage
#endif

/// The type of a file.
package enum LogStorageKind: Hashable, Sendable {
  /// The file doesn't exist.
  case nothing
  /// A directory.
  case directory
  /// A regular file.
  case file
  /// A pipe, a socket or a device. Reading one may block forever.
  case special
}

/// The mode in which a file is opened.
package enum LogFileMode: Hashable, Sendable {
  /// For reading; the file must exist.
  case read
  /// For reading and writing; the file must exist.
  case update
  /// For writing; the file is created and must not exist.
  case create
}

/// An open file with a single owner. It is closed when released.
package protocol LogFile: AnyObject {
  /// Returns the size of the file in bytes.
  func size() throws(StorageError) -> Int64
  /// Reads bytes at `offset` and returns their number; 0 only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int
  /// Writes at `offset` and returns the number of bytes written, at least one.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int
  /// Truncates the file to `size` bytes.
  func truncate(to size: Int64) throws(StorageError)
  /// Syncs the file's bytes and its size to stable storage.
  func synchronize() throws(StorageError)
}

/// A lock that is held as long as the object exists.
package protocol LogLock: AnyObject, Sendable {}

/// A failed system call.
package struct StorageError: Error, Hashable, Sendable {
  /// The operation, for example `write`.
  package let operation: String
  /// The system's error number.
  package let errorNumber: Int32
  /// The system's description of the error.
  package let message: String
  /// Whether the failure is due to a lock that is held elsewhere.
  package let isHeldElsewhere: Bool

  /// Creates a fault.
  package init(_ operation: String, errorNumber: Int32, message: String, isHeldElsewhere: Bool = false) {
    self.operation = operation
    self.errorNumber = errorNumber
    self.message = message
    self.isHeldElsewhere = isHeldElsewhere
  }
}

extension StorageError: CustomStringConvertible {
  package var description: String { "\(operation) failed: \(message) (errno \(errorNumber))" }
}

extension LogError {
  /// Creates the error of a failed storage operation.
  init(_ code: Code, file: String, _ fault: StorageError, seq: Int64? = nil) {
    self.init(
      code, file: file, seq: seq, reason: fault.description, errorNumber: fault.errorNumber)
  }
}

// MARK: - Paths and atomic files

/// Operations on paths with `/` as separator.
package enum Path {
  package static func join(_ directory: String, _ name: String) -> String {
    if directory.isEmpty || directory == "." { return name }
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Returns the directory of `path`, or `.` for a name without a directory.
  package static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of `path`.
  package static func name(of path: String) -> String {
    let trimmed = path.hasSuffix("/") && path.utf8.count > 1 ? String(path.dropLast()) : path
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
    return String(trimmed[trimmed.utf8.index(after: slash)...])
  }
}

extension LogFile {
  /// Writes all of `bytes` at `offset`, in as few calls as possible.
  func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
    var written = 0
    while written < bytes.count {
      written += try write(UnsafeRawBufferPointer(rebasing: bytes[written...]), at: offset + Int64(written))
    }
  }
}

extension LogStorage {
  /// Creates a file atomically: writes it under a temporary name, syncs it, renames it, and syncs the directory.
  func publish(
    _ path: String, write: (any LogFile) throws(StorageError) -> Void
  ) throws(StorageError) {
    try prepare(path, write: write)
    try commit(path)
  }

  /// Writes and syncs a file under a temporary name, replacing the remains of an interrupted write.
  func prepare(
    _ path: String, write: (any LogFile) throws(StorageError) -> Void
  ) throws(StorageError) {
    let temporary = path + LogFileName.temporarySuffix
    if try kind(of: temporary) == .file { try remove(temporary) }
    do throws(StorageError) {
      let file = try open(temporary, .create)
      try write(file)
      try file.synchronize()
    } catch {
      try? remove(temporary)
      throw error
    }
  }

  /// Renames a prepared file to its final name.
  func commit(_ path: String) throws(StorageError) {
    try rename(path + LogFileName.temporarySuffix, to: path)
    try synchronize(directory: Path.directory(of: path))
  }

  /// Removes the temporary files of interrupted writes in a directory and returns their paths.
  func removeTemporaryFiles(in directory: String) throws(StorageError) -> [String] {
    var removed: [String] = []
    for name in try names(in: directory) where name.hasSuffix(LogFileName.temporarySuffix) {
      let path = Path.join(directory, name)
      try remove(path)
      removed.append(path)
    }
    return removed
  }
}

extension LogStorage {
  /// Returns the contents of a file.
  package func contents(of path: String) throws(StorageError) -> [UInt8] {
    let file = try open(path, .read)
    var bytes = [UInt8](repeating: 0, count: Int(clamping: try file.size()))
    var count = 0
    while count < bytes.count {
      let read = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(StorageError) in
        try file.read(
          into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...])), at: Int64(count))
      }
      if read == 0 { break }
      count += read
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
