import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailQuery
import ContrailWire

/// A client whose shell is in JavaScript: the application's side, the driver, the log and the exchanges.
///
/// It carries out the driver's actions as the native shell does. What only JavaScript can do is put out as actions.
final class BrowserClient {
  var app: AppSide
  private var driver: Driver
  private let packer: RequestPacker
  let configuration: BrowserConfiguration
  private var log: DirectoryLog?
  /// The result of opening the log before the launch, because its settings were needed.
  private var opened: DriverEvent?
  private let storage = HostStorage()

  var time: EngineTime
  /// The actions for the shell, as JSON.
  private var actions: [[UInt8]] = []
  /// The bytes beside them.
  private(set) var bytes: [UInt8] = []

  private var exchanges: [Int32: Exchange] = [:]
  private var lastExchange: Int32 = 0
  /// The stream that no request waits for.
  private var idleStream: Int32?
  /// Whether streams arrive. A proxy that collects answers until they are complete loses them.
  private var streamsArrive = true

  private var driverTimer: Int64?
  /// The time that the shell was told.
  private var toldTimer: Int64?

  private var index = ReportIndex()
  var observers = Observers()
  var monitors = Monitors()

  init(_ configuration: BrowserConfiguration, at time: EngineTime) {
    self.configuration = configuration
    self.time = time
    packer = RequestPacker(
      isSecure: configuration.isSecure, hasWeatherService: configuration.weatherHost != nil,
      packsBodies: configuration.packsBodies)
    let (event, log) = Self.open(configuration, storage, at: time.now)
    self.log = log
    opened = event
    var settings = AppSettings()
    if case .opened(let log) = event { settings = AppSettings(launchingWith: log.state) }
    app = AppSide(settings, isOnline: configuration.isOnline)
    app.setLink(configuration.hasLink)
    driver = Driver(
      Driver.Configuration(
        session: configuration.session, settings: settings, credentials: configuration.credentials,
        host: configuration.host, weatherHost: configuration.weatherHost, syncDelayMS: configuration.syncDelayMS,
        deliversAirports: configuration.deliversAirports, awaitsApplication: true))
  }

  private static func open(
    _ configuration: BrowserConfiguration, _ storage: HostStorage, at now: Int64
  ) -> (DriverEvent, DirectoryLog?) {
    do throws(EngineError) {
      let (log, state, _) = try DirectoryLog.open(
        path: configuration.directory, at: now, segmentBytes: configuration.segmentBytes,
        keptBytes: configuration.keptBytes, sealsSegments: false, storage: storage)
      return (.opened(OpenedLog(state: state, status: log.status)), log)
    } catch {
      return (.openingFailed(error), nil)
    }
  }

  /// The published state.
  var shown: Shown { app.shown }
  /// The time by the server's clock, as far as it is known, in seconds.
  var serverSecond: Int64 { shown.serverSecond(at: time.now) }
  /// The log's time, in milliseconds.
  var logTime: Int64 { shown.logTime(at: time.now) }

  /// The reports by place, up to date.
  var reportIndex: ReportIndex {
    index.update(to: shown.state)
    return index
  }

  // MARK: Events

  func launch() { feed(.launched) }

  /// Passes the application's events to the driver.
  func endTurn() {
    app.endTurn()
    let events = app.takeEvents()
    if !events.isEmpty { feed(.app(events)) }
  }

  func add(_ event: AppEvent) {
    app.add(event)
    endTurn()
  }

  func setObserved(_ isObserved: Bool) {
    if app.setObserved(at: isObserved ? time.now : nil) { endTurn() }
  }

  /// The segments of the log, oldest first.
  func segments() throws(ClientError) -> [LogSegment] {
    do throws(LogError) {
      return try log?.segments() ?? []
    } catch {
      throw ClientError(EngineError(error))
    }
  }

  func fireTimer() {
    let now = time.now
    if let at = driverTimer, at <= now {
      driverTimer = nil
      feed(.timerFired)
    }
    if let number = idleStream, let at = exchanges[number]?.idleUntil, at <= now { abort(number) }
  }

  private func feed(_ events: [DriverEvent]) { for event in events { feed(event) } }

  private func feed(_ event: DriverEvent) {
    driver.run(event, at: time) { _, actions, _ in
      var results: [DriverEvent] = []
      for action in actions { results += perform(action) }
      return results
    }
  }

  // MARK: Actions

  private func act(_ name: StaticString, _ members: (inout JSONWriter) -> Void = { _ in }) {
    var json = JSONWriter()
    json.object { json in
      json.key("do")
      json.value(name.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
      members(&json)
    }
    actions.append(json.bytes)
  }

  /// Performs an action. Returns the results that are known at once.
  private func perform(_ action: DriverAction) -> [DriverEvent] {
    switch action {
    case .preview: return [.previewed(nil)]
    case .open:
      if let event = opened.take() { return [event] }
      let (event, log) = Self.open(configuration, storage, at: time.now)
      self.log = log
      return [event]
    case .log(let command): return log.map { [$0.result(of: command)] } ?? []
    case .send(let requests, let credentials): return send(requests, with: credentials)
    case .cancel(let number): cancel(number)
    case .setTimer(let at): driverTimer = at
    case .project, .levelAirports: break
    // The configuration has neither a provider of credentials nor a signer.
    case .requestCredential, .cancelCredential, .useCredentials, .sign: break
    case .loadAirports(let effectiveMS): act("airports") { $0.member("effectiveMS", effectiveMS) }
    case .publish(let publication): publish(publication)
    case .complete(let ticket, let error):
      act("complete") { json in
        json.member("ticket", ticket.number)
        json.key("error")
        if let error { error.write(to: &json) } else { json.null() }
      }
    case .close:
      log = nil
      for number in exchanges.keys.sorted() { abort(number) }
      act("closed")
      return [.closed]
    }
    return []
  }

  private func publish(_ publication: Publication) {
    // The link may be another one then.
    if !publication.shown.state.isOnline { streamsArrive = true }
    app.show(publication)
    guard !publication.updates.isEmpty else { return }
    act("tell") { json in
      json.key("updates")
      json.array { json in
        for update in publication.updates { update.write(to: &json, publication.newTypes) }
      }
    }
    guard publication.updates.contains(where: { $0.concernsQueries }) else { return }
    observers.mayHaveChanged()
    monitors.mayHaveChanged()
  }

  /// Puts out the actions since the last call.
  func putActions() -> UInt32 {
    for alert in monitors.alerts(self) { actions.append(alert) }
    for number in observers.due(at: time.now) { act("changed") { $0.member("observer", number) } }
    let stream = idleStream.flatMap { exchanges[$0]?.idleUntil }
    let next = [driverTimer, stream, observers.wakesAt].compactMap { $0 }.min()
    if next != toldTimer {
      toldTimer = next
      act("timer") { json in
        json.key("at")
        if let next { json.value(next) } else { json.null() }
      }
    }
    defer { actions = [] }
    return put { json in
      json.object { json in
        json.key("actions")
        json.array { json in for action in actions { json.verbatim(action) } }
      }
    }
  }

  /// Forgets the bytes of the last call.
  func beginCall(at time: EngineTime) {
    self.time = time
    bytes = []
  }

  /// Notes that the shell's timer has fired, so that the next one is told even if it is at the same time.
  func noteTimer() { toldTimer = nil }

  // MARK: Exchanges

  private func send(_ requests: [OutgoingRequest], with credentials: Credentials) -> [DriverEvent] {
    let holdSeconds = requests.compactMap { $0.holdSeconds }.min()
    let mayStream = holdSeconds != nil && packer.isSecure && streamsArrive
    if mayStream, let number = idleStream {
      let wanted = HeldRequests(requests, with: credentials)
      if exchanges[number]?.held == wanted {
        exchanges[number]?.continueStream(for: requests)
        idleStream = nil
        if exchanges[number]?.parts.isEmpty == false || exchanges[number]?.isEnded == false {
          return takePart(number)
        }
      }
      abort(number)
    }
    guard let packed = packer.packed(requests, with: credentials) else {
      return requests.flatMap { send([$0], with: credentials) }
    }
    let request = mayStream ? HeldRequests.streaming(packed.request) : packed.request
    lastExchange += 1
    let number = lastExchange
    exchanges[number] = Exchange(
      requests, request, with: credentials, holdSeconds: holdSeconds, mayStream: mayStream, at: time.now)
    let offset = bytes.count
    bytes += request.body
    act("send") { json in
      json.member("exchange", number)
      json.member("method", request.method)
      json.member("target", request.target)
      json.key("headers")
      json.array { json in
        for (name, value) in request.headers {
          json.array { json in
            json.value(name)
            json.value(value)
          }
        }
      }
      json.key("body")
      json.array { json in
        json.value(offset)
        json.value(request.body.count)
      }
      json.member("gzip", packed.isToBeCompressed)
      json.member("service", packed.isForWeatherService ? "weather" : "server")
      json.member("timeoutSeconds", request.timeoutSeconds)
      json.member("limit", request.maximumBodyBytes)
      json.member("streams", mayStream)
      json.key("requests")
      json.array { json in for request in requests { json.value(request.number) } }
    }
    return []
  }

  /// Cancels an exchange once all of its requests are cancelled.
  private func cancel(_ request: Int64) {
    for number in exchanges.keys.sorted() {
      guard exchanges[number]?.requests.contains(where: { $0.number == request }) == true else { continue }
      exchanges[number]?.cancelled.insert(request)
      if exchanges[number]?.isCancelled == true { act("abort") { $0.member("exchange", number) } }
    }
  }

  /// Ends an exchange for which no request waits.
  private func abort(_ number: Int32) {
    guard let exchange = exchanges.removeValue(forKey: number) else { return }
    if idleStream == number { idleStream = nil }
    if !exchange.isEnded, !exchange.isCancelled { act("abort") { $0.member("exchange", number) } }
  }

  func receiveHead(_ number: Int32, _ head: TransportAnswer) {
    exchanges[number]?.begin(head)
  }

  func receive(_ number: Int32, _ block: [UInt8]) {
    guard var exchange = exchanges[number], exchange.head != nil else { return }
    do throws(TransportError) {
      try exchange.append(block)
    } catch {
      act("abort") { $0.member("exchange", number) }
      return fail(number, error, sentBodyBytes: 0)
    }
    exchanges[number] = exchange
    feed(takePart(number))
  }

  /// Takes the next answer of a stream, if one has come and requests wait for it.
  private func takePart(_ number: Int32) -> [DriverEvent] {
    guard var exchange = exchanges[number], !exchange.requests.isEmpty, !exchange.parts.isEmpty,
      let head = exchange.head
    else { return [] }
    let part = exchange.parts.removeFirst()
    let requests = exchange.requests
    let (results, next) = HeldRequests.results(
      of: part, of: head, to: requests, with: exchange.credentials,
      sent: exchange.isContinued ? nil : sent(exchange.request, bodyBytes: exchange.request.body.count))
    if let next {
      exchange.rest(next, until: time.now + Int64(HeldRequests.idleSeconds) * 1000)
      exchanges[number] = exchange
      idleStream = number
    } else {
      abort(number)
    }
    return zip(requests, results).map { .responded($0.number, $1) }
  }

  /// The bytes of a request whose body had a size when it was sent.
  private func sent(_ request: TransportRequest, bodyBytes: Int) -> SentBytes {
    var request = request
    // Only the size of the body counts.
    if request.body.count != bodyBytes { request.body = [UInt8](repeating: 0, count: bodyBytes) }
    return packer.sent(request) { $0.headBytes(host: configuration.host ?? "", path: configuration.path) }
  }

  /// Handles the end of an answer.
  ///
  /// - Parameters:
  ///   - encodedBytes: The size of the body on the wire; nil if unknown.
  ///   - sentBodyBytes: The size of the request's body as sent; nil to count nothing.
  ///   - mask: The bits of the requests whose results are delivered now; -1 for all, and the exchange is then over.
  func end(_ number: Int32, encodedBytes: Int64?, sentBodyBytes: Int?, mask: Int32) {
    guard let exchange = exchanges[number], let head = exchange.head else { return }
    if exchange.stream != nil { return endStream(number, exchange) }
    let isCompressed = head.header("Content-Encoding").map { !$0.isEmpty && !$0.isSame(fieldName: "identity") } ?? false
    var answer = head
    answer.body = exchange.body
    let received = ReceivedAnswer(
      answer, coding: isCompressed ? .compressed : .plain,
      encodedBytes: encodedBytes ?? Int64(exchange.body.count))
    let results = received.results(
      to: exchange.requests, with: exchange.credentials,
      sent: sentBodyBytes.map { sent(exchange.request, bodyBytes: $0) })
    deliver(results, of: exchange, number, mask)
  }

  private func endStream(_ number: Int32, _ exchange: Exchange) {
    exchanges[number]?.isEnded = true
    guard !exchange.requests.isEmpty else { return }
    guard exchange.isContinued else {
      return fail(
        number, TransportError(.malformed, "the stream of answers ends before the first"),
        sentBodyBytes: exchange.request.body.count)
    }
    // The server has ended the stream before it answered: the requests are sent anew.
    exchanges[number] = nil
    feed(send(exchange.requests, with: exchange.credentials))
  }

  func fail(_ number: Int32, _ error: TransportError, sentBodyBytes: Int?, mask: Int32 = -1) {
    guard let exchange = exchanges[number] else { return }
    if exchange.mayStream, exchange.stream == nil, let seconds = exchange.holdSeconds,
      time.now - exchange.sentAt >= seconds * 1000
    {
      streamsArrive = false
    }
    let sent: SentBytes? =
      exchange.isContinued ? .zero : sentBodyBytes.map { self.sent(exchange.request, bodyBytes: $0) }
    let results = RequestResult.failed(error, exchange.requests, with: exchange.credentials, sent: sent)
    deliver(results, of: exchange, number, mask)
  }

  private func deliver(_ results: [RequestResult], of exchange: Exchange, _ number: Int32, _ mask: Int32) {
    if mask == -1 {
      exchanges[number] = nil
      if idleStream == number { idleStream = nil }
    }
    for (index, request) in exchange.requests.enumerated() where mask == -1 || mask >> Int32(index) & 1 == 1 {
      feed(.responded(request.number, results[index]))
    }
  }
}
