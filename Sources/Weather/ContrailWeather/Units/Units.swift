public import Foundation

extension UnitSpeed {
  /// Precipitation in mm/h.
  public static let millimetersPerHour = UnitSpeed(
    symbol: "mm/h", converter: UnitConverterLinear(coefficient: 0.001 / 3600))
  /// Precipitation in inches per hour.
  public static let inchesPerHour = UnitSpeed(
    symbol: "in/h", converter: UnitConverterLinear(coefficient: 0.0254 / 3600))
}

extension UnitConcentrationMass {
  /// µg/m³
  public static let microgramsPerCubicMeter = UnitConcentrationMass(
    symbol: "µg/m³", converter: UnitConverterLinear(coefficient: 1e-9))
  /// mg/m³
  public static let milligramsPerCubicMeter = UnitConcentrationMass(
    symbol: "mg/m³", converter: UnitConverterLinear(coefficient: 1e-6))
}

/// Units of ratios.
public final class UnitRatio: Dimension, @unchecked Sendable {
  /// 0…1
  public static let ratio = UnitRatio(symbol: "", converter: UnitConverterLinear(coefficient: 1))
  /// 0…100
  public static let percent = UnitRatio(symbol: "%", converter: UnitConverterLinear(coefficient: 0.01))

  // The class is final, so `Self` is always this class.
  public override class func baseUnit() -> Self { unsafeDowncast(ratio, to: Self.self) }
}

/// Units of irradiance.
public final class UnitIrradiance: Dimension, @unchecked Sendable {
  /// W/m²
  public static let wattsPerSquareMeter = UnitIrradiance(
    symbol: "W/m²", converter: UnitConverterLinear(coefficient: 1))

  public override class func baseUnit() -> Self { unsafeDowncast(wattsPerSquareMeter, to: Self.self) }
}
