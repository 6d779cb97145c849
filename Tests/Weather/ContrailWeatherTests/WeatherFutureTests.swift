import ContrailHTTP
import ContrailWeather
import Dispatch
import Foundation
import Testing

@Suite struct WeatherFutureTests {
  private let directory = TemporaryDirectory()
  private let clock = SetClock(Fixture.madeAt + 2)

  private func request(_ service: ScriptedService) -> WeatherRequest {
    WeatherRequest(
      token: Fixture.token, coordinate: Fixture.place, localContentURL: directory.url, transport: service,
      clock: clock.clock)
  }

  @Test func aFutureGivesWhatPerformDoes() async throws {
    let request = request(ScriptedService([.answer(200, try Fixture.answer())]))
    let first = try await request.weather().value
    #expect(first.source == .remote)
    #expect(try await request.weather(from: .local).value.response == first.response)
    #expect(try await request.data(from: .local).value == Fixture.answer())
    #expect(try await request.decoded(Fixture.answer()).value == first.response)
    #expect(try await request.exampleData().value == Fixture.answer())
  }

  @Test func aFutureFailsWithTheErrorOfTheRequest() async {
    let request = request(ScriptedService([]))
    await #expect(throws: WeatherError.self) { try await request.weather().value }
    await #expect(throws: WeatherError.self) { try await request.data(from: .local).value }
    await #expect(throws: WeatherError.self) { try await request.decoded(Data("{".utf8)).value }
  }

  @Test func aSinkIsCalledOnTheQueueThatItNames() async throws {
    let request = request(ScriptedService([.answer(200, try Fixture.answer())]))
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "sink")
    queue.setSpecific(key: key, value: 7)
    let future = request.weather()
    let (seen, promise) = Future<Int?>.makePromise()
    let connection = future.sink(
      on: queue, receiveValue: { _ in promise.succeed(DispatchQueue.getSpecific(key: key)) },
      failure: { promise.fail($0) })
    #expect(try await seen.value == 7)
    connection.cancel()
  }
}
