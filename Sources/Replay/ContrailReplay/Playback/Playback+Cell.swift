package import ContrailCore
import ContrailGeodesy
import ContrailH3
package import ContrailWire

/// Why reports of a cell are visible in a scope, or why none is.
package struct CellPresence: Sendable {
  /// The reason, as seen from the cell.
  package enum Reason: String, Sendable, CaseIterable {
    /// Reports of the cell are visible.
    case visible
    /// The cell isn't in the area of the scope.
    case outside
    /// The app doesn't ask for turbulence reports here.
    case notAsked
    /// The area with the cell was asked for, but no response has arrived.
    case notFetched
    /// Reports of the cell are held, but their severity or altitude isn't asked for.
    case filtered
    /// The reports of the cell are older than the history.
    case expired
    /// Reports of the cell were held, and are no longer in the server's data.
    case replaced
    /// No report of the cell was ever received.
    case neverReported
  }

  package var scope: ScopeID
  package var reason: Reason
  package var isInArea: Bool
  package var heldCount: Int
  package var visibleCount: Int
  /// The `seq` of the line that brought the visible reports.
  package var since: Int64?
  /// The `seq` of the line after which the last report was gone.
  package var lostAt: Int64?
}

extension Playback {
  /// Returns why reports of a cell are visible after a line, or why none is: an element for each scope with reports.
  ///
  /// - Parameters:
  ///   - cell: An H3 index of resolution 5.
  ///   - line: The line.
  /// - Complexity: O(keyframes · reports), and that of folding the lines between two keyframes.
  package func presence(of cell: UInt64, after line: Int) -> [CellPresence] {
    let line = min(line, columns.count - 1)
    let state = state(after: line)
    return state.scopes.filter { $0.id.hasDeltas }.map { presence(of: cell, in: $0, state, after: line) }
  }

  private func presence(of cell: UInt64, in scope: Scope, _ state: State, after line: Int) -> CellPresence {
    let counts = CellCounts(of: cell, in: scope, asOf: state.serverNow / 1000)
    var presence = CellPresence(
      scope: scope.id, reason: .visible, isInArea: scope.want?.area.contains(cell) ?? false, heldCount: counts.held,
      visibleCount: counts.visible)
    if counts.visible > 0 {
      presence.since = change(of: cell, in: scope.id, before: line) { $0.visible > 0 }
      return presence
    }
    if let want = scope.want, want.types.contains(.turbulence) {
      if !presence.isInArea {
        presence.reason = .outside
      } else if counts.held > 0 {
        presence.reason = counts.young > 0 ? .filtered : .expired
      } else if scope.have?.spec.area.contains(cell) != true {
        presence.reason = .notFetched
      } else {
        presence.lostAt = change(of: cell, in: scope.id, before: line) { $0.held == 0 }
        presence.reason = presence.lostAt.map { reasonOfLoss(of: cell, in: scope.id, at: $0) } ?? .neverReported
      }
    } else {
      presence.reason = .notAsked
    }
    return presence
  }

  /// Returns the `seq` of the line since which a condition holds without a break; nil if it always held.
  private func change(
    of cell: UInt64, in id: ScopeID, before line: Int, isSo: (CellCounts) -> Bool
  ) -> Int64? {
    func holds(_ state: State) -> Bool {
      isSo(state.scope(id).map { CellCounts(of: cell, in: $0, asOf: state.serverNow / 1000) } ?? CellCounts())
    }
    var frame = keyframes.index(atOrBefore: line)
    while frame >= 0, holds(keyframes[frame].state) { frame -= 1 }
    var (at, state) = frame >= 0 ? keyframes[frame] : (-1, State())
    // From here on, find the last line that made it so. It is before the next keyframe.
    let end = frame + 1 < keyframes.count ? min(keyframes[frame + 1].line, line) : line
    var since: Int?
    var wasSo = holds(state)
    while at < end {
      at += 1
      guard let record = record(at) else { break }
      apply(record, to: &state)
      let isSoNow = holds(state)
      if isSoNow, !wasSo { since = at }
      wasSo = isSoNow
    }
    return since.map { Int64(columns.seq[$0]) }
  }

  /// Returns why the last report of a cell was gone after a line.
  private func reasonOfLoss(of cell: UInt64, in id: ScopeID, at seq: Int64) -> CellPresence.Reason {
    let line = columns.line(of: seq)
    guard let before = state(after: line - 1).scope(id), let now = state(after: line).scope(id), let have = now.have
    else {
      return .replaced
    }
    let counts = CellCounts(of: cell, in: before, asOf: have.watermark)
    return counts.young == 0 ? .expired : .replaced
  }

  /// Returns why reports of a cell are visible after a line, or why none is, as a story.
  package func story(of cell: UInt64, after line: Int) -> PlaybackStory {
    let all = presence(of: cell, after: line)
    let visible = all.reduce(0) { $0 + $1.visibleCount }
    let name = "cell \(Hex.string(cell).drop { $0 == "0" })"
    var story = PlaybackStory(
      title: visible > 0 ? "\(name): \(Words.count(visible, "report")) visible" : "\(name): no report visible")
    if all.isEmpty { story.add("because", "the app asks for no area here, and none is held") }
    for presence in all {
      story.add(presence.scope.name, presence.words)
      if let seq = presence.since { story.add("since", words(of: columns.line(of: seq)), seq: seq) }
      if let seq = presence.lostAt { story.add("until", words(of: columns.line(of: seq)), seq: seq) }
    }
    return story
  }

  /// Writes the presence of a cell and its story as an object.
  package func writeStory(of cell: UInt64, after line: Int, to json: inout JSONWriter) {
    json.object { json in
      story(of: cell, after: line).writeMembers(to: &json, self)
      json.key("scopes")
      json.array { json in
        for presence in presence(of: cell, after: line) {
          json.object { json in
            json.member("scope", presence.scope.name)
            json.member("inArea", presence.isInArea)
            json.member("held", presence.heldCount)
            json.member("visible", presence.visibleCount)
            json.member("reason", presence.reason.rawValue)
            json.key("since")
            if let seq = presence.since { json.value(columns.line(of: seq)) } else { json.null() }
            json.key("lostAt")
            if let seq = presence.lostAt { json.value(columns.line(of: seq)) } else { json.null() }
          }
        }
      }
    }
  }
}

extension CellPresence {
  fileprivate var words: String {
    switch reason {
    case .visible: "\(Words.count(visibleCount, "report")) visible of \(Words.count(heldCount)) held"
    case .outside: "the cell isn't in the area that is asked for"
    case .notAsked: "turbulence reports aren't asked for"
    case .notFetched: "the area is asked for, but no response with the cell has arrived yet"
    case .filtered:
      "\(Words.count(heldCount, "report")) held, but of a severity or an altitude that isn't asked for"
    case .expired: "the reports of the cell are older than the history"
    case .replaced: "the server's data no longer has the reports of the cell"
    case .neverReported: "no report of the cell was ever received"
    }
  }
}

/// The reports of one cell in one scope.
private struct CellCounts {
  var held = 0
  var visible = 0
  /// The reports that aren't older than the history.
  var young = 0

  init() {}

  init(of cell: UInt64, in scope: Scope, asOf second: Int64) {
    let filter = scope.want.flatMap { $0.types.contains(.turbulence) ? $0.filter.reports(asOf: second) : nil }
    let oldest = second - (scope.want ?? scope.have?.spec).map { $0.history.seconds }.orZero
    var (held, visible, young) = (0, 0, 0)
    scope.reports.forEach { report in
      guard report.h3Index == cell else { return }
      held += 1
      if Int64(report.observedAt) > oldest { young += 1 }
      if let filter, filter.admits(report) { visible += 1 }
    }
    (self.held, self.visible, self.young) = (held, visible, young)
  }
}

extension Int64? {
  fileprivate var orZero: Int64 { self ?? 0 }
}

extension Area {
  /// Whether the centre of a cell is in the area.
  fileprivate func contains(_ cell: UInt64) -> Bool {
    guard case .ring(let ring) = self else { return true }
    guard let cell = H3Cell(rawValue: cell) else { return false }
    return ring.contains(cell.center)
  }
}
