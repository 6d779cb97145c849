package import ContrailGeodesy

/// The area of a request.
package enum Area: Hashable, Sendable {
  case world
  case ring(Ring)

  /// The hash of the canonical ring, the same on every machine; 0 for the world.
  package var digest: UInt64 {
    guard case .ring(let ring) = self else { return 0 }
    var hash: UInt64 = 0x9e37_79b9_7f4a_7c15
    for point in ring.points {
      hash = Digest.mix(hash ^ UInt64(bitPattern: point.longitudeE7))
      hash = Digest.mix(hash &+ UInt64(bitPattern: point.latitudeE7))
    }
    return hash
  }
}

/// The normalized parameters of a request.
package struct FetchSpec: Hashable, Sendable, Filtered {
  package var area: Area {
    didSet { areaDigest = area.digest }
  }
  /// The area's digest, computed once because every decision includes it.
  package private(set) var areaDigest: UInt64
  package var filter: Filter
  /// The parameters of a weather request; nil for other requests.
  package var weather: WeatherSpec? {
    get { forecast.spec }
    set { forecast = newValue.map { .of($0) } ?? .none }
  }
  private var forecast = Forecast.none

  /// A weather spec elsewhere, because most specs have none and are copied often.
  private enum Forecast: Hashable, Sendable {
    case none
    indirect case of(WeatherSpec)

    var spec: WeatherSpec? { if case .of(let spec) = self { spec } else { nil } }
  }

  /// - Parameter known: Another spec, whose ``areaDigest`` is used if it has the same area.
  package init(area: Area, filter: Filter, known: FetchSpec? = nil) {
    self.area = area
    areaDigest = if let known, known.area == area { known.areaDigest } else { area.digest }
    self.filter = filter
  }

  /// Creates the spec of a weather scope, whose name contains the place. Data that is no longer wanted is kept for two
  /// hours.
  package init(_ weather: WeatherSpec) {
    self.init(area: .world, filter: Filter(types: [], severities: []))
    self.weather = weather
  }

  /// Whether data fetched for this spec includes all data of `other`.
  ///
  /// The area must be the same, and everything else at least as wide.
  package func covers(_ other: FetchSpec) -> Bool {
    filter.covers(other.filter) && area == other.area && covers(weather: other.weather)
  }

  private func covers(weather other: WeatherSpec?) -> Bool {
    guard let other else { return true }
    return weather?.covers(other) ?? false
  }

  /// Whether the report matches this spec at the server time `token`, in seconds. The area is not tested.
  @inlinable @inline(__always)
  package func admits(_ report: TurbulenceReport, asOf token: Int64) -> Bool {
    filter.reports(asOf: token).admits(report)
  }
}
