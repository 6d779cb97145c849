/// `air_quality`: what is in the air. Its units are the same in all unit systems.
public struct AirQuality: Hashable, Sendable, Codable {
  /// Fine dust in µg/m³.
  public var pm25: Double?
  /// Dust in µg/m³.
  public var pm10: Double?
  /// Ozone in µg/m³.
  public var o3: Double?
  /// Sulphur dioxide in µg/m³.
  public var so2: Double?
  /// Nitrogen dioxide in µg/m³.
  public var no2: Double?
  /// Carbon monoxide in mg/m³.
  public var co: Double?
  /// The air quality index. 0 where there are no data.
  public var aqi: CountryRelated<Double>?
  /// The index in words, in the answer's language.
  public var description: CountryRelated<String>?

  public init() {}
}
