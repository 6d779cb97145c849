package import ContrailLog

/// A file system in memory that knows what is on stable storage and what is only in the cache, can refuse any
/// operation, and can lose what was never synced.
///
/// Stricter than most real ones: a name is durable only once its directory is synced, and of unsynced bytes any block
/// may be there or not.
/// It belongs to one test, which uses it from one thread at a time; no lock guards it.
package final class MemoryDisk: LogStorage, @unchecked Sendable {
  package final class Inode {
    package fileprivate(set) var current: [UInt8] = []
    package fileprivate(set) var durable: [UInt8] = []
  }

  /// What happens to the operation with a number.
  package enum Fault: Sendable {
    /// It and all after it are refused: the process is dead. A write may have done part of its work.
    case death
    /// It alone is refused. A write has done part of its work.
    case refusal
  }

  package private(set) var names: [String: Inode] = [:]
  private var durableNames: [String: Inode] = [:]
  private var directories: Set<String> = ["/"]
  private var held: Set<String> = []
  private var random: SplitMix64

  /// How many operations that change anything there have been.
  package private(set) var operationCount = 0
  /// How many syncs of files there have been.
  package private(set) var syncCount = 0
  /// The number of bytes read from files.
  package private(set) var readBytes = 0
  package var faults: [Int: Fault] = [:]
  /// Refuses each operation of a name as long as it answers true.
  package var refuses: (String) -> Bool = { _ in false }
  /// Whether writes take only some of the bytes.
  package var isShort = false
  package private(set) var isDead = false
  /// How many operations were refused by a disk that was not dead.
  package private(set) var refusalCount = 0

  package init(seed: UInt64 = 0) { random = SplitMix64(seed: seed) }

  private func operate(_ name: String, partly: (inout SplitMix64) -> Void = { _ in }) throws(StorageError) {
    if isDead { throw StorageError(name, errorNumber: 5, message: "the process is dead") }
    operationCount += 1
    if refuses(name) {
      refusalCount += 1
      throw StorageError(name, errorNumber: 28, message: "no space left")
    }
    guard let fault = faults[operationCount] else { return }
    refusalCount += 1
    partly(&random)
    if case .death = fault { isDead = true }
    throw StorageError(name, errorNumber: 28, message: "no space left")
  }

  // MARK: LogStorage

  package func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    if isDead { throw StorageError("open", errorNumber: 5, message: "the process is dead") }
    if mode == .create {
      guard names[path] == nil else { throw StorageError("open", errorNumber: 17, message: "file exists") }
      try operate("create")
      names[path] = Inode()
    }
    guard let inode = names[path] else { throw StorageError("open", errorNumber: 2, message: "no such file") }
    return File(disk: self, inode: inode)
  }

  package func makeDirectory(_ path: String) throws(StorageError) {
    directories.insert(path)
  }

  package func names(in directory: String) throws(StorageError) -> [String] {
    names.keys.filter { parent($0) == directory }.map {
      String($0.dropFirst(directory == "/" ? 1 : directory.count + 1))
    }
  }

  package func kind(of path: String) throws(StorageError) -> LogStorageKind {
    names[path] != nil ? .file : directories.contains(path) ? .directory : .nothing
  }

  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    try operate("rename")
    names[newPath] = names.removeValue(forKey: path)
  }

  package func remove(_ path: String) throws(StorageError) {
    try operate("remove")
    guard names.removeValue(forKey: path) != nil else {
      throw StorageError("remove", errorNumber: 2, message: "no such file")
    }
  }

  package func synchronize(directory: String) throws(StorageError) {
    try operate("syncDirectory")
    for path in Set(durableNames.keys).union(names.keys) where parent(path) == directory {
      durableNames[path] = names[path]
    }
  }

  package func lock(_ path: String) throws(StorageError) -> any LogLock {
    guard held.insert(path).inserted else {
      throw StorageError("lock", errorNumber: 11, message: "held by process 7", isHeldElsewhere: true)
    }
    return Lock { [self] in held.remove(path) }
  }

  private func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
  }

  // MARK: Crashes

  /// The process dies and another one finds the disk as it is.
  package func restart() {
    isDead = false
    faults = [:]
    operationCount = 0
    held = []
  }

  /// The power fails: of what was never synced some is there and some isn't.
  package func losePower() {
    let unsynced = Set(names.keys).symmetricDifference(durableNames.keys)
      .union(names.keys.filter { names[$0] !== durableNames[$0] })
    for path in unsynced.sorted() where Bool.random(using: &random) {
      // A rename is one step: the old name doesn't go without the new one coming.
      durableNames[path] = names[path]
    }
    for inode in durableNames.sorted(by: { $0.key < $1.key }).map(\.value) { mix(inode) }
    names = durableNames
    restart()
  }

  private func mix(_ inode: Inode) {
    guard inode.current != inode.durable else { return }
    let counts = [inode.current.count, inode.durable.count]
    let count = Int.random(in: (counts.min() ?? 0)...(counts.max() ?? 0), using: &random)
    var bytes = [UInt8](repeating: 0, count: count)
    let blockCount = 64
    for start in stride(from: 0, to: count, by: blockCount) {
      let source = Bool.random(using: &random) ? inode.current : inode.durable
      for index in start..<min(start + blockCount, count) where index < source.count { bytes[index] = source[index] }
    }
    inode.current = bytes
    inode.durable = bytes
  }

  // MARK: Files

  private final class File: LogFile {
    private let disk: MemoryDisk
    private let inode: Inode

    init(disk: MemoryDisk, inode: Inode) {
      self.disk = disk
      self.inode = inode
    }

    func size() throws(StorageError) -> Int64 { Int64(inode.current.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
      guard offset < inode.current.count else { return 0 }
      let bytes = inode.current[Int(offset)...].prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      disk.readBytes += bytes.count
      return bytes.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
      try disk.operate("write") { random in
        put(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), Int(offset))
      }
      let taken = disk.isShort ? bytes.prefix(max(1, bytes.count / 3)) : bytes[...]
      put(taken, Int(offset))
      return taken.count
    }

    private func put(_ bytes: Slice<UnsafeRawBufferPointer>, _ offset: Int) {
      let end = offset + bytes.count
      if inode.current.count < end {
        inode.current += [UInt8](repeating: 0, count: end - inode.current.count)
      }
      inode.current.replaceSubrange(offset..<end, with: bytes)
    }

    func truncate(to size: Int64) throws(StorageError) {
      try disk.operate("truncate")
      inode.current.removeSubrange(min(Int(size), inode.current.count)...)
    }

    func synchronize() throws(StorageError) {
      disk.syncCount += 1
      try disk.operate("sync")
      inode.durable = inode.current
    }
  }

  private final class Lock: LogLock {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
  }
}

extension MemoryDisk {
  /// What a reader finds under a path; empty where nothing is.
  package func contents(_ path: String) -> [UInt8] { names[path]?.current ?? [] }

  /// Replaces what is under a path, on stable storage.
  package func put(_ bytes: [UInt8], _ path: String) {
    let inode = Inode()
    inode.current = bytes
    inode.durable = bytes
    names[path] = inode
    durableNames[path] = inode
  }
}
