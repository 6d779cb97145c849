import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

@Suite struct SimulatedWorldTests {
  static let firstEpoch = WorldEpoch.index(of: Samples.noon)

  @Test(arguments: [1, 2, 77, UInt64.max]) func atLeastFourHundredAircraftAreAloftAtAnyHour(seed: UInt64) {
    let world = SimulatedWorld(seed: seed)
    for hour in 0..<72 {
      let time = Samples.noon + Int64(hour) * (3600 + 86_400 * 9)
      let aloft = world.tails.count { $0.flight(at: time) != nil }
      #expect(aloft >= 400, "\(aloft) at \(time)")
    }
  }

  @Test func theSameSeedGivesTheSameWorldInWhateverOrderItIsAsked() {
    let again = SimulatedWorld(seed: 11, aircraft: 80)
    let epochs = (0..<4).map { Samples.world.epoch(Self.firstEpoch + $0) }
    for offset in [2, 0, 3, 1] {
      let epoch = again.epoch(Self.firstEpoch + Int64(offset))
      #expect(epoch.observations.map(\.report) == epochs[offset].observations.map(\.report))
      #expect(epoch.observations.map(\.arrival) == epochs[offset].observations.map(\.arrival))
      #expect(epoch.pireps == epochs[offset].pireps)
    }
    #expect(again.traffic(at: Samples.noon) == Samples.world.traffic(at: Samples.noon))
  }

  @Test func anotherSeedGivesAnotherWorld() {
    let other = SimulatedWorld(seed: 12, aircraft: 80).epoch(Self.firstEpoch)
    #expect(other.observations.map(\.report) != Samples.world.epoch(Self.firstEpoch).observations.map(\.report))
  }

  @Test func theArchiveForgetsEpochsAndMakesThemAgain() {
    var archive = WorldArchive(world: Samples.world, capacity: 2)
    let first = archive.epoch(Self.firstEpoch)
    for offset in 1...3 { _ = archive.epoch(Self.firstEpoch + Int64(offset)) }
    #expect(archive.epoch(Self.firstEpoch).observations.map(\.report) == first.observations.map(\.report))
  }

  @Test func sixHoursHoldThousandsOfReportsOfEverySeverity() {
    var archive = WorldArchive(world: SimulatedWorld(seed: 1))
    // An hour of the whole world is enough to tell; its epochs are alike.
    let reports = archive.epochs(after: Samples.noon - 3600, before: Samples.noon).flatMap(\.observations)
    #expect((10_000 / 6...40_000 / 6).contains(reports.count), "\(reports.count)")
    for severity in TurbulenceSeverity.allCases {
      #expect(reports.contains { $0.report.severity == severity })
    }
  }

  @Test func reportsAreWhatTheWireCanSay() throws {
    for observation in Samples.world.epoch(Self.firstEpoch).observations {
      let report = observation.report
      let cell = try #require(H3Cell(rawValue: report.h3Index))
      #expect(cell.resolution == 5)
      #expect(FixedCoordinate(cell.center) == observation.centre)
      #expect(AltitudeBand.all.contains(report.altitude))
      #expect(TurbulenceSeverity(edrE4: report.edrE4).rawValue == report.severityCode)
      #expect(WorldEpoch.index(of: Int64(report.observedAt)) == Self.firstEpoch)
    }
  }

  @Test func someReportsComeLateAndNoneTooLate() {
    var archive = WorldArchive(world: Samples.world)
    let delays = archive.epochs(after: Samples.noon - 21_600, before: Samples.noon).flatMap(\.observations)
      .map { $0.arrival - Int64($0.report.observedAt) }
    #expect(delays.allSatisfy { (5...60).contains($0) || (605...SimulatedWorld.maximumDelay).contains($0) })
    let late = Double(delays.count { $0 > 60 }) / Double(delays.count)
    #expect((0.01...0.06).contains(late), "\(late)")
  }

  @Test func epochsHoldNoDoublesAndAreInOrder() {
    let observations = Samples.world.epoch(Self.firstEpoch).observations
    #expect(Set(observations.map(\.report)).count == observations.count)
    #expect(zip(observations, observations.dropFirst()).allSatisfy { WorldEpoch.Observation.precedes($0, $1) })
  }

  @Test func flightsBeginAndEndOnTheGroundAndGoNoFasterThanTheyFly() throws {
    for tail in Samples.world.tails.prefix(12) {
      for flight in tail.flights(during: Samples.noon..<Samples.noon + 86_400) {
        var before = flight.position(after: 0)
        #expect(before.feet < 10_000)
        #expect(flight.position(after: Double(flight.arrival - flight.departure)).feet < 10_000)
        for second in stride(from: 60.0, through: Double(flight.arrival - flight.departure), by: 60) {
          let here = flight.position(after: second)
          let step = here.direction - before.direction
          let knots = (step * step).sum().squareRoot() * GreatCircle.radiusNM * 60
          #expect(knots < 505 && here.feet <= 41_000 && abs(here.feet - before.feet) <= 1901)
          before = here
        }
      }
    }
  }

  @Test func eachAircraftFliesOneFlightAtATime() {
    for tail in Samples.world.tails {
      let flights = tail.flights(during: Samples.noon..<Samples.noon + 5 * 86_400)
      #expect(!flights.isEmpty)
      #expect(zip(flights, flights.dropFirst()).allSatisfy { $0.arrival < $1.departure })
    }
  }

  @Test func aircraftHaveAddressesAndCallsignsOfTheirOwn() {
    let tails = SimulatedWorld(seed: 5).tails
    #expect(Set(tails.map(\.address)).count == tails.count)
    #expect(Set(tails.map(\.callsign)).count == tails.count)
    #expect(tails.allSatisfy { $0.address.count == 6 })
  }

  @Test func longitudesOfTrafficAreWithinHalfATurn() {
    let world = SimulatedWorld(seed: 3, aircraft: 300)
    for hour in 0..<12 {
      for position in world.traffic(at: Samples.noon + Int64(hour) * 3600) {
        #expect(abs(position.position.longitudeE7) <= 180 * FixedCoordinate.degree)
        #expect(position.observedAt < Samples.noon + Int64(hour) * 3600)
      }
    }
  }

  @Test func pirepsAreWorded() throws {
    var archive = WorldArchive(world: Samples.world)
    let histories = archive.epochs(after: Samples.noon - 21_600, before: Samples.noon).flatMap(\.pireps)
    #expect(histories.contains { $0.correction != nil })
    let form = #/UU?A /OV [0-9]{4}[NS][0-9]{5}[EW]/TM [0-9]{4}/FL[0-9]{3}/TP [A-Z0-9]{4}/TB [A-Z-]+(/RM COR)?/#
    for history in histories {
      let first = history.first
      #expect(first.updatedAt > first.observedAt && first.text.wholeMatch(of: form) != nil, "\(first.text)")
      guard let correction = history.correction else { continue }
      #expect(correction.id == first.id && correction.observedAt == first.observedAt)
      #expect(correction.updatedAt > first.updatedAt && correction.text.hasSuffix("/RM COR"))
      #expect(history.version(asOf: first.updatedAt) == nil)
      #expect(history.version(asOf: first.updatedAt + 1) == first)
      #expect(history.version(asOf: correction.updatedAt + 1) == correction)
    }
  }
}

extension Samples {
  /// A small world, so that tests are fast; traffic is as dense per aircraft as in the standard one.
  static let world = SimulatedWorld(seed: 11, aircraft: 80)
}
