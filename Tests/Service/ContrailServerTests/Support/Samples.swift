import ContrailGeodesy
import ContrailTestSupport
import ContrailWire

@testable import ContrailWorld

enum Samples {
  /// 2026-05-29 12:00 UTC.
  static let noon: Int64 = 1_780_056_000

  /// A small world, so that tests are fast; traffic is as dense per aircraft as in the standard one.
  static let world = SimulatedWorld(seed: 11, aircraft: 80)

  /// The North Atlantic.
  static let atlantic = rectangle(west: -75, south: 35, east: 5, north: 62)

  /// The Pacific on both sides of the antimeridian.
  static let pacific = rectangle(west: 140, south: -40, east: -120, north: 65)

  static func rectangle(west: Double, south: Double, east: Double, north: Double) -> Ring {
    do {
      return Ring(try BoundingBox(north: north, south: south, west: west, east: east))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  static func anyRing(_ random: inout SplitMix64) -> Ring {
    let west = Double.random(in: -180..<180, using: &random)
    let width = Double.random(in: 10...300, using: &random)
    let south = Double.random(in: -70...40, using: &random)
    let height = Double.random(in: 10...45, using: &random)
    let east = west + width > 180 ? west + width - 360 : west + width
    return rectangle(west: west, south: south, east: east, north: south + height)
  }

  static func anyRequest(_ random: inout SplitMix64, ring: Ring? = nil) -> ObservationsRequest {
    let low = Int64.random(in: 0...30, using: &random)
    let band = AltitudeBand(lower: low, upper: Int64.random(in: low...52, using: &random)) ?? .all
    return ObservationsRequest(
      ring: ring ?? anyRing(&random),
      filter: Filter(
        types: [.turbulence, .pireps], severities: SeveritySet(rawValue: UInt8.random(in: 1...31, using: &random)),
        altitudes: Bool.random(using: &random) ? .all : band,
        history: DataHistoryTime.allCases.randomElement(using: &random) ?? .twoHours))
  }

  static func sum(_ reports: some Sequence<TurbulenceReport>) -> HeldSum {
    reports.reduce(into: HeldSum(count: 0, checksum: 0)) {
      $0.count += 1
      $0.checksum &+= $1.digest
    }
  }
}
