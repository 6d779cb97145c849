#if Online
  import ContrailWire

  /// A GeoJSON feature collection of turbulence areas, as it is sent.
  struct PolygonDocument: Sendable {
    /// As of when it is, in seconds since 1970.
    let token: Int64
    let body: [UInt8]
    /// Sixteen hexadecimal digits that stand for the body.
    let entityTag: String

    /// How long, in seconds, a document stays as it is: time enough for a conditional request to be of use.
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

  /// The areas that were made lately, so that they are made once for each history time and five minutes.
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
