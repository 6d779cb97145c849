import ContrailGeodesy
import ContrailH3

// The compact form of turbulence areas, version 1, for `Content-Type: application/vnd.contrail`:
//
//     0xC4, 1               a byte that begins neither JSON nor gzip nor another answer, and the version
//     number                the time of the areas in seconds since 1970
//     number                the number of areas that are unions of cells, sorted by their first cell, and of each:
//       byte                the severity in the lower three bits, and above it the number of cells, or 0 if it is above 31
//       number              the number of cells, if the byte doesn't contain it
//       byte, byte, number  lowest and highest altitude in thousands of feet, and the number of reports
//       number              the difference of the first cell to the first cell of the area before, or for the first area to −1
//       number…             the difference of each other cell to the cell before
//     number                the number of other areas, and of each:
//       byte                the severity, and 8 if there is an advisory
//       byte, byte, number  as above
//       text                the name of the advisory, if there is one
//       number              the number of polygons; of each the number of rings, the outer one first; of each ring the number of points
//                           without the last one, which repeats the first; and of each point the differences of longitude and latitude
//                           to the point before (of the first point to 0)
//
// A cell of resolution 3 is a number of 16 bits: its base cell and its three digits, bits 36 to 51 of its H3 index. The polygons are
// those of `PolygonsAnswer.outlined(_:)`: the client makes the outlines that the server would have sent.

extension PolygonsAnswer {
  /// The first byte of the compact form.
  package static let compactMark: UInt8 = 0xC4
  private static let compactVersion: UInt8 = 1
  /// The number of cells of resolution 3.
  private static let maximumCells = 41_162
  private static let maximumCellsInByte = 31
  private static let hasAdvisory: UInt8 = 8

  /// The compact form.
  ///
  /// Areas are written as cells only if their polygons and their order follow from the cells.
  ///
  /// - Complexity: That of ``outlined(_:)``.
  package var compact: [UInt8] {
    var united = areas.filter { !$0.cells.isEmpty }
    var others = areas.filter { $0.cells.isEmpty }
    if Self.outlined(united) + others != areas { (united, others) = ([], areas) }
    var compact = CompactWriter()
    compact.byte(Self.compactMark)
    compact.byte(Self.compactVersion)
    compact.number(UInt64(max(token, 0)))
    compact.number(united.count)
    var first: Int64 = -1
    for area in united.sorted(by: { $0.cells[0].rawValue < $1.cells[0].rawValue }) {
      let isShort = area.cells.count <= Self.maximumCellsInByte
      compact.byte(area.severity.rawValue | (isShort ? UInt8(area.cells.count) << 3 : 0))
      if !isShort { compact.number(area.cells.count) }
      compact.altitudesAndCount(area)
      var cell = first
      first = Self.number(of: area.cells[0])
      for next in area.cells {
        compact.number(UInt64(max(Self.number(of: next) - cell, 0)))
        cell = Self.number(of: next)
      }
    }
    compact.number(others.count)
    for area in others {
      compact.byte(area.severity.rawValue | (area.advisory == nil ? 0 : Self.hasAdvisory))
      compact.altitudesAndCount(area)
      if let advisory = area.advisory { compact.text(advisory) }
      compact.number(area.polygons.count)
      for polygon in area.polygons {
        compact.number(polygon.holes.count + 1)
        compact.ring(polygon.outer)
        for hole in polygon.holes { compact.ring(hole) }
      }
    }
    return compact.bytes
  }

  /// Creates a response from the compact form.
  ///
  /// - Throws: ``CompactError`` with the first invalid byte. Nothing is allocated that the bytes can't contain.
  /// - Complexity: O(*n*) in the bytes, plus that of ``outlined(_:)``.
  package init(compact bytes: UnsafeRawBufferPointer) throws(CompactError) {
    var compact = CompactReader(bytes)
    guard try compact.byte() == Self.compactMark else { throw CompactError(offset: 0, reason: "there are no areas") }
    let version = try compact.byte()
    guard version == Self.compactVersion else {
      throw CompactError(
        offset: 1, reason: "version \(version) is unknown; the newest known is \(Self.compactVersion)")
    }
    let token = Int64(try compact.number(upTo: UInt64(UInt32.max), "time"))
    var united: [Area] = []
    var cellCount = 0
    var first: Int64 = -1
    for _ in 0..<(try compact.count(leastBytes: 5, "areas")) {
      let head = try compact.byte()
      let short = Int(head >> 3)
      let count = short > 0 ? short : try compact.count(leastBytes: 1, "cells")
      cellCount += count
      guard count > 0, cellCount <= Self.maximumCells else {
        throw compact.fault("an area has \(count) cells; all areas can have 1 to \(Self.maximumCells)")
      }
      var area = try compact.area(severity: head & 7)
      var number = first
      for index in 0..<count {
        let step = Int64(try compact.number(upTo: UInt64(UInt16.max) + 1, "cell"))
        guard step > 0, let cell = Self.cell(number + step) else {
          throw compact.fault("'cell' isn't a cell after the one before")
        }
        number += step
        if index == 0 { first = number }
        area.cells.append(cell)
      }
      united.append(area)
    }
    var areas = Self.outlined(united)
    for _ in 0..<(try compact.count(leastBytes: 5, "areas")) {
      let head = try compact.byte()
      var area = try compact.area(severity: head & ~Self.hasAdvisory)
      if head & Self.hasAdvisory != 0 { area.advisory = try compact.text() }
      for _ in 0..<(try compact.count(leastBytes: 8, "polygons")) { area.polygons.append(try compact.polygon()) }
      areas.append(area)
    }
    guard compact.isAtEnd else { throw compact.fault("the areas go on after their end") }
    self.init(token: token, areas: areas)
  }

  private static func number(of cell: H3Cell) -> Int64 { Int64(cell.rawValue >> 36 & 0xFFFF) }

  /// Returns the cell of resolution 3 that has a number, or nil if no cell has it.
  private static func cell(_ number: Int64) -> H3Cell? {
    guard let number = UInt16(exactly: number) else { return nil }
    return H3Cell(rawValue: 0x0830_000F_FFFF_FFFF | UInt64(number) << 36)
  }
}

extension CompactWriter {
  fileprivate mutating func altitudesAndCount(_ area: PolygonsAnswer.Area) {
    byte(area.base)
    byte(area.top)
    number(area.count)
  }

  /// Writes a closed ring without its last point.
  fileprivate mutating func ring(_ points: [FixedCoordinate]) {
    number(max(points.count - 1, 0))
    var before = FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
    for point in points.dropLast() {
      degrees(point.longitudeE7 - before.longitudeE7)
      degrees(point.latitudeE7 - before.latitudeE7)
      before = point
    }
  }
}

extension CompactReader {
  /// Reads an area without its cells and polygons.
  fileprivate mutating func area(severity code: UInt8) throws(CompactError) -> PolygonsAnswer.Area {
    guard let severity = TurbulenceSeverity(rawValue: code) else { throw fault("severity \(code) is unknown") }
    return PolygonsAnswer.Area(
      severity: severity, base: try byte(), top: try byte(),
      count: Int(clamping: try number(upTo: UInt64(Int32.max), "count")))
  }

  fileprivate mutating func polygon() throws(CompactError) -> PlanePolygon {
    let holes = try count(leastBytes: 7, "rings") - 1
    guard holes >= 0 else { throw fault("a polygon has no ring") }
    var polygon = PlanePolygon(outer: try ring(), holes: [])
    for _ in 0..<holes { polygon.holes.append(try ring()) }
    return polygon
  }

  private mutating func ring() throws(CompactError) -> [FixedCoordinate] {
    let count = try count(leastBytes: 2, "points")
    guard count >= 3 else { throw fault("a ring has \(count) points; at least 3 are needed") }
    var points: [FixedCoordinate] = []
    points.reserveCapacity(count + 1)
    var point = FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
    for _ in 0..<count {
      let (east, north) = (try degrees(limit: 360), try degrees(limit: 180))
      point = FixedCoordinate(latitudeE7: point.latitudeE7 + north, longitudeE7: point.longitudeE7 + east)
      guard abs(point.latitudeE7) <= 90 * FixedCoordinate.degree, abs(point.longitudeE7) <= 180 * FixedCoordinate.degree
      else { throw fault("a position isn't on the earth") }
      points.append(point)
    }
    points.append(points[0])
    return points
  }
}
