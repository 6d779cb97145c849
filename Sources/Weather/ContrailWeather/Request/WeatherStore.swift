public import ContrailGeodesy
public import Foundation

/// The cache: a directory with one file per place, named by ``RoundedCoordinate/key``, that contains the service's response.
///
/// Files are written atomically: a temporary file is written and renamed. The contents are not assumed to match the
/// name; see ``CachingRule``.
public struct WeatherStore: Hashable, Sendable {
  /// The directory. It is created by the first write.
  public let directory: URL

  public init(directory: URL) {
    self.directory = directory
  }

  /// The default directory: `ContrailWeather` in the user's application support directory.
  ///
  /// The system doesn't delete files there when disk space is low.
  public static var defaultDirectory: URL {
    let base =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    return base.appendingPathComponent("ContrailWeather", isDirectory: true)
  }

  /// Returns the URL of a place's file.
  public func url(for place: RoundedCoordinate) -> URL {
    directory.appendingPathComponent(place.key, isDirectory: false)
  }

  /// Returns the stored response for a place; nil if there is none.
  ///
  /// - Throws: ``WeatherError/Code/unreadable``.
  public func read(_ place: RoundedCoordinate) throws(WeatherError) -> Data? {
    do {
      return try Data(contentsOf: url(for: place))
    } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
      return nil
    } catch {
      throw WeatherError(.unreadable, at: place.key, reason: Self.reason(error))
    }
  }

  /// Stores a response for a place, replacing the existing one.
  ///
  /// - Throws: ``WeatherError/Code/notStored``; the existing response is then kept.
  public func write(_ data: Data, for place: RoundedCoordinate) throws(WeatherError) {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try replace(url(for: place), with: data)
    } catch {
      throw WeatherError(.notStored, at: place.key, reason: Self.reason(error))
    }
  }

  /// Replaces a file with one that only the user can read, because the places are those of the aircraft.
  private func replace(_ file: URL, with data: Data) throws {
    let manager = FileManager.default
    let part = directory.appendingPathComponent(".\(UUID().uuidString).part", isDirectory: false)
    guard manager.createFile(atPath: part.path, contents: data, attributes: [.posixPermissions: 0o600]) else {
      throw CocoaError(.fileWriteUnknown)
    }
    guard rename(part.path, file.path) == 0 else {
      try? manager.removeItem(at: part)
      throw CocoaError(.fileWriteUnknown)
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError).map { "the system reported error \($0.code.rawValue)" } ?? "\(type(of: error))"
  }
}
