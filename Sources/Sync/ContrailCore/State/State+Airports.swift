// Airport rules: a cycle is loaded ahead of time and takes effect at its effective date, online or offline. If the client
// loads airports by itself, a cycle that is due is requested.

extension State {
  /// Decides to switch to the loaded cycle once it is effective by the estimated server time.
  ///
  /// The device's clock may be wrong, but is the only one available until the server has reported its time.
  func decideAirports(_ decisions: inout [Decision]) {
    guard let waiting = airports.waiting, serverNow >= waiting.edition.effectiveMS else { return }
    decisions.append(.airportsSwitched(.init(edition: waiting.edition, digest: waiting.digest, cause: cause)))
  }

  /// Decides to request a cycle that is due once the cycles are in use that ``decideAirports(_:)`` decided on.
  func decideDelivery(_ decisions: inout [Decision]) {
    guard isDelivering, !isResting, now >= airports.delivery.notBefore else { return }
    var holdings = airports
    for case .airportsSwitched(let switched) in decisions { holdings.change(to: switched) }
    guard let due = holdings.due(at: serverNow) else { return }
    decisions.append(.airportsRequested(.init(effectiveMS: due.effectiveMS, reason: due.reason, cause: cause)))
  }

  /// Whether the client may request airports by itself now.
  private var isDelivering: Bool {
    airports.delivery.isAutomatic && isOnline && airports.delivery.request == nil && byteUse.saving == .off
  }

  /// The time at which ``decideDelivery(_:)`` will decide next if no event occurs before, in milliseconds.
  var deliveryWake: Int64? {
    guard isDelivering else { return nil }
    if airports.due(at: serverNow) != nil { return airports.delivery.notBefore }
    return AirportHoldings.nextDue(after: serverNow).map {
      max($0 - (serverOffsetMS ?? 0), airports.delivery.notBefore)
    }
  }

  /// The time at which ``decideAirports(_:)`` will decide next if no event occurs before, in milliseconds.
  var airportsWake: Int64? { airports.waiting.map { $0.edition.effectiveMS - (serverOffsetMS ?? 0) } }

  /// Folds an airport event into the state.
  mutating func evolve(airports input: Input) {
    switch input {
    case .airportsChecked(let checked):
      airports.lastCheck = .init(wanted: checked.wanted, at: now, isAvailable: checked.isAvailable)
      if !checked.isAvailable { airports.delivery.postpone(checked.wanted, at: now) }
    case .airportsDownloaded(let downloaded):
      airports.download = .init(edition: downloaded.edition, blob: downloaded.blob)
    case .airportsLoaded(let loaded):
      airports.load(loaded)
      airports.delivery.finish(loaded.edition)
    case .airportsDeferred(let edition): airports.deferred = edition
    case .airportsFailed(let edition, let code):
      airports.fail(.init(edition: edition, code: code))
      airports.delivery.fail(edition, at: now)
    case .airportsDelivery(let isAutomatic): airports.delivery.isAutomatic = isAutomatic
    default: break
    }
  }
}
