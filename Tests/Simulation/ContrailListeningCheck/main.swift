import Contrail
import ContrailGeodesy
import ContrailHTTP
import ContrailServer
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation

/// Flies a real track with the real client and the real service over TLS and HTTP/2, by a clock that runs faster than time.
///
/// For `Scripts/listening-check`, whose proxy counts the bytes: the program prints the port of its server and reads that of the proxy.
/// Arguments are `name=value`: `track`, `rate`, `hours`, `frequency`, `viewport`, `types`, `listens`, `certificate`, `key`, `directory`. With `server`, it
/// runs clients of that service instead: see `Watchers`.
struct FastClock: EngineClock {
  let departure: Int64
  let rate: Double
  private let start = ContinuousClock.now

  init(departure: Int64, rate: Double) { (self.departure, self.rate) = (departure, rate) }

  var now: Int64 { departure + Int64((ContinuousClock.now - start) / .milliseconds(1) * rate) }

  func sleep(until milliseconds: Int64) async throws {
    let wait = Double(milliseconds - now) / 1000 / rate
    if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
  }
}

let arguments = Arguments()
if arguments.has("server") {
  let watchers = try Watchers(arguments)
  await watchers.begin()
  while readLine() != nil {}
  await watchers.stop()
  exit(0)
}
let track = try Track(csv: String(contentsOfFile: arguments["track"], encoding: .utf8))
let departure = track.fixes[0].at
let end = min(
  track.fixes[track.fixes.count - 1].at, departure + Int64((Double(arguments["hours"]) ?? 10) * 3_600_000))
let certificate = ServerCertificate(chain: arguments["certificate"], key: arguments["key"])
// The world of the first hours is made before time begins to pass.
let clock = FastClock(departure: departure, rate: Double(arguments["rate"]) ?? 1)
var configuration = ServerConfiguration(seed: 1)
configuration.clock = { clock.now }
configuration.clockRate = clock.rate
configuration.certificate = certificate
let server = try await ReferenceServer.start(configuration)
FileHandle.standardOutput.write(Data("port \(server.port)\n".utf8))
guard let line = readLine(), let proxy = Int(line) else { exit(64) }

let transport = try PlatformTransport.make(server: "https://127.0.0.1:\(proxy)", trusting: certificate.chain)
let url = URL(string: "https://127.0.0.1:\(proxy)")!
let client = try ContrailClient(
  .init(server: url, directory: URL(filePath: arguments["directory"])), transport: transport, clock: clock)
client.listening.isEnabled = arguments["listens"] == "1"
client.dataUpdateFrequency = DataUpdateFrequency(rawValue: arguments["frequency"]) ?? .fast
client.dataQuery.types = DataTypeOptions(words: Substring(arguments["types"])) ?? .turbulence
client.dataQuery.routeWidth = 100
client.dataQuery.route = Recorder.route(of: track.fixes)

let seen = Task { () -> [TurbulenceReport: Int64] in
  var seen: [TurbulenceReport: Int64] = [:]
  for await held in client.updates(for: .corridor) {
    let now = clock.now
    for report in held.turbulence where report.severity >= .moderate && seen[report] == nil { seen[report] = now }
  }
  return seen
}

// The map moves when the aircraft approaches its edge.
let height = Double(arguments["viewport"]) ?? 0
var centre: Coordinate?
for fix in track.fixes where fix.at < end {
  try await clock.sleep(until: fix.at)
  guard height > 0, centre.map({ $0.distanceNM(to: fix.position) >= height * 15 }) ?? true else { continue }
  centre = fix.position
  client.dataQuery.viewport = Recorder.rectangle(fix.position, heightDegrees: height)
}
try await clock.sleep(until: end)
await client.stop()
await server.stop()
let sightings = await seen.value

// The same world, asked at each second, tells when each report arrived.
var oracle = ServiceConfiguration(seed: 1, clock: { departure })
oracle.allowsSimulatedTime = true
let service = ReferenceService(oracle)
let corners = [(15.0, -100.0), (15, 25), (66, 25), (66, -100), (15, -100)]
let ring = try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })
var delays: [Int64] = []
// Before, the first fetch was under way.
for second in departure / 1000 + 60..<end / 1000 {
  let question = ObservationsRequest(
    ring: ring, filter: Filter(severities: SeveritySet([.moderate, .moderateSevere])), since: second - 1)
  let answer = await service.answer(
    to: ServiceRequest(
      method: "POST", target: ObservationsRequest.path,
      headers: HeaderFields([(WireHeader.simulatedTime, "\(second * 1000)")]), body: question.json))
  guard let observations = answer.body.withUnsafeBytes({ ObservationsAnswer(canonical: $0) }) else { continue }
  for report in observations.reports { if let at = sightings[report] { delays.append(at - (second - 1) * 1000) } }
}
print("delays \(delays.sorted().map(String.init).joined(separator: " "))")
