import ArgumentParser
import ContrailGeodesy
import ContrailWeather
import Foundation

/// The `contrail weather` command: shows the weather from the cache while it is valid, otherwise from the service.
struct Weather: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the weather of a place: current conditions, hours and days ahead.",
    discussion: """
      Responses are cached for five minutes. The service is called only if the cached response has expired. If the \
      service is unreachable, the cached response is shown with its age and the exit code is 3.

      The token of the service is read from CONTRAIL_WEATHER_TOKEN, or from the first line of the file given with \
      --token-from. It can't be given as an argument, because other users could see it. A server of your own \
      ('contrail serve') without keys needs no token.

      EXAMPLES
        contrail weather 103.99,1.36 --server http://127.0.0.1:8080
        contrail weather --unit imperial --hours 6 --days 2 -- -73.78,40.64
        contrail weather 8.5492,47.4583 --token-from ~/.caiyun --json

      EXIT STATUS
        0   success
        1   neither the service nor the cache has the weather
        3   the service is unreachable; the cached response is shown
        64  invalid arguments
      """)

  @Argument(
    help: ArgumentHelp(
      "Longitude and latitude in degrees. Write '--' before a negative longitude.", valueName: "lon,lat"))
  var place: String

  @Option(
    help: "The unit system: metric, metric:v1, metric:v2, imperial or SI.",
    completion: .list(WeatherUnit.allCases.map(\.rawValue)))
  var unit = WeatherUnit.metricV2.rawValue

  @Option(
    help: "The language of the descriptions: zh_CN, zh_TW, en_US, en_GB or ja. Default: the user's.",
    completion: .list(WeatherLanguage.allCases.map(\.rawValue)))
  var language = Self.userLanguage.rawValue

  @Option(help: "The version of the service's interface: v2.5 or v2.6.", completion: .list(["v2.5", "v2.6"]))
  var apiVersion = WeatherEndpoint().version

  @Option(help: "The base URL of the service.")
  var server: String?

  @Option(help: "A file whose first line is the token.", completion: .file())
  var tokenFrom: String?

  @Option(help: "How many hours to show, 1 to 360.")
  var hours = 12

  @Option(help: "How many days to show, 1 to 15.")
  var days = 5

  @Option(help: "The cache folder.", completion: .directory)
  var cache: String?

  @Flag(help: "Call the service even if the cache is valid.")
  var refresh = false

  @Flag(help: "Print the response as JSON, with its source and age.")
  var json = false

  /// Checks the values of the options.
  ///
  /// `validate()` would report an invalid value before an unknown option.
  private func check() throws {
    guard WeatherEndpoint.hourlyLengths.contains(hours) else {
      throw ValidationError("--hours: \(hours) is out of range. Use 1 to 360.")
    }
    guard WeatherEndpoint.dailyLengths.contains(days) else {
      throw ValidationError("--days: \(days) is out of range. Use 1 to 15.")
    }
    _ = try endpoint(token: nil)
  }

  func run() async throws {
    try check()
    let request = WeatherRequest(endpoint: try endpoint(token: try token()))
    if let cache { request.localContentURL = URL(fileURLWithPath: cache, isDirectory: true) }
    do throws(WeatherError) {
      let answer = try await answer(request)
      show(answer)
      if let error = answer.storingError { Self.tell(error) }
    } catch {
      Self.tell(error)
      // Offline: show the cached response, whatever its age. The output includes the age.
      guard error.isTransient, let kept = try? await request.perform(from: .local) else { throw ExitCode(1) }
      show(kept)
      throw ExitCode(3)
    }
  }

  /// The language of the environment, or of the system if the environment names none that the service has.
  private static var userLanguage: WeatherLanguage {
    let environment = ProcessInfo.processInfo.environment
    // A POSIX program uses the first of these variables that is set.
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return name.flatMap(WeatherLanguage.matching) ?? .current
  }

  private static func tell(_ error: WeatherError) {
    if error.code == .missingToken {
      printError(
        "Error: There is no token for the service. Set CONTRAIL_WEATHER_TOKEN, or give --token-from FILE. A server of "
          + "your own (--server) without keys needs none.")
    } else {
      printError("\(error)")
    }
  }

  private func answer(_ request: WeatherRequest) async throws(WeatherError) -> WeatherAnswer {
    if refresh { return try await request.perform(from: .remote) }
    // Units are converted, and more hours or days than requested aren't shown.
    if let kept = try? await request.perform(from: .local), !kept.isExpired, isEnough(kept) { return kept }
    return try await request.perform()
  }

  private func isEnough(_ answer: WeatherAnswer) -> Bool {
    answer.differences.allSatisfy { [.unit, .hourlyLength, .dailyLength].contains($0) }
      && (answer.response.result.hourly?.temperature?.count ?? 0) >= hours
      && (answer.response.result.daily?.temperature?.count ?? 0) >= days
  }

  private func show(_ answer: WeatherAnswer) {
    let system = WeatherUnit(rawValue: unit) ?? answer.response.unit
    print(
      json
        ? WeatherSheet.json(answer, in: system)
        : WeatherSheet(answer, in: system, hours: hours, days: days).text, terminator: "")
  }

  private func endpoint(token: String?) throws -> WeatherEndpoint {
    let parts = place.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard parts.count == 2, let longitude = parts[0], let latitude = parts[1],
      RoundedCoordinate(rounding: Coordinate(latitude: latitude, longitude: longitude)) != nil
    else { throw ValidationError("'\(place)' isn't a place. Use LON,LAT in degrees.") }
    guard let system = WeatherUnit(rawValue: unit) else {
      throw ValidationError(
        "--unit: '\(unit)' is invalid. Use \(WeatherUnit.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    guard let language = WeatherLanguage(rawValue: language) else {
      throw ValidationError(
        "--language: '\(self.language)' is invalid. Use \(WeatherLanguage.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    guard WeatherEndpoint.versions.contains(apiVersion) else {
      throw ValidationError(
        "--api-version: '\(apiVersion)' is invalid. Use \(WeatherEndpoint.versions.joined(separator: ", ")).")
    }
    var endpoint = WeatherEndpoint(token: token, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    endpoint.measurementSystem = system
    endpoint.language = language
    endpoint.version = apiVersion
    endpoint.hourlyLength = hours
    endpoint.dailyLength = days
    if let server {
      guard let url = URL(string: server) else { throw ValidationError("--server: '\(server)' isn't a URL.") }
      endpoint.service = url
    }
    return endpoint
  }

  private func token() throws -> String? {
    if let tokenFrom {
      try InputPath.check((tokenFrom as NSString).expandingTildeInPath, "--token-from")
      guard let text = try? String(contentsOfFile: (tokenFrom as NSString).expandingTildeInPath, encoding: .utf8),
        let line = text.split(whereSeparator: \.isNewline).first
      else {
        throw ValidationError("Can't read a token from '\(tokenFrom)'. The first line of the file must contain it.")
      }
      return line.trimmingCharacters(in: .whitespaces)
    }
    if let token = ProcessInfo.processInfo.environment["CONTRAIL_WEATHER_TOKEN"] { return token }
    return server == nil ? nil : "anonymous"
  }
}
