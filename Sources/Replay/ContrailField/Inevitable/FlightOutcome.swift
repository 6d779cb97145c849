package import ContrailCore
package import ContrailLog
import ContrailReplay
import ContrailWire

/// What a flight may end in: a state at a time, or a decision or finding by a time.
package enum FlightOutcome: Sendable, Hashable {
  /// A scope is wanted at a time, and shows nothing valid. The time is in milliseconds after the start.
  case withoutData(ScopeID, atMS: Int64)
  /// What a scope shows at a time is older than an age, or there is nothing valid.
  case older(ScopeID, thanMS: Int64, atMS: Int64)
  /// The engine takes a decision of a rule, in a span of milliseconds after the start; nil for the end of the flight.
  case decision(Pattern, fromMS: Int64 = 0, byMS: Int64?)
  /// The judge finds a violation like this one.
  case finding(Finding)

  /// Decisions that are alike.
  package struct Pattern: Sendable, Hashable {
    package var kind: Kind?
    package var rule: Rule
    package var mode: FetchMode?
    package var scope: ScopeID?

    package init(kind: Kind? = nil, rule: Rule, mode: FetchMode? = nil, scope: ScopeID? = nil) {
      (self.kind, self.rule, self.mode, self.scope) = (kind, rule, mode, scope)
    }

    /// The decisions that are like one.
    package init(like decision: Decision) {
      self.init(kind: decision.kind, rule: decision.rule, scope: decision.scope)
      if case .fetchStarted(let started) = decision { mode = started.mode }
    }

    func matches(_ decision: Decision) -> Bool {
      guard decision.rule == rule, kind == nil || kind == decision.kind, scope == nil || scope == decision.scope else {
        return false
      }
      guard let mode else { return true }
      if case .fetchStarted(let started) = decision { return started.mode == mode }
      return false
    }
  }

  /// The forms of ``init(_:scope:)``, for messages.
  package static let forms = "no-data@TIME, older=AGE@TIME, or rule=RULE[:MODE][@TIME]"

  /// Parses an outcome such as `no-data@3h10m`, `older=30m@3h10m` or `rule=countDiffers:repair`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - scope: The scope that is meant; nil for the corridor, or of a rule any.
  /// - Throws: ``InputError`` if the text is invalid.
  package init(_ text: String, scope: ScopeID?) throws(InputError) {
    func refuse(_ expected: String) -> InputError {
      InputError(.option, at: "state", "'\(text)' is invalid; expected \(expected)")
    }
    let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var time: Int64?
    if sides.count == 2 {
      guard let at = TimeText.milliseconds(sides[1]), at >= 0 else {
        throw refuse("a time after the start, such as t+03:10:00 or 3h10m")
      }
      time = at
    }
    let words = sides[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (words[0], words.count, time) {
    case ("no-data", 1, let time?): self = .withoutData(scope ?? .corridor, atMS: time)
    case ("older", 2, let time?):
      guard let age = TimeText.milliseconds(words[1]), age > 0 else { throw refuse("an age such as 30m") }
      self = .older(scope ?? .corridor, thanMS: age, atMS: time)
    case ("rule", 2, let time):
      let names = words[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard names.count <= 2, let rule = Rule(rawValue: names[0]) else {
        throw refuse("a rule, such as \(Rule.allCases.prefix(3).map(\.rawValue).joined(separator: ", "))")
      }
      var pattern = Pattern(rule: rule, scope: scope)
      if names.count == 2 {
        guard let mode = FetchMode(rawValue: names[1]) else { throw refuse("the mode full, delta or repair") }
        pattern.mode = mode
      }
      self = .decision(pattern, byMS: time)
    default: throw refuse(Self.forms)
    }
  }

  /// The outcome in a few words.
  package var words: String {
    switch self {
    case .withoutData(let scope, let at): "nothing valid of \(scope.name) at \(Words.offset(at))"
    case .older(let scope, let age, let at): "\(scope.name) older than \(Words.span(age)) at \(Words.offset(at))"
    case .decision(let pattern, _, let by):
      [
        pattern.kind?.rawValue ?? "a decision", pattern.mode?.rawValue, "by \(pattern.rule.rawValue)",
        pattern.scope.map { "for \($0.name)" }, by.map { "until \(Words.offset($0))" },
      ].compactMap { $0 }.joined(separator: " ")
    case .finding(let finding):
      "a finding: \(finding.guarantee.rawValue)\(finding.rule.map { " \($0.rawValue)" } ?? "")"
        + (finding.scope.map { " of \($0.name)" } ?? "")
    }
  }

  /// Returns how many decisions of a recording are like the outcome, at any time; 0 for an outcome of another kind.
  ///
  /// - Throws: ``WhatIfError`` if the recording can't be read.
  package func count(inRecordingAt path: String) throws(WhatIfError) -> Int {
    guard case .decision(let pattern, _, _) = self else { return 0 }
    do throws(UnreadableRecording) {
      let reader = try RecordingReader(path: path)
      var count = 0
      while let entry = try reader.next() {
        if case .decision(let decision) = entry.record.event, pattern.matches(decision) { count += 1 }
      }
      return count
    } catch {
      throw .unreadable(error)
    }
  }

  /// The time at which the outcome is decided, in milliseconds after the start; nil for the end of the flight.
  var deadlineMS: Int64? {
    switch self {
    case .withoutData(_, let at), .older(_, _, let at): at
    case .decision(_, _, let by): by
    case .finding: nil
    }
  }

  /// Returns whether a state shows the outcome; nil if lines do.
  ///
  /// - Parameter time: The time of the outcome, in milliseconds since 1970.
  func isMet(_ state: State, at time: Int64) -> Bool? {
    switch self {
    case .withoutData(let id, _): state.age(of: id, at: time).map { $0 == .max } ?? false
    case .older(let id, let limit, _): state.age(of: id, at: time).map { $0 > limit } ?? false
    case .decision, .finding: nil
    }
  }

  /// Returns the time from which a state shows the outcome, in milliseconds since 1970; nil if it doesn't tell.
  func since(_ state: State) -> Int64? {
    guard case .withoutData(let id, _) = self, let scope = state.scope(id), let have = scope.have else {
      guard case .older(let id, let age, _) = self, let have = state.scope(id)?.have else { return nil }
      return have.watermark * 1000 - (state.serverOffsetMS ?? 0) + min(age, have.spec.history.seconds * 1000)
    }
    return scope.expiresAt ?? (have.watermark + have.spec.history.seconds) * 1000 - (state.serverOffsetMS ?? 0)
  }

  /// Whether a state has no scope in which the outcome could show.
  func isMoot(_ state: State) -> Bool {
    switch self {
    case .withoutData(let id, _), .older(let id, _, _): state.scope(id)?.want == nil
    case .decision, .finding: false
    }
  }
}

extension State {
  /// Returns the age of what a scope shows at a time, in milliseconds; `Int64.max` if it has nothing valid, nil if nothing is wanted.
  fileprivate func age(of id: ScopeID, at time: Int64) -> Int64? {
    guard let scope = scope(id), scope.want != nil else { return nil }
    guard let have = scope.have else { return .max }
    if let expiresAt = scope.expiresAt { return time >= expiresAt ? .max : time - (scope.lastSuccessAt ?? time) }
    let age = time + (serverOffsetMS ?? 0) - have.watermark * 1000
    return age >= have.spec.history.seconds * 1000 ? .max : age
  }
}
