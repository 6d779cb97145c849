package import ContrailCore
package import ContrailWire

/// One thing that happens on a flight. Steps mean the same wherever they stand in a script, so that some can be left out.
package enum Step: Hashable, Sendable {
  /// Time goes by, and all that is due in it happens.
  case pass(milliseconds: Int64)
  /// The device sleeps for so long: all that was due in it happens when it wakes.
  case sleep(milliseconds: Int64)
  /// Time goes by until the next answer comes, and in that very moment, just before it or just after, this happens.
  case meet(isBefore: Bool, [Change])
  /// What the application sets in one turn.
  case set([Change])
  /// What the application sets with a check of the whole query: nothing if a part of it is invalid.
  case setChecked(Change)
  case refresh(full: Bool)
  /// The aircraft reports so much turbulence itself.
  case track(count: Int)
  /// The link comes or goes, and the engine is told, or not.
  case link(isUp: Bool, isTold: Bool)
  /// The system says another thing of the link.
  case linkCost(isExpensive: Bool, isConstrained: Bool)
  /// The server takes another key from now on.
  case revokeKey
  /// The application has the key that the server takes.
  case renewKey
  /// These are the next calls of the application's provider of credentials, if it has one.
  case provider([ProviderFault])
  /// The application sets a token for a weather service of its own, which it doesn't have.
  case setWeatherToken
  /// The wall clock is set.
  case clock(byMS: Int64)
  /// These are the next answers.
  case answers([AnswerFault])
  /// From now on answers take so long.
  case latency(milliseconds: Int64)
  /// The server keeps what is needed for deltas for so long; less than nothing for not at all.
  case retention(seconds: Int64)
  case disk(DiskTrouble)
  /// The process ends and another begins.
  case relaunch(Ending)
  /// Something happens to the database, and the process ends and another begins.
  case database(DatabaseTrouble)
  /// The process is about to be suspended.
  case background
  case foreground
  /// Something becomes of a cycle of airports, by its number.
  case airports(Int, AirportStep)
  /// These are the next files of airports that the client requests by itself.
  case airportFiles([AirportFileFault])
  /// The application asked the weather service itself, and an answer came or not.
  case lookup(place: Int, isAnswered: Bool)
}

extension Step {
  /// The step as a test may write it.
  package var text: String {
    ".\(self)".replacing(
      /[A-Za-z]+\.(?:AirportFileFault|AirportStep|ProviderFault|AnswerFault|Change|DiskTrouble|Ending|DatabaseTrouble|DataHistoryTime)\./,
      with: "."
    )
    .replacing(/[A-Za-z]+\.(?:DataUpdateFrequency)\./, with: ".")
    .replacing("ContrailSimulation.Change.Range(", with: ".init(")
  }
}

/// What the application changes.
package enum Change: Hashable, Sendable {
  /// One of the areas, or none.
  case polygon(Int?)
  /// The same area, begun at another corner and the other way round.
  case turnedPolygon(Int)
  /// A ring that isn't closed.
  case openPolygon
  /// A ring that crosses itself.
  case crossingPolygon
  /// A route without a corridor.
  case routeWithoutCorridor
  /// A route with a width, instead of a polygon.
  case route
  /// A route with a width and a single point.
  case onePointRoute
  /// A rectangle as on a map, by its number: some wider than half the globe.
  case rectangle(Int, isViewport: Bool)
  case viewport(Int?)
  case brokenViewport
  /// A ring that is open or crosses itself.
  case invalidViewport(isOpen: Bool)
  case types(UInt8)
  /// In place.
  case insertType(UInt8)
  case removeType(UInt8)
  case viewportTypes(UInt8?)
  case severities(UInt8)
  /// In feet; nil for all.
  case altitudes(Range?)
  case globalEnabled(Bool)
  case upTo(Bool)
  /// The weather of these places.
  case weather([Int])
  case weatherSpec(language: String, hours: Int64)
  /// In place; some are values that the service doesn't have.
  case weatherMember(WeatherMember)
  case history(DataHistoryTime)
  case frequency(DataUpdateFrequency)
  /// A budget for a day, or for a flight by its number.
  case byteBudget(Int64?, flight: Int?)
  /// Which news is urgent, by severity and altitudes in thousands of feet, and how long silence may last.
  case listening(isEnabled: Bool, urgent: UInt8?, altitudes: Range?, confirmationMinutes: Int?)

  /// A member of the form of the weather.
  package enum WeatherMember: Hashable, Sendable {
    case language(String)
    case unit(String)
    case version(String)
    case file(String)
    case includesAlerts(Bool)
    case hours(Int64)
    case days(Int64)
  }

  package struct Range: Hashable, Sendable {
    package var lower: Int64
    package var upper: Int64

    package init(lower: Int64, upper: Int64) { (self.lower, self.upper) = (lower, upper) }
  }
}

extension ListeningSettings {
  init(isEnabled: Bool, urgent: UInt8?, altitudes: Change.Range?, confirmationMinutes: Int?) {
    self.init()
    self.isEnabled = isEnabled
    urgentSeverity = urgent.flatMap { TurbulenceSeverity(rawValue: $0) }
    urgentAltitudes = altitudes.flatMap { AltitudeBand(lower: $0.lower, upper: $0.upper) } ?? .all
    self.confirmationMinutes = confirmationMinutes
  }
}

extension ByteBudget {
  package init(_ bytes: Int64?, flight: Int?) {
    self.init(bytes: bytes, per: flight.map { .flight("flight \($0)") } ?? .day)
  }
}

/// What the disk does.
package enum DiskTrouble: Hashable, Sendable {
  /// Every write and every new file is refused until ``free``.
  case full
  case free
  /// The operation after so many is refused; a write has done part of its work.
  case refusal(after: Int)
  /// The next sync fails.
  case syncFails
  /// Writes take only some of the bytes.
  case shortWrites(Bool)
  /// Another process holds the log for so long.
  case locked(milliseconds: Int64)
}

/// How a process ends.
package enum Ending: Hashable, Sendable {
  case orderly
  /// Killed; what was written is there.
  case kill
  /// Killed amid the disk operation after so many.
  case killAmid(after: Int)
  /// Killed after the next input is in the log and before anything is done about it.
  case killBeforeAction
  /// The power fails: of what wasn't synced, any may be there or not.
  case powerLoss
  case powerLossAmid(after: Int)
}

/// What becomes of a cycle of airports.
package enum AirportStep: String, Hashable, Sendable, CaseIterable {
  /// The server was asked for it, and has it or not.
  case available
  case unavailable
  /// Its file came and its airports were loaded.
  case loaded
  /// It was loaded once more, from a file that was there before.
  case reloaded
  case deferred
  case failed
}

/// What becomes of the database.
package enum DatabaseTrouble: Hashable, Sendable {
  case deleted
  /// It stops following, and is found some lines behind.
  case left
  /// Its bytes are overwritten in the middle.
  case damaged
}
