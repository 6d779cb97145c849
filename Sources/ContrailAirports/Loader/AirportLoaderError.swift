public import ContrailAirportData

/// Why airports weren't loaded. The cycle that was in use stays in use.
public enum AirportLoaderError: Error, Hashable, Sendable {
  /// There is no file of this cycle yet. Use the current one, and look again later.
  case cycleNotAvailable(AIRACCycle)
  /// The moment lies before the first known cycle or after the last.
  case noCycle(time: Int64)
  /// The file didn't come.
  case transport(AirportTransportError)
  /// What came can't be read.
  case data(AirportDataError)
  /// What came is of another cycle.
  case wrongCycle(expected: AIRACCycle, found: AIRACCycle)
  /// The download can't be kept.
  case folder(reason: String)
  /// The airports can't be kept.
  case store(AirportStoreError)
  /// Another load is under way.
  case alreadyLoading
  /// The task was cancelled. What came and what was staged is kept, and another load goes on from there.
  case cancelled

  init(_ error: AirportLoadError) {
    switch error {
    case .data(let error): self = .data(error)
    case .store(let error): self = .store(error)
    }
  }

  /// A stable name for scripts and tests.
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

  /// Whether the same may succeed later with nothing else changed.
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
    case .cycleNotAvailable(let cycle): "the airports of cycle \(cycle) aren't available yet; look again later"
    case .noCycle(let time): "there is no cycle at \(time) seconds since 1970; check the clock"
    case .transport(let error): "the airports didn't come: \(error)"
    case .data(let error): "the airports can't be read: \(error)"
    case .wrongCycle(let expected, let found): "the file is of cycle \(found), and \(expected) was asked for"
    case .folder(let reason): "the download can't be kept: \(reason)"
    case .store(let error): "the airports can't be kept: \(error)"
    case .alreadyLoading: "airports are being loaded already; wait for that"
    case .cancelled: "the load was cancelled; another one goes on from there"
    }
  }
}
