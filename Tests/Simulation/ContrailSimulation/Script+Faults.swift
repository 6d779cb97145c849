import ContrailTestSupport

/// Adds the faults of handles, moved areas, repairs and held requests to a flight.
///
/// Each kind has draws of its own, so that the rest of the flight is the same with and without it.
struct FaultAuthor {
  let seed: UInt64
  /// Whether the server says how many records are held. Without, some faults can't be found.
  let hasSums: Bool

  func add(to steps: inout [Step]) {
    addHandleFaults(to: &steps)
    addMoveFaults(to: &steps)
    addRepairFaults(to: &steps)
    addHoldFaults(to: &steps)
  }

  /// Faults of handles.
  private func addHandleFaults(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6861_6e64_6c65)
    guard random.chance(50) else { return }
    // Who gives no sums can't be found out.
    let faults = AnswerFault.allCases.filter { $0.isOfHandles && (hasSums || !$0.needsSums) }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let chosen = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in faults.randomElement(using: &random) }
      steps.insert(.answers(chosen), at: Int.random(in: 1...steps.count, using: &random))
    }
  }

  /// Faults of answers after an area moved.
  private func addMoveFaults(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6D6F_7665)
    guard random.chance(60) else { return }
    let faults = AnswerFault.allCases.filter { $0.isOfMoves }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      // Just before an area moves, if one does.
      let moves = steps.indices.dropFirst().filter { steps[$0].movesArea }
      let place = random.chance(80) ? moves.randomElement(using: &random) : nil
      steps.insert(.answers(faults), at: place ?? Int.random(in: 1...steps.count, using: &random))
    }
  }

  /// An answer that makes a repair necessary, and mostly a fault of the repair.
  private func addRepairFaults(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x7265_7061_6972)
    guard hasSums, random.chance(50) else { return }
    let causes: [AnswerFault] = [.recordMissing, .recordTooMany, .wrongCount, .pirepMissing, .pirepOutdated]
    let faults =
      AnswerFault.allCases.filter { $0.isOfRepairs } + [.repairOfAnother, .repairWrong, .lost, .watermarkWentBack]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var chosen = [causes.randomElement(using: &random) ?? .recordMissing]
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        chosen.append(faults.randomElement(using: &random) ?? .lost)
      }
      let place = Int.random(in: 1...steps.count, using: &random)
      steps.insert(.answers(chosen), at: place)
      steps.insert(.pass(milliseconds: Int64.random(in: 60_000...90_000, using: &random)), at: place + 1)
    }
  }

  /// Faults of the provider of credentials, and revocations, which make the client call it.
  func addProviderFaults(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x7072_6f76)
    guard random.chance(60) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let count = Int.random(in: 1...4, using: &random)
      let chosen = (0..<count).compactMap { _ in ProviderFault.allCases.randomElement(using: &random) }
      let place = Int.random(in: 1...steps.count, using: &random)
      steps.insert(.provider(chosen), at: place)
      guard random.chance(50) else { continue }
      steps.insert(.revokeKey, at: place + 1)
      steps.insert(.pass(milliseconds: Int64.random(in: 30_000...400_000, using: &random)), at: place + 2)
    }
  }

  /// Faults of held requests.
  private func addHoldFaults(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x686f_6c64_73)
    guard random.chance(50) else { return }
    let faults = AnswerFault.allCases.filter { $0.isOfHolds }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 1...steps.count, using: &random)
      let chosen = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in faults.randomElement(using: &random) }
      steps.insert(.answers(chosen), at: place)
      steps.insert(.pass(milliseconds: Int64.random(in: 30_000...700_000, using: &random)), at: place + 1)
    }
  }
}

extension Step {
  /// Whether the application sets an area.
  fileprivate var movesArea: Bool {
    guard case .set(let changes) = self else { return false }
    return changes.contains {
      switch $0 {
      case .polygon(.some), .viewport(.some): true
      default: false
      }
    }
  }
}
