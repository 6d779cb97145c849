import ContrailAirportData

/// Whether airports need to be loaded.
public enum AirportLoadNeed: Hashable, Sendable {
  /// The cycle in use is effective.
  case none
  /// The cycle in use is no longer or not yet effective. The user may defer the load.
  case cycleExpired
  /// The airports were stored by another data version. The load can't be deferred.
  case schemaMismatch
  /// There are no airports. The load can't be deferred.
  case noData

  /// Creates the need for the contents of a database.
  ///
  /// - Parameters:
  ///   - status: The contents of the database.
  ///   - time: The current time in seconds since 1970.
  ///   - dataVersion: The required data version.
  public init(
    _ status: AirportStatus, at time: Int64 = AirportLoader.deviceTime(),
    dataVersion: Int = AirportDatabase.dataVersion
  ) {
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

  /// Whether the load can't be deferred.
  public var isRequired: Bool { self == .noData || self == .schemaMismatch }
}
