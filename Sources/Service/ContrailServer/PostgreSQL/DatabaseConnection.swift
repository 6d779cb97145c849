#if PostgreSQL
  import CPostgreSQL
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Why a statement failed.
  struct DatabaseFailure: Error, Sendable {
    let reason: String
    /// The five characters of the SQL standard; nil if the connection failed.
    var sqlState: String?
  }

  /// A time that never goes back, in milliseconds.
  enum Uptime {
    static var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
  }

  /// A connection to a database by libpq, used by one thread at a time. Each call has a deadline, a time of ``Uptime``.
  final class DatabaseConnection {
    private let handle: OpaquePointer
    private let address: DatabaseAddress

    /// Connects.
    init(_ address: DatabaseAddress, deadline: Int64) throws(DatabaseFailure) {
      // Later keywords win over those in the URL. Keepalives end connections of which a partition has taken the other end.
      let options = [
        ("dbname", address.url), ("application_name", "contrail"), ("client_encoding", "UTF8"),
        ("keepalives_idle", "5"),
        ("keepalives_interval", "2"), ("keepalives_count", "3"),
      ]
      let texts = options.map { (strdup($0.0), strdup($0.1)) }
      defer { for (name, value) in texts { free(name); free(value) } }
      let names = texts.map { UnsafePointer($0.0) } + [nil]
      let values = texts.map { UnsafePointer($0.1) } + [nil]
      guard let handle = PQconnectStartParams(names, values, 1) else {
        throw DatabaseFailure(reason: "there is no memory for a connection")
      }
      self.handle = handle
      self.address = address
      _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
      guard PQstatus(handle) != CONNECTION_BAD else { throw failure() }
      var events = Int16(POLLOUT)
      while true {
        try wait(for: events, until: deadline)
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_OK:
          _ = PQsetnonblocking(handle, 1)
          return
        case PGRES_POLLING_READING: events = Int16(POLLIN)
        case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
        default: throw failure()
        }
      }
    }

    deinit { PQfinish(handle) }

    /// The rows of a result.
    final class Rows {
      private let result: OpaquePointer?

      init(_ result: OpaquePointer?) { self.result = result }
      deinit { PQclear(result) }

      var count: Int { Int(PQntuples(result)) }

      /// The bytes of a value, as long as the rows exist; empty for NULL.
      func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
          start: PQgetvalue(result, Int32(row), Int32(column)),
          count: Int(PQgetlength(result, Int32(row), Int32(column))))
      }

      func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }
      func number(_ row: Int, _ column: Int) -> Int64? { Int64(text(row, column)) }
      func bool(_ row: Int, _ column: Int) -> Bool { text(row, column) == "t" }
    }

    /// Runs a statement with parameters, or any number of statements without, and returns the rows of the last one.
    func run(_ sql: String, _ parameters: [String] = [], deadline: Int64) throws(DatabaseFailure) -> Rows {
      let isSent: Int32
      if parameters.isEmpty {
        isSent = PQsendQuery(handle, sql)
      } else {
        let texts = parameters.map { strdup($0) }
        defer { for text in texts { free(text) } }
        isSent = PQsendQueryParams(
          handle, sql, Int32(parameters.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
      }
      guard isSent == 1 else { throw failure() }
      while case let left = PQflush(handle), left != 0 {
        guard left == 1 else { throw failure() }
        // The server may send before it has read all.
        if try wait(for: Int16(POLLIN | POLLOUT), until: deadline) & Int16(POLLIN) != 0 { try consume() }
      }
      var rows = Rows(nil)
      var fault: DatabaseFailure?
      while true {
        while PQisBusy(handle) == 1 {
          try wait(for: Int16(POLLIN), until: deadline)
          try consume()
        }
        guard let result = PQgetResult(handle) else { break }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: rows = Rows(result)
        default:
          let state = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
          fault = fault ?? failure(String(cString: PQresultErrorMessage(result)), sqlState: state)
          PQclear(result)
        }
      }
      if let fault { throw fault }
      return rows
    }

    /// Waits for a notification.
    ///
    /// - Returns: Whether there was one before the deadline.
    func waitForNotification(until deadline: Int64) throws(DatabaseFailure) -> Bool {
      while true {
        try consume()
        var isNotified = false
        while let notification = PQnotifies(handle) {
          PQfreemem(notification)
          isNotified = true
        }
        if isNotified { return true }
        guard try isReady(Int16(POLLIN), until: deadline) != 0 else { return false }
      }
    }

    /// Throws if the server has closed the connection.
    func check() throws(DatabaseFailure) {
      if try isReady(Int16(POLLIN), until: Uptime.now) != 0 { try consume() }
      guard PQstatus(handle) == CONNECTION_OK else { throw failure() }
    }

    private func consume() throws(DatabaseFailure) {
      guard PQconsumeInput(handle) == 1 else { throw failure() }
    }

    @discardableResult
    private func wait(for events: Int16, until deadline: Int64) throws(DatabaseFailure) -> Int16 {
      let ready = try isReady(events, until: deadline)
      guard ready != 0 else { throw DatabaseFailure(reason: "no answer in time") }
      return ready
    }

    /// Returns the events that have happened; 0 after the deadline.
    private func isReady(_ events: Int16, until deadline: Int64) throws(DatabaseFailure) -> Int16 {
      while true {
        var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
        guard descriptor.fd >= 0 else { throw DatabaseFailure(reason: "the connection is closed") }
        let left = min(max(deadline - Uptime.now, 0), 60_000)
        let count = poll(&descriptor, 1, Int32(left))
        if count > 0 { return descriptor.revents }
        if count < 0, errno != EINTR { throw DatabaseFailure(reason: String(cString: strerror(errno))) }
        if count == 0, Uptime.now >= deadline { return 0 }
      }
    }

    private func failure(_ message: String? = nil, sqlState: String? = nil) -> DatabaseFailure {
      let text = address.cleaned(message ?? String(cString: PQerrorMessage(handle)))
      return DatabaseFailure(reason: text.isEmpty ? "the connection failed" : text, sqlState: sqlState)
    }
  }

  extension DatabaseConnection {
    /// Returns texts as an array of PostgreSQL.
    static func array(_ texts: [String]) -> String {
      var bytes: [UInt8] = [UInt8(ascii: "{")]
      for text in texts {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: "}"))
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
