import ContrailLog

/// The machine's file system, whose writes take no more than a page: as any file system may, and so that a process can be killed
/// between the pieces of a batch.
final class PiecewiseStorage: LogStorage {
  private let real = POSIXStorage()

  func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    File(real: try real.open(path, mode))
  }

  func makeDirectory(_ path: String) throws(StorageError) { try real.makeDirectory(path) }
  func names(in directory: String) throws(StorageError) -> [String] { try real.names(in: directory) }
  func kind(of path: String) throws(StorageError) -> LogStorageKind { try real.kind(of: path) }
  func rename(_ path: String, to newPath: String) throws(StorageError) { try real.rename(path, to: newPath) }
  func remove(_ path: String) throws(StorageError) { try real.remove(path) }
  func synchronize(directory: String) throws(StorageError) { try real.synchronize(directory: directory) }
  func lock(_ path: String) throws(StorageError) -> any LogLock { try real.lock(path) }

  private final class File: LogFile {
    private let real: any LogFile

    init(real: any LogFile) { self.real = real }

    func size() throws(StorageError) -> Int64 { try real.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
      try real.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
      try real.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(4096)), at: offset)
    }

    func truncate(to size: Int64) throws(StorageError) { try real.truncate(to: size) }
    func synchronize() throws(StorageError) { try real.synchronize() }
  }
}
