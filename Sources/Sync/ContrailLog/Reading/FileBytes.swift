#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Whole files and parts of files, by their paths.
package enum FileBytes {
  /// A value that changes when a file changes.
  package struct Stamp: Hashable, Sendable {
    package let size: Int
    /// The inode number, which differs for a file that replaces another.
    package let serial: UInt64
    package let changedSeconds: Int
    package let changedNanoseconds: Int
  }

  /// Returns the stamp of a regular file, or `nil` if there is none.
  package static func stamp(of path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    return Stamp(
      size: Int(status.st_size), serial: UInt64(status.st_ino), changedSeconds: Int(changed.tv_sec),
      changedNanoseconds: Int(changed.tv_nsec))
  }

  /// Returns the SHA-256 of a file as 64 hexadecimal digits, or `nil` if it can't be read.
  package static func sha256(of path: String) -> String? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var hash = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      guard count > 0 else { return ferror(file) == 0 ? hash.finishedHex() : nil }
      block.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Returns the path of a file in a directory with symbolic links resolved, or `nil` if it doesn't exist or a link leads
  /// out of the directory.
  package static func resolved(_ path: String, within directory: String) -> String? {
    guard let home = resolved(directory), let target = resolved(path) else { return nil }
    return target.utf8.starts(with: (home == "/" ? home : home + "/").utf8) ? target : nil
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns a range of bytes, or `nil` if the file can't be read or has become shorter.
  package static func read(_ path: String, in range: Range<Int>) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    guard fseeko(file, off_t(range.lowerBound), SEEK_SET) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: range.count)
    return fread(&bytes, 1, range.count, file) == range.count ? bytes : nil
  }
}
