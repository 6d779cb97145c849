import ContrailCore
import ContrailLog

/// Folds the lines of a log as they are read, and remembers the first line that it cannot decode.
struct LogFold {
  private var state = State()
  private var fault: EngineError?
  private let blobs: BlobStore

  init(blobs: BlobStore) {
    self.blobs = blobs
  }

  mutating func take(_ line: LogLine, file: String) {
    guard fault == nil else { return }
    do throws(EventError) {
      let event = try Event(kind: line.kindName, payload: line.payload) { name in
        // A missing blob counts as a response that can't be decoded, which leads to a full fetch.
        BlobStore.ID(name.sha256).flatMap { try? blobs.bytes(of: $0, count: name.byteCount) }
      }
      state.evolve(Record(seq: line.seq, at: line.at, event: event))
    } catch {
      fault = EngineError(code: .unknownLine, message: "\(file): seq \(line.seq): \(error)")
    }
  }

  func finish() throws(EngineError) -> State {
    if let fault { throw fault }
    return state
  }
}
