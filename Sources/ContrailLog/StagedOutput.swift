#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A file that is written in a directory of its own and moved to its place when it is whole.
///
/// ```swift
/// let output = try StagedOutput("flight.jsonl", replacing: .log)
/// try record(to: output.path)
/// try output.publish()
/// ```
///
/// Until ``publish()`` returns, what stands in the place stays as it is. Temporary files go when the value is released.
package final class StagedOutput: Sendable {
  /// Which files may be replaced.
  package struct Replaceable: Sendable {
    /// What such a file is, for error texts; nil if none may be.
    fileprivate let name: String?
    fileprivate let isMet: @Sendable (_ path: String) -> Bool

    /// Files that a function recognizes.
    ///
    /// - Parameters:
    ///   - name: What such a file is, such as `a Contrail log`.
    ///   - isMet: Whether the file under a path is one.
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
    /// Contrail logs, told by their first line.
    package static let log = Replaceable("a Contrail log") { LogReader.isLog(at: $0) }
    /// Any regular file: one that was read, and whose bytes are kept.
    package static let anyFile = Replaceable("a file") { _ in true }
  }

  /// The file to write.
  package let path: String
  /// The directory that the file is in, for other temporary files.
  package var directory: String { scratch.path }

  private let destination: String
  private let replaceable: Replaceable
  private let scratch: ScratchDirectory

  /// Prepares to write a file.
  ///
  /// - Parameters:
  ///   - destination: Where the file goes. A symbolic link stays, and the file that it leads to is replaced.
  ///   - replaceable: Which file may stand there.
  /// - Throws: ``LogError/Code/alreadyExists`` if something else stands there, ``LogError/Code/writeFailed``.
  package init(_ destination: String, replacing replaceable: Replaceable) throws(LogError) {
    self.destination = try Self.place(destination, replacing: replaceable)
    self.replaceable = replaceable
    do throws(StorageFault) {
      scratch = try ScratchDirectory(in: Path.directory(of: self.destination))
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    path = Path.join(scratch.path, Path.name(of: self.destination))
  }

  /// Writes a whole file.
  ///
  /// - Throws: As ``init(_:replacing:)`` and ``publish()`` do.
  package static func write(
    _ bytes: [UInt8], to destination: String, replacing replaceable: Replaceable
  ) throws(LogError) {
    let output = try StagedOutput(destination, replacing: replaceable)
    try output.write(bytes)
    try output.publish()
  }

  /// Throws if a file mustn't be written to a place, without making anything.
  ///
  /// - Throws: ``LogError/Code/alreadyExists``.
  package static func check(_ destination: String, replacing replaceable: Replaceable) throws(LogError) {
    _ = try place(destination, replacing: replaceable)
  }

  /// Writes the bytes of the file, which must not be there yet.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  package func write(_ bytes: [UInt8]) throws(LogError) {
    do throws(StorageFault) {
      let file = try POSIXStorage().open(path, .create)
      try bytes.withBytes { bytes throws(StorageFault) in try file.writeAll(bytes, at: 0) }
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
  }

  /// Syncs the file and moves it to its place; blobs beside it go to the folder `blobs` there first.
  ///
  /// Blobs that are there already stay, for other logs may name them.
  ///
  /// - Throws: ``LogError/Code/alreadyExists`` if something came to stand there meanwhile, ``LogError/Code/writeFailed``.
  ///   What stood there stays; blobs that were moved stay too.
  package func publish() throws(LogError) {
    let storage = POSIXStorage()
    let home = Path.directory(of: destination)
    _ = try Self.place(destination, replacing: replaceable)
    do throws(StorageFault) {
      try storage.open(path, .update).synchronize()
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    try publishBlobs(to: BlobStore(directory: Path.join(home, LogFileName.blobs), storage: storage))
    do throws(StorageFault) {
      try storage.rename(path, to: destination)
      try storage.synchronize(directory: home)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    discard()
  }

  /// Removes all temporary files; what stands in the place stays.
  package func discard() { scratch.remove() }

  private func publishBlobs(to target: BlobStore) throws(LogError) {
    let staged = BlobStore(directory: Path.join(scratch.path, LogFileName.blobs))
    let ids: [BlobStore.ID]
    do throws(StorageFault) {
      ids = try staged.all().map(\.id)
    } catch {
      throw LogError(.unreadable, file: staged.directory, error)
    }
    for id in ids { _ = try target.put(try staged.bytes(of: id)) }
  }

  /// The path that is written, which isn't a symbolic link.
  private static func place(_ destination: String, replacing replaceable: Replaceable) throws(LogError) -> String {
    func refuse(_ reason: String) -> LogError { LogError(.alreadyExists, file: destination, reason: reason) }
    let place: String
    let kind: LogStorageKind
    do throws(StorageFault) {
      place = try POSIXStorage().followed(destination)
      kind = try POSIXStorage().kind(of: place)
    } catch {
      throw LogError(.writeFailed, file: destination, error)
    }
    switch kind {
    case .nothing: break
    case .directory: throw refuse("it is a directory, and a file was to be written")
    case .special: throw refuse("it is a pipe, a socket or a device, and a file was to be written")
    case .file:
      guard let name = replaceable.name else { throw refuse("a file was to be written there") }
      guard replaceable.isMet(place) else { throw refuse("it isn't \(name), and nothing else is replaced") }
    }
    return place
  }
}

extension POSIXStorage {
  /// The path that a symbolic link leads to; any other path as it is.
  fileprivate func followed(_ path: String) throws(StorageFault) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let target = realpath(path, nil) else { throw .last("realpath") }
    defer { free(target) }
    return String(cString: target)
  }
}

extension LogReader {
  /// Whether the file under a path is a Contrail log of any version, as its first line says.
  package static func isLog(at path: String) -> Bool {
    do throws(LogError) {
      return try LogReader(path: path).next() != nil
    } catch {
      return error.code == .newerFormat || error.code == .olderFormat
    }
  }
}
