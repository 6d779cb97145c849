package import ContrailCore
import ContrailLog
import ContrailWire

/// The bytes of a recording in both directions, estimated as those of HTTP/1.1 without TLS, by scope, rule, direction and kind.
package struct ByteLedger: Sendable {
  /// The purpose of a group of bytes.
  package struct Heading: Hashable, Sendable, Comparable {
    /// A scope, `airports`, or `weather` for requests that the app made on its own.
    package var scope: String
    /// The identifier of the rule that sent the request; empty if no rule did.
    package var rule: String

    package static func < (a: Heading, b: Heading) -> Bool { (a.scope, a.rule) < (b.scope, b.rule) }
  }

  /// The bytes in one direction.
  package struct Bytes: Hashable, Sendable {
    /// Heads of exchanges that succeeded.
    package var head: Int64 = 0
    /// Bodies with an area.
    package var area: Int64 = 0
    /// Other bodies.
    package var body: Int64 = 0
    /// Bodies of repairs: sketches up, and the records that differ down.
    package var repair: Int64 = 0
    /// Exchanges without a usable answer: heads and bodies.
    package var retry: Int64 = 0

    package var total: Int64 { head + area + body + repair + retry }
  }

  /// The counts of one group.
  package struct Account: Hashable, Sendable {
    package var requests = 0
    package var up = Bytes()
    package var down = Bytes()
    /// The number of exchanges whose request bytes the log doesn't count.
    package var uncounted = 0

    package var total: Int64 { up.total + down.total }
  }

  /// The path as given.
  package let path: String
  package private(set) var accounts: [Heading: Account] = [:]
  /// The time from the first line to the last, in milliseconds.
  package private(set) var spanMS: Int64 = 0
  /// The parts that were skipped.
  package private(set) var setAside = SetAside()

  private var firstAt: Int64?
  private var open: [Int64: (heading: Heading, content: Content)] = [:]

  /// The content of the bodies of an exchange.
  fileprivate enum Content {
    case area
    case repair
    case other
  }

  /// Reads a recording.
  ///
  /// - Throws: ``UnreadableRecording`` if a line can't be read.
  /// - Complexity: O(*n*) in the size of the recording. One line is in memory.
  package init(path: String) throws(UnreadableRecording) {
    self.init(naming: path)
    let reader = try RecordingReader(path: path)
    while let entry = try reader.next() { add(entry.record) }
    setAside = reader.setAside
  }

  /// Creates an empty ledger for the lines of a recording, which ``add(_:)`` takes one by one.
  package init(naming path: String) { self.path = path }

  /// All accounts together.
  package var total: Account {
    accounts.values.reduce(into: Account()) { sum, account in
      sum.requests += account.requests
      sum.uncounted += account.uncounted
      sum.up.add(account.up)
      sum.down.add(account.down)
    }
  }

  /// Adds a line.
  package mutating func add(_ record: Record) {
    spanMS = max(spanMS, record.at - (firstAt ?? record.at))
    firstAt = firstAt ?? record.at
    switch record.event {
    case .decision(.fetchStarted(let started)):
      let isArea = started.scope == .corridor || started.scope == .viewport
      begin(
        started.request, Heading(scope: started.scope.name, rule: started.rule.rawValue),
        started.mode == .repair ? .repair : isArea && started.handle == nil ? .area : .other)
    case .decision(.uploadStarted(let started)):
      begin(started.request, Heading(scope: ScopeID.outbox.name, rule: Rule.upload.rawValue), .other)
    case .input(.sessionStarted): open.removeAll()
    case .input(.responseReceived(let response)): add(response)
    case .input(.responseFailed(let request, _, let sent)):
      guard let exchange = open.removeValue(forKey: request) else { return }
      if let sent {
        accounts[exchange.heading]?.up.retry += Self.bounded(sent.total)
      } else {
        accounts[exchange.heading]?.uncounted += 1
      }
    case .input(.weatherReceived(let received)):
      let heading = Heading(scope: "weather", rule: "")
      accounts[heading, default: Account()].requests += 1
      accounts[heading]?.uncounted += 1
      accounts[heading]?.down.body += Self.bounded(received.wireBytes)
    case .input(.airportsDownloaded(let downloaded)):
      let heading = Heading(scope: ScopeID.airports.name, rule: "")
      accounts[heading, default: Account()].requests += 1
      accounts[heading]?.uncounted += 1
      accounts[heading]?.down.body += Self.bounded(downloaded.wireBytes)
    default: break
    }
  }

  private mutating func begin(_ request: Int64, _ heading: Heading, _ content: Content) {
    accounts[heading, default: Account()].requests += 1
    open[request] = (heading, content)
  }

  private mutating func add(_ response: Input.Response) {
    // The bytes of an answer to a cancelled request were paid for too.
    let exchange = open.removeValue(forKey: response.request)
    let heading = exchange?.heading ?? Heading(scope: "late", rule: "")
    var account = accounts[heading] ?? Account()
    let isUseful = exchange != nil && [200, 204, 304].contains(response.status)
    let (bytes, head) = (Self.bounded(response.wireBytes), Self.bounded(response.headBytes ?? 0))
    if isUseful {
      account.down.head += head
      account.down.add(bytes - min(head, bytes), exchange?.content == .repair ? .repair : .other)
    } else {
      account.down.retry += bytes
    }
    if let sent = response.sent {
      let (total, head) = (Self.bounded(sent.total), Self.bounded(sent.head))
      if !isUseful {
        account.up.retry += total
      } else {
        account.up.head += head
        account.up.add(total - min(head, total), exchange?.content ?? .other)
      }
    } else {
      account.uncounted += 1
    }
    accounts[heading] = account
  }

  /// A log may contain any number. A sum of this many stays within 64 bits.
  private static func bounded(_ bytes: Int64) -> Int64 { min(max(bytes, 0), 1 << 40) }
}

extension ByteLedger.Bytes {
  fileprivate mutating func add(_ count: Int64, _ content: ByteLedger.Content) {
    switch content {
    case .area: area += count
    case .repair: repair += count
    case .other: body += count
    }
  }

  fileprivate mutating func add(_ other: ByteLedger.Bytes) {
    head += other.head
    area += other.area
    body += other.body
    repair += other.repair
    retry += other.retry
  }
}

extension ByteLedger {
  /// The table, with a total per flight hour.
  package var text: String {
    var table = TextTable([
      .left("SCOPE"), .left("RULE"), .right("REQUESTS"), .right("UP HEAD"), .right("UP AREA"), .right("UP BODY"),
      .right("UP REPAIR"), .right("UP RETRY"), .right("DOWN HEAD"), .right("DOWN BODY"), .right("DOWN REPAIR"),
      .right("DOWN RETRY"), .right("TOTAL"),
    ])
    func row(_ scope: String, _ rule: String, _ it: Account) {
      table.add(
        [scope, rule.isEmpty ? "–" : rule, Words.count(it.requests)]
          + [
            it.up.head, it.up.area, it.up.body, it.up.repair, it.up.retry, it.down.head, it.down.body, it.down.repair,
            it.down.retry, it.total,
          ].map { Words.count($0) })
    }
    for (heading, account) in accounts.sorted(by: { $0.key < $1.key }) { row(heading.scope, heading.rule, account) }
    row("total", "", total)
    var lines = ["\(path): bytes in both directions"] + table.lines
    if spanMS > 0 {
      let hourly = { (bytes: Int64) in Words.count(Int64(Double(bytes) * 3_600_000 / Double(spanMS))) }
      lines.append(
        "per flight hour: \(hourly(total.up.total)) up, \(hourly(total.down.total)) down, \(hourly(total.total)) together"
      )
    }
    lines.append("Estimated as HTTP/1.1 without TLS.")
    if total.uncounted > 0 {
      lines.append(
        "The log doesn't count the request bytes of \(Words.count(total.uncounted, "exchange")); 'up' leaves them out.")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Writes the ledger as one JSON object.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("path", path)
      json.member("spanMS", spanMS)
      json.key("accounts")
      json.array { json in
        for (heading, account) in accounts.sorted(by: { $0.key < $1.key }) {
          json.object { json in
            json.member("scope", heading.scope)
            json.member("rule", heading.rule)
            account.writeMembers(to: &json)
          }
        }
      }
      json.key("total")
      json.object { json in total.writeMembers(to: &json) }
    }
  }

  /// The ledger as one line of JSON.
  package var json: String {
    var json = JSONWriter()
    write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension ByteLedger.Account {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("requests", requests)
    json.member("uncounted", uncounted)
    for (name, bytes) in [("up", up), ("down", down)] as [(StaticString, ByteLedger.Bytes)] {
      json.key(name)
      json.object { json in
        for (name, count) in [
          ("head", bytes.head), ("area", bytes.area), ("body", bytes.body), ("repair", bytes.repair),
          ("retry", bytes.retry), ("total", bytes.total),
        ] as [(StaticString, Int64)] {
          json.key(name)
          json.value(count)
        }
      }
    }
  }
}
