public import ContrailWire

/// A report that the device made itself, and whether the server has confirmed it.
public struct OwnReport: Hashable, Sendable {
  /// The state of a report.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It is on the device's stable storage, and waits to be sent.
    case waiting
    /// It is being sent.
    case sending
    /// The server has confirmed it.
    case confirmed
    /// The server has confirmed it, and keeps it from others, because it doesn't seem plausible.
    case heldBack
    /// The server has refused it. It isn't sent again.
    case refused

    /// Whether the server hasn't answered yet.
    package var isPending: Bool { self == .waiting || self == .sending }
  }

  public let report: TurbulenceReport
  public package(set) var state: State

  package init(_ report: TurbulenceReport, _ state: State) {
    self.report = report
    self.state = state
  }
}

extension OwnReport: Identifiable {
  /// The report itself: equal reports are one.
  public var id: TurbulenceReport { report }
}

/// The origin of the reports in a query.
public enum ReportOrigin: String, Hashable, Sendable, CaseIterable {
  /// The reports that the server has sent.
  case server
  /// The reports of this device, including unsent ones.
  case own
  /// Both, each report once.
  case all
}
