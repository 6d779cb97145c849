#if Online
  import ContrailAirportData

  /// The directory of airport files that a server offers, one a cycle. It is looked at anew for each request, so that a cycle can be
  /// added or replaced while the server runs; a file is hashed when it is new or changed.
  ///
  /// A file is to be put there whole, by renaming: what grows under the server's eyes is offered as it stands.
  actor AirportShelf {
    /// How the names of files end that are named after their cycle.
    static let suffix = ".airports.xz"

    private let directory: String?
    /// The cycles of files with other names.
    private let cyclesByName: [String: String]
    private var hashes: [String: (stamp: FileBytes.Stamp, sha256: String)] = [:]

    /// - Parameters:
    ///   - directory: Nil for no airports at all.
    ///   - cyclesByName: The cycles of files that aren't called `<cycle>.airports.xz`.
    init(directory: String?, cyclesByName: [String: String] = [:]) {
      self.directory = directory
      self.cyclesByName = cyclesByName
    }

    /// The files that there are, in the order in which they become effective.
    func cycles() -> [ShelvedFile] {
      var files: [AIRACCycle: ShelvedFile] = [:]
      for (cycle, path) in paths() where files[cycle] == nil { files[cycle] = file(of: cycle, at: path) }
      return files.values.sorted { $0.cycle < $1.cycle }
    }

    /// The file of a cycle; nil where there is none.
    func file(of cycle: String) -> ShelvedFile? {
      for (candidate, path) in paths() where candidate.identifier == cycle { return file(of: candidate, at: path) }
      return nil
    }

    /// Cycles and where their files are; of two for one cycle the one that is named after it comes first.
    private func paths() -> [(cycle: AIRACCycle, path: String)] {
      guard let directory, let names = FileBytes.names(in: directory) else { return [] }
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
      guard let stamp = FileBytes.stamp(of: path) else { return nil }
      if let known = hashes[path], known.stamp == stamp {
        return ShelvedFile(cycle: cycle, path: path, size: stamp.size, sha256: known.sha256)
      }
      guard let sha256 = FileBytes.sha256(of: path) else { return nil }
      hashes[path] = (stamp, sha256)
      return ShelvedFile(cycle: cycle, path: path, size: stamp.size, sha256: sha256)
    }
  }
#endif
