extension Double {
  /// Returns the number with at most the given number of decimals, independent of the locale.
  func formatted(decimals: Int) -> String {
    guard isFinite, magnitude < 1e12 else { return "\(self)" }
    var scale: Int64 = 1
    for _ in 0..<max(0, min(decimals, 6)) { scale *= 10 }
    let units = Int64((magnitude * Double(scale)).rounded())
    let (whole, rest) = units.quotientAndRemainder(dividingBy: scale)
    let sign = self < 0 && units != 0 ? "-" : ""
    guard rest != 0 else { return "\(sign)\(whole)" }
    var digits = String(String(scale + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
