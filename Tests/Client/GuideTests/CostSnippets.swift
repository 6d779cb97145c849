import Contrail

#if canImport(Logging)
  import Foundation
  import Logging

  func logWithSwiftLog(_ server: URL, _ folder: URL) throws -> ContrailClient {
    let logger = Logger(label: "contrail")
    var configuration = ContrailClient.Configuration(server: server, directory: folder)
    configuration.log = { message in
      let level: Logger.Level =
        switch message.level {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .error: .error
        }
      logger.log(level: level, "\(message.text)")
    }
    return try ContrailClient(configuration)
  }
#endif

#if canImport(OSLog)
  func logWithOSLog(_ configuration: inout ContrailClient.Configuration) {
    configuration.log = LogMessage.osLog(subsystem: "com.example.app")
  }
#endif

#if canImport(BackgroundTasks) && !os(macOS)
  func registerRefresh(_ client: ContrailClient) {
    ContrailClient.registerBackgroundRefresh("com.example.refresh") { client }
    ContrailClient.scheduleBackgroundRefresh("com.example.refresh")
  }
#endif

func refreshInBackground(_ client: ContrailClient) async {
  let isRefreshed = await client.refreshInBackground(within: 20)
  show(isRefreshed)
}

func saveBytes(_ client: ContrailClient) async {
  client.byteBudget = ByteBudget(bytes: 500_000, per: .flight("XY123 2026-11-26"))
  let status = client.byteStatus
  say("\(status.used) bytes used, \(status.left ?? 0) left, saving: \(status.saving.rawValue)")
  for await update in client.updates {
    if case .saving(let saving) = update, saving >= .corridorOnly { say("Only the corridor is updated.") }
  }
}
