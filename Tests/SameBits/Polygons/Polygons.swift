import ContrailGeodesy
import ContrailH3

/// Returns a hash of the cells of some areas, and 0 if one can't be read. Scripts/polygons-32 runs it where `Int` has 32 bits.
@_expose(wasm, "cells") @_cdecl("contrail_polygon_cells")
public func polygonCells() -> UInt64 {
  let areas: [[(Double, Double)]] = [
    [(40, -40), (50, -40), (50, -30), (40, -30)],
    // Across the antimeridian, and around the pole.
    [(-20, 170), (-10, 170), (-10, -170), (-20, -170)],
    [(80, 0), (80, 120), (80, -120)],
  ]
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for area in areas {
    let outer = area.map { Coordinate(latitude: $0.0, longitude: $0.1) }
    for containment in [H3Containment.center, .overlapping, .full] {
      guard let ring = try? Ring(outer + [outer[0]]),
        let inRing = try? H3Cell.cells(in: ring, resolution: 3, containment: containment),
        let inPolygon = try? H3Cell.cells(in: H3Polygon(outer: outer), resolution: 4, containment: containment)
      else { return 0 }
      for cell in inRing + inPolygon { hash = (hash ^ cell.rawValue) &* 0x100_0000_01b3 }
    }
  }
  return hash
}
