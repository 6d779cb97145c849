import ContrailWire
import Foundation
import Logging
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// Keeps what is logged, from any thread.
private final class Record: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func append(_ line: String) { lock.withLock { lines.append(line) } }
  var text: String { lock.withLock { lines.joined(separator: "\n") } }
}

private struct RecordHandler: LogHandler {
  let record: Record
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    record.append("\(event.message) \(metadata) \(event.metadata ?? [:])")
  }
}

@Suite struct SecrecyTests {
  @Test func keysAreNeitherLoggedNorAnswered() async throws {
    let record = Record()
    var answers = ""
    try await withServer({
      $0.keys = ["right-secret"]
      $0.logger = Logger(label: "test") { _ in RecordHandler(record: record) }
    }) { client in
      for key in ["right-secret", "wrong-secret"] {
        for fault in ["", "drop", "garble"] {
          answers += await client.ask(fault: fault, fields: [WireHeader.apiKey: key])?.text ?? ""
        }
      }
    }
    #expect(record.text.contains(ObservationsRequest.path), "each request is logged")
    #expect(!record.text.contains("secret"))
    #expect(!answers.contains("secret"))
  }

  /// The weather's token is a part of the path.
  @Test func tokensInPathsAreNeitherLoggedNorAnswered() async throws {
    let record = Record()
    var answers = ""
    try await withServer({
      $0.keys = ["right-secret"]
      $0.logger = Logger(label: "test") { _ in RecordHandler(record: record) }
    }) { client in
      for path in [
        "/v2.5/right-secret/1,1/weather.json", "/v2.5/wrong-secret/1,1/weather.json", "/v2.5/right-secret/1,1",
        "/v2.6/right-secret/1,1/weather.json", "/v2.6/right-secret",
        "//v2.5/right-secret/1,1/weather.json", "/%2e/v2.5/right-secret/1,1/weather.json",
        "/v2%2e5/right-secret/1,1/weather.json", "/v2.5//right-secret/1,1/weather.json",
        "/v2.5/1,1/right-secret/weather.json", "/v2.5/1,1/weather.json/right-secret",
        "/V2.5/right-secret/1,1/weather.json", "/api/v2.5/right-secret/1,1/weather.json", "/right-secret",
        "/v2.5/right-secret", "/v2.5/right-secret/1,1/secret.json/x", "/v2.5/right-secret/91,91/weather.json",
      ] {
        for fields in [[:], [WireHeader.fault: "garble"], [WireHeader.fault: "status=503"]] {
          answers += await client.get(path, fields)?.text ?? ""
        }
        answers += await client.send("POST", path, [:], body: [])?.text ?? ""
      }
    }
    #expect(record.text.contains("/v2.5/{token}/1.0000,1.0000/weather.json"))
    #expect(!record.text.contains("secret"))
    #expect(!answers.contains("secret"))
  }
}
