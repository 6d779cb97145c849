// See README.md.

public import Dispatch

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable {
    case satisfied
    case unsatisfied
    case requiresConnection
  }

  public let status: Status
  public let isExpensive: Bool
  public let isConstrained: Bool
}

public final class NWPathMonitor: @unchecked Sendable {
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

  public init() {}

  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}

public enum NWEndpoint: Hashable, Sendable {
  public struct Host: Hashable, Sendable {
    public init(_ text: String) {}
  }

  public struct Port: Hashable, Sendable {
    public init?(rawValue: UInt16) {}
  }

  case hostPort(host: Host, port: Port)
}

public final class NWProtocolTLS {
  public final class Options {}
}

public struct ProxyConfiguration {
  public init(httpCONNECTProxy proxy: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
  public mutating func applyCredential(username: String, password: String) {}
}

// Foundation's on Apple's platforms; the open one doesn't have it.
extension URLSessionConfiguration {
  public var proxyConfigurations: [ProxyConfiguration] {
    get { [] }
    set {}
  }
}
