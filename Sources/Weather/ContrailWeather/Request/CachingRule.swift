public import ContrailGeodesy
public import Foundation

/// Decides whether the stored response is sufficient, or the service must be queried. A pure function.
///
/// The stored response is used if it exists, can be decoded, is for the requested place, has the requested language, unit
/// system, lengths, parts and version, and hasn't expired.
public enum CachingRule {
  /// The stored response for a place.
  public indirect enum Stored: Hashable, Sendable {
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
    /// The stored response is for the place, but differs from the requested form.
    case different([Difference])
    /// The stored response doesn't state its time.
    case undated
    case expired(ageSeconds: Double)
    /// The time of the stored response is ahead of the clock by at least the expiration: a clock was changed, and the
    /// age is unknown.
    case fromTheFuture(aheadSeconds: Double)
  }

  /// A difference between a response and the requested form.
  public enum Difference: String, Hashable, Sendable, CaseIterable {
    /// The version of the API.
    case version
    /// The language of descriptions.
    case language
    /// The unit system.
    case unit
    /// A part that the requested file contains is missing.
    case parts
    /// The number of hours in the hourly forecast.
    case hourlyLength
    /// The number of days in the daily forecast.
    case dailyLength
  }

  /// Decides whether to use the stored response.
  ///
  /// - Parameters:
  ///   - stored: The contents of the place's file.
  ///   - place: The requested place.
  ///   - now: The current time.
  ///   - expirationSeconds: The validity of a response from the server time it states. At exactly that age, it has
  ///     expired.
  ///   - requested: The requested form; nil if any form is sufficient.
  public static func verdict(
    stored: Stored, place: RoundedCoordinate, now: Date, expirationSeconds: TimeInterval,
    requested: WeatherEndpoint? = nil
  ) -> Verdict {
    switch stored {
    case .nothing: return .remote(.nothingStored)
    case .undecodable: return .remote(.undecodable)
    case .response(let response):
      guard response.isFor(place) else { return .remote(.anotherPlace) }
      let differences = requested.map(response.differences) ?? []
      guard differences.isEmpty else { return .remote(.different(differences)) }
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

  /// Returns the differences between the response and the form that an endpoint requests.
  ///
  /// A response with more hours or days than requested differs too. Warnings aren't compared: the service omits them
  /// where a token doesn't include them.
  public func differences(from endpoint: WeatherEndpoint) -> [CachingRule.Difference] {
    let file = endpoint.file.hasSuffix(".json") ? String(endpoint.file.dropLast(5)) : endpoint.file
    let isWhole = file == "weather"
    return CachingRule.Difference.allCases.filter { difference in
      switch difference {
      case .version: version.map { $0 != endpoint.version } ?? false
      case .language: language != endpoint.language.rawValue
      case .unit: unit != endpoint.measurementSystem
      case .parts:
        ((isWhole || file == "realtime") && result.realtime == nil) || (file == "minutely" && result.minutely == nil)
      case .hourlyLength: (isWhole || file == "hourly") && result.hourly?.length != endpoint.hourlyLength
      case .dailyLength: (isWhole || file == "daily") && result.daily?.length != endpoint.dailyLength
      }
    }
  }

  /// Whether the response is for a place.
  public func isFor(_ place: RoundedCoordinate) -> Bool {
    guard let coordinate, let own = try? RoundedCoordinate(coordinate) else { return false }
    return own == place
  }
}

extension Hourly {
  /// The number of hours.
  fileprivate var length: Int? {
    temperature?.count ?? phenomenon?.count ?? precipitation?.count
  }
}

extension Daily {
  /// The number of days.
  fileprivate var length: Int? {
    temperature?.count ?? phenomenon?.count ?? precipitation?.count
  }
}
