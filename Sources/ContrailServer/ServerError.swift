#if Online
  /// Why a server does not run.
  public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address can't be listened on.
    case cannotListen(host: String, port: Int, reason: String)
    /// It stopped of itself after it had listened.
    case failed(reason: String)

    /// A stable name for logs and programs.
    public var code: String {
      switch self {
      case .cannotListen: "cannotListen"
      case .failed: "failed"
      }
    }

    public var description: String {
      switch self {
      case .cannotListen(let host, let port, let reason):
        "can't listen on \(host):\(port): \(reason). Choose another port, or 0 to let the system choose"
      case .failed(let reason):
        "the server stopped: \(reason)"
      }
    }
  }
#endif
