#if Online
  import ArgumentParser
  import ContrailGeodesy
  import ContrailWeather
  import Foundation

  /// `contrail weather`: the weather of a place, from the cache while that holds, else from the service.
  struct Weather: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the weather of a place: now, in the next hours, in the next days.",
      discussion: """
        An answer is kept in the cache and holds for five minutes; the service is asked only when it doesn't. When the service can't be
        reached, what is kept is shown with how old it is, and the exit code is 3.

        The service's token is taken from CONTRAIL_WEATHER_TOKEN, or from the first line of a file (--token-from): never from an
        argument, which others could see. A server of one's own ('contrail serve') without keys needs none.

        EXAMPLES
          contrail weather 103.99,1.36 --server http://127.0.0.1:8080
          contrail weather --unit imperial --language en_US --hours 6 --days 2 -- -73.78,40.64
          contrail weather 8.5492,47.4583 --token-from ~/.caiyun --json

        EXIT STATUS
          0   shown
          1   neither the service nor the cache gives the weather
          3   the service can't be reached; what is kept is shown
          64  the command line is wrong
        """)

    @Argument(
      help: ArgumentHelp(
        "Longitude and latitude in degrees; after '--' where the first is negative.", valueName: "lon,lat"))
    var place: String

    @Option(help: "The unit system: metric, metric:v1, metric:v2, imperial or SI.")
    var unit = WeatherUnit.metricV2.rawValue

    @Option(help: "The language of the service's sentences: zh_CN, zh_TW, en_US, en_GB or ja.")
    var language = WeatherLanguage.englishUS.rawValue

    @Option(help: "The service's address.")
    var server: String?

    @Option(help: "A file whose first line is the token.")
    var tokenFrom: String?

    @Option(help: "How many hours to show, 1 to 360.")
    var hours = 12

    @Option(help: "How many days to show, 1 to 15.")
    var days = 5

    @Option(help: "The folder of the cache.")
    var cache: String?

    @Flag(help: "Ask the service, whatever is kept.")
    var refresh = false

    @Flag(help: "Print the answer as JSON, with where it is from and how old it is.")
    var json = false

    func validate() throws {
      guard WeatherEndpoint.hourlyLengths.contains(hours) else { throw ValidationError("--hours is from 1 to 360.") }
      guard WeatherEndpoint.dailyLengths.contains(days) else { throw ValidationError("--days is from 1 to 15.") }
      _ = try endpoint(token: nil)
    }

    func run() async throws {
      let request = WeatherRequest(endpoint: try endpoint(token: try token()))
      if let cache { request.localContentURL = URL(fileURLWithPath: cache, isDirectory: true) }
      do throws(WeatherError) {
        let answer = try await answer(request)
        show(answer)
        if let error = answer.storingError { Self.tell(error) }
      } catch {
        Self.tell(error)
        // Offline: what is kept is better than nothing, as long as its age is told.
        guard error.isTransient, let kept = try? await request.perform(from: .local) else { throw ExitCode(1) }
        show(kept)
        throw ExitCode(3)
      }
    }

    private static func tell(_ error: WeatherError) {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
    }

    private func answer(_ request: WeatherRequest) async throws(WeatherError) -> WeatherAnswer {
      if refresh { return try await request.perform(from: .remote) }
      // What is kept may be in other words or for fewer hours than are wanted now.
      if let kept = try? await request.perform(from: .local), !kept.isExpired, !isEnough(kept.response) {
        return try await request.perform(from: .remote)
      }
      return try await request.perform()
    }

    private func isEnough(_ response: WeatherResponse) -> Bool {
      response.language == language && (response.result.hourly?.temperature?.count ?? 0) >= hours
        && (response.result.daily?.temperature?.count ?? 0) >= days
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
      else { throw ValidationError("'\(place)' is no place: give LON,LAT in degrees.") }
      guard let system = WeatherUnit(rawValue: unit) else {
        throw ValidationError("--unit is \(WeatherUnit.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      guard let language = WeatherLanguage(rawValue: language) else {
        throw ValidationError("--language is \(WeatherLanguage.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      var endpoint = WeatherEndpoint(token: token, coordinate: Coordinate(latitude: latitude, longitude: longitude))
      endpoint.measurementSystem = system
      endpoint.language = language
      endpoint.hourlyLength = hours
      endpoint.dailyLength = days
      if var server {
        while server.hasSuffix("/") { server.removeLast() }
        endpoint.service = server
      }
      return endpoint
    }

    private func token() throws -> String? {
      if let tokenFrom {
        guard let text = try? String(contentsOfFile: (tokenFrom as NSString).expandingTildeInPath, encoding: .utf8),
          let line = text.split(whereSeparator: \.isNewline).first
        else { throw ValidationError("Can't read a token from '\(tokenFrom)'.") }
        return line.trimmingCharacters(in: .whitespaces)
      }
      if let token = ProcessInfo.processInfo.environment["CONTRAIL_WEATHER_TOKEN"] { return token }
      return server == nil ? nil : "anonymous"
    }
  }
#endif
