import ContrailWire

/// The turbulence along a route, and which bins of it have changed.
///
/// ```swift
/// for await change in try client.observe(ProfileQuery(along: route)) {
///   for bin in change.changedBins { chart.draw(change.profile, bin) }
/// }
/// ```
public struct ProfileChange: Sendable {
  /// The whole profile.
  public let profile: RouteProfile
  /// The bins whose cells, PIREPs or areas are shown differently, in ascending order; all at first. Ages don't count.
  public let changedBins: [Int]
  /// Whether it is the first profile.
  public let isFirst: Bool

  package init(_ profile: RouteProfile, _ change: ResultChange<ProfileColumn>) {
    self.profile = profile
    isFirst = change.isFirst
    changedBins =
      change.isFirst
      ? Array(0..<profile.binCount)
      : (change.inserted.map { $0.id } + change.changed.map { $0.id } + change.removed).sorted()
  }
}

/// What is shown of a bin of a profile.
package struct ProfileColumn: LiveItem {
  private struct Level: Hashable {
    var level: Int
    /// What is reported, without its age.
    var reports: ProfileCell.Reports?
    var severities: [TurbulenceSeverity?]
  }

  /// The index of the bin.
  package let id: Int
  private var levels: [Level] = []
  private var pireps: [ProfilePIREP] = []

  private init(bin: Int) { id = bin }

  package func isShown(like other: ProfileColumn) -> Bool { levels == other.levels && pireps == other.pireps }

  /// Returns the columns of a profile that aren't empty, in ascending order.
  ///
  /// - Complexity: O(*b* + *n*), with *b* bins and *n* cells and PIREPs.
  static func columns(of profile: RouteProfile) -> [ProfileColumn] {
    var columns = (0..<profile.binCount).map { ProfileColumn(bin: $0) }
    for cell in profile.cells {
      columns[cell.bin].levels.append(
        Level(
          level: cell.level, reports: cell.reports?.ageless, severities: cell.areas.map { profile.areas[$0].severity }))
    }
    for pirep in profile.pireps { columns[pirep.bin].pireps.append(pirep) }
    return columns.filter { !$0.levels.isEmpty || !$0.pireps.isEmpty }
  }
}

extension ProfileCell.Reports {
  fileprivate var ageless: ProfileCell.Reports {
    ProfileCell.Reports(
      worst: worst, maximumEDR: maximumEDR, newest: newest, newestEDR: newestEDR, count: count, observedAt: observedAt,
      ageSeconds: 0)
  }
}
