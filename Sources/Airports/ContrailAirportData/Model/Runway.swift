public import ContrailGeodesy

/// One direction of a runway: `09` is one direction, and `27` at the other end is another.
public struct Runway: Hashable, Sendable {
  /// The painted designator, or the name in the source: `09L`, but also `16GRASS` or `Unknown`.
  public var name: String
  /// The true heading in degrees. Some sources contain values slightly above 360.
  public var trueHeadingDegrees: Double?
  /// The physical length, in metres.
  public var lengthMeters: Double?
  /// The width, in metres.
  public var widthMeters: Double?
  /// The surface.
  public var surface: RunwaySurface
  /// The elevation of this end above mean sea level, in metres.
  public var elevationMeters: Double?
  /// The name of the opposite direction.
  public var reciprocalName: String?
  /// The declared take-off run available (TORA), in metres.
  public var takeoffRunMeters: Double?
  /// The declared take-off distance available (TODA), in metres.
  public var takeoffDistanceMeters: Double?
  /// The declared accelerate-stop distance available (ASDA), in metres.
  public var accelerateStopDistanceMeters: Double?
  /// The declared landing distance available (LDA), in metres.
  public var landingDistanceMeters: Double?
  /// The distance from the beginning of the runway to the landing threshold in metres.
  public var displacedThresholdMeters: Double?
  /// The gradient in percent in this direction, positive uphill.
  public var gradientPercent: Double?
  /// The position of this end in WGS 84.
  public var endCoordinate: Coordinate?

  /// The length of the international foot in metres.
  public static let metersPerFoot = 0.3048

  public init(
    name: String, trueHeadingDegrees: Double? = nil, lengthMeters: Double? = nil, widthMeters: Double? = nil,
    surface: RunwaySurface = .unknown, elevationMeters: Double? = nil, reciprocalName: String? = nil,
    takeoffRunMeters: Double? = nil, takeoffDistanceMeters: Double? = nil, accelerateStopDistanceMeters: Double? = nil,
    landingDistanceMeters: Double? = nil, displacedThresholdMeters: Double? = nil, gradientPercent: Double? = nil,
    endCoordinate: Coordinate? = nil
  ) {
    self.name = name
    self.trueHeadingDegrees = trueHeadingDegrees
    self.lengthMeters = lengthMeters
    self.widthMeters = widthMeters
    self.surface = surface
    self.elevationMeters = elevationMeters
    self.reciprocalName = reciprocalName
    self.takeoffRunMeters = takeoffRunMeters
    self.takeoffDistanceMeters = takeoffDistanceMeters
    self.accelerateStopDistanceMeters = accelerateStopDistanceMeters
    self.landingDistanceMeters = landingDistanceMeters
    self.displacedThresholdMeters = displacedThresholdMeters
    self.gradientPercent = gradientPercent
    self.endCoordinate = endCoordinate
  }

  /// Whether the source describes the surface as turf.
  public var isTurf: Bool { surface == .turf }
}

extension Runway {
  /// The physical length, in feet.
  public var lengthFeet: Double? { feet(lengthMeters) }
  /// The width, in feet.
  public var widthFeet: Double? { feet(widthMeters) }
  /// The elevation of this end above mean sea level, in feet.
  public var elevationFeet: Double? { feet(elevationMeters) }
  /// The declared take-off run available (TORA), in feet.
  public var takeoffRunFeet: Double? { feet(takeoffRunMeters) }
  /// The declared take-off distance available (TODA), in feet.
  public var takeoffDistanceFeet: Double? { feet(takeoffDistanceMeters) }
  /// The declared accelerate-stop distance available (ASDA), in feet.
  public var accelerateStopDistanceFeet: Double? { feet(accelerateStopDistanceMeters) }
  /// The declared landing distance available (LDA), in feet.
  public var landingDistanceFeet: Double? { feet(landingDistanceMeters) }
  /// The distance from the beginning of the runway to the landing threshold in feet.
  public var displacedThresholdFeet: Double? { feet(displacedThresholdMeters) }

  private func feet(_ meters: Double?) -> Double? { meters.map { $0 / Self.metersPerFoot } }
}
