package import ContrailCompression

/// An error of reading or writing airport data, with its code, offset, reason and advice.
public struct AirportDataError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The data is neither an airport file nor a property list of airports.
    case unknownFormat
    /// The airport file has a version that this version of the package doesn't support.
    case newerFormat
    /// The data ends too early.
    case truncated
    /// A field is invalid, or a checksum doesn't match.
    case damaged
    /// The data is complete but followed by more bytes, for example by a second file.
    case concatenated
    /// The data exceeds the limits.
    case oversized
    /// The data can't be decompressed; see ``AirportDataError/packing``.
    case notUnpacked
    /// The airports can't be written, because a value isn't allowed in a file.
    case unwritable
    /// A delta changes other airports than those it is applied to.
    case wrongBase
    /// The airports after a delta don't have the digest of the new cycle.
    case wrongDigest
  }

  /// The kind of error.
  public let code: Code
  /// The byte offset in the decompressed data, or in the compressed data if ``packing`` is set.
  public let offset: Int64
  /// The reason, as a clause without a full stop.
  public let reason: String
  /// The error of the decompression, if it failed.
  package let packing: CompressionError?

  package init(_ code: Code, at offset: Int, _ reason: String) {
    self.code = code
    self.offset = Int64(offset)
    self.reason = reason
    packing = nil
  }

  init(_ error: CompressionError) {
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

  /// The suggested action, as a sentence.
  public var advice: String {
    switch code {
    case .unknownFormat: "Check that this is an airport file."
    case .newerFormat: "Update this program, or create the file with an older version."
    case .truncated, .damaged, .concatenated, .notUnpacked: "Download or build the file again."
    case .oversized: "Increase the limits if you trust the source of the file."
    case .unwritable: "Correct the named airport."
    case .wrongBase, .wrongDigest: "Load the complete file of the cycle."
    }
  }
}

extension AirportDataError: CustomStringConvertible {
  public var description: String { "\(code.rawValue) at byte \(offset): \(reason). \(advice)" }
}
