import ContrailCore
import ContrailGeodesy
import ContrailWire

extension WeatherSpec {
  /// How the weather is asked for: `en_US, metric:v2, alerts, 12 hours, 5 days`.
  var words: String {
    let alerts = includesAlerts ? "alerts" : "no alerts"
    return "\(language), \(unit), \(alerts), \(Words.count(hours, "hour")), \(Words.count(days, "day"))"
  }
}

extension WeatherQuery {
  /// The places and how their weather is asked for.
  var words: String {
    let places = places.isEmpty ? "nowhere" : "at " + places.map(\.key).joined(separator: " and ")
    return "\(places) (\(spec.words))"
  }
}
