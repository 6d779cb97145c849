package import Foundation

/// The folder of this package, with its recordings, sources and pages.
package enum PackageFolder {
  package static let url: URL = {
    var folder = URL(filePath: #filePath)
    repeat {
      folder.deleteLastPathComponent()
    } while folder.path != "/" && !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    return folder
  }()

  /// The folder of the recordings, without a slash at its end.
  package static let recordings = file("Recordings").path

  /// Returns the URL of a file or folder, by its path from the package's folder.
  package static func file(_ path: String) -> URL { url.appending(path: path) }

  /// Returns the text of a file, by its path from the package's folder.
  package static func text(of path: String) throws -> String {
    try String(contentsOf: file(path), encoding: .utf8)
  }
}
