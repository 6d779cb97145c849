import ContrailAirportData
import ContrailWire
import Foundation

/// Downloads one file into a folder, and resumes an interrupted download, also after a restart.
///
/// The folder contains `2511.part` with the received bytes and `2511.tag` with the entity tag of the file; for a delta,
/// `2510-2511.part` and `2510-2511.tag`.
struct AirportDownload: Sendable {
  let cycle: AIRACCycle
  /// The base of the delta to download; nil for the complete file.
  var base: AIRACCycle?
  let folder: URL
  let transport: any AirportTransport
  let maximumBytes: Int64
  /// Waits between attempts.
  let sleep: @Sendable (Duration) async throws -> Void
  let progress: @Sendable (AirportDownloadProgress) -> Void

  private var name: String { (base.map { "\($0)-" } ?? "") + cycle.identifier }
  private var part: URL { folder.appendingPathComponent("\(name).part") }
  private var tag: URL { folder.appendingPathComponent("\(name).tag") }

  /// Downloads the file.
  ///
  /// - Throws: ``AirportLoaderError``. Received bytes are kept.
  func run() async throws(AirportLoaderError) -> AirportDownloadSummary {
    var retry = DownloadRetry()
    var changeCount = 0
    try onDisk { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    while true {
      let (before, tagBefore) = (heldBytes, heldTag)
      let fault: AirportTransportError
      do throws(AirportTransportError) {
        if try await attempt() { break }
        fault = AirportTransportError(.unreachable, reason: "the response ended before the end of the file")
      } catch {
        fault = error
      }
      if Task.isCancelled || fault.code == .cancelled { throw .cancelled }
      guard fault.code == .unreachable else { throw failure(fault) }
      // The received bytes belong to a file that the server no longer has.
      if tagBefore != nil, heldTag != tagBefore { changeCount += 1 }
      guard changeCount < Self.maximumChanges else {
        throw failure(
          AirportTransportError(
            .malformed, reason: "the file on the server changed \(changeCount) times during the download"))
      }
      // Without an entity tag, the next attempt restarts the download and discards the received bytes.
      guard let wait = retry.wait(afterKeeping: heldTag == nil ? 0 : heldBytes - before) else { throw failure(fault) }
      do { try await sleep(wait) } catch { throw .cancelled }
    }
    var blocks = try onDisk { try FileBlocks(path: part.path) }
    let sha256 = try onDisk { try blocks.sha256() }
    return AirportDownloadSummary(
      cycle: cycle, path: part.path, bytes: blocks.byteCount, sha256: sha256, entityTag: heldTag,
      resumeCount: retry.attempts, base: base)
  }

  /// Deletes the received bytes.
  func remove() {
    for file in [part, tag] { try? FileManager.default.removeItem(at: file) }
  }

  // MARK: One attempt

  /// The number of changes of the entity tag after which the download fails.
  private static let maximumChanges = 3

  /// Reasons that mark errors other than transport errors within an attempt.
  private static let notAvailable = "the server has no such file"
  private static let tooLarge = "the file is too large"

  /// Sends one request and receives the response.
  ///
  /// - Returns: Whether the file is complete.
  private func attempt() async throws(AirportTransportError) -> Bool {
    let tag = heldTag
    // Without an entity tag, the rest of the file can't be matched to the received bytes.
    let offset = tag == nil ? 0 : heldBytes
    switch try await transport.open(AirportRequest(cycle: cycle, offset: offset, entityTag: tag, base: base)) {
    case .notAvailable: throw AirportTransportError(.refused, reason: Self.notAvailable)
    case .nothingMore(let total):
      if offset > 0, total ?? offset == offset { return true }
      remove()
      return false
    case .body(let body):
      guard body.offset == 0 || (body.offset == offset && body.entityTag ?? tag == tag) else {
        remove()
        return false
      }
      return try await receive(body)
    }
  }

  private func receive(_ body: AirportBody) async throws(AirportTransportError) -> Bool {
    do {
      let file = try open(at: body.offset, tag: body.entityTag)
      defer { try? file.close() }
      var count = body.offset
      report(count, of: body.totalBytes)
      for try await block in body.blocks {
        try file.write(contentsOf: block)
        count += Int64(block.count)
        guard count <= maximumBytes else { throw AirportTransportError(.malformed, reason: Self.tooLarge) }
        report(count, of: body.totalBytes)
      }
      try Task.checkCancellation()
      return body.totalBytes.map { count == $0 } ?? true
    } catch let error as AirportTransportError {
      throw error
    } catch is CancellationError {
      throw AirportTransportError(.cancelled, reason: "the download was cancelled")
    } catch let error as CocoaError {
      throw AirportTransportError(.refused, reason: "writing to the disk failed: error \(error.code.rawValue)")
    } catch {
      throw AirportTransportError(.unreachable, reason: "the connection was lost")
    }
  }

  private func report(_ count: Int64, of total: Int64?) {
    progress(AirportDownloadProgress(receivedBytes: count, totalBytes: total))
  }

  private func failure(_ fault: AirportTransportError) -> AirportLoaderError {
    switch fault.reason {
    case Self.notAvailable: return .cycleNotAvailable(cycle)
    case Self.tooLarge:
      remove()
      return .data(AirportDataError(.oversized, at: Int(clamping: maximumBytes), fault.reason))
    default: return .transport(fault)
    }
  }

  // MARK: Files

  private var heldBytes: Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: part.path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  private var heldTag: String? {
    (try? Data(contentsOf: tag)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Opens the file for writing at an offset and stores its entity tag.
  private func open(at offset: Int64, tag: String?) throws -> FileHandle {
    if offset == 0 {
      // The tag is removed before the file is replaced and written afterwards, so it never belongs to other bytes.
      try? FileManager.default.removeItem(at: self.tag)
      try Data().write(to: part)
      if let tag { try Data(tag.utf8).write(to: self.tag, options: .atomic) }
    }
    let file = try FileHandle(forWritingTo: part)
    try file.truncate(atOffset: UInt64(offset))
    return file
  }

  private func onDisk<T>(_ body: () throws -> T) throws(AirportLoaderError) -> T {
    do {
      return try body()
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .folder(reason: error.localizedDescription)
    }
  }
}
