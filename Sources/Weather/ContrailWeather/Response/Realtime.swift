/// `realtime`: the current weather, in the response's unit system.
public struct Realtime: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `temperature`: the air temperature 2 m above the ground.
  public var temperature: Double?
  /// `apparent_temperature`: the apparent temperature.
  public var apparentTemperature: Double?
  /// `pressure`: the pressure at ground level, in pascals in all unit systems.
  public var pressure: Double?
  /// `humidity`: the relative humidity 2 m above the ground, 0…1.
  public var humidity: Double?
  /// `cloudrate`: cloud cover, 0…1.
  public var cloudrate: Double?
  /// `skycon`
  public var phenomenon: Phenomenon?
  /// `visibility`: the horizontal visibility at ground level.
  public var visibility: Double?
  /// `dswrf`: the downward short-wave radiation flux at the ground, in W/m² in all unit systems.
  public var dswrf: Double?
  /// `wind`: the wind 10 m above the ground.
  public var wind: WeatherWind?
  /// `precipitation`
  public var precipitation: Precipitation?
  /// `air_quality`
  public var airQuality: AirQuality?
  /// `life_index`: contains `ultraviolet` and `comfort`.
  public var lifeIndex: LifeIndex<IndexWithDescription>?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case temperature
    case apparentTemperature = "apparent_temperature"
    case pressure
    case humidity
    case cloudrate
    case phenomenon = "skycon"
    case visibility
    case dswrf
    case wind
    case precipitation
    case airQuality = "air_quality"
    case lifeIndex = "life_index"
  }
}

extension Realtime {
  /// The current precipitation.
  public struct Precipitation: Hashable, Sendable, Codable {
    /// `local`: at the place.
    public var local: PrecipitationContent?
    /// `nearest`: at the nearest place with precipitation.
    public var nearest: PrecipitationContent?

    public init(local: PrecipitationContent? = nil, nearest: PrecipitationContent? = nil) {
      self.local = local
      self.nearest = nearest
    }
  }

  /// The intensity and distance of precipitation.
  public struct PrecipitationContent: Hashable, Sendable, Codable {
    /// `status`
    public var responseStatus: String?
    /// `datasource`: the source of the data, such as `radar` or `gfs`.
    public var datasource: String?
    /// `intensity`
    public var intensity: Double?
    /// `distance` from the place. 10,000 km, in any unit, means that there is none nearby.
    public var distance: Double?

    public init(intensity: Double? = nil, distance: Double? = nil, datasource: String? = nil) {
      responseStatus = "ok"
      self.intensity = intensity
      self.distance = distance
      self.datasource = datasource
    }

    private enum CodingKeys: String, CodingKey {
      case responseStatus = "status"
      case datasource
      case intensity
      case distance
    }
  }
}
