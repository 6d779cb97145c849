extension ObservationsAnswer {
  /// Reads an answer with nothing but turbulence in exactly the spelling of ``json``; nil for any other, valid or not.
  ///
  /// Where it isn't nil, ``json`` gives the same bytes, and ``init(json:)`` the same answer.
  ///
  /// - Parameter usesVectors: Whether vector instructions may be used; the answer is the same either way.
  /// - Complexity: O(*n*) in the bytes, some 15 bytes a nanosecond; one allocation.
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
