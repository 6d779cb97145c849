/// When an application sets a member of the client or calls it.
package enum Phase: String, Hashable, Sendable, CaseIterable {
  /// In the first turn after the client was created, or while the log is being opened.
  case beforeOpen
  /// In the foreground, with a link.
  case online
  /// While the application's switch is off.
  case offline
  /// While the system reports no link.
  case withoutLink
  case inBackground
  /// After the client was stopped.
  case afterStop
}

/// What flights set and call, by phase.
package struct PhaseCoverage: Sendable {
  /// The members of changes, as ``Change/members`` names them, and the names of steps.
  package private(set) var names: [Phase: Set<String>] = [:]
  /// The members of the query that are edited in place.
  package private(set) var inPlace: Set<String> = []
  /// The members of the query that are set with the whole query.
  package private(set) var whole: Set<String> = []

  package init() {}

  /// Adds a step.
  package mutating func add(_ step: String, in phases: Set<Phase>) {
    for phase in phases { names[phase, default: []].insert(step) }
  }

  /// Adds changes, each in place.
  package mutating func add(_ changes: [Change], in phases: Set<Phase>) {
    let members = changes.flatMap(\.members)
    for phase in phases { names[phase, default: []].formUnion(members) }
    inPlace.formUnion(members.filter(Self.isOfQuery))
  }

  /// Adds a valid change of the whole query, which is checked.
  package mutating func add(whole change: Change, in phases: Set<Phase>) {
    add("setChecked", in: phases)
    whole.formUnion(change.members.filter(Self.isOfQuery))
  }

  /// Whether a member is a part of the query.
  package static func isOfQuery(_ member: String) -> Bool { !member.hasPrefix("ContrailClient.") }

  package static func += (sum: inout PhaseCoverage, other: PhaseCoverage) {
    sum.names.merge(other.names) { $0.union($1) }
    sum.inPlace.formUnion(other.inPlace)
    sum.whole.formUnion(other.whole)
  }
}

extension Script {
  /// What the first process of the flight sets and calls.
  ///
  /// How the later ones begin follows only from the flight: when a process is killed, and how long opening the log takes then.
  package var phaseCoverage: PhaseCoverage {
    var coverage = PhaseCoverage()
    // How long the log is still being opened, in milliseconds.
    var openingMS: Int64 = setting.opensLate ? 250 : 0
    var (isOnline, isInBackground) = (true, false)
    for (index, step) in steps.enumerated() {
      var phases: Set<Phase> = openingMS > 0 ? [.beforeOpen] : []
      if openingMS <= 0, !isOnline { phases.insert(.offline) }
      if openingMS <= 0, isInBackground { phases.insert(.inBackground) }
      if phases.isEmpty { phases = [.online] }
      switch step {
      case .pass(let milliseconds), .sleep(let milliseconds): openingMS -= milliseconds
      case .set(let changes):
        coverage.add(changes, in: index == 0 && setting.setsBeforeLaunch ? [.beforeOpen] : phases)
      case .meet(_, let changes):
        // It lasts until the next answer, and the log may be opened then.
        if openingMS > 0 { return coverage }
        coverage.add(changes, in: phases)
      // The check may refuse the change.
      case .setChecked: coverage.add(step.name, in: phases)
      case .link(isUp: let isUp, isTold: true):
        coverage.add(step.name, in: phases)
        isOnline = isUp
      case .background, .foreground:
        coverage.add(step.name, in: phases)
        isInBackground = step == .background
      case .relaunch(let ending):
        if ending == .orderly { coverage.add(step.name, in: phases) }
        return coverage
      case .database(let trouble): if trouble != .left { return coverage }
      case .disk(.locked): return coverage
      // It may keep the log from being opened.
      case .disk: if openingMS > 0 { return coverage }
      case .refresh, .track, .linkCost, .renewKey, .setWeatherToken, .airports, .lookup:
        coverage.add(step.name, in: phases)
      case .link, .revokeKey, .provider, .clock, .answers, .latency, .retention, .airportFiles: break
      }
    }
    return coverage
  }
}

extension Step {
  /// The name of the step, without its values.
  package var name: String { String("\(self)".prefix { $0 != "(" }) }
}
