import ArgumentParser
import ContrailAirportData
import ContrailServer
import ContrailWorld

extension Serve {
  /// Returns the limits for connections.
  func limits() throws -> ConnectionLimits {
    var limits = ConnectionLimits()
    guard let idle = FaultSchedule.seconds(idleTimeout), idle > 0 else {
      throw ValidationError("--idle-timeout: '\(idleTimeout)' is invalid. Use a duration such as 90s or 6m.")
    }
    limits.idle = .seconds(idle)
    if let maximumConnections {
      limits.connections = maximumConnections
      limits.connectionsPerAddress = max(maximumConnections / 2, 1)
    }
    if let connectionsPerAddress { limits.connectionsPerAddress = connectionsPerAddress }
    return limits
  }

  /// Returns the cycles of the airport files, by their names.
  func cyclesByName() throws -> [String: String] {
    var result: [String: String] = [:]
    for rule in cycles {
      let sides = rule.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, AIRACCycle(identifier: String(sides[1])) != nil else {
        throw ValidationError(
          "--cycle: '\(rule)' is invalid. Use NAME=CYCLE, such as sf50-2025-10-30.plist.lzma=2511.")
      }
      result[String(sides[0])] = String(sides[1])
    }
    return result
  }
}
