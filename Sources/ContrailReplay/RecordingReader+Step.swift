import ContrailCore

extension RecordingReader {
  /// A line as the fold takes it in, apart from the reader that it came from.
  struct Step: Sendable {
    let seq: Int64
    let at: Int64
    /// The file that the line stands in, and its number there, the first being 1.
    let file: String
    let line: Int
    /// Whether the log's lines carry their crc, so that a program wrote them and their spelling is canonical.
    let isSealedByCRC: Bool
    let content: Content
    /// What the file gives from which the line says that airports were loaded.
    let airports: AirportsFinding

    enum Content: Sendable {
      case event(Event)
      /// The payload as it stands: most decisions are told from it without being read.
      case decision(Kind, payload: [UInt8])
    }

    /// The event that a payload says.
    func read(_ kind: Kind, _ payload: [UInt8]) throws(UnreadableRecording) -> Event {
      let read = payload.withUnsafeBytes { bytes -> Result<Event, EventFault> in
        do throws(EventFault) {
          return .success(try Event(kind: kind, payload: bytes))
        } catch {
          return .failure(error)
        }
      }
      do throws(EventFault) {
        return try read.get()
      } catch {
        throw UnreadableRecording(error, file: file, line: line, seq: seq)
      }
    }
  }
}

/// Where the fold gets its steps from.
protocol StepSource: AnyObject {
  /// The next step, or nil at the end.
  func nextStep() throws(UnreadableRecording) -> RecordingReader.Step?
}

extension RecordingReader: StepSource {}
