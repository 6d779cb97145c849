/// The values that a viewer shows of all lines at once: a column for each property, with an element for each line.
///
/// The integers are those of JavaScript's typed arrays, which view the columns without a copy.
package struct LineColumns: Sendable {
  /// The value in ``kind`` and ``rule`` of a line without one.
  static let none8: UInt8 = .max
  /// The value in ``scope`` of a line without one.
  static let none16: UInt16 = .max

  /// Properties of a line that are either true or false.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// The line is the place of a difference.
    package static let diverges = Flags(rawValue: 1)
    /// The line is the place of the first difference.
    package static let first = Flags(rawValue: 2)
    /// An error or a rejected query is reported to the app.
    package static let error = Flags(rawValue: 4)
    /// The process was started again.
    package static let relaunch = Flags(rawValue: 8)
    /// A failed sync lost lines before this one.
    package static let loss = Flags(rawValue: 16)
    /// The device is online after the line.
    package static let online = Flags(rawValue: 32)
    /// The line starts a request for all data.
    package static let full = Flags(rawValue: 64)
    /// The line starts a request that the server may hold.
    package static let held = Flags(rawValue: 128)
    /// The line answers a delta without new records, so the stored data is current.
    package static let unchanged = Flags(rawValue: 256)
    /// The line starts a request for the records that differ from the server's.
    package static let repair = Flags(rawValue: 512)
  }

  /// The sequence numbers. Doubles, like the times, because JavaScript has no 64-bit integers in ordinary arrays.
  package internal(set) var seq: [Double] = []
  /// The log's times in milliseconds since 1970.
  package internal(set) var at: [Double] = []
  /// The same times by the server's clock, as estimated after the line.
  package internal(set) var serverAt: [Double] = []
  /// Indices into `Kind.allCases`.
  package internal(set) var kind: [UInt8] = []
  /// Indices into ``Playback/scopes``.
  package internal(set) var scope: [UInt16] = []
  /// Indices into `Rule.allCases`.
  package internal(set) var rule: [UInt8] = []
  /// The request that the line starts, cancels or answers, or 0.
  package internal(set) var request: [UInt32] = []
  /// The HTTP status of a response, or 0.
  package internal(set) var status: [UInt16] = []
  /// The bytes of a response on the wire.
  package internal(set) var bytesDown: [UInt32] = []
  /// The bytes in the body of the request that the line starts, before compression.
  package internal(set) var bytesUp: [UInt32] = []
  /// The line of the input that caused a decision, or -1.
  package internal(set) var cause: [Int32] = []
  /// The line that started the request that this line cancels or answers, or -1.
  package internal(set) var started: [Int32] = []
  /// The raw values of ``Flags``.
  package internal(set) var flags: [UInt16] = []
  /// Indices into ``Playback/files``.
  package internal(set) var file: [UInt16] = []
  /// The offsets of the first bytes in the decompressed files.
  package internal(set) var offset: [Double] = []
  /// The number of bytes without the line feed.
  package internal(set) var length: [UInt32] = []

  /// The number of lines.
  package var count: Int { seq.count }

  /// A line before it is appended.
  struct Line {
    var seq: Int64
    var at: Int64
    var serverAt: Int64 = 0
    var kind: UInt8
    var scope: UInt16 = LineColumns.none16
    var rule: UInt8 = LineColumns.none8
    var request: Int64 = 0
    var status = 0
    var bytesDown: Int64 = 0
    var bytesUp = 0
    var cause: Int32 = -1
    var started: Int32 = -1
    var flags: Flags = []
    var file = 0
    var offset: Int64
    var length: Int
  }

  mutating func append(_ line: Line) {
    seq.append(Double(line.seq))
    at.append(Double(line.at))
    serverAt.append(Double(line.serverAt))
    kind.append(line.kind)
    scope.append(line.scope)
    rule.append(line.rule)
    request.append(UInt32(clamping: line.request))
    status.append(UInt16(clamping: line.status))
    bytesDown.append(UInt32(clamping: line.bytesDown))
    bytesUp.append(UInt32(clamping: line.bytesUp))
    cause.append(line.cause)
    started.append(line.started)
    flags.append(line.flags.rawValue)
    file.append(UInt16(clamping: line.file))
    offset.append(Double(line.offset))
    length.append(UInt32(clamping: line.length))
  }

  /// Returns the last line whose `seq` is at most the given one; -1 if every line has a higher one.
  ///
  /// - Complexity: O(log *n*).
  package func line(of seq: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.seq[middle] <= Double(seq) { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}

/// How a scope changed: an element for each line after which it differs from before.
package struct ScopeHistory: Sendable {
  /// The lines after which the scope changed.
  package private(set) var line: [Int32] = []
  /// The server's time as of which data is held, in seconds since 1970; -1 if none is held.
  package private(set) var watermark: [Double] = []
  /// The number of records held.
  package private(set) var records: [UInt32] = []
  /// The request in flight, or 0.
  package private(set) var inFlight: [UInt32] = []
  /// The number of failed attempts in a row.
  package private(set) var failures: [UInt16] = []

  /// The values at one line.
  struct Status: Equatable {
    var watermark: Int64 = -1
    var records = 0
    var inFlight: Int64 = 0
    var failures: Int64 = 0
  }

  private var last = Status()

  /// Appends the values after a line, if they differ from the last.
  mutating func append(_ status: Status, after line: Int) {
    guard status != last else { return }
    last = status
    self.line.append(Int32(clamping: line))
    watermark.append(Double(status.watermark))
    records.append(UInt32(clamping: status.records))
    inFlight.append(UInt32(clamping: status.inFlight))
    failures.append(UInt16(clamping: status.failures))
  }
}
