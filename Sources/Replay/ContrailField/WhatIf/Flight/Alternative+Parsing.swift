import ContrailCore
package import ContrailLog
import ContrailWire

extension Alternative {
  /// Sets an option from its text.
  ///
  /// - Parameters:
  ///   - option: `frequency`, `history`, `width`, `types`, `severities`, `viewport`, `wire`, `policy`, `link`, `from`
  ///     or `until`.
  ///   - value: The value, as on the command line.
  ///   - link: Returns the link model of a name or a file.
  /// - Throws: ``InputError`` if the option is unknown or its value invalid.
  package mutating func set(
    _ option: String, _ value: String, link: (String) throws(InputError) -> LinkModel
  ) throws(InputError) {
    func refuse(_ expected: String) -> InputError {
      InputError(.option, at: option, "'\(value)' is invalid; expected \(expected)")
    }
    switch option {
    case "frequency":
      guard let it = DataUpdateFrequency(rawValue: value) else { throw refuse("none, minimal, medium or fast") }
      frequency = it
    case "history":
      guard let it = DataHistoryTime.allCases.first(where: { $0.hours + "h" == value || $0.hours == value }) else {
        throw refuse("0.5h, 1h, 2h, 4h or 6h")
      }
      history = it
    case "width":
      guard let it = Double(value), (0.1...2000).contains(it) else { throw refuse("nautical miles from 0.1 to 2000") }
      widthMilliNM = Int64((it * 1000).rounded())
    case "types":
      guard let it = DataTypeOptions(words: value) else {
        throw refuse("all, none, or turbulence, pireps, traffic and turbulencePolygons, separated by commas")
      }
      types = it
    case "severities":
      guard let it = Self.severities(value) else {
        throw refuse("all, or none, light, light-moderate, moderate and moderate-severe, separated by commas")
      }
      severities = it
    case "viewport":
      guard value == "off" else {
        // One area can't take reports of another: each has its own requests, watermark and checksum.
        throw refuse(
          "off; a viewport can't share the corridor's reports, because no request leaves out a part of its area")
      }
      hasNoViewport = true
    case "wire":
      guard let it = Wire(rawValue: value) else { throw refuse("json or compact") }
      guard policy == nil else { throw refuse("no wire beside a policy, which contains one") }
      wire = it
    case "policy":
      guard let it = Policy(rawValue: value) else { throw refuse("seed, before or now") }
      guard wire == nil else { throw refuse("no policy beside a wire, because a policy contains one") }
      policy = it
    case "link":
      do throws(InputError) {
        self.link = try link(value)
      } catch {
        throw refuse("\(LinkModel.all.map(\.name).joined(separator: ", ")), or a file (\(error))")
      }
    case "from", "until":
      guard let it = TimeText.milliseconds(value), it >= 0 else {
        throw refuse("a time after the start such as 70m, 1h30m or 01:10:00")
      }
      let whole = span ?? 0..<Int64.max
      let (from, until) = option == "from" ? (it, whole.upperBound) : (whole.lowerBound, it)
      guard from < until else { throw refuse("'from' before 'until'") }
      span = from..<until
    default:
      throw refuse(
        "one of the options frequency, history, width, types, severities, viewport, wire, policy, link, from and until")
    }
  }

  private static func severities(_ text: String) -> SeveritySet? {
    if text == "all" { return .all }
    var severities: [TurbulenceSeverity] = []
    for word in text.split(separator: ",") {
      guard let match = TurbulenceSeverity.wordsBySeverity.first(where: { $0.word == word }) else { return nil }
      severities.append(match.severity)
    }
    return severities.isEmpty ? nil : SeveritySet(severities)
  }
}
