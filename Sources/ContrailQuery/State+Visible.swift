import ContrailCore
import ContrailWire

extension State {
  /// A scope whose records may be shown, and what may be shown of them.
  struct View {
    var scope: Scope
    var want: FetchSpec
  }

  /// The scopes of an area that want records of a type, the corridor first.
  ///
  /// What is held beyond what is wanted is hidden: a narrower query is answered at once, without a request.
  func views(_ type: DataTypeOptions, only id: ScopeID?) -> [View] {
    scopes.compactMap { scope in
      guard scope.id.hasDeltas, id == nil || scope.id == id, let want = scope.want, want.types.contains(type) else {
        return nil
      }
      return View(scope: scope, want: want)
    }
  }

  /// About how many reports are held in the scopes.
  static func reportCount(_ views: [View]) -> Int { views.reduce(0) { $0 + $1.scope.reports.count } }

  /// Calls `body` with each turbulence report that may be shown, once, whichever scopes hold it.
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
