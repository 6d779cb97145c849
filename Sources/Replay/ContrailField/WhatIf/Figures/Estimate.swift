/// A figure of an alternative: the likely value, an interval, and where it comes from.
package struct Estimate: Sendable, Hashable {
  package var value: Double
  /// The bounds of the interval, which holds the true value in 95 of 100 flights.
  package var low: Double
  package var high: Double
  /// Whether the bounds are known. Without them, the value is a guess.
  package var hasInterval = true
  package var shares: Shares

  /// Which part of a figure was recorded, follows from the recording, and is unknown. The sum is 1.
  package struct Shares: Sendable, Hashable {
    package var recorded: Double
    package var derivable: Double
    package var unknown: Double

    package init(recorded: Double, derivable: Double, unknown: Double) {
      let sum = recorded + derivable + unknown
      guard sum > 0 else {
        (self.recorded, self.derivable, self.unknown) = (1, 0, 0)
        return
      }
      self.recorded = recorded / sum
      self.derivable = derivable / sum
      self.unknown = unknown / sum
    }

    package static let recorded = Shares(recorded: 1, derivable: 0, unknown: 0)

    package var known: Double { recorded + derivable }
  }

  /// The known part below which there is no verdict.
  package static let knownForVerdict = 0.9

  /// Whether enough is known for a verdict.
  package var hasVerdict: Bool { shares.known >= Self.knownForVerdict }

  /// Creates the estimate of a recorded value.
  package init(recorded value: Double) {
    (self.value, low, high) = (value, value, value)
    shares = .recorded
  }

  /// Creates an estimate from the values of several runs.
  ///
  /// - Parameters:
  ///   - values: The values of the runs; at least one.
  ///   - margin: What runs don't vary: the error of the model itself, as a standard deviation.
  ///   - excess: What unknown parts may add.
  ///   - shares: Where the figure comes from.
  init(_ values: [Double], margin: Double, excess: Double = 0, shares: Shares) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.count < 2 ? 0 : values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let spread = Self.factor(values.count) * (variance * (1 + 1 / count) + margin * margin).squareRoot()
    value = mean
    low = max(0, min(mean - spread, values.min() ?? mean))
    high = max(mean + spread, values.max() ?? mean) + excess
    self.shares = shares
  }

  /// Extends the bounds of a number of things to whole numbers.
  mutating func roundOutwards() {
    low = low.rounded(.down)
    high = high.rounded(.up)
  }

  /// The two-sided 95 % factor of Student's distribution for the spread of a few runs, bounded for very few.
  private static func factor(_ runs: Int) -> Double {
    switch runs {
    case ..<3: 4.3
    case 3: 3.6
    case 4: 3.2
    case 5: 2.8
    case 6...8: 2.5
    default: 2.3
    }
  }

  /// Whether a value lies within the bounds.
  package func contains(_ truth: Double) -> Bool { low <= truth && truth <= high }
}
