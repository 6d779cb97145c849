import ContrailAirportData
import ContrailGeodesy
import ContrailLog

/// The sites and runways of one source.
struct SourceContents {
  /// The sites in source order, without duplicate record IDs.
  var sites: [Site] = []
  /// The index of each record ID in ``sites``.
  var indices: [String: Int] = [:]
  /// The runways of each site by record ID, in source order.
  var runways: [String: [SiteRunway]] = [:]

  /// Adds a site. Returns false if its record ID already exists.
  mutating func add(_ site: Site) -> Bool {
    guard indices[site.airport.recordID] == nil else { return false }
    indices[site.airport.recordID] = sites.count
    sites.append(site)
    return true
  }
}

/// Reads the files of all sources.
struct SourceReading {
  private(set) var nasr = SourceContents()
  private(set) var ourAirports = SourceContents()
  private(set) var report: BuildReport
  /// The first day of the cycle of the NASR files.
  private(set) var nasrDay: CivilDay?

  private let sources: AirportSources
  /// The size of all files, and of the files that were read, in bytes.
  private var totalBytes: Int64 = 0
  private var doneBytes: Int64 = 0

  init(_ sources: AirportSources, report: BuildReport) {
    self.sources = sources
    self.report = report
  }

  mutating func run(progress: (BuildProgress) -> Void) throws(AirportBuildError) {
    var paths: [String] = []
    if let nasr = sources.nasr { paths += [nasr.base, nasr.runways, nasr.runwayEnds] }
    if let ours = sources.ourAirports { paths += [ours.airports, ours.runways] }
    // Opens all files before reading the first, so that a missing file is reported immediately.
    for path in paths { totalBytes += try ByteSource(path: path).totalBytes }
    if let nasr = sources.nasr { try readNASR(nasr, progress) }
    if let ours = sources.ourAirports { try readOurAirports(ours, progress) }
  }

  private mutating func read(
    _ path: String, _ columns: [String], _ progress: (BuildProgress) -> Void,
    _ take: (inout SourceReading, inout NamedRow) throws(InputError) -> Void
  ) throws(AirportBuildError) {
    let file = CSVFile(path: path)
    let name = file.name
    let (before, total) = (doneBytes, max(1, totalBytes))
    var reading = self
    // Moves the state out of `self`, because a second owner would cause a copy for each row.
    self = SourceReading(sources, report: BuildReport(cycle: report.cycle))
    defer { self = reading }
    try file.read(
      requiring: columns,
      isRow: { row throws(InputError) in
        try take(&reading, &row)
        if !row.refusals.isEmpty { reading.report.addRefusals(of: row, in: name) }
      },
      isMalformed: { line, reason in reading.report.addMalformed(name, line, reason) },
      isTaken: { taken in
        reading.doneBytes = before + taken
        progress(.reading(file: name, progress: Double(before + taken) / Double(total)))
      })
  }

  // MARK: NASR

  private mutating func readNASR(
    _ files: AirportSources.NASR, _ progress: (BuildProgress) -> Void
  ) throws(AirportBuildError) {
    try read(files.base, NASRSite.columns, progress) { (reading, row) throws(InputError) in
      let parsed = try NASRSite(&row)
      reading.report.nasrAirports.read += 1
      if reading.nasrDay == nil, let day = parsed.effectiveDay {
        reading.nasrDay = day
        reading.report.nasrCycle = AIRACCycle(effectiveOn: day)
      }
      if !reading.nasr.add(parsed.site) {
        reading.report.nasrAirports.drop(.duplicate, "\(parsed.site.label), line \(row.row.line)")
      }
    }
    var runways: [(runway: NASRRunway, surface: RunwaySurface)] = []
    var indices: [String: Int] = [:]
    try read(files.runways, NASRRunway.columns, progress) { (reading, row) throws(InputError) in
      let runway = try NASRRunway(&row)
      reading.report.nasrRunways.read += 1
      let key = "\(runway.site) \(runway.name)"
      guard indices[key] == nil else {
        reading.report.nasrRunways.drop(.duplicate, "\(runway.site) \(runway.name), line \(row.row.line)")
        return
      }
      indices[key] = runways.count
      runways.append((runway, reading.surface(runway.surfaceText)))
    }
    var ends = [[Runway]](repeating: [], count: runways.count)
    try read(files.runwayEnds, NASRRunwayEnd.columns, progress) { (reading, row) throws(InputError) in
      let end = try NASRRunwayEnd(&row)
      guard let index = indices["\(end.site) \(end.runwayName)"] else {
        reading.report.nasrOrphanEnds.add("\(end.site) \(end.runwayName) \(end.direction.name)")
        return
      }
      ends[index].append(end.direction)
    }
    for (runway, ends) in zip(runways, ends) { addNASR(runway.runway, runway.surface, ends) }
  }

  private mutating func addNASR(_ runway: NASRRunway, _ surface: RunwaySurface, _ ends: [Runway]) {
    guard let index = nasr.indices[runway.site] else {
      report.nasrRunways.drop(.orphan, "\(runway.site) \(runway.name)")
      return
    }
    guard !ends.isEmpty else {
      report.nasrRunways.drop(.withoutEnds, "\(nasr.sites[index].airport.locationID) \(runway.name)")
      return
    }
    let directions = ends.map { end in
      var end = end
      end.lengthMeters = runway.lengthMeters
      end.widthMeters = runway.widthMeters
      end.surface = surface
      return end
    }
    nasr.runways[runway.site, default: []].append(SiteRunway(site: runway.site, directions: directions))
  }

  // MARK: OurAirports

  private mutating func readOurAirports(
    _ files: AirportSources.OurAirports, _ progress: (BuildProgress) -> Void
  ) throws(AirportBuildError) {
    try read(files.airports, OurAirportsSite.columns, progress) { (reading, row) throws(InputError) in
      let site = try OurAirportsSite(&row).site
      reading.report.ourAirports.read += 1
      if !reading.ourAirports.add(site) {
        reading.report.ourAirports.drop(.duplicate, "\(site.label), line \(row.row.line)")
      }
    }
    try read(files.runways, OurAirportsRunway.columns, progress) { (reading, row) throws(InputError) in
      let parsed = try OurAirportsRunway(&row)
      var runway = parsed.runway
      reading.report.ourRunways.read += 1
      guard reading.ourAirports.indices[runway.site] != nil else {
        reading.report.ourRunways.drop(.orphan, "line \(row.row.line): airport \(runway.site)")
        return
      }
      let surface = reading.surface(parsed.surfaceText)
      for index in runway.directions.indices { runway.directions[index].surface = surface }
      reading.ourAirports.runways[runway.site, default: []].append(runway)
    }
  }

  private mutating func surface(_ spelling: String?) -> RunwaySurface {
    guard let spelling else { return .unknown }
    if let surface = RunwaySurface(spelling: spelling) { return surface }
    if !RunwaySurface.unknownSpellings.contains(spelling.uppercased()) {
      report.unknownSurfaces[spelling, default: 0] += 1
    }
    return .unknown
  }
}

extension Site {
  /// A description of the site for the report.
  var label: String { "\(airport.icaoID ?? airport.locationID) \(airport.name)" }
}
