import ContrailWire

/// A recorded day: PIREPs, other aircraft, and turbulence warnings.
///
/// ```swift
/// let day = try RecordedDay(pireps: ["pireps.json"], states: ["states.json.xz"], sigmets: ["gairmets.json"])
/// print(day.report)
/// configuration.day = day
/// ```
package struct RecordedDay: Sendable {
  /// The result of reading the files.
  package let report: DayReport

  /// The PIREPs in order of arrival.
  let pireps: [PilotReport]
  /// The snapshots in order of time.
  let snapshots: [TrafficSnapshot]
  /// The advisories in order of arrival.
  let advisories: [Advisory]

  /// Reads the files of a day. Each kind can have any number of files.
  ///
  /// Invalid records are skipped and listed in ``report``. Duplicates count once.
  ///
  /// - Parameters:
  ///   - pireps: PIREPs as Aviation Weather Center JSON or GeoJSON, or polls of the latter as JSON lines.
  ///   - states: Responses of OpenSky `states/all`.
  ///   - sigmets: SIGMETs and G-AIRMETs as Aviation Weather Center JSON or GeoJSON, or snapshots of the latter as
  ///     JSON lines. Only those about turbulence are served.
  /// - Throws: ``DayError`` if a file can't be read or is of another kind.
  /// - Complexity: O(*n*) in the size of the files. One file at a time is in memory.
  package init(pireps: [String] = [], states: [String] = [], sigmets: [String] = []) throws(DayError) {
    var pilots = PilotReportReader()
    for path in pireps { try pilots.read(path) }
    var traffic = StateReader()
    for path in states { try traffic.read(path) }
    var warnings = AdvisoryReader()
    for path in sigmets { try warnings.read(path) }
    report = DayReport(files: pilots.files + traffic.files + warnings.files)
    self.pireps = pilots.reports.sorted { ($0.arrival, $0.pirep.id) < ($1.arrival, $1.pirep.id) }
    snapshots = traffic.snapshots
    advisories = warnings.advisories.sorted { $0.arrival < $1.arrival }
  }
}

/// The kind of records in a file. The raw value is their plural name.
package enum DayKind: String, CaseIterable, Hashable, Sendable {
  case pireps = "PIREPs"
  case states = "aircraft"
  case sigmets = "advisories"
}

/// The relation between the times of a recorded day and the server's time.
package enum DayClock: String, CaseIterable, Hashable, Sendable {
  /// The records are shifted in time. The newest record of each kind arrives at the last full five minutes before the
  /// server's start, and the intervals between records of one kind are kept. Each kind is shifted separately, because
  /// files of different kinds are rarely from the same day.
  ///
  /// The server uses the real time, so clients can upload their own reports. A delta since a time before the start is
  /// refused, because the records then had other times.
  case shifted
  /// The records keep their times, and the server's clock starts at the first full five minutes after the newest
  /// record. Times in report texts are correct, the intervals between kinds are kept, and a restarted server returns
  /// the same data.
  case recorded
}

/// The result of reading the files of a recorded day, with the records that were skipped or repaired.
package struct DayReport: Hashable, Sendable, CustomStringConvertible {
  /// A problem of the records in a file.
  package struct Note: Hashable, Sendable {
    package let oddity: DayOddity
    /// The number of affected records.
    package fileprivate(set) var count: Int
    /// The location of the first affected record, such as `line 3, record 17`.
    package let first: String
  }

  /// The result of one file.
  package struct File: Hashable, Sendable {
    package let path: String
    package let kind: DayKind
    /// The number of all records.
    package internal(set) var records = 0
    /// The number of served records.
    package internal(set) var served = 0
    /// The number of turbulence reports on hexagons created from the served records.
    package internal(set) var hexagons = 0
    /// The problems, in the order of their first occurrence.
    package private(set) var notes: [Note] = []
    /// The arrival time of the first served record in seconds since 1970.
    package private(set) var oldest: Int64?
    /// The arrival time of the last served record in seconds since 1970.
    package private(set) var newest: Int64?
    /// The newest time of all advisories in the file, served or not, in seconds since 1970; nil if none has a time.
    package private(set) var newestAdvisory: Int64?

    init(path: String, kind: DayKind) {
      self.path = path
      self.kind = kind
    }

    /// Returns the number of records with a problem.
    package func count(of oddity: DayOddity) -> Int { notes.first { $0.oddity == oddity }?.count ?? 0 }

    mutating func note(_ oddity: DayOddity, at place: String) {
      if let index = notes.firstIndex(where: { $0.oddity == oddity }) {
        notes[index].count += 1
      } else {
        notes.append(Note(oddity: oddity, count: 1, first: place))
      }
    }

    mutating func listAdvisory(arrival: Int64) { newestAdvisory = max(newestAdvisory ?? arrival, arrival) }

    mutating func serve(arrival: Int64) {
      served += 1
      oldest = min(oldest ?? arrival, arrival)
      newest = max(newest ?? arrival, arrival)
    }
  }

  /// The results of the files by kind, in the given order.
  package internal(set) var files: [File] = []

  /// A line per file and a line per problem.
  package var description: String {
    files.map(\.description).joined(separator: "\n")
  }
}

extension DayReport.File: CustomStringConvertible {
  package var description: String {
    var lines = ["\(path): \(served) of \(records) \(kind.rawValue) served"]
    if hexagons > 0 { lines[0] += ", with \(Counted(hexagons, "turbulence report")) on hexagons" }
    if let oldest, let newest {
      lines[0] +=
        oldest == newest ? ", of \(DayTime.text(newest))" : ", \(DayTime.text(oldest)) to \(DayTime.text(newest))"
    }
    for (handling, title) in [
      (DayOddity.Handling.leftOut, "skipped "), (.mended, "repaired"), (.partLost, "partial "),
    ] {
      for note in notes where note.oddity.handling == handling {
        lines.append("  \(title) \(note.count) \(note.oddity.text) (first: \(note.first))")
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// A problem of a record, and how it is handled.
package enum DayOddity: String, CaseIterable, Hashable, Sendable {
  case notJSON
  case notARecord
  case withoutPosition
  case impossiblePosition
  case withoutTime
  case observedAfterReceipt
  case double
  case withoutAddress
  case onGround
  case stale
  case otherHazard
  case line
  case unknownGeometry
  case withoutArea

  case levelZero
  case impossibleLevel
  case withoutReceipt
  case openRing
  case invertedAltitudes
  case unknownSeverity
  case impossibleMotion
  case unwrappedTrack

  case turbulenceWithoutLevel
  case turbulenceTooHigh
  case unknownIntensity

  /// The handling of a record with a problem.
  package enum Handling: String, Hashable, Sendable {
    /// The record isn't served.
    case leftOut
    /// The record is served with a plausible correction.
    case mended
    /// The record is served without the affected part.
    case partLost
  }

  package var handling: Handling {
    switch self {
    case .notJSON, .notARecord, .withoutPosition, .impossiblePosition, .withoutTime, .observedAfterReceipt, .double,
      .withoutAddress, .onGround, .stale, .otherHazard, .line, .unknownGeometry, .withoutArea:
      .leftOut
    case .levelZero, .impossibleLevel, .withoutReceipt, .openRing, .invertedAltitudes, .unknownSeverity,
      .impossibleMotion, .unwrappedTrack:
      .mended
    case .turbulenceWithoutLevel, .turbulenceTooHigh, .unknownIntensity: .partLost
    }
  }

  /// A description that follows a count.
  package var text: String {
    switch self {
    case .notJSON: "not valid JSON"
    case .notARecord: "not a record of this kind"
    case .withoutPosition: "without a position"
    case .impossiblePosition: "with an invalid position"
    case .withoutTime: "without a time"
    case .observedAfterReceipt: "observed more than five minutes after the receipt"
    case .double: "duplicates"
    case .withoutAddress: "without an address"
    case .onGround: "on the ground"
    case .stale: "not seen for five minutes or more"
    case .otherHazard: "not about turbulence"
    case .line: "lines without an area"
    case .unknownGeometry: "without a polygon"
    case .withoutArea: "rings without an area"
    case .levelZero: "with level 0 of an unknown type: level unknown"
    case .impossibleLevel: "with an impossible level: level unknown"
    case .withoutReceipt: "without a time of receipt: time of observation or issue used"
    case .openRing: "with an open ring: closed"
    case .invertedAltitudes: "with top below base: swapped"
    case .unknownSeverity: "with an unknown severity: default of the product used"
    case .impossibleMotion: "with an impossible speed or altitude: value unknown"
    case .unwrappedTrack: "with a track outside 0° to 360°: normalised"
    case .turbulenceWithoutLevel: "with turbulence at an unknown level: no hexagon"
    case .turbulenceTooHigh: "with turbulence above 52,000 ft: no hexagon above"
    case .unknownIntensity: "with an unknown turbulence intensity: no hexagon"
    }
  }
}

/// An error in a file of a recorded day. Single invalid records don't cause an error; see ``DayReport``.
package enum DayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file can't be read.
  case unreadable(file: String, reason: String)
  /// The compressed file can't be decompressed.
  case damaged(file: String, reason: String)
  /// The file isn't valid JSON.
  case notJSON(file: String, line: Int, column: Int, reason: String)
  /// The file contains JSON of another kind.
  case notWhatItShouldBe(file: String, place: String, expected: String, found: String)

  /// A stable code of the error.
  package var code: String {
    switch self {
    case .unreadable: "unreadable"
    case .damaged: "damaged"
    case .notJSON: "notJSON"
    case .notWhatItShouldBe: "notWhatItShouldBe"
    }
  }

  /// The path as given.
  package var file: String {
    switch self {
    case .unreadable(let file, _), .damaged(let file, _), .notJSON(let file, _, _, _),
      .notWhatItShouldBe(let file, _, _, _):
      file
    }
  }

  package var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): \(reason). Check the path and the permissions"
    case .damaged(let file, let reason):
      "\(file): \(reason). Download the file again"
    case .notJSON(let file, let line, let column, let reason):
      "\(file):\(line):\(column): invalid JSON: \(reason). Give JSON or JSON lines, optionally compressed as .xz"
    case .notWhatItShouldBe(let file, let place, let expected, let found):
      "\(file), \(place): expected \(expected), found \(found). Check that the file is given with the right option"
    }
  }
}
