package import ContrailCompression

/// The difference between the airports of two cycles. It turns one airport file into the next, at a fraction of its size.
///
/// ```swift
/// let delta = try AirportDelta(bytesOfTheFile)
/// let airports = try delta.applied(to: airportsOfTheBase)
/// ```
///
/// | part | content |
/// |---|---|
/// | magic | the eight bytes `CTRAIRDT` |
/// | version | number: 1 |
/// | base | number: the effective date in days since 1970-01-01; eight bytes: the ``AirportDigest`` |
/// | header | as in an ``AirportFile``, from the cycle to the time zones, of the new cycle |
/// | model | number: 0 none, 1 WMM-2020, 2 WMM-2025; if not 0, eight bytes: the decimal year as a double |
/// | states | number of airports in the base; then one byte for each, in the order below |
/// | variations | for each airport in state 3 or 4: a zigzag number |
/// | replaced | for each airport in state 2: number of bytes, then the record |
/// | added | count; then as above, ascending by the bytes of the record ID |
/// | digest | eight bytes: the digest of all airports of the new cycle |
///
/// The order is: the airports of NASR, then those of OurAirports, each ascending by the bytes of the record ID. A state is
/// 0 if the airport is the same, 1 if it is gone, 2 if its record is replaced, and 3 or 4 if only the magnetic variation
/// differs. The number then counts the doubles from a prediction to the new value: in state 3 from the declination of
/// the model at the airport, in state 4 from the old value. The model has the same bits on every machine.
///
/// The types of numbers, texts and records are those of ``AirportFile``. Files are stored as one `.xz` stream.
public struct AirportDelta: Sendable {
  /// The version of the format that is written.
  public static let version = 1

  /// The cycle that the delta changes.
  public let base: AIRACCycle
  /// The digest of all airports of ``base``.
  public let baseDigest: AirportDigest
  /// The number of airports of ``base``.
  public var baseCount: Int { states.count }
  /// The header of the new cycle.
  public let header: AirportCycle
  /// The digest of all airports of the new cycle.
  public let digest: AirportDigest

  /// The change of an airport of the base. The raw values are stored in files.
  enum State: UInt8, Sendable {
    case same = 0
    case removed = 1
    case replaced = 2
    case variationByModel = 3
    case variationByOldValue = 4
  }

  let model: MagneticModel?
  let states: [State]
  /// The numbers of the states 3 and 4, in order.
  let variations: [Int64]
  let replaced: [Airport]
  package let added: [Airport]

  static let magic = Array("CTRAIRDT".utf8)
  /// The limits for decompression: about four times the needs of a delta with all airports of the largest known cycle.
  package static let limits = XZDecoder.Limits(memoryBytes: 80 << 20, outputBytes: 24 << 20)

  /// Returns whether an uncompressed file is a delta.
  public static func isDelta(unpacked bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  init(
    base: AIRACCycle, baseDigest: AirportDigest, header: AirportCycle, digest: AirportDigest, model: MagneticModel?,
    states: [State], variations: [Int64], replaced: [Airport], added: [Airport]
  ) {
    self.base = base
    self.baseDigest = baseDigest
    self.header = header
    self.digest = digest
    self.model = model
    self.states = states
    self.variations = variations
    self.replaced = replaced
    self.added = added
  }
}

/// The position of a double among all doubles, ascending. Neighbouring doubles have neighbouring positions.
enum DoubleOrder {
  static func position(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: value.bitPattern)
    return bits >= 0 ? bits : Int64.min &- bits
  }

  /// Returns the double at a position, or `nil` if it isn't a finite number.
  static func value(at position: Int64) -> Double? {
    let bits = position >= 0 ? position : Int64.min &- position
    let value = Double(bitPattern: UInt64(bitPattern: bits))
    return value.isFinite ? value : nil
  }
}
