import ContrailCore
package import ContrailLog
package import ContrailWire

/// The result of replaying one recording.
package struct RecordingResult: Sendable {
  /// The path as given.
  package var path: String
  package var outcome: Verdict
  package var statistics: Statistics
  /// The digest of the final state, or `nil` if the recording couldn't be read.
  package var digest: UInt64?
  /// The turbulence reports held at the end, in all scopes.
  package var held = HeldSum(count: 0, checksum: 0)
  /// The parts that were skipped.
  package var setAside = SetAside()
  /// The number of bytes in the lines read, for the throughput. Compressed data counts as decompressed.
  package var byteCount: Int64 = 0
  /// The end of the recording, if it is before the last time to replay.
  package private(set) var end: End?
  /// Whether a mark differs that was verified later than in its place.
  private var isInDoubt = false

  /// The last line of a recording.
  package struct End: Sendable, Equatable {
    package var seq: Int64
    /// Its time after the first line, in milliseconds.
    package var offsetMS: Int64
  }

  package enum Verdict: Sendable, Equatable {
    /// Every decision and digest matches the recording.
    case same
    case diverged(Divergence, Consequences)
    case unreadable(UnreadableRecording)
  }

  /// Replays a recording.
  ///
  /// - Parameters:
  ///   - path: A `.jsonl` or `.jsonl.xz` file, or a directory of segments.
  ///   - until: The last time to replay, or `nil` for the whole recording.
  ///   - threads: The number of threads. With two, one reads and decodes lines and the other applies them. The result
  ///     is the same.
  ///   - storage: The file system.
  /// - Complexity: O(*n*) in the size of the recording. The state and one line are in memory.
  package init(
    replaying path: String, until: TimelinePosition? = nil, threads: Int = 1, storage: any LogStorage = POSIXStorage()
  ) {
    self.init(replaying: path, until: until, threads: threads, blobsBeside: path, storage: storage)
  }

  /// Replays a recording whose blobs are in the folder beside another file.
  ///
  /// - Parameter findings: Known results of airport files; nil to read each file again.
  init(
    replaying path: String, until: TimelinePosition? = nil, threads: Int = 1, blobsBeside home: String,
    storage: any LogStorage = POSIXStorage(), findings: AirportsFinding.Memory? = nil
  ) {
    self.init(
      Replayer(verifyingMarksLater: true), path, until: until, threads: threads, blobsBeside: home, storage: storage,
      findings: findings)
    // Almost every mark is right. If one isn't, the difference is reported in its place.
    guard isInDoubt else { return }
    self = RecordingResult(
      Replayer(tracingChanges: true), path, until: until, threads: threads, blobsBeside: home, storage: storage,
      findings: findings)
  }

  private init(
    _ replayer: consuming Replayer, _ path: String, until: TimelinePosition?, threads: Int, blobsBeside home: String,
    storage: any LogStorage, findings: AirportsFinding.Memory?
  ) {
    self.path = path
    do throws(UnreadableRecording) {
      // Decompression gets a third thread, because it takes longer than all other work together.
      let reader = try RecordingReader(
        path: path, blobsBeside: home, storage: storage, unpacksAhead: threads > 1, findings: findings)
      // With a limit, the reader would be ahead of the replayer at the end.
      if threads > 1 && until == nil {
        _ = try replayer.fold(StepsAhead(reader), until: nil)
      } else {
        end = try replayer.fold(reader, until: until)
      }
      replayer.finish()
      outcome = replayer.divergence.map { .diverged($0, replayer.consequences) } ?? .same
      digest = replayer.digest?.combined
      held = replayer.state.scopes.reduce(held) {
        HeldSum(count: $0.count + $1.reports.count, checksum: $0.checksum &+ $1.reports.checksum)
      }
      setAside = reader.setAside
      byteCount = reader.byteCount
    } catch {
      outcome = .unreadable(error)
    }
    statistics = replayer.statistics
    isInDoubt = replayer.isInDoubt
  }
}

extension Replayer {
  /// Applies the steps of a source up to a time.
  ///
  /// - Returns: The last line, if it is before that time.
  fileprivate mutating func fold(
    _ source: some StepSource, until limit: TimelinePosition?
  ) throws(UnreadableRecording) -> RecordingResult.End? {
    var last: (seq: Int64, at: Int64)?
    while let step = try source.nextStep() {
      if isBeyond(limit, seq: step.seq, at: step.at) { return nil }
      last = (step.seq, step.at)
      try fold(step)
    }
    guard let limit, let last, let start = statistics.firstAt else { return nil }
    let isReached =
      switch limit {
      case .seq(let seq): last.seq >= seq
      case .offset(let offset): last.at - start >= offset
      case .time(let time): last.at >= time
      }
    return isReached ? nil : .init(seq: last.seq, offsetMS: last.at - start)
  }
}
