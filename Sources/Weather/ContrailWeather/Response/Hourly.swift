/// `hourly`: the hourly forecast, in the response's unit system. ``Realtime`` describes the quantities.
public struct Hourly: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `description`: a sentence about the next hours.
  public var description: String?
  /// `skycon`
  public var phenomenon: [ValueWithDatetime<Phenomenon>]?
  /// `temperature`
  public var temperature: [ValueWithDatetime<Double>]?
  /// `apparent_temperature`. From v2.6.
  public var apparentTemperature: [ValueWithDatetime<Double>]?
  /// `precipitation`. From v2.6, with the probability.
  public var precipitation: [ValueWithDatetime<Double>]?
  /// `cloudrate`
  public var cloudrate: [ValueWithDatetime<Double>]?
  /// `humidity`
  public var humidity: [ValueWithDatetime<Double>]?
  /// `pressure`
  public var pressure: [ValueWithDatetime<Double>]?
  /// `wind`
  public var wind: [ValueWithDatetimeFlat<WeatherWind>]?
  /// `visibility`
  public var visibility: [ValueWithDatetime<Double>]?
  /// `dswrf`
  public var dswrf: [ValueWithDatetime<Double>]?
  /// `air_quality`
  public var airQuality: AirQuality?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case description
    case phenomenon = "skycon"
    case temperature
    case apparentTemperature = "apparent_temperature"
    case precipitation
    case cloudrate
    case humidity
    case pressure
    case wind
    case visibility
    case dswrf
    case airQuality = "air_quality"
  }
}

extension Hourly {
  /// The hourly air quality.
  public struct AirQuality: Hashable, Sendable, Codable {
    /// `aqi`: the index by the rules of China and the United States.
    public var aqi: [ValueWithDatetime<CountryRelated<Double>>]?
    /// `pm25` in µg/m³.
    public var pm25: [ValueWithDatetime<Double>]?

    public init() {}
  }

  /// A value at a time, on the wire `{"datetime":…,"value":…}`.
  public struct ValueWithDatetime<Value> {
    public var datetime: DatetimeServerType
    public var value: Value
    /// `probability`: the probability of precipitation in percent, 0…100. From v2.6, and only with precipitation.
    public var probability: Double?

    public init(datetime: DatetimeServerType, value: Value, probability: Double? = nil) {
      self.datetime = datetime
      self.value = value
      self.probability = probability
    }

    /// Returns the same time and probability with a transformed value.
    public func map<Other>(_ transform: (Value) -> Other) -> ValueWithDatetime<Other> {
      ValueWithDatetime<Other>(datetime: datetime, value: transform(value), probability: probability)
    }
  }

  /// A value at a time, with the keys of both in one object: `{"datetime":…,"speed":…,"direction":…}`.
  public struct ValueWithDatetimeFlat<Value> {
    public var datetime: DatetimeServerType
    public var value: Value

    public init(datetime: DatetimeServerType, value: Value) {
      self.datetime = datetime
      self.value = value
    }

    /// Returns the same time with a transformed value.
    public func map<Other>(_ transform: (Value) -> Other) -> ValueWithDatetimeFlat<Other> {
      ValueWithDatetimeFlat<Other>(datetime: datetime, value: transform(value))
    }
  }
}

extension Hourly.ValueWithDatetime: Equatable where Value: Equatable {}
extension Hourly.ValueWithDatetime: Hashable where Value: Hashable {}
extension Hourly.ValueWithDatetime: Sendable where Value: Sendable {}
extension Hourly.ValueWithDatetime: Codable where Value: Codable {}

extension Hourly.ValueWithDatetimeFlat: Equatable where Value: Equatable {}
extension Hourly.ValueWithDatetimeFlat: Hashable where Value: Hashable {}
extension Hourly.ValueWithDatetimeFlat: Sendable where Value: Sendable {}

extension Hourly.ValueWithDatetimeFlat: Codable where Value: Codable {
  private enum CodingKeys: String, CodingKey {
    case datetime
  }

  public init(from decoder: any Decoder) throws {
    datetime = try decoder.container(keyedBy: CodingKeys.self).decode(DatetimeServerType.self, forKey: .datetime)
    value = try Value(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(datetime, forKey: .datetime)
    try value.encode(to: encoder)
  }
}
