import ContrailCore
import ContrailGeodesy
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Foundation
import GRDB
import Testing

@testable import ContrailStore

/// A place for a store, gone when the value is released.
struct Scratch: Sendable {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A closed store with a flight in it.
  static func filled() throws -> (Scratch, State) {
    let scratch = try Scratch()
    let rig = Rig.flying()
    let store = try scratch.store()
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    try store.close()
    return (scratch, rig.state)
  }

  var folder: String { directory.path }
  var path: String { directory.file("projections.sqlite") }

  func store() throws -> ProjectionStore { try ProjectionStore(path: path) }

  var reader: ProjectionReader { ProjectionReader(path: path) }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

  func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  func overwrite(_ bytes: Data) throws { try bytes.write(to: URL(fileURLWithPath: path)) }
}

extension LogPosition {
  /// The end of a rig's log, with a crc that is its seq, spread.
  init(endOf state: State) {
    let seq = state.nextSeq - 1
    self.init(seq: seq, crc: UInt32(truncatingIfNeeded: seq &* 2_654_435_761))
  }
}

extension ProjectionStore {
  /// Follows a rig from one state to its next.
  func follow(from previous: State, to next: State) throws {
    let change = StoreChange(from: previous, to: next)
    if !change.isEmpty { try apply(change, through: LogPosition(endOf: next)) }
  }

  /// Expects the store to hold what the state holds, and nothing else.
  func expectAgreement(
    with state: State, _ note: String = "", schema: Schema = .current, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let kept = state.scopes.compactMap(ScopeContents.init)
    // Another connection, as another process has it.
    let read = try ProjectionReader(path: path, schema: schema).contents()
    #expect(read.scopes == kept, "\(note)", sourceLocation: sourceLocation)
    #expect(read.serverOffsetMS == state.serverOffsetMS, "\(note)", sourceLocation: sourceLocation)
    #expect(try read.position == position(), "\(note)", sourceLocation: sourceLocation)
    for contents in kept {
      let held = try self.contents(of: contents.summary.id)
      #expect(held?.summary == contents.summary, "\(note)", sourceLocation: sourceLocation)
      #expect(held == contents, "\(contents.summary.id.name) differs \(note)", sourceLocation: sourceLocation)
      let digest = state.scope(contents.summary.id)?.digest
      #expect(held?.digest == digest, "\(note)", sourceLocation: sourceLocation)
    }
    #expect(try summaries().map(\.id) == kept.map(\.summary.id), "\(note)", sourceLocation: sourceLocation)
  }
}

extension ObservationsAnswer {
  /// Makes these the PIREPs of a full answer.
  mutating func hold(_ all: [PIREP]) {
    var set = PIREPSet()
    all.forEach { set.insert($0) }
    pireps = all
    heldPIREPs = HeldSum(count: set.count, checksum: set.checksum)
  }
}

/// An area of corners in degrees, south to north and west to east.
func box(south: Double, west: Double, north: Double, east: Double) -> QueryArea {
  .viewport(north: north, south: south, west: west, east: east)
}

/// A ring round a pole at a latitude.
func cap(latitude: Double) -> QueryArea {
  .polygon([-180.0, -90, 0, 90, -180].map { Coordinate(latitude: latitude, longitude: $0) })
}

extension Scratch {
  /// Makes a store of the first version, with a scope and a report.
  func makeFirstVersion() throws {
    let queue = try DatabaseQueue(path: path)
    try Schema(steps: [.init(name: Schema.projections.name, sql: Schema.projections.sql)]).migrator.migrate(queue)
    try queue.write {
      try $0.execute(
        sql: """
          INSERT INTO scopes VALUES (1, 'corridor', 1740000000, 7200, 1, 1, 0, 0);
          INSERT INTO reports VALUES (1, 1, 1740000000);
          INSERT INTO position VALUES (1, 8, 9);
          """)
    }
    try queue.close()
  }
}
