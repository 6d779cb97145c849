public import ContrailGeodesy

/// Where a query looks. A hexagon is in an area by its centre, a point by itself.
public enum QueryArea: Hashable, Sendable {
  /// Everywhere that data are held.
  case everywhere
  /// Within a closed ring of 4 to 250 coordinates, read as `Ring` reads it: a map's visible rectangle
  /// `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]` from west to east.
  case polygon([Coordinate])
  /// Within half of a width, in nautical miles, of a line along the great circle, as `corridor(widthNM:)` draws it.
  case route([Coordinate], widthNM: Double)

  /// A map's visible rectangle, in degrees, from west to east however wide; across the antimeridian where `west` is east of `east`.
  public static func viewport(north: Double, west: Double, south: Double, east: Double) -> QueryArea {
    let (northWest, northEast) = (
      Coordinate(latitude: north, longitude: west), Coordinate(latitude: north, longitude: east)
    )
    let (southWest, southEast) = (
      Coordinate(latitude: south, longitude: west), Coordinate(latitude: south, longitude: east)
    )
    return .polygon([northWest, northEast, southEast, southWest, northWest])
  }

  /// The ring that bounds the area; nil everywhere.
  ///
  /// - Complexity: that of `corridor(widthNM:)` for a route, else O(*n*).
  public func ring() throws(QueryFault) -> Ring? {
    switch self {
    case .everywhere: return nil
    case .polygon(let points): return try Self.ring(points)
    case .route(let route, let widthNM):
      let points: [Coordinate]
      do throws(BufferFault) {
        points = try route.corridor(widthNM: widthNM)
      } catch {
        throw QueryFault.corridor(error)
      }
      return try Self.ring(points)
    }
  }

  private static func ring(_ points: [Coordinate]) throws(QueryFault) -> Ring {
    do throws(RingFault) {
      return try Ring(points)
    } catch {
      throw QueryFault.area(error)
    }
  }
}
