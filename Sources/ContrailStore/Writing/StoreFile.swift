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

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Creates an empty file that only the user can read. SQLite gives the files beside it the same permissions.
  ///
  /// If that fails, SQLite reports why when it opens the database.
  func createPrivate() {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode_t(0o600))
    if descriptor >= 0 { close(descriptor) }
  }

  /// A file identity that distinguishes a file from a later one at the same path.
  struct Identity: Hashable {
    var device: Int
    var number: Int
  }

  /// The identity of the current file, or `nil` if there is none.
  var identity: Identity? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let device = attributes[.systemNumber] as? Int, let number = attributes[.systemFileNumber] as? Int
    else { return nil }
    return Identity(device: device, number: number)
  }

  /// Detects faults that SQLite doesn't report clearly: a folder, and a file truncated within its header, which SQLite
  /// treats as an empty database.
  func check() throws(StoreError) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType != .typeDirectory else {
      throw StoreError(.unopenable, file: path, reason: "it is a folder")
    }
    guard let length = attributes[.size] as? Int, length > 0, length < 512 else { return }
    throw StoreError(.damaged, file: path, reason: "it is truncated after \(length) bytes")
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
