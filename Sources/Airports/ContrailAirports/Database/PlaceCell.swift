import CContrail
import ContrailAirportData
import ContrailGeodesy

/// A cell of two by two degrees that groups airports: usually about ten, and hundreds in the densest areas.
struct PlaceCell: Hashable {
  /// The number of the cell. Rows run from south to north, each with 180 cells from west to east.
  let number: Int64

  init(number: Int64) {
    self.number = number
  }

  /// Creates the cell of a coordinate within ±90 and ±180 degrees.
  init(_ coordinate: Coordinate) {
    let row = min(max(Int64(((coordinate.latitude + 90) / 2).rounded(.down)), 0), 89)
    let column = min(max(Int64(((coordinate.longitude + 180) / 2).rounded(.down)), 0), 179)
    number = row * 180 + column
  }

  /// A bounding box of the cell's part of the unit sphere, as minimum and maximum of x, y and z.
  ///
  /// Sine and cosine are monotonic within a cell, because their extrema are on cell edges. Their bounds are therefore
  /// at the edges.
  var box: [Double] {
    let south = Double(number / 180 * 2 - 90) * .pi / 180
    let west = Double(number % 180 * 2 - 180) * .pi / 180
    let (north, east) = (south + .pi / 90, west + .pi / 90)
    let radii = [contrail_cos(south), contrail_cos(north)]
    let x = radii.flatMap { [$0 * contrail_cos(west), $0 * contrail_cos(east)] }
    let y = radii.flatMap { [$0 * contrail_sin(west), $0 * contrail_sin(east)] }
    let z = [contrail_sin(south), contrail_sin(north)]
    // A margin for rounding errors.
    return [x, y, z].flatMap { [($0.min() ?? -1) - 1e-9, ($0.max() ?? 1) + 1e-9] }
  }
}
