import ContrailCore

extension Rule {
  /// The rule in separate words, such as `history widened`.
  package var name: String {
    var name: [UInt8] = []
    for byte in rawValue.utf8 {
      let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isUppercase { name.append(UInt8(ascii: " ")) }
      name.append(isUppercase ? byte | 0x20 : byte)
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// A clause that states when the rule applies.
  package var words: String {
    switch self {
    case .invalid: "the polygon or altitude range is invalid, so the scope keeps its previous request"
    case .unwanted: "no data is wanted for this scope"
    case .joined: "the request in flight covers the wanted data"
    case .superseded: "the request in flight no longer covers the wanted data"
    case .silent: "the held request wasn't answered in time, so it is lost"
    case .offline: "the device is offline"
    case .saving: "the byte budget or the link doesn't allow it"
    case .blocked: "the server refused the request, and nothing has changed since"
    case .backingOff: "an attempt failed, and the retry delay hasn't passed"
    case .moving: "the viewport is being moved, and is fetched when it rests, or after some seconds"
    case .first: "no data is held"
    case .areaChanged: "the wanted area differs from the held area"
    case .weatherChanged: "the weather language, units or length differ from the held ones"
    case .historyWidened: "the wanted history is longer than the held history"
    case .typesWidened: "the wanted types aren't all held"
    case .severitiesWidened: "the wanted severities aren't all held"
    case .altitudesWidened: "the wanted altitudes aren't all held"
    case .refresh: "a full refresh was requested"
    case .deltaUnavailable: "the server has no delta since the held watermark"
    case .followsDiffers: "the delta doesn't follow the held watermark"
    case .watermarkWentBack: "the server's watermark is older than the held watermark"
    case .countDiffers: "after the delta, the count of held records differs from the server's"
    case .checksumDiffers: "after the delta, the checksum of held records differs from the server's"
    case .expired:
      "the held data is older than its history, so a delta would be as large as a full fetch; or the weather has expired"
    case .due: "the update interval has passed, and a delta is sufficient"
    case .requested: "an update was requested, and a delta is sufficient"
    case .unconfirmed: "a held request was lost, or its time has passed, so a delta confirms the data"
    case .together: "another area is updated in the same exchange"
    case .listening: "the server holds the request until there is news"
    case .narrowed: "the held data covers the narrower query"
    case .fresh: "the held data matches the query, and no update is due"
    case .guarded: "the same full fetch would repeat immediately, so it is delayed"
    case .upload: "the aircraft has reports that the server hasn't confirmed"
    case .switched: "the pending airport cycle has become effective"
    case .delivered: "the airports of a cycle are due"
    }
  }
}
