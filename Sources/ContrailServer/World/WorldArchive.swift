#if Online
  import ContrailWire

  /// The world's epochs that were asked for lately, the least recently used given up first.
  struct WorldArchive {
    let world: any World
    private var epochs: [Int64: (epoch: WorldEpoch, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int

    /// - Parameter capacity: How many epochs are kept; six hours are 37.
    init(world: any World, capacity: Int = 96) {
      self.world = world
      self.capacity = max(capacity, 1)
    }

    /// The epoch with a number.
    mutating func epoch(_ index: Int64) -> WorldEpoch {
      uses += 1
      if let known = epochs[index] {
        epochs[index]?.use = uses
        return known.epoch
      }
      let epoch = world.epoch(index)
      // No two uses are equal, so which one goes doesn't depend on the dictionary's order.
      if epochs.count >= capacity, let oldest = epochs.min(by: { $0.value.use < $1.value.use }) {
        epochs[oldest.key] = nil
      }
      epochs[index] = (epoch, uses)
      return epoch
    }

    /// The epochs that hold what was observed after `start` and before `end`, in seconds since 1970.
    mutating func epochs(after start: Int64, before end: Int64) -> [WorldEpoch] {
      guard start + 1 < end else { return [] }
      return (WorldEpoch.index(of: start + 1)...WorldEpoch.index(of: end - 1)).map { epoch($0) }
    }
  }
#endif
