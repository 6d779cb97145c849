/// A problem of a record, and how it is handled.
package enum DayOddity: String, CaseIterable, Hashable, Sendable {
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

  /// The handling of a record with a problem.
  package enum Handling: String, Hashable, Sendable {
    /// The record isn't served.
    case leftOut
    /// The record is served with a plausible correction.
    case mended
    /// The record is served without the affected part.
    case partLost
  }

  package var handling: Handling {
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

  /// A description that follows a count.
  package var text: String {
    switch self {
    case .notJSON: "not valid JSON"
    case .notARecord: "not a record of this kind"
    case .withoutPosition: "without a position"
    case .impossiblePosition: "with an invalid position"
    case .withoutTime: "without a time"
    case .observedAfterReceipt: "observed more than five minutes after the receipt"
    case .double: "duplicates"
    case .withoutAddress: "without an address"
    case .onGround: "on the ground"
    case .stale: "not seen for five minutes or more"
    case .otherHazard: "not about turbulence"
    case .line: "lines without an area"
    case .unknownGeometry: "without a polygon"
    case .withoutArea: "rings without an area"
    case .levelZero: "with level 0 of an unknown type: level unknown"
    case .impossibleLevel: "with an impossible level: level unknown"
    case .withoutReceipt: "without a time of receipt: time of observation or issue used"
    case .openRing: "with an open ring: closed"
    case .invertedAltitudes: "with top below base: swapped"
    case .unknownSeverity: "with an unknown severity: default of the product used"
    case .impossibleMotion: "with an impossible speed or altitude: value unknown"
    case .unwrappedTrack: "with a track outside 0° to 360°: normalised"
    case .turbulenceWithoutLevel: "with turbulence at an unknown level: no hexagon"
    case .turbulenceTooHigh: "with turbulence above 52,000 ft: no hexagon above"
    case .unknownIntensity: "with an unknown turbulence intensity: no hexagon"
    }
  }
}
