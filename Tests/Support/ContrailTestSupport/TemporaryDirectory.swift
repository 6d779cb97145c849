import ContrailLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A directory that is gone, with all in it, when the value is released.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// - Parameter isInMemory: Whether a file system in memory is preferred, where there is one and `TMPDIR` isn't set.
  package init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isInMemory = isInMemory && access(memory, W_OK) == 0
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? (isInMemory ? memory : "/tmp")
    var template = Array("\(root)/contrail-XXXXXX".utf8CString)
    guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
      throw StorageError("mkdtemp", errorNumber: errno, message: "no temporary directory")
    }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    let storage = POSIXStorage()
    if (try? storage.kind(of: path)) == .directory {
      for name in (try? storage.names(in: path)) ?? [] { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      try? storage.remove(path)
    }
  }

  /// The path of a file in the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }
}

extension TemporaryDirectory {
  /// All bytes of a file.
  package static func contents(_ path: String) throws -> [UInt8] {
    let file = try POSIXStorage().open(path, .read)
    var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
    var count = 0
    while count < bytes.count {
      let read = try bytes.withUnsafeMutableBytes {
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]), at: Int64(count))
      }
      if read == 0 { break }
      count += read
    }
    return Array(bytes.prefix(count))
  }

  /// Makes a named pipe, which nobody writes into.
  package static func makePipe(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else {
      throw StorageError("mkfifo", errorNumber: errno, message: "no named pipe")
    }
  }

  /// Replaces what is under the path.
  package static func put(_ bytes: some Collection<UInt8>, _ path: String) throws {
    let storage = POSIXStorage()
    if try storage.kind(of: path) == .file { try storage.remove(path) }
    let file = try storage.open(path, .create)
    let bytes = Array(bytes)
    var count = 0
    while count < bytes.count {
      count += try bytes.withUnsafeBytes {
        try file.write(UnsafeRawBufferPointer(rebasing: $0[count...]), at: Int64(count))
      }
    }
  }
}
