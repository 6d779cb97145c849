import Foundation

/// The files of one database, and where a damaged one is put.
struct StoreFile {
  let path: String

  /// What SQLite keeps beside a database.
  private static let suffixes = ["", "-wal", "-shm", "-journal"]
  /// So many damaged databases are kept for those who want to know; an older one goes when another comes.
  static let maximumAside = 3

  /// The folder that the database is in.
  private var folder: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }
  private var name: String { URL(fileURLWithPath: path).lastPathComponent }

  func makeFolder() throws(StoreError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw StoreError(.unopenable, file: path, reason: "its folder can't be made: \(error.localizedDescription)")
    }
  }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// What tells a file from another one that takes its place.
  struct Identity: Hashable {
    var device: Int
    var number: Int
  }

  /// The file that is there now; nil where there is none.
  var identity: Identity? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let device = attributes[.systemNumber] as? Int, let number = attributes[.systemFileNumber] as? Int
    else { return nil }
    return Identity(device: device, number: number)
  }

  /// Finds what SQLite would say nothing of, or not clearly: a folder, and a file that is cut off within the header, which it takes
  /// for an empty database.
  func check() throws(StoreError) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType != .typeDirectory else {
      throw StoreError(.unopenable, file: path, reason: "it is a folder")
    }
    guard let length = attributes[.size] as? Int, length > 0, length < 512 else { return }
    throw StoreError(.damaged, file: path, reason: "it is cut off after \(length) bytes")
  }

  /// Moves the database aside whole, under the next free number: `store.sqlite` to `store.sqlite.damaged-1`.
  ///
  /// What SQLite keeps beside it goes along under the same name, so that the copy can be opened and read.
  ///
  /// - Returns: The path of the copy.
  func moveAside() throws(StoreError) -> String {
    let numbers = asideNumbers()
    let copy = "\(path).damaged-\((numbers.last ?? 0) + 1)"
    // The database last: as long as it is in its place, the damage is found again.
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
        // What can't be removed stays: it harms nothing but room.
        try? FileManager.default.removeItem(atPath: "\(path).damaged-\(number)\(suffix)")
      }
    }
    return copy
  }

  /// The numbers of the damaged databases that were moved aside, ascending.
  private func asideNumbers() -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let prefix = "\(name).damaged-"
    return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
  }
}
