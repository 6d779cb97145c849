/// The rules of decision, in the order in which they are asked.
public enum Rule: String, CaseIterable, Hashable, Sendable {
  case invalid = "P02"
  case unwanted = "P01"
  case joined = "P04"
  case superseded = "P05"
  case offline = "P03"
  case blocked = "P18"
  case backingOff = "P16"
  case first = "P06"
  case areaChanged = "P07"
  case historyWidened = "P08"
  case specWidened = "P09"
  case refresh = "P10"
  case broken = "P12"
  case expired = "P11"
  case delta = "P14"
  case narrowed = "P13"
  case fresh = "P15"
  case guarded = "P17"
  /// The outbox's own: what is tracked goes out when none of P03, P04, P16 and P18 holds it back.
  case upload = "P19"
  /// The airports' own: a cycle that stands ready is in use from the moment at which it is effective.
  case switched = "P20"

  /// The number of the rule, as logs and documentation write it.
  public var id: String { rawValue }
}

/// Why data are fetched.
public enum Reason: String, CaseIterable, Hashable, Sendable {
  case first
  case areaChanged
  /// Another language or other units, or more hours or days, of weather.
  case weatherChanged
  case historyWidened
  case typesWidened
  case severitiesWidened
  case altitudesWidened
  case refresh
  case expired
  /// The interval has passed.
  case due
  /// An update was asked for.
  case requested
  /// 410: the server has no delta since the token.
  case deltaUnavailable
  /// The delta followed another token than the one that is held.
  case followsDiffers
  /// The server's token is older than the one that is held.
  case tokenWentBack
  /// After the delta, another number of records is held than the server says.
  case countDiffers
  /// After the delta, other records are held than the server says.
  case checksumDiffers
}

/// Whether a request asks for everything or for what is new.
public enum FetchMode: String, Hashable, Sendable {
  case delta
  case full
}
