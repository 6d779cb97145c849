import ContrailEngine
import ContrailLog
import Foundation

#if canImport(UIKit)
  import UIKit
#endif

/// When files can be read, on Apple's platforms: the classes of the system's data protection.
public enum FileProtection: String, Sendable, Hashable, CaseIterable {
  /// After the device was unlocked for the first time since it was started. The client works in the background.
  case afterFirstUnlock
  /// While the device is unlocked; files that are open then stay readable. In the background, the client can't begin new files while the
  /// device is locked, and tells so until it can.
  case unlessOpen
  /// Only while the device is unlocked. The client doesn't work in the background while the device is locked.
  case whileUnlocked
  /// Always.
  case none
}

/// The attributes of the directory of a client: protection by the system, and exclusion from backups.
///
/// Files that are created later take the protection from their directory.
struct DirectoryAttributes: Sendable {
  private let directory: String
  private let protection: FileProtection
  private let isExcludedFromBackup: Bool

  init(_ configuration: ContrailClient.Configuration) {
    directory = configuration.directory.path
    protection = configuration.fileProtection
    isExcludedFromBackup = configuration.isExcludedFromBackup
  }

  /// Creates the directory if needed, and sets the attributes, also of the files in it. Without data protection, it does nothing.
  ///
  /// - Throws: ``EngineError``, transient: while the device is locked, the attributes can't be set.
  func set(_ storage: any LogStorage) throws(EngineError) {
    #if canImport(UIKit) || os(macOS)
      do {
        try storage.makeDirectory(directory)
        let manager = FileManager.default
        for path in [directory] + (manager.subpaths(atPath: directory) ?? []).map({ "\(directory)/\($0)" }) {
          try manager.setAttributes([.protectionKey: protection.systemType], ofItemAtPath: path)
        }
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcludedFromBackup
        var url = URL(fileURLWithPath: directory, isDirectory: true)
        try url.setResourceValues(values)
      } catch {
        throw EngineError(
          code: .log, message: "\(directory): its protection can't be set: \(type(of: error))", isTransient: true)
      }
    #endif
  }
}

#if canImport(UIKit) || os(macOS)
  extension FileProtection {
    fileprivate var systemType: FileProtectionType {
      switch self {
      case .afterFirstUnlock: .completeUntilFirstUserAuthentication
      case .unlessOpen: .completeUnlessOpen
      case .whileUnlocked: .complete
      case .none: .none
      }
    }
  }
#endif
