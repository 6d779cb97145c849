import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailWire

// The values of the client as the shell in JavaScript reads them. ABI.md describes the members.

extension TurbulenceSeverity {
  /// The names, by the raw values.
  private static let names = ["none", "light", "lightModerate", "moderate", "moderateSevere"]

  var name: String { Self.names[Int(rawValue)] }

  init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(index))
  }
}

extension JSONWriter {
  /// Writes a number with up to nine decimals; null if it isn't finite.
  mutating func value(_ number: Double) {
    let scaled = (number * 1e9).rounded()
    if abs(scaled) < 9e18 { decimal(Int64(scaled), digits: 9) } else { null() }
  }

  mutating func member(_ name: StaticString, _ number: Double) {
    key(name)
    value(number)
  }

  mutating func value(_ point: Coordinate) {
    array { json in
      json.value(point.longitude)
      json.value(point.latitude)
    }
  }

  mutating func member(_ name: StaticString, _ points: [Coordinate]?) {
    key(name)
    guard let points else { return null() }
    array { json in for point in points { json.value(point) } }
  }

  mutating func member(_ name: StaticString, _ severities: [TurbulenceSeverity]) {
    key(name)
    array { json in for severity in severities { json.value(severity.name) } }
  }
}

extension ClientError {
  /// The error of an argument that the shell passed.
  init(_ error: JSONError) {
    self.init(
      .invalidQuery, message: "The value is invalid at byte \(error.offset): \(error.reason)",
      advice: "Correct this value.", isTransient: false)
  }
}

extension ScopeStatus {
  func write(to json: inout JSONWriter, at now: Int64) {
    json.object { json in
      json.member("scope", scope.name)
      json.member("phase", phase.rawValue)
      json.nullable("freshAsOf", freshAsOfSecond.map { $0 * 1000 })
      json.nullable("ageMS", freshAsOfSecond.map { max(now + serverLeadMS - $0 * 1000, 0) })
      json.nullable("lastUpdate", lastUpdateMS)
      json.nullable("nextAttempt", nextAttemptMS)
      json.member("failures", failures)
      json.nullable("lastError", lastError)
      json.member("sessionBytes", sessionBytes)
    }
  }
}

extension ByteStatus {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("sessionBytes", sessionBytes)
      json.member("used", used)
      json.nullable("left", left)
      json.member("saving", saving.rawValue)
    }
  }
}

extension TurbulenceReport {
  func write(to json: inout JSONWriter, state: OwnReport.State) {
    json.object { json in
      json.key("position")
      if let center = H3Cell(packed22: cell)?.center { json.value(center) } else { json.null() }
      json.member("altitudeFeet", Int64(altitude) * 1000)
      json.member("severity", severity.name)
      json.key("edr")
      json.decimal(Int64(edrE4), digits: 4)
      json.member("observedAt", Int64(observedAt))
      json.member("state", state.rawValue)
    }
  }
}

extension OwnReport.State {
  /// The number in columns.
  var code: UInt8 {
    switch self {
    case .waiting: 1
    case .sending: 2
    case .confirmed: 3
    case .refused: 4
    case .heldBack: 5
    }
  }
}

// MARK: - Settings

extension DataQuery {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("types", types)
      json.member("viewportTypes", viewportTypes)
      json.member("sevs", sevs)
      json.member("polygon", polygon)
      json.member("viewport", viewport)
      json.member("route", route)
      json.key("routeWidth")
      if let routeWidth { json.value(routeWidth) } else { json.null() }
      json.key("altRange")
      if let altRange {
        json.array { json in
          json.value(altRange.lowerBound)
          json.value(altRange.upperBound)
        }
      } else {
        json.null()
      }
      json.member("globalEnabled", globalEnabled)
      json.member("globalTurbulencePolygonsUpToEnabled", globalTurbulencePolygonsUpToEnabled)
      json.key("weather")
      json.object { json in
        json.key("places")
        json.array { json in for place in weather.places { json.value(place.coordinate) } }
        json.key("spec")
        json.object { json in
          json.member("language", weather.spec.language)
          json.member("unit", weather.spec.unit)
          json.member("includesAlerts", weather.spec.includesAlerts)
          json.member("hours", weather.spec.hours)
          json.member("days", weather.spec.days)
          json.member("version", weather.spec.version)
          json.member("file", weather.spec.file)
        }
      }
    }
  }
}

extension AppSide {
  func writeSettings(to json: inout JSONWriter) {
    json.object { json in
      json.key("dataQuery")
      settings.dataQuery.write(to: &json)
      json.member("dataHistoryTime", settings.dataHistoryTime.seconds)
      json.member("dataUpdateFrequency", settings.dataUpdateFrequency.rawValue)
      json.key("listening")
      json.object { json in
        let listening = settings.listening
        json.member("isEnabled", listening.isEnabled)
        json.nullable("urgentSeverity", listening.urgentSeverity?.name)
        json.key("urgentAltitudes")
        json.array { json in
          json.value(Int64(listening.urgentAltitudes.lower) * 1000)
          json.value(Int64(listening.urgentAltitudes.upper) * 1000)
        }
        json.nullable("confirmationMinutes", listening.confirmationMinutes.map { Int64($0) })
      }
      json.key("byteBudget")
      json.object { json in
        let budget = settings.byteBudget
        json.nullable("bytes", budget.bytes)
        if case .flight(let flight) = budget.period {
          json.member("flight", flight)
        } else {
          json.nullable("flight", nil as String?)
        }
        json.member("savesOnExpensiveLink", budget.savesOnExpensiveLink)
        json.member("savesOnConstrainedLink", budget.savesOnConstrainedLink)
      }
      json.key("linkCost")
      json.object { json in
        json.member("isExpensive", linkCost.isExpensive)
        json.member("isConstrained", linkCost.isConstrained)
      }
      json.member("isOnline", isOnline)
      json.member("hasLink", hasLink)
    }
  }
}
