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
  usage: contrail-app-flights [SEED…] [--from SEED] [--count N] [--minutes N] [--verbose] [--whole]

  Flies generated applications: the client of an app over a server in memory, compared with a model of it after each step.
  Without --count or --minutes, 1,000 flights. --whole doesn't shorten the script of a flight that differs.
  The exit status is 1 if the client and the model differ.
  """

func stop(_ text: String, _ status: Int32) -> Never {
  print(text)
  exit(status)
}

var order = AppRun.Order()
var isVerbose = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h": stop(usage, 0)
  case "--verbose": isVerbose = true
  case "--whole": order.isShortening = false
  case "--from", "--count":
    guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { stop("\(argument) needs a number", 64) }
    if argument == "--from" { order.from = number } else { order.count = Int(clamping: number) }
  case "--minutes":
    guard let minutes = arguments.popFirst().flatMap({ Double($0) }), minutes > 0 else {
      stop("--minutes needs a number", 64)
    }
    (order.end, order.count) = (.now + .seconds(minutes * 60), nil)
  default:
    guard let seed = UInt64(argument) else { stop("'\(argument)' is no seed and no option\n\n\(usage)", 64) }
    order.seeds.append(seed)
  }
}

if isVerbose { for seed in order.seeds { for step in AppScript(seed: seed).steps { print(step.text) } } }
let start = ContinuousClock.now
let run = await AppRun.fly(order)
for failure in run.failures { print(failure.text) }
for (name, count) in run.tally.sorted(by: { $0.key < $1.key }) { print("  \(name) \(count)") }
print(
  "\(run.flights) flights in \((ContinuousClock.now - start).components.seconds) s: \(run.comparisons) comparisons, "
    + "\(run.requests) requests, \(run.failures.count) differences")
exit(run.failures.isEmpty ? 0 : 1)
