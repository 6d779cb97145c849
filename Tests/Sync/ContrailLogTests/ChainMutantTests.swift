import ContrailTestSupport
import Testing

@testable import ContrailLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Edits signed logs as somebody without the key can, and expects that the first change is named.
@Suite struct ChainMutantTests {
  /// `CONTRAIL_MUTANTS` sets another number.
  static let mutantCount = getenv("CONTRAIL_MUTANTS").flatMap { Int(String(cString: $0)) } ?? 720
  private static let mutantsPerLog = 18

  /// How changes were found.
  private struct Tally {
    var mutants = 0
    /// The change is in a line that no signature covers yet, and the verification says so.
    var uncovered = 0
    var exact = 0
    /// The change concerns a mark about retention that nothing covers yet; or else lines before the first are missing.
    var otherwise = 0
    var ranges: [Int64] = []
    var bySignature = 0
    var byReceipt = 0

    var text: String {
      let sorted = ranges.sorted()
      let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
      return "\(mutants) mutants: \(exact) named exactly, \(ranges.count) as one of several lines "
        + "(median \(middle), at most \(sorted.last ?? 0)), \(otherwise) as the mark about retention; of these \(bySignature) by a signature, \(byReceipt) by the receipt; "
        + "\(uncovered) in lines not signed yet"
    }
  }

  @Test func everyEditIsNamedAtItsLine() throws {
    var tally = Tally()
    var seed: UInt64 = 0
    while tally.mutants < Self.mutantCount {
      seed += 1
      let log = try ChainLog(seed: seed)
      let honest = try log.verification()
      #expect(honest.fault == nil, "seed \(seed)")
      guard let receipt = honest.head else { continue }
      var random = SplitMix64(seed: seed)
      for edit in ChainMutant.Edit.allCases {
        var mutant = try ChainMutant(of: log)
        mutant.apply(edit, &random)
        guard let change = mutant.firstChange else { continue }
        tally.mutants += 1
        let found = try ChainVerification(
          path: ChainLog.path, receipt: receipt, storage: mutant.disk, check: log.signer.check)
        judge(found, change, "seed \(seed), \(edit)", &tally)
      }
    }
    print("sealed logs: \(tally.text)")
    #expect(tally.exact > tally.mutants / 4)
  }

  private func judge(_ found: ChainVerification, _ change: Int64, _ name: String, _ tally: inout Tally) {
    guard let fault = found.fault else {
      tally.uncovered += 1
      #expect(found.signedThrough ?? -1 < change, "\(name): the change at seq \(change) wasn't found")
      return
    }
    if fault.code == .endRemoved || fault.code == .receiptWrong { tally.byReceipt += 1 }
    if fault.code == .signatureWrong { tally.bySignature += 1 }
    let isOtherwise = fault.otherwise?.contains(change) ?? false
    #expect(fault.seqs.contains(change) || isOtherwise, "\(name): seq \(change), not \(fault)")
    if isOtherwise {
      tally.otherwise += 1
    } else if fault.seqs.count == 1 {
      tally.exact += 1
    } else {
      tally.ranges.append(Int64(fault.seqs.count))
    }
  }

  /// Who has no key can make all hashes anew: without signatures, a log proves nothing against its owner.
  @Test func withoutASignerAllHashesCanBeMadeAnew() throws {
    let log = try ChainLog(seed: 3, isSigned: false)
    var random = SplitMix64(seed: 3)
    var mutant = try ChainMutant(of: log)
    mutant.apply(.rehashedPayload, &random)
    #expect(mutant.firstChange != nil)
    let found = try ChainVerification(path: ChainLog.path, storage: mutant.disk)
    #expect(found.fault == nil && found.signedThrough == nil)
  }

  @Test func aSignatureByAKeyThatWasNotGivenIsTold() throws {
    let log = try ChainLog(seed: 3)
    let found = try ChainVerification(path: ChainLog.path, storage: log.disk) { _, _, _ in .otherKey }
    #expect(found.fault == nil && found.signedThrough == nil)
    #expect(found.otherKeys == [log.signer.key])
  }
}
