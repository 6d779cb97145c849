public import ContrailAirportData

/// Why a load could not go on: the data, or the database.
public enum AirportLoadError: Error, Hashable, Sendable {
  /// The data can't be read.
  case data(AirportDataError)
  /// The database can't be written.
  case store(AirportStoreError)

  /// A stable name for scripts and tests.
  public var code: String {
    switch self {
    case .data(let error): error.code.rawValue
    case .store(let error): error.code.rawValue
    }
  }
}

extension AirportLoadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .data(let error): "the airports can't be read: \(error)"
    case .store(let error): "the airports can't be kept: \(error)"
    }
  }
}
