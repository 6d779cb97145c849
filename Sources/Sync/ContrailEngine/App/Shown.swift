package import ContrailCore
package import ContrailWire

/// The published state. The data that an application reads are a function of this value and the time.
package struct Shown: Sendable {
  /// The state after the last written line.
  @Boxed package internal(set) var state = State()
  /// Whether the log is open.
  package internal(set) var isOpen = false
  /// The difference between the log's time and the device's, in milliseconds.
  var clockLeadMS: Int64 = 0
  /// The results of each scope's requests since the launch.
  var records: [ScopeID: RequestRecord] = [:]
  /// The bytes received and sent since the launch. It isn't part of the state, whose digests don't depend on what is only shown.
  var sessionBytes: Int64 = 0

  package init() {}

  /// Returns the log's time at a time of the device, in milliseconds since 1970.
  package func logTime(at now: Int64) -> Int64 { max(now + clockLeadMS, state.now) }

  /// Returns the server's time, as far as it is known, in seconds since 1970.
  package func serverSecond(at now: Int64) -> Int64 { state.serverSecond(at: logTime(at: now)) }

  /// Returns the device's time at a second of the server's clock, as far as that is known, in milliseconds since 1970.
  package func deviceTime(ofServerSecond second: Int64) -> Int64 {
    second * 1000 - (state.serverOffsetMS ?? 0) - clockLeadMS
  }

  /// Returns the data of a scope at a time of the device.
  package func data(of scope: ScopeID, at now: Int64) -> HeldData {
    HeldData(scope: scope, state: state, now: logTime(at: now))
  }

  /// Returns the status of a scope.
  package func status(of scope: ScopeID) -> ScopeStatus {
    ScopeStatus(scope, state, records[scope] ?? RequestRecord(), clockLeadMS: clockLeadMS)
  }
}

/// The results of a scope's requests since the launch.
struct RequestRecord: Sendable, Hashable {
  /// The error that began the current outage; nil while requests succeed.
  var outage: ClientError?
  /// The last error of the outage.
  var lastError: ClientError?
  /// The number of bytes received.
  var receivedBytes: Int64 = 0
}

/// A publication of the driver: the new state, and the changes.
package struct Publication: Sendable {
  package var shown: Shown
  /// The changes, in order.
  package var updates: [ClientUpdate] = []
  /// The types of which a response contained new records, by scope.
  package var newTypes: [ScopeID: DataTypeOptions] = [:]
  /// The settings in the log, if it was just opened.
  package var stored: AppSettings?
}
