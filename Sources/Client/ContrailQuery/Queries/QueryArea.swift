public import ContrailGeodesy

/// The area of a query. A hexagon is in an area if its centre is.
public enum QueryArea: Hashable, Sendable {
  /// All areas with data.
  case everywhere
  /// A closed ring of 4 to 250 coordinates, read as `DataQuery.polygon`.
  case polygon([Coordinate])
  /// The visible region of a map in degrees, from west to east, whatever its width, as in `BoundingBox`.
  case viewport(north: Double, south: Double, west: Double, east: Double)
  /// The corridor with the given full width in nautical miles around a route, as computed by `corridor(widthNM:)`.
  case route([Coordinate], widthNM: Double)

  /// Returns the area of a map's visible region.
  public static func viewport(_ box: BoundingBox) -> QueryArea {
    .viewport(north: box.north, south: box.south, west: box.west, east: box.east)
  }

  /// Returns the ring that bounds the area; nil for ``everywhere``.
  ///
  /// - Throws: ``QueryError`` if the area is invalid.
  /// - Complexity: That of `corridor(widthNM:)` for a route, otherwise O(*n*).
  public func ring() throws(QueryError) -> Ring? {
    switch self {
    case .everywhere: return nil
    case .polygon(let points): return try Self.ring(points.readAsMapRectangle)
    case .viewport(let north, let south, let west, let east):
      do throws(GeodesyError) {
        return Ring(try BoundingBox(north: north, south: south, west: west, east: east))
      } catch {
        throw QueryError.viewport(error)
      }
    case .route(let route, let widthNM):
      let points: [Coordinate]
      do throws(GeodesyError) {
        points = try route.corridor(widthNM: widthNM)
      } catch {
        throw QueryError.corridor(error)
      }
      return try Self.ring(points)
    }
  }

  private static func ring(_ points: [Coordinate]) throws(QueryError) -> Ring {
    do throws(GeodesyError) {
      return try Ring(points)
    } catch {
      throw QueryError.area(error)
    }
  }
}
