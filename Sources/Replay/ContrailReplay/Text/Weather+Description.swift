import ContrailCore
import ContrailGeodesy
import ContrailWire

extension WeatherSpec {
  /// A description such as `en_US, metric:v2, alerts, 12 hours, 5 days`.
  var words: String {
    let alerts = includesAlerts ? "alerts" : "no alerts"
    let usual = WeatherSpec()
    let form = (version == usual.version ? "" : ", \(version)") + (file == usual.file ? "" : ", \(file)")
    return "\(language), \(unit), \(alerts), \(Words.count(hours, "hour")), \(Words.count(days, "day"))\(form)"
  }
}

extension WeatherQuery {
  /// A description of the places and the requested weather.
  var words: String {
    let places = places.isEmpty ? "nowhere" : "at " + places.map { $0.key }.joined(separator: " and ")
    return "\(places) (\(spec.words))"
  }
}
