import ContrailCore
import ContrailGeodesy

/// The places of the weather scopes of a log, and how often their requests failed.
///
/// A weather scope is named by its place, and the delay after a failure is drawn from the name. A place to which another one moves
/// must therefore give delays that are no longer than those of the original, or a timer that fired in time would fire too early.
struct WeatherPlaces {
  /// The greatest number of failures in a row, by place and by the seed of the session.
  private var failures: [RoundedCoordinate: [UInt64: Int64]] = [:]

  /// - Complexity: O(*n*): the log is folded.
  init(of draft: LogDraft) {
    var state = draft.startState
    note(state)
    for turn in draft.turns {
      for event in turn.events { state.evolve(.init(seq: state.nextSeq, at: turn.at, event: event)) }
      note(state)
    }
  }

  private mutating func note(_ state: State) {
    for scope in state.scopes {
      guard let place = scope.id.weatherPlace else { continue }
      let seed = state.session?.seed ?? 0
      failures[place, default: [:]][seed] = max(failures[place]?[seed] ?? 0, scope.retry.failures)
    }
  }

  /// The maximum number of places that are tried, in the neighbourhood of some kilometres.
  private static let maximumCount: Int64 = 1 << 18

  /// Returns the place to which each place moves.
  ///
  /// - Parameter attempt: The number of the attempt; each gives other places.
  func moved(by rotation: SphereRotation, attempt: Int) -> [RoundedCoordinate: RoundedCoordinate] {
    var places: [RoundedCoordinate: RoundedCoordinate] = [:]
    for (place, counts) in failures {
      let target = rotation.moved(place.coordinate)
      var rest = attempt
      for index in 0..<Self.maximumCount {
        let (row, column) = index.quotientAndRemainder(dividingBy: 512)
        let latitude = target.latitude > 0 ? target.latitude - Double(row) * 1e-4 : target.latitude + Double(row) * 1e-4
        let longitude =
          target.longitude > 0 ? target.longitude - Double(column) * 1e-4 : target.longitude + Double(column) * 1e-4
        guard let candidate = RoundedCoordinate(rounding: Coordinate(latitude: latitude, longitude: longitude)),
          candidate != place, hasNoLongerDelays(candidate, than: place, counts)
        else { continue }
        places[place] = candidate
        rest -= 1
        if rest < 0 { break }
      }
    }
    return places
  }

  private func hasNoLongerDelays(
    _ candidate: RoundedCoordinate, than place: RoundedCoordinate, _ counts: [UInt64: Int64]
  ) -> Bool {
    counts.allSatisfy { seed, count in
      count < 1
        || (1...min(count, 9)).allSatisfy { number in
          Backoff.delayMS(seed: seed, scope: .weather(candidate), count: number)
            <= Backoff.delayMS(seed: seed, scope: .weather(place), count: number)
        }
    }
  }
}
