import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailTestSupport
import Foundation
import Testing

@Suite struct PropertyListTests {
  private static func list(_ airports: [[String: Any]], cycle: [String: Any]? = nil) throws -> [UInt8] {
    let top: [String: Any] = [
      "nasrCycle": cycle ?? ["year": 2025, "month": 10, "day": 30], "airports": airports,
      "ourAirportsLastUpdated": Date(timeIntervalSince1970: 1_761_806_317.64), "unknown": [1, ["x": "y"]],
    ]
    return Array(try PropertyListSerialization.data(fromPropertyList: top, format: .binary, options: 0))
  }

  private static var sample: [String: Any] {
    [
      "recordID": "1.*A", "locationID": "SGF", "ICAO_ID": "KSGF", "name": "Zürich 飛行場", "city": "Łódź",
      "dataSource": "nasr",
      "latitude": 37.24565972222222, "longitude": -93.38862847222222, "elevation": 386.5778548828125, "variation": 3,
      "timeZone": "America/Chicago", "somethingNew": ["deeper": [1, 2, 3]],
      "runways": [
        [
          "name": "02", "elevation": 385.32, "trueHeading": 22.0, "length": 2134.5144, "takeoffRun": 2134.5,
          "takeoffDistance": 2100, "landingDistance": 2000.25, "isTurf": false, "reciprocalName": "20",
        ], ["name": "20", "isTurf": true],
      ],
    ]
  }

  private static func read(_ bytes: [UInt8]) throws -> (AirportCycle, [Airport]) {
    var reader = try AirportPropertyListReader(bytes)
    var airports: [Airport] = []
    while let airport = try reader.nextAirport() { airports.append(airport) }
    return (reader.header, airports)
  }

  @Test func everyFieldIsRead() throws {
    let (header, airports) = try Self.read(try Self.list([Self.sample]))
    #expect(header.cycle.identifier == "2511")
    #expect(header.airportCount == 1)
    #expect(header.runwayCount == nil)
    #expect(header.sources.map(\.asOf) == [1_761_782_400, 1_761_806_317])
    let expected = Airport(
      recordID: "1.*A", locationID: "SGF", icaoID: "KSGF", name: "Zürich 飛行場", city: "Łódź", dataSource: .nasr,
      coordinate: Coordinate(latitude: 37.24565972222222, longitude: -93.38862847222222),
      elevationMeters: 386.5778548828125, variationDegrees: 3, timeZone: "America/Chicago",
      runways: [
        Runway(
          name: "02", trueHeadingDegrees: 22, lengthMeters: 2134.5144, surface: .notTurf, elevationMeters: 385.32,
          reciprocalName: "20", takeoffRunMeters: 2134.5, takeoffDistanceMeters: 2100, landingDistanceMeters: 2000.25),
        Runway(name: "20", surface: .turf),
      ])
    #expect(airports == [expected])
  }

  @Test(arguments: ["recordID", "locationID", "name", "dataSource", "latitude", "longitude"])
  func anAirportWithoutWhatItMustHaveIsDamage(_ key: String) throws {
    var airport = Self.sample
    airport[key] = nil
    let bytes = try Self.list([airport])
    let error = #expect(throws: AirportDataError.self) { try Self.read(bytes) }
    #expect(error?.code == .damaged)
  }

  @Test func valuesOfTheWrongKindAreDamage() throws {
    let wrong: [(String, Any)] = [
      ("recordID", 5), ("latitude", "5"), ("latitude", 91), ("longitude", Double.nan), ("elevation", Double.infinity),
      ("runways", ["x": 1]), ("runways", [["isTurf": true]]), ("runways", [["name": "1", "isTurf": 1]]),
      ("dataSource", "faa"), ("name", "a\u{0}b"), ("name", String(repeating: "x", count: 5000)),
      ("name", String(repeating: "é", count: 3000)), ("city", true), ("timeZone", ["UTC"]),
    ]
    for (key, value) in wrong {
      var airport = Self.sample
      airport[key] = value
      let bytes = try Self.list([airport])
      let error = #expect(throws: AirportDataError.self, "\(key): \(value)") { try Self.read(bytes) }
      #expect(error?.code == .damaged, "\(key): \(value)")
    }
  }

  @Test func aListOfSomethingElseIsNotAirports() throws {
    for (cycle, code) in [
      (["year": 2025, "month": 10, "day": 31], AirportDataError.Code.damaged), (["year": "x"], .damaged),
    ]
      as [([String: Any], AirportDataError.Code)]
    {
      let bytes = try Self.list([], cycle: cycle)
      let error = #expect(throws: AirportDataError.self) { try Self.read(bytes) }
      #expect(error?.code == code)
    }
    let other = Array(try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0))
    #expect(#expect(throws: AirportDataError.self) { try Self.read(other) }?.code == .unknownFormat)
    let array = Array(try PropertyListSerialization.data(fromPropertyList: [1], format: .binary, options: 0))
    #expect(#expect(throws: AirportDataError.self) { try Self.read(array) }?.code == .damaged)
    #expect(#expect(throws: AirportDataError.self) { try Self.read([]) }?.code == .unknownFormat)
  }

  @Test func everyPrefixIsRefused() throws {
    let bytes = try Self.list([Self.sample])
    for length in 0..<bytes.count {
      #expect(throws: AirportDataError.self) { try Self.read(Array(bytes[..<length])) }
    }
  }

  @Test func twoListsOneAfterTheOtherAreRefused() throws {
    let bytes = try Self.list([Self.sample])
    #expect(#expect(throws: AirportDataError.self) { try Self.read(bytes + bytes) }?.code == .concatenated)
  }

  /// Whatever the bytes: airports or an error, within bounds and soon.
  @Test func noBytesMakeTheReaderFail() throws {
    var random = SplitMix64(seed: 31)
    var airports: [[String: Any]] = []
    for index in 0..<4 {
      var airport = Self.sample
      airport["recordID"] = "R\(index)"
      airports.append(airport)
    }
    let good = try Self.list(airports)
    var readable = 0
    for _ in 0..<4000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Mostly near the end, where the layout is.
        let index =
          Bool.random(using: &random)
          ? Int.random(in: max(0, bytes.count - 400)..<bytes.count, using: &random)
          : Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] =
          [0, 1, 8, 0x7f, 0x80, 0xa3, 0xaf, 0xdf, 0xff, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      do {
        _ = try Self.read(bytes)
        readable += 1
      } catch is AirportDataError {}
    }
    #expect((100..<3900).contains(readable), "\(readable) of 4000 could be read: the damage is too small or too large")
  }

  @Test func noiseBehindTheMagicIsRefused() {
    var random = SplitMix64(seed: 32)
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...120, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...8, using: &random) : UInt8.random(in: 0...255, using: &random)
      }
      #expect(throws: AirportDataError.self) { try Self.read(Array("bplist00".utf8) + noise) }
    }
  }
}
