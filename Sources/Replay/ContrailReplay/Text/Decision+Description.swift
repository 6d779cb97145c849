package import ContrailCore
import ContrailWire

extension Decision {
  /// A description with the verb in a column of six characters: `full   historyWidened`, `delta  due, since
  /// 1732704917`.
  package var words: String {
    switch self {
    case .fetchStarted(let it):
      Self.column(
        it.mode.rawValue, it.rule,
        [it.since.map { "since \($0)" }, it.hold.map { "held for \($0.seconds) s" }].compactMap { $0 }
          .joined(separator: ", "))
    case .fetchCancelled(let it): Self.column("cancel", it.rule, "request \(it.request)")
    case .queryRejected(let it): Self.column("reject", .invalid, "\(it.reason) at \(it.place)")
    case .errorReported(let it): Self.column("report", it.rule, "\(it.code.rawValue), request \(it.request)")
    case .uploadStarted(let it):
      Self.column("upload", .upload, "\(Words.count(Int(it.count), "report")), key \(it.key)")
    case .weatherExpired(let it): Self.column("expire", .expired, "held since \(Words.utc(it.since))")
    case .airportsSwitched(let it):
      Self.column("switch", .switched, "to \(it.edition.cycle), digest \(Words.digest(it.digest))")
    case .airportsRequested(let it):
      Self.column("request", .delivered, "\(it.reason.rawValue), effective \(Words.utc(it.effectiveMS))")
    case .savingChanged(let it): Self.column("save", .saving, it.words)
    }
  }

  private static func column(_ verb: String, _ rule: Rule, _ rest: String?) -> String {
    let words = [verb == rule.rawValue ? nil : rule.rawValue, rest].compactMap { $0 }.filter { !$0.isEmpty }
    return "\(verb.padded(to: 6)) \(words.joined(separator: ", "))"
  }

  /// Returns descriptions of two decisions that show how they differ.
  static func words(recorded: Decision, now: Decision) -> (recorded: String, now: String) {
    guard recorded.words == now.words else { return (recorded.words, now.words) }
    let (a, b) = (recorded.members, now.members)
    let names = (a.map { $0.name } + b.map { $0.name }.filter { name in !a.contains { $0.name == name } })
    let differing = names.filter { name in a.first { $0.name == name }?.value != b.first { $0.name == name }?.value }
    guard !differing.isEmpty else {
      return ("\(recorded.words) (in another order or encoding)", now.words)
    }
    func list(_ members: [(name: String, value: String)]) -> String {
      differing.map { name in "\(name) \(members.first { $0.name == name }?.value ?? "none")" }.joined(separator: ", ")
    }
    return ("\(recorded.words), \(list(a))", "\(now.words), \(list(b))")
  }

  /// The members of the decision's log line with their encoded values.
  private var members: [(name: String, value: String)] { PayloadMembers.all(Event.decision(self).payload) }
}

extension Decision.SavingChanged {
  /// The level, and the bytes used of the budget.
  fileprivate var words: String {
    "\(saving.rawValue)" + (budget.map { ", \(Words.bytes(used)) of \(Words.bytes($0)) used" } ?? "")
  }
}

/// The members of a payload, flattened: a member of `spec` is named `spec.history`.
enum PayloadMembers {
  static func all(_ payload: [UInt8]) -> [(name: String, value: String)] {
    payload.withUnsafeBytes { all($0) }
  }

  static func all(_ payload: UnsafeRawBufferPointer) -> [(name: String, value: String)] {
    var members: [(name: String, value: String)] = []
    var json = JSONReader(payload)
    do throws(JSONError) {
      try json.members { (key, json) throws(JSONError) in try add(key.string, &json, to: &members) }
    } catch {
      members.append(("payload", String(decoding: payload, as: UTF8.self)))
    }
    return members
  }

  private static func add(
    _ name: String, _ json: inout JSONReader, to members: inout [(name: String, value: String)]
  ) throws(JSONError) {
    let value = json.slice(try json.skipValue())
    // Only nested objects of log events are flattened. A body stays one value.
    guard value.first == UInt8(ascii: "{"), name != "body" else {
      members.append((name, String(decoding: value, as: UTF8.self)))
      return
    }
    var inner = JSONReader(value)
    try inner.object { (key, inner) throws(JSONError) in try add("\(name).\(key.string)", &inner, to: &members) }
  }
}

extension String {
  /// Returns the string padded with trailing spaces to at least `width` characters.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Returns the string padded with leading spaces to at least `width` characters.
  func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
