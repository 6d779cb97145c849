import ContrailCore

// The ownship reports: each under one key, until it is confirmed.

extension FlightJudge {
  /// The uploads, as far as the guarantees need them.
  struct WatchedOutbox: Sendable {
    var open: Open?
    var wait = Wait()
    /// The number of reports of each key.
    private(set) var counts: [String: Int64] = [:]
    private(set) var settled: Set<String> = []
    /// The key of an upload without a final answer.
    private(set) var pending: String?
    var isBlocked = false
    var hasOldCredentials = false

    struct Open: Sendable {
      var request: Int64
      var key: String
    }

    init() {}

    /// Takes over the upload of a snapshot, which may wait for an answer.
    init(_ outbox: Outbox) {
      guard let upload = outbox.upload else { return }
      pending = upload.key
      counts[upload.key] = upload.count
      hasOldCredentials = upload.hasOldCredentials
      open = upload.request.map { Open(request: $0, key: upload.key) }
    }

    mutating func relaunch() {
      open = nil
      isBlocked = false
    }

    mutating func begin(_ started: Decision.UploadStarted, at now: Int64) {
      open = Open(request: started.request, key: started.key)
      counts[started.key] = started.count
      pending = started.key
      hasOldCredentials = false
      wait.lastAttemptAt = now
    }

    /// The upload is over: confirmed, refused, or split.
    mutating func settle(_ key: String, isFinal: Bool) {
      if isFinal { settled.insert(key) }
      pending = nil
      wait.succeed()
    }
  }

  mutating func watch(_ started: Decision.UploadStarted) {
    let name = "upload \(started.request)"
    if let open = outbox.open {
      find(.uploads, .upload, .outbox, "\(name) is sent while request \(open.request) is open", "one upload at a time")
    }
    if outbox.settled.contains(started.key) {
      find(.uploads, .upload, .outbox, "\(name) repeats a confirmed upload", "nothing, or a new key")
    } else if let count = outbox.counts[started.key], count != started.count {
      find(
        .uploads, .upload, .outbox, "\(name) has \(started.count) reports under a key that had \(count)",
        "\(count) reports")
    } else if let pending = outbox.pending, pending != started.key {
      find(
        .uploads, .upload, .outbox, "\(name) has another key, and the upload before it has no final answer",
        "the same key and reports as before")
    }
    if outbox.isBlocked {
      find(.backoff, .upload, .outbox, "\(name) is sent after a refusal", "no upload until the credentials change")
    }
    if at < outbox.wait.earliest {
      find(
        .backoff, .upload, .outbox,
        "\(name) is sent \(at - outbox.wait.failedAt) ms after failure \(outbox.wait.failures)",
        "no upload for at least \(outbox.wait.earliest - outbox.wait.failedAt) ms")
    }
    outbox.begin(started, at: at)
  }

  mutating func watchUpload(_ response: Input.Response, _ state: State) {
    guard let open = outbox.open else { return }
    outbox.open = nil
    guard state.outbox.upload?.key == open.key else {
      let isSplit = response.status >= 400 && (outbox.counts[open.key] ?? 0) > 1
      return outbox.settle(open.key, isFinal: !isSplit)
    }
    switch response.status {
    case 401 where outbox.hasOldCredentials, 403 where outbox.hasOldCredentials: break
    case 401, 403:
      outbox.isBlocked = true
      turn.owed = (.outbox, response.request, place, seq)
    default: outbox.wait.fail(at: at, retryAfterSeconds: response.retryAfterSeconds)
    }
  }
}
