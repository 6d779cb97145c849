import ContrailLog

/// The reason of an ``Acceptance`` between the moment it is written and the moment it is in the file of reasons.
///
/// Two files can't be replaced at once. So the reason is first written to a file whose name contains the hash of the new
/// recording. Only if the recording has that hash, the change was made, and the reason is appended.
struct WaitingReasons {
  /// The path of the file that contains the reasons, beside the recording.
  let reasonsPath: String
  private let path: String
  private let storage = POSIXStorage()

  init(of path: String) {
    self.path = path
    reasonsPath = (path.hasSuffix(".jsonl") ? String(path.dropLast(".jsonl".count)) : path) + ".accepted.md"
  }

  private static let suffix = ".waiting"

  /// Writes a reason that waits for the recording with this hash.
  func add(_ note: [UInt8], for recording: BlobStore.ID) throws(LogError) {
    try StagedOutput.write(note, to: "\(reasonsPath).\(recording.digits)\(Self.suffix)", replacing: .anyFile)
  }

  /// Removes the waiting reasons.
  func discard() {
    for (waiting, _) in all() { try? storage.remove(waiting) }
  }

  /// Appends the reason that belongs to the recording, and removes all others that wait.
  ///
  /// - Returns: Whether a reason was appended.
  func complete() throws(LogError) -> Bool {
    ScratchDirectory.removeRemains(in: Path.directory(of: path))
    var hasAppended = false
    for (waiting, recording) in all() {
      if FileBytes.sha256(of: path) == recording { hasAppended = try append(try contents(of: waiting)) }
      do throws(StorageError) {
        try storage.remove(waiting)
      } catch {
        throw Self.failure(.writeFailed, waiting, error)
      }
    }
    return hasAppended
  }

  /// The waiting reasons and the hashes of their recordings.
  private func all() -> [(path: String, recording: String)] {
    let prefix = Path.name(of: reasonsPath) + "."
    let folder = Path.directory(of: reasonsPath)
    return ((try? storage.names(in: folder)) ?? []).sorted().compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
      let digits = String(name.dropFirst(prefix.count).dropLast(Self.suffix.count))
      return BlobStore.ID(digits) == nil ? nil : (Path.join(folder, name), digits)
    }
  }

  /// Appends a note to the file of reasons, unless the process was killed after that.
  private func append(_ note: [UInt8]) throws(LogError) -> Bool {
    var reasons: [UInt8] = []
    do throws(StorageError) {
      if try storage.kind(of: reasonsPath) == .file { reasons = try storage.contents(of: reasonsPath) }
    } catch {
      throw Self.failure(.unreadable, reasonsPath, error)
    }
    if reasons.suffix(note.count) == note[...] { return false }
    if reasons.isEmpty { reasons = Array("# Changes accepted into \(Path.name(of: path))\n".utf8) }
    try StagedOutput.write(
      reasons + Array("\n".utf8) + note, to: reasonsPath, replacing: .anyFile, creating: .shared)
    return true
  }

  private func contents(of path: String) throws(LogError) -> [UInt8] {
    do throws(StorageError) {
      return try storage.contents(of: path)
    } catch {
      throw Self.failure(.unreadable, path, error)
    }
  }

  private static func failure(_ code: LogError.Code, _ path: String, _ error: StorageError) -> LogError {
    LogError(
      code, file: path, reason: "\(error.operation) failed: \(error.message)", errorNumber: error.errorNumber)
  }
}
