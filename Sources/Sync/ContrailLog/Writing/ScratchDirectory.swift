#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A new directory for temporary files, removed with its contents when the object is released.
///
/// The system chooses an unused name, so existing files are never removed. The directory contains a lock, which the
/// system releases when the process is killed. The next scratch directory in the same parent removes the remains.
package final class ScratchDirectory: Sendable {
  package let path: String
  private let lock: any LogLock

  private static let prefix = ".contrail-"
  private static let lockName = ".lock"

  /// Creates an empty directory, and removes those of processes that were killed.
  ///
  /// - Parameter parent: The directory to create it in.
  /// - Throws: ``StorageError`` if the system fails to create it.
  package init(in parent: String) throws(StorageError) {
    Self.removeRemains(in: parent)
    var (made, attempts) = (try Self.make(in: parent), 0)
    // Another process may take a directory without a lock for the remains of a killed one.
    while true {
      let taken: any LogLock
      do throws(StorageError) {
        taken = try POSIXStorage().lock(Path.join(made, Self.lockName))
        // After a power failure, a directory that has files but no lock would stay.
        try POSIXStorage().synchronize(directory: made)
      } catch {
        // Removes the lock, too, unless the other process has it.
        if !error.isHeldElsewhere { Self.remove(made) }
        attempts += 1
        guard attempts < 3, error.isHeldElsewhere || error.errorNumber == ENOENT else { throw error }
        made = try Self.make(in: parent)
        continue
      }
      lock = taken
      path = made
      return
    }
  }

  private static func make(in parent: String) throws(StorageError) -> String {
    var template = Array(Path.join(parent, prefix + "XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw .last("mkdtemp") }
    return made
  }

  /// Removes the directories whose process no longer holds their lock.
  package static func removeRemains(in parent: String) {
    let storage = POSIXStorage()
    guard let names = try? storage.names(in: parent) else { return }
    for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      let path = Path.join(parent, name)
      guard isOwnDirectory(path) else { continue }
      let lockPath = Path.join(path, lockName)
      if (try? storage.kind(of: lockPath)) == .file {
        guard let lock = try? storage.lock(lockPath) else { continue }
        withExtendedLifetime(lock) { remove(path) }
      } else {
        // Fails unless it is empty.
        rmdir(path)
      }
    }
  }

  /// Whether a path is a directory of this user, and not a symbolic link to one.
  private static func isOwnDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }

  /// Creates an empty directory in the system's directory for temporary files.
  ///
  /// - Throws: ``StorageError`` if the system fails to create it.
  package convenience init() throws(StorageError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    try self.init(in: folder.isEmpty ? "/tmp" : folder)
  }

  deinit { remove() }

  /// Removes the directory and its contents. Symbolic links are removed, not followed.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    // `unlink` removes everything except directories, for which it fails.
    if unlink(path) == 0 { return }
    let names: [String]
    do throws(StorageError) { names = try POSIXStorage().names(in: path) } catch { return }
    // The lock goes last: a process that is killed here leaves a directory that the next one recognises.
    for name in names where name != lockName { remove(Path.join(path, name)) }
    if names.contains(lockName) { unlink(Path.join(path, lockName)) }
    rmdir(path)
  }
}
