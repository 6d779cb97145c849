import ContrailGeodesy

/// The outline of a cell in the plane of longitude and latitude.
struct PlaneCell {
  /// The closed outline, along the pole if the cell contains one.
  private var outline: [PlaneLoops.Point]
  /// The longitude shifts to test: a cell around a pole may also meet edges one turn away.
  private let shifts: [Int64]

  /// Creates the outline of a cell.
  ///
  /// - Parameter about: The cell's centre in the plane.
  init(_ raw: UInt64, about: PlaneLoops.Point, loops: PlaneLoops) {
    let turn = 360 * loops.unitsPerDegree
    var last = about.longitude
    var outline: [PlaneLoops.Point] = H3Cell(trusted: raw).withBoundary { boundary in
      boundary.map { vertex in
        var longitude = loops.rounded(vertex.longitude)
        while longitude - last > turn / 2 { longitude -= turn }
        while longitude - last < -turn / 2 { longitude += turn }
        last = longitude
        return (loops.rounded(vertex.latitude), longitude)
      }
    }
    let first = outline[0]
    while first.longitude - last > turn / 2 { last += turn }
    while first.longitude - last < -turn / 2 { last -= turn }
    let winding = last - outline[outline.count - 1].longitude
    if winding == 0 {
      outline.append(first)
      shifts = [0]
    } else {
      let pole = (about.latitude > 0 ? 90 : -90) * loops.unitsPerDegree
      let end = first.longitude - winding
      outline.append((first.latitude, end))
      outline.append((pole, end))
      outline.append((pole, first.longitude))
      outline.append(first)
      shifts = [-turn, 0, turn]
    }
    self.outline = outline
  }

  private typealias Point = PlaneLoops.Point

  /// Whether an edge crosses or touches the outline.
  func isCrossed(by edges: some Sequence<PlaneLoops.Edge>) -> Bool {
    for edge in edges where !edge.isSeam {
      for shift in shifts {
        let south = (latitude: edge.south, longitude: edge.southLongitude + shift)
        let north = (latitude: edge.north, longitude: edge.northLongitude + shift)
        // The part along the pole, if any, is not an edge of the cell.
        let count = shifts.count == 1 ? outline.count : outline.count - 3
        for index in 1..<count where PlaneLoops.cross(outline[index - 1], outline[index], south, north) {
          return true
        }
      }
    }
    return false
  }

  /// Whether an edge starts inside the outline.
  func holdsEnd(of edges: some Sequence<PlaneLoops.Edge>) -> Bool {
    for edge in edges where !edge.isSeam {
      for shift in shifts where contains((edge.south, edge.southLongitude + shift)) { return true }
    }
    return false
  }

  private func contains(_ point: Point) -> Bool {
    var isInside = false
    for index in outline.indices.dropFirst() {
      let isRising = outline[index - 1].latitude <= outline[index].latitude
      let (low, high) = isRising ? (outline[index - 1], outline[index]) : (outline[index], outline[index - 1])
      guard point.latitude >= low.latitude, point.latitude < high.latitude else { continue }
      if PlaneLoops.side(of: point, from: low, to: high) > 0 { isInside.toggle() }
    }
    return isInside
  }
}
