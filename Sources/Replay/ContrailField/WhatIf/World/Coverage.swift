import ContrailCore
import ContrailGeodesy
import ContrailWire

/// The data that the answers of a recording cover: areas, types, severities, altitudes and times.
package struct Coverage: Sendable {
  /// Answers for one area and one filter.
  struct Group: Sendable {
    var areaDigest: UInt64
    var ring: Ring
    var types: DataTypeOptions
    var severities: SeveritySet
    var altitudes: AltitudeBand
    /// The times covered, in seconds of the server: apart, and in order.
    var spans: [Span] = []
    /// The history and the watermark of the last answer.
    var last: (historySeconds: Int64, token: Int64)
  }

  /// A time from one second up to another.
  struct Span: Sendable, Hashable {
    var from: Int64
    var to: Int64
  }

  private(set) var groups: [Group] = []

  /// Why a part of a request is unknown.
  package enum Gap: String, Sendable, CaseIterable {
    case area
    case types
    case severities
    case altitudes
    case history
    case times
    case link
    case documents

    /// What to record, so that the part is known.
    package var advice: String {
      switch self {
      case .area: "record the flight with an area that contains this one, such as a wider corridor"
      case .types: "record the flight with these types"
      case .severities: "record the flight with all severities"
      case .altitudes: "record the flight with all altitudes"
      case .history: "record the flight with this history time or a longer one"
      case .times: "record the flight with a higher update frequency, so that no time lies between answers"
      case .link: "record the flight with a higher update frequency, so that the state of the link is known"
      case .documents: "record the flight with these polygons or this weather"
      }
    }
  }

  /// The known part of a request, 0…1, and why the rest is unknown.
  package struct Share: Sendable, Hashable {
    package var known: Double
    package var gap: Gap?

    package init(known: Double, gap: Gap?) {
      self.known = known
      self.gap = gap
    }

    package static let whole = Share(known: 1, gap: nil)
  }

  mutating func add(_ spec: FetchSpec, since: Int64?, token: Int64) {
    guard case .ring(let ring) = spec.area else { return }
    let index =
      groups.firstIndex {
        $0.areaDigest == spec.areaDigest && $0.types == spec.types && $0.severities == spec.severities
          && $0.altitudes == spec.altitudes
      } ?? groups.count
    if index == groups.count {
      groups.append(
        Group(
          areaDigest: spec.areaDigest, ring: ring, types: spec.types, severities: spec.severities,
          altitudes: spec.altitudes, last: (spec.history.seconds, token)))
    }
    groups[index].last = (spec.history.seconds, token)
    groups[index].spans.insert(Span(from: since ?? token - spec.history.seconds, to: token))
  }

  /// Returns the watermark of the last answer that would have contained a report; nil if there is none.
  func lastAnswer(before token: Int64, admitting report: TurbulenceReport, in spec: FetchSpec) -> Int64? {
    var last: Int64?
    for group in groups where group.last.token <= token {
      guard group.types.contains(.turbulence), group.severities.rawValue & (1 << report.severityCode) != 0,
        group.altitudes.contains(report.altitude),
        Int64(report.observedAt) > group.last.token - group.last.historySeconds
      else { continue }
      // The area of another group may not contain the report.
      if group.areaDigest == spec.areaDigest || group.ring.contains(report.position) {
        last = max(last ?? group.last.token, group.last.token)
      }
    }
    return last
  }
}

extension [Coverage.Span] {
  /// Adds a span, merged with those that it meets.
  mutating func insert(_ span: Coverage.Span) {
    guard span.from < span.to else { return }
    // Almost always it continues the last one.
    if let last = self.last, last.from <= span.from {
      if span.from <= last.to {
        self[count - 1].to = Swift.max(last.to, span.to)
      } else {
        append(span)
      }
      return
    }
    var merged = span
    var rest: [Coverage.Span] = []
    for other in self {
      if other.to < merged.from || merged.to < other.from {
        rest.append(other)
      } else {
        merged = Coverage.Span(from: Swift.min(other.from, merged.from), to: Swift.max(other.to, merged.to))
      }
    }
    rest.append(merged)
    self = rest.sorted { $0.from < $1.from }
  }

  /// Returns the times that are in both. Each are apart and in order.
  func intersection(_ others: [Coverage.Span]) -> [Coverage.Span] {
    var spans: [Coverage.Span] = []
    var (own, other) = (0, 0)
    while own < count, other < others.count {
      let span = Coverage.Span(
        from: Swift.max(self[own].from, others[other].from), to: Swift.min(self[own].to, others[other].to))
      if span.from < span.to { spans.append(span) }
      if self[own].to < others[other].to { own += 1 } else { other += 1 }
    }
    return spans
  }

  /// The seconds of a span that these cover.
  func overlap(_ span: Coverage.Span) -> Int64 {
    reduce(0) { $0 + Swift.max(0, Swift.min($1.to, span.to) - Swift.max($1.from, span.from)) }
  }
}
