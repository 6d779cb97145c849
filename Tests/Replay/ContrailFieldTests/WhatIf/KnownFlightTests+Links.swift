import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Flights over other links, and with other servers.
extension KnownFlightTests {
  /// While nothing is requested, an outage changes no request, and the answers are those of the recording.
  @Test func afterAnOutageBetweenRequestsTheAnswersAreTheRecordedOnes() throws {
    let recorded = try KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }.recorded()
    #expect(recorded.exchanges.contains { $0.sharing == 2 })
    let outage = Trouble(.outage, 10 * Self.minute + 30_000..<10 * Self.minute + 31_000)
    let whatIf = WhatIf(recorded)
    var alternative = whatIf.begun(whatIf.server(run: 0), through: [outage])
    let flown = try alternative.run()
    let (up, down) = (flown.knowledge.up, flown.knowledge.down)
    #expect(flown.knowledge.hasDeparted && flown.knowledge.recordedExchanges == Double(recorded.exchanges.count))
    #expect(up.recorded == Double(recorded.figures.upBytes) && up.derivable == 0 && up.unknown == 0)
    #expect(down.recorded == Double(recorded.figures.downBytes) && down.derivable == 0 && down.unknown == 0)
    #expect(up.variance == 0 && down.variance == 0 && up.foreign == 0 && down.foreign == 0)
  }

  /// The recorded exchange vouches for its own link, even if there is no other.
  @Test func theLinkOfTheOnlyExchangeIsKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.inputs.append((0, .frequencyChanged(.none)))
    let comparison = try Self.compare(flight, Alternative { $0.wire = .json })
    #expect(comparison.recorded.exchanges.count == 1 && comparison.prediction[.up].shares.unknown == 0)
    #expect(comparison.prediction[.requests].shares.unknown == 0)
  }

  /// The sums of more than 128 records need another byte than those of fewer.
  @Test func theSumsOfManyRecordsAreKnown() throws {
    var flight = KnownFlight(seconds: (0..<160).map { 20 * $0 + 5 }, types: [.turbulence, .pireps])
    flight.hasSums = true
    flight.pireps = KnownFlight.pireps(arriving: (0..<160).map { 20 * $0 + 6 })
    let comparison = try Self.compare(flight, Alternative { $0.frequency = .minimal })
    #expect(comparison.prediction.hasVerdict)
  }

  /// Without a connection, requests have no bytes, whether or not they share an exchange.
  @Test func whatCouldNotBeConnectedHasNoBytesWithoutTheMap() throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    flight.isLost = { (20 * 60..<23 * 60).contains($0) }
    for isConnected in [true, false] {
      flight.isConnected = isConnected
      try Self.compare(flight, Alternative { $0.hasNoViewport = true })
    }
  }

  @Test(arguments: [true, false]) func anotherWireIsKnown(isCompact: Bool) throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    flight.isCompact = isCompact
    let comparison = try Self.compare(flight, Alternative { $0.wire = isCompact ? .json : .compact })
    #expect(comparison.recorded.wire.isCompact == isCompact && comparison.truth.wire.isCompact != isCompact)
  }

  @Test(arguments: Alternative.Policy.allCases) func anotherPolicyIsKnown(_ policy: Alternative.Policy) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.isCompact = policy != .now
    flight.inputs.append((Self.minute * 9, .historyChanged(.hour)))
    flight.inputs.append((Self.minute * 18, .queryChanged(Self.query(of: flight) { $0.severities = .atLeast(.light) })))
    try Self.compare(flight, Alternative { $0.policy = policy })
  }

  @Test(arguments: ["geo", "geo-bad", "leo", "certus"]) func anotherLinkIsKnown(_ name: String) throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    flight.inputs.append((Self.minute * 20, .connectivityChanged(isOnline: false)))
    flight.inputs.append((Self.minute * 22, .connectivityChanged(isOnline: true)))
    flight.hasSums = name == "leo"
    let comparison = try Self.compare(flight, Alternative { $0.link = LinkModel.named(name) })
    for figure in [FigureValues.Figure.up, .down] {
      let shares = comparison.prediction[figure].shares
      #expect(shares.recorded == 0 && shares.derivable > 0.99)
    }
  }

  /// Requests name the aircraft that are held.
  @Test func theRequestsForRecordedTrafficAreKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds, types: [.turbulence, .traffic])
    flight.traffic = { second in
      [
        TrafficPosition(
          id: "a", callsign: "", position: KnownFlight.place, altitudeFeet: nil, groundSpeedKnots: nil,
          trackDegrees: nil, observedAt: KnownFlight.start / 1000 + second)
      ]
    }
    for alternative in [
      Alternative { $0.link = LinkModel.named("leo") }, Alternative { $0.severities = .atLeast(.light) },
    ] {
      let shares = try Self.compare(flight, alternative, isEveryLineKnown: false).prediction[.up].shares
      #expect(shares.unknown == 0 && shares.derivable > 0)
    }
  }

  /// A held request passes the link when the server answers it.
  @Test(arguments: ["geo", "geo-bad", "leo"]) func heldRequestsPassAnotherLinkWhenTheyAreAnswered(_ name: String) throws
  {
    var flight = KnownFlight(seconds: Self.seconds)
    (flight.holdSeconds, flight.clockLeadMS) = (540, { _ in 70_000 })
    flight.inputs.append((Self.minute * 20, .refreshRequested(full: true)))
    try Self.compare(flight, Alternative { $0.link = LinkModel.named(name) })
  }

  @Test func eachByteTakesItsTimeOverAModelledLink() throws {
    let flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    // A byte takes a millisecond.
    let link = LinkModel(name: "thin", roundTripMS: 600...600, upBitsPerSecond: 8000, downBitsPerSecond: 8000)
    try Self.compare(flight, Alternative { $0.link = link })
  }

  /// A request in an outage of the model ends without an answer.
  @Test(arguments: [Int64(0), 540]) func outagesOfAnotherLinkAreKnown(holdSeconds: Int64) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.holdSeconds = holdSeconds
    let link = LinkModel(
      name: "cut", roundTripMS: 600...600, upBitsPerSecond: 1_000_000, downBitsPerSecond: 1_000_000,
      outages: .init(everyMS: 400_000, lengthMS: 90_000...90_000))
    let comparison = try Self.compare(flight, Alternative { $0.link = link })
    #expect(
      comparison.truth.exchanges.contains { if case .failed(.timeout, _) = $0.result { true } else { false } })
    #expect(comparison.prediction[.up].shares.unknown == 0 && comparison.prediction[.requests].shares.unknown == 0)
  }

  /// Until it is confirmed for the last time, a document is the same one.
  @Test func aDocumentIsSeenAsLongAsItIsConfirmed() throws {
    var flight = KnownFlight(seconds: [], types: [.turbulence, .turbulencePolygons])
    flight.document = { $0 < 2400 ? 1 : 2 }
    let versions = try #require(try flight.recorded().world.documents.values.first)
    #expect(versions.count == 2)
    let between = [versions[0].firstSeenMS, versions[0].lastSeenMS, versions[1].firstSeenMS].map {
      $0 - KnownFlight.start
    }
    #expect(between[0] < 60_000 && (1_200_000..<2_400_000).contains(between[1]) && between[2] >= 2_400_000)
  }
}
