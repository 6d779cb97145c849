package import ContrailCore
import ContrailWire

/// The planner's decisions in every situation and for every input, computed by running it.
///
/// The table is the source of a documentation page and of tests for properties that hold in every cell. Every situation
/// is reached by inputs alone, so each one can occur in practice.
package enum PlannerTable {
  /// One situation combined with one input.
  package struct Cell {
    package let family: Family
    package let situation: Situation
    package let occurrence: Occurrence
    /// The rule that determined the action, preceded by invalid if a part of the query was rejected.
    package let rules: [Rule]
    package let decisions: [Decision]
    package let before: State
    package let after: State
    /// The situation of the scope after the input.
    package let next: Situation
  }

  /// Every cell, in the order of the page.
  package static var cells: [Cell] {
    Family.allCases.flatMap { family in
      family.situations.flatMap { situation in
        let course = Course(family, in: situation)
        return Occurrence.allCases.map { cell(family, situation, $0, course) }
      }
    }
  }

  private static func cell(
    _ family: Family, _ situation: Situation, _ occurrence: Occurrence, _ course: Course
  ) -> Cell {
    var course = course
    let before = course.state
    course.pass(occurrence)
    let decisions = course.decisions
    var rules = [course.rule]
    if decisions.contains(where: { $0.rule == .invalid && $0.scope == family.scope }) { rules.insert(.invalid, at: 0) }
    return Cell(
      family: family, situation: situation, occurrence: occurrence, rules: rules, decisions: decisions, before: before,
      after: course.state, next: course.state.situation(family.scope))
  }
}

// MARK: - Markdown

extension PlannerTable.Cell {
  /// The cell's text in the page: rule, decisions, next situation.
  package var outcome: String {
    let rules = rules.map(\.rawValue).joined(separator: ", ")
    let decisions = decisions.map { $0.line(in: family.scope) }.joined(separator: ", ")
    return "\(rules) | \(decisions.isEmpty ? "–" : decisions) | \(next.rawValue)"
  }

  /// The cell's name: family, situation and input.
  package var name: String { "\(family.rawValue) · \(situation.rawValue) · \(occurrence.rawValue)" }
}

extension Decision {
  /// Returns a short description of the decision, prefixed with its scope if that isn't `scope`.
  fileprivate func line(in scope: ScopeID) -> String {
    let words =
      switch self {
      case .fetchStarted(let it): "\(it.mode.rawValue) \(it.rule.rawValue)"
      case .fetchCancelled(let it): "cancel \(it.rule.rawValue)"
      case .queryRejected(let it): "reject \(it.reason)"
      case .errorReported(let it): "report \(it.code.rawValue)"
      case .uploadStarted(let it): "upload of \(it.count)"
      case .weatherExpired: "say expired"
      case .airportsSwitched(let it): "switch to \(it.edition.cycle)"
      case .airportsRequested(let it): "request airports \(it.reason.rawValue)"
      case .savingChanged(let it): "save \(it.saving.rawValue)"
      }
    return self.scope == scope ? words : "\(self.scope.name): \(words)"
  }
}

extension PlannerTable {
  /// The page: one section per situation, and one row per outcome with all inputs that lead to it.
  package static var markdown: String {
    let cells = cells
    var page = introduction
    for family in Family.allCases {
      page += "\n## \(family.title)\n\n\(family.summary)\n"
      for situation in family.situations {
        page += "\n### \(family.rawValue) · \(situation.rawValue)\n\n\(situation.summary)\n\n"
        page += "| input | rule | decisions | then |\n| --- | --- | --- | --- |\n"
        var rows: [(outcome: String, inputs: [String])] = []
        for cell in cells where cell.family == family && cell.situation == situation {
          if let row = rows.firstIndex(where: { $0.outcome == cell.outcome }) {
            rows[row].inputs.append(cell.occurrence.rawValue)
          } else {
            rows.append((cell.outcome, [cell.occurrence.rawValue]))
          }
        }
        for row in rows { page += "| \(row.inputs.joined(separator: " · ")) | \(row.outcome) |\n" }
      }
    }
    return page
  }

  private static let introduction = """
    # The planner, cell by cell

    The decisions in every situation of a scope, for every input.

    ## Overview

    This page is generated: each cell is computed by the planner, and a test compares all cells with this page. After an intended change,
    run the tests with `CONTRAIL_UPDATE_TABLES=1` to regenerate the page, and review the difference.

    Each row is one outcome: the inputs that lead to it, the rule that determined it, the decisions, and the next situation. The rules are
    those of <doc:Rules>. *Narrower* and *wider* refer to severities and altitudes, and to the hours of weather; *elsewhere* is another
    language for weather. A response answers the in-flight request; without one, it answers an earlier request and is dropped.

    """
}
