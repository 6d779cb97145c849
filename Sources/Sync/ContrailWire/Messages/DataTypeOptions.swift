/// A set of data types.
public struct DataTypeOptions: OptionSet, Sendable {
  public private(set) var rawValue: UInt8
  /// The options removed in place, whether or not they were present, so that an unknown set can be edited. Ignored by
  /// `==`.
  package private(set) var removals: UInt8 = 0

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

extension DataTypeOptions: Hashable {
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

// `OptionSet` mutations that also record removals.
extension DataTypeOptions {
  public mutating func formUnion(_ other: Self) {
    rawValue |= other.rawValue
    removals &= ~other.rawValue
  }

  public mutating func subtract(_ other: Self) {
    rawValue &= ~other.rawValue
    removals |= other.rawValue
  }

  public mutating func formIntersection(_ other: Self) { subtract(Self(rawValue: ~other.rawValue)) }

  @discardableResult
  public mutating func insert(_ member: Self) -> (inserted: Bool, memberAfterInsert: Self) {
    let isNew = !contains(member)
    formUnion(member)
    return (isNew, member)
  }

  @discardableResult
  public mutating func remove(_ member: Self) -> Self? {
    let held = intersection(member)
    subtract(member)
    return held.isEmpty ? nil : held
  }
}
