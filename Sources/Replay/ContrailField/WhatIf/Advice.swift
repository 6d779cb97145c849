import ContrailCore
import ContrailReplay
import ContrailWire

/// Advice on settings, over a set of flights: what bytes and ages other settings would have had.
package struct Advice: Sendable {
  /// The settings of one point, summed over the flights.
  package struct Point: Sendable {
    package var alternative: Alternative
    /// The bytes in both directions per flight hour.
    package var bytesPerHour: Double
    /// The median age, averaged over the flights by their lengths, in milliseconds.
    package var ageMS: Double
    /// The time without valid data per flight hour, in milliseconds. With a shorter history, old data is hidden and have no age.
    package var withoutPerHourMS = 0.0
    /// Reports of moderate or stronger turbulence that weren't shown or were shown late, per flight hour.
    package var missedPerHour: Double
    /// The known part of the flight of which the least is known.
    package var known: Double
    /// Whether no other point has fewer bytes, lower ages and less time without data.
    package var isOnFront = false

    /// Whether another point has the same figures.
    func isLike(_ other: Point) -> Bool {
      bytesPerHour == other.bytesPerHour && ageMS == other.ageMS && withoutPerHourMS == other.withoutPerHourMS
        && missedPerHour == other.missedPerHour && known == other.known
    }
  }

  /// The recorded settings first.
  package private(set) var points: [Point]
  package let flightCount: Int
  package let spanMS: Int64
  /// The points that were left out, because too little is known.
  package private(set) var refused: [Point] = []

  /// The settings to compare: each frequency and history, and narrower corridors if there is a width.
  package static func grid(hasWidth: Bool, widths: [Int64]) -> [Alternative] {
    var grid: [Alternative] = []
    for frequency in [nil] + DataUpdateFrequency.allCases.filter({ $0 != .none }).map(Optional.init) {
      for history in [nil] + DataHistoryTime.allCases.map(Optional.init) {
        for width in [nil] + (hasWidth ? widths.map(Optional.init) : []) {
          var alternative = Alternative()
          alternative.frequency = frequency
          alternative.history = history
          alternative.widthMilliNM = width
          if !alternative.isRecorded { grid.append(alternative) }
        }
      }
    }
    return grid
  }

  /// Combines the predictions of several flights, which all have the same alternatives in the same order.
  package init(_ flights: [(spanMS: Int64, predictions: [Prediction])]) {
    flightCount = flights.count
    spanMS = flights.reduce(0) { $0 + $1.spanMS }
    let hours = max(Double(spanMS) / 3_600_000, 0.001)
    let span = Double(max(spanMS, 1))
    points = []
    for index in flights.first?.predictions.indices ?? 0..<0 {
      var point = Point(
        alternative: flights[0].predictions[index].alternative, bytesPerHour: 0, ageMS: 0, missedPerHour: 0, known: 1)
      for flight in flights {
        let prediction = flight.predictions[index]
        point.bytesPerHour += (prediction[.up].value + prediction[.down].value) / hours
        point.ageMS += prediction[.ageMedian].value * Double(flight.spanMS) / span
        point.withoutPerHourMS += prediction[.without].value / hours
        let strong = TurbulenceSeverity.moderate.rawValue
        point.missedPerHour +=
          (prediction.late[Int(strong)...] + prediction.never[Int(strong)...]).reduce(0) { $0 + $1.value } / hours
        point.known = min(point.known, prediction.known)
      }
      guard point.known >= Estimate.knownForVerdict else {
        refused.append(point)
        continue
      }
      // A setting that is the recorded one makes no difference, alone or with others.
      guard let same = points.firstIndex(where: { $0.isLike(point) }) else {
        points.append(point)
        continue
      }
      if point.alternative.changeCount < points[same].alternative.changeCount { points[same] = point }
    }
    for index in points.indices {
      let it = points[index]
      points[index].isOnFront = !points.contains {
        $0.bytesPerHour <= it.bytesPerHour && $0.ageMS <= it.ageMS && $0.withoutPerHourMS <= it.withoutPerHourMS
          && ($0.bytesPerHour < it.bytesPerHour || $0.ageMS < it.ageMS || $0.withoutPerHourMS < it.withoutPerHourMS)
      }
    }
  }

  /// The one setting to change first: the most bytes saved for the least that is shown later; nil if nothing saves
  /// more than a tenth.
  package var first: Point? {
    guard let recorded = points.first(where: { $0.alternative.isRecorded }) else { return nil }
    return points.filter { $0.alternative.changeCount == 1 && $0.bytesPerHour < recorded.bytesPerHour * 0.9 }
      .min { Self.cost($0, recorded) < Self.cost($1, recorded) }
  }

  /// The cost of a saved byte: lost age, time without data and missed reports. Six minutes of an hour without data weigh as much as one
  /// missed report.
  ///
  /// - Parameter point: A point with fewer bytes than the recorded one.
  static func cost(_ point: Point, _ recorded: Point) -> Double {
    let older = max(point.ageMS - recorded.ageMS, 0) / max(recorded.ageMS, 1)
    let without = max(point.withoutPerHourMS - recorded.withoutPerHourMS, 0) / 360_000
    let missed = max(point.missedPerHour - recorded.missedPerHour, 0)
    return (older + without + missed + 0.01) / (1 - point.bytesPerHour / recorded.bytesPerHour)
  }

  /// The front as a table, and the advice.
  package var text: String {
    var lines = ["\(Words.count(flightCount, "flight")), \(Words.span(spanMS)): the best settings by bytes and age"]
    guard points.contains(where: { !$0.alternative.isRecorded }) else {
      lines.append(
        "No advice: the recordings cover less than 90 % of every alternative. "
          + "Record with the frequency 'fast', the longest history and the widest corridor of interest.")
      return lines.map { $0 + "\n" }.joined()
    }
    var table = TextTable([
      .left("SETTINGS"), .right("BYTES/HOUR"), .right("AGE"), .right("WITHOUT/HOUR"), .right("MISSED/HOUR"),
      .right("KNOWN"), .left("FRONT"),
    ])
    for point in points.sorted(by: { ($0.bytesPerHour, $0.ageMS) < ($1.bytesPerHour, $1.ageMS) })
    where point.isOnFront || point.alternative.isRecorded {
      table.add([
        point.alternative.name, Words.bytes(Int64(point.bytesPerHour)), Words.span(Int64(point.ageMS)),
        Words.span(Int64(point.withoutPerHourMS)), "\((point.missedPerHour * 10).rounded() / 10)",
        "\(Int(point.known * 100)) %", point.isOnFront ? "yes" : "",
      ])
    }
    lines += table.lines
    if let first, let recorded = points.first(where: { $0.alternative.isRecorded }) {
      let percent = Int(((1 - first.bytesPerHour / recorded.bytesPerHour) * 100).rounded())
      lines.append(
        "Change first: \(first.alternative.name). It saves \(percent) % of the bytes; the median age becomes "
          + "\(Words.span(Int64(first.ageMS))) instead of \(Words.span(Int64(recorded.ageMS))).")
    } else {
      lines.append("No single setting saves more than a tenth of the bytes.")
    }
    lines.append(
      "MISSED counts moderate or stronger reports that weren't shown, or more than a minute later than recorded.")
    if !refused.isEmpty {
      lines.append(
        "\(Words.count(refused.count, "combination")) left out: the recordings cover less than 90 % of them.")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// One JSON object a line, for each point.
  package var json: String {
    (points + refused).map { point in
      var json = JSONWriter()
      json.object { json in
        json.member("alternative", point.alternative.name)
        json.member("bytesPerHour", Int64(point.bytesPerHour.rounded()))
        json.member("ageMS", Int64(point.ageMS.rounded()))
        json.member("withoutPerHourMS", Int64(point.withoutPerHourMS.rounded()))
        json.key("missedPerHour")
        json.decimal(Int64((point.missedPerHour * 1000).rounded()), digits: 3)
        json.key("known")
        json.decimal(Int64((point.known * 1000).rounded(.down)), digits: 3)
        json.member("verdict", point.known >= Estimate.knownForVerdict)
        json.member("front", point.isOnFront)
        json.member("first", first?.alternative == point.alternative)
      }
      return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }.joined()
  }
}

extension Alternative {
  /// The number of settings that differ.
  package var changeCount: Int {
    [
      frequency != nil, history != nil, widthMilliNM != nil, types != nil, severities != nil, hasNoViewport,
      wire != nil, policy != nil, link != nil,
    ].count { $0 }
  }
}
