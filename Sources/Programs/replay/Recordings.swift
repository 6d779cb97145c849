import ContrailReplay

/// The recordings that a command processes.
enum Recordings {
  /// Returns the paths of the recordings to process.
  ///
  /// If `named` is empty, these are the recordings in the nearest folder `Recordings`: in the working directory or one
  /// of its parents, or else in a parent of the program's directory. A named folder without recordings is returned
  /// unchanged.
  static func paths(_ named: [String]) throws -> [String] {
    let finder = RecordingFinder()
    if !named.isEmpty { return named.flatMap { finder.recordings(at: $0) } }
    guard let folder = folder(finder) else {
      throw Failure(
        message: "There is no folder '\(RecordingFinder.folder)' in the working directory, its parents or the package. "
          + "Give the path of a recording.", exitCode: 2)
    }
    return finder.recordings(at: folder)
  }

  /// The path of the nearest folder `Recordings`; nil if there is none.
  static var folder: String? { folder(RecordingFinder()) }

  private static func folder(_ finder: RecordingFinder) -> String? {
    if let directory = WorkingDirectory.path, let folder = finder.folder(upwardsFrom: directory, shownAs: "") {
      return folder
    }
    // The program is in the build folder of the package, whatever the working directory is.
    guard let program = CommandLine.arguments.first, let slash = program.lastIndex(of: "/") else { return nil }
    let directory = String(program[..<slash])
    return finder.folder(upwardsFrom: directory, shownAs: directory)
  }
}
