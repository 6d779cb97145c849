import ContrailCompression

/// A file of the log: consecutive lines that replay independently.
package struct LogSegment: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  /// The `seq` of the first line, according to the file name.
  ///
  /// Nil for a log that isn't in a directory.
  package let firstSeq: Int64?
  /// Whether the segment is compressed. A compressed segment is never written again.
  package var isSealed: Bool { path.hasSuffix(LogFileName.sealedSuffix) }

  init(path: String, firstSeq: Int64?) {
    self.path = path
    self.firstSeq = firstSeq
  }

  /// Returns the segments in a directory, oldest first.
  ///
  /// If a segment exists both compressed and uncompressed, its compression was interrupted, and the uncompressed one is
  /// used.
  static func all(in directory: String, _ storage: any LogStorage) throws(StorageError) -> [LogSegment] {
    var found: [Int64: LogSegment] = [:]
    for name in try storage.names(in: directory) {
      guard let (first, isSealed) = LogFileName.segment(name) else { continue }
      if isSealed, found[first] != nil { continue }
      found[first] = LogSegment(path: Path.join(directory, name), firstSeq: first)
    }
    return found.sorted { $0.key < $1.key }.map { $0.value }
  }

  /// Returns the segments of the log at a path, oldest first, and whether the path is a directory.
  package static func all(
    ofLogAt path: String, _ storage: any LogStorage
  ) throws(LogError) -> (segments: [LogSegment], isDirectory: Bool) {
    let kind: LogStorageKind
    let segments: [LogSegment]
    do throws(StorageError) {
      kind = try storage.kind(of: path)
      segments = kind == .directory ? try all(in: path, storage) : [LogSegment(path: path, firstSeq: nil)]
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard kind != .special else {
      throw LogError(
        .notALog, file: path, reason: "it is a pipe, a socket or a device; a log must be a regular file or a directory")
    }
    guard !segments.isEmpty else {
      throw LogError(.notALog, file: path, reason: "the directory contains no segment")
    }
    return (segments, kind == .directory)
  }

  /// Returns the segment at its current path. It may have been compressed since the directory was read.
  func found(_ storage: any LogStorage) throws(LogError) -> LogSegment {
    guard firstSeq != nil, !isSealed else { return self }
    do throws(StorageError) {
      guard try storage.kind(of: path) == .nothing else { return self }
      let sealed = LogSegment(path: path + LogFileName.packedSuffix, firstSeq: firstSeq)
      return try storage.kind(of: sealed.path) == .nothing ? self : sealed
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }

  /// Returns the lines of the file, decompressed if needed.
  ///
  /// Compression is detected by the file's name or, for other names, by its content.
  func lines(_ storage: any LogStorage, _ options: LogReader.Options) throws(LogError) -> LineBuffer {
    do throws(StorageError) {
      let file = try storage.open(path, .read)
      let input = FileInput(file, path: path)
      let isPacked = path.hasSuffix(LogFileName.packedSuffix) ? true : try file.beginsAsXZ()
      guard isPacked else { return LineBuffer(input, file: path, options: options) }
      let packed = PackedInput(input, path: path)
      #if !hasFeature(Embedded)
        // Without threads, nothing is decompressed ahead.
        if options.unpacksAhead { return LineBuffer(AheadInput(packed), file: path, options: options) }
      #endif
      return LineBuffer(packed, file: path, options: options)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }
}

extension LogFile {
  fileprivate func beginsAsXZ() throws(StorageError) -> Bool {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { head.deallocate() }
    // One read is sufficient, because no file system splits the first eight bytes of a file.
    let count = try read(into: head, at: 0)
    return XZFormat.isXZ(UnsafeRawBufferPointer(rebasing: head[..<count]))
  }
}
