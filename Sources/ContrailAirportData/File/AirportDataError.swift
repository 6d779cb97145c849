public import ContrailXZ

/// Why data of airports could not be read or written: which kind of fault, where, and why.
public struct AirportDataError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The data are neither of our own form nor a property list of airports.
    case unknownFormat
    /// The data are of a version of our own form that this version doesn't know.
    case newerFormat
    /// The data end before they are complete.
    case truncated
    /// A field is impossible, or a check differs.
    case damaged
    /// The data are complete, and something follows them: as if two files had been written one after the other.
    case concatenated
    /// The data are larger than the limits allow.
    case oversized
    /// The compression around the data could not be undone: see ``AirportDataError/packing``.
    case notUnpacked
    /// The airports can't be written: a value isn't one that a file may hold.
    case unwritable
  }

  /// The kind of fault.
  public let code: Code
  /// Where in the data, counted in bytes after unpacking; in the packed data where ``packing`` says what was wrong.
  public let offset: Int64
  /// Why, in a clause without a full stop.
  public let reason: String
  /// What was wrong with the compression, if that was it.
  public let packing: XZError?

  package init(_ code: Code, at offset: Int, _ reason: String) {
    self.code = code
    self.offset = Int64(offset)
    self.reason = reason
    packing = nil
  }

  init(_ error: XZError) {
    packing = error
    reason = error.description
    switch error {
    case .oversized, .memoryLimited, .outOfMemory: code = .oversized
    case .truncated: code = .truncated
    case .trailingGarbage: code = .concatenated
    case .notCompressed: code = .unknownFormat
    default: code = .notUnpacked
    }
    switch error {
    case .damaged(let offset), .truncated(let offset), .trailingGarbage(let offset): self.offset = offset
    default: offset = 0
    }
  }

  /// What to do about it, in a sentence.
  public var advice: String {
    switch code {
    case .unknownFormat: "Check that this is a file of airports."
    case .newerFormat: "Update this program, or make the file with an older one."
    case .truncated, .damaged, .concatenated, .notUnpacked: "Fetch or build the file again."
    case .oversized: "Raise the limits if you trust where the file comes from."
    case .unwritable: "Correct the named airport."
    }
  }
}

extension AirportDataError: CustomStringConvertible {
  public var description: String { "\(code.rawValue) at byte \(offset): \(reason). \(advice)" }
}
