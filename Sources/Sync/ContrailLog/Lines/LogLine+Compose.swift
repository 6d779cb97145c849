import ContrailWire

extension LogLine {
  /// Appends a line in canonical form to `bytes`, including its line feed.
  ///
  /// Kind and payload are not checked; ``LogBatch`` checks them before.
  ///
  /// - Returns: The CRC-32C of all bytes before the CRC, whether or not it is written.
  /// - Complexity: O(*n*) in the payload.
  @discardableResult
  static func append(
    seq: Int64, at: Int64, kind: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, hasCRC: Bool,
    to bytes: inout [UInt8]
  ) -> UInt32 {
    let start = bytes.count
    bytes.append(ascii: "{\"seq\":")
    bytes.append(decimal: seq)
    bytes.append(ascii: ",\"at\":")
    bytes.append(decimal: at)
    bytes.append(ascii: ",\"kind\":\"")
    bytes.append(contentsOf: kind)
    bytes.append(UInt8(ascii: "\""))
    if !payload.isEmpty {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: payload)
    }
    let crc = bytes.withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    if hasCRC {
      bytes.append(ascii: ",\"crc\":\"")
      Hex.append(crc, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
    return crc
  }
}

extension [UInt8] {
  /// Appends ASCII text.
  mutating func append(ascii text: StaticString) {
    append(contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var rest = value.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[start...]))
    }
  }
}
