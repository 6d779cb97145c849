import ContrailWire
import HTTPTypes
import Hummingbird

extension ServerResponder {
  /// Returns the list of available cycles.
  func airportCycles() async -> Reply {
    let cycles = await airports.cycles()
    var json = JSONWriter()
    json.object { json in
      json.key("data")
      json.object { json in
        json.key("cycles")
        json.array { json in cycles.forEach { $0.write(to: &json) } }
      }
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
    var reply = Reply.json(json.bytes)
    reply.entityTag = Hex.string(Digest.hash(json.bytes))
    reply.fields[.cacheControl] = "no-cache"
    return reply
  }

  /// Returns the file of a cycle, or a part of it to resume a download.
  func airports(_ request: Request) async throws(ServiceError) -> Reply {
    let cycle = Route.airports.parameter(of: request.uri.path) ?? ""
    guard let file = await airports.file(of: cycle) else {
      throw ServiceError(
        status: 404, code: "CYCLE_NOT_AVAILABLE",
        message: "there are no airports of this cycle yet: /airports/v1/cycles lists those that there are")
    }
    let tag = String(file.sha256.prefix(32))
    // If the file has changed since the beginning of the download, the whole file is sent (RFC 9110, 13.1.5).
    let isSame = request.headers[.ifRange].map { $0 == "\"\(tag)\"" } ?? true
    let isKnown = Reply.matches(request.headers[.ifNoneMatch], tag: tag)
    let range = isSame && !isKnown ? ByteRange(request.headers[.range], count: file.size) : .whole
    let wanted: Range<Int>
    switch range {
    case .whole: wanted = 0..<(isKnown ? 0 : file.size)
    case .part(let part): wanted = part
    case .unsatisfiable:
      var reply = Reply(
        ServiceError(
          status: 416, code: "RANGE_NOT_SATISFIABLE", message: "the file has \(file.size) bytes: ask for some of them"
        ))
      reply.fields[.contentRange] = "bytes */\(file.size)"
      return reply
    }
    guard let bytes = file.bytes(in: wanted) else {
      throw ServiceError(
        status: 503, code: "CYCLE_CHANGING", message: "the file of this cycle is being replaced: ask again")
    }
    var reply = Reply(type: "application/x-xz", body: bytes)
    if case .part(let part) = range {
      reply.status = .partialContent
      reply.fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
    }
    reply.isPackable = false
    reply.entityTag = tag
    reply.fields[.acceptRanges] = "bytes"
    reply.fields[.cacheControl] = "no-cache"
    return reply
  }
}
