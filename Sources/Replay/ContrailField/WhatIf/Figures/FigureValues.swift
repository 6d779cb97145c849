import ContrailWire

/// The figures of one flight as numbers. Times are in milliseconds, amounts in thousandths of the tariff's currency.
package struct FigureValues: Sendable, Hashable {
  /// The name of a figure.
  package enum Figure: String, Sendable, CaseIterable {
    case requests
    case up
    case down
    case sessions
    case ageMedian
    case ageP95
    case ageWorst
    case without
    case late
    case never
    case cost
  }

  package var values: [Double]
  /// The number of reports that were shown more than a minute later than in the recorded flight, by severity.
  package var late: [Double]
  /// The number of reports that the recorded flight showed, and this one didn't, by severity.
  package var never: [Double]

  package subscript(_ figure: Figure) -> Double { values[Figure.index(figure)] }

  /// The time by which a report is late, in milliseconds.
  package static let lateMS: Int64 = 60_000

  /// Creates the values of a flight.
  ///
  /// - Parameters:
  ///   - figures: The figures of the flight.
  ///   - world: The world of its reports, if it isn't that of the recorded flight.
  ///   - reference: The recorded flight, whose reports it is compared with.
  ///   - tariff: The tariff for sessions and cost.
  package init(
    _ figures: FlightFigures, in world: RecordedWorld? = nil, comparedWith reference: RecordedFlight, _ tariff: Tariff
  ) {
    late = Array(repeating: 0, count: TurbulenceSeverity.allCases.count)
    never = late
    for index in 0..<reference.figures.firstShown.count {
      guard let time = reference.figures.firstShown[index] else { continue }
      let report = reference.world.observations[index].report
      let severity = min(Int(report.severityCode), late.count - 1)
      let twin: Int? = if let world { world.index(of: report) } else { index }
      guard let other = twin.flatMap({ figures.firstShown[$0] }) else {
        never[severity] += 1
        continue
      }
      if other - time > Self.lateMS { late[severity] += 1 }
    }
    let sessions = figures.sessions(tariff)
    let lateCount = late.reduce(0, +)
    let neverCount = never.reduce(0, +)
    values = Figure.allCases.map { figure in
      switch figure {
      case .requests: Double(figures.requests)
      case .up: Double(figures.upBytes)
      case .down: Double(figures.downBytes)
      case .sessions: Double(sessions.count)
      case .ageMedian: Double(figures.ages.quantileMS(0.5) ?? 0)
      case .ageP95: Double(figures.ages.quantileMS(0.95) ?? 0)
      case .ageWorst: Double(figures.ages.worstMS)
      case .without: Double(figures.withoutMS)
      case .late: lateCount
      case .never: neverCount
      case .cost: Double(tariff.costMilli(sessions))
      }
    }
  }
}

extension FigureValues.Figure {
  static func index(_ figure: Self) -> Int { allCases.firstIndex(of: figure) ?? 0 }

  /// Whether the figure is a number of things.
  var isCount: Bool {
    switch self {
    case .requests, .sessions, .late, .never: true
    default: false
    }
  }

  /// The error of the model that runs don't show, as a standard deviation. `Scripts/what-if-check` compares the intervals with the truth.
  func margin(of value: Double) -> Double {
    switch self {
    case .requests: 0.25 + 0.002 * value
    case .up, .down: 12 + 0.008 * value
    case .sessions: 0.25
    case .ageMedian, .ageP95: 400 + 0.004 * value
    case .ageWorst: 500 + 0.006 * value
    case .without: 400
    case .late, .never: 0.25 + 0.01 * value
    case .cost: 2 + 0.003 * value
    }
  }
}
