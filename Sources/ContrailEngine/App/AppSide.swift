package import ContrailCore
package import ContrailWire

/// The application's side of a client: what it has set, in order, and what it is shown.
///
/// A value that a lock can guard: every call is short and none does I/O. ``takeEvents()`` hands what was set to the ``Driver``, one
/// list in one order, also before the log is open. ``show(_:)`` takes over what the driver publishes.
package struct AppSide: Sendable {
  /// What the application reads of its settings.
  package private(set) var settings = AppSettings()
  /// Whether there is a link, as the application or the system said last.
  package private(set) var isOnline = true
  /// What the driver published last.
  package private(set) var shown = Shown()
  /// Why the log isn't open; nil while it is opened for the first time, and once it is open.
  package private(set) var openingError: ClientError?

  /// What the turn that is under way has set.
  private var turn = AppTurn()
  private var events: [AppEvent] = []
  /// What earlier launches had set, once it is known.
  private var stored: AppSettings?
  private var nextTicket: Int64 = 0
  /// Whether anybody is to be told when something expires, and whether the driver knows.
  private var isObserved = false
  private var isObservedTold = false

  package init() {}

  // MARK: Setting

  /// Replaces the query.
  package mutating func set(_ query: DataQuery) {
    settings.dataQuery = stored.map { query.filled(from: $0.dataQuery) } ?? query
    turn.settings.dataQuery = settings.dataQuery
  }

  /// Takes over what was set in a copy of `settings.dataQuery.forEditing()`, and nothing else.
  package mutating func merge(_ copy: DataQuery) {
    var query = settings.dataQuery
    query.merge(copy)
    set(query)
  }

  package mutating func set(_ history: DataHistoryTime) { set(SettingsChange(history: history)) }

  package mutating func set(_ frequency: DataUpdateFrequency) { set(SettingsChange(frequency: frequency)) }

  private mutating func set(_ change: SettingsChange) {
    settings.apply(change)
    turn.settings.merge(change)
  }

  /// Says whether there is a link.
  ///
  /// - Returns: Whether that is news.
  @discardableResult
  package mutating func setOnline(_ isOnline: Bool) -> Bool {
    guard self.isOnline != isOnline else { return false }
    self.isOnline = isOnline
    turn.isOnline = isOnline
    return true
  }

  /// Requests an update: a full fetch, or a delta.
  package mutating func refresh(full: Bool) { turn.merge(AppTurn(refresh: full)) }

  /// Takes other credentials into use.
  package mutating func set(_ change: CredentialsChange) { turn.merge(AppTurn(credentials: change)) }

  /// Ends a turn of the application: what it has set becomes one change, whose parts cost one request together.
  package mutating func endTurn() {
    guard turn != AppTurn() else { return }
    events.append(.turn(turn))
    turn = AppTurn()
  }

  /// Adds an event behind everything that was set before it.
  package mutating func add(_ event: AppEvent) {
    endTurn()
    events.append(event)
  }

  /// A number under which ``DriverAction/complete(_:_:)`` will tell that an event is done with.
  package mutating func makeTicket() -> Ticket {
    nextTicket += 1
    return Ticket(number: nextTicket)
  }

  /// Says whether anybody is to be told when something expires.
  ///
  /// - Returns: Whether that is news.
  package mutating func setObserved(_ isObserved: Bool) -> Bool {
    self.isObserved = isObserved
    return isObserved != isObservedTold
  }

  /// Hands over what the driver is to be given, in order.
  package mutating func takeEvents() -> [AppEvent] {
    defer {
      events = []
      isObservedTold = isObserved
    }
    return isObserved == isObservedTold ? events : [.observing(isObserved)] + events
  }

  // MARK: Showing

  /// Takes over what the driver has published.
  package mutating func show(_ publication: Publication) {
    shown = publication.shown
    if let stored = publication.stored {
      self.stored = stored
      settings.fill(from: stored)
    }
    for update in publication.updates {
      switch update {
      case .opened: openingError = nil
      case .failed(let error) where !shown.isOpen && error.isOfOpening: openingError = error
      default: break
      }
    }
  }
}

/// What an application has set in one turn; nil for what it hasn't.
package struct AppTurn: Sendable, Hashable {
  package var credentials: CredentialsChange?
  package var isOnline: Bool?
  package var settings = SettingsChange()
  /// An update is requested: a full fetch if true, otherwise a delta.
  package var refresh: Bool?

  package init(
    credentials: CredentialsChange? = nil, isOnline: Bool? = nil, settings: SettingsChange = SettingsChange(),
    refresh: Bool? = nil
  ) {
    self.credentials = credentials
    self.isOnline = isOnline
    self.settings = settings
    self.refresh = refresh
  }

  /// Adds a later turn: what that sets replaces what this one does.
  mutating func merge(_ later: AppTurn) {
    if let change = later.credentials {
      var credentials = credentials ?? CredentialsChange()
      if let key = change.apiKey { credentials.apiKey = .some(key) }
      if let token = change.weatherToken { credentials.weatherToken = .some(token) }
      self.credentials = credentials
    }
    isOnline = later.isOnline ?? isOnline
    settings.merge(later.settings)
    if let full = later.refresh { refresh = (refresh ?? false) || full }
  }
}

/// Something the application did.
package enum AppEvent: Sendable {
  case turn(AppTurn)
  /// A report of the aircraft's own; done with once it is on stable storage.
  case report(TurbulenceReport, Ticket)
  /// What became of airports; done with once it is in the log.
  case airports([AirportsEntry], Ticket?)
  /// Somebody waits for the log to be open.
  case awaitOpening(Ticket)
  /// Whether anybody is to be told when something expires.
  case observing(Bool)
  /// The process may be suspended once this is done with.
  case background(Ticket)
  case foreground
  /// The device's clock may have been set.
  case clockChanged
  /// The client is no longer needed; done with once the log is closed.
  case stop(Ticket?)
}

/// Names something that somebody waits for.
package struct Ticket: Hashable, Sendable {
  var number: Int64
}
