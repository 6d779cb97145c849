import ContrailWire

/// Stores bodies that don't fit into a line, each in a file named by its SHA-256.
///
/// A blob is complete and synced before a line refers to it, and never changes. Equal bodies share one blob.
package struct BlobStore: Sendable {
  /// The name of a blob: the SHA-256 of its bytes as 64 lowercase hexadecimal digits.
  package struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    package let digits: String

    /// Creates an ID from 64 lowercase hexadecimal digits; nil for any other text.
    package init?(_ digits: String) {
      guard digits.utf8.count == 64, digits.utf8.allSatisfy({ Hex.lowercaseDigit($0) != nil }) else { return nil }
      self.digits = digits
    }

    /// Creates the ID of these bytes.
    package init(of bytes: UnsafeRawBufferPointer) {
      digits = SHA256.hex(bytes)
    }

    /// Creates the ID of these bytes.
    package init(of bytes: [UInt8]) {
      digits = bytes.withBytes { SHA256.hex($0) }
    }

    package var description: String { digits }
  }

  /// The directory of the blobs. It is created with the first blob.
  package let directory: String
  private let storage: any LogStorage

  /// Creates a store for a directory, which need not exist.
  package init(directory: String, storage: any LogStorage = SystemStorage()) {
    self.directory = directory
    self.storage = storage
  }

  /// Creates the store of a log in a directory.
  package init(ofLogIn directory: String, storage: any LogStorage = SystemStorage()) {
    self.init(directory: Path.join(directory, LogFileName.blobs), storage: storage)
  }

  /// Creates the store of a log: in its directory, or beside a log in one file.
  package init(ofLogAt path: String, storage: any LogStorage = SystemStorage()) {
    let isDirectory = (try? storage.kind(of: path)) == .directory
    self.init(ofLogIn: isDirectory ? path : Path.directory(of: path), storage: storage)
  }

  private func path(_ id: ID) -> String { Path.join(directory, id.digits) }

  /// Stores `bytes`. They are on stable storage when this method returns.
  ///
  /// - Returns: The ID of the blob.
  /// - Throws: ``LogError/Code/writeFailed``.
  /// - Complexity: O(*n*), with two syncs, or one if the blob exists.
  package func put(_ bytes: [UInt8]) throws(LogError) -> ID {
    let id = ID(of: bytes)
    let path = path(id)
    do throws(StorageError) {
      // A file with this name was complete when it was named. If it was damaged since, write it again.
      if try storage.kind(of: path) == .file, try isIntact(id, count: bytes.count) {
        // An earlier write may have been interrupted after the rename, so make the name durable.
        try storage.synchronize(directory: directory)
        return id
      }
      try storage.makeDirectory(directory)
      try storage.publish(path) { file throws(StorageError) in
        try bytes.withBytes { bytes throws(StorageError) in try file.writeAll(bytes, at: 0) }
      }
      return id
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }

  /// Returns the bytes of a blob after checking their hash.
  ///
  /// - Parameters:
  ///   - id: The ID of the blob.
  ///   - count: The expected number of bytes, if the referring line states it.
  /// - Throws: ``LogError/Code/blobMissing``, ``LogError/Code/blobDamaged``, ``LogError/Code/unreadable``.
  package func bytes(of id: ID, count: Int? = nil) throws(LogError) -> [UInt8] {
    let path = path(id)
    let bytes: [UInt8]?
    do throws(StorageError) {
      bytes = try storage.kind(of: path) == .file ? contents(of: path) : nil
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard let bytes else { throw LogError(.blobMissing, file: path, reason: "the blob doesn't exist") }
    if let count, count != bytes.count {
      throw LogError(.blobDamaged, file: path, reason: "it has \(bytes.count) bytes, expected \(count)")
    }
    let found = ID(of: bytes)
    guard found == id else { throw LogError(.blobDamaged, file: path, reason: "its bytes have the hash \(found)") }
    return bytes
  }

  /// Returns all existing blobs with their sizes in bytes, in unspecified order.
  func all() throws(StorageError) -> [(id: ID, byteCount: Int64)] {
    guard try storage.kind(of: directory) == .directory else { return [] }
    var found: [(id: ID, byteCount: Int64)] = []
    for name in try storage.names(in: directory) {
      guard let id = ID(name) else { continue }
      found.append((id, try storage.open(path(id), .read).size()))
    }
    return found
  }

  func remove(_ ids: some Sequence<ID>) throws(StorageError) {
    var isChanged = false
    for id in ids {
      try storage.remove(path(id))
      isChanged = true
    }
    if isChanged { try storage.synchronize(directory: directory) }
  }

  /// Removes the temporary files of interrupted writes and returns their paths.
  func removeTemporaryFiles() throws(StorageError) -> [String] {
    guard try storage.kind(of: directory) == .directory else { return [] }
    return try storage.removeTemporaryFiles(in: directory)
  }

  private func isIntact(_ id: ID, count: Int) throws(StorageError) -> Bool {
    guard try storage.open(path(id), .read).size() == Int64(count) else { return false }
    return ID(of: try contents(of: path(id))) == id
  }

  private func contents(of path: String) throws(StorageError) -> [UInt8] {
    let file = try storage.open(path, .read)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { block.deallocate() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(clamping: min(try file.size(), 64 << 20)))
    while true {
      let count = try file.read(into: block, at: Int64(bytes.count))
      if count == 0 { return bytes }
      bytes.append(contentsOf: block[..<count])
    }
  }
}

// MARK: - IDs in lines

extension BlobStore.ID {
  /// Calls `body` with each string of 64 lowercase hexadecimal digits in `line`.
  ///
  /// The log doesn't know which keys of a payload refer to blobs. A string that isn't an ID only keeps a blob for
  /// longer, whereas a missed ID would lose it. Therefore every string of that form counts.
  package static func forEach(in line: UnsafeRawBufferPointer, _ body: (BlobStore.ID) -> Void) {
    let quote = UInt8(ascii: "\"")
    var start = 0
    while let open = line.offset(of: quote, from: start), open + 65 < line.count {
      start = open + 1
      guard line[open + 65] == quote else { continue }
      let inside = UnsafeRawBufferPointer(rebasing: line[open + 1..<open + 65])
      if let id = BlobStore.ID(String(decoding: inside, as: UTF8.self)) { body(id) }
    }
  }
}
