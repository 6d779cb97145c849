extension ObservationsAnswer {
  /// Creates a turbulence-only response from text in exactly the form of ``json``; nil for any other form, valid or
  /// not.
  ///
  /// If the result isn't nil, ``json`` returns the same bytes and ``init(json:)`` the same response.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response.
  ///   - usesVectors: Whether to use vector instructions, if available. The result is the same.
  /// - Complexity: O(*n*) in the bytes, about 15 bytes per nanosecond, with one allocation.
  package init?(canonical bytes: UnsafeRawBufferPointer, usesVectors: Bool = true) {
    var scan = CanonicalScanner(bytes)
    let times = Int64(UInt32.max)
    guard scan.skip("{\"data\":{\"lastUpdatedAt\":"), let token = scan.number(upTo: times) else { return nil }
    var answer = ObservationsAnswer(token: token)
    if scan.skip(",\"follows\":") {
      guard let follows = scan.number(upTo: times) else { return nil }
      answer.follows = follows
    }
    if scan.skip(",\"count\":") {
      guard let count = scan.number(upTo: Int64.max), let narrow = Int(exactly: count), scan.skip(",\"checksum\":\""),
        let checksum = scan.hex16(), scan.skip("\"")
      else { return nil }
      answer.held = HeldSum(count: narrow, checksum: checksum)
    }
    guard scan.skip(",\"hexagons\":[") else { return nil }
    if !scan.skip("]") {
      guard let (reports, newest) = scan.hexagons(usesVectors: usesVectors),
        Int64(newest) <= token + Self.maximumLeadSeconds
      else { return nil }
      answer.reports = reports
    }
    guard scan.skip("},\"meta\":{},\"links\":{},\"warnings\":{}}"), scan.isAtEnd else { return nil }
    self = answer
  }
}
