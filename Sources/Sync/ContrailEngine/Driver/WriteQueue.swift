import ContrailCore
import ContrailLog
import ContrailWire

/// The entries that wait to be written to the log, in order, and the one operation under way.
struct WriteQueue: Sendable {
  /// An entry that waits to be written.
  indirect enum Entry: Sendable {
    /// The launch, with the changes before the log was open.
    case launch(AppTurn)
    case turn(AppTurn)
    case clock(byMS: Int64)
    case tick
    /// The application entered or left the background.
    case background
    case answer(Input.Response)
    case failure(Int64, TransportFailure, message: String, sent: SentBytes?)
    case report(TurbulenceReport, Ticket)
    case airports([AirportsEntry], Ticket?)
    case weather(WeatherEntry, Ticket?)
    /// A caller waits until the entries before this one are written. It writes nothing.
    case mark(Ticket)
    /// A digest of the state, before the log is idle or closed.
    case digest

    /// Whether the entry is attempted once, and the caller receives the error.
    var isAttemptedOnce: Bool {
      switch self {
      case .report, .mark, .digest: true
      default: false
      }
    }

    var isLaunch: Bool { if case .launch = self { true } else { false } }

    fileprivate var isTick: Bool { if case .tick = self { true } else { false } }
    fileprivate var isBackground: Bool { if case .background = self { true } else { false } }

    /// The changes of the application that the entry contains.
    var turn: AppTurn? {
      switch self {
      case .launch(let turn), .turn(let turn): turn
      default: nil
      }
    }

    var ticket: Ticket? {
      switch self {
      case .report(_, let ticket), .mark(let ticket): ticket
      case .airports(_, let ticket), .weather(_, let ticket): ticket
      default: nil
      }
    }
  }

  /// The operation that the log performs.
  indirect enum Operation: Sendable {
    case append(Entry, Engine.Step)
    /// Begin a new segment before the entry.
    case roll(Entry?)
    case sync
    case sign(LogSignature)
  }

  /// Whether written lines must be synced to stable storage.
  private enum Sync {
    case done
    /// They are synced at a time of the device.
    case due(at: Int64)
    /// They are synced before the next write.
    case dueNow
  }

  private var entries: [Entry] = []
  private var operation: Operation?
  /// The retries of failed writes.
  private var refusals = Retry()
  private var sync = Sync.done
  /// The callers that wait for the next sync.
  private var awaitingSync: [Ticket] = []

  /// Whether no write is pending or in progress.
  var isIdle: Bool { entries.isEmpty && operation == nil }

  /// Whether an operation is in progress.
  var isBusy: Bool { operation != nil }

  /// Whether nothing is left to do before the process may be suspended. Entries that wait for a retry are left.
  var isAtRest: Bool { !isBusy && !isSyncDue && (entries.isEmpty || refusals.until != nil) }

  /// Whether a tick waits or is written.
  var hasTick: Bool {
    if case .append(let entry, _) = operation, entry.isTick { return true }
    return entries.contains { $0.isTick }
  }

  /// Whether a change of the background waits or is written.
  var hasBackground: Bool {
    if case .append(let entry, _) = operation, entry.isBackground { return true }
    return entries.contains { $0.isBackground }
  }

  /// Whether a change of the key waits or is written.
  var changesKey: Bool { hasTurn { $0.credentials?.apiKey != nil } }

  /// Whether a turn that allows the link waits or is written.
  var opensLink: Bool { hasTurn { $0.isOnline == true } }

  private func hasTurn(_ matches: (AppTurn) -> Bool) -> Bool {
    if case .append(let entry, _) = operation, let turn = entry.turn, matches(turn) { return true }
    if case .roll(let entry?) = operation, let turn = entry.turn, matches(turn) { return true }
    return entries.contains { $0.turn.map(matches) ?? false }
  }

  // MARK: Entries

  /// Adds an entry. A turn is merged into a waiting launch, or into a turn at the end of the queue, so that replaced values aren't written.
  mutating func add(_ entry: Entry) {
    if case .turn(let turn) = entry, case .launch(var launch) = entries.first {
      launch.merge(turn)
      entries[0] = .launch(launch)
    } else if case .turn(let turn) = entry, let last = entries.indices.last, case .turn(var waiting) = entries[last] {
      waiting.merge(turn)
      entries[last] = .turn(waiting)
    } else {
      entries.append(entry)
    }
  }

  /// Adds an entry before all others.
  mutating func addFirst(_ entry: Entry) { entries.insert(entry, at: 0) }

  /// Adds a change of the background before the waiting answers, so that they begin no requests.
  mutating func addBackground() { entries.insert(.background, at: entries.first?.isLaunch == true ? 1 : 0) }

  /// Adds the launch before all other entries, with the turns so far.
  ///
  /// - Parameter turn: The turns with which it couldn't be written.
  mutating func addLaunch(_ turn: AppTurn = AppTurn()) {
    var turn = turn
    for case .turn(let waiting) in remove(where: { if case .turn = $0 { true } else { false } }) { turn.merge(waiting) }
    addFirst(.launch(turn))
  }

  /// Removes and returns the entries that match.
  mutating func remove(where matches: (Entry) -> Bool) -> [Entry] {
    let removed = entries.filter(matches)
    entries.removeAll(where: matches)
    return removed
  }

  /// Removes and returns the next entry to write; nil if there is none, or all wait for the end of a retry delay.
  ///
  /// - Parameter isClosing: Whether the log is closed after the entries. There is no delay then.
  mutating func takeNext(isClosing: Bool) -> Entry? {
    guard let first = entries.first else { return nil }
    guard refusals.until != nil, !isClosing else { return entries.removeFirst() }
    // Reports, marks and digests don't wait for the end of a retry delay. If the launch isn't written yet, it is retried before them: the
    // session is the first line of a process.
    guard let index = entries.firstIndex(where: { $0.isAttemptedOnce }) else { return nil }
    return entries.remove(at: first.isLaunch ? 0 : index)
  }

  // MARK: Operations

  mutating func begin(_ operation: Operation) { self.operation = operation }

  /// Ends the operation under way, and returns it.
  mutating func end() -> Operation? { operation.take() }

  /// Notes that lines were written at a time of the device.
  ///
  /// - Parameter syncDelayMS: The maximum time until they are synced.
  mutating func succeed(at now: Int64, syncDelayMS: Int64) {
    refusals.succeed()
    if case .done = sync { sync = .due(at: now + syncDelayMS) }
  }

  /// Keeps an entry whose write failed, before all others, until a retry.
  mutating func retry(_ entry: Entry, at now: Int64) {
    if case .launch(let turn) = entry { addLaunch(turn) } else { addFirst(entry) }
    refusals.fail(at: now)
  }

  // MARK: Syncs

  /// Whether the log must be synced before the next write.
  var isSyncDue: Bool { if case .dueNow = sync { true } else { false } }

  /// Requests a sync before the next write.
  ///
  /// - Parameter ticket: The caller that waits for it.
  mutating func requestSync(for ticket: Ticket? = nil) {
    if let ticket { awaitingSync.append(ticket) }
    sync = .dueNow
  }

  /// Notes that a sync begins.
  mutating func beginSync() { sync = .done }

  /// Repeats a sync that failed, at a time of the device.
  mutating func repeatSync(at time: Int64) { sync = .due(at: time) }

  /// Removes and returns the callers that waited for a sync.
  mutating func takeAwaitingSync() -> [Ticket] {
    defer { awaitingSync = [] }
    return awaitingSync
  }

  // MARK: Time

  /// The time of the device at which ``pass(to:)`` is needed; nil for never.
  var wakesAt: Int64? {
    var syncAt: Int64?
    if case .due(let at) = sync { syncAt = at }
    return [refusals.until, syncAt].compactMap { $0 }.min()
  }

  /// Lets the time pass.
  mutating func pass(to now: Int64) {
    if let at = refusals.until, at <= now { refusals.until = nil }
    if case .due(let at) = sync, at <= now { sync = .dueNow }
  }
}
