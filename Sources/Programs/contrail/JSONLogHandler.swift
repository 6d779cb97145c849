import ContrailLog
import ContrailWire
import Foundation
import Logging

/// Writes log messages to standard error as lines of JSON.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  let label: String

  static func logger(label: String, level: Logger.Level) -> Logger {
    Logger(label: label) { JSONLogHandler(logLevel: level, label: $0) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var json = JSONWriter()
    json.object { json in
      json.key("time")
      json.value(FeedTime.text(Int64(Date().timeIntervalSince1970 * 1000)))
      json.key("level")
      json.value(event.level.rawValue)
      json.key("message")
      json.value("\(event.message)")
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      for (key, value) in all.sorted(by: { $0.key < $1.key }) {
        json.key(named: key)
        json.value("\(value)")
      }
    }
    printError(String(decoding: json.bytes, as: UTF8.self))
  }
}
