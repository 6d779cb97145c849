import ContrailCore
import ContrailLog

extension Engine {
  /// Writes what became of airports, each file before its line; see ``take(_:at:)-([Input],_)``.
  ///
  /// - Throws: ``EngineError``: nothing has changed then but that a file may be kept that no line names yet.
  public func take(_ entries: [AirportsEntry], at now: Int64) throws(EngineError) -> Outcome {
    var inputs: [Input] = []
    for entry in entries {
      switch entry {
      case .input(let input): inputs.append(input)
      case .file(let edition, let bytes, let wireBytes):
        let blob = try putBlob(bytes)
        inputs.append(.airportsDownloaded(.init(edition: edition, blob: blob, wireBytes: wireBytes)))
      }
    }
    return try take(inputs, at: now)
  }
}

extension Conductor {
  /// What the log says of airports; nil where it couldn't be opened.
  func airports() async -> AirportHoldings? {
    await look { engine in await engine?.state.airports }
  }

  /// A file that the log keeps; nil where it has it no more.
  func blob(_ name: BlobName) async -> [UInt8]? {
    await look { engine in try? await engine?.blob(name) }
  }
}
