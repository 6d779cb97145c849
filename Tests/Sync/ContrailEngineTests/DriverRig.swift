import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailLog
import ContrailTestSupport
import ContrailWire

/// A driver over a log in memory, and what it asks for and tells.
struct DriverRig {
  var shell: SteppedShell
  let disk: MemoryDisk
  var now = Rig.start
  var wallLeadMS: Int64 = 0
  private(set) var sent: [OutgoingRequest] = []
  private(set) var credentials: [Credentials] = []
  private(set) var cancelled: [Int64] = []
  private(set) var updates: [ClientUpdate] = []
  private(set) var newTypes: [[ScopeID: DataTypeOptions]] = []
  private(set) var completed: [Ticket: ClientError?] = [:]
  private(set) var projected: [ProjectionCommand] = []
  private(set) var isClosed = false
  /// What the database shows at a launch.
  var preview: State?

  static let path = "/log"

  /// - Parameters:
  ///   - settings: The settings of the last launch, as the application reads them.
  ///   - settingsSeq: The `seq` that followed their copy.
  init(
    disk: MemoryDisk = MemoryDisk(), hasProjection: Bool = false, segmentBytes: Int64 = 8 << 20,
    settings: AppSettings = AppSettings(), settingsSeq: Int64? = nil
  ) {
    self.disk = disk
    shell = SteppedShell(
      .init(
        session: .init(engine: EngineVersion.current, id: "test", seed: 7), settings: settings,
        settingsSeq: settingsSeq,
        credentials: Credentials(apiKey: "first-key"),
        host: "server.example", hasProjection: hasProjection)
    ) { now throws(EngineError) in
      let (log, state, _) = try DirectoryLog.open(
        path: Self.path, at: now, segmentBytes: segmentBytes, storage: disk)
      return (log, state)
    }
  }

  /// A rig that was launched and wants the reports of an area.
  static func flying(disk: MemoryDisk = MemoryDisk(), hasProjection: Bool = false) -> DriverRig {
    var rig = DriverRig(disk: disk, hasProjection: hasProjection)
    rig.feed(.launched)
    rig.turn { $0.set(DriverRig.query()) }
    return rig
  }

  static func query(_ area: ResolvedQuery.Points = Rig.area, types: DataTypeOptions = .turbulence) -> DataQuery {
    DataQuery(types: types, polygon: area.compactMap { $0?.coordinate })
  }

  var time: EngineTime { EngineTime(now: now, wall: now + wallLeadMS) }
  var state: State { shell.state }

  mutating func turn(_ change: (inout AppSide) -> Void) {
    change(&shell.app)
    take(shell.endTurn(at: time))
  }

  mutating func observe(_ isObserved: Bool = true) {
    let now = isObserved ? now : nil
    turn { _ = $0.setObserved(at: now) }
  }

  /// Has the database written, until it holds the newest state.
  mutating func project() {
    var count = -1
    while projected.count > count {
      count = projected.count
      feed(.projected(.done(nil)))
    }
  }

  mutating func feed(_ event: DriverEvent) { take(shell.feed(event, at: time)) }

  /// Lets time go by to the timer, and fires it; false if none is set.
  @discardableResult
  mutating func fire() -> Bool {
    guard let timer = shell.timer else { return false }
    now = max(now, timer)
    feed(.timerFired)
    return true
  }

  private mutating func take(_ actions: [DriverAction]) {
    for action in actions {
      switch action {
      case .preview: feed(.previewed(preview))
      case .send(let requests, let credentials):
        sent += requests
        self.credentials += requests.map { _ in credentials }
      case .cancel(let number): cancelled.append(number)
      case .publish(let publication):
        updates += publication.updates.filter { if case .status = $0 { false } else { true } }
        newTypes.append(publication.newTypes)
      case .complete(let ticket, let error): completed[ticket] = .some(error)
      case .project(let command): projected.append(command)
      case .close:
        isClosed = true
        feed(.closed)
      default: break
      }
    }
  }

  mutating func ticket() -> Ticket { shell.app.makeTicket() }

  mutating func forgetUpdates() {
    updates = []
    newTypes = []
  }

  // MARK: Answers

  /// Answers the last request as a server with some reports would.
  mutating func answer(_ reports: [TurbulenceReport] = [], token: Int64? = nil) {
    guard let request = sent.last else { return }
    var answer = ObservationsAnswer(token: token ?? now / 1000, follows: state.scope(.corridor)?.inFlight?.since)
    answer.reports = reports
    answer200(answer.json, to: request)
  }

  mutating func answer200(_ body: [UInt8], to request: OutgoingRequest) {
    respond(
      .init(
        request: request.number, status: 200, wireBytes: 100, serverTimeMS: now, body: Input.Body(placing: body)))
  }

  mutating func respond(_ response: Input.Response) { feed(.responded(response.request, .answered(response))) }

  mutating func fail(_ status: Int, body: String = "") {
    guard let request = sent.last else { return }
    let body = Input.Body(placing: Array(body.utf8))
    respond(.init(request: request.number, status: status, wireBytes: 50, body: body))
  }

  mutating func fail(_ failure: TransportFailure) {
    guard let request = sent.last else { return }
    feed(.responded(request.number, .failed(failure, message: "server.example: connection refused")))
  }

  /// A report of now, less so many seconds.
  func report(age: Int64 = 0, severity: UInt8 = 2) -> TurbulenceReport {
    TurbulenceReport(
      cell: 0x0F_1234, altitude: 34, severity: severity, edrE4: 1800, observedAt: UInt32(now / 1000 - age))
  }

  /// The inputs that the log holds.
  func inputs() throws -> [Input] {
    let reader = try LogReader(path: Self.path, storage: disk)
    let blobs = BlobStore(directory: Self.path + "/blobs", storage: disk)
    var inputs: [Input] = []
    while let line = try reader.next() {
      let event = try Event(kind: line.kindName, payload: line.payload) { name in
        BlobStore.ID(name.sha256).flatMap { try? blobs.bytes(of: $0, count: name.byteCount) }
      }
      if case .input(let input) = event { inputs.append(input) }
    }
    return inputs
  }
}
