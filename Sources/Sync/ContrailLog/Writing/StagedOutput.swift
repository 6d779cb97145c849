#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A file that is written in a temporary directory and moved to its destination when complete.
///
/// ```swift
/// let output = try StagedOutput("flight.jsonl", replacing: .log)
/// try record(to: output.path)
/// try output.publish()
/// ```
///
/// An existing file at the destination is unchanged until ``publish()`` returns. If several processes write a new file at
/// the same time, one of them succeeds. Temporary files are removed when the object is released.
package final class StagedOutput: Sendable {
  /// The type of files that may be replaced.
  package struct Replaceable: Sendable {
    /// A description of the type for error messages; nil if no file may be replaced.
    fileprivate let name: String?
    fileprivate let isMet: @Sendable (_ path: String) -> Bool

    /// Creates a type of files that a function recognizes.
    ///
    /// - Parameters:
    ///   - name: A description of the type, such as `a Contrail log`.
    ///   - isMet: Returns whether the file at a path has the type.
    package init(_ name: String, where isMet: @escaping @Sendable (_ path: String) -> Bool) {
      self.name = name
      self.isMet = isMet
    }

    private init() {
      name = nil
      isMet = { _ in false }
    }

    /// No file.
    package static let nothing = Replaceable()
    /// Contrail logs, recognized by their first line.
    package static let log = Replaceable("a Contrail log") { LogReader.isLog(at: $0) }
    /// Any regular file, if its contents were read and are preserved.
    package static let anyFile = Replaceable("a file") { _ in true }
  }

  /// The path of the file to write.
  package let path: String
  /// The directory of the file, for other temporary files.
  package var directory: String { scratch.path }

  private let destination: String
  private let access: POSIXStorage.Access
  private let replaceable: Replaceable
  private let scratch: ScratchDirectory

  /// Prepares to write a file.
  ///
  /// - Parameters:
  ///   - destination: The path of the file. For a symbolic link, the file it refers to is replaced.
  ///   - replaceable: The type of existing file that may be replaced. Its permissions are kept.
  ///   - access: Who can read a new file.
  /// - Throws: ``LogError/Code/alreadyExists`` if the destination is another type of file,
  ///   ``LogError/Code/writeFailed``.
  package init(
    _ destination: String, replacing replaceable: Replaceable, creating access: POSIXStorage.Access = .own
  ) throws(LogError) {
    self.destination = try Self.place(destination, replacing: replaceable)
    self.access = access
    self.replaceable = replaceable
    do throws(StorageError) {
      scratch = try ScratchDirectory(in: Path.directory(of: self.destination))
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    path = Path.join(scratch.path, Path.name(of: self.destination))
  }

  /// Writes a complete file.
  ///
  /// - Throws: The errors of ``init(_:replacing:creating:)`` and ``publish()``.
  package static func write(
    _ bytes: [UInt8], to destination: String, replacing replaceable: Replaceable,
    creating access: POSIXStorage.Access = .own
  ) throws(LogError) {
    let output = try StagedOutput(destination, replacing: replaceable, creating: access)
    try output.write(bytes)
    try output.publish()
  }

  /// Checks that a file may be written to a destination, without creating anything.
  ///
  /// - Throws: ``LogError/Code/alreadyExists``.
  package static func check(_ destination: String, replacing replaceable: Replaceable) throws(LogError) {
    _ = try place(destination, replacing: replaceable)
  }

  /// Writes the bytes of the file, which must not exist yet.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  package func write(_ bytes: [UInt8]) throws(LogError) {
    try write { (append) throws(LogError) in try append(bytes) }
  }

  /// Writes the bytes of the file, which must not exist yet, piece by piece.
  ///
  /// - Parameter body: A function that calls its argument with each piece.
  /// - Throws: ``LogError/Code/writeFailed``.
  package func write(
    _ body: (_ append: ([UInt8]) throws(LogError) -> Void) throws(LogError) -> Void
  ) throws(LogError) {
    let writer = try writer()
    try body { (bytes) throws(LogError) in try writer.append(bytes) }
  }

  /// Creates the file, which must not exist yet, to be written piece by piece.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  package func writer() throws(LogError) -> Writer {
    do throws(StorageError) {
      return Writer(try POSIXStorage(creating: access).open(path, .create), destination: destination)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
  }

  /// Writes the bytes of a file, piece by piece.
  package final class Writer {
    private let file: any LogFile
    private let destination: String
    /// The number of bytes so far.
    package private(set) var byteCount = 0

    fileprivate init(_ file: any LogFile, destination: String) {
      self.file = file
      self.destination = destination
    }

    /// Appends bytes.
    ///
    /// - Throws: ``LogError/Code/writeFailed``.
    package func append(_ bytes: [UInt8]) throws(LogError) {
      do throws(StorageError) {
        try bytes.withBytes { bytes throws(StorageError) in try file.writeAll(bytes, at: Int64(byteCount)) }
      } catch {
        throw LogError(.writeFailed, file: destination, error)
      }
      byteCount += bytes.count
    }
  }

  /// Syncs the file and moves it to its destination, after its blobs, which go to the folder `blobs` beside it.
  ///
  /// Existing blobs are kept, because other logs may refer to them.
  ///
  /// - Throws: ``LogError/Code/alreadyExists`` if a file that may not be replaced was created at the destination
  ///   meanwhile, ``LogError/Code/writeFailed``. The existing file is kept, and so are blobs that were already moved.
  package func publish() throws(LogError) {
    let storage = POSIXStorage()
    let home = Path.directory(of: destination)
    _ = try Self.place(destination, replacing: replaceable)
    do throws(StorageError) {
      try storage.open(path, .update).synchronize()
      if let permissions = POSIXStorage.permissions(of: destination), chmod(path, permissions) != 0 {
        throw .last("chmod")
      }
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    let blobs = Path.join(home, LogFileName.blobs)
    let hadBlobs = (try? storage.kind(of: blobs)) != .nothing
    do throws(LogError) {
      try publishBlobs(to: BlobStore(directory: blobs, storage: storage))
      try move(to: home, storage)
    } catch {
      if !hadBlobs { storage.removeEmptyDirectory(blobs) }
      throw error
    }
    discard()
  }

  /// Moves the file to its destination, where only a file that may be replaced is replaced.
  private func move(to home: String, _ storage: POSIXStorage) throws(LogError) {
    let isInPlace: Bool
    do throws(StorageError) {
      isInPlace = try storage.moveWithoutReplacing(path, to: destination)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    if !isInPlace { _ = try Self.place(destination, replacing: replaceable) }
    do throws(StorageError) {
      if !isInPlace { try storage.rename(path, to: destination) }
      try storage.synchronize(directory: home)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
  }

  /// Returns a writer's error with the name of the destination instead of the temporary ``path``.
  package func named(_ error: LogError) -> LogError {
    guard error.file == path else { return error }
    return LogError(
      error.code, file: destination, line: error.line, seq: error.seq, reason: error.reason,
      errorNumber: error.errorNumber)
  }

  /// Removes all temporary files. The destination is unchanged.
  package func discard() { scratch.remove() }

  private func publishBlobs(to target: BlobStore) throws(LogError) {
    let staged = BlobStore(ofLogIn: scratch.path)
    let ids: [BlobStore.ID]
    do throws(StorageError) {
      ids = try staged.all().map(\.id)
    } catch {
      throw LogError(.unreadable, file: staged.directory, error)
    }
    for id in ids { _ = try target.put(try staged.bytes(of: id)) }
  }

  /// Returns the path to write, with symbolic links resolved.
  private static func place(_ destination: String, replacing replaceable: Replaceable) throws(LogError) -> String {
    func refuse(_ reason: String) -> LogError { LogError(.alreadyExists, file: destination, reason: reason) }
    let place: String
    let kind: LogStorageKind
    do throws(StorageError) {
      place = try POSIXStorage().followed(destination)
      kind = try POSIXStorage().kind(of: place)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    switch kind {
    case .nothing: break
    case .directory: throw refuse("it is a directory, not a file")
    case .special: throw refuse("it is a pipe, a socket or a device, not a file")
    case .file:
      guard let name = replaceable.name else { throw refuse("the file already exists") }
      guard replaceable.isMet(place) else { throw refuse("the existing file isn't \(name), so it isn't replaced") }
    }
    return place
  }
}

extension POSIXStorage {
  /// Returns the permissions of a file, or nil if there is none.
  fileprivate static func permissions(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  /// Returns the path that a symbolic link refers to; any other path unchanged.
  fileprivate func followed(_ path: String) throws(StorageError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let target = realpath(path, nil) else { throw .last("realpath") }
    defer { free(target) }
    return String(cString: target)
  }
}

extension LogReader {
  /// Whether the file at a path is a Contrail log of any version, according to its first line.
  package static func isLog(at path: String) -> Bool {
    do throws(LogError) {
      return try LogReader(path: path).next() != nil
    } catch {
      return error.code == .newerFormat || error.code == .olderFormat
    }
  }
}
