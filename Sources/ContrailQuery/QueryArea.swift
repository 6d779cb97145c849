public import ContrailGeodesy

/// Where a query looks. A hexagon is in an area by its centre, a point by itself.
public enum QueryArea: Hashable, Sendable {
  /// Everywhere that data are held.
  case everywhere
  /// Within a closed ring of 4 to 250 coordinates, read as `Ring` reads it: each edge goes the short way.
  case polygon([Coordinate])
  /// Within a map's visible region, in degrees, from west to east however wide, as `BoundingBox` has it.
  case viewport(north: Double, west: Double, south: Double, east: Double)
  /// Within half of a width, in nautical miles, of a line along the great circle, as `corridor(widthNM:)` draws it.
  case route([Coordinate], widthNM: Double)

  /// Within a map's visible region.
  public static func viewport(_ box: BoundingBox) -> QueryArea {
    .viewport(north: box.north, west: box.west, south: box.south, east: box.east)
  }

  /// The ring that bounds the area; nil everywhere.
  ///
  /// - Complexity: that of `corridor(widthNM:)` for a route, else O(*n*).
  public func ring() throws(QueryFault) -> Ring? {
    switch self {
    case .everywhere: return nil
    case .polygon(let points): return try Self.ring(points)
    case .viewport(let north, let west, let south, let east):
      do throws(BoundingBoxFault) {
        return Ring(try BoundingBox(north: north, south: south, west: west, east: east))
      } catch {
        throw QueryFault.viewport(error)
      }
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
