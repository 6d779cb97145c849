import Foundation

/// The arguments of the program.
struct Arguments {
  private var values: [String: String] = [:]

  init() {
    for argument in CommandLine.arguments.dropFirst() {
      let sides = argument.split(separator: "=", maxSplits: 1).map(String.init)
      values[sides[0]] = sides.count > 1 ? sides[1] : ""
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  subscript(name: String) -> String {
    guard let value = values[name] else {
      print("contrail-listening-check: '\(name)=' is missing; run Scripts/listening-check")
      exit(64)
    }
    return value
  }
}
