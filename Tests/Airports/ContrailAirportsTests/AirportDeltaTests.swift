import ContrailAirports
import ContrailCompression
import ContrailGeodesy
import ContrailTestSupport
import Testing

@testable import ContrailAirportData

/// The airports of two cycles: some gone, some new, some changed, many in variation only.
struct TwoCycles {
  let before: [Airport]
  let after: [Airport]
  var changes = AirportChanges()

  /// - Parameter model: The model whose declinations the airports of OurAirports have, half a year apart; nil for none.
  init(seed: UInt64, _ count: Int, isModelled: Bool = false) {
    var random = RandomAirports(seed: seed)
    var (old, new) = (MagneticModel(.wmm2020, year: 2025.5), MagneticModel(.wmm2020, year: 2025 + 302.0 / 365))
    var airports = random.make(count)
    var after: [Airport] = []
    for index in airports.indices where isModelled && airports[index].dataSource == .ourAirports {
      let place = airports[index].coordinate
      airports[index].variationDegrees = old.declination(latitude: place.latitude, longitude: place.longitude)
    }
    for var airport in airports {
      let place = airport.coordinate
      switch Int.random(in: 0..<10, using: &random.random) {
      case 0:
        changes.removed += 1
        continue
      case 1:
        airport.name += " NEW"
        changes.changed += 1
      case 2:
        airport.runways.append(random.runway())
        changes.changed += 1
      case 3...7:
        let value =
          isModelled && airport.dataSource == .ourAirports
          ? new.declination(latitude: place.latitude, longitude: place.longitude)
          : airport.variationDegrees.map { $0 + 1 }
        if value != airport.variationDegrees { changes.variationOnly += 1 } else { changes.unchanged += 1 }
        airport.variationDegrees = value
      default: changes.unchanged += 1
      }
      after.append(airport)
    }
    for index in 0..<count / 10 {
      after.append(random.airport("NEW\(index)"))
      changes.added += 1
    }
    before = airports
    self.after = after.shuffled(using: &random.random)
  }

  func delta(packed: Bool = false) throws -> [UInt8] {
    let source = [AirportSource(name: "a test", asOf: 7)]
    return packed
      ? try AirportDelta.packed(from: before, of: Times.before, to: after, cycle: Times.cycle, sources: source)
      : try AirportDelta.encoded(from: before, of: Times.before, to: after, cycle: Times.cycle, sources: source)
  }

  var sortedAfter: [Airport] {
    after.sorted { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
  }
}

@Suite struct AirportDeltaTests {
  @Test(arguments: [1, 2, 3, 4]) func aDeltaTurnsOneCycleIntoTheNext(_ seed: UInt64) throws {
    let cycles = TwoCycles(seed: seed, 300, isModelled: seed.isMultiple(of: 2))
    let delta = try AirportDelta(cycles.delta(packed: true))
    #expect(delta.base == Times.before && delta.baseDigest == AirportDigest(cycles.before))
    #expect(delta.header.cycle == Times.cycle && delta.digest == AirportDigest(cycles.after))
    #expect(delta.header.sources == [AirportSource(name: "a test", asOf: 7)])
    var random = SplitMix64(seed: seed)
    #expect(try delta.applied(to: cycles.before.shuffled(using: &random)) == cycles.sortedAfter)
    // The same difference gives the same bytes.
    #expect(try cycles.delta(packed: true) == cycles.delta(packed: true))
  }

  @Test func variationsThatFollowAModelAreHardlyStored() throws {
    let (modelled, free) = (TwoCycles(seed: 7, 2000, isModelled: true), TwoCycles(seed: 7, 2000))
    let delta = try AirportDelta(cycles: modelled)
    #expect(delta.model?.edition == .wmm2020 && delta.model?.year == 2025 + 302.0 / 365)
    let old = Dictionary(uniqueKeysWithValues: modelled.before.map { ($0.recordID, $0) })
    let varied = modelled.after.filter { airport in
      guard airport.dataSource == .ourAirports, let before = old[airport.recordID] else { return false }
      return AirportHash(before).steady == AirportHash(airport).steady && before != airport
    }
    #expect(varied.count > 300)
    #expect(delta.variations.filter { $0 == 0 }.count == varied.count, "the model gives the same bits")
    #expect(try AirportDelta(cycles: free).model == nil)
  }

  @Test func noDifferenceIsADeltaToo() throws {
    let airports = TwoCycles(seed: 3, 50).before
    let bytes = try AirportDelta.encoded(
      from: airports, of: Times.before, to: airports, cycle: Times.cycle, sources: [])
    #expect(try AirportDigest(AirportDelta(bytes).applied(to: airports)) == AirportDigest(airports))
    let empty = try AirportDelta.encoded(from: [], of: Times.before, to: [], cycle: Times.cycle, sources: [])
    #expect(try AirportDelta(empty).applied(to: []).isEmpty)
  }

  @Test func aDeltaOfOtherAirportsIsRefused() throws {
    let cycles = TwoCycles(seed: 5, 100)
    let delta = try AirportDelta(cycles.delta())
    for wrong in [[], cycles.after, Array(cycles.before.dropLast())] {
      #expect(Self.code { try delta.applied(to: wrong) } == .wrongBase)
    }
    var changed = cycles.before
    changed[3].elevationMeters = 12_345
    #expect(Self.code { try delta.applied(to: changed) } == .wrongBase)
  }

  @Test func aDeltaThatGivesAnotherDigestIsRefused() throws {
    let cycles = TwoCycles(seed: 5, 100)
    var bytes = try cycles.delta()
    bytes[bytes.count - 1] ^= 1
    let delta = try AirportDelta(bytes)
    #expect(Self.code { try delta.applied(to: cycles.before) } == .wrongDigest)
  }

  @Test func aDeltaThatIsCutAnywhereIsRefused() throws {
    let cycles = TwoCycles(seed: 6, 30, isModelled: true)
    let (plain, packed) = (try cycles.delta(), try cycles.delta(packed: true))
    for count in 0..<plain.count {
      let code = Self.code { try AirportDelta(unpacked: Array(plain.prefix(count))).applied(to: cycles.before) }
      #expect(code == .truncated || code == .damaged, "\(count): \(code as Any)")
    }
    for count in 0..<packed.count { #expect(Self.code { try AirportDelta(Array(packed.prefix(count))) } != nil) }
    #expect(Self.code { try AirportDelta(unpacked: plain + [0]) } == .concatenated)
  }

  @Test func noChangedByteTrapsOrGivesOtherAirports() throws {
    let cycles = TwoCycles(seed: 8, 25, isModelled: true)
    let plain = try cycles.delta()
    var random = SplitMix64(seed: 8)
    for _ in 0..<4000 {
      var bytes = plain
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let delta = try? AirportDelta(unpacked: bytes), let made = try? delta.applied(to: cycles.before) else {
        continue
      }
      #expect(AirportDigest(made) == delta.digest)
    }
  }

  @Test func aBombIsStoppedByItsLimit() throws {
    let bomb = try XZ.compress(AirportDelta.magic + [UInt8](repeating: 0, count: 30 << 20), preset: 0)
    #expect(bomb.count < 100_000)
    #expect(Self.code { try AirportDelta(bomb) } == .oversized)
    // Counts that promise more than there is take no memory.
    var writer = ByteWriter()
    writer.bytes = AirportDelta.magic
    writer.count(1)
    writer.count(Times.before.effectiveDay.daysSince1970)
    writer.word(0)
    _ = AirportFileHeader.write([], cycle: Times.cycle, sources: [], to: &writer)
    writer.count(0)
    writer.count(1 << 22)
    #expect(Self.code { try AirportDelta(unpacked: writer.bytes) } == .truncated)
  }

  static func code(_ body: () throws -> some Any) -> AirportDataError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? AirportDataError)?.code
    }
  }
}

extension AirportDelta {
  init(cycles: TwoCycles) throws { try self.init(cycles.delta()) }
}
