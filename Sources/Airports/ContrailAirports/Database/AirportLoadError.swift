public import ContrailAirportData

/// An error of a load, in the data or in the database.
public enum AirportLoadError: Error, Hashable, Sendable {
  /// The data can't be read.
  case data(AirportDataError)
  /// The database can't be written.
  case store(AirportStoreError)

  /// A stable code of the error.
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
    case .store(let error): "the airports can't be stored: \(error)"
    }
  }
}
