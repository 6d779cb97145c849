public import ContrailGeodesy
public import Foundation

/// The cache: a file per place in a directory, named by ``WeatherPlace/key``, which holds the service's answer as it came.
///
/// A file is there whole or not at all: it is written beside and then renamed. Files are never trusted to be what
/// they are named: see ``CachingRule``.
public struct WeatherStore: Hashable, Sendable {
  /// The directory. Made when first written to.
  public let directory: URL

  public init(directory: URL) {
    self.directory = directory
  }

  /// Where answers are kept unless the app says otherwise: `ContrailWeather` in the user's application support
  /// directory, which the system doesn't empty when space is short.
  public static var defaultDirectory: URL {
    let base =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    return base.appendingPathComponent("ContrailWeather", isDirectory: true)
  }

  /// The file of a place.
  public func url(for place: WeatherPlace) -> URL {
    directory.appendingPathComponent(place.key, isDirectory: false)
  }

  /// What is stored for a place; nil where there is nothing.
  ///
  /// - Throws: ``WeatherError/Code/unreadable``.
  public func read(_ place: WeatherPlace) throws(WeatherError) -> Data? {
    do {
      return try Data(contentsOf: url(for: place))
    } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
      return nil
    } catch {
      throw WeatherError(.unreadable, at: place.key, reason: Self.reason(error))
    }
  }

  /// Stores an answer for a place, in place of what was there.
  ///
  /// - Throws: ``WeatherError/Code/notStored``; what was there stays.
  public func write(_ data: Data, for place: WeatherPlace) throws(WeatherError) {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try data.write(to: url(for: place), options: .atomic)
    } catch {
      throw WeatherError(.notStored, at: place.key, reason: Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError).map { "the system's error is \($0.code.rawValue)" } ?? "\(type(of: error))"
  }
}
