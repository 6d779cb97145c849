import Contrail
import ContrailGeodesy
import ContrailHTTP
import ContrailWire
import Foundation

/// Real clients of a running service, one for each update frequency, that listen to the same area.
///
/// Prints `listening` as soon as the service holds the requests of all, then a line for each new report that a client has: the
/// frequency, the EDR in ten-thousandths, and the time in milliseconds since 1970.
struct Watchers {
  private let clients: [(frequency: DataUpdateFrequency, client: ContrailClient)]

  init(_ arguments: Arguments) throws {
    let area = [(37.0, -123.0), (37, -121), (38, -121), (38, -123), (37, -123)]
      .map { Coordinate(latitude: $0.0, longitude: $0.1) }
    clients = try [DataUpdateFrequency.fast, .medium, .minimal].map { frequency in
      let transport = try PlatformTransport.make(server: arguments["server"], trusting: arguments["certificate"])
      let directory = URL(filePath: arguments["directory"]).appending(path: frequency.rawValue)
      guard let url = URL(string: arguments["server"]) else { throw URLError(.badURL) }
      let configuration = ContrailClient.Configuration(server: url, directory: directory)
      let client = try ContrailClient(configuration, transport: transport, clock: SystemClock())
      client.dataUpdateFrequency = frequency
      client.dataQuery.polygon = area
      return (frequency, client)
    }
  }

  func begin() async {
    for (_, client) in clients {
      for await status in client.statuses(of: .corridor) where status.phase == .listening { break }
    }
    Self.put("listening")
    for (frequency, client) in clients {
      Task {
        var seen: Set<TurbulenceReport> = []
        for await held in client.updates(for: .corridor) {
          let now = Int64(Date().timeIntervalSince1970 * 1000)
          for report in held.turbulence where seen.insert(report).inserted {
            Self.put("\(frequency.rawValue) \(report.edrE4) \(now)")
          }
        }
      }
    }
  }

  private static func put(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  func stop() async {
    for (_, client) in clients { await client.stop() }
  }
}
