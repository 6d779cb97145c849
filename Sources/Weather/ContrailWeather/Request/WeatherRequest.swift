public import ContrailGeodesy
import ContrailHTTP
public import Dispatch
public import Foundation

/// A request for the weather at a place, from the cache or the service.
///
/// The cache is used while its response is valid.
///
/// ```
/// let request = WeatherRequest(
///   token: token, coordinate: Coordinate(latitude: 31.0258, longitude: 121.4474), language: .current)
/// let answer = try await request.perform()
/// answer.source                                          // .local or .remote
/// answer.response.measured.realtime?.temperature         // 26.0 °C
/// ```
///
/// Each `perform` uses the properties at the time of the call. The request can be used from any thread. A change of
/// several properties isn't atomic.
public final class WeatherRequest: @unchecked Sendable {
  /// The source of weather.
  public enum DataSource: String, Hashable, Sendable, CaseIterable, Codable {
    /// The cache.
    case local
    /// The service.
    case remote
  }

  /// The properties of a request at one time.
  struct Settings: Sendable {
    var endpoint: WeatherEndpoint
    var expirationSeconds: TimeInterval = 5 * 60
    var queue = DispatchQueue.global(qos: .background)
    var localContentURL: URL
  }

  /// The parameters and the time of a response that was stored.
  private struct Stored {
    let endpoint: WeatherEndpoint
    let serverTime: Datetime1970Based?
  }

  /// The transport to the service.
  public let transport: any WeatherTransport
  /// The clock that determines the age of responses.
  public let clock: WeatherClock
  private let guarded: Lock<Settings>
  /// The last response that was stored.
  private let stored = Lock<Stored?>(nil)

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - endpoint: The parameters of the request.
  ///   - localContentURL: The directory of the cache.
  ///   - transport: The transport to the service.
  ///   - clock: The clock that determines the age of responses.
  public init(
    endpoint: WeatherEndpoint = WeatherEndpoint(), localContentURL: URL = WeatherStore.defaultDirectory,
    transport: any WeatherTransport = HTTPWeatherTransport(), clock: WeatherClock = .system
  ) {
    self.transport = transport
    self.clock = clock
    guarded = Lock(Settings(endpoint: endpoint, localContentURL: localContentURL))
  }

  /// Creates a request for a place, with default values for all other parameters.
  ///
  /// The default language is the service's (``WeatherEndpoint/language``); ``WeatherLanguage/current`` is the user's.
  public convenience init(
    token: String, coordinate: Coordinate, language: WeatherLanguage = .chineseSimplified,
    localContentURL: URL = WeatherStore.defaultDirectory,
    transport: any WeatherTransport = HTTPWeatherTransport(), clock: WeatherClock = .system
  ) {
    self.init(
      endpoint: WeatherEndpoint(token: token, coordinate: coordinate, language: language),
      localContentURL: localContentURL,
      transport: transport, clock: clock)
  }

  var settings: Settings { guarded.withLock { $0 } }

  /// Remembers the parameters of a response that was stored.
  func noteStored(_ response: WeatherResponse, for endpoint: WeatherEndpoint) {
    let new = Stored(endpoint: endpoint, serverTime: response.serverTime)
    stored.withLock { $0 = new }
  }

  /// Whether a response was requested with these parameters, and is therefore the best that the service has.
  func isStored(_ response: WeatherResponse, for endpoint: WeatherEndpoint) -> Bool {
    stored.withLock { $0 }.map { $0.endpoint == endpoint && $0.serverTime == response.serverTime } ?? false
  }

  /// The parameters of the request.
  public var endpoint: WeatherEndpoint {
    get { settings.endpoint }
    set { guarded.withLock { $0.endpoint = newValue } }
  }

  /// The validity of a response in seconds, from the server time it states. The default is five minutes.
  public var expiration: TimeInterval {
    get { settings.expirationSeconds }
    set { guarded.withLock { $0.expirationSeconds = newValue } }
  }

  /// The queue for file access, decoding, and completion handlers.
  public var queue: DispatchQueue {
    get { settings.queue }
    set { guarded.withLock { $0.queue = newValue } }
  }

  /// The directory of the cache (``WeatherStore``).
  public var localContentURL: URL {
    get { settings.localContentURL }
    set { guarded.withLock { $0.localContentURL = newValue } }
  }
}

extension WeatherRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WeatherRequest(\(endpoint))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint], displayStyle: .class) }
}
