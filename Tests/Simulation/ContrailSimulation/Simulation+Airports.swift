import ContrailAirportData
import ContrailCore
import ContrailEngine

// What becomes of the airports that the log requests.

/// The fault of the next file of airports.
package enum AirportFileFault: String, Hashable, Sendable, CaseIterable {
  /// The server doesn't have the cycle yet.
  case missing
  /// The download ends early.
  case cut
  /// The server has no delta, or refuses to give it.
  case deltaMissing
  /// A byte of the delta is another.
  case deltaDamaged
  /// The delta is from another cycle than the one in use.
  case deltaOfAnotherBase
}

extension Simulation {
  /// Begins a load that the log requested.
  func beginLoad(effectiveMS: Int64, _ state: State) {
    tally.count("airports.requested")
    airportJudge.request(effectiveMS, at: state.now, &judge)
    if sabotage == .airportRequestsAreLost { return }
    add(.airportFile(effectiveMS: effectiveMS), at: trueMS + 2 * latencyMS)
  }

  /// The load ends: with the cycle, by a delta where there is one and it fits, or without it.
  func endLoad(effectiveMS: Int64) {
    let entries = entries(ofLoad: effectiveMS)
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    submit { $0.add(.airports(entries, ticket)) }
  }

  /// The link broke while the file came.
  func breakLoad(effectiveMS: Int64) {
    guard let wanted = SimulatedAirports.published(effectiveMS) else { return }
    tally.count("airportFile.broken")
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    submit { $0.add(.airports([.input(.airportsFailed(wanted.edition, code: "network"))], ticket)) }
  }

  private func entries(ofLoad effectiveMS: Int64) -> [AirportsEntry] {
    guard let wanted = SimulatedAirports.published(effectiveMS) else {
      judge.find(.airports, "a cycle was requested that there isn't, effective at \(effectiveMS)")
      return []
    }
    let failed = AirportsEntry.input(.airportsFailed(wanted.edition, code: "network"))
    guard isLinkUp else { return [failed] }
    let fault = airportFaults.isEmpty ? nil : airportFaults.removeFirst()
    if fault == .missing || fault == .cut { tally.count("airportFile.\(fault == .cut ? "cut" : "missing")") }
    if fault == .missing { return [.input(.airportsChecked(.init(wanted: wanted.edition)))] }
    if fault == .cut { return [failed] }
    if let loaded = byDelta(to: wanted, fault) { return loaded }
    return wanted.entries(.loaded)
  }

  /// Applies the delta from what is in use, as the loader does; nil if there is none or it doesn't fit.
  private func byDelta(to wanted: SimulatedAirports, _ fault: AirportFileFault?) -> [AirportsEntry]? {
    guard let base = airportJudge.inUse, base.effectiveMS != wanted.edition.effectiveMS,
      let airports = SimulatedAirports.airports(of: base.cycle),
      var bytes = SimulatedAirports.deltas[SimulatedAirports.Pair(from: base.cycle, to: wanted.edition.cycle)]
    else { return nil }
    if let fault { tally.count("airportFile.\(fault.rawValue)") }
    switch fault {
    case .deltaMissing: return nil
    case .deltaDamaged: bytes[Int(trueMS % Int64(bytes.count))] ^= 0x10
    case .deltaOfAnotherBase:
      guard let other = SimulatedAirports.deltas.first(where: { $0.key.from != base.cycle })?.value else { return nil }
      bytes = other
    case .missing, .cut, nil: break
    }
    do {
      let delta = try AirportDelta(unpacked: bytes)
      guard delta.header.cycle.identifier == wanted.edition.cycle else { return nil }
      let applied = try delta.applied(to: airports)
      tally.count("airports.byDelta")
      let digest = AirportDigest(applied).value
      return [
        .file(wanted.edition, bytes: wanted.bytes, wireBytes: Int64(bytes.count), base: base.cycle),
        .input(
          .airportsLoaded(
            .init(edition: wanted.edition, count: Int64(applied.count), digest: digest, changes: .init(added: 1)))),
      ]
    } catch {
      // The loader takes the complete file.
      tally.count("airports.deltaRefused")
      return sabotage == .badDeltasAreTaken
        ? [
          .input(
            .airportsLoaded(.init(edition: wanted.edition, count: 1, digest: wanted.digest &+ 1, changes: .init())))
        ] : nil
    }
  }
}
