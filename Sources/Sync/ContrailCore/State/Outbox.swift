package import ContrailWire

/// The ownship reports that the server hasn't confirmed, in first-in, first-out order.
///
/// An upload is fixed when it is first sent: after a failure, the same reports are sent again under the same key until
/// the server responds. Each report therefore counts once.
package struct Outbox: Sendable, Equatable {
  /// The unconfirmed reports, in the order in which they were tracked.
  package internal(set) var reports: [TurbulenceReport] = []
  /// The total number of reports tracked so far.
  package internal(set) var trackedCount: Int64 = 0
  /// The upload of the first reports, from its first attempt until its response.
  package internal(set) var upload: Upload?

  /// The failed attempts, and the earliest time for the next.
  package internal(set) var retry = RetryState()
  /// Whether the server rejected the credentials. Nothing is sent until they change, a refresh is requested, or the app
  /// launches again.
  package internal(set) var isBlocked = false
  /// The number of first reports to send one by one, to find the rejected one.
  package internal(set) var singles: Int64 = 0
  /// The reports of the last settled upload that the service keeps from others: their numbers in the order of tracking, from 0.
  package internal(set) var heldBack: [Int64] = []
  package internal(set) var notices: [Scope.PendingIssue] = []

  /// An upload of reports.
  package struct Upload: Sendable, Equatable {
    /// The idempotency key.
    package var key: String
    /// The number of reports, from the start of the outbox.
    package var count: Int64
    /// The in-flight request; nil while the upload waits for a retry.
    package var request: Int64?
    /// Whether the credentials changed after the request was sent.
    package var hasOldCredentials = false
  }

  /// The maximum number of reports in one upload.
  static let maximumCount = 500
  /// The minimum time between the starts of two uploads, in milliseconds. It limits the number of requests in rough
  /// air.
  static let gatherMS: Int64 = 10_000

  mutating func track(_ report: TurbulenceReport) {
    reports.append(report)
    trackedCount += 1
  }

  mutating func begin(_ started: Decision.UploadStarted, at now: Int64) {
    guard started.count <= reports.count else { return }
    upload = Upload(key: started.key, count: started.count, request: started.request)
    retry.lastAttemptAt = now
  }

  mutating func relaunch() {
    upload?.request = nil
    isBlocked = false
  }

  /// Removes the reports of an upload that received a final response.
  ///
  /// - Parameter held: The reports that the service keeps from others.
  mutating func settle(_ upload: Upload, _ held: [UploadAnswer.HeldBack] = []) {
    let first = trackedCount - Int64(reports.count)
    heldBack = held.map { first + Int64($0.report) }
    reports.removeFirst(min(Int(upload.count), reports.count))
    singles = max(0, singles - upload.count)
    self.upload = nil
    retry.succeed()
    if singles == 0 { retry.notBefore = retry.lastAttemptAt + Self.gatherMS }
  }
}

extension State {
  /// The next action of the outbox.
  ///
  /// The rules are those of a scope from ``Rule/unwanted`` to ``Rule/backingOff``, then ``Rule/upload``.
  package var uploadPlan: UploadPlan {
    // Only a service of Contrail takes reports. For another one, they stay here and aren't sent.
    if outbox.reports.isEmpty || !service.isContrail { return UploadPlan(rule: .unwanted) }
    if outbox.upload?.request != nil { return UploadPlan(rule: .joined) }
    if !isOnline { return UploadPlan(rule: .offline) }
    if byteUse.saving == .spent { return UploadPlan(rule: .saving) }
    if outbox.isBlocked { return UploadPlan(rule: .blocked) }
    if now < outbox.retry.notBefore { return UploadPlan(rule: .backingOff, wakesAt: outbox.retry.notBefore) }
    return UploadPlan(rule: .upload)
  }

  func decideUpload(_ request: Int64, _ decisions: inout [Decision]) {
    for notice in outbox.notices {
      decisions.append(
        .errorReported(
          .init(scope: .outbox, rule: notice.rule, code: notice.code, request: notice.request, cause: cause)))
    }
    // While resting, reports follow others, and no upload is tried again.
    guard uploadPlan.rule == .upload, !isResting || outbox.retry.failures == 0 else { return }
    let count = outbox.upload?.count ?? Int64(min(outbox.reports.count, outbox.singles > 0 ? 1 : Outbox.maximumCount))
    // The key is unique to the session that first sends the upload; a later session sends it unchanged.
    let first = outbox.trackedCount - Int64(outbox.reports.count)
    let key = outbox.upload?.key ?? "\(session?.id ?? "")-\(first)-\(count)"
    decisions.append(.uploadStarted(.init(request: request, key: key, count: count, cause: cause)))
  }

  /// Folds the response to the in-flight upload.
  mutating func receiveUpload(_ response: Input.Response) {
    guard let upload = outbox.upload else { return }
    if let serverTime = response.serverTimeMS { serverOffsetMS = serverTime - now }
    switch response.status {
    case 200...299:
      guard let answer = response.body.uploadAnswer(reportCount: Int(upload.count)) else {
        return failUpload(retryAfterSeconds: response.retryAfterSeconds)
      }
      outbox.settle(upload, answer.heldBack)
      if answer.heldBack.isEmpty { return }
      outbox.notices.append(.init(code: .reportHeldBack, rule: .upload, request: response.request))
    case 401 where upload.hasOldCredentials, 403 where upload.hasOldCredentials: outbox.upload?.request = nil
    case 401, 403:
      outbox.upload?.request = nil
      outbox.isBlocked = true
      outbox.notices.append(.init(code: .unauthorized, rule: .blocked, request: response.request))
    case 400, 409, 413, 415, 422:
      guard upload.count == 1 else {
        outbox.singles = upload.count
        outbox.upload = nil
        return
      }
      outbox.settle(upload)
      outbox.notices.append(.init(code: .reportRefused, rule: .blocked, request: response.request))
    default: failUpload(retryAfterSeconds: response.retryAfterSeconds)
    }
  }

  mutating func failUpload(retryAfterSeconds: Int64?) {
    outbox.upload?.request = nil
    outbox.retry.fail(seed: session?.seed ?? 0, scope: .outbox, retryAfterSeconds: retryAfterSeconds, at: now)
  }
}

/// The next action of the outbox and the rule that determines it.
package struct UploadPlan: Sendable, Equatable {
  /// The rule that determines the action; ``Rule/upload`` sends a request.
  package var rule: Rule
  /// The time to plan again if no event occurs before, in milliseconds.
  package var wakesAt: Int64?
}

extension Input.Body {
  /// Returns the answer to an upload; nil if the body confirms none. That of a captive portal doesn't.
  package func uploadAnswer(reportCount: Int) -> UploadAnswer? {
    bytes.withUnsafeBytes { try? UploadAnswer(json: $0, reportCount: reportCount) }
  }
}

// MARK: JSON in the control part

extension Outbox {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("tracked", trackedCount)
      json.key("reports")
      json.array { json in
        for report in reports {
          json.value(report.packed)
          json.value(report.observedAt)
        }
      }
      if let upload {
        json.key("upload")
        json.object { json in
          json.member("key", upload.key)
          json.member("count", upload.count)
          if let request = upload.request { json.member("request", request) }
          if upload.hasOldCredentials { json.member("oldCredentials", true) }
        }
      }
      retry.writeMembers(to: &json)
      json.member("blocked", isBlocked)
      json.member("singles", singles)
      guard !heldBack.isEmpty else { return }
      json.key("heldBack")
      json.array { json in heldBack.forEach { json.value($0) } }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init()
    try json.object { (key, json) throws(JSONError) in
      guard try !retry.read(key, &json) else { return }
      switch key {
      case "tracked": trackedCount = try json.ordinal()
      case "reports": reports = try json.packedReports()
      case "upload": upload = try Upload(from: &json)
      case "blocked": isBlocked = try json.bool()
      case "singles": singles = try json.ordinal()
      case "heldBack": try json.array { (json) throws(JSONError) in heldBack.append(try json.ordinal()) }
      default: try json.skipValue()
      }
    }
    guard trackedCount >= reports.count, upload?.count ?? 0 <= reports.count else {
      throw json.fault("the outbox's 'tracked' or 'count' doesn't match its reports")
    }
    let settled = trackedCount - Int64(reports.count)
    guard heldBack.allSatisfy({ $0 < settled }) else {
      throw json.fault("the outbox's 'heldBack' has a report that isn't settled")
    }
  }
}

extension Outbox.Upload {
  init(from json: inout JSONReader) throws(JSONError) {
    var key: String?
    var count: Int64?
    var request: Int64?
    var hasOldCredentials = false
    try json.object { (name, json) throws(JSONError) in
      switch name {
      case "oldCredentials": hasOldCredentials = try json.bool()
      case "key": key = try json.string()
      case "count": count = try json.integer(in: 1...Int64(ReportsUpload.maximumCount))
      case "request": request = try json.ordinal()
      default: try json.skipValue()
      }
    }
    guard let key, let count else { throw json.fault("an upload must have 'key' and 'count'") }
    self.init(key: key, count: count, request: request, hasOldCredentials: hasOldCredentials)
  }
}
