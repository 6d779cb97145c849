package import ContrailCore
package import ContrailWire

/// The differences from the recorded flight. Nil means: as recorded.
package struct Alternative: Sendable, Hashable {
  package var frequency: DataUpdateFrequency?
  package var history: DataHistoryTime?
  /// The full width of the corridor, in thousandths of a nautical mile.
  package var widthMilliNM: Int64?
  package var types: DataTypeOptions?
  package var severities: SeveritySet?
  /// Whether the viewport is left out.
  package var hasNoViewport = false
  package var wire: Wire?
  /// A design of the sync. It contains a wire.
  package var policy: Policy?
  /// A link instead of the recorded one. The recorded outages are then left out.
  package var link: LinkModel?
  /// The part of the flight in which the settings apply, in milliseconds after its start; nil for the whole flight.
  package var span: Range<Int64>?

  /// The capabilities of the server.
  package enum Wire: String, Sendable, Hashable, CaseIterable {
    /// Areas in each request, and JSON.
    case json
    /// Handles of areas, and compact answers.
    case compact
  }

  /// How a client and its server keep areas up to date.
  package enum Policy: String, Sendable, Hashable, CaseIterable {
    /// Each request contains its area, answers are JSON, and each change of the settings or the map fetches everything in full.
    case seed
    /// Each request contains its area, and answers are JSON. Changes of the settings fetch only what they need.
    case before
    /// Areas have handles, answers are compact, and areas that are due share an exchange.
    case now
  }

  package init() {}

  /// The capabilities of the server: of the policy, or else of the wire. Nil means: as recorded.
  package var offered: Wire? { policy.map { $0 == .now ? .compact : .json } ?? wire }

  /// Whether nothing is different.
  package var isRecorded: Bool { self == Alternative() }

  /// Whether settings of the application are different, in the whole flight or a part.
  package var changesSettings: Bool {
    frequency != nil || history != nil || widthMilliNM != nil || types != nil || severities != nil || hasNoViewport
  }

  /// Returns a query of the application with the differences, without those of frequency and history.
  package func query(_ recorded: DataQuery) -> DataQuery {
    var query = recorded
    if let types { query.types = types }
    if let severities { query.sevs = severities.severities }
    if hasNoViewport { query.viewport = nil }
    if let widthMilliNM, query.polygon == nil, query.route != nil { query.routeWidth = Double(widthMilliNM) / 1000 }
    return query
  }

  /// The alternative in a few words: `frequency=none width=50`.
  package var name: String {
    var words: [String] = []
    if let frequency { words.append("frequency=\(frequency.rawValue)") }
    if let history { words.append("history=\(history.hours)h") }
    if let widthMilliNM { words.append("width=\(Self.decimal(widthMilliNM))") }
    if let types {
      let names = DataTypeOptions.names.filter { types.contains($0.option) }.map { "\($0.name)" }
      words.append("types=\(names.isEmpty ? "none" : names.joined(separator: ","))")
    }
    if let severities { words.append("severities=\(Self.names(severities))") }
    if hasNoViewport { words.append("viewport=off") }
    if let wire { words.append("wire=\(wire.rawValue)") }
    if let policy { words.append("policy=\(policy.rawValue)") }
    if let link { words.append("link=\(link.name)") }
    if let span {
      words.append("from=+\(span.lowerBound / 60_000)m")
      if span.upperBound < .max { words.append("until=+\(span.upperBound / 60_000)m") }
    }
    return words.isEmpty ? "recorded" : words.joined(separator: " ")
  }

  private static func decimal(_ milli: Int64) -> String {
    milli % 1000 == 0 ? "\(milli / 1000)" : "\(Double(milli) / 1000)"
  }

  private static func names(_ severities: SeveritySet) -> String {
    if severities == .all { return "all" }
    let names = TurbulenceSeverity.wordsBySeverity.filter { severities.contains($0.severity) }
    return names.map(\.word).joined(separator: ",")
  }
}

extension TurbulenceSeverity {
  /// The words for severities, as in scenarios.
  package static let wordsBySeverity: [(word: String, severity: TurbulenceSeverity)] = [
    ("none", .none), ("light", .light), ("light-moderate", .lightModerate), ("moderate", .moderate),
    ("moderate-severe", .moderateSevere),
  ]
}

extension DataHistoryTime {
  /// The hours: `0.5`, `1`, `2`, `4` or `6`.
  package var hours: String { seconds == 1800 ? "0.5" : "\(seconds / 3600)" }
}
