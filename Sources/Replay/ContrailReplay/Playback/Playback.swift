package import ContrailCore
package import ContrailLog
import ContrailWire

/// A recording for a viewer: folded once from start to end, and afterwards shown at any line.
///
/// ```swift
/// let playback = Playback(path: "flight.jsonl", storage: storage)
/// while playback.step(byteCount: 1 << 20) { draw(playback.columns.count) }
/// playback.verdict.isSame
/// playback.state(after: 142)
/// ```
///
/// The fold is that of ``Replayer``, so the verdict is that of `replay run`. On the way it keeps the columns of all
/// lines, and a copy of the state at intervals. Copies of a state share their common parts, so that they are
/// cheap. The state after any other line is folded again from the copy before it.
package final class Playback {
  /// The path of the recording.
  package let path: String
  /// The columns of the lines read so far.
  package private(set) var columns = LineColumns()
  /// The paths of the files read so far.
  package private(set) var files: [String] = []
  /// The scopes that occurred so far, in that order.
  package private(set) var scopes: [ScopeID] = []
  /// How each of ``scopes`` changed.
  package private(set) var histories: [ScopeHistory] = []
  /// The number of lines with a correct CRC.
  package private(set) var crcLines = 0
  /// The error that ended the reading; lines before it are valid.
  package private(set) var problem: UnreadableRecording?
  /// Whether everything that can be read was read.
  package private(set) var isFinished = false

  /// The maximum length of a line: twice the largest body that is stored in one. The longest line that a reader accepts
  /// would block a browser for seconds.
  package static let maximumLineBytes = 16 << 20

  let storage: any LogStorage
  private(set) var replayer = Replayer(keepsPlaces: true)
  private(set) var reader: RecordingReader?
  /// The line that started each request.
  private var starts: [Int64: Int32] = [:]
  private(set) var keyframes = Keyframes()
  private var lossCount = 0
  /// The last request of each scope with a body, and the size of that body without a watermark.
  private var bodies: [(scope: ScopeID, spec: FetchSpec, byteCount: Int)] = []
  /// The last state that was folded again, and its line.
  private var cursor: (line: Int, state: State)?
  /// The file that was read last for that.
  private var open: (name: Int, file: any LogFile)?

  /// Opens a recording. An error is available as ``problem``.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - storage: The file system.
  package init(path: String, storage: any LogStorage = SystemStorage()) {
    self.path = path
    self.storage = storage
    do throws(UnreadableRecording) {
      reader = try RecordingReader(path: path, storage: storage, maximumLineBytes: Self.maximumLineBytes)
    } catch {
      problem = error
      isFinished = true
    }
  }

  /// The number of bytes read so far.
  package var byteCount: Int64 { reader?.byteCount ?? 0 }
  /// The parts skipped so far.
  package var setAside: SetAside { reader?.setAside ?? SetAside() }

  // MARK: Folding

  /// Reads and folds the next lines.
  ///
  /// - Parameter byteCount: The number of bytes after which to stop. At least one line is read.
  /// - Returns: Whether more lines follow.
  package func step(byteCount: Int64) -> Bool {
    guard !isFinished, let reader else { return false }
    let end = reader.byteCount + byteCount
    do throws(UnreadableRecording) {
      repeat {
        guard let line = try reader.nextLine() else {
          finish()
          return false
        }
        try fold(line, reader)
      } while reader.byteCount < end
      return true
    } catch {
      problem = error
      finish()
      return false
    }
  }

  private func finish() {
    replayer.finish()
    for seq in replayer.differingSeqs { flag(seq, .diverges) }
    if let divergence = replayer.divergence { flag(divergence.seq, [.diverges, .first]) }
    isFinished = true
  }

  private func flag(_ seq: Int64, _ flags: LineColumns.Flags) {
    let line = columns.line(of: seq)
    if line >= 0 { columns.flags[line] |= flags.rawValue }
  }

  private func fold(_ line: LogLine, _ reader: RecordingReader) throws(UnreadableRecording) {
    let step = try reader.step(of: line)
    let kind = Kind(line.kind)
    var new = LineColumns.Line(
      seq: line.seq, at: line.at, kind: kind.map { Self.index(of: $0) } ?? LineColumns.none8,
      offset: reader.lineOffset, length: line.bytes.count)
    if step.file != nil || files.isEmpty { files.append(reader.file) }
    new.file = files.count - 1
    if reader.losses.count > lossCount {
      lossCount = reader.losses.count
      new.flags.insert(.loss)
    }
    if case .event(.input(let input)) = step.content { describe(input, &new) }
    if reader.hasCRC { crcLines += 1 }
    let silence = silence(step.content, scope: new.scope)
    try replayer.fold(step)
    if let silence, isConfirmed(silence) { new.flags.insert(.unchanged) }
    if kind?.role == .decision, let decision = replayer.lastDecision { describe(decision, &new) }
    new.serverAt = line.at + (replayer.state.serverOffsetMS ?? 0)
    if replayer.state.isOnline { new.flags.insert(.online) }
    columns.append(new)
    noteScopes(after: columns.count - 1)
    keyframes.offer(replayer.state, after: columns.count - 1, byteCount: reader.byteCount)
  }

  private static let kinds = Kind.allCases
  private static let rules = Rule.allCases

  private static func index(of kind: Kind) -> UInt8 { UInt8(clamping: kinds.firstIndex(of: kind) ?? 255) }

  private func describe(_ input: Input, _ line: inout LineColumns.Line) {
    switch input {
    case .sessionStarted: if columns.count > 1 { line.flags.insert(.relaunch) }
    case .clockTicked(let scope, _): line.scope = index(of: scope)
    case .responseReceived(let response):
      line.status = response.status
      line.bytesDown = response.wireBytes
      answer(response.request, &line, response.sent)
    case .responseFailed(let request, _, let sent): answer(request, &line, sent)
    default: break
    }
  }

  /// Connects a line to the start of its request.
  private func answer(_ request: Int64, _ line: inout LineColumns.Line, _ sent: SentBytes?) {
    line.request = request
    guard let start = starts[request] else { return }
    // The counted values replace those of the body.
    if let sent { columns.bytesUp[Int(start)] = UInt32(clamping: sent.total) }
    line.started = start
    line.scope = columns.scope[Int(start)]
    line.rule = columns.rule[Int(start)]
  }

  private func describe(_ decision: Decision, _ line: inout LineColumns.Line) {
    line.scope = index(of: decision.scope)
    line.rule = UInt8(clamping: Self.rules.firstIndex(of: decision.rule) ?? 255)
    let cause = columns.line(of: decision.cause)
    if cause >= 0, columns.seq[cause] == Double(decision.cause) { line.cause = Int32(clamping: cause) }
    switch decision {
    case .fetchStarted(let started):
      starts[started.request] = Int32(clamping: columns.count)
      switch started.mode {
      case .full: line.flags.insert(.full)
      case .repair: line.flags.insert(.repair)
      case .delta: break
      }
      if started.hold != nil { line.flags.insert(.held) }
      line.request = started.request
      line.bytesUp = bodyByteCount(started.scope)
    case .uploadStarted(let started):
      starts[started.request] = Int32(clamping: columns.count)
      line.request = started.request
      line.bytesUp = ReportsUpload(reports: Array(replayer.state.outbox.reports.prefix(Int(started.count)))).json.count
    case .fetchCancelled(let cancelled):
      line.request = cancelled.request
      line.started = starts[cancelled.request] ?? -1
    case .errorReported(let reported):
      line.flags.insert(.error)
      line.request = reported.request
    case .queryRejected: line.flags.insert(.error)
    case .weatherExpired, .airportsSwitched, .airportsRequested, .savingChanged: break
    }
  }

  /// Returns the size of the body of a scope's request in flight. Only corridor and viewport send one.
  private func bodyByteCount(_ id: ScopeID) -> Int {
    guard id.hasDeltas, let inFlight = replayer.state.scope(id)?.inFlight, inFlight.handle == nil,
      case .ring(let ring) = inFlight.spec.area
    else { return 0 }
    let spec = inFlight.spec
    let known = bodies.firstIndex { $0.scope == id }
    var count = 0
    if let known, bodies[known].spec.areaDigest == spec.areaDigest, bodies[known].spec == spec {
      // Requests for the same data differ in their watermark alone.
      count = bodies[known].byteCount
    } else {
      count =
        ObservationsRequest(
          ring: ring, filter: spec.filter
        ).json.count
      bodies.removeAll { $0.scope == id }
      bodies.append((id, spec, count))
    }
    return count + (inFlight.since.map { ",\"lastUpdatedAt\":\($0)".utf8.count } ?? 0)
  }

  /// Returns whether the lines read so far start a request.
  func isStarted(_ request: Int64) -> Bool { starts[request] != nil }

  /// Returns the index of a scope in ``scopes``, adding it if it is new.
  private func index(of id: ScopeID) -> UInt16 {
    if let index = scopes.firstIndex(of: id) { return UInt16(clamping: index) }
    // Weather scopes are by place; a log may name any number of them.
    guard scopes.count < Int(LineColumns.none16) else { return LineColumns.none16 }
    scopes.append(id)
    histories.append(ScopeHistory())
    return UInt16(clamping: scopes.count - 1)
  }

  private func noteScopes(after line: Int) {
    for held in replayer.state.scopes.indices {
      let index = Int(index(of: replayer.state.scopes[held].id))
      guard index < histories.count else { continue }
      histories[index].append(ScopeHistory.Status(replayer.state.scopes[held]), after: line)
    }
    if replayer.state.outbox.trackedCount > 0 {
      let outbox = replayer.state.outbox
      histories[Int(index(of: .outbox))].append(
        .init(records: outbox.reports.count, inFlight: outbox.upload?.request ?? 0, failures: outbox.retry.failures),
        after: line)
    }
    for index in scopes.indices where scopes[index] != .outbox && replayer.state.index(of: scopes[index]) == nil {
      histories[index].append(.init(), after: line)
    }
  }

  // MARK: Any line

  /// Returns the state after a line. The state before the first line is that after line -1.
  ///
  /// - Complexity: That of folding the lines since the last keyframe, or since the last line that was asked for.
  package func state(after line: Int) -> State {
    let line = min(line, columns.count - 1)
    var (at, state) = keyframes.last(atOrBefore: line)
    if let cursor, cursor.line <= line, cursor.line > at { (at, state) = cursor }
    while at < line {
      at += 1
      guard let record = record(at) else { break }
      apply(record, to: &state)
    }
    cursor = (at, state)
    return state
  }

  /// Folds a line that was folded before, as ``Replayer`` does.
  func apply(_ record: Record, to state: inout State) {
    // A snapshot follows lines that a failed sync lost.
    if state.nextSeq > 0, record.seq != state.nextSeq { state = State() }
    state.evolve(record)
  }

  /// Returns the bytes of a line, or nil if there is no such line.
  ///
  /// - Parameter limit: The maximum number of bytes to return.
  package func bytes(of line: Int, limit: Int = .max) -> [UInt8]? {
    guard columns.seq.indices.contains(line) else { return nil }
    return read(line, padding: 0, limit: limit)
  }

  /// Returns the event of a line, or nil if its file can't be read any more.
  func record(_ line: Int) -> Record? {
    guard columns.seq.indices.contains(line), let reader,
      let bytes = read(line, padding: LineReading.padding, limit: .max)
    else { return nil }
    let count = Int(columns.length[line])
    return bytes.withUnsafeBytes { bytes -> Record? in
      do throws(UnreadableRecording) {
        return try reader.entry(rereading: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      } catch {
        return nil
      }
    }
  }

  private enum LineReading {
    /// The number of readable bytes past the end of a line that its decoder needs.
    static let padding = 64
  }

  /// Reads a line again, followed by zeros.
  private func read(_ line: Int, padding: Int, limit: Int) -> [UInt8]? {
    let name = Int(columns.file[line])
    if open?.name != name {
      do throws(StorageError) {
        open = (name, try storage.open(files[name], .read))
      } catch {
        return nil
      }
    }
    guard let file = open?.file else { return nil }
    let count = min(Int(columns.length[line]), limit)
    let start = Int64(columns.offset[line])
    var bytes = [UInt8](repeating: 0, count: count + padding)
    let isWhole = bytes.withUnsafeMutableBytes { buffer -> Bool in
      var done = 0
      while done < count {
        do throws(StorageError) {
          let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<count])
          let read = try file.read(into: rest, at: start + Int64(done))
          if read == 0 { return false }
          done += read
        } catch {
          return false
        }
      }
      return true
    }
    return isWhole ? bytes : nil
  }
}

extension ScopeHistory.Status {
  fileprivate init(_ scope: borrowing Scope) {
    self.init(
      watermark: scope.have?.watermark ?? -1, records: scope.recordCount, inFlight: scope.inFlight?.request ?? 0,
      failures: scope.retry.failures)
  }
}

/// Copies of the state, some lines apart, from which any state is folded again in a short time.
struct Keyframes {
  private var frames: [(line: Int, state: State)] = []
  /// The bytes of the log between two copies. Grows with the log, so that the number of copies is limited.
  private var spacing: Int64 = 64 << 10
  private var nextAt: Int64 = 64 << 10
  private static let maximumCount = 512

  /// The number of copies.
  var count: Int { frames.count }

  /// Keeps a copy of the state after a line, if enough bytes of the log lie between it and the last one.
  mutating func offer(_ state: borrowing State, after line: Int, byteCount: Int64) {
    guard byteCount >= nextAt else { return }
    if frames.count == Self.maximumCount {
      frames = frames.enumerated().filter { $0.offset % 2 == 1 }.map { $0.element }
      spacing *= 2
    }
    frames.append((line, copy state))
    nextAt = byteCount + spacing
  }

  /// Returns the last copy at or before a line, or the state before the first line.
  func last(atOrBefore line: Int) -> (line: Int, state: State) {
    let index = index(atOrBefore: line)
    return index >= 0 ? frames[index] : (-1, State())
  }

  /// Returns the index of the last copy up to a line; -1 if all copies are of later lines.
  func index(atOrBefore line: Int) -> Int {
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].line <= line { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  subscript(index: Int) -> (line: Int, state: State) { frames[index] }
}
