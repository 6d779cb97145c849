import Foundation

/// The real data that tests use where there is some.
package enum SharedData {
  /// The folder that `CONTRAIL_DATA` names; nil if it names none.
  package static let folder = ProcessInfo.processInfo.environment["CONTRAIL_DATA"]
}
