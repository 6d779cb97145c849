import ContrailCompression
import ContrailGeodesy
import ContrailH3
import ContrailWire

@testable import ContrailAirportBuilder
@testable import ContrailAirportData
@testable import ContrailCore
@testable import ContrailLog
@testable import ContrailQuery
@testable import ContrailReplay

/// The parsers of foreign bytes. Each reads any bytes without a trap, and says of equal bytes the same in every way in
/// which they can be read.
enum Target: String, CaseIterable {
  case line, event, snapshot, recording
  case answer, compact, json, request, handle, service
  case gzip, xz, airports, delta, plist, csv
  case pireps, sigmets, states, geojson
  case track, scenario, weather

  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .line: Log.line(bytes)
    case .event: Log.event(bytes)
    case .snapshot: Log.snapshot(bytes)
    case .recording: Log.recording(bytes)
    case .answer: Wire.answer(bytes)
    case .compact: Wire.compact(bytes)
    case .json: Wire.json(bytes)
    case .request: Wire.request(bytes)
    case .handle: Wire.handle(bytes)
    case .service: Wire.service(bytes)
    case .gzip: Packed.gzip(bytes)
    case .xz: Packed.xz(bytes)
    case .airports: Airports.file(bytes)
    case .delta: Airports.delta(bytes)
    case .plist: Airports.propertyList(bytes)
    case .csv: Airports.csv(bytes)
    case .pireps, .sigmets, .states: Day.read(bytes, as: self)
    case .geojson: _ = TurbulenceArea.areas(in: Array(bytes))
    case .track: Words.track(bytes)
    case .scenario: Words.scenario(bytes)
    case .weather: Words.weather(bytes)
    }
  }
}

/// Ends the process with a message, so that the fuzzer keeps the bytes.
func require(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
  if !condition { fatalError("line \(line): \(message())") }
}

/// Calls `body` with a copy of the bytes, behind which 64 more are readable, as the log's reader gives them.
func withPadding(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 64, alignment: 64)
  defer { copy.deallocate() }
  copy.copyBytes(from: bytes)
  body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
}

enum Log {
  /// A line is read alike by the fast path and by the slow one.
  static func line(_ bytes: UnsafeRawBufferPointer) {
    withPadding(bytes) { bytes in
      let read = try? LogEnvelope.read(bytes)
      let slow = read?.envelope
      guard let fast = LogLine(canonical: bytes) else { return }
      // A crc of another form, such as that of a log without them, stays in the payload, where only the header reads it.
      if read?.crc != nil, fast.crc == nil { return }
      // The payload of a canonical line is checked by its CRC, or as JSON.
      guard LogLine.isOneLineValue(bytes) else { return }
      require(slow != nil, "the slow path refuses what the fast one reads")
      guard var slow else { return }
      // Only the slow path takes the whitespace from between the members.
      var envelope = fast.envelope
      slow.payload = JSONWriter.compact(slow.payload)
      envelope.payload = JSONWriter.compact(envelope.payload)
      require(slow == envelope, "\(slow) and \(envelope) differ")
    }
  }

  /// The first byte chooses the kind.
  static func event(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    let kind = Kind.allCases[Int(first) % Kind.allCases.count]
    compare(kind, UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  static func snapshot(_ bytes: UnsafeRawBufferPointer) { compare(.snapshotPart, bytes) }

  private static func compare(_ kind: Kind, _ payload: UnsafeRawBufferPointer) {
    withPadding(payload) { payload in
      let fast = try? Event(kind: kind, payload: payload)
      let slow = try? Event(anySpelling: kind, payload: payload)
      // A log contains lines of valid JSON only.
      let line = Array("{".utf8) + payload + Array("}".utf8)
      guard line.withUnsafeBytes({ LogLine.isOneLineValue($0) }) else { return }
      require(
        fast == slow,
        "\(kind): the fast path reads \(String(describing: fast)), the slow one \(String(describing: slow))")
      guard let slow, kind != .segmentOpened, kind != .logSynced else { return }
      let written = slow.payload
      let again = written.withUnsafeBytes { try? Event(kind: kind, payload: $0) }
      require(again == slow, "\(kind) is read back as something else: \(String(decoding: written, as: UTF8.self))")
      var state = State()
      state.evolve(Record(seq: 0, at: 1_740_000_000_000, event: slow))
      _ = state.decide()
      _ = state.digest
    }
  }

  /// A whole recording: read, folded, and every decision taken again.
  static func recording(_ bytes: UnsafeRawBufferPointer) {
    let storage = MemoryStorage(["flight.jsonl": Array(bytes)])
    guard let reader = try? RecordingReader(path: "flight.jsonl", storage: storage, maximumLineBytes: 1 << 20) else {
      return
    }
    var replayer = Replayer()
    do {
      while let entry = try reader.next() { replayer.fold(entry) }
    } catch {}
    replayer.finish()
    let playback = Playback(path: "flight.jsonl", storage: storage)
    while playback.step(byteCount: 1 << 20) {}
    require(playback.replayer.state.digest == replayer.state.digest, "the page folds another state")
  }
}

enum Wire {
  /// The scanner of canonical answers against the reader of any spelling.
  static func answer(_ bytes: UnsafeRawBufferPointer) {
    let slow = try? ObservationsAnswer(anySpelling: bytes)
    let fast = ObservationsAnswer(canonical: bytes)
    if let fast {
      require(slow == fast, "the slow path reads \(String(describing: slow)), the fast one \(fast)")
      require(fast.json.elementsEqual(bytes), "canonical bytes are written otherwise")
    }
    guard let slow else { return }
    let again = slow.json.withUnsafeBytes { ObservationsAnswer(canonical: $0) }
    require(again == nil || again == slow, "what is written is read as something else")
  }

  /// What a client may hold: two reports and a PIREP.
  private static let held = HeldRecords(
    reports: [1, 2].map {
      TurbulenceReport(cell: $0 << 15, altitude: 30, severity: 2, edrE4: 1000, observedAt: 1_700_000_000)
    },
    pireps: [
      PIREP(
        id: "A", position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), flightLevel: nil, severity: nil,
        isUrgent: false,
        observedAt: 1_700_000_000, updatedAt: 1_700_000_000, text: "")
    ])

  static func compact(_ bytes: UnsafeRawBufferPointer) {
    stream(Array(bytes))
    if let sketch = try? RecordSketch(bytes) {
      require(sketch.bytes.elementsEqual(bytes), "a sketch is read back as something else")
      let own = RecordSketch(of: held, areaDigest: sketch.areaDigest, cellCount: sketch.cellCount)
      require(own.difference(from: sketch).map { $0.count <= sketch.cellCount } ?? true, "more keys than cells")
    }
    if let answer = try? PolygonsAnswer(compact: bytes) {
      let points = answer.areas.reduce(0) { count, area in
        area.polygons.reduce(count) { $0 + $1.outer.count + $1.holes.reduce(0) { $0 + $1.count } }
      }
      require(points <= 12 * bytes.count, "more points than the bytes can contain")
      let json = answer.json
      require((try? PolygonsAnswer.token(JSONDocument(json))) == answer.token, "invalid areas")
      let again = answer.compact.withUnsafeBytes { try? PolygonsAnswer(compact: $0) }
      require(again?.json == json, "compact areas change")
    }
    if let (answer, _) = try? ObservationsAnswer.read(compact: bytes, and: held) {
      require(answer.reports.count <= held.reports.count + bytes.count, "more reports than the bytes can contain")
      let again = answer.compact(milliseconds: 0, and: held).withUnsafeBytes {
        try? ObservationsAnswer.read(compact: $0, and: held)
      }
      require(again.map { Set($0.answer.reports) } == Set(answer.reports), "changes of records lose reports")
      let line = answer.json.withUnsafeBytes { try? ObservationsAnswer(json: $0) }
      require(line == answer, "the JSON of changes is read as something else")
    }
    guard let (answer, milliseconds) = try? ObservationsAnswer.read(compact: bytes) else { return }
    let json = answer.json
    let again = json.withUnsafeBytes { try? ObservationsAnswer(json: $0) }
    require(again == answer, "the JSON of a compact answer is read as something else")
    let written = answer.compact(milliseconds: milliseconds)
    let back = written.withUnsafeBytes { try? ObservationsAnswer.read(compact: $0) }
    require(back.map { Set($0.answer.reports) } == Set(answer.reports), "a compact answer loses reports")
    require(back?.milliseconds == milliseconds && back?.answer.token == answer.token, "a compact answer changes")
  }

  /// The answers of a stream are the same however the bytes come, and are written as they were read.
  private static func stream(_ bytes: [UInt8]) {
    let limit = 1 << 12
    let answers = parts(of: bytes, in: max(bytes.count, 1), limit: limit)
    require(answers == parts(of: bytes, in: 7, limit: limit), "answers of a stream depend on how the bytes come")
    require(answers.allSatisfy { $0.body.count <= limit }, "an answer exceeds the limit")
    require(answers.reduce(0) { $0 + $1.streamBytes } <= bytes.count, "answers take more bytes than came")
    let written = answers.reduce(CompactStream.head) { $0 + CompactStream.part($1.body) }
    let again = parts(of: written, in: written.count, limit: limit)
    require(again.map(\.body) == answers.map(\.body), "a stream is read back as something else")
  }

  private static func parts(of bytes: [UInt8], in step: Int, limit: Int) -> [CompactStream.Part] {
    var stream = CompactStream(limit: limit)
    var parts: [CompactStream.Part] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      stream.append(Array(bytes[start..<min(start + step, bytes.count)]))
      do {
        while let part = try stream.next() { parts.append(part) }
      } catch {
        return parts
      }
    }
    return parts
  }

  static func json(_ bytes: UnsafeRawBufferPointer) {
    var reader = JSONReader(bytes)
    let isRead = (try? reader.skipValue()) != nil
    if isRead { require(reader.position <= bytes.count, "beyond the end") }
    let compact = JSONWriter.compact(Array(bytes))
    let isValue = LogLine.isOneLineValue(bytes)
    if isValue {
      require(compact.withUnsafeBytes { LogLine.isOneLineValue($0) }, "without whitespace it is no value")
      require(JSONWriter.compact(compact) == compact, "whitespace is left")
    }
  }

  static func request(_ bytes: UnsafeRawBufferPointer) {
    if let request = try? ObservationsRequest(json: bytes) {
      let again = request.json.withUnsafeBytes { try? ObservationsRequest(json: $0) }
      require(again?.json == request.json, "a request is read back as something else")
    }
    if let upload = try? ReportsUpload(json: bytes) {
      let again = upload.json.withUnsafeBytes { try? ReportsUpload(json: $0) }
      require(again?.reports == upload.reports, "an upload is read back as something else")
    }
  }

  /// A request by handle: `HANDLE?name=value&…`.
  static func handle(_ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
      let sides = item.split(separator: "=", maxSplits: 1)
      return (name: String(sides.first ?? ""), value: sides.count > 1 ? String(sides[1]) : "")
    }
    let wait = HoldTerms.wait(items.first?.value)
    if let request = try? AreaRequest(handle: String(parts.first ?? ""), items: items, wait: wait) {
      require((request.hold == nil) == (wait == nil), "a request is held that doesn't ask for it")
    }
    _ = try? PolygonsRequest(hours: items.first?.value, area: items.last?.value)
  }

  /// What else a server answers.
  static func service(_ bytes: UnsafeRawBufferPointer) {
    _ = ServiceError(status: 400, json: bytes)
    if let answer = try? UploadAnswer(json: bytes, reportCount: 500) {
      let again = answer.json.withUnsafeBytes { try? UploadAnswer(json: $0, reportCount: 500) }
      require(again == answer, "the answer to an upload is read back as something else")
      require(answer.heldBack.allSatisfy { $0.report < 500 }, "a report is held back that wasn't sent")
    }
    guard let document = try? JSONDocument(Array(bytes)) else { return }
    _ = try? PolygonsAnswer.token(document)
    _ = try? WeatherHead.serverTime(document)
    require(document.compact == JSONWriter.compact(document.bytes), "a compact document isn't one")
  }
}

enum Packed {
  static func gzip(_ bytes: UnsafeRawBufferPointer) {
    let limit = 1 << 20
    guard let unpacked = try? Gzip.unpacked(Array(bytes), limit: limit) else { return }
    require(unpacked.count <= limit, "more than the limit")
    guard let packed = Gzip.packed(unpacked) else { return }
    require((try? Gzip.unpacked(packed, limit: limit)) == unpacked, "packing changes the bytes")
  }

  static func xz(_ bytes: UnsafeRawBufferPointer) {
    let limits = XZDecoder.Limits(memoryBytes: 16 << 20, outputBytes: 1 << 20)
    if let unpacked = try? XZ.decompress(Array(bytes), limits: limits) {
      require(unpacked.count <= 1 << 20, "more than the limit")
    }
  }
}

enum Airports {
  static func file(_ bytes: UnsafeRawBufferPointer) {
    guard var reader = try? AirportReader(unpacked: Array(bytes)) else { return }
    read(&reader)
  }

  static func propertyList(_ bytes: UnsafeRawBufferPointer) {
    guard var reader = try? AirportPropertyListReader(Array(bytes)) else { return }
    while let airport = try? reader.nextAirport() { _ = airport.name }
  }

  static func delta(_ bytes: UnsafeRawBufferPointer) {
    guard let delta = try? AirportDelta(unpacked: Array(bytes)) else { return }
    _ = delta.header
  }

  private static func read(_ reader: inout AirportReader) {
    while let airport = try? reader.next() { _ = airport.name }
  }

  /// Rows are the same however the bytes come.
  static func csv(_ bytes: UnsafeRawBufferPointer) {
    func rows(in step: Int) -> [String] {
      var reader = CSVReader()
      var rows: [String] = []
      var start = 0
      repeat {
        let end = min(start + step, bytes.count)
        reader.append(bytes[start..<end])
        if end == bytes.count { reader.finish() }
        while let item = reader.next() { rows.append("\(item)") }
        start = end
      } while start < bytes.count
      return rows
    }
    require(rows(in: max(bytes.count, 1)) == rows(in: 7), "rows depend on how the bytes come")
  }
}
