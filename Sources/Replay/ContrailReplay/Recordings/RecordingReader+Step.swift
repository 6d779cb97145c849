import ContrailCore
import ContrailLog

extension RecordingReader {
  /// A line as the replayer processes it. It is valid until the next step is requested.
  struct Step {
    let seq: Int64
    let at: Int64
    /// The file, if the line is the first of its file; otherwise `nil`. Reference counting of one shared name would
    /// slow down both threads.
    let file: String?
    /// The one-based line number in the file.
    let line: Int
    let content: Content

    enum Content {
      case event(Event)
      /// An event that loads airports, with the result of reading the file again.
      case airports(Event, AirportsFinding)
      /// The encoded payload of a decision. Most decisions are compared without parsing. If the lines of the log have a
      /// CRC, a program wrote them and the encoding is canonical.
      case decision(Kind, payload: UnsafeRawBufferPointer, hasCRC: Bool)
    }
  }

  /// Returns the next step, or `nil` at the end.
  func nextStep() throws(UnreadableRecording) -> Step? {
    guard let line = try nextLine() else { return nil }
    return try step(of: line)
  }

  /// Decodes a line as a step.
  func step(of line: LogLine) throws(UnreadableRecording) -> Step {
    let content = try content(of: line)
    return Step(
      seq: line.seq, at: line.at, file: lineNumber == 1 ? file : nil, line: lineNumber, content: content)
  }

  private func content(of line: LogLine) throws(UnreadableRecording) -> Step.Content {
    let kind = Kind(line.kind)
    if let kind, kind.role == .decision, isPossible(line) {
      return .decision(kind, payload: line.payload, hasCRC: hasCRC)
    }
    let event = try event(line, kind)
    return kind?.isOfAirportsFile == true ? .airports(event, try airports(event, seq: line.seq)) : .event(event)
  }
}

/// A source of steps for the replayer.
protocol StepSource: AnyObject {
  /// Returns the next step, or `nil` at the end. It is valid until the next call.
  func nextStep() throws(UnreadableRecording) -> RecordingReader.Step?
}

extension RecordingReader: StepSource {}
