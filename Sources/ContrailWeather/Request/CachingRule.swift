public import ContrailGeodesy
public import Foundation

/// Decides whether the stored response is sufficient, or the service must be queried. A pure function.
///
/// The stored response is used if it exists, can be decoded, is for the requested place, and hasn't expired. Other
/// differences, such as language or unit system, don't matter, because the response states them.
public enum CachingRule {
  /// The stored response for a place.
  public enum Stored: Hashable, Sendable {
    case nothing
    case undecodable
    case response(WeatherResponse)

    /// Decodes the contents of a file; nil stands for a missing file.
    public init(_ data: Data?) {
      guard let data else {
        self = .nothing
        return
      }
      self = (try? WeatherResponse(json: data)).map { .response($0) } ?? .undecodable
    }

    /// Returns the age of the stored response in seconds; nil if it is unknown.
    public func ageSeconds(at now: Date) -> Double? {
      guard case .response(let response) = self else { return nil }
      return response.ageSeconds(at: now)
    }
  }

  /// The decision of the rule.
  public enum Verdict: Hashable, Sendable {
    /// Use the stored response, which the service created this many seconds ago.
    case local(ageSeconds: Double)
    /// Query the service, for this reason.
    case remote(Reason)
  }

  /// The reason for querying the service.
  public enum Reason: Hashable, Sendable {
    case nothingStored
    case undecodable
    /// The stored response is for another place, or states no place.
    case anotherPlace
    /// The stored response doesn't state its time.
    case undated
    case expired(ageSeconds: Double)
    /// The time of the stored response is ahead of the clock by at least the expiration: a clock was changed, and the
    /// age is unknown.
    case fromTheFuture(aheadSeconds: Double)
  }

  /// Decides whether to use the stored response.
  ///
  /// - Parameters:
  ///   - stored: The contents of the place's file.
  ///   - place: The requested place.
  ///   - now: The current time.
  ///   - expirationSeconds: The validity of a response from the server time it states. At exactly that age, it has
  ///     expired.
  public static func verdict(
    stored: Stored, place: WeatherPlace, now: Date, expirationSeconds: TimeInterval
  ) -> Verdict {
    switch stored {
    case .nothing: return .remote(.nothingStored)
    case .undecodable: return .remote(.undecodable)
    case .response(let response):
      guard response.isFor(place) else { return .remote(.anotherPlace) }
      guard let age = response.ageSeconds(at: now) else { return .remote(.undated) }
      // The clocks of device and server differ by seconds, so a response may appear to be slightly in the future.
      guard age > -expirationSeconds else { return .remote(.fromTheFuture(aheadSeconds: -age)) }
      guard age < expirationSeconds else { return .remote(.expired(ageSeconds: age)) }
      return .local(ageSeconds: age)
    }
  }
}

extension WeatherResponse {
  /// Returns the age of the response in seconds; nil if it doesn't state its time.
  public func ageSeconds(at now: Date) -> Double? {
    serverTime.map { now.timeIntervalSince($0.time) }
  }

  /// Whether the response is for a place.
  public func isFor(_ place: WeatherPlace) -> Bool {
    guard let coordinate, let own = try? WeatherPlace(coordinate) else { return false }
    return own == place
  }
}
