import ContrailGeodesy

/// Reads airports from a binary property list in the format of the SF50 TOLD application, version 3.
///
/// Airports are decoded one at a time, without decoding the rest of the list. The top-level keys are `nasrCycle`
/// (`year`, `month`, `day`), `ourAirportsLastUpdated` and `airports`. Unknown keys are skipped.
public struct AirportPropertyListReader: Sendable {
  /// The header of the list.
  public let header: AirportCycle

  private let bytes: [UInt8]
  private let layout: PropertyListView.Layout
  /// The references of the airports.
  private let airports: PropertyListView.Entries
  private var next = 0
  private var scratch: Scratch
  private var runwayCount = 0

  /// A cache of decoded objects. Such lists contain each text only once.
  struct Scratch: Sendable {
    /// For each object, its key if it is known, and whether it was read as an airport.
    var keys: [UInt8]
    var timeZones: [Int: String] = [:]

    static let isAirport: UInt8 = 0x80
  }

  /// Creates a reader for a property list.
  ///
  /// - Throws: ``AirportDataError``.
  public init(_ bytes: [UInt8]) throws(AirportDataError) {
    let (layout, header, airports) = try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      let list = PropertyListView(bytes: bytes, layout: try PropertyListView.layout(of: bytes))
      let (header, airports) = try list.header()
      return (list.layout, header, airports)
    }
    self.bytes = bytes
    self.layout = layout
    self.header = header
    self.airports = airports
    scratch = Scratch(keys: Array(repeating: 0, count: layout.objectCount))
  }

  /// Returns the next airport, or `nil` after the last one.
  ///
  /// - Throws: ``AirportDataError``.
  public mutating func nextAirport() throws(AirportDataError) -> Airport? {
    guard next < airports.count else { return nil }
    let (layout, index, entries) = (layout, next, airports)
    var scratch = Scratch(keys: [])
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    let airport = try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      let list = PropertyListView(bytes: UnsafeRawBufferPointer(bytes), layout: layout)
      return try list.airport(list.reference(index, from: entries.offset), &scratch)
    }
    next += 1
    runwayCount += airport.runways.count
    // Each runway takes more than one byte, so a list with more runways than bytes repeats them.
    guard runwayCount <= bytes.count else {
      throw AirportDataError(.oversized, at: 0, "the list repeats runways")
    }
    return airport
  }
}

extension PropertyListView {
  /// The keys of airports and runways.
  private enum Key: UInt8, CaseIterable {
    case unknown = 1
    case recordID, locationID, icaoID, name, city, dataSource, latitude, longitude, elevation, variation, timeZone,
      runways
    case trueHeading, length, isTurf, reciprocalName, takeoffRun, takeoffDistance, landingDistance

    var text: StaticString {
      switch self {
      case .unknown: ""
      case .recordID: "recordID"
      case .locationID: "locationID"
      case .icaoID: "ICAO_ID"
      case .name: "name"
      case .city: "city"
      case .dataSource: "dataSource"
      case .latitude: "latitude"
      case .longitude: "longitude"
      case .elevation: "elevation"
      case .variation: "variation"
      case .timeZone: "timeZone"
      case .runways: "runways"
      case .trueHeading: "trueHeading"
      case .length: "length"
      case .isTurf: "isTurf"
      case .reciprocalName: "reciprocalName"
      case .takeoffRun: "takeoffRun"
      case .takeoffDistance: "takeoffDistance"
      case .landingDistance: "landingDistance"
      }
    }
  }

  /// Returns the key that an object represents.
  @inline(__always)
  private func key(_ object: Int, _ scratch: inout AirportPropertyListReader.Scratch) throws(AirportDataError) -> Key {
    let place = try offset(of: object)
    if let known = Key(rawValue: scratch.keys[object] & ~AirportPropertyListReader.Scratch.isAirport) { return known }
    var found = Key.unknown
    for key in Key.allCases.dropFirst() where try isEqual(key.text, at: place) { found = key }
    scratch.keys[object] |= found.rawValue
    return found
  }

  fileprivate func header() throws(AirportDataError) -> (AirportCycle, Entries) {
    let top = try dictionary(at: try offset(of: layout.top))
    var cycle: AIRACCycle?
    var entries: Entries?
    var ourAirports: Int64?
    for index in 0..<top.count {
      let key = try offset(of: reference(index, from: top.offset))
      let value = try offset(of: reference(top.count + index, from: top.offset))
      if try isEqual("airports", at: key) {
        entries = try array(at: value)
      } else if try isEqual("nasrCycle", at: key) {
        cycle = try self.cycle(at: value)
      } else if try isEqual("ourAirportsLastUpdated", at: key) {
        ourAirports = try time(at: value)
      }
    }
    guard let entries, let cycle else {
      throw AirportDataError(.unknownFormat, at: 0, "the property list has no airports or no cycle")
    }
    guard entries.count <= AirportFileReader.maximumAirports else {
      throw AirportDataError(
        .oversized, at: entries.offset,
        "\(entries.count) airports exceed the limit of \(AirportFileReader.maximumAirports)")
    }
    let sources = [
      AirportSource(name: "FAA NASR", asOf: cycle.effectiveTime), AirportSource(name: "OurAirports", asOf: ourAirports),
    ]
    return (AirportCycle(cycle: cycle, sources: sources, airportCount: entries.count), entries)
  }

  private func cycle(at offset: Int) throws(AirportDataError) -> AIRACCycle {
    let entries = try dictionary(at: offset)
    var date = (year: Int64(0), month: Int64(0), day: Int64(0))
    for index in 0..<entries.count {
      let key = try self.offset(of: reference(index, from: entries.offset))
      let value = try self.offset(of: reference(entries.count + index, from: entries.offset))
      if try isEqual("year", at: key) { date.year = try integer(at: value) }
      if try isEqual("month", at: key) { date.month = try integer(at: value) }
      if try isEqual("day", at: key) { date.day = try integer(at: value) }
    }
    let day = CivilDay(year: Int(clamping: date.year), month: Int(clamping: date.month), day: Int(clamping: date.day))
    guard let cycle = day.flatMap(AIRACCycle.init(effectiveOn:)) else {
      throw error(at: offset, "no cycle begins on \(date.year)-\(date.month)-\(date.day)")
    }
    return cycle
  }

  fileprivate func airport(
    _ object: Int, _ scratch: inout AirportPropertyListReader.Scratch
  ) throws(AirportDataError) -> Airport {
    let place = try offset(of: object)
    guard scratch.keys[object] & AirportPropertyListReader.Scratch.isAirport == 0 else {
      throw error(at: place, "an airport is listed twice")
    }
    scratch.keys[object] |= AirportPropertyListReader.Scratch.isAirport
    let entries = try dictionary(at: place)
    var airport = Airport(
      recordID: "", locationID: "", name: "", dataSource: .nasr, coordinate: Coordinate(latitude: .nan, longitude: .nan)
    )
    var found: UInt32 = 0
    for index in 0..<entries.count {
      let key = try self.key(reference(index, from: entries.offset), &scratch)
      let reference = reference(entries.count + index, from: entries.offset)
      let value = try offset(of: reference)
      found |= 1 << UInt32(key.rawValue)
      switch key {
      case .recordID: airport.recordID = try text(at: value)
      case .locationID: airport.locationID = try text(at: value)
      case .icaoID: airport.icaoID = try text(at: value)
      case .name: airport.name = try text(at: value)
      case .city: airport.city = try text(at: value)
      case .dataSource: airport.dataSource = try dataSource(at: value)
      case .latitude: airport.coordinate.latitude = try double(at: value)
      case .longitude: airport.coordinate.longitude = try double(at: value)
      case .elevation: airport.elevationMeters = try double(at: value)
      case .variation: airport.variationDegrees = try double(at: value)
      case .timeZone: airport.timeZone = try timeZone(reference, at: value, &scratch)
      case .runways: airport.runways = try runways(at: value, &scratch)
      case .unknown, .trueHeading, .length, .isTurf, .reciprocalName, .takeoffRun, .takeoffDistance, .landingDistance:
        break
      }
    }
    for key in [Key.recordID, .locationID, .name, .dataSource] where found & 1 << UInt32(key.rawValue) == 0 {
      throw error(at: place, "an airport has no \(key.text)")
    }
    guard airport.coordinate.isOnMap else {
      throw error(at: place, "the coordinate of an airport is missing or invalid")
    }
    return airport
  }

  private func dataSource(at offset: Int) throws(AirportDataError) -> AirportDataSource {
    if try isEqual("nasr", at: offset) { return .nasr }
    guard try isEqual("ourAirports", at: offset) else { throw error(at: offset, "the data source is unknown") }
    return .ourAirports
  }

  private func timeZone(
    _ object: Int, at offset: Int, _ scratch: inout AirportPropertyListReader.Scratch
  ) throws(AirportDataError) -> String {
    if let known = scratch.timeZones[object] { return known }
    let text = try text(at: offset)
    scratch.timeZones[object] = text
    return text
  }

  private func runways(
    at offset: Int, _ scratch: inout AirportPropertyListReader.Scratch
  ) throws(AirportDataError) -> [Runway] {
    let entries = try array(at: offset)
    guard entries.count <= AirportRecord.maximumRunways else {
      throw error(
        at: offset, "\(entries.count) runways of one airport exceed the limit of \(AirportRecord.maximumRunways)")
    }
    var runways: [Runway] = []
    runways.reserveCapacity(entries.count)
    for index in 0..<entries.count { runways.append(try runway(reference(index, from: entries.offset), &scratch)) }
    return runways
  }

  private func runway(
    _ object: Int, _ scratch: inout AirportPropertyListReader.Scratch
  ) throws(AirportDataError) -> Runway {
    let place = try offset(of: object)
    let entries = try dictionary(at: place)
    var runway = Runway(name: "")
    var found: UInt32 = 0
    for index in 0..<entries.count {
      let key = try self.key(reference(index, from: entries.offset), &scratch)
      let value = try offset(of: reference(entries.count + index, from: entries.offset))
      found |= 1 << UInt32(key.rawValue)
      switch key {
      case .name: runway.name = try text(at: value)
      case .trueHeading: runway.trueHeadingDegrees = try double(at: value)
      case .length: runway.lengthMeters = try double(at: value)
      case .isTurf: runway.surface = try boolean(at: value) ? .turf : .notTurf
      case .elevation: runway.elevationMeters = try double(at: value)
      case .reciprocalName: runway.reciprocalName = try text(at: value)
      case .takeoffRun: runway.takeoffRunMeters = try double(at: value)
      case .takeoffDistance: runway.takeoffDistanceMeters = try double(at: value)
      case .landingDistance: runway.landingDistanceMeters = try double(at: value)
      case .unknown, .recordID, .locationID, .icaoID, .city, .dataSource, .latitude, .longitude, .variation, .timeZone,
        .runways:
        break
      }
    }
    guard found & 1 << UInt32(Key.name.rawValue) != 0 else { throw error(at: place, "a runway has no name") }
    return runway
  }
}
