import ContrailGeodesy
import ContrailH3

// The geometry of the map.

/// Returns the vertices that the last call of geometry produced: latitudes and longitudes in degrees.
@_expose(wasm, "vertices") @_cdecl("contrail_wasm_vertices")
public func vertices() -> UInt32 { address(buffers.vertices) }

/// Returns the first vertex of each cell, and the number of vertices after the last.
@_expose(wasm, "starts") @_cdecl("contrail_wasm_starts")
public func starts() -> UInt32 { address(buffers.starts) }

/// Traces cells whose lower and upper halves are in the scratch buffer, all lower ones first. Returns the number of
/// vertices. A number that is no cell has none.
@_expose(wasm, "boundaries") @_cdecl("contrail_wasm_boundaries")
public func boundaries(_ count: UInt32) -> UInt32 {
  let count = Int(count)
  buffers.vertices.removeAll(keepingCapacity: true)
  buffers.starts.removeAll(keepingCapacity: true)
  guard buffers.scratch.count >= 8 * count else { return 0 }
  for index in 0..<count {
    buffers.starts.append(UInt32(buffers.vertices.count / 2))
    let halves = scratchHalves(index, of: count)
    guard let cell = H3Cell(rawValue: UInt64(halves.hi) << 32 | UInt64(halves.lo)) else { continue }
    for vertex in cell.boundary {
      buffers.vertices.append(vertex.latitude)
      buffers.vertices.append(vertex.longitude)
    }
  }
  buffers.starts.append(UInt32(buffers.vertices.count / 2))
  return UInt32(buffers.vertices.count / 2)
}

/// Returns the cell of resolution 5 at a coordinate; 0 if the coordinate is invalid.
@_expose(wasm, "cellAt") @_cdecl("contrail_wasm_cell_at")
public func cellAt(_ latitude: Double, _ longitude: Double) -> UInt64 {
  let place = Coordinate(latitude: latitude, longitude: longitude)
  guard place.isValid else { return 0 }
  do throws(H3Error) {
    return try H3Cell(place, resolution: 5).rawValue
  } catch {
    return 0
  }
}

/// Writes `count` points of a geodesic. Returns its length in metres; -1 if a coordinate is invalid.
@_expose(wasm, "geodesic") @_cdecl("contrail_wasm_geodesic")
public func geodesic(
  _ startLatitude: Double, _ startLongitude: Double, _ endLatitude: Double, _ endLongitude: Double, _ count: UInt32
) -> Double {
  buffers.vertices.removeAll(keepingCapacity: true)
  let start = Coordinate(latitude: startLatitude, longitude: startLongitude)
  let end = Coordinate(latitude: endLatitude, longitude: endLongitude)
  guard start.isValid, end.isValid, count >= 2 else { return -1 }
  let way = Geodesic.inverse(from: start, to: end)
  let line = GeodesicLine(from: start, azimuth: way.initialAzimuth)
  for index in 0..<Int(count) {
    let place =
      index == Int(count) - 1
      ? end : line.position(atMeters: way.distanceMeters * Double(index) / Double(count - 1)).coordinate
    buffers.vertices.append(place.latitude)
    buffers.vertices.append(place.longitude)
  }
  return way.distanceMeters
}
