/// Bodies that don't fit into a line, each in a file that is named by its SHA-256.
///
/// A blob is whole and synced before the line that names it is written, and is never changed. Two bodies that are equal
/// are one blob.
public struct BlobStore: Sendable {
  /// A blob's name: the SHA-256 of its bytes as 64 lowercase hexadecimal digits.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    public let digits: String

    /// Reads 64 lowercase hexadecimal digits; nil if `digits` are anything else.
    public init?(_ digits: String) {
      guard digits.utf8.count == 64, digits.utf8.allSatisfy({ Hex.value(lowercase: $0) != nil }) else { return nil }
      self.digits = digits
    }

    /// The name of these bytes.
    public init(of bytes: UnsafeRawBufferPointer) {
      digits = SHA256.hex(bytes)
    }

    /// The name of these bytes.
    public init(of bytes: [UInt8]) {
      digits = bytes.withBytes { SHA256.hex($0) }
    }

    public var description: String { digits }
  }

  /// The directory that holds the blobs; made with the first.
  public let directory: String
  private let storage: any LogStorage

  /// Makes a store over a directory, which need not be there.
  public init(directory: String, storage: any LogStorage = POSIXStorage()) {
    self.directory = directory
    self.storage = storage
  }

  private func path(_ id: ID) -> String { Path.join(directory, id.digits) }

  /// Keeps `bytes`; on stable storage when this returns.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  /// - Complexity: O(*n*), and two syncs, one if the blob was there.
  public func put(_ bytes: [UInt8]) throws(LogError) -> ID {
    let id = ID(of: bytes)
    let path = path(id)
    do throws(StorageFault) {
      // A file under this name was whole when it got it. Damage since then shows when it is read; here it is mended.
      if try storage.kind(of: path) == .file, try isIntact(id, count: bytes.count) {
        // Whoever gave it its name may have come no further: the name must outlive a loss of power too.
        try storage.synchronize(directory: directory)
        return id
      }
      try storage.makeDirectory(directory)
      try storage.publish(path) { file throws(StorageFault) in
        try bytes.withBytes { bytes throws(StorageFault) in try file.writeAll(bytes, at: 0) }
      }
      return id
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }

  /// The bytes of a blob, whose hash has been checked.
  ///
  /// - Parameter count: How many bytes it must have, if the line that names it says so.
  /// - Throws: ``LogError/Code/blobMissing``, ``LogError/Code/blobDamaged``, ``LogError/Code/unreadable``.
  public func bytes(of id: ID, count: Int? = nil) throws(LogError) -> [UInt8] {
    let path = path(id)
    let bytes: [UInt8]?
    do throws(StorageFault) {
      bytes = try storage.kind(of: path) == .file ? contents(of: path) : nil
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard let bytes else { throw LogError(.blobMissing, file: path, reason: "no blob has this name") }
    if let count, count != bytes.count {
      throw LogError(.blobDamaged, file: path, reason: "it has \(bytes.count) bytes, \(count) are due")
    }
    let found = ID(of: bytes)
    guard found == id else { throw LogError(.blobDamaged, file: path, reason: "its bytes have the hash \(found)") }
    return bytes
  }

  /// All blobs that are there, in no order, with their sizes in bytes.
  func all() throws(StorageFault) -> [(id: ID, byteCount: Int64)] {
    guard try storage.kind(of: directory) == .directory else { return [] }
    var found: [(id: ID, byteCount: Int64)] = []
    for name in try storage.names(in: directory) {
      guard let id = ID(name) else { continue }
      found.append((id, try storage.open(path(id), .read).size()))
    }
    return found
  }

  func remove(_ ids: some Sequence<ID>) throws(StorageFault) {
    var isChanged = false
    for id in ids {
      try storage.remove(path(id))
      isChanged = true
    }
    if isChanged { try storage.synchronize(directory: directory) }
  }

  /// Removes what interrupted writes left, and answers the paths.
  func removeTemporaryFiles() throws(StorageFault) -> [String] {
    guard try storage.kind(of: directory) == .directory else { return [] }
    return try storage.removeTemporaryFiles(in: directory)
  }

  private func isIntact(_ id: ID, count: Int) throws(StorageFault) -> Bool {
    guard try storage.open(path(id), .read).size() == Int64(count) else { return false }
    return ID(of: try contents(of: path(id))) == id
  }

  private func contents(of path: String) throws(StorageFault) -> [UInt8] {
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

// MARK: - Names in lines

extension BlobStore.ID {
  /// Finds each string of 64 lowercase hexadecimal digits in `line` and gives it to `body`.
  ///
  /// Which key a blob is named by is for those to know who write the payloads. Taking too many strings for names keeps
  /// a blob longer than need be; missing one would lose it. So any string of that form counts.
  static func forEach(in line: UnsafeRawBufferPointer, _ body: (BlobStore.ID) -> Void) {
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
