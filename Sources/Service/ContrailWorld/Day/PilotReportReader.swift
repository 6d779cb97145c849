import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Reads PIREPs.
///
/// Supported formats are the JSON of the Aviation Weather Center (`/api/data/pirep?format=json`), the same fields as
/// GeoJSON, and JSON lines of polls `{"polled_at":…,"feed":…}` with GeoJSON features that contain `rawOb`, `alt` in
/// feet and `age` in minutes.
struct PilotReportReader {
  private(set) var reports: [PilotReport] = []
  private(set) var files: [DayReport.File] = []
  private var known: Set<String> = []

  /// The maximum time in seconds by which the observation may be later than the receipt, because clocks differ.
  private static let clockTolerance: Int64 = 300

  mutating func read(_ path: String) throws(DayError) {
    var file = DayReport.File(path: path, kind: .pireps)
    var form = DayForm(path: path, expected: "PIREPs, which have rawOb, in a list or a GeoJSON feature collection")
    read(try DayDocument.documents(of: DayFile.contents(of: path), file: path), &file, &form)
    try form.check()
    files.append(file)
  }

  /// Reads the documents of a file or of a feed's answer.
  mutating func read(_ documents: [DayDocument], _ file: inout DayReport.File, _ form: inout DayForm) {
    documents.forEachRecord(
      \.pilotReports, with: "rawOb", at: { document, _ in DayTime.seconds(document["polled_at"]) }, &file, &form
    ) { read($0, &$1) }
  }

  private mutating func read(_ record: DayRecord, _ file: inout DayReport.File) {
    let (fields, text, place, polledAt) = (record.fields, record.mark, record.place, record.documentTime)
    let point = record.value["geometry"]["coordinates"]
    let position: FixedCoordinate
    switch DayPosition.read(latitude: fields["lat"] ?? point[1], longitude: fields["lon"] ?? point[0]) {
    case .success(let read): position = read
    case .failure(let fault): return file.note(fault.oddity, at: place)
    }
    guard let observedAt = DayTime.seconds(fields["obsTime"]) ?? Self.time(ofAge: fields["age"], polledAt: polledAt)
    else { return file.note(.withoutTime, at: place) }
    let received = DayTime.seconds(fields["receiptTime"]) ?? polledAt
    guard observedAt <= (received ?? observedAt) + Self.clockTolerance else {
      return file.note(.observedAfterReceipt, at: place)
    }
    let id =
      "P" + Hex.string(Digest.hash("\(text) \(observedAt) \(position.latitudeE7) \(position.longitudeE7)".utf8))
    guard known.insert(id).inserted else { return file.note(.double, at: place) }
    if received == nil { file.note(.withoutReceipt, at: place) }

    let level = Self.level(fields, at: place, &file)
    let turbulence = Self.turbulence(fields, text: text, level: level, at: place, &file)
    let pirep = PIREP(
      id: id, position: position, flightLevel: level.map { Int($0) }, severity: turbulence.severity,
      isUrgent: fields["pirepType"].text == "Urgent PIREP" || fields["type"].text == "Urgent PIREP"
        || text.contains(" UUA "),
      observedAt: observedAt, updatedAt: max(received ?? observedAt, observedAt), text: text)
    guard let report = Self.report(pirep, turbulence) else { return file.note(.impossiblePosition, at: place) }
    file.serve(arrival: report.arrival)
    file.hexagons += report.reports.count
    reports.append(report)
  }

  /// Returns the time of an observation from its age at a poll.
  ///
  /// Ages have a resolution of a tenth of a minute, and observations of a minute. Rounding to minutes makes all polls
  /// agree.
  private static func time(ofAge age: LooseJSON, polledAt: Int64?) -> Int64? {
    guard let polledAt, let age = age.scaled(by: 1), (0...100_000).contains(age) else { return nil }
    let time = (polledAt - age * 6 + 30) / 60 * 60
    return time > 0 ? time : nil
  }

  private static func report(_ pirep: PIREP, _ turbulence: PilotTurbulence) -> PilotReport? {
    guard let cell = try? H3Cell(pirep.position.coordinate, resolution: 5), let packed = cell.packed22,
      let centre = FixedCoordinate(cell.center), let observedAt = UInt32(exactly: pirep.observedAt)
    else { return nil }
    let reports = turbulence.thousands.sorted { $0.key < $1.key }.map { altitude, severity in
      TurbulenceReport(
        cell: packed, altitude: altitude, severity: severity.rawValue, edrE4: severity.typicalEDRE4,
        observedAt: observedAt)
    }
    return PilotReport(pirep: pirep, reports: reports, centre: centre)
  }

  /// Returns the flight level in hundreds of feet, or `nil` if it is unknown.
  private static func level(_ fields: LooseJSON, at place: String, _ file: inout DayReport.File) -> Int64? {
    let given = fields["fltLvl"].integer ?? fields["fltlvl"].integer ?? fields["alt"].integer.map { $0 / 100 }
    guard let given else { return nil }
    // Reports from a climb or descent (DURC, DURD) or from an unknown level contain 0 if they have no level.
    let type = fields["fltLvlType"].text
    if given == 0, type != "GRND", type != "OTHER" {
      file.note(.levelZero, at: place)
      return nil
    }
    guard (-20...1000).contains(given) else {
      file.note(.impossibleLevel, at: place)
      return nil
    }
    return given
  }

  /// Returns the turbulence from the one or two decoded groups, or else from the report text.
  private static func turbulence(
    _ fields: LooseJSON, text: String, level: Int64?, at place: String, _ file: inout DayReport.File
  ) -> PilotTurbulence {
    var turbulence = PilotTurbulence(level: level)
    let isDecoded = fields["tbInt1"] != .null || fields["tbInt2"] != .null
    let groups: [(intensity: String?, base: Int64?, top: Int64?)] =
      isDecoded
      ? ["1", "2"].map { (fields["tbInt" + $0].text, fields["tbBas" + $0].integer, fields["tbTop" + $0].integer) }
      : [(PilotTurbulence.intensity(inText: text), nil, nil)]
    for (intensity, base, top) in groups {
      guard let intensity else { continue }
      guard let severity = TurbulenceSeverity(intensity: intensity) else {
        file.note(.unknownIntensity, at: place)
        continue
      }
      if let base, let top, top > 0, top < base { file.note(.invertedAltitudes, at: place) }
      if let oddity = turbulence.add(severity, base: base, top: top) { file.note(oddity, at: place) }
    }
    return turbulence
  }
}

extension LooseJSON {
  /// Returns the value, or another one if it is null.
  fileprivate static func ?? (value: LooseJSON, other: @autoclosure () -> LooseJSON) -> LooseJSON {
    value == .null ? other() : value
  }
}

/// A PIREP of a recorded day with its turbulence as reports on hexagons.
struct PilotReport: Hashable, Sendable {
  /// The PIREP. Its `updatedAt` is the time of receipt.
  var pirep: PIREP
  /// The turbulence reports, one per thousand feet. The centre of their cell is ``centre``.
  var reports: [TurbulenceReport]
  var centre: FixedCoordinate

  /// The time of receipt in seconds since 1970.
  var arrival: Int64 { pirep.updatedAt }
}

extension TurbulenceSeverity {
  /// Creates a severity from the turbulence intensity of a PIREP, or returns `nil` if it is unknown.
  ///
  /// The intensities are those of the FAA AIM, "PIREPs Relating to Turbulence" (light, moderate, severe, extreme),
  /// and of the Aviation Weather Center's decoded reports (NEG, SMTH-LGT, LGT, LGT-MOD, MOD, MOD-SEV, SEV, SEV-EXTM
  /// and EXTM). The highest severity of the protocol is "moderate, occasionally severe", which includes all stronger
  /// intensities.
  init?(intensity: String) {
    switch intensity {
    case "NEG", "SMTH", "SMOOTH", "NONE": self = .none
    case "SMTH-LGT", "LGT", "LIGHT": self = .light
    case "LGT-MOD": self = .lightModerate
    case "MOD", "MODERATE": self = .moderate
    case "MOD-SEV", "SEV", "SEVERE", "SEV-EXTM", "SEV-EXTRM", "EXTM", "EXTRM", "EXTREME": self = .moderateSevere
    default: return nil
    }
  }

  /// A typical eddy dissipation rate for a severity reported in words, times 10,000: the middle of the range that
  /// ``init(edrE4:)`` maps to it, or the lower bound of the unbounded highest range.
  var typicalEDRE4: UInt16 {
    switch self {
    case .none: 500
    case .light: 1250
    case .lightModerate: 1750
    case .moderate: 3250
    case .moderateSevere: 4500
    }
  }
}

/// The turbulence in one PIREP, by thousands of feet.
struct PilotTurbulence: Sendable {
  /// The flight level of the aircraft in hundreds of feet, if it is known.
  let level: Int64?
  /// The maximum severity of all groups; nil without groups.
  private(set) var severity: TurbulenceSeverity?
  /// The maximum severity at each altitude, in thousands of feet.
  ///
  /// The maximum is used because decoders add a second group NEG for "IC NONE" after "TB LIGHT", and because "LGT
  /// OCNL MOD" has two groups for one place.
  private(set) var thousands: [UInt8: TurbulenceSeverity] = [:]

  init(level: Int64?) {
    self.level = level
  }

  /// Adds a group.
  ///
  /// A group with only a base refers to that level. A group with only a top extends from the aircraft's level to the
  /// top ("BLO 270"). A group with neither refers to the aircraft's level. A top of 0 is missing.
  ///
  /// - Parameters:
  ///   - severity: The severity.
  ///   - base: The base in hundreds of feet.
  ///   - top: The top in hundreds of feet.
  /// - Returns: The reason why the group has no or not all hexagons, or `nil` if it has all.
  mutating func add(_ severity: TurbulenceSeverity, base: Int64?, top: Int64?) -> DayOddity? {
    self.severity = max(self.severity ?? severity, severity)
    let top = top == 0 ? nil : top
    let ends: (Int64, Int64)
    switch (base, top) {
    case (let base?, let top?): ends = (min(base, top), max(base, top))
    case (let base?, nil): ends = (base, base)
    case (nil, let top?): ends = (min(level ?? top, top), top)
    case (nil, nil):
      guard let level else { return .turbulenceWithoutLevel }
      ends = (level, level)
    }
    let (low, high) = (Self.thousands(ends.0), Self.thousands(ends.1))
    let ceiling = Int64(AltitudeBand.ceiling)
    if low <= ceiling {
      for altitude in low...min(high, ceiling) {
        let altitude = UInt8(altitude)
        thousands[altitude] = max(thousands[altitude] ?? severity, severity)
      }
    }
    return high > ceiling ? .turbulenceTooHigh : nil
  }

  /// Converts non-negative hundreds of feet to thousands, rounded.
  private static func thousands(_ hundreds: Int64) -> Int64 {
    (min(max(hundreds, 0), 10_000) + 5) / 10
  }

  /// Returns the strongest intensity in the group `/TB` of a report text, for feeds without decoded fields.
  static func intensity(inText text: String) -> String? {
    guard let start = text.firstRange(of: "/TB") else { return nil }
    let group = text[start.upperBound...].prefix { $0 != "/" }
    var strongest: (word: String, severity: TurbulenceSeverity)?
    for word in group.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
      guard let severity = TurbulenceSeverity(intensity: String(word)) else { continue }
      if severity > strongest?.severity ?? .none || strongest == nil { strongest = (String(word), severity) }
    }
    return strongest?.word
  }
}
