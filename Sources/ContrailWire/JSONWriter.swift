/// Writes JSON in one fixed spelling: no spaces, keys in the order they are given, decimals without trailing zeros.
///
/// The same values always give the same bytes, which is what lets decisions be compared as bytes.
public struct JSONWriter {
  /// What was written.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init() {}

  /// Forgets what was written and keeps the storage.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Writes `{`, the members that `body` writes, and `}`.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    body(&self)
    finish(UInt8(ascii: "}"))
  }

  /// Writes `[`, the values that `body` writes, and `]`.
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "["))
    body(&self)
    finish(UInt8(ascii: "]"))
  }

  /// Writes a key that needs no escapes; the value comes next.
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key of any text; the value comes next.
  public mutating func key(_ name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func value(_ integer: some BinaryInteger) {
    separate()
    bytes.append(contentsOf: String(integer).utf8)
    needsComma = true
  }

  public mutating func value(_ flag: Bool) {
    verbatim(flag ? "true" : "false")
  }

  public mutating func null() {
    verbatim("null")
  }

  /// Writes a string, escaping what JSON demands and nothing else.
  public mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        Hex.append(UInt64(byte), digits: 2, to: &bytes)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes sixteen lowercase hexadecimal digits as a string.
  public mutating func hex(_ number: UInt64, digits: Int = 16) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Hex.append(number, digits: digits, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes `scaled` ÷ 10^`digits` exactly, without trailing zeros.
  public mutating func decimal(_ scaled: Int64, digits: Int) {
    separate()
    needsComma = true
    if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
    var divisor: UInt64 = 1
    for _ in 0..<digits { divisor *= 10 }
    let (whole, remainder) = scaled.magnitude.quotientAndRemainder(dividingBy: divisor)
    bytes.append(contentsOf: String(whole).utf8)
    guard remainder != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (rest, place) = (remainder, divisor / 10)
    while rest != 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  /// Writes bytes that are JSON already, as one value.
  public mutating func verbatim(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Valid JSON without the white space between its parts: it stands on one line.
  ///
  /// - Complexity: O(*n*).
  public static func compact(_ json: [UInt8]) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(json.count)
    var isText = false
    var isEscaped = false
    for byte in json {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: continue
        default: isText = byte == UInt8(ascii: "\"")
        }
      }
      compact.append(byte)
    }
    return compact
  }

  private mutating func verbatim(_ word: StaticString) {
    verbatim(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func finish(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}
