import ContrailCore
import ContrailTestSupport
import Foundation
import Testing

@testable import ContrailStore

/// What a reader is told of a store that changes.
@Suite struct ChangesTests {
  /// Does one thing in each wait, and ends when nothing is left to do.
  private actor Script {
    private var steps: [@Sendable () throws -> Void]
    private(set) var waits: [Duration] = []

    init(_ steps: [@Sendable () throws -> Void]) { self.steps = steps.reversed() }

    func wait(_ duration: Duration) throws {
      waits.append(duration)
      guard let step = steps.popLast() else { throw CancellationError() }
      try step()
    }
  }

  private static func elements(_ reader: ProjectionReader, _ script: Script) async -> [ProjectionChanges.Element] {
    var elements: [ProjectionChanges.Element] = []
    for await element in reader.changes(every: .seconds(30), wait: { try await script.wait($0) }) {
      elements.append(element)
    }
    return elements
  }

  @Test func eachLookTellsWhatIsNew() async throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var inFlight = SteadyFlight(seed: 5, reportsPerMinute: 20)
    let states = (0..<4).map { _ in
      inFlight.step()
      return inFlight.state
    }
    try store.rebuild(from: states[0], through: LogPosition(endOf: states[0]))
    let script = Script([
      // Comes after the first look, for which nothing waits.
      { try store.follow(from: states[0], to: states[1]) },
      {},
      {
        // Two that come between two looks are one.
        try store.follow(from: states[1], to: states[2])
        try store.follow(from: states[2], to: states[3])
      },
      {},
      // Other rows at the same position.
      { try store.rebuild(from: states[0], through: LogPosition(endOf: states[3])) },
      {},
    ])
    let elements = await Self.elements(scratch.reader, script)
    let positions = [states[0], states[1], states[3], states[3]].map { LogPosition(endOf: $0) }
    #expect(elements == positions.map { .success($0) })
    #expect(await script.waits == Array(repeating: .seconds(30), count: 7))
  }

  @Test func aStoreThatComesAndGoesIsToldOnceEach() async throws {
    let scratch = try Scratch()
    let rig = Rig.flying()
    let end = LogPosition(endOf: rig.state)
    let make: @Sendable () throws -> Void = {
      let store = try scratch.store()
      try store.rebuild(from: rig.state, through: end)
      try store.close()
    }
    let script = Script([
      {},
      make,
      {},
      { for name in try scratch.names { try FileManager.default.removeItem(atPath: scratch.folder + "/" + name) } },
      {},
      make,
      {},
      // Set aside and made anew between two looks.
      {
        for name in try scratch.names { try FileManager.default.removeItem(atPath: scratch.folder + "/" + name) }
        try make()
      },
      {},
    ])
    let elements = await Self.elements(scratch.reader, script)
    let told = elements.map { element -> String in
      switch element {
      case .success(let position): position == end ? "end" : "other"
      case .failure(let error): error.code.rawValue
      }
    }
    #expect(told == ["missing", "end", "missing", "end", "end"])
  }

  @Test func aCancelledTaskEndsIt() async throws {
    let scratch = try Scratch()
    let task = Task {
      var count = 0
      for await _ in scratch.reader.changes(every: .seconds(3600)) { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value <= 1)
  }
}
