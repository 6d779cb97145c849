package import ContrailCore
package import ContrailWire

/// The application's side of a client: its settings and events, in order, and the published data.
///
/// A value that a lock can protect: every call is short, and none does I/O. ``takeEvents()`` returns the events for the ``Driver`` in
/// one order, also before the log is open. ``show(_:)`` applies a publication of the driver.
package struct AppSide: Sendable {
  /// The settings, as the application reads them.
  package private(set) var settings: AppSettings
  /// The application's switch.
  package private(set) var isOnline = true
  /// Whether the system reports a link.
  package private(set) var hasLink = true
  /// What the system says of the link.
  package private(set) var linkCost = LinkCost()
  /// The last publication of the driver.
  package private(set) var shown = Shown()
  /// The reports that the device made.
  package private(set) var ownReports = OwnReports()
  /// The error of the last attempt to open the log; nil during the first attempt, and after success.
  package private(set) var openingError: ClientError?

  /// The changes of the current turn.
  private var turn = AppTurn()
  private var events: [AppEvent] = []
  /// The settings at the launch.
  private let launch: AppSettings
  private var nextTicket: Int64 = 0
  /// The second of the server's clock as of which the first observer saw data; the greatest number if it saw none, nil without observers.
  private var observedSince: Int64?
  /// Whether there were observers when the driver was last informed.
  private var isObservedTold = false

  /// Creates the side of an application.
  ///
  /// - Parameters:
  ///   - settings: The settings of the last launch.
  ///   - isOnline: The application's switch.
  package init(_ settings: AppSettings = AppSettings(), isOnline: Bool = true) {
    self.settings = settings
    launch = settings
    setOnline(isOnline)
  }

  // MARK: Setting

  package mutating func set(_ query: DataQuery) { set(SettingsChange(dataQuery: query)) }

  package mutating func set(_ history: DataHistoryTime) { set(SettingsChange(history: history)) }

  package mutating func set(_ frequency: DataUpdateFrequency) { set(SettingsChange(frequency: frequency)) }

  package mutating func set(_ listening: ListeningSettings) { set(SettingsChange(listening: listening.normalized)) }

  package mutating func set(_ budget: ByteBudget) { set(SettingsChange(byteBudget: budget.normalized)) }

  package mutating func set(_ cost: LinkCost) {
    guard cost != linkCost else { return }
    linkCost = cost
    turn.linkCost = cost
  }

  private mutating func set(_ change: SettingsChange) {
    settings.apply(change)
    turn.settings.merge(change)
  }

  /// Whether requests may be sent: the application's switch is on, and the system reports a link.
  package var mayUseLink: Bool { isOnline && hasLink }

  /// Sets the application's switch.
  package mutating func setOnline(_ isOnline: Bool) { setLink { $0.isOnline = isOnline } }

  /// Sets whether the system reports a link.
  package mutating func setLink(_ hasLink: Bool) { setLink { $0.hasLink = hasLink } }

  private mutating func setLink(_ change: (inout AppSide) -> Void) {
    let before = mayUseLink
    change(&self)
    if mayUseLink != before { turn.isOnline = mayUseLink }
  }

  /// Requests an update: a full fetch if `full` is true, otherwise a delta.
  package mutating func refresh(full: Bool) { turn.merge(AppTurn(refresh: full)) }

  /// Changes the credentials.
  package mutating func set(_ change: CredentialsChange) { turn.merge(AppTurn(credentials: change)) }

  /// Ends a turn of the application. Its changes become one event and cost one request.
  package mutating func endTurn() {
    guard turn != AppTurn() else { return }
    events.append(.turn(turn))
    turn = AppTurn()
  }

  /// Adds an event after all earlier changes.
  package mutating func add(_ event: AppEvent) {
    endTurn()
    events.append(event)
  }

  /// Returns a ticket, which ``DriverAction/complete(_:_:)`` completes.
  package mutating func makeTicket() -> Ticket {
    nextTicket += 1
    return Ticket(number: nextTicket)
  }

  /// Sets whether there are observers of expiry.
  ///
  /// - Parameter now: The time of the device, at which the first observer sees the data; nil without observers.
  /// - Returns: Whether the driver must be informed.
  package mutating func setObserved(at now: Int64?) -> Bool {
    // Without data, nothing was seen.
    let seen = now.map { shown.state.scopes.isEmpty ? .max : shown.serverSecond(at: $0) }
    observedSince = seen.map { min($0, observedSince ?? .max) }
    return (now != nil) != isObservedTold
  }

  /// Removes and returns the events for the driver, in order.
  package mutating func takeEvents() -> [AppEvent] {
    defer {
      events = []
      isObservedTold = observedSince != nil
    }
    return (observedSince != nil) == isObservedTold ? events : [.observing(since: observedSince)] + events
  }

  // MARK: Publishing

  /// Applies a publication of the driver.
  package mutating func show(_ publication: Publication) {
    shown = publication.shown
    ownReports.update(to: shown.state, publication.updates)
    if let stored = publication.stored { settings = settings.edits(since: launch, appliedTo: stored) }
    for update in publication.updates {
      switch update {
      case .opened: openingError = nil
      case .failed(let error) where !shown.isOpen && error.isOfOpening: openingError = error
      default: break
      }
    }
  }
}

/// The changes of an application in one turn; nil for those that weren't made.
package struct AppTurn: Sendable, Hashable {
  package var credentials: CredentialsChange?
  package var isOnline: Bool?
  package var linkCost: LinkCost?
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

  /// Merges a later turn, which takes precedence.
  mutating func merge(_ later: AppTurn) {
    if let change = later.credentials {
      var credentials = credentials ?? CredentialsChange()
      if let key = change.apiKey { credentials.apiKey = .some(key) }
      if let token = change.weatherToken { credentials.weatherToken = .some(token) }
      self.credentials = credentials
    }
    isOnline = later.isOnline ?? isOnline
    linkCost = later.linkCost ?? linkCost
    settings.merge(later.settings)
    if let full = later.refresh { refresh = (refresh ?? false) || full }
  }
}

/// An event of the application.
package indirect enum AppEvent: Sendable {
  /// The application's first turn has ended.
  case ready
  case turn(AppTurn)
  /// An ownship report. Completed when it is on stable storage.
  case report(TurbulenceReport, Ticket)
  /// Airport events. Completed when they are in the log.
  case airports([AirportsEntry], Ticket?)
  /// The result of a weather request that the application made on its own. Completed when it is in the log.
  case weather(WeatherEntry, Ticket?)
  /// A caller waits until the log is open, and what was set before is written and shown, or waits for a retry.
  case awaitOpening(Ticket)
  /// There are observers of expiry since a second of the server's clock, as the application knew it; nil for none.
  case observing(since: Int64?)
  /// The application enters the background. When it is completed, the process may be suspended.
  case background(Ticket)
  case foreground
  /// The server refused this key for a request that the driver doesn't send.
  case keyRefused(String)
  /// The device's clock may have been set.
  case clockChanged
  /// The client is stopped. Completed when the log is closed.
  case stop(Ticket?)
}

/// An identifier of an event that a caller waits for.
package struct Ticket: Hashable, Sendable {
  package var number: Int64

  package init(number: Int64) {
    self.number = number
  }
}
