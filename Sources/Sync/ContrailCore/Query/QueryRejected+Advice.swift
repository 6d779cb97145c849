import ContrailWire

extension Decision.QueryRejected {
  /// The rejected part of the query and its fault, without a period at the end.
  package var message: String {
    let name = place.prefix { $0 != "[" }
    let part =
      switch name {
      case "polygon": "The polygon of the data query"
      case "viewport": "The viewport of the data query"
      case "route": "The route of the data query"
      case "routeWidth": "The width of the route"
      case "altRange": "The altitude range of the data query"
      case "dataHistoryTime": "The history time"
      case "weather.spec.language": "The language of the weather"
      case "weather.spec.unit": "The unit system of the weather"
      case "weather.spec.version": "The version of the weather service"
      case "weather.spec.file": "The file of the weather service"
      default: "The \(name) of the data query"
      }
    let index = place.dropFirst(name.count).dropFirst().dropLast()
    let fault =
      switch reason {
      case "ringOpen": "isn't closed"
      case "tooFewPoints": "has too few points"
      case "tooManyPoints": "has too many points"
      case "notFinite": "has a coordinate that isn't a number"
      case "latitudeOutOfRange": "has a latitude beyond ±90°"
      case "longitudeOutOfRange": "has a longitude beyond ±360°"
      case "selfCrossing": "crosses itself"
      case "selfTouching": "touches itself"
      case "spike": "doubles back on itself"
      case "longEdge": "has an edge of 180° of longitude or more"
      case "antipodalLeg": "has a leg between opposite sides of the earth"
      case "routeEmpty": "has no points"
      case "routeTooShort": "has a single point"
      case "windsTwice": "winds around the earth more than once"
      case "widthMissing": "is missing"
      case "widthOutOfRange": "is out of range"
      case "altitudesInverted": "has its limits in the wrong order"
      case "unknownToService": "isn't one that the service documents"
      case "unserved" where place == "dataHistoryTime": "is longer than the service's"
      case "unserved" where place == "weather": "isn't at the service"
      case "unserved": "include data that the service doesn't have"
      case "altitudesUnserved": "is outside the service's altitudes"
      case "antimeridian": "crosses the meridian of 180°, which the service doesn't document"
      default: "is invalid (\(reason))"
      }
    let isCount = reason == "tooFewPoints" || reason == "tooManyPoints"
    return index.isEmpty ? "\(part) \(fault)" : "\(part) \(fault)" + (isCount ? " (\(index))" : " at point \(index)")
  }

  /// A suggestion for the application's developer to correct the rejected part, as a sentence.
  package var advice: String {
    switch reason {
    case "ringOpen": "Close the ring: repeat its first point at the end."
    case "tooFewPoints":
      "Set a ring of at least 4 points. buffer(widthNM:) returns an empty ring on failure; corridor(widthNM:) throws the reason."
    case "tooManyPoints": "Simplify the line with a larger tolerance."
    case "selfCrossing": "The edge that starts at this point crosses another edge: reorder or remove points."
    case "selfTouching": "The edge that starts at this point touches another edge: move them apart."
    case "spike": "The ring doubles back on itself at this point: remove the point."
    case "longEdge":
      "The edge that starts at this point spans 180° of longitude or more: add points to it, or use BoundingBox."
    case "widthMissing": "Set routeWidth in nautical miles together with the route; 50 to 150 is usual."
    case "widthOutOfRange": "Set routeWidth to 0.01 to 5,400 nautical miles."
    case "altitudesInverted": "Set two altitudes in feet, the lower one first."
    case "routeTooShort":
      "Set two points or more; for the surroundings of a place, set polygon = [place].buffer(widthNM:)."
    case "unknownToService":
      switch place {
      case "weather.spec.language": "Use one of \(WeatherSpec.languages.joined(separator: ", "))."
      case "weather.spec.unit": "Use one of \(WeatherSpec.units.joined(separator: ", "))."
      case "weather.spec.version": "Use one of \(WeatherSpec.versions.joined(separator: ", "))."
      default: "Use one of \(WeatherSpec.files.joined(separator: ", "))."
      }
    case "unserved":
      switch place {
      case "dataHistoryTime": "Set dataHistoryTime to four hours or less. Four hours are fetched."
      case "weather": "Set a weather service in the configuration, or no places."
      default: "Set turbulence alone. Only turbulence is fetched."
      }
    case "altitudesUnserved": "Set a range with altitudes from 5,000 to 52,000 feet."
    case "antimeridian": "Set an area on one side of the meridian."
    default: "Set a different value."
    }
  }

  /// Whether the last valid value of the part stays in use. Otherwise, only what the service has is fetched.
  package var keepsLastValue: Bool { reason != State.Rejection.unserved }
}
