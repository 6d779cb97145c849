import Foundation

/// `wind`: speed and direction, in the answer's unit system.
public struct Wind: Hashable, Sendable, Codable {
  /// `speed`
  public var speed: Speed
  /// `direction`: whence it blows, clockwise from north.
  public var direction: Direction

  public init(speed: Double, direction: Double) {
    self.speed = Speed(value: speed)
    self.direction = Direction(value: direction)
  }

  /// A speed in the answer's unit system.
  public struct Speed: Hashable, Sendable {
    public var value: Double

    public init(value: Double) {
      self.value = value
    }

    /// The wind's force by the Beaufort scale.
    public func beaufort(in unit: WeatherUnit) -> Beaufort {
      Beaufort(metersPerSecond: unit.system.windSpeed.converter.baseUnitValue(fromValue: value))
    }

    /// The force in words.
    public func description(in unit: WeatherUnit, language: DisplayLanguage) -> String {
      beaufort(in: unit).name(in: language)
    }
  }

  /// A direction in the answer's unit system.
  public struct Direction: Hashable, Sendable {
    public var value: Double

    public init(value: Double) {
      self.value = value
    }

    /// The nearest of the sixteen points of the compass.
    public func compassPoint(in unit: WeatherUnit) -> CompassPoint {
      CompassPoint(degrees: unit.system.windDirection.converter.baseUnitValue(fromValue: value))
    }

    /// The point of the compass in words.
    public func description(in unit: WeatherUnit, language: DisplayLanguage) -> String {
      compassPoint(in: unit).name(in: language)
    }
  }
}

extension Wind.Speed: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Wind.Direction: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
