import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import Testing

/// What must be the same on every machine and in every version: digests stand in logs, files on disks.
@Suite struct StabilityTests {
  private static let airport = Airport(
    recordID: "1.*A", locationID: "ZRH", icaoID: "LSZH", name: "Zürich", city: "Kloten", dataSource: .ourAirports,
    coordinate: Coordinate(latitude: 47.458057, longitude: 8.548056), elevationMeters: 1416 * 0.3048,
    variationDegrees: 3, timeZone: "Europe/Zurich",
    runways: [
      Runway(
        name: "16", trueHeadingDegrees: 154.5, lengthMeters: 3700, surface: .concrete, reciprocalName: "34",
        endCoordinate: Coordinate(latitude: 47.4756, longitude: 8.5359))
    ])

  @Test func aDigestIsTheSameForEver() {
    #expect(AirportDigest([Self.airport]).description == "33ef22f1c2a23abf")
    #expect(AirportDigest([Airport]()).description == "0000000000000000")
  }

  @Test func aFileIsTheSameForEver() throws {
    let bytes = try AirportFile.encoded(
      [Self.airport], cycle: Times.cycle, sources: [AirportSource(name: "OurAirports", asOf: 1_761_782_400)])
    let expected = [
      "435452414952505401a79f01010b4f7572416972706f72747381aa95900d0101010d4575726f7065",
      "2f5a7572696368457d04312e2a41035a5248044c535a48075ac3bc72696368064b6c6f74656e94e1",
      "89ea0284db9b4181b101300001831803023136a38b0fc0ce0302333484f29aea02c4eb8f41bf3aa2",
      "c2f122ef33",
    ]
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected.joined())
  }
}
