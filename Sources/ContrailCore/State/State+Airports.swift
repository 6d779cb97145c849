// Airport rules: a cycle is loaded ahead of time and takes effect at its effective date, online or offline.

extension State {
  /// Decides to switch to the loaded cycle once it is effective by the estimated server time.
  ///
  /// The device's clock may be wrong, but is the only one available until the server has reported its time.
  func decideAirports(_ decisions: inout [Decision]) {
    guard let waiting = airports.waiting, serverNow >= waiting.edition.effectiveMS else { return }
    decisions.append(.airportsSwitched(.init(edition: waiting.edition, digest: waiting.digest, cause: cause)))
  }

  /// The time at which ``decideAirports(_:)`` will decide next if no event occurs before, in milliseconds.
  var airportsWake: Int64? { airports.waiting.map { $0.edition.effectiveMS - (serverOffsetMS ?? 0) } }

  /// Folds an airport event into the state.
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
