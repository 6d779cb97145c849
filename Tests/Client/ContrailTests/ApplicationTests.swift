import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailWire
import Testing

/// What an application writes, with no more than the package's products.
@Suite(.timeLimit(.minutes(30))) struct ApplicationTests {
  @Test func aDirectoryThatCannotBeMadeIsToldAndNothingElseFails() async throws {
    let client = try ContrailClient(.init(server: "http://127.0.0.1:9", apiKey: nil, directory: "/dev/null/none"))
    let route = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]
    client.dataQuery = DataQuery(types: [.turbulence, .pireps], sevs: [.moderate, .moderateSevere])
    client.dataQuery.polygon = route.buffer(widthNM: 100)
    client.dataHistoryTime = .fourHours
    client.dataUpdateFrequency = .medium
    client.fetchData(refresh: true)
    var failure: ClientError?
    for await update in client.updates {
      guard case .failed(let error) = update else { continue }
      failure = error
      break
    }
    #expect(failure?.code == .disk)
    let reports: [TurbulenceReport] = client.data(of: .corridor).turbulence
    #expect(reports.isEmpty)
    #expect(client.lastUpdateTime(of: .viewport) == nil)
    #expect(client.dataQuery.polygon?.count ?? 0 > 4)
    await client.stop()
  }
}
