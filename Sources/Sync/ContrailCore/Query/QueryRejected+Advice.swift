extension Decision.QueryRejected {
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
    default: "Set a different value."
    }
  }
}
