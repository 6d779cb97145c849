/// The result of checking a whole log.
package struct LogVerification: Hashable, Sendable {
  /// The number of valid lines.
  package var lineCount = 0
  /// The number of bytes of those lines after decompression, including line feeds.
  package var byteCount: Int64 = 0
  /// The number of segments.
  package var segmentCount = 0
  /// The last line that was read.
  package var last: LogTail?
  /// The first error of each segment. Later lines of the segment can't be identified reliably.
  package var faults: [LogError] = []
  /// Lines lost by a failed sync, according to the next segment.
  ///
  /// The snapshot of that segment replaces them, so the state of a log with losses and without errors is complete at
  /// all later times.
  package var losses: [LogReader.Loss] = []

  /// Whether no errors or losses were found.
  package var isIntact: Bool { faults.isEmpty && losses.isEmpty }

  /// Checks a log: each line, the sequence of segments, and each blob against its hash.
  ///
  /// After an error, it continues with the next segment, so that all damaged files are found.
  ///
  /// - Parameters:
  ///   - path: A file, compressed or not, or a directory.
  ///   - storage: The file system.
  ///   - options: The options for reading.
  /// - Throws: ``LogError/Code/unreadable`` or ``LogError/Code/notALog`` if there is nothing to check.
  /// - Complexity: O(*n*) in the bytes, with the memory of one block or one line.
  package init(
    path: String, storage: any LogStorage = POSIXStorage(), options: LogReader.Options = LogReader.Options()
  ) throws(LogError) {
    let (found, isDirectory) = try LogSegment.all(ofLogAt: path, storage)
    var segments = found[...]
    segmentCount = segments.count

    while !segments.isEmpty {
      let readCount = try read(segments, isDirectory: isDirectory, storage: storage, options: options)
      segments = segments.dropFirst(readCount)
    }
    if isDirectory { try checkBlobs(BlobStore(ofLogIn: path, storage: storage)) }
  }

  /// Reads up to the first error and returns the number of segments read.
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
    do throws(StorageError) {
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
