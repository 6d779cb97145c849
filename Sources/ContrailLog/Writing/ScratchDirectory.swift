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
/// The system chooses an unused name, so existing files are never removed.
package final class ScratchDirectory: Sendable {
  package let path: String

  /// Creates an empty directory.
  ///
  /// - Parameter parent: The directory to create it in.
  /// - Throws: ``StorageError`` if the system fails to create it.
  package init(in parent: String) throws(StorageError) {
    var template = Array(Path.join(parent, ".contrail-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw .last("mkdtemp") }
    path = made
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
    for name in names { remove(Path.join(path, name)) }
    rmdir(path)
  }
}
