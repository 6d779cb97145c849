import ContrailWeather
import Testing

struct WeatherErrorTests {
  @Test func anErrorSaysWhatWhereWhyAndWhatToDo() {
    let error = WeatherError(.malformed, at: "result.daily", status: 200, reason: "it is missing")
    #expect(
      error.description
        == "malformed at result.daily (status 200): it is missing. "
        + "Ask again; if it stays, the service has changed its answers.")
  }

  @Test(arguments: [(0.0, "0 s"), (59, "59 s"), (60, "1 min"), (362, "6 min"), (86_400, "1440 min"), (-5, "-5 s")])
  func anAgeIsSaidInWords(seconds: Double, words: String) {
    let error = WeatherError(.unreachable, reason: "no network", storedAgeSeconds: seconds)
    #expect(error.description.contains("what is stored is \(words) old"))
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
        "notStored", "malformed", "refused", "httpStatus", "unreachable", "cancelled",
      ])
  }
}
