import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailWire

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Digest.mix(state)
  }
}

/// A server's reports over the North Atlantic, and its answers as JSON. Equal in every run.
struct World {
  /// The history of the query, in seconds.
  static let history: Int64 = 7200
  /// The number of reports in a delta.
  static let deltaCount = 200

  private(set) var held = ReportSet()
  private(set) var token: Int64
  private var random = Generator(state: 1)

  /// - Parameters:
  ///   - count: The number of reports to begin with.
  ///   - token: The server's time, in seconds since 1970.
  init(count: Int, token: Int64) {
    self.token = token
    while held.count < count { held.insert(report(in: 1...7000)) }
  }

  /// The corridor of the data query, which contains all reports.
  static let area: [Coordinate] = [
    (61, -61), (61, -40), (61, -20), (61, 1), (39, 1), (39, -20), (39, -40), (39, -61), (61, -61),
  ].map { Coordinate(latitude: $0.0, longitude: $0.1) }

  private mutating func report(in ages: ClosedRange<Int64>) -> TurbulenceReport {
    while true {
      let point = Coordinate(
        latitude: Double.random(in: 40...60, using: &random), longitude: Double.random(in: -60...0, using: &random))
      guard let cell = (try? H3Cell(point, resolution: 5))?.packed22 else { continue }
      let edr = UInt16.random(in: 1...5999, using: &random)
      return TurbulenceReport(
        cell: cell, altitude: UInt8.random(in: 24...45, using: &random), severity: UInt8(edr / 1200), edrE4: edr,
        observedAt: UInt32(token - Int64.random(in: ages, using: &random)))
    }
  }

  private var sum: HeldSum { HeldSum(count: held.count, checksum: held.checksum) }

  /// The answer to a full request.
  var full: [UInt8] { ObservationsAnswer(token: token, held: sum, reports: held.sorted).json }

  /// Lets time pass and returns the answer to the next delta.
  mutating func delta(after seconds: Int64) -> [UInt8] {
    let since = token
    token += seconds
    var new: [TurbulenceReport] = []
    while new.count < Self.deltaCount {
      let report = report(in: 1...seconds)
      if held.insert(report) { new.append(report) }
    }
    held.removeAll(observedUpTo: token - Self.history)
    return ObservationsAnswer(token: token, follows: since, held: sum, reports: new).json
  }
}

/// The queries that all sides answer.
enum Questions {
  /// A rectangle of latitudes and longitudes.
  typealias Box = (south: Double, north: Double, west: Double, east: Double)

  /// A rectangle that contains some two thousand hexagons.
  static let box: Box = (south: 46.5, north: 53.5, west: -35.2, east: -24.8)
  static var boxRing: [Coordinate] { ring(box) }

  static func ring(_ box: Box) -> [Coordinate] {
    [(box.north, box.west), (box.north, box.east), (box.south, box.east), (box.south, box.west), (box.north, box.west)]
      .map { Coordinate(latitude: $0.0, longitude: $0.1) }
  }

  /// The rectangles of a hundred live queries, which cover the area of the reports.
  static let observed: [Box] = (0..<100).map { number in
    let (row, column) = (Double(number / 10), Double(number % 10))
    return (south: 40 + 2 * row, north: 42 + 2 * row, west: -60 + 6 * column, east: -54 + 6 * column)
  }

  /// A route through the area, the aircraft's position on it, and what is looked for ahead.
  static let route = [(42.0, -58.0), (47.0, -45.0), (51.0, -30.0), (54.0, -12.0), (55.0, -2.0)]
    .map { Coordinate(latitude: $0.0, longitude: $0.1) }
  static let leg = (start: route[1], end: route[2])
  /// A route of 5,000 NM, there and back.
  static let longRoute = [
    (41.0, -59.0), (51.0, -45.0), (58.0, -30.0), (54.0, -4.0), (46.0, -8.0), (43.0, -25.0), (46.0, -58.0),
    (57.0, -52.0),
  ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
  /// The length of a bin of its profile.
  static let binNM = 10.0
  static let aheadNM = 100.0
  static let widthNM = 40.0
  static let altitudes: ClosedRange<UInt8> = 34...38
  static let position = Coordinate(latitude: 49.164, longitude: -38.0)
}
