import ContrailGeodesy
import ContrailWire
import Hummingbird

// Repairs: the client describes what it holds, and the answer contains the changes to that.

extension ServerResponder {
  func repair(
    _ request: Request, now: Int64, plan: [Fault], timeMS: Int64
  ) async throws(ServiceError) -> Reply {
    let question: AreaRequest
    do throws(WireError) {
      question = try AreaRequest(
        handle: String(request.uri.path.dropFirst(AreaRequest.repairPrefix.count)),
        items: request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) })
    } catch {
      throw ServiceError(error)
    }
    let bytes = try await body(of: request)
    let sketch: RecordSketch
    do throws(CompactError) {
      sketch = try bytes.withUnsafeBytes { bytes in
        Result { () throws(CompactError) in try RecordSketch(bytes) }
      }.get()
    } catch {
      throw ServiceError(
        status: 400, code: "SKETCH_INVALID", message: "byte \(error.offset) of the sketch: \(error.reason)")
    }
    var whole = try await whole(question, plan: plan)
    // The handle may be that of another area.
    guard Area.ring(whole.ring).digest == sketch.areaDigest else { throw Self.areaUnknown }
    let traffic = await service.traffic(held: question.heldTraffic, in: whole)
    whole.since = nil
    // A repair compares all that is held, and so finds what a delta loses.
    let answer = try await answer(whole, now: now, plan: plan.withoutLosses)
    guard let body = answer.compact(repairing: sketch, milliseconds: timeMS % 1000, changing: traffic) else {
      throw ServiceError(
        status: 409, code: ServiceError.differenceTooLarge,
        message: "more differs than \(sketch.cellCount) cells show: send more, or fetch everything")
    }
    return Reply(compact: body)
  }
}
