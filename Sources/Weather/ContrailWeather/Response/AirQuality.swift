/// `air_quality`: the concentrations of pollutants. The units are the same in all unit systems.
public struct AirQuality: Hashable, Sendable, Codable {
  /// Particulate matter up to 2.5 µm, in µg/m³.
  public var pm25: Double?
  /// Particulate matter up to 10 µm, in µg/m³.
  public var pm10: Double?
  /// Ozone in µg/m³.
  public var o3: Double?
  /// Sulphur dioxide in µg/m³.
  public var so2: Double?
  /// Nitrogen dioxide in µg/m³.
  public var no2: Double?
  /// Carbon monoxide in mg/m³.
  public var co: Double?
  /// The air quality index. 0 if there is no data.
  public var aqi: CountryRelated<Double>?
  /// A description of the index, in the response's language.
  public var description: CountryRelated<String>?

  public init() {}
}
