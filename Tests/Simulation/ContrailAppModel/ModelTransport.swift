import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailQuery
import ContrailSimulation
import ContrailTesting
import ContrailWire
import Foundation

/// The network and the server of an application's flight, and the model that watches them.
final class ModelTransport: ClosableTransport, @unchecked Sendable {
  private let lock = NSLock()
  private var state: State
  private let clock: ManualClock

  init(_ script: AppScript, clock: ManualClock) {
    state = State(script)
    self.clock = clock
  }

  /// The state, for the flight to read and change.
  func with<R>(_ body: (inout State) -> R) -> R { lock.withLock { body(&state) } }

  struct State {
    var server: SimulatedServer
    var model = AppModel()
    let serverAheadMS: Int64
    var faults: [AnswerFault] = []
    var isOut = false
    var latencyMS: Int64 = 0
    /// The longest latency so far.
    var slackMS: Int64 = 0
    var open: [Int: Exchange] = [:]
    var count = 0
    var requests = 0
    /// The requests for weather that the application made by a transport of the client.
    var lookups = 0
    /// Whether a request may begin only because the application did something.
    var isQuiet: String?
    /// The last exchange of each scope.
    fileprivate var newest: [ScopeID: Int] = [:]
    var finding: String?
    var isStopped = false
    /// Whether the model counts a byte too many for each exchange.
    var isMiscounting = false
    /// Counts of what happened.
    var tally: [String: Int] = [:]

    init(_ script: AppScript) {
      server = SimulatedServer(world: SimulatedWorld(seed: script.seed, hours: 18, reportsPerHour: 18))
      server.knowsAreas = !script.isServerPlain
      server.packs = script.packs
      serverAheadMS = script.serverAheadMS
    }

    mutating func find(_ text: @autoclosure () -> String) { if finding == nil { finding = text() } }
  }

  /// Requests that share an exchange.
  struct Exchange {
    var parts: [Part]
    var request: TransportRequest
    var due: Int64
    var answer: TransportAnswer?
    var failure: TransportError.Code?
    /// The time that the server told, in milliseconds.
    var serverMS: Int64
    var fault: AnswerFault?
    /// Whether the application has set a key since.
    var hasOldKey = false

    enum Part {
      case data(ScopeID, FetchSpec)
      case upload([TurbulenceReport])
      case airports
    }

    var requestBytes: Int64 { Int64(request.headBytes(host: "", path: "") + request.body.count) }
  }

  // MARK: Sending

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    let (id, due) = with { $0.begin(request, at: clock.now) }
    if due > clock.now {
      do { try await clock.sleep(until: due) } catch { with { $0.cancel(id) } }
    }
    if Task.isCancelled {
      with { $0.cancel(id) }
      throw TransportError(.cancelled, "the request was cancelled")
    }
    guard let exchange = with({ $0.end(id, at: clock.now) }) else {
      throw TransportError(.cancelled, "the request was cancelled")
    }
    if let failure = exchange.failure { throw TransportError(failure, "simulated") }
    return exchange.answer ?? TransportAnswer(status: 500, headers: [], body: [])
  }

  func shutdown() async {}

  /// The number of requests that wait at a time.
  func waiting(at now: Int64) -> Int {
    with { $0.open.values.reduce(0) { $1.due > now ? $0 + $1.parts.count : $0 } }
  }

  /// When the next answer comes.
  func next(after now: Int64) -> Int64? { with { $0.open.values.map(\.due).filter { $0 > now }.min() } }
}

extension ModelTransport.State {
  /// The scopes whose last request is under way. One before it may be, too, if it shares an exchange with another scope's.
  var fetching: Set<ScopeID> { Set(newest.filter { open[$0.value] != nil }.keys) }

  /// The application sets the key that the server takes.
  mutating func renewKey() {
    for id in Array(open.keys) { open[id]?.hasOldKey = true }
    model.setKey(server.key)
  }

  /// Gives up the requests of scopes that don't want them any more, where the exchange goes on because another scope shares it.
  ///
  /// With a link, another request follows, unless nothing is wanted.
  ///
  /// - Parameter isSaving: Whether no traffic is requested.
  mutating func giveUp(isSaving: Bool) {
    for (id, exchange) in open where exchange.parts.count > 1 {
      for case .data(let scope, let spec) in exchange.parts where newest[scope] == id {
        var want = model.wishes.wants[scope]
        if isSaving { want?.filter.types.remove(.traffic) }
        let isOver = want.map { !model.mayUseLink && !spec.covers($0) } ?? true
        if isOver { newest[scope] = nil }
      }
    }
  }

  fileprivate mutating func begin(_ request: TransportRequest, at now: Int64) -> (id: Int, due: Int64) {
    count += 1
    requests += 1
    let serverMS = now + serverAheadMS
    let parts = read(request)
    if isStopped { find("a request after the client was stopped: \(request.target)") }
    if !model.isOnline { find("a request while the application keeps the link off: \(request.target)") }
    if !model.hasLink { find("a request while the system has no link: \(request.target)") }
    if let isQuiet, parts.contains(where: { if case .upload = $0 { false } else { true } }) {
      find("\(isQuiet): \(request.target)")
    }
    var isOfAirports = false
    if case .airports? = parts.first { isOfAirports = true }
    let key = key(of: request)
    if key != model.key, !(isOfAirports && key == model.replacedKey) {
      find("a request with another key than was set: \(request.target)")
    }
    // Downloads repeat themselves by a clock of their own: they are answered at once.
    let fault = faults.isEmpty || isOfAirports ? nil : faults.removeFirst()
    if let fault { tally["answer.\(fault.rawValue)", default: 0] += 1 }
    var exchange = ModelTransport.Exchange(
      parts: parts, request: request, due: isOfAirports ? now : now + latencyMS, serverMS: serverMS, fault: fault)
    if isOut, !isOfAirports {
      (exchange.failure, exchange.due) = (.network, now + 200)
    } else {
      switch fault {
      case .lost:
        (exchange.failure, exchange.due) = (.timeout, now + Int64(request.timeoutSeconds) * 1000)
        // Either the request is lost, or the answer.
        if count % 2 == 0 { _ = reply(to: request, parts, serverMS, fault) }
      case .broken: exchange.failure = .network
      case .tooLarge: exchange.failure = .tooLarge
      case .insecure: exchange.failure = .security
      default:
        exchange.answer = reply(to: request, parts, serverMS, fault)
        if fault == .late { exchange.due += 8000 }
      }
    }
    for part in parts {
      switch part {
      case .data(let scope, _): newest[scope] = count
      case .upload: newest[.outbox] = count
      case .airports: break
      }
    }
    if exchange.answer != nil { slackMS = max(slackMS, exchange.due - now) }
    open[count] = exchange
    return (count, exchange.due)
  }

  private mutating func reply(
    to request: TransportRequest, _ parts: [ModelTransport.Exchange.Part], _ serverMS: Int64, _ fault: AnswerFault?
  ) -> TransportAnswer {
    if case .airports? = parts.first {
      let error = ServiceError(status: 404, code: "NOT_FOUND", message: "simulated")
      return TransportAnswer(
        status: 404, headers: [(WireHeader.serverTime, "\(serverMS)")], body: error.json(reason: "simulated"))
    }
    return server.answer(request, atMS: serverMS, fault: fault)
  }

  private func key(of request: TransportRequest) -> String? {
    Target.weather(request.target)?.token ?? request.headers.first { $0.name == WireHeader.apiKey }?.value
  }

  /// Returns what the requests of an exchange are for.
  private mutating func read(_ request: TransportRequest) -> [ModelTransport.Exchange.Part] {
    if request.target.hasPrefix("/airports") { return [.airports] }
    if let upload = server.upload(request) { return [.upload(upload.reports)] }
    return server.understood(request).map { asked in
      guard let asked, let scope = model.scope(of: asked.spec, weather: Target.weather(request.target)?.place) else {
        find("a request that nobody wants: \(request.method) \(request.target)")
        return .airports
      }
      return .data(scope, asked.spec)
    }
  }

  fileprivate mutating func cancel(_ id: Int) {
    guard let exchange = open.removeValue(forKey: id) else { return }
    tally["cancelled", default: 0] += 1
    model.count(answer: 0, request: exchange.requestBytes, isCertain: false, at: nil)
  }

  /// The answer of an exchange reaches the client.
  fileprivate mutating func end(_ id: Int, at now: Int64) -> ModelTransport.Exchange? {
    guard let exchange = open.removeValue(forKey: id) else { return nil }
    tally["answers", default: 0] += 1
    let bytes = (exchange.answer?.wireBytes ?? 0) + (isMiscounting ? 1 : 0)
    var isOfAirports = false
    if case .airports? = exchange.parts.first { isOfAirports = true }
    model.count(answer: bytes, request: exchange.requestBytes, isCertain: !isOfAirports, at: now)
    if case .data(let scope, _)? = exchange.parts.first, scope.weatherPlace != nil { model.count(bytes, of: scope) }
    if isOfAirports { return exchange }
    if exchange.answer != nil { model.knowServerTime() }
    for part in exchange.parts {
      // The client has given up this part of an exchange that went on.
      if case .data(let scope, _) = part, newest[scope] != id { continue }
      end(part, exchange, at: now)
    }
    return exchange
  }

  private mutating func end(_ part: ModelTransport.Exchange.Part, _ exchange: ModelTransport.Exchange, at now: Int64) {
    let scope: ScopeID
    switch part {
    case .airports: return
    case .upload: scope = .outbox
    case .data(let it, let spec):
      scope = it
      model.asked[scope] = (spec, exchange.parts.count == 1)
    }
    if let failure = exchange.failure {
      return model.fail(scope, .failure([.init(rawValue: failure.rawValue)]))
    }
    guard let answer = exchange.answer else { return }
    // Nobody wants it any more.
    if scope != .outbox, model.wishes.wants[scope] == nil { return }
    switch (answer.status, exchange.fault) {
    case (200, .captivePortal): model.fail(scope, .failure([.notTheService]))
    case (200, .truncated), (200, .badGzip): model.fail(scope, .failure([.malformedAnswer, .notTheService]))
    case (200, _), (304, _):
      guard case .data(_, let spec) = part else {
        if case .upload(let reports) = part { model.confirm(reports, .confirmed) }
        return model.succeed(scope)
      }
      model.answer(scope, spec, status: answer.status, serverMS: exchange.serverMS, at: now, server.world)
    // The refusal of an old key: the request is repeated.
    case (401, _) where exchange.hasOldKey, (403, _) where exchange.hasOldKey:
      model.allowed[scope, default: []].formUnion([.unauthorized, .weatherRefused])
    case (401, _), (403, _):
      let codes: Set<ClientError.Code> =
        scope.weatherPlace == nil ? [.unauthorized] : [.unauthorized, .weatherRefused]
      model.fail(scope, .refusal(codes, isOfKey: true))
    case (400, _):
      if case .upload(let reports) = part {
        if reports.count == 1 { model.confirm(reports, .refused) }
        return
      }
      model.fail(
        scope, .refusal(scope.weatherPlace == nil ? [.badRequest] : [.badRequest, .weatherRefused], isOfKey: false))
    case (429, _): model.fail(scope, .failure([.rateLimited]))
    case (302, _): model.fail(scope, .failure([.notTheService]))
    default: model.fail(scope, .failure([.server]))
    }
  }
}
