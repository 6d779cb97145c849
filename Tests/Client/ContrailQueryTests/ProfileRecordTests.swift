import ContrailGeodesy
import ContrailQuery
import ContrailWire
import Testing

/// PIREPs beside the routes of the table, and areas over them.
@Suite struct ProfileRecordTests {
  /// The PIREPs and the areas of a route, and where the table says that they are.
  struct Case {
    var pireps: [PIREP] = []
    /// The level and the bins of each PIREP.
    var places: [(level: Int?, bins: [Int])] = []
    var areas: [Area] = []
  }

  /// An area of the table.
  struct Area {
    var severity: TurbulenceSeverity?
    /// The properties and the rings of each polygon, as JSON.
    var properties: String
    var polygons: [[String]] = []
    var levels = 0...0
    var bins: [Int] = []
  }

  static let cases: [Case] = ProfileTable.text.split(separator: "\n").reduce(into: []) { cases, line in
    let fields = line.split(separator: " ")
    let numbers = fields.dropFirst().map { Double($0) }
    let last = cases.count - 1
    func editArea(_ edit: (inout Area) -> Void) { edit(&cases[last].areas[cases[last].areas.count - 1]) }
    switch fields[0] {
    case "route": cases.append(Case())
    case "pirep": cases[last].add(pirep: numbers)
    case "area": cases[last].areas.append(Area(numbers))
    case "ring": editArea { $0.add(ring: fields[2], toPolygon: Int(fields[1]) ?? 0) }
    case "over": editArea { $0.add(stretches: numbers.compactMap { $0.map { Int($0) } }) }
    default: break
    }
  }

  @Test func theTableHasPIREPsAndAreas() {
    #expect(Self.cases.count == ProfileTests.cases.count)
    #expect(Self.cases.allSatisfy { $0.pireps.count == 20 && $0.areas.count >= 6 })
    let areas = Self.cases.flatMap(\.areas)
    #expect(areas.contains { $0.polygons.count == 2 } && areas.contains { $0.polygons[0].count == 2 })
    #expect(Self.cases.contains { $0.places.contains { $0.bins.isEmpty } && $0.places.contains { $0.bins.count == 2 } })
  }

  @Test(arguments: cases.indices) func pirepsAreWhereTheStraightforwardComputationHasThem(index: Int) throws {
    let test = Self.cases[index]
    let profile = try ProfileTests.cases[index].query.profile(of: [], pireps: test.pireps, asOf: now)
    for (pirep, place) in zip(test.pireps, test.places) {
      let beside = profile.pireps.filter { $0.pirep == pirep }
      #expect(beside.map(\.bin) == place.bins, "\(pirep.position)")
      #expect(beside.allSatisfy { $0.level == place.level }, "\(pirep.position)")
    }
    let stated = profile.pireps.filter { $0.level != nil }.count
    #expect(profile.cells.reduce(0) { $0 + $1.pireps.count } == stated)
    for cell in profile.cells {
      #expect(cell.pireps.map { profile.pireps[$0] }.allSatisfy { $0.bin == cell.bin && $0.level == cell.level })
    }
  }

  @Test(arguments: cases.indices) func areasCoverWhatTheStraightforwardComputationSays(index: Int) throws {
    let test = Self.cases[index]
    let features = test.areas.map(\.feature).joined(separator: ",")
    let polygons = try TurbulencePolygonQuery(dataHistoryTime: .twoHours).polygons(
      in: Array(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8), of: now, asOf: now)
    let profile = try ProfileTests.cases[index].query.profile(of: [], polygons: polygons, asOf: now)
    #expect(profile.areas.map(\.severity) == test.areas.map(\.severity))
    #expect(profile.areas.map(\.levels) == test.areas.map(\.levels))
    #expect(profile.areas.map(\.bins) == test.areas.map(\.bins))
    var wrong: [String] = []
    for bin in 0..<profile.binCount {
      for level in 0...RouteProfile.ceiling {
        let covering = test.areas.indices.filter {
          test.areas[$0].bins.contains(bin) && test.areas[$0].levels.contains(level)
        }
        if profile[bin, level].areas != covering { wrong.append("bin \(bin), level \(level)") }
      }
    }
    #expect(wrong.isEmpty)
  }
}

extension ProfileRecordTests.Case {
  /// Adds a PIREP: its latitude, longitude and flight level, then the level and the bins.
  fileprivate mutating func add(pirep numbers: [Double?]) {
    guard numbers.count >= 4, let latitude = numbers[0], let longitude = numbers[1],
      let position = FixedCoordinate(point(latitude, longitude))
    else { return }
    pireps.append(
      PIREP(
        id: "\(pireps.count)", position: position, flightLevel: numbers[2].map { Int($0) }, severity: .light,
        isUrgent: false, observedAt: now - 60, updatedAt: now - 60, text: ""))
    places.append((numbers[3].map { Int($0) }, numbers.dropFirst(4).compactMap { $0.map { Int($0) } }))
  }
}

extension ProfileRecordTests.Area {
  /// Creates an area of a severity, a base and a top, each of which may be missing.
  fileprivate init(_ numbers: [Double?]) {
    let stated = zip(["severity", "baseAltitude", "topAltitude"], numbers)
    properties = stated.compactMap { name, number in number.map { #""\#(name)":\#(Int($0))"# } }.joined(separator: ",")
    severity = numbers.first.flatMap { $0 }.flatMap { TurbulenceSeverity(rawValue: UInt8($0)) }
  }

  /// Adds a ring of longitudes and latitudes. It is a hole if the polygon has a ring already.
  fileprivate mutating func add(ring: Substring, toPolygon index: Int) {
    let numbers = ring.split(separator: ",")
    let corners = stride(from: 0, to: numbers.count, by: 2).map { "[\(numbers[$0]),\(numbers[$0 + 1])]" }
    if index == polygons.count { polygons.append([]) }
    polygons[index].append("[\(corners.joined(separator: ","))]")
  }

  /// Adds the lowest and the highest level, and the first and the last bin of each stretch.
  fileprivate mutating func add(stretches numbers: [Int]) {
    levels = numbers[0]...numbers[1]
    bins = stride(from: 2, to: numbers.count, by: 2).flatMap { Array(numbers[$0]...numbers[$0 + 1]) }
  }

  /// The area as a feature of GeoJSON.
  fileprivate var feature: String {
    let coordinates = polygons.map { "[\($0.joined(separator: ","))]" }.joined(separator: ",")
    let geometry = #"{"type":"MultiPolygon","coordinates":[\#(coordinates)]}"#
    return #"{"type":"Feature","properties":{\#(properties)},"geometry":\#(geometry)}"#
  }
}
