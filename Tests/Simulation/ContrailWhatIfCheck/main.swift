import ContrailField
import ContrailSimulation
import Foundation

/// Compares what-if with the truth over many seeded flights, and prints how often the intervals hold it.
///
/// Arguments: the number of flights, the first seed, and the number of runs of each prediction.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let flightCount = Int(arguments.first ?? 1000)
let firstSeed = arguments.dropFirst().first ?? 1
let runs = Int(arguments.dropFirst(2).first ?? 5)
let pairs = PolicyCheck.pairs
let lock = NSLock()
nonisolated(unsafe) var checks = Array(repeating: PolicyCheck(), count: pairs.count)

DispatchQueue.concurrentPerform(iterations: flightCount) { index in
  let check = PolicyCheck(pairs[index % pairs.count], seed: firstSeed + UInt64(index), runs: runs)
  lock.withLock { checks[index % pairs.count].add(check) }
}

func percent(_ coverage: PolicyCheck.Coverage) -> String {
  coverage.count == 0 ? "–" : String(format: "%.1f", 100 * Double(coverage.held) / Double(coverage.count))
}

var total = PolicyCheck()
for check in checks { total.add(check) }
let names = FigureValues.Figure.allCases
print("held by the interval, in % of the flights with a verdict (median width of the interval, in % of the truth)")
print("PAIR".padding(toLength: 30, withPad: " ", startingAt: 0) + names.map { $0.rawValue }.joined(separator: "  "))
for (name, check) in zip(pairs.map(\.name) + ["all"], checks + [total]) {
  let cells = names.map { figure -> String in
    let coverage = check.figures[figure] ?? PolicyCheck.Coverage()
    return "\(percent(coverage)) (\(String(format: "%.1f", 100 * coverage.medianWidth)))"
      .padding(toLength: 13, withPad: " ", startingAt: 0)
  }
  print(name.padding(toLength: 30, withPad: " ", startingAt: 0) + cells.joined() + " refused \(check.refused)")
}
for figure in names {
  for miss in total.figures[figure]?.misses ?? [] { print("outside, \(figure.rawValue): \(miss)") }
}
total.faults.prefix(10).forEach { print($0) }
let isHeld = total.figures.values.allSatisfy { Double($0.held) >= 0.95 * Double($0.count) }
print(
  isHeld ? "every figure is held in at least 95 % of the flights" : "a figure is held in less than 95 % of the flights")
exit(isHeld && total.faults.isEmpty ? 0 : 1)
