import ContrailTestSupport

/// What becomes of an answer that is not as it should be.
package enum AnswerFault: String, CaseIterable, Sendable, Hashable {
  // The link.
  case lost
  case late
  case doubled
  case broken
  case tooLarge
  case insecure
  // The bytes.
  case truncated
  case captivePortal
  case emptyBody
  case badGzip
  // What the answer says.
  case wrongCount
  case wrongChecksum
  case wrongFollows
  case noFollows
  case watermarkWentBack
  case tokenAhead
  case recordMissing
  case recordTooMany
  case pirepMissing
  /// A PIREP of an older update than the server's: the count is right, and the checksum shows it.
  case pirepOutdated
  case wrongServerTime
  // The status.
  case gone
  case unauthorized
  case forbidden
  case badRequest
  case notFound
  case requestTimeout
  case tooManyRequests
  case tooManyWithRetryAfter
  case serverError
  case unavailableWithRetryAfter
  case notModified
  case noContent
  case redirect
  // Handles and the compact form.
  /// The server has forgotten every area.
  case handlesLost
  /// A handle stands for another area.
  case handleOfAnother
  /// The server knows no handles and no compact form any more.
  case handlesWithdrawn
  /// A compact answer is cut.
  case compactDamaged
  /// The changes of traffic are to other traffic than is held.
  case trafficOfAnother
  /// Of the answers in an exchange, one is missing.
  case exchangeHalved
  // Areas that move.
  /// The changes of an area's records are to other records than are held.
  case recordsOfAnother
  // Repairs.
  /// The answer to a repair is cut.
  case repairCut
  /// The answer to a repair is that to another client's.
  case repairOfAnother
  /// The answer to a repair leaves a change out.
  case repairWrong
  /// The server says that more differs than the sketch shows.
  case repairTooLarge
  /// The server repairs nothing any more.
  case repairsWithdrawn
  // Held requests.
  /// The path breaks silently: nothing comes any more.
  case holdSilent
  /// A proxy closes the connection of a request that is held.
  case holdCut
  /// A proxy answers in place of the server, because nothing came for a minute.
  case holdTimedOut
  /// The server stops, and answers at once.
  case holdDrained

  /// Whether it is about handles and the compact form.
  var isOfHandles: Bool {
    switch self {
    case .handlesLost, .handleOfAnother, .handlesWithdrawn, .compactDamaged, .trafficOfAnother, .exchangeHalved: true
    default: false
    }
  }

  /// Whether it is about held requests.
  var isOfHolds: Bool {
    switch self {
    case .holdSilent, .holdCut, .holdTimedOut, .holdDrained: true
    default: false
    }
  }

  /// Whether it is about areas that move.
  var isOfMoves: Bool { self == .recordsOfAnother }

  /// Whether it is about repairs.
  var isOfRepairs: Bool {
    switch self {
    case .repairCut, .repairOfAnother, .repairWrong, .repairTooLarge, .repairsWithdrawn: true
    default: false
    }
  }

  /// Whether the answer comes just as the server gave it, sooner or later.
  var isOfTimeOnly: Bool { self == .late || self == .doubled || self == .holdDrained }

  /// Whether nothing but a count or a checksum, now or with a later answer, shows that it is wrong.
  var needsSums: Bool {
    switch self {
    case .recordMissing, .recordTooMany, .wrongCount, .wrongChecksum, .tokenAhead, .handleOfAnother, .compactDamaged,
      .pirepMissing, .pirepOutdated:
      true
    default: false
    }
  }

  /// The status that takes the answer's place.
  var status: Int? {
    switch self {
    case .gone: 410
    case .unauthorized: 401
    case .forbidden: 403
    case .badRequest: 400
    case .notFound: 404
    case .requestTimeout: 408
    case .tooManyRequests, .tooManyWithRetryAfter: 429
    case .serverError: 500
    case .unavailableWithRetryAfter: 503
    case .notModified: 304
    case .noContent: 204
    case .redirect: 302
    case .holdTimedOut: 504
    default: nil
    }
  }
}
