public import ContrailAirportData
import ContrailLog

/// The contents of a published folder.
public struct PublishReport: Hashable, Sendable {
  static let deltaSuffix = ".delta.xz"

  /// A file of the folder.
  public struct File: Hashable, Sendable {
    /// The name in the folder.
    public var name: String
    /// The size in bytes.
    public var byteCount: Int
    /// The SHA-256 as 64 lowercase hexadecimal digits.
    public var sha256: String

    init(path: String, _ bytes: [UInt8]) {
      name = String(path.split(separator: "/").last ?? "")
      byteCount = bytes.count
      var hash = SHA256()
      bytes.withUnsafeBytes { hash.update($0) }
      sha256 = hash.finishedHex()
    }
  }

  /// A delta to a cycle.
  public struct Delta: Hashable, Sendable {
    /// The cycle that the delta changes.
    public var base: AIRACCycle
    /// The digest of its airports.
    public var baseDigest: AirportDigest
    public var file: File
  }

  /// A cycle with its file and the deltas to it.
  public struct Cycle: Hashable, Sendable {
    public var header: AirportCycle
    /// The digest of its airports.
    public var digest: AirportDigest
    public var file: File
    /// The deltas, from the latest base.
    public var deltas: [Delta] = []
  }

  /// The cycles, ordered by effective date.
  public var cycles: [Cycle] = []

  /// The index as JSON with keys in a fixed order.
  public var indexJSON: String {
    var json = ReportJSON()
    json.object { json in
      json.field("format", AirportPublisher.indexFormat)
      json.key("cycles")
      json.array(cycles) { json, cycle in
        json.object { json in
          json.field("cycle", cycle.header.cycle.identifier)
          json.field("effectiveFrom", "\(cycle.header.cycle.effectiveDay)")
          json.field("effectiveUntil", "\(cycle.header.cycle.endDay)")
          json.file(cycle.file)
          json.field("digest", "\(cycle.digest)")
          json.field("airports", cycle.header.airportCount)
          json.field("runways", cycle.header.runwayCount ?? 0)
          json.field("sources", cycle.header.sources.map(\.name))
          json.key("deltas")
          json.array(cycle.deltas) { json, delta in
            json.object { json in
              json.field("from", delta.base.identifier)
              json.field("fromDigest", "\(delta.baseDigest)")
              json.file(delta.file)
            }
          }
        }
      }
    }
    return json.text
  }
}

extension ReportJSON {
  fileprivate mutating func file(_ file: PublishReport.File) {
    field("file", file.name)
    field("size", file.byteCount)
    field("sha256", file.sha256)
  }
}
