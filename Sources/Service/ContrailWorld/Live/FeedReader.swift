import ContrailCompression
import ContrailWire

/// The records of a feed's answer, and why records were skipped or repaired.
package struct FeedRecords: Sendable {
  /// The number of records, and the problems.
  package let file: DayReport.File
  var pireps: [PilotReport] = []
  var advisories: [Advisory] = []
  /// The snapshots in order of time.
  var snapshots: [TrafficSnapshot] = []

  /// The kind of the records.
  package var kind: DayKind { file.kind }
  /// The number of records that can be served.
  package var count: Int { pireps.count + advisories.count + (snapshots.last?.positions.count ?? 0) }
}

extension FeedRecords {
  /// Whether there are records, and a live service refuses all of them as too old or of the future.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func isOfAnotherTime(at now: Int64) -> Bool {
    var world = LiveWorld(beginning: now)
    let gain = world.gain(self, from: "", arrival: now)
    return gain.isEmpty && gain.refused > 0
  }
}

/// The reason why a feed's answer can't be used at all.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The answer is empty.
  case empty
  /// The answer is a web page.
  case webPage
  /// The answer is of no known form; `found` describes it.
  case unknownForm(found: String)
  /// The answer is damaged.
  case damaged(reason: String)
  /// The answer contains records of another kind.
  case otherKind(found: DayKind, expected: DayKind)

  package var description: String {
    switch self {
    case .empty: "the answer is empty"
    case .webPage: "the answer is a web page"
    case .unknownForm(let found): "the answer is of no known form: \(found)"
    case .damaged(let reason): "the answer is damaged: \(reason)"
    case .otherKind(let found, let expected): "the answer contains \(found.rawValue) instead of \(expected.rawValue)"
    }
  }
}

/// Reads the answers of feeds. The form is detected by the content, so that a change of the schema isn't misread.
///
/// | form | source |
/// |---|---|
/// | JSON, also as GeoJSON or JSON lines | Aviation Weather Center, of older and newer schema |
/// | comma-separated values | cache files `aircraftreports` and `airsigmets` of the Aviation Weather Center |
/// | XML | cache file `gairmets` of the Aviation Weather Center |
/// | JSON with `states` | OpenSky |
/// | JSON with `aircraft` or `ac` | readsb, dump1090, and services with the same form |
///
/// Each may be compressed as gzip or xz. A wrong record is skipped and counted with its reason.
package struct FeedReader: Sendable {
  /// Reads XML into elements, objects with `name`, `attributes`, `children` and `text`, or returns `nil` if it isn't XML.
  package typealias XMLParser = @Sendable ([UInt8]) -> LooseJSON?

  /// The maximum size of a decompressed answer in bytes. The states of all aircraft of the world have about 2 MB.
  package static let maximumBytes = 16 << 20

  private let xml: XMLParser?

  package init(xml: XMLParser? = nil) {
    self.xml = xml
  }

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - source: The name of the source, for the counts.
  ///   - expected: The kind of the source's records, or `nil` for any.
  /// - Returns: The records.
  /// - Throws: ``FeedError`` if the answer as a whole can't be used.
  /// - Complexity: O(*n*) in the size of the body.
  package func read(_ body: [UInt8], from source: String, expecting expected: DayKind?) throws(FeedError) -> FeedRecords
  {
    try Self.records(try documents(of: body, from: source), from: source, expecting: expected)
  }

  /// Reads PIREPs and advisories that contain a text, each by itself.
  ///
  /// - Parameters:
  ///   - text: A text of the record, or of the name of its advisory.
  /// - Returns: For each record the part of it that contains the text, and what was read of it.
  func records(
    containing text: String, in body: [UInt8], from source: String
  ) throws(FeedError) -> [(part: String, read: FeedRecords)] {
    var found: [(String, FeedRecords)] = []
    let documents = try documents(of: body, from: source)
    let kind = documents.lazy.compactMap { $0.value.flatMap { FeedForm($0) } }.first?.kind
    for document in documents where kind == .pireps || kind == .sigmets {
      for (record, single) in document.singleRecords(isPIREP: kind == .pireps) {
        let part = record.part(containing: text)
        // The name of an advisory isn't in its record.
        guard part != nil || kind == .sigmets else { continue }
        var file = DayReport.File(path: source, kind: kind ?? .pireps)
        var check = DayForm(path: source, expected: "")
        var (reports, advisories) = (PilotReportReader(), AdvisoryReader())
        if kind == .pireps { reports.read([single], &file, &check) } else { advisories.read([single], &file, &check) }
        let name = advisories.advisories.first?.area.advisory
        guard let part = part ?? (name?.contains(text) == true ? name : nil) else { continue }
        found.append((part, FeedRecords(file: file, pireps: reports.reports, advisories: advisories.advisories)))
      }
    }
    return found
  }

  /// Returns the documents of an answer.
  private func documents(of body: [UInt8], from source: String) throws(FeedError) -> [DayDocument] {
    let bytes = try Self.unpacked(body)
    guard let first = bytes.first(where: { !Self.isBlank($0) }) else { throw .empty }
    switch first {
    case UInt8(ascii: "<"):
      guard !Self.isWebPage(bytes) else { throw .webPage }
      guard let root = xml?(bytes) else { throw .damaged(reason: "it isn't valid XML") }
      guard let records = CacheDocument.records(root) else { throw .unknownForm(found: "XML of another kind") }
      return [DayDocument(place: "", value: .list(records))]
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      do throws(DayError) {
        return try DayDocument.documents(of: bytes, file: source)
      } catch {
        throw .damaged(reason: Self.reason(error))
      }
    default:
      guard let records = CacheTable.records(bytes) else { throw .unknownForm(found: "text without a known header") }
      return [DayDocument(place: "", value: .list(records))]
    }
  }

  /// Returns the answer without records, as of a feed that answers with 204.
  package static func none(from source: String, kind: DayKind) -> FeedRecords {
    FeedRecords(file: DayReport.File(path: source, kind: kind))
  }

  static func unpacked(_ body: [UInt8]) throws(FeedError) -> [UInt8] {
    guard body.count <= maximumBytes else { throw .damaged(reason: "it has more than \(maximumBytes) bytes") }
    if body.starts(with: [0x1F, 0x8B]) {
      do throws(CompressionError) {
        return try Gzip.unpacked(body, limit: maximumBytes)
      } catch {
        if case .oversized(let limit) = error { throw .damaged(reason: "unpacked, it has more than \(limit) bytes") }
        throw .damaged(reason: "its gzip is damaged")
      }
    }
    guard body.withUnsafeBytes({ XZFormat.isXZ($0) }) else { return body }
    do throws(CompressionError) {
      return try XZ.decompress(body, limits: .init(outputBytes: Int64(maximumBytes)))
    } catch {
      throw .damaged(reason: "its xz is damaged or too large")
    }
  }

  private static func records(
    _ documents: [DayDocument], from source: String, expecting expected: DayKind?
  ) throws(FeedError) -> FeedRecords {
    let form = documents.lazy.compactMap { $0.value.flatMap { FeedForm($0) } }.first
    guard let kind = form?.kind ?? (documents.allSatisfy { $0.value?.isWithoutRecords == true } ? expected : nil) else {
      throw .unknownForm(found: documents.first?.value?.kind ?? "nothing")
    }
    if let expected, kind != expected { throw .otherKind(found: kind, expected: expected) }
    var file = DayReport.File(path: source, kind: kind)
    var check = DayForm(path: source, expected: "")
    switch form ?? .pireps {
    case .pireps:
      var reader = PilotReportReader()
      reader.read(documents, &file, &check)
      return FeedRecords(file: file, pireps: reader.reports)
    case .advisories:
      var reader = AdvisoryReader()
      reader.read(documents, &file, &check)
      return FeedRecords(file: file, advisories: reader.advisories)
    case .states:
      var reader = StateReader()
      reader.read(documents, &file, &check)
      return FeedRecords(file: file, snapshots: reader.snapshots.sorted { $0.time < $1.time })
    case .receiver:
      let snapshots = ReceiverReader.snapshots(documents, &file)
      return FeedRecords(file: file, snapshots: snapshots.sorted { $0.time < $1.time })
    }
  }

  private static func reason(_ error: DayError) -> String {
    guard case .notJSON(_, let line, let column, let reason) = error else { return error.code }
    return "invalid JSON at \(line):\(column): \(reason)"
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    // With the byte-order mark of UTF-8.
    byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0xEF || byte == 0xBB || byte == 0xBF
  }

  private static func isWebPage(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
    return start.contains("<!doctype html") || start.contains("<html")
  }
}

/// The form of a JSON document.
private enum FeedForm {
  case pireps
  case advisories
  case states
  case receiver

  var kind: DayKind {
    switch self {
    case .pireps: .pireps
    case .advisories: .sigmets
    case .states, .receiver: .states
    }
  }

  /// The number of records that are looked at: the first ones may be damaged.
  private static let sampleCount = 64

  /// Detects the form of a document; nil if it has none or no records.
  init?(_ document: LooseJSON) {
    if case .object(let members) = document {
      if members["states"] != nil {
        self = .states
      } else if members["aircraft"] != nil || members["ac"] != nil {
        self = .receiver
      } else if members["pirep"]?.elements != nil || members["feed"]?.isObject == true {
        self = .pireps
      } else if members["sigmet"]?.elements != nil || members["geojson"]?.isObject == true {
        self = .advisories
      } else if let form = Self.form(ofRecords: members["features"]?.elements ?? []) {
        self = form
      } else {
        return nil
      }
    } else if let form = Self.form(ofRecords: document.elements ?? []) {
      self = form
    } else {
      return nil
    }
  }

  private static func form(ofRecords records: [LooseJSON]) -> FeedForm? {
    for record in records.prefix(sampleCount) {
      let fields = record["properties"].isObject ? record["properties"] : record
      if fields["rawOb"] != .null { return .pireps }
      if fields["hazard"] != .null { return .advisories }
    }
    return nil
  }
}

extension DayDocument {
  /// Returns the PIREPs or advisories, each with a document that contains only this record.
  fileprivate func singleRecords(isPIREP: Bool) -> [(record: LooseJSON, document: DayDocument)] {
    let value = value ?? .null
    let (whole, records) = isPIREP ? value.pilotReports : value.advisories
    let snapshot = value["snapshot"] == .null ? whole["metadata"]["creationTime"] : value["snapshot"]
    return (records ?? []).map { record in
      let single = LooseJSON.object(["features": .list([record])])
      let members: [String: LooseJSON] =
        isPIREP ? ["polled_at": value["polled_at"], "feed": single] : ["snapshot": snapshot, "geojson": single]
      return (record, DayDocument(place: place, value: .object(members)))
    }
  }
}

extension LooseJSON {
  /// Returns the first text or number that contains a text.
  fileprivate func part(containing text: String) -> String? {
    switch self {
    case .text(let own), .number(let own): own.contains(text) ? own : nil
    case .list(let elements): elements.lazy.compactMap { $0.part(containing: text) }.first
    case .object(let members):
      members.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.part(containing: text) }.first
    case .null, .flag: nil
    }
  }

  /// Whether the value is a list of records without any.
  fileprivate var isWithoutRecords: Bool {
    (elements ?? self["features"].elements)?.isEmpty ?? false
  }
}
