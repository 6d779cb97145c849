import ContrailWeather
import Foundation
import Testing

struct WordsTests {
  @Test func theLanguagesAreTheSeeds() {
    #expect(DisplayLanguage.allCases.map(\.rawValue) == ["en", "zh-Hans"])
    #expect(WeatherLanguage.allCases.map { DisplayLanguage($0).rawValue } == ["zh-Hans", "zh-Hans", "en", "en", "en"])
  }

  /// What is no word: empty, the code itself, or in the other language.
  private func check(_ text: String, _ language: DisplayLanguage, unlike code: String) {
    #expect(!text.isEmpty && text != code)
    #expect(!text.hasPrefix("Unknown") && !text.hasPrefix("未知"), "\(code)")
    let isChinese = text.unicodeScalars.allSatisfy { (0x4E00...0x9FFF).contains($0.value) }
    let isLatin = text.unicodeScalars.allSatisfy { $0.isASCII }
    #expect(language == .english ? isLatin : isChinese, "\(text)")
  }

  @Test(arguments: DisplayLanguage.allCases)
  func eachCodeHasWords(language: DisplayLanguage) {
    for code in Phenomenon.listed { check(code.name(in: language), language, unlike: code.rawValue) }
    for code in AlertCode.AlertType.listed { check(code.name(in: language), language, unlike: code.rawValue) }
    for code in AlertCode.AlertLevel.listed { check(code.name(in: language), language, unlike: code.rawValue) }
    for point in CompassPoint.allCases { check(point.name(in: language), language, unlike: point.abbreviation) }
    for force in 0...17 { check(Beaufort(force: force).name(in: language), language, unlike: "\(force)") }
    for scale in LifeIndexScale.allCases {
      check(scale.name(in: language), language, unlike: scale.rawValue)
      for level in scale.levels {
        check(scale.name(ofLevel: level, in: language) ?? "", language, unlike: "\(level)")
      }
    }
  }

  @Test(arguments: DisplayLanguage.allCases)
  func differentCodesHaveDifferentWords(language: DisplayLanguage) {
    // Day and night share theirs for clear and partly cloudy.
    #expect(Set(Phenomenon.listed.map { $0.name(in: language) }).count == Phenomenon.listed.count - 2)
    #expect(Set(AlertCode.AlertType.listed.map { $0.name(in: language) }).count == 18)
    #expect(Set(AlertCode.AlertLevel.listed.map { $0.name(in: language) }).count == 5)
    #expect(Set(CompassPoint.allCases.map { $0.name(in: language) }).count == 16)
    #expect(Set((0...12).map { Beaufort(force: $0).name(in: language) }).count == 13)
  }

  @Test func codesThatArentListedAreShown() {
    #expect(Phenomenon.unlisted("HAIL").name(in: .english) == "Unknown (HAIL)")
    #expect(Phenomenon.unlisted("HAIL").name(in: .simplifiedChinese) == "未知（HAIL）")
  }

  @Test func anAlertReadsAsASentencesPart() {
    let code = AlertCode(rawValue: "0902")
    #expect(code.name(in: .english) == "Lightning, yellow")
    #expect(code.name(in: .simplifiedChinese) == "雷电黄色预警")
  }

  @Test func theScalesAreTheDocumentations() {
    let levels = LifeIndexScale.allCases.map(\.levels)
    #expect(levels == [0...11, 1...5, 0...13, 1...4, 1...4, 0...8])
    #expect(LifeIndexScale.comfort.name(ofLevel: 12, in: .simplifiedChinese) == "湿冷")
    #expect(LifeIndexScale.ultravioletNow.name(ofLevel: 9, in: .english) == "Strong")
    for scale in LifeIndexScale.allCases {
      #expect(scale.name(ofLevel: scale.levels.upperBound + 1, in: .english) == nil)
      #expect(scale.name(ofLevel: scale.levels.lowerBound - 1, in: .english) == nil)
    }
  }

  /// WMO-No. 306 code table 1100, and GB/T 28591-2012 beyond 12.
  @Test func theForceIsThatOfTheTable() {
    let lowest = [
      0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7, 37.0, 41.5, 46.2, 51.0, 56.1,
    ]
    for (force, speed) in lowest.enumerated() {
      #expect(Beaufort(metersPerSecond: speed).force == force)
      #expect(Beaufort(metersPerSecond: speed - 0.01).force == max(0, force - 1))
    }
    #expect(Beaufort(metersPerSecond: 500).force == 17)
    #expect(Beaufort(metersPerSecond: -1).force == 0)
    #expect(Beaufort(metersPerSecond: .nan).force == 0)
    #expect(Beaufort(force: 99).force == 17)
    #expect(Beaufort(force: 3) < Beaufort(force: 4))
  }

  @Test func aDirectionIsTheNearestPoint() {
    for point in CompassPoint.allCases {
      let centre = Double(point.rawValue) * 22.5
      for degrees in [centre, centre - 11.2, centre + 11.2, centre + 360, centre - 720] {
        #expect(CompassPoint(degrees: degrees) == point)
      }
    }
    for degrees in [359.9, 348.8, 0.1, .nan, .infinity] { #expect(CompassPoint(degrees: degrees) == .north) }
  }

  @Test func windIsDescribedInTheAnswersUnits() {
    let wind = WeatherWind(speed: 8.28, direction: 212)
    #expect(wind.speed.description(in: .metric, language: .english) == "Light breeze")
    #expect(wind.speed.description(in: .imperial, language: .english) == "Gentle breeze")
    #expect(wind.speed.description(in: .si, language: .simplifiedChinese) == "清风")
    #expect(wind.direction.description(in: .metric, language: .simplifiedChinese) == "西南偏南")
    #expect(WeatherWind(speed: 1, direction: .pi / 2).direction.compassPoint(in: .si) == .east)
  }
}
