import ContrailAirportData
import ContrailCore
import ContrailEngine

/// Watches the airports: what the log says is in use is handed to the database, and at its time.
struct AirportJudge {
  /// The newest cycle that the log was told is loaded, and the digest of its airports.
  private var loaded: (edition: AirportEdition, digest: UInt64)?
  /// What the shell was told to level the database to, in this process.
  private var levelled: AirportHoldings?
  /// The cycle in use, as the shell knows it.
  var inUse: AirportEdition? { levelled?.inUse?.edition }

  // The client's own requests.
  /// The effective time of the requested cycle, while its load goes on.
  private var requested: Int64?
  /// The engine's time of the last request.
  private var requestedAt: Int64?
  /// The engine's time before which there must be no request, and how many failed in a row.
  private var wait: (until: Int64, failures: Int64) = (0, 0)

  /// A process begins: it looks at the log for what to hold, and an earlier load ended with the earlier process.
  mutating func begin() {
    levelled = nil
    requested = nil
    requestedAt = nil
    wait = (0, 0)
  }

  /// The log requests a cycle: one at a time, and after failures once a minute at most and ever more rarely.
  mutating func request(_ effectiveMS: Int64, at now: Int64, _ judge: inout Judge) {
    if requested != nil { judge.find(.airports, "a cycle is requested while another load goes on") }
    if let requestedAt, now - requestedAt < 60_000 {
      judge.find(.airports, "two requests of airports within \(now - requestedAt) ms")
    }
    if now < wait.until {
      judge.find(.airports, "airports are requested \(wait.until - now) ms before the wait is over")
    }
    requested = effectiveMS
    requestedAt = now
  }

  /// What the log was told of the load that goes on.
  private mutating func told(_ edition: AirportEdition, waitMS: Int64?, at now: Int64) {
    guard requested == edition.effectiveMS else { return }
    requested = nil
    if let waitMS {
      wait.until = max(wait.until, now + waitMS)
    } else {
      // After a load, the next cycle may be requested at once.
      wait = (0, 0)
      requestedAt = nil
    }
  }

  /// The log is open; a loss of power may have taken lines with it.
  mutating func opened(_ state: State) {
    levelled = state.airports
    loaded = (state.airports.waiting ?? state.airports.inUse).map { ($0.edition, $0.digest) }
  }

  mutating func wrote(_ inputs: [Input], at now: Int64, _ judge: inout Judge) {
    for input in inputs {
      switch input {
      case .airportsLoaded(let load):
        loaded = (load.edition, load.digest)
        if let published = SimulatedAirports.published(load.edition.effectiveMS), published.digest != load.digest {
          judge.find(.airports, "\(load.edition.cycle) was loaded with other airports than the server has")
        }
        told(load.edition, waitMS: nil, at: now)
      case .airportsChecked(let checked) where !checked.isAvailable:
        told(checked.wanted, waitMS: 3_600_000, at: now)
      case .airportsFailed(let edition, _):
        guard requested == edition.effectiveMS else { continue }
        told(edition, waitMS: min(60_000 << min(wait.failures, 6), 3_600_000), at: now)
        wait.failures += 1
      case .connectivityChanged(true): wait = (0, 0)
      default: break
      }
    }
  }

  mutating func level(_ holdings: AirportHoldings) { levelled = holdings }

  /// Looks between events: a cycle whose time has come is in use.
  func look(_ shown: Shown, at now: Int64, _ judge: inout Judge) {
    guard shown.isOpen, let waiting = shown.state.airports.waiting else { return }
    let serverMS = shown.logTime(at: now) + (shown.state.serverOffsetMS ?? 0)
    if serverMS > waiting.edition.effectiveMS {
      judge.find(
        .airports,
        "\(waiting.edition.cycle) is \(serverMS - waiting.edition.effectiveMS) ms past its time and not in use")
    }
  }

  /// Whether the cycle of the day is there, or was deferred: of the day by the clock that the client knows.
  func holdsToday(_ shown: Shown, at now: Int64) -> Bool {
    let state = shown.state
    let serverMS = shown.logTime(at: now) + (state.serverOffsetMS ?? 0)
    guard state.airports.delivery.isAutomatic, let today = AIRACCycle(at: serverMS / 1000) else { return true }
    let effectiveMS = today.effectiveTime * 1000
    return [state.airports.inUse, state.airports.waiting].contains { $0?.edition.effectiveMS == effectiveMS }
      || state.airports.inUse != nil && state.airports.deferred?.effectiveMS == effectiveMS
  }

  /// Long after all was well.
  func healed(_ shown: Shown, at now: Int64, _ judge: inout Judge) {
    if !holdsToday(shown, at: now) { judge.find(.airports, "the cycle of the day was to be loaded and isn't there") }
  }

  /// Nothing waits to be written: the newest load is in use or waits, and the database was told.
  func settled(_ state: State, _ judge: inout Judge) {
    let held = state.airports.waiting ?? state.airports.inUse
    if let loaded, held?.edition != loaded.edition || held?.digest != loaded.digest {
      judge.find(
        .airports, "\(loaded.edition.cycle) was loaded last, and the log holds \(held?.edition.cycle ?? "none")")
    }
    if levelled?.inUse != state.airports.inUse || levelled?.waiting != state.airports.waiting {
      judge.find(.airports, "the database was told of other airports than the log holds")
    }
  }
}
