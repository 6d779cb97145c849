import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A real TCP server on this machine that reads a request and sends the bytes a script says, valid HTTP or not.
///
/// It serves one request a connection and then closes it.
package final class ScriptedServer: @unchecked Sendable {
  /// What was asked.
  package struct Request: Sendable {
    package var method: String
    package var target: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// What the server does, one step after the other.
  package enum Step: Sendable {
    case send([UInt8])
    /// Sends the bytes again and again until the client closes, or 256 MiB were sent.
    case flood([UInt8])
    /// Sends the bytes one by one, twenty a second, until the client closes.
    case drip([UInt8])
    /// Waits until the client closes.
    case hold
    /// Calls a function of the test.
    case tell(@Sendable () -> Void)

    package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }

    /// A whole answer.
    package static func answer(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) -> Step {
      let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
      let head = "HTTP/1.1 \(status) -\r\n\(fields)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
      return .send(Array(head.utf8) + body)
    }
  }

  /// The server's URL, without a slash at the end.
  package let address: String
  private static let maximumFloodBytes = 256 << 20

  /// The end of a pipe that ends the thread that accepts connections. Only that thread closes the socket: once closed, its number
  /// is that of another server's socket, from which a late thread would take connections.
  private let ending: Int32
  private let greeting: [UInt8]
  private let script: @Sendable (Request) -> [Step]
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var seen: [Request] = []
  private var sent = 0

  /// - Parameters:
  ///   - greeting: What a new connection is sent before anything was asked.
  ///   - script: What is done about a request.
  package init(greeting: [UInt8] = [], _ script: @escaping @Sendable (Request) -> [Step]) throws {
    let (socket, port) = try Self.bound()
    var pipeEnds: [Int32] = [-1, -1]
    guard listen(socket, 64) == 0, pipe(&pipeEnds) == 0 else { throw CocoaError(.fileReadUnknown) }
    let ended = pipeEnds[0]
    ending = pipeEnds[1]
    self.greeting = greeting
    self.script = script
    address = "http://127.0.0.1:\(port)"
    Thread.detachNewThread { [weak self] in
      while Self.isAsked(socket, until: ended) {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { continue }
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          close(connection)
        }
      }
      close(socket)
      close(ended)
    }
  }

  deinit { close(ending) }

  /// Waits for a connection. Returns false when the pipe is closed.
  private static func isAsked(_ socket: Int32, until ended: Int32) -> Bool {
    var waiting = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
    ]
    repeat { _ = poll(&waiting, 2, -1) } while waiting[0].revents == 0 && waiting[1].revents == 0
    return waiting[1].revents == 0
  }

  /// A server that answers every request with the same steps.
  package convenience init(_ steps: Step...) throws {
    try self.init { _ in steps }
  }

  /// An address at which nobody listens.
  package static func refusingAddress() throws -> String {
    let (socket, port) = try bound()
    close(socket)
    return "http://127.0.0.1:\(port)"
  }

  /// The requests that the server has received.
  package var requests: [Request] { lock.withLock { seen } }
  /// How many bytes were sent so far.
  package var sentBytes: Int { lock.withLock { sent } }

  // MARK: Serving

  private func serve(_ connection: Int32) {
    guard write(greeting, to: connection), let request = read(from: connection) else { return }
    lock.withLock { seen.append(request) }
    for step in script(request) {
      switch step {
      case .send(let bytes): guard write(bytes, to: connection) else { return }
      case .flood(let bytes): while sentBytes < Self.maximumFloodBytes, write(bytes, to: connection) {}
      case .drip(let bytes):
        for byte in bytes where isOpen(connection, waitMS: 50) {
          guard write([byte], to: connection) else { return }
        }
      case .hold: while isOpen(connection, waitMS: 1000) {}
      case .tell(let body): body()
      }
    }
  }

  private func read(from connection: Int32) -> Request? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var request = Request(method: words[0], target: words[1], headers: [], body: [])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      request.headers.append((String(line[..<colon]), value))
    }
    var left = request.header("Content-Length").flatMap { Int($0) } ?? 0
    while left > 0 {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      request.body.append(byte)
      left -= 1
    }
    return request
  }

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.send(connection, $0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
      lock.withLock { sent += count }
    }
    return true
  }

  /// Waits, and returns false as soon as the client has closed.
  private func isOpen(_ connection: Int32, waitMS: Int32) -> Bool {
    var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, waitMS) > 0 else { return true }
    var byte: UInt8 = 0
    return recv(connection, &byte, 1, 0) > 0
  }

  // MARK: Sockets

  private static func bound() throws -> (socket: Int32, port: UInt16) {
    let socket = makeSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard bind(socket, address, length) == 0, getsockname(socket, address, &length) == 0 else { return nil }
        return pointer.pointee.sin_port.bigEndian
      }
    }
    guard let port else { throw CocoaError(.fileReadUnknown) }
    return (socket, port)
  }

  private static func makeSocket() -> Int32 {
    #if canImport(Darwin)
      Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Glibc)
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      Musl.socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func send(_ connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(connection, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Glibc)
      Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    #else
      Musl.send(connection, bytes.baseAddress, bytes.count, MSG_NOSIGNAL)
    #endif
  }
}
