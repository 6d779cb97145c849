import ContrailCore
import ContrailLog
import ContrailStore
import ContrailTestSupport

/// A database that follows the state as a client's does, and is held against it.
final class Mirror {
  private let directory = try? TemporaryDirectory()
  private var store: ProjectionStore?
  /// It follows no more until it is opened again.
  private var isLeft = false

  private var path: String { directory?.file("projections.sqlite") ?? "" }

  func open(_ state: State, _ disk: MemoryDisk, _ judge: inout Judge, _ tally: inout Tally) {
    do {
      try store?.close()
      isLeft = false
      let store = try ProjectionStore(path: path)
      self.store = store
      if store.recovery != nil { tally.count("recovery.database") }
      let end = Self.end(of: disk)
      let standing = try SyncStatus(of: try store.position(), to: end) { seq throws(LogError) in
        let reader = try LogReader(path: Simulation.path, from: seq, storage: disk)
        while let line = try reader.next() { if line.seq == seq { return line.crc } }
        return nil
      }
      guard let end else { return }
      switch standing {
      case .level: break
      case .behind, .ahead: try store.catchUp(with: state, through: end)
      case .empty, .fromAnotherLog: try store.rebuild(from: state, through: end)
      }
      tally.count("database.\(standing.name)")
      compare(with: state, &judge)
      if try !store.verify().isEmpty { judge.find(.agreement, "the database's rows don't add up") }
      tally.databaseComparisons += 1
    } catch {
      judge.find(.agreement, "the database: \(error)")
    }
  }

  func follow(_ before: State, _ after: State, _ disk: MemoryDisk, _ judge: inout Judge) {
    guard let store, !isLeft else { return }
    let change = StoreChange(from: before, to: after)
    guard !change.isEmpty, let end = Self.end(of: disk) else { return }
    do {
      try store.apply(change, through: end)
    } catch {
      judge.find(.agreement, "the database: \(error)")
    }
  }

  func suffer(_ trouble: DatabaseTrouble) {
    isLeft = true
    guard trouble != .left else { return }
    do {
      try store?.close()
      store = nil
      switch trouble {
      case .left: break
      case .deleted:
        try remove(["", "-wal", "-shm"])
      case .damaged:
        // What was written ahead would stand in for what is overwritten.
        try remove(["-wal", "-shm"])
        var bytes = try TemporaryDirectory.contents(path)
        for index in bytes.indices where index % 4096 >= 100 && index % 7 == 0 { bytes[index] ^= 0x5A }
        try TemporaryDirectory.put(bytes, path)
      }
    } catch {
      // A file that can't be harmed is as it was.
    }
  }

  private func remove(_ suffixes: [String]) throws {
    for suffix in suffixes where try POSIXStorage().kind(of: path + suffix) == .file {
      try POSIXStorage().remove(path + suffix)
    }
  }

  private func compare(with state: State, _ judge: inout Judge) {
    guard let store else { return }
    do {
      let kept = state.scopes.compactMap(ScopeContents.init)
      if try store.summaries().map(\.id) != kept.map(\.summary.id) {
        judge.find(.agreement, "the database holds other scopes than the state")
      }
      for contents in kept where try store.contents(of: contents.summary.id) != contents {
        judge.find(.agreement, "\(contents.summary.id.name): the database and the state differ")
      }
    } catch {
      judge.find(.agreement, "the database: \(error)")
    }
  }

  /// The log's last line, read from its bytes.
  private static func end(of disk: MemoryDisk) -> LogPosition? {
    guard let path = disk.newestSegment, let inode = disk.names[path] else { return nil }
    let bytes = inode.current
    guard bytes.last == UInt8(ascii: "\n") else { return nil }
    var start = bytes.count - 1
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    let digits = bytes[(start + 7)...].prefix { $0 != UInt8(ascii: ",") }
    let crc = bytes[(bytes.count - 11)..<(bytes.count - 3)]
    guard let seq = Int64(String(decoding: digits, as: UTF8.self)),
      let value = UInt32(String(decoding: crc, as: UTF8.self), radix: 16)
    else { return nil }
    return LogPosition(seq: seq, crc: value)
  }
}

extension SyncStatus {
  fileprivate var name: String {
    switch self {
    case .empty: "empty"
    case .level: "level"
    case .behind: "behind"
    case .ahead: "ahead"
    case .fromAnotherLog: "fromAnotherLog"
    }
  }
}
