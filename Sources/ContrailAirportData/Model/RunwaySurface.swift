/// What a runway is made of.
///
/// The numbers are what files and databases hold: a case keeps its own for ever.
public enum RunwaySurface: UInt8, Hashable, Sendable, CaseIterable {
  /// The source doesn't say.
  case unknown = 0
  /// The source says only that it isn't turf.
  case notTurf = 1
  case asphalt = 2
  case concrete = 3
  /// Asphalt and concrete, or a pavement that isn't named closer.
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

  /// Whether it is asphalt, concrete or another pavement; nil where the source doesn't say.
  public var isPaved: Bool? {
    switch self {
    case .unknown, .notTurf: nil
    case .asphalt, .concrete, .paved: true
    case .turf, .gravel, .dirt, .sand, .coral, .metal, .water, .snow, .wood: false
    }
  }

  /// A stable name for scripts, tables and tests.
  public var code: String { String(describing: self) }
}
