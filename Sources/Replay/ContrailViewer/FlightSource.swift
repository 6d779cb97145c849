import ContrailCompression
package import ContrailLog
import ContrailWire

/// A recording as it goes into a page: its files, decompressed, and the blobs that they refer to.
///
/// Damaged files are taken as they are. The page finds the damage as `replay run` does and shows what precedes it.
package struct FlightSource: Sendable {
  /// A file with its name.
  package struct File: Sendable, Equatable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The name to show: the last component of the path.
  package var title: String
  /// The log, or the segments of a directory, oldest first.
  package var files: [File]
  /// The blobs, named by their hashes, in order of their names.
  package var blobs: [File]
  /// A description of each part that couldn't be read.
  package var warnings: [String] = []

  package init(title: String, files: [File], blobs: [File] = []) {
    self.title = title
    self.files = files
    self.blobs = blobs
  }

  /// The maximum number of bytes of a recording: the size that a browser handles as one page.
  package static let maximumBytes = 256 << 20

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - path: A `.jsonl` or `.jsonl.xz` file, or a directory of segments.
  ///   - storage: The file system.
  /// - Throws: ``PageError/Code/unreadable`` or ``PageError/Code/tooLarge``.
  /// - Complexity: O(*n*) in the size of the recording, which is held in memory.
  package init(path: String, storage: any LogStorage = SystemStorage()) throws(PageError) {
    let segments: [LogSegment]
    let isDirectory: Bool
    do throws(LogError) {
      (segments, isDirectory) = try LogSegment.all(ofLogAt: path, storage)
    } catch {
      throw PageError(.unreadable, file: path, reason: error.reason)
    }
    guard !Self.isOfService(path, storage) else {
      throw PageError(.ofService, file: path, reason: "it is the log of a service")
    }
    title = Self.name(of: path)
    files = []
    blobs = []
    var room = Self.maximumBytes
    for segment in segments {
      var bytes = try Self.contents(of: segment.path, storage, limit: room)
      var name = Self.name(of: segment.path)
      if XZFormat.isXZ(bytes) {
        bytes = try unpacked(bytes, of: segment.path, limit: room)
        if name.hasSuffix(".xz") { name.removeLast(".xz".count) }
      }
      room -= bytes.count
      files.append(File(name: name, bytes: bytes))
    }
    let folder = isDirectory ? path : Self.directory(of: path)
    try addBlobs(from: BlobStore(ofLogIn: folder, storage: storage), limit: room)
  }

  /// Whether the log is that of a service, which the page can't show.
  private static func isOfService(_ path: String, _ storage: any LogStorage) -> Bool {
    guard let reader = try? LogReader(path: path, storage: storage) else { return false }
    // The lines that the log itself writes come first.
    let own = [LogKind.segmentOpened, LogKind.snapshotPart, LogKind.snapshotEnded, LogKind.logSynced]
    while let line = try? reader.next() {
      if !own.contains(where: { line.isKind($0) }) { return LogKind.isOfService(line.kindName) }
    }
    return false
  }

  /// Returns the content of an `.xz` file, or what precedes its damage.
  private mutating func unpacked(_ bytes: [UInt8], of path: String, limit: Int) throws(PageError) -> [UInt8] {
    let decoder = XZDecoder(limits: .init(outputBytes: Int64(limit)))
    var result: [UInt8] = []
    var consumed = 0
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { block.deallocate() }
    do throws(CompressionError) {
      while true {
        let step = try bytes.withUnsafeBufferPointer { bytes throws(CompressionError) in
          let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[consumed...])
          return try decoder.decode(rest, into: block, isLast: true)
        }
        consumed += step.consumedBytes
        result.append(contentsOf: block[..<step.producedBytes])
        if step.isAtEnd { return result }
      }
    } catch {
      if case .oversized = error { throw Self.tooLarge(path) }
      warnings.append("\(path): \(error); the page shows what precedes the damage")
      return result
    }
  }

  /// Adds the existing blobs that the lines refer to. The page reports missing ones.
  private mutating func addBlobs(from store: BlobStore, limit: Int) throws(PageError) {
    var ids: Set<BlobStore.ID> = []
    for file in files {
      file.bytes.withUnsafeBytes { bytes in BlobStore.ID.forEach(in: bytes) { ids.insert($0) } }
    }
    var room = limit
    for id in ids.sorted(by: { $0.digits < $1.digits }) {
      // Other strings look like the names of blobs, too.
      guard let bytes = try? store.bytes(of: id) else { continue }
      room -= bytes.count
      if room < 0 { throw Self.tooLarge(store.directory) }
      blobs.append(File(name: id.digits, bytes: bytes))
    }
  }

  private static func contents(of path: String, _ storage: any LogStorage, limit: Int) throws(PageError) -> [UInt8] {
    do throws(StorageError) {
      let file = try storage.open(path, .read)
      guard try file.size() <= Int64(limit) else { throw .tooLarge }
      var bytes: [UInt8] = []
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
      defer { block.deallocate() }
      while true {
        let count = try file.read(into: block, at: Int64(bytes.count))
        if count == 0 { return bytes }
        bytes.append(contentsOf: block[..<count])
        if bytes.count > limit { throw .tooLarge }
      }
    } catch {
      if error == .tooLarge { throw tooLarge(path) }
      throw PageError(.unreadable, file: path, reason: "\(error.operation) failed: \(error.message)")
    }
  }

  private static func tooLarge(_ path: String) -> PageError {
    PageError(.tooLarge, file: path, reason: "the recording has more than \(maximumBytes >> 20) MiB")
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "" : String(path[..<slash])
  }
}

extension FlightSource {
  /// The recording in one piece for a page that follows it: the length of a list in four bytes (big-endian), the list of names and
  /// sizes as JSON, then the bytes of the files and the blobs.
  package var packed: [UInt8] {
    var json = JSONWriter()
    func list(_ name: StaticString, _ files: [File], to json: inout JSONWriter) {
      json.key(name)
      json.array { json in
        for file in files {
          json.object { json in
            json.key("name")
            json.value(file.name)
            json.key("size")
            json.value(file.bytes.count)
          }
        }
      }
    }
    json.object { json in
      json.key("title")
      json.value(title)
      list("files", files, to: &json)
      list("blobs", blobs, to: &json)
    }
    let head = json.bytes
    var packed = (0..<4).map { UInt8(truncatingIfNeeded: head.count >> (24 - 8 * $0)) } + head
    for file in files + blobs { packed += file.bytes }
    return packed
  }
}

extension StorageError {
  /// More bytes than a page can hold.
  fileprivate static let tooLarge = StorageError("read", errorNumber: 0, message: "too large")
}

extension XZFormat {
  fileprivate static func isXZ(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isXZ($0) } }
}
