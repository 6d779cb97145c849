import ContrailTestSupport
import Foundation

/// A real HTTP server on this machine for files, with ranges, that breaks connections when told to.
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

  /// What it offers; guarded by its lock, which the server's threads and the test reach.
  private final class Files: @unchecked Sendable {
    let lock = NSLock()
    var contents: [String: Content] = [:]
    var breaks: [Int] = []
    var alternatesTags = false
    var answerCount = 0

    func answer(_ request: Request) -> ScriptedServer.Step {
      let (content, limit) = lock.withLock {
        var content = contents[request.path]
        answerCount += 1
        if alternatesTags { content?.tag = answerCount.isMultiple(of: 2) ? "\"even\"" : "\"odd\"" }
        return (content, content == nil || breaks.isEmpty ? Int.max : breaks.removeFirst())
      }
      guard let content else { return .answer(404) }
      let total = content.bytes.count
      let tag = content.tag.map { "ETag: \($0)\r\n" } ?? ""
      var first = 0
      if let range = request.range, request.ifRange == nil || request.ifRange == content.tag {
        first = Int(range.dropFirst(6).dropLast()) ?? 0
        if first >= total { return .answer(416, ["Content-Range": "bytes */\(total)"]) }
      }
      let status =
        first == 0 ? "200 OK\r\n" : "206 Partial Content\r\nContent-Range: bytes \(first)-\(total - 1)/\(total)\r\n"
      let head = "HTTP/1.1 \(status)\(tag)Content-Length: \(total - first)\r\nConnection: close\r\n\r\n"
      return .send(Array(head.utf8) + content.bytes[first...].prefix(limit))
    }
  }

  private let files = Files()
  private let server: ScriptedServer

  init() throws {
    let files = files
    server = try ScriptedServer { [files.answer(Request($0))] }
  }

  var address: String { server.address }
  var requests: [Request] { server.requests.map(Request.init) }

  /// Offers a file, or none.
  func put(_ content: Content?, at path: String) { files.lock.withLock { files.contents[path] = content } }

  /// Gives each answer another tag than the one before, as two servers behind one address do.
  func alternateTags() { files.lock.withLock { files.alternatesTags = true } }

  /// Breaks the next connections after so many bytes of each body.
  func breakConnections(after bytes: [Int]) { files.lock.withLock { files.breaks = bytes } }
}

extension LocalServer.Request {
  init(_ request: ScriptedServer.Request) {
    self.init(path: request.target, range: request.header("Range"), ifRange: request.header("If-Range"))
  }
}
