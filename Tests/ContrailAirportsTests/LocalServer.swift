import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A real HTTP server on this machine for one file, with ranges, that breaks connections when told to.
final class LocalServer: @unchecked Sendable {
  struct Content {
    var bytes: [UInt8]
    var tag: String?
  }

  struct Request: Equatable {
    var path: String
    var range: String?
    var ifRange: String?
  }

  let port: UInt16
  private let socket: Int32
  /// Guards what follows, which the server's thread and the test reach.
  private let lock = NSLock()
  private var contents: [String: Content] = [:]
  private var breaks: [Int] = []
  private var seen: [Request] = []

  init() throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let socket = Self.make(kind)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard bind(socket, address, length) == 0, listen(socket, 8) == 0, getsockname(socket, address, &length) == 0
        else { return nil }
        return pointer.pointee.sin_port.bigEndian
      }
    }
    guard let port else { throw CocoaError(.fileNoSuchFile) }
    self.port = port
    self.socket = socket
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return }
        self?.serve(connection)
        close(connection)
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  var requests: [Request] { lock.withLock { seen } }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/") }

  /// Offers a file, or none.
  func put(_ content: Content?, at path: String) { lock.withLock { contents[path] = content } }

  /// Breaks the next connections after so many bytes of each body.
  func breakConnections(after bytes: [Int]) { lock.withLock { breaks = bytes } }

  private static func make(_ kind: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.socket(AF_INET, kind, 0)
    #elseif canImport(Glibc)
      Glibc.socket(AF_INET, kind, 0)
    #else
      Musl.socket(AF_INET, kind, 0)
    #endif
  }

  private func serve(_ connection: Int32) {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let path = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? ""
    func field(_ name: String) -> String? {
      lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
    let request = Request(path: path, range: field("range"), ifRange: field("if-range"))
    let (content, limit) = lock.withLock {
      seen.append(request)
      return (contents[path], contents[path] == nil || breaks.isEmpty ? Int.max : breaks.removeFirst())
    }
    send(answer(request, content), limit: limit, over: connection)
  }

  private func answer(_ request: Request, _ content: Content?) -> (head: String, body: [UInt8]) {
    guard let content else { return ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", []) }
    let total = content.bytes.count
    let tag = content.tag.map { "ETag: \($0)\r\n" } ?? ""
    var first = 0
    if let range = request.range, request.ifRange == nil || request.ifRange == content.tag {
      first = Int(range.dropFirst(6).dropLast()) ?? 0
      if first >= total {
        return (
          "HTTP/1.1 416 No\r\nContent-Range: bytes */\(total)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", []
        )
      }
    }
    let body = Array(content.bytes[first...])
    let status =
      first == 0
      ? "200 OK\r\n" : "206 Partial Content\r\nContent-Range: bytes \(first)-\(total - 1)/\(total)\r\n"
    return ("HTTP/1.1 \(status)\(tag)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n", body)
  }

  private func send(_ answer: (head: String, body: [UInt8]), limit: Int, over connection: Int32) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
    #endif
    var bytes = Array(answer.head.utf8) + answer.body.prefix(limit)
    while !bytes.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.send(connection, bytes, bytes.count, flags)
      #elseif canImport(Glibc)
        let count = Glibc.send(connection, bytes, bytes.count, flags)
      #else
        let count = Musl.send(connection, bytes, bytes.count, flags)
      #endif
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }
}
