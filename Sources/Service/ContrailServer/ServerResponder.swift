import ContrailWire
import ContrailWorld
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

import class ContrailHTTP.Lock

/// Carries requests to the service, and its answers back: receives bodies, waits, and ends connections as faults require.
struct ServerResponder: Sendable {
  let service: ReferenceService
  /// The maximum time to receive a request body, in seconds.
  let bodyTimeoutSeconds: Int
  let logger: Logger
  /// What operators ask, apart from the protocol.
  var operations: Operations?
  private let dates = DateField()
  /// The requests of keys that limit them.
  private let concurrent = Lock(CallerCounts())

  init(service: ReferenceService, bodyTimeoutSeconds: Int, logger: Logger, operations: Operations?) {
    (self.service, self.bodyTimeoutSeconds) = (service, bodyTimeoutSeconds)
    (self.logger, self.operations) = (logger, operations)
  }

  /// Answers a request, and writes the response.
  func respond(to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel) async throws {
    let route = operations == nil ? "" : service.metricName(request.uri.path)
    let question = question(request, route: route, on: channel)
    let caller = await service.concurrentCaller(of: question)
    let isAdmitted = concurrent.withLock { $0.begin(caller) }
    // The request counts until the last byte of its answer is written.
    defer { if isAdmitted { concurrent.withLock { $0.end(caller) } } }
    var response = await response(to: request, question, isAdmitted: isAdmitted, route: route, on: channel)
    // A compact answer to a request by handle has no type, and contains the time.
    if response.headers[.contentType] != nil || response.status != .ok {
      response.headers[.date] = dates.text(at: time(nil))
    }
    do {
      try await writer.write(response: response.head, body: response.body)
    } catch is HTTPParserError {
      // Another response would be written for that error.
      throw CutShort()
    }
  }

  /// - Parameters:
  ///   - isAdmitted: Whether the key of the request may have it answered now.
  ///   - route: The name of the route for counting.
  private func response(
    to request: Request, _ question: ServiceRequest, isAdmitted: Bool, route: String, on channel: any Channel
  ) async -> Response {
    let path = request.uri.path
    guard let operations else {
      return await answer(to: request, question, isAdmitted: isAdmitted, route: route, on: channel).response
    }
    if request.method == .get, let answer = await operations.answer(to: path) { return answer }
    operations.add(requests: 1, route: route)
    defer { operations.add(requests: -1, route: route) }
    let start = ContinuousClock.now
    let (response, waited) = await answer(
      to: request, question, isAdmitted: isAdmitted, route: route, on: channel)
    let took = (ContinuousClock.now - start - waited).components
    operations.count(
      route: route, status: response.status.code, bytes: response.body.contentLength ?? 0,
      seconds: Double(took.seconds) + Double(took.attoseconds) * 1e-18)
    return response
  }

  /// Returns the response to a request, and the time for which the request was held.
  private func answer(
    to request: Request, _ question: ServiceRequest, isAdmitted: Bool, route: String, on channel: any Channel
  ) async -> (response: Response, waited: Duration) {
    let path = request.uri.path
    let answer: ServiceAnswer
    if !isAdmitted {
      answer = service.refusalOfConcurrency(of: question)
    } else if question.canBeHeld, question.headers[HoldTerms.field] != nil {
      // A client that gives up ends the hold.
      let task = Task { [question] in await service.answer(to: question) }
      channel.closeFuture.whenComplete { _ in task.cancel() }
      answer = await task.value
    } else if Route.isBrief(path) {
      answer = await service.answer(to: question)
    } else {
      // Not on the event loop of the connection, which has others too.
      answer = await withTaskExecutorPreference(globalConcurrentExecutor) { [question] in
        await service.answer(to: question)
      }
    }
    let delay = answer.delayMilliseconds
    let isGone = delay > 0 ? await channel.wait(milliseconds: delay) : false
    if isGone || answer.ending == .dropped { channel.close(promise: nil) }
    let response =
      answer.stream.map { self.response(answer, goingOn: $0, route: route, until: channel.closeFuture) }
      ?? Self.response(answer, hasBody: request.method != .head)
    logger.debug(
      "answered",
      metadata: [
        "method": "\(request.method.rawValue)", "path": "\(Route.logged(path))", "status": "\(answer.status)",
        "bytes": "\(response.body.contentLength ?? -1)", "faults": "\(answer.faults)",
      ])
    if let kind = answer.kind, let operations {
      let handles =
        path.hasPrefix(AreaRequest.prefix)
        ? path.dropFirst(AreaRequest.prefix.count) : answer.headers[WireHeader.area]?[...] ?? ""
      operations.count(kind, key: question.credential, handles: handles)
    }
    return (response, answer.waited)
  }

  private func question(_ request: Request, route: String, on channel: any Channel) -> ServiceRequest {
    let (body, seconds) = (request.body, bodyTimeoutSeconds)
    var question = ServiceRequest(
      method: request.method.rawValue, target: request.uri.path + (request.uri.query.map { "?\($0)" } ?? ""),
      headers: HeaderFields(request.headers.map { ($0.name.rawName, $0.value) }), canBeHeld: channel.isStream
    ) { [operations] (limit) throws(ServiceRequest.BodyError) in
      operations?.add(bodies: 1, route: route)
      defer { operations?.add(bodies: -1, route: route) }
      do {
        return try await Self.collected(body, limit: limit, seconds: seconds)
      } catch is NIOTooManyBytesError {
        throw .tooLarge
      } catch {
        throw .incomplete
      }
    }
    if service.limitsAddresses { question.address = channel.remoteAddress?.ipAddress ?? "" }
    return question
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
    _ answer: ServiceAnswer, goingOn stream: HeldStream, route: String, until closing: EventLoopFuture<Void>
  ) -> Response {
    let body = ResponseBody { [service, operations] writer in
      try await writer.write(ByteBuffer(bytes: answer.body))
      var rest: HeldStream? = stream
      while let stream = rest {
        // A client that gives up ends the hold.
        let task = Task { await service.next(of: stream) }
        closing.whenComplete { _ in task.cancel() }
        operations?.add(requests: 1, route: route)
        let next = await task.value
        operations?.add(requests: -1, route: route)
        guard let part = next else { break }
        operations?.count(part: part.bytes.count, route: route)
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

extension Channel {
  /// Whether the channel is a stream of HTTP/2: its parent is the connection, whose parent is the server's socket.
  fileprivate var isStream: Bool { parent?.parent != nil }

  /// Waits before a response is sent.
  ///
  /// A client that gave up closes its connection, which would otherwise keep its descriptor for the whole time. If the
  /// task is cancelled because the server is stopping, the wait ends.
  ///
  /// - Returns: Whether the client closed its side of the connection.
  fileprivate func wait(milliseconds: Int) async -> Bool {
    let promise = eventLoop.makePromise(of: Bool.self)
    eventLoop.execute { [self] in
      let timer = eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { promise.succeed(false) }
      let handler = try? pipeline.syncOperations.handler(type: HangUpHandler.self)
      (handler?.hungUp ?? closeFuture).whenComplete { _ in
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
