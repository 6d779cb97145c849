import ContrailCore
import ContrailEngine
import ContrailLog

/// A copy of the settings in the log, which a launch reads at once, before the log is open.
///
/// An application reads and edits settings in the line after it creates the client. The copy is made again whenever the settings in the
/// log change. Without it, or if it is damaged, a launch opens the log first. If a crash left it behind the log, the edits of the
/// launch are applied to the log's settings. If a power failure left the log behind it, which its first line tells, its settings are
/// written to the log again.
struct SettingsFile {
  /// The maximum number of bytes to read. A file of settings is smaller.
  private static let maximumBytes: Int64 = 1 << 20

  private let path: String
  private let storage: any LogStorage
  /// The inputs that the file holds; empty if unknown.
  private var held: [Input] = []
  /// The `seq` of the line that followed when the file was written; nil if unknown.
  private(set) var seq: Int64?

  init(directory: String, storage: any LogStorage) {
    path = directory + "/settings.jsonl"
    self.storage = storage
  }

  /// Returns the settings for a launch; nil if there is no valid file.
  mutating func read() -> AppSettings? {
    guard let bytes = try? content() else { return nil }
    var inputs: [Input] = []
    var lines = bytes.split(separator: UInt8(ascii: "\n"))
    let seq = lines.first.flatMap { Self.seq(of: Array($0)) }
    if seq != nil { lines.removeFirst() }
    for line in lines {
      guard case .input(let input)? = Self.event(of: Array(line)) else { return nil }
      inputs.append(input)
    }
    var listening = ListeningSettings()
    var budget = ByteBudget()
    for input in inputs.dropFirst(3) {
      switch input {
      case .listeningChanged(let settings): listening = settings
      case .budgetChanged(let settings): budget = settings
      default: return nil
      }
    }
    guard inputs.count >= 3, case .queryChanged(let query) = inputs[0],
      case .historyChanged(let history) = inputs[1],
      case .frequencyChanged(let frequency) = inputs[2]
    else { return nil }
    (held, self.seq) = (inputs, seq)
    return AppSettings(launchingWith: query, history, frequency, listening, budget)
  }

  /// Writes the settings of a state if they have changed. An error is ignored: the log has the settings.
  mutating func keep(_ state: State) {
    var inputs: [Input] = [
      .queryChanged(state.query), .historyChanged(state.history), .frequencyChanged(state.frequency),
    ]
    if state.listening.settings != ListeningSettings() { inputs.append(.listeningChanged(state.listening.settings)) }
    if state.byteUse.budget != ByteBudget() { inputs.append(.budgetChanged(state.byteUse.budget)) }
    guard inputs != held else { return }
    let bytes = Self.line(of: state.nextSeq) + inputs.flatMap(Self.line)
    held = (try? write(bytes)) == nil ? [] : inputs
  }

  // MARK: Lines: the members of a log line, without its number and time

  private static let head = Array(#"{"kind":""#.utf8)

  private static let seqHead = Array(#"{"seq":"#.utf8)

  private static func line(of seq: Int64) -> [UInt8] { seqHead + Array("\(seq)}\n".utf8) }

  private static func seq(of line: [UInt8]) -> Int64? {
    guard line.starts(with: seqHead), line.last == UInt8(ascii: "}") else { return nil }
    return Int64(String(decoding: line.dropFirst(seqHead.count).dropLast(), as: UTF8.self))
  }

  private static func line(of input: Input) -> [UInt8] {
    let event = Event.input(input)
    return head + Array(event.kind.rawValue.utf8) + Array(#"","#.utf8) + event.payload + Array("}\n".utf8)
  }

  private static func event(of line: [UInt8]) -> Event? {
    guard line.starts(with: head), line.last == UInt8(ascii: "}") else { return nil }
    let rest = line.dropFirst(head.count).dropLast()
    guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")),
      rest.dropFirst(quote + 1 - rest.startIndex).first == UInt8(ascii: ",")
    else { return nil }
    let kind = String(decoding: rest[..<quote], as: UTF8.self)
    return Array(rest[(quote + 2)...]).withUnsafeBytes { try? Event(kind: kind, payload: $0) }
  }

  // MARK: File

  private func content() throws(StorageError) -> [UInt8] {
    guard try storage.kind(of: path) == .file else { return [] }
    let file = try storage.open(path, .read)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(try file.size(), Self.maximumBytes)), alignment: 1)
    defer { buffer.deallocate() }
    var count = 0
    while count < buffer.count {
      let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), at: Int64(count))
      guard read > 0 else { break }
      count += read
    }
    return Array(buffer.prefix(count))
  }

  private func write(_ bytes: [UInt8]) throws(StorageError) {
    let temporary = path + ".new"
    if try storage.kind(of: temporary) == .file { try storage.remove(temporary) }
    let file = try storage.open(temporary, .create)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: bytes)
    var count = 0
    while count < bytes.count {
      count += try file.write(UnsafeRawBufferPointer(rebasing: buffer[count...]), at: Int64(count))
    }
    try storage.rename(temporary, to: path)
  }
}
