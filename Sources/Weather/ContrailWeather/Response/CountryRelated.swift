/// A value according to the rules of two countries.
public struct CountryRelated<Value> {
  /// The value by the rules of China.
  public var chn: Value?
  /// The value by the rules of the United States.
  public var usa: Value?

  public init(chn: Value? = nil, usa: Value? = nil) {
    self.chn = chn
    self.usa = usa
  }
}

extension CountryRelated: Equatable where Value: Equatable {}
extension CountryRelated: Hashable where Value: Hashable {}
extension CountryRelated: Sendable where Value: Sendable {}
extension CountryRelated: Codable where Value: Codable {}
