/// The reason why four edges don't bound a box, with the edge and its value.
public enum BoundingBoxError: Error, Hashable, Sendable {
  /// An edge of a box.
  public enum Edge: String, Hashable, Sendable {
    case north
    case south
    case west
    case east
  }

  /// The edge is not a finite number.
  case notFinite(Edge)
  /// The latitude is beyond ±90°.
  case latitude(Edge, Double)
  /// The longitude is beyond ±360°.
  case longitude(Edge, Double)
  /// The northern edge is not north of the southern one.
  case noHeight(north: Double, south: Double)
  /// West and east are the same meridian, so that the width, 0 or 360°, is ambiguous.
  case noWidth(west: Double, east: Double)
  /// East is more than 360° beyond west.
  case tooWide(west: Double, east: Double)

  /// A stable code for logs and programs.
  public var code: String {
    switch self {
    case .notFinite: "notFinite"
    case .latitude: "latitudeOutOfRange"
    case .longitude: "longitudeOutOfRange"
    case .noHeight: "boxWithoutHeight"
    case .noWidth: "boxWithoutWidth"
    case .tooWide: "boxTooWide"
    }
  }

  /// The invalid edge; if two edges contradict each other, the first.
  public var edge: Edge {
    switch self {
    case .notFinite(let edge), .latitude(let edge, _), .longitude(let edge, _): edge
    case .noHeight: .north
    case .noWidth, .tooWide: .west
    }
  }
}

extension BoundingBoxError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFinite(let edge): "\(edge.rawValue) is not a finite number: use degrees"
    case .latitude(let edge, let value): "\(edge.rawValue) is \(value): use a latitude of −90 to 90 degrees"
    case .longitude(let edge, let value): "\(edge.rawValue) is \(value): use a longitude of −360 to 360 degrees"
    case .noHeight(let north, let south): "north is \(north) and south is \(south): north must be greater than south"
    case .noWidth(let west, let east):
      "west is \(west) and east is \(east), the same meridian: for all longitudes, use −180 and 180"
    case .tooWide(let west, let east): "east is \(east), more than 360 degrees beyond west, \(west): reduce the width"
    }
  }
}
