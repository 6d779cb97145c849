/// Reads CSV (RFC 4180) incrementally, with memory that doesn't depend on the file size.
///
/// ```swift
/// var reader = CSVReader()
/// while let block = source.next() {
///   reader.append(block)
///   while let item = reader.next() { use(item) }
/// }
/// reader.finish()
/// while let item = reader.next() { use(item) }
/// ```
///
/// Lines end with LF or CRLF, which the last line may omit. A CR elsewhere is text. A byte order mark at the beginning
/// is skipped. Quoted fields may contain commas, line ends and doubled quotes. The result doesn't depend on the block
/// boundaries.
///
/// After an unreadable row, reading continues with the next line, so a stray quote can't hide the valid rows after it.
/// The remaining lines of a broken multi-line row may be reported as further unreadable rows.
public struct CSVReader: Sendable {
  /// An element of a CSV file.
  public enum Item: Hashable, Sendable {
    case row(CSVRow)
    /// An unreadable row.
    case malformed(line: Int, CSVFault)
  }

  /// The maximum length of a row in bytes.
  public static let maximumRowBytes = 1 << 16

  private var buffer: [UInt8] = []
  /// The number of buffered bytes that were read.
  private var position = 0
  private var line = 1
  private var isFinished = false
  private var isPastMark = false
  /// Whether the rest of an unreadable line is being skipped.
  private var isSkipping = false
  /// The number of bytes needed before the current row is scanned again.
  private var wantedBytes = 0

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private static let slackBytes = 1 << 16

  /// Creates a reader.
  public init() {}

  /// Appends the next bytes of the file.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if position > Self.slackBytes {
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Marks the end of the file.
  public mutating func finish() {
    isFinished = true
    wantedBytes = 0
  }

  /// Returns the next element, or `nil` if more bytes are needed or everything has been read.
  ///
  /// - Complexity: O(*n*) in the size of the row.
  public mutating func next() -> Item? {
    guard skipMark(), skipRest(), buffer.count - position >= max(1, wantedBytes) else { return nil }
    let (start, isLast, first) = (position, isFinished, line)
    let outcome = buffer.withUnsafeBufferPointer { bytes in
      var scan = RowScan(bytes: bytes, start: start, line: first)
      return scan.run(isLast: isLast)
    }
    switch outcome {
    case .incomplete:
      // Scans again when there are twice as many bytes, so that a long row isn't scanned for every block.
      wantedBytes = min(2 * (buffer.count - position), Self.maximumRowBytes + 1)
      return nil
    case .row(let row, let end, let lines):
      position = end
      line += lines
      wantedBytes = 0
      return Self.isText(buffer[start..<end]) ? .row(row) : .malformed(line: first, .notText)
    case .malformed(let fault):
      isSkipping = true
      wantedBytes = 0
      return .malformed(line: first, fault)
    }
  }

  private mutating func skipMark() -> Bool {
    guard !isPastMark else { return true }
    guard buffer.count >= Self.byteOrderMark.count || isFinished else { return false }
    if buffer.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
    isPastMark = true
    return true
  }

  /// Skips the rest of a line. Returns false if its end isn't in the buffer yet.
  private mutating func skipRest() -> Bool {
    guard isSkipping else { return true }
    let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
    position = end.map { $0 + 1 } ?? buffer.count
    guard end != nil else { return false }
    line += 1
    isSkipping = false
    return true
  }

  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}

/// A scan of the bytes from the beginning of a row.
private struct RowScan {
  enum RowResult {
    case incomplete
    /// A row with its end and its number of lines.
    case row(CSVRow, end: Int, lines: Int)
    case malformed(CSVFault)
  }

  private enum Place {
    case fieldStart
    case plain
    case quoted
    case afterQuote
    case afterReturn
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let start: Int
  let line: Int
  private var place = Place.fieldStart
  private var text: [UInt8] = []
  private var ends: [Int] = []
  private var lines = 1

  init(bytes: UnsafeBufferPointer<UInt8>, start: Int, line: Int) {
    self.bytes = bytes
    self.start = start
    self.line = line
  }

  mutating func run(isLast: Bool) -> RowResult {
    for index in start..<bytes.count {
      if index - start >= CSVReader.maximumRowBytes { return .malformed(place == .quoted ? .unclosedQuote : .tooLong) }
      let byte = bytes[index]
      switch (place, byte) {
      case (.fieldStart, UInt8(ascii: "\"")):
        place = .quoted
      case (.plain, UInt8(ascii: "\"")):
        return .malformed(.quoteInField)
      case (.quoted, UInt8(ascii: "\"")):
        place = .afterQuote
      case (.quoted, _):
        if byte == UInt8(ascii: "\n") { lines += 1 }
        text.append(byte)
      case (.afterQuote, UInt8(ascii: "\"")):
        text.append(byte)
        place = .quoted
      case (.fieldStart, UInt8(ascii: ",")), (.plain, UInt8(ascii: ",")), (.afterQuote, UInt8(ascii: ",")):
        ends.append(text.count)
        place = .fieldStart
      case (_, UInt8(ascii: "\n")):
        return row(endingAt: index + 1)
      case (.afterQuote, UInt8(ascii: "\r")):
        place = .afterReturn
      case (.afterQuote, _), (.afterReturn, _):
        return .malformed(.textAfterQuote)
      case (.fieldStart, _), (.plain, _):
        text.append(byte)
        place = .plain
      }
    }
    guard isLast else { return .incomplete }
    lines -= 1
    return place == .quoted ? .malformed(.unclosedQuote) : row(endingAt: bytes.count)
  }

  private mutating func row(endingAt end: Int) -> RowResult {
    if place == .plain, text.last == UInt8(ascii: "\r") { text.removeLast() }
    ends.append(text.count)
    return .row(CSVRow(line: line, bytes: text, ends: ends), end: end, lines: lines)
  }
}
