#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A new directory for temporary files, removed with all in it when the value is released.
///
/// The system picks a name that is free, so nothing that was there before is ever removed.
package final class ScratchDirectory: Sendable {
  package let path: String

  /// Makes an empty directory.
  ///
  /// - Parameter parent: The directory to make it in.
  /// - Throws: ``StorageFault`` if the system refuses.
  package init(in parent: String) throws(StorageFault) {
    var template = Array(Path.join(parent, ".contrail-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw .last("mkdtemp") }
    path = made
  }

  /// Makes an empty directory where the system keeps temporary files.
  ///
  /// - Throws: ``StorageFault`` if the system refuses.
  package convenience init() throws(StorageFault) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    try self.init(in: folder.isEmpty ? "/tmp" : folder)
  }

  deinit { remove() }

  /// Removes the directory and all in it. Symbolic links are removed, not followed.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    // What is no directory goes by this; a directory is refused.
    if unlink(path) == 0 { return }
    let names: [String]
    do throws(StorageFault) { names = try POSIXStorage().names(in: path) } catch { return }
    for name in names { remove(Path.join(path, name)) }
    rmdir(path)
  }
}
