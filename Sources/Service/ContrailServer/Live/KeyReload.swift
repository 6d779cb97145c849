package import ContrailLog
package import ContrailWorld
import Foundation
package import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the file of keys again when the process receives SIGHUP.
package struct KeyReload: Service {
  private let path: String
  private let ring: KeyRing
  private let logger: Logger

  package init(path: String, ring: KeyRing, logger: Logger) {
    (self.path, self.ring, self.logger) = (path, ring, logger)
  }

  package func run() async {
    await cancelWhenGracefulShutdown {
      for await _ in await UnixSignalsSequence(trapping: .sighup) {
        do throws(InputError) {
          let keys = try Self.keys(path)
          await ring.replace(keys)
          logger.notice("keys read again", metadata: ["count": "\(keys.count)"])
        } catch {
          // The keys so far remain.
          logger.error("the keys can't be read again", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  /// Reads a file of keys, which only its owner may read or write.
  package static func keys(_ path: String) throws(InputError) -> [KeyRing.Key] {
    func fault(_ reason: String) -> InputError { InputError(.keyFile, at: path, reason) }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int, size <= 16 << 20
    else { throw fault("the file doesn't exist, or is larger than 16 MiB") }
    let mode = attributes[.posixPermissions] as? Int ?? 0
    guard mode & 0o077 == 0 else {
      throw fault("other users may read or write the file; run: chmod 600 \(path)")
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw fault("the file can't be read") }
    return try KeyRing.keys(String(decoding: data, as: UTF8.self), path: path)
  }
}
