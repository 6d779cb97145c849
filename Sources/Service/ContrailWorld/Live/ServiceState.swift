import ContrailGeodesy
package import ContrailLog
package import ContrailWire

/// The state of a live service: the fold of its log.
///
/// ```swift
/// var state = ServiceState(beginning: first.at / 1000, reader: FeedReader())
/// while let line = try reader.next() { try state.fold(line) }
/// ```
package struct ServiceState: Sendable {
  /// What a line changed.
  package enum Change: Sendable {
    /// Nothing that is served.
    case none
    /// The world gained the records of an answer.
    case gained(FeedGain)
    /// Reports were accepted, now or by an earlier line with the same idempotency key. Implausible reports aren't served.
    case uploaded(UploadAnswer)
    /// The idempotency key of the upload came with another body before.
    case refused(ServiceError)
  }

  /// What the world gained from an answer, and what was skipped.
  package struct FeedGain: Hashable, Sendable {
    package let source: String
    package let file: DayReport.File
    let gain: LiveWorld.Gain
    /// Whether the answer has as many records as the source gives at most, so that others may be missing.
    package let isFull: Bool

    /// The gain in words, such as `12 new PIREPs, 9 reports`.
    package var text: String {
      let parts = [
        Counted(gain.pireps, "new PIREP"), Counted(gain.reports, "report"), Counted(gain.advisories, "new area"),
        Counted(gain.withdrawn, "area withdrawn", "areas withdrawn"), Counted(gain.aircraft, "aircraft", "aircraft"),
        Counted(gain.refused, "of another time", "of another time"),
      ].filter { $0.count > 0 }.map(\.description)
      return parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    }

    /// The number of records in words, such as `of 1 record`, and a warning if the answer is full.
    package var extent: String {
      "of \(Counted(file.records, "record"))" + (isFull ? "; \(SourceState.fullWarning)" : "")
    }
  }

  var world: LiveWorld
  var uploads = UploadStore()
  /// The areas with handles, by the digest of the area, in the order of their registration.
  private(set) var areas: [UInt64: Ring] = [:]
  private(set) var areaOrder: [UInt64] = []
  package internal(set) var sources: [String: SourceState] = [:]
  /// The number of reports that aren't served, by reason.
  var quarantined: [ReportScreen.Reason: Int] = [:]
  package internal(set) var accepted: Int64 = 0
  /// The time of the last line in milliseconds since 1970.
  package internal(set) var lastAt: Int64
  private let reader: FeedReader

  /// The maximum number of areas. The oldest are forgotten first; their tablets send them again.
  static let maximumAreas = 100_000

  /// Creates the state at the beginning of a log.
  ///
  /// - Parameters:
  ///   - beginning: The time in seconds since 1970.
  ///   - reader: Reads the answers of feeds.
  package init(beginning: Int64, reader: FeedReader) {
    world = LiveWorld(beginning: beginning)
    lastAt = beginning * 1000
    self.reader = reader
  }

  /// Folds a line of a log.
  ///
  /// A snapshot replaces the state if it comes first, and is passed over otherwise.
  ///
  /// - Throws: ``ServiceLineError`` if the line isn't one of a service's log.
  @discardableResult
  package mutating func fold(_ line: LogLine) throws(ServiceLineError) -> Change {
    if line.isKind(LogKind.snapshotPart) {
      if !hasSnapshot { try restore(line) }
      lastAt = max(lastAt, line.at)
      return .none
    }
    if line.isKind(LogKind.snapshotEnded) { hasSnapshot = true }
    guard let entry = try ServiceLine(line) else {
      lastAt = max(lastAt, line.at)
      return .none
    }
    hasSnapshot = true
    return fold(entry, at: line.at)
  }

  /// Whether the state needs no snapshot: it has one, or lines were folded.
  private var hasSnapshot = false

  /// Folds an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - at: The time of its line in milliseconds since 1970.
  ///   - records: The records of an answer, if they have been read already.
  package mutating func fold(_ entry: ServiceLine, at: Int64, records: FeedRecords? = nil) -> Change {
    hasSnapshot = true
    lastAt = max(lastAt, at)
    switch entry {
    case .started: return .none
    case .answered(let answer): return answered(answer, at: at, records: records)
    case .unchanged(let source, _):
      sources[source, default: SourceState()].succeed(at: at)
      return .none
    case .failed(let failure):
      sources[failure.source, default: SourceState()].fail(failure, at: at)
      return .none
    case .uploaded(let upload): return uploaded(upload, now: at / 1000)
    case .area(let ring):
      register(ring)
      return .none
    }
  }

  private mutating func answered(_ answer: ServiceLine.FeedAnswer, at: Int64, records: FeedRecords?) -> Change {
    let body = Array(answer.body.utf8)
    var state = sources[answer.source] ?? SourceState()
    state.succeed(at: at)
    state.changedAt = at
    (state.entityTag, state.modified, state.digest) = (answer.entityTag, answer.modified, Digest.hash(body))
    defer { sources[answer.source] = state }
    // An answer was readable when it was stored. If a later version of the reader refuses it, it adds nothing.
    guard let records = records ?? (try? reader.read(body, from: answer.source, expecting: nil)) else { return .none }
    let gain = world.gain(records, from: answer.source, arrival: at / 1000)
    state.kind = records.kind
    if records.kind == .sigmets, records.file.records > 0 {
      // The answer lists all that is valid. If no record has a time, its age can't be told.
      state.newestRecord = gain.newest
    } else if let newest = gain.newest {
      state.newestRecord = max(state.newestRecord ?? newest, newest)
    }
    state.records += Int64(records.file.records)
    let isFull = FeedSource.maximumRecords(ofSource: answer.source) == records.file.records
    if isFull {
      state.fullAnswers += 1
      state.fullAt = at
    }
    for note in records.file.notes where note.oddity.handling == .leftOut {
      state.skipped += Int64(note.count)
      state.skippedByReason[note.oddity, default: 0] += Int64(note.count)
    }
    return .gained(FeedGain(source: answer.source, file: records.file, gain: gain, isFull: isFull))
  }

  private mutating func uploaded(_ upload: ServiceLine.Upload, now: Int64) -> Change {
    let (owner, key) = (upload.owner, upload.key)
    do throws(ServiceError) {
      if let known = try uploads.receipt(owner: owner, key: key, bodyDigest: upload.bodyDigest, now: now) {
        return .uploaded(known)
      }
      // A report whose cell doesn't exist isn't read, so each one has an observation, and the indices are those of the upload.
      let observations = upload.reports.compactMap { WorldEpoch.Observation($0, arrival: now) }
      let reasons = ReportScreen.reasons(
        observations, recent: uploads.count(of: owner, after: now - 3600), others: uploads.others(than: owner))
      for case let reason? in reasons { quarantined[reason, default: 0] += 1 }
      let kept = zip(observations, reasons).filter { $0.1 == nil }.map(\.0)
      let heldBack = reasons.enumerated().compactMap { index, reason in
        reason.map { UploadAnswer.HeldBack(report: index, reason: $0) }
      }
      let trims = uploads.trimCount
      let answer = try uploads.accept(
        kept, heldBack: heldBack, owner: owner, key: key, bodyDigest: upload.bodyDigest, now: now)
      for observation in kept { world.reportIndex.add(observation) }
      uploads.forget(before: now - LiveWorld.memorySeconds)
      world.reportIndex.forget(through: now - LiveWorld.memorySeconds)
      if uploads.trimCount != trims {
        world.reportIndex.replace(by: world.epochs.values.flatMap(\.observations) + uploads.observations)
      }
      accepted += Int64(answer.accepted)
      return .uploaded(answer)
    } catch {
      return .refused(error)
    }
  }

  mutating func register(_ ring: Ring) {
    let digest = AreaRegistry.digest(of: ring)
    guard areas.updateValue(ring, forKey: digest) == nil else { return }
    areaOrder.append(digest)
    guard areaOrder.count > Self.maximumAreas else { return }
    for digest in areaOrder.prefix(Self.maximumAreas / 10) { areas[digest] = nil }
    areaOrder.removeFirst(Self.maximumAreas / 10)
  }

  /// Returns the number of records that are valid at a time in seconds since 1970, by kind.
  ///
  /// Reports are valid for the longest history, aircraft for five minutes after they were seen, and advisories until they end or are
  /// withdrawn.
  ///
  /// - Complexity: O(*n*) in the records.
  package func held(at now: Int64) -> [(name: String, count: Int)] {
    let oldest = now - UploadStore.longestHistory
    let epochs = world.epochs(after: oldest, before: now + LiveWorld.clockTolerance + 1)
    return [
      ("pireps", epochs.reduce(0) { $0 + $1.pireps.count { $0.first.observedAt > oldest } }),
      ("reports", epochs.reduce(0) { $0 + $1.observations.count { $0.observedSecond > oldest } }),
      ("advisories", world.advisories.count { $0.advisory.start <= now && now < $0.advisory.end }),
      ("aircraft", world.traffic(at: now).count),
      ("uploaded", uploads.observations.count { $0.observedSecond > oldest }),
    ]
  }

  /// The rings of the areas, in the order of their registration.
  var rings: [Ring] { areaOrder.compactMap { areas[$0] } }
}

extension SourceState {
  fileprivate mutating func succeed(at: Int64) {
    (askedAt, answeredAt) = (at, at)
    (failures, failure, notBefore) = (0, nil, nil)
    answers += 1
    countRequest(at: at)
  }

  fileprivate mutating func fail(_ failure: ServiceLine.FeedFailure, at: Int64) {
    askedAt = at
    failures += 1
    failuresInAll += 1
    if failure.status != nil { countRequest(at: at) }
    self.failure = failure.reason
    notBefore = failure.retryAfterSeconds.map { at + $0 * 1000 }
  }
}
