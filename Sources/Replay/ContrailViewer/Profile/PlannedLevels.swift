package import ContrailLog
import ContrailQuery
import ContrailWire

/// The planned flight levels along a route, as steps: `0:310 800:350 1900:370`.
package struct PlannedLevels: Hashable, Sendable {
  /// A level, from a distance on.
  package struct Step: Hashable, Sendable {
    /// The distance from the start of the route, in nautical miles.
    package var fromNM: Double
    /// The flight level, in hundreds of feet.
    package var flightLevel: Int
  }

  /// The steps, at least one, by ascending distance.
  package let steps: [Step]

  private static let mostSteps = 100
  private static let longestNM = 25_000.0
  private static let flightLevels = 0...RouteProfile.ceiling * 10

  /// Parses distances in nautical miles and flight levels.
  ///
  /// - Throws: ``InputError`` with the invalid step.
  package init(_ text: String) throws(InputError) {
    var steps: [Step] = []
    for part in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      func refuse(_ reason: String) -> InputError { InputError(.option, in: String(part), reason) }
      let sides = part.split(separator: ":", omittingEmptySubsequences: false)
      guard sides.count == 2, let along = Self.distance(sides[0]), let level = Self.level(sides[1]) else {
        throw refuse("expected a distance in nautical miles and a flight level, such as 800:350")
      }
      guard (0...Self.longestNM).contains(along) else { throw refuse("the distance must be 0 to 25,000 NM") }
      guard Self.flightLevels.contains(level) else {
        throw refuse("the flight level must be \(Self.flightLevels.lowerBound) to \(Self.flightLevels.upperBound)")
      }
      if let last = steps.last, along <= last.fromNM {
        throw refuse("its distance must be greater than that of the step before it")
      }
      guard steps.count < Self.mostSteps else { throw refuse("there are more than \(Self.mostSteps) steps") }
      steps.append(Step(fromNM: along, flightLevel: level))
    }
    guard !steps.isEmpty else {
      throw InputError(.option, in: text, "expected distances and flight levels, such as 0:310 800:350")
    }
    self.steps = steps
  }

  /// Digits, with at most one decimal point among them.
  private static func distance(_ text: Substring) -> Double? {
    text.first?.isNumber == true && text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(text) : nil
  }

  private static func level(_ text: Substring) -> Int? {
    let digits = text.hasPrefix("FL") ? text.dropFirst(2) : text
    return digits.allSatisfy { $0.isASCII && $0.isNumber } && digits.count <= 4 ? Int(digits) : nil
  }

  /// The levels in thousands of feet, rounded.
  var levels: [Int] { steps.map { min(RouteProfile.ceiling, ($0.flightLevel + 5) / 10) } }

  /// Returns the stretches of a route with one level each. A stretch ends where the next one begins, or at the end of the route. Steps beyond the end
  /// are left out.
  func stretches(lengthNM: Double) -> [(fromNM: Double, toNM: Double, flightLevel: Int)] {
    steps.indices.compactMap { index in
      let end = index + 1 < steps.count ? min(steps[index + 1].fromNM, lengthNM) : lengthNM
      return steps[index].fromNM < end ? (steps[index].fromNM, end, steps[index].flightLevel) : nil
    }
  }

  /// The steps in the form in which they are parsed.
  package var text: String {
    steps.map { step in "\(Self.text(step.fromNM)):\(step.flightLevel)" }.joined(separator: " ")
  }

  /// The steps in words: `FL310, FL350 from 800 NM, FL370 from 1900 NM`.
  package var words: String {
    steps.map { step in
      let name = RouteProfile.name(ofFlightLevel: step.flightLevel)
      return step.fromNM == 0 ? name : "\(name) from \(Self.text(step.fromNM)) NM"
    }.joined(separator: ", ")
  }

  private static func text(_ value: Double) -> String {
    var json = JSONWriter()
    json.decimal(Int64((value * 1000).rounded()), digits: 3)
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
