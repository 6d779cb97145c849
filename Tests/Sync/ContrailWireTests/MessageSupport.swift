import ContrailGeodesy
import ContrailTestSupport
import ContrailWire

/// Random messages of the protocol.
struct MessageMaker {
  var random: SplitMix64
  var speller: JSONSpeller

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    speller = JSONSpeller(seed: seed ^ 0x5555)
  }

  mutating func maybe<T>(_ value: (inout MessageMaker) -> T) -> T? { random.chance(70) ? value(&self) : nil }

  mutating func int<T: FixedWidthInteger>(_ range: ClosedRange<T>) -> T { T.random(in: range, using: &random) }

  mutating func place() -> FixedCoordinate {
    FixedCoordinate(latitudeE7: int(-900_000_000...900_000_000), longitudeE7: int(-3_600_000_000...3_600_000_000))
  }

  mutating func pirep() -> PIREP {
    PIREP(
      id: speller.text() + "\(int(0...UInt32.max))", position: place(), flightLevel: maybe { $0.int(-20...1000) },
      severity: maybe { TurbulenceSeverity(rawValue: $0.int(0...4)) ?? .none }, isUrgent: random.chance(50),
      observedAt: int(0...Int64(UInt32.max)), updatedAt: int(0...Int64(UInt32.max)), text: speller.text())
  }

  mutating func traffic() -> TrafficPosition {
    TrafficPosition(
      id: speller.text(), callsign: speller.text(), position: place(), altitudeFeet: maybe { $0.int(-5000...200_000) },
      groundSpeedKnots: maybe { $0.int(0...5000) }, trackDegrees: maybe { $0.int(0...360) },
      observedAt: int(0...Int64(UInt32.max)))
  }

  mutating func sum() -> HeldSum { HeldSum(count: int(0...Int.max), checksum: random.next()) }

  mutating func answer() -> ObservationsAnswer {
    let token = int(0...Int64(UInt32.max))
    var answer = ObservationsAnswer(
      token: token, follows: maybe { $0.int(0...Int64(UInt32.max)) }, held: maybe { $0.sum() })
    let latest = min(token + 3600, Int64(UInt32.max))
    answer.reports = (0..<int(0...5)).map { _ in
      ModelServer.report(at: Int64.random(in: 0...latest, using: &random), using: &random)
    }
    if random.chance(50) {
      answer.heldPIREPs = maybe { $0.sum() }
      answer.pireps = (0..<int(0...3)).map { _ in pirep() }
    }
    if random.chance(50) { answer.traffic = (0..<int(0...3)).map { _ in traffic() } }
    return answer
  }

  mutating func ring() throws -> Ring {
    let degree = FixedCoordinate.degree
    let (south, west) = (int(-80...60) * degree + int(0...9_999_999), int(-180...179) * degree + int(0...9_999_999))
    let size = int(1...20) * degree
    let corners = [(0, 0), (0, size), (size, size), (size, 0), (0, 0)].map {
      FixedCoordinate(latitudeE7: min(south + $0.0, 90 * degree), longitudeE7: west + $0.1)
    }
    return try Ring(corners)
  }

  mutating func request() throws -> ObservationsRequest {
    let lower: UInt8 = int(0...52)
    let upper: UInt8 = int(lower...52)
    return ObservationsRequest(
      ring: try ring(),
      filter: Filter(
        types: DataTypeOptions(rawValue: int(0...15)), severities: SeveritySet(rawValue: int(0...31)),
        altitudes: AltitudeBand(lower: Int64(lower), upper: Int64(upper)) ?? .all,
        history: DataHistoryTime.allCases.randomElement(using: &random) ?? .hour),
      since: maybe { $0.int(0...Int64(UInt32.max)) })
  }

  /// The same JSON with its members in another order, in odd spellings, and members that nobody knows.
  mutating func respelt(_ json: [UInt8]) throws -> [UInt8] {
    var tree = speller.shuffled(try JSONTree(json))
    if case .object(var members) = tree {
      let unknown = JSONTree.Member(key: "x-\(speller.text())", value: speller.tree())
      members.insert(unknown, at: Int.random(in: 0...members.count, using: &random))
      tree = .object(members)
    }
    return Array(speller.spell(tree).utf8)
  }
}

extension ObservationsAnswer {
  init(_ bytes: [UInt8]) throws { self = try bytes.withUnsafeBytes { try ObservationsAnswer(json: $0) } }
  init(_ text: String) throws { try self.init(Array(text.utf8)) }
}

extension ObservationsRequest {
  init(_ bytes: [UInt8]) throws { self = try bytes.withUnsafeBytes { try ObservationsRequest(json: $0) } }
  init(_ text: String) throws { try self.init(Array(text.utf8)) }
}
