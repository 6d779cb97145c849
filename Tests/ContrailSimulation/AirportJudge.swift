import ContrailCore
import ContrailEngine

/// Watches the airports: what the log says is in use is handed to the database, and at its time.
struct AirportJudge {
  /// The newest cycle that the log was told is loaded, and the digest of its airports.
  private var loaded: (edition: AirportEdition, digest: UInt64)?
  /// What the shell was told to level the database to, in this process.
  private var levelled: AirportHoldings?

  /// A process begins: it looks at the log for what to hold.
  mutating func begin() { levelled = nil }

  /// The log is open; a loss of power may have taken lines with it.
  mutating func opened(_ state: State) {
    levelled = state.airports
    loaded = (state.airports.waiting ?? state.airports.inUse).map { ($0.edition, $0.digest) }
  }

  mutating func wrote(_ inputs: [Input]) {
    for case .airportsLoaded(let load) in inputs { loaded = (load.edition, load.digest) }
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
