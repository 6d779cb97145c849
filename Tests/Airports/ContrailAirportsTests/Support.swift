import ContrailAirportData
import ContrailAirports
import Foundation

/// A directory that is gone, with all in it, when the value is released.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("contrail-airports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func database() throws -> AirportDatabase { try AirportDatabase(path: path("airports.sqlite")) }
}

/// A moment: in cycle 2511, and the cycles around it.
enum Times {
  static let before = AIRACCycle(identifier: "2510") ?? .first
  static let cycle = AIRACCycle(identifier: "2511") ?? .first
  static let after = AIRACCycle(identifier: "2512") ?? .first
}

extension AirportReader {
  /// A reader of airports in memory.
  init(of airports: [Airport], cycle: AIRACCycle) throws {
    try self.init(
      unpacked: AirportFile.encoded(airports, cycle: cycle, sources: [AirportSource(name: "a test", asOf: 7)]))
  }
}

extension AirportDatabase {
  /// Loads airports from beginning to end.
  @discardableResult
  func load(_ airports: [Airport], _ cycle: AIRACCycle, at time: Int64? = nil) throws -> AirportChanges {
    try load(
      AirportReader(of: airports, cycle: cycle), fingerprint: "\(AirportDigest(airports))",
      at: time ?? cycle.effectiveTime)
  }
}
