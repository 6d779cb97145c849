#if Online
  import ContrailWire

  extension [Fault] {
    /// How many milliseconds the answer waits.
    var latencyMilliseconds: Int {
      reduce(0) { sum, fault in
        if case .latency(let milliseconds) = fault { Swift.min(sum + milliseconds, Fault.maximumLatency) } else { sum }
      }
    }

    /// By how many seconds the answer is older than it should be.
    var staleSeconds: Int64 {
      for case .stale(let seconds) in self { return seconds }
      return 0
    }

    /// How the answer is cut.
    var cut: Fault.Cut? {
      for case .truncate(let cut) in self { return cut }
      return breakBytes == nil ? nil : .length
    }

    /// After how many bytes of the body an answer is cut; nil for half of it.
    var breakBytes: Int? {
      for case .breaks(let bytes) in self { return bytes }
      return nil
    }

    /// The error that is answered instead, and its `Retry-After`.
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

    /// Spoils what an answer says.
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
#endif
