import ContrailCore
import ContrailEngine

#if canImport(OSLog)
  import OSLog
#endif

/// A message for the application's log; see ``ContrailClient/Configuration/log``.
///
/// It contains no key, token or position.
public struct LogMessage: Sendable, Hashable {
  /// The importance of a message.
  public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// A change of a status or of the shown data.
    case debug
    /// New or confirmed data.
    case info
    /// An opened log, an ended outage, or saved bytes.
    case notice
    /// A failure, told once until it ends.
    case error

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  public let level: Level
  public let text: String

  init(_ update: ClientUpdate, _ shown: Shown) {
    let (level, text): (Level, String) =
      switch update {
      case .opened: (.notice, "The log is open.")
      case .stored(let scope): (.info, "\(scope.kind): stored data of an earlier launch")
      case .data(let scope): (.info, "\(scope.kind): new data")
      case .confirmed(let scope): (.info, "\(scope.kind): data confirmed")
      case .filtered(let scope): (.debug, "\(scope.kind): another part of the data is shown")
      case .expired(let scope): (.notice, "\(scope.kind): data expired")
      case .failed(let error): (.error, "\(error.scope.map { "\($0.kind): " } ?? "")\(error.code.rawValue)")
      case .recovered(let scope): (.notice, "\(scope?.kind ?? "log"): recovered")
      case .status(let scope):
        (.debug, "\(scope.kind): \(shown.status(of: scope).phase.rawValue)")
      case .saving(let saving): (.notice, "saving: \(saving.rawValue), \(shown.state.byteUse.used) bytes used")
      case .rebuilt: (.notice, "The database was rebuilt from the log.")
      case .airportsRebuilt: (.notice, "The database of airports was rebuilt from the log.")
      }
    (self.level, self.text) = (level, text)
  }
}

extension ScopeID {
  /// The name without the place of weather.
  fileprivate var kind: String { weatherPlace == nil ? name : "weather" }
}

#if canImport(OSLog)
  extension LogMessage {
    /// Returns a log that writes to the unified logging system.
    public static func osLog(
      subsystem: String, category: String = "Contrail"
    ) -> @Sendable (LogMessage) -> Void {
      let logger = Logger(subsystem: subsystem, category: category)
      return { message in
        let type: OSLogType =
          switch message.level {
          case .debug: .debug
          case .info: .info
          case .notice: .default
          case .error: .error
          }
        logger.log(level: type, "\(message.text, privacy: .public)")
      }
    }
  }
#endif
