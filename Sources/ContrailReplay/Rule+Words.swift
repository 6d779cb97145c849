import ContrailCore

extension Rule {
  /// When the rule applies, in a clause.
  var words: String {
    switch self {
    case .invalid: "the ring or range that was given is none, so the scope keeps what it wanted before"
    case .unwanted: "nothing is wanted here"
    case .joined: "the request under way answers what is wanted"
    case .superseded: "the request under way doesn't answer what is wanted now"
    case .offline: "there is no link"
    case .blocked: "the server refused, and nothing has changed since"
    case .backingOff: "an attempt failed, and its wait isn't over"
    case .first: "nothing is held"
    case .areaChanged: "another area is wanted than is held, or weather in other words, units or lengths"
    case .historyWidened: "more history is wanted than is held"
    case .specWidened: "types, severities or altitudes are wanted that aren't held"
    case .refresh: "everything was asked for anew"
    case .broken: "what is held no longer fits the server's, so no delta can follow"
    case .expired:
      "what is held is older than its history, so a delta would bring no less than everything; or weather no longer holds"
    case .delta: "an update is due or was asked for, and what came since the last answer is enough"
    case .narrowed: "what is held covers what is wanted, which is narrower"
    case .fresh: "what is held is as it was wanted, and no update is due"
    case .guarded: "the same full fetch was about to follow itself; it waits"
    case .upload: "the aircraft has reported what the server hasn't confirmed"
    case .switched: "the cycle of airports that stands ready is effective"
    }
  }
}

extension Reason {
  /// The reason in a clause.
  var words: String {
    switch self {
    case .first: "nothing is held"
    case .areaChanged: "the area changed"
    case .weatherChanged: "the weather is wanted in another language, in other units, or for longer"
    case .historyWidened: "the history was widened"
    case .typesWidened: "the types were widened"
    case .severitiesWidened: "the severities were widened"
    case .altitudesWidened: "the altitudes were widened"
    case .refresh: "a full refresh was asked for"
    case .expired: "what is held has expired"
    case .due: "the interval has passed"
    case .requested: "an update was asked for"
    case .deltaUnavailable: "the server has no delta since the token"
    case .followsDiffers: "the delta followed another token"
    case .tokenWentBack: "the server's token went back"
    case .countDiffers: "after the delta the count of records differed"
    case .checksumDiffers: "after the delta the checksum differed"
    }
  }
}
