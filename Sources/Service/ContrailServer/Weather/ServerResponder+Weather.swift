import ContrailWeather
import ContrailWire
import Foundation
import HTTPTypes
import Hummingbird

extension ServerResponder {
  /// Responds like the weather service, including its errors.
  ///
  /// The token is a part of the path. If no keys are configured, any token is valid.
  func weather(_ request: Request, now: Int64, plan: [Fault]) -> Reply {
    let version = WeatherEndpoint.versions.first { request.uri.path.hasPrefix("/\($0)/") } ?? "v2.5"
    func refused(_ refusal: WeatherQuestion.Refusal) -> Reply {
      Reply(
        status: HTTPResponse.Status(code: refusal.status), type: "application/json",
        body: refusal.json(version: version))
    }
    do throws(WeatherQuestion.Refusal) {
      if let refusal = plan.refusal {
        var reply = refused(.init(status: refusal.error.status, reason: "a fault was asked for"))
        if let seconds = refusal.retryAfterSeconds { reply.fields[.retryAfter] = String(seconds) }
        return reply
      }
      // The service also reports a failure with status 200.
      if plan.contains(.failed) { throw .init(status: 200, reason: "a fault was asked for") }
      let path = request.uri.path
      guard isKnown(key: WeatherQuestion.token(inPath: path) ?? "") else {
        throw .init(status: 401, reason: "token is invalid")
      }
      let parameters = request.uri.queryParameters
      let question = try WeatherQuestion(path: path) { parameters[Substring($0)].map(String.init) }
      let asOf = max(now - plan.staleSeconds, 0)
      let response = weatherWorld.answer(question, now: asOf)
      guard let data = try? response.json() else { throw .init(status: 500, reason: "a number isn't finite") }
      var reply = Reply.json(JSONRounding.rounded(Array(data)))
      reply.entityTag = weatherWorld.entityTag(for: question, now: asOf)
      // The time in the response differs even if the weather is the same.
      reply.isEntityTagWeak = true
      reply.fields[.cacheControl] = "no-cache"
      return reply
    } catch {
      return refused(error)
    }
  }
}
