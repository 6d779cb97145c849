import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An HTTP/1.1 client that hides nothing: it sees answers that are cut short, and connections that close without one.
struct RawClient: Sendable {
  let port: Int

  struct Answer: Sendable {
    var status: Int
    /// Names in lowercase.
    var fields: [String: String]
    var body: [UInt8]
    /// Whether all of the body came.
    var isComplete: Bool

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// One request on a connection of its own; nil where the connection closes without an answer.
  ///
  /// A client that hangs up closes its side as soon as the request is sent.
  func send(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8] = [],
    promising length: Int? = nil, hangingUp: Bool = false
  ) async -> Answer? {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || length != nil { head += "Content-Length: \(length ?? body.count)\r\n" }
    let request = Array((head + "\r\n").utf8) + body
    let port = port
    return Self.parse(await Self.onThread { Self.exchange(request, port: port, hangingUp) })
  }

  /// Sends the first half of a body when the server asks for it, and the other half after a closure has run.
  ///
  /// - Parameter halfway: Returns whether the other half is sent. Otherwise, the connection is closed.
  func postHalves(
    _ target: String, _ fields: [String: String] = [:], body: [UInt8], halfway: () async -> Bool
  ) async -> Answer? {
    var head = "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    let request = Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8)
    let port = port
    let halves = (Array(body.prefix(body.count / 2)), Array(body.dropFirst(body.count / 2)))
    let socket = await Self.onThread { () -> Int32? in
      guard let socket = Self.connected(port: port) else { return nil }
      Self.put(request, to: socket)
      var asked: [UInt8] = []
      var byte: UInt8 = 0
      while !asked.suffix(4).elementsEqual("\r\n\r\n".utf8), read(socket, &byte, 1) == 1 { asked.append(byte) }
      Self.put(halves.0, to: socket)
      return socket
    }
    guard let socket else { return nil }
    let goesOn = await halfway()
    return Self.parse(
      await Self.onThread {
        defer { close(socket) }
        guard goesOn else { return [] }
        Self.put(halves.1, to: socket)
        return Self.readToEnd(of: socket)
      })
  }

  /// Runs a closure on a thread of its own: the server needs those of the shared pools.
  private static func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  func post(_ target: String, _ fields: [String: String] = [:], body: [UInt8]) async -> Answer? {
    await send("POST", target, fields, body: body)
  }

  func get(_ target: String, _ fields: [String: String] = [:]) async -> Answer? {
    await send("GET", target, fields)
  }

  private static func exchange(_ request: [UInt8], port: Int, _ hangsUp: Bool) -> [UInt8] {
    guard let socket = connected(port: port) else { return [] }
    defer { close(socket) }
    put(request, to: socket)
    if hangsUp { shutdown(socket, Int32(SHUT_WR)) }
    return readToEnd(of: socket)
  }

  private static func connected(port: Int) -> Int32? {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, type, 0)
    guard socket >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(socket)
      return nil
    }
    return socket
  }

  private static func put(_ bytes: [UInt8], to socket: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(socket, $0.baseAddress! + sent, bytes.count - sent) }
      guard count > 0 else { break }
      sent += count
    }
  }

  private static func readToEnd(of socket: Int32) -> [UInt8] {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(socket, $0.baseAddress!, $0.count) }
      guard count > 0 else { return received }
      received += chunk[..<count]
    }
  }

  private static func parse(_ bytes: [UInt8]) -> Answer? {
    let blank = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: blank) }) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      fields[sides[0].lowercased()] = sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
    }
    let rest = Array(bytes[(end + 4)...])
    if fields["transfer-encoding"]?.lowercased() == "chunked" {
      let (body, isComplete) = dechunked(rest)
      return Answer(status: status, fields: fields, body: body, isComplete: isComplete)
    }
    let length = fields["content-length"].flatMap { Int($0) } ?? 0
    return Answer(status: status, fields: fields, body: rest, isComplete: rest.count == length)
  }

  private static func dechunked(_ bytes: [UInt8]) -> (body: [UInt8], isComplete: Bool) {
    var body: [UInt8] = []
    var rest = bytes[...]
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let text = String(decoding: rest[..<line], as: UTF8.self).filter { $0.isHexDigit }
      guard let size = Int(text, radix: 16) else { return (body, false) }
      if size == 0 { return (body, true) }
      let chunk = rest[(line + 1)...].prefix(size)
      body += chunk
      guard chunk.count == size else { return (body, false) }
      rest = rest[(line + 1)...].dropFirst(size + 2)
    }
    return (body, false)
  }
}
