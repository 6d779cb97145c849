import ContrailCore
import ContrailWire

/// The body of an answer, decoded once: the fold takes the decoded answer, and the log contains its JSON.
struct ReceivedBody {
  let body: Input.Body
  /// The form in which the body arrived, if it isn't JSON.
  private(set) var form: Input.BodyForm?
  /// The server's time in milliseconds since 1970, if the body contains it.
  private(set) var serverTimeMS: Int64?

  /// Reads a body. One that can't be read is kept as it came, and the fold rejects it.
  ///
  /// - Parameters:
  ///   - bytes: The body, decompressed.
  ///   - status: The HTTP status of the answer.
  ///   - request: The request that was answered.
  ///   - secrets: The secrets to mask.
  init(_ bytes: [UInt8], status: Int, to request: OutgoingRequest, masking secrets: SecretFilter) {
    let isOfArea = status == 200 && request.scope.hasDeltas
    let mark = request.scope.hasDeltas ? ObservationsAnswer.compactMark : PolygonsAnswer.compactMark
    guard status == 200, request.acceptsCompact, bytes.first == mark else {
      let bytes = secrets.filtered(bytes)
      let answer = isOfArea ? bytes.withUnsafeBytes { ObservationsAnswer(canonical: $0) } : nil
      body = answer.map { Input.Body($0) } ?? Input.Body(placing: bytes)
      return
    }
    form = .compact
    if isOfArea {
      let read = bytes.withUnsafeBytes {
        try? ObservationsAnswer.read(compact: $0, changing: request.heldTraffic, and: request.heldRecords)
      }
      if let (answer, milliseconds) = read {
        body = Input.Body(secrets.isEmpty ? answer : answer.masking(secrets))
        serverTimeMS = answer.token * 1000 + milliseconds
        return
      }
    } else if let answer = bytes.withUnsafeBytes({ try? PolygonsAnswer(compact: $0) }) {
      body = Input.Body(placing: secrets.filtered(answer.json))
      return
    }
    body = Input.Body(placing: secrets.filtered(bytes))
  }
}

extension ObservationsAnswer {
  /// Returns the answer with the secrets in its texts masked. Nothing else in it can repeat a secret.
  fileprivate func masking(_ secrets: SecretFilter) -> ObservationsAnswer {
    var answer = self
    for index in answer.pireps.indices {
      answer.pireps[index].id = secrets.filtered(answer.pireps[index].id)
      answer.pireps[index].text = secrets.filtered(answer.pireps[index].text)
    }
    guard var traffic else { return answer }
    for index in traffic.indices {
      traffic[index].id = secrets.filtered(traffic[index].id)
      traffic[index].callsign = secrets.filtered(traffic[index].callsign)
    }
    answer.traffic = traffic
    return answer
  }

  /// An upper bound of the size of ``json``.
  fileprivate var maximumJSONBytes: Int {
    // A character takes at most six bytes, and the other members of a record have at most 20 digits each.
    let records = 512 + 96 * reports.count + 320 * (pireps.count + (traffic?.count ?? 0))
    let texts = pireps.reduce(0) { $0 + $1.id.utf8.count + $1.text.utf8.count }
    return records + 6 * (traffic ?? []).reduce(texts) { $0 + $1.id.utf8.count + $1.callsign.utf8.count }
  }
}

extension Input.Body {
  /// Creates the body of a decoded answer: within its line, or as a blob if the line would be too long.
  init(_ answer: ObservationsAnswer) {
    self = answer.maximumJSONBytes <= Self.maximumInlineBytes ? .answer(answer) : Input.Body(placing: answer.json)
  }

  /// Creates a body of bytes: within its line if they are JSON on one line, otherwise as a blob.
  package init(placing bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .none
      return
    }
    if bytes.count <= Self.maximumInlineBytes, !bytes.contains(0x0A), !bytes.contains(0x0D) {
      if let document = try? JSONDocument(bytes) {
        self = .document(document)
        return
      }
      if Self.isJSON(bytes) {
        self = .inline(bytes)
        return
      }
    }
    self = .blob(BlobName(of: bytes), bytes)
  }

  /// The bytes that are stored beside the log; nil if the body is within its line.
  var blob: [UInt8]? { if case .blob(_, let bytes) = self { bytes } else { nil } }

  /// The maximum size of a body within a log line, in bytes.
  package static let maximumInlineBytes = 8 << 20

  /// Whether the bytes are one JSON value.
  package static func isJSON(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do throws(JSONError) {
        try json.skipValue()
        try json.end()
        return true
      } catch {
        return false
      }
    }
  }
}
