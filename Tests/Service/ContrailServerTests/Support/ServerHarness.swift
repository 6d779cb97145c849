import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// Runs a small server on a port of its own for as long as the body lasts.
func withServer(
  _ configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (RawClient) async throws -> Void
) async throws {
  var configuration = ServerConfiguration(seed: 11)
  configuration.aircraft = 40
  configuration.allowsSimulatedTime = true
  configuration.allowsRequestedFaults = true
  configuration.clock = { Samples.noon * 1000 + 250 }
  // On a busy machine, the two halves of a body may be minutes apart.
  configuration.bodyTimeoutSeconds = 300
  configure(&configuration)
  let server = try await ReferenceServer.start(configuration)
  do {
    try await body(RawClient(port: server.port))
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

extension RawClient {
  static let question = ObservationsRequest(
    ring: Samples.mostOfTheWorld,
    filter: Filter(types: .areaTypes, history: .halfHour))

  /// Asks for everything, or what came since a token.
  func ask(
    _ question: ObservationsRequest = Self.question, since: Int64? = nil, fault: String? = nil,
    fields: [String: String] = [:]
  ) async -> Answer? {
    var question = question
    question.since = since
    var fields = fields
    if let fault { fields[WireHeader.fault] = fault }
    return await post(ObservationsRequest.path, fields, body: question.json)
  }
}

extension RawClient.Answer {
  /// The body as an answer of the protocol.
  var observations: ObservationsAnswer {
    get throws { try body.withUnsafeBytes { try ObservationsAnswer(json: $0) } }
  }

  /// The code of an error in the protocol's shape.
  var errorCode: String? {
    body.withUnsafeBytes { ServiceError(status: status, json: $0) }?.code
  }
}
