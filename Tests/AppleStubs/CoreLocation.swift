// See README.md.

public typealias CLLocationDegrees = Double

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationDirection = Double
public typealias CLLocationSpeed = Double

open class CLLocation: @unchecked Sendable {
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) { fatalError() }
  open var coordinate: CLLocationCoordinate2D { fatalError() }
  open var altitude: CLLocationDistance { fatalError() }
  open var verticalAccuracy: CLLocationAccuracy { fatalError() }
  open var course: CLLocationDirection { fatalError() }
  open var speed: CLLocationSpeed { fatalError() }
}

public struct CLLocationUpdate: Sendable {
  public enum LiveConfiguration: Sendable {
    case airborne
  }

  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate

    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> CLLocationUpdate? { fatalError() }
    }

    public func makeAsyncIterator() -> Iterator { fatalError() }
  }

  public let location: CLLocation?

  public static func liveUpdates(_ configuration: LiveConfiguration) -> Updates { fatalError() }
}
