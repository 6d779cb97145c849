import ContrailLog

/// The machine's file system, whose writes take no more than a page: as any file system may, and so that a process can be killed
/// between the pieces of a batch.
struct PiecewiseStorage: LogStorage {
  private let real = POSIXStorage()

  func open(_ path: String, _ mode: LogFileMode) throws(StorageFault) -> any LogFile {
    File(real: try real.open(path, mode))
  }

  func makeDirectory(_ path: String) throws(StorageFault) { try real.makeDirectory(path) }
  func names(in directory: String) throws(StorageFault) -> [String] { try real.names(in: directory) }
  func kind(of path: String) throws(StorageFault) -> LogStorageKind { try real.kind(of: path) }
  func rename(_ path: String, to newPath: String) throws(StorageFault) { try real.rename(path, to: newPath) }
  func remove(_ path: String) throws(StorageFault) { try real.remove(path) }
  func synchronize(directory: String) throws(StorageFault) { try real.synchronize(directory: directory) }
  func lock(_ path: String) throws(StorageFault) -> any LogLock { try real.lock(path) }

  private final class File: LogFile {
    private let real: any LogFile

    init(real: any LogFile) { self.real = real }

    func size() throws(StorageFault) -> Int64 { try real.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageFault) -> Int {
      try real.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageFault) -> Int {
      try real.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(4096)), at: offset)
    }

    func truncate(to size: Int64) throws(StorageFault) { try real.truncate(to: size) }
    func synchronize() throws(StorageFault) { try real.synchronize() }
  }
}
