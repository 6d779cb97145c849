/// A sum over airports that comes out the same in any order, on any machine, from any format: to compare what two databases hold.
///
/// The sum, modulo 2⁶⁴, of a 64-bit hash of each airport with all its fields and runways. It finds accidents, not forgeries.
public struct AirportDigest: Hashable, Sendable {
  /// The sum.
  public private(set) var value: UInt64

  /// The digest of no airports, or one that was kept.
  public init(value: UInt64 = 0) {
    self.value = value
  }

  /// The digest of some airports.
  ///
  /// - Complexity: O(*n*) in their bytes.
  public init(_ airports: some Sequence<Airport>) {
    self.init()
    for airport in airports { add(airport) }
  }

  /// Counts an airport in.
  public mutating func add(_ airport: Airport) { add(AirportHash(airport)) }

  package mutating func add(_ hash: AirportHash) { value &+= hash.value }

  package mutating func subtract(_ hash: AirportHash) { value &-= hash.value }
}

extension AirportDigest: CustomStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
