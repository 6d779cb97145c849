/// The planner's rules, in order of evaluation.
package enum Rule: String, CaseIterable, Hashable, Sendable {
  case invalid = "P02"
  case unwanted = "P01"
  case joined = "P04"
  case superseded = "P05"
  case offline = "P03"
  case blocked = "P18"
  case backingOff = "P16"
  /// A viewport that is being moved is fetched when it rests.
  case moving = "P23"
  case first = "P06"
  case areaChanged = "P07"
  case historyWidened = "P08"
  case specWidened = "P09"
  case refresh = "P10"
  /// After an inconsistent delta, only what differs is fetched, if the server can.
  case repaired = "P22"
  case broken = "P12"
  case expired = "P11"
  case delta = "P14"
  case narrowed = "P13"
  case fresh = "P15"
  case guarded = "P17"
  /// The outbox rule: tracked reports are uploaded unless P03, P04, P16 or P18 prevents it.
  case upload = "P19"
  /// The airport rule: a loaded cycle is in use from its effective date.
  case switched = "P20"
  /// The delivery rule: if the client loads airports by itself, a cycle that is due is requested.
  case delivered = "P21"

  /// The rule's number, as written in logs and documentation.
  package var id: String { rawValue }
}

/// The reason for a fetch.
package enum Reason: String, CaseIterable, Hashable, Sendable {
  case first
  case areaChanged
  /// The language, units or alerts of weather changed, or more hours or days were requested.
  case weatherChanged
  case historyWidened
  case typesWidened
  case severitiesWidened
  case altitudesWidened
  case refresh
  case expired
  /// The update interval has passed.
  case due
  /// An update was requested.
  case requested
  /// More than half of the update interval has passed, and the delta of another area is due: one exchange brings both.
  case together
  /// 410: the server has no delta since the watermark.
  case deltaUnavailable
  /// The delta follows a watermark other than the stored one.
  case followsDiffers
  /// The server's watermark is older than the stored one.
  case tokenWentBack
  /// After the delta, the number of stored records differs from the server's.
  case countDiffers
  /// After the delta, the checksum of the stored records differs from the server's.
  case checksumDiffers
}

/// Whether a request fetches all data or only changes.
package enum FetchMode: String, Hashable, Sendable {
  case delta
  case full
  /// The request contains a sketch of the held records; the response contains the records that differ.
  case repair
}
