package import ContrailGeodesy

extension AirportDelta {
  /// The fields of an airport of the base that a delta needs.
  package struct Held: Sendable {
    package var recordID: String
    package var dataSource: AirportDataSource
    package var coordinate: Coordinate
    package var variationDegrees: Double?
    package var hash: AirportHash

    package init(
      recordID: String, dataSource: AirportDataSource, coordinate: Coordinate, variationDegrees: Double?,
      hash: AirportHash
    ) {
      self.recordID = recordID
      self.dataSource = dataSource
      self.coordinate = coordinate
      self.variationDegrees = variationDegrees
      self.hash = hash
    }

    package init(_ airport: Airport) {
      self.init(
        recordID: airport.recordID, dataSource: airport.dataSource, coordinate: airport.coordinate,
        variationDegrees: airport.variationDegrees, hash: AirportHash(airport))
    }

    /// Whether an airport precedes another one in a delta file.
    static func precedes(_ a: Held, _ b: Held) -> Bool {
      if a.dataSource != b.dataSource { return a.dataSource == .nasr }
      return a.recordID.utf8.lexicographicallyPrecedes(b.recordID.utf8)
    }
  }

  /// The change of one airport.
  package enum Edit: Sendable {
    case remove
    case replace(Airport)
    case vary(degrees: Double)
  }

  /// The changes of the airports of the base, by record ID. Airports without an entry are the same.
  package struct Edits: Sendable {
    package var edits: [String: Edit] = [:]
    package var unchangedCount = 0
  }

  /// Compares the airports with the base, and returns the changes, checked against the digest of the new cycle.
  ///
  /// - Throws: ``AirportDataError/Code/wrongBase`` if the airports aren't those of the base, and
  ///   ``AirportDataError/Code/wrongDigest`` if the changes don't give the new cycle.
  /// - Complexity: O(*n* log *n*).
  package func edits(of airports: [Held]) throws(AirportDataError) -> Edits {
    var digest = AirportDigest()
    for airport in airports { digest.add(airport.hash) }
    guard airports.count == states.count, digest == baseDigest else {
      throw AirportDataError(
        .wrongBase, at: 0,
        "the delta changes cycle \(base) with digest \(baseDigest), but the airports have digest \(digest)")
    }
    var result = Edits()
    var model = model
    var (variation, replacement) = (0, 0)
    for (airport, state) in zip(airports.sorted(by: Held.precedes), states) {
      let edit: Edit
      switch state {
      case .same:
        result.unchangedCount += 1
        continue
      case .removed: edit = .remove
      case .replaced:
        let new = replaced[replacement]
        replacement += 1
        guard new.recordID == airport.recordID else {
          throw AirportDataError(
            .damaged, at: 0, "airport '\(airport.recordID)' is replaced by '\(new.recordID)'")
        }
        edit = .replace(new)
      case .variationByModel, .variationByOldValue:
        let predicted: Double?
        if state == .variationByModel {
          predicted = model?.declination(
            latitude: airport.coordinate.latitude, longitude: airport.coordinate.longitude)
        } else {
          predicted = airport.variationDegrees
        }
        let value = predicted.flatMap { DoubleOrder.value(at: DoubleOrder.position($0) &+ variations[variation]) }
        variation += 1
        guard let value else {
          throw AirportDataError(.damaged, at: 0, "the variation of airport '\(airport.recordID)' isn't a number")
        }
        edit = .vary(degrees: value)
      }
      digest.apply(edit, to: airport.hash)
      result.edits[airport.recordID] = edit
    }
    for airport in added { digest.add(airport) }
    guard digest == self.digest else {
      throw AirportDataError(
        .wrongDigest, at: 0, "applying the delta gives digest \(digest) instead of \(self.digest)")
    }
    return result
  }

  /// Returns the airports of the new cycle, sorted by record ID.
  ///
  /// - Parameter airports: The airports of the base, in any order.
  /// - Throws: ``AirportDataError`` as for a damaged file, ``AirportDataError/Code/wrongBase`` if the airports aren't
  ///   those of the base, and ``AirportDataError/Code/wrongDigest`` if the result isn't the new cycle.
  /// - Complexity: O(*n* log *n*).
  public func applied(to airports: some Sequence<Airport>) throws(AirportDataError) -> [Airport] {
    let airports = Array(airports)
    let edits = try edits(of: airports.map(Held.init)).edits
    var result: [Airport] = []
    result.reserveCapacity(header.airportCount)
    for var airport in airports {
      switch edits[airport.recordID] {
      case .remove: continue
      case .replace(let new): result.append(new)
      case .vary(let degrees):
        airport.variationDegrees = degrees
        result.append(airport)
      case nil: result.append(airport)
      }
    }
    result += added
    result.sort { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
    try check(airportCount: result.count, runwayCount: result.reduce(0) { $0 + $1.runways.count })
    for (a, b) in zip(result, result.dropFirst()) where a.recordID == b.recordID {
      throw AirportDataError(.damaged, at: 0, "two airports have the record ID '\(a.recordID)'")
    }
    return result
  }

  /// Compares the counts of the result with the header.
  package func check(airportCount: Int, runwayCount: Int) throws(AirportDataError) {
    guard airportCount == header.airportCount, header.runwayCount.map({ $0 == runwayCount }) ?? true else {
      throw AirportDataError(
        .damaged, at: 0,
        "the delta gives \(airportCount) airports with \(runwayCount) runways instead of the numbers in its header")
    }
  }
}

extension AirportDigest {
  fileprivate mutating func apply(_ edit: AirportDelta.Edit, to old: AirportHash) {
    subtract(old)
    switch edit {
    case .remove: break
    case .replace(let new): add(new)
    case .vary(let degrees): add(AirportHash(steady: old.steady, variationDegrees: degrees))
    }
  }
}
