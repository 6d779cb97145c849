/// Something that is wrong on purpose, for a judge to be seen at work.
package enum Sabotage: String, CaseIterable, Sendable {
  /// The judge has a rule that no design has: a reroute must not cost a full fetch.
  case plantedRule
  /// The last line that was acknowledged is gone after a crash.
  case logLosesALine
  /// The network delivers more bytes than are told.
  case bytesAreMiscounted
  /// An answer to a request that was given up is taken for the answer to the one under way.
  case oldAnswersPass
  /// The server leaves reports out, and its sums agree with what is left.
  case serverLeavesOut
  /// The server's clock is three hours slow.
  case serverClockIsSlow
  /// Somebody asks for everything again and again.
  case refreshesUntold
  /// The database misses a change.
  case databaseMissesAChange
  /// A decision stands in the log that the engine never took.
  case logHoldsAnotherDecision
  /// The server loses an upload that it confirmed.
  case serverLosesUploads
  /// The server keeps reports from others and doesn't say so.
  case heldBackIsUntold
  /// What the disk refuses is taken for written.
  case refusalsAreOverlooked
  /// The server's answers stop before all has come.
  case serverStops
  /// What the application set last is given to the driver first.
  case settingsOvertake
  /// A launch doesn't wait for the end of the application's first turn.
  case launchIsHasty
  /// Some of what the application set never reaches the driver.
  case settingsAreDropped
  /// The façade shows a query that was never set.
  case facadeForgets
  /// An outage is told again while it lasts.
  case outagesAreToldTwice
  /// An answer that confirms what is held is told as new.
  case confirmationsAreNews
  /// Nobody is told that something has become too old.
  case expiryIsUntold
  /// What expires before the driver knows of a listener is never told.
  case lateListenersAreForgotten
  /// A client that was released keeps the log open.
  case releaseKeepsTheLog
  /// A release doesn't wait for the log that is being opened.
  case releaseIsHasty
  /// The database of airports isn't told what the log puts in use.
  case airportsAreNotLevelled
  /// What the log requests of airports is never loaded.
  case airportRequestsAreLost
  /// A delta that can't be applied is taken for the cycle.
  case badDeltasAreTaken
  /// An answer with changes to records that the client doesn't hold is accepted without checking count and checksum.
  case changesAreTakenUnproven
  /// The answer to another repair is taken, with a proof that is made up.
  case repairsAreTakenUnproven

  /// The server holds urgent news as any other.
  case urgentNewsIsHeld
  /// The server answers held requests without news long before their end.
  case holdsEndEarly
  /// Between the answers of a stream, the client pauses for two seconds.
  case streamsPause
  /// The answers of a stream tell the time of the first.
  case streamsTellTheFirstTime
  /// The viewport is fetched at every change while it is moved.
  case motionIsOverlooked
  /// Updates go on in the background.
  case backgroundIsOverlooked
  /// The network repeats a request when another one ends in the background.
  case backgroundIsWoken
  /// The network repeats a request when the byte budget is used up.
  case budgetIsOverlooked
  /// After useless compact answers, the compact form is never offered again.
  case compactFormIsGivenUp
  /// The provider of credentials is called again while it is called.
  case providerIsCalledForEachScope
  /// The provider of credentials is never called.
  case providerIsNotCalled
  /// Nobody is told that the provider of credentials failed.
  case providerFailuresAreUntold
  /// A token is written to a file.
  case tokenIsWritten
  /// Somebody without the key changes a line of the log, and makes its CRC anew.
  case aLineIsChanged
  /// The log holds another status than the engine was given.
  case logHoldsAnotherAnswer

  /// The judge that is to find it.
  package var judge: Verdict.Judge {
    switch self {
    case .plantedRule: .planted
    case .logLosesALine, .refusalsAreOverlooked: .survival
    case .bytesAreMiscounted: .accounting
    case .oldAnswersPass: .staleness
    case .serverLeavesOut: .exactness
    case .serverClockIsSlow, .streamsTellTheFirstTime: .window
    case .urgentNewsIsHeld, .holdsEndEarly, .streamsPause: .urgency
    case .refreshesUntold, .motionIsOverlooked, .backgroundIsOverlooked, .backgroundIsWoken, .compactFormIsGivenUp:
      .frugality
    case .budgetIsOverlooked: .budget
    case .databaseMissesAChange: .agreement
    case .logHoldsAnotherDecision: .folding
    case .logHoldsAnotherAnswer: .log
    case .serverLosesUploads: .delivery
    case .serverStops, .providerIsNotCalled: .convergence
    case .providerIsCalledForEachScope, .providerFailuresAreUntold, .tokenIsWritten: .credentials
    case .settingsOvertake, .settingsAreDropped, .facadeForgets, .launchIsHasty: .settings
    case .outagesAreToldTwice: .outages
    case .confirmationsAreNews, .heldBackIsUntold: .news
    case .expiryIsUntold, .lateListenersAreForgotten: .window
    case .releaseKeepsTheLog: .release
    case .releaseIsHasty: .settings
    case .airportsAreNotLevelled, .airportRequestsAreLost, .badDeltasAreTaken: .airports
    case .aLineIsChanged: .evidence
    case .changesAreTakenUnproven, .repairsAreTakenUnproven: .changes
    }
  }
}
