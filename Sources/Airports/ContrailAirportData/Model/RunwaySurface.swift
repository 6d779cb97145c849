/// The surface of a runway.
///
/// The raw values are stored in files and databases. They must never change.
public enum RunwaySurface: UInt8, Hashable, Sendable, CaseIterable {
  /// The source doesn't contain the surface.
  case unknown = 0
  /// The source contains only that the surface isn't turf.
  case notTurf = 1
  case asphalt = 2
  case concrete = 3
  /// Asphalt and concrete, or another pavement.
  case paved = 4
  case turf = 5
  case gravel = 6
  /// Earth, clay, laterite.
  case dirt = 7
  case sand = 8
  /// Coral, crushed or compacted.
  case coral = 9
  /// Pierced steel, aluminium and other mats, decks and roofs.
  case metal = 10
  case water = 11
  /// Snow or ice.
  case snow = 12
  case wood = 13

  /// Whether the surface is asphalt, concrete or another pavement, or `nil` if it is unknown.
  public var isPaved: Bool? {
    switch self {
    case .unknown, .notTurf: nil
    case .asphalt, .concrete, .paved: true
    case .turf, .gravel, .dirt, .sand, .coral, .metal, .water, .snow, .wood: false
    }
  }

  /// A stable name of the surface.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .notTurf: "notTurf"
    case .asphalt: "asphalt"
    case .concrete: "concrete"
    case .paved: "paved"
    case .turf: "turf"
    case .gravel: "gravel"
    case .dirt: "dirt"
    case .sand: "sand"
    case .coral: "coral"
    case .metal: "metal"
    case .water: "water"
    case .snow: "snow"
    case .wood: "wood"
    }
  }
}
