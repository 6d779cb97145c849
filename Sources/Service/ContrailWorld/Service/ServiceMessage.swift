import Foundation

/// A request to the service, without its connection.
package struct ServiceRequest: Sendable {
  /// Why a body can't be read.
  package enum BodyError: Error, Hashable, Sendable {
    /// The body is larger than the limit.
    case tooLarge
    /// The rest of the body doesn't arrive.
    case incomplete
  }

  package var method: String
  /// The path, still with its percent encoding.
  package var path: String
  package var headers: HeaderFields
  /// The address of the caller; empty if it isn't known.
  package var address = ""
  /// Whether the request may be held: other requests of its connection can be answered meanwhile.
  package var canBeHeld: Bool
  /// Receives the body, which may be compressed. The argument is its maximum size in bytes.
  package var body: @Sendable (Int) async throws(BodyError) -> [UInt8]
  /// The parameters of the query in order, decoded.
  package let parameters: [(name: String, value: String)]

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method, such as `GET`.
  ///   - target: The path and the query.
  ///   - headers: The header fields.
  ///   - canBeHeld: Whether the request may be held.
  ///   - body: A closure that receives the body.
  package init(
    method: String, target: String, headers: HeaderFields = HeaderFields(), canBeHeld: Bool = false,
    body: @escaping @Sendable (Int) async throws(BodyError) -> [UInt8]
  ) {
    self.method = method
    self.headers = headers
    self.canBeHeld = canBeHeld
    self.body = body
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    parameters = parts.count > 1 ? Self.parameters(of: parts[1]) : []
  }

  /// Creates a request whose body is complete.
  package init(
    method: String, target: String, headers: HeaderFields = HeaderFields(), canBeHeld: Bool = false, body: [UInt8] = []
  ) {
    self.init(method: method, target: target, headers: headers, canBeHeld: canBeHeld) { (limit) throws(BodyError) in
      guard body.count <= limit else { throw .tooLarge }
      return body
    }
  }

  /// Returns the first value of a parameter.
  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  private static func parameters(of query: Substring) -> [(name: String, value: String)] {
    query.split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { side in
        side.utf8.contains(UInt8(ascii: "%")) ? String(side).removingPercentEncoding ?? String(side) : String(side)
      }
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
  }
}

/// How an answer with records was asked for.
package enum AnswerKind: String, CaseIterable, Hashable, Sendable {
  /// Everything of an area.
  case full
  /// What changed since an earlier answer.
  case delta
  /// The same, by the handle of the area.
  case handle
  /// A delta whose request was held.
  case held
}

/// The answer of the service, before it is written to a connection.
package struct ServiceAnswer: Sendable {
  /// How an answer ends.
  package enum Ending: Hashable, Sendable {
    /// With its last byte.
    case whole
    /// The connection closes without an answer.
    case dropped
    /// The connection closes after ``body``, although the head announces this many bytes, or chunks without an end.
    case cut(announcing: Int?)
  }

  package var status: Int
  package var headers: HeaderFields
  /// The bytes to send.
  package var body: [UInt8]
  package var ending = Ending.whole
  /// The faults of the request.
  package var faults: [Fault] = []
  /// The request that is held again after the answer, if the answer goes on; see ``ReferenceService/next(of:)``.
  package var stream: HeldStream?

  /// The kind of an answer with records; nil for others.
  package var kind: AnswerKind?
  /// The time for which the request was held.
  package var waited = Duration.zero

  init(status: Int, headers: HeaderFields, body: [UInt8]) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The time in milliseconds to wait before the answer is sent.
  package var delayMilliseconds: Int { faults.latencyMilliseconds }
}

/// Header fields in order. Case doesn't matter in their names.
package struct HeaderFields: Sendable {
  package private(set) var all: [(name: String, value: String)]

  package init(_ all: [(name: String, value: String)] = []) {
    self.all = all
  }

  /// The value of a field; values of fields with the same name are joined by commas (RFC 9110, 5.3).
  package subscript(name: String) -> String? {
    get {
      var found: String?
      for field in all where Self.areEqual(field.name, name) {
        found = found.map { "\($0), \(field.value)" } ?? field.value
      }
      return found
    }
    set {
      guard let newValue else { return all.removeAll { Self.areEqual($0.name, name) } }
      if let index = all.firstIndex(where: { Self.areEqual($0.name, name) }) {
        all[index].value = newValue
      } else {
        all.append((name, newValue))
      }
    }
  }

  private static func areEqual(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
