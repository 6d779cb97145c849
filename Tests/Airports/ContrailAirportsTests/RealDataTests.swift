import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailTestSupport
import Foundation
import Testing

/// Two real cycles, as the SF50 TOLD application publishes them.
@Suite(.enabled(if: SharedData.folder != nil, "CONTRAIL_DATA names no folder of shared data"), .serialized)
struct RealDataTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(SharedData.folder ?? "")/airports/\(name)")))
  }

  private static let october2 = "sf50-2025-10-02.plist.lzma"
  private static let october30 = "sf50-2025-10-30.plist.lzma"

  @Test func twoCyclesLoadOneAfterTheOther() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let first = try AirportReader(Self.bytes(Self.october2))
    #expect(first.header.cycle.identifier == "2510")
    #expect(try database.load(first, fingerprint: "1", at: Times.before.effectiveTime) == AirportChanges(added: 28_895))
    #expect(try database.status().current?.runwayCount == 68_477)
    let second = try AirportReader(Self.bytes(Self.october30))
    #expect(second.header.cycle.identifier == "2511")
    let changes = try database.load(second, fingerprint: "2", at: Times.cycle.effectiveTime)
    #expect(
      changes == AirportChanges(added: 66, removed: 21, changed: 208, variationOnly: 23_528, unchanged: 5138))
    let current = try #require(try database.status().current)
    #expect(current.airportCount == 28_940)
    #expect(current.runwayCount == 68_581)
    #expect(current.digest.description == "4cc8633627bd1165")
    #expect(try database.computedDigest() == current.digest)

    #expect(try database.airports(matching: "heathr").first?.icaoID == "EGLL")
    #expect(try database.airport(icaoID: "KSGF")?.runwaysLongestFirst.first?.name == "14")
    #expect(try database.airport(identifier: "4C8")?.name == "ALBIA MUNI")
    let nearest = try database.airports(nearest: Coordinate(latitude: 0, longitude: 180), count: 10)
    #expect(
      nearest.map(\.airport.locationID) == [
        "NGTE", "NGTA", "NGFU", "PCIS", "1Q9", "N18", "N20", "MAJ", "N55", "C51",
      ])
  }

  /// By delta and by the whole file, the second cycle is the same, and the delta has at most 5 % of the bytes.
  @Test func aDeltaComesToTheSecondCycle() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let (before, after) = (try Self.bytes(Self.october2), try Self.bytes(Self.october30))
    let first = try AirportReader(before)
    let (sources, cycles) = (try AirportReader(after).header.sources, (first.header.cycle, Times.cycle))
    var (airports, reader) = ([Airport](), try AirportReader(after))
    while let airport = try reader.next() { airports.append(airport) }
    try database.load(first, fingerprint: "1", at: Times.before.effectiveTime)
    let whole = try AirportFile.packed(airports, cycle: Times.cycle, sources: sources)
    let bytes = try AirportDelta.packed(
      from: database.allAirports(), of: cycles.0, to: airports, cycle: cycles.1, sources: sources)
    #expect(bytes.count * 20 <= whole.count, "\(bytes.count) of \(whole.count) bytes")
    let delta = try AirportDelta(bytes)
    let changes = try database.apply(delta, fingerprint: "delta")
    try database.activatePending(at: Times.cycle.effectiveTime)
    #expect(
      changes == AirportChanges(added: 66, removed: 21, changed: 208, variationOnly: 23_528, unchanged: 5138))
    let current = try #require(try database.status().current)
    #expect(current.digest.description == "4cc8633627bd1165")
    #expect(try database.computedDigest() == current.digest)
    #expect(current.airportCount == 28_940 && current.runwayCount == 68_581)
  }

  /// What our reader makes of a list is what Foundation makes of it.
  @Test func theListIsReadAsFoundationReadsIt() throws {
    let unpacker = AirportUnpacker()
    let packed = try Self.bytes(Self.october2)
    try packed.withUnsafeBytes { try unpacker.append($0, isLast: true) }
    let any = try PropertyListSerialization.propertyList(from: Data(unpacker.bytes), format: nil)
    let airports = try #require((any as? [String: Any])?["airports"] as? [[String: Any]])
    var reader = try AirportPropertyListReader(unpacker.bytes)
    #expect(reader.header.airportCount == airports.count)
    for (index, expected) in airports.enumerated() {
      let airport = try #require(try reader.nextAirport())
      guard index.isMultiple(of: 20) else { continue }
      #expect(airport.recordID == expected["recordID"] as? String)
      #expect(airport.locationID == expected["locationID"] as? String)
      #expect(airport.icaoID == expected["ICAO_ID"] as? String)
      #expect(airport.name == expected["name"] as? String)
      #expect(airport.city == expected["city"] as? String)
      #expect(airport.coordinate.latitude == expected["latitude"] as? Double)
      #expect(airport.coordinate.longitude == expected["longitude"] as? Double)
      #expect(airport.elevationMeters == expected["elevation"] as? Double)
      #expect(airport.variationDegrees == expected["variation"] as? Double)
      #expect(airport.timeZone == expected["timeZone"] as? String)
      let runways = try #require(expected["runways"] as? [[String: Any]])
      #expect(airport.runways.count == runways.count)
      for (runway, expected) in zip(airport.runways, runways) {
        #expect(runway.name == expected["name"] as? String)
        #expect(runway.trueHeadingDegrees == expected["trueHeading"] as? Double)
        #expect(runway.lengthMeters == expected["length"] as? Double)
        #expect(runway.isTurf == expected["isTurf"] as? Bool)
        #expect(runway.elevationMeters == expected["elevation"] as? Double)
        #expect(runway.reciprocalName == expected["reciprocalName"] as? String)
        #expect(runway.takeoffRunMeters == expected["takeoffRun"] as? Double)
        #expect(runway.takeoffDistanceMeters == expected["takeoffDistance"] as? Double)
        #expect(runway.landingDistanceMeters == expected["landingDistance"] as? Double)
      }
    }
    #expect(try reader.nextAirport() == nil)
  }

  @Test func ourOwnFormHoldsTheSameInLess() throws {
    let packed = try Self.bytes(Self.october30)
    var reader = try AirportReader(packed)
    var airports: [Airport] = []
    while let airport = try reader.next() { airports.append(airport) }
    let bytes = try AirportFile.encoded(airports, cycle: reader.header.cycle, sources: reader.header.sources)
    #expect(bytes.count < 3_500_000)
    var again = try AirportReader(unpacked: bytes)
    var digest = AirportDigest()
    while let airport = try again.next() { digest.add(airport) }
    #expect(digest == AirportDigest(airports))
    #expect(again.header.sources == reader.header.sources)
  }
}
