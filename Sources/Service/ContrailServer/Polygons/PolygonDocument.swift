import ContrailWire

/// A GeoJSON feature collection of turbulence areas.
struct PolygonDocument: Sendable {
  let answer: PolygonsAnswer
  let body: [UInt8]
  /// The ETag: sixteen hexadecimal digits of a hash of the body.
  let entityTag: String

  /// The time in seconds during which a document doesn't change, so that conditional requests are useful.
  static let stepSeconds: Int64 = 300

  init(_ answer: PolygonsAnswer) {
    self.answer = answer
    body = answer.json
    entityTag = Hex.string(Digest.hash(body))
  }
}

/// A cache of the areas by history time and five-minute step.
struct PolygonCache: Sendable {
  private var entries: [(history: DataHistoryTime, token: Int64, areas: [PolygonsAnswer.Area])] = []
  private static let capacity = 12

  func areas(_ history: DataHistoryTime, token: Int64) -> [PolygonsAnswer.Area]? {
    entries.first { $0.history == history && $0.token == token }?.areas
  }

  mutating func insert(_ areas: [PolygonsAnswer.Area], _ history: DataHistoryTime, token: Int64) {
    if entries.count >= Self.capacity { entries.removeFirst() }
    entries.append((history, token, areas))
  }

  mutating func removeAll() { entries.removeAll() }
}
