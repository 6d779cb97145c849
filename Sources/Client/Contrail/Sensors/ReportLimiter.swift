public import ContrailWire

/// Decides which estimates are sent as reports.
///
/// Everyone on the route reads the reports over the same narrow link, and an estimate is made every five seconds. A report
/// is sent
/// - always if its severity is above that of the last one sent, within ``repeatSeconds``,
/// - otherwise if none was sent for the same cell, altitude and severity within ``repeatSeconds``,
/// - and in smooth air only for a complete minute, and if none was sent within ``smoothSeconds``.
public struct ReportLimiter: Sendable {
  /// The time until the same cell, altitude and severity are reported again, in seconds.
  public var repeatSeconds: Double
  /// The least time between two reports of smooth air, in seconds; nil if smooth air isn't reported.
  public var smoothSeconds: Double?

  /// The last reports by place and severity; at most ``greatestCount``.
  private var sent: [UInt64: Double] = [:]
  private var last: (severity: TurbulenceSeverity, timeSeconds: Double)?
  private var lastSmoothSeconds: Double?
  private var latestSeconds = -Double.infinity

  /// More cells than an aircraft crosses in half an hour, with each severity.
  static let greatestCount = 256

  public init(repeatSeconds: Double = 300, smoothSeconds: Double? = 60) {
    self.repeatSeconds = repeatSeconds
    self.smoothSeconds = smoothSeconds
  }

  /// Returns whether a report is to be sent, and remembers it as sent if so.
  ///
  /// - Parameters:
  ///   - isComplete: Whether the minute of the report is complete, see ``TurbulenceEstimate/isComplete``.
  ///   - timeSeconds: The time now, by the clock of the samples. If it goes back, earlier reports are forgotten.
  /// - Complexity: O(1), and O(*n*) in at most 256 remembered reports when one is sent.
  public mutating func admits(_ report: TurbulenceReport, isComplete: Bool, timeSeconds: Double) -> Bool {
    guard timeSeconds.isFinite else { return false }
    if timeSeconds < latestSeconds { forgetAll() }
    latestSeconds = timeSeconds
    guard isDue(report, isComplete: isComplete, timeSeconds: timeSeconds) else { return false }

    sent = sent.filter { timeSeconds - $0.value < repeatSeconds }
    if sent.count >= Self.greatestCount, let oldest = sent.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      sent[oldest.key] = nil
    }
    sent[Self.key(report)] = timeSeconds
    last = (report.severity, timeSeconds)
    if report.severity == .none { lastSmoothSeconds = timeSeconds }
    return true
  }

  /// Takes back what ``admits(_:isComplete:timeSeconds:)`` remembered of a report that couldn't be stored.
  public mutating func withdraw(_ report: TurbulenceReport) {
    sent[Self.key(report)] = nil
    last = nil
    if report.severity == .none { lastSmoothSeconds = nil }
  }

  private mutating func forgetAll() {
    sent = [:]
    last = nil
    lastSmoothSeconds = nil
  }

  private func isDue(_ report: TurbulenceReport, isComplete: Bool, timeSeconds: Double) -> Bool {
    if report.severity == .none {
      guard let smoothSeconds, isComplete else { return false }
      if let lastSmoothSeconds, timeSeconds - lastSmoothSeconds < smoothSeconds { return false }
    } else if let last, report.severity > last.severity, timeSeconds - last.timeSeconds < repeatSeconds {
      return true
    }
    guard let before = sent[Self.key(report)] else { return true }
    return timeSeconds - before >= repeatSeconds
  }

  /// Cell, altitude and severity: all bits but those of the EDR.
  private static func key(_ report: TurbulenceReport) -> UInt64 { report.packed >> 16 }
}
