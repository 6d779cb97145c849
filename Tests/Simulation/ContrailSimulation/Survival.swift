import ContrailCore
import ContrailTestSupport

/// Knows what the engine acknowledged, and looks for it when the log is opened again.
struct Survival {
  /// What was acknowledged, the last sync first.
  private var moments: [TimelinePosition] = []
  /// All that the application may have set as of the log's end: what was under way when the process died may be there or not.
  private var candidates: [Wishes] = []
  private var isAttempting = false
  private var acknowledged = Mark()
  private var synced = Mark()
  private var death: Death?

  private struct TimelinePosition {
    var state: State
    var wishes: Wishes
  }

  /// So many bytes of a file.
  private struct Mark {
    var path = ""
    var count = 0

    init() {}

    init(endOf disk: MemoryDisk) {
      path = disk.newestSegment ?? ""
      count = disk.names[path]?.current.count ?? 0
    }
  }

  private struct Death {
    var isOfPower: Bool
    var path: String
    var bytes: [UInt8]
  }

  // MARK: Before

  /// A process begins; opening has synced all that it found.
  mutating func live(_ state: State, _ wishes: Wishes, _ disk: MemoryDisk) {
    candidates = [wishes]
    synced(state, wishes, disk)
  }

  mutating func attempt(_ inputs: [Input], _ wishes: Wishes) {
    isAttempting = true
    var next = wishes
    for input in inputs {
      next.apply(input)
      candidates.append(next)
    }
  }

  mutating func acknowledged(_ state: State, _ wishes: Wishes, _ disk: MemoryDisk) {
    isAttempting = false
    let mark = Mark(endOf: disk)
    if mark.path != acknowledged.path {
      // The new segment begins with a snapshot of all before, and is synced with it.
      moments = moments.suffix(1)
      synced = Mark()
      synced.path = mark.path
    }
    acknowledged = mark
    moments.append(TimelinePosition(state: state, wishes: wishes))
  }

  mutating func synced(_ state: State, _ wishes: Wishes, _ disk: MemoryDisk) {
    acknowledged = Mark(endOf: disk)
    synced = acknowledged
    moments = [TimelinePosition(state: state, wishes: wishes)]
    candidates = [wishes]
  }

  // MARK: After

  mutating func died(_ disk: MemoryDisk, isPowerToFail: Bool) {
    // Nobody has looked since the power failed.
    if death?.isOfPower == true { return }
    let mark = isPowerToFail ? synced : acknowledged
    death = Death(isOfPower: isPowerToFail, path: mark.path, bytes: Array(disk.contents(mark.path).prefix(mark.count)))
  }

  /// Judges what another process finds, and answers what the application has set as of then.
  mutating func opened(_ state: State, _ wishes: Wishes, _ disk: MemoryDisk, _ judge: inout Judge) -> Wishes {
    guard let death, let first = moments.first, let last = moments.last else { return wishes }
    self.death = nil
    if disk.names[death.path] != nil, !disk.contents(death.path).starts(with: death.bytes) {
      judge.find(.survival, "\(death.path) has not the \(death.bytes.count) bytes that were acknowledged")
    }
    let floor = death.isOfPower ? first.state : last.state
    if state.nextSeq < floor.nextSeq {
      judge.find(.survival, "the log ends at seq \(state.nextSeq - 1), \(floor.nextSeq - 1) was acknowledged")
    }
    let same = moments.last { $0.state.nextSeq == state.nextSeq }
    if let same, same.state.digest != state.digest || same.state.scopes != state.scopes {
      judge.find(.survival, "another state at seq \(state.nextSeq - 1) than was acknowledged")
    }
    if !death.isOfPower, !isAttempting, last.state.digest != state.digest {
      judge.find(.survival, "another state than was acknowledged at seq \(last.state.nextSeq - 1)")
    }
    isAttempting = false
    let possible = (moments.map(\.wishes) + candidates).filter {
      $0.query == state.query && $0.history == state.history && $0.frequency == state.frequency
        && $0.byteBudget == state.byteUse.budget && $0.listening == state.listening.settings
    }
    // A query that is no area leaves what was wanted before, which may have been this or that.
    let found = possible.last { wishes in
      state.scopes.allSatisfy { $0.want == wishes.wants[$0.id] }
        && wishes.wants.allSatisfy { state.scope($0.key)?.want == $0.value }
    }
    guard let found = found ?? possible.last else {
      judge.find(.survival, "the log holds a query that nobody set")
      return wishes
    }
    return found
  }
}

extension MemoryDisk {
  /// Takes the last line away from the segment that is written.
  func loseLastLine() {
    guard let path = newestSegment else { return }
    let bytes = contents(path).dropLast()
    put(Array(bytes.prefix(through: bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)), path)
  }

  /// The segment that is written.
  var newestSegment: String? {
    names.keys.filter { $0.hasPrefix(Simulation.path) && $0.hasSuffix(".jsonl") }.max()
  }
}
