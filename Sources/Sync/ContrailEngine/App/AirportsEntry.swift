package import ContrailAirportData
package import ContrailCore

/// An airport event to log: an input, or a downloaded file with its input.
package enum AirportsEntry: Hashable, Sendable {
  case input(Input)
  /// A downloaded file of a cycle, or the file that a delta from a base gives. Its bytes are stored as a blob before the
  /// line is written.
  case file(AirportEdition, bytes: [UInt8], wireBytes: Int64, base: String? = nil)

  /// Returns the input, and the bytes of its blob, if any.
  func input() -> (input: Input, blob: [UInt8]?) {
    switch self {
    case .input(let input): (input, nil)
    case .file(let edition, let bytes, let wireBytes, let base):
      (.airportsDownloaded(.init(edition: edition, blob: BlobName(of: bytes), wireBytes: wireBytes, base: base)), bytes)
    }
  }
}

extension AirportsEntry {
  /// Whether a cycle was loaded.
  package var isLoad: Bool { if case .input(.airportsLoaded) = self { true } else { false } }
}

extension AirportEdition {
  /// Creates the edition of a cycle.
  package init(_ cycle: AIRACCycle) {
    self.init(cycle: cycle.identifier, effectiveMS: cycle.effectiveTime * 1000)
  }
}
