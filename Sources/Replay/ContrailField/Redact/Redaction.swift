import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailWire

/// A log without keys, sessions, free text, real positions and real days, which replays to the same decisions.
///
/// Each line is made anew from the fields that are listed here, so whatever isn't listed is gone. Two states are folded: that of
/// the original and that of the redacted log. The sums of the server, which cover cells that moved, are made to say about the new
/// records what they said about the old ones.
package struct Redaction: Sendable {
  /// The redacted log.
  package let draft: LogDraft
  /// What was changed, and what can still be learnt.
  package let report: RedactionReport

  private static let maximumAttempts = 8

  /// Redacts a log.
  ///
  /// - Parameters:
  ///   - original: The log.
  ///   - secret: The secret that determines the rotation and the days.
  /// - Throws: ``RedactionError`` if the redacted log would decide something else.
  /// - Complexity: O(*n*), a few times more for a log with weather.
  package init(_ original: LogDraft, secret: RedactionSecret = RedactionSecret()) throws(RedactionError) {
    let hasWeather = original.turns.contains { turn in
      turn.events.contains {
        if case .input(.queryChanged(let query)) = $0 { !query.weather.places.isEmpty } else { false }
      }
    }
    // The delay after a failure depends on the name of its scope, and a weather scope is named by its place. Another
    // place nearby gives another delay.
    for attempt in 0..<(hasWeather ? Self.maximumAttempts : 1) {
      var redactor = Redactor(secret, attempt: attempt, of: original)
      let draft = redactor.redacted(original)
      guard redactor.difference == nil else {
        if attempt + 1 < (hasWeather ? Self.maximumAttempts : 1) { continue }
        throw RedactionError(seq: redactor.difference ?? 0)
      }
      self.draft = draft
      report = redactor.report
      return
    }
    throw RedactionError(seq: 0)
  }
}

/// A log can't be redacted, because it would decide something else.
package struct RedactionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The `seq` of the input, in the original log, after which the decisions differ.
  package let seq: Int64

  package var description: String {
    "after seq \(seq), the redacted log would decide something else, so nothing was written. Cut the log before or after this "
      + "line with 'replay import --from' or '--until'."
  }
}

/// What a redaction changed, and what can still be learnt from its log.
package struct RedactionReport: Hashable, Sendable {
  package var reports = 0
  package var movedCells = 0
  package var pireps = 0
  package var aircraft = 0
  package var documents = 0
  package var otherBodies = 0
  package var sessions = 0
  package var points = 0
  package var turnedAreas = 0
  package var shiftsDays = true
  package var hasSnapshot = false

  package var text: String {
    var lines = [
      "changed",
      "  \(Words.count(points, "point")) of areas and routes, and \(Words.count(movedCells, "cell")) of "
        + "\(Words.count(reports, "report")), by a secret rotation of the sphere",
      "  \(Words.count(pireps, "PIREP")) without text, \(Words.count(aircraft, "aircraft position")) without call sign",
      "  \(Words.count(sessions, "session name")), all entity tags, area handles and upload keys",
      "  \(Words.count(documents, "document")) of polygons and weather, emptied; "
        + "\(Words.count(otherBodies, "other body", "other bodies")), removed",
      shiftsDays
        ? "  all times, by a secret number of whole days"
        : "  no times: the log contains AIRAC cycles, whose dates are public",
      "still to be learnt",
      "  the lengths of the route and its turns, and so perhaps the two airports",
      "  the time of day, durations, and how fast the aircraft moved",
      "  altitudes, severities and EDR of reports, and how dense they are",
      "  the numbers of bytes, the version of the engine, and the seed of its delays",
    ]
    if turnedAreas > 0 {
      lines.append(
        "  the latitudes of \(Words.count(turnedAreas, "query", "queries")) whose area is rejected for its exact shape")
    }
    if hasSnapshot { lines.append("  as above for the data that the snapshot at the start holds") }
    return lines.map { $0 + "\n" }.joined()
  }
}
