import ContrailAirports
import ContrailGeodesy
import GRDB
import Testing

@testable import ContrailAirportData

/// Deltas that don't fit the database, and deltas of few airports.
@Suite struct DeltaFaultTests {
  private func refusal(_ database: AirportDatabase, _ delta: AirportDelta) -> AirportDataError? {
    do throws(AirportLoaderError) {
      try database.apply(delta, fingerprint: "d")
      return nil
    } catch {
      guard case .data(let fault) = error else { return nil }
      return fault
    }
  }

  private func delta(from base: [Airport], to airports: [Airport]) throws -> AirportDelta {
    try AirportDelta(
      AirportDelta.encoded(from: base, of: Times.before, to: airports, cycle: Times.cycle, sources: []))
  }

  /// A delta with some parts replaced. Its digest is that of `digested`.
  private func changed(
    _ delta: AirportDelta, airportCount: Int? = nil, runwayCount: Int? = nil, added: [Airport]? = nil,
    digested: [Airport]
  ) -> AirportDelta {
    var header = delta.header
    if let airportCount { header.airportCount = airportCount }
    if let runwayCount { header.runwayCount = runwayCount }
    return AirportDelta(
      base: delta.base, baseDigest: delta.baseDigest, header: header, digest: AirportDigest(digested),
      model: delta.model, states: delta.states, variations: delta.variations, replaced: delta.replaced,
      added: added ?? delta.added)
  }

  private static let cycles = TwoCycles(seed: 31, 60, isModelled: true)

  @Test func countsThatAreWrongAreRefused() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let (before, after) = (Self.cycles.before, Self.cycles.after)
    try database.load(before, Times.before)
    let delta = try delta(from: before, to: after)
    for step in [-1, 1] {
      let airports = changed(delta, airportCount: after.count + step, digested: after)
      let runways = after.reduce(0) { $0 + $1.runways.count } + step
      for wrong in [airports, changed(delta, runwayCount: runways, digested: after)] {
        let fault = try #require(refusal(database, wrong))
        #expect(fault.code == .damaged)
      }
    }
    #expect(refusal(database, changed(delta, digested: after)) == nil)
  }

  /// The fault is that of the whole file, so it has no offset.
  @Test func aDeltaThatAddsAnAirportOfItsBaseIsRefused() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let before = Self.cycles.before
    try database.load(before, Times.before)
    var twice = before[0]
    twice.name = "TWICE"
    let delta = changed(
      try delta(from: before, to: before), airportCount: before.count + 1,
      runwayCount: (before + [twice]).reduce(0) { $0 + $1.runways.count }, added: [twice], digested: before + [twice])
    let fault = try #require(refusal(database, delta))
    #expect(fault.code == .damaged && fault.offset == 0 && fault.reason.contains("already in the base"))
    #expect(try database.computedDigest() == AirportDigest(before))
  }

  @Test func aDeltaWithoutItsBaseIsRefused() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let delta = try AirportDelta(cycles: Self.cycles)
    let missing = try #require(refusal(database, delta))
    #expect(missing.code == .wrongBase && missing.offset == 0 && missing.reason.contains("no cycle"))
    try database.load(Self.cycles.before, Times.before)
    try database.setDataVersion(AirportDatabase.dataVersion + 1)
    let other = try #require(refusal(database, delta))
    #expect(other.code == .wrongBase && other.offset == 0 && other.reason.contains("data version"))
  }

  /// An airport whose runways can't be read counts as one without any, and the counts then differ from the header.
  @Test func aDeltaIsRefusedIfTheRunwaysCannotBeRead() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(2).map { airport in
      var airport = airport
      airport.runways = [Runway(name: "1")]
      return airport
    }
    try database.load(airports, Times.before)
    let delta = try delta(from: airports, to: Array(airports.dropLast()))
    try database.execute("ALTER TABLE runways RENAME TO others")
    #expect(refusal(database, delta)?.code == .damaged)
    try database.execute("ALTER TABLE others RENAME TO runways")
    #expect(refusal(database, delta) == nil)
  }

  @Test func aDeltaMayBeginWithNoAirportsAndEndWithNone() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(3)
    try database.load([], Times.before)
    let changes = try database.apply(try delta(from: [], to: airports), fingerprint: "d")
    #expect(changes == AirportChanges(added: 3))
    try database.activatePending(at: Times.cycle.effectiveTime)
    for airport in airports {
      #expect(try database.airport(recordID: airport.recordID) == airport)
      #expect(try database.airports(within: 1, of: airport.coordinate).map(\.airport).contains(airport))
    }
    let end = try AirportDelta(
      AirportDelta.encoded(from: airports, of: Times.cycle, to: [], cycle: Times.after, sources: []))
    let removed = try database.apply(end, fingerprint: "e")
    #expect(removed == AirportChanges(removed: 3))
    try database.activatePending(at: Times.after.effectiveTime)
    try database.sweep()
    #expect(try database.allAirports().isEmpty)
    #expect(try database.read(table: "airportIdentifiers") == 0)
  }

  @Test func everySearchFollowsADelta() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let (before, after) = (Self.cycles.before, Self.cycles.after)
    try database.load(before, Times.before)
    // A load that was left gives way to the delta.
    var load = try database.beginLoad(of: AirportReader(of: after, cycle: Times.cycle), fingerprint: "whole")
    _ = try load.step()
    let changes = try database.apply(try delta(from: before, to: after), fingerprint: "d")
    #expect(changes == Self.cycles.changes)
    try database.activatePending(at: Times.cycle.effectiveTime)
    for _ in 0..<2 {
      #expect(try database.computedDigest() == AirportDigest(after))
      for airport in after {
        #expect(try database.airport(recordID: airport.recordID) == airport)
        #expect(try database.airports(locationID: airport.locationID).contains(airport))
      }
      let gone = Set(before.map(\.recordID)).subtracting(after.map(\.recordID))
      for recordID in gone { #expect(try database.airport(recordID: recordID) == nil) }
      let everywhere = try database.airports(within: 1e6, of: Coordinate(latitude: 0, longitude: 0))
      #expect(everywhere.map(\.airport.recordID).sorted() == after.map(\.recordID).sorted())
      try database.sweep()
    }
    #expect(try database.read(table: "airportPlaces") == after.count)
    #expect(try database.status().current?.changes == changes)
  }
}
