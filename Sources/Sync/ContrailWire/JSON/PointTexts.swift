package import ContrailGeodesy

/// The JSON of lists of points, kept to be copied when the same list is written again.
///
/// A list is recognized by its storage, not by its elements. The list is kept with its text, so no other list gets the
/// same storage.
package struct PointTexts: Sendable {
  /// A list of points, to keep its storage.
  package enum List: Sendable {
    case points([FixedCoordinate])
    case given([FixedCoordinate?])
  }

  private struct Entry {
    let list: List
    let address: UInt
    let text: [UInt8]
    var isUsed = true
  }

  /// Shorter lists are written as fast as they are found.
  private static let minimumCount = 16
  /// The maximum number of lists, which limits the time of a search.
  private static let maximumCount = 32

  private var entries: [Entry] = []

  package init() {}

  /// Starts the next text and discards lists that the last one didn't contain.
  package mutating func startNext() {
    entries.removeAll { !$0.isUsed }
    for index in entries.indices { entries[index].isUsed = false }
  }

  /// Returns the text of the list with this storage; nil if it isn't kept.
  fileprivate mutating func text(at address: UInt) -> [UInt8]? {
    for index in entries.indices where entries[index].address == address {
      entries[index].isUsed = true
      return entries[index].text
    }
    return nil
  }

  fileprivate mutating func keep(_ list: List, at address: UInt, _ text: [UInt8]) {
    guard entries.count < Self.maximumCount else { return }
    entries.append(Entry(list: list, address: address, text: text))
  }

  fileprivate static func isWorthwhile(_ count: Int) -> Bool { count >= minimumCount }
}

extension JSONWriter {
  /// Writes longitude and latitude of each point as integers of 1e-7 degrees, one after the other.
  ///
  /// This overload avoids converting the array to one of optionals, element by element.
  package mutating func points(_ points: [FixedCoordinate]) {
    keeping(.points(points), count: points.count, at: points.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }) {
      $0.integers(atMost: 2 * points.count) { numbers in
        for point in points {
          numbers.append(point.longitudeE7)
          numbers.append(point.latitudeE7)
        }
      }
    }
  }

  /// Writes longitude and latitude of each point as integers of 1e-7 degrees; two nulls for a missing point.
  package mutating func points(_ points: [FixedCoordinate?]) {
    keeping(.given(points), count: points.count, at: points.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }) {
      $0.integers(atMost: 2 * points.count) { numbers in
        for point in points {
          numbers.append(point?.longitudeE7)
          numbers.append(point?.latitudeE7)
        }
      }
    }
  }

  /// Copies the list's text, or calls `write` and keeps what it wrote. Without ``pointTexts``, only calls `write`.
  private mutating func keeping(
    _ list: PointTexts.List, count listCount: Int, at address: UInt, _ write: (inout JSONWriter) -> Void
  ) {
    guard pointTexts != nil, PointTexts.isWorthwhile(listCount) else { return write(&self) }
    if let text = pointTexts?.text(at: address) { return verbatim(text) }
    let start = count
    write(&self)
    let isAfterComma = withBytes { $0[start] == UInt8(ascii: ",") }
    let text = bytes(from: isAfterComma ? start + 1 : start)
    pointTexts?.keep(list, at: address, text)
  }
}
