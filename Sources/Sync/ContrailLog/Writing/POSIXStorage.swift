#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The file system of the operating system.
package final class POSIXStorage: LogStorage {
  /// Who can read the files that are created.
  package enum Access: Sendable {
    /// Only the user. Recordings contain the positions of an aircraft.
    case own
    /// Everyone whom the process's umask permits.
    case shared
  }

  private let access: Access

  /// Creates a storage.
  package init(creating access: Access = .own) { self.access = access }

  package func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .create: O_RDWR | O_CREAT | O_EXCL
      }
    // Without it, opening a pipe would wait for another process.
    let descriptor = try Descriptor(path, flags | O_NONBLOCK, permissions: access == .own ? 0o600 : 0o666)
    guard try descriptor.isRegular() else {
      throw StorageError("open", errorNumber: EINVAL, message: "it isn't a regular file")
    }
    return POSIXFile(descriptor)
  }

  package func makeDirectory(_ path: String) throws(StorageError) {
    if try kind(of: path) == .directory { return }
    let above = Path.directory(of: path)
    if above != path { try makeDirectory(above) }
    if mkdir(path, access == .own ? 0o700 : 0o777) != 0, errno != EEXIST { throw .last("mkdir") }
    do throws(StorageError) {
      try synchronize(directory: above)
    } catch {
      // Otherwise the next call would assume that the directory's name is on stable storage.
      rmdir(path)
      throw error
    }
  }

  package func names(in directory: String) throws(StorageError) -> [String] {
    guard let stream = opendir(directory) else { throw .last("opendir") }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    if errno != 0 { throw .last("readdir") }
    return names
  }

  package func kind(of path: String) throws(StorageError) -> LogStorageKind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return .nothing }
      throw .last("stat")
    }
    return switch status.st_mode & S_IFMT {
    case S_IFDIR: .directory
    case S_IFREG: .file
    default: .special
    }
  }

  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    #if canImport(Darwin)
      let result = Darwin.rename(path, newPath)
    #elseif canImport(Glibc)
      let result = Glibc.rename(path, newPath)
    #elseif canImport(Musl)
      let result = Musl.rename(path, newPath)
    #elseif canImport(Android)
      let result = Android.rename(path, newPath)
    #endif
    if result != 0 { throw .last("rename") }
  }

  /// Moves a file to a name that doesn't exist yet.
  ///
  /// - Returns: `false` if a file with the new name exists, which is then unchanged.
  func moveWithoutReplacing(_ path: String, to newPath: String) throws(StorageError) -> Bool {
    if link(path, newPath) == 0 {
      // The second name is temporary, so the file is in place even if it can't be removed.
      unlink(path)
      return true
    }
    switch errno {
    case EEXIST: return false
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: break
    default: throw .last("link")
    }
    // A file system without links, such as FAT. Only one process creates the name, and then replaces its own file.
    do throws(StorageError) {
      _ = try Descriptor(newPath, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      if error.errorNumber == EEXIST { return false }
      throw error
    }
    do throws(StorageError) {
      try rename(path, to: newPath)
    } catch {
      unlink(newPath)
      throw error
    }
    return true
  }

  /// Removes a directory if it is empty.
  package func removeEmptyDirectory(_ path: String) { rmdir(path) }

  package func remove(_ path: String) throws(StorageError) {
    if unlink(path) != 0 { throw .last("unlink") }
  }

  package func synchronize(directory: String) throws(StorageError) {
    try Descriptor(directory, O_RDONLY | O_DIRECTORY).synchronize()
  }

  package func lock(_ path: String) throws(StorageError) -> any LogLock {
    let descriptor = try Descriptor(path, O_RDWR | O_CREAT)
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw .last("flock") }
      let holder = descriptor.text().map { "held by process \($0)" } ?? "held by another process"
      throw StorageError("lock", errorNumber: EWOULDBLOCK, message: holder, isHeldElsewhere: true)
    }
    let lock = POSIXLock(descriptor)
    try lock.sign()
    return lock
  }
}

// MARK: - Files

/// An open file descriptor that is closed with the object.
private final class Descriptor: Sendable {
  let number: Int32

  /// - Parameter permissions: The permissions of a created file, restricted by the process's umask.
  init(_ path: String, _ flags: Int32, permissions: mode_t = 0o600) throws(StorageError) {
    while true {
      #if canImport(Darwin)
        let number = Darwin.open(path, flags | O_CLOEXEC, permissions)
      #elseif canImport(Glibc)
        let number = Glibc.open(path, flags | O_CLOEXEC, permissions)
      #elseif canImport(Musl)
        let number = Musl.open(path, flags | O_CLOEXEC, permissions)
      #elseif canImport(Android)
        let number = Android.open(path, flags | O_CLOEXEC, permissions)
      #endif
      if number >= 0 {
        self.number = number
        return
      }
      guard errno == EINTR else { throw .last("open") }
    }
  }

  deinit { close(number) }

  func isRegular() throws(StorageError) -> Bool {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last("fstat") }
    return status.st_mode & S_IFMT == S_IFREG
  }

  func synchronize() throws(StorageError) {
    #if canImport(Darwin)
      // On Darwin, fsync leaves the bytes in the drive's cache. Some file systems support only fsync.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
      guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { throw .last("F_FULLFSYNC") }
    #endif
    // Don't retry after a failure, not even EINTR: the second call may succeed although the pages are lost.
    if fsync(number) != 0 { throw .last("fsync") }
  }

  /// Returns the first line of a small file; nil if it is empty.
  func text() -> String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(number, &bytes, bytes.count, 0)
    let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}

private final class POSIXFile: LogFile {
  private let descriptor: Descriptor

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  func size() throws(StorageError) -> Int64 {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw .last("fstat") }
    return Int64(status.st_size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    while true {
      let count = pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last("read") }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    while true {
      let count = pwrite(descriptor.number, bytes.baseAddress, bytes.count, off_t(offset))
      if count > 0 { return count }
      if count == 0 { throw StorageError("write", errorNumber: ENOSPC, message: "no bytes were written") }
      guard errno == EINTR else { throw .last("write") }
    }
  }

  func truncate(to size: Int64) throws(StorageError) {
    while ftruncate(descriptor.number, off_t(size)) != 0 {
      guard errno == EINTR else { throw .last("ftruncate") }
    }
  }

  func synchronize() throws(StorageError) {
    #if os(Linux) || os(Android)
      // Like fsync, without the timestamps. The size is included.
      if fdatasync(descriptor.number) != 0 { throw .last("fdatasync") }
    #else
      try descriptor.synchronize()
    #endif
  }
}

/// A lock on a file descriptor, which the system also releases when the process is killed.
private final class POSIXLock: LogLock {
  private let descriptor: Descriptor

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  // Closing isn't enough: a child process that was just forked has the descriptor too, until it executes its program.
  deinit { _ = flock(descriptor.number, LOCK_UN) }

  /// Writes the process ID into the file, for the error message of the next process that tries to lock it.
  func sign() throws(StorageError) {
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor.number, 0) == 0, pwrite(descriptor.number, text, text.count, 0) == text.count else {
      throw .last("write")
    }
  }
}

extension StorageError {
  /// Returns the error of this thread's last system call.
  static func last(_ operation: String) -> StorageError {
    let number = errno
    return StorageError(operation, errorNumber: number, message: String(cString: strerror(number)))
  }
}
