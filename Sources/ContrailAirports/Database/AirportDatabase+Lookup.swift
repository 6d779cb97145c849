public import ContrailAirportData

extension AirportDatabase {
  /// Those with longer runways first: of several, the one that is likeliest meant.
  static let bestFirst = "a.longestRunwayMeters DESC NULLS LAST, a.recordID"

  /// The airport of a record ID; nil if there is none.
  public func airport(recordID: String) throws(AirportStoreError) -> Airport? {
    try airports([.record], recordID, limit: 1).first
  }

  /// The airport of an ICAO location indicator, in upper or lower case; of several, that with the longest runway. Nil if there is none.
  public func airport(icaoID: String) throws(AirportStoreError) -> Airport? {
    try airports([.icao], icaoID.uppercased(), limit: 1).first
  }

  /// The airport of an IATA code, in upper or lower case; of several, that with the longest runway. Nil if there is none.
  public func airport(iataID: String) throws(AirportStoreError) -> Airport? {
    try airports([.iata], iataID.uppercased(), limit: 1).first
  }

  /// The airports of a local identifier such as the FAA's, in upper or lower case; those with longer runways first.
  public func airports(locationID: String) throws(AirportStoreError) -> [Airport] {
    try airports([.location], locationID.uppercased(), limit: -1)
  }

  /// The airport that an identifier of any kind means: ICAO before IATA before the local one before the record ID. Nil if none.
  public func airport(identifier: String) throws(AirportStoreError) -> Airport? {
    if let airport = try airports([.icao, .iata, .location], identifier.uppercased(), limit: 1).first {
      return airport
    }
    return try airport(recordID: identifier)
  }

  private func airports(
    _ kinds: [AirportIndexer.Kind], _ code: String, limit: Int
  ) throws(AirportStoreError) -> [Airport] {
    let kinds = kinds.map { "\($0.rawValue)" }.joined(separator: ", ")
    return try airports(
      "looking up an identifier",
      joining: "airportIdentifiers AS i ON i.airport = a.airport", where: "i.code = ?2 AND i.kind IN (\(kinds))",
      [code],
      order: "i.kind, \(Self.bestFirst)", limit: limit)
  }

  /// The airports whose name and city have words that begin as those given do, case and diacritics aside: `heathr` finds Heathrow.
  ///
  /// An airport that has the text as its identifier comes first, then those with longer runways.
  ///
  /// - Parameter limit: How many at most.
  public func airports(matching text: String, limit: Int = 25) throws(AirportStoreError) -> [Airport] {
    guard limit > 0 else { return [] }
    var found: [Airport] = []
    let code = String(text.filter { !$0.isWhitespace })
    if (2...8).contains(code.utf8.count), let exact = try airport(identifier: code) { found = [exact] }
    guard let query = SearchText.query(text) else { return found }
    let others = try airports(
      "searching by name", where: "a.airport IN (SELECT rowid FROM airportNames WHERE airportNames MATCH ?2)", [query],
      order: Self.bestFirst, limit: limit)
    return Array((found + others.filter { $0.recordID != found.first?.recordID }).prefix(limit))
  }
}
