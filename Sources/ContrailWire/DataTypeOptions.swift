/// Which kinds of data are wanted.
public struct DataTypeOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turbulence reports on hexagons of H3 resolution 5, by thousands of feet.
  public static let turbulence = DataTypeOptions(rawValue: 1 << 0)
  /// Reports that pilots gave in words.
  public static let pireps = DataTypeOptions(rawValue: 1 << 1)
  /// Other aircraft.
  public static let traffic = DataTypeOptions(rawValue: 1 << 2)
  /// Areas of turbulence the world over, as GeoJSON.
  public static let turbulencePolygons = DataTypeOptions(rawValue: 1 << 3)

  /// The kinds that are fetched for an area: all but the polygons.
  public static let areaTypes: DataTypeOptions = [.turbulence, .pireps, .traffic]

  /// Name and option, in the order in which they are written.
  public static let names: [(name: String, option: DataTypeOptions)] = [
    ("turbulence", .turbulence), ("pireps", .pireps), ("traffic", .traffic),
    ("turbulencePolygons", .turbulencePolygons),
  ]
}
