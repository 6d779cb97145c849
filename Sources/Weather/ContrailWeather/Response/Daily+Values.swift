extension Daily {
  /// A value of a day, on the wire `{"date":…,"value":…}`.
  public struct ValueWithDate<Value> {
    public var date: DatetimeServerType
    public var value: Value

    public init(date: DatetimeServerType, value: Value) {
      self.date = date
      self.value = value
    }
  }

  /// The mean and extreme values of a day, on the wire `{"date":…,"max":…,"min":…,"avg":…}`.
  public struct AverageAndExtremumWithDate<Value> {
    public var date: DatetimeServerType
    public var value: AverageAndExtremum<Value>
    /// `probability`: the probability of precipitation in percent, 0…100. From v2.6, and only with precipitation.
    public var probability: Double?

    public init(date: DatetimeServerType, value: AverageAndExtremum<Value>, probability: Double? = nil) {
      self.date = date
      self.value = value
      self.probability = probability
    }

    /// Returns the same day and probability with transformed values.
    public func map<Other>(_ transform: (Value) -> Other) -> AverageAndExtremumWithDate<Other> {
      AverageAndExtremumWithDate<Other>(date: date, value: value.map(transform), probability: probability)
    }
  }

  /// A life index of a day, on the wire `{"date":…,"index":…,"desc":…}`.
  public struct IndexWithDescriptionWithDate: Hashable, Sendable {
    public var date: DatetimeServerType
    public var value: IndexWithDescription

    public init(date: DatetimeServerType, value: IndexWithDescription) {
      self.date = date
      self.value = value
    }
  }
}

extension Daily.ValueWithDate: Equatable where Value: Equatable {}
extension Daily.ValueWithDate: Hashable where Value: Hashable {}
extension Daily.ValueWithDate: Sendable where Value: Sendable {}
extension Daily.ValueWithDate: Codable where Value: Codable {}

extension Daily.AverageAndExtremumWithDate: Equatable where Value: Equatable {}
extension Daily.AverageAndExtremumWithDate: Hashable where Value: Hashable {}
extension Daily.AverageAndExtremumWithDate: Sendable where Value: Sendable {}

extension Daily.AverageAndExtremumWithDate: Codable where Value: Codable {
  private enum CodingKeys: String, CodingKey {
    case date
    case probability
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    date = try container.decode(DatetimeServerType.self, forKey: .date)
    probability = try container.decodeIfPresent(Double.self, forKey: .probability)
    value = try AverageAndExtremum(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(date, forKey: .date)
    try container.encodeIfPresent(probability, forKey: .probability)
    try value.encode(to: encoder)
  }
}

extension Daily.IndexWithDescriptionWithDate: Codable {
  private enum CodingKeys: String, CodingKey {
    case date
  }

  public init(from decoder: any Decoder) throws {
    date = try decoder.container(keyedBy: CodingKeys.self).decode(DatetimeServerType.self, forKey: .date)
    value = try IndexWithDescription(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(date, forKey: .date)
    try value.encode(to: encoder)
  }
}
