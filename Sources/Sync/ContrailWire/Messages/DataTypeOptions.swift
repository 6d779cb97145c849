/// A set of data types.
public struct DataTypeOptions: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turbulence reports in cells of H3 resolution 5, by thousands of feet.
  public static let turbulence = DataTypeOptions(rawValue: 1 << 0)
  /// Pilot reports in free text.
  public static let pireps = DataTypeOptions(rawValue: 1 << 1)
  /// The positions of other aircraft.
  public static let traffic = DataTypeOptions(rawValue: 1 << 2)
  /// Turbulence areas worldwide, as GeoJSON.
  public static let turbulencePolygons = DataTypeOptions(rawValue: 1 << 3)

  /// The types that are fetched for an area: all except polygons.
  public static let areaTypes: DataTypeOptions = [.turbulence, .pireps, .traffic]

  /// The names and options, in the order in which they are written.
  public static let names: [(name: String, option: DataTypeOptions)] = [
    ("turbulence", .turbulence), ("pireps", .pireps), ("traffic", .traffic),
    ("turbulencePolygons", .turbulencePolygons),
  ]
}

extension DataTypeOptions {
  /// Creates the options of names separated by commas, of `all` or of `none`; nil for any other text.
  package init?(words: some StringProtocol) {
    self = []
    if words == "none" { return }
    let names = words == "all" ? Self.names.map { $0.name } : words.split(separator: ",").map { String($0) }
    for name in names {
      guard let match = Self.names.first(where: { $0.name == name }) else { return nil }
      insert(match.option)
    }
    if isEmpty { return nil }
  }
}

extension DataTypeOptions: Hashable {}
