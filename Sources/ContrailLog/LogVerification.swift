/// What checking a whole log found.
public struct LogVerification: Hashable, Sendable {
  /// How many lines were read and found good.
  public var lineCount = 0
  /// How many bytes those lines have, line feeds included, unpacked.
  public var byteCount: Int64 = 0
  /// How many segments there are.
  public var segmentCount = 0
  /// The last line that was read.
  public var last: LogTail?
  /// What is wrong: of each segment the first fault, for after it there is no telling which line is which.
  public var faults: [LogError] = []
  /// Lines that a failed sync has cost, as the segment after them says. Their snapshot stands in for them, so a log
  /// with losses and without faults still tells its state at each moment after.
  public var losses: [LogReader.Loss] = []

  /// Whether nothing is wrong.
  public var isIntact: Bool { faults.isEmpty && losses.isEmpty }

  /// Checks a log: each line, each segment and how they hang together, and each blob against its name.
  ///
  /// It goes on behind a fault with the next segment, so that one damaged file doesn't hide the next.
  ///
  /// - Parameter path: A file, sealed or not, or a directory.
  /// - Throws: ``LogError/Code/unreadable`` or ``LogError/Code/notALog`` if there is nothing to check.
  /// - Complexity: O(*n*) in the bytes, with the memory of one block or one line.
  public init(
    path: String, storage: any LogStorage = POSIXStorage(), options: LogReader.Options = LogReader.Options()
  ) throws(LogError) {
    let (found, isDirectory) = try LogSegment.all(ofLogAt: path, storage)
    var segments = found[...]
    segmentCount = segments.count

    while !segments.isEmpty {
      let readCount = try read(segments, isDirectory: isDirectory, storage: storage, options: options)
      segments = segments.dropFirst(readCount)
    }
    if isDirectory { try checkBlobs(BlobStore(directory: Path.join(path, LogFileName.blobs), storage: storage)) }
  }

  /// Reads on to the first fault, and answers how many segments that took.
  private mutating func read(
    _ segments: ArraySlice<LogSegment>, isDirectory: Bool, storage: any LogStorage, options: LogReader.Options
  ) throws(LogError) -> Int {
    let reader = try LogReader(segments: segments, isDirectory: isDirectory, storage: storage, options: options)
    defer {
      byteCount += reader.byteCount
      losses += reader.losses
      last = reader.last ?? last
    }
    do throws(LogError) {
      while try reader.next() != nil { lineCount += 1 }
      return segments.count
    } catch {
      guard error.code != .unreadable else { throw error }
      faults.append(error)
      return (segments.firstIndex { $0.path == reader.file }).map { $0 - segments.startIndex + 1 } ?? segments.count
    }
  }

  private mutating func checkBlobs(_ blobs: BlobStore) throws(LogError) {
    let ids: [BlobStore.ID]
    do throws(StorageFault) {
      ids = try blobs.all().map(\.id)
    } catch {
      throw LogError(.unreadable, file: blobs.directory, error)
    }
    for id in ids.sorted(by: { $0.digits < $1.digits }) {
      do throws(LogError) {
        _ = try blobs.bytes(of: id)
      } catch {
        guard error.code == .blobDamaged else { throw error }
        faults.append(error)
      }
    }
  }
}
