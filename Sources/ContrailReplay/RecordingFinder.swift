public import ContrailLog

/// Finds recordings: in what was named, or in the nearest folder `Recordings`.
public struct RecordingFinder {
  /// The folder's name.
  public static let folder = "Recordings"

  private let storage: any LogStorage

  public init(storage: any LogStorage = POSIXStorage()) {
    self.storage = storage
  }

  /// The recordings that a path names: itself, or those in it, by name, where it is a folder of them.
  ///
  /// A path without a recording stays in the list, so that reading it says so.
  public func recordings(at path: String) -> [String] {
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

  /// The folder `Recordings` in a directory or the nearest of those above it, as a path from there; nil where there is none.
  ///
  /// - Parameter directory: An absolute path, or a relative one that is followed upwards as far as it goes.
  /// - Parameter prefix: How the directory is written in paths that are shown: empty for the working directory.
  public func folder(upwardsFrom directory: String, shownAs prefix: String) -> String? {
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

  /// Whether a directory is one log: it holds segments, which are named by the first `seq` in them.
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
