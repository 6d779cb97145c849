public import Foundation

extension UnitSpeed {
  /// The service's radar intensity, 0…1, of current and minutely precipitation.
  ///
  /// The service documents only the limits of light, moderate, heavy and violent precipitation in both units. Values in
  /// between are interpolated (``RadarIntensityConverter``): a converted value is in the same class as the service's,
  /// and otherwise an estimate.
  public static let radarIntensity = UnitSpeed(
    symbol: "radar intensity",
    converter: RadarIntensityConverter(millimetersPerHour: [0.0606, 0.8989, 2.8700, 12.8638]))

  /// The service's radar intensity, 0…1, of hourly and daily precipitation, which has different limits in mm/h.
  public static let forecastRadarIntensity = UnitSpeed(
    symbol: "forecast radar intensity",
    converter: RadarIntensityConverter(millimetersPerHour: [0.08, 3.44, 11.33, 51.30]))
}

/// Converts radar intensity to m/s of precipitation.
///
/// The limits are those of the service's table (docs.caiyunapp.com/weather-api/v2/v2.4/tables/precip.html). The
/// conversion is linear from zero to the first limit, then linear in the logarithm of the rate, and continues the last
/// piece beyond the last limit. It is strictly increasing, and therefore invertible.
final class RadarIntensityConverter: UnitConverter, @unchecked Sendable {
  private static let intensities = [0.031, 0.25, 0.35, 0.48]
  private static let metersPerSecondOfMillimetersPerHour = 0.001 / 3600

  /// The rates in mm/h at `intensities`.
  private let rates: [Double]

  init(millimetersPerHour rates: [Double]) {
    self.rates = rates
  }

  required init?(coder: NSCoder) {
    nil
  }

  override func baseUnitValue(fromValue value: Double) -> Double {
    let intensities = Self.intensities
    let rate: Double
    if value <= intensities[0] {
      rate = value / intensities[0] * rates[0]
    } else {
      let piece = intensities.dropLast().lastIndex { $0 < value } ?? 0
      let part = (value - intensities[piece]) / (intensities[piece + 1] - intensities[piece])
      rate = rates[piece] * pow(rates[piece + 1] / rates[piece], part)
    }
    return rate * Self.metersPerSecondOfMillimetersPerHour
  }

  override func value(fromBaseUnitValue baseUnitValue: Double) -> Double {
    let intensities = Self.intensities
    let rate = baseUnitValue / Self.metersPerSecondOfMillimetersPerHour
    guard rate > rates[0] else { return rate / rates[0] * intensities[0] }
    let piece = rates.dropLast().lastIndex { $0 < rate } ?? 0
    let part = log(rate / rates[piece]) / log(rates[piece + 1] / rates[piece])
    return intensities[piece] + part * (intensities[piece + 1] - intensities[piece])
  }
}
