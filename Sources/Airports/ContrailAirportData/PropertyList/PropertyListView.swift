/// A view of a binary property list in memory. Objects are looked up in place and not decoded in advance.
///
/// The format is Apple's `bplist00` (CoreFoundation, `CFBinaryPList.c`): objects, a table of their offsets, and a
/// trailer of 32 bytes that describes the table. Every access is bounds-checked, whatever the bytes contain.
struct PropertyListView {
  /// The layout of the list.
  struct Layout: Sendable {
    var offsetBytes: Int
    var referenceBytes: Int
    var objectCount: Int
    var tableOffset: Int
    var top: Int
  }

  /// The number of entries of a dictionary or an array, and the offset of their references.
  struct Entries {
    var count: Int
    var offset: Int
  }

  let bytes: UnsafeRawBufferPointer
  let layout: Layout

  static let magic = Array("bplist00".utf8)
  private static let trailerBytes = 32

  // MARK: Layout

  static func layout(of bytes: UnsafeRawBufferPointer) throws(AirportDataError) -> Layout {
    guard bytes.starts(with: magic) else {
      throw AirportDataError(.unknownFormat, at: 0, "the data doesn't begin like a binary property list")
    }
    let trailer = bytes.count - trailerBytes
    guard trailer >= magic.count else { throw AirportDataError(.truncated, at: bytes.count, "the trailer is missing") }
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
      throw AirportDataError(.truncated, at: bytes.count, "the data doesn't end like a binary property list")
    }
    if end.partialValue < trailer {
      // The trailer fits a shorter list, which may be the second of two.
      let start = trailer - end.partialValue
      let isSecond = bytes[start...].starts(with: magic)
      throw AirportDataError(
        isSecond ? .concatenated : .damaged, at: isSecond ? start : end.partialValue,
        isSecond ? "a second property list follows the first" : "the offset table doesn't end at the trailer")
    }
    return layout
  }

  // MARK: Objects

  func error(at offset: Int, _ reason: String) -> AirportDataError { AirportDataError(.damaged, at: offset, reason) }

  /// Returns a big-endian number of one to eight bytes. The caller checks the bounds, and the 32 bytes of the trailer
  /// follow.
  @inline(__always)
  private func number(at offset: Int, _ size: Int) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) >> UInt64(64 - 8 * size)
  }

  /// Returns the offset of an object.
  @inline(__always)
  func offset(of object: Int) throws(AirportDataError) -> Int {
    guard object < layout.objectCount else {
      throw error(at: layout.tableOffset, "object \(object) isn't in the offset table")
    }
    let place = layout.tableOffset + object * layout.offsetBytes
    let offset = number(at: place, layout.offsetBytes)
    guard offset < UInt64(layout.tableOffset), offset >= UInt64(Self.magic.count) else {
      throw error(at: place, "the offset of object \(object) is out of bounds")
    }
    return Int(offset)
  }

  /// Returns the object number at an index of an entry list.
  @inline(__always)
  func reference(_ index: Int, from offset: Int) -> Int {
    Int(clamping: number(at: offset + index * layout.referenceBytes, layout.referenceBytes))
  }

  /// Returns the count in the first byte of an object, or in the number after it, and the bounds-checked offset of its
  /// contents.
  @inline(__always)
  private func extent(at offset: Int, unit: Int) throws(AirportDataError) -> Entries {
    var count = Int(bytes[offset] & 0x0f)
    var start = offset + 1
    if count == 15 {
      guard start < layout.tableOffset, bytes[start] & 0xf0 == 0x10, bytes[start] & 0x0f <= 3 else {
        throw error(at: start, "a count isn't a number")
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

  /// Returns the entries of a dictionary: the references of the keys, then of the values.
  @inline(__always)
  func dictionary(at offset: Int) throws(AirportDataError) -> Entries {
    guard bytes[offset] & 0xf0 == 0xd0 else { throw error(at: offset, "a dictionary is expected here") }
    return try extent(at: offset, unit: 2 * layout.referenceBytes)
  }

  @inline(__always)
  func array(at offset: Int) throws(AirportDataError) -> Entries {
    guard bytes[offset] & 0xf0 == 0xa0 else { throw error(at: offset, "an array is expected here") }
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
      guard extent.count <= ByteReader.maximumTextBytes else {
        throw error(at: offset, "a text is longer than \(ByteReader.maximumTextBytes) bytes")
      }
      let text = UnsafeRawBufferPointer(rebasing: bytes[extent.offset..<extent.offset + extent.count])
      // SQLite would end the text at a zero character.
      guard !text.contains(0) else { throw error(at: offset, "a text contains a zero character") }
      return String(decoding: text, as: UTF8.self)
    case 0x60:
      let extent = try extent(at: offset, unit: 2)
      guard extent.count <= ByteReader.maximumTextBytes / 4 else {
        throw error(at: offset, "a text is longer than \(ByteReader.maximumTextBytes / 4) UTF-16 units")
      }
      let units = (0..<extent.count).map { index in
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: extent.offset + 2 * index, as: UInt16.self))
      }
      guard !units.contains(0) else { throw error(at: offset, "a text contains a zero character") }
      return String(decoding: units, as: UTF16.self)
    default: throw error(at: offset, "a text is expected here")
    }
  }

  func boolean(at offset: Int) throws(AirportDataError) -> Bool {
    switch bytes[offset] {
    case 0x08: return false
    case 0x09: return true
    default: throw error(at: offset, "a Boolean is expected here")
    }
  }

  /// Returns a finite real number or an integer.
  @inline(__always)
  func double(at offset: Int) throws(AirportDataError) -> Double {
    let marker = bytes[offset]
    let value: Double
    switch marker {
    case 0x23, 0x33: value = Double(bitPattern: try raw(at: offset, 8))
    case 0x22: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try raw(at: offset, 4))))
    case 0x10...0x14: value = Double(try integer(at: offset))
    default: throw error(at: offset, "a number is expected here")
    }
    guard value.isFinite else { throw error(at: offset, "a number isn't finite") }
    return value
  }

  /// Returns an integer. Integers of up to four bytes are unsigned and of eight bytes signed. Sixteen bytes are
  /// supported if the value fits.
  func integer(at offset: Int) throws(AirportDataError) -> Int64 {
    switch bytes[offset] {
    case 0x10...0x13: return Int64(bitPattern: try raw(at: offset, 1 << Int(bytes[offset] & 0x0f)))
    case 0x14:
      guard try raw(at: offset, 8) == 0, let value = Int64(exactly: try raw(at: offset + 8, 8)) else {
        throw error(at: offset, "a number is too large")
      }
      return value
    default: throw error(at: offset, "an integer is expected here")
    }
  }

  /// Returns a date in seconds since 1970.
  func time(at offset: Int) throws(AirportDataError) -> Int64 {
    guard bytes[offset] == 0x33 else { throw error(at: offset, "a date is expected here") }
    // The format counts from the beginning of 2001.
    let seconds = (try double(at: offset) + 978_307_200).rounded(.down)
    guard seconds.magnitude < 1e15 else { throw error(at: offset, "a date is out of range") }
    return Int64(seconds)
  }

  @inline(__always)
  private func raw(at offset: Int, _ size: Int) throws(AirportDataError) -> UInt64 {
    guard offset + 1 + size <= layout.tableOffset else { throw error(at: offset, "a number is truncated") }
    return number(at: offset + 1, size)
  }
}
