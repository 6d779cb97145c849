import ContrailCore
package import ContrailLog
import ContrailWire

extension Trouble {
  /// Parses the value of an option.
  ///
  /// - Parameters:
  ///   - option: `outage`, `fault` or `kill`.
  ///   - text: A span such as `t+1h..t+1h20m`, a time, or a fault with one of them: `status=503@t+1h`.
  /// - Throws: ``InputError`` if the text is invalid.
  package init(_ option: String, _ text: String) throws(InputError) {
    func refuse(_ expected: String) -> InputError {
      InputError(.option, at: option, "'\(text)' is invalid; expected \(expected)")
    }
    guard !text.hasPrefix("-"), !text.hasPrefix("t-") else { throw refuse("a time after the start of the flight") }
    switch option {
    case "outage":
      guard let (span, isTime) = Self.span(text), !isTime else { throw refuse("a span such as t+1h..t+1h20m") }
      self.init(.outage, span)
    case "kill":
      guard let (span, isTime) = Self.span(text), isTime else { throw refuse("a time such as t+1h or t+01:10:00") }
      self.init(.kill, span)
    default:
      let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2, let (span, isTime) = Self.span(sides[1]) else {
        throw refuse("a fault and when it applies, such as status=503@t+1h..t+1h20m or gone@t+1h for the next request")
      }
      guard let fault = InjectedFault(sides[0]) else { throw refuse("one of the faults \(InjectedFault.forms)") }
      self.init(.fault(fault), isTime ? span.lowerBound..<Int64.max : span, isOnce: isTime)
    }
  }

  /// Parses a span or a time, in milliseconds.
  private static func span(_ text: String) -> (span: Range<Int64>, isTime: Bool)? {
    guard let dots = text.firstRange(of: "..") else {
      return TimeText.milliseconds(text).flatMap { $0 < 0 ? nil : ($0..<$0 + 1, true) }
    }
    guard let from = TimeText.milliseconds(text[..<dots.lowerBound]),
      let until = TimeText.milliseconds(text[dots.upperBound...]), from >= 0, from < until
    else { return nil }
    return (from..<until, false)
  }

  /// Draws one to three troubles of a flight.
  ///
  /// - Parameters:
  ///   - seed: Equal seeds give equal troubles.
  ///   - lengthMS: The length of the flight, in milliseconds.
  package static func drawn(seed: UInt64, lengthMS: Int64) -> [Trouble] {
    var state = Digest.mix(seed ^ 0x7472_6f75_626c_65)
    func draw(_ limit: Int64) -> Int64 {
      state = Digest.mix(state &+ 1)
      return Int64(state % UInt64(max(limit, 1)))
    }
    return (0...draw(3)).map { _ in
      // Whole seconds, so that the name gives the same trouble.
      let from = draw(max(lengthMS / 1000, 1)) * 1000
      let span = from..<from + (10 + draw(3600)) * 1000
      switch draw(4) {
      case 0: return Trouble(.outage, span)
      case 1: return Trouble(.kill, from..<from + 1)
      default:
        let faults: [InjectedFault] = [
          .latency(milliseconds: 1000 + draw(40_000)), .drop, .timeout, .status(503, retryAfterSeconds: nil),
          .status(503, retryAfterSeconds: 1 + draw(600)), .status(401, retryAfterSeconds: nil),
          .status(400, retryAfterSeconds: nil), .gone, .garble, .count, .follows, .ahead(seconds: 1 + draw(7200)),
          .stale(seconds: 1 + draw(7200)),
        ]
        let fault = faults[Int(draw(Int64(faults.count)))]
        return draw(2) == 0
          ? Trouble(.fault(fault), from..<Int64.max, isOnce: true) : Trouble(.fault(fault), span)
      }
    }
  }
}
