import Foundation

/// The files of a database, and the paths for damaged ones.
struct StoreFile {
  let path: String

  /// The suffixes of the files that SQLite creates for a database.
  private static let suffixes = ["", "-wal", "-shm", "-journal"]
  /// The number of damaged databases to keep. When another one is added, the oldest is removed.
  static let maximumAside = 3

  /// The folder of the database.
  private var folder: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }
  private var name: String { URL(fileURLWithPath: path).lastPathComponent }

  func makeFolder() throws(StoreError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw StoreError(.unopenable, file: path, reason: "its folder can't be created: \(error.localizedDescription)")
    }
  }

  var exists: Bool { status != nil }

  /// Creates an empty file that only the user can read. SQLite gives the files beside it the same permissions.
  ///
  /// If that fails, SQLite reports why when it opens the database.
  func createPrivate() {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode_t(0o600))
    if descriptor >= 0 { close(descriptor) }
  }

  /// A file identity that distinguishes a file from a later one at the same path.
  struct Identity: Hashable {
    var device: UInt64
    var number: UInt64
  }

  /// The identity of the current file, or `nil` if there is none.
  var identity: Identity? {
    status.map { Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), number: UInt64($0.st_ino)) }
  }

  private var status: stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Detects faults that SQLite doesn't report clearly: a folder, and a file truncated within its header, which SQLite
  /// treats as an empty database.
  func check() throws(StoreError) {
    guard let status else { return }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw StoreError(.unopenable, file: path, reason: "it is a folder")
    }
    guard status.st_size > 0, status.st_size < 512 else { return }
    throw StoreError(.damaged, file: path, reason: "it is truncated after \(status.st_size) bytes")
  }

  /// Moves the database aside under the next free number, such as `store.sqlite` to `store.sqlite.damaged-1`.
  ///
  /// The additional files of SQLite are moved with it, so that the copy can be opened.
  ///
  /// - Returns: The path of the copy.
  func moveAside() throws(StoreError) -> String {
    let numbers = asideNumbers()
    let copy = "\(path).damaged-\((numbers.last ?? 0) + 1)"
    // The database is moved last. As long as it is in place, the damage is detected again.
    for suffix in Self.suffixes.reversed() where FileManager.default.fileExists(atPath: path + suffix) {
      do {
        try FileManager.default.moveItem(atPath: path + suffix, toPath: copy + suffix)
      } catch {
        throw StoreError(
          .unopenable, file: path, reason: "it is damaged and can't be moved aside: \(error.localizedDescription)")
      }
    }
    for number in numbers.dropLast(Self.maximumAside - 1) {
      for suffix in Self.suffixes {
        // A copy that can't be removed only takes space.
        try? FileManager.default.removeItem(atPath: "\(path).damaged-\(number)\(suffix)")
      }
    }
    return copy
  }

  /// Returns the numbers of the damaged databases in ascending order.
  private func asideNumbers() -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let prefix = "\(name).damaged-"
    return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
  }
}
