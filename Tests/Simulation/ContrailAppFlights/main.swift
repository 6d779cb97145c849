// Flies applications beside the model; see Scripts/simulate --apps.

import ContrailAppModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let usage = """
  usage: contrail-app-flights [SEED…] [--from SEED] [--count N] [--minutes N] [--verbose]

  Flies generated applications: the client of an app over a server in memory, compared with a model of it after each step.
  Without --count or --minutes, 1,000 flights. The exit status is 1 if the client and the model differ.
  """

func stop(_ text: String, _ status: Int32) -> Never {
  print(text)
  exit(status)
}

var seeds: [UInt64] = []
var (from, count, minutes, isVerbose): (UInt64, UInt64, Double?, Bool) = (0, 1000, nil, false)
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h": stop(usage, 0)
  case "--verbose": isVerbose = true
  case "--from", "--count":
    guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { stop("\(argument) needs a number", 64) }
    if argument == "--from" { from = number } else { count = number }
  case "--minutes":
    guard let number = arguments.popFirst().flatMap({ Double($0) }), number > 0 else {
      stop("--minutes needs a number", 64)
    }
    (minutes, count) = (number, .max)
  default:
    guard let seed = UInt64(argument) else { stop("'\(argument)' is no seed and no option\n\n\(usage)", 64) }
    seeds.append(seed)
  }
}

if isVerbose { for seed in seeds { for step in AppScript(seed: seed).steps { print(step.text) } } }
let clock = ContinuousClock()
let end = minutes.map { clock.now + .seconds($0 * 60) }
let start = clock.now
let run = await AppRun.fly(
  { index in
    if !seeds.isEmpty { return index < seeds.count ? seeds[index] : nil }
    return UInt64(index) < count ? from &+ UInt64(index) : nil
  }, until: { end.map { clock.now > $0 } ?? false })
print(run.failures.map(\.text).joined(separator: "\n"))
let seconds = (clock.now - start).components.seconds
print(run.tally.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)" }.joined(separator: "\n"))
print(
  "\(run.flights) flights in \(seconds) s: \(run.comparisons) comparisons, \(run.requests) requests, \(run.failures.count) differences"
)
exit(run.failures.isEmpty ? 0 : 1)
