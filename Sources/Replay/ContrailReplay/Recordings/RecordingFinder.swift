package import ContrailLog

/// Finds recordings at a path or in the nearest folder `Recordings`.
package struct RecordingFinder {
  /// The name of the folder.
  package static let folder = "Recordings"

  private let storage: any LogStorage

  package init(storage: any LogStorage = POSIXStorage()) {
    self.storage = storage
  }

  /// Returns the recordings at a path: the path itself, or the recordings in it, sorted by name, if it is a folder.
  ///
  /// A path without a recording is returned as it is, so that reading it reports the error.
  package func recordings(at path: String) -> [String] {
    guard (try? storage.kind(of: path)) == .directory, !isLog(path) else { return [path] }
    let names = (try? storage.names(in: path)) ?? []
    let found = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name -> String? in
      let inside = Path.join(path, name)
      switch try? storage.kind(of: inside) {
      case .file, .special: return Self.isLogName(name) ? inside : nil
      case .directory: return isLog(inside) ? inside : nil
      default: return nil
      }
    }
    return found.isEmpty ? [path] : found
  }

  /// Returns the path of the nearest folder `Recordings`, or `nil` if there is none.
  ///
  /// The search starts in a directory and continues in its parents.
  ///
  /// - Parameters:
  ///   - directory: An absolute path, or a relative one, whose named parents are searched.
  ///   - prefix: The directory as shown in the returned path. Empty for the working directory.
  package func folder(upwardsFrom directory: String, shownAs prefix: String) -> String? {
    var directory = directory
    var prefix = prefix
    while true {
      if (try? storage.kind(of: Path.join(directory, Self.folder))) == .directory {
        return Path.join(prefix, Self.folder)
      }
      let above = Path.directory(of: directory)
      guard above != directory, above != "." else { return nil }
      directory = above
      prefix = prefix.isEmpty ? ".." : Path.join(prefix, "..")
    }
  }

  /// Returns whether a directory is one log: it contains segments, which are named after their first `seq`.
  private func isLog(_ path: String) -> Bool {
    let names = (try? storage.names(in: path)) ?? []
    return names.contains { name in
      guard Self.isLogName(name) else { return false }
      let stem = name.prefix { $0 != "." }
      return stem.count >= 12 && stem.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  private static func isLogName(_ name: String) -> Bool { name.hasSuffix(".jsonl") || name.hasSuffix(".jsonl.xz") }
}
