import Contrail
import ContrailCore
import ContrailEngine
import ContrailQuery
import ContrailWire
import Foundation

/// Everything that observes a client, and what each was told.
struct Observers {
  /// The value that an observer of a scope was told last.
  final class Newest: @unchecked Sendable {
    let name: String
    private let lock = NSLock()
    private var held: HeldData?
    var connection: Cancellable?

    init(_ name: String) { self.name = name }

    var value: HeldData? { lock.withLock { held } }
    func take(_ value: HeldData) { lock.withLock { held = value } }
  }

  /// A stream that is read to its end.
  final class Reader: @unchecked Sendable {
    private let lock = NSLock()
    private var hasEnded = false
    private var task: Task<Void, Never>?

    init<Element: Sendable>(_ stream: AsyncStream<Element>, _ take: @escaping @Sendable (Element) -> Void) {
      task = Task {
        for await element in stream { take(element) }
        self.end()
      }
    }

    var isOver: Bool { lock.withLock { hasEnded } }
    private func end() { lock.withLock { hasEnded = true } }
    func cancel() { task?.cancel() }
  }

  /// The result that a live query told last.
  final class Live: @unchecked Sendable {
    let query: TurbulenceQuery
    private let lock = NSLock()
    private var items: [TurbulenceItem] = []

    init(_ query: TurbulenceQuery) { self.query = query }

    func take(_ change: ResultChange<TurbulenceItem>) { lock.withLock { items = change.items } }

    var newest: [TurbulenceItem] { lock.withLock { items } }
  }

  /// What was told, by scope.
  final class Telling: @unchecked Sendable {
    private let lock = NSLock()
    private var told: [ScopeID: [AppModel.Told]] = [:]
    private var news: [ScopeID: [Bool]] = [:]
    let tellsNews: Bool

    init(tellsNews: Bool) { self.tellsNews = tellsNews }

    func tell(_ scope: ScopeID?, _ one: AppModel.Told) {
      guard let scope else { return }
      lock.withLock { told[scope, default: []].append(one) }
    }

    func tell(_ scope: ScopeID, isNew: Bool) { lock.withLock { news[scope, default: []].append(isNew) } }

    func told(of scope: ScopeID) -> [AppModel.Told] { lock.withLock { told[scope] ?? [] } }
    func news(of scope: ScopeID) -> [Bool] { lock.withLock { news[scope] ?? [] } }
    func forget() { lock.withLock { (told, news) = ([:], [:]) } }
  }

  private let client: ContrailClient
  private(set) var newest: [Newest] = []
  private(set) var streams: [Reader] = []
  private var lives: [Live] = []
  private var telling: Telling?
  private var delegate: Delegate?

  init(of client: ContrailClient) { self.client = client }

  mutating func add(_ observer: Observer, isDeaf: Bool) {
    switch observer {
    case .corridorChannel: connect(.corridor, isDeaf: isDeaf)
    case .viewportChannel: connect(.viewport, isDeaf: isDeaf)
    case .polygonsChannel: connect(.global(.twoHours), isDeaf: isDeaf)
    case .corridorStream:
      let held = Newest("the stream of the corridor")
      newest.append(held)
      streams.append(Reader(client.updates(for: .corridor)) { held.take($0) })
    case .liveQuery:
      let live = Live(TurbulenceQuery(minimumSeverity: .light))
      guard let stream = try? client.observe(live.query) else { return }
      lives.append(live)
      streams.append(Reader(stream) { live.take($0) })
    case .updates:
      // One of them tells.
      guard telling == nil else { return }
      let telling = Telling(tellsNews: true)
      self.telling = telling
      streams.append(
        Reader(client.updates) { update in
          switch update {
          case .failed(let error): telling.tell(error.scope, .failed([error.code]))
          case .recovered(let scope): telling.tell(scope, .recovered)
          case .data(let scope): telling.tell(scope, isNew: true)
          case .confirmed(let scope): telling.tell(scope, isNew: false)
          default: break
          }
        })
    case .delegate:
      guard telling == nil else { return }
      let telling = Telling(tellsNews: false)
      self.telling = telling
      let delegate = Delegate(telling)
      self.delegate = delegate
      client.delegate = delegate
    }
  }

  private mutating func connect(_ scope: ScopeID, isDeaf: Bool) {
    let held = Newest("the channel of \(scope.name)")
    newest.append(held)
    held.connection = client.channel(for: scope).sink { [weak held] in held?.take($0) }
    if isDeaf { held.connection?.cancel() }
  }

  /// Whether somebody is told of failures.
  var isTold: Bool { telling != nil }
  func told(of scope: ScopeID) -> [AppModel.Told] { telling?.told(of: scope) ?? [] }
  var tellsNews: Bool { telling?.tellsNews ?? false }
  func news(of scope: ScopeID) -> [Bool] { telling?.news(of: scope) ?? [] }
  func forget() { telling?.forget() }

  /// Compares live queries with the query now.
  func liveDifference(_ client: ContrailClient, _ flight: AppFlight) async -> String? {
    for live in lives {
      let holds = await flight.eventually {
        guard let due = try? client.turbulence(with: live.query) else { return false }
        return due.map(\.report) == live.newest.map(\.report) && due.map(\.count) == live.newest.map(\.count)
      }
      if !holds { return "a live query was told another result than the query returns" }
    }
    return nil
  }
}

@MainActor
private final class Delegate: ContrailClientDelegate {
  private let telling: Observers.Telling

  nonisolated init(_ telling: Observers.Telling) { self.telling = telling }

  func didFailToFetchNewData(with error: ClientError, type: ScopeID?) { telling.tell(type, .failed([error.code])) }
  func didRecover(type: ScopeID?) { telling.tell(type, .recovered) }
}
