/// How often something was found, and the first few places.
public struct Tally: Hashable, Sendable {
  /// How often.
  public private(set) var count = 0
  /// The first of them, in words.
  public private(set) var examples: [String] = []

  /// How many examples are kept.
  public static let maximumExamples = 5

  /// Nothing found.
  public init() {}

  mutating func add(_ example: @autoclosure () -> String) {
    count += 1
    if examples.count < Self.maximumExamples { examples.append(example()) }
  }
}
