import ContrailAirportData

/// One place of one source, before sources are merged.
struct Site {
  var airport: Airport
  var kind: AirportKind
  var isClosed: Bool
  /// Identifiers besides the airport's own under which another source may have it.
  var otherIDs: [String] = []
  /// Further identifiers that, like an ICAO indicator, are used once in the world.
  var globalIDs: [String] = []
}

/// One runway of one source, with its directions of use.
struct SiteRunway {
  /// The record ID of its airport.
  var site: String
  var directions: [Runway]
  var isClosed = false

  /// What its ends are called; OurAirports has ends without a name.
  private var names: [String] { directions.map(\.name).filter { !$0.isEmpty } }

  /// Where helicopters land: called H1, H2 and so on by both sources.
  var isHelipad: Bool {
    names.count == 1
      && names.allSatisfy { name in
        let isH = name.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "h")
        return isH && name.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// What tells it from the other runways of its airport, however the source writes it: `9/27` is `27/09`.
  var key: String {
    names.map { String(decoding: $0.uppercased().utf8.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self) }
      .sorted().joined(separator: "/")
  }

  /// The runway in words, for a report.
  func label(at site: Site) -> String {
    "\(site.airport.icaoID ?? site.airport.locationID) \(names.isEmpty ? "?" : names.joined(separator: "/"))"
  }
}
