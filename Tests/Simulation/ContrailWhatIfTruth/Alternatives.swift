import ContrailCore
import ContrailField
import ContrailTestSupport
import ContrailTesting
import ContrailWire

/// A kind of alternative: the options of `replay what-if`, drawn for a flight.
package struct AlternativeKind: Sendable {
  package var name: String
  /// Returns an alternative; nil if none of this kind applies to the flight.
  var draw: @Sendable (HeldOutFlight, inout SplitMix64) -> Alternative?

  private init(
    _ name: String, _ change: @escaping @Sendable (inout Alternative, HeldOutFlight, inout SplitMix64) -> Void
  ) {
    self.name = name
    draw = { flight, random in
      var alternative = Alternative()
      change(&alternative, flight, &random)
      return alternative.isRecorded ? nil : alternative
    }
  }

  /// A part of a flight, in whole minutes.
  private static func part(_ flight: HeldOutFlight, _ random: inout SplitMix64) -> Range<Int64> {
    let minutes = flight.lengthMS / 60_000
    let from = Int64.random(in: 1...minutes / 2, using: &random)
    return from * 60_000..<Int64.random(in: from + 5...minutes + 10, using: &random) * 60_000
  }

  private static func narrower(_ flight: HeldOutFlight, _ random: inout SplitMix64) -> Int64? {
    flight.options.widthNM.map { Int64($0 * Double(Int.random(in: 30...90, using: &random)) / 100) * 1000 }
  }

  /// Every option that the command accepts, and some together.
  package static let all: [AlternativeKind] = [
    AlternativeKind("frequency") { it, flight, random in
      it.frequency = DataUpdateFrequency.allCases.filter { $0 != flight.options.frequency }.randomElement(
        using: &random)
    },
    AlternativeKind("lower frequency") { it, flight, random in
      let lower: [DataUpdateFrequency] =
        flight.options.frequency == .fast ? [.medium, .minimal, .none] : [.minimal, .none]
      it.frequency = lower.filter { $0 != flight.options.frequency }.randomElement(using: &random)
    },
    AlternativeKind("frequency in a part") { it, flight, random in
      it.frequency = flight.options.frequency == .minimal ? DataUpdateFrequency.none : .minimal
      it.span = part(flight, &random)
    },
    AlternativeKind("history") { it, flight, random in
      it.history = DataHistoryTime.allCases.filter { $0 != flight.options.history }.randomElement(using: &random)
    },
    AlternativeKind("shorter history") { it, flight, random in
      it.history =
        DataHistoryTime.allCases.filter { $0.seconds < flight.options.history.seconds }.randomElement(using: &random)
        ?? .halfHour
    },
    AlternativeKind("narrower") { it, flight, random in it.widthMilliNM = narrower(flight, &random) },
    AlternativeKind("wider") { it, flight, random in
      it.widthMilliNM = flight.options.widthNM.map { Int64($0 * Double.random(in: 1.05...2, using: &random)) * 1000 }
    },
    AlternativeKind("types") { it, flight, random in
      let all: [DataTypeOptions] = [
        [], .turbulence, .pireps, .traffic, [.turbulence, .pireps], [.turbulence, .turbulencePolygons],
        [.turbulence, .pireps, .traffic],
      ]
      it.types = all.filter { $0 != flight.options.types }.randomElement(using: &random)
    },
    AlternativeKind("fewer types") { it, flight, random in
      it.types = flight.options.types == .turbulence ? [] : .turbulence
    },
    AlternativeKind("severities") { it, _, random in
      it.severities = [.atLeast(.moderate), SeveritySet([.light, .moderateSevere]), .atLeast(.light)]
        .randomElement(using: &random)
    },
    AlternativeKind("viewport off") { it, flight, _ in it.hasNoViewport = flight.options.viewport != .off },
    AlternativeKind("viewport off in a part") { it, flight, random in
      guard flight.options.viewport != .off else { return }
      it.hasNoViewport = true
      it.span = part(flight, &random)
    },
    AlternativeKind("wire json") { it, _, _ in it.wire = .json },
    AlternativeKind("wire compact") { it, _, _ in it.wire = .compact },
    AlternativeKind("policy") { it, _, random in it.policy = Alternative.Policy.allCases.randomElement(using: &random)
    },
    AlternativeKind("link") { it, _, random in it.link = LinkModel.all.randomElement(using: &random) },
    AlternativeKind("two together") { it, flight, random in
      it.frequency = flight.options.frequency == .fast ? .medium : .minimal
      it.widthMilliNM = narrower(flight, &random)
      if random.chance(50) { it.severities = .atLeast(.moderate) }
    },
    AlternativeKind("viewport off, lower frequency") { it, flight, _ in
      guard flight.options.viewport != .off else { return }
      it.hasNoViewport = true
      it.frequency = flight.options.frequency == .fast ? .medium : .minimal
    },
  ]
}
