import ContrailWire

extension State {
  /// The digests of the stored data and of all other state that affects decisions.
  ///
  /// - Complexity: O(scopes + bytes of the control part). The sums of the records are maintained incrementally.
  package var digest: StateDigest {
    StateDigest(
      scopes: scopes.filter { $0.have != nil }.map { .init(scope: $0.id, digest: $0.digest) }
        + (airports.inUse.map { [.init(scope: .airports, digest: $0.digest)] } ?? []),
      control: Digest.hash(controlJSON))
  }
}
