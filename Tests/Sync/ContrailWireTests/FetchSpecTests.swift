import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct FetchSpecTests {
  /// A small world of specs, so that random ones are often comparable.
  private static func spec(using random: inout SplitMix64) throws -> FetchSpec {
    let areas: [Area] = [.world, .ring(try Ring(Rig.area)), .ring(try Ring(Rig.otherArea))]
    let lower = Int64.random(in: 0...2, using: &random)
    let band = try #require(AltitudeBand(lower: lower, upper: Int64.random(in: lower...3, using: &random)))
    return FetchSpec(
      area: areas[random.chance(80) ? 1 : Int.random(in: 0..<3, using: &random)],
      filter: Filter(
        types: DataTypeOptions(rawValue: UInt8.random(in: 0..<4, using: &random)),
        severities: SeveritySet(rawValue: UInt8.random(in: 0..<4, using: &random)), altitudes: band,
        history: [.hour, .twoHours].randomElement(using: &random) ?? .hour))
  }

  private static func narrowed(_ spec: FetchSpec, using random: inout SplitMix64) -> FetchSpec {
    var spec = spec
    if random.chance(30) { spec.types = [] }
    if random.chance(30) { spec.severities.remove(SeveritySet([.none])) }
    if random.chance(30) { spec.history = .hour }
    if random.chance(30),
      let band = AltitudeBand(lower: Int64(spec.altitudes.upper), upper: Int64(spec.altitudes.upper))
    {
      spec.altitudes = band
    }
    return spec
  }

  @Test func theDigestOfAnAreaNamesBothCoordinatesOfEachCorner() throws {
    let points = Rig.area.compactMap { $0 }
    var digests: Set<UInt64> = [0, Area.ring(try Ring(points)).digest]
    for index in 1..<points.count - 1 {
      for (north, east) in [(Int64(1), Int64(0)), (0, 1)] {
        var moved = points
        moved[index].latitudeE7 += north
        moved[index].longitudeE7 += east
        digests.insert(Area.ring(try Ring(moved)).digest)
      }
    }
    #expect(digests.count == 2 + 2 * (points.count - 2))
    #expect(Area.world.digest == 0)
  }

  @Test func recordsAreShownUntilTheirTimeHasPassed() {
    let second = Rig.start / 1000
    var maker = MessageMaker(seed: 1)
    var (pirep, aircraft) = (maker.pirep(), maker.traffic())
    for types in [DataTypeOptions.areaTypes, []] {
      let spec = FetchSpec(area: .world, filter: Filter(types: types, history: .hour))
      for age in [Int64(-1), 0, 299, 300, 3599, 3600] {
        (pirep.observedAt, aircraft.observedAt) = (second - age, second - age)
        #expect(spec.shows(pirep, asOf: second) == (!types.isEmpty && age < 3600), "\(age)")
        #expect(spec.shows(aircraft, asOf: second) == (!types.isEmpty && age < 300), "\(age)")
        #expect(spec.showsPolygons(of: second - age, asOf: second) == (age < 3600), "\(age)")
      }
    }
  }

  @Test func coversIsAPartialOrder() throws {
    var comparable = 0
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      let a = try Self.spec(using: &random)
      let b = random.chance(50) ? Self.narrowed(a, using: &random) : try Self.spec(using: &random)
      let c = random.chance(50) ? Self.narrowed(b, using: &random) : try Self.spec(using: &random)
      #expect(a.covers(a), "seed \(seed)")
      if a.covers(b) && b.covers(a) { #expect(a == b, "seed \(seed)") }
      if a.covers(b) && b.covers(c) {
        comparable += 1
        #expect(a.covers(c), "seed \(seed)")
      }
    }
    #expect(comparable > 500)
  }

  @Test func whatIsCoveredAdmitsNoMore() throws {
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      let a = try Self.spec(using: &random)
      let b = try Self.spec(using: &random)
      let token = Rig.start / 1000
      let report = TurbulenceReport(
        cell: 1, altitude: UInt8.random(in: 0...4, using: &random), severity: UInt8.random(in: 0...3, using: &random),
        edrE4: 0, observedAt: UInt32(token - Int64.random(in: 3500...7300, using: &random)))
      if a.covers(b) && b.admits(report, asOf: token) { #expect(a.admits(report, asOf: token), "seed \(seed)") }
    }
  }

  @Test func eachPartMustBeAtLeastAsWide() throws {
    let band = try #require(AltitudeBand(lower: 20, upper: 30))
    let base = FetchSpec(
      area: .ring(try Ring(Rig.area)),
      filter: Filter(
        types: [.turbulence, .pireps], severities: SeveritySet([.light, .moderate]), altitudes: band, history: .twoHours
      ))
    let changes: [(wider: (inout FetchSpec) -> Void, name: String)] = [
      ({ $0.types.insert(.traffic) }, "types"), ({ $0.severities = .all }, "severities"),
      ({ $0.altitudes = .all }, "altitudes"), ({ $0.history = .fourHours }, "history"),
    ]
    for change in changes {
      var wider = base
      change.wider(&wider)
      #expect(wider.covers(base) && !base.covers(wider), "\(change.name)")
    }
    var elsewhere = base
    elsewhere.area = .world
    #expect(!elsewhere.covers(base) && !base.covers(elsewhere))
  }

  @Test func aReportIsAdmittedByTimeAltitudeAndSeverity() throws {
    let band = try #require(AltitudeBand(lower: 20, upper: 30))
    let spec = FetchSpec(
      area: .world,
      filter: Filter(types: .turbulence, severities: SeveritySet([.moderate]), altitudes: band, history: .hour))
    func admits(_ altitude: UInt8 = 20, _ severity: UInt8 = 3, age: UInt32 = 3599) -> Bool {
      spec.admits(
        TurbulenceReport(cell: 0, altitude: altitude, severity: severity, edrE4: 0, observedAt: 1_000_000 - age),
        asOf: 1_000_000)
    }
    #expect(admits() && admits(30) && !admits(19) && !admits(31))
    #expect(!admits(20, 2) && !admits(20, 4) && !admits(20, 7))
    #expect(!admits(age: 3600) && admits(age: 0))
  }

  // MARK: AltitudeBand

  @Test func feetAreRoundedOutwardToThousandsAndClamped() throws {
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      let range: ClosedRange<Int64> = random.chance(10) ? .min ... .max : -5_000...60_000
      let a = Int64.random(in: range, using: &random)
      let b = Int64.random(in: range, using: &random)
      let band = try #require(AltitudeBand(feet: min(a, b), max(a, b)), "seed \(seed)")
      let (low, high) = (min(max(min(a, b), 0), 52_000), min(max(max(a, b), 0), 52_000))
      #expect(Int64(band.lower) * 1000 <= low && low < Int64(band.lower) * 1000 + 1000, "seed \(seed)")
      #expect(Int64(band.upper) * 1000 >= high && high > Int64(band.upper) * 1000 - 1000, "seed \(seed)")
      #expect(AltitudeBand.all.covers(band), "seed \(seed)")
      // What was rounded once stays.
      #expect(AltitudeBand(feet: Int64(band.lower) * 1000, Int64(band.upper) * 1000) == band, "seed \(seed)")
      if a != b { #expect(AltitudeBand(feet: max(a, b), min(a, b)) == nil, "seed \(seed)") }
    }
    #expect(AltitudeBand(feet: .min, .max) == .all)
  }

  @Test func thousandsOutOfRangeAreNoBand() {
    for (lower, upper) in [(-1, 5), (5, 4), (0, 53), (53, 53), (Int64.min, Int64.max)] as [(Int64, Int64)] {
      #expect(AltitudeBand(lower: lower, upper: upper) == nil)
    }
    #expect(AltitudeBand(lower: 0, upper: 52) == .all)
  }

  // MARK: SeveritySet

  @Test func aSetOfSeveritiesHoldsWhatItWasMadeOf() {
    for bits in UInt8(0)...0x1F {
      let set = SeveritySet(rawValue: bits)
      #expect(SeveritySet(set.severities) == set)
      #expect(TurbulenceSeverity.allCases.allSatisfy { set.contains($0) == set.severities.contains($0) })
    }
    #expect(SeveritySet(rawValue: 0xFF) == .all)
  }
}
