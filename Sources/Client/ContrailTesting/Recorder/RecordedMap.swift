import ContrailGeodesy

/// The map of a flight. It follows the aircraft until it is moved by hand.
struct RecordedMap {
  private var viewport: Scenario.Viewport
  private var centre: Coordinate?
  private var isPanned = false

  init(_ viewport: Scenario.Viewport) { self.viewport = viewport }

  /// Shows or hides the map. It appears when the aircraft is followed next.
  mutating func show(_ viewport: Scenario.Viewport) { self = RecordedMap(viewport) }

  /// Closes the map until the aircraft is followed next, as a relaunch does.
  mutating func close() { centre = nil }

  /// Moves the map.
  ///
  /// - Returns: The ring of its region; nil if no map is shown.
  mutating func move(to centre: Coordinate) -> [Coordinate]? {
    guard case .following(let height) = viewport else { return nil }
    self.centre = centre
    return Recorder.rectangle(centre, heightDegrees: height)
  }

  /// Moves the map when the aircraft approaches its edge, until the map is moved by hand.
  ///
  /// - Returns: The ring of the new region; nil if the map stays.
  mutating func follow(_ position: Coordinate) -> [Coordinate]? {
    guard case .following(let height) = viewport, !isPanned else { return nil }
    if let centre, centre.distanceNM(to: position) < height * 60 / 4 { return nil }
    return move(to: position)
  }

  /// Returns the centres of a sequence of movements by hand, of this many degrees of longitude each.
  mutating func pan(_ count: Int, by step: Double) -> [Coordinate] {
    guard let centre else { return [] }
    isPanned = true
    return (1...count).map { index in
      Coordinate(latitude: centre.latitude, longitude: Recorder.wrapped(centre.longitude + step * Double(index)))
    }
  }
}
