import ContrailCompression
import ContrailCore
import ContrailWire

/// Estimates the bytes of exchanges: by the real encoders, and by how the recorded sizes differ from theirs.
///
/// The head of a request is that of the client, so only the host, the path and the key are learned, which all requests to a server
/// share. The head of an answer is the server's and learned for each form. Requests by handle that share an exchange share its heads.
struct WireModel: Sendable {
  /// The form of a response.
  enum ResponseForm: Hashable, Sendable {
    case json
    /// Compressed JSON. Its head has one field more, `Content-Encoding`.
    case packedJSON
    case compact
    /// The compact form, compressed. Its head has one field more, too.
    case packedCompact
    /// Compact, to requests by handle, with the smallest head. It isn't compressed.
    case compactByHandle
    /// The body of an answer to a repair, with the head of ``compactByHandle``.
    case repair
    case notModified
    case upload

    var isJSON: Bool { self == .json || self == .packedJSON }

    /// The size of the reference server's response head, in bytes.
    fileprivate var defaultHeadBytes: Int64 {
      switch self {
      case .json: 163
      case .packedJSON: 189
      case .compact: 197
      case .packedCompact: 223
      case .compactByHandle, .repair: 39
      case .notModified: 150
      case .upload: 190
      }
    }
  }

  /// A size in bytes, and its uncertainty.
  struct Estimate {
    var bytes: Int64
    /// The standard deviation, in bytes.
    var deviation: Double
    /// Whether it follows from recorded sizes.
    var isRecorded: Bool

    static let none = Estimate(bytes: 0, deviation: 0, isRecorded: true)

    var sent: SentBytes { SentBytes(total: bytes, head: 0) }

    static func + (a: Estimate, b: Estimate) -> Estimate {
      Estimate(
        bytes: a.bytes + b.bytes, deviation: (a.deviation * a.deviation + b.deviation * b.deviation).squareRoot(),
        isRecorded: a.isRecorded && b.isRecorded)
    }
  }

  /// The size of a request as written in HTTP/1.1, without its host, path and key: without TLS, and over it.
  struct RequestSize: Sendable, Hashable {
    var plain: Int
    var secure: Int
  }

  /// A straight line through recorded sizes: the size by the encoder, and the recorded size.
  private struct Line {
    var offset = 0.0
    var slope = 1.0
    /// The standard deviation of recorded sizes from the line, in bytes.
    var deviation = 0.0
  }

  /// Recorded numbers, as their middle and their standard deviation.
  private struct Sample {
    var middle: Double
    var deviation: Double

    init?(_ numbers: [Double]) {
      guard !numbers.isEmpty else { return nil }
      let middle = numbers.sorted()[numbers.count / 2]
      self.middle = middle
      deviation = (numbers.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(numbers.count)).squareRoot()
    }
  }

  /// The bytes of the host, the path and the key, for the service and for the weather.
  private var base: Sample?
  private var weatherBase: Sample?
  /// Whether requests go over TLS.
  private var isSecure = false
  /// Whether the recording tells which. Only requests by handle differ.
  private var isSecurityKnown = false
  /// Those of JSON don't contain the fields of a handle.
  private var heads: [ResponseForm: Sample] = [:]
  /// The bytes of the fields of a handle.
  private var handleBytes: Int64 = 0
  private var bodies: [ResponseForm: Line] = [:]
  /// Whether JSON is compressed on the wire.
  private(set) var packsJSON = true
  /// Whether compact answers to requests without a handle are compressed.
  private var packsCompact = true
  /// Whether answers for an area that moved contain only the changes.
  private(set) var changesRecords = true
  /// Whether the server gives handles and compact answers.
  private(set) var isCompact = false

  // MARK: Sizes of the encoders

  /// Returns the size of a body as it is sent.
  static func bodyBytes(_ request: OutgoingRequest) -> Int {
    request.packsBody ? packedCount(request.body, 9) : request.body.count
  }

  /// Returns the size of a request, or of several that share an exchange.
  ///
  /// - Parameter bodyBytes: The size of the body as it is sent.
  static func size(_ exchange: [OutgoingRequest], bodyBytes: Int) -> RequestSize {
    func size(_ isSecure: Bool) -> Int {
      let (target, fields) = OutgoingRequest.head(of: exchange, isSecure: isSecure)
      var count = exchange[0].method.rawValue.utf8.count + target.utf8.count + bodyBytes
      for (name, value) in fields { count += name.utf8.count + value.utf8.count + 4 }
      return bodyBytes == 0 ? count : count + "Content-Length: \(bodyBytes)\r\n".utf8.count
    }
    return RequestSize(plain: size(false), secure: size(true))
  }

  private static func packedCount(_ bytes: [UInt8], _ level: Int32) -> Int {
    Gzip.packed(bytes, level: level)?.count ?? bytes.count
  }

  /// Returns the form of an answer and the size of its body in bytes. A form becomes its packed one if the answer is compressed.
  private func encodedBytes(
    _ answer: ObservationsAnswer, _ form: ResponseForm, changing heldTraffic: [TrafficPosition],
    and heldRecords: HeldRecords
  ) -> (ResponseForm, Int) {
    switch form {
    case .compactByHandle: return (form, answer.compact(milliseconds: 500, changing: heldTraffic).count)
    case .repair: return (form, Self.changes(of: answer, changing: heldTraffic, and: heldRecords).count)
    case .compact, .packedCompact:
      let bytes = compactBytes(answer, changing: heldTraffic, and: heldRecords)
      let isPacked = packsCompact && bytes.count >= OutgoingRequest.packedFromBytes
      return isPacked ? (.packedCompact, Self.packedCount(bytes, 6)) : (.compact, bytes.count)
    default:
      let json = answer.json
      let isPacked = packsJSON && json.count >= OutgoingRequest.packedFromBytes
      return isPacked ? (.packedJSON, Self.packedCount(json, 6)) : (.json, json.count)
    }
  }

  /// Returns the compact answer to a request without a handle.
  private func compactBytes(
    _ answer: ObservationsAnswer, changing heldTraffic: [TrafficPosition], and heldRecords: HeldRecords
  ) -> [UInt8] {
    guard changesRecords, !heldRecords.isEmpty else { return answer.compact(milliseconds: 500) }
    return Self.changes(of: answer, changing: heldTraffic, and: heldRecords)
  }

  /// Returns the size of a document's body as compressed JSON.
  static func packedBytes(document body: Input.Body) -> Int { packedCount(body.bytes, 6) }

  /// Returns an answer that contains the changes to records of another area. Its sums have the same size as any.
  private static func changes(
    of answer: ObservationsAnswer, changing heldTraffic: [TrafficPosition], and heldRecords: HeldRecords
  ) -> [UInt8] {
    var answer = answer
    answer.held = HeldSum(count: answer.reports.count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
    answer.heldPIREPs = answer.heldPIREPs.map { _ in
      HeldSum(count: answer.pireps.count, checksum: answer.pireps.reduce(0) { $0 &+ $1.digest })
    }
    return answer.compact(milliseconds: 500, changing: heldTraffic, and: heldRecords)
  }

  /// Returns the size of the fields in the head of a response that name the handle of an area and what the server does for it.
  private static func handleBytes(_ response: Input.Response) -> Int64? {
    guard let handle = response.handle else { return nil }
    var fields = [(WireHeader.area, handle)]
    if response.repairs { fields.append((WireHeader.repairs, "1")) }
    if response.holdSeconds > 0 { fields.append((WireHeader.holds, "\(response.holdSeconds)")) }
    return fields.reduce(0) { $0 + Int64($1.0.utf8.count + $1.1.utf8.count + 4) }
  }

  // MARK: Learning

  mutating func learn(_ exchanges: [RecordedExchange], in world: RecordedWorld) {
    learnRequests(exchanges)
    // The sizes of repairs depend on what differed.
    learnResponses(exchanges.filter { $0.mode != .repair }, in: world)
  }

  private mutating func learnRequests(_ exchanges: [RecordedExchange]) {
    var plain: [Double] = []
    var secure: [Double] = []
    var weather: [Double] = []
    for exchange in exchanges {
      guard let size = exchange.size, let sent = exchange.sent, sent.total > 0 else { continue }
      if exchange.scope.weatherPlace != nil {
        weather.append(Double(sent.total) - Double(size.plain))
      } else {
        plain.append(Double(sent.total) - Double(size.plain))
        secure.append(Double(sent.total) - Double(size.secure))
      }
    }
    let (overPlain, overTLS) = (Sample(plain), Sample(secure))
    if let overPlain, let overTLS { isSecure = overTLS.deviation < overPlain.deviation }
    isSecurityKnown = exchanges.lazy.compactMap(\.size).contains { $0.plain != $0.secure }
    base = isSecure ? overTLS : overPlain
    weatherBase = Sample(weather)
  }

  private mutating func learnResponses(_ exchanges: [RecordedExchange], in world: RecordedWorld) {
    var headCounts: [ResponseForm: [Double]] = [:]
    var points: [ResponseForm: [(Double, Double)]] = [:]
    var followers: [Int64: [Int]] = [:]
    for exchange in exchanges where exchange.size == nil {
      followers[exchange.leader, default: []].append(Int(exchange.response?.wireBytes ?? 0))
    }
    handleBytes = exchanges.lazy.compactMap { $0.response.flatMap(Self.handleBytes) }.first ?? 0
    isCompact = exchanges.contains { $0.response?.form == .compact || $0.response?.handle != nil }
    changesRecords = Self.changesRecords(exchanges, in: world)
    packsJSON = packs(exchanges, nil, in: world) { _, answer in answer.json }
    packsCompact = packs(exchanges, .compact, in: world) { exchange, answer in
      compactBytes(answer, changing: exchange.heldTraffic, and: exchange.heldRecords)
    }
    for exchange in exchanges {
      guard let response = exchange.response(in: world) else { continue }
      if response.status == 304 { headCounts[.notModified, default: []].append(Double(response.wireBytes)) }
      if exchange.mode == nil, response.status == 200 {
        headCounts[.upload, default: []].append(Double(response.wireBytes))
      }
      guard response.status == 200, exchange.scope.hasDeltas, case .answer(let answer) = response.body else { continue }
      let (form, encoded) = encodedBytes(
        answer, response.form == .compact ? exchange.handle == nil ? .compact : .compactByHandle : .json,
        changing: exchange.heldTraffic, and: exchange.heldRecords)
      // The second of an exchange has no head of its own.
      let head = exchange.size == nil ? 0 : response.headBytes
      if let head, head > 0 {
        headCounts[form, default: []].append(Double(head - (form.isJSON ? handleBytes : 0)))
      }
      var body = response.wireBytes - (head ?? 0)
      if exchange.size != nil, let others = followers[exchange.leader] {
        body -= Int64(CompactBundle.overheadBytes(of: [encoded] + others))
      }
      points[form, default: []].append((Double(encoded), Double(body)))
    }
    heads = headCounts.compactMapValues { Sample($0) }
    bodies = points.mapValues(Self.line)
  }

  /// Whether answers of a form are compressed, by whether their sizes are rather those of compressed ones.
  private func packs(
    _ exchanges: [RecordedExchange], _ form: Input.BodyForm?, in world: RecordedWorld,
    _ bytes: (RecordedExchange, ObservationsAnswer) -> [UInt8]
  ) -> Bool {
    var (packedError, plainError) = (0, 0)
    for exchange in exchanges where exchange.handle == nil {
      guard let response = exchange.response(in: world), response.status == 200, response.form == form,
        case .answer(let answer) = response.body, let spec = exchange.spec, !spec.types.isEmpty
      else { continue }
      let bytes = bytes(exchange, answer)
      guard bytes.count >= OutgoingRequest.packedFromBytes else { continue }
      let sent = Int(response.wireBytes - (response.headBytes ?? 0))
      packedError += abs(sent - Self.packedCount(bytes, 6))
      plainError += abs(sent - bytes.count)
    }
    return packedError <= plainError
  }

  /// Whether answers for an area that moved contain only the changes, as those of the reference server do.
  private static func changesRecords(_ exchanges: [RecordedExchange], in world: RecordedWorld) -> Bool {
    var (changesError, completeError) = (0.0, 0.0)
    for exchange in exchanges where !exchange.heldRecords.isEmpty {
      guard let response = exchange.response(in: world), response.status == 200, response.form == .compact,
        case .answer(let answer) = response.body
      else { continue }
      let body = Double(response.wireBytes - (response.headBytes ?? 0))
      let changes = Self.changes(of: answer, changing: exchange.heldTraffic, and: exchange.heldRecords).count
      changesError += abs(body - Double(changes))
      completeError += abs(body - Double(answer.compact(milliseconds: 500).count))
    }
    return changesError <= completeError
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
    return Line(offset: offset, slope: slope, deviation: residual.squareRoot())
  }

  // MARK: Estimating

  /// The bytes of a host and a key in a request, of which the recording tells nothing.
  private static let defaultBase: Int64 = 80
  /// How much heads differ that weren't recorded.
  private static let foreignDeviation = 30.0

  func upBytes(_ size: RequestSize, isWeather: Bool) -> Estimate {
    let bytes = Int64(isSecure ? size.secure : size.plain)
    guard let base = isWeather ? weatherBase ?? base : base else {
      return Estimate(bytes: bytes + Self.defaultBase, deviation: Self.foreignDeviation, isRecorded: false)
    }
    let doubt = isSecurityKnown ? 0 : abs(Double(size.secure - size.plain))
    return Estimate(
      bytes: max(bytes + Int64(base.middle), 1), deviation: base.deviation + doubt,
      isRecorded: doubt == 0 && (!isWeather || weatherBase != nil))
  }

  /// Returns the size of the body of an answer, and its form.
  func bodyBytes(
    _ answer: ObservationsAnswer, _ form: ResponseForm, changing heldTraffic: [TrafficPosition],
    and heldRecords: HeldRecords
  ) -> (form: ResponseForm, Estimate) {
    let (form, encoded) = encodedBytes(answer, form, changing: heldTraffic, and: heldRecords)
    let line = bodies[form] ?? Line()
    let bytes = Int64(max(line.offset + line.slope * Double(encoded), 1).rounded())
    return (form, Estimate(bytes: bytes, deviation: line.deviation, isRecorded: bodies[form] != nil))
  }

  /// Returns the size of the head of a response, or of a whole response without records.
  ///
  /// - Parameter givesHandles: Whether the server gives handles, also with JSON.
  func headBytes(_ form: ResponseForm, givesHandles: Bool = false) -> Estimate {
    let handle = form.isJSON && givesHandles ? handleBytes : 0
    if let head = heads[form] {
      return Estimate(bytes: Int64(head.middle) + handle, deviation: head.deviation, isRecorded: true)
    }
    // A log of before doesn't count heads, but whole responses.
    if bodies[form] != nil { return .none }
    return Estimate(bytes: form.defaultHeadBytes + handle, deviation: Self.foreignDeviation, isRecorded: false)
  }
}
