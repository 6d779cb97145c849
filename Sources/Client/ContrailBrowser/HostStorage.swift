import ContrailLog

// The files of the shell in JavaScript. The functions are imports of the module; ABI.md describes them.

@_extern(wasm, module: "env", name: "fs_kind") @_extern(c, "fs_kind")
private func hostKind(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_names") @_extern(c, "fs_names")
private func hostNames(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_open") @_extern(c, "fs_open")
private func hostOpen(_ path: UInt32, _ count: Int32, _ mode: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_size") @_extern(c, "fs_size")
private func hostSize(_ file: Int32) -> Double
@_extern(wasm, module: "env", name: "fs_read") @_extern(c, "fs_read")
private func hostRead(_ file: Int32, _ bytes: UInt32, _ count: Int32, _ offset: Double) -> Int32
@_extern(wasm, module: "env", name: "fs_write") @_extern(c, "fs_write")
private func hostWrite(_ file: Int32, _ bytes: UInt32, _ count: Int32, _ offset: Double) -> Int32
@_extern(wasm, module: "env", name: "fs_truncate") @_extern(c, "fs_truncate")
private func hostTruncate(_ file: Int32, _ size: Double) -> Int32
@_extern(wasm, module: "env", name: "fs_sync") @_extern(c, "fs_sync")
private func hostSync(_ file: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_close") @_extern(c, "fs_close")
private func hostClose(_ file: Int32)
@_extern(wasm, module: "env", name: "fs_rename") @_extern(c, "fs_rename")
private func hostRename(_ path: UInt32, _ count: Int32, _ new: UInt32, _ newCount: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_remove") @_extern(c, "fs_remove")
private func hostRemove(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_make_directory") @_extern(c, "fs_make_directory")
private func hostMakeDirectory(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_sync_directory") @_extern(c, "fs_sync_directory")
private func hostSyncDirectory(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_lock") @_extern(c, "fs_lock")
private func hostLock(_ path: UInt32, _ count: Int32) -> Int32
@_extern(wasm, module: "env", name: "fs_error") @_extern(c, "fs_error")
private func hostError() -> Int32
@_extern(wasm, module: "env", name: "fs_take") @_extern(c, "fs_take")
private func hostTake(_ bytes: UInt32)

/// The shell's files as the storage of the log.
final class HostStorage: LogStorage {
  func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    let code: Int32 =
      switch mode {
      case .read: 0
      case .update: 1
      case .create: 2
      }
    return HostFile(try Self.checked("open", Self.with(path) { hostOpen($0, $1, code) }))
  }

  func makeDirectory(_ path: String) throws(StorageError) {
    try Self.checked("mkdir", Self.with(path) { hostMakeDirectory($0, $1) })
  }

  func names(in directory: String) throws(StorageError) -> [String] {
    let count = try Self.checked("list", Self.with(directory) { hostNames($0, $1) })
    return Self.taken(count).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  func kind(of path: String) throws(StorageError) -> LogStorageKind {
    switch try Self.checked("stat", Self.with(path) { hostKind($0, $1) }) {
    case 0: .nothing
    case 1: .directory
    case 2: .file
    default: .special
    }
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try Self.checked(
      "rename", Self.with(path) { path, count in Self.with(newPath) { hostRename(path, count, $0, $1) } })
  }

  func remove(_ path: String) throws(StorageError) {
    try Self.checked("remove", Self.with(path) { hostRemove($0, $1) })
  }

  func synchronize(directory: String) throws(StorageError) {
    try Self.checked("sync", Self.with(directory) { hostSyncDirectory($0, $1) })
  }

  func lock(_ path: String) throws(StorageError) -> any LogLock {
    HostLock(try Self.checked("lock", Self.with(path) { hostLock($0, $1) }))
  }

  /// The error number of a lock that another owner holds.
  private static let heldElsewhere: Int32 = 11

  private static func with(_ path: String, _ call: (UInt32, Int32) -> Int32) -> Int32 {
    let bytes = Array(path.utf8)
    return bytes.withUnsafeBufferPointer { call(address($0.baseAddress), Int32(bytes.count)) }
  }

  /// Returns the result of a call.
  ///
  /// - Throws: The shell's error if it is negative.
  @discardableResult
  static func checked(_ operation: String, _ result: Int32) throws(StorageError) -> Int32 {
    guard result < 0 else { return result }
    let number = 0 &- result
    throw StorageError(
      operation, errorNumber: number, message: String(decoding: taken(hostError()), as: UTF8.self),
      isHeldElsewhere: operation == "lock" && number == heldElsewhere)
  }

  /// Takes the bytes that the shell has prepared.
  private static func taken(_ count: Int32) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      hostTake(address(buffer.baseAddress))
      filled = Int(count)
    }
  }
}

private final class HostFile: LogFile {
  private let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { hostClose(number) }

  func size() throws(StorageError) -> Int64 {
    let size = hostSize(number)
    try HostStorage.checked("size", size < 0 ? Int32(max(size, -1000)) : 0)
    return Int64(size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    Int(
      try HostStorage.checked(
        "read", hostRead(number, address(buffer.baseAddress), Int32(clamping: buffer.count), Double(offset))))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    let count = try HostStorage.checked(
      "write", hostWrite(number, address(bytes.baseAddress), Int32(clamping: bytes.count), Double(offset)))
    guard count > 0 else { throw StorageError("write", errorNumber: 28, message: "no bytes were written") }
    return Int(count)
  }

  func truncate(to size: Int64) throws(StorageError) {
    try HostStorage.checked("truncate", hostTruncate(number, Double(size)))
  }

  func synchronize() throws(StorageError) { try HostStorage.checked("sync", hostSync(number)) }
}

private final class HostLock: LogLock {
  private let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { hostClose(number) }
}
