import ContrailCore
import ContrailReplay
import ContrailWire

/// A log without anything that tells whose flight it was, where it was and when, which replays to the same decisions.
///
/// Each line is written again with the listed fields only. Areas, positions and records are drawn from the secret (``StandIns``),
/// not moved. The original and the redacted log are folded side by side. The server's sums are calculated again: a sum that matched
/// the old records matches the new ones, and a wrong sum stays wrong.
package struct Redaction: Sendable {
  /// The redacted log.
  package let draft: LogDraft
  /// What was changed, and what can still be learnt.
  package let report: RedactionReport

  private static let maximumAttempts = 32

  /// Redacts a log.
  ///
  /// - Parameters:
  ///   - original: The log.
  ///   - secret: The secret that determines the times, and everything that is drawn.
  /// - Throws: ``RedactionError`` if the log can't be made safe, or if the redacted log would decide something else.
  /// - Complexity: O(*n*), a few times more for a log with weather or airports.
  package init(_ original: LogDraft, secret: RedactionSecret = RedactionSecret()) throws(RedactionError) {
    guard !original.hasCycleChange else { throw .cycleChange }
    // Another attempt draws other places and times: the delay after a failure depends on the place of the weather, and a cycle of airports may be
    // due at another time.
    var difference: Int64 = 0
    for attempt in 0..<Self.maximumAttempts {
      var redactor = Redactor(secret, attempt: attempt, of: original)
      let draft = redactor.redacted(original)
      if let found = redactor.difference {
        difference = found
        continue
      }
      self.draft = draft
      report = redactor.report
      return
    }
    throw .decidesOtherwise(seq: difference)
  }
}

/// A log can't be redacted.
package enum RedactionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It would decide something else. The `seq` is that of the input, in the original log, after which the decisions differ.
  case decidesOtherwise(seq: Int64)
  /// It contains the instant at which an AIRAC cycle takes effect, which is public.
  case cycleChange

  package var description: String {
    switch self {
    case .decidesOtherwise(let seq):
      "after seq \(seq), the redacted log would decide something else, so nothing was written. Cut the log before or after this "
        + "line with 'replay import --from' or '--until'."
    case .cycleChange:
      "the log contains the instant at which an AIRAC cycle takes effect, which tells the date and time of the flight, so nothing "
        + "was written. Cut the log before or after 'airports.switched' with 'replay import --from' or '--until'."
    }
  }
}

/// What a redaction changed, and what can still be learnt from its log.
package struct RedactionReport: Hashable, Sendable {
  package var reports = 0
  package var pireps = 0
  package var aircraft = 0
  package var documents = 0
  package var otherBodies = 0
  package var sessions = 0
  package var points = 0
  package var areas = 0
  package var isNearCycle = false
  package var hasSnapshot = false
  package var hasBudget = false

  package var text: String {
    var lines = [
      "removed",
      "  \(Words.count(points, "point")) of areas and routes; \(Words.count(areas, "drawn shape")) "
        + "\(areas == 1 ? "stands" : "stand") for them",
      "  \(Words.count(reports, "report")) and \(Words.count(pireps, "PIREP")); each answer has a few drawn ones",
      "  \(Words.count(aircraft, "aircraft position"))",
      "  \(Words.count(sessions, "session name")), all entity tags, area handles and upload keys",
      "  \(Words.count(documents, "document")) of polygons and weather; "
        + "\(Words.count(otherBodies, "other body", "other bodies"))",
      "  places and languages of the weather, and sizes of requests and answers",
      isNearCycle
        ? "  the time, which is moved by up to 13 days"
        : "  the date and time of day; durations stay",
      "can still be learnt",
      "  durations, and when the app was online: who knows when a flight was offline",
      "  can compare",
      "  how often the map and the route were changed, and to how many areas",
      "  types, severities, altitudes, history and width of the route that were asked for",
      "  the status of each answer, and whether polygons or the weather had changed",
      "  when the aircraft reported turbulence, and how often",
      "  which of its reports the service kept from others, and why",
      "  whether a held request that was answered early brought news",
      "  the version of the engine, and the seed of its delays",
    ]
    if isNearCycle {
      lines.append("  the cycle of the airports, and so the date to about four weeks")
    }
    if hasBudget { lines.append("  the byte budget, and when a half, three quarters and so on of it were used") }
    if hasSnapshot { lines.append("  which kinds of data the snapshot at the start holds") }
    return lines.map { $0 + "\n" }.joined()
  }
}
