import ContrailGeodesy
import ContrailWeather
import Foundation
import Testing

struct LanguageTests {
  @Test(
    arguments: [
      ("zh", .chineseSimplified), ("zh_CN", .chineseSimplified), ("zh-Hans-HK", .chineseSimplified),
      ("zh_SG", .chineseSimplified), ("zh-Hant", .chineseTraditional), ("zh_TW", .chineseTraditional),
      ("zh-HK", .chineseTraditional), ("en", .englishUS), ("en_US", .englishUS), ("en-CA", .englishUS),
      ("en_GB", .englishUK), ("en-AU", .englishUK), ("en_US@currency=EUR", .englishUS), ("en_GB.UTF-8", .englishUK),
      ("en-GB-u-ca-gregory", .englishUK), ("en-u-hc-h12", .englishUS), ("ja", .japanese), ("ja_JP", .japanese),
      ("JA-jp", .japanese),
    ] as [(String, WeatherLanguage)])
  func aLocaleHasTheServicesLanguage(identifier: String, language: WeatherLanguage) {
    #expect(WeatherLanguage.matching(identifier) == language)
    #expect(WeatherLanguage(locale: Locale(identifier: identifier)) == language)
  }

  @Test func theFirstLanguageThatTheServiceHasIsPreferred() {
    #expect(WeatherLanguage.preferred(among: ["fr-CH", "de", "ja-JP", "en-US"]) == .japanese)
    #expect(WeatherLanguage.preferred(among: ["fr-CH", "de"]) == .englishUS)
    #expect(WeatherLanguage.preferred(among: []) == .englishUS)
    #expect(WeatherLanguage.matching("fr") == nil)
    #expect(WeatherLanguage.matching("") == nil)
    #expect(WeatherLanguage.matching("jaz") == nil)
    #expect(WeatherLanguage(locale: Locale(identifier: "fr_CH")) == .englishUS)
    #expect(WeatherLanguage.allCases.contains(.current))
  }

  @Test func theLanguageIsTheCallersAndTheSeedsOtherwise() throws {
    #expect(WeatherEndpoint().language == .chineseSimplified)
    #expect(WeatherEndpoint(token: "T", coordinate: Fixture.place, language: .japanese).language == .japanese)
    let request = WeatherRequest(token: "T", coordinate: Fixture.place, language: .englishUK)
    #expect(try request.endpoint.makeURL().absoluteString.contains("&lang=en_GB&"))
  }

  @Test func theDisplayLanguageOfATagIsChineseOrEnglish() {
    #expect(
      ["zh-Hans", "zh_TW", "ZH"].map(DisplayLanguage.matching) == [
        .simplifiedChinese, .simplifiedChinese, .simplifiedChinese,
      ])
    #expect(
      ["en", "fr-FR", "", "zhx"].map(DisplayLanguage.matching) == [.english, .english, .english, .english])
  }
}

/// An app's own strings in place of the built-in ones.
struct StringsTests {
  private let directory = TemporaryDirectory()

  /// Returns a bundle with tables of strings, by localization.
  private func bundle(_ tables: [String: String], table: String = "ContrailWeather") throws -> Bundle {
    for (localization, text) in tables {
      let folder = directory.url.appendingPathComponent("App.bundle/\(localization).lproj", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Fixture.data(text).write(to: folder.appendingPathComponent("\(table).strings"))
    }
    return try #require(Bundle(url: directory.url.appendingPathComponent("App.bundle", isDirectory: true)))
  }

  @Test func anAppOverridesAWordAndTheOthersStay() throws {
    let bundle = try bundle(["en": #""phenomenon.CLEAR_DAY" = "Sunny"; "wind.force.3" = "Leaves move";"#])
    let strings = WeatherStrings(.english, bundle: bundle)
    #expect(Phenomenon.clearDay.name(in: strings) == "Sunny")
    #expect(Phenomenon.clearDay.name(in: .english) == "Clear")
    #expect(Phenomenon.clearNight.name(in: strings) == "Clear")
    #expect(WeatherWind(speed: 14.4, direction: 90).speed.description(in: .metric, strings: strings) == "Leaves move")
    #expect(WeatherWind(speed: 14.4, direction: 90).direction.description(in: .metric, strings: strings) == "East")
    #expect(Phenomenon.clearDay.name(in: WeatherStrings(.simplifiedChinese, bundle: bundle)) == "晴")
    #expect(Phenomenon.clearDay.name(in: WeatherStrings(.english, bundle: nil)) == "Clear")
  }

  @Test func anAppAddsALanguage() throws {
    let bundle = try bundle([
      "fr": """
      "alert.type.09" = "Orages"; "alert.level.02" = "jaune"; "alert.format" = "vigilance %2$@ : %1$@";
      "lifeIndex.comfort" = "Confort"; "lifeIndex.comfort.12" = "Humide";
      """
    ])
    let strings = WeatherStrings(.english, localization: "fr", bundle: bundle)
    #expect(AlertCode(rawValue: "0902").name(in: strings) == "vigilance jaune : Orages")
    #expect(AlertCode(rawValue: "0902").name(in: WeatherStrings(.english, bundle: bundle)) == "Lightning, yellow")
    #expect(LifeIndexScale.comfort.name(in: strings) == "Confort")
    #expect(LifeIndexScale.comfort.name(ofLevel: 12, in: strings) == "Humide")
    #expect(LifeIndexScale.comfort.name(ofLevel: 11, in: strings) == "Piercingly cold")
    #expect(LifeIndexScale.comfort.name(ofLevel: 99, in: strings) == nil)
  }

  @Test func theTableMayHaveAnotherName() throws {
    let bundle = try bundle(["en": #""wind.direction.NNE" = "Nor'-nor'-east";"#], table: "Sky")
    let strings = WeatherStrings(.english, bundle: bundle, table: "Sky")
    #expect(CompassPoint.northNortheast.name(in: strings) == "Nor'-nor'-east")
  }

  @Test func withoutStringsOfItsOwnAnAppHasTheBuiltInOnes() {
    #expect(Phenomenon.fog.name(in: WeatherStrings(.simplifiedChinese)) == "雾")
    #expect(AlertCode(rawValue: "0902").name(in: WeatherStrings(.simplifiedChinese)) == "雷电黄色预警")
    #expect(AlertCode.AlertType.hail.name(in: WeatherStrings.current).isEmpty == false)
  }

  @Test(arguments: DisplayLanguage.allCases)
  func theTableForTranslatorsHasEachKey(language: DisplayLanguage) throws {
    #expect(Set(WeatherStrings.keys).count == WeatherStrings.keys.count)
    let bundle = try bundle([language.rawValue: WeatherStrings.table(in: language)])
    let strings = WeatherStrings(language, bundle: bundle)
    for key in WeatherStrings.keys { #expect(strings.text(forKey: key) != nil, "\(key)") }
    for phenomenon in Phenomenon.listed {
      #expect(strings.text(forKey: "phenomenon.\(phenomenon.rawValue)") == phenomenon.name(in: language))
    }
    #expect(strings.text(forKey: WeatherStrings.alertFormatKey) == nil)
  }
}
