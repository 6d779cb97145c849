public import ContrailAirportData

/// What a build read, merged, added and dropped, and why; deterministic, for a log or a test.
///
/// Everything that was read is accounted for: see ``Flow/isBalanced``.
public struct BuildReport: Hashable, Sendable {
  /// Why something that was read isn't in the file.
  public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The source has it closed.
    case closed
    /// It is of a kind that isn't wanted.
    case unwantedKind
    /// NASR, which wins, has the same airport closed or of an unwanted kind.
    case droppedInNASR
    /// The same source has it twice.
    case duplicate
    /// It has no runway, and only airports with runways are wanted.
    case withoutRunway
    /// Its airport isn't among those read.
    case orphan
    /// Its airport was dropped.
    case airportDropped
    /// NASR, which wins, has the airport's runways.
    case supersededByNASR
    /// It is a helipad, and heliports aren't wanted.
    case helipad
    /// Neither of its ends has a name.
    case nameless
    /// No end of it could be read.
    case withoutEnds
  }

  /// Where all that was read of one table went.
  public struct Flow: Hashable, Sendable {
    /// How many were read; malformed rows aren't among them.
    public internal(set) var read = 0
    /// How many stand in the file as this source has them, gaps filled.
    public internal(set) var kept = 0
    /// How many were found to be the same as one of NASR, and gave it what it lacked.
    public internal(set) var merged = 0
    /// How many were dropped, by reason.
    public internal(set) var dropped: [DropReason: Tally] = [:]

    /// How many were dropped.
    public var droppedCount: Int { dropped.values.reduce(0) { $0 + $1.count } }
    /// Whether each that was read was kept, merged or dropped.
    public var isBalanced: Bool { read == kept + merged + droppedCount }

    mutating func drop(_ reason: DropReason, _ example: @autoclosure () -> String) {
      dropped[reason, default: Tally()].add(example())
    }
  }

  /// A row that couldn't be read.
  public struct MalformedRow: Hashable, Sendable {
    /// The file's name.
    public var file: String
    /// The line on which the row begins, the first being 1.
    public var line: Int
    /// Why, in a clause without a full stop.
    public var reason: String
  }

  /// The cycle that was built.
  public var cycle: AIRACCycle
  /// The cycle that NASR's files are of, if they say so and it is one.
  public internal(set) var nasrCycle: AIRACCycle?

  /// NASR's sites.
  public internal(set) var nasrAirports = Flow()
  /// NASR's runways.
  public internal(set) var nasrRunways = Flow()
  /// NASR's runway ends that belong to no runway that was read.
  public internal(set) var nasrOrphanEnds = Tally()
  /// OurAirports' airports.
  public internal(set) var ourAirports = Flow()
  /// OurAirports' runways.
  public internal(set) var ourRunways = Flow()

  /// Airports of both sources that were recognised by an identifier that they share.
  public internal(set) var matchedByIdentifier = Tally()
  /// Airports of both sources that were recognised by lying in one place.
  public internal(set) var matchedByNearness = Tally()
  /// Where the sources contradict each other, by field. NASR won each time.
  public internal(set) var conflicts: [String: Tally] = [:]
  /// What NASR lacked and OurAirports had, by field.
  public internal(set) var filled: [String: Tally] = [:]
  /// What was computed from other values, by field.
  public internal(set) var computed: [String: Tally] = [:]
  /// Values that can't be true and count as missing, by file and column.
  public internal(set) var refusedValues: [String: Tally] = [:]
  /// Spellings of surfaces that weren't understood, and how often each stood there.
  public internal(set) var unknownSurfaces: [String: Int] = [:]

  /// Rows that couldn't be read, by file and line: the first ``maximumMalformed``.
  public internal(set) var malformed: [MalformedRow] = []
  /// How many rows couldn't be read.
  public internal(set) var malformedCount = 0

  /// How many airports were written.
  public internal(set) var airportCount = 0
  /// How many runways were written, each direction by itself.
  public internal(set) var runwayCount = 0
  /// The sum over the airports written.
  public internal(set) var digest = AirportDigest()
  /// The size of the file written, in bytes; 0 if none was.
  public internal(set) var fileBytes = 0

  /// How many malformed rows are named; all are counted.
  public static let maximumMalformed = 10_000

  init(cycle: AIRACCycle) {
    self.cycle = cycle
  }

  /// Whether everything that was read is accounted for.
  public var isBalanced: Bool {
    [nasrAirports, nasrRunways, ourAirports, ourRunways].allSatisfy(\.isBalanced)
      && airportCount == nasrAirports.kept + ourAirports.kept
  }

  /// What whoever built should know first.
  public var warnings: [String] {
    var warnings: [String] = []
    if let nasrCycle, nasrCycle != cycle {
      warnings.append("NASR's files are of cycle \(nasrCycle), and the cycle built is \(cycle)")
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
