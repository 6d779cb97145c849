// What is particular to airports: a cycle is loaded ahead, and comes in use at its instant, online or not.

extension State {
  /// What is to be said now: that the cycle that stands ready is in use, once it is effective by the server's time as far as it is
  /// known. The device's clock may have been set to anything; until the server has told its own it is all there is.
  func decideAirports(_ decisions: inout [Decision]) {
    guard let waiting = airports.waiting, serverNow >= waiting.edition.effectiveMS else { return }
    decisions.append(.airportsSwitched(.init(edition: waiting.edition, digest: waiting.digest, cause: cause)))
  }

  /// When ``decideAirports(_:)`` will have something to say if nothing happens before, in milliseconds.
  var airportsWake: Int64? { airports.waiting.map { $0.edition.effectiveMS - (serverOffsetMS ?? 0) } }

  /// Folds what became of airports.
  mutating func evolve(airports input: Input) {
    switch input {
    case .airportsChecked(let checked):
      airports.lastCheck = .init(wanted: checked.wanted, at: now, isAvailable: checked.isAvailable)
    case .airportsDownloaded(let downloaded):
      airports.download = .init(edition: downloaded.edition, blob: downloaded.blob)
    case .airportsLoaded(let loaded): airports.load(loaded)
    case .airportsDeferred(let edition): airports.deferred = edition
    case .airportsFailed(let edition, let code): airports.fail(.init(edition: edition, code: code))
    default: break
    }
  }
}
