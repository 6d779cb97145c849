package import ContrailLog

/// A source of records: where it is, how often it may be asked, and under which terms.
package struct FeedSource: Hashable, Sendable {
  /// Where the answers are.
  package enum Location: Hashable, Sendable {
    /// The URL of an answer.
    case url(String)
    /// The path of a file, or of a directory of files.
    case path(String)
  }

  /// The name, such as `awc.pirep`.
  package var name: String
  package var location: Location
  /// The kind of the records; nil if it is found out from each answer.
  package var kind: DayKind?
  /// The time between two requests in seconds.
  package var cadenceSeconds: Int64
  /// The age of the newest answer in seconds from which the data counts as stale.
  package var staleSeconds: Int64
  /// The number of credits of a day, and the cost of a request; nil without a budget.
  package var budget: Budget?
  /// The URL parameter for the maximum age of records, in hours; nil if the source has no such parameter.
  package var ageParameter: String?
  /// The number of records of an answer beyond which the provider cuts; nil if it isn't known.
  package var maximumRecords: Int?
  /// Whether a request needs a token for OpenSky's clients, if there is one.
  package var isOpenSky = false
  /// The limits that the provider documents.
  package var limits: String
  /// The licence or the terms of the data.
  package var licence: String

  package struct Budget: Hashable, Sendable {
    package var creditsPerDay: Int64
    package var creditsPerRequest: Int64
  }

  /// The time between two requests in seconds, with the budget spread over the day.
  package var intervalSeconds: Int64 {
    guard let budget else { return cadenceSeconds }
    let requests = max(budget.creditsPerDay / max(budget.creditsPerRequest, 1), 1)
    return max(cadenceSeconds, (86_400 + requests - 1) / requests)
  }
}

extension [FeedSource] {
  /// The credits of a registered client of OpenSky in a day. Without one, there are 400 for an address.
  private static var registeredCreditsPerDay: Int64 { 4000 }

  /// Returns the sources with their shares of budgets: all sources of OpenSky share one budget.
  ///
  /// - Parameter isRegistered: Whether requests to OpenSky have the credentials of a client.
  package func sharingBudgets(isRegistered: Bool) -> [FeedSource] {
    let count = Int64(count { $0.isOpenSky })
    return map { source in
      guard source.isOpenSky, let budget = source.budget else { return source }
      var source = source
      source.budget?.creditsPerDay =
        (isRegistered ? Self.registeredCreditsPerDay : budget.creditsPerDay) / count
      // A source that is asked seldom isn't stale before its second next request is due.
      source.staleSeconds = Swift.max(source.staleSeconds, 2 * source.intervalSeconds)
      return source
    }
  }
}

extension FeedSource {
  /// The known sources.
  package static let catalogue: [FeedSource] =
    ["pirep", "airsigmet", "isigmet", "gairmet"].map { awc(api: $0) } + [
      cache("aircraftreports.cache.csv.gz", kind: .pireps), cache("airsigmets.cache.csv.gz", kind: .sigmets),
      cache("gairmets.cache.xml.gz", kind: .sigmets),
      FeedSource(
        name: "opensky", location: .url("https://opensky-network.org/api/states/all"), kind: .states,
        cadenceSeconds: 10, staleSeconds: 1800, budget: Budget(creditsPerDay: 400, creditsPerRequest: 4),
        isOpenSky: true, limits: "400 credits a day, 4,000 with a registered client; the world costs 4, a box less",
        licence: "OpenSky Network terms: research and non-commercial use"),
    ]

  private static func awc(api: String) -> FeedSource {
    FeedSource(
      name: "awc.\(api)", location: .url("https://aviationweather.gov/api/data/\(api)?format=json"),
      kind: api == "pirep" ? .pireps : .sigmets, cadenceSeconds: 60, staleSeconds: 900,
      ageParameter: api == "pirep" ? "age" : nil, maximumRecords: 1000,
      limits: "one request a minute, 1,000 records an answer",
      licence: "public domain (NOAA/NWS)")
  }

  private static func cache(_ file: String, kind: DayKind) -> FeedSource {
    FeedSource(
      name: "awc-cache.\(file.prefix { $0 != "." })", location: .url("https://aviationweather.gov/data/cache/\(file)"),
      kind: kind, cadenceSeconds: 60, staleSeconds: 900, limits: "rewritten each minute",
      licence: "public domain (NOAA/NWS)")
  }

  /// Returns the number of records at which an answer of a source is full; nil if it isn't known.
  ///
  /// - Parameter name: The name in the log, which may end with a number.
  static func maximumRecords(ofSource name: String) -> Int? {
    catalogue.first { name == $0.name || name.hasPrefix($0.name + ".") }?.maximumRecords
  }

  /// Returns the sources of an option.
  ///
  /// | option | sources |
  /// |---|---|
  /// | `awc` | all of the Aviation Weather Center's data API |
  /// | `awc-cache` | its cache files |
  /// | `awc.pirep`, `opensky`, … | one of ``catalogue`` |
  /// | `opensky:45,5,48,11` | the states in a box: south, west, north, east |
  /// | `NAME=URL` | one of ``catalogue`` at another URL |
  /// | `receiver=URL` | `aircraft.json` of a receiver |
  /// | a URL, a file, a directory | answers in any known form |
  ///
  /// - Throws: ``InputError`` if the text has another form.
  package static func sources(_ text: String) throws(InputError) -> [FeedSource] {
    let family = catalogue.filter { $0.name == text || $0.name.hasPrefix(text + ".") }
    if !text.isEmpty, !family.isEmpty { return family }
    if text.hasPrefix("opensky:") { return [try openSky(box: text)] }
    if let equals = text.firstIndex(of: "="), !isURL(text[..<equals]) {
      return [try source(named: String(text[..<equals]), at: String(text[text.index(after: equals)...]), text)]
    }
    if isURL(text[...]) { return [source(named: "url", at: .url(try checked(text, text)))] }
    guard text.contains("/") || text.contains(".") else {
      let names = catalogue.map(\.name).joined(separator: ", ")
      throw InputError(
        .feedSource, in: text,
        "unknown source; use awc, awc-cache, \(names), receiver=URL, a URL, a file or a directory")
    }
    return [source(named: "file", at: .path(text))]
  }

  /// Checks that no two sources are at one location, which would be asked twice as often as it may.
  ///
  /// - Throws: ``InputError`` that names the two.
  package static func checkLocations(of sources: [FeedSource]) throws(InputError) {
    var names: [Location: String] = [:]
    for source in sources {
      guard let other = names.updateValue(source.name, forKey: source.location) else { continue }
      let place =
        switch source.location {
        case .url(let url): url
        case .path(let path): path
        }
      throw InputError(
        .feedSource, in: place,
        other == source.name
          ? "'\(other)' is named twice; name each source once"
          : "'\(other)' and '\(source.name)' have the same location; name one of them")
    }
  }

  private static func source(named name: String, at url: String, _ text: String) throws(InputError) -> FeedSource {
    if name == "receiver" {
      return FeedSource(
        name: name, location: .url(try checked(url, text)), kind: .states, cadenceSeconds: 10, staleSeconds: 120,
        limits: "none", licence: "of the receiver's owner")
    }
    guard var source = catalogue.first(where: { $0.name == name }) else {
      throw InputError(.feedSource, in: text, "'\(name)' isn't the name of a source")
    }
    source.location = .url(try checked(url, text))
    return source
  }

  private static func source(named name: String, at location: Location) -> FeedSource {
    FeedSource(
      name: name, location: location, kind: nil, cadenceSeconds: 60, staleSeconds: 900, limits: "none",
      licence: "of the file's owner")
  }

  private static func isURL(_ text: Substring) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// Returns the text if it is a valid URL.
  ///
  /// - Parameter text: The option, which an error names.
  private static func checked(_ url: String, _ text: String) throws(InputError) -> String {
    let rest = url.drop { $0 != ":" }.dropFirst(3)
    guard isURL(url[...]), let first = rest.first, first != "/", first != ":",
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw InputError(.feedSource, in: text, "invalid URL; use one such as https://example.com/aircraft.json")
    }
    guard !url.contains("@"), !url.contains("#") else {
      throw InputError(.feedSource, in: text, "a URL of a source has neither credentials nor a fragment")
    }
    return url
  }

  private static func openSky(box text: String) throws(InputError) -> FeedSource {
    let sides = text.dropFirst("opensky:".count).split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0)
    }
    guard sides.count == 4, let south = sides[0], let west = sides[1], let north = sides[2], let east = sides[3],
      (-90...90).contains(south), (-90...90).contains(north), (-180...180).contains(west), (-180...180).contains(east),
      south < north, west < east, var source = catalogue.first(where: { $0.name == "opensky" })
    else {
      throw InputError(
        .feedSource, in: text, "invalid box; use opensky:SOUTH,WEST,NORTH,EAST in degrees, such as opensky:45,5,48,11")
    }
    source.location = .url(
      "https://opensky-network.org/api/states/all?lamin=\(south)&lomin=\(west)&lamax=\(north)&lomax=\(east)")
    // OpenSky REST API, "API credit usage": by the area in square degrees.
    let area = (north - south) * (east - west)
    source.budget?.creditsPerRequest = area <= 25 ? 1 : area <= 100 ? 2 : area <= 400 ? 3 : 4
    return source
  }
}
