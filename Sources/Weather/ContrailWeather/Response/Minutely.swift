/// `minutely`: the precipitation of the next two hours.
public struct Minutely: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `datasource`: the source of the data, such as `radar` or `gfs`.
  public var datasource: String?
  /// `description`: a sentence about the precipitation.
  public var description: String?
  /// `probability`: the probability in each of the next four half hours, 0…1.
  public var probability: [Double]?
  /// `precipitation_2h`: the intensity in each of the next 120 minutes.
  public var intensity: [Double]?
  /// `precipitation`: the intensity in each of the next 60 minutes.
  public var intensityOfNextHour: [Double]?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case datasource
    case description
    case probability
    case intensity = "precipitation_2h"
    case intensityOfNextHour = "precipitation"
  }
}
