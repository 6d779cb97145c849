import ContrailCore

/// The troubles of a run, and their results.
struct TroublePlan: Sendable {
  enum Event: Sendable {
    case linkDown
    case linkUp
    case kill
  }

  private struct Fault: Sendable {
    var fault: InjectedFault
    var span: Range<Int64>
    var isOnce: Bool
  }

  /// The events that are still to come, in order, in milliseconds since 1970.
  private var events: [(at: Int64, event: Event)] = []
  private var faults: [Fault] = []
  /// The number of outages at present.
  private var outageCount = 0
  /// Whether the recorded device was online.
  var isRecordedOnline: Bool

  init(_ troubles: [Trouble], startMS: Int64, isOnline: Bool) {
    isRecordedOnline = isOnline
    for trouble in troubles {
      let from = startMS + trouble.span.lowerBound
      let until = trouble.span.upperBound == .max ? .max : startMS + trouble.span.upperBound
      switch trouble.kind {
      case .outage: events += [(from, Event.linkDown), (until, Event.linkUp)]
      case .kill: events.append((from, .kill))
      case .fault(let fault): faults.append(Fault(fault: fault, span: from..<until, isOnce: trouble.isOnce))
      }
    }
    // A stable order: those of one time stay in the order in which they were given.
    events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { $0.element }
  }

  /// The time of the next event; `Int64.max` if no event follows.
  var nextAt: Int64 { events.first?.at ?? .max }

  var isDown: Bool { outageCount > 0 }

  mutating func next() -> Event {
    let event = events.removeFirst().event
    switch event {
    case .linkDown: outageCount += 1
    case .linkUp: outageCount -= 1
    case .kill: break
    }
    return event
  }

  /// The fault of a request that is sent at a time; nil if nothing is wrong.
  func fault(at time: Int64) -> (index: Int, fault: InjectedFault)? {
    faults.firstIndex { $0.span.contains(time) }.map { ($0, faults[$0].fault) }
  }

  /// Notes that a fault has spoiled an answer.
  mutating func use(_ index: Int) {
    if faults[index].isOnce { faults.remove(at: index) }
  }
}
