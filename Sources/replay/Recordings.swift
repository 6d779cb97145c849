import ContrailReplay

/// Which recordings a command is about.
enum Recordings {
  /// Those that were named, a folder without any standing for itself; or else those in the folder `Recordings`: in the working directory or above it, or above the program.
  static func paths(_ named: [String]) throws -> [String] {
    let finder = RecordingFinder()
    if !named.isEmpty { return named.flatMap { finder.recordings(at: $0) } }
    guard let folder = folder(finder) else {
      throw Failure(
        message: "There is no folder \(RecordingFinder.folder) here, in a directory above, or beside the package. "
          + "Name a recording.", exitCode: 2)
    }
    return finder.recordings(at: folder)
  }

  private static func folder(_ finder: RecordingFinder) -> String? {
    if let directory = WorkingDirectory.path, let folder = finder.folder(upwardsFrom: directory, shownAs: "") {
      return folder
    }
    // The program lies in the package's build folder, wherever it was started from.
    guard let program = CommandLine.arguments.first, let slash = program.lastIndex(of: "/") else { return nil }
    let directory = String(program[..<slash])
    return finder.folder(upwardsFrom: directory, shownAs: directory)
  }
}
