import ContrailAirportData
import ContrailGeodesy
import ContrailLog
import ContrailWire
import Foundation

/// The airport files that a server offers, with one file per cycle.
///
/// A directory is read for each request, so cycles can be added or replaced while the server is running. New or
/// changed files are hashed once. Add files by renaming complete ones: an incomplete file would be served as it is.
/// A symbolic link that leads out of the directory is not served.
actor AirportFileStore {
  /// The suffix of files named after their cycle.
  static let suffix = ".airports.xz"
  /// The suffix of files named after two cycles, with the difference between them.
  static let deltaSuffix = ".delta.xz"

  private let directory: String?
  /// The cycles of files with other names.
  private let cyclesByName: [String: String]
  /// Whether the files are ``SampleAirports``.
  private let hasSamples: Bool
  private var samples: [AIRACCycle: ShelvedFile] = [:]
  private var hashes: [String: (stamp: FileBytes.Stamp, sha256: String)] = [:]

  init(_ source: ServiceConfiguration.Airports) {
    switch source {
    case .none: (directory, cyclesByName, hasSamples) = (nil, [:], false)
    case .directory(let path, let cycles): (directory, cyclesByName, hasSamples) = (path, cycles, false)
    case .samples: (directory, cyclesByName, hasSamples) = (nil, [:], true)
    }
  }

  /// Returns the files that are available at a time in seconds since 1970, ordered by effective date.
  func cycles(at time: Int64) -> [ShelvedFile] {
    if hasSamples {
      let current = AIRACCycle(at: time)
      return [current, current?.next].compactMap { $0.flatMap(sample) }
    }
    var files: [AIRACCycle: ShelvedFile] = [:]
    for (cycle, path) in paths() where files[cycle] == nil { files[cycle] = file(of: cycle, at: path) }
    return files.values.sorted { $0.cycle < $1.cycle }
  }

  /// Returns a file by its name: a cycle (`2511`) or a delta (`2510-2511`); `nil` if it does not exist.
  func file(of cycle: String, at time: Int64) -> ShelvedFile? {
    if hasSamples { return cycles(at: time).first { $0.cycle.identifier == cycle } }
    let parts = cycle.split(separator: "-", omittingEmptySubsequences: false).map {
      AIRACCycle(identifier: String($0))
    }
    if parts.count == 2, let directory, parts[0] != nil, let target = parts[1] {
      return file(of: target, at: "\(directory)/\(cycle)\(Self.deltaSuffix)")
    }
    for (candidate, path) in paths() where candidate.identifier == cycle { return file(of: candidate, at: path) }
    return nil
  }

  private func sample(of cycle: AIRACCycle) -> ShelvedFile? {
    if let known = samples[cycle] { return known }
    guard let bytes = try? SampleAirports.file(of: cycle) else { return nil }
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    let file = ShelvedFile(cycle: cycle, contents: .memory(bytes), size: bytes.count, sha256: hash.finishedHex())
    samples[cycle] = file
    return file
  }

  /// Returns the cycles with their paths. If a cycle has two files, the one named after it comes first.
  private func paths() -> [(cycle: AIRACCycle, path: String)] {
    guard let directory, let names = try? POSIXStorage().names(in: directory).sorted() else { return [] }
    let named = names.compactMap { name -> (AIRACCycle, String)? in
      guard name.hasSuffix(Self.suffix) else { return nil }
      return AIRACCycle(identifier: String(name.dropLast(Self.suffix.count))).map { ($0, "\(directory)/\(name)") }
    }
    let mapped = names.compactMap { name -> (AIRACCycle, String)? in
      cyclesByName[name].flatMap { AIRACCycle(identifier: $0) }.map { ($0, "\(directory)/\(name)") }
    }
    return named + mapped
  }

  private func file(of cycle: AIRACCycle, at path: String) -> ShelvedFile? {
    guard let directory, let path = FileBytes.resolved(path, within: directory),
      let stamp = FileBytes.stamp(of: path)
    else { return nil }
    if let known = hashes[path], known.stamp == stamp {
      return ShelvedFile(cycle: cycle, contents: .file(path), size: stamp.size, sha256: known.sha256)
    }
    guard let sha256 = FileBytes.sha256(of: path) else { return nil }
    hashes[path] = (stamp, sha256)
    return ShelvedFile(cycle: cycle, contents: .file(path), size: stamp.size, sha256: sha256)
  }
}

/// The airport file of a cycle.
struct ShelvedFile: Hashable, Sendable {
  enum Contents: Hashable, Sendable {
    case file(String)
    case memory([UInt8])
  }

  let cycle: AIRACCycle
  let contents: Contents
  /// The size in bytes.
  let size: Int
  /// The SHA-256 as 64 lowercase hexadecimal digits.
  let sha256: String

  /// Returns a range of bytes, or `nil` if the file no longer contains it.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    switch contents {
    case .file(let path): FileBytes.read(path, in: range)
    case .memory(let bytes): Array(bytes[range])
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("cycle", cycle.identifier)
      json.member("effectiveFrom", cycle.effectiveDay.description)
      json.member("effectiveUntil", cycle.endDay.description)
      json.member("size", size)
      json.member("sha256", sha256)
    }
  }
}

/// The airports of the effective cycle, for queries.
actor AirportDirectory {
  /// The maximum number of airports in a response.
  static let maximumCount = 100

  private let store: AirportFileStore
  private var held: (file: ShelvedFile, contents: Contents)?

  /// A decoded file.
  struct Contents: Sendable {
    let header: AirportCycle
    let airports: [ContrailAirportData.Airport]
    /// The words of the name and the city of each airport.
    fileprivate let words: [[String]]
  }

  init(_ store: AirportFileStore) {
    self.store = store
  }

  /// Returns the airports of the cycle that is effective at a time, or of the first one; `nil` if there is no readable
  /// file.
  func contents(at time: Int64) async -> Contents? {
    let files = await store.cycles(at: time)
    guard let file = files.last(where: { $0.cycle.effectiveTime <= time }) ?? files.first else { return nil }
    if let held, held.file == file { return held.contents }
    guard let bytes = file.bytes(in: 0..<file.size), var reader = try? AirportReader(bytes) else { return nil }
    var airports: [ContrailAirportData.Airport] = []
    do { while let airport = try reader.next() { airports.append(airport) } } catch { return nil }
    let contents = Contents(
      header: reader.header, airports: airports, words: airports.map { Self.words("\($0.name) \($0.city ?? "")") })
    held = (file, contents)
    return contents
  }

  /// Returns the words of a text in lower case, without diacritics.
  fileprivate static func words(_ text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).lowercased()
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension AirportDirectory.Contents {
  /// Returns the airport with an ICAO, IATA, local or record identifier, in this order of precedence.
  func airport(identifier: String) -> ContrailAirportData.Airport? {
    let code = identifier.uppercased()
    let kinds: [(ContrailAirportData.Airport) -> Bool] = [
      { $0.icaoID == code }, { $0.iataID == code }, { $0.locationID == code }, { $0.recordID == identifier },
    ]
    for isMatch in kinds { if let found = airports.filter(isMatch).max(by: Self.isLesser) { return found } }
    return nil
  }

  /// Returns the airports whose name and city contain words that begin with the given words, longest runways first.
  func airports(matching text: String, limit: Int) -> [ContrailAirportData.Airport] {
    let wanted = AirportDirectory.words(text)
    guard !wanted.isEmpty else { return [] }
    let found = zip(airports, words).filter { _, words in
      wanted.allSatisfy { start in words.contains { $0.hasPrefix(start) } }
    }
    return Array(found.map(\.0).sorted { Self.isLesser($1, $0) }.prefix(limit))
  }

  /// Returns the airports nearest to a point, nearest first.
  func airports(nearest point: Coordinate, limit: Int) -> [ContrailAirportData.Airport] {
    let ranked = airports.map { ($0, point.distanceNM(to: $0.coordinate)) }
    return ranked.sorted { ($0.1, $0.0.recordID) < ($1.1, $1.0.recordID) }.prefix(limit).map(\.0)
  }

  /// Whether another airport is more likely to be meant.
  private static func isLesser(_ a: ContrailAirportData.Airport, _ b: ContrailAirportData.Airport) -> Bool {
    let (left, right) = (longestMeters(a), longestMeters(b))
    return left == right ? a.recordID > b.recordID : left < right
  }

  private static func longestMeters(_ airport: ContrailAirportData.Airport) -> Double {
    airport.runways.compactMap(\.lengthMeters).max() ?? -1
  }
}
