import ContrailAirportData

/// A place in one source before merging.
struct Site {
  var airport: Airport
  var kind: AirportKind
  var isClosed: Bool
  /// Additional identifiers that another source may use.
  var otherIDs: [String] = []
  /// Additional identifiers that are unique in the world, like ICAO indicators.
  var globalIDs: [String] = []
}

/// A runway in one source with its directions of use.
struct SiteRunway {
  /// The record ID of its airport.
  var site: String
  var directions: [Runway]
  var isClosed = false

  /// The names of the ends. OurAirports has ends without a name.
  private var names: [String] { directions.map(\.name).filter { !$0.isEmpty } }

  /// Whether the runway is a helipad. Both sources name helipads H1, H2 and so on.
  var isHelipad: Bool {
    names.count == 1
      && names.allSatisfy { name in
        let isH = name.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "h")
        return isH && name.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// A key that identifies the runway within its airport in both sources: `9/27` equals `27/09`.
  var key: String {
    names.map { String(decoding: $0.uppercased().utf8.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self) }
      .sorted().joined(separator: "/")
  }

  /// Returns a description of the runway for the report.
  func label(at site: Site) -> String {
    "\(site.airport.icaoID ?? site.airport.locationID) \(names.isEmpty ? "?" : names.joined(separator: "/"))"
  }
}
