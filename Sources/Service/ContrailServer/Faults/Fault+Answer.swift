import ContrailWire

extension [Fault] {
  /// The delay of the response in milliseconds.
  var latencyMilliseconds: Int {
    reduce(0) { sum, fault in
      if case .latency(let milliseconds) = fault { Swift.min(sum + milliseconds, Fault.maximumLatency) } else { sum }
    }
  }

  /// The age of the response in seconds.
  var staleSeconds: Int64 {
    for case .stale(let seconds) in self { return seconds }
    return 0
  }

  /// How the response is truncated, if it is.
  var cut: Fault.Cut? {
    for case .truncate(let cut) in self { return cut }
    return breakBytes == nil ? nil : .length
  }

  /// The number of body bytes after which the response is truncated, or `nil` for half of the body.
  var breakBytes: Int? {
    for case .breaks(let bytes) in self { return bytes }
    return nil
  }

  /// The error to send instead of a response, with its `Retry-After`.
  var refusal: (error: ServiceError, retryAfterSeconds: Int?)? {
    for fault in self {
      switch fault {
      case .status(let status, let retryAfter):
        return (ServiceError(status: status, code: "FAULT_INJECTED", message: "a fault was asked for"), retryAfter)
      case .unauthorized:
        return (ServiceError(status: 401, code: "KEY_UNKNOWN", message: "a fault was asked for"), nil)
      case .badRequest:
        return (ServiceError(status: 400, code: "FAULT_INJECTED", message: "a fault was asked for"), nil)
      default: continue
      }
    }
    return nil
  }

  /// All faults except `loses`.
  var withoutLosses: [Fault] { filter { if case .loses = $0 { false } else { true } } }

  /// Applies the faults that change the contents of a response.
  func spoil(_ answer: inout ObservationsAnswer) {
    for fault in self {
      switch fault {
      case .checksum: answer.held?.checksum ^= 1
      case .count: answer.held?.count += 1
      case .loses(let count): answer.reports.removeLast(Swift.min(count, answer.reports.count))
      case .ahead(let seconds): answer.token += seconds
      case .follows: answer.follows = Swift.max((answer.follows ?? answer.token) - 1, 0)
      default: continue
      }
    }
  }
}
