/// Why a future has failed though nobody failed it.
public enum FutureError: Error, Hashable, Sendable {
  /// The completing side was released before it completed, so no outcome can come any more. Ask again.
  case promiseBroken

  /// A stable name for scripts and tests.
  public var code: String {
    switch self {
    case .promiseBroken: "promiseBroken"
    }
  }
}

extension FutureError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .promiseBroken: "the work behind the future was given up before it had an outcome; ask again"
    }
  }
}
