/// The limits for the size of a log. The newest segments are always kept, because they contain the state.
package struct LogRetention: Hashable, Sendable {
  /// The maximum size on disk of segments and their blobs, in bytes; nil for no limit.
  package var maximumBytes: Int64?
  /// The time to keep a segment after its last line, in milliseconds; nil for no limit.
  package var maximumAgeMilliseconds: Int64?
  /// The maximum number of segments; nil for no limit.
  package var maximumSegments: Int?
  /// The number of newest segments that are always kept; at least one.
  package var minimumSegments: Int

  /// Creates retention limits.
  package init(
    maximumBytes: Int64? = nil, maximumAgeMilliseconds: Int64? = nil, maximumSegments: Int? = nil,
    minimumSegments: Int = 2
  ) {
    self.maximumBytes = maximumBytes
    self.maximumAgeMilliseconds = maximumAgeMilliseconds
    self.maximumSegments = maximumSegments
    self.minimumSegments = max(1, minimumSegments)
  }

}

/// The segments and blobs that were removed.
package struct RetentionResult: Hashable, Sendable {
  /// The removed segments, oldest first.
  package var segments: [LogSegment] = []
  /// The removed blobs, to which no remaining segment refers.
  package var blobs: Set<BlobStore.ID> = []
  /// The number of bytes freed.
  package var byteCount: Int64 = 0

  /// Creates an empty result.
  package init() {}
}

extension LogDirectory {
  private struct Kept {
    let segment: LogSegment
    let byteCount: Int64
    /// The time of its last line, or slightly later.
    let endedAt: Int64
    let blobs: Set<BlobStore.ID>
  }

  /// Removes the oldest segments beyond the limits, then the blobs to which no segment refers.
  ///
  /// An interruption at any point leaves a log without gaps; blobs may remain that are no longer needed, but none is
  /// missing.
  ///
  /// - Parameters:
  ///   - rule: The limits.
  ///   - now: The current time, in milliseconds.
  /// - Returns: The removed segments and blobs.
  /// - Throws: ``LogError/Code/unreadable``, ``LogError/Code/writeFailed``, or the error of a damaged segment: without
  ///   reading it, no blob is known to be unused.
  /// - Complexity: With blobs, O(*n*) in the segments whose references aren't known yet; each is read once.
  package func retain(_ rule: LogRetention, at now: Int64) throws(LogError) -> RetentionResult {
    let segments = try segments()
    let blobSizes = try blobSizes()
    var kept: [Kept] = []
    for (index, segment) in segments.enumerated() {
      kept.append(
        Kept(
          segment: segment, byteCount: try size(of: segment),
          endedAt: index + 1 < segments.count ? try firstLineTime(of: segments[index + 1]) : writer.last.at,
          blobs: blobSizes.isEmpty ? [] : try blobsNamed(in: segment)))
    }

    var outcome = RetentionResult()
    var rest = kept[...]
    while rest.count > rule.minimumSegments, let oldest = rest.first, exceeds(rule, rest, blobSizes, now) {
      outcome.segments.append(oldest.segment)
      outcome.byteCount += oldest.byteCount
      rest = rest.dropFirst()
    }
    let named = rest.reduce(into: freshBlobs) { $0.formUnion($1.blobs) }
    outcome.blobs = Set(blobSizes.keys).subtracting(named)
    outcome.byteCount += outcome.blobs.reduce(0) { $0 + (blobSizes[$1] ?? 0) }
    if let first = rest.first?.segment.firstSeq, !outcome.segments.isEmpty {
      // Without this line, the removal would look like one by hand.
      try writer.appendMark(at: now, kept: first)
      try writer.sync(at: now)
    }
    try remove(outcome)
    return outcome
  }

  private func exceeds(
    _ rule: LogRetention, _ kept: ArraySlice<Kept>, _ blobSizes: [BlobStore.ID: Int64], _ now: Int64
  ) -> Bool {
    if let limit = rule.maximumSegments, kept.count > limit { return true }
    if let limit = rule.maximumAgeMilliseconds, let oldest = kept.first, now &- oldest.endedAt > limit { return true }
    guard let limit = rule.maximumBytes else { return false }
    let named = kept.reduce(into: freshBlobs) { $0.formUnion($1.blobs) }
    let blobBytes = named.reduce(0) { $0 + (blobSizes[$1] ?? 0) }
    return kept.reduce(blobBytes) { $0 + $1.byteCount } > limit
  }

  /// Removes the oldest segments first and syncs each step, so that a crash leaves no gap.
  private func remove(_ outcome: RetentionResult) throws(LogError) {
    do throws(StorageError) {
      for segment in outcome.segments {
        try storage.remove(segment.path)
        // If compression was interrupted, the segment exists twice, and the other file would become visible.
        let twin = segment.path + LogFileName.packedSuffix
        if try storage.kind(of: twin) == .file { try storage.remove(twin) }
        try storage.synchronize(directory: path)
        if let first = segment.firstSeq { blobsNamed[first] = nil }
      }
      try blobs.remove(outcome.blobs)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }

  private func blobSizes() throws(LogError) -> [BlobStore.ID: Int64] {
    do throws(StorageError) {
      var sizes: [BlobStore.ID: Int64] = [:]
      for blob in try blobs.all() { sizes[blob.id] = blob.byteCount }
      return sizes
    } catch {
      throw LogError(.unreadable, file: blobs.directory, error)
    }
  }

  private func size(of segment: LogSegment) throws(LogError) -> Int64 {
    do throws(StorageError) {
      return try storage.open(segment.path, .read).size()
    } catch {
      throw LogError(.unreadable, file: segment.path, error)
    }
  }

  private func firstLineTime(of segment: LogSegment) throws(LogError) -> Int64 {
    let reader = try LogReader(segments: [segment], isDirectory: false, storage: storage, options: options)
    return try reader.next()?.at ?? 0
  }

  private func blobsNamed(in segment: LogSegment) throws(LogError) -> Set<BlobStore.ID> {
    if let first = segment.firstSeq, let known = blobsNamed[first] { return known }
    var named: Set<BlobStore.ID> = []
    let reader = try LogReader(segments: [segment], isDirectory: false, storage: storage, options: options)
    while let line = try reader.next() {
      // Their hashes aren't those of blobs.
      if line.isKind(LogKind.logSynced) || line.isKind(LogKind.segmentOpened) { continue }
      BlobStore.ID.forEach(in: line.bytes) { named.insert($0) }
    }
    if let first = segment.firstSeq, segment.path != writer.path { blobsNamed[first] = named }
    return named
  }
}
