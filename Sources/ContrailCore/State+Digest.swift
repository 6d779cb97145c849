import ContrailWire

extension State {
  /// The digests of what is held and of everything else that decides.
  ///
  /// - Complexity: O(scopes + bytes of the control part); the records' sums are kept as they change.
  public var digest: StateDigest {
    StateDigest(
      scopes: scopes.filter { $0.have != nil }.map { .init(scope: $0.id, digest: $0.digest) }
        + (airports.inUse.map { [.init(scope: .airports, digest: $0.digest)] } ?? []),
      control: Digest.hash(controlJSON))
  }
}
