extension Tally {
  /// Every fault that flights are to meet.
  public static let everyFault: [String] =
    AnswerFault.allCases.map { "answer.\($0.rawValue)" } + [
      "clock.ahead", "clock.back", "database.ahead", "database.behind", "database.damaged", "database.deleted",
      "database.empty", "database.left", "disk.failedSync", "disk.failedWrite", "disk.full", "disk.refusal",
      "disk.shortWrites", "disk.syncFails", "link.down", "link.silentlyDown", "process.kill", "process.killAmid",
      "process.killBeforeAction", "process.powerLoss", "process.powerLossAmid", "process.relaunch", "recovery.database",
      "recovery.tornTail",
    ]
}
