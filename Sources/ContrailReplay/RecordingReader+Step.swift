import ContrailCore
import ContrailLog

extension RecordingReader {
  /// A line as the fold takes it in. What it borrows holds good until its source is asked for the next.
  struct Step {
    let seq: Int64
    let at: Int64
    /// The file that the line stands in, and its number there, the first being 1.
    let file: String
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

    /// The event that a payload says.
    func read(_ kind: Kind, _ payload: UnsafeRawBufferPointer) throws(UnreadableRecording) -> Event {
      do throws(EventFault) {
        return try Event(kind: kind, payload: payload)
      } catch {
        throw UnreadableRecording(error, file: file, line: line, seq: seq)
      }
    }
  }

  /// The next line as the fold wants it, or nil at the end.
  func nextStep() throws(UnreadableRecording) -> Step? {
    guard let line = try nextLine() else { return nil }
    return Step(seq: line.seq, at: line.at, file: file, line: lineNumber, content: try content(of: line))
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
