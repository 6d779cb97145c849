#if Online
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
    func cycles() -> [AirportFile] {
      var files: [String: AirportFile] = [:]
      for (cycle, path) in paths() where files[cycle.name] == nil { files[cycle.name] = file(of: cycle, at: path) }
      return files.values.sorted { $0.cycle.effectiveDay < $1.cycle.effectiveDay }
    }

    /// The file of a cycle; nil where there is none.
    func file(of cycle: String) -> AirportFile? {
      for (candidate, path) in paths() where candidate.name == cycle { return file(of: candidate, at: path) }
      return nil
    }

    /// Cycles and where their files are; of two for one cycle the one that is named after it comes first.
    private func paths() -> [(cycle: AirportCycle, path: String)] {
      guard let directory, let names = FileBytes.names(in: directory) else { return [] }
      let named = names.compactMap { name -> (AirportCycle, String)? in
        guard name.hasSuffix(Self.suffix) else { return nil }
        return AirportCycle(String(name.dropLast(Self.suffix.count))).map { ($0, "\(directory)/\(name)") }
      }
      let mapped = names.compactMap { name -> (AirportCycle, String)? in
        cyclesByName[name].flatMap { AirportCycle($0) }.map { ($0, "\(directory)/\(name)") }
      }
      return named + mapped
    }

    private func file(of cycle: AirportCycle, at path: String) -> AirportFile? {
      guard let stamp = FileBytes.stamp(of: path) else { return nil }
      if let known = hashes[path], known.stamp == stamp {
        return AirportFile(cycle: cycle, path: path, size: stamp.size, sha256: known.sha256)
      }
      guard let sha256 = FileBytes.sha256(of: path) else { return nil }
      hashes[path] = (stamp, sha256)
      return AirportFile(cycle: cycle, path: path, size: stamp.size, sha256: sha256)
    }
  }

  extension ServerConfiguration {
    /// Whether a name is that of a cycle, four digits such as `2511`.
    public static func isAirportCycle(_ name: String) -> Bool { AirportCycle(name) != nil }
  }
#endif
