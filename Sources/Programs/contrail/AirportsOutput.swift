import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailLog
import ContrailWire
import Foundation

/// A progress bar on standard error. It prints nothing if standard error isn't a terminal.
struct ProgressBar {
  private let isOn: Bool
  private var shown = ""

  private static let width = 30

  init(isOn: Bool = true) {
    self.isOn = isOn && isatty(STDERR_FILENO) != 0
  }

  /// Draws the bar.
  ///
  /// - Parameters:
  ///   - fraction: The progress, from 0 to 1.
  ///   - label: The current activity.
  mutating func show(_ fraction: Double, _ label: String) {
    guard isOn else { return }
    let line = Self.line(fraction, label)
    guard line != shown else { return }
    shown = line
    ProgramOutput.writeError("\r\u{1B}[K\(line)", escaped: false)
  }

  func clear() {
    guard isOn else { return }
    ProgramOutput.writeError("\r\u{1B}[K", escaped: false)
  }

  static func line(_ fraction: Double, _ label: String) -> String {
    let fraction = fraction.isFinite ? min(max(fraction, 0), 1) : 0
    let full = Int(fraction * Double(width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\(bar) \(Int(fraction * 100)) % \(label)"
  }
}

/// A table of airports with aligned columns.
struct AirportTable {
  private var rows: [[String]]
  /// Whether each column contains numbers and is right-aligned.
  private let isNumber: [Bool]

  init(_ columns: [(title: String, isNumber: Bool)]) {
    rows = [columns.map(\.title)]
    isNumber = columns.map(\.isNumber)
  }

  mutating func add(_ row: [String]) { rows.append(row.map { $0.escapingControls(keepsLines: false) }) }

  var text: String {
    let widths = isNumber.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(zip(row, widths), isNumber).map { entry, isNumber in
        let blanks = String(repeating: " ", count: entry.1 - entry.0.count)
        return isNumber ? blanks + entry.0 : entry.0 + blanks
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension Airport {
  static let columns: [(title: String, isNumber: Bool)] = [
    ("ICAO", false), ("IATA", false), ("LOCAL", false), ("NAME", false), ("CITY", false), ("ELEV FT", true),
    ("RWY FT", true), ("SURFACE", false),
  ]

  /// The cells of the airport's row. The runway columns describe the longest runway.
  var cells: [String] {
    let longest = runwaysLongestFirst.first
    return [
      icaoID ?? "", iataID ?? "", locationID, name.clipped(40), (city ?? "").clipped(24), elevationFeet.whole,
      longest?.lengthFeet.whole ?? "", longest?.surface.code ?? "",
    ]
  }

  /// A table of the runways, longest first.
  var runwayTable: String {
    var table = AirportTable([
      ("RUNWAY", false), ("HEADING", true), ("LENGTH FT", true), ("WIDTH FT", true), ("SURFACE", false),
      ("DISPLACED FT", true), ("TORA FT", true), ("TODA FT", true), ("LDA FT", true), ("GRADIENT %", true),
    ])
    for runway in runwaysLongestFirst {
      table.add([
        runway.name, runway.trueHeadingDegrees.whole, runway.lengthFeet.whole, runway.widthFeet.whole,
        runway.surface.code, runway.displacedThresholdFeet.whole, runway.takeoffRunFeet.whole,
        runway.takeoffDistanceFeet.whole, runway.landingDistanceFeet.whole,
        runway.gradientPercent.map { "\($0)" } ?? "",
      ])
    }
    return table.text
  }

  func write(to json: inout JSONWriter, distanceNM: Double? = nil, azimuth: Double? = nil) {
    json.object { json in
      json.member("recordID", recordID)
      json.key("icaoID")
      json.optional(icaoID)
      json.key("iataID")
      json.optional(iataID)
      json.member("locationID", locationID)
      json.member("name", name)
      json.key("city")
      json.optional(city)
      json.member("source", dataSource.rawValue)
      let numbers: [JSONWriter.Number] = [
        ("latitude", coordinate.latitude, 7), ("longitude", coordinate.longitude, 7),
        ("elevationFeet", elevationFeet, 1), ("variationDegrees", variationDegrees, 2),
      ]
      json.members(numbers)
      json.key("timeZone")
      json.optional(timeZone)
      if let distanceNM {
        json.key("distanceNM")
        json.optional(distanceNM, digits: 2)
      }
      if let azimuth {
        json.key("azimuth")
        json.optional(azimuth, digits: 1)
      }
      json.key("runways")
      json.array { json in for runway in runwaysLongestFirst { runway.write(to: &json) } }
    }
  }
}

extension Runway {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.key("reciprocal")
      json.optional(reciprocalName)
      json.member("surface", surface.code)
      let numbers: [JSONWriter.Number] = [
        ("trueHeadingDegrees", trueHeadingDegrees, 2), ("lengthFeet", lengthFeet, 1), ("widthFeet", widthFeet, 1),
        ("elevationFeet", elevationFeet, 1), ("displacedThresholdFeet", displacedThresholdFeet, 1),
        ("takeoffRunFeet", takeoffRunFeet, 1), ("takeoffDistanceFeet", takeoffDistanceFeet, 1),
        ("accelerateStopDistanceFeet", accelerateStopDistanceFeet, 1),
        ("landingDistanceFeet", landingDistanceFeet, 1), ("gradientPercent", gradientPercent, 2),
      ]
      json.members(numbers)
    }
  }
}

extension JSONWriter {
  typealias Number = (key: StaticString, value: Double?, digits: Int)

  mutating func members(_ numbers: [Number]) {
    for number in numbers {
      key(number.key)
      optional(number.value, digits: number.digits)
    }
  }

  mutating func optional(_ text: String?) {
    if let text { value(text) } else { null() }
  }

  mutating func optional(_ number: Double?, digits: Int) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    if let number, let scaled = Int64(exactly: (number * scale).rounded()) {
      decimal(scaled, digits: digits)
    } else {
      null()
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Double? {
  /// The value rounded to a whole number, or an empty string if there is none.
  fileprivate var whole: String { flatMap { Int(exactly: $0.rounded()) }.map(String.init) ?? "" }
}

extension String {
  fileprivate func clipped(_ length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
