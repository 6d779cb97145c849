import ContrailAirports
import ContrailGeodesy
import Foundation
import Glibc
func clock_() -> Int { Glibc.clock() }

let clock = ContinuousClock()
func run(_ path: String, _ db: AirportDatabase) throws {
  let c0 = clock_()
  let t = clock.now
  let packed = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  let reader = try AirportReader(packed)
  let t1 = clock.now
  var load = try db.beginLoad(of: reader, fingerprint: path)
  while try load.step() {}
  let t2 = clock.now
  try db.activatePending(at: reader.header.cycle.effectiveTime)
  let t3 = clock.now
  try db.sweep()
  print(
    "cpu", Double(clock_() - c0) / 1e6, "unpack", t1 - t, "load", t2 - t1, "switch", t3 - t2, "sweep", clock.now - t3, "all", clock.now - t, load.changes,
    load.transactionCount, load.digest)
}
let folder = "/tmp/airportsbench"
for _ in 0..<3 {
  try? FileManager.default.removeItem(atPath: folder)
  let db = try AirportDatabase(path: folder + "/a.sqlite")
  try run(CommandLine.arguments[1], db)
  try run(CommandLine.arguments[2], db)
  print(try db.computedDigest())
  for _ in 0..<2 {
    var t = clock.now
    for _ in 0..<100 { _ = try db.airport(icaoID: "EGLL") }
    print("icao", (clock.now - t) / 100)
    t = clock.now
    for _ in 0..<100 { _ = try db.airports(nearest: Coordinate(latitude: 38, longitude: -97), count: 10) }
    print("nearest", (clock.now - t) / 100)
    t = clock.now
    for _ in 0..<20 { _ = try db.airports(matching: "heathr") }
    print("heathr", (clock.now - t) / 20)
  }
}
let db = try AirportDatabase(path: folder + "/a.sqlite")
for a in try db.airports(matching: "heathr") { print(a.icaoID ?? "-", a.name, a.city ?? "") }
for a in try db.airports(nearest: Coordinate(latitude: 0, longitude: 180), count: 10) {
  print(a.airport.locationID, a.airport.name, a.airport.coordinate, a.distanceNM, a.azimuth)
}
