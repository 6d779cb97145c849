package import ContrailGeodesy

/// The outlines of cells in the plane of longitude and latitude. Neighbouring cells share exact corners.
///
/// A cell that crosses the antimeridian is split into parts within ±180° (RFC 7946, 3.1.9). A cell that contains a
/// pole is closed along it. Every part is counter-clockwise and closed.
package struct CellOutlines {
  /// The known corners by grid square of size ``square``.
  private var corners: [FixedCoordinate: FixedCoordinate] = [:]

  /// The size of a grid square, about 100 m. Rounding differences of a shared corner are much smaller, and distances
  /// between corners much larger.
  private static let square: Int64 = FixedCoordinate.degree / 1000
  /// The resolution of corners, 1e-4 degree (about 11 m). A finer one would only make the document larger.
  private static let grain: Int64 = FixedCoordinate.degree / 10_000
  private static let half = 180 * FixedCoordinate.degree
  private static let turn = 360 * FixedCoordinate.degree

  package init() {}

  /// Returns the parts of a cell's outline.
  package mutating func parts(of cell: H3Cell) -> [[FixedCoordinate]] {
    let vertices = cell.boundary.compactMap { FixedCoordinate($0) }.map { shared(Self.wrapped($0)) }
    guard vertices.count >= 3 else { return [] }
    var plane = [vertices[0]]
    for vertex in vertices.dropFirst() + [vertices[0]] {
      let previous = plane[plane.count - 1].longitudeE7
      let step = Self.wrapped(vertex.longitudeE7 - previous)
      plane.append(FixedCoordinate(latitudeE7: vertex.latitudeE7, longitudeE7: previous + step))
    }
    if plane[plane.count - 1] != plane[0] {
      // The outline goes once around the earth and is closed over the pole.
      let pole = vertices[0].latitudeE7 > 0 ? Self.half / 2 : -Self.half / 2
      plane.append(FixedCoordinate(latitudeE7: pole, longitudeE7: plane[plane.count - 1].longitudeE7))
      plane.append(FixedCoordinate(latitudeE7: pole, longitudeE7: plane[0].longitudeE7))
      plane.append(plane[0])
    }
    return [-Self.turn, 0, Self.turn].compactMap { shift in
      let moved = plane.map { FixedCoordinate(latitudeE7: $0.latitudeE7, longitudeE7: $0.longitudeE7 + shift) }
      return Self.cut(moved)
    }
  }

  /// Returns the known corner that equals a corner except for rounding, or adds it.
  private mutating func shared(_ corner: FixedCoordinate) -> FixedCoordinate {
    let row = corner.latitudeE7.flooredDivision(by: Self.square)
    let column = corner.longitudeE7.flooredDivision(by: Self.square)
    for near in -1...1 {
      for side in -1...1 {
        let key = FixedCoordinate(latitudeE7: row + Int64(near), longitudeE7: column + Int64(side))
        guard let known = corners[key] else { continue }
        let distance = max(
          abs(known.latitudeE7 - corner.latitudeE7), abs(known.longitudeE7 - corner.longitudeE7))
        if distance < Self.square { return known }
      }
    }
    let rounded = FixedCoordinate(
      latitudeE7: Self.rounded(corner.latitudeE7), longitudeE7: Self.rounded(corner.longitudeE7))
    corners[FixedCoordinate(latitudeE7: row, longitudeE7: column)] = rounded
    return rounded
  }

  /// Returns the part of a closed outline within ±180°, or `nil` if it has no area.
  private static func cut(_ outline: [FixedCoordinate]) -> [FixedCoordinate]? {
    let east = outline.reduce(Int64.min) { max($0, $1.longitudeE7) }
    let west = outline.reduce(Int64.max) { min($0, $1.longitudeE7) }
    guard west < half, east > -half else { return nil }
    if west >= -half && east <= half { return outline }
    let kept = clip(clip(outline, at: half, keepsEast: false), at: -half, keepsEast: true)
    return kept.count >= 4 ? kept : nil
  }

  /// Returns the part of a closed outline on one side of a meridian (Sutherland and Hodgman 1974,
  /// doi:10.1145/360767.360802).
  private static func clip(_ outline: [FixedCoordinate], at meridian: Int64, keepsEast: Bool) -> [FixedCoordinate] {
    func isKept(_ point: FixedCoordinate) -> Bool {
      keepsEast ? point.longitudeE7 >= meridian : point.longitudeE7 <= meridian
    }
    var kept: [FixedCoordinate] = []
    func append(_ point: FixedCoordinate) {
      if kept.last != point { kept.append(point) }
    }
    for (a, b) in zip(outline, outline.dropFirst()) {
      if isKept(a) { append(a) }
      if isKept(a) != isKept(b) { append(crossing(a, b, meridian)) }
    }
    guard let first = kept.first else { return [] }
    append(first)
    return kept
  }

  /// Returns the intersection of an edge with a meridian. The result is equal for both directions and all multiples
  /// of 360°.
  private static func crossing(_ a: FixedCoordinate, _ b: FixedCoordinate, _ meridian: Int64) -> FixedCoordinate {
    let (low, high) = (a.latitudeE7, a.longitudeE7) < (b.latitudeE7, b.longitudeE7) ? (a, b) : (b, a)
    let (rise, run) = (high.latitudeE7 - low.latitudeE7, high.longitudeE7 - low.longitudeE7)
    // Each factor is below 1.8e9, so the product is exact.
    let latitude = run == 0 ? low.latitudeE7 : low.latitudeE7 + rise * (meridian - low.longitudeE7) / run
    return FixedCoordinate(latitudeE7: rounded(latitude), longitudeE7: meridian)
  }

  private static func rounded(_ value: Int64) -> Int64 {
    (value + grain / 2).flooredDivision(by: grain) * grain
  }

  /// Normalises the longitude to −180 ..< 180°. Values within rounding of 180° become −180°.
  private static func wrapped(_ point: FixedCoordinate) -> FixedCoordinate {
    let longitude = wrapped(point.longitudeE7)
    return FixedCoordinate(
      latitudeE7: point.latitudeE7, longitudeE7: longitude > half - 100 ? -half : longitude)
  }

  private static func wrapped(_ longitude: Int64) -> Int64 {
    longitude - (longitude + half).flooredDivision(by: turn) * turn
  }
}

extension Int64 {
  /// Returns the quotient rounded down. `divisor` must be positive.
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}
