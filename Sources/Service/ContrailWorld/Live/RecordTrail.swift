package import ContrailLog
import ContrailWire

/// Follows the PIREPs, advisories and uploads of a service's log that contain a text: when each came, and how it ended.
///
/// ```swift
/// var trail = RecordTrail(of: "XRAY 2", reader: .complete)
/// while let line = try reader.next() { for event in try trail.fold(line) { print(event.text) } }
/// ```
package struct RecordTrail: Sendable {
  package struct Event: Hashable, Sendable {
    /// The sequence number of the line; nil if the time alone is the cause.
    package var seq: Int64?
    /// The time in milliseconds since 1970.
    package var at: Int64
    package var text: String
  }

  /// A record that is served.
  private struct Followed {
    var name: String
    /// The time in seconds since 1970 from which on it isn't served any more.
    var end: Int64
    /// What happens then.
    var ending: String
    /// The identity of an advisory.
    var advisory: LiveWorld.AdvisoryKey?
  }

  private let text: String
  private let reader: FeedReader
  private var state: ServiceState?
  /// Whether a line was folded that isn't one of the log's own.
  private var hasEntries = false
  private var followed: [Followed] = []
  /// The records that were skipped, with the reasons. Most feeds repeat them in each answer.
  private var skipped: Set<String> = []

  package init(of text: String, reader: FeedReader) { (self.text, self.reader) = (text, reader) }

  /// Folds the next line of the log.
  ///
  /// - Returns: What happened to the records, in the order of time.
  /// - Throws: ``ServiceLineError`` if the line isn't one of a service's log.
  package mutating func fold(_ line: LogLine) throws(ServiceLineError) -> [Event] {
    var events = ended(through: line.at)
    if state == nil { state = ServiceState(beginning: line.at / 1000, reader: reader) }
    guard let entry = try ServiceLine(line) else {
      try state?.fold(line)
      if line.isKind(LogKind.snapshotEnded), !hasEntries { events += restored(at: line.at) }
      return events
    }
    hasEntries = true
    for text in fold(entry, at: line.at) { events.append(Event(seq: line.seq, at: line.at, text: text)) }
    return events
  }

  /// Returns the records that ended until a time in milliseconds since 1970, in the order of time.
  package mutating func ended(through now: Int64) -> [Event] {
    let over = followed.filter { $0.end <= now / 1000 }.sorted { ($0.end, $0.name) < ($1.end, $1.name) }
    guard !over.isEmpty else { return [] }
    followed.removeAll { $0.end <= now / 1000 }
    return over.map { Event(at: $0.end * 1000, text: "\($0.name) \($0.ending)") }
  }

  // MARK: Parts

  /// A record that an answer contains, before the answer is folded.
  private struct Candidate {
    var part: String
    var read: FeedRecords
    var wasHeld: Bool
  }

  private mutating func fold(_ entry: ServiceLine, at: Int64) -> [String] {
    guard case .answered(let answer) = entry else {
      let change = state?.fold(entry, at: at) ?? ServiceState.Change.none
      guard String(decoding: entry.payload, as: UTF8.self).contains(text) else { return [] }
      if case .uploaded(let upload) = entry, case .uploaded(let result) = change, result.accepted > 0 {
        let newest = upload.reports.map { Int64($0.observedAt) }.max() ?? 0
        followed.append(
          Followed(
            name: "the upload '\(upload.key)' of '\(upload.owner)'", end: newest + UploadStore.longestHistory,
            ending: "expired: six hours after the observation"))
      }
      return [entry.words(change)]
    }
    let found = (try? reader.records(containing: text, in: Array(answer.body.utf8), from: answer.source)) ?? []
    let candidates = found.map { Candidate(part: $0.part, read: $0.read, wasHeld: isHeld($0.read)) }
    let change = state?.fold(entry, at: at) ?? ServiceState.Change.none
    var texts = withdrawn(at: at / 1000)
    // A record that the answer contains twice counts once.
    var known: Set<String> = []
    for candidate in candidates {
      guard let text = news(of: candidate, by: answer.source, at: at / 1000), known.insert(text).inserted else {
        continue
      }
      texts.append(text)
    }
    return texts.isEmpty && answer.source.contains(text) ? [entry.words(change)] : texts
  }

  private func isHeld(_ read: FeedRecords) -> Bool {
    if let report = read.pireps.first { return state?.world.known[report.pirep.id] != nil }
    guard let key = read.advisories.first?.key else { return false }
    return state?.world.advisories.contains { $0.advisory.key == key } ?? false
  }

  /// Returns what became of a record that was not held before.
  private mutating func news(of candidate: Candidate, by source: String, at now: Int64) -> String? {
    let (read, start) = (candidate.read, candidate.part.prefix(60).split(whereSeparator: \.isNewline))
    if let note = read.file.notes.first(where: { $0.oddity.handling == .leftOut }) {
      let text = "\(source): '\(start.joined(separator: " "))' skipped: \(note.oddity.text)"
      return skipped.insert(text).inserted ? text : nil
    }
    guard !candidate.wasHeld else { return nil }
    if let pirep = read.pireps.first?.pirep {
      let name = "\(source): PIREP '\(pirep.text.prefix(60))'"
      guard isHeld(read) else {
        let text = "\(name) refused: it was observed at \(DayTime.text(pirep.observedAt)), at another time"
        return skipped.insert(text).inserted ? text : nil
      }
      follow(pirep, name)
      return "\(name) arrived, observed at \(DayTime.text(pirep.observedAt))"
    }
    guard let advisory = read.advisories.first else { return nil }
    let name = "\(source): \(advisory.area.advisory ?? "an advisory")"
    guard isHeld(read) else {
      let text = "\(name) refused: it ended at \(DayTime.text(advisory.end))"
      return skipped.insert(text).inserted ? text : nil
    }
    follow(advisory, name)
    return "\(name) arrived, valid from \(DayTime.text(advisory.start)) to \(DayTime.text(advisory.end))"
  }

  private mutating func follow(_ pirep: PIREP, _ name: String) {
    followed.append(
      Followed(
        name: name, end: pirep.observedAt + UploadStore.longestHistory,
        ending: "expired: six hours after the observation"))
  }

  private mutating func follow(_ advisory: Advisory, _ name: String) {
    followed.append(
      Followed(name: name, end: advisory.end, ending: "ended: its validity is over", advisory: advisory.key))
  }

  /// Returns the advisories that the last answer withdrew.
  private mutating func withdrawn(at now: Int64) -> [String] {
    guard let held = state?.world.advisories, followed.contains(where: { $0.advisory != nil }) else { return [] }
    let keys = Set(held.lazy.map(\.advisory.key))
    let gone = followed.filter { $0.advisory.map { !keys.contains($0) } ?? false }
    followed.removeAll { $0.advisory.map { !keys.contains($0) } ?? false }
    return gone.map { "\($0.name) withdrawn: the source doesn't list it any more" }
  }

  /// Returns the records of the snapshot with which the log begins.
  private mutating func restored(at now: Int64) -> [Event] {
    guard let world = state?.world else { return [] }
    var events: [Event] = []
    for history in world.epochs.values.flatMap(\.pireps) where history.first.text.contains(text) {
      let name = "PIREP '\(history.first.text.prefix(60))'"
      follow(history.first, name)
      events.append(
        Event(at: history.first.updatedAt * 1000, text: "\(name) arrived, by the snapshot that begins the log"))
    }
    for listed in world.advisories where listed.advisory.area.advisory?.contains(text) == true {
      let name = "\(listed.source): \(listed.advisory.area.advisory ?? "")"
      follow(listed.advisory, name)
      events.append(
        Event(at: listed.advisory.arrival * 1000, text: "\(name) arrived, by the snapshot that begins the log"))
    }
    return (events + ended(through: now)).sorted { ($0.at, $0.text) < ($1.at, $1.text) }
  }
}
