import ContrailCore
import ContrailLog

extension RecordingReader {
  /// A line as the fold takes it in. What it borrows holds good until its source is asked for the next.
  struct Step {
    let seq: Int64
    let at: Int64
    /// The file that the line is the first of; nil for its others: two threads that count the references to one name hold each
    /// other up.
    let file: String?
    /// The line's number in its file, the first being 1.
    let line: Int
    let content: Content

    enum Content {
      case event(Event)
      /// That airports were loaded, and what the file gives from which the line says so.
      case airports(Event, AirportsFinding)
      /// The payload as it stands: most decisions are told from it without being read. Where the log's lines carry their crc a
      /// program wrote them, and their spelling is canonical.
      case decision(Kind, payload: UnsafeRawBufferPointer, isSealedByCRC: Bool)
    }
  }

  /// The next line as the fold wants it, or nil at the end.
  func nextStep() throws(UnreadableRecording) -> Step? {
    guard let line = try nextLine() else { return nil }
    let content = try content(of: line)
    return Step(
      seq: line.seq, at: line.at, file: lineNumber == 1 ? file : nil, line: lineNumber, content: content)
  }

  private func content(of line: LogLine) throws(UnreadableRecording) -> Step.Content {
    let kind = Kind(line.kind)
    if let kind, kind.role == .decision, isPossible(line) {
      return .decision(kind, payload: line.payload, isSealedByCRC: isSealedByCRC)
    }
    let event = try event(line, kind)
    return kind?.isOfAirportsFile == true ? .airports(event, try airports(event, seq: line.seq)) : .event(event)
  }
}

/// Where the fold gets its steps from.
protocol StepSource: AnyObject {
  /// The next step, or nil at the end. It holds good until the next one is asked for.
  func nextStep() throws(UnreadableRecording) -> RecordingReader.Step?
}

extension RecordingReader: StepSource {}
