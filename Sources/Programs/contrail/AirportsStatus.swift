import ArgumentParser
import ContrailAirportData
import ContrailAirports
import ContrailWire

/// The `contrail airports status` command: prints the state of the database.
struct AirportsStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the cycle in use, its end date and the next cycle.",
    discussion: """
      EXAMPLES
        contrail airports status
        contrail airports status --at 2025-11-27 --json

      EXIT STATUS
        0   the cycle in use is effective
        1   a cycle must or should be loaded
        64  invalid arguments
      """)

  @OptionGroup var store: AirportDatabaseOptions
  @OptionGroup var moment: MomentOptions

  @Flag(help: "Print the status as JSON.")
  var json = false

  func run() throws {
    let time = try moment.seconds()
    let database = store.exists ? try store.existing() : nil
    // A pending cycle takes effect at its effective time, also if this command is the first to open the database.
    _ = try database?.activatePending(at: time)
    let status = try database?.status()
    let need = status.map { AirportLoadNeed($0, at: time) } ?? .noData
    print(json ? self.json(status, need, time) : text(status, need, time))
    if need != .none { throw ExitCode(1) }
  }

  private func text(_ status: AirportStatus?, _ need: AirportLoadNeed, _ time: Int64) -> String {
    var lines = ["database    \(store.path)"]
    lines.append("in use      \(status?.current?.line ?? "none")")
    if let changes = status?.current?.changes { lines.append("            \(changes)") }
    for source in status?.current?.sources ?? [] {
      let day = source.asOf.flatMap(CivilDay.init(containing:)).map { " as of \($0)" } ?? ""
      lines.append("            from \(source.name)\(day)")
    }
    if let pending = status?.pending { lines.append("waiting     \(pending.line)") }
    if let unfinished = status?.unfinished {
      lines.append("unfinished  cycle \(unfinished): load it again to resume")
    }
    if let now = AIRACCycle(at: time) {
      lines.append("today       cycle \(now), \(now.effectiveDay) to \(now.endDay)")
      if let next = now.next { lines.append("next        cycle \(next), from \(next.effectiveDay)") }
    }
    lines.append("result      \(need.words)")
    return lines.joined(separator: "\n")
  }

  private func json(_ status: AirportStatus?, _ need: AirportLoadNeed, _ time: Int64) -> String {
    let now = AIRACCycle(at: time)
    var json = JSONWriter()
    json.object { json in
      json.member("database", store.path)
      json.member("need", "\(need)")
      json.key("effectiveCycle")
      json.optional(now?.identifier)
      json.key("nextCycle")
      json.optional(now?.next?.identifier)
      json.key("nextEffectiveFrom")
      json.optional((now?.next?.effectiveDay).map { "\($0)" })
      json.key("inUse")
      if let current = status?.current { current.write(to: &json) } else { json.null() }
      json.key("waiting")
      if let pending = status?.pending { pending.write(to: &json) } else { json.null() }
      json.key("unfinished")
      json.optional(status?.unfinished?.identifier)
    }
    return json.text
  }
}

extension AirportLoadNeed {
  /// A description of the need, with the action to take.
  fileprivate var words: String {
    switch self {
    case .none: "the cycle in use is effective"
    case .cycleExpired: "the cycle in use isn't effective; load the effective cycle"
    case .schemaMismatch: "the airports were loaded by another version; load them again"
    case .noData: "no airports are loaded; load a cycle with 'contrail airports load'"
    }
  }
}

extension LoadedCycle {
  fileprivate var line: String {
    "cycle \(cycle), \(cycle.effectiveDay) to \(cycle.endDay): \(airportCount) airports, \(runwayCount) runway directions"
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("cycle", cycle.identifier)
      json.member("effectiveFrom", "\(cycle.effectiveDay)")
      json.member("effectiveUntil", "\(cycle.endDay)")
      json.member("airports", airportCount)
      json.member("runways", runwayCount)
      json.member("digest", "\(digest)")
      json.member("fingerprint", fingerprint)
      json.key("changes")
      json.object { json in
        let counts: [(StaticString, Int)] = [
          ("added", changes.added), ("removed", changes.removed), ("changed", changes.changed),
          ("variationOnly", changes.variationOnly), ("unchanged", changes.unchanged),
        ]
        for (key, count) in counts {
          json.key(key)
          json.value(count)
        }
      }
      json.key("sources")
      json.array { json in
        for source in sources {
          json.object { json in
            json.member("name", source.name)
            json.member("asOf", source.asOf)
          }
        }
      }
    }
  }
}
