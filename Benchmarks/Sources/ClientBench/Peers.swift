import ContrailGeodesy
import ContrailH3
import ContrailWire
import Foundation
import GRDB

/// A report as an application would keep it without the package.
struct PlainReport: Hashable {
  var cell: UInt32
  var latitude: Double
  var longitude: Double
  var altitude: UInt8
  var severity: UInt8
  var edr: UInt16
  var observedAt: UInt32

  init(_ report: TurbulenceReport) {
    let center = H3Cell(packed22: report.cell)?.center ?? Coordinate(latitude: 0, longitude: 0)
    (cell, latitude, longitude) = (report.cell, center.latitude, center.longitude)
    (altitude, severity, edr, observedAt) = (report.altitude, report.severityCode, report.edrE4, report.observedAt)
  }

  /// Whether it is more severe than another of its hexagon, in the order of `TurbulenceQuery`.
  func isWorse(than other: PlainReport) -> Bool {
    (severity, edr, observedAt, altitude) > (other.severity, other.edr, other.observedAt, other.altitude)
  }

  func isIn(_ box: Questions.Box) -> Bool {
    latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east
  }

  /// What a map draws of it.
  var look: UInt64 { UInt64(severity) << 56 | UInt64(edr) << 40 | UInt64(altitude) << 32 | UInt64(observedAt) }

  /// Whether it is within half the width of the part of the leg ahead, on a sphere.
  var isAhead: Bool {
    guard severity >= 1, Questions.altitudes.contains(altitude) else { return false }
    let here = Coordinate(latitude: latitude, longitude: longitude)
    let along = here.alongTrackNM(from: Questions.position, to: Questions.leg.end)
    guard along >= 0, along <= Questions.aheadNM else { return false }
    return here.distanceNM(toLegFrom: Questions.position, to: Questions.leg.end) <= Questions.widthNM / 2
  }
}

/// The wire format as Foundation's decoder reads it.
struct PlainAnswer: Decodable {
  struct Contents: Decodable {
    var lastUpdatedAt: Int64
    var hexagons: [Hexagon]
  }
  struct Hexagon: Decodable {
    var id: String
    var alt: UInt8
    var sev: UInt8
    var edr: Double
    var observedAt: UInt32
  }
  var data: Contents

  static func reports(_ json: [UInt8]) throws -> (token: Int64, reports: [PlainReport]) {
    let answer = try JSONDecoder().decode(PlainAnswer.self, from: Data(json))
    return (
      answer.data.lastUpdatedAt,
      answer.data.hexagons.map { hexagon in
        let cell = H3Cell(hexagon.id)?.packed22 ?? 0
        return PlainReport(
          TurbulenceReport(
            cell: cell, altitude: hexagon.alt, severity: hexagon.sev, edrE4: UInt16((hexagon.edr * 10_000).rounded()),
            observedAt: hexagon.observedAt))
      }
    )
  }
}

/// What a peer does.
protocol Peer {
  func take(_ json: [UInt8]) throws
  func reportsInBox() throws -> Int
  /// The most severe report of each hexagon in a rectangle, by cell, as its look.
  func hexagons(in box: Questions.Box) throws -> [UInt32: UInt64]
  func reportsAhead() throws -> Int
  func profileCells() throws -> Int
}

extension Peer {
  func hexagonsInBox() throws -> Int { try hexagons(in: Questions.box).count }
}

/// A profile in the plainest way, on a sphere: each report is measured to each leg.
struct PlainProfile {
  private var cells: [Int: (worst: UInt8, newest: UInt32, count: Int)] = [:]
  private var starts: [Double] = [0]

  init() {
    for (a, b) in zip(Questions.longRoute, Questions.longRoute.dropFirst()) {
      starts.append((starts.last ?? 0) + a.distanceNM(to: b))
    }
  }

  var count: Int { cells.count }

  mutating func add(_ report: PlainReport) {
    let here = Coordinate(latitude: report.latitude, longitude: report.longitude)
    for (leg, (a, b)) in zip(Questions.longRoute, Questions.longRoute.dropFirst()).enumerated()
    where here.distanceNM(toLegFrom: a, to: b) <= Questions.widthNM / 2 {
      let along = min(max(here.alongTrackNM(from: a, to: b), 0), starts[leg + 1] - starts[leg])
      let place = Int((starts[leg] + along) / Questions.binNM) * 64 + Int(report.altitude)
      let cell = cells[place] ?? (0, 0, 0)
      cells[place] = (max(cell.worst, report.severity), max(cell.newest, report.observedAt), cell.count + 1)
    }
  }
}

/// Keeps the reports in an array, and in a set to detect duplicates.
final class ArrayPeer: Peer {
  private var reports: [PlainReport] = []
  private var known: Set<PlainReport> = []

  func take(_ json: [UInt8]) throws {
    let (token, new) = try PlainAnswer.reports(json)
    let limit = token - World.history
    reports.removeAll { report in
      guard Int64(report.observedAt) <= limit else { return false }
      known.remove(report)
      return true
    }
    for report in new where known.insert(report).inserted { reports.append(report) }
  }

  func reportsInBox() -> Int { reports.filter { $0.isIn(Questions.box) }.sorted { $0.cell < $1.cell }.count }

  func hexagons(in box: Questions.Box) -> [UInt32: UInt64] {
    var worst: [UInt32: PlainReport] = [:]
    for report in reports where report.isIn(box) {
      if let known = worst[report.cell], !report.isWorse(than: known) { continue }
      worst[report.cell] = report
    }
    return worst.mapValues(\.look)
  }

  func reportsAhead() -> Int { reports.filter(\.isAhead).count }

  func profileCells() -> Int {
    var profile = PlainProfile()
    for report in reports { profile.add(report) }
    return profile.count
  }
}

/// SQLite with an R*Tree, in WAL mode, as GRDB opens it for applications.
final class TreePeer: Peer {
  private let database: DatabasePool

  init(_ path: String) throws {
    database = try DatabasePool(path: path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS reports (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, latitude REAL NOT NULL,
            longitude REAL NOT NULL, altitude INTEGER NOT NULL, severity INTEGER NOT NULL, edr INTEGER NOT NULL,
            observedAt INTEGER NOT NULL, UNIQUE (cell, altitude, severity, edr, observedAt));
          CREATE INDEX IF NOT EXISTS age ON reports (observedAt);
          CREATE VIRTUAL TABLE IF NOT EXISTS places USING rtree(id, south, north, west, east);
          """)
    }
  }

  func take(_ json: [UInt8]) throws {
    let (token, new) = try PlainAnswer.reports(json)
    try database.write { db in
      let limit = token - World.history
      try db.execute(
        sql: "DELETE FROM places WHERE id IN (SELECT id FROM reports WHERE observedAt <= ?)", arguments: [limit])
      try db.execute(sql: "DELETE FROM reports WHERE observedAt <= ?", arguments: [limit])
      let row = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO reports (cell, latitude, longitude, altitude, severity, edr, observedAt)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)")
      let place = try db.cachedStatement(sql: "INSERT INTO places VALUES (?, ?, ?, ?, ?)")
      for report in new {
        try row.execute(arguments: [
          report.cell, report.latitude, report.longitude, report.altitude, report.severity, report.edr,
          report.observedAt,
        ])
        guard db.changesCount > 0 else { continue }
        try place.execute(arguments: [
          db.lastInsertedRowID, report.latitude, report.latitude, report.longitude, report.longitude,
        ])
      }
    }
  }

  /// The coordinates of an R*Tree are 32-bit numbers, so what is near the edge is compared again.
  private static let inBox =
    "FROM places JOIN reports USING (id) WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?"
    + " AND latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?"

  private func arguments(_ box: Questions.Box) -> StatementArguments {
    [box.south, box.north, box.west, box.east, box.south, box.north, box.west, box.east]
  }

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [(UInt32, UInt8, UInt8, UInt16, UInt32)] {
    try database.read { db in
      var found: [(UInt32, UInt8, UInt8, UInt16, UInt32)] = []
      let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      while let row = try cursor.next() { found.append((row[0], row[1], row[2], row[3], row[4])) }
      return found
    }
  }

  func reportsInBox() throws -> Int {
    try rows("SELECT cell, altitude, severity, edr, observedAt \(Self.inBox)", arguments(Questions.box)).count
  }

  func hexagons(in box: Questions.Box) throws -> [UInt32: UInt64] {
    let rows = try rows(
      "SELECT cell, altitude, severity, edr, observedAt,"
        + " max(((severity * 65536 + edr) * 4294967296 + observedAt) * 64 + altitude) \(Self.inBox) GROUP BY cell",
      arguments(box))
    var looks: [UInt32: UInt64] = [:]
    for row in rows {
      looks[row.0] =
        PlainReport(TurbulenceReport(cell: row.0, altitude: row.1, severity: row.2, edrE4: row.3, observedAt: row.4))
        .look
    }
    return looks
  }

  func reportsAhead() throws -> Int {
    // The box of the part ahead, wider by half the width.
    let end =
      GeodesicLine(from: Questions.position, to: Questions.leg.end)?
      .position(atMeters: Questions.aheadNM * Earth.metersPerNM).coordinate ?? Questions.leg.end
    let (start, margin) = (Questions.position, Questions.widthNM / 2 / 60)
    let box = (
      south: min(start.latitude, end.latitude) - margin, north: max(start.latitude, end.latitude) + margin,
      west: min(start.longitude, end.longitude) - 2 * margin, east: max(start.longitude, end.longitude) + 2 * margin
    )
    let found = try rows("SELECT cell, altitude, severity, edr, observedAt \(Self.inBox)", arguments(box))
    return found.count { row in
      PlainReport(TurbulenceReport(cell: row.0, altitude: row.1, severity: row.2, edrE4: row.3, observedAt: row.4))
        .isAhead
    }
  }

  func profileCells() throws -> Int {
    var profile = PlainProfile()
    for (a, b) in zip(Questions.longRoute, Questions.longRoute.dropFirst()) {
      let margin = Questions.widthNM / 2 / 60
      // A great circle bulges towards the pole between its ends, by less than 2° here.
      let box = (
        south: min(a.latitude, b.latitude) - margin, north: max(a.latitude, b.latitude) + margin + 2,
        west: min(a.longitude, b.longitude) - 2 * margin, east: max(a.longitude, b.longitude) + 2 * margin
      )
      for row in try rows("SELECT cell, altitude, severity, edr, observedAt \(Self.inBox)", arguments(box)) {
        profile.add(
          PlainReport(TurbulenceReport(cell: row.0, altitude: row.1, severity: row.2, edrE4: row.3, observedAt: row.4)))
      }
    }
    return profile.count
  }
}
