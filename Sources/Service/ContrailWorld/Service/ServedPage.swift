import ContrailLog
import ContrailWire

/// The page of a service: files beside the protocol that browsers load, such as `/` and its scripts. They are in memory.
///
/// The files need no key, because a page asks for the key, and they contain no data.
package struct ServedPage: Sendable {
  /// A file of the page.
  package struct File: Sendable {
    /// The media type, such as `text/html; charset=utf-8`.
    package var type: String
    package var bytes: [UInt8]
    /// The bytes compressed by gzip; nil if compression doesn't help.
    package var packed: [UInt8]?

    package init(type: String, bytes: [UInt8], packed: [UInt8]? = nil) {
      (self.type, self.bytes, self.packed) = (type, bytes, packed)
    }
  }

  private struct Entry {
    var file: File
    var entityTag: String
  }

  private let entries: [String: Entry]
  /// The Content-Security-Policy of the page.
  private let policy: String

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - files: The files by their paths, such as `/` and `/contrail.js`.
  ///   - policy: The Content-Security-Policy that is sent with each file.
  /// - Complexity: O(bytes): each file is hashed once.
  package init(_ files: [String: File], policy: String) {
    entries = files.mapValues { file in
      var hash = SHA256()
      file.bytes.withUnsafeBytes { hash.update($0) }
      return Entry(file: file, entityTag: String(hash.finishedHex().prefix(16)))
    }
    self.policy = policy
  }

  /// Returns whether the page has a file at a path.
  package func hasFile(at path: String) -> Bool { entries[path] != nil }

  /// Returns the answer to a request for a file; nil if the page has no file at its path.
  func answer(to request: ServiceRequest) -> ServiceAnswer? {
    guard let entry = entries[request.path] else { return nil }
    var reply: Reply
    if request.method == "GET" || request.method == "HEAD" {
      reply = Reply(type: entry.file.type, body: entry.file.bytes)
      reply.entityTag = entry.entityTag
      reply.packedBody = entry.file.packed
      reply.isPackable = entry.file.packed != nil
      // A browser asks each time whether its copy is current, so that a page and its module are of one version.
      reply.fields["Cache-Control"] = "no-cache"
    } else {
      reply = Reply(
        ServiceError(
          status: 405, code: "METHOD_NOT_ALLOWED", message: "\(request.path) takes GET only"))
      reply.fields["Allow"] = "GET, HEAD"
    }
    reply.hasTime = false
    reply.fields["Content-Security-Policy"] = policy
    reply.fields["X-Content-Type-Options"] = "nosniff"
    reply.fields["Referrer-Policy"] = "no-referrer"
    return reply.answer(to: request.headers, plan: [])
  }
}
