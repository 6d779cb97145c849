package import ContrailCore
import ContrailWire

/// A flight to which so many reports come each minute, over half an hour of history: the same for the same seed in every process.
package struct SteadyFlight: Sendable {
  private var rig = Rig()
  private var random: SplitMix64
  private let reportsPerMinute: Int

  package init(seed: UInt64, reportsPerMinute: Int) {
    random = SplitMix64(seed: seed)
    self.reportsPerMinute = reportsPerMinute
    rig.launch()
    rig.send(.historyChanged(.halfHour))
    rig.query { $0.polygon = Rig.area }
  }

  package var state: State { rig.state }

  /// The `seq` of the last line.
  package var seq: Int64 { rig.state.nextSeq - 1 }

  /// Flies a minute: the due request, and its answer.
  package mutating func step() { rig.flyOneMinute(reports: reportsPerMinute, using: &random) }
}
