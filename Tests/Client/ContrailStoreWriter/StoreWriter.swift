import ContrailCore
import ContrailStore
import ContrailTestSupport
import Foundation
import GRDB

/// Goes round and round through the states of a flight and mirrors each step into a store, until it is killed, or until there is a
/// file `PATH.stop`: then it prints how long the longest change took, in milliseconds, as `m 12`.
///
/// `contrail-store-writer PATH SEED`; writes a line for each change that was applied. After the change to `seq` the store holds the state
/// number `seq` mod 8, and the crc of the position is its `seq`, spread. Before it does something it says what, after it `d`; what was
/// written ahead goes into the database proper every few changes.
@main enum StoreWriter {
  static func main() throws {
    let path = CommandLine.arguments[1]
    let store = try ProjectionStore(path: path)
    var flight = SteadyFlight(seed: UInt64(CommandLine.arguments[2]) ?? 0, reportsPerMinute: 20)
    var states: [State] = []
    for _ in 0..<8 {
      flight.step()
      states.append(flight.state)
    }
    let changes = states.indices.map { StoreChange(from: states[($0 + 7) % 8], to: states[$0]) }
    if try store.position() == nil { try store.rebuild(from: states[0], through: position(0)) }
    var seq = try store.position()?.seq ?? 0
    let other = try DatabaseQueue(path: path)
    var longest = Duration.zero
    while !FileManager.default.fileExists(atPath: path + ".stop") {
      seq += 1
      try say("p apply")
      let started = ContinuousClock.now
      try store.apply(changes[Int(seq % 8)], through: position(seq))
      longest = max(longest, ContinuousClock.now - started)
      try say("d")
      try say("a \(seq)")
      guard seq % 3 == 0 else { continue }
      let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][Int(seq / 3 % 4)]
      try say("p checkpoint")
      // One that a reader keeps from being finished says so, and goes on later.
      try other.writeWithoutTransaction { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(\(mode))") }
      try say("d")
    }
    try say("m \(Int(longest / .milliseconds(1)))")
  }

  static func say(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
  }

  static func position(_ seq: Int64) -> LogPosition {
    LogPosition(seq: seq, crc: UInt32(truncatingIfNeeded: seq &* 2_654_435_761))
  }
}
