import ContrailCompression
import ContrailCore
import ContrailWire

/// Estimates the bytes of exchanges: by the real encoders, and by how the recorded sizes differ from theirs.
struct WireModel: Sendable {
  /// The kind of a request, by the shape of its head.
  enum RequestKind: Hashable, Sendable {
    /// `POST` with the area.
    case area
    /// `GET` with the handle of the area.
    case handle
    case polygons
    case weather
    case upload
  }

  /// The form of a response.
  enum ResponseForm: Hashable, Sendable {
    case json
    /// Compressed JSON. Its head has one field more, `Content-Encoding`.
    case packedJSON
    case compact
    /// Compact, to a request by handle, with the smallest head.
    case compactByHandle
    case notModified
    case upload
  }

  /// A straight line through recorded sizes: the size by the encoder, and the recorded size.
  struct Line: Sendable {
    var offset: Double
    var slope = 1.0
    /// The standard deviation of recorded sizes from the line, in bytes.
    var deviation: Double
    /// Whether it follows from recorded sizes.
    var isRecorded: Bool

    func bytes(_ estimate: Int) -> Int64 { Int64(max(offset + slope * Double(estimate), 1).rounded()) }
  }

  private var up: [RequestKind: Line] = [:]
  private var down: [ResponseForm: Line] = [:]
  /// Whether JSON is compressed on the wire.
  private(set) var packsJSON = true
  /// Whether answers for an area that moved contain only the changes.
  private(set) var changesRecords = true
  /// Whether the server gives handles and compact answers.
  private(set) var isCompact = false

  /// The minimum size of a body that is compressed, in bytes.
  private static let compressionThreshold = 256

  static func kind(_ request: OutgoingRequest) -> RequestKind {
    switch request.scope {
    case .corridor, .viewport: request.method == .get ? .handle : .area
    case .outbox: .upload
    case .weather: .weather
    case .global, .airports: .polygons
    }
  }

  // MARK: Sizes of the encoders

  /// Returns the size of a request's target, entity tag and body as they are sent, without the rest of the head.
  static func plainBytes(_ request: OutgoingRequest) -> Int {
    request.target.utf8.count + (request.ifNoneMatch.map { $0.utf8.count + 17 } ?? 0)
      + packedCount(request.body, 9)
  }

  private static func packedCount(_ bytes: [UInt8], _ level: Int32) -> Int {
    guard bytes.count >= compressionThreshold else { return bytes.count }
    return Gzip.packed(bytes, level: level)?.count ?? bytes.count
  }

  /// Returns the form of an answer and the size of its body in bytes. JSON becomes ``ResponseForm/packedJSON`` if it is compressed.
  private func plainBytes(
    _ answer: ObservationsAnswer, _ form: ResponseForm, changing heldTraffic: [TrafficPosition],
    and heldRecords: HeldRecords
  ) -> (ResponseForm, Int) {
    switch form {
    case .compactByHandle: return (form, answer.compact(milliseconds: 500, changing: heldTraffic).count)
    case .compact:
      guard changesRecords, !heldRecords.isEmpty else { return (form, answer.compact(milliseconds: 500).count) }
      return (form, Self.changes(of: answer, changing: heldTraffic, and: heldRecords))
    default:
      let json = answer.json
      let isPacked = packsJSON && json.count >= Self.compressionThreshold
      return isPacked ? (.packedJSON, Self.packedCount(json, 6)) : (.json, json.count)
    }
  }

  /// Returns the size of a document's body as compressed JSON.
  static func packedBytes(document body: Input.Body) -> Int { packedCount(body.bytes, 6) }

  /// Returns the size of an answer that contains the changes to records of another area. Its sums have the same size as any.
  private static func changes(
    of answer: ObservationsAnswer, changing heldTraffic: [TrafficPosition], and heldRecords: HeldRecords
  ) -> Int {
    var answer = answer
    answer.held = HeldSum(count: answer.reports.count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
    answer.heldPIREPs = answer.heldPIREPs.map { _ in
      HeldSum(count: answer.pireps.count, checksum: answer.pireps.reduce(0) { $0 &+ $1.digest })
    }
    return answer.compact(milliseconds: 500, changing: heldTraffic, and: heldRecords).count
  }

  // MARK: Learning

  mutating func learn(_ all: [RecordedExchange]) {
    // The sizes of repairs depend on what differed.
    let exchanges = all.filter { $0.mode != .repair }
    var upPoints: [RequestKind: [(Double, Double)]] = [:]
    var downPoints: [ResponseForm: [(Double, Double)]] = [:]
    var (packedError, plainError) = (0.0, 0.0)
    isCompact = exchanges.contains { $0.response?.form == .compact || $0.response?.handle != nil }
    for exchange in exchanges {
      guard let response = exchange.response, let spec = exchange.spec, response.status == 200,
        exchange.scope.hasDeltas, response.form == nil, case .answer(let answer) = response.body, !spec.types.isEmpty
      else { continue }
      let json = answer.json
      let body = Double(response.wireBytes - (response.headBytes ?? 0))
      packedError += abs(body - Double(Self.packedCount(json, 6)))
      plainError += abs(body - Double(json.count))
    }
    packsJSON = packedError <= plainError
    changesRecords = Self.changesRecords(exchanges)
    for exchange in exchanges {
      guard let response = exchange.response else { continue }
      if let sent = response.sent {
        upPoints[Self.kind(exchange), default: []].append((Double(exchange.plainBytes), Double(sent.total)))
      }
      if response.status == 304 { downPoints[.notModified, default: []].append((0, Double(response.wireBytes))) }
      if exchange.mode == nil, response.status == 200 {
        downPoints[.upload, default: []].append((0, Double(response.wireBytes)))
      }
      if response.status == 200, exchange.scope.hasDeltas, case .answer(let answer) = response.body {
        let (form, plain) = plainBytes(
          answer, Self.form(response, byHandle: exchange.handle != nil), changing: exchange.heldTraffic,
          and: exchange.heldRecords)
        downPoints[form, default: []].append((Double(plain), Double(response.wireBytes)))
      }
    }
    up = upPoints.mapValues(Self.line)
    down = downPoints.mapValues(Self.line)
  }

  /// Whether answers for an area that moved contain only the changes, as those of the reference server do.
  private static func changesRecords(_ exchanges: [RecordedExchange]) -> Bool {
    var (changesError, completeError) = (0.0, 0.0)
    for exchange in exchanges where !exchange.heldRecords.isEmpty {
      guard let response = exchange.response, response.status == 200, response.form == .compact,
        case .answer(let answer) = response.body
      else { continue }
      let body = Double(response.wireBytes - (response.headBytes ?? 0))
      let changes = Self.changes(of: answer, changing: exchange.heldTraffic, and: exchange.heldRecords)
      changesError += abs(body - Double(changes))
      completeError += abs(body - Double(answer.compact(milliseconds: 500).count))
    }
    return changesError <= completeError
  }

  private static func kind(_ exchange: RecordedExchange) -> RequestKind {
    switch exchange.scope {
    case .corridor, .viewport: exchange.handle == nil ? .area : .handle
    case .outbox: .upload
    case .weather: .weather
    case .global, .airports: .polygons
    }
  }

  private static func form(_ response: Input.Response, byHandle: Bool) -> ResponseForm {
    response.form == .compact ? byHandle ? .compactByHandle : .compact : .json
  }

  /// Fits a line by least squares.
  private static func line(_ points: [(Double, Double)]) -> Line {
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.0 } / count
    let meanY = points.reduce(0) { $0 + $1.1 } / count
    let variance = points.reduce(0) { $0 + ($1.0 - meanX) * ($1.0 - meanX) } / count
    let covariance = points.reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / count
    // With few different sizes, a slope would be a guess.
    let slope = points.count < 8 || variance < 100 ? 1 : min(max(covariance / variance, 0.5), 2)
    let offset = meanY - slope * meanX
    let residual =
      points.reduce(0) { sum, point in
        let error = point.1 - (offset + slope * point.0)
        return sum + error * error
      } / count
    return Line(offset: offset, slope: slope, deviation: residual.squareRoot(), isRecorded: true)
  }

  // MARK: Estimating

  /// The bytes of a request or a response, and their uncertainty.
  struct Estimate {
    var bytes: Int64
    /// The standard deviation, in bytes.
    var deviation: Double
    /// Whether the recording contains such an exchange.
    var isRecorded: Bool
  }

  private static let defaultUp: [RequestKind: Double] = [
    .area: 230, .handle: 60, .polygons: 120, .weather: 90, .upload: 260,
  ]
  /// The sizes of the reference server's response heads, in bytes. The heads of JSON answers are counted without an area handle.
  private static let defaultDown: [ResponseForm: Double] = [
    .json: 163, .packedJSON: 189, .compact: 197, .compactByHandle: 39, .notModified: 150, .upload: 190,
  ]

  func upBytes(_ request: OutgoingRequest, plain: Int) -> Estimate {
    let kind = Self.kind(request)
    let line = up[kind] ?? Line(offset: Self.defaultUp[kind] ?? 0, deviation: 30, isRecorded: false)
    return Estimate(bytes: line.bytes(plain), deviation: line.deviation, isRecorded: line.isRecorded)
  }

  func downBytes(
    _ answer: ObservationsAnswer, _ form: ResponseForm, changing heldTraffic: [TrafficPosition],
    and heldRecords: HeldRecords
  ) -> Estimate {
    let (form, plain) = plainBytes(answer, form, changing: heldTraffic, and: heldRecords)
    return estimate(form, plain)
  }

  func downBytes(_ form: ResponseForm) -> Estimate { estimate(form, 0) }

  private func estimate(_ form: ResponseForm, _ plain: Int) -> Estimate {
    let line = down[form] ?? Line(offset: Self.defaultDown[form] ?? 0, deviation: 30, isRecorded: false)
    return Estimate(bytes: line.bytes(plain), deviation: line.deviation, isRecorded: line.isRecorded)
  }

  /// Returns the uncounted bytes of a recorded request.
  func upBytes(of exchange: RecordedExchange) -> Int64 {
    let kind = Self.kind(exchange)
    let line = up[kind] ?? Line(offset: Self.defaultUp[kind] ?? 0, deviation: 30, isRecorded: false)
    return line.bytes(exchange.plainBytes)
  }
}
