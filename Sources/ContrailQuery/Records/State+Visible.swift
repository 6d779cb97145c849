import ContrailCore
import ContrailWire

extension State {
  /// A scope with visible records, and the spec that filters them.
  struct View {
    var scope: Scope
    var want: FetchSpec
  }

  /// Returns the area scopes that want records of a type, the corridor first.
  ///
  /// Stored data beyond the wanted spec is hidden, so that a narrower query takes effect at once, without a request.
  func views(_ type: DataTypeOptions, only id: ScopeID?) -> [View] {
    scopes.compactMap { scope in
      guard scope.id.hasDeltas, id == nil || scope.id == id, let want = scope.want, want.types.contains(type) else {
        return nil
      }
      return View(scope: scope, want: want)
    }
  }

  /// Returns the approximate number of reports in the scopes.
  static func reportCount(_ views: [View]) -> Int { views.reduce(0) { $0 + $1.scope.reports.count } }

  /// Calls `body` once with each visible turbulence report, even if several scopes contain it.
  static func forEachReport(in views: [View], asOf second: Int64, _ body: (TurbulenceReport) -> Void) {
    for (index, view) in views.enumerated() {
      let filter = view.want.filter(asOf: second)
      let earlier = views[..<index].map { (filter: $0.want.filter(asOf: second), reports: $0.scope.reports) }
      view.scope.reports.forEach { report in
        guard filter.admits(report) else { return }
        for other in earlier where other.filter.admits(report) && other.reports.contains(report) { return }
        body(report)
      }
    }
  }
}
