/// The sixteen compass points, clockwise from north.
public enum CompassPoint: Int, Hashable, Sendable, CaseIterable {
  case north
  case northNortheast
  case northeast
  case eastNortheast
  case east
  case eastSoutheast
  case southeast
  case southSoutheast
  case south
  case southSouthwest
  case southwest
  case westSouthwest
  case west
  case westNorthwest
  case northwest
  case northNorthwest

  /// Creates the point nearest to a direction; each covers 22.5°. A direction that isn't finite is north.
  public init(degrees: Double) {
    let steps = (degrees.truncatingRemainder(dividingBy: 360) / 22.5).rounded()
    let index = steps.isFinite ? (Int(steps) + 16) % 16 : 0
    self = Self(rawValue: index) ?? .north
  }

  /// The abbreviation, such as `NNE`.
  public var abbreviation: String {
    switch self {
    case .north: "N"
    case .northNortheast: "NNE"
    case .northeast: "NE"
    case .eastNortheast: "ENE"
    case .east: "E"
    case .eastSoutheast: "ESE"
    case .southeast: "SE"
    case .southSoutheast: "SSE"
    case .south: "S"
    case .southSouthwest: "SSW"
    case .southwest: "SW"
    case .westSouthwest: "WSW"
    case .west: "W"
    case .westNorthwest: "WNW"
    case .northwest: "NW"
    case .northNorthwest: "NNW"
    }
  }

  /// Returns the name of the point.
  public func name(in language: DisplayLanguage) -> String { words.text(in: language) }

  /// Returns the name of the point, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("wind.direction.\(abbreviation)", words) }

  var words: Words {
    switch self {
    case .north: Words("North", "北")
    case .northNortheast: Words("North-northeast", "东北偏北")
    case .northeast: Words("Northeast", "东北")
    case .eastNortheast: Words("East-northeast", "东北偏东")
    case .east: Words("East", "东")
    case .eastSoutheast: Words("East-southeast", "东南偏东")
    case .southeast: Words("Southeast", "东南")
    case .southSoutheast: Words("South-southeast", "东南偏南")
    case .south: Words("South", "南")
    case .southSouthwest: Words("South-southwest", "西南偏南")
    case .southwest: Words("Southwest", "西南")
    case .westSouthwest: Words("West-southwest", "西南偏西")
    case .west: Words("West", "西")
    case .westNorthwest: Words("West-northwest", "西北偏西")
    case .northwest: Words("Northwest", "西北")
    case .northNorthwest: Words("North-northwest", "西北偏北")
    }
  }
}
