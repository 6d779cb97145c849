import ContrailCore

/// The link of one future of a flight.
struct LinkCourse: Sendable {
  enum Link: Sendable, Hashable {
    /// The recorded link and service, begun at another time of the flight; after the end, the start follows.
    case moved(byMS: Int64)
    case model(LinkModel)
    /// Every request is answered, as the nearest one that was.
    case perfect
  }

  var link: Link
  /// The time from which this link applies, in milliseconds since 1970. Before it, the link is the recorded one.
  var from: Int64
  /// The seed of what the link draws; nil for the nearest exchange.
  var seed: UInt64?

  /// Whether the link applies at a time.
  func isFree(at time: Int64) -> Bool { time >= from }

  /// Returns the time of the recorded link that stands for a time.
  func recordedTime(at time: Int64, in flight: RecordedFlight) -> Int64 {
    guard case .moved(let shift) = link else { return time }
    let length = max(flight.endMS - flight.startMS, 1)
    let offset = (time - flight.startMS + shift) % length
    return flight.startMS + (offset < 0 ? offset + length : offset)
  }

  /// Returns the outages of which the device knows, as trouble.
  func outages(of flight: RecordedFlight) -> [Trouble] {
    guard case .moved(let shift) = link else { return [] }
    let length = flight.endMS - flight.startMS
    let earliest = from - flight.startMS
    var troubles: [Trouble] = []
    for outage in flight.outages {
      for turn in [-length, 0, length] {
        let start = max(outage.lowerBound - flight.startMS - shift + turn, earliest)
        let end = min(outage.upperBound - flight.startMS - shift + turn, length + 1)
        if start < end { troubles.append(Trouble(.outage, start..<end)) }
      }
    }
    return troubles
  }
}

extension RecordedFlight {
  /// The times in which the device knew that there is no link, in milliseconds since 1970.
  var outages: [Range<Int64>] {
    var outages: [Range<Int64>] = []
    var since: Int64?
    for input in inputs {
      guard case .connectivityChanged(let isOnline) = input.input else { continue }
      if let start = since, isOnline {
        if start < input.at { outages.append(start..<input.at) }
        since = nil
      } else if !isOnline, since == nil {
        since = input.at
      }
    }
    if let since, since < endMS { outages.append(since..<endMS + 1) }
    return outages
  }

  /// Returns the end of the trouble that has begun by a time: of an outage, or of failed and refused requests.
  ///
  /// - Parameters:
  ///   - time: The time, in milliseconds since 1970.
  ///   - isOnline: Whether the device is online then.
  /// - Returns: The last time of the trouble; nil if there is none.
  func troubleEnd(at time: Int64, isOnline: Bool) -> Int64? {
    let exchanges = trace.exchanges
    func firstServed(from: Int64) -> Int64 {
      let next = exchanges.partition { $0.sentAtMS >= from }
      return exchanges[next...].first { $0.isService }.map { $0.sentAtMS - 1 } ?? endMS
    }
    guard !isOnline else {
      // Exchanges end in about the order in which they are sent.
      let last = exchanges.filter { $0.endedAtMS <= time }.max { $0.endedAtMS < $1.endedAtMS }
      return last.map { $0.isService } ?? true ? nil : max(firstServed(from: time), time)
    }
    let up = inputs.first { input in
      guard case .connectivityChanged(isOnline: true) = input.input else { return false }
      return input.at >= time
    }
    guard let up else { return endMS }
    // A link that is there again may still fail.
    let next = exchanges.partition { $0.sentAtMS >= up.at }
    guard next < exchanges.count, !exchanges[next].isService else { return up.at }
    return max(firstServed(from: up.at), up.at)
  }
}
