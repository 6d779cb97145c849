package import ContrailGeodesy
package import ContrailLog
package import ContrailWire

/// A line of the service's log: what a feed answered, what a tablet sent, and which areas have handles.
///
///     {"seq":7,"at":…,"kind":"feed.answered","source":"awc.pirep","status":200,"etag":"\"5f1\"","body":"[{…}]","crc":"…"}
///
/// The world is a pure function of these lines.
package enum ServiceLine: Hashable, Sendable {
  /// The service started.
  case started(version: String, sources: [String])
  /// A feed answered with new contents.
  case answered(FeedAnswer)
  /// A feed answered that nothing changed, or with the same contents again.
  case unchanged(source: String, status: Int)
  /// A request to a feed failed, or its answer can't be used.
  case failed(FeedFailure)
  /// A tablet sent reports.
  case uploaded(Upload)
  /// An area got a handle.
  case area(Ring)

  /// The contents of a feed's answer.
  package struct FeedAnswer: Hashable, Sendable {
    package var source: String
    package var status: Int
    package var entityTag: String?
    package var modified: String?
    /// The decompressed body. Bytes that aren't UTF-8 are replaced.
    package var body: String

    package init(source: String, status: Int, entityTag: String? = nil, modified: String? = nil, body: String) {
      (self.source, self.status, self.entityTag, self.modified) = (source, status, entityTag, modified)
      self.body = body
    }
  }

  package struct FeedFailure: Hashable, Sendable {
    package var source: String
    /// The HTTP status, if there was an answer.
    package var status: Int?
    package var reason: String
    /// The time in seconds after which the feed may be asked again, as it demanded.
    package var retryAfterSeconds: Int64?

    package init(source: String, status: Int? = nil, reason: String, retryAfterSeconds: Int64? = nil) {
      (self.source, self.status, self.reason) = (source, status, reason)
      self.retryAfterSeconds = retryAfterSeconds
    }
  }

  /// Reports that a tablet sent.
  package struct Upload: Hashable, Sendable {
    /// The name of the key, or a digest of it: keys never reach the log.
    package var owner: String
    /// The idempotency key.
    package var key: String
    /// The digest of the body.
    package var bodyDigest: UInt64
    package var reports: [TurbulenceReport]
  }
}

/// The reason why a line isn't one of a service's log.
package struct ServiceLineError: Error, Hashable, Sendable, CustomStringConvertible {
  package let kind: String
  package let reason: String

  package var description: String { "a line of the kind '\(kind)' \(reason)" }
}

// MARK: - Writing

extension ServiceLine {
  package var kind: StaticString {
    switch self {
    case .started: "service.started"
    case .answered: "feed.answered"
    case .unchanged: "feed.unchanged"
    case .failed: "feed.failed"
    case .uploaded: "reports.uploaded"
    case .area: "area.registered"
    }
  }

  /// The keys and values of the line, without braces.
  package var payload: [UInt8] {
    Self.payload { json in
      switch self {
      case .started(let version, let sources):
        json.key("version")
        json.value(version)
        json.key("sources")
        json.array { json in for source in sources { json.value(source) } }
      case .answered(let answer):
        json.key("source")
        json.value(answer.source)
        json.key("status")
        json.value(answer.status)
        json.optional("etag", answer.entityTag)
        json.optional("modified", answer.modified)
        json.key("body")
        json.value(answer.body)
      case .unchanged(let source, let status):
        json.key("source")
        json.value(source)
        json.key("status")
        json.value(status)
      case .failed(let failure):
        json.key("source")
        json.value(failure.source)
        json.optional("status", failure.status)
        json.key("reason")
        json.value(failure.reason)
        json.optional("retryAfter", failure.retryAfterSeconds)
      case .uploaded(let upload):
        json.key("owner")
        json.value(upload.owner)
        json.key("key")
        json.value(upload.key)
        json.key("digest")
        json.value(Hex.string(upload.bodyDigest))
        json.key("reports")
        json.array { json in upload.reports.forEach { $0.write(to: &json) } }
      case .area(let ring):
        json.key("ring")
        json.write(ring.points)
      }
    }
  }

  static func payload(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in body(&json) }
    return Array(json.bytes.dropFirst().dropLast())
  }
}

extension JSONWriter {
  mutating func optional(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  mutating func optional(_ name: StaticString, _ number: (some FixedWidthInteger)?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  /// Writes points as a flat list of latitudes and longitudes in 1e-7 degrees.
  mutating func write(_ points: [FixedCoordinate]) {
    array { json in
      for point in points {
        json.value(point.latitudeE7)
        json.value(point.longitudeE7)
      }
    }
  }
}

// MARK: - Reading

extension ServiceLine {
  /// The kinds of the lines.
  static let kinds = [
    "service.started", "feed.answered", "feed.unchanged", "feed.failed", "reports.uploaded", "area.registered",
  ]

  /// Reads a line; nil if it is one of the log itself, such as a mark.
  ///
  /// - Throws: ``ServiceLineError`` if the line isn't one of a service's log.
  package init?(_ line: LogLine) throws(ServiceLineError) {
    let kind = line.kindName
    if ["segment.opened", "snapshot.part", "snapshot.ended", "log.synced"].contains(kind) { return nil }
    try self.init(kind: kind, payload: line.payload)
  }

  /// Reads a line from its kind and its payload, without braces.
  ///
  /// - Throws: ``ServiceLineError`` if the line isn't one of a service's log.
  package init(kind: String, payload: UnsafeRawBufferPointer) throws(ServiceLineError) {
    guard Self.kinds.contains(kind) else {
      throw ServiceLineError(kind: kind, reason: "isn't one of a service's log")
    }
    do throws(JSONError) {
      self = try Self.read(kind, payload)
    } catch {
      throw ServiceLineError(kind: kind, reason: "is damaged: \(error.reason)")
    }
  }

  private static func read(_ kind: String, _ payload: UnsafeRawBufferPointer) throws(JSONError) -> ServiceLine {
    var texts: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    var list: [String] = []
    var reports: [TurbulenceReport] = []
    var points: [FixedCoordinate] = []
    var json = JSONReader(payload)
    try json.members { (key, json) throws(JSONError) in
      switch key {
      case "sources": try json.array { (json) throws(JSONError) in list.append(try json.string()) }
      case "reports":
        try json.array { (json) throws(JSONError) in reports.append(try TurbulenceReport(from: &json)) }
      case "ring": points = try json.points()
      case "status", "retryAfter": numbers[key.string] = try json.int64()
      case "body", "source", "etag", "modified", "reason", "owner", "key", "digest", "version":
        texts[key.string] = try json.string()
      default: _ = try json.skipValue()
      }
    }
    func text(_ name: String) throws(JSONError) -> String {
      guard let text = texts[name] else { throw json.fault("'\(name)' is missing") }
      return text
    }
    func number(_ name: String) throws(JSONError) -> Int64 {
      guard let number = numbers[name] else { throw json.fault("'\(name)' is missing") }
      return number
    }
    switch kind {
    case "service.started": return .started(version: try text("version"), sources: list)
    case "feed.answered":
      return .answered(
        FeedAnswer(
          source: try text("source"), status: Int(clamping: try number("status")), entityTag: texts["etag"],
          modified: texts["modified"], body: try text("body")))
    case "feed.unchanged":
      return .unchanged(source: try text("source"), status: Int(clamping: try number("status")))
    case "feed.failed":
      return .failed(
        FeedFailure(
          source: try text("source"), status: numbers["status"].map { Int(clamping: $0) }, reason: try text("reason"),
          retryAfterSeconds: numbers["retryAfter"]))
    case "reports.uploaded":
      guard let digest = UInt64(try text("digest"), radix: 16) else { throw json.fault("'digest' isn't hexadecimal") }
      return .uploaded(
        Upload(owner: try text("owner"), key: try text("key"), bodyDigest: digest, reports: reports))
    default:
      guard let ring = try? Ring(points.map { Optional($0) }) else { throw json.fault("'ring' isn't a valid ring") }
      return .area(ring)
    }
  }
}

extension JSONReader {
  /// Reads a flat list of latitudes and longitudes in 1e-7 degrees.
  mutating func points() throws(JSONError) -> [FixedCoordinate] {
    var numbers: [Int64] = []
    try array { (json) throws(JSONError) in numbers.append(try json.int64(from: -3_600_000_000, to: 3_600_000_000)) }
    guard numbers.count.isMultiple(of: 2) else { throw fault("a latitude has no longitude") }
    return stride(from: 0, to: numbers.count, by: 2).map {
      FixedCoordinate(latitudeE7: numbers[$0], longitudeE7: numbers[$0 + 1])
    }
  }
}
