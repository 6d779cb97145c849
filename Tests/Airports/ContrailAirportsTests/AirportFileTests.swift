import ContrailAirportData
import ContrailAirports
import ContrailCompression
import ContrailGeodesy
import ContrailTestSupport
import Testing

@Suite struct AirportFileTests {
  private static let cycle = AIRACCycle.first
  private static let sources = [AirportSource(name: "FAA NASR", asOf: -5), AirportSource(name: "OurAirports")]

  private func read(_ bytes: [UInt8], blocks: Int = .max) throws -> (AirportCycle?, [Airport]) {
    var reader = AirportFileReader()
    var airports: [Airport] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + min(blocks, bytes.count))
      reader.append(bytes[offset..<end])
      while let airport = try reader.next() { airports.append(airport) }
      offset = end
    }
    try reader.finish()
    return (reader.header, airports)
  }

  @Test(arguments: [1, 7, 1000, Int.max]) func whatIsWrittenIsReadInBlocksOfAnySize(_ block: Int) throws {
    var random = RandomAirports(seed: 1)
    let airports = random.make(80)
    let bytes = try AirportFile.encoded(airports, cycle: Self.cycle, sources: Self.sources)
    let (header, read) = try read(bytes, blocks: block)
    #expect(read == airports.sorted { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) })
    #expect(header?.cycle == Self.cycle)
    #expect(header?.sources == Self.sources)
    #expect(header?.airportCount == 80)
    #expect(header?.runwayCount == airports.reduce(0) { $0 + $1.runways.count })
  }

  @Test func theBytesAreTheSameInAnyOrder() throws {
    var random = RandomAirports(seed: 2)
    let airports = random.make(50)
    let bytes = try AirportFile.encoded(airports, cycle: Self.cycle, sources: Self.sources)
    let shuffled = airports.shuffled(using: &random.random)
    #expect(try AirportFile.encoded(shuffled, cycle: Self.cycle, sources: Self.sources) == bytes)
    #expect(AirportDigest(shuffled) == AirportDigest(airports))
  }

  @Test func numbersComeBackToTheLastBit() throws {
    var random = RandomAirports(seed: 3)
    let airports = random.make(300)
    let (_, read) = try read(try AirportFile.encoded(airports, cycle: Self.cycle, sources: []))
    #expect(AirportDigest(read) == AirportDigest(airports))
  }

  @Test func noAirportsAreAFileToo() throws {
    let (header, read) = try read(try AirportFile.encoded([], cycle: Self.cycle, sources: []), blocks: 1)
    #expect(header?.airportCount == 0)
    #expect(read.isEmpty)
  }

  @Test func whatIsPackedIsXZ() throws {
    var random = RandomAirports(seed: 4)
    let airports = random.make(20)
    let packed = try AirportFile.packed(airports, cycle: Self.cycle, sources: [], preset: 1)
    #expect(try XZ.decompress(packed) == AirportFile.encoded(airports, cycle: Self.cycle, sources: []))
  }

  @Test func everyPrefixIsTruncated() throws {
    var random = RandomAirports(seed: 5)
    let bytes = try AirportFile.encoded(random.make(6), cycle: Self.cycle, sources: Self.sources)
    for length in 0..<bytes.count {
      let error = #expect(throws: AirportDataError.self) { try read(Array(bytes[..<length])) }
      #expect(error?.code == .truncated, "at \(length): \(String(describing: error))")
    }
  }

  @Test func noChangedByteChangesAnAirportUnnoticed() throws {
    var random = RandomAirports(seed: 6)
    let airports = random.make(8)
    let bytes = try AirportFile.encoded(airports, cycle: Self.cycle, sources: Self.sources)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= UInt8.random(in: 1...255, using: &random.random)
      do {
        // The header isn't part of the digest (the check of the `.xz` around covers that), and 0 feet are 0 metres.
        #expect(try read(changed).1 == airports)
      } catch let error as AirportDataError {
        #expect(error.code != .unwritable)
      }
    }
  }

  @Test func noiseIsNoFile() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: AirportDataError.self) { try read(noise) }
      #expect(throws: AirportDataError.self) { try read(Array("CTRAIRPT\u{1}".utf8) + noise) }
    }
  }

  @Test func aNewerVersionIsRefused() throws {
    let error = #expect(throws: AirportDataError.self) { try read(Array("CTRAIRPT\u{2}".utf8)) }
    #expect(error?.code == .newerFormat)
  }

  @Test func whatFollowsTheEndIsRefused() throws {
    let bytes = try AirportFile.encoded([], cycle: Self.cycle, sources: [])
    let error = #expect(throws: AirportDataError.self) { try read(bytes + [0]) }
    #expect(error?.code == .concatenated)
  }

  @Test func whatNoFileMayHoldIsNotWritten() throws {
    var random = RandomAirports(seed: 8)
    let good = random.airport("A")
    var faults: [[Airport]] = [[good, good]]
    var bad = good
    bad.elevationMeters = .nan
    faults.append([bad])
    bad = good
    bad.coordinate.longitude = 181
    faults.append([bad])
    bad = good
    bad.name = String(repeating: "x", count: 4097)
    faults.append([bad])
    bad = good
    bad.runways = [Runway(name: "09", lengthMeters: .infinity)]
    faults.append([bad])
    bad = good
    bad.city = "a\u{0}b"
    faults.append([bad])
    bad = good
    bad.recordID = ""
    faults.append([bad])
    for airports in faults {
      let error = #expect(throws: AirportDataError.self) {
        try AirportFile.encoded(airports, cycle: Self.cycle, sources: [])
      }
      #expect(error?.code == .unwritable)
    }
  }
}
