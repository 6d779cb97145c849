public import ContrailAirportData

extension AirportDatabase {
  /// The sort order of several matches: airports with longer runways first, as they are more likely to be meant.
  static let bestFirst = "a.longestRunwayMeters DESC NULLS LAST, a.recordID"

  /// Returns the airport with a record ID, or `nil` if no airport has it.
  public func airport(recordID: String) throws(AirportStoreError) -> Airport? {
    try airports([.record], recordID, limit: 1).first
  }

  /// Returns the airport with an ICAO location indicator, or `nil` if no airport has it.
  ///
  /// The comparison ignores case. If several airports match, the one with the longest runway is returned.
  public func airport(icaoID: String) throws(AirportStoreError) -> Airport? {
    try airports([.icao], icaoID.uppercased(), limit: 1).first
  }

  /// Returns the airport with an IATA code, or `nil` if no airport has it.
  ///
  /// The comparison ignores case. If several airports match, the one with the longest runway is returned.
  public func airport(iataID: String) throws(AirportStoreError) -> Airport? {
    try airports([.iata], iataID.uppercased(), limit: 1).first
  }

  /// Returns the airports with a local identifier such as the FAA's, longest runways first. The comparison ignores
  /// case.
  public func airports(locationID: String) throws(AirportStoreError) -> [Airport] {
    try airports([.location], locationID.uppercased(), limit: -1)
  }

  /// Returns the airport with an identifier of any kind, or `nil` if no airport has it.
  ///
  /// ICAO indicators take precedence, followed by IATA codes, local identifiers and record IDs.
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

  /// Returns the airports whose name and city contain words that begin with the given words.
  ///
  /// The search ignores case and diacritics: `heathr` finds Heathrow. An airport whose identifier equals the text comes
  /// first, followed by airports with longer runways.
  ///
  /// - Parameters:
  ///   - text: The words to search for.
  ///   - limit: The maximum number of airports.
  /// - Throws: ``AirportStoreError``.
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
