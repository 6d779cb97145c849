package import ContrailQuery
import ContrailWire

/// A profile as an SVG 1.1 document, for reports and tickets.
///
/// Its colours are those of ``TurbulenceStyle``. A cell is the more transparent the older its newest report is. What nobody
/// reported is hatched.
package struct ProfileDrawing: Sendable {
  /// The document.
  package let svg: String

  private static let left = 52.0
  private static let top = 44.0
  private static let plotWidth = 1000.0
  private static let rowHeight = 12.0

  /// The opacity of a cell by its age.
  ///
  /// - Parameters:
  ///   - ageSeconds: The age of the newest report.
  ///   - historySeconds: The age at which reports are gone.
  package static func opacity(ageSeconds: Int64, historySeconds: Int64) -> Double {
    1 - 0.7 * min(1, Double(ageSeconds) / Double(max(1, historySeconds)))
  }

  /// - Parameters:
  ///   - title: The title above the drawing.
  ///   - profile: The profile.
  ///   - historySeconds: The age at which reports are gone.
  ///   - aircraftFeet: The altitude of the own aircraft.
  ///   - planned: The planned levels, drawn as a line of steps.
  package init(
    title: String, _ profile: RouteProfile, historySeconds: Int64, aircraftFeet: Double? = nil,
    planned: PlannedLevels? = nil
  ) {
    let levels = profile.levels(atLeast: 10, including: planned?.levels ?? [])
    let height = Double(levels.count) * Self.rowHeight
    let scale = Self.plotWidth / profile.lengthNM
    func x(_ alongNM: Double) -> Double { Self.left + alongNM * scale }
    func y(_ level: Double) -> Double { Self.top + (Double(levels.upperBound) + 0.5 - level) * Self.rowHeight }
    let total = (Self.left + Self.plotWidth + 20, Self.top + height + 74)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.text(total.0)) \(Self.text(total.1))" \
      width="\(Self.text(total.0))" height="\(Self.text(total.1))" font-family="system-ui, sans-serif" font-size="11" fill="#16202e">
      <title>\(FlightPage.escaped(title))</title>
      <defs><pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
      <path d="M0 0V6" stroke="#8494aa" stroke-width="1" stroke-opacity="0.55"/></pattern></defs>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="\(Self.text(Self.left))" y="22" font-size="14" font-weight="600">\(FlightPage.escaped(title))</text>
      <rect x="\(Self.text(Self.left))" y="\(Self.text(Self.top))" width="\(Self.text(Self.plotWidth))" height="\(Self.text(height))" \
      fill="#d9e2ec"/>
      <rect x="\(Self.text(Self.left))" y="\(Self.text(Self.top))" width="\(Self.text(Self.plotWidth))" height="\(Self.text(height))" \
      fill="url(#unknown)" stroke="#627086"/>

      """
    func rectangle(_ cell: ProfileCell) -> String {
      let bin = profile.distancesNM(ofBin: cell.bin)
      return "x=\"\(Self.text(x(bin.lowerBound)))\" y=\"\(Self.text(y(Double(cell.level) + 0.5)))\" "
        + "width=\"\(Self.text((bin.upperBound - bin.lowerBound) * scale))\" height=\"\(Self.text(Self.rowHeight))\""
    }
    for cell in profile.cells where levels.contains(cell.level) {
      if let code = profile.areaSeverity(cell), let severity = TurbulenceSeverity(rawValue: code) {
        svg += "<rect \(rectangle(cell)) fill=\"\(TurbulenceStyle.fill(severity).hex)\" fill-opacity=\"0.25\"/>\n"
      }
      guard let reports = cell.reports else { continue }
      let fill = TurbulenceStyle.fill(reports.worst)
      let opacity = Self.opacity(ageSeconds: reports.ageSeconds, historySeconds: historySeconds)
      let edr = "EDR \(Self.text(reports.maximumEDR)), newest \(Self.text(reports.newestEDR))"
      svg += """
        <rect \(rectangle(cell)) fill="\(fill.hex)" fill-opacity="\(Self.text(opacity))" stroke="#627086" stroke-width="0.5">\
        <title>\(RouteProfile.name(ofLevel: cell.level)): \(TurbulenceStyle.name(reports.worst)), newest \
        \(TurbulenceStyle.name(reports.newest)), \(edr), reports: \(reports.count), \(reports.ageSeconds / 60) min old</title></rect>

        """
    }
    for pirep in profile.pireps {
      let level = Double(pirep.level ?? levels.lowerBound)
      let (center, middle) = (x(pirep.alongNM), y(level))
      svg += """
        <path d="M\(Self.text(center)) \(Self.text(middle - 6))l5 9h-10z" fill="\(pirep.pirep.isUrgent ? "#d12f2f" : "#16202e")">\
        <title>\(FlightPage.escaped(pirep.pirep.text))</title></path>

        """
    }
    let rows = max(1, levels.count / 10)
    for level in levels where (level - levels.lowerBound) % rows == 0 {
      svg +=
        "<text x=\"\(Self.text(Self.left - 6))\" y=\"\(Self.text(y(Double(level)) + 4))\" text-anchor=\"end\">\(RouteProfile.name(ofLevel: level))</text>\n"
    }
    let step = profile.labelStepNM(10)
    for number in 0...Int(profile.lengthNM / step) {
      let along = Double(number) * step
      svg += """
        <path d="M\(Self.text(x(along))) \(Self.text(Self.top + height))v5" stroke="#627086"/>\
        <text x="\(Self.text(x(along)))" y="\(Self.text(Self.top + height + 17))" text-anchor="middle">\(Int(along)) NM</text>

        """
    }
    if let planned {
      var line = ""
      for (from, to, level) in planned.stretches(lengthNM: profile.lengthNM) {
        let height = Self.text(y(Double(level) / 10))
        line += line.isEmpty ? "M\(Self.text(x(from))) \(height)" : "V\(height)"
        line += "H\(Self.text(x(to)))"
      }
      svg += """
        <path d="\(line)" fill="none" stroke="#ffffff" stroke-width="4" stroke-opacity="0.8"/>\
        <path d="\(line)" fill="none" stroke="#7a2fb5" stroke-width="2" stroke-dasharray="7 3"><title>Planned: \(planned.words)</title></path>

        """
    }
    if let aircraft = profile.aircraft {
      let along = x(aircraft.alongNM)
      svg +=
        "<path d=\"M\(Self.text(along)) \(Self.text(Self.top))v\(Self.text(height))\" stroke=\"#0a72c4\" stroke-width=\"1.5\"/>\n"
      if let aircraftFeet {
        let middle = y(aircraftFeet / 1000)
        svg +=
          "<path d=\"M\(Self.text(along + 7)) \(Self.text(middle))l-12 -5v10z\" fill=\"#0a72c4\"><title>Own aircraft</title></path>\n"
      }
    }
    var at = Self.left
    let under = Self.text(Self.top + height + 40)
    func key(_ fill: String, _ name: String) {
      svg += """
        <rect x="\(Self.text(at))" y="\(under)" width="14" height="12" \(fill) stroke="#627086" stroke-width="0.5"/>\
        <text x="\(Self.text(at + 19))" y="\(Self.text(Self.top + height + 50))">\(name)</text>

        """
      at += 40 + 6.2 * Double(name.count)
    }
    for severity in TurbulenceSeverity.allCases {
      key("fill=\"\(TurbulenceStyle.fill(severity).hex)\"", TurbulenceStyle.name(severity))
    }
    key("fill=\"url(#unknown)\"", "Nobody reported")
    svg +=
      "<text x=\"\(Self.text(at))\" y=\"\(Self.text(Self.top + height + 50))\">the paler, the older; triangles are PIREPs\(planned == nil ? "" : "; dashes: planned")</text>\n</svg>\n"
    self.svg = svg
  }

  /// A number with at most two decimals.
  private static func text(_ value: Double) -> String {
    var json = JSONWriter()
    json.decimal(Int64((value * 100).rounded()), digits: 2)
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
