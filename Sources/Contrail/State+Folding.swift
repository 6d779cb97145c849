public import ContrailCore
public import ContrailLog

extension State {
  /// Folds all that is left in a log into the state.
  ///
  /// - Parameter blob: Finds the body that a line keeps as a blob.
  /// - Throws: ``EngineError`` with file, line and `seq` for what can't be read.
  /// - Complexity: O(*n*) in the log, O(state) in memory.
  public mutating func fold(
    _ reader: LogReader, blob: (BlobName) -> [UInt8]? = { _ in nil }
  ) throws(EngineError) {
    while true {
      let line: LogLine?
      do {
        line = try reader.next()
      } catch {
        throw EngineError(error)
      }
      guard let line else { return }
      do {
        let event = try Event(kind: line.kindName, payload: line.payload, blob: blob)
        evolve(Record(seq: line.seq, at: line.at, event: event))
      } catch {
        throw EngineError(
          code: .unknownLine, message: "\(reader.file):\(reader.line): seq \(line.seq): \(error)")
      }
    }
  }
}
