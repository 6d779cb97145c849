/// A binary property list as it lies in memory: objects are looked up where they are, and none is made of them.
///
/// The format is Apple's `bplist00` (CoreFoundation, `CFBinaryPList.c`): objects, a table of their offsets, and 32 bytes that say
/// where the table is. Every lookup is within bounds, whatever the bytes say.
struct PropertyListView {
  /// What is known of the list as a whole.
  struct Layout: Sendable {
    var offsetBytes: Int
    var referenceBytes: Int
    var objectCount: Int
    var tableOffset: Int
    var top: Int
  }

  /// A dictionary or an array: how many entries, and where their references begin.
  struct Entries {
    var count: Int
    var offset: Int
  }

  let bytes: UnsafeRawBufferPointer
  let layout: Layout

  static let magic = Array("bplist00".utf8)
  private static let trailerBytes = 32

  // MARK: The whole

  static func layout(of bytes: UnsafeRawBufferPointer) throws(AirportDataError) -> Layout {
    guard bytes.starts(with: magic) else {
      throw AirportDataError(.unknownFormat, at: 0, "it doesn't begin as a binary property list does")
    }
    let trailer = bytes.count - trailerBytes
    guard trailer >= magic.count else { throw AirportDataError(.truncated, at: bytes.count, "its end is missing") }
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: trailer + 8 * index, as: UInt64.self))
    }
    let layout = Layout(
      offsetBytes: Int(bytes[trailer + 6]), referenceBytes: Int(bytes[trailer + 7]),
      objectCount: Int(clamping: word(1)), tableOffset: Int(clamping: word(3)), top: Int(clamping: word(2)))
    let table = layout.objectCount.multipliedReportingOverflow(by: layout.offsetBytes)
    let end = layout.tableOffset.addingReportingOverflow(table.partialValue)
    guard (1...8).contains(layout.offsetBytes), (1...8).contains(layout.referenceBytes), !table.overflow,
      !end.overflow, layout.tableOffset >= magic.count, end.partialValue <= trailer, layout.top < layout.objectCount
    else {
      throw AirportDataError(.truncated, at: bytes.count, "it doesn't end as a binary property list does")
    }
    if end.partialValue < trailer {
      // The end fits a shorter list: is that the second of two?
      let start = trailer - end.partialValue
      let isSecond = bytes[start...].starts(with: magic)
      throw AirportDataError(
        isSecond ? .concatenated : .damaged, at: isSecond ? start : end.partialValue,
        isSecond ? "a second property list follows the first" : "its table doesn't reach to its end")
    }
    return layout
  }

  // MARK: Objects

  func error(at offset: Int, _ reason: String) -> AirportDataError { AirportDataError(.damaged, at: offset, reason) }

  /// A big-endian number of one to eight bytes, all of which, and the 32 bytes of the end after them, are there.
  @inline(__always)
  private func number(at offset: Int, _ size: Int) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) >> UInt64(64 - 8 * size)
  }

  /// Where the object of a number begins.
  @inline(__always)
  func offset(of object: Int) throws(AirportDataError) -> Int {
    guard object < layout.objectCount else { throw error(at: layout.tableOffset, "object \(object) isn't listed") }
    let place = layout.tableOffset + object * layout.offsetBytes
    let offset = number(at: place, layout.offsetBytes)
    guard offset < UInt64(layout.tableOffset), offset >= UInt64(Self.magic.count) else {
      throw error(at: place, "object \(object) lies elsewhere")
    }
    return Int(offset)
  }

  /// The number of the object at a place among entries' references.
  @inline(__always)
  func reference(_ index: Int, from offset: Int) -> Int {
    Int(clamping: number(at: offset + index * layout.referenceBytes, layout.referenceBytes))
  }

  /// The count in an object's first byte, or in the number after it, and where what it counts begins; all of which is there.
  @inline(__always)
  private func extent(at offset: Int, unit: Int) throws(AirportDataError) -> Entries {
    var count = Int(bytes[offset] & 0x0f)
    var start = offset + 1
    if count == 15 {
      guard start < layout.tableOffset, bytes[start] & 0xf0 == 0x10, bytes[start] & 0x0f <= 3 else {
        throw error(at: start, "a count is no number")
      }
      let size = 1 << Int(bytes[start] & 0x0f)
      count = Int(clamping: number(at: start + 1, size))
      start += 1 + size
    }
    guard start <= layout.tableOffset, count <= (layout.tableOffset - start) / unit else {
      throw error(at: offset, "an object is longer than the list")
    }
    return Entries(count: count, offset: start)
  }

  /// A dictionary's entries: references of the keys, then of the values.
  @inline(__always)
  func dictionary(at offset: Int) throws(AirportDataError) -> Entries {
    guard bytes[offset] & 0xf0 == 0xd0 else { throw error(at: offset, "this should be a dictionary") }
    return try extent(at: offset, unit: 2 * layout.referenceBytes)
  }

  @inline(__always)
  func array(at offset: Int) throws(AirportDataError) -> Entries {
    guard bytes[offset] & 0xf0 == 0xa0 else { throw error(at: offset, "this should be an array") }
    return try extent(at: offset, unit: layout.referenceBytes)
  }

  func isEqual(_ text: StaticString, at offset: Int) throws(AirportDataError) -> Bool {
    guard bytes[offset] & 0xf0 == 0x50 else { return false }
    let extent = try extent(at: offset, unit: 1)
    let ours = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return ours.elementsEqual(bytes[extent.offset..<extent.offset + extent.count])
  }

  @inline(__always)
  func text(at offset: Int) throws(AirportDataError) -> String {
    switch bytes[offset] & 0xf0 {
    case 0x50:
      let extent = try extent(at: offset, unit: 1)
      guard extent.count <= ByteReader.maximumTextBytes else { throw error(at: offset, "a text is too long") }
      let text = UnsafeRawBufferPointer(rebasing: bytes[extent.offset..<extent.offset + extent.count])
      // A database would take the text to end there.
      guard !text.contains(0) else { throw error(at: offset, "a text holds a zero character") }
      return String(decoding: text, as: UTF8.self)
    case 0x60:
      let extent = try extent(at: offset, unit: 2)
      guard extent.count <= ByteReader.maximumTextBytes / 4 else { throw error(at: offset, "a text is too long") }
      let units = (0..<extent.count).map { index in
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: extent.offset + 2 * index, as: UInt16.self))
      }
      guard !units.contains(0) else { throw error(at: offset, "a text holds a zero character") }
      return String(decoding: units, as: UTF16.self)
    default: throw error(at: offset, "this should be a text")
    }
  }

  func boolean(at offset: Int) throws(AirportDataError) -> Bool {
    switch bytes[offset] {
    case 0x08: return false
    case 0x09: return true
    default: throw error(at: offset, "this should be true or false")
    }
  }

  /// A real number or a whole one; finite.
  @inline(__always)
  func double(at offset: Int) throws(AirportDataError) -> Double {
    let marker = bytes[offset]
    let value: Double
    switch marker {
    case 0x23, 0x33: value = Double(bitPattern: try raw(at: offset, 8))
    case 0x22: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try raw(at: offset, 4))))
    case 0x10...0x14: value = Double(try integer(at: offset))
    default: throw error(at: offset, "this should be a number")
    }
    guard value.isFinite else { throw error(at: offset, "a number isn't finite") }
    return value
  }

  /// A whole number; up to four bytes are unsigned, eight signed, and sixteen, which unsigned numbers may have, are never used up.
  func integer(at offset: Int) throws(AirportDataError) -> Int64 {
    switch bytes[offset] {
    case 0x10...0x13: return Int64(bitPattern: try raw(at: offset, 1 << Int(bytes[offset] & 0x0f)))
    case 0x14:
      guard try raw(at: offset, 8) == 0, let value = Int64(exactly: try raw(at: offset + 8, 8)) else {
        throw error(at: offset, "a number is too large")
      }
      return value
    default: throw error(at: offset, "this should be a whole number")
    }
  }

  /// A moment, in seconds since 1970.
  func time(at offset: Int) throws(AirportDataError) -> Int64 {
    guard bytes[offset] == 0x33 else { throw error(at: offset, "this should be a date") }
    // The format counts from the first moment of 2001.
    let seconds = (try double(at: offset) + 978_307_200).rounded(.down)
    guard seconds.magnitude < 1e15 else { throw error(at: offset, "a date is too far away") }
    return Int64(seconds)
  }

  @inline(__always)
  private func raw(at offset: Int, _ size: Int) throws(AirportDataError) -> UInt64 {
    guard offset + 1 + size <= layout.tableOffset else { throw error(at: offset, "a number is cut off") }
    return number(at: offset + 1, size)
  }
}
