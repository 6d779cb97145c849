import ContrailAirportData
import ContrailAirports
import Foundation

/// Loads a file into a database, a line for each step, until it is done or killed.
///
/// `contrail-airports-writer DATABASE FILE`
let database = try AirportDatabase(path: CommandLine.arguments[1])
let bytes = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[2]))
let reader = try AirportReader(Array(bytes))
var load = try database.beginLoad(of: reader, fingerprint: CommandLine.arguments[2])
var count = 0
repeat {
  count += 1
  try FileHandle.standardOutput.write(contentsOf: Data("\(count)\n".utf8))
} while try load.step()
try database.activatePending(at: reader.header.cycle.effectiveTime)
