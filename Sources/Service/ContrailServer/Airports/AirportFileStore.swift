import ContrailAirportData
import ContrailLog

/// The directory of airport files that a server offers, with one file per cycle.
///
/// The directory is read for each request, so cycles can be added or replaced while the server is running. New or
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
  private var hashes: [String: (stamp: FileBytes.Stamp, sha256: String)] = [:]

  /// Creates a shelf.
  ///
  /// - Parameters:
  ///   - directory: The directory, or `nil` for no airports.
  ///   - cyclesByName: The cycles of files that aren't named `<cycle>.airports.xz`.
  init(directory: String?, cyclesByName: [String: String] = [:]) {
    self.directory = directory
    self.cyclesByName = cyclesByName
  }

  /// Returns the available files, ordered by effective date.
  func cycles() -> [ShelvedFile] {
    var files: [AIRACCycle: ShelvedFile] = [:]
    for (cycle, path) in paths() where files[cycle] == nil { files[cycle] = file(of: cycle, at: path) }
    return files.values.sorted { $0.cycle < $1.cycle }
  }

  /// Returns a file by its name: a cycle (`2511`) or a delta (`2510-2511`); `nil` if it does not exist.
  func file(of cycle: String) -> ShelvedFile? {
    let parts = cycle.split(separator: "-", omittingEmptySubsequences: false).map {
      AIRACCycle(identifier: String($0))
    }
    if parts.count == 2, let directory, parts[0] != nil, let target = parts[1] {
      return file(of: target, at: "\(directory)/\(cycle)\(Self.deltaSuffix)")
    }
    for (candidate, path) in paths() where candidate.identifier == cycle { return file(of: candidate, at: path) }
    return nil
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
      return ShelvedFile(cycle: cycle, path: path, size: stamp.size, sha256: known.sha256)
    }
    guard let sha256 = FileBytes.sha256(of: path) else { return nil }
    hashes[path] = (stamp, sha256)
    return ShelvedFile(cycle: cycle, path: path, size: stamp.size, sha256: sha256)
  }
}
