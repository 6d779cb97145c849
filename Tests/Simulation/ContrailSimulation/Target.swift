import ContrailCompression
import ContrailCore
package import ContrailGeodesy
import ContrailHTTP
package import ContrailWire

/// Reads the targets and bodies of requests as the wire's rules say.
package enum Target {
  /// The requests that share an exchange, as they would be alone.
  static func singles(_ request: TransportRequest) -> [TransportRequest] {
    guard request.target.hasPrefix(AreaRequest.prefix),
      let areas = try? AreaRequest.requests(handles: parts(request.target).handle, items: parts(request.target).items)
    else { return [request] }
    return areas.map { area in
      var single = request
      single.target = area.target
      return single
    }
  }

  static func parts(_ target: String) -> (handle: String, items: [(name: String, value: String)]) {
    let prefix = target.hasPrefix(AreaRequest.repairPrefix) ? AreaRequest.repairPrefix : AreaRequest.prefix
    let parts = target.dropFirst(prefix.count).split(separator: "?", maxSplits: 1)
    let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
      let sides = item.split(separator: "=", maxSplits: 1)
      return (name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : "")
    }
    return (parts.first.map(String.init) ?? "", items)
  }

  static func body(of request: TransportRequest) -> [UInt8] {
    guard request.headers.contains(where: { $0.name == "Content-Encoding" && $0.value == "gzip" }) else {
      return request.body
    }
    return (try? Gzip.unpacked(request.body, limit: 1 << 20)) ?? []
  }

  /// The place, the specification and the token of a request for weather.
  package static func weather(_ target: String) -> (place: RoundedCoordinate, spec: WeatherSpec, token: String)? {
    let parts = target.split(separator: "/")
    guard parts.count == 4, ["v2.5", "v2.6"].contains(parts[0]),
      let place = SimulatedWorld.places.first(where: { $0.key == parts[2] })
    else { return nil }
    let values = values(target)
    guard let language = values["lang"], let unit = values["unit"],
      let hours = values["hourlysteps"].flatMap({ Int64($0) }), let days = values["dailysteps"].flatMap({ Int64($0) })
    else { return nil }
    let spec = WeatherSpec(
      language: language, unit: unit, includesAlerts: values["alert"] == "true", hours: hours, days: days,
      version: String(parts[0]), file: String(parts[3].prefix { $0 != "?" }))
    let due = spec.target(place).replacing(String(WeatherSpec.tokenMark), with: String(parts[1]))
    return due == target ? (place, spec, String(parts[1])) : nil
  }

  /// The values behind the question mark of a target.
  private static func values(_ target: String) -> [Substring: String] {
    let parts = target.split(separator: "?", maxSplits: 1)
    guard parts.count == 2 else { return [:] }
    var values: [Substring: String] = [:]
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { values[sides[0]] = String(sides[1]) }
    }
    return values
  }

  static func polygons(_ target: String) -> PolygonsRequest? {
    guard target.hasPrefix(PolygonsRequest.path + "?") else { return nil }
    let values = values(target)
    return try? PolygonsRequest(hours: values["hours"], area: values["area"], handle: values["handle"])
  }
}
