import ContrailCore
import ContrailStore
import ContrailTestSupport
import Foundation

/// Goes round and round through the states of a flight and mirrors each step into a store, until it is killed.
///
/// `contrail-store-writer PATH SEED`; writes a line for each change that was applied. After the change to `seq` the store holds the state
/// number `seq` mod 8, and the crc of the position is its `seq`, spread.
@main enum StoreWriter {
  static func main() throws {
    let store = try ProjectionStore(path: CommandLine.arguments[1])
    var flight = SteadyFlight(seed: UInt64(CommandLine.arguments[2]) ?? 0, reportsPerMinute: 20)
    var states: [State] = []
    for _ in 0..<8 {
      flight.step()
      states.append(flight.state)
    }
    let changes = states.indices.map { StoreChange(from: states[($0 + 7) % 8], to: states[$0]) }
    if try store.position() == nil { try store.rebuild(from: states[0], through: position(0)) }
    var seq = try store.position()?.seq ?? 0
    while true {
      seq += 1
      try store.apply(changes[Int(seq % 8)], through: position(seq))
      try FileHandle.standardOutput.write(contentsOf: Data("\(seq)\n".utf8))
    }
  }

  static func position(_ seq: Int64) -> LogPosition {
    LogPosition(seq: seq, crc: UInt32(truncatingIfNeeded: seq &* 2_654_435_761))
  }
}
