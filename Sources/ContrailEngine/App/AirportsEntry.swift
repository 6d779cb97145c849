package import ContrailAirportData
package import ContrailCore

/// Something about airports that is to stand in the log: an input, or a file that the log is to keep along with one.
package enum AirportsEntry: Hashable, Sendable {
  case input(Input)
  /// A cycle's file has come: its bytes go to the log's blobs before its line is written.
  case file(AirportEdition, bytes: [UInt8], wireBytes: Int64)

  /// The input, and the bytes that the log has to keep as a blob for it.
  func input() -> (input: Input, blob: [UInt8]?) {
    switch self {
    case .input(let input): (input, nil)
    case .file(let edition, let bytes, let wireBytes):
      (.airportsDownloaded(.init(edition: edition, blob: BlobName(of: bytes), wireBytes: wireBytes)), bytes)
    }
  }
}

extension AirportEdition {
  /// A cycle as the log names it.
  package init(_ cycle: AIRACCycle) {
    self.init(cycle: cycle.identifier, effectiveMS: cycle.effectiveTime * 1000)
  }
}
