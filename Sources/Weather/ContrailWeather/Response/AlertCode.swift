/// `code` of a warning: two digits for the type, two for the level. `0902` is lightning, yellow.
///
/// Source: docs.caiyunapp.com/docs/v2.5/alert, which also states that codes may occur that its tables don't list.
public struct AlertCode: Hashable, Sendable {
  /// The type of the warning.
  public var type: AlertType
  /// The level of the warning.
  public var level: AlertLevel

  public init(type: AlertType, level: AlertLevel) {
    self.type = type
    self.level = level
  }
}

extension AlertCode: RawRepresentable {
  /// Creates a code. The first two characters are the type, the rest is the level.
  public init(rawValue: String) {
    type = AlertType(rawValue: String(rawValue.prefix(2)))
    level = AlertLevel(rawValue: String(rawValue.dropFirst(2)))
  }

  public var rawValue: String { type.rawValue + level.rawValue }
}

extension AlertCode: Codable {}

extension AlertCode {
  /// The type of a warning.
  public enum AlertType: ServiceCode {
    case typhoon
    case rainstorm
    case snowstorm
    case coldWave
    case gale
    case sandstorm
    case heatWave
    case drought
    case lightning
    case hail
    case frost
    case heavyFog
    case haze
    case roadIcing
    case wildFire
    case thunderGust
    /// The outlook for sand and dust in spring.
    case springDustOutlook
    case dust
    /// A code that the documentation doesn't list.
    case unlisted(String)

    public static let listed: [AlertType] = [
      .typhoon, .rainstorm, .snowstorm, .coldWave, .gale, .sandstorm, .heatWave, .drought, .lightning, .hail, .frost,
      .heavyFog, .haze, .roadIcing, .wildFire, .thunderGust, .springDustOutlook, .dust,
    ]

    public var rawValue: String {
      switch self {
      case .typhoon: "01"
      case .rainstorm: "02"
      case .snowstorm: "03"
      case .coldWave: "04"
      case .gale: "05"
      case .sandstorm: "06"
      case .heatWave: "07"
      case .drought: "08"
      case .lightning: "09"
      case .hail: "10"
      case .frost: "11"
      case .heavyFog: "12"
      case .haze: "13"
      case .roadIcing: "14"
      case .wildFire: "15"
      case .thunderGust: "16"
      case .springDustOutlook: "17"
      case .dust: "18"
      case .unlisted(let spelling): spelling
      }
    }
  }

  /// The level of a warning, from white (lowest) to red.
  public enum AlertLevel: ServiceCode {
    case white
    case blue
    case yellow
    case orange
    case red
    /// A code that the documentation doesn't list.
    case unlisted(String)

    public static let listed: [AlertLevel] = [
      .white, .blue, .yellow, .orange, .red,
    ]

    public var rawValue: String {
      switch self {
      case .white: "00"
      case .blue: "01"
      case .yellow: "02"
      case .orange: "03"
      case .red: "04"
      case .unlisted(let spelling): spelling
      }
    }
  }
}
