public import ContrailGeodesy

/// `alert`: the official warnings for the place.
public struct WeatherAlert: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `content`: the warnings in force.
  public var content: [AlertContent]?
  /// `adcodes`: the administrative divisions that contain the place, from the province down. From v2.6.
  public var adcodes: [AdministrativeDivision]?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case content
    case adcodes
  }
}

extension WeatherAlert {
  /// An administrative division of China, such as a province, a city or a district.
  public struct AdministrativeDivision: Hashable, Sendable, Codable {
    /// `adcode`: its number, such as 110000.
    public var adcode: Int?
    /// `name`: its name, in the response's language.
    public var name: String?

    public init(adcode: Int? = nil, name: String? = nil) {
      self.adcode = adcode
      self.name = name
    }
  }

  /// A warning.
  public struct AlertContent: Hashable, Sendable {
    /// `pubtimestamp`: the time of issue.
    public var publishTime: Datetime1970Based?
    /// `alertId`
    public var id: String?
    /// `status`: such as "in force", in the response's language.
    public var status: String?
    /// `adcode`: the number of the administrative division.
    public var adcode: String?
    /// `location`: the name of the place.
    public var location: String?
    /// `province`
    public var province: String?
    /// `city`
    public var city: String?
    /// `county`
    public var county: String?
    /// `code`: the type and level of the warning.
    public var code: AlertCode?
    /// `source`: the issuing authority.
    public var source: String?
    /// `title`
    public var title: String?
    /// `description`
    public var description: String?
    /// `latlon`: the place that the warning was issued for.
    public var coordinate: Coordinate?
    /// `regionId`: the number of the region, or `unknown`.
    public var regionID: String?
    /// `request_status`
    public var requestStatus: String?
    /// `_id`: the identifier of the warning in the service's database. Undocumented.
    public var databaseID: String?

    public init() {}
  }
}

extension WeatherAlert.AlertContent: Codable {
  private enum CodingKeys: String, CodingKey {
    case publishTime = "pubtimestamp"
    case id = "alertId"
    case status
    case adcode
    case location
    case province
    case city
    case county
    case code
    case source
    case title
    case description
    case coordinate = "latlon"
    case regionID = "regionId"
    case requestStatus = "request_status"
    case databaseID = "_id"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    publishTime = try container.decodeIfPresent(Datetime1970Based.self, forKey: .publishTime)
    id = try container.decodeIfPresent(String.self, forKey: .id)
    status = try container.decodeIfPresent(String.self, forKey: .status)
    adcode = try container.decodeIfPresent(String.self, forKey: .adcode)
    location = try container.decodeIfPresent(String.self, forKey: .location)
    province = try container.decodeIfPresent(String.self, forKey: .province)
    city = try container.decodeIfPresent(String.self, forKey: .city)
    county = try container.decodeIfPresent(String.self, forKey: .county)
    code = try container.decodeIfPresent(AlertCode.self, forKey: .code)
    source = try container.decodeIfPresent(String.self, forKey: .source)
    title = try container.decodeIfPresent(String.self, forKey: .title)
    description = try container.decodeIfPresent(String.self, forKey: .description)
    coordinate = try container.decodeIfPresent(LatitudeLongitude.self, forKey: .coordinate)?.coordinate
    regionID = try container.decodeIfPresent(String.self, forKey: .regionID)
    requestStatus = try container.decodeIfPresent(String.self, forKey: .requestStatus)
    databaseID = try container.decodeIfPresent(String.self, forKey: .databaseID)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(publishTime, forKey: .publishTime)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encodeIfPresent(status, forKey: .status)
    try container.encodeIfPresent(adcode, forKey: .adcode)
    try container.encodeIfPresent(location, forKey: .location)
    try container.encodeIfPresent(province, forKey: .province)
    try container.encodeIfPresent(city, forKey: .city)
    try container.encodeIfPresent(county, forKey: .county)
    try container.encodeIfPresent(code, forKey: .code)
    try container.encodeIfPresent(source, forKey: .source)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(description, forKey: .description)
    try container.encodeIfPresent(coordinate.map(LatitudeLongitude.init), forKey: .coordinate)
    try container.encodeIfPresent(regionID, forKey: .regionID)
    try container.encodeIfPresent(requestStatus, forKey: .requestStatus)
    try container.encodeIfPresent(databaseID, forKey: .databaseID)
  }
}
