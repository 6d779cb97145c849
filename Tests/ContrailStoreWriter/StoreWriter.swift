import ContrailCore
import ContrailStore
import ContrailTestSupport
import Foundation

/// Flies a steady flight and mirrors it into a store until it is killed, going on where the store left off.
///
/// `StoreWriter PATH SEED`; writes a line for each change that was applied. The crc of a position is its `seq`, spread.
@main enum StoreWriter {
  static func main() throws {
    let store = try ProjectionStore(path: CommandLine.arguments[1])
    let applied = try store.position()?.seq ?? -1
    var flight = SteadyFlight(seed: UInt64(CommandLine.arguments[2]) ?? 0, reportsPerMinute: 200)
    while true {
      // Flown ahead, so that nearly all of the time while lines come is spent in transactions.
      var changes: [(StoreChange, LogPosition)] = []
      while changes.count < 8 {
        let previous = flight.state
        flight.step()
        guard flight.seq > applied else { continue }
        let position = LogPosition(seq: flight.seq, crc: UInt32(truncatingIfNeeded: flight.seq &* 2_654_435_761))
        changes.append((StoreChange(from: previous, to: flight.state), position))
      }
      for (change, position) in changes {
        try store.apply(change, through: position)
        try FileHandle.standardOutput.write(contentsOf: Data("\(position.seq)\n".utf8))
      }
    }
  }
}
