import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

/// The server's time that tests ask as of.
let now: Int64 = Rig.start / 1000

func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

/// A report at a place: thousands of feet, wire's number of the severity.
func report(
  _ cell: H3Cell, alt: UInt8 = 36, sev: UInt8 = 2, edrE4: UInt16 = 2000, age: Int64 = 60
) -> TurbulenceReport {
  TurbulenceReport(
    cell: cell.packed22 ?? 0, altitude: alt, severity: sev, edrE4: edrE4, observedAt: UInt32(now - age))
}

func cell(_ latitude: Double, _ longitude: Double) throws -> H3Cell {
  try H3Cell(point(latitude, longitude), resolution: 5)
}

/// A PIREP of moderate turbulence a minute ago.
func pirep(_ id: String, at place: Coordinate, level: Int? = 350) throws -> PIREP {
  PIREP(
    id: id, position: try #require(FixedCoordinate(place)), flightLevel: level, severity: .moderate, isUrgent: false,
    observedAt: now - 60, updatedAt: now - 60, text: id)
}

/// A state with the reports and PIREPs of its corridor, and the reports of its viewport; nil for no viewport.
func state(
  _ reports: [TurbulenceReport], _ pireps: [PIREP] = [], viewport: [TurbulenceReport]? = nil
) -> State {
  var rig = Rig()
  rig.launch()
  rig.query {
    $0.polygon = Rig.area
    if viewport != nil { $0.viewport = Rig.square(south: 44, west: -36) }
    $0.types = [.turbulence, .pireps]
  }
  func answer(_ id: ScopeID, _ reports: [TurbulenceReport], _ pireps: [PIREP]) {
    rig.answer(id) { response in
      var answer = ObservationsAnswer(token: now)
      answer.reports = reports
      answer.pireps = pireps
      response.body = .inline(answer.json)
    }
  }
  answer(.corridor, reports, pireps)
  if let viewport { answer(.viewport, viewport, []) }
  return rig.state
}

extension SplitMix64 {
  /// A place on the earth, all as likely by area.
  mutating func place() -> Coordinate {
    // By rejection, so that no trigonometry is needed to test it.
    while true {
      let z = Double.random(in: -1...1, using: &self)
      let latitude = z * 90
      if Double.random(in: 0...1, using: &self) <= max(0.02, 1 - z * z) {
        return Coordinate(latitude: latitude, longitude: Double.random(in: -180...180, using: &self))
      }
    }
  }

  /// Reports near places: many a cell, of every severity, altitude and age.
  mutating func world(around centers: [Coordinate], count: Int, spreadNM: Double) -> [TurbulenceReport] {
    var reports: Set<TurbulenceReport> = []
    while reports.count < count {
      let center = centers[Int.random(in: centers.indices, using: &self)]
      let place = center.destination(
        azimuth: Double.random(in: 0..<360, using: &self), distanceNM: Double.random(in: 0...spreadNM, using: &self))
      guard let cell = try? H3Cell(place, resolution: 5) else { continue }
      reports.insert(
        report(
          cell, alt: UInt8.random(in: 0...52, using: &self), sev: UInt8.random(in: 0...4, using: &self),
          edrE4: UInt16.random(in: 0...3, using: &self) * 500, age: Int64.random(in: 0...25_000, using: &self)))
    }
    return reports.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
  }
}
