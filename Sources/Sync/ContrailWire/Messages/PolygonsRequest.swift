package import ContrailGeodesy

/// `GET /polygons/v5?hours=…[&area=…|&handle=…]`: requests the turbulence areas of one history length.
///
/// The response is a GeoJSON feature collection with an ETag.
package struct PolygonsRequest: Hashable, Sendable {
  package var history: DataHistoryTime
  /// The ring that the areas must intersect; nil for the whole world.
  package var ring: Ring?
  /// The server's handle for the ring. It is sent instead of the ring.
  package var handle: String?

  package init(history: DataHistoryTime, ring: Ring? = nil, handle: String? = nil) {
    self.history = history
    self.ring = ring
    self.handle = handle
  }

  /// The path relative to the server URL.
  package static let path = "/polygons/v5"

  /// The path and query. The area is written as longitude and latitude in integers of 1e-7 degrees, one after the
  /// other.
  package var target: String {
    var json = JSONWriter()
    json.decimal(history.seconds / 360, digits: 1)
    var target = "\(Self.path)?hours=" + String(decoding: json.bytes, as: UTF8.self)
    if let handle {
      target += "&handle=" + handle
    } else if let ring {
      let numbers = ring.points.flatMap { [String($0.longitudeE7), String($0.latitudeE7)] }
      target += "&area=" + numbers.joined(separator: ",")
    }
    return target
  }

  /// Creates a request from the query's parameters.
  ///
  /// - Throws: ``WireError`` if the hours, the area or the handle are invalid, or if there are both of the latter.
  package init(hours: String?, area: String?, handle: String? = nil) throws(WireError) {
    let spans: [String: DataHistoryTime] = [
      "0.5": .halfHour, "1": .hour, "2": .twoHours, "4": .fourHours, "6": .sixHours,
    ]
    guard let history = spans[hours ?? "2"] else {
      throw WireError.json(JSONError(offset: 0, reason: "hours must be 0.5, 1, 2, 4 or 6"))
    }
    if let handle {
      guard area == nil, AreaRequest.isHandle(handle) else { throw WireError.parameter("handle", value: handle) }
    }
    guard let area else {
      self.init(history: history, handle: handle)
      return
    }
    let numbers = area.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count.isMultiple(of: 2) else { throw WireError.ring(.open) }
    let points = stride(from: 0, to: numbers.count, by: 2).map { index -> FixedCoordinate? in
      guard let longitude = numbers[index], let latitude = numbers[index + 1] else { return nil }
      return FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude)
    }
    do {
      self.init(history: history, ring: try Ring(points))
    } catch {
      throw WireError.ring(error)
    }
  }
}
