#if Online
  /// What is odd about a record of a real day, and what came of it.
  public enum DayOddity: String, CaseIterable, Hashable, Sendable {
    case notJSON
    case notARecord
    case withoutPosition
    case impossiblePosition
    case withoutTime
    case observedAfterReceipt
    case double
    case withoutAddress
    case onGround
    case stale
    case otherHazard
    case line
    case unknownGeometry
    case withoutArea

    case levelZero
    case impossibleLevel
    case withoutReceipt
    case openRing
    case invertedAltitudes
    case unknownSeverity
    case impossibleMotion
    case unwrappedTrack

    case turbulenceWithoutLevel
    case turbulenceTooHigh
    case unknownIntensity

    /// What becomes of a record that is odd in this way.
    public enum Outcome: String, Hashable, Sendable {
      /// It is not served.
      case leftOut
      /// It is served, read as its author will have meant it.
      case mended
      /// It is served without the part.
      case partLost
    }

    public var outcome: Outcome {
      switch self {
      case .notJSON, .notARecord, .withoutPosition, .impossiblePosition, .withoutTime, .observedAfterReceipt, .double,
        .withoutAddress, .onGround, .stale, .otherHazard, .line, .unknownGeometry, .withoutArea:
        .leftOut
      case .levelZero, .impossibleLevel, .withoutReceipt, .openRing, .invertedAltitudes, .unknownSeverity,
        .impossibleMotion, .unwrappedTrack:
        .mended
      case .turbulenceWithoutLevel, .turbulenceTooHigh, .unknownIntensity: .partLost
      }
    }

    /// In words, as they follow a count.
    public var text: String {
      switch self {
      case .notJSON: "no JSON"
      case .notARecord: "no record of this kind"
      case .withoutPosition: "without a position"
      case .impossiblePosition: "at a position that is none"
      case .withoutTime: "without a time"
      case .observedAfterReceipt: "observed more than five minutes after the receipt"
      case .double: "the same as one before"
      case .withoutAddress: "without an address"
      case .onGround: "on the ground"
      case .stale: "last seen five minutes or more before"
      case .otherHazard: "of another hazard than turbulence"
      case .line: "a line, which has no area"
      case .unknownGeometry: "neither polygon nor line"
      case .withoutArea: "a ring without an area"
      case .levelZero: "level 0 with an unknown level's type: unknown"
      case .impossibleLevel: "a level that no aircraft has: unknown"
      case .withoutReceipt: "without a time of receipt: the time of observation or issue is taken"
      case .openRing: "a ring that was not closed: closed"
      case .invertedAltitudes: "top below base: exchanged"
      case .unknownSeverity: "a severity that is not known: the product's usual one is taken"
      case .impossibleMotion: "a speed or an altitude that no aircraft has: unknown"
      case .unwrappedTrack: "a track below 0° or above 360°: brought back"
      case .turbulenceWithoutLevel: "turbulence at no known level: no hexagon"
      case .turbulenceTooHigh: "turbulence above 52,000 ft: no hexagon there"
      case .unknownIntensity: "an intensity of turbulence that is not known: no hexagon"
      }
    }
  }
#endif
