import Foundation

/// The real data for tests, which isn't part of the package.
package enum SharedData {
  /// The folder that `CONTRAIL_DATA` names; nil if it names none.
  package static let folder = ProcessInfo.processInfo.environment["CONTRAIL_DATA"]
}
