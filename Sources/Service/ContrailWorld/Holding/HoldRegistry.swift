import ContrailGeodesy
import ContrailWire

/// The held requests of a server, and when each is answered: a value without a clock.
///
/// A new record finds the requests that it concerns by its place, then by altitude and severity. The others aren't touched.
/// Times are seconds since 1970: a record that arrived in a second is served from the next one on.
struct HoldRegistry: Sendable {
  /// One of the areas of a held request.
  struct Area: Sendable {
    var request: ObservationsRequest
    var terms: HoldTerms
  }

  /// A record that has arrived.
  enum Arrival: Sendable {
    case report(WorldEpoch.Observation)
    case pirep(PIREP)

    /// The time of the arrival, in seconds since 1970.
    var second: Int64 {
      switch self {
      case .report(let observation): observation.arrival
      case .pirep(let pirep): pirep.updatedAt
      }
    }

    var place: FixedCoordinate {
      switch self {
      case .report(let observation): observation.centre
      case .pirep(let pirep): pirep.position
      }
    }

    /// The time of the observation, in seconds since 1970.
    var observedAt: Int64 {
      switch self {
      case .report(let observation): Int64(observation.report.observedAt)
      case .pirep(let pirep): pirep.observedAt
      }
    }
  }

  private struct Held {
    var areas: [Area]
    /// The second of the answer, as far as it is known.
    var due: Int64
  }

  /// A ring, and the held requests for it.
  private struct Place {
    let ring: Ring
    let tiles: [Int32]
    /// The held requests, with the indices of their areas.
    var holders: [Int: [Int]] = [:]
  }

  private var held: [Int: Held] = [:]
  private var places: [UInt64: Place] = [:]
  private var digests: [Int32: Set<UInt64>] = [:]
  /// The requests by the second of their answer. Requests whose second has changed since are skipped.
  private var schedule: [Int64: [Int]] = [:]
  private var nextID = 0

  /// The number of held requests.
  var count: Int { held.count }

  /// The earliest second at which a request is due without further news; nil if none is held.
  ///
  /// - Complexity: O(*n*) in the held requests.
  var nextDue: Int64? { held.values.lazy.map(\.due).min() }

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - areas: Its areas, at least one.
  ///   - second: The current second.
  /// - Returns: The number of the request.
  mutating func add(_ areas: [Area], at second: Int64) -> Int {
    nextID += 1
    let seconds = areas.map(\.terms.seconds).min() ?? 0
    held[nextID] = Held(areas: areas, due: .max)
    for (index, area) in areas.enumerated() {
      let digest = Area.digest(area)
      if places[digest] == nil { addPlace(area.request.ring, digest) }
      places[digest]?.holders[nextID, default: []].append(index)
    }
    plan(nextID, at: second + seconds)
    return nextID
  }

  /// Removes a request.
  mutating func remove(_ id: Int) {
    guard let request = held.removeValue(forKey: id) else { return }
    for area in request.areas { places[Area.digest(area)]?.holders[id] = nil }
    if places.count > Self.maximumIdlePlaces + held.count { forgetIdlePlaces() }
  }

  /// The number of rings without a request that are kept, because the next request for them usually follows at once.
  private static let maximumIdlePlaces = 1000

  /// Notes a record that has arrived.
  ///
  /// - Complexity: O(rings that meet its tile + requests for the rings that contain it).
  mutating func arrive(_ arrival: Arrival) {
    for digest in digests[RingTiles.tile(of: arrival.place)] ?? [] {
      guard let place = places[digest], !place.holders.isEmpty, place.ring.contains(arrival.place) else { continue }
      for (id, indices) in place.holders { for index in indices { note(arrival, id, index, at: arrival.second) } }
    }
  }

  /// Notes a record for one request, which may have arrived before the request.
  ///
  /// - Parameter second: The current second, or that of the arrival.
  mutating func note(_ arrival: Arrival, _ id: Int, _ index: Int, at second: Int64) {
    guard let area = held[id]?.areas[index], let isUrgent = area.isUrgent(arrival) else { return }
    let due = max(arrival.second + (isUrgent ? 1 : max(area.terms.ordinarySeconds, 1)), second)
    // A record that is older than the history by then isn't in the answer. A client takes an early answer without news for the end of a
    // server, and pauses.
    guard arrival.observedAt > due - area.request.history.seconds else { return }
    plan(id, at: due)
  }

  /// Notes that the traffic of an area changes all the time: the request is answered as for an ordinary record.
  mutating func noteTraffic(since second: Int64, _ id: Int, _ index: Int) {
    guard let area = held[id]?.areas[index], area.request.types.contains(.traffic) else { return }
    plan(id, at: second + max(area.terms.ordinarySeconds, 1))
  }

  /// Removes and returns the requests that are due at a second, in order.
  mutating func release(at second: Int64) -> [Int] {
    var released: [Int] = []
    for due in schedule.keys.filter({ $0 <= second }).sorted() {
      for id in schedule.removeValue(forKey: due) ?? [] where held[id]?.due == due {
        released.append(id)
        remove(id)
      }
    }
    return released.sorted()
  }

  /// Removes and returns all requests, in order.
  mutating func releaseAll() -> [Int] { release(at: .max) }

  // MARK: Parts

  private mutating func plan(_ id: Int, at second: Int64) {
    guard let due = held[id]?.due, second < due else { return }
    held[id]?.due = second
    schedule[second, default: []].append(id)
  }

  private mutating func addPlace(_ ring: Ring, _ digest: UInt64) {
    let tiles = RingTiles(ring)
    let place = Place(ring: ring, tiles: tiles.inside + tiles.crossed)
    for tile in place.tiles { digests[tile, default: []].insert(digest) }
    places[digest] = place
  }

  private mutating func forgetIdlePlaces() {
    for (digest, place) in places where place.holders.isEmpty {
      for tile in place.tiles {
        digests[tile]?.remove(digest)
        if digests[tile]?.isEmpty == true { digests[tile] = nil }
      }
      places[digest] = nil
    }
  }
}

extension HoldRegistry.Area {
  fileprivate static func digest(_ area: HoldRegistry.Area) -> UInt64 {
    ContrailWire.Area.ring(area.request.ring).digest
  }

  /// Whether a record in the ring is urgent; nil if the request doesn't ask for it.
  fileprivate func isUrgent(_ arrival: HoldRegistry.Arrival) -> Bool? {
    switch arrival {
    case .report(let observation):
      let report = observation.report
      guard request.types.contains(.turbulence), request.altitudes.contains(report.altitude),
        request.severities.rawValue & (1 << report.severityCode) != 0
      else { return nil }
      return terms.isUrgent(report)
    case .pirep(let pirep):
      return request.types.contains(.pireps) ? terms.isUrgent(pirep) : nil
    }
  }
}
