import ContrailCore
public import ContrailLog
public import ContrailWire

/// What came of replaying one recording.
public struct RecordingResult: Sendable {
  /// The path as it was given.
  public var path: String
  public var outcome: Outcome
  public var statistics: Statistics
  /// The digest of the state at the end, scopes and control in one number; nil where the recording could not be read.
  public var digest: UInt64?
  /// The turbulence reports held at the end, in all scopes.
  public var held = HeldSum(count: 0, checksum: 0)
  /// What was left out.
  public var setAside = SetAside()
  /// Bytes of lines that were read, for the speed; of a sealed recording, unpacked.
  public var byteCount: Int64 = 0

  public enum Outcome: Sendable, Equatable {
    /// Every decision and digest is as recorded.
    case same
    case diverged(Divergence, Consequences)
    case unreadable(UnreadableRecording)
  }

  /// Replays a recording.
  ///
  /// - Parameters:
  ///   - path: A `.jsonl` or `.jsonl.xz` file, or a directory of segments.
  ///   - until: The last moment that is replayed; nil for all.
  ///   - threads: With two, lines are read and decoded on one and folded on the other. What comes of it is the same.
  /// - Complexity: O(*n*) in the recording's bytes; memory is that of the state and one line.
  public init(
    replaying path: String, until: Moment? = nil, threads: Int = 1, storage: any LogStorage = POSIXStorage()
  ) {
    self.init(replaying: path, until: until, threads: threads, blobsBeside: path, storage: storage)
  }

  /// Replays a recording whose blobs are in the folder beside another file.
  init(
    replaying path: String, until: Moment? = nil, threads: Int = 1, blobsBeside home: String,
    storage: any LogStorage = POSIXStorage()
  ) {
    self.path = path
    var replayer = Replayer()
    do throws(UnreadableRecording) {
      // What is sealed takes a third: unpacking is slower than all else together.
      let reader = try RecordingReader(
        path: path, blobsBeside: home, storage: storage, unpacksAhead: threads > 1)
      // Who stops halfway would find the reader ahead of where the fold is.
      if threads > 1 && until == nil {
        try replayer.fold(StepsAhead(reader), until: nil)
      } else {
        try replayer.fold(reader, until: until)
      }
      replayer.finish()
      outcome = replayer.divergence.map { .diverged($0, replayer.consequences) } ?? .same
      digest = replayer.state.digest.combined
      held = replayer.state.scopes.reduce(held) {
        HeldSum(count: $0.count + $1.reports.count, checksum: $0.checksum &+ $1.reports.checksum)
      }
      setAside = reader.setAside
      byteCount = reader.byteCount
    } catch {
      outcome = .unreadable(error)
    }
    statistics = replayer.statistics
  }
}

extension Replayer {
  /// Takes in what a source gives, up to the last moment that is wanted.
  fileprivate mutating func fold(_ source: some StepSource, until limit: Moment?) throws(UnreadableRecording) {
    while let step = try source.nextStep(), !isBeyond(limit, seq: step.seq, at: step.at) { try fold(step) }
  }

  /// Whether a line comes after the last moment that is wanted.
  func isBeyond(_ limit: Moment?, seq: Int64, at: Int64) -> Bool {
    limit?.isBefore(seq: seq, at: at, start: statistics.firstAt ?? at) ?? false
  }
}
