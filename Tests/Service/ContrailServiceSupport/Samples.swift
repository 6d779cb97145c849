package import ContrailGeodesy
package import ContrailTestSupport
package import ContrailWire

package enum Samples {
  /// 2026-05-29 12:00 UTC.
  package static let noon: Int64 = 1_780_056_000

  /// The North Atlantic.
  package static let atlantic = rectangle(west: -75, south: 35, east: 5, north: 62)

  /// The Pacific on both sides of the antimeridian.
  package static let pacific = rectangle(west: 140, south: -40, east: -120, north: 65)

  /// The world but for its poles and the antimeridian.
  package static let mostOfTheWorld = rectangle(west: -179, south: -60, east: 179, north: 75)

  package static func rectangle(west: Double, south: Double, east: Double, north: Double) -> Ring {
    do {
      return Ring(try BoundingBox(north: north, south: south, west: west, east: east))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  package static func anyRing(_ random: inout SplitMix64) -> Ring {
    let west = Double.random(in: -180..<180, using: &random)
    let width = Double.random(in: 10...300, using: &random)
    let south = Double.random(in: -70...40, using: &random)
    let height = Double.random(in: 10...45, using: &random)
    let east = west + width > 180 ? west + width - 360 : west + width
    return rectangle(west: west, south: south, east: east, north: south + height)
  }

  package static func anyRequest(_ random: inout SplitMix64, ring: Ring? = nil) -> ObservationsRequest {
    let low = Int64.random(in: 0...30, using: &random)
    let band = AltitudeBand(lower: low, upper: Int64.random(in: low...52, using: &random)) ?? .all
    return ObservationsRequest(
      ring: ring ?? anyRing(&random),
      filter: Filter(
        types: [.turbulence, .pireps], severities: SeveritySet(rawValue: UInt8.random(in: 1...31, using: &random)),
        altitudes: Bool.random(using: &random) ? .all : band,
        history: DataHistoryTime.allCases.randomElement(using: &random) ?? .twoHours))
  }

  package static func sum(_ reports: some Sequence<TurbulenceReport>) -> HeldSum {
    reports.reduce(into: HeldSum(count: 0, checksum: 0)) {
      $0.count += 1
      $0.checksum &+= $1.digest
    }
  }
}
