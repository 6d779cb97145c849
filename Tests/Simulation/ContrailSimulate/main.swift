// Flies simulated flights, as many as are asked for, and prints what happened; see Scripts/simulate.

import ContrailSimulation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let command = Command(Array(CommandLine.arguments.dropFirst()))
switch command {
case .help(let fault):
  if let fault { complain("simulate: \(fault)") }
  print(Command.usage)
  exit(fault == nil ? 0 : 64)
case .fly(let order) where order.days != nil:
  exit(await TabletRun(order).fly() ? 0 : 1)
case .fly(let order):
  var run = Run(order)
  let isWell = await run.fly()
  exit(isWell ? 0 : 1)
}

/// Says something beside the output.
func complain(_ text: String) {
  let bytes = Array("\(text)\n".utf8)
  _ = write(2, bytes, bytes.count)
}
