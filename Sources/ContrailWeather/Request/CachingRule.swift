public import ContrailGeodesy
public import Foundation

/// Whether what is stored will do, or the service has to be asked: one pure function.
///
/// What is stored answers when it exists and decodes, when it is for the place asked for, and when it hasn't expired.
/// Whatever else it may differ in, such as language or unit system, it says itself.
public enum CachingRule {
  /// What is stored for a place.
  public enum Stored: Hashable, Sendable {
    case nothing
    case undecodable
    case response(WeatherResponse)

    /// Reads a file's contents; nil stands for no file.
    public init(_ data: Data?) {
      guard let data else {
        self = .nothing
        return
      }
      self = (try? WeatherResponse(json: data)).map { .response($0) } ?? .undecodable
    }

    /// Seconds from when the service made the stored answer until `now`; nil where that isn't known.
    public func ageSeconds(at now: Date) -> Double? {
      guard case .response(let response) = self else { return nil }
      return response.ageSeconds(at: now)
    }
  }

  /// The rule's answer.
  public enum Verdict: Hashable, Sendable {
    /// What is stored will do; the service made it so many seconds ago.
    case local(ageSeconds: Double)
    /// Ask the service, for this reason.
    case remote(Reason)
  }

  /// Why the service has to be asked.
  public enum Reason: Hashable, Sendable {
    case nothingStored
    case undecodable
    /// What is stored is for another place, or doesn't say for which.
    case anotherPlace
    /// What is stored doesn't say when it was made.
    case undated
    case expired(ageSeconds: Double)
    /// What is stored was made later than now by at least the expiration: a clock was set, and its age is unknown.
    case fromTheFuture(aheadSeconds: Double)
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - stored: What the place's file holds.
  ///   - place: The place asked for.
  ///   - now: The time now.
  ///   - expirationSeconds: How long an answer holds from the service's time in it. At exactly that age it has expired.
  public static func verdict(
    stored: Stored, place: WeatherPlace, now: Date, expirationSeconds: TimeInterval
  ) -> Verdict {
    switch stored {
    case .nothing: return .remote(.nothingStored)
    case .undecodable: return .remote(.undecodable)
    case .response(let response):
      guard response.isFor(place) else { return .remote(.anotherPlace) }
      guard let age = response.ageSeconds(at: now) else { return .remote(.undated) }
      // Device and server differ by seconds, so an answer may seem to be made a little after now.
      guard age > -expirationSeconds else { return .remote(.fromTheFuture(aheadSeconds: -age)) }
      guard age < expirationSeconds else { return .remote(.expired(ageSeconds: age)) }
      return .local(ageSeconds: age)
    }
  }
}

extension WeatherResponse {
  /// Seconds from when the service made this answer until `now`; nil where the answer doesn't say when.
  public func ageSeconds(at now: Date) -> Double? {
    serverTime.map { now.timeIntervalSince($0.time) }
  }

  /// Whether this is an answer for a place.
  public func isFor(_ place: WeatherPlace) -> Bool {
    guard let coordinate, let own = try? WeatherPlace(coordinate) else { return false }
    return own == place
  }
}
