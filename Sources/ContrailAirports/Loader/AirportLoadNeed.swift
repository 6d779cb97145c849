import ContrailAirportData

/// Whether airports must, may or needn't be loaded.
public enum AirportLoadNeed: Hashable, Sendable {
  /// The cycle in use is effective.
  case none
  /// There are airports, of a cycle that is effective no more, or not yet. The user may put the load off.
  case cycleExpired
  /// There are airports that this version can't use as they are. The load can't be put off.
  case schemaMismatch
  /// There are no airports. The load can't be put off.
  case noData

  /// What is needed, given what is held.
  ///
  /// - Parameters:
  ///   - time: The moment, in seconds since 1970.
  ///   - dataVersion: The version that this program wants.
  public init(_ status: AirportStatus, at time: Int64, dataVersion: Int = AirportDatabase.dataVersion) {
    guard let current = status.current else {
      self = .noData
      return
    }
    guard current.dataVersion == dataVersion else {
      self = .schemaMismatch
      return
    }
    self = current.cycle.isEffective(at: time) ? .none : .cycleExpired
  }

  /// Whether the load can't be put off.
  public var isRequired: Bool { self == .noData || self == .schemaMismatch }
}
