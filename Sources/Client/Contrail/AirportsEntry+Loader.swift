import ContrailAirportData
package import ContrailAirports
import ContrailCore
package import ContrailEngine
import Foundation

extension Input.AirportsLoaded {
  /// Creates the log entry of a loaded cycle.
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
  /// Creates the log entry of a loader's event; nil if the event isn't logged.
  ///
  /// Checks aren't logged, and activations are decided by the log. A downloaded file is read at once, because it is deleted after
  /// loading; the entry is nil if the file can't be read.
  package init?(_ event: AirportEvent) {
    switch event {
    case .cycleChecked, .cycleActivated, .deltaRefused: return nil
    case .cycleNotAvailable(let cycle): self = .input(.airportsChecked(.init(wanted: AirportEdition(cycle))))
    case .downloadFinished(let summary):
      guard let bytes = FileManager.default.contents(atPath: summary.path) else { return nil }
      self = .file(
        AirportEdition(summary.cycle), bytes: Array(bytes), wireBytes: summary.bytes, base: summary.base?.identifier)
    case .loadFinished(let loaded): self = .input(.airportsLoaded(Input.AirportsLoaded(loaded)))
    case .loadDeferred(let cycle): self = .input(.airportsDeferred(AirportEdition(cycle)))
    case .loadFailed(let cycle, let error):
      self = .input(.airportsFailed(AirportEdition(cycle), code: error.code))
    }
  }
}

extension AirportHoldings.Held {
  /// Whether a loaded cycle has exactly these airports.
  func isHeld(as loaded: LoadedCycle?) -> Bool {
    guard let loaded else { return false }
    return AirportEdition(loaded.cycle) == edition && loaded.digest.value == digest
      && loaded.dataVersion == AirportDatabase.dataVersion
  }
}
