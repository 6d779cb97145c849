/// The wind force on the Beaufort scale, 0…12, with the forces 13…17 of China's standard.
///
/// Source of the limits: WMO-No. 306 code table 1100 for 0…12; GB/T 28591-2012 "Wind scale" for 13…17.
public struct Beaufort: Hashable, Sendable {
  /// 0…17
  public let force: Int

  /// The lowest speeds of the forces 1…17, in m/s.
  static let lowestMetersPerSecond = [
    0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7, 37.0, 41.5, 46.2, 51.0, 56.1,
  ]

  /// Creates the force of a speed. Negative values and NaN are calm.
  public init(metersPerSecond: Double) {
    force = Self.lowestMetersPerSecond.firstIndex { !(metersPerSecond >= $0) } ?? Self.lowestMetersPerSecond.count
  }

  /// Creates a force.
  ///
  /// - Parameter force: The force, clamped to 0…17.
  public init(force: Int) {
    self.force = min(max(force, 0), Self.lowestMetersPerSecond.count)
  }

  /// Returns the name of the force.
  public func name(in language: DisplayLanguage) -> String { words.text(in: language) }

  /// Returns the name of the force, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("wind.force.\(force)", words) }

  var words: Words {
    switch force {
    case 0: Words("Calm", "无风")
    case 1: Words("Light air", "软风")
    case 2: Words("Light breeze", "轻风")
    case 3: Words("Gentle breeze", "微风")
    case 4: Words("Moderate breeze", "和风")
    case 5: Words("Fresh breeze", "清风")
    case 6: Words("Strong breeze", "强风")
    case 7: Words("Near gale", "疾风")
    case 8: Words("Gale", "大风")
    case 9: Words("Strong gale", "烈风")
    case 10: Words("Storm", "狂风")
    case 11: Words("Violent storm", "暴风")
    default: Words("Hurricane force", "飓风")
    }
  }
}

extension Beaufort: Comparable {
  public static func < (lhs: Beaufort, rhs: Beaufort) -> Bool { lhs.force < rhs.force }
}
