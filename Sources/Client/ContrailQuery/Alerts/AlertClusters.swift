import ContrailH3
import ContrailWire

/// Groups places of turbulence into clusters.
///
/// Two places belong to the same cluster if their hexagons are equal or adjacent, and their altitudes differ by at most
/// a thousand feet and their severities by at most one step.
///
/// A place is a cell, altitude and severity: a report's `TurbulenceReport.packed` without its EDR.
struct AlertClusters {
  /// The places in ascending order.
  private let places: [UInt64]
  private var parents: [Int]

  static func place(_ report: TurbulenceReport) -> UInt64 { report.packed >> 16 }

  private static func parts(_ place: UInt64) -> (cell: UInt32, altitude: Int, severity: Int) {
    (UInt32(truncatingIfNeeded: place >> 9), Int(place >> 3 & 63), Int(place & 7))
  }

  /// Creates the clusters of places.
  ///
  /// - Parameter places: The places in ascending order, without duplicates.
  /// - Complexity: O(*n* log *n*), if there are few places per cell.
  init(_ places: [UInt64]) {
    self.places = places
    parents = Array(places.indices)
    var runs: [UInt32: Range<Int>] = [:]
    var start = 0
    for index in places.indices where index + 1 == places.count || places[index] >> 9 != places[index + 1] >> 9 {
      runs[Self.parts(places[index]).cell] = start..<index + 1
      start = index + 1
    }
    var next = 0
    while next < places.count {
      let number = Self.parts(places[next]).cell
      guard let run = runs[number] else { break }
      link(run, run)
      // Each pair of neighbours is found twice; link it once.
      for neighbor in H3Cell(packed22: number)?.neighbors ?? [] {
        if let other = neighbor.packed22, other > number, let others = runs[other] { link(run, others) }
      }
      next = run.upperBound
    }
  }

  private mutating func link(_ run: Range<Int>, _ others: Range<Int>) {
    for index in run {
      let a = Self.parts(places[index])
      for other in others {
        let b = Self.parts(places[other])
        if abs(a.altitude - b.altitude) <= 1, abs(a.severity - b.severity) <= 1 { join(index, other) }
      }
    }
  }

  /// Merges the clusters of two places.
  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    // The smaller index becomes the root, independent of the order of merges.
    parents[max(first, second)] = min(first, second)
  }

  /// Returns the index of the place that represents the cluster of a place.
  mutating func root(_ index: Int) -> Int {
    var root = index
    while parents[root] != root { root = parents[root] }
    var current = index
    while parents[current] != root { (current, parents[current]) = (parents[current], root) }
    return root
  }
}
