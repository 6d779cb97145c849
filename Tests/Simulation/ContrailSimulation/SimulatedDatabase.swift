import Contrail
import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailStore
import ContrailTestSupport

/// The client's own database writer over a real file, and what becomes of the file between launches.
final class SimulatedDatabase {
  /// In memory: what a loss of power leaves of it is no question here, and waiting for a disk would take most of the time.
  private let directory = try? TemporaryDirectory(isInMemory: true)
  private var writer: ProjectionWriter?
  /// It follows no more until the next launch.
  private var isLeft = false

  /// The size of the file.
  var bytes: Int { (try? POSIXStorage().open(path, .read).size()).map { Int($0) } ?? 0 }

  private var path: String { directory?.file("projections.sqlite") ?? "" }

  /// Reads what an earlier launch has left.
  func preview() -> State? { ProjectionWriter.preview(path: path) }

  /// A process has opened the log.
  func opened(_ log: DirectoryLog) {
    isLeft = false
    writer = ProjectionWriter(path: path, crc: log.crc)
  }

  /// The process ends.
  func leave() { close() }

  func close() {
    writer?.close()
    writer = nil
  }

  func perform(_ command: ProjectionCommand, skips: Bool) -> ProjectionResult {
    guard let writer, !isLeft else { return .done(nil) }
    if skips, case .apply = command { return .done(nil) }
    return writer.perform(command)
  }

  /// Holds the database against the state once it has caught up.
  ///
  /// - Returns: How many comparisons were made.
  func compare(with state: State, isIdle: Bool, _ judge: inout Judge) -> Int {
    guard !isLeft, let store = writer?.openStore else { return 0 }
    do {
      // While more waits to be written, the database is a step behind.
      guard let position = try store.position(), position.seq >= state.nextSeq - 1 else { return 0 }
      let kept = state.scopes.compactMap(ScopeContents.init)
      if try store.summaries().map(\.id) != kept.map(\.summary.id) {
        judge.find(.agreement, "the database holds other scopes than the state")
      }
      for contents in kept where try store.contents(of: contents.summary.id) != contents {
        judge.find(.agreement, "\(contents.summary.id.name): the database and the state differ")
      }
      return 1
    } catch {
      judge.find(.agreement, "the database: \(error)")
      return 0
    }
  }

  func suffer(_ trouble: DatabaseTrouble) {
    isLeft = true
    guard trouble != .left else { return }
    close()
    do {
      switch trouble {
      case .left: break
      case .deleted: try remove(["", "-wal", "-shm"])
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
}
