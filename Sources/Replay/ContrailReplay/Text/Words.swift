import ContrailAirportData
import ContrailCore
import ContrailGeodesy
import ContrailWire

/// Functions that format numbers, sizes and times. The output doesn't depend on the machine or the locale.
package enum Words {
  /// The columns of a terminal's line.
  package static let pageWidth = 80

  /// Returns a text whose lines are no wider than a terminal's: they are broken at spaces.
  ///
  /// The parts after the first are indented as the second column of the line, if it has one, otherwise by two spaces more than the line.
  package static func page(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped(String($0)) }.joined(
      separator: "\n")
  }

  private static func wrapped(_ line: String) -> [String] {
    guard line.utf8.count > pageWidth, line.count > pageWidth else { return [line] }
    var rest = Array(line)
    // A column that begins in the right half leaves no room for its parts.
    let leading = min(rest.prefix { $0 == " " }.count, pageWidth / 2)
    var indent = leading + 2
    let second = rest.indices.dropFirst(leading).prefix(max(0, pageWidth / 3 - leading)).first { place in
      rest[place...].starts(with: "  ")
    }
    if let second, let column = rest[second...].firstIndex(where: { $0 != " " }), column <= pageWidth / 2 {
      indent = column
    }
    var lines: [String] = []
    var first = leading
    while rest.count > pageWidth,
      let end = rest[(first + 1)...pageWidth].lastIndex(of: " ") ?? rest[(first + 1)...].firstIndex(of: " ")
    {
      var part = rest[..<end]
      while part.last == " " { part.removeLast() }
      lines.append(String(part))
      rest = Array(repeating: " ", count: indent) + rest[end...].drop { $0 == " " }
      first = indent
    }
    return lines + [String(rest)]
  }

  /// Returns a number with digits in groups of three: `1,204`.
  package static func count(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns a number with a noun: `1 record`, `1,204 records`.
  package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns a size in decimal units: `812 B`, `4.1 KB`, `412 KB`, `1.3 MB`.
  package static func bytes(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(count) B" }
    let units = ["KB", "MB", "GB", "TB"]
    var (unit, divisor) = (0, Int64(1000))
    // A value that would round to 1,000 of a unit becomes 1.0 of the next.
    while unit + 1 < units.count, count >= divisor * 1000 - divisor / 2 {
      unit += 1
      divisor *= 1000
    }
    let tenths = count / (divisor / 10) + (count % (divisor / 10) >= divisor / 20 ? 1 : 0)
    if tenths < 100 { return "\(tenths / 10).\(tenths % 10) \(units[unit])" }
    return "\(self.count(count / divisor + (count % divisor >= divisor / 2 ? 1 : 0))) \(units[unit])"
  }

  /// Returns a duration in its two largest units: `7h12m`, `41m07s`, `12s`.
  package static func span(_ milliseconds: Int64) -> String {
    let seconds = max(milliseconds, 0) / 1000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours > 0 { return "\(hours)h\(pad(minutes))m" }
    return minutes > 0 ? "\(minutes)m\(pad(seconds % 60))s" : "\(seconds)s"
  }

  /// Returns the time since the first line of a recording: `t+00:41:07`.
  package static func offset(_ milliseconds: Int64) -> String {
    let seconds = max(milliseconds, 0) / 1000
    return "t+\(pad(seconds / 3600)):\(pad(seconds / 60 % 60)):\(pad(seconds % 60))"
  }

  /// Returns a time in UTC as ISO 8601, with milliseconds if they aren't zero.
  package static func utc(_ milliseconds: Int64) -> String {
    let (seconds, rest) = TimelinePosition.floored(milliseconds, 1000)
    let (days, second) = TimelinePosition.floored(seconds, 86_400)
    // A log may contain any time.
    guard let day = CivilDay(daysSince1970: Int(clamping: days)) else { return "\(milliseconds) ms after 1970" }
    var text = "\(day)T"
    text += "\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
    if rest != 0 { text += "." + pad(rest, 3) }
    return text + "Z"
  }

  /// Returns a number in units of 10^-`digits`, without trailing zeros.
  static func decimal(_ scaled: Int64, digits: Int) -> String {
    var json = JSONWriter()
    json.decimal(scaled, digits: digits)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  static func pad(_ number: Int64, _ width: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Returns a change such as `2h → 4h`, or the value followed by "as before" if it is the same.
  static func change<T: Equatable>(_ before: T, _ after: T, _ words: (T) -> String) -> String {
    before == after ? "\(words(after)) as before" : "\(words(before)) → \(words(after))"
  }

  /// Returns a path for a shell, quoted if it contains special characters.
  package static func shell(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy { scalar in
      !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "/._-+,:@%=".unicodeScalars.contains(scalar)
    }
    if isPlain && !path.isEmpty { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  static func yesNo(_ flag: Bool) -> String { flag ? "yes" : "no" }

  /// Returns the first eight digits of a digest, enough to distinguish recordings.
  package static func digest(_ digest: UInt64) -> String { String(Hex.string(digest).prefix(8)) }

  /// Returns the number of points and a hash of their positions.
  static func points(_ points: ResolvedQuery.Points?) -> String {
    guard let points else { return "none" }
    var hash: UInt64 = 0
    for point in points {
      hash = Digest.mix(hash ^ UInt64(bitPattern: point?.longitudeE7 ?? .min))
      hash = Digest.mix(hash &+ UInt64(bitPattern: point?.latitudeE7 ?? .min))
    }
    return "\(count(points.count, "point")) (\(digest(hash)))"
  }
}

extension DataHistoryTime {
  /// A duration such as `30min` or `2h`.
  var words: String { seconds < 3600 ? "\(seconds / 60)min" : "\(seconds / 3600)h" }
}

extension DataTypeOptions {
  /// The names joined with `+`.
  var words: String {
    let names = Self.names.filter { contains($0.option) }.map { $0.name }
    return names.isEmpty ? "none" : names.joined(separator: "+")
  }
}

extension TurbulenceSeverity {
  /// The name of the severity.
  var words: String {
    switch self {
    case .none: "none"
    case .light: "light"
    case .lightModerate: "lightModerate"
    case .moderate: "moderate"
    case .moderateSevere: "moderateSevere"
    }
  }
}

extension SeveritySet {
  /// The names joined with `+`.
  var words: String {
    if self == .all { return "all severities" }
    return isEmpty ? "no severity" : severities.map { $0.words }.joined(separator: "+")
  }
}

extension AltitudeBand {
  /// A range such as `31,000–41,000 ft`.
  var words: String {
    self == .all ? "all altitudes" : "\(Words.count(Int(lower) * 1000))–\(Words.count(Int(upper) * 1000)) ft"
  }
}

extension FetchSpec {
  /// The requested data on one line.
  var words: String {
    SpecWords.words(
      types: types, severities: severities, altitudes: altitudes, history: history, areaDigest: area.digest,
      weather: weather)
  }
}

/// Descriptions of the requested data in specs and decisions. Decisions identify the area by its digest.
enum SpecWords {
  static func words(
    types: DataTypeOptions, severities: SeveritySet, altitudes: AltitudeBand, history: DataHistoryTime,
    areaDigest: UInt64, weather: WeatherSpec?
  ) -> String {
    if let weather { return weather.words }
    var parts = [types.words]
    if types.contains(.turbulence) { parts += [severities.words, altitudes.words] }
    parts += [history.words, areaDigest == 0 ? "the world" : "area \(Words.digest(areaDigest))"]
    return parts.joined(separator: ", ")
  }
}

extension ClosedRange<Int64> {
  /// A range such as `144–290`, or `144` if both bounds are equal.
  var words: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)" }
}
