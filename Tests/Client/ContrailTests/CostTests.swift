import ContrailHTTP
import ContrailServer
import Foundation
import Testing

@testable import Contrail

/// Bytes under a budget, messages for the log, and refreshes in the background, with a server.
@Suite(.timeLimit(.minutes(30))) struct CostTests {
  @Test func aBudgetLastsOverALaunchAndIsTold() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let configuration = ContrailClient.Configuration(
        server: server.address, apiKey: "key", directory: folder + "/log")
      let client = try ContrailClient(configuration)
      let updates = client.updates
      client.byteBudget = ByteBudget(bytes: 300, per: .flight("a"))
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      for await update in updates { if case .saving(.spent) = update { break } }
      let status = client.byteStatus
      #expect(status.saving == .spent && status.used >= 300 && status.left == 300 - status.used)
      #expect(client.status(of: .corridor).phase == .saving)
      #expect(await client.refreshInBackground() == false)
      await client.stop()

      let next = try ContrailClient(configuration)
      #expect(next.byteBudget == ByteBudget(bytes: 300, per: .flight("a")))
      try await next.opened()
      let later = next.byteStatus
      #expect(later.used == status.used && later.left == status.left && later.saving == status.saving)
      #expect(status.sessionBytes == status.used)
      let more = next.updates
      next.byteBudget = ByteBudget(bytes: 300, per: .flight("b"))
      for await update in more { if case .saving(.off) = update { break } }
      #expect(next.byteStatus.left == 300 || next.byteStatus.used > 0)
      await next.stop()
      await server.stop()
    }
  }

  @Test func messagesHaveLevelsAndNoSecrets() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let messages = Lock<[LogMessage]>([])
      var configuration = ContrailClient.Configuration(
        server: server.address, apiKey: "key", directory: folder + "/log")
      configuration.log = { message in messages.withLock { $0.append(message) } }
      let client = try ContrailClient(configuration)
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      await firstData(of: .corridor, from: client)
      let updates = client.updates
      client.setAPIKey("a-key-that-is-wrong")
      client.fetchData(refresh: true)
      for await update in updates { if case .failed = update { break } }
      await client.stop()
      let all = messages.withLock { $0 }
      #expect(all.contains { $0.level == .notice && $0.text == "The log is open." })
      #expect(all.contains { $0.level == .info && $0.text == "corridor: new data" })
      #expect(all.contains { $0.level == .error && $0.text == "corridor: unauthorized" }, "\(all)")
      #expect(!all.contains { $0.text.contains("a-key") || $0.text.contains("51.4") })
      await server.stop()
    }
  }

  @Test func theCorridorIsRefreshedInTheBackground() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try ContrailClient(.init(server: server.address, apiKey: "key", directory: folder + "/log"))
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      await firstData(of: .corridor, from: client)
      await client.enterBackground()
      #expect(await client.refreshInBackground())
      #expect(client.core.shown.state.isInBackground)
      client.isOnline = false
      #expect(await client.refreshInBackground() == false, "there is no link")
      client.isOnline = true
      await server.stop()
      #expect(await client.refreshInBackground() == false, "nobody answers")
      #expect(client.core.shown.state.isInBackground)
      let second = try ContrailClient(.init(server: server.address, apiKey: "key", directory: folder + "/log"))
      #expect(await second.refreshInBackground() == false, "the log is another's")
      await second.stop()
      await client.stop()
    }
  }

  @Test func theFirstInvalidPartOfAQueryIsToldAndNothingIsChanged() async throws {
    try await withFolder { folder in
      let client = try ContrailClient(.init(server: "http://127.0.0.1:9", directory: folder + "/log"))
      var query = DataQuery(types: [.pireps])
      query.polygon = [line[0], line[1]]
      query.viewport = [line[0]]
      let error = #expect(throws: ClientError.self) { try client.setDataQuery(query) }
      #expect(error?.code == .invalidQuery && error?.scope == .corridor)
      #expect(client.dataQuery.types == .turbulence && client.dataQuery.polygon == nil)
      query.polygon = line.buffer(widthNM: 60)
      #expect(throws: ClientError.self) { try client.setDataQuery(query) }
      query.viewport = nil
      try client.setDataQuery(query)
      #expect(client.dataQuery.types == .pireps)
      await client.stop()
    }
  }
}
