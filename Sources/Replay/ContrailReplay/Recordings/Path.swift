package import ContrailLog

/// Operations on paths separated by `/`.
package enum Path {
  package static func join(_ directory: String, _ name: String) -> String {
    if directory.isEmpty || directory == "." { return name }
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Returns the directory of `path`, or `.` for a name without a directory.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of `path`.
  package static func name(of path: String) -> String {
    let trimmed = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    guard let slash = trimmed.lastIndex(of: "/") else { return trimmed }
    return String(trimmed[trimmed.index(after: slash)...])
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
