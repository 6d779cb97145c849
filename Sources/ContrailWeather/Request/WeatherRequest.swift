public import ContrailGeodesy
public import Dispatch
public import Foundation

/// A request for the weather at a place: from the cache while that will do, else from the service.
///
/// ```
/// let request = WeatherRequest(token: token, coordinate: Coordinate(latitude: 31.0258, longitude: 121.4474))
/// let answer = try await request.perform()
/// answer.source                                          // .local or .remote
/// answer.response.measured.realtime?.temperature         // 26.0 °C
/// ```
///
/// Each `perform` works with the properties as they are when it starts. The request can be used from any thread; a
/// change of several properties isn't one step for those who read meanwhile.
public final class WeatherRequest: @unchecked Sendable {
  /// Where weather is from.
  public enum DataSource: String, Hashable, Sendable, CaseIterable, Codable {
    /// The cache.
    case local
    /// The service.
    case remote
  }

  /// What a request is made of, at one moment.
  struct Settings: Sendable {
    var endpoint: WeatherEndpoint
    var expirationSeconds: TimeInterval = 5 * 60
    var queue = DispatchQueue.global(qos: .background)
    var localContentURL: URL
  }

  /// Carries requests to the service.
  public let transport: any WeatherTransport
  /// Tells how old answers are.
  public let clock: WeatherClock
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var guarded: Settings

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - endpoint: What to ask for.
  ///   - localContentURL: The cache's directory.
  ///   - transport: Carries requests to the service.
  ///   - clock: Tells how old answers are.
  public init(
    endpoint: WeatherEndpoint = WeatherEndpoint(), localContentURL: URL = WeatherStore.defaultDirectory,
    transport: any WeatherTransport = HTTPWeatherTransport(), clock: WeatherClock = .system
  ) {
    self.transport = transport
    self.clock = clock
    guarded = Settings(endpoint: endpoint, localContentURL: localContentURL)
  }

  /// Makes a request for a place, with the defaults for all else.
  public convenience init(
    token: String, coordinate: Coordinate, localContentURL: URL = WeatherStore.defaultDirectory,
    transport: any WeatherTransport = HTTPWeatherTransport(), clock: WeatherClock = .system
  ) {
    self.init(
      endpoint: WeatherEndpoint(token: token, coordinate: coordinate), localContentURL: localContentURL,
      transport: transport, clock: clock)
  }

  var settings: Settings { lock.withLock { guarded } }

  /// What to ask for.
  public var endpoint: WeatherEndpoint {
    get { settings.endpoint }
    set { lock.withLock { guarded.endpoint = newValue } }
  }

  /// How long an answer holds, in seconds from the service's time in it. Five minutes unless set.
  public var expiration: TimeInterval {
    get { settings.expirationSeconds }
    set { lock.withLock { guarded.expirationSeconds = newValue } }
  }

  /// Where files are read and written, answers decoded and completion handlers called.
  public var queue: DispatchQueue {
    get { settings.queue }
    set { lock.withLock { guarded.queue = newValue } }
  }

  /// The cache's directory (``WeatherStore``).
  public var localContentURL: URL {
    get { settings.localContentURL }
    set { lock.withLock { guarded.localContentURL = newValue } }
  }
}

extension WeatherRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WeatherRequest(\(endpoint))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint], displayStyle: .class) }
}
