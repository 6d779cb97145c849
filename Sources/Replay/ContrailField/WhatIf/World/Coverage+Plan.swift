import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailWire

extension TurbulenceReport {
  /// The centre of the report's cell.
  var position: FixedCoordinate {
    FixedCoordinate(H3Cell(trusted: h3Index).center) ?? FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
  }
}

/// The coverage of one area and filter, prepared for many requests.
struct CoveragePlan: Sendable {
  /// A part of what is requested, with the times that the recording covers.
  struct Part: Sendable {
    var weight: Double
    var spans: [Coverage.Span]
    /// Why nothing is known of it, at any time; nil if it has spans.
    var gap: Coverage.Gap?
  }

  private(set) var parts: [Part] = []
  /// The times in which everything is known.
  private var common: [Coverage.Span] = []

  init(_ spec: FetchSpec, in coverage: Coverage) {
    guard case .ring(let ring) = spec.area else { return }
    defer {
      common = parts.first?.spans ?? []
      for part in parts.dropFirst() where part.spans != common { common = common.intersection(part.spans) }
    }
    let places = Self.places(ring, spec.areaDigest, coverage.groups)
    var streams: [(type: DataTypeOptions, severity: TurbulenceSeverity?)] = []
    if spec.types.contains(.turbulence) { streams += spec.severities.severities.map { (.turbulence, $0) } }
    if spec.types.contains(.pireps) { streams.append((.pireps, nil)) }
    if spec.types.contains(.traffic) { streams.append((.traffic, nil)) }
    let typeCount = Double([DataTypeOptions.turbulence, .pireps, .traffic].count { spec.types.contains($0) })
    for stream in streams {
      let severityCount = stream.severity == nil ? 1 : Double(spec.severities.severities.count)
      for place in places {
        let weight = place.weight / (typeCount * severityCount)
        var spans: [Coverage.Span] = []
        var gap: Coverage.Gap = place.groups.isEmpty ? .area : .types
        for index in place.groups {
          let group = coverage.groups[index]
          guard group.types.contains(stream.type) else { continue }
          if let severity = stream.severity {
            guard group.severities.contains(severity) else {
              gap = .severities
              continue
            }
            guard group.altitudes.covers(spec.altitudes) else {
              gap = .altitudes
              continue
            }
          }
          for span in group.spans { spans.insert(span) }
        }
        parts.append(Part(weight: weight, spans: spans, gap: spans.isEmpty ? gap : nil))
      }
    }
  }

  /// Returns the known part of a request.
  ///
  /// - Parameters:
  ///   - since: The watermark of a delta; nil for a full fetch.
  ///   - token: The watermark of the answer.
  ///   - historySeconds: The history of the request.
  func share(since: Int64?, token: Int64, historySeconds: Int64) -> Coverage.Share {
    let span = Coverage.Span(from: since ?? token - historySeconds, to: token)
    if span.from < span.to, common.contains(where: { $0.from <= span.from && span.to <= $0.to }) {
      return .whole
    }
    let length = Double(max(span.to - span.from, 1))
    var known = 0.0
    var missing: [Coverage.Gap: Double] = [:]
    for part in parts {
      let covered = span.to > span.from ? Double(part.spans.overlap(span)) / length : part.spans.isEmpty ? 0 : 1
      known += part.weight * covered
      // Before the first answer's history nothing is known, which a longer history would change.
      let gap = part.gap ?? (span.from < part.spans[0].from ? .history : .times)
      missing[gap, default: 0] += part.weight * (1 - covered)
    }
    let gap = missing.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
    return Coverage.Share(known: min(known, 1), gap: known > 0.9999 ? nil : gap)
  }

  // MARK: Places

  /// A part of an area, and the groups whose areas contain it.
  private struct Place {
    var weight: Double
    var groups: [Int]
  }

  /// The number of lines of the lattice in each direction.
  private static let latticeCount = 72

  /// Divides an area by the recorded areas that contain its parts, by a lattice of points.
  private static func places(_ ring: Ring, _ digest: UInt64, _ groups: [Coverage.Group]) -> [Place] {
    let same = groups.indices.filter { groups[$0].areaDigest == digest }
    let others = Dictionary(grouping: groups.indices.filter { groups[$0].areaDigest != digest }) {
      groups[$0].areaDigest
    }
    let points = lattice(ring).filter { ring.contains($0.0) }
    guard !points.isEmpty else { return [Place(weight: 1, groups: same)] }
    let total = points.reduce(0) { $0 + $1.1 }
    let weights = Dictionary(
      points.map { point, weight in
        (others.filter { groups[$0.value[0]].ring.contains(point) }.keys.sorted(), weight)
      }, uniquingKeysWith: +)
    return weights.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { areas, weight in
      Place(weight: weight / total, groups: (same + areas.flatMap { others[$0] ?? [] }).sorted())
    }
  }

  /// The points of a lattice around a ring, each with the length of its degree of longitude.
  private static func lattice(_ ring: Ring) -> [(FixedCoordinate, Double)] {
    guard let first = ring.points.first else { return [] }
    let turn: Int64 = 3_600_000_000
    var west = first.longitudeE7
    var east = west
    var longitude = west
    var south = first.latitudeE7
    var north = south
    for (point, next) in zip(ring.points, ring.points.dropFirst()) {
      longitude += FixedCoordinate.wrapped(next.longitudeE7 - point.longitudeE7)
      west = min(west, longitude)
      east = max(east, longitude)
      south = min(south, next.latitudeE7)
      north = max(north, next.latitudeE7)
    }
    switch ring.pole {
    case .north?: (north, west, east) = (900_000_000, -turn / 2, turn / 2)
    case .south?: (south, west, east) = (-900_000_000, -turn / 2, turn / 2)
    case nil: break
    }
    var points: [(FixedCoordinate, Double)] = []
    let count = Int64(latticeCount)
    for row in 0..<count {
      let latitude = south + (north - south) * (2 * row + 1) / (2 * count)
      let place = Coordinate(latitude: Double(latitude) / 1e7, longitude: 0)
      let width = place.distanceNM(to: Coordinate(latitude: place.latitude, longitude: 1))
      for column in 0..<count {
        let longitude = FixedCoordinate.wrapped(west + (east - west) * (2 * column + 1) / (2 * count))
        points.append((FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude), width))
      }
    }
    return points
  }
}
