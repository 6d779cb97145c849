public import ContrailAirportData
import ContrailWire

/// An error of a loader. The cycle in use stays in use.
public enum AirportLoaderError: Error, Hashable, Sendable {
  /// The file of this cycle isn't available yet. Use the current cycle and try again later.
  case cycleNotAvailable(AIRACCycle)
  /// The time is before the first known cycle or after the last.
  case noCycle(time: Int64)
  /// The download failed.
  case transport(AirportTransportError)
  /// The downloaded data can't be read.
  case data(AirportDataError)
  /// The downloaded file belongs to another cycle.
  case wrongCycle(expected: AIRACCycle, found: AIRACCycle)
  /// The download can't be written to its folder.
  case folder(reason: String)
  /// The airports can't be stored in the database.
  case store(AirportStoreError)
  /// Another load is in progress.
  case alreadyLoading
  /// The task was cancelled. Received and staged data is kept, and the next load resumes.
  case cancelled

  /// A stable code of the error.
  public var code: String {
    switch self {
    case .cycleNotAvailable: "cycleNotAvailable"
    case .noCycle: "noCycle"
    case .transport(let error): error.code.rawValue
    case .data(let error): error.code.rawValue
    case .wrongCycle: "wrongCycle"
    case .folder: "folder"
    case .store(let error): error.code.rawValue
    case .alreadyLoading: "alreadyLoading"
    case .cancelled: "cancelled"
    }
  }

  /// Whether the same call can succeed later.
  public var isTransient: Bool {
    switch self {
    case .cycleNotAvailable, .alreadyLoading, .cancelled, .folder: true
    case .transport(let error): error.isTransient
    case .store(let error): error.isTransient
    case .data, .wrongCycle, .noCycle: false
    }
  }
}

extension AirportLoaderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cycleNotAvailable(let cycle): "the airports of cycle \(cycle) aren't available yet; try again later"
    case .noCycle(let time): "there is no cycle at \(time) seconds since 1970; check the clock"
    case .transport(let error): "the airports can't be downloaded: \(error)"
    case .data(let error): "the airports can't be read: \(error)"
    case .wrongCycle(let expected, let found):
      "the file is for cycle \(found) instead of cycle \(expected); check the server"
    case .folder(let reason): "the download can't be stored: \(reason)"
    case .store(let error): "the airports can't be stored: \(error)"
    case .alreadyLoading: "another load is in progress; wait for it to finish"
    case .cancelled: "the load was cancelled; load again to resume"
    }
  }
}
