/// The planner's rules, in order of evaluation. A rule is one word in code, logs, tables and output.
package enum Rule: String, CaseIterable, Hashable, Sendable {
  case invalid
  case unwanted
  case joined
  case superseded
  /// A held request wasn't answered in time.
  case silent
  case offline
  /// The byte budget or the link doesn't allow it.
  case saving
  case blocked
  case backingOff
  /// A viewport that is being moved is fetched when it rests.
  case moving
  case first
  case areaChanged
  /// The language, units or alerts of weather changed, or more hours or days were requested.
  case weatherChanged
  case historyWidened
  case typesWidened
  case severitiesWidened
  case altitudesWidened
  case refresh
  /// 410: the server has no delta since the watermark.
  case deltaUnavailable
  /// The delta follows a watermark other than the stored one.
  case followsDiffers
  /// The server's watermark is older than the stored one.
  case watermarkWentBack
  /// After the delta, the number of stored records differs from the server's.
  ///
  /// Only the records that differ are fetched, if the server can; otherwise all.
  case countDiffers
  /// After the delta, the checksum of the stored records differs from the server's.
  ///
  /// Only the records that differ are fetched, if the server can; otherwise all.
  case checksumDiffers
  case expired
  /// The update interval has passed.
  case due
  /// An update was requested.
  case requested
  /// More than half of the update interval has passed, and the delta of another area is due: one exchange brings both.
  case together
  /// A held request was lost, so a delta confirms the data.
  case unconfirmed
  /// The server can hold requests: it answers when there is news.
  case listening
  case narrowed
  case fresh
  case guarded
  /// The outbox rule: tracked reports are uploaded unless ``joined``, ``offline``, ``blocked`` or ``backingOff`` prevents it.
  case upload
  /// The airport rule: a loaded cycle is in use from its effective date.
  case switched
  /// The delivery rule: if the client loads airports by itself, a cycle that is due is requested.
  case delivered
}

extension Rule {
  /// Whether the rule's full fetch must not repeat immediately.
  var isGuarded: Bool {
    switch self {
    case .first, .areaChanged, .weatherChanged, .historyWidened, .typesWidened, .severitiesWidened,
      .altitudesWidened:
      true
    default: isInconsistent
    }
  }

  /// Whether the rule says that stored data doesn't match the server's, so that no delta can follow.
  package var isInconsistent: Bool {
    switch self {
    case .deltaUnavailable, .followsDiffers, .watermarkWentBack, .countDiffers, .checksumDiffers: true
    default: false
    }
  }
}

/// Whether a request fetches all data or only changes.
package enum FetchMode: String, Hashable, Sendable {
  case delta
  case full
  /// The request contains a sketch of the held records; the response contains the records that differ.
  case repair
}
