package import ContrailCore
package import ContrailReplay
import ContrailWire

/// Reads a recording turn by turn: an input, the decisions that follow from it, and what they mean on a timeline.
///
/// ```swift
/// var turns = try FlightTurns(path: "flight.jsonl")
/// while let turn = try turns.next() { trace.add(turn.events) }
/// ```
package struct FlightTurns {
  /// The lines of a turn, and their events.
  package struct Turn: Sendable {
    package fileprivate(set) var lines: [Line] = []
    /// The events, in the order of their times.
    package fileprivate(set) var events: [FlightEvent] = []
  }

  package struct Line: Sendable {
    package let record: Record
    /// The description of the line.
    package let words: String
  }

  private let reader: RecordingReader
  private var replayer = Replayer()
  /// The input that begins the next turn.
  private var pending: RecordingReader.Entry?
  private var timeline = FlightTimeline()
  private var isEnded = false

  /// Opens a recording.
  package init(path: String) throws(UnreadableRecording) { reader = try RecordingReader(path: path) }

  /// The state after the last turn.
  package var state: State { replayer.state }
  /// The parts that were skipped so far.
  package var setAside: SetAside { reader.setAside }
  /// The bytes of the lines that were read so far.
  package var byteCount: Int64 { reader.byteCount }

  /// Returns the next turn; nil at the end.
  ///
  /// - Throws: ``UnreadableRecording`` for the first line that can't be read.
  /// - Complexity: That of folding the lines.
  package mutating func next() throws(UnreadableRecording) -> Turn? {
    var turn = Turn()
    if let entry = pending.take() { take(entry, into: &turn) }
    while let entry = try reader.next() {
      if case .decision = entry.record.event {
        take(entry, into: &turn)
      } else if turn.lines.isEmpty {
        take(entry, into: &turn)
      } else {
        pending = entry
        break
      }
    }
    if turn.lines.isEmpty {
      guard !isEnded else { return nil }
      isEnded = true
      turn.events = timeline.finish()
      return turn.events.isEmpty ? nil : turn
    }
    turn.events = timeline.events(of: turn.lines.map(\.record), words: turn.lines.map(\.words), state)
    return turn
  }

  private mutating func take(_ entry: RecordingReader.Entry, into turn: inout Turn) {
    // The description of an input names the values before it.
    let words: String
    switch entry.record.event {
    case .input(let input): words = input.words(replayer.state)
    case .decision(let decision): words = decision.words
    case .mark: words = ""
    }
    replayer.fold(entry)
    turn.lines.append(Line(record: entry.record, words: words))
  }
}
