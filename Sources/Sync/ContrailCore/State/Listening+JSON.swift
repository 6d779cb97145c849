import ContrailWire

// The state of listening in the control part.

extension Listening {
  func write(to json: inout JSONWriter) {
    json.object { json in
      if settings != ListeningSettings() {
        json.key("settings")
        json.object { settings.writeMembers(to: &$0) }
      }
      json.member("seconds", seconds)
      json.member("ceiling", ceiling)
      if fullHolds > 0 { json.member("fullHolds", fullHolds) }
      json.member("earlyEnds", earlyEnds)
      json.member("notBefore", notBefore)
      if let exchange {
        json.key("exchange")
        json.object { json in
          json.member("started", exchange.startedAt)
          json.member("seconds", exchange.seconds)
          if exchange.isEnding { json.member("ending", true) }
          if exchange.hasNews { json.member("news", true) }
          if exchange.isSent { json.member("sent", true) }
          if exchange.isLost { json.member("lost", true) }
          if exchange.isExcused { json.member("excused", true) }
          if exchange.isReduced { json.member("reduced", true) }
        }
      }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "settings": settings = try ListeningSettings(from: &json)
      case "seconds": seconds = try json.integer(in: 0...Self.longestSeconds)
      case "ceiling": ceiling = try json.integer(in: 0...Self.longestSeconds)
      case "fullHolds": fullHolds = try json.integer(in: 0...Self.fullHoldsToProbe - 1)
      case "earlyEnds": earlyEnds = try json.ordinal()
      case "notBefore": notBefore = try json.time()
      case "exchange": exchange = try Exchange(from: &json)
      default: try json.skipValue()
      }
    }
  }
}

extension Listening.Exchange {
  fileprivate init(from json: inout JSONReader) throws(JSONError) {
    self.init(startedAt: 0, seconds: 0)
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "started": startedAt = try json.time()
      case "seconds": seconds = try json.integer(in: 0...HoldTerms.maximumSeconds)
      case "ending": isEnding = try json.bool()
      case "news": hasNews = try json.bool()
      case "sent": isSent = try json.bool()
      case "lost": isLost = try json.bool()
      case "excused": isExcused = try json.bool()
      case "reduced": isReduced = try json.bool()
      default: try json.skipValue()
      }
    }
  }
}
