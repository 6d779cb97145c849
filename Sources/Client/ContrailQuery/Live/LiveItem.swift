public import ContrailWire

/// An item of a live query: it has an identity that outlives its values, so that a map moves one annotation instead of drawing all.
public protocol LiveItem: Identifiable, Sendable where ID: Comparable & Sendable {
  /// Whether the item is shown like another one with the same identity. Ages don't count.
  func isShown(like other: Self) -> Bool
}

extension TurbulenceItem: LiveItem {
  /// The identity of an item: its hexagon, or its report if the query doesn't aggregate.
  public struct ID: Hashable, Comparable, Sendable {
    package let cell: UInt32
    package let report: UInt64
    package let observedAt: UInt32

    public static func < (a: ID, b: ID) -> Bool {
      (a.cell, a.report, a.observedAt) < (b.cell, b.report, b.observedAt)
    }
  }

  public var id: ID {
    isAggregate
      ? ID(cell: report.cell, report: 0, observedAt: 0)
      : ID(cell: report.cell, report: report.packed, observedAt: report.observedAt)
  }

  public func isShown(like other: TurbulenceItem) -> Bool {
    report == other.report && count == other.count && ownState == other.ownState
  }
}

extension PIREP: LiveItem {
  public func isShown(like other: PIREP) -> Bool { self == other }
}

extension TrafficPosition: LiveItem {
  public func isShown(like other: TrafficPosition) -> Bool { self == other }
}

extension TurbulenceArea: LiveItem {
  /// The hash of everything that the service says about the area: areas have no names, so a changed area is a new one.
  public var id: UInt64 { digest }

  public func isShown(like other: TurbulenceArea) -> Bool { self == other }
}
