import ContrailWeather
import Foundation
import Testing

struct DatetimeTests {
  @Test(arguments: [
    ("2021-04-14T19:00+08:00", 1_618_398_000.0, 28_800), ("1970-01-01T00:00+00:00", 0, 0),
    ("2000-02-29T23:59-09:30", 951_902_940, -34_200), ("1969-12-31T23:59+00:00", -60, 0),
    ("2024-03-01T05:45:07+05:45", 1_709_251_207, 20_700), ("0000-03-01T00:00+00:00", -62_162_035_200, 0),
    ("9999-12-31T23:59+00:00", 253_402_300_740, 0),
  ])
  func aTimeIsReadAndGoesOutAsItCameIn(text: String, seconds: Double, offset: Int) throws {
    let time = try #require(DatetimeServerType(text))
    #expect(time.time == Date(timeIntervalSince1970: seconds))
    #expect(time.secondsFromGMT == offset)
    #expect(time.description == text)
  }

  @Test func universalTimeMayBeWrittenWithAZ() {
    #expect(DatetimeServerType("2021-04-14T11:00Z") == DatetimeServerType("2021-04-14T11:00+00:00"))
  }

  @Test func eachDayOfFourHundredYearsGoesOutAsItCameIn() throws {
    for day in stride(from: 0, to: 146_097, by: 29) {
      let time = DatetimeServerType(
        time: Date(timeIntervalSince1970: Double(day) * 86_400 + 3_660), secondsFromGMT: -3600)
      #expect(DatetimeServerType(time.description) == time)
    }
  }

  @Test(arguments: [
    "", "2021-04-14", "2021-04-14T19:00", "2021-04-14 19:00+08:00", "2021-13-14T19:00Z", "2021-00-14T19:00Z",
    "2021-02-29T19:00Z", "1900-02-29T00:00Z", "2021-04-31T19:00Z", "2021-04-14T24:00Z", "2021-04-14T19:60Z",
    "2021-04-14T19:00+24:00", "2021-04-14T19:00+08:60", "2021-04-14T19:00+0800", "2021-04-14T19:00Zz",
    "21-04-14T19:00Z", "2021-04-14T1é:00Z", "2021-04-14T19:00:60Z", "+021-04-14T19:00Z",
  ])
  func otherSpellingsAreNoTimes(text: String) {
    #expect(DatetimeServerType(text) == nil)
  }

  @Test func secondsSince1970KeepTheirFraction() throws {
    for seconds in [1_618_391_756.25, 0, -1.5, 1_618_391_756.1] {
      let data = try JSONEncoder().encode([seconds])
      let times = try JSONDecoder().decode([Datetime1970Based].self, from: data)
      #expect(try JSONEncoder().encode(times) == data)
    }
  }

  @Test func aZoneIsAnOffset() {
    #expect(WeatherTimeZone(secondsFromGMT: 20_700).timeZone?.secondsFromGMT() == 20_700)
  }
}
