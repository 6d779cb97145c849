/// A closed range of altitudes in thousands of feet, within 0…52.
public struct AltitudeBand: Hashable, Sendable {
  /// The lowest altitude, in thousands of feet.
  public let lower: UInt8
  /// The highest altitude, in thousands of feet.
  public let upper: UInt8

  /// The highest altitude of the service, in thousands of feet.
  public static let ceiling: UInt8 = 52

  /// 0…52,000 feet.
  public static let all = AltitudeBand(unchecked: 0, ceiling)

  private init(unchecked lower: UInt8, _ upper: UInt8) {
    self.lower = lower
    self.upper = upper
  }

  /// Creates the band between two altitudes in thousands of feet.
  ///
  /// Nil if they are inverted or outside 0…52.
  public init?(lower: Int64, upper: Int64) {
    guard 0 <= lower, lower <= upper, upper <= Int64(Self.ceiling) else { return nil }
    self.init(unchecked: UInt8(lower), UInt8(upper))
  }

  /// Creates the smallest band that covers a range in feet; nil if the range is inverted.
  ///
  /// The range is clamped to 0…52,000 feet and rounded outward to thousands.
  public init?(feet lower: Int64, _ upper: Int64) {
    guard lower <= upper else { return nil }
    let ceiling = Int64(Self.ceiling) * 1000
    let low = min(max(lower, 0), ceiling) / 1000
    let high = (min(max(upper, 0), ceiling) + 999) / 1000
    self.init(unchecked: UInt8(low), UInt8(high))
  }

  @inlinable @inline(__always)
  public func contains(_ thousandsOfFeet: UInt8) -> Bool { lower <= thousandsOfFeet && thousandsOfFeet <= upper }

  /// Returns the part of the band within another; nil if they have no altitude in common.
  package func clamped(to limits: AltitudeBand) -> AltitudeBand? {
    AltitudeBand(lower: Int64(max(lower, limits.lower)), upper: Int64(min(upper, limits.upper)))
  }

  /// Whether every altitude of `other` is in this band.
  public func covers(_ other: AltitudeBand) -> Bool { lower <= other.lower && other.upper <= upper }
}
