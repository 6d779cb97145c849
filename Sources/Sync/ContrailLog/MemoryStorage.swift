/// Files in memory, for reading: the segments and blobs of a log that a browser or a test holds.
///
/// Paths are names with `/` as separator; the directories are those of the files. Writing is refused.
package final class MemoryStorage: LogStorage {
  /// The bytes of each file, by its path.
  private let files: [String: [UInt8]]

  /// Creates a storage with the given files.
  package init(_ files: [String: [UInt8]] = [:]) {
    self.files = files
  }

  package func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    guard mode == .read else { throw Self.readOnly("open") }
    guard let bytes = files[path] else { throw StorageError("open", errorNumber: 2, message: "no such file") }
    return MemoryFile(bytes)
  }

  package func names(in directory: String) throws(StorageError) -> [String] {
    let prefix = directory + "/"
    var names: [String] = []
    for path in files.keys where path.hasPrefix(prefix) {
      let rest = path.dropFirst(prefix.count)
      let name = rest.firstIndex(of: "/").map { String(rest[..<$0]) } ?? String(rest)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  package func kind(of path: String) throws(StorageError) -> LogStorageKind {
    if files[path] != nil { return .file }
    let prefix = path + "/"
    return files.keys.contains { $0.hasPrefix(prefix) } ? .directory : .nothing
  }

  package func makeDirectory(_ path: String) throws(StorageError) { throw Self.readOnly("mkdir") }

  package func rename(_ path: String, to newPath: String) throws(StorageError) { throw Self.readOnly("rename") }

  package func remove(_ path: String) throws(StorageError) { throw Self.readOnly("remove") }

  package func synchronize(directory: String) throws(StorageError) { throw Self.readOnly("sync") }

  package func lock(_ path: String) throws(StorageError) -> any LogLock { throw Self.readOnly("lock") }

  fileprivate static func readOnly(_ operation: String) -> StorageError {
    StorageError(operation, errorNumber: 30, message: "files in memory are read-only")
  }
}

private final class MemoryFile: LogFile {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func size() throws(StorageError) -> Int64 { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    guard offset >= 0, offset < Int64(bytes.count) else { return 0 }
    let start = Int(offset)
    let count = min(buffer.count, bytes.count - start)
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    throw MemoryStorage.readOnly("write")
  }

  func truncate(to size: Int64) throws(StorageError) { throw MemoryStorage.readOnly("truncate") }

  func synchronize() throws(StorageError) { throw MemoryStorage.readOnly("sync") }
}
