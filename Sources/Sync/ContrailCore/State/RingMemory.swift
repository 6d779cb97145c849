import ContrailGeodesy

/// The last ring that was read from a query, because most queries change something else.
///
/// It caches results of a pure function, so it isn't part of the state: all memories are equal.
struct RingMemory: Sendable, Equatable {
  /// The points of the ring, to share their storage with an equal query.
  private(set) var points: ResolvedQuery.Points = []
  private var ring: Ring?

  static func == (a: RingMemory, b: RingMemory) -> Bool { true }

  /// Returns the ring that was read from these points; nil if it isn't the last one.
  func ring(of points: ResolvedQuery.Points) -> Ring? {
    points == self.points ? ring : nil
  }

  mutating func remember(_ ring: Ring, of points: ResolvedQuery.Points) {
    (self.points, self.ring) = (points, ring)
  }
}
