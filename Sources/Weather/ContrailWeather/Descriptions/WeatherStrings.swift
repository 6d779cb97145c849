public import Foundation

/// The names of codes, wind and life indices, with an app's own strings in place of the built-in ones.
///
/// ```
/// let strings = WeatherStrings(.english)           // Bundle.main, en.lproj/ContrailWeather.strings
/// phenomenon.name(in: strings)                     // "Sunny", if the file has "phenomenon.CLEAR_DAY" = "Sunny";
/// phenomenon.name(in: .english)                    // "Clear", the built-in name
/// ```
///
/// An app adds a table `ContrailWeather.strings` to its bundle and overrides any of ``keys``. A string that the table
/// doesn't contain keeps its built-in name, in English or simplified Chinese. With a `localization` such as `fr`, an app
/// adds a language of its own.
public struct WeatherStrings: Hashable, Sendable {
  /// The key of the format that combines the type (`%1$@`) and the level (`%2$@`) of a warning.
  public static let alertFormatKey = "alert.format"

  /// The language of the built-in names.
  public var language: DisplayLanguage
  /// The localization in the bundle, such as `fr` for the folder `fr.lproj`.
  public var localization: String
  /// The app's bundle; nil for the built-in names only.
  public var bundleURL: URL?
  /// The name of the table, without `.strings`.
  public var table: String

  /// Creates names in a language.
  ///
  /// - Parameters:
  ///   - language: The language of the built-in names.
  ///   - localization: The localization in the bundle. Default: the language.
  ///   - bundle: The bundle with the app's strings; nil for the built-in names only.
  ///   - table: The name of the table, without `.strings`.
  public init(
    _ language: DisplayLanguage, localization: String? = nil, bundle: Bundle? = .main,
    table: String = "ContrailWeather"
  ) {
    self.language = language
    self.localization = localization ?? language.rawValue
    bundleURL = bundle?.bundleURL
    self.table = table
  }

  /// The names in the localization of the app that the user prefers.
  public static var current: WeatherStrings {
    let localization = Bundle.main.preferredLocalizations.first ?? DisplayLanguage.english.rawValue
    return WeatherStrings(DisplayLanguage.matching(localization), localization: localization)
  }

  /// Returns the app's string for a key; nil if there is none.
  public func text(forKey key: String) -> String? {
    guard let bundleURL, let folder = Bundle(url: bundleURL)?.path(forResource: localization, ofType: "lproj"),
      let strings = Bundle(path: folder)
    else { return nil }
    // A value that no table contains.
    let absent = "\u{0}"
    let text = strings.localizedString(forKey: key, value: absent, table: table)
    return text == absent ? nil : text
  }

  func text(_ key: String, _ words: Words) -> String {
    text(forKey: key) ?? words.text(in: language)
  }
}

extension WeatherStrings {
  /// The keys that an app can override, except ``alertFormatKey``, in the order of the service's documentation.
  public static var keys: [String] { builtIn.map(\.key) }

  /// Returns the built-in names as the contents of a `.strings` file, for translation.
  public static func table(in language: DisplayLanguage) -> String {
    builtIn.map { "\"\($0.key)\" = \"\($0.words.text(in: language))\";\n" }.joined()
  }

  private static var builtIn: [(key: String, words: Words)] {
    var all = Phenomenon.listed.map { ("phenomenon.\($0.rawValue)", $0.words) }
    all += AlertCode.AlertType.listed.map { ("alert.type.\($0.rawValue)", $0.words) }
    all += AlertCode.AlertLevel.listed.map { ("alert.level.\($0.rawValue)", $0.words) }
    all += (0...17).map { ("wind.force.\($0)", Beaufort(force: $0).words) }
    all += CompassPoint.allCases.map { ("wind.direction.\($0.abbreviation)", $0.words) }
    for scale in LifeIndexScale.allCases {
      all.append(("lifeIndex.\(scale.rawValue)", scale.nameWords))
      all += zip(scale.levels, scale.levelWords).map { ("lifeIndex.\(scale.rawValue).\($0)", $1) }
    }
    return all.map { (key: $0.0, words: $0.1) }
  }
}
