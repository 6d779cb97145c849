/// `realtime`: the weather now, in the answer's unit system.
public struct Realtime: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `temperature` of the air 2 m above the ground.
  public var temperature: Double?
  /// `apparent_temperature`: as it feels.
  public var apparentTemperature: Double?
  /// `pressure` at the ground, in pascals whatever the unit system.
  public var pressure: Double?
  /// `humidity` 2 m above the ground, relative, 0…1.
  public var humidity: Double?
  /// `cloudrate`: cloud cover, 0…1.
  public var cloudrate: Double?
  /// `skycon`
  public var phenomenon: Phenomenon?
  /// `visibility` along the ground.
  public var visibility: Double?
  /// `dswrf`: sunlight that reaches the ground (downward short-wave radiation flux), in W/m² whatever the unit system.
  public var dswrf: Double?
  /// `wind` 10 m above the ground.
  public var wind: Wind?
  /// `precipitation`
  public var precipitation: Precipitation?
  /// `air_quality`
  public var airQuality: AirQuality?
  /// `life_index`: has `ultraviolet` and `comfort`.
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
  /// Rain or snow now.
  public struct Precipitation: Hashable, Sendable, Codable {
    /// `local`: here.
    public var local: PrecipitationContent?
    /// `nearest`: at the nearest place where it falls.
    public var nearest: PrecipitationContent?

    public init(local: PrecipitationContent? = nil, nearest: PrecipitationContent? = nil) {
      self.local = local
      self.nearest = nearest
    }
  }

  /// How hard it rains or snows, and how far away.
  public struct PrecipitationContent: Hashable, Sendable, Codable {
    /// `status`
    public var responseStatus: String?
    /// `datasource`: such as `radar` or `gfs`.
    public var datasource: String?
    /// `intensity`
    public var intensity: Double?
    /// `distance` from the place. 10,000 km (in whatever unit) says that there is none near.
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
