extension Tally {
  /// Every fault that flights are to meet.
  package static let everyFault: [String] =
    AnswerFault.allCases.map { "answer.\($0.rawValue)" } + AirportStep.allCases.map { "airports.\($0.rawValue)" }
    + AirportFileFault.allCases.map { "airportFile.\($0.rawValue)" }
    + ProviderFault.allCases.map { "provider.\($0.rawValue)" } + [
      "provider.called",
      "airportFile.broken", "changes.ofAnother", "exchange.shared", "airports.byDelta", "airports.deltaRefused",
      "airports.requested",
      "app.background", "app.failedOpening", "app.foreground", "app.opening", "app.queryAccepted", "app.queryRefused",
      "app.release", "app.setBeforeLaunch",
      "app.sleep",
      "clock.ahead", "clock.back", "database.damaged", "database.damagedRebuilt", "database.deleted",
      "hold.listening", "hold.sent", "hold.streamBegun", "hold.streamEnded", "hold.streamed",
      "database.left", "database.missing", "disk.failedSync", "disk.locked", "disk.failedWrite", "disk.full",
      "disk.refusal",
      "disk.shortWrites", "disk.syncFails", "link.down", "link.silentlyDown", "repair.ofAnother", "repair.sent",
      "process.kill", "process.killAmid",
      "process.killBeforeAction", "process.powerLoss", "process.powerLossAmid", "process.relaunch",
      "recovery.tornTail",
    ]
}
