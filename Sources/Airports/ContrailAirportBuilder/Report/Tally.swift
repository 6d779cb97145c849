/// A count with the first few examples.
public struct Tally: Hashable, Sendable {
  /// The number of occurrences.
  public private(set) var count = 0
  /// Descriptions of the first occurrences.
  public private(set) var examples: [String] = []

  /// The maximum number of examples.
  public static let maximumExamples = 5

  /// Creates an empty tally.
  public init() {}

  mutating func add(_ example: @autoclosure () -> String) {
    count += 1
    if examples.count < Self.maximumExamples { examples.append(example()) }
  }
}
