import ContrailWire

/// The client's own requests for airport cycles: whether it makes them, the one in progress, and the wait after it.
package struct AirportDelivery: Sendable, Equatable {
  /// Whether the client loads airports by itself.
  package internal(set) var isAutomatic = false
  /// The effective time of the requested cycle, in milliseconds; nil if no request is in progress.
  package internal(set) var request: Int64?
  /// The time of the last request, in milliseconds.
  package internal(set) var requestedAt: Int64 = 0
  /// The number of failed requests in a row.
  package internal(set) var failures: Int64 = 0
  /// The earliest time of the next request, in milliseconds.
  package internal(set) var notBefore: Int64 = 0

  /// The wait after a cycle wasn't available.
  static let unavailableWaitMS: Int64 = 3_600_000
  /// The wait after the first failure. It doubles with each further one.
  static let firstWaitMS: Int64 = 60_000
  static let maximumWaitMS: Int64 = 3_600_000
  /// The wait between two requests, even if the client is launched again or the link returns.
  static let minimumIntervalMS: Int64 = 60_000

  mutating func begin(_ requested: Decision.AirportsRequested, at now: Int64) {
    request = requested.effectiveMS
    requestedAt = now
  }

  /// The requested cycle is loaded.
  mutating func finish(_ edition: AirportEdition) {
    guard request == edition.effectiveMS else { return }
    (request, failures, notBefore) = (nil, 0, 0)
  }

  /// The requested cycle isn't available yet.
  mutating func postpone(_ edition: AirportEdition, at now: Int64) {
    guard request == edition.effectiveMS else { return }
    request = nil
    notBefore = now + Self.unavailableWaitMS
  }

  /// The load of the requested cycle failed.
  mutating func fail(_ edition: AirportEdition, at now: Int64) {
    guard request == edition.effectiveMS else { return }
    request = nil
    notBefore = now + min(Self.firstWaitMS << min(failures, 16), Self.maximumWaitMS)
    failures += 1
  }

  /// The client is launched: a request in progress ended with the earlier process.
  mutating func relaunch(at now: Int64) {
    request = nil
    shortenWait(at: now)
  }

  /// Allows the next request as soon as the minimum interval has passed.
  mutating func shortenWait(at now: Int64) {
    failures = 0
    guard notBefore > 0 || requestedAt > 0 else { return }
    notBefore = requestedAt + Self.minimumIntervalMS
  }
}

extension AirportHoldings {
  /// The length of an AIRAC cycle.
  private static let cycleMS: Int64 = 28 * 86_400_000
  /// The reference date of the AIRAC calendar, 29 January 1998 (ICAO Doc 8126), in milliseconds since 1970.
  private static let referenceMS: Int64 = 10_255 * 86_400_000
  /// The time before its effective time from which a cycle is loaded ahead.
  private static let leadMS: Int64 = 7 * 86_400_000

  /// Returns the effective time of the cycle at a time; nil before the first cycle.
  private static func effective(at time: Int64) -> Int64? {
    time < referenceMS ? nil : time - (time - referenceMS) % cycleMS
  }

  /// Returns the cycle to request; nil if none is due.
  ///
  /// - Parameter time: The server's time, in milliseconds.
  func due(at time: Int64) -> (effectiveMS: Int64, reason: Decision.DeliveryReason)? {
    guard let wanted = Self.effective(at: time) else { return nil }
    if !holds(wanted) {
      if inUse == nil { return (wanted, .first) }
      return deferred?.effectiveMS == wanted ? nil : (wanted, .expired)
    }
    let next = wanted + Self.cycleMS
    guard time >= next - Self.leadMS, !holds(next), deferred?.effectiveMS != next else { return nil }
    return (next, .ahead)
  }

  private func holds(_ effectiveMS: Int64) -> Bool {
    inUse?.edition.effectiveMS == effectiveMS || waiting?.edition.effectiveMS == effectiveMS
  }

  /// Returns the next time at which another cycle can be due, after a time of the server.
  static func nextDue(after time: Int64) -> Int64? {
    guard let wanted = effective(at: time) else { return nil }
    let next = wanted + cycleMS
    return time < next - leadMS ? next - leadMS : next
  }
}

// MARK: JSON in the control part

extension AirportDelivery {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("automatic", isAutomatic)
      if let request { json.member("request", request) }
      json.member("requestedAt", requestedAt)
      json.member("failures", failures)
      json.member("notBefore", notBefore)
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "automatic": isAutomatic = try json.bool()
      case "request": request = try json.time()
      case "requestedAt": requestedAt = try json.time()
      case "failures": failures = try json.ordinal()
      case "notBefore": notBefore = try json.time()
      default: try json.skipValue()
      }
    }
  }
}
