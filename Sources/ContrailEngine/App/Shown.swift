package import ContrailCore
package import ContrailWire

/// What the driver shows: a state, and how it ages until the next one. What an application sees is a function of this and the time.
package struct Shown: Sendable {
  /// The state of the last line that was written.
  package internal(set) var state = State()
  /// Whether the log is open.
  package internal(set) var isOpen = false
  /// How far the log's time is ahead of the device's, in milliseconds.
  var clockLeadMS: Int64 = 0
  /// What happened to each scope's requests since the launch.
  var records: [ScopeID: RequestRecord] = [:]

  package init() {}

  /// The log's time at a time of the device, in milliseconds since 1970.
  package func logTime(at now: Int64) -> Int64 { max(now + clockLeadMS, state.now) }

  /// The server's time as far as it is known, in seconds since 1970.
  package func serverSecond(at now: Int64) -> Int64 { state.serverSecond(at: logTime(at: now)) }

  /// What a scope holds at a time of the device.
  package func data(of scope: ScopeID, at now: Int64) -> HeldData {
    HeldData(scope: scope, state: state, now: logTime(at: now))
  }

  /// How a scope's requests are doing.
  package func status(of scope: ScopeID) -> ScopeStatus {
    ScopeStatus(scope, state, records[scope] ?? RequestRecord(), clockLeadMS: clockLeadMS)
  }
}

/// What happened to a scope's requests since the launch.
struct RequestRecord: Sendable, Hashable {
  /// The outage that is under way: what was told when it began. Nil while requests succeed.
  var outage: ClientError?
  /// The last failure of the outage.
  var lastError: ClientError?
  /// Bytes received on the wire.
  var receivedBytes: Int64 = 0
}

/// What the driver publishes at one moment: what is shown from now on, and what happened.
package struct Publication: Sendable {
  package var shown: Shown
  /// In the order in which it happened.
  package var updates: [ClientUpdate] = []
  /// Of which types an answer has brought new records, by scope.
  package var newTypes: [ScopeID: DataTypeOptions] = [:]
  /// What earlier launches had set, when the log has just been opened.
  package var stored: AppSettings?
}
