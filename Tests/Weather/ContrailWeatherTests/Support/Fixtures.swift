import ContrailGeodesy
import ContrailWeather
import ContrailWire
import Foundation

/// A directory that is gone when the test is.
final class TemporaryDirectory {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("contrail-weather-\(UUID().uuidString)", isDirectory: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// The service as a list of answers, one for each request; counts what it is asked.
final class ScriptedService: WeatherTransport, @unchecked Sendable {
  enum Step {
    case answer(Int, Data)
    case failure(any Error)
  }

  private let lock = NSLock()
  private var steps: [Step]
  private var asked: [URL] = []

  init(_ steps: [Step]) {
    self.steps = steps
  }

  var urls: [URL] { lock.withLock { asked } }

  func get(_ url: URL) async throws -> WeatherTransportAnswer {
    let step = lock.withLock { () -> Step? in
      asked.append(url)
      return steps.isEmpty ? nil : steps.removeFirst()
    }
    switch step {
    case .answer(let status, let body): return WeatherTransportAnswer(status: status, body: body)
    case .failure(let error): throw error
    case nil: throw WeatherError(.unreachable, reason: "the script has ended")
    }
  }
}

/// A clock that stands where it is set.
final class SetClock: @unchecked Sendable {
  private let lock = NSLock()
  private var seconds: Double

  init(_ seconds: Double) {
    self.seconds = seconds
  }

  func advance(_ by: Double) {
    lock.withLock { seconds += by }
  }

  var clock: WeatherClock {
    WeatherClock { Date(timeIntervalSince1970: self.lock.withLock { self.seconds }) }
  }
}

enum Fixture {
  static let token = "s3cret/Tok+en"
  static let encodedToken = "s3cret%2FTok%2Ben"
  static let place = ExampleAnswer.coordinate
  static let madeAt = Double(ExampleAnswer.serverTimeSeconds)

  static func answer() throws -> Data { try ExampleAnswer.response().json() }

  static func data(_ text: String) -> Data { Data(text.utf8) }
}
