extension Decision.QueryRejected {
  /// What can be done about the rejected part, in a sentence for the application's developer.
  public var advice: String {
    switch reason {
    case "ringOpen": "Repeat the first point of the ring at its end."
    case "tooFewPoints":
      "Give a ring of at least 4 points; an empty one may come from buffer(widthNM:), where corridor(widthNM:) throws the reason."
    case "tooManyPoints": "Simplify the line with more tolerance."
    case "selfCrossing": "The edge that begins at this point crosses another one: reorder or drop points."
    case "selfTouching": "The edge that begins at this point touches another one: move them apart."
    case "spike": "The ring goes back the way it came at this point: drop the point."
    case "longEdge":
      "The edge that begins at this point spans 180° of longitude or more: add points between, or use BoundingBox."
    case "widthMissing": "Set a width in nautical miles with the route; 50 to 150 is usual."
    case "widthOutOfRange": "Set a width of 0.01 to 5,400 nautical miles."
    case "altitudesInverted": "Give two altitudes in feet, the lower one first."
    default: "Set another value."
    }
  }
}
