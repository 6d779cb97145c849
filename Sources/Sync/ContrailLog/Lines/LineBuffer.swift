/// A source of bytes for a reader, in blocks.
protocol LineInput: AnyObject {
  /// Fills part of `buffer` and returns the number of bytes; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int
}

/// Splits a stream of bytes into lines. It holds one block, or one line if that is longer.
final class LineBuffer {
  /// The number of bytes that may be read past the end of a line. Their contents are unspecified.
  static let padding = 64

  private let input: any LineInput
  private let maximumLineBytes: Int
  private let file: String
  private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes of the buffer that are not yet delivered.
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The offset of the last line, from the first byte of the input.
  private(set) var lineOffset: Int64 = 0
  /// The offset of the next line.
  private(set) var nextOffset: Int64 = 0
  /// The number of lines delivered.
  private(set) var lineNumber = 0
  /// Whether the last line ended with a line feed. Only the last line of a file can lack it.
  private(set) var isTerminated = true

  init(_ input: any LineInput, file: String, options: LogReader.Options, offset: Int64 = 0, lineNumber: Int = 0) {
    self.input = input
    self.file = file
    self.maximumLineBytes = max(options.maximumLineBytes, 1)
    self.lineOffset = offset
    self.nextOffset = offset
    self.lineNumber = lineNumber
    buffer = .allocate(byteCount: max(options.blockBytes, 64) + Self.padding, alignment: 64)
  }

  deinit { buffer.deallocate() }

  private var capacity: Int { buffer.count - Self.padding }

  /// Returns the next line without its line feed; nil at the end. It is valid until the next call.
  ///
  /// - Throws: ``LogError/Code/lineTooLong``, after which ``skipLine()`` continues with the next line; or the errors of
  ///   the input.
  func next() throws(LogError) -> UnsafeRawBufferPointer? {
    var searched = start
    while true {
      let held = UnsafeRawBufferPointer(rebasing: buffer[..<end])
      if let found = held.offset(of: UInt8(ascii: "\n"), from: searched) {
        guard found - start <= maximumLineBytes else { throw tooLong() }
        return take(until: found, isTerminated: true)
      }
      searched = end
      guard end - start <= maximumLineBytes else { throw tooLong() }
      if isAtEnd { return start == end ? nil : take(until: end, isTerminated: false) }
      searched -= start
      try fill()
      searched += start
    }
  }

  /// Skips the rest of the current line, whatever its length.
  func skipLine() throws(LogError) {
    lineNumber += 1
    lineOffset = nextOffset
    while true {
      let held = UnsafeRawBufferPointer(rebasing: buffer[..<end])
      let found = held.offset(of: UInt8(ascii: "\n"), from: start)
      let stop = found.map { $0 + 1 } ?? end
      nextOffset += Int64(stop - start)
      start = stop
      if found != nil || isAtEnd { return }
      try fill()
    }
  }

  /// Skips the remaining lines, as far as they can be read, and returns their number.
  func skipLines() -> Int {
    var count = 0
    do throws(LogError) {
      while start < end || !isAtEnd {
        if start == end {
          try fill()
        } else {
          try skipLine()
          count += 1
        }
      }
    } catch {
      return count
    }
    return count
  }

  private func take(until stop: Int, isTerminated: Bool) -> UnsafeRawBufferPointer {
    let line = UnsafeRawBufferPointer(rebasing: buffer[start..<stop])
    let next = isTerminated ? stop + 1 : stop
    lineOffset = nextOffset
    nextOffset += Int64(next - start)
    lineNumber += 1
    self.isTerminated = isTerminated
    start = next
    return line
  }

  private func tooLong() -> LogError {
    LogError(
      .lineTooLong, file: file, line: lineNumber + 1, reason: "the line has more than \(maximumLineBytes) bytes")
  }

  /// Moves the undelivered bytes to the front, and reads more. Enlarges a full buffer.
  private func fill() throws(LogError) {
    let held = end - start
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      start = 0
      end = held
    }
    if end == capacity {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * capacity + Self.padding, alignment: 64)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
      buffer.deallocate()
      buffer = larger
    }
    let count: Int
    do throws(LogError) {
      count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end..<capacity]))
    } catch {
      throw error.code == .damagedArchive ? error.at(line: lineNumber + 1) : error
    }
    if count == 0 { isAtEnd = true }
    end += count
  }
}

/// Reads a file, starting at an offset.
final class FileInput: LineInput {
  private let file: any LogFile
  private let path: String
  private var offset: Int64

  init(_ file: any LogFile, path: String, offset: Int64 = 0) {
    self.file = file
    self.path = path
    self.offset = offset
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    do {
      let count = try file.read(into: buffer, at: offset)
      offset += Int64(count)
      return count
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }
}
