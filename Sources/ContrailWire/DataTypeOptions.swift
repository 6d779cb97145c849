/// Which kinds of data are wanted.
public struct DataTypeOptions: OptionSet, Sendable {
  public private(set) var rawValue: UInt8
  /// What was removed in place, held or not: so that a set of which the contents aren't known can be edited. No part of the value.
  package private(set) var removals: UInt8 = 0

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

extension DataTypeOptions: Hashable {
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

// Editing in place, as `OptionSet` has it, but that removals are remembered.
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
