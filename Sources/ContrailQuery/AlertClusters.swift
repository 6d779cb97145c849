import ContrailH3
import ContrailWire

/// Sorts places of turbulence into clusters: two hang together whose hexagons are the same or neighbours, and whose altitudes differ by
/// a thousand feet and severities by one step at most.
///
/// A place is cell, altitude and severity: a report's `TurbulenceReport.packed` without its EDR.
struct AlertClusters {
  /// Places in ascending order.
  private let places: [UInt64]
  private var parents: [Int]

  static func place(_ report: TurbulenceReport) -> UInt64 { report.packed >> 16 }

  private static func parts(_ place: UInt64) -> (cell: UInt32, altitude: Int, severity: Int) {
    (UInt32(truncatingIfNeeded: place >> 9), Int(place >> 3 & 63), Int(place & 7))
  }

  /// - Parameter places: in ascending order, each once.
  /// - Complexity: O(*n* log *n*) for places that are few to a cell.
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
      // Neighbours are met from both sides; once is enough.
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

  /// Makes one cluster of those of two places.
  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    // The smaller becomes the root, whatever the order of joining.
    parents[max(first, second)] = min(first, second)
  }

  /// The place that stands for the cluster of a place, both by their index.
  mutating func root(_ index: Int) -> Int {
    var root = index
    while parents[root] != root { root = parents[root] }
    var current = index
    while parents[current] != root { (current, parents[current]) = (parents[current], root) }
    return root
  }
}
