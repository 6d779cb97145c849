import ContrailCore
public import ContrailHTTP
import ContrailWire

// The weather's requests: to a service of their own, with a token in the path that nobody else may see.

extension Courier {
  /// The way to the weather service.
  struct WeatherRoute: Sendable {
    let transport: any Transport
    var token: String?
  }

  /// The same courier with the weather from elsewhere than the server.
  public func with(weather transport: any Transport, token: String?) -> Courier {
    var courier = self
    courier.weather = WeatherRoute(transport: transport, token: token)
    return courier
  }

  /// How a request leaves: over which transport, to which path, with which key in its head, and what must not come back.
  func way(_ request: OutgoingRequest) -> (transport: any Transport, target: String, key: String?, secret: String?) {
    guard request.scope.weatherPlace != nil else { return (transport, request.target, apiKey, nil) }
    let route = weather ?? WeatherRoute(transport: transport, token: apiKey)
    // A path has no empty parts.
    let token = route.token.flatMap { $0.isEmpty ? nil : $0 } ?? "-"
    let parts = request.target.split(separator: WeatherSpec.tokenMark, maxSplits: 1, omittingEmptySubsequences: false)
    return (route.transport, parts.joined(separator: WeatherSpec.encoded(token)), nil, route.token)
  }

  /// Whether an answer holds a token, spelt as it is or as in a path. Such an answer is not kept.
  static func holds(_ secret: String, _ bytes: [UInt8]) -> Bool {
    guard !secret.isEmpty else { return false }
    return Set([secret, WeatherSpec.encoded(secret)]).contains { spelling in
      let wanted = Array(spelling.utf8)
      guard wanted.count <= bytes.count else { return false }
      return (0...bytes.count - wanted.count).contains { start in
        bytes[start] == wanted[0] && bytes[start..<start + wanted.count].elementsEqual(wanted)
      }
    }
  }
}
