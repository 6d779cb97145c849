import ContrailWire

/// The turbulence reports that are visible in a state, a column a property and an element a report.
package struct ReportColumns: Sendable {
  /// The lower halves of the H3 indexes.
  package private(set) var lo: [UInt32] = []
  /// The upper halves of the H3 indexes.
  package private(set) var hi: [UInt32] = []
  /// The altitudes in thousands of feet.
  package private(set) var altitude: [UInt8] = []
  package private(set) var severity: [UInt8] = []
  /// The eddy dissipation rates, times 10,000.
  package private(set) var edr: [UInt16] = []
  /// The times of observation, in seconds since 1970.
  package private(set) var observedAt: [UInt32] = []
  /// Indices into the scopes of the state.
  package private(set) var scope: [UInt8] = []
  /// 1 if an earlier scope shows the same report, otherwise 0.
  package private(set) var isRepeated: [UInt8] = []

  /// Creates empty columns.
  package init() {}

  /// The number of reports.
  package var count: Int { lo.count }

  mutating func append(_ report: TurbulenceReport, scope index: Int, isRepeated: Bool) {
    self.isRepeated.append(isRepeated ? 1 : 0)
    lo.append(UInt32(truncatingIfNeeded: report.h3Index))
    hi.append(UInt32(truncatingIfNeeded: report.h3Index >> 32))
    altitude.append(report.altitude)
    severity.append(report.severityCode)
    edr.append(report.edrE4)
    observedAt.append(report.observedAt)
    scope.append(UInt8(clamping: index))
  }
}

/// The state as a viewer shows it: everything but the reports as JSON, and the reports as columns.
package struct StateView: Sendable {
  /// The control part of the state as in snapshots, and for each scope its plan, counts and visible records.
  package let json: [UInt8]
  package let reports: ReportColumns
}

extension State {
  /// Returns the state and the visible data.
  ///
  /// - Parameter at: A time from the state's on, in milliseconds of the log's clock: data ages in between.
  package func view(at: Int64? = nil) -> StateView {
    let time = max(now, at ?? now)
    let serverNow = time + (serverOffsetMS ?? 0)
    let second = serverNow / 1000
    var reports = ReportColumns()
    var json = JSONWriter()
    json.object { json in
      json.member("at", time)
      json.member("serverNow", serverNow)
      json.key("control")
      json.verbatim(controlJSON)
      json.key("scopes")
      json.array { json in
        for (index, scope) in scopes.enumerated() {
          let first = reports.count
          let earlier = scopes[..<index].filter {
            $0.reports.count > 0 && $0.want?.types.contains(.turbulence) == true
          }
          scope.forEachVisibleReport(asOf: second) { report in
            let isRepeated = earlier.contains { $0.shows(report, asOf: second) }
            reports.append(report, scope: index, isRepeated: isRepeated)
          }
          write(scope, reportCount: reports.count - first, asOf: second, to: &json)
        }
      }
      json.key("upload")
      write(uploadPlan.rule, wakesAt: uploadPlan.wakesAt, to: &json)
    }
    return StateView(json: json.bytes, reports: reports)
  }

  private func write(_ rule: Rule, wakesAt: Int64?, to json: inout JSONWriter) {
    json.object { json in
      json.member("rule", rule.rawValue)
      json.member("wakesAt", wakesAt)
    }
  }

  private func write(
    _ scope: Scope, reportCount: Int, asOf second: Int64, to json: inout JSONWriter
  ) {
    let pireps = scope.visiblePIREPs(asOf: second)
    let traffic = scope.visibleTraffic(asOf: second)
    let polygons = scope.visiblePolygons(asOf: second)
    func counts(_ name: StaticString, _ reports: Int, _ pireps: Int, _ traffic: Int, to json: inout JSONWriter) {
      json.key(name)
      json.object { json in
        json.member("reports", reports)
        json.member("pireps", pireps)
        json.member("traffic", traffic)
      }
    }
    json.object { json in
      json.member("name", scope.id.name)
      json.key("ageS")
      if let have = scope.have { json.value(second - have.watermark) } else { json.null() }
      json.key("plan")
      let plan = plan(scope.id)
      write(plan.rule, wakesAt: plan.wakesAt, to: &json)
      counts("held", scope.reports.count, scope.pireps.count, scope.traffic.count, to: &json)
      counts("visible", reportCount, pireps.count, traffic.count, to: &json)
      json.key("pireps")
      json.array { json in for pirep in pireps { pirep.write(to: &json) } }
      json.key("traffic")
      json.array { json in for aircraft in traffic { aircraft.write(to: &json) } }
      // A viewer reads the documents only if their digest is new.
      json.key("polygons")
      if polygons != nil { json.value(Hex.string(scope.digest)) } else { json.null() }
      json.key("weather")
      if scope.weather.isEmpty { json.null() } else { json.value(Hex.string(scope.digest)) }
      json.member("digest", Hex.string(scope.digest))
    }
  }

  /// Returns the polygons or the weather that a scope holds, as JSON; empty if it holds none.
  ///
  /// - Parameter index: The index of the scope.
  package func document(ofScope index: Int) -> [UInt8] {
    guard scopes.indices.contains(index) else { return [] }
    return scopes[index].weather.isEmpty ? scopes[index].polygons : scopes[index].weather
  }
}

extension Scope {
  /// Whether a report is held and visible.
  fileprivate func shows(_ report: TurbulenceReport, asOf second: Int64) -> Bool {
    want?.filter.reports(asOf: second).admits(report) == true && reports.contains(report)
  }
}
