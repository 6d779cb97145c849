/// The mean and extreme values of a quantity over a day.
public struct AverageAndExtremum<Value> {
  /// `avg`
  public var average: Value
  /// `max`
  public var maximum: Value
  /// `min`
  public var minimum: Value

  public init(average: Value, maximum: Value, minimum: Value) {
    self.average = average
    self.maximum = maximum
    self.minimum = minimum
  }

  /// Returns the values transformed. The transform must preserve the order.
  public func map<Other>(_ transform: (Value) -> Other) -> AverageAndExtremum<Other> {
    AverageAndExtremum<Other>(
      average: transform(average), maximum: transform(maximum), minimum: transform(minimum))
  }

  private enum CodingKeys: String, CodingKey {
    case average = "avg"
    case maximum = "max"
    case minimum = "min"
  }
}

extension AverageAndExtremum: Equatable where Value: Equatable {}
extension AverageAndExtremum: Hashable where Value: Hashable {}
extension AverageAndExtremum: Sendable where Value: Sendable {}
extension AverageAndExtremum: Codable where Value: Codable {}
