public import ContrailGeodesy

/// Where an aircraft was, and when: a flight as it was received.
///
/// The form is CSV with the header `time_utc_iso,lat,lon,alt_ft,groundspeed_kt,track_deg`; the last three may be blank.
///
/// Receivers err, so a fix is used only if it passes these rules, in this order; what is left out is counted (``Rejects``):
///
/// 1. *Not later*: its time isn't after that of the last fix that was used.
/// 2. *Too fast*: from the last fix that was used it would have taken more than 1,200 knots (and 2 NM of jitter). When three such
///    fixes in a row agree among themselves, the aircraft is where they say: the third is used, and counted as *relocated*.
///
/// A gap is no fault, however long: the aircraft is where it was last seen until it is seen again.
public struct Track: Sendable {
  public var fixes: [Fix]
  public var rejects: Rejects

  public struct Fix: Sendable, Equatable {
    /// Milliseconds since 1970.
    public var at: Int64
    public var position: Coordinate
    /// Barometric feet; nil where the track doesn't say.
    public var altitudeFeet: Double?
    public var groundSpeedKnots: Double?
    /// Degrees from true north.
    public var trackDegrees: Double?
  }

  /// What was left out, by rule.
  public struct Rejects: Sendable, Equatable {
    public var notLater = 0
    public var tooFast = 0
    /// Fixes that were used although they were too fast, because others agreed with them.
    public var relocated = 0
    /// The longest time between two fixes that were used, in milliseconds.
    public var longestGapMS: Int64 = 0
  }

  /// The fastest that an aircraft is believed to be, in knots.
  public static let fastestKnots = 1200.0
  /// The jitter of a receiver, in nautical miles.
  public static let jitterNM = 2.0
  private static let header = ["time_utc_iso", "lat", "lon", "alt_ft", "groundspeed_kt", "track_deg"]

  /// Reads a track.
  ///
  /// - Throws: ``TrackFault`` for the first row that isn't one.
  public init(csv: String) throws(TrackFault) {
    var lines = csv.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
    guard let first = lines.popFirst(), first.split(separator: ",").map(String.init) == Self.header else {
      throw TrackFault(line: 1, reason: "the header must be \(Self.header.joined(separator: ","))")
    }
    var read: [Fix] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      read.append(try Self.fix(line, number: index + 2))
    }
    guard !read.isEmpty else { throw TrackFault(line: 2, reason: "the track has no fixes") }
    (fixes, rejects) = Self.believed(read)
  }

  private static func fix(_ line: Substring, number: Int) throws(TrackFault) -> Fix {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == header.count else {
      throw TrackFault(line: number, reason: "expected \(header.count) fields, found \(fields.count)")
    }
    guard let at = ISOTime.milliseconds(fields[0]) else {
      throw TrackFault(line: number, reason: "time_utc_iso is no time like 2025-02-04T21:13:42Z")
    }
    func value(_ column: Int, within range: ClosedRange<Double>) throws(TrackFault) -> Double? {
      if fields[column].isEmpty { return nil }
      guard let number = Double(fields[column]), range.contains(number) else {
        throw TrackFault(
          line: number, reason: "\(header[column]) must be a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    guard let latitude = try value(1, within: -90...90), let longitude = try value(2, within: -360...360) else {
      throw TrackFault(line: number, reason: "lat and lon must not be blank")
    }
    return Fix(
      at: at, position: Coordinate(latitude: latitude, longitude: longitude),
      altitudeFeet: try value(3, within: -5_000...200_000), groundSpeedKnots: try value(4, within: 0...5_000),
      trackDegrees: try value(5, within: -360...360))
  }

  /// The fixes that pass the rules, and how many didn't.
  static func believed(_ read: [Fix]) -> ([Fix], Rejects) {
    var rejects = Rejects()
    var used: [Fix] = []
    var doubted: [Fix] = []
    for fix in read {
      guard let last = used.last else {
        used.append(fix)
        continue
      }
      guard fix.at > last.at else {
        rejects.notLater += 1
        continue
      }
      if isPlausible(from: last, to: fix) {
        rejects.tooFast += doubted.count
        doubted = []
      } else {
        if let previous = doubted.last, fix.at <= previous.at || !isPlausible(from: previous, to: fix) {
          rejects.tooFast += doubted.count
          doubted = []
        }
        doubted.append(fix)
        guard doubted.count == 3 else { continue }
        rejects.tooFast += 2
        rejects.relocated += 1
        doubted = []
      }
      rejects.longestGapMS = max(rejects.longestGapMS, fix.at - last.at)
      used.append(fix)
    }
    rejects.tooFast += doubted.count
    return (used, rejects)
  }

  private static func isPlausible(from a: Fix, to b: Fix) -> Bool {
    let hours = Double(b.at - a.at) / 3_600_000
    return a.position.distanceNM(to: b.position) <= fastestKnots * hours + jitterNM
  }
}

/// Why a row is no fix, and which.
public struct TrackFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line in the file, from 1.
  public var line: Int
  public var reason: String

  public var description: String { "line \(line): \(reason)" }
}
