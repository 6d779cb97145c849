import Foundation

/// `wind`: speed and direction, in the response's unit system.
public struct WeatherWind: Hashable, Sendable, Codable {
  /// `speed`
  public var speed: Speed
  /// `direction`: the direction from which the wind blows, clockwise from north.
  public var direction: Direction

  public init(speed: Double, direction: Double) {
    self.speed = Speed(value: speed)
    self.direction = Direction(value: direction)
  }

  /// A speed in the response's unit system.
  public struct Speed: Hashable, Sendable {
    public var value: Double

    public init(value: Double) {
      self.value = value
    }

    /// Returns the wind force on the Beaufort scale.
    public func beaufort(in unit: WeatherUnit) -> Beaufort {
      Beaufort(metersPerSecond: unit.system.windSpeed.converter.baseUnitValue(fromValue: value))
    }

    /// Returns the name of the wind force.
    public func description(in unit: WeatherUnit, language: DisplayLanguage) -> String {
      beaufort(in: unit).name(in: language)
    }

    /// Returns the name of the wind force, from an app's strings if they contain it.
    public func description(in unit: WeatherUnit, strings: WeatherStrings) -> String {
      beaufort(in: unit).name(in: strings)
    }
  }

  /// A direction in the response's unit system.
  public struct Direction: Hashable, Sendable {
    public var value: Double

    public init(value: Double) {
      self.value = value
    }

    /// Returns the nearest of the sixteen compass points.
    public func compassPoint(in unit: WeatherUnit) -> CompassPoint {
      CompassPoint(degrees: unit.system.windDirection.converter.baseUnitValue(fromValue: value))
    }

    /// Returns the name of the compass point.
    public func description(in unit: WeatherUnit, language: DisplayLanguage) -> String {
      compassPoint(in: unit).name(in: language)
    }

    /// Returns the name of the compass point, from an app's strings if they contain it.
    public func description(in unit: WeatherUnit, strings: WeatherStrings) -> String {
      compassPoint(in: unit).name(in: strings)
    }
  }
}

extension WeatherWind.Speed: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension WeatherWind.Direction: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
