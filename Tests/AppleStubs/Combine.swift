// See README.md.

public protocol Cancellable {
  func cancel()
}

public protocol CustomCombineIdentifierConvertible {}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
  public struct Demand: Equatable, Comparable, Hashable, Codable {
    public static let unlimited = Demand(max: nil)
    public let max: Int?

    public static func < (a: Demand, b: Demand) -> Bool { (a.max ?? .max) < (b.max ?? .max) }
  }

  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

extension Subscribers.Demand: Sendable {}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where Self.Failure == S.Failure, Self.Output == S.Input
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {}

  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {}
}
