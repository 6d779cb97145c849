/// What is asked of an area: types of data, severities and altitudes of turbulence, and the history.
package struct Filter: Hashable, Sendable {
  package var types: DataTypeOptions
  /// The severities of turbulence; does not affect other types.
  package var severities: SeveritySet
  /// The altitudes of turbulence; does not affect other types.
  package var altitudes: AltitudeBand
  package var history: DataHistoryTime

  /// Creates a filter. The defaults are those of the service.
  package init(
    types: DataTypeOptions = .turbulence, severities: SeveritySet = .all, altitudes: AltitudeBand = .all,
    history: DataHistoryTime = .twoHours
  ) {
    self.types = types
    self.severities = severities
    self.altitudes = altitudes
    self.history = history
  }

  /// Whether data fetched with this filter includes all data of another one.
  package func covers(_ other: Filter) -> Bool {
    other.types.isSubset(of: types) && severities.isSuperset(of: other.severities)
      && altitudes.covers(other.altitudes) && history >= other.history
  }

  /// Returns the filter for reports at the server time `token`, in seconds, to test many reports.
  @inlinable
  package func reports(asOf token: Int64) -> ReportFilter {
    ReportFilter(after: token - history.rawValue, severities: severities, altitudes: altitudes)
  }
}

/// What has a filter: a spec, a decision, and the requests for areas.
package protocol Filtered {
  var filter: Filter { get set }
}

extension Filtered {
  @inlinable package var types: DataTypeOptions {
    get { filter.types }
    set { filter.types = newValue }
  }

  @inlinable package var severities: SeveritySet {
    get { filter.severities }
    set { filter.severities = newValue }
  }

  @inlinable package var altitudes: AltitudeBand {
    get { filter.altitudes }
    set { filter.altitudes = newValue }
  }

  @inlinable package var history: DataHistoryTime {
    get { filter.history }
    set { filter.history = newValue }
  }
}

/// A filter for reports at a given time.
package struct ReportFilter: Hashable, Sendable {
  /// Reports observed at or before this second are excluded.
  @usableFromInline package let limit: Int64
  @usableFromInline package let severities: SeveritySet
  @usableFromInline package let altitudes: AltitudeBand

  @inlinable
  init(after limit: Int64, severities: SeveritySet, altitudes: AltitudeBand) {
    self.limit = limit
    self.severities = severities
    self.altitudes = altitudes
  }

  @inlinable @inline(__always)
  package func admits(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && altitudes.contains(report.altitude)
      && severities.rawValue & (1 << report.severityCode) != 0
  }
}
