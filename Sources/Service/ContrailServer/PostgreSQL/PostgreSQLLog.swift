#if PostgreSQL
  import ContrailHTTP
  package import ContrailLog
  package import ContrailWorld
  import Dispatch
  import Foundation

  /// A log in PostgreSQL, whose lines are rows.
  ///
  /// A connection reads and waits for notifications; it also holds the lock of the poller. Another one appends the lines of all
  /// callers that wait, in one transaction. Snapshots and retention have a connection while they last. Each has its queue, since libpq
  /// blocks a thread. All calls have deadlines, and a failure is followed by a pause that doubles.
  package final class PostgreSQLLog: SharedLog, @unchecked Sendable {
    private struct Pending {
      let kind: String
      let payload: String
      let continuation: CheckedContinuation<Result<Int64, ServiceLogError>, Never>
    }

    /// What callers wait for.
    private struct Outbox {
      var pending: [Pending] = []
      var bytes = 0
      var isDraining = false
      var isClosed = false
      var failures = 0
      /// The time before which no connection is tried, and the reason of the last failure.
      var retryAt: Int64 = 0
      var reason = ""
    }

    private static let maximumPending = 2000
    private static let maximumPendingBytes = 64 << 20
    private static let batchCount = 500
    private static let batchBytes = 16 << 20
    private static let connectMilliseconds: Int64 = 5000
    private static let readMilliseconds: Int64 = 5000
    private static let appendMilliseconds: Int64 = 5000
    private static let longestPauseMilliseconds: Int64 = 5000
    private static let maintenanceMilliseconds: Int64 = 60_000

    private let address: DatabaseAddress
    private let readerQueue = DispatchQueue(label: "contrail.database.reader")
    private let writerQueue = DispatchQueue(label: "contrail.database.writer")
    private let maintenanceQueue = DispatchQueue(label: "contrail.database.maintenance")
    private let outbox = Lock(Outbox())
    /// The time at which the log begins, by which another database is noticed.
    private let beginning = Lock<Int64?>(nil)
    /// What an operator should know of the database.
    private let advice = Lock<String?>(nil)

    // Used on `readerQueue` only.
    private var reader: DatabaseConnection?
    private var isPoller = false
    private var nextTell: Int64 = 0
    private var hasMore = false
    // Used on `writerQueue` only.
    private var writer: DatabaseConnection?

    package init(_ address: DatabaseAddress) { self.address = address }

    /// What an operator should know of the database; nil if nothing.
    package var warning: String? { advice.withLock { $0 } }

    // MARK: SharedLog

    package func start() async throws(ServiceLogError) -> SharedStart {
      try await run(on: readerQueue) { () throws(ServiceLogError) in
        let connection = try self.open()
        try self.prepare(connection)
        let beginning = try self.checkedBeginning(connection)
        self.beginning.withLock { $0 = beginning }
        let rows = try self.call(connection, Schema.snapshot, milliseconds: Self.maintenanceMilliseconds)
        self.reader = nil
        return SharedStart(
          beginning: beginning, position: rows.count > 0 ? rows.number(0, 0) ?? 0 : 0,
          snapshot: (0..<rows.count).map { Array(rows.bytes($0, 1).dropFirst().dropLast()) })
      }
    }

    package func next(after position: Int64, waits: Bool) async throws(ServiceLogError) -> SharedPage {
      try await run(on: readerQueue) { () throws(ServiceLogError) in
        do throws(ServiceLogError) {
          return try self.page(after: position, waits: waits)
        } catch {
          self.reader = nil
          self.isPoller = false
          throw error
        }
      }
    }

    package func append(_ entry: ServiceLine) async throws(ServiceLogError) -> Int64 {
      let payload = "{" + String(decoding: entry.payload, as: UTF8.self) + "}"
      return try await withCheckedContinuation { continuation in
        let refusal = outbox.withLock { outbox -> ServiceLogError? in
          if outbox.isClosed { return away("the service stops") }
          if outbox.retryAt > Uptime.now { return away(outbox.reason) }
          guard outbox.pending.count < Self.maximumPending, outbox.bytes < Self.maximumPendingBytes else {
            return .busy
          }
          outbox.pending.append(Pending(kind: "\(entry.kind)", payload: payload, continuation: continuation))
          outbox.bytes += payload.utf8.count
          if !outbox.isDraining {
            outbox.isDraining = true
            writerQueue.async { self.drain() }
          }
          return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
      }.get()
    }

    package func store(_ parts: [[UInt8]], through position: Int64) async throws(ServiceLogError) {
      let texts = parts.map { "{" + String(decoding: $0, as: UTF8.self) + "}" }
      try await run(on: maintenanceQueue) { () throws(ServiceLogError) in
        let connection = try self.open()
        _ = try self.call(
          connection, Schema.store, ["\(position)", DatabaseConnection.array(texts)],
          milliseconds: Self.maintenanceMilliseconds)
      }
    }

    package func retain(_ rule: LogRetention, at now: Int64) async throws(ServiceLogError) -> Int {
      let before = rule.maximumAgeMilliseconds.map { now - $0 } ?? 0
      let most = rule.maximumBytes ?? Int64.max / 2
      return try await run(on: maintenanceQueue) { () throws(ServiceLogError) in
        let connection = try self.open()
        var sum = 0
        // In pieces, so that no transaction is long.
        for _ in 0..<1000 {
          let rows = try self.call(
            connection, Schema.retain, ["\(before)", "\(most)"], milliseconds: Self.maintenanceMilliseconds)
          guard let count = rows.number(0, 0), count > 0 else { break }
          sum += Int(count)
        }
        return sum
      }
    }

    package func close() async {
      let rest = outbox.withLock { outbox in
        defer { outbox.pending = [] }
        outbox.isClosed = true
        return outbox.pending
      }
      for pending in rest { pending.continuation.resume(returning: .failure(away("the service stops"))) }
      await withCheckedContinuation { continuation in
        readerQueue.async {
          self.reader = nil
          self.isPoller = false
          continuation.resume()
        }
      }
      await withCheckedContinuation { continuation in
        writerQueue.async {
          self.writer = nil
          continuation.resume()
        }
      }
    }

    // MARK: Reading

    private func page(after position: Int64, waits: Bool) throws(ServiceLogError) -> SharedPage {
      let connection = try openReader()
      do throws(DatabaseFailure) {
        if waits, !hasMore { _ = try connection.waitForNotification(until: nextTell) }
        let deadline = Uptime.now + Self.readMilliseconds
        var (final, time): (Int64, SharedPage.Time?) = (0, nil)
        if !waits || Uptime.now >= nextTell {
          let rows = try connection.run(Schema.tell, deadline: deadline)
          guard rows.count == 1, let last = rows.number(0, 0), let now = rows.number(0, 1),
            let horizon = rows.number(0, 2)
          else { throw DatabaseFailure(reason: "contrail.tell() has no result") }
          (final, time) = (last, SharedPage.Time(now: now, horizon: horizon))
          nextTell = Uptime.now + 1003 - now % 1000
          if !isPoller { isPoller = try connection.run(Schema.lock, deadline: deadline).bool(0, 0) }
        }
        let rows = try connection.run(Schema.lines, ["\(position)"], deadline: deadline + Self.readMilliseconds)
        var lines: [SharedPage.Row] = []
        for row in 0..<rows.count { lines.append(try line(rows, row)) }
        let reached = lines.last?.position ?? position
        hasMore = reached < final || lines.count >= Schema.pageLines
        if time != nil, final < position { throw DatabaseFailure(reason: setBack(final, position), sqlState: "CONTR") }
        return SharedPage(rows: lines, time: hasMore ? nil : time, isPoller: isPoller)
      } catch {
        if error.sqlState == "CONTR" { throw .brokenDatabase(database: address.description, reason: error.reason) }
        throw away(error)
      }
    }

    private func setBack(_ final: Int64, _ position: Int64) -> String {
      "it has \(final) lines, of which this service has read \(position): it was set back; restart the service"
    }

    private func line(_ rows: DatabaseConnection.Rows, _ row: Int) throws(DatabaseFailure) -> SharedPage.Row {
      let payload = rows.bytes(row, 3)
      guard let position = rows.number(row, 0), let at = rows.number(row, 1), payload.count >= 2 else {
        throw DatabaseFailure(reason: "a line is damaged", sqlState: "CONTR")
      }
      do throws(ServiceLineError) {
        let entry = try ServiceLine(
          kind: rows.text(row, 2), payload: UnsafeRawBufferPointer(rebasing: payload.dropFirst().dropLast()))
        return SharedPage.Row(position: position, at: at, entry: entry, bytes: payload.count)
      } catch {
        throw DatabaseFailure(reason: "the line \(position): \(error)", sqlState: "CONTR")
      }
    }

    /// Returns the reader's connection. Uploads needn't wait for their next attempt if it is there again.
    private func openReader() throws(ServiceLogError) -> DatabaseConnection {
      if let reader { return reader }
      let connection = try open()
      try checkSame(connection)
      _ = try call(connection, Schema.readerSettings)
      (reader, isPoller, nextTell, hasMore) = (connection, false, 0, false)
      outbox.withLock { ($0.retryAt, $0.failures) = (0, 0) }
      return connection
    }

    // MARK: Writing

    private func drain() {
      while true {
        let batch = outbox.withLock { outbox -> [Pending] in
          var (count, bytes) = (0, 0)
          while count < min(outbox.pending.count, Self.batchCount), bytes < Self.batchBytes {
            bytes += outbox.pending[count].payload.utf8.count
            count += 1
          }
          let batch = Array(outbox.pending.prefix(count))
          outbox.pending.removeFirst(count)
          outbox.bytes -= bytes
          outbox.isDraining = !batch.isEmpty
          return batch
        }
        if batch.isEmpty { return }
        do throws(ServiceLogError) {
          let last = try store(batch)
          for (index, pending) in batch.enumerated() {
            pending.continuation.resume(returning: .success(last - Int64(batch.count - 1 - index)))
          }
        } catch {
          for pending in batch { pending.continuation.resume(returning: .failure(error)) }
        }
      }
    }

    /// Appends lines in one transaction.
    ///
    /// - Returns: The position of the last.
    private func store(_ batch: [Pending]) throws(ServiceLogError) -> Int64 {
      do throws(ServiceLogError) {
        let connection = try openWriter()
        let bytes = batch.reduce(0) { $0 + $1.payload.utf8.count }
        let rows = try call(
          connection, Schema.append,
          [DatabaseConnection.array(batch.map(\.kind)), DatabaseConnection.array(batch.map(\.payload))],
          milliseconds: Self.appendMilliseconds + Int64(bytes >> 10))
        guard let last = rows.number(0, 0) else { throw away("contrail.append() has no result") }
        outbox.withLock { $0.failures = 0 }
        return last
      } catch {
        // Whether the lines are stored isn't known. The same connection would wait for a server that doesn't answer.
        writer = nil
        outbox.withLock { outbox in
          outbox.failures += 1
          let pause = min(100 << Int64(min(outbox.failures, 6)), Self.longestPauseMilliseconds)
          outbox.retryAt = Uptime.now + Int64.random(in: pause / 2...pause)
          if case .away(_, let reason) = error { outbox.reason = reason }
        }
        throw error
      }
    }

    private func openWriter() throws(ServiceLogError) -> DatabaseConnection {
      if let writer {
        // A server that was restarted has closed the connection, so that the lines would be lost for certain.
        do throws(DatabaseFailure) {
          try writer.check()
          return writer
        } catch {
          self.writer = nil
        }
      }
      let connection = try open()
      try checkSame(connection)
      _ = try call(connection, Schema.durable)
      writer = connection
      return connection
    }

    // MARK: Connecting

    /// Returns a connection with its settings.
    private func open() throws(ServiceLogError) -> DatabaseConnection {
      do throws(DatabaseFailure) {
        let deadline = Uptime.now + Self.connectMilliseconds
        let connection = try DatabaseConnection(address, deadline: deadline)
        _ = try connection.run(Schema.settings, deadline: deadline)
        return connection
      } catch {
        throw away(error)
      }
    }

    /// Checks what the database holds, and creates the tables if it is empty. Otherwise nothing is changed.
    private func prepare(_ connection: DatabaseConnection) throws(ServiceLogError) {
      func refuse(_ reason: String) -> ServiceLogError { .otherDatabase(database: address.description, reason: reason) }
      let server = try call(connection, Schema.server)
      guard server.number(0, 2) ?? 0 >= 120_000 else { throw refuse("PostgreSQL 12 or later is needed") }
      guard server.text(0, 1) == "UTF8" else {
        throw refuse("its encoding is \(server.text(0, 1)); create the database with the encoding UTF8")
      }
      guard !server.bool(0, 0) else { throw refuse("it is a standby, which can't be written; use the primary server") }
      if server.text(0, 3) != "on" {
        advice.withLock { $0 = "fsync is off: a power failure may lose reports that were acknowledged" }
      }
      _ = try call(connection, "BEGIN; SELECT pg_advisory_xact_lock(\(Schema.creationLock))")
      let contents = try call(connection, Schema.contents)
      if !contents.bool(0, 1) {
        guard contents.number(0, 2) == 0 else {
          throw refuse("its schema 'contrail' belongs to something else; use another database")
        }
        guard contents.bool(0, 0) || contents.number(0, 3) == 0 else {
          throw refuse(
            "it holds the tables of something else; use an empty database, or create the schema first: "
              + "CREATE SCHEMA contrail")
        }
        do throws(DatabaseFailure) {
          _ = try connection.run(Schema.creation, deadline: Uptime.now + Self.maintenanceMilliseconds)
        } catch {
          throw refuse("the tables can't be created: \(error.reason)")
        }
      }
      _ = try call(connection, "COMMIT")
    }

    /// Checks that the tables are those of this version, and returns the time at which the log begins.
    private func checkedBeginning(_ connection: DatabaseConnection) throws(ServiceLogError) -> Int64 {
      func refuse(_ reason: String) -> ServiceLogError { .otherDatabase(database: address.description, reason: reason) }
      let rows: DatabaseConnection.Rows
      do throws(DatabaseFailure) {
        rows = try connection.run(Schema.about, deadline: Uptime.now + Self.readMilliseconds)
      } catch {
        guard let state = error.sqlState, state.hasPrefix("42") else { throw away(error) }
        throw refuse("its schema 'contrail' can't be read: \(error.reason)")
      }
      guard rows.count == 1, rows.text(0, 0) == Schema.service, let beginning = rows.number(0, 2) else {
        throw refuse("its schema 'contrail' belongs to another service; use another database")
      }
      guard rows.number(0, 1) == Schema.version else {
        throw refuse(
          "its tables have the version \(rows.text(0, 1)), and this program needs \(Schema.version); "
            + "use the program that made them, or another database")
      }
      return beginning
    }

    /// Checks that the database is the one with which the service started.
    private func checkSame(_ connection: DatabaseConnection) throws(ServiceLogError) {
      let found = try checkedBeginning(connection)
      guard beginning.withLock({ $0 }) == found else {
        throw .otherDatabase(
          database: address.description, reason: "it is another one than before; restart the service")
      }
    }

    private func call(
      _ connection: DatabaseConnection, _ sql: String, _ parameters: [String] = [],
      milliseconds: Int64 = readMilliseconds
    ) throws(ServiceLogError) -> DatabaseConnection.Rows {
      do throws(DatabaseFailure) {
        return try connection.run(sql, parameters, deadline: Uptime.now + milliseconds)
      } catch {
        throw away(error)
      }
    }

    private func away(_ failure: DatabaseFailure) -> ServiceLogError { away(failure.reason) }

    private func away(_ reason: String) -> ServiceLogError { .away(database: address.description, reason: reason) }

    private func run<Value: Sendable>(
      on queue: DispatchQueue, _ body: @escaping @Sendable () throws(ServiceLogError) -> Value
    ) async throws(ServiceLogError) -> Value {
      try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, ServiceLogError>, Never>) in
        queue.async { continuation.resume(returning: Result { () throws(ServiceLogError) in try body() }) }
      }.get()
    }
  }
#endif
