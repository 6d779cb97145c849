import ContrailGeodesy
import ContrailWire

extension WeatherSpec {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("language", language)
      json.member("unit", unit)
      json.member("alerts", includesAlerts)
      json.member("hours", hours)
      json.member("days", days)
      // Omitted while they are the service's defaults.
      if version != WeatherSpec.versions.first { json.member("version", version) }
      if file != WeatherSpec.files.first { json.member("file", file) }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var language: String?
    var unit: String?
    var includesAlerts: Bool?
    var hours: Int64?
    var days: Int64?
    let usual = WeatherSpec()
    var (version, file) = (usual.version, usual.file)
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "language": language = try json.string()
      case "unit": unit = try json.string()
      case "alerts": includesAlerts = try json.bool()
      case "hours": hours = try json.integer(in: Self.hourLengths)
      case "days": days = try json.integer(in: Self.dayLengths)
      case "version": version = try json.string()
      case "file": file = try json.string()
      default: try json.skipValue()
      }
    }
    guard let language, let unit, let includesAlerts, let hours, let days else {
      throw json.fault("weather must have 'language', 'unit', 'alerts', 'hours' and 'days'")
    }
    self.init(
      language: language, unit: unit, includesAlerts: includesAlerts, hours: hours, days: days, version: version,
      file: file)
  }
}

extension JSONReader {
  mutating func place() throws(JSONError) -> RoundedCoordinate {
    let text = try string()
    guard let place = RoundedCoordinate(text) else {
      throw fault("'\(text)' is not a place; expected longitude,latitude")
    }
    return place
  }
}

extension WeatherQuery {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("places")
      json.array { json in places.forEach { json.value($0.key) } }
      json.key("spec")
      spec.write(to: &json)
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var query = WeatherQuery()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "places":
        try json.array { (json) throws(JSONError) in query.places.append(try json.place()) }
      case "spec": query.spec = try WeatherSpec(from: &json)
      default: try json.skipValue()
      }
    }
    self = query
  }
}
