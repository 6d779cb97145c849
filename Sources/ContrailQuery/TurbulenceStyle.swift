public import ContrailWire

/// How turbulence looks on a map: the colours of the service's data guide, and the scale at which hexagons give way to polygons.
public enum TurbulenceStyle {
  /// A colour in sRGB with its opacity.
  public struct Color: Hashable, Sendable {
    /// `#RRGGBB`.
    public let hex: String
    /// 0 transparent … 1 opaque.
    public let alpha: Double

    /// The three parts, 0…255.
    public var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
      let bits = UInt32(hex.dropFirst(), radix: 16) ?? 0
      return (UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF))
    }
  }

  /// The colour that a severity's hexagons and polygons are filled with.
  public static func fill(_ severity: TurbulenceSeverity) -> Color {
    switch severity {
    case .none: Color(hex: "#FFFFFF", alpha: 0.6)
    case .light: Color(hex: "#FFF04C", alpha: 0.8)
    case .lightModerate: Color(hex: "#FFBC09", alpha: 0.8)
    case .moderate: Color(hex: "#FF7100", alpha: 0.8)
    case .moderateSevere: Color(hex: "#FF0000", alpha: 0.8)
    }
  }

  /// The colour of a severity's border; only smooth has one, for white on a light map would not be seen.
  public static func border(_ severity: TurbulenceSeverity) -> Color? {
    severity == .none ? Color(hex: "#898989", alpha: 0.8) : nil
  }

  /// The width of a border in points. The guide names none; this is ours.
  public static let borderWidthPoints = 1.0

  /// What a severity is called in the guide's legend.
  public static func name(_ severity: TurbulenceSeverity) -> String {
    switch severity {
    case .none: "Smooth"
    case .light: "Light"
    case .lightModerate: "Light-Moderate"
    case .moderate: "Moderate"
    case .moderateSevere: "Moderate-Occasionally Severe"
    }
  }

  // MARK: Hexagons or polygons

  /// What a map shows at a scale.
  public enum Layer: Hashable, Sendable {
    /// The reports' hexagons.
    case hexagons
    /// The global turbulence polygons.
    case polygons
  }

  /// The scale, in metres a point, from which on a map shows polygons in place of hexagons.
  public static let polygonsMetersPerPoint = 3320.0
  /// The same in metres a pixel, on the display of two pixels a point that the guide goes by.
  public static let polygonsMetersPerPixel = 1660.0
  /// The same in feet a point.
  public static let polygonsFeetPerPoint = 10_892.0
  /// The same in feet a pixel.
  public static let polygonsFeetPerPixel = 5446.0

  /// What to show at a scale, in metres of ground a point of the screen.
  public static func layer(metersPerPoint: Double) -> Layer {
    metersPerPoint >= polygonsMetersPerPoint ? .polygons : .hexagons
  }
}
