import ContrailWire
import ContrailWorld
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Carries requests to the service, and its answers back: receives bodies, waits, and ends connections as faults require.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let service: ReferenceService
  /// The maximum time to receive a request body, in seconds.
  let bodyTimeoutSeconds: Int
  /// What operators ask, apart from the protocol.
  var operations: Operations?

  func respond(to request: Request, context: ServerContext) async -> Response {
    let path = request.uri.path
    guard let operations else { return await answer(to: request, path: path, context: context) }
    if request.method == .get, let answer = await operations.answer(to: path) { return answer }
    let start = ContinuousClock.now
    let response = await answer(to: request, path: path, context: context)
    let took = (ContinuousClock.now - start).components
    operations.count(
      route: service.metricName(path), status: response.status.code, bytes: response.body.contentLength ?? 0,
      seconds: Double(took.seconds) + Double(took.attoseconds) * 1e-18)
    return response
  }

  private func answer(to request: Request, path: String, context: ServerContext) async -> Response {
    var question = question(request, canBeHeld: context.isStream)
    question.address = context.channel.remoteAddress?.ipAddress ?? ""
    let answer: ServiceAnswer
    if question.canBeHeld, question.headers[HoldTerms.field] != nil {
      // A client that gives up ends the hold.
      let task = Task { [question] in await service.answer(to: question) }
      context.channel.closeFuture.whenComplete { _ in task.cancel() }
      answer = await task.value
    } else {
      answer = await service.answer(to: question)
    }
    let delay = answer.delayMilliseconds
    let isGone = delay > 0 ? await context.wait(milliseconds: delay) : false
    if isGone || answer.ending == .dropped { context.channel.close(promise: nil) }
    let response =
      answer.stream.map { self.response(answer, goingOn: $0, until: context.channel.closeFuture) }
      ?? Self.response(answer, hasBody: request.method != .head)
    context.logger.debug(
      "answered",
      metadata: [
        "method": "\(request.method.rawValue)", "path": "\(Route.logged(path))", "status": "\(answer.status)",
        "bytes": "\(response.body.contentLength ?? -1)", "faults": "\(answer.faults)",
      ])
    return response
  }

  private func question(_ request: Request, canBeHeld: Bool) -> ServiceRequest {
    let (body, seconds) = (request.body, bodyTimeoutSeconds)
    return ServiceRequest(
      method: request.method.rawValue, target: request.uri.path + (request.uri.query.map { "?\($0)" } ?? ""),
      headers: HeaderFields(request.headers.map { ($0.name.rawName, $0.value) }), canBeHeld: canBeHeld
    ) { (limit) throws(ServiceRequest.BodyError) in
      do {
        return try await Self.collected(body, limit: limit, seconds: seconds)
      } catch is NIOTooManyBytesError {
        throw .tooLarge
      } catch {
        throw .incomplete
      }
    }
  }

  private static func collected(_ body: RequestBody, limit: Int, seconds: Int) async throws -> [UInt8] {
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      group.addTask { Array(buffer: try await body.collect(upTo: limit)) }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }

  /// Returns a response whose body goes on with the answers to the request that is held again.
  private func response(
    _ answer: ServiceAnswer, goingOn stream: HeldStream, until closing: EventLoopFuture<Void>
  ) -> Response {
    let body = ResponseBody { [service] writer in
      try await writer.write(ByteBuffer(bytes: answer.body))
      var rest: HeldStream? = stream
      while let stream = rest {
        // A client that gives up ends the hold.
        let task = Task { await service.next(of: stream) }
        closing.whenComplete { _ in task.cancel() }
        guard let part = await task.value else { break }
        try await writer.write(ByteBuffer(bytes: part.bytes))
        rest = part.next
      }
      try await writer.finish(nil)
    }
    return Response(status: .init(code: answer.status), headers: Self.fields(answer), body: body)
  }

  private static func fields(_ answer: ServiceAnswer) -> HTTPFields {
    var headers = HTTPFields()
    for (name, value) in answer.headers.all {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }

  private static func response(_ answer: ServiceAnswer, hasBody: Bool) -> Response {
    var headers = fields(answer)
    let status = HTTPResponse.Status(code: answer.status)
    if answer.status == 304 { return Response(status: status, headers: headers) }
    guard hasBody else {
      headers[.contentLength] = String(answer.body.count)
      return Response(status: status, headers: headers)
    }
    let bytes = ByteBuffer(bytes: answer.body)
    guard case .cut(let length) = answer.ending else {
      return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
    return Response(
      status: status, headers: headers,
      body: ResponseBody(contentLength: length) { writer in
        try await writer.write(bytes)
        throw CutShort()
      })
  }

  /// An error that ends a response early. The server then closes the connection.
  private struct CutShort: Error {}
}

/// The context of a request with its connection, which a fault can close.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Whether the channel is a stream of HTTP/2: its parent is the connection, whose parent is the server's socket.
  var isStream: Bool { channel.parent?.parent != nil }
}

extension ServerContext {
  /// Waits before a response is sent.
  ///
  /// A client that gave up closes its connection, which would otherwise keep its descriptor for the whole time. If the
  /// task is cancelled because the server is stopping, the wait ends.
  ///
  /// - Returns: Whether the client closed its side of the connection.
  func wait(milliseconds: Int) async -> Bool {
    let channel = channel
    let promise = channel.eventLoop.makePromise(of: Bool.self)
    channel.eventLoop.execute {
      let timer = channel.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { promise.succeed(false) }
      let handler = try? channel.pipeline.syncOperations.handler(type: HangUpHandler.self)
      (handler?.hungUp ?? channel.closeFuture).whenComplete { _ in
        timer.cancel()
        promise.succeed(true)
      }
    }
    return await withTaskCancellationHandler {
      (try? await promise.futureResult.get()) ?? true
    } onCancel: {
      promise.succeed(false)
    }
  }
}
