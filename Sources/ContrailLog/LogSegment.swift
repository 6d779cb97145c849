/// A file of the log: some lines in a row that replay by themselves.
public struct LogSegment: Hashable, Sendable {
  /// The file.
  public let path: String
  /// The `seq` of its first line, by its name; nil for a log that isn't in a directory.
  public let firstSeq: Int64?
  /// Whether it is sealed: compressed, and never written again.
  public var isSealed: Bool { path.hasSuffix(LogFileName.sealedSuffix) }

  init(path: String, firstSeq: Int64?) {
    self.path = path
    self.firstSeq = firstSeq
  }

  /// The segments in a directory, oldest first. Where a segment stands there both sealed and not, sealing was
  /// interrupted: the one that isn't sealed counts.
  static func all(in directory: String, _ storage: some LogStorage) throws(StorageFault) -> [LogSegment] {
    var found: [Int64: LogSegment] = [:]
    for name in try storage.names(in: directory) {
      guard let (first, isSealed) = LogFileName.segment(name) else { continue }
      if isSealed, found[first] != nil { continue }
      found[first] = LogSegment(path: Path.join(directory, name), firstSeq: first)
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The lines of the file, unpacked if it is compressed, which its content tells.
  func lines(_ storage: some LogStorage, _ options: LogReader.Options) throws(LogError) -> LineBuffer {
    let file: any LogFile
    do {
      file = try storage.open(path, .read)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    return LineBuffer(FileInput(file, path: path), file: path, options: options)
  }
}
