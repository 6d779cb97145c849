import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailWorld

@Suite struct AreaRegistryTests {
  private static func ring(_ number: Int) throws -> Ring {
    let corners = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
      FixedCoordinate(
        latitudeE7: Int64($0.0) * FixedCoordinate.degree, longitudeE7: Int64($0.1 + number) * FixedCoordinate.degree)
    }
    return try Ring(simple: corners)
  }

  /// A request by handle keeps its area, as one with the area does.
  @Test func anAreaThatIsReadCountsAsUsed() throws {
    let registry = AreaRegistry(maximumCount: 10)
    var handles: [String] = []
    for number in 0..<10 { handles.append(registry.remember(try Self.ring(number))) }
    #expect(registry.ring(handles[0]) != nil)
    _ = registry.remember(try Self.ring(10))
    #expect(registry.ring(handles[0]) != nil)
    #expect(registry.ring(handles[1]) == nil)
  }

  /// What is forgotten is a tenth, in the order of the last uses.
  @Test func theLeastRecentlyUsedAreForgotten() throws {
    let registry = AreaRegistry(try (0..<20).map(Self.ring), maximumCount: 30)
    var rings = try (0..<20).map(Self.ring)
    for number in 20..<30 {
      rings.append(try Self.ring(number))
      _ = registry.remember(rings[number])
    }
    #expect(registry.count == 30 && rings.allSatisfy(registry.knows))
    // Read in another order; asking whether one is known is no use.
    let handles = rings.map { registry.remember($0) }
    let order = (0..<30).map { $0 * 7 % 30 }
    for number in order { #expect(registry.ring(handles[number])?.points == rings[number].points) }
    for (round, left) in stride(from: 0, to: 9, by: 3).enumerated() {
      // The first one beyond the limit, and the next two fill up again.
      for step in 0..<(round == 0 ? 1 : 3) { _ = registry.remember(try Self.ring(100 + round * 10 + step)) }
      #expect(registry.count == 28)
      #expect(order.map { registry.knows(rings[$0]) } == order.indices.map { $0 >= left + 3 })
    }
    registry.forget(handles[order[29]])
    #expect(!registry.knows(rings[order[29]]) && registry.ring(handles[order[29]]) == nil && registry.count == 27)
  }

  @Test func aRegistryHasRoomForOne() throws {
    let registry = AreaRegistry(maximumCount: 0)
    _ = registry.remember(try Self.ring(0))
    #expect(registry.count == 1)
    let other = try Self.ring(1)
    _ = registry.remember(other)
    #expect(registry.count == 1 && registry.knows(other))
  }

  @Test func aHandleIsTheDigestOfItsArea() throws {
    let registry = AreaRegistry()
    for number in 0..<50 {
      let ring = try Self.ring(number)
      let handle = registry.remember(ring)
      #expect(AreaRegistry.digest(of: handle) == AreaRegistry.digest(of: ring))
    }
    for text in ["", "AAAAAAAAAA", "AAAAAAAAAAAA", "AAAAAAAAAAQ", "AAAAAAAAAA_", "AAAA+AAAAAA"] {
      #expect(AreaRegistry.digest(of: text) == nil, "\(text)")
    }
  }
}
