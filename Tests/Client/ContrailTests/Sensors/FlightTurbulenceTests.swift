import Contrail
import ContrailGeodesy
import Testing

@Suite struct FlightTurbulenceTests {
  private static let response = AircraftResponse(gustResponsePerSecond: 0.4)

  @Test func theEstimateIsPlacedWhereThePeakWas() throws {
    var flight = FlightTurbulence(response: Self.response)
    var gusts = Gusts(seed: 5, edr: 0.4, airspeedMPS: 230, rateHZ: 20)
    var located: [FlightTurbulence.Located] = []
    for index in 0..<(20 * 150) {
      let time = Double(index) / 20
      let sample = MotionSample(
        timeSeconds: time, verticalAccelerationMPS2: 0.4 * gusts.next(), trueAirspeedMPS: 230)
      let position = FlightTurbulence.Position(
        Coordinate(latitude: 50, longitude: time / 100), altitudeFeet: 30_000 + time)
      if let next = flight.add(sample, at: position) { located.append(next) }
    }
    #expect(located.count > 20)
    for next in located {
      #expect((next.position.coordinate.longitude * 100 - next.estimate.peakTimeSeconds).magnitude <= 1.01)
      #expect((next.position.altitudeFeet - 30_000 - next.estimate.peakTimeSeconds).magnitude <= 1.01)
    }
  }

  @Test func withoutAPositionThereIsNoPlace() {
    var flight = FlightTurbulence(response: Self.response)
    var count = 0
    for index in 0..<(20 * 60) {
      let sample = MotionSample(
        timeSeconds: Double(index) / 20, verticalAccelerationMPS2: 0, trueAirspeedMPS: 230)
      let position = FlightTurbulence.Position(
        Coordinate(latitude: .nan, longitude: 0), altitudeFeet: 30_000)
      if flight.add(sample, at: position) != nil { count += 1 }
    }
    #expect(count == 0)
  }

  @Test func aClockSetBackForgetsTheTrack() {
    var flight = FlightTurbulence(response: Self.response)
    var last: FlightTurbulence.Located?
    for start in [5000.0, 10] {
      for index in 0..<(20 * 30) {
        let sample = MotionSample(
          timeSeconds: start + Double(index) / 20, verticalAccelerationMPS2: 0, trueAirspeedMPS: 230)
        let position = FlightTurbulence.Position(Coordinate(latitude: 0, longitude: start / 100), altitudeFeet: 0)
        last = flight.add(sample, at: position) ?? last
      }
    }
    #expect(last?.position.coordinate.longitude == 0.1)
  }
}
