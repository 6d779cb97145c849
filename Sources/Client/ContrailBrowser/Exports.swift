import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailLog
import ContrailQuery
import ContrailWire

// The functions of the client that the shell in JavaScript calls. ABI.md describes them. Their sources are compiled by `Scripts/wasm` only.

nonisolated(unsafe) private var client: BrowserClient?
/// The visible reports of the last view.
nonisolated(unsafe) private var reports = ReportColumns()
/// The items of the last query in columns.
nonisolated(unsafe) private var columns = ItemColumns()

private func milliseconds(_ time: Double) -> Int64 {
  time.isFinite ? Int64(min(max(time.rounded(), 0), 9e15)) : 0
}

private func time(_ now: Double, _ wall: Double) -> EngineTime {
  EngineTime(now: milliseconds(now), wall: milliseconds(wall))
}

/// Reads the bytes in the scratch buffer.
private func withScratch<T, E: Error>(
  _ count: UInt32, _ body: (UnsafeRawBufferPointer) throws(E) -> T
) throws(E) -> T {
  let bytes = Array(buffers.scratch.prefix(Int(count)))
  return try bytes.withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
}

private func put(_ error: ClientError) -> UInt32 {
  put { json in json.object { $0.nullable("error", error) } }
}

private let noClient = ClientError(
  .stopped, message: "There is no client", advice: "Call create first.", isTransient: false)

/// Calls `body` with the client, and puts out the actions.
private func act(_ now: Double, _ wall: Double, _ body: (BrowserClient) throws(ClientError) -> Void) -> UInt32 {
  guard let client else { return put(noClient) }
  client.beginCall(at: time(now, wall))
  do throws(ClientError) {
    try body(client)
    return client.putActions()
  } catch {
    return put(error)
  }
}

/// Calls `body` with the client, which puts out its result.
private func read(_ now: Double?, _ body: (BrowserClient) throws(ClientError) -> UInt32) -> UInt32 {
  guard let client else { return put(noClient) }
  if let now { client.time.now = max(client.time.now, milliseconds(now)) }
  do throws(ClientError) {
    return try body(client)
  } catch {
    return put(error)
  }
}

/// Returns the bytes beside the last actions.
@_expose(wasm, "bytes") @_cdecl("contrail_client_bytes")
public func bytes() -> UInt32 { address(client?.bytes ?? []) }

// MARK: - Events

/// Creates the client with the configuration in the scratch buffer, and opens its log.
@_expose(wasm, "create") @_cdecl("contrail_client_create")
public func create(_ count: UInt32, _ now: Double, _ wall: Double) -> UInt32 {
  do throws(ClientError) {
    client = nil
    let configuration = try withScratch(count) { (bytes) throws(ClientError) in try BrowserConfiguration(bytes) }
    client = BrowserClient(configuration, at: time(now, wall))
    return put { json in json.object { _ in } }
  } catch {
    return put(error)
  }
}

@_expose(wasm, "launch") @_cdecl("contrail_client_launch")
public func launch(_ now: Double, _ wall: Double) -> UInt32 {
  act(now, wall) { client in
    client.launch()
    client.endTurn()
  }
}

@_expose(wasm, "event") @_cdecl("contrail_client_event")
public func event(_ kind: UInt32, _ ticket: Double, _ now: Double, _ wall: Double) -> UInt32 {
  let ticket = Ticket(number: milliseconds(ticket))
  return act(now, wall) { client in
    switch kind {
    case 0: client.add(.ready)
    case 1:
      client.noteTimer()
      client.fireTimer()
    case 2: client.add(.foreground)
    case 3: client.add(.background(ticket))
    case 4: client.add(.stop(ticket))
    case 5: client.add(.awaitOpening(ticket))
    case 7: client.setObserved(true)
    case 8: client.setObserved(false)
    default: client.add(.clockChanged)
    }
  }
}

/// Applies the settings in the scratch buffer as one turn of the application.
@_expose(wasm, "change") @_cdecl("contrail_client_change")
public func change(_ count: UInt32, _ now: Double, _ wall: Double) -> UInt32 {
  act(now, wall) { (client) throws(ClientError) in
    let turn = try withScratch(count) { (bytes) throws(ClientError) in try SettingsTurn(bytes, changing: client.app) }
    turn.apply(to: &client.app)
    if turn.endsTurn { client.endTurn() }
  }
}

/// Adds the ownship report in the scratch buffer.
@_expose(wasm, "report") @_cdecl("contrail_client_report")
public func report(_ count: UInt32, _ ticket: Double, _ now: Double, _ wall: Double) -> UInt32 {
  let ticket = Ticket(number: milliseconds(ticket))
  return act(now, wall) { (client) throws(ClientError) in
    let report = try withScratch(count) { (bytes) throws(ClientError) in try TurbulenceReport(bytes, client) }
    client.add(.report(report, ticket))
  }
}

/// Notes the head of an answer; its header fields are in the scratch buffer.
@_expose(wasm, "head") @_cdecl("contrail_client_head")
public func head(_ exchange: Int32, _ status: Int32, _ count: UInt32, _ now: Double, _ wall: Double) -> UInt32 {
  act(now, wall) { (client) throws(ClientError) in
    var answer = TransportAnswer(status: Int(status), headers: [], body: [])
    do throws(JSONError) {
      try withScratch(count) { (bytes) throws(JSONError) in
        var json = JSONReader(bytes)
        let fields = try json.list { (json) throws(JSONError) in
          try json.list { (json) throws(JSONError) in try json.string() }
        }
        for field in fields where field.count == 2 { answer.headers.append((field[0], field[1])) }
      }
    } catch {
      throw ClientError(error)
    }
    client.receiveHead(exchange, answer)
  }
}

/// Takes a block of an answer's body, which is in the scratch buffer.
@_expose(wasm, "body") @_cdecl("contrail_client_body")
public func body(_ exchange: Int32, _ count: UInt32, _ now: Double, _ wall: Double) -> UInt32 {
  act(now, wall) { client in client.receive(exchange, Array(buffers.scratch.prefix(Int(count)))) }
}

@_expose(wasm, "end") @_cdecl("contrail_client_end")
public func end(
  _ exchange: Int32, _ encoded: Double, _ sentBody: Double, _ mask: Int32, _ now: Double, _ wall: Double
) -> UInt32 {
  act(now, wall) { client in
    client.end(
      exchange, encodedBytes: encoded < 0 ? nil : milliseconds(encoded),
      sentBodyBytes: sentBody < 0 ? nil : Int(clamping: milliseconds(sentBody)), mask: mask)
  }
}

/// Notes that an exchange failed; the message is in the scratch buffer.
@_expose(wasm, "failed") @_cdecl("contrail_client_failed")
public func failed(
  _ exchange: Int32, _ code: Int32, _ count: UInt32, _ sentBody: Double, _ mask: Int32, _ now: Double, _ wall: Double
) -> UInt32 {
  let codes = TransportError.Code.allCases
  let code = codes.indices.contains(Int(code)) ? codes[Int(code)] : .network
  return act(now, wall) { client in
    client.fail(
      exchange, TransportError(code, scratchText(count)),
      sentBodyBytes: sentBody < 0 ? nil : Int(clamping: milliseconds(sentBody)), mask: mask)
  }
}

// MARK: - Reading

@_expose(wasm, "settings") @_cdecl("contrail_client_settings")
public func settings() -> UInt32 {
  read(nil) { client in put { client.app.writeSettings(to: &$0) } }
}

/// Puts out the status of the scope whose name is in the scratch buffer.
@_expose(wasm, "status") @_cdecl("contrail_client_status")
public func status(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let name = scratchText(count)
    guard let scope = ScopeID(name: name) else {
      throw ClientError(
        .invalidQuery, message: "There is no scope named '\(name)'", advice: "Use a name such as corridor.",
        isTransient: false)
    }
    return put { client.shown.status(of: scope).write(to: &$0, at: client.time.now) }
  }
}

@_expose(wasm, "statuses") @_cdecl("contrail_client_statuses")
public func statuses(_ now: Double) -> UInt32 {
  read(now) { client in
    put { json in
      json.array { json in
        for scope in client.shown.state.scopes.map({ $0.id }) + [.outbox] {
          client.shown.status(of: scope).write(to: &json, at: client.time.now)
        }
      }
    }
  }
}

@_expose(wasm, "byteStatus") @_cdecl("contrail_client_byte_status")
public func byteStatus() -> UInt32 {
  read(nil) { client in put { ByteStatus(client.shown).write(to: &$0) } }
}

@_expose(wasm, "ownReports") @_cdecl("contrail_client_own_reports")
public func ownReports() -> UInt32 {
  read(nil) { client in
    put { json in
      json.array { json in for own in client.app.ownReports.all { own.report.write(to: &json, state: own.state) } }
    }
  }
}

private func query(_ count: UInt32, _ client: BrowserClient) throws(ClientError) -> Query {
  try withScratch(count) { (bytes) throws(ClientError) in
    try Query(bytes, history: client.app.settings.dataHistoryTime)
  }
}

/// Puts out the result of the query in the scratch buffer.
@_expose(wasm, "query") @_cdecl("contrail_client_query")
public func query(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let query = try query(count, client)
    do throws(QueryError) {
      return try query.put(client, &columns)
    } catch {
      throw ClientError(error)
    }
  }
}

/// Returns a column of the items of the last query in columns.
@_expose(wasm, "itemColumn") @_cdecl("contrail_client_item_column")
public func itemColumn(_ index: UInt32) -> UInt32 { columns.address(of: index) }

/// Observes the query in the scratch buffer.
@_expose(wasm, "observe") @_cdecl("contrail_client_observe")
public func observe(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let query = try query(count, client)
    var unused = ItemColumns()
    do throws(QueryError) {
      // An invalid query fails without data, too.
      _ = try query.put(client, &unused)
      let number = try client.observers.add(query)
      return put { json in json.object { $0.member("observer", number) } }
    } catch {
      throw ClientError(error)
    }
  }
}

/// Observes the turbulence along a route; the query is in the scratch buffer.
@_expose(wasm, "observeProfile") @_cdecl("contrail_client_observe_profile")
public func observeProfile(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let query = try profileQuery(count, client)
    do throws(QueryError) {
      // An invalid query fails without data, too.
      _ = try State().profile(with: query, asOf: 0)
    } catch {
      throw ClientError(error)
    }
    let number = client.observers.add(query)
    return put { json in json.object { $0.member("observer", number) } }
  }
}

@_expose(wasm, "unobserve") @_cdecl("contrail_client_unobserve")
public func unobserve(_ observer: Int32) { client?.observers.remove(observer) }

/// Puts out the change of an observed query since the last call.
@_expose(wasm, "take") @_cdecl("contrail_client_take")
public func take(_ observer: Int32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    var json = JSONWriter()
    do throws(QueryError) {
      try client.observers.take(observer, client, to: &json)
    } catch {
      throw ClientError(error)
    }
    return put(json.bytes)
  }
}

/// Puts out the actions that became due by reading, such as another timer.
@_expose(wasm, "actions") @_cdecl("contrail_client_actions")
public func actions(_ now: Double, _ wall: Double) -> UInt32 { act(now, wall) { _ in } }

// MARK: - Turbulence ahead

/// Watches for turbulence ahead of the aircraft, with the criteria in the scratch buffer.
@_expose(wasm, "monitor") @_cdecl("contrail_client_monitor")
public func monitor(_ count: UInt32) -> UInt32 {
  read(nil) { (client) throws(ClientError) in
    let (query, minimum) = try withScratch(count) { (bytes) throws(ClientError) in try AlertQuery.read(bytes) }
    do throws(QueryError) {
      try query.check()
    } catch {
      throw ClientError(error)
    }
    let number = client.monitors.add(query, minimumAltitudeFeet: minimum)
    return put { json in json.object { $0.member("monitor", number) } }
  }
}

/// Gives a monitor the position in the scratch buffer.
@_expose(wasm, "position") @_cdecl("contrail_client_position")
public func position(_ monitor: Int32, _ count: UInt32, _ now: Double, _ wall: Double) -> UInt32 {
  act(now, wall) { (client) throws(ClientError) in
    let position: AircraftPosition
    do throws(JSONError) {
      position = try withScratch(count) { (bytes) throws(JSONError) in
        var json = JSONReader(bytes)
        return try json.aircraftPosition()
      }
    } catch {
      throw ClientError(error)
    }
    client.monitors.update(monitor, position, at: client.time.now)
  }
}

@_expose(wasm, "unmonitor") @_cdecl("contrail_client_unmonitor")
public func unmonitor(_ monitor: Int32) { client?.monitors.remove(monitor) }

/// Puts out the error of the last position of a monitor, or null.
@_expose(wasm, "monitorError") @_cdecl("contrail_client_monitor_error")
public func monitorError(_ monitor: Int32) -> UInt32 {
  read(nil) { client in
    put { json in json.object { $0.nullable("error", client.monitors.error(of: monitor)) } }
  }
}

private func profileQuery(_ count: UInt32, _ client: BrowserClient) throws(ClientError) -> ProfileQuery {
  try withScratch(count) { (bytes) throws(ClientError) in
    try ProfileQuery.read(bytes, route: client.app.settings.dataQuery.route)
  }
}

/// Puts out the turbulence along a route; the query is in the scratch buffer.
@_expose(wasm, "profile") @_cdecl("contrail_client_profile")
public func profile(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let query = try profileQuery(count, client)
    do throws(QueryError) {
      return try put(
        query, of: client.shown.state, asOf: client.serverSecond, in: client.reportIndex,
        own: client.app.ownReports.all)
    } catch {
      throw ClientError(error)
    }
  }
}

// MARK: - The map

/// Puts out the state and the visible data; the reports are in ``reportColumn(_:)``.
@_expose(wasm, "view") @_cdecl("contrail_client_view")
public func view(_ now: Double) -> UInt32 {
  read(now) { client in
    let view = client.shown.state.view(at: client.logTime)
    reports = view.reports
    return put(view.json)
  }
}

@_expose(wasm, "reportCount") @_cdecl("contrail_client_report_count")
public func reportCount() -> UInt32 { UInt32(reports.count) }

/// Returns a column of the visible reports, by its place in `ReportColumns`.
@_expose(wasm, "reportColumn") @_cdecl("contrail_client_report_column")
public func reportColumn(_ index: UInt32) -> UInt32 { address(ofColumn: index, of: reports) }

/// Puts out the polygons or the weather of a scope, by its index in the view.
@_expose(wasm, "document") @_cdecl("contrail_client_document")
public func document(_ scope: UInt32) -> UInt32 {
  read(nil) { client in put(client.shown.state.document(ofScope: Int(scope))) }
}

/// Puts out the stored weather of a place, whatever its age, or null. The place is in the scratch buffer.
@_expose(wasm, "weather") @_cdecl("contrail_client_weather")
public func weather(_ count: UInt32, _ now: Double) -> UInt32 {
  read(now) { (client) throws(ClientError) in
    let place: RoundedCoordinate
    do throws(JSONError) {
      place = try withScratch(count) { (bytes) throws(JSONError) in
        var json = JSONReader(bytes)
        return try json.place()
      }
    } catch {
      throw ClientError(error)
    }
    let scope = client.shown.state.scope(.weather(place))
    return put { json in
      guard let scope, scope.want != nil, let receivedAt = scope.lastSuccessAt, let expiresAt = scope.expiresAt,
        !scope.weather.isEmpty
      else { return json.null() }
      json.object { json in
        json.key("place")
        json.value(place.coordinate)
        json.member("receivedAt", client.shown.status(of: scope.id).lastUpdateMS ?? receivedAt)
        json.member("ageMS", max(client.logTime - receivedAt, 0))
        json.member("isExpired", client.logTime >= expiresAt)
        json.key("response")
        json.verbatim(scope.weather)
      }
    }
  }
}

/// Puts out the files of the log, oldest first.
@_expose(wasm, "logFiles") @_cdecl("contrail_client_log_files")
public func logFiles() -> UInt32 {
  read(nil) { (client) throws(ClientError) in
    let segments = try client.segments()
    return put { json in
      json.array { json in
        for (index, segment) in segments.enumerated() {
          json.object { json in
            json.member("path", segment.path)
            json.nullable("first", segment.firstSeq)
            json.member("isNewest", index == segments.count - 1)
          }
        }
      }
    }
  }
}
