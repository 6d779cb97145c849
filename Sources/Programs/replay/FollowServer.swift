import ContrailLog
import ContrailViewer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Serves a page and the log that it follows, to browsers on this machine alone.
///
/// It listens on the loopback interface at a free port. Its path contains a random word, and a request for another host is refused, so
/// that neither another user nor a site in the same browser can read the log. It answers one request at a time, and closes the
/// connection: its only client asks once a second.
final class FollowServer {
  /// The address of the page.
  let url: String

  private let path: String
  private let listener: Int32
  private let authority: String
  private let root: String
  private let page: [UInt8]
  /// The answer to the last request for the log, with its stamp.
  private var last: (stamp: String, body: [UInt8])?

  private static let maximumHead = 8192
  private static let secondsPerRequest = 10

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - path: The log, which may not exist yet.
  ///   - planned: The planned levels, which the page shows.
  /// - Throws: `Failure` if no port can be opened; `PageError`.
  init(following path: String, planned: PlannedLevels? = nil) throws {
    self.path = path
    page = try FlightPage().html([], follows: true, planned: planned)
    let listener = socket(AF_INET, Self.stream, 0)
    self.listener = listener
    guard listener >= 0 else { throw Self.failure("open a socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard isBound else { throw Self.failure("listen on 127.0.0.1") }
    authority = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    var random = SystemRandomNumberGenerator()
    root = "/\(String(random.next(), radix: 36))\(String(random.next(), radix: 36))/"
    url = "http://\(authority)\(root)"
  }

  deinit { close(listener) }

  private static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func failure(_ what: String) -> Failure {
    Failure(message: "The program can't \(what): \(String(cString: strerror(errno))).", exitCode: 2)
  }

  /// Answers requests until the process ends.
  ///
  /// - Throws: `Failure` if no connection can be accepted any more.
  func run() throws -> Never {
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        throw Self.failure("accept a connection")
      }
      serve(connection)
      close(connection)
    }
  }

  private func serve(_ connection: Int32) {
    var limit = timeval(tv_sec: Self.secondsPerRequest, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    guard let head = head(of: connection) else { return }
    let lines = head.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    func header(_ name: String) -> Substring? {
      lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }.map { line in
        line.dropFirst(name.count + 1).drop { $0 == " " }
      }
    }
    guard words.count == 3, words[0] == "GET", header("host") == Substring(authority), words[1].hasPrefix(root) else {
      return answer(connection, "404 Not Found", [], "Not found.\n".utf8.map { $0 })
    }
    switch words[1].dropFirst(root.count) {
    case "": answer(connection, "200 OK", ["Content-Type: text/html; charset=utf-8"], page)
    case "log": answerLog(connection, known: header("if-none-match"))
    default: answer(connection, "404 Not Found", [], "Not found.\n".utf8.map { $0 })
    }
  }

  /// Reads a request up to its empty line; nil if it doesn't come in time or is too long.
  private func head(of connection: Int32) -> String? {
    var head: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 2048)
    while head.count < Self.maximumHead {
      let count = recv(connection, &block, block.count, 0)
      guard count > 0 else { return nil }
      head += block[..<count]
      if let end = head.firstRange(of: "\r\n\r\n".utf8) {
        return String(decoding: head[..<end.lowerBound], as: UTF8.self)
      }
    }
    return nil
  }

  /// Answers with the log, unless the page already has it.
  private func answerLog(_ connection: Int32, known: Substring?) {
    do throws(PageError) {
      let source = try FlightSource(path: path)
      let stamp =
        "\"" + source.files.map { "\($0.name)-\($0.bytes.count)" }.joined(separator: ",") + "-\(source.blobs.count)\""
      if known == Substring(stamp) { return answer(connection, "304 Not Modified", ["ETag: \(stamp)"], []) }
      if last?.stamp != stamp { last = (stamp, source.packed) }
      answer(connection, "200 OK", ["Content-Type: application/octet-stream", "ETag: \(stamp)"], last?.body ?? [])
    } catch {
      answer(
        connection, "503 Service Unavailable", ["Content-Type: text/plain; charset=utf-8"], Array("\(error)\n".utf8))
    }
  }

  private func answer(_ connection: Int32, _ status: String, _ headers: [String], _ body: [UInt8]) {
    let all =
      headers + [
        "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
      ]
    let head = "HTTP/1.1 \(status)\r\n" + all.map { $0 + "\r\n" }.joined() + "\r\n"
    send(connection, Array(head.utf8))
    send(connection, body)
  }

  private func send(_ connection: Int32, _ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var done = 0
    bytes.withUnsafeBytes { bytes in
      while done < bytes.count, let start = bytes.baseAddress {
        #if canImport(Darwin)
          let count = Darwin.send(connection, start + done, bytes.count - done, flags)
        #elseif canImport(Glibc)
          let count = Glibc.send(connection, start + done, bytes.count - done, flags)
        #elseif canImport(Musl)
          let count = Musl.send(connection, start + done, bytes.count - done, flags)
        #endif
        guard count > 0 else { return }
        done += count
      }
    }
  }
}
