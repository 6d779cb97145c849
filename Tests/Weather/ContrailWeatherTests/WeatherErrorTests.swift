import ContrailWeather
import Testing

struct WeatherErrorTests {
  @Test func anErrorSaysWhatWhereWhyAndWhatToDo() {
    let error = WeatherError(.malformed, at: "result.daily", status: 200, reason: "the value is missing")
    #expect(
      error.description
        == "malformed at result.daily (status 200): the value is missing. "
        + "Retry; if the error persists, the service may have changed its format.")
  }

  @Test(arguments: [(0.0, "0 s"), (59, "59 s"), (60, "1 min"), (362, "6 min"), (86_400, "1440 min"), (-5, "-5 s")])
  func anAgeIsSaidInWords(seconds: Double, words: String) {
    let error = WeatherError(.unreachable, reason: "no network", storedAgeSeconds: seconds)
    #expect(error.description.contains("the stored response is \(words) old"))
  }

  @Test func agesThatAreNoneDontTrap() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300] {
      #expect(WeatherError(.unreachable, reason: "x", storedAgeSeconds: seconds).description.contains("unknown old"))
    }
  }

  @Test(arguments: WeatherError.Code.allCases)
  func eachCodeHasAdvice(code: WeatherError.Code) {
    #expect(WeatherError(code, reason: "x").advice.hasSuffix("."))
  }

  /// Scripts may rely on them.
  @Test func theCodesAreStable() {
    #expect(
      WeatherError.Code.allCases.map(\.rawValue) == [
        "missingToken", "invalidCoordinate", "invalidEndpoint", "nothingStored", "storedForAnotherPlace", "unreadable",
        "notStored", "malformed", "answeredForAnotherPlace", "refused", "httpStatus", "unreachable", "cancelled",
      ])
  }
}
