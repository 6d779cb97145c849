import ContrailXZ

/// A file of the log: some lines in a row that replay by themselves.
public struct LogSegment: Hashable, Sendable {
  /// The file.
  public let path: String
  /// The `seq` of its first line, by its name; nil for a log that isn't in a directory.
  public let firstSeq: Int64?
  /// Whether it is sealed: compressed, and never written again.
  public var isSealed: Bool { path.hasSuffix(LogFileName.sealedSuffix) }

  init(path: String, firstSeq: Int64?) {
    self.path = path
    self.firstSeq = firstSeq
  }

  /// The segments in a directory, oldest first. Where a segment stands there both sealed and not, sealing was
  /// interrupted: the one that isn't sealed counts.
  static func all(in directory: String, _ storage: some LogStorage) throws(StorageFault) -> [LogSegment] {
    var found: [Int64: LogSegment] = [:]
    for name in try storage.names(in: directory) {
      guard let (first, isSealed) = LogFileName.segment(name) else { continue }
      if isSealed, found[first] != nil { continue }
      found[first] = LogSegment(path: Path.join(directory, name), firstSeq: first)
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The segments of the log under a path, oldest first, and whether the path is a directory of them.
  static func all(
    ofLogAt path: String, _ storage: some LogStorage
  ) throws(LogError) -> (segments: [LogSegment], isDirectory: Bool) {
    let kind: LogStorageKind
    let segments: [LogSegment]
    do throws(StorageFault) {
      kind = try storage.kind(of: path)
      segments = kind == .directory ? try all(in: path, storage) : [LogSegment(path: path, firstSeq: nil)]
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard kind != .special else {
      throw LogError(
        .notALog, file: path, reason: "it is a pipe, a socket or a device; a log is a regular file or a directory")
    }
    guard !segments.isEmpty else {
      throw LogError(.notALog, file: path, reason: "the directory holds no segment")
    }
    return (segments, kind == .directory)
  }

  /// The segment where it is now: it may have been sealed since the directory was read.
  func found(_ storage: some LogStorage) throws(LogError) -> LogSegment {
    guard firstSeq != nil, !isSealed else { return self }
    do throws(StorageFault) {
      guard try storage.kind(of: path) == .nothing else { return self }
      let sealed = LogSegment(path: path + LogFileName.packedSuffix, firstSeq: firstSeq)
      return try storage.kind(of: sealed.path) == .nothing ? self : sealed
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }

  /// The lines of the file, unpacked if it is sealed, which its content tells, or its name where the content is
  /// damaged.
  func lines(_ storage: some LogStorage, _ options: LogReader.Options) throws(LogError) -> LineBuffer {
    do throws(StorageFault) {
      let file = try storage.open(path, .read)
      let input = FileInput(file, path: path)
      let isPacked = path.hasSuffix(LogFileName.packedSuffix) ? true : try file.beginsAsXZ()
      guard isPacked else { return LineBuffer(input, file: path, options: options) }
      let packed = PackedInput(input, path: path)
      return LineBuffer(options.unpacksAhead ? AheadInput(packed) : packed, file: path, options: options)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }
}

extension LogFile {
  fileprivate func beginsAsXZ() throws(StorageFault) -> Bool {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { head.deallocate() }
    // Filled by one read: no file system splits the first eight bytes of a file.
    let count = try read(into: head, at: 0)
    return XZFormat.isXZ(UnsafeRawBufferPointer(rebasing: head[..<count]))
  }
}
