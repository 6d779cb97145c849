package import ContrailSimulation
package import ContrailWire

/// One thing that an application, its network or its device does.
package enum AppStep: Hashable, Sendable {
  /// Sets properties, one after the other.
  case set([Change])
  /// Sets the whole query with a check.
  case setChecked(Change)
  case refresh(full: Bool)
  /// The application's switch for the link.
  case online(Bool)
  /// The system reports a link, or none.
  case systemLink(Bool)
  /// The system says another thing of the link's cost.
  case linkCost(isExpensive: Bool, isConstrained: Bool)
  /// Time goes by, and all that is due in it happens.
  case pass(milliseconds: Int64)
  /// These become of the next requests.
  case faults([AnswerFault])
  /// No request reaches the server, or all do, and nobody tells the client.
  case outage(Bool)
  /// From now on answers take so long.
  case latency(milliseconds: Int64)
  /// The server takes another key from now on.
  case revokeKey
  /// The application has the key that the server takes.
  case renewKey
  /// Reports turbulence of the aircraft's own, observed so many seconds ago, or now.
  case report(altitudeFeet: Double, severity: TurbulenceSeverity, edrE4: Int, secondsAgo: Int64?)
  case background
  case foreground
  /// The wall clock is set.
  case wall(aheadMS: Int64)
  case observe(Observer)
  /// The observers so far are let go.
  case stopObserving
  /// Queries, whose values follow from the number.
  case read(UInt64)
  /// Looks up an airport.
  case lookUpAirport
  /// Asks a weather service by a transport of the client.
  case lookUpWeather
  /// The user puts off the effective cycle of airports.
  case deferAirports
  /// The client is stopped and another takes its directory.
  case relaunch
  /// As `relaunch`, with another client in between, which is stopped right after these properties were set.
  case relaunchInHaste([Change])
  /// As `relaunch`. In its first turn with the new client, the application does this, each at once.
  case launch([AppStep])
  /// As `relaunch`. With the stopped client, the application does this, of which nothing follows.
  case afterStop([AppStep])
}

/// A way of observing a client.
package enum Observer: String, Hashable, Sendable, CaseIterable {
  case corridorChannel
  case corridorStream
  case viewportChannel
  case polygonsChannel
  case liveQuery
  case delegate
  case updates
}

extension AppStep {
  /// The step as a test may write it.
  package var text: String {
    ".\(self)".replacing("ContrailSimulation.Change.Range(", with: ".init(")
      .replacing(/Contrail[A-Za-z]+(?:\.[A-Z][A-Za-z]+)+\./, with: ".")
  }

  /// The step with less of what it does in it.
  var simpler: [AppStep] {
    switch self {
    case .launch(let steps): Self.shorter(steps).map { .launch($0) }
    case .afterStop(let steps): Self.shorter(steps).map { .afterStop($0) }
    default: []
    }
  }

  private static func shorter(_ steps: [AppStep]) -> [[AppStep]] {
    steps.indices.map { index in steps.enumerated().filter { $0.offset != index }.map(\.element) }
  }
}

/// An application's flight before it is flown.
package struct AppScript: Hashable, Sendable {
  package var seed: UInt64
  package var steps: [AppStep]
  /// How far the server's clock is ahead of the device's, in milliseconds.
  package var serverAheadMS: Int64 = 0
  package var isServerPlain = false
  package var packs = false

  package init(seed: UInt64, steps: [AppStep]) {
    (self.seed, self.steps) = (seed, steps)
  }

  /// The flight of a seed.
  package init(seed: UInt64) {
    var author = AppAuthor(seed: seed)
    self = author.script()
  }
}

extension Change {
  var isInvalid: Bool {
    switch self {
    case .openPolygon, .routeWithoutCorridor, .crossingPolygon, .invalidViewport, .onePointRoute, .brokenViewport: true
    default: false
    }
  }
}
