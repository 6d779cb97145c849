/// How a number is written: as a whole number of some unit wherever that gives back the same bits, so that files are small.
///
/// Aeronautical data are feet, whole degrees and decimal fractions, though they come as floating-point metres.
enum NumberForm: UInt8, CaseIterable {
  case whole = 0
  /// Feet, in metres.
  case feet = 1
  /// Tenths of a foot, in metres.
  case tenthsOfFeet = 2
  case hundredths = 3
  case millionths = 4
  /// 1e-8: the finest that sources give coordinates in.
  case hundredMillionths = 5
  /// The eight bytes of an IEEE 754 double.
  case bits = 7

  private static let metersPerFoot = 0.3048
  /// Whole numbers beyond this aren't tried.
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

  /// The first form that gives the number back exactly, and how many of its units; ``bits`` if none does.
  static func shortest(for value: Double) -> (form: NumberForm, units: Int64) {
    for form in allCases where form != .bits {
      let units = form.units(value).rounded()
      guard units.magnitude < limit else { continue }
      if form.value(Int64(units)) == value { return (form, Int64(units)) }
    }
    return (.bits, 0)
  }
}
