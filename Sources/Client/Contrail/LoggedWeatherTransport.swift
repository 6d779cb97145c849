import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
public import ContrailWeather
import ContrailWire
import Foundation

extension ContrailClient {
  /// Returns a transport that also writes each answer to the client's log, for a ``WeatherRequest`` that the app makes on
  /// its own.
  ///
  /// ```swift
  /// let logged = WeatherRequest(endpoint: endpoint, transport: client.loggedWeatherTransport())
  /// ```
  ///
  /// The line has the place, the parameters, the status, the bytes on the wire and the body, without any secret, so a
  /// replay accounts for these bytes as well. It changes no data of the client. After ``stop()``, requests are sent and no longer
  /// logged. The transport doesn't keep the client alive.
  ///
  /// - Parameter transport: The transport that sends the requests.
  public func loggedWeatherTransport(
    over transport: any WeatherTransport = HTTPWeatherTransport()
  ) -> any WeatherTransport {
    LoggedWeatherTransport(transport: transport, core: core)
  }
}

/// Sends requests over another transport, and logs the results.
struct LoggedWeatherTransport: WeatherTransport {
  let transport: any WeatherTransport
  weak let core: ClientCore?

  func get(_ url: URL) async throws -> WeatherTransportAnswer {
    do {
      let transport = transport
      let answer =
        if let gate = core?.linkGate {
          try await gate.run { try await transport.get(url) }
        } else {
          try await transport.get(url)
        }
      log(
        .answered(
          status: min(max(answer.status, 0), 999), wireBytes: Int64(answer.wireBytes ?? answer.body.count),
          body: Array(answer.body)), url)
      return answer
    } catch {
      if let failure = Self.failure(error) { log(.failed(failure), url) }
      throw error
    }
  }

  private func log(_ result: WeatherEntry.LookupResult, _ url: URL) {
    guard let core, let (lookup, token) = Self.parts(url) else { return }
    core.add(.weather(WeatherEntry(lookup, result).masking(Credentials(weatherToken: token)), nil))
  }

  /// Returns the failure to log; nil for a request that was cancelled, or not sent because the client is offline.
  private static func failure(_ error: any Error) -> TransportFailure? {
    if error as? TransportError == LinkGate.error { return nil }
    return switch (error as? WeatherError)?.code {
    case .malformed: .tooLarge
    case .unreachable: .network
    case nil: error is CancellationError ? nil : .network
    default: nil
    }
  }

  /// Returns the parameters and the token of a request's URL; nil if it has another form.
  static func parts(_ url: URL) -> (lookup: WeatherLookup, token: String)? {
    guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    let path = components.percentEncodedPath.split(separator: "/").map { String($0).removingPercentEncoding ?? "" }
    guard path.count == 4, let place = RoundedCoordinate(path[2]) else { return nil }
    var values: [String: String] = [:]
    for item in components.queryItems ?? [] { values[item.name] = item.value }
    let usual = WeatherSpec()
    let spec = WeatherSpec(
      language: values["lang"] ?? usual.language, unit: values["unit"] ?? usual.unit,
      includesAlerts: values["alert"] == "true", hours: values["hourlysteps"].flatMap { Int64($0) } ?? usual.hours,
      days: values["dailysteps"].flatMap { Int64($0) } ?? usual.days, file: path[3])
    return (WeatherLookup(place: place, version: path[0], spec: spec), path[1])
  }
}
