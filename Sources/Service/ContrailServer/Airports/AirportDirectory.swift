import ContrailAirportData
import ContrailGeodesy
import Foundation

/// The airports of the effective cycle, for queries.
actor AirportDirectory {
  /// The maximum number of airports in a response.
  static let maximumCount = 100

  private let store: AirportFileStore
  private var held: (file: ShelvedFile, contents: Contents)?

  /// A decoded file.
  struct Contents: Sendable {
    let header: AirportCycle
    let airports: [ContrailAirportData.Airport]
    /// The words of the name and the city of each airport.
    fileprivate let words: [[String]]
  }

  init(_ store: AirportFileStore) {
    self.store = store
  }

  /// Returns the airports of the cycle that is effective at a time, or of the first one; `nil` if there is no readable
  /// file.
  func contents(at time: Int64) async -> Contents? {
    let files = await store.cycles()
    guard let file = files.last(where: { $0.cycle.effectiveTime <= time }) ?? files.first else { return nil }
    if let held, held.file == file { return held.contents }
    guard let bytes = file.bytes(in: 0..<file.size), var reader = try? AirportReader(bytes) else { return nil }
    var airports: [ContrailAirportData.Airport] = []
    do { while let airport = try reader.next() { airports.append(airport) } } catch { return nil }
    let contents = Contents(
      header: reader.header, airports: airports, words: airports.map { Self.words("\($0.name) \($0.city ?? "")") })
    held = (file, contents)
    return contents
  }

  /// Returns the words of a text in lower case, without diacritics.
  fileprivate static func words(_ text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).lowercased()
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension AirportDirectory.Contents {
  /// Returns the airport with an ICAO, IATA, local or record identifier, in this order of precedence.
  func airport(identifier: String) -> ContrailAirportData.Airport? {
    let code = identifier.uppercased()
    let kinds: [(ContrailAirportData.Airport) -> Bool] = [
      { $0.icaoID == code }, { $0.iataID == code }, { $0.locationID == code }, { $0.recordID == identifier },
    ]
    for isMatch in kinds { if let found = airports.filter(isMatch).max(by: Self.isLesser) { return found } }
    return nil
  }

  /// Returns the airports whose name and city contain words that begin with the given words, longest runways first.
  func airports(matching text: String, limit: Int) -> [ContrailAirportData.Airport] {
    let wanted = AirportDirectory.words(text)
    guard !wanted.isEmpty else { return [] }
    let found = zip(airports, words).filter { _, words in
      wanted.allSatisfy { start in words.contains { $0.hasPrefix(start) } }
    }
    return Array(found.map(\.0).sorted { Self.isLesser($1, $0) }.prefix(limit))
  }

  /// Returns the airports nearest to a point, nearest first.
  func airports(nearest point: Coordinate, limit: Int) -> [ContrailAirportData.Airport] {
    let ranked = airports.map { ($0, point.distanceNM(to: $0.coordinate)) }
    return ranked.sorted { ($0.1, $0.0.recordID) < ($1.1, $1.0.recordID) }.prefix(limit).map(\.0)
  }

  /// Whether another airport is more likely to be meant.
  private static func isLesser(_ a: ContrailAirportData.Airport, _ b: ContrailAirportData.Airport) -> Bool {
    let (left, right) = (longestMeters(a), longestMeters(b))
    return left == right ? a.recordID > b.recordID : left < right
  }

  private static func longestMeters(_ airport: ContrailAirportData.Airport) -> Double {
    airport.runways.compactMap(\.lengthMeters).max() ?? -1
  }
}
