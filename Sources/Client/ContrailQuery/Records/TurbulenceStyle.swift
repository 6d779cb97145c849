public import ContrailWire

/// The appearance of turbulence on a map.
///
/// It includes the colours of the service's data guide, and the scale from which maps show polygons.
public enum TurbulenceStyle {
  /// An sRGB colour with its opacity.
  public struct Color: Hashable, Sendable {
    /// The colour as `#RRGGBB`.
    public let hex: String
    /// The opacity, from 0 (transparent) to 1 (opaque).
    public let alpha: Double

    /// The three components, 0…255.
    public var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
      let bits = UInt32(hex.dropFirst(), radix: 16) ?? 0
      return (UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF))
    }
  }

  /// Returns the fill colour for hexagons and polygons of a severity.
  public static func fill(_ severity: TurbulenceSeverity) -> Color {
    switch severity {
    case .none: Color(hex: "#FFFFFF", alpha: 0.6)
    case .light: Color(hex: "#FFF04C", alpha: 0.8)
    case .lightModerate: Color(hex: "#FFBC09", alpha: 0.8)
    case .moderate: Color(hex: "#FF7100", alpha: 0.8)
    case .moderateSevere: Color(hex: "#FF0000", alpha: 0.8)
    }
  }

  /// Returns the border colour of a severity. Only smooth has one, because white is invisible on a light map.
  public static func border(_ severity: TurbulenceSeverity) -> Color? {
    severity == .none ? Color(hex: "#898989", alpha: 0.8) : nil
  }

  /// The width of a border in points. The guide specifies none; this value is Contrail's.
  public static let borderWidthPoints = 1.0

  /// Returns the name of a severity in the guide's legend.
  public static func name(_ severity: TurbulenceSeverity) -> String {
    switch severity {
    case .none: "Smooth"
    case .light: "Light"
    case .lightModerate: "Light-Moderate"
    case .moderate: "Moderate"
    case .moderateSevere: "Moderate-Occasionally Severe"
    }
  }

  // MARK: Hexagons and polygons

  /// The content of a map at a given scale.
  public enum Layer: Hashable, Sendable {
    /// The hexagons of the reports.
    case hexagons
    /// The global turbulence polygons.
    case polygons
  }

  /// The scale from which a map shows polygons instead of hexagons, in metres per point.
  public static let polygonsMetersPerPoint = 3320.0
  /// The same scale in metres per pixel.
  ///
  /// The guide assumes a display with two pixels per point.
  public static let polygonsMetersPerPixel = 1660.0
  /// The same scale in feet per point.
  public static let polygonsFeetPerPoint = 10_892.0
  /// The same scale in feet per pixel.
  public static let polygonsFeetPerPixel = 5446.0

  /// Returns the content to show at a scale.
  ///
  /// - Parameter metersPerPoint: The metres on the ground per point on the screen.
  public static func layer(metersPerPoint: Double) -> Layer {
    metersPerPoint >= polygonsMetersPerPoint ? .polygons : .hexagons
  }
}
