/// An error of the future itself.
public enum FutureError: Error, Hashable, Sendable {
  /// The promise was released before it was completed. Start the operation again.
  case promiseBroken

  /// A stable code for scripts and tests.
  public var code: String {
    switch self {
    case .promiseBroken: "promiseBroken"
    }
  }
}

extension FutureError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .promiseBroken: "the promise was released before it was completed; start the operation again"
    }
  }
}
