/// A digest of airports that doesn't depend on their order, the machine or the file format.
///
/// The digest is the sum, modulo 2⁶⁴, of a 64-bit hash of each airport with all fields and runways. It detects errors,
/// but not deliberate changes.
public struct AirportDigest: Hashable, Sendable {
  /// The value of the digest.
  public private(set) var value: UInt64

  /// Creates the digest of no airports, or a digest from a stored value.
  public init(value: UInt64 = 0) {
    self.value = value
  }

  /// Creates the digest of airports.
  ///
  /// - Complexity: O(*n*) in the size of the airports.
  public init(_ airports: some Sequence<Airport>) {
    self.init()
    for airport in airports { add(airport) }
  }

  /// Adds an airport to the digest.
  public mutating func add(_ airport: Airport) { add(AirportHash(airport)) }

  package mutating func add(_ hash: AirportHash) { value &+= hash.value }

  package mutating func subtract(_ hash: AirportHash) { value &-= hash.value }
}

extension AirportDigest: CustomStringConvertible {
  /// The digest as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
