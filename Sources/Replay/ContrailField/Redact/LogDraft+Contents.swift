import ContrailCore

// What a log is about, which decides whether it can be redacted, and how.

extension LogDraft {
  /// Whether the log has cycles of airports, whose dates are public.
  var isAboutAirports: Bool { turns.contains { $0.input?.isAboutAirports == true } || !startState.airports.isEmpty }

  /// Whether the log contains the instant at which a cycle takes effect.
  var hasCycleChange: Bool {
    turns.contains { turn in
      turn.events.contains { if case .decision(.airportsSwitched) = $0 { true } else { false } }
    }
  }
}

extension Input {
  fileprivate var isAboutAirports: Bool {
    switch self {
    case .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed, .airportsDelivery:
      true
    default: false
    }
  }
}
