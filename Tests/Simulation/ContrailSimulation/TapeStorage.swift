import ContrailLog
import ContrailWire
import Foundation

/// The disk of a flight, with a record of each operation and its result.
final class TapeStorage: LogStorage, @unchecked Sendable {
  private let disk: any LogStorage
  private let tape: Tape
  /// Whether another process holds the log.
  private let isLocked: () -> Bool

  init(_ disk: any LogStorage, _ tape: Tape, isLocked: @escaping () -> Bool) {
    self.disk = disk
    self.tape = tape
    self.isLocked = isLocked
  }

  func open(_ path: String, _ mode: LogFileMode) throws(StorageError) -> any LogFile {
    let code =
      switch mode {
      case .read: 0
      case .update: 1
      case .create: 2
      }
    let file = try tape.operation("open", path, [Int64(code)], { _ in "0" }) { () throws(StorageError) in
      try disk.open(path, mode)
    }
    return TapeFile(file, path, tape)
  }

  func makeDirectory(_ path: String) throws(StorageError) {
    try tape.operation("make_directory", path) { () throws(StorageError) in try disk.makeDirectory(path) }
  }

  func names(in directory: String) throws(StorageError) -> [String] {
    try tape.operation("names", directory, [], { "\"\($0.joined(separator: "/"))\"" }) { () throws(StorageError) in
      try disk.names(in: directory).sorted()
    }
  }

  func kind(of path: String) throws(StorageError) -> LogStorageKind {
    try tape.operation(
      "kind", path, [], { $0 == .nothing ? "0" : $0 == .directory ? "1" : "2" }
    ) { () throws(StorageError) in try disk.kind(of: path) }
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try tape.operation("rename", path + "\\n" + newPath) { () throws(StorageError) in
      try disk.rename(path, to: newPath)
    }
  }

  func remove(_ path: String) throws(StorageError) {
    try tape.operation("remove", path) { () throws(StorageError) in try disk.remove(path) }
  }

  func synchronize(directory: String) throws(StorageError) {
    try tape.operation("sync_directory", directory) { () throws(StorageError) in
      try disk.synchronize(directory: directory)
    }
  }

  func lock(_ path: String) throws(StorageError) -> any LogLock {
    try tape.operation("lock", path, [], { _ in "0" }) { () throws(StorageError) in
      if isLocked() {
        throw StorageError("lock", errorNumber: 11, message: "held by process 7", isHeldElsewhere: true)
      }
      return try disk.lock(path)
    }
  }
}

private final class TapeFile: LogFile {
  private let file: any LogFile
  private let path: String
  private let tape: Tape

  init(_ file: any LogFile, _ path: String, _ tape: Tape) {
    self.file = file
    self.path = path
    self.tape = tape
  }

  func size() throws(StorageError) -> Int64 {
    try tape.operation("size", path, [], { "\($0)" }) { () throws(StorageError) in try file.size() }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    try tape.operation(
      "read", path, [Int64(buffer.count), offset],
      { "\"\(Data(buffer[..<$0]).base64EncodedString())\"" }
    ) { () throws(StorageError) in try file.read(into: buffer, at: offset) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
    try tape.operation("write", path, [offset], { "\($0)" }, Data(bytes)) { () throws(StorageError) in
      try file.write(bytes, at: offset)
    }
  }

  func truncate(to size: Int64) throws(StorageError) {
    try tape.operation("truncate", path, [size]) { () throws(StorageError) in try file.truncate(to: size) }
  }

  func synchronize() throws(StorageError) {
    try tape.operation("sync", path) { () throws(StorageError) in try file.synchronize() }
  }
}

extension Tape {
  /// Performs an operation, and writes its line: name, path, numbers, written bytes, result or negative error, and the error's text.
  fileprivate func operation<T>(
    _ name: String, _ path: String, _ numbers: [Int64] = [], _ result: (T) -> String = { _ in "0" },
    _ written: Data? = nil,
    _ body: () throws(StorageError) -> T
  ) throws(StorageError) -> T {
    func write(_ result: String, _ message: String? = nil) {
      line { json in
        json.value("file")
        json.value(name)
        json.verbatim(Array("\"\(path)\"".utf8))
        json.array { json in for number in numbers { json.value(number) } }
        if let written { json.value(written.base64EncodedString()) } else { json.null() }
        json.verbatim(Array(result.utf8))
        if let message { json.value(message) } else { json.null() }
      }
    }
    do throws(StorageError) {
      let value = try body()
      write(result(value))
      return value
    } catch {
      write("\(-error.errorNumber)", error.message)
      throw error
    }
  }
}
