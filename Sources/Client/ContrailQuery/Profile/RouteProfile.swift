public import ContrailGeodesy
public import ContrailWire

/// The turbulence along a route, as a table of bins by distance and flight levels of 1,000 ft.
///
/// A cell without reports is *unknown*, which isn't smooth: nobody reported there.
public struct RouteProfile: Hashable, Sendable {
  /// The length of the route, in nautical miles.
  public let lengthNM: Double
  /// The full width within which reports count, in nautical miles.
  public let widthNM: Double
  /// The length of a bin, in nautical miles. The last one may be shorter.
  public let binNM: Double
  /// The number of bins.
  public var binCount: Int { edges.count - 1 }
  /// The server's time of the profile, in seconds since 1970. Ages refer to it.
  public let asOf: Int64
  /// The cells with a report, a PIREP or an area, sorted by bin, then level. All other cells are unknown.
  public let cells: [ProfileCell]
  /// The PIREPs within the width, sorted by distance along the route.
  public let pireps: [ProfilePIREP]
  /// The areas over the route, in the server's order.
  public let areas: [ProfileArea]
  /// The place of the aircraft on the route; nil if it isn't known.
  public let aircraft: Place?

  /// The boundaries of the bins, with the azimuth of the route there.
  let edges: [Geodesic.Direct]
  /// The time of the oldest report in a cell, in seconds since 1970; nil without reports.
  let oldest: Int64?

  /// The place of an aircraft relative to the route.
  public struct Place: Hashable, Sendable {
    /// The distance from the start of the route, in nautical miles.
    public let alongNM: Double
    /// The distance from the route, in nautical miles.
    public let offNM: Double
  }

  /// The highest level, in thousands of feet.
  public static let ceiling = Int(AltitudeBand.ceiling)

  init(
    _ line: ProfileLine, asOf second: Int64, _ table: ProfileTable, pireps: [ProfilePIREP], areas: [ProfileArea],
    aircraft: Place?
  ) {
    (lengthNM, widthNM, binNM, edges) = (line.lengthNM, line.widthNM, line.binNM, line.edges)
    (asOf, cells, self.pireps, self.areas, self.aircraft) = (second, table.cells, pireps, areas, aircraft)
    oldest = table.oldest == .max ? nil : Int64(table.oldest)
  }

  /// Returns the cell of a bin and a level in thousands of feet. It is unknown and uncovered if nothing is there.
  ///
  /// - Complexity: O(log *n*) in the cells.
  public subscript(bin: Int, level: Int) -> ProfileCell {
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = (low + high) / 2
      if (cells[middle].bin, cells[middle].level) < (bin, level) { low = middle + 1 } else { high = middle }
    }
    if low < cells.count, cells[low].bin == bin, cells[low].level == level { return cells[low] }
    return ProfileCell(bin: bin, level: level)
  }

  /// Returns the distances of a bin's start and end from the start of the route, in nautical miles.
  public func distancesNM(ofBin bin: Int) -> ClosedRange<Double> {
    let start = min(max(0, Double(bin) * binNM), lengthNM)
    return start...max(start, min(start + binNM, lengthNM))
  }

  /// Returns the point of the route at which a bin starts. The bin after the last starts at the end.
  public func start(ofBin bin: Int) -> Coordinate { edges[bin].coordinate }

  /// The bins ahead of the aircraft, beginning with its own; all if its place isn't known.
  public var binsAhead: Range<Int> { ownBin..<binCount }
  /// The bins that were flown; none if the place of the aircraft isn't known.
  public var binsFlown: Range<Int> { 0..<ownBin }

  private var ownBin: Int { aircraft.map { min(max(0, Int($0.alongNM / binNM)), binCount - 1) } ?? 0 }

  /// The cells of the bins ahead.
  public var ahead: ArraySlice<ProfileCell> { cells[firstAhead...] }
  /// The cells of the bins that were flown.
  public var flown: ArraySlice<ProfileCell> { cells[..<firstAhead] }

  private var firstAhead: Int { cells.firstIndex { $0.bin >= ownBin } ?? cells.count }
}

/// What is known about a stretch of a route at a level.
public struct ProfileCell: Hashable, Sendable {
  /// The index of the bin.
  public let bin: Int
  /// The level in thousands of feet.
  public let level: Int
  /// What was reported.
  public internal(set) var turbulence = Turbulence.unknown
  /// Indices of the PIREPs at this level, into ``RouteProfile/pireps``.
  public internal(set) var pireps: [Int] = []
  /// Indices of the areas that cover the cell, into ``RouteProfile/areas``.
  public internal(set) var areas: [Int] = []

  /// What is known of the turbulence in a cell.
  public enum Turbulence: Hashable, Sendable {
    /// Nobody reported here. It may be smooth or not.
    case unknown
    /// There are reports, of which the worst may be `none`: smooth.
    case reported(Reports)
  }

  /// The reports of a cell.
  public struct Reports: Hashable, Sendable {
    /// The highest severity.
    public let worst: TurbulenceSeverity
    /// The highest eddy dissipation rate, in m^(2/3)/s.
    public let maximumEDR: Double
    /// The severity of the newest report; of several, the highest.
    public let newest: TurbulenceSeverity
    /// The eddy dissipation rate of that report, in m^(2/3)/s.
    public let newestEDR: Double
    /// The number of reports.
    public let count: Int
    /// The time of the newest report, in seconds since 1970.
    public let observedAt: Int64
    /// The age of the newest report, in seconds.
    public let ageSeconds: Int64
  }

  init(bin: Int, level: Int) {
    self.bin = bin
    self.level = level
  }

  /// The reports; nil if the cell is unknown.
  public var reports: Reports? {
    if case .reported(let reports) = turbulence { return reports }
    return nil
  }
}

/// A PIREP beside a route.
public struct ProfilePIREP: Hashable, Sendable {
  public let pirep: PIREP
  /// The distance from the start of the route, in nautical miles.
  public let alongNM: Double
  /// The distance from the route, in nautical miles.
  public let offNM: Double
  /// The index of the bin.
  public let bin: Int
  /// The nearest level in thousands of feet; nil if the report states none.
  public let level: Int?
}

/// An area of turbulence over a route.
public struct ProfileArea: Hashable, Sendable {
  /// The severity; nil if the server doesn't state it.
  public let severity: TurbulenceSeverity?
  /// The levels in thousands of feet; all if the server doesn't state them.
  public let levels: ClosedRange<Int>
  /// The bins whose middle is below or in the area, in ascending order.
  public let bins: [Int]
}
