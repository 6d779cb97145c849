import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailWire

// The items of a result, as the page reads them.

extension JSONWriter {
  mutating func value(_ item: TurbulenceItem) {
    object { json in
      json.member("id", item.id.text)
      json.member("h3", item.h3)
      json.member("alt", item.alt)
      json.member("sev", item.sev.rawValue)
      json.member("severity", item.sev.name)
      json.key("edr")
      json.decimal(Int64(item.report.edrE4), digits: 4)
      json.member("observedAt", item.observedAt)
      json.member("age", item.ageSeconds)
      json.member("count", item.count)
      if let state = item.ownState { json.member("ownState", state.rawValue) }
    }
  }

  mutating func value(_ pirep: PIREP) {
    object { json in
      json.member("id", pirep.id)
      json.key("position")
      json.value(pirep.position.coordinate)
      json.nullable("flightLevel", pirep.flightLevel.map { Int64($0) })
      json.nullable("severity", pirep.severity?.name)
      json.member("isUrgent", pirep.isUrgent)
      json.member("observedAt", pirep.observedAt)
      json.member("text", pirep.text)
    }
  }

  mutating func value(_ aircraft: TrafficPosition) {
    object { json in
      json.member("id", aircraft.id)
      json.member("callsign", aircraft.callsign)
      json.key("position")
      json.value(aircraft.position.coordinate)
      json.nullable("altitudeFeet", aircraft.altitudeFeet.map { Int64($0) })
      json.nullable("groundSpeedKnots", aircraft.groundSpeedKnots.map { Int64($0) })
      json.nullable("trackDegrees", aircraft.trackDegrees.map { Int64($0) })
      json.member("observedAt", aircraft.observedAt)
    }
  }

  mutating func value(_ area: TurbulenceArea) {
    object { json in
      json.member("id", area.id.text)
      json.nullable("severity", area.severity?.name)
      json.nullable("baseFeet", area.baseFeet.map { Int64($0) })
      json.nullable("topFeet", area.topFeet.map { Int64($0) })
      json.key("feature")
      area.write(to: &json)
    }
  }

  mutating func value(_ alert: TurbulenceAlert) {
    object { json in
      json.member("id", alert.id)
      json.member("phase", alert.phase.name)
      json.member("mode", alert.mode == .route ? "route" : "beam")
      json.member("distanceNM", alert.distanceNM)
      json.member("farthestNM", alert.farthestNM)
      json.member("bearingDegrees", alert.bearingDegrees)
      json.key("timeToGoSeconds")
      if let seconds = alert.timeToGoSeconds { json.value(seconds) } else { json.null() }
      json.member("severity", alert.severity.name)
      json.key("altitudeBandFeet")
      json.array { json in
        json.value(alert.altitudeBandFeet.lowerBound)
        json.value(alert.altitudeBandFeet.upperBound)
      }
      json.member("count", alert.count)
      json.member("newestAt", alert.newestAt)
      json.member("age", alert.ageSeconds)
      json.key("cells")
      json.array { json in for cell in alert.cells { json.value(String(cell.rawValue, radix: 16)) } }
      json.key("sources")
      json.array { json in
        if alert.sources.contains(.reports) { json.value("reports") }
        if alert.sources.contains(.pireps) { json.value("pireps") }
        if alert.sources.contains(.areas) { json.value("areas") }
      }
    }
  }
}

extension TurbulenceAlert.Phase {
  var name: String {
    switch self {
    case .new: "new"
    case .worsened: "worsened"
    case .changed: "changed"
    case .unchanged: "unchanged"
    case .ended: "ended"
    }
  }
}

/// An identity of an item as a text.
protocol TextIdentity { var text: String { get } }

extension String: TextIdentity { var text: String { self } }

extension UInt64: TextIdentity { var text: String { String(self, radix: 16) } }

extension TurbulenceItem.ID: TextIdentity {
  /// The H3 index, and without aggregation also the report.
  var text: String {
    let h3 = String(
      TurbulenceReport(cell: cell, altitude: 0, severity: 0, edrE4: 0, observedAt: 0).h3Index, radix: 16)
    return report == 0 ? h3 : "\(h3)-\(String(report & 0xFFFF_FFFF, radix: 16))-\(observedAt)"
  }
}
