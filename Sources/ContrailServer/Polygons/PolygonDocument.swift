#if Online
  import ContrailWire

  /// A GeoJSON feature collection of turbulence areas.
  struct PolygonDocument: Sendable {
    /// The time of the document in seconds since 1970.
    let token: Int64
    let body: [UInt8]
    /// The ETag: sixteen hexadecimal digits of a hash of the body.
    let entityTag: String

    /// The time in seconds during which a document doesn't change, so that conditional requests are useful.
    static let stepSeconds: Int64 = 300

    init(areas: [TurbulenceArea], token: Int64) {
      var json = JSONWriter()
      json.object { json in
        json.key("type")
        json.value("FeatureCollection")
        json.key("lastUpdatedAt")
        json.value(token)
        json.key("features")
        json.array { json in areas.forEach { $0.write(to: &json) } }
      }
      self.token = token
      body = json.bytes
      entityTag = Hex.string(Digest.hash(json.bytes))
    }
  }

  /// A cache of the areas by history time and five-minute step.
  struct PolygonCache: Sendable {
    private var entries: [(history: DataHistoryTime, token: Int64, areas: [TurbulenceArea])] = []
    private static let capacity = 12

    func areas(_ history: DataHistoryTime, token: Int64) -> [TurbulenceArea]? {
      entries.first { $0.history == history && $0.token == token }?.areas
    }

    mutating func insert(_ areas: [TurbulenceArea], _ history: DataHistoryTime, token: Int64) {
      if entries.count >= Self.capacity { entries.removeFirst() }
      entries.append((history, token, areas))
    }

    mutating func removeAll() { entries.removeAll() }
  }
#endif
