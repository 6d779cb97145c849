import ContrailGeodesy
import ContrailWire

/// The data that a server provides: a simulated world or a recorded day.
protocol World: Sendable {
  /// The time in seconds since 1970 before which deltas are refused, because the data was different.
  var beginning: Int64 { get }

  /// Returns the observations in the ten minutes of an epoch; see ``WorldEpoch/index(of:)``.
  func epoch(_ index: Int64) -> WorldEpoch

  /// Returns the other aircraft at `token`, in seconds since 1970, in the order of their addresses.
  func traffic(at token: Int64) -> [TrafficPosition]

  /// Returns the areas of advisories that arrived before `end` and were valid at some time between `start` and `end`.
  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area]
}

extension World {
  var beginning: Int64 { Int64.min }

  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area] { [] }
}

extension SimulatedWorld: World {}

/// The observations in the world within ten minutes.
struct WorldEpoch: Sendable {
  /// The length of an epoch in seconds.
  static let seconds: Int64 = 600

  /// Returns the index of the epoch that contains a time in seconds since 1970.
  static func index(of time: Int64) -> Int64 {
    time >= 0 ? time / seconds : (time - seconds + 1) / seconds
  }

  /// A report with the centre of its cell and its arrival time.
  struct Observation: Sendable {
    let report: TurbulenceReport
    let centre: FixedCoordinate
    /// The arrival time in seconds since 1970.
    let arrival: Int64
  }

  /// The observations sorted by time of observation, packed form and arrival, without duplicate reports.
  let observations: [Observation]
  /// The PIREPs sorted by time of observation and id.
  let pireps: [PIREPHistory]
}

/// A PIREP with its later correction.
struct PIREPHistory: Sendable, Hashable {
  let first: PIREP
  /// The corrected report, if there is one.
  let correction: PIREP?

  /// Returns the version that arrived last before `token`, or `nil` if none has arrived.
  func version(asOf token: Int64) -> PIREP? {
    if let correction, correction.updatedAt < token { return correction }
    return first.updatedAt < token ? first : nil
  }
}

extension WorldEpoch.Observation {
  /// Returns whether one report precedes another in responses.
  static func precedes(_ a: Self, _ b: Self) -> Bool {
    (a.report.observedAt, a.report.packed, a.arrival) < (b.report.observedAt, b.report.packed, b.arrival)
  }
}

extension Array where Element == WorldEpoch.Observation {
  /// Returns the observations in order. If reports are equal, only the first one to arrive is kept.
  func sortedWithoutDoubles() -> Self {
    var result: Self = []
    result.reserveCapacity(count)
    for observation in sorted(by: Element.precedes) where result.last?.report != observation.report {
      result.append(observation)
    }
    return result
  }
}

/// A cache of recently used epochs. The least recently used one is removed first.
struct WorldArchive {
  let world: any World
  private var epochs: [Int64: (epoch: WorldEpoch, use: UInt64)] = [:]
  private var uses: UInt64 = 0
  private let capacity: Int

  /// Creates an archive.
  ///
  /// - Parameters:
  ///   - world: The world.
  ///   - capacity: The maximum number of epochs. Six hours are 37.
  init(world: any World, capacity: Int = 96) {
    self.world = world
    self.capacity = max(capacity, 1)
  }

  /// Returns the epoch with an index.
  mutating func epoch(_ index: Int64) -> WorldEpoch {
    uses += 1
    if let known = epochs[index] {
      epochs[index]?.use = uses
      return known.epoch
    }
    let epoch = world.epoch(index)
    // Uses are unique, so the result doesn't depend on the order of the dictionary.
    if epochs.count >= capacity, let oldest = epochs.min(by: { $0.value.use < $1.value.use }) {
      epochs[oldest.key] = nil
    }
    epochs[index] = (epoch, uses)
    return epoch
  }

  /// Returns the epochs that contain the observations after `start` and before `end`, in seconds since 1970.
  mutating func epochs(after start: Int64, before end: Int64) -> [WorldEpoch] {
    guard start + 1 < end else { return [] }
    return (WorldEpoch.index(of: start + 1)...WorldEpoch.index(of: end - 1)).map { epoch($0) }
  }
}
