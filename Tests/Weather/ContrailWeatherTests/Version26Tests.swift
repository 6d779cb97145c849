import ContrailWeather
import Foundation
import Testing

/// The parts of a response that v2.6 added: docs.caiyunapp.com/weather-api/v2/v2.6. The values are invented.
struct Version26Tests {
  private static let day = #""date":"2024-03-23T00:00+08:00""#
  private static let hour = #""datetime":"2024-03-24T15:00+08:00""#

  private static let text = """
    {"status":"ok","api_version":"v2.6","api_status":"active","lang":"zh_CN","unit":"metric:v2","result":{
    "alert":{"status":"ok","content":[],"adcodes":[{"adcode":110000,"name":"北京市"},{"adcode":110108,"name":"海淀区"}]},
    "hourly":{"status":"ok","precipitation":[{\(hour),"value":0.0729,"probability":60}],
    "apparent_temperature":[{\(hour),"value":15.1}]},
    "daily":{"status":"ok",
    "precipitation":[{\(day),"max":0.5,"min":0,"avg":0.25,"probability":40}],
    "precipitation_08h_20h":[{\(day),"max":0.5,"min":0,"avg":0.25,"probability":55}],
    "precipitation_20h_32h":[{\(day),"max":0,"min":0,"avg":0,"probability":0}],
    "temperature_08h_20h":[{\(day),"max":20.32,"min":7.86,"avg":16.46}],
    "temperature_20h_32h":[{\(day),"max":19,"min":8.72,"avg":12.92}],
    "wind_08h_20h":[{\(day),"max":{"speed":36,"direction":90},"min":{"speed":18,"direction":45},
    "avg":{"speed":27,"direction":80}}],
    "wind_20h_32h":[{\(day),"max":{"speed":7.2,"direction":111},"min":{"speed":3.6,"direction":134},
    "avg":{"speed":5.4,"direction":114}}]}}}
    """

  @Test func whatVersion26AddsIsRead() throws {
    let result = try WeatherResponse(json: Fixture.data(Self.text)).result
    #expect(result.alert?.adcodes?.map(\.adcode) == [110_000, 110_108])
    #expect(result.alert?.adcodes?.last?.name == "海淀区")
    #expect(result.hourly?.precipitation?.first?.probability == 60)
    #expect(result.hourly?.apparentTemperature?.first?.value == 15.1)
    #expect(result.daily?.precipitation?.first?.probability == 40)
    #expect(result.daily?.precipitationDaytime?.first?.probability == 55)
    #expect(result.daily?.precipitationNighttime?.first?.probability == 0)
    #expect(result.daily?.temperatureDaytime?.first?.value.maximum == 20.32)
    #expect(result.daily?.temperatureNighttime?.first?.value.minimum == 8.72)
    #expect(result.daily?.windDaytime?.first?.value.average == WeatherWind(speed: 27, direction: 80))
    #expect(result.daily?.windNighttime?.first?.value.maximum == WeatherWind(speed: 7.2, direction: 111))
  }

  @Test func noneOfItIsLost() throws {
    let data = Fixture.data(Self.text)
    #expect(try JSONLeaves(WeatherResponse(json: data).json()).leaves == JSONLeaves(data).leaves)
    #expect(try WeatherResponse.unknownPaths(in: data) == [])
  }

  @Test func itHasUnits() throws {
    let response = try WeatherResponse(json: Fixture.data(Self.text))
    let (hourly, daily) = (try #require(response.measured.hourly), try #require(response.measured.daily))
    #expect(hourly.precipitationProbability?.first?.value.converted(to: .ratio).value == 0.6)
    #expect(hourly.apparentTemperature?.first?.value.unit == .celsius)
    #expect(daily.precipitationProbability?.first?.value == Measurement(value: 40, unit: .percent))
    #expect(daily.precipitationProbabilityDaytime?.first?.value == Measurement(value: 55, unit: .percent))
    #expect(daily.precipitationProbabilityNighttime?.first?.value == Measurement(value: 0, unit: .percent))
    #expect(daily.precipitationDaytime?.first?.value.maximum == Measurement(value: 0.5, unit: .millimetersPerHour))
    #expect(daily.precipitationNighttime?.first?.value.maximum.value == 0)
    #expect(daily.temperatureDaytime?.first?.value.average == Measurement(value: 16.46, unit: .celsius))
    #expect(daily.temperatureNighttime?.first?.value.average == Measurement(value: 12.92, unit: .celsius))
    #expect(daily.windDaytime?.first?.value.maximum.beaufort == Beaufort(force: 5))
    #expect(daily.windNighttime?.first?.value.minimum.compassPoint == .southeast)
  }

  @Test func aConversionChangesTheNumbersAndKeepsTheProbabilities() throws {
    let response = try WeatherResponse(json: Fixture.data(Self.text)).converted(to: .si)
    #expect(response.result.hourly?.precipitation?.first?.probability == 60)
    #expect(response.result.daily?.precipitationDaytime?.first?.probability == 55)
    let (hourly, daily) = (try #require(response.result.hourly), try #require(response.result.daily))
    func isNear(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? .nan) - expected) < 1e-5 }
    #expect(isNear(hourly.apparentTemperature?.first?.value, 288.25))
    #expect(isNear(daily.temperatureDaytime?.first?.value.maximum, 293.47))
    #expect(isNear(daily.temperatureNighttime?.first?.value.maximum, 292.15))
    #expect(isNear((daily.precipitationDaytime?.first?.value.maximum).map { $0 * 3_600_000 }, 0.5))
    #expect(isNear(daily.windDaytime?.first?.value.maximum.speed.value, 10))
    #expect(isNear(daily.windNighttime?.first?.value.maximum.speed.value, 2))
  }

  @Test func anAnswerOfVersion25HasNoneOfIt() throws {
    let response = ExampleAnswer.response()
    #expect(response.result.alert?.adcodes == nil)
    #expect(response.result.hourly?.apparentTemperature == nil)
    #expect(response.measured.hourly?.precipitationProbability?.isEmpty == true)
    #expect(response.result.daily?.windNighttime == nil)
  }
}
