import ContrailWire

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
