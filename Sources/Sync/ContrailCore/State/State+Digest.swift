import ContrailWire

extension State {
  /// The digests of the stored data and of all other state that affects decisions.
  ///
  /// To compute them again and again, use ``StateDigester``.
  ///
  /// - Complexity: O(scopes + bytes of the control part, of polygons and of weather). The sums of the records are
  ///   maintained incrementally.
  package var digest: StateDigest {
    var hashes = BodyHashes()
    return StateDigest(scopes: scopeDigests(&hashes), control: Digest.hash(controlJSON))
  }

  /// The digests of the scopes that hold data, in order.
  func scopeDigests(_ hashes: inout BodyHashes) -> [StateDigest.ScopeDigest] {
    var digests: [StateDigest.ScopeDigest] = []
    for index in scopes.indices where reading(index, { $0.isHolding }) {
      digests.append(.init(scope: scopes[index].id, digest: scopes[index].digest(&hashes)))
    }
    if let inUse = airports.inUse { digests.append(.init(scope: .airports, digest: inUse.digest)) }
    return digests
  }
}
