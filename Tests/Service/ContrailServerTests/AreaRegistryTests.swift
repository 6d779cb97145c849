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
