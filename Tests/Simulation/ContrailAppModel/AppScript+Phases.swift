package import ContrailSimulation

extension AppScript {
  /// What the application sets and calls, by phase. After each step, the client is at rest, so its log is open.
  package var phaseCoverage: PhaseCoverage {
    var coverage = PhaseCoverage()
    var life = Life()
    for step in steps {
      coverage.add(step, in: life.phases)
      switch step {
      case .relaunch: life = Life()
      case .relaunchInHaste(let changes):
        coverage.add(changes, in: [.beforeOpen])
        coverage.add(.relaunch, in: [.beforeOpen])
        life = Life()
      case .launch(let first):
        life = Life()
        for step in first {
          coverage.add(step, in: [.beforeOpen])
          life.note(step)
        }
      case .afterStop(let late):
        for step in late { coverage.add(step, in: [.afterStop]) }
        life = Life()
      default: life.note(step)
      }
    }
    return coverage
  }

  /// The states of a client that a phase depends on.
  private struct Life {
    var isOnline = true
    var hasLink = true
    var isInBackground = false

    var phases: Set<Phase> {
      var phases: Set<Phase> = []
      if !isOnline { phases.insert(.offline) }
      if !hasLink { phases.insert(.withoutLink) }
      if isInBackground { phases.insert(.inBackground) }
      return phases.isEmpty ? [.online] : phases
    }

    mutating func note(_ step: AppStep) {
      switch step {
      case .online(let isOnline): self.isOnline = isOnline
      case .systemLink(let hasLink): self.hasLink = hasLink
      case .background: isInBackground = true
      case .foreground: isInBackground = false
      default: break
      }
    }
  }
}

extension PhaseCoverage {
  fileprivate mutating func add(_ step: AppStep, in phases: Set<Phase>) {
    switch step {
    case .set(let changes): add(changes, in: phases)
    case .setChecked(let change) where !change.isInvalid: add(whole: change, in: phases)
    default: if let name = step.name { add(name, in: phases) }
    }
  }
}

extension AppStep {
  /// The name of the simulator's step that calls the same member, or ``systemLinkName``; nil if it calls none.
  fileprivate var name: String? {
    switch self {
    case .refresh: "refresh"
    case .online: "link"
    case .systemLink: Self.systemLinkName
    case .linkCost: "linkCost"
    case .setChecked: "setChecked"
    case .renewKey: "renewKey"
    case .report: "track"
    case .background: "background"
    case .foreground: "foreground"
    case .lookUpWeather: "lookup"
    case .deferAirports: "airports"
    case .relaunch, .relaunchInHaste, .launch, .afterStop: "relaunch"
    case .set, .pass, .faults, .outage, .latency, .revokeKey, .wall, .observe, .stopObserving, .read, .lookUpAirport:
      nil
    }
  }

  /// The name of the step in which the system reports its link. The simulator has no such step.
  package static var systemLinkName: String { "systemLink" }
}
