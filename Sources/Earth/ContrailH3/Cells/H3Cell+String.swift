extension H3Cell: LosslessStringConvertible {
  /// The index in lowercase hexadecimal, such as `85283473fffffff`.
  public var description: String { String(rawValue, radix: 16) }

  /// Creates a cell from an index of fifteen hexadecimal digits.
  ///
  /// Nil if it isn't the index of a cell.
  ///
  /// A sixteenth, leading 0 is allowed.
  public init?(_ description: String) {
    self.init(utf8: description.utf8)
  }

  /// Creates a cell from the UTF-8 characters of an index; see ``init(_:)-(String)``.
  public init?(utf8: some Collection<UInt8>) {
    var rawValue: UInt64 = 0
    var count = 0
    for character in utf8 {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character &- UInt8(ascii: "A") &+ 10
      default: return nil
      }
      count += 1
      guard count <= 16 else { return nil }
      rawValue = rawValue << 4 | UInt64(digit)
    }
    self.init(rawValue: rawValue)
  }
}

#if !hasFeature(Embedded)
  extension H3Cell: Codable {
    /// Creates a cell from its string form.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let cell = H3Cell(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "\"\(text.prefix(20))\" is not the index of an H3 cell")
      }
      self = cell
    }

    /// Encodes the string form.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }
#endif
