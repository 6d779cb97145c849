package import ContrailLog
import ContrailWire

/// The web sites whose pages may use the service from a browser (CORS, as the Fetch standard describes it).
///
/// A page of the service itself needs no permission. Without permission, a browser doesn't show answers to a page of another site.
/// Keys are sent in a field of the head and never as a cookie, so a page without a key can't act for a user.
package struct CrossOrigin: Sendable {
  /// The origins, such as `https://desk.example.com`.
  private let origins: Set<String>
  private let allowsAll: Bool

  /// Creates the permission for origins.
  ///
  /// - Parameter origins: Origins as browsers write them, or `*` for all.
  /// - Throws: ``InputError`` if one isn't an origin.
  package init(_ origins: [String]) throws(InputError) {
    for origin in origins where origin != "*" && !Self.isOrigin(origin) {
      throw InputError(
        .option, at: "'\(origin)'",
        "it isn't an origin. Use a scheme and a host without a path, such as https://desk.example.com, or '*'")
    }
    self.origins = Set(origins)
    allowsAll = origins.contains("*")
  }

  /// The fields that requests of the protocol have.
  private static let requestFields =
    ["Accept", "Content-Encoding", "Content-Type", WireHeader.since, WireHeader.traffic, WireHeader.idempotencyKey]
    + ["If-None-Match", HoldTerms.field, WireHeader.apiKey]
  /// The fields of answers that a client reads.
  private static let answerFields = [
    WireHeader.area, WireHeader.holds, WireHeader.repairs, WireHeader.serverTime, "Content-Encoding", "ETag",
    "Retry-After",
  ]
  /// How long a browser may remember the permission, in seconds. Chromium remembers it for two hours at most.
  private static let permissionSeconds = 86_400

  private static func isOrigin(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://")?.upperBound, text[..<end] == "https://" || text[..<end] == "http://"
    else { return false }
    let host = text[end...]
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-.:[]".utf8.contains(byte)
      }
  }

  private func allowed(_ request: ServiceRequest) -> String? {
    guard let origin = request.headers["Origin"] else { return nil }
    return allowsAll ? "*" : origins.contains(origin) ? origin : nil
  }

  /// Returns the answer to the question of a browser whether a page may send a request; nil if the request is another one, or the page
  /// may not.
  ///
  /// - Parameter allowsSimulation: Whether requests can set their time and choose faults.
  func preflight(_ request: ServiceRequest, allowsSimulation: Bool) -> ServiceAnswer? {
    guard request.method == "OPTIONS", request.headers["Access-Control-Request-Method"] != nil,
      allowed(request) != nil
    else { return nil }
    var fields = HeaderFields()
    fields["Access-Control-Allow-Methods"] = "GET, HEAD, POST"
    let simulation = allowsSimulation ? [WireHeader.simulatedTime, WireHeader.fault] : []
    fields["Access-Control-Allow-Headers"] = (Self.requestFields + simulation).joined(separator: ", ")
    fields["Access-Control-Max-Age"] = "\(Self.permissionSeconds)"
    if request.headers["Access-Control-Request-Private-Network"] == "true" {
      fields["Access-Control-Allow-Private-Network"] = "true"
    }
    var answer = ServiceAnswer(status: 204, headers: fields, body: [])
    allow(&answer, to: request)
    return answer
  }

  /// Adds to an answer that the page that sent the request may read it.
  func allow(_ answer: inout ServiceAnswer, to request: ServiceRequest) {
    // Copies of an answer in a cache differ by the origin.
    if !allowsAll { answer.headers["Vary"] = answer.headers["Vary"].map { "\($0), Origin" } ?? "Origin" }
    guard let origin = allowed(request) else { return }
    answer.headers["Access-Control-Allow-Origin"] = origin
    answer.headers["Access-Control-Expose-Headers"] = Self.answerFields.joined(separator: ", ")
  }
}
