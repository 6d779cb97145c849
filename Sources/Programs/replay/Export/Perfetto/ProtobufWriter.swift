/// Writes messages in the wire format of Protocol Buffers.
///
/// See protobuf.dev/programming-guides/encoding. Fields of packed and negative 32-bit types aren't needed here.
struct ProtobufWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Writes a field of type `uint32`, `uint64`, `bool` or an enumeration.
  mutating func varint(_ field: UInt64, _ value: UInt64) {
    put(field << 3)
    put(value)
  }

  /// Writes a field of type `int64`. A negative value takes ten bytes.
  mutating func int64(_ field: UInt64, _ value: Int64) { varint(field, UInt64(bitPattern: value)) }

  /// Writes a field of type `fixed64`.
  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    put(field << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
  }

  mutating func string(_ field: UInt64, _ text: String) { delimited(field, Array(text.utf8)) }

  mutating func message(_ field: UInt64, _ body: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    body(&inner)
    nested(field, inner)
  }

  /// Writes a message that is complete.
  mutating func nested(_ field: UInt64, _ message: ProtobufWriter) { delimited(field, message.bytes) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func delimited(_ field: UInt64, _ content: [UInt8]) {
    put(field << 3 | 2)
    put(UInt64(content.count))
    bytes += content
  }

  private mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
