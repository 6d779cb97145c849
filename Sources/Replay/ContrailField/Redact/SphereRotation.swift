import CContrail
import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Moves positions by a secret rotation of the sphere.
///
/// Distances and angles between points stay what they are, to the rounding of 1e-7 degrees. A cell moves to the cell at the place
/// to which its centre moves; if another cell is there already, to the nearest free one. Equal cells therefore stay equal, and
/// different ones different, which is all that the fold asks of them. No rotation but the 60 of the icosahedron maps the grid of H3
/// onto itself, and these would be no secret, so distances between cells are kept to about one cell only.
struct SphereRotation {
  /// The rows of the rotation matrix.
  private let rows: [[Double]]
  private let turnDegrees: Int64
  private var cells: [UInt32: UInt32] = [:]
  private var taken: Set<UInt32> = []

  /// The number of different cells that were moved.
  var movedCount: Int { cells.count }

  /// Creates a rotation from 256 secret bits, uniform over all rotations.
  init(_ secret: RedactionSecret) {
    func unit(_ index: Int) -> Double { Double(secret.word(index) >> 11) / 9_007_199_254_740_992 }
    let turn = 2 * Double.pi
    turnDegrees = 1 + Int64(secret.word(7) % 179)
    // A uniform quaternion from three uniform numbers (K. Shoemake, 1992).
    let (u, v, w) = (unit(0), unit(1) * turn, unit(2) * turn)
    let (a, b) = ((1 - u).squareRoot(), u.squareRoot())
    let (x, y, z, s) = (a * contrail_sin(v), a * contrail_cos(v), b * contrail_sin(w), b * contrail_cos(w))
    rows = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)],
      [2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)],
      [2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y)],
    ]
  }

  /// Returns the place to which a coordinate moves.
  func moved(_ coordinate: Coordinate) -> Coordinate {
    let radian = Double.pi / 180
    let (latitude, longitude) = (coordinate.latitude * radian, coordinate.longitude * radian)
    let c = contrail_cos(latitude)
    let vector = [c * contrail_cos(longitude), c * contrail_sin(longitude), contrail_sin(latitude)]
    let turned = rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
    return Coordinate(
      latitude: contrail_atan2(turned[2], (turned[0] * turned[0] + turned[1] * turned[1]).squareRoot()) / radian,
      longitude: contrail_atan2(turned[1], turned[0]) / radian)
  }

  /// Returns the place to which a point moves.
  func moved(_ point: FixedCoordinate) -> FixedCoordinate {
    FixedCoordinate(moved(point.coordinate)) ?? FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
  }

  /// Returns a point turned about the axis of the earth by a secret number of whole degrees, exactly.
  func turned(_ point: FixedCoordinate) -> FixedCoordinate {
    let (turn, half) = (360 * FixedCoordinate.degree, 180 * FixedCoordinate.degree)
    var longitude = point.longitudeE7 + turnDegrees * FixedCoordinate.degree
    // A valid longitude stays valid; an invalid one stays what it is.
    if abs(point.longitudeE7) <= half {
      if longitude > half { longitude -= turn }
    } else {
      longitude = point.longitudeE7
    }
    return FixedCoordinate(latitudeE7: point.latitudeE7, longitudeE7: longitude)
  }

  /// Returns the cell to which a cell of a report moves. The same cell always moves to the same one, and no other does.
  mutating func moved(cell: UInt32) -> UInt32 {
    if let known = cells[cell] { return known }
    var place: UInt32 = cell
    if let original = H3Cell(packed22: cell), let target = try? H3Cell(moved(original.center), resolution: 5) {
      place = free(near: target) ?? cell
    }
    cells[cell] = place
    taken.insert(place)
    return place
  }

  private func free(near target: H3Cell) -> UInt32? {
    for distance in 0...64 {
      for candidate in (try? target.gridRing(distance)) ?? [] {
        if let packed = candidate.packed22, !taken.contains(packed) { return packed }
      }
    }
    return nil
  }

  /// Returns a report in the cell to which its cell moves, `seconds` later.
  mutating func moved(_ report: TurbulenceReport, bySeconds seconds: Int64) -> TurbulenceReport {
    let cell = moved(cell: report.cell)
    let rest = report.packed & ((1 << 25) - 1)
    return TurbulenceReport(
      packed: UInt64(cell) << 25 | rest, observedAt: UInt32(clamping: Int64(report.observedAt) + seconds))
  }
}

/// 256 secret bits, from which a redaction derives everything that it changes.
package struct RedactionSecret: Sendable {
  private let seed: UInt64
  private let words: [UInt64]

  /// Creates a secret of random bits.
  package init() {
    var generator = SystemRandomNumberGenerator()
    words = (0..<4).map { _ in generator.next() }
    seed = words.reduce(0) { Digest.mix($0 ^ $1) }
  }

  /// Creates a secret from the bytes of a file, so that several logs are moved alike.
  package init(bytes: [UInt8]) {
    words = (0..<4).map { Digest.hash(Array("\($0) ".utf8) + bytes) }
    seed = words.reduce(0) { Digest.mix($0 ^ $1) }
  }

  /// Returns a number that only who has the secret can know.
  func word(_ index: Int) -> UInt64 {
    Digest.mix(words[index & 3] ^ Digest.mix(seed &+ UInt64(truncatingIfNeeded: index)))
  }
}
