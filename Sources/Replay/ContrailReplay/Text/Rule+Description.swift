package import ContrailCore

extension Rule {
  /// A name in two or three words, such as `history widened`.
  package var name: String {
    switch self {
    case .invalid: "invalid"
    case .unwanted: "unwanted"
    case .joined: "joined"
    case .superseded: "superseded"
    case .offline: "offline"
    case .blocked: "blocked"
    case .backingOff: "backing off"
    case .moving: "moving"
    case .first: "first"
    case .areaChanged: "area changed"
    case .historyWidened: "history widened"
    case .specWidened: "spec widened"
    case .refresh: "refresh"
    case .repaired: "repaired"
    case .broken: "broken"
    case .expired: "expired"
    case .delta: "delta"
    case .narrowed: "narrowed"
    case .fresh: "fresh"
    case .guarded: "guarded"
    case .upload: "upload"
    case .switched: "switched"
    case .delivered: "delivered"
    }
  }

  /// A clause that states when the rule applies.
  package var words: String {
    switch self {
    case .invalid: "the polygon or altitude range is invalid, so the scope keeps its previous request"
    case .unwanted: "no data is wanted for this scope"
    case .joined: "the request in flight covers the wanted data"
    case .superseded: "the request in flight no longer covers the wanted data"
    case .offline: "the device is offline"
    case .blocked: "the server refused the request, and nothing has changed since"
    case .backingOff: "an attempt failed, and the retry delay hasn't passed"
    case .moving: "the viewport is being moved, and is fetched when it rests, or after some seconds"
    case .first: "no data is held"
    case .areaChanged: "the wanted area differs from the held area, or the weather language, units or length differ"
    case .historyWidened: "the wanted history is longer than the held history"
    case .specWidened: "the wanted types, severities or altitudes aren't all held"
    case .refresh: "a full refresh was requested"
    case .repaired: "the held data doesn't match the server's, and the server can send what differs"
    case .broken: "the held data doesn't match the server's, so no delta can be applied"
    case .expired:
      "the held data is older than its history, so a delta would be as large as a full fetch; or the weather has expired"
    case .delta: "an update is due or was requested, and a delta is sufficient"
    case .narrowed: "the held data covers the narrower query"
    case .fresh: "the held data matches the query, and no update is due"
    case .guarded: "the same full fetch would repeat immediately, so it is delayed"
    case .upload: "the aircraft has reports that the server hasn't confirmed"
    case .switched: "the pending airport cycle has become effective"
    case .delivered: "the airports of a cycle are due"
    }
  }
}

extension Reason {
  /// A clause that states the reason.
  var words: String {
    switch self {
    case .first: "no data is held"
    case .areaChanged: "the area changed"
    case .weatherChanged: "the weather language, units or length changed"
    case .historyWidened: "the history was widened"
    case .typesWidened: "the types were widened"
    case .severitiesWidened: "the severities were widened"
    case .altitudesWidened: "the altitudes were widened"
    case .refresh: "a full refresh was requested"
    case .expired: "the held data has expired"
    case .due: "the update interval has passed"
    case .requested: "an update was requested"
    case .together: "another area is updated in the same exchange"
    case .deltaUnavailable: "the server has no delta since this token"
    case .followsDiffers: "the delta doesn't follow the held token"
    case .tokenWentBack: "the server's token is older than the held token"
    case .countDiffers: "the record count differed after the delta"
    case .checksumDiffers: "the checksum differed after the delta"
    }
  }
}
