package import ContrailCore

/// A violated guarantee in a log: where, what, and what should have been.
package struct Finding: Hashable, Sendable {
  /// The guarantees that hold whatever the server did.
  package enum Guarantee: String, CaseIterable, Hashable, Sendable {
    /// Only the answer to the open request of a scope changes what the scope holds.
    case staleness
    /// A request asks for the wanted data, while online, one at a time, and nothing is fetched in full twice for one cause.
    case frugality
    /// Nothing older than its history is held after an answer.
    case window
    /// No request is sent during a delay after a failure, nor after a refusal that still stands.
    case backoff
    /// Each refusal and each inconsistency is reported once.
    case outages
    /// Each report is uploaded under one key, and not again after it was confirmed.
    case uploads
    /// Each decision names the input before it, and each answer a request that was sent.
    case accounting

    /// The guarantee, as a sentence.
    package var summary: String {
      switch self {
      case .staleness: "Only the answer to a scope's open request changes the data of the scope."
      case .frugality:
        "A request asks for the wanted data, while online, and nothing is fetched in full twice for one cause."
      case .window: "Nothing older than its history is held after an answer."
      case .backoff: "No request is sent during a delay after a failure, nor while a refusal stands."
      case .outages: "Each refusal and each inconsistency is reported once."
      case .uploads: "Each report is uploaded under one key, and not again after it was confirmed."
      case .accounting: "Each decision names the input before it, and each answer a request that was sent."
      }
    }
  }

  package var guarantee: Guarantee
  /// The rule of the decision that violates the guarantee; nil if no decision does.
  package var rule: Rule?
  package var scope: ScopeID?
  package var file: String
  /// The one-based line in the file.
  package var line: Int
  package var seq: Int64
  /// Milliseconds since the first line of the log.
  package var offsetMS: Int64
  /// The contents of the log.
  package var found: String
  /// The expected contents.
  package var expected: String
}
