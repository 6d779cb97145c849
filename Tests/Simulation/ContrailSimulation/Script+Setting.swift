extension Script {
  /// What stays as it is for the whole flight.
  package struct Setting: Sendable, Hashable {
    package var reportsPerHour: Int64 = 18
    /// A segment of the log ends at about this size.
    package var segmentBytes: Int64 = 8 << 20
    /// Segments of the past go beyond this size.
    package var keptBytes: Int64 = 256 << 20
    /// Whether the server says how many records are held, and their checksum.
    package var hasSums = true
    /// Whether the server knows neither handles nor the compact form.
    package var isServerPlain = false
    /// Whether a server that knows handles also answers repairs.
    package var knowsRepairs = true
    /// The longest time in seconds that the server holds a request; 0 if it holds none.
    package var holdSeconds: Int64 = 0
    /// Whether it holds requests so long that a client should listen.
    var isListenedTo: Bool { holdSeconds >= 15 }
    /// Whether the server goes on answering held requests, each of which is then sent once.
    package var streams = false
    /// Whether urgent reports come in quick succession now and then.
    package var hasStorms = false
    /// Whether the server packs its answers.
    package var packs = false
    /// Whether a database follows the state.
    package var hasDatabase = false
    /// Whether answers to requests that were given up come all the same, as they do when they cross.
    package var deliversCancelled = true
    /// Whether the last process is killed before all is judged.
    package var isKilledAtTheEnd = false
    /// Whether opening the log takes a while, in which the application goes on.
    package var opensLate = false
    /// Whether the application sets something before the launch.
    package var setsBeforeLaunch = false
    /// Whether a turn of the application ends a little later than what is set in it.
    package var turnsAreLate = false
    /// Whether anybody listens to what expires.
    package var isObserved = true
    /// How long after a launch somebody begins to listen, in milliseconds; nil for at once.
    package var listensAfterMS: Int64?
    /// How long after that the driver knows of it, in milliseconds.
    package var listenerNoticedAfterMS: Int64 = 0
    /// Whether the client loads airports by itself.
    package var deliversAirports = false
    /// How long a token of the application's provider of credentials is valid, in seconds; nil if it has none, and a key instead.
    package var tokenLifeSeconds: Int64?
    /// For how many hours things happen in the world, seven of them before the flight.
    package var worldHours: Int64 = 18

    package init() {}
  }
}
