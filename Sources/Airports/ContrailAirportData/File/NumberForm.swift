/// The encoding of a number as a count of units, if that represents the same bits.
///
/// Aeronautical data is in feet, whole degrees and decimal fractions, although it is stored as floating-point metres.
enum NumberForm: UInt8, CaseIterable {
  case whole = 0
  /// Feet, as metres.
  case feet = 1
  /// Tenths of a foot, as metres.
  case tenthsOfFeet = 2
  case hundredths = 3
  case millionths = 4
  /// 1e-8, the finest resolution of coordinates in the sources.
  case hundredMillionths = 5
  /// The eight bytes of an IEEE 754 double.
  case bits = 7

  private static let metersPerFoot = 0.3048
  /// The limit of the unit count.
  private static let limit = 4e15

  func value(_ units: Int64) -> Double {
    switch self {
    case .whole, .bits: Double(units)
    case .feet: Double(units) * Self.metersPerFoot
    case .tenthsOfFeet: Double(units) / 10 * Self.metersPerFoot
    case .hundredths: Double(units) / 100
    case .millionths: Double(units) / 1e6
    case .hundredMillionths: Double(units) / 1e8
    }
  }

  private func units(_ value: Double) -> Double {
    switch self {
    case .whole, .bits: value
    case .feet: value / Self.metersPerFoot
    case .tenthsOfFeet: value / Self.metersPerFoot * 10
    case .hundredths: value * 100
    case .millionths: value * 1e6
    case .hundredMillionths: value * 1e8
    }
  }

  /// Returns the first encoding that represents a number exactly, with the number of units, or ``bits`` if there is
  /// none.
  static func shortest(for value: Double) -> (form: NumberForm, units: Int64) {
    for form in allCases where form != .bits {
      let units = form.units(value).rounded()
      guard units.magnitude < limit else { continue }
      if form.value(Int64(units)) == value { return (form, Int64(units)) }
    }
    return (.bits, 0)
  }
}
