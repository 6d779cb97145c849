// A full answer as changes to records that the client holds of another area. In the compact form with flag 64, after the sums:
//
//     number…                  of the held reports, sorted as the columns are: how many are still there, how many after them are not,
//                              and so on alternately, until all are named
//     reports                  the other reports, as in an answer without the flag
//     number…                  of the held PIREPs, in the order of identifiers: the same
//     PIREPs                   if flag 8: the other PIREPs
//
// The sums of the answer are those of the result.

/// The reports and PIREPs that a client holds. A compact answer for another area may contain the changes to them.
package struct HeldRecords: Hashable, Sendable {
  /// The reports, sorted by cell, the other parts, and time.
  package let reports: [TurbulenceReport]
  /// The PIREPs, in the order of their identifiers.
  package let pireps: [PIREP]

  package init(reports: [TurbulenceReport] = [], pireps: [PIREP] = []) {
    self.reports = reports.sorted { $0.precedes($1) }
    self.pireps = pireps.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
  }

  package var isEmpty: Bool { reports.isEmpty && pireps.isEmpty }

  /// Returns which of the held reports are among others, and the others that aren't held.
  func changes(to reports: [TurbulenceReport]) -> (areKept: [Bool], others: [TurbulenceReport]) {
    let (held, wanted) = (Set(self.reports), Set(reports))
    return (self.reports.map { wanted.contains($0) }, reports.filter { !held.contains($0) })
  }

  /// Returns which of the held PIREPs are among others, and the others that aren't held.
  func changes(to pireps: [PIREP]) -> (areKept: [Bool], others: [PIREP]) {
    let (held, wanted) = (Self.byDigest(self.pireps), Self.byDigest(pireps))
    return (
      self.pireps.map { wanted[$0.digest]?.isIdentical(to: $0) ?? false },
      pireps.filter { !(held[$0.digest]?.isIdentical(to: $0) ?? false) }
    )
  }

  /// Returns PIREPs by their digests: the first one of each.
  private static func byDigest(_ pireps: [PIREP]) -> [UInt64: PIREP] {
    var found: [UInt64: PIREP] = [:]
    for pirep in pireps where found[pirep.digest] == nil { found[pirep.digest] = pirep }
    return found
  }

  /// The count and the checksum of all, in four bytes.
  package var checksum: UInt32 {
    Self.checksum(
      reports: HeldSum(count: reports.count, checksum: reports.reduce(0) { $0 &+ $1.digest }),
      pireps: HeldSum(count: pireps.count, checksum: pireps.reduce(0) { $0 &+ $1.digest }))
  }

  /// Returns the checksum of records with these sums.
  package static func checksum(reports: HeldSum, pireps: HeldSum) -> UInt32 {
    var sum = Digest.mix(reports.checksum &+ UInt64(reports.count))
    sum = Digest.mix(sum &+ pireps.checksum &+ UInt64(pireps.count))
    return UInt32(truncatingIfNeeded: sum)
  }
}

extension TurbulenceReport {
  /// Whether the report comes before another in the compact form.
  func precedes(_ other: TurbulenceReport) -> Bool { (packed, observedAt) < (other.packed, other.observedAt) }
}

extension PIREP {
  /// Whether all parts are equal, texts byte for byte: strings that Unicode considers equal may differ in their bytes.
  fileprivate func isIdentical(to other: PIREP) -> Bool {
    self == other && id.utf8.elementsEqual(other.id.utf8) && text.utf8.elementsEqual(other.text.utf8)
  }
}

extension CompactWriter {
  /// Writes which of the held records are still there.
  mutating func runs(_ areKept: [Bool]) {
    var start = 0
    var isKept = true
    while start < areKept.count {
      let end = areKept[start...].firstIndex { $0 != isKept } ?? areKept.count
      number(end - start)
      start = end
      isKept.toggle()
    }
  }
}

extension CompactReader {
  /// Reads which of the held records are still there, and returns those.
  mutating func kept<Record>(of held: [Record]) throws(CompactError) -> [Record] {
    var kept: [Record] = []
    var start = 0
    var isKept = true
    while start < held.count {
      let length = Int(try number(upTo: UInt64(held.count - start), "held records"))
      guard length > 0 || start == 0 && isKept else { throw fault("a number of held records is 0") }
      if isKept { kept += held[start..<start + length] }
      start += length
      isKept.toggle()
    }
    return kept
  }
}
