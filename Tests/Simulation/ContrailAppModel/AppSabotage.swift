/// Something that is wrong on purpose, for the comparison with the model to be seen at work.
package enum AppSabotage: String, CaseIterable, Sendable {
  /// The key that the application sets never reaches the client.
  case keyIsForgotten
  /// A setting is changed behind the application's back.
  case settingIsForgotten
  /// Channels are let go, so that nothing comes any more.
  case observersAreForgotten
  /// A report is of another time than it was made.
  case reportsAreLate
  /// When the system has a link again, the application's switch is turned on.
  case systemUndoesTheSwitch
  /// More bytes come than the client counts.
  case bytesAreMiscounted
}
