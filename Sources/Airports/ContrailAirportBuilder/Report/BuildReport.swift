public import ContrailAirportData

/// The result of a build: rows read, merged, added and dropped, with reasons. Equal builds produce equal reports.
///
/// Every row read is accounted for; see ``Flow/isBalanced``.
public struct BuildReport: Hashable, Sendable {
  /// The reason why a record isn't in the file.
  public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The source marks it as closed.
    case closed
    /// Its kind isn't selected.
    case unwantedKind
    /// NASR has the same airport, closed or of an unselected kind.
    case droppedInNASR
    /// The same source contains it twice.
    case duplicate
    /// It has no runway, and only airports with runways are selected.
    case withoutRunway
    /// Its airport isn't in the source.
    case orphan
    /// Its airport was dropped.
    case airportDropped
    /// NASR has runways for the airport, which take precedence.
    case supersededByNASR
    /// It is a helipad, and heliports aren't selected.
    case helipad
    /// Neither end has a name.
    case nameless
    /// None of its ends could be read.
    case withoutEnds
  }

  /// The results of the rows of one table.
  public struct Flow: Hashable, Sendable {
    /// The number of rows read, without unreadable ones.
    public internal(set) var read = 0
    /// The number of records in the file that come from this table.
    public internal(set) var kept = 0
    /// The number of records merged into a NASR record.
    public internal(set) var merged = 0
    /// The dropped records by reason.
    public internal(set) var dropped: [DropReason: Tally] = [:]

    /// The number of dropped records.
    public var droppedCount: Int { dropped.values.reduce(0) { $0 + $1.count } }
    /// Whether every row read was kept, merged or dropped.
    public var isBalanced: Bool { read == kept + merged + droppedCount }

    mutating func drop(_ reason: DropReason, _ example: @autoclosure () -> String) {
      dropped[reason, default: Tally()].add(example())
    }
  }

  /// An unreadable row.
  public struct MalformedRow: Hashable, Sendable {
    /// The file name.
    public var file: String
    /// The one-based line on which the row begins.
    public var line: Int
    /// The reason, as a clause without a full stop.
    public var reason: String
  }

  /// The cycle of the build.
  public var cycle: AIRACCycle
  /// The cycle of the NASR files, if they contain a valid one.
  public internal(set) var nasrCycle: AIRACCycle?

  /// The sites of NASR.
  public internal(set) var nasrAirports = Flow()
  /// The runways of NASR.
  public internal(set) var nasrRunways = Flow()
  /// The runway ends of NASR whose runway is missing.
  public internal(set) var nasrOrphanEnds = Tally()
  /// The airports of OurAirports.
  public internal(set) var ourAirports = Flow()
  /// The runways of OurAirports.
  public internal(set) var ourRunways = Flow()

  /// Airports of both sources that were matched by a common identifier.
  public internal(set) var matchedByIdentifier = Tally()
  /// Airports of both sources that were matched by distance.
  public internal(set) var matchedByNearness = Tally()
  /// Contradictions between the sources, by field. The value of NASR is used.
  public internal(set) var conflicts: [String: Tally] = [:]
  /// Values missing in NASR and filled from OurAirports, by field.
  public internal(set) var filled: [String: Tally] = [:]
  /// Values computed from other values, by field.
  public internal(set) var computed: [String: Tally] = [:]
  /// Invalid values that count as missing, by file and column.
  public internal(set) var refusedValues: [String: Tally] = [:]
  /// The number of occurrences of each unrecognised surface spelling.
  public internal(set) var unknownSurfaces: [String: Int] = [:]

  /// The first ``maximumMalformed`` unreadable rows.
  public internal(set) var malformed: [MalformedRow] = []
  /// The number of unreadable rows.
  public internal(set) var malformedCount = 0

  /// The number of airports written.
  public internal(set) var airportCount = 0
  /// The number of runway directions written.
  public internal(set) var runwayCount = 0
  /// The number of airports with a time zone.
  public internal(set) var timeZoneCount = 0
  /// The digest of the airports written.
  public internal(set) var digest = AirportDigest()
  /// The size of the file in bytes, or 0 if none was written.
  public internal(set) var fileBytes = 0

  /// The maximum number of unreadable rows in ``malformed``.
  public static let maximumMalformed = 10_000

  init(cycle: AIRACCycle) {
    self.cycle = cycle
  }

  /// Whether every row read is accounted for.
  public var isBalanced: Bool {
    [nasrAirports, nasrRunways, ourAirports, ourRunways].allSatisfy(\.isBalanced)
      && airportCount == nasrAirports.kept + ourAirports.kept
  }

  /// The most important problems of the build.
  public var warnings: [String] {
    var warnings: [String] = []
    if let nasrCycle, nasrCycle != cycle {
      warnings.append("the NASR files are for cycle \(nasrCycle) instead of cycle \(cycle)")
    }
    if malformedCount > 0 {
      warnings.append("\(malformedCount) \(malformedCount == 1 ? "row" : "rows") couldn't be read")
    }
    return warnings
  }

  mutating func addMalformed(_ file: String, _ line: Int, _ reason: String) {
    malformedCount += 1
    if malformed.count < Self.maximumMalformed {
      malformed.append(MalformedRow(file: file, line: line, reason: reason))
    }
  }

  mutating func addRefusals(of row: NamedRow, in file: String) {
    for refusal in row.refusals {
      refusedValues["\(file) \(refusal.column)", default: Tally()].add("line \(row.row.line): '\(refusal.text)'")
    }
  }
}
