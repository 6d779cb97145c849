import ContrailAirportData
package import ContrailAirports
import ContrailCore
package import ContrailEngine
import Foundation

extension Input.AirportsLoaded {
  /// A cycle that a database holds, as the log says so.
  init(_ loaded: LoadedCycle) {
    let changes = loaded.changes
    self.init(
      edition: AirportEdition(loaded.cycle), count: Int64(loaded.airportCount), digest: loaded.digest.value,
      changes: AirportDifferences(
        added: Int64(changes.added), removed: Int64(changes.removed), changed: Int64(changes.changed),
        varied: Int64(changes.variationOnly), unchanged: Int64(changes.unchanged)))
  }
}

extension AirportsEntry {
  /// What a loader tells, as the log says it; nil for what the log has no word for: that it was looked what is held, and that a cycle
  /// came in use, which the log decides.
  ///
  /// A file that came is read at once, for it goes when it has been loaded; nil where it can't be.
  package init?(_ event: AirportEvent) {
    switch event {
    case .cycleChecked, .cycleActivated: return nil
    case .cycleNotAvailable(let cycle): self = .input(.airportsChecked(.init(wanted: AirportEdition(cycle))))
    case .downloadFinished(let summary):
      guard let bytes = FileManager.default.contents(atPath: summary.path) else { return nil }
      self = .file(AirportEdition(summary.cycle), bytes: Array(bytes), wireBytes: summary.bytes)
    case .loadFinished(let loaded): self = .input(.airportsLoaded(Input.AirportsLoaded(loaded)))
    case .loadDeferred(let cycle): self = .input(.airportsDeferred(AirportEdition(cycle)))
    case .loadFailed(let cycle, let error):
      self = .input(.airportsFailed(AirportEdition(cycle), code: error.code))
    }
  }
}

extension AirportHoldings.Held {
  /// Whether a database holds these very airports.
  func isHeld(as loaded: LoadedCycle?) -> Bool {
    guard let loaded else { return false }
    return AirportEdition(loaded.cycle) == edition && loaded.digest.value == digest
      && loaded.dataVersion == AirportDatabase.dataVersion
  }
}
