package import ContrailGeodesy

extension Recorder {
  /// The tolerances of a simplified route in nautical miles. The first one that gives at most 200 points is used.
  private static let routeTolerancesNM = [1.0, 2, 5, 10, 20]

  /// Returns a simplified route for a track, similar to a planned one.
  package static func route(of fixes: [Track.Fix]) -> [Coordinate] {
    let line = fixes.map(\.position)
    for tolerance in routeTolerancesNM {
      let route = decimated(line, toleranceNM: tolerance)
      if route.count <= 200 { return route }
    }
    return decimated(line, toleranceNM: 50)
  }

  /// Simplifies a line with the Douglas-Peucker algorithm and spherical distances.
  private static func decimated(_ line: [Coordinate], toleranceNM: Double) -> [Coordinate] {
    guard line.count > 2 else { return line }
    var isKept = [Bool](repeating: false, count: line.count)
    isKept[0] = true
    isKept[line.count - 1] = true
    var spans = [(0, line.count - 1)]
    while let (first, last) = spans.popLast() {
      guard last - first > 1 else { continue }
      var farthest = first
      var distance = toleranceNM
      for index in first + 1..<last {
        let off = line[index].distanceNM(toLegFrom: line[first], to: line[last])
        if off > distance { (farthest, distance) = (index, off) }
      }
      guard farthest > first else { continue }
      isKept[farthest] = true
      spans.append((first, farthest))
      spans.append((farthest, last))
    }
    return zip(line, isKept).filter(\.1).map(\.0)
  }

  /// Returns the ring of a map region around a point, about square on the earth, or an empty array if the height is 0.
  package static func rectangle(_ centre: Coordinate, heightDegrees: Double) -> [Coordinate] {
    let north = min(centre.latitude + heightDegrees / 2, 90)
    let south = max(centre.latitude - heightDegrees / 2, -90)
    // The length of a degree of longitude, computed from the spherical distance.
    let degree = Coordinate(latitude: centre.latitude, longitude: centre.longitude + 1)
    let milesADegree = max(centre.distanceNM(to: degree), 1)
    let width = min(heightDegrees * 60 / milesADegree, 350)
    let (west, east) = (wrapped(centre.longitude - width / 2), wrapped(centre.longitude + width / 2))
    return (try? BoundingBox(north: north, south: south, west: west, east: east).ring) ?? []
  }

  /// Normalises a longitude to −180 ..< 180.
  static func wrapped(_ longitude: Double) -> Double {
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }
}
