package import ContrailGeodesy
package import ContrailLog
import ContrailReplay

/// The track of an aircraft as it was received.
///
/// The format is CSV with the header `time_utc_iso,lat,lon,alt_ft,groundspeed_kt,track_deg`. The last three fields may
/// be blank.
///
/// Receivers make errors, so a fix is skipped and counted in ``Rejects`` under these rules, in this order:
///
/// 1. *Not later*: its time isn't after that of the last accepted fix.
/// 2. *Too fast*: reaching it from the last accepted fix would need more than 1,200 knots (plus 2 NM of jitter). If
///   three such fixes in a row are consistent with each other, the third is accepted and counted as *relocated*.
///
/// Gaps of any length are valid. The aircraft stays at its last position until the next fix.
package struct Track: Sendable {
  package var fixes: [Fix]
  package var rejects: Rejects

  package struct Fix: Sendable, Equatable {
    /// The time in milliseconds since 1970.
    package var at: Int64
    package var position: Coordinate
    /// The barometric altitude in feet, or `nil` if it is unknown.
    package var altitudeFeet: Double?
    package var groundSpeedKnots: Double?
    /// The track in degrees from true north.
    package var trackDegrees: Double?
  }

  /// The number of skipped fixes by rule.
  package struct Rejects: Sendable, Equatable {
    package var notLater = 0
    package var tooFast = 0
    /// Fixes that were accepted although they were too fast, because others were consistent with them.
    package var relocated = 0
    /// The longest time between two accepted fixes in milliseconds.
    package var longestGapMS: Int64 = 0
  }

  /// The maximum plausible speed in knots.
  package static let fastestKnots = 1200.0
  /// The jitter of a receiver in nautical miles.
  package static let jitterNM = 2.0
  private static let header = ["time_utc_iso", "lat", "lon", "alt_ft", "groundspeed_kt", "track_deg"]

  /// Parses a track.
  ///
  /// - Throws: ``InputError`` for the first invalid line.
  package init(csv: String) throws(InputError) {
    var lines = csv.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
    guard let first = lines.popFirst(), first.split(separator: ",").map(String.init) == Self.header else {
      throw InputError(.track, line: 1, "the header must be \(Self.header.joined(separator: ","))")
    }
    var read: [Fix] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      read.append(try Self.fix(line, number: index + 2))
    }
    guard !read.isEmpty else { throw InputError(.track, line: 2, "the track has no fixes") }
    (fixes, rejects) = Self.believed(read)
  }

  private static func fix(_ line: Substring, number: Int) throws(InputError) -> Fix {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == header.count else {
      throw InputError(.track, line: number, "expected \(header.count) fields, found \(fields.count)")
    }
    guard let at = TimelinePosition.utc(fields[0]) else {
      throw InputError(
        .track, line: number, "time_utc_iso '\(fields[0])' isn't a time; use a form such as 2025-02-04T21:13:42Z")
    }
    func value(_ column: Int, within range: ClosedRange<Double>) throws(InputError) -> Double? {
      if fields[column].isEmpty { return nil }
      guard let number = Double(fields[column]), range.contains(number) else {
        throw InputError(
          .track, line: number,
          "\(header[column]) '\(fields[column])' must be a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    guard let latitude = try value(1, within: -90...90), let longitude = try value(2, within: -360...360) else {
      throw InputError(.track, line: number, "lat and lon must not be blank")
    }
    return Fix(
      at: at, position: Coordinate(latitude: latitude, longitude: longitude),
      altitudeFeet: try value(3, within: -5_000...200_000), groundSpeedKnots: try value(4, within: 0...5_000),
      trackDegrees: try value(5, within: -360...360))
  }

  /// Returns the accepted fixes and the number of skipped ones.
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
