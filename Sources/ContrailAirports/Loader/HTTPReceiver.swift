import ContrailAirportData
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands on what URLSession tells of its tasks: the head of each answer, then its blocks.
///
/// URLSession's own asynchronous bytes aren't there on Linux.
final class HTTPReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Listener {
    var head: AsyncThrowingStream<HTTPURLResponse, any Error>.Continuation
    var blocks: AsyncThrowingStream<[UInt8], any Error>.Continuation
  }

  /// Guards `listeners`, which the session's queue and callers reach; that is why this is safe to share.
  private let lock = NSLock()
  private var listeners: [Int: Listener] = [:]

  /// What will come of a task that hasn't been started.
  func expect(
    _ task: URLSessionTask
  ) -> (AsyncThrowingStream<HTTPURLResponse, any Error>, AsyncThrowingStream<[UInt8], any Error>) {
    let (head, headContinuation) = AsyncThrowingStream.makeStream(of: HTTPURLResponse.self)
    let (blocks, blockContinuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    blockContinuation.onTermination = { [weak task] _ in task?.cancel() }
    lock.withLock {
      listeners[task.taskIdentifier] = Listener(head: headContinuation, blocks: blockContinuation)
    }
    return (head, blocks)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let listener = lock.withLock { listeners[dataTask.taskIdentifier] }
    if let response = response as? HTTPURLResponse {
      listener?.head.yield(response)
    } else {
      listener?.head.finish(throwing: AirportTransportError(.malformed, reason: "what came isn't an HTTP answer"))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let listener = lock.withLock { listeners[dataTask.taskIdentifier] }
    listener?.blocks.yield(Array(data))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let listener = lock.withLock { listeners.removeValue(forKey: task.taskIdentifier) }
    guard let error else {
      listener?.head.finish()
      listener?.blocks.finish()
      return
    }
    // The error's own text may hold the address.
    let code = (error as? URLError)?.code
    let fault = AirportTransportError(
      code == .cancelled ? .cancelled : .unreachable,
      reason: code.map { "URLSession error \($0.rawValue)" } ?? "the connection failed")
    listener?.head.finish(throwing: fault)
    listener?.blocks.finish(throwing: fault)
  }
}
