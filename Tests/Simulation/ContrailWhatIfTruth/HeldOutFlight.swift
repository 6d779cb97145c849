import Contrail
import ContrailCore
import ContrailEngine
package import ContrailField
import ContrailGeodesy
import ContrailTestSupport
package import ContrailTesting
import ContrailWire
package import ContrailWorld

/// A flight as people fly it, drawn from a seed: a track, settings, a link, a server and what happens. The recorder flies it against
/// the reference service, under its own settings and under an alternative.
package struct HeldOutFlight: Sendable {
  /// What flights are drawn from.
  package struct Material: Sendable {
    /// Tracks of real flights; without any, all tracks are great circles.
    package var tracks: [(name: String, track: Track)] = []
    /// A recorded day, which some flights fly through instead of the simulated world.
    package var day: RecordedDay?
    /// The range of the lengths of flights, in minutes.
    package var minutes: ClosedRange<Int64> = 60...240
    package var aircraft = ServiceConfiguration.standardAircraft
    /// The index of the track that is flown from its first position to its last one, with a viewport; nil to draw a part of a track.
    package var wholeTrack: Int?
    /// Whether all flights listen whose server has the extensions; otherwise half of them do.
    package var listens = false
    /// Recorded days through which all flights fly, over links with outages; empty to draw what most flights meet.
    package var realDays: [RecordedDay] = []

    package init() {}
  }

  package let seed: UInt64
  package let track: Track
  package var options: Recorder.Options
  /// The lines of the scenario.
  package var scenario: [String]
  private let day: RecordedDay?
  private let isPlain: Bool
  /// Whether the service holds requests, so that the client listens.
  package var holdsRequests: Bool
  private let isSecure: Bool
  private let host: String
  private let aircraft: Int
  /// What it is, for messages.
  package let name: String

  /// The length of the flight, in milliseconds.
  package var lengthMS: Int64 { options.untilMS ?? 0 }

  package init(seed: UInt64, of material: Material) throws {
    self.seed = seed
    var random = SplitMix64(seed: seed ^ 0x6865_6c64)
    var minutes = Int64.random(in: material.minutes, using: &random)
    if let index = material.wholeTrack {
      let (name, track) = material.tracks[index]
      (self.name, self.track) = (name, track)
      minutes = max(((track.fixes.last?.at ?? 0) - (track.fixes.first?.at ?? 0)) / 60_000, 20)
    } else {
      (name, track) = try Self.track(of: material, minutes: minutes, &random)
    }
    day = material.realDays.randomElement(using: &random) ?? (random.chance(25) ? material.day : nil)
    isPlain = random.chance(25)
    var ofHolding = SplitMix64(seed: seed ^ 0x6c69_7374)
    // A server without the extensions holds nothing, also where an alternative gives it the compact wire.
    holdsRequests = (ofHolding.chance(50) || material.listens) && !isPlain
    isSecure = random.chance(50)
    host = ["localhost:8080", "turbulence.example.com", "10.0.0.7"].randomElement(using: &random) ?? ""
    aircraft = material.aircraft
    options = Recorder.Options(path: "")
    options.seed = seed
    options.untilMS = minutes * 60_000
    options.frequency = [.fast, .fast, .medium, .minimal].randomElement(using: &random) ?? .fast
    options.history = DataHistoryTime.allCases.randomElement(using: &random) ?? .twoHours
    options.widthNM = random.chance(8) ? nil : Double(Int.random(in: 2...20, using: &random) * 10)
    let types: [DataTypeOptions] = [
      .turbulence, [.turbulence, .pireps], [.turbulence, .pireps, .traffic], [.turbulence, .turbulencePolygons],
      [.turbulence, .pireps, .traffic, .turbulencePolygons],
    ]
    options.types = types.randomElement(using: &random) ?? .turbulence
    if random.chance(65) || material.wholeTrack != nil {
      options.viewport = .following(heightDegrees: [2, 4, 8, 8, 15, 30].randomElement(using: &random) ?? 8)
    }
    if !material.realDays.isEmpty {
      var link = LinkModel.all.randomElement(using: &random) ?? LinkModel.all[0]
      if link.outages == nil { link.outages = LinkModel.all.compactMap(\.outages).randomElement(using: &random) }
      options.link = .model(link)
    } else if random.chance(30) {
      options.link = .model(LinkModel.all.randomElement(using: &random) ?? LinkModel.all[0])
    } else {
      var link = SteadyLink()
      link.latencyMS = [150, 700, 700, 1500].randomElement(using: &random) ?? 700
      options.link = .steady(link)
    }
    scenario = try Self.scenario(minutes: minutes, hasViewport: options.viewport != .off, &random)
  }

  // MARK: Drawing

  private static func track(
    of material: Material, minutes: Int64, _ random: inout SplitMix64
  ) throws -> (String, Track) {
    if !material.tracks.isEmpty, random.chance(70) {
      let (name, whole) = material.tracks[Int.random(in: 0..<material.tracks.count, using: &random)]
      let first = Int.random(in: 0..<max(whole.fixes.count * 3 / 4, 1), using: &random)
      let end = whole.fixes[first].at + minutes * 60_000
      var part = whole
      part.fixes = whole.fixes[first...].filter { $0.at <= end }
      // A track that ends stays at its last position.
      if var last = part.fixes.last, last.at < end {
        last.at = end
        part.fixes.append(last)
      }
      return ("\(name)+\(first)", part)
    }
    let from = Coordinate(
      latitude: Double.random(in: -60...72, using: &random), longitude: Double.random(in: -180...180, using: &random))
    let azimuth = Double.random(in: 0..<360, using: &random)
    let to = from.destination(azimuth: azimuth, distanceNM: Double.random(in: 300...3500, using: &random))
    // Some flights of each world meet other traffic.
    let busy = [
      (51.5, -0.5, 40.6, -73.8), (25.3, 55.4, 1.4, 104), (33.9, -118.4, 35.8, 140.4), (-33.9, 151.2, -37, 174.8),
    ]
    let pair = busy.randomElement(using: &random) ?? busy[0]
    let line =
      random.chance(60)
      ? [Coordinate(latitude: pair.0, longitude: pair.1), Coordinate(latitude: pair.2, longitude: pair.3)] : [from, to]
    let departure = 1_768_471_200_000 + Int64.random(in: 0..<86_400_000, using: &random)
    return ("great circle", try Track(flying: line, departure: departure))
  }

  /// Returns the lines of a scenario.
  ///
  /// - Throws: ``InputError`` if the service doesn't know one of the faults.
  private static func scenario(minutes: Int64, hasViewport: Bool, _ random: inout SplitMix64) throws -> [String] {
    var lines: [String] = []
    func time() -> Int64 { Int64.random(in: 300...(minutes - 5) * 60, using: &random) }
    func one(_ values: String...) -> String { values.randomElement(using: &random) ?? values[0] }
    func add(_ percent: Int, _ text: () -> String) {
      if random.chance(percent) { lines.append("\(time())s \(text())") }
    }
    if random.chance(35) {
      let from = time()
      lines += ["\(from)s offline", "\(from + Int64.random(in: 60...2400, using: &random))s online"]
    }
    add(20) { "relaunch" }
    add(20) { "refresh delta" }
    add(15) { "refresh full" }
    add(10) { "history " + one("0.5h", "1h", "2h", "4h", "6h") }
    add(10) { "frequency " + one("fast", "medium", "minimal") }
    add(8) { "types turbulence,traffic" }
    add(8) { "severities moderate,moderate-severe" }
    add(6) { "altitudes 28000 41000" }
    add(10) { "report moderate \(one("1", "4")) 40s" }
    add(8) { "weather 40.64,-73.78" }
    if hasViewport {
      add(15) { "pan \(one("3", "12", "30")) 300ms \(one("0.1", "0.5", "2"))" }
      add(8) { "viewport \(one("2deg", "8deg", "20deg"))" }
      add(5) { "viewport off" }
    }
    for (percent, fault, longest) in [
      (15, "status=503", 900), (8, "status=503,retry-after=120", 400), (8, "latency=4000", 1200),
      (6, "latency=40000", 300),
      (8, "drop", 400), (6, "gone", 300), (6, "forget", 300), (4, "checksum", 200), (4, "garble", 200),
    ] as [(Int, String, Int64)] {
      // A fault that the service doesn't know is refused with 400, and the flight is silent from then on.
      _ = try Fault.list(fault)
      add(percent) { "fault \(fault) for \(Int64.random(in: 20...longest, using: &random))s" }
    }
    return lines
  }

  // MARK: Flying

  /// Flies it under an alternative, and writes the recording.
  ///
  /// - Throws: ``EngineError`` if the recording can't be written.
  package func fly(_ alternative: Alternative = Alternative(), to path: String) async throws {
    let start = track.fixes[0].at
    var configuration = ServiceConfiguration(seed: seed, clock: { start })
    configuration.aircraft = aircraft
    configuration.allowsSimulatedTime = true
    configuration.allowsRequestedFaults = true
    configuration.isPlain = alternative.offered.map { $0 == .json } ?? isPlain
    configuration.holdsSimulatedTime = holdsRequests
    configuration.day = day
    configuration.dayRewindSeconds = lengthMS / 1000
    var options = options
    options.path = path
    options.alternative = alternative
    var scenario = scenario
    if let link = alternative.link {
      options.link = .model(link)
      // A link of its own has failures of its own.
      scenario.removeAll { line in ["offline", "online", "fault"].contains { line.contains($0) } }
    }
    let transport = ServiceTransport(service: ReferenceService(configuration), host: host, isSecure: isSecure)
    var recorder = try Recorder(
      options: options, sender: RequestSender(transport: transport),
      credentials: Credentials(apiKey: "a-key-of-some-length"), track: track,
      scenario: try Scenario(text: scenario.joined(separator: "\n")))
    _ = try await recorder.run()
  }
}
