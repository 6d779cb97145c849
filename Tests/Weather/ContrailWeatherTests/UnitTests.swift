import ContrailWeather
import Foundation
import Testing

/// The table of unit systems of the service's documentation
/// (docs.caiyunapp.com/weather-api/v2/v2.4/tables/unit.html), a column a system.
struct UnitTests {
  private enum Rain: Hashable { case radar, millimeters, inches, meters }

  private struct Column {
    let unit: WeatherUnit
    let now: Rain
    let forecast: Rain
    let length: UnitLength
    let temperature: UnitTemperature
    let direction: UnitAngle
    let speed: UnitSpeed
  }

  private static let table: [Column] = [
    Column(
      unit: .si, now: .meters, forecast: .meters, length: .meters, temperature: .kelvin, direction: .radians,
      speed: .metersPerSecond),
    Column(
      unit: .imperial, now: .inches, forecast: .inches, length: .miles, temperature: .fahrenheit, direction: .degrees,
      speed: .milesPerHour),
    Column(
      unit: .metricV1, now: .radar, forecast: .radar, length: .kilometers, temperature: .celsius, direction: .degrees,
      speed: .kilometersPerHour),
    Column(
      unit: .metricV2, now: .millimeters, forecast: .millimeters, length: .kilometers, temperature: .celsius,
      direction: .degrees, speed: .kilometersPerHour),
    Column(
      unit: .metric, now: .radar, forecast: .millimeters, length: .kilometers, temperature: .celsius,
      direction: .degrees, speed: .kilometersPerHour),
  ]

  private func unit(_ rain: Rain, forecast: Bool) -> UnitSpeed {
    switch rain {
    case .radar: forecast ? .forecastRadarIntensity : .radarIntensity
    case .millimeters: .millimetersPerHour
    case .inches: .inchesPerHour
    case .meters: .metersPerSecond
    }
  }

  @Test func eachSystemHasTheDocumentationsUnits() {
    #expect(Set(Self.table.map(\.unit)) == Set(WeatherUnit.allCases))
    for column in Self.table {
      let system = column.unit.system
      #expect(system.realtimePrecipitation == unit(column.now, forecast: false))
      #expect(system.minutelyPrecipitation == unit(column.now, forecast: false))
      #expect(system.hourlyPrecipitation == unit(column.forecast, forecast: true))
      #expect(system.dailyPrecipitation == unit(column.forecast, forecast: true))
      #expect(system.distance == column.length)
      #expect(system.visibility == column.length)
      #expect(system.temperature == column.temperature)
      #expect(system.windDirection == column.direction)
      #expect(system.windSpeed == column.speed)
      #expect(system.pressure == .newtonsPerMetersSquared)
      #expect(system.humidity == .ratio)
      #expect(system.cloudrate == .ratio)
    }
  }

  @Test func unitsConvertAsTheyShould() {
    func check<Kind: Dimension>(_ value: Double, _ from: Kind, _ expected: Double, _ to: Kind) {
      let converted = Measurement(value: value, unit: from).converted(to: to).value
      #expect(abs(converted - expected) <= 1e-9 * abs(expected), "\(value) \(from.symbol)")
    }
    check(3.6, UnitSpeed.millimetersPerHour, 1e-6, .metersPerSecond)
    check(1, UnitSpeed.inchesPerHour, 25.4, .millimetersPerHour)
    check(1000, UnitConcentrationMass.microgramsPerCubicMeter, 1, .milligramsPerCubicMeter)
    check(1, UnitConcentrationMass.milligramsPerCubicMeter, 1e-6, .gramsPerLiter)
    check(0.21, UnitRatio.ratio, 21, .percent)
    #expect(UnitRatio.baseUnit() == .ratio)
    #expect(UnitIrradiance.baseUnit() == .wattsPerSquareMeter)
  }

  /// docs.caiyunapp.com/weather-api/v2/v2.4/tables/precip.html
  @Test(arguments: [
    (0.031, 0.0606, 0.08), (0.25, 0.8989, 3.44), (0.35, 2.8700, 11.33), (0.48, 12.8638, 51.30),
  ])
  func radarIntensityHasTheDocumentationsLimits(intensity: Double, now: Double, forecast: Double) {
    for (unit, rate) in [(UnitSpeed.radarIntensity, now), (.forecastRadarIntensity, forecast)] {
      let converted = Measurement(value: intensity, unit: unit).converted(to: .millimetersPerHour)
      #expect(abs(converted.value - rate) < 1e-9)
      #expect(abs(converted.converted(to: unit).value - intensity) < 1e-12)
    }
  }

  @Test func radarIntensityRisesThroughoutAndConvertsBack() {
    for unit in [UnitSpeed.radarIntensity, .forecastRadarIntensity] {
      var last = -1.0
      for step in 0...1000 {
        let intensity = Double(step) / 1000
        let rate = unit.converter.baseUnitValue(fromValue: intensity)
        #expect(rate > last)
        #expect(abs(unit.converter.value(fromBaseUnitValue: rate) - intensity) < 1e-12)
        last = rate
      }
      #expect(unit.converter.baseUnitValue(fromValue: 0) == 0)
      #expect(unit.converter.value(fromBaseUnitValue: 0) == 0)
    }
  }

  @Test func anAnswerConvertsIntoEachSystem() throws {
    // Foundation's own factors of miles and kilometres an hour are right to five digits or so.
    let metric = ExampleAnswer.response(unit: .metricV2)
    let imperial = metric.converted(to: .imperial)
    let si = metric.converted(to: .si)
    let now = try #require(imperial.result.realtime)
    #expect(imperial.unit == .imperial)
    #expect(abs(try #require(now.temperature) - 54.5) < 1e-9)
    #expect(abs(try #require(now.wind).speed.value - 14.4 / 1.609344) < 5e-5)
    #expect(abs(try #require(now.precipitation?.local?.intensity) - 0.4 / 25.4) < 1e-12)
    #expect(abs(try #require(now.precipitation?.nearest?.distance) - 6.5 / 1.609344) < 5e-5)
    #expect(abs(try #require(si.result.realtime?.temperature) - 285.65) < 1e-9)
    #expect(abs(try #require(si.result.realtime?.wind).speed.value - 4) < 1e-5)
    #expect(abs(try #require(si.result.realtime?.wind).direction.value - 247.5 * .pi / 180) < 1e-9)
    #expect(abs(try #require(si.result.hourly?.visibility?.first).value - 3200) < 1e-9)
    #expect(abs(try #require(si.result.daily?.temperature?.first).value.maximum - 293.15) < 1e-9)
    #expect(try #require(metric.converted(to: .metric).result.realtime?.precipitation?.local?.intensity) > 0.031)
    for unit in WeatherUnit.allCases {
      let converted = metric.converted(to: unit)
      #expect(converted.result.realtime?.pressure == 92_050.25)
      #expect(converted.result.realtime?.humidity == 0.91)
      #expect(converted.result.realtime?.airQuality == metric.result.realtime?.airQuality)
      #expect(converted.result.alert == metric.result.alert)
      #expect(converted.measured.realtime?.wind?.beaufort == Beaufort(force: 3))
      #expect(converted.measured.realtime?.wind?.compassPoint == .westSouthwest)
    }
  }

  /// Between these two systems each unit differs that differs between any.
  @Test func aConversionChangesEachNumberThatHasAnotherUnitAndNoOther() throws {
    let before = try JSONLeaves(ExampleAnswer.response(unit: .imperial).json()).leaves
    let after = try JSONLeaves(ExampleAnswer.response(unit: .imperial).converted(to: .si).json()).leaves
    let changed = before.keys.filter { before[$0] != after[$0] }.map { $0.replacing(/\[[0-9]+\]/, with: "[]") }
    var expected: Set = [
      "unit", "result.minutely.precipitation[]", "result.minutely.precipitation_2h[]", "result.hourly.wind[].speed",
      "result.hourly.wind[].direction",
    ]
    let ofNow = [
      "temperature", "apparent_temperature", "visibility", "wind.speed", "wind.direction",
      "precipitation.local.intensity", "precipitation.nearest.intensity", "precipitation.nearest.distance",
    ]
    for key in ofNow { expected.insert("result.realtime.\(key)") }
    for quantity in ["temperature", "precipitation", "visibility"] {
      expected.insert("result.hourly.\(quantity)[].value")
      for mean in ["max", "min", "avg"] { expected.insert("result.daily.\(quantity)[].\(mean)") }
    }
    for mean in ["max", "min", "avg"] {
      expected.formUnion(["result.daily.wind[].\(mean).speed", "result.daily.wind[].\(mean).direction"])
    }
    // The day's least precipitation is none, in whatever unit.
    expected.remove("result.daily.precipitation[].min")
    #expect(Set(changed) == expected)
  }

  @Test func aConvertedAnswerMeasuresTheSame() throws {
    func check<Kind: Dimension>(_ name: String, _ before: [Measurement<Kind>]?, _ after: [Measurement<Kind>]?) {
      #expect(before != nil && before?.count == after?.count, "\(name)")
      for (one, other) in zip(before ?? [], after ?? []) {
        let value = one.converted(to: other.unit).value
        #expect(abs(value - other.value) <= 1e-9 * max(1e-9, abs(value)), "\(name)")
      }
    }
    let response = ExampleAnswer.response(unit: .metric)
    for unit in WeatherUnit.allCases {
      let (before, after) = (response.measured, response.converted(to: unit).measured)
      let (hours, otherHours) = (try #require(before.hourly), try #require(after.hourly))
      check("temperature", hours.temperature?.map(\.value), otherHours.temperature?.map(\.value))
      check("precipitation", hours.precipitation?.map(\.value), otherHours.precipitation?.map(\.value))
      check("visibility", hours.visibility?.map(\.value), otherHours.visibility?.map(\.value))
      check("speed", hours.wind?.map(\.value.speed), otherHours.wind?.map(\.value.speed))
      check("direction", hours.wind?.map(\.value.direction), otherHours.wind?.map(\.value.direction))
      let (days, otherDays) = (try #require(before.daily), try #require(after.daily))
      check("temperature", days.temperature?.map(\.value.average), otherDays.temperature?.map(\.value.average))
      check("precipitation", days.precipitation?.map(\.value.maximum), otherDays.precipitation?.map(\.value.maximum))
      check("visibility", days.visibility?.map(\.value.minimum), otherDays.visibility?.map(\.value.minimum))
      check("speed", days.wind?.map(\.value.average.speed), otherDays.wind?.map(\.value.average.speed))
      check("minutes", before.minutely?.intensity, after.minutely?.intensity)
      check("minutes", before.minutely?.intensityOfNextHour, after.minutely?.intensityOfNextHour)
    }
  }

  @Test func aConversionAndBackChangesNothingThatMatters() throws {
    for source in WeatherUnit.allCases {
      let response = ExampleAnswer.response(unit: source)
      #expect(response.converted(to: source) == response)
      let leaves = try JSONLeaves(response.json()).leaves
      for target in WeatherUnit.allCases {
        let back = try JSONLeaves(response.converted(to: target).converted(to: source).json()).leaves
        #expect(back.count == leaves.count)
        for case (let path, .number(let number)) in leaves {
          guard case .number(let other) = back[path] else {
            Issue.record("\(path) is lost")
            continue
          }
          #expect(abs(number - other) <= 1e-9 * max(1, abs(number)), "\(path)")
        }
      }
    }
  }

  @Test func eachQuantityIsAMeasurementInTheAnswersUnits() throws {
    let response = ExampleAnswer.response(unit: .imperial)
    let now = try #require(response.measured.realtime)
    #expect(now.temperature?.unit == .fahrenheit)
    #expect(now.apparentTemperature?.unit == .fahrenheit)
    #expect(now.pressure?.value == 92_050.25)
    #expect(now.humidity?.converted(to: .percent).value == 91)
    #expect(now.cloudrate?.value == 0.96)
    #expect(now.visibility?.unit == .miles)
    #expect(now.dswrf?.unit == .wattsPerSquareMeter)
    #expect(now.wind?.speed.unit == .milesPerHour)
    #expect(now.wind?.direction.unit == .degrees)
    #expect(now.localPrecipitation?.intensity?.unit == .inchesPerHour)
    #expect(now.localPrecipitation?.distance == nil)
    #expect(now.nearestPrecipitation?.distance?.unit == .miles)
    let air = try #require(now.airQuality)
    #expect([air.pm25, air.pm10, air.o3, air.so2, air.no2].allSatisfy { $0?.unit == .microgramsPerCubicMeter })
    #expect(air.co?.unit == .milligramsPerCubicMeter)
    let minutely = try #require(response.measured.minutely)
    #expect(minutely.probability?.first?.value == 0.9)
    #expect(minutely.intensity?.first?.unit == .inchesPerHour)
    #expect(minutely.intensityOfNextHour?.count == 60)
    let hourly = try #require(response.measured.hourly)
    #expect(hourly.temperature?.first?.value.unit == .fahrenheit)
    #expect(hourly.precipitation?.first?.value.unit == .inchesPerHour)
    #expect(hourly.cloudrate?.first?.value.unit == .ratio)
    #expect(hourly.humidity?.first?.value.unit == .ratio)
    #expect(hourly.pressure?.first?.value.unit == .newtonsPerMetersSquared)
    #expect(hourly.visibility?.first?.value.unit == .miles)
    #expect(hourly.dswrf?.first?.value.unit == .wattsPerSquareMeter)
    #expect(hourly.pm25?.first?.value.value == 18)
    #expect(hourly.wind?.first?.value.speed.unit == .milesPerHour)
    let daily = try #require(response.measured.daily)
    #expect(daily.temperature?.first?.value.minimum.unit == .fahrenheit)
    #expect(daily.precipitation?.first?.value.maximum.unit == .inchesPerHour)
    #expect(daily.cloudrate?.first?.value.maximum.value == 1)
    #expect(daily.humidity?.first?.value.average.value == 0.75)
    #expect(daily.pressure?.first?.value.average.value == 92_150)
    #expect(daily.visibility?.first?.value.average.unit == .miles)
    #expect(daily.dswrf?.first?.value.average.value == 160)
    #expect(daily.pm25?.first?.value.minimum.value == 10)
    #expect(daily.wind?.first?.value.maximum.beaufort == Beaufort(force: 4))
  }
}
